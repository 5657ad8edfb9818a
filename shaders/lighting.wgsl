// Metallic-roughness shading (glTF 2.0 appendix B) under a fixed studio: a key light, and surroundings given by a
// formula, so that metals have something to reflect. Image-based lighting takes the place of `surroundings` one day.

const PI: f32 = 3.14159265;

// Towards the light, in the world.
const KEY_DIRECTION: vec3<f32> = vec3(0.45, 0.74, 0.50);
const KEY_RADIANCE: vec3<f32> = vec3(2.25, 2.16, 2.02);
const FILL_DIRECTION: vec3<f32> = vec3(-0.76, 0.25, -0.60);
const FILL_RADIANCE: vec3<f32> = vec3(0.42, 0.50, 0.66);

const SKY: vec3<f32> = vec3(0.62, 0.66, 0.72);
const HORIZON: vec3<f32> = vec3(0.46, 0.47, 0.49);
const GROUND: vec3<f32> = vec3(0.25, 0.235, 0.22);

struct Reflectance {
    diffuse: vec3<f32>,
    // At normal incidence.
    specular: vec3<f32>,
    // Perceptual roughness squared.
    alpha: f32,
    roughness: f32,
}

// GGX distribution (B.3.2) and height-correlated Smith visibility (B.3.3), Schlick's Fresnel (B.3.4).
fn direct_light(
    surface: Reflectance,
    normal: vec3<f32>,
    to_eye: vec3<f32>,
    to_light: vec3<f32>,
    radiance: vec3<f32>,
) -> vec3<f32> {
    let halfway = normalize(to_eye + to_light);
    let n_l = clamp(dot(normal, to_light), 0.0, 1.0);
    let n_v = max(dot(normal, to_eye), 1e-4);
    let n_h = clamp(dot(normal, halfway), 0.0, 1.0);
    let v_h = clamp(dot(to_eye, halfway), 0.0, 1.0);
    let a2 = surface.alpha * surface.alpha;
    let spread = n_h * n_h * (a2 - 1.0) + 1.0;
    let distribution = a2 / (PI * spread * spread);
    let smith = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    let visibility = 0.5 / max(smith, 1e-5);
    let fresnel = surface.specular + (1.0 - surface.specular) * pow(1.0 - v_h, 5.0);
    let specular = fresnel * (distribution * visibility);
    let diffuse = (1.0 - fresnel) * surface.diffuse / PI;
    return (diffuse + specular) * radiance * n_l;
}

// What comes from a direction, seen through a lobe of this roughness.
fn surroundings(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    // Rough lobes average over the horizon, smooth ones see it as an edge.
    let softness = mix(0.06, 0.9, roughness);
    let upward = smoothstep(-softness, softness, direction.y);
    let base = mix(GROUND, mix(HORIZON, SKY, clamp(direction.y, 0.0, 1.0)), upward);
    // Two soft boxes; a wider lobe sees them dimmer and larger.
    let sharpness = mix(60.0, 1.5, sqrt(roughness));
    let key = exp((dot(direction, normalize(KEY_DIRECTION)) - 1.0) * sharpness) * mix(1.6, 0.22, roughness);
    let rim = exp((dot(direction, normalize(FILL_DIRECTION)) - 1.0) * sharpness) * mix(0.8, 0.16, roughness);
    return base + key * vec3(1.0, 0.97, 0.92) + rim * vec3(0.85, 0.93, 1.0);
}

// The share of the surroundings that a specular lobe returns, as scale and bias of its reflectance at normal incidence;
// fit by B. Karis, "Physically Based Shading on Mobile", 2014.
fn specular_share(n_v: f32, roughness: f32) -> vec2<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

fn light_surface(
    surface: Reflectance,
    normal: vec3<f32>,
    to_eye: vec3<f32>,
    occlusion: f32,
) -> vec3<f32> {
    let n_v = clamp(dot(normal, to_eye), 0.0, 1.0);
    let share = specular_share(n_v, surface.roughness);
    let single = surface.specular * share.x + share.y;
    // What a rough lobe loses by counting one bounce only comes back by further ones
    // (C. Fdez-Agüera, "A Multiple-Scattering Microfacet Model for Real-Time Image-based Lighting", 2019).
    let lost = 1.0 - (share.x + share.y);
    let average = surface.specular + (1.0 - surface.specular) / 21.0;
    let multiple = single * average * lost / (1.0 - average * lost);
    let reflected = reflect(-to_eye, normal);
    let from_surroundings = surroundings(reflected, surface.roughness) * (single + multiple)
        + surroundings(normal, 1.0) * surface.diffuse * (1.0 - single - multiple);
    return from_surroundings * occlusion
        + direct_light(surface, normal, to_eye, normalize(KEY_DIRECTION), KEY_RADIANCE)
        + direct_light(surface, normal, to_eye, normalize(FILL_DIRECTION), FILL_RADIANCE);
}
