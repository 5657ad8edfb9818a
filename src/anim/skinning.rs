//! Morphing and linear blend skinning on the CPU: the twin of `shaders/skinning.wgsl`, same names, same order.

use glam::{Vec2, Vec3, Vec4};

use super::{ActiveMorph, InstanceRecord, Palette, PaletteLayout, PaletteMatrix, dual_quaternion};
use crate::model::{Aabb, Influences, Model, MorphTarget, Primitive};

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

/// Texture coordinates of a set with the active morph targets added.
pub fn morph_tex_coord(
    tex_coord: Vec2,
    set: usize,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec2 {
    let mut morphed = tex_coord;
    for morph in morphs {
        let target = targets.get(morph.target as usize);
        let deltas = target.and_then(|target| target.tex_coords.get(set));
        if let Some(delta) = deltas.and_then(|deltas| deltas.get(vertex)) {
            morphed += morph.weight * *delta;
        }
    }
    morphed
}

/// A colour with the active morph targets added, within 0..1 as colours must be (glTF 2.0 §3.7.2.2).
pub fn morph_color(
    color: Vec4,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec4 {
    let mut morphed = color;
    for morph in morphs {
        let target = targets.get(morph.target as usize);
        if let Some(delta) = target.and_then(|target| target.colors.get(vertex)) {
            morphed += morph.weight * *delta;
        }
    }
    morphed.clamp(Vec4::ZERO, Vec4::ONE)
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

/// Calls `visit` with every vertex of a primitive, morphed then skinned, in the world: in file order, then the copies
/// that tangents need.
pub fn for_each_posed_position(
    primitive: &Primitive,
    palette: &Palette,
    record: &InstanceRecord,
    is_skinned: bool,
    mut visit: impl FnMut(Vec3),
) {
    let morphs = palette.morphs_of(record);
    let first_joint = record.first_joint as usize;
    let rigid = &palette.matrices()[record.rigid as usize];
    let influences = primitive.influences.as_ref().filter(|_| is_skinned);
    for (vertex, &position) in primitive.vertices.positions.iter().enumerate() {
        let morphed = morph_position(position, vertex, &primitive.targets, morphs);
        let posed = match influences {
            Some(influences) => {
                let blended = dual_quaternion::blend(palette, first_joint, influences, vertex);
                transform_point(&blended, morphed)
            }
            None => transform_point(rigid, morphed),
        };
        visit(posed);
    }
}

/// So many vertices of copies are visited one by one; of meshes beyond that, the corners of the box around each copy.
const MOST_COPIED_VERTICES: usize = 4_000_000;

/// Calls `visit` with every vertex of an instance of a model that is not hidden, in the world; where meshes are copied so often that this
/// would take seconds, with the corners of boxes that hold them.
pub fn for_each_posed_vertex(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    instance: usize,
    mut visit: impl FnMut(Vec3),
) {
    let mut left = MOST_COPIED_VERTICES;
    for (index, placement) in layout.placements().iter().enumerate() {
        if palette.is_hidden(index) {
            continue;
        }
        let primitives = &model.meshes[placement.mesh].primitives;
        let copies = placement.copies as usize;
        if copies > 1 {
            let vertices = primitives.iter().map(|p| p.vertices.positions.len());
            let all = copies.saturating_mul(vertices.sum());
            if all > left {
                let corners = box_of_morphed(primitives, palette, palette.record(index, instance));
                for copy in 0..copies {
                    let record = palette.record_of_copy(index, copy, instance);
                    let rigid = &palette.matrices()[record.rigid as usize];
                    for corner in corners {
                        visit(transform_point(rigid, corner));
                    }
                }
                continue;
            }
            left -= all;
        }
        for copy in 0..copies {
            let record = palette.record_of_copy(index, copy, instance);
            for primitive in primitives {
                let is_skinned = placement.skin.is_some();
                for_each_posed_position(primitive, palette, record, is_skinned, &mut visit);
            }
        }
    }
}

/// The corners of the box around primitives in their mesh's space, morphed.
fn box_of_morphed(
    primitives: &[Primitive],
    palette: &Palette,
    record: &InstanceRecord,
) -> [Vec3; 8] {
    let morphs = palette.morphs_of(record);
    let mut bounds = Aabb::EMPTY;
    for primitive in primitives {
        for (vertex, &position) in primitive.vertices.positions.iter().enumerate() {
            let morphed = morph_position(position, vertex, &primitive.targets, morphs);
            if morphed.is_finite() {
                bounds = bounds.with(morphed);
            }
        }
    }
    let Aabb { min, max } = bounds;
    std::array::from_fn(|corner| {
        let pick = |axis: usize| {
            if corner >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}
