//! The name of the file that is saved, and its folder.

use std::{borrow::Cow, sync::Arc};

use egui::{
    Color32, Galley, Id, Key, Label, RichText, TextEdit, Ui, pos2,
    text::{CCursor, CCursorRange},
    text_edit::TextEditState,
};

use super::{colors_of, row_ui};
use crate::ui::{SavingCommand, SavingView, View, keys, text, widgets::search};

/// The field of the name, that of the folder, and that of a clip's name.
const FIELDS: [&str; 3] = ["name", "folder", "clip"];

/// One of [`FIELDS`].
pub(super) fn field_id(field: &str) -> Id {
    Id::unique("rigscope_saving").with(field)
}

/// Whether this is one of the fields in which something is named.
pub(super) fn is_field(id: Id) -> bool {
    FIELDS.into_iter().any(|field| id == field_id(field))
}

/// Gives the keyboard to the name of a box that has just been opened. Its stem is selected: what is typed takes its place, and
/// what says the kind stays. Before the field is drawn, which so has what is typed in this very frame.
fn take_keyboard(ui: &Ui, saving: &SavingView<'_>) {
    let id = field_id("name");
    if !ui.is_enabled() {
        // The box is only measured yet, and no field of it can have the focus: what is typed waits.
        let mut typed = Vec::new();
        ui.input_mut(|input| {
            input.events.retain(|event| {
                let is_typed = keys::late::is_typed(event);
                typed.extend(is_typed.then(|| event.clone()));
                !is_typed
            });
        });
        return keys::late::keep(ui.ctx(), typed);
    }
    if !search::is_new(ui, id) {
        return;
    }
    let ending = format!(".{}", saving.settings.kind.extension());
    let stem = saving.file_name.strip_suffix(&*ending);
    let end = stem.unwrap_or(saving.file_name).chars().count();
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let stem = CCursorRange::two(CCursor::new(0), CCursor::new(end));
    state.cursor.set_char_range(Some(stem));
    state.store(ui.ctx(), id);
    ui.memory_mut(|memory| memory.request_focus(id));
}

/// A text whose middle is left out where a field has no room for it; none where it has.
fn shortened(ui: &Ui, written: &str) -> Option<Arc<Galley>> {
    let font = egui::TextStyle::Body.resolve(ui.style());
    // Beside its frame.
    let room = ui.available_width() - 2.0 * ui.spacing().button_padding.x - 2.0;
    match ui.fonts_mut(|fonts| text::elide_middle(written, room, |c| fonts.glyph_width(&font, c))) {
        Cow::Borrowed(_) => None,
        Cow::Owned(short) => Some(
            ui.painter()
                .layout_no_wrap(short, font, Color32::PLACEHOLDER),
        ),
    }
}

/// Draws both, and what is wrong with them, or else what to know of the file. True if Enter was pressed in one of them.
pub(super) fn place_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(SavingCommand)) -> bool {
    let saving = &view.saving;
    let mut was_entered = false;
    take_keyboard(ui, saving);
    let mut field = |ui: &mut Ui, label: Id, id: Id, text: &str, hint: &str| {
        let mut written = text.to_owned();
        // Who types there sees what is around the cursor.
        let short = (!ui.memory(|memory| memory.has_focus(id)))
            .then(|| shortened(ui, text))
            .flatten();
        let field = TextEdit::singleline(&mut written)
            .id(id)
            .char_limit(1000)
            .text_color_opt(short.is_some().then_some(Color32::TRANSPARENT))
            .desired_width(f32::INFINITY)
            .show(ui);
        if let Some(short) = short {
            let color = ui.visuals().widgets.inactive.text_color();
            let place = pos2(field.text_clip_rect.left(), field.galley_pos.y);
            ui.painter().galley(place, short, color);
        }
        let field = field.response.response.labelled_by(label);
        was_entered |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let is_changed = field.changed();
        // Not below it, where the buttons are.
        let mut tooltip = egui::Tooltip::for_enabled(&field);
        tooltip.popup = tooltip.popup.align(egui::RectAlign::TOP_START);
        tooltip.show(|ui| ui.label(hint));
        is_changed.then_some(written)
    };
    row_ui(ui, "Name", |ui, label| {
        let hint = "What the file is called; a path, too";
        if let Some(name) = field(ui, label, field_id("name"), saving.file_name, hint) {
            ask(SavingCommand::SetFileName(name));
        }
    });
    row_ui(ui, "Folder", |ui, label| {
        let hint = format!("Where the file will be: {}", saving.folder);
        if let Some(folder) = field(ui, label, field_id("folder"), saving.folder, &hint) {
            ask(SavingCommand::SetFolder(folder));
        }
    });
    // Its line is there without it, too: the buttons stay where they are.
    let color = colors_of(ui).warning;
    let label = |words: &str| Label::new(RichText::new(words).color(color));
    ui.add(match saving.job {
        _ if !saving.fault.is_empty() => label(saving.fault).wrap(),
        Some((name, ..)) => {
            let words = format!("{} is still being saved.", text::clean_name(name));
            label(&words).truncate()
        }
        None => label(saving.seam).truncate(),
    });
    was_entered
}
