//! The menu of the camera, in a corner of the picture: what it looks at, through, after and along.

use egui::{Align2, Button, Color32, DragValue, Id, Rect, RichText, Ui, vec2};

use super::{light, view::corner_ui};
use crate::scene::Side;
use crate::ui::{
    CameraCommand, Command, View,
    keys::{Action, written},
    text::{self, figure},
    theme::colors_of,
    widgets,
};

/// Smaller pictures have no room for it.
const MIN_SIZE: egui::Vec2 = vec2(200.0, 130.0);
/// In less wide ones the menu of views says less, and leaves its legend the width beside one button of this corner: camera and
/// light lie above one another where both have no room beside that menu.
pub const MIN_WIDE: f32 = 420.0;
/// From this width on its button has room for the name of the camera that is looked through, of so many characters.
const MIN_WIDTH_FOR_NAME: f32 = 640.0;
const NAME_CHARS: usize = 20;

/// Beside the menus, and what their frame takes of the width.
const GAP: f32 = 8.0;
const FRAME_WIDTH: f32 = 10.0;

/// The name of the area of the menus.
pub(super) const AREA: &str = "rigscope_corner_menus";

/// Draws the menus of camera and light into their corner, in the order in which one reads and Tab goes: beside each other, or
/// where that has no room one above the other and equally wide. Returns the rectangles of the buttons that there is room for.
pub fn corner_menus_ui(
    ui: &Ui,
    view: &View<'_>,
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> [Option<Rect>; 2] {
    let fits = |least: egui::Vec2| viewport.width() >= least.x && viewport.height() >= least.y;
    let [has_camera, has_light] = [MIN_SIZE, light::MIN_SIZE].map(fits);
    if !(has_camera || has_light) {
        note_stacked(ui, false);
        return [None; 2];
    }
    let words = camera_words(view, viewport.width());
    let corner = Align2::RIGHT_BOTTOM;
    corner_ui(ui, AREA, viewport, corner, |ui| {
        let width_of = |words: &str| {
            let font = egui::TextStyle::Button.resolve(ui.style());
            let words = words.to_owned();
            let galley = ui
                .painter()
                .layout_no_wrap(words, font, Color32::PLACEHOLDER);
            galley.size().x + 2.0 * ui.spacing().button_padding.x
        };
        let widths = [&*words, light::WORDS].map(width_of);
        let width = widths[0] + ui.spacing().item_spacing.x + widths[1] + FRAME_WIDTH;
        let is_beside = viewport.width() >= MIN_WIDE || fits_beside(ui, viewport, width);
        let is_stacked = has_camera && has_light && !is_beside;
        note_stacked(ui, is_stacked);
        let least_width = if is_stacked {
            widths[0].max(widths[1])
        } else {
            0.0
        };
        let menus_ui = |ui: &mut Ui| {
            let camera =
                has_camera.then(|| camera_menu_ui(ui, view, (&words, least_width), commands));
            let light = has_light.then(|| light::light_menu_ui(ui, view, least_width, commands));
            [camera, light]
        };
        if is_stacked {
            ui.vertical(menus_ui).inner
        } else {
            ui.horizontal(menus_ui).inner
        }
    })
}

/// Whether the menus of camera and light lay above one another when they were last drawn.
pub(in crate::ui) fn are_stacked(ui: &Ui) -> bool {
    let id = Id::unique(STACKED);
    ui.data(|data| data.get_temp(id)).unwrap_or_default()
}

const STACKED: &str = "rigscope_corner_menus_stacked";

/// Keeps that for what lies beside them, some of which was drawn before.
fn note_stacked(ui: &Ui, is_stacked: bool) {
    if are_stacked(ui) != is_stacked {
        let id = Id::unique(STACKED);
        ui.data_mut(|data| data.insert_temp(id, is_stacked));
        ui.ctx().request_repaint();
    }
}

/// Whether something so wide has room beside the menu of views, which is drawn before.
fn fits_beside(ui: &Ui, viewport: Rect, width: f32) -> bool {
    let views = ui.memory(|memory| memory.area_rect(Id::unique(super::view::AREA)));
    let left = views.map_or(viewport.left(), |views| views.right());
    left + GAP + width <= viewport.right() - GAP
}

/// What the button says.
fn camera_words(view: &View<'_>, viewport_width: f32) -> String {
    let camera = &view.camera;
    let by_file = camera
        .file_camera
        .and_then(|it| camera.file_cameras.get(it));
    match by_file.filter(|_| viewport_width >= MIN_WIDTH_FOR_NAME) {
        Some(name) => format!("Camera: {}", text::clean(name, NAME_CHARS)),
        None => "Camera".to_owned(),
    }
}

/// Draws the menu's button, at least so wide; returns where it is.
fn camera_menu_ui(
    ui: &mut Ui,
    view: &View<'_>,
    (words, least_width): (&str, f32),
    commands: &mut Vec<Command>,
) -> Rect {
    let button = Button::new(words).min_size(vec2(least_width, 0.0));
    let response = widgets::menu(ui, button, 264.0, |ui| contents_ui(ui, view, commands));
    response
        .on_hover_text("Views, projection, cameras of the file")
        .rect
}

fn contents_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 5.0;
    let camera = &view.camera;
    caption(ui, "Frame");
    ui.horizontal(|ui| {
        let has_motion = camera.has_motion;
        let rows = [
            (
                "All",
                true,
                Action::Frame,
                Command::Camera(CameraCommand::FrameModel),
            ),
            (
                "Selected",
                camera.has_choice,
                Action::FrameChosen,
                Command::Camera(CameraCommand::FrameChosen),
            ),
            (
                "Whole motion",
                has_motion,
                Action::FrameMotion,
                Command::Camera(CameraCommand::FrameMotion),
            ),
        ];
        for (label, enabled, action, command) in rows {
            let button = ui.add_enabled(enabled, Button::new(label));
            let hint = "Move the camera so that this fills the picture";
            if hinted(button, hint, action, 0).clicked() {
                commands.push(command);
            }
        }
    });
    caption(ui, "Look from");
    let mut row = |ui: &mut Ui, range: std::ops::Range<usize>| {
        ui.horizontal(|ui| {
            for place in range {
                let side = Side::ALL[place];
                let button = Button::selectable(camera.side == Some(side), side.label());
                let button = ui.add(button.min_size(vec2(82.0, 0.0)));
                if hinted(button, "View from this side", Action::Side, place).clicked() {
                    commands.push(Command::Camera(CameraCommand::LookFrom(side)));
                }
            }
        });
    };
    row(ui, 0..3);
    row(ui, 3..6);
    ui.separator();
    lens_ui(ui, view, commands);
    ui.separator();
    motion_ui(ui, view, commands);
    if !camera.file_cameras.is_empty() {
        ui.separator();
        cameras_ui(ui, view, commands);
    }
}

