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
mod vertices;
mod weld;

use std::sync::PoisonError;

use crate::model::{Material, Mesh, Primitive, TextureRef, Topology};

use super::{
    budget::Held,
    diagnostics::{Diagnostics, Fault},
    parallel,
    progress::Cancelled,
    source::Source,
};

use sums::CornerTangents;
use surface::{Surface, memory};
use vertices::VertexTangents;

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
        let given = found.and_then(|(found, _held)| found.give(primitive, &source.budget));
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
type Outcome<'b> = Result<(VertexTangents, Held<'b>), Fault>;

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
    // As if all were alive at once. One by one, so that the same go without whatever the threads do.
    let hold = |job: &Job| {
        let bytes = memory(primitive_of(job)?);
        budget.hold(bytes).map_err(|_| {
            let message = "its tangents would cost more memory than a file of this size may";
            Fault::info("TANGENTS_NOT_COMPUTED", message)
        })
    };
    let jobs: Vec<_> = jobs.iter().map(|job| (job, hold(job))).collect();
    let work = |(job, held): &(&Job, Result<Held<'_>, Fault>)| match held {
        Ok(_) => primitive_of(job).map_or_else(
            |fault| Ok(Err(fault)),
            |primitive| compute_one(source, primitive, job.2),
        ),
        Err(fault) => Ok(Err(fault.clone())),
    };
    let found = parallel::map_on_free(&source.cores, &jobs, progress, work)?;
    let held = jobs.into_iter().map(|(_, held)| held);
    let outcome = |(found, held): (Result<Result<_, Fault>, Cancelled>, _)| {
        Ok(found?.and_then(|found| Ok((found, held?))))
    };
    found.into_iter().zip(held).map(outcome).collect()
}

/// The tangents of a primitive for a texture. All that is worked on is gone when they are there.
fn compute_one(
    source: &Source<'_>,
    primitive: &Primitive,
    texture: TextureRef,
) -> Result<Result<VertexTangents, Fault>, Cancelled> {
    let room = VertexTangents::room_for(primitive);
    let mut surface = match Surface::new(primitive, texture) {
        Ok(surface) => surface,
        Err(fault) => return Ok(Err(fault)),
    };
    let corners = CornerTangents::of(&mut surface, |parts| {
        let done = parallel::map_on_free(&source.cores, parts, source.progress, |part| {
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            part.find();
        });
        done.map(|_| ())
    })?;
    let places = surface.places;
    Ok(room.fill(primitive, &places, &corners))
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
