//! Trails and onion skins: when they are sampled anew, and where they are drawn.

use glam::Vec3;

use crate::{
    anim::{Clock, LoopMode, Trail, posing::Offsets},
    app::{Session, motion::folded, time::ClipKey},
    model::NodeId,
    scene::{FUTURE_COLOR, PAST_COLOR, add_trail},
};

/// Trails, and what they are of: sampled anew only when that changes.
#[derive(Debug, Default)]
pub(in crate::app) struct TrailKeeper {
    /// Nodes whose trails stay when others are chosen, in the order in which they were kept.
    kept: Vec<usize>,
    trails: Vec<(TrailOf, Option<Trail>)>,
    /// What is added by hand all along them.
    offsets: Offsets,
}

/// Trails that are kept at most: more are a thicket.
const MAX_KEPT: usize = 24;

impl TrailKeeper {
    /// Nodes whose trails are kept.
    pub(in crate::app) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Keeps a node's trail, or lets it go. Of too many the oldest goes.
    pub(in crate::app) fn toggle(&mut self, node: usize) {
        if let Some(place) = self.kept.iter().position(|kept| *kept == node) {
            self.kept.remove(place);
        } else {
            if self.kept.len() >= MAX_KEPT {
                self.kept.remove(0);
            }
            self.kept.push(node);
        }
    }

    /// Keeps these instead.
    pub(in crate::app) fn keep_only(&mut self, kept: Vec<usize>) {
        self.kept = kept;
    }

    /// Lets all go.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct TrailOf {
    clip: ClipKey,
    node: NodeId,
    frames_per_sec: f64,
    is_in_place: bool,
}

/// Onion skins to each side, and about how far they are from one another.
const SKINS: i32 = 3;
const SKIN_SECS: f64 = 0.125;
/// Width of their lines in points.
const SKIN_WIDTH: f32 = 2.5;
/// Opacity of the nearest, and what each further one loses.
const SKIN_OPACITY: f32 = 0.8;
const SKIN_LOSS: f32 = 0.22;

/// The moment of the clip that lies `by_secs` from now, within what is played: what loops goes on beyond its ends. Where time
/// was put outside the range, it is any time that the clip has. None if there is none, or it is shown already.
fn moment_beside(clock: &Clock, by_secs: f64) -> Option<f64> {
    let (first, last) = clock.bounds_secs();
    let (now, mode, length) = (clock.time_secs(), clock.loop_mode(), last - first);
    let time_secs = now + by_secs;
    let is_within = (first..=last).contains(&now);
    if matches!(mode, LoopMode::Loop | LoopMode::PingPong) && is_within {
        let is_other = by_secs.abs() < length;
        return is_other.then(|| first + folded(time_secs - first, length, mode));
    }
    let played = if is_within {
        first..=last
    } else {
        0.0..=clock.duration_secs()
    };
    played.contains(&time_secs).then_some(time_secs)
}

impl Session {
    /// The clip whose motion is drawn: that in force, unless others are mixed into it, a crowd is shown or a pose is held.
    fn drawn_motion(&self) -> Option<usize> {
        let is_alone = self.actor.crowd().is_none() && self.mix.is_empty();
        self.clip.filter(|_| is_alone && self.held_pose().is_none())
    }

    /// Notes what is added by hand at all times of the clip, and forgets the trails without it.
    fn keep_lasting_offsets(&mut self) {
        let TrailKeeper {
            trails, offsets, ..
        } = &mut self.skeleton.trail;
        let lasting = self.posing.stays().then(|| self.actor.offsets());
        if lasting.map_or(!offsets.is_empty(), |lasting| lasting != offsets) {
            *offsets = lasting.cloned().unwrap_or_default();
            trails.clear();
        }
    }

    /// Adds the trails of the chosen node and of those that are kept, if they are wanted.
    pub(super) fn add_trails(&mut self) {
        let wanted = self.skeleton.settings.trail;
        let Some(clip) = self.drawn_motion().filter(|_| wanted) else {
            return;
        };
        self.keep_lasting_offsets();
        let (key, is_in_place) = (self.clip_key(), self.motion.is_in_place);
        let frames_per_sec = self.timeline.rate.per_sec();
        let of = |node| TrailOf {
            clip: key,
            node,
            frames_per_sec,
            is_in_place,
        };
        let (chosen, scale) = (self.selected, self.skeleton.pixels_per_point);
        let (now_secs, x_ray) = (self.clock.time_secs(), self.skeleton.settings.x_ray);
        let Self {
            actor, skeleton, ..
        } = self;
        let TrailKeeper {
            kept,
            trails,
            offsets,
        } = &mut skeleton.trail;
        let kept = kept.iter().map(|node| NodeId(*node as u32));
        // The chosen one lies over the others.
        let kept = kept.filter(move |node| Some(*node) != chosen);
        let nodes = || kept.clone().chain(chosen);
        trails.retain(|(old, _)| nodes().any(|node| of(node) == *old));
        for node in nodes() {
            let of = of(node);
            let place = match trails.iter().position(|(old, _)| *old == of) {
                Some(place) => place,
                None => {
                    trails.push((of, actor.trail(clip, node, frames_per_sec, offsets)));
                    trails.len() - 1
                }
            };
            if let (_, Some(trail)) = &trails[place] {
                let here = Vec3::from(actor.pose().world[node.index()].translation);
                let overlay = actor.overlay_mut();
                overlay.is_hidden_by_scene = !x_ray;
                add_trail(trail, now_secs, here, scale, overlay);
            }
        }
    }

