//! Which bone of a person the name of a node means, as tools write them: Mixamo (`mixamorig:LeftForeArm`), Unreal
//! (`lowerarm_l`), `VRoid` (`J_Bip_L_LowerArm`), Rigify (`DEF-forearm.L`), Biped (`Bip01 L Forearm`), DAZ (`lForearmBend`).

use crate::{
    anim::name_words::{lower_words, without_prefix, words},
    model::{BodySide, Finger, Hierarchy, HumanBone},
};

/// Joints that help or steer, and ends.
const HELPERS: [&str; 14] = [
    "twist", "roll", "ik", "fk", "ctrl", "control", "pole", "target", "end", "nub", "mch", "org",
    "tip", "helper",
];
/// Words after a name that say nothing.
const JOINTS: [&str; 3] = ["joint", "jnt", "bone"];
const HIPS: [&str; 3] = ["hips", "hip", "pelvis"];
const SPINES: [&str; 12] = [
    "spine",
    "chest",
    "upperchest",
    "torso",
    "waist",
    "abdomen",
    "spinelower",
    "spineupper",
    "abdomenlower",
    "abdomenupper",
    "chestlower",
    "chestupper",
];
const SHOULDERS: [&str; 4] = ["shoulder", "clavicle", "collar", "collarbone"];
const LOWER_ARMS: [&str; 6] = [
    "forearm",
    "lowerarm",
    "lowarm",
    "armlower",
    "elbow",
    "forearmbend",
];
const UPPER_ARMS: [&str; 7] = [
    "arm",
    "upperarm",
    "uparm",
    "armupper",
    "shldr",
    "shldrbend",
    "bicep",
];
const HANDS: [&str; 2] = ["hand", "wrist"];
const UPPER_LEGS: [&str; 5] = ["thigh", "upleg", "upperleg", "legupper", "thighbend"];
const LOWER_LEGS: [&str; 6] = ["calf", "shin", "lowerleg", "lowleg", "leglower", "knee"];
const FEET: [&str; 2] = ["foot", "ankle"];
const TOES: [&str; 4] = ["toe", "toes", "toebase", "ball"];
/// What legs are only where there are four or six.
const ANIMAL_LEGS: [&str; 6] = ["fore", "front", "hind", "rear", "back", "middle"];
const ANIMAL_PARTS: [&str; 10] = [
    "foreleg", "frontleg", "hindleg", "rearleg", "backleg", "forefoot", "hindfoot", "hoof", "paw",
    "fetlock",
];

/// What a name says of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    Bone(HumanBone),
    /// `Leg`, which some tools call the whole of it, others the part below the knee.
    Leg(BodySide),
}

/// What a node hangs from, of the left and of the right side.
#[derive(Debug, Clone, Copy, Default)]
struct Above {
    upper_legs: [bool; 2],
    hands: [bool; 2],
}

/// For each node the bone that its name means. Several may have the name of one bone; fingers are those below a hand.
pub(in crate::anim) fn bones_by_name(hierarchy: &Hierarchy) -> Vec<Option<HumanBone>> {
    let mut all_above: Vec<Above> = Vec::with_capacity(hierarchy.len());
    let nodes = hierarchy.nodes().iter();
    let bones = nodes.map(|node| {
        let above = node.parent.map(|parent| all_above[parent.index()]);
        let above = above.unwrap_or_default();
        let called = called(&node.name);
        let mut here = above;
        match called {
            Some(Called::Bone(HumanBone::UpperLeg(side))) => here.upper_legs[side as usize] = true,
            Some(Called::Bone(HumanBone::Hand(side))) => here.hands[side as usize] = true,
            _ => {}
        }
        all_above.push(here);
        match called? {
            Called::Bone(HumanBone::Finger(side, ..)) if !above.hands[side as usize] => None,
            Called::Bone(bone) => Some(bone),
            Called::Leg(side) if above.upper_legs[side as usize] => Some(HumanBone::LowerLeg(side)),
            Called::Leg(side) => Some(HumanBone::UpperLeg(side)),
        }
    });
    bones.collect()
}

/// Whether a name is that of a joint that only animals have.
pub(super) fn is_animals(name: &str) -> bool {
    has_animal_word(&lower_words(name))
}

