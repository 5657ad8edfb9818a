//! Tangents where a file leaves them out: by MikkTSpace, as glTF 2.0 §3.7.2.1 asks, for the texture coordinates that the
//! normal map looks at.
//!
//! Corners that share a vertex may need different tangents, such as where a map is mirrored. Vertices keep the file's
//! order, so copies are added at the end, and only where they are needed.
//!
//! Morph targets that bend the surface turn these tangents with it.
//!
//! Limits: meshes in which very many triangles meet in a vertex go without,
//! since the work there grows with the square of their number; a shader then finds the directions by derivatives.

mod corners;
mod groups;
mod lanes;
mod morphs;
mod sums;
mod surface;
#[cfg(test)]
mod tests;
mod weld;

use std::sync::{Mutex, PoisonError};

use glam::Vec4;

use crate::model::{Material, Mesh, Primitive, TextureRef, Topology};

use super::{
    budget::{Budget, Held},
    diagnostics::{Diagnostics, Fault},
    parallel,
    progress::Cancelled,
    source::Source,
};

use surface::{Surface, memory};

/// What a primitive gets.
struct Found {
    /// Where the triangles stand that have tangents, and which of these each of their corners has.
    places: Vec<u32>,
    member_of: Vec<[u32; 3]>,
    tangents: Vec<Vec4>,
}

/// Gives tangents to all primitives that need some and have none.
pub(super) fn complete(
    source: &Source<'_>,
    materials: &[Material],
    meshes: &mut [Mesh],
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    let mut jobs = Vec::new();
    for (mesh, object) in meshes.iter().enumerate() {
        for (place, primitive) in object.primitives.iter().enumerate() {
            if let Some(texture) = texture_of(primitive, materials) {
                jobs.push((mesh, place, texture));
            }
        }
    }
    if jobs.is_empty() {
        return Ok(());
    }
    source.progress.set_stage("computing tangents", 0.8);
    let found = compute(source, meshes, &jobs)?;
    for ((mesh, place, texture), found) in jobs.into_iter().zip(found) {
        source.progress.check()?;
        let primitives = meshes.get_mut(mesh).map(|mesh| &mut mesh.primitives);
        let Some(primitive) = primitives.and_then(|primitives| primitives.get_mut(place)) else {
            continue;
        };
        let given = found.and_then(|(found, _held)| give(primitive, &found, &source.budget));
        let (fault, action) = match given {
            Err(fault) => (fault, "its normal map is aligned by what the picture shows"),
            Ok(()) => match morphs::follow(primitive, texture, &source.budget, source.progress)? {
                Err(fault) => (
                    fault,
                    "its normal map does not turn with what morph targets bend",
                ),
                Ok(()) => continue,
            },
        };
        let place = primitive.file_index;
        let pointer = format_args!("/meshes/{mesh}/primitives/{place}");
        diagnostics.fault(fault, pointer, action);
    }
    Ok(())
}

/// A primitive of a mesh, and for which texture it needs tangents.
type Job = (usize, usize, TextureRef);

/// What came of a job, and the memory that it takes.
type Outcome<'b> = Result<(Found, Held<'b>), Fault>;

/// Does the jobs on all cores.
fn compute<'s>(
    source: &'s Source<'_>,
    meshes: &[Mesh],
    jobs: &[Job],
) -> Result<Vec<Outcome<'s>>, Cancelled> {
    let Source {
        budget, progress, ..
    } = source;
    let lost = || Fault::warning("TANGENTS_NOT_COMPUTED", "its tangents were not computed");
    let primitive_of = |&(mesh, place, _): &Job| {
        let primitive = meshes.get(mesh).and_then(|mesh| mesh.primitives.get(place));
        primitive.ok_or_else(lost)
    };
    // All of them are alive at once. One by one, so that the same go without whatever the threads do.
    let hold = |job: &Job| {
        let bytes = memory(primitive_of(job)?);
        budget.hold(bytes).map_err(|_| {
            let message = "its tangents would cost more memory than a file of this size may";
            Fault::info("TANGENTS_NOT_COMPUTED", message)
        })
    };
    let jobs: Vec<_> = jobs.iter().map(|job| (job, hold(job))).collect();
    let prepare = |(job, held): &(&Job, Result<Held<'_>, Fault>)| {
        held.as_ref().map_err(Fault::clone)?;
        Surface::new(primitive_of(job)?, job.2)
    };
    let surfaces = parallel::map_on_free(&source.cores, &jobs, progress, prepare)?;
    let members = surfaces.iter().map(|surface| match surface {
        Ok(surface) => surface.groups.members.len(),
        Err(_) => 0,
    });
    let mut tangents: Vec<_> = members.map(|count| vec![Vec4::ZERO; count]).collect();
    let mut parts = Vec::new();
    for (surface, tangents) in surfaces.iter().zip(&mut tangents) {
        if let Ok(surface) = surface {
            parts.extend(surface.parts(tangents).map(Mutex::new));
        }
    }
    parallel::map_on_free(&source.cores, &parts, progress, |part| {
        let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
        part.find();
    })?;
    drop(parts);
    let held = jobs.into_iter().map(|(_, held)| held);
    let finish = |((surface, tangents), held): ((Result<Surface<'_>, Fault>, _), _)| {
        let surface = surface?;
        let found = Found {
            places: surface.places,
            member_of: surface.groups.member_of,
            tangents,
        };
        Ok((found, held?))
    };
    let surfaces = surfaces.into_iter().zip(tangents);
    Ok(surfaces.zip(held).map(finish).collect())
}

