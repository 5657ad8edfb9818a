//! The interface without a window: clicks and keys go in, commands come out.

#[path = "ui/fixture.rs"]
mod fixture;
#[path = "ui/pictures.rs"]
mod pictures;

use egui::{Key, Modifiers, PointerButton, pos2, vec2};
use fixture::{Fixture, Window};
use rigscope::anim::LoopMode;
use rigscope::ui::{Command, NodeKind, NodeRow, Panel};

fn settled(fixture: &Fixture) -> Window {
    let mut window = Window::new(1280.0, 800.0);
    window.settle(fixture);
    window
}

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
fn the_timeline_seeks_where_it_is_dragged() {
    let mut fixture = Fixture::default();
    fixture.playback.is_playing = true;
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    let seek = |commands: Vec<Command>| match commands.as_slice() {
        [Command::Seek(time_secs)] => *time_secs,
        other => panic!("{other:?}"),
    };
    // A press is enough, and a pointer that is held still goes on asking: time runs on under it.
    window.move_to(timeline.lerp_inside([0.25, 0.8]));
    window.frame(&fixture);
    window.button(
        timeline.lerp_inside([0.25, 0.8]),
        PointerButton::Primary,
        true,
    );
    for _ in 0..3 {
        let time_secs = seek(window.frame(&fixture));
        assert!((time_secs - 0.5).abs() < 0.01, "{time_secs}");
    }
    window.move_to(timeline.lerp_inside([0.75, 0.2]));
    let time_secs = seek(window.frame(&fixture));
    assert!((time_secs - 1.5).abs() < 0.01, "{time_secs}");
    // Beyond the ends, and far above: still the same drag.
    window.move_to(pos2(timeline.right() + 300.0, 100.0));
    assert_eq!(seek(window.frame(&fixture)), 2.0);
    window.move_to(pos2(-50.0, 100.0));
    assert_eq!(seek(window.frame(&fixture)), 0.0);
    window.button(pos2(0.0, 100.0), PointerButton::Primary, false);
    window.frame(&fixture);
    assert_eq!(window.frame(&fixture), []);
}

#[test]
fn the_timeline_is_dead_without_a_clip() {
    let fixture = Fixture::default().without_clip();
    let mut window = settled(&fixture);
    let timeline = window.part("timeline");
    assert_eq!(window.click(&fixture, timeline.center()), []);
    assert_eq!(window.click(&fixture, window.part("play").center()), []);
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
        [Command::TogglePlay]
    );
    let skeleton = window.part("skeleton").center();
    assert_eq!(window.click(&fixture, skeleton), [Command::ToggleSkeleton]);
    assert_eq!(window.click_text(&fixture, "Open…"), [Command::OpenDialog]);
    assert_eq!(
        window.click_text(&fixture, "0.5×"),
        [Command::SetSpeed(0.5)]
    );
    window.click_text(&fixture, "Examples");
    assert_eq!(
        window.click_text(&fixture, "Windmill"),
        [Command::OpenBuiltIn("Windmill")]
    );
}

#[test]
fn keys_are_commands() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    for (key, command) in [
        (Key::Space, Command::TogglePlay),
        (Key::ArrowLeft, Command::StepFrames(-1)),
        (Key::ArrowRight, Command::StepFrames(1)),
        (Key::Home, Command::SeekStart),
        (Key::End, Command::SeekEnd),
        (Key::Num1, Command::SelectClip(Some(0))),
        (Key::Num4, Command::SelectClip(Some(3))),
        (Key::Num0, Command::SelectClip(None)),
        (Key::CloseBracket, Command::SelectClip(Some(2))),
        (Key::PageUp, Command::SelectClip(Some(0))),
        (Key::Minus, Command::SetSpeed(0.5)),
        (Key::Equals, Command::SetSpeed(2.0)),
        (Key::R, Command::SetSpeed(-1.0)),
        (Key::L, Command::SetLoopMode(LoopMode::PingPong)),
        (Key::B, Command::ToggleSkeleton),
        (Key::G, Command::ToggleGrid),
        (Key::F, Command::FrameModel),
        (Key::N, Command::TogglePanel(Panel::Scene)),
        (Key::I, Command::TogglePanel(Panel::Inspector)),
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
        [Command::StepFrames(10)]
    );
    assert_eq!(
        window.key(&fixture, Key::Questionmark),
        [Command::TogglePanel(Panel::Keys)]
    );
    assert_eq!(window.key(&fixture, Key::B), []);

    window.modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    assert_eq!(window.key(&fixture, Key::O), [Command::OpenDialog]);
    assert_eq!(window.key(&fixture, Key::Q), [Command::Quit]);
    assert_eq!(window.key(&fixture, Key::Plus), [Command::ScaleUi(1)]);
    assert_eq!(window.key(&fixture, Key::Minus), [Command::ScaleUi(-1)]);
    assert_eq!(window.key(&fixture, Key::Num0), [Command::ScaleUi(0)]);
    assert_eq!(window.key(&fixture, Key::B), []);
    window.event(egui::Event::Paste("/home/me/Fox.glb".to_owned()));
    assert_eq!(window.frame(&fixture), [Command::PastePath]);
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
    assert_eq!(window.key(&fixture, Key::Space), [Command::TogglePlay]);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
}

