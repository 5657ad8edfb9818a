//! What becomes of channels that name what they move by a pointer (`KHR_animation_pointer`), and what is said of them.

use std::time::Duration;

use rigscope::{
    import::{Import, Severity},
    model::{
        MeshChannel, NodeId, PropertyTarget, PropertyTrack, TextureSlot, Track, TransformProperty,
    },
};
use serde_json::{Value, json};

use super::file::{File, UNSIGNED_BYTE, assert_error, assert_found, assert_sound};
use crate::common::processor_time::timed;

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
        ("/nodes/0/weights", Severity::Error),
        ("/nodes/0/weights/1", Severity::Error),
        ("/meshes/0/weights", Severity::Info),
        (
            "/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor",
            Severity::Error,
        ),
    ] {
        let mut file = moving("SCALAR", &[0.0, 1.0], &[target(pointer)]);
        file.json["materials"] = json!([{}]);
        let import = file.load();
        assert_told(&import, severity, UNRESOLVED, AT, pointer);
        assert_eq!(import.model.clips[0].track_count(), 0);
    }
}

#[test]
fn a_light_without_what_a_pointer_names_is_told_by_its_kind() {
    for (light, property, words) in [
        (
            json!({"type": "directional", "range": 4.0}),
            "range",
            "directional lights have no range",
        ),
        (
            json!({"type": "point"}),
            "spot/innerConeAngle",
            "only spot lights have cones",
        ),
        (json!({"type": "point"}), "range", "does not state"),
    ] {
        let lights = "KHR_lights_punctual";
        let pointer = format!("/extensions/{lights}/lights/0/{property}");
        let mut file = moving("SCALAR", &[0.0, 1.0], &[target(&pointer)]);
        file.json["extensions"] = json!({lights: {"lights": [light]}});
        file.json["extensionsUsed"] = json!(["KHR_animation_pointer", lights]);
        assert_told(&file.load(), Severity::Error, UNRESOLVED, AT, words);
    }
}

/// Whichever of the channels has the pointer, one counts. Where both have it and the same keys nothing is lost: Blender writes
/// such files.
#[test]
fn what_two_channels_move_is_an_error_but_for_copies() {
    let plain = || json!({"node": 0, "path": "translation"});
    let named = || target("/nodes/0/translation");
    for (targets, is_copied, severity) in [
        ([plain(), named()], true, Severity::Error),
        ([named(), plain()], true, Severity::Error),
        ([named(), named()], true, Severity::Warning),
        ([named(), named()], false, Severity::Error),
        ([plain(), plain()], true, Severity::Error),
    ] {
        for same in [true, false] {
            let mut file = moving("VEC3", &[0.0; 6], &targets);
            let mut values = [0.0; 6];
            values[5] = if is_copied { 0.0 } else { 1.0 };
            if !(is_copied && same) {
                let output = file.floats("VEC3", &values);
                let animation = &mut file.json["animations"][0];
                let samplers = animation["samplers"].as_array_mut().unwrap();
                samplers.push(json!({"input": 1, "output": output}));
                animation["channels"][1]["sampler"] = 1.into();
            }
            let import = file.load();
            let at = "/animations/0/channels/1";
            assert_told(&import, severity, TWICE, at, "channel 0 of the clip");
            assert_eq!(import.model.clips[0].track_count(), 1);
        }
    }
}

#[test]
fn all_weights_and_one_of_them_are_not_moved_by_the_same_clip() {
    for (targets, words) in [
        (
            ["/nodes/0/weights", "/nodes/0/weights/0"],
            "it moves one of the weights, and channel 0 of the clip moves all of them",
        ),
        (
            ["/nodes/0/weights/0", "/nodes/0/weights"],
            "it moves all of them, and channel 0 of the clip moves one of the weights",
        ),
        (
            ["/meshes/0/weights/0", "/meshes/0/weights"],
            "it moves all of them, and channel 0 of the clip moves one of the weights",
        ),
    ] {
        let targets = targets.map(target);
        let mut file = moving("SCALAR", &[0.25, 0.75], &targets);
        file.primitive()["targets"] = json!([{"POSITION": 0}]);
        let import = file.load();
        let at = "/animations/0/channels/1";
        assert_told(&import, Severity::Error, TWICE, at, words);
        assert_eq!(import.model.clips[0].track_count(), 2);
    }
}

