//! What lies over the picture: a message, a file on its way, the list of keys, and where to drop files.

use egui::{
    Align, Align2, Area, Frame, Id, Layout, Margin, Order, Rect, RichText, Sense, Stroke,
    StrokeKind, Ui, pos2, vec2,
};

use super::icons::{self, Icon};
use super::keys::{self, Action, written};
use super::theme::palette;
use super::widgets::{self, IconButton};
use super::{Command, Loading, Message, Panel, View, inspector, text};

/// For how long the hint about dropping files stays.
const HINT_SECS: f64 = 6.0;

/// What the overlays themselves remember.
#[derive(Debug, Default)]
pub struct OverlayState {
    /// When the hint was first shown.
    hint_since: Option<f64>,
    hint_is_over: bool,
}

/// Draws what lies over the picture; returns the rectangle of the message.
pub fn overlays_ui(
    ui: &mut Ui,
    state: &mut OverlayState,
    view: &View<'_>,
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let mut message_rect = None;
    if viewport.width() >= 60.0 && viewport.height() >= 40.0 {
        let mut top = viewport.top() + 10.0;
        if let Some(loading) = &view.loading {
            let rect = banner(ui, "loading", viewport, top, |ui| {
                loading_ui(ui, loading, commands)
            });
            top = rect.bottom() + 8.0;
        }
        if let Some(message) = view.message {
            let rect = banner(ui, "message", viewport, top, |ui| {
                message_ui(ui, message, viewport, commands)
            });
            message_rect = Some(rect);
        }
        drop_ui(ui, state, view, viewport);
    }
    if view.shown.keys {
        keys_ui(ui, commands);
    }
    message_rect
}

/// A box at the top of the picture.
fn banner(ui: &Ui, name: &str, viewport: Rect, top: f32, contents: impl FnOnce(&mut Ui)) -> Rect {
    let width = (viewport.width() - 20.0).min(560.0);
    let colours = palette(ui);
    Area::new(Id::unique(("rigscope", name)))
        .order(Order::Middle)
        .fixed_pos(pos2(viewport.center().x - width / 2.0, top).round())
        .constrain(false)
        .movable(false)
        .show(ui.ctx(), |ui| {
            Frame::NONE
                .fill(colours.panel)
                .stroke(Stroke::new(1.0, colours.line))
                .corner_radius(8)
                .shadow(ui.visuals().popup_shadow)
                .inner_margin(Margin {
                    left: 14,
                    right: 8,
                    top: 8,
                    bottom: 9,
                })
                .show(ui, |ui| {
                    ui.set_width(width - 22.0);
                    contents(ui);
                });
        })
        .response
        .rect
}

fn message_ui(ui: &mut Ui, message: &Message, viewport: Rect, commands: &mut Vec<Command>) {
    let colours = palette(ui);
    let (icon, colour) = inspector::severity(message.kind, colours);
    let title = text::clean(&message.title, 200);
    ui.horizontal_top(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let close = IconButton::new(Icon::Cross, "Put the message away")
                .keys(written(Action::Close, 0));
            if close.side(24.0).show(ui).clicked() {
                commands.push(Command::DismissMessage);
            }
            if IconButton::new(Icon::Copy, "Copy the message")
                .side(24.0)
                .show(ui)
                .clicked()
            {
                ui.copy_text(format!(
                    "{title}\n{}",
                    text::clean_lines(&message.detail, 200)
                ));
            }
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(18.0, 24.0), Sense::hover());
                icons::paint(ui.painter(), rect, icon, colour);
                ui.vertical(|ui| {
                    ui.add_space(3.0);
                    ui.add(
                        egui::Label::new(RichText::new(title.as_ref()).color(colours.strong))
                            .selectable(true)
                            .wrap(),
                    );
                });
            });
        });
    });
    if message.detail.is_empty() {
        return;
    }
    let room = (viewport.height() - 80.0).clamp(20.0, 220.0);
    egui::ScrollArea::vertical()
        .id_salt("message")
        .max_height(room)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.add_space(24.0);
                let detail =
                    RichText::new(text::clean_lines(&message.detail, 100)).color(colours.text);
                ui.add(egui::Label::new(detail).selectable(true).wrap());
            });
        });
}

