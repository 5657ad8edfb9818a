//! The list of what is wrong: choosing the culprit, leaving kinds out, copying.

use rigscope::{
    scene::{ReferencePose, ViewMode},
    ui::{
        Command, Culprit, Fact, FactSection, MessageKind, Panel, PictureCommand, SkeletonCommand,
        TimelineCommand,
    },
};

use crate::fixture::{Fixture, Window, settled};

fn window(fixture: &Fixture) -> Window {
    let mut window = Window::new(1280.0, 1600.0);
    window.settle(fixture);
    window
}

fn stop_at(time_secs: f64, node: usize) -> Command {
    Command::Timeline(TimelineCommand::StopAt {
        time_secs,
        node: Some(node),
    })
}

#[test]
fn a_click_chooses_the_culprit() {
    let fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "NODE_LOOP  /nodes/17/children/3"),
        [Command::SelectNode(Some(17))]
    );
    let nobody = window.click_named(&fixture, "UNUSED_OBJECT  /accessors/9");
    assert_eq!(nobody, [], "no node is to blame");
}

/// What is said of the chosen node stands above the list, and grows.
#[test]
fn the_finding_that_was_clicked_stays_under_the_pointer() {
    let mut fixture = Fixture::default().with_diagnostics();
    let mut window = Window::new(1280.0, 640.0);
    window.settle(&fixture);
    let name = "NODE_LOOP  /nodes/17/children/3";
    let before = window.find_named(&fixture, name).expect("in sight");
    // On a slow machine all of a click comes in one frame.
    window.move_to(before.center());
    window.frame(&fixture);
    for pressed in [true, false] {
        window.button(before.center(), egui::PointerButton::Primary, pressed);
    }
    let chosen = [Command::SelectNode(Some(17))];
    assert_eq!(window.frame(&fixture), chosen);
    fixture.selected_node = Some(17);
    let facts = (0..6).map(|fact| Fact::new(format!("fact {fact}"), "so"));
    fixture.details.node = Some(FactSection {
        name: "LeftLeg".to_owned(),
        facts: facts.collect(),
    });
    window.settle(&fixture);
    window.settle(&fixture);
    let after = window.find_named(&fixture, name).expect("in sight");
    assert!((after.top() - before.top()).abs() < 1.0, "{before} {after}");
    // It is held for a moment only: the wheel moves it.
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 60.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: egui::Modifiers::NONE,
    });
    for _ in 0..30 {
        window.frame(&fixture);
    }
    let scrolled = window.find_named(&fixture, name).expect("in sight");
    assert!(scrolled.top() > after.top() + 10.0, "{after} {scrolled}");
}

#[test]
fn a_seam_leads_to_its_clip_its_node_and_the_end() {
    let mut fixture = Fixture::default().with_diagnostics();
    fixture.diagnostics[1].culprit = Some(Culprit {
        node: Some(17),
        clip: Some(2),
        at_secs: Some(1.25),
        ..Culprit::default()
    });
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "NODE_LOOP  /nodes/17/children/3"),
        [Command::SelectClip(Some(2)), stop_at(1.25, 17),]
    );
}

/// What one exporter writes is in all of its clips.
#[test]
fn clicks_go_through_all_clips_that_a_finding_is_about() {
    let mut fixture = Fixture::default().with_diagnostics();
    let of_clip = |clip| Culprit {
        clip: Some(clip),
        ..Culprit::default()
    };
    fixture.diagnostics[1].culprit = Some(of_clip(1));
    fixture.diagnostics[1].others = vec![of_clip(2), of_clip(4)];
    fixture.clip = Some(0);
    let mut window = window(&fixture);
    let mut name = "NODE_LOOP  /nodes/17/children/3".to_owned();
    for (place, clip) in [1, 2, 4, 1].into_iter().enumerate() {
        let chosen = [Command::SelectClip(Some(clip))];
        assert_eq!(window.click_named(&fixture, &name), chosen);
        fixture.clip = Some(clip);
        window.settle(&fixture);
        name = format!("NODE_LOOP  {} of 3", place % 3 + 1);
    }
}

/// What quaternions do in several clips they do at another node and time in each.
#[test]
fn further_clicks_choose_the_node_and_the_moment_of_the_next_clip() {
    let mut fixture = Fixture::default().with_diagnostics();
    let of_clip = |clip, node, secs| Culprit {
        node: Some(node),
        clip: Some(clip),
        at_secs: Some(secs),
        ..Culprit::default()
    };
    fixture.diagnostics[1].culprit = Some(of_clip(1, 17, 0.5));
    fixture.diagnostics[1].others = vec![of_clip(2, 3, 0.25)];
    fixture.clip = Some(1);
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "NODE_LOOP  1 of 2"),
        [Command::SelectClip(Some(2)), stop_at(0.25, 3),]
    );
}

