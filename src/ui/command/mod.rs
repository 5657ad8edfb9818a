//! Everything that a user can ask for, as data.
//!
//! Panels and keys make commands; the app acts on them in one place. Nothing else changes what is shown.

mod borrowed;
mod camera;
mod compare;
mod files;
mod history;
mod inspect;
mod mix;
mod morphs;
mod motion;
mod nodes;
mod picture;
mod playback;
mod posing;
mod saving;
mod skeleton;
mod timeline;
mod window;

pub use borrowed::BorrowedCommand;
pub use camera::{CameraCommand, Flight};
pub use compare::{CompareCommand, CompareWith};
pub use files::{FilesCommand, Picker};
pub use history::HistoryCommand;
pub use inspect::InspectCommand;
pub use mix::{MAX_ADDED, MixCommand, MixMode, MixReference};
pub use morphs::MorphCommand;
pub use motion::{LONGEST_FADE_SECS, MotionCommand};
pub use nodes::NodesCommand;
pub use picture::PictureCommand;
pub use playback::{PlaybackCommand, SPEEDS, next_loop_mode};
pub use posing::{DragCommand, PoseTool, PosingCommand};
pub use saving::{PictureKind, PoseKind, SavingCommand, SavingGroup, SavingKind, SavingSettings};
pub use skeleton::SkeletonCommand;
pub use timeline::{SheetKind, TimelineCommand};
pub use window::WindowCommand;

use super::Message;

/// A wish of the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// What is asked of the clock.
    Playback(PlaybackCommand),
    /// What is asked of the time axis.
    Timeline(TimelineCommand),
    /// Play this clip, or show the file's own pose.
    SelectClip(Option<usize>),
    /// Show another scene of the file.
    SelectScene(usize),
    /// Show the materials of a variant, or the file's own choice.
    SelectVariant(Option<usize>),
    /// Choose a node (place in the hierarchy), or none.
    SelectNode(Option<usize>),
    /// Hide, show or search nodes.
    Nodes(NodesCommand),
    /// Show something else in the inspector.
    Inspect(InspectCommand),
    /// Something about the skeleton.
    Skeleton(SkeletonCommand),
    /// What is asked of poses by hand.
    Posing(PosingCommand),
    /// Take back what was changed, or make it again.
    History(HistoryCommand),
    /// What is asked of comparing.
    Compare(CompareCommand),
    /// What is asked of the picture.
    Picture(PictureCommand),
    /// What is asked of how motion is shown.
    Motion(MotionCommand),
    /// What is asked of clips together.
    Mix(MixCommand),
    /// What is asked of clips of other files.
    Borrowed(BorrowedCommand),
    /// What is asked of morph weights.
    Morphs(MorphCommand),
    /// Put the model back into the built-in studio.
    UseStudio,
    /// Show or hide a panel.
    TogglePanel(Panel),
    /// What is asked of the camera.
    Camera(CameraCommand),
    /// Choose what lies at `at` (−1..1 from the viewport's centre, right and up): a joint of the skeleton, if it is shown,
    /// or else of the model; nothing, if there is none.
    Pick {
        /// Where.
        at: [f32; 2],
        /// How far beside it a joint may lie, as a part of the viewport's height.
        reach: f32,
    },
    /// What is asked of saving.
    Saving(SavingCommand),
    /// What is asked of lists of files.
    Files(FilesCommand),
    /// What is asked of the window itself.
    Window(WindowCommand),
    /// Do what the message offers.
    AcceptOffer,
    /// Put the message away.
    DismissMessage,
    /// Put this message away, which goes by itself, and no other that was told since.
    ExpireMessage(Message),
    /// Close whatever is in front: the message, the key list.
    CloseFront,
    /// Switch between the dark and the light theme.
    ToggleTheme,
}

impl Command {
    /// Whether it only says where the pointer is.
    pub fn is_hover(&self) -> bool {
        matches!(self, Self::Skeleton(SkeletonCommand::Hover { .. }))
    }
}

/// A part of the window that can be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Panel {
    /// Clips and the scene tree, on the left.
    Scene,
    /// Statistics and diagnostics, on the right.
    Inspector,
    /// The list of keys, in front of everything.
    Keys,
}
