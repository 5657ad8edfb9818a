//! What an instance's share of the palette holds, and where.

use std::{
    collections::HashMap,
    hash::{Hash, Hasher},
};

use crate::{
    anim::Pose,
    model::{Model, NodeId, Skin, is_mirroring},
};

/// A mesh on a node: what is drawn, and where its matrices are within an instance's share of the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The node that carries the mesh.
    pub node: NodeId,
    /// Index of the mesh.
    pub mesh: usize,
    /// Place of the node's own matrix, or of that of its first copy; none where a skin deforms all of the mesh.
    pub rigid: Option<u32>,
    /// How many copies of it the node places; 1 without instancing.
    pub copies: u32,
    /// How many of them mirror, seen from the node; their records stand behind those of the others.
    pub mirrored_copies: u32,
    /// How many records of an instance stand before those of this placement.
    pub first_record: u32,
    /// The skin that deforms those primitives of the mesh that have joints.
    pub skin: Option<SkinSlot>,
    /// Whether the file's own pose hides it (`KHR_node_visibility`).
    pub is_hidden_at_rest: bool,
}

/// A skin's place within an instance's share of the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkinSlot {
    /// Index of the skin.
    pub skin: usize,
    /// Place of the matrix of its first joint.
    pub first: u32,
    /// Number of its joints.
    pub joint_count: u32,
    /// The first placement (an index) whose joints have the same matrices: its own, or one before it.
    pub first_placement: u32,
}

/// What an instance's share of the palette holds: first one matrix for each copy of each placement that needs any, then
/// those of every skin once. Skins of the same joints and inverse bind matrices, which exporters write for each mesh anew,
/// share theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaletteLayout {
    placements: Vec<Placement>,
    skins: Vec<SkinSlot>,
    /// With the spare matrix, if there is one.
    len: u32,
    has_spare: bool,
    /// For each record of an instance, which of its placement's copies it is about.
    copies: Vec<u32>,
}

/// Shares of so many matrices, or of several times as many, get one more that nobody reads. A crowd writes to the shares of
/// up to 16 instances at once; where they lie whole KiB apart, their lines of memory vie for the same few places of the
/// cache: compact matrices of 64 joints cost a tenth more.
const CROWDED: u32 = 32;

impl PaletteLayout {
    /// The layout for what a scene of the model shows, without what is always hidden.
    pub fn new(model: &Model, scene: usize) -> Self {
        Self::of_nodes(model, &model.nodes_ever_shown(scene))
    }

    /// The layout for all nodes of the model, whichever scene shows them, hidden or not.
    pub fn of_all_nodes(model: &Model) -> Self {
        Self::of_nodes(model, &vec![true; model.hierarchy.len()])
    }

    fn of_nodes(model: &Model, shown: &[bool]) -> Self {
        let carriers = model.hierarchy.iter().filter(|(id, _)| shown[id.index()]);
        let shown_at_rest = Pose::new(&model.hierarchy).shown;
        let mut placements: Vec<Placement> = carriers
            .filter_map(|(node, data)| {
                let skin = data.skin.map(|skin| SkinSlot {
                    skin,
                    first: 0,
                    joint_count: model.skins[skin].joints.len() as u32,
                    first_placement: 0,
                });
                let mesh = data.mesh?;
                Some(Placement {
                    node,
                    mesh,
                    rigid: None,
                    copies: 1,
                    mirrored_copies: 0,
                    first_record: 0,
                    skin,
                    is_hidden_at_rest: !shown_at_rest[node.index()],
                })
            })
            .collect();
        let mut len = 0;
        let mut copies = Vec::new();
        for placement in &mut placements {
            placement.first_record = copies.len() as u32;
            let instances = &model.hierarchy.node(placement.node).node_from_instances;
            if instances.is_empty() {
                copies.push(0);
            } else {
                placement.copies = instances.len() as u32;
                let is_mirrored = |copy: &u32| is_mirroring(&instances[*copy as usize].matrix3);
                let all = 0..placement.copies;
                copies.extend(all.clone().filter(|copy| !is_mirrored(copy)));
                let straight = copies.len() as u32 - placement.first_record;
                copies.extend(all.filter(is_mirrored));
                placement.mirrored_copies = placement.copies - straight;
            }
            if !instances.is_empty() || needs_rigid(model, placement) {
                placement.rigid = Some(len);
                len += placement.copies;
            }
        }
        let mut skins: Vec<SkinSlot> = Vec::new();
        // A skin is looked at once, however many meshes it deforms.
        let (mut by_index, mut by_matrices) = (HashMap::new(), HashMap::new());
        for (first_placement, placement) in (0..).zip(&mut placements) {
            let Some(slot) = &mut placement.skin else {
                continue;
            };
            let skin = slot.skin;
            *slot = *by_index.entry(skin).or_insert_with(|| {
                let same = SameMatrices(&model.skins[skin]);
                let known = *by_matrices.entry(same).or_insert_with(|| {
                    let slot = SkinSlot {
                        first: len,
                        first_placement,
                        ..*slot
                    };
                    skins.push(slot);
                    len += slot.joint_count;
                    slot
                });
                SkinSlot { skin, ..known }
            });
        }
        let has_spare = len > 0 && len.is_multiple_of(CROWDED);
        Self {
            placements,
            skins,
            len: len + u32::from(has_spare),
            has_spare,
            copies,
        }
    }

