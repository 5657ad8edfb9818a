// Morphing and linear blend skinning: the twin of src/anim/skinning.rs, same names, same order.

// Twin: anim::ActiveMorph.
struct ActiveMorph {
    target_index: u32,
    weight: f32,
}

// Twin: render/layout.rs `PrimitiveUniform`.
struct PrimitiveUniform {
    // Which attributes the vertices have, whether they make triangles, and whether other tangents are needed: the bits below.
    flags: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

const HAS_NORMALS: u32 = 1u;
const HAS_TANGENTS: u32 = 2u;
const HAS_FACES: u32 = 4u;
// The material's maps ask for other tangents than vertices have.
const NEEDS_OTHER_TANGENTS: u32 = 8u;

// What morph targets move. Twin: render/layout.rs `morph_flags`.
const MORPHS_POSITIONS: u32 = 1u;
const MORPHS_NORMALS: u32 = 2u;
const MORPHS_TANGENTS: u32 = 4u;
const MORPHS_TEX_COORDS_0: u32 = 8u;
const MORPHS_TEX_COORDS_1: u32 = 16u;
const MORPHS_COLORS: u32 = 32u;

// All matrices of all instances: three rows each, or where places say so a quaternion, then translation and scale.
@group(1) @binding(0) var<storage, read> palette: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> morphs: array<ActiveMorph>;

@group(3) @binding(0) var<uniform> primitive: PrimitiveUniform;
// First what any target moves, in bits, and how many numbers a target holds for a vertex. Then where the deltas of each target
// begin. Then these, as bits, target by target, vertex by vertex: deltas of position, normal, tangent, texture coordinates and
// colour, as far as there are any. None of that is in the uniform: a software driver makes shaders anew for each number of one
// that they branch on. Twin: render/model/morphs.rs `MorphData`.
@group(3) @binding(1) var<storage, read> deltas: array<u32>;

// Set in places of compact matrices. Twin: render/frame/palette.rs.
const COMPACT: u32 = 0x80000000u;
// In the place of the first morph: the instance is not drawn. Twin: anim::InstanceRecord::HIDDEN.
const HIDDEN: u32 = 0xffffffffu;

// In the place of a target's deltas: it leaves all vertices alone. Twin: render/model/morphs.rs.
const NO_DELTAS: u32 = 0xffffffffu;

// Where an instance finds its data. Twin: anim::InstanceRecord.
struct InstanceRecord {
    first_joint: u32,
    rigid: u32,
    first_morph: u32,
    morph_count: u32,
}

struct Matrix3x4 {
    rows: array<vec4<f32>, 3>,
}

struct Surface {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

fn load_number(at: u32) -> f32 {
    return bitcast<f32>(deltas[at]);
}

fn load_delta(at: u32) -> vec3<f32> {
    return vec3(load_number(at), load_number(at + 1u), load_number(at + 2u));
}

// How many targets are active, if any target moves any of this. Most leave most alone, and then it costs nothing.
fn active_count(instance: InstanceRecord, moved: u32) -> u32 {
    return select(0u, instance.morph_count, (deltas[0] & moved) != 0u);
}

// Where the deltas of a target for a vertex begin, or NO_DELTAS.
fn first_delta(target_index: u32, vertex: u32) -> u32 {
    let first = deltas[2u + target_index];
    return select(first + vertex * deltas[1], NO_DELTAS, first == NO_DELTAS);
}

// Adds the active morph targets (glTF 2.0 §3.7.2.2): before skinning, in the mesh's space. Twins: anim::skinning
// `morph_position`, `morph_normal`, `morph_tangent`.
fn morph_surface(rest: Surface, vertex: u32, instance: InstanceRecord) -> Surface {
    let moved = deltas[0];
    let count = active_count(instance, MORPHS_POSITIONS | MORPHS_NORMALS | MORPHS_TANGENTS);
    var surface = rest;
    for (var i = 0u; i < count; i++) {
        let morph = morphs[instance.first_morph + i];
        var at = first_delta(morph.target_index, vertex);
        if at == NO_DELTAS {
            continue;
        }
        if (moved & MORPHS_POSITIONS) != 0u {
            surface.position += morph.weight * load_delta(at);
            at += 3u;
        }
        if (moved & MORPHS_NORMALS) != 0u {
            surface.normal += morph.weight * load_delta(at);
            at += 3u;
        }
        if (moved & MORPHS_TANGENTS) != 0u {
            surface.tangent += morph.weight * load_delta(at);
        }
    }
    return surface;
}

// The position alone.
fn morph_position(rest: vec3<f32>, vertex: u32, instance: InstanceRecord) -> vec3<f32> {
    let count = active_count(instance, MORPHS_POSITIONS);
    var position = rest;
    for (var i = 0u; i < count; i++) {
        let morph = morphs[instance.first_morph + i];
        let at = first_delta(morph.target_index, vertex);
        if at != NO_DELTAS {
            position += morph.weight * load_delta(at);
        }
    }
    return position;
}

// What else morph targets change of a vertex.
struct Look {
    tex_coords: vec4<f32>,
    color: vec4<f32>,
}

// Where a target's deltas for the look begin, behind those of the surface.
fn surface_floats() -> u32 {
    return 3u * countOneBits(deltas[0] & (MORPHS_POSITIONS | MORPHS_NORMALS | MORPHS_TANGENTS));
}

// Twins: anim::skinning `morph_tex_coord`, `morph_color`.
fn morph_look(rest: Look, vertex: u32, instance: InstanceRecord) -> Look {
    let moved = deltas[0];
    let count = active_count(instance, MORPHS_TEX_COORDS_0 | MORPHS_TEX_COORDS_1 | MORPHS_COLORS);
    var look = rest;
    for (var i = 0u; i < count; i++) {
        let morph = morphs[instance.first_morph + i];
        var at = first_delta(morph.target_index, vertex);
        if at == NO_DELTAS {
            continue;
        }
        at += surface_floats();
        if (moved & MORPHS_TEX_COORDS_0) != 0u {
            look.tex_coords += morph.weight * vec4(load_number(at), load_number(at + 1u), 0.0, 0.0);
            at += 2u;
        }
        if (moved & MORPHS_TEX_COORDS_1) != 0u {
            look.tex_coords += morph.weight * vec4(0.0, 0.0, load_number(at), load_number(at + 1u));
            at += 2u;
        }
        if (moved & MORPHS_COLORS) != 0u {
            look.color += morph.weight * vec4(load_delta(at), load_number(at + 3u));
        }
    }
    // Colours stay within 0..1 (glTF 2.0 §3.7.2.2).
    return Look(look.tex_coords, clamp(look.color, vec4(0.0), vec4(1.0)));
}

// The rows of a compact matrix. Twin: anim::from_compact.
fn load_compact(index: u32) -> Matrix3x4 {
    let q = palette[2u * index];
    let place = palette[2u * index + 1u];
    let scale = place.w;
    let twice = 2.0 * scale;
    return Matrix3x4(array(
        vec4(scale - twice * (q.y * q.y + q.z * q.z), twice * (q.x * q.y - q.w * q.z), twice * (q.x * q.z + q.w * q.y), place.x),
        vec4(twice * (q.x * q.y + q.w * q.z), scale - twice * (q.x * q.x + q.z * q.z), twice * (q.y * q.z - q.w * q.x), place.y),
        vec4(twice * (q.x * q.z - q.w * q.y), twice * (q.y * q.z + q.w * q.x), scale - twice * (q.x * q.x + q.y * q.y), place.z),
    ));
}

fn load_matrix(index: u32) -> Matrix3x4 {
    if (index & COMPACT) != 0u {
        return load_compact(index & ~COMPACT);
    }
    return Matrix3x4(array(palette[3u * index], palette[3u * index + 1u], palette[3u * index + 2u]));
}

// Adds four weighted joint matrices to `sum`; `first_joint` is the place of the skin's first matrix.
fn blend_matrices(sum: Matrix3x4, first_joint: u32, joints: vec4<u32>, weights: vec4<f32>) -> Matrix3x4 {
    var blended = sum;
    for (var lane = 0u; lane < 4u; lane++) {
        let matrix = load_matrix(first_joint + joints[lane]);
        for (var row = 0u; row < 3u; row++) {
            blended.rows[row] += weights[lane] * matrix.rows[row];
        }
    }
    return blended;
}

fn zero_matrix() -> Matrix3x4 {
    return Matrix3x4(array(vec4(0.0), vec4(0.0), vec4(0.0)));
}

fn transform_point(matrix: Matrix3x4, point: vec3<f32>) -> vec3<f32> {
    let p = vec4(point, 1.0);
    return vec3(dot(matrix.rows[0], p), dot(matrix.rows[1], p), dot(matrix.rows[2], p));
}

fn transform_vector(matrix: Matrix3x4, vector: vec3<f32>) -> vec3<f32> {
    let v = vec4(vector, 0.0);
    return vec3(dot(matrix.rows[0], v), dot(matrix.rows[1], v), dot(matrix.rows[2], v));
}

// Twin: model::transform.
const FLAT: f32 = 1e-6;

// By how much a matrix changes volumes; negative if it mirrors.
fn volume_factor(matrix: Matrix3x4) -> f32 {
    return dot(matrix.rows[0].xyz, cross(matrix.rows[1].xyz, matrix.rows[2].xyz));
}

// What flattens has no sides: rounding, each adapter's own, must not choose one.
fn is_mirroring(matrix: Matrix3x4) -> bool {
    let x = abs(matrix.rows[0].xyz);
    let y = abs(matrix.rows[1].xyz);
    let z = abs(matrix.rows[2].xyz);
    let products = y.yzx * z.zxy + y.zxy * z.yzx;
    return volume_factor(matrix) < -FLAT * dot(x, products);
}

// Normals keep right angles to the surface under the cofactor matrix, also where scales differ or one is zero; its sign
// is that of the determinant, which a mirrored normal must not follow.
fn transform_normal(matrix: Matrix3x4, normal: vec3<f32>) -> vec3<f32> {
    let x = matrix.rows[0].xyz;
    let y = matrix.rows[1].xyz;
    let z = matrix.rows[2].xyz;
    let turned = vec3(dot(cross(y, z), normal), dot(cross(z, x), normal), dot(cross(x, y), normal));
    return select(turned, -turned, is_mirroring(matrix));
}
