//! The dialog that saves, and the bar of what is being saved.

use egui::Key;
use rigscope::ui::{
    Clash, Command, FilesCommand, Picker, PictureKind, PoseKind, SavingCommand, SavingGroup,
    SavingKind, SavingSettings, SavingView,
};

use crate::{
    driver::Window,
    fixture::{Fixture, loading, settled},
};

fn saving(command: SavingCommand) -> Command {
    Command::Saving(command)
}

#[test]
fn ctrl_s_opens_the_dialog_and_its_buttons_ask() {
    let mut fixture = Fixture::default();
    let mut robot = settled(&fixture);
    robot.modifiers = egui::Modifiers::CTRL | egui::Modifiers::COMMAND;
    assert_eq!(robot.key(&fixture, Key::S), [saving(SavingCommand::Toggle)]);
    robot.modifiers = egui::Modifiers::NONE;
    fixture.saving = SavingView {
        is_open: true,
        ..SavingView::default()
    };
    robot.settle(&fixture);
    for side in ["Width in pixels", "Height in pixels"] {
        assert!(robot.find_named(&fixture, side).is_some(), "{side}");
    }
    let mut click = |fixture: &Fixture, words: &str| {
        let place = robot.find_text(fixture, words);
        let place = place.unwrap_or_else(|| panic!("no {words}"));
        robot.click(fixture, place.center())
    };
    let gif = SavingSettings {
        kind: SavingKind::Picture(PictureKind::Gif),
        ..SavingSettings::default()
    };
    assert_eq!(click(&fixture, "GIF")[0], saving(SavingCommand::Set(gif)));
    let square = SavingSettings {
        size: [512; 2],
        ..SavingSettings::default()
    };
    assert_eq!(
        click(&fixture, "512²")[0],
        saving(SavingCommand::Set(square))
    );
    assert_eq!(click(&fixture, "Choose…")[0], saving(SavingCommand::Choose));
    assert_eq!(click(&fixture, "Cancel")[0], saving(SavingCommand::Close));
}

/// Where files would be replaced.
pub fn asking() -> Fixture {
    let clash = Clash {
        count: 3,
        first: "walk_0001.png".to_owned(),
        is_model: false,
    };
    Fixture {
        saving: SavingView {
            clash: Some(Box::leak(Box::new(clash))),
            ..SavingView::default()
        },
        ..Fixture::default()
    }
}

pub fn open(kind: SavingKind) -> Fixture {
    Fixture {
        saving: SavingView {
            is_open: true,
            settings: SavingSettings {
                kind,
                ..SavingSettings::default()
            },
            clip_name: "Bent",
            ..SavingView::default()
        },
        ..Fixture::default()
    }
}

#[test]
fn ctrl_shift_s_opens_it_for_a_pose() {
    let fixture = Fixture::default();
    let mut robot = settled(&fixture);
    robot.modifiers = egui::Modifiers::CTRL | egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    let asked = robot.key(&fixture, Key::S);
    assert_eq!(asked, [saving(SavingCommand::TogglePose)]);
    let fixture = open(SavingKind::Pose(PoseKind::Json));
    let mut robot = settled(&fixture);
    for (kind, name) in [
        (SavingKind::Pose(PoseKind::Mesh), "Posed mesh"),
        (SavingKind::Pose(PoseKind::Clip), "Clip of one key"),
        (SavingKind::Picture(PictureKind::Gif), "GIF"),
        (SavingKind::Animation, "Animation of the model"),
    ] {
        let asked = robot.click_text(&fixture, name);
        let [Command::Saving(SavingCommand::Set(settings))] = &asked[..] else {
            panic!("{asked:?}");
        };
        assert_eq!(settings.kind, kind);
    }
    assert!(
        robot.find_text(&fixture, "512²").is_none(),
        "a pose has none"
    );
}

