//! Which limbs joints are the ends of: what slides is called a foot unless a person's bones say otherwise.

use crate::{
    anim::human::Human,
    model::{HumanBone as Bone, Model, NodeId},
};

/// What a joint that stands on the ground is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Limb {
    /// A leg, or a limb of which nothing is known.
    #[default]
    Leg,
    /// An arm: a hand, its fingers.
    Arm,
    /// None: the trunk of a person, the head, or what hangs on these.
    Neither,
}

impl Limb {
    /// Those of some joints of a model.
    pub(in crate::anim::analysis) fn of_joints(model: &Model, joints: &[NodeId]) -> Vec<Self> {
        let hierarchy = &model.hierarchy;
        let Some(human) = Human::find(hierarchy, &model.human_joints) else {
            return vec![Self::default(); joints.len()];
        };
        // The bone that each node is or hangs on. Parents come first.
        let mut bones: Vec<Option<Bone>> = Vec::with_capacity(hierarchy.len());
        for (id, node) in hierarchy.iter() {
            let above = node.parent.and_then(|parent| bones[parent.index()]);
            bones.push(human.bone(id).or(above));
        }
        let limbs = joints
            .iter()
            .map(|joint| Self::of_bone(bones[joint.index()]));
        limbs.collect()
    }

    fn of_bone(bone: Option<Bone>) -> Self {
        match bone {
            Some(Bone::Hips | Bone::Spine | Bone::Neck | Bone::Head) => Self::Neither,
            Some(
                Bone::Shoulder(_)
                | Bone::UpperArm(_)
                | Bone::LowerArm(_)
                | Bone::Hand(_)
                | Bone::Finger(..),
            ) => Self::Arm,
            Some(Bone::UpperLeg(_) | Bone::LowerLeg(_) | Bone::Foot(_) | Bone::Toes(_)) | None => {
                Self::Leg
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Hierarchy, Node};

    #[test]
    fn fingers_are_of_an_arm_and_tails_of_no_limb() {
        let nodes = [
            ("Hips", None),
            ("Spine", Some(0)),
            ("LeftArm", Some(1)),
            ("LeftForeArm", Some(2)),
            ("LeftHand", Some(3)),
            ("claw", Some(4)),
            ("LeftUpLeg", Some(0)),
            ("LeftLeg", Some(6)),
            ("LeftFoot", Some(7)),
            ("heel", Some(8)),
            ("tail", Some(0)),
        ];
        let limbs = |is_person: bool| {
            let named = nodes.map(|(name, _)| Node {
                name: if is_person {
                    name.to_owned()
                } else {
                    String::new()
                },
                ..Node::default()
            });
            let parents = nodes.map(|(_, parent)| parent);
            let hierarchy = Hierarchy::new(named.into(), &parents, &vec![Vec::new(); nodes.len()]);
            let hierarchy = hierarchy.unwrap();
            let joints = [4, 5, 8, 9, 10].map(|place| hierarchy.by_file_index(place).unwrap());
            let model = Model {
                hierarchy,
                ..Model::default()
            };
            Limb::of_joints(&model, &joints)
        };
        use Limb::{Arm, Leg, Neither};
        assert_eq!(limbs(true), [Arm, Arm, Leg, Leg, Neither]);
        assert_eq!(limbs(false), [Leg; 5]);
    }
}
