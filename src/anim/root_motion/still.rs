//! A clip without its root motion, as a clip: for who plays clips and nothing else.

use glam::{DMat3, DVec3, Mat3, Mat3A, Quat, Vec3};

use crate::{
    anim::{Cursors, Pose, bounds::rig_size, chain::Chain, sample, sample::slerp},
    model::{Clip, Hierarchy, Interpolation, Model, Moved, NodeId, Timeline, Track, TrackError},
};

use super::{MAX_POINTS, RootMotion, Turning, way_up::world_in};

/// How far the root may be between sampled keys from where it is held, as a part of the size of the rig, and how far its
/// rotation, as a distance of unit quaternions.
const PRECISION: f64 = 1e-4;
/// Sampled keys come no closer than so many a second, unless the clip has fewer than [`MAX_POINTS`] then.
const MAX_RATE: f64 = 120.0;
/// Moments that are looked at for a sampled key: itself, and two on either side.
const MOMENTS_PER_KEY: f64 = 5.0;
/// Keys that are not farther apart than this part of them are the same but for rounding.
const ROUNDING: f32 = 1e-6;

impl RootMotion {
    /// The clip that [`RootMotion::hold_in_place`] makes of another: the root's keys are replaced, all else stays.
    ///
    /// Where [`Self::keeps_curves`], what is taken out is taken out of the root's own keys and tangents, and the clip is exact;
    /// where nothing is taken out, it is the clip as it is.
    /// Elsewhere the root gets LINEAR keys: at the times of all keys that move it, and between them as many as it takes to be
    /// within a ten-thousandth of the rig's size, though not more than 120 a second (2048, where that is more). Two keys at one
    /// time, a jump, stay two keys, and so is a step.
    ///
    /// # Errors
    /// Never fails for a clip that the importer accepted.
    pub fn still_clip(&self, model: &Model, clip: &Clip) -> Result<Clip, TrackError> {
        let chain: Vec<_> = model.hierarchy.upwards(self.root).collect();
        let part = clip.of_nodes(|node| chain.binary_search_by(|id| node.cmp(id)).is_ok());
        if self.only_shifts() {
            Ok(self.shifted(&model.hierarchy, &part, clip))
        } else if self.moves() {
            self.sampled(model, &part, clip)
        } else {
            Ok(clip.clone())
        }
    }

    /// Whether [`Self::still_clip`] leaves the root the keys and curves that it has: nothing is taken out of it, or it only shifts,
    /// and nothing above it moves.
    pub fn keeps_curves(&self) -> bool {
        self.only_shifts() || !self.moves()
    }

    /// Whether what is taken out is a shift, below parents that stand still.
    fn only_shifts(&self) -> bool {
        self.held_turning == Turning::Ignored && !self.is_carried
    }

    /// What of the root [`Self::still_clip`] gives keys of its own.
    pub fn keyed_anew(&self) -> impl Iterator<Item = Moved> {
        let translation = (!self.keeps_curves()).then_some(Moved::Translation(self.root));
        let turns = self.held_turning == Turning::Followed;
        let rotation = turns.then_some(Moved::Rotation(self.root));
        translation.into_iter().chain(rotation)
    }

    /// The clip without what the root's translation does along the ground: with B what a translation shifts along the ground,
    /// as the parent sees it, t becomes t − B (t − t₀), which goes for what keys say and, without t₀, for tangents.
    fn shifted(&self, hierarchy: &Hierarchy, part: &Clip, clip: &Clip) -> Clip {
        let mut pose = Pose::new(hierarchy);
        sample(part, 0.0, &mut Cursors::default(), &mut pose);
        let world_from_parent = world_in(&pose, &self.way_to_parent(hierarchy, part, &pose));
        let is_fixed = hierarchy.node(self.root).fixed_matrix.is_some();
        if is_fixed || world_from_parent.matrix3.determinant() == 0.0 {
            return clip.clone();
        }
        let world_from_parent = Mat3::from(world_from_parent.matrix3).as_dmat3();
        let along_ground = DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0));
        let along_ground = world_from_parent.inverse() * along_ground * world_from_parent;
        let start = pose.locals[self.root.index()].translation.as_dvec3();
        clip.with_translations(self.root, |translation, is_tangent| {
            let translation = translation.as_dvec3();
            let since = if is_tangent {
                translation
            } else {
                translation - start
            };
            (translation - along_ground * since).as_vec3()
        })
    }

    fn sampled(&self, model: &Model, part: &Clip, clip: &Clip) -> Result<Clip, TrackError> {
        let mut times: Vec<f32> = vec![0.0, clip.duration_secs()];
        for timeline in part.timelines() {
            let within = timeline.times_secs().iter();
            times.extend(within.filter(|&&time| time > 0.0));
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        // A jump begins at the moment before.
        let mut jumps = jumps(part);
        jumps.sort_by(f32::total_cmp);
        let mut sampler = Sampler::new(self, model, part);
        for time in times {
            let is_jump = jumps.binary_search_by(|it| it.total_cmp(&time)).is_ok();
            let before = is_jump.then(|| time.next_down());
            let arrives = sampler.held_at(time, before.unwrap_or(time));
            if let Some(last) = sampler.keys.last().copied() {
                sampler.refine(&last, &arrives);
            }
            sampler.keys.push(arrives);
            if is_jump {
                let leaves = sampler.held_at(time, time);
                sampler.keys.push(leaves);
            }
        }
        let keys = sampler.keys;
        let times = Timeline::new(keys.iter().map(|key| key.time_secs).collect())?;
        let translations = keys.iter().map(|key| key.translation).collect();
        let rotations = keys.iter().map(|key| key.rotation).collect();
        let rotations = (self.held_turning == Turning::Followed).then_some(rotations);
        clip.with_placement(self.root, times, translations, rotations)
    }
}

