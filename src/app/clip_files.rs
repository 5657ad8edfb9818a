//! Files whose clips are to be added: read on a thread of their own, while the model plays on.

use std::{path::PathBuf, thread};

use super::{
    Fault,
    window::{UserEvent, Viewer},
};
use crate::{
    import::{self, Consent, Import, Progress},
    ui::{Message, MessageKind},
};

/// What a thread has read, or why it has not.
#[derive(Debug)]
pub(super) struct ReadClips {
    /// For which model they were asked.
    model: u64,
    name: String,
    result: anyhow::Result<Import>,
}

/// The importer does not recurse, but image decoders are not ours.
const STACK_BYTES: usize = 16 << 20;

impl Viewer {
    /// Reads the clips of each of these files.
    pub(super) fn read_clips(&mut self, files: Vec<PathBuf>) {
        for file in files {
            let name = file.file_name().unwrap_or(file.as_os_str());
            let name = name.to_string_lossy().into_owned();
            let (proxy, model) = (self.proxy.clone(), self.session.model_generation());
            self.session.message = Some(Message {
                kind: MessageKind::Info,
                title: format!("Reading the clips of {name}"),
                detail: "They are added when they are there; the model plays on.".to_owned(),
                offer: None,
            });
            let named = name.clone();
            let work = move || {
                let result = import::open(&[file], &Consent::default(), &Progress::default());
                let read = ReadClips {
                    model,
                    name: named,
                    result,
                };
                // The window may have closed meanwhile.
                let _ = proxy.send_event(UserEvent::Clips(Box::new(read)));
            };
            let thread = thread::Builder::new()
                .name("clips".to_owned())
                .stack_size(STACK_BYTES);
            if let Err(error) = thread.spawn(work) {
                let detail = format!("There is no thread to read them on: {error}");
                self.report_clips(&name, detail);
            }
        }
        self.request_redraw();
    }

    pub(super) fn on_clips(&mut self, read: ReadClips) {
        let ReadClips {
            model,
            name,
            result,
        } = read;
        if model != self.session.model_generation() {
            log::info!("the clips of {name} came too late");
            return;
        }
        match result {
            Ok(import) => {
                self.session.add_clips(&name, import.model);
                log::info!("clips of {name}");
            }
            Err(error) => self.report_clips(&name, format!("{error:#}")),
        }
        self.request_redraw();
    }

    fn report_clips(&mut self, name: &str, detail: String) {
        log::error!("could not read the clips of {name}: {detail}");
        self.session.report(Fault {
            title: format!("The clips of {name} could not be read"),
            detail,
            offer: None,
        });
    }
}
