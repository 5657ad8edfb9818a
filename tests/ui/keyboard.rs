//! Keys: which are commands, and when they are not.

use egui::{Key, Modifiers};
use rigscope::anim::LoopMode;
use rigscope::ui::{
    Between, CameraCommand, Command, DifferenceRow, LoadKind, NodeRow, NumberKind, Panel,
    PictureCommand, PlaybackCommand, PoseTool, PosingCommand, SheetKind, TimelineCommand,
    WindowCommand,
};

use crate::fixture::{Fixture, Window, loading, settled};

#[test]
fn keys_are_commands() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    for (key, command) in [
        (Key::Space, Command::Playback(PlaybackCommand::TogglePlay)),
        (
            Key::ArrowLeft,
            Command::Playback(PlaybackCommand::StepFrames(-1)),
        ),
        (
            Key::ArrowRight,
            Command::Playback(PlaybackCommand::StepFrames(1)),
        ),
        (Key::Home, Command::Playback(PlaybackCommand::SeekStart)),
        (Key::End, Command::Playback(PlaybackCommand::SeekEnd)),
        (Key::Num1, Command::SelectClip(Some(0))),
        (Key::Num4, Command::SelectClip(Some(3))),
        (Key::Num0, Command::SelectClip(None)),
        (Key::CloseBracket, Command::SelectClip(Some(2))),
        (Key::PageUp, Command::SelectClip(Some(0))),
        (
            Key::Minus,
            Command::Playback(PlaybackCommand::SetSpeed(0.5)),
        ),
        (
            Key::Equals,
            Command::Playback(PlaybackCommand::SetSpeed(2.0)),
        ),
        (Key::R, Command::Playback(PlaybackCommand::SetSpeed(-1.0))),
        (Key::J, Command::Timeline(TimelineCommand::Shuttle(-1))),
        (Key::K, Command::Timeline(TimelineCommand::Shuttle(0))),
        (Key::L, Command::Timeline(TimelineCommand::Shuttle(1))),
        (Key::Comma, Command::Timeline(TimelineCommand::StepKey(-1))),
        (Key::Period, Command::Timeline(TimelineCommand::StepKey(1))),
        (Key::I, Command::Timeline(TimelineCommand::MarkIn)),
        (Key::O, Command::Timeline(TimelineCommand::MarkOut)),
        (Key::B, Command::Picture(PictureCommand::ToggleSkeleton)),
        (Key::G, Command::Picture(PictureCommand::ToggleGrid)),
        (Key::V, Command::Picture(PictureCommand::StepViewMode(1))),
        (Key::F, Command::Camera(CameraCommand::FrameModel)),
        (Key::N, Command::TogglePanel(Panel::Scene)),
        (Key::T, Command::ToggleTheme),
        (Key::F1, Command::TogglePanel(Panel::Keys)),
        (Key::Escape, Command::CloseFront),
        (Key::ArrowDown, Command::SelectNode(Some(0))),
    ] {
        assert_eq!(window.key(&fixture, key), [command], "{key:?}");
    }
    assert_eq!(
        window.key(&fixture, Key::Num9),
        [],
        "there is no ninth clip"
    );

    window.modifiers = Modifiers::SHIFT;
    assert_eq!(
        window.key(&fixture, Key::ArrowRight),
        [Command::Playback(PlaybackCommand::StepFrames(10))]
    );
    for (key, command) in [
        (
            Key::L,
            Command::Playback(PlaybackCommand::SetLoopMode(LoopMode::PingPong)),
        ),
        (Key::N, Command::TogglePanel(Panel::Inspector)),
        (Key::E, Command::Picture(PictureCommand::ToggleWires)),
        (Key::R, Command::Picture(PictureCommand::ToggleNormals)),
        (Key::O, Command::Timeline(TimelineCommand::SetRange(None))),
        (Key::Z, Command::Timeline(TimelineCommand::Show(None))),
    ] {
        assert_eq!(window.key(&fixture, key), [command], "Shift and {key:?}");
    }
    assert_eq!(
        window.key(&fixture, Key::Questionmark),
        [Command::TogglePanel(Panel::Keys)]
    );
    assert_eq!(window.key(&fixture, Key::G), []);

    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    assert_eq!(
        window.key(&fixture, Key::O),
        [Command::Window(WindowCommand::OpenDialog(LoadKind::Model))]
    );
    assert_eq!(
        window.key(&fixture, Key::Q),
        [Command::Window(WindowCommand::Quit)]
    );
    assert_eq!(
        window.key(&fixture, Key::Plus),
        [Command::Window(WindowCommand::ScaleUi(1))]
    );
    assert_eq!(
        window.key(&fixture, Key::Minus),
        [Command::Window(WindowCommand::ScaleUi(-1))]
    );
    assert_eq!(
        window.key(&fixture, Key::Num0),
        [Command::Window(WindowCommand::ScaleUi(0))]
    );
    assert_eq!(window.key(&fixture, Key::G), []);
    window.event(egui::Event::Paste("/home/me/Fox.glb".to_owned()));
    assert_eq!(
        window.frame(&fixture),
        [Command::Window(WindowCommand::PastePath)]
    );
}

