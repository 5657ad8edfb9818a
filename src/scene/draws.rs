//! What the renderer must know of each mesh on a node to draw it the right way round and in the right order.

use std::{
    collections::HashMap,
    ops::{Deref, DerefMut, Range},
};

use glam::{Affine3A, Mat3A, Vec3A};

use crate::{
    anim::{
        Movers, Palette, PaletteLayout, PaletteMatrix, bounds::PrimitiveBox,
        skinning::is_mirroring, to_affine,
    },
    model::{self, Aabb, Mesh, Primitive},
};

/// A placement, ready to be drawn: all its instances at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draw {
    /// Whether there is nothing to draw.
    pub is_hidden: bool,
    /// Whether the node's own matrix mirrors, so that front faces run clockwise (glTF 2.0 §3.7.4). Copies that mirror
    /// once more are the right way round then.
    pub is_node_mirrored: bool,
    /// `world_from_mesh` of the first instance and copy for rigid primitives; orders what is transparent.
    pub world_from_rigid: Affine3A,
    /// The mean of the joints' matrices: orders what is transparent and skinned.
    pub world_from_skin: Affine3A,
    skin_sides: SkinSides,
}

/// Which primitives the joints of a placement mirror.
#[derive(Debug, Clone, Copy, PartialEq)]
enum SkinSides {
    /// All or none: so do its joints.
    Alike(bool),
    /// Some may be: the first of its mesh has this place in `Draws::mirrored`.
    Each(usize),
}

/// What is to be drawn of each placement of a layout. It is for the meshes of one model.
#[derive(Debug, Default)]
pub struct Draws {
    of_placements: Vec<Draw>,
    /// Whether joints mirror, of primitives that not all joints of their skin treat alike.
    mirrored: Vec<bool>,
    /// Where those of a mesh begin, by the first placement of its skin and by the mesh.
    starts: HashMap<(u32, usize), usize>,
    /// What moves the primitives of a mesh, once that was asked: it is for few.
    movers: HashMap<usize, Vec<Movers>>,
    camps: CrowdCamps,
}

/// For each placement the camps of a crowd; none where all are mirrored as the first is. It is flat, so that what has grown
/// allocates nothing.
#[derive(Debug, Default)]
pub(super) struct CrowdCamps {
    /// Where those of each placement end among all.
    ends: Vec<usize>,
    all: Vec<Camp>,
    /// What is mirrored in each camp, as of [`Draws::sides_of`].
    sides: Vec<bool>,
}

/// Those of a crowd in whom the primitives of a placement are mirrored alike.
#[derive(Debug, Clone)]
struct Camp {
    /// Which of the placement's records they have, of each copy.
    members: Range<u32>,
    /// Where their sides begin among those of all camps.
    first_side: usize,
}

impl CrowdCamps {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.all.clear();
        self.sides.clear();
    }

    fn copy(&mut self, other: &Self) {
        self.ends.clone_from(&other.ends);
        self.all.clone_from(&other.all);
        self.sides.clone_from(&other.sides);
    }

    /// Adds one to those of the next placement.
    pub(super) fn add(&mut self, members: Range<u32>, sides: &[bool]) {
        let first_side = self.sides.len();
        self.sides.extend_from_slice(sides);
        self.all.push(Camp {
            members,
            first_side,
        });
    }

    /// Ends the list of the next placement.
    pub(super) fn end_placement(&mut self) {
        self.ends.push(self.all.len());
    }

    /// Those of a placement.
    fn of(&self, placement: usize) -> &[Camp] {
        let Some(&end) = self.ends.get(placement) else {
            return &[];
        };
        let before = placement.checked_sub(1);
        let start = before.map_or(0, |before| self.ends[before]);
        &self.all[start..end]
    }
}

