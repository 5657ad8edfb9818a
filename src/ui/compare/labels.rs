//! Which is which: a label for A and for B where each is seen, and the line between them.

use egui::{
    Align2, Area, Color32, CursorIcon, FontId, Id, Order, Rect, Role, Sense, Stroke, Ui,
    WidgetInfo, pos2, text::LayoutJob, vec2,
};

use crate::scene::{FIRST_GHOST_COLOR, GHOST_COLOR, Split, SplitWay};
use crate::ui::{
    Command, CompareCommand, View, menus, text, theme::colors_of, viewport::gimbal, widgets,
};

/// How near to the line the pointer takes hold of it.
const GRIP_WIDTH: f32 = 13.0;
/// What surrounds the buttons of the bar.
const BAR_MARGIN: f32 = 4.0;
/// How far a key moves it, as a part of the width.
const LINE_STEP: f32 = 0.05;
const LABEL_HEIGHT: f32 = 24.0;
/// What lies in the upper right corner keeps this much.
const GIMBAL: egui::Vec2 = vec2(104.0, 108.0);
/// Where a label has less room beside that, it stands below.
const MIN_BESIDE: f32 = 130.0;
const MIN_LABEL_WIDTH: f32 = 30.0;
/// Less leaves no room for a name: the letter says it alone.
const MIN_NAMED_WIDTH: f32 = 64.0;
/// What the text of a label keeps free of its width, beside the letter.
const BESIDE_TEXT: f32 = 16.0;
/// A note that does not fit beside a name has as many lines below it at most.
const MAX_NOTE_LINES: usize = 3;
/// What a row of menus at the bottom keeps, and those that lie above one another on the right.
const MENUS_HEIGHT: f32 = 42.0;
const MENUS_WIDTH: f32 = 94.0;

/// The line between A and B, to be dragged but where the `bar` lies.
pub(super) fn line_ui(
    ui: &Ui,
    view: &View<'_>,
    viewport: Rect,
    bar: Rect,
    commands: &mut Vec<Command>,
) {
    if view.compare.split.way == SplitWay::Overlay {
        return;
    }
    let colors = colors_of(ui);
    let x = view.compare.line_x(viewport);
    ui.painter().vline(
        x,
        viewport.y_range(),
        Stroke::new(2.0, colors.strong.gamma_multiply(0.8)),
    );
    let grip = Rect::from_center_size(
        pos2(x, viewport.center().y),
        vec2(GRIP_WIDTH, viewport.height()),
    )
    .intersect(viewport);
    let bar = bar.expand(BAR_MARGIN);
    let grip = if bar.intersects(grip) {
        grip.with_min_y(bar.bottom().min(grip.bottom()))
    } else {
        grip
    };
    Area::new(Id::unique("rigscope_split_line"))
        .order(Order::Middle)
        .fixed_pos(grip.min)
        .constrain(false)
        .movable(false)
        .show(ui.ctx(), |ui| {
            let (rect, response) = ui.allocate_exact_size(grip.size(), Sense::click_and_drag());
            let at = view.compare.split.line();
            response
                .widget_info(|| WidgetInfo::slider(true, f64::from(at), "Line between A and B"));
            let is_held = response.dragged() || response.hovered() || response.has_focus();
            let height = rect.height().min(34.0);
            let handle = Rect::from_center_size(rect.center(), vec2(7.0, height));
            let color = if is_held {
                colors.accent
            } else {
                colors.strong
            };
            ui.painter().rect_filled(handle, 3.5, color);
            if response.dragged() || response.hovered() {
                ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
            }
            let stepped = at + LINE_STEP * steps_by_key(ui, &response);
            if stepped != at {
                commands.push(Command::Compare(CompareCommand::MoveLine(stepped)));
            } else if response.double_clicked() {
                commands.push(Command::Compare(CompareCommand::MoveLine(0.5)));
            } else if response.dragged()
                && let Some(pointer) = response.interact_pointer_pos()
                && viewport.width() > 0.0
            {
                let split = view.compare.split;
                let at = (pointer.x - viewport.left()) / viewport.width();
                // As far as it goes: what would change nothing is not asked for again and again.
                let moved = Split { at, ..split }.line();
                if moved != split.at {
                    commands.push(Command::Compare(CompareCommand::MoveLine(moved)));
                }
            }
            response.on_hover_text(
                "Drag, or left and right: more of A or of B; double click: the middle",
            );
        });
}

