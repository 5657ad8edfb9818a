//! What VRM models say of the person that they are: which nodes are which bones (`humanoid.humanBones` of VRM 0.x, a list of
//! bones with their nodes, and of VRM 1.0, an object of bones), and, by the version, which way it looks.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    import::{
        base::diagnostics::Diagnostics,
        json::{document::Document, extensions::ObjectExtensions, references::beyond},
    },
    model::{Facing, Hierarchy, HumanBone, HumanJoint},
};

/// Fingers of a hand, thumbs aside.
const FINGERS: [&str; 4] = [
    "IndexProximal",
    "MiddleProximal",
    "RingProximal",
    "LittleProximal",
];

#[derive(Deserialize)]
struct Vrm<'a> {
    #[serde(borrow)]
    humanoid: &'a RawValue,
}

#[derive(Deserialize)]
struct Humanoid<'a> {
    #[serde(borrow, rename = "humanBones")]
    bones: &'a RawValue,
}

/// Which nodes the file calls which bones, each bone once, and which way the model looks.
pub(in crate::import) fn read(
    document: &Document<'_>,
    hierarchy: &Hierarchy,
    diagnostics: &mut Diagnostics,
) -> (Vec<HumanJoint>, Facing) {
    #[derive(Deserialize)]
    struct Bone {
        node: usize,
    }
    #[derive(Deserialize)]
    struct NamedBone {
        bone: String,
        node: usize,
    }
    let text = document.root_text("extensions").unwrap_or("{}");
    let extensions = ObjectExtensions::of_list(text);
    let bones = |extension: &str| {
        let vrm: Vrm<'_> = serde_json::from_str(extensions.text(extension)?).ok()?;
        let humanoid: Humanoid<'_> = serde_json::from_str(vrm.humanoid.get()).ok()?;
        Some(humanoid.bones.get())
    };
    let mut joints: Vec<(String, HumanJoint)> = Vec::new();
    let mut add = |extension: &str, place: &str, name: &str, index: usize| {
        let Some((bone, is_left)) = bone(name) else {
            return;
        };
        let is_known = joints.iter().any(|(known, _)| known == name);
        if is_known {
            return;
        }
        match hierarchy.by_file_index(index) {
            Some(node) => joints.push((
                name.to_owned(),
                HumanJoint {
                    bone,
                    is_left,
                    node,
                },
            )),
            None => {
                let place =
                    format_args!("/extensions/{extension}/humanoid/humanBones/{place}/node");
                let count = hierarchy.len();
                let message = beyond("nodes", index, count);
                diagnostics.warning("UNRESOLVED_REFERENCE", place, message, "it is ignored");
            }
        }
    };
    // Files may have both.
    let newer = bones("VRMC_vrm").and_then(|text| serde_json::from_str(text).ok());
    if let Some(bones) = newer {
        let bones: BTreeMap<String, &RawValue> = bones;
        for (name, text) in bones {
            if let Some(Bone { node }) = document.read_silently(text.get()) {
                add("VRMC_vrm", &name, &name, node);
            }
        }
    } else if let Some(text) = bones("VRM") {
        let bones: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
        for (place, text) in bones.into_iter().enumerate() {
            if let Some(NamedBone { bone, node }) = document.read_silently(text.get()) {
                add("VRM", &place.to_string(), &bone, node);
            }
        }
    }
    let has = |extension: &str| extensions.has(extension);
    let facing = if has("VRM") && !has("VRMC_vrm") {
        Facing::MinusZ
    } else {
        Facing::PlusZ
    };
    (joints.into_iter().map(|(_, joint)| joint).collect(), facing)
}

/// What a name of a bone means, and whether it is the left one.
fn bone(name: &str) -> Option<(HumanBone, bool)> {
    let (rest, is_left) = match name.strip_prefix("left") {
        Some(rest) => (rest, true),
        None => (name.strip_prefix("right")?, false),
    };
    let bone = match rest {
        "UpperArm" => HumanBone::UpperArm,
        "LowerArm" => HumanBone::LowerArm,
        "Hand" => HumanBone::Hand,
        "UpperLeg" => HumanBone::UpperLeg,
        finger if FINGERS.contains(&finger) => HumanBone::Finger,
        _ => return None,
    };
    Some((bone, is_left))
}
