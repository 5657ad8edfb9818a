// The ground grid: one triangle over the whole picture; each pixel asks where its ray meets the plane y = 0.

struct GridOut {
    @builtin(position) clip_position: vec4<f32>,
    // Towards the pixel, of any length.
    @location(0) direction: vec3<f32>,
}

struct GridPixel {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@vertex
fn vs_grid(@builtin(vertex_index) index: u32) -> GridOut {
    let corner = vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0;
    // Depth 0 lies at infinity: there w is 0 and xyz are a direction.
    let direction = frame.world_from_clip * vec4(corner, 0.0, 1.0);
    return GridOut(vec4(corner, 0.0, 1.0), direction.xyz);
}

// How much of a pixel the lines at multiples of `spacing` cover; `width` in pixels.
fn line_coverage(at: vec2<f32>, derivative: vec2<f32>, spacing: f32, width: f32) -> f32 {
    let pixels = max(derivative / spacing, vec2(1e-9));
    let from_line = abs(fract(at / spacing - 0.5) - 0.5) / pixels;
    let coverage = clamp(vec2(0.5 + 0.5 * width) - from_line, vec2(0.0), vec2(1.0));
    // Where lines crowd within a pixel they fade, instead of shimmering.
    let crowding = clamp(1.5 - 2.5 * pixels, vec2(0.0), vec2(1.0));
    return max(coverage.x * crowding.x, coverage.y * crowding.y);
}

@fragment
fn fs_grid(in: GridOut) -> GridPixel {
    let origin = frame.eye.xyz;
    let direction = normalize(in.direction);
    let distance = -origin.y / direction.y;
    let at = origin + direction * distance;
    let derivative = vec2(length(vec2(dpdx(at.x), dpdy(at.x))), length(vec2(dpdx(at.z), dpdy(at.z))));
    let spacing = frame.grid.x;
    let fine = line_coverage(at.xz, derivative, spacing, 1.0) * 0.28;
    let strong = line_coverage(at.xz, derivative, spacing * 10.0, 1.4) * 0.55;
    var color = frame.grid.z * vec3(0.95, 1.0, 1.1);
    var cover = max(fine, strong);
    // The axes: x red, z blue, as everywhere.
    let on_axis = abs(at.xz) / max(derivative, vec2(1e-9));
    if on_axis.y < 1.1 {
        color = vec3(0.62, 0.10, 0.10);
        cover = max(cover, clamp(1.6 - on_axis.y, 0.0, 1.0) * 0.8);
    } else if on_axis.x < 1.1 {
        color = vec3(0.09, 0.20, 0.62);
        cover = max(cover, clamp(1.6 - on_axis.x, 0.0, 1.0) * 0.8);
    }
    let faded = 1.0 - smoothstep(0.35, 1.0, length(at.xz) / frame.grid.y);
    // Seen from the edge, a plane's lines run into one another.
    let grazing = smoothstep(0.01, 0.10, abs(direction.y));
    let alpha = select(0.0, cover * faded * grazing, distance > 0.0);
    if alpha < 0.004 {
        discard;
    }
    let clip = frame.clip_from_world * vec4(at, 1.0);
    return GridPixel(vec4(color * alpha, alpha), clamp(clip.z / clip.w, 0.0, 1.0));
}
