//! What few files do: legal, and then it must not be called a fault; or a fault that costs nothing, and must be said.

use rigscope::import::{self, Consent, Import, Progress, Severity};
use serde_json::json;

use super::{
    file::{
        File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found, assert_sound, load, refusal,
    },
    opening::{Sandbox, triangle_with},
};

const JOINTS: [u8; 12] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0];
const HALVES: [f32; 12] = [0.5, 0.5, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0];
const IDENTITY: [f32; 16] = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
];

/// glTF 2.0 §3.6.2.4: columns start at multiples of four bytes; after the last one nothing does.
#[test]
fn the_last_column_of_a_matrix_needs_no_padding() {
    for (bytes, is_whole) in [(22, true), (21, false)] {
        let mut file = File::triangle();
        let matrices = file.accessor("MAT2", UNSIGNED_BYTE, 3, &vec![1; bytes]);
        file.json["meshes"][0]["primitives"][0]["attributes"]["_TURN"] = matrices.into();
        // Without it, as the validator has it, elements of six bytes would lie beside one another.
        let packed = file.load();
        let pointer = "/meshes/0/primitives/0/attributes/_TURN";
        assert_error(&packed, "MESH_PRIMITIVE_ACCESSOR_UNALIGNED", pointer);
        let views = file.json["bufferViews"].as_array_mut().unwrap();
        views.last_mut().unwrap()["byteStride"] = 8.into();
        let import = file.load();
        if is_whole {
            assert_clean(&import);
        } else {
            assert_error(&import, "ACCESSOR_TOO_LONG", "/accessors/1/byteOffset");
        }
    }
}

#[test]
fn inverse_bind_matrices_without_data_are_not_judged() {
    let mut file = File::skinned(&JOINTS, &HALVES);
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(json!({"componentType": 5126, "type": "MAT4", "count": 2}));
    file.json["skins"][0]["inverseBindMatrices"] = json!(3);
    let import = file.load();
    let errors = import.diagnostics.iter();
    assert_eq!(
        errors.filter(|it| it.severity == Severity::Error).count(),
        0
    );
}

#[test]
fn the_last_row_of_inverse_bind_matrices_is_exact() {
    let mut matrices = [IDENTITY, IDENTITY].concat();
    for (last, is_exact) in [(1.0, true), (1.0_f32.next_down(), false)] {
        matrices[31] = last;
        let mut file = File::skinned(&JOINTS, &HALVES);
        let accessor = file.floats("MAT4", &matrices);
        file.json["skins"][0]["inverseBindMatrices"] = accessor.into();
        let import = file.load();
        if is_exact {
            assert_sound(&import);
        } else {
            assert_error(
                &import,
                "ACCESSOR_INVALID_IBM",
                "/skins/0/inverseBindMatrices",
            );
        }
    }
}

#[test]
fn what_lies_in_a_buffer_without_data_is_no_fault_of_its_clip() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[0.0; 6]);
    file.json["buffers"] = json!([{"byteLength": file.bin.len()}]);
    let import = load(file.json.to_string().as_bytes());
    assert_found(
        &import,
        Severity::Warning,
        "BUFFER_VIEW_UNREADABLE",
        "/meshes/0/primitives/0/attributes/POSITION",
    );
    let errors = import.diagnostics.iter();
    assert_eq!(
        errors.filter(|it| it.severity == Severity::Error).count(),
        0
    );
}

#[test]
fn a_buffer_that_nothing_refers_to_may_be_anywhere() {
    let mut file = File::empty();
    file.json["buffers"] = json!([{"byteLength": 4}]);
    assert_clean(&load(file.json.to_string().as_bytes()));
    file.json["bufferViews"] = json!([{"buffer": 0, "byteLength": 4}]);
    let import = load(file.json.to_string().as_bytes());
    let code = "BUFFER_WITHOUT_DATA";
    assert_found(&import, Severity::Warning, code, "/buffers/0");
}

