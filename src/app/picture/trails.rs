//! Trails and onion skins: when they are sampled anew, and where they are drawn.

use glam::Vec3;

use crate::{
    anim::{Trail, posing::Offsets},
    app::{Session, time::ClipKey},
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
        let frames_per_sec = self.rate.per_sec();
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

    /// Adds the skeleton a few frames before and after, if it is wanted: only times that the clip has.
    pub(super) fn add_onion_skins(&mut self) {
        let settings = self.skeleton.settings;
        let motion = self.drawn_motion().filter(|_| settings.onion_skins);
        let Some(clip) = motion else {
            return;
        };
        self.keep_lasting_offsets();
        self.actor.overlay_mut().is_hidden_by_scene = !settings.x_ray;
        let (now, end) = (self.clock.time_secs(), self.clock.duration_secs());
        let frames = (SKIN_SECS * self.rate.per_sec()).round().max(1.0);
        let step_secs = frames / self.rate.per_sec();
        let width_px = SKIN_WIDTH * self.skeleton.pixels_per_point;
        // Far ones first, so that near ones lie over them.
        for (sign, [red, green, blue, _]) in [(-1.0, PAST_COLOR), (1.0, FUTURE_COLOR)] {
            for place in (1..=SKINS).rev() {
                let time_secs = now + sign * f64::from(place) * step_secs;
                if (0.0..=end).contains(&time_secs) {
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
