// From the scene's linear light to the picture: tone curve, background, sRGB.

// Twin: render/layout.rs `OutputUniform`.
struct OutputUniform {
    // sRGB; w: 1 where the picture keeps its alpha.
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    // Where the picture lies in the target: x, y, width, height in pixels.
    viewport: vec4<f32>,
    // x: 1 where the target encodes sRGB by itself; y: 1 where colours are to be seen as they are.
    options: vec4<f32>,
}

@group(0) @binding(0) var scene: texture_2d<f32>;
@group(0) @binding(1) var<uniform> output: OutputUniform;

@vertex
fn vs_tonemap(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

// Leaves colours as they are up to `START` and bends what is brighter towards white, as Khronos' PBR Neutral curve does
// ("Khronos PBR Neutral Tone Mapper", 2024), without its darkening of the shadows: what is unlit stays exact.
fn tone(color: vec3<f32>) -> vec3<f32> {
    const START: f32 = 0.8;
    const DESATURATION: f32 = 0.15;
    let peak = max(color.r, max(color.g, color.b));
    if peak < START {
        return color;
    }
    let room = 1.0 - START;
    let new_peak = 1.0 - room * room / (peak + room - START);
    let kept = 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    return mix(vec3(new_peak), color * (new_peak / peak), kept);
}

@fragment
fn fs_tonemap(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = position.xy - output.viewport.xy;
    let light = textureLoad(scene, vec2<i32>(pixel), 0);
    let alpha = clamp(light.a, 0.0, 1.0);
    var color = max(light.rgb, vec3(0.0)) / max(alpha, 1e-4);
    if output.options.y == 0.0 {
        color = tone(color);
    }
    var result = vec4(color, alpha);
    if output.background_top.w == 0.0 {
        let down = pixel.y / output.viewport.w;
        let behind = linear_from_srgb(mix(output.background_top.rgb, output.background_bottom.rgb, down));
        result = vec4(mix(behind, color, alpha), 1.0);
    }
    if output.options.x == 0.0 {
        result = vec4(srgb_from_linear(result.rgb), result.a);
    }
    // A gradient over a thousand rows has fewer steps than rows: noise of half a step hides them.
    let noise = fract(52.9829189 * fract(dot(position.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    let is_gradient = any(output.background_top.rgb != output.background_bottom.rgb);
    let amount = select(0.0, 1.0 / 255.0, is_gradient && alpha < 0.999);
    return vec4(result.rgb + amount * noise, result.a);
}
