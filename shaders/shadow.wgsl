// The key light's shadow: how much of it arrives at a place.

@group(0) @binding(4) var shadow_map: texture_depth_2d;
@group(0) @binding(5) var shadow_sampler: sampler_comparison;

// How much of the key light arrives, 0..1: a tent of 3 × 3 bilinear comparisons, so edges are soft over some 5 texels.
fn unshadowed(position: vec3<f32>) -> f32 {
    const APART: f32 = 1.5;
    let at = frame.shadow_from_world * vec4(position, 1.0);
    // What is farther away than all that throws shadows compares like the farthest of it.
    let depth = min(at.z, 1.0);
    var sum = 0.0;
    for (var y = -1; y <= 1; y += 1) {
        for (var x = -1; x <= 1; x += 1) {
            let offset = APART * frame.shadow.x * vec2(f32(x), f32(y));
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            sum += weight * textureSampleCompareLevel(shadow_map, shadow_sampler, at.xy + offset, depth);
        }
    }
    return sum;
}
