//! Menus, and the keyboard in them.

use egui::{Key, Modifiers};
use rigscope::ui::{Command, PlaybackCommand};

use crate::fixture::{Fixture, settled};

/// Be it chosen or not.
#[test]
fn a_row_of_a_menu_that_has_the_focus_has_an_outline() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let button = window.part("view").center();
    window.click(&fixture, button);
    window.settle(&fixture);
    for name in ["Lit", "Shading normals"] {
        window.focus_named(&fixture, name);
        let row = window.find_named(&fixture, name).expect(name).expand(1.5);
        let color = window.focus_color();
        let is_outline = |shape: &egui::Shape| {
            matches!(shape, egui::Shape::Rect(rect)
                if row.contains_rect(rect.rect) && rect.stroke.color == color && rect.stroke.width > 0.0)
        };
        assert!(window.shapes(&fixture).iter().any(is_outline), "{name}");
    }
}

/// The first arrow, too: the pointer opens a menu and gives it no focus.
#[test]
fn arrows_belong_to_the_menu_that_is_open() {
    let fixture = Fixture::default();
    for menu in ["view", "Bones", "Pose", "light", "camera", "Examples"] {
        let mut window = crate::names::window_in(&fixture, &[menu], (1280.0, 720.0));
        for key in [Key::ArrowDown, Key::ArrowUp, Key::ArrowRight] {
            let asked = window.key(&fixture, key);
            let is_behind = |command: &Command| {
                let step = PlaybackCommand::StepFrames(1);
                matches!(command, Command::SelectNode(_)) || *command == Command::Playback(step)
            };
            assert!(!asked.iter().any(is_behind), "{menu}: {asked:?}");
            window.frame(&fixture);
        }
        let focused = window.ctx.memory(egui::Memory::focused);
        assert!(focused.is_some(), "{menu}: it has taken the keyboard");
    }
}

/// And goes on there.
#[test]
fn tab_leads_into_a_menu_that_the_pointer_has_opened() {
    let fixture = Fixture::default();
    for menu in ["view", "Bones", "Pose", "light", "camera", "Examples"] {
        let mut window = crate::names::window_in(&fixture, &[menu], (1280.0, 720.0));
        let mut focused = Vec::new();
        for _ in 0..2 {
            assert_eq!(window.key(&fixture, Key::Tab), [], "{menu}");
            window.frame(&fixture);
            let id = window.ctx.memory(egui::Memory::focused);
            let id = id.unwrap_or_else(|| panic!("{menu}: nothing has the focus"));
            let control = window.ctx.read_response(id);
            let order = control.map(|control| control.layer_id.order);
            assert_eq!(order, Some(egui::Order::Foreground), "{menu}: {focused:?}");
            focused.push(id);
        }
        assert_ne!(focused[0], focused[1], "{menu}");
        assert!(egui::Popup::is_any_open(&window.ctx), "{menu}");
        // Backwards is to its button, from which Tab leads into it.
        let mut window = crate::names::window_in(&fixture, &[menu], (1280.0, 720.0));
        window.modifiers = Modifiers::SHIFT;
        assert_eq!(window.key(&fixture, Key::Tab), [], "{menu}");
        window.frame(&fixture);
        window.modifiers = Modifiers::NONE;
        assert_eq!(window.key(&fixture, Key::Tab), [], "{menu}");
        window.frame(&fixture);
        let after = window.ctx.memory(egui::Memory::focused);
        assert_eq!(after, Some(focused[0]), "{menu}");
        assert!(egui::Popup::is_any_open(&window.ctx), "{menu}");
    }
    // Without a menu it begins with the window, after one was open, too.
    let mut window = crate::names::window_in(&fixture, &["Bones"], (1280.0, 720.0));
    window.key(&fixture, Key::Escape);
    window.settle(&fixture);
    window.key(&fixture, Key::Tab);
    window.frame(&fixture);
    let after = window.ctx.memory(egui::Memory::focused);
    let mut fresh = settled(&fixture);
    fresh.key(&fixture, Key::Tab);
    fresh.frame(&fixture);
    assert_eq!(after, fresh.ctx.memory(egui::Memory::focused));
}
