//! What the user does with time: ranges, keys, the shuttle, and which part of the clip the time axis shows.

use super::{clip_times::ClipTimes, frame_rate::FrameRate, sheet::SheetOfClip};
use crate::{
    anim::{MAX_SPEED, key_after, key_before},
    app::Session,
    model::{Clip, Model, NodeId, Timeline},
    ui::{GroundSpeed, Marker, SheetKind, SheetView, TimeSpan, TimelineCommand, TimelineView},
};

/// What the user chose about time besides the clock.
#[derive(Debug, Default)]
pub(in crate::app) struct TimelineState {
    /// What the time axis shows, if not all of the clip.
    pub(super) shown: Option<TimeSpan>,
    /// Of clips that are not in force: the clock has the range of the other one.
    pub(super) times: ClipTimes,
    /// Of frame numbers.
    pub(in crate::app) rate: FrameRate,
    /// How often the user has chosen a clip.
    pub(in crate::app) selections: u64,
    /// The speed before the shuttle.
    pub(super) usual_speed: Option<f64>,
    /// What the sheet shows, if it is open.
    pub(in crate::app) sheet: Option<SheetKind>,
    /// What it showed last.
    pub(in crate::app) last_sheet: Option<SheetKind>,
    /// Whether it shows rotations as quaternions.
    pub(in crate::app) quaternions: bool,
}

impl TimelineState {
    /// What the time axis shows, if not all of the clip.
    pub(in crate::app) fn shown(&self) -> Option<TimeSpan> {
        self.shown
    }

    /// Says that another speed was chosen: the one before the shuttle is over.
    pub(super) fn forget_shuttle(&mut self) {
        self.usual_speed = None;
    }
}

/// Speeds of the shuttle.
const SHUTTLE_SPEEDS: [f64; 3] = [1.0, 2.0, MAX_SPEED];

impl Session {
    pub(super) fn show_sheet(&mut self, sheet: Option<SheetKind>) {
        self.timeline.last_sheet = sheet.or(self.timeline.last_sheet);
        self.timeline.sheet = sheet;
    }

    /// Plays in a direction; if it does already, faster.
    pub(super) fn shuttle(&mut self, direction: f64) {
        let speed = self.clock.speed();
        self.timeline.usual_speed.get_or_insert(speed);
        let speed = if self.clock.is_playing() && speed * direction > 0.0 {
            let mut faster = SHUTTLE_SPEEDS.into_iter();
            faster.find(|faster| *faster > speed.abs() + 1e-6)
        } else {
            Some(SHUTTLE_SPEEDS[0])
        };
        if let Some(speed) = speed {
            self.clock.set_speed(direction * speed);
        }
        self.play();
    }

    /// The time axis of another clip shows all of it.
    pub(in crate::app) fn reset_timeline(&mut self) {
        self.timeline.shown = None;
    }

    /// The time axis of a clip that was read again shows what it showed, as far as that is still there.
    pub(in crate::app) fn show_again_of_axis(&mut self, span: Option<TimeSpan>) {
        let duration_secs = self.clock.duration_secs();
        let span = span.map(|span| TimeSpan {
            to_secs: span.to_secs.min(duration_secs),
            ..span
        });
        self.apply_timeline(TimelineCommand::Show(
            span.filter(|it| it.to_secs > it.from_secs),
        ));
    }

    /// Lets the axis show the current time if it did before, or if the user went there.
    pub(in crate::app) fn follow_time(&mut self, before_secs: Option<f64>) {
        let (now, duration) = (self.clock.time_secs(), self.clock.duration_secs());
        let Some(span) = self.timeline.shown.filter(|span| !span.contains(now)) else {
            return;
        };
        if before_secs.is_some_and(|before| !span.contains(before)) {
            return;
        }
        // A page further while time runs; no more than needed for a step.
        let by_secs = match before_secs {
            Some(_) if self.clock.is_backward() => now - span.to_secs,
            Some(_) => now - span.from_secs,
            None if now < span.from_secs => now - span.from_secs - 0.1 * span.length_secs(),
            None => now - span.to_secs + 0.1 * span.length_secs(),
        };
        self.timeline.shown = span.moved(by_secs, duration);
    }

