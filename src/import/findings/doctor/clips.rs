//! Clips: when their channels start and end, and rotations that go the long way round.

use std::collections::BTreeSet;

use glam::Quat;

use crate::{
    import::base::{
        diagnostics::Diagnostics,
        progress::{Cancelled, Progress},
    },
    model::{Clip, Interpolation, Model, Moved, NodeId, Track},
};

use super::{clip_name, clip_names, counted, node_names};

/// Earlier than this nobody sees.
const NOTICED_SECS: f32 = 0.001;
/// How much of a clip a channel may miss at its end.
const MISSED: f32 = 0.01;

pub(super) fn check(
    model: &Model,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    let mut flips = Flips::default();
    for (index, clip) in model.clips.iter().enumerate() {
        progress.check()?;
        check_start(model, index, clip, diagnostics);
        check_ends(model, index, clip, diagnostics);
        flips.look_at(index, clip);
        check_scales(model, index, clip, diagnostics);
    }
    let action = "splines turn the long way there";
    if let Some((pointer, message)) = flips.splines.tell(model) {
        diagnostics.warning(SIGN_FLIPS, pointer, message, action);
        diagnostics.also_about(SIGN_FLIPS, flips.splines.others());
    }
    let action = "the shorter way is taken";
    if let Some((pointer, message)) = flips.linear.tell(model) {
        diagnostics.hint(SIGN_FLIPS, pointer, message, action);
        diagnostics.also_about(SIGN_FLIPS, flips.linear.others());
    }
    Ok(())
}

/// Channels that hold one pose are no matter, unless there are no others.
fn check_start(model: &Model, index: usize, clip: &Clip, diagnostics: &mut Diagnostics) {
    let first = clip.first_key_secs();
    let is_late = clip.track_count() > 0 && first > NOTICED_SECS;
    let (mut earliest, mut late) = (f32::INFINITY, BTreeSet::new());
    for (node, timeline) in tracks(clip) {
        let Some(timeline) = clip.timelines().get(timeline) else {
            continue;
        };
        let start = timeline.first_secs();
        if start > NOTICED_SECS && (is_late || timeline.times_secs().len() > 1) {
            earliest = earliest.min(start);
            late.insert(node);
        }
    }
    let name = clip_name(clip, index);
    let late: Vec<NodeId> = late.into_iter().collect();
    let (message, action) = if is_late {
        let message = format!("the first key of {name} comes at {first:.3} s, not at 0");
        (message, "until then its first pose stands still")
    } else if late.is_empty() {
        return;
    } else {
        let message = format!(
            "in {name}, channels of {} have their first key after 0, from {earliest:.3} s on: {}",
            counted(late.len(), "node"),
            node_names(&model.hierarchy, &late)
        );
        (message, "they stand still until then")
    };
    let pointer = format_args!("/animations/{index}");
    diagnostics.info("ANIMATION_STARTS_LATE", pointer, message, action);
}

/// Channels that hold one pose are no matter, however long they are.
fn check_ends(model: &Model, index: usize, clip: &Clip, diagnostics: &mut Diagnostics) {
    let duration = clip.duration_secs();
    let mut earliest = duration;
    let mut short = BTreeSet::new();
    for (node, timeline) in tracks(clip) {
        let Some(timeline) = clip.timelines().get(timeline) else {
            continue;
        };
        let end = timeline.last_secs();
        if timeline.times_secs().len() > 1 && end < duration * (1.0 - MISSED) {
            earliest = earliest.min(end);
            short.insert(node);
        }
    }
    if short.is_empty() {
        return;
    }
    let short: Vec<NodeId> = short.into_iter().collect();
    let message = format!(
        "in {}, channels of {} end before the others, from {earliest:.3} s of {duration:.3} s on: {}",
        clip_name(clip, index),
        counted(short.len(), "node"),
        node_names(&model.hierarchy, &short)
    );
    let action = "they stand still then";
    diagnostics.hint(
        "ANIMATION_UNEQUAL_LENGTHS",
        format_args!("/animations/{index}"),
        message,
        action,
    );
}

/// The node and timeline of every track but those of properties.
fn tracks(clip: &Clip) -> impl Iterator<Item = (NodeId, usize)> {
    clip.heads().filter_map(|head| match head.moved {
        Moved::Property(_) => None,
        moved => Some((moved.node()?, head.timeline)),
    })
}

/// `q` and `-q` are one rotation. Between them a straight mixture takes the long way, which linear interpolation must
/// avoid (glTF 2.0 appendix C.4) and splines do not.
///
/// One finding of each kind for the whole file: what one exporter writes is in all of its clips.
#[derive(Default)]
struct Flips {
    linear: Flipping,
    splines: Flipping,
}

/// Where quaternions change their sign.
#[derive(Default)]
struct Flipping {
    clips: Vec<usize>,
    nodes: BTreeSet<NodeId>,
}

const SIGN_FLIPS: &str = "ANIMATION_ROTATION_SIGN_FLIPS";

impl Flips {
    fn look_at(&mut self, index: usize, clip: &Clip) {
        for track in clip.rotations() {
            let kind = match track.interpolation() {
                Interpolation::Step => continue,
                Interpolation::Linear => &mut self.linear,
                Interpolation::CubicSpline => &mut self.splines,
            };
            if flips(track) {
                kind.nodes.insert(track.node());
                if kind.clips.last() != Some(&index) {
                    kind.clips.push(index);
                }
            }
        }
    }
}

impl Flipping {
    /// The place of the first clip, and what is said; none if all is well.
    fn tell(&self, model: &Model) -> Option<(String, String)> {
        let first = self.clips.first()?;
        let nodes: Vec<NodeId> = self.nodes.iter().copied().collect();
        let message = format!(
            "in {}, quaternions change their sign between keys at {}: {}",
            clip_names(model, &self.clips),
            counted(nodes.len(), "node"),
            node_names(&model.hierarchy, &nodes)
        );
        Some((format!("/animations/{first}"), message))
    }

    /// The places of all other clips.
    fn others(&self) -> impl Iterator<Item = String> + '_ {
        let others = self.clips.iter().skip(1);
        others.map(|clip| format!("/animations/{clip}"))
    }
}

fn flips(track: &Track<Quat>) -> bool {
    let mut keys = track.key_values().flatten();
    let Some(mut before) = keys.next() else {
        return false;
    };
    keys.any(|key| {
        let flips = before.dot(*key) < 0.0;
        before = key;
        flips
    })
}

/// Scales that pass from one sign to the other turn what hangs there inside out.
fn check_scales(model: &Model, index: usize, clip: &Clip, diagnostics: &mut Diagnostics) {
    let mut inverted = Vec::new();
    for track in clip.scales() {
        let (mut has_positive, mut has_negative) = (false, false);
        for key in track.key_values().flatten() {
            has_positive |= key.element_product() > 0.0;
            has_negative |= key.element_product() < 0.0;
        }
        if has_positive && has_negative {
            inverted.push(track.node());
        }
    }
    if inverted.is_empty() {
        return;
    }
    let message = format!(
        "in {}, the scale changes its sign at {}: {}",
        clip_name(clip, index),
        counted(inverted.len(), "node"),
        node_names(&model.hierarchy, &inverted)
    );
    let pointer = format_args!("/animations/{index}");
    diagnostics.info("ANIMATION_SCALE_CHANGES_SIGN", pointer, message, "");
}
