//! How motion is shown: rows of the menu of views.

use egui::{Checkbox, DragValue, Slider, SliderClamping, Ui};

use crate::ui::{
    Command, LONGEST_FADE_SECS, MotionCommand, MotionView,
    keys::{Action, written},
};

/// The largest crowd that the slider reaches; `--crowd` takes more.
const MAX_IN_CROWD: usize = 10_000;

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
        Command::Motion(MotionCommand::ToggleDualQuaternions),
    );
    toggle(
        motion.in_place,
        "In place",
        "Clips stay where they begin",
        Action::InPlace,
        Command::Motion(MotionCommand::ToggleInPlace),
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
            commands.push(Command::Motion(MotionCommand::SetFade(secs)));
        }
    });
    crowd_ui(ui, motion.crowd_size, commands);
    let mut plays_all = motion.crowd_plays_all;
    let is_crowd = motion.crowd_size > 1;
    let row = ui.add_enabled(
        is_crowd,
        Checkbox::new(&mut plays_all, "All clips in the crowd"),
    );
    let row = row.on_disabled_hover_text("The model is alone, and plays the selected clip");
    let row = row.on_hover_text("Each plays another clip; else all play the selected one");
    if row.clicked() {
        commands.push(Command::Motion(MotionCommand::ToggleCrowdClips));
    }
}

/// How many of the model there are. A large crowd takes a moment to gather, so it is asked for when the slider is let go.
fn crowd_ui(ui: &mut Ui, wanted: usize, commands: &mut Vec<Command>) {
    let wanted = wanted.max(1);
    ui.horizontal(|ui| {
        let label = ui.label("Crowd");
        let id = ui.scope_id().with("crowd");
        let held = ui.data(|data| data.get_temp::<Option<usize>>(id)).flatten();
        let mut count = held.unwrap_or(wanted);
        let slider = Slider::new(&mut count, 1..=MAX_IN_CROWD)
            .logarithmic(true)
            // Larger ones are left alone until it is moved.
            .clamping(SliderClamping::Edits);
        let hint = "So many of the model on a field, each somewhere else in the clip";
        let response = ui.add(slider).labelled_by(label.id).on_hover_text(hint);
        let is_held = response.dragged() && !response.drag_stopped();
        ui.data_mut(|data| data.insert_temp(id, is_held.then_some(count)));
        let is_asked = held.is_some() || response.changed();
        if is_asked && !is_held && count != wanted {
            commands.push(Command::Motion(MotionCommand::SetCrowdSize(count)));
        }
    });
}
