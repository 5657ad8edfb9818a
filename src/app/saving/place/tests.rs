//! Names and folders of what is saved.

use std::{fs, time::Duration};

use super::*;
use crate::{
    app::{Errand, built_in},
    model::ClipBuilder,
    ui::{
        Command, MixCommand, PictureKind, PlaybackCommand, SavingCommand, SavingKind,
        SavingSettings,
    },
};

fn saving(session: &mut Session, command: SavingCommand) -> Option<Errand> {
    session.apply(Command::Saving(command))
}

#[test]
fn a_file_is_proposed_beside_the_model_until_another_is_named() {
    let folder = std::env::temp_dir().join(format!("rigscope-place-{}", std::process::id()));
    fs::create_dir_all(folder.join("out.glb")).unwrap();
    let folder = folder.canonicalize().unwrap();
    let path = folder.join("Pip.glb");
    let mut session = Session::new(built_in::load("Pip").unwrap(), Some(path), Duration::ZERO);
    let saved = |session: &mut Session| match saving(session, SavingCommand::Save) {
        Some(Errand::SaveAt(path)) => path.strip_prefix(&folder).unwrap().to_owned(),
        other => panic!("{other:?}: {}", session.saving_view().fault),
    };
    saving(&mut session, SavingCommand::TogglePose);
    assert_eq!(saved(&mut session), Path::new("Pip Idle 0.00s pose.json"));
    let set = |session: &mut Session, kind| {
        let settings = SavingSettings {
            kind,
            ..session.saving.settings
        };
        saving(session, SavingCommand::Set(settings));
    };
    set(&mut session, SavingKind::Pose(PoseKind::Clip));
    saving(&mut session, SavingCommand::SetClipName("a/b".into()));
    assert_eq!(saved(&mut session), Path::new("Pip a-b.glb"));
    saving(&mut session, SavingCommand::SetFileName("bent.glb".into()));
    set(&mut session, SavingKind::Pose(PoseKind::Json));
    assert_eq!(saved(&mut session), Path::new("bent.json"));
    assert!(session.saving.is_open, "until it is known that it can be");

    // Its ending says the kind, of pictures as of poses.
    saving(&mut session, SavingCommand::SetFileName("bent.GLB".into()));
    assert_eq!(saved(&mut session), Path::new("bent.GLB"));
    let kind = |session: &Session| session.saving_view().settings.kind;
    assert_eq!(kind(&session), SavingKind::Pose(PoseKind::Mesh));
    set(&mut session, SavingKind::Pose(PoseKind::Clip));
    saving(&mut session, SavingCommand::SetFileName("x.glb".into()));
    assert_eq!(kind(&session), SavingKind::Pose(PoseKind::Clip));
    set(&mut session, SavingKind::Picture(PictureKind::Still));
    for (name, expected) in [
        ("walk.gif", PictureKind::Gif),
        ("walk.gif.we", PictureKind::Gif),
        ("walk.webp", PictureKind::WebP),
        ("walk.json", PictureKind::WebP),
        ("walk.png", PictureKind::Still),
    ] {
        saving(&mut session, SavingCommand::SetFileName(name.into()));
        assert_eq!(kind(&session), SavingKind::Picture(expected), "{name}");
    }
    // In the place of the stem, too, which the box selects.
    for (typed, name, expected) in [
        ("run.png.png", "run.png", PictureKind::Still),
        ("run.gif.png", "run.gif", PictureKind::Gif),
        ("run 1.5.gif", "run 1.5.gif", PictureKind::Gif),
    ] {
        saving(&mut session, SavingCommand::SetFileName(typed.into()));
        assert_eq!(session.saving_view().file_name, name);
        assert_eq!(kind(&session), SavingKind::Picture(expected), "{typed}");
    }
    set(&mut session, SavingKind::Pose(PoseKind::Json));

    // What cannot be is said, and what is written next is looked at anew.
    for (name, folder, fault) in [
        (" ", ".", "needs a name"),
        ("a.json", "nowhere", "There is no folder"),
        ("nowhere/a.json", ".", "There is no folder"),
        ("out.glb/", ".", "is a folder"),
        ("..", ".", "is a folder"),
    ] {
        saving(&mut session, SavingCommand::SetFileName(name.into()));
        saving(&mut session, SavingCommand::SetFolder(folder.into()));
        assert_eq!(session.saving_view().fault, "");
        assert_eq!(saving(&mut session, SavingCommand::Save), None);
        let said = session.saving_view().fault;
        assert!(said.contains(fault), "{name}: {said}");
    }
    saving(&mut session, SavingCommand::SetFileName("out".into()));
    saving(&mut session, SavingCommand::SetFolder(".".into()));
    set(&mut session, SavingKind::Pose(PoseKind::Mesh));
    assert_eq!(saving(&mut session, SavingCommand::Save), None, "out.glb");

    // The folder is kept for this model, and the name for this time.
    saving(&mut session, SavingCommand::SetFolder("out.glb".into()));
    saving(&mut session, SavingCommand::Close);
    saving(&mut session, SavingCommand::TogglePose);
    assert_eq!(
        saved(&mut session),
        Path::new("out.glb/Pip Idle 0.00s pose.glb")
    );
    // One that is not there is not asked for again.
    saving(&mut session, SavingCommand::SetFolder("nowhere".into()));
    saving(&mut session, SavingCommand::Close);
    saving(&mut session, SavingCommand::TogglePose);
    assert_eq!(saved(&mut session), Path::new("Pip Idle 0.00s pose.glb"));
    saving(&mut session, SavingCommand::SetFolder("out.glb".into()));
    saving(&mut session, SavingCommand::Close);
    session.replace_model(
        built_in::load("Pip").unwrap(),
        Some(folder.join("x.glb")),
        Duration::ZERO,
    );
    saving(&mut session, SavingCommand::TogglePose);
    assert_eq!(saved(&mut session), Path::new("Pip Idle 0.00s pose.glb"));
    fs::remove_dir_all(&folder).unwrap();
}

