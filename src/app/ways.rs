//! Trails and onion skins: when they are sampled anew, and where they are drawn.

use glam::Vec3;

use super::{Session, timeline::ClipKey};
use crate::{
    anim::Trail,
    model::NodeId,
    scene::{FUTURE_COLOR, PAST_COLOR, add_trail},
};

/// A trail, and what it is of: sampled anew only when that changes.
#[derive(Debug, Default)]
pub(super) struct TrailKeeper {
    of: Option<TrailOf>,
    trail: Option<Trail>,
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

impl Session {
    /// The clip whose motion is drawn: that in force, unless others are mixed into it, a crowd is shown or a pose is held.
    fn drawn_motion(&self) -> Option<usize> {
        let is_alone = self.actor.crowd().is_none() && self.mix.is_empty();
        self.clip.filter(|_| is_alone && self.held_pose().is_none())
    }

    /// Adds the trail of the chosen node, if it is wanted.
    pub(super) fn add_trail(&mut self) {
        let wanted = self.skeleton.settings.trail;
        let motion = self.drawn_motion().filter(|_| wanted);
        let (Some(clip), Some(node)) = (motion, self.selected) else {
            return;
        };
        let of = TrailOf {
            clip: self.clip_key(),
            node,
            frames_per_sec: self.frames_per_sec,
            is_in_place: self.motion.is_in_place,
        };
        let keeper = &mut self.skeleton.trail;
        if keeper.of.replace(of) != Some(of) {
            keeper.trail = self.actor.trail(clip, node, self.frames_per_sec);
        }
        if let Some(trail) = &self.skeleton.trail.trail {
            let here = Vec3::from(self.actor.pose().world[node.index()].translation);
            let scale = self.skeleton.pixels_per_point;
            let overlay = self.actor.overlay_mut();
            overlay.is_hidden_by_scene = !self.skeleton.settings.x_ray;
            add_trail(trail, self.clock.time_secs(), here, scale, overlay);
        }
    }

    /// Adds the skeleton a few frames before and after, if it is wanted: only times that the clip has.
    pub(super) fn add_onion_skins(&mut self) {
        let settings = self.skeleton.settings;
        let motion = self.drawn_motion().filter(|_| settings.onion_skins);
        let Some(clip) = motion else {
            return;
        };
        self.actor.overlay_mut().is_hidden_by_scene = !settings.x_ray;
        let (now, end) = (self.clock.time_secs(), self.clock.duration_secs());
        let frames = (SKIN_SECS * self.frames_per_sec).round().max(1.0);
        let step_secs = frames / self.frames_per_sec;
        let width_px = SKIN_WIDTH * self.skeleton.pixels_per_point;
        // Far ones first, so that near ones lie over them.
        for (sign, [red, green, blue, _]) in [(-1.0, PAST_COLOR), (1.0, FUTURE_COLOR)] {
            for place in (1..=SKINS).rev() {
                let time_secs = now + sign * f64::from(place) * step_secs;
                if (0.0..=end).contains(&time_secs) {
                    let opacity = SKIN_OPACITY - SKIN_LOSS * (place - 1) as f32;
                    let color = [red, green, blue, opacity];
                    let look = (width_px, color);
                    self.actor
                        .add_onion_skin(clip, time_secs, settings.end_joints, look);
                }
            }
        }
    }
}
