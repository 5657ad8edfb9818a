//! Loop seams: whether the last pose of a clip meets its first.
//!
//! Clips that end somewhere else altogether are not made to loop; those that nearly meet are, and jump.

use glam::{Affine3A, Vec3};

use crate::model::{Clip, Interpolation, Model, Node, NodeId, Track, Transform};

use super::{
    super::diagnostics::Diagnostics, clip_name, node_name, parent_from_node, size, world_matrices,
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

pub(super) fn check(model: &Model, rest: &[Affine3A], diagnostics: &mut Diagnostics) {
    if model.clips.is_empty() {
        return;
    }
    let size = size(model, rest);
    let cost = model.hierarchy.len().saturating_mul(2);
    let mut left = MOST_PLACEMENTS;
    for (index, clip) in model.clips.iter().enumerate() {
        if clip.duration_secs() == 0.0 {
            continue;
        }
        let Some(rest) = left.checked_sub(cost) else {
            return;
        };
        // What meets by its values needs no placements.
        if meets_exactly(clip) {
            continue;
        }
        left = rest;
        check_clip(model, index, clip, size, diagnostics);
    }
}

/// An end of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

/// The value of a track at one of its ends, which is that of a key.
fn value<T: Copy>(track: &Track<T>, lane: usize, end: End) -> Option<T> {
    let (per_key, offset) = match track.interpolation() {
        Interpolation::CubicSpline => (track.width().saturating_mul(3), track.width()),
        Interpolation::Step | Interpolation::Linear => (track.width(), 0),
    };
    let values = track.values();
    let start = match end {
        End::First => 0,
        End::Last => values.len().checked_sub(per_key)?,
    };
    let place = start.saturating_add(offset).saturating_add(lane);
    values.get(place).copied()
}

fn meets_exactly(clip: &Clip) -> bool {
    fn meets<T: Copy + PartialEq>(tracks: &[Track<T>]) -> bool {
        tracks.iter().all(|track| {
            (0..track.width())
                .all(|lane| value(track, lane, End::First) == value(track, lane, End::Last))
        })
    }
    meets(clip.translations())
        && meets(clip.rotations())
        && meets(clip.scales())
        && meets(clip.weights())
}

fn check_clip(model: &Model, index: usize, clip: &Clip, size: f32, diagnostics: &mut Diagnostics) {
    let first = pose(model, clip, End::First);
    let last = pose(model, clip, End::Last);
    let (mut distance, mut at) = (0.0_f32, None);
    for ((id, _), (first, last)) in model.hierarchy.iter().zip(first.iter().zip(&last)) {
        let here = distance_of(first, last, LEVER * size);
        if here > distance {
            (distance, at) = (here, Some(id));
        }
    }
    let weight = weight_difference(clip);
    let pointer = format_args!("/animations/{index}");
    let code = "ANIMATION_LOOP_SEAM";
    let name = clip_name(clip, index);
    if let Some(at) = at.filter(|_| distance > SEEN * size) {
        let percent = 100.0 * distance / size;
        let node = node_name(&model.hierarchy, at);
        let gap =
            format!("at {node} they are {distance:.3} apart, {percent:.1} % of the model's size");
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

/// `world_from_node` of all nodes at one end of a clip.
fn pose(model: &Model, clip: &Clip, end: End) -> Vec<Affine3A> {
    let nodes = model.hierarchy.nodes().iter();
    let mut locals: Vec<Transform> = nodes.map(|node| node.rest).collect();
    let mut is_moved = vec![false; locals.len()];
    let mut set = |node: NodeId, change: &dyn Fn(&mut Transform)| {
        if let (Some(local), Some(is_moved)) =
            (locals.get_mut(node.index()), is_moved.get_mut(node.index()))
        {
            *is_moved = true;
            change(local);
        }
    };
    for track in clip.translations() {
        if let Some(translation) = value(track, 0, end) {
            set(track.node(), &|local| local.translation = translation);
        }
    }
    for track in clip.rotations() {
        if let Some(rotation) = value(track, 0, end) {
            set(track.node(), &|local| local.rotation = rotation.normalize());
        }
    }
    for track in clip.scales() {
        if let Some(scale) = value(track, 0, end) {
            set(track.node(), &|local| local.scale = scale);
        }
    }
    world_matrices(&model.hierarchy, |id, node: &Node| {
        let moved = is_moved.get(id.index()).copied().unwrap_or(false);
        match locals.get(id.index()) {
            Some(local) if moved => local.to_affine(),
            _ => parent_from_node(node),
        }
    })
}

/// How far a node's origin, or the tip of a lever along one of its axes, is from where it was.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn distance_of(first: &Affine3A, last: &Affine3A, lever: f32) -> f32 {
    let tip = |world_from_node: &Affine3A, axis: Vec3| {
        let origin = Vec3::from(world_from_node.translation);
        origin + world_from_node.transform_vector3(axis).normalize_or_zero() * lever
    };
    let tips = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    tips.into_iter()
        .map(|axis| tip(first, axis).distance(tip(last, axis)))
        .fold(0.0, f32::max)
}

fn weight_difference(clip: &Clip) -> f32 {
    let mut greatest = 0.0_f32;
    for track in clip.weights() {
        for lane in 0..track.width() {
            let ends = value(track, lane, End::First).zip(value(track, lane, End::Last));
            greatest = greatest.max(ends.map_or(0.0, |(first, last)| (first - last).abs()));
        }
    }
    greatest
}
