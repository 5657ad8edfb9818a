//! Poses by hand: what somebody adds to the pose of a clip, joint by joint (forward kinematics), the two bones that reach
//! for a point ([`reach`]), and a pose with its sides swapped ([`mirror`]).
//!
//! An [`Offset`] is kept relative to the pose that a clip gives, so that it can stay while time goes on.

pub mod mirror;
pub mod reach;

use glam::{Quat, Vec3};

use super::{Pose, orientation::Orientation};
use crate::model::{Hierarchy, NodeId, Transform, euler_degrees, from_euler_degrees};

/// What is added to the local transform of a node: `translation + offset.translation`, `rotation * offset.rotation`,
/// `scale * offset.scale`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Offset {
    /// Added, in the parent's space.
    pub translation: Vec3,
    /// Turned first, in the node's own space: a unit quaternion.
    pub rotation: Quat,
    /// Multiplied, along the node's own axes.
    pub scale: Vec3,
}

impl Default for Offset {
    fn default() -> Self {
        Self::NONE
    }
}

impl Offset {
    /// Changes nothing.
    pub const NONE: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// Whether it changes nothing but the last digits; `size` is how long translations are where it is added.
    pub fn is_rounding(&self, size: f32) -> bool {
        const DIGITS: f32 = 2e-6;
        // q and −q are the same rotation.
        let turn = self.rotation.xyz().length();
        turn <= DIGITS
            && (self.scale - Vec3::ONE).abs().max_element() <= DIGITS
            && self.translation.length() <= DIGITS * size
    }

    /// What leads from one transform to another. An axis whose scale is zero keeps it: nothing can be multiplied to it.
    pub fn between(from: &Transform, to: &Transform) -> Self {
        let ratio = |axis: usize| {
            let ratio = to.scale[axis] / from.scale[axis];
            if ratio.is_finite() { ratio } else { 1.0 }
        };
        Self {
            translation: to.translation - from.translation,
            rotation: (from.rotation.conjugate() * to.rotation).normalize(),
            scale: Vec3::new(ratio(0), ratio(1), ratio(2)),
        }
    }

    /// This, and then more: what [`Offset::between`] found from where this had led.
    #[must_use]
    pub fn then(&self, more: &Self) -> Self {
        Self {
            translation: self.translation + more.translation,
            rotation: (self.rotation * more.rotation).normalize(),
            scale: self.scale * more.scale,
        }
    }

    /// A transform with this added to it.
    pub fn added_to(&self, local: &Transform) -> Transform {
        Transform {
            translation: local.translation + self.translation,
            rotation: (local.rotation * self.rotation).normalize(),
            scale: local.scale * self.scale,
        }
    }
}

/// What is added to the nodes of a model: few of them, in the order of the hierarchy.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offsets {
    entries: Vec<(NodeId, Offset)>,
}

impl Offsets {
    /// Whether nothing is added.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The nodes that something is added to.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.entries.iter().map(|(node, _)| *node)
    }

    /// What is added to a node.
    pub fn get(&self, node: NodeId) -> Offset {
        match self.place(node) {
            Ok(place) => self.entries[place].1,
            Err(_) => Offset::NONE,
        }
    }

    /// Says what is added to a node from now on.
    pub fn set(&mut self, node: NodeId, offset: Offset) {
        match (self.place(node), offset == Offset::NONE) {
            (Ok(place), true) => drop(self.entries.remove(place)),
            (Ok(place), false) => self.entries[place].1 = offset,
            (Err(_), true) => {}
            (Err(place), false) => self.entries.insert(place, (node, offset)),
        }
    }

    /// These offsets for the nodes of another hierarchy, as far as they are there; of nodes that lead to one the last counts.
    pub fn carried_to(&self, node_of: impl Fn(NodeId) -> Option<NodeId>) -> Self {
        let all = self.entries.iter().rev();
        let carried = all.filter_map(|(node, offset)| Some((node_of(*node)?, *offset)));
        let mut entries: Vec<_> = carried.collect();
        entries.sort_by_key(|(node, _)| *node);
        entries.dedup_by_key(|(node, _)| *node);
        Self { entries }
    }

    /// Takes over what others add to nodes that nothing is added to here.
    pub fn add_missing(&mut self, others: &Self) {
        for (node, offset) in &others.entries {
            if let Err(place) = self.place(*node) {
                self.entries.insert(place, (*node, *offset));
            }
        }
    }

    fn place(&self, node: NodeId) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&node, |(node, _)| *node)
    }

    /// Adds all of it to a pose, whose world matrices are out of date then. Allocates nothing.
    pub fn add_to(&self, pose: &mut Pose) {
        for (node, offset) in &self.entries {
            let local = offset.added_to(&pose.locals[node.index()]);
            pose.place(*node, local);
        }
    }
}

/// Whose axes a change is made along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PosingSpace {
    /// The node's own.
    #[default]
    Local,
    /// Its parent's.
    Parent,
    /// The world's.
    World,
}

impl PosingSpace {
    /// All, in the order that a switch goes through.
    pub const ALL: [Self; 3] = [Self::Local, Self::Parent, Self::World];