/// In a window of 800 × 500 whose interface is twice as large.
#[test]
fn all_of_the_box_can_be_reached_in_a_small_window() {
    for kind in [
        SavingKind::Picture(PictureKind::Still),
        SavingKind::Picture(PictureKind::Apng),
        SavingKind::Pose(PoseKind::Clip),
        SavingKind::Animation,
    ] {
        let fixture = open(kind);
        let mut window = Window::new(400.0, 250.0);
        for (name, rect) in crate::room::controls(&mut window, &fixture) {
            assert!(
                rect.left() >= -1.0 && rect.right() <= 401.0,
                "{kind:?}, {name}: {rect}"
            );
        }
        let first = window.find_named(&fixture, "Images: Picture");
        assert!(first.is_some_and(|rect| rect.top() >= 0.0), "{first:?}");
        window.move_to(egui::pos2(40.0, 40.0));
        window.frame(&fixture);
        window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, -50.0),
            modifiers: egui::Modifiers::NONE,
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
        });
        for _ in 0..60 {
            window.frame(&fixture);
        }
        let cancel = window.find_named(&fixture, "Cancel");
        let cancel = cancel.expect("a button");
        assert!(cancel.bottom() <= 250.0, "{kind:?}: {cancel}");
        let asked = window.click(&fixture, cancel.center());
        assert_eq!(asked, [saving(SavingCommand::Close)]);
    }
}

#[test]
fn it_says_that_another_file_is_still_being_saved() {
    let mut fixture = open(SavingKind::Picture(PictureKind::Still));
    let words = "walk.png is still being saved.";
    let mut robot = settled(&fixture);
    assert!(robot.find_text(&fixture, words).is_none());
    fixture.saving.job = Some(("walk.png", 3, 300));
    robot.settle(&fixture);
    assert!(robot.find_text(&fixture, words).is_some());
    let buttons = |robot: &mut Window, fixture: &Fixture| {
        let cancel = robot.find_named(fixture, "Cancel");
        cancel.expect("a button").top()
    };
    let before = buttons(&mut robot, &fixture);
    // A name of any length is one line.
    let name: &str = "walk ".repeat(60).leak();
    let mut long = open(SavingKind::Picture(PictureKind::Still));
    long.saving.job = Some((name, 3, 300));
    robot.settle(&long);
    assert_eq!(buttons(&mut robot, &long), before);
    // What else is wrong is said first.
    fixture.saving.fault = "There is no such folder.";
    robot.settle(&fixture);
    assert!(robot.find_text(&fixture, fixture.saving.fault).is_some());
    assert!(robot.find_text(&fixture, words).is_none());
}

/// Where a text is painted last: above the buttons there is a heading of the same words.
fn bottom_text(robot: &mut Window, fixture: &Fixture, words: &str) -> egui::Rect {
    let window = egui::Rect::from_min_size(egui::Pos2::ZERO, robot.size);
    let texts = robot.texts_in(fixture, window);
    let found = texts.into_iter().rev().find(|(text, _)| text == words);
    found.unwrap_or_else(|| panic!("no {words}")).1
}

/// Without a dialog of the system, too, a file gets a name and a folder.
#[test]
fn a_file_is_named_in_the_box() {
    let mut fixture = open(SavingKind::Picture(PictureKind::Still));
    fixture.saving.file_name = "fox.png";
    fixture.saving.folder = "~/rigs";
    let mut robot = settled(&fixture);
    assert_eq!(
        robot.key(&fixture, Key::Enter),
        [saving(SavingCommand::Save)]
    );
    for (text, more, asked) in [
        (
            "fox.png",
            "2",
            SavingCommand::SetFileName("fox.png2".into()),
        ),
        ("~/rigs", "/a", SavingCommand::SetFolder("~/rigs/a".into())),
    ] {
        let field = robot.find_text(&fixture, text).unwrap();
        robot.click(&fixture, field.right_center());
        robot.key(&fixture, Key::End);
        robot.event(egui::Event::Text(more.to_owned()));
        assert_eq!(robot.frame(&fixture), [saving(asked)]);
        assert_eq!(
            robot.key(&fixture, Key::Enter),
            [saving(SavingCommand::Save)],
            "Enter saves from here, too"
        );
    }
    fixture.saving.fault = "There is no folder ~/rigs.";
    fixture.saving.has_no_chooser = true;
    robot.frame(&fixture);
    assert!(robot.find_text(&fixture, fixture.saving.fault).is_some());
    assert!(robot.click_text(&fixture, "Choose…").is_empty());
}

