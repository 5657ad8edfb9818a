//! A surface as MikkTSpace asks for it, cut into pieces.
//!
//! The tangents at a vertex follow from the triangles around it alone. So each vertex belongs to one piece, and a piece
//! has all triangles around its vertices: they give the same whether they are looked at piece by piece or all at once,
//! in less memory and on all cores.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};

use super::weld::{self, weld};
use crate::{
    import::diagnostics::Fault,
    model::{Primitive, TextureRef},
};

/// Triangles of a piece, not counting those that it shares with pieces before it.
const PIECE: usize = 32_768;

/// The triangles of a primitive, and the texture coordinates that tangents are wanted for.
#[derive(Debug)]
pub(super) struct Surface<'a> {
    triangles: &'a [[u32; 3]],
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    coordinates: Vec<Vec2>,
    /// For each vertex the first one that equals it.
    welded: Vec<u32>,
    /// For each first vertex its piece.
    owners: Vec<u32>,
    /// The triangles of each piece.
    pieces: Vec<Vec<u32>>,
}

/// Bytes that the surface of a primitive takes, and the tangents of its corners, until it is done with.
pub(super) fn memory(primitive: &Primitive) -> usize {
    let vertices = primitive.vertices.positions.len();
    let triangles = primitive.indices.len().div_euclid(3);
    let each_vertex = size_of::<[u32; 20]>().saturating_mul(vertices);
    // Of several pieces each corner of a triangle may lie in another, and each of them has all of it.
    let each_triangle = if triangles > PIECE {
        size_of::<[u32; 50]>()
    } else {
        size_of::<[u32; 20]>()
    };
    let each_triangle = each_triangle.saturating_mul(triangles);
    each_vertex.saturating_add(each_triangle)
}

/// The tangents at the corners of a triangle; w is 0 where there is none to be had, or another piece has it.
pub(super) type Corners = [Vec4; 3];

impl<'a> Surface<'a> {
    /// Prepares what can be done only for the whole; an error if it would be too much work.
    pub(super) fn new(primitive: &'a Primitive, texture: TextureRef) -> Result<Self, Fault> {
        let vertices = &primitive.vertices;
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        let rows = texture.transform.rows();
        let on_image = |&coordinates: &Vec2| {
            let at = coordinates.extend(1.0);
            // MikkTSpace counts v upwards, glTF downwards (glTF 2.0 §3.8.3). Far away numbers may overflow.
            let found = Vec2::new(rows[0].dot(at), -rows[1].dot(at));
            if found.is_finite() { found } else { Vec2::ZERO }
        };
        let set = vertices.tex_coords.get(texture.tex_coord);
        let mut this = Self {
            triangles,
            positions: &vertices.positions,
            normals: &vertices.normals,
            coordinates: set.into_iter().flatten().map(on_image).collect(),
            welded: Vec::new(),
            owners: Vec::new(),
            pieces: Vec::new(),
        };
        let count = u32::try_from(this.positions.len()).unwrap_or(u32::MAX);
        this.welded = weld((0..count).map(|vertex| this.key(vertex)));
        this.cut();
        weld::check(
            &this.welded,
            this.pieces.iter().flatten().map(|&t| this.triangle(t)),
        )?;
        Ok(this)
    }

    /// Makes the pieces.
    fn cut(&mut self) {
        const NOBODY: u32 = u32::MAX;
        let mut owners = vec![NOBODY; self.welded.len()];
        let mut kept = 0_usize;
        for (place, triangle) in (0_u32..).zip(self.triangles) {
            let [a, b, c] = triangle.map(|index| at(self.positions, index));
            // Flat triangles say nothing, and would cost the square of their number.
            if a == b || b == c || c == a {
                continue;
            }
            let current = kept.div_euclid(PIECE);
            kept = kept.saturating_add(1);
            if current == self.pieces.len() {
                self.pieces.push(Vec::new());
            }
            let current = u32::try_from(current).unwrap_or(NOBODY);
            for index in *triangle {
                let vertex = usize::try_from(at(&self.welded, index)).unwrap_or(usize::MAX);
                let Some(owner) = owners.get_mut(vertex) else {
                    continue;
                };
                if *owner == NOBODY {
                    *owner = current;
                }
                let piece = usize::try_from(*owner).ok();
                let piece = piece.and_then(|piece| self.pieces.get_mut(piece));
                // One triangle follows another, so it is the last one or not there.
                if let Some(piece) = piece.filter(|piece| piece.last() != Some(&place)) {
                    piece.push(place);
                }
            }
        }
        self.owners = owners;
    }

