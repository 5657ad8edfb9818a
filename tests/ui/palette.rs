//! The palette: whatever has a name is found by typing, and chosen by keys or by the pointer.

use egui::{Key, Modifiers};
use rigscope::scene::{BoneShape, Side, SkeletonSettings, ViewMode, WeightColors};
use rigscope::ui::{
    CameraCommand, Command, CompareCommand, FilesCommand, LoadKind, Marker, MarkerKind, MixMode,
    MixRow, MotionCommand, PathPane, Picker, PictureCommand, PlaybackCommand, RecentRow,
    SkeletonCommand, TimelineCommand, WindowCommand,
};

use crate::clips::mixed;
use crate::fixture::{Fixture, Window, settled};

pub fn open() -> (Fixture, Window) {
    let fixture = Fixture {
        picker: Some(Picker::Palette),
        ..Fixture::default()
    };
    let window = settled(&fixture);
    (fixture, window)
}

pub fn close() -> Command {
    Command::Files(FilesCommand::Pick(Picker::Palette))
}

pub fn type_text(window: &mut Window, fixture: &Fixture, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    assert_eq!(window.frame(fixture), [], "typing is not commanding");
    window.frame(fixture);
}

#[test]
fn opens_and_closes_by_its_key_and_by_its_button() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    assert_eq!(window.key(&fixture, Key::P), [close()]);

    let (fixture, mut window) = open();
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    assert_eq!(window.key(&fixture, Key::P), [close()], "and closes it");
    window.modifiers = Modifiers::NONE;
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
    let corner = egui::pos2(4.0, window.size.y - 4.0);
    assert_eq!(window.click(&fixture, corner), [close()]);
}

#[test]
fn what_is_typed_is_found_and_entered() {
    for (typed, command) in [
        ("grid", Command::Picture(PictureCommand::ToggleGrid)),
        ("next clip", Command::SelectClip(Some(2))),
        ("prev clip", Command::SelectClip(Some(0))),
        ("survey", Command::SelectClip(Some(0))),
        ("ctrl+q", Command::Window(WindowCommand::Quit)),
        (
            "influences",
            Command::Picture(PictureCommand::SetViewMode(ViewMode::Influences)),
        ),
        (
            "environment map",
            Command::Window(WindowCommand::OpenDialog(LoadKind::Environment)),
        ),
        (
            "frame selected",
            Command::Camera(CameraCommand::FrameChosen),
        ),
        (
            "view from the top",
            Command::Camera(CameraCommand::LookFrom(Side::Top)),
        ),
        ("head", Command::SelectNode(Some(8))),
        ("@hat", Command::SelectNode(Some(9))),
        (
            "windmill",
            Command::Window(WindowCommand::OpenBuiltIn("Windmill")),
        ),
        ("reload", Command::Window(WindowCommand::Reload)),
        ("recent", Command::Files(FilesCommand::Pick(Picker::Recent))),
    ] {
        let (fixture, mut window) = open();
        type_text(&mut window, &fixture, typed);
        let commands = window.key(&fixture, Key::Enter);
        assert_eq!(commands, [close(), command], "{typed}");
    }
}

/// On a slow machine, all of it comes in one frame.
#[test]
fn what_is_typed_at_once_is_not_lost_and_no_command() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.press(Key::P, Modifiers::COMMAND | Modifiers::CTRL);
    for (key, letter) in [(Key::G, "g"), (Key::R, "r"), (Key::I, "i")] {
        window.press(key, Modifiers::NONE);
        window.event(egui::Event::Text(letter.to_owned()));
    }
    assert_eq!(window.frame(&fixture), [close()]);
    fixture.picker = Some(Picker::Palette);
    window.press(Key::D, Modifiers::NONE);
    window.event(egui::Event::Text("d".to_owned()));
    assert_eq!(window.frame(&fixture), []);
    window.settle(&fixture);
    let commands = window.key(&fixture, Key::Enter);
    assert_eq!(
        commands,
        [close(), Command::Picture(PictureCommand::ToggleGrid)]
    );
}

