//! Loop seams: whether the last pose of a clip meets its first.
//!
//! Clips that end somewhere else altogether are not made to loop; those that nearly meet are, and jump.

use crate::{
    anim::LoopSeam,
    model::{Clip, Interpolation, Model, Track},
};

use super::{
    super::{
        diagnostics::Diagnostics,
        progress::{Cancelled, Progress},
    },
    Size, clip_name, node_name,
};

/// What is less than this part of the model's size is rounding.
const SEEN: f32 = 0.002;
/// What is more was not meant to meet.
const JUMP: f32 = 0.1;
/// Differences of morph weights that are seen.
const WEIGHT_SEEN: f32 = 0.02;
/// How far from a node's origin turns are measured, as a part of the model's size: leaves have no children to tell.
const LEVER: f32 = 0.05;
/// Placements that are computed at most for all clips together, so that a thousand clips of a thousand nodes do not take
/// longer than reading them.
const MOST_PLACEMENTS: usize = 1 << 20;

pub(super) fn check(
    model: &Model,
    size: &Size<'_>,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    if model.clips.is_empty() {
        return Ok(());
    }
    let size = size.get();
    let cost = model.hierarchy.len().saturating_mul(2);
    let mut left = MOST_PLACEMENTS;
    for (index, clip) in model.clips.iter().enumerate() {
        progress.check()?;
        if clip.duration_secs() == 0.0 {
            continue;
        }
        let Some(rest) = left.checked_sub(cost) else {
            return Ok(());
        };
        // What meets by its values needs no placements.
        if meets_exactly(clip) {
            continue;
        }
        left = rest;
        check_clip(model, index, clip, size, diagnostics);
    }
    Ok(())
}

/// Whether the first key of every track is the same as its last.
fn meets_exactly(clip: &Clip) -> bool {
    fn meets<T: PartialEq>(tracks: &[Track<T>]) -> bool {
        tracks.iter().all(|track| {
            let width = track.width();
            // A spline's keys have tangents before and after the value (glTF 2.0 appendix C.3).
            let (per_key, offset) = match track.interpolation() {
                Interpolation::CubicSpline => (width.saturating_mul(3), width),
                Interpolation::Step | Interpolation::Linear => (width, 0),
            };
            let values = |start: usize| {
                let start = start.saturating_add(offset);
                track.values().get(start..start.saturating_add(width))
            };
            values(0) == values(track.values().len().saturating_sub(per_key))
        })
    }
    meets(clip.translations())
        && meets(clip.rotations())
        && meets(clip.scales())
        && meets(clip.weights())
}

fn check_clip(model: &Model, index: usize, clip: &Clip, size: f32, diagnostics: &mut Diagnostics) {
    let seam = LoopSeam::new(model, clip);
    let (mut distance, mut at) = (0.0_f32, None);
    for (id, here) in seam.tip_distances(LEVER * size) {
        if here > distance {
            (distance, at) = (here, Some(id));
        }
    }
    let weight = seam.weights();
    let pointer = format_args!("/animations/{index}");
    let code = "ANIMATION_LOOP_SEAM";
    let name = clip_name(clip, index);
    // What is farther than numbers reach cannot be said.
    if let Some(at) = at.filter(|_| distance.is_finite() && distance > SEEN * size) {
        let percent = 100.0 * distance / size;
        let node = node_name(&model.hierarchy, at);
        let gap =
            format!("at {node} they are {distance:.3} apart, {percent:.1}% of the model's size");
        if distance > JUMP * size {
            let message = format!("{name} does not end as it starts: {gap}");
            diagnostics.hint(code, pointer, message, "");
        } else {
            let message = format!("the last pose of {name} does not quite meet its first: {gap}");
            diagnostics.info(code, pointer, message, "it jumps when it loops");
        }
    } else if weight > WEIGHT_SEEN {
        let message =
            format!("the morph weights of {name} end up to {weight:.2} from where they start");
        diagnostics.hint(code, pointer, message, "");
    }
}
