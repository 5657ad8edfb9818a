//! Double-precision vectors, quaternions and column-major 4×4 matrices, as few as the evaluation needs.

/// A matrix as four columns, the order in which glTF stores it (glTF 2.0 §3.6.2.2).
pub type Mat4 = [[f64; 4]; 4];
pub type Vec3 = [f64; 3];
/// A quaternion as x, y, z, w.
pub type Quat = [f64; 4];

pub const IDENTITY: Mat4 = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

pub fn mat4(values: &[f64]) -> Mat4 {
    std::array::from_fn(|column| std::array::from_fn(|row| values[4 * column + row]))
}

pub fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    std::array::from_fn(|column| {
        std::array::from_fn(|row| (0..4).map(|k| a[k][row] * b[column][k]).sum())
    })
}

pub fn transform_point(m: &Mat4, p: Vec3) -> Vec3 {
    std::array::from_fn(|row| m[0][row] * p[0] + m[1][row] * p[1] + m[2][row] * p[2] + m[3][row])
}

/// `T * R * S` (glTF 2.0 §3.5.3); `r` is a unit quaternion.
pub fn from_trs(t: Vec3, r: Quat, s: Vec3) -> Mat4 {
    let [x, y, z, w] = r;
    [
        [
            s[0] * (1.0 - 2.0 * (y * y + z * z)),
            s[0] * 2.0 * (x * y + z * w),
            s[0] * 2.0 * (x * z - y * w),
            0.0,
        ],
        [
            s[1] * 2.0 * (x * y - z * w),
            s[1] * (1.0 - 2.0 * (x * x + z * z)),
            s[1] * 2.0 * (y * z + x * w),
            0.0,
        ],
        [
            s[2] * 2.0 * (x * z + y * w),
            s[2] * 2.0 * (y * z - x * w),
            s[2] * (1.0 - 2.0 * (x * x + y * y)),
            0.0,
        ],
        [t[0], t[1], t[2], 1.0],
    ]
}

pub fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

pub fn distance(a: Vec3, b: Vec3) -> f64 {
    length(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

/// A unit quaternion. The specification knows no rotation of length zero; it counts as none.
pub fn normalize(q: Quat) -> Quat {
    let l = length(&q);
    if l > 0.0 {
        q.map(|x| x / l)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// Spherical linear interpolation the short way round (glTF 2.0 Appendix C.4).
pub fn slerp(a: Quat, b: Quat, u: f64) -> Quat {
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    // The angle by its tangent: the arc cosine loses half of the digits of a small angle.
    let sine = length(&std::array::from_fn::<f64, 4, _>(|i| {
        sign * b[i] - dot.abs() * a[i]
    }));
    let angle = sine.atan2(dot.abs());
    let (from, to) = if angle < 1e-9 {
        (1.0 - u, u)
    } else {
        (
            ((1.0 - u) * angle).sin() / angle.sin(),
            (u * angle).sin() / angle.sin(),
        )
    };
    normalize(std::array::from_fn(|i| from * a[i] + to * sign * b[i]))
}
