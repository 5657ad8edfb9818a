//! What the user is told: one message at a time, the last, and what it is about. What is wrong, or offers something, comes back
//! after what was told since.

use std::path::{Path, PathBuf};

use super::Session;
use crate::ui::{Message, MessageKind, Offer, sentences};

/// What a message is about: that says when it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// The model that is shown, and what was done with it: gone when another one comes.
    Model,
    /// Files outside of its folder that the shown model names: also until it names them no more.
    Outside,
    /// Files whose clips were asked for and are not added: until others are asked for.
    Clips,
    /// Files whose clips stay as they were: until they are read again.
    KeptClips,
    /// What cannot be saved: until something is.
    Saving,
    /// A file to compare with: it stays when another model comes, until the next one is read.
    Compared,
    /// The files of what is compared with, which cannot be read as they are now.
    BrokenSecondFile,
    /// The environment: as for a file to compare with.
    Environment,
    /// The files of the shown model, which cannot be read as they are now.
    BrokenSave,
    /// A dialog of the system that is open.
    Dialog,
    /// What is still being saved, of a window that was to be closed: until that is done.
    Closing,
    /// A pose from a file: until the next one is asked for.
    Pose,
    /// A pose made by hand that is gone: until it is back.
    DroppedPose,
    /// Of which nodes a pose made by hand is gone with them: until they are there again.
    LostPose,
    /// The chosen clip is gone: until it is there again, or one is chosen, be it none.
    GoneClip,
    /// The graphics adapter, which is given up: until it draws again.
    Adapter,
    /// Nothing is seen of the model since all of its faces look away.
    TurnedAway,
}

/// A message that was told.
#[derive(Debug)]
struct Told {
    topic: Topic,
    message: Message,
    /// What was gathered in it, in the words of errors, if it is about one of several files, whose names may be the same.
    parts: Vec<(PathBuf, Message)>,
}

impl Told {
    /// Whether it says something that is not as it should be.
    fn is_wrong(&self) -> bool {
        self.message.kind != MessageKind::Info
    }

    /// Whether it says what was done or goes by itself, and offers nothing.
    fn is_note(&self) -> bool {
        (!self.is_wrong() || self.message.passes) && self.message.offer.is_none()
    }

    /// Whether it offers something of which the window keeps what it is about: of one message only, and not of one before it
    /// once something else has failed.
    fn is_kept_elsewhere(&self) -> bool {
        match self.message.offer {
            Some(Offer::OpenAnyway | Offer::AllowOnce | Offer::Compare) => true,
            Some(Offer::Retarget(_) | Offer::UndoPose | Offer::UseAdapter) | None => false,
        }
    }

    /// Whether it is over once the next one is told. What was done takes the place of nothing that is wrong, or is offered.
    fn gives_way_to(&self, next: &Self) -> bool {
        let is_answered = self.is_kept_elsewhere() && (next.is_wrong() || next.is_kept_elsewhere());
        let is_renewed = self.topic == next.topic && (next.is_wrong() || !self.is_wrong());
        self.is_note() || !next.is_note() && (is_answered || is_renewed)
    }
}

/// The message that is shown, which is the last, and those that come back when it is put away: of each topic few, since what
/// is wrong takes the place of what was wrong with the same.
#[derive(Debug, Default)]
pub(super) struct Messages {
    told: Vec<Told>,
    /// What those were about that were put away last: who is asked there about files outside of a folder is not asked again.
    declined: Vec<Topic>,
}

impl Messages {
    /// What is shown.
    pub(super) fn shown(&self) -> Option<&Message> {
        self.told.last().map(|told| &told.message)
    }

    /// Shows another one.
    pub(super) fn tell(&mut self, topic: Topic, message: Message) {
        self.declined.retain(|declined| *declined != topic);
        self.show(Told {
            topic,
            message,
            parts: Vec::new(),
        });
    }

    fn show(&mut self, next: Told) {
        self.told.retain(|told| !told.gives_way_to(&next));
        self.told.push(next);
    }

