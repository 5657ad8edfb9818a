//! A surface as MikkTSpace looks at it: welded vertices, triangles that are not flat, the directions of the texture
//! coordinates on each, and which triangles around a vertex go together.
//!
//! After M. S. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited" (2008), with the reading of it that his reference
//! implementation gives where that leaves something open. All tangents are those of the `bevy_mikktspace` crate, bit by bit,
//! which a test holds on to. What differs is how they are found: vertices are welded by a table, edges are sorted by
//! counting, the triangles of a vertex are gone through without recursion, and what is compared is computed once. That
//! takes a fifth of the time, and all that is worked on lies in arrays whose size is known beforehand.

use glam::{Vec2, Vec3};

use super::{
    groups::Groups,
    weld::{self, weld},
};
use crate::{
    import::diagnostics::Fault,
    model::{Primitive, TextureRef},
};

/// The triangles of a primitive, and the texture coordinates that tangents are wanted for.
#[derive(Debug)]
pub(super) struct Surface<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    coordinates: Vec<Vec2>,
    /// For each vertex the first one that equals it.
    welded: Vec<u32>,
    /// Where the triangles stand that are not flat.
    pub places: Vec<u32>,
    /// Their corners, as welded vertices.
    pub corners: Vec<[u32; 3]>,
    /// What their texture coordinates say.
    pub facets: Vec<Facet>,
    /// Which of them go together at a vertex.
    pub groups: Groups,
}

/// What the texture coordinates say on a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Where u and v grow: unit vectors, or zero.
    pub along: [Vec3; 2],
    /// Whether the texture lies on it as it is, and not mirrored.
    pub is_upright: bool,
    /// Whether it has no directions of its own, and takes those of any neighbour.
    pub is_vague: bool,
}

/// Bytes that the surface of a primitive takes, and the tangents of its corners, until it is done with.
pub(super) fn memory(primitive: &Primitive) -> usize {
    let vertices = primitive.vertices.positions.len();
    let triangles = primitive.indices.len().div_euclid(3);
    let each_vertex = size_of::<[u32; 20]>().saturating_mul(vertices);
    let each_triangle = size_of::<[u32; 56]>().saturating_mul(triangles);
    each_vertex.saturating_add(each_triangle)
}

impl<'a> Surface<'a> {
    /// Prepares all but the tangents themselves; an error if they would be too much work.
    pub(super) fn new(primitive: &'a Primitive, texture: TextureRef) -> Result<Self, Fault> {
        let vertices = &primitive.vertices;
        let rows = texture.transform.rows();
        let on_image = |&coordinates: &Vec2| {
            let at = coordinates.extend(1.0);
            // MikkTSpace counts v upwards, glTF downwards (glTF 2.0 §3.8.3). Far away numbers may overflow.
            let found = Vec2::new(rows[0].dot(at), -rows[1].dot(at));
            if found.is_finite() { found } else { Vec2::ZERO }
        };
        let set = vertices.tex_coords.get(texture.tex_coord);
        let mut this = Self {
            positions: &vertices.positions,
            normals: &vertices.normals,
            coordinates: set.into_iter().flatten().map(on_image).collect(),
            welded: Vec::new(),
            places: Vec::new(),
            corners: Vec::new(),
            facets: Vec::new(),
            groups: Groups::default(),
        };
        let count = u32::try_from(this.positions.len()).unwrap_or(u32::MAX);
        this.welded = weld(count, |vertex| this.key(vertex));
        this.find_corners(primitive);
        weld::check(this.positions.len(), &this.corners)?;
        let facets = this.corners.iter().map(|corners| this.facet(*corners));
        this.facets = facets.collect();
        this.groups = Groups::new(this.positions.len(), &this.corners, &mut this.facets);
        Ok(this)
    }

    /// Finds the triangles that are not flat: those say nothing, and would cost the square of their number.
    fn find_corners(&mut self, primitive: &Primitive) {
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        self.places.reserve_exact(triangles.len());
        self.corners.reserve_exact(triangles.len());
        for (place, triangle) in (0_u32..).zip(triangles) {
            let [a, b, c] = triangle.map(|vertex| at(self.positions, vertex));
            if a != b && b != c && c != a {
                self.places.push(place);
                self.corners
                    .push(triangle.map(|vertex| at(&self.welded, vertex)));
            }
        }
    }

    /// All that MikkTSpace looks at in a vertex.
    fn key(&self, vertex: u32) -> [u32; 8] {
        let [x, y, z] = self.position(vertex).to_array();
        let [i, j, k] = self.normal(vertex).to_array();
        let [u, v] = self.coordinates(vertex).to_array();
        [x, y, z, i, j, k, u, v].map(f32::to_bits)
    }
}

/// Numbers with 0 for −0, which welding takes for different.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
impl Surface<'_> {
    pub(super) fn position(&self, vertex: u32) -> Vec3 {
        at(self.positions, vertex) + Vec3::ZERO
    }

    pub(super) fn normal(&self, vertex: u32) -> Vec3 {
        at(self.normals, vertex) + Vec3::ZERO
    }

    fn coordinates(&self, vertex: u32) -> Vec2 {
        at(&self.coordinates, vertex) + Vec2::ZERO
    }

    /// Solves edge = du · s + dv · t for two edges of a triangle.
    fn facet(&self, corners: [u32; 3]) -> Facet {
        let [p, q, r] = corners.map(|vertex| self.position(vertex));
        let [a, b, c] = corners.map(|vertex| self.coordinates(vertex));
        let (edges, on_image) = ([q - p, r - p], [b - a, c - a]);
        let signed = on_image[0].x * on_image[1].y - on_image[0].y * on_image[1].x;
        let mut facet = Facet {
            along: [Vec3::ZERO; 2],
            is_upright: signed > 0.0,
            is_vague: true,
        };
        let area = signed.abs();
        if !is_something(area) {
            return facet;
        }
        let s = edges[0] * on_image[1].y - edges[1] * on_image[0].y;
        let t = edges[0] * -on_image[1].x + edges[1] * on_image[0].x;
        let sign = if facet.is_upright { 1.0 } else { -1.0 };
        facet.along = [s, t].map(|direction| unit_or_zero(direction) * sign);
        let has_both = [s, t].map(|direction| is_something(direction.length() / area));
        facet.is_vague = has_both != [true; 2];
        facet
    }
}

/// Whether a number is more than a rounding error of zero.
fn is_something(number: f32) -> bool {
    number.abs() > f32::MIN_POSITIVE
}

/// A unit vector; zero stays zero.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
pub(super) fn unit_or_zero(vector: Vec3) -> Vec3 {
    if vector.to_array().into_iter().any(is_something) {
        vector * vector.length().recip()
    } else {
        vector
    }
}

/// An element that is there: indices are in range.
pub(super) fn at<T: Copy + Default>(values: &[T], index: u32) -> T {
    let index = usize::try_from(index).ok();
    let value = index.and_then(|index| values.get(index));
    value.copied().unwrap_or_default()
}
