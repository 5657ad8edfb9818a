//! What each command about time does to the session.

use super::{
    frame_rate::FrameRate,
    frame_steps::{go_round, step_frames},
    timeline::key_beside,
};
use crate::{
    anim::{Clock, LoopMode},
    app::Session,
    ui::{Command, PlaybackCommand, SheetKind, TimeSpan, TimelineCommand},
};

impl Session {
    /// Plays a clip that the user asks for, or shows the file's own pose.
    pub(in crate::app) fn choose_clip(&mut self, clip: Option<usize>) {
        if clip.is_none_or(|clip| clip < self.model().clips.len()) {
            self.timeline.selections += 1;
            self.switch_clip(clip);
        }
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

    pub(in crate::app) fn apply_timeline(&mut self, command: TimelineCommand) {
        let now = self.clock.time_secs();
        let duration_secs = self.clock.duration_secs();
        let (from, to) = self.clock.bounds_secs();
        // What is no range would take the one away that is there.
        let is_range = |from: f64, to: f64| to - from >= Clock::SHORTEST_RANGE_SECS;
        match command {
            TimelineCommand::SetRange(range) => {
                let ends = |range: TimeSpan| (range.from_secs, range.to_secs);
                self.clock.set_range(range.map(ends));
            }
            // An end that the other one has passed takes the clip's own end instead of it.
            TimelineCommand::MarkIn if is_range(now, duration_secs) => {
                let to = if is_range(now, to) { to } else { duration_secs };
                self.clock.set_range(Some((now, to)));
            }
            TimelineCommand::MarkOut if is_range(0.0, now) => {
                let from = if is_range(from, now) { from } else { 0.0 };
                self.clock.set_range(Some((from, now)));
            }
            // Beyond the last moment and before the first one there is nothing to loop.
            TimelineCommand::MarkIn | TimelineCommand::MarkOut => {}
            TimelineCommand::StepKey(sign) => {
                let (model, node) = (self.model(), self.selected);
                let clip = self.timeline_clip();
                let clip = clip.and_then(|clip| model.clips.get(clip));
                if let Some(time) = clip.and_then(|c| key_beside(model, c, node, now, sign)) {
                    self.clock.pause();
                    self.seek(time);
                }
            }
            TimelineCommand::StopAt { time_secs, node } => {
                self.end_shuttle();
                self.seek(time_secs);
                if node.is_some() {
                    self.apply(Command::SelectNode(node));
                }
            }
            TimelineCommand::Shuttle(0) => self.end_shuttle(),
            TimelineCommand::Shuttle(sign) => self.shuttle(f64::from(sign.signum())),
            TimelineCommand::ShowSheet(sheet) => self.show_sheet(sheet),
            TimelineCommand::ToggleSheet => {
                let last = self.timeline.last_sheet.unwrap_or(SheetKind::Dope);
                self.show_sheet(self.timeline.sheet.is_none().then_some(last));
            }
            TimelineCommand::OtherSheet => {
                // Nobody remembers what a sheet was that is closed.
                let shown = self.timeline.sheet.unwrap_or(SheetKind::Dope);
                self.show_sheet(Some(shown.other()));
            }
            TimelineCommand::SetQuaternions(on) => self.timeline.quaternions = on,
            TimelineCommand::Show(span) => {
                self.timeline.shown = span.filter(|span| {
                    span.from_secs >= 0.0
                        && span.to_secs <= duration_secs
                        && (f64::MIN_POSITIVE..duration_secs).contains(&span.length_secs())
                });
            }
        }
    }
}
