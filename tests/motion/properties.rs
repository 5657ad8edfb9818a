//! `KHR_animation_pointer`: every property that a clip may move, moved by a file made for it.

use std::f32::consts::FRAC_PI_2;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::Vec3;
use rigscope::app::Actor;
use rigscope::import::{self, Progress, Severity};
use rigscope::scene::{Ray, ViewMode};
use serde_json::{Value, json};

use super::property_tables::{Channel, FACTORS, OTHERS, TEXTURES, cones};

/// A white dot: maps that cannot be read are none.
const WHITE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGP4DwQACfsD/fteaysAAAAASUVORK5CYII=";

/// A file in which all that a clip may move is there once, with a clip of one linear channel for each of `channels`.
pub(super) fn file(channels: &[Channel<'_>]) -> Value {
    let texture = json!({"index": 0, "extensions": {"KHR_texture_transform": {}}});
    let transformed = |mut texture: Value, name: &str, value: f32| {
        texture[name] = value.into();
        texture
    };
    let normal = transformed(texture.clone(), "scale", 1.0);
    let material = json!({
        "pbrMetallicRoughness": {"baseColorTexture": texture, "metallicRoughnessTexture": texture},
        "normalTexture": normal,
        "occlusionTexture": transformed(texture.clone(), "strength", 0.5),
        "emissiveTexture": texture,
        "alphaMode": "MASK",
        "extensions": {
            "KHR_materials_anisotropy": {"anisotropyTexture": texture},
            "KHR_materials_clearcoat": {"clearcoatTexture": texture, "clearcoatRoughnessTexture": texture,
                "clearcoatNormalTexture": normal},
            "KHR_materials_diffuse_transmission": {"diffuseTransmissionTexture": texture,
                "diffuseTransmissionColorTexture": texture},
            "KHR_materials_dispersion": {"dispersion": 0.125},
            "KHR_materials_emissive_strength": {},
            "KHR_materials_ior": {},
            "KHR_materials_iridescence": {"iridescenceTexture": texture, "iridescenceThicknessTexture": texture},
            "KHR_materials_sheen": {"sheenColorTexture": texture, "sheenRoughnessTexture": texture},
            "KHR_materials_specular": {"specularTexture": texture, "specularColorTexture": texture},
            "KHR_materials_transmission": {"transmissionTexture": texture},
            "KHR_materials_volume": {"thicknessTexture": texture},
        }
    });
    let shown = json!({"KHR_node_visibility": {}});
    let mut file = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": [
            "KHR_animation_pointer", "KHR_lights_punctual", "KHR_materials_anisotropy", "KHR_materials_clearcoat",
            "KHR_materials_diffuse_transmission", "KHR_materials_dispersion", "KHR_materials_emissive_strength",
            "KHR_materials_ior", "KHR_materials_iridescence", "KHR_materials_sheen", "KHR_materials_specular",
            "KHR_materials_transmission", "KHR_materials_volume", "KHR_node_visibility", "KHR_texture_transform",
        ],
        "accessors": [], "bufferViews": [], "animations": [],
        "images": [{"uri": WHITE}], "textures": [{"source": 0}],
        "materials": [material],
        "cameras": [
            {"type": "perspective", "perspective": {"aspectRatio": 1.5, "yfov": 1, "znear": 0.5, "zfar": 100}},
            {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1, "znear": 0.5, "zfar": 100}},
        ],
        "extensions": {"KHR_lights_punctual": {"lights": [
            {"type": "point", "range": 10},
            {"type": "spot", "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.9}},
        ]}},
        "scenes": [{"nodes": [0, 1, 3]}],
        "nodes": [
            {"mesh": 0, "extensions": shown},
            {"mesh": 0, "weights": [0.5, 0.5], "children": [2], "extensions": shown},
            {"mesh": 0, "extensions": shown},
            {"mesh": 0, "extensions": {"KHR_node_visibility": {"visible": false}}},
        ],
    });
    let mut bin = Vec::new();
    let mut push = |kind: &str, values: &[f32]| {
        let width = ["SCALAR", "VEC2", "VEC3", "VEC4"]
            .iter()
            .position(|k| *k == kind);
        let offset = bin.len();
        let bytes: Vec<u8> = match kind {
            "BOOL" => values.iter().map(|v| *v as u8).collect(),
            _ => values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        };
        bin.extend_from_slice(&bytes);
        bin.resize(bin.len().next_multiple_of(4), 0);
        let views = file["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}));
        let view = views.len() - 1;
        let accessors = file["accessors"].as_array_mut().unwrap();
        accessors.push(json!({
            "bufferView": view,
            "componentType": if kind == "BOOL" { 5121 } else { 5126 },
            "type": if kind == "BOOL" { "SCALAR" } else { kind },
            "count": width.map_or(values.len(), |width| values.len() / (width + 1)),
        }));
        accessors.len() - 1
    };
    let positions = push("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let times = push("SCALAR", &[0.0, 1.0]);
    let outputs: Vec<_> = channels
        .iter()
        .map(|(_, kind, values)| push(kind, values))
        .collect();
    file["accessors"][positions]["min"] = json!([0, 0, 0]);
    file["accessors"][positions]["max"] = json!([1, 1, 0]);
    file["accessors"][times]["min"] = json!([0]);
    file["accessors"][times]["max"] = json!([1]);
    let target = json!({"POSITION": positions});
    file["meshes"] = json!([{"weights": [0.25, 0.75], "primitives": [
        {"attributes": {"POSITION": positions}, "targets": [target, target], "material": 0}
    ]}]);
    for ((pointer, kind, _), output) in channels.iter().zip(outputs) {
        let interpolation = if *kind == "BOOL" { "STEP" } else { "LINEAR" };
        let extensions = json!({"KHR_animation_pointer": {"pointer": pointer}});
        file["animations"].as_array_mut().unwrap().push(json!({
            "channels": [{"sampler": 0, "target": {"path": "pointer", "extensions": extensions}}],
            "samplers": [{"input": times, "output": output, "interpolation": interpolation}],
        }));
    }
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        STANDARD.encode(&bin)
    );
    file["buffers"] = json!([{"byteLength": bin.len(), "uri": uri}]);
    file
}

