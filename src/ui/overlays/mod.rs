//! What lies over the picture: a message, a file on its way, where to drop files; names of joints, who moves the vertex under the
//! pointer, which pose is held, the path of the root; and what a key has done.

pub mod echo;
pub mod influence_card;
pub mod joint_names;
mod message_box;
pub mod pose_note;
pub mod root_path;

use egui::{
    Align, Align2, Area, FontId, Frame, Id, LayerId, Layout, Margin, Order, Rect, Sense, Stroke,
    StrokeKind, Ui, pos2,
    text::{LayoutJob, TextWrapping},
    vec2,
};

use super::{
    Command, LoadKind, Loading, Message, SavingCommand, View, WindowCommand,
    keys::{Action, written},
    menus, text,
    theme::colors_of,
    widgets,
};
use message_box::message_ui;

/// The hint at the start: how files come in, and where all else is said.
const DROP_HINT: &str = "Drop a .glb, .gltf or .zip file here, or a folder";
/// For how long it stays.
const HINT_SECS: f64 = 6.0;
/// The name of the box of a message.
const MESSAGE: &str = "message";
const LOADING: &str = "loading";
const SAVING: &str = "saving";

/// For how long a message stays that goes by itself.
const PASSING_SECS: f64 = 12.0;

/// How often it is looked which keys are held, while files are held over the window.
const KEYS_PAUSE: std::time::Duration = std::time::Duration::from_millis(100);

/// In pictures that are at least as wide, messages leave room for what lies in the upper corners.
pub(super) const MIN_WIDTH_BETWEEN_CORNERS: f32 = 500.0;

/// What a note in the upper left corner takes at most.
const NOTE_WIDTH: f32 = 260.0;

/// In narrower pictures it is only said what a file beside the model is read for.
const MIN_WIDTH_FOR_STAGES: f32 = 420.0;

/// What the overlays themselves remember.
#[derive(Debug, Default)]
pub struct OverlayState {
    /// When the hint was first shown.
    hint_since: Option<f64>,
    hint_is_over: bool,
    /// Where the message was in the last frame.
    message: Option<Rect>,
    /// The message of which all is shown where that is a wish.
    unfolded: Option<Message>,
    /// What is said and goes by itself, and for how many seconds it was there with nobody on it.
    passing: Option<(Message, f64)>,
}

impl OverlayState {
    /// What a message leaves of a picture to a note in its upper left corner.
    pub fn below_message(&self, picture: Rect) -> Rect {
        let reach = picture.left() + NOTE_WIDTH;
        let message = self.message.filter(|message| message.left() < reach);
        message.map_or(picture, |message| {
            picture.with_min_y(picture.top().max(message.bottom()))
        })
    }

    /// Puts the hint at the start away: there is something else to read in its place.
    pub fn end_hint(&mut self) {
        self.hint_is_over = true;
    }

    /// Whether a message that goes by itself has been there for long enough. While the pointer is on it, it stays.
    fn is_over(&mut self, ui: &Ui, message: &Message, place: Rect) -> bool {
        let (elapsed, pointer) = ui.input(|input| {
            // A frame that comes late has been looked at no longer than others.
            let elapsed = f64::from(input.unstable_dt).min(1.0);
            (elapsed, input.pointer.hover_pos())
        });
        let is_read = pointer.is_some_and(|pointer| place.contains(pointer));
        let spent = match &mut self.passing {
            Some((known, spent)) if known == message => {
                *spent = if is_read { 0.0 } else { *spent + elapsed };
                *spent
            }
            passing => {
                *passing = Some((message.clone(), 0.0));
                0.0
            }
        };
        ui.request_repaint_after(std::time::Duration::from_millis(500));
        if spent >= PASSING_SECS {
            self.passing = None;
        }
        spent >= PASSING_SECS
    }
}

/// Where parts of the overlays are.
#[derive(Debug, Default)]
pub struct Placed {
    /// The message.
    pub message: Option<Rect>,
    /// The button in it.
    pub offer: Option<Rect>,
}

