//! Keys and the palette say what they have done where that is not seen, and why they did nothing.

use egui::{Key, Modifiers};
use rigscope::anim::LoopMode;
use rigscope::scene::Split;
use rigscope::ui::{
    CameraCommand, Command, CompareCommand, CompareView, Message, MixMode, MixReference, MixRow,
    NodesCommand, Offer, Picker, PictureCommand, PlaybackCommand, PosingCommand, Sight, TimeSpan,
    TimelineCommand, WindowCommand,
};

use crate::fixture::{Fixture, Window, settled};

/// What is painted while a key is fresh, and shortly after.
pub fn said(fixture: &Fixture, shift: bool, key: Key) -> Vec<String> {
    let modifiers = if shift {
        Modifiers::SHIFT
    } else {
        Modifiers::NONE
    };
    said_in(&mut settled(fixture), fixture, modifiers, key).1
}

/// [`said`] in a window, and the commands.
fn said_in(
    window: &mut Window,
    fixture: &Fixture,
    modifiers: Modifiers,
    key: Key,
) -> (Vec<Command>, Vec<String>) {
    window.modifiers = modifiers;
    let commands = window.key(fixture, key);
    window.modifiers = Modifiers::NONE;
    (commands, fresh(window, fixture))
}

/// What is painted now, and not any more in two seconds.
fn fresh(window: &mut Window, fixture: &Fixture) -> Vec<String> {
    let viewport = window.part("viewport");
    let texts = window.texts_in(fixture, viewport);
    window.time_secs += 2.0;
    let later = window.texts_in(fixture, viewport);
    let of_key = |(words, _): (String, egui::Rect)| {
        let is_said = !later.iter().any(|(other, _)| *other == words);
        is_said.then_some(words)
    };
    texts.into_iter().filter_map(of_key).collect()
}

/// What a key has done is said beside a message, wherever both have room.
#[test]
fn nothing_that_is_said_covers_a_message() {
    let message = Message::info("The pose made by hand is gone", "");
    let fixture = Fixture {
        message: Some(message.offering(Some(Offer::UndoPose))),
        ..Fixture::default()
    };
    let size = egui::vec2(800.0, 500.0);
    for scale in [1.0, 1.25, 1.5] {
        let mut window = Window::new(size.x / scale, size.y / scale);
        window.settle(&fixture);
        window.key(&fixture, Key::H);
        window.settle(&fixture);
        let said = window.find_text(&fixture, "Shadows on");
        let said = said.expect("what the key did");
        let message = window.part("message");
        assert!(!message.intersects(said), "{scale}: {said} {message}");
        assert!(
            window.part("viewport").contains_rect(said),
            "{scale}: {said}"
        );
    }
}

/// What is loaded and what is saved stand in the place of messages.
#[test]
fn nothing_that_is_said_covers_what_goes_on() {
    for scale in [1.0, 1.5] {
        let mut fixture = Fixture::default();
        fixture.saving.job = Some(("walk.png", 3, 300));
        let mut window = Window::new(800.0 / scale, 500.0 / scale);
        window.settle(&fixture);
        window.key(&fixture, Key::H);
        window.settle(&fixture);
        let said = window.find_text(&fixture, "Shadows on");
        let said = said.expect("what the key did");
        let stop = window.find_named(&fixture, "Stop").expect("a button");
        assert!(!stop.intersects(said), "{scale}: {said} {stop}");
        let viewport = window.part("viewport");
        assert!(viewport.contains_rect(said), "{scale}: {said}");
    }
}

#[test]
fn what_is_taken_back_is_named() {
    let command = Modifiers::COMMAND | Modifiers::CTRL;
    let mut fixture = Fixture::default();
    fixture.history.undo = Some("set Smile");
    fixture.history.redo = Some("hide Hat");
    for (key, words) in [(Key::Z, "Undone: hide Hat"), (Key::Y, "Redone: set Smile")] {
        let (_, said) = said_in(&mut settled(&fixture), &fixture, command, key);
        assert_eq!(said, [words]);
    }
    let bare = Fixture::default();
    let (_, said) = said_in(&mut settled(&bare), &bare, command, Key::Z);
    assert_eq!(said, ["Nothing to undo"]);
}

/// Where drawing is slow the frame after the key may come seconds later.
#[test]
fn what_is_said_stays_from_when_it_is_seen() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    window.event(egui::Event::ModifiersChanged(window.modifiers));
    window.press(Key::Z, window.modifiers);
    window.frame(&fixture);
    window.modifiers = Modifiers::NONE;
    let said = "Nothing to undo";
    for (later_secs, is_said) in [(5.0, true), (1.0, true), (2.0, false)] {
        window.time_secs += later_secs;
        let found = window.find_text(&fixture, said);
        assert_eq!(found.is_some(), is_said, "{later_secs} s later");
    }
}

