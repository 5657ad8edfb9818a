//! What a user can ask of poses by hand.

use crate::anim::{PosingPart, PosingSpace};

/// A wish about the pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PosingCommand {
    /// Drags do this from now on.
    SetTool(PoseTool),
    /// Changes are made along these axes.
    SetSpace(PosingSpace),
    /// Whether changes stay when time goes on or another clip plays.
    SetStays(bool),
    /// A drag begins: all changes up to [`PosingCommand::EndDrag`] are one step to undo.
    BeginDrag,
    /// Change the pose, since the drag began.
    Drag(DragCommand),
    /// The drag is over.
    EndDrag,
    /// Keys act on the next handle of the tool.
    NextHandle,
    /// Move that handle by so many small steps, as a drag of its own.
    Nudge(i32),
    /// The chosen joint is as the clip has it.
    ResetJoint,
    /// All joints are.
    ResetAll,
    /// Left and right change places.
    Mirror,
}

/// How a drag changes the pose from what it was when the drag began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DragCommand {
    /// Since the drag began the chosen joint has turned by so many radians about an axis (0 x, 1 y, 2 z).
    Turn(usize, f32),
    /// Since the drag began it has moved so far along an axis, in the gizmo's size.
    Move(usize, f32),
    /// Since the drag began it has grown so many times along an axis; 3: along all.
    Scale(usize, f32),
    /// It shall be where the pointer is (−1..1 from the viewport's centre, right and up), as far away as when the drag began.
    Reach([f32; 2]),
    /// The middle of the two bones above it shall point to where the pointer is (as for [`DragCommand::Reach`]), while both
    /// their ends stay.
    Pole([f32; 2]),
    /// Since the drag began the two bones above it have turned together by so many radians about the line between their
    /// ends.
    Swivel(f32),
    /// A part of the chosen node's local transform shall be this number along an axis (0 x, 1 y, 2 z): since the drag began
    /// or, without one, as a step of its own.
    Place(PosingPart, usize, f32),
}

/// What a drag at the chosen joint does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PoseTool {
    /// Nothing: drags move the camera.
    #[default]
    Off,
    /// Turns it about its own origin.
    Turn,
    /// Moves it.
    Move,
    /// Scales it along its own axes.
    Scale,
    /// Bends the two bones above it so that it follows the pointer.
    Reach,
}

impl PoseTool {
    /// All, in the order that the key goes through.
    pub const ALL: [Self; 5] = [Self::Off, Self::Turn, Self::Move, Self::Scale, Self::Reach];

    /// As shown.
    pub fn label(self) -> &'static str {
        match self {
            Self::Off => "Off",
            Self::Turn => "Turn",
            Self::Move => "Move",
            Self::Scale => "Scale",
            Self::Reach => "Reach",
        }
    }
}
