//! Loop seams: how far the last pose of a clip is from its first.

mod joint;

use glam::{Affine3A, Vec3};

use crate::{
    anim::{Cursors, Pose, orientation::angle_between, root_motion::RootMotion, sample},
    model::{Clip, Hierarchy, Length, Model, NodeId, Transform},
};

pub use joint::JointSeam;
use joint::SHOWN_DEGREES;

/// The first and the last pose of a clip, to be compared node by node.
///
/// It costs two poses: O(nodes + tracks · log keys).
#[derive(Debug, Clone)]
pub struct LoopSeam {
    first: Vec<Affine3A>,
    last: Vec<Affine3A>,
    weights: f32,
}

/// A part of the model's size: what moves less stands still.
const MOVES: f32 = 0.002;

/// How far from a node's origin its turns are measured, as a part of the model's size: leaves have no children to tell.
pub(super) const LEVER: f32 = 0.05;

/// What the node does that is farthest from where it was when the clip began: by its origin, or by the tip of a lever of 5 %
/// of the model's size along one of its axes, which ranks turns and shifts with one another. Lengths are in the model's units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeamWay {
    /// How its end is from its beginning.
    pub joint: JointSeam,
    /// The node that makes most of that by itself.
    pub cause: SeamCause,
    /// How far the origin or the tip is away that is farther away.
    pub distance: f32,
    /// The farthest that it ever is from where it was at the beginning; in a clip that travels, beside its root.
    pub range: f32,
    /// How far it goes in the first frame.
    pub first_step: f32,
    /// Or in the last if that is more.
    pub step: f32,
    /// How many nodes move by themselves, but for the root of a clip that travels.
    pub moving: usize,
    /// How many of these do not end where they began.
    pub open: usize,
}

/// A node whose own motion does not end where it began, so that what hangs on it does not either.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeamCause {
    /// The node.
    pub node: NodeId,
    /// How far it is turned against its parent.
    pub degrees: f32,
    /// How far it is shifted against its parent, in the model's units, where that makes more of the seam than its turn does.
    pub shift: Option<f32>,
}

impl SeamCause {
    /// What it does, as the end of a sentence about another node; nothing if it is that node itself.
    pub fn words(&self, name: &str, farthest: NodeId) -> String {
        let how = match self.shift {
            _ if self.node == farthest => return String::new(),
            Some(shift) => format!("shifted by {} against its parent", Length(shift)),
            None if self.degrees >= SHOWN_DEGREES => {
                format!("turned by {:.1}° against its parent", self.degrees)
            }
            None => "elsewhere".to_owned(),
        };
        format!("; it is {name} that ends {how}")
    }
}

impl SeamWay {
    /// What is known before its way is: the gap.
    pub(super) fn find(seam: &LoopSeam, hierarchy: &Hierarchy, size: f32) -> Option<Self> {
        let tips = seam.tip_distances(LEVER * size);
        let (node, distance) = tips.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Self {
            joint: seam.joint(node)?,
            cause: seam.cause(hierarchy, node, LEVER * size),
            distance,
            range: 0.0,
            first_step: 0.0,
            step: 0.0,
            moving: 0,
            open: 0,
        })
    }

    /// Counts a node that moves by itself by `range` at most, and ends by `gap` from where it began, in the model's units.
    pub(super) fn count(&mut self, range: f32, gap: f32, size: f32) {
        self.moving += usize::from(range > MOVES * size);
        self.open += usize::from(gap > MOVES * size);
    }

    /// Fills in the way from its placements in all frames.
    pub(super) fn follow(&mut self, placements: &[Affine3A], size: f32) {
        let apart = |a: &Affine3A, b: &Affine3A| apart(a, b, LEVER * size);
        let (Some(first), [.., before, last]) = (placements.first(), placements) else {
            return;
        };
        let ways = placements.iter().map(|now| apart(first, now));
        self.range = ways.fold(0.0, f32::max);
        self.first_step = apart(first, &placements[1]);
        self.step = self.first_step.max(apart(before, last));
    }
}

