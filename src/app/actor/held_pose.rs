//! Poses that no clip makes: the file's own, and that in which the skins were bound.

use glam::Affine3A;

use super::Actor;
use crate::{
    anim::{Arms, bind_pose, t_pose},
    scene::ReferencePose,
};

impl Actor {
    /// Takes a pose that does not depend on time: in place of a T pose that it cannot take, that of the skins.
    pub fn hold(&mut self, held: ReferencePose) {
        self.properties.pose(&self.model, None);
        match held {
            ReferencePose::Rest => {
                self.pose.reset(&self.model.hierarchy);
                self.held_weights.apply(&mut self.pose);
                let hierarchy = &self.model.hierarchy;
                self.pose.update_world(hierarchy, Affine3A::IDENTITY);
                self.settle_world();
            }
            ReferencePose::Bind => {
                bind_pose(&self.model, &mut self.pose);
                self.held_weights.apply(&mut self.pose);
                self.settle_world();
            }
            ReferencePose::Tee => match self.arms() {
                Ok(arms) => {
                    t_pose(&self.model, &arms, &mut self.pose);
                    self.held_weights.apply(&mut self.pose);
                    self.settle_world();
                }
                // Without skins that is the file's own.
                Err(_) => self.hold(ReferencePose::Bind),
            },
        }
    }

    /// Why the model cannot be put into the T pose, in words; none where it can.
    pub fn why_no_t_pose(&self) -> Option<&'static str> {
        self.arms().err()
    }

    /// The arms, found when they are first asked for.
    fn arms(&self) -> Result<Arms, &'static str> {
        self.arms.get_or_init(|| Arms::find(&self.model)).clone()
    }
}
