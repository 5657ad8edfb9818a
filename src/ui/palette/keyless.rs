//! What the palette does that has no key.

use crate::scene::{BoneShape, LightSettings, ReferencePose, ViewMode, WeightColors};
use crate::ui::{
    BorrowedCommand, CameraCommand, Command, CompareCommand, FilesCommand, InspectCommand,
    MixCommand, MotionCommand, PictureCommand, PlaybackCommand, PosingCommand, SavingCommand,
    SkeletonCommand, View, WindowCommand, menus::bones::CROWD_HOLDS_NONE, text, timeline::markers,
};

/// A line of the palette.
#[derive(Debug)]
pub struct Keyless {
    /// What the line says.
    pub label: &'static str,
    /// What it is about.
    pub group: &'static str,
    /// What else people call it.
    pub also: &'static str,
    /// Or why it would do nothing now.
    pub command: fn(&View<'_>) -> Result<Command, &'static str>,
    /// What is said once it is done; none where the window shows it anyway.
    pub said: fn(&View<'_>) -> Option<String>,
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
        group: "Files",
        also: "errors warnings problems issues validate validation check lint findings",
        command: |view| {
            let show = Command::Inspect(InspectCommand::ShowFindings);
            let has_any = !view.diagnostics.is_empty();
            has_any.then_some(show).ok_or("Nothing to complain about")
        },
        said: is_seen,
    },
    Keyless {
        label: "Forget all recent files",
        group: "Files",
        also: "clear delete history privacy",
        command: |view| {
            let forget = Command::Files(FilesCommand::ForgetRecent);
            let has_any = !view.files.recent.is_empty();
            has_any.then_some(forget).ok_or("None was opened before")
        },
        said: |_| Some("Recent files forgotten".to_owned()),
    },
    Keyless {
        label: "Copy as render command",
        group: "Files",
        also: "command line cli terminal shell clipboard script picture",
        command: |view| {
            let copy = Command::Window(WindowCommand::CopyRenderCommand);
            let has_any = !view.nodes.rows.is_empty();
            has_any.then_some(copy).ok_or("No model is shown")
        },
        said: is_seen,
    },
    Keyless {
        label: "Save the animation that plays, in a copy of the model (.glb)",
        group: "Files",
        also: "export bake glb gltf clip motion retargeted mix in place",
        command: |view| {
            let toggle = Command::Saving(SavingCommand::ToggleAnimation);
            view.saving.unplayed.map_or(Ok(toggle), Err)
        },
        said: is_seen,
    },
    Keyless {
        label: "Path of the root",
        group: "Camera",
        also: "root motion trajectory",
        command: |view| {
            let toggle = Command::Camera(CameraCommand::TogglePath);
            let path = view.camera.path.as_ref();
            path.map(|_| toggle).ok_or("No clip moves the root")
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
            let toggle = Command::Camera(CameraCommand::ToggleFollowHeight);
            let followed = view.camera.follows;
            followed.map(|_| toggle).ok_or("Nothing is followed")
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
        label: "Lights of the file: dimmed, or as it states them",
        group: "Light",
        also: "overexposed bright white burnt out",
        command: |view| {
            let light = LightSettings {
                dims_lights: !view.light.settings.dims_lights,
                ..view.light.settings
            };
            let set = Command::Picture(PictureCommand::SetLight(light));
            let has_any = view.light.dimming.is_some();
            has_any
                .then_some(set)
                .ok_or("The file has no lights that would leave all white")
        },
        said: |view| {
            let is_dimmed = view.light.settings.dims_lights;
            let words = if is_dimmed {
                "dimmed"
            } else {
                "as it states them"
            };
            Some(format!("Lights of the file: {words}"))
        },
    },
    Keyless {
        label: "Use the graphics adapter again",
        group: "View",
        also: "gpu graphics card hardware driver software",
        command: |view| {
            let ask = Command::Window(WindowCommand::UseAdapter);
            view.light
                .misses_adapter
                .then_some(ask)
                .ok_or("It has not failed")
        },
        said: is_seen,
    },
    Keyless {
        label: "Weights in blue to red, or for colour-blind eyes",
        group: "View",
        also: "",
        command: |view| {
            let other = match view.surfaces.weight_colors {
                WeightColors::Heat => WeightColors::Viridis,
                WeightColors::Viridis => WeightColors::Heat,
            };
            let set = Command::Picture(PictureCommand::SetWeightColors(other));
            let is_seen = view.surfaces.mode == ViewMode::Weights;
            is_seen.then_some(set).ok_or("Only in the view of weights")
        },
        said: is_seen,
    },
    Keyless {
        label: "Release all motion trails",
        group: "Skeleton",
        also: "clear",
        command: |view| {
            let release = Command::Skeleton(SkeletonCommand::ForgetTrails);
            let has_any = !view.skeleton.trails.is_empty();
            has_any.then_some(release).ok_or("No motion trail is kept")
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
            has_one.then_some(()).ok_or("The file has no skins")?;
            hold(view, ReferencePose::Bind)
        },
        said: |_| Some("Bind pose".to_owned()),
    },
    Keyless {
        label: "Hold the T pose",
        group: "Skeleton",
        also: "t-pose tpose reference",
        command: |view| {
            view.skeleton.why_no_t_pose.map_or(Ok(()), Err)?;
            hold(view, ReferencePose::Tee)
        },
        said: |_| Some("T pose".to_owned()),
    },
    Keyless {
        label: "Swap left and right of the pose",
        group: "Pose",
        also: "mirror flip symmetry sides",
        command: |view| {
            view.posing.why_no_mirror.map_or(Ok(()), Err)?;
            Ok(Command::Posing(PosingCommand::Mirror))
        },
        said: is_seen,
    },
    Keyless {
        label: "Reset the selected joint",
        group: "Pose",
        also: "clear zero revert",
        command: |view| {
            view.nodes.selected.ok_or("Select a joint first")?;
            reset(view, PosingCommand::ResetJoint)
        },
        said: is_seen,
    },
    Keyless {
        label: "Reset all joints",
        group: "Pose",
        also: "clear zero revert pose",
        command: |view| reset(view, PosingCommand::ResetAll),
        said: is_seen,
    },
    Keyless {
        label: "Play all clips at once",
        group: "Clips",
        also: "together mix every animation",
        command: |view| match view.clips.rows.len() {
            0 | 1 => Err("There are no other clips"),
            _ => Ok(Command::Mix(MixCommand::PlayAll)),
        },
        said: is_seen,
    },
    Keyless {
        label: "Retarget the clips added last, or leave them as they are",
        group: "Clips",
        also: "rest pose",
        command: |view| {
            let last = view.mix.borrowed.iter().enumerate().next_back();
            let (file, row) = last.ok_or("No clips of other files are added")?;
            let is_on = row.is_retargeted;
            Ok(Command::Borrowed(BorrowedCommand::SetRetarget(
                file, !is_on,
            )))
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
        label: "Take the clips added last out again",
        group: "Clips",
        also: "remove delete file",
        command: |view| {
            let last = view.mix.borrowed.len().checked_sub(1);
            let file = last.ok_or("No clips of other files are added")?;
            Ok(Command::Borrowed(BorrowedCommand::TakeOut(file)))
        },
        said: is_seen,
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
        label: "Frame rate: as the clip's keys tell it",
        group: "Time",
        also: "fps reset found",
        command: |view| {
            let playback = &view.playback;
            let is_set = !playback.rate_is_guessed && !playback.rate_is_assumed;
            let find = Command::Playback(PlaybackCommand::FindFrameRate);
            is_set.then_some(find).ok_or("No other rate was set")
        },
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
            let toggle = Command::Motion(MotionCommand::ToggleCrowdClips);
            let is_crowd = view.motion.crowd_size > 1;
            is_crowd.then_some(toggle).ok_or("There is no crowd")
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
            let differences = view.compare.differences.as_ref();
            let is_open = differences.map(|it| it.clips.map(|list| list.is_open));
            let list = |is_open: bool| CompareCommand::ListClips(!is_open);
            match is_open {
                Some(Some(is_open)) => compare(view, list(is_open)),
                Some(None) => Err("No other file is compared"),
                None if view.compare.is_on => Err("Open the differences first"),
                None => Err(NOT_COMPARED),
            }
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

/// Why there is nothing to say of two.
const NOT_COMPARED: &str = "Nothing is compared";

/// Stops at the next odd mark after now, or at the first of all.
fn next_mark(view: &View<'_>) -> Result<Command, &'static str> {
    const NEAR_SECS: f64 = 1e-6;
    let now_secs = view.playback.time_secs + NEAR_SECS;
    let mut odd = view.timeline.markers.iter().filter(|mark| mark.is_odd);
    let first = odd.clone().next();
    let next = odd.find(|mark| mark.from_secs > now_secs).or(first);
    let clip = (view.timeline.clip, view.timeline.measured_clip);
    next.map(markers::stop_at).ok_or(match clip {
        _ if view.clips.rows.is_empty() => text::NO_ANIMATION,
        (_, Some(_)) => "No marks in this clip",
        (Some(_), None) => "A mix has no marks",
        (None, None) => "No clip is selected",
    })
}

fn bones(view: &View<'_>, shape: BoneShape) -> Result<Command, &'static str> {
    let mut settings = view.skeleton.settings;
    if !view.shown.has_skeleton {
        return Err("The file has no skeleton");
    }
    if settings.shape == shape {
        return Err("They are drawn so already");
    }
    settings.shape = shape;
    Ok(Command::Skeleton(SkeletonCommand::Set(settings)))
}

fn hold(view: &View<'_>, pose: ReferencePose) -> Result<Command, &'static str> {
    if view.statistics.crowd.is_some() {
        return Err(CROWD_HOLDS_NONE);
    }
    let is_other = view.skeleton.held != Some(pose);
    let hold = Command::Skeleton(SkeletonCommand::Hold(Some(pose)));
    is_other.then_some(hold).ok_or("It is held already")
}

fn reset(view: &View<'_>, command: PosingCommand) -> Result<Command, &'static str> {
    let is_changed = view.posing.changed > 0;
    let reset = Command::Posing(command);
    is_changed
        .then_some(reset)
        .ok_or("No joint is posed by hand")
}

fn frame_rate(view: &View<'_>, rate: f64) -> Result<Command, &'static str> {
    let playback = &view.playback;
    match () {
        () if playback.duration_secs <= 0.0 => Err("No clip plays"),
        () if playback.frames_per_sec == rate => Err("That is the rate already"),
        () => Ok(Command::Playback(PlaybackCommand::SetFrameRate(rate))),
    }
}

fn crowd(view: &View<'_>, count: usize) -> Result<Command, &'static str> {
    let is_other = view.motion.crowd_size.max(1) != count;
    let set = Command::Motion(MotionCommand::SetCrowdSize(count));
    is_other.then_some(set).ok_or("There are so many already")
}

fn compare(view: &View<'_>, command: CompareCommand) -> Result<Command, &'static str> {
    let compare = Command::Compare(command);
    view.compare.is_on.then_some(compare).ok_or(NOT_COMPARED)
}
