//! Poses by hand: their menu in a corner of the picture, and what a tool waits for.

use egui::{Rect, Response, RichText, Ui};

use crate::anim::PosingSpace;
use crate::ui::{
    Command, HistoryCommand, PoseTool, PosingCommand, PosingView, STEP_DEGREES, View,
    keys::{Action, written},
    overlays, text,
    theme::colors_of,
    viewport::flight,
    widgets,
};

/// Says what a tool is waiting for.
pub fn hint_ui(ui: &Ui, view: &View<'_>, viewport: Rect) {
    let is_small = viewport.width() < 260.0 || viewport.height() < 120.0;
    if !view.posing.lacks_joint || is_small || flight::is_on(ui.ctx(), view) {
        return;
    }
    let what = if view.shown.has_skeleton {
        "a joint"
    } else {
        "a node"
    };
    let (tool, keys) = (view.posing.tool.label(), written(Action::PoseTool, 0));
    let close = written(Action::Close, 0);
    let words = format!("{tool}: select {what}   ·   {keys}: next tool   ·   {close}: no tool");
    overlays::hint_ui(ui, viewport, &words, 1.0);
}

/// Draws the menu's button, in a narrow picture without the tool.
pub fn posing_menu_ui(ui: &mut Ui, view: &View<'_>, is_narrow: bool, commands: &mut Vec<Command>) {
    let posing = &view.posing;
    let words = match posing.tool {
        tool if (is_narrow || tool == PoseTool::Off) && posing.changed == 0 => "Pose".to_owned(),
        tool if is_narrow || tool == PoseTool::Off => format!("Pose ({})", posing.changed),
        tool if posing.changed == 0 => format!("Pose: {}", tool.label()),
        tool => format!("Pose: {} ({})", tool.label(), posing.changed),
    };
    let response = widgets::menu(ui, egui::Button::new(&words), 250.0, |ui| {
        contents_ui(ui, view, commands);
    });
    let keys = written(Action::PoseTool, 0);
    let changed = match posing.changed {
        0 => String::new(),
        1 => ". 1 joint is changed".to_owned(),
        count => format!(". {count} joints are changed"),
    };
    response.on_hover_text(format!(
        "Turn, move or scale joints by hand ({keys}: next tool){changed}"
    ));
}

fn contents_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let posing = &view.posing;
    ui.spacing_mut().item_spacing.y = 5.0;
    let is_crowd = view.statistics.crowd.is_some();
    let mut ask = |command| commands.push(Command::Posing(command));
    tools_ui(ui, posing, is_crowd, &mut ask);
    if posing.tool != PoseTool::Off {
        handles_ui(ui, view, &mut ask);
    }
    axes_ui(ui, posing, &mut ask);
    stays_ui(ui, posing, &mut ask);
    ui.separator();
    steps_ui(ui, view, commands);
    resets_ui(ui, view, commands);
    let lacks_joint = posing.tool != PoseTool::Off && view.nodes.selected.is_none();
    let words = match () {
        () if is_crowd => "A crowd is not posed by hand.",
        () if lacks_joint => "Select a joint in the picture or in the tree.",
        () => return,
    };
    let weak = colors_of(ui).weak;
    ui.label(RichText::new(words).size(11.5).color(weak));
}

/// What drags do; a crowd cannot be dragged.
fn tools_ui(ui: &mut Ui, posing: &PosingView, is_crowd: bool, ask: &mut impl FnMut(PosingCommand)) {
    ui.horizontal(|ui| {
        caption(ui, "Tool");
        for tool in PoseTool::ALL {
            let name = format!("Tool: {}", tool.label());
            ui.add_enabled_ui(!is_crowd || tool == PoseTool::Off, |ui| {
                let button = widgets::radio(ui, tool == posing.tool, tool.label(), &name);
                if button.on_hover_text(hint(tool)).clicked() {
                    ask(PosingCommand::SetTool(tool));
                }
            });
        }
    });
}

