// A thin film: what interference does to the Fresnel reflectance. L. Belcour and P. Barla, "A Practical Extension to
// Microfacet Theory for the Modeling of Varying Iridescence", 2017, simplified as in KHR_materials_iridescence.

// The reflectance of a film of this thickness over a surface that reflects `base` at normal incidence.
fn film_reflectance(cosine: f32, film_ior: f32, thickness_nm: f32, base: vec3<f32>) -> vec3<f32> {
    // A film that thins out ends in no film.
    let ior = mix(1.0, film_ior, smoothstep(0.0, 0.03, thickness_nm));
    let refracted_squared = 1.0 - (1.0 - cosine * cosine) / (ior * ior);
    if refracted_squared < 0.0 {
        return vec3(1.0);
    }
    let refracted = sqrt(refracted_squared);
    // From the air into the film.
    let outer = mix(normal_incidence(ior, 1.0), 1.0, schlick(cosine));
    let through = 1.0 - outer;
    let outer_phase = select(0.0, PI, ior < 1.0);
    // From the film into what lies below, whose index of refraction follows from `base`.
    let root = sqrt(clamp(base, vec3(0.0), vec3(0.9999)));
    let base_ior = (1.0 + root) / (1.0 - root);
    let ratio = (base_ior - ior) / (base_ior + ior);
    let inner = mix(ratio * ratio, vec3(1.0), schlick(refracted));
    let phase = vec3(PI - outer_phase) + select(vec3(0.0), vec3(PI), base_ior < vec3(ior));
    let path = 2.0 * ior * thickness_nm * 1e-9 * refracted;
    // All orders of reflection within the film: the mean, and the first two that interfere.
    let pair = clamp(outer * inner, vec3(1e-5), vec3(0.9999));
    let mean = through * through * inner / (1.0 - pair);
    var total = outer + mean;
    var order = mean - through;
    for (var m = 1; m <= 2; m += 1) {
        order *= sqrt(pair);
        total += order * 2.0 * spectral_sensitivity(f32(m) * path, f32(m) * phase);
    }
    return clamp(total, vec3(0.0), vec3(1.0));
}

fn normal_incidence(inner_ior: f32, outer_ior: f32) -> f32 {
    let ratio = (inner_ior - outer_ior) / (inner_ior + outer_ior);
    return ratio * ratio;
}

// How much of an interference pattern the eye's three receptors see: Gaussians fit to the CIE curves, in Fourier space
// (section 4 of the paper), turned to linear sRGB.
fn spectral_sensitivity(path: f32, shift: vec3<f32>) -> vec3<f32> {
    let phase = 2.0 * PI * path;
    let value = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
    let position = vec3(1.6810e6, 1.7953e6, 2.2084e6);
    let variance = vec3(4.3278e9, 9.3046e9, 6.6121e9);
    var xyz = value * sqrt(2.0 * PI * variance) * cos(position * phase + shift) * exp(-phase * phase * variance);
    xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e9) * cos(2.2399e6 * phase + shift.x) * exp(-4.5282e9 * phase * phase);
    // Columns; IEC 61966-2-1.
    let rgb_from_xyz = mat3x3(
        vec3(3.2404542, -0.9692660, 0.0556434),
        vec3(-1.5371385, 1.8760108, -0.2040259),
        vec3(-0.4985314, 0.0415560, 1.0572252),
    );
    return rgb_from_xyz * (xyz / 1.0685e-7);
}
