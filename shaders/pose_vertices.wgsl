// Runs the vertex stage's own functions over a primitive and writes where its vertices are, for `rigscope pose --gpu`.

// Twin: render/layout.rs `PoseUniform`.
struct PoseUniform {
    instance: vec4<u32>,
    // x: influences a vertex (0: rigid), y: number of vertices, z: first vertex of this dispatch.
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
    let surface = morph_surface(Surface(position, vec3(0.0), vec3(0.0)), vertex, instance);
    let per_vertex = pose.counts.x;
    var world_from_mesh = load_matrix(instance.rigid);
    if per_vertex > 0u {
        world_from_mesh = zero_matrix();
        for (var lane = 0u; lane < per_vertex; lane += 4u) {
            let joints = 2u * vertex * per_vertex + lane;
            let weights = bitcast<vec4<f32>>(influence_joints(joints + per_vertex));
            world_from_mesh = blend_matrices(world_from_mesh, instance.first_joint, influence_joints(joints), weights);
        }
    }
    let posed = transform_point(world_from_mesh, surface.position);
    posed_positions[3u * vertex] = posed.x;
    posed_positions[3u * vertex + 1u] = posed.y;
    posed_positions[3u * vertex + 2u] = posed.z;
}
