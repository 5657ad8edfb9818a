//! The lobes of surfaces in double precision, from the specification's formulas.

use std::{f64::consts::PI, sync::OnceLock};

/// Entries along each side of the table of shares.
pub(super) const SHARES_SIDE: usize = 33;

/// Scale, bias and sheen over n·v and roughness.
pub(super) fn share_table() -> &'static [[f32; 4]] {
    static TABLE: OnceLock<Vec<[f32; 4]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let part = |index: usize| index as f64 / (SHARES_SIDE - 1) as f64;
        let entry = |index: usize| {
            let (n_v, roughness) = (part(index % SHARES_SIDE), part(index / SHARES_SIDE));
            let (n_v, roughness) = (n_v.max(1e-3), roughness.max(0.02));
            let [scale, bias] = specular_shares(n_v, roughness);
            [scale, bias, sheen_share(n_v, roughness.max(0.07)), 0.0].map(|number| number as f32)
        };
        (0..SHARES_SIDE * SHARES_SIDE).map(entry).collect()
    })
}

/// GGX and height-correlated Smith (glTF 2.0 §B.3.2, §B.3.3) over the half ball, split by Schlick's Fresnel (§B.3.4).
fn specular_shares(n_v: f64, roughness: f64) -> [f64; 2] {
    const STEPS: usize = 64;
    let a2 = roughness.powi(4);
    let sine_v = (1.0 - n_v * n_v).sqrt();
    let mut shares = [0.0; 2];
    for ring in 0..STEPS {
        let u = (ring as f64 + 0.5) / STEPS as f64;
        let n_h = ((1.0 - u) / (1.0 + (a2 - 1.0) * u)).sqrt();
        let sine_h = (1.0 - n_h * n_h).sqrt();
        for spoke in 0..STEPS {
            let angle = PI * (spoke as f64 + 0.5) / STEPS as f64;
            let v_h = sine_v * sine_h * angle.cos() + n_v * n_h;
            let n_l = 2.0 * v_h * n_h - n_v;
            if v_h <= 0.0 || n_l <= 0.0 {
                continue;
            }
            // G / (4 n·l n·v) as V; what is left over the density of half vectors is 4 V (v·h) (n·l) / (n·h).
            let smith = |n: f64| (a2 + (1.0 - a2) * n * n).sqrt();
            let visibility = 0.5 / (n_l * smith(n_v) + n_v * smith(n_l));
            let weight = 4.0 * visibility * v_h * n_l / n_h;
            let fresnel = (1.0 - v_h).powi(5);
            shares[0] += weight * (1.0 - fresnel);
            shares[1] += weight * fresnel;
        }
    }
    shares.map(|share| share / (STEPS * STEPS) as f64)
}

/// Charlie's distribution with the shadowing of Estevez and Kulla, 2017 (`KHR_materials_sheen`).
pub(super) fn sheen_share(n_v: f64, roughness: f64) -> f64 {
    const STEPS: usize = 96;
    let alpha = roughness * roughness;
    let lambda = |cosine: f64| {
        let t = (1.0 - alpha).powi(2);
        let between = |rough: f64, smooth: f64| rough + t * (smooth - rough);
        let (a, b) = (between(21.5473, 25.3245), between(3.82987, 3.32435));
        let (c, d) = (between(0.19823, 0.16801), between(-1.97760, -1.27393));
        let e = between(-4.32054, -4.85967);
        let curve = |x: f64| a / (1.0 + b * x.powf(c)) + d * x + e;
        if cosine < 0.5 {
            curve(cosine).exp()
        } else {
            (2.0 * curve(0.5) - curve(1.0 - cosine)).exp()
        }
    };
    let (sine_v, lambda_v) = ((1.0 - n_v * n_v).sqrt(), lambda(n_v));
    let mut sum = 0.0;
    for ring in 0..STEPS {
        let n_l = (ring as f64 + 0.5) / STEPS as f64;
        let sine_l = (1.0 - n_l * n_l).sqrt();
        let shadowing = 4.0 * n_l * n_v * (1.0 + lambda_v + lambda(n_l));
        for spoke in 0..STEPS {
            let angle = PI * (spoke as f64 + 0.5) / STEPS as f64;
            let half = [
                sine_v + sine_l * angle.cos(),
                sine_l * angle.sin(),
                n_v + n_l,
            ];
            let n_h2 = half[2].powi(2) / half.iter().map(|part| part * part).sum::<f64>();
            let distribution =
                (2.0 + 1.0 / alpha) * (1.0 - n_h2).max(0.0).powf(0.5 / alpha) / (2.0 * PI);
            sum += distribution / shadowing * n_l;
        }
    }
    (sum * 2.0 * PI / (STEPS * STEPS) as f64).min(1.0)
}

