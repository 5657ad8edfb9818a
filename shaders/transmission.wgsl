// Light that passes through surfaces: what of the scene is seen through them. Group 0, beside the frame's uniform.

// All that is opaque, and a background that is known, in linear light with alpha premultiplied; smaller levels are what
// rough surfaces see.
@group(0) @binding(8) var scene_copy: texture_2d<f32>;
@group(0) @binding(9) var scene_copy_sampler: sampler;

// What comes from behind: light, what the inside leaves of it, and how much of a background would still be seen.
struct LightBehind {
    light: vec3<f32>,
    emptiness: vec3<f32>,
}

// The share of light that is left after a way through the inside (KHR_materials_volume, "Attenuation": Beer's law).
fn volume_share(distance: f32) -> vec3<f32> {
    if !has(HAS_VOLUME) {
        return vec3(1.0);
    }
    return exp(-material.volume.rgb * distance);
}

// Surfaces of an index near 1 bend light little, and so scatter it little.
fn transmission_roughness(roughness: f32) -> f32 {
    return roughness * clamp(2.0 * material.ior - 2.0, 0.0, 1.0);
}

fn light_behind(surface: MaterialSurface, to_eye: vec3<f32>, position_from_eye: vec3<f32>) -> LightBehind {
    if !has(HAS_DISPERSION) {
        return light_through(surface, to_eye, position_from_eye, material.ior);
    }
    // Red, green and blue each have an index of their own (KHR_materials_dispersion, "Implementation").
    let spread = 0.025 * (material.ior - 1.0) * material.dispersion;
    let red = light_through(surface, to_eye, position_from_eye, material.ior - spread);
    let green = light_through(surface, to_eye, position_from_eye, material.ior);
    let blue = light_through(surface, to_eye, position_from_eye, material.ior + spread);
    return LightBehind(
        vec3(red.light.r, green.light.g, blue.light.b),
        vec3(red.emptiness.r, green.emptiness.g, blue.emptiness.b),
    );
}

// Thin walls leave the way of light as it is; a volume bends it, and it leaves on the far side of the thickness.
fn light_through(
    surface: MaterialSurface,
    to_eye: vec3<f32>,
    position_from_eye: vec3<f32>,
    ior: f32,
) -> LightBehind {
    var way = vec3(0.0);
    if has(HAS_VOLUME) {
        way = refract(-to_eye, surface.normal, 1.0 / max(ior, 1.0)) * surface.thickness;
    }
    let exit = frame.clip_from_eye * vec4(position_from_eye + way, 1.0);
    let at = exit.xy / max(exit.w, 1e-6) * vec2(0.5, -0.5) + 0.5;
    let seen = blurred_copy(at, transmission_roughness(surface.roughness));
    let left = volume_share(length(way));
    return LightBehind(seen.rgb * left, left * (1.0 - seen.a));
}

// The scene as a rough surface sees it. Each level halves the size, so that full roughness sees one colour.
fn blurred_copy(at: vec2<f32>, roughness: f32) -> vec4<f32> {
    let size = vec2<f32>(textureDimensions(scene_copy));
    let level = roughness * log2(max(size.x, size.y));
    // Four places half a texel of the level away make a smooth curve of its squares.
    let step = 0.5 * exp2(level) * clamp(level, 0.0, 1.0) / size;
    let sum = textureSampleLevel(scene_copy, scene_copy_sampler, at + step * vec2(-1.0, -1.0), level)
        + textureSampleLevel(scene_copy, scene_copy_sampler, at + step * vec2(1.0, -1.0), level)
        + textureSampleLevel(scene_copy, scene_copy_sampler, at + step * vec2(-1.0, 1.0), level)
        + textureSampleLevel(scene_copy, scene_copy_sampler, at + step * vec2(1.0, 1.0), level);
    return 0.25 * sum;
}

// The light of a lamp behind the surface: the lobe that mirrors it, turned to the far side (KHR_materials_transmission,
// "Transmission BTDF"). Times the cosine.
fn transmitted_lobe(surface: MaterialSurface, answer: Answer, to_light: vec3<f32>) -> f32 {
    let cosine = dot(surface.normal, to_light);
    let mirrored = to_light - 2.0 * cosine * surface.normal;
    let n_l = clamp(-cosine, 0.0, 1.0);
    let halfway = normalize(mirrored + answer.to_eye + surface.normal * 1e-5);
    let roughness = max(transmission_roughness(surface.roughness), MIN_ROUGHNESS);
    return ggx(roughness * roughness, n_l, answer.n_v, clamp(dot(surface.normal, halfway), 0.0, 1.0)) * n_l;
}

// How much of a background a surface hides that lets this share of light pass: one alpha for all colours. Backgrounds that
// are known are in the copy.
fn hidden_by(behind: LightBehind, share: vec3<f32>) -> f32 {
    return clamp(1.0 - dot(behind.emptiness * share, vec3(1.0 / 3.0)), 0.0, 1.0);
}
