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
mod lanes;
mod morphs;
mod rings;
mod sorted;
mod sums;
mod surface;
#[cfg(test)]
mod tests;
mod vertices;
mod weld;

use crate::{
    import::{
        arrays::source::Source,
        base::{
            budget::Held,
            diagnostics::{Diagnostics, Fault},
            parallel::{self, Cores},
            progress::{Cancelled, Progress},
        },
    },
    model::{Material, Mesh, Primitive, TextureRef, Topology},
};

use surface::{Surface, memory};
use vertices::{PartTangents, VertexTangents};

/// Gives tangents to all primitives that need some and have none.
pub(in crate::import) fn complete(
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
    let mut bending = morphs::Bending::of(&source.budget);
    for ((mesh, place, texture), found) in jobs.into_iter().zip(found) {
        source.progress.check()?;
        let primitives = meshes.get_mut(mesh).map(|mesh| &mut mesh.primitives);
        let Some(primitive) = primitives.and_then(|primitives| primitives.get_mut(place)) else {
            continue;
        };
        let given = found.and_then(|(found, _held)| found.give(primitive, &source.budget));
        primitive.tangents_of = given.is_ok().then_some(texture);
        let (fault, action) = match given {
            Err(fault) => (fault, "its normal map is aligned by what the picture shows"),
            Ok(()) => match bending.follow(primitive, texture, source.progress)? {
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
        budget,
        cores,
        progress,
        ..
    } = source;
    let workers = Workers { cores, progress };
    let free_pairs = rings::free_pairs(jobs.len());
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
            |primitive| compute_one(primitive, job.2, free_pairs, workers),
        ),
        Err(fault) => Ok(Err(fault.clone())),
    };
    let found = workers.map(&jobs, work)?;
    let held = jobs.into_iter().map(|(_, held)| held);
    let outcome = |(found, held): (Result<Result<_, Fault>, Cancelled>, _)| {
        Ok(found?.and_then(|found| Ok((found, held?))))
    };
    found.into_iter().zip(held).map(outcome).collect()
}

/// The tangents of a primitive for a texture. All that is worked on is gone when they are there.
fn compute_one(
    primitive: &Primitive,
    texture: TextureRef,
    free_pairs: u64,
    workers: Workers<'_>,
) -> Result<Result<VertexTangents, Fault>, Cancelled> {
    /// Corners whose tangents are found at once: some thousandths of a second's work.
    const TOGETHER: usize = 1 << 14;
    // What stays is taken before all that goes, which leaves no holes behind where there are no copies.
    let room = Vec::with_capacity(primitive.vertices.positions.len());
    let surface = match Surface::new(primitive, texture, free_pairs, workers)? {
        Ok(surface) => surface,
        Err(fault) => return Ok(Err(fault)),
    };
    let found = workers.map(&surface.parts(TOGETHER), |vertices| {
        let mut found = PartTangents::default();
        sums::find(&surface, vertices.clone(), |corners| {
            found.add(&primitive.indices, corners);
        });
        found
    })?;
    drop(surface);
    let normals = &primitive.vertices.normals;
    Ok(VertexTangents::join(room, normals, &found))
}

/// Whoever works on surfaces.
#[derive(Debug, Clone, Copy)]
struct Workers<'w> {
    cores: &'w Cores,
    progress: &'w Progress,
}

impl Workers<'_> {
    /// Does `work` for each job, here and on all cores that are free.
    fn map<T: Sync, R: Send + Sync>(
        self,
        jobs: &[T],
        work: impl Fn(&T) -> R + Sync,
    ) -> Result<Vec<R>, Cancelled> {
        parallel::map_on_free(self.cores, jobs, self.progress, work)
    }
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
    let texture = worn.find_map(|material| materials.get(material)?.tangent_texture())?;
    let coordinates = vertices.tex_coords.get(texture.tex_coord);
    coordinates
        .is_some_and(|set| !set.is_empty())
        .then_some(texture)
}
