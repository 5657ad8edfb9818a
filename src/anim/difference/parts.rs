//! What models differ in besides their motion: how much there is of what cannot be paired, and what skins are bound by.

use super::{NodeMatch, units::Units};
use crate::model::{Model, NodeId, Skin};

/// A skin of both models: the first with the first, and so on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinDifference {
    /// Its index in both.
    pub index: usize,
    /// Joints that are not the same nodes; those that one has more count, too.
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
        let joints = first.joints.iter().zip(&second.joints);
        let same = joints.filter(|&(&a, &b)| nodes.second_of(a) == Some(b));
        let most = first.joints.len().max(second.joints.len());
        let binds = first.joint_from_mesh.iter().zip(&second.joint_from_mesh);
        let (mut bind, mut worst) = (0.0, None);
        for (&joint, (a, b)) in first.joints.iter().zip(binds) {
            let off = super::matrices_apart(a, b, size_in(joint));
            if off > bind {
                (bind, worst) = (off, Some(joint));
            }
        }
        Self {
            index,
            other_joints: most - same.count(),
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
