//! The command that the window puts on the clipboard is one that `render` takes, and says what is shown.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Parser as _;

use super::RenderArguments;
use crate::{
    anim::Skinning,
    app::{Session, ShownFiles, built_in},
    cli::{Arguments, CliCommand},
    import::{Import, Outside},
    model::Panorama,
    scene::{
        Backdrop, Background, Choice, LightSettings, ReferencePose, SplitWay, ToneCurve, ViewMode,
        WeightColors,
    },
    ui::{
        BorrowedCommand, CameraCommand, Command, CompareCommand, CompareWith, MixCommand,
        MorphCommand, MotionCommand, NodesCommand, PictureCommand, PlaybackCommand,
        SkeletonCommand,
    },
};

/// Pip, in its first clip.
pub(super) fn session() -> Session {
    session_of(built_in::load("Pip").unwrap())
}

/// A model, in its first clip.
pub(super) fn session_of(import: Import) -> Session {
    let mut session = Session::new(import, None, Duration::ZERO);
    session.set_aspect(1.0);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.update();
    session
}

pub(super) fn files() -> ShownFiles {
    ShownFiles {
        model: vec![built_in::path_of("Pip")],
        ..ShownFiles::default()
    }
}

/// What the command says of a session, as `render` understands it, and what it leaves out.
#[track_caller]
pub(super) fn said(session: &Session, files: &ShownFiles) -> (Box<RenderArguments>, String) {
    let command = session.render_command(files, [640, 360]);
    let line = command.line();
    let parsed = Arguments::try_parse_from(command.words());
    let parsed = parsed.unwrap_or_else(|error| panic!("{line}: {error}"));
    let Some(CliCommand::Render(arguments)) = parsed.command else {
        panic!("{line}");
    };
    let checked = arguments.check();
    checked.unwrap_or_else(|error| panic!("{line}: {error}"));
    (arguments, command.left_out().join(", "))
}

#[test]
fn what_is_as_by_itself_is_not_said() {
    let mut session = session();
    session.apply(Command::Picture(PictureCommand::ToggleGrid));
    let line = session.render_command(&files(), [1280, 720]).line();
    let words: Vec<_> = line.split(' ').collect();
    let is_option = |word: &&&str| word.starts_with("--") || **word == "-o";
    let options: Vec<_> = words.iter().filter(is_option).copied().collect();
    let expected = ["-o", "--clip", "--ground", "--target", "--orbit", "--fov"];
    assert_eq!(options, expected, "{line}");
    let quote = if cfg!(windows) { '"' } else { '\'' };
    let name = format!("{quote}Pip Idle 0.00s.png{quote}");
    let begins = format!("rigscope render builtin:Pip -o {name} --clip Idle");
    assert!(line.starts_with(&begins), "{line}");
    let (_, left_out) = said(&session, &files());
    assert_eq!(left_out, "");
}

