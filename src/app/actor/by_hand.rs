//! What the user has set of the pose, over what clips say.

use super::{Actor, mix::HeldWeights};
use crate::anim::posing::Offsets;

/// Morph weights that are held, and how nodes are posed by hand.
#[derive(Debug, Clone)]
pub(in crate::app) struct ByHand {
    weights: HeldWeights,
    offsets: Offsets,
}

impl Actor {
    /// The morph weights that are held.
    pub(in crate::app) fn held(&self) -> &HeldWeights {
        &self.held_weights
    }

    /// Holds others in their place from the next pose on; returns those of before.
    pub(in crate::app) fn swap_held(&mut self, held: HeldWeights) -> HeldWeights {
        std::mem::replace(&mut self.held_weights, held)
    }

    /// What is set now.
    pub(in crate::app) fn by_hand(&self) -> ByHand {
        ByHand {
            weights: self.held_weights.clone(),
            offsets: self.offsets.clone(),
        }
    }

    /// Puts this in its place, from the next pose on.
    pub(in crate::app) fn set_by_hand(&mut self, by_hand: ByHand) {
        self.held_weights = by_hand.weights;
        self.offsets = by_hand.offsets;
    }
}
