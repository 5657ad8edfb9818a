//! How much of a model is uploaded and drawn: all that its file holds, but for what covers the picture hundreds of times, and of
//! what it says over and over as much as an adapter can do. A small file can name the same bytes as thousands of primitives,
//! and place each a million times.

pub(super) mod coverage;
pub(super) mod few_pipelines;
pub(super) mod pipelines;
pub(super) mod portions;

use std::{fmt, ops::RangeInclusive};

use crate::model::{Model, Primitive, Topology};

/// Draw calls that a frame can have beyond one for each primitive of the file. A software driver takes 2 KB for each.
pub(super) const MAX_DRAWS: usize = 1 << 17;

/// Points, lines and triangles that a frame can have beyond those that the file holds: what nodes and instancing make many of,
/// and primitives that are made of the same bytes. Crowds do not count: who asks for one knows. A software driver takes 3 µs
/// for each that is seen.
const MAX_REPEATED: u64 = 300_000_000;
/// Those that may be repeated by software: a few for each byte of the file, and so many in any case; more in a picture that
/// no other one follows.
const REPEATED_BY_SOFTWARE: RangeInclusive<u64> = 2_000_000..=8_000_000;
const REPEATED_IN_STILL_BY_SOFTWARE: RangeInclusive<u64> = 8_000_000..=32_000_000;
const REPEATED_PER_BYTE: u64 = 2;
/// How often a file that says the same bytes over and over may cover the whole picture, one surface behind the other. A million
/// pixels take a small adapter a millisecond, and software up to a tenth of a second.
const REPEATED_PICTURES: f64 = 1000.0;
const REPEATED_PICTURES_BY_SOFTWARE: f64 = 100.0;
/// How often a file may cover it that holds all that it draws: real ones do up to ten times.
const PICTURES: f64 = 10_000.0;
const PICTURES_BY_SOFTWARE: f64 = 500.0;
/// Pixels that may be covered in small pictures, too: points take one each, however many they are.
const PIXELS: f64 = 64e6;
const REPEATED_PIXELS: f64 = 4e6;

/// Points, lines and triangles that a byte can hold: an index is a byte at least, and each of a strip makes a triangle. What is
/// compressed counts as it is unpacked.
const SHAPES_PER_BYTE: u64 = 1;
/// Triangles that there are for each vertex: a closed surface has two, those of all cells of a solid up to 24 or so.
const TRIANGLES_PER_VERTEX: u64 = 32;

/// Bytes that the primitives of a model can take on the adapter in any case, by software where they are beside the model's own,
/// and more for each byte of the file: most take two or three for each of theirs.
const BYTES: u64 = 96 << 20;
const BYTES_BY_SOFTWARE: u64 = 32 << 20;
const BYTES_PER_BYTE: u64 = 16;

/// What a primitive counts as at least: to look at it costs something, too.
const MIN_SHAPES: u64 = 2;

/// How soon pictures are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// One after the other, in a window or a film.
    #[default]
    Frames,
    /// One alone: who asks for it waits some seconds.
    Still,
}

/// What of a frame may still be drawn.
#[derive(Debug)]
pub(super) struct Room {
    /// Width and height of the picture in pixels.
    pub(super) size: [u32; 2],
    shapes: u64,
    /// What these may cover.
    pixels: f64,
    draws: usize,
}

impl Room {
    /// For a file that holds so much, and so many primitives, and a picture of this size.
    pub(super) fn new(
        is_software: bool,
        pace: Pace,
        held: Held,
        primitives: usize,
        size: [u32; 2],
    ) -> Self {
        let Held { shapes, bytes, .. } = held;
        let repeated = if is_software {
            let range = match pace {
                Pace::Frames => REPEATED_BY_SOFTWARE,
                Pace::Still => REPEATED_IN_STILL_BY_SOFTWARE,
            };
            let (least, most) = range.into_inner();
            let repeated = bytes.saturating_mul(REPEATED_PER_BYTE);
            repeated.clamp(least, most)
        } else {
            MAX_REPEATED
        };
        let (pixels, pictures) = match (held.is_repeated, is_software) {
            (false, false) => (PIXELS, PICTURES),
            (false, true) => (PIXELS, PICTURES_BY_SOFTWARE),
            (true, false) => (REPEATED_PIXELS, REPEATED_PICTURES),
            (true, true) => (REPEATED_PIXELS, REPEATED_PICTURES_BY_SOFTWARE),
        };
        let picture = f64::from(size[0]) * f64::from(size[1]);
        Self {
            size,
            shapes: shapes + repeated,
            pixels: pixels + pictures * picture,
            draws: primitives + MAX_DRAWS,
        }
    }

