// The ground where the shadow may fall: nothing but the shadow on it.

struct GroundOut {
    @builtin(position) clip_position: vec4<f32>,
    @location(0) position_from_eye: vec3<f32>,
}

@vertex
fn vs_ground(@builtin(vertex_index) index: u32) -> GroundOut {
    // Counter-clockwise from above, so that nothing is seen from below.
    const CORNERS = array(vec2(0u, 1u), vec2(0u, 3u), vec2(2u, 1u), vec2(2u, 1u), vec2(0u, 3u), vec2(2u, 3u));
    let corner = CORNERS[index];
    let position_from_eye = vec3(frame.ground[corner.x], frame.grid.w - frame.eye.y, frame.ground[corner.y]);
    return GroundOut(frame.clip_from_eye * vec4(position_from_eye, 1.0), position_from_eye);
}

@fragment
fn fs_ground(in: GroundOut) -> @location(0) vec4<f32> {
    return shadow_at(in.position_from_eye);
}

@fragment
fn fs_ground_colors(in: GroundOut) -> SceneColors {
    return light_alone(shadow_at(in.position_from_eye));
}

fn shadow_at(position_from_eye: vec3<f32>) -> vec4<f32> {
    let taken = frame.shadow.y * (1.0 - unshadowed(position_from_eye));
    // Whoever lays a picture with alpha over a page mixes as sRGB: what is taken there of white is to be as much as here of light.
    let taken_in_srgb = 1.0 - srgb_from_linear(vec3(1.0 - taken)).r;
    return vec4(0.0, 0.0, 0.0, select(taken, taken_in_srgb, frame.shadow.w != 0.0));
}