#[test]
fn a_press_anywhere_ends_typing() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    window.click_text(&fixture, "Search nodes");
    window.click(&fixture, window.part("viewport").center());
    assert_eq!(window.key(&fixture, Key::Space), [Command::TogglePlay]);
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
        assert!(!commands.contains(&Command::TogglePlay));
        asked.extend(commands);
    }
    assert!(asked.contains(&Command::ToggleSkeleton), "{asked:?}");
    assert!(asked.contains(&Command::OpenDialog), "{asked:?}");
    // Escape gives the focus up, and only that.
    assert_eq!(window.key(&fixture, Key::Escape), []);
    window.frame(&fixture);
    assert_eq!(window.key(&fixture, Key::Space), [Command::TogglePlay]);
}

#[test]
fn escape_cancels_loading_when_nothing_is_in_front() {
    let mut fixture = Fixture {
        loading: Some(0.3),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CancelLoading]);
    assert_eq!(
        window.click_text(&fixture, "Cancel"),
        [Command::CancelLoading]
    );
    fixture = fixture.with_message();
    window.settle(&fixture);
    assert_eq!(window.key(&fixture, Key::Escape), [Command::CloseFront]);
}

#[test]
fn a_message_is_read_and_put_away() {
    let fixture = Fixture::default().with_message();
    let mut window = settled(&fixture);
    let (message, viewport) = (window.part("message"), window.part("viewport"));
    assert!(
        viewport.contains_rect(message),
        "{message:?} in {viewport:?}"
    );
    assert!(
        window
            .find_text(&fixture, "broken.glb cannot be shown")
            .is_some()
    );
    let close = message.right_top() + vec2(-20.0, 20.0);
    assert_eq!(window.click(&fixture, close), [Command::DismissMessage]);
    // What is in front keeps the pointer from the camera.
    window.move_to(message.center());
    window.frame(&fixture);
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    assert_eq!(window.frame(&fixture), []);
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

fn wheel(window: &mut Window, unit: egui::MouseWheelUnit, delta: egui::Vec2) {
    let modifiers = window.modifiers;
    window.event(egui::Event::MouseWheel {
        unit,
        delta,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers,
    });
}

#[test]
fn the_wheel_zooms_toward_the_pointer() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    window.move_to(viewport.lerp_inside([0.75, 0.25]));
    window.frame(&fixture);
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    let commands = window.frame(&fixture);
    let [Command::Zoom { notches, toward }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    assert_eq!(*notches, 2.0);
    assert!(
        (toward[0] - 0.5).abs() < 1e-3 && (toward[1] - 0.5).abs() < 1e-3,
        "{toward:?}"
    );
    // A touchpad's points add up to the same, and nothing comes after it has stopped.
    wheel(&mut window, egui::MouseWheelUnit::Point, vec2(0.0, 20.0));
    assert!(matches!(
        window.frame(&fixture)[..],
        [Command::Zoom { notches: 0.5, .. }]
    ));
    assert_eq!(window.frame(&fixture), []);
    window.event(egui::Event::Zoom(1.21));
    let commands = window.frame(&fixture);
    assert!(
        matches!(commands[..], [Command::Zoom { notches, .. }] if (notches - 2.0).abs() < 1e-3),
        "{commands:?}"
    );
    // Elsewhere the wheel scrolls lists, or does nothing.
    window.move_to(window.part("timeline").center());
    window.frame(&fixture);
    wheel(&mut window, egui::MouseWheelUnit::Line, vec2(0.0, 1.0));
    assert_eq!(window.frame(&fixture), []);
}

#[test]
fn dragging_the_picture_moves_the_camera() {
    let fixture = Fixture::default();
    for (button, modifiers, is_orbit) in [
        (PointerButton::Primary, Modifiers::NONE, true),
        (PointerButton::Primary, Modifiers::SHIFT, false),
        (PointerButton::Secondary, Modifiers::NONE, false),
        (PointerButton::Middle, Modifiers::NONE, false),
    ] {
        let mut window = settled(&fixture);
        window.modifiers = modifiers;
        window.event(egui::Event::ModifiersChanged(modifiers));
        let viewport = window.part("viewport");
        let start = viewport.center();
        window.move_to(start);
        window.frame(&fixture);
        window.button(start, button, true);
        let mut commands = window.frame(&fixture);
        for step in 1..=10 {
            window.move_to(start + vec2(10.0, 5.0) * step as f32);
            commands.extend(window.frame(&fixture));
        }
        window.button(start + vec2(100.0, 50.0), button, false);
        commands.extend(window.frame(&fixture));
        let mut sum = vec2(0.0, 0.0);
        for command in commands {
            match command {
                Command::Orbit { right, down } if is_orbit => sum += vec2(right, down),
                Command::Pan { right, down } if !is_orbit => sum += vec2(right, down),
                other => panic!("{other:?}"),
            }
        }
        let expected = vec2(100.0, 50.0) / viewport.height();
        assert!(
            (sum - expected).length() < 0.03,
            "{sum:?} instead of {expected:?}"
        );
    }
}

#[test]
fn a_double_click_fills_the_view() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let center = window.part("viewport").center();
    let mut commands = window.click(&fixture, center);
    commands.extend(window.click(&fixture, center));
    assert_eq!(commands, [Command::FrameModel]);
}

