//! Tooltips: whatever can be pressed says what it does and by which key, if the pointer rests on it.

use std::collections::BTreeSet;

use egui::accesskit::{Node, Role};

use crate::fixture::{Fixture, Window};
use crate::front::{has_tooltip, rest};

/// Whether it is pressed, switched or moved.
fn is_pressed(node: &Node) -> bool {
    matches!(
        node.role(),
        Role::Button
            | Role::CheckBox
            | Role::ComboBox
            | Role::RadioButton
            | Role::Slider
            | Role::SpinButton
            | Role::Switch
    )
}

/// What is pressed in this state, and where.
fn controls(window: &mut Window, fixture: &Fixture) -> Vec<(String, egui::Rect)> {
    let (_, output) = window.draw(fixture);
    let update = output.platform_output.accesskit_update;
    let nodes = update.expect("it was enabled").nodes;
    let scale = window.ctx.pixels_per_point();
    let found = nodes.iter().filter(|(_, node)| is_pressed(node));
    found
        .filter_map(|(_, node)| {
            let bounds = node.bounds()?;
            let corner = |x: f64, y: f64| egui::pos2(x as f32, y as f32) / scale;
            let rect = egui::Rect::from_min_max(
                corner(bounds.x0, bounds.y0),
                corner(bounds.x1, bounds.y1),
            );
            let name = node.label().unwrap_or_default();
            Some((format!("{:?} {name}", node.role()), rect))
        })
        .collect()
}

/// Of the same name in any state: what lies below a menu has its own turn elsewhere.
#[test]
fn whatever_can_be_pressed_has_a_tooltip() {
    let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
    for (_, fixture, clicks) in crate::names::states() {
        // High enough for all sections; menus are offered what there is.
        let height = if clicks.is_empty() { 2000.0 } else { 1400.0 };
        let mut window = crate::names::window_in(&fixture, &clicks, (1280.0, height));
        for (name, rect) in controls(&mut window, &fixture) {
            let is_seen = window.ctx.content_rect().contains(rect.center());
            if with.contains(&name) || !is_seen || speaks_for_itself(&name) {
                continue;
            }
            rest(&mut window, &fixture, rect.center());
            if has_tooltip(&window) {
                without.remove(&name);
                with.insert(name);
            } else {
                without.insert(name);
            }
        }
    }
    assert!(without.is_empty(), "{without:#?}");
    assert!(with.len() > 120, "{with:#?}");
}

/// The timeline says the time under the pointer, and a weight is its name and a figure. A heading shows what is below it, and
/// a menu in a menu opens at once. An end of the gimbal hides the one behind it.
fn speaks_for_itself(name: &str) -> bool {
    let heading = |title| name.strip_prefix("Button ") == Some(title);
    let is_weight = name.contains(" shape ");
    let is_end = name.starts_with("Button View from ");
    name == "Slider Time"
        || name == "Button Layers"
        || is_weight
        || is_end
        || crate::panel_memory::SECTIONS.into_iter().any(heading)
}
