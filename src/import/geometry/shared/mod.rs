//! Vertices that many primitives share by naming the same accessors (glTF 2.0 §3.7.2.1), as avatars and scenes with a
//! primitive for each material do, and drawings with a mesh for each part: they are read once, and each primitive keeps those
//! that its indices name. Of morph targets what is zero is not kept.

mod deltas;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use glam::{Vec3, Vec4};
use gltf::json;

use crate::{
    import::{
        arrays::source::Source,
        base::{
            budget::Budget,
            diagnostics::{Diagnostics, Fault},
        },
        json::document::Section,
        scene::skins::Joints,
    },
    model::{Colors, Influences, MorphTarget, Vertices},
};

use super::{
    influences,
    meshes::PrimitiveReader,
    morphs::{self, LookTarget, Owner},
    topology::Shapes,
    vertices::{self, Attributes},
};

/// How many bytes primitives may take by keeping vertices of one accessor that they do not name: a few copies cost little,
/// and keep the file's numbers of vertices.
const FEW: usize = 64 << 20;
/// Where fewer than one in so many vertices can be named, those that are are sorted.
const FEW_NAMED: usize = 8;
/// No place.
const NONE: u32 = u32::MAX;
/// How many surfaces are kept for the primitives that come: some take turns.
const MAX_KEPT: usize = 4;

/// What a primitive is made of, but for its shapes.
#[derive(Debug)]
pub(super) struct Surface {
    pub vertices: Vertices,
    pub influences: Option<Influences>,
    pub targets: Vec<MorphTarget>,
}

/// A [`Surface`] for primitives that share it.
#[derive(Debug)]
pub(super) struct Shared {
    pub vertices: Vertices,
    influences: Option<Influences>,
    targets: Vec<MorphTarget>,
}

/// What arrays of vertices take, and of what these hang on.
pub(super) fn bytes_of(vertices: &Vertices, influences: Option<&Influences>) -> usize {
    let influences = influences.map_or(0, Influences::bytes);
    vertices.bytes().saturating_add(influences)
}

impl Shared {
    /// The bytes of vertices and of what they hang on, but not of targets.
    fn bytes_of_vertices(&self) -> usize {
        bytes_of(&self.vertices, self.influences.as_ref())
    }

    fn bytes(&self) -> usize {
        let heads = size_of_val(&self.targets[..]);
        let targets = self.targets.iter().map(MorphTarget::bytes);
        let targets = targets.fold(heads, usize::saturating_add);
        self.bytes_of_vertices().saturating_add(targets)
    }
}

/// Which accessors a surface is read from.
#[derive(Debug, PartialEq)]
struct Origin {
    attributes: Attributes,
    /// The joints that its vertices may name, if they name any and there is a skin.
    joints: Option<Joints>,
    targets: Vec<[Option<usize>; 3]>,
    looks: Vec<LookTarget>,
}

impl Origin {
    fn of(
        primitive: PrimitiveReader<'_, '_>,
        object: &json::mesh::Primitive,
        looks: &[LookTarget],
    ) -> Self {
        let has_joints = influences::has_joints(&object.attributes);
        let targets = object.targets.as_deref().unwrap_or_default().iter();
        let targets = targets.map(|target| {
            [target.positions, target.normals, target.tangents].map(|it| Some(it?.value()))
        });
        Self {
            attributes: object.attributes.clone(),
            joints: primitive.joints.filter(|_| has_joints).cloned(),
            targets: targets.collect(),
            looks: looks.to_vec(),
        }
    }
}

/// About how many bytes a vertex takes: no attribute takes more than a vector of four.
fn bytes_per_vertex(object: &json::mesh::Primitive, looks: &[LookTarget]) -> usize {
    let targets = object.targets.as_deref().unwrap_or_default().iter();
    let of_targets = targets.map(|target| {
        let changed = [target.positions, target.normals, target.tangents];
        changed.into_iter().flatten().count()
    });
    let of_looks = looks.iter().map(LookTarget::count);
    let vectors = of_targets
        .chain(of_looks)
        .fold(object.attributes.len(), usize::saturating_add);
    vectors.saturating_mul(size_of::<Vec4>())
}

/// How many bytes primitives may take by keeping vertices of one accessor that they do not name: with `may_leave_out` a few
/// copies, else as many as there is memory for.
fn few(source: &Source<'_>, may_leave_out: bool) -> usize {
    if may_leave_out {
        FEW
    } else {
        FEW.max(source.budget.most_data() / 2)
    }
}