/// What the lobe of grooved white metal returns (`KHR_materials_anisotropy`, "Individual lobes") after one bounce.
pub(super) fn grooved_share(n_v: f64, azimuth: f64, roughness: f64, strength: f64) -> f64 {
    const STEPS: usize = 400;
    let across = roughness * roughness;
    let along = across + strength * strength * (1.0 - across);
    let sine_v = (1.0 - n_v * n_v).sqrt();
    let view = [sine_v * azimuth.cos(), sine_v * azimuth.sin(), n_v];
    let stretched =
        |[x, y, z]: [f64; 3]| ((along * x).powi(2) + (across * y).powi(2) + z * z).sqrt();
    let mut sum = 0.0;
    for ring in 0..STEPS {
        let n_l = (ring as f64 + 0.5) / STEPS as f64;
        let sine_l = (1.0 - n_l * n_l).sqrt();
        for spoke in 0..STEPS {
            let angle = 2.0 * PI * (spoke as f64 + 0.5) / STEPS as f64;
            let light = [sine_l * angle.cos(), sine_l * angle.sin(), n_l];
            let half = [0, 1, 2].map(|axis| view[axis] + light[axis]);
            let length = half.iter().map(|part| part * part).sum::<f64>().sqrt();
            let half = half.map(|part| part / length);
            // D = 1 / (π a b ((x/a)² + (y/b)² + z²)²).
            let spread = (half[0] / along).powi(2) + (half[1] / across).powi(2) + half[2].powi(2);
            let distribution = 1.0 / (PI * along * across * spread * spread);
            let visibility = 0.5 / (n_l * stretched(view) + n_v * stretched(light));
            sum += distribution * visibility * n_l;
        }
    }
    sum * 2.0 * PI / (STEPS * STEPS) as f64
}

/// A film's reflectance: the first orders of interference at each wave number, weighted by the Gaussians that stand for
/// the eye's receptors (Belcour and Barla 2017, section 4), summed up wave number by wave number.
pub(super) fn film(cosine: f64, film_ior: f64, thickness_nm: f64, base: f64) -> [f64; 3] {
    let edge = (thickness_nm / 0.03).clamp(0.0, 1.0);
    let ior = 1.0 + (film_ior - 1.0) * edge * edge * (3.0 - 2.0 * edge);
    let refracted = (1.0 - (1.0 - cosine * cosine) / (ior * ior)).sqrt();
    let schlick =
        |at_normal: f64, cosine: f64| at_normal + (1.0 - at_normal) * (1.0 - cosine).powi(5);
    let normal = |a: f64, b: f64| ((a - b) / (a + b)).powi(2);
    let outer = schlick(normal(ior, 1.0), cosine);
    let root = base.min(0.9999).sqrt();
    let base_ior = (1.0 + root) / (1.0 - root);
    let inner = schlick(normal(base_ior, ior), refracted);
    // Reflection at what is denser turns the phase by half a wave.
    let phase = PI + if base_ior < ior { PI } else { 0.0 };
    let path = 2.0 * ior * thickness_nm * 1e-9 * refracted;
    let pair = (outer * inner).clamp(1e-5, 0.9999);
    let mean = (1.0 - outer).powi(2) * inner / (1.0 - pair);
    let reflected = |wave_number: f64| {
        let order = |m: f64| {
            let strength = (mean - (1.0 - outer)) * pair.powf(0.5 * m);
            2.0 * strength * (m * (wave_number * path + phase)).cos()
        };
        order(1.0) + order(2.0)
    };
    // Weight, middle and variance of each Gaussian over 2π / wavelength, for X, Y, Z and the second hump of X.
    let humps = [
        (0, 5.4856e-13, 1.6810e6, 4.3278e9),
        (1, 4.4201e-13, 1.7953e6, 9.3046e9),
        (2, 5.2481e-13, 2.2084e6, 6.6121e9),
        (0, 9.7470e-14, 2.2399e6, 4.5282e9),
    ];
    let mut xyz = [0.0; 3];
    for (receptor, weight, middle, variance) in humps {
        // The paper's Fourier transform turns by 2π per wave: middle and variance are over the wave number times 2π.
        let deviation = f64::sqrt(2.0 * variance);
        const STEPS: i32 = 400;
        for step in -STEPS..=STEPS {
            let at = 5.0 * f64::from(step) / f64::from(STEPS);
            let density = (-0.5 * at * at).exp() / (2.0 * PI).sqrt() * 5.0 / f64::from(STEPS);
            let wave_number = 2.0 * PI * (middle + deviation * at);
            xyz[receptor] +=
                weight * f64::sqrt(2.0 * PI * variance) * density * reflected(wave_number)
                    / 1.0685e-7;
        }
    }
    let [x, y, z] = xyz;
    // IEC 61966-2-1.
    let rgb = [
        3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
        -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
        0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
    ];
    rgb.map(|color| outer + mean + color)
}

