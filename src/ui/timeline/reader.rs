//! What screen readers ask of things that are dragged along the axis: numbers, and steps.

use std::ops::RangeInclusive;

use egui::{
    Response, Ui,
    accesskit::{Action, ActionData},
};

/// Tells of a slider how far it goes and by which steps, which end where `snapped` says; returns where it is asked to be, if
/// it is.
pub fn asked_value(
    ui: &Ui,
    response: &Response,
    value: f64,
    range: RangeInclusive<f64>,
    (step, snapped): (f64, impl Fn(f64) -> f64),
) -> Option<f64> {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(*range.start());
        node.set_max_numeric_value(*range.end());
        node.set_numeric_value_step(step);
        for action in [Action::SetValue, Action::Increment, Action::Decrement] {
            node.add_action(action);
        }
    });
    ui.input(|input| {
        let steps = |action| input.num_accesskit_action_requests(response.id, action) as f64;
        let by_steps = (steps(Action::Increment) - steps(Action::Decrement)) * step;
        let values = input.accesskit_action_requests(response.id, Action::SetValue);
        let values = values.filter_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) => Some(value),
            _ => None,
        });
        let set = values.filter(|value| value.is_finite()).last();
        let wanted = set.or_else(|| (by_steps != 0.0).then(|| snapped(value + by_steps)))?;
        let (least, most) = range.into_inner();
        (least <= most).then(|| wanted.clamp(least, most))
    })
}
