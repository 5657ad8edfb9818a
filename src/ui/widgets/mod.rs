//! What several panels share: widgets and icons; and how drags, the wheel, searches and scrolling work in all of them.

pub mod drag;
pub mod icons;
pub mod numbers;
pub mod scroll;
pub mod search;
pub mod section;
pub mod wheel;

use std::sync::Arc;

use egui::containers::menu::{MenuButton, MenuConfig, menu_style};
use egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use egui::widgets::text_edit::TextEditState;
use egui::{
    Align, Align2, FontId, Key, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, style::ScrollAnimation, vec2,
};

use super::{
    Command,
    keys::focus,
    text,
    theme::{self, colors_of},
};
use icons::Icon;

/// A square button with an icon; its label is read by screen readers and shown, with its key, as a tooltip.
pub struct IconButton<'a> {
    icon: Icon,
    label: &'a str,
    keys: String,
    side: f32,
    selected: Option<bool>,
    enabled: bool,
    prominent: bool,
}

impl<'a> IconButton<'a> {
    /// A button.
    pub fn new(icon: Icon, label: &'a str) -> Self {
        Self {
            icon,
            label,
            keys: String::new(),
            side: theme::BUTTON_SIDE,
            selected: None,
            enabled: true,
            prominent: false,
        }
    }

    /// The key that does the same.
    pub fn keys(mut self, keys: String) -> Self {
        self.keys = keys;
        self
    }

    /// Makes it a switch.
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = Some(selected);
        self
    }

    /// Whether it can be used now.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Its width and height.
    pub fn side(mut self, side: f32) -> Self {
        self.side = side;
        self
    }

    /// The one button of its group that is used most.
    pub fn prominent(mut self) -> Self {
        self.prominent = true;
        self
    }

    /// Draws it.
    pub fn show(self, ui: &mut Ui) -> Response {
        let sense = if self.enabled {
            Sense::click()
        } else {
            Sense::hover()
        };
        let (rect, response) = ui.allocate_exact_size(vec2(self.side, self.side), sense);
        let enabled = self.enabled && ui.is_enabled();
        response.widget_info(|| match self.selected {
            Some(selected) => WidgetInfo::selected(Role::Switch, enabled, selected, self.label),
            None => WidgetInfo::labeled(Role::Button, enabled, self.label),
        });
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &response, enabled);
        }
        tooltip(response, self.label, &self.keys)
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response, enabled: bool) {
        let colors = colors_of(ui);
        let is_hovered = enabled && response.hovered();
        let is_pressed = enabled && response.is_pointer_button_down_on();
        let is_on = self.selected == Some(true);
        let (ground, color) = if self.prominent && enabled {
            let ground = if is_hovered {
                colors.accent.gamma_multiply(0.88)
            } else {
                colors.accent
            };
            (Some(ground), colors.on_accent)
        } else if !enabled {
            (self.prominent.then_some(colors.raised), colors.disabled)
        } else if is_on {
            (Some(colors.accent_soft), colors.accent)
        } else if is_hovered || is_pressed {
            (Some(colors.hovered), colors.strong)
        } else {
            (None, colors.text)
        };
        let painter = ui.painter();
        let radius = if self.prominent {
            rect.height() / 2.0
        } else {
            f32::from(theme::RADIUS)
        };
        if let Some(ground) = ground {
            painter.rect_filled(rect, radius, ground);
        }
        if response.has_focus() || is_on && is_hovered {
            painter.rect_stroke(
                rect,
                radius,
                Stroke::new(1.0, colors.accent),
                StrokeKind::Inside,
            );
        }
        icons::paint(painter, rect, self.icon, color);
    }
}

/// One of several choices; `name` is what screen readers say of it.
pub fn radio(
    ui: &mut Ui,
    is_chosen: bool,
    words: impl Into<egui::WidgetText>,
    name: &str,
) -> Response {
    let button = ui.selectable_label(is_chosen, words.into());
    button.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, name));
    button
}

/// Menus stay until something beside them is clicked; what has the focus in them has the outline that it has elsewhere.
pub fn menu_config() -> MenuConfig {
    let style = |style: &mut egui::Style| {
        let outline = style.visuals.widgets.active.bg_stroke;
        menu_style(style);
        style.visuals.widgets.active.bg_stroke = outline;
    };
    MenuConfig::new()
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .style(style)
}

/// A button with a menu, in which Tab goes on where the pointer has opened it, too; closed by a key, it gives the focus back.
pub fn menu_button(ui: &mut Ui, menu: MenuButton<'_>, contents: impl FnOnce(&mut Ui)) -> Response {
    let (response, _) = menu.ui(ui, contents);
    focus::note_menu(ui.ctx(), &response);
    response
}