/// What a metal returns of even light from all around, which reflects `at_normal` at normal incidence, after as many bounces
/// as it takes: random walks on the microsurface, whose facets lie at random heights (E. Heitz, J. Hanika, E. d'Eon and C.
/// Dachsbacher, "Multiple-Scattering Microfacet BSDFs with the Smith Model", 2016).
pub(super) fn walked_albedo(n_v: f64, roughness: f64, at_normal: f64) -> f64 {
    const WALKS: usize = 20_000;
    let alpha = roughness * roughness;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        // Xorshift64 (G. Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let mut sum = 0.0;
    for _ in 0..WALKS {
        let mut way = [-(1.0 - n_v * n_v).sqrt(), 0.0, -n_v];
        // The share of the surface that lies below.
        let (mut height, mut weight) = (1.0_f64, 1.0);
        for _ in 0..40 {
            let slope_squared = (1.0 - way[2] * way[2]) / (way[2] * way[2]).max(1e-12);
            let lambda =
                0.5 * (way[2].signum() * (1.0 + alpha * alpha * slope_squared).sqrt() - 1.0);
            let chance = random();
            if way[2] > 0.0 && chance < height.powf(lambda) {
                sum += weight;
                break;
            }
            height = (height * chance.powf(-1.0 / lambda)).clamp(1e-9, 1.0);
            let facet = facet_met(way.map(|part| -part), alpha, [random(), random()]);
            let cosine: f64 = -way.iter().zip(facet).map(|(a, b)| a * b).sum::<f64>();
            weight *= at_normal + (1.0 - at_normal) * (1.0 - cosine.clamp(0.0, 1.0)).powi(5);
            for (part, facet) in way.iter_mut().zip(facet) {
                *part += 2.0 * cosine * facet;
            }
        }
    }
    sum / WALKS as f64
}

/// A facet as it is met by what comes from a direction, by two random numbers.
fn facet_met(from: [f64; 3], alpha: f64, [u, v]: [f64; 2]) -> [f64; 3] {
    let unit = |[x, y, z]: [f64; 3]| {
        let length = (x * x + y * y + z * z).sqrt();
        [x / length, y / length, z / length]
    };
    let [x, y, z] = unit([alpha * from[0], alpha * from[1], from[2]]);
    let angle = 2.0 * PI * u;
    let up = (1.0 - v) * (1.0 + z) - z;
    let aside = (1.0 - up * up).max(0.0).sqrt();
    unit([
        alpha * (aside * angle.cos() + x),
        alpha * (aside * angle.sin() + y),
        (up + z).max(1e-9),
    ])
}
