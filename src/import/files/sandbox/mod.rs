//! Which files an import may open: those that were given, and regular files in the model's own folder and below; else
//! only what the user agreed to. Nothing is ever fetched from another machine.

mod archive;
mod entry_name;
mod given;
mod letters;
mod name;
mod place;
mod range;
mod regular;
mod uri;

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    ffi::OsString,
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::import::base::{
    budget::Budget,
    consent::Outside,
    diagnostics::{Diagnostics, Fault},
    progress::Progress,
    wording::shorten,
};

use super::container::{LFS_POINTER, is_lfs_pointer};

pub(super) use archive::{Archive, is_archive};
pub(in crate::import) use given::{GivenFile, GivenFiles};
pub(super) use place::Place;
pub(in crate::import) use range::FileRange;
pub(in crate::import) use regular::{Given, LARGEST_FILE, read as read_regular, read_given};
pub(in crate::import) use uri::{DataUri, data_uri, data_uri_head};

use letters::Listings;
use name::Name;
use place::FoundFile;

/// The most bytes that are read of all the files that a model names.
const LARGEST_TOTAL: u64 = 8 << 30;
/// How many files are named that the user may agree to, and how long their paths may be: what is agreed to must be read.
const MAX_OFFERED: usize = 64;
const LONGEST_OFFERED: usize = 256;
/// How many files are noted that were looked for.
const MAX_NOTED: usize = 1024;
/// Larger files stay where they are when they are wanted again: what is not there on disk costs memory when it is read.
const LARGEST_AGAIN: usize = 64 << 20;
/// How many files are held open at once: a system allows some hundreds.
const MAX_OPEN: usize = 64;

/// What reading a file is subject to.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Terms<'t> {
    /// What the file's bytes allow, and what those of an archive cost.
    pub budget: &'t Budget,
    /// Whether it is wanted any more.
    pub progress: &'t Progress,
}

/// Where the other files of a model come from.
#[derive(Debug)]
pub(in crate::import) struct Files {
    /// They are looked through in this order.
    places: Vec<Place>,
    /// What the user agreed to.
    allowed: Outside,
    /// What was refused, and the user may agree to.
    refused: RefCell<Vec<PathBuf>>,
    /// Files already read or opened, so that a thousand references to one cost it once.
    read: RefCell<HashMap<FoundFile, Content>>,
    /// How many of them are open.
    open: Cell<usize>,
    /// Where files were found on disk, or would be if they were there, each once.
    looked_for: RefCell<LookedFor>,
    left: Cell<u64>,
    /// What was listed to find names in other letters.
    listings: RefCell<Listings>,
    /// By the URIs that name them, files whose names are written in other letters.
    respelt: RefCell<HashMap<String, String>>,
}

/// What a file holds.
#[derive(Debug, Clone)]
pub(in crate::import) enum Content {
    /// In memory, where it was read into, since a copy of a large one takes as long as reading it.
    Memory(Arc<Vec<u8>>),
    /// Still in the file, until something of it is asked for.
    File(Arc<FileRange>),
}

impl Content {
    pub(in crate::import) fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(file) => file.len(),
        }
    }
}

/// How much of a file is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amount {
    /// All of it.
    Whole,
    /// Parts, later; all of it at once if it is small, or, unless it is large, if it is wanted for the second time.
    Parts,
    /// Parts, later, of what is read once however often it is named, or a few bytes of what was wanted before.
    Once,
}

impl Amount {
    /// Whether all of an open file of this length is read when it is wanted once more.
    fn is_whole(self, length: usize) -> bool {
        match self {
            Self::Whole => true,
            Self::Parts => length <= LARGEST_AGAIN,
            Self::Once => false,
        }
    }
}

/// Paths in the order in which they came.
#[derive(Debug, Default)]
struct LookedFor {
    known: HashSet<OsString>,
    in_order: Vec<PathBuf>,
}

/// What is left to say when all files were read.
#[derive(Debug)]
pub(in crate::import) struct Accounts {
    /// The files that were refused since they lie outside.
    pub refused: Vec<PathBuf>,
    /// Where files were found on disk, or would be if they were there.
    pub looked_for: Vec<PathBuf>,
}

