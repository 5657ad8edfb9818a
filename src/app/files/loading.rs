//! Loading on a thread of its own, so that the window never waits for a file.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use super::{
    background::{Latest, Ticket, UNSAID},
    next_of_folder,
};
use crate::{
    app::{
        built_in,
        findings::sentence,
        threads::{no_thread, spawn},
    },
    import::{
        self, Consent, Diagnostic, Import, Outside, Progress, Severity, is_archive_name,
        is_model_name,
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
    /// When it began, and how long it took.
    pub(in crate::app) began: SystemTime,
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

/// For how long it is not said that something is read anew.
const RELOAD_UNSAID: Duration = Duration::from_millis(700);

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

    /// What is to be watched beside the files that were read of it.
    pub(in crate::app) fn files_to_watch(&self, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
        if let Self::Files { files: given, .. } = self {
            for path in given.iter().filter(|path| !path.is_dir()) {
                // A link may be changed, and so may what it leads to.
                files.extend(std::path::absolute(path));
                files.extend(path.canonicalize());
            }
        }
        files.sort_unstable();
        files.dedup();
        files
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

/// Of several files the first that is a model, or else the first archive, which holds one: the others are its buffers and images.
fn model_among(files: &[PathBuf]) -> Option<&Path> {
    let first = |is_it: fn(&Path) -> bool| files.iter().find(|file| is_it(file));
    let found = first(is_model_name).or_else(|| first(is_archive_name));
    found.or(files.first()).map(PathBuf::as_path)
}

/// Errors that a message quotes.
const QUOTED_ERRORS: usize = 3;

/// The first errors of a file, a line each, and how many more there are; empty without any.
pub(in crate::app) fn quoted_errors(import: &Import) -> Vec<String> {
    let errors = import.diagnostics.iter();
    quoted(errors.filter(|it| it.severity == Severity::Error))
}

fn quoted<'d>(findings: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<String> {
    let mut findings = findings.into_iter();
    let quoted = findings.by_ref().take(QUOTED_ERRORS);
    let mut lines: Vec<_> = quoted.map(said).collect();
    let more = findings.count();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// What is wrong, in a line: the words of the format last, for who looks for the place.
pub(super) fn said(found: &Diagnostic) -> String {
    let words = sentence(found);
    match &*found.pointer {
        "" => words.into_owned(),
        pointer => format!("{words} ({pointer})"),
    }
}

/// Where the reason lies why there are none, causes before what comes of them.
const VERTICES_COME_FROM: [&str; 3] = ["/buffers", "/bufferViews", "/accessors"];

/// Why a file leaves nothing to be shown, line by line: it has meshes, and no vertex of them could be read. `None` if
/// something is left, of files without meshes the nodes, or if nothing was wrong with it.
pub fn nothing_left(import: &Import) -> Option<Vec<String>> {
    let model = &import.model;
    // Meshes that cannot be read leave empty ones.
    let has_nodes_alone = model.meshes.is_empty() && !model.hierarchy.is_empty();
    if !import.has_errors() || has_nodes_alone || model.vertex_count() > 0 {
        return None;
    }
    let found = import.diagnostics.iter();
    let mut found: Vec<_> = found.filter_map(|it| Some((cause(it)?, it))).collect();
    // What else is wrong with the file has nothing to do with it, unless there is nothing but that.
    let is_known = found.iter().any(|(cause, _)| *cause < OTHER_CAUSE);
    found.retain(|(cause, _)| !is_known || *cause < OTHER_CAUSE);
    found.sort_by_key(|(cause, _)| *cause);
    let found = found.into_iter().map(|(_, it)| it);
    let mut lines = vec!["Nothing of it could be read that can be shown.".to_owned()];
    lines.extend(quoted(found));
    Some(lines)
}

/// Any other error.
const OTHER_CAUSE: usize = VERTICES_COME_FROM.len() + 1;

/// How far it may be why there are no vertices, the least most; none if it is no reason.
fn cause(found: &Diagnostic) -> Option<usize> {
    let pointer = &*found.pointer;
    let mut sections = VERTICES_COME_FROM.iter();
    let section = sections.position(|section| pointer.starts_with(section));
    // Bounds that are stated wrongly take nothing, nor does what a primitive has beside its positions.
    let section = section.filter(|_| !pointer.ends_with("/min") && !pointer.ends_with("/max"));
    let is_beside = pointer.contains("/attributes/") && !pointer.ends_with("/POSITION");
    let is_of_mesh =
        pointer.starts_with("/meshes") && !is_beside && !pointer.ends_with("/material");
    match (found.severity, section) {
        // What took the vertices may be a warning, as of a buffer that names no file.
        (Severity::Error | Severity::Warning, Some(place)) => Some(place),
        (Severity::Error, None) if is_of_mesh => Some(VERTICES_COME_FROM.len()),
        (Severity::Error, None) => Some(OTHER_CAUSE),
        _ => None,
    }
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
        let loaded = move |source, result| {
            Box::new(Loaded {
                ticket,
                source,
                purpose,
                result,
                began,
                time: started.elapsed(),
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
    }

    #[test]
    fn nodes_without_meshes_are_something_to_show() {
        let load = |text: &str| {
            let progress = Progress::default();
            import::load_bytes("joints.gltf", text.as_bytes(), &progress).unwrap()
        };
        let nodes_alone = r#"{
            "asset": {"version": "2.0"},
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "hip", "rotation": [0, 0, 0, 2]}]
        }"#;
        let import = load(nodes_alone);
        let mut said = import.diagnostics.iter();
        assert!(said.any(|it| it.severity == Severity::Error));
        assert_eq!(nothing_left(&import), None);

        let broken_mesh = r#"{
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}]
        }"#;
        let reason = nothing_left(&load(broken_mesh)).unwrap();
        assert!(reason[1].contains("/meshes/0/primitives/0"), "{reason:?}");

        // The cause comes first, also where it is a warning and something else an error.
        let without_name = r#"{
            "asset": {"version": "2.0"},
            "scene": 3,
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36}]
        }"#;
        let reason = nothing_left(&load(without_name)).unwrap();
        assert!(reason[1].ends_with("(/buffers/0)"), "{reason:?}");

        // What has nothing to do with it is not among the reasons.
        let of_no_length = r#"{
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "textures": [{"source": 0}],
            "images": [{"uri": "missing.png"}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 0, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 12}],
            "buffers": [{"byteLength": 12, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}]
        }"#;
        let reason = nothing_left(&load(of_no_length)).unwrap();
        assert!(reason[1].contains("count is 0"), "{reason:?}");
        let all = reason.join(" ");
        assert!(
            !all.contains("TEXCOORD") && !all.contains("/images"),
            "{reason:?}"
        );
    }
}
