//! Whether the matrices of a palette do nothing but turn, shift and scale evenly, whenever and wherever in a clip: proved
//! from bind matrices, scales and channels, not from samples.
//!
//! The 3×3 part of a palette entry is a product of those of the nodes from the top down and of the bind matrix. Each is
//! written as `s R (I + E)` with s > 0, a rotation R and what is left. Rotations leave spectral norms alone, so of the
//! product of n such factors
//!
//! ```text
//! ‖ M / Π sᵢ − Π Rᵢ ‖₂ ≤ Π (1 + ‖Eᵢ‖₂) − 1
//! ```
//!
//! and no entry of a matrix exceeds its spectral norm. For a scale `c` of mean m along its axes, `‖E‖₂ = max|c − m| / m`.
//!
//! **In time.** Between two keys a scale is a Bézier curve: its control points are both values, and for CUBICSPLINE (glTF
//! 2.0 appendix C.5) a third of the tangents in between. Where all control points have `|c − m| ≤ δ m` and m ≥ 0, so has
//! the whole curve, since it is a mean of them with weights that are never negative. Rotations and translations may do
//! what they like.

use glam::{Affine3A, DVec3, Vec3};

use super::{PaletteLayout, compact::nearly_even};
use crate::model::{Clip, Interpolation, Model, NodeId, Timeline, Track};

/// The most that entries of compact matrices may be off, as a part of the matrix's scale, if nobody asked for them.
pub const MAX_UNEVENNESS: f64 = 1e-6;
/// The most if somebody did: a tenth of a pixel where a model fills a thousand.
pub const MAX_TOLERATED: f64 = 1e-4;

/// How far the matrices of a palette are from turning, shifting and scaling evenly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unevenness {
    /// No entry of a 3×3 part is off by more, as a part of its scale; infinite where something mirrors.
    pub bound: f64,
    /// The node that contributes most to it.
    pub node: Option<NodeId>,
}

impl Unevenness {
    /// Whether compact matrices say the same; or nearly so, if they were asked for.
    pub fn allows_compact(&self, is_asked_for: bool) -> bool {
        let most = if is_asked_for {
            MAX_TOLERATED
        } else {
            MAX_UNEVENNESS
        };
        self.bound <= most
    }
}

/// Bounds how uneven the matrices of a layout get in a clip; without one, in the file's own pose.
pub fn unevenness(model: &Model, layout: &PaletteLayout, clip: Option<&Clip>) -> Unevenness {
    let mut scales = vec![None; model.hierarchy.len()];
    if let Some(clip) = clip {
        for track in clip.scales() {
            let timeline = &clip.timelines()[track.timeline()];
            scales[track.node().index()] = Some(of_track(track, timeline));
        }
    }
    // For each node the product of 1 + ‖E‖ from the top, and who has most of it.
    let mut chains: Vec<(f64, NodeId, f64)> = Vec::with_capacity(scales.len());
    for (id, node) in model.hierarchy.iter() {
        let own = match (node.fixed_matrix, scales[id.index()]) {
            (Some(matrix), _) => of_matrix(matrix.matrix3.as_dmat3()),
            (None, Some(moving)) => moving,
            (None, None) => of_scale(node.rest.scale.as_dvec3()),
        };
        let above = node.parent.map(|parent| chains[parent.index()]);
        let (product, worst, most) = above.unwrap_or((1.0, id, 0.0));
        let (worst, most) = if own > most { (id, own) } else { (worst, most) };
        chains.push((product * (1.0 + own), worst, most));
    }
    let mut found = Unevenness::default();
    let mut look = |node: NodeId, own: f64| {
        let (product, worst, most) = chains[node.index()];
        let bound = product * (1.0 + own) - 1.0;
        // Written so that what is not a number counts as uneven.
        let is_less = bound <= found.bound;
        if !is_less {
            found = Unevenness {
                bound: if bound.is_nan() { f64::INFINITY } else { bound },
                node: Some(if own > most { node } else { worst }),
            };
        }
    };
    for slot in layout.skins() {
        let skin = &model.skins[slot.skin];
        for (joint, bind) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            look(*joint, of_matrix(bind.matrix3.as_dmat3()));
        }
    }
    for placement in layout.placements() {
        if placement.rigid.is_some() {
            look(placement.node, 0.0);
        }
        for copy in &model.hierarchy.node(placement.node).node_from_instances {
            look(placement.node, of_matrix(copy.matrix3.as_dmat3()));
        }
    }
    found
}