#[test]
fn clip_camera_and_look_are_those_of_the_window() {
    let mut session = session();
    let model = session.model();
    let joint = model.skins[0].joints[1];
    let name = model.hierarchy.node(joint).name.clone();
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    session.apply(Command::SelectNode(Some(joint.index())));
    for command in [
        Command::Picture(PictureCommand::SetViewMode(ViewMode::Weights)),
        Command::Picture(PictureCommand::SetWeightColors(WeightColors::Viridis)),
        Command::Picture(PictureCommand::ToggleSkeleton),
        Command::Picture(PictureCommand::SetBackdrop(Backdrop::Plain([
            1.0, 0.5, 0.0,
        ]))),
        Command::Motion(MotionCommand::ToggleDualQuaternions),
        Command::Camera(CameraCommand::Zoom {
            notches: 2.0,
            toward: [0.3, 0.1],
        }),
    ] {
        session.apply(command);
    }
    session.update();
    let (arguments, left_out) = said(&session, &files());
    assert_eq!(left_out, "");
    assert_eq!(arguments.model, Some(built_in::path_of("Pip")));
    assert_eq!(arguments.output, Some("Pip Walk 0.30s.png".into()));
    assert_eq!(arguments.moment.clip.as_deref(), Some("Walk"));
    assert_eq!(arguments.moment.time, 0.3);
    assert_eq!(arguments.size, Some([640, 360]));
    assert_eq!(arguments.view, ViewMode::Weights);
    assert_eq!(arguments.joint, Some(name));
    assert_eq!(arguments.weight_colors, Some(WeightColors::Viridis));
    assert_eq!(arguments.skinning, Skinning::DualQuaternion);
    assert!(arguments.skeleton && arguments.grid && !arguments.ground);
    let Background::Plain([red, green, blue]) = arguments.background() else {
        panic!("{:?}", arguments.background);
    };
    assert!(red == 1.0 && (green - 0.5).abs() < 0.003 && blue == 0.0);
    let camera = session.camera();
    let target = arguments.target.unwrap();
    let off = (glam::Vec3::from(target) - camera.target).length();
    assert!(off < 1e-6, "{target:?} {camera:?}");
    let [azimuth, polar, radius] = arguments.orbit.unwrap();
    for (found, expected) in [
        (azimuth.to_radians(), camera.azimuth_radians),
        (polar.to_radians(), camera.polar_radians),
        (radius, camera.radius),
        (arguments.fov.unwrap().to_radians(), camera.fov_y_radians),
    ] {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

#[test]
fn light_and_environment_are_said_where_they_shine() {
    let mut session = session();
    let light = LightSettings {
        environment_turn_radians: 1.0,
        environment_strength: 2.0,
        key_light: Choice::On,
        shadows: false,
        exposure_stops: -1.5,
        tone: ToneCurve::Agx,
        ..LightSettings::default()
    };
    let hall = PathBuf::from("/some where/hall.hdr");
    let panorama = Panorama::new(1, 1, vec![glam::Vec3::ONE]).unwrap();
    session.set_environment(Some((hall.clone(), panorama)));
    session.apply(Command::Picture(PictureCommand::SetLight(light)));
    let backdrop = Backdrop::Environment { blur: 0.25 };
    session.apply(Command::Picture(PictureCommand::SetBackdrop(backdrop)));
    let (arguments, _) = said(&session, &files());
    let found = arguments.light.settings();
    let turn_off = found.environment_turn_radians - light.environment_turn_radians;
    assert!(turn_off.abs() < 1e-5);
    let turned = LightSettings {
        environment_turn_radians: light.environment_turn_radians,
        ..found
    };
    assert_eq!(turned, light);
    let path = std::path::absolute(&hall).unwrap();
    assert_eq!(arguments.light.environment, Some(path));
    assert_eq!(
        arguments.background(),
        Background::Environment { blur: 0.25 }
    );
    // In other views nothing does, and `render` refuses to be told.
    session.apply(Command::Picture(PictureCommand::SetViewMode(
        ViewMode::Normal,
    )));
    let (arguments, _) = said(&session, &files());
    assert_eq!(arguments.light.first_given(), None);
}

#[test]
fn crowds_and_what_is_compared_are_said() {
    let mut other = session();
    other.apply(Command::Motion(MotionCommand::SetCrowdSize(30)));
    let (arguments, _) = said(&other, &files());
    assert_eq!(arguments.crowd, 30);
    assert_eq!(arguments.moment.clip.as_deref(), Some("Idle"));
    other.apply(Command::Motion(MotionCommand::ToggleCrowdClips));
    let (arguments, _) = said(&other, &files());
    assert_eq!(arguments.moment.clip, None);
    let mut session = session();
    let compare = |session: &mut Session, command| {
        session.apply(Command::Compare(command));
        session.update();
    };
    compare(&mut session, CompareCommand::With(CompareWith::Clip(1)));
    compare(&mut session, CompareCommand::Show(Some(SplitWay::Wipe)));
    compare(&mut session, CompareCommand::MoveLine(0.25));
    compare(&mut session, CompareCommand::Swap);
    let (arguments, left_out) = said(&session, &files());
    assert_eq!(arguments.compare.compare.as_deref(), Some("Walk"));
    assert_eq!(arguments.compare.split, SplitWay::Wipe);
    assert_eq!(arguments.compare.split_at, Some(0.25));
    assert_eq!(left_out, "that A and B have changed places");
    compare(&mut session, CompareCommand::With(CompareWith::Skinning));
    let (arguments, _) = said(&session, &files());
    let way = arguments.compare.compare.as_deref();
    assert_eq!(way, Some("dual-quaternion"));
    // Another file, if it is one that can be named.
    session.compare_with(built_in::load("Windmill").unwrap());
    session.update();
    let (arguments, left_out) = said(&session, &files());
    assert_eq!(arguments.compare.compare, None);
    assert!(left_out.contains("what it is compared with"), "{left_out}");
    let with_other = ShownFiles {
        second_file: Some(built_in::path_of("Windmill")),
        ..files()
    };
    let (arguments, _) = said(&session, &with_other);
    let file = arguments.compare.compare.as_deref();
    assert_eq!(file, Some("builtin:Windmill"));
}

#[test]
fn clips_of_other_files_come_with_them() {
    let mut session = session();
    let own = session.model().clips.len();
    session.add_clips("/clips/run it.glb", built_in::load("Pip").unwrap().model);
    assert_eq!(session.clip(), Some(own));
    session.apply(Command::Borrowed(BorrowedCommand::SetRetarget(0, true)));
    let (arguments, _) = said(&session, &files());
    let path = std::path::absolute("/clips/run it.glb").unwrap();
    assert_eq!(arguments.moment.added.clips_from, [path]);
    assert!(arguments.moment.added.retarget);
    // The model's own clip of that name counts less.
    assert_eq!(arguments.moment.clip.as_deref(), Some("Idle"));
    // Files of which some are retargeted and some are not.
    session.add_clips("/clips/jump.glb", built_in::load("Pip").unwrap().model);
    for (retarget, expected) in [(false, "which clips are retargeted"), (true, "")] {
        session.apply(Command::Borrowed(BorrowedCommand::SetRetarget(1, retarget)));
        let (arguments, left_out) = said(&session, &files());
        assert_eq!(arguments.moment.added.clips_from.len(), 2);
        assert_eq!(arguments.moment.added.retarget, retarget);
        assert_eq!(left_out, expected);
    }
    session.apply(Command::SelectClip(Some(0)));
    let (arguments, _) = said(&session, &files());
    assert!(arguments.moment.added.clips_from.is_empty() && !arguments.moment.added.retarget);
}

#[test]
fn what_no_option_says_is_named() {
    for (command, expected) in [
        (
            Command::Mix(MixCommand::ToggleMixed(1)),
            "clips that play beside it",
        ),
        (
            Command::Morphs(MorphCommand::Hold(0, 1.0)),
            "morph targets that are held",
        ),
        (
            Command::Motion(MotionCommand::ToggleInPlace),
            "that clips stay in place",
        ),
        (
            Command::Nodes(NodesCommand::ToggleHidden(1)),
            "hidden nodes",
        ),
        (
            Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Bind))),
            "the bind pose",
        ),
        (
            Command::Camera(CameraCommand::ToggleProjection),
            "the parallel projection",
        ),
        (Command::ToggleTheme, "the light background"),
        (
            Command::Picture(PictureCommand::SetViewMode(ViewMode::Weights)),
            "weights of a joint, of which none is selected",
        ),
    ] {
        let mut session = session();
        let name = format!("{command:?}");
        session.apply(command);
        session.update();
        let (_, left_out) = said(&session, &files());
        assert_eq!(left_out, expected, "{name}");
    }
}

