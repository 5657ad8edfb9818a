//! Pictures of textures: uploaded when others are chosen, small in their lines, larger in their section, and large over
//! everything.

use std::collections::HashMap;

use egui::{
    Color32, ColorImage, Id, Pos2, Rect, Role, Sense, Stroke, StrokeKind, TextureHandle, Ui,
    WidgetInfo, vec2,
};

use crate::ui::{
    Command, Details, InspectCommand, Picture,
    keys::{Action, written},
    text,
    theme::colors_of,
    widgets::tooltip,
};

/// Side of a square of the ground that shows through what is transparent.
const SQUARE: f32 = 6.0;
/// The greatest height of the picture in its section.
const MAX_HEIGHT: f32 = 150.0;

/// The pictures on the GPU.
#[derive(Default)]
pub struct Pictures {
    small: HashMap<usize, TextureHandle>,
    large: Option<TextureHandle>,
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pictures")
            .field("small", &self.small.len())
            .finish_non_exhaustive()
    }
}

impl Pictures {
    /// Uploads what is new, and drops what is not there any more.
    pub fn update(&mut self, ctx: &egui::Context, details: &Details) {
        // Kept by the context: a new one, after the device was lost, has none of them.
        let id = Id::unique("rigscope_pictures");
        if ctx.data(|data| data.get_temp(id)) == Some(details.generation) {
            return;
        }
        ctx.data_mut(|data| data.insert_temp(id, details.generation));
        let upload = |picture: &Picture| {
            let image = ColorImage::from_rgba_unmultiplied(picture.size, &picture.pixels);
            let name = format!("texture {}", picture.texture);
            ctx.load_texture(name, image, egui::TextureOptions::LINEAR)
        };
        let small = details.pictures.iter();
        self.small = small.map(|it| (it.texture, upload(it))).collect();
        self.large = details.large.as_ref().map(upload);
    }

    /// The picture of a texture.
    pub fn get(&self, texture: usize) -> Option<&TextureHandle> {
        self.small.get(&texture)
    }
}

/// Paints a picture into the middle of a room, over squares where it is transparent.
pub fn paint(ui: &Ui, room: Rect, picture: &TextureHandle) {
    let colors = colors_of(ui);
    let [width, height] = picture.size().map(|side| side as f32);
    let scale = (room.width() / width).min(room.height() / height);
    let rect = Rect::from_center_size(room.center(), vec2(width, height) * scale);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, Color32::from_gray(150));
    let squares = (rect.size() / SQUARE).ceil();
    if squares.x * squares.y < 4000.0 {
        for row in 0..squares.y as usize {
            for column in (row % 2..squares.x as usize).step_by(2) {
                let corner = rect.min + vec2(column as f32, row as f32) * SQUARE;
                let square = Rect::from_min_size(corner, vec2(SQUARE, SQUARE));
                painter.rect_filled(square, 0.0, Color32::from_gray(105));
            }
        }
    }
    let whole = Rect::from_min_max(Pos2::ZERO, egui::pos2(1.0, 1.0));
    painter.image(picture.id(), rect, whole, Color32::WHITE);
    let edge = Stroke::new(1.0, colors.line);
    painter.rect_stroke(rect, 0.0, edge, StrokeKind::Inside);
}

/// The picture of the texture that is shown; a click enlarges it.
pub fn picture_ui(
    ui: &mut Ui,
    pictures: &Pictures,
    texture: usize,
    name: &str,
    commands: &mut Vec<Command>,
) {
    let Some(picture) = pictures.get(texture) else {
        ui.weak("There is no picture of texels in blocks");
        return;
    };
    let [width, height] = picture.size().map(|side| side as f32);
    let across = ui.available_width();
    let high = (across * height / width.max(1.0)).clamp(24.0, MAX_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(vec2(across, high), Sense::click());
    response.widget_info(|| {
        let label = format!("Enlarge the picture of {}", text::clean_name(name));
        WidgetInfo::labeled(Role::Button, true, label)
    });
    paint(ui, rect, picture);
    if response.has_focus() || response.hovered() {
        let edge = Stroke::new(1.0, colors_of(ui).accent);
        ui.painter()
            .rect_stroke(rect, 2.0, edge, StrokeKind::Outside);
    }
    if response.on_hover_text("Enlarge").clicked() {
        commands.push(Command::Inspect(InspectCommand::Enlarge(true)));
    }
    ui.add_space(4.0);
}

/// The large picture, over everything, until a click or a key closes it.
pub fn large_ui(ui: &Ui, pictures: &Pictures, details: &Details, commands: &mut Vec<Command>) {
    let (Some(picture), Some((_, part))) = (&pictures.large, &details.texture) else {
        return;
    };
    let screen = ui.ctx().content_rect();
    let modal = egui::Modal::new(Id::unique("rigscope_large_picture"));
    let shown = modal.show(ui.ctx(), |ui| {
        let [width, height] = picture.size().map(|side| side as f32);
        let room = vec2(screen.width() - 60.0, screen.height() - 110.0).max(vec2(40.0, 40.0));
        // Small textures are enlarged, so that single texels can be seen.
        let scale = (room.x / width).min(room.y / height).min(8.0);
        let size = vec2(width, height) * scale;
        ui.set_width(size.x.max(200.0_f32.min(room.x)));
        ui.horizontal(|ui| {
            ui.strong(text::clean(&part.name, 60));
            if let Some(size) = part.facts.iter().find(|fact| fact.name == "Size") {
                ui.weak(&size.value);
            }
        });
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), size.y), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close the picture"));
        paint(ui, rect, picture);
        let keys = written(Action::Close, 0);
        tooltip(response, "Close the picture", &keys).clicked()
    });
    if shown.inner || shown.should_close() {
        commands.push(Command::Inspect(InspectCommand::Enlarge(false)));
    }
}
