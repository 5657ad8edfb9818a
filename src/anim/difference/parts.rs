//! What models differ in besides their motion: how much there is of what cannot be paired, and what skins are bound by.

use std::collections::{HashMap, HashSet};

use glam::Affine3A;

use super::{NodeMatch, units::Units};
use crate::{
    anim::orientation::angle_between,
    model::{Model, NodeId, Skin, mean_stretch},
};

/// A skin of both models: the first with the first, and so on; its joints by their nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinDifference {
    /// Its index in both.
    pub index: usize,
    /// Joints that the other skin has not; those that one has more count, too.
    pub other_joints: usize,
    /// How many each has.
    pub joint_counts: [usize; 2],
    /// Those that the first model's alone has.
    pub only_first: Vec<NodeId>,
    /// Those that the second model's alone has.
    pub only_second: Vec<NodeId>,
    /// The greatest difference of an element of inverse bind matrices, as a part of their scale; translations as a part of the
    /// size in the units of the joint.
    pub bind: f64,
    /// The joint of the first model whose matrices differ by that.
    pub worst: Option<NodeId>,
    /// How far that one's place is turned, in radians,
    pub turned: f64,
    /// and moved, as a part of the size.
    pub moved: f64,
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
        let (mut turned, mut moved) = (0.0, 0.0);
        let (mut only_first, mut paired) = (Vec::new(), HashSet::new());
        for (&joint, from) in first.joints.iter().zip(&first.joint_from_mesh) {
            let second_joint = nodes.second_of(joint);
            let place = second_joint.and_then(|joint| places.get(&joint));
            paired.extend(second_joint);
            let Some(to) = place.and_then(|place| second.joint_from_mesh.get(*place)) else {
                only_first.push(joint);
                continue;
            };
            same += 1;
            let size = size_in(joint);
            let off = super::matrices_apart(from, to, size);
            if off > bind {
                (bind, worst) = (off, Some(joint));
                (turned, moved) = turned_and_moved(from, to, size);
            }
        }
        let only_second = second.joints.iter().copied();
        Self {
            index,
            other_joints: most - same,
            joint_counts: skins.map(|skin| skin.joints.len()),
            only_first,
            only_second: only_second.filter(|it| !paired.contains(it)).collect(),
            bind,
            worst,
            turned,
            moved,
        }
    }
}

/// How a joint is turned in the space of the mesh, in radians, and how far it is moved there, as a part of the size in the units
/// of the joint. Nothing of either where that cannot be told.
fn turned_and_moved(first: &Affine3A, second: &Affine3A, size: f64) -> (f64, f64) {
    let [from, to] = [first, second].map(Affine3A::inverse);
    if !from.is_finite() || !to.is_finite() {
        return (0.0, 0.0);
    }
    let [a, b] = [from, to].map(|it| it.to_scale_rotation_translation().1);
    let shift = f64::from(from.translation.distance(to.translation));
    let moved = shift * f64::from(mean_stretch(first)) / size;
    (
        angle_between(a, b),
        if moved.is_finite() { moved } else { 0.0 },
    )
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
            assert_eq!(found.moved, if worst.is_some() { 0.5 } else { 0.0 });
        }
    }

    #[test]
    fn a_turned_bind_matrix_is_not_moved() {
        let bound = Affine3A::from_translation(-2.0 * Vec3::X);
        let turned = Affine3A::from_rotation_z(0.5) * bound;
        let skin = |matrix| Skin {
            joints: vec![NodeId(0)],
            joint_from_mesh: vec![matrix],
            ..Skin::default()
        };
        let skins = [&skin(bound), &skin(turned)];
        let found = SkinDifference::new(0, skins, &NodeMatch::same(1), |_| 4.0);
        assert!((found.turned - 0.5).abs() < 1e-6, "{found:?}");
        assert!(found.moved < 1e-6, "{found:?}");
    }

    /// No place is said by what has no inverse.
    #[test]
    fn a_singular_bind_matrix_is_not_turned() {
        let bound = Affine3A::from_rotation_z(0.5);
        let flat = Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0));
        let skin = |matrix| Skin {
            joints: vec![NodeId(0)],
            joint_from_mesh: vec![matrix],
            ..Skin::default()
        };
        for pair in [[bound, flat], [flat, bound]] {
            let [a, b] = pair.map(skin);
            let found = SkinDifference::new(0, [&a, &b], &NodeMatch::same(1), |_| 1.0);
            assert_eq!((found.turned, found.moved), (0.0, 0.0));
            assert_eq!(found.worst, Some(NodeId(0)));
        }
    }

    #[test]
    fn joints_of_one_skin_alone_are_named() {
        let skin = |joints: &[u32]| Skin {
            joints: joints.iter().copied().map(NodeId).collect(),
            joint_from_mesh: vec![Affine3A::IDENTITY; joints.len()],
            ..Skin::default()
        };
        let skins = [&skin(&[0, 1, 2]), &skin(&[3, 0])];
        let found = SkinDifference::new(0, skins, &NodeMatch::same(4), |_| 1.0);
        assert_eq!(found.joint_counts, [3, 2]);
        assert_eq!(found.only_first, [NodeId(1), NodeId(2)]);
        assert_eq!(found.only_second, [NodeId(3)]);
    }
}