impl LoopSeam {
    /// What findings about it are called.
    pub const CODE: &'static str = "ANIMATION_LOOP_SEAM";

    /// Placements of nodes that root motion costs at most where it is taken out of a loop's seam.
    pub const MAX_OF_ROOT: usize = 1 << 10;

    /// The seam of a clip in the world, root motion included.
    pub fn new(model: &Model, clip: &Clip) -> Self {
        let [first, last] = [0.0, f64::from(clip.duration_secs())].map(|time_secs| {
            let mut pose = Pose::new(&model.hierarchy);
            sample(clip, time_secs, &mut Cursors::default(), &mut pose);
            pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
            pose
        });
        let weights = first.weights.iter().zip(&last.weights);
        Self {
            weights: weights.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max),
            first: first.world,
            last: last.world,
        }
    }

    /// The seam of a clip as it is played again and again by whom it carries along: what is left without root motion where
    /// the clip travels. `size` is the model's.
    pub fn of_loop(model: &Model, clip: &Clip, size: f32) -> Self {
        let motion = RootMotion::find_within(model, clip, Self::MAX_OF_ROOT);
        Self::carried(model, clip, motion.as_ref().filter(|it| it.travels(size))).0
    }

    /// [`Self::of_loop`] where the root motion is known, if the clip travels; and whether it does.
    pub(super) fn carried(
        model: &Model,
        clip: &Clip,
        travels: Option<&RootMotion>,
    ) -> (Self, bool) {
        let seam = Self::new(model, clip);
        match travels {
            Some(motion) => (seam.in_place(&model.hierarchy, motion), true),
            None => (seam, false),
        }
    }

    /// This seam with the root and all below it taken back by the root motion of a loop.
    #[must_use]
    pub fn in_place(mut self, hierarchy: &Hierarchy, motion: &RootMotion) -> Self {
        let back = motion.loop_motion().inverse().to_affine();
        let mut is_below = vec![false; hierarchy.len()];
        for (id, node) in hierarchy.iter() {
            let is_parent_below = node.parent.is_some_and(|parent| is_below[parent.index()]);
            if id == motion.root() || is_parent_below {
                is_below[id.index()] = true;
                self.last[id.index()] = back * self.last[id.index()];
            }
        }
        self
    }

    /// The seam at each node, parents before children.
    pub fn joints(&self) -> impl Iterator<Item = JointSeam> + '_ {
        let nodes = (0..self.first.len() as u32).map(NodeId);
        nodes.filter_map(|node| self.joint(node))
    }

    /// The seam at a node, if there is that one.
    pub fn joint(&self, node: NodeId) -> Option<JointSeam> {
        let [first, last] = [&self.first, &self.last].map(|poses| poses.get(node.index()));
        let (first, last) = (first?, last?);
        let [a, b] = [first, last].map(|world| Transform::from_affine(world).rotation);
        let scale = scale_between(first, last);
        Some(JointSeam {
            node,
            scale,
            distance: Vec3::from(first.translation - last.translation).length(),
            degrees: angle_between(a, b).to_degrees() as f32,
        })
    }

    /// For each node the greatest distance that its origin, or the tip of a lever along one of its axes, is from where
    /// it was: leaves have no children to tell that they turned.
    pub fn tip_distances(&self, lever: f32) -> impl Iterator<Item = (NodeId, f32)> + '_ {
        let pairs = self.first.iter().zip(&self.last);
        (0..)
            .map(NodeId)
            .zip(pairs)
            .map(move |(node, (first, last))| (node, apart(first, last, lever)))
    }

    /// The node whose [tip](Self::tip_distances) is farthest from where it was, and how far; none if all meet.
    pub fn worst_tip(&self, lever: f32) -> Option<(NodeId, f32)> {
        let mut worst = None;
        let mut most = 0.0;
        for (node, distance) in self.tip_distances(lever) {
            if distance > most {
                most = distance;
                worst = Some((node, distance));
            }
        }
        worst
    }

    /// Of a node and those above it the one that makes most of the node's seam: the node would be farthest from where it was
    /// if that one alone ended as it does.
    pub fn cause(&self, hierarchy: &Hierarchy, node: NodeId, lever: f32) -> SeamCause {
        let of = |node: NodeId| {
            Some((
                *self.first.get(node.index())?,
                *self.last.get(node.index())?,
            ))
        };
        let mut cause = SeamCause {
            node,
            degrees: 0.0,
            shift: None,
        };
        let Some((world_from_node, _)) = of(node) else {
            return cause;
        };
        let mut most = 0.0;
        for above in hierarchy.upwards(node) {
            let parent = hierarchy.node(above).parent.map(of);
            let (before, after) = parent.flatten().unwrap_or_default();
            let Some((first, last)) = of(above) else {
                continue;
            };
            let local = after.inverse() * last;
            let share_of = |local: Affine3A| {
                let carried = before * local * first.inverse() * world_from_node;
                apart(&world_from_node, &carried, lever)
            };
            let share = share_of(local);
            // What has no size has no inverse: NaN is no share.
            if share > most {
                most = share;
                let began = before.inverse() * first;
                let [a, b] = [began, local].map(|it| Transform::from_affine(&it).rotation);
                let shifted = Affine3A {
                    translation: local.translation,
                    ..began
                };
                let turned = Affine3A {
                    translation: began.translation,
                    ..local
                };
                let shift = before.transform_vector3a(local.translation - began.translation);
                cause = SeamCause {
                    node: above,
                    degrees: angle_between(a, b).to_degrees() as f32,
                    shift: (share_of(shifted) > share_of(turned)).then(|| shift.length()),
                };
            }
        }
        cause
    }

    /// The greatest difference of a morph weight.
    pub fn weights(&self) -> f32 {
        self.weights
    }
}

