//! What VRM models say of the person that they are: which nodes are which bones (`humanoid.humanBones` of VRM 0.x, a list of
//! bones with their nodes, and of VRM 1.0, an object of bones), and, by the version, which way it looks.

use serde::Deserialize;

use crate::{
    import::{
        base::{diagnostics::Diagnostics, extension},
        json::{
            document::Document,
            extensions::ObjectExtensions,
            fields::{Fields, items},
            references::beyond,
        },
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
    let extensions = ObjectExtensions::of_file(document);
    let bones = |extension: &str| {
        let vrm = Fields::of(extensions.text(extension)?)?;
        vrm.object("humanoid").get("humanBones")
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
    if let Some(bones) = bones(extension::VRMC_VRM).and_then(Fields::of) {
        for (name, text) in bones.iter() {
            if let Some(Bone { node }) = document.read_silently(text) {
                add(extension::VRMC_VRM, name, name, node);
            }
        }
    } else if let Some(text) = bones(extension::VRM) {
        for (place, text) in items(text).unwrap_or_default().into_iter().enumerate() {
            if let Some(NamedBone { bone, node }) = document.read_silently(text) {
                add(extension::VRM, &place.to_string(), &bone, node);
            }
        }
    }
    let facing = if extensions.has(extension::VRM) && !extensions.has(extension::VRMC_VRM) {
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
