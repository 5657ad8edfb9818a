//! Files that are plainly something else, by their first bytes.

use crate::import::files::magic;

/// What the file is, and what to do about it; none if it may be a glTF file, if a damaged one.
pub(super) fn foreign(bytes: &[u8]) -> Option<String> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"\x1f\x8b", "compressed by gzip: unpack it first"),
        (b"b3dm", "a tile of 3D Tiles (b3dm)"),
        (b"i3dm", "a tile of 3D Tiles (i3dm)"),
        (b"cmpt", "a tile of 3D Tiles (cmpt)"),
        (b"pnts", "a tile of 3D Tiles (pnts)"),
        (b"Kaydara FBX Binary", "an FBX file"),
        (b"; FBX ", "an FBX file"),
        (b"PXR-USDC", "a USD file"),
        (b"#usda", "a USD file"),
        (b"BLENDER", "a file of Blender: export it as glTF"),
        (magic::PNG, "a picture (PNG)"),
        (magic::JPEG, "a picture (JPEG)"),
    ];
    if is_lfs_pointer(bytes) {
        return Some(format!("this is {LFS_POINTER}"));
    }
    let kind = KINDS.iter().find(|(first, _)| bytes.starts_with(first));
    if let Some((_, kind)) = kind {
        return Some(format!("this is no glTF file, but {kind}"));
    }
    let is_wide = [b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{"];
    if is_wide.iter().any(|first| bytes.starts_with(*first)) {
        let what = "its JSON text is UTF-16: save it as UTF-8, as glTF must be";
        return Some(what.to_owned());
    }
    let text = bytes.strip_prefix(super::BYTE_ORDER_MARK).unwrap_or(bytes);
    let text = text.trim_ascii_start();
    let starts_with = |first: &str| {
        let start = text.get(..first.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(first.as_bytes()))
    };
    if starts_with("<!doctype html") || starts_with("<html") {
        Some("this is no glTF file, but a web page (HTML)".to_owned())
    } else if starts_with("<?xml") || starts_with("<collada") {
        Some("this is no glTF file, but an XML file".to_owned())
    } else if is_prose(text) {
        Some("this is no glTF file, but some other text".to_owned())
    } else {
        None
    }
}

/// Whether a text begins with a letter, as JSON does with `true`, `false` and `null` alone.
fn is_prose(text: &[u8]) -> bool {
    const LOOKED_AT: usize = 256;
    let start = text.get(..LOOKED_AT).unwrap_or(text);
    let is_letter = start.first().is_some_and(u8::is_ascii_alphabetic);
    let is_plain = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let literals: [&[u8]; 3] = [b"true", b"false", b"null"];
    let is_json = literals.iter().any(|it| start.starts_with(it));
    is_letter && !is_json && start.iter().all(is_plain)
}

/// What [`is_lfs_pointer`] finds.
pub(in crate::import) const LFS_POINTER: &str =
    "a pointer of Git LFS, not the file itself: get that by \"git lfs pull\"";

/// Whether a file only says where Git LFS keeps what should be there (git-lfs, docs/spec.md).
pub(in crate::import) fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const LONGEST: usize = 1024;
    bytes.len() < LONGEST && bytes.starts_with(b"version https://git-lfs")
}
