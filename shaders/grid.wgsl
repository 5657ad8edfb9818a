// The ground grid: a disc at the ground's height, whose pixels ask how much of them lines cover.

struct GridOut {
    @builtin(position) clip_position: vec4<f32>,
    // x and z from the grid's middle.
    @location(0) at: vec2<f32>,
    // Of lines and of the axes: x red, z blue, as everywhere.
    @location(1) @interpolate(flat) line_color: vec3<f32>,
    @location(2) @interpolate(flat) x_color: vec3<f32>,
    @location(3) @interpolate(flat) z_color: vec3<f32>,
}

const CORNERS: u32 = 24u;

// From the eye to a place on the grid; both of what is subtracted first may be large.
fn from_eye(at: vec2<f32>) -> vec3<f32> {
    let middle = vec3(frame.grid_middle.x, frame.grid.w, frame.grid_middle.y) - frame.eye.xyz;
    return middle + vec3(at.x, 0.0, at.y);
}

@vertex
fn vs_grid(@builtin(vertex_index) index: u32) -> GridOut {
    // A fan: each triangle has the middle as its first corner.
    let corner = index / 3u + index % 3u;
    // The disc lies within its polygon.
    let radius = select(frame.grid.y / cos(3.14159265 / f32(CORNERS)), 0.0, index % 3u == 0u);
    let angle = f32(corner) * 6.2831853 / f32(CORNERS);
    let at = radius * vec2(cos(angle), sin(angle));
    return GridOut(
        frame.clip_from_eye * vec4(from_eye(at), 1.0),
        at,
        untoned(frame.grid.z * vec3(0.95, 1.0, 1.1)),
        untoned(vec3(0.62, 0.10, 0.10)),
        untoned(vec3(0.09, 0.20, 0.62)),
    );
}

// How much of a pixel the lines at multiples of `spacing` cover; `width` in points.
fn line_coverage(at: vec2<f32>, derivative: vec2<f32>, spacing: f32, width: f32) -> f32 {
    let pixels = max(derivative / spacing, vec2(1e-9));
    let from_line = abs(fract(at / spacing - 0.5) - 0.5) / pixels;
    let half_width = 0.5 * width * frame.pixels_per_point;
    let coverage = clamp(vec2(0.5 + half_width) - from_line, vec2(0.0), vec2(1.0));
    // Where lines crowd within a point they fade, instead of shimmering.
    let crowding = clamp(1.5 - 2.5 * pixels * frame.pixels_per_point, vec2(0.0), vec2(1.0));
    return max(coverage.x * crowding.x, coverage.y * crowding.y);
}

@fragment
fn fs_grid(in: GridOut) -> @location(0) vec4<f32> {
    return lines_at(in);
}

@fragment
fn fs_grid_colors(in: GridOut) -> SceneColors {
    return light_alone(lines_at(in));
}

fn lines_at(in: GridOut) -> vec4<f32> {
    let at = in.at;
    let derivative = vec2(length(vec2(dpdx(at.x), dpdy(at.x))), length(vec2(dpdx(at.y), dpdy(at.y))));
    let spacing = frame.grid.x;
    let fine = line_coverage(at, derivative, spacing, 1.0) * 0.28;
    let strong = line_coverage(at, derivative, spacing * 10.0, 1.4) * 0.55;
    var color = in.line_color;
    var cover = max(fine, strong);
    // In pixels, less what the axes are wider than one.
    let from_axis = abs(at + frame.grid_middle) / max(derivative, vec2(1e-9));
    let on_axis = from_axis - 1.1 * (frame.pixels_per_point - 1.0);
    if on_axis.y < 1.1 {
        color = in.x_color;
        cover = max(cover, clamp(1.6 - on_axis.y, 0.0, 1.0) * 0.8);
    } else if on_axis.x < 1.1 {
        color = in.z_color;
        cover = max(cover, clamp(1.6 - on_axis.x, 0.0, 1.0) * 0.8);
    }
    let faded = 1.0 - smoothstep(0.35, 1.0, length(at) / frame.grid.y);
    // Seen from the edge, a plane's lines run into one another.
    let grazing = smoothstep(0.01, 0.10, abs(towards_viewer(from_eye(at)).y));
    let alpha = cover * faded * grazing;
    return vec4(color * alpha, alpha);
}
