//! What the user is told: one message at a time, and what it is about.

use super::Session;
use crate::ui::{Message, MessageKind, Offer};

/// What a message is about: that says when it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// The model that is shown, and what was done with it: gone when another one comes.
    Model,
    /// Files outside of its folder that the shown model names: also until it names them no more.
    Outside,
    /// A file to compare with: it stays when another model comes, until the next one is read.
    Compared,
    /// The files of what is compared with, which cannot be read as they are now.
    BrokenOther,
    /// The environment: as for a file to compare with.
    Environment,
    /// The files of the shown model, which cannot be read as they are now.
    BrokenSave,
    /// A dialog of the system that is open.
    Dialog,
    /// A pose made by hand that is gone: until it is back.
    DroppedPose,
    /// Of which nodes a pose made by hand is gone with them: until they are there again.
    LostPose,
}

/// The message that is shown; the last that was told.
#[derive(Debug, Default)]
pub(super) struct Messages {
    told: Option<(Topic, Message)>,
}

impl Messages {
    /// What is shown.
    pub(super) fn shown(&self) -> Option<&Message> {
        self.told.as_ref().map(|(_, message)| message)
    }

    /// Shows another one.
    pub(super) fn tell(&mut self, topic: Topic, message: Message) {
        self.told = Some((topic, message));
    }

    /// Shows one if there is none.
    pub(super) fn tell_if_quiet(&mut self, topic: Topic, message: impl FnOnce() -> Message) {
        self.told.get_or_insert_with(|| (topic, message()));
    }

    /// Says no more what was said about this; what else is said stays. True if it was said.
    pub(super) fn take_back(&mut self, topic: Topic) -> bool {
        self.told.take_if(|(about, _)| *about == topic).is_some()
    }

    /// Says no more what was done and offers nothing.
    pub(super) fn take_info(&mut self) {
        self.told
            .take_if(|(_, message)| message.kind == MessageKind::Info && message.offer.is_none());
    }

    /// Puts it away. True if there was one.
    pub(super) fn dismiss(&mut self) -> bool {
        self.told.take().is_some()
    }

    /// Puts it away if it offers something. Returns what it did.
    pub(super) fn accept_offer(&mut self) -> Option<Offer> {
        let offering = self.told.take_if(|(_, message)| message.offer.is_some());
        offering.and_then(|(_, message)| message.offer)
    }

    /// Lets go of what was said about a model, of which another comes.
    pub(super) fn forget_model(&mut self) {
        self.told.take_if(|(topic, _)| is_of_model(*topic));
    }
}

/// Whether what is said about this goes with the model.
fn is_of_model(topic: Topic) -> bool {
    match topic {
        Topic::Model
        | Topic::Outside
        | Topic::BrokenSave
        | Topic::DroppedPose
        | Topic::LostPose => true,
        Topic::Compared | Topic::BrokenOther | Topic::Environment | Topic::Dialog => false,
    }
}

impl Session {
    /// What the user is told.
    pub fn message(&self) -> Option<&Message> {
        self.messages.shown()
    }

    /// Tells the user what has become of something, or why it could not be done; what is shown stays.
    pub fn tell(&mut self, message: Message) {
        self.messages.tell(Topic::Model, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(messages: &Messages) -> Option<&str> {
        messages.shown().map(|message| &*message.title)
    }

    #[test]
    fn a_message_goes_with_what_it_is_about() {
        let about = |topic| {
            let mut messages = Messages::default();
            messages.tell(topic, Message::info("said", ""));
            messages
        };
        for (topic, stays) in [
            (Topic::Model, false),
            (Topic::Outside, false),
            (Topic::BrokenSave, false),
            (Topic::DroppedPose, false),
            (Topic::LostPose, false),
            (Topic::Compared, true),
            (Topic::BrokenOther, true),
            (Topic::Environment, true),
            (Topic::Dialog, true),
        ] {
            let mut messages = about(topic);
            // However many models come.
            for _ in 0..2 {
                messages.forget_model();
                assert_eq!(shown(&messages).is_some(), stays, "{topic:?}");
            }
            let mut messages = about(topic);
            let is_taken = messages.take_back(Topic::Dialog);
            assert_eq!(is_taken, topic == Topic::Dialog);
            assert_eq!(shown(&messages).is_none(), is_taken);
        }
    }

    #[test]
    fn only_what_is_offered_is_accepted() {
        let mut messages = Messages::default();
        assert!(messages.accept_offer().is_none() && !messages.dismiss());
        messages.tell(Topic::Model, Message::error("no", "why"));
        messages.tell_if_quiet(Topic::Model, || Message::info("else", ""));
        assert_eq!(shown(&messages), Some("no"));
        assert_eq!(messages.accept_offer(), None);
        assert!(messages.dismiss());
        assert_eq!(shown(&messages), None);
    }
}
