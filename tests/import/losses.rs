//! What a fault costs: no more than what cannot be without what is broken.

use rigscope::import::Severity;
use serde_json::json;

use super::{
    file::{File, UNSIGNED_BYTE, assert_error, load},
    mending::{assert_errors, said},
};

#[test]
fn what_is_no_name_leaves_the_other_extensions() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!([1, "EXT_unheard_of", "KHR_materials_unlit"]);
    file.json["materials"] = json!([{"extensions": {"KHR_materials_unlit": {}}}]);
    file.json["extensionsRequired"] = json!([null, "KHR_materials_unlit"]);
    file.primitive()["material"] = 0.into();
    let import = file.load();
    assert_errors(
        &import,
        &[
            ("ARRAY_TYPE_MISMATCH", "/extensionsRequired/0"),
            ("ARRAY_TYPE_MISMATCH", "/extensionsUsed/0"),
        ],
    );
    let (message, _) = said(&import, "/extensionsUsed/1");
    assert!(message.contains("EXT_unheard_of"), "{message}");
    let asset = &import.model.asset;
    assert_eq!(
        asset.extensions_used,
        ["EXT_unheard_of", "KHR_materials_unlit"]
    );
    assert_eq!(asset.extensions_required, ["KHR_materials_unlit"]);
    assert!(import.model.materials[0].unlit);
}

#[test]
fn an_attribute_of_a_morph_target_leaves_the_others() {
    let mut file = File::triangle();
    let [positions, tex_coords] = [("VEC3", 9), ("VEC2", 6)].map(|(shape, count)| {
        let numbers: Vec<f32> = (0..count).map(|n| n as f32 / 10.0).collect();
        file.floats(shape, &numbers)
    });
    let primitive = file.primitive();
    primitive["attributes"]["TEXCOORD_0"] = tex_coords.into();
    primitive["attributes"]["COLOR_0"] = positions.into();
    primitive["targets"] =
        json!([{"POSITION": positions, "TEXCOORD_0": tex_coords, "COLOR_0": -1}]);
    let import = file.load();
    let pointer = "/meshes/0/primitives/0/targets/0/COLOR_0";
    assert_errors(&import, &[("INVALID_INDEX", pointer)]);
    let target = &import.model.meshes[0].primitives[0].targets[0];
    assert_eq!((target.positions.len(), target.tex_coords[0].len()), (3, 3));
}

/// Whoever takes its weights is at no fault.
#[test]
fn a_primitive_that_cannot_be_read_has_its_morph_targets() {
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.0, 0.25, 0.5, 0.75]);
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.json["meshes"][0]["weights"] = json!([0.0, 1.0]);
    file.json["nodes"][0]["weights"] = json!([1.0, 0.0]);
    file.primitive()["indices"] = json!(-1);
    let import = file.load();
    let pointer = "/meshes/0/primitives/0/indices";
    assert_errors(&import, &[("INVALID_INDEX", pointer)]);
    assert_eq!(import.model.meshes[0].target_count, 2);
    assert_eq!(import.model.clips[0].weights()[0].width(), 2);
}

#[test]
fn what_is_no_mesh_is_said_once() {
    let mut file = File::triangle();
    let meshes = file.json["meshes"].as_array_mut().unwrap();
    meshes.push(7.into());
    let import = file.load();
    assert_errors(&import, &[("TYPE_MISMATCH", "/meshes/1")]);
    assert_eq!(import.model.meshes.len(), 2);
}

#[test]
fn bad_indices_lose_their_primitive() {
    // Without them its vertices would be drawn in another order.
    for bad in [json!(-1), json!("a"), json!(0.5)] {
        let mut file = File::triangle();
        file.primitive()["indices"] = bad;
        let import = file.load();
        let pointer = "/meshes/0/primitives/0/indices";
        assert_eq!(said(&import, pointer).1, "the primitive is not drawn");
        assert!(import.model.meshes[0].primitives.is_empty());
    }
}

#[test]
fn a_file_that_lost_its_end_loses_what_was_there() {
    let mut file = File::triangle();
    let indices = file.shorts(&[0, 1, 2, 0, 2, 1, 1, 2, 0]);
    file.primitive()["indices"] = indices.into();
    let view = &file.json["accessors"][indices]["bufferView"];
    let view = view.as_u64().unwrap() as usize;
    // The last index is gone, and with it its triangle.
    file.json["bufferViews"][view]["byteLength"] = 16.into();
    let import = file.load();
    let pointer = format!("/accessors/{indices}/byteOffset");
    assert_errors(&import, &[("ACCESSOR_TOO_LONG", &pointer)]);
    let action = said(&import, &pointer).1;
    assert_eq!(action, "the 8 elements that are there are read");
    assert_eq!(import.model.triangle_count(), 2);
}

