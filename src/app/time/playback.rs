//! What is shown of the clock, and how it goes from clip to clip and from time to time.

use super::frame_rate::FrameRate;
use crate::{app::Session, ui::Playback};

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

    /// Stands still, and takes back the speed of before the shuttle.
    pub(super) fn end_shuttle(&mut self) {
        self.stop();
        if let Some(speed) = self.timeline.usual_speed.take() {
            self.clock.set_speed(speed);
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
    pub(super) fn seek_end(&mut self, is_last: bool) {
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
    use crate::{
        anim::LoopMode,
        app::built_in,
        ui::{Command, PlaybackCommand},
    };

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
