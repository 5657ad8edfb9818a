//! Who has chosen what the picture may cost: the user, or, until then, the machine.

use crate::{app::Session, scene::Quality};

/// Who has chosen the quality of light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) enum QualityChooser {
    /// Nobody yet: it is full.
    #[default]
    Nobody,
    /// There is no graphics adapter, so it is low.
    Machine,
    /// The user, now or at another time.
    User,
}

impl Session {
    /// Leaves the quality as it is from now on, whatever the machine.
    pub(in crate::app) fn settle_quality(&mut self) {
        self.quality_chooser = QualityChooser::User;
    }

    /// Whether the user has chosen it.
    pub(in crate::app) fn is_quality_settled(&self) -> bool {
        self.quality_chooser == QualityChooser::User
    }

    /// Whether light is simple although nobody asked for that.
    pub fn is_light_simple_by_itself(&self) -> bool {
        self.quality_chooser == QualityChooser::Machine
    }

    /// Chooses what the machine can draw quickly, unless the user has chosen.
    pub fn suit_adapter(&mut self, is_software: bool) {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        scene::LightSettings,
        ui::{Command, PictureCommand},
    };

    fn session() -> Session {
        Session::new(Default::default(), None, Duration::ZERO)
    }

    fn asks_for(session: &Session, quality: Quality) -> Command {
        Command::Picture(PictureCommand::SetLight(LightSettings {
            quality,
            ..session.light
        }))
    }

    #[test]
    fn software_draws_simple_light_until_the_user_chooses() {
        let mut session = session();
        session.suit_adapter(false);
        assert_eq!(session.light.quality, Quality::Full);
        session.suit_adapter(true);
        assert_eq!(session.light.quality, Quality::Low);
        assert!(session.is_light_simple_by_itself() && !session.is_quality_settled());
        // Other settings do not settle it.
        session.apply(Command::Picture(PictureCommand::SetLight(LightSettings {
            exposure_stops: 1.0,
            ..session.light
        })));
        assert!(session.is_light_simple_by_itself());
        session.apply(asks_for(&session, Quality::Full));
        assert!(!session.is_light_simple_by_itself() && session.is_quality_settled());
        session.suit_adapter(true);
        assert_eq!(session.light.quality, Quality::Full);
    }

    #[test]
    fn what_was_settled_before_stays() {
        let mut session = session();
        session.settle_quality();
        session.suit_adapter(true);
        assert_eq!(session.light.quality, Quality::Full);
    }
}
