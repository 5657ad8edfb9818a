//! What is wrong in an object costs only itself, and is said once, at its place.

use glam::Vec2;
use rigscope::import::{Import, Severity};
use serde_json::{Value, json};

use super::{
    corpus::of_corpus,
    draco::DRACO,
    file::{File, assert_error, changed, load},
};

/// Of the corpus: compressed, without uncompressed data beside.
const NO_FALLBACK: &str =
    "gltf-pipeline/extensions/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf";

/// The errors of a file, as code and pointer.
#[track_caller]
pub(crate) fn assert_errors(import: &Import, expected: &[(&str, &str)]) {
    let found = import.diagnostics.iter();
    let errors = found.filter(|it| it.severity == Severity::Error);
    let mut errors: Vec<_> = errors.map(|it| (it.code, &*it.pointer)).collect();
    errors.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(errors, expected, "{:#?}", import.diagnostics);
}

/// What is said at a place, and what was done.
#[track_caller]
pub(crate) fn said<'i>(import: &'i Import, pointer: &str) -> (&'i str, &'i str) {
    let mut found = import.diagnostics.iter();
    let found = found.find(|it| it.pointer == pointer).unwrap();
    (&found.message, &found.action)
}

fn skinned() -> File {
    File::skinned(&[0; 12], &[1.0, 0.0, 0.0, 0.0].repeat(3))
}

#[test]
fn each_bad_index_of_an_object_counts_as_absent() {
    let mut file = skinned();
    file.json["nodes"][1] = json!({"mesh": 0, "skin": -1, "camera": 0.5, "children": [2]});
    file.primitive()["material"] = (-1).into();
    let import = file.load();
    assert_errors(
        &import,
        &[
            ("INVALID_INDEX", "/meshes/0/primitives/0/material"),
            ("INVALID_INDEX", "/nodes/1/camera"),
            ("INVALID_INDEX", "/nodes/1/skin"),
        ],
    );
    let said = said(&import, "/nodes/1/camera");
    assert_eq!(said, ("0.5 is no index", "the property is ignored"));
    let model = &import.model;
    assert_eq!(model.meshes[0].primitives.len(), 1);
    let nodes = model.hierarchy.nodes();
    assert!(
        nodes
            .iter()
            .any(|node| node.file_index == 1 && node.mesh == Some(0))
    );
}

#[test]
fn bad_textures_of_a_material_leave_the_others() {
    let mut file = File::triangle();
    file.json["textures"] = json!([{"sampler": -1, "source": -1}]);
    file.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "normalTexture": {"index": -1},
        "occlusionTexture": {"index": "a"},
        "emissiveTexture": {},
    }]);
    let import = file.load();
    assert_errors(
        &import,
        &[
            ("INVALID_INDEX", "/materials/0/normalTexture/index"),
            ("INVALID_INDEX", "/textures/0/sampler"),
            ("INVALID_INDEX", "/textures/0/source"),
            ("TYPE_MISMATCH", "/materials/0/occlusionTexture/index"),
            ("UNDEFINED_PROPERTY", "/materials/0/emissiveTexture"),
        ],
    );
    let material = &import.model.materials[0];
    assert!(material.base_color_texture.is_some() && material.normal_texture.is_none());
    let index = said(&import, "/materials/0/occlusionTexture/index");
    assert_eq!(index, ("it is not an index", "occlusionTexture is ignored"));
    let texture = said(&import, "/materials/0/emissiveTexture");
    assert_eq!(texture, ("it has no index", "the property is ignored"));
}

#[test]
fn properties_of_wrong_types_are_named_one_by_one() {
    let mut file = File::triangle();
    file.json["meshes"][0]["name"] = 8.into();
    file.json["meshes"][0]["weights"] = "x".into();
    file.json["nodes"] = json!([
        {"mesh": 0, "skin": "a", "camera": "b", "translation": [1, 2], "scale": [1, "a", 1]},
    ]);
    let import = file.load();
    assert_errors(
        &import,
        &[
            ("ARRAY_LENGTH_NOT_IN_LIST", "/nodes/0/translation"),
            ("ARRAY_TYPE_MISMATCH", "/nodes/0/scale"),
            ("TYPE_MISMATCH", "/meshes/0/name"),
            ("TYPE_MISMATCH", "/meshes/0/weights"),
            ("TYPE_MISMATCH", "/nodes/0/camera"),
            ("TYPE_MISMATCH", "/nodes/0/skin"),
        ],
    );
    assert_eq!(import.model.meshes[0].primitives.len(), 1);
    let jargon = ["struct", "u32", "u64", "usize", "child of root", "expected"];
    for found in &import.diagnostics {
        let is_plain = !jargon.iter().any(|word| found.message.contains(word));
        assert!(is_plain, "{found}");
    }
}

