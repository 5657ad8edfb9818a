// Where meshes are, and nothing else: the vertex stage of what is drawn for its depth alone.

struct PositionIn {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    // An InstanceRecord.
    @location(6) instance: vec4<u32>,
}

fn place_position(in: PositionIn, world_from_mesh: Matrix3x4) -> vec4<f32> {
    let instance = instance_record(in.instance);
    let position = transform_point(world_from_mesh, morph_position(in.position, in.index, instance));
    return clip_position(position - frame.eye.xyz, instance);
}

@vertex
fn vs_position_rigid(in: PositionIn) -> @builtin(position) vec4<f32> {
    return place_position(in, load_matrix(in.instance.y));
}

@vertex
fn vs_position_skinned_4(in: PositionIn, by: FourInfluences) -> @builtin(position) vec4<f32> {
    return place_position(in, four_joints(in.instance.x, by));
}

@vertex
fn vs_position_skinned_8(in: PositionIn, by: EightInfluences) -> @builtin(position) vec4<f32> {
    return place_position(in, eight_joints(in.instance.x, by));
}
