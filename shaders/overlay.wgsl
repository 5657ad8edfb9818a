// The skeleton: octahedra and balls, lit softly from the eye so that their form shows in any light.

struct ShapeIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) outward: vec3<f32>,
    @location(3) row_x: vec4<f32>,
    @location(4) row_y: vec4<f32>,
    @location(5) row_z: vec4<f32>,
    @location(6) color: vec4<f32>,
}

struct ShapeOut {
    @builtin(position) clip_position: vec4<f32>,
    @location(0) position_from_eye: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
}

fn place(in: ShapeIn) -> ShapeOut {
    let p = vec4(in.position, 1.0);
    let position = vec3(dot(in.row_x, p), dot(in.row_y, p), dot(in.row_z, p));
    let x = in.row_x.xyz;
    let y = in.row_y.xyz;
    let z = in.row_z.xyz;
    // The cofactor matrix, as in `transform_normal`; shapes are never mirrored.
    let normal = vec3(dot(cross(y, z), in.normal), dot(cross(z, x), in.normal), dot(cross(x, y), in.normal));
    let position_from_eye = position - frame.eye.xyz;
    return ShapeOut(
        frame.clip_from_eye * vec4(position_from_eye, 1.0),
        position_from_eye,
        // Of length 1 before it is interpolated: of tiny shapes its square would be none.
        unit_or_zero(normal),
        in.color,
    );
}

@vertex
fn vs_overlay(in: ShapeIn) -> ShapeOut {
    return place(in);
}

// How dark the edges are that keep shapes apart from a pale surface, or a pale backdrop.
const EDGE = vec4(vec3(0.006), 0.8);
// Heights of a picture whose edges are a pixel wide: larger ones have finer pixels, if they are shown as large.
const EDGE_HEIGHT = 700.0;

// The shape once more, a point wider: what is seen of its far side around its near one is its edge.
@vertex
fn vs_edge(in: ShapeIn) -> ShapeOut {
    var out = place(in);
    let rows = mat3x3(in.row_x.xyz, in.row_y.xyz, in.row_z.xyz);
    let axes = transpose(rows);
    // A bone is longer than wide: its sides are pushed out as far as its ends.
    let lengths = max(vec3(length(axes[0]), length(axes[1]), length(axes[2])), vec3(1e-30));
    let outward = frame.clip_from_eye * vec4((in.outward / lengths) * rows, 0.0);
    let half_size = 0.5 * vec2<f32>(frame.counts.zw);
    let at = out.clip_position;
    let beside = unit_or_zero(vec3((outward.xy * at.w - at.xy * outward.w) * half_size, 0.0)).xy;
    let width = max(frame.pixels_per_point, half_size.y * 2.0 / EDGE_HEIGHT);
    out.clip_position = vec4(at.xy + beside * width / half_size * at.w, at.zw);
    return out;
}

@fragment
fn fs_edge(in: ShapeOut) -> @location(0) vec4<f32> {
    return edge_color(in);
}

@fragment
fn fs_edge_colors(in: ShapeOut) -> SceneColors {
    return light_alone(edge_color(in));
}

fn edge_color(in: ShapeOut) -> vec4<f32> {
    return vec4(untoned(EDGE.rgb), 1.0) * EDGE.a;
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
