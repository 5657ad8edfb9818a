//! Clips: whether they move anything, when their channels start and end, and rotations that go the long way round.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};

use crate::{
    import::base::{
        diagnostics::{Diagnostics, Place, Severity},
        progress::{Cancelled, Progress},
    },
    model::{Clip, Interpolation, Model, Moved, NodeId, Timeline, Track},
};

use super::{ClipNames, node_names, number_of, place};

/// Earlier than this nobody sees.
const NOTICED_SECS: f32 = 0.001;
/// Keys of a pose that is held: fewer than a motion has.
const POSE_KEYS: usize = 2;
/// How much of a clip a channel may miss at its end.
const MISSED: f32 = 0.01;

pub(super) fn check(
    model: &Model,
    names: &ClipNames<'_>,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    let mut flips = Flips::default();
    for (index, clip) in model.clips.iter().enumerate() {
        progress.check()?;
        check_motion(names, (index, clip), diagnostics);
        check_start(model, names, (index, clip), diagnostics);
        check_ends(model, names, (index, clip), diagnostics);
        flips.look_at(model, index, clip);
        check_scales(model, names, (index, clip), diagnostics);
    }
    let action = "splines turn the long way there";
    if let Some((at, message)) = flips.splines.tell(model, names) {
        diagnostics.add(Severity::Warning, SIGN_FLIPS, at, message, action);
        diagnostics.also_about(SIGN_FLIPS, flips.splines.others());
    }
    let action = "the shorter way is taken";
    if let Some((at, message)) = flips.linear.tell(model, names) {
        diagnostics.add(Severity::Hint, SIGN_FLIPS, at, message, action);
        diagnostics.also_about(SIGN_FLIPS, flips.linear.others());
    }
    Ok(())
}

/// A clip that lasts, and whose keys all say the same. Poses have one key, or one at each end, and pointers may lead to
/// anything.
fn check_motion(
    names: &ClipNames<'_>,
    (index, clip): (usize, &Clip),
    diagnostics: &mut Diagnostics,
) {
    let mut times = clip.timelines().iter().map(Timeline::times_secs);
    let lasts = times.any(|times| times.len() > POSE_KEYS) && clip.duration_secs() > 0.0;
    if !lasts || clip.track_count() == 0 || !clip.properties().is_empty() {
        return;
    }
    let holds_still = holds(clip.translations(), Vec3::ZERO)
        && holds(clip.rotations(), Quat::from_array([0.0; 4]))
        && holds(clip.scales(), Vec3::ZERO)
        && holds(clip.weights(), 0.0);
    if holds_still {
        let message = format!(
            "{} moves nothing: all keys of each of its channels are the same",
            names.one(index)
        );
        let code = "ANIMATION_MOVES_NOTHING";
        diagnostics.add(
            Severity::Hint,
            code,
            at(index, Place::default()),
            message,
            "",
        );
    }
}

/// Whether each of these tracks has one value at all times: tangents that are not zero lead away from it.
fn holds<T: PartialEq>(tracks: &[Track<T>], zero: T) -> bool {
    tracks.iter().all(|track| {
        let mut keys = track.key_values();
        let first = keys.next();
        keys.all(|key| Some(key) == first) && !has_tangents(track, &zero)
    })
}

/// Whether the spline of a track has any tangent but zero.
fn has_tangents<T: PartialEq>(track: &Track<T>, zero: &T) -> bool {
    let kind = track.interpolation();
    let parts = track.values().chunks(track.width().max(1)).enumerate();
    let mut tangents = parts.filter(|(place, _)| kind.is_tangent(*place));
    tangents.any(|(_, tangent)| tangent.iter().any(|part| part != zero))
}

/// Channels that hold one pose are no matter, unless there are no others.
fn check_start(
    model: &Model,
    names: &ClipNames<'_>,
    (index, clip): (usize, &Clip),
    diagnostics: &mut Diagnostics,
) {
    let first = clip.first_key_secs();
    let is_late = clip.track_count() > 0 && first > NOTICED_SECS;
    let (mut earliest, mut first_node) = (f32::INFINITY, None);
    let mut late = BTreeSet::new();
    for (node, timeline) in tracks(clip) {
        let Some(timeline) = clip.timelines().get(timeline) else {
            continue;
        };
        let start = timeline.first_secs();
        if start > NOTICED_SECS && (is_late || timeline.times_secs().len() > 1) {
            if start < earliest {
                (earliest, first_node) = (start, Some(node));
            }
            late.insert(node);
        }
    }
    let late: Vec<NodeId> = late.into_iter().collect();
    let name = || names.one(index);
    let (message, action) = if is_late {
        let message = format!(
            "the first key of {} comes at {first:.3} s, not at 0",
            name()
        );
        (message, "until then its first pose stands still")
    } else if late.is_empty() {
        return;
    } else {
        let message = format!(
            "in {}, channels of {} have their first key after 0, from {earliest:.3} s on: {}",
            name(),
            number_of(late.len(), "node"),
            node_names(&model.hierarchy, &late)
        );
        (message, "they stand still until then")
    };
    // The first key may be of a property.
    let (node, secs) = match is_late && first < earliest {
        true => (None, first),
        false => (first_node, earliest),
    };
    diagnostics.add(
        Severity::Info,
        "ANIMATION_STARTS_LATE",
        at(index, place(&model.hierarchy, node, Some(secs))),
        message,
        action,
    );
}