#[test]
fn bones_that_are_not_there_have_no_key() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(
        window.key(&fixture, Key::B),
        [Command::Picture(PictureCommand::ToggleSkeleton)]
    );
    fixture.shown.has_skeleton = false;
    assert_eq!(window.key(&fixture, Key::B), []);
}

/// The signs above the digits have lines of their own, but with Shift it is the digit that is meant.
#[test]
fn digits_with_shift_are_digits_on_all_keyboards() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let mut press = |key, place, modifiers| {
        window.event(egui::Event::Key {
            key,
            physical_key: Some(place),
            pressed: true,
            repeat: false,
            modifiers,
        });
        let commands = window.frame(&fixture);
        window.event(egui::Event::Key {
            key,
            physical_key: Some(place),
            pressed: false,
            repeat: false,
            modifiers,
        });
        window.frame(&fixture);
        commands
    };
    let english = press(Key::Num2, Key::Num2, Modifiers::SHIFT);
    assert!(matches!(english[..], [Command::Mix(_)]), "{english:?}");
    // Swiss, German, French.
    for key in [Key::Plus, Key::Slash, Key::Num2] {
        assert_eq!(press(key, Key::Num2, Modifiers::SHIFT), english, "{key:?}");
    }
    let english = press(Key::Num0, Key::Num0, Modifiers::SHIFT);
    assert_eq!(press(Key::Equals, Key::Num0, Modifiers::SHIFT), english);
    // Where it is no digit's, the sign counts.
    let faster = press(Key::Plus, Key::Equals, Modifiers::SHIFT);
    assert!(
        matches!(
            faster[..],
            [Command::Playback(PlaybackCommand::SetSpeed(_))]
        ),
        "{faster:?}"
    );
}

#[test]
fn a_key_that_is_held_down_repeats_only_where_that_helps() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    for (key, expected) in [(Key::Space, 1), (Key::ArrowRight, 4)] {
        let mut commands = 0;
        for _ in 0..4 {
            window.event(egui::Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false, // egui finds out by itself
                modifiers: Modifiers::NONE,
            });
            commands += window.frame(&fixture).len();
        }
        assert_eq!(commands, expected, "{key:?}");
    }
}