/// What was a command before the palette was asked for is no text of it, and what follows its end is for what is there then.
#[test]
fn keys_before_and_after_it_are_not_typed_into_it() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.press(Key::G, Modifiers::NONE);
    window.event(egui::Event::Text("g".to_owned()));
    window.press(Key::P, Modifiers::COMMAND | Modifiers::CTRL);
    let grid = Command::Picture(PictureCommand::ToggleGrid);
    assert_eq!(window.frame(&fixture), [grid.clone(), close()]);
    fixture.picker = Some(Picker::Palette);
    window.event(egui::Event::Key {
        key: Key::P,
        physical_key: None,
        pressed: false,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
    type_text(&mut window, &fixture, "grid");

    // All in one frame: closed, opened again, and typed.
    window.press(Key::Escape, Modifiers::NONE);
    window.press(Key::P, Modifiers::COMMAND | Modifiers::CTRL);
    window.press(Key::B, Modifiers::NONE);
    window.event(egui::Event::Text("bounce".to_owned()));
    assert_eq!(window.frame(&fixture), [Command::CloseFront]);
    fixture.picker = None;
    assert_eq!(window.frame(&fixture), [close()]);
    fixture.picker = Some(Picker::Palette);
    assert_eq!(window.frame(&fixture), []);
    assert!(window.find_text(&fixture, "Nothing of that name").is_some());
}

/// The caret of the last time must not come between the letters.
#[test]
fn letters_stay_in_order_when_it_is_opened_again() {
    let (mut fixture, mut window) = open();
    type_text(&mut window, &fixture, "gr");
    fixture.picker = None;
    window.frame(&fixture);
    fixture.picker = Some(Picker::Palette);
    for letter in ["g", "r", "i", "d"] {
        window.event(egui::Event::Text(letter.to_owned()));
        window.frame(&fixture);
    }
    let grid = Command::Picture(PictureCommand::ToggleGrid);
    assert_eq!(window.key(&fixture, Key::Enter), [close(), grid]);
}

/// Enter chooses from what the letters before it have found, not from the list of the frame before.
#[test]
fn what_is_typed_and_entered_at_once_is_what_was_typed() {
    let (fixture, mut window) = open();
    window.event(egui::Event::Text("grid".to_owned()));
    let commands = window.key(&fixture, Key::Enter);
    let grid = Command::Picture(PictureCommand::ToggleGrid);
    assert_eq!(commands, [close(), grid]);
}

/// Of a long path nearly all letters can be found one after the other.
#[test]
fn a_file_is_found_by_whole_words_of_its_folder() {
    let (mut fixture, _) = open();
    fixture.recent = vec![RecentRow {
        path: "/wares/lake/rigs/Cat.glb".into(),
        name: "Cat.glb".to_owned(),
        folder: "/wares/lake/rigs".to_owned(),
        is_missing: false,
    }];
    for (typed, is_found) in [("walk", false), ("cat", true), ("lake cat", true)] {
        let mut window = settled(&fixture);
        type_text(&mut window, &fixture, typed);
        let found = window.find_text(&fixture, "Cat.glb").is_some();
        assert_eq!(found, is_found, "{typed}");
    }
}

#[test]
fn nodes_of_one_name_are_told_by_their_index() {
    let (mut fixture, _) = open();
    for place in [3, 5] {
        fixture.nodes[place].name = "Bone".to_owned();
        fixture.nodes[place].has_namesake = true;
    }
    let mut window = settled(&fixture);
    type_text(&mut window, &fixture, "bone");
    for place in [3, 5] {
        let words = format!("Node {}", fixture.nodes[place].file_index);
        assert!(window.find_text(&fixture, &words).is_some(), "{words}");
    }
}

#[test]
fn arrows_choose_and_the_pointer_too() {
    let (fixture, mut window) = open();
    type_text(&mut window, &fixture, "clip");
    let first = window.key(&fixture, Key::Enter);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::ArrowUp] {
        assert_eq!(window.key(&fixture, key), []);
    }
    assert_eq!(window.key(&fixture, Key::Enter), first, "back at the first");
    window.key(&fixture, Key::ArrowDown);
    assert_ne!(window.key(&fixture, Key::Enter), first);
    let next = Command::SelectClip(Some(2));
    let row = window.find_named(&fixture, "Next clip").unwrap();
    assert_eq!(window.click(&fixture, row.center()), [close(), next]);
    type_text(&mut window, &fixture, " zzz");
    assert!(window.find_text(&fixture, "Nothing of that name").is_some());
    assert_eq!(window.key(&fixture, Key::Enter), []);
}

