//! Bytes that a file names, on their way into its binary chunk: those of buffers, and those of images.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};

use super::{
    super::{
        lost::listed,
        references::{COMPRESSIONS, whole},
    },
    Members, Raw, SourceFile, member, uri_of,
};

/// Where the bytes of a buffer are now.
struct Place {
    buffer: usize,
    /// Where they begin there.
    offset: usize,
}

impl<'a> SourceFile<'a> {
    /// What extensions name and does not come along, in words, if there is any and `saved` is in another folder than `model`;
    /// that is none if the model is in no folder.
    pub fn lost_files(&self, model: Option<&Path>, saved: &Path) -> Option<String> {
        let folder = model.and_then(folder_of);
        if folder.is_some() && folder == folder_of(saved) {
            return None;
        }
        let files = self.references.files();
        let files: BTreeSet<String> = files.map(|uri| format!("{uri:?}")).collect();
        (!files.is_empty()).then(|| {
            let files = listed(&files);
            format!(
                "what extensions name is not copied, and looked for from the folder of the saved file now: {files}"
            )
        })
    }

    /// Finds the buffer that can be added to: the first, which becomes the binary chunk (glTF 2.0 §3.6.1.2). Where its bytes
    /// are not there, or not all that something is to lie in, one more.
    pub(super) fn choose_buffer(
        &mut self,
        bin: Option<&'a [u8]>,
        named: &BTreeMap<String, Vec<u8>>,
    ) -> anyhow::Result<()> {
        let first = self.list("buffers").first();
        let uri = first.map(|buffer| uri_of(buffer)).transpose()?;
        let members = first.map(|buffer| serde_json::from_str::<Members>(buffer.get()));
        let members = members.transpose()?.unwrap_or_default();
        let length = member(&members, "byteLength").as_ref().and_then(whole);
        let bytes = match uri {
            None => Some(&[][..]),
            Some(None) => bin,
            Some(Some(uri)) => named.get(&uri).map(Vec::as_slice),
        };
        let reached = self.references.end_in_buffer(0);
        let is_whole = |bytes: &&[u8]| reached <= length.unwrap_or(0).min(bytes.len() as u64);
        match bytes.filter(is_whole) {
            Some(bytes) => self.bytes = bytes.to_vec(),
            None => {
                self.untouched = bin.unwrap_or_default();
                self.buffer = self.list("buffers").len();
            }
        }
        if self.buffer == self.list("buffers").len() {
            self.add("buffers", &json!({ "byteLength": 0 }));
        }
        Ok(())
    }

