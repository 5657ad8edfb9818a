// Lines of the overlay: as wide on the screen wherever they are, with round ends. A line that ends where it begins is a dot.

struct LineIn {
    // xyz: where it begins; w: its width in pixels.
    @location(0) from_and_width: vec4<f32>,
    // xyz: where it ends.
    @location(1) to: vec4<f32>,
    @location(2) color: vec4<f32>,
}

struct LineOut {
    @builtin(position) clip_position: vec4<f32>,
    // Pixels from the beginning along the line, and beside it.
    @location(0) @interpolate(linear) at: vec2<f32>,
    // Its length and half its width in pixels.
    @location(1) @interpolate(flat) size: vec2<f32>,
    @location(2) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn vs_line(@builtin(vertex_index) index: u32, in: LineIn) -> LineOut {
    var first = frame.clip_from_eye * vec4(in.from_and_width.xyz - frame.eye.xyz, 1.0);
    var last = frame.clip_from_eye * vec4(in.to.xyz - frame.eye.xyz, 1.0);
    // Depth is reversed: what is before the near plane has z > w.
    let first_depth = first.w - first.z;
    let last_depth = last.w - last.z;
    if first_depth <= 0.0 && last_depth <= 0.0 {
        return LineOut(vec4(2.0, 2.0, 0.0, 1.0), vec2(0.0), vec2(0.0), vec4(0.0));
    }
    if first_depth < 0.0 {
        first = mix(first, last, first_depth / (first_depth - last_depth));
    } else if last_depth < 0.0 {
        last = mix(last, first, last_depth / (last_depth - first_depth));
    }
    let half_size = 0.5 * vec2<f32>(frame.counts.zw);
    let start = first.xy / first.w * half_size;
    let end = last.xy / last.w * half_size;
    let length = distance(start, end);
    var along = vec2(1.0, 0.0);
    if length > 1e-4 {
        along = (end - start) / length;
    }
    let radius = 0.5 * in.from_and_width.w;
    // Room for the soft edge.
    let reach = radius + 1.0;
    // A strip: the first bit of a corner's number says on which side, the second at which end it is.
    let is_end = (index & 2u) != 0u;
    let beside = select(-reach, reach, (index & 1u) != 0u);
    let at_end = select(first, last, is_end);
    let past = select(-reach, length + reach, is_end);
    let pixel = start + along * past + vec2(-along.y, along.x) * beside;
    return LineOut(
        vec4(pixel / half_size * at_end.w, at_end.z, at_end.w),
        vec2(past, beside),
        vec2(length, radius),
        in.color,
    );
}

@fragment
fn fs_line(in: LineOut) -> @location(0) vec4<f32> {
    return line_color(in);
}

@fragment
fn fs_line_colors(in: LineOut) -> SceneColors {
    return light_alone(line_color(in));
}

fn line_color(in: LineOut) -> vec4<f32> {
    let from_line = distance(in.at, vec2(clamp(in.at.x, 0.0, in.size.x), 0.0));
    let alpha = in.color.a * clamp(in.size.y + 0.5 - from_line, 0.0, 1.0);
    return vec4(untoned(in.color.rgb) * alpha, alpha);
}
