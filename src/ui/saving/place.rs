//! The name of the file that is saved, and its folder.

use egui::{Id, Key, Label, RichText, TextEdit, Ui};

use super::{SavingCommand, View, colors_of, row_ui};

/// Draws both, and what is wrong with them. True if Enter was pressed in one of them.
pub(super) fn place_ui(ui: &mut Ui, view: &View<'_>, ask: &mut impl FnMut(SavingCommand)) -> bool {
    let saving = &view.saving;
    let mut was_entered = false;
    let mut field = |ui: &mut Ui, label: Id, text: &str, hint: &str| {
        let mut written = text.to_owned();
        let field = TextEdit::singleline(&mut written)
            .char_limit(1000)
            .desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label);
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
        if let Some(name) = field(ui, label, saving.file_name, hint) {
            ask(SavingCommand::SetFileName(name));
        }
    });
    row_ui(ui, "Folder", |ui, label| {
        let hint = format!("Where the file will be: {}", saving.folder);
        if let Some(folder) = field(ui, label, saving.folder, &hint) {
            ask(SavingCommand::SetFolder(folder));
        }
    });
    // Its line is there without it, too: the buttons stay where they are.
    let fault = RichText::new(saving.fault).color(colors_of(ui).warning);
    ui.add(Label::new(fault).wrap());
    was_entered
}
