//! What the picture shows of the model: what surrounds it, its bones and trails, what is hidden of it; and what the pointer means
//! there.

mod commands;
mod hiding;
mod influence_card;
mod picking;
mod quality;
mod selection;
mod skeleton;
mod surroundings;
mod trails;
mod variant;

#[cfg(test)]
pub(super) use picking::tests::TRIANGLE;

pub(super) use hiding::{HiddenNodes, Hiding};
pub(super) use skeleton::SkeletonState;
pub(super) use surroundings::Surroundings;
pub(super) use variant::ChosenVariant;
