//! All tangents beside those of the `bevy_mikktspace` crate, bit by bit.

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};

use super::{
    Workers,
    rings::NONE,
    sums,
    surface::{Surface, at},
};
use crate::{
    import::base::{parallel::Cores, progress::Progress},
    model::{Indices, Primitive, TextureRef, Vertices},
};

/// The triangles of a surface that are not flat, as the crate asks for them.
struct Theirs<'a> {
    primitive: &'a Primitive,
    places: &'a [u32],
    found: Vec<[Vec4; 3]>,
}

impl Theirs<'_> {
    fn vertex(&self, face: usize, corner: usize) -> u32 {
        let place = self.places[face] as usize * 3 + corner;
        self.primitive.indices.get(place).unwrap()
    }
}

/// 0 for −0, which the crate takes for different.
fn plain<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    numbers.map(|number| number + 0.0)
}

impl Geometry for Theirs<'_> {
    fn num_faces(&self) -> usize {
        self.places.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        plain(at(&self.primitive.vertices.positions, self.vertex(face, vert)).into())
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        plain(at(&self.primitive.vertices.normals, self.vertex(face, vert)).into())
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        let [u, v] = at(
            &self.primitive.vertices.tex_coords[0],
            self.vertex(face, vert),
        )
        .into();
        plain([u, -v])
    }

    fn set_tangent(&mut self, found: Option<TangentSpace>, face: usize, vert: usize) {
        if let Some(found) = found {
            let [x, y, z, sign] = found.tangent_encoded();
            let tangent = Vec3::new(x, y, z).try_normalize();
            self.found[face][vert] = tangent.map_or(Vec4::ZERO, |tangent| tangent.extend(sign));
        }
    }
}

/// Compares the tangents of all corners, and says of how many there are some.
fn compare(primitive: &Primitive) -> usize {
    let (cores, progress) = (Cores::new(), Progress::default());
    let workers = Workers {
        cores: &cores,
        progress: &progress,
    };
    let Ok(surface) = Surface::new(primitive, TextureRef::default(), 4_000_000, workers) else {
        panic!("nobody cancels");
    };
    let surface = surface.unwrap();
    let mut tangents = vec![[0; 4]; 3 * surface.corners.len()];
    for part in surface.parts(1 << 14) {
        sums::find(&surface, part, |corners| {
            for &(corner, tangent) in corners {
                tangents[corner as usize] = tangent.to_array().map(f32::to_bits);
            }
        });
    }
    let places = (0_u32..).zip(&surface.corners);
    let places = places.filter(|(_, corners)| **corners != [NONE; 3]);
    let places: Vec<_> = places.map(|(place, _)| place).collect();
    let mut theirs = Theirs {
        primitive,
        places: &places,
        found: vec![[Vec4::ZERO; 3]; places.len()],
    };
    generate_tangents(&mut theirs).unwrap();
    let mut found = 0;
    let (own, _) = tangents.as_chunks::<3>();
    for (place, theirs) in places.iter().zip(&theirs.found) {
        let own = own[*place as usize];
        let theirs = theirs.map(|tangent| tangent.to_array().map(f32::to_bits));
        assert_eq!(own, theirs);
        found += own.iter().filter(|own| own[3] != 0).count();
    }
    found
}

/// Numbers that look random, the same in each run.
struct Random(u32);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 12) % limit
    }

    /// One of so many steps around 0.
    fn step(&mut self, steps: u32) -> f32 {
        (self.below(steps) as f32 - (steps / 2) as f32) / 3.0
    }
}

/// A bent sheet of squares, some of whose triangles are turned over and some of whose coordinates are mirrored or all
/// the same.
fn sheet(random: &mut Random, side: u32) -> Primitive {
    let mut vertices = Vertices::default();
    for row in 0..=side {
        for column in 0..=side {
            let (x, y) = (column as f32, row as f32);
            let height = random.step(5) * 0.3;
            vertices.positions.push(Vec3::new(x, y, height));
            let normal = Vec3::new(random.step(5) * 0.2, 0.1, 1.0).normalize();
            vertices.normals.push(normal);
            let u = if column > side / 2 {
                side as f32 - x
            } else {
                x
            };
            let flat = random.below(9) == 0;
            let coordinates = Vec2::new(u / 7.0, if flat { 0.0 } else { y / 5.0 });
            vertices.tex_coords[0].push(coordinates);
        }
    }
    let mut indices = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let first = row * (side + 1) + column;
            let above = first + side + 1;
            for mut triangle in [[first, first + 1, above], [above, first + 1, above + 1]] {
                if random.below(20) == 0 {
                    triangle.swap(0, 1);
                }
                indices.extend(triangle);
            }
        }
    }
    Primitive {
        indices: Indices::from(indices),
        vertices,
        ..Primitive::default()
    }
}

/// Triangles thrown together: few places, few coordinates and few normals, so that edges are shared by many, textures are
/// mirrored, flat and contradict each other.
fn heap(random: &mut Random) -> Primitive {
    let mut vertices = Vertices::default();
    let count = 3 + random.below(20);
    for _ in 0..count {
        let mut step = |steps| random.step(steps);
        vertices
            .positions
            .push(Vec3::new(step(4), step(4), step(2)));
        let normal = Vec3::new(step(2), step(2), 1.0).normalize();
        vertices.normals.push(normal);
        vertices.tex_coords[0].push(Vec2::new(step(4), step(3)));
    }
    let corners = 3 * (1 + random.below(60));
    let corners: Vec<u32> = (0..corners).map(|_| random.below(count)).collect();
    Primitive {
        indices: Indices::from(corners),
        vertices,
        ..Primitive::default()
    }
}

#[test]
fn are_those_of_the_crate_bit_by_bit() {
    let mut random = Random(1);
    let mut found = 0;
    for round in 0..600 {
        found += compare(&heap(&mut random));
        if round % 30 == 0 {
            found += compare(&sheet(&mut random, 1 + round / 30));
        }
    }
    assert!(found > 15_000, "{found}");
    // More than one part.
    assert!(compare(&sheet(&mut random, 60)) > 16_384);
}
