//! When the clips of a mix are: they run on where the chosen clip ends or turns, and go back where its clock does.

use super::{Mix, MixedClip, folded};
use crate::{
    anim::{Clock, LoopMode, blend::smoothstep},
    app::Session,
    ui::MixMode,
};

/// What is nearer is one moment: lengths are those of keys, which are rounded.
const SEAM_SECS: f64 = 5e-4;

impl Mix {
    /// What its clips on their way out go by: the clock of the chosen clip or the longest one, or the one before that.
    pub(super) fn clock<'a>(&'a self, clock: &'a Clock) -> &'a Clock {
        self.past_clock.as_ref().unwrap_or(clock)
    }

    /// What clips on their way out go by stops with the clock that the user sees, and is as fast.
    fn follow_transport(&mut self, clock: &Clock) {
        if let Some(past) = &mut self.past_clock {
            past.set_speed(clock.speed());
            if !clock.is_playing() {
                past.pause();
            }
        }
    }

    /// How fast the chosen clip runs so that all clips in step take the mean of their lengths: 1 is as fast as it is.
    ///
    /// That is the time warping of S. I. Park, H. J. Shin and S. Y. Shin, "On-line Locomotion Generation Based on Motion
    /// Blending", 2002, with the ends of the cycle as the only key times.
    fn pace(&self, lead_secs: f64) -> f64 {
        pace_of(lead_secs, self.round_secs(lead_secs))
    }

    /// [`Self::pace`] once all clips have come in or gone out.
    pub(in crate::app) fn settled_pace(&self, lead_secs: f64) -> f64 {
        let presence = |clip: &MixedClip| if clip.is_leaving { 0.0 } else { 1.0 };
        pace_of(lead_secs, self.round_secs_of(lead_secs, presence))
    }

    /// How long a round takes in step: of clips that are blended the mean of their lengths by their weights; all others follow.
    pub(super) fn round_secs(&self, lead_secs: f64) -> Option<f64> {
        self.round_secs_of(lead_secs, |clip| clip.presence)
    }

    fn round_secs_of(&self, lead_secs: f64, presence: impl Fn(&MixedClip) -> f32) -> Option<f64> {
        if lead_secs <= 0.0 || !self.listed().any(|clip| clip.in_step) {
            return None;
        }
        let blended = self.clips.iter().filter(|clip| {
            clip.in_step && clip.mode == MixMode::Blend && clip.mask.is_none() // a part of a body has no step of its own
        });
        Some(blended.fold(lead_secs, |round, clip| {
            let weight = f64::from(clip.weight.clamp(0.0, 1.0) * smoothstep(presence(clip)));
            round + (clip.duration_secs - round) * weight
        }))
    }

    /// The clips in the list, and their lengths, that are elsewhere at the one of these times than at the other, so that they
    /// jump where one follows the other.
    pub(in crate::app) fn unclosed(
        &self,
        [from_secs, to_secs]: [f64; 2],
        mode: LoopMode,
    ) -> impl Iterator<Item = (usize, f64)> {
        let jumps = move |clip: &&MixedClip| {
            let [from, to] =
                [from_secs, to_secs].map(|secs| folded(secs, clip.duration_secs, mode));
            let way_secs = (from - to).abs();
            // The end of a clip that loops is its beginning.
            let is_round = mode == LoopMode::Loop && clip.duration_secs - way_secs < SEAM_SECS;
            way_secs > SEAM_SECS && !is_round
        };
        let others = self
            .listed()
            .filter(|clip| !clip.in_step && clip.weight > 0.0);
        others
            .filter(jumps)
            .map(|clip| (clip.clip, clip.duration_secs))
    }

    /// Goes to a time, whatever is changing.
    fn move_to(&mut self, time_secs: f64) {
        self.running_secs = time_secs;
    }
}

fn pace_of(lead_secs: f64, round_secs: Option<f64>) -> f64 {
    match round_secs {
        Some(round_secs) if round_secs > 0.0 && lead_secs > 0.0 => lead_secs / round_secs,
        _ => 1.0,
    }
}

impl Session {
    /// Lets time pass for all clips.
    pub(in crate::app) fn tick_clips(&mut self, elapsed_secs: f64) {
        self.mix.follow_transport(&self.clock);
        let has_time = self.clock.duration_secs() > 0.0;
        if let Some(past) = self.mix.past_clock.as_mut().filter(|_| has_time) {
            past.tick(elapsed_secs);
        }
        let clock = if has_time {
            &self.clock
        } else {
            self.mix.clock(&self.clock)
        };
        let is_moving = clock.is_moving();
        let speed = if is_moving { clock.speed() } else { 0.0 };
        let pace = self.mix.pace(clock.duration_secs());
        let fade_secs = self.motion.fade_secs;
        self.mix.tick(elapsed_secs, elapsed_secs * speed, fade_secs);
        let past = self.mix.past_clock.as_mut().filter(|_| !has_time);
        let clock = past.unwrap_or(&mut self.clock);
        clock.tick(elapsed_secs * pace);
        // In a range all loop together, and where the clock has stopped all have.
        let has_ended = is_moving && !clock.is_playing();
        if has_ended || clock.range_secs().is_some() {
            let time_secs = clock.time_secs();
            self.mix.move_to(time_secs);
        }
    }

    /// Lets time run. From an end that it could not leave all clips go to the other end.
    pub(in crate::app) fn play(&mut self) {
        let before_secs = self.clock.time_secs();
        self.clock.play();
        if self.clock.time_secs() != before_secs {
            self.mix.move_to(self.clock.time_secs());
            self.pose_changed();
        }
    }

    /// Says what happens at the end. Clips that have run far beyond theirs would be there at once; those on their way out by
    /// a clock of before keep its mode.
    pub(in crate::app) fn set_loop_mode(&mut self, mode: LoopMode) {
        self.clock.set_loop_mode(mode);
        if self.mix.past_clock.is_none() || self.clock.duration_secs() > 0.0 {
            self.mix.move_to(self.clock.time_secs());
        }
        self.pose_changed();
    }

    /// From outside of the part that loops all clips go to the end of it where time would enter.
    pub(in crate::app) fn enter_range(&mut self) {
        let (from_secs, to_secs) = self.clock.bounds_secs();
        let time_secs = self.clock.time_secs();
        let entered_secs = time_secs.clamp(from_secs, to_secs);
        if entered_secs != time_secs {
            self.clock.seek(entered_secs);
            self.mix.move_to(entered_secs);
        }
    }
}