#[test]
fn keys_say_what_cannot_be_seen_and_why_they_do_nothing() {
    let mut fixture = Fixture::default();
    for (shift, key, words) in [
        (false, Key::X, "Clips change at once"),
        (false, Key::P, "With root motion"),
        (false, Key::H, "Shadows on"),
        (true, Key::T, "Transparency: Sorted"),
        (true, Key::K, "Key light: auto"),
        (false, Key::F8, "Following nothing"),
        (false, Key::M, "The file has no material variants"),
        (false, Key::Num9, "Key 9: there are fewer clips"),
        (true, Key::H, "Select a node first"),
    ] {
        assert_eq!(said(&fixture, shift, key), [words], "{key:?}");
    }
    assert_eq!(said(&fixture, false, Key::G), [""; 0], "the grid is seen");
    fixture.motion.fade_secs = 0.5;
    fixture.playback.speed = -0.25;
    for (key, words) in [
        (Key::X, "Fade between clips: 0.5 s"),
        (Key::R, "Speed −0.25×"),
    ] {
        assert_eq!(said(&fixture, false, key), [words], "{key:?}");
    }
    fixture.shown.skeleton = false;
    assert_eq!(
        said(&fixture, false, Key::Y),
        ["Joint names: selected   ·   B: show the bones"]
    );
    fixture.model_name.clear();
    fixture.nodes.clear();
    let mut window = settled(&fixture);
    assert_eq!(
        window.key(&fixture, Key::F9),
        [],
        "there is nothing to compare"
    );
    assert_eq!(said(&fixture, false, Key::F9), ["No file is open"]);
}

/// What the window shows by itself.
fn is_seen(command: &Command) -> bool {
    matches!(
        command,
        Command::Playback(PlaybackCommand::TogglePlay)
            | Command::Playback(PlaybackCommand::StepFrames(_))
            | Command::Playback(PlaybackCommand::SeekStart)
            | Command::Playback(PlaybackCommand::SeekEnd)
            | Command::Timeline(
                TimelineCommand::StepKey(_)
                    | TimelineCommand::ToggleSheet
                    | TimelineCommand::OtherSheet
            )
            | Command::SelectNode(_)
            | Command::Nodes(NodesCommand::FocusSearch)
            | Command::Picture(PictureCommand::ToggleSkeleton)
            | Command::Picture(PictureCommand::ToggleGrid)
            | Command::Picture(PictureCommand::ToggleWires)
            | Command::Picture(PictureCommand::ToggleNormals)
            | Command::TogglePanel(_)
            | Command::ToggleTheme
            | Command::Camera(CameraCommand::FrameModel)
            | Command::Picture(PictureCommand::StepViewMode(_))
            | Command::Camera(CameraCommand::Orbit { .. })
            | Command::Camera(CameraCommand::Pan { .. })
            | Command::Camera(CameraCommand::Zoom { .. })
            | Command::Posing(PosingCommand::NextHandle | PosingCommand::Nudge(_))
            // Dialogs and lists come up, files are read, messages go.
            | Command::Compare(CompareCommand::Step)
            | Command::Saving(_)
            | Command::Files(_)
            | Command::Window(
                WindowCommand::OpenDialog(_)
                    | WindowCommand::PastePath
                    | WindowCommand::Reload
                    | WindowCommand::StepFile(_)
                    | WindowCommand::Quit
            )
            | Command::CloseFront
    )
}

/// A key that does nothing, or what nobody sees, seems broken.
#[test]
fn no_key_is_silent() {
    let all = [
        Modifiers::NONE,
        Modifiers::SHIFT,
        Modifiers::COMMAND | Modifiers::CTRL,
        Modifiers::COMMAND | Modifiers::CTRL | Modifiers::SHIFT,
    ];
    let all: Vec<_> = all
        .into_iter()
        .flat_map(|modifiers| Key::ALL.iter().map(move |key| (modifiers, *key)))
        .collect();
    let mut everything = Fixture {
        variants: vec!["Red".to_owned(), "Blue".to_owned()],
        selected_node: Some(8),
        ..Fixture::default()
    };
    everything.scenes.push("Other".to_owned());
    everything.history.undo = Some("hide Hat");
    everything.history.redo = Some("turn Head");
    everything.camera.file_cameras = vec!["Door".to_owned()].leak();
    let bare = Fixture {
        nodes: Vec::new(),
        scenes: Vec::new(),
        ..Fixture::default().without_clip()
    };
    let crowd = Fixture {
        crowd: Some((3, 4)),
        ..Fixture::default()
    };
    let mut done = 0;
    let mut silent = Vec::new();
    let mut known = Vec::new();
    for (name, fixture) in [("", &everything), ("bare", &bare), ("crowd", &crowd)] {
        let mut window = settled(fixture);
        for &(modifiers, key) in &all {
            let (commands, words) = said_in(&mut window, fixture, modifiers, key);
            // The search must not type what follows.
            window.ctx.memory_mut(|memory| {
                if let Some(id) = memory.focused() {
                    memory.surrender_focus(id);
                }
            });
            if !commands.is_empty() && name.is_empty() {
                known.push((modifiers, key));
            }
            let is_known = !name.is_empty() && known.contains(&(modifiers, key));
            let is_seen = !commands.is_empty() && commands.iter().all(is_seen);
            if !words.is_empty() {
                done += 1;
            } else if !is_seen && (is_known || !commands.is_empty()) {
                silent.push(format!("{name} {modifiers:?} {key:?} {commands:?}"));
            }
        }
    }
    assert_eq!(silent, [""; 0]);
    assert!(known.len() > 90 && done > 120, "{} {done}", known.len());
}

