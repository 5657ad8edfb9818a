//! A file to compare with: read on a thread of its own, while the model plays on.

use std::{path::PathBuf, sync::Arc, thread};

use super::{
    Fault, Session,
    files::viewer_consent,
    loading::STACK_BYTES,
    nothing_left,
    window::{UserEvent, Viewer, source_of},
};
use crate::{
    import::{Import, Progress},
    model::BlockFormats,
    ui::{Message, MessageKind},
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(super) struct ReadOther {
    /// Which reading it was: only the last one counts.
    job: u64,
    name: String,
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
}

impl Viewer {
    /// Reads the model in these files, to compare with.
    pub(super) fn read_other(&mut self, files: Vec<PathBuf>) {
        if files.is_empty() {
            return;
        }
        let source = source_of(files, viewer_consent());
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
        let named = name.clone();
        let progress = Arc::new(Progress::default());
        if let Some(stage) = &self.stage {
            progress.set_block_formats(stage.gpu.block_formats());
        }
        self.other_reader.current = Some((name.clone(), Arc::clone(&progress)));
        let work = move || {
            let result = source.load(&progress);
            let read = ReadOther {
                job,
                name: named,
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
            self.report_other(&name, detail);
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
        let ReadOther { job, name, result } = read;
        if job != self.other_reader.jobs {
            return;
        }
        self.other_reader.current = None;
        match result {
            Ok(import) => match nothing_left(&import) {
                Some(reason) => self.report_other(&name, reason),
                None => {
                    self.session.forget_reading(&name);
                    self.session.compare_with(import);
                    log::info!("compares with {name}");
                }
            },
            Err(error) => self.report_other(&name, format!("{error:#}")),
        }
        self.request_redraw();
    }

    fn report_other(&mut self, name: &str, detail: String) {
        log::error!("could not read {name} to compare with: {detail}");
        self.session.report(Fault {
            title: format!("{name} could not be read to compare with"),
            detail,
            offer: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::built_in;

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