/// Along which axes.
fn axes_ui(ui: &mut Ui, posing: &PosingView, ask: &mut impl FnMut(PosingCommand)) {
    ui.horizontal(|ui| {
        caption(ui, "Axes");
        for space in PosingSpace::ALL {
            let name = format!("Axes: {}", space.label());
            let button = widgets::radio(ui, space == posing.space, space.label(), &name);
            let hint = match space {
                PosingSpace::Local => "Handles lie along the joint's own axes",
                PosingSpace::Parent => "Handles lie along the axes of its parent",
                PosingSpace::World => "Handles lie along the axes of the world",
            };
            if button.on_hover_text(hint).clicked() {
                ask(PosingCommand::SetSpace(space));
            }
        }
    });
}

/// Whether changes stay when time goes on.
fn stays_ui(ui: &mut Ui, posing: &PosingView, ask: &mut impl FnMut(PosingCommand)) {
    let mut stays = posing.stays;
    let hint =
        "Else changes are gone when time goes on or another clip plays; undo brings them back";
    if ui
        .checkbox(&mut stays, "Stays while time goes on")
        .on_hover_text(hint)
        .clicked()
    {
        ask(PosingCommand::SetStays(stays));
    }
}

/// What a tool does.
fn hint(tool: PoseTool) -> &'static str {
    match tool {
        PoseTool::Off => "Drags move the camera",
        PoseTool::Turn => "Drag a ring: the selected joint turns about its own origin",
        PoseTool::Move => "Drag an arrow: the selected joint moves",
        PoseTool::Scale => "Drag a handle: the selected joint is scaled along its own axes",
        PoseTool::Reach => {
            "Drag the joint: the two bones above it bend so that it follows. Drag the diamond: their middle points there"
        }
    }
}

/// What the handles of a tool are called: those that keys act on.
fn handles(tool: PoseTool) -> [&'static str; 3] {
    match tool {
        PoseTool::Reach => ["Right", "Up", "Middle"],
        _ => ["X", "Y", "Z"],
    }
}

/// What a step of a handle does, back or forward.
fn step_words(tool: PoseTool, handle: usize, is_forward: bool) -> String {
    let name = handles(tool)[handle];
    let way = |back: &'static str, forward: &'static str| if is_forward { forward } else { back };
    let degrees = format!("{}{STEP_DEGREES}°", way("−", ""));
    match (tool, handle) {
        (PoseTool::Off | PoseTool::Turn, _) => format!("Turn by {degrees} about {name}"),
        (PoseTool::Move, _) => format!("Move a little {} along {name}", way("back", "forward")),
        (PoseTool::Scale, _) => format!("A little {} along {name}", way("smaller", "larger")),
        (PoseTool::Reach, 0) => format!("Reach a little to the {}", way("left", "right")),
        (PoseTool::Reach, 1) => format!("Reach a little {}", way("down", "up")),
        (PoseTool::Reach, _) => format!("Swivel the limb by {degrees}"),
    }
}

/// The tool that follows in the list.
fn next(tool: PoseTool) -> PoseTool {
    let all = PoseTool::ALL;
    let place = all.iter().position(|other| *other == tool).unwrap_or(0);
    all[(place + 1) % all.len()]
}

/// A button that may have nothing to do.
struct Step<'a> {
    words: &'a str,
    is_enabled: bool,
    hint: &'a str,
    /// None have no keys.
    keys: &'a str,
    command: Command,
}

impl Step<'_> {
    fn show(self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let response = ui.add_enabled(self.is_enabled, egui::Button::new(self.words));
        if widgets::tooltip(response, self.hint, self.keys).clicked() {
            commands.push(self.command);
        }
    }
}

