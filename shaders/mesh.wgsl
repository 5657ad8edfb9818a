// The vertex stage of meshes: morph, then skin, then project. Twin of the attributes: render/layout.rs.

// Whether joints are blended as dual quaternions, and not as matrices.
override DUAL_QUATERNIONS: bool = false;

struct VertexIn {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) tex_coords: vec4<f32>,
    @location(4) color: vec4<f32>,
    // An InstanceRecord.
    @location(5) instance: vec4<u32>,
}

struct FourInfluences {
    @location(6) joints: vec4<u32>,
    @location(7) weights: vec4<f32>,
}

struct EightInfluences {
    @location(6) joints: vec4<u32>,
    @location(7) weights: vec4<f32>,
    @location(8) more_joints: vec4<u32>,
    @location(9) more_weights: vec4<f32>,
}

struct VertexOut {
    @builtin(position) clip_position: vec4<f32>,
    // From the eye, so that places and their derivatives keep their precision far from the origin.
    @location(0) position_from_eye: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) tex_coords: vec4<f32>,
    @location(4) color: vec4<f32>,
    // Of the mesh's lengths in the world: the mean of all directions.
    @location(5) scale: f32,
}

fn instance_record(in: VertexIn) -> InstanceRecord {
    return InstanceRecord(in.instance.x, in.instance.y, in.instance.z, in.instance.w);
}

fn place_vertex(in: VertexIn, world_from_mesh: Matrix3x4) -> VertexOut {
    let rest = Surface(in.position, in.normal, in.tangent.xyz);
    let surface = morph_surface(rest, in.index, instance_record(in));
    let position = transform_point(world_from_mesh, surface.position);
    var out: VertexOut;
    out.position_from_eye = position - frame.eye.xyz;
    out.clip_position = frame.clip_from_eye * vec4(out.position_from_eye, 1.0);
    if in.instance.z == HIDDEN {
        // All of it is beyond the picture's edge.
        out.clip_position = vec4(2.0, 2.0, 0.5, 1.0);
    }
    // Of length 1 before they are interpolated: where joints scale, some would weigh more than others.
    out.normal = unit_or_zero(transform_normal(world_from_mesh, surface.normal));
    // Normals keep their side under a mirroring matrix, so the bitangent that is made of them must change its own.
    let handedness = in.tangent.w * select(1.0, -1.0, is_mirroring(world_from_mesh));
    out.tangent = vec4(unit_or_zero(transform_vector(world_from_mesh, surface.tangent)), handedness);
    let look = morph_look(Look(in.tex_coords, in.color), in.index, instance_record(in));
    out.tex_coords = look.tex_coords;
    out.color = look.color;
    out.scale = pow(abs(volume_factor(world_from_mesh)), 1.0 / 3.0);
    return out;
}

fn four_joints(in: VertexIn, by: FourInfluences) -> Matrix3x4 {
    if DUAL_QUATERNIONS {
        return blend_dual_quaternions_4(in.instance.x, by.joints, by.weights);
    }
    return blend_matrices(zero_matrix(), in.instance.x, by.joints, by.weights);
}

fn eight_joints(in: VertexIn, by: EightInfluences) -> Matrix3x4 {
    if DUAL_QUATERNIONS {
        return blend_dual_quaternions_8(in.instance.x, by.joints, by.weights, by.more_joints, by.more_weights);
    }
    let half = blend_matrices(zero_matrix(), in.instance.x, by.joints, by.weights);
    return blend_matrices(half, in.instance.x, by.more_joints, by.more_weights);
}

@vertex
fn vs_rigid(in: VertexIn) -> VertexOut {
    return place_vertex(in, load_matrix(in.instance.y));
}

@vertex
fn vs_skinned_4(in: VertexIn, by: FourInfluences) -> VertexOut {
    return place_vertex(in, four_joints(in, by));
}

@vertex
fn vs_skinned_8(in: VertexIn, by: EightInfluences) -> VertexOut {
    return place_vertex(in, eight_joints(in, by));
}