    /// Takes the bytes of buffers that are named: into the binary chunk if all that refers to them is known, else as text.
    pub(super) fn take_buffers(&mut self, named: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
        if self.is_chunk() && !self.references.may_name_buffers_elsewhere() {
            self.join_buffers(named)?;
        }
        for index in 0..self.list("buffers").len() {
            let uri = uri_of(&self.list("buffers")[index])?;
            let uri = uri.filter(|uri| !is_data_uri(uri));
            let bytes = uri.and_then(|uri| named.get(&uri));
            if let Some(bytes) = bytes.filter(|_| index != self.buffer) {
                let uri = data_uri(bytes);
                self.change("buffers", index, |buffer| {
                    buffer.insert("uri".to_owned(), to_raw_value(&uri)?);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Puts the bytes of buffers behind those of the first, and has views lie there.
    fn join_buffers(&mut self, named: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
        let buffers = self.lists.get_mut("buffers").map(mem::take);
        let (mut places, mut kept) = (Vec::new(), Vec::new());
        for (index, buffer) in buffers.unwrap_or_default().into_iter().enumerate() {
            places.push(match self.bytes_to_join(index, &buffer, named)? {
                Some(bytes) => Place {
                    buffer: self.buffer,
                    offset: self.append(bytes),
                },
                None => {
                    kept.push(buffer);
                    Place {
                        buffer: kept.len() - 1,
                        offset: 0,
                    }
                }
            });
        }
        self.lists.insert("buffers", kept);
        for view in self.lists.entry("bufferViews").or_default() {
            if let Some(moved) = moved(view, &places)? {
                *view = moved;
            }
        }
        Ok(())
    }

    /// The bytes of a buffer, if it is nothing but bytes, and all that something is to lie in are there.
    fn bytes_to_join<'n>(
        &self,
        index: usize,
        buffer: &RawValue,
        named: &'n BTreeMap<String, Vec<u8>>,
    ) -> anyhow::Result<Option<&'n [u8]>> {
        let members: Members = serde_json::from_str(buffer.get())?;
        let says_more = ["extensions", "extras"].map(|name| members.contains_key(name));
        if index == self.buffer || says_more != [false; 2] {
            return Ok(None);
        }
        let uri: Option<String> = member(&members, "uri");
        let bytes = uri.and_then(|uri| named.get(&uri));
        let length = member(&members, "byteLength").as_ref().and_then(whole);
        let length = usize::try_from(length.unwrap_or(0))?;
        let bytes = bytes.map(|bytes| &bytes[..length.min(bytes.len())]);
        let end = self.references.end_in_buffer(index as u64);
        Ok(bytes.filter(|bytes| end <= bytes.len() as u64))
    }

    /// Puts the bytes of images that are named into views; those of one name once.
    pub(super) fn take_images(&mut self, named: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
        let mut views = BTreeMap::new();
        for index in 0..self.list("images").len() {
            let uri = uri_of(&self.list("images")[index])?;
            let found = uri.and_then(|uri| named.get_key_value(&uri));
            // A view has a byte at least (glTF 2.0 §5.11.3).
            let Some((uri, bytes)) = found.filter(|(_, bytes)| !bytes.is_empty()) else {
                continue;
            };
            let mime = mime_type(bytes);
            if mime.is_none() && !says_type(&self.list("images")[index])? {
                // In a view its type would have to be said (glTF 2.0 §5.18.2), and nobody knows it.
                let uri = to_raw_value(&data_uri(bytes))?;
                self.change("images", index, |image| {
                    image.insert("uri".to_owned(), uri);
                    Ok(())
                })?;
                continue;
            }
            let view = match views.get(uri) {
                Some(&view) => view,
                None => self.add_bytes(bytes)?,
            };
            views.insert(uri, view);
            self.change("images", index, |image| {
                image.remove("uri");
                image.insert("bufferView".to_owned(), to_raw_value(&view)?);
                if let Some(mime) = mime
                    && !image.contains_key("mimeType")
                {
                    image.insert("mimeType".to_owned(), to_raw_value(mime)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// A view, or the compressed data beside it, where its bytes are now; none if they are where they were.
fn moved(view: &RawValue, places: &[Place]) -> anyhow::Result<Option<Raw>> {
    // What is damaged stays as it is.
    let Ok(mut members) = serde_json::from_str::<Members>(view.get()) else {
        return Ok(None);
    };
    let mut has_moved = move_range(&mut members, places)?;
    let mut extensions: Members = member(&members, "extensions").unwrap_or_default();
    for name in COMPRESSIONS {
        let Some(mut compressed) = member(&extensions, name) else {
            continue;
        };
        if move_range(&mut compressed, places)? {
            extensions.insert(name.to_owned(), to_raw_value(&compressed)?);
            members.insert("extensions".to_owned(), to_raw_value(&extensions)?);
            has_moved = true;
        }
    }
    Ok(has_moved.then(|| to_raw_value(&members)).transpose()?)
}

/// Has a range of a buffer lie where its bytes are now; whether it was elsewhere.
fn move_range(range: &mut Members, places: &[Place]) -> anyhow::Result<bool> {
    let number = |name: &str| {
        let number = member(range, name).as_ref().and_then(whole);
        number.and_then(|number| usize::try_from(number).ok())
    };
    let Some(buffer) = number("buffer") else {
        return Ok(false);
    };
    let offset = number("byteOffset").unwrap_or(0);
    let Some(place) = places.get(buffer) else {
        return Ok(false);
    };
    if place.buffer == buffer {
        return Ok(false);
    }
    range.insert("buffer".to_owned(), to_raw_value(&place.buffer)?);
    if place.offset > 0 {
        let offset = offset.saturating_add(place.offset);
        range.insert("byteOffset".to_owned(), to_raw_value(&offset)?);
    }
    Ok(true)
}

/// The folder that a file is in, links resolved.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let is_here = folder.as_os_str().is_empty();
    let folder = if is_here { Path::new(".") } else { folder };
    folder.canonicalize().ok()
}

/// Whether an image says of which type it is.
fn says_type(image: &RawValue) -> anyhow::Result<bool> {
    let members: Members = serde_json::from_str(image.get())?;
    Ok(members.contains_key("mimeType"))
}

fn is_data_uri(uri: &str) -> bool {
    let scheme = uri.get(..5);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

pub(super) fn data_uri(bytes: &[u8]) -> String {
    let encoded = STANDARD.encode(bytes);
    format!("data:application/octet-stream;base64,{encoded}")
}

/// By the first bytes, as a reader must find it where the file says nothing (glTF 2.0 §3.8.2); none of what is not known.
pub(in crate::export) fn mime_type(image: &[u8]) -> Option<&'static str> {
    let known = match image {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => "image/webp",
        [0xab, b'K', b'T', b'X', ..] => "image/ktx2",
        [b'D', b'D', b'S', b' ', ..] => "image/vnd-ms.dds",
        _ if matches!(image.get(4..12), Some(b"ftypavif" | b"ftypavis")) => "image/avif",
        _ => return None,
    };
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_stated_of_what_is_known() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"\0\0\0\x20ftypavif", Some("image/avif")),
            (b"\0\0\0\x20ftypavis\0", Some("image/avif")),
            (b"\0\0\0\x20ftypheic", None),
            (b"", None),
        ] {
            assert_eq!(mime_type(bytes), expected, "{bytes:?}");
            let json = r#"{"images":[{"uri":"a"}]}"#;
            let named = BTreeMap::from([("a".to_owned(), bytes.to_vec())]);
            let file = SourceFile::new(json, None, &[], &named).unwrap();
            let image: Members = serde_json::from_str(file.list("images")[0].get()).unwrap();
            assert_eq!(member::<String>(&image, "mimeType").as_deref(), expected);
            assert_eq!(image.contains_key("bufferView"), expected.is_some());
            let uri = member::<String>(&image, "uri");
            let has_bytes = uri.is_some_and(|uri| uri.starts_with("data:"));
            assert_eq!(has_bytes, expected.is_none() && !bytes.is_empty());
        }
    }
}