    /// Adds the skeleton a few frames before and after, if it is wanted: only times that are played.
    pub(super) fn add_onion_skins(&mut self) {
        let settings = self.skeleton.settings;
        let motion = self.drawn_motion().filter(|_| settings.onion_skins);
        let Some(clip) = motion else {
            return;
        };
        self.keep_lasting_offsets();
        self.actor.overlay_mut().is_hidden_by_scene = !settings.x_ray;
        let frames = (SKIN_SECS * self.timeline.rate.per_sec()).round().max(1.0);
        let step_secs = frames / self.timeline.rate.per_sec();
        let width_px = SKIN_WIDTH * self.skeleton.pixels_per_point;
        // Far ones first, so that near ones lie over them.
        for (sign, [red, green, blue, _]) in [(-1.0, PAST_COLOR), (1.0, FUTURE_COLOR)] {
            for place in (1..=SKINS).rev() {
                let by_secs = sign * f64::from(place) * step_secs;
                if let Some(time_secs) = moment_beside(&self.clock, by_secs) {
                    let opacity = SKIN_OPACITY - SKIN_LOSS * (place - 1) as f32;
                    let color = [red, green, blue, opacity];
                    let look = (width_px, color);
                    let offsets = &self.skeleton.trail.offsets;
                    self.actor
                        .add_onion_skin(clip, time_secs, offsets, settings, look);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::*;
    use crate::{
        app::{Actor, built_in},
        scene::{ControlJoints, OverlayLine},
    };

    #[test]
    fn what_loops_goes_on_beyond_its_ends_and_all_else_ends_there() {
        let mut clock = Clock::new(2.0);
        let check = |clock: &Clock, by_secs: f64, expected: Option<f64>| {
            let found = moment_beside(clock, by_secs);
            let is_near = |(a, b): (f64, f64)| (a - b).abs() < 1e-9;
            let is_right = found.is_none() == expected.is_none();
            assert!(is_right, "{by_secs}: {found:?}");
            assert!(
                found.zip(expected).is_none_or(is_near),
                "{by_secs}: {found:?}"
            );
        };
        check(&clock, -0.25, Some(1.75));
        check(&clock, 0.25, Some(0.25));
        check(&clock, 2.0, None);
        clock.seek(1.9);
        check(&clock, 0.25, Some(0.15));
        clock.set_range(Some((0.5, 1.0)));
        check(&clock, -0.25, Some(1.65));
        check(&clock, 0.25, None);
        clock.seek(0.6);
        check(&clock, -0.25, Some(0.85));
        check(&clock, 0.45, Some(0.55));
        check(&clock, 0.5, None);
        clock.set_loop_mode(LoopMode::PingPong);
        check(&clock, -0.25, Some(0.65));
        check(&clock, 0.45, Some(0.95));
        for mode in [LoopMode::Once, LoopMode::Hold] {
            clock.set_loop_mode(mode);
            clock.seek(0.6);
            check(&clock, -0.05, Some(0.55));
            check(&clock, -0.25, None);
            check(&clock, 0.35, Some(0.95));
            check(&clock, 0.45, None);
            // All of the clip outside the range.
            clock.seek(0.4);
            check(&clock, -0.25, Some(0.15));
            check(&clock, 0.25, Some(0.65));
            check(&clock, -0.45, None);
            check(&clock, 1.65, None);
        }
        check(&Clock::new(0.0), 0.125, None);
    }

    /// Pip without vertices that follow the last joint or the one above, so that the last one is a control.
    fn with_control() -> Session {
        let mut import = built_in::load("Pip").unwrap();
        let last = Actor::new(import.model.clone()).skeleton().joints().last();
        let hierarchy = &import.model.hierarchy;
        let chain: Vec<_> = hierarchy.upwards(last.unwrap()).take(3).collect();
        let joints = &import.model.skins[0].joints;
        let place = |node: NodeId| joints.iter().position(|joint| *joint == node).unwrap() as u16;
        let [hand, arm, shoulder] = [chain[0], chain[1], chain[2]].map(place);
        let meshes = Arc::make_mut(&mut import.model.meshes).iter_mut();
        let primitives = meshes.flat_map(|mesh| &mut mesh.primitives);
        for influences in primitives.filter_map(|primitive| primitive.influences.as_mut()) {
            for joint in &mut influences.joints {
                if [hand, arm].contains(joint) {
                    *joint = shoulder;
                }
            }
        }
        Session::new(import, None, Duration::ZERO)
    }

    #[test]
    fn onion_skins_have_control_joints_as_the_skeleton_has_them() {
        let mut session = with_control();
        session.skeleton.settings.onion_skins = true;
        session.seek(0.5);
        let mut lines = |controls| {
            session.skeleton.settings.controls = controls;
            session.overlay_changed();
            session.update();
            // The farthest skin has 0.36, and what is faint a third of it.
            let is_faint = |line: &&OverlayLine| line.color[3] < 0.3;
            let lines = &session.actor().overlay().lines;
            (lines.len(), lines.iter().filter(is_faint).count())
        };
        let (all, none) = lines(ControlJoints::Full);
        assert_eq!(none, 0);
        assert_eq!(lines(ControlJoints::Faint), (all, 6));
        assert_eq!(lines(ControlJoints::Hidden), (all - 6, 0));
    }
}
