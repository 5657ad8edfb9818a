//! The T pose: arms stretched out to the sides, as far as a rig of a person says which of its joints are arms.
//!
//! Which they are is told by the names that tools give them (`LeftForeArm`, `forearm.L`, `J_Bip_L_LowerArm`,
//! `lowerarm_l`). Rigs of animals use the same names for forelegs, so the body must stand upright, too: its shoulders more
//! above its hips than before them.
//!
//! The pose is the bind pose (the file's own without skins) with each upper arm, lower arm and hand turned the shortest way
//! until it points away from the body, along the line through both shoulders: glTF's x axis where the model looks to ±Z
//! (glTF 2.0 §3.4). Hands keep the twist that this leaves them.

use glam::{Affine3A, Quat, Vec3};

use super::{Pose, bind_pose};
use crate::model::{Hierarchy, Model, NodeId, Transform};

/// The joints of both arms, the left one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arms([Arm; 2]);

/// Upper arm, lower arm, and the hand, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Arm {
    upper: NodeId,
    lower: NodeId,
    hand: Option<NodeId>,
}

/// Within 30 degrees of the x axis that axis is meant.
const LEAST_COSINE: f32 = 0.866;

/// Puts `pose` (its local and world transforms) into the T pose.
pub fn t_pose(model: &Model, arms: &Arms, pose: &mut Pose) {
    let hierarchy = &model.hierarchy;
    if model.skins.is_empty() {
        pose.reset(hierarchy);
        pose.update_world(hierarchy, Affine3A::IDENTITY);
    } else {
        bind_pose(model, pose);
    }
    let [left, right] = arms.0.map(|arm| place(pose, arm.upper));
    let Some(to_left) = sideways(left - right) else {
        return;
    };
    for (arm, wanted) in arms.0.iter().zip([to_left, -to_left]) {
        turn(hierarchy, pose, arm.upper, Some(arm.lower), wanted);
        turn(hierarchy, pose, arm.lower, arm.hand, wanted);
        if let Some(hand) = arm.hand {
            let tip = fingers(hierarchy, pose, hand);
            turn_towards(hierarchy, pose, hand, tip, wanted);
        }
    }
}

impl Arms {
    /// Finds the arms of a model, or says in words why there are none.
    pub fn find(model: &Model) -> Result<Self, &'static str> {
        let hierarchy = &model.hierarchy;
        let parts: Vec<_> = hierarchy.iter().map(|(_, node)| part(&node.name)).collect();
        let mut arms = [Side::Left, Side::Right].map(|side| arm(hierarchy, &parts, side));
        let [Some(left), Some(right)] = arms.each_mut().map(Option::take) else {
            return Err("No joints are named like the arms of a person");
        };
        let this = Self([left, right]);
        let mut pose = Pose::new(hierarchy);
        if !model.skins.is_empty() {
            bind_pose(model, &mut pose);
        }
        let middle = |nodes: &[NodeId]| {
            let sum: Vec3 = nodes.iter().map(|node| place(&pose, *node)).sum();
            sum / nodes.len().max(1) as f32
        };
        let shoulders = middle(&[left.upper, right.upper]);
        let hips = match [Side::Left, Side::Right].map(|side| first(&parts, side, Kind::Leg)) {
            [Some(left), Some(right)] => middle(&[left, right]),
            // Without legs the joint that all hangs from.
            _ => middle(&[common(hierarchy, left.upper, right.upper).unwrap_or(left.upper)]),
        };
        let up = shoulders - hips;
        let is_upright = up.y > Vec3::new(up.x, 0.0, up.z).length();
        let has_sides = sideways(place(&pose, left.upper) - place(&pose, right.upper)).is_some();
        if is_upright && has_sides {
            Ok(this)
        } else {
            Err("The body does not stand upright")
        }
    }

    /// Upper arms, lower arms and hands, as far as there are any, the left ones first.
    pub fn joints(&self) -> impl Iterator<Item = [Option<NodeId>; 3]> + '_ {
        let arms = self.0.iter();
        arms.map(|arm| [Some(arm.upper), Some(arm.lower), arm.hand])
    }
}

