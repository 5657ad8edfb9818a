//! Morph targets of computed tangents: what a target that moves positions, normals or texture coordinates does to them (glTF
//! 2.0 §3.7.2.2).
//!
//! The tangent at a vertex is what MikkTSpace makes it: the directions of growing u on the triangles around it, each laid
//! into the plane of the normal and made a unit vector, summed by the angles of the triangles there. A target's delta is the
//! difference of these sums, made unit vectors, between the surface with all of the target and with none of it. So tangents
//! are right at weights of 0 and 1, and between them go straight, as positions and normals do. What a target mirrors keeps the
//! side of its bitangent, which no delta can turn over.

use std::borrow::Cow;

use glam::{Vec2, Vec3};

use super::weld::weld;
use crate::{
    import::base::{
        budget::Budget,
        diagnostics::Fault,
        progress::{Cancelled, Progress},
    },
    model::{Deltas, Indices, MorphTarget, Primitive, TextureRef, Vertices},
};

/// Triangles that are looked at for targets in any case, in all of a file: less than a second's work. And one more for each
/// byte of arrays that is read.
const FREE_WORK: usize = 4_000_000;
/// Smaller differences of unit vectors are rounding errors.
const SMALLEST: f32 = 1e-6;

/// Gives tangents to targets.
pub(super) struct Bending<'b> {
    budget: &'b Budget,
    /// How many triangles may be looked at yet, once for each target.
    left: usize,
}

impl<'b> Bending<'b> {
    /// With the whole work before it.
    pub(super) fn of(budget: &'b Budget) -> Self {
        let left = budget.data_read().saturating_add(FREE_WORK);
        Self { budget, left }
    }

    /// Gives tangents to those targets of a primitive that bend its surface; its own tangents were computed for `texture`.
    pub(super) fn follow(
        &mut self,
        primitive: &mut Primitive,
        texture: TextureRef,
        progress: &Progress,
    ) -> Result<Result<(), Fault>, Cancelled> {
        let bends = |target: &MorphTarget| {
            let coordinates = coordinates_of(target, texture);
            let moves_nothing = target.positions.is_empty()
                && target.normals.is_empty()
                && coordinates.is_none_or(Deltas::is_empty);
            target.tangents.is_empty() && !moves_nothing
        };
        let bending = primitive
            .targets
            .iter()
            .filter(|target| bends(target))
            .count();
        if bending == 0 {
            return Ok(Ok(()));
        }
        let left = self
            .left
            .checked_sub(bending.saturating_mul(primitive.triangle_count()));
        let Some(left) = left else {
            let message =
                format!("{bending} morph targets bend it: too many for tangents that follow");
            return Ok(Err(Fault::info("TANGENTS_NOT_COMPUTED", message)));
        };
        self.left = left;
        let vertices = &primitive.vertices;
        let coordinates = vertices.tex_coords.get(texture.tex_coord);
        let coordinates = coordinates.map_or(&[][..], Vec::as_slice);
        let count = u32::try_from(vertices.positions.len()).unwrap_or(u32::MAX);
        let surface = Surface {
            indices: &primitive.indices,
            vertices,
            coordinates,
            texture,
            rows: texture.transform.rows().map(Vec3::truncate),
            welded: weld(count, |vertex| key(vertices, coordinates, place(vertex))),
        };
        // What a target adds is there for each vertex while it is looked at, where few are kept.
        let each = size_of::<[Vec3; 2]>().saturating_add(size_of::<Vec2>());
        let dense = vertices.positions.len().saturating_mul(each);
        let _held = match self.budget.hold(dense) {
            Ok(held) => held,
            Err(fault) => return Ok(Err(fault)),
        };
        for target in primitive.targets.iter_mut().filter(|target| bends(target)) {
            progress.check()?;
            let deltas = Deltas::of(surface.deltas(target));
            if !deltas.is_empty() {
                if let Err(fault) = self.budget.charge(1, deltas.bytes()) {
                    return Ok(Err(fault));
                }
                target.tangents = deltas;
            }
        }
        Ok(Ok(()))
    }
}

/// What a target adds to the coordinates of a texture.
fn coordinates_of(target: &MorphTarget, texture: TextureRef) -> Option<&Deltas<Vec2>> {
    target.tex_coords.get(texture.tex_coord)
}

/// What a target adds to each vertex, or nothing.
struct Bend<'t> {
    positions: Cow<'t, [Vec3]>,
    normals: Cow<'t, [Vec3]>,
    coordinates: Cow<'t, [Vec2]>,
}

/// Vertices that are equal in all of this have the same tangent.
fn key(vertices: &Vertices, coordinates: &[Vec2], vertex: usize) -> [u32; 12] {
    let [x, y, z] = at(&vertices.positions, vertex).to_array();
    let [i, j, k] = at(&vertices.normals, vertex).to_array();
    let [a, b, c, d] = at(&vertices.tangents, vertex).to_array();
    let [u, v] = at(coordinates, vertex).to_array();
    [x, y, z, i, j, k, a, b, c, d, u, v].map(f32::to_bits)
}

