//! What the renderer must know of each mesh on a node to draw it the right way round and in the right order.

use glam::{Affine3A, Mat3A, Vec3A};

use crate::{
    anim::{Palette, PaletteLayout, PaletteMatrix, bounds::PrimitiveBox, to_affine},
    model::{Aabb, Primitive},
};

/// A placement, ready to be drawn: all its instances at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draw {
    /// Whether there is nothing to draw.
    pub is_hidden: bool,
    /// Whether the node's own matrix mirrors, so that front faces run clockwise (glTF 2.0 §3.7.4). Copies that mirror
    /// once more are the right way round then.
    pub is_node_mirrored: bool,
    /// Whether the joints' matrices mirror: then so do the primitives that they deform.
    pub is_skin_mirrored: bool,
    /// `world_from_mesh` of the first instance and copy for rigid primitives; orders what is transparent.
    pub world_from_rigid: Affine3A,
    /// The mean of the joints' matrices: orders what is transparent and skinned.
    pub world_from_skin: Affine3A,
}

/// Fills `draws` with an entry for each placement, as the first instance stands, whose `matrices` these are.
pub fn collect_draws(
    layout: &PaletteLayout,
    palette: &Palette,
    matrices: &[PaletteMatrix],
    draws: &mut Vec<Draw>,
) {
    draws.clear();
    if matrices.len() < layout.matrices_per_instance() || palette.instance_count() == 0 {
        return;
    }
    for (index, placement) in layout.placements().iter().enumerate() {
        let record = palette.record(index, 0);
        let world_from_rigid = to_affine(&matrices[record.rigid as usize]);
        let is_rigid_mirrored = world_from_rigid.matrix3.determinant() < 0.0;
        // Where there are copies that do not mirror, the first record is about one.
        let is_first_mirrored = placement.mirrored_copies == placement.copies;
        let is_node_mirrored = is_rigid_mirrored != is_first_mirrored;
        let (is_skin_mirrored, world_from_skin) = match placement.skin {
            Some(slot) => match draws.get(slot.first_placement as usize) {
                // However many meshes they deform, joints are summed up once.
                Some(first) => (first.is_skin_mirrored, first.world_from_skin),
                None => {
                    let joints = &matrices[record.first_joint as usize..];
                    mean_of_joints(&joints[..slot.joint_count as usize])
                }
            },
            None => (is_rigid_mirrored, world_from_rigid),
        };
        draws.push(Draw {
            is_hidden: palette.is_hidden(index),
            is_node_mirrored,
            is_skin_mirrored,
            world_from_rigid,
            world_from_skin,
        });
    }
}

/// Whether most joints' matrices mirror, and the mean of all.
fn mean_of_joints(matrices: &[PaletteMatrix]) -> (bool, Affine3A) {
    let mut mirrored = 0;
    let mut sum = Affine3A {
        matrix3: Mat3A::ZERO,
        translation: Vec3A::ZERO,
    };
    for matrix in matrices.iter().map(to_affine) {
        mirrored += usize::from(matrix.matrix3.determinant() < 0.0);
        sum.matrix3 += matrix.matrix3;
        sum.translation += matrix.translation;
    }
    let share = 1.0 / matrices.len().max(1) as f32;
    let mean = Affine3A {
        matrix3: sum.matrix3 * share,
        translation: sum.translation * share,
    };
    (2 * mirrored > matrices.len(), mean)
}

/// Where a primitive is that joints or morph targets deform: not where it is at rest.
#[derive(Debug, Clone)]
pub struct DeformedBox(PrimitiveBox);

impl DeformedBox {
    /// None for what nothing deforms. Visits every vertex and every morph target.
    pub fn of(primitive: &Primitive) -> Option<Self> {
        let is_rigid = primitive.influences.is_none() && primitive.targets.is_empty();
        (!is_rigid).then(|| Self(PrimitiveBox::new(primitive)))
    }

    /// The box in the world, of a copy of a placement (both as in [`Palette::record_of_copy`]) in the first instance; with
    /// `is_skinned` its joints move it, else its node alone. None where it is nowhere, and in crowds, whose matrices are not
    /// known here.
    pub fn in_world(
        &self,
        palette: &Palette,
        [placement, copy]: [usize; 2],
        is_skinned: bool,
    ) -> Option<Aabb> {
        let record = palette.record_of_copy(placement, copy, 0);
        self.0.in_world(palette, record, is_skinned)
    }
}

/// Where a copy of a placement (both as in [`Palette::record_of_copy`]) stands in the first instance if no joints move it: the
/// world from its mesh. None in crowds, whose matrices are not known here.
pub fn world_from_copy(palette: &Palette, [placement, copy]: [usize; 2]) -> Option<Affine3A> {
    let record = palette.record_of_copy(placement, copy, 0);
    palette.matrices().get(record.rigid as usize).map(to_affine)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::{
        anim::Pose,
        model::{Hierarchy, Influences, Mesh, Model, Node, NodeId, Skin},
    };

    /// Nodes that carry a mesh with the first skin, the second, and so on in turn.
    fn model(carriers: usize, skins: Vec<Skin>) -> Model {
        let carrier = |index: usize| Node {
            mesh: Some(0),
            skin: Some(index % skins.len()),
            ..Node::default()
        };
        let weights = vec![Vec::new(); carriers];
        let nodes = (0..carriers).map(carrier).collect();
        let primitive = Primitive {
            influences: Some(Influences::default()),
            ..Primitive::default()
        };
        Model {
            hierarchy: Hierarchy::new(nodes, &vec![None; carriers], &weights).unwrap(),
            meshes: vec![Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            }]
            .into(),
            skins,
            ..Model::default()
        }
    }

    fn skin(joints: usize, joint_from_mesh: Affine3A) -> Skin {
        Skin {
            joints: vec![NodeId(0); joints],
            joint_from_mesh: vec![joint_from_mesh; joints],
            ..Skin::default()
        }
    }

    fn draws(model: &Model) -> (Vec<Draw>, Duration) {
        let layout = PaletteLayout::of_all_nodes(model);
        let mut palette = Palette::default();
        palette.clear(&layout, 1);
        palette.push(model, &layout, &Pose::new(&model.hierarchy));
        let mut draws = Vec::new();
        let started = Instant::now();
        collect_draws(&layout, &palette, palette.matrices(), &mut draws);
        (draws, started.elapsed())
    }

    #[test]
    fn each_placement_has_the_mean_of_its_own_skin() {
        let mirror = Affine3A::from_scale(glam::Vec3::new(-1.0, 1.0, 1.0));
        let shift = Affine3A::from_translation(glam::Vec3::X);
        let skins = vec![
            skin(3, mirror),
            skin(0, shift),
            skin(2, shift),
            skin(3, mirror),
        ];
        let (draws, _) = draws(&model(9, skins));
        for (index, draw) in draws.iter().enumerate() {
            let expected = [
                (true, mirror),
                (false, Affine3A::IDENTITY),
                (false, shift),
                (true, mirror),
            ];
            let (is_mirrored, mean) = expected[index % 4];
            assert_eq!(draw.is_skin_mirrored, is_mirrored, "{index}");
            if index % 4 != 1 {
                assert!(draw.world_from_skin.abs_diff_eq(mean, 1e-6), "{index}");
            }
        }
    }

    /// For each node they would be a thousand million matrices.
    #[test]
    fn joints_are_summed_up_once_for_each_skin() {
        let (draws, took) = draws(&model(20_000, vec![skin(50_000, Affine3A::IDENTITY)]));
        assert_eq!(draws.len(), 20_000);
        assert!(took < Duration::from_millis(500), "{took:?}");
    }
}
