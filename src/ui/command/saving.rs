//! What a user can ask of saving: what is saved, and as which kinds of files.

use std::ops::RangeInclusive;

use crate::anim::USUAL_FRAME_RATE;

/// A wish about saving.
#[derive(Debug, Clone, PartialEq)]
pub enum SavingCommand {
    /// Open the dialog for a picture or an animation, or close it.
    Toggle,
    /// Open the dialog for a pose, or close it.
    TogglePose,
    /// Open the dialog for what plays, as an animation of the model, or close it.
    ToggleAnimation,
    /// Close the dialog.
    Close,
    /// Save like this.
    Set(SavingSettings),
    /// Call the clip that a pose or what plays becomes like this.
    SetClipName(String),
    /// Call the file like this.
    SetFileName(String),
    /// Put the file there.
    SetFolder(String),
    /// Save to the file that is named.
    Save,
    /// Ask for the file in the system's dialog, and save.
    Choose,
    /// Replace the files that are there.
    Replace,
    /// Save nothing, and leave these files as they are.
    Keep,
    /// Stop; no file is left half written.
    Stop,
}

/// How it is saved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SavingSettings {
    /// What.
    pub kind: SavingKind,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Frames a second.
    pub fps: f64,
    /// Whether the camera goes once around the model.
    pub turntable: bool,
    /// Whether there is nothing behind the model.
    pub transparent: bool,
}

impl SavingSettings {
    /// What width and height may be, in pixels.
    pub const SIDES: RangeInclusive<u32> = 16..=8192;
    /// What the frames a second may be.
    pub const RATES: RangeInclusive<f64> = 1.0..=120.0;
}

impl Default for SavingSettings {
    fn default() -> Self {
        Self {
            kind: SavingKind::Picture(PictureKind::Still),
            size: [1280, 720],
            fps: USUAL_FRAME_RATE,
            turntable: false,
            transparent: false,
        }
    }
}

/// What is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SavingKind {
    /// What is seen.
    Picture(PictureKind),
    /// The pose that is shown.
    Pose(PoseKind),
    /// What plays: the model's own file as a .glb, with it as one more animation.
    Animation,
}

/// What is saved in several ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SavingGroup {
    /// What is seen.
    Pictures,
    /// The pose that is shown.
    Poses,
    /// What plays.
    Animations,
}

impl SavingGroup {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pictures, Self::Poses, Self::Animations];

    /// Its name in the dialog.
    pub fn label(self) -> &'static str {
        match self {
            Self::Pictures => "Images",
            Self::Poses => "Pose",
            Self::Animations => "Motion",
        }
    }

    /// The ways in which it is saved.
    pub fn kinds(self) -> &'static [SavingKind] {
        match self {
            Self::Pictures => &SavingKind::PICTURES,
            Self::Poses => &SavingKind::POSES,
            Self::Animations => &[SavingKind::Animation],
        }
    }
}

/// What pictures are saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureKind {
    /// One picture: PNG.
    Still,
    /// A file for each frame: PNG.
    Frames,
    /// One file of at most 256 colours.
    Gif,
    /// One file without loss.
    WebP,
    /// One file without loss, that shows one picture where animations are unknown.
    Apng,
}

/// What a pose is saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PoseKind {
    /// As `rigscope pose` prints it.
    Json,
    /// The mesh as it stands, as a .glb without joints.
    Mesh,
    /// The model's own file as a .glb, with the pose as one more clip, of one key.
    Clip,
}

impl SavingKind {
    /// Pictures and animations.
    pub const PICTURES: [Self; 5] = [
        Self::Picture(PictureKind::Still),
        Self::Picture(PictureKind::Frames),
        Self::Picture(PictureKind::Gif),
        Self::Picture(PictureKind::WebP),
        Self::Picture(PictureKind::Apng),
    ];
    /// Poses.
    pub const POSES: [Self; 3] = [
        Self::Pose(PoseKind::Json),
        Self::Pose(PoseKind::Mesh),
        Self::Pose(PoseKind::Clip),
    ];

    /// Its name in the dialog.
    pub fn label(self) -> &'static str {
        match self {
            Self::Picture(PictureKind::Still) => "Picture",
            Self::Picture(PictureKind::Frames) => "PNG frames",
            Self::Picture(PictureKind::Gif) => "GIF",
            Self::Picture(PictureKind::WebP) => "WebP",
            Self::Picture(PictureKind::Apng) => "APNG",
            Self::Pose(PoseKind::Json) => "JSON",
            Self::Pose(PoseKind::Mesh) => "Posed mesh",
            Self::Pose(PoseKind::Clip) => "Clip of one key",
            Self::Animation => "Animation of the model",
        }
    }

    /// What its files' names end with.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Picture(PictureKind::Still | PictureKind::Frames) => "png",
            Self::Picture(PictureKind::Gif) => "gif",
            Self::Picture(PictureKind::WebP) => "webp",
            Self::Picture(PictureKind::Apng) => "apng",
            Self::Pose(PoseKind::Json) => "json",
            Self::Pose(PoseKind::Mesh | PoseKind::Clip) | Self::Animation => "glb",
        }
    }

    /// What it is of.
    pub fn group(self) -> SavingGroup {
        match self {
            Self::Picture(_) => SavingGroup::Pictures,
            Self::Pose(_) => SavingGroup::Poses,
            Self::Animation => SavingGroup::Animations,
        }
    }
}
