//! The gizmo under the pointer, and the menu of poses by hand.

use egui::{PointerButton, Rect, pos2};
use rigscope::ui::{
    CameraCommand, Command, DragCommand, GizmoView, HistoryCommand, PoseTool, PosingCommand,
    PosingView,
};

use crate::fixture::{Fixture, Window, settled};
use crate::front::rest;

/// A gizmo in the middle of the picture that is seen along z: x to the right, y up, half a tenth of the picture high.
fn fixture(tool: PoseTool, viewport: Rect) -> Fixture {
    let height = 0.25;
    let width = height * viewport.height() / viewport.width();
    Fixture {
        selected_node: Some(3),
        posing: PosingView {
            tool,
            gizmo: Some(GizmoView {
                clip_from_gizmo: [
                    [width, 0.0, 0.0, 0.0],
                    [0.0, height, 0.0, 0.0],
                    [0.0, 0.0, 0.01, 0.0],
                    [0.0, 0.0, 0.5, 1.0],
                ],
            }),
            ..PosingView::default()
        },
        ..Fixture::default()
    }
}

fn window(tool: PoseTool) -> (Fixture, Window, Rect) {
    let viewport = settled(&Fixture::default()).part("viewport");
    let fixture = fixture(tool, viewport);
    let window = settled(&fixture);
    (fixture, window, viewport)
}

/// Presses, moves, lets go: all commands but those of the pointer's mere presence.
fn drag(window: &mut Window, fixture: &Fixture, from: egui::Pos2, by: egui::Vec2) -> Vec<Command> {
    let mut commands = Vec::new();
    window.move_to(from);
    commands.extend(window.frame(fixture));
    window.button(from, PointerButton::Primary, true);
    commands.extend(window.frame(fixture));
    window.move_to(from + by);
    commands.extend(window.frame(fixture));
    window.button(from + by, PointerButton::Primary, false);
    commands.extend(window.frame(fixture));
    commands.extend(window.frame(fixture));
    commands.retain(|command| !matches!(command, Command::Skeleton(_)));
    commands
}

#[test]
fn an_arrow_is_dragged_along_itself() {
    let (fixture, mut window, viewport) = window(PoseTool::Move);
    let radius = 0.125 * viewport.height();
    let on_arrow = viewport.center() + egui::vec2(0.8 * radius, 0.0);
    let commands = drag(
        &mut window,
        &fixture,
        on_arrow,
        egui::vec2(0.5 * radius, 30.0),
    );
    let [
        Command::Posing(PosingCommand::BeginDrag),
        Command::Posing(PosingCommand::Drag(DragCommand::Move(0, amount))),
        Command::Posing(PosingCommand::EndDrag),
    ] = commands[..]
    else {
        panic!("{commands:?}");
    };
    assert!((amount - 0.5).abs() < 0.01, "{amount}");
}

#[test]
fn a_ring_turns_the_way_it_is_dragged() {
    let (fixture, mut window, viewport) = window(PoseTool::Turn);
    let radius = 0.125 * viewport.height();
    // The ring about z faces the eye; 45 degrees above x it runs up to the left, counter-clockwise.
    let slant = radius * std::f32::consts::FRAC_1_SQRT_2;
    let on_ring = viewport.center() + egui::vec2(slant, -slant);
    let along = egui::vec2(-1.0, -1.0).normalized() * (0.3 * radius);
    let commands = drag(&mut window, &fixture, on_ring, along);
    assert_eq!(commands.len(), 3, "{commands:?}");
    let Command::Posing(PosingCommand::Drag(DragCommand::Turn(2, angle))) = commands[1] else {
        panic!("{commands:?}");
    };
    assert!((angle - 0.3).abs() < 0.01, "{angle}");
}

#[test]
fn beside_the_gizmo_the_camera_turns() {
    let (fixture, mut window, viewport) = window(PoseTool::Turn);
    let beside = pos2(viewport.left() + 30.0, viewport.top() + 60.0);
    let commands = drag(&mut window, &fixture, beside, egui::vec2(40.0, 0.0));
    assert!(
        matches!(
            commands[..],
            [Command::Camera(CameraCommand::Orbit { .. }), ..]
        ),
        "{commands:?}"
    );
    assert!(
        commands
            .iter()
            .all(|command| !matches!(command, Command::Posing(_)))
    );
}

