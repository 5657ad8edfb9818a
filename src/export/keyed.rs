//! A pose as a clip of one key, added to the file that the model came from: whatever else the file says stays as it is
//! written there, unknown extensions and all, and so do its bytes.

use std::collections::{BTreeSet, HashSet};

use anyhow::{Context as _, ensure};
use glam::Quat;
use serde_json::{Value, json};

use super::{
    glb::{FLOAT, UNSIGNED_BYTE},
    source_file::{SourceFile, VISIBILITY},
};
use crate::{
    anim::Pose,
    model::{Clip, Hierarchy, Model, Moved, NodeId, PropertyTrack, PropertyValues, Transform},
};

const POINTER: &str = "KHR_animation_pointer";

/// What is added to a file.
#[derive(Debug, Clone, Copy)]
pub struct Keyed<'a> {
    /// The model, as the file gives it.
    pub model: &'a Model,
    /// Where its nodes are.
    pub pose: &'a Pose,
    /// Materials, lights and cameras at that moment.
    pub properties: &'a PropertyValues,
    /// What the clip is called.
    pub name: &'a str,
}

/// A value of a node, and what glTF calls it.
struct Key {
    node: NodeId,
    path: &'static str,
    values: Vec<f32>,
}

/// A value of a material, a light or a camera, by the pointer to it.
struct PropertyKey {
    pointer: String,
    values: Vec<f32>,
}

/// A .glb file that holds all of `source`, and a clip with the pose as its only key: of all joints, of all nodes that a clip
/// of the model moves, and of all that do not stand as the file has them. What the pose hides or shows otherwise than the
/// file, the clip does, too (`KHR_node_visibility` by `KHR_animation_pointer`); and what clips move of materials, lights and
/// cameras.
///
/// Fails if the file is not that of the model any more, has a clip of that name, or has nothing that a clip can move.
pub fn keyed_glb(mut source: SourceFile<'_>, keyed: &Keyed<'_>) -> anyhow::Result<Vec<u8>> {
    let hierarchy = &keyed.model.hierarchy;
    let mut nodes = hierarchy.iter();
    let has_same_names =
        nodes.all(|(_, node)| source.node_name(node.file_index) == Some(&*node.name));
    ensure!(
        source.node_count() == hierarchy.len() && has_same_names,
        "{} has changed since it was read",
        keyed.model.name
    );
    ensure!(
        !source.has_clip(keyed.name),
        "{} has a clip {:?} already",
        keyed.model.name,
        keyed.name
    );
    let keys = keys_of(keyed.model, keyed.pose, &source);
    let sights = sights_of(keyed.model, keyed.pose);
    let properties = properties_of(keyed.model, keyed.properties);
    ensure!(
        !keys.is_empty() || !sights.is_empty() || !properties.is_empty(),
        "{} stands as its file has it, with neither joints nor clips: there is nothing to hold",
        keyed.model.name
    );
    let is_finite = |key: &Key| key.values.iter().all(|value| value.is_finite());
    let lost = keys.iter().find(|key| !is_finite(key));
    ensure!(
        lost.is_none(),
        "{:?} has no finite place in this pose",
        lost.map_or("", |key| &hierarchy.node(key.node).name)
    );
    // One key, at the beginning (glTF 2.0 §3.11).
    let of_nodes = keys.iter().map(|key| &key.values);
    let of_others = properties.iter().map(|key| &key.values);
    let mut bytes = floats(of_nodes.chain(of_others));
    let first_sight = bytes.len();
    bytes.extend(sights.iter().map(|(_, is_shown)| u8::from(*is_shown)));
    let view = source.add_bytes(&bytes)?;
    let input = source.add_accessor(&json!({
        "bufferView": view, "componentType": FLOAT, "count": 1, "type": "SCALAR", "min": [0.0], "max": [0.0],
    }));
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let mut offset = size_of::<f32>();
    for key in &keys {
        let (kind, count) = match key.path {
            "rotation" => ("VEC4", 1),
            "weights" => ("SCALAR", key.values.len()),
            _ => ("VEC3", 1),
        };
        let output = source.add_accessor(&json!({
            "bufferView": view, "byteOffset": offset, "componentType": FLOAT, "count": count, "type": kind,
        }));
        offset += size_of_val(&*key.values);
        let index = hierarchy.node(key.node).file_index;
        channels.push(json!({
            "sampler": samplers.len(),
            "target": { "node": index, "path": key.path },
        }));
        samplers.push(json!({ "input": input, "output": output }));
    }
    for PropertyKey { pointer, values } in &properties {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][values.len() - 1];
        let output = source.add_accessor(&json!({
            "bufferView": view, "byteOffset": offset, "componentType": FLOAT, "count": 1, "type": kind,
        }));
        offset += size_of_val(&**values);
        source.state_owner(pointer)?;
        channels.push(json!({ "sampler": samplers.len(), "target": pointer_target(pointer) }));
        samplers.push(json!({ "input": input, "output": output }));
    }
    for (place, (node, _)) in sights.iter().enumerate() {
        let output = source.add_accessor(&json!({
            "bufferView": view, "byteOffset": first_sight + place, "componentType": UNSIGNED_BYTE, "count": 1,
            "type": "SCALAR",
        }));
        let node = hierarchy.node(*node);
        source.state_visibility(node.file_index, !node.is_hidden)?;
        let pointer = format!("/nodes/{}/extensions/{VISIBILITY}/visible", node.file_index);
        channels.push(json!({ "sampler": samplers.len(), "target": pointer_target(&pointer) }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": "STEP" }));
    }
    if !sights.is_empty() || !properties.is_empty() {
        source.use_extension(POINTER)?;
    }
    if !sights.is_empty() {
        source.use_extension(VISIBILITY)?;
    }
    free_matrices(&mut source, hierarchy, &keys)?;
    let mut clip = json!({});
    clip["name"] = json!(keyed.name);
    clip["samplers"] = Value::Array(samplers);
    clip["channels"] = Value::Array(channels);
    source.add_animation(&clip);
    source.finish().with_context(|| keyed.model.name.clone())
}

fn pointer_target(pointer: &str) -> Value {
    json!({ "path": "pointer", "extensions": { POINTER: { "pointer": pointer } } })
}

/// The time of the key, and all values.
fn floats<'v>(values: impl Iterator<Item = &'v Vec<f32>>) -> Vec<u8> {
    let values = values.flatten().copied();
    std::iter::once(0.0_f32)
        .chain(values)
        .flat_map(f32::to_le_bytes)
        .collect()
}