#[test]
fn bones_and_lines_are_as_wide_as_the_windows_where_a_point_is_a_pixel() {
    let mut session = session();
    session.set_pixels_per_point(2.0);
    assert_eq!(said(&session, &files()).1, "the width of lines");
    session.apply(Command::Picture(PictureCommand::ToggleGrid));
    assert_eq!(said(&session, &files()).1, "");
    session.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    assert_eq!(said(&session, &files()).1, "the width of bones");
    session.set_pixels_per_point(1.0);
    assert_eq!(said(&session, &files()).1, "");
}

#[track_caller]
fn assert_not_typed(name: &Path) {
    let expected = "the file's name, which cannot be typed";
    let model = ShownFiles {
        // It is said once.
        model: vec![name.to_owned(), name.to_owned()],
        ..ShownFiles::default()
    };
    let mut session = session();
    assert_eq!(said(&session, &model).1, expected);
    session.add_clips(name, built_in::load("Pip").unwrap().model);
    assert_eq!(said(&session, &files()).1, expected);
}

#[test]
fn control_characters_in_names_of_files_are_named() {
    assert_not_typed(Path::new("/models/a\nb.glb"));
}

#[cfg(unix)]
#[test]
fn names_of_files_that_are_no_text_are_named() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    assert_not_typed(Path::new(OsStr::from_bytes(b"/models/\xff.glb")));
}

#[test]
fn that_more_files_are_allowed_than_by_the_user_is_said() {
    let all = "It allows all files outside of the folder.";
    for (outside, is_allowed, is_said) in [
        (Outside::Refused, false, false),
        (Outside::These(vec![PathBuf::from("/a.bin")]), true, true),
        (Outside::Allowed, true, false),
    ] {
        let files = ShownFiles { outside, ..files() };
        let session = session();
        let (arguments, _) = said(&session, &files);
        assert_eq!(arguments.opening.allow_outside, is_allowed);
        let detail = session.render_command(&files, [640, 360]).detail();
        assert_eq!(detail.contains(all), is_said, "{detail}");
    }
}

#[test]
fn what_is_compared_with_is_opened_as_the_user_agreed() {
    let mut session = session();
    session.compare_with(built_in::load("Windmill").unwrap());
    session.update();
    let other = ShownFiles {
        model: vec![built_in::path_of("Windmill")],
        open_anyway: true,
        outside: Outside::These(vec![PathBuf::from("/a.bin")]),
        ..ShownFiles::default()
    };
    // What no option names is not opened.
    let unnamed = ShownFiles {
        left_out: vec!["files"],
        ..other.clone()
    };
    for (other, is_opened) in [(other, true), (unnamed, false)] {
        let (arguments, _) = said(&session, &files().beside(other));
        assert_eq!(arguments.compare.compare.is_some(), is_opened);
        let opening = arguments.opening;
        let found = [opening.open_anyway, opening.allow_outside];
        assert_eq!(found, [is_opened; 2]);
    }
}