/// How many steps left (negative) and right ask for while the line has the focus.
fn steps_by_key(ui: &Ui, response: &egui::Response) -> f32 {
    if !response.has_focus() {
        return 0.0;
    }
    let filter = egui::EventFilter {
        horizontal_arrows: true,
        ..Default::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input_mut(|input| {
        let mut presses = |key| input.count_and_consume_key(egui::Modifiers::NONE, key) as f32;
        presses(egui::Key::ArrowRight) - presses(egui::Key::ArrowLeft)
    })
}

/// Says what A and B are, each at the top of its part; returns the lower edge of A's.
pub(super) fn labels_ui(ui: &Ui, view: &View<'_>, viewport: Rect, bar: Rect) -> f32 {
    let compare = &view.compare;
    let is_overlaid = compare.split.way == SplitWay::Overlay;
    let top = bar.bottom() + 10.0;
    let seen = compare.seen(viewport);
    let mut bottom = top;
    // Over one another they stand in two rows, and in low pictures beside each other.
    let second_row = top + LABEL_HEIGHT + 3.0;
    let has_rows = viewport.bottom() - MENUS_HEIGHT - second_row >= LABEL_HEIGHT;
    for index in [0, 1] {
        let part = match seen[index] {
            half if !is_overlaid || has_rows => half,
            whole if index == 0 => whole.with_max_x(whole.center().x),
            whole => whole.with_min_x(whole.center().x),
        };
        let is_below = is_overlaid && has_rows && index == 1;
        let mut min = pos2(part.left() + 8.0, if is_below { second_row } else { top });
        let mut right = part.right() - 8.0;
        if part.right() >= viewport.right() - 1.0 {
            let beside = viewport.right() - GIMBAL.x;
            let below = min.y.max(viewport.top() + GIMBAL.y);
            match () {
                () if !gimbal::has_room(viewport) => {}
                () if beside - min.x >= MIN_BESIDE => right = beside,
                () => min.y = below,
            }
        }
        // One menu may lie above the others, and in low pictures the label beside it.
        let is_stacked = menus::camera::are_stacked(ui);
        let above = |rows: f32| viewport.bottom() - rows * MENUS_HEIGHT - min.y;
        let mut height = above(if is_stacked { 2.0 } else { 1.0 });
        if height < LABEL_HEIGHT && is_stacked {
            right = right.min(viewport.right() - MENUS_WIDTH);
            height = above(1.0);
        }
        let most = right - min.x;
        if most < MIN_LABEL_WIDTH || height < LABEL_HEIGHT {
            continue;
        }
        let note = if index == 1 { compare.note } else { "" };
        let rect = label_ui(
            ui,
            index,
            compare.names[index],
            note,
            Rect::from_min_size(min, vec2(most, height)),
        );
        bottom = bottom.max(rect.bottom());
    }
    bottom
}

/// A letter on its colour, a name, and what there is to note about it; returns where they are.
fn label_ui(ui: &Ui, index: usize, name: &str, note: &str, room: Rect) -> Rect {
    let colors = colors_of(ui);
    let letter = ["A", "B"][index];
    let name = text::clean_name(name);
    let words = if note.is_empty() {
        name.clone().into_owned()
    } else {
        format!("{name} · {note}")
    };
    // That in which names are painted.
    let font = egui::TextStyle::Body.resolve(ui.style());
    let width_of = |words: &str| {
        let galley = ui
            .painter()
            .layout_no_wrap(words.to_owned(), font.clone(), colors.text);
        galley.size().x.ceil() + LABEL_HEIGHT + BESIDE_TEXT
    };
    // Where a line has no room for both, the note goes below; where there is no room below, the name counts.
    let is_whole = width_of(&words) <= room.width();
    let lines = (room.height() - LABEL_HEIGHT) / ui.text_style_height(&egui::TextStyle::Body);
    let lines = (lines.max(0.0) as usize).min(MAX_NOTE_LINES);
    let is_named = room.width() >= MIN_NAMED_WIDTH;
    let below = (is_named && !is_whole && !note.is_empty() && lines > 0).then(|| {
        let note = text::clean_name(note).into_owned();
        let width = room.width() - LABEL_HEIGHT - BESIDE_TEXT;
        let mut job = LayoutJob::simple(note, font.clone(), colors.text, width);
        job.wrap.max_rows = lines;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    });
    let shown = if is_whole { &*words } else { &*name };
    let [note_width, note_height] = below.as_ref().map_or([0.0; 2], |it| {
        [it.size().x + LABEL_HEIGHT + BESIDE_TEXT, it.size().y]
    });
    let width = if is_named {
        width_of(shown).max(note_width).min(room.width())
    } else {
        LABEL_HEIGHT
    };
    let rect = Rect::from_min_size(room.min, vec2(width, LABEL_HEIGHT + note_height));
    Area::new(Id::unique(("rigscope_compared", index)))
        .order(Order::Middle)
        .fixed_pos(rect.min)
        .constrain(false)
        .movable(false)
        .show(ui.ctx(), |ui| {
            let (rect, response) = ui.allocate_exact_size(rect.size(), Sense::hover());
            let said = format!("{letter}: {words}");
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
            let painter = ui.painter();
            painter.rect_filled(rect, 5.0, colors.panel.gamma_multiply(0.9));
            let square = Rect::from_min_size(rect.min, vec2(LABEL_HEIGHT, LABEL_HEIGHT));
            painter.rect_filled(square, 5.0, letter_color(index));
            let ink = Color32::from_rgb(20, 22, 26);
            let letter_font = FontId::proportional(15.0);
            painter.text(
                square.center(),
                Align2::CENTER_CENTER,
                letter,
                letter_font,
                ink,
            );
            let rest = square
                .with_min_x(square.right() + 7.0)
                .with_max_x(rect.right() - 5.0);
            if is_named {
                widgets::paint_name(ui, rest, shown, colors.strong);
            }
            if let Some(note) = below {
                painter.galley(rest.left_bottom() - vec2(0.0, 4.0), note, colors.text);
            }
            response.on_hover_text(said);
        });
    rect
}

/// A is blue, B is purple: as ghosts are.
fn letter_color(index: usize) -> Color32 {
    let [red, green, blue, _] = [FIRST_GHOST_COLOR, GHOST_COLOR][index];
    let [red, green, blue] = [red, green, blue].map(|channel| (channel * 255.0).round() as u8);
    Color32::from_rgb(red, green, blue)
}