/// Channels that hold one pose are no matter, however long they are.
fn check_ends(
    model: &Model,
    names: &ClipNames<'_>,
    (index, clip): (usize, &Clip),
    diagnostics: &mut Diagnostics,
) {
    let duration = clip.duration_secs();
    let (mut earliest, mut first_node) = (duration, None);
    let mut short = BTreeSet::new();
    for (node, timeline) in tracks(clip) {
        let Some(timeline) = clip.timelines().get(timeline) else {
            continue;
        };
        let end = timeline.last_secs();
        if timeline.times_secs().len() > 1 && end < duration * (1.0 - MISSED) {
            if end < earliest {
                (earliest, first_node) = (end, Some(node));
            }
            short.insert(node);
        }
    }
    if short.is_empty() {
        return;
    }
    let short: Vec<NodeId> = short.into_iter().collect();
    let message = format!(
        "in {}, channels of {} end before the others, from {earliest:.3} s of {duration:.3} s on: {}",
        names.one(index),
        number_of(short.len(), "node"),
        node_names(&model.hierarchy, &short)
    );
    diagnostics.add(
        Severity::Hint,
        "ANIMATION_UNEQUAL_LENGTHS",
        at(index, place(&model.hierarchy, first_node, Some(earliest))),
        message,
        "they stand still then",
    );
}

/// Where a finding about a clip is.
fn at(clip: usize, place: Place) -> (String, Place) {
    (format!("/animations/{clip}"), place)
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
    /// Each with its first node, and the moment of the first key of it with another sign.
    clips: Vec<(usize, Place)>,
    nodes: BTreeSet<NodeId>,
}

const SIGN_FLIPS: &str = "ANIMATION_ROTATION_SIGN_FLIPS";

impl Flips {
    fn look_at(&mut self, model: &Model, index: usize, clip: &Clip) {
        for track in clip.rotations() {
            let kind = match track.interpolation() {
                Interpolation::Step => continue,
                Interpolation::Linear => &mut self.linear,
                Interpolation::CubicSpline => &mut self.splines,
            };
            let Some(key) = flip(track) else {
                continue;
            };
            let node = track.node();
            kind.nodes.insert(node);
            if kind.clips.last().is_none_or(|(last, _)| *last != index) {
                let secs = key_secs(clip, track, key);
                let place = place(&model.hierarchy, Some(node), secs);
                kind.clips.push((index, place));
            }
        }
    }
}

impl Flipping {
    /// Where it is in the first clip, and what is said; none if all is well.
    fn tell(&self, model: &Model, names: &ClipNames<'_>) -> Option<((String, Place), String)> {
        let &(first, place) = self.clips.first()?;
        let clips: Vec<usize> = self.clips.iter().map(|(clip, _)| *clip).collect();
        let nodes: Vec<NodeId> = self.nodes.iter().copied().collect();
        let message = format!(
            "in {}, quaternions change their sign between keys at {}: {}",
            names.several(&clips),
            number_of(nodes.len(), "node"),
            node_names(&model.hierarchy, &nodes)
        );
        Some((at(first, place), message))
    }

    /// Where it is in all other clips.
    fn others(&self) -> impl Iterator<Item = (String, Place)> + '_ {
        let others = self.clips.iter().skip(1);
        others.map(|&(clip, place)| at(clip, place))
    }
}

/// The first key of another sign than the one before it.
fn flip(track: &Track<Quat>) -> Option<usize> {
    let keys = || track.key_values().flatten();
    let mut pairs = (1..).zip(keys().zip(keys().skip(1)));
    let found = pairs.find(|(_, (before, key))| before.dot(**key) < 0.0);
    found.map(|(place, _)| place)
}

/// When a track has a key.
fn key_secs<T>(clip: &Clip, track: &Track<T>, key: usize) -> Option<f32> {
    let timeline = clip.timelines().get(track.timeline())?;
    timeline.times_secs().get(key).copied()
}

/// Scales that pass from one sign to the other turn what hangs there inside out.
fn check_scales(
    model: &Model,
    names: &ClipNames<'_>,
    (index, clip): (usize, &Clip),
    diagnostics: &mut Diagnostics,
) {
    let (mut inverted, mut first_secs) = (Vec::new(), None);
    for track in clip.scales() {
        let volumes = track
            .key_values()
            .flatten()
            .map(|key| key.element_product());
        let mut volumes = volumes.enumerate().filter(|(_, volume)| volume.abs() > 0.0);
        let Some((_, first)) = volumes.next() else {
            continue;
        };
        let other = volumes.find(|(_, volume)| (*volume > 0.0) != (first > 0.0));
        if let Some((key, _)) = other {
            if inverted.is_empty() {
                first_secs = key_secs(clip, track, key);
            }
            inverted.push(track.node());
        }
    }
    let Some(&first) = inverted.first() else {
        return;
    };
    let message = format!(
        "in {}, the scale changes its sign at {}: {}",
        names.one(index),
        number_of(inverted.len(), "node"),
        node_names(&model.hierarchy, &inverted)
    );
    let code = "ANIMATION_SCALE_CHANGES_SIGN";
    let place = place(&model.hierarchy, Some(first), first_secs);
    diagnostics.add(Severity::Info, code, at(index, place), message, "");
}
