//! What a user can ask of comparing.

use crate::scene::SplitWay;

/// What is asked of comparing.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareCommand {
    /// Show the second subject in this way, or not at all.
    Show(Option<SplitWay>),
    /// The next way, and none after the last.
    Step,
    /// Let the two change places.
    Swap,
    /// Compare with this.
    With(CompareWith),
    /// Put the line between them there: a part of the picture's width.
    MoveLine(f32),
    /// Let clips of different lengths begin and end together, or run second by second.
    TogglePhase,
    /// Show or hide how far the two lie apart.
    ToggleDifferences,
    /// List all clips of another file, or the joints of one.
    ListClips(bool),
    /// Choose what lies at a point of B's picture, as [`Command::Pick`](crate::ui::Command::Pick) does in A's.
    Pick {
        /// Where.
        at: [f32; 2],
        /// How far beside it a joint may lie, as a part of the picture's height.
        reach: f32,
    },
}

/// What a model is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareWith {
    /// Another of its clips.
    Clip(usize),
    /// Its own pose, skinned the other way.
    Skinning,
    /// Another file.
    File,
}
