// The vertex stage of meshes: morph, then skin, then project. Twin: render/model/vertices/mod.rs.

// Whether joints are blended as dual quaternions, and not as matrices.
override DUAL_QUATERNIONS: bool = false;
// What vertices have beside their positions: the bits below. The inputs for what they lack hold nothing that is of use.
override ATTRIBUTES: u32 = 31u;

const NORMALS: u32 = 1u;
const TANGENTS: u32 = 2u;
const TEX_COORDS_0: u32 = 4u;
const TEX_COORDS_1: u32 = 8u;
const COLORS: u32 = 16u;

struct VertexIn {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    // Folded, see `unfolded`.
    @location(1) normal: vec2<f32>,
    // The same; its side is the sign of y.
    @location(2) tangent: vec2<f32>,
    @location(3) tex_coords_0: vec2<f32>,
    @location(4) tex_coords_1: vec2<f32>,
    @location(5) color: vec4<f32>,
    // An InstanceRecord.
    @location(6) instance: vec4<u32>,
}

struct FourInfluences {
    @location(7) joints: vec4<u32>,
    @location(8) weights: vec4<f32>,
}

struct EightInfluences {
    @location(7) joints: vec4<u32>,
    @location(8) weights: vec4<f32>,
    @location(9) more_joints: vec4<u32>,
    @location(10) more_weights: vec4<f32>,
}

struct VertexOut {
    @builtin(position) clip_position: vec4<f32>,
    // From the eye, so that places and their derivatives keep their precision far from the origin.
    @location(0) position_from_eye: vec3<f32>,
    // Of where the pixel is covered: in the middle of one that a triangle at the outline only touches, it would be far from
    // those of its corners. Both have no derivatives, which need the middles.
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    @location(2) @interpolate(perspective, centroid) tangent: vec4<f32>,
    @location(3) tex_coords: vec4<f32>,
    @location(4) color: vec4<f32>,
    // Of the mesh's lengths in the world: the mean of all directions.
    @location(5) scale: f32,
}

fn instance_record(record: vec4<u32>) -> InstanceRecord {
    return InstanceRecord(record.x, record.y, record.z, record.w);
}

fn have(what: u32) -> bool {
    return (ATTRIBUTES & what) != 0u;
}

// A direction from where it is on an octahedron that is folded into a square (Z. H. Cigolle and others, "A Survey of Efficient
// Representations for Independent Unit Vectors", 2014). Twin: render/model/vertices/packing.rs `folded`.
fn unfolded(folded: vec2<f32>) -> vec3<f32> {
    let z = 1.0 - abs(folded.x) - abs(folded.y);
    let over = max(-z, 0.0);
    let flat = folded + select(vec2(over), vec2(-over), folded >= vec2(0.0));
    return normalize(vec3(flat, z));
}

// The surface at a vertex as it is in the file; zero for what there is none of.
fn rest_surface(in: VertexIn) -> Surface {
    var surface = Surface(in.position, vec3(0.0), vec3(0.0));
    if have(NORMALS) {
        surface.normal = unfolded(in.normal);
    }
    if have(TANGENTS) {
        // From 1/32767 to 1 it goes from end to end of the octahedron.
        let y = (abs(in.tangent.y) * 32767.0 - 16384.0) / 16383.0;
        surface.tangent = unfolded(vec2(in.tangent.x, y));
    }
    return surface;
}

// The side of the bitangent.
fn rest_handedness(in: VertexIn) -> f32 {
    if !have(TANGENTS) {
        return 0.0;
    }
    return select(1.0, -1.0, in.tangent.y < 0.0);
}

fn rest_look(in: VertexIn) -> Look {
    var look = Look(vec4(0.0), vec4(1.0));
    if have(TEX_COORDS_0) {
        look.tex_coords = vec4(in.tex_coords_0, 0.0, 0.0);
    }
    if have(TEX_COORDS_1) {
        look.tex_coords = vec4(look.tex_coords.xy, in.tex_coords_1);
    }
    if have(COLORS) {
        look.color = in.color;
    }
    return look;
}

fn clip_position(position_from_eye: vec3<f32>, instance: InstanceRecord) -> vec4<f32> {
    if instance.first_morph == HIDDEN {
        // All of it is beyond the picture's edge.
        return vec4(2.0, 2.0, 0.5, 1.0);
    }
    return frame.clip_from_eye * vec4(position_from_eye, 1.0);
}

fn place_vertex(in: VertexIn, world_from_mesh: Matrix3x4) -> VertexOut {
    let instance = instance_record(in.instance);
    let surface = morph_surface(rest_surface(in), in.index, instance);
    let position = transform_point(world_from_mesh, surface.position);
    var out: VertexOut;
    out.position_from_eye = position - frame.eye.xyz;
    out.clip_position = clip_position(out.position_from_eye, instance);
    // Of length 1 before they are interpolated: where joints scale, some would weigh more than others.
    out.normal = unit_or_zero(transform_normal(world_from_mesh, surface.normal));
    // Normals keep their side under a mirroring matrix, so the bitangent that is made of them must change its own.
    let handedness = rest_handedness(in) * select(1.0, -1.0, is_mirroring(world_from_mesh));
    out.tangent = vec4(unit_or_zero(transform_vector(world_from_mesh, surface.tangent)), handedness);
    let look = morph_look(rest_look(in), in.index, instance);
    out.tex_coords = look.tex_coords;
    out.color = look.color;
    out.scale = pow(abs(volume_factor(world_from_mesh)), 1.0 / 3.0);
    return out;
}

fn four_joints(first_joint: u32, by: FourInfluences) -> Matrix3x4 {
    if DUAL_QUATERNIONS {
        return blend_dual_quaternions_4(first_joint, by.joints, by.weights);
    }
    return blend_matrices(zero_matrix(), first_joint, by.joints, by.weights);
}

fn eight_joints(first_joint: u32, by: EightInfluences) -> Matrix3x4 {
    if DUAL_QUATERNIONS {
        return blend_dual_quaternions_8(first_joint, by.joints, by.weights, by.more_joints, by.more_weights);
    }
    let half = blend_matrices(zero_matrix(), first_joint, by.joints, by.weights);
    return blend_matrices(half, first_joint, by.more_joints, by.more_weights);
}

@vertex
fn vs_rigid(in: VertexIn) -> VertexOut {
    return place_vertex(in, load_matrix(in.instance.y));
}

@vertex
fn vs_skinned_4(in: VertexIn, by: FourInfluences) -> VertexOut {
    return place_vertex(in, four_joints(in.instance.x, by));
}

@vertex
fn vs_skinned_8(in: VertexIn, by: EightInfluences) -> VertexOut {
    return place_vertex(in, eight_joints(in.instance.x, by));
}