    /// The meshes on nodes, in the order of the hierarchy.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The skins in use; of those that share matrices the first.
    pub fn skins(&self) -> &[SkinSlot] {
        &self.skins
    }

    /// Which of its copies each record of a placement is about: those that mirror come last.
    pub fn copies_of(&self, placement: &Placement) -> &[u32] {
        &self.copies[placement.first_record as usize..][..placement.copies as usize]
    }

    /// Whether the last matrix of each share is nobody's.
    pub fn has_spare(&self) -> bool {
        self.has_spare
    }

    /// Records an instance: one for each copy of each placement.
    pub fn records_per_instance(&self) -> usize {
        self.copies.len()
    }

    /// Matrices an instance.
    pub fn matrices_per_instance(&self) -> usize {
        self.len as usize
    }
}

impl Placement {
    /// Where a copy finds its matrix and those of its joints, in an instance's share that starts at `base`. What has only
    /// one of them finds it in the other's place, too.
    pub fn places(&self, base: u32, copy: u32) -> (u32, u32) {
        let joints = self.skin.map(|slot| slot.first);
        let rigid = self.rigid.map(|first| first + copy);
        let of_joints = joints.or(rigid).unwrap_or_default();
        (base + of_joints, base + rigid.unwrap_or(of_joints))
    }
}

/// Whether the matrix of a placement's node places any of its mesh.
fn needs_rigid(model: &Model, placement: &Placement) -> bool {
    let primitives = &model.meshes[placement.mesh].primitives;
    let has_joints = placement.skin.is_some_and(|slot| slot.joint_count > 0);
    !has_joints || primitives.iter().any(|it| it.influences.is_none())
}

/// A skin, the same as others whose matrices are the same to the last bit.
struct SameMatrices<'a>(&'a Skin);

impl SameMatrices<'_> {
    fn bits(&self) -> impl Iterator<Item = u32> {
        let binds = self.0.joint_from_mesh.iter();
        binds.flat_map(|bind| bind.to_cols_array().map(f32::to_bits))
    }
}

impl PartialEq for SameMatrices<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.joints == other.0.joints && self.bits().eq(other.bits())
    }
}

impl Eq for SameMatrices<'_> {}

