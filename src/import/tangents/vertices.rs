//! The tangents of vertices: those of their corners. Vertices that need several are copied, at the end.

use glam::Vec4;

use super::sums::CornerTangents;
use crate::{
    import::{budget::Budget, diagnostics::Fault},
    model::Primitive,
};

/// The cosine of a quarter of a degree: tangents nearer than that need no vertices of their own.
const SAME: f32 = 0.999_99;
/// No further copy.
const NONE: u32 = u32::MAX;

/// The tangents of the vertices of a primitive and of their copies.
#[derive(Debug, Default)]
pub(super) struct VertexTangents {
    /// w is 0 where there is none yet.
    tangents: Vec<Vec4>,
    /// From each vertex to its next copy.
    next: Vec<u32>,
    /// What the copies are copies of.
    origins: Vec<u32>,
    /// Which indices name which copies.
    changes: Vec<(u32, u32)>,
}

impl VertexTangents {
    /// None yet. What stays is taken before all that goes, which leaves no holes behind.
    pub(super) fn room_for(primitive: &Primitive) -> Self {
        Self {
            tangents: Vec::with_capacity(primitive.vertices.positions.len()),
            ..Self::default()
        }
    }

    /// Finds those of the vertices, and which need copies. `places` are those of the triangles that have tangents.
    pub(super) fn fill(
        mut self,
        primitive: &Primitive,
        places: &[u32],
        corners: &CornerTangents,
    ) -> Result<Self, Fault> {
        let count = primitive.vertices.positions.len();
        self.tangents.resize(count, Vec4::ZERO);
        self.next = vec![NONE; count];
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        for (triangle, &place) in (0..).zip(places) {
            let indices = triangles.get(usize::try_from(place).unwrap_or(usize::MAX));
            let tangents = corners.of_triangle(triangle);
            for (side, (&index, tangent)) in (0..).zip(indices.into_iter().flatten().zip(tangents))
            {
                if tangent.w == 0.0 {
                    continue;
                }
                let vertex = self.with(index, tangent)?;
                if vertex != index {
                    let first = place.saturating_mul(3);
                    self.changes.push((first.saturating_add(side), vertex));
                }
            }
        }
        self.next = Vec::new();
        for (tangent, normal) in self.tangents.iter_mut().zip(&primitive.vertices.normals) {
            if tangent.w == 0.0 {
                // Where no triangle says anything, any direction in the surface will do.
                *tangent = normal.any_orthonormal_vector().extend(1.0);
            }
        }
        Ok(self)
    }

    /// The vertex or that copy of it which has this tangent.
    fn with(&mut self, origin: u32, tangent: Vec4) -> Result<u32, Fault> {
        let mut vertex = origin;
        loop {
            let place = usize::try_from(vertex).unwrap_or(usize::MAX);
            let (own, next) = (self.tangents.get_mut(place), self.next.get_mut(place));
            let (Some(own), Some(next)) = (own, next) else {
                return Ok(origin);
            };
            if own.w == 0.0 {
                *own = tangent;
            }
            if own.w == tangent.w && own.truncate().dot(tangent.truncate()) > SAME {
                return Ok(vertex);
            }
            if *next == NONE {
                break;
            }
            vertex = *next;
        }
        let copy = u32::try_from(self.tangents.len()).ok();
        let copy = copy.filter(|&copy| copy < NONE).ok_or_else(|| {
            Fault::warning("TANGENTS_NOT_COMPUTED", "it would have too many vertices")
        })?;
        let place = usize::try_from(vertex).unwrap_or(usize::MAX);
        if let Some(next) = self.next.get_mut(place) {
            *next = copy;
        }
        self.tangents.push(tangent);
        self.next.push(NONE);
        self.origins.push(origin);
        Ok(copy)
    }

    /// Gives them to a primitive, with copies of those vertices that need several; nothing if memory is short.
    pub(super) fn give(self, primitive: &mut Primitive, budget: &Budget) -> Result<(), Fault> {
        let count = primitive.vertices.positions.len();
        budget.charge(count, size_of::<Vec4>())?;
        let size = vertex_size(primitive).saturating_add(size_of::<u32>());
        budget.charge(self.origins.len(), size)?;
        for (place, vertex) in self.changes {
            let place = usize::try_from(place).unwrap_or(usize::MAX);
            if let Some(index) = primitive.indices.get_mut(place) {
                *index = vertex;
            }
        }
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
    append(&mut vertices.positions, origins, 1);
    append(&mut vertices.normals, origins, 1);
    for set in &mut vertices.tex_coords {
        append(set, origins, 1);
    }
    append(&mut vertices.colors, origins, 1);
    if let Some(influences) = &mut primitive.influences {
        append(&mut influences.joints, origins, influences.per_vertex);
        append(&mut influences.weights, origins, influences.per_vertex);
    }
    for target in &mut primitive.targets {
        append(&mut target.positions, origins, 1);
        append(&mut target.normals, origins, 1);
        append(&mut target.tangents, origins, 1);
        for set in &mut target.tex_coords {
            append(set, origins, 1);
        }
        append(&mut target.colors, origins, 1);
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
