//! The tangents of vertices: those of their corners. Vertices that need several are copied, at the end.

use glam::{Vec3, Vec4};

use super::surface::place;
use crate::{
    import::base::{budget::Budget, diagnostics::Fault},
    model::{Colors, Deltas, Indices, Primitive},
};

/// The cosine of a quarter of a degree: tangents nearer than that need no vertices of their own.
const SAME: f32 = 0.999_99;

/// The tangents of some vertices, and their copies.
#[derive(Debug, Default)]
pub(super) struct PartTangents {
    own: Vec<(u32, [f32; 4])>,
    /// What each is a copy of, and its tangent.
    copies: Vec<(u32, [f32; 4])>,
    /// Which indices name which copies.
    changes: Vec<(u32, u32)>,
    /// What the corners that were looked at belong to: a vertex with a tangent, or a copy of it.
    near: Vec<(u32, Vec4, Option<u32>)>,
}

impl PartTangents {
    /// Adds the vertices to which corners belong by these indices: all corners of each.
    pub(super) fn add(&mut self, indices: &Indices, corners: &[(u32, Vec4)]) {
        self.near.clear();
        for &(corner, tangent) in corners.iter().filter(|(_, tangent)| tangent.w != 0.0) {
            let origin = indices.get(place(corner)).unwrap_or_default();
            let own = self.near.iter().filter(|(vertex, ..)| *vertex == origin);
            let is_same = |(_, other, _): &&(u32, Vec4, Option<u32>)| {
                other.w == tangent.w && other.truncate().dot(tangent.truncate()) > SAME
            };
            let mut own = own.peekable();
            let copy = if own.peek().is_none() {
                self.own.push((origin, tangent.into()));
                self.near.push((origin, tangent, None));
                None
            } else if let Some(&(.., copy)) = own.find(is_same) {
                copy
            } else {
                let copy = u32::try_from(self.copies.len()).ok();
                self.copies.push((origin, tangent.into()));
                self.near.push((origin, tangent, copy));
                copy
            };
            self.changes.extend(copy.map(|copy| (corner, copy)));
        }
    }
}

/// The tangents of the vertices of a primitive and of their copies.
#[derive(Debug)]
pub(super) struct VertexTangents {
    tangents: Vec<Vec4>,
    /// What the copies are copies of.
    origins: Vec<u32>,
    /// Which indices name which vertices.
    changes: Vec<(u32, u32)>,
}

impl VertexTangents {
    /// Puts together what was found for parts, in this room.
    pub(super) fn join(
        mut tangents: Vec<Vec4>,
        normals: &[Vec3],
        found: &[PartTangents],
    ) -> Result<Self, Fault> {
        tangents.resize(normals.len(), Vec4::ZERO);
        for &(vertex, tangent) in found.iter().flat_map(|found| &found.own) {
            if let Some(slot) = tangents.get_mut(place(vertex)) {
                *slot = tangent.into();
            }
        }
        for (tangent, normal) in tangents.iter_mut().zip(normals) {
            if tangent.w == 0.0 {
                // Where no triangle says anything, any direction in the surface will do.
                *tangent = normal.any_orthonormal_vector().extend(1.0);
            }
        }
        let copies = found.iter().map(|found| found.copies.len()).sum();
        let count = tangents.len().saturating_add(copies);
        if u32::try_from(count).is_err() {
            let message = "it would have too many vertices";
            return Err(Fault::warning("TANGENTS_NOT_COMPUTED", message));
        }
        tangents.reserve_exact(copies);
        let mut origins = Vec::with_capacity(copies);
        let changes = found.iter().map(|found| found.changes.len()).sum();
        let mut changes = Vec::with_capacity(changes);
        for found in found {
            let first = u32::try_from(tangents.len()).unwrap_or(u32::MAX);
            let renamed = found.changes.iter();
            changes.extend(renamed.map(|(place, copy)| (*place, first.saturating_add(*copy))));
            tangents.extend(found.copies.iter().map(|(_, tangent)| Vec4::from(*tangent)));
            origins.extend(found.copies.iter().map(|(origin, _)| origin));
        }
        Ok(Self {
            tangents,
            origins,
            changes,
        })
    }

