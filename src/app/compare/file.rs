//! A file to compare with: what becomes of it once it was read, or was read again.

use std::path::PathBuf;

use crate::{
    app::{
        Session,
        files::{Loaded, Source, named_outside, quoted_errors, refusal},
        messages::Topic,
        nothing_left,
        window::{Viewer, source_of},
    },
    import::{Consent, Import},
    ui::{CompareWith, Message, Offer},
};

impl Session {
    /// Compares with what was read, and says what is wrong with it, which is listed nowhere else. Gives what the message offers
    /// to read instead.
    pub(super) fn take_second_file(
        &mut self,
        source: Source,
        result: anyhow::Result<Import>,
    ) -> Option<Source> {
        // It may have come while the file was read.
        if self.refuses_to_compare() {
            return None;
        }
        let name = source.name();
        let import = match result {
            Ok(import) => import,
            Err(error) => {
                let offered = source.tolerating(&error);
                let offer = offered.as_ref().map(|_| Offer::OpenAnyway);
                let message = Message::error(uncompared(&name), format!("{error:#}"));
                self.report_second_file(&name, message.in_sentences().offering(offer));
                return offered;
            }
        };
        let offered = source.settled(&import).allowing(&import.outside);
        let offer = offered.as_ref().map(|_| Offer::AllowOnce);
        if let Some(reason) = nothing_left(&import) {
            let message = refusal(uncompared(&name), reason, &import, offer);
            self.report_second_file(&name, message);
            return offered;
        }
        let faults = faults_of(&import);
        self.compare_with(import);
        log::info!("compares with {name}");
        self.tell_faults(&name, faults, offer);
        offered
    }

    /// Compares with the same file as it is now. Gives what a message offers to read instead, if it says anything (`may_tell`).
    pub(super) fn take_second_file_again(
        &mut self,
        source: &Source,
        import: Import,
        may_tell: bool,
    ) -> Option<Source> {
        self.messages.take_back(Topic::BrokenSecondFile);
        let is_told = self.messages.take_back(Topic::Compared);
        let name = source.name();
        let faults = faults_of(&import);
        let offered = source.allowing(&import.outside);
        // Of a broken save it may have been told over the question.
        let may_ask = offered.is_some() && self.messages.may_ask_again(Topic::Compared);
        let may_tell = is_told || self.compares_file() && (may_tell || may_ask);
        let offered = offered.filter(|_| may_tell);
        self.replace_second_file(import);
        log::info!("compares with {name} as it is now");
        if may_tell {
            let offer = offered.as_ref().map(|_| Offer::AllowOnce);
            self.tell_faults(&name, faults, offer);
        }
        offered
    }

    /// Says that the file cannot be compared with as it is now.
    pub(super) fn keep_second_file(&mut self, name: &str, reason: &str) {
        log::warn!("could not read {name} again: {reason}");
        if self.compares_file() {
            let title =
                format!("{name} cannot be read as it is now: what was read last is compared");
            let message = Message::warning(title, reason).in_sentences();
            self.messages.tell(Topic::BrokenSecondFile, message);
        }
    }

    /// Whether another file is before the user.
    fn compares_file(&self) -> bool {
        self.compare.is_on && self.compare.with == Some(CompareWith::File)
    }

    /// Whether a file that could not be read to compare with may be taken as soon as it can be: nothing else is compared.
    pub(super) fn may_take_second_file(&self) -> bool {
        !self.compare.is_on && self.actor.crowd().is_none()
    }

    /// Says what is wrong with a file that is compared with nevertheless.
    fn tell_faults(&mut self, name: &str, faults: Vec<String>, offer: Option<Offer>) {
        if !faults.is_empty() {
            let detail = faults.join("\n");
            log::warn!("not all of {name} could be read: {detail}");
            let title = format!("Not all of {name} could be read");
            let message = Message::warning(title, detail).in_sentences();
            self.messages.tell(Topic::Compared, message.offering(offer));
        }
    }

