//! Tangents where a file leaves them out: by MikkTSpace, as glTF 2.0 §3.7.2.1 asks, for the texture coordinates that the
//! normal map looks at.
//!
//! Corners that share a vertex may need different tangents, such as where a map is mirrored. Vertices keep the file's
//! order, so copies are added at the end, and only where they are needed.
//!
//! Limits: morph targets do not move these tangents. Meshes in which very many triangles meet in a vertex go without,
//! since the work there grows with the square of their number; a shader then finds the directions by derivatives.

mod weld;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};

use crate::model::{Material, Mesh, Primitive, TextureRef, Topology};

use super::{
    budget::Budget,
    diagnostics::{Diagnostics, Fault},
    parallel,
    progress::Cancelled,
    source::Source,
};

/// What the computation takes for each triangle, about.
const BYTES_PER_TRIANGLE: usize = 1024;
const LOSS: &str = "normal maps on it are aligned by the picture instead";

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
    let Source {
        budget, progress, ..
    } = source;
    progress.set_stage("computing tangents", 0.8);
    let find = |mesh: usize, place: usize| meshes.get(mesh)?.primitives.get(place);
    let of_job = |&(mesh, place, _): &(usize, usize, TextureRef)| find(mesh, place);
    let all: usize = jobs.iter().filter_map(of_job).map(cost).sum();
    // Where memory is short, one after the other.
    let threads = match budget.check(all) {
        Ok(()) => usize::MAX,
        Err(_) => 1,
    };
    let work = |job: &(usize, usize, TextureRef)| {
        let primitive = of_job(job)?;
        Some(corners(
            primitive,
            &job.2.transform.rows(),
            job.2.tex_coord,
            budget,
        ))
    };
    let found = parallel::map(&jobs, threads, progress, work)?;
    for (&(mesh, place, _), found) in jobs.iter().zip(found) {
        let primitives = meshes.get_mut(mesh).map(|mesh| &mut mesh.primitives);
        let primitive = primitives.and_then(|primitives| primitives.get_mut(place));
        let (Some(primitive), Some(Some(found))) = (primitive, found) else {
            continue;
        };
        let given = found.and_then(|corners| give(primitive, &corners, budget));
        if let Err(fault) = given {
            let place = primitive.file_index;
            let pointer = format_args!("/meshes/{mesh}/primitives/{place}");
            diagnostics.fault(fault, pointer, LOSS);
        }
    }
    Ok(())
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

fn cost(primitive: &Primitive) -> usize {
    let triangles = primitive.indices.len().div_euclid(3);
    triangles.saturating_mul(BYTES_PER_TRIANGLE)
}

/// What a corner of a triangle gets; none where the triangle says nothing about directions.
type Corner = Option<Vec4>;

/// The tangents of all corners of all triangles of a primitive.
fn corners(
    primitive: &Primitive,
    rows: &[Vec3; 2],
    set: usize,
    budget: &Budget,
) -> Result<Vec<Corner>, Fault> {
    budget.check(cost(primitive))?;
    let vertices = &primitive.vertices;
    let on_image = |&coordinates: &Vec2| {
        let at = coordinates.extend(1.0);
        // MikkTSpace counts v upwards, glTF downwards (glTF 2.0 §3.8.3). Far away numbers may overflow.
        let found = Vec2::new(rows[0].dot(at), -rows[1].dot(at));
        if found.is_finite() { found } else { Vec2::ZERO }
    };
    let set = vertices.tex_coords.get(set).map_or(&[][..], Vec::as_slice);
    let coordinates: Vec<_> = set.iter().map(on_image).collect();
    let positions = &vertices.positions;
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    let is_flat = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|index| at(positions, index));
        a == b || b == c || c == a
    };
    // Flat triangles say nothing, and would cost the square of their number.
    let places = (0_usize..).zip(triangles);
    let places = places.filter(|(_, triangle)| !is_flat(triangle));
    let places: Vec<_> = places.map(|(place, _)| place).collect();
    let mut surface = Surface {
        triangles,
        places,
        positions,
        normals: &vertices.normals,
        coordinates: &coordinates,
        corners: vec![None; primitive.indices.len()],
    };
    weld::check(&surface)?;
    let generated = catch_unwind(AssertUnwindSafe(|| {
        let generated = generate_tangents(&mut surface);
        // There is no error yet, and none that could be told from another.
        generated.is_ok()
    }));
    match generated {
        Ok(true) => Ok(surface.corners),
        Ok(false) | Err(_) => {
            let message = "its tangents cannot be computed";
            Err(Fault::warning("TANGENTS_NOT_COMPUTED", message))
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

/// The triangles that are not flat, as MikkTSpace asks for them.
struct Surface<'a> {
    triangles: &'a [[u32; 3]],
    /// Which triangles.
    places: Vec<usize>,
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    coordinates: &'a [Vec2],
    /// Three for each triangle, flat ones included.
    corners: Vec<Corner>,
}

impl Surface<'_> {
    fn index(&self, face: usize, corner: usize) -> u32 {
        let triangle = self.places.get(face).and_then(|&p| self.triangles.get(p));
        let index = triangle.and_then(|triangle| triangle.get(corner));
        index.copied().unwrap_or_default()
    }
}