fn has_animal_word(words: &[String]) -> bool {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let is_leg = || words.iter().any(|word| word.ends_with("leg"));
    has(&ANIMAL_PARTS) || has(&ANIMAL_LEGS) && is_leg()
}

fn called(name: &str) -> Option<Called> {
    let words = lower_words(name);
    let is_helper = |word: &String| HELPERS.contains(&word.as_str());
    if words.iter().any(is_helper) || has_animal_word(&words) {
        return None;
    }
    let side_of = |word: &String| match word.as_str() {
        "l" | "left" => Some(BodySide::Left),
        "r" | "right" => Some(BodySide::Right),
        _ => None,
    };
    let side = words.iter().find_map(side_of);
    let rest = words.iter().filter(|word| side_of(word).is_none());
    let mut rest: Vec<&str> = rest.map(String::as_str).collect();
    while rest.last().is_some_and(|word| JOINTS.contains(word)) {
        rest.pop();
    }
    let is = |names: &[&str]| names.iter().any(|name| ends_with(&rest, name));
    let Some(side) = side else {
        let bone = match () {
            () if is(&HIPS) => HumanBone::Hips,
            () if is(&SPINES) => HumanBone::Spine,
            () if is(&["neck"]) => HumanBone::Neck,
            () if is(&["head"]) => HumanBone::Head,
            () => return None,
        };
        return Some(Called::Bone(bone));
    };
    let bone = match () {
        () if is(&LOWER_ARMS) => HumanBone::LowerArm(side),
        () if is(&UPPER_ARMS) => HumanBone::UpperArm(side),
        () if is(&SHOULDERS) => HumanBone::Shoulder(side),
        () if is(&HANDS) => HumanBone::Hand(side),
        () if is(&UPPER_LEGS) => HumanBone::UpperLeg(side),
        () if is(&LOWER_LEGS) => HumanBone::LowerLeg(side),
        () if is(&["leg"]) => return Some(Called::Leg(side)),
        () if is(&FEET) => HumanBone::Foot(side),
        () if is(&TOES) => HumanBone::Toes(side),
        () => {
            let (finger, segment) = finger(name)?;
            HumanBone::Finger(side, finger, segment)
        }
    };
    Some(Called::Bone(bone))
}

/// Whether the last words, or the last one, make up a name.
fn ends_with(words: &[&str], name: &str) -> bool {
    let mut left = name;
    for word in words.iter().rev() {
        match left.strip_suffix(word) {
            Some("") => return true,
            Some(rest) => left = rest,
            None => return false,
        }
    }
    false
}

/// Which finger a name means, and which of its three bones.
fn finger(name: &str) -> Option<(Finger, u8)> {
    let tail = without_prefix(name);
    let ranges = words(tail);
    let all = lower_words(name);
    let is_biped = all.iter().any(|word| word == "bip");
    let found = all.iter().enumerate().find_map(|(place, word)| {
        let finger = match word.as_str() {
            "thumb" => Some(Finger::Thumb),
            "index" => Some(Finger::Index),
            "middle" | "mid" => Some(Finger::Middle),
            "ring" => Some(Finger::Ring),
            "pinky" | "little" => Some(Finger::Little),
            "finger" if is_biped => None,
            _ => return None,
        };
        Some((place, finger))
    });
    let (place, finger) = found?;
    let number = number_at(&tail[ranges[place].end..]);
    let Some(finger) = finger else {
        // `Finger2`, `Finger21` and `Finger22` are the middle finger; the thumb is 0.
        let mut digits = number.chars().map(|digit| digit.to_digit(10));
        let finger = *Finger::ALL.get(digits.next()?? as usize)?;
        let segment = match (number.len(), digits.next()) {
            (1, _) => 1,
            (2, Some(Some(1))) => 2,
            (2, Some(Some(2))) => 3,
            _ => return None,
        };
        return Some((finger, segment));
    };
    let segment = match all.get(place + 1).map(String::as_str) {
        Some("proximal") => 1,
        Some("intermediate") => 2,
        Some("distal") => 3,
        _ => number.parse().ok()?,
    };
    (1..=3).contains(&segment).then_some((finger, segment))
}

