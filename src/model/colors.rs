//! Colours of vertices.

use std::fmt;

use glam::Vec4;

/// Linear colours and alpha in 0..1, one for each vertex, in numbers as small as the file has them (glTF 2.0 §3.7.2.1).
#[derive(Clone, PartialEq)]
pub enum Colors {
    /// 255 is 1.
    Bytes(Vec<[u8; 4]>),
    /// 65,535 is 1.
    Shorts(Vec<[u16; 4]>),
    /// As they are.
    Floats(Vec<Vec4>),
}

impl Colors {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(colors) => colors.len(),
            Self::Shorts(colors) => colors.len(),
            Self::Floats(colors) => colors.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one at `place`, if there is one.
    pub fn get(&self, place: usize) -> Option<Vec4> {
        match self {
            Self::Bytes(colors) => colors.get(place).copied().map(of_bytes),
            Self::Shorts(colors) => colors.get(place).copied().map(of_shorts),
            Self::Floats(colors) => colors.get(place).copied(),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Vec4> + '_ {
        let (bytes, shorts, floats): (&[_], &[_], &[_]) = match self {
            Self::Bytes(colors) => (colors, &[], &[]),
            Self::Shorts(colors) => (&[], colors, &[]),
            Self::Floats(colors) => (&[], &[], colors),
        };
        let bytes = bytes.iter().copied().map(of_bytes);
        let shorts = shorts.iter().copied().map(of_shorts);
        bytes.chain(shorts).chain(floats.iter().copied())
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Bytes(colors) => size_of_val(&colors[..]),
            Self::Shorts(colors) => size_of_val(&colors[..]),
            Self::Floats(colors) => size_of_val(&colors[..]),
        }
    }
}

fn of_bytes(color: [u8; 4]) -> Vec4 {
    Vec4::from(color.map(f32::from)) / 255.0
}

fn of_shorts(color: [u16; 4]) -> Vec4 {
    Vec4::from(color.map(f32::from)) / 65_535.0
}

impl Default for Colors {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

/// The colours, whatever they take.
impl fmt::Debug for Colors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_the_same_however_they_are_kept() {
        let floats = [Vec4::new(0.0, 0.2, 0.4, 1.0), Vec4::splat(0.6)];
        let bytes = floats.map(|color| (color * 255.0).to_array().map(|it| it.round() as u8));
        let shorts = floats.map(|color| (color * 65_535.0).to_array().map(|it| it.round() as u16));
        for (colors, size) in [
            (Colors::Bytes(bytes.into()), 4),
            (Colors::Shorts(shorts.into()), 8),
            (Colors::Floats(floats.into()), 16),
        ] {
            assert_eq!(colors.len(), 2);
            assert!(colors.iter().eq(floats), "{colors:?}");
            assert!((0..2).all(|place| colors.get(place) == Some(floats[place])));
            assert_eq!(colors.get(2), None);
            assert_eq!(colors.bytes(), 2 * size);
        }
        assert!(Colors::default().is_empty());
    }
}
