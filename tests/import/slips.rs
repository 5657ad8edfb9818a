//! What programs get wrong and is read all the same: it is said, and costs nothing else.

use std::path::PathBuf;

use glam::Vec3;
use rigscope::{
    import::{self, Consent, Import, Progress, Severity},
    model::{LightProperty, PropertyTarget, PropertyTrack},
};
use serde_json::json;

use super::{
    file::{BYTE, FLOAT, File, SHORT, assert_clean, assert_error, assert_found},
    opening::{Sandbox, triangle_with},
};

/// What is said with this code, each time.
fn said(import: &Import, code: &str) -> Vec<String> {
    let found = import.diagnostics.iter().filter(|it| it.code == code);
    found.map(ToString::to_string).collect()
}

/// The exporter of Blender writes a dot there.
#[test]
fn cone_angles_are_moved_by_pointers_with_a_dot() {
    let mut file = File::animated("rotation", "SCALAR", &[0.0, 1.0], &[0.25, 0.75]);
    file.json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_animation_pointer"]);
    let lights = json!([{"type": "spot", "spot": {"outerConeAngle": 1.0}}]);
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": lights}});
    file.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    for (name, property) in [
        ("outerConeAngle", LightProperty::OuterConeAngle),
        ("innerConeAngle", LightProperty::InnerConeAngle),
    ] {
        let pointer = format!("/extensions/KHR_lights_punctual/lights/0/spot.{name}");
        file.json["animations"][0]["channels"][0]["target"] = json!({
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
        });
        let import = file.load();
        let moved = import.model.clips[0].properties();
        let moved: Vec<_> = moved.iter().map(PropertyTrack::target).collect();
        assert_eq!(moved, [PropertyTarget::Light(0, property)]);
        assert_found(
            &import,
            Severity::Warning,
            "ANIMATION_POINTER_UNRESOLVED",
            "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer",
        );
        assert_eq!(import.diagnostics.len(), 1, "{:?}", import.diagnostics);
    }
}

#[test]
fn indices_and_joints_of_other_types_are_read_where_they_are_whole() {
    let bytes = |numbers: &[f32], component| -> Vec<u8> {
        let each = numbers.iter().flat_map(|&number| match component {
            BYTE => vec![(number as i8).cast_unsigned()],
            SHORT => (number as i16).to_le_bytes().to_vec(),
            _ => number.to_le_bytes().to_vec(),
        });
        each.collect()
    };
    for component in [BYTE, SHORT, FLOAT] {
        for (numbers, is_good) in [([0.0, 1.0, 2.0], true), ([0.0, -1.0, 2.0], false)] {
            let mut file = File::triangle();
            let indices = file.accessor("SCALAR", component, 3, &bytes(&numbers, component));
            file.primitive()["indices"] = indices.into();
            let import = file.load();
            let primitives = &import.model.meshes[0].primitives;
            assert_eq!(!primitives.is_empty(), is_good, "{component}");
            let code = "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT";
            assert_error(&import, code, "/meshes/0/primitives/0/indices");
            let all = &import.diagnostics;
            let errors = all.iter().filter(|it| it.severity == Severity::Error);
            assert_eq!(errors.count(), 1, "{all:?}");
            assert!(all[0].message.contains("which is not allowed here"));
        }
        let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
        let joints = bytes(&[1.0, 0.0, 0.0, 0.0].repeat(3), component);
        let joints = file.accessor("VEC4", component, 3, &joints);
        file.primitive()["attributes"]["JOINTS_0"] = joints.into();
        let import = file.load();
        let influences = &import.model.meshes[0].primitives[0].influences;
        assert_eq!(influences.as_ref().unwrap().joints[0], 1, "{component}");
    }
    // Halves are no indices.
    let mut file = File::triangle();
    let indices = file.accessor("SCALAR", FLOAT, 3, &bytes(&[0.0, 0.5, 2.0], FLOAT));
    file.primitive()["indices"] = indices.into();
    let import = file.load();
    let code = "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT";
    let told = said(&import, code);
    let words = "and not all are whole numbers (indices); the primitive is not drawn";
    assert!(told[0].ends_with(words));
}

