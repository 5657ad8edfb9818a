//! A list to choose from by typing: the command palette, and the files that were opened before.

use egui::{
    Align2, Color32, Context, FontId, Id, Key, Modal, Modifiers, Role, ScrollArea, Ui, WidgetInfo,
    vec2,
};

use super::{Entry, Found};
use crate::ui::{
    Command, FilesCommand, Picker, View,
    keys::commands,
    overlays::echo::Pressed,
    palette, text,
    theme::{self, colors_of},
    widgets,
};

/// What was typed and what was found.
#[derive(Debug, Default)]
pub struct PickerState {
    open: Option<Picker>,
    typed: String,
    /// Where it is typed, once that was drawn.
    field: Option<Id>,
    chosen: usize,
    found: Found,
    /// What `found` is the answer to: what was typed, and of how many of which file.
    answered: Option<(String, [u64; 6])>,
    /// What was chosen in this frame, to say what it has done.
    pressed: Option<Pressed>,
}

/// Width, and height of the list.
const SIZE: egui::Vec2 = vec2(560.0, 380.0);
const ROW_HEIGHT: f32 = 26.0;

/// Takes note of which list is open, before keys are looked at: the field of one that was closed has the focus no more, which
/// it would keep until the end of the first frame without it.
pub fn follow(ctx: &Context, state: &mut PickerState, view: &View<'_>) {
    if state.open == view.files.picker {
        return;
    }
    if let Some(field) = state.field {
        ctx.memory_mut(|memory| memory.surrender_focus(field));
        commands::remember_focus(ctx);
    }
    *state = PickerState {
        open: view.files.picker,
        ..PickerState::default()
    };
}

/// Draws the list that is open, if any, in front of everything. Returns what was chosen.
pub fn picker_ui(
    ui: &Ui,
    state: &mut PickerState,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) -> Option<Pressed> {
    let picker = state.open?;
    let has_focus = |id| ui.memory(|memory| memory.has_focus(id));
    if !state.field.is_some_and(has_focus) {
        take_text(ui.ctx(), &mut state.typed);
    }
    let window = ui.ctx().content_rect().size();
    let size = SIZE.min(window - vec2(40.0, 170.0)).max(vec2(60.0, 30.0));
    let id = Id::unique("rigscope_picker");
    let shade = if ui.visuals().dark_mode { 110 } else { 60 };
    let area = Modal::default_area(id)
        .default_size(size)
        .anchor(Align2::CENTER_TOP, vec2(0.0, (window.y * 0.08).min(60.0)));
    let modal = Modal::new(id)
        .area(area)
        .frame(egui::Frame::popup(ui.style()).inner_margin(10))
        .backdrop_color(Color32::from_black_alpha(shade))
        .show(ui.ctx(), |ui| {
            ui.set_width(size.x);
            let Keys { moved, is_entered } = keys(ui, state);
            field_ui(ui, state, picker);
            let moved = answer(state, picker, view) || moved;
            // Only now: what was typed in the same frame counts.
            if is_entered && let Some(entry) = state.found.entries.get(state.chosen) {
                state.pressed = choose(*entry, state.open, view, commands);
            }
            ui.add_space(4.0);
            list_ui(ui, state, view, size.y, moved, commands);
            if picker == Picker::Recent {
                foot_ui(ui, view, commands);
            }
        });
    if modal.backdrop_response.clicked() {
        commands.push(Command::Files(FilesCommand::Pick(picker)));
    }
    state.pressed.take()
}

/// Takes what is typed before there is a field to type into.
pub fn take_text(ctx: &Context, typed: &mut String) {
    ctx.input_mut(|input| {
        input.events.retain(|event| match event {
            egui::Event::Text(text) => {
                typed.push_str(text);
                false
            }
            _ => true,
        });
    });
}

/// What keys have done.
struct Keys {
    /// Another one was chosen.
    moved: bool,
    is_entered: bool,
}

/// Arrows and Enter, before the field sees them.
fn keys(ui: &Ui, state: &mut PickerState) -> Keys {
    const PAGE: usize = 10;
    let last = state.found.entries.len().saturating_sub(1);
    let before = state.chosen;
    let mut is_entered = false;
    ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        if pressed(Key::ArrowDown) {
            state.chosen = if state.chosen >= last {
                0
            } else {
                state.chosen + 1
            };
        }
        if pressed(Key::ArrowUp) {
            state.chosen = state.chosen.checked_sub(1).unwrap_or(last);
        }
        if pressed(Key::PageDown) {
            state.chosen = (state.chosen + PAGE).min(last);
        }
        if pressed(Key::PageUp) {
            state.chosen = state.chosen.saturating_sub(PAGE);
        }
        is_entered = pressed(Key::Enter);
    });
    Keys {
        moved: before != state.chosen,
        is_entered,
    }
}

fn field_ui(ui: &mut Ui, state: &mut PickerState, picker: Picker) {
    let hint = match picker {
        Picker::Palette => "Find a command, a clip, a node, a file",
        Picker::Recent => "Find a file that was opened before",
    };
    let field = widgets::search_field(ui, &mut state.typed, hint);
    // There is nothing else to type into.
    state.field = Some(field.id);
    if !field.has_focus() {
        widgets::type_on(&field, &state.typed);
    }
}

