//! What VRM models and clips say of the person in them: which nodes are which bones (`humanoid.humanBones` of VRM 0.x, a list
//! of bones with their nodes, and of VRM 1.0 and `VRMC_vrm_animation`, an object of bones), and, by the version, which way it
//! looks.

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
    model::{BodySide, Facing, Finger, Hierarchy, HumanBone, HumanJoint},
};

/// What fingers are called.
const FINGERS: [(&str, Finger); 5] = [
    ("Thumb", Finger::Thumb),
    ("Index", Finger::Index),
    ("Middle", Finger::Middle),
    ("Ring", Finger::Ring),
    ("Little", Finger::Little),
];
/// What the bones of a finger are called, from the palm on.
const SEGMENTS: [&str; 3] = ["Proximal", "Intermediate", "Distal"];
/// Those of a thumb since VRM 1.0: before, as those of all fingers.
const THUMB_SEGMENTS: [&str; 3] = ["Metacarpal", "Proximal", "Distal"];

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
        let thumb = match extension {
            extension::VRM => SEGMENTS,
            _ => THUMB_SEGMENTS,
        };
        let Some(bone) = bone(name, thumb) else {
            return;
        };
        let is_known = joints.iter().any(|(known, _)| known == name);
        if is_known {
            return;
        }
        match hierarchy.by_file_index(index) {
            Some(node) => joints.push((name.to_owned(), HumanJoint { bone, node })),
            None => {
                let place =
                    format_args!("/extensions/{extension}/humanoid/humanBones/{place}/node");
                let count = hierarchy.len();
                let message = beyond("nodes", index, count);
                diagnostics.warning("UNRESOLVED_REFERENCE", place, message, "it is ignored");
            }
        }
    };
    // Files may have several.
    let objects = [extension::VRMC_VRM, extension::VRMC_VRM_ANIMATION].into_iter();
    let mut objects = objects.filter_map(|name| Some((name, Fields::of(bones(name)?)?)));
    if let Some((extension, bones)) = objects.next() {
        for (name, text) in bones.iter() {
            if let Some(Bone { node }) = document.read_silently(text) {
                add(extension, name, name, node);
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

/// What a name of a bone means; `thumb` has the names of a thumb's segments.
fn bone(name: &str, thumb: [&str; 3]) -> Option<HumanBone> {
    match name {
        "hips" => return Some(HumanBone::Hips),
        "spine" | "chest" | "upperChest" => return Some(HumanBone::Spine),
        "neck" => return Some(HumanBone::Neck),
        "head" => return Some(HumanBone::Head),
        _ => {}
    }
    let (rest, side) = match name.strip_prefix("left") {
        Some(rest) => (rest, BodySide::Left),
        None => (name.strip_prefix("right")?, BodySide::Right),
    };
    let bone = match rest {
        "Shoulder" => HumanBone::Shoulder(side),
        "UpperArm" => HumanBone::UpperArm(side),
        "LowerArm" => HumanBone::LowerArm(side),
        "Hand" => HumanBone::Hand(side),
        "UpperLeg" => HumanBone::UpperLeg(side),
        "LowerLeg" => HumanBone::LowerLeg(side),
        "Foot" => HumanBone::Foot(side),
        "Toes" => HumanBone::Toes(side),
        _ => {
            let mut fingers = FINGERS.into_iter();
            return fingers.find_map(|(name, finger)| {
                let tail = rest.strip_prefix(name)?;
                let segments = if finger == Finger::Thumb {
                    thumb
                } else {
                    SEGMENTS
                };
                let (segment, _) = (1..).zip(segments).find(|(_, segment)| *segment == tail)?;
                Some(HumanBone::Finger(side, finger, segment))
            });
        }
    };
    Some(bone)
}
