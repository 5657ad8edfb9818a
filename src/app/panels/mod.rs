//! What the panels say, as plain values: rows of lists, details of what is chosen, what frames cost; and which dialog is in
//! front.

mod commands;
mod costs;
mod culprit;
mod details;
mod front;
mod key_times;
mod node_rows;
mod rows;

pub(super) use costs::{Costs, millis};
pub(super) use details::Inspected;
pub(super) use front::Front;
pub(super) use rows::Rows;
