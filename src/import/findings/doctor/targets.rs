//! Channels that were meant for another node: translations that hold the bone of another joint.
//!
//! Nearly all bones keep their length, so most tools write the joint's own translation at rest into each of its keys. What
//! holds still elsewhere, and to a thousandth where another joint of the skins is at rest, was written for that one, unless
//! that one is moved as it should be. Of 5013 translations of joints in the corpus 445 hold still elsewhere, and none of them
//! where another joint is. A clip for a body of other proportions holds most bones elsewhere, and some of them fit another by
//! chance: unless more than half of them do, only those count that have changed places. Rotations say nothing like that: joints
//! are at rest in any turn.

use std::collections::HashSet;

use glam::Vec3;

use super::{ClipNames, node_name, number_of, place};
use crate::{
    import::base::{
        diagnostics::{Diagnostics, Severity},
        progress::{Cancelled, Progress},
    },
    model::{Hierarchy, Model, NodeId, Track},
};

/// How near keys are to what they hold, and how far from their own node's, as parts of the length.
const HOLDS: f32 = 0.001;
const ELSEWHERE: f32 = 0.02;
/// Shorter bones than this part of the longest one are roundings of none.
const SHORT: f32 = 1e-3;
/// Of joints as far from their parents so many are looked at.
const MAX_LIKE: usize = 256;

pub(super) fn check(
    model: &Model,
    names: &ClipNames<'_>,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    let bones = Bones::of(model);
    for (index, clip) in model.clips.iter().enumerate() {
        progress.check()?;
        let tracks = clip.translations();
        let held = tracks.iter().filter(|track| bones.is_bone(track.node()));
        let held: Vec<(NodeId, Vec3)> = held
            .filter_map(|track| Some((track.node(), held_elsewhere(&model.hierarchy, track)?)))
            .collect();
        if held.is_empty() {
            continue;
        }
        let at_rest = tracks
            .iter()
            .filter(|track| is_at_rest(&model.hierarchy, track));
        let at_rest: HashSet<NodeId> = at_rest.map(Track::node).collect();
        let meant = held.iter().filter_map(|&(node, place)| {
            let other = bones.at(place, |other| other != node && !at_rest.contains(&other))?;
            Some((node, other))
        });
        let mut meant: Vec<(NodeId, NodeId)> = meant.collect();
        if meant.len().saturating_mul(2) <= held.len() {
            let all: HashSet<_> = meant.iter().copied().collect();
            meant.retain(|&(node, other)| all.contains(&(other, node)));
        }
        let Some(&(node, other)) = meant.first() else {
            continue;
        };
        let [name, other] = [node, other].map(|node| node_name(&model.hierarchy, node));
        let more = match meant.len().saturating_sub(1) {
            0 => String::new(),
            more => format!("; and so with {} more", number_of(more, "node")),
        };
        let message = format!(
            "{} moves {name} by keys that fit {other}: they hold the translation that this one has at rest{more}",
            names.one(index)
        );
        let pointer = format_args!("/animations/{index}");
        diagnostics.add(
            Severity::Warning,
            "ANIMATION_KEYS_OF_ANOTHER_NODE",
            (pointer, place(&model.hierarchy, Some(node), None)),
            message,
            "it is moved as the channel says",
        );
    }
    Ok(())
}

fn rest_of(hierarchy: &Hierarchy, node: NodeId) -> Vec3 {
    hierarchy.node(node).rest.translation
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn is_near(a: Vec3, b: Vec3, part: f32) -> bool {
    a.distance(b) <= part * a.length().max(b.length())
}

/// Where a track holds its node, if that is somewhere else than at rest.
fn held_elsewhere(hierarchy: &Hierarchy, track: &Track<Vec3>) -> Option<Vec3> {
    let place = *track.key_values().flatten().next()?;
    let is_elsewhere = !is_near(place, rest_of(hierarchy, track.node()), ELSEWHERE);
    let holds = || !track.varies(|a, b| !is_near(a, b, HOLDS));
    (is_elsewhere && holds()).then_some(place)
}

/// Whether some key leaves its node about where it is at rest.
fn is_at_rest(hierarchy: &Hierarchy, track: &Track<Vec3>) -> bool {
    let rest = rest_of(hierarchy, track.node());
    let mut values = track.key_values().flatten();
    values.any(|value| is_near(*value, rest, ELSEWHERE))
}

/// The joints of all skins by their distance from their parents.
struct Bones {
    all: HashSet<NodeId>,
    by_length: Vec<(f32, NodeId, Vec3)>,
}

impl Bones {
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "floats do not overflow into anything worse than infinity"
    )]
    fn of(model: &Model) -> Self {
        let joints = model.skins.iter().flat_map(|skin| &skin.joints);
        let all: HashSet<NodeId> = joints.copied().collect();
        let bones = all.iter().map(|&joint| {
            let rest = rest_of(&model.hierarchy, joint);
            (rest.length(), joint, rest)
        });
        let longest = bones.clone().map(|(length, ..)| length);
        let short = SHORT * longest.fold(0.0, f32::max);
        let mut by_length: Vec<_> = bones.filter(|(length, ..)| *length > short).collect();
        by_length.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self { all, by_length }
    }

    fn is_bone(&self, node: NodeId) -> bool {
        self.all.contains(&node)
    }

    /// The first joint that is there at rest, beside its parent, of those that may be.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "floats do not overflow into anything worse than infinity"
    )]
    fn at(&self, place: Vec3, may_be: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let length = place.length();
        let (least, most) = (length * (1.0 - 2.0 * HOLDS), length * (1.0 + 2.0 * HOLDS));
        let first = self
            .by_length
            .partition_point(|(length, ..)| *length < least);
        let near = self.by_length.iter().skip(first);
        let near = near.take_while(|(length, ..)| *length <= most);
        let mut near = near.take(MAX_LIKE);
        let found = near.find(|(_, node, rest)| is_near(place, *rest, HOLDS) && may_be(*node));
        found.map(|(_, node, _)| *node)
    }
}
