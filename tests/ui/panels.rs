//! What the panels ask for when they are clicked, and that they stay where they are.

use egui::{pos2, vec2};
use rigscope::ui::{Command, LoadKind, Panel, PictureCommand, PlaybackCommand, WindowCommand};

use crate::fixture::{Fixture, Window, loading, settled};

#[test]
fn clicking_a_clip_selects_it() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(
        window.click_text(&fixture, "Run"),
        [Command::SelectClip(Some(2))]
    );
    assert_eq!(
        window.click_text(&fixture, "File's own pose"),
        [Command::SelectClip(None)]
    );
}

#[test]
fn clicking_a_node_selects_it_and_again_leaves_it() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(
        window.click_text(&fixture, "Armature"),
        [Command::SelectNode(Some(2))]
    );
    fixture.selected_node = Some(2);
    window.settle(&fixture);
    assert_eq!(
        window.click_text(&fixture, "Armature"),
        [Command::SelectNode(None)]
    );
}

#[test]
fn folding_a_node_hides_what_is_below() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let armature = window.find_text(&fixture, "Armature").expect("it is shown");
    assert!(window.find_text(&fixture, "mixamorig:Hips").is_some());
    let commands = window.click(&fixture, armature.left_center() - vec2(28.0, 0.0));
    assert_eq!(commands, [], "folding is the interface's own affair");
    assert!(window.find_text(&fixture, "mixamorig:Hips").is_none());
    assert!(window.find_text(&fixture, "Camera").is_some());
}

#[test]
fn what_is_folded_goes_with_its_node_when_the_file_is_read_again() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let armature = window.find_text(&fixture, "Armature").expect("it is shown");
    window.click(&fixture, armature.left_center() - vec2(28.0, 0.0));
    // Below a node that is new.
    let mut above = fixture.nodes[0].clone();
    above.name = "Locator".to_owned();
    above.descendants = 0;
    fixture.moved_nodes = (0..fixture.nodes.len())
        .map(|node| Some(node + 1))
        .collect();
    fixture.nodes.insert(0, above);
    // However often it was since the nodes were drawn.
    fixture.saves = 3;
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Locator").is_some());
    assert!(window.find_text(&fixture, "mixamorig:Hips").is_none());
    assert!(window.find_text(&fixture, "Camera").is_some());
    // Of another file nothing is.
    fixture.document = 3;
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "mixamorig:Hips").is_some());
}

#[test]
fn nothing_moves_when_another_clip_is_chosen() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let before = window.layout.clone();
    let rate = window.find_text(&fixture, "@").expect("it is shown");
    fixture.clip = Some(3);
    fixture.playback.duration_secs = 12.5;
    fixture.playback.time_secs = 11.2;
    fixture.selected_node = Some(0);
    window.settle(&fixture);
    assert_eq!(window.layout, before);
    assert_eq!(window.find_text(&fixture, "@"), Some(rate));
    let nothing = Fixture::default().without_clip();
    window.settle(&nothing);
    assert_eq!(window.layout, before);
}

#[test]
fn buttons_ask_for_what_they_say() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    assert_eq!(
        window.click(&fixture, window.part("play").center()),
        [Command::Playback(PlaybackCommand::TogglePlay)]
    );
    let skeleton = window.part("skeleton").center();
    assert_eq!(
        window.click(&fixture, skeleton),
        [Command::Picture(PictureCommand::ToggleSkeleton)]
    );
    assert_eq!(
        window.click_text(&fixture, "Open…"),
        [Command::Window(WindowCommand::OpenDialog(LoadKind::Model))]
    );
    assert_eq!(
        window.click_text(&fixture, "0.5×"),
        [Command::Playback(PlaybackCommand::SetSpeed(0.5))]
    );
    window.click_text(&fixture, "Examples");
    assert_eq!(
        window.click_text(&fixture, "Windmill"),
        [Command::Window(WindowCommand::OpenBuiltIn("Windmill"))]
    );
}

