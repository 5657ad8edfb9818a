//! What is drawn in a frame: its draw calls, which of them share one, in which order, and how many there may be.

mod closed;
mod distances;
mod order;
mod pieces;

use self::pieces::{Copies, Looks, Piece, pieces};
use super::{
    Gpu, Renderer,
    layout::material_flags,
    model::{GpuModel, is_near, samplers::Bindings},
    passes::weighted::is_weighted,
    pipelines::{Blending, ColorKind, LastAsked, MeshKey, MeshPipelines},
    room::{LeftOut, NoRoom, Room, indices_a_shape, pipelines::PipelineRoom},
};
use crate::{
    model::Model,
    scene::{CameraView, Frame, Transparency},
};

pub(super) use closed::is_closed;
pub(super) use distances::Distances;

/// Pairs of glass and what may lie behind it that a frame looks at: a few milliseconds' work.
const MAX_PAIRS: usize = 100_000;

/// A primitive of a placement: one draw call for all instances and copies, but those that mirror have one of their own. Opaque
/// ones share theirs with the placements of the same mesh that follow; of blended ones each copy has one of its own, so that it
/// has a place of its own in the order.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimitiveDraw {
    /// The first of its records, and the one behind the last.
    pub(super) records: (u32, u32),
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    pub(super) material: usize,
    pub(super) key: MeshKey,
    /// Where the pipeline for `key` is, once it was prepared.
    pub(super) pipeline: usize,
    /// Of the primitive's indices the first that is drawn, and the one behind the last.
    pub(super) indices: (u32, u32),
    /// About how many pixels all its records cover; crowds do not count.
    pub(super) pixels: f64,
    place: Distances,
    /// Which of the placements it is about, of several the first.
    placement: usize,
}

/// What there may be of a frame.
struct Rooms<'p> {
    shapes: Room,
    looks: Looks,
    pipelines: &'p mut PipelineRoom,
    last: LastAsked<(MeshKey, Bindings), bool>,
}

impl Rooms<'_> {
    /// Whether a primitive may be drawn by these pipelines, one after the other, with what they bind.
    fn has_pipelines(
        &mut self,
        keys: impl Iterator<Item = MeshKey> + Clone,
        bindings: Bindings,
    ) -> bool {
        // The first says which they are.
        let Some(first) = keys.clone().next() else {
            return true;
        };
        let take = || self.pipelines.take(keys, bindings);
        self.last.answer((first, bindings), take)
    }

    /// Those of these copies that may be drawn, beside so many draw calls, and about how many pixels each covers.
    fn fitting(
        &mut self,
        piece: &Piece<'_>,
        copies: Copies,
        frame: &Frame<'_>,
        len: usize,
    ) -> (Copies, f64) {
        let size = self.shapes.size;
        let shapes = piece.part.on_gpu.shapes;
        let mut pixels = 0.0;
        let count = self.shapes.take(copies.count, shapes, len, |count| {
            // Crowds do not count.
            if frame.palette.instance_count() == 1 {
                let first = copies.first_record;
                pixels = piece.mean_pixels(first..first + count, frame, size, &mut self.looks);
            }
            pixels
        });
        (Copies { count, ..copies }, pixels)
    }
}

impl PrimitiveDraw {
    fn is_glass(&self) -> bool {
        self.key.features.flags & material_flags::TRANSMISSION != 0
    }

    /// Whether nothing of it can be seen through `glass`.
    fn is_before(&self, glass: &Self, camera: &CameraView) -> bool {
        let (this, glass) = (&self.place, &glass.place);
        let boxes = this.oriented.zip(glass.oriented);
        this.range[1] <= glass.range[0]
            || boxes.is_some_and(|(this, glass)| this.is_before(&glass, camera))
    }

    /// The points, lines or triangles of all its records.
    pub(super) fn shapes(&self) -> u64 {
        let of_one = (self.indices.1 - self.indices.0) / indices_a_shape(self.key.topology);
        u64::from(of_one) * u64::from(self.records.1 - self.records.0)
    }

    /// Whether `next` is the same primitive, drawn the same way, and its records follow.
    fn goes_on_with(&self, next: &Self) -> bool {
        let what = |draw: &Self| (draw.mesh, draw.primitive, draw.material, draw.key);
        self.records.1 == next.records.0 && what(self) == what(next)
    }

