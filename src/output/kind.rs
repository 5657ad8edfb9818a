//! What a file of pictures can be.

use std::path::Path;

use crate::model::Keyed;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A picture without loss.
    Png,
    /// A picture without alpha, with loss.
    Jpeg,
    /// A picture or an animation without loss.
    WebP,
    /// An animation of at most 256 colours.
    Gif,
    /// An animation without loss.
    Apng,
}

/// Keys are what files of it end with, too.
impl Keyed for Kind {
    const ALL: &'static [Self] = &[Self::Png, Self::Jpeg, Self::WebP, Self::Gif, Self::Apng];

    fn key(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
            Self::Gif => "gif",
            Self::Apng => "apng",
        }
    }

    fn from_key(key: &str) -> Option<Self> {
        if key.eq_ignore_ascii_case("jpeg") {
            return Some(Self::Jpeg);
        }
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.key().eq_ignore_ascii_case(key))
    }
}

impl Kind {
    /// What a file's extension says.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::from_key(path.extension()?.to_str()?)
    }

    /// Whether one file can hold several frames.
    pub fn holds_motion(self) -> bool {
        matches!(self, Self::WebP | Self::Gif | Self::Apng)
    }

    /// Whether pixels can be transparent.
    pub fn holds_alpha(self) -> bool {
        self != Self::Jpeg
    }
}
