//! What the palette does that has no key.

use super::{Command, CompareCommand, View};

/// A line of the palette.
#[derive(Debug)]
pub(super) struct Keyless {
    pub(super) label: &'static str,
    /// What it is about.
    pub(super) group: &'static str,
    /// None if it would do nothing now.
    pub(super) command: fn(&View<'_>) -> Option<Command>,
}

/// All of them.
pub(super) const LINES: [Keyless; 8] = [
    Keyless {
        label: "No crowd: the model alone",
        group: "Crowd",
        command: |view| crowd(view, 1),
    },
    Keyless {
        label: "Crowd of 100",
        group: "Crowd",
        command: |view| crowd(view, 100),
    },
    Keyless {
        label: "Crowd of 1,000",
        group: "Crowd",
        command: |view| crowd(view, 1_000),
    },
    Keyless {
        label: "Crowd of 10,000",
        group: "Crowd",
        command: |view| crowd(view, 10_000),
    },
    Keyless {
        label: "All clips in the crowd, or the selected one",
        group: "Crowd",
        command: |view| (view.motion.crowd_size > 1).then_some(Command::ToggleCrowdClips),
    },
    Keyless {
        label: "Differences of A and B",
        group: "Compare",
        command: |view| compare(view, CompareCommand::ToggleDifferences),
    },
    Keyless {
        label: "Clips of A and B, or joints of one",
        group: "Compare",
        command: |view| {
            let list = view.compare.differences?.clips?;
            compare(view, CompareCommand::ListClips(!list.is_open))
        },
    },
    Keyless {
        label: "Clips of A and B begin and end together",
        group: "Compare",
        command: |view| compare(view, CompareCommand::TogglePhase),
    },
];

fn crowd(view: &View<'_>, count: usize) -> Option<Command> {
    (view.motion.crowd_size.max(1) != count).then_some(Command::SetCrowdSize(count))
}

fn compare(view: &View<'_>, command: CompareCommand) -> Option<Command> {
    view.compare.is_on.then_some(Command::Compare(command))
}
