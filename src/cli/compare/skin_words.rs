//! What two skins differ in, in words.

use super::Comparison;
use crate::{
    anim::difference::SkinDifference,
    import::first_few,
    model::{NodeId, shortened},
};

/// Names of joints that are listed.
const MAX_LISTED: usize = 4;

impl Comparison<'_> {
    /// What two skins differ in, as a line of the comparison.
    pub(super) fn describe_skin(&self, skin: &SkinDifference) -> String {
        let mut words = Vec::new();
        words.extend(self.describe_other_joints(skin));
        if skin.bind > self.tolerance {
            let hierarchy = &self.models[0].hierarchy;
            let at = skin.worst.map(|joint| hierarchy.display_name(joint));
            let at = at.map_or_else(String::new, |joint| {
                format!(", most of all at {:?}", shortened(&joint))
            });
            let mut how = Vec::new();
            if skin.turned > self.tolerance {
                how.push(format!("turned by {:.2}°", skin.turned.to_degrees()));
            }
            if skin.moved > self.tolerance {
                how.push(format!("moved by {:.3}% of the size", 100.0 * skin.moved));
            }
            let how = match &*how {
                [] => format!("by {:.6}", skin.bind),
                how => format!("which is {}", how.join(" and ")),
            };
            words.push(match (at.is_empty(), how.starts_with("by")) {
                (_, true) | (true, _) => format!("bind matrices differ {how}{at}"),
                (false, false) => format!("bind matrices differ{at}, {how}"),
            });
        }
        format!("  skin {}: {}", skin.index, words.join(", "))
    }

    /// Which joints one skin alone has.
    fn describe_other_joints(&self, skin: &SkinDifference) -> Option<String> {
        let names = |side: usize, joints: &[NodeId]| {
            let hierarchy = &self.models[side].hierarchy;
            let names = joints.iter().map(|&joint| {
                let name = hierarchy.display_name(joint);
                format!("{:?}", shortened(&name))
            });
            first_few(names, MAX_LISTED)
        };
        let (side, joints, what) = match (&skin.only_first[..], &skin.only_second[..]) {
            _ if skin.other_joints == 0 => return None,
            ([], []) => return Some("joints are named twice by one alone".to_owned()),
            (missing, []) => (0, missing, ["is missing", "are missing"]),
            ([], added) => (1, added, ["is added", "are added"]),
            (others, _) => (0, others, ["is another", "are others"]),
        };
        let words = match joints {
            [_] => format!("1 joint {}", what[0]),
            joints => format!("{} joints {}", joints.len(), what[1]),
        };
        let [a, b] = skin.joint_counts;
        let counts = if a == b {
            String::new()
        } else {
            format!(" ({a} and {b})")
        };
        Some(format!("{words}{counts}: {}", names(side, joints)))
    }
}