#[test]
fn thousands_of_objects_are_mended() {
    let mut file = File::triangle();
    let node = json!({"mesh": 0, "skin": -1, "camera": -1});
    file.json["nodes"] = vec![node; 5000].into();
    let import = file.load();
    let mut nodes = import.model.hierarchy.nodes().iter();
    assert!(nodes.all(|node| node.mesh == Some(0)));
}

#[test]
fn bad_items_of_lists_of_indices_lose_themselves_alone() {
    let mut file = skinned();
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": ["a", -1, 2]}, {}]);
    file.json["scenes"] = json!([{"nodes": [0, -1, 1, 9]}]);
    let import = file.load();
    assert_errors(
        &import,
        &[
            ("ARRAY_TYPE_MISMATCH", "/nodes/1/children/0"),
            ("INVALID_INDEX", "/nodes/1/children/1"),
            ("INVALID_INDEX", "/scenes/0/nodes/1"),
            ("UNRESOLVED_REFERENCE", "/scenes/0/nodes/3"),
        ],
    );
    assert_eq!(
        said(&import, "/scenes/0/nodes/1").1,
        "it is left out of the scene"
    );
    let model = &import.model;
    assert_eq!(model.scenes[0].roots.len(), 2);
    let nodes = model.hierarchy.nodes();
    assert_eq!(nodes.iter().filter(|node| node.parent.is_some()).count(), 1);
    // Vertices name joints by their places.
    file.json["skins"][0]["joints"] = json!([1, -1, 2]);
    let import = file.load();
    assert_error(&import, "INVALID_INDEX", "/skins/0/joints/1");
    assert_eq!(said(&import, "/skins/0/joints/1").1, "it moves no vertex");
}

#[test]
fn bad_mappings_of_variants_lose_themselves_alone() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_materials_variants"]);
    let variants = json!([{"name": "a"}, 5, {"name": 3}]);
    file.json["extensions"] = json!({"KHR_materials_variants": {"variants": variants}});
    file.json["materials"] = json!([{}, {}]);
    file.primitive()["extensions"] = json!({"KHR_materials_variants": {"mappings": [
        {"material": -1, "variants": [0]},
        {"variants": [1]},
        "x",
        {"material": 1, "variants": [-1, 2]},
    ]}});
    let import = file.load();
    let mappings = "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings";
    let found = &import.model.meshes[0].primitives[0].variant_materials;
    let found: Vec<_> = found.iter().map(|it| (it.variant, it.material)).collect();
    assert_eq!(found, [(2, 1)]);
    assert_error(&import, "INVALID_INDEX", &format!("{mappings}/0/material"));
    assert_error(&import, "UNDEFINED_PROPERTY", &format!("{mappings}/1"));
    assert_error(&import, "ARRAY_TYPE_MISMATCH", mappings);
    assert_error(
        &import,
        "INVALID_INDEX",
        &format!("{mappings}/3/variants/0"),
    );
    let names = "/extensions/KHR_materials_variants/variants";
    assert_error(&import, "ARRAY_TYPE_MISMATCH", names);
    assert_error(&import, "TYPE_MISMATCH", &format!("{names}/2/name"));
    assert_eq!(import.model.variants, ["a", "", ""]);
}

#[test]
fn bad_numbers_of_texture_transforms_lose_themselves_alone() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    file.json["textures"] = json!([{}]);
    file.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
        "KHR_texture_transform":
            {"offset": [0.25, 0.5], "scale": [2], "rotation": "a", "texCoord": -1},
    }}}}]);
    let import = file.load();
    let transform = import.model.materials[0]
        .base_color_texture
        .unwrap()
        .transform;
    assert_eq!(
        (transform.offset, transform.scale),
        (Vec2::new(0.25, 0.5), Vec2::ONE)
    );
    let at = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    for (name, code) in [
        ("scale", "ARRAY_LENGTH_NOT_IN_LIST"),
        ("rotation", "TYPE_MISMATCH"),
        ("texCoord", "VALUE_NOT_IN_RANGE"),
    ] {
        let pointer = format!("{at}/{name}");
        assert_error(&import, code, &pointer);
        assert_eq!(said(&import, &pointer).1, "it counts as absent");
    }
}

