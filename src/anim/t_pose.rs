//! The T pose: arms stretched out to the sides, as far as a rig of a person says which of its joints are arms.
//!
//! Which they are is told by the file ([`crate::model::Model::human_joints`]), or else by the names that tools give them
//! (`LeftForeArm`, `forearm.L`, `J_Bip_L_LowerArm`, `lowerarm_l`). Rigs of animals use the same names for forelegs, so the
//! body must stand upright, too: its shoulders more above its hips than before them.
//!
//! The pose is the bind pose (the file's own without skins) with each upper arm, lower arm and hand turned the shortest way
//! until it points away from the body, along the line through both shoulders: glTF's x axis where the model looks to ±Z
//! (glTF 2.0 §3.4). Hands keep the twist that this leaves them.

use std::sync::Arc;

use glam::{Affine3A, DVec3, Quat, Vec3};

use super::{Pose, bind_pose, human, name_words::lower_words};
use crate::model::{BodySide, Finger, Hierarchy, HumanBone, Model, NodeId, Transform};

/// The joints of both arms, the left one first. Copies share what they hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arms(Arc<[Arm; 2]>);

/// Upper arm, lower arm, and the hand, if there is one.
#[derive(Debug, PartialEq, Eq)]
struct Arm {
    upper: Joint,
    lower: Joint,
    hand: Option<Joint>,
    /// Where the fingers begin.
    fingers: Vec<NodeId>,
}

/// A joint that is turned.
#[derive(Debug, PartialEq, Eq)]
struct Joint {
    node: NodeId,
    /// What turns with it: itself and all below it.
    subtree: Vec<NodeId>,
}

/// Within 30 degrees of the x axis that axis is meant.
const MIN_COSINE: f32 = 0.866;

/// Puts `pose` (its local and world transforms) into the T pose.
pub fn t_pose(model: &Model, arms: &Arms, pose: &mut Pose) {
    let hierarchy = &model.hierarchy;
    if model.skins.is_empty() {
        pose.reset(hierarchy);
        pose.update_world(hierarchy, Affine3A::IDENTITY);
    } else {
        bind_pose(model, pose);
    }
    stretch_arms(hierarchy, arms, pose);
}

/// Turns the arms of a pose, whose world transforms are known and stay so, until they are those of the T pose.
pub(super) fn stretch_arms(hierarchy: &Hierarchy, arms: &Arms, pose: &mut Pose) {
    let [left, right] = arms.0.each_ref().map(|arm| place(pose, arm.upper.node));
    let Some(to_left) = sideways(left - right) else {
        return;
    };
    for (arm, wanted) in arms.0.iter().zip([to_left, -to_left]) {
        let tip = place(pose, arm.lower.node);
        turn(hierarchy, pose, &arm.upper, tip, wanted);
        if let Some(hand) = &arm.hand {
            let tip = place(pose, hand.node);
            turn(hierarchy, pose, &arm.lower, tip, wanted);
            if let Some(tip) = middle(pose, &arm.fingers) {
                turn(hierarchy, pose, hand, tip, wanted);
            }
        }
    }
}