#[test]
fn a_property_is_defined_where_the_object_that_has_it_is_there() {
    let pbr = "/materials/0/pbrMetallicRoughness/roughnessFactor";
    let strength = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength";
    let offset = "/materials/0/emissiveTexture/extensions/KHR_texture_transform/rotation";
    let visible = "/nodes/0/extensions/KHR_node_visibility/visible";
    for (pointer, missing) in [
        (pbr, "pbrMetallicRoughness"),
        (strength, "KHR_materials_emissive_strength"),
        (offset, "KHR_texture_transform"),
        (visible, "KHR_node_visibility"),
    ] {
        let mut file = moving("SCALAR", &[0.0, 1.0], &[target(pointer)]);
        file.json["animations"][0]["samplers"][0]["interpolation"] = "STEP".into();
        if pointer == visible {
            let flags = file.accessor("SCALAR", UNSIGNED_BYTE, 2, &[0, 1]);
            file.json["animations"][0]["samplers"][0]["output"] = flags.into();
        }
        file.json["extensionsUsed"] = json!([
            "KHR_animation_pointer",
            "KHR_materials_emissive_strength",
            "KHR_texture_transform",
            "KHR_node_visibility",
        ]);
        file.json["textures"] = json!([{}]);
        file.json["materials"] = json!([{"emissiveTexture": {"index": 0}}]);
        let import = file.load();
        let words = format!("is not defined without {missing}");
        assert_told(&import, Severity::Error, UNRESOLVED, AT, &words);
        assert_eq!(import.model.clips[0].track_count(), 1);
        let extensions = json!({
            "KHR_materials_emissive_strength": {}, "KHR_texture_transform": {}, "KHR_node_visibility": {},
        });
        let only = |name: &str| json!({name: extensions[name]});
        file.json["materials"] = json!([{
            "pbrMetallicRoughness": {},
            "emissiveTexture": {"index": 0, "extensions": only("KHR_texture_transform")},
            "extensions": only("KHR_materials_emissive_strength"),
        }]);
        file.json["nodes"][0]["extensions"] = only("KHR_node_visibility");
        let import = file.load();
        assert!(import.diagnostics.iter().all(|it| it.code != UNRESOLVED));
    }
}

/// However many nodes take them, each of which has a track of its own.
#[test]
fn weights_of_a_mesh_are_one_channel() {
    let targets = [
        "/meshes/0/weights/0",
        "/meshes/0/weights",
        "/nodes/2/weights/0",
    ]
    .map(target);
    let mut file = moving("SCALAR", &[0.0, 1.0], &targets);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.json["nodes"] = json!([{"mesh": 0}, {"mesh": 0}, {"mesh": 0}, {"mesh": 0}]);
    file.json["scenes"] = json!([{"nodes": [0, 1, 2, 3]}]);
    let import = file.load();
    let clip = &import.model.clips[0];
    let channels = clip
        .channels()
        .map(|(_, mesh)| mesh.map(MeshChannel::pointer));
    let pointers = ["/meshes/0/weights", "/meshes/0/weights/0"].map(|it| Some(it.to_owned()));
    let [together, alone] = pointers;
    assert_eq!(channels.collect::<Vec<_>>(), [together, None, alone]);
    assert_eq!(clip.channel_counts().keys, 6);
    assert_eq!(clip.track_count(), 4 + 1 + 3);
}

const SPECULAR_GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";

/// A clip that turns a texture of specular-glossiness, in a material with these extensions.
fn turning(texture: &str, extensions: Value) -> Import {
    let pointer = format!(
        "/materials/0/extensions/{SPECULAR_GLOSSINESS}/{texture}/extensions/KHR_texture_transform/rotation"
    );
    let mut file = moving("SCALAR", &[0.0, 1.0], &[target(&pointer)]);
    file.json["extensionsUsed"] = json!([
        "KHR_animation_pointer",
        SPECULAR_GLOSSINESS,
        "KHR_texture_transform",
        "KHR_materials_unlit",
    ]);
    file.json["textures"] = json!([{}]);
    file.json["materials"] = json!([{ "extensions": extensions }]);
    file.load()
}

