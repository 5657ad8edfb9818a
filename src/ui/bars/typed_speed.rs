//! The speed as it is typed: with a comma or in percent, too; and what is said of one that cannot be taken as it is.

use egui::{Context, Id, Response, Ui};

use crate::anim::MAX_SPEED;
use crate::ui::{
    keys::Action,
    overlays::echo::{Line, Pressed},
};

/// A factor on the passing of time; none if it is no number.
pub(super) fn parse(typed: &str) -> Option<f64> {
    let typed = typed.trim().replace('\u{2212}', "-").replace(',', ".");
    let (number, unit) = match typed.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (typed.trim_end_matches(['×', 'x']), 1.0),
    };
    let number: f64 = number.trim().parse().ok()?;
    number.is_finite().then_some(number * unit)
}

/// Takes note of what was typed, and once that is done of what is to be said: that it is beyond the limits, time standing
/// still, or no number.
pub(super) fn note(ui: &Ui, field: &Response, typed: Option<String>) {
    let id = field.id.with("typed");
    if let Some(typed) = typed {
        ui.data_mut(|data| data.insert_temp(id, typed));
    }
    if !field.lost_focus() || ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        return;
    }
    let Some(typed) = ui.data_mut(|data| data.remove_temp::<String>(id)) else {
        return;
    };
    let pressed = match parse(&typed) {
        None => Pressed::Words("Not a speed: type a number such as 0.5, or 50%"),
        Some(speed) if speed.abs() > MAX_SPEED || speed == 0.0 => Pressed::Line(Line {
            action: Action::Speed,
            which: 0,
            is_done: true,
        }),
        Some(_) => return,
    };
    ui.data_mut(|data| data.insert_temp(said_id(), Some(pressed)));
}

/// What is to be said of a speed that was typed.
pub fn said(ctx: &Context) -> Option<Pressed> {
    let said: Option<Option<Pressed>> = ctx.data_mut(|data| data.remove_temp(said_id()));
    said.flatten()
}

fn said_id() -> Id {
    Id::unique("rigscope_typed_speed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_written_in_several_ways() {
        for (typed, speed) in [
            ("1.5", Some(1.5)),
            ("1,5", Some(1.5)),
            (" 50% ", Some(0.5)),
            ("\u{2212}25 %", Some(-0.25)),
            ("2×", Some(2.0)),
            ("2x", Some(2.0)),
            ("9", Some(9.0)),
            ("0", Some(0.0)),
            ("inf", None),
            ("fast", None),
            ("", None),
        ] {
            assert_eq!(parse(typed), speed, "{typed}");
        }
    }
}