    /// Whether so many draw calls fit beside so many.
    pub(super) fn has_draws(&self, draws: usize, more: usize) -> bool {
        draws.saturating_add(more) <= self.draws
    }

    /// Takes the room of so many copies of so many shapes, or of those that fit, beside so many draw calls; returns how many
    /// those are. `pixels` says about how many each of the first ones covers.
    pub(super) fn take(
        &mut self,
        copies: u32,
        shapes: u64,
        draws: usize,
        pixels: impl FnOnce(u32) -> f64,
    ) -> u32 {
        if draws >= self.draws {
            return 0;
        }
        let mut fitting = (self.shapes / shapes).min(u64::from(copies)) as u32;
        let each = if fitting > 0 { pixels(fitting) } else { 0.0 };
        if each > 0.0 {
            fitting = f64::from(fitting).min(self.pixels / each) as u32;
            self.pixels = (self.pixels - f64::from(fitting) * each).max(0.0);
        }
        self.shapes -= u64::from(fitting) * shapes;
        fitting
    }
}

/// Points, lines or triangles of a primitive.
pub(super) fn shapes_of(primitive: &Primitive) -> u64 {
    let indices_a_shape = u64::from(indices_a_shape(primitive.topology));
    (primitive.indices.len() as u64 / indices_a_shape).max(MIN_SHAPES)
}

/// Indices that each point, line or triangle takes.
pub(super) fn indices_a_shape(topology: Topology) -> u32 {
    match topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
    }
}

/// What the file of a model holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    /// Points, lines and triangles: those of all primitives, or none if they are repeated.
    shapes: u64,
    /// Whether it makes more of its bytes than these can hold, or of its vertices than surfaces do, and so says them over and
    /// over.
    is_repeated: bool,
    /// Bytes that it is made of.
    bytes: u64,
}

impl Held {
    pub(super) fn of(model: &Model) -> Self {
        let all: u64 = model.primitives().map(shapes_of).sum();
        let bytes = model.data_bytes;
        let surfaces = || {
            let primitives = model.primitives();
            primitives.filter(|primitive| primitive.topology == Topology::Triangles)
        };
        let triangles: u64 = surfaces().map(shapes_of).sum();
        let vertices = surfaces().map(|primitive| primitive.vertices.positions.len() as u64);
        let is_repeated = all > bytes.saturating_mul(SHAPES_PER_BYTE)
            || triangles > vertices.sum::<u64>().saturating_mul(TRIANGLES_PER_VERTEX);
        Self {
            shapes: if is_repeated { 0 } else { all },
            is_repeated,
            bytes,
        }
    }
}

/// Bytes that the primitives of a model may take on the adapter.
pub(super) fn most_bytes(is_software: bool, model: &Model) -> u64 {
    let least = if is_software {
        BYTES_BY_SOFTWARE
    } else {
        BYTES
    };
    least.saturating_add(model.data_bytes.saturating_mul(BYTES_PER_BYTE))
}

/// Why something is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRoom {
    /// For as much as there would be to draw.
    Shapes,
    /// For as many pipelines as its primitives would need.
    Pipelines,
}

impl NoRoom {
    /// What the model does.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Shapes => "has too much in one place, or repeats its meshes too often",
            Self::Pipelines => "has materials and meshes of too many kinds",
        }
    }
}

