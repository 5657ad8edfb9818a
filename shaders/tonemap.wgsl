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

@group(0) @binding(0) var scene: texture_multisampled_2d<f32>;
@group(0) @binding(1) var<uniform> output: OutputUniform;

// The tone curve, fixed when the pipeline is made.
override TONE: u32 = 1u;

@vertex
fn vs_tonemap(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_tonemap(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = position.xy - output.viewport.xy;
    let at = vec2<i32>(pixel);
    let light = 0.25 * (textureLoad(scene, at, 0) + textureLoad(scene, at, 1)
        + textureLoad(scene, at, 2) + textureLoad(scene, at, 3));
    let alpha = clamp(light.a, 0.0, 1.0);
    let color = max(tone(light.rgb * (output.options.y / max(alpha, 1e-4)), TONE), vec3(0.0));
    var result = vec4(color, alpha);
    if output.background_top.w == 0.0 {
        let down = pixel.y / output.viewport.w;
        let behind = mix(output.background_top.rgb, output.background_bottom.rgb, down);
        result = vec4(mix(behind, color, alpha), 1.0);
    }
    if output.options.x == 0.0 {
        result = vec4(srgb_from_linear(result.rgb), result.a);
    }
    // A gradient over a thousand rows has fewer steps than rows: noise of half a step hides them.
    let noise = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
    let is_gradient = any(output.background_top.rgb != output.background_bottom.rgb);
    let amount = select(0.0, 1.0 / 255.0, is_gradient && alpha < 0.999);
    return vec4(result.rgb + amount * noise, result.a);
}
