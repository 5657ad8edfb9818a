//! Clips that the model's file does not have: those of other files (`--clips-from`), bound by the names of nodes, and all as
//! one.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::{AddedClips, Opening, open_by, tell_findings};
use crate::{
    anim::retarget::ClipSource,
    import::{self, Progress, counted},
    model::{Clip, Model, counted_names},
};

/// Adds the clips of files to a model's own, and says what does not match; then all clips as one, if `clip` asks for that.
/// Which files were read is returned.
pub(super) fn add_to(
    model: &mut Model,
    added: &AddedClips,
    clip: Option<&str>,
    opening: Opening,
    progress: &Progress,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut read = Vec::new();
    for file in &added.clips_from {
        let import = open_by(import::open_clips, file, &[], opening, progress)
            .with_context(|| format!("the clips of {} cannot be read", file.display()))?;
        tell_findings(&import);
        read.extend_from_slice(&import.files);
        let Model {
            clips, hierarchy, ..
        } = &import.model;
        let is_nameless = clips
            .iter()
            .flat_map(Clip::moved_nodes)
            .all(|id| hierarchy.node(id).name.is_empty());
        let bound = ClipSource::of(import.model).bind(model, added.retarget);
        let name = file.display();
        if bound.clips.is_empty() {
            bail!("{name} has no clips");
        }
        if bound.dropped_properties > 0 {
            let tracks = counted(bound.dropped_properties, "track", "tracks");
            log::warn!(
                "{tracks} of {name} belong to its own materials, lights, cameras or morph targets"
            );
        }
        if bound.matched == 0 && bound.missing.is_empty() {
            bail!("the clips of {name} move no node");
        }
        if bound.matched == 0 && is_nameless {
            bail!(
                "the nodes that the clips of {name} move have no names, by which those of {} are found",
                model.name
            );
        }
        if bound.matched == 0 {
            bail!(
                "no node that the clips of {name} move has its name in {}",
                model.name
            );
        }
        let missing = bound.missing.iter().map(String::as_str);
        for (missing, count) in counted_names(missing) {
            let moved = match count {
                1 => format!("{missing:?}"),
                count => format!("{count} nodes named {missing:?}"),
            };
            log::warn!("{name} moves {moved}, which {} does not have", model.name);
        }
        for target in &bound.missing_targets {
            log::warn!(
                "{name} moves the morph target {target:?}, which {} does not have",
                model.name
            );
        }
        for node in &bound.targets_by_place {
            log::warn!(
                "the morph targets of {node:?} have other names in {name} than in {}: they are taken by their places",
                model.name
            );
        }
        let misfits = bound.misfits();
        if !misfits.is_empty() && !added.retarget {
            let misfits = misfits.join(", and ");
            log::warn!(
                "{name}: {misfits}; --retarget fits its clips to {}",
                model.name
            );
        }
        model.append_clips(bound.clips);
    }
    add_all_together(model, clip);
    Ok(read)
}

/// What `--clip` calls all clips that there are.
const ALL: &str = "all";

/// Adds a clip in which all others play at once, if it is asked for.
fn add_all_together(model: &mut Model, clip: Option<&str>) {
    if clip != Some(ALL) || model.clips.is_empty() {
        return;
    }
    if let Some(index) = model.clips.iter().position(|clip| clip.name() == ALL) {
        // A single clip is all of them.
        if model.clips.len() > 1 {
            log::warn!(
                "{}: the clip named {ALL:?} is taken, which is {index}, not all of them at once",
                model.name
            );
        }
        return;
    }
    let (all, left_out) = Clip::together(ALL, &model.clips);
    if left_out > 0 {
        let (name, tracks) = (&model.name, counted(left_out, "track", "tracks"));
        log::warn!(
            "{name}: of all clips together {tracks} have no part, as clips before them move the same"
        );
    }
    model.append_clips(vec![all]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::load, import::is_cancelled};

    /// Also of a model that is there at once.
    #[test]
    fn a_load_that_is_cancelled_ends() {
        let pip = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pip.glb"));
        let mut model = load(&pip).unwrap().model;
        let count = model.clips.len();
        let progress = Progress::default();
        progress.cancel();
        let added = AddedClips {
            clips_from: vec![pip],
            ..AddedClips::default()
        };
        let ended = add_to(&mut model, &added, None, Opening::default(), &progress);
        assert!(is_cancelled(&ended.unwrap_err()));
        assert_eq!(model.clips.len(), count);
    }
}