/// On a slow machine both presses come between two frames: the second is a step from where the first has led.
#[test]
fn a_key_that_is_pressed_twice_goes_two_steps() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let tool = |tool| [Command::Posing(PosingCommand::SetTool(tool))];
    let press = |window: &mut Window, key, modifiers| {
        for pressed in [true, false] {
            window.event(egui::Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            });
        }
    };
    for _ in 0..2 {
        press(&mut window, Key::Q, Modifiers::SHIFT);
    }
    // What comes after it waits, too: it may be about what the step has led to.
    press(&mut window, Key::F2, Modifiers::NONE);
    assert_eq!(window.frame(&fixture), tool(PoseTool::Turn));
    fixture.posing.tool = PoseTool::Turn;
    assert_eq!(window.frame(&fixture), tool(PoseTool::Move));
    fixture.posing.tool = PoseTool::Move;
    assert_eq!(
        window.frame(&fixture),
        [Command::Posing(PosingCommand::NextHandle)]
    );
    assert_eq!(window.frame(&fixture), []);

    // Who says by how much need not wait.
    let step = Command::Playback(PlaybackCommand::StepFrames(1));
    for _ in 0..2 {
        press(&mut window, Key::ArrowRight, Modifiers::NONE);
    }
    assert_eq!(window.frame(&fixture), [step.clone(), step]);
    // And what a key that is held repeats is not made up for.
    window.press(Key::PageDown, Modifiers::NONE);
    for _ in 0..5 {
        window.event(egui::Event::Key {
            key: Key::PageDown,
            physical_key: None,
            pressed: true,
            repeat: true,
            modifiers: Modifiers::NONE,
        });
    }
    assert_eq!(window.frame(&fixture).len(), 1);
    assert_eq!(window.frame(&fixture), []);
}

#[test]
fn typing_is_not_commanding() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_text(&fixture, "Search nodes");
    for (key, text) in [
        (Key::Space, " "),
        (Key::H, "h"),
        (Key::B, "b"),
        (Key::Num1, "1"),
    ] {
        window.event(egui::Event::Text(text.to_owned()));
        assert_eq!(window.key(&fixture, key), [], "{key:?}");
    }
    window.event(egui::Event::Paste("pasted".to_owned()));
    assert_eq!(window.frame(&fixture), []);
    assert!(window.find_text(&fixture, " hb1pasted").is_some());
    // Escape leaves the field, empties it, and nothing else; then keys are commands again.
    assert_eq!(window.key(&fixture, Key::Escape), []);
    assert_eq!(window.frame(&fixture), []);
    assert!(window.find_text(&fixture, "Search nodes").is_some());
    assert_eq!(
        window.key(&fixture, Key::Space),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
}

#[test]
fn a_press_anywhere_ends_typing() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_text(&fixture, "Search nodes");
    window.click(&fixture, window.part("viewport").center());
    assert_eq!(
        window.key(&fixture, Key::Space),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
}

/// Tab gives the focus to a control; Space then presses that control, and does not play.
#[test]
fn space_presses_the_control_with_the_focus_and_nothing_else() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let mut asked = Vec::new();
    for _ in 0..12 {
        assert_eq!(window.key(&fixture, Key::Tab), []);
        window.frame(&fixture);
        let mut commands = window.key(&fixture, Key::Space);
        commands.extend(window.frame(&fixture));
        assert!(commands.len() <= 1, "{commands:?}");
        assert!(!commands.contains(&Command::Playback(PlaybackCommand::TogglePlay)));
        asked.extend(commands);
    }
    assert!(
        asked.contains(&Command::Picture(PictureCommand::ToggleSkeleton)),
        "{asked:?}"
    );
    assert!(
        asked.contains(&Command::Window(WindowCommand::OpenDialog(LoadKind::Model))),
        "{asked:?}"
    );
    // Escape closes the examples, whose button has the focus then; and gives the focus up, and only that.
    assert!(egui::Popup::is_any_open(&window.ctx), "{asked:?}");
    assert_eq!(window.key(&fixture, Key::Escape), []);
    window.settle(&fixture);
    assert!(!egui::Popup::is_any_open(&window.ctx));
    assert_eq!(window.key(&fixture, Key::Escape), []);
    window.frame(&fixture);
    assert_eq!(
        window.key(&fixture, Key::Space),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
}

