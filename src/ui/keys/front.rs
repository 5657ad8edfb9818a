//! Dialogs lie in front of everything: while one is there, nothing behind it sees the pointer; menus that are open go when one
//! comes; and what had the focus has it again when it goes.

use egui::{Context, Id, LayerId, Memory, PointerState, Popup};

use super::focus;
use crate::ui::{View, theme};

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
        || view.nodes.details.large.is_some()
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
        let focused = ctx.memory(Memory::focused);
        // What a menu led to goes back to its button.
        let had_focus = focused.map(|focused| focus::open_menu_button(ctx).unwrap_or(focused));
        ctx.data_mut(|data| data.insert_temp(had_focus_id(), had_focus));
        // A menu that is open would lie behind, and take the first Escape.
        Popup::close_all(ctx);
    }
    if is_covered && ctx.input(|input| input.pointer.any_pressed()) {
        // Who goes on with the pointer wants Space to play, and not to press what had the focus.
        ctx.data_mut(|data| data.remove::<Option<Id>>(had_focus_id()));
    }
    KeptPointer(is_covered.then(|| ctx.input_mut(|input| std::mem::take(&mut input.pointer))))
}

fn covered_id() -> Id {
    Id::unique("rigscope_is_covered")
}

fn had_focus_id() -> Id {
    Id::unique("rigscope_had_focus_behind")
}

/// Gives the focus back to what had it, once the dialog in front of that has gone. To be called when all is drawn: a control
/// that Tab led to in the dialog is the first that is drawn after it.
pub fn return_focus(ctx: &Context, view: &View<'_>) {
    let has_any = ctx
        .data(|data| data.get_temp::<Option<Id>>(had_focus_id()))
        .is_some();
    if !has_any || is_covered(view) {
        return;
    }
    // For egui the dialog is in front for one more frame, and takes the focus from all that lies behind.
    if !ctx.memory(|memory| memory.allows_interaction(LayerId::background())) {
        ctx.request_repaint();
        return;
    }
    let had_focus = ctx.data_mut(|data| data.remove_temp::<Option<Id>>(had_focus_id()));
    if let Some(had_focus) = had_focus.flatten() {
        focus::give_back(ctx, had_focus);
    }
}

/// Has what lies behind an open menu say nothing: its tooltips would lie over the menu. To be called before anything is drawn.
pub fn keep_tooltips(ctx: &Context) {
    let pos = ctx.input(|input| input.pointer.latest_pos());
    let under_pointer = pos.and_then(|pos| ctx.layer_id_at(pos));
    let is_behind = under_pointer.is_none_or(|layer| layer.order < egui::Order::Foreground);
    let is_quiet = is_behind && Popup::is_any_open(ctx);
    let [delay, grace] = if is_quiet {
        [f32::INFINITY, 0.0]
    } else {
        [theme::TOOLTIP_DELAY, theme::TOOLTIP_GRACE]
    };
    // Another theme comes with a delay of its own.
    if ctx.global_style().interaction.tooltip_delay != delay {
        ctx.all_styles_mut(|style| {
            style.interaction.tooltip_delay = delay;
            style.interaction.tooltip_grace_time = grace;
        });
    }
}

impl KeptPointer {
    /// What is drawn next sees it again.
    pub fn give_back(self, ctx: &Context) {
        if let Some(pointer) = self.0 {
            ctx.input_mut(|input| input.pointer = pointer);
        }
    }
}