/// One missing file, or one accessor without key times, must not drown what is said of it.
#[test]
fn what_many_channels_lack_is_told_once() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[0.0; 6]);
    let nodes = 30;
    file.json["nodes"] = (0..nodes).map(|_| json!({})).collect();
    file.json["animations"][0]["channels"] = (0..nodes)
        .map(|node| json!({"sampler": 0, "target": {"node": node, "path": "translation"}}))
        .collect();
    let lost = {
        let mut json = file.json.clone();
        json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "gone.bin"}]);
        load(json.to_string().as_bytes())
    };
    let faults = |import: &Import| -> Vec<String> {
        let found = import.diagnostics.iter();
        let faults = found.filter(|it| it.severity <= Severity::Warning);
        faults.map(ToString::to_string).collect()
    };
    let told = faults(&lost);
    let [_, uses] = told.as_slice() else {
        panic!("{told:#?}");
    };
    // The positions of the mesh, which is not placed, and the key times of each channel.
    let words = "buffer 0 has no data, as 30 other uses of it find";
    assert!(uses.contains(words), "{uses}");
    file.json["accessors"][1]["type"] = "VEC2".into();
    let told = faults(&file.load());
    let words = "its key times, and those of 29 other channels, cannot be used";
    let of_channels = told.iter().filter(|it| it.contains("channels/"));
    let of_channels: Vec<_> = of_channels.collect();
    assert!(
        of_channels.len() == 1 && of_channels[0].contains(words),
        "{told:#?}"
    );
}

#[test]
fn scenes_that_show_a_skinned_mesh_show_the_root_of_its_joints() {
    let mut file = File::skinned(&JOINTS, &HALVES);
    assert_sound(&file.load());
    file.json["scenes"] = json!([{"nodes": [0, 1]}, {"nodes": [0]}]);
    assert_error(&file.load(), "NODE_SKIN_NO_SCENE", "/nodes/0");
    // Joints alone may be shown.
    file.json["scenes"] = json!([{"nodes": [0, 1]}, {"nodes": [1]}]);
    assert_sound(&file.load());
}

#[test]
fn channels_do_not_move_nodes_with_a_matrix() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[0.0; 6]);
    assert_sound(&file.load());
    file.json["nodes"][0]["matrix"] = json!(IDENTITY);
    let pointer = "/animations/0/channels/0/target";
    assert_error(
        &file.load(),
        "ANIMATION_CHANNEL_TARGET_NODE_MATRIX",
        pointer,
    );
}

/// Of a node that has one, the channels of others are no matter.
#[test]
fn channels_may_move_nodes_beside_one_with_a_matrix() {
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[0.0; 6]);
    file.json["nodes"] = json!([{"mesh": 0}, {"matrix": IDENTITY}]);
    let clip = file.json["animations"][0].clone();
    let mut other = clip.clone();
    other["channels"][0]["target"]["node"] = 1.into();
    file.json["animations"] = json!([clip, other]);
    let import = file.load();
    let code = "ANIMATION_CHANNEL_TARGET_NODE_MATRIX";
    let found = import.diagnostics.iter().filter(|it| it.code == code);
    let places: Vec<_> = found.map(|it| &*it.pointer).collect();
    assert_eq!(places, ["/animations/1/channels/0/target"]);
}