impl Arms {
    /// Finds the arms of a model, or says in words why there are none.
    pub fn find(model: &Model) -> Result<Self, &'static str> {
        let hierarchy = &model.hierarchy;
        let named = || {
            let parts: Box<Parts> = human::bones_by_name(hierarchy).into();
            Some((arms(hierarchy, &parts)?, parts))
        };
        let Some(([left, right], parts)) = told(model).or_else(named) else {
            return Err("No joints are named like the arms of a person");
        };
        let uppers = [left.upper.node, right.upper.node];
        let mut pose = Pose::new(hierarchy);
        if !model.skins.is_empty() {
            bind_pose(model, &mut pose);
        }
        let middle = |nodes: &[NodeId]| middle(&pose, nodes).unwrap_or_default();
        let shoulders = middle(&uppers);
        let hips = match BodySide::BOTH.map(|side| first(&parts, HumanBone::UpperLeg(side))) {
            [Some(left), Some(right)] => middle(&[left, right]),
            // Without legs the joint that all hangs from.
            _ => middle(&[shared_root(hierarchy, uppers).unwrap_or(left.upper.node)]),
        };
        let up = shoulders - hips;
        let is_upright = up.y > Vec3::new(up.x, 0.0, up.z).length();
        let [first, second] = uppers.map(|upper| place(&pose, upper));
        let has_sides = sideways(first - second).is_some();
        if is_upright && has_sides {
            Ok(Self(Arc::new([left, right])))
        } else {
            Err("The body does not stand upright")
        }
    }

    /// Which way each upper arm points in a pose whose world transforms are known; none where it has no length.
    pub(super) fn ways(&self, pose: &Pose) -> [Option<Vec3>; 2] {
        self.0.each_ref().map(|arm| {
            let way = place(pose, arm.lower.node) - place(pose, arm.upper.node);
            way.try_normalize()
        })
    }

    /// All that turns with upper arms, but for these themselves.
    pub(super) fn below(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.0.iter().flat_map(|arm| {
            let below = arm.upper.subtree.iter().copied();
            below.filter(|node| *node != arm.upper.node)
        })
    }

    /// Upper arms, lower arms and hands, as far as there are any, the left ones first.
    pub fn joints(&self) -> impl Iterator<Item = [Option<NodeId>; 3]> + '_ {
        let arms = self.0.iter();
        arms.map(
            |Arm {
                 upper, lower, hand, ..
             }| {
                [Some(upper), Some(lower), hand.as_ref()].map(|joint| Some(joint?.node))
            },
        )
    }
}

fn place(pose: &Pose, node: NodeId) -> Vec3 {
    pose.world[node.index()].translation.into()
}

/// Where nodes are in the mean.
fn middle(pose: &Pose, nodes: &[NodeId]) -> Option<Vec3> {
    let sum: DVec3 = nodes.iter().map(|node| place(pose, *node).as_dvec3()).sum();
    (!nodes.is_empty()).then(|| (sum / nodes.len() as f64).as_vec3())
}

/// The direction to the left of a body whose left shoulder is `way` from its right one.
fn sideways(way: Vec3) -> Option<Vec3> {
    let flat = Vec3::new(way.x, 0.0, way.z).try_normalize()?;
    Some(if flat.x.abs() > MIN_COSINE {
        Vec3::X * flat.x.signum()
    } else {
        flat
    })
}

/// Turns a joint with all below it until `tip` lies in the direction that is wanted.
fn turn(hierarchy: &Hierarchy, pose: &mut Pose, joint: &Joint, tip: Vec3, wanted: Vec3) {
    let Joint { node, subtree } = joint;
    let origin = place(pose, *node);
    let Some(now) = (tip - origin).try_normalize() else {
        return;
    };
    let rotation = Quat::from_rotation_arc(now, wanted);
    let around = Affine3A::from_rotation_translation(rotation, origin - rotation * origin);
    for id in subtree {
        pose.world[id.index()] = around * pose.world[id.index()];
    }
    let world_from_parent = pose.world_from_parent(hierarchy, *node);
    let parent_from_node = world_from_parent.inverse() * pose.world[node.index()];
    if parent_from_node.is_finite() {
        pose.locals[node.index()] = Transform::from_affine(&parent_from_node);
    }
}

/// Where the fingers of a hand begin.
fn fingers(hierarchy: &Hierarchy, hand: NodeId) -> Vec<NodeId> {
    let below = hierarchy
        .iter()
        .filter(|(_, node)| node.parent == Some(hand));
    // A thumb stands off.
    let below = below.filter(|(_, node)| {
        node.mesh.is_none() && !lower_words(&node.name).contains(&"thumb".to_owned())
    });
    below.map(|(id, _)| id).collect()
}

/// Which nodes hang from one, itself not among them.
fn below(hierarchy: &Hierarchy, top: NodeId) -> Vec<bool> {
    let mut is_below = vec![false; hierarchy.len()];
    // Parents stand before their children.
    for (id, node) in hierarchy.iter() {
        let parent = node.parent;
        is_below[id.index()] = parent.is_some_and(|it| it == top || is_below[it.index()]);
    }
    is_below
}

