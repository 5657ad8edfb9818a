//! What is on screen, put aside while something else is drawn.

use super::{look::Look, moment::Moment, plan::SavingPlan};
use crate::{
    anim::Clock,
    app::{Session, compare::ShownBefore, motion::Transition, posing::PosedAt},
};

/// What is on screen.
#[must_use = "it is to be taken up again"]
pub(super) struct PutAside {
    clock: Clock,
    moment: Moment,
    posed_at: Option<PosedAt>,
    transition: Transition,
    compared: ShownBefore,
    look: Look,
    aspects: [f32; 2],
}

impl Session {
    /// Shows what was to be saved at a moment, in pictures of `aspects`, and poses it. What was posed by hand is in it.
    pub(super) fn put_aside(
        &mut self,
        plan: &SavingPlan,
        moment: Moment,
        aspects: [f32; 2],
    ) -> PutAside {
        let aside = PutAside {
            clock: self.clock.clone(),
            moment: self.present_moment(),
            // Time comes back: it is not what ends a pose by hand.
            posed_at: self.posing.posed_at.take(),
            // What the clip fades in from is over.
            transition: std::mem::take(&mut self.transition),
            compared: self.show_kept(plan.pair.as_ref()),
            look: self.swap_look(plan.look.clone()),
            aspects: self.swap_aspects(aspects),
        };
        self.go_to(moment);
        self.update();
        aside
    }

    /// Shows what was on screen before.
    pub(super) fn take_up(&mut self, aside: PutAside) {
        let PutAside {
            clock,
            moment,
            posed_at,
            transition,
            compared,
            look,
            aspects,
        } = aside;
        self.swap_aspects(aspects);
        self.posing.posed_at = posed_at;
        self.swap_look(look);
        self.show_again(compared);
        self.go_to(moment);
        self.clock = clock;
        self.transition = transition;
        self.update();
    }
}