fn of_matrix(linear: glam::DMat3) -> f64 {
    nearly_even(linear).map_or(f64::INFINITY, |(_, _, off)| off)
}

fn of_scale(scale: DVec3) -> f64 {
    let mean = scale.element_sum() / 3.0;
    let off = (scale - mean).abs().max_element();
    if off == 0.0 && mean >= 0.0 {
        // Nothing, too, is an even scale.
        0.0
    } else if mean > 0.0 && scale.min_element() >= 0.0 {
        off / mean
    } else {
        f64::INFINITY
    }
}

/// The most of all control points.
fn of_track(track: &Track<Vec3>, timeline: &Timeline) -> f64 {
    let points = control_points(track, timeline).into_iter();
    points.map(of_scale).fold(0.0, f64::max)
}

/// The control points of a track's curves, within whose hull it stays.
fn control_points(track: &Track<Vec3>, timeline: &Timeline) -> Vec<DVec3> {
    let values: Vec<_> = track
        .values()
        .iter()
        .map(|value| value.as_dvec3())
        .collect();
    if track.interpolation() != Interpolation::CubicSpline {
        return values;
    }
    // In-tangent, value and out-tangent a key.
    let keys: Vec<&[DVec3]> = values.chunks_exact(3).collect();
    let of_keys = keys.iter().map(|key| key[1]);
    let times = timeline.times_secs().windows(2);
    let between = keys.windows(2).zip(times).flat_map(|(pair, times)| {
        let third = (f64::from(times[1]) - f64::from(times[0])) / 3.0;
        let (from, to) = (pair[0], pair[1]);
        [from[1] + from[2] * third, to[1] - to[0] * third]
    });
    of_keys.chain(between).collect()
}

/// What a node, or those above it, may do to the side of what hangs on it.
#[derive(Debug, Clone, Copy, Default)]
struct Turning {
    /// They mirror, at some time.
    mirrors: bool,
    /// They have no size at some time: it is not seen then on which side they are.
    vanishes: bool,
}

