//! How far the poses of two models lie apart: which joint, when, and by how much.
//!
//! Local transforms name the culprit; places in the world, what became of it further down.

mod appearance;
mod attributes;
mod curves;
mod grid;
mod moved_properties;
mod names;
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
pub use curves::{DifferenceCurves, JointDifference};
pub use moved_properties::{MovedDifference, MovedProperties};
pub use names::NodeMatch;
pub use parts::{SkinDifference, compare_skins, count_parts};
pub use shapes::ShapeDifference;
pub use surfaces::{MeshDifference, compare_meshes};

use self::pair::{PosePair, origins_apart};
use super::{Pose, orientation::angle_between};
use crate::model::{Clip, Model, NodeId, Timeline, Transform, mean_stretch};

/// The greatest of one kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Greatest {
    /// How much; 0 if there is none.
    pub amount: f64,
    /// The node that differs so much, in the first model.
    pub node: Option<NodeId>,
    /// The moment at which it does.
    pub time_secs: f64,
}

impl Greatest {
    fn note(&mut self, amount: f64, node: NodeId, time_secs: f64) {
        // What is no number must not hide behind comparisons.
        let amount = if amount.is_finite() {
            amount
        } else {
            f64::INFINITY
        };
        if amount > self.amount {
            *self = Self {
                amount,
                node: Some(node),
                time_secs,
            };
        }
    }
}

/// The greatest differences between two motions, of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseDifference {
    /// The greatest between translations relative to the parent, as long as the parent of the first makes it in the world.
    pub translation: Greatest,
    /// The greatest between rotations relative to the parent, in radians.
    pub rotation: Greatest,
    /// Between scales relative to the parent, of the axis that differs most: a part of the greatest that the node of the first
    /// has, at rest or at a key. Of matrices that shear, too: the cosine of the angle between two axes.
    pub scale: Greatest,
    /// The greatest between morph weights.
    pub weight: Greatest,
    /// The greatest between positions in the world.
    pub position: Greatest,
    /// 1 where a node, by itself, is hidden in one alone.
    pub visibility: Greatest,
    /// How many moments were looked at.
    pub samples: usize,
}

/// Compares two clips (none is the file's own pose) of two models at `times_secs`, clamped to their keys.
pub fn compare_motion(
    models: [&Model; 2],
    clips: [Option<&Clip>; 2],
    nodes: &NodeMatch,
    times_secs: &[f64],
) -> PoseDifference {
    compare_stretched(models, clips, nodes, times_secs, 1.0)
}

/// [`compare_motion`] where the second clip is at `stretch` times the time of the first.
pub fn compare_stretched(
    models: [&Model; 2],
    clips: [Option<&Clip>; 2],
    nodes: &NodeMatch,
    times_secs: &[f64],
    stretch: f64,
) -> PoseDifference {
    let mut difference = PoseDifference {
        samples: times_secs.len(),
        ..PoseDifference::default()
    };
    let scales = [0, 1].map(|side| greatest_scales(models[side], clips[side]));
    let mut both = PosePair::new(models, clips, stretch);
    for &time_secs in times_secs {
        let poses = both.at(time_secs);
        let [first, second] = poses;
        for &(a, b) in &nodes.pairs {
            let (from, to) = (&first.locals[a.index()], &second.locals[b.index()]);
            let shift = to.translation.as_dvec3() - from.translation.as_dvec3();
            let parent = models[0].hierarchy.node(a).parent;
            let moved = length_in_world(first, parent, shift);
            difference.translation.note(moved, a, time_secs);
            let (angle, scaled) = turned_and_scaled(from, to);
            difference.rotation.note(angle, a, time_secs);
            // Exporters give nodes scales of 0.01 and of 100: a hundredth more is as much of each.
            let greatest = match scales[0][a.index()] {
                0.0 => scales[1][b.index()],
                greatest => greatest,
            };
            let part = scaled / f64::from(greatest);
            let part = if scaled > 0.0 { part } else { 0.0 };
            difference.scale.note(part, a, time_secs);
            let own = models[0].hierarchy.node(a);
            let other = models[1].hierarchy.node(b);
            if own.fixed_matrix.is_some() || other.fixed_matrix.is_some() {
                let own = first.parent_from_node(a.index(), own);
                let other = second.parent_from_node(b.index(), other);
                difference.scale.note(sheared(&own, &other), a, time_secs);
            }
            for (from, to) in first.weights_of(a).iter().zip(second.weights_of(b)) {
                let weighed = (f64::from(*from) - f64::from(*to)).abs();
                difference.weight.note(weighed, a, time_secs);
            }
            let moved = origins_apart(poses, (a, b));
            difference.position.note(moved, a, time_secs);
            let is_other = first.hidden[a.index()] != second.hidden[b.index()];
            difference
                .visibility
                .note(f64::from(u8::from(is_other)), a, time_secs);
        }
    }
    difference
}

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

