//! Dual quaternion skinning on the CPU: the twin of `shaders/dual_quaternion.wgsl`, same names, same order.
//!
//! The mean of matrices that turn differently is no rotation: between joints twisted by an angle θ it shrinks what lies
//! around the axis, by cos(θ/2) halfway, to nothing at 180° ("candy wrapper"). Rigid motions are blended instead as unit
//! dual quaternions, whose normalised weighted sum is a rigid motion again (L. Kavan, S. Collins, J. Žára,
//! C. O'Sullivan, "Geometric Skinning with Approximate Dual Quaternion Blending", ACM Transactions on Graphics 27(4),
//! 2008, §4).
//!
//! **Scale apart.** Dual quaternions say nothing but rigid motions, and a joint's matrix M may scale, shear and mirror.
//! So it is taken apart as M = (R | t) · S with the rotation R that is nearest to it and S = Rᵀ M, whatever is left: first
//! the S of all joints are blended linearly, in the mesh's own space, then the rigid motions (§4.3 there, "two phases").
//! What scales all joints alike, as armatures in centimetres do, so scales the mesh before it is turned.
//!
//! **Hands.** A matrix that mirrors is split with a proper rotation and an S that mirrors. Between it and one that does not
//! mirror there is no shortest way: a joint of another hand than the heaviest one's, or flat, so that it has none, takes the
//! rotation of the heaviest one, which makes of these two what linear skinning does.
//!
//! **Signs.** q and −q are the same rotation. All are turned to the hemisphere of the heaviest one, so the blend goes the
//! short way, and its length is never less than that weight, an eighth at least: nothing divides by zero.
//!
//! **Palette.** R is a unit quaternion beside each matrix of the palette; t is the matrix's own, S follows from both.

use glam::{DMat3, DQuat, Mat3A, Quat, Vec3, Vec3A, Vec4};

use super::{Palette, PaletteMatrix, to_affine};
use crate::model::{Influences, Keyed, Transform};

/// How the joints that move a vertex are blended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Skinning {
    /// The mean of their matrices, as glTF asks (glTF 2.0 §3.7.3.3).
    #[default]
    Linear,
    /// Rigid motions by dual quaternions, and what is left by its mean.
    DualQuaternion,
}

impl Keyed for Skinning {
    const ALL: &'static [Self] = &[Self::Linear, Self::DualQuaternion];

    fn key(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::DualQuaternion => "dual-quaternion",
        }
    }
}

impl Skinning {
    /// The one that it is not.
    pub fn other(self) -> Self {
        match self {
            Self::Linear => Self::DualQuaternion,
            Self::DualQuaternion => Self::Linear,
        }
    }
}

/// Rotation columns at right angles within this share of their length are those of a rotation.
const ORTHOGONAL: f32 = 1e-6;
/// Determinants below this share of what an even scale of the same size would give are taken for zero.
const SINGULAR: f64 = 1e-9;

/// The rotation that is nearest to what a matrix turns: the orthogonal factor of its polar decomposition, of the negative
/// matrix if it mirrors.
pub fn nearest_rotation(matrix: &PaletteMatrix) -> Quat {
    let matrix = to_affine(matrix).matrix3;
    if let Some(rotation) = evenly_scaled(&matrix) {
        return rotation;
    }
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::as_dvec3);
    let full = DMat3::from_cols(x, y, z);
    let determinant = full.determinant();
    let size = ((x.length_squared() + y.length_squared() + z.length_squared()) / 3.0).sqrt();
    let is_regular = determinant.abs() > SINGULAR * size.powi(3);
    if !is_regular || !determinant.is_finite() {
        let affine = glam::Affine3A {
            matrix3: matrix,
            translation: Vec3A::ZERO,
        };
        let rotation = Transform::from_affine(&affine).rotation;
        return if rotation.is_finite() {
            rotation
        } else {
            Quat::IDENTITY
        };
    }
    // Newton's iteration X ← (X + X⁻ᵀ) / 2 converges to the factor quadratically (N. Higham, "Computing the Polar
    // Decomposition", SIAM J. Sci. Stat. Comput. 7(4), 1986); scaled by the determinant it does so from afar, too.
    let mut factor = full * determinant.signum();
    for _ in 0..MAX_STEPS {
        let scale = factor.determinant().abs().cbrt().recip();
        let next = (factor * scale + (factor.inverse().transpose() * scale.recip())) * 0.5;
        let change = (next - factor)
            .to_cols_array()
            .iter()
            .fold(0.0, |most: f64, c| most.max(c.abs()));
        factor = next;
        if change < 1e-12 {
            break;
        }
    }
    DQuat::from_mat3(&factor).normalize().as_quat()
}

/// Steps of Newton's iteration: nine are enough from any matrix that is regular in double precision.
const MAX_STEPS: usize = 12;

