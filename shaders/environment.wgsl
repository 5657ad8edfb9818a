// What shines on surfaces: surroundings and lights. A fixed studio, given by formulas.

const PI: f32 = 3.14159265;

// Towards the light, in the world.
const KEY_DIRECTION: vec3<f32> = vec3(0.45, 0.74, 0.50);
const KEY_RADIANCE: vec3<f32> = vec3(2.25, 2.16, 2.02);
const FILL_DIRECTION: vec3<f32> = vec3(-0.76, 0.25, -0.60);
const FILL_RADIANCE: vec3<f32> = vec3(0.42, 0.50, 0.66);

const SKY: vec3<f32> = vec3(0.62, 0.66, 0.72);
const HORIZON: vec3<f32> = vec3(0.46, 0.47, 0.49);
const GROUND: vec3<f32> = vec3(0.25, 0.235, 0.22);

// What arrives from one light at a place.
struct LightSample {
    to_light: vec3<f32>,
    // Such that a white Lambertian surface that faces the light gives back this over pi.
    radiance: vec3<f32>,
}

fn light_count() -> u32 {
    return 2u;
}

// What arrives from a light at a place in the world.
fn light_from(index: u32, position: vec3<f32>) -> LightSample {
    if index == 0u {
        return LightSample(normalize(KEY_DIRECTION), KEY_RADIANCE);
    }
    return LightSample(normalize(FILL_DIRECTION), FILL_RADIANCE);
}

// The radiance that comes from around a direction, as a lobe of this roughness sees it.
fn environment_specular(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
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

// What a white Lambertian surface gives back of the surroundings: irradiance over pi.
fn environment_diffuse(normal: vec3<f32>) -> vec3<f32> {
    return environment_specular(normal, 1.0);
}

// The share of the surroundings that a specular lobe returns, as scale and bias of its reflectance at normal incidence;
// fit by B. Karis, "Physically Based Shading on Mobile", 2014.
fn specular_share(n_v: f32, roughness: f32) -> vec2<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// The share of the surroundings that the sheen lobe of `charlie` returns; fit to its integral, within 0.05.
fn sheen_share(n_v: f32, roughness: f32) -> f32 {
    let angle = vec4(1.0, n_v, n_v * n_v, sqrt(n_v));
    let constant = dot(angle, vec4(-0.4279, 2.0826, 1.8214, -2.0356));
    let rough = dot(angle, vec4(0.3554, -2.2396, -0.5174, 1.2792));
    let smooth_part = dot(angle, vec4(0.1537, -0.5804, -1.5036, -0.1875));
    return clamp(exp(constant + rough * roughness + smooth_part / roughness), 0.0, 1.0);
}