/// What does nothing now is not offered; every other line of the table of keys is.
#[test]
fn lines_of_the_table_are_found_by_their_words() {
    let enter = |words: &str, fixture: &Fixture| {
        let mut window = settled(fixture);
        type_text(&mut window, fixture, words);
        window.key(fixture, Key::Enter).last().cloned()
    };
    let (mut fixture, _) = open();
    for (words, command) in [
        (
            "Play or pause",
            Command::Playback(PlaybackCommand::TogglePlay),
        ),
        (
            "One frame forward",
            Command::Playback(PlaybackCommand::StepFrames(1)),
        ),
        (
            "Frame the model",
            Command::Camera(CameraCommand::FrameModel),
        ),
        (
            "Larger interface",
            Command::Window(WindowCommand::ScaleUi(1)),
        ),
        (
            "Open the path on the clipboard",
            Command::Window(WindowCommand::PastePath),
        ),
    ] {
        assert_eq!(enter(words, &fixture), Some(command), "{words}");
    }
    let accept = "Do what the message offers";
    assert_eq!(enter(accept, &fixture), None);
    fixture = fixture.with_message();
    if let Some(message) = &mut fixture.message {
        message.offer = Some(rigscope::ui::Offer::AllowOnce);
    }
    assert_eq!(enter(accept, &fixture), Some(Command::AcceptOffer));
}

#[test]
fn fits_into_small_windows() {
    for size in [(800.0, 500.0), (560.0, 300.0), (200.0, 120.0)] {
        let (fixture, mut window) = open();
        window.size = size.into();
        window.settle(&fixture);
        type_text(&mut window, &fixture, "le");
        window.settle(&fixture);
    }
}

/// What has no key is found, too, where it does something.
#[test]
fn what_has_no_key_is_found() {
    let enter = |mut fixture: Fixture, typed: &str| {
        fixture.picker = Some(Picker::Palette);
        let mut window = settled(&fixture);
        type_text(&mut window, &fixture, typed);
        let commands = window.key(&fixture, Key::Enter);
        commands
            .into_iter()
            .filter(|it| *it != close())
            .collect::<Vec<_>>()
    };
    let alone = Fixture::default;
    assert_eq!(
        enter(alone(), "crowd of 100"),
        [Command::Motion(MotionCommand::SetCrowdSize(100))]
    );
    let thousands = enter(alone(), "crowd of 10,000");
    assert_eq!(
        thousands,
        [Command::Motion(MotionCommand::SetCrowdSize(10_000))]
    );
    let in_crowd = || {
        let mut fixture = alone();
        fixture.motion.crowd_size = 100;
        fixture
    };
    let typed = "all clips in the crowd";
    assert_eq!(
        enter(in_crowd(), typed),
        [Command::Motion(MotionCommand::ToggleCrowdClips)]
    );
    assert_ne!(
        enter(alone(), typed),
        [Command::Motion(MotionCommand::ToggleCrowdClips)]
    );
    assert_eq!(
        enter(in_crowd(), "no crowd"),
        [Command::Motion(MotionCommand::SetCrowdSize(1))]
    );
    let with_camera = || {
        let mut fixture = alone();
        fixture.camera.follows = Some("Hips");
        fixture.camera.path = Some(PathPane {
            pieces: &[],
            now: None,
            speed: 1.0,
            mean_speed: 1.25,
        });
        let cameras = || vec!["Portrait".to_owned(), "Blueprint".to_owned()];
        fixture.camera.file_cameras = cameras().leak();
        fixture.view_mode = ViewMode::Weights;
        fixture.trails = vec![3];
        fixture
    };
    let sticks = SkeletonSettings {
        shape: BoneShape::Sticks,
        ..SkeletonSettings::default()
    };
    for (typed, command) in [
        (
            "path of the root",
            Command::Camera(CameraCommand::TogglePath),
        ),
        (
            "follow over the ground",
            Command::Camera(CameraCommand::ToggleFollowHeight),
        ),
        (
            "blueprint",
            Command::Camera(CameraCommand::LookThrough(Some(1))),
        ),
        (
            "colour-blind",
            Command::Picture(PictureCommand::SetWeightColors(WeightColors::Viridis)),
        ),
        (
            "release all",
            Command::Skeleton(SkeletonCommand::ForgetTrails),
        ),
    ] {
        let expected = [command];
        assert_eq!(enter(with_camera(), typed), expected, "{typed}");
        assert_ne!(enter(alone(), typed), expected, "{typed}");
    }
    let expected = [Command::Skeleton(SkeletonCommand::Set(sticks))];
    assert_eq!(enter(alone(), "bones as sticks"), expected);
    assert_ne!(enter(alone(), "bones as octahedra"), expected, "they are");
    let compared = || crate::compare::with_clips(false);
    for (typed, command) in [
        ("differences of a and b", CompareCommand::ToggleDifferences),
        ("clips of a and b, or", CompareCommand::ListClips(true)),
        ("clips of a and b begin", CompareCommand::TogglePhase),
    ] {
        let expected = [Command::Compare(command)];
        assert_eq!(enter(compared(), typed), expected, "{typed}");
        assert_ne!(enter(alone(), typed), expected, "{typed}");
    }
}