fn actor(channels: &[Channel<'_>]) -> Actor {
    let text = file(channels).to_string();
    let import = import::load_bytes("made", text.as_bytes(), &Progress::default()).unwrap();
    let mut about_clips = import.diagnostics.iter();
    let found = about_clips
        .find(|it| it.pointer.starts_with("/animations") && it.severity <= Severity::Warning);
    assert!(found.is_none(), "{found:?}");
    assert_eq!(import.model.clips.len(), channels.len());
    Actor::new(import.model)
}

/// Numbers that are exact in single precision a quarter of the way from the first half of `values` to the second.
fn at_a_quarter(values: &[f32]) -> Vec<f32> {
    let (from, to) = values.split_at(values.len() / 2);
    from.iter()
        .zip(to)
        .map(|(from, to)| 0.75 * from + 0.25 * to)
        .collect()
}

#[test]
fn every_factor_light_and_camera_moves_and_comes_back() {
    let pointers = FACTORS
        .iter()
        .map(|((path, ..), _)| format!("/materials/0/{path}"));
    let pointers: Vec<_> = pointers
        .chain(OTHERS.iter().map(|((path, ..), _)| (*path).to_owned()))
        .collect();
    let all: Vec<_> = FACTORS.iter().chain(OTHERS).collect();
    let channels = pointers.iter().zip(&all);
    let channels: Vec<_> = channels
        .map(|(pointer, ((_, kind, values), _))| (pointer.as_str(), *kind, *values))
        .collect();
    let mut actor = actor(&channels);
    let rest = actor.properties().values().clone();
    assert_eq!(rest.materials, actor.model().materials);
    for (clip, ((pointer, _, values), (_, reading))) in channels.iter().zip(&all).enumerate() {
        for (time_secs, expected) in [
            (-1.0, values[..values.len() / 2].to_vec()),
            (0.25, at_a_quarter(values)),
            (2.0, values[values.len() / 2..].to_vec()),
        ] {
            actor.pose_at(Some(clip), time_secs);
            let found = reading(actor.properties().values());
            assert_eq!(found, expected, "{pointer} at {time_secs}");
        }
        // Nothing else has moved.
        let before = reading(&rest);
        assert_ne!(reading(actor.properties().values()), before, "{pointer}");
        for (other, (_, reading)) in all.iter().enumerate() {
            let is_same = reading(actor.properties().values()) == reading(&rest);
            assert_eq!(
                is_same,
                other != clip,
                "{pointer} and {}",
                channels[other].0
            );
        }
        let track = &actor.model().clips[clip].properties()[0];
        assert_eq!(track.target().pointer(&actor.model().hierarchy), *pointer);
        actor.pose_at(None, 0.0);
        assert_eq!(*actor.properties().values(), rest, "{pointer}");
    }
}

#[test]
fn every_texture_moves() {
    for (texture, reading) in TEXTURES {
        let at = |part| format!("/materials/0/{texture}/extensions/KHR_texture_transform/{part}");
        let [offset, rotation, scale] = ["offset", "rotation", "scale"].map(at);
        let mut actor = actor(&[
            (&offset, "VEC2", &[0.0, 1.0, 2.0, -3.0]),
            (&rotation, "SCALAR", &[-1.0, 1.0]),
            (&scale, "VEC2", &[1.0, 1.0, 3.0, -1.0]),
        ]);
        let rest = reading(&actor.model().materials[0]).unwrap().transform;
        for clip in 0..3 {
            actor.pose_at(Some(clip), 0.25);
            let mut expected = rest;
            match clip {
                0 => expected.offset = glam::vec2(0.5, 0.0),
                1 => expected.rotation_radians = -0.5,
                _ => expected.scale = glam::vec2(1.5, 0.5),
            }
            let materials = &actor.properties().values().materials;
            let found = reading(&materials[0]).unwrap().transform;
            assert_eq!(found, expected, "{texture}, {clip}");
        }
        assert_eq!(actor.properties().moved_materials(), [0]);
    }
}

#[test]
fn nodes_move_and_single_weights_go_to_those_who_have_none_of_their_own() {
    let mut actor = actor(&[
        (
            "/nodes/0/translation",
            "VEC3",
            &[0.0, 0.0, 0.0, 4.0, 0.0, 8.0],
        ),
        ("/nodes/0/scale", "VEC3", &[1.0, 1.0, 1.0, 5.0, 1.0, 1.0]),
        (
            "/nodes/0/rotation",
            "VEC4",
            &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
        ),
        ("/nodes/0/weights", "SCALAR", &[0.0, 1.0, 1.0, 0.0]),
        ("/nodes/1/weights/1", "SCALAR", &[0.0, 1.0]),
        ("/meshes/0/weights", "SCALAR", &[0.0, 1.0, 1.0, 0.0]),
        ("/meshes/0/weights/0", "SCALAR", &[0.0, 1.0]),
    ]);
    let mut weights = |clip| {
        actor.pose_at(Some(clip), 0.25);
        let pose = actor.pose();
        let of = |node| {
            pose.weights_of(actor.model().hierarchy.by_file_index(node).unwrap())
                .to_vec()
        };
        let local = pose.locals[actor.model().hierarchy.by_file_index(0).unwrap().index()];
        ([0, 1, 2].map(of), local)
    };
    let pairs = |all: [[f32; 2]; 3]| all.map(|pair| pair.to_vec());
    let rest = [[0.25, 0.75], [0.5, 0.5], [0.25, 0.75]];
    assert_eq!(weights(0).1.translation, Vec3::new(1.0, 0.0, 2.0));
    assert_eq!(weights(1).1.scale, Vec3::new(2.0, 1.0, 1.0));
    let turned = weights(2).1.rotation * Vec3::Z;
    let expected = Vec3::new((FRAC_PI_2 / 2.0).sin(), 0.0, (FRAC_PI_2 / 2.0).cos());
    assert!(
        turned.abs_diff_eq(expected, 1e-6),
        "{turned}: slerp, not lerp"
    );
    assert_eq!(weights(2).0, pairs(rest));
    assert_eq!(weights(3).0, pairs([[0.25, 0.75], rest[1], rest[2]]));
    assert_eq!(weights(4).0, pairs([rest[0], [0.5, 0.25], rest[2]]));
    assert_eq!(weights(5).0, pairs([[0.25, 0.75], rest[1], [0.25, 0.75]]));
    assert_eq!(
        weights(6).0,
        pairs([rest[0], rest[1], rest[2]]).map(|pair| pair)
    );
    actor.pose_at(Some(6), 1.0);
    let first = actor.model().hierarchy.by_file_index(0).unwrap();
    let third = actor.model().hierarchy.by_file_index(2).unwrap();
    assert_eq!(actor.pose().weights_of(first), [1.0, 0.75]);
    assert_eq!(actor.pose().weights_of(third), [1.0, 0.75]);
}

#[test]
fn visibility_hides_a_node_and_all_below_it() {
    let visible = |node| format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
    let mut actor = actor(&[
        (&visible(1), "BOOL", &[1.0, 0.0]),
        (&visible(3), "BOOL", &[0.0, 7.0]),
    ]);
    let mut shown = |clip, time_secs| -> Vec<usize> {
        actor.pose_at(clip, time_secs);
        let placements = actor.layout().placements().iter().zip(actor.draws().iter());
        let shown = placements.filter(|(_, draw)| !draw.is_hidden);
        let shown: Vec<_> = shown
            .map(|(place, _)| actor.model().hierarchy.node(place.node).file_index)
            .collect();
        // What is not seen has no extent either: all stand at the origin, so count vertices instead.
        let mut vertices = 0;
        rigscope::anim::skinning::for_each_posed_vertex(
            actor.model(),
            actor.layout(),
            actor.palette(),
            0,
            |_| vertices += 1,
        );
        assert_eq!(vertices, 3 * shown.len());
        shown
    };
    assert_eq!(shown(None, 0.0), [0, 1, 2]);
    assert_eq!(shown(Some(0), 0.9), [0, 1, 2]);
    assert_eq!(shown(Some(0), 1.0), [0]);
    assert_eq!(shown(Some(1), 0.9), [0, 1, 2]);
    assert_eq!(shown(Some(1), 1.0), [0, 1, 2, 3]);
    assert_eq!(shown(None, 1.0), [0, 1, 2]);
}

#[test]
fn what_is_hidden_is_not_picked() {
    let visible = "/nodes/1/extensions/KHR_node_visibility/visible";
    let mut file = file(&[(visible, "BOOL", &[1.0, 0.0])]);
    file["nodes"][0] = json!({});
    let text = file.to_string();
    let import = import::load_bytes("made", text.as_bytes(), &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    let mut picked = |time_secs| {
        actor.pose_at(Some(0), time_secs);
        let ray = Ray {
            origin: Vec3::new(0.5, 0.5, 1.0),
            direction: Vec3::NEG_Z,
            range: [0.0, f32::INFINITY],
        };
        actor.surfaces(None, ViewMode::Lit).pick(&ray).is_some()
    };
    assert!(picked(0.0));
    assert!(!picked(1.0));
}

#[test]
fn what_the_file_does_not_have_is_named_and_not_moved() {
    for pointer in [
        "/materials/0/extensions/KHR_materials_sheen/sheenRoughnessFactor",
        "/materials/0/normalTexture/scale",
        "/nodes/0/weights/0",
        "/meshes/0/weights/2",
        "/cameras/0/orthographic/xmag",
        "/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle",
    ] {
        let mut file = file(&[(pointer, "SCALAR", &[0.0, 1.0])]);
        if pointer.starts_with("/materials") {
            file["materials"] = json!([{}]);
        }
        if pointer.starts_with("/nodes") {
            file["nodes"][0] = json!({});
        }
        let import =
            import::load_bytes("made", file.to_string().as_bytes(), &Progress::default()).unwrap();
        let found = import
            .diagnostics
            .iter()
            .any(|it| it.code == "ANIMATION_POINTER_UNRESOLVED");
        assert!(found, "{pointer}: {:#?}", import.diagnostics);
        assert_eq!(import.model.clips[0].track_count(), 0, "{pointer}");
    }
}

#[test]
fn what_splines_overshoot_stays_legal_and_steps_do_not_slide() {
    let mut file = file(&[
        (
            "/materials/0/pbrMetallicRoughness/metallicFactor",
            "SCALAR",
            &[0.0, 1.0, 9.0, 9.0, 1.0, 0.0],
        ),
        (
            "/materials/0/extensions/KHR_materials_ior/ior",
            "SCALAR",
            &[1.0, 2.0],
        ),
        (
            "/extensions/KHR_lights_punctual/lights/1/spot/outerConeAngle",
            "SCALAR",
            &[0.5, 0.0],
        ),
    ]);
    file["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
    file["animations"][1]["samplers"][0]["interpolation"] = "STEP".into();
    let import =
        import::load_bytes("made", file.to_string().as_bytes(), &Progress::default()).unwrap();
    let mut actor = Actor::new(import.model);
    let mut at = |clip, time_secs| {
        actor.pose_at(Some(clip), time_secs);
        actor.properties().values().clone()
    };
    // From 1 to 1 with a slope of 9 at the start and −9 at the end: by hand 1 + 9 · (¼ − ½ · ½) … above 1 all the way.
    assert_eq!(at(0, 0.5).materials[0].metallic, 1.0);
    assert_eq!(
        (at(1, 0.999).materials[0].ior, at(1, 1.0).materials[0].ior),
        (1.0, 2.0)
    );
    let [inner, outer] = cones(&at(2, 1.0));
    assert!(
        0.0 < outer && outer < 1e-5 && inner < outer,
        "the inner cone is always narrower than the outer one"
    );
    assert_eq!(cones(&at(2, 0.0)), [0.1, 0.5]);
}

#[test]
fn two_clips_are_mixed_by_their_weights() {
    let actor = actor(&[
        (
            "/materials/0/pbrMetallicRoughness/roughnessFactor",
            "SCALAR",
            &[0.0, 0.5],
        ),
        (
            "/materials/0/emissiveFactor",
            "VEC3",
            &[0.0, 0.0, 0.0, 1.0, 0.5, 0.0],
        ),
        (
            "/materials/0/extensions/KHR_materials_volume/attenuationDistance",
            "SCALAR",
            &[1.0, 2.0],
        ),
    ]);
    let mut properties = actor.properties().clone();
    let model = actor.model();
    properties.pose(model, [(0, 1.0, 0.25), (1, 1.0, 0.75)]);
    let material = &properties.values().materials[0];
    // What a clip does not touch it has as the file has it: a roughness of 1, and no light.
    assert_eq!(material.roughness, 0.25 * 0.5 + 0.75 * 1.0);
    assert_eq!(material.emissive, 0.75 * Vec3::new(1.0, 0.5, 0.0));
    properties.pose(model, [(0, 1.0, 0.5), (2, 1.0, 0.5)]);
    let material = &properties.values().materials[0];
    assert_eq!(material.volume.unwrap().attenuation_distance, 2.0);
    assert_eq!(material.emissive, Vec3::ZERO);
    properties.pose(model, []);
    assert_eq!(properties.values(), actor.properties().values());
}

#[test]
fn posing_allocates_nothing() {
    let pointers: Vec<_> = FACTORS
        .iter()
        .map(|((path, ..), _)| format!("/materials/0/{path}"))
        .collect();
    let channels: Vec<_> = pointers
        .iter()
        .zip(FACTORS)
        .map(|(p, ((_, k, v), _))| (p.as_str(), *k, *v))
        .collect();
    let mut actor = actor(&channels);
    let mut play = || {
        for clip in 0..channels.len() {
            actor.pose_at(Some(clip), 0.3);
        }
        actor.pose_at(None, 0.0);
    };
    play();
    let counted = allocation_counter::measure(play);
    assert_eq!(counted.count_total, 0);
}
