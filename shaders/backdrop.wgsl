// The environment behind everything, where the user wants to see it.

struct BackdropOut {
    @builtin(position) clip_position: vec4<f32>,
    // Towards the pixel, of any length.
    @location(0) direction: vec3<f32>,
}

@vertex
fn vs_backdrop(@builtin(vertex_index) index: u32) -> BackdropOut {
    let corner = vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0;
    let direction = frame.direction_from_clip * vec4(corner, 0.0, 1.0);
    return BackdropOut(vec4(corner, 0.0, 1.0), direction.xyz);
}

@fragment
fn fs_backdrop(in: BackdropOut) -> @location(0) vec4<f32> {
    return environment_at(in);
}

@fragment
fn fs_backdrop_colors(in: BackdropOut) -> SceneColors {
    return light_alone(environment_at(in));
}

fn environment_at(in: BackdropOut) -> vec4<f32> {
    let direction = normalize(in.direction);
    let level = frame.output.z * frame.environment.w;
    let light = textureSampleLevel(environment_map, linear_sampler, turned(direction), level).rgb;
    return vec4(dimmed_to(light * frame.environment.z, BRIGHTEST), 1.0);
}