#[test]
fn values_beyond_the_last_key_are_ignored() {
    let mut values = vec![0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 9.0, 9.0, 9.0];
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
    let import = File::animated("translation", "VEC3", &[0.0, 1.0], &values).load();
    let tracks = import.model.clips[0].translations();
    assert_eq!(tracks[0].values(), [Vec3::ZERO, Vec3::Y * 2.0]);
    assert_error(&import, code, "/animations/0/channels/0");
    // Three times as many are a spline, of which nobody knows what it is without its tangents.
    values.extend([0.0; 9]);
    let import = File::animated("translation", "VEC3", &[0.0, 1.0], &values).load();
    assert_eq!(import.model.clips[0].track_count(), 0);
    // Weights are of as many targets as nobody knows.
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.0, 1.0, 1.0]);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    let import = file.load();
    assert_eq!(import.model.clips[0].track_count(), 0);
    assert_error(&import, code, "/animations/0/channels/0");
}

#[test]
fn names_of_morph_targets_are_kept_where_others_are_none() {
    let mut file = File::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}, {"POSITION": 0}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["a", null, "c"]});
    let import = file.load();
    let names = [0, 1, 2].map(|target| import.model.meshes[0].target_name(target));
    assert_eq!(names, ["a", "target 1", "c"]);
}

#[test]
fn unknown_types_of_accessors_are_named_where_they_stand() {
    let mut file = File::triangle();
    file.json["accessors"][0]["type"] = json!("VEC5");
    let code = "VALUE_NOT_IN_LIST";
    let import = file.load();
    assert_found(&import, Severity::Warning, code, "/accessors/0/type");
    assert!(said(&import, code)[0].contains("\"VEC5\""), "{import:?}");
    file.json["accessors"][0]["type"] = json!("VEC3");
    file.json["accessors"][0]["componentType"] = json!(5130);
    let import = file.load();
    let told = said(&import, code);
    assert_found(
        &import,
        Severity::Warning,
        code,
        "/accessors/0/componentType",
    );
    assert!(told.len() == 1 && told[0].contains("5130"), "{told:?}");
}

