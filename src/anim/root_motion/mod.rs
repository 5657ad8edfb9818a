//! Root motion: where a clip takes the whole character, apart from what its limbs do.
//!
//! It is a motion of the ground plane, of the origin and the heading of one node, the root, in world space: parents above
//! the root take part. At time t the root has gone from its place at 0 by [`PlanarMotion`] G(t), with G(0) the identity.
//! Played in place, the root's world matrix is G(t)⁻¹ · world: it keeps its height, its pitch and its roll. After k loops
//! the character is at Lᵏ · G(t) of where it began, with L = G(duration); so the end of one loop and the start of the
//! next are the same place, for L · G(0) = L.
//!
//! The heading is the twist about +Y of the rotation since time 0, `(0, y, 0, w)` normalised of its quaternion
//! (P. Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015). A root that stands on its head, turned by
//! 180° about a horizontal axis, has none: there the heading stays what it was.

mod choice;
mod planar;
mod still;
mod way_up;

use std::f64::consts::TAU;

use glam::{Affine3A, DQuat, DVec2, Vec3, Vec3A};

pub use choice::{RootChooser, choose_root};
pub use planar::PlanarMotion;
use way_up::{parent_from_node, way_up, world_from_node, world_in};

use super::{Cursors, Pose, chain::Chain, sample, sampling_rate};
use crate::model::{Clip, Hierarchy, Model, NodeId, Transform};

/// Points that a path has at most; the longer the clip, the farther apart.
const MAX_POINTS: usize = 2048;
/// Nodes above the root that move, times points, unless it is said otherwise: beyond that there are fewer points. A second's
/// work.
pub const MAX_PLACEMENTS: usize = 1 << 22;
/// A clip that ends more than this from the heading it began with is meant to turn; less is the sway of the hips.
const TURN_RADIANS: f64 = 0.26;

/// A loop that goes less than this part of the model's size is on the spot.
const TRAVELS: f64 = 0.05;

/// Whether the root's heading is part of its motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Turning {
    /// Only where the root goes: hips that sway keep swaying.
    #[default]
    Ignored,
    /// Where it goes and where it heads.
    Followed,
}

/// Where the root is at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathPoint {
    /// Time in the clip.
    pub time_secs: f64,
    /// X and Z of its origin, in the world.
    pub position: DVec2,
    /// Turn about +Y since the start, without jumps: two turns are 4π.
    pub heading_radians: f64,
}

/// The motion of a clip's root over the ground.
#[derive(Debug, Clone)]
pub struct RootMotion {
    root: NodeId,
    turning: Turning,
    /// What is taken out in place: a heading only where it goes somewhere.
    held_turning: Turning,
    start: DVec2,
    start_rotation: DQuat,
    path: Vec<PathPoint>,
    /// Whether anything above the root moves.
    is_carried: bool,
    /// What it was measured at the price of.
    most_placements: usize,
    /// Whether any point of the path is elsewhere than the start.
    leaves_start: bool,
}

impl RootMotion {
    /// The motion of the root that [`choose_root`] finds; its heading is followed if it ends 15° or more from where it
    /// began. What turns on the spot is left turning in place.
    pub fn find(model: &Model, clip: &Clip) -> Option<Self> {
        Self::find_within(model, clip, MAX_PLACEMENTS)
    }

    /// [`Self::find`] at the price of about `most_placements` placements of nodes that move, though always of two points.
    pub fn find_within(model: &Model, clip: &Clip, most_placements: usize) -> Option<Self> {
        Self::find_of_many(&RootChooser::new(model), model, clip, most_placements)
    }

    /// [`Self::find_within`] for one of many clips of a model, which is measured once.
    pub fn find_of_many(
        chooser: &RootChooser,
        model: &Model,
        clip: &Clip,
        most_placements: usize,
    ) -> Option<Self> {
        let root = chooser.choose(clip)?;
        let mut this = Self::extract(model, clip, root, Turning::Followed, most_placements);
        if this.end().heading_radians.abs() < TURN_RADIANS {
            this.turning = Turning::Ignored;
        }
        // Who does no more than turn has no way over the ground that could be taken out.
        if this.reach() <= TRAVELS * f64::from(chooser.size()) {
            this.held_turning = Turning::Ignored;
        } else {
            this.held_turning = this.turning;
        }
        Some(this)
    }

