// A second scene as a coloured ghost over the first: strong where it lies in front, faint where it lies behind, and not
// there at all where both are the same. Depth is reversed: nearer is greater.

// Twin: render/layout.rs `GhostUniform`.
struct GhostUniform {
    // Linear; w: how much of it there is where it lies in front.
    tint: vec4<f32>,
    // In parallel projection the picture's heights in a depth of 1, else 0.
    heights: f32,
    pixels_per_point: f32,
}

@group(0) @binding(0) var<uniform> uniforms: GhostUniform;
@group(0) @binding(1) var ghost: texture_multisampled_2d<f32>;
@group(0) @binding(2) var ghost_depth: texture_depth_multisampled_2d;
@group(0) @binding(3) var scene_depth: texture_depth_multisampled_2d;

// How far apart surfaces are, as a part of their distance from the eye or, in parallel projection, of the picture's height,
// when they count as two: less is the noise of depth.
const APART: f32 = 0.0015;
// How much of what lies behind is seen through, for what lies in front.
const BEHIND: f32 = 0.35;
// Stripes tell the ghost from surfaces that have its colour: their width in points, and how much is left between them.
const STRIPE: f32 = 4.0;
const BETWEEN: f32 = 0.45;

@vertex
fn vs_ghost(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(vec2(f32(index << 1u & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_ghost(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return ghost_at(position.xy);
}

@fragment
fn fs_ghost_colors(@builtin(position) position: vec4<f32>) -> SceneColors {
    return light_alone(ghost_at(position.xy));
}

fn ghost_at(position: vec2<f32>) -> vec4<f32> {
    let at = vec2<i32>(position);
    let is_between = fract((position.x + position.y) / (2.0 * STRIPE * uniforms.pixels_per_point)) < 0.5;
    let stripe = select(1.0, BETWEEN, is_between);
    var sum = vec4(0.0);
    for (var i = 0; i < 4; i++) {
        let light = textureLoad(ghost, at, i);
        let alpha = clamp(light.a, 0.0, 1.0);
        let depth = textureLoad(ghost_depth, at, i);
        let behind_it = textureLoad(scene_depth, at, i);
        let part_of_distance = (depth - behind_it) / max(max(depth, behind_it), 1e-20);
        let heights = uniforms.heights;
        let gap = select(part_of_distance, (depth - behind_it) * heights, heights > 0.0);
        let strength = smoothstep(0.0, APART, abs(gap)) * select(BEHIND, 1.0, gap > 0.0);
        let part = alpha * strength * stripe * uniforms.tint.w;
        // Its own light keeps its form readable.
        let brightness = dot(light.rgb, vec3(0.2126, 0.7152, 0.0722)) / max(alpha, 1e-4);
        sum += part * vec4(uniforms.tint.rgb * mix(0.35, 1.0, clamp(brightness, 0.0, 1.0)), 1.0);
    }
    return 0.25 * sum;
}