/// The message is what one reads, and so what one clicks.
#[test]
fn all_of_a_finding_is_clicked() {
    let fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    let chosen = [Command::SelectNode(Some(17))];
    for words in ["Node 17 is its own ancestor.", "The link was cut."] {
        assert_eq!(window.click_text(&fixture, words), chosen, "{words}");
        let cursor = window.draw(&fixture).1.platform_output.cursor_icon;
        assert_eq!(cursor, egui::CursorIcon::PointingHand, "{words}");
    }
    let nobody = "The accessor is used by nothing.";
    assert_eq!(window.click_text(&fixture, nobody), []);
    let cursor = window.draw(&fixture).1.platform_output.cursor_icon;
    assert_ne!(cursor, egui::CursorIcon::PointingHand);
    // Two of them are two, by their places too.
    let link = "NODE_LOOP  /nodes/17/children/3";
    let row = window.find_named(&fixture, link).expect("a row");
    let above = window.find_text(&fixture, "A checkerboard stands in its place.");
    assert!(!row.intersects(above.expect("another finding")));
    let told = window.accessible(&fixture, link).expect("a row");
    assert_eq!(told.role(), egui::accesskit::Role::Link);
}

#[test]
fn kinds_are_left_out_and_taken_in() {
    let fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    let warning = "NODE_LOOP  /nodes/17/children/3";
    window.click_named(&fixture, "1 warning");
    assert!(window.find_named(&fixture, warning).is_none());
    assert!(
        window
            .find_named(&fixture, "UNUSED_OBJECT  /accessors/9")
            .is_some()
    );
    window.click_named(&fixture, "1 warning");
    assert!(window.find_named(&fixture, warning).is_some());
}

/// Else what was left out of one file would be missed in the next.
#[test]
fn the_counter_and_another_file_take_kinds_in_again() {
    let mut fixture = Fixture::default().with_diagnostics();
    let mut window = window(&fixture);
    let warning = "NODE_LOOP  /nodes/17/children/3";
    let note = "UNUSED_OBJECT  /accessors/9";
    let are_listed = |window: &mut Window, fixture: &Fixture| {
        window.settle(fixture);
        [warning, note].map(|name| window.find_named(fixture, name).is_some())
    };
    for kind in ["1 warning", "1 note"] {
        window.click_named(&fixture, kind);
    }
    assert_eq!(are_listed(&mut window, &fixture), [false, false]);
    let counter = "1 error, 1 warning in this file: show what is wrong";
    window.click_named(&fixture, counter);
    assert_eq!(are_listed(&mut window, &fixture), [true, false]);
    window.click_named(&fixture, "1 warning");
    // The same file is read again.
    fixture.saves += 1;
    assert_eq!(are_listed(&mut window, &fixture), [false, false]);
    fixture.document += 1;
    assert_eq!(are_listed(&mut window, &fixture), [true, true]);
}

#[test]
fn all_is_copied_as_text() {
    let mut fixture = Fixture::default().with_diagnostics();
    let row = |severity, code: &str, pointer: &str, message: &str, action: &str| {
        rigscope::ui::DiagnosticRow {
            severity,
            code: code.to_owned(),
            pointer: pointer.to_owned(),
            message: message.to_owned(),
            action: action.to_owned(),
            culprit: None,
            others: Vec::new(),
        }
    };
    fixture.diagnostics.extend([
        row(
            MessageKind::Error,
            "VALUE_NOT_IN_RANGE",
            "/accessors/3/count",
            "Its count is 0.",
            "Its data is lost.",
        ),
        row(MessageKind::Info, "NO_NODES", "", "There is no node.", ""),
    ]);
    let mut window = window(&fixture);
    let button = window.find_named(&fixture, "Copy all findings as text");
    let place = button.expect("a button").center();
    window.move_to(place);
    window.frame(&fixture);
    let mut copied = String::new();
    for pressed in [true, false] {
        window.button(place, egui::PointerButton::Primary, pressed);
        for command in window.draw(&fixture).1.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                copied = text;
            }
        }
    }
    assert_eq!(copied.lines().count(), 5, "{copied}");
    for line in [
        "warning NODE_LOOP /nodes/17/children/3: Node 17 is its own ancestor. The link was cut.",
        "error VALUE_NOT_IN_RANGE /accessors/3/count: A list of numbers is described wrongly in the file. \
         Its count is 0. Its data is lost.",
        "note NO_NODES: There is no node.",
    ] {
        assert!(copied.lines().any(|it| it == line), "{line}\n{copied}");
    }
    window.frame(&fixture);
    assert!(window.find_text(&fixture, "Copied").is_some());
}

