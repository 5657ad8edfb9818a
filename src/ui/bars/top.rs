//! The bar above the picture: opening files on the left, the name in the middle, what is shown on the right.

use egui::{Button, Ui, vec2};

use crate::ui::{
    CameraCommand, Command, FilesCommand, LoadKind, Panel, Picker, PictureCommand, View,
    WindowCommand, inspector,
    keys::{Action, written},
    panels::Arrangement,
    text,
    theme::colors_of,
    widgets::{self, IconButton, icons::Icon},
};

/// Height of the bar.
pub const HEIGHT: f32 = 42.0;

/// Draws the bar; returns the rectangle of the skeleton's switch.
pub fn top_bar_ui(
    ui: &mut Ui,
    view: &View<'_>,
    panels: &Arrangement,
    commands: &mut Vec<Command>,
) -> egui::Rect {
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = 3.0;
    let first = |ui: &mut Ui, commands: &mut Vec<Command>| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if width >= 300.0 {
            open_ui(ui, view, width, commands);
        }
        ui.add_space(8.0);
        if width >= 380.0 && panels.has_room {
            inspector::badge_ui(ui, view, commands);
        }
        name_ui(ui, view);
    };
    let ((), skeleton) = widgets::with_end(ui, commands, first, |ui, commands| {
        switches_ui(ui, view, panels, width, commands)
    });
    skeleton
}

/// Switches of the picture and of panels.
fn switches_ui(
    ui: &mut Ui,
    view: &View<'_>,
    panels: &Arrangement,
    width: f32,
    commands: &mut Vec<Command>,
) -> egui::Rect {
    let shown = &view.shown;
    let mut switch = |ui: &mut Ui, button: IconButton<'_>, action, command| {
        let response = button.keys(written(action, 0)).show(ui);
        if response.clicked() {
            commands.push(command);
        }
        response.rect
    };
    let label = if shown.has_skeleton {
        "Show bones"
    } else {
        "Show bones: this file has none"
    };
    let bones = IconButton::new(Icon::Bone, label)
        .selected(shown.skeleton && shown.has_skeleton)
        .enabled(shown.has_skeleton);
    let skeleton = switch(
        ui,
        bones,
        Action::Skeleton,
        Command::Picture(PictureCommand::ToggleSkeleton),
    );
    let grid = IconButton::new(Icon::Grid, "Ground grid").selected(shown.grid);
    switch(
        ui,
        grid,
        Action::Grid,
        Command::Picture(PictureCommand::ToggleGrid),
    );
    let frame = IconButton::new(Icon::Frame, "Frame the model");
    switch(
        ui,
        frame,
        Action::Frame,
        Command::Camera(CameraCommand::FrameModel),
    );
    if width < 380.0 {
        return skeleton;
    }
    separator(ui);
    let panel = |icon, name, selected| {
        let label = if panels.has_room {
            name
        } else {
            "The window is too narrow for panels"
        };
        let button = IconButton::new(icon, label).selected(selected);
        button.enabled(panels.has_room)
    };
    let scene = panel(Icon::PanelLeft, "Clips and nodes", panels.scene);
    let command = Command::TogglePanel(Panel::Scene);
    switch(ui, scene, Action::ScenePanel, command);
    let inspector = panel(Icon::PanelRight, "Inspector", panels.inspector);
    let command = Command::TogglePanel(Panel::Inspector);
    switch(ui, inspector, Action::Inspector, command);
    separator(ui);
    if width >= 480.0 {
        let find = IconButton::new(Icon::Search, "Find a command, a clip, a node")
            .selected(view.files.picker == Some(Picker::Palette));
        let command = Command::Files(FilesCommand::Pick(Picker::Palette));
        switch(ui, find, Action::Palette, command);
    }
    let label = if view.shown.dark {
        "Light theme"
    } else {
        "Dark theme"
    };
    let theme = IconButton::new(Icon::Theme, label);
    switch(ui, theme, Action::Theme, Command::ToggleTheme);
    let keys = IconButton::new(Icon::Help, "List of keys").selected(shown.keys);
    switch(ui, keys, Action::Keys, Command::TogglePanel(Panel::Keys));
    skeleton
}

fn separator(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 18.0), egui::Sense::hover());
    ui.painter().vline(
        rect.center().x.round() + 0.5,
        rect.y_range(),
        egui::Stroke::new(1.0, colors_of(ui).line),
    );
}

fn open_ui(ui: &mut Ui, view: &View<'_>, width: f32, commands: &mut Vec<Command>) {
    if width < 560.0 {
        let open = IconButton::new(Icon::Folder, "Open a .glb or .gltf file")
            .keys(written(Action::Open, 0));
        if open.show(ui).clicked() {
            commands.push(Command::Window(WindowCommand::OpenDialog(LoadKind::Model)));
        }
        return;
    }
    let open = ui.add(Button::new("Open…").min_size(vec2(0.0, 28.0)));
    if widgets::tooltip(open, "Open a .glb or .gltf file", &written(Action::Open, 0)).clicked() {
        commands.push(Command::Window(WindowCommand::OpenDialog(LoadKind::Model)));
    }
    let recent = ui.add(Button::new("Recent…").min_size(vec2(0.0, 28.0)));
    let keys = written(Action::Recent, 0);
    if widgets::tooltip(recent, "Files that were opened before", &keys).clicked() {
        commands.push(Command::Files(FilesCommand::Pick(Picker::Recent)));
    }
    if view.files.built_in.is_empty() {
        return;
    }
    let menu = egui::containers::menu::MenuButton::from_button(
        Button::new("Examples").min_size(vec2(0.0, 28.0)),
    )
    .config(widgets::menu_config().close_behavior(egui::PopupCloseBehavior::CloseOnClick));
    let response = widgets::menu_button(ui, menu, |ui| {
        ui.set_min_width(140.0);
        for name in view.files.built_in {
            let button = ui.button(*name);
            if button.on_hover_text("Open this example").clicked() {
                commands.push(Command::Window(WindowCommand::OpenBuiltIn(name)));
            }
        }
    });
    response.on_hover_text("Models that come with the program");
}

fn name_ui(ui: &mut Ui, view: &View<'_>) {
    let room = ui.available_width() - 8.0;
    if room < 24.0 || view.instead_of_model().is_some() {
        return;
    }
    let colors = colors_of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(room, 28.0), egui::Sense::hover());
    let name = text::clean_name(view.model.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &*name));
    if widgets::paint_name(ui, rect, view.model.name, colors.strong) {
        response.on_hover_text(name);
    }
}
