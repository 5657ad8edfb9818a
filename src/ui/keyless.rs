//! What the palette does that has no key.

use super::{
    CameraCommand, ClipsCommand, Command, CompareCommand, InspectCommand, MotionCommand,
    PictureCommand, PlaybackCommand, PosingCommand, SkeletonCommand, View, text, timeline::markers,
};
use crate::scene::{BoneShape, ReferencePose, ViewMode, WeightColors};

/// A line of the palette.
#[derive(Debug)]
pub(super) struct Keyless {
    pub(super) label: &'static str,
    /// What it is about.
    pub(super) group: &'static str,
    /// What else people call it.
    pub(super) also: &'static str,
    /// None if it would do nothing now.
    pub(super) command: fn(&View<'_>) -> Option<Command>,
    /// What is said once it is done; none where the window shows it anyway.
    pub(super) said: fn(&View<'_>) -> Option<String>,
}

/// The window shows it.
fn is_seen(_: &View<'_>) -> Option<String> {
    None
}

/// All of them.
pub(super) const LINES: &[Keyless] = &[
    Keyless {
        label: "Next mark of the clip: pop, foot slide, loop seam",
        group: "Time",
        also: "sliding feet skating jump glitch",
        command: next_mark,
        said: is_seen,
    },
    Keyless {
        label: "Diagnostics: what is wrong with the file",
        group: "File",
        also: "errors warnings problems issues validate validation check lint findings",
        command: |view| {
            let show = Command::Inspect(InspectCommand::ShowFindings);
            (!view.diagnostics.is_empty()).then_some(show)
        },
        said: is_seen,
    },
    Keyless {
        label: "Path of the root",
        group: "Camera",
        also: "root motion trajectory",
        command: |view| {
            view.camera.path?;
            Some(Command::Camera(CameraCommand::TogglePath))
        },
        said: |view| {
            let words = if view.camera.shows_path { "on" } else { "off" };
            Some(format!("Path of the root {words}"))
        },
    },
    Keyless {
        label: "Follow over the ground only, or up and down too",
        group: "Camera",
        also: "",
        command: |view| {
            view.camera.follows?;
            Some(Command::Camera(CameraCommand::ToggleFollowHeight))
        },
        said: |view| {
            let on_ground = "Followed over the ground only";
            let both = "Followed over the ground, up and down";
            Some(
                if view.camera.follows_on_ground {
                    on_ground
                } else {
                    both
                }
                .to_owned(),
            )
        },
    },
    Keyless {
        label: "Weights in blue to red, or for colour-blind eyes",
        group: "View",
        also: "",
        command: |view| {
            let other = match view.weight_colors {
                WeightColors::Heat => WeightColors::Viridis,
                WeightColors::Viridis => WeightColors::Heat,
            };
            (view.view_mode == ViewMode::Weights)
                .then_some(Command::Picture(PictureCommand::SetWeightColors(other)))
        },
        said: is_seen,
    },
    Keyless {
        label: "Release all motion trails",
        group: "Skeleton",
        also: "clear",
        command: |view| {
            let release = Command::Skeleton(SkeletonCommand::ForgetTrails);
            (!view.skeleton.trails.is_empty()).then_some(release)
        },
        said: |_| Some("All motion trails are released".to_owned()),
    },
    Keyless {
        label: "Bones as octahedra",
        group: "Skeleton",
        also: "",
        command: |view| bones(view, BoneShape::Octahedra),
        said: is_seen,
    },
    Keyless {
        label: "Bones as sticks",
        group: "Skeleton",
        also: "",
        command: |view| bones(view, BoneShape::Sticks),
        said: is_seen,
    },
    Keyless {
        label: "Bones as joints only",
        group: "Skeleton",
        also: "",
        command: |view| bones(view, BoneShape::Joints),
        said: is_seen,
    },
    Keyless {
        label: "Hold the rest pose",
        group: "Skeleton",
        also: "default reference",
        command: |view| hold(view, ReferencePose::Rest),
        said: |_| Some("Rest pose".to_owned()),
    },
    Keyless {
        label: "Hold the bind pose",
        group: "Skeleton",
        also: "default reference skin",
        command: |view| {
            let has_one = view.skeleton.has_bind_pose;
            has_one.then(|| hold(view, ReferencePose::Bind))?
        },
        said: |_| Some("Bind pose".to_owned()),
    },
    Keyless {
        label: "Hold the T pose",
        group: "Skeleton",
        also: "t-pose tpose reference",
        command: |view| {
            let has_one = view.skeleton.why_no_t_pose.is_none();
            has_one.then(|| hold(view, ReferencePose::Tee))?
        },
        said: |_| Some("T pose".to_owned()),
    },
    Keyless {
        label: "Swap left and right of the pose",
        group: "Pose",
        also: "mirror flip symmetry sides",
        command: |view| {
            let mirror = Command::Posing(PosingCommand::Mirror);
            view.posing.why_no_mirror.is_none().then_some(mirror)
        },
        said: is_seen,
    },
    Keyless {
        label: "Reset the selected joint",
        group: "Pose",
        also: "clear zero revert",
        command: |view| {
            view.selected_node?;
            let reset = Command::Posing(PosingCommand::ResetJoint);
            (view.posing.changed > 0).then_some(reset)
        },
        said: is_seen,
    },
    Keyless {
        label: "Reset all joints",
        group: "Pose",
        also: "clear zero revert pose",
        command: |view| {
            let reset = Command::Posing(PosingCommand::ResetAll);
            (view.posing.changed > 0).then_some(reset)
        },
        said: is_seen,
    },
    Keyless {
        label: "Retarget the clips added last, or leave them as they are",
        group: "Clips",
        also: "rest pose",
        command: |view| {
            let file = view.mix.borrowed.len().checked_sub(1)?;
            let is_on = view.mix.borrowed.get(file)?.is_retargeted;
            Some(Command::Clips(ClipsCommand::SetRetarget(file, !is_on)))
        },
        said: |view| {
            let file = view.mix.borrowed.last()?;
            let words = if file.is_retargeted {
                "are retargeted"
            } else {
                "are as they are there"
            };
            let name = text::clean(&file.name, 40);
            Some(format!("The clips of {name} {words}"))
        },
    },
    Keyless {
        label: "Frame rate: 24 a second",
        group: "Time",
        also: "fps",
        command: |view| frame_rate(view, 24.0),
        said: is_seen,
    },
    Keyless {
        label: "Frame rate: 30 a second",
        group: "Time",
        also: "fps",
        command: |view| frame_rate(view, 30.0),
        said: is_seen,
    },
    Keyless {
        label: "Frame rate: 60 a second",
        group: "Time",
        also: "fps",
        command: |view| frame_rate(view, 60.0),
        said: is_seen,
    },
    Keyless {
        label: "No crowd: the model alone",
        group: "Crowd",
        also: "",
        command: |view| crowd(view, 1),
        said: is_seen,
    },
    Keyless {
        label: "Crowd of 100",
        group: "Crowd",
        also: "",
        command: |view| crowd(view, 100),
        said: is_seen,
    },
    Keyless {
        label: "Crowd of 1,000",
        group: "Crowd",
        also: "",
        command: |view| crowd(view, 1_000),
        said: is_seen,
    },
    Keyless {
        label: "Crowd of 10,000",
        group: "Crowd",
        also: "",
        command: |view| crowd(view, 10_000),
        said: is_seen,
    },
    Keyless {
        label: "All clips in the crowd, or the selected one",
        group: "Crowd",
        also: "",
        command: |view| {
            (view.motion.crowd_size > 1).then_some(Command::Motion(MotionCommand::ToggleCrowdClips))
        },
        said: |view| {
            let all = "Each of the crowd plays another clip";
            let one = "All of the crowd play the selected clip";
            Some(
                if view.motion.crowd_plays_all {
                    all
                } else {
                    one
                }
                .to_owned(),
            )
        },
    },
    Keyless {
        label: "Differences of A and B",
        group: "Compare",
        also: "",
        command: |view| compare(view, CompareCommand::ToggleDifferences),
        said: is_seen,
    },
    Keyless {
        label: "Clips of A and B, or joints of one",
        group: "Compare",
        also: "",
        command: |view| {
            let list = view.compare.differences?.clips?;
            compare(view, CompareCommand::ListClips(!list.is_open))
        },
        said: is_seen,
    },
    Keyless {
        label: "Clips of A and B begin and end together",
        group: "Compare",
        also: "",
        command: |view| compare(view, CompareCommand::TogglePhase),
        said: |view| {
            let together = "Clips of A and B begin and end together";
            let apart = "Clips of A and B go by the same clock";
            Some(
                if view.compare.by_phase {
                    together
                } else {
                    apart
                }
                .to_owned(),
            )
        },
    },
];

/// Stops at the next odd mark after now, or at the first of all.
fn next_mark(view: &View<'_>) -> Option<Command> {
    const NEAR_SECS: f64 = 1e-6;
    let now_secs = view.playback.time_secs + NEAR_SECS;
    let mut odd = view.timeline.markers.iter().filter(|mark| mark.is_odd);
    let first = odd.clone().next();
    let next = odd.find(|mark| mark.from_secs > now_secs).or(first)?;
    Some(markers::stop_at(next))
}

fn bones(view: &View<'_>, shape: BoneShape) -> Option<Command> {
    let mut settings = view.skeleton.settings;
    let is_other = view.shown.has_skeleton && settings.shape != shape;
    settings.shape = shape;
    is_other.then_some(Command::Skeleton(SkeletonCommand::Set(settings)))
}

fn hold(view: &View<'_>, pose: ReferencePose) -> Option<Command> {
    let is_other = view.skeleton.held != Some(pose);
    is_other.then_some(Command::Skeleton(SkeletonCommand::Hold(Some(pose))))
}

fn frame_rate(view: &View<'_>, rate: f64) -> Option<Command> {
    let playback = &view.playback;
    let is_other = playback.duration_secs > 0.0 && playback.frames_per_sec != rate;
    is_other.then_some(Command::Playback(PlaybackCommand::SetFrameRate(rate)))
}

fn crowd(view: &View<'_>, count: usize) -> Option<Command> {
    (view.motion.crowd_size.max(1) != count)
        .then_some(Command::Motion(MotionCommand::SetCrowdSize(count)))
}

fn compare(view: &View<'_>, command: CompareCommand) -> Option<Command> {
    view.compare.is_on.then_some(Command::Compare(command))
}