fn loading_ui(ui: &mut Ui, loading: &Loading<'_>, commands: &mut Vec<Command>) {
    let colours = palette(ui);
    let fraction = if loading.fraction.is_finite() {
        loading.fraction.clamp(0.0, 1.0)
    } else {
        0.0
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let cancel = ui.button("Cancel");
        if widgets::tooltip(
            cancel,
            "Stop loading; what is shown stays",
            &written(Action::Close, 0),
        )
        .clicked()
        {
            commands.push(Command::CancelLoading);
        }
        ui.add_space(6.0);
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = 5.0;
            let (rect, _) =
                ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
            let stage = ui.painter().text(
                rect.right_center(),
                Align2::RIGHT_CENTER,
                text::clean(loading.stage, 40),
                egui::FontId::proportional(12.0),
                colours.weak,
            );
            let name = rect.with_max_x((stage.left() - 10.0).max(rect.left() + 1.0));
            widgets::paint_name(ui, name, loading.name, colours.strong);
            let (bar, response) =
                ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
            ui.painter().rect_filled(bar, 2.0, colours.raised);
            let done =
                bar.with_max_x(bar.left() + (bar.width() * fraction).max(4.0).min(bar.width()));
            ui.painter().rect_filled(done, 2.0, colours.accent);
            response.widget_info(|| {
                let percent = fraction * 100.0;
                egui::WidgetInfo::labeled(
                    egui::Role::ProgressIndicator,
                    true,
                    format!("Loading, {percent:.0} %"),
                )
            });
        });
    });
}

/// Says where files can be dropped: for a moment at the start, and clearly while one is held over the window.
fn drop_ui(ui: &Ui, state: &mut OverlayState, view: &View<'_>, viewport: Rect) {
    let colours = palette(ui);
    let painter = ui.painter();
    let (now, hovers, pressed) = ui.input(|input| {
        (
            input.time,
            !input.raw.hovered_files.is_empty(),
            input.pointer.any_pressed(),
        )
    });
    if hovers {
        let inner = viewport.shrink(8.0);
        painter.rect(
            inner,
            10.0,
            colours.accent.gamma_multiply(0.12),
            Stroke::new(2.0, colours.accent),
            StrokeKind::Inside,
        );
        pill(ui, viewport.center(), "Drop to open", 1.0);
        return;
    }
    let is_quiet = view.can_drop && view.message.is_none() && view.loading.is_none();
    if state.hint_is_over || !is_quiet || viewport.width() < 260.0 || viewport.height() < 120.0 {
        return;
    }
    let since = *state.hint_since.get_or_insert(now);
    let left = HINT_SECS - (now - since);
    if left <= 0.0 || pressed {
        state.hint_is_over = true;
        return;
    }
    let strength = ((left / 0.4) as f32).clamp(0.0, 1.0);
    pill(
        ui,
        pos2(viewport.center().x, viewport.bottom() - 28.0),
        "Drop a .glb or .gltf file here",
        strength,
    );
    let next = if strength < 1.0 { 0.02 } else { left - 0.4 };
    ui.request_repaint_after(std::time::Duration::from_secs_f64(next.max(0.02)));
}

fn pill(ui: &Ui, center: egui::Pos2, words: &str, strength: f32) {
    let colours = palette(ui);
    let colour = colours.text.gamma_multiply(strength);
    let galley =
        ui.painter()
            .layout_no_wrap(words.to_owned(), egui::FontId::proportional(13.0), colour);
    let rect = Rect::from_center_size(center, galley.size() + vec2(24.0, 10.0));
    let edge = Stroke::new(1.0, colours.line.gamma_multiply(strength));
    let ground = colours.panel.gamma_multiply(0.9 * strength);
    ui.painter()
        .rect(rect, rect.height() / 2.0, ground, edge, StrokeKind::Inside);
    let place = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect);
    ui.painter().galley(place.min, galley, colour);
}

