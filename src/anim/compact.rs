//! Compact palette entries: a rotation, a shift and an even scale in 32 bytes, where a matrix of three rows takes 48.
//!
//! `M = (t | s R)` is kept as the unit quaternion of R, t and s > 0. Such motions are closed under composition: with
//! `x ↦ t + s R x`, doing `b` first and then `a` is
//!
//! ```text
//! (tₐ, sₐ, Rₐ) ∘ (t_b, s_b, R_b) = (tₐ + Rₐ sₐ t_b,  sₐ s_b,  Rₐ R_b)
//! ```
//!
//! Quaternions are not made unit ones again on the way: a product of n of them is off by at most n · 2⁻²² or so from unit
//! length, which scales R by as much. What does more than turn, shift and scale evenly has no place here, and what
//! mirrors neither: see [`super::evenness`].

use glam::{Affine3A, DMat3, DQuat, Vec3A, Vec4};

use super::PaletteMatrix;

/// `world_from_mesh` as a unit quaternion, then translation and scale.
pub type CompactMatrix = [Vec4; 2];

/// What is taken for rounding, as a part of the value: about eight units in the last place.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Rotation and positive factor that a 3×3 matrix comes to, and how far it is from them as a part of the factor: the
/// Frobenius norm of what is left, which no entry exceeds, nor the change of any vector's length.
pub(super) fn nearly_even(linear: DMat3) -> Option<(DQuat, f64, f64)> {
    let factor = linear.determinant().cbrt();
    if !factor.is_finite() || factor <= 0.0 {
        return None;
    }
    let rotation = DQuat::from_mat3(&(linear * factor.recip())).normalize();
    let left = linear * factor.recip() - DMat3::from_quat(rotation);
    let off = left
        .to_cols_array()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt();
    off.is_finite().then_some((rotation, factor, off))
}

/// The compact form of a matrix; none if it does more than turn, shift and scale evenly, or mirrors.
pub fn to_compact(matrix: &Affine3A) -> Option<CompactMatrix> {
    let (rotation, factor, off) = nearly_even(matrix.matrix3.as_dmat3())?;
    let rotation = Vec4::from(rotation.as_quat());
    let is_exact = off <= TOLERANCE && matrix.translation.is_finite();
    is_exact.then(|| [rotation, matrix.translation.extend(factor as f32)])
}

/// The rows of a compact matrix. Twin of `load_compact` in `shaders/skinning.wgsl`.
pub fn from_compact([rotation, place]: &CompactMatrix) -> PaletteMatrix {
    let [x, y, z, w] = rotation.to_array();
    let scale = place.w;
    let doubled = 2.0 * scale;
    let row = |a: f32, b: f32, c: f32, t: f32| Vec4::new(a, b, c, t);
    [
        row(
            scale - doubled * (y * y + z * z),
            doubled * (x * y - w * z),
            doubled * (x * z + w * y),
            place.x,
        ),
        row(
            doubled * (x * y + w * z),
            scale - doubled * (x * x + z * z),
            doubled * (y * z - w * x),
            place.y,
        ),
        row(
            doubled * (x * z - w * y),
            doubled * (y * z + w * x),
            scale - doubled * (x * x + y * y),
            place.z,
        ),
    ]
}

/// The affine matrix of a compact one.
pub fn affine_from_compact(compact: &CompactMatrix) -> Affine3A {
    let mut affine = super::to_affine(&from_compact(compact));
    affine.translation = Vec3A::from_vec4(compact[1]);
    affine
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::anim::to_palette_matrix;

    fn some(seed: f32) -> Affine3A {
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(0.3 + seed.fract()),
            Quat::from_axis_angle(
                Vec3::new(seed.sin(), 0.4, seed.cos()).normalize(),
                3.0 * seed,
            ),
            Vec3::new(seed, -2.0 * seed, 0.5),
        )
    }

    fn off(a: &PaletteMatrix, b: &PaletteMatrix) -> f32 {
        let rows = a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element());
        rows.fold(0.0, f32::max)
    }

    #[test]
    fn there_and_back_is_the_same_matrix() {
        for step in 0..200 {
            let matrix = some(step as f32 * 0.137);
            let compact = to_compact(&matrix).unwrap();
            let back = from_compact(&compact);
            assert!(off(&back, &to_palette_matrix(&matrix)) < 2e-6, "{step}");
        }
    }

    #[test]
    fn what_is_more_than_a_turn_and_an_even_scale_has_no_compact_form() {
        let shear = Affine3A::from_mat3(glam::Mat3::from_cols(
            Vec3::X,
            Vec3::new(1e-3, 1.0, 0.0),
            Vec3::Z,
        ));
        for matrix in [
            Affine3A::from_scale(Vec3::new(1.0, 1.0, 1.0 + 1e-4)),
            Affine3A::from_scale(Vec3::splat(-1.0)),
            Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
            Affine3A::from_scale(Vec3::ZERO),
            Affine3A::from_translation(Vec3::NAN),
            shear,
        ] {
            assert_eq!(to_compact(&matrix), None, "{matrix:?}");
        }
    }
}
