//! The bar above the picture: opening files on the left, the name in the middle, what is shown on the right.

use egui::{Align, Button, Layout, Ui, vec2};

use super::icons::Icon;
use super::keys::{Action, written};
use super::theme::palette;
use super::widgets::{self, IconButton};
use super::{Command, Panel, View, text};

/// Height of the bar.
pub const HEIGHT: f32 = 42.0;

/// Draws the bar; returns the rectangle of the skeleton's switch.
pub fn top_bar_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> egui::Rect {
    let width = ui.available_width();
    let mut skeleton = egui::Rect::NOTHING;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        skeleton = switches_ui(ui, view, width, commands);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if width >= 300.0 {
                open_ui(ui, view, width, commands);
            }
            ui.add_space(8.0);
            name_ui(ui, view);
        });
    });
    skeleton
}

/// Right to left.
fn switches_ui(
    ui: &mut Ui,
    view: &View<'_>,
    width: f32,
    commands: &mut Vec<Command>,
) -> egui::Rect {
    let shown = &view.shown;
    let mut switch = |ui: &mut Ui, icon, label, action, selected: Option<bool>, command| {
        let mut button = IconButton::new(icon, label).keys(written(action, 0));
        if let Some(selected) = selected {
            button = button.selected(selected);
        }
        if action == Action::Skeleton {
            button = button.enabled(shown.has_skeleton);
        }
        let response = button.show(ui);
        if response.clicked() {
            commands.push(command);
        }
        response.rect
    };
    if width >= 380.0 {
        let panel = Command::TogglePanel;
        switch(
            ui,
            Icon::Help,
            "List of keys",
            Action::Keys,
            Some(shown.keys),
            panel(Panel::Keys),
        );
        let theme = if view.dark {
            "Light theme"
        } else {
            "Dark theme"
        };
        switch(
            ui,
            Icon::Theme,
            theme,
            Action::Theme,
            None,
            Command::ToggleTheme,
        );
        separator(ui);
        let (left, right) = (shown.scene_panel, shown.inspector_panel);
        switch(
            ui,
            Icon::PanelRight,
            "Inspector",
            Action::Inspector,
            Some(right),
            panel(Panel::Inspector),
        );
        switch(
            ui,
            Icon::PanelLeft,
            "Clips and nodes",
            Action::ScenePanel,
            Some(left),
            panel(Panel::Scene),
        );
        separator(ui);
    }
    switch(
        ui,
        Icon::Frame,
        "Fill the view with the model",
        Action::Frame,
        None,
        Command::FrameModel,
    );
    switch(
        ui,
        Icon::Grid,
        "Ground grid",
        Action::Grid,
        Some(shown.grid),
        Command::ToggleGrid,
    );
    let label = if shown.has_skeleton {
        "Bones"
    } else {
        "Bones: this file has none"
    };
    let is_on = shown.skeleton && shown.has_skeleton;
    switch(
        ui,
        Icon::Bone,
        label,
        Action::Skeleton,
        Some(is_on),
        Command::ToggleSkeleton,
    )
}

fn separator(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 18.0), egui::Sense::hover());
    ui.painter().vline(
        rect.center().x.round() + 0.5,
        rect.y_range(),
        egui::Stroke::new(1.0, palette(ui).line),
    );
}

fn open_ui(ui: &mut Ui, view: &View<'_>, width: f32, commands: &mut Vec<Command>) {
    if width < 560.0 {
        let open = IconButton::new(Icon::Folder, "Open a .glb or .gltf file")
            .keys(written(Action::Open, 0));
        if open.show(ui).clicked() {
            commands.push(Command::OpenDialog);
        }
        return;
    }
    let open = ui.add(Button::new("Open…").min_size(vec2(0.0, 28.0)));
    if widgets::tooltip(open, "Open a .glb or .gltf file", &written(Action::Open, 0)).clicked() {
        commands.push(Command::OpenDialog);
    }
    if view.built_in.is_empty() {
        return;
    }
    let menu = egui::containers::menu::MenuButton::from_button(
        Button::new("Examples").min_size(vec2(0.0, 28.0)),
    );
    let (response, _) = menu.ui(ui, |ui| {
        ui.set_min_width(140.0);
        for name in view.built_in {
            if ui.button(*name).clicked() {
                commands.push(Command::OpenBuiltIn(name));
            }
        }
    });
    response.on_hover_text("Models that come with the program");
}

fn name_ui(ui: &mut Ui, view: &View<'_>) {
    let room = ui.available_width() - 8.0;
    if room < 24.0 {
        return;
    }
    let colours = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(room, 28.0), egui::Sense::hover());
    let name = text::clean_name(view.model_name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &*name));
    if widgets::paint_name(ui, rect, view.model_name, colours.strong) {
        response.on_hover_text(name);
    }
}
