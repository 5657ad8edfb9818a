// Blended surfaces that were summed up in no order, laid over the scene: sample by sample, so that edges of what is opaque
// before them stay sharp.

@group(0) @binding(0) var weighted_sum: texture_multisampled_2d<f32>;
// What all of them together let through.
@group(0) @binding(1) var weighted_left: texture_multisampled_2d<f32>;

@vertex
fn vs_weighted(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_laid_over(
    @builtin(position) position: vec4<f32>,
    @builtin(sample_index) sample: u32,
) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let sum = textureLoad(weighted_sum, at, sample);
    let hidden = 1.0 - textureLoad(weighted_left, at, sample).r;
    // The mean colour of all that is there, as much of it as they hide. Sums of very many bright layers may be infinite.
    let mean = dimmed_to(min(sum.rgb, vec3(2.0 * BRIGHTEST)) / max(sum.a, 1e-7), BRIGHTEST);
    return vec4(mean, 1.0) * hidden;
}