/// Where drawing is slow, both come in one frame.
#[test]
fn keys_after_the_one_that_closes_the_box_are_for_what_was_behind_it() {
    let fixture = open(SavingKind::PICTURES[0]);
    let mut robot = settled(&fixture);
    robot.press(Key::Escape, egui::Modifiers::NONE);
    robot.press(Key::P, egui::Modifiers::CTRL | egui::Modifiers::COMMAND);
    assert_eq!(robot.frame(&fixture), [Command::CloseFront]);
    let find = Command::Files(FilesCommand::Pick(Picker::Palette));
    assert_eq!(robot.frame(&Fixture::default()), [find]);
}

/// Its stem is selected: who types a name and presses Enter has that file, however late the box is drawn.
#[test]
fn the_name_is_typed_as_soon_as_the_box_is_open() {
    let ctrl = egui::Modifiers::CTRL | egui::Modifiers::COMMAND;
    for kind in [SavingKind::PICTURES[0], SavingKind::Pose(PoseKind::Clip)] {
        let closed = Fixture::default();
        let mut fixture = open(kind);
        let (name, typed) = match kind {
            SavingKind::Pose(_) | SavingKind::Animation => ("fox é 0.30s.glb", "abc.glb"),
            SavingKind::Picture(_) => ("fox é 0.30s.png", "abc.png"),
        };
        fixture.saving.file_name = name;
        let mut robot = settled(&closed);
        // Also once it was closed.
        for _ in 0..2 {
            robot.press(Key::S, ctrl);
            robot.event(egui::Event::Key {
                key: Key::S,
                physical_key: None,
                pressed: false,
                repeat: false,
                modifiers: ctrl,
            });
            robot.event(egui::Event::Text("ab".to_owned()));
            assert_eq!(robot.frame(&closed), [saving(SavingCommand::Toggle)]);
            robot.event(egui::Event::Text("c".to_owned()));
            // A box is measured before it is seen.
            let asked = [robot.frame(&fixture), robot.frame(&fixture)].concat();
            let last = asked.last().cloned();
            assert_eq!(last, Some(saving(SavingCommand::SetFileName(typed.into()))));
            let written = Fixture {
                saving: SavingView {
                    file_name: typed,
                    ..fixture.saving
                },
                ..open(kind)
            };
            assert!(robot.frame(&written).is_empty());
            let asked = robot.key(&written, Key::Enter);
            assert_eq!(asked, [saving(SavingCommand::Save)]);
            robot.settle(&closed);
        }
        // The keys of the box itself are no text, nor is what closes it.
        robot.settle(&fixture);
        robot.modifiers = ctrl;
        let asked = robot.key(&fixture, Key::S);
        assert_eq!(asked, [saving(SavingCommand::Toggle)]);
        robot.modifiers = egui::Modifiers::NONE;
        robot.settle(&fixture);
        assert!(robot.ctx.text_edit_focused());
        assert_eq!(robot.key(&fixture, Key::Escape), [Command::CloseFront]);
    }
}

