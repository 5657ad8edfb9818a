//! Lights and cameras as they stand in a pose: each on a node of its own, which does not scale
//! (`KHR_lights_punctual`; glTF 2.0 §3.10).

use std::collections::BTreeSet;

use glam::Quat;
use serde_json::{Value, json};

use super::{
    Still,
    lost::ExtrasWriter,
    named,
    noted::{Noted, Root},
};
use crate::model::{Camera, Light, LightKind, NodeId, Owner, Projection};

/// The extension that lights are in.
pub(super) const PUNCTUAL: &str = "KHR_lights_punctual";

/// Adds to `nodes` those that the scene shows with a light, and those with a camera; to `root` what they have, and to
/// `extensions` what that takes.
pub(super) fn write<'e>(
    still: &Still<'_>,
    extras: &mut ExtrasWriter<'e>,
    nodes: &mut Vec<Noted<'e>>,
    root: &mut Root<'e>,
    extensions: &mut BTreeSet<&'static str>,
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
            let mut value = named(place.clone(), &node.name);
            let light = lights.add(index, || light_json(light));
            value["extensions"] = json!({ PUNCTUAL: { "light": light } });
            nodes.push(extras.noted(Owner::Node(node.file_index), value));
        }
        let camera = node.camera;
        let camera = camera.and_then(|index| Some((index, still.cameras.get(index)?)));
        if let Some((index, camera)) = camera {
            let mut value = named(place, &node.name);
            value["camera"] = json!(cameras.add(index, || camera_json(camera)));
            nodes.push(extras.noted(Owner::Node(node.file_index), value));
        }
    }
    if !lights.written.is_empty() {
        let lights = json!({ PUNCTUAL: { "lights": lights.written } });
        root.insert("extensions", lights.into());
        extensions.insert(PUNCTUAL);
    }
    if !cameras.written.is_empty() {
        root.insert("cameras", Value::Array(cameras.written).into());
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