#[test]
fn keys_change_tools_and_take_back() {
    let (mut fixture, mut window, _) = window(PoseTool::Off);
    let ask = |window: &mut Window, fixture: &Fixture, key, modifiers| {
        for pressed in [true, false] {
            window.event(egui::Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            });
        }
        window.frame(fixture)
    };
    let tool = |tool| vec![Command::Posing(PosingCommand::SetTool(tool))];
    let shift = egui::Modifiers::SHIFT;
    assert_eq!(
        ask(&mut window, &fixture, egui::Key::Q, shift),
        tool(PoseTool::Turn)
    );
    fixture.posing.tool = PoseTool::Reach;
    assert_eq!(
        ask(&mut window, &fixture, egui::Key::Q, shift),
        tool(PoseTool::Off)
    );
    let mut both = |fixture: &Fixture| {
        let command = egui::Modifiers::COMMAND;
        [egui::Key::Z, egui::Key::Y].map(|key| ask(&mut window, fixture, key, command))
    };
    assert_eq!(both(&fixture), [[], []], "nothing is changed");
    fixture.history.undo = Some("hide Hat");
    fixture.history.redo = Some("turn Head");
    let asked = [HistoryCommand::Undo, HistoryCommand::Redo].map(|it| vec![Command::History(it)]);
    assert_eq!(both(&fixture), asked);
}

/// A drag is over when the button is let go, and what a key does when the key is.
#[test]
fn what_is_let_go_ends_a_step_that_goes_on() {
    let mut fixture = Fixture::default();
    let mut window = settled(&fixture);
    let end = [Command::History(HistoryCommand::EndStep)];
    let middle = window.part("viewport").center();
    let mut let_go = |fixture: &Fixture| {
        window.move_to(middle);
        window.frame(fixture);
        window.button(middle, PointerButton::Middle, true);
        let held = window.frame(fixture);
        assert_eq!(held, [], "it is held");
        window.button(middle, PointerButton::Middle, false);
        let pointer = window.frame(fixture);
        // A key that no command belongs to.
        let keys = window.key(fixture, egui::Key::F30);
        [pointer, keys]
    };
    assert_eq!(let_go(&fixture), [[], []], "nothing goes on");
    fixture.history.goes_on = true;
    assert_eq!(let_go(&fixture), [end.to_vec(), end.to_vec()]);
}

#[test]
fn keys_and_buttons_move_handles() {
    let (mut fixture, mut window, _) = window(PoseTool::Off);
    let ask = |command| [Command::Posing(command)];
    assert_eq!(window.key(&fixture, egui::Key::F4), [], "which tool?");
    fixture.posing.tool = PoseTool::Reach;
    let next = ask(PosingCommand::NextHandle);
    assert_eq!(window.key(&fixture, egui::Key::F2), next);
    let forward = ask(PosingCommand::Nudge(1));
    assert_eq!(window.key(&fixture, egui::Key::F4), forward);
    window.modifiers = egui::Modifiers::SHIFT;
    let back = ask(PosingCommand::Nudge(-1));
    assert_eq!(window.key(&fixture, egui::Key::F4), back);
    window.modifiers = egui::Modifiers::NONE;
    window.settle(&fixture);
    window.click_named(&fixture, "Pose: Reach");
    window.settle(&fixture);
    fixture.posing.handle = Some(2);
    window.settle(&fixture);
    for (name, expected) in [
        ("Handle that keys act on: Middle", &next),
        ("Swivel the limb by −5°", &back),
        ("Swivel the limb by 5°", &forward),
    ] {
        assert_eq!(window.click_named(&fixture, name), *expected, "{name}");
    }
}