/// Who changes the kind has the button under the pointer as before.
#[test]
fn the_buttons_stay_where_they_are() {
    for size in [[1280.0, 800.0], [533.0, 333.0]] {
        let mut places = Vec::new();
        let kinds = SavingGroup::ALL.into_iter().flat_map(SavingGroup::kinds);
        for &kind in kinds {
            for fault in ["", "There is no folder ~/rigs."] {
                let mut fixture = open(kind);
                fixture.saving.fault = fault;
                fixture.saving.compares = true;
                fixture.saving.is_name_taken = true;
                let mut robot = Window::new(size[0], size[1]);
                robot.settle(&fixture);
                places.push(bottom_text(&mut robot, &fixture, "Cancel"));
            }
        }
        assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
        assert!(places[0].bottom() < size[1]);
    }
}

#[test]
fn a_mix_says_how_long_it_is_and_what_does_not_end_with_it() {
    let seam = "Run (1.16 s) jumps where this begins again: put the clips in step.";
    for kind in [SavingKind::Animation, SavingKind::Picture(PictureKind::Gif)] {
        let mut fixture = open(kind);
        (fixture.saving.frames, fixture.saving.play_secs) = (18, 0.71);
        fixture.saving.seam = seam;
        let mut robot = settled(&fixture);
        let length = match kind {
            SavingKind::Animation => "18 moments, 0.71 s",
            _ => "18 frames, 0.60 s",
        };
        for words in [length, seam] {
            assert!(robot.find_text(&fixture, words).is_some(), "{words}");
        }
        // What is wrong with the file is said before.
        fixture.saving.fault = "The file needs a name.";
        robot.settle(&fixture);
        assert!(robot.find_text(&fixture, seam).is_none());
    }
}

#[test]
fn a_clip_gets_a_name_that_is_free() {
    let mut fixture = open(SavingKind::Pose(PoseKind::Clip));
    let mut robot = settled(&fixture);
    let field = robot.find_text(&fixture, "Bent").unwrap();
    robot.click(&fixture, field.right_center());
    robot.event(egui::Event::Text("!".to_owned()));
    let typed = robot.frame(&fixture);
    assert_eq!(typed, [saving(SavingCommand::SetClipName("Bent!".into()))]);
    robot.key(&fixture, Key::Enter);
    for (button, asked) in [
        ("Save", SavingCommand::Save),
        ("Choose…", SavingCommand::Choose),
    ] {
        let place = bottom_text(&mut robot, &fixture, button);
        assert_eq!(robot.click(&fixture, place.center()), [saving(asked)]);
    }
    fixture.saving.is_name_taken = true;
    robot.frame(&fixture);
    for button in ["Save", "Choose…"] {
        let place = bottom_text(&mut robot, &fixture, button);
        assert!(robot.click(&fixture, place.center()).is_empty());
    }
    assert!(robot.key(&fixture, Key::Enter).is_empty());
}

/// A rate is asked for where the clip's own keys are not saved.
#[test]
fn what_plays_is_saved_with_its_keys_or_at_a_rate() {
    let mut fixture = open(SavingKind::Animation);
    fixture.saving.play_secs = 0.71;
    for (keeps_keys, in_place, samples_root) in [
        (false, false, false),
        (true, false, false),
        (true, true, false),
        (true, true, true),
    ] {
        fixture.saving.keeps_keys = keeps_keys;
        fixture.saving.samples_root = samples_root;
        fixture.motion.in_place = in_place;
        let root = match (in_place, samples_root) {
            (true, true) => "; its root stays in place, with keys of its own",
            (true, false) => "; its root stays in place",
            (false, _) => "",
        };
        let keys = format!("It has the keys and curves of the clip, 0.71 s{root}.");
        let keys = keys.as_str();
        let mut robot = settled(&fixture);
        assert_eq!(robot.find_text(&fixture, "Rate").is_some(), !keeps_keys);
        assert_eq!(robot.find_text(&fixture, keys).is_some(), keeps_keys);
        assert!(robot.find_text(&fixture, "Bent").is_some());
        let save = bottom_text(&mut robot, &fixture, "Save");
        let asked = robot.click(&fixture, save.center());
        assert_eq!(asked, [saving(SavingCommand::Save)]);
    }
    fixture.saving.is_name_taken = true;
    let mut robot = settled(&fixture);
    let save = bottom_text(&mut robot, &fixture, "Save");
    assert!(robot.click(&fixture, save.center()).is_empty());
    fixture.saving.is_name_taken = false;
    fixture.saving.unplayed = Some("No clip plays");
    let mut robot = settled(&fixture);
    assert!(robot.find_text(&fixture, "No clip plays.").is_some());
    let save = bottom_text(&mut robot, &fixture, "Save");
    assert!(robot.click(&fixture, save.center()).is_empty());
    assert!(robot.key(&fixture, Key::Enter).is_empty());
}

