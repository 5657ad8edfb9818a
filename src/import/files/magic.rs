//! Kinds of pictures, by their first bytes (glTF 2.0 §3.8.2 has those of PNG and JPEG): a declared media type is not
//! believed.

pub(in crate::import) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
pub(in crate::import) const JPEG: &[u8] = b"\xff\xd8\xff";
pub(in crate::import) const KTX2: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// How many bytes tell a kind, at most.
pub(in crate::import) const LONGEST: usize = KTX2.len();

/// A kind of picture that glTF files may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum PictureKind {
    Png,
    Jpeg,
    WebP,
    Ktx2,
}

impl PictureKind {
    /// What begins like this; none if it is nothing of the kind.
    pub(in crate::import) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(PNG) {
            Some(Self::Png)
        } else if head.starts_with(JPEG) {
            Some(Self::Jpeg)
        } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
            Some(Self::WebP)
        } else if head.starts_with(KTX2) {
            Some(Self::Ktx2)
        } else {
            None
        }
    }
}

/// Whether what begins like this is an AVIF picture, or several that move: these are not read.
pub(in crate::import) fn is_avif(head: &[u8]) -> bool {
    matches!(head.get(4..12), Some(b"ftypavif" | b"ftypavis"))
}
