//! A pose that `rigscope pose` has printed, taken again: on the same model, or on another whose nodes have the same names.

use std::{collections::HashMap, path::Path};

use anyhow::{Context as _, bail};
use glam::{Quat, Vec3};
use serde::Deserialize;

use super::inputs::read_text_at_most;
use crate::{
    app::Actor,
    import::first_few,
    model::{Hierarchy, NodeId, Transform},
};

/// With the vertices of all meshes, which nobody reads, a pose may be long: of a million of them some 60 MB.
const LARGEST: u64 = 256 << 20;

/// Nodes that the model does not have are named as far as a line holds them.
const MAX_NAMED: usize = 10;

/// What is read of a pose; the rest follows from it.
#[derive(Debug, Deserialize)]
struct PoseFile {
    nodes: Vec<NodePose>,
}

#[derive(Debug, Deserialize)]
struct NodePose {
    index: usize,
    name: String,
    translation: Vec3Numbers,
    rotation: [f32; 4],
    scale: Vec3Numbers,
    weights: Vec<f32>,
    /// None: as the model's own file has it.
    #[serde(default)]
    hidden: Option<bool>,
}

type Vec3Numbers = [f32; 3];

/// Takes the pose in a file. Nodes that it does not name stay as the model's own file has them; those that the model does
/// not have are logged. Fails if none are the same.
pub(super) fn apply(file: &Path, actor: &mut Actor) -> anyhow::Result<()> {
    let name = file.display();
    let text = read_text_at_most(file, LARGEST)?;
    let pose: PoseFile =
        serde_json::from_slice(&text).with_context(|| format!("{name} is no pose"))?;
    let hierarchy = &actor.model().hierarchy;
    let by_name = by_name(hierarchy);
    let mut placed = Vec::with_capacity(pose.nodes.len());
    let mut unknown = Vec::new();
    for node in &pose.nodes {
        let place = node.place().with_context(|| {
            format!(
                "{name}: node {} {:?} has no finite place",
                node.index, node.name
            )
        })?;
        match find(hierarchy, &by_name, node) {
            Some(id) => placed.push((id, place, node)),
            None => unknown.push(format!("{:?}", node.name)),
        }
    }
    if placed.is_empty() && !pose.nodes.is_empty() {
        bail!("{name}: {} has none of its nodes", actor.model().name);
    }
    if !unknown.is_empty() {
        let unknown = first_few(unknown.into_iter(), MAX_NAMED);
        log::warn!("{name}: the model has no {unknown}");
    }
    actor.pose_by(|_, pose| {
        for (id, place, node) in placed {
            // What stands as the file has it keeps its matrix, which may shear.
            if pose.locals[id.index()] != place {
                pose.place(id, place);
            }
            let own = pose.weights_of_mut(id);
            let count = own.len().min(node.weights.len());
            own[..count].copy_from_slice(&node.weights[..count]);
            if let Some(hidden) = node.hidden {
                pose.hidden[id.index()] = hidden;
            }
        }
    });
    Ok(())
}

impl NodePose {
    /// Its placement, if all numbers are finite.
    fn place(&self) -> Option<Transform> {
        let rotation = Quat::from_array(self.rotation);
        let place = Transform {
            translation: Vec3::from(self.translation),
            rotation,
            scale: Vec3::from(self.scale),
        };
        let is_finite = place.translation.is_finite() && place.scale.is_finite();
        let are_finite = self.weights.iter().all(|weight| weight.is_finite());
        let is_unit = (rotation.length_squared() - 1.0).abs() < 1e-3;
        (is_finite && are_finite && is_unit).then_some(place)
    }
}

/// The node of the same index and name, or else the only one of that name.
fn find(
    hierarchy: &Hierarchy,
    by_name: &HashMap<&str, Option<NodeId>>,
    wanted: &NodePose,
) -> Option<NodeId> {
    let same = hierarchy.by_file_index(wanted.index);
    let same = same.filter(|&id| hierarchy.node(id).name == wanted.name);
    same.or_else(|| by_name.get(wanted.name.as_str()).copied().flatten())
}

/// The node of each name; none for a name that several have.
fn by_name(hierarchy: &Hierarchy) -> HashMap<&str, Option<NodeId>> {
    let mut by_name = HashMap::new();
    for (id, node) in hierarchy.iter() {
        if !node.name.is_empty() {
            by_name
                .entry(node.name.as_str())
                .and_modify(|found| *found = None)
                .or_insert(Some(id));
        }
    }
    by_name
}