#[test]
fn the_diamond_is_dragged_as_a_pole() {
    let (mut fixture, _, viewport) = window(PoseTool::Reach);
    fixture.posing.pole = Some([0.5, -0.25]);
    let mut window = settled(&fixture);
    let handle = viewport.center() + egui::vec2(0.25 * viewport.width(), 0.125 * viewport.height());
    let by = egui::vec2(-0.25 * viewport.width(), 0.0);
    let commands = drag(&mut window, &fixture, handle, by);
    let [
        Command::Posing(PosingCommand::BeginDrag),
        Command::Posing(PosingCommand::Drag(DragCommand::Pole(at))),
        Command::Posing(PosingCommand::EndDrag),
    ] = commands[..]
    else {
        panic!("{commands:?}");
    };
    assert!(at[0].abs() < 1e-3 && (at[1] + 0.25).abs() < 1e-3, "{at:?}");
    // The joint itself is another handle.
    let commands = drag(
        &mut window,
        &fixture,
        viewport.center(),
        egui::vec2(20.0, 0.0),
    );
    assert!(
        matches!(
            commands[1],
            Command::Posing(PosingCommand::Drag(DragCommand::Reach(_)))
        ),
        "{commands:?}"
    );
}

#[test]
fn tools_axes_and_the_mirror_have_names() {
    for (width, height) in [(1280.0, 720.0), (800.0, 500.0)] {
        let mut fixture = Fixture {
            selected_node: Some(3),
            ..Fixture::default()
        };
        fixture.history.undo = Some("hide Hat");
        let mut window = Window::new(width, height);
        window.settle(&fixture);
        window.click_named(&fixture, "Pose");
        window.settle(&fixture);
        let mut click = |name: &str| {
            let mut asked = window.click_named(&fixture, name);
            assert_eq!(asked.len(), 1, "{name}: {asked:?}");
            asked.remove(0)
        };
        for tool in PoseTool::ALL.into_iter().skip(1) {
            let asked = click(&format!("Tool: {}", tool.label()));
            assert_eq!(asked, Command::Posing(PosingCommand::SetTool(tool)));
        }
        for space in rigscope::anim::PosingSpace::ALL {
            let asked = click(&format!("Axes: {}", space.label()));
            assert_eq!(asked, Command::Posing(PosingCommand::SetSpace(space)));
        }
        let mirrored = click("Swap left and right");
        assert_eq!(mirrored, Command::Posing(PosingCommand::Mirror));
        assert_eq!(click("Undo"), Command::History(HistoryCommand::Undo));
    }
}