struct Surface<'a> {
    indices: &'a Indices,
    vertices: &'a Vertices,
    coordinates: &'a [Vec2],
    /// Whose coordinates they are.
    texture: TextureRef,
    /// What the texture's transform makes of directions.
    rows: [Vec2; 2],
    /// For each vertex the first one that equals it.
    welded: Vec<u32>,
}

/// Sums of directions around a vertex, without and with a target.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    is_wanted: bool,
    rest: Vec3,
    bent: Vec3,
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
impl Surface<'_> {
    fn deltas(&self, target: &MorphTarget) -> Vec<Vec3> {
        let count = self.welded.len();
        let mut sums = vec![Sums::default(); count];
        let coordinates = coordinates_of(target, self.texture);
        let bend = Bend {
            positions: target.positions.dense(count),
            normals: target.normals.dense(count),
            coordinates: coordinates.map(|set| set.dense(count)).unwrap_or_default(),
        };
        // A triangle that the target moves turns the tangents of all its corners.
        for triangle in self.indices.triangles() {
            let corners = triangle.map(place);
            let is_moved = corners.iter().any(|&vertex| {
                at(&bend.positions, vertex) != Vec3::ZERO
                    || at(&bend.normals, vertex) != Vec3::ZERO
                    || at(&bend.coordinates, vertex) != Vec2::ZERO
            });
            if is_moved {
                for vertex in corners {
                    if let Some(sums) = sums.get_mut(self.first(vertex)) {
                        sums.is_wanted = true;
                    }
                }
            }
        }
        for triangle in self.indices.triangles() {
            let corners = triangle.map(place);
            let is_wanted = |vertex: &usize| at(&sums, self.first(*vertex)).is_wanted;
            if corners.iter().any(is_wanted) {
                self.add(corners, &bend, &mut sums);
            }
        }
        let delta = |vertex: usize| {
            let sums = at(&sums, self.first(vertex));
            match (sums.rest.try_normalize(), sums.bent.try_normalize()) {
                (Some(rest), Some(bent)) if rest.distance(bent) > SMALLEST => bent - rest,
                _ => Vec3::ZERO,
            }
        };
        (0..self.welded.len()).map(delta).collect()
    }

    /// The first vertex that equals a vertex.
    fn first(&self, vertex: usize) -> usize {
        place(at(&self.welded, vertex))
    }

    /// Adds a triangle's directions to the sums of its corners.
    fn add(&self, corners: [usize; 3], bend: &Bend<'_>, sums: &mut [Sums]) {
        let on_image = |coordinates: Vec2| self.rows.map(|row| row.dot(coordinates));
        let coordinates = corners.map(|vertex| at(self.coordinates, vertex));
        let rest_uv = coordinates.map(on_image).map(Vec2::from_array);
        let mut bent_uv = rest_uv;
        if !bend.coordinates.is_empty() {
            let moved =
                corners.map(|vertex| at(self.coordinates, vertex) + at(&bend.coordinates, vertex));
            bent_uv = moved.map(on_image).map(Vec2::from_array);
        }
        let positions = corners.map(|vertex| at(&self.vertices.positions, vertex));
        let moved = corners.map(|vertex| at(&bend.positions, vertex));
        let bent = [
            positions[0] + moved[0],
            positions[1] + moved[1],
            positions[2] + moved[2],
        ];
        let Some(rest_u) = along_u(positions, rest_uv) else {
            return;
        };
        let bent_u = along_u(bent, bent_uv).unwrap_or_default();
        let (mut corners, mut positions, mut bent) = (corners, positions, bent);
        for _ in 0..3 {
            let [vertex, ..] = corners;
            let normal = at(&self.vertices.normals, vertex);
            let bent_normal = (normal + at(&bend.normals, vertex)).normalize_or(normal);
            if let Some(sums) = sums.get_mut(self.first(vertex)) {
                sums.rest += share(positions, rest_u, normal);
                sums.bent += share(bent, bent_u, bent_normal);
            }
            corners.rotate_left(1);
            positions.rotate_left(1);
            bent.rotate_left(1);
        }
    }
}

/// The direction in which u grows, up to a positive factor: the solution of edge = du · direction + dv · other for two edges.
/// None where the coordinates have no area.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn along_u([a, b, c]: [Vec3; 3], uv: [Vec2; 3]) -> Option<Vec3> {
    let (p, q) = (uv[1] - uv[0], uv[2] - uv[0]);
    let area = p.perp_dot(q);
    let has_area = area != 0.0 && area.is_finite();
    has_area.then(|| ((b - a) * q.y - (c - a) * p.y) * area.signum())
}

/// What a triangle adds at its first corner: its direction in the plane of the normal, by the angle there.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn share([corner, next, last]: [Vec3; 3], direction: Vec3, normal: Vec3) -> Vec3 {
    let in_plane = direction - normal * normal.dot(direction);
    let (to_next, to_last) = (next - corner, last - corner);
    let angle = to_next.cross(to_last).length().atan2(to_next.dot(to_last));
    let share = in_plane.normalize_or_zero() * angle;
    if share.is_finite() { share } else { Vec3::ZERO }
}

/// An element that is there, or zero where the attribute is not.
fn at<T: Copy + Default>(values: &[T], index: usize) -> T {
    values.get(index).copied().unwrap_or_default()
}

fn place(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
