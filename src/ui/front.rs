//! Dialogs lie in front of everything: while one is there, nothing behind it sees the pointer; and menus
//! that are open go when one comes.

use egui::{Context, PointerState, Popup};

use super::View;

/// The pointer, while it is kept from what lies behind a dialog.
///
/// Dialogs keep clicks to themselves, but a tooltip that is up would stay over one that a key opens: for egui it is enough that
/// the pointer rests where it was.
#[derive(Debug)]
pub struct KeptPointer(Option<PointerState>);

/// Whether a dialog is in front of everything.
pub fn is_covered(view: &View<'_>) -> bool {
    view.shown.keys
        || view.files.picker.is_some()
        || view.saving.is_open
        || view.saving.clash.is_some()
        || view.details.large.is_some()
}

/// Keeps the pointer from what is drawn next, if a dialog is in front of it.
pub fn keep_pointer(ctx: &Context, view: &View<'_>) -> KeptPointer {
    let is_covered = is_covered(view);
    let was_covered = ctx.data_mut(|data| {
        let was_covered = data.get_temp(covered_id());
        data.insert_temp(covered_id(), is_covered);
        was_covered == Some(true)
    });
    if is_covered && !was_covered {
        // A menu that is open would lie behind, and take the first Escape.
        Popup::close_all(ctx);
    }
    KeptPointer(is_covered.then(|| ctx.input_mut(|input| std::mem::take(&mut input.pointer))))
}

fn covered_id() -> egui::Id {
    egui::Id::unique("rigscope_is_covered")
}

impl KeptPointer {
    /// What is drawn next sees it again.
    pub fn give_back(self, ctx: &Context) {
        if let Some(pointer) = self.0 {
            ctx.input_mut(|input| input.pointer = pointer);
        }
    }
}