    /// The key of another of its pipelines.
    pub(super) fn key_as(&self, blending: Blending) -> MeshKey {
        MeshKey {
            blending,
            ..self.key
        }
    }
}

/// The draw calls of a frame, in the order in which they are drawn.
#[derive(Debug, Default)]
pub(super) struct DrawLists {
    /// In no order.
    pub(super) opaque: Vec<PrimitiveDraw>,
    /// Near to far: each covers what is behind it.
    pub(super) transmissive: Vec<PrimitiveDraw>,
    /// Far to near: each is seen through.
    pub(super) transparent: Vec<PrimitiveDraw>,
    /// Of the transparent ones those that may be seen through glass, if there is any.
    pub(super) behind_glass: Vec<PrimitiveDraw>,
    /// How many there are but for those behind glass, which are among them.
    len: usize,
}

impl DrawLists {
    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &PrimitiveDraw> + Clone {
        let opaque = self.opaque.iter();
        opaque.chain(&self.transmissive).chain(&self.transparent)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut PrimitiveDraw> {
        let opaque = self.opaque.iter_mut();
        opaque
            .chain(&mut self.transmissive)
            .chain(&mut self.transparent)
    }

    /// Notes where the pipelines of all are, and says whether they are there.
    fn find_pipelines(&mut self, meshes: &mut MeshPipelines) -> bool {
        let (mut last, mut are_there) = (LastAsked::default(), true);
        for draw in self.all_mut() {
            let place = last.answer(draw.key, || meshes.find(draw.key));
            draw.pipeline = place.unwrap_or_default();
            are_there &= place.is_some();
        }
        are_there
    }

    fn clear(&mut self) {
        self.len = 0;
        self.opaque.clear();
        self.transmissive.clear();
        self.transparent.clear();
        self.behind_glass.clear();
    }

    /// Adds all that is seen of a frame, as far as there is room; returns the first that does not fit.
    fn fill(
        &mut self,
        model: &Model,
        uploaded: &GpuModel,
        frame: &Frame<'_>,
        mut rooms: Rooms<'_>,
        may_write_beside: bool,
    ) -> Option<LeftOut> {
        let mut lights = frame.lighting.lights.iter();
        let has_near_lights = lights.any(|light| is_near(light.kind));
        let adapted = |key: MeshKey, is_dual| MeshKey {
            is_dual,
            quality: frame.lighting.settings.quality,
            has_near_lights: key.has_near_lights || has_near_lights,
            colors: if may_write_beside {
                key.colors
            } else {
                ColorKind::Light
            },
            ..key
        };
        let mut left_out = None;
        let seen = pieces(model, uploaded, frame).filter(|piece| !piece.draw.is_hidden);
        for piece in seen {
            let part = &piece.part;
            let is_dual = piece.is_skinned() && frame.palette.is_dual();
            let is_ordered = uploaded.is_ordered(part.material);
            let bindings = uploaded.bindings(part.material);
            let leave_out = |why| LeftOut {
                mesh: part.mesh,
                primitive: part.primitive.file_index,
                why,
            };
            for copies in piece.copies(frame.palette.instance_count() as u32) {
                let keys = uploaded.keys(
                    (part.primitive, part.on_gpu),
                    part.material,
                    piece.sets_of_four(),
                    copies.is_mirrored,
                );
                let keys = keys.map(|key| adapted(key, is_dual));
                if !rooms.has_pipelines(keys.clone(), bindings) {
                    left_out.get_or_insert(leave_out(NoRoom::Pipelines));
                    continue;
                }
                let fitting = rooms.fitting(&piece, copies, frame, self.len);
                if fitting.0.count < copies.count {
                    left_out.get_or_insert(leave_out(NoRoom::Shapes));
                }
                // What is smaller may fit all the same.
                if fitting.0.count > 0 {
                    self.add(&piece, fitting, keys, frame, is_ordered, &rooms.shapes);
                }
            }
        }
        left_out
    }

    /// Adds copies of a piece, one at least: of those that blend each by itself, as long as there is room for so many calls.
    fn add(
        &mut self,
        piece: &Piece<'_>,
        (copies, pixels): (Copies, f64),
        keys: impl Iterator<Item = MeshKey> + Clone,
        frame: &Frame<'_>,
        is_ordered: bool,
        room: &Room,
    ) {
        let instances = frame.palette.instance_count() as u32;
        let calls = copies.count as usize * keys.clone().count();
        // Crowds are not sorted.
        let is_apart = frame.lighting.settings.transparency == Transparency::Sorted
            && instances == 1
            && keys.clone().any(|key| key.blending == Blending::Alpha)
            && room.has_draws(self.len, calls);
        let together = if is_apart { 1 } else { copies.count };
        for first_copy in (0..copies.count).step_by(together as usize) {
            let record = copies.first_record + first_copy;
            let (first_instance, end) = copies.instances;
            let first = record * instances + first_instance;
            let count = (together - 1) * instances + end - first_instance;
            let place = match (is_ordered, count) {
                (false, _) => Distances::UNKNOWN,
                (true, 1) => piece.seen(record, frame),
                (true, _) => piece.seen(record, frame).of_first(),
            };
            for key in keys.clone() {
                self.push(PrimitiveDraw {
                    records: (first, first + count),
                    mesh: piece.part.mesh,
                    primitive: piece.part.within,
                    material: piece.part.material,
                    key,
                    pipeline: 0,
                    indices: (0, piece.part.on_gpu.index_count),
                    pixels: pixels * f64::from(together),
                    place,
                    placement: piece.placement,
                });
            }
        }
    }

    /// Adds a draw call, which the one before takes in if it is about the same and ends where this one begins.
    fn push(&mut self, draw: PrimitiveDraw) {
        let list = match draw.key.blending {
            Blending::Opaque | Blending::Masked => &mut self.opaque,
            Blending::Transmissive => &mut self.transmissive,
            Blending::Alpha | Blending::Weighted | Blending::DepthAlone => &mut self.transparent,
        };
        if !draw.key.blending.is_ordered()
            && let Some(last) = list.last_mut()
            && last.goes_on_with(&draw)
        {
            last.records.1 = draw.records.1;
            last.pixels += draw.pixels;
            return;
        }
        list.push(draw);
        self.len += 1;
    }

    /// Finds what blends and may lie behind glass: what is not wholly in front of all of it. Where so much of both is mingled
    /// that to look at all pairs would take long, the rest is taken to lie behind. Returns how many pairs were looked at.
    pub(super) fn find_behind_glass(&mut self, camera: &CameraView) -> usize {
        // Glass may blend, too. The nearest first: most that lies behind any lies behind that.
        let both = (self.transmissive.iter()).chain(self.transparent.iter().rev());
        let glass = both.filter(|draw| draw.is_glass());
        let nearest = glass.clone().map(|glass| glass.place.range[0]);
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        let mut looked_at = 0;
        let mut is_before = |draw: &PrimitiveDraw, glass: &PrimitiveDraw| {
            looked_at += 1;
            looked_at <= MAX_PAIRS && draw.is_before(glass, camera)
        };
        let blended = self.transparent.iter().filter(|draw| !draw.is_glass());
        let is_behind = |draw: &&PrimitiveDraw| {
            draw.place.range[1] > nearest && !glass.clone().all(|glass| is_before(draw, glass))
        };
        self.behind_glass.extend(blended.filter(is_behind));
        looked_at
    }

    pub(super) fn shows_copy(&self) -> bool {
        let mut behind = self.transmissive.iter().chain(&self.transparent);
        behind.any(PrimitiveDraw::is_glass)
    }
}

impl Renderer {
    /// The draw calls of a frame of so many pixels, opaque and transparent, of which some may write beside the scene's light.
    pub(super) fn collect(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        frame: &Frame<'_>,
        size: [u32; 2],
        may_write_beside: bool,
    ) -> DrawLists {
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        let Some(uploaded) = &mut self.model else {
            return lists;
        };
        let mut pipelines = std::mem::take(&mut uploaded.pipelines);
        pipelines.next_frame();
        let is_software = gpu.is_software();
        let rooms = Rooms {
            shapes: Room::new(
                is_software,
                self.pace,
                uploaded.held,
                uploaded.primitives,
                size,
            ),
            looks: Looks::default(),
            pipelines: &mut pipelines,
            last: LastAsked::default(),
        };
        let left_out = lists.fill(model, uploaded, frame, rooms, may_write_beside);
        uploaded.pipelines = pipelines;
        // What is summed up is in no order, but for what glass shows of it.
        let is_summed = is_weighted(gpu, frame) && !lists.shows_copy();
        lists.sort(!is_summed);
        if let (Some(left_out), Some(uploaded)) = (left_out, &mut self.model) {
            uploaded.leave_out(left_out, &model.name);
        }
        lists
    }