    /// Gives them to a primitive, with copies of those vertices that need several; nothing if memory is short.
    pub(super) fn give(self, primitive: &mut Primitive, budget: &Budget) -> Result<(), Fault> {
        let count = primitive.vertices.positions.len();
        let size = vertex_size(primitive).saturating_add(size_of::<u32>());
        let copies = self.origins.len().saturating_mul(size);
        budget.charge(
            count
                .saturating_mul(size_of::<Vec4>())
                .saturating_add(copies),
            1,
        )?;
        primitive.indices.replace(&self.changes);
        copy_vertices(primitive, self.origins);
        primitive.vertices.tangents = self.tangents;
        Ok(())
    }
}

/// Appends copies of these vertices.
fn copy_vertices(primitive: &mut Primitive, origins: Vec<u32>) {
    if origins.is_empty() {
        return;
    }
    primitive.copies = origins;
    let origins = &primitive.copies[..];
    let vertices = &mut primitive.vertices;
    let count = u32::try_from(vertices.positions.len()).unwrap_or(u32::MAX);
    append(&mut vertices.positions, origins, 1);
    append(&mut vertices.normals, origins, 1);
    for set in &mut vertices.tex_coords {
        append(set, origins, 1);
    }
    match &mut vertices.colors {
        Colors::Bytes(colors) => append(colors, origins, 1),
        Colors::Shorts(colors) => append(colors, origins, 1),
        Colors::Floats(colors) => append(colors, origins, 1),
    }
    if let Some(influences) = &mut primitive.influences {
        append(&mut influences.joints, origins, influences.per_vertex);
        append(&mut influences.weights, origins, influences.per_vertex);
    }
    for target in &mut primitive.targets {
        append_deltas(&mut target.positions, origins, count);
        append_deltas(&mut target.normals, origins, count);
        append_deltas(&mut target.tangents, origins, count);
        for set in &mut target.tex_coords {
            append_deltas(set, origins, count);
        }
        append_deltas(&mut target.colors, origins, count);
    }
}

/// Bytes of a vertex with all attributes and morph targets, whether it has all of them or not.
fn vertex_size(primitive: &Primitive) -> usize {
    let influence = size_of::<u16>().saturating_add(size_of::<f32>());
    let influences = primitive.influences.as_ref();
    let influences = influences.map_or(0, |influences| influences.per_vertex);
    let deltas = primitive.targets.len().saturating_mul(5);
    let vectors = deltas.saturating_add(7).saturating_mul(size_of::<Vec4>());
    vectors.saturating_add(influences.saturating_mul(influence))
}

/// [`append`] of what a target adds; there are so many vertices so far.
fn append_deltas<T: Copy>(deltas: &mut Deltas<T>, origins: &[u32], count: u32) {
    match deltas {
        Deltas::Each(values) => append(values, origins, 1),
        Deltas::Few(rows) => {
            let delta = |vertex: &u32| {
                let row = rows.binary_search_by_key(vertex, |(vertex, _)| *vertex);
                Some(rows.get(row.ok()?)?.1)
            };
            let copies = (count..).zip(origins);
            let copies = copies.filter_map(|(copy, origin)| Some((copy, delta(origin)?)));
            let copies: Vec<_> = copies.collect();
            rows.extend(copies);
        }
    }
}

/// Appends the values of these vertices, `width` for each, unless there are none at all.
fn append<T: Copy>(values: &mut Vec<T>, origins: &[u32], width: usize) {
    if values.is_empty() {
        return;
    }
    values.reserve_exact(origins.len().saturating_mul(width));
    for &origin in origins {
        let start = usize::try_from(origin).unwrap_or(usize::MAX);
        let start = start.saturating_mul(width);
        values.extend_from_within(start..start.saturating_add(width));
    }
}