#[test]
fn the_mirror_says_why_it_cannot_be_used() {
    let why = "The model has no two sides";
    let fixture = Fixture {
        posing: PosingView {
            why_no_mirror: Some(why),
            ..PosingView::default()
        },
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.click_named(&fixture, "Pose");
    window.settle(&fixture);
    let button = window.find_named(&fixture, "Swap left and right").unwrap();
    rest(&mut window, &fixture, button.center());
    assert!(window.find_text(&fixture, why).is_some());
    assert_eq!(window.click(&fixture, button.center()), []);
}

#[test]
fn a_tool_without_a_joint_says_what_it_waits_for() {
    let mut fixture = Fixture {
        posing: PosingView {
            tool: PoseTool::Turn,
            lacks_joint: true,
            ..PosingView::default()
        },
        ..Fixture::default()
    };
    for (has_skeleton, words) in [
        (
            true,
            "Turn: select a joint   ·   Shift+Q: next tool   ·   Esc: no tool",
        ),
        (
            false,
            "Turn: select a node   ·   Shift+Q: next tool   ·   Esc: no tool",
        ),
    ] {
        fixture.shown.has_skeleton = has_skeleton;
        for width in [1280.0, 800.0] {
            let mut window = Window::new(width, 500.0);
            window.settle(&fixture);
            // The hint of the start goes first.
            window.time_secs += 7.0;
            window.settle(&fixture);
            let place = window.find_text(&fixture, words).expect(words);
            assert!(window.part("viewport").contains_rect(place), "{place:?}");
        }
    }
    fixture.posing.lacks_joint = false;
    let words = "Turn: select a node   ·   Shift+Q: next tool   ·   Esc: no tool";
    assert!(settled(&fixture).find_text(&fixture, words).is_none());
}

/// It is dark on light: it has an outline that is seen on dark models.
#[test]
fn the_handle_that_keys_act_on_has_an_outline() {
    let viewport = settled(&Fixture::default()).part("viewport");
    for dark in [false, true] {
        for tool in [
            PoseTool::Turn,
            PoseTool::Move,
            PoseTool::Scale,
            PoseTool::Reach,
        ] {
            for handle in [None, Some(0)] {
                let mut fixture = fixture(tool, viewport);
                fixture.dark = dark;
                fixture.posing.handle = handle;
                let mut window = settled(&fixture);
                let ground = window.ctx.style_of(window.ctx.theme()).visuals.panel_fill;
                let is_edge = |shape: &egui::Shape| {
                    let stroke = match shape {
                        egui::Shape::LineSegment { stroke, .. } => stroke,
                        egui::Shape::Circle(circle) => &circle.stroke,
                        _ => return false,
                    };
                    let place = shape.visual_bounding_rect();
                    let is_of_gizmo = viewport.shrink(100.0).contains_rect(place);
                    is_of_gizmo && stroke.width > 0.0 && stroke.color == ground
                };
                let has_edge = window.shapes(&fixture).iter().any(is_edge);
                assert_eq!(has_edge, handle.is_some(), "{tool:?}, dark: {dark}");
            }
        }
    }
}

#[test]
fn the_menu_counts_changed_joints_with_and_without_a_tool() {
    for (tool, changed, words) in [
        (PoseTool::Off, 0, "Pose"),
        (PoseTool::Off, 3, "Pose (3)"),
        (PoseTool::Turn, 0, "Pose: Turn"),
        (PoseTool::Turn, 3, "Pose: Turn (3)"),
    ] {
        let fixture = Fixture {
            posing: PosingView {
                tool,
                changed,
                ..PosingView::default()
            },
            ..Fixture::default()
        };
        let mut window = settled(&fixture);
        assert!(window.find_text(&fixture, words).is_some(), "{words}");
    }
}

#[test]
fn the_tooltip_says_what_the_menu_counts() {
    let mut fixture = Fixture::default();
    fixture.posing.tool = PoseTool::Turn;
    fixture.posing.changed = 1;
    let mut window = settled(&fixture);
    let button = window.find_text(&fixture, "Pose: Turn (1)").expect("it");
    rest(&mut window, &fixture, button.center());
    let whole = Rect::from_min_size(egui::Pos2::ZERO, window.size);
    let texts = window.texts_in(&fixture, whole);
    let is_said = |words: &str| words.ends_with(". 1 joint is changed");
    assert!(texts.iter().any(|(words, _)| is_said(words)), "{texts:?}");
}

#[test]
fn the_menu_says_that_a_crowd_is_not_posed() {
    let fixture = Fixture {
        crowd: Some((3, 4)),
        ..Fixture::default()
    };
    let mut window = settled(&fixture);
    window.click_named(&fixture, "Pose");
    window.settle(&fixture);
    let words = "A crowd is not posed by hand.";
    assert!(window.find_text(&fixture, words).is_some());
    assert_eq!(window.click_named(&fixture, "Tool: Turn"), []);
    let off = [Command::Posing(PosingCommand::SetTool(PoseTool::Off))];
    assert_eq!(window.click_named(&fixture, "Tool: Off"), off);
}

/// Else nothing shows that the pose is not the clip's.
#[test]
fn a_narrow_picture_shows_how_many_joints_were_changed() {
    let mut fixture = Fixture::default();
    fixture.posing.changed = 2;
    for tool in [PoseTool::Off, PoseTool::Turn, PoseTool::Reach] {
        fixture.posing.tool = tool;
        let mut window = Window::new(800.0, 600.0);
        window.settle(&fixture);
        assert!(window.find_text(&fixture, "Pose (2)").is_some(), "{tool:?}");
    }
}
