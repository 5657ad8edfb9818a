//! What a user can ask of time and of its axis.

use crate::ui::TimeSpan;

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

/// What the sheet shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetKind {
    /// Keys of every channel.
    Dope,
    /// Values of a channel over time.
    Curves,
}

impl SheetKind {
    /// The other of the two.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Dope => Self::Curves,
            Self::Curves => Self::Dope,
        }
    }
}
