//! How much of a model is uploaded and drawn: all that its file holds, and of what it says over and over as much as an adapter
//! can do. A small file can name the same bytes as thousands of primitives, and place each a million times.

use std::fmt;

use crate::model::{Model, Primitive, Topology};

/// Draw calls that a frame can have beyond one for each primitive of the file. A software driver takes 2 KB for each.
pub(super) const MAX_DRAWS: usize = 1 << 17;

/// Points, lines and triangles that a frame can have beyond those that the file holds: what nodes and instancing make many of,
/// and primitives that are made of the same bytes. Crowds do not count: who asks for one knows. A software driver takes 3 µs
/// for each that is seen.
const MAX_REPEATED: u64 = 300_000_000;
/// Those that may be repeated by software: a few for each byte of the file, and so many in any case.
const REPEATED_BY_SOFTWARE: std::ops::RangeInclusive<u64> = 2_000_000..=8_000_000;
const REPEATED_PER_BYTE: u64 = 2;

/// Points, lines and triangles that a byte can hold: an index is a byte at least, and each of a strip makes a triangle. What is
/// compressed counts as it is unpacked.
const SHAPES_PER_BYTE: u64 = 1;

/// Bytes that the primitives of a model can take on the adapter in any case, and more for each byte of the file: most take two
/// or three for each of theirs.
const BYTES: u64 = 96 << 20;
const BYTES_PER_BYTE: u64 = 16;

/// What a primitive counts as at least: to look at it costs something, too.
const MIN_SHAPES: u64 = 2;

/// What of a frame may still be drawn.
#[derive(Debug)]
pub(super) struct Room {
    shapes: u64,
    draws: usize,
}

impl Room {
    /// For a file that holds so much, and so many primitives.
    pub(super) fn new(is_software: bool, held: Held, primitives: usize) -> Self {
        let Held { shapes, bytes } = held;
        let repeated = if is_software {
            let (least, most) = REPEATED_BY_SOFTWARE.into_inner();
            bytes.saturating_mul(REPEATED_PER_BYTE).clamp(least, most)
        } else {
            MAX_REPEATED
        };
        Self {
            shapes: shapes + repeated,
            draws: primitives + MAX_DRAWS,
        }
    }

    /// Whether so many draw calls fit beside so many.
    pub(super) fn has_draws(&self, draws: usize, more: usize) -> bool {
        draws.saturating_add(more) <= self.draws
    }

    /// Takes the room of so many copies of so many shapes, or of those that fit, beside so many draw calls; returns how many
    /// those are.
    pub(super) fn take(&mut self, copies: u32, shapes: u64, draws: usize) -> u32 {
        if draws >= self.draws {
            return 0;
        }
        let fitting = (self.shapes / shapes).min(u64::from(copies));
        self.shapes -= fitting * shapes;
        fitting as u32
    }
}

/// Points, lines or triangles of a primitive.
pub(super) fn shapes_of(primitive: &Primitive) -> u64 {
    let indices_a_shape = match primitive.topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
    };
    ((primitive.indices.len() / indices_a_shape) as u64).max(MIN_SHAPES)
}

/// What the file of a model holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    /// Points, lines and triangles: those of all primitives, but for those that are made of the same bytes again.
    shapes: u64,
    /// Bytes that it is made of.
    bytes: u64,
}

impl Held {
    pub(super) fn of(model: &Model) -> Self {
        let all: u64 = model.primitives().map(shapes_of).sum();
        let bytes = model.data_bytes;
        Self {
            shapes: all.min(bytes.saturating_mul(SHAPES_PER_BYTE)),
            bytes,
        }
    }
}

/// Bytes that the primitives of a model may take on the adapter.
pub(super) fn most_bytes(model: &Model) -> u64 {
    BYTES.saturating_add(model.data_bytes.saturating_mul(BYTES_PER_BYTE))
}

/// What of a model is not drawn, or not as often as its nodes place it, since there is no room for it: a primitive, and what
/// comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// Index of its mesh.
    pub mesh: usize,
    /// Its index among the mesh's primitives in the file.
    pub primitive: usize,
}

/// As a pointer into the JSON text.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/meshes/{}/primitives/{}", self.mesh, self.primitive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Indices, Mesh};

    fn held(shapes: u64) -> Held {
        Held { shapes, bytes: 0 }
    }

    #[test]
    fn what_the_file_holds_always_fits() {
        let of_file = 100 * MAX_REPEATED;
        for is_software in [false, true] {
            let mut room = Room::new(is_software, held(of_file), 1);
            assert_eq!(room.take(1, of_file, 0), 1);
        }
    }

    #[test]
    fn copies_are_drawn_as_far_as_there_is_room() {
        let mut room = Room::new(true, held(30), 1);
        let copies = 500_000;
        let fitting = room.take(copies, 30, 0);
        assert_eq!(u64::from(fitting), 1 + 2_000_000 / 30);
        assert_eq!(room.take(copies, 30, 0), 0);
        assert_eq!(Room::new(false, held(30), 1).take(copies, 30, 0), copies);
        // Of large files more copies.
        let large = Held {
            shapes: 30,
            bytes: 10 << 20,
        };
        let fitting = Room::new(true, large, 1).take(copies, 30, 0);
        assert_eq!(fitting, 1 + 8_000_000 / 30);
    }

    #[test]
    fn there_is_an_end_to_draw_calls() {
        let mut room = Room::new(false, held(30), 7);
        assert!(room.has_draws(7, MAX_DRAWS));
        assert!(!room.has_draws(8, MAX_DRAWS));
        assert_eq!(room.take(1, 3, MAX_DRAWS + 6), 1);
        assert_eq!(room.take(1, 3, MAX_DRAWS + 7), 0);
    }

    /// A few bytes that are many primitives are no more than a mesh that is placed as often; a file that has the bytes is drawn
    /// whole.
    #[test]
    fn a_file_holds_no_more_than_its_bytes() {
        let primitive = Primitive {
            indices: Indices::Short(vec![0; 3000]),
            ..Primitive::default()
        };
        let mesh = Mesh {
            primitives: vec![primitive; 100],
            ..Mesh::default()
        };
        let mut model = Model {
            meshes: vec![mesh].into(),
            data_bytes: 7000,
            ..Model::default()
        };
        assert_eq!(Held::of(&model).shapes, 7000);
        assert_eq!(most_bytes(&model), BYTES + 7000 * BYTES_PER_BYTE);
        // Two bytes for each index, as they are here.
        model.data_bytes = 100 * 6000;
        assert_eq!(Held::of(&model).shapes, 100 * 1000);
    }
}