fn lens_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let camera = &view.camera;
    ui.horizontal(|ui| {
        for (is_parallel, label) in [(false, "Perspective"), (true, "Orthographic")] {
            let row = ui.selectable_label(camera.is_parallel == is_parallel, label);
            let hint = "Far things smaller, or as large as near ones";
            let row = hinted(row, hint, Action::Projection, 0);
            if row.clicked() && camera.is_parallel != is_parallel {
                commands.push(Command::Camera(CameraCommand::ToggleProjection));
            }
        }
    });
    ui.horizontal(|ui| {
        let label = ui.label("Field of view");
        let mut degrees = camera.fov_y_radians.to_degrees();
        let value = DragValue::new(&mut degrees)
            .range(1.0..=150.0)
            // Cameras of files may see more or less.
            .clamp_existing_to_range(false)
            .speed(0.5)
            .max_decimals(1)
            .suffix("°");
        let response = ui
            .add_enabled(!camera.is_parallel && camera.file_camera.is_none(), value)
            .labelled_by(label.id)
            .on_hover_text("From the lower to the upper edge");
        if response.changed() {
            let radians = degrees.to_radians();
            commands.push(Command::Camera(CameraCommand::SetFieldOfView(radians)));
        }
    });
}

fn motion_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let camera = &view.camera;
    let mut toggle =
        |ui: &mut Ui, is_on, words: &str, hint: &str, action: Option<Action>, command| {
            let mut checked = is_on;
            let response = ui.checkbox(&mut checked, words);
            let response = match action {
                Some(action) => hinted(response, hint, action, 0),
                None => widgets::tooltip(response, hint, ""),
            };
            if response.clicked() {
                commands.push(Command::Camera(command));
            }
        };
    let words = match camera.follows {
        Some(name) => format!("Follow {}", text::clean_name(name)),
        None => "Follow the selected node, or the root".to_owned(),
    };
    toggle(
        ui,
        camera.follows.is_some(),
        &text::clean(&words, 40),
        "It stays where it is in the picture",
        Some(Action::Follow),
        CameraCommand::ToggleFollow,
    );
    ui.add_enabled_ui(camera.follows.is_some(), |ui| {
        ui.indent("follow", |ui| {
            toggle(
                ui,
                camera.follows_on_ground,
                "Over the ground only",
                "Up and down it moves in the picture",
                None,
                CameraCommand::ToggleFollowHeight,
            );
        });
    });
    toggle(
        ui,
        camera.flies,
        "Fly",
        "W A S D, Q down, E up; Shift: faster; wheel: speed",
        Some(Action::Fly),
        CameraCommand::ToggleFly,
    );
    let words = match camera.path {
        Some(path) => format!("Path of the root: {} units/s", figure(path.mean_speed)),
        None if view.statistics.crowd.is_some() => "Path of the root (not in a crowd)".to_owned(),
        None if view.clips.chosen.is_none() => "Path of the root".to_owned(),
        None => "Path of the root (it stays in place)".to_owned(),
    };
    ui.add_enabled_ui(camera.path.is_some(), |ui| {
        toggle(
            ui,
            camera.shows_path,
            &words,
            "Where the clip takes the root over the ground, and how fast",
            None,
            CameraCommand::TogglePath,
        );
    });
}

fn cameras_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let camera = &view.camera;
    caption(ui, "Cameras of the file");
    let mut row = |ui: &mut Ui, place: Option<usize>, words: &str| {
        let row = ui.selectable_label(camera.file_camera == place, text::clean(words, 40));
        if hinted(row, "Look through it", Action::CameraStep, 1).clicked() {
            commands.push(Command::Camera(CameraCommand::LookThrough(place)));
        }
    };
    row(ui, None, "Free");
    widgets::rows_in_sight(ui, camera.file_cameras.len(), |ui, place| {
        if let Some(name) = camera.file_cameras.get(place) {
            row(ui, Some(place), name);
        }
    });
}

fn caption(ui: &mut Ui, words: &str) {
    let weak = colors_of(ui).weak;
    ui.label(RichText::new(words).size(11.5).color(weak));
}

/// Says what it does, and by which key the same is done.
fn hinted(response: egui::Response, hint: &str, action: Action, which: usize) -> egui::Response {
    widgets::tooltip(response, hint, &written(action, which))
}
