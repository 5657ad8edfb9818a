//! Finding things in the window as a screen reader does: by their names.

use egui::accesskit::{Action, ActionData, ActionRequest, Node, Role, TreeId};
use rigscope::ui::{Command, PlaybackCommand, TimeSpan, TimelineCommand};

use crate::fixture::{Fixture, Window, settled};

impl Window {
    /// What is told of all things with a name, and their ids.
    pub fn tree(&mut self, fixture: &Fixture) -> Vec<(egui::accesskit::NodeId, Node)> {
        self.ctx.enable_accesskit();
        let (_, output) = self.draw(fixture);
        let update = output.platform_output.accesskit_update;
        update.expect("it was enabled").nodes
    }

    fn lookup(&mut self, fixture: &Fixture, name: &str) -> Option<(egui::accesskit::NodeId, Node)> {
        let nodes = self.tree(fixture);
        // Texts are told of by what they say.
        let is_it = |node: &Node| {
            let says = node.value().filter(|_| node.role() == Role::Label);
            node.label().or(says) == Some(name)
        };
        let mut found = nodes.into_iter().filter(|(_, node)| is_it(node));
        // Of a control and the text on it the control.
        let first = found.next()?;
        let pressed = |node: &Node| node.supports_action(Action::Click);
        if pressed(&first.1) {
            return Some(first);
        }
        Some(found.find(|(_, node)| pressed(node)).unwrap_or(first))
    }

    /// What a screen reader is told of the thing of this name.
    pub fn accessible(&mut self, fixture: &Fixture, name: &str) -> Option<Node> {
        self.lookup(fixture, name).map(|(_, node)| node)
    }

    /// Where the thing of this name is.
    pub fn find_named(&mut self, fixture: &Fixture, name: &str) -> Option<egui::Rect> {
        let bounds = self.accessible(fixture, name)?.bounds()?;
        let corner = |x: f64, y: f64| egui::pos2(x as f32, y as f32) / self.ctx.pixels_per_point();
        Some(egui::Rect::from_min_max(
            corner(bounds.x0, bounds.y0),
            corner(bounds.x1, bounds.y1),
        ))
    }

    /// Clicks on the thing of this name.
    pub fn click_named(&mut self, fixture: &Fixture, name: &str) -> Vec<Command> {
        let rect = self.find_named(fixture, name);
        let rect = rect.unwrap_or_else(|| panic!("nothing is called \"{name}\""));
        self.click(fixture, rect.center())
    }

    /// Gives the focus to the thing of this name, as a screen reader does.
    pub fn focus_named(&mut self, fixture: &Fixture, name: &str) {
        self.request(fixture, name, Action::Focus, None);
        self.settle(fixture);
    }

    /// The name of what has the focus, as a screen reader says it.
    pub fn focused_name(&mut self, fixture: &Fixture) -> Option<String> {
        // Else nothing has a name, unless one was asked for before.
        self.ctx.enable_accesskit();
        let (_, output) = self.draw(fixture);
        let update = output.platform_output.accesskit_update?;
        let mut nodes = update.nodes.iter();
        let (_, node) = nodes.find(|(id, _)| *id == update.focus)?;
        node.label().map(str::to_owned)
    }

    /// What a screen reader asks of the thing of this name, which may do it.
    fn request(&mut self, fixture: &Fixture, name: &str, action: Action, data: Option<ActionData>) {
        let found = self.lookup(fixture, name);
        let (id, node) = found.unwrap_or_else(|| panic!("nothing is called \"{name}\""));
        assert!(node.supports_action(action), "{name}: {action:?}");
        self.event(egui::Event::AccessKitActionRequest(ActionRequest {
            action,
            target_tree: TreeId::ROOT,
            target_node: id,
            data,
        }));
    }

    /// Number of shapes that a frame is made of.
    pub fn shape_count(&mut self, fixture: &Fixture) -> usize {
        self.settle(fixture);
        self.draw(fixture).1.shapes.len()
    }
}

