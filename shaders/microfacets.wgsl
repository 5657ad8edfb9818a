// Distributions and visibilities of microfacets: functions of angles alone, each with a twin in
// tests/pictures/lobe_twins.rs.

// A share of grazing light: what Schlick's Fresnel mixes by (glTF 2.0 §B.3.4).
fn schlick(cosine: f32) -> f32 {
    let rest = clamp(1.0 - cosine, 0.0, 1.0);
    let squared = rest * rest;
    return squared * squared * rest;
}

// Roughness 0 would make a highlight without width (glTF 2.0 §3.9.2 leaves the lower bound to us).
const MIN_ROUGHNESS: f32 = 0.045;
const MIN_SHEEN_ROUGHNESS: f32 = 0.07;

// GGX distribution times height-correlated Smith visibility (glTF 2.0 §B.3.2 and §B.3.3); `alpha` is roughness squared.
fn ggx(alpha: f32, n_l: f32, n_v: f32, n_h: f32) -> f32 {
    let a2 = alpha * alpha;
    let spread = n_h * n_h * (a2 - 1.0) + 1.0;
    let distribution = a2 / (PI * spread * spread);
    if QUALITY == 0u {
        // Without roots (E. Hammon, "PBR Diffuse Lighting for GGX+Smith Microsurfaces", 2017).
        return distribution * 0.5 / max(mix(2.0 * n_l * n_v, n_l + n_v, alpha), 1e-5);
    }
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

// The share of the environment that this lobe returns, as scale and bias of its reflectance at normal incidence: a table
// would have four dimensions, so some microfacets that the eye sees stand for all (E. Heitz, "Sampling the GGX Distribution
// of Visible Normals", 2018). Each counts by the part of its light that others do not catch on the way out.
fn anisotropic_share(alphas: vec2<f32>, view: vec3<f32>) -> vec2<f32> {
    const COUNT: u32 = 40u;
    let stretched = normalize(vec3(alphas * view.xy, view.z));
    let across = dot(stretched.xy, stretched.xy);
    let first = select(
        vec3(1.0, 0.0, 0.0),
        vec3(-stretched.y, stretched.x, 0.0) * inverseSqrt(max(across, 1e-12)),
        across > 1e-12,
    );
    let second = cross(stretched, first);
    let tilt = 0.5 * (1.0 + stretched.z);
    let masked = smith_lambda(alphas, view);
    var sum = vec2(0.0);
    for (var index = 0u; index < COUNT; index += 1u) {
        // Evenly over a disc: the golden ratio of a turn from each to the next.
        let radius_squared = (f32(index) + 0.5) / f32(COUNT);
        let angle = 2.0 * PI * fract(f32(index) * 0.618034 + 0.35);
        let x = sqrt(radius_squared) * cos(angle);
        let y = mix(sqrt(max(1.0 - x * x, 0.0)), sqrt(radius_squared) * sin(angle), tilt);
        let z = sqrt(max(1.0 - x * x - y * y, 0.0));
        let facet = x * first + y * second + z * stretched;
        let halfway = normalize(vec3(alphas * facet.xy, max(facet.z, 1e-6)));
        let light = reflect(-view, halfway);
        if light.z > 0.0 {
            let left = (1.0 + masked) / (1.0 + masked + smith_lambda(alphas, light));
            let grazing = schlick(dot(view, halfway));
            sum += left * vec2(1.0 - grazing, grazing);
        }
    }
    return sum / f32(COUNT);
}

// Smith's auxiliary function: what is hidden for each that is seen.
fn smith_lambda(alphas: vec2<f32>, direction: vec3<f32>) -> f32 {
    let slope = alphas * direction.xy / max(direction.z, 1e-4);
    return 0.5 * (sqrt(1.0 + dot(slope, slope)) - 1.0);
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
