//! What the validator says of things that few files do, tried on it.

use rigscope::import::{Import, Severity};
use serde_json::json;

use super::file::{File, assert_error, assert_found};

const JOINTS: [u8; 12] = [0; 12];
const WEIGHTS: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
const PRIMITIVE: &str = "/meshes/0/primitives/0/attributes";

fn errors(import: &Import) -> Vec<&str> {
    let found = import.diagnostics.iter();
    let errors = found.filter(|it| it.severity == Severity::Error);
    errors.map(|it| it.code).collect()
}

/// Such as eyes that hang on a node beside a body that bends.
#[test]
fn some_primitives_of_a_skinned_mesh_may_lack_joints() {
    let code = "NODE_SKIN_WITH_NON_SKINNED_MESH";
    let mut file = File::skinned(&JOINTS, &WEIGHTS);
    let positions = file.primitive()["attributes"]["POSITION"].clone();
    let plain = json!({"attributes": {"POSITION": positions}});
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(plain.clone());
    let import = file.load();
    assert_eq!(errors(&import), [""; 0]);
    assert_found(&import, Severity::Warning, code, "/nodes/0");
    // Also where nothing is drawn at all.
    for none in [plain, json!({"attributes": {"NORMAL": positions}})] {
        file.json["meshes"][0]["primitives"] = json!([none]);
        assert_error(&file.load(), code, "/nodes/0");
    }
}

#[test]
fn tangents_without_normals_are_looked_at() {
    for (tangent, code) in [
        ([1.0, 0.0, 0.0, 0.5], "ACCESSOR_INVALID_SIGN"),
        ([2.0, 0.0, 0.0, 1.0], "ACCESSOR_VECTOR3_NON_UNIT"),
        ([0.0, 0.0, 0.0, 1.0], "ACCESSOR_VECTOR3_NON_UNIT"),
    ] {
        let mut file = File::triangle();
        let tangents = file.floats("VEC4", &tangent.repeat(3));
        file.primitive()["attributes"]["TANGENT"] = tangents.into();
        let import = file.load();
        assert_error(&import, code, &format!("{PRIMITIVE}/TANGENT"));
        let vertices = &import.model.meshes[0].primitives[0].vertices;
        assert!(vertices.tangents.is_empty(), "they are ignored");
    }
}

#[test]
fn joints_and_weights_are_looked_at_where_nothing_is_drawn() {
    let mut file = File::skinned(&JOINTS, &[0.5; 12]);
    let indices = file.shorts(&[0, 1]);
    file.primitive()["indices"] = indices.into();
    let import = file.load();
    let weights = format!("{PRIMITIVE}/WEIGHTS_0");
    assert_error(&import, "ACCESSOR_WEIGHTS_NON_NORMALIZED", &weights);
    let attributes = file.primitive()["attributes"].as_object_mut().unwrap();
    attributes.remove("WEIGHTS_0");
    let import = file.load();
    let code = "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH";
    assert!(errors(&import).contains(&code), "{:?}", errors(&import));
}

#[test]
fn modes_are_looked_at_where_nothing_is_drawn() {
    let mut file = File::triangle();
    file.primitive()["mode"] = 7.into();
    assert_eq!(errors(&file.load()), ["VALUE_NOT_IN_RANGE"]);
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"] = json!({"NORMAL": normals});
    let pointer = "/meshes/0/primitives/0/mode";
    assert_error(&file.load(), "VALUE_NOT_IN_RANGE", pointer);
}

#[test]
fn rotations_without_data_are_left_to_others() {
    let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &[0.0; 8]);
    let output = file.json["animations"][0]["samplers"][0]["output"]
        .as_u64()
        .unwrap() as usize;
    assert_eq!(errors(&file.load()).len(), 1);
    let output = file.json["accessors"][output].as_object_mut().unwrap();
    output.retain(|name, _| !matches!(name.as_str(), "bufferView" | "min" | "max"));
    assert_eq!(errors(&file.load()), [""; 0]);
}

/// Pointers alone say little to who made the file.
#[test]
fn findings_name_clips_nodes_meshes_and_skins() {
    let said = |file: &File, code: &str| {
        let found = file.load().diagnostics;
        let found = found.into_iter().find(|it| it.code == code);
        found.unwrap_or_else(|| panic!("no {code}")).message
    };
    let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &[0.0; 8]);
    file.json["animations"][0]["name"] = "Walk".into();
    file.json["nodes"][0]["name"] = "hip".into();
    let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    assert_eq!(
        said(&file, code),
        "the length of 2 quaternions is not 1 (clip \"Walk\", rotation of node \"hip\")"
    );
    let mut file = File::skinned(&JOINTS, &[0.5; 12]);
    file.json["meshes"][0]["name"] = "Body".into();
    file.json["skins"][0]["name"] = "Rig".into();
    let text = said(&file, "ACCESSOR_WEIGHTS_NON_NORMALIZED");
    assert!(text.ends_with("do not sum to 1 (mesh \"Body\")"), "{text}");
    file.json["accessors"][2]["type"] = "VEC3".into();
    let text = said(&file, "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT");
    assert!(text.ends_with("(weights, mesh \"Body\")"), "{text}");
    file.json["skins"][0]["skeleton"] = 0.into();
    file.json["nodes"][0]["name"] = "body".into();
    assert_eq!(
        said(&file, "SKIN_SKELETON_INVALID"),
        "not all joints hang under node \"body\" (skin \"Rig\")"
    );
}

/// The validator begins anew with the third joint, whose root must be in the scene.
#[test]
fn scenes_of_skins_without_a_common_root_are_looked_at() {
    let mut file = File::skinned(&JOINTS, &WEIGHTS);
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {}, {}, {}]);
    file.json["skins"][0] = json!({"joints": [1, 2, 3]});
    file.json["scenes"][0]["nodes"] = json!([0, 3]);
    assert_eq!(errors(&file.load()), [""; 0]);
    file.json["scenes"][0]["nodes"] = json!([0, 1]);
    assert_eq!(errors(&file.load()), ["NODE_SKIN_NO_SCENE"]);
}
