//! The palette: the matrices of all joints and rigid meshes of all instances, back to back, as the GPU reads them.
//!
//! An entry is `world_from_mesh`. For a joint it is `world_from_node[joint] * joint_from_mesh`: the names cancel, and the
//! transform of the node that carries the skinned mesh plays no part (glTF 2.0 §3.7.3.3). For a rigid mesh it is its
//! node's `world_from_node`, a palette of one; one for each copy that the node places.

use glam::{Affine3A, Mat3A, Quat, Vec3A, Vec4};

use super::{CompactMatrix, Pose, Skinning, dual_quaternion::nearest_rotation};
use crate::model::{Model, NodeId, Skin};

/// `world_from_mesh` as three rows of four: 48 bytes.
pub type PaletteMatrix = [Vec4; 3];

/// A mesh on a node: what is drawn, and where its matrices are within an instance's share of the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The node that carries the mesh.
    pub node: NodeId,
    /// Index of the mesh.
    pub mesh: usize,
    /// Place of the node's own matrix, or of that of its first copy.
    pub rigid: u32,
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
}

/// What an instance's share of the palette holds: first one matrix for each copy of each placement, then every skin once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaletteLayout {
    placements: Vec<Placement>,
    skins: Vec<SkinSlot>,
    len: u32,
    /// For each record of an instance, which of its placement's copies it is about.
    copies: Vec<u32>,
}

/// One morph target that is in force: its index and weight, as the GPU reads them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActiveMorph {
    /// Index of the morph target.
    pub target: u32,
    /// Its weight, not 0.
    pub weight: f32,
}

/// Where one instance of one placement finds its data, as the GPU reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InstanceRecord {
    /// Place of the first joint's matrix in the whole palette; that of the rigid matrix if there is no skin.
    pub first_joint: u32,
    /// Place of the rigid matrix in the whole palette.
    pub rigid: u32,
    /// Place of the first active morph.
    pub first_morph: u32,
    /// Number of active morphs.
    pub morph_count: u32,
}

impl InstanceRecord {
    /// In the place of the first active morph: the instance is hidden.
    pub const HIDDEN: u32 = u32::MAX;

    /// Whether this instance is not drawn although others of its placement are.
    pub fn is_hidden(&self) -> bool {
        self.first_morph == Self::HIDDEN
    }
}

/// How an entry of the palette is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PaletteForm {
    /// Three rows: [`PaletteMatrix`].
    #[default]
    Full,
    /// A rotation, a translation and an even scale: [`CompactMatrix`].
    Compact,
}

impl PaletteForm {
    /// Bytes an entry.
    pub fn bytes(self) -> usize {
        match self {
            Self::Full => size_of::<PaletteMatrix>(),
            Self::Compact => size_of::<CompactMatrix>(),
        }
    }
}

/// The matrices and active morphs of all instances of a model.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// Of a crowd there are none: it writes them where they are read.
    matrices: Vec<PaletteMatrix>,
    form: PaletteForm,
    skinning: Skinning,
    /// Whether rotations are wanted although matrices are blended.
    wants_rotations: bool,
    /// Of each matrix its rotation; empty where nothing asks for them.
    rotations: Vec<Quat>,
    morphs: Vec<ActiveMorph>,
    records: Vec<InstanceRecord>,
    /// For each placement how many records of an instance stand before its own.
    first_records: Vec<u32>,
    /// For each placement whether it is hidden in all instances.
    hidden: Vec<bool>,
    instance_count: usize,
    written: usize,
}

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
                });
                let mesh = data.mesh?;
                Some(Placement {
                    node,
                    mesh,
                    rigid: 0,
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
            placement.rigid = len;
            placement.first_record = copies.len() as u32;
            let instances = &model.hierarchy.node(placement.node).node_from_instances;
            if instances.is_empty() {
                copies.push(0);
            } else {
                placement.copies = instances.len() as u32;
                let is_mirrored =
                    |copy: &u32| instances[*copy as usize].matrix3.determinant() < 0.0;
                let all = 0..placement.copies;
                copies.extend(all.clone().filter(|copy| !is_mirrored(copy)));
                let straight = copies.len() as u32 - placement.first_record;
                copies.extend(all.filter(is_mirrored));
                placement.mirrored_copies = placement.copies - straight;
            }
            len += placement.copies;
        }
        let mut skins: Vec<SkinSlot> = Vec::new();
        for slot in placements
            .iter_mut()
            .filter_map(|placement| placement.skin.as_mut())
        {
            let known = skins.iter().find(|known| known.skin == slot.skin);
            *slot = known.copied().unwrap_or_else(|| {
                let slot = SkinSlot {
                    first: len,
                    ..*slot
                };
                len += slot.joint_count;
                skins.push(slot);
                slot
            });
        }
        Self {
            placements,
            skins,
            len,
            copies,
        }
    }

    /// The meshes on nodes, in the order of the hierarchy.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The skins in use.
    pub fn skins(&self) -> &[SkinSlot] {
        &self.skins
    }

    /// Which of its copies each record of a placement is about: those that mirror come last.
    pub fn copies_of(&self, placement: &Placement) -> &[u32] {
        &self.copies[placement.first_record as usize..][..placement.copies as usize]
    }

    /// Matrices an instance.
    pub fn matrices_per_instance(&self) -> usize {
        self.len as usize
    }
}