/// The digits that a text begins with, behind separators.
fn number_at(text: &str) -> &str {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use BodySide::{Left, Right};
    use HumanBone::{
        Foot, Hand, Head, Hips, LowerArm, LowerLeg, Neck, Shoulder, Spine, Toes, UpperArm, UpperLeg,
    };

    #[test]
    fn names_of_many_tools_are_understood() {
        for (name, expected) in [
            ("mixamorig:LeftArm", UpperArm(Left)),
            ("mixamorig:LeftForeArm", LowerArm(Left)),
            ("mixamorigRightHand", Hand(Right)),
            ("LeftShoulder", Shoulder(Left)),
            ("mixamorig:Spine1_03", Spine),
            ("LeftToeBase", Toes(Left)),
            ("upper_arm.R", UpperArm(Right)),
            ("DEF-forearm.L", LowerArm(Left)),
            ("shin.L", LowerLeg(Left)),
            ("J_Bip_L_LowerArm", LowerArm(Left)),
            ("J_Bip_R_UpperLeg", UpperLeg(Right)),
            ("J_Bip_C_UpperChest", Spine),
            ("Bip01 L UpperArm", UpperArm(Left)),
            ("Bip01_R_Toe0", Toes(Right)),
            ("Bip01 Pelvis", Hips),
            ("lowerarm_l", LowerArm(Left)),
            ("upperarm_r", UpperArm(Right)),
            ("calf_r", LowerLeg(Right)),
            ("ball_l", Toes(Left)),
            ("clavicle_l", Shoulder(Left)),
            ("neck_01", Neck),
            ("lShldrBend", UpperArm(Left)),
            ("LeftUpLeg", UpperLeg(Left)),
            ("foot_L", Foot(Left)),
            ("Armature|head", Head),
        ] {
            assert_eq!(called(name), Some(Called::Bone(expected)), "{name}");
        }
        let leg = Some(Called::Leg(Left));
        assert_eq!(called("mixamorig:LeftLeg"), leg, "either half");
        let arm = Some(Called::Bone(UpperArm(Left)));
        assert_eq!(called("Skeleton_arm_joint_L__4_"), arm);
    }

    #[test]
    fn fingers_have_a_number_each() {
        use Finger::{Index, Little, Middle, Ring, Thumb};
        for (name, expected) in [
            ("mixamorig:LeftHandIndex1", (Index, 1)),
            ("LeftHandPinky3_027", (Little, 3)),
            ("index_01_l", (Index, 1)),
            ("f_middle.02.L", (Middle, 2)),
            ("thumb.03.L", (Thumb, 3)),
            ("J_Bip_L_Little1", (Little, 1)),
            ("LeftRingIntermediate", (Ring, 2)),
            ("Bip01 L Finger0", (Thumb, 1)),
            ("Bip01_L_Finger12", (Index, 3)),
        ] {
            let (finger, segment) = expected;
            let expected = Called::Bone(HumanBone::Finger(Left, finger, segment));
            assert_eq!(called(name), Some(expected), "{name}");
        }
        for name in [
            "LeftHandThumb4",
            "index_metacarpal_l",
            "Bip01 L Finger5",
            "Finger1.L",
        ] {
            assert_eq!(called(name), None, "{name}");
        }
    }

    #[test]
    fn helpers_ends_and_animals_are_no_bones() {
        for name in [
            "lowerarm_twist_01_l",
            "LeftForeArmRoll",
            "hand_ik_l",
            "ik_foot_l",
            "thigh_fk.L",
            "elbow_pole_L",
            "hand_ctrl.R",
            "HeadTop_End",
            "Bip01 HeadNub",
            "MCH-thigh.L",
            "ORG-spine.001",
            "LeftForeLeg",
            "Front_Leg_L",
            "LeftHindUpLeg",
            "hindleg_r",
            "Armature",
            "forehead.L",
            "",
        ] {
            assert_eq!(called(name), None, "{name}");
        }
        assert!(is_animals("LeftForeLeg") && is_animals("leg_L_hoof"));
        assert!(!is_animals("LeftForeArm") && !is_animals("BackPack"));
    }
}