/// The rotation of a matrix that only turns and scales evenly: nearly all are of that kind.
fn evenly_scaled(matrix: &Mat3A) -> Option<Quat> {
    let Mat3A {
        x_axis: x,
        y_axis: y,
        z_axis: z,
    } = *matrix;
    let square = x.length_squared();
    let tolerance = ORTHOGONAL * square;
    let is_even = (y.length_squared() - square).abs() <= tolerance
        && (z.length_squared() - square).abs() <= tolerance
        && [x.dot(y), y.dot(z), z.dot(x)]
            .iter()
            .all(|dot| dot.abs() <= tolerance);
    if !is_even || square < f32::MIN_POSITIVE {
        return None;
    }
    let scale = square.sqrt().recip() * matrix.determinant().signum();
    Some(Quat::from_mat3a(&(*matrix * scale)).normalize())
}

/// The blend of a vertex's joints: what takes it from its mesh into the world. `joints` and `rotations` are those of its
/// skin.
pub fn blend_dual_quaternions(
    joints: &[PaletteMatrix],
    rotations: &[Quat],
    influences: &Influences,
    vertex: usize,
) -> PaletteMatrix {
    let first = vertex * influences.per_vertex;
    let lanes = first..first + influences.per_vertex;
    let mut heaviest = first;
    for lane in lanes.clone() {
        if influences.weights[lane] > influences.weights[heaviest] {
            heaviest = lane;
        }
    }
    let heaviest = usize::from(influences.joints[heaviest]);
    let side = Side {
        rotation: rotations[heaviest],
        hand: hand_of(&joints[heaviest]),
    };
    let mut sum = MotionSum::default();
    for lane in lanes {
        let joint = usize::from(influences.joints[lane]);
        sum.add(
            influences.weights[lane],
            &joints[joint],
            rotations[joint],
            &side,
        );
    }
    sum.motion()
}

/// What the joints of a vertex are blended with: its heaviest one.
struct Side {
    rotation: Quat,
    hand: f32,
}

/// 1, or −1 if the matrix mirrors, or 0 if it is flat.
fn hand_of([x, y, z]: &PaletteMatrix) -> f32 {
    let determinant = x.truncate().dot(y.truncate().cross(z.truncate()));
    f32::from(i8::from(determinant > 0.0) - i8::from(determinant < 0.0))
}

/// A weighted sum of motions, taken apart.
#[derive(Default)]
struct MotionSum {
    /// The sum of the rotations.
    real: Vec4,
    /// The sum of half the translations times the rotations.
    dual: Vec4,
    /// Rows of what scales, shears and mirrors.
    stretch: [Vec3; 3],
}

impl MotionSum {
    fn add(&mut self, weight: f32, matrix: &PaletteMatrix, own_rotation: Quat, side: &Side) {
        let rotation = if hand_of(matrix) * side.hand > 0.0 {
            own_rotation
        } else {
            side.rotation
        };
        let real = Vec4::from(rotation);
        let signed = if Vec4::from(side.rotation).dot(real) < 0.0 {
            -weight
        } else {
            weight
        };
        let [x, y, z] = matrix;
        let translation = Quat::from_xyzw(x.w, y.w, z.w, 0.0);
        self.real += signed * real;
        self.dual += 0.5 * signed * Vec4::from(multiply(translation, rotation));
        for (row, column) in self.stretch.iter_mut().zip(columns_of(rotation)) {
            let turned_back =
                column.x * x.truncate() + column.y * y.truncate() + column.z * z.truncate();
            *row += weight * turned_back;
        }
    }

    fn motion(&self) -> PaletteMatrix {
        let scale = self.real.length().recip();
        let rotation = Quat::from_vec4(self.real * scale);
        // The real part of the product is what a normalised dual quaternion does not have.
        let translation =
            2.0 * multiply(Quat::from_vec4(self.dual * scale), rotation.conjugate()).xyz();
        let [x, y, z] = columns_of(rotation);
        let [a, b, c] = self.stretch;
        [
            (x.x * a + y.x * b + z.x * c).extend(translation.x),
            (x.y * a + y.y * b + z.y * c).extend(translation.y),
            (x.z * a + y.z * b + z.z * c).extend(translation.z),
        ]
    }
}

/// The product of quaternions that need not be unit ones.
fn multiply(a: Quat, b: Quat) -> Quat {
    let vector = a.w * b.xyz() + b.w * a.xyz() + a.xyz().cross(b.xyz());
    Quat::from_vec4(vector.extend(a.w * b.w - a.xyz().dot(b.xyz())))
}

/// Where a rotation takes the axes.
fn columns_of(rotation: Quat) -> [Vec3; 3] {
    let [x, y, z, w] = rotation.to_array();
    [
        Vec3::new(
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        ),
        Vec3::new(
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ),
        Vec3::new(
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ),
    ]
}

