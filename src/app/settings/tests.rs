//! That what was set is there the next time, and that damage costs no more than itself.

use std::fs;

use super::{file::PAUSE, *};
use crate::{
    model::Panorama,
    scene::{BoneShape, ControlJoints, JointChoice, SkeletonSettings},
    ui::{
        CameraCommand, Command, FilesCommand, InspectCommand, MotionCommand, Panel, PictureCommand,
        PlaybackCommand, SavingCommand, SavingSettings, SheetKind, SkeletonCommand,
        TimelineCommand,
    },
};

fn place(name: &str) -> PathBuf {
    let folder = format!("rigscope-settings-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn window() -> WindowState {
    WindowState {
        ui_scale: 1.3,
        size: [900.0, 600.0],
        is_maximized: false,
        panels: PanelMemory {
            widths: [300.0, 310.0],
            inspector_first: true,
            sheet_height: Some(240.0),
            folded: ["Mesh".to_owned(), "Statistics".to_owned()].into(),
        },
    }
}

fn session() -> Session {
    Session::new(Default::default(), None, Duration::ZERO)
}

#[test]
fn what_was_set_is_there_the_next_time() {
    let folder = place("next");
    let (mut file, first) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(first, Settings::default());
    let mut before = session();
    first.apply(&mut before);
    for command in [
        Command::ToggleTheme,
        Command::Picture(PictureCommand::ToggleGrid),
        Command::Picture(PictureCommand::ToggleWires),
        Command::Picture(PictureCommand::ToggleNormals),
        Command::TogglePanel(Panel::Inspector),
        Command::Motion(MotionCommand::SetFade(1.25)),
        Command::Picture(PictureCommand::SetWeightColors(WeightColors::Viridis)),
        Command::Picture(PictureCommand::SetBackdrop(Backdrop::Environment {
            blur: 0.25,
        })),
        Command::Picture(PictureCommand::SetLight(LightSettings {
            environment_strength: 2.0,
            environment_turn_radians: 1.0,
            key_light: Choice::Off,
            shadows: false,
            dims_lights: false,
            exposure_stops: -1.5,
            tone: ToneCurve::Agx,
            transparency: Transparency::Weighted,
            quality: Quality::Low,
        })),
    ] {
        before.apply(command);
    }
    before.add_recent(Path::new("/a.glb"));
    before.add_recent(Path::new("/b.glb"));
    file.keep(Settings::of(&before, window()));

    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    let mut after = session();
    read.apply(&mut after);
    assert_eq!(
        Settings::of(&after, window()),
        Settings::of(&before, window())
    );
    assert_eq!(after.surroundings.backdrop, before.surroundings.backdrop);
    // The file of an environment is not opened again.
    before.surroundings.backdrop = Backdrop::Environment { blur: 0.5 };
    let sky = Panorama::of(4, |_| glam::Vec3::ONE);
    for (environment, kept) in [
        (None, BackdropRecord::Environment { blur: 0.5 }),
        (Some(("sky.hdr".into(), sky)), BackdropRecord::Theme),
    ] {
        before.set_environment(environment);
        assert_eq!(Settings::of(&before, window()).backdrop, kept);
    }
    assert_eq!(after.surroundings.light.tone, ToneCurve::Agx);
    assert_eq!(
        after.surroundings.light.transparency,
        Transparency::Weighted
    );
    assert!(after.surroundings.is_quality_settled());
    let turn = after.surroundings.light.environment_turn_radians;
    assert!((turn - 1.0).abs() < 1e-5, "{turn}");
    assert_eq!(read.ui_scale, 1.3);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing beside");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_broken_file_is_put_aside() {
    let folder = place("broken");
    fs::create_dir_all(&folder).unwrap();
    for text in ["{\"dark\": fal", "7", "[{\"dark\": false}]"] {
        fs::write(folder.join("settings.json"), text).unwrap();
        let (_, settings) = SettingsFile::open_in(Some(folder.clone()));
        assert_eq!(settings, Settings::default());
        assert!(!folder.join("settings.json").exists());
        let aside = fs::read_to_string(folder.join("settings.broken.json"));
        assert_eq!(aside.unwrap(), text);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_damaged_or_unknown_costs_no_more_than_itself() {
    let folder = place("damaged");
    fs::create_dir_all(&folder).unwrap();
    let text = r#"{
        "dark": false, "grid": 3, "wings": 2, "fade_secs": 1e9, "ui_scale": "large",
        "light": {"tone": "x", "exposure_stops": 99, "shadows": "no", "key_light": "off"},
        "backdrop": {"plaid": 1},
        "recent": ["/a.glb"],
        "desk": {
            "folded": ["Mesh", "No such section"],
            "sheet": {"is_open": true, "kind": "curves", "height": "high", "quaternions": true},
            "bones": {"shape": "wings", "names": "all", "axes": 7, "x_ray": false},
            "picture_size": [1, 1000000], "world_figures": [], "root_path": true
        }
    }"#;
    fs::write(folder.join("settings.json"), text).unwrap();
    let (_, settings) = SettingsFile::open_in(Some(folder.clone()));
    assert!(folder.join("settings.json").exists(), "not put aside");
    let mut session = session();
    settings.apply(&mut session);
    assert!(!session.is_dark() && session.shown.grid);
    assert_eq!(session.motion.fade_secs, 2.0);
    assert_eq!(settings.ui_scale(), 1.0);
    assert_eq!(session.surroundings.light.exposure_stops, 10.0);
    assert_eq!(session.surroundings.light.tone, ToneCurve::Neutral);
    assert!(session.surroundings.light.shadows);
    assert_eq!(session.surroundings.light.key_light, Choice::Off);
    assert_eq!(session.surroundings.backdrop, Backdrop::Theme);
    assert_eq!(session.recent().count(), 1);
    assert_eq!(session.timeline.sheet, Some(SheetKind::Curves));
    assert!(session.timeline.quaternions);
    let bones = SkeletonSettings {
        names: JointChoice::All,
        x_ray: false,
        ..SkeletonSettings::default()
    };
    assert_eq!(session.skeleton.settings, bones);
    assert_eq!(session.saving.settings.size, [16, 8192]);
    assert!(!session.shown.world_figures && session.camera.shows_path);
    let panels = settings.panels();
    assert_eq!(panels.sheet_height, None);
    assert!(panels.folded.contains("Mesh"));
    fs::remove_dir_all(&folder).unwrap();
}

/// What menus call it may change: what was written as they did is read, and what is written is what the command line says.
#[test]
fn labels_of_old_are_read_and_keys_are_written() {
    for (label, tone) in [("AgX", ToneCurve::Agx), ("ACES", ToneCurve::Aces)] {
        let old = LightRecord {
            tone: label.to_owned(),
            transparency: "Weighted".to_owned(),
            ..LightRecord::default()
        };
        let light = old.settings();
        assert_eq!(
            (light.tone, light.transparency),
            (tone, Transparency::Weighted)
        );
        let new = LightRecord::of(light, false);
        assert_eq!((&*new.tone, &*new.transparency), (tone.key(), "weighted"));
        assert_eq!(new.settings(), light);
    }
}

/// Each thing by itself: forgetting one is seen.
#[test]
fn the_desk_is_there_the_next_time() {
    let bones = |change: fn(&mut SkeletonSettings)| {
        let mut settings = SkeletonSettings::default();
        change(&mut settings);
        Command::Skeleton(SkeletonCommand::Set(settings))
    };
    let saving = |change: fn(&mut SavingSettings)| {
        let mut settings = SavingSettings::default();
        change(&mut settings);
        Command::Saving(SavingCommand::Set(settings))
    };
    let timeline = Command::Timeline;
    let commands = [
        timeline(TimelineCommand::ShowSheet(Some(SheetKind::Dope))),
        timeline(TimelineCommand::ShowSheet(Some(SheetKind::Curves))),
        timeline(TimelineCommand::SetQuaternions(true)),
        Command::Inspect(InspectCommand::SwitchSpace),
        bones(|bones| bones.shape = BoneShape::Sticks),
        bones(|bones| bones.names = JointChoice::All),
        bones(|bones| bones.axes = JointChoice::Chosen),
        bones(|bones| bones.x_ray = false),
        bones(|bones| bones.end_joints = false),
        bones(|bones| bones.controls = ControlJoints::Hidden),
        Command::Camera(CameraCommand::TogglePath),
        Command::Camera(CameraCommand::ToggleFollowHeight),
        saving(|saving| saving.size = [1920, 1080]),
        saving(|saving| saving.transparent = true),
        Command::ToggleTheme,
        Command::TogglePanel(Panel::Scene),
        Command::TogglePanel(Panel::Inspector),
        Command::Picture(PictureCommand::ToggleGrid),
        Command::Picture(PictureCommand::ToggleWires),
        Command::Picture(PictureCommand::ToggleNormals),
    ];
    let folder = place("desk");
    for command in commands {
        let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
        let mut before = session();
        settings.apply(&mut before);
        before.apply(command.clone());
        let kept = Settings::of(&before, window());
        assert_ne!(kept, Settings::of(&session(), window()), "{command:?}");
        file.keep(kept.clone());
        let (_, read) = SettingsFile::open_in(Some(folder.clone()));
        let mut after = session();
        read.apply(&mut after);
        assert_eq!(Settings::of(&after, window()), kept, "{command:?}");
        assert_eq!(read.panels(), window().panels);
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// The bones themselves come with files that have nothing else, and what is about one model goes with it.
#[test]
fn what_is_about_one_model_is_not_remembered() {
    let mut before = session();
    let mut bones = SkeletonSettings::default();
    (bones.trail, bones.onion_skins) = (true, true);
    before.apply(Command::Skeleton(SkeletonCommand::Set(bones)));
    before.apply(Command::Picture(PictureCommand::ToggleSkeleton));
    before.apply(Command::Motion(MotionCommand::SetCrowdSize(9)));
    before.apply(Command::Playback(PlaybackCommand::SetSpeed(0.25)));
    let kept = Settings::of(&before, window());
    assert_eq!(kept, Settings::of(&session(), window()));
}

/// Windows says that a minimised window is 0 × 0.
#[test]
fn a_minimised_window_keeps_its_size() {
    let folder = place("minimised");
    let (mut file, _) = SettingsFile::open_in(Some(folder.clone()));
    file.keep(Settings::of(&session(), window()));
    for size in [[0.0, 0.0], [0.0, 600.0]] {
        let mut minimised = window();
        minimised.size = size;
        minimised.ui_scale += 0.1;
        file.keep(Settings::of(&session(), minimised));
        let (_, read) = SettingsFile::open_in(Some(folder.clone()));
        assert_eq!(read.window_size(), [900.0, 600.0]);
        assert_eq!(read.ui_scale, 1.4, "all else is kept");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Or there would be no smaller one to go back to.
#[test]
fn a_maximized_window_comes_back_as_one_and_keeps_its_size() {
    let folder = place("maximized");
    let (mut file, _) = SettingsFile::open_in(Some(folder.clone()));
    file.keep(Settings::of(&session(), window()));
    let as_large_as = |size, is_maximized| WindowState {
        size,
        is_maximized,
        ..window()
    };
    for (now, is_maximized) in [
        (as_large_as([1920.0, 1050.0], true), true),
        (as_large_as([0.0, 0.0], false), true),
        (as_large_as([900.0, 600.0], false), false),
    ] {
        file.keep(Settings::of(&session(), now));
        let (_, read) = SettingsFile::open_in(Some(folder.clone()));
        assert_eq!(read.window_size(), [900.0, 600.0]);
        assert_eq!(read.window_is_maximized(), is_maximized);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_has_not_changed_is_not_written() {
    let folder = place("same");
    let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
    file.keep(settings);
    assert!(!folder.exists());
    let start = Instant::now();
    assert!(file.is_due(start) && file.due_at().is_none());
    // What is passed by is looked at in time, also where no other frame comes.
    assert!(!file.is_due(start + PAUSE / 2));
    assert_eq!(file.due_at(), Some(start + PAUSE));
    assert!(file.is_due(start + PAUSE) && file.due_at().is_none());
    let (mut nowhere, settings) = SettingsFile::open_in(None);
    nowhere.keep(Settings {
        dark: !settings.dark,
        ..settings
    });
}

#[test]
fn what_could_not_be_written_is_tried_again() {
    let folder = place("again");
    let (mut file, settings) = SettingsFile::open_in(Some(folder.clone()));
    let changed = Settings {
        dark: !settings.dark,
        ..settings
    };
    // A file where the folder should be.
    fs::write(&folder, "").unwrap();
    file.keep(changed.clone());
    fs::remove_file(&folder).unwrap();
    file.keep(changed.clone());
    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(read.dark, changed.dark);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn two_windows_lose_nothing_of_each_other() {
    let folder = place("two");
    let [(mut first, settings), (mut second, _)] =
        [0, 1].map(|_| SettingsFile::open_in(Some(folder.clone())));
    let mut sessions = [0, 1].map(|_| {
        let mut session = session();
        settings.apply(&mut session);
        session
    });
    let keep = |file: &mut SettingsFile, session: &Session| {
        file.keep(Settings::of(session, window()));
    };
    sessions[0].add_recent(Path::new("/a.glb"));
    keep(&mut first, &sessions[0]);
    sessions[1].add_recent(Path::new("/b.glb"));
    sessions[1].apply(Command::Picture(PictureCommand::ToggleGrid));
    keep(&mut second, &sessions[1]);
    sessions[0].apply(Command::ToggleTheme);
    keep(&mut first, &sessions[0]);
    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(read.recent, [Path::new("/b.glb"), Path::new("/a.glb")]);
    assert!(!read.grid && !read.dark);
    // What is forgotten is, but for what others have opened.
    sessions[0].apply(Command::Files(FilesCommand::ForgetRecent));
    keep(&mut first, &sessions[0]);
    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(read.recent, [Path::new("/b.glb")]);
    // What one has forgotten does not come back by another that only changes something else.
    let (mut third, before) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(before.recent, [Path::new("/b.glb")]);
    sessions[1].apply(Command::Files(FilesCommand::ForgetRecent));
    keep(&mut second, &sessions[1]);
    third.keep(Settings {
        grid: !before.grid,
        ..before
    });
    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    assert!(read.recent.is_empty() && read.grid);
    // A setting of another kind is one change, and loses no other.
    let (mut third, before) = SettingsFile::open_in(Some(folder.clone()));
    sessions[0].apply(Command::ToggleTheme);
    sessions[0].apply(Command::Picture(PictureCommand::SetBackdrop(
        Backdrop::Plain([1.0, 0.0, 0.0]),
    )));
    keep(&mut first, &sessions[0]);
    third.keep(Settings {
        backdrop: BackdropRecord::Environment { blur: 0.5 },
        ..before.clone()
    });
    let (_, read) = SettingsFile::open_in(Some(folder.clone()));
    assert_eq!(read.backdrop, BackdropRecord::Environment { blur: 0.5 });
    assert_ne!(read.dark, before.dark);
    fs::remove_dir_all(&folder).unwrap();
}