fn place(pose: &Pose, node: NodeId) -> Vec3 {
    pose.world[node.index()].translation.into()
}

/// The direction to the left of a body whose left shoulder is `way` from its right one.
fn sideways(way: Vec3) -> Option<Vec3> {
    let flat = Vec3::new(way.x, 0.0, way.z).try_normalize()?;
    Some(if flat.x.abs() > LEAST_COSINE {
        Vec3::X * flat.x.signum()
    } else {
        flat
    })
}

/// Turns a joint with all below it until `to` lies in the direction that is wanted.
fn turn(hierarchy: &Hierarchy, pose: &mut Pose, joint: NodeId, to: Option<NodeId>, wanted: Vec3) {
    let tip = to.map(|to| place(pose, to));
    turn_towards(hierarchy, pose, joint, tip, wanted);
}

fn turn_towards(
    hierarchy: &Hierarchy,
    pose: &mut Pose,
    joint: NodeId,
    tip: Option<Vec3>,
    wanted: Vec3,
) {
    let origin = place(pose, joint);
    let Some(now) = tip.and_then(|tip| (tip - origin).try_normalize()) else {
        return;
    };
    let rotation = Quat::from_rotation_arc(now, wanted);
    let around = Affine3A::from_rotation_translation(rotation, origin - rotation * origin);
    let mut is_below = vec![false; hierarchy.len()];
    for (id, node) in hierarchy.iter() {
        let parent = node.parent;
        is_below[id.index()] = id == joint || parent.is_some_and(|it| is_below[it.index()]);
        if is_below[id.index()] {
            pose.world[id.index()] = around * pose.world[id.index()];
        }
    }
    let parent = hierarchy.node(joint).parent;
    let world_from_parent = parent.map_or(Affine3A::IDENTITY, |it| pose.world[it.index()]);
    let parent_from_node = world_from_parent.inverse() * pose.world[joint.index()];
    if parent_from_node.is_finite() {
        pose.locals[joint.index()] = Transform::from_affine(&parent_from_node);
    }
}

/// Where the fingers of a hand begin, in the mean.
fn fingers(hierarchy: &Hierarchy, pose: &Pose, hand: NodeId) -> Option<Vec3> {
    let below = hierarchy
        .iter()
        .filter(|(_, node)| node.parent == Some(hand));
    // A thumb stands off.
    let below = below.filter(|(_, node)| {
        node.mesh.is_none() && !words(&node.name).contains(&"thumb".to_owned())
    });
    let (sum, count) = below.fold((Vec3::ZERO, 0_u16), |(sum, count), (id, _)| {
        (sum + place(pose, id), count + 1)
    });
    (count > 0).then(|| sum / f32::from(count))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    UpperArm,
    LowerArm,
    Hand,
    Leg,
}

/// What a name says that a joint is.
fn part(name: &str) -> Option<(Side, Kind)> {
    /// Joints that help or steer, and ends.
    const HELPERS: [&str; 13] = [
        "twist", "roll", "ik", "fk", "ctrl", "control", "pole", "target", "end", "nub", "mch",
        "tip", "helper",
    ];
    const LOWER_ARMS: [&str; 6] = [
        "forearm",
        "lowerarm",
        "lowarm",
        "armlower",
        "elbow",
        "forearmbend",
    ];
    const UPPER_ARMS: [&str; 6] = ["arm", "armupper", "shldr", "shldrbend", "bicep", "armjoint"];
    const LEGS: [&str; 5] = ["leg", "thigh", "legupper", "thighbend", "legjoint"];
    let words = words(name);
    if words.iter().any(|word| HELPERS.contains(&word.as_str())) {
        return None;
    }
    let side = words.iter().find_map(|word| match word.as_str() {
        "l" | "left" => Some(Side::Left),
        "r" | "right" => Some(Side::Right),
        _ => None,
    })?;
    let sides = ["l", "r", "left", "right"];
    let rest = words.iter().filter(|word| !sides.contains(&word.as_str()));
    let rest: String = rest.map(String::as_str).collect();
    let ends = |ends: &[&str]| ends.iter().any(|end| rest.ends_with(end));
    let kind = match () {
        () if ends(&LOWER_ARMS) => Kind::LowerArm,
        () if ends(&UPPER_ARMS) => Kind::UpperArm,
        () if ends(&["hand", "wrist"]) => Kind::Hand,
        () if ends(&LEGS) => Kind::Leg,
        () => return None,
    };
    Some((side, kind))
}