/// The blend of a vertex's joints as the palette asks: `first_joint` is the place of its skin's first matrix.
pub fn blend(
    palette: &Palette,
    first_joint: usize,
    influences: &Influences,
    vertex: usize,
) -> PaletteMatrix {
    let joints = &palette.matrices()[first_joint..];
    match palette.skinning() {
        Skinning::Linear => super::skinning::blend_matrices(joints, influences, vertex),
        Skinning::DualQuaternion => {
            let rotations = &palette.rotations()[first_joint..];
            blend_dual_quaternions(joints, rotations, influences, vertex)
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Mat3};

    use super::*;
    use crate::anim::to_palette_matrix;

    fn matrix(linear: Mat3) -> PaletteMatrix {
        to_palette_matrix(&Affine3A::from_mat3_translation(
            linear,
            Vec3::new(1.0, -2.0, 3.0),
        ))
    }

    #[track_caller]
    fn check(linear: Mat3, expected: Quat) {
        let found = nearest_rotation(&matrix(linear));
        let dot = found.dot(expected).abs();
        assert!(dot > 1.0 - 1e-6, "{found} instead of {expected}");
        assert!((found.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_rotation_is_that_of_the_polar_decomposition() {
        let turn = Quat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize();
        let rotation = Mat3::from_quat(turn);
        check(rotation, turn);
        check(rotation * 0.01, turn);
        check(rotation * -7.0, turn);
        // Symmetric and positive definite: whatever it is, it does not turn.
        let stretch = Mat3::from_cols_array(&[2.0, 0.5, 0.1, 0.5, 1.0, -0.3, 0.1, -0.3, 0.4]);
        check(stretch, Quat::IDENTITY);
        check(rotation * stretch, turn);
        check(rotation * stretch * -1.0, turn);
        check(
            rotation * Mat3::from_diagonal(Vec3::new(1e-3, 1.0, 1e3)),
            turn,
        );
    }

    #[test]
    fn what_has_no_rotation_has_one_nevertheless() {
        for linear in [
            Mat3::ZERO,
            Mat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0)),
            Mat3::from_diagonal(Vec3::new(0.0, 0.0, 2.0)),
            Mat3::from_diagonal(Vec3::splat(f32::NAN)),
            Mat3::from_diagonal(Vec3::new(f32::INFINITY, 1.0, 1.0)),
            Mat3::from_diagonal(Vec3::splat(1e-30)),
        ] {
            let found = nearest_rotation(&matrix(linear));
            assert!((found.length() - 1.0).abs() < 1e-5, "{linear}: {found}");
        }
    }

    /// As one grows flat and then of the other hand, vertices go the way that they go in the mean of the matrices.
    #[test]
    fn joints_of_another_hand_and_flat_ones_turn_as_the_heaviest() {
        let turn = Mat3::from_quat(Quat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize());
        let influences = Influences {
            per_vertex: 4,
            joints: vec![0, 1, 0, 0],
            weights: vec![0.5, 0.5, 0.0, 0.0],
        };
        let place = Vec3::new(1.0, 2.0, 3.0);
        for scale in [
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(-1e-4, 1.0, 1.0),
            Vec3::new(0.0, 1.0, 1.0),
            Vec3::ZERO,
            Vec3::NEG_ONE,
        ] {
            let joints = [turn, turn * Mat3::from_diagonal(scale)].map(matrix);
            let mean = [0, 1, 2].map(|row| 0.5 * joints[0][row] + 0.5 * joints[1][row]);
            for joints in [joints, [joints[1], joints[0]]] {
                let rotations = joints.each_ref().map(nearest_rotation);
                let found = blend_dual_quaternions(&joints, &rotations, &influences, 0);
                let [found, mean] = [found, mean].map(|it| to_affine(&it).transform_point3(place));
                assert!(found.abs_diff_eq(mean, 1e-5), "{scale}: {found}, {mean}");
            }
        }
    }

    #[test]
    fn a_joint_alone_is_its_matrix() {
        let shear = Mat3::from_cols_array(&[1.0, 0.2, 0.0, -0.7, -2.0, 0.3, 0.5, 0.1, 0.9]);
        let joints = [matrix(shear)];
        let rotations = joints.each_ref().map(nearest_rotation);
        let influences = Influences {
            per_vertex: 4,
            joints: vec![0; 4],
            weights: vec![0.5, 0.25, 0.25, 0.0],
        };
        let found = blend_dual_quaternions(&joints, &rotations, &influences, 0);
        for (found, expected) in found.iter().zip(&joints[0]) {
            assert!(found.abs_diff_eq(*expected, 2e-6), "{found} {expected}");
        }
    }
}
