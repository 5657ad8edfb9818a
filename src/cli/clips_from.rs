//! `--clips-from`: clips of other files, bound to the model by the names of its nodes.

use anyhow::{Context as _, bail};

use super::{Moment, Opening, open_by, tell_findings};
use crate::{
    anim::retarget::ClipSource,
    import::{self, Progress, counted},
    model::Model,
};

/// Adds the clips of files to a model's own, and says what does not match.
pub(super) fn add_to(
    model: &mut Model,
    moment: &Moment,
    opening: Opening,
    progress: &Progress,
) -> anyhow::Result<()> {
    for file in &moment.clips_from {
        let import = open_by(import::open_clips, file, &[], opening, progress)
            .with_context(|| format!("the clips of {} cannot be read", file.display()))?;
        tell_findings(&import);
        let bound = ClipSource::of(import.model).bind(model, moment.retarget);
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
        if bound.matched == 0 {
            bail!(
                "no node that the clips of {name} move has its name in {}",
                model.name
            );
        }
        for missing in &bound.missing {
            log::warn!(
                "{name} moves {missing:?}, which {} does not have",
                model.name
            );
        }
        let misfits = bound.misfits();
        if !misfits.is_empty() && !moment.retarget {
            let misfits = misfits.join(", and ");
            log::warn!(
                "{name}: {misfits}; --retarget fits its clips to {}",
                model.name
            );
        }
        model.append_clips(bound.clips);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

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
        let moment = Moment {
            clips_from: vec![pip],
            ..Moment::default()
        };
        let ended = add_to(&mut model, &moment, Opening::default(), &progress);
        assert!(is_cancelled(&ended.unwrap_err()));
        assert_eq!(model.clips.len(), count);
    }
}