#[test]
fn data_that_would_be_taken_from_elsewhere_are_lost() {
    for (bad, code) in [
        (json!(-12), "VALUE_NOT_IN_RANGE"),
        (json!("12"), "TYPE_MISMATCH"),
        (json!(1.5), "TYPE_MISMATCH"),
    ] {
        for (section, name, action) in [
            ("accessors", "byteOffset", "its data is lost"),
            ("bufferViews", "byteOffset", "what lies in the view is lost"),
            ("bufferViews", "byteStride", "what lies in the view is lost"),
        ] {
            let mut file = File::triangle();
            file.json[section][0][name] = bad.clone();
            let import = file.load();
            let pointer = format!("/{section}/0/{name}");
            assert_error(&import, code, &pointer);
            let (message, done) = said(&import, &pointer);
            assert_eq!(done, action);
            assert!(
                bad != -12 || message == "-12 is not at least 0",
                "{message}"
            );
            let at = import.diagnostics.iter().filter(|it| it.pointer == pointer);
            assert_eq!(at.count(), 1, "{:#?}", import.diagnostics);
            assert!(import.model.meshes[0].primitives.is_empty());
        }
    }
}

#[test]
fn zero_and_one_are_no_flags_and_count_as_such() {
    let mut file = File::triangle();
    file.json["materials"] = json!([{"doubleSided": 1}]);
    let colors = file.accessor("VEC4", 5121, 3, &[255; 12]);
    file.json["accessors"][colors]["normalized"] = 1.into();
    file.primitive()["attributes"]["COLOR_0"] = colors.into();
    let import = file.load();
    let normalized = format!("/accessors/{colors}/normalized");
    // As the validator sees it, bytes that are not normalised are no colours.
    let invalid_format = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";
    assert_errors(
        &import,
        &[
            (invalid_format, "/meshes/0/primitives/0/attributes/COLOR_0"),
            ("TYPE_MISMATCH", "/materials/0/doubleSided"),
            ("TYPE_MISMATCH", &normalized),
        ],
    );
    assert_eq!(said(&import, &normalized).1, "it counts as true");
    let model = &import.model;
    assert!(model.materials[0].double_sided);
    assert_eq!(model.meshes[0].primitives[0].vertices.colors.len(), 3);
}

#[test]
fn views_with_an_unknown_filter_are_lost() {
    let Some(text) = of_corpus(NO_FALLBACK) else {
        return;
    };
    let mut json: Value = serde_json::from_slice(&text).unwrap();
    let views = json["bufferViews"].as_array().unwrap();
    let name = "EXT_meshopt_compression";
    let is_compressed = |view: &Value| !view["extensions"][name].is_null();
    let place = views.iter().position(is_compressed).unwrap();
    json["bufferViews"][place]["extensions"][name]["filter"] = "FOO".into();
    let import = load(json.to_string().as_bytes());
    let pointer = format!("/bufferViews/{place}/extensions/{name}/filter");
    assert_error(&import, "VALUE_NOT_IN_LIST", &pointer);
    let action = "what lies in the view is lost: there are no uncompressed data";
    assert_eq!(said(&import, &pointer).1, action);
}

/// The text of a GLB of the corpus, changed, and all of it.
fn with_text(glb: &[u8], change: impl Fn(String) -> String) -> Import {
    let length = u32::from_le_bytes(*glb[12..].first_chunk().unwrap()) as usize;
    let mut text = change(String::from_utf8(glb[20..20 + length].to_vec()).unwrap());
    text.extend(vec![' '; text.len().next_multiple_of(4) - text.len()]);
    let bin = &glb[28 + length..];
    load(&super::file::glb(&[
        (b"JSON", text.as_bytes()),
        (b"BIN\0", bin),
    ]))
}

#[test]
fn compressed_meshes_may_say_things_twice_or_wrongly() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let whole = load(&glb);
    let text = |import: &Import| format!("{:?}", import.model.meshes);
    let twice = with_text(&glb, |text| {
        let (before, after) = text.split_once("\"primitives\"").unwrap();
        format!("{before}\"primitives\": [], \"primitives\"{after}")
    });
    let found = twice.diagnostics.iter().map(|found| found.code);
    let found: Vec<_> = found
        .filter(|code| !whole.diagnostics.iter().any(|it| it.code == *code))
        .collect();
    assert_eq!(found, ["DUPLICATE_PROPERTY"]);
    assert_eq!(text(&twice), text(&whole));
    let wrong = changed(&glb, |json| {
        let primitive = &mut json["meshes"][0]["primitives"][0];
        primitive["attributes"]["COLOR_0"] = (-1).into();
    });
    let pointer = "/meshes/0/primitives/0/attributes/COLOR_0";
    assert_errors(&wrong, &[("INVALID_INDEX", pointer)]);
    assert_eq!(text(&wrong), text(&whole));
}

#[test]
fn of_extras_that_come_twice_the_last_count() {
    let mut file = File::triangle();
    file.json["nodes"][0]["extras"] = json!({"last": true});
    let text = file
        .to_text()
        .replacen("\"extras\"", "\"extras\":1,\"extras\"", 1);
    let import = load(text.as_bytes());
    let notes = &import.model.metadata.notes;
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].extras.as_deref(), Some("{\"last\":true}"));
}
