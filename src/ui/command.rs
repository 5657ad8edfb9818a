//! Everything that a user can ask for, as data.
//!
//! Panels and keys make commands; the app acts on them in one place. Nothing else changes what is shown.

use super::{
    CameraCommand, ClipsCommand, CompareCommand, FilesCommand, InspectCommand, NodesCommand,
    PosingCommand, SavingCommand, SkeletonCommand, TimelineCommand, WindowCommand,
};
use crate::{
    anim::LoopMode,
    scene::{Backdrop, LightSettings, ViewMode, WeightColors},
};

/// A wish of the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Start or stop the clock.
    TogglePlay,
    /// Go to a time in seconds and stay there; playing goes on from there if it was on.
    Seek(f64),
    /// Stop and go this many frames forward (or back, if negative).
    StepFrames(i32),
    /// Stop and go to the first frame.
    SeekStart,
    /// Stop and go to the last frame.
    SeekEnd,
    /// Set the speed; 1 is the file's own, negative plays backwards.
    SetSpeed(f64),
    /// Say what happens at the end of the clip.
    SetLoopMode(LoopMode),
    /// Set the frames a second that frame steps and frame numbers use.
    SetFrameRate(f64),
    /// What is asked of time and of its axis.
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
    /// Show or hide the skeleton.
    ToggleSkeleton,
    /// Something about the skeleton.
    Skeleton(SkeletonCommand),
    /// What is asked of poses by hand.
    Posing(PosingCommand),
    /// What is asked of comparing.
    Compare(CompareCommand),
    /// Choose what is drawn of surfaces.
    SetViewMode(ViewMode),
    /// Choose the next of [`ViewMode::ALL`] (or the one before, if negative), going round at its ends.
    StepViewMode(i32),
    /// Choose the colours that stand for weights.
    SetWeightColors(WeightColors),
    /// Blend the joints that move a vertex as matrices, or as dual quaternions.
    ToggleDualQuaternions,
    /// Let clips go where they go, or keep them in place.
    ToggleInPlace,
    /// Set how many seconds it takes to go over to another clip.
    SetFade(f64),
    /// Show so many of the model on a field, each somewhere else in the clip; 1: the model alone.
    SetCrowdSize(usize),
    /// Let a crowd play all clips, or the chosen one alone.
    ToggleCrowdClips,
    /// Clips together, clips of other files, and morph weights.
    Clips(ClipsCommand),
    /// Show or hide the ground grid.
    ToggleGrid,
    /// Light the model like this.
    SetLight(LightSettings),
    /// Show this behind the model.
    SetBackdrop(Backdrop),
    /// Put the model back into the built-in studio.
    UseStudio,
    /// Show or hide a panel.
    TogglePanel(Panel),
    /// Move the camera so that the posed model fills the view.
    FrameModel,
    /// Turn the camera: fractions of the viewport's height that the pointer moved, right and down.
    Orbit {
        /// To the right.
        right: f32,
        /// Down.
        down: f32,
    },
    /// Move the camera sideways, in the same units.
    Pan {
        /// To the right.
        right: f32,
        /// Down.
        down: f32,
    },
    /// Move the camera nearer (positive) or farther, keeping the point at `toward` (−1..1 from the viewport's centre,
    /// right and up) where it is.
    Zoom {
        /// In wheel notches.
        notches: f32,
        /// Where the pointer is.
        toward: [f32; 2],
    },
    /// Do something else with the camera.
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