/// `KHR_texture_transform` says that it applies to all textures of all extensions.
#[test]
fn textures_of_specular_glossiness_are_placed_by_clips() {
    for (texture, slot) in [
        ("diffuseTexture", TextureSlot::Diffuse),
        ("specularGlossinessTexture", TextureSlot::SpecularGlossiness),
    ] {
        for is_unlit in [false, true] {
            let placed = json!({"index": 0, "extensions": {"KHR_texture_transform": {}}});
            let mut extensions = json!({});
            extensions[SPECULAR_GLOSSINESS][texture] = placed;
            if is_unlit {
                extensions["KHR_materials_unlit"] = json!({});
            }
            let import = turning(texture, extensions);
            assert!(import.diagnostics.iter().all(|it| it.code != UNRESOLVED));
            let tracks = import.model.clips[0].properties();
            let targets: Vec<_> = tracks.iter().map(PropertyTrack::target).collect();
            let rotation = TransformProperty::Rotation;
            let expected = PropertyTarget::TextureTransform(0, slot, rotation);
            // Of unlit surfaces nothing of it is seen.
            assert_eq!(targets, [expected]);
        }
    }
}

/// Though nothing of it would be seen.
#[test]
fn an_unlit_material_has_no_texture_of_specular_glossiness_that_it_does_not_state() {
    for old in [
        Value::Null,
        json!({}),
        json!({"diffuseTexture": {"index": 0}}),
        json!({"specularGlossinessTexture": {"index": 0, "extensions": {"KHR_texture_transform": {}}}}),
    ] {
        let mut extensions = json!({"KHR_materials_unlit": {}});
        if !old.is_null() {
            extensions[SPECULAR_GLOSSINESS] = old;
        }
        let import = turning("diffuseTexture", extensions);
        assert_error(&import, UNRESOLVED, AT);
    }
}

/// However many clips ask.
#[test]
fn a_material_is_searched_once_for_the_objects_that_it_has() {
    let pointer = "/materials/0/pbrMetallicRoughness/roughnessFactor";
    let mut file = moving("SCALAR", &[0.0, 1.0], &[target(pointer)]);
    file.json["materials"] = json!([{"extras": vec![0; 500_000], "pbrMetallicRoughness": {}}]);
    let clip = file.json["animations"][0].clone();
    file.json["animations"] = vec![clip; 10_000].into();
    let (import, took) = timed(|| file.load());
    assert!(took < Duration::from_secs(4), "{took:?}");
    assert!(import.diagnostics.iter().all(|it| it.code != UNRESOLVED));
}

#[test]
fn yes_and_no_are_bytes() {
    let pointer = "/nodes/0/extensions/KHR_node_visibility/visible";
    let mut file = moving("SCALAR", &[0.0, 1.0], &[target(pointer)]);
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer", "KHR_node_visibility"]);
    file.json["nodes"][0]["extensions"] = json!({"KHR_node_visibility": {}});
    file.json["animations"][0]["samplers"][0]["interpolation"] = "STEP".into();
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT";
    let at = "/animations/0/samplers/0/output";
    let words = "accessor 2 has components of type FLOAT; yes and no must be UNSIGNED_BYTE";
    let import = file.load();
    assert_told(&import, Severity::Error, code, at, words);
    assert_eq!(import.model.clips[0].properties()[0].values(), [0.0, 1.0]);
    let flags = file.accessor("SCALAR", UNSIGNED_BYTE, 2, &[0, 1]);
    file.json["animations"][0]["samplers"][0]["output"] = flags.into();
    assert_sound(&file.load());
    file.json["animations"][0]["samplers"][0]["interpolation"] = "LINEAR".into();
    let at = "/animations/0/samplers/0/interpolation";
    assert_error(&file.load(), "VALUE_NOT_IN_LIST", at);
}

