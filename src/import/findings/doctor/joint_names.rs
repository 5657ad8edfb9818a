//! Names that several joints of one skin have: clips of other files find joints by these.

use std::collections::{HashMap, HashSet};

use crate::{
    import::base::{diagnostics::Diagnostics, wording::shorten},
    model::{Model, NodeId},
};

use super::{few_names, number_of};

/// One finding for the whole file.
pub(super) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    if model.clips.is_empty() {
        return;
    }
    let hierarchy = &model.hierarchy;
    let name_of = |joint: NodeId| &*hierarchy.node(joint).name;
    let mut shared: Vec<(NodeId, usize)> = Vec::new();
    let mut seen = HashSet::new();
    for skin in &model.skins {
        let joints: HashSet<NodeId> = skin.joints.iter().copied().collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for &joint in &joints {
            let count = counts.entry(name_of(joint)).or_default();
            *count = count.saturating_add(1);
        }
        counts.remove("");
        let of_skin = skin.joints.iter().filter_map(|&joint| {
            let count = counts.remove(name_of(joint)).filter(|count| *count > 1)?;
            seen.insert(name_of(joint)).then_some((joint, count))
        });
        shared.extend(of_skin);
    }
    let Some(&(first, _)) = shared.first() else {
        return;
    };
    let names = shared.iter().map(|&(joint, count)| {
        let name = shorten(name_of(joint));
        format!("\"{name}\" ({})", number_of(count, "joint"))
    });
    let message = format!(
        "several joints have one name, by which clips of other files find them: {}",
        few_names(names)
    );
    let pointer = format_args!("/nodes/{}", hierarchy.node(first).file_index);
    diagnostics.hint("SKIN_JOINT_NAMES_SHARED", pointer, message, "");
}
