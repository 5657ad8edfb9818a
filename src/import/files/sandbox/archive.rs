//! A `.zip` archive in memory: its names, and its entries inflated one by one under a budget.
//!
//! Limits: entries that are stored or deflated.

use std::{collections::BTreeMap, io::Read as _, path::Path};

use anyhow::{Context as _, ensure};
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};

use super::{LARGEST_FILE, Terms, entry_name::name_of, name::Name, regular::read_in_portions};
use crate::import::{
    base::{diagnostics::Fault, wording::counted},
    files::package::is_model_name,
};

/// The most entries that are listed.
const MAX_ENTRIES: usize = 65_536;
/// Deflate makes nothing smaller than by this factor: 258 bytes from two bits.
const BEST_RATIO: u64 = 1032;
/// Models may be so large however small they are packed, and beyond that so many times as large as they are packed, and as
/// the archive is: what text says takes more memory than the text.
const SMALL_MODEL: u64 = 4 << 20;
const MODEL_RATIO: u64 = 32;
const ARCHIVE_RATIO: u64 = 8;
/// The most bytes that all its names may have.
const LONGEST_NAMES: usize = 16 << 20;

/// An archive, and where its files are in it.
#[derive(Debug)]
pub(in crate::import) struct Archive {
    zip: ZipSliceArchive<Vec<u8>>,
    /// What the archive holds, by paths from its root.
    entries: BTreeMap<String, Entry>,
    /// In bytes.
    length: usize,
    /// How many entries have names that lead out of the archive.
    refused: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
}

/// Whether these are the first bytes of an archive (APPNOTE.TXT 6.3.10 §4.3): an entry, or the end of an empty one.
pub(in crate::import) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

impl Archive {
    /// Reads the list of an archive's entries.
    pub(in crate::import) fn new(bytes: Vec<u8>) -> anyhow::Result<Self> {
        let archive_length = bytes.len();
        let zip = ZipArchive::from_slice(bytes).context("the .zip archive cannot be read")?;
        let mut entries = BTreeMap::new();
        let (mut refused, mut length) = (0_usize, 0_usize);
        for entry in zip.entries() {
            let entry = entry.context("the list of the .zip archive is damaged")?;
            if entry.is_dir() || entry.mode().is_symlink() {
                continue;
            }
            // It may be longer than what stands in its place.
            let name = name_of(&entry);
            length = length.saturating_add(name.len());
            ensure!(
                entries.len() < MAX_ENTRIES && length <= LONGEST_NAMES,
                "the .zip archive has too many entries"
            );
            let Some(path) = Name::of(&name)
                .filter(|name| name.parts.iter().all(|part| !part.contains('\0')))
                .and_then(|name| name.below(&[]))
                .filter(|parts| !parts.is_empty())
            else {
                refused = refused.saturating_add(1);
                continue;
            };
            // Of one name what was added last counts, as if all were unpacked one after the other.
            let found = Entry {
                place: entry.wayfinder(),
                method: entry.compression_method(),
                is_encrypted: entry.flags().is_encrypted(),
            };
            entries.insert(path.join("/"), found);
        }
        Ok(Self {
            zip,
            entries,
            length: archive_length,
            refused,
        })
    }

    /// The paths of all files, sorted.
    pub(in crate::import) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// How many entries have names that lead out of the archive, and so are not there.
    pub(in crate::import) fn refused(&self) -> usize {
        self.refused
    }

    /// Whether there is a file of this path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// How large a model may be that is packed into so many bytes.
    fn largest_model(&self, packed_size: u64) -> u64 {
        let length = u64::try_from(self.length).unwrap_or(u64::MAX);
        let by_archive = length.saturating_mul(ARCHIVE_RATIO);
        let more = packed_size.saturating_mul(MODEL_RATIO).min(by_archive);
        SMALL_MODEL.saturating_add(more)
    }

    /// Reads a file. What it costs is charged before it is taken, so that a small archive cannot fill the memory.
    pub(super) fn read(&self, path: &str, terms: Terms<'_>) -> Result<Vec<u8>, Fault> {
        let Terms { budget, progress } = terms;
        let fault =
            |what: String| Fault::new("IO_ERROR", format!("\"{path}\" in the archive {what}"));
        let Some(entry) = self.entries.get(path) else {
            return Err(fault("is not there".to_owned()));
        };
        if entry.is_encrypted {
            return Err(fault("is encrypted, which cannot be read".to_owned()));
        }
        let damaged = |error: &dyn std::fmt::Display| fault(format!("is damaged: {error}"));
        let data = self.zip.get_entry(entry.place).map_err(|e| damaged(&e))?;
        let (packed, size) = (data.data(), entry.place.uncompressed_size_hint());
        let packed_size = u64::try_from(packed.len()).unwrap_or(u64::MAX);
        let most = match entry.method {
            CompressionMethod::STORE => packed_size,
            CompressionMethod::DEFLATE => packed_size.saturating_mul(BEST_RATIO),
            other => {
                let name = other
                    .name()
                    .map_or_else(|| other.as_u16().to_string(), str::to_owned);
                return Err(fault(format!(
                    "is compressed by an unknown method ({name})"
                )));
            }
        };
        if size > most {
            return Err(fault(format!(
                "claims {}, and {packed_size} cannot hold so many",
                counted(size, "byte", "bytes")
            )));
        }
        if is_model_name(Path::new(path)) && size > self.largest_model(packed_size) {
            let message =
                format!("\"{path}\" in the archive is many times as large as it is packed");
            return Err(Fault::new("MEMORY_BUDGET_EXCEEDED", message));
        }
        if size > LARGEST_FILE {
            let message = format!("\"{path}\" in the archive is too large");
            return Err(Fault::new("MEMORY_BUDGET_EXCEEDED", message));
        }
        let mut bytes = budget.reserve::<u8>(usize::try_from(size).unwrap_or(usize::MAX))?;
        // One byte more than it claims shows a lie; length and checksum are compared at the end.
        let most = size.saturating_add(1);
        let read = if entry.method == CompressionMethod::STORE {
            let reader = data.verifying_reader(packed).take(most);
            read_in_portions(reader, &mut bytes, progress)
        } else {
            let inflater = DeflateDecoder::new(packed);
            let reader = data.verifying_reader(inflater).take(most);
            read_in_portions(reader, &mut bytes, progress)
        };
        read.map_err(|error| damaged(&error))?;
        if u64::try_from(bytes.len()) != Ok(size) {
            let claimed = counted(size, "byte", "bytes");
            return Err(fault(format!("is longer than the {claimed} it claims")));
        }
        Ok(bytes)
    }
}