/// Draws what lies over the picture; messages begin at `top`.
pub fn overlays_ui(
    ui: &mut Ui,
    state: &mut OverlayState,
    view: &View<'_>,
    viewport: Rect,
    top: f32,
    commands: &mut Vec<Command>,
) -> Placed {
    let mut placed = Placed::default();
    if viewport.width() >= 60.0 && viewport.height() >= 40.0 {
        let mut top = top + 10.0;
        let is_narrow = viewport.width() < MIN_WIDTH_FOR_STAGES;
        // Esc stops what is saved before what is read.
        let cancel_keys = if view.saving.can_stop() {
            String::new()
        } else {
            written(Action::Close, 0)
        };
        for loading in view.loading.files {
            let cancel = Stop {
                name: "Cancel",
                hint: "Stop reading; what is shown stays",
                keys: &cancel_keys,
                command: Command::Window(WindowCommand::CancelLoading(Some(loading.kind))),
            };
            let &Loading { name, stage, .. } = loading;
            let doing = loading.kind.words();
            let progress = Progress {
                doing,
                name,
                stage: &match loading.kind {
                    LoadKind::Model => stage.to_owned(),
                    // The name is worth more than the stage.
                    _ if stage.is_empty() || is_narrow => doing.to_owned(),
                    _ => format!("{doing}: {stage}"),
                },
                fraction: Some(loading.fraction),
                stop: Some(cancel),
            };
            let id = (LOADING, doing);
            let rect = banner(ui, id, viewport, top, |ui| {
                progress_ui(ui, progress, commands);
            });
            top = rect.bottom() + 8.0;
        }
        if let Some((name, done, all)) = view.saving.job {
            let is_counted = view.saving.can_stop();
            let stop = Stop {
                name: "Stop",
                hint: "No file is left half written",
                keys: &written(Action::Close, 0),
                command: Command::Saving(SavingCommand::Stop),
            };
            let progress = Progress {
                doing: "Saving",
                name,
                stage: &if is_counted {
                    format!("Saving {done} / {all}")
                } else {
                    "Saving".to_owned()
                },
                fraction: is_counted.then(|| done as f32 / all as f32),
                stop: is_counted.then_some(stop),
            };
            let rect = banner(ui, SAVING, viewport, top, |ui| {
                progress_ui(ui, progress, commands);
            });
            top = rect.bottom() + 8.0;
        }
        if let Some(message) = view.message {
            let rect = banner(ui, MESSAGE, viewport, top, |ui| {
                let unfolded = &mut state.unfolded;
                placed.offer = message_ui(ui, unfolded, (message, view), viewport, commands);
            });
            placed.message = Some(rect);
            if message.passes && state.is_over(ui, message, rect) {
                commands.push(Command::ExpireMessage(message.clone()));
            }
        } else {
            // Who says it again says it anew.
            state.passing = None;
        }
        drop_ui(ui, state, view, viewport);
    }
    state.message = placed.message;
    placed
}

/// A box at the top of the picture.
fn banner(
    ui: &Ui,
    name: impl std::hash::Hash + std::fmt::Debug,
    viewport: Rect,
    top: f32,
    contents: impl FnOnce(&mut Ui),
) -> Rect {
    let beside = if viewport.width() >= MIN_WIDTH_BETWEEN_CORNERS {
        200.0
    } else {
        20.0
    };
    let width = (viewport.width() - beside).min(560.0);
    let colors = colors_of(ui);
    Area::new(banner_id(name))
        .order(Order::Middle)
        .fixed_pos(pos2(viewport.center().x - width / 2.0, top).round())
        .constrain(false)
        .movable(false)
        .show(ui.ctx(), |ui| {
            Frame::NONE
                .fill(colors.panel)
                .stroke(Stroke::new(1.0, colors.line))
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

/// What goes on aside.
struct Progress<'a> {
    /// In a word.
    doing: &'a str,
    name: &'a str,
    stage: &'a str,
    /// Of all that is to be done, if anybody knows.
    fraction: Option<f32>,
    stop: Option<Stop<'a>>,
}

/// How it is stopped.
struct Stop<'a> {
    name: &'a str,
    hint: &'a str,
    keys: &'a str,
    command: Command,
}

fn progress_ui(ui: &mut Ui, progress: Progress<'_>, commands: &mut Vec<Command>) {
    let colors = colors_of(ui);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if let Some(stop) = progress.stop {
            let button = ui.button(stop.name);
            if widgets::tooltip(button, stop.hint, stop.keys).clicked() {
                commands.push(stop.command);
            }
            ui.add_space(6.0);
        }
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = 5.0;
            let (rect, _) =
                ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
            let font = FontId::proportional(12.0);
            let stage = text::clean(progress.stage, 40).into_owned();
            let mut stage = LayoutJob::simple_singleline(stage, font, colors.weak);
            stage.wrap = TextWrapping::truncate_at_width(rect.width().max(0.0));
            let galley = ui.fonts_mut(|fonts| fonts.layout_job(stage));
            let stage = Align2::RIGHT_CENTER.align_size_within_rect(galley.size(), rect);
            ui.painter().galley(stage.min, galley, colors.weak);
            let name = rect.with_max_x((stage.left() - 10.0).max(rect.left() + 1.0));
            widgets::paint_name(ui, name, progress.name, colors.strong);
            let (bar, response) =
                ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
            ui.painter().rect_filled(bar, 2.0, colors.raised);
            let fraction = progress.fraction.filter(|fraction| fraction.is_finite());
            let fraction = fraction.unwrap_or_default().clamp(0.0, 1.0);
            let done =
                bar.with_max_x(bar.left() + (bar.width() * fraction).max(4.0).min(bar.width()));
            ui.painter().rect_filled(done, 2.0, colors.accent);
            response.widget_info(|| {
                let percent = fraction * 100.0;
                egui::WidgetInfo::labeled(
                    egui::Role::ProgressIndicator,
                    true,
                    format!("{}, {percent:.0}%", progress.doing),
                )
            });
        });
    });
}