    /// The motion of a given root. It samples what moves the root and its parents at the clip's frames, 2048 times at most,
    /// and less often where so many parents move that this would cost more than `most_placements` placements of nodes.
    pub fn extract(
        model: &Model,
        clip: &Clip,
        root: NodeId,
        turning: Turning,
        most_placements: usize,
    ) -> Self {
        let hierarchy = &model.hierarchy;
        let chain: Vec<_> = hierarchy.upwards(root).collect();
        let part = clip.of_nodes(|node| chain.binary_search_by(|id| node.cmp(id)).is_ok());
        let mut pose = Pose::new(hierarchy);
        let way = way_up(hierarchy, &chain, &part, &pose);
        let mut cursors = Cursors::default();
        let mut world_at = |time_secs: f64| {
            sample(&part, time_secs, &mut cursors, &mut pose);
            world_in(&pose, &way)
        };
        let (start, start_rotation) = ground_place(&world_at(0.0));
        let mut this = Self {
            root,
            turning,
            held_turning: turning,
            start,
            start_rotation,
            path: Vec::new(),
            is_carried: !still::stand_still(&part, |node| node != root),
            most_placements,
            leaves_start: false,
        };
        let duration = f64::from(clip.duration_secs());
        let rate = sampling_rate(clip);
        let most_points = MAX_POINTS.min(most_placements / way.len().max(1));
        let most_steps = most_points.saturating_sub(1).max(1);
        let steps = ((duration * rate).ceil() as usize).clamp(1, most_steps);
        for step in 0..=steps {
            let time_secs = duration * (step as f64 / steps as f64);
            let (position, rotation) = ground_place(&world_at(time_secs));
            let before = this.path.last().map_or(0.0, |point| point.heading_radians);
            let heading = this.heading(rotation).unwrap_or(before);
            let turns = ((before - heading) / TAU).round();
            this.leaves_start |= position != start;
            this.path.push(PathPoint {
                time_secs,
                position,
                heading_radians: heading + turns * TAU,
            });
        }
        this
    }

    /// The node that moves the rest.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Whether the heading is part of the motion.
    pub fn turning(&self) -> Turning {
        self.turning
    }

    /// The root's way, from the start to the end of the clip; two points at least.
    pub fn path(&self) -> &[PathPoint] {
        &self.path
    }

    /// The motion from start to end of a loop.
    pub fn loop_motion(&self) -> PlanarMotion {
        let end = self.end();
        self.motion_to(self.turning, end.position, end.heading_radians)
    }

    /// How far the end is from the start.
    pub fn displacement(&self) -> f64 {
        self.end().position.distance(self.start)
    }

    /// Whether the root is ever elsewhere than where it begins, or turned where that counts in place.
    pub fn moves(&self) -> bool {
        self.held_turning == Turning::Followed || self.leaves_start
    }

    /// How far the root comes from where it begins, be it that it comes back.
    pub fn reach(&self) -> f64 {
        let places = self.path.iter().map(|point| point.position);
        let distances = places.map(|place| place.distance(self.start));
        distances.fold(0.0, f64::max)
    }

    /// Whether a loop ends elsewhere than it begins, turned or farther away than a twentieth of the model's `size`.
    pub fn travels(&self, size: f32) -> bool {
        self.turning == Turning::Followed || self.goes_away(size)
    }

    fn goes_away(&self, size: f32) -> bool {
        self.displacement() > TRAVELS * f64::from(size)
    }

    /// How long the way is.
    pub fn path_length(&self) -> f64 {
        let steps = self.path.windows(2);
        steps
            .map(|pair| pair[0].position.distance(pair[1].position))
            .sum()
    }

    /// Displacement of a loop over its duration, in units a second; 0 if that is 0.
    pub fn mean_speed(&self) -> f64 {
        let duration = self.end().time_secs;
        if duration > 0.0 {
            self.displacement() / duration
        } else {
            0.0
        }
    }

    /// Speed along the way between the points before and after `point`, an index of the path, in units a second.
    pub fn speed_at(&self, point: usize) -> f64 {
        let last = self.path.len() - 1;
        let before = &self.path[point.min(last).saturating_sub(1)];
        let after = &self.path[(point + 1).min(last)];
        let elapsed = after.time_secs - before.time_secs;
        if elapsed > 0.0 {
            before.position.distance(after.position) / elapsed
        } else {
            0.0
        }
    }

    /// The velocity of the root between `moments` moments, the first at `start_secs` and the last at the end; none if it
    /// does no more than turn.
    pub(super) fn velocities(&self, moments: usize, start_secs: f64, size: f32) -> Vec<Vec3> {
        let (steps, end_secs) = (moments.saturating_sub(1), self.end().time_secs);
        let duration = end_secs - start_secs;
        if !self.goes_away(size) || duration <= 0.0 {
            return Vec::new();
        }
        let last = self.path.len() - 1;
        let at = |step: usize| {
            let time_secs = start_secs + duration * step as f64 / steps as f64;
            let along = last as f64 * (time_secs / end_secs);
            let before = (along as usize).min(last);
            let [before, after] = [before, (before + 1).min(last)].map(|it| self.path[it].position);
            before.lerp(after, along.fract())
        };
        let rate = steps as f64 / duration;
        let ways = (0..steps).map(|step| (at(step + 1) - at(step)) * rate);
        ways.map(|it| Vec3::new(it.x as f32, 0.0, it.y as f32))
            .collect()
    }