/// What the clip says, node by node.
fn keys_of(model: &Model, pose: &Pose, source: &SourceFile<'_>) -> Vec<Key> {
    let heads = model.clips.iter().flat_map(Clip::heads);
    let moved: HashSet<Moved> = heads.map(|head| head.moved).collect();
    let joints = model.skins.iter().flat_map(|skin| &skin.joints);
    let joints: BTreeSet<NodeId> = joints.copied().collect();
    let mut keys = Vec::new();
    for (id, node) in model.hierarchy.iter() {
        let (now, rest) = (&pose.locals[id.index()], &node.rest);
        // What a matrix fixes can only be moved where the matrix goes.
        let is_free = node.fixed_matrix.is_none() || now != rest;
        let is_joint = is_free && joints.contains(&id);
        let mut key = |path, values: &[f32]| {
            let values = values.to_vec();
            let node = id;
            keys.push(Key { node, path, values });
        };
        if is_joint
            || moved.contains(&Moved::Translation(id))
            || now.translation != rest.translation
        {
            key("translation", &now.translation.to_array());
        }
        if is_joint || moved.contains(&Moved::Rotation(id)) || now.rotation != rest.rotation {
            let unit = now.rotation.normalize();
            let unit = if unit.is_finite() {
                unit
            } else {
                Quat::IDENTITY
            };
            key("rotation", &unit.to_array());
        }
        if moved.contains(&Moved::Scale(id)) || now.scale != rest.scale {
            key("scale", &now.scale.to_array());
        }
        let weights = pose.weights_of(id);
        let at_rest = &model.hierarchy.rest_weights()[node.weights.clone()];
        let is_morphed = moved.contains(&Moved::Weights(id)) || weights != at_rest;
        // Targets that could not be read have no weights here, and a clip must have all (glTF 2.0 §3.11).
        if is_morphed && source.target_count(node.file_index) == Some(weights.len()) {
            key("weights", weights);
        }
    }
    keys
}

/// What any clip moves of materials, lights and cameras, each once.
fn properties_of(model: &Model, properties: &PropertyValues) -> Vec<PropertyKey> {
    let mut properties = properties.clone();
    let mut known = HashSet::new();
    let tracks = model.clips.iter().flat_map(Clip::properties);
    let targets = tracks.map(PropertyTrack::target);
    let moved = targets.filter(|target| known.insert(*target));
    moved
        .filter_map(|target| {
            let values = properties.numbers_mut(target)?.to_vec();
            // A distance that is not stated is infinite, which no key can say.
            let is_finite = values.iter().all(|value| value.is_finite());
            is_finite.then(|| PropertyKey {
                values,
                pointer: target.pointer(&model.hierarchy),
            })
        })
        .collect()
}

/// Whether they are shown by themselves: all nodes that a clip hides or shows, or this pose.
fn sights_of(model: &Model, pose: &Pose) -> Vec<(NodeId, bool)> {
    let moved: BTreeSet<NodeId> = model.nodes_shown_by_clips().collect();
    let hidden = model.hierarchy.iter().zip(&pose.hidden);
    hidden
        .filter(|((id, node), is_hidden)| moved.contains(id) || node.is_hidden != **is_hidden)
        .map(|((id, _), is_hidden)| (id, !is_hidden))
        .collect()
}

/// Nodes that clips move have no matrix (glTF 2.0 §3.5.3): they get what it says. What shears is lost, as in the picture.
fn free_matrices(
    source: &mut SourceFile<'_>,
    hierarchy: &Hierarchy,
    keys: &[Key],
) -> anyhow::Result<()> {
    let nodes: BTreeSet<NodeId> = keys
        .iter()
        .filter(|key| key.path != "weights")
        .map(|key| key.node)
        .collect();
    for node in nodes {
        let node = hierarchy.node(node);
        let Transform {
            translation,
            rotation,
            scale,
        } = node.rest;
        source
            .replace_matrix(
                node.file_index,
                &[
                    ("translation", json!(translation.to_array())),
                    ("rotation", json!(rotation.to_array())),
                    ("scale", json!(scale.to_array())),
                ],
            )
            .with_context(|| format!("node {} cannot be moved", node.file_index))?;
    }
    Ok(())
}