#[test]
fn other_words_for_the_same_are_found() {
    let labels = |typed: &str, fixture: &mut Fixture| {
        fixture.picker = Some(Picker::Palette);
        let mut window = settled(fixture);
        type_text(&mut window, fixture, typed);
        window.settle(fixture);
        let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, window.size);
        let texts = window.texts_in(fixture, whole).into_iter();
        texts.map(|(words, _)| words).collect::<Vec<_>>()
    };
    let mut fixture = Fixture::default();
    for (typed, expected) in [
        ("settings", "Dark or light theme"),
        ("settings", "Larger interface"),
        ("scale interface", "Larger interface"),
        ("scale interface", "Interface at 100%"),
        ("speed", "Faster"),
        ("slow motion", "Slower"),
        ("frame rate", "Frame rate: 60 a second"),
        ("fps", "Frame rate: 24 a second"),
        ("export", "Save a picture or an animation"),
        ("export", "Save the pose: JSON, mesh or clip"),
        ("screenshot", "Save a picture or an animation"),
        ("record", "Save a picture or an animation"),
        ("video", "Save a picture or an animation"),
        ("turntable", "Save a picture or an animation"),
        ("bake", "Save the pose: JSON, mesh or clip"),
        ("mirror", "Swap left and right of the pose"),
        ("swap", "Swap left and right of the pose"),
        ("retarget", "Add clips from files"),
        ("clips from", "Add clips from files"),
        ("another file", "Add clips from files"),
        ("ghost", "Onion skins: bones before and after"),
        ("onion skin", "Onion skins: bones before and after"),
        ("ik", "Next tool to pose the selected joint"),
        ("reset camera", "Frame the model"),
        ("rest pose", "Hold the rest pose"),
        ("bind pose", "Hold the bind pose"),
        ("t-pose", "Hold the T pose"),
        ("uv", "UV chequer"),
        ("ao", "Occlusion"),
        ("bones", "Show or hide the bones"),
        ("root motion", "In place: root motion off or on"),
        ("hdri", "Open an environment map (.hdr, .exr)"),
        ("statistics", "Right panel: inspector"),
        ("errors", "Right panel: inspector"),
        ("validate", "Right panel: inspector"),
    ] {
        let found = labels(typed, &mut fixture);
        assert!(found.iter().any(|it| it == expected), "{typed}: {found:?}");
    }
    for (typed, other) in [
        ("fps", "The file's own pose"),
        ("ik", "Curves instead of dope sheet, and back"),
    ] {
        let found = labels(typed, &mut fixture);
        assert!(!found.iter().any(|it| it == other), "{typed}: {found:?}");
    }
    let mark = "Next mark of the clip: pop, foot slide, loop seam";
    for typed in ["slide", "foot"] {
        let found = labels(typed, &mut fixture);
        let why = found.iter().any(|it| it == "No marks in this clip");
        assert!(why && found.iter().any(|it| it == mark), "{found:?}");
    }
    // What is mixed in with no weight makes no mix.
    fixture.mix.clips.push(MixRow {
        weight: 0.0,
        ..mixed(2, MixMode::Blend)
    });
    for (plays_mix, clip, expected) in [
        (false, Some(1), "No marks in this clip"),
        (true, Some(1), "A mix has no marks"),
        (false, None, "No clip is selected"),
    ] {
        (fixture.plays_mix, fixture.clip) = (plays_mix, clip);
        let found = labels("slide", &mut fixture);
        assert!(found.iter().any(|it| it == expected), "{found:?}");
    }
    fixture.clip = Some(1);
    fixture.mix.clips.clear();
    fixture.markers = [0.1, 0.9]
        .map(|from_secs| Marker {
            kind: MarkerKind::Slide,
            from_secs,
            to_secs: from_secs + 0.2,
            node: Some(13),
            is_odd: true,
            is_told: true,
            words: "Foot slide".to_owned(),
        })
        .to_vec();
    for typed in ["slide", "foot"] {
        assert!(labels(typed, &mut fixture).iter().any(|it| it == mark));
    }
    fixture.picker = Some(Picker::Palette);
    let mut window = settled(&fixture);
    type_text(&mut window, &fixture, "foot slide");
    let stop = TimelineCommand::StopAt {
        time_secs: 0.9,
        node: Some(13),
    };
    let commands = window.key(&fixture, Key::Enter);
    assert_eq!(commands, [close(), Command::Timeline(stop)]);
}