impl Files {
    pub(super) fn new(places: Vec<Place>, allowed: Outside) -> Self {
        Self {
            places,
            allowed,
            refused: RefCell::default(),
            read: RefCell::default(),
            open: Cell::default(),
            looked_for: RefCell::default(),
            left: Cell::new(LARGEST_TOTAL),
            listings: RefCell::default(),
            respelt: RefCell::default(),
        }
    }

    /// No files at all.
    pub(in crate::import) fn none() -> Self {
        Self::new(Vec::new(), Outside::Refused)
    }

    pub(in crate::import) fn into_accounts(self) -> Accounts {
        Accounts {
            refused: self.refused.into_inner(),
            looked_for: self.looked_for.into_inner().in_order,
        }
    }

    fn note(&self, path: PathBuf) {
        let LookedFor { known, in_order } = &mut *self.looked_for.borrow_mut();
        if in_order.len() < MAX_NOTED && known.insert(path.clone().into_os_string()) {
            in_order.push(path);
        }
    }

    fn note_found(&self, found: &FoundFile) {
        if let FoundFile::Path { path, .. } = found {
            self.note(path.clone());
        }
    }

    /// Reads the file that a URI names.
    pub(in crate::import) fn read(
        &self,
        uri: &str,
        terms: Terms<'_>,
    ) -> Result<Arc<Vec<u8>>, Fault> {
        let content = self.seek(uri, Amount::Whole, terms)?;
        in_memory(content)
    }

    /// Opens the file that a URI names. What has no file of its own, or is small, is read.
    pub(in crate::import) fn open(&self, uri: &str, terms: Terms<'_>) -> Result<Content, Fault> {
        self.seek(uri, Amount::Parts, terms)
    }

    /// [`Self::open`] for who reads a file once, however often it is named, or a few bytes of it.
    pub(in crate::import) fn open_once(
        &self,
        uri: &str,
        terms: Terms<'_>,
    ) -> Result<Content, Fault> {
        self.seek(uri, Amount::Once, terms)
    }

    /// Says that the file which a URI names was found under a name in other letters, if it was.
    pub(in crate::import) fn report_letters(
        &self,
        uri: &str,
        pointer: impl fmt::Display,
        diagnostics: &mut Diagnostics,
    ) {
        if let Some(own) = self.respelt.borrow().get(uri) {
            let (wanted, found) = (shorten(uri), shorten(own));
            let is_canonically_equal = uri::spellings(uri)
                .iter()
                .any(|name| letters::are_canonically_equal(name, own));
            let message = if is_canonically_equal {
                format!(
                    "there is no \"{wanted}\", but a file whose name composes the same letters otherwise"
                )
            } else {
                format!("there is no \"{wanted}\", but \"{found}\" in other letters")
            };
            let action = "that is read";
            diagnostics.warning("URI_IN_OTHER_LETTERS", pointer, message, action);
        }
    }

    fn seek(&self, uri: &str, wanted: Amount, terms: Terms<'_>) -> Result<Content, Fault> {
        let content = self.seek_any(uri, wanted, terms)?;
        match &content {
            Content::Memory(bytes) if is_lfs_pointer(bytes) => {
                let message = format!("\"{}\" is {LFS_POINTER}", shorten(uri));
                Err(Fault::new("IO_ERROR", message))
            }
            _ => Ok(content),
        }
    }

