//! What a user can ask of time and of its axis.

use super::axis::TimeSpan;
use crate::ui::View;
use crate::ui::keys::Action;
use crate::ui::sheet::rows::SheetKind;

/// A wish about time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimelineCommand {
    /// Loop this part of the clip, or all of it.
    SetRange(Option<TimeSpan>),
    /// Loop from the current time on.
    MarkIn,
    /// Loop up to the current time.
    MarkOut,
    /// Go to the next key (or the one before, if negative) of the chosen node, or of all if it has none.
    StepKey(i32),
    /// Stop at a time, and choose the node that something is to be seen of there.
    StopAt {
        /// When.
        time_secs: f64,
        /// Which; none leaves the choice as it is.
        node: Option<usize>,
    },
    /// Play forwards (or backwards, if negative), each time faster; stop if 0.
    Shuttle(i32),
    /// Show this part of the clip on the time axis, or all of it.
    Show(Option<TimeSpan>),
    /// Open the sheet like this, or close it.
    ShowSheet(Option<SheetKind>),
    /// Open the sheet as it was, or close it.
    ToggleSheet,
    /// Show the sheet the other way; one that is closed opens with curves.
    OtherSheet,
    /// Show rotations in the sheet as quaternions, or as degrees.
    SetQuaternions(bool),
}

/// The command of a key.
pub fn by_key(action: Action, which: usize, view: &View<'_>) -> Option<TimelineCommand> {
    /// How much less of the clip a press of the key shows.
    const ZOOM_STEP: f64 = 0.7;
    let (timeline, playback) = (&view.timeline, &view.playback);
    Some(match action {
        Action::KeyStep => TimelineCommand::StepKey(if which == 0 { -1 } else { 1 }),
        Action::Shuttle => TimelineCommand::Shuttle([-1, 0, 1][which.min(2)]),
        Action::MarkIn => TimelineCommand::MarkIn,
        Action::MarkOut => TimelineCommand::MarkOut,
        Action::ClearRange => TimelineCommand::SetRange(None),
        Action::Sheet => TimelineCommand::ToggleSheet,
        Action::OtherSheet => TimelineCommand::OtherSheet,
        Action::ZoomTime => {
            let factor = if which == 0 {
                ZOOM_STEP
            } else {
                ZOOM_STEP.recip()
            };
            let span = timeline.span;
            let now = playback.time_secs;
            let about = if span.contains(now) {
                now
            } else {
                (span.from_secs + span.to_secs) / 2.0
            };
            TimelineCommand::Show(span.zoomed(factor, about, playback.duration_secs))
        }
        _ => return None,
    })
}