/// For each node the greatest scale that it has along an axis, at rest or at a key of the clip.
fn greatest_scales(model: &Model, clip: Option<&Clip>) -> Vec<f32> {
    let nodes = model.hierarchy.nodes().iter();
    let at_rest = nodes.map(|node| node.rest.scale.abs().max_element());
    let mut greatest: Vec<f32> = at_rest.collect();
    for track in clip.into_iter().flat_map(Clip::scales) {
        let scale = &mut greatest[track.node().index()];
        for key in track.key_values().flatten() {
            *scale = scale.max(key.abs().max_element());
        }
    }
    greatest
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

/// The moments at which two clips are to be compared: 0, all keys of both, and three between each two; if these are more
/// than `most`, evenly thinned out.
pub fn moments(clips: [Option<&Clip>; 2], most: usize) -> Vec<f64> {
    let [first, second] = clips.map(key_times);
    with_between(first.chain(second).collect(), 0.0, most)
}

/// [`moments`] up to the end of the first clip, which is one of them: the second is at `stretch` times its time.
pub fn moments_of_first(clips: [Option<&Clip>; 2], stretch: f64, most: usize) -> Vec<f64> {
    let end_secs = clips[0].map_or(0.0, |clip| f64::from(clip.duration_secs()));
    let [first, second] = clips.map(key_times);
    // When the second has come to its key, and not to a moment before, as steps are taken there.
    let second = second.map(|key_secs| {
        let time_secs = key_secs / stretch;
        if time_secs * stretch < key_secs {
            time_secs.next_up()
        } else {
            time_secs
        }
    });
    let keys = first
        .chain(second)
        .filter(|time_secs| *time_secs < end_secs);
    // Keys that are meant to be at one moment are not, by rounding, where times are stretched.
    let rounding = if stretch == 1.0 {
        0.0
    } else {
        4.0 * f64::from(f32::EPSILON)
    };
    with_between(keys.chain([end_secs]).collect(), rounding, most)
}

fn key_times(clip: Option<&Clip>) -> impl Iterator<Item = f64> {
    let timelines = clip.into_iter().flat_map(Clip::timelines);
    let keys = timelines.flat_map(Timeline::times_secs);
    keys.map(|&time| f64::from(time))
}

/// Where between two keys motions are compared, as parts of the way: in the middle, and where two splines of the same keys
/// lie apart whose tangents differ by the same at both ends (½ ± √3/6, the extremes of u·(1 − u)·(1 − 2u)), so that they
/// meet in the middle: even speed and ease-in-out do.
const BETWEEN: [f64; 3] = [0.211_324_865_405_187_1, 0.5, 0.788_675_134_594_812_9];

/// These moments, 0 and three between each two. Where several are no farther after one than `rounding` of its time, the last
/// stands for all: there both clips have passed their keys.
fn with_between(mut keys: Vec<f64>, rounding: f64, most: usize) -> Vec<f64> {
    keys.push(0.0);
    keys.sort_by(f64::total_cmp);
    let mut first = 0.0;
    keys.dedup_by(|next, kept| {
        let is_same = *next - first <= rounding * first;
        if !is_same {
            first = *next;
        }
        if is_same {
            *kept = *next;
        }
        is_same
    });
    let between = keys.windows(2).flat_map(|pair| {
        let &[from, to] = pair else { return [0.0; 3] };
        BETWEEN.map(|part| from + part * (to - from))
    });
    let mut all: Vec<f64> = keys.iter().copied().chain(between).collect();
    all.sort_by(f64::total_cmp);
    let most = most.max(2);
    if all.len() > most {
        let last = all.len() - 1;
        all = (0..most)
            .map(|place| all[place * last / (most - 1)])
            .collect();
    }
    all
}

#[cfg(test)]
mod tests;