#[test]
fn files_are_replaced_once_the_user_has_said_so() {
    static CLASH: std::sync::LazyLock<Clash> = std::sync::LazyLock::new(|| Clash {
        count: 3,
        first: "walk_0000.png".to_owned(),
        is_model: false,
    });
    let mut fixture = open(SavingKind::Picture(PictureKind::Frames));
    fixture.saving.clash = Some(&CLASH);
    let mut robot = settled(&fixture);
    let words = "3 of these files are there already, walk_0000.png first.";
    assert!(robot.find_text(&fixture, words).is_some());
    assert!(
        robot.find_text(&fixture, "Choose…").is_none(),
        "one question at a time"
    );
    assert_eq!(
        robot.click_text(&fixture, "Replace"),
        [saving(SavingCommand::Replace)]
    );
    assert_eq!(
        robot.click_text(&fixture, "Cancel"),
        [saving(SavingCommand::Keep)]
    );
}

/// All three lie over the picture at once: each under the one before.
#[test]
fn what_is_loaded_what_is_saved_and_what_is_said_lie_apart() {
    let fixture = Fixture {
        saving: SavingView {
            job: Some(("walk.gif", 3, 12)),
            ..SavingView::default()
        },
        loading: loading(0.3),
        ..Fixture::default().with_message()
    };
    let mut robot = settled(&fixture);
    let [cancel, stop] = ["Cancel", "Stop"].map(|words| robot.find_text(&fixture, words).unwrap());
    let message = robot.part("message");
    assert!(cancel.bottom() + 8.0 < stop.top(), "{cancel:?} {stop:?}");
    assert!(stop.bottom() + 8.0 < message.top(), "{stop:?} {message:?}");
}

#[test]
fn what_is_being_saved_can_be_stopped() {
    let fixture = Fixture {
        saving: SavingView {
            job: Some(("walk.gif", 3, 12)),
            ..SavingView::default()
        },
        ..Fixture::default()
    };
    let mut robot = settled(&fixture);
    let stop = robot.find_text(&fixture, "Stop").unwrap();
    assert_eq!(
        robot.click(&fixture, stop.center()),
        [saving(SavingCommand::Stop)]
    );
}

/// Who has gone to a button by Tab leaves by Escape as anybody else.
#[test]
fn escape_leaves_the_question_at_once() {
    let fixture = asking();
    let mut robot = settled(&fixture);
    robot.key(&fixture, Key::Tab);
    robot.frame(&fixture);
    assert_eq!(robot.key(&fixture, Key::Escape), [Command::CloseFront]);
}

#[test]
fn nothing_is_said_in_the_marks_of_documents() {
    for kind in SavingKind::POSES {
        let fixture = open(kind);
        let mut robot = settled(&fixture);
        let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, robot.size);
        let texts = robot.texts_in(&fixture, whole);
        assert!(!texts.iter().any(|(text, _)| text.contains('`')));
    }
}

#[test]
fn the_box_says_what_is_saved() {
    let mut fixture = open(SavingKind::Picture(PictureKind::Still));
    fixture.saving.what = "Walk at 0.42 s, frame 13";
    let mut robot = settled(&fixture);
    assert!(robot.find_text(&fixture, fixture.saving.what).is_some());
}
