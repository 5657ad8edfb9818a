//! What is shown of the clock, and what each command about it does to the session.

use super::{
    frame_rate::FrameRate,
    frame_steps::{go_round, step_frames},
};
use crate::{
    anim::LoopMode,
    app::Session,
    ui::{Playback, PlaybackCommand},
};

impl Session {
    /// Where the clock is, and how it goes.
    pub(in crate::app) fn playback_view(&self) -> Playback {
        Playback {
            time_secs: self.clock.time_secs(),
            duration_secs: self.clock.duration_secs(),
            is_playing: self.clock.is_playing(),
            can_play: self.can_play(),
            speed: self.clock.speed(),
            loop_mode: self.clock.loop_mode(),
            frames_per_sec: self.timeline.rate.per_sec(),
            rate_is_guessed: matches!(self.timeline.rate, FrameRate::Guessed(_)),
            rate_is_assumed: matches!(self.timeline.rate, FrameRate::Unknown),
        }
    }

    /// Goes over to another clip, and lets go of a pose that is held.
    pub(in crate::app) fn switch_clip(&mut self, clip: Option<usize>) {
        self.release_pose();
        if self.clock.is_moving() {
            let secs = self.motion.fade_secs;
            self.transition.start(self.clip, &self.clock, secs);
        }
        self.select_clip(clip);
    }

    /// Stands still: what fades is over.
    pub(super) fn stop(&mut self) {
        self.clock.pause();
        self.transition.cut();
        self.mix.settle();
        self.pose_changed();
    }

    pub(in crate::app) fn apply_playback(&mut self, command: PlaybackCommand) {
        match command {
            PlaybackCommand::TogglePlay => {
                if self.clock.is_playing() {
                    self.stop();
                } else {
                    self.play();
                }
            }
            PlaybackCommand::Seek(time_secs) => self.seek(time_secs),
            PlaybackCommand::StepFrames(frames) => {
                self.clock.pause();
                let rate = self.timeline.rate.per_sec();
                let mut time_secs = step_frames(self.clock.time_secs(), rate, frames);
                if self.clock.loop_mode() == LoopMode::Loop {
                    let bounds_secs = self.clock.bounds_secs();
                    time_secs = go_round(self.clock.time_secs(), time_secs, bounds_secs, rate);
                }
                self.seek(time_secs);
            }
            PlaybackCommand::SeekStart => self.seek_end(false),
            PlaybackCommand::SeekEnd => self.seek_end(true),
            PlaybackCommand::SetSpeed(speed) => {
                self.timeline.forget_shuttle();
                self.clock.set_speed(speed);
            }
            PlaybackCommand::SetLoopMode(mode) => self.set_loop_mode(mode),
            PlaybackCommand::SetFrameRate(rate) => {
                if rate.is_finite() {
                    self.timeline.rate = FrameRate::Set(rate.clamp(1.0, 1000.0));
                    // Onion skins and trails count in frames.
                    self.overlay_changed();
                }
            }
            PlaybackCommand::FindFrameRate => {
                self.find_rate();
                self.overlay_changed();
            }
        }
    }

    /// Takes the rate that the keys of the clip tell that the timeline is about.
    pub(in crate::app) fn find_rate(&mut self) {
        let clip = self.timeline_clip();
        self.timeline.rate = FrameRate::of(clip.and_then(|clip| self.model().clips.get(clip)));
    }

    /// [`Self::find_rate`] where the clip may be another one, unless the user has set a rate.
    pub(in crate::app) fn find_rate_again(&mut self) {
        if self.timeline.rate.set_per_sec().is_none() {
            self.find_rate();
        }
    }

    /// Goes to a time at once.
    pub(in crate::app) fn seek(&mut self, time_secs: f64) {
        self.transition.cut();
        self.clock.seek(time_secs);
        self.mix.seek(self.clock.time_secs());
        self.crowd.time_secs = self.clock.time_secs();
        self.follow_time(None);
        self.pose_changed();
        log::debug!("time {:.4}", self.clock.time_secs());
    }

    /// Goes to the first or the last time of what loops; from there, to that of the clip.
    fn seek_end(&mut self, is_last: bool) {
        self.clock.pause();
        let (from, to) = self.clock.bounds_secs();
        let (of_range, of_clip) = if is_last {
            (to, self.clock.duration_secs())
        } else {
            (from, 0.0)
        };
        let is_there = self.clock.time_secs() == of_range;
        self.seek(if is_there { of_clip } else { of_range });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{app::built_in, ui::Command};

    #[test]
    fn steps_go_round_where_the_clip_does() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        let mut ask = |command| {
            session.apply(Command::Playback(command));
            session.clock.time_secs()
        };
        let last = ask(PlaybackCommand::SeekEnd);
        assert!(last > 0.0);
        assert_eq!(ask(PlaybackCommand::StepFrames(1)), 0.0);
        assert_eq!(ask(PlaybackCommand::StepFrames(-1)), last);
        ask(PlaybackCommand::SetLoopMode(LoopMode::Once));
        assert_eq!(ask(PlaybackCommand::StepFrames(1)), last);
    }

    #[test]
    fn a_rate_that_was_set_gives_way_to_that_of_the_keys() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(1)));
        let found = session.timeline.rate;
        assert_eq!(found.set_per_sec(), None);
        session.apply(Command::Playback(PlaybackCommand::SetFrameRate(7.0)));
        for clip in [0, 1] {
            session.apply(Command::SelectClip(Some(clip)));
        }
        assert_eq!(session.timeline.rate, FrameRate::Set(7.0));
        session.apply(Command::Playback(PlaybackCommand::FindFrameRate));
        assert_eq!(session.timeline.rate, found);
        for clip in [0, 1] {
            session.apply(Command::SelectClip(Some(clip)));
        }
        assert_eq!(session.timeline.rate, found, "what was set is forgotten");
    }
}