/// The list of keys, from the same table that acts on them.
fn keys_ui(ui: &Ui, commands: &mut Vec<Command>) {
    let window = ui.ctx().content_rect();
    let colours = palette(ui);
    let modal = egui::Modal::new(Id::unique("rigscope_keys"))
        .backdrop_color(egui::Color32::from_black_alpha(if view_is_dark(ui) {
            120
        } else {
            70
        }))
        .show(ui.ctx(), |ui| {
            let columns = if window.width() >= 760.0 { 2 } else { 1 };
            let width = (340.0 * columns as f32 + 24.0 * (columns - 1) as f32)
                .min(window.width() - 60.0)
                .max(40.0);
            ui.set_width(width);
            ui.horizontal(|ui| {
                ui.heading(RichText::new("Keys").color(colours.strong));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let close =
                        IconButton::new(Icon::Cross, "Close").keys(written(Action::Close, 0));
                    if close.side(24.0).show(ui).clicked() {
                        commands.push(Command::TogglePanel(Panel::Keys));
                    }
                });
            });
            ui.add_space(4.0);
            let room = (window.height() - 110.0).max(20.0);
            egui::ScrollArea::vertical()
                .max_height(room)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    if columns == 1 {
                        key_groups(ui, keys::TABLE);
                    } else {
                        ui.columns(2, |columns| {
                            key_groups(&mut columns[0], &keys::TABLE[..2]);
                            key_groups(&mut columns[1], &keys::TABLE[2..]);
                        });
                    }
                    pointer_ui(ui);
                });
        });
    if modal.backdrop_response.clicked() {
        commands.push(Command::TogglePanel(Panel::Keys));
    }
}

fn view_is_dark(ui: &Ui) -> bool {
    ui.visuals().dark_mode
}

fn key_groups(ui: &mut Ui, groups: &[(&str, &[keys::Binding])]) {
    let colours = palette(ui);
    for (name, bindings) in groups {
        ui.add_space(6.0);
        ui.label(RichText::new(*name).color(colours.accent).small());
        for binding in *bindings {
            ui.horizontal(|ui| {
                ui.set_min_height(24.0);
                ui.label(binding.description);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.spacing_mut().item_spacing.x = 3.0;
                    caps_ui(ui, binding);
                });
            });
        }
    }
}

/// Right to left.
fn caps_ui(ui: &mut Ui, binding: &keys::Binding) {
    let listed = &binding.keys[..binding.listed];
    let is_range = listed.len() > 4;
    for (place, shortcut) in listed.iter().enumerate().rev() {
        let is_inside = is_range && place > 0 && place + 1 < listed.len();
        if is_inside {
            if place == 1 {
                ui.weak("…");
            }
            continue;
        }
        let caps = shortcut.written();
        // Modifiers that several keys share are written once.
        let skipped = if place > 0 { caps.len() - 1 } else { 0 };
        for cap in caps[skipped..].iter().rev() {
            widgets::key_cap(ui, cap);
        }
    }
}

fn pointer_ui(ui: &mut Ui) {
    ui.add_space(10.0);
    ui.separator();
    ui.add_space(2.0);
    let colours = palette(ui);
    for (how, what) in [
        ("Drag", "turn"),
        ("Shift + drag, middle or right button", "move sideways"),
        ("Wheel, two fingers, pinch", "nearer or farther"),
        ("Double click", "fill the view with the model"),
        ("Tab, Enter", "next control, press it"),
    ] {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new(how).color(colours.text));
            ui.label(RichText::new(what).color(colours.weak));
        });
    }
}
