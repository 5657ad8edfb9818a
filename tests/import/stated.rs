//! What accessors, views and buffers state of themselves, whether anything reads them or not.

use rigscope::import::{Import, Severity};
use serde_json::{Value, json};

use super::file::{
    BYTE, FLOAT, File, UNSIGNED_BYTE, UNSIGNED_SHORT, assert_clean, assert_error, assert_found,
    load,
};

/// A triangle, and an accessor 1 of two elements that nothing uses.
fn with_accessor(kind: &str, component: u32, bytes: &[u8], more: &Value) -> File {
    let mut file = File::triangle();
    let index = file.accessor(kind, component, 2, bytes);
    for (name, value) in more.as_object().unwrap() {
        file.json["accessors"][index][name] = value.clone();
    }
    file
}

fn has_errors(import: &Import) -> bool {
    let mut found = import.diagnostics.iter();
    found.any(|diagnostic| diagnostic.severity == Severity::Error)
}

#[test]
fn bounds_must_fit_the_elements() {
    const SHORT: u32 = UNSIGNED_SHORT;
    let length = "ARRAY_LENGTH_NOT_IN_LIST";
    let bytes = &[0, 0, 7, 0];
    for (component, bounds, code, at) in [
        (SHORT, json!({"max": [7, 7]}), length, "max"),
        (SHORT, json!({"min": [0, 0], "max": [7]}), length, "min"),
        (SHORT, json!({"min": [0], "max": [7, 0, 0]}), length, "max"),
        (SHORT, json!({"max": [7.5]}), "ARRAY_TYPE_MISMATCH", "max"),
        (SHORT, json!({"max": ["7"]}), "ARRAY_TYPE_MISMATCH", "max"),
        (SHORT, json!({"max": [65_536]}), "INVALID_GL_VALUE", "max"),
        (SHORT, json!({"min": [-1]}), "INVALID_GL_VALUE", "min"),
        (BYTE, json!({"min": [-129]}), "INVALID_GL_VALUE", "min"),
        (SHORT, json!({"min": []}), "EMPTY_ENTITY", "min"),
        (SHORT, json!({"min": 0}), "TYPE_MISMATCH", "min"),
        // Each is compared alone.
        (SHORT, json!({"min": [1]}), "ACCESSOR_MIN_MISMATCH", "min"),
        (SHORT, json!({"max": [8]}), "ACCESSOR_MAX_MISMATCH", "max"),
    ] {
        let import = with_accessor("SCALAR", component, bytes, &bounds).load();
        assert_error(&import, code, &format!("/accessors/1/{at}"));
    }
    let bounds = json!({"min": [0.0], "max": [7]});
    assert_clean(&with_accessor("SCALAR", SHORT, bytes, &bounds).load());
    // What the elements are is unknown.
    for (unknown, at) in [
        (json!({"type": "VEC5", "min": [], "max": ["x"]}), "type"),
        (
            json!({"componentType": 7, "min": 0, "max": [0.5, 1]}),
            "componentType",
        ),
        (
            json!({"componentType": -5123, "min": [0, 0]}),
            "componentType",
        ),
    ] {
        let import = with_accessor("SCALAR", SHORT, bytes, &unknown).load();
        assert!(!has_errors(&import), "{:?}", import.diagnostics);
        assert_found(
            &import,
            Severity::Warning,
            "VALUE_NOT_IN_LIST",
            &format!("/accessors/1/{at}"),
        );
    }
}