    /// Makes the pipelines that light is drawn by and that are not there: those for mirrored matrices, say.
    pub(super) fn prepare_lit(&mut self, gpu: &Gpu, lists: &mut DrawLists) {
        if !lists.find_pipelines(&mut self.meshes) {
            self.meshes
                .prepare_all(gpu, lists.all().map(|draw| draw.key));
            lists.find_pipelines(&mut self.meshes);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        model::Topology,
        render::{
            layout::{MAP_COUNT, NO_SLOT},
            model::{material::Features, vertices::Attributes},
            pipelines::{Faces, Winding},
        },
        scene::Quality,
    };

    pub(in crate::render) fn draw(is_glass: bool, range: [f32; 2]) -> PrimitiveDraw {
        let flags = if is_glass {
            material_flags::TRANSMISSION
        } else {
            0
        };
        PrimitiveDraw {
            records: (0, 1),
            mesh: 0,
            primitive: 0,
            material: 0,
            key: MeshKey {
                topology: Topology::Triangles,
                sets_of_four: 0,
                attributes: Attributes::NONE,
                is_dual: false,
                has_near_lights: false,
                quality: Quality::default(),
                winding: Winding {
                    is_mirrored: false,
                    faces: Faces::Front,
                },
                blending: if is_glass {
                    Blending::Transmissive
                } else {
                    Blending::Alpha
                },
                colors: ColorKind::Light,
                features: Features {
                    flags,
                    slots: [NO_SLOT; MAP_COUNT],
                },
            },
            pipeline: 0,
            indices: (0, 6),
            pixels: 0.0,
            place: Distances {
                range,
                ..Distances::UNKNOWN
            },
            placement: 0,
        }
    }

    #[test]
    fn glass_is_drawn_near_to_far_and_what_blends_far_to_near() {
        let at = |is_glass, distance, placement| {
            let mut draw = draw(is_glass, [0.0, 1.0]);
            draw.place.distance = distance;
            draw.placement = placement;
            draw
        };
        let places = [(2.0, 0), (1.0, 1), (3.0, 2), (1.0, 3)];
        let of = |is_glass| places.map(|(distance, placement)| at(is_glass, distance, placement));
        let mut lists = DrawLists {
            transmissive: of(true).to_vec(),
            transparent: of(false).to_vec(),
            ..DrawLists::default()
        };
        lists.sort(true);
        let order = |draws: &[PrimitiveDraw]| -> Vec<_> {
            draws.iter().map(|draw| draw.placement).collect()
        };
        assert_eq!(order(&lists.transmissive), [1, 3, 0, 2]);
        assert_eq!(order(&lists.transparent), [2, 0, 1, 3]);
    }

    /// Thousands of panes and as many leaves among them are a frame's work, not a second's.
    #[test]
    fn there_is_an_end_to_looking_behind_glass() {
        let camera = crate::scene::OrbitCamera::default().view(1.0);
        let find = |solid: &[PrimitiveDraw], blended: Vec<PrimitiveDraw>| {
            let mut lists = DrawLists {
                transmissive: solid.to_vec(),
                transparent: blended,
                ..DrawLists::default()
            };
            let looked_at = lists.find_behind_glass(&camera);
            (looked_at, lists.behind_glass.len())
        };
        let (far, near) = (draw(true, [20.0, 21.0]), draw(true, [10.0, 11.0]));
        let panes = [vec![near], vec![far; 1000]].concat();
        let before = vec![draw(false, [5.0, 9.0]); 1000];
        assert_eq!(find(&panes, before), (0, 0));
        let behind = vec![draw(false, [9.0, 12.0]); 1000];
        assert_eq!(find(&panes, behind.clone()), (1000, 1000));
        // The nearest blends, and is looked at last.
        let among = |count: usize| [vec![near], behind[..count].to_vec()].concat();
        let panes = &panes[1..];
        assert_eq!(find(panes, among(10)), (10_010, 10));
        let (looked_at, found) = find(panes, among(1000));
        assert!(looked_at <= MAX_PAIRS + 1000, "{looked_at}");
        assert_eq!(found, 1000);
    }
}
