// From the scene's linear light to the picture: samples to pixels, exposure, tone curve, background, sRGB.

// Twin: render/layout.rs `OutputUniform`.
struct OutputUniform {
    // Linear; w: 1 where the picture keeps its alpha.
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    // Where the picture lies in the target: x, y, width, height in pixels.
    viewport: vec4<f32>,
    // x: 1 where the target encodes sRGB by itself, y: exposure as a factor.
    options: vec4<f32>,
}

@group(0) @binding(0) var<uniform> output: OutputUniform;
@group(0) @binding(1) var scene: texture_multisampled_2d<f32>;
// Colours that are shown as they are, where the scene has any.
@group(0) @binding(2) var shown_colors: texture_multisampled_2d<f32>;

// The tone curve, fixed when the pipeline is made.
override TONE: u32 = 1u;

@vertex
fn vs_tonemap(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_tonemap(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = position.xy - output.viewport.xy;
    let light = light_at(vec2<i32>(pixel));
    let alpha = clamp(light.a, 0.0, 1.0);
    return encoded(vec4(bent(light.rgb, alpha), alpha), pixel);
}

// The same of scenes that have colours which are shown as they are.
@fragment
fn fs_tonemap_colors(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = position.xy - output.viewport.xy;
    let at = vec2<i32>(pixel);
    return encoded(mixed(light_at(at), shown_at(at)), pixel);
}

// Such a scene as light alone, for the copy that glass shows: where there is nothing but light it stays as it is, however
// bright.
@fragment
fn fs_as_light(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let light = light_at(at);
    let shown = shown_at(at);
    if shown.a <= 0.0 {
        return light;
    }
    let color = mixed(light, shown);
    return vec4(light_shown_as(color.rgb, TONE, output.options.y), 1.0) * color.a;
}

// The background as light, to be put behind that copy.
@fragment
fn fs_background_as_light(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return vec4(light_shown_as(background_at(position.xy), TONE, output.options.y), 1.0);
}

fn background_at(pixel: vec2<f32>) -> vec3<f32> {
    let down = pixel.y / output.viewport.w;
    return mix(output.background_top.rgb, output.background_bottom.rgb, down);
}

fn light_at(at: vec2<i32>) -> vec4<f32> {
    return 0.25 * (textureLoad(scene, at, 0) + textureLoad(scene, at, 1)
        + textureLoad(scene, at, 2) + textureLoad(scene, at, 3));
}

fn shown_at(at: vec2<i32>) -> vec4<f32> {
    return 0.25 * (textureLoad(shown_colors, at, 0) + textureLoad(shown_colors, at, 1)
        + textureLoad(shown_colors, at, 2) + textureLoad(shown_colors, at, 3));
}

// What the curve makes of light that has been multiplied by its share of the pixel.
fn bent(light: vec3<f32>, share: f32) -> vec3<f32> {
    return max(tone(light * (output.options.y / max(share, 1e-4)), TONE), vec3(0.0));
}

// The colour, not multiplied, and alpha of a pixel of both.
fn mixed(light: vec4<f32>, shown: vec4<f32>) -> vec4<f32> {
    let alpha = clamp(light.a, 0.0, 1.0);
    let share = clamp(light.a - shown.a, 0.0, 1.0);
    return vec4((bent(light.rgb, share) * share + shown.rgb) / max(alpha, 1e-4), alpha);
}

// The picture's pixel: a colour before the background, encoded.
fn encoded(color: vec4<f32>, pixel: vec2<f32>) -> vec4<f32> {
    let alpha = color.a;
    // Not by branches: Mesa's software driver compiles a shader anew, and keeps it, wherever one asks a uniform.
    let opaque = vec4(mix(background_at(pixel), color.rgb, alpha), 1.0);
    let keeps_alpha = output.background_top.w != 0.0;
    let shown = select(opaque, color, keeps_alpha);
    let encodes_itself = output.options.x != 0.0;
    let result = vec4(select(srgb_from_linear(shown.rgb), shown.rgb, encodes_itself), shown.a);
    // A gradient over a thousand rows has fewer steps than rows: noise of half a step hides them. It is interleaved gradient
    // noise (J. Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare", 2014).
    let noise = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
    let is_gradient = any(output.background_top.rgb != output.background_bottom.rgb);
    let amount = select(0.0, 1.0 / 255.0, is_gradient && alpha < 0.999);
    return vec4(result.rgb + amount * noise, result.a);
}