    /// Shows what is wrong with one of several files, whose detail is in the words of errors, together with what is still to
    /// be read of the others; `title` makes the title from the count of files.
    pub(super) fn gather(
        &mut self,
        topic: Topic,
        file: &Path,
        message: Message,
        title: impl FnOnce(usize) -> String,
    ) {
        let is_of_others = |told: &Told| told.topic == topic && told.is_wrong();
        let place = self.told.iter().position(is_of_others);
        let mut parts = place.map_or_else(Vec::new, |place| self.told.remove(place).parts);
        // Who tries it once more is told of it once.
        match parts.iter_mut().find(|(known, _)| known == file) {
            Some((_, part)) => *part = message,
            None => parts.push((file.to_owned(), message)),
        }
        if let Some(message) = of_parts(&parts, title) {
            self.show(Told {
                topic,
                message,
                parts,
            });
        }
    }

    /// Says no more what was wrong with one of several files; what is wrong with the others stays.
    pub(super) fn take_back_one(
        &mut self,
        topic: Topic,
        file: &Path,
        title: impl FnOnce(usize) -> String,
    ) {
        let is_it = |(known, _): &(PathBuf, Message)| known == file;
        let is_with = |told: &Told| told.topic == topic && told.parts.iter().any(is_it);
        let Some(place) = self.told.iter().position(is_with) else {
            return;
        };
        let told = &mut self.told[place];
        told.parts.retain(|part| !is_it(part));
        match of_parts(&told.parts, title) {
            Some(message) => told.message = message,
            None => drop(self.told.remove(place)),
        }
    }

    /// Shows one if there is none.
    pub(super) fn tell_if_quiet(&mut self, topic: Topic, message: impl FnOnce() -> Message) {
        if self.told.is_empty() {
            self.tell(topic, message());
        }
    }

    /// Shows one that goes by itself over all that was told, which is shown again then.
    pub(super) fn tell_over(&mut self, topic: Topic, message: Message) {
        self.take_back(topic);
        self.told.push(Told {
            topic,
            message: message.passing(),
            parts: Vec::new(),
        });
    }

    /// Says no more what was said about this; what else is said stays. True if it was said.
    pub(super) fn take_back(&mut self, topic: Topic) -> bool {
        let before = self.told.len();
        self.told.retain(|told| told.topic != topic);
        self.told.len() < before
    }

    /// Says no more what was done and offers nothing.
    pub(super) fn take_info(&mut self) {
        self.told.retain(|told| !told.is_note());
    }

    /// Puts it away. True if there was one.
    pub(super) fn dismiss(&mut self) -> bool {
        let told = self.told.pop();
        if let Some(told) = &told
            && !self.declined.contains(&told.topic)
        {
            self.declined.push(told.topic);
        }
        told.is_some()
    }

    /// Whether to ask once more about files outside of a folder, of which the question may be gone: the user has not put it
    /// away, and nothing else is offered now that would be gone with it.
    pub(super) fn may_ask_again(&self, topic: Topic) -> bool {
        !self.declined.contains(&topic) && !self.told.iter().any(Told::is_kept_elsewhere)
    }

    /// Puts one away that goes by itself, shown or not; others stay.
    pub(super) fn expire(&mut self, message: &Message) {
        self.told.retain(|told| told.message != *message);
    }

    /// Puts it away if it offers something. Returns what it did.
    pub(super) fn accept_offer(&mut self) -> Option<Offer> {
        let offering = self.told.pop_if(|told| told.message.offer.is_some());
        offering.and_then(|told| told.message.offer)
    }

    /// Lets go of the offer to retarget the clips of a file, which fit by now.
    pub(super) fn forget_retargeting(&mut self, file: usize) {
        self.told
            .retain(|told| told.message.offer != Some(Offer::Retarget(file)));
    }

    /// [`Self::forget_retargeting`] of a file that is taken out: those after it come before their places.
    pub(super) fn take_out_file(&mut self, file: usize) {
        self.forget_retargeting(file);
        for told in &mut self.told {
            if let Some(Offer::Retarget(place)) = &mut told.message.offer {
                *place -= usize::from(*place > file);
            }
        }
    }

    /// Lets go of what was said about a model, of which another comes.
    pub(super) fn forget_model(&mut self) {
        self.told.retain(|told| !is_of_model(told.topic));
    }
}

