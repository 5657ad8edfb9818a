// Distributions and visibilities of microfacets: functions of angles alone, each with a twin in tests/pictures/lobe_twins.rs.

// A share of grazing light: what Schlick's Fresnel mixes by (glTF 2.0 §B.3.4).
fn schlick(cosine: f32) -> f32 {
    let rest = clamp(1.0 - cosine, 0.0, 1.0);
    let squared = rest * rest;
    return squared * squared * rest;
}

// Roughness 0 would make a highlight without width (glTF 2.0 §3.9.2 leaves the lower bound to us).
const LEAST_ROUGHNESS: f32 = 0.045;
const LEAST_SHEEN_ROUGHNESS: f32 = 0.07;

// GGX distribution times height-correlated Smith visibility (glTF 2.0 §B.3.2 and §B.3.3); `alpha` is roughness squared.
fn ggx(alpha: f32, n_l: f32, n_v: f32, n_h: f32) -> f32 {
    let a2 = alpha * alpha;
    let spread = n_h * n_h * (a2 - 1.0) + 1.0;
    let distribution = a2 / (PI * spread * spread);
    let smith = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    return distribution * 0.5 / max(smith, 1e-5);
}

// The same drawn out along one direction (KHR_materials_anisotropy, "Individual lobes"): `alphas` along and across;
// `half`, `light` and `view` in the frame of along, across, normal.
fn ggx_anisotropic(alphas: vec2<f32>, half: vec3<f32>, light: vec3<f32>, view: vec3<f32>) -> f32 {
    let product = alphas.x * alphas.y;
    let f = vec3(alphas.y * half.x, alphas.x * half.y, product * half.z);
    let w = product / max(dot(f, f), 1e-12);
    let distribution = product * w * w / PI;
    let smith = light.z * length(vec3(alphas * view.xy, view.z)) + view.z * length(vec3(alphas * light.xy, light.z));
    return distribution * 0.5 / max(smith, 1e-5);
}

// Fibres: the distribution and visibility of A. C. Estevez and C. Kulla, "Production Friendly Microfacet Sheen BRDF",
// 2017 (KHR_materials_sheen, "Sheen distribution" and "Sheen visibility").
fn charlie(roughness: f32, n_l: f32, n_v: f32, n_h: f32) -> f32 {
    let alpha = roughness * roughness;
    let exponent = 1.0 / alpha;
    let sine_squared = max(1.0 - n_h * n_h, 1e-7);
    let distribution = (2.0 + exponent) * pow(sine_squared, 0.5 * exponent) / (2.0 * PI);
    let shadowing = 1.0 + charlie_lambda(alpha, n_l) + charlie_lambda(alpha, n_v);
    return distribution / max(shadowing * 4.0 * n_l * n_v, 1e-5);
}

fn charlie_lambda(alpha: f32, cosine: f32) -> f32 {
    if cosine < 0.5 {
        return exp(charlie_curve(alpha, cosine));
    }
    return exp(2.0 * charlie_curve(alpha, 0.5) - charlie_curve(alpha, 1.0 - cosine));
}

// The paper's table for a smooth and a rough lobe, mixed as it says.
fn charlie_curve(alpha: f32, cosine: f32) -> f32 {
    let smoothness = (1.0 - alpha) * (1.0 - alpha);
    let k = mix(vec4(21.5473, 3.82987, 0.19823, -1.97760), vec4(25.3245, 3.32435, 0.16801, -1.27393), smoothness);
    let last = mix(-4.32054, -4.85967, smoothness);
    return k.x / (1.0 + k.y * pow(max(cosine, 1e-5), k.z)) + k.w * cosine + last;
}
