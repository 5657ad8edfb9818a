//! How motion is shown: rows of the menu of views.

use egui::{DragValue, Ui};

use super::keys::{Action, written};
use super::{Command, view::MotionView};

/// The longest fade that can be set.
const LONGEST_FADE_SECS: f64 = 2.0;

/// Draws the rows.
pub fn motion_rows_ui(ui: &mut Ui, motion: MotionView, commands: &mut Vec<Command>) {
    let mut toggle = |is_on: bool, name: &str, hint: &str, action, command: Command| {
        let hint = format!("{hint} ({})", written(action, 0));
        let mut checked = is_on;
        if ui
            .checkbox(&mut checked, name)
            .on_hover_text(hint)
            .clicked()
        {
            commands.push(command);
        }
    };
    toggle(
        motion.dual_quaternions,
        "Dual quaternions",
        "Twisted limbs keep their width; other programs and games mostly do without",
        Action::DualQuaternions,
        Command::ToggleDualQuaternions,
    );
    toggle(
        motion.in_place,
        "In place",
        "Clips stay where they begin",
        Action::InPlace,
        Command::ToggleInPlace,
    );
    ui.horizontal(|ui| {
        let label = ui.label("Fade between clips");
        let mut secs = motion.fade_secs;
        let value = DragValue::new(&mut secs)
            .range(0.0..=LONGEST_FADE_SECS)
            .speed(0.01)
            .fixed_decimals(1)
            .suffix(" s");
        let hint = format!("0: clips change at once ({})", written(Action::Fade, 0));
        let response = ui.add(value).labelled_by(label.id).on_hover_text(hint);
        if response.changed() {
            commands.push(Command::SetFade(secs));
        }
    });
}