/// Looks for what was typed, once, and again when there may be other things to find: then what was chosen stays chosen.
/// Returns whether the choice stands elsewhere now.
fn answer(state: &mut PickerState, picker: Picker, view: &View<'_>) -> bool {
    let counts = [
        view.model.generation,
        view.files.document,
        view.nodes.rows.len() as u64,
        view.clips.rows.len() as u64,
        view.files.recent.len() as u64,
        view.message.is_some().into(),
    ];
    let (is_same_text, is_same_list) = match &state.answered {
        Some((typed, counted)) => (*typed == state.typed, *counted == counts),
        None => (false, false),
    };
    if is_same_text && is_same_list {
        return false;
    }
    let before = std::mem::take(&mut state.found);
    let nothing = Found::default();
    let known = if is_same_list { &before } else { &nothing };
    state.found = palette::find(picker, &state.typed, view, known);
    state.answered = Some((state.typed.clone(), counts));
    if !is_same_text {
        state.chosen = 0;
        return true;
    }
    let place = state.chosen;
    let kept = before.entries.get(place).and_then(|chosen| {
        let mut entries = state.found.entries.iter();
        entries.position(|entry| entry == chosen)
    });
    let last = state.found.entries.len().saturating_sub(1);
    state.chosen = kept.unwrap_or_else(|| place.min(last));
    state.chosen != place
}

fn list_ui(
    ui: &mut Ui,
    state: &mut PickerState,
    view: &View<'_>,
    height: f32,
    moved: bool,
    commands: &mut Vec<Command>,
) {
    let colors = colors_of(ui);
    ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if state.found.entries.is_empty() {
                ui.add_space(8.0);
                let words = match state.open {
                    Some(Picker::Recent) if view.files.recent.is_empty() => {
                        "Files that you open are listed here"
                    }
                    _ => "Nothing of that name",
                };
                ui.vertical_centered(|ui| ui.colored_label(colors.weak, words));
            }
            for (place, entry) in state.found.entries.iter().enumerate() {
                let response = row_ui(ui, *entry, place == state.chosen, view);
                if moved && place == state.chosen {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    state.pressed = choose(*entry, state.open, view, commands);
                }
            }
        });
}

/// Name at the left; kind and key at the right. Of a command that does nothing now it is said why, in place of its kind.
fn row_ui(ui: &mut Ui, entry: Entry, is_chosen: bool, view: &View<'_>) -> egui::Response {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let why_not = entry.why_not(view);
    let enabled = why_not.is_none();
    let sense = if enabled {
        egui::Sense::CLICK
    } else {
        egui::Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(size, sense);
    let label = entry.label(view);
    let reason = why_not.as_ref().filter(|_| entry.is_idle(view));
    let kind = reason.map_or_else(|| entry.kind(view), Clone::clone);
    response.widget_info(|| {
        let said = match reason {
            Some(why) => format!("{label}: {why}"),
            None => label.to_string(),
        };
        let mut info = WidgetInfo::selected(Role::ListItem, enabled, is_chosen, said);
        info.enabled = enabled;
        info
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let colors = colors_of(ui);
    // What is said is read, however faint.
    let faint = if reason.is_some() {
        colors.weak
    } else {
        colors.disabled
    };
    let ground = if is_chosen && enabled {
        Some(colors.accent_soft)
    } else if is_chosen {
        Some(colors.raised)
    } else {
        (enabled && response.hovered()).then_some(colors.raised)
    };
    if let Some(ground) = ground {
        let radius = f32::from(theme::RADIUS);
        ui.painter().rect_filled(rect, radius, ground);
    }
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let keys = entry.keys();
    let mut right = inner.right();
    if !keys.is_empty() {
        let mut corner = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(inner)
                .layout(egui::Layout::right_to_left(egui::Align::Center)),
        );
        right = widgets::key_cap(&mut corner, &keys).rect.left() - 8.0;
    }
    let kind = shorten(ui, &kind, 12.0, 0.55 * inner.width());
    let kind = ui.painter().text(
        egui::pos2(right, inner.center().y),
        Align2::RIGHT_CENTER,
        kind,
        FontId::proportional(12.0),
        if enabled { colors.weak } else { faint },
    );
    let name = inner.with_max_x((kind.left() - 10.0).max(inner.left() + 20.0));
    let color = match (enabled, is_chosen) {
        (false, _) => faint,
        (true, true) => colors.strong,
        (true, false) => colors.text,
    };
    widgets::paint_name(ui, name, &label, color);
    match why_not {
        Some(why) => response.on_hover_text(why),
        None => response,
    }
}

fn shorten(ui: &Ui, words: &str, size: f32, width: f32) -> String {
    let font = FontId::proportional(size);
    ui.fonts_mut(|fonts| text::elide_middle(words, width, |c| fonts.glyph_width(&font, c)))
        .into_owned()
}

fn foot_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    if view.files.recent.is_empty() {
        return;
    }
    ui.add_space(4.0);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if ui.small_button("Forget all").clicked() {
            commands.push(Command::Files(FilesCommand::ForgetRecent));
        }
    });
}

/// Closes the list first: what was chosen may open another one. Returns what was chosen, for who says what it has done.
fn choose(
    entry: Entry,
    open: Option<Picker>,
    view: &View<'_>,
    commands: &mut Vec<Command>,
) -> Option<Pressed> {
    let picker = open.filter(|_| entry.why_not(view).is_none())?;
    let command = entry.command(view)?;
    commands.push(Command::Files(FilesCommand::Pick(picker)));
    commands.push(command);
    entry.pressed()
}
