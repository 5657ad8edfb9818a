//! What is in the box of a message: title, detail, and what it offers.

use egui::{Align, Button, Layout, Rect, RichText, Sense, TextStyle, Ui, text::LayoutJob, vec2};

use crate::ui::{
    Command, Message, Offer, View, inspector,
    keys::{Action, written},
    text,
    theme::colors_of,
    widgets::{
        self, IconButton,
        icons::{self, Icon},
    },
};

/// In lower pictures a message would lie over the middle of what it is about: its detail waits for a click.
const MIN_HEIGHT_FOR_DETAIL: f32 = 340.0;

/// In narrower pictures what is offered would leave no room for the title beside it.
const MIN_WIDTH_FOR_OFFER: f32 = 420.0;

/// In narrower pictures there is no button to copy the message beside the title, and in those narrower yet none for more of it.
const MIN_WIDTH_FOR_COPY: f32 = 260.0;
const MIN_WIDTH_FOR_MORE: f32 = 140.0;

/// Lines of a detail that are shown at most, and copied.
const MAX_LINES: usize = 1000;
const MAX_COPIED_LINES: usize = 100_000;

/// What the edge of the box takes below what is in it, with a gap below that.
const EDGE: f32 = 16.0;
/// What a button below the detail takes of the height.
const OFFER_HEIGHT: f32 = 38.0;
/// What a line of the detail takes at least.
const LINE_HEIGHT: f32 = 24.0;

/// Whether no more is shown at first than a line.
fn is_short(message: &Message, view: &View<'_>, viewport: Rect) -> bool {
    // Who allows something has read what, and where there is no model nothing is hidden.
    let is_consent = matches!(message.offer, Some(Offer::OpenAnyway | Offer::AllowOnce));
    let is_low = viewport.height() < MIN_HEIGHT_FOR_DETAIL;
    is_low && !is_consent && !message.detail.is_empty() && view.instead_of_model().is_none()
}

/// Draws it; `unfolded` is the message of which all is shown, if anybody has asked for that. Returns where the button is, if
/// there is one.
pub fn message_ui(
    ui: &mut Ui,
    unfolded: &mut Option<Message>,
    (message, view): (&Message, &View<'_>),
    viewport: Rect,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let title = text::clean(&message.title, 200);
    let is_short = is_short(message, view, viewport);
    let has_more = is_short || !message.in_full.is_empty();
    let is_unfolded = has_more && unfolded.as_ref() == Some(message);
    let is_folded = is_short && !is_unfolded;
    let detail = if is_unfolded {
        message.whole_detail()
    } else {
        &message.detail
    };
    // What is left of the picture for what comes next, but for what is below that.
    let room_over = |ui: &Ui, below: f32| viewport.bottom() - ui.cursor().top() - EDGE - below;
    // Below other boxes there may be room for a line and nothing else.
    let is_one_line = room_over(ui, OFFER_HEIGHT) < LINE_HEIGHT;
    let least_width = match (is_one_line, is_short) {
        (true, _) => MIN_WIDTH_FOR_COPY,
        (false, true) => MIN_WIDTH_FOR_OFFER,
        (false, false) => f32::INFINITY,
    };
    let has_offer_beside = viewport.width() >= least_width;
    let has_offer_below = message.offer.is_some() && !has_offer_beside;
    let button = if has_offer_below { OFFER_HEIGHT } else { 0.0 };
    let room = |ui: &Ui| room_over(ui, button);
    let line = ui.text_style_height(&TextStyle::Body);
    let has_detail = !detail.is_empty() && !is_folded;
    let lines = if is_folded {
        1
    } else {
        let below = if has_detail { LINE_HEIGHT } else { 0.0 };
        (((room(ui) - below) / line) as usize).max(1)
    };
    let mut offer = None;
    ui.horizontal_top(|ui| {
        // From the right, so that the title has what the buttons leave.
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            close_ui(ui, commands);
            if !is_folded && viewport.width() >= MIN_WIDTH_FOR_COPY {
                copy_ui(ui, message, &title);
            }
            if has_more && viewport.width() >= MIN_WIDTH_FOR_MORE {
                let words = if is_unfolded { "Less" } else { "More" };
                let button = ui.button(words);
                let button = button.on_hover_ui(|ui| {
                    let more = text::clean_lines(message.whole_detail(), 12);
                    ui.label(match (is_unfolded, is_short) {
                        (false, _) => &*more,
                        (true, true) => "The title alone",
                        (true, false) => "The beginning alone",
                    });
                });
                if button.clicked() {
                    *unfolded = (!is_unfolded).then(|| message.clone());
                }
            }
            if has_offer_beside {
                offer = offer_ui(ui, message, commands);
            }
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                message_title_ui(ui, message, &title, lines);
            });
        });
    });
    let room = room(ui);
    if has_detail && room >= line {
        detail_ui(ui, detail, room.min(220.0));
    }
    if !has_offer_below {
        return offer;
    }
    ui.add_space(6.0);
    let button = ui.horizontal(|ui| {
        ui.add_space(20.0);
        offer_ui(ui, message, commands)
    });
    button.inner
}

/// The button of what is offered, if anything is; returns where it is.
fn offer_ui(ui: &mut Ui, message: &Message, commands: &mut Vec<Command>) -> Option<Rect> {
    let offer = message.offer?;
    let button = ui.add(Button::new(offer.label()).truncate());
    let button = widgets::tooltip(button, offer.explanation(), &written(Action::Accept, 0));
    if button.clicked() {
        commands.push(Command::AcceptOffer);
    }
    Some(button.rect)
}

/// Puts the message away.
fn close_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    let close =
        IconButton::new(Icon::Cross, "Put the message away").keys(written(Action::Close, 0));
    if close.side(24.0).show(ui).clicked() {
        commands.push(Command::DismissMessage);
    }
}

fn copy_ui(ui: &mut Ui, message: &Message, title: &str) {
    let copy = IconButton::new(Icon::Copy, "Copy the message");
    if copy.side(24.0).show(ui).clicked() {
        let detail = text::clean_lines(message.whole_detail(), MAX_COPIED_LINES);
        ui.copy_text(format!("{title}\n{detail}"));
    }
}

/// The title in so many lines at most; what has no room in them is said where the pointer is.
fn message_title_ui(ui: &mut Ui, message: &Message, title: &str, lines: usize) {
    let colors = colors_of(ui);
    let (icon, color) = inspector::severity(message.kind, colors);
    let (rect, _) = ui.allocate_exact_size(vec2(18.0, 24.0), Sense::hover());
    icons::paint(ui.painter(), rect, icon, color);
    ui.vertical(|ui| {
        ui.add_space(3.0);
        let font = TextStyle::Body.resolve(ui.style());
        let mut title = LayoutJob::simple(title.to_owned(), font, colors.strong, f32::INFINITY);
        title.wrap.max_rows = lines;
        let title = egui::Label::new(title).selectable(true);
        ui.add(if lines == 1 {
            title.truncate()
        } else {
            title.wrap()
        });
    });
}

/// The detail, which scrolls where it is higher than `room`.
fn detail_ui(ui: &mut Ui, detail: &str, room: f32) {
    let colors = colors_of(ui);
    egui::ScrollArea::vertical()
        .id_salt("message")
        .max_height(room)
        // Else a long text would grow by a few lines a frame, and the button below it move away from the pointer.
        .min_scrolled_height(room)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.add_space(20.0);
                let detail = RichText::new(text::clean_lines(detail, MAX_LINES)).color(colors.text);
                ui.add(egui::Label::new(detail).selectable(true).wrap());
            });
        });
}
