//! What VRM models and clips say of the person in them: which nodes are which bones (`humanoid.humanBones` of VRM 0.x, a list
//! of bones with their nodes, and of VRM 1.0 and `VRMC_vrm_animation`, an object of bones), and, by the version, which way it
//! looks.

use std::fmt;

use crate::{
    import::{
        base::{diagnostics::Diagnostics, extension},
        json::{
            document::Document,
            extensions::ObjectExtensions,
            fields::{Fields, integer, items},
            references::beyond,
            repair::escape,
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

const IGNORED: &str = "it is ignored";

/// Which nodes the file calls which bones, each bone once, and which way the model looks.
pub(in crate::import) fn read(
    document: &Document<'_>,
    hierarchy: &Hierarchy,
    diagnostics: &mut Diagnostics,
) -> (Vec<HumanJoint>, Facing) {
    let extensions = ObjectExtensions::of_file(document);
    let mut reader = Reader {
        hierarchy,
        joints: Vec::new(),
        diagnostics,
    };
    // Files may have several.
    let mut names = [extension::VRMC_VRM, extension::VRMC_VRM_ANIMATION].into_iter();
    let is_read = names.any(|name| {
        let text = extensions.text(name);
        text.is_some_and(|text| reader.read_map(name, text).is_some())
    });
    if !is_read && let Some(text) = extensions.text(extension::VRM) {
        reader.read_list(text);
    }
    let facing = if extensions.has(extension::VRM) && !extensions.has(extension::VRMC_VRM) {
        Facing::MinusZ
    } else {
        Facing::PlusZ
    };
    let joints = reader.joints.into_iter().map(|(_, joint)| joint);
    (joints.collect(), facing)
}

/// Reads bones. What is wrong with them is a warning: no rule of glTF is broken, and the model is drawn as it is.
struct Reader<'r> {
    hierarchy: &'r Hierarchy,
    /// What was read so far, with the names of the bones in the file.
    joints: Vec<(String, HumanJoint)>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    /// Reads the bones of VRM 1.0, each by its name; none if there is no map of them.
    fn read_map(&mut self, extension: &str, text: &str) -> Option<()> {
        let bones = self.bones(extension, text)?;
        let at = format!("/extensions/{extension}/humanoid/humanBones");
        let Some(bones) = Fields::of(bones) else {
            self.wrong_type(&at, "an object");
            return None;
        };
        for (name, text) in bones.iter() {
            let at = format!("{at}/{}", escape(name));
            match Fields::of(text) {
                Some(object) => self.add(extension, name, &object, &at),
                None => self.wrong_type(&at, "an object"),
            }
        }
        Some(())
    }

    /// Reads the bones of VRM 0.x, a list.
    fn read_list(&mut self, text: &str) {
        let extension = extension::VRM;
        let Some(bones) = self.bones(extension, text) else {
            return;
        };
        let at = format!("/extensions/{extension}/humanoid/humanBones");
        let Some(bones) = items(bones) else {
            self.wrong_type(&at, "an array");
            return;
        };
        for (place, text) in bones.into_iter().enumerate() {
            let at = format!("{at}/{place}");
            let Some(object) = Fields::of(text) else {
                self.wrong_type(&at, "an object");
                continue;
            };
            match object.text("bone") {
                Some(name) => self.add(extension, &name, &object, &at),
                None if object.has("bone") => self.wrong_type(format_args!("{at}/bone"), "a text"),
                None => self.missing(&at, "bone"),
            }
        }
    }

    /// The text of the map or list of bones in an extension.
    fn bones<'t>(&mut self, extension: &str, text: &'t str) -> Option<&'t str> {
        let at = format!("/extensions/{extension}");
        // That it is no object the checks say.
        let vrm = Fields::of(text)?;
        let Some(text) = vrm.get("humanoid") else {
            // A motion may move expressions alone.
            if extension == extension::VRMC_VRM {
                self.missing(&at, "humanoid");
            }
            return None;
        };
        let at = format!("{at}/humanoid");
        let Some(humanoid) = Fields::of(text) else {
            self.wrong_type(&at, "an object");
            return None;
        };
        let bones = humanoid.get("humanBones");
        if bones.is_none() {
            self.missing(&at, "humanBones");
        }
        bones
    }

    /// Adds what an object says of the bone `name`.
    fn add(&mut self, extension: &str, name: &str, object: &Fields<'_>, at: &str) {
        let Some(text) = object.get("node") else {
            self.missing(at, "node");
            return;
        };
        let at = format_args!("{at}/node");
        let Some(index) = integer(text).and_then(|index| usize::try_from(index).ok()) else {
            self.wrong_type(at, "an index");
            return;
        };
        let Some(node) = self.hierarchy.by_file_index(index) else {
            let message = beyond("nodes", index, self.hierarchy.len());
            self.diagnostics
                .warning("UNRESOLVED_REFERENCE", at, message, IGNORED);
            return;
        };
        let thumb = match extension {
            extension::VRM => SEGMENTS,
            _ => THUMB_SEGMENTS,
        };
        let Some(bone) = bone(name, thumb) else {
            return;
        };
        if self.joints.iter().any(|(known, _)| known == name) {
            return;
        }
        let mut joints = self.joints.iter();
        if let Some((other, _)) = joints.find(|(_, joint)| joint.node == node) {
            let message = format!("node {index} is the bone {other} already");
            let action = "it counts as both";
            self.diagnostics
                .warning("HUMANOID_BONE_NODE_REUSED", at, message, action);
        }
        let joint = HumanJoint { bone, node };
        self.joints.push((name.to_owned(), joint));
    }

    fn wrong_type(&mut self, at: impl fmt::Display, wanted: &str) {
        let message = format_args!("it is not {wanted}");
        self.diagnostics
            .warning("TYPE_MISMATCH", at, message, IGNORED);
    }

    fn missing(&mut self, at: &str, name: &str) {
        let message = format_args!("it has no {name}");
        let action = "no bone is read of it";
        self.diagnostics
            .warning("UNDEFINED_PROPERTY", at, message, action);
    }
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
