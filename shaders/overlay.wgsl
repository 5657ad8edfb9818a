// The skeleton: octahedra and balls, lit softly from the eye so that their form shows in any light.

struct ShapeIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) row_x: vec4<f32>,
    @location(3) row_y: vec4<f32>,
    @location(4) row_z: vec4<f32>,
    @location(5) color: vec4<f32>,
}

struct ShapeOut {
    @builtin(position) clip_position: vec4<f32>,
    @location(0) position_from_eye: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
}

@vertex
fn vs_overlay(in: ShapeIn) -> ShapeOut {
    let p = vec4(in.position, 1.0);
    let position = vec3(dot(in.row_x, p), dot(in.row_y, p), dot(in.row_z, p));
    let x = in.row_x.xyz;
    let y = in.row_y.xyz;
    let z = in.row_z.xyz;
    // The cofactor matrix, as in `transform_normal`; shapes are never mirrored.
    let normal = vec3(dot(cross(y, z), in.normal), dot(cross(z, x), in.normal), dot(cross(x, y), in.normal));
    return ShapeOut(
        frame.clip_from_world * vec4(position, 1.0),
        position - frame.eye.xyz,
        // Of length 1 before it is interpolated: of tiny shapes its square would be none.
        unit_or_zero(normal),
        in.color,
    );
}

@fragment
fn fs_overlay(in: ShapeOut) -> @location(0) vec4<f32> {
    return shape_color(in);
}

@fragment
fn fs_overlay_colors(in: ShapeOut) -> SceneColors {
    return light_alone(shape_color(in));
}

fn shape_color(in: ShapeOut) -> vec4<f32> {
    let facing = abs(dot(normalize(in.normal), towards_viewer(in.position_from_eye)));
    let shade = mix(0.28, 0.78, facing);
    return vec4(untoned(in.color.rgb * shade) * in.color.a, in.color.a);
}
