//! glTF 2.0 → [`Model`]: everything that comes from outside is checked here, so that nobody else has to.
//!
//! What a broken file loses is said in a [`Diagnostic`], and only that is lost; an error means that nothing can be read.
//!
//! The steps, in the order of `import` below and of `reading`: container → document → asset, extensions → buffers →
//! accessors → materials → lights → channels → skins → nodes → meshes → tangents → hierarchy → cameras → clips → scenes →
//! textures → checks → doctor. Images are decoded beside all from materials to scenes.
//!
//! Each folder uses those alone that ARCHITECTURE.md names before it; this file ties them together.
//!
//! Limits: see `json::extensions` for what is read and not drawn.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "a test that meets the unexpected shall fail"
    )
)]

mod arrays;
mod asset;
mod base;
mod decode;
mod files;
mod findings;
mod geometry;
mod json;
mod metadata;
mod motion;
mod numbers;
mod original;
mod reading;
mod scene;
mod surface;

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context as _, anyhow};

use crate::model::{AssetInfo, Image, Model};

pub(crate) use base::barrier::catch_panic;
pub use base::consent::{Consent, Outside};
pub use base::diagnostics::{Diagnostic, Place, Severity};
pub use base::progress::{Progress, is_cancelled};
pub use base::refusal::finding_of;
pub use base::unsupported::is_unsupported;
pub use base::wording::legible;
pub(crate) use base::wording::{counted, first_few};
pub use files::container::{POSE_LOOKED_AT, is_pose_text};
pub(crate) use files::package::SEVERAL_MODELS;
pub use files::package::{
    ARCHIVE_EXTENSION, MODEL_EXTENSIONS, check_is_there, is_archive_name, is_model_name,
    is_motion_name, meant_in, models_in, natural_order,
};
pub use original::{Original, Pictures, original_of_bytes, read_original};
pub use surface::environment::{PANORAMA_EXTENSIONS, is_panorama, read_panorama};

use arrays::{accessor::Accessors, buffers::Buffers, draco, source::Source};
use base::{
    budget::Budget,
    diagnostics::{self, Diagnostics},
    extension,
    parallel::{self, Cores},
    progress::Cancelled,
    scope::Scope,
};
use files::{
    container, package,
    sandbox::{FileRange, Files, Terms},
};
use findings::{checks, doctor, names, users};
use json::{cutter::LONG_TEXT, extensions, grammar, unicode};
use reading::Rooted;
use scene::scenes;
use surface::images;

/// A model, and what was found wrong with its file.
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// What could be read.
    pub model: Model,
    /// What could not, and all that is worth knowing; the worst first.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that the model names and that were not opened, since they lie outside of its own folder: the user may
    /// allow them by [`Consent::outside`].
    pub outside: Vec<PathBuf>,
    /// Where the model's files were looked for on disk, whether they were there or not, links resolved where they were: if
    /// one changes, so may the model. Of a folder the model itself comes first; what was given by name is not repeated.
    pub files: Vec<PathBuf>,
    /// Where the model's own file is, or the archive that it is in; none if it was in memory.
    pub path: Option<PathBuf>,
    /// Which model it is of the folder or the archive that was given; see [`Consent::model`].
    pub within: Option<String>,
    /// The models of that folder or archive: [`models_in`].
    pub models: Vec<String>,
    /// After [`open_to_compare`] the images as they are in the file, for [`decode_image`]; none of those that cannot be
    /// read.
    pub undecoded: Vec<Option<Arc<Vec<u8>>>>,
}

/// The error that a list is empty.
const EMPTY: &str = "EMPTY_ENTITY";

/// Errors that cost nothing: bounds that are not what they should be are found anew.
const NO_LOSSES: [&str; 6] = [
    "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
    "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
    "ACCESSOR_MAX_MISMATCH",
    "ACCESSOR_MIN_MISMATCH",
    "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
    "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
];