impl Joint {
    fn new(hierarchy: &Hierarchy, node: NodeId) -> Self {
        let is_below = below(hierarchy, node);
        let all = hierarchy.iter().map(|(id, _)| id);
        let subtree = all.filter(|&id| id == node || is_below[id.index()]);
        Self {
            node,
            subtree: subtree.collect(),
        }
    }
}

/// What each node is.
type Parts = [Option<HumanBone>];

/// The topmost joint of a kind.
fn first(parts: &Parts, bone: HumanBone) -> Option<NodeId> {
    // Parents stand before their children.
    let place = parts.iter().position(|part| *part == Some(bone))?;
    Some(NodeId(place as u32))
}

/// Both arms, as the file itself tells of them, and what it says that each node is; none if it says nothing, or not enough.
fn told(model: &Model) -> Option<([Arm; 2], Box<Parts>)> {
    let mut parts = vec![None; model.hierarchy.len()];
    let mut fingers = [Vec::new(), Vec::new()];
    for joint in &model.human_joints {
        match joint.bone {
            HumanBone::Finger(_, Finger::Thumb, _) => {}
            HumanBone::Finger(side, _, 1) => {
                fingers[usize::from(side == BodySide::Right)].push(joint.node);
            }
            bone => parts[joint.node.index()] = Some(bone),
        }
    }
    let mut arms = arms(&model.hierarchy, &parts)?;
    for (arm, fingers) in arms.iter_mut().zip(fingers) {
        if !fingers.is_empty() {
            arm.fingers = fingers;
        }
    }
    Some((arms, parts.into()))
}

fn arms(hierarchy: &Hierarchy, parts: &Parts) -> Option<[Arm; 2]> {
    let [left, right] = BodySide::BOTH.map(|side| arm(hierarchy, parts, side));
    Some([left?, right?])
}

fn arm(hierarchy: &Hierarchy, parts: &Parts, side: BodySide) -> Option<Arm> {
    let is = |node: NodeId, bone: HumanBone| parts[node.index()] == Some(bone);
    let all = || hierarchy.iter().map(|(id, _)| id);
    let by_name = first(parts, HumanBone::LowerArm(side));
    // Some rigs number the joints of an arm.
    let by_number = || {
        let upper = first(parts, HumanBone::UpperArm(side))?;
        let is_below = below(hierarchy, upper);
        all().find(|node| is(*node, HumanBone::UpperArm(side)) && is_below[node.index()])
    };
    let lower = by_name.or_else(by_number)?;
    let mut above = hierarchy.upwards(lower).skip(1);
    let upper = above.find(|node| is(*node, HumanBone::UpperArm(side)))?;
    let is_below = below(hierarchy, lower);
    let hand = all().find(|node| is(*node, HumanBone::Hand(side)) && is_below[node.index()]);
    let next = || all().find(|node| hierarchy.node(*node).parent == Some(lower));
    let hand = hand.or_else(next);
    Some(Arm {
        upper: Joint::new(hierarchy, upper),
        lower: Joint::new(hierarchy, lower),
        hand: hand.map(|hand| Joint::new(hierarchy, hand)),
        fingers: hand.map_or_else(Vec::new, |hand| fingers(hierarchy, hand)),
    })
}