#[test]
fn a_matrix_is_complained_about_once() {
    let mut file = File::triangle();
    file.json["nodes"][0]["matrix"] = json!([1, 0, 0, 1, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let import = file.load();
    assert_error(&import, "NODE_MATRIX_NON_TRS", "/nodes/0/matrix");
    assert_eq!(said(&import, "NODE_MATRIX_NON_TRS").len(), 1);
}

#[test]
fn scales_of_matrices_are_found_in_the_matrix() {
    let mut file = File::triangle();
    file.json["nodes"][0]["matrix"] = json!([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let (severity, at) = (Severity::Hint, "/nodes/0/matrix");
    assert_found(&file.load(), severity, "NODE_NEGATIVE_SCALE", at);
    file.json["nodes"][0]["matrix"][0] = 0.into();
    assert_found(&file.load(), Severity::Info, "NODE_ZERO_SCALE", at);
}

#[test]
fn what_is_flat_is_seen_and_what_has_no_extent_is_not() {
    let code = "NODE_ZERO_SCALE";
    let ends = |file: &File, end: &str| {
        let told = said(&file.load(), code);
        assert!(told.len() == 1 && told[0].ends_with(end), "{told:?}");
    };
    let mut file = File::triangle();
    file.json["nodes"][0]["scale"] = json!([1, 1, 0]);
    ends(&file, "; what hangs there is flat");
    file.json["nodes"][0]["scale"] = json!([1, 0, 0]);
    ends(&file, "; what hangs there is not seen");
    // Skinned meshes stand where their joints are.
    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    file.json["nodes"][0]["scale"] = json!([0, 0, 0]);
    assert!(said(&file.load(), code).is_empty());
    file.json["nodes"][0]["children"] = json!([3]);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"mesh": 0}));
    ends(&file, "; what hangs there is not seen");
}

fn open(model: PathBuf) -> Import {
    import::open(&[model], &Consent::default(), &Progress::default()).unwrap()
}

#[test]
fn pointers_of_git_lfs_are_no_vertices() {
    let sandbox = Sandbox::new("lfs");
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 36\n";
    sandbox.write("model/a.bin", pointer);
    sandbox.write("model/a.png", pointer);
    let mut json: serde_json::Value = serde_json::from_str(&triangle_with("a.bin")).unwrap();
    json["images"] = json!([{"uri": "a.png"}]);
    let import = open(sandbox.write("model/a.gltf", json.to_string().as_bytes()));
    assert!(import.model.meshes[0].primitives.is_empty());
    for pointer in ["/buffers/0/uri", "/images/0"] {
        assert_error(&import, "IO_ERROR", pointer);
    }
    let told = said(&import, "IO_ERROR");
    assert!(
        told.iter().all(|it| it.contains("git lfs pull")),
        "{told:?}"
    );
}

/// As where models are made on Windows.
#[test]
fn files_are_found_by_names_in_other_letters() {
    let sandbox = Sandbox::new("letters");
    let positions = File::triangle().bin;
    let real = sandbox.write("model/Data/Ärmel.BIN", &positions);
    let code = "URI_IN_OTHER_LETTERS";
    let load = |uri: &str| open(sandbox.write("model/a.gltf", triangle_with(uri).as_bytes()));
    for uri in ["data/ärmel.bin", "DATA\\ärmel.bin", "Data/%C3%84rmel.bin"] {
        let import = load(uri);
        assert_eq!(import.model.meshes[0].primitives.len(), 1, "{uri}");
        assert_found(&import, Severity::Warning, code, "/buffers/0/uri");
        let told = &said(&import, code)[0];
        assert!(told.contains("\"Data/Ärmel.BIN\""), "{told}");
        assert!(import.files.contains(&real.canonicalize().unwrap()));
    }
    assert!(said(&load("Data/Ärmel.BIN"), code).is_empty());
    // Of two nobody knows which is meant, and nothing outside is looked for.
    sandbox.write("model/Data/ärmel.bin", &positions);
    for uri in [
        "data/ÄRMEL.bin",
        "../OUTSIDE.bin",
        "../Model/data/ärmel.bin",
    ] {
        let import = load(uri);
        assert!(import.model.meshes[0].primitives.is_empty(), "{uri}");
        assert!(said(&import, code).is_empty(), "{uri}");
    }
}

/// As archives of macOS spell them (Unicode Standard Annex 15).
#[test]
fn files_are_found_by_names_that_compose_letters_otherwise() {
    let sandbox = Sandbox::new("composed");
    let positions = File::triangle().bin;
    sandbox.write("apart/A\u{308}rmel.bin", &positions);
    sandbox.write("whole/\u{c4}rmel.bin", &positions);
    for uri in [
        "apart/\u{c4}rmel.bin",
        "apart/%C3%84rmel.bin",
        "whole/A\u{308}rmel.bin",
    ] {
        let import = open(sandbox.write("a.gltf", triangle_with(uri).as_bytes()));
        assert_eq!(import.model.meshes[0].primitives.len(), 1, "{uri}");
        let code = "URI_IN_OTHER_LETTERS";
        assert_found(&import, Severity::Warning, code, "/buffers/0/uri");
        let told = &said(&import, code)[0];
        assert!(told.contains("composes the same letters"), "{told}");
    }
}

/// Web pages append such to keep old files out, and many names hold these characters (RFC 3986 §3.4, §3.5).
#[test]
fn files_are_found_with_and_without_queries_and_fragments() {
    let sandbox = Sandbox::new("queries");
    let positions = File::triangle().bin;
    sandbox.write("data.bin", &positions);
    let load = |uri: &str| open(sandbox.write("a.gltf", triangle_with(uri).as_bytes()));
    for uri in ["data.bin?v=3", "data.bin#x", "data%2Ebin?a=b#c"] {
        let import = load(uri);
        assert_eq!(import.model.meshes[0].primitives.len(), 1, "{uri}");
        assert_clean(&import);
    }
    // A query is one only where it is not encoded, and a file of the whole name comes first.
    assert!(load("data.bin%3Fv=3").model.meshes[0].primitives.is_empty());
    sandbox.write("data.bin?v=3", b"another");
    assert!(load("data.bin?v=3").model.meshes[0].primitives.is_empty());
}

#[test]
fn extensions_that_change_no_picture_are_no_reason_to_refuse_a_file() {
    for name in [
        "AGI_stk_metadata",
        "EXT_feature_metadata",
        "EXT_instance_features",
        "EXT_mesh_features",
        "EXT_mesh_manifold",
        "EXT_structural_metadata",
        "FB_ngon_encoding",
        "GODOT_single_root",
        "KHR_audio_emitter",
        "KHR_implicit_shapes",
        "MSFT_lod",
        "MSFT_packing_normalRoughnessMetallic",
        "MSFT_packing_occlusionRoughnessMetallic",
    ] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        file.json["extensionsRequired"] = json!([name]);
        assert_clean(&file.load());
    }
    // Outlines, and what moves nodes without a clip, are missed.
    for name in [
        "AGI_articulations",
        "CESIUM_primitive_outline",
        "KHR_interactivity",
        "KHR_physics_rigid_bodies",
    ] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        let (code, at) = ("EXTENSION_NOT_DRAWN", "/extensionsUsed/0");
        assert_found(&file.load(), Severity::Info, code, at);
        file.json["extensionsRequired"] = json!([name]);
        let at = "/extensionsRequired/0";
        assert_found(&file.load(), Severity::Warning, code, at);
    }
}