/// A button with a menu that stays until something beside it is clicked, and scrolls in low windows.
pub fn menu(
    ui: &mut Ui,
    button: egui::Button<'_>,
    width: f32,
    contents: impl FnOnce(&mut Ui),
) -> Response {
    let menu = MenuButton::from_button(button).config(menu_config());
    menu_button(ui, menu, |ui| {
        ui.set_min_width(width);
        let height = ui.ctx().content_rect().height() - 24.0;
        egui::ScrollArea::vertical()
            .max_height(height)
            // Menus are offered 400 points, which is too little for all of it.
            .min_scrolled_height(height)
            .show(ui, contents);
    })
}

/// A tooltip that names the key; also of what cannot be used now.
pub fn tooltip(response: Response, label: &str, keys: &str) -> Response {
    let contents = |ui: &mut Ui| {
        ui.horizontal(|ui| {
            ui.label(label);
            if !keys.is_empty() {
                key_cap(ui, keys);
            }
        });
    };
    response
        .on_hover_ui(contents)
        .on_disabled_hover_ui(contents)
}

/// A tooltip beside a row, where it does not hide the rows below.
pub fn row_tooltip(response: &Response, contents: impl FnOnce(&mut Ui)) {
    let mut tooltip = egui::Tooltip::for_enabled(response);
    tooltip.popup = tooltip.popup.align(egui::RectAlign::RIGHT_START).gap(10.0);
    tooltip.show(contents);
}

/// A key as it looks on a keyboard.
pub fn key_cap(ui: &mut Ui, keys: &str) -> Response {
    let colors = colors_of(ui);
    const ARROWS: [char; 4] = ['←', '→', '↑', '↓'];
    // Only the fixed-width font has arrows; what is held with them is written as on all keys.
    let (held, arrow) = keys.split_at(keys.find(ARROWS).unwrap_or(keys.len()));
    let mut job = LayoutJob::default();
    for (words, font, space) in [
        (held, FontId::proportional(12.0), 0.0),
        (arrow, FontId::monospace(12.0), 3.0),
    ] {
        let space = if job.is_empty() { 0.0 } else { space };
        if !words.is_empty() {
            job.append(words, space, TextFormat::simple(font, colors.text));
        }
    }
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let size = vec2((galley.size().x + 12.0).max(22.0), 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    painter.rect(
        rect,
        4.0,
        colors.raised,
        Stroke::new(1.0, colors.line),
        StrokeKind::Inside,
    );
    let place = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect);
    painter.galley(place.min, galley, colors.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, keys));
    response
}

/// Gives a field the focus, with the caret behind the text that is in it by now, wherever it was when it was last in use.
pub fn type_on(field: &Response, text: &str) {
    let mut state = TextEditState::load(&field.ctx, field.id).unwrap_or_default();
    let end = CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::one(end)));
    state.store(&field.ctx, field.id);
    field.request_focus();
}

/// A line to search with; Escape or its cross empties it.
pub fn search_field(ui: &mut Ui, query: &mut String, hint: &str) -> Response {
    let colors = colors_of(ui);
    let height = 26.0;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let mut field = ui.new_child(UiBuilder::new().max_rect(rect));
    let room_for_cross = if query.is_empty() { 6 } else { 26 };
    let response = field.put(
        rect,
        egui::TextEdit::singleline(query)
            .hint_text(egui::RichText::new(hint).color(colors.weak))
            .margin(egui::Margin {
                left: 26,
                right: room_for_cross,
                top: 4,
                bottom: 4,
            })
            .char_limit(200)
            .desired_width(f32::INFINITY),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, hint));
    icons::paint_sized(
        ui.painter(),
        egui::pos2(rect.left() + 14.0, rect.center().y),
        14.0,
        Icon::Search,
        colors.weak,
    );
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        query.clear();
    }
    if !query.is_empty() {
        let place = Rect::from_center_size(
            egui::pos2(rect.right() - 14.0, rect.center().y),
            vec2(18.0, 18.0),
        );
        let mut corner = ui.new_child(UiBuilder::new().max_rect(place));
        if IconButton::new(Icon::Cross, "Clear the search")
            .side(18.0)
            .show(&mut corner)
            .clicked()
        {
            query.clear();
        }
    }
    response
}

/// A row of a list that can be chosen: its ground is painted, its content is up to the caller.
pub fn row(ui: &mut Ui, selected: bool, label: impl Fn() -> String) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(
        vec2(ui.available_width(), theme::ROW_HEIGHT),
        Sense::click(),
    );
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, selected, label()));
    let colors = colors_of(ui);
    let ground = if selected {
        Some(colors.accent_soft)
    } else {
        response.hovered().then_some(colors.raised)
    };
    if let Some(ground) = ground {
        ui.painter()
            .rect_filled(rect, f32::from(theme::RADIUS), ground);
    }
    focus::outline(ui, &response, rect);
    focus::follow(ui, &response, rect);
    (rect, response)
}