#[test]
fn a_file_does_not_need_a_later_version_than_its_own() {
    let consent = Consent {
        unknown_features: true,
        ..Consent::default()
    };
    let folder = std::env::temp_dir().join(format!("rigscope-versions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.gltf");
    let mut file = File::triangle();
    for (version, is_faulty) in [("2.0", true), ("2.1", false)] {
        file.json["asset"] = json!({"version": version, "minVersion": "2.1"});
        std::fs::write(&path, file.to_text()).unwrap();
        let files = std::slice::from_ref(&path);
        let import = import::open(files, &consent, &Progress::default()).unwrap();
        let code = "ASSET_MIN_VERSION_GREATER_THAN_VERSION";
        let found = import.diagnostics.iter().filter(|it| it.code == code);
        assert_eq!(found.count(), usize::from(is_faulty), "{version}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn morph_targets_have_what_the_primitive_has_and_bounds() {
    let mut file = File::triangle();
    let deltas = file.floats("VEC3", &[0.5; 9]);
    file.primitive()["targets"] = json!([{"POSITION": deltas, "NORMAL": deltas}]);
    let targets = "/meshes/0/primitives/0/targets/0";
    let import = file.load();
    let code = "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR";
    assert_error(&import, code, &format!("{targets}/NORMAL"));
    file.primitive()["targets"] = json!([{"POSITION": deltas}]);
    assert_sound(&file.load());
    let accessor = file.json["accessors"][deltas].as_object_mut().unwrap();
    accessor.remove("min");
    accessor.remove("max");
    let code = "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS";
    assert_error(&file.load(), code, &format!("{targets}/POSITION"));
}

/// The Khronos validator warns of tangents without normals, and has nothing against targets that move them.
#[test]
fn tangents_that_are_left_out_may_be_moved() {
    let mut file = File::triangle();
    let tangents = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(3));
    let deltas = file.floats("VEC3", &[0.5; 9]);
    file.primitive()["attributes"]["TANGENT"] = tangents.into();
    file.primitive()["targets"] = json!([{"TANGENT": deltas}]);
    let import = file.load();
    let mut errors = import.diagnostics.iter();
    let error = errors.find(|it| it.severity == Severity::Error);
    assert!(error.is_none(), "{error:?}");
}

#[test]
fn pointers_of_channels_have_the_form_of_pointers() {
    let faulty = ["nodes/0/scale", "/nodes/0/~scale", "/nodes/0/scale~"];
    let unknown = ["", "/", "/extras/~0~1", "/nodes/0/color"];
    let pointers = faulty.map(|it| (it, true)).into_iter();
    for (pointer, is_faulty) in pointers.chain(unknown.map(|it| (it, false))) {
        let mut file = File::animated("pointer", "VEC3", &[0.0, 1.0], &[0.0; 6]);
        file.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
        file.json["animations"][0]["channels"][0]["target"] = json!({
            "path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}},
        });
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let is_said = found.any(|it| it.code == "PATTERN_MISMATCH");
        assert_eq!(is_said, is_faulty, "{pointer}");
    }
}

#[test]
fn quantization_has_no_object_anywhere() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    assert_sound(&file.load());
    file.json["accessors"][0]["extensions"] = json!({"KHR_mesh_quantization": {}});
    let pointer = "/accessors/0/extensions/KHR_mesh_quantization";
    assert_error(&file.load(), "UNEXPECTED_EXTENSION_OBJECT", pointer);
}

#[test]
fn attributes_of_a_primitive_that_is_not_drawn_lead_somewhere() {
    let mut file = File::triangle();
    file.primitive()["attributes"] = json!({"TEXCOORD_0": 9});
    let pointer = "/meshes/0/primitives/0/attributes/TEXCOORD_0";
    assert_error(&file.load(), "UNRESOLVED_REFERENCE", pointer);
}

#[test]
fn a_camera_of_another_kind_is_not_looked_through() {
    let mut file = File::triangle();
    file.json["cameras"] = json!([{"type": "fisheye"}]);
    let import = file.load();
    assert_found(
        &import,
        Severity::Warning,
        "VALUE_NOT_IN_LIST",
        "/cameras/0",
    );
    let errors = import.diagnostics.iter();
    assert_eq!(
        errors.filter(|it| it.severity == Severity::Error).count(),
        0
    );
}

#[test]
fn textures_name_images_that_the_specification_knows() {
    let mut file = File::triangle();
    let view = file.view(b"v/1\x01\x02");
    file.json["images"] = json!([{"bufferView": view, "mimeType": "image/exr"}]);
    file.json["textures"] = json!([{"source": 0}]);
    let code = "TEXTURE_INVALID_IMAGE_MIME_TYPE";
    assert_error(&file.load(), code, "/textures/0/source");
    // A draft that is not known here may name what is not known here.
    let view = file.view(b"\xabKTX 20\xbb\r\n\x1a\n");
    file.json["images"] = json!([{"bufferView": view, "mimeType": "image/ktx2"}]);
    file.json["textures"] = json!([{"extensions": {"KHR_texture_ktx": {"source": 0}}}]);
    for (name, is_faulty) in [("KHR_texture_ktx", false), ("EXT_texture_webp", true)] {
        file.json["extensionsUsed"] = json!([name]);
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let is_said = found.any(|it| it.code == "IMAGE_NON_ENABLED_MIME_TYPE");
        assert_eq!(is_said, is_faulty, "{name}");
    }
}

#[test]
fn containers_of_unknown_extensions_are_no_errors() {
    let mut file = File::triangle();
    let view = file.view(b"\xabKTX 20\xbb\r\n\x1a\n");
    file.json["images"] = json!([{"bufferView": view, "mimeType": "image/ktx2"}]);
    file.json["textures"] = json!([{"extensions": {"EXT_texture_astc": {"source": 0}}}]);
    file.json["extensionsUsed"] = json!(["EXT_texture_astc"]);
    let import = file.load();
    let code = "IMAGE_NON_ENABLED_MIME_TYPE";
    assert_found(&import, Severity::Warning, code, "/images/0");
    let mut others = import.diagnostics.iter();
    assert!(others.all(|it| it.code != "TEXTURE_INVALID_IMAGE_MIME_TYPE"));
}

#[test]
fn for_clips_and_for_poses_images_are_not_looked_for() {
    let sandbox = Sandbox::new("clips-alone");
    let mut file: serde_json::Value = serde_json::from_str(&triangle_with("a.bin")).unwrap();
    file["images"] = json!([{"uri": "skin.png"}]);
    file["textures"] = json!([{"source": 0}]);
    file["materials"] = json!([{"normalTexture": {"index": 0}, "emissiveTexture": {"index": 0}}]);
    file["meshes"][0]["primitives"][0]["material"] = json!(0);
    file["animations"] = json!([{
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        "samplers": [{"input": 1, "output": 0}],
    }]);
    let accessors = file["accessors"].as_array_mut().unwrap();
    accessors.push(json!({
        "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [2]
    }));
    let times = [0.0_f32, 1.0, 2.0];
    let mut bytes: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
    bytes.resize(36, 0);
    sandbox.write("model/a.bin", &bytes);
    let path = sandbox.write("model/a.gltf", file.to_string().as_bytes());
    let (given, consent, progress) = ([path], Consent::default(), Progress::default());
    let clips = import::open_clips(&given, &consent, &progress).unwrap();
    let posed = import::open_to_pose(&given, &consent, &progress).unwrap();
    let shown = import::open(&given, &consent, &progress).unwrap();
    let is_looked_for = |import: &Import| import.files.iter().any(|it| it.ends_with("skin.png"));
    assert!(is_looked_for(&shown), "{:?}", shown.files);
    assert_eq!(shown.model.clips.len(), 1);
    let clips_of = |import: &Import| format!("{:?}", import.model.clips);
    for import in [&clips, &posed] {
        assert_eq!(clips_of(import), clips_of(&shown));
        assert!(!is_looked_for(import), "{:?}", import.files);
    }
    assert!(clips.model.images.is_empty());
    assert!(clips.model.meshes[0].primitives.is_empty());
    // The image that is not there is a checkerboard, too.
    let but_clips = |import: Import| {
        let mut model = import.model;
        model.clips.clear();
        // Nor is it a map, which a pose does not ask for.
        model.materials.clear();
        format!("{model:?}")
    };
    assert_eq!(but_clips(posed), but_clips(shown));
}

/// Clips that play on another model need the names and the weights of its own, and no vertices.
#[test]
fn for_clips_meshes_are_read_without_vertices() {
    let mut file = File::skinned(&[0, 9, 0, 0].repeat(3), &[0.5, 0.5, 0.0, 0.0].repeat(3));
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["smile", "blink"]});
    file.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    let sandbox = Sandbox::new("clips-meshes");
    let path = sandbox.write("model/a.gltf", file.to_text().as_bytes());
    let (given, consent, progress) = ([path], Consent::default(), Progress::default());
    let clips = import::open_clips(&given, &consent, &progress).unwrap();
    let shown = import::open(&given, &consent, &progress).unwrap();
    let code = "ACCESSOR_JOINTS_INDEX_OOB";
    let is_said = |import: &Import| import.diagnostics.iter().any(|it| it.code == code);
    assert!(
        is_said(&shown) && !is_said(&clips),
        "{:?}",
        clips.diagnostics
    );
    let without_primitives = |import: &Import| {
        let mut mesh = import.model.meshes[0].clone();
        mesh.primitives.clear();
        format!("{mesh:?}")
    };
    assert!(clips.model.meshes[0].primitives.is_empty());
    assert_eq!(without_primitives(&clips), without_primitives(&shown));
    assert_eq!(shown.model.meshes[0].target_count, 2);
    let weights = |import: &Import| format!("{:?}", import.model.hierarchy);
    assert_eq!(weights(&clips), weights(&shown));
}