/// What of a model is not drawn, or not as often as its nodes place it, since there is no room for it: the first primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// Index of its mesh.
    pub mesh: usize,
    /// Its index among the mesh's primitives in the file.
    pub primitive: usize,
    /// Why.
    pub why: NoRoom,
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
    use crate::model::{Indices, Mesh, Vertices};
    use glam::Vec3;
    use std::sync::Arc;

    const SIZE: [u32; 2] = [100, 50];

    fn small(_: u32) -> f64 {
        1.0
    }

    fn held(shapes: u64) -> Held {
        Held {
            shapes,
            is_repeated: false,
            bytes: 0,
        }
    }

    #[test]
    fn shapes_that_the_file_holds_always_fit() {
        let of_file = 100 * MAX_REPEATED;
        for is_software in [false, true] {
            let mut room = Room::new(is_software, Pace::Frames, held(of_file), 1, SIZE);
            assert_eq!(room.take(1, of_file, 0, small), 1);
        }
    }

    #[test]
    fn copies_are_drawn_as_far_as_there_is_room() {
        let room = |is_software, held| Room::new(is_software, Pace::Frames, held, 1, SIZE);
        let copies = 500_000;
        let mut by_software = room(true, held(30));
        let fitting = by_software.take(copies, 30, 0, small);
        assert_eq!(u64::from(fitting), 1 + 2_000_000 / 30);
        assert_eq!(by_software.take(copies, 30, 0, small), 0);
        assert_eq!(room(false, held(30)).take(copies, 30, 0, small), copies);
        // Of large files more copies.
        let large = Held {
            bytes: 10 << 20,
            ..held(30)
        };
        let fitting = room(true, large).take(copies, 30, 0, small);
        assert_eq!(fitting, 1 + 8_000_000 / 30);
        // Where one waits for the picture: the teapots of a sample of EXT_mesh_gpu_instancing.
        let (teapot, teapots) = (4032, 1899);
        for (pace, expected) in [
            (Pace::Frames, 1 + (2_000_000 / teapot) as u32),
            (Pace::Still, teapots),
        ] {
            let mut room = Room::new(true, pace, held(teapot), 1, SIZE);
            assert_eq!(room.take(teapots, teapot, 0, small), expected);
        }
    }

    /// A few thousand shapes one behind the other keep an adapter as busy as millions side by side.
    #[test]
    fn what_is_said_over_and_over_is_drawn_until_it_has_covered_the_picture_often_enough() {
        let picture = f64::from(SIZE[0]) * f64::from(SIZE[1]);
        let cases = [
            (false, true, REPEATED_PICTURES),
            (true, true, REPEATED_PICTURES_BY_SOFTWARE),
            // However often nodes place what the file holds.
            (false, false, PICTURES),
            (true, false, PICTURES_BY_SOFTWARE),
        ];
        for (is_software, is_repeated, pictures) in cases {
            let large = |_| 100.0 * picture;
            let held = Held {
                is_repeated,
                ..held(0)
            };
            let mut room = Room::new(is_software, Pace::Frames, held, 1, SIZE);
            let pixels = if is_repeated { REPEATED_PIXELS } else { PIXELS };
            let most = (pixels + pictures * picture) / (100.0 * picture);
            assert_eq!(room.take(10_000, 30, 0, large), most as u32);
            assert_eq!(room.take(10_000, 30, 0, large), 0);
            assert_eq!(room.take(10_000, 30, 0, |_| 0.0), 10_000);
        }
    }

    /// Four vertices, and a byte for each of very many triangles between them.
    #[test]
    fn vertices_have_but_a_few_triangles() {
        let strip = |triangles: u16| {
            let corners = (0..triangles).flat_map(|it| [it, it + 1, it + 2].map(|it| it % 4));
            let primitive = Primitive {
                indices: Indices::Short(corners.collect()),
                vertices: Vertices {
                    positions: vec![Vec3::ZERO; 4],
                    ..Vertices::default()
                },
                ..Primitive::default()
            };
            let mesh = Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            };
            Held::of(&Model {
                meshes: vec![mesh].into(),
                data_bytes: 2000,
                ..Model::default()
            })
        };
        assert!(!strip(128).is_repeated);
        assert!(strip(129).is_repeated);
    }

    #[test]
    fn there_is_an_end_to_draw_calls() {
        let mut room = Room::new(false, Pace::Frames, held(30), 7, SIZE);
        assert!(room.has_draws(7, MAX_DRAWS));
        assert!(!room.has_draws(8, MAX_DRAWS));
        assert_eq!(room.take(1, 3, MAX_DRAWS + 6, small), 1);
        assert_eq!(room.take(1, 3, MAX_DRAWS + 7, small), 0);
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
        assert_eq!(Held::of(&model).shapes, 0);
        let of_file = 7000 * BYTES_PER_BYTE;
        assert_eq!(most_bytes(false, &model), BYTES + of_file);
        assert_eq!(most_bytes(true, &model), BYTES_BY_SOFTWARE + of_file);
        // Two bytes for each index, as they are here, and as many vertices as surfaces have.
        model.data_bytes = 100 * 6000;
        for primitive in &mut Arc::make_mut(&mut model.meshes)[0].primitives {
            primitive.vertices.positions = vec![Vec3::ZERO; 500];
        }
        assert_eq!(Held::of(&model).shapes, 100 * 1000);
    }
}