#[test]
fn extensions_have_attributes_of_their_own() {
    let mut file = File::triangle();
    let name = "KHR_gaussian_splatting:SCALE";
    file.primitive()["attributes"][name] = json!(0);
    let code = "MESH_PRIMITIVE_INVALID_ATTRIBUTE";
    let at = format!("/meshes/0/primitives/0/attributes/{name}");
    assert_error(&file.load(), code, &at);
    file.json["extensionsUsed"] = json!(["KHR_gaussian_splatting"]);
    assert!(said(&file.load(), code).is_empty());
}

#[test]
fn warns_of_what_has_no_effect() {
    let mut file = File::triangle();
    let tangents = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"]["TANGENT"] = tangents.into();
    file.json["extensionsUsed"] = json!(["KHR_materials_volume", "KHR_materials_dispersion"]);
    let volume = json!({"KHR_materials_volume": {}, "KHR_materials_dispersion": {}});
    let dispersion = json!({"KHR_materials_dispersion": {}});
    file.json["materials"] = json!([
        {"alphaCutoff": 0.5, "extensions": volume},
        {"alphaCutoff": 0.5, "alphaMode": "MASK", "extensions": dispersion},
    ]);
    let lens = json!({"xmag": -1.0, "ymag": 1.0, "znear": 0.0, "zfar": 1.0});
    file.json["cameras"] = json!([{"type": "orthographic", "orthographic": lens}]);
    let import = file.load();
    for (severity, code, at) in [
        (
            Severity::Warning,
            "MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL",
            "/meshes/0/primitives/0/attributes/TANGENT",
        ),
        (
            Severity::Info,
            "MATERIAL_ALPHA_CUTOFF_INVALID_MODE",
            "/materials/0/alphaCutoff",
        ),
        (
            Severity::Warning,
            "KHR_MATERIALS_VOLUME_NO_TRANSMISSION",
            "/materials/0/extensions/KHR_materials_volume",
        ),
        (
            Severity::Warning,
            "KHR_MATERIALS_DISPERSION_NO_VOLUME",
            "/materials/1/extensions/KHR_materials_dispersion",
        ),
        (
            Severity::Warning,
            "CAMERA_XMAG_YMAG_NEGATIVE",
            "/cameras/0/orthographic/xmag",
        ),
    ] {
        assert_found(&import, severity, code, at);
        assert_eq!(said(&import, code).len(), 1, "{code}");
    }
    let mut file = File::triangle();
    file.bin.extend([0; 8]);
    let mut glb = file.to_glb();
    let text = String::from_utf8(glb.clone().into_iter().filter(u8::is_ascii).collect());
    assert!(text.unwrap().contains("\"byteLength\":44"));
    let place = glb.windows(2).rposition(|it| it == b"44").unwrap();
    glb[place..place + 2].copy_from_slice(b"36");
    let import = super::file::load(&glb);
    assert_found(
        &import,
        Severity::Info,
        "BUFFER_GLB_CHUNK_TOO_BIG",
        "/buffers/0",
    );
}