#[test]
fn of_very_many_unknown_extensions_a_few_are_named() {
    let mut file = File::triangle();
    let names: Vec<String> = (0..1000).map(|number| format!("EXT_{number}")).collect();
    file.json["extensionsUsed"] = json!(names);
    file.json["extensionsRequired"] = json!(names);
    let said = refusal(&file.to_glb());
    assert!(said.contains("EXT_6, EXT_7 and 992 more"), "{said}");
    file.json["extensionsRequired"] = json!(names[..8]);
    let said = refusal(&file.to_glb());
    assert!(
        said.contains("EXT_6, EXT_7") && !said.contains("more"),
        "{said}"
    );
}

#[test]
fn a_name_that_no_file_can_have_is_not_called_empty() {
    let sandbox = Sandbox::new("no-name");
    for (uri, words) in [("a\0.bin", "can be the name of no file"), ("", "is empty")] {
        let path = sandbox.write("model/a.gltf", triangle_with(uri).as_bytes());
        let import = import::load(&path, &Progress::default()).unwrap();
        assert_error(&import, "INVALID_URI", "/buffers/0/uri");
        let mut found = import.diagnostics.iter();
        let message = &found.find(|it| it.code == "INVALID_URI").unwrap().message;
        assert!(message.ends_with(words), "{message}");
    }
}
