//! Two pictures as one: beside each other, each on its side of a line, or one over the other.

use crate::model::Keyed;

/// The colour of ghosts (sRGB, 0..1) and their opacity: reddish purple, which few surfaces have, and which colour-blind eyes
/// tell from blue (M. Okabe, K. Ito: Color Universal Design, 2002).
pub const GHOST_COLOR: [f32; 4] = [0.90, 0.42, 0.76, 0.72];
/// The colour of A where it is the ghost: blue.
pub const FIRST_GHOST_COLOR: [f32; 4] = [0.34, 0.71, 0.91, 0.72];

/// How two subjects share a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SplitWay {
    /// Each has a part of its own, and is seen as a whole in it.
    #[default]
    SideBySide,
    /// Both are in the same place, and a line divides them.
    Wipe,
    /// The second is a coloured ghost over the first.
    Overlay,
}

impl Keyed for SplitWay {
    const ALL: &'static [Self] = &[Self::SideBySide, Self::Wipe, Self::Overlay];

    fn key(self) -> &'static str {
        match self {
            Self::SideBySide => "side",
            Self::Wipe => "wipe",
            Self::Overlay => "overlay",
        }
    }
}

impl SplitWay {
    /// Its name in the window.
    pub fn label(self) -> &'static str {
        match self {
            Self::SideBySide => "Side by side",
            Self::Wipe => "Wipe",
            Self::Overlay => "Overlaid",
        }
    }

    /// What it does, in words.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::SideBySide => "Each in a half of its own",
            Self::Wipe => "Both in one place; drag the line between them",
            Self::Overlay => "B as a coloured ghost over A, where they differ",
        }
    }
}

/// How a picture is split between A and B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// The way.
    pub way: SplitWay,
    /// Where the line is wanted, as a part of the picture's width.
    pub at: f32,
    /// Whether they have changed places: B is on the left, or A is the ghost.
    pub is_swapped: bool,
}

impl Default for Split {
    fn default() -> Self {
        Self {
            way: SplitWay::default(),
            at: 0.5,
            is_swapped: false,
        }
    }
}

/// Some columns of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// The first.
    pub left: u32,
    /// How many, at least 1.
    pub width: u32,
}

impl Columns {
    /// These columns in a picture that is `scale` times as wide.
    #[must_use]
    pub fn enlarged(self, scale: u32) -> Self {
        Self {
            left: self.left * scale,
            width: self.width * scale,
        }
    }
}

impl Split {
    /// The least part of the width that each of two pictures beside each other has: it shows a whole model.
    const LEAST_PART: f32 = 0.1;

    /// Where the line is drawn, as a part of the picture's width, in 0..=1; in the middle if [`Split::at`] is no number.
    pub fn line(&self) -> f32 {
        let at = if self.at.is_finite() { self.at } else { 0.5 };
        match self.way {
            SplitWay::SideBySide => at.clamp(Self::LEAST_PART, 1.0 - Self::LEAST_PART),
            SplitWay::Wipe | SplitWay::Overlay => at.clamp(0.0, 1.0),
        }
    }

    /// Where A and B are seen in a picture of this width: every column shows one of them, unless both are everywhere.
    pub fn columns(&self, width: u32) -> [Columns; 2] {
        let width = width.max(1);
        let whole = Columns { left: 0, width };
        if self.way == SplitWay::Overlay || width < 2 {
            return [whole; 2];
        }
        let line = (self.line() * width as f32).round() as u32;
        let line = line.clamp(1, width - 1);
        let left = Columns {
            left: 0,
            width: line,
        };
        let right = Columns {
            left: line,
            width: width - line,
        };
        if self.is_swapped {
            [right, left]
        } else {
            [left, right]
        }
    }

    /// Columns that A and B are drawn for: a wipe shows parts of whole pictures.
    pub fn drawn_columns(&self, width: u32) -> [Columns; 2] {
        match self.way {
            SplitWay::SideBySide => self.columns(width),
            SplitWay::Wipe | SplitWay::Overlay => {
                let width = width.max(1);
                [Columns { left: 0, width }; 2]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_fill_the_picture_and_do_not_overlap() {
        for way in [SplitWay::SideBySide, SplitWay::Wipe] {
            for width in [2, 3, 640, 1281] {
                for at in [-1.0, 0.0, 0.3, 0.5, 1.0, 7.0, f32::NAN] {
                    let split = Split {
                        way,
                        at,
                        is_swapped: false,
                    };
                    let [left, right] = split.columns(width);
                    assert_eq!((left.left, left.width), (0, right.left), "{split:?}");
                    assert_eq!(right.left + right.width, width);
                    assert!(left.width > 0 && right.width > 0);
                    let swapped = Split {
                        is_swapped: true,
                        ..split
                    };
                    assert_eq!(swapped.columns(width), [right, left]);
                }
            }
        }
        let at_the_end = Split {
            at: 1.0,
            ..Split::default()
        };
        let [_, right] = at_the_end.columns(640);
        assert_eq!(right.width, 64, "each shows a whole model");
        let whole = Columns {
            left: 0,
            width: 100,
        };
        let overlay = Split {
            way: SplitWay::Overlay,
            ..Split::default()
        };
        assert_eq!(overlay.columns(100), [whole; 2]);
        let wipe = Split {
            way: SplitWay::Wipe,
            ..overlay
        };
        assert_eq!(wipe.drawn_columns(100), [whole; 2]);
        assert_eq!(
            Split::default().drawn_columns(100),
            Split::default().columns(100)
        );
    }
}