    fn seek_any(&self, uri: &str, wanted: Amount, terms: Terms<'_>) -> Result<Content, Fault> {
        let shown = &shorten(uri).to_string();
        if let Some(path) = uri::file_uri(uri) {
            let fault = not_relative(shown);
            return self.read_outside(Path::new(&path), shown, fault, (wanted, terms));
        }
        if uri::has_scheme(uri) || uri::is_remote(uri) {
            return Err(not_relative(shown));
        }
        let mut missing = None;
        for name in uri::spellings(uri) {
            if uri::is_remote(&name) {
                return Err(not_relative(shown));
            }
            match self.find(&name) {
                Ok(found) => return self.read_found(found, shown, wanted, terms),
                Err(place::Missing::Outside(path)) => {
                    let message = format!("\"{shown}\" lies outside the model's own folder");
                    let fault = Fault::new("URI_OUTSIDE_FOLDER", message);
                    return match path {
                        Some(path) => self.read_outside(&path, shown, fault, (wanted, terms)),
                        None => Err(fault),
                    };
                }
                // What is said about the first spelling is nearest to the truth.
                Err(place::Missing::Error(error)) => {
                    missing.get_or_insert_with(|| {
                        if error.kind() == io::ErrorKind::NotFound && !uri::is_of_text(uri) {
                            return not_of_text(shown);
                        }
                        unreadable(shown, &error)
                    });
                }
            }
        }
        if let Some(found) = self.find_in_other_letters(uri) {
            return self.read_found(found, shown, wanted, terms);
        }
        Err(missing.unwrap_or_else(|| {
            let message = if uri.is_empty() {
                "the URI is empty".to_owned()
            } else {
                format!("\"{shown}\" can be the name of no file")
            };
            Fault::new("INVALID_URI", message)
        }))
    }

    /// The file that a URI names in other letters, if there is only one.
    fn find_in_other_letters(&self, uri: &str) -> Option<FoundFile> {
        for name in uri::spellings(uri) {
            let Some(name) = Name::of(&name).filter(|name| !name.parts.is_empty()) else {
                continue;
            };
            for place in &self.places {
                let found = self.listings.borrow_mut().find(place, &name);
                if let Some((found, own)) = found {
                    self.note_found(&found);
                    self.respelt.borrow_mut().insert(uri.to_owned(), own);
                    return Some(found);
                }
            }
        }
        None
    }

    /// Reads the model itself, by its name in its folder.
    pub(super) fn read_named(&self, name: &str, terms: Terms<'_>) -> Result<Arc<Vec<u8>>, Fault> {
        let shown = &shorten(name).to_string();
        match self.find(name) {
            Ok(found) => in_memory(self.read_found(found, shown, Amount::Whole, terms)?),
            Err(place::Missing::Outside(_)) => {
                let message = format!("\"{shown}\" is a link to a file outside");
                Err(Fault::new("URI_OUTSIDE_FOLDER", message))
            }
            Err(place::Missing::Error(error)) => Err(unreadable(shown, &error)),
        }
    }

    /// Where the file of this name is; else what the first place that it could be in says.
    fn find(&self, path: &str) -> Result<FoundFile, place::Missing> {
        let Some(name) = Name::of(path) else {
            return Err(place::Missing::Outside(Some(PathBuf::from(path))));
        };
        let mut missing = None;
        for place in &self.places {
            if let Some(path) = place.path_of(&name) {
                self.note(path);
            }
            match place.find(&name) {
                Ok(found) => {
                    self.note_found(&found);
                    return Ok(found);
                }
                Err(place::Missing::Error(error)) if matches!(place, Place::Given(_)) => {
                    // What was not given may still lie in the folder, which then says what is wrong.
                    drop(error);
                }
                Err(error) => missing = missing.or(Some(error)),
            }
        }
        if let Some(found) = place::by_file_name(&self.places, &name) {
            self.note_found(&found);
            return Ok(found);
        }
        Err(missing.unwrap_or_else(|| {
            let message = "there is no folder to look for it in";
            place::Missing::Error(io::Error::new(io::ErrorKind::NotFound, message))
        }))
    }