    /// How far the root of a pose has gone since the start of the clip. It reads local transforms alone.
    pub fn motion_of(&self, hierarchy: &Hierarchy, pose: &Pose, time_secs: f64) -> PlanarMotion {
        let world_from_root = world_from_node(hierarchy, pose, self.root);
        self.motion_at(self.turning, &world_from_root, time_secs)
    }

    fn motion_at(
        &self,
        turning: Turning,
        world_from_root: &Affine3A,
        time_secs: f64,
    ) -> PlanarMotion {
        let (position, rotation) = ground_place(world_from_root);
        let heading = self.heading(rotation).unwrap_or_else(|| {
            let after = self.path.partition_point(|p| p.time_secs <= time_secs);
            self.path[after.saturating_sub(1)].heading_radians
        });
        self.motion_to(turning, position, heading)
    }

    /// Takes the motion out of a pose that was sampled at `time_secs`, and says what it took. Of a root that does no more than
    /// turn, as [`Self::find`] has it, it takes no turn.
    ///
    /// It changes the root's local transform and nothing else; world matrices are to be updated afterwards. Under parents
    /// that scale unevenly a turn is no local transform, and the nearest is taken.
    pub fn hold_in_place(
        &self,
        hierarchy: &Hierarchy,
        pose: &mut Pose,
        time_secs: f64,
    ) -> PlanarMotion {
        let parent = hierarchy.node(self.root).parent;
        let world_from_parent = parent.map_or(Affine3A::IDENTITY, |parent| {
            world_from_node(hierarchy, pose, parent)
        });
        self.hold_under(&world_from_parent, hierarchy, pose, time_secs)
    }

    /// The way down to the root's parent, for [`Self::hold_along`]: in poses that `clip` moves, and that are else as `pose`
    /// is.
    pub(super) fn way_to_parent(&self, hierarchy: &Hierarchy, clip: &Clip, pose: &Pose) -> Chain {
        let above: Vec<_> = hierarchy.upwards(self.root).skip(1).collect();
        way_up(hierarchy, &above, clip, pose)
    }

    /// [`Self::hold_in_place`] of one of many poses, at the price of the nodes that move above the root.
    pub(super) fn hold_along(
        &self,
        way: &Chain,
        hierarchy: &Hierarchy,
        pose: &mut Pose,
        time_secs: f64,
    ) {
        self.hold_under(&world_in(pose, way), hierarchy, pose, time_secs);
    }

    fn hold_under(
        &self,
        world_from_parent: &Affine3A,
        hierarchy: &Hierarchy,
        pose: &mut Pose,
        time_secs: f64,
    ) -> PlanarMotion {
        let world_from_root = *world_from_parent * parent_from_node(hierarchy, pose, self.root);
        let motion = self.motion_at(self.held_turning, &world_from_root, time_secs);
        if world_from_parent.matrix3.determinant() == 0.0 {
            return motion;
        }
        let back = motion.inverse();
        let local = &mut pose.locals[self.root.index()];
        if back.heading_radians == 0.0 {
            // A shift, which no parent can distort.
            let shift = Vec3A::new(back.shift.x as f32, 0.0, back.shift.y as f32);
            local.translation += Vec3::from(world_from_parent.matrix3.inverse() * shift);
        } else {
            // The motion as the parent sees it: rigid, too, unless the parent scales unevenly.
            let in_parent = world_from_parent.inverse() * back.to_affine() * *world_from_parent;
            let turn = Transform::from_affine(&in_parent).rotation;
            local.rotation = (turn * local.rotation).normalize();
            local.translation = in_parent.transform_point3(local.translation);
        }
        motion
    }

    fn end(&self) -> &PathPoint {
        &self.path[self.path.len() - 1]
    }

    /// The motion that takes the start to `position`, turned by `heading_radians` if that counts.
    fn motion_to(&self, turning: Turning, position: DVec2, heading_radians: f64) -> PlanarMotion {
        let turn = PlanarMotion {
            heading_radians: match turning {
                Turning::Ignored => 0.0,
                Turning::Followed => heading_radians,
            },
            shift: DVec2::ZERO,
        };
        PlanarMotion {
            shift: position - turn.apply(self.start),
            ..turn
        }
    }

    /// The turn about +Y from the start to `rotation`, in −π..=π; none on the head.
    fn heading(&self, rotation: DQuat) -> Option<f64> {
        let since = rotation * self.start_rotation.conjugate();
        let is_upright = since.y * since.y + since.w * since.w > 1e-4;
        is_upright.then(|| {
            // The sign with w ≥ 0, for the smaller turn.
            let sign = if since.w < 0.0 { -1.0 } else { 1.0 };
            2.0 * (sign * since.y).atan2(sign * since.w)
        })
    }
}

/// X and Z of the origin, and the rotation.
fn ground_place(world_from_node: &Affine3A) -> (DVec2, DQuat) {
    let origin = world_from_node.translation;
    let rotation = Transform::from_affine(world_from_node).rotation;
    (
        DVec2::new(f64::from(origin.x), f64::from(origin.z)),
        rotation.as_dquat().normalize(),
    )
}
