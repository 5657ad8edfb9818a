//! Loading on a thread of its own, so that the window never waits for a file.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use super::{
    background::{Latest, RELOAD_UNSAID, Ticket, UNSAID},
    next_of_folder,
    watch::{FilesAsRead, as_read},
};
use crate::{
    app::{
        built_in,
        threads::{no_thread, spawn},
    },
    import::{
        self, Consent, Import, Original, Outside, Progress, is_archive_name, is_model_name,
        is_motion_name,
    },
    model::BlockFormats,
    ui::{LoadKind, Loading},
};

/// What to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) enum Source {
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

/// Why something is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Purpose {
    /// It was asked for, and is shown from the front, unless it is shown already.
    Open,
    /// It is shown already, and its files have changed.
    Follow,
    /// It is shown already, and is to be read again whatever it has become.
    Reload,
}

/// What a thread has loaded, or why it has not.
#[derive(Debug)]
pub(in crate::app) struct Loaded {
    ticket: Ticket,
    pub(in crate::app) source: Source,
    pub(in crate::app) purpose: Purpose,
    pub(in crate::app) result: anyhow::Result<Import>,
    /// What is to be watched of it.
    pub(in crate::app) files: FilesAsRead,
    /// How long it took.
    pub(in crate::app) time: Duration,
}

/// Takes what was loaded to whoever waits for it.
type Deliver = Arc<dyn Fn(Box<Loaded>) + Send + Sync>;

/// Starts loads and knows the one that counts: the last.
pub(super) struct Loader {
    kind: LoadKind,
    deliver: Deliver,
    latest: Latest<Load>,
}

/// A load that goes on.
#[derive(Debug)]
struct Load {
    name: String,
    purpose: Purpose,
}

impl Source {
    /// A name to show.
    pub(in crate::app) fn name(&self) -> String {
        match self {
            Self::Files { files, .. } => {
                let path = model_among(files).unwrap_or(Path::new(""));
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Self::BuiltIn(name) => (*name).to_owned(),
        }
    }

    /// The file that the model is read from, as it is.
    pub(in crate::app) fn original(&self) -> anyhow::Result<Original> {
        match self {
            Self::Files { files, consent } => {
                let original = import::read_original(files, consent, &Progress::default())?;
                for reason in &original.unread {
                    log::warn!("{}: {reason}", self.name());
                }
                Ok(original)
            }
            Self::BuiltIn(name) => built_in::original(name),
        }
    }

    /// The model's own file; none if it comes with the program, or is in an archive.
    pub(in crate::app) fn own_file(&self) -> Option<PathBuf> {
        let Self::Files { files, consent } = self else {
            return None;
        };
        let path = model_among(files)?;
        match &consent.model {
            None => Some(path.to_owned()),
            Some(within) => path.is_dir().then(|| path.join(within)),
        }
    }

    /// A name for the window: of a folder or an archive also that of the model in it.
    pub(super) fn title(&self) -> String {
        let name = self.name();
        let model = self.within().and_then(|path| path.rsplit('/').next());
        match model {
            Some(model) => format!("{model} in {name}"),
            None => name,
        }
    }

    /// Which model of a folder or an archive it is, if that is known.
    pub(super) fn within(&self) -> Option<&str> {
        match self {
            Self::Files { consent, .. } => consent.model.as_deref(),
            Self::BuiltIn(_) => None,
        }
    }

    /// This source, and in a folder or archive the very model that was read: it is read again, and asked about, whatever comes
    /// to lie beside it. Of several files without the models before it, which could not be read.
    pub(in crate::app) fn settled(self, import: &Import) -> Self {
        let settled = self.agreeing(|consent| consent.model.clone_from(&import.within));
        let mut settled = settled.unwrap_or(self);
        if let (Self::Files { files, .. }, Some(path)) = (&mut settled, &import.path)
            && is_model_name(path)
            && files.contains(path)
        {
            *files = next_of_folder::from_model(files, path);
        }
        settled
    }

    /// Where the model is; none if it is built in.
    pub(super) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Files { files, .. } => model_among(files).map(Path::to_owned),
            Self::BuiltIn(_) => None,
        }
    }

    /// What is to be watched of it: files that were given, and those that were read of them or looked for.
    fn files_as_read(&self, result: &anyhow::Result<Import>, began: SystemTime) -> FilesAsRead {
        let (source, read) = match result {
            Ok(import) => (self.clone().settled(import), import.files.clone()),
            Err(_) => (self.clone(), Vec::new()),
        };
        let files = match &source {
            Self::Files { files: given, .. } => files_to_watch(given, read),
            Self::BuiltIn(_) => read,
        };
        as_read(files, began)
    }

    /// The models and archives that were given together with the one that it is, each with what is neither, which it may name.
    pub(super) fn other_models(&self) -> Vec<Self> {
        let Self::Files { files, consent } = self else {
            return Vec::new();
        };
        let is_model =
            |file: &&PathBuf| (is_model_name(file) || is_archive_name(file)) && file.is_file();
        let shown = model_among(files);
        let others = files.iter().filter(is_model);
        let others = others.filter(|file| Some(file.as_path()) != shown);
        let parts: Vec<_> = files.iter().filter(|file| !is_model(file)).collect();
        let with_parts = |model: &PathBuf| Self::Files {
            files: std::iter::once(model)
                .chain(parts.iter().copied())
                .cloned()
                .collect(),
            consent: Consent {
                model: None,
                ..consent.clone()
            },
        };
        others.map(with_parts).collect()
    }

    /// This source with more that the user agrees to; none if there is nothing to agree to.
    fn agreeing(&self, agree: impl FnOnce(&mut Consent)) -> Option<Self> {
        let mut this = self.clone();
        let Self::Files { consent, .. } = &mut this else {
            return None;
        };
        agree(consent);
        Some(this)
    }

    /// Whether the user has agreed to files outside of the model's folder.
    pub(super) fn allows_outside(&self) -> bool {
        matches!(self, Self::Files { consent, .. } if matches!(&consent.outside, Outside::These(these) if !these.is_empty()))
    }

    /// This source with what is unknown here, if the file could not be read for that.
    pub(in crate::app) fn tolerating(&self, error: &anyhow::Error) -> Option<Self> {
        let is_unknown = import::is_unsupported(error);
        is_unknown.then(|| self.agreeing(|consent| consent.unknown_features = true))?
    }

    /// This source with files outside the model's folder that the user agrees to, beside those of before; none if there are
    /// none.
    pub(in crate::app) fn allowing(&self, outside: &[PathBuf]) -> Option<Self> {
        if outside.is_empty() {
            return None;
        }
        self.agreeing(|consent| {
            let mut allowed = outside.to_vec();
            if let Outside::These(before) = &consent.outside {
                allowed.extend_from_slice(before);
            }
            consent.outside = Outside::These(allowed);
        })
    }

    /// Reads it.
    pub(in crate::app) fn load(&self, progress: &Progress) -> anyhow::Result<Import> {
        match self {
            Self::Files { files, consent } => next_of_folder::open(files, consent, progress),
            Self::BuiltIn(name) => built_in::load(name),
        }
    }

    /// Reads it, and passes models that cannot be read if others were given together with them.
    fn load_passing(&self, progress: &Progress) -> anyhow::Result<Import> {
        match self {
            Self::Files { files, consent } => {
                next_of_folder::open_passing(files, consent, progress)
            }
            Self::BuiltIn(_) => self.load(progress),
        }
    }
}