/// What meshes that are read apart take by keeping positions that others of them keep, too. It does not depend on who was
/// first: for each accessor, all take as much.
#[derive(Debug)]
pub(super) struct Copies {
    /// Whether a mesh keeps those of an accessor.
    are_kept: Vec<AtomicBool>,
    bytes: AtomicUsize,
    most: usize,
}

impl Copies {
    /// None so far. With `may_leave_out` few are allowed, where there is not much memory.
    pub(super) fn new(source: &Source<'_>, may_leave_out: bool) -> Self {
        /// How much of its memory a vertex takes for its position.
        const POSITION: usize = 4;
        let accessors = 0..source.document.count(Section::Accessors);
        let most = few(source, may_leave_out).max(source.budget.most_data() / 4);
        Self {
            are_kept: accessors.map(|_| AtomicBool::new(false)).collect(),
            bytes: AtomicUsize::new(0),
            most: most / POSITION,
        }
    }

    /// Whether they need not be shared.
    pub(super) fn are_few(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) <= self.most
    }

    /// Counts those of a mesh: so many positions of an accessor.
    fn add(&self, accessor: usize, count: usize) {
        let is_kept = self.are_kept.get(accessor);
        if is_kept.is_some_and(|is_kept| is_kept.swap(true, Ordering::Relaxed)) {
            let bytes = count.saturating_mul(size_of::<Vec3>());
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

/// What the primitives of a mesh, or of all meshes, have read so far.
#[derive(Debug)]
pub(super) struct SharedVertices<'r, 's> {
    source: &'r Source<'s>,
    /// What other meshes keep that are read apart.
    copies: Option<&'r Copies>,
    /// How many bytes may be kept whole of each accessor of positions, and how many are.
    few: usize,
    whole: BTreeMap<usize, usize>,
    /// What was read last.
    kept: Vec<(Origin, Shared)>,
}

/// A primitive that cannot be read, as was said.
pub(super) struct Lost;

impl<'r, 's> SharedVertices<'r, 's> {
    /// With `may_leave_out` only a few copies keep what they do not name, else as many as there is memory for. `copies` counts
    /// what is kept of a mesh that is read apart from others.
    pub(super) fn new(
        source: &'r Source<'s>,
        may_leave_out: bool,
        copies: Option<&'r Copies>,
    ) -> Self {
        Self {
            source,
            copies,
            few: few(source, may_leave_out),
            whole: BTreeMap::new(),
            kept: Vec::new(),
        }
    }

    /// The surface that a primitive shares with others, if it should not have one of its own. Findings are those of the
    /// first that shares it: they are of the accessors.
    pub(super) fn find(
        &mut self,
        primitive: PrimitiveReader<'_, '_>,
        object: &json::mesh::Primitive,
        looks: &[LookTarget],
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<&Shared>, Lost> {
        let Some(positions) = primitive.positions(object) else {
            return Ok(None);
        };
        let accessor = self.source.accessors.get(positions.value());
        let count = accessor.map_or(0, |accessor| accessor.count);
        let bytes = count.saturating_mul(bytes_per_vertex(object, looks));
        let whole = self.whole.entry(positions.value()).or_default();
        let with_this = whole.saturating_add(bytes);
        let may_share = object.indices.is_some();
        if let (0, true, Some(copies)) = (*whole, may_share, self.copies) {
            copies.add(positions.value(), count);
        }
        if !may_share || *whole == 0 || with_this <= self.few {
            *whole = with_this;
            return Ok(None);
        }
        let origin = Origin::of(primitive, object, looks);
        if !self.kept.iter().any(|(kept, _)| *kept == origin) {
            let most = self.most_bytes(object, looks, count);
            self.make_room(most);
            // What is read again and again must come to an end: then each has its own, as far as there is memory.
            if self.source.budget.charge_passing(most).is_err() {
                return Ok(None);
            }
            let surface = read(primitive, positions, object, looks, diagnostics);
            self.kept.push((origin, surface.ok_or(Lost)?));
            return Ok(self.kept.last().map(|(_, surface)| surface));
        }
        let kept = self.kept.iter().find(|(kept, _)| *kept == origin);
        Ok(kept.map(|(_, surface)| surface))
    }

    /// How many bytes a surface of so many vertices takes at most. Its targets may take far less than a value for each vertex.
    fn most_bytes(
        &self,
        object: &json::mesh::Primitive,
        looks: &[LookTarget],
        vertices: usize,
    ) -> usize {
        let attributes = object.attributes.len().saturating_mul(size_of::<Vec4>());
        let targets = morphs::most_bytes(self.source, object.targets.as_deref(), looks, vertices);
        vertices.saturating_mul(attributes).saturating_add(targets)
    }

    /// Lets go of what was read first until so many bytes more are few.
    fn make_room(&mut self, bytes: usize) {
        let all = |kept: &[(Origin, Shared)]| {
            let each = kept.iter().map(|(_, surface)| surface.bytes());
            each.fold(bytes, usize::saturating_add)
        };
        while self.kept.len() >= MAX_KEPT || (!self.kept.is_empty() && all(&self.kept) > FEW) {
            self.forget_first();
        }
    }

    fn forget_first(&mut self) {
        let (_, surface) = self.kept.remove(0);
        self.source.budget.let_data_go(surface.bytes());
    }
}

impl Drop for SharedVertices<'_, '_> {
    fn drop(&mut self) {
        while !self.kept.is_empty() {
            self.forget_first();
        }
    }
}

fn read(
    primitive: PrimitiveReader<'_, '_>,
    positions: json::Index<json::Accessor>,
    object: &json::mesh::Primitive,
    looks: &[LookTarget],
    diagnostics: &mut Diagnostics,
) -> Option<Shared> {
    let attributes = &object.attributes;
    let (vertices, _) = vertices::read(primitive, positions, attributes, diagnostics)?;
    let count = vertices.positions.len();
    let influences = influences::read(primitive, attributes, count, diagnostics);
    let objects = object.targets.as_deref();
    let budget = &primitive.source.budget;
    let keep = |target| deltas::few(target, budget);
    let reader = (primitive, Owner::Many);
    let targets = morphs::read_each(reader, objects, looks, &vertices, diagnostics, keep);
    let Some(targets) = targets else {
        budget.give_data_back(1, bytes_of(&vertices, influences.as_ref()));
        return None;
    };
    Some(Shared {
        vertices,
        influences,
        targets,
    })
}

/// Takes those vertices of a surface that `shapes` name, in the file's order, and has the shapes name them there. Gives
/// their numbers in the file, too, unless all are named.
pub(super) fn pick(
    budget: &Budget,
    surface: &Shared,
    shapes: &mut Shapes,
) -> Result<(Surface, Vec<u32>), Fault> {
    let all = surface.vertices.positions.len();
    // Where most are named, of each vertex the place that it gets, and of others `NONE`: sorting takes ten times as long, and
    // thousands of primitives may share their vertices.
    let count = shapes.indices.len();
    let is_table = count >= all / FEW_NAMED;
    let (mut numbers, _held) = budget.borrow_data::<u32>(if is_table { all } else { count })?;
    let mut named = Vec::new();
    if is_table {
        numbers.resize(all, NONE);
        for index in shapes.indices.iter() {
            if let Some(place) = numbers.get_mut(usize::try_from(index).unwrap_or(usize::MAX)) {
                *place = 0;
            }
        }
        for (index, place) in (0..).zip(&mut numbers) {
            if *place != NONE {
                *place = u32::try_from(named.len()).unwrap_or_default();
                named.push(index);
            }
        }
    } else {
        numbers.extend(shapes.indices.iter());
        numbers.sort_unstable();
        numbers.dedup();
        named = numbers.as_slice().into();
    }
    let are_all = named.len() == all;
    let bytes_each = surface.bytes_of_vertices().checked_div(all).unwrap_or(0);
    let bytes_of_number = if are_all { 0 } else { size_of::<u32>() };
    let bytes_each = bytes_each.saturating_add(bytes_of_number);
    let vertices = budget.hold_data(named.len(), bytes_each)?;
    let heads = budget.hold_data(surface.targets.len(), size_of::<MorphTarget>())?;
    let mut taken = 0;
    let targets = surface.targets.iter();
    let targets = targets.map(|target| deltas::take(target, &named, budget, &mut taken));
    let targets: Result<Vec<_>, _> = targets.collect();
    let targets = targets.inspect_err(|_| budget.give_data_back(taken, 1))?;
    vertices.keep();
    heads.keep();
    if !are_all {
        shapes.indices.renumber(|index| {
            if is_table {
                let place = usize::try_from(index).ok();
                let place = place.and_then(|index| numbers.get(index));
                return place.copied().unwrap_or_default();
            }
            let place = named.binary_search(&index).unwrap_or_default();
            u32::try_from(place).unwrap_or_default()
        });
    }
    let vertices = &surface.vertices;
    let of = Picked { named: &named };
    let picked = Surface {
        vertices: Vertices {
            positions: of.take(&vertices.positions),
            normals: of.take(&vertices.normals),
            tangents: of.take(&vertices.tangents),
            tex_coords: vertices.tex_coords.each_ref().map(|set| of.take(set)),
            colors: match &vertices.colors {
                Colors::Bytes(colors) => Colors::Bytes(of.take(colors)),
                Colors::Shorts(colors) => Colors::Shorts(of.take(colors)),
                Colors::Floats(colors) => Colors::Floats(of.take(colors)),
            },
        },
        influences: surface.influences.as_ref().map(|it| Influences {
            per_vertex: it.per_vertex,
            joints: of.take_each(&it.joints, it.per_vertex),
            weights: of.take_each(&it.weights, it.per_vertex),
        }),
        targets,
    };
    Ok((picked, if are_all { Vec::new() } else { named }))
}

struct Picked<'n> {
    named: &'n [u32],
}

impl Picked<'_> {
    fn take<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.take_each(values, 1)
    }

    /// What is taken of `values` where each vertex has so many; empty arrays stay empty.
    fn take_each<T: Copy>(&self, values: &[T], per_vertex: usize) -> Vec<T> {
        let mut taken = Vec::new();
        if values.is_empty() {
            return taken;
        }
        taken.reserve_exact(self.named.len().saturating_mul(per_vertex));
        for &index in self.named {
            let first = usize::try_from(index).map(|index| index.saturating_mul(per_vertex));
            let values = first.ok().and_then(|first| values.get(first..));
            let own = values.and_then(|values| values.get(..per_vertex));
            taken.extend_from_slice(own.unwrap_or_default());
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Indices, Topology};

    /// A target beyond what there is memory for, after one that there is some for.
    #[test]
    fn what_cannot_be_picked_takes_no_memory() {
        const COUNT: u32 = 10_000;
        let positions = vec![Vec3::ONE; COUNT as usize];
        let target = || MorphTarget {
            positions: positions.clone().into(),
            ..MorphTarget::default()
        };
        let surface = Shared {
            vertices: Vertices {
                positions: positions.clone(),
                ..Vertices::default()
            },
            influences: None,
            targets: vec![target(), target()],
        };
        let mut shapes = Shapes {
            topology: Topology::Points,
            indices: Indices::Long((0..COUNT).collect()),
            ..Shapes::default()
        };
        let picked = |left: usize, shapes: &mut Shapes| {
            let budget = Budget::default();
            let most = budget.most_data();
            budget.charge_data(1, most - left).unwrap();
            let is_picked = pick(&budget, &surface, shapes).is_ok();
            (is_picked, budget.spent()[0] as usize - (most - left))
        };
        // A table of places, and positions, those of targets and, where not all vertices are named, the numbers in the file.
        let each = size_of::<Vec3>();
        let bytes = |count: usize, each| count * each + 2 * size_of::<MorphTarget>();
        let all = bytes(COUNT as usize, 3 * each);
        assert_eq!(picked(2 * all, &mut shapes), (true, all));
        shapes.indices = Indices::Long((1..COUNT).collect());
        let taken = bytes(COUNT as usize - 1, 3 * each + 4);
        assert_eq!(picked(2 * taken, &mut shapes), (true, taken));
        shapes.indices = Indices::Long((1..COUNT).collect());
        for left in [
            taken - 1,
            taken - COUNT as usize * each - 1,
            COUNT as usize * 4 + 1,
        ] {
            assert_eq!(picked(left, &mut shapes), (false, 0), "{left}");
        }
    }

    /// Few of very many vertices are sorted, more are looked up: the same comes of both.
    #[test]
    fn what_is_named_is_kept_in_its_order_however_many_others_there_are() {
        let named: [u32; 6] = [7, 2, 7, 9, 0, 2];
        for others in [10_usize, 1000] {
            let positions = (0..others).map(|index| Vec3::splat(index as f32));
            let surface = Shared {
                vertices: Vertices {
                    positions: positions.collect(),
                    ..Vertices::default()
                },
                influences: None,
                targets: Vec::new(),
            };
            let mut shapes = Shapes {
                topology: Topology::Points,
                indices: Indices::Long(named.to_vec()),
                ..Shapes::default()
            };
            let (picked, of_file) = pick(&Budget::default(), &surface, &mut shapes).unwrap();
            assert_eq!(of_file, [0, 2, 7, 9], "{others}");
            let places = picked.vertices.positions.iter().map(|it| it.x as u32);
            assert_eq!(places.collect::<Vec<_>>(), of_file, "{others}");
            let indices: Vec<_> = shapes.indices.iter().collect();
            assert_eq!(indices, [2, 1, 2, 3, 0, 1], "{others}");
        }
    }
}