/// Who leaves out what is not in view by bounds loses what lies beyond them.
#[test]
fn elements_beyond_their_bounds_are_told() {
    let said = |bounds: Value| {
        let import = with_accessor("SCALAR", UNSIGNED_SHORT, &[0, 0, 7, 0], &bounds).load();
        let found = import.diagnostics.iter();
        let found = found.filter(|it| it.severity == Severity::Error);
        found
            .map(|it| (it.code, it.pointer.clone()))
            .collect::<Vec<_>>()
    };
    let at = |key: &str| format!("/accessors/1/{key}");
    let loose = [("ACCESSOR_MAX_MISMATCH", at("max"))];
    assert_eq!(said(json!({"min": [0], "max": [8]})), loose);
    let beyond = [
        ("ACCESSOR_MIN_MISMATCH", at("min")),
        ("ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", at("min")),
        ("ACCESSOR_MAX_MISMATCH", at("max")),
        ("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", at("max")),
    ];
    assert_eq!(said(json!({"min": [1], "max": [6]})), beyond);
    // Of floats that are read, too.
    let mut file = File::triangle();
    file.json["accessors"][0]["max"] = json!([0.5, 1, 0]);
    let (code, at) = ("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "/accessors/0/max");
    assert_error(&file.load(), code, at);
}

#[test]
fn positions_need_both_bounds() {
    for bound in ["min", "max"] {
        let mut file = File::triangle();
        file.json["accessors"][0]
            .as_object_mut()
            .unwrap()
            .remove(bound);
        let pointer = "/meshes/0/primitives/0/attributes/POSITION";
        let code = "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS";
        assert_error(&file.load(), code, pointer);
    }
}

/// A triangle, and an accessor 1 of two shorts, both replaced, that nothing uses.
fn with_sparse(indices: &[u8], values: &[u8]) -> File {
    let mut file = File::triangle();
    let indices = file.view(indices);
    let values = file.view(values);
    file.json["accessors"].as_array_mut().unwrap().push(json!({
        "componentType": UNSIGNED_SHORT, "type": "SCALAR", "count": 2,
        "sparse": {
            "count": 2,
            "indices": {"bufferView": indices, "componentType": UNSIGNED_BYTE},
            "values": {"bufferView": values},
        },
    }));
    file
}

#[test]
fn sparse_elements_lie_in_their_views() {
    let place = "/accessors/1/sparse";
    assert_clean(&with_sparse(&[0, 1], &[1, 0, 2, 0]).load());
    for (part, name, value, code, at) in [
        ("indices", "byteOffset", 1, "ACCESSOR_TOO_LONG", ""),
        ("values", "byteOffset", 2, "ACCESSOR_TOO_LONG", ""),
        (
            "values",
            "byteOffset",
            1,
            "ACCESSOR_OFFSET_ALIGNMENT",
            "/byteOffset",
        ),
        (
            "indices",
            "componentType",
            u64::from(UNSIGNED_SHORT),
            "ACCESSOR_TOO_LONG",
            "",
        ),
    ] {
        let mut file = with_sparse(&[0, 1], &[1, 0, 2, 0]);
        file.json["accessors"][1]["sparse"][part][name] = value.into();
        assert_error(&file.load(), code, &format!("{place}/{part}{at}"));
    }
    for (name, value, code) in [
        ("byteStride", 4, "BUFFER_VIEW_INVALID_BYTE_STRIDE"),
        ("target", 34_962, "BUFFER_VIEW_TARGET_OVERRIDE"),
    ] {
        let mut file = with_sparse(&[0, 1, 0, 0, 1, 0, 0, 0], &[1, 0, 2, 0]);
        file.json["bufferViews"][1][name] = value.into();
        assert_error(&file.load(), code, &format!("{place}/indices/bufferView"));
    }
    let mut file = with_sparse(&[0, 1], &[1, 0, 2, 0, 0]);
    let view = &mut file.json["bufferViews"][2];
    view["byteOffset"] = (view["byteOffset"].as_u64().unwrap() + 1).into();
    view["byteLength"] = 4.into();
    let at = format!("{place}/values");
    assert_error(&file.load(), "ACCESSOR_TOTAL_OFFSET_ALIGNMENT", &at);
}

#[test]
fn sparse_indices_rise_within_their_accessor() {
    for (indices, code) in [
        ([1, 0], "ACCESSOR_SPARSE_INDICES_NON_INCREASING"),
        ([0, 2], "ACCESSOR_SPARSE_INDEX_OOB"),
    ] {
        let import = with_sparse(&indices, &[1, 0, 2, 0]).load();
        assert_error(&import, code, "/accessors/1/sparse");
    }
}

#[test]
fn sparse_indices_of_an_unknown_kind_replace_nothing() {
    for component in [json!(FLOAT), json!(BYTE), json!(7), json!(-1)] {
        let mut file = with_sparse(&[0, 1], &[1, 0, 2, 0]);
        let accessor = &mut file.json["accessors"][1];
        accessor["sparse"]["indices"]["componentType"] = component;
        // They are those of the elements that are lost.
        accessor["min"] = json!([1]);
        accessor["max"] = json!([2]);
        let import = file.load();
        assert!(!has_errors(&import), "{:?}", import.diagnostics);
        let code = "VALUE_NOT_IN_LIST";
        assert_found(&import, Severity::Warning, code, "/accessors/1/sparse");
    }
}

/// Also in a view of which there is nothing else to say.
#[test]
fn a_target_that_is_none_is_told() {
    let mut file = File::triangle();
    file.json["bufferViews"][0]["target"] = json!(1234);
    let at = "/bufferViews/0/target";
    assert_found(&file.load(), Severity::Warning, "VALUE_NOT_IN_LIST", at);
    file.json["bufferViews"][0]["target"] = json!(34962);
    assert_clean(&file.load());
}

/// What lies in the view is read as if there were none.
#[test]
fn a_stride_of_0_is_one_fault() {
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    for view in 0..4 {
        let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &values);
        let indices = [0, 0, 1, 0, 2, 0];
        let indices = file.accessor("SCALAR", UNSIGNED_SHORT, 3, &indices);
        file.primitive()["indices"] = indices.into();
        file.json["bufferViews"][0]["target"] = json!(34_962);
        file.json["bufferViews"][indices]["target"] = json!(34_963);
        file.json["bufferViews"][view]["byteStride"] = json!(0);
        let import = file.load();
        let at = format!("/bufferViews/{view}/byteStride");
        let errors = import.diagnostics.iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|it| (it.code, &*it.pointer)).collect();
        assert_eq!(errors, [("VALUE_NOT_IN_RANGE", &*at)]);
    }
}