impl Hash for SameMatrices<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.joints.hash(state);
        self.bits().for_each(|bits| bits.hash(state));
    }
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::PaletteLayout;
    use crate::{
        anim::{Palette, Pose},
        model::{Hierarchy, Influences, Mesh, Model, Node, NodeId, Primitive, Skin},
    };

    fn skin(bind: f32) -> Skin {
        let bind = Affine3A::from_translation(Vec3::new(bind, 0.0, 0.0));
        Skin {
            joints: vec![NodeId(0), NodeId(1)],
            joint_from_mesh: vec![Affine3A::IDENTITY, bind],
            ..Skin::default()
        }
    }

    /// Two joints, and a mesh on a node of its own for each of these skins.
    fn model(skins: Vec<Skin>, primitives: Vec<Primitive>) -> Model {
        let mut nodes = vec![Node::default(); 2];
        nodes.extend((0..skins.len()).map(|skin| Node {
            mesh: Some(0),
            skin: Some(skin),
            ..Node::default()
        }));
        let count = nodes.len();
        let weights = vec![Vec::new(); count];
        Model {
            hierarchy: Hierarchy::new(nodes, &vec![None; count], &weights).unwrap(),
            meshes: vec![Mesh {
                primitives,
                ..Mesh::default()
            }]
            .into(),
            skins,
            ..Model::default()
        }
    }

    fn skinned() -> Primitive {
        Primitive {
            influences: Some(Influences::default()),
            ..Primitive::default()
        }
    }

    #[test]
    fn skins_share_their_matrices_if_not_a_bit_differs() {
        let apart = f32::from_bits(1.0_f32.to_bits() + 1);
        let skins = vec![skin(1.0), skin(apart), skin(1.0), skin(0.0), skin(-0.0)];
        let layout = PaletteLayout::of_all_nodes(&model(skins, vec![skinned()]));
        let slots: Vec<_> = layout.placements().iter().map(|it| it.skin).collect();
        let firsts: Vec<_> = slots.iter().flatten().map(|slot| slot.first).collect();
        let skins: Vec<_> = slots.iter().flatten().map(|slot| slot.skin).collect();
        assert_eq!(firsts, [0, 2, 0, 4, 6]);
        let first_placements = slots.iter().flatten().map(|slot| slot.first_placement);
        assert_eq!(first_placements.collect::<Vec<_>>(), [0, 1, 0, 3, 4]);
        assert_eq!(skins, [0, 1, 2, 3, 4], "each keeps its own name");
        assert_eq!(layout.matrices_per_instance(), 8);
    }

    #[test]
    fn a_node_has_a_matrix_if_something_is_placed_by_it() {
        let all = PaletteLayout::of_all_nodes(&model(vec![skin(1.0)], vec![skinned()]));
        assert_eq!(all.placements()[0].rigid, None);
        assert_eq!(all.matrices_per_instance(), 2);
        let part = vec![skinned(), Primitive::default()];
        let some = model(vec![skin(1.0)], part);
        let layout = PaletteLayout::of_all_nodes(&some);
        assert_eq!(layout.placements()[0].rigid, Some(0));
        assert_eq!(layout.matrices_per_instance(), 3);
        let mut palette = Palette::default();
        palette.clear(&layout, 2);
        let pose = Pose::new(&some.hierarchy);
        palette.push(&some, &layout, &pose);
        palette.push(&some, &layout, &pose);
        assert_eq!(palette.matrices().len(), 6);
        let second = palette.record(0, 1);
        assert_eq!((second.rigid, second.first_joint), (3, 4));
    }

    #[test]
    fn shares_of_whole_kilobytes_have_a_spare_matrix() {
        for (joints, matrices) in [(31, 31), (32, 33), (33, 33), (64, 65), (96, 97)] {
            let skin = Skin {
                joints: vec![NodeId(0); joints],
                joint_from_mesh: vec![Affine3A::IDENTITY; joints],
                ..Skin::default()
            };
            let model = model(vec![skin], vec![skinned()]);
            let layout = PaletteLayout::of_all_nodes(&model);
            assert_eq!(layout.matrices_per_instance(), matrices, "{joints} joints");
            let mut palette = Palette::default();
            palette.clear(&layout, 2);
            let pose = Pose::new(&model.hierarchy);
            palette.push(&model, &layout, &pose);
            palette.push(&model, &layout, &pose);
            assert_eq!(palette.matrices().len(), 2 * matrices);
            assert_eq!(palette.record(0, 1).first_joint as usize, matrices);
        }
    }

    #[test]
    fn a_skin_without_joints_deforms_nothing() {
        let skins = vec![Skin::default()];
        let layout = PaletteLayout::of_all_nodes(&model(skins, vec![skinned()]));
        assert_eq!(layout.placements()[0].rigid, Some(0));
    }
}
