// Lines over surfaces, in light as in views: edges of triangles, which `vs_view_rigid` and the like place, and normals of
// vertices. Each kind is of a colour that few surfaces have, seen as it is.

// What VertexIn has, of a vertex that is one of several instances: both ends of its normal have all of it.
struct NormalIn {
    // 0 at the surface, 1 away from it.
    @builtin(vertex_index) end: u32,
    @builtin(instance_index) index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec2<f32>,
    @location(2) tangent: vec2<f32>,
    @location(3) tex_coords_0: vec2<f32>,
    @location(4) tex_coords_1: vec2<f32>,
    @location(5) color: vec4<f32>,
    @location(6) instance: vec4<u32>,
}

fn normal_end(in: NormalIn, world_from_mesh: Matrix3x4) -> vec4<f32> {
    let vertex = VertexIn(
        in.index,
        in.position,
        in.normal,
        in.tangent,
        in.tex_coords_0,
        in.tex_coords_1,
        in.color,
        in.instance,
    );
    let placed = place_vertex(vertex, world_from_mesh);
    let beyond = placed.normal * (frame.normal_length * f32(in.end));
    return clip_position(placed.position_from_eye + beyond, instance_record(in.instance));
}

@vertex
fn vs_normal_rigid(in: NormalIn) -> @builtin(position) vec4<f32> {
    return normal_end(in, load_matrix(in.instance.y));
}

@vertex
fn vs_normal_skinned_4(in: NormalIn, by: FourInfluences) -> @builtin(position) vec4<f32> {
    return normal_end(in, four_joints(in.instance.x, by));
}

@vertex
fn vs_normal_skinned_8(in: NormalIn, by: EightInfluences) -> @builtin(position) vec4<f32> {
    return normal_end(in, eight_joints(in.instance.x, by));
}

fn line_color() -> vec3<f32> {
    let wires = vec3(0.05, 0.72, 0.62);
    let normals = vec3(0.22, 0.40, 0.98);
    return untoned(linear_from_srgb(select(wires, normals, VIEW == NORMAL_LINES)));
}

@fragment
fn fs_line() -> @location(0) vec4<f32> {
    return vec4(line_color(), 1.0);
}

@fragment
fn fs_line_colors() -> SceneColors {
    return light_alone(vec4(line_color(), 1.0));
}