impl Draws {
    /// On which side the front faces of a primitive are, as [`Draws::is_mirrored`] says it: for so many members of a crowd, some
    /// after the other in the placement's records of a copy.
    pub fn sides(
        &self,
        [placement, primitive]: [usize; 2],
        is_skinned: bool,
        members: u32,
    ) -> impl Iterator<Item = (Range<u32>, bool)> {
        let camps = self.camps.of(placement);
        let is_alike = camps.is_empty();
        let alike = is_alike.then(|| {
            (
                0..members,
                self.is_mirrored(placement, primitive, is_skinned),
            )
        });
        let place = if is_skinned { 1 + primitive } else { 0 };
        let side = move |camp: &Camp| self.camps.sides[camp.first_side + place];
        let joined = camps.chunk_by(move |a, b| side(a) == side(b));
        let joined = joined.map(move |camps| {
            let [first, last] = [0, camps.len() - 1].map(|index| &camps[index]);
            (first.members.start..last.members.end, side(first))
        });
        alike.into_iter().chain(joined)
    }

    /// Whether the front faces of a primitive run clockwise: a place in the layout, and one in its mesh. With `is_skinned` its
    /// joints decide, of which those count that move it; else its node, for copies that mirror no further. Of a crowd it is
    /// about the first.
    pub fn is_mirrored(&self, placement: usize, primitive: usize, is_skinned: bool) -> bool {
        let draw = &self.of_placements[placement];
        match draw.skin_sides {
            _ if !is_skinned => draw.is_node_mirrored,
            SkinSides::Alike(is_mirrored) => is_mirrored,
            SkinSides::Each(first) => self.mirrored[first + primitive],
        }
    }
}

impl Deref for Draws {
    type Target = [Draw];

    fn deref(&self) -> &[Draw] {
        &self.of_placements
    }
}

impl DerefMut for Draws {
    fn deref_mut(&mut self) -> &mut [Draw] {
        &mut self.of_placements
    }
}

/// Fills `draws` with an entry for each placement, as the first instance stands, whose `matrices` these are.
pub fn collect_draws(
    meshes: &[Mesh],
    layout: &PaletteLayout,
    palette: &Palette,
    matrices: &[PaletteMatrix],
    draws: &mut Draws,
) {
    draws.collect(meshes, layout, matrices);
    if palette.instance_count() == 0 {
        draws.of_placements.clear();
    }
    for (index, draw) in draws.iter_mut().enumerate() {
        draw.is_hidden = palette.is_hidden(index);
    }
}

impl Draws {
    /// Lets these be what a crowd is divided into.
    pub(super) fn set_camps(&mut self, camps: &CrowdCamps) {
        self.camps.copy(camps);
    }

    /// Whether the node of a placement mirrors, then for each of so many primitives of its mesh whether joints do.
    pub(super) fn sides_of(
        &self,
        placement: usize,
        primitives: usize,
    ) -> impl Iterator<Item = bool> {
        let of_primitives =
            (0..primitives).map(move |primitive| self.is_mirrored(placement, primitive, true));
        std::iter::once(self.is_mirrored(placement, 0, false)).chain(of_primitives)
    }

    /// Looks at an instance that has these matrices. Nothing is hidden then.
    pub(super) fn collect(
        &mut self,
        meshes: &[Mesh],
        layout: &PaletteLayout,
        matrices: &[PaletteMatrix],
    ) {
        self.of_placements.clear();
        self.mirrored.clear();
        self.starts.clear();
        self.camps.clear();
        if matrices.len() < layout.matrices_per_instance() {
            return;
        }
        for placement in layout.placements() {
            // Where there are copies that do not mirror, the first record is about one.
            let (first_joint, rigid) = placement.places(0, layout.copies_of(placement)[0]);
            let world_from_rigid = to_affine(&matrices[rigid as usize]);
            let is_rigid_mirrored = model::is_mirroring(&world_from_rigid.matrix3);
            let is_first_mirrored = placement.mirrored_copies == placement.copies;
            let is_node_mirrored = is_rigid_mirrored != is_first_mirrored;
            let (skin_sides, world_from_skin) = match placement.skin {
                Some(slot) => {
                    let joints = &matrices[first_joint as usize..];
                    let joints = &joints[..slot.joint_count as usize];
                    let first = self.of_placements.get(slot.first_placement as usize);
                    let (sides, mean) = match first {
                        // However many meshes they deform, joints are summed up once.
                        Some(first) => (first.skin_sides, first.world_from_skin),
                        None => mean_of_joints(joints),
                    };
                    let sides = match sides {
                        SkinSides::Alike(_) => sides,
                        SkinSides::Each(_) => {
                            let mesh = (placement.mesh, &meshes[placement.mesh]);
                            SkinSides::Each(self.look_at_each(slot.first_placement, mesh, joints))
                        }
                    };
                    (sides, mean)
                }
                None => (SkinSides::Alike(is_rigid_mirrored), world_from_rigid),
            };
            self.of_placements.push(Draw {
                is_hidden: false,
                is_node_mirrored,
                world_from_rigid,
                world_from_skin,
                skin_sides,
            });
        }
    }