/// Reviews end as what was saved: it says what it is, and takes the place of nothing.
#[test]
fn the_name_says_what_is_saved_and_is_free() {
    let folder = std::env::temp_dir().join(format!("rigscope-free-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("Pip.glb");
    let mut session = Session::new(built_in::load("Pip").unwrap(), Some(path), Duration::ZERO);
    session.apply(Command::SelectClip(Some(1)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    let shown = |session: &mut Session| {
        let view = session.saving_view();
        (view.file_name.to_owned(), view.what.to_owned())
    };
    let words = "Walk at 0.300 s, frame 9".to_owned();
    for number in ["", " 2", " 3"] {
        saving(&mut session, SavingCommand::Toggle);
        let name = format!("Pip Walk 0.30s{number}.png");
        assert_eq!(shown(&mut session), (name.clone(), words.clone()));
        // Time stands still before who saves.
        assert!(session.clock().is_playing() && !session.is_moving());
        session.tick(0.1);
        assert_eq!(session.clock().time_secs(), 0.3);
        fs::write(folder.join(name), "there").unwrap();
        saving(&mut session, SavingCommand::Close);
    }
    assert!(session.is_moving());
    let plan = session.plan_saving(session.saving.settings);
    assert_eq!(plan.what.said, words);
    saving(&mut session, SavingCommand::Toggle);
    let set = |session: &mut Session, kind| {
        let settings = SavingSettings {
            kind,
            ..session.saving.settings
        };
        saving(session, SavingCommand::Set(settings));
    };
    fs::write(folder.join("Pip Walk_0003.png"), "there").unwrap();
    set(&mut session, SavingKind::Picture(PictureKind::Frames));
    let names = ("Pip Walk 2.png".to_owned(), "Walk".to_owned());
    assert_eq!(shown(&mut session), names);
    set(&mut session, SavingKind::Picture(PictureKind::Gif));
    assert_eq!(shown(&mut session).0, "Pip Walk.gif");
    session.clock.set_range(Some((0.25, 0.5)));
    session.propose_place();
    assert_eq!(shown(&mut session).1, "Walk from 0.25 s to 0.50 s");
    session.apply(Command::SelectClip(None));
    session.propose_place();
    let own = ("Pip.gif".to_owned(), "The file's own pose".to_owned());
    assert_eq!(shown(&mut session), own);
    assert_eq!(fit_for_file("a/b:c", &["", "\u{7}*{}"]), "a-b-c ----");
    let long = fit_for_file(&"狐".repeat(100), &["Walk 0.42s", "pose"]);
    assert!(
        long.len() <= 220 && long.ends_with("狐 Walk 0.42s pose"),
        "{long}"
    );
    assert_eq!(fit_for_file("a", &[&"狐".repeat(100)]).len(), 219);
    fs::remove_dir_all(&folder).unwrap();
}

/// Each letter of a folder is another one, which may be far away.
#[test]
fn while_a_folder_is_typed_nobody_looks_into_it() {
    let folder = std::env::temp_dir().join(format!("rigscope-typed-{}", std::process::id()));
    fs::create_dir_all(folder.join("far")).unwrap();
    let folder = folder.canonicalize().unwrap();
    let path = folder.join("Pip.glb");
    let mut session = Session::new(built_in::load("Pip").unwrap(), Some(path), Duration::ZERO);
    saving(&mut session, SavingCommand::TogglePose);
    let proposed = "Pip Idle 0.00s pose.json";
    let free = "Pip Idle 0.00s pose 2.json";
    fs::write(folder.join("far").join(proposed), "there").unwrap();
    for typed in ["f", "fa", "far"] {
        saving(&mut session, SavingCommand::SetFolder(typed.into()));
        assert_eq!(session.saving_view().file_name, proposed);
    }
    let saved = saving(&mut session, SavingCommand::Save);
    let expected = folder.join("far").join(free);
    assert_eq!(saved, Some(Errand::SaveAt(expected)));
    assert_eq!(session.saving_view().file_name, free);
    // So is the name that the system's dialog begins with.
    saving(&mut session, SavingCommand::SetFolder("far".into()));
    let (name, _) = session.saving_place();
    assert_eq!(name, free);
    // Who writes a name means it.
    saving(&mut session, SavingCommand::SetFileName(proposed.into()));
    let expected = folder.join("far").join(proposed);
    let saved = saving(&mut session, SavingCommand::Save);
    assert_eq!(saved, Some(Errand::SaveAt(expected)));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn more_frames_than_are_saved_are_refused() {
    let path = std::env::temp_dir().join("Pip.glb");
    let mut session = Session::new(built_in::load("Pip").unwrap(), Some(path), Duration::ZERO);
    saving(&mut session, SavingCommand::Toggle);
    let settings = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Gif),
        fps: 60.0,
        ..session.saving.settings
    };
    saving(&mut session, SavingCommand::Set(settings));
    session.clock.set_duration(2000.0);
    for command in [SavingCommand::Save, SavingCommand::Choose] {
        assert_eq!(saving(&mut session, command.clone()), None, "{command:?}");
        let view = session.saving_view();
        assert!(view.is_open && view.fault.contains("Of 120000 frames 100000"));
        // What is set then may be right.
        saving(&mut session, SavingCommand::Set(settings));
        assert_eq!(session.saving_view().fault, "");
    }
    // A part of it is saved, and one picture of it.
    let still = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Still),
        ..settings
    };
    for (settings, range) in [(settings, Some((0.0, 1.0))), (still, None)] {
        saving(&mut session, SavingCommand::Set(settings));
        session.clock.set_range(range);
        let saved = saving(&mut session, SavingCommand::Save);
        assert!(matches!(saved, Some(Errand::SaveAt(_))), "{saved:?}");
    }
}

/// Frames of the clip are saved, and none between them; but who has set a rate has it.
#[test]
fn the_rate_begins_with_the_clips() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let open_at = |session: &mut Session, rate| {
        session.apply(Command::Playback(PlaybackCommand::SetFrameRate(rate)));
        saving(session, SavingCommand::Toggle);
        let settings = session.saving_view().settings;
        saving(session, SavingCommand::Close);
        settings
    };
    assert_eq!(open_at(&mut session, 24.0).fps, 24.0);
    assert_eq!(open_at(&mut session, 1000.0).fps, 120.0);
    let settings = open_at(&mut session, 23.976);
    assert_eq!(settings.fps, 23.976);
    let own = SavingSettings {
        fps: 12.0,
        ..settings
    };
    saving(&mut session, SavingCommand::Set(own));
    assert_eq!(open_at(&mut session, 60.0).fps, 12.0);
}

