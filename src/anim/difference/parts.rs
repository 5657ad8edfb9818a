//! What models differ in besides their motion: how much there is of what cannot be paired, and what skins are bound by.

use std::collections::HashMap;

use super::{NodeMatch, units::Units};
use crate::model::{Model, NodeId, Skin};

/// A skin of both models: the first with the first, and so on; its joints by their nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinDifference {
    /// Its index in both.
    pub index: usize,
    /// Joints that the other skin has not; those that one has more count, too.
    pub other_joints: usize,
    /// The greatest difference of an element of inverse bind matrices, as a part of their scale; translations as a part of the
    /// size in the units of the joint.
    pub bind: f64,
    /// The joint of the first model whose matrices differ by that.
    pub worst: Option<NodeId>,
}

/// Compares the skins of two models of which the first is so large.
pub fn compare_skins(
    models: [&Model; 2],
    nodes: &NodeMatch,
    size: f64,
) -> impl Iterator<Item = SkinDifference> {
    let skins = models[0].skins.iter().zip(&models[1].skins).enumerate();
    let units = Units::new(models[0]);
    skins.map(move |(index, (a, b))| {
        SkinDifference::new(index, [a, b], nodes, |joint| units.size_in(joint, size))
    })
}

impl SkinDifference {
    fn new(
        index: usize,
        skins: [&Skin; 2],
        nodes: &NodeMatch,
        size_in: impl Fn(NodeId) -> f64,
    ) -> Self {
        let [first, second] = skins;
        // In whichever order: vertices name joints by their places, and are compared by the nodes. Of several the first.
        let places = second.joints.iter().enumerate().rev();
        let places: HashMap<NodeId, usize> = places.map(|(place, joint)| (*joint, place)).collect();
        let most = first.joints.len().max(second.joints.len());
        let (mut same, mut bind, mut worst) = (0, 0.0, None);
        for (&joint, own) in first.joints.iter().zip(&first.joint_from_mesh) {
            let place = nodes.second_of(joint).and_then(|other| places.get(&other));
            let Some(other) = place.and_then(|place| second.joint_from_mesh.get(*place)) else {
                continue;
            };
            same += 1;
            let off = super::matrices_apart(own, other, size_in(joint));
            if off > bind {
                (bind, worst) = (off, Some(joint));
            }
        }
        Self {
            index,
            other_joints: most - same,
            bind,
            worst,
        }
    }
}

/// How much there is of what cannot be paired.
pub fn count_parts(models: [&Model; 2]) -> Vec<(&'static str, [usize; 2])> {
    let of = |count: fn(&Model) -> usize| models.map(count);
    vec![
        ("meshes", of(|model| model.meshes.len())),
        ("triangles", of(Model::triangle_count)),
        ("vertices", of(Model::vertex_count)),
        (
            "morph targets",
            of(|model| model.meshes.iter().map(|mesh| mesh.target_count).sum()),
        ),
        ("skins", of(|model| model.skins.len())),
        // The last material is the default one, which no file has.
        (
            "materials",
            of(|model| model.materials.len().saturating_sub(1)),
        ),
        ("textures", of(|model| model.textures.len())),
    ]
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::*;

    #[test]
    fn joints_of_skins_are_compared_in_whichever_order() {
        let bound = |at: f32| Affine3A::from_translation(Vec3::X * at);
        let skin = |joints: &[(u32, f32)]| Skin {
            joints: joints.iter().map(|(node, _)| NodeId(*node)).collect(),
            joint_from_mesh: joints.iter().map(|(_, at)| bound(*at)).collect(),
            ..Skin::default()
        };
        let first = skin(&[(0, 1.0), (1, 2.0), (2, 3.0)]);
        let nodes = NodeMatch::same(4);
        for (second, other_joints, worst) in [
            (&[(2, 3.0), (0, 1.0), (1, 2.0)][..], 0, None),
            (&[(2, 3.0), (0, 1.0)], 1, None),
            (&[(2, 3.0), (0, 1.0), (3, 2.0)], 1, None),
            (&[(1, 2.5), (0, 1.0), (2, 3.0)], 0, Some(NodeId(1))),
        ] {
            let found = SkinDifference::new(0, [&first, &skin(second)], &nodes, |_| 1.0);
            assert_eq!((found.other_joints, found.worst), (other_joints, worst));
            assert_eq!(found.bind > 0.0, worst.is_some());
        }
    }
}
