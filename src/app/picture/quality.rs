//! Who has chosen what the picture may cost: the user, or, until then, the machine.

use super::surroundings::Surroundings;
use crate::{
    app::{Session, messages::Topic},
    scene::Quality,
    ui::{Message, Offer},
};

/// Who has chosen the quality of light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum QualityChooser {
    /// Nobody yet: it is full.
    #[default]
    Nobody,
    /// There is no graphics adapter, so it is low.
    Machine,
    /// The user, now or at another time.
    User,
}

impl Surroundings {
    /// Leaves the quality as it is from now on, whatever the machine.
    pub(in crate::app) fn settle_quality(&mut self) {
        self.quality_chooser = QualityChooser::User;
    }

    /// Whether the user has chosen it.
    pub(in crate::app) fn is_quality_settled(&self) -> bool {
        self.quality_chooser == QualityChooser::User
    }

    /// Whether light is simple although nobody asked for that.
    pub(in crate::app) fn is_light_simple_by_itself(&self) -> bool {
        self.quality_chooser == QualityChooser::Machine
    }

    /// Chooses what the machine can draw quickly, unless the user has chosen.
    fn suit_adapter(&mut self, is_software: bool) {
        self.misses_adapter &= is_software;
        if is_software && self.quality_chooser == QualityChooser::Nobody {
            log::info!("simple light: no graphics adapter draws");
            self.light.quality = Quality::Low;
            self.quality_chooser = QualityChooser::Machine;
        } else if !is_software && self.quality_chooser == QualityChooser::Machine {
            // One that was lost is back.
            self.light.quality = Quality::Full;
            self.quality_chooser = QualityChooser::Nobody;
        }
    }
}

impl Session {
    /// Chooses what the machine can draw quickly, unless the user has chosen.
    pub(in crate::app) fn suit_adapter(&mut self, is_software: bool) {
        self.surroundings.suit_adapter(is_software);
        if !is_software {
            self.messages.take_back(Topic::Adapter);
        }
    }

    /// Tells the user that the graphics adapter failed and is not used any more, and offers to use it all the same.
    pub(in crate::app) fn tell_of_given_up_adapter(&mut self) {
        self.surroundings.misses_adapter = true;
        let message = Message::warning(
            "The graphics adapter is not used any more",
            "It has failed. Until you ask for it or start the program anew, pictures are drawn without it, which takes longer. \
             A newer driver may help.",
        );
        let message = message.offering(Some(Offer::UseAdapter));
        self.messages.tell(Topic::Adapter, message);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::Errand,
        scene::LightSettings,
        ui::{Command, PictureCommand, WindowCommand},
    };

    fn session() -> Session {
        Session::new(Default::default(), None, Duration::ZERO)
    }

    fn asks_for(session: &Session, quality: Quality) -> Command {
        Command::Picture(PictureCommand::SetLight(LightSettings {
            quality,
            ..session.surroundings.light
        }))
    }

    #[test]
    fn software_draws_simple_light_until_the_user_chooses() {
        let mut session = session();
        session.suit_adapter(false);
        assert_eq!(session.surroundings.light.quality, Quality::Full);
        session.suit_adapter(true);
        assert_eq!(session.surroundings.light.quality, Quality::Low);
        assert!(
            session.surroundings.is_light_simple_by_itself()
                && !session.surroundings.is_quality_settled()
        );
        // Other settings do not settle it.
        session.apply(Command::Picture(PictureCommand::SetLight(LightSettings {
            exposure_stops: 1.0,
            ..session.surroundings.light
        })));
        assert!(session.surroundings.is_light_simple_by_itself());
        session.apply(asks_for(&session, Quality::Full));
        assert!(
            !session.surroundings.is_light_simple_by_itself()
                && session.surroundings.is_quality_settled()
        );
        session.suit_adapter(true);
        assert_eq!(session.surroundings.light.quality, Quality::Full);
    }

    /// Whatever model comes meanwhile.
    #[test]
    fn an_adapter_that_is_given_up_is_used_again_by_a_button() {
        let mut session = session();
        session.tell_of_given_up_adapter();
        session.messages.forget_model();
        let offer = session.message().and_then(|message| message.offer);
        assert_eq!(offer, Some(Offer::UseAdapter));
        let errand = session.apply(Command::AcceptOffer);
        assert_eq!(errand, Some(Errand::Window(WindowCommand::UseAdapter)));
        assert!(session.message().is_none());
        // What offers it goes once it draws, and nothing else.
        session.suit_adapter(true);
        assert!(session.surroundings.misses_adapter);
        session.tell_of_given_up_adapter();
        session.suit_adapter(false);
        assert!(session.message().is_none() && !session.surroundings.misses_adapter);
    }

    #[test]
    fn what_was_settled_before_stays() {
        let mut session = session();
        session.surroundings.settle_quality();
        session.suit_adapter(true);
        assert_eq!(session.surroundings.light.quality, Quality::Full);
    }
}