    fn report_second_file(&mut self, name: &str, message: Message) {
        log::error!("could not read {name} to compare with: {}", message.detail);
        self.messages.tell(Topic::Compared, message);
    }
}

impl Viewer {
    /// Reads the model in these files, to compare with.
    pub(in crate::app) fn read_second_file(&mut self, files: Vec<PathBuf>, consent: Consent) {
        if !files.is_empty() {
            self.read_second_source(source_of(files, consent));
        }
    }

    pub(in crate::app) fn read_second_source(&mut self, source: Source) {
        // What was said of another one counts no more.
        self.session.messages.take_back(Topic::Compared);
        self.session.messages.take_back(Topic::BrokenSecondFile);
        if self.session.refuses_to_compare() {
            return self.request_redraw();
        }
        self.second_file.file.open(source);
        self.request_redraw();
    }

    /// Reads the model again, what it is compared with, and the files whose clips were added.
    pub(in crate::app) fn reload(&mut self) {
        self.documents.file.reload();
        self.second_file.file.reload();
        self.clip_reader.read_again(&mut self.session);
    }

    pub(in crate::app) fn on_second_file(&mut self, read: Loaded) {
        let offered = self.second_file.on_read(&mut self.session, read);
        self.documents.offer_other(offered);
        self.request_redraw();
    }
}

/// The title of what is said of a file that cannot be compared with.
fn uncompared(name: &str) -> String {
    format!("{name} could not be read to compare with")
}

/// What is wrong with a file and is listed nowhere else, line by line.
fn faults_of(import: &Import) -> Vec<String> {
    let mut faults = quoted_errors(import);
    if !import.outside.is_empty() {
        faults.push(named_outside(&import.outside));
    }
    faults
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::{built_in, files::viewer_consent};
    use crate::import::Progress;
    use crate::ui::MessageKind;

    #[test]
    fn nothing_is_read_beside_a_crowd() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_crowd_size(3);
        session.update();
        let other = built_in::load("Pip");
        assert_eq!(
            session.take_second_file(Source::BuiltIn("Pip"), other),
            None
        );
        let message = session.message().unwrap();
        assert_eq!(message.title, "A crowd is not compared");
        assert!(message.kind == MessageKind::Info && message.passes);
        // Nor is it there as soon as one of the model is shown.
        assert!(session.compare.file.is_none());
    }

    /// A chequer stands for a picture that is not opened: the comparison does not say so by itself.
    #[test]
    fn what_is_wrong_with_the_other_file_is_said() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        let folder = std::env::temp_dir().join(format!("rigscope-other-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let original = built_in::original("Pip").unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&original.json).unwrap();
        json["buffers"][0]["uri"] = "pip.bin".into();
        std::fs::write(folder.join("pip.bin"), original.bin.unwrap()).unwrap();
        let file = folder.join("pip.gltf");
        let mut read = |json: &serde_json::Value| {
            std::fs::write(&file, json.to_string()).unwrap();
            let source = source_of(vec![file.clone()], viewer_consent());
            let result = source.load(&Progress::default());
            let offered = session.take_second_file(source, result);
            assert!(session.split().is_some(), "it is compared with");
            (session.message().cloned(), offered)
        };
        assert_eq!(read(&json), (None, None));
        json["images"] = serde_json::json!([{ "uri": "../skin.png" }]);
        let (message, offered) = read(&json);
        let message = message.unwrap();
        assert_eq!(message.kind, MessageKind::Warning);
        assert_eq!(message.offer, Some(Offer::AllowOnce));
        assert_eq!(message.title, "Not all of pip.gltf could be read");
        assert!(
            message.detail.contains(" (/images/0)"),
            "{}",
            message.detail
        );
        let outside = folder.parent().unwrap().join("skin.png");
        let outside = outside.to_str().unwrap();
        assert!(message.detail.contains(outside), "{}", message.detail);
        // Accepted, it is asked for once more, and there is nothing left to allow.
        let import = offered.unwrap().load(&Progress::default()).unwrap();
        assert!(import.outside.is_empty(), "{:?}", import.outside);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