#[test]
fn bad_sparse_parts_leave_what_they_would_replace() {
    for (part, key, value) in [
        ("indices", "byteOffset", json!(100)),
        ("values", "byteOffset", json!(100)),
        ("indices", "bufferView", json!(77)),
        ("values", "bufferView", json!(77)),
    ] {
        let mut file = File::triangle();
        let indices = file.shorts(&[2]);
        let values = file.floats("VEC3", &[5.0, 5.0, 5.0]);
        let view = |accessor: usize| file.json["accessors"][accessor]["bufferView"].clone();
        let mut sparse = json!({
            "count": 1,
            "indices": {"bufferView": view(indices), "componentType": 5123},
            "values": {"bufferView": view(values)},
        });
        sparse[part][key] = value;
        file.json["accessors"][0]["sparse"] = sparse;
        let import = file.load();
        let found = import.diagnostics.iter();
        let mut errors = found.filter(|it| it.severity == Severity::Error);
        let error = errors.next().unwrap();
        assert!(
            error
                .pointer
                .starts_with(&format!("/accessors/0/sparse/{part}")),
            "{error:?}"
        );
        assert_eq!(error.action, "no elements are replaced");
        let positions = &import.model.meshes[0].primitives[0].vertices.positions;
        assert_eq!(positions[2], glam::Vec3::Y);
    }
}

/// What replaces elements is there though what it replaces is not.
#[test]
fn sparse_elements_outlive_what_they_replace() {
    for (key, value, second) in [
        ("bufferView", json!(77), 0.0),
        ("byteOffset", json!(100), 0.0),
        ("byteOffset", json!(12), 0.0),
        ("byteOffset", json!(0), 1.0),
    ] {
        let mut file = File::triangle();
        let indices = file.shorts(&[0, 2]);
        let values = file.floats("VEC3", &[5.0, 5.0, 5.0, 6.0, 6.0, 6.0]);
        let view = |accessor: usize| file.json["accessors"][accessor]["bufferView"].clone();
        let sparse = json!({
            "count": 2,
            "indices": {"bufferView": view(indices), "componentType": 5123},
            "values": {"bufferView": view(values)},
        });
        file.json["accessors"][0]["sparse"] = sparse;
        let own = view_of(&file, 0);
        file.json["bufferViews"][own]["byteLength"] = 24.into();
        file.json["accessors"][0][key] = value.clone();
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let action = "those that are not replaced are zero";
        assert!(
            found.any(|it| it.action == action),
            "{:?}",
            import.diagnostics
        );
        let positions = &import.model.meshes[0].primitives[0].vertices.positions;
        let [first, middle, last] = positions[..] else {
            panic!("{positions:?}");
        };
        assert_eq!(
            (first.x, middle.x, last.x),
            (5.0, second, 6.0),
            "{key} {value}"
        );
    }
}

fn view_of(file: &File, accessor: usize) -> usize {
    let view = file.json["accessors"][accessor]["bufferView"].as_u64();
    view.unwrap() as usize
}

#[test]
fn a_bad_joint_costs_only_its_own_weights() {
    for bad in [json!(77), json!(-1), json!("a")] {
        // Vertex 1 hangs on the bad joint alone, vertex 2 half on it.
        let joints = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
        let weights = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0];
        let mut file = File::skinned(&joints, &weights);
        let good = file.json["skins"][0]["joints"][0].clone();
        file.json["skins"][0]["joints"] = json!([good, bad]);
        let skin = file.json["skins"][0].as_object_mut().unwrap();
        skin.remove("inverseBindMatrices");
        let import = file.load();
        assert_eq!(said(&import, "/skins/0/joints/1").1, "it moves no vertex");
        let pointer = "/meshes/0/primitives/0/attributes/JOINTS_0";
        assert_error(&import, "ACCESSOR_JOINTS_INDEX_OOB", pointer);
        let primitive = &import.model.meshes[0].primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        assert_eq!(influences.weights, [1.0, 0.0, 0.0, 0.0].repeat(3));
        assert_eq!(influences.joints, [0; 12]);
    }
}