/// The texture for whose coordinates a primitive needs tangents; none if it needs none, has some, or can have none.
fn texture_of(primitive: &Primitive, materials: &[Material]) -> Option<TextureRef> {
    let vertices = &primitive.vertices;
    let is_bare = vertices.tangents.is_empty() && !vertices.normals.is_empty();
    if !is_bare || primitive.topology != Topology::Triangles {
        return None;
    }
    let others = primitive.variant_materials.iter();
    let own = std::iter::once(primitive.material);
    let mut worn = own.chain(others.map(|other| other.material));
    let texture = worn.find_map(|material| needed_for(materials.get(material)?))?;
    let coordinates = vertices.tex_coords.get(texture.tex_coord);
    coordinates
        .is_some_and(|set| !set.is_empty())
        .then_some(texture)
}

/// The texture for whose coordinates a material needs tangents. Of several the normal map counts, since a vertex has but
/// one tangent.
fn needed_for(material: &Material) -> Option<TextureRef> {
    let normal = material.normal_texture.map(|normal| normal.texture);
    let coat = material.clearcoat.and_then(|coat| coat.normal_texture);
    let anisotropy = material.anisotropy;
    let direction = anisotropy.map(|anisotropy| anisotropy.texture.unwrap_or_default());
    normal.or(coat.map(|coat| coat.texture)).or(direction)
}

/// The cosine of a quarter of a degree: tangents nearer than that need no vertices of their own.
const SAME: f32 = 0.999_99;
/// No further copy.
const NONE: u32 = u32::MAX;

/// Gives tangents to the vertices of a primitive; copies those that need several.
fn give(primitive: &mut Primitive, found: &Found, budget: &Budget) -> Result<(), Fault> {
    let count = primitive.vertices.positions.len();
    let mut indices = primitive.indices.clone();
    budget.charge(count, size_of::<Vec4>())?;
    let mut vertices = Tangents {
        tangents: vec![Vec4::ZERO; count],
        next: vec![NONE; count],
        origins: Vec::new(),
    };
    let (triangles, _) = indices.as_chunks_mut::<3>();
    for (&place, members) in found.places.iter().zip(&found.member_of) {
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let corners = triangles.get_mut(place).into_iter().flatten();
        for (index, &member) in corners.zip(members) {
            let tangent = surface::at(&found.tangents, member);
            if tangent.w != 0.0 {
                *index = vertices.with(*index, tangent)?;
            }
        }
    }
    copy_vertices(primitive, vertices.origins, budget)?;
    let mut tangents = vertices.tangents;
    for (tangent, normal) in tangents.iter_mut().zip(&primitive.vertices.normals) {
        if tangent.w == 0.0 {
            // Where no triangle says anything, any direction in the surface will do.
            *tangent = normal.any_orthonormal_vector().extend(1.0);
        }
    }
    primitive.vertices.tangents = tangents;
    primitive.indices = indices;
    Ok(())
}

/// The tangents of the vertices of a primitive and of their copies.
struct Tangents {
    /// w is 0 where there is none yet.
    tangents: Vec<Vec4>,
    /// From each vertex to its next copy.
    next: Vec<u32>,
    /// What the copies are copies of.
    origins: Vec<u32>,
}

impl Tangents {
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
}

/// Appends copies of these vertices; or nothing, if memory is short.
fn copy_vertices(
    primitive: &mut Primitive,
    origins: Vec<u32>,
    budget: &Budget,
) -> Result<(), Fault> {
    if origins.is_empty() {
        return Ok(());
    }
    let size = vertex_size(primitive).saturating_add(size_of::<u32>());
    budget.charge(origins.len(), size)?;
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
    Ok(())
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