/// Tangents of splines may have any size.
#[test]
fn values_are_such_as_the_property_may_have() {
    let roughness = "/materials/0/pbrMetallicRoughness/roughnessFactor";
    let ior = "/materials/0/extensions/KHR_materials_ior/ior";
    let yfov = "/cameras/0/perspective/yfov";
    for (pointer, values, is_spline, illegal) in [
        (roughness, &[0.5, 5.0][..], false, Some("1 key has a value")),
        (roughness, &[-1.0, 5.0], false, Some("such as -1")),
        (roughness, &[0.0, 1.0], false, None),
        (roughness, &[9.0, 1.0, 9.0, -9.0, 0.0, 9.0], true, None),
        (yfov, &[-1.0, -2.0], false, Some("2 keys have values")),
        (ior, &[0.5, 1.5], false, Some("such as 0.5")),
        (ior, &[0.0, 1.5], false, None),
    ] {
        let mut file = moving("SCALAR", values, &[target(pointer)]);
        if is_spline {
            file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
        }
        file.json["extensionsUsed"] = json!(["KHR_animation_pointer", "KHR_materials_ior"]);
        let extensions = json!({"KHR_materials_ior": {}});
        file.json["materials"] = json!([{"pbrMetallicRoughness": {}, "extensions": extensions}]);
        let perspective = json!({"yfov": 1, "znear": 1});
        file.json["cameras"] = json!([{"type": "perspective", "perspective": perspective}]);
        let import = file.load();
        let at = "/animations/0/samplers/0/output";
        match illegal {
            Some(words) => {
                assert_told(&import, Severity::Error, "VALUE_NOT_IN_RANGE", at, words);
            }
            None => assert_sound(&import),
        }
    }
}

/// As in the camera itself; tangents change their sides with the value.
#[test]
fn negative_sides_of_a_parallel_projection_count_as_positive() {
    let spline: Vec<f32> = [0.5, -2.0, 1.0, 0.5, 3.0, 1.0].to_vec();
    for (values, is_spline, words, expected) in [
        (vec![-2.0, -3.0], false, "2 keys have", vec![2.0, 3.0]),
        (
            spline,
            true,
            "1 key has",
            vec![-0.5, 2.0, -1.0, 0.5, 3.0, 1.0],
        ),
    ] {
        let mut file = moving("SCALAR", &values, &[target("/cameras/0/orthographic/xmag")]);
        if is_spline {
            file.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into();
        }
        let lens = json!({"xmag": 1, "ymag": 1, "znear": 0, "zfar": 1});
        file.json["cameras"] = json!([{"type": "orthographic", "orthographic": lens}]);
        let import = file.load();
        let (code, at) = (
            "CAMERA_XMAG_YMAG_NEGATIVE",
            "/animations/0/samplers/0/output",
        );
        assert_told(&import, Severity::Warning, code, at, words);
        let mut faults = import.diagnostics.iter();
        assert!(faults.all(|it| it.severity > Severity::Error));
        assert_eq!(import.model.clips[0].properties()[0].values(), expected);
    }
}

/// A field of view should be less than π, and need not; it must be more than 0 (glTF 2.0 §5.14).
#[test]
fn a_field_of_view_that_is_too_wide_is_a_warning() {
    let (range, wide) = ("VALUE_NOT_IN_RANGE", "CAMERA_YFOV_GEQUAL_PI");
    for (values, expected) in [
        (
            [3.2, 7.0],
            &[(Severity::Warning, wide, "2 keys have values")][..],
        ),
        ([1.0, 3.0], &[]),
        ([-1.0, 1.0], &[(Severity::Error, range, "such as -1")]),
        (
            [3.2, 0.0],
            &[
                (Severity::Error, range, "1 key has a value"),
                (Severity::Warning, wide, "such as 3.2"),
            ],
        ),
    ] {
        let pointer = target("/cameras/0/perspective/yfov");
        let mut file = moving("SCALAR", &values, &[pointer]);
        let perspective = json!({"yfov": 1, "znear": 1});
        file.json["cameras"] = json!([{"type": "perspective", "perspective": perspective}]);
        let import = file.load();
        for (severity, code, words) in expected {
            let at = "/animations/0/samplers/0/output";
            assert_told(&import, *severity, code, at, words);
        }
        let found = import.diagnostics.iter();
        let found = found.filter(|it| it.code == range || it.code == wide);
        assert_eq!(found.count(), expected.len(), "{values:?}");
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
        let told = told.unwrap();
        let message = &told.message;
        assert!(message.ends_with(&format!("({words})")), "{message}");
        let node = pointer.starts_with("/nodes/0/").then_some(0);
        assert_eq!(told.place.node_index, node, "{pointer}");
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
