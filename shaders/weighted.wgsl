// Blended surfaces that were summed up in no order, laid over the scene: sample by sample, so that edges of what is opaque
// before them stay sharp.

@group(0) @binding(0) var weighted_sum: texture_multisampled_2d<f32>;
// What all of them together let through.
@group(0) @binding(1) var weighted_left: texture_multisampled_2d<f32>;
// Like the first, of colours that are shown as they are, where the scene has any.
@group(0) @binding(2) var weighted_shown: texture_multisampled_2d<f32>;

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
    return vec4(mean_light(sum), 1.0) * hidden;
}

// The mean colour of all that is there. Sums of very many bright layers may be infinite.
fn mean_light(sum: vec4<f32>) -> vec3<f32> {
    return dimmed_to(min(sum.rgb, vec3(2.0 * BRIGHTEST)) / max(sum.a, 1e-7), BRIGHTEST);
}

// Laid over scenes that have colours which are shown as they are in two steps, each with as much of its own as weights say:
// light first, which dims both parts of the scene by what all layers hide, then shown colours, which are added.
@fragment
fn fs_light_laid_over(
    @builtin(position) position: vec4<f32>,
    @builtin(sample_index) sample: u32,
) -> SceneColors {
    let at = vec2<i32>(position.xy);
    let sum = textureLoad(weighted_sum, at, sample);
    let shown = textureLoad(weighted_shown, at, sample);
    let hidden = 1.0 - textureLoad(weighted_left, at, sample).r;
    let share = sum.a / max(sum.a + shown.a, 1e-7);
    return light_alone(vec4(mean_light(sum) * share, 1.0) * hidden);
}

@fragment
fn fs_shown_laid_over(
    @builtin(position) position: vec4<f32>,
    @builtin(sample_index) sample: u32,
) -> SceneColors {
    let at = vec2<i32>(position.xy);
    let sum = textureLoad(weighted_sum, at, sample);
    let shown = textureLoad(weighted_shown, at, sample);
    let hidden = 1.0 - textureLoad(weighted_left, at, sample).r;
    return SceneColors(vec4(0.0), shown * (hidden / max(sum.a + shown.a, 1e-7)));
}