    /// Where it stands in `mirrored` which primitives of a mesh the joints of a skin mirror, which has this first placement.
    fn look_at_each(
        &mut self,
        skin: u32,
        (index, mesh): (usize, &Mesh),
        joints: &[PaletteMatrix],
    ) -> usize {
        let movers = self.movers.entry(index).or_insert_with(|| {
            let influences = mesh.primitives.iter().map(|it| it.influences.as_ref());
            let movers = influences.map(|it| it.map(Movers::new).unwrap_or_default());
            movers.collect()
        });
        *self.starts.entry((skin, index)).or_insert_with(|| {
            let first = self.mirrored.len();
            let mirrored = movers
                .iter()
                .map(|movers| movers.mirror(|joint| joints.get(joint).is_some_and(is_mirroring)));
            self.mirrored.extend(mirrored);
            first
        })
    }
}

/// Whether joints' matrices mirror, if all do so alike, and the mean of all.
fn mean_of_joints(matrices: &[PaletteMatrix]) -> (SkinSides, Affine3A) {
    let mut mirrored = 0;
    let mut sum = Affine3A {
        matrix3: Mat3A::ZERO,
        translation: Vec3A::ZERO,
    };
    for matrix in matrices.iter().map(to_affine) {
        mirrored += usize::from(model::is_mirroring(&matrix.matrix3));
        sum.matrix3 += matrix.matrix3;
        sum.translation += matrix.translation;
    }
    let share = 1.0 / matrices.len().max(1) as f32;
    let mean = Affine3A {
        matrix3: sum.matrix3 * share,
        translation: sum.translation * share,
    };
    let sides = match mirrored {
        0 => SkinSides::Alike(false),
        all if all == matrices.len() => SkinSides::Alike(true),
        _ => SkinSides::Each(0),
    };
    (sides, mean)
}

/// Where a primitive is that joints or morph targets deform: not where it is at rest.
#[derive(Debug, Clone)]
pub struct DeformedBox(PrimitiveBox);

impl DeformedBox {
    /// None for what nothing deforms. Visits every vertex and every morph target.
    pub fn of(primitive: &Primitive) -> Option<Self> {
        let is_rigid = primitive.influences.is_none() && primitive.targets.is_empty();
        (!is_rigid).then(|| Self(PrimitiveBox::new(primitive)))
    }

    /// The box in the world, of a copy of a placement (both as in [`Palette::record_of_copy`]) in the first instance; with
    /// `is_skinned` its joints move it, else its node alone. None where it is nowhere, and in crowds, whose matrices are not
    /// known here.
    pub fn in_world(
        &self,
        palette: &Palette,
        [placement, copy]: [usize; 2],
        is_skinned: bool,
    ) -> Option<Aabb> {
        let record = palette.record_of_copy(placement, copy, 0);
        self.0.in_world(palette, record, is_skinned)
    }
}