#[test]
fn escape_closes_menus_first() {
    let fixture = Fixture::default();
    for menu in ["view", "Bones", "Pose", "light", "camera", "Examples"] {
        let mut window = crate::names::window_in(&fixture, &[menu], (1280.0, 720.0));
        assert!(egui::Popup::is_any_open(&window.ctx), "{menu}");
        // The pointer is elsewhere, as after a look at the menu.
        window.move_to(egui::pos2(640.0, 300.0));
        window.frame(&fixture);
        assert_eq!(window.key(&fixture, Key::Escape), [], "{menu}");
        window.settle(&fixture);
        assert!(!egui::Popup::is_any_open(&window.ctx), "{menu}");
        assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
    }
}

/// They make only the rows that are in sight: the next ones come along with the focus.
#[test]
fn the_focus_goes_to_the_ends_of_long_lists() {
    let mut tree = Fixture::default();
    let joint = tree.nodes[4].clone();
    tree.nodes.extend((0..80).map(|place| NodeRow {
        name: format!("bead {place}"),
        depth: 0,
        descendants: 0,
        ..joint.clone()
    }));
    let mut sheet = crate::sheet::with_sheet(SheetKind::Dope);
    let channel = |place: usize| {
        let label = format!("channel {place}");
        crate::sheet::row(&label, Between::Linear, NumberKind::One)
    };
    sheet.sheet_rows = (0..40).map(channel).collect();
    let off = &crate::compare::rows()[0];
    let off = (0..40).map(|place| DifferenceRow {
        name: format!("joint {place}"),
        ..off.clone()
    });
    let off = off.collect::<Vec<_>>().leak();
    let differences = crate::compare::with_differences(off, "");
    let off_by = "joint 0: turned 12.50° at 1.000 s, its origin in place";
    let both = &[Key::ArrowDown, Key::Tab][..];
    for (fixture, first, last, keys) in [
        (tree, "Armature", "bead 79", both),
        (
            crate::clip_list::many(60),
            "move 0, 3.42 s",
            "move 59,",
            both,
        ),
        (sheet, "channel 0: 5 keys, linear", "channel 39:", both),
        (differences, off_by, "joint 39:", both),
        // Figures of weights have arrows of their own.
        (
            crate::clips::with_morphs(40),
            "shape 0",
            "shape 39",
            &both[1..],
        ),
    ] {
        for key in keys {
            let mut window = Window::new(1280.0, 1400.0);
            window.settle(&fixture);
            window.focus_named(&fixture, first);
            let is_reached = (0..300).any(|_| {
                window.key(&fixture, *key);
                let name = window.focused_name(&fixture);
                name.is_some_and(|name| name.starts_with(last))
            });
            assert!(is_reached, "{last} by {key:?}");
        }
    }
}

/// Lists that keys open lie in front of a menu that is open, which goes.
#[test]
fn menus_give_way_to_what_keys_open() {
    let size = (800.0, 500.0);
    for menu in ["view", "Bones", "Pose", "light", "camera", "Examples"] {
        let mut fixture = Fixture::default();
        let mut window = crate::names::window_in(&fixture, &[menu], size);
        assert!(egui::Popup::is_any_open(&window.ctx), "{menu}");
        window.modifiers = Modifiers::SHIFT;
        let asked = window.key(&fixture, Key::Questionmark);
        assert_eq!(asked, [Command::TogglePanel(Panel::Keys)], "{menu}");
        window.modifiers = Modifiers::NONE;
        fixture.shown.keys = true;
        window.settle(&fixture);
        assert!(window.find_text(&fixture, "Keys").is_some(), "{menu}");
        assert!(!egui::Popup::is_any_open(&window.ctx), "{menu}");
        // One Escape closes it.
        assert_eq!(
            window.key(&fixture, Key::Escape),
            [Command::CloseFront],
            "{menu}"
        );
    }
}

#[test]
fn escape_cancels_loading_when_nothing_is_in_front() {
    let mut fixture = Fixture {
        loading: loading(0.3),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    // With nothing to close, the session cancels.
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
    assert_eq!(
        window.click_text(&fixture, "Cancel"),
        [Command::Window(WindowCommand::CancelLoading(Some(
            LoadKind::Model
        )))]
    );
    fixture = fixture.with_message();
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
}