    /// What the panels read; `measured` is what is known of the motion that is shown.
    pub(in crate::app) fn timeline_view<'a>(
        &self,
        key_times_secs: &'a [f32],
        measured: (&'a [Marker], Option<GroundSpeed>),
        sheet: &'a SheetOfClip<'a>,
    ) -> TimelineView<'a> {
        let all = TimeSpan {
            from_secs: 0.0,
            to_secs: self.clock.duration_secs(),
        };
        TimelineView {
            clip: self.timeline_clip(),
            measured_clip: self.measured_clip(),
            span: self.timeline.shown.unwrap_or(all),
            range: self
                .clock
                .range_secs()
                .map(|(from_secs, to_secs)| TimeSpan { from_secs, to_secs }),
            key_times_secs,
            markers: measured.0,
            ground_speed: measured.1,
            sheet: self.timeline.sheet.map(|kind| SheetView {
                kind,
                quaternions: self.timeline.quaternions,
                title: sheet.title,
                rows: sheet.rows,
                of_node: sheet.of_node,
                numbers: sheet,
            }),
        }
    }
}

/// The time of the key after `now_secs`, or before it, of a node's keys, or of all if it has none.
pub(super) fn key_beside(
    model: &Model,
    clip: &Clip,
    node: Option<NodeId>,
    now_secs: f64,
    sign: i32,
) -> Option<f64> {
    let of_node = node.map_or_else(Vec::new, |node| timelines_of(model, clip, node));
    let used = if of_node.is_empty() {
        clip.timelines().iter().collect()
    } else {
        of_node
    };
    let times = used.into_iter().map(Timeline::times_secs);
    if sign > 0 {
        let later = times.filter_map(|times| Some(times[key_after(times, now_secs)?]));
        later.reduce(f32::min).map(f64::from)
    } else {
        let earlier = times.filter_map(|times| Some(times[key_before(times, now_secs)?]));
        // Nothing is played before 0.
        let time = earlier.reduce(f32::max).map(f64::from)?;
        Some(time.max(0.0))
    }
}

