//! What a file of pictures can be.

use std::path::Path;

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

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Png, Self::Jpeg, Self::WebP, Self::Gif, Self::Apng];

    /// As it is typed, and what files of it end with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
            Self::Gif => "gif",
            Self::Apng => "apng",
        }
    }

    /// What is meant by a name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("jpeg") {
            return Some(Self::Jpeg);
        }
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// What a file's extension says.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::from_name(path.extension()?.to_str()?)
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
