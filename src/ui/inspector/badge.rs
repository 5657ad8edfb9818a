//! How much is wrong with the file, beside its name: in low windows, or without the panel, the list is out of sight.

use egui::{FontId, Role, Sense, Ui, WidgetInfo, vec2};

use super::{InspectorState, is_of_motion, severity};
use crate::ui::{
    Command, InspectCommand, MessageKind, Panel, View,
    keys::focus,
    theme::{self, colors_of},
    widgets::{
        icons::{self, Icon},
        tooltip,
    },
};

/// Height of the badge, and of the icon in it.
const HEIGHT: f32 = 24.0;
const ICON: f32 = 14.0;

/// Draws the badge, if there are errors or warnings; a click brings the list into sight, with what it counts, and a key leads
/// into it.
pub fn badge_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let count = |kind, of_motion| {
        let mut rows = view.diagnostics.iter();
        rows.by_ref()
            .filter(|row| row.severity == kind && is_of_motion(row) == of_motion)
            .count()
    };
    let errors = count(MessageKind::Error, false);
    let warnings = count(MessageKind::Warning, false);
    let odd = count(MessageKind::Warning, true);
    let colors = colors_of(ui);
    let mut figures = Vec::new();
    for (kind, figure) in [
        (MessageKind::Error, errors),
        (MessageKind::Warning, warnings + odd),
    ] {
        let (icon, color) = severity(kind, colors);
        let is_of_motion = kind == MessageKind::Warning && warnings == 0;
        let icon = if is_of_motion { Icon::Pulse } else { icon };
        if figure > 0 {
            let font = FontId::proportional(12.5);
            let galley = ui.painter().layout_no_wrap(figure.to_string(), font, color);
            figures.push((icon, color, galley));
        }
    }
    if figures.is_empty() {
        return;
    }
    let widths = figures
        .iter()
        .map(|(.., galley)| ICON + 4.0 + galley.size().x + 7.0);
    let width = 6.0 + widths.sum::<f32>();
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click());
    let label = words(errors, warnings, odd);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &*label));
    let painter = ui.painter();
    let ground = if response.hovered() {
        colors.hovered
    } else {
        colors.raised
    };
    painter.rect_filled(rect, f32::from(theme::RADIUS), ground);
    focus::outline(ui, &response, rect);
    let mut at = rect.left_center() + vec2(6.0, 0.0);
    for (icon, color, galley) in figures {
        let size = galley.size();
        icons::paint_sized(painter, at + vec2(0.5 * ICON, 0.0), ICON, icon, color);
        painter.galley(at + vec2(ICON + 4.0, -0.5 * size.y), galley, color);
        at.x += ICON + 4.0 + size.x + 7.0;
    }
    if tooltip(response, &label, "").clicked() {
        commands.push(Command::Inspect(InspectCommand::ShowFindings));
    }
}

/// What the badge is called.
fn words(errors: usize, warnings: usize, odd: usize) -> String {
    let counted = |count: usize, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {what}{plural}"))
    };
    let counts = [counted(errors, "error"), counted(warnings, "warning")];
    let counts: Vec<_> = counts.into_iter().flatten().collect();
    let of_file = (!counts.is_empty()).then(|| format!("{} in this file", counts.join(", ")));
    let of_motion = (odd > 0).then(|| format!("{odd} in the motion of its clips"));
    let all: Vec<_> = of_file.into_iter().chain(of_motion).collect();
    format!("{}: show what is wrong", all.join(", "))
}

/// Takes the wish to see the list out of the commands: it is the inspector's own affair.
pub fn take_wish(
    ctx: &egui::Context,
    state: &mut InspectorState,
    is_drawn: bool,
    commands: &mut Vec<Command>,
) {
    let wish = Command::Inspect(InspectCommand::ShowFindings);
    let count = commands.len();
    commands.retain(|command| *command != wish);
    if commands.len() < count {
        // What has the focus tells nothing: the palette's field has it for who clicks a row, and none for who presses Enter.
        state.findings.show(!focus::is_pointed(ctx));
        if !is_drawn {
            commands.push(Command::TogglePanel(Panel::Inspector));
        }
        ctx.request_repaint();
    }
}