#[test]
fn ten_thousand_findings_cost_what_is_seen_of_them() {
    let mut fixture = Fixture::default().with_diagnostics();
    let some = fixture.diagnostics.clone();
    fixture.diagnostics = (0..10_000)
        .map(|place| {
            let mut row = some[place % some.len()].clone();
            row.pointer = format!("/nodes/{place}");
            row
        })
        .collect();
    // At first the worst of them, so that what is below can be found.
    let mut window = Window::new(1280.0, 2000.0);
    window.settle(&fixture);
    let is_listed = |window: &mut Window, place: usize| {
        let codes = ["IMAGE_UNREADABLE", "NODE_LOOP", "UNUSED_OBJECT"];
        let name = format!("{}  /nodes/{place}", codes[place % 3]);
        window.find_named(&fixture, &name).is_some()
    };
    assert!(is_listed(&mut window, 7) && !is_listed(&mut window, 8));
    assert!(window.find_named(&fixture, "Skins: 1").is_some());
    let all = "Show all 10\u{2009}000";
    window.click_named(&fixture, all);
    window.settle(&fixture);
    assert!(is_listed(&mut window, 8));
    window.size.y = 800.0;
    window.settle(&fixture);
    let shapes = window.shape_count(&fixture);
    assert!(shapes < 1500, "{shapes}");
    let first = "IMAGE_UNREADABLE  /nodes/0";
    assert!(window.find_named(&fixture, first).is_some());
    // The last one can be reached: here, by an endless turn of the wheel.
    let inspector = egui::pos2(1200.0, 500.0);
    window.move_to(inspector);
    for _ in 0..6 {
        window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -1e7),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        for _ in 0..40 {
            window.frame(&fixture);
        }
    }
    assert!(window.find_named(&fixture, first).is_none());
    window.settle(&fixture);
    let statistics = window.find_named(&fixture, "Skins: 1");
    assert!(statistics.is_some(), "what is below the list");
}

/// In a low window the list is out of sight, and without the panel there is none: the badge says so, and leads there.
#[test]
fn the_badge_beside_the_name_leads_to_the_list() {
    const BADGE: &str = "1 error, 1 warning in this file: show what is wrong";
    let is_seen = |window: &mut Window, fixture: &Fixture| {
        let panel = window.layout.as_ref().unwrap().viewport;
        let panel = panel.with_min_x(panel.right()).with_max_x(window.size.x);
        let texts = window.texts_in(fixture, panel);
        texts.iter().any(|(text, _)| text.contains("skin_diffuse"))
    };
    // The figures of a node stand above the list.
    let mut fixture = Fixture {
        selected_node: Some(4),
        ..Fixture::default().with_diagnostics()
    };
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    assert!(!is_seen(&mut window, &fixture));
    assert_eq!(window.click_named(&fixture, BADGE), []);
    window.settle(&fixture);
    assert!(is_seen(&mut window, &fixture));
    fixture.shown.inspector_panel = false;
    window.settle(&fixture);
    let asked = window.click_named(&fixture, BADGE);
    assert_eq!(asked, [Command::TogglePanel(Panel::Inspector)]);
    fixture.shown.inspector_panel = true;
    window.settle(&fixture);
    assert!(is_seen(&mut window, &fixture));
    // What is odd in motion is told apart from what the file states.
    let pop = rigscope::ui::DiagnosticRow {
        severity: MessageKind::Warning,
        code: "MOTION_POP".to_owned(),
        ..fixture.diagnostics[0].clone()
    };
    let mut odd = Fixture {
        diagnostics: vec![pop.clone(), pop],
        ..Fixture::default()
    };
    let odd_alone = "2 in the motion of its clips: show what is wrong";
    assert!(window.find_named(&odd, odd_alone).is_some());
    odd.diagnostics.extend(fixture.diagnostics.clone());
    let both = "1 error, 1 warning in this file, 2 in the motion of its clips: show what is wrong";
    assert!(window.find_named(&odd, both).is_some());
    // Notes alone are nothing to be led to.
    fixture
        .diagnostics
        .retain(|row| row.code == "UNUSED_OBJECT");
    window.settle(&fixture);
    let texts = window.find_text(&fixture, "Fox.glb");
    assert!(texts.is_some());
    assert!(window.find_named(&fixture, BADGE).is_none());
}

