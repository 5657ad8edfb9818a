//! Lights and cameras of a saved pose.

use glam::Vec3;
use rigscope::{
    app::Actor,
    cli::load,
    import::Diagnostic,
    model::{LightKind, NodeId},
    scene::LightSettings,
};
use serde_json::{Value, json};

use super::{artefact, chunks, save};

/// A triangle, lights of all kinds and cameras of both under parents that scale, one of each moved by a clip.
pub(super) fn lit() -> Value {
    use base64::Engine as _;
    let turn = [0.0, 0.382_683_4, 0.0, 0.923_879_5];
    let floats: [f32; 19] = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // a triangle
        0.0, 1.0, // times
        2.0, 6.0, // intensities
        0.0, 0.0, 0.0, 3.0, 0.0, 0.0, // places
    ];
    let bytes: Vec<u8> = floats
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let uri = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let view = |offset: usize, count: usize, kind: &str| {
        json!({
            "bufferView": 0, "byteOffset": 4 * offset, "componentType": 5126, "count": count, "type": kind,
        })
    };
    let mut accessors = [
        view(0, 3, "VEC3"),
        view(9, 2, "SCALAR"),
        view(11, 2, "SCALAR"),
        view(13, 2, "VEC3"),
    ];
    accessors[0]["min"] = json!([0, 0, 0]);
    accessors[0]["max"] = json!([1, 1, 0]);
    accessors[1]["min"] = json!([0]);
    accessors[1]["max"] = json!([1]);
    let light = |index: usize| json!({ "KHR_lights_punctual": { "light": index } });
    let pointer = "/extensions/KHR_lights_punctual/lights/0/intensity";
    json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_lights_punctual", "KHR_animation_pointer"],
        "extensions": { "KHR_lights_punctual": { "lights": [
            { "type": "directional", "name": "sun", "color": [1, 0.5, 0.25] },
            { "type": "point", "intensity": 40, "range": 7 },
            { "type": "spot", "intensity": 9, "spot": {
                "innerConeAngle": 0.3, "outerConeAngle": std::f64::consts::FRAC_PI_2,
            } },
            { "type": "point", "name": "nobody has it" },
        ] } },
        "buffers": [{
            "uri": format!("data:application/octet-stream;base64,{uri}"), "byteLength": bytes.len(),
        }],
        "bufferViews": [{ "buffer": 0, "byteLength": bytes.len() }],
        "accessors": accessors,
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "cameras": [
            { "type": "perspective", "name": "eye", "perspective": { "yfov": 0.7, "znear": 0.1, "aspectRatio": 1.5 } },
            { "type": "orthographic", "orthographic": { "xmag": 2, "ymag": 1.5, "znear": 0, "zfar": 50 } },
        ],
        "nodes": [
            { "mesh": 0 },
            { "children": [2, 3, 4, 5, 6, 7], "scale": [1, 2, -3], "rotation": turn },
            { "name": "sun", "extensions": light(0), "rotation": turn },
            { "extensions": light(1), "translation": [0.5, 1, 2] },
            { "name": "lamp", "extensions": light(2), "scale": [0, 0, 0] },
            { "extensions": light(0), "rotation": [1, 0, 0, 0] },
            { "name": "eye", "camera": 0, "translation": [0, 0, -3] },
            { "camera": 1, "rotation": turn },
        ],
        "scenes": [{ "nodes": [0, 1] }],
        "animations": [{
            "samplers": [{ "input": 1, "output": 2 }, { "input": 1, "output": 3 }],
            "channels": [
                { "sampler": 0, "target": { "path": "pointer", "extensions": {
                    "KHR_animation_pointer": { "pointer": pointer },
                } } },
                { "sampler": 1, "target": { "node": 1, "path": "translation" } },
            ],
        }],
    })
}

/// All cameras, as they look.
fn views(actor: &Actor) -> Vec<String> {
    let nodes = (0..).map(NodeId).zip(actor.model().hierarchy.nodes());
    let views = nodes.filter_map(|(id, _)| actor.file_camera(id, 1.25));
    let views = views.map(|view| {
        let seen = [Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)].map(|point| view.project(point));
        format!("{seen:.3?} {:.3}", view.eye)
    });
    let mut views: Vec<_> = views.collect();
    views.sort();
    views
}

#[test]
fn a_saved_pose_has_the_lights_and_cameras_where_they_were() {
    let file = artefact("lit.gltf");
    std::fs::write(&file, lit().to_string()).unwrap();
    let saved = save(&file, Some("0"), 0.75, "lit.glb");
    let mut before = Actor::new(load(&file).unwrap().model);
    before.pose_at(Some(0), 0.75);
    let after = Actor::new(load(&saved).unwrap().model);
    let [lights, expected] =
        [&after, &before].map(|actor| actor.lighting(LightSettings::default(), false, None).lights);
    assert_eq!(expected.len(), 4);
    assert_eq!(lights.len(), 4);
    for (light, expected) in lights.iter().zip(expected) {
        assert_eq!(
            (light.range, light.intensity),
            (expected.range, expected.intensity)
        );
        assert!(
            light.position.abs_diff_eq(expected.position, 1e-5),
            "{light:?}"
        );
        assert!(
            light.backward.abs_diff_eq(expected.backward, 1e-5),
            "{light:?}"
        );
        let kinds = [light.kind, expected.kind].map(|kind| format!("{kind:.4?}"));
        assert_eq!(kinds[0], kinds[1]);
    }
    let views = [&after, &before].map(views);
    assert_eq!(views[0].len(), 2);
    assert_eq!(views[0], views[1]);

    let (json, _) = chunks(&saved);
    let written = &json["extensions"]["KHR_lights_punctual"]["lights"];
    assert_eq!(
        written.as_array().unwrap().len(),
        3,
        "each that is used, once"
    );
    assert_eq!(written[0]["name"], "sun");
    assert_eq!(json["extensionsUsed"], json!(["KHR_lights_punctual"]));
    let cone = written[2]["spot"]["outerConeAngle"].as_f64().unwrap();
    assert!(cone <= std::f64::consts::FRAC_PI_2, "{cone}");
    assert_eq!(json["cameras"][0]["name"], "eye");
}

