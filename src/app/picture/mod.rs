//! What the picture shows of the model: its light, its bones and trails, what is hidden of it; and what the pointer means
//! there.

mod commands;
mod hiding;
mod influence_card;
mod lighting;
mod picking;
mod quality;
mod selection;
mod skeleton;
mod trails;

#[cfg(test)]
pub(super) use picking::tests::TRIANGLE;

pub(super) use hiding::{HiddenNodes, Hiding};
pub(super) use quality::QualityChooser;
pub(super) use skeleton::SkeletonState;