#[test]
fn warns_of_extensions_that_do_not_go_with_the_material() {
    let mut file = File::triangle();
    let glow = json!({"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}});
    let film = json!({"KHR_materials_iridescence": {"iridescenceThicknessMinimum": 50.0}});
    let coat = |set: u32| {
        let texture = json!({"index": 0, "texCoord": set});
        json!({"KHR_materials_clearcoat": {"clearcoatNormalTexture": texture}})
    };
    file.json["extensionsUsed"] = json!([
        "KHR_materials_emissive_strength",
        "KHR_materials_iridescence",
        "KHR_materials_clearcoat"
    ]);
    file.json["materials"] = json!([
        {"extensions": glow},
        {"extensions": glow, "emissiveFactor": [0.0, 0.1, 0.0]},
        {"extensions": film},
        {"extensions": coat(1), "normalTexture": {"index": 0}},
        {"extensions": coat(0), "normalTexture": {"index": 0}},
    ]);
    let import = file.load();
    for (severity, code, at) in [
        (
            Severity::Warning,
            "KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR",
            "/materials/0/extensions/KHR_materials_emissive_strength",
        ),
        (
            Severity::Info,
            "KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE",
            "/materials/2/extensions/KHR_materials_iridescence/iridescenceThicknessMinimum",
        ),
        (
            Severity::Warning,
            "KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD",
            "/materials/3/extensions/KHR_materials_clearcoat/clearcoatNormalTexture",
        ),
    ] {
        assert_found(&import, severity, code, at);
        assert_eq!(said(&import, code).len(), 1, "{code}");
    }
}

#[test]
fn a_pointer_to_weights_that_nobody_takes_is_told() {
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.25, 0.75]);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.json["nodes"][0]["weights"] = json!([0.5]);
    file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    for pointer in ["/meshes/0/weights", "/meshes/0/weights/0"] {
        file.json["animations"][0]["channels"][0]["target"] = json!({
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
        });
        let import = file.load();
        assert_eq!(import.model.clips[0].track_count(), 0);
        assert_found(
            &import,
            Severity::Info,
            "ANIMATION_POINTER_UNRESOLVED",
            "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer",
        );
    }
}

#[test]
fn one_is_not_several() {
    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let matrix = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let matrices = file.floats("MAT4", &matrix);
    file.json["skins"][0]["inverseBindMatrices"] = matrices.into();
    let indices = file.shorts(&[0, 1, 2, 7]);
    file.primitive()["indices"] = indices.into();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file.json["meshes"][0]["weights"] = json!([0.0, 1.0]);
    let import = file.load();
    for (code, text) in [
        (
            "INVALID_IBM_ACCESSOR_COUNT",
            ": there is 1 matrix for 2 joints; ",
        ),
        (
            "ACCESSOR_INDEX_OOB",
            ": 1 index reaches beyond the 3 vertices; ",
        ),
        (
            "MESH_PRIMITIVE_INCOMPATIBLE_MODE",
            ": the last index makes no whole shape; ",
        ),
        (
            "MESH_INVALID_WEIGHTS_COUNT",
            ": there are 2 weights for 1 morph target; ",
        ),
        ("SKIN_UNUSED_JOINTS", ": 1 joint of 2 moves no vertex, "),
    ] {
        let told = said(&import, code);
        assert!(told[0].contains(text), "{told:?}");
    }
}