/// What is called a slider can be moved like one.
#[test]
fn screen_readers_move_what_is_dragged_along_the_timeline() {
    let mut fixture = Fixture::default();
    fixture.playback.time_secs = 1.0;
    let frame = fixture.playback.frames_per_sec.recip();
    let ask = |fixture: &Fixture, name: &str, action, value: Option<f64>| {
        let mut window = settled(fixture);
        window.request(fixture, name, action, value.map(ActionData::NumericValue));
        match window.frame(fixture)[..] {
            [Command::Playback(PlaybackCommand::Seek(time))] => [time, time],
            [
                Command::Timeline(
                    TimelineCommand::SetRange(Some(set)) | TimelineCommand::Show(Some(set)),
                ),
            ] => [set.from_secs, set.to_secs],
            ref other => panic!("{name}: {other:?}"),
        }
    };
    let overview = "What the time axis shows";
    for (name, action, value, expected) in [
        ("Time", Action::SetValue, Some(1.25), [1.25, 1.25]),
        ("Time", Action::SetValue, Some(9.0), [2.0, 2.0]),
        ("Time", Action::Decrement, None, [1.0 - frame; 2]),
        ("Loop up to here", Action::SetValue, Some(0.75), [0.0, 0.75]),
        (
            "Loop up to here",
            Action::SetValue,
            Some(-1.0),
            [0.0, frame],
        ),
        ("Loop from here on", Action::Increment, None, [frame, 2.0]),
        (overview, Action::Increment, None, [0.6, 1.6]),
    ] {
        fixture.shown_span = (name == overview).then_some(TimeSpan {
            from_secs: 0.5,
            to_secs: 1.5,
        });
        let found = ask(&fixture, name, action, value);
        let is_there = |(found, expected): (f64, f64)| (found - expected).abs() < 1e-9;
        assert!(
            found.into_iter().zip(expected).all(is_there),
            "{name}: {found:?} {expected:?}"
        );
    }
}

/// Tab goes through the menus in the corner as one reads them, too.
#[test]
fn tab_goes_through_the_corner_from_left_to_right() {
    let fixture = Fixture::default();
    for width in [1280.0, 460.0] {
        let mut window = Window::new(width, 700.0);
        window.settle(&fixture);
        let parts = ["view", "camera", "light"].map(|part| window.part(part));
        let mut seen = Vec::new();
        for _ in 0..200 {
            window.key(&fixture, egui::Key::Tab);
            window.frame(&fixture);
            let focused = window.ctx.memory(egui::Memory::focused);
            let response = focused.and_then(|it| window.ctx.read_response(it));
            let rect = response.map(|it| it.rect);
            let place = parts.iter().position(|part| Some(*part) == rect);
            if let Some(place) = place.filter(|place| !seen.contains(place)) {
                seen.push(place);
            }
        }
        assert_eq!(seen, [0, 1, 2], "at a width of {width}");
        assert!(parts[1].left() <= parts[2].left());
    }
}

/// Tab goes through the bars as one reads them.
#[test]
fn tab_goes_through_the_bars_from_left_to_right() {
    let fixture = Fixture::default();
    let mut window = settled(&fixture);
    let mut last: Option<egui::Rect> = None;
    let mut rows = [0; 2];
    for _ in 0..200 {
        window.key(&fixture, egui::Key::Tab);
        window.frame(&fixture);
        let focused = window.ctx.memory(egui::Memory::focused);
        let response = focused.and_then(|it| window.ctx.read_response(it));
        let Some(rect) = response.map(|it| it.rect) else {
            continue;
        };
        // The bar at the top, and that with the play button.
        let play = window.part("play").y_range();
        let row = [egui::Rangef::new(0.0, 42.0), play];
        if let (Some(before), Some(which)) = (
            last,
            row.iter().position(|row| row.contains(rect.center().y)),
        ) && row[which].contains(before.center().y)
            && rows[which] < 20
        {
            assert!(before.left() < rect.left(), "{before} before {rect}");
            rows[which] += 1;
        }
        last = Some(rect);
    }
    assert!(rows.iter().all(|count| *count >= 8), "{rows:?}");
}
