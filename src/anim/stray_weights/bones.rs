//! Bones of a skin in the bind pose.

use std::collections::HashMap;

use glam::Vec3;

use crate::model::{Model, NodeId, Skin};

/// Bones of a joint that are looked at.
const MAX_BONES: usize = 64;

/// Where the bones of a skin are in the space of its meshes: from each joint to those that hang on it.
pub(super) struct Bones {
    /// A joint's own place; not finite where its matrix has no inverse.
    joints: Vec<Vec3>,
    /// Where its bones end.
    ends: Vec<Vec<Vec3>>,
    /// Where among the skin's joints the parent of each is.
    parents: Vec<Option<usize>>,
    /// And where the nearest one is that it hangs below, be there nodes between that are no joints.
    uppers: Vec<Option<usize>>,
}

impl Bones {
    pub(super) fn new(model: &Model, skin: &Skin) -> Self {
        let matrices = skin.joint_from_mesh.iter();
        let joints: Vec<Vec3> = matrices
            .map(|joint_from_mesh| joint_from_mesh.inverse().translation.into())
            .collect();
        let places = skin.joints.iter().copied().zip(0_usize..);
        let places: HashMap<NodeId, usize> = places.collect();
        let mut ends = vec![Vec::new(); joints.len()];
        let parents = skin.joints.iter().map(|&joint| {
            let parent = model.hierarchy.node(joint).parent;
            parent.and_then(|parent| places.get(&parent).copied())
        });
        let parents: Vec<Option<usize>> = parents.collect();
        let uppers = skin.joints.iter().map(|&joint| {
            let mut above = model.hierarchy.upwards(joint).skip(1).take(MAX_BONES);
            above.find_map(|node| places.get(&node).copied())
        });
        let uppers = uppers.collect();
        for (parent, &end) in parents.iter().zip(&joints) {
            if let Some(parent) = parent.filter(|_| end.is_finite()) {
                let ends: &mut Vec<Vec3> = &mut ends[parent];
                if ends.len() < MAX_BONES {
                    ends.push(end);
                }
            }
        }
        Self {
            joints,
            ends,
            parents,
            uppers,
        }
    }

    /// How many joints there are: vertices name no others.
    pub(super) fn count(&self) -> u16 {
        u16::try_from(self.joints.len()).unwrap_or(u16::MAX)
    }

    /// How far a point is from the bones of a joint; infinitely far if the joint has no place.
    pub(super) fn distance(&self, joint: u16, point: Vec3) -> f32 {
        let start = self.joints[usize::from(joint)];
        if !start.is_finite() {
            return f32::INFINITY;
        }
        let ends = self.ends[usize::from(joint)].iter();
        let nearest = ends.map(|&end| {
            let bone = end - start;
            let along = (point - start).dot(bone) / bone.length_squared().max(f32::MIN_POSITIVE);
            point.distance(start + along.clamp(0.0, 1.0) * bone)
        });
        nearest.fold(point.distance(start), f32::min)
    }

    /// The length of the longest bone that begins or ends at a joint; 0 if there is none.
    pub(super) fn longest(&self, joint: u16) -> f32 {
        let joint = usize::from(joint);
        let start = self.joints[joint];
        let above = self.parents[joint].map(|parent| &self.joints[parent]);
        let others = self.ends[joint].iter().chain(above);
        let lengths = others.map(|other| start.distance(*other));
        lengths.filter(|it| it.is_finite()).fold(0.0, f32::max)
    }

    /// Whether one of two joints hangs on the other.
    pub(super) fn are_adjacent(&self, a: u16, b: u16) -> bool {
        self.is_on(a, b) || self.is_on(b, a)
    }

    /// Whether a joint hangs on another.
    fn is_on(&self, joint: u16, above: u16) -> bool {
        self.parents[usize::from(joint)] == Some(usize::from(above))
    }

    /// Joints above one, those beyond [`MAX_BONES`] left out.
    pub(super) fn above(&self, joint: u16) -> impl Iterator<Item = u16> + '_ {
        let parent = |joint: &usize| self.parents[*joint];
        let all = std::iter::successors(parent(&usize::from(joint)), parent);
        all.take(MAX_BONES).map(|joint| joint as u16)
    }

    /// Whether a joint hangs below another, be there others between, and nodes that are no joints.
    pub(super) fn is_below(&self, joint: u16, other: u16) -> bool {
        let upper = |joint: &usize| self.uppers[*joint];
        let mut all = std::iter::successors(upper(&usize::from(joint)), upper).take(MAX_BONES);
        all.any(|above| above == usize::from(other))
    }
}

#[cfg(test)]
mod tests {
    use glam::Affine3A;

    use super::*;
    use crate::model::{Hierarchy, Node};

    /// A chain of four joints, one above the other, the third of which has a matrix without an inverse.
    #[test]
    fn joints_without_a_place_are_near_nothing() {
        let parents = [None, Some(0), Some(1), Some(2)];
        let hierarchy = Hierarchy::new(vec![Node::default(); 4], &parents, &vec![vec![]; 4]);
        let model = Model {
            hierarchy: hierarchy.unwrap(),
            ..Model::default()
        };
        let flat = Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0));
        let bound = |height: f32| Affine3A::from_translation(-height * Vec3::Y);
        let skin = Skin {
            joints: (0..4).map(NodeId).collect(),
            joint_from_mesh: vec![bound(0.0), bound(1.0), flat, bound(3.0)],
            ..Skin::default()
        };
        let bones = Bones::new(&model, &skin);
        assert_eq!(
            [0, 1, 2, 3].map(|it| bones.longest(it)),
            [1.0, 1.0, 0.0, 0.0]
        );
        let beside = Vec3::new(1.0, 1.0, 0.0);
        assert_eq!(bones.distance(1, beside), 1.0);
        assert_eq!(bones.distance(2, beside), f32::INFINITY);
    }
}
