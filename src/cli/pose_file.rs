//! A pose that `rigscope pose` has printed, taken again: on the same model, or on another whose nodes have the same names.

use std::{collections::HashMap, path::Path};

use anyhow::{Context as _, bail, ensure};
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
        let place = node.place();
        let place =
            place.with_context(|| format!("{name}: node {} {:?}", node.index, node.name))?;
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
    /// Its placement, if all numbers are finite and the rotation is one.
    fn place(&self) -> anyhow::Result<Transform> {
        let mut place = Transform {
            translation: Vec3::from(self.translation),
            rotation: Quat::from_array(self.rotation),
            scale: Vec3::from(self.scale),
        };
        let is_finite = place.translation.is_finite() && place.scale.is_finite();
        let are_finite = self.weights.iter().all(|weight| weight.is_finite());
        ensure!(
            is_finite && are_finite && place.rotation.is_finite(),
            "some of its numbers are beyond single precision"
        );
        let length = place.rotation.length();
        // What was printed is taken to the bit; what was typed has few digits.
        if (length - 1.0).abs() > 5e-4 {
            ensure!(
                (length - 1.0).abs() <= 0.1,
                "its rotation is no unit quaternion: its length is {length}"
            );
            place.rotation = place.rotation.normalize();
        }
        Ok(place)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_may_have_few_digits() {
        let place = |rotation: [f32; 4]| {
            let node = NodePose {
                index: 0,
                name: String::new(),
                translation: [0.0; 3],
                rotation,
                scale: [1.0; 3],
                weights: Vec::new(),
                hidden: None,
            };
            node.place().map(|place| place.rotation.to_array())
        };
        // As it is printed, to the bit.
        let printed = [0.0, 0.6, 0.0, 0.800_01];
        assert_eq!(place(printed).unwrap(), printed);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let [x, y, z, w] = place([0.0, 0.71, 0.0, 0.71]).unwrap();
        assert_eq!([x, z], [0.0; 2]);
        assert!((y - half).abs() < 1e-6 && (w - half).abs() < 1e-6);
        for wrong in [[0.0; 4], [0.0, 0.0, 0.0, 2.0]] {
            let error = place(wrong).unwrap_err().to_string();
            assert!(error.contains("no unit quaternion"), "{error}");
        }
    }
}
