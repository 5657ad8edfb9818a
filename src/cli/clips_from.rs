//! Clips that the model's file does not have: those of other files (`--clips-from`), bound by the names of nodes, and all as
//! one.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::{AddedClips, Opening, find_clip, open_by, tell_findings};
use crate::{
    anim::retarget::ClipSource,
    app::wanted::{alternatives, first_of},
    import::{self, Progress, counted},
    model::{Clip, Model, counted_names},
};

/// Which clips of a model are not its own: those of other files follow these, file by file, and then all of them as one.
#[derive(Debug, Default)]
pub(super) struct ForeignClips {
    /// What the clips were read from.
    pub(super) read: Vec<PathBuf>,
    /// The files, as they were named, each with the index of its first clip.
    files: Vec<(String, usize)>,
    /// Index of the clip in which all others play at once.
    all: Option<usize>,
}

impl ForeignClips {
    /// The index of the clip of `model` that is meant by `wanted`: its name, or else its index. Clips of other files count
    /// before those of the model's own that have the same name, and of these files the first.
    pub(super) fn find(&self, model: &Model, wanted: &str) -> anyhow::Result<usize> {
        if let (Some(all), ALL) = (self.all, wanted) {
            return Ok(all);
        }
        let is_named = |index: &usize| model.clips[*index].name() == wanted;
        let named = |file: usize| {
            let (_, first) = self.files[file];
            let next = self.files.get(file + 1).map(|(_, next)| *next);
            let last = next.unwrap_or(model.clips.len());
            (first..last).filter(is_named)
        };
        let mut files = 0..self.files.len();
        let Some(taken) = files.find(|&file| named(file).next().is_some()) else {
            return find_clip(model, wanted);
        };
        let name = &self.files[taken].0;
        for file in files {
            if let Some(others) = alternatives(named(file)) {
                let other = &self.files[file].0;
                log::warn!(
                    "{other} has a clip {wanted:?}, too: that of {name} is taken, not {others}"
                );
            }
        }
        let own = 0..self.files[0].1;
        if let Some(others) = alternatives(own.filter(is_named)) {
            log::warn!(
                "{} has a clip {wanted:?}, too: that of {name} is taken, not {others}",
                model.name
            );
        }
        let of_file = named(taken).map(|index| (index, index));
        let is_there = |index| index < model.clips.len();
        let found = first_of(of_file, name, "clip", wanted, is_there);
        found.map_or_else(|| find_clip(model, wanted), Ok)
    }

    /// The clip in which all others play at once is in no file, and has no index there.
    pub(super) fn index_of(&self, clip: Option<usize>) -> Option<usize> {
        clip.filter(|_| clip != self.all)
    }
}

/// Adds the clips of files to a model's own, and says what does not match; then all clips as one, if `clip` asks for that.
pub(super) fn add_to(
    model: &mut Model,
    added: &AddedClips,
    clip: Option<&str>,
    opening: Opening,
    progress: &Progress,
) -> anyhow::Result<ForeignClips> {
    let mut foreign = ForeignClips::default();
    let own = model.clips.len();
    for file in &added.clips_from {
        let import = open_by(import::open_clips, file, &[], opening, progress)
            .with_context(|| format!("the clips of {} cannot be read", file.display()))?;
        tell_findings(&import);
        foreign.read.extend_from_slice(&import.files);
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
        foreign.files.push((name.to_string(), model.clips.len()));
        model.append_clips(bound.clips);
    }
    if clip == Some(ALL) {
        foreign.all = add_all_together(model, own);
    }
    Ok(foreign)
}

/// What `--clip` calls all clips that there are.
const ALL: &str = "all";

/// Adds a clip in which all others play at once, and returns its index; none if there are no clips, or one has its name. What
/// clips of other files move those of the model's `own` do not.
fn add_all_together(model: &mut Model, own: usize) -> Option<usize> {
    if model.clips.is_empty() {
        return None;
    }
    let mut others_first = (own..model.clips.len()).chain(0..own);
    if let Some(index) = others_first.find(|&clip| model.clips[clip].name() == ALL) {
        // A single clip is all of them.
        if model.clips.len() > 1 {
            log::warn!(
                "{}: the clip named {ALL:?} is taken, which is {index}, not all of them at once",
                model.name
            );
        }
        return None;
    }
    let (own, foreign) = model.clips.split_at(own);
    let (all, left_out) = Clip::together(ALL, foreign.iter().chain(own));
    if left_out > 0 {
        let (name, tracks) = (&model.name, counted(left_out, "track", "tracks"));
        log::warn!(
            "{name}: of all clips together {tracks} have no part, as other clips move the same"
        );
    }
    model.append_clips(vec![all]);
    Some(model.clips.len() - 1)
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
