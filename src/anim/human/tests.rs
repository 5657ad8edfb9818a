//! That joints of people find their counterparts, whichever tools have named them.

use std::collections::HashMap;

use super::*;
use crate::{anim::retarget::Binding, model::Node};

/// What some tool calls the joints of a person; empty where it has none.
struct Style {
    tool: &'static str,
    hips: &'static str,
    spine: &'static [&'static str],
    neck: &'static str,
    head: &'static str,
    /// Shoulder, upper arm, lower arm and hand, and the first bone of the index finger, of the left side.
    arm: [&'static str; 5],
    /// The second bone of the thumb, which hangs from the hand here.
    thumb: &'static str,
    /// Upper leg, lower leg, foot and toes.
    leg: [&'static str; 4],
    /// How the left side becomes the right one.
    sides: [&'static str; 2],
    /// What is no joint of a person, and hangs from the lower arm.
    helpers: &'static [&'static str],
}

const STYLES: [Style; 6] = [
    Style {
        tool: "Mixamo",
        hips: "mixamorig:Hips",
        spine: &["mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"],
        neck: "mixamorig:Neck",
        head: "mixamorig:Head",
        arm: [
            "mixamorig:LeftShoulder",
            "mixamorig:LeftArm",
            "mixamorig:LeftForeArm",
            "mixamorig:LeftHand",
            "mixamorig:LeftHandIndex1",
        ],
        thumb: "mixamorig:LeftHandThumb2",
        leg: [
            "mixamorig:LeftUpLeg",
            "mixamorig:LeftLeg",
            "mixamorig:LeftFoot",
            "mixamorig:LeftToeBase",
        ],
        sides: ["Left", "Right"],
        helpers: &["mixamorig:LeftForeArmRoll", "mixamorig:LeftHandThumb4"],
    },
    Style {
        tool: "Unreal",
        hips: "pelvis",
        spine: &["spine_01", "spine_02", "spine_03", "spine_04", "spine_05"],
        neck: "neck_01",
        head: "head",
        arm: [
            "clavicle_l",
            "upperarm_l",
            "lowerarm_l",
            "hand_l",
            "index_01_l",
        ],
        thumb: "thumb_02_l",
        leg: ["thigh_l", "calf_l", "foot_l", "ball_l"],
        sides: ["_l", "_r"],
        helpers: &["lowerarm_twist_01_l", "ik_hand_l"],
    },
    Style {
        tool: "VRoid",
        hips: "J_Bip_C_Hips",
        spine: &["J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest"],
        neck: "J_Bip_C_Neck",
        head: "J_Bip_C_Head",
        arm: [
            "J_Bip_L_Shoulder",
            "J_Bip_L_UpperArm",
            "J_Bip_L_LowerArm",
            "J_Bip_L_Hand",
            "J_Bip_L_Index1",
        ],
        thumb: "J_Bip_L_Thumb2",
        leg: [
            "J_Bip_L_UpperLeg",
            "J_Bip_L_LowerLeg",
            "J_Bip_L_Foot",
            "J_Bip_L_ToeBase",
        ],
        sides: ["_L_", "_R_"],
        helpers: &["J_Bip_L_Hand_end", "J_Sec_L_Bust1"],
    },
    Style {
        tool: "Rigify",
        hips: "DEF-spine",
        spine: &["DEF-spine.001", "DEF-spine.002", "DEF-spine.003"],
        neck: "DEF-spine.004",
        head: "DEF-spine.006",
        arm: [
            "DEF-shoulder.L",
            "DEF-upper_arm.L",
            "DEF-forearm.L",
            "DEF-hand.L",
            "DEF-f_index.01.L",
        ],
        thumb: "DEF-thumb.02.L",
        leg: ["DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-toe.L"],
        sides: [".L", ".R"],
        helpers: &["MCH-hand.L", "ORG-hand.L", "hand_ik.L"],
    },
    Style {
        tool: "Biped",
        hips: "Bip01 Pelvis",
        spine: &["Bip01 Spine", "Bip01 Spine1"],
        neck: "Bip01 Neck",
        head: "Bip01 Head",
        arm: [
            "Bip01 L Clavicle",
            "Bip01 L UpperArm",
            "Bip01 L Forearm",
            "Bip01 L Hand",
            "Bip01 L Finger1",
        ],
        thumb: "Bip01 L Finger01",
        leg: [
            "Bip01 L Thigh",
            "Bip01 L Calf",
            "Bip01 L Foot",
            "Bip01 L Toe0",
        ],
        sides: [" L ", " R "],
        helpers: &["Bip01 L ForeTwist", "Bip01 L Toe0Nub"],
    },
    Style {
        tool: "Pip",
        hips: "hips",
        spine: &["spine", "chest"],
        neck: "neck",
        head: "head",
        arm: ["shoulder_L", "upper_arm_L", "forearm_L", "hand_L", ""],
        thumb: "",
        leg: ["thigh_L", "shin_L", "foot_L", "toes_L"],
        sides: ["_L", "_R"],
        helpers: &["ear_L", "tail_1"],
    },
];

/// The nodes of a rig while it is made.
#[derive(Default)]
struct Tree {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
}

impl Tree {
    /// Adds a node, unless its name is empty, and goes down to it.
    fn add(&mut self, name: &str, parent: Option<usize>) -> Option<usize> {
        if name.is_empty() {
            return parent;
        }
        self.names.push(name.to_owned());
        self.parents.push(parent);
        Some(self.names.len() - 1)
    }

    fn finish(self) -> Hierarchy {
        let weights = vec![vec![]; self.names.len()];
        let nodes = self.names.into_iter().map(|name| Node {
            name,
            ..Node::default()
        });
        Hierarchy::new(nodes.collect(), &self.parents, &weights).unwrap()
    }
}

impl Style {
    /// The rig, and what joints are called that other tools have, too, by what they are.
    fn rig(&self) -> (Hierarchy, HashMap<String, String>) {
        let mut tree = Tree::default();
        let mut parts = HashMap::new();
        let mut add = |tree: &mut Tree, part: String, name: &str, parent| {
            if !name.is_empty() {
                parts.insert(part, name.to_owned());
            }
            tree.add(name, parent)
        };
        let root = tree.add("Armature", None);
        tree.add("Head", root);
        let hips = add(&mut tree, "hips".to_owned(), self.hips, root);
        let sided = |name: &str, side: usize| name.replace(self.sides[0], self.sides[side]);
        for side in 0..2 {
            let mut above = hips;
            for (place, name) in self.leg.iter().enumerate() {
                let part = format!("leg {place} of {side}");
                above = add(&mut tree, part, &sided(name, side), above);
            }
        }
        let mut chest = hips;
        for (place, name) in self.spine.iter().enumerate() {
            let part = match place {
                0 => "lowest".to_owned(),
                _ if place + 1 == self.spine.len() => "chest".to_owned(),
                _ => format!("spine {place} of {}", self.spine.len()),
            };
            chest = add(&mut tree, part, name, chest);
        }
        let neck = add(&mut tree, "neck".to_owned(), self.neck, chest);
        add(&mut tree, "head".to_owned(), self.head, neck);
        for side in 0..2 {
            let mut above = chest;
            for (place, name) in self.arm.iter().enumerate() {
                if place == 4 {
                    let part = format!("thumb of {side}");
                    add(&mut tree, part, &sided(self.thumb, side), above);
                }
                let part = format!("arm {place} of {side}");
                above = add(&mut tree, part, &sided(name, side), above);
                for helper in self.helpers.iter().filter(|_| place == 2) {
                    tree.add(&sided(helper, side), above);
                }
            }
        }
        (tree.finish(), parts)
    }
}

fn bind([from, to]: [&Hierarchy; 2], told: [&[HumanJoint]; 2]) -> HashMap<String, String> {
    let binding = Binding::new([from, to], told);
    let pairs = from.iter().filter_map(|(id, node)| {
        let found = binding.of(id)?;
        Some((node.name.clone(), to.node(found.node).name.clone()))
    });
    pairs.collect()
}

#[test]
fn people_find_their_joints_between_all_tools() {
    for from in &STYLES {
        for to in &STYLES {
            let (pair, [(there, parts), (here, own)]) = (
                format!("{} on {}", from.tool, to.tool),
                [from, to].map(Style::rig),
            );
            let bound = bind([&there, &here], [&[], &[]]);
            let known = parts.keys().filter(|part| own.contains_key(*part));
            let mut count = 0;
            for part in known {
                let found = bound.get(&parts[part]);
                assert_eq!(found, Some(&own[part]), "{pair}: {part}");
                count += 1;
            }
            assert!(count >= 21, "{pair}: {count}");
            if from.tool == to.tool {
                continue;
            }
            for helper in from.helpers {
                assert_eq!(bound.get(*helper), None, "{pair}: {helper}");
            }
        }
    }
}

#[test]
fn spines_meet_at_their_ends_and_share_no_joint() {
    let pairs = |own, others| spread(own, others).collect::<Vec<_>>();
    assert_eq!(pairs(3, 2), [(0, 0), (2, 1)]);
    assert_eq!(pairs(3, 5), [(0, 0), (1, 2), (2, 4)]);
    assert_eq!(pairs(5, 3), [(0, 0), (2, 1), (4, 2)]);
    assert_eq!(pairs(1, 3), [(0, 0)]);
    assert_eq!(pairs(3, 1), [(0, 0)]);
    for (own, others) in [(0, 0), (0, 3), (1, 0)] {
        assert_eq!(pairs(own, others), []);
    }
    for own in 1..12 {
        for others in 1..12 {
            let pairs = pairs(own, others);
            assert_eq!(pairs.len(), own.min(others));
            let is_rising =
                |pair: &[(usize, usize)]| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1;
            assert!(
                pairs.windows(2).all(is_rising),
                "{own} on {others}: {pairs:?}"
            );
            assert!(pairs.iter().all(|(a, b)| *a < own && *b < others));
        }
    }
}

fn tree(names: &[(&str, Option<usize>)]) -> Hierarchy {
    let mut tree = Tree::default();
    for (name, parent) in names {
        tree.add(name, *parent);
    }
    tree.finish()
}

#[test]
fn only_people_are_bound_by_bones() {
    let (person, _) = STYLES[1].rig();
    let horse = tree(&[
        ("Pelvis", None),
        ("Spine1", Some(0)),
        ("Neck", Some(1)),
        ("Head", Some(2)),
        ("LeftUpLeg", Some(0)),
        ("LeftLeg", Some(4)),
        ("LeftForeLeg", Some(1)),
        ("LeftArm", Some(1)),
        ("LeftHoof", Some(7)),
    ]);
    let table = tree(&[
        ("Top", None),
        ("leg.L", Some(0)),
        ("ankle.L", Some(1)),
        ("leg.R", Some(0)),
    ]);
    let chest = tree(&[("Chest", None), ("Hips", Some(0)), ("lid", Some(0))]);
    for other in [&horse, &table, &chest] {
        let names = HashMap::from([("Pelvis", "pelvis"), ("Head", "head")]);
        for (from, to) in bind([other, &person], [&[], &[]]) {
            let is_name = names
                .get(&*from)
                .is_some_and(|name| to.eq_ignore_ascii_case(name));
            assert!(is_name, "{from} on {to}");
        }
    }
}

/// What the file says comes before names, and joints that both files say to be different bones are not bound by theirs.
#[test]
fn what_files_say_comes_before_names() {
    use HumanBone::{Hand, Hips, LowerArm, UpperArm};
    let there = tree(&[
        ("Hips", None),
        ("LeftArm", Some(0)),
        ("LeftForeArm", Some(1)),
        ("LeftHand", Some(2)),
    ]);
    let (left, joint) = (BodySide::Left, |bone, node| HumanJoint {
        bone,
        node: NodeId(node),
    });
    let told = [
        joint(Hips, 0),
        joint(UpperArm(left), 1),
        joint(LowerArm(left), 2),
        joint(Hand(left), 3),
    ];
    let bound = |here: &Hierarchy, told: [&[HumanJoint]; 2]| {
        let binding = Binding::new([&there, here], told);
        let ids = there.iter().map(|(id, _)| binding.of(id));
        ids.map(|found| Some(found?.node.0)).collect::<Vec<_>>()
    };
    let all = [Some(0), Some(1), Some(2), Some(3)];
    let nameless = tree(&[
        ("b0", None),
        ("b1", Some(0)),
        ("b2", Some(1)),
        ("b3", Some(2)),
    ]);
    assert_eq!(bound(&nameless, [&[], &[]]), [None; 4]);
    assert_eq!(bound(&nameless, [&[], &told]), all, "the file, and names");
    assert_eq!(bound(&nameless, [&told, &told]), all);
    let misnamed = tree(&[
        ("Pelvis", None),
        ("LeftHand", Some(0)),
        ("LeftArm", Some(1)),
        ("LeftForeArm", Some(2)),
    ]);
    for there in [&[][..], &told] {
        assert_eq!(bound(&misnamed, [there, &told]), all, "in spite of names");
    }
}

#[test]
fn many_nodes_take_no_more_than_a_look_each() {
    let count = 200_000;
    let spine = |prefix: &str| {
        let mut names = Tree::default();
        names.add("pelvis", None);
        names.add(&format!("{prefix}thigh_l"), Some(0));
        for place in 2..count {
            names.add(&format!("{prefix}spine_{place}"), Some(place - 1));
        }
        names.finish()
    };
    let [from, to] = ["a_", "b_"].map(spine);
    let binding = Binding::new([&from, &to], [&[], &[]]);
    let bound = from.iter().filter(|(id, _)| binding.of(*id).is_some());
    assert_eq!(bound.count(), count);
}