    /// All that MikkTSpace looks at in a vertex.
    fn key(&self, vertex: u32) -> [u32; 8] {
        let [x, y, z] = plain(at(self.positions, vertex).into());
        let [i, j, k] = plain(at(self.normals, vertex).into());
        let [u, v] = plain(at(&self.coordinates, vertex).into());
        [x, y, z, i, j, k, u, v].map(f32::to_bits)
    }

    fn triangle(&self, place: u32) -> [u32; 3] {
        at(self.triangles, place)
    }

    pub(super) fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The triangles of a piece.
    pub(super) fn piece(&self, index: usize) -> &[u32] {
        self.pieces.get(index).map_or(&[], Vec::as_slice)
    }

    /// The tangents of a piece, parallel to its triangles.
    pub(super) fn tangents(&self, piece: usize) -> Result<Vec<Corners>, Fault> {
        let triangles = self.piece(piece);
        let mut work = Work {
            surface: self,
            piece: u32::try_from(piece).unwrap_or(u32::MAX),
            triangles,
            found: vec![[Vec4::ZERO; 3]; triangles.len()],
        };
        // There is no error that could be told from another, and a fault in the crate is to cost no more than this.
        match catch_unwind(AssertUnwindSafe(|| generate_tangents(&mut work).is_ok())) {
            Ok(true) => Ok(work.found),
            Ok(false) | Err(_) => Err(Fault::warning(
                "TANGENTS_NOT_COMPUTED",
                "its tangents cannot be computed",
            )),
        }
    }
}

/// A piece as MikkTSpace asks for it.
struct Work<'a> {
    surface: &'a Surface<'a>,
    piece: u32,
    triangles: &'a [u32],
    found: Vec<Corners>,
}

impl Work<'_> {
    fn vertex(&self, face: usize, corner: usize) -> u32 {
        let place = self.triangles.get(face).copied().unwrap_or_default();
        let triangle = self.surface.triangle(place);
        triangle.get(corner).copied().unwrap_or_default()
    }
}

impl Geometry for Work<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        plain(at(self.surface.positions, self.vertex(face, vert)).into())
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        plain(at(self.surface.normals, self.vertex(face, vert)).into())
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        plain(at(&self.surface.coordinates, self.vertex(face, vert)).into())
    }

    fn set_tangent(&mut self, found: Option<TangentSpace>, face: usize, vert: usize) {
        let vertex = at(&self.surface.welded, self.vertex(face, vert));
        let corner = self.found.get_mut(face).and_then(|face| face.get_mut(vert));
        let (Some(found), Some(corner)) = (found, corner) else {
            return;
        };
        if at(&self.surface.owners, vertex) == self.piece {
            let [x, y, z, sign] = found.tangent_encoded();
            let tangent = Vec3::new(x, y, z).try_normalize();
            *corner = tangent.map_or(Vec4::ZERO, |tangent| tangent.extend(sign));
        }
    }
}

/// An element that is there: indices are in range.
fn at<T: Copy + Default>(values: &[T], index: u32) -> T {
    let index = usize::try_from(index).ok();
    let value = index.and_then(|index| values.get(index));
    value.copied().unwrap_or_default()
}

/// The same numbers with 0 for −0, which welding takes for different.
fn plain<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    numbers.map(|number| number + 0.0)
}