/// Where the root is held at a time, below its parent.
#[derive(Clone, Copy)]
struct Held {
    time_secs: f32,
    translation: Vec3,
    rotation: Quat,
    world_from_parent: Mat3A,
}

/// Takes down where a root is held in place.
struct Sampler<'a> {
    motion: &'a RootMotion,
    hierarchy: &'a Hierarchy,
    /// What moves the root and what is above it.
    part: &'a Clip,
    pose: Pose,
    cursors: Cursors,
    way: Chain,
    /// How far the root may be in the world from where it is held.
    tolerance: f64,
    /// Keys that are added come no closer to others.
    shortest_secs: f64,
    keys: Vec<Held>,
}

impl<'a> Sampler<'a> {
    fn new(motion: &'a RootMotion, model: &'a Model, part: &'a Clip) -> Self {
        let hierarchy = &model.hierarchy;
        let pose = Pose::new(hierarchy);
        let size = match rig_size(model, &pose) {
            0.0 => motion.reach(),
            size => f64::from(size),
        };
        let way = motion.way_to_parent(hierarchy, part, &pose);
        let duration = motion.end().time_secs;
        let shortest = (1.0 / MAX_RATE).min(duration / MAX_POINTS as f64);
        let price = MOMENTS_PER_KEY * way.len().max(1) as f64;
        Self {
            motion,
            hierarchy,
            part,
            pose,
            cursors: Cursors::default(),
            way,
            tolerance: PRECISION * size,
            shortest_secs: shortest.max(duration * price / motion.most_placements as f64),
            keys: Vec::new(),
        }
    }

    /// A key for a time, with what is there at a moment.
    fn held_at(&mut self, time_secs: f32, moment_secs: f32) -> Held {
        let (root, moment_secs) = (self.motion.root, f64::from(moment_secs));
        // What the clip leaves as it is would be taken back again and again.
        self.pose.locals[root.index()] = self.hierarchy.node(root).rest;
        sample(self.part, moment_secs, &mut self.cursors, &mut self.pose);
        let world_from_parent = world_in(&self.pose, &self.way);
        let pose = &mut self.pose;
        (self.motion).hold_under(&world_from_parent, self.hierarchy, pose, moment_secs);
        let local = &pose.locals[root.index()];
        Held {
            time_secs,
            translation: local.translation,
            rotation: local.rotation,
            world_from_parent: world_from_parent.matrix3,
        }
    }

    /// Adds the keys that it takes between two.
    fn refine(&mut self, from: &Held, to: &Held) {
        let length = f64::from(to.time_secs) - f64::from(from.time_secs);
        let middle = from.time_secs.midpoint(to.time_secs);
        let is_between = from.time_secs < middle && middle < to.time_secs;
        if length < 2.0 * self.shortest_secs || !is_between || self.is_straight(from, to) {
            return;
        }
        let middle = self.held_at(middle, middle);
        self.refine(from, &middle);
        self.keys.push(middle);
        self.refine(&middle, to);
    }

    /// Whether a root that goes straight from one key to the next is near enough to where it is held.
    fn is_straight(&mut self, from: &Held, to: &Held) -> bool {
        [0.25, 0.75].into_iter().all(|fraction| {
            let time = from.time_secs + (to.time_secs - from.time_secs) * fraction;
            let held = self.held_at(time, time);
            let translation = from.translation.lerp(to.translation, fraction);
            let off = held.world_from_parent * (translation - held.translation);
            let is_turned = self.motion.held_turning == Turning::Followed && {
                let rotation = slerp(from.rotation, to.rotation, fraction);
                let apart = (rotation - held.rotation).length();
                f64::from(apart.min((rotation + held.rotation).length())) > PRECISION
            };
            f64::from(off.length()) <= self.tolerance && !is_turned
        })
    }
}

/// Whether nodes that a clip places stay as they are all the time, but for rounding.
pub(super) fn stand_still(clip: &Clip, is_meant: impl Fn(NodeId) -> bool) -> bool {
    let same_vectors = |a: Vec3, b: Vec3| a.distance(b) <= ROUNDING * a.length();
    let same_turns = |a: Quat, b: Quat| (a - b).length() <= ROUNDING * a.length();
    let mut vectors = clip.translations().iter().chain(clip.scales());
    vectors.all(|it| !is_meant(it.node()) || is_constant(it, Vec3::ZERO, same_vectors))
        && clip.rotations().iter().all(|it| {
            let none = Quat::from_array([0.0; 4]);
            !is_meant(it.node()) || is_constant(it, none, same_turns)
        })
}

/// Whether all keys say the same, and tangents `none`.
fn is_constant<T: Copy + PartialEq>(
    track: &Track<T>,
    none: T,
    is_same: impl Fn(T, T) -> bool,
) -> bool {
    let interpolation = track.interpolation();
    let mut parts = track.values().iter().enumerate();
    !track.varies(|a, b| !is_same(a, b))
        && parts.all(|(place, value)| !interpolation.is_tangent(place) || *value == none)
}

/// The times after 0 at which a clip has several keys of one timeline, or goes from one step to the next.
fn jumps(clip: &Clip) -> Vec<f32> {
    let mut steps = vec![false; clip.timelines().len()];
    for head in clip.heads() {
        steps[head.timeline] |= head.interpolation == Interpolation::Step;
    }
    let timelines = clip.timelines().iter().zip(steps);
    let jumps = timelines.flat_map(|(timeline, is_stepped)| {
        let pairs = timeline.times_secs().windows(2);
        let jumps = pairs.filter(move |pair| is_stepped || pair[0] == pair[1]);
        jumps.map(|pair| pair[1]).filter(|time| *time > 0.0)
    });
    jumps.collect()
}
