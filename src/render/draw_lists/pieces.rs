//! What a frame is made of: each primitive of each mesh, wherever nodes place it.

use std::ops::Range;

use glam::Affine3A;

use super::Distances;
use crate::{
    anim::Placement,
    model::{Model, Primitive},
    render::{
        model::{GpuModel, mesh::GpuPrimitive},
        room::coverage::{PIXELS_A_LINE, covered_by, is_close_by, mean_of_samples},
    },
    scene::{Draw, Draws, Frame, ShapeSamples, posed_pixels, world_from_copy},
};

/// Copies of which it is looked up how much they cover; the others will be like them.
const MAX_SAMPLES: usize = 32;
/// And of those that are deformed.
const MAX_DEFORMED_SAMPLES: usize = 4;

/// Shapes that are posed of each primitive that joints or morph targets deform.
const SAMPLES: usize = 16;
/// And of one that seems to cover the picture so often: a few shapes beside the eye may have been taken for many.
const MANY_SAMPLES: usize = 4096;
const OFTEN: f64 = 20.0;

/// How often shapes of a primitive may still be posed in a frame, few and many: a few milliseconds' work.
#[derive(Debug)]
pub(in crate::render) struct Looks {
    few: usize,
    many: usize,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            few: 2048,
            many: 32,
        }
    }
}

/// A primitive that was uploaded, in the material that it has in this frame.
#[derive(Clone, Copy)]
pub(in crate::render) struct UploadedPrimitive<'a> {
    pub(in crate::render) mesh: usize,
    /// Its place among the primitives of the mesh.
    pub(in crate::render) within: usize,
    pub(in crate::render) primitive: &'a Primitive,
    pub(in crate::render) on_gpu: &'a GpuPrimitive,
    pub(in crate::render) material: usize,
}

/// A primitive where a node places it, seen or hidden.
pub(in crate::render) struct Piece<'a> {
    pub(in crate::render) part: UploadedPrimitive<'a>,
    /// Index of the placement.
    pub(in crate::render) placement: usize,
    place: &'a Placement,
    pub(in crate::render) draw: &'a Draw,
    draws: &'a Draws,
}

/// Those copies of a piece that are mirrored alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::render) struct Copies {
    /// The record of the first, of one instance.
    pub(in crate::render) first_record: u32,
    pub(in crate::render) count: u32,
    /// The first of the instances among those of each copy, and the one behind the last. Of several copies they are all.
    pub(in crate::render) instances: (u32, u32),
    pub(in crate::render) is_mirrored: bool,
}

/// All pieces of a frame, those of one mesh together, and of these those of one primitive: calls that can be one follow each
/// other.
pub(super) fn pieces<'a>(
    model: &'a Model,
    uploaded: &'a GpuModel,
    frame: &'a Frame<'a>,
) -> impl Iterator<Item = Piece<'a>> {
    let same_mesh = |a: &Placement, b: &Placement| a.mesh == b.mesh;
    let runs = frame.layout.placements().chunk_by(same_mesh);
    let mut next = 0;
    runs.flat_map(move |places| {
        let first = next;
        next += places.len();
        let mesh = places[0].mesh;
        let parts = model.meshes[mesh].primitives.iter().enumerate();
        let parts = parts.zip(&uploaded.meshes[mesh]);
        let parts = parts.filter_map(move |((within, primitive), on_gpu)| {
            Some(UploadedPrimitive {
                mesh,
                within,
                primitive,
                on_gpu: on_gpu.as_ref()?,
                material: primitive.material_in(frame.variant),
            })
        });
        parts.flat_map(move |part| {
            let draws = frame.draws.iter().skip(first);
            let placed = (first..).zip(places.iter().zip(draws));
            placed.map(move |(placement, (place, draw))| Piece {
                part,
                placement,
                place,
                draw,
                draws: frame.draws,
            })
        })
    })
}

