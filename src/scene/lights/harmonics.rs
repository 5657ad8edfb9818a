//! An environment as nine numbers: what matt surfaces give back of it (R. Ramamoorthi and P. Hanrahan, "An Efficient
//! Representation for Irradiance Environment Maps", 2001).

use glam::Vec3;

use crate::model::Panorama;

/// Coefficients of a polynomial in a normal's x, y and z: what a white Lambertian surface gives back, irradiance over π.
///
/// In this order: 1, y, z, x, xy, yz, 3z² − 1, xz, x² − y².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Harmonics(pub [Vec3; 9]);

impl Harmonics {
    /// The harmonics of an environment.
    pub fn of(panorama: &Panorama) -> Self {
        // Spherical harmonics up to the second order are the polynomials times these.
        let scale = [
            0.282_095, 0.488_603, 0.488_603, 0.488_603, 1.092_548, 1.092_548, 0.315_392, 1.092_548,
            0.546_274,
        ];
        // What the cosine lobe leaves of each order, over π.
        let kept = [
            1.0, 0.666_667, 0.666_667, 0.666_667, 0.25, 0.25, 0.25, 0.25, 0.25,
        ];
        let mut sums = [Vec3::ZERO; 9];
        for (direction, radiance, solid_angle) in panorama.rays() {
            let light = radiance * solid_angle;
            for (sum, basis) in sums.iter_mut().zip(polynomials(direction)) {
                *sum += light * basis;
            }
        }
        let mut at = 0;
        Self(sums.map(|sum| {
            let factor: f32 = scale[at] * scale[at] * kept[at];
            at += 1;
            sum * factor
        }))
    }

    /// What a white Lambertian surface of this normal gives back. Twin: `environment_diffuse` in `shaders/environment.wgsl`.
    pub fn diffuse(&self, normal: Vec3) -> Vec3 {
        let terms = self.0.iter().zip(polynomials(normal));
        let sum: Vec3 = terms.map(|(&coefficient, basis)| coefficient * basis).sum();
        sum.max(Vec3::ZERO)
    }
}

fn polynomials(d: Vec3) -> [f32; 9] {
    [
        1.0,
        d.y,
        d.z,
        d.x,
        d.x * d.y,
        d.y * d.z,
        3.0 * d.z * d.z - 1.0,
        d.x * d.z,
        d.x * d.x - d.y * d.y,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_light_comes_back_as_it_is() {
        let even = Harmonics::of(&Panorama::of(32, |_| Vec3::new(1.0, 2.0, 0.5)));
        for normal in [Vec3::X, -Vec3::Y, Vec3::splat(0.577_35)] {
            let back = even.diffuse(normal);
            assert!(back.abs_diff_eq(Vec3::new(1.0, 2.0, 0.5), 2e-3), "{back}");
        }
    }

    /// Light that second-order harmonics hold exactly, against the integral over the half ball in double precision.
    #[test]
    fn smooth_light_is_that_of_the_integral() {
        let radiance = |d: Vec3| {
            Vec3::new(
                1.0 + 0.5 * d.x - 0.3 * d.y + 0.2 * d.z,
                1.0 + 0.4 * d.x * d.y + 0.3 * d.z * d.z,
                2.0 + 0.7 * (d.x * d.x - d.y * d.y) - 0.4 * d.y * d.z,
            )
        };
        let harmonics = Harmonics::of(&Panorama::of(64, radiance));
        for normal in [Vec3::X, Vec3::Y, -Vec3::Z, Vec3::new(0.6, -0.48, 0.64)] {
            let expected = irradiance_over_pi(radiance, normal);
            let found = harmonics.diffuse(normal);
            assert!(
                found.abs_diff_eq(expected, 5e-3),
                "{normal}: {found}, not {expected}"
            );
        }
    }

    fn irradiance_over_pi(radiance: impl Fn(Vec3) -> Vec3, normal: Vec3) -> Vec3 {
        let (side, other) = normal.any_orthonormal_pair();
        let (rings, parts) = (200, 400);
        let mut sum = [0.0_f64; 3];
        for ring in 0..rings {
            // Even steps of sin² are even parts of the cosine-weighted half ball.
            let sine2 = (f64::from(ring) + 0.5) / f64::from(rings);
            let (sine, cosine) = (sine2.sqrt(), (1.0 - sine2).sqrt());
            for part in 0..parts {
                let (y, x) = (std::f64::consts::TAU * f64::from(part) / f64::from(parts)).sin_cos();
                let direction =
                    side * (sine * x) as f32 + other * (sine * y) as f32 + normal * cosine as f32;
                let light = radiance(direction).to_array();
                for (sum, light) in sum.iter_mut().zip(light) {
                    *sum += f64::from(light);
                }
            }
        }
        let count = f64::from(rings * parts);
        Vec3::from_array(sum.map(|sum| (sum / count) as f32))
    }
}
