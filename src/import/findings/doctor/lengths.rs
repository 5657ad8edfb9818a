//! Clips in another unit than the skeleton that they move.
//!
//! Clips stretch bones on purpose, but not all of them by the same large factor: see [`crate::model::Clip::bone_factor`].

use super::ClipNames;
use crate::{
    import::base::{
        diagnostics::{Diagnostics, Place, Severity},
        progress::{Cancelled, Progress},
    },
    model::{Clip, Factor, Model},
};

const CODE: &str = "ANIMATION_BONE_LENGTHS";

pub(super) fn check(
    model: &Model,
    names: &ClipNames<'_>,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    let is_joint = model.joint_nodes();
    let mut found: Vec<(f32, Vec<usize>)> = Vec::new();
    for (index, clip) in model.clips.iter().enumerate() {
        progress.check()?;
        let Some(factor) = clip.bone_factor(&model.hierarchy, &is_joint) else {
            continue;
        };
        match found
            .iter_mut()
            .find(|(other, _)| Clip::factors_agree(factor, *other))
        {
            Some((_, clips)) => clips.push(index),
            None => found.push((factor, vec![index])),
        }
    }
    for (factor, clips) in found {
        let message = format!(
            "in {}, bones are {} times as long as at rest: translations are in another unit",
            names.several(&clips),
            Factor(factor)
        );
        let all = clips.iter();
        let mut all = all.map(|clip| (format!("/animations/{clip}"), Place::default()));
        let Some(first) = all.next() else {
            continue;
        };
        let action = "nodes are moved as the clip says";
        diagnostics.add(Severity::Warning, CODE, first, message, action);
        diagnostics.also_about(CODE, all);
    }
    Ok(())
}