/// The greatest distance between the origins of two placements, or between the tips of levers along one of their axes. The
/// lever is that long in the placement where its axis is the longer one.
fn apart(a: &Affine3A, b: &Affine3A, lever: f32) -> f32 {
    let [origin_a, origin_b] = [a, b].map(|placed| Vec3::from(placed.translation));
    let tips = axes(a, b).map(|(axis_a, axis_b)| {
        let longer = axis_a.length().max(axis_b.length());
        let scale = if longer > 0.0 { lever / longer } else { 0.0 };
        (origin_a + axis_a * scale).distance(origin_b + axis_b * scale)
    });
    tips.into_iter().fold(origin_a.distance(origin_b), f32::max)
}

/// By what the axes of a placement are scaled to be as long as another's, where that is most; negative if one of the two is
/// mirrored. An axis that is nothing in both says nothing.
fn scale_between(a: &Affine3A, b: &Affine3A) -> f32 {
    let factors = axes(a, b).map(|(a, b)| b.length() / a.length());
    let known = factors.into_iter().filter(|factor| !factor.is_nan());
    let most = known.max_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()));
    let is_mirrored = a.matrix3.determinant() * b.matrix3.determinant() < 0.0;
    most.unwrap_or(1.0) * if is_mirrored { -1.0 } else { 1.0 }
}