impl Palette {
    /// Forgets everything and makes room for `instance_count` instances.
    pub fn clear(&mut self, layout: &PaletteLayout, instance_count: usize) {
        self.matrices.clear();
        self.matrices
            .reserve(layout.matrices_per_instance() * instance_count);
        self.form = PaletteForm::Full;
        self.start_records(layout, instance_count);
    }

    fn start_records(&mut self, layout: &PaletteLayout, instance_count: usize) {
        self.morphs.clear();
        self.records.clear();
        self.records.resize(
            layout.copies.len() * instance_count,
            InstanceRecord::default(),
        );
        self.first_records.clear();
        let placements = layout.placements.iter();
        self.first_records
            .extend(placements.clone().map(|placement| placement.first_record));
        self.hidden.clear();
        self.hidden
            .extend(placements.map(|placement| placement.is_hidden_at_rest));
        self.instance_count = instance_count;
        self.written = 0;
    }

    /// Adds the next instance, from a pose whose world matrices are up to date.
    pub fn push(&mut self, model: &Model, layout: &PaletteLayout, pose: &Pose) {
        let base = self.matrices.len() as u32;
        for (index, placement) in layout.placements.iter().enumerate() {
            let is_hidden = !pose.shown[placement.node.index()];
            self.hidden[index] = is_hidden && (self.written == 0 || self.hidden[index]);
            let world_from_node = &pose.world[placement.node.index()];
            let instances = &model.hierarchy.node(placement.node).node_from_instances;
            if instances.is_empty() {
                self.matrices.push(to_palette_matrix(world_from_node));
            }
            let world_from_instances = instances
                .iter()
                .map(|node_from_instance| *world_from_node * *node_from_instance);
            self.matrices
                .extend(world_from_instances.map(|matrix| to_palette_matrix(&matrix)));
            let first_morph = self.morphs.len() as u32;
            let weights = (0..).zip(pose.weights_of(placement.node));
            self.morphs.extend(
                weights
                    .filter(|&(_, &weight)| weight != 0.0)
                    .map(|(target, &weight)| ActiveMorph { target, weight }),
            );
            let first_record = placement.first_record as usize;
            for (place, &copy) in (first_record..).zip(layout.copies_of(placement)) {
                let rigid = base + placement.rigid + copy;
                self.records[place * self.instance_count + self.written] = InstanceRecord {
                    first_joint: placement.skin.map_or(rigid, |slot| base + slot.first),
                    rigid,
                    first_morph,
                    morph_count: self.morphs.len() as u32 - first_morph,
                };
            }
        }
        for slot in &layout.skins {
            self.matrices
                .extend(joint_matrices(&model.skins[slot.skin], pose));
        }
        self.written += 1;
    }

    /// Makes records for `instance_count` instances whose matrices somebody else writes, in this form: they say where each
    /// finds its own. `describe` appends what is on for a placement and an instance, and says whether it is shown.
    pub fn fill(
        &mut self,
        layout: &PaletteLayout,
        instance_count: usize,
        form: PaletteForm,
        mut describe: impl FnMut(usize, usize, &mut Vec<ActiveMorph>) -> bool,
    ) {
        let stride = layout.matrices_per_instance();
        self.start_records(layout, instance_count);
        self.form = form;
        self.matrices.clear();
        for (index, placement) in layout.placements.iter().enumerate() {
            let first_record = placement.first_record as usize;
            let mut is_hidden = true;
            for instance in 0..instance_count {
                let mut first_morph = self.morphs.len() as u32;
                if describe(index, instance, &mut self.morphs) {
                    is_hidden = false;
                } else {
                    self.morphs.truncate(first_morph as usize);
                    first_morph = InstanceRecord::HIDDEN;
                }
                let morph_count = (self.morphs.len() as u32).saturating_sub(first_morph);
                let base = (instance * stride) as u32;
                for (place, &copy) in (first_record..).zip(layout.copies_of(placement)) {
                    let rigid = base + placement.rigid + copy;
                    self.records[place * instance_count + instance] = InstanceRecord {
                        first_joint: placement.skin.map_or(rigid, |slot| base + slot.first),
                        rigid,
                        first_morph,
                        morph_count,
                    };
                }
            }
            self.hidden[index] = is_hidden;
        }
        self.written = instance_count;
    }

