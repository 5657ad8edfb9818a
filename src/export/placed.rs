//! Lights and cameras as they stand in a pose: each on a node of its own, which does not scale
//! (`KHR_lights_punctual`; glTF 2.0 §3.10).

use glam::Quat;
use serde_json::{Value, json};

use super::{Still, lost::ExtrasWriter, named};
use crate::model::{Camera, Light, LightKind, Node, NodeId, Owner, Projection};

const PUNCTUAL: &str = "KHR_lights_punctual";

/// Adds to `nodes` those that the scene shows with a light, and those with a camera; to `root` what they have.
pub(super) fn write(
    still: &Still<'_>,
    extras: &mut ExtrasWriter<'_>,
    nodes: &mut Vec<Value>,
    root: &mut Value,
) {
    let hierarchy = &still.model.hierarchy;
    if still.lights.is_empty() && still.cameras.is_empty() {
        return;
    }
    let is_in_scene = still.model.nodes_in_scene(still.scene);
    let mut rotations = Vec::new();
    still.pose.rotations(hierarchy, &mut rotations);
    let (mut lights, mut cameras) = (Shared::default(), Shared::default());
    for (id, node) in hierarchy.iter() {
        let at = id.index();
        if !is_in_scene[at] {
            continue;
        }
        let Some(place) = place(still, id, rotations[at]) else {
            continue;
        };
        // What is hidden gives no light, but can be looked through.
        let light = node.light.filter(|_| still.pose.shown[at]);
        let light = light.and_then(|index| Some((index, still.lights.get(index)?)));
        if let Some((index, light)) = light {
            let mut value = placed_node(place.clone(), node, extras);
            let light = lights.add(index, || light_json(light));
            value["extensions"] = json!({ PUNCTUAL: { "light": light } });
            nodes.push(value);
        }
        let camera = node.camera;
        let camera = camera.and_then(|index| Some((index, still.cameras.get(index)?)));
        if let Some((index, camera)) = camera {
            let mut value = placed_node(place, node, extras);
            value["camera"] = json!(cameras.add(index, || camera_json(camera)));
            nodes.push(value);
        }
    }
    if !lights.written.is_empty() {
        root["extensions"] = json!({ PUNCTUAL: { "lights": lights.written } });
        match root["extensionsUsed"].as_array_mut() {
            Some(used) => used.push(PUNCTUAL.into()),
            None => root["extensionsUsed"] = json!([PUNCTUAL]),
        }
    }
    if !cameras.written.is_empty() {
        root["cameras"] = Value::Array(cameras.written);
    }
}

/// What several nodes may have, each once.
#[derive(Default)]
struct Shared {
    written: Vec<Value>,
    /// For each index in the model the one in the file.
    places: Vec<Option<usize>>,
}

impl Shared {
    fn add(&mut self, index: usize, value: impl FnOnce() -> Value) -> usize {
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        *self.places[index].get_or_insert_with(|| {
            self.written.push(value());
            self.written.len() - 1
        })
    }
}

/// Where a node is and how it is turned; none if it is nowhere.
fn place(still: &Still<'_>, node: NodeId, rotation: Quat) -> Option<Value> {
    let position = still.pose.world[node.index()].translation;
    (position.is_finite() && rotation.is_finite()).then(|| {
        json!({
            "translation": position.to_array(),
            "rotation": rotation.normalize().to_array(),
        })
    })
}

fn placed_node(place: Value, node: &Node, extras: &mut ExtrasWriter<'_>) -> Value {
    let mut value = named(place, &node.name);
    extras.add(Owner::Node(node.file_index), &mut value);
    value
}

fn light_json(light: &Light) -> Value {
    let kind = match light.kind {
        LightKind::Directional => "directional",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
    };
    let mut value = json!({
        "type": kind,
        "color": light.color.to_array(),
        "intensity": light.intensity,
    });
    // For others it means nothing.
    if let (Some(range), false) = (light.range, light.kind == LightKind::Directional) {
        value["range"] = json!(range);
    }
    if let LightKind::Spot {
        inner_radians,
        outer_radians,
    } = light.kind
    {
        value["spot"] = json!({
            "innerConeAngle": inner_radians, "outerConeAngle": outer_radians,
        });
    }
    named(value, &light.name)
}

fn camera_json(camera: &Camera) -> Value {
    let value = match camera.projection {
        Projection::Perspective {
            fov_y_radians,
            aspect,
            near,
            far,
        } => {
            let mut lens = json!({ "yfov": fov_y_radians, "znear": near });
            if let Some(aspect) = aspect {
                lens["aspectRatio"] = json!(aspect);
            }
            if let Some(far) = far {
                lens["zfar"] = json!(far);
            }
            json!({ "type": "perspective", "perspective": lens })
        }
        Projection::Orthographic {
            half_width,
            half_height,
            near,
            far,
        } => json!({
            "type": "orthographic",
            "orthographic": {
                "xmag": half_width, "ymag": half_height, "znear": near, "zfar": far,
            },
        }),
    };
    named(value, &camera.name)
}
