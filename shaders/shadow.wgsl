// The key light's shadow: how much of it arrives at a place, which is told from the eye.

@group(0) @binding(4) var shadow_map: texture_depth_2d;
@group(0) @binding(5) var shadow_sampler: sampler_comparison;

// Where the map is asked about a place on a surface with this normal: beside the surface, on the light's side. The comparisons
// reach two texels aside, and a plane that leans by an angle is that far out of its own way two texels times the sine above
// itself. Normals of vertices are those of what its facets stand for, so half a texel more; and where the light only just
// passes by, the facets' outlines lie inside what they stand for, by up to some three texels where a sphere has 16 facets
// around.
fn beside_surface(position_from_eye: vec3<f32>, normal: vec3<f32>, to_light: vec3<f32>) -> vec3<f32> {
    let cosine = dot(normal, to_light);
    let sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    let grazing = 1.0 - abs(cosine);
    let texels = 0.5 + 2.0 * sine + 3.0 * grazing * grazing;
    // What faces away a little still stands for what is lit, and has no step where it is lit by a bent normal; beyond that
    // it is the light behind the surface that passes through it.
    let side = clamp(1.0 + 10.0 * cosine, -1.0, 1.0);
    return position_from_eye + normal * (side * texels * frame.shadow.z);
}

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