/// Also without a chosen clip: then it is not the file's own pose that is seen.
#[test]
fn a_mix_is_named_by_its_clips() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    let clip_of = |session: &Session, name: &str| {
        let mut names = session.clip_names().into_iter();
        names.position(|it| it == name).unwrap()
    };
    let [walk, run] = ["Walk", "Run"].map(|name| clip_of(&session, name));
    let mix = |session: &mut Session, clip| {
        session.apply(Command::Mix(MixCommand::ToggleMixed(clip)));
        session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    };
    let said = |session: &Session, kind| {
        let words = session.words_of_saved(kind);
        [words.in_name, words.said]
    };
    let still = SavingKind::Picture(PictureKind::Still);
    let gif = SavingKind::Picture(PictureKind::Gif);
    session.apply(Command::SelectClip(None));
    mix(&mut session, walk);
    let words = ["Walk 0.30s", "Walk at 0.300 s, frame 9"];
    assert_eq!(said(&session, still), words);
    mix(&mut session, run);
    let words = ["Walk + Run 0.30s", "Walk + Run at 0.300 s, frame 9"];
    assert_eq!(said(&session, still), words);
    assert_eq!(said(&session, SavingKind::Pose(PoseKind::Json)), words);
    assert_eq!(said(&session, gif), ["Walk + Run"; 2]);
    // Between two frames, as the bar under the picture tells it: while time runs that would flicker.
    let frame = |session: &mut Session| {
        session.apply(Command::Playback(PlaybackCommand::Seek(0.143)));
        said(session, still)[1].clone()
    };
    assert_eq!(frame(&mut session), "Walk + Run at 0.143 s, frame 4.3");
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    assert_eq!(frame(&mut session), "Walk + Run at 0.143 s, frame 4");
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.apply(Command::SelectClip(Some(run)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    let words = "Run + Walk at 0.300 s, frame 9";
    assert_eq!(said(&session, still)[1], words);
    session.apply(Command::SelectClip(None));
    session.apply(Command::Mix(MixCommand::EndMix));
    assert_eq!(said(&session, still), ["", "The file's own pose"]);
}

/// As the window shows them: what the names of all clips begin with says nothing of what is saved.
#[test]
fn files_have_the_short_names_of_clips() {
    let mut import = built_in::load("Pip").unwrap();
    let clips = ["Rig|Walk", "Rig|Run"].map(|name| ClipBuilder::new(name).finish());
    import.model.clips = clips.into();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.apply(Command::SelectClip(Some(0)));
    let in_name = |session: &Session, kind| session.words_of_saved(kind).in_name;
    let still = SavingKind::Picture(PictureKind::Still);
    for kind in [still, SavingKind::Pose(PoseKind::Json)] {
        assert_eq!(in_name(&session, kind), "Walk 0.00s");
    }
    session.apply(Command::Mix(MixCommand::ToggleMixed(1)));
    let gif = SavingKind::Picture(PictureKind::Gif);
    assert_eq!(in_name(&session, gif), "Walk + Run");
    assert_eq!(session.shown_name("Rig|Walk + Rig|Run 2"), "Walk + Run 2");
    assert_eq!(session.shown_name("Rig|"), "Rig|");
    assert_eq!(session.shown_name("Stroll"), "Stroll");
}

#[test]
fn without_a_dialog_of_the_system_the_box_is_there() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    saving(&mut session, SavingCommand::Toggle);
    assert_eq!(
        saving(&mut session, SavingCommand::Choose),
        Some(Errand::Save)
    );
    assert!(!session.saving.is_open);
    session.reopen_saving(false);
    let view = session.saving_view();
    assert!(view.is_open && !view.has_no_chooser && view.fault.is_empty());
    session.reopen_saving(true);
    let view = session.saving_view();
    assert!(view.is_open && view.has_no_chooser && !view.fault.is_empty());
}
