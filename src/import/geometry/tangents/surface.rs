//! A surface as MikkTSpace looks at it: welded vertices, triangles that are not flat, the directions of the texture
//! coordinates on each, and which corners meet in a vertex.
//!
//! After M. S. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited" (2008), with the reading of it that his reference
//! implementation gives where that leaves something open. All tangents are those of the `bevy_mikktspace` crate, bit by bit,
//! which a test holds on to. What differs is how they are found: vertex by vertex, since what triangles around one have to
//! do with each other depends on nothing else, so that all cores can work, and what a vertex needs stays near.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use glam::{Vec2, Vec3};

use super::{
    Workers,
    rings::{NONE, Rings, rings, settle},
    weld::weld,
};
use crate::{
    import::base::{diagnostics::Fault, progress::Cancelled},
    model::{Indices, Primitive, TextureRef},
};

/// Triangles that are prepared at once.
const TOGETHER: usize = 1 << 14;

/// The triangles of a primitive, and the texture coordinates that tangents are wanted for.
#[derive(Debug)]
pub(super) struct Surface<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    coordinates: Vec<Vec2>,
    /// For each vertex the first one that equals it.
    welded: Vec<u32>,
    /// The corners of triangles as welded vertices; `NONE` of flat ones, which say nothing.
    pub corners: Vec<[u32; 3]>,
    /// What their texture coordinates say.
    pub facets: Facets,
    /// Which corners meet in each welded vertex.
    pub rings: Rings,
}

/// What the texture coordinates say on each triangle.
#[derive(Debug, Default)]
pub(super) struct Facets {
    /// Where u and v grow: unit vectors, or zero. As numbers, which come as pages of zeros that nobody writes before.
    along: Vec<[f32; 6]>,
    kinds: Vec<u8>,
}

/// Whether the texture lies on a triangle as it is, and not mirrored.
const UPRIGHT: u8 = 1;
/// Whether a triangle has no directions of its own, and takes those of any neighbour.
const VAGUE: u8 = 2;

impl Facets {
    /// Where u and v grow on a triangle.
    pub(super) fn along(&self, triangle: u32) -> [Vec3; 2] {
        let [a, b, c, d, e, f] = at(&self.along, triangle);
        [Vec3::new(a, b, c), Vec3::new(d, e, f)]
    }

    pub(super) fn is_upright(&self, triangle: u32) -> bool {
        at(&self.kinds, triangle) & UPRIGHT != 0
    }

    pub(super) fn is_vague(&self, triangle: u32) -> bool {
        at(&self.kinds, triangle) & VAGUE != 0
    }

    pub(super) fn set_upright(&mut self, triangle: u32, is_upright: bool) {
        if let Some(kind) = self.kinds.get_mut(place(triangle)) {
            *kind = *kind & !UPRIGHT | if is_upright { UPRIGHT } else { 0 };
        }
    }
}

/// Some triangles that are prepared.
struct Prepared<'p, I> {
    triangles: &'p [[I; 3]],
    corners: &'p mut [[u32; 3]],
    along: &'p mut [[f32; 6]],
    kinds: &'p mut [u8],
}

/// Bytes that the surface of a primitive takes, and the tangents of its corners, until it is done with.
pub(super) fn memory(primitive: &Primitive) -> usize {
    let vertices = primitive.vertices.positions.len();
    let triangles = primitive.indices.len().div_euclid(3);
    let each_vertex = size_of::<[u32; 20]>().saturating_mul(vertices);
    let each_triangle = size_of::<[u32; 64]>().saturating_mul(triangles);
    each_vertex.saturating_add(each_triangle)
}

