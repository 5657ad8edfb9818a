//! What lobes return of light that comes from everywhere: the table behind `specular_share` and `sheen_share` of the
//! shaders. 32 × 32 entries of four 16-bit floats: scale, bias, sheen, nothing; n·v runs along rows, roughness down.
//!
//! Scale and bias are the second part of the split sum (B. Karis, "Real Shading in Unreal Engine 4", 2013) over the lobe of
//! glTF 2.0 §B.3: GGX with height-correlated Smith. Sheen is the directional albedo of the lobe of `KHR_materials_sheen`.

/// Entries along each side.
pub const SIDE: usize = 32;

/// The file.
pub fn bytes() -> Vec<u8> {
    let cosines = half_circle(64);
    let mut bytes = Vec::with_capacity(SIDE * SIDE * 8);
    for row in 0..SIDE {
        let roughness = row as f64 / (SIDE - 1) as f64;
        for column in 0..SIDE {
            let n_v = (column as f64 / (SIDE - 1) as f64).max(1e-3);
            let (scale, bias) = specular(n_v, roughness, &cosines);
            let sheen = sheen(n_v, roughness, &cosines);
            for number in [scale, bias, sheen, 0.0] {
                bytes.extend(half_bits(number).to_le_bytes());
            }
        }
    }
    bytes
}

/// Cosines of `count` angles (a power of two) in the middle of equal parts of the half circle. By half-angle formulas:
/// square roots are the same everywhere, cosines of a machine's library need not be.
fn half_circle(count: usize) -> Vec<f64> {
    // All multiples of π / (2 count), by halving: cos(x/2) = √((1 + cos x) / 2), and sums of angles.
    let mut step = (-1.0_f64, 0.0_f64);
    let mut parts = 1;
    while parts < 2 * count {
        step = (((1.0 + step.0) / 2.0).sqrt(), ((1.0 - step.0) / 2.0).sqrt());
        parts *= 2;
    }
    let mut angle = (1.0, 0.0);
    let mut cosines = Vec::with_capacity(count);
    for place in 0..2 * count {
        if place % 2 == 1 {
            cosines.push(angle.0);
        }
        angle = (
            angle.0 * step.0 - angle.1 * step.1,
            angle.1 * step.0 + angle.0 * step.1,
        );
    }
    cosines
}

/// Scale and bias of the reflectance at normal incidence; half vectors are drawn as GGX has them.
fn specular(n_v: f64, roughness: f64, cosines: &[f64]) -> (f64, f64) {
    const RINGS: usize = 256;
    let alpha = roughness * roughness;
    let a2 = alpha * alpha;
    let view = ((1.0 - n_v * n_v).sqrt(), n_v);
    let (mut scale, mut bias) = (0.0, 0.0);
    for ring in 0..RINGS {
        let u = (ring as f64 + 0.5) / RINGS as f64;
        let n_h2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        let n_h = n_h2.sqrt();
        let sine = (1.0 - n_h2).max(0.0).sqrt();
        for cosine in cosines {
            let v_h = view.0 * sine * cosine + view.1 * n_h;
            let n_l = 2.0 * v_h * n_h - n_v;
            if v_h <= 0.0 || n_l <= 0.0 {
                continue;
            }
            let smith = n_l * (n_v * n_v * (1.0 - a2) + a2).sqrt()
                + n_v * (n_l * n_l * (1.0 - a2) + a2).sqrt();
            // Visibility × 4 (v·h) (n·l) / (n·h): what is left of the lobe over the density of its samples.
            let weight = 2.0 * v_h * n_l / (smith * n_h);
            let away = 1.0 - v_h;
            let fresnel = (away * away) * (away * away) * away;
            scale += (1.0 - fresnel) * weight;
            bias += fresnel * weight;
        }
    }
    let count = (RINGS * cosines.len()) as f64;
    (scale / count, bias / count)
}

/// The sheen lobe's directional albedo: Charlie's distribution and the shadowing of A. Estevez and Chr. Kulla, "Production
/// Friendly Microfacet Sheen BRDF", 2017. Half vectors lie evenly over sin²: the lobe is wide.
fn sheen(n_v: f64, roughness: f64, cosines: &[f64]) -> f64 {
    const RINGS: usize = 128;
    let alpha = (roughness * roughness).max(0.0049);
    let view = ((1.0 - n_v * n_v).sqrt(), n_v);
    let mut sum = 0.0;
    for ring in 0..RINGS {
        // Light comes from directions of equal solid angle.
        let n_l = (ring as f64 + 0.5) / RINGS as f64;
        let sine = (1.0 - n_l * n_l).sqrt();
        for cosine in cosines {
            let v_l = view.0 * sine * cosine + view.1 * n_l;
            let n_h = (n_v + n_l) / (2.0 + 2.0 * v_l).max(1e-12).sqrt();
            let sine_h = (1.0 - n_h * n_h).max(0.0).sqrt();
            let distribution =
                (2.0 + 1.0 / alpha) * sine_h.powf(1.0 / alpha) / (2.0 * std::f64::consts::PI);
            let shadowing = 1.0 / (1.0 + charlie_lambda(n_v, alpha) + charlie_lambda(n_l, alpha));
            sum += distribution * shadowing / (4.0 * n_v * n_l) * n_l;
        }
    }
    // Each sample stands for 2π / count of the half ball.
    let count = (RINGS * cosines.len()) as f64;
    (sum * 2.0 * std::f64::consts::PI / count).min(1.0)
}

/// Λ of the shadowing term, by the fit of that paper (`KHR_materials_sheen`, "Sheen Visibility").
fn charlie_lambda(cosine: f64, alpha: f64) -> f64 {
    let fit = |x: f64| {
        let t = (1.0 - alpha) * (1.0 - alpha);
        let mix = |rough: f64, smooth: f64| rough + t * (smooth - rough);
        let (a, b) = (mix(21.5473, 25.3245), mix(3.82987, 3.32435));
        let (c, d, e) = (
            mix(0.19823, 0.16801),
            mix(-1.97760, -1.27393),
            mix(-4.32054, -4.85967),
        );
        a / (1.0 + b * x.powf(c)) + d * x + e
    };
    if cosine < 0.5 {
        fit(cosine).exp()
    } else {
        (2.0 * fit(0.5) - fit(1.0 - cosine)).exp()
    }
}

/// The nearest 16-bit float (IEEE 754 binary16) of a number from 0 to 65504.
fn half_bits(number: f64) -> u16 {
    const SMALLEST_NORMAL: f64 = 1.0 / 16384.0;
    if number < SMALLEST_NORMAL {
        return (number * 16_777_216.0).round() as u16;
    }
    let bits = (number as f32).to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 15;
    let mantissa = bits & 0x7f_ffff;
    // A carry out of the mantissa rightly goes on into the exponent.
    (((exponent as u32) << 10) + ((mantissa + 0x1000) >> 13)) as u16
}
