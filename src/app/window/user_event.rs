//! What other threads tell the window.

use std::path::PathBuf;

use crate::{
    app::{
        compare::FoundDifferences,
        files::{ClipNews, Loaded, NoPose, ReadEnvironment, ReadPose},
        saving::{SaveAsked, SavedAside},
    },
    ui::{LoadKind, ScreenReaderEvent},
};

/// What other threads tell the window.
#[derive(Debug)]
pub(in crate::app) enum UserEvent {
    /// The program was asked to stop.
    Interrupted,
    /// A load has ended.
    Loaded(Box<Loaded>),
    /// Files of the model that is shown have changed.
    FilesChanged,
    /// Files of what is compared with have.
    SecondFileChanged,
    /// Files that were opened before and are not there any more.
    Missing(Vec<PathBuf>),
    /// Clips of another file were read, or its files have changed.
    Clips(ClipNews),
    /// Where to save was chosen, or the dialog closed.
    SaveTo(Box<SaveAsked>),
    /// How many moments are done of an animation that is being written, and how many there are in all.
    SavedSome(u32, u32),
    /// A pose or an animation was written, or could not be.
    SavedAside(Box<SavedAside>),
    /// A file to compare with was read.
    SecondFile(Box<Loaded>),
    /// It was found how far two subjects lie apart.
    Differences(Box<FoundDifferences>),
    /// An environment was read.
    Environment(Box<ReadEnvironment>),
    /// A pose was read.
    Pose(Box<ReadPose>),
    /// What was named like a pose is none.
    NoPose(Box<NoPose>),
    /// Something was found in a clip that can be seen.
    Analyzed,
    /// A screen reader asks for something.
    ScreenReader(ScreenReaderEvent),
    /// The user has chosen files in one of the system's dialogs, or none.
    Chosen(LoadKind, Vec<PathBuf>),
    /// The system has no such dialogs.
    NoDialog,
}
