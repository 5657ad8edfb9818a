//! What keys ask of time and of its axis.

use crate::ui::{TimelineCommand, View, keys::Action};

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