/// Warnings about what is lost of files that break no rule.
const LOSSES: [&str; 10] = [
    "ACCESSOR_TOO_LONG",
    "ANIMATION_KEY_TIMES_UNUSABLE",
    "ANIMATION_POINTER_UNRESOLVED",
    "BUFFER_VIEW_UNREADABLE",
    "BUFFER_WITHOUT_DATA",
    "MESH_PRIMITIVE_NO_POSITION",
    "TEXTURE_WITHOUT_IMAGE",
    "TOO_MANY_INFLUENCES",
    "UNSUPPORTED_EXTENSION",
    "VALUE_NOT_IN_LIST",
];

/// Whether a finding is that a file is read only where that is asked for, by [`Consent::unknown_features`].
pub fn is_read_on_request(found: &Diagnostic) -> bool {
    let is_required = found.pointer.starts_with("/extensionsRequired/");
    match found.code {
        "UNSUPPORTED_MIN_VERSION" => true,
        "UNSUPPORTED_EXTENSION" => is_required,
        _ => false,
    }
}

impl Import {
    /// The model's own file; none if it was in memory or in an archive.
    pub fn own_file(&self) -> Option<&Path> {
        let path = self.path.as_deref()?;
        let is_file = |within: &String| path.ends_with(within);
        self.within.as_ref().is_none_or(is_file).then_some(path)
    }

    /// Whether the file breaks the specification, so that something of it may be lost.
    pub fn has_errors(&self) -> bool {
        let mut found = self.diagnostics.iter();
        found.any(|found| found.severity == Severity::Error)
    }

    /// Whether something of the file may be lost: it breaks the specification other than by bounds, and by empty
    /// lists whose owner is kept, or has what cannot be read all the same.
    pub fn may_have_lost(&self) -> bool {
        let mut found = self.diagnostics.iter();
        found.any(|found| match found.severity {
            // An empty list whose owner is dropped costs that.
            Severity::Error if found.code == EMPTY => !found.action.is_empty(),
            Severity::Error => !NO_LOSSES.contains(&found.code),
            Severity::Warning => LOSSES.contains(&found.code),
            _ => false,
        })
    }
}

/// Loads a .gltf or .glb file, or the one in a folder or a .zip archive. Of other files, only those in its own folder
/// and below are opened.
pub fn load(path: &Path, progress: &Progress) -> anyhow::Result<Import> {
    open(&[path.to_owned()], &Consent::default(), progress)
}

/// Loads the model among `given`: files, folders, .zip archives. All else that is given it may name, wherever it lies.
pub fn open(given: &[PathBuf], consent: &Consent, progress: &Progress) -> anyhow::Result<Import> {
    Ok(open_reading(Scope::Shown, given, consent, progress)?.0)
}

