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
        let (mut is_skin_mirrored, mut world_from_skin) = (is_rigid_mirrored, world_from_rigid);
        if let Some(slot) = placement.skin {
            let joint_count = slot.joint_count as usize;
            let joints = &matrices[record.first_joint as usize..][..joint_count];
            let mut mirrored = 0;
            let mut sum = Affine3A {
                matrix3: Mat3A::ZERO,
                translation: Vec3A::ZERO,
            };
            for matrix in joints.iter().map(to_affine) {
                mirrored += usize::from(matrix.matrix3.determinant() < 0.0);
                sum.matrix3 += matrix.matrix3;
                sum.translation += matrix.translation;
            }
            let share = 1.0 / joint_count.max(1) as f32;
            is_skin_mirrored = 2 * mirrored > joint_count;
            world_from_skin = Affine3A {
                matrix3: sum.matrix3 * share,
                translation: sum.translation * share,
            };
        }
        draws.push(Draw {
            is_hidden: palette.is_hidden(index),
            is_node_mirrored,
            is_skin_mirrored,
            world_from_rigid,
            world_from_skin,
        });
    }
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

    /// The box in the world, in the first instance of a placement (an index); with `is_skinned` its joints move it, else its
    /// node alone. None where it is nowhere, and in crowds, whose matrices are not known here.
    pub fn in_world(&self, palette: &Palette, placement: usize, is_skinned: bool) -> Option<Aabb> {
        self.0
            .in_world(palette, palette.record(placement, 0), is_skinned)
    }
}
