//! Morphing and linear blend skinning on the CPU: the twin of `shaders/skinning.wgsl`, same names, same order.

use glam::{Vec3, Vec4};

use super::{ActiveMorph, Palette, PaletteLayout, PaletteMatrix};
use crate::model::{Influences, Model, MorphTarget, Primitive};

/// A position with the active morph targets added (glTF 2.0 §3.7.2.2): before skinning, in the mesh's space.
pub fn morph_position(
    position: Vec3,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec3 {
    let mut morphed = position;
    for morph in morphs {
        let target = targets.get(morph.target as usize);
        if let Some(delta) = target.and_then(|target| target.positions.get(vertex)) {
            morphed += morph.weight * *delta;
        }
    }
    morphed
}

/// The weighted sum of the matrices of a vertex's joints; `joints` are the matrices of its skin.
pub fn blend_matrices(
    joints: &[PaletteMatrix],
    influences: &Influences,
    vertex: usize,
) -> PaletteMatrix {
    let first = vertex * influences.per_vertex;
    let mut blended = [Vec4::ZERO; 3];
    for lane in first..first + influences.per_vertex {
        let weight = influences.weights[lane];
        let matrix = &joints[influences.joints[lane] as usize];
        for (row, sum) in matrix.iter().zip(&mut blended) {
            *sum += weight * *row;
        }
    }
    blended
}

/// A point, transformed by the rows of an affine matrix.
pub fn transform_point(matrix: &PaletteMatrix, point: Vec3) -> Vec3 {
    let point = point.extend(1.0);
    Vec3::new(
        matrix[0].dot(point),
        matrix[1].dot(point),
        matrix[2].dot(point),
    )
}

/// Calls `visit` with every vertex of a primitive, morphed then skinned, in the world and in file order.
pub fn for_each_posed_position(
    primitive: &Primitive,
    palette: &Palette,
    placement: usize,
    instance: usize,
    is_skinned: bool,
    mut visit: impl FnMut(Vec3),
) {
    let record = palette.record(placement, instance);
    let morphs = palette.morphs_of(record);
    let joints = &palette.matrices()[record.first_joint as usize..];
    let rigid = &palette.matrices()[record.rigid as usize];
    let influences = primitive.influences.as_ref().filter(|_| is_skinned);
    for (vertex, &position) in primitive.vertices.positions.iter().enumerate() {
        let morphed = morph_position(position, vertex, &primitive.targets, morphs);
        let posed = match influences {
            Some(influences) => {
                transform_point(&blend_matrices(joints, influences, vertex), morphed)
            }
            None => transform_point(rigid, morphed),
        };
        visit(posed);
    }
}

/// Calls `visit` with every vertex of an instance of a model, in the world.
pub fn for_each_posed_vertex(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    instance: usize,
    mut visit: impl FnMut(Vec3),
) {
    for (index, placement) in layout.placements().iter().enumerate() {
        for primitive in &model.meshes[placement.mesh].primitives {
            let is_skinned = placement.skin.is_some();
            for_each_posed_position(primitive, palette, index, instance, is_skinned, &mut visit);
        }
    }
}