#[test]
fn the_picture_always_has_room() {
    let fixture = Fixture::default().with_diagnostics().with_message();
    for width in (1..2600).step_by(97) {
        for height in [1.0, 30.0, 199.0, 300.0, 480.0, 1400.0] {
            let mut window = Window::new(width as f32, height);
            for _ in 0..2 {
                window.frame(&fixture);
            }
            let viewport = window.part("viewport");
            assert!(
                viewport.width() >= (width as f32).min(240.0),
                "{width} × {height}: {viewport:?}"
            );
            assert!(
                viewport.height() >= height.min(60.0),
                "{width} × {height}: {viewport:?}"
            );
        }
    }
}

#[test]
fn tiny_windows_do_not_panic() {
    let mut keys = Fixture::default();
    keys.shown.keys = true;
    keys.loading = Some(f32::NAN);
    for fixture in [
        Fixture::default().with_message(),
        keys,
        Fixture::default().without_clip(),
    ] {
        for size in [[1.0, 1.0], [40.0, 30.0], [141.0, 221.0], [300.0, 230.0]] {
            let mut window = Window::new(size[0], size[1]);
            for scale in [1.0, 2.5] {
                window.ctx.set_pixels_per_point(scale);
                for _ in 0..3 {
                    window.frame(&fixture);
                }
                window.click(&fixture, pos2(size[0] / 2.0, size[1] / 2.0));
            }
        }
    }
}

#[test]
fn strange_numbers_do_not_panic() {
    for strange in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-9, 1e12] {
        let mut fixture = Fixture::default();
        fixture.playback.duration_secs = strange;
        fixture.playback.time_secs = strange;
        fixture.key_times_secs = vec![f32::NAN, 0.0, f32::INFINITY];
        fixture.selected_node = Some(usize::MAX);
        fixture.clip = Some(usize::MAX);
        let mut window = Window::new(1280.0, 800.0);
        for _ in 0..3 {
            window.frame(&fixture);
        }
        window.click(&fixture, window.part("timeline").center());
        fixture.playback.duration_secs = 2.0;
        fixture.playback.speed = strange;
        fixture.playback.frames_per_sec = strange;
        window.frame(&fixture);
        window.key(&fixture, Key::Minus);
    }
}