/// A second clip for [`lit`]: numbers of all widths, of all that is no node but for what is seen of one.
pub(super) fn with_many_properties(mut file: Value) -> Value {
    use base64::Engine as _;
    // An outer cone that falls below the inner one.
    let light = "/extensions/KHR_lights_punctual/lights/2/spot";
    let base = "/materials/0/pbrMetallicRoughness";
    let moved: [(String, &[f32]); 7] = [
        (format!("{light}/innerConeAngle"), &[0.2, 0.6]),
        (format!("{light}/outerConeAngle"), &[0.35, 0.15]),
        (
            format!("{base}/baseColorFactor"),
            &[0.0, 0.25, 0.5, 1.0, 1.0, 0.75, 0.5, 0.0],
        ),
        (format!("{base}/roughnessFactor"), &[0.0, 1.0]),
        (
            format!("{base}/baseColorTexture/extensions/KHR_texture_transform/offset"),
            &[1.0, 2.0, 3.0, -4.0],
        ),
        (
            "/extensions/KHR_lights_punctual/lights/0/color".to_owned(),
            &[1.0, 0.5, 0.25, 0.0, 0.5, 1.0],
        ),
        ("/cameras/0/perspective/yfov".to_owned(), &[0.5, 1.0]),
    ];
    let mut bytes: Vec<u8> = Vec::new();
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let mut channel = |file: &mut Value, pointer: &str, accessor: Value, interpolation: &str| {
        let accessors = file["accessors"].as_array_mut().unwrap();
        samplers.push(json!({
            "input": 1, "output": accessors.len(), "interpolation": interpolation,
        }));
        accessors.push(accessor);
        channels.push(
            json!({ "sampler": samplers.len() - 1, "target": { "path": "pointer", "extensions": {
            "KHR_animation_pointer": { "pointer": pointer },
        } } }),
        );
    };
    for (pointer, values) in moved {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][values.len() / 2 - 1];
        let accessor = json!({
            "bufferView": 1, "byteOffset": bytes.len(), "componentType": 5126, "count": 2, "type": kind,
        });
        bytes.extend(values.iter().flat_map(|number| number.to_le_bytes()));
        channel(&mut file, &pointer, accessor, "LINEAR");
    }
    for node in [3, 6] {
        let accessor = json!({
            "bufferView": 1, "byteOffset": bytes.len(), "componentType": 5121, "count": 2, "type": "SCALAR",
        });
        bytes.extend([u8::from(node == 3), u8::from(node == 6)]);
        let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
        channel(&mut file, &pointer, accessor, "STEP");
        file["nodes"][node]["extensions"]["KHR_node_visibility"] = json!({ "visible": true });
    }
    let uri = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let buffers = file["buffers"].as_array_mut().unwrap();
    buffers.push(json!({
        "uri": format!("data:application/octet-stream;base64,{uri}"), "byteLength": bytes.len(),
    }));
    let views = file["bufferViews"].as_array_mut().unwrap();
    views.push(json!({ "buffer": 1, "byteLength": bytes.len() }));
    let clips = file["animations"].as_array_mut().unwrap();
    clips.push(json!({ "samplers": samplers, "channels": channels }));
    let used = file["extensionsUsed"].as_array_mut().unwrap();
    used.extend(["KHR_texture_transform", "KHR_node_visibility"].map(Value::from));
    file["textures"] = json!([{}]);
    file["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": {
        "index": 0, "extensions": { "KHR_texture_transform": { "offset": [0, 0] } },
    } } }]);
    file["meshes"][0]["primitives"][0]["material"] = json!(0);
    file
}

/// Of materials, lights and cameras, too, what a clip does at a moment is held.
#[test]
fn a_held_clip_has_what_is_no_node() {
    let (file, held) = (artefact("lit-clip.gltf"), artefact("lit-held.glb"));
    std::fs::write(&file, with_many_properties(lit()).to_string()).unwrap();
    for (clip, time) in [(0, 0.25), (1, 0.0), (1, 0.25), (1, 1.0)] {
        _ = std::fs::remove_file(&held);
        let (number, at) = (clip.to_string(), time.to_string());
        let typed = [
            file.to_str().unwrap(),
            "--clip",
            &number,
            "--time",
            &at,
            "--save",
            held.to_str().unwrap(),
            "--as-clip",
            "Held",
        ];
        super::pose(&typed).unwrap();
        let import = load(&held).unwrap();
        // The file's own views serve several purposes.
        let of_clip = |it: &&Diagnostic| it.pointer.starts_with("/animations/2");
        assert_eq!(import.diagnostics.iter().find(of_clip), None);
        let mut before = Actor::new(load(&file).unwrap().model);
        before.pose_at(Some(clip), time);
        let mut after = Actor::new(import.model);
        let at_rest = after.properties().values().clone();
        after.pose_at(Some(2), 0.0);
        let [shown, expected] = [&after, &before].map(|it| it.properties().values().clone());
        assert_ne!(at_rest, expected, "the clip does something");
        assert_eq!(shown, expected);
        assert_eq!(after.pose().hidden, before.pose().hidden);
        let LightKind::Spot {
            inner_radians,
            outer_radians,
        } = shown.lights[2].kind
        else {
            panic!("no spot");
        };
        assert!(inner_radians < outer_radians, "{shown:?}");
    }
}