impl Geometry for Surface<'_> {
    fn num_faces(&self) -> usize {
        self.places.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        plain(at(self.positions, self.index(face, vert)).into())
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        plain(at(self.normals, self.index(face, vert)).into())
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        plain(at(self.coordinates, self.index(face, vert)).into())
    }

    fn set_tangent(&mut self, found: Option<TangentSpace>, face: usize, vert: usize) {
        let place = self.places.get(face).copied().unwrap_or_default();
        let corner = self
            .corners
            .get_mut(place.saturating_mul(3).saturating_add(vert));
        let [x, y, z, sign] = found.unwrap_or_default().tangent_encoded();
        let tangent = Vec3::new(x, y, z).try_normalize();
        if let (Some(_), Some(tangent), Some(corner)) = (found, tangent, corner) {
            *corner = Some(tangent.extend(sign));
        }
    }
}

/// The cosine of a quarter of a degree: tangents nearer than that need no vertices of their own.
const SAME: f32 = 0.999_99;
/// No further copy.
const NONE: u32 = u32::MAX;

/// Gives tangents to the vertices of a primitive; copies those that need several.
fn give(primitive: &mut Primitive, corners: &[Corner], budget: &Budget) -> Result<(), Fault> {
    let vertices = &primitive.vertices;
    let count = vertices.positions.len();
    let too_many = || Fault::warning("TANGENTS_NOT_COMPUTED", "there are too many vertices");
    let first_copy = u32::try_from(count).map_err(|_| too_many())?;
    let mut tangents: Vec<Corner> = budget.reserve(count)?;
    tangents.resize(count, None);
    // From each vertex to its next copy.
    let mut next = vec![NONE; count];
    let mut origins: Vec<u32> = Vec::new();
    let mut indices = primitive.indices.clone();
    for (index, corner) in indices.iter_mut().zip(corners) {
        let Some(tangent) = *corner else {
            continue;
        };
        let origin = *index;
        let mut vertex = origin;
        loop {
            let place = usize::try_from(vertex).unwrap_or(usize::MAX);
            let (Some(own), Some(further)) = (tangents.get_mut(place), next.get_mut(place)) else {
                break;
            };
            let own = *own.get_or_insert(tangent);
            if own.w == tangent.w && own.truncate().dot(tangent.truncate()) > SAME {
                *index = vertex;
                break;
            }
            if *further == NONE {
                let copies = u32::try_from(origins.len()).unwrap_or(NONE);
                let copy = first_copy.checked_add(copies).filter(|&copy| copy < NONE);
                let copy = copy.ok_or_else(too_many)?;
                *further = copy;
                vertex = copy;
                tangents.push(None);
                next.push(NONE);
                origins.push(origin);
            } else {
                vertex = *further;
            }
        }
    }
    copy_vertices(primitive, &origins, budget)?;
    // Where no triangle says anything, any direction in the surface will do.
    let pairs = tangents.into_iter().zip(&primitive.vertices.normals);
    let any = |normal: &Vec3| normal.any_orthonormal_vector().extend(1.0);
    let tangents = pairs.map(|(tangent, normal)| tangent.unwrap_or_else(|| any(normal)));
    primitive.vertices.tangents = tangents.collect();
    primitive.indices = indices;
    Ok(())
}

/// Appends copies of these vertices; or nothing, if memory is short.
fn copy_vertices(primitive: &mut Primitive, origins: &[u32], budget: &Budget) -> Result<(), Fault> {
    if origins.is_empty() {
        return Ok(());
    }
    budget.charge(origins.len(), vertex_size(primitive))?;
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
    }
    primitive.copied_vertices = origins.len();
    Ok(())
}

/// Bytes of a vertex with all attributes and morph targets, whether it has all of them or not.
fn vertex_size(primitive: &Primitive) -> usize {
    let influence = size_of::<u16>().saturating_add(size_of::<f32>());
    let influences = primitive.influences.as_ref();
    let influences = influences.map_or(0, |influences| influences.per_vertex);
    let deltas = primitive.targets.len().saturating_mul(3);
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
