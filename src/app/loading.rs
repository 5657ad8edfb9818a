//! Loading on a thread of its own, so that the window never waits for a file.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use winit::event_loop::EventLoopProxy;

use super::{built_in, window::UserEvent};
use crate::{
    import::{self, Consent, Import, Progress, Severity},
    model::BlockFormats,
};

/// What to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// Files, folders, archives: one model together.
    Files {
        /// Their paths.
        files: Vec<PathBuf>,
        /// What the user has agreed to.
        consent: Consent,
    },
    /// A model that comes with the program, by its name.
    BuiltIn(&'static str),
}

/// What a thread has loaded, or why it has not.
#[derive(Debug)]
pub(super) struct Loaded {
    job: u64,
    pub(super) source: Source,
    pub(super) result: anyhow::Result<Import>,
    pub(super) time: Duration,
}

/// Starts loads and knows the one that counts: the last.
#[derive(Debug)]
pub(super) struct Loader {
    proxy: EventLoopProxy<UserEvent>,
    jobs: u64,
    current: Option<Job>,
    /// Which compressed textures can be shown; unknown before there is a window.
    block_formats: Option<BlockFormats>,
}

#[derive(Debug)]
struct Job {
    name: String,
    progress: Arc<Progress>,
}

/// The importer does not recurse, but image decoders are not ours.
const STACK_BYTES: usize = 16 << 20;

impl Source {
    /// A name to show.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Files { files, .. } => {
                let path = model_among(files).unwrap_or(Path::new(""));
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Self::BuiltIn(name) => (*name).to_owned(),
        }
    }

    /// Where the model is; none if it is built in.
    pub(super) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Files { files, .. } => model_among(files).map(Path::to_owned),
            Self::BuiltIn(_) => None,
        }
    }

    /// The same with more that the user agrees to; none if there is nothing to agree to.
    pub(super) fn agreeing(&self, agree: impl FnOnce(&mut Consent)) -> Option<Self> {
        let mut this = self.clone();
        let Self::Files { consent, .. } = &mut this else {
            return None;
        };
        agree(consent);
        Some(this)
    }

    fn load(&self, progress: &Progress) -> anyhow::Result<Import> {
        match self {
            Self::Files { files, consent } => import::open(files, consent, progress),
            Self::BuiltIn(name) => built_in::load(name),
        }
    }
}

/// Of several files the first that is a model: the others are its buffers and images.
fn model_among(files: &[PathBuf]) -> Option<&Path> {
    let is_model = |file: &&PathBuf| {
        let extension = file.extension().unwrap_or_default();
        ["glb", "gltf", "vrm"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    };
    let found = files.iter().find(is_model).or(files.first());
    found.map(PathBuf::as_path)
}

/// Errors that a message quotes.
const QUOTED_ERRORS: usize = 3;

/// Why a file leaves nothing to be shown: no vertex of it could be read. `None` if something is left, or if nothing was
/// wrong with it.
pub fn nothing_left(import: &Import) -> Option<String> {
    let diagnostics = import.diagnostics.iter();
    let errors: Vec<_> = diagnostics
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| format!("{}: {}", diagnostic.pointer, diagnostic.message))
        .collect();
    if errors.is_empty() || import.model.vertex_count() > 0 {
        return None;
    }
    let mut lines = vec!["Nothing of it could be read that can be shown.".to_owned()];
    lines.extend(errors.iter().take(QUOTED_ERRORS).cloned());
    if errors.len() > QUOTED_ERRORS {
        lines.push(format!("and {} more errors", errors.len() - QUOTED_ERRORS));
    }
    Some(lines.join("\n"))
}

impl Loader {
    pub(super) fn new(proxy: EventLoopProxy<UserEvent>) -> Self {
        Self {
            proxy,
            jobs: 0,
            current: None,
            block_formats: None,
        }
    }

    /// Starts to load `source`; what was being loaded is given up.
    pub(super) fn start(&mut self, source: Source) {
        self.cancel();
        self.jobs += 1;
        let (job, proxy) = (self.jobs, self.proxy.clone());
        let progress = Arc::new(Progress::default());
        if let Some(formats) = self.block_formats {
            progress.set_block_formats(formats);
        }
        self.current = Some(Job {
            name: source.name(),
            progress: Arc::clone(&progress),
        });
        let unread = source.clone();
        let work = move || {
            let started = Instant::now();
            // A panic would be a bug of ours; it must not take the model that is shown along.
            let caught = catch_unwind(AssertUnwindSafe(|| source.load(&progress)));
            let result = caught.unwrap_or_else(|_| {
                Err(anyhow::anyhow!(
                    "the program made a mistake in reading this file; please report it"
                ))
            });
            let time = started.elapsed();
            let loaded = Loaded {
                job,
                source,
                result,
                time,
            };
            // The window may have closed meanwhile.
            let _ = proxy.send_event(UserEvent::Loaded(Box::new(loaded)));
        };
        let thread = thread::Builder::new()
            .name("load".to_owned())
            .stack_size(STACK_BYTES);
        if let Err(error) = thread.spawn(work) {
            let loaded = Loaded {
                job: self.jobs,
                source: unread,
                result: Err(anyhow::anyhow!("no thread can be started: {error}")),
                time: Duration::ZERO,
            };
            let _ = self.proxy.send_event(UserEvent::Loaded(Box::new(loaded)));
        }
    }

    /// Takes note of which compressed textures can be shown; also for what is being loaded.
    pub(super) fn set_block_formats(&mut self, formats: BlockFormats) {
        self.block_formats = Some(formats);
        if let Some(job) = &self.current {
            job.progress.set_block_formats(formats);
        }
    }

    /// Gives up what is being loaded.
    pub(super) fn cancel(&mut self) {
        if let Some(job) = self.current.take() {
            job.progress.cancel();
        }
    }

    /// Whether a load ends with `loaded` that was not given up; then nothing is being loaded any more.
    pub(super) fn finish(&mut self, loaded: &Loaded) -> bool {
        let counts = self.current.is_some() && loaded.job == self.jobs;
        if counts {
            self.current = None;
        }
        counts
    }

    /// The name of what is being loaded, the stage, and how much is done (0..1).
    pub(super) fn progress(&self) -> Option<(&str, &'static str, f32)> {
        let job = self.current.as_ref()?;
        let (stage, fraction) = job.progress.stage();
        Some((&job.name, stage, fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files_are_named_after_the_model_among_them() {
        let name = |files: &[&str]| {
            let files = files.iter().map(PathBuf::from).collect();
            let consent = Consent::default();
            Source::Files { files, consent }.name()
        };
        assert_eq!(name(&["a.bin", "b.png", "x/c.GLTF", "d.glb"]), "c.GLTF");
        assert_eq!(name(&["a.bin"]), "a.bin");
    }
}
