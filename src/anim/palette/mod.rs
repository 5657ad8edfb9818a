//! The palette: the matrices of all joints and rigid meshes of all instances, back to back, as the GPU reads them.
//!
//! An entry is `world_from_mesh`. For a joint it is `world_from_node[joint] * joint_from_mesh`: the names cancel, and the
//! transform of the node that carries the skinned mesh plays no part (glTF 2.0 §3.7.3.3). For a rigid mesh it is its
//! node's `world_from_node`, a palette of one; one for each copy that the node places.

mod layout;

use glam::{Affine3A, Mat3A, Quat, Vec3A, Vec4};

use super::{CompactMatrix, Pose, Skinning, dual_quaternion::nearest_rotation};
use crate::model::{Model, Skin};
pub use layout::{PaletteLayout, Placement, SkinSlot};

/// `world_from_mesh` as three rows of four: 48 bytes.
pub type PaletteMatrix = [Vec4; 3];

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
    /// Place of the rigid matrix in the whole palette; that of the first joint's if all of the mesh has joints.
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
    /// Empty for a crowd, which writes its matrices where they are read.
    matrices: Vec<PaletteMatrix>,
    form: PaletteForm,
    skinning: Skinning,
    /// Whether rotations are wanted although matrices are blended.
    wants_rotations: bool,
    /// The rotation of each matrix; empty where nothing asks for them.
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
            layout.records_per_instance() * instance_count,
            InstanceRecord::default(),
        );
        self.first_records.clear();
        let placements = layout.placements().iter();
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
        for (index, placement) in layout.placements().iter().enumerate() {
            let is_hidden = !pose.shown[placement.node.index()];
            self.hidden[index] = is_hidden && (self.written == 0 || self.hidden[index]);
            let world_from_node = &pose.world[placement.node.index()];
            let instances = &model.hierarchy.node(placement.node).node_from_instances;
            if instances.is_empty() && placement.rigid.is_some() {
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
                let (first_joint, rigid) = placement.places(base, copy);
                self.records[place * self.instance_count + self.written] = InstanceRecord {
                    first_joint,
                    rigid,
                    first_morph,
                    morph_count: self.morphs.len() as u32 - first_morph,
                };
            }
        }
        for slot in layout.skins() {
            self.matrices
                .extend(joint_matrices(&model.skins[slot.skin], pose));
        }
        if layout.has_spare() {
            self.matrices.push(to_palette_matrix(&Affine3A::IDENTITY));
        }
        self.written += 1;
    }

    /// Makes records for `instance_count` instances whose matrices somebody else writes, in this form: they say where each
    /// finds its own. Of a placement's records the n-th is about the instance that `order` gives for it and n. `describe`
    /// appends what is on for a placement and an instance, and says whether it is shown.
    pub fn fill(
        &mut self,
        layout: &PaletteLayout,
        instance_count: usize,
        form: PaletteForm,
        order: impl Fn(usize, usize) -> usize,
        mut describe: impl FnMut(usize, usize, &mut Vec<ActiveMorph>) -> bool,
    ) {
        let stride = layout.matrices_per_instance();
        self.start_records(layout, instance_count);
        self.form = form;
        self.matrices.clear();
        for (index, placement) in layout.placements().iter().enumerate() {
            let first_record = placement.first_record as usize;
            let mut is_hidden = true;
            for nth in 0..instance_count {
                let instance = order(index, nth);
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
                    let (first_joint, rigid) = placement.places(base, copy);
                    self.records[place * instance_count + nth] = InstanceRecord {
                        first_joint,
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

    /// Room for the rows of the matrices of all instances after [`Palette::fill`], for those who cannot write them
    /// elsewhere.
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

    /// Finds the rotations of all matrices, if dual quaternions are blended or they are wanted: to be called when all
    /// instances are there.
    pub fn find_rotations(&mut self) {
        self.rotations.clear();
        if self.is_dual() || self.wants_rotations {
            self.rotations
                .extend(self.matrices.iter().map(nearest_rotation));
        }
    }

    /// The rotation of each matrix; empty where nothing asks for them.
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
    /// placement's copies stand one after another, each for all instances. They stand in order but for those that
    /// [`Palette::fill`] has put in another.
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

/// `world_from_mesh` of each joint of a skin.
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