/// Whoever has looked at the findings and goes on with a node sees what is said of that.
#[test]
fn what_is_chosen_comes_into_sight_again() {
    let mut fixture = Fixture {
        selected_node: Some(4),
        ..Fixture::default().with_diagnostics()
    };
    let mut window = Window::new(800.0, 500.0);
    window.settle(&fixture);
    let place = |window: &mut Window, fixture: &Fixture| {
        let viewport = window.layout.as_ref().unwrap().viewport;
        let panel = viewport
            .with_min_x(viewport.right())
            .with_max_x(window.size.x);
        let mut texts = window.texts_in(fixture, panel).into_iter();
        texts.find_map(|(words, rect)| (words == "Node").then_some(rect.top()))
    };
    let before = place(&mut window, &fixture).expect("at the top");
    window.click_named(
        &fixture,
        "1 error, 1 warning in this file: show what is wrong",
    );
    window.settle(&fixture);
    assert_eq!(place(&mut window, &fixture), None);
    fixture.selected_node = Some(8);
    window.settle(&fixture);
    let after = place(&mut window, &fixture).expect("in sight");
    assert!((after - before).abs() < 20.0, "{before} {after}");
    // Where most of it is seen the panel stays as it is.
    window.move_to(egui::pos2(window.size.x - 60.0, 200.0));
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -30.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: egui::Modifiers::NONE,
    });
    for _ in 0..30 {
        window.frame(&fixture);
    }
    let scrolled = place(&mut window, &fixture);
    fixture.selected_node = Some(9);
    window.settle(&fixture);
    assert_eq!(place(&mut window, &fixture), scrolled);
}

/// Of a clip whose keys were lost it is not said that it never had any.
#[test]
fn a_clip_that_lost_its_keys_says_so() {
    let row = |severity, pointer: &str| rigscope::ui::DiagnosticRow {
        severity,
        code: "ACCESSOR_TOO_LONG".to_owned(),
        pointer: pointer.to_owned(),
        message: "its data end too early".to_owned(),
        action: String::new(),
        culprit: None,
        others: Vec::new(),
    };
    let (lost, none) = (
        "The keys of this clip could not be read: see Diagnostics",
        "This clip has no keys",
    );
    for (severity, pointer, words) in [
        (MessageKind::Error, "/animations/1/channels/0", lost),
        (MessageKind::Error, "/animations/1", lost),
        (MessageKind::Error, "/animations/12/channels/0", none),
        (MessageKind::Error, "/meshes/1", none),
        (MessageKind::Info, "/animations/1", none),
    ] {
        let mut fixture = Fixture::default();
        fixture.clips[1].key_count = 0;
        fixture.playback.duration_secs = 0.0;
        fixture.diagnostics = vec![row(severity, pointer)];
        let mut window = settled(&fixture);
        assert!(window.find_text(&fixture, words).is_some(), "{pointer}");
    }
}

#[test]
fn stray_weights_are_shown_in_their_colors() {
    let mut fixture = Fixture::default().with_diagnostics();
    fixture.diagnostics[1].culprit = Some(Culprit {
        node: Some(17),
        is_in_weights: true,
        ..Culprit::default()
    });
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "NODE_LOOP  /nodes/17/children/3"),
        [
            Command::SelectNode(Some(17)),
            Command::Picture(PictureCommand::SetViewMode(ViewMode::Weights)),
            // Where no clip has torn them away.
            Command::Skeleton(SkeletonCommand::Hold(Some(ReferencePose::Bind))),
        ]
    );
}

#[test]
fn a_pop_leads_to_its_moment() {
    let mut fixture = Fixture::default().with_diagnostics();
    fixture.diagnostics[1].culprit = Some(Culprit {
        node: Some(17),
        clip: Some(2),
        at_secs: Some(0.5),
        ..Culprit::default()
    });
    let mut window = window(&fixture);
    assert_eq!(
        window.click_named(&fixture, "NODE_LOOP  /nodes/17/children/3"),
        [Command::SelectClip(Some(2)), stop_at(0.5, 17),]
    );
}

/// A blank that a line begins with would look like an indent.
#[test]
fn a_pointer_that_does_not_fit_beside_its_code_begins_a_line() {
    let mut fixture = Fixture::default().with_diagnostics();
    let pointer = "/nodes/36/extensions/EXT_mesh_gpu_instancing/attributes";
    pointer.clone_into(&mut fixture.diagnostics[0].pointer);
    let mut window = window(&fixture);
    for words in [
        &format!("IMAGE_UNREADABLE\n{pointer}"),
        "UNUSED_OBJECT  /accessors/9",
    ] {
        assert!(window.find_text(&fixture, words).is_some(), "{words}");
    }
}