/// The words of a name in lower case, without what tools put in front of it: they end where letters end or a capital begins.
fn words(name: &str) -> Vec<String> {
    let tail = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in tail.chars() {
        if c.is_alphabetic() {
            let begins = !before.is_alphabetic() || c.is_uppercase() && before.is_lowercase();
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    words
}

/// The topmost joint of a kind.
fn first(parts: &[Option<(Side, Kind)>], side: Side, kind: Kind) -> Option<NodeId> {
    // Parents stand before their children.
    let place = parts.iter().position(|part| *part == Some((side, kind)))?;
    Some(NodeId(place as u32))
}

fn arm(hierarchy: &Hierarchy, parts: &[Option<(Side, Kind)>], side: Side) -> Option<Arm> {
    let is = |node: NodeId, kind| parts[node.index()] == Some((side, kind));
    let above = |node: NodeId| {
        let parent = |node: &NodeId| hierarchy.node(*node).parent;
        std::iter::successors(hierarchy.node(node).parent, parent)
    };
    let all = || hierarchy.iter().map(|(id, _)| id);
    let by_name = first(parts, side, Kind::LowerArm);
    // Some rigs number the joints of an arm.
    let by_number = || {
        let upper = first(parts, side, Kind::UpperArm)?;
        all().find(|node| is(*node, Kind::UpperArm) && above(*node).any(|it| it == upper))
    };
    let lower = by_name.or_else(by_number)?;
    let upper = above(lower).find(|node| is(*node, Kind::UpperArm))?;
    let below = |node: &NodeId| above(*node).any(|it| it == lower);
    let hand = all().find(|node| is(*node, Kind::Hand) && below(node));
    let next = || all().find(|node| hierarchy.node(*node).parent == Some(lower));
    Some(Arm {
        upper,
        lower,
        hand: hand.or_else(next),
    })
}

/// The joint that two joints hang from.
fn common(hierarchy: &Hierarchy, one: NodeId, other: NodeId) -> Option<NodeId> {
    let chain = |node: NodeId| {
        let parent = |node: &NodeId| hierarchy.node(*node).parent;
        std::iter::successors(Some(node), parent)
    };
    let root = chain(one).filter(|node| chain(other).any(|it| it == *node));
    root.last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools_are_understood() {
        use Kind::{Hand, Leg, LowerArm, UpperArm};
        use Side::{Left, Right};
        for (name, expected) in [
            ("mixamorig:LeftArm", Some((Left, UpperArm))),
            ("mixamorig:LeftForeArm", Some((Left, LowerArm))),
            ("mixamorigRightHand", Some((Right, Hand))),
            ("upper_arm.R", Some((Right, UpperArm))),
            ("DEF-forearm.L", Some((Left, LowerArm))),
            ("J_Bip_L_LowerArm", Some((Left, LowerArm))),
            ("J_Bip_R_UpperLeg", Some((Right, Leg))),
            ("Bip01 L UpperArm", Some((Left, UpperArm))),
            ("lowerarm_l", Some((Left, LowerArm))),
            ("upperarm_r", Some((Right, UpperArm))),
            ("lShldrBend", Some((Left, UpperArm))),
            ("LeftUpLeg", Some((Left, Leg))),
            ("Skeleton_arm_joint_L__4_", Some((Left, UpperArm))),
            ("lowerarm_twist_01_l", None),
            ("hand_ik_l", None),
            ("shoulder_L", None),
            ("Armature", None),
            ("LeftHandThumb1", None),
            ("", None),
        ] {
            assert_eq!(part(name), expected, "{name}");
        }
    }
}
