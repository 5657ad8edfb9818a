//! What is drawn in a frame: its draw calls, which of them share one, in which order, and how many there may be.

use glam::Affine3A;

use super::{
    Gpu, Renderer,
    layout::material_flags,
    model::{GpuModel, is_near},
    pieces::{Copies, Looks, Piece, pieces},
    pipeline_room::PipelineRoom,
    pipelines::{Blending, ColorKind, LastAsked, MeshKey},
    room::{LeftOut, NoRoom, Room},
    samplers::Bindings,
};
use crate::{
    model::{Aabb, Model},
    scene::{CameraView, Frame, OrientedBox, Transparency},
};

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
    /// Where the pipeline for `key` is.
    pub(super) pipeline: usize,
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

    /// How many of these copies may be drawn, beside so many draw calls.
    fn fitting(&mut self, piece: &Piece<'_>, copies: Copies, frame: &Frame<'_>, len: usize) -> u32 {
        let size = self.shapes.size;
        let shapes = piece.part.on_gpu.shapes;
        self.shapes.take(copies.count, shapes, len, |count| {
            // Crowds do not count.
            if frame.palette.instance_count() > 1 {
                return 0.0;
            }
            let first = copies.first_record;
            piece.mean_pixels(first..first + count, frame, size, &mut self.looks)
        })
    }
}

/// Where a primitive is, seen from the eye.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distances {
    /// Distance of its middle; of several copies that of the first.
    distance: f32,
    /// Distances of the nearest and the farthest point of its box in the world; of several copies they are not known.
    range: [f32; 2],
    /// Its box, if there is one copy alone and it is known: joints and morph targets move it out of the box it has at rest.
    oriented: Option<OrientedBox>,
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
    /// Far to near.
    pub(super) transmissive: Vec<PrimitiveDraw>,
    /// Far to near.
    pub(super) transparent: Vec<PrimitiveDraw>,
    /// Of the transparent ones those that may be seen through glass, if there is any.
    pub(super) behind_glass: Vec<PrimitiveDraw>,
    /// How many there are but for those behind glass, which are among them.
    len: usize,
}

impl DrawLists {
    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &PrimitiveDraw> {
        let opaque = self.opaque.iter();
        opaque.chain(&self.transmissive).chain(&self.transparent)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut PrimitiveDraw> {
        let opaque = self.opaque.iter_mut();
        opaque
            .chain(&mut self.transmissive)
            .chain(&mut self.transparent)
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
                let count = rooms.fitting(&piece, copies, frame, self.len);
                if count < copies.count {
                    left_out.get_or_insert(leave_out(NoRoom::Shapes));
                }
                // What is smaller may fit all the same.
                if count > 0 {
                    let fitting = Copies { count, ..copies };
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
        copies: Copies,
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
                    place,
                    placement: piece.placement,
                });
            }
        }
    }

    /// Puts what must be drawn far to near in that order.
    fn sort(&mut self) {
        for list in [&mut self.transmissive, &mut self.transparent] {
            list.sort_by(|a, b| {
                let nearer = b.place.distance.total_cmp(&a.place.distance);
                nearer.then(a.placement.cmp(&b.placement))
            });
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
            return;
        }
        list.push(draw);
        self.len += 1;
    }

    /// Finds what blends and may lie behind glass: what is not wholly in front of all of it. Where so much of both is mingled
    /// that to look at all pairs would take long, the rest is taken to lie behind. Returns how many pairs were looked at.
    pub(super) fn find_behind_glass(&mut self, camera: &CameraView) -> usize {
        // Glass may blend, too. The nearest first: most that lies behind any lies behind that.
        let near_to_far = self.transmissive.iter().rev();
        let both = near_to_far.chain(self.transparent.iter().rev());
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
    /// The draw calls of a frame of so many pixels, opaque and transparent, of which some may write beside the scene's light;
    /// makes pipelines that mirrored matrices ask for.
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
        let mut last = LastAsked::default();
        for draw in lists.all_mut() {
            let prepare = || self.meshes.prepare(&gpu.device, draw.key);
            draw.pipeline = last.answer(draw.key, prepare);
        }
        lists.sort();
        if let (Some(left_out), Some(uploaded)) = (left_out, &mut self.model) {
            uploaded.leave_out(left_out, &model.name);
        }
        lists
    }
}

impl Distances {
    /// Of what is drawn in no order, and of several copies.
    const UNKNOWN: Self = Self {
        distance: 0.0,
        range: [0.0, f32::INFINITY],
        oriented: None,
    };

    /// That of several copies, of which this is the first.
    fn of_first(self) -> Self {
        Self {
            distance: self.distance,
            ..Self::UNKNOWN
        }
    }

    /// This distance for what may have left its box a little.
    pub(super) fn about(self) -> Self {
        Self {
            oriented: None,
            ..self
        }
    }

    /// The place of the image of `bounds`.
    pub(super) fn of(bounds: &Aabb, world_from_bounds: &Affine3A, frame: &Frame<'_>) -> Self {
        let middle = world_from_bounds.transform_point3(bounds.center());
        let in_world = bounds.transformed(world_from_bounds);
        Self {
            distance: frame.camera.distance(middle),
            range: frame.camera.distances(&in_world),
            oriented: Some(OrientedBox::new(bounds, world_from_bounds)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::Topology;
    use crate::render::{
        layout::{MAP_COUNT, NO_SLOT},
        material::Features,
        pipelines::{Faces, Winding},
        vertices::Attributes,
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
            place: Distances {
                range,
                ..Distances::UNKNOWN
            },
            placement: 0,
        }
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
        let mut panes = vec![far; 1000];
        panes.push(near);
        let before = vec![draw(false, [5.0, 9.0]); 1000];
        assert_eq!(find(&panes, before), (0, 0));
        let behind = vec![draw(false, [9.0, 12.0]); 1000];
        assert_eq!(find(&panes, behind.clone()), (1000, 1000));
        // The nearest blends, and is looked at last.
        let among = |count: usize| [vec![near], behind[..count].to_vec()].concat();
        let panes = &panes[..1000];
        assert_eq!(find(panes, among(10)), (10_010, 10));
        let (looked_at, found) = find(panes, among(1000));
        assert!(looked_at <= MAX_PAIRS + 1000, "{looked_at}");
        assert_eq!(found, 1000);
    }
}