/// Steps back and forth, and to the pose's mirror image.
fn steps_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let [undo, redo] = [Action::Undo, Action::Redo].map(|action| written(action, 0));
    let hint = |what: &str, step: Option<&str>| match step {
        Some(step) => format!("{what}: {}", text::clean(step, 40)),
        None => format!("Nothing to {}", what.to_lowercase()),
    };
    let why_not = view.posing.why_no_mirror;
    let steps = [
        Step {
            words: "Undo",
            is_enabled: view.history.undo.is_some(),
            hint: &hint("Undo", view.history.undo),
            keys: &undo,
            command: Command::History(HistoryCommand::Undo),
        },
        Step {
            words: "Redo",
            is_enabled: view.history.redo.is_some(),
            hint: &hint("Redo", view.history.redo),
            keys: &redo,
            command: Command::History(HistoryCommand::Redo),
        },
        Step {
            words: "Swap left and right",
            is_enabled: why_not.is_none(),
            hint: why_not.unwrap_or("Each side takes the pose of the other"),
            keys: "",
            command: Command::Posing(PosingCommand::Mirror),
        },
    ];
    ui.horizontal(|ui| {
        for step in steps {
            step.show(ui, commands);
        }
    });
}

/// Back to what the clip has.
fn resets_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let is_changed = view.posing.changed > 0;
    let steps = [
        Step {
            words: "Reset joint",
            is_enabled: is_changed && view.nodes.selected.is_some(),
            hint: "The selected joint is as the clip has it",
            keys: "",
            command: Command::Posing(PosingCommand::ResetJoint),
        },
        Step {
            words: "Reset all",
            is_enabled: is_changed,
            hint: "All joints are as the clip has them",
            keys: "",
            command: Command::Posing(PosingCommand::ResetAll),
        },
    ];
    ui.horizontal(|ui| {
        for step in steps {
            step.show(ui, commands);
        }
    });
}

/// Steps of the handle that keys act on, and buttons that do the same.
fn handles_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(PosingCommand)) {
    let posing = &view.posing;
    let keys = written(Action::PoseHandle, 0);
    let back_and_forth = [0, 1].map(|which| written(Action::PoseNudge, which));
    let handle = posing.handle.unwrap_or(0);
    ui.horizontal(|ui| {
        caption(ui, "Step").on_hover_text("Moves a handle a little, as keys do");
        let name = handles(posing.tool)[handle];
        let button = ui.button(name);
        button.widget_info(|| {
            let words = format!("Handle that keys act on: {name}");
            egui::WidgetInfo::labeled(egui::Role::Button, true, words)
        });
        let hint = format!("What keys and these buttons act on ({keys}: the next)");
        if button.on_hover_text(hint).clicked() {
            ask(PosingCommand::NextHandle);
        }
        let is_enabled = view.nodes.selected.is_some();
        for (steps, sign) in [(-1, "−"), (1, "+")] {
            let words = step_words(posing.tool, handle, steps > 0);
            let button = ui.add_enabled(is_enabled, egui::Button::new(sign));
            button
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_enabled, &words));
            let key = &back_and_forth[usize::from(steps > 0)];
            if widgets::tooltip(button, &words, key).clicked() {
                ask(PosingCommand::Nudge(steps));
            }
        }
    });
}

fn caption(ui: &mut Ui, words: &str) -> Response {
    let weak = colors_of(ui).weak;
    ui.label(RichText::new(words).size(11.5).color(weak))
}

/// What a key asks for.
pub fn by_key(action: Action, which: usize, view: &View<'_>) -> Option<Command> {
    let command = match action {
        Action::PoseHandle | Action::PoseNudge if view.posing.tool == PoseTool::Off => return None,
        Action::PoseHandle => PosingCommand::NextHandle,
        Action::PoseNudge => PosingCommand::Nudge(if which == 0 { -1 } else { 1 }),
        Action::PoseTool => PosingCommand::SetTool(next(view.posing.tool)),
        _ => return None,
    };
    Some(Command::Posing(command))
}
