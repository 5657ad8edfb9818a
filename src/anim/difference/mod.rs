//! How far the poses of two models lie apart: which joint, when, and by how much.
//!
//! Local transforms name the culprit; places in the world, what became of it further down.

mod appearance;
mod attributes;
mod clip_search;
mod clips;
mod curves;
mod grid;
mod moments;
mod motion;
mod moved_properties;
mod names;
mod nearest;
mod pair;
mod parts;
mod shapes;
mod surfaces;
mod units;

use glam::{Affine3A, DVec3, Vec3A};

pub use appearance::{
    AppearanceDifference, ComparePictures, PartKind, PartMatch, PictureDifference,
    PropertyDifference, PropertyValue, compare_appearance, compare_pictures,
};
pub use attributes::{AttributeDifference, SurfaceAttribute};
pub use clip_search::{ClipDifference, ClipSearch, PlayedClips};
pub use clips::{clip_like, pair_clips, phase_stretch};
pub use curves::{DifferenceCurves, JointDifference};
pub use motion::{Greatest, MotionComparison, PoseDifference};
pub use moved_properties::{MovedDifference, MovedProperties};
pub use names::NodeMatch;
pub use parts::{SkinDifference, compare_skins, count_parts};
pub use shapes::ShapeDifference;
pub use surfaces::{MeshDifference, compare_meshes};

use super::{Pose, orientation::angle_between};
use crate::model::{NodeId, Transform, mean_stretch};

/// How far two numbers differ, above 1 as a part of the greater. What is no number differs from all that are.
fn numbers_apart(a: f32, b: f32) -> f64 {
    let [a, b] = [a, b].map(f64::from);
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let apart = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
    if apart.is_finite() {
        apart
    } else {
        f64::INFINITY
    }
}

/// How long a shift in the units of a node is in the world.
fn length_in_world(pose: &Pose, node: Option<NodeId>, shift: DVec3) -> f64 {
    let Some(node) = node.filter(|_| shift != DVec3::ZERO) else {
        return shift.length();
    };
    let axes = pose.world[node.index()].matrix3;
    let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3A::as_dvec3);
    (axes[0] * shift.x + axes[1] * shift.y + axes[2] * shift.z).length()
}

/// By how much an element of two matrices differs at most, as a part of how long the first makes what it places; translations
/// as a part of the size where they lead.
fn matrices_apart(a: &Affine3A, b: &Affine3A, size: f64) -> f64 {
    let [from, to] = [a, b].map(|it| it.matrix3.to_cols_array());
    let linear = from.into_iter().zip(to);
    let stretch = Some(mean_stretch(a)).filter(|it| *it > 0.0 && it.is_finite());
    let stretch = f64::from(stretch.unwrap_or(1.0));
    let linear = linear.map(|(from, to)| f64::from((from - to).abs()) / stretch);
    let moved = f64::from(a.translation.distance(b.translation)) / size;
    linear.fold(moved, f64::max)
}

/// The greatest difference between the cosines of the angles that two axes of each matrix have between them.
fn sheared(a: &Affine3A, b: &Affine3A) -> f64 {
    let [from, to] = [a, b].map(|it| {
        let [x, y, z] = [it.matrix3.x_axis, it.matrix3.y_axis, it.matrix3.z_axis]
            .map(|axis| axis.as_dvec3().normalize_or_zero());
        DVec3::new(x.dot(y), y.dot(z), z.dot(x))
    });
    (from - to).abs().max_element()
}

/// How far two places are apart. Where chains of scales lead beyond all numbers, the same place is the same.
fn distance(from: DVec3, to: DVec3) -> f64 {
    let pairs = from.to_array().into_iter().zip(to.to_array());
    let mut same = pairs.map(|(a, b)| a == b || a.is_nan() && b.is_nan());
    if same.all(|same| same) {
        0.0
    } else {
        from.distance(to)
    }
}

/// How far a node is turned relative to its parent, in degrees: what [`DifferenceCurves`] have of joints at a moment.
pub fn degrees_apart(from: &Transform, to: &Transform) -> f32 {
    turned_and_scaled(from, to).0.to_degrees() as f32
}

/// The angle between two rotations, in radians, and the greatest difference of scales. None of both where the matrices are
/// the same: mirrors and half turns can be split in several ways.
fn turned_and_scaled(from: &Transform, to: &Transform) -> (f64, f64) {
    /// Less is no other way to split a matrix.
    const OTHER_WAY: f64 = 1e-3;
    /// What rounding leaves between matrices, as a part of the greatest element.
    const ROUNDING: f32 = 2e-6;
    let angle = angle_between(from.rotation, to.rotation);
    let scales = [from, to].map(|it| it.scale.as_dvec3());
    let scaled = (scales[0] - scales[1]).abs().max_element();
    if angle < OTHER_WAY && scaled < OTHER_WAY {
        return (angle, scaled);
    }
    let [from, to] = [from, to].map(|it| it.to_affine().matrix3);
    let columns = [from.x_axis, from.y_axis, from.z_axis];
    let greatest = columns.map(|it| it.abs().max_element());
    let greatest = greatest.into_iter().fold(0.0, f32::max);
    if greatest > 0.0 && from.abs_diff_eq(to, ROUNDING * greatest) {
        (0.0, 0.0)
    } else {
        (angle, scaled)
    }
}

#[cfg(test)]
mod tests;
