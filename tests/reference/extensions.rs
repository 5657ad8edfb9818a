//! What extensions change about poses: hidden nodes, instances, and pointers of animations to nodes.

use serde_json::Value;

use super::document::Document;
use super::file::{Elements, File, array, int};
use super::math::{self, Mat4};

/// For each node whether it or one above it is hidden (`KHR_node_visibility`).
pub fn hidden(json: &Value, order: &[(usize, Option<usize>)]) -> Vec<bool> {
    let mut hidden = vec![false; order.len()];
    for &(node, parent) in order {
        let visible = &json["nodes"][node]["extensions"]["KHR_node_visibility"]["visible"];
        hidden[node] = *visible == Value::Bool(false) || parent.is_some_and(|p| hidden[p]);
    }
    hidden
}

/// The matrices of a node's instances (`EXT_mesh_gpu_instancing`, "Transformation Order"); none without instancing.
pub fn instances(file: &File, node: &Value) -> Result<Option<Vec<Mat4>>, String> {
    let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    let read = |name: &str| int(&attributes[name]).map(|i| file.accessor(i)).transpose();
    let (translations, rotations, scales) =
        (read("TRANSLATION")?, read("ROTATION")?, read("SCALE")?);
    let all = [&translations, &rotations, &scales];
    let Some(count) = all.into_iter().flatten().map(Elements::len).min() else {
        return Ok(None);
    };
    let matrix = |i: usize| {
        let vec3 = |of: &Option<Elements>, or: f64| {
            of.as_ref().map_or([or; 3], |of| {
                let v = of.get(i);
                [v[0], v[1], v[2]]
            })
        };
        let rotation = rotations.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |of| {
            let v = of.get(i);
            math::normalize([v[0], v[1], v[2], v[3]])
        });
        math::from_trs(vec3(&translations, 0.0), rotation, vec3(&scales, 1.0))
    };
    Ok(Some((0..count).map(matrix).collect()))
}

/// The nodes that a channel moves and what of them; none for what is no node's.
pub fn targets(document: &Document, channel: &Value) -> Vec<(usize, String)> {
    let target = &channel["target"];
    let path = target["path"].as_str().unwrap_or("");
    if path != "pointer" {
        let node = int(&target["node"]);
        return node
            .map(|node| (node, path.to_owned()))
            .into_iter()
            .collect();
    }
    let pointer = target["extensions"]["KHR_animation_pointer"]["pointer"].as_str();
    let parts: Vec<&str> = pointer.unwrap_or("").split('/').collect();
    let index = parts.get(2).and_then(|index| index.parse().ok());
    match (&*parts, index) {
        (["", "nodes", _, path], Some(node)) => vec![(node, (*path).to_owned())],
        (["", "meshes", _, "weights"], Some(mesh)) => {
            let nodes = array(&document.file.json["nodes"]).iter().enumerate();
            let placing = nodes
                .filter(|(_, node)| int(&node["mesh"]) == Some(mesh) && node["weights"].is_null());
            placing
                .map(|(node, _)| (node, "weights".to_owned()))
                .collect()
        }
        _ => Vec::new(),
    }
}