impl Piece<'_> {
    pub(in crate::render) fn is_skinned(&self) -> bool {
        self.place.skin.is_some() && self.part.on_gpu.influences.is_some()
    }

    /// By how many sets of four joints each vertex is moved.
    pub(in crate::render) fn sets_of_four(&self) -> usize {
        if self.is_skinned() {
            self.part.on_gpu.sets_of_four
        } else {
            0
        }
    }

    /// Its copies, of so many instances: those that are as its node is, and those that are mirrored beside it. Where instances
    /// differ in that, each copy is by itself.
    pub(in crate::render) fn copies(&self, instances: u32) -> impl Iterator<Item = Copies> {
        let (place, draws, is_skinned) = (self.place, self.draws, self.is_skinned());
        let piece = [self.placement, self.part.within];
        let sides = move || draws.sides(piece, is_skinned, instances);
        let is_divided = sides().nth(1).is_some();
        let straight = place.copies - place.mirrored_copies;
        let halves = [(0..straight, false), (straight..place.copies, true)];
        halves.into_iter().flat_map(move |(half, is_beside)| {
            let count = if is_divided { 1 } else { half.len() };
            half.step_by(count.max(1)).flat_map(move |copy| {
                sides().map(move |(members, is_mirrored)| Copies {
                    first_record: place.first_record + copy,
                    count: count as u32,
                    instances: (members.start, members.end),
                    is_mirrored: is_mirrored != is_beside,
                })
            })
        })
    }

    /// About how many pixels each of these records of one instance covers in a picture of this size: the mean of some.
    pub(super) fn mean_pixels(
        &self,
        records: Range<u32>,
        frame: &Frame<'_>,
        size: [u32; 2],
        looks: &mut Looks,
    ) -> f64 {
        let bounds = &self.part.primitive.rest_bounds;
        let is_deformed = self.is_deformed(frame);
        let most = if is_deformed {
            MAX_DEFORMED_SAMPLES
        } else {
            MAX_SAMPLES
        };
        let step = records.len().div_ceil(most).max(1);
        let samples = records.step_by(step).map(|record| {
            let place = self.world_from_copy(record, frame);
            let covered = covered_by(bounds, &place, &frame.camera, size);
            let posed = is_deformed.then(|| self.posed_pixels(record, frame, size, looks));
            let pixels = posed.flatten();
            let at_rest = || self.part.on_gpu.coverage(self.part.primitive);
            let pixels = pixels.unwrap_or_else(|| at_rest().pixels(covered));
            (is_close_by(covered, size), pixels)
        });
        mean_of_samples(samples, step)
    }

    /// Whether joints or morph targets take it away from where it is at rest.
    fn is_deformed(&self, frame: &Frame<'_>) -> bool {
        let record = || frame.palette.record_of_copy(self.placement, 0, 0);
        let is_morphed = || record().morph_count > 0;
        self.is_skinned() || !self.part.primitive.targets.is_empty() && is_morphed()
    }

    /// How many pixels the copy of a record of one instance covers, as it is deformed; none if all looks are used up.
    fn posed_pixels(
        &self,
        record: u32,
        frame: &Frame<'_>,
        size: [u32; 2],
        looks: &mut Looks,
    ) -> Option<f64> {
        let copy = (record - self.place.first_record) as usize;
        let palette = frame.palette;
        let record = palette.record_of_copy(self.placement, copy, 0);
        let is_skinned = self.is_skinned();
        let by = |count| {
            let (primitive, camera) = (self.part.primitive, &frame.camera);
            let samples = ShapeSamples {
                count,
                pixels_a_line: PIXELS_A_LINE,
            };
            posed_pixels(
                primitive, palette, record, is_skinned, camera, size, samples,
            )
        };
        looks.few = looks.few.checked_sub(1)?;
        let pixels = by(SAMPLES)?;
        let picture = f64::from(size[0]) * f64::from(size[1]);
        let is_much = pixels > OFTEN * picture;
        match looks.many.checked_sub(1).filter(|_| is_much) {
            Some(left) => {
                looks.many = left;
                by(MANY_SAMPLES)
            }
            None => Some(pixels),
        }
    }

    /// From its box at rest into the world, for a record of one instance.
    fn world_from_copy(&self, record: u32, frame: &Frame<'_>) -> Affine3A {
        if self.is_skinned() {
            return self.draw.world_from_skin;
        }
        let copy = (record - self.place.first_record) as usize;
        let known = world_from_copy(frame.palette, [self.placement, copy]);
        known.unwrap_or(self.draw.world_from_rigid)
    }

    /// Where the copy of a record of one instance is, seen from the eye: exactly where its deformed box is known, or nothing
    /// deforms it; else about there.
    pub(in crate::render) fn seen(&self, record: u32, frame: &Frame<'_>) -> Distances {
        let copy = (record - self.place.first_record) as usize;
        let is_skinned = self.is_skinned();
        let deformed = self.part.on_gpu.deformed_box.as_ref();
        let deformed =
            deformed.and_then(|it| it.in_world(frame.palette, [self.placement, copy], is_skinned));
        if let Some(bounds) = deformed {
            let place = Distances::of(&bounds, &Affine3A::IDENTITY, frame);
            return place.of_surface(self.part.on_gpu.is_closed);
        }
        let world_from_mesh = self.world_from_copy(record, frame);
        let primitive = self.part.primitive;
        let is_rigid = !is_skinned && primitive.targets.is_empty();
        let place = Distances::of(&primitive.rest_bounds, &world_from_mesh, frame);
        if is_rigid {
            place.of_surface(self.part.on_gpu.is_closed)
        } else {
            place.about()
        }
    }
}