/// Where a copy of a placement (both as in [`Palette::record_of_copy`]) stands in the first instance if no joints move it: the
/// world from its mesh. None in crowds, whose matrices are not known here.
pub fn world_from_copy(palette: &Palette, [placement, copy]: [usize; 2]) -> Option<Affine3A> {
    let record = palette.record_of_copy(placement, copy, 0);
    palette.matrices().get(record.rigid as usize).map(to_affine)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        anim::Pose,
        model::{Hierarchy, Influences, Model, Node, NodeId, Skin, processor_time::timed},
    };

    /// Nodes that carry a mesh with the first skin, the second, and so on in turn.
    fn model(carriers: usize, skins: Vec<Skin>) -> Model {
        let carrier = |index: usize| Node {
            mesh: Some(0),
            skin: Some(index % skins.len()),
            ..Node::default()
        };
        let weights = vec![Vec::new(); carriers];
        let nodes = (0..carriers).map(carrier).collect();
        let primitive = Primitive {
            influences: Some(Influences::default()),
            ..Primitive::default()
        };
        Model {
            hierarchy: Hierarchy::new(nodes, &vec![None; carriers], &weights).unwrap(),
            meshes: vec![Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            }]
            .into(),
            skins,
            ..Model::default()
        }
    }

    fn skin(joints: usize, joint_from_mesh: Affine3A) -> Skin {
        Skin {
            joints: vec![NodeId(0); joints],
            joint_from_mesh: vec![joint_from_mesh; joints],
            ..Skin::default()
        }
    }

    fn draws(model: &Model) -> (Draws, Duration) {
        let layout = PaletteLayout::of_all_nodes(model);
        let mut palette = Palette::default();
        palette.clear(&layout, 1);
        palette.push(model, &layout, &Pose::new(&model.hierarchy));
        let mut draws = Draws::default();
        let matrices = palette.matrices();
        let collect = || collect_draws(&model.meshes, &layout, &palette, matrices, &mut draws);
        let ((), took) = timed(collect);
        (draws, took)
    }

    #[test]
    fn each_placement_has_the_mean_of_its_own_skin() {
        let mirror = Affine3A::from_scale(glam::Vec3::new(-1.0, 1.0, 1.0));
        let shift = Affine3A::from_translation(glam::Vec3::X);
        let skins = vec![
            skin(3, mirror),
            skin(0, shift),
            skin(2, shift),
            skin(3, mirror),
        ];
        let (draws, _) = draws(&model(9, skins));
        for (index, draw) in draws.iter().enumerate() {
            let expected = [
                (true, mirror),
                (false, Affine3A::IDENTITY),
                (false, shift),
                (true, mirror),
            ];
            let (is_mirrored, mean) = expected[index % 4];
            assert_eq!(draws.is_mirrored(index, 0, true), is_mirrored, "{index}");
            if index % 4 != 1 {
                assert!(draw.world_from_skin.abs_diff_eq(mean, 1e-6), "{index}");
            }
        }
    }

    /// Three joints, of which the first mirrors, and primitives that one of them moves each.
    #[test]
    fn a_primitive_is_mirrored_by_the_joints_that_move_it() {
        let mirror = Affine3A::from_scale(glam::Vec3::new(-1.0, 1.0, 1.0));
        let mut skin = skin(3, Affine3A::IDENTITY);
        skin.joint_from_mesh[0] = mirror;
        let mut model = model(4, vec![skin]);
        let moved_by = |joint| Primitive {
            influences: Some(Influences {
                per_vertex: 4,
                joints: vec![joint, 0, 0, 0],
                weights: vec![1.0, 0.0, 0.0, 0.0],
            }),
            ..Primitive::default()
        };
        model.meshes = vec![Mesh {
            primitives: [0, 1, 2].map(moved_by).into(),
            ..Mesh::default()
        }]
        .into();
        let (draws, _) = draws(&model);
        for placement in 0..4 {
            let mirrored = [0, 1, 2].map(|part| draws.is_mirrored(placement, part, true));
            assert_eq!(mirrored, [true, false, false], "{placement}");
        }
        assert_eq!(draws.mirrored.len(), 3, "once for all placements");
    }

    /// For each node they would be a thousand million matrices.
    #[test]
    fn joints_are_summed_up_once_for_each_skin() {
        let (draws, took) = draws(&model(20_000, vec![skin(50_000, Affine3A::IDENTITY)]));
        assert_eq!(draws.len(), 20_000);
        assert!(took < Duration::from_millis(500), "{took:?}");
    }
}