impl<'a> Surface<'a> {
    /// Prepares all but the tangents themselves; an error if they would be too much work.
    pub(super) fn new(
        primitive: &'a Primitive,
        texture: TextureRef,
        free_pairs: u64,
        workers: Workers<'_>,
    ) -> Result<Result<Self, Fault>, Cancelled> {
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
            corners: Vec::new(),
            facets: Facets::default(),
            rings: Rings::default(),
        };
        let count = u32::try_from(this.positions.len()).unwrap_or(u32::MAX);
        this.welded = weld(count, |vertex| this.key(vertex));
        (this.corners, this.facets) = match &primitive.indices {
            Indices::Short(indices) => this.prepare(indices.as_chunks().0, workers)?,
            Indices::Long(indices) => this.prepare(indices.as_chunks().0, workers)?,
        };
        this.rings = match rings(this.positions.len(), &this.corners, free_pairs) {
            Ok(rings) => rings,
            Err(fault) => return Ok(Err(fault)),
        };
        workers.progress.check()?;
        settle(&this.rings, &this.corners, &mut this.facets);
        Ok(Ok(this))
    }

    /// Looks at all triangles, each by itself.
    fn prepare<I: Copy + Into<u32> + Sync>(
        &self,
        triangles: &[[I; 3]],
        workers: Workers<'_>,
    ) -> Result<(Vec<[u32; 3]>, Facets), Cancelled> {
        let mut corners = vec![[0; 3]; triangles.len()];
        let mut facets = Facets {
            along: vec![[0.0; 6]; triangles.len()],
            kinds: vec![0; triangles.len()],
        };
        let facet = facets.along.chunks_mut(TOGETHER);
        let facet = facet.zip(facets.kinds.chunks_mut(TOGETHER));
        let parts = triangles
            .chunks(TOGETHER)
            .zip(corners.chunks_mut(TOGETHER).zip(facet));
        let part = |(triangles, (corners, (along, kinds)))| {
            Mutex::new(Prepared {
                triangles,
                corners,
                along,
                kinds,
            })
        };
        let parts: Vec<_> = parts.map(part).collect();
        workers.map(&parts, |part| {
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            let Prepared {
                triangles,
                corners,
                along,
                kinds,
            } = &mut *part;
            let slots = corners.iter_mut().zip(along.iter_mut().zip(&mut **kinds));
            for (triangle, (corners, (along, kind))) in triangles.iter().zip(slots) {
                let vertices = triangle.map(Into::into);
                let [a, b, c] = vertices.map(|vertex| at(self.positions, vertex));
                if a == b || b == c || c == a {
                    *corners = [NONE; 3];
                } else {
                    *corners = vertices.map(|vertex| at(&self.welded, vertex));
                    (*along, *kind) = self.facet(*corners);
                }
            }
        })?;
        drop(parts);
        Ok((corners, facets))
    }

    /// Vertices with so many corners together, one after the other.
    pub(super) fn parts(&self, corners: usize) -> Vec<Range<u32>> {
        let part = |before: &Range<u32>| Some(self.rings.some_from(before.end, corners));
        let parts = std::iter::successors(part(&(0..0)), part);
        parts.take_while(|part| !part.is_empty()).collect()
    }

    /// All that MikkTSpace looks at in a vertex.
    fn key(&self, vertex: u32) -> [u32; 8] {
        let [x, y, z] = self.position(vertex).to_array();
        let [i, j, k] = self.normal(vertex).to_array();
        let [u, v] = self.coordinates(vertex).to_array();
        [x, y, z, i, j, k, u, v].map(f32::to_bits)
    }
}

/// Numbers have 0 for −0, which welding takes for different.
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
    fn facet(&self, corners: [u32; 3]) -> ([f32; 6], u8) {
        let [p, q, r] = corners.map(|vertex| self.position(vertex));
        let [a, b, c] = corners.map(|vertex| self.coordinates(vertex));
        let (edges, on_image) = ([q - p, r - p], [b - a, c - a]);
        let signed = on_image[0].x * on_image[1].y - on_image[0].y * on_image[1].x;
        let (orientation, sign) = if signed > 0.0 {
            (UPRIGHT, 1.0)
        } else {
            (0, -1.0)
        };
        let area = signed.abs();
        if !is_something(area) {
            return ([0.0; 6], orientation | VAGUE);
        }
        let s = edges[0] * on_image[1].y - edges[1] * on_image[0].y;
        let t = edges[0] * -on_image[1].x + edges[1] * on_image[0].x;
        let [u, v] = [s, t].map(|direction| normalized_as_reference(direction) * sign);
        let has_both = [s, t].map(|direction| is_something(direction.length() / area));
        let kind = if has_both == [true; 2] { 0 } else { VAGUE };
        ([u.x, u.y, u.z, v.x, v.y, v.z], orientation | kind)
    }
}

/// Whether a number is more than a rounding error of zero.
fn is_something(number: f32) -> bool {
    number.abs() > f32::MIN_POSITIVE
}

/// A unit vector as MikkTSpace makes it: what is next to zero stays as it is, and what is very large comes to nothing.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
pub(super) fn normalized_as_reference(vector: Vec3) -> Vec3 {
    if vector.to_array().into_iter().any(is_something) {
        vector * vector.length().recip()
    } else {
        vector
    }
}

/// An element; what is not there is zero.
pub(super) fn at<T: Copy + Default>(values: &[T], index: u32) -> T {
    values.get(place(index)).copied().unwrap_or_default()
}

/// Where the element of an index is.
pub(super) fn place(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
