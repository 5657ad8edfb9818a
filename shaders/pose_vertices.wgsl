// Runs the vertex stage's own functions over a primitive and writes where its vertices are, for `rigscope pose --gpu`.

// Twin: render/layout.rs `PoseUniform`.
struct PoseUniform {
    instance: vec4<u32>,
    // x: influences a vertex (0: rigid), y: number of vertices, z: first vertex of this dispatch, w: whether
    // joints are blended as dual quaternions.
    counts: vec4<u32>,
}

@group(2) @binding(0) var<uniform> pose: PoseUniform;
// Three floats a vertex.
@group(2) @binding(1) var<storage, read> rest_positions: array<f32>;
// For each vertex its joints, then its weights as bits.
@group(2) @binding(2) var<storage, read> influences: array<u32>;
@group(2) @binding(3) var<storage, read_write> posed_positions: array<f32>;

fn influence_joints(at: u32) -> vec4<u32> {
    return vec4(influences[at], influences[at + 1u], influences[at + 2u], influences[at + 3u]);
}

fn influence_weights(at: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(influence_joints(at));
}

// The blend of the joints of the vertex whose influences begin here.
fn joints_of(at: u32, first_joint: u32) -> Matrix3x4 {
    let is_dual = pose.counts.w != 0u;
    let joints = influence_joints(at);
    if pose.counts.x == 4u {
        let weights = influence_weights(at + 4u);
        if is_dual {
            return blend_dual_quaternions_4(first_joint, joints, weights);
        }
        return blend_matrices(zero_matrix(), first_joint, joints, weights);
    }
    let more_joints = influence_joints(at + 4u);
    let weights = influence_weights(at + 8u);
    let more_weights = influence_weights(at + 12u);
    if is_dual {
        return blend_dual_quaternions_8(first_joint, joints, weights, more_joints, more_weights);
    }
    let half = blend_matrices(zero_matrix(), first_joint, joints, weights);
    return blend_matrices(half, first_joint, more_joints, more_weights);
}

@compute @workgroup_size(64)
fn cs_pose_vertices(@builtin(global_invocation_id) id: vec3<u32>) {
    let vertex = id.x + pose.counts.z;
    if vertex >= pose.counts.y {
        return;
    }
    let instance = InstanceRecord(pose.instance.x, pose.instance.y, pose.instance.z, pose.instance.w);
    let position = vec3(
        rest_positions[3u * vertex],
        rest_positions[3u * vertex + 1u],
        rest_positions[3u * vertex + 2u],
    );
    let morphed = morph_position(position, vertex, instance);
    let per_vertex = pose.counts.x;
    var world_from_mesh = load_matrix(instance.rigid);
    if per_vertex > 0u {
        world_from_mesh = joints_of(2u * vertex * per_vertex, instance.first_joint);
    }
    let posed = transform_point(world_from_mesh, morphed);
    posed_positions[3u * vertex] = posed.x;
    posed_positions[3u * vertex + 1u] = posed.y;
    posed_positions[3u * vertex + 2u] = posed.z;
}