#[test]
fn searching_finds_nodes() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_text(&fixture, "Search nodes");
    window.event(egui::Event::Text("CAMERA".to_owned()));
    window.frame(&fixture);
    assert!(window.find_text(&fixture, "Camera").is_some());
    assert!(
        window.find_text(&fixture, "Scene root").is_some(),
        "the way to it is shown"
    );
    assert!(window.find_text(&fixture, "Armature").is_none());
}

/// Until the first file is there nothing is said about it: neither that it has no clips, nor a name that it does not have.
#[test]
fn without_a_model_nothing_is_said_of_it() {
    for (loading, words) in [(loading(0.5), "Loading…"), (Vec::new(), "No file is open")] {
        let mut fixture = Fixture {
            model_name: String::new(),
            nodes: Vec::new(),
            loading,
            ..Fixture::default()
        }
        .without_clip();
        fixture.details.file = Some(rigscope::ui::FactSection {
            name: String::new(),
            facts: Vec::new(),
        });
        let mut window = settled(&fixture);
        let whole = egui::Rect::EVERYTHING;
        let texts = window.texts_in(&fixture, whole);
        let count = |wanted: &str| texts.iter().filter(|(text, _)| text == wanted).count();
        // In the lists of clips and nodes, among diagnostics and statistics, and instead of times.
        assert_eq!(count(words), 5, "{texts:?}");
        for wrong in [
            "(blank)",
            "File's own pose",
            "Instances",
            "GPU memory",
            "This file has no animation",
            "File",
            "Nothing to complain about",
        ] {
            assert_eq!(count(wrong), 0, "{wrong}");
        }
    }
}

/// The file that was asked for could not be opened: what else there is to do is said as long as nothing is shown.
#[test]
fn an_empty_window_says_how_files_come_in() {
    let mut fixture = Fixture {
        model_name: String::new(),
        nodes: Vec::new(),
        ..Fixture::default().without_clip()
    }
    .with_message();
    let mut window = settled(&fixture);
    let is_said = |window: &mut Window, fixture: &Fixture| {
        let texts = window.texts_in(fixture, egui::Rect::EVERYTHING);
        let mut texts = texts.iter();
        texts.any(|(text, _)| text.starts_with("Drop a .glb, .gltf or .zip file here"))
    };
    assert!(is_said(&mut window, &fixture), "beside a message");
    window.time_secs += 60.0;
    window.key(&fixture, egui::Key::G);
    window.settle(&fixture);
    assert!(is_said(&mut window, &fixture), "for as long as it is so");
    fixture.model_name = "Fox.glb".to_owned();
    window.settle(&fixture);
    assert!(!is_said(&mut window, &fixture), "there is a model");
}

/// Where there is room, a message hides neither the button beside it nor the gimbal.
#[test]
fn messages_lie_between_what_is_in_the_corners() {
    let fixture = Fixture::default().with_message();
    for (width, height) in [(1280.0, 720.0), (1920.0, 1080.0)] {
        let mut window = Window::new(width, height);
        window.settle(&fixture);
        let message = window.part("message");
        assert!(message.width() > 400.0);
        let button = window.find_text(&fixture, "Compare").expect("a button");
        assert!(
            !message.intersects(button.expand(4.0)),
            "{message:?} {button:?}"
        );
        // The gimbal has as much room on the other side.
        let viewport = window.part("viewport");
        let beside = [
            message.left() - viewport.left(),
            viewport.right() - message.right(),
        ];
        assert!(beside.iter().all(|room| *room >= 98.0), "{beside:?}");
    }
}

#[test]
fn the_key_list_closes_by_a_click_beside_it() {
    let mut fixture = Fixture::default();
    fixture.shown.keys = true;
    let mut window = settled(&fixture);
    assert!(window.find_text(&fixture, "Play or pause").is_some());
    let commands = window.click(&fixture, pos2(20.0, 400.0));
    assert_eq!(commands, [Command::TogglePanel(Panel::Keys)]);
}

