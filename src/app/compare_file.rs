//! A file to compare with: read on a thread of its own, while the model plays on.

use std::{path::PathBuf, sync::Arc, thread};

use super::{
    Fault, Session,
    documents::named_outside,
    loading::{STACK_BYTES, Source, quoted_errors},
    nothing_left,
    window::{UserEvent, Viewer, source_of},
};
use crate::{
    import::{Consent, Import, Progress},
    model::BlockFormats,
    ui::{Message, MessageKind, Offer},
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(super) struct ReadOther {
    /// Which reading it was: only the last one counts.
    job: u64,
    source: Source,
    result: anyhow::Result<Import>,
}

/// Knows the reading that counts: the last.
#[derive(Debug, Default)]
pub(super) struct OtherReader {
    jobs: u64,
    /// What is being read, and how far that has come.
    current: Option<(String, Arc<Progress>)>,
}

impl OtherReader {
    /// Gives up what is being read; its name.
    fn cancel(&mut self) -> Option<String> {
        let (name, progress) = self.current.take()?;
        progress.cancel();
        self.jobs += 1;
        Some(name)
    }

    /// Which compressed textures can be shown.
    pub(super) fn set_block_formats(&self, formats: BlockFormats) {
        if let Some((_, progress)) = &self.current {
            progress.set_block_formats(formats);
        }
    }
}

/// What is said while a file is read.
fn reading_title(name: &str) -> String {
    format!("Reading {name} to compare with")
}

impl Session {
    /// Says no more that a file is read; what else is said stays.
    fn forget_reading(&mut self, name: &str) {
        let title = reading_title(name);
        self.message.take_if(|message| message.title == title);
    }

    /// Compares with what was read, and says what is wrong with it, which is listed nowhere else. Gives what the message offers
    /// to read instead.
    fn take_other(&mut self, source: Source, result: anyhow::Result<Import>) -> Option<Source> {
        let name = source.name();
        let import = match result {
            Ok(import) => import,
            Err(error) => {
                let offered = source.tolerating(&error);
                let offer = offered.as_ref().map(|_| Offer::OpenAnyway);
                self.report_other(&name, format!("{error:#}"), offer);
                return offered;
            }
        };
        let offered = source.settled(&import).allowing(&import.outside);
        let offer = offered.as_ref().map(|_| Offer::AllowOnce);
        if let Some(mut reason) = nothing_left(&import) {
            if offer.is_some() {
                reason.push(named_outside(&import.outside));
            }
            self.report_other(&name, reason.join("\n"), offer);
            return offered;
        }
        self.forget_reading(&name);
        let mut faults = quoted_errors(&import);
        if !import.outside.is_empty() {
            faults.push(named_outside(&import.outside));
        }
        self.compare_with(import);
        log::info!("compares with {name}");
        if !faults.is_empty() {
            let detail = faults.join("\n");
            log::warn!("not all of {name} could be read: {detail}");
            self.say_lasting(Message {
                kind: MessageKind::Warning,
                title: format!("Not all of {name} could be read"),
                detail,
                offer,
            });
        }
        offered
    }

    fn report_other(&mut self, name: &str, detail: String, offer: Option<Offer>) {
        log::error!("could not read {name} to compare with: {detail}");
        let fault = Fault {
            title: format!("{name} could not be read to compare with"),
            detail,
            offer,
        };
        self.say_lasting(fault.into());
    }
}

impl Viewer {
    /// Reads the model in these files, to compare with.
    pub(super) fn read_other(&mut self, files: Vec<PathBuf>, consent: Consent) {
        if !files.is_empty() {
            self.read_other_source(source_of(files, consent));
        }
    }

    pub(super) fn read_other_source(&mut self, source: Source) {
        let name = source.name();
        self.other_reader.cancel();
        self.other_reader.jobs += 1;
        let (proxy, job) = (self.proxy.clone(), self.other_reader.jobs);
        self.session.message = Some(Message {
            kind: MessageKind::Info,
            title: reading_title(&name),
            detail: String::new(),
            offer: None,
        });
        let progress = Arc::new(Progress::default());
        if let Some(stage) = &self.stage {
            progress.set_block_formats(stage.gpu.block_formats());
        }
        self.other_reader.current = Some((name.clone(), Arc::clone(&progress)));
        let work = move || {
            let result = source.load(&progress);
            let read = ReadOther {
                job,
                source,
                result,
            };
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Other(Box::new(read)));
        };
        let thread = thread::Builder::new()
            .name("compare".to_owned())
            .stack_size(STACK_BYTES);
        if let Err(error) = thread.spawn(work) {
            self.other_reader.current = None;
            let detail = format!("There is no thread to read it on: {error}");
            self.session.report_other(&name, detail, None);
        }
        self.request_redraw();
    }

    /// Gives up what is being read to compare with.
    pub(super) fn cancel_other(&mut self) {
        if let Some(name) = self.other_reader.cancel() {
            self.session.forget_reading(&name);
            self.request_redraw();
        }
    }

    pub(super) fn on_other(&mut self, read: ReadOther) {
        let ReadOther {
            job,
            source,
            result,
        } = read;
        if job != self.other_reader.jobs {
            return;
        }
        self.other_reader.current = None;
        let offered = self.session.take_other(source, result);
        self.documents.offer_other(offered);
        self.request_redraw();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::{built_in, files::viewer_consent};

    #[test]
    fn what_else_is_said_stays() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        let say = |title: String| Message {
            kind: MessageKind::Info,
            title,
            detail: String::new(),
            offer: None,
        };
        session.message = Some(say(reading_title("fox.glb")));
        session.forget_reading("fox.glb");
        assert_eq!(session.message(), None);
        let other = Some(say("cat.png is saved".to_owned()));
        session.message = other.clone();
        session.forget_reading("fox.glb");
        assert_eq!(session.message, other);
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
            let offered = session.take_other(source, result);
            assert!(session.split().is_some(), "it is compared with");
            (session.message.take(), offered)
        };
        assert_eq!(read(&json), (None, None));
        json["images"] = serde_json::json!([{ "uri": "../skin.png" }]);
        let (message, offered) = read(&json);
        let message = message.unwrap();
        assert_eq!(message.kind, MessageKind::Warning);
        assert_eq!(message.offer, Some(Offer::AllowOnce));
        assert_eq!(message.title, "Not all of pip.gltf could be read");
        assert!(message.detail.contains("/images/0: "), "{}", message.detail);
        let outside = folder.parent().unwrap().join("skin.png");
        let outside = outside.to_str().unwrap();
        assert!(message.detail.contains(outside), "{}", message.detail);
        // Accepted, it is asked for once more, and there is nothing left to allow.
        let import = offered.unwrap().load(&Progress::default()).unwrap();
        assert!(import.outside.is_empty(), "{:?}", import.outside);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_not_wanted_any_more_is_given_up() {
        let mut reader = OtherReader::default();
        assert_eq!(reader.cancel(), None);
        let progress = Arc::new(Progress::default());
        reader.current = Some(("fox.glb".to_owned(), Arc::clone(&progress)));
        let job = reader.jobs;
        assert_eq!(reader.cancel().as_deref(), Some("fox.glb"));
        assert!(reader.jobs != job, "what comes of it counts no more");
        let source = source_of(vec![PathBuf::from("builtin:pip")], viewer_consent());
        assert_eq!(source.name(), "Pip");
    }
}
