//! The box around one posed primitive: where it is that is drawn after others, since it is seen through.

use super::{
    grown_for,
    joint_boxes::{Owners, Reach, Scratch, morphed, posed},
};
use crate::{
    anim::{ActiveMorph, InstanceRecord, Palette},
    model::{Aabb, Primitive},
};

/// For each joint of a primitive, the box of the vertices that it moves.
#[derive(Debug, Clone)]
pub struct PrimitiveBox {
    parts: Vec<JointBox>,
    reaches: Vec<Reach>,
}

/// Vertices that one joint moves.
#[derive(Debug, Clone)]
struct JointBox {
    /// Its place in the skin; 0 where there are no joints.
    joint: usize,
    rest: Aabb,
    /// Its share of `reaches`.
    reaches: (usize, usize),
}

impl PrimitiveBox {
    /// Visits every vertex and every morph target once.
    pub fn new(primitive: &Primitive) -> Self {
        let influences = primitive.influences.as_ref();
        let last_joint = influences.and_then(|influences| influences.joints.iter().max());
        let owners = influences.map_or(Owners::One(0), |influences| Owners::Joints(0, influences));
        let mut scratch = Scratch::new(last_joint.map_or(1, |joint| usize::from(*joint) + 1));
        let mut this = Self {
            parts: Vec::new(),
            reaches: Vec::new(),
        };
        scratch.for_each_part(primitive, &owners, |joint, rest, reaches| {
            let first = this.reaches.len();
            this.reaches.extend(reaches.iter().map(|(_, reach)| *reach));
            this.parts.push(JointBox {
                joint,
                rest,
                reaches: (first, this.reaches.len()),
            });
        });
        this
    }

    /// The box in the mesh's space, where no joints move it.
    pub fn in_mesh(&self, morphs: &[ActiveMorph]) -> Aabb {
        let parts = self.parts.iter();
        parts.fold(Aabb::EMPTY, |all, part| {
            all.union(self.morphed(part, morphs))
        })
    }

    /// The box of a part in the mesh's space, with what these morph targets do.
    fn morphed(&self, part: &JointBox, morphs: &[ActiveMorph]) -> Aabb {
        let reaches = &self.reaches[part.reaches.0..part.reaches.1];
        morphed(part.rest, reaches, morphs)
    }

    /// The box in the world, of the instance and copy that `record` is about; with `is_skinned` its joints move it, else its
    /// node alone. None where it is hidden, where the palette does not have its matrices, and where they take it nowhere.
    pub fn in_world(
        &self,
        palette: &Palette,
        record: &InstanceRecord,
        is_skinned: bool,
    ) -> Option<Aabb> {
        if record.is_hidden() {
            return None;
        }
        let morphs = palette.morphs_of(record);
        let mut bounds = Aabb::EMPTY;
        for part in &self.parts {
            let place = if is_skinned {
                record.first_joint as usize + part.joint
            } else {
                record.rigid as usize
            };
            let rest = self.morphed(part, morphs);
            bounds = bounds.union(posed(palette.matrices().get(place)?, &rest));
        }
        let bounds = if is_skinned {
            grown_for(palette.skinning(), bounds)
        } else {
            bounds
        };
        (!bounds.is_empty()).then_some(bounds)
    }
}
