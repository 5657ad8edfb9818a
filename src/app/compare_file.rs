//! A file to compare with: read on a thread of its own, while the model plays on.

use std::{path::PathBuf, thread};

use super::{
    Fault, built_in,
    files::viewer_consent,
    nothing_left,
    window::{UserEvent, Viewer},
};
use crate::{
    import::{self, Import, Progress},
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

/// The importer does not recurse, but image decoders are not ours.
const STACK_BYTES: usize = 16 << 20;

impl Viewer {
    /// Reads the model in these files, to compare with.
    pub(super) fn read_other(&mut self, files: Vec<PathBuf>) {
        let Some(first) = files.first() else { return };
        let name = first.file_name().unwrap_or(first.as_os_str());
        let name = name.to_string_lossy().into_owned();
        self.compare_jobs += 1;
        let (proxy, job) = (self.proxy.clone(), self.compare_jobs);
        self.session.message = Some(Message {
            kind: MessageKind::Info,
            title: format!("Reading {name} to compare with"),
            detail: String::new(),
            offer: None,
        });
        let named = name.clone();
        let progress = Progress::default();
        if let Some(stage) = &self.stage {
            progress.set_block_formats(stage.gpu.block_formats());
        }
        let work = move || {
            let built_in = files.first().and_then(|file| file.to_str());
            let built_in = built_in.and_then(|name| name.strip_prefix(built_in::SCHEME));
            let result = match built_in {
                Some(name) => built_in::load(name),
                None => import::open(&files, &viewer_consent(), &progress),
            };
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
            let detail = format!("There is no thread to read it on: {error}");
            self.report_other(&name, detail);
        }
        self.request_redraw();
    }

    pub(super) fn on_other(&mut self, read: ReadOther) {
        let ReadOther { job, name, result } = read;
        if job != self.compare_jobs {
            return;
        }
        match result {
            Ok(import) => match nothing_left(&import) {
                Some(reason) => self.report_other(&name, reason),
                None => {
                    self.session.message = None;
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