/// The root that two joints hang under; none if each has its own.
fn shared_root(hierarchy: &Hierarchy, [one, other]: [NodeId; 2]) -> Option<NodeId> {
    let root = hierarchy.upwards(one).last();
    root.filter(|_| root == hierarchy.upwards(other).last())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{HumanJoint, Node};

    /// A model of nodes that have these names, places beside their parents, and parents.
    fn model(nodes: &[(&str, [f32; 3], Option<usize>)]) -> Model {
        let made = nodes.iter().map(|(name, place, _)| Node {
            name: (*name).to_owned(),
            rest: Transform {
                translation: (*place).into(),
                ..Transform::IDENTITY
            },
            ..Node::default()
        });
        let parents: Vec<_> = nodes.iter().map(|(_, _, parent)| *parent).collect();
        Model {
            hierarchy: Hierarchy::new(made.collect(), &parents, &[]).unwrap(),
            ..Model::default()
        }
    }

    /// Both arms on a chain of so many nodes, which branches at its end into two more such chains.
    fn person(length: usize) -> Vec<(&'static str, [f32; 3], Option<usize>)> {
        let mut nodes = vec![("root", [0.0; 3], None)];
        for _ in 0..length {
            nodes.push(("spine", [0.0, 1.0, 0.0], Some(nodes.len() - 1)));
        }
        let chest = nodes.len() - 1;
        for (names, side) in [
            (["arm.L", "forearm.L", "hand.L"], 1.0),
            (["arm.R", "forearm.R", "hand.R"], -1.0),
        ] {
            nodes.push(("collar", [side, 1.0, 0.0], Some(chest)));
            for _ in 0..length {
                nodes.push(("collar", [0.0; 3], Some(nodes.len() - 1)));
            }
            for name in names {
                nodes.push((name, [side, -1.0, 0.0], Some(nodes.len() - 1)));
            }
        }
        nodes
    }

    #[test]
    fn what_the_file_calls_bones_are_bones_whatever_their_names() {
        let mut nodes = person(1);
        for (place, (name, ..)) in nodes.iter_mut().enumerate() {
            *name = ["Knochen", "knob"][place % 2];
        }
        let mut model = model(&nodes);
        assert!(Arms::find(&model).is_err());
        // Beside the arms a person has a chest, a collar bone and a root.
        let joints = [(4, BodySide::Left), (9, BodySide::Right)].map(|(first, side)| {
            let arm = [
                HumanBone::UpperArm(side),
                HumanBone::LowerArm(side),
                HumanBone::Hand(side),
            ];
            (first..).zip(arm).map(|(node, bone)| HumanJoint {
                bone,
                node: NodeId(node),
            })
        });
        model.human_joints = joints.into_iter().flatten().collect();
        let arms = Arms::find(&model).unwrap();
        let nodes = arms.joints().map(|arm| arm.map(|node| node.unwrap().0));
        assert!(nodes.eq([[4, 5, 6], [9, 10, 11]]));
        // What is told of one arm alone is not enough.
        model.human_joints.truncate(3);
        assert!(Arms::find(&model).is_err());
    }

    #[test]
    fn long_chains_cost_no_more_than_their_length() {
        let smallest = |length: usize| {
            let mut nodes = vec![("arm L", [0.0; 3], None), ("arm L", [0.0; 3], None)];
            nodes.extend((1..3 * length).map(|parent| ("arm L", [0.0; 3], Some(parent))));
            let (none, some) = (model(&nodes), model(&person(length)));
            let taken = (0..5).map(|_| {
                let start = std::time::Instant::now();
                assert!(Arms::find(&none).is_err());
                assert!(Arms::find(&some).is_ok());
                start.elapsed()
            });
            taken.min().unwrap().as_secs_f64()
        };
        // Sixteen times the length: 256 times the time, if every node looked at all those above it. Beside other work, and
        // out of the cache, sixteen times have taken 85.
        let ratio = smallest(20_000) / smallest(1250);
        assert!(ratio < 128.0, "{ratio}");
    }

    #[test]
    fn a_hand_may_have_more_fingers_than_anybody_counts() {
        let mut nodes = person(1);
        let hand = nodes.len() - 1;
        nodes.resize(hand + 70_000, ("finger", [0.0, -1.0, 0.0], Some(hand)));
        let model = model(&nodes);
        let mut pose = Pose::new(&model.hierarchy);
        t_pose(&model, &Arms::find(&model).unwrap(), &mut pose);
        let at = |index: usize| {
            let mut nodes = model.hierarchy.iter();
            let found = nodes.find(|(_, node)| node.file_index == index);
            place(&pose, found.unwrap().0)
        };
        let along = at(nodes.len() - 1) - at(hand);
        assert!(along.distance(Vec3::NEG_X) < 1e-4, "{along}");
    }
}
