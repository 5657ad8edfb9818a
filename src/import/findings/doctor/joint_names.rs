//! Names that several joints of one skin have: clips of other files find joints by these.

use std::collections::{HashMap, HashSet};

use crate::{
    import::base::{
        diagnostics::Diagnostics,
        progress::{Cancelled, Progress},
        wording::shorten,
    },
    model::{Model, NodeId},
};

use super::{few_names, number_of};

/// The number of the empty name.
const UNNAMED: usize = 0;

/// One finding for the whole file.
pub(super) fn check(
    model: &Model,
    progress: &Progress,
    diagnostics: &mut Diagnostics,
) -> Result<(), Cancelled> {
    if model.clips.is_empty() {
        return Ok(());
    }
    let hierarchy = &model.hierarchy;
    let name_of = |joint: NodeId| &*hierarchy.node(joint).name;
    // Each name is read once: it may be long, and many skins may have the joint.
    let mut numbers: HashMap<&str, usize> = HashMap::from([("", UNNAMED)]);
    let nodes = hierarchy.nodes().iter();
    let number_of_node = nodes.map(|node| {
        let next = numbers.len();
        *numbers.entry(&*node.name).or_insert(next)
    });
    let number_of_node: Vec<usize> = number_of_node.collect();
    let number_of_joint = |joint: NodeId| number_of_node.get(joint.index()).copied();
    let mut shared: Vec<(NodeId, usize)> = Vec::new();
    let mut seen = HashSet::from([UNNAMED]);
    for skin in &model.skins {
        progress.check()?;
        let joints: HashSet<NodeId> = skin.joints.iter().copied().collect();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for number in joints.into_iter().filter_map(number_of_joint) {
            let count = counts.entry(number).or_default();
            *count = count.saturating_add(1);
        }
        let of_skin = skin.joints.iter().filter_map(|&joint| {
            let number = number_of_joint(joint)?;
            let count = counts.remove(&number).filter(|count| *count > 1)?;
            seen.insert(number).then_some((joint, count))
        });
        shared.extend(of_skin);
    }
    let Some(&(first, _)) = shared.first() else {
        return Ok(());
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
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::model::{ClipBuilder, Hierarchy, Node, Skin};

    /// Joints of one long name, and thousands of skins that have them.
    fn many_skins() -> Model {
        let name = "x".repeat(1 << 20);
        let node = || Node {
            name: name.clone(),
            ..Node::default()
        };
        let nodes = vec![node(), node()];
        let skin = Skin {
            joints: vec![NodeId(0), NodeId(1)],
            ..Skin::default()
        };
        Model {
            hierarchy: Hierarchy::new(nodes, &[None; 2], &[const { Vec::new() }; 2]).unwrap(),
            skins: vec![skin; 26_000],
            clips: vec![ClipBuilder::new("Walk").finish()],
            ..Model::default()
        }
    }

    /// Names read once for each skin would take half a minute.
    #[test]
    fn a_long_name_in_many_skins_takes_no_time_and_can_be_cancelled() {
        let (model, progress) = (many_skins(), Progress::default());
        let started = Instant::now();
        let mut found = Diagnostics::default();
        check(&model, &progress, &mut found).unwrap();
        assert!(started.elapsed() < Duration::from_secs(5));
        progress.cancel();
        assert!(check(&model, &progress, &mut found).is_err());
    }
}
