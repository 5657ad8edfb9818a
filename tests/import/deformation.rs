//! Influences and morph targets.

use glam::Vec3;
use rigscope::{
    import::{Diagnostic, Import, Severity},
    model::{Influences, Primitive},
};
use serde_json::json;

use super::file::{File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found};

fn primitive(import: &Import) -> &Primitive {
    &import.model.meshes[0].primitives[0]
}

const HALVES: [f32; 12] = [0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0];
const JOINTS: [u8; 12] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0];

fn influences(import: &Import) -> &Influences {
    primitive(import).influences.as_ref().unwrap()
}

#[test]
fn reads_joints_and_weights() {
    let import = File::skinned(&JOINTS, &HALVES).load();
    let expected = Influences {
        per_vertex: 4,
        joints: JOINTS.map(u16::from).to_vec(),
        weights: HALVES.to_vec(),
    };
    assert_eq!(influences(&import), &expected);
    assert_clean(&import);
}

#[test]
fn brings_weights_to_one() {
    let mut weights = HALVES;
    weights[0] = 1.5;
    weights[4] = 0.0;
    weights[8] = -1.0;
    let import = File::skinned(&JOINTS, &weights).load();
    let found = &influences(&import).weights;
    assert_eq!(found[..4], [0.75, 0.25, 0.0, 0.0]);
    assert_eq!(found[4..8], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(found[8..], [0.0, 1.0, 0.0, 0.0]);
    let pointer = "/meshes/0/primitives/0/attributes/WEIGHTS_0";
    assert_error(&import, "ACCESSOR_WEIGHTS_NEGATIVE", pointer);
    let code = "ACCESSOR_WEIGHTS_NON_NORMALIZED";
    assert_error(&import, code, pointer);
    // Those that sum to 1 with what counts as 0.
    let mut even = HALVES;
    (even[8], even[9]) = (-1.0, 2.0);
    let import = File::skinned(&JOINTS, &even).load();
    assert_error(&import, "ACCESSOR_WEIGHTS_NEGATIVE", pointer);
    assert!(import.diagnostics.iter().all(|it| it.code != code));

    weights[8] = 0.25;
    let import = File::skinned(&JOINTS, &weights).load();
    assert_error(&import, code, pointer);

    let mut weights = HALVES;
    weights[..4].fill(0.0);
    let import = File::skinned(&JOINTS, &weights).load();
    assert_error(&import, code, pointer);
    assert_eq!(influences(&import).weights[..4], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn the_first_vertex_with_wrong_weights_is_named() {
    let mut weights = HALVES;
    weights[4] = 0.5;
    weights[9] = 0.5;
    let messages = |weights: &[f32], joints: &[u8]| {
        let import = File::skinned(joints, weights).load();
        let messages = import.diagnostics.into_iter().map(|it| it.message);
        messages.collect::<Vec<_>>().join("; ")
    };
    let found = messages(&weights, &JOINTS);
    assert_eq!(
        found,
        "the weights of 2 vertices, the first being vertex 1, do not sum to 1"
    );
    let mut joints = JOINTS;
    joints[9] = 9;
    let found = messages(&HALVES, &joints);
    let expected = "vertex 2 names a joint that is none of the ";
    assert!(found.contains(expected), "{found}");
    let mut file = File::skinned(&JOINTS, &HALVES);
    file.json["skins"][0]["joints"] = json!([1]);
    let mut found = file.load().diagnostics.into_iter().map(|it| it.message);
    let expected = "name a joint that is not the one of the skin";
    assert!(found.any(|message| message.ends_with(expected)));
    weights[9] = 0.75;
    weights[4] = 0.0;
    let found = messages(&weights, &JOINTS);
    assert_eq!(found, "vertex 1 has no weight at all");
}

#[test]
fn weights_that_no_skin_uses_are_no_errors() {
    let mut weights = HALVES;
    weights[0] = 1.5;
    weights[8] = -1.0;
    let mut file = File::skinned(&JOINTS, &weights);
    file.json["nodes"][0]
        .as_object_mut()
        .unwrap()
        .remove("skin");
    let import = file.load();
    let pointer = "/meshes/0/primitives/0/attributes/WEIGHTS_0";
    let code = "ACCESSOR_WEIGHTS_NEGATIVE";
    assert_found(&import, Severity::Warning, code, pointer);
    assert!(
        import
            .diagnostics
            .iter()
            .all(|it| it.severity != Severity::Error)
    );
}

/// What is said of a primitive that is drawn is said of one without positions, too.
#[test]
fn primitives_without_positions_are_looked_through() {
    let mut file = File::skinned(&[0, 1, 0, 0].repeat(3), &[0.75, 0.75, 0.0, 0.0].repeat(3));
    let normals = file.floats("VEC3", &[2.0; 9]);
    let tangents = file.floats("VEC4", &[0.5; 12]);
    let colors = file.floats("VEC4", &[2.0; 12]);
    let indices = file.accessor("SCALAR", UNSIGNED_BYTE, 6, &[0, 1, 2, 0, 1, 3]);
    let primitive = file.primitive();
    primitive["indices"] = indices.into();
    let attributes = primitive["attributes"].as_object_mut().unwrap();
    attributes.insert("NORMAL".to_owned(), normals.into());
    attributes.insert("TANGENT".to_owned(), tangents.into());
    attributes.insert("COLOR_0".to_owned(), colors.into());
    let expected = file.load().diagnostics;
    let attributes = file.primitive()["attributes"].as_object_mut();
    attributes.unwrap().remove("POSITION");
    let import = file.load();
    let pointer = "/meshes/0/primitives/0/attributes";
    assert_found(
        &import,
        Severity::Warning,
        "MESH_PRIMITIVE_NO_POSITION",
        pointer,
    );
    let errors = |all: &[Diagnostic]| {
        let errors = all.iter().filter(|it| it.severity == Severity::Error);
        let mut errors: Vec<_> = errors.map(|it| (it.code, it.pointer.clone())).collect();
        errors.sort();
        errors
    };
    let expected = errors(&expected);
    assert_eq!(expected.len(), 6, "{expected:?}");
    assert_eq!(errors(&import.diagnostics), expected);
}

#[test]
fn weights_of_all_sets_sum_to_one() {
    let sets = [[0.125; 4], [0.0625; 4], [0.0625; 4]];
    let import = with_sets(&sets).load();
    let errors = import.diagnostics.iter();
    let mut errors = errors.filter(|it| it.code == "ACCESSOR_WEIGHTS_NON_NORMALIZED");
    assert!(errors.next().is_none());
    let found = &influences(&import).weights;
    let kept = 4.0 * 0.125 + 4.0 * 0.0625;
    assert!((found[..8].iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert!((found[0] - 0.125 / kept).abs() < 1e-7);
}

#[test]
fn removes_weights_of_missing_joints() {
    let mut joints = JOINTS;
    joints[1] = 2;
    let import = File::skinned(&joints, &HALVES).load();
    let found = influences(&import);
    assert_eq!(found.joints[..4], [0; 4]);
    assert_eq!(found.weights[..4], [1.0, 0.0, 0.0, 0.0]);
    let pointer = "/meshes/0/primitives/0/attributes/JOINTS_0";
    assert_error(&import, "ACCESSOR_JOINTS_INDEX_OOB", pointer);
}

/// A skinned triangle with more sets of joints and weights, each vertex with the same.
fn with_sets(sets: &[[f32; 4]]) -> File {
    let all = |weights: &[f32; 4]| weights.repeat(3);
    let mut file = File::skinned(&JOINTS, &all(&sets[0]));
    for (set, weights) in sets.iter().enumerate().skip(1) {
        let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[1; 12]);
        let weights = file.floats("VEC4", &all(weights));
        let attributes = &mut file.primitive()["attributes"];
        attributes[format!("JOINTS_{set}")] = joints.into();
        attributes[format!("WEIGHTS_{set}")] = weights.into();
    }
    file
}

#[test]
fn reads_two_sets_of_joints() {
    let import = with_sets(&[[0.25, 0.25, 0.25, 0.0], [0.25, 0.0, 0.0, 0.0]]).load();
    let found = influences(&import);
    assert_eq!(found.per_vertex, 8);
    assert_eq!(
        found.weights[..8],
        [0.25, 0.25, 0.25, 0.0, 0.25, 0.0, 0.0, 0.0]
    );
    assert_eq!(found.joints[..8], [0, 1, 0, 0, 1, 1, 1, 1]);
    let pointer = "/meshes/0/primitives/0/attributes";
    assert_error(&import, "ACCESSOR_JOINTS_INDEX_DUPLICATE", pointer);
    // A second set without weights is not worth its cost.
    let import = with_sets(&[[0.5, 0.5, 0.0, 0.0], [0.0; 4]]).load();
    assert_eq!(influences(&import).per_vertex, 4);
}

#[test]
fn findings_about_joints_and_weights_name_their_set() {
    let attributes = "/meshes/0/primitives/0/attributes";
    let mut file = with_sets(&[[0.5, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0]]);
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[9; 12]);
    file.primitive()["attributes"]["JOINTS_1"] = joints.into();
    let (code, at) = (
        "ACCESSOR_JOINTS_INDEX_OOB",
        format!("{attributes}/JOINTS_1"),
    );
    assert_error(&file.load(), code, &at);
    let file = with_sets(&[[0.5, 0.0, 0.0, 0.0], [1.0, -0.5, 0.0, 0.0]]);
    let (code, at) = (
        "ACCESSOR_WEIGHTS_NEGATIVE",
        format!("{attributes}/WEIGHTS_1"),
    );
    assert_error(&file.load(), code, &at);
}

#[test]
fn keeps_the_eight_greatest_weights() {
    let small = [0.0625; 4];
    let import = with_sets(&[small, [0.125; 4], [0.0625, 0.0625, 0.0625, 0.0625]]).load();
    let found = influences(&import);
    assert_eq!(found.per_vertex, 8);
    let sum: f32 = found.weights[..8].iter().sum();
    assert!((sum - 1.0).abs() < 1e-6);
    assert!((found.weights[0] - 0.125 / 0.75).abs() < 1e-6);
    let pointer = "/meshes/0/primitives/0/attributes";
    assert_found(&import, Severity::Warning, "TOO_MANY_INFLUENCES", pointer);
    let mut said = import.diagnostics.iter().map(ToString::to_string);
    assert!(said.any(|it| it.contains("more than 8 joints") && it.contains("25.0 %")));
    // Of a third set that has nothing more than others leave room for, nothing goes.
    let import =
        with_sets(&[[0.25; 4], [0.0; 4], [0.0, 0.0, 0.0, 0.25]].map(|it| it.map(|w| w * 0.8)))
            .load();
    let mut codes = import.diagnostics.iter().map(|it| it.code);
    assert!(codes.all(|code| code != "TOO_MANY_INFLUENCES"));
}

#[test]
fn names_joints_without_weights() {
    let mut file = File::skinned(&JOINTS, &HALVES);
    let attributes = file.primitive()["attributes"].as_object_mut().unwrap();
    attributes.remove("WEIGHTS_0");
    let import = file.load();
    assert_eq!(primitive(&import).influences, None);
    let pointer = "/meshes/0/primitives/0/attributes";
    assert_error(&import, "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", pointer);
}

/// A sparse accessor needs twice its room while it is made, and no longer; what is looked at alone needs none for good.
#[test]
fn sparse_morph_targets_cost_what_they_hold() {
    let count = 1_500_000;
    let mut file = File::triangle();
    let indices = file.view(&7_u32.to_le_bytes());
    let deltas = file.view(&[0.0, 0.5, 0.0].map(f32::to_le_bytes).concat());
    let sparse = json!({
        "componentType": 5126, "type": "VEC3", "count": count,
        "sparse": {
            "count": 1,
            "indices": { "bufferView": indices, "componentType": 5125 },
            "values": { "bufferView": deltas }
        }
    });
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    let first = accessors.len();
    accessors.extend(vec![sparse; 5]);
    let base = first;
    file.primitive()["attributes"]["POSITION"] = json!(base);
    let targets = (first + 1..first + 5).map(|target| json!({ "POSITION": target }));
    file.primitive()["targets"] = json!(targets.collect::<Vec<_>>());
    let import = file.load();
    assert!(
        !import
            .diagnostics
            .iter()
            .any(|it| it.code == "MEMORY_BUDGET_EXCEEDED"),
        "{:?}",
        import.diagnostics
    );
    assert_eq!(import.model.meshes[0].primitives[0].targets.len(), 4);
}

/// Whole numbers may have a fraction of zero (glTF 2.0 §2.7), and one that is none costs no other target its colours.
#[test]
fn colors_of_morph_targets_are_found_by_indices_of_all_spellings() {
    let mut file = File::triangle();
    let colors = file.floats("VEC4", &[0.5; 12]);
    file.primitive()["attributes"]["COLOR_0"] = json!(colors);
    let with = |targets: serde_json::Value| {
        let mut file = File {
            json: file.json.clone(),
            bin: file.bin.clone(),
        };
        file.primitive()["targets"] = targets;
        let import = file.load();
        let targets = &import.model.meshes[0].primitives[0].targets;
        targets
            .iter()
            .map(|target| target.colors.len())
            .collect::<Vec<_>>()
    };
    let plain = json!({ "COLOR_0": colors });
    let whole = json!({ "COLOR_0": colors as f64 });
    assert_eq!(with(json!([plain])), [3]);
    assert_eq!(with(json!([whole])), [3]);
    for bad in [
        json!({ "COLOR_0": "x" }),
        json!({ "COLOR_0": 4_294_967_296_u64 + colors as u64 }),
    ] {
        assert_eq!(with(json!([bad, whole])), [0, 3], "{bad}");
    }
}

#[test]
fn joints_without_weight_are_in_the_skin_too() {
    let mut file = File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let joints = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[200; 12]);
    let weights = file.floats("VEC4", &[0.0; 12]);
    file.primitive()["attributes"]["JOINTS_1"] = json!(joints);
    file.primitive()["attributes"]["WEIGHTS_1"] = json!(weights);
    let pointer = "/meshes/0/primitives/0/attributes/JOINTS_1";
    assert_error(&file.load(), "ACCESSOR_JOINTS_INDEX_OOB", pointer);
}

/// One wrong count takes nothing from others.
#[test]
fn what_is_not_there_costs_nobody_anything() {
    let mut file = File::triangle();
    let mut wrong = file.json["accessors"][0].clone();
    wrong["componentType"] = json!(5120);
    wrong["count"] = json!(16_000_000);
    wrong["byteOffset"] = json!(36);
    file.json["accessors"]
        .as_array_mut()
        .unwrap()
        .insert(0, wrong);
    let good = file.primitive().clone();
    let bad = json!({ "attributes": { "POSITION": 0 } });
    let mut good = good;
    good["attributes"]["POSITION"] = json!(1);
    if let Some(indices) = good["indices"].as_u64() {
        good["indices"] = json!(indices + 1);
    }
    file.json["meshes"][0]["primitives"] = json!([bad.clone(), bad, good]);
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    let import = file.load();
    assert_eq!(import.model.triangle_count(), 1, "{:?}", import.diagnostics);
    assert!(
        !import
            .diagnostics
            .iter()
            .any(|it| it.code == "MEMORY_BUDGET_EXCEEDED")
    );
}

#[test]
fn reads_morph_targets() {
    let mut file = File::triangle();
    let deltas = file.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0]);
    file.primitive()["targets"] = json!([{"POSITION": deltas}, {"NORMAL": deltas}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["smile"]});
    let import = file.load();
    let mesh = &import.model.meshes[0];
    assert_eq!((mesh.target_count, &*mesh.target_name(0)), (2, "smile"));
    assert_eq!(mesh.target_name(1), "target 1");
    let targets = &mesh.primitives[0].targets;
    assert_eq!(
        targets[0].positions,
        vec![Vec3::Z, Vec3::Z * 2.0, Vec3::Z * 3.0].into()
    );
    // Without normals of its own the primitive has nothing to add to.
    assert!(targets[1].normals.is_empty());
}

/// As exporters of avatars leave them.
#[test]
fn takes_the_names_of_morph_targets_from_primitives_where_meshes_have_none() {
    let mut file = File::triangle();
    let plain = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]});
    let named = |name: &str| {
        let mut primitive = plain.clone();
        primitive["extras"] = json!({"targetNames": [name]});
        primitive
    };
    file.json["meshes"][0]["primitives"] = json!([plain, named("ah"), named("oh")]);
    assert_eq!(file.load().model.meshes[0].target_name(0), "ah");
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["smile"]});
    assert_eq!(file.load().model.meshes[0].target_name(0), "smile");
}

#[test]
fn evens_out_morph_targets() {
    let mut file = File::triangle();
    let primitive = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]});
    file.json["meshes"][0]["primitives"] = json!([{"attributes": {"POSITION": 0}}, primitive]);
    let import = file.load();
    let mesh = &import.model.meshes[0];
    assert_eq!(mesh.target_count, 1);
    assert!(
        mesh.primitives
            .iter()
            .all(|primitive| primitive.targets.len() == 1)
    );
    let code = "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT";
    assert_error(&import, code, "/meshes/0/primitives/1/targets");
}
