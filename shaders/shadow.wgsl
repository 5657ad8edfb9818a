// The key light's shadow: how much of it arrives at a place, which is told from the eye.

@group(0) @binding(4) var shadow_map: texture_depth_2d;
@group(0) @binding(5) var shadow_sampler: sampler_comparison;

// How much of the key light arrives, 0..1: four bilinear comparisons side by side, so edges are soft over some four texels.
fn unshadowed(position_from_eye: vec3<f32>) -> f32 {
    const ASIDE: f32 = 0.9;
    let at = frame.shadow_from_eye * vec4(position_from_eye, 1.0);
    // The map says nothing of what lies beside it, not even that its edge goes on.
    if any(at.xy < vec2(0.0)) || any(at.xy > vec2(1.0)) {
        return 1.0;
    }
    // What is farther away than all that throws shadows compares like the farthest of it.
    let depth = min(at.z, 1.0);
    let aside = ASIDE * frame.shadow.x;
    return 0.25 * (textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + vec2(-aside, -aside), depth)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + vec2(aside, -aside), depth)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + vec2(-aside, aside), depth)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + vec2(aside, aside), depth));
}