#[test]
fn a_hint_of_one_line_says_how_to_begin_and_goes_by_itself() {
    for (can_drop, width, hint) in [
        (
            true,
            1280.0,
            "Drop a .glb, .gltf or .zip file here, or a folder   ·   ?: all keys",
        ),
        (true, 800.0, "Drop a model here   ·   ?: all keys"),
        (false, 1280.0, "Ctrl+O: open a model   ·   ?: all keys"),
        (false, 800.0, "Ctrl+O: open a model   ·   ?: all keys"),
    ] {
        let fixture = Fixture {
            can_drop,
            ..Fixture::default()
        };
        let mut window = Window::new(width, 500.0);
        window.settle(&fixture);
        let place = window.find_text(&fixture, hint).expect(hint);
        let viewport = window.part("viewport");
        assert!(viewport.shrink(8.0).contains_rect(place), "{place:?}");
        window.time_secs += 7.0;
        assert!(window.find_text(&fixture, hint).is_none());
        window.settle(&fixture);
        assert!(window.find_text(&fixture, hint).is_none());
    }
}

#[test]
fn everything_that_can_be_pressed_has_a_name() {
    use egui::accesskit::{Action, Role};
    let mut fixture = Fixture::default().with_message().with_diagnostics();
    fixture.loading = loading(0.5);
    fixture.scenes = vec!["Indoors".to_owned(), "Outdoors".to_owned()];
    fixture.variants = vec!["Street".to_owned(), "Beach".to_owned()];
    for keys in [false, true] {
        fixture.shown.keys = keys;
        let mut window = Window::new(1280.0, 800.0);
        window.ctx.enable_accesskit();
        window.settle(&fixture);
        let (_, output) = window.draw(&fixture);
        let update = output
            .platform_output
            .accesskit_update
            .expect("it was enabled");
        let mut named = 0;
        for (id, node) in &update.nodes {
            let is_own = !matches!(node.role(), Role::GenericContainer | Role::ScrollBar);
            if !node.supports_action(Action::Click) || !is_own {
                continue;
            }
            let label = node.label().or(node.value()).unwrap_or_default();
            let is_labelled = !label.is_empty() || !node.labelled_by().is_empty();
            assert!(is_labelled, "{id:?}: {node:?}");
            named += 1;
        }
        println!("{named} named controls");
        assert!(named > 30, "{named}");
    }
}

/// What keys and the command line can set and sliders cannot: beyond their ends, between their steps.
/// `--crowd` takes more than the slider reaches.
#[test]
fn the_view_menu_leaves_a_large_crowd_alone() {
    let mut fixture = Fixture::default();
    fixture.motion.crowd_size = 20_000;
    let mut window = settled(&fixture);
    let button = window.part("view");
    assert_eq!(window.click(&fixture, button.center()), []);
    window.settle(&fixture);
    assert!(window.find_text(&fixture, "Crowd").is_some());
}

#[test]
fn the_light_menu_leaves_alone_what_nobody_moves() {
    let mut fixture = Fixture::default();
    fixture.light.exposure_stops = 0.25;
    fixture.light.environment_strength = 9.0;
    fixture.light.environment_turn_radians = 359.7_f32.to_radians();
    let mut window = settled(&fixture);
    for exposure_stops in [0.25, -9.03] {
        fixture.light.exposure_stops = exposure_stops;
        let button = window.part("light").center();
        assert_eq!(window.click(&fixture, button), []);
        assert!(
            window.find_text(&fixture, "Exposure").is_some(),
            "it is open"
        );
        window.settle(&fixture);
        assert_eq!(window.click(&fixture, button), []);
    }
}

/// Shift and Ctrl say what becomes of files that are dropped.
#[test]
fn what_a_drop_does_is_said_before_it_is_done() {
    for (drop_kind, words) in [
        (LoadKind::Model, "Drop to open"),
        (LoadKind::Clips, "Drop to add the clips"),
        (LoadKind::Compared, "Drop to compare"),
    ] {
        let fixture = Fixture {
            drop_kind,
            ..Fixture::default()
        };
        let mut window = settled(&fixture);
        window.file_is_held = true;
        assert!(window.find_text(&fixture, words).is_some(), "{words}");
    }
}
