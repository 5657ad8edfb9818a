// Metallic-roughness shading (glTF 2.0 appendix B) by lights and surroundings.

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

fn light_surface(
    surface: Reflectance,
    normal: vec3<f32>,
    position_from_eye: vec3<f32>,
    occlusion: f32,
) -> vec3<f32> {
    let to_eye = normalize(-position_from_eye);
    let n_v = clamp(dot(normal, to_eye), 0.0, 1.0);
    let share = specular_share(n_v, surface.roughness);
    let single = surface.specular * share.x + share.y;
    // What a rough lobe loses by counting one bounce only comes back by further ones
    // (C. Fdez-Agüera, "A Multiple-Scattering Microfacet Model for Real-Time Image-based Lighting", 2019).
    let lost = 1.0 - (share.x + share.y);
    let average = surface.specular + (1.0 - surface.specular) / 21.0;
    let multiple = single * average * lost / (1.0 - average * lost);
    let reflected = reflect(-to_eye, normal);
    let from_surroundings = environment_specular(reflected, surface.roughness) * (single + multiple)
        + environment_diffuse(normal) * surface.diffuse * (1.0 - single - multiple);
    var light = from_surroundings * occlusion;
    for (var index = 0u; index < light_count(); index += 1u) {
        let sample = light_from(index, position_from_eye + frame.eye.xyz);
        light += direct_light(surface, normal, to_eye, sample.to_light, sample.radiance);
    }
    return light;
}