/// Says how files are opened and where keys are listed: for a moment at the start. While a file is held over the window, it
/// says clearly where to drop it.
fn drop_ui(ui: &Ui, state: &mut OverlayState, view: &View<'_>, viewport: Rect) {
    let colors = colors_of(ui);
    let painter = ui.painter();
    let (now, hovers, pressed) = ui.input(|input| {
        (
            input.time,
            !input.raw.hovered_files.is_empty(),
            // Who knows a key needs no hint; what keys show may lie where it is.
            input.pointer.any_pressed() || !input.keys_down.is_empty(),
        )
    });
    if hovers {
        let inner = viewport.shrink(8.0);
        painter.rect(
            inner,
            10.0,
            colors.accent.gamma_multiply(0.12),
            Stroke::new(2.0, colors.accent),
            StrokeKind::Inside,
        );
        let words = match view.loading.drop_kind {
            LoadKind::Model | LoadKind::Environment => "Drop to open",
            LoadKind::Clips => "Drop to add the clips",
            LoadKind::Compared => "Drop to compare",
        };
        pill(ui, viewport.center(), viewport, None, (words, 1.0));
        // Keys go to the program that the files come from: nobody tells when they change.
        ui.request_repaint_after(KEYS_PAUSE);
        return;
    }
    if !view.loading.files.is_empty() || viewport.width() < 260.0 || viewport.height() < 120.0 {
        return;
    }
    // Where there is nothing else, that is what there is to say.
    let stays = view.instead_of_model().is_some();
    let is_over = state.hint_is_over || view.message.is_some();
    if is_over && !stays {
        return;
    }
    let since = *state.hint_since.get_or_insert(now);
    let left = HINT_SECS - (now - since);
    state.hint_is_over |= left <= 0.0 || pressed;
    if state.hint_is_over && !stays {
        return;
    }
    let strength = if stays {
        1.0
    } else {
        ((left / 0.4) as f32).clamp(0.0, 1.0)
    };
    let open = match (view.loading.can_drop, viewport.width() < 480.0) {
        (true, false) => DROP_HINT.to_owned(),
        (true, true) => "Drop a model here".to_owned(),
        (false, _) => format!("{}: open a model", written(Action::Open, 0)),
    };
    let words = format!("{open}   ·   {}: all keys", written(Action::Keys, 0));
    hint_ui(ui, viewport, &words, strength);
    if stays {
        return;
    }
    let next = if strength < 1.0 { 0.02 } else { left - 0.4 };
    ui.request_repaint_after(std::time::Duration::from_secs_f64(next.max(0.02)));
}

/// A line at the bottom of the picture, above the menus in the corners where it has no room between them.
pub(super) fn hint_ui(ui: &Ui, viewport: Rect, words: &str, strength: f32) {
    let up = match viewport.width() {
        _ if menus::camera::are_stacked(ui) => 90.0,
        width if width < 800.0 => 64.0,
        _ => 28.0,
    };
    let place = pos2(viewport.center().x, viewport.bottom() - up);
    // The menus are higher where they have a legend.
    let menus = ui.memory(|memory| memory.area_rect(Id::unique(menus::view::AREA)));
    pill(ui, place, viewport, menus, (words, strength));
}

