//! Morphing and linear blend skinning on the CPU: the twin of `shaders/skinning.wgsl`, same names, same order.

use std::ops::{AddAssign, Mul};

use glam::{Vec2, Vec3, Vec4};

use super::{
    ActiveMorph, InstanceRecord, Palette, PaletteLayout, PaletteMatrix, bounds::RepeatedMeshes,
    dual_quaternion, to_affine,
};
use crate::model::{self, Influences, Mesh, Model, MorphTarget, NodeId, Primitive};

/// A position with the active morph targets added (glTF 2.0 §3.7.2.2): before skinning, in the mesh's space.
pub fn morph_position(
    position: Vec3,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec3 {
    morphed(position, targets, morphs, |target| {
        target.positions.get(vertex)
    })
}

/// A normal with the active morph targets added, of any length.
pub fn morph_normal(
    normal: Vec3,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec3 {
    morphed(normal, targets, morphs, |target| target.normals.get(vertex))
}

/// The direction of a tangent with the active morph targets added, of any length.
pub fn morph_tangent(
    tangent: Vec3,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec3 {
    morphed(tangent, targets, morphs, |target| {
        target.tangents.get(vertex)
    })
}

/// Texture coordinates of a set with the active morph targets added.
pub fn morph_tex_coord(
    tex_coord: Vec2,
    set: usize,
    vertex: usize,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
) -> Vec2 {
    morphed(tex_coord, targets, morphs, |target| {
        target.tex_coords.get(set)?.get(vertex)
    })
}

/// A value with what the active targets add to it, each times its weight; a target without a delta adds nothing.
fn morphed<V: AddAssign + Mul<f32, Output = V>>(
    rest: V,
    targets: &[MorphTarget],
    morphs: &[ActiveMorph],
    delta: impl Fn(&MorphTarget) -> Option<V>,
) -> V {
    let mut morphed = rest;
    for morph in morphs {
        let target = targets.get(morph.target as usize);
        if let Some(delta) = target.and_then(&delta) {
            morphed += delta * morph.weight;
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
            morphed += morph.weight * delta;
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

/// A vector, transformed by the rows of an affine matrix.
pub fn transform_vector(matrix: &PaletteMatrix, vector: Vec3) -> Vec3 {
    let vector = vector.extend(0.0);
    Vec3::new(
        matrix[0].dot(vector),
        matrix[1].dot(vector),
        matrix[2].dot(vector),
    )
}

/// What a matrix multiplies volumes by; negative if it mirrors.
pub fn volume_factor(matrix: &PaletteMatrix) -> f32 {
    let [x, y, z] = matrix.map(Vec4::truncate);
    x.dot(y.cross(z))
}

/// Whether a matrix of the palette changes left and right, as [`crate::model::is_mirroring`] says it of others.
pub fn is_mirroring(matrix: &PaletteMatrix) -> bool {
    model::is_mirroring(&to_affine(matrix).matrix3)
}

/// A normal, of any length: it keeps right angles to the surface under the cofactor matrix, also where scales differ or one
/// is zero; its sign is that of the determinant, which a mirrored normal must not follow.
pub fn transform_normal(matrix: &PaletteMatrix, normal: Vec3) -> Vec3 {
    let [x, y, z] = matrix.map(Vec4::truncate);
    let turned = Vec3::new(
        y.cross(z).dot(normal),
        z.cross(x).dot(normal),
        x.cross(y).dot(normal),
    );
    if is_mirroring(matrix) {
        -turned
    } else {
        turned
    }
}

/// The direction of a vector of any length; zero if it has none. Twin: `shaders/frame.wgsl`.
pub fn unit_or_zero(vector: Vec3) -> Vec3 {
    let longest = vector.abs().max_element();
    if !(longest > 0.0 && longest < 3e38) {
        return Vec3::ZERO;
    }
    // Made smaller or larger first: the squares of very large and very small numbers are none.
    let scaled = vector / longest;
    scaled * scaled.length_recip()
}

/// Calls `visit` with every vertex of a primitive, morphed then skinned, in the world: in file order, then the copies
/// that tangents need.
pub fn for_each_posed_position(
    primitive: &Primitive,
    palette: &Palette,
    record: &InstanceRecord,
    is_skinned: bool,
    visit: impl FnMut(Vec3),
) {
    let every = 0..primitive.vertices.positions.len();
    for_each_posed_of(every, primitive, palette, record, is_skinned, visit);
}

/// [`for_each_posed_position`] with the vertices that are drawn alone.
pub fn for_each_drawn_position(
    primitive: &Primitive,
    palette: &Palette,
    record: &InstanceRecord,
    is_skinned: bool,
    visit: impl FnMut(Vec3),
) {
    let every = 0..primitive.vertices.positions.len();
    let drawn = every.filter(|vertex| !primitive.undrawn.has(*vertex));
    for_each_posed_of(drawn, primitive, palette, record, is_skinned, visit);
}

/// [`for_each_posed_position`] with these vertices, each as often as it is named.
pub fn for_each_posed_of(
    vertices: impl Iterator<Item = usize>,
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
    for vertex in vertices {
        let position = primitive.vertices.positions[vertex];
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

/// Vertices and active morphs of vertices that are visited again, since a mesh is placed more than once: a part of a
/// second's work. Of placements beyond that, the corners of boxes are.
const MAX_REPEATED: usize = 1 << 23;

/// For each mesh the count of its vertices: [`for_each_drawn_position`] visits no more of all its primitives.
pub fn vertex_counts(model: &Model) -> Vec<usize> {
    let of_mesh = |mesh: &Mesh| {
        let primitives = mesh.primitives.iter();
        primitives.map(|it| it.vertices.positions.len()).sum()
    };
    model.meshes.iter().map(of_mesh).collect()
}

/// Calls `visit` with every vertex that is drawn of an instance of a model, in the world; where meshes are placed so often
/// that this would take seconds, with the corners of boxes that hold them.
pub fn for_each_posed_vertex(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    instance: usize,
    visit: impl FnMut(Vec3),
) {
    for_each_posed_vertex_of((model, layout, palette), instance, |_| true, visit);
}

/// [`for_each_posed_vertex`] of the meshes whose nodes are wanted.
pub fn for_each_posed_vertex_of(
    (model, layout, palette): (&Model, &PaletteLayout, &Palette),
    instance: usize,
    is_wanted: impl Fn(NodeId) -> bool,
    visit: impl FnMut(Vec3),
) {
    visit_posed((model, layout, palette), instance, is_wanted, true, visit);
}

/// [`for_each_posed_vertex`] with the vertices that no index names, too.
pub fn for_each_posed_vertex_of_file(
    model: &Model,
    layout: &PaletteLayout,
    palette: &Palette,
    instance: usize,
    visit: impl FnMut(Vec3),
) {
    visit_posed((model, layout, palette), instance, |_| true, false, visit);
}

fn visit_posed(
    (model, layout, palette): (&Model, &PaletteLayout, &Palette),
    instance: usize,
    is_wanted: impl Fn(NodeId) -> bool,
    is_drawn_alone: bool,
    mut visit: impl FnMut(Vec3),
) {
    let vertex_counts = vertex_counts(model);
    // Each is visited once in any case: that costs what the file does.
    let mut is_visited = vec![false; model.meshes.len()];
    let mut left = MAX_REPEATED;
    let mut repeated = RepeatedMeshes::default();
    for (index, placement) in layout.placements().iter().enumerate() {
        if palette.is_hidden(index) || !is_wanted(placement.node) {
            continue;
        }
        let mesh = placement.mesh;
        let copies = placement.copies as usize;
        let morphs = palette.record(index, instance).morph_count as usize;
        let again = copies - usize::from(!is_visited[mesh]);
        let cost = again.saturating_mul(vertex_counts[mesh].saturating_mul(1 + morphs));
        if cost > left {
            let placement = (index, placement);
            repeated.add(model, palette, placement, instance, &mut visit);
            continue;
        }
        left -= cost;
        is_visited[mesh] = true;
        for copy in 0..copies {
            let record = palette.record_of_copy(index, copy, instance);
            for primitive in &model.meshes[mesh].primitives {
                let is_skinned = placement.skin.is_some();
                if is_drawn_alone {
                    for_each_drawn_position(primitive, palette, record, is_skinned, &mut visit);
                } else {
                    for_each_posed_position(primitive, palette, record, is_skinned, &mut visit);
                }
            }
        }
    }
    repeated.finish(palette, visit);
}