/// Loads what it takes to say where everything of the model among `given` is: all but what surfaces look like. Images are
/// not even looked for, and small pictures stand for them; tangents that the file leaves out are not computed; and the
/// diagnostics are only those that came by the way.
pub fn open_to_pose(
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Import> {
    Ok(open_reading(Scope::Posed, given, consent, progress)?.0)
}

/// [`open_to_pose`], and the images as they are in the file, for those who want to know which differ: [`Import::undecoded`].
pub fn open_to_compare(
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Import> {
    Ok(open_reading(Scope::Compared, given, consent, progress)?.0)
}

/// Decodes an image: PNG, JPEG, WebP or KTX2. Its texels are in no blocks.
pub fn decode_image(bytes: &[u8]) -> anyhow::Result<Image> {
    catch_panic(|| images::decode_alone(bytes).map_err(|fault| anyhow!(fault.message)))
}

/// Loads the clips of the model among `given`, and what it takes to play them on another: nodes, skins and the names of
/// morph targets. Images are not even looked for, and neither primitives nor materials have anything to be seen.
pub fn open_clips(
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Import> {
    Ok(open_reading(Scope::Clips, given, consent, progress)?.0)
}

/// What is wrong with the model among `given`, also in the data that are there for those who cannot read compressed ones.
pub fn check(
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<Vec<Diagnostic>> {
    check_and(given, consent, progress, |_| Vec::new())
}

/// [`check`], and what `look` finds in the model.
pub fn check_and(
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
    look: impl FnOnce(&Model) -> Vec<Diagnostic>,
) -> anyhow::Result<Vec<Diagnostic>> {
    let (import, has_fallback) = open_reading(Scope::Shown, given, consent, progress)?;
    let mut diagnostics = import.diagnostics;
    let goes_on = || !progress.is_cancelled();
    diagnostics.extend(catch_panic(|| {
        Ok(find_stray_weights(&import.model, &goes_on))
    })?);
    diagnostics.extend(catch_panic(|| Ok(look(&import.model)))?);
    diagnostics.sort_by_key(|diagnostic| diagnostic.severity);
    drop(import.model);
    if has_fallback {
        let (plain, _) = open_reading(Scope::Uncompressed, given, consent, progress)?;
        drop(plain.model);
        diagnostics::merge_errors(&mut diagnostics, plain.diagnostics);
    }
    Ok(diagnostics)
}

/// Vertices of `model` that follow a joint by mistake: see [`StrayWeights`](crate::anim::StrayWeights) and
/// [`MisplacedWeights`](crate::anim::MisplacedWeights). It visits every edge
/// of what is skinned, so no load waits for it; nothing is found if `goes_on` does not say so to the end.
pub fn find_stray_weights(model: &Model, goes_on: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    doctor::strays::examine(model, goes_on).finish()
}

/// Loads the model among `given`, and says whether there are uncompressed data that were not read.
fn open_reading(
    scope: Scope,
    given: &[PathBuf],
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<(Import, bool)> {
    progress.set_stage("reading the file", 0.0);
    let mut diagnostics = Diagnostics::default();
    let budget = Budget::default();
    let package =
        catch_panic(|| package::open(given, consent, &budget, progress, &mut diagnostics))?;
    let (bytes, name) = (package.bytes, &package.name);
    let parts = (&**bytes, package.bin.as_ref());
    let start = Start {
        name,
        files: package.files,
        budget,
        diagnostics,
        scope,
    };
    let import = catch_panic(|| import(start, parts, consent, progress));
    let (mut import, has_fallback) = import.with_context(|| match given {
        [one] if one.ends_with(name) => one.display().to_string(),
        [one] => format!("{}: {name}", one.display()),
        _ => name.clone(),
    })?;
    (import.path, import.within) = (Some(package.path), package.within);
    import.models = package.models;
    Ok((import, has_fallback))
}

/// Loads a file that is in memory. No other files are opened.
pub fn load_bytes(name: &str, bytes: &[u8], progress: &Progress) -> anyhow::Result<Import> {
    let budget = Budget::default();
    budget.allow_for(bytes.len());
    let start = Start {
        name,
        files: Files::none(),
        budget,
        diagnostics: Diagnostics::default(),
        scope: Scope::Shown,
    };
    let import = catch_panic(|| import(start, (bytes, None), &Consent::default(), progress));
    let (import, _) = import.with_context(|| name.to_owned())?;
    Ok(import)
}

/// What an import starts with.
struct Start<'n> {
    name: &'n str,
    files: Files,
    budget: Budget,
    diagnostics: Diagnostics,
    scope: Scope,
}

/// What can be read of a file, or of its JSON text and its binary chunk, and whether it has uncompressed data that were not.
fn import(
    start: Start<'_>,
    (bytes, bin): (&[u8], Option<&FileRange>),
    consent: &Consent,
    progress: &Progress,
) -> anyhow::Result<(Import, bool)> {
    let Start {
        name,
        files,
        budget,
        mut diagnostics,
        scope,
    } = start;
    let container = match bin {
        Some(bin) => container::of_parts(bytes, bin, &mut diagnostics)?,
        None => container::split(bytes, &mut diagnostics)?,
    };
    let text = unicode::text(container.json, &mut diagnostics);
    let mended = OnceCell::new();
    let document = grammar::parse(&text, &mended, &budget, &mut diagnostics)?;
    let asset = asset::read(&document, consent, &mut diagnostics)?;
    extensions::check(&asset, consent, &mut diagnostics)?;

    progress.check()?;
    progress.set_stage("reading buffers", 0.05);
    let terms = Terms {
        budget: &budget,
        progress,
    };
    let mut buffers = Buffers::read(
        &document,
        &container,
        scope,
        &files,
        terms,
        &mut diagnostics,
    )?;
    let mut accessors = Accessors::read(&document, &mut diagnostics);
    let has_streamed_fallback = draco::decode_all(
        &document,
        scope,
        &mut buffers,
        &mut accessors,
        terms,
        &mut diagnostics,
    )?;
    accessors.fit(&buffers, &mut diagnostics);
    let uses = |name: &str| asset.extensions_used.iter().any(|used| used == name);
    let source = Source {
        is_quantized: uses(extension::KHR_MESH_QUANTIZATION),
        may_restart: uses(extension::KHR_MESH_PRIMITIVE_RESTART),
        document,
        buffers,
        accessors,
        files: Mutex::new(files),
        budget,
        cores: Cores::new(),
        progress,
    };
    let (model, undecoded) = read(scope, name, &source, (&asset, &text), &mut diagnostics)?;
    let has_fallback = has_streamed_fallback || source.buffers.has_unread_fallback();
    let data_bytes = source.budget.data_read().try_into().unwrap_or(u64::MAX);
    let files = source.files.into_inner();
    let files = files.unwrap_or_else(PoisonError::into_inner);
    let (accounts, asset) = (files.into_accounts(), asset::named(asset));
    let mut diagnostics = names::told(&source.document, &model, diagnostics.finish());
    if scope == Scope::Shown {
        users::add(&source.document, &mut diagnostics, progress)?;
    }
    let import = Import {
        diagnostics,
        model: Model {
            asset,
            data_bytes,
            ..model
        },
        outside: accounts.refused,
        files: accounts.looked_for,
        path: None,
        within: None,
        models: Vec::new(),
        undecoded,
    };
    Ok((import, has_fallback))
}

/// Reads what is wanted of a file, and of what is shown all that is wrong with it.
fn read(
    scope: Scope,
    name: &str,
    source: &Source<'_>,
    (asset, text): (&AssetInfo, &str),
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<(Model, images::Undecoded)> {
    let model = match scope {
        Scope::Shown => {
            let rooted = reading::read_shown(name, text.len(), source, diagnostics)?;
            look_through(&rooted, source, (asset, text), diagnostics)?;
            rooted.0
        }
        Scope::Uncompressed => {
            let rooted = reading::read_posed(name, scope, source, diagnostics)?;
            look_through(&rooted, source, (asset, text), diagnostics)?;
            rooted.0
        }
        Scope::Compared => return reading::read_compared(name, source, diagnostics),
        Scope::Posed => reading::read_posed(name, scope, source, diagnostics)?.0,
        Scope::Clips => reading::read_clips(name, source, diagnostics)?,
    };
    Ok((model, Vec::new()))
}

/// Says what is wrong with all that a file has, whether it came into the model or not.
fn look_through(
    (model, roots): &Rooted,
    source: &Source<'_>,
    (asset, text): (&AssetInfo, &str),
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    scenes::check_skins(model, roots, diagnostics);
    let examine = || doctor::examine(model, source.progress);
    let mut check = || checks::run(source, asset, diagnostics);
    let (found, checked) = if text.len() < LONG_TEXT {
        let checked = check();
        (examine(), checked)
    } else {
        parallel::beside(examine, check)
    };
    checked?;
    diagnostics.absorb(found?);
    Ok(())
}
