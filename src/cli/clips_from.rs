//! `--clips-from`: clips of other files, bound to the model by the names of its nodes.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::{Opening, open};
use crate::{anim::retarget::ClipSource, model::Model};

/// Adds the clips of files to a model's own, as they are, and says what did not match.
pub(super) fn add_to(model: &mut Model, files: &[PathBuf], opening: Opening) -> anyhow::Result<()> {
    for file in files {
        let import = open(file, &[], opening)
            .with_context(|| format!("the clips of {} cannot be read", file.display()))?;
        let bound = ClipSource::of(import.model).bind(model, false);
        let name = file.display();
        if bound.clips.is_empty() {
            bail!("{name} has no clips");
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
        model.append_clips(bound.clips);
    }
    Ok(())
}