/// What says all that was gathered, in sentences.
fn of_parts(parts: &[(PathBuf, Message)], title: impl FnOnce(usize) -> String) -> Option<Message> {
    let last = parts.last()?.1.clone();
    if parts.len() == 1 {
        return Some(last.in_sentences());
    }
    let lines = parts.iter();
    let lines = lines.map(|(_, part)| sentences(&format!("{}: {}", part.title, part.detail)));
    Some(Message {
        title: title(parts.len()),
        detail: lines.collect::<Vec<_>>().join("\n"),
        in_full: String::new(),
        ..last
    })
}

/// Whether what is said about this goes with the model.
fn is_of_model(topic: Topic) -> bool {
    match topic {
        Topic::Model
        | Topic::Outside
        | Topic::Clips
        | Topic::KeptClips
        | Topic::BrokenSave
        | Topic::Pose
        | Topic::DroppedPose
        | Topic::LostPose
        | Topic::GoneClip
        | Topic::TurnedAway => true,
        Topic::Compared
        | Topic::BrokenSecondFile
        | Topic::Environment
        | Topic::Adapter
        | Topic::Dialog
        | Topic::Saving
        | Topic::Closing => false,
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

    /// Tells the user why the clips of a file are not added, in the words of errors, beside what is still to be read of others.
    pub(super) fn tell_of_clips(&mut self, file: &Path, message: Message) {
        self.messages.gather(Topic::Clips, file, message, |count| {
            format!("The clips of {count} files are not added")
        });
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
            (Topic::Clips, false),
            (Topic::KeptClips, false),
            (Topic::Saving, true),
            (Topic::BrokenSave, false),
            (Topic::Pose, false),
            (Topic::DroppedPose, false),
            (Topic::LostPose, false),
            (Topic::GoneClip, false),
            (Topic::TurnedAway, false),
            (Topic::Compared, true),
            (Topic::BrokenSecondFile, true),
            (Topic::Environment, true),
            (Topic::Adapter, true),
            (Topic::Dialog, true),
            (Topic::Closing, true),
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

    /// By the time that one is over, another may have been told.
    #[test]
    fn what_goes_by_itself_takes_nothing_else_with_it() {
        let passing = Message::info("hint", "").passing();
        let mut messages = Messages::default();
        messages.tell(Topic::Model, passing.clone());
        messages.tell(Topic::Model, Message::error("no", "why"));
        messages.expire(&passing);
        assert_eq!(shown(&messages), Some("no"));
        messages.tell_over(Topic::TurnedAway, passing.clone());
        messages.tell_over(Topic::Dialog, Message::info("asked", ""));
        messages.expire(&passing);
        assert_eq!(all(&mut messages), ["asked", "no"]);
        // What is shown until it is put away may say the same.
        messages.tell(Topic::Model, Message::info("hint", ""));
        messages.expire(&passing);
        assert_eq!(all(&mut messages), ["hint"]);
    }

    fn all(messages: &mut Messages) -> Vec<String> {
        let mut titles = Vec::new();
        while let Some(title) = shown(messages) {
            titles.push(title.to_owned());
            messages.dismiss();
        }
        titles
    }

    #[test]
    fn what_was_done_takes_the_place_of_nothing_that_is_to_be_read() {
        let note = |title: &str| Message::info(title, "");
        let mut messages = Messages::default();
        messages.tell(Topic::BrokenSave, Message::warning("stale", ""));
        messages.tell(Topic::Model, Message::error("no a", ""));
        for title in ["b is saved", "c is saved"] {
            messages.tell(Topic::Model, note(title));
            assert_eq!(shown(&messages), Some(title));
        }
        assert_eq!(messages.accept_offer(), None);
        // What is wrong with something else takes the place of what was.
        messages.tell(Topic::Model, Message::error("no d", ""));
        let retarget = note("e added").offering(Some(Offer::Retarget(0)));
        messages.tell(Topic::Model, retarget);
        messages.tell(Topic::Model, note("f is saved"));
        let order = ["f is saved", "e added", "no d", "stale"];
        assert_eq!(all(&mut messages), order);
        // It goes for itself, shown or not.
        messages.tell(Topic::BrokenSave, Message::warning("stale", ""));
        messages.tell(Topic::Model, note("g is saved"));
        assert!(messages.take_back(Topic::BrokenSave));
        assert_eq!(all(&mut messages), ["g is saved"]);
    }

    /// What it is about is kept once.
    #[test]
    fn an_offer_stays_until_something_else_is_wrong_or_offered() {
        let allow = |messages: &mut Messages| {
            let asked = Message::error("asked", "").offering(Some(Offer::AllowOnce));
            messages.tell(Topic::Outside, asked);
        };
        let mut messages = Messages::default();
        allow(&mut messages);
        messages.tell(Topic::Model, Message::info("saved", ""));
        assert_eq!(messages.accept_offer(), None, "it is not seen");
        messages.dismiss();
        assert_eq!(messages.accept_offer(), Some(Offer::AllowOnce));
        let compare = Message::info("other", "").offering(Some(Offer::Compare));
        for next in [Message::warning("other", ""), compare] {
            allow(&mut messages);
            messages.tell(Topic::Model, next);
            assert_eq!(all(&mut messages), ["other"]);
        }
    }

    /// Else the button would turn the clips of another file.
    #[test]
    fn offers_go_with_the_files_that_they_are_about() {
        let mut messages = Messages::default();
        for file in 0..3 {
            let offer = Message::info(format!("file {file}"), "");
            let offer = offer.offering(Some(Offer::Retarget(file)));
            // Each is about something else, so that all stay.
            let topics = [Topic::Model, Topic::Compared, Topic::Environment];
            messages.tell(topics[file], offer);
        }
        messages.take_out_file(1);
        let mut left = Vec::new();
        while let Some(message) = messages.shown().cloned() {
            left.push((message.title, message.offer));
            messages.dismiss();
        }
        let offer = |name: &str, place| (name.to_owned(), Some(Offer::Retarget(place)));
        assert_eq!(left, [offer("file 2", 1), offer("file 0", 0)]);
    }

    #[test]
    fn what_is_wrong_with_several_is_said_of_all_until_it_is_read() {
        let mut messages = Messages::default();
        let fail_in = |messages: &mut Messages, folder: &str, name: &str| {
            let file = Path::new(folder).join(name);
            let message = Message::error(format!("no {name}"), "it is torn");
            messages.gather(Topic::Clips, &file, message, |count| {
                format!("{count} files")
            });
            let message = messages.shown().unwrap();
            (message.title.clone(), message.detail.clone())
        };
        let fail = |messages: &mut Messages, name: &str| fail_in(messages, "x", name);
        let said = |title: &str, detail: &str| (title.to_owned(), detail.to_owned());
        assert_eq!(fail(&mut messages, "a"), said("no a", "It is torn."));
        assert_eq!(fail(&mut messages, "a"), said("no a", "It is torn."));
        messages.tell(Topic::Model, Message::info("b added", ""));
        let two = "No a: it is torn.\nNo c: it is torn.";
        assert_eq!(fail(&mut messages, "c"), said("2 files", two));
        let three = "No a: it is torn.\nNo c: it is torn.\nNo d: it is torn.";
        assert_eq!(fail(&mut messages, "d"), said("3 files", three));
        assert_eq!(fail(&mut messages, "c"), said("3 files", three));
        // What is over with one of them is said no more.
        let over = |messages: &mut Messages, name: &str| {
            let file = Path::new("x").join(name);
            messages.take_back_one(Topic::Clips, &file, |count| format!("{count} files"));
            messages.shown().map(|it| it.title.clone())
        };
        assert_eq!(over(&mut messages, "b").as_deref(), Some("3 files"));
        assert_eq!(over(&mut messages, "a").as_deref(), Some("2 files"));
        assert_eq!(over(&mut messages, "d").as_deref(), Some("no c"));
        assert_eq!(over(&mut messages, "c"), None);
        // Files of one name are several.
        assert_eq!(fail(&mut messages, "a"), said("no a", "It is torn."));
        let both = said("2 files", "No a: it is torn.\nNo a: it is torn.");
        assert_eq!(fail_in(&mut messages, "y", "a"), both);
        assert_eq!(over(&mut messages, "a").as_deref(), Some("no a"));
        assert_eq!(all(&mut messages), ["no a"]);
        assert_eq!(fail(&mut messages, "a"), said("no a", "It is torn."));
        assert_eq!(all(&mut messages), ["no a"]);
        assert_eq!(fail(&mut messages, "e"), said("no e", "It is torn."));
    }
}