fn axes(a: &Affine3A, b: &Affine3A) -> [(Vec3, Vec3); 3] {
    let (a, b) = (a.matrix3, b.matrix3);
    let pair = |a, b| (Vec3::from(a), Vec3::from(b));
    [
        pair(a.x_axis, b.x_axis),
        pair(a.y_axis, b.y_axis),
        pair(a.z_axis, b.z_axis),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Interpolation, Node, Timeline};
    use glam::Quat;

    /// An arm of four joints, each one unit above its parent, the second of which ends turned; and a joint beside it, so that
    /// what moves it moves no whole.
    #[test]
    fn the_node_that_makes_a_seam_is_found_above_the_one_that_is_farthest_off() {
        let parents = [None, Some(0), Some(1), Some(2), Some(0)];
        let nodes = parents.map(|parent| Node {
            parent: parent.map(|parent| NodeId(parent as u32)),
            rest: Transform {
                translation: Vec3::Y,
                ..Transform::default()
            },
            ..Node::default()
        });
        let hierarchy =
            Hierarchy::new(nodes.to_vec(), &parents, &[const { Vec::new() }; 5]).unwrap();
        let model = Model {
            hierarchy,
            ..Model::default()
        };
        let mut clip = ClipBuilder::new("");
        let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        for (node, degrees) in [(0, 0.0_f32), (1, 20.0), (2, 3.0)] {
            let turn = Quat::from_rotation_z(degrees.to_radians());
            let linear = Interpolation::Linear;
            clip.rotation(NodeId(node), times, linear, vec![Quat::IDENTITY, turn])
                .unwrap();
        }
        let seam = LoopSeam::new(&model, &clip.finish());
        let way = SeamWay::find(&seam, &model.hierarchy, 4.0).unwrap();
        assert_eq!((way.joint.node, way.cause.node), (NodeId(3), NodeId(1)));
        assert!((way.cause.degrees - 20.0).abs() < 1e-3, "{way:?}");
        assert_eq!(
            way.cause.words("elbow", way.joint.node),
            "; it is elbow that ends turned by 20.0° against its parent"
        );
        assert_eq!(way.cause.words("elbow", NodeId(1)), "");
        // One that goes aside by more than its turn carries what hangs on it.
        let mut clip = ClipBuilder::new("");
        let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let linear = Interpolation::Linear;
        let turn = Quat::from_rotation_z(-0.01);
        clip.rotation(NodeId(1), times, linear, vec![Quat::IDENTITY, turn])
            .unwrap();
        let ways = vec![Vec3::Y, Vec3::new(0.828, 1.0, 0.0)];
        clip.translation(NodeId(1), times, linear, ways).unwrap();
        let seam = LoopSeam::new(&model, &clip.finish());
        let way = SeamWay::find(&seam, &model.hierarchy, 4.0).unwrap();
        assert_eq!(
            way.cause.words("elbow", way.joint.node),
            "; it is elbow that ends shifted by 0.828 against its parent"
        );
        // What is by itself where it was has no cause but itself.
        assert_eq!(seam.cause(&model.hierarchy, NodeId(0), 0.2).node, NodeId(0));
    }

    #[test]
    fn ends_of_another_scale_are_apart() {
        let model = Model {
            hierarchy: Hierarchy::new(vec![Node::default()], &[None], &[const { Vec::new() }])
                .unwrap(),
            ..Model::default()
        };
        let of = |first: Vec3, last: Vec3| {
            let mut clip = ClipBuilder::new("");
            let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            clip.scale(NodeId(0), times, Interpolation::Linear, vec![first, last])
                .unwrap();
            let seam = LoopSeam::new(&model, &clip.finish());
            let tip = seam.worst_tip(0.1).map_or(0.0, |(_, distance)| distance);
            (seam.joint(NodeId(0)).unwrap().scale, tip)
        };
        let one = Vec3::ONE;
        assert_eq!(of(100.0 * one, 100.0 * one), (1.0, 0.0));
        // As far either way.
        assert_eq!(of(one, Vec3::new(1.0, 2.0, 1.0)), (2.0, 0.05));
        assert_eq!(of(Vec3::new(1.0, 2.0, 1.0), one), (0.5, 0.05));
        assert_eq!(of(one, Vec3::new(-1.0, 1.0, 1.0)), (-1.0, 0.2));
        assert_eq!(of(Vec3::ZERO, Vec3::ZERO), (1.0, 0.0));
        assert_eq!(of(Vec3::ZERO, one), (f32::INFINITY, 0.1));
    }
}