/// Where a menu lies that is open.
fn open_menu(ui: &Ui) -> Option<Rect> {
    if !egui::Popup::is_any_open(ui.ctx()) {
        return None;
    }
    ui.memory(|memory| {
        let layers = memory.areas().visible_layer_ids();
        let menus = layers
            .iter()
            .filter(|layer| layer.order == Order::Foreground);
        menus
            .filter_map(|layer| memory.area_rect(layer.id))
            .reduce(Rect::union)
    })
}

/// Where the boxes at the top of the picture were in the last frame, if there were any.
fn banners_rect(ui: &Ui) -> Option<Rect> {
    let kinds = [
        LoadKind::Model,
        LoadKind::Compared,
        LoadKind::Clips,
        LoadKind::Environment,
    ];
    let loading = kinds.map(|kind| banner_id((LOADING, kind.words())));
    let ids = [banner_id(SAVING), banner_id(MESSAGE)];
    ui.memory(|memory| {
        let ids = loading.into_iter().chain(ids);
        let shown = ids.filter(|id| {
            let layer = LayerId::new(Order::Middle, *id);
            memory.areas().is_visible(&layer)
        });
        let rects = shown.filter_map(|id| memory.area_rect(id));
        rects.reduce(Rect::union)
    })
}

/// The id of a box at the top of the picture.
fn banner_id(name: impl std::hash::Hash + std::fmt::Debug) -> Id {
    Id::unique(("rigscope", name))
}

/// What has no room in a line has several, as many as there is room for. It stands within the picture, above the menus, and
/// below the boxes that it would cover, or above them where it has no room below.
fn pill(
    ui: &Ui,
    center: egui::Pos2,
    viewport: Rect,
    below: Option<Rect>,
    (words, strength): (&str, f32),
) {
    let colors = colors_of(ui);
    let color = colors.text.gamma_multiply(strength);
    let font = FontId::proportional(13.0);
    let width = (viewport.width() - 48.0).max(60.0);
    let line = ui.fonts_mut(|fonts| fonts.row_height(&font));
    let mut job = LayoutJob::simple(words.to_owned(), font, color, width);
    job.wrap.max_rows = (((viewport.height() - 12.0) / line) as usize).max(1);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let mut rect = Rect::from_center_size(center, galley.size() + vec2(24.0, 10.0));
    if let Some(below) = below.filter(|below| below.expand(4.0).intersects(rect)) {
        rect = rect.translate(vec2(0.0, below.top() - 6.0 - rect.bottom()));
    }
    let banners = banners_rect(ui).filter(|banners| banners.expand(4.0).intersects(rect));
    if let Some(banners) = banners {
        let lower = rect.translate(vec2(0.0, banners.bottom() + 6.0 - rect.top()));
        let upper = rect.translate(vec2(0.0, banners.top() - 6.0 - rect.bottom()));
        let has_room = |it: Rect| it.top() >= viewport.top() && it.bottom() <= viewport.bottom();
        rect = if !has_room(lower) && has_room(upper) {
            upper
        } else {
            lower
        };
    }
    rect = rect.translate(vec2(0.0, (viewport.bottom() - rect.bottom()).min(0.0)));
    rect = rect.translate(vec2(0.0, (viewport.top() - rect.top()).max(0.0)));
    // Beside a menu that is open.
    let menu = open_menu(ui);
    if let Some(menu) = menu.filter(|menu| menu.expand(4.0).intersects(rect)) {
        rect = rect.translate(vec2(menu.right() + 8.0 - rect.left(), 0.0));
        let most = ui.ctx().content_rect().right() - 8.0;
        rect = rect.translate(vec2((most - rect.right()).min(0.0), 0.0));
    }
    let edge = Stroke::new(1.0, colors.line.gamma_multiply(strength));
    let ground = colors.panel.gamma_multiply(0.9 * strength);
    // Over labels in the picture; where it has no room beside a menu that is open, over that; never over a dialog.
    let order = if menu.is_some() {
        Order::Tooltip
    } else {
        Order::Middle
    };
    let layer = LayerId::new(order, Id::unique("rigscope_pill"));
    let painter = ui.ctx().layer_painter(layer);
    painter.rect(
        rect,
        rect.height().min(30.0) / 2.0,
        ground,
        edge,
        StrokeKind::Inside,
    );
    let place = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect);
    painter.galley(place.min, galley, color);
}
