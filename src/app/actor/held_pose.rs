//! Poses that no clip makes: the file's own, and that in which the skins were bound.

use super::Actor;
use crate::{anim::bind_pose, scene::ReferencePose};

impl Actor {
    /// Takes a pose that does not depend on time.
    pub fn hold(&mut self, held: ReferencePose) {
        self.properties.pose(&self.model, None);
        match held {
            ReferencePose::Rest => {
                self.pose.reset(&self.model.hierarchy);
                self.settle();
            }
            ReferencePose::Bind => {
                bind_pose(&self.model, &mut self.pose);
                self.held_weights.apply(&mut self.pose);
                self.settle_world();
            }
        }
    }
}