    /// Reads a file that lies outside, if the user has agreed to that.
    fn read_outside(
        &self,
        path: &Path,
        shown: &str,
        refusal: Fault,
        (wanted, terms): (Amount, Terms<'_>),
    ) -> Result<Content, Fault> {
        let mut path = path.to_owned();
        match &self.allowed {
            Outside::Allowed => {
                let found = FoundFile::given(&GivenFile::itself(&path));
                self.note_found(&found);
                return self.read_found(found, shown, wanted, terms);
            }
            Outside::These(agreed) if agreed.contains(&path) => {
                // Only now may it be looked at. If it is a link, the user does not know yet what would be read.
                self.note(path.clone());
                let target = path.canonicalize();
                let target = target.map_err(|error| unreadable(shown, &error))?;
                if agreed.contains(&target) || self.places.iter().any(|place| place.holds(&target))
                {
                    let (path, root) = (target.clone(), Some(target));
                    let found = FoundFile::Path { path, root };
                    self.note_found(&found);
                    return self.read_found(found, shown, wanted, terms);
                }
                path = target;
            }
            Outside::These(_) | Outside::Refused => {}
        }
        self.offer(path);
        Err(refusal)
    }

    /// Names a file that was refused, so that the user may agree to it.
    fn offer(&self, path: PathBuf) {
        let mut refused = self.refused.borrow_mut();
        let is_legible = path.to_str().is_some_and(|path| {
            path.chars().count() <= LONGEST_OFFERED && !path.chars().any(char::is_control)
        });
        if is_legible && !refused.contains(&path) && refused.len() < MAX_OFFERED {
            refused.push(path);
        }
    }

    /// Reads or opens what was found, once.
    fn read_found(
        &self,
        found: FoundFile,
        shown: &str,
        wanted: Amount,
        terms: Terms<'_>,
    ) -> Result<Content, Fault> {
        let Terms { budget, progress } = terms;
        let known = self.read.borrow().get(&found).cloned();
        let is_open = match known {
            Some(Content::File(file)) if wanted.is_whole(file.len()) => true,
            Some(content) => return Ok(content),
            None => false,
        };
        let left = self.left.get();
        let content = match &found {
            FoundFile::Path { path, root } => {
                let most = LARGEST_FILE.min(left);
                let root = root.as_deref();
                let content = match wanted {
                    Amount::Parts | Amount::Once if !is_open && self.open.get() < MAX_OPEN => {
                        regular::open(path, root, most, progress)
                    }
                    _ => regular::read(path, root, most, progress)
                        .map(|bytes| Content::Memory(bytes.into())),
                };
                let content = content.map_err(|error| unreadable(shown, &error))?;
                if matches!(content, Content::File(_)) {
                    self.open.set(self.open.get().saturating_add(1));
                }
                content
            }
            FoundFile::Entry(path) => {
                let archive = self.places.iter().find_map(Place::archive);
                let archive =
                    archive.ok_or_else(|| Fault::new("IO_ERROR", "there is no archive"))?;
                Content::Memory(archive.read(path, terms)?.into())
            }
        };
        if !is_open {
            let length = content.len();
            if matches!(found, FoundFile::Path { .. }) {
                budget.allow_for(length);
            }
            let length = u64::try_from(length).unwrap_or(u64::MAX);
            self.left.set(left.saturating_sub(length));
        }
        self.read.borrow_mut().insert(found, content.clone());
        Ok(content)
    }
}

/// The bytes of what was read as a whole.
fn in_memory(content: Content) -> Result<Arc<Vec<u8>>, Fault> {
    match content {
        Content::Memory(bytes) => Ok(bytes),
        Content::File(_) => Err(Fault::new("IO_ERROR", "the file was not read")),
    }
}

fn not_relative(shown: &str) -> Fault {
    let message = format!("\"{shown}\" is no relative path; nothing is fetched for a model");
    Fault::new("NON_RELATIVE_URI", message)
}

fn not_of_text(shown: &str) -> Fault {
    let message = format!("\"{shown}\" names no file: the bytes that it encodes are not UTF-8");
    Fault::new("IO_ERROR", message)
}

fn unreadable(shown: &str, error: &io::Error) -> Fault {
    if error.kind() == io::ErrorKind::FileTooLarge {
        let message = format!("\"{shown}\" is too large");
        return Fault::new("MEMORY_BUDGET_EXCEEDED", message);
    }
    let is_missing = error.kind() == io::ErrorKind::NotFound && error.raw_os_error().is_some();
    let message = if is_missing {
        format!("\"{shown}\" is not there: it must lie beside the model, or be given along with it")
    } else {
        format!("\"{shown}\" cannot be read: {error}")
    };
    Fault::new("IO_ERROR", message)
}
