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
        (b"Kaydara FBX Binary", "an FBX file: export it as glTF"),
        (b"; FBX ", "an FBX file: export it as glTF"),
        (b"PXR-USDC", "a USD file: export it as glTF"),
        (b"#usda", "a USD file: export it as glTF"),
        (b"BLENDER", "a file of Blender: export it as glTF"),
        (b"ply\n", "a PLY file: export it as glTF"),
        (b"ply\r\n", "a PLY file: export it as glTF"),
        (b"HIERARCHY", "a BVH file: export it as glTF"),
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
    if is_pose_text(text) {
        let what = "this is no model, but a pose that rigscope has saved: `rigscope render MODEL --pose` draws a model in it, \
                    and so does the window where it is dropped";
        return Some(what.to_owned());
    }
    let starts_with = |first: &str| {
        let start = text.get(..first.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(first.as_bytes()))
    };
    if starts_with("<!doctype html") || starts_with("<html") {
        Some("this is no glTF file, but a web page (HTML)".to_owned())
    } else if is_collada(text) {
        Some("this is no glTF file, but a COLLADA file: export it as glTF".to_owned())
    } else if starts_with("<?xml") {
        Some("this is no glTF file, but an XML file".to_owned())
    } else if is_stl(text) {
        Some("this is no glTF file, but an STL file: export it as glTF".to_owned())
    } else if is_obj(text) {
        Some("this is no glTF file, but an OBJ file: export it as glTF".to_owned())
    } else if is_prose(text) {
        Some("this is no glTF file, but some other text".to_owned())
    } else {
        None
    }
}

/// Of a text no more bytes say whether it is a pose.
pub const POSE_LOOKED_AT: usize = 1 << 20;

/// Whether a text is like what `rigscope pose` prints, in whatever order, which has nodes, skins and meshes, as models do: an
/// object with nodes that say where they are in the world, or which they are, or with a model and a time; and without the
/// `asset` that all glTF files have.
pub fn is_pose_text(text: &[u8]) -> bool {
    let text = text.strip_prefix(super::BYTE_ORDER_MARK).unwrap_or(text);
    let text = text.get(..POSE_LOOKED_AT).unwrap_or(text);
    let mut rest = text.trim_ascii_start();
    if !rest.starts_with(b"{") {
        return false;
    }
    let (mut has_node, mut has_model, mut has_time) = (false, false, false);
    let mut is_whole = false;
    // Of the object, its members, and the nodes.
    let (mut depth, mut member): (usize, &[u8]) = (0, b"");
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'{' | b'[' => depth = depth.saturating_add(1),
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    is_whole = true;
                    break;
                }
            }
            b'"' => {
                let Some((string, after)) = split_string(after) else {
                    break;
                };
                rest = after;
                if !after.trim_ascii_start().starts_with(b":") {
                    continue;
                }
                match (depth, string) {
                    (1, b"asset") => return false,
                    (1, _) => {
                        member = string;
                        has_model |= string == b"model";
                        has_time |= string == b"time_secs";
                    }
                    (3, b"world" | b"index") => has_node |= member == b"nodes",
                    _ => {}
                }
            }
            _ => {}
        }
    }
    // What models may have, too, counts only where no `asset` may follow.
    has_node && is_whole || has_model && has_time
}

/// What follows the quote that begins a string: the string as it is written, and what comes after the quote that ends it.
fn split_string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut is_escaped = false;
    let end = text.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    })?;
    let (string, after) = text.split_at_checked(end)?;
    Some((string, after.get(1..)?))
}

/// Whether the root of an XML text, which is near its beginning, is that of COLLADA.
fn is_collada(text: &[u8]) -> bool {
    const LOOKED_AT: usize = 1024;
    let start = text.get(..LOOKED_AT).unwrap_or(text);
    let root: &[u8] = b"<COLLADA";
    start.starts_with(b"<") && start.windows(root.len()).any(|it| it == root)
}

/// Whether a text begins as an STL file: with its name, and then a facet.
fn is_stl(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n');
    let name = lines.next().unwrap_or_default();
    let facet = lines.next().unwrap_or_default().trim_ascii_start();
    name.starts_with(b"solid") && (facet.starts_with(b"facet") || facet.starts_with(b"endsolid"))
}

/// Whether the first line that is no comment is one of an OBJ file.
fn is_obj(text: &[u8]) -> bool {
    const LOOKED_AT: usize = 64;
    let lines = text.split(|byte| *byte == b'\n').take(LOOKED_AT);
    let mut lines = lines.map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let mut words = first.unwrap_or_default().split(u8::is_ascii_whitespace);
    let (word, next) = (words.next().unwrap_or_default(), words.next());
    let is_number = |word: &[u8]| {
        let word = std::str::from_utf8(word).unwrap_or_default();
        word.parse::<f32>().is_ok()
    };
    match word {
        b"v" | b"vn" | b"vt" => next.is_some_and(is_number),
        b"mtllib" => next.is_some(),
        b"o" | b"g" => next.is_some() && lines.any(|line| line.starts_with(b"v ")),
        _ => false,
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
