//! What becomes of channels that name what they move by a pointer (`KHR_animation_pointer`), and what is said of them.

use rigscope::{
    import::{Import, Severity},
    model::{NodeId, Track},
};
use serde_json::{Value, json};

use super::file::{File, assert_found};

const AT: &str = "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer";
const UNRESOLVED: &str = "ANIMATION_POINTER_UNRESOLVED";
const TWICE: &str = "ANIMATION_DUPLICATE_TARGETS";

fn target(pointer: &str) -> Value {
    let pointer = json!({"KHR_animation_pointer": {"pointer": pointer}});
    json!({"path": "pointer", "extensions": pointer})
}

/// A triangle whose clip has a channel for each of these targets, all with the same values.
fn moving(kind: &str, values: &[f32], targets: &[Value]) -> File {
    let mut file = File::animated("weights", kind, &[0.0, 1.0], values);
    let channels = targets
        .iter()
        .map(|target| json!({"sampler": 0, "target": target}));
    file.json["animations"][0]["channels"] = channels.collect();
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    file
}

#[track_caller]
fn assert_told(import: &Import, severity: Severity, code: &str, at: &str, words: &str) {
    assert_found(import, severity, code, at);
    let mut found = import.diagnostics.iter();
    let message = &found.find(|it| it.code == code).unwrap().message;
    assert!(message.contains(words), "{message}");
}

#[test]
fn what_a_pointer_names_to_no_effect_is_told_with_it() {
    for (pointer, severity) in [
        ("/nodes/0/weights", Severity::Warning),
        ("/nodes/0/weights/1", Severity::Warning),
        ("/meshes/0/weights", Severity::Info),
        (
            "/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor",
            Severity::Warning,
        ),
    ] {
        let mut file = moving("SCALAR", &[0.0, 1.0], &[target(pointer)]);
        file.json["materials"] = json!([{}]);
        let import = file.load();
        assert_told(&import, severity, UNRESOLVED, AT, pointer);
        assert_eq!(import.model.clips[0].track_count(), 0);
    }
}

/// The extension forbids it, but the validator follows no pointers, and there are such files: whichever of the channels has
/// the pointer, one counts.
#[test]
fn a_channel_that_moves_what_a_pointer_names_is_a_warning() {
    let plain = || json!({"node": 0, "path": "translation"});
    let named = || target("/nodes/0/translation");
    for (targets, severity) in [
        ([plain(), named()], Severity::Warning),
        ([named(), plain()], Severity::Warning),
        ([named(), named()], Severity::Warning),
        ([plain(), plain()], Severity::Error),
    ] {
        let import = moving("VEC3", &[0.0; 6], &targets).load();
        let at = "/animations/0/channels/1";
        assert_told(&import, severity, TWICE, at, "channel 0 of the clip");
        assert_eq!(import.model.clips[0].track_count(), 1);
    }
}

#[test]
fn what_a_pointer_names_is_told_by_its_name() {
    for (pointer, words) in [
        ("/nodes/0/translation", "node \"Hip\""),
        ("/meshes/0/weights/7", "mesh \"Face\""),
        ("/materials/0/alphaCutoff", "material \"Skin\""),
        ("/cameras/0/perspective/yfov", "camera \"Eye\""),
        (
            "/extensions/KHR_lights_punctual/lights/0/intensity",
            "light \"Lamp\"",
        ),
    ] {
        let mut file = moving("MAT4", &[0.0; 32], &[target(pointer)]);
        file.json["nodes"][0]["name"] = "Hip".into();
        file.json["meshes"][0]["name"] = "Face".into();
        file.primitive()["targets"] = json!([{"POSITION": 0}]);
        file.json["materials"] = json!([{"name": "Skin", "alphaMode": "MASK"}]);
        let perspective = json!({"yfov": 1, "znear": 1});
        file.json["cameras"] =
            json!([{"name": "Eye", "type": "perspective", "perspective": perspective}]);
        let light = json!({"name": "Lamp", "type": "point"});
        file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [light]}});
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let told = found.find(|it| it.pointer.starts_with("/animations/0/"));
        let message = &told.unwrap().message;
        assert!(message.ends_with(&format!("({words})")), "{message}");
    }
}

#[test]
fn a_channel_of_a_node_counts_more_than_one_of_its_mesh() {
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.25, 0.75]);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.json["nodes"] = json!([{"mesh": 0}, {"mesh": 0}]);
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let pointer = json!({"KHR_animation_pointer": {"pointer": "/meshes/0/weights"}});
    let channels = &mut file.json["animations"][0]["channels"];
    let of_mesh = json!({"sampler": 0, "target": {"path": "pointer", "extensions": pointer}});
    channels.as_array_mut().unwrap().push(of_mesh);
    let import = file.load();
    let weights = import.model.clips[0].weights();
    let moved: Vec<_> = weights.iter().map(Track::node).collect();
    assert_eq!(moved, [NodeId(0), NodeId(1)]);
    assert_found(
        &import,
        Severity::Info,
        "ANIMATION_DUPLICATE_TARGETS",
        "/animations/0/channels/1",
    );
}