    /// Its name, as it is shown.
    pub fn label(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Parent => "Parent",
            Self::World => "World",
        }
    }
}

/// Turns a node about its own origin, by `turn` in the axes of `space`: its new local transform. The world matrices of the
/// pose are up to date.
pub fn turned(
    hierarchy: &Hierarchy,
    pose: &Pose,
    node: NodeId,
    space: PosingSpace,
    turn: Quat,
) -> Transform {
    let local = pose.locals[node.index()];
    let rotation = match space {
        PosingSpace::Local => local.rotation * turn,
        PosingSpace::Parent => turn * local.rotation,
        PosingSpace::World => {
            let world_from_parent = parent_orientation(hierarchy, pose, node);
            world_from_parent.inverse().outside(turn) * local.rotation
        }
    };
    Transform {
        rotation: rotation.normalize(),
        ..local
    }
}

/// Moves a node by `shift` along the axes of `space`: its new local transform. In the world's it moves that far there; a
/// parent that has shrunk to nothing cannot be moved against, and the node stays.
pub fn moved(
    hierarchy: &Hierarchy,
    pose: &Pose,
    node: NodeId,
    space: PosingSpace,
    shift: Vec3,
) -> Transform {
    let local = pose.locals[node.index()];
    let shift = match space {
        PosingSpace::Local => local.rotation * shift,
        PosingSpace::Parent => shift,
        PosingSpace::World => {
            let world_from_parent = pose.world_from_parent(hierarchy, node);
            let parent_from_world = world_from_parent.matrix3.inverse();
            let shift = parent_from_world * glam::Vec3A::from(shift);
            if shift.is_finite() {
                shift.into()
            } else {
                Vec3::ZERO
            }
        }
    };
    Transform {
        translation: local.translation + shift,
        ..local
    }
}

/// Scales a node by factors along its own axes: its new local transform.
pub fn scaled(pose: &Pose, node: NodeId, factors: Vec3) -> Transform {
    let local = pose.locals[node.index()];
    Transform {
        scale: local.scale * factors,
        ..local
    }
}

/// A part of a local transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PosingPart {
    /// Where the node is, in its parent's units.
    Translation,
    /// How it is turned: degrees about its parent's X, then Y, then Z.
    Rotation,
    /// How much larger it is along its own axes.
    Scale,
}

/// What stands for a scale of 0, which no factor would lead away from again.
const MIN_SCALE: f32 = 1e-6;

/// Gives a node a number for a part of its local transform along an axis (0 x, 1 y, 2 z): its new local transform.
pub fn placed(pose: &Pose, node: NodeId, part: PosingPart, axis: usize, number: f32) -> Transform {
    let mut local = pose.locals[node.index()];
    match part {
        PosingPart::Translation => local.translation[axis] = number,
        PosingPart::Rotation => {
            let mut degrees = euler_degrees(local.rotation);
            degrees[axis] = number;
            local.rotation = from_euler_degrees(degrees);
        }
        PosingPart::Scale if number == 0.0 => local.scale[axis] = MIN_SCALE,
        PosingPart::Scale => local.scale[axis] = number,
    }
    local
}

/// How a node's parent is turned in the world, as near as an orthogonal matrix comes.
pub(super) fn parent_orientation(hierarchy: &Hierarchy, pose: &Pose, node: NodeId) -> Orientation {
    Orientation::of_matrix(&pose.world_from_parent(hierarchy, node))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::processor_time::timed;

    #[test]
    fn of_nodes_that_become_one_the_last_counts() {
        let mut offsets = Offsets::default();
        for node in (0..3).map(NodeId) {
            let translation = Vec3::X * (1 + node.0) as f32;
            offsets.set(
                node,
                Offset {
                    translation,
                    ..Offset::NONE
                },
            );
        }
        let carried = offsets.carried_to(|_| Some(NodeId(5)));
        assert!(carried.nodes().eq([NodeId(5)]));
        assert_eq!(carried.get(NodeId(5)), offsets.get(NodeId(2)));
    }

    /// Each is not put among those before it.
    #[test]
    fn offsets_of_nodes_in_another_order_are_carried_at_once() {
        const NODES: u32 = 60_000;
        let shifted = |node: NodeId| Offset {
            translation: Vec3::X * (1 + node.0) as f32,
            ..Offset::NONE
        };
        let mut offsets = Offsets::default();
        for node in (0..NODES).map(NodeId) {
            offsets.set(node, shifted(node));
        }
        // The last one is gone.
        let turned = |node: NodeId| {
            let node = NODES - 1 - node.0;
            (node > 0).then_some(NodeId(node))
        };
        let (carried, took) = timed(|| offsets.carried_to(turned));
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert!(carried.nodes().eq((1..NODES).map(NodeId)));
        for node in [1, 2, NODES - 1].map(NodeId) {
            assert_eq!(carried.get(node), shifted(NodeId(NODES - 1 - node.0)));
        }
        assert_eq!(carried.get(NodeId(0)), Offset::NONE);
    }
}