/// Paints words in front of whatever lines go through their place, on the colour of the ground there.
pub fn paint_on_ground(
    painter: &egui::Painter,
    place: egui::Pos2,
    words: Arc<egui::Galley>,
    [color, ground]: [egui::Color32; 2],
) {
    let rect = Rect::from_min_size(place, words.size());
    painter.rect_filled(rect.expand2(vec2(3.0, 0.0)), 2.0, ground);
    painter.galley(place, words, color);
}

/// Paints a name from a file in one line, its middle left out where there is no room; returns whether it was.
pub fn paint_name(ui: &Ui, rect: Rect, name: &str, color: egui::Color32) -> bool {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let shown = shortened(ui, name, rect.width());
    let is_elided = shown != name;
    ui.painter()
        .with_clip_rect(rect.expand2(vec2(1.0, 4.0)).intersect(ui.clip_rect()))
        .text(rect.left_center(), Align2::LEFT_CENTER, shown, font, color);
    is_elided
}

/// What a list to choose from takes of its width beside the name that it shows.
pub const COMBO_ROOM: f32 = 40.0;

/// A name from a file as it fits into a room: its middle is left out, so that egui need not cut its end off.
pub fn shortened(ui: &Ui, name: &str, width: f32) -> String {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let clean = text::clean_name(name);
    let shown =
        ui.fonts_mut(|fonts| text::elide_middle(&clean, width, |c| fonts.glyph_width(&font, c)));
    shown.into_owned()
}

/// Text at one side of a room that fits `widest`, so that what follows does not move when digits change.
pub fn steady_label(
    ui: &mut Ui,
    shown: &str,
    (side, widest): (Align, &str),
    color: egui::Color32,
) -> Response {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let room = ui
        .painter()
        .layout_no_wrap(widest.to_owned(), font.clone(), color)
        .size();
    let galley = ui.painter().layout_no_wrap(shown.to_owned(), font, color);
    let size = vec2(room.x.max(galley.size().x), theme::BUTTON_SIDE);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let place = Align2([side, Align::Center]).align_size_within_rect(galley.size(), rect);
    ui.painter().galley(place.min, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, shown));
    response
}

/// Lays `first` out from the left and `last` at the right end of the room, both from left to right: in the order in which Tab
/// goes through them. What `last` takes is known from the frame before.
pub fn with_end<A, B>(
    ui: &mut Ui,
    commands: &mut Vec<Command>,
    first: impl FnOnce(&mut Ui, &mut Vec<Command>) -> A,
    last: impl FnOnce(&mut Ui, &mut Vec<Command>) -> B,
) -> (A, B) {
    let id = ui.scope_id().with("end");
    let known = ui.data(|data| data.get_temp::<f32>(id));
    let room = ui.available_rect_before_wrap();
    let width = known.unwrap_or_default().min(room.width());
    let middle = room.right() - width;
    let spacing = ui.spacing().item_spacing;
    let mut part = |rect: Rect| {
        let layout = Layout::left_to_right(Align::Center);
        let mut part = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
        part.spacing_mut().item_spacing = spacing;
        part
    };
    let first = first(&mut part(room.with_max_x(middle)), commands);
    let mut end = part(room.with_min_x(middle));
    let last = last(&mut end, commands);
    let taken = end.min_rect().right() - middle;
    if known.is_none_or(|known| (known - taken).abs() > 0.5) {
        ui.data_mut(|data| data.insert_temp(id, taken));
        ui.ctx()
            .request_discard("the end of a row has another width");
    }
    ui.advance_cursor_after_rect(room);
    (first, last)
}

/// Brings a row of a list into sight where the list itself lies in what scrolls, with the rows beside it as far as there is
/// room: one alone at an edge tells little.
pub fn scroll_to_row(ui: &Ui, row: Rect, list: Rect) {
    let room = 0.5 * (ui.clip_rect().height() - row.height());
    let around = room.floor().clamp(0.0, theme::ROW_HEIGHT);
    let rows = row.expand2(vec2(0.0, around)).intersect(list);
    ui.scroll_to_rect_animation(rows, None, ScrollAnimation::none());
}

/// Rows of a line of text each within a list that scrolls. Only those are made that are in sight: of thousands, each would be
/// laid out in every frame.
pub fn rows_in_sight(ui: &mut Ui, count: usize, mut row: impl FnMut(&mut Ui, usize)) {
    let spacing = ui.spacing();
    let text = ui.text_style_height(&egui::TextStyle::Button);
    let height = (text + 2.0 * spacing.button_padding.y).max(spacing.interact_size.y);
    let each = height + spacing.item_spacing.y;
    let (top, seen) = (ui.cursor().top(), ui.clip_rect());
    let place = |y: f32| ((y - top) / each).floor().max(0.0) as usize;
    let first = place(seen.top()).min(count);
    let end = place(seen.bottom()).saturating_add(1).clamp(first, count);
    ui.add_space(first as f32 * each);
    for index in first..end {
        row(ui, index);
    }
    ui.add_space((count - end) as f32 * each);
}