    /// Room for the rows of the matrices of all instances after [`Palette::fill`], for those who cannot write them elsewhere.
    pub fn make_matrices(&mut self, layout: &PaletteLayout) -> &mut [[f32; 4]] {
        let count = layout.matrices_per_instance() * self.instance_count;
        self.matrices.resize(count, PaletteMatrix::default());
        bytemuck::cast_slice_mut(&mut self.matrices)
    }

    /// How its entries are written.
    pub fn form(&self) -> PaletteForm {
        self.form
    }

    /// Says how joints are blended from the next pose on.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
    }

    /// Whether dual quaternions are blended.
    pub fn is_dual(&self) -> bool {
        self.skinning == Skinning::DualQuaternion
    }

    /// Says whether rotations are found also where matrices are blended, to tell the difference.
    pub fn want_rotations(&mut self, wants: bool) {
        self.wants_rotations = wants;
    }

    /// Whether rotations are found although matrices are blended.
    pub fn wants_rotations(&self) -> bool {
        self.wants_rotations
    }

    /// How joints are blended.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Finds the rotations of all matrices, if dual quaternions are blended or they are wanted: to be called when all instances are there.
    pub fn find_rotations(&mut self) {
        self.rotations.clear();
        if self.is_dual() || self.wants_rotations {
            self.rotations
                .extend(self.matrices.iter().map(nearest_rotation));
        }
    }

    /// Of each matrix its rotation; empty where nothing asks for them.
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }

    /// All matrices.
    pub fn matrices(&self) -> &[PaletteMatrix] {
        &self.matrices
    }

    /// All active morphs.
    pub fn morphs(&self) -> &[ActiveMorph] {
        &self.morphs
    }

    /// The records of all placements: those of all instances of the first placement, then of the second, and so on. A
    /// placement's copies stand one after another, each for all instances.
    pub fn records(&self) -> &[InstanceRecord] {
        &self.records
    }

    /// The record of one instance of one placement: of its first copy, if there are several.
    pub fn record(&self, placement: usize, instance: usize) -> &InstanceRecord {
        self.record_of_copy(placement, 0, instance)
    }

    /// The record of one instance of one copy of a placement; `copy` is a place in [`PaletteLayout::copies_of`].
    pub fn record_of_copy(
        &self,
        placement: usize,
        copy: usize,
        instance: usize,
    ) -> &InstanceRecord {
        let first = self.first_records[placement] as usize;
        &self.records[(first + copy) * self.instance_count + instance]
    }

    /// Whether a placement is hidden in all instances: its matrices are there and nothing is to be drawn.
    pub fn is_hidden(&self, placement: usize) -> bool {
        self.hidden[placement]
    }

    /// The active morphs of one instance of one placement.
    pub fn morphs_of(&self, record: &InstanceRecord) -> &[ActiveMorph] {
        let morphs = self.morphs.get(record.first_morph as usize..);
        morphs.map_or(&[], |morphs| &morphs[..record.morph_count as usize])
    }

    /// Number of instances.
    pub fn instance_count(&self) -> usize {
        self.instance_count
    }
}

/// For each joint of a skin `world_from_mesh`.
pub fn joint_matrices<'a>(
    skin: &'a Skin,
    pose: &'a Pose,
) -> impl ExactSizeIterator<Item = PaletteMatrix> + 'a {
    skin.joints
        .iter()
        .zip(&skin.joint_from_mesh)
        .map(|(joint, &joint_from_mesh)| {
            to_palette_matrix(&(pose.world[joint.index()] * joint_from_mesh))
        })
}

/// The rows of an affine matrix.
pub fn to_palette_matrix(matrix: &Affine3A) -> PaletteMatrix {
    let rows = matrix.matrix3.transpose();
    let translation = matrix.translation;
    [
        rows.x_axis.extend(translation.x),
        rows.y_axis.extend(translation.y),
        rows.z_axis.extend(translation.z),
    ]
}

/// The affine matrix that has these rows.
pub fn to_affine(rows: &PaletteMatrix) -> Affine3A {
    let columns = Mat3A::from_cols(
        Vec3A::from_vec4(rows[0]),
        Vec3A::from_vec4(rows[1]),
        Vec3A::from_vec4(rows[2]),
    );
    Affine3A {
        matrix3: columns.transpose(),
        translation: Vec3A::new(rows[0].w, rows[1].w, rows[2].w),
    }
}
