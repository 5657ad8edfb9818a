//! When the frames of an animation are: time runs in it as it does in the window, once from end to end.

use std::f32::consts::TAU;

use super::moment::Moment;
use crate::{anim::LoopMode, app::Session, output::TURN_SECS};

/// What plays, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Film {
    /// Of the clip, or the part of it that plays.
    bounds_secs: (f64, f64),
    /// Whether only a part of the clip plays: all clips of a mix begin again with it.
    is_part: bool,
    /// What a second of the film is for the clips, and for crowds; negative where they run backwards.
    speed: f64,
    /// How much faster than by the speed alone the clip in force runs, which is in step with others.
    pace: f64,
    loop_mode: LoopMode,
}

impl Film {
    /// How much of the clip is played from one end to the other.
    fn length_secs(&self) -> f64 {
        self.bounds_secs.1 - self.bounds_secs.0
    }

    /// Whether it begins again at its end.
    pub(super) fn repeats(&self) -> bool {
        let is_looped = matches!(self.loop_mode, LoopMode::Loop | LoopMode::PingPong);
        is_looped || self.length_secs() <= 0.0
    }

    fn is_there_and_back(&self) -> bool {
        self.loop_mode == LoopMode::PingPong && self.length_secs() > 0.0
    }

    /// Whether it runs forwards alone.
    pub(super) fn is_forward(&self) -> bool {
        self.speed > 0.0 && self.loop_mode != LoopMode::PingPong
    }

    /// How fast the clip in force runs: so many seconds of it in each; negative where it runs backwards.
    pub(super) fn clip_speed(&self) -> f64 {
        self.speed * self.pace
    }

    /// How long it plays before it begins again or stops; none where no clip has a length.
    pub(super) fn play_secs(&self) -> Option<f64> {
        let rounds = if self.loop_mode == LoopMode::PingPong {
            2.0
        } else {
            1.0
        };
        let secs = rounds * self.length_secs() / self.clip_speed().abs();
        (self.length_secs() > 0.0).then_some(secs)
    }

    /// Where time is for clips of other lengths at its two ends, if it shows one again after the other.
    pub(super) fn seam_secs(&self) -> Option<[f64; 2]> {
        let secs = self.play_secs().filter(|_| self.repeats())?;
        let is_whole = !self.is_part;
        is_whole.then(|| [0.0, secs].map(|secs| self.moment_after(secs).mix_secs))
    }

    /// How many frames it has, without a limit. What does not begin again has one more: that in which it stops.
    pub(super) fn frames(&self, fps: f64, is_turntable: bool) -> f64 {
        let turn_secs = is_turntable.then_some(TURN_SECS);
        let Some(secs) = self.play_secs().or(turn_secs) else {
            return 1.0;
        };
        let frames = secs * fps;
        if self.is_there_and_back() {
            // An odd number of them would show the last moment before the turn twice.
            return 2.0 * (frames / 2.0).round().max(1.0);
        }
        let last = if self.repeats() { 0.0 } else { 1.0 };
        frames.round().max(1.0) + last
    }

    /// How far a turntable has turned in `frame` of `frames`: all around once, in the last frame where it stops there.
    pub(super) fn turn_radians(&self, frame: u32, frames: u32) -> f32 {
        let steps = if self.repeats() {
            frames
        } else {
            frames.saturating_sub(1)
        };
        TAU * frame as f32 / steps.max(1) as f32
    }

    /// So many moments a second, of which one is at the turn of a way there and back: as near to `rate` as can be.
    pub(super) fn rate_with_turn(&self, rate: f64) -> f64 {
        match self.play_secs() {
            Some(secs) if self.is_there_and_back() => self.frames(rate, false) / secs,
            _ => rate,
        }
    }

    /// The moment `elapsed_secs` after it began, once from end to end.
    pub(super) fn moment_after(&self, elapsed_secs: f64) -> Moment {
        self.moment_at(elapsed_secs, false)
    }

    /// When `frame` of `frames` is. Those of a way there and back are spread over it, so that one is at the turn.
    pub(super) fn moment(&self, frame: u32, frames: u32, fps: f64) -> Moment {
        let is_last = frame + 1 >= frames;
        let stops = is_last && !self.repeats();
        let elapsed_secs = match self.play_secs() {
            Some(secs) if stops => secs,
            Some(secs) if self.is_there_and_back() => secs * f64::from(frame) / f64::from(frames),
            _ => f64::from(frame) / fps,
        };
        self.moment_at(elapsed_secs, stops)
    }

    /// The moment `elapsed_secs` after it began; if it `stops` there, it is where the clock stops.
    fn moment_at(&self, elapsed_secs: f64, stops: bool) -> Moment {
        let (from, to) = self.bounds_secs;
        let length = self.length_secs();
        let run_secs = elapsed_secs * self.clip_speed().abs();
        let way_secs = match self.loop_mode {
            LoopMode::PingPong if run_secs > length => 2.0 * length - run_secs,
            // As the clock does that stops.
            LoopMode::Once if stops => 0.0,
            _ => run_secs,
        };
        let way_secs = way_secs.clamp(0.0, length);
        let (start, clip_secs) = if self.speed < 0.0 {
            (to, to - way_secs)
        } else {
            (from, from + way_secs)
        };
        let running_secs = start + elapsed_secs * self.speed;
        Moment {
            clip_secs,
            mix_secs: if self.is_part || stops {
                clip_secs
            } else {
                running_secs
            },
            crowd_secs: running_secs,
        }
    }

    /// What its words end with: nothing where it is played as usual.
    pub(super) fn words(&self) -> String {
        let way = match self.loop_mode {
            LoopMode::Loop => "",
            LoopMode::PingPong => ", there and back",
            LoopMode::Once | LoopMode::Hold => ", once",
        };
        let backwards = if self.speed < 0.0 { ", backwards" } else { "" };
        let speed = self.speed.abs();
        let speed = if speed == 1.0 {
            String::new()
        } else {
            format!(" at {speed:.2}×")
        };
        format!("{way}{backwards}{speed}")
    }
}

impl Session {
    /// What an animation shows that is saved now. Who has stopped time by its speed gets it as fast as the clip is.
    pub(super) fn film(&self) -> Film {
        let speed = self.clock.speed();
        Film {
            bounds_secs: self.clock.bounds_secs(),
            is_part: self.clock.range_secs().is_some(),
            speed: if speed == 0.0 { 1.0 } else { speed },
            pace: self.mix.settled_pace(self.clock.duration_secs()),
            loop_mode: self.clock.loop_mode(),
        }
    }
}