/// What is to be watched of given files, and of those that were read of them.
pub(super) fn files_to_watch(given: &[PathBuf], mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    for path in given.iter().filter(|path| !path.is_dir()) {
        // A link may be changed, and so may what it leads to.
        files.extend(std::path::absolute(path));
        files.extend(path.canonicalize());
    }
    files.sort_unstable();
    files.dedup();
    files
}

/// Of several files the first that is a model, and no motion alone if there are others, or else the first archive, which holds
/// one: the others are its buffers and images.
fn model_among(files: &[PathBuf]) -> Option<&Path> {
    let first = |is_it: fn(&Path) -> bool| files.iter().find(|file| is_it(file));
    let found = first(|file| is_model_name(file) && !is_motion_name(file))
        .or_else(|| first(is_model_name))
        .or_else(|| first(is_archive_name));
    found.or(files.first()).map(PathBuf::as_path)
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader")
            .field("kind", &self.kind)
            .field("latest", &self.latest)
            .finish_non_exhaustive()
    }
}

impl Loader {
    /// `deliver` is called on another thread.
    pub(super) fn new(
        kind: LoadKind,
        deliver: impl Fn(Box<Loaded>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            kind,
            deliver: Arc::new(deliver),
            latest: Latest::default(),
        }
    }

    /// Starts to load `source`; what was being loaded is given up.
    pub(super) fn start(&mut self, source: Source, purpose: Purpose) {
        let name = source.name();
        let (ticket, progress) = self.latest.begin(Load { name, purpose });
        let (began, started) = (SystemTime::now(), Instant::now());
        let deliver = Arc::clone(&self.deliver);
        let loaded = move |source: Source, result| {
            let time = started.elapsed();
            Box::new(Loaded {
                ticket,
                files: source.files_as_read(&result, began),
                source,
                purpose,
                result,
                time,
            })
        };
        let unread = source.clone();
        // What is shown already stays the one that it is, and so does what is compared with.
        let is_passing = self.kind == LoadKind::Model && purpose == Purpose::Open;
        let work = move || {
            let result = if is_passing {
                source.load_passing(&progress)
            } else {
                source.load(&progress)
            };
            // Whoever waits for it may have gone meanwhile.
            deliver(loaded(source, result));
        };
        if let Err(error) = spawn("load", work) {
            let error = anyhow::anyhow!(no_thread(&error));
            (self.deliver)(loaded(unread, Err(error)));
        }
    }

    /// Takes note of which compressed textures can be shown; also for what is being loaded.
    pub(super) fn set_block_formats(&mut self, formats: BlockFormats) {
        self.latest.set_block_formats(formats);
    }

    /// Gives up what is being loaded.
    pub(super) fn cancel(&mut self) {
        self.latest.cancel();
    }

    /// Whether a load ends with `loaded` that was not given up; then nothing is being loaded any more.
    pub(super) fn finish(&mut self, loaded: &Loaded) -> bool {
        self.latest.end(loaded.ticket).is_some()
    }

    /// What is being loaded, if anything is.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        Some(self.latest.running()?.about.purpose)
    }

    /// What is said of it.
    pub(super) fn shown(&self) -> Option<Loading<'_>> {
        let running = self.latest.running()?;
        let unsaid = match (running.about.purpose, self.kind) {
            (Purpose::Open, LoadKind::Model) => Duration::ZERO,
            (Purpose::Open, _) => UNSAID,
            (Purpose::Follow | Purpose::Reload, _) => RELOAD_UNSAID,
        };
        running.shown(self.kind, &running.about.name, unsaid)
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
        assert_eq!(name(&["a.png", "b.zip", "c.glb"]), "c.glb");
        assert_eq!(name(&["a.png", "b.zip"]), "b.zip");
        assert_eq!(name(&["a.bin"]), "a.bin");
        // A motion is shown where nothing else is.
        assert_eq!(name(&["walk.vrma", "a.vrm"]), "a.vrm");
        assert_eq!(name(&["a.png", "walk.VRMA"]), "walk.VRMA");
    }
}