#[test]
fn negative_constants_are_unknown_ones() {
    let mut file = File::triangle();
    file.json["bufferViews"][0]["target"] = json!(-34962);
    file.json["samplers"] = json!([{"minFilter": -1, "magFilter": -9728, "wrapS": -1.0}]);
    let import = file.load();
    assert!(!has_errors(&import), "{:?}", import.diagnostics);
    file.json["samplers"] = json!([{"minFilter": "x"}]);
    assert_error(&file.load(), "TYPE_MISMATCH", "/samplers/0/minFilter");
}

#[test]
fn data_uris_of_buffers_are_binary_and_whole() {
    for (uri, code) in [
        ("data:;base64,AAAA", "BUFFER_DATA_URI_MIME_TYPE_INVALID"),
        (
            "data:application/octet-stream;base64,AAAAAB==",
            "INVALID_URI",
        ),
        ("data:application/gltf-buffer;base64,AAAAAB", "INVALID_URI"),
    ] {
        let mut file = File::empty();
        file.json["buffers"] = json!([{"byteLength": 3, "uri": uri}]);
        let import = load(file.json.to_string().as_bytes());
        assert_error(&import, code, "/buffers/0/uri");
    }
}

/// `1 bytes` reads as if the program could not count.
#[test]
fn one_is_not_many() {
    let mut beyond = File::triangle();
    let views = beyond.json["bufferViews"].as_array_mut().unwrap();
    views.push(json!({"buffer": 0, "byteOffset": 36, "byteLength": 1}));
    let mut cut = File::empty();
    let nothing = "data:application/octet-stream;base64,";
    cut.json["buffers"] = json!([{"byteLength": 1, "uri": nothing}]);
    let mut sheen = File::triangle();
    sheen.json["extensionsUsed"] = json!(["KHR_materials_sheen"]);
    let factor = json!({"KHR_materials_sheen": {"sheenColorFactor": [1]}});
    sheen.json["materials"] = json!([{"extensions": factor}]);
    for (file, words) in [
        (beyond, "1 byte from byte 36 on reaches past"),
        (cut, "1 byte is stated, and there are 0"),
        (sheen, "it has 1 number, not"),
    ] {
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let is_said = found.any(|found| found.message.contains(words));
        assert!(is_said, "{words}: {:?}", import.diagnostics);
    }
}
