//! What a file of pictures can be.

use std::path::Path;

use anyhow::bail;

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

    /// What people call it.
    fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            Self::Gif => "GIF",
            Self::Apng => "APNG",
        }
    }

    /// Pixels of the longer side at most; none of what holds larger pictures than anybody draws. Of WebP it is what its readers
    /// take.
    fn longest_side(self) -> Option<u32> {
        match self {
            Self::WebP => Some(16_383),
            Self::Jpeg | Self::Gif => Some(65_535),
            Self::Png | Self::Apng => None,
        }
    }

    /// Fails if a file cannot hold pictures of this size, in pixels.
    pub fn check_size(self, [width, height]: [u32; 2]) -> anyhow::Result<()> {
        let longest = self.longest_side();
        if let Some(longest) = longest.filter(|&longest| width.max(height) > longest) {
            let (name, thousands, ones) = (self.name(), longest / 1000, longest % 1000);
            bail!(
                "a picture of {width} × {height} is too large for {name}, whose sides have at most {thousands},{ones:03} \
                 pixels: make it smaller, or a PNG (APNG where it moves)"
            );
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_for_a_format_is_refused_by_its_limit() {
        for (kind, longest, told) in [
            (Kind::WebP, 16_383, "16,383"),
            (Kind::Jpeg, 65_535, "65,535"),
            (Kind::Gif, 65_535, "65,535"),
        ] {
            kind.check_size([longest, longest]).unwrap();
            for size in [[longest + 1, 1], [1, longest + 1]] {
                let reason = kind.check_size(size).unwrap_err().to_string();
                assert!(reason.contains(told) && reason.contains("PNG"), "{reason}");
                assert!(!reason.contains('\n'), "{reason}");
            }
        }
        for kind in [Kind::Png, Kind::Apng] {
            kind.check_size([1 << 30, 1]).unwrap();
        }
    }
}