#[test]
fn ends_of_time_are_said() {
    let mut fixture = Fixture::default();
    fixture.playback.time_secs = fixture.playback.duration_secs;
    for (shift, key, words) in [
        (false, Key::ArrowRight, "Last frame"),
        (true, Key::ArrowRight, "Last frame"),
        (false, Key::Period, "Last key"),
        (false, Key::I, "Loop: all of the clip"),
        (true, Key::Z, "Time axis: all of the clip"),
        (false, Key::K, "Stopped"),
    ] {
        assert_eq!(said(&fixture, shift, key), [words], "{key:?}");
    }
    for key in [Key::ArrowLeft, Key::Home, Key::End] {
        assert_eq!(said(&fixture, false, key), [""; 0], "{key:?}");
    }
    fixture.playback.time_secs = 0.0;
    fixture.playback.speed = 4.0;
    fixture.playback.is_playing = true;
    for (shift, key, words) in [
        (false, Key::ArrowLeft, "First frame"),
        (false, Key::Comma, "First key"),
        (false, Key::L, "Speed 4.00×"),
        (false, Key::Equals, "Speed 4.00×: the fastest"),
    ] {
        assert_eq!(said(&fixture, shift, key), [words], "{key:?}");
    }
    fixture.playback.speed = 0.0;
    assert_eq!(
        said(&fixture, false, Key::Space),
        ["Speed 0.00×: time stands still"]
    );
    fixture.range = Some(TimeSpan {
        from_secs: 0.5,
        to_secs: 1.25,
    });
    fixture.playback.time_secs = 1.25;
    let loops = "Loop from 0.500 s to 1.250 s";
    assert_eq!(said(&fixture, false, Key::O), [loops]);
    let bare = fixture.without_clip();
    for key in [Key::Period, Key::I, Key::Z, Key::J, Key::ArrowRight] {
        let words = "Nothing to play: this file has no animation";
        assert_eq!(said(&bare, false, key), [words], "{key:?}");
    }
}

#[test]
fn what_a_crowd_does_not_do_is_said() {
    let mut fixture = Fixture {
        crowd: Some((3, 4)),
        selected_node: Some(8),
        ..Fixture::default()
    };
    fixture.skeleton.trail = true;
    fixture.camera.has_choice = true;
    fixture.mix.clips = mixed(0);
    for (shift, key, words) in [
        (true, Key::P, "A crowd plays clips, and holds no pose"),
        (false, Key::W, "Motion trail on, but not in a crowd"),
        (true, Key::F, "The whole crowd"),
        (true, Key::Q, "A crowd is not posed by hand"),
        (false, Key::F2, "A crowd is not posed by hand"),
        (
            true,
            Key::Num1,
            "Survey is in the mix, but a crowd plays one clip each",
        ),
        (true, Key::Num2, "Walk plays already"),
        (true, Key::D, "Survey is blended"),
        (true, Key::Num0, "Walk alone"),
    ] {
        assert_eq!(said(&fixture, shift, key), [words], "{key:?}");
    }
}

#[test]
fn what_has_no_room_is_said() {
    let fixture = Fixture {
        sheet: Some(rigscope::ui::SheetKind::Dope),
        ..Fixture::default()
    };
    let ctrl = Modifiers::COMMAND | Modifiers::CTRL;
    for (size, modifiers, key, words) in [
        ((460.0, 700.0), Modifiers::NONE, Key::N, NARROW),
        ((460.0, 700.0), Modifiers::SHIFT, Key::N, NARROW),
        ((460.0, 700.0), ctrl, Key::F, NARROW),
        ((460.0, 700.0), Modifiers::NONE, Key::V, "View: Lit"),
        ((900.0, 275.0), Modifiers::NONE, Key::S, LOW),
        ((900.0, 700.0), ctrl, Key::Num0, "Interface at 100%"),
        ((900.0, 700.0), Modifiers::NONE, Key::F5, "Reading again"),
    ] {
        let mut window = Window::new(size.0, size.1);
        window.settle(&fixture);
        let (commands, said) = said_in(&mut window, &fixture, modifiers, key);
        assert_eq!(said, [words], "{key:?}");
        if modifiers == ctrl && key == Key::F {
            assert_eq!(commands, []);
            window.size.x = 1280.0;
            window.settle(&fixture);
            let focused = window.ctx.memory(egui::Memory::focused);
            assert_eq!(focused, None, "nobody types into a search of before");
        }
    }
}

