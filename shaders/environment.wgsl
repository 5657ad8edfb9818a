// What shines on surfaces: the environment, prefiltered, and lights. Group 0, behind the frame's uniform.

// For all files that are joined with this one.
const PI: f32 = 3.14159265;

// The environment: each level as a lobe sees it whose roughness is the level's part of the last.
@group(0) @binding(1) var environment_map: texture_cube<f32>;
@group(0) @binding(2) var linear_sampler: sampler;
// Over n·v and roughness: scale and bias of the specular lobe, albedo of the sheen lobe.
@group(0) @binding(3) var share_table: texture_2d<f32>;

// 0: environment and shares by polynomials, no shadows. Fixed when the pipeline is made, as FEATURES is.
override QUALITY: u32 = 1u;

// Whether there may be lights that stand somewhere; fixed likewise: a software driver looks for their way, reach and cone
// even where none is near.
override NEAR_LIGHTS: bool = true;

// What may arrive from a light: far more than can be stored, which is seen to once all light is added up, and little enough
// that a mirror's highlight of it is a number.
const MAX_RADIANCE: f32 = 1e28;

// What arrives from one light at a place.
struct LightSample {
    to_light: vec3<f32>,
    // Such that a white Lambertian surface that faces the light gives back this over pi.
    radiance: vec3<f32>,
}

fn light_count() -> u32 {
    return frame.counts.x;
}

// What arrives from a light at a place, which is told from the eye (KHR_lights_punctual, "Range Property" and "Inner and
// Outer Cone Angles"), behind what throws shadows. The normal is that of the surface there, not bent by a map.
fn light_from(index: u32, position_from_eye: vec3<f32>, normal: vec3<f32>) -> LightSample {
    let light = frame.lights[index];
    var to_light = light.direction.xyz;
    var strength = 1.0;
    if NEAR_LIGHTS && light.direction.w > 0.0 {
        let away = light.position.xyz - position_from_eye;
        to_light = unit_or_zero(away);
        // Files are of any scale, so no distance is too small; candela over nothing is no number.
        let squared = max(dot(away, away), 1e-20);
        let ranges = squared * light.position.w;
        let cone = clamp(dot(to_light, light.direction.xyz) * light.cone.x + light.cone.y, 0.0, 1.0);
        strength = clamp(1.0 - ranges * ranges, 0.0, 1.0) * cone * cone / squared;
    }
    if QUALITY > 0u && light.intensity.w > 0.0 {
        strength *= unshadowed(beside_surface(position_from_eye, normal, to_light));
    }
    return LightSample(to_light, min(light.intensity.rgb * strength, vec3(MAX_RADIANCE)));
}

// From the world into the environment, which is turned about the vertical.
fn turned(direction: vec3<f32>) -> vec3<f32> {
    let turn = frame.environment.xy;
    return vec3(
        turn.x * direction.x - turn.y * direction.z,
        direction.y,
        turn.y * direction.x + turn.x * direction.z,
    );
}

// The polynomial of the environment, with its linear and its quadratic part strengthened.
fn harmonic_light(direction: vec3<f32>, linear: f32, quadratic: f32) -> vec3<f32> {
    let d = turned(direction);
    let first = frame.harmonics[1].rgb * d.y + frame.harmonics[2].rgb * d.z + frame.harmonics[3].rgb * d.x;
    let second = frame.harmonics[4].rgb * (d.x * d.y)
        + frame.harmonics[5].rgb * (d.y * d.z)
        + frame.harmonics[6].rgb * (3.0 * d.z * d.z - 1.0)
        + frame.harmonics[7].rgb * (d.x * d.z)
        + frame.harmonics[8].rgb * (d.x * d.x - d.y * d.y);
    return max(frame.harmonics[0].rgb + linear * first + quadratic * second, vec3(0.0));
}

// The radiance that comes from around a direction, as a lobe of this roughness sees it.
fn environment_specular(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    if QUALITY == 0u {
        // The cosine lobe takes 1/3 of the linear and 3/4 of the quadratic part; a narrower one takes less.
        return harmonic_light(direction, mix(1.5, 1.0, roughness), mix(3.0, 1.0, roughness));
    }
    let level = roughness * frame.environment.w;
    return textureSampleLevel(environment_map, linear_sampler, turned(direction), level).rgb * frame.environment.z;
}

// What a white Lambertian surface gives back of the environment: irradiance over pi.
fn environment_diffuse(normal: vec3<f32>) -> vec3<f32> {
    return harmonic_light(normal, 1.0, 1.0);
}

fn shares(n_v: f32, roughness: f32) -> vec3<f32> {
    // The table's first and last entries are for 0 and 1.
    let size = vec2<f32>(textureDimensions(share_table));
    let at = (vec2(n_v, roughness) * (size - 1.0) + 0.5) / size;
    return textureSampleLevel(share_table, linear_sampler, at, 0.0).xyz;
}

// The share of the environment that a specular lobe returns, as scale and bias of its reflectance at normal incidence.
fn specular_share(n_v: f32, roughness: f32) -> vec2<f32> {
    if QUALITY == 0u {
        // Fit by B. Karis, "Physically Based Shading on Mobile", 2014.
        let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
        let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
        return vec2(-1.04, 1.04) * a + r.zw;
    }
    return shares(n_v, roughness).xy;
}

// The share of the environment that the sheen lobe returns (KHR_materials_sheen, "Albedo-Scaling Technique").
fn sheen_share(n_v: f32, roughness: f32) -> f32 {
    return shares(n_v, roughness).z;
}