#[test]
fn hostile_names_stay_in_their_rows() {
    let hostile = [
        "x".repeat(2_000_000),
        "\u{202e}\u{2066}".repeat(500_000),
        format!("a\n{}\u{0}\u{7}\r\n\t", "\n".repeat(3000)),
        format!("Z{}", "\u{310}\u{489}".repeat(20_000)),
        "𒈙".repeat(4000),
        String::new(),
    ];
    let mut fixture = Fixture::default().with_diagnostics().with_message();
    for (place, name) in hostile.iter().enumerate() {
        fixture.nodes[place].name.clone_from(name);
        let clip = fixture.clips[0].clone();
        fixture.clips.push(clip);
        fixture.clips[place].name.clone_from(name);
        fixture.diagnostics[0].message.clone_from(name);
        fixture.diagnostics[0].pointer.clone_from(name);
        fixture.model_name.clone_from(name);
        let message = fixture.message.as_mut().expect("it has one");
        message.title.clone_from(name);
        message.detail.clone_from(name);
    }
    fixture.scenes = hostile.to_vec();
    fixture.selected_node = Some(0);
    let mut window = settled(&fixture);
    let viewport = window.part("viewport");
    assert!(viewport.width() > 600.0, "{viewport:?}");
    let start = std::time::Instant::now();
    let frames = 20;
    for frame in 0..frames {
        // Over the lists, for their tooltips.
        window.move_to(pos2(100.0, 60.0 + 25.0 * frame as f32));
        window.frame(&fixture);
    }
    let millis = start.elapsed().as_secs_f32() * 1000.0 / frames as f32;
    println!("{millis:.1} ms a frame with hostile names");
    assert!(millis < 100.0, "{millis} ms a frame");
}

#[test]
fn a_hundred_thousand_nodes_are_smooth() {
    let mut fixture = Fixture::default();
    let count = 100_000;
    fixture.nodes = (0..count)
        .map(|index| NodeRow {
            name: format!("node {index}"),
            file_index: index,
            depth: index % 10,
            descendants: 9 - index % 10,
            kind: NodeKind::Joint,
            is_animated: index % 3 == 0,
            in_scene: true,
        })
        .collect();
    let mut window = settled(&fixture);
    let frame_millis = |window: &mut Window, fixture: &Fixture| {
        let start = std::time::Instant::now();
        let frames = 10;
        for _ in 0..frames {
            window.frame(fixture);
        }
        start.elapsed().as_secs_f32() * 1000.0 / frames as f32
    };
    let unfolded = frame_millis(&mut window, &fixture);
    window.click_text(&fixture, "Search nodes");
    window.event(egui::Event::Text("99".to_owned()));
    let searching = frame_millis(&mut window, &fixture);
    fixture.selected_node = Some(99_999);
    let chosen = frame_millis(&mut window, &fixture);
    println!(
        "{count} nodes: {unfolded:.2} ms a frame, {searching:.2} ms searching, {chosen:.2} ms with a choice"
    );
    assert!(
        window.find_text(&fixture, "node 99999").is_some(),
        "what is chosen is in sight"
    );
    for millis in [unfolded, searching, chosen] {
        assert!(millis < 50.0, "{millis} ms a frame");
    }
}

#[test]
fn an_idle_interface_does_not_ask_to_be_drawn() {
    let fixture = Fixture {
        can_drop: false,
        ..Fixture::default()
    };
    let mut window = Window::new(1280.0, 800.0);
    for _ in 0..30 {
        window.frame(&fixture);
    }
    let (_, output) = window.draw(&fixture);
    let delay = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert!(delay > std::time::Duration::from_secs(3600), "{delay:?}");
}

#[test]
fn the_hint_about_dropping_goes_by_itself() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let hint = "Drop a .glb or .gltf file here";
    assert!(window.find_text(&fixture, hint).is_some());
    window.time_secs += 7.0;
    assert!(window.find_text(&fixture, hint).is_none());
    window.settle(&fixture);
    assert!(window.find_text(&fixture, hint).is_none());
}

#[test]
fn everything_that_can_be_pressed_has_a_name() {
    use egui::accesskit::{Action, Role};
    let mut fixture = Fixture::default().with_message().with_diagnostics();
    fixture.loading = Some(0.5);
    fixture.scenes = vec!["Indoors".to_owned(), "Outdoors".to_owned()];
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