const NARROW: &str = "The window is too narrow for panels";
const LOW: &str = "The window is too low for keys and curves";

/// What is said of a clip with a long name has room in a narrow picture.
#[test]
fn long_words_stay_in_the_picture() {
    let mut fixture = Fixture {
        crowd: Some((3, 4)),
        ..Fixture::default()
    };
    fixture.mix.clips = mixed(3);
    let mut window = Window::new(460.0, 700.0);
    window.settle(&fixture);
    let (_, said) = said_in(&mut window, &fixture, Modifiers::SHIFT, Key::Num4);
    assert!(
        said.len() == 1 && said[0].ends_with("one clip each"),
        "{said:?}"
    );
}

pub fn mixed(clip: usize) -> Vec<MixRow> {
    vec![MixRow {
        clip,
        mode: MixMode::Blend,
        weight: 1.0,
        reference: MixReference::FirstFrame,
        below: None,
        time_secs: 0.0,
    }]
}

/// What is chosen in the palette says what the key for the same says, and what has no key speaks, too.
#[test]
fn the_palette_says_what_it_has_done() {
    let mut fixture = Fixture {
        crowd: Some((3, 4)),
        ..Fixture::default()
    };
    fixture.motion.crowd_size = 4;
    fixture.playback.loop_mode = LoopMode::Hold;
    fixture.compare = CompareView {
        is_on: true,
        split: Split::default(),
        ..CompareView::default()
    };
    for (typed, words) in [
        ("run", "Clip: Walk"),
        (
            "all clips in the crowd",
            "All of the crowd play the selected clip",
        ),
        (
            "begin and end together",
            "Clips of A and B go by the same clock",
        ),
        ("next loop mode", "Hold: stop at the last frame"),
    ] {
        fixture.picker = Some(Picker::Palette);
        let mut window = settled(&fixture);
        window.event(egui::Event::Text(typed.to_owned()));
        window.frame(&fixture);
        window.frame(&fixture);
        window.key(&fixture, Key::Enter);
        fixture.picker = None;
        assert_eq!(fresh(&mut window, &fixture), [words], "{typed}");
    }
}

/// A click on figures shows nothing by itself.
#[test]
fn what_is_copied_is_said() {
    let fixture = crate::inspector::fixture();
    let mut window = Window::new(1280.0, 1600.0);
    window.settle(&fixture);
    let figures = "Quaternion: 0.0000  0.3827  0.0000  0.9239";
    assert_eq!(window.click_named(&fixture, figures), []);
    window.frame(&fixture);
    assert_eq!(fresh(&mut window, &fixture), ["Copied"]);
}

/// The menu that has the button lies where it is said what the button has done.
#[test]
fn what_is_said_is_seen_beside_a_menu() {
    let mut fixture = Fixture::default();
    fixture.history.undo = Some("turn head");
    fixture.history.redo = Some("turn head");
    let mut window = settled(&fixture);
    window.click_named(&fixture, "Pose");
    window.settle(&fixture);
    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    window.key(&fixture, Key::Z);
    window.modifiers = Modifiers::NONE;
    window.frame(&fixture);
    let said = window.find_text(&fixture, "Undone: turn head").unwrap();
    let menu = window.find_text(&fixture, "Swap left and right").unwrap();
    assert!(said.left() > menu.right() + 8.0, "{said} {menu}");
}

/// A joint has no surface of its own.
#[test]
fn that_hiding_a_joint_hides_nothing_is_said() {
    let mut fixture = Fixture {
        selected_node: Some(13),
        ..Fixture::default()
    };
    fixture.sight = vec![Sight::Shown; fixture.nodes.len()];
    fixture.sight[13] = Sight::Hidden;
    let words = said(&fixture, true, Key::H).join(" ");
    assert!(words.contains("joints only move a mesh"), "{words}");
    // The first node has meshes below it.
    fixture.selected_node = Some(0);
    fixture.sight[0] = Sight::Hidden;
    let words = said(&fixture, true, Key::H).join(" ");
    assert!(words.contains("is hidden   ·"), "{words}");
}