/// The timelines that keys of a node, or of its camera, light or materials, are on, each once.
pub(in crate::app) fn timelines_of<'c>(
    model: &Model,
    clip: &'c Clip,
    node: NodeId,
) -> Vec<&'c Timeline> {
    let heads = clip.heads();
    let of_node = heads.filter(|head| head.moved.stands_at(model, node));
    let mut places: Vec<usize> = of_node.map(|head| head.timeline).collect();
    places.sort_unstable();
    places.dedup();
    let timelines = clip.timelines();
    let found = places.into_iter().filter_map(|place| timelines.get(place));
    found.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        anim::LoopMode,
        app::{built_in, time::sheet::Sheet},
        model::{ClipBuilder, Interpolation},
        ui::{Command, PlaybackCommand},
    };

    fn pip() -> Session {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        session.apply(Command::Playback(PlaybackCommand::SeekStart));
        session
    }

    fn view_of(session: &Session) -> TimelineView<'static> {
        let sheet = Sheet::default();
        let of_clip = sheet.with_clip(session);
        let view = session.timeline_view(&[], (&[], None), &of_clip);
        TimelineView {
            clip: view.clip,
            measured_clip: view.measured_clip,
            span: view.span,
            range: view.range,
            key_times_secs: &[],
            markers: &[],
            ground_speed: None,
            sheet: None,
        }
    }

    fn ask(session: &mut Session, command: TimelineCommand) {
        assert_eq!(session.apply(Command::Timeline(command)), None);
    }

    fn span(from_secs: f64, to_secs: f64) -> Option<TimeSpan> {
        Some(TimeSpan { from_secs, to_secs })
    }

    #[test]
    fn ranges_are_marked_and_kept_with_the_clip() {
        let mut session = pip();
        let duration = session.clock().duration_secs();
        session.apply(Command::Playback(PlaybackCommand::Seek(0.25 * duration)));
        ask(&mut session, TimelineCommand::MarkIn);
        session.apply(Command::Playback(PlaybackCommand::Seek(0.75 * duration)));
        ask(&mut session, TimelineCommand::MarkOut);
        let range = view_of(&session).range.unwrap();
        assert_eq!(
            (range.from_secs, range.to_secs),
            (0.25 * duration, 0.75 * duration)
        );
        assert_eq!(
            view_of(&session).span.to_secs,
            duration,
            "frames stay the clip's"
        );

        // First and last are those of the range, then those of the clip.
        let mut ends = [
            Command::Playback(PlaybackCommand::SeekStart),
            Command::Playback(PlaybackCommand::SeekStart),
            Command::Playback(PlaybackCommand::SeekEnd),
            Command::Playback(PlaybackCommand::SeekEnd),
        ]
        .map(|command| {
            session.apply(command);
            session.clock().time_secs() / duration
        });
        ends.iter_mut()
            .for_each(|end| *end = (*end * 100.0).round());
        assert_eq!(ends, [25.0, 0.0, 75.0, 100.0]);

        ask(&mut session, TimelineCommand::MarkIn);
        assert_eq!(
            view_of(&session).range,
            Some(range),
            "nothing would be left"
        );
        // A step of frames may end so close to it.
        for (time_secs, command) in [
            (duration - 1e-9, TimelineCommand::MarkIn),
            (0.0, TimelineCommand::MarkOut),
            (1e-9, TimelineCommand::MarkOut),
        ] {
            session.apply(Command::Playback(PlaybackCommand::Seek(time_secs)));
            ask(&mut session, command);
            assert_eq!(view_of(&session).range, Some(range), "nor {command:?}");
        }
        // Beyond the other end it is the clip's.
        ask(&mut session, TimelineCommand::SetRange(span(0.1, 0.2)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
        ask(&mut session, TimelineCommand::MarkIn);
        assert_eq!(view_of(&session).range, span(0.3, duration));
        ask(&mut session, TimelineCommand::SetRange(None));
        assert_eq!(view_of(&session).range, None);

        ask(&mut session, TimelineCommand::SetRange(span(0.1, 0.2)));
        ask(&mut session, TimelineCommand::Show(span(0.1, 0.3)));
        session.apply(Command::SelectClip(Some(1)));
        let view = view_of(&session);
        assert_eq!((view.range, view.span.from_secs), (None, 0.0));
        assert_eq!(view.span.to_secs, session.clock().duration_secs());

        // Each clip has its own.
        ask(&mut session, TimelineCommand::SetRange(span(0.3, 0.4)));
        session.apply(Command::SelectClip(Some(0)));
        assert_eq!(view_of(&session).range, span(0.1, 0.2));
        assert_eq!(session.clock().time_secs(), 0.1, "it begins where it loops");
        session.apply(Command::Playback(PlaybackCommand::SetSpeed(-1.0)));
        session.apply(Command::SelectClip(Some(0)));
        assert_eq!(session.clock().time_secs(), 0.2, "from the other end");
        session.apply(Command::Playback(PlaybackCommand::SetSpeed(1.0)));
        session.apply(Command::SelectClip(Some(0)));
        assert_eq!(view_of(&session).range, span(0.1, 0.2));
        session.apply(Command::SelectClip(None));
        assert_eq!(view_of(&session).range, None);
        session.apply(Command::SelectClip(Some(1)));
        assert_eq!(view_of(&session).range, span(0.3, 0.4));
        let again = built_in::load("Pip").unwrap();
        session.replace_model(again, None, Duration::ZERO);
        for clip in 0..2 {
            session.apply(Command::SelectClip(Some(clip)));
            assert_eq!(view_of(&session).range, None, "another file");
        }
    }

    #[test]
    fn what_loops_is_all_that_is_played() {
        let mut session = pip();
        ask(&mut session, TimelineCommand::SetRange(span(0.2, 0.4)));
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        for _ in 0..100 {
            session.tick(0.013);
            let time = session.clock().time_secs();
            assert!((0.2..=0.4).contains(&time), "{time}");
        }
    }

    #[test]
    fn the_shuttle_goes_both_ways_and_stops() {
        let mut session = pip();
        session.apply(Command::Playback(PlaybackCommand::SetSpeed(0.5)));
        let mut speeds = Vec::new();
        for sign in [1, 1, 1, 1, -1, -1, 0, -1] {
            ask(&mut session, TimelineCommand::Shuttle(sign));
            let is_playing = f64::from(u8::from(session.clock().is_playing()));
            speeds.push(is_playing * session.clock().speed());
        }
        assert_eq!(speeds, [1.0, 2.0, 4.0, 4.0, -1.0, -2.0, 0.0, -1.0]);
        ask(&mut session, TimelineCommand::Shuttle(0));
        assert_eq!(session.clock().speed(), 0.5, "as it was before");
        ask(&mut session, TimelineCommand::Shuttle(0));
        assert_eq!(session.clock().speed(), 0.5);
        ask(&mut session, TimelineCommand::Shuttle(1));
        session.apply(Command::Playback(PlaybackCommand::SetSpeed(0.25)));
        ask(&mut session, TimelineCommand::Shuttle(0));
        assert_eq!(session.clock().speed(), 0.25, "as was chosen since");
        ask(&mut session, TimelineCommand::Shuttle(-1));
        let (time_secs, node) = (0.5, None);
        ask(&mut session, TimelineCommand::StopAt { time_secs, node });
        let clock = session.clock();
        assert!(!clock.is_playing() && clock.time_secs() == 0.5);
        assert_eq!(clock.speed(), 0.25, "as from a mark");
    }

    #[test]
    fn steps_go_to_the_keys_of_the_chosen_node_or_of_all() {
        let mut builder = ClipBuilder::new("");
        for (node, times) in [(1, vec![-1.0, 0.1, 0.3]), (2, vec![0.2, 0.3, 0.7])] {
            let values = vec![glam::Vec3::ZERO; times.len()];
            let timeline = builder.timeline(Timeline::new(times).unwrap());
            builder
                .translation(NodeId(node), timeline, Interpolation::Linear, values)
                .unwrap();
        }
        let clip = builder.finish();
        let check = |node: Option<u32>, now: f64, sign, expected: Option<f32>| {
            let found = key_beside(&Model::default(), &clip, node.map(NodeId), now, sign);
            assert_eq!(found, expected.map(f64::from), "{node:?} {now} {sign}");
        };
        check(None, 0.0, 1, Some(0.1));
        check(None, f64::from(0.1_f32), 1, Some(0.2));
        check(None, 0.1, 1, Some(0.2));
        check(None, 0.7, 1, None);
        check(None, 0.7, -1, Some(0.3));
        check(None, 0.05, -1, Some(0.0));
        check(Some(2), 0.0, 1, Some(0.2));
        check(Some(2), 0.2, -1, None);
        check(Some(1), 0.3, 1, None);
        check(Some(9), 0.1, 1, Some(0.2));
    }

    #[test]
    fn the_sheet_opens_as_it_was_closed() {
        let mut session = pip();
        let mut seen = Vec::new();
        for command in [
            TimelineCommand::ToggleSheet,
            TimelineCommand::OtherSheet,
            TimelineCommand::ToggleSheet,
            TimelineCommand::ToggleSheet,
            TimelineCommand::ShowSheet(None),
            TimelineCommand::OtherSheet,
        ] {
            ask(&mut session, command);
            seen.push(session.timeline.sheet);
        }
        let (dope, curves) = (Some(SheetKind::Dope), Some(SheetKind::Curves));
        assert_eq!(seen, [dope, curves, None, curves, None, curves]);
    }

    #[test]
    fn the_axis_follows_time_unless_the_user_looks_elsewhere() {
        let mut session = pip();
        ask(&mut session, TimelineCommand::Show(span(0.1, 0.2)));
        assert_eq!(view_of(&session).span, span(0.1, 0.2).unwrap());
        session.apply(Command::Playback(PlaybackCommand::TogglePlay));
        session.tick(0.05);
        assert_eq!(
            view_of(&session).span,
            span(0.1, 0.2).unwrap(),
            "time was not in sight"
        );
        session.apply(Command::Playback(PlaybackCommand::Seek(0.15)));
        session.tick(0.07);
        let shown = view_of(&session).span;
        assert!((shown.from_secs - 0.22).abs() < 1e-9 && shown.length_secs() < 0.1001);
        // On the way back of ping-pong it ends where time is.
        session.apply(Command::Playback(PlaybackCommand::SetLoopMode(
            LoopMode::PingPong,
        )));
        ask(&mut session, TimelineCommand::Show(span(0.2, 0.3)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.22)));
        let way_back_secs = 2.0 * (session.clock.duration_secs() - 0.22);
        session.clock.tick(way_back_secs);
        assert!(session.clock.is_backward());
        session.tick(0.03);
        let shown = view_of(&session).span;
        assert!((shown.to_secs - 0.19).abs() < 1e-9, "{shown:?}");
        // Where the user goes is shown.
        session.apply(Command::Playback(PlaybackCommand::SeekStart));
        assert!(view_of(&session).span.contains(0.0));
        for nonsense in [
            span(0.2, 0.1),
            span(f64::NAN, 1.0),
            span(-1.0, 0.5),
            span(0.0, 1e9),
        ] {
            ask(&mut session, TimelineCommand::Show(nonsense));
            let all = view_of(&session).span;
            assert_eq!(all.to_secs, session.clock().duration_secs(), "{nonsense:?}");
        }
    }
}