/// Whether what mirrors at one time of a clip may not do so at another. What has no size at a time counts where something
/// mirrors, too.
pub fn may_change_sides(model: &Model, clip: &Clip) -> bool {
    let mut moved = vec![None; model.hierarchy.len()];
    for track in clip.scales() {
        let points = control_points(track, &clip.timelines()[track.timeline()]);
        let min = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let max = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        if (min.cmplt(DVec3::ZERO) & max.cmpgt(DVec3::ZERO)).any() {
            return true;
        }
        moved[track.node().index()] = Some(Turning {
            mirrors: min.min_element() < 0.0,
            vanishes: (min.cmple(DVec3::ZERO) & max.cmpge(DVec3::ZERO)).any(),
        });
    }
    let mirrors = |matrix: &Affine3A| matrix.matrix3.determinant() < 0.0;
    let mut chains: Vec<Turning> = Vec::with_capacity(moved.len());
    for (id, node) in model.hierarchy.iter() {
        let above = node.parent.map(|parent| chains[parent.index()]);
        let above = above.unwrap_or_default();
        let own = moved[id.index()].unwrap_or_default();
        let at_rest =
            node.rest.scale.min_element() < 0.0 || node.fixed_matrix.as_ref().is_some_and(mirrors);
        let chain = Turning {
            mirrors: above.mirrors || own.mirrors || at_rest,
            vanishes: above.vanishes || own.vanishes,
        };
        let has_mirrors = chain.mirrors || node.node_from_instances.iter().any(mirrors);
        if chain.vanishes && has_mirrors {
            return true;
        }
        chains.push(chain);
    }
    model.skins.iter().any(|skin| {
        let mut pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
        pairs.any(|(joint, bind)| chains[joint.index()].vanishes && mirrors(bind))
    })
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Mesh, Node, Skin, Transform};

    /// Two joints, one under the other.
    fn model(scales: [Vec3; 2], bind: Affine3A) -> Model {
        let node = |scale| Node {
            rest: Transform {
                scale,
                rotation: Quat::from_rotation_x(0.4),
                translation: Vec3::Y,
            },
            ..Node::default()
        };
        let carrier = Node {
            mesh: Some(0),
            skin: Some(0),
            ..Node::default()
        };
        let nodes = vec![node(scales[0]), node(scales[1]), carrier];
        let parents = [None, Some(0), None];
        let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); 3]).unwrap();
        let skin = Skin {
            joints: (0..2)
                .filter_map(|index| hierarchy.by_file_index(index))
                .collect(),
            joint_from_mesh: vec![Affine3A::IDENTITY, bind],
            ..Skin::default()
        };
        Model {
            hierarchy,
            skins: vec![skin],
            meshes: vec![Mesh::default()].into(),
            ..Model::default()
        }
    }

    fn bound(model: &Model, clip: Option<&Clip>) -> f64 {
        unevenness(model, &PaletteLayout::of_all_nodes(model), clip).bound
    }

    #[test]
    fn deviations_add_up_from_the_top_to_the_bind_matrix() {
        let bind = Affine3A::from_rotation_y(1.0) * Affine3A::from_scale(Vec3::splat(2.0));
        let even = model([Vec3::splat(3.0), Vec3::splat(0.01)], bind);
        assert!(bound(&even, None) < 5e-7, "{}", bound(&even, None));
        let one = Vec3::new(1.0, 1.003, 1.0);
        let twice = bound(&model([one, one], bind), None);
        assert!((twice - 0.004).abs() < 1e-5, "{twice}");
        let sheared = bind * Affine3A::from_scale(Vec3::new(1.0, 1.1, 1.0));
        assert!(bound(&model([Vec3::ONE; 2], sheared), None) > 0.05);
        for mirrored in [Vec3::NEG_ONE, Vec3::new(-1.0, 1.0, 1.0)] {
            assert_eq!(
                bound(&model([Vec3::ONE, mirrored], bind), None),
                f64::INFINITY
            );
        }
    }

    #[test]
    fn a_spline_is_judged_between_its_keys_too() {
        let model = model([Vec3::ONE; 2], Affine3A::IDENTITY);
        let joint = model.skins[0].joints[1];
        let clip = |tangent: Vec3| {
            let mut clip = ClipBuilder::new("spline");
            let times = clip.timeline(Timeline::new(vec![0.0, 3.0]).unwrap());
            let values = vec![
                Vec3::ZERO,
                Vec3::ONE,
                tangent,
                tangent,
                Vec3::ONE,
                Vec3::ZERO,
            ];
            let spline = Interpolation::CubicSpline;
            clip.scale(joint, times, spline, values).unwrap();
            clip.finish()
        };
        assert_eq!(bound(&model, Some(&clip(Vec3::splat(0.5)))), 0.0);
        // Both keys are even and what is between is not.
        assert!(bound(&model, Some(&clip(Vec3::X))) > 0.5);
        // It swings through zero and out the other side.
        assert_eq!(bound(&model, Some(&clip(Vec3::splat(-9.0)))), f64::INFINITY);
    }

    #[test]
    fn sides_change_where_a_scale_passes_nothing() {
        let bind = Affine3A::IDENTITY;
        let models = [Vec3::ONE, Vec3::NEG_ONE].map(|top| model([top, Vec3::ONE], bind));
        let mut bound = model([Vec3::ONE; 2], bind);
        bound.skins[0].joint_from_mesh[1] = Affine3A::from_scale(Vec3::NEG_ONE);
        let joint = models[0].skins[0].joints[1];
        let clip = |kind, values: &[f32]| {
            let mut clip = ClipBuilder::new("scaled");
            let times = clip.timeline(Timeline::new(vec![0.0, 1.5]).unwrap());
            let values: Vec<_> = values.iter().map(|x| Vec3::ONE.with_x(*x)).collect();
            clip.scale(joint, times, kind, values).unwrap();
            clip.finish()
        };
        let linear = |from, to| clip(Interpolation::Linear, &[from, to]);
        for (clip, plainly, beside_a_mirror) in [
            (linear(1.0, 2.0), false, false),
            (linear(-1.0, -2.0), false, false),
            (linear(-1.0, 1.0), true, true),
            (linear(1.0, 0.0), false, true),
            (linear(0.0, -1.0), true, true),
            (
                clip(Interpolation::CubicSpline, &[0.0, 1.0, -9.0, 0.0, 1.0, 0.0]),
                true,
                true,
            ),
            (
                clip(
                    Interpolation::CubicSpline,
                    &[-9.0, 1.0, 0.5, 0.5, 1.0, -9.0],
                ),
                false,
                false,
            ),
        ] {
            let found = models
                .each_ref()
                .map(|model| may_change_sides(model, &clip));
            assert_eq!(found, [plainly, beside_a_mirror], "{:?}", clip.scales());
            let found = may_change_sides(&bound, &clip);
            assert_eq!(found, beside_a_mirror, "{:?}", clip.scales());
        }
    }
}