#[test]
fn a_bad_morph_target_leaves_the_others() {
    let mut file = File::triangle();
    let deltas = file.floats("VEC3", &[0.5; 9]);
    file.primitive()["targets"] = json!([null, {"POSITION": deltas}, 5]);
    let import = file.load();
    let place = "/meshes/0/primitives/0/targets";
    assert_errors(
        &import,
        &[
            ("ARRAY_TYPE_MISMATCH", place),
            ("ARRAY_TYPE_MISMATCH", place),
        ],
    );
    assert_eq!(
        said(&import, place),
        ("item 0 is not an object", "it moves nothing")
    );
    let targets = &import.model.meshes[0].primitives[0].targets;
    let lengths: Vec<_> = targets.iter().map(|it| it.positions.len()).collect();
    assert_eq!(lengths, [0, 3, 0]);
}

#[test]
fn of_too_many_morph_targets_the_first_are_read() {
    let mut file = File::triangle();
    let deltas = file.floats("VEC3", &[0.5; 9]);
    file.primitive()["targets"] = vec![json!({"POSITION": deltas}); 4097].into();
    let import = file.load();
    let pointer = "/meshes/0/primitives/0/targets";
    assert_errors(&import, &[("TOO_MANY_OBJECTS", pointer)]);
    let primitive = &import.model.meshes[0].primitives[0];
    assert_eq!(
        (primitive.targets.len(), primitive.vertices.positions.len()),
        (4096, 3)
    );
}

#[test]
fn what_breaks_the_grammar_of_json_in_small_things_is_read() {
    let text = File::triangle().to_text();
    for (found, slip, word) in [
        (r#""asset":{"#, r#""asset":{"extras": NaN, "#, "NaN"),
        (
            r#""asset":{"#,
            "\"asset\":{\"copyright\": \"a\nb\", ",
            "control character",
        ),
        (
            r#""asset":{"#,
            r#""asset":{"copyright": "C:\Users", "#,
            "backslash",
        ),
        (r#""meshes":["#, r#""x":[1,],"meshes":["#, "comma"),
    ] {
        let broken = text.replace(found, slip);
        assert_ne!(broken, text, "{found}");
        let import = load(broken.as_bytes());
        assert_errors(&import, &[("INVALID_JSON", "")]);
        let padded = load(format!("{broken}\0").as_bytes());
        assert_errors(&padded, &[("INVALID_JSON", ""), ("INVALID_JSON", "")]);
        let (message, _) = said(&import, "");
        assert!(
            message.contains(word) && message.contains("line 1"),
            "{message}"
        );
        assert_eq!(import.model.triangle_count(), 1);
    }
}

#[test]
fn a_skin_that_lacks_most_of_its_joints_is_not_used() {
    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let mut joints = vec![json!(1)];
    joints.extend(vec![json!(77); 65]);
    file.json["skins"][0]["joints"] = joints.into();
    let import = file.load();
    assert_error(&import, "SKIN_JOINTS_MISSING", "/skins/0/joints");
    assert!(import.model.skins[0].joints.is_empty());
}

/// Joints that nobody keeps since their weights cannot be read.
#[test]
fn what_cannot_be_read_takes_no_memory_from_others() {
    const COUNT: usize = 100_000;
    let mut file = File::triangle();
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, COUNT, &[0; 4 * COUNT]);
    let weights = file.accessor("VEC4", UNSIGNED_BYTE, COUNT, &[0; 4 * COUNT]);
    file.json["accessors"][weights]["normalized"] = true.into();
    let view = file.json["accessors"][weights]["bufferView"]
        .as_u64()
        .unwrap();
    let triangle = file.json["meshes"][0].clone();
    let lost = json!({"attributes": {"JOINTS_0": joints, "WEIGHTS_0": weights}});
    file.json["meshes"] = json!([{"primitives": vec![lost; 120]}, triangle]);
    file.json["nodes"][0]["mesh"] = 1.into();
    // Whether they are lost, or left over.
    for buffer in [7, 0] {
        file.json["bufferViews"][view as usize]["buffer"] = buffer.into();
        let import = file.load();
        let codes = import.diagnostics.iter().map(|it| it.code);
        assert_eq!(codes.filter(|it| it.contains("MEMORY")).count(), 0);
        assert_eq!(import.model.triangle_count(), 1);
    }
}

#[test]
fn a_node_without_its_mesh_has_no_skin() {
    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    file.json["nodes"][0]["mesh"] = 1.into();
    assert_error(&file.load(), "UNRESOLVED_REFERENCE", "/nodes/0/mesh");
}
