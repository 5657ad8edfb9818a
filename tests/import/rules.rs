//! Rules of the specification that the loader can do without, each by a small file that breaks it.

use rigscope::import::{self, Consent, Progress, Severity};
use serde_json::{Value, json};

use super::{
    file::{
        FLOAT, File, UNSIGNED_BYTE, UNSIGNED_SHORT, assert_clean, assert_error, assert_found, load,
        message,
    },
    opening::Sandbox,
};

#[test]
fn names_extensions_out_of_place() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_materials_ior", "KHR_mesh_quantization"]);
    file.json["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    file.json["materials"] = json!([{
        "extensions": {"KHR_materials_ior": {"ior": 0.5}, "KHR_texture_transform": {}},
        "pbrMetallicRoughness": {"extensions": {"KHR_materials_ior": {}}},
    }]);
    let import = file.load();
    let extensions = "/materials/0/extensions";
    assert_error(
        &import,
        "VALUE_NOT_IN_RANGE",
        &format!("{extensions}/KHR_materials_ior/ior"),
    );
    let transform = format!("{extensions}/KHR_texture_transform");
    assert_error(&import, "UNDECLARED_EXTENSION", &transform);
    assert_error(&import, "UNEXPECTED_EXTENSION_OBJECT", &transform);
    let nested = "/materials/0/pbrMetallicRoughness/extensions/KHR_materials_ior";
    assert_error(&import, "UNEXPECTED_EXTENSION_OBJECT", nested);
    assert_error(
        &import,
        "UNUSED_EXTENSION_REQUIRED",
        "/extensionsRequired/0",
    );
    assert_error(&import, "NON_REQUIRED_EXTENSION", "/extensionsUsed/1");
}

#[test]
fn extensions_without_a_name_are_told() {
    let mut file = File::triangle();
    file.json["extensionsRequired"] = json!([""]);
    let (code, at) = ("UNUSED_EXTENSION_REQUIRED", "/extensionsRequired/0");
    assert_error(&file.load(), code, at);
    file.json["extensionsUsed"] = json!(["KHR_materials_ior", ""]);
    let import = file.load();
    let (code, at) = ("INVALID_EXTENSION_NAME_FORMAT", "/extensionsUsed/1");
    assert_found(&import, Severity::Warning, code, at);
    let faults = import.diagnostics.iter();
    let faults = faults.filter(|found| found.severity <= Severity::Warning);
    assert_eq!(faults.count(), 1, "{:#?}", import.diagnostics);
}

#[test]
fn names_that_no_extension_has_are_told() {
    let mut file = File::triangle();
    let names = [
        "ACME_a", "3DX_b_C", "acme_c", "ACME", "_d", "ACME_", "ACME_ü", "A-B_e",
    ];
    file.json["extensionsUsed"] = json!(names);
    let import = file.load();
    let code = "INVALID_EXTENSION_NAME_FORMAT";
    for index in 2..names.len() {
        let at = format!("/extensionsUsed/{index}");
        assert_found(&import, Severity::Warning, code, &at);
    }
    let told = import.diagnostics.iter().filter(|found| found.code == code);
    assert_eq!(told.count(), names.len() - 2);
}

#[test]
fn data_that_only_an_extension_has_make_it_required() {
    let code = "NON_REQUIRED_EXTENSION";
    let told = |file: &File, severity, words: &str| {
        let import = file.load();
        assert_found(&import, severity, code, "/extensionsUsed/0");
        let said = message(&import, code);
        assert!(said.contains(words), "{said}");
    };
    let is_silent = |file: &File| {
        let import = file.load();
        assert!(import.diagnostics.iter().all(|found| found.code != code));
    };
    // Draco: the accessors have no data of their own.
    const DRACO: &str = "KHR_draco_mesh_compression";
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!([DRACO]);
    let stream = file.view(&[0; 8]);
    let stream = json!({"bufferView": stream, "attributes": {"POSITION": 0}});
    file.primitive()["extensions"] = json!({DRACO: stream});
    is_silent(&file);
    file.json["accessors"][0]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    told(
        &file,
        Severity::Warning,
        "has 1 primitive's data: a program without it draws",
    );
    file.json["extensionsRequired"] = json!([DRACO]);
    is_silent(&file);
    // Meshopt: the buffer of the uncompressed data is nowhere.
    for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        let view = json!({
            "buffer": 0, "byteLength": 8, "byteStride": 4, "count": 1, "mode": "ATTRIBUTES",
        });
        let views = file.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteLength": 4, "extensions": {name: view}}));
        is_silent(&file);
        file.json["bufferViews"][1]["buffer"] = 1.into();
        let text = file.to_text();
        let buffers = ["{\"byteLength\":4}", "{\"byteLength\":4,\"uri\":\"a.bin\"}"];
        let [bare, named] = buffers.map(|buffer| {
            let mut json: Value = serde_json::from_str(&text).unwrap();
            let buffers = json["buffers"].as_array_mut().unwrap();
            buffers.push(serde_json::from_str(buffer).unwrap());
            load(json.to_string().as_bytes())
        });
        assert_error(&bare, code, "/extensionsUsed/0");
        let said = message(&bare, code);
        assert!(
            said.contains("has 1 buffer view's data: a program"),
            "{said}"
        );
        assert!(named.diagnostics.iter().all(|found| found.code != code));
    }
    // One that is required stands in for the other in those views alone that have both.
    let mut file = File::triangle();
    let (name, other) = ("KHR_meshopt_compression", "EXT_meshopt_compression");
    file.json["extensionsUsed"] = json!([name, other]);
    file.json["extensionsRequired"] = json!([other]);
    let view = json!({
        "buffer": 0, "byteLength": 8, "byteStride": 4, "count": 1, "mode": "ATTRIBUTES",
    });
    let both = json!({name: view.clone(), other: view.clone()});
    for (extensions, is_told) in [(json!({name: view}), true), (both, false)] {
        let mut json: Value = serde_json::from_str(&file.to_text()).unwrap();
        let view = json!({"buffer": 1, "byteLength": 4, "extensions": extensions});
        json["bufferViews"].as_array_mut().unwrap().push(view);
        let buffers = json["buffers"].as_array_mut().unwrap();
        buffers.push(json!({"byteLength": 4}));
        let import = load(json.to_string().as_bytes());
        let mut found = import.diagnostics.iter();
        assert_eq!(found.any(|found| found.code == code), is_told);
    }
    // Textures: there is no image in a format that all know.
    for name in ["KHR_texture_basisu", "EXT_texture_webp"] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        file.json["images"] = json!([{"uri": "a.png"}]);
        let texture = json!({"extensions": {name: {"source": 0}}});
        file.json["textures"] = json!([texture, texture, {"source": 0}]);
        told(
            &file,
            Severity::Error,
            "has 2 textures' images: a program without it shows",
        );
        file.json["extensionsRequired"] = json!([name]);
        is_silent(&file);
        file.json
            .as_object_mut()
            .unwrap()
            .remove("extensionsRequired");
        for texture in file.json["textures"].as_array_mut().unwrap() {
            texture["source"] = 0.into();
        }
        is_silent(&file);
    }
}

/// Whether it is known here or not: who reads the file at all knows it.
#[test]
fn an_image_of_an_extension_that_is_required_is_one() {
    let sandbox = Sandbox::new("rules-required");
    let consent = Consent {
        unknown_features: true,
        ..Consent::default()
    };
    let (webp, avif) = ("EXT_texture_webp", "EXT_texture_avif");
    for (of_avif, is_told) in [(json!({"source": 0}), false), (json!({}), true)] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([webp, avif]);
        file.json["extensionsRequired"] = json!([avif]);
        file.json["images"] = json!([{"uri": "a.png"}]);
        let extensions = json!({webp: {"source": 0}, avif: of_avif});
        file.json["textures"] = json!([{"extensions": extensions}]);
        let path = sandbox.write("model/a.gltf", file.to_text().as_bytes());
        let import = import::open(&[path], &consent, &Progress::default()).unwrap();
        let mut found = import.diagnostics.iter();
        let at = "/extensionsUsed/0";
        let is_of_webp = found.any(|it| it.code == "NON_REQUIRED_EXTENSION" && it.pointer == at);
        assert_eq!(is_of_webp, is_told);
    }
}

#[test]
fn follows_the_references_of_extensions() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_materials_variants"]);
    file.json["extensions"] = json!({
        "KHR_lights_punctual": {"lights": [
            {"type": "spot", "spot": {"innerConeAngle": 1.0, "outerConeAngle": 0.5}},
            {"type": "sun", "intensity": -1},
        ]},
        "KHR_materials_variants": {"variants": [{"name": "red"}]},
    });
    file.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 2}});
    file.json["materials"] = json!([{}]);
    file.primitive()["extensions"] = json!({"KHR_materials_variants": {"mappings": [
        {"material": 0, "variants": [0]}, {"material": 1, "variants": [0, 3]},
    ]}});
    let import = file.load();
    let lights = "/extensions/KHR_lights_punctual/lights";
    assert_error(
        &import,
        "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES",
        &format!("{lights}/0/spot/outerConeAngle"),
    );
    assert_error(
        &import,
        "VALUE_NOT_IN_RANGE",
        &format!("{lights}/1/intensity"),
    );
    let sun = format!("{lights}/1/type");
    assert_found(&import, Severity::Warning, "VALUE_NOT_IN_LIST", &sun);
    let light = "/nodes/0/extensions/KHR_lights_punctual/light";
    assert_error(&import, "UNRESOLVED_REFERENCE", light);
    let mapping = "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/1";
    assert_error(
        &import,
        "UNRESOLVED_REFERENCE",
        &format!("{mapping}/material"),
    );
    assert_error(
        &import,
        "UNRESOLVED_REFERENCE",
        &format!("{mapping}/variants/1"),
    );
    let code = "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT";
    assert_error(&import, code, &format!("{mapping}/variants/0"));
}

#[test]
fn names_what_stands_unaligned() {
    let mut file = File::triangle();
    // Three bytes a colour, packed.
    let colors = file.accessor("VEC3", UNSIGNED_BYTE, 3, &[0; 9]);
    file.json["accessors"][colors]["normalized"] = true.into();
    file.primitive()["attributes"]["COLOR_0"] = colors.into();
    let indices = file.accessor("SCALAR", UNSIGNED_SHORT, 3, &[0, 0, 1, 0, 2, 0, 0, 0]);
    file.json["accessors"][indices]["byteOffset"] = 1.into();
    file.primitive()["indices"] = indices.into();
    let import = file.load();
    let color = "/meshes/0/primitives/0/attributes/COLOR_0";
    assert_error(&import, "MESH_PRIMITIVE_ACCESSOR_UNALIGNED", color);
    let offset = format!("/accessors/{indices}/byteOffset");
    assert_error(&import, "ACCESSOR_OFFSET_ALIGNMENT", &offset);
}

#[test]
fn names_what_is_used_twice() {
    let mut file = File::triangle();
    file.primitive()["attributes"]["NORMAL"] = 0.into();
    file.primitive()["indices"] = 0.into();
    let again = file.json["accessors"][0].clone();
    file.json["accessors"].as_array_mut().unwrap().push(again);
    file.primitive()["targets"] = json!([{"POSITION": 1, "TANGENT": 1}]);
    let import = file.load();
    let primitive = "/meshes/0/primitives/0";
    let indices = format!("{primitive}/indices");
    assert_error(&import, "ACCESSOR_USAGE_OVERRIDE", &indices);
    assert_error(&import, "BUFFER_VIEW_TARGET_OVERRIDE", &indices);
    let target = format!("{primitive}/targets/0");
    let code = "MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE";
    assert_error(&import, code, &format!("{target}/POSITION"));
    let code = "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR";
    assert_error(&import, code, &format!("{target}/TANGENT"));
}

#[test]
fn looks_at_elements_that_nobody_reads() {
    let mut file = File::triangle();
    file.floats("VEC2", &[0.0, f32::NAN]);
    let bytes = file.accessor("SCALAR", UNSIGNED_BYTE, 3, &[4, 5, 6]);
    file.json["accessors"][bytes]["min"] = json!([4]);
    file.json["accessors"][bytes]["max"] = json!([7]);
    let long = file.accessor("MAT4", FLOAT, 2, &[0; 64]);
    let import = file.load();
    assert_error(&import, "ACCESSOR_INVALID_FLOAT", "/accessors/1");
    assert_error(
        &import,
        "ACCESSOR_MAX_MISMATCH",
        &format!("/accessors/{bytes}/max"),
    );
    let at = format!("/accessors/{long}/byteOffset");
    assert_error(&import, "ACCESSOR_TOO_LONG", &at);
}

/// Not the first one that is missing, which may be none that anything uses.
#[test]
fn coordinates_that_are_missing_are_named_with_the_texture_that_needs_them() {
    let code = "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS";
    let transform = json!({"KHR_texture_transform": {"texCoord": 3}});
    for (sets, own, extensions, words) in [
        (
            &[][..],
            1,
            json!({}),
            "of the material's textures emissiveTexture needs TEXCOORD_1, which is missing",
        ),
        (
            &[0, 1],
            0,
            transform.clone(),
            "emissiveTexture needs TEXCOORD_3, which is missing",
        ),
        (
            &[0],
            1,
            transform,
            "emissiveTexture needs TEXCOORD_1, which is missing, emissiveTexture needs TEXCOORD_3",
        ),
        (
            &[1],
            1,
            json!({}),
            "emissiveTexture needs TEXCOORD_1, and TEXCOORD_0 before it is missing",
        ),
    ] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
        let coordinates = file.floats("VEC2", &[0.0; 6]);
        for set in sets {
            file.primitive()["attributes"][format!("TEXCOORD_{set}")] = coordinates.into();
        }
        file.primitive()["material"] = 0.into();
        file.json["textures"] = json!([{}]);
        let texture = json!({"index": 0, "texCoord": own, "extensions": extensions});
        file.json["materials"] = json!([{"emissiveTexture": texture}]);
        let import = file.load();
        let told = message(&import, code);
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn names_attributes_and_coordinates_that_are_wrong() {
    let mut file = File::triangle();
    let coordinates = file.floats("VEC2", &[0.0; 6]);
    let attributes = &mut file.primitive()["attributes"];
    attributes["TEXCOORD_1"] = coordinates.into();
    attributes["Uv"] = coordinates.into();
    attributes["_UV"] = coordinates.into();
    file.primitive()["material"] = 0.into();
    file.json["extensionsUsed"] = json!(["KHR_materials_clearcoat"]);
    file.json["textures"] = json!([{}]);
    file.json["materials"] = json!([{
        "extensions": {"KHR_materials_clearcoat": {"clearcoatNormalTexture": {"index": 0}}},
    }]);
    let import = file.load();
    let primitive = "/meshes/0/primitives/0";
    let attributes = format!("{primitive}/attributes");
    assert_error(
        &import,
        "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY",
        &attributes,
    );
    assert_error(
        &import,
        "MESH_PRIMITIVE_INVALID_ATTRIBUTE",
        &format!("{attributes}/Uv"),
    );
    let material = format!("{primitive}/material");
    assert_error(&import, "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", &material);
    assert_error(&import, "MESH_PRIMITIVE_NO_TANGENT_SPACE", &material);
    assert!(
        import
            .diagnostics
            .iter()
            .all(|found| !found.pointer.ends_with("_UV"))
    );
}

#[test]
fn takes_whole_numbers_with_a_fraction_of_zero() {
    let text = br#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0.0, "children": [1.0]}, {}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0.0}}]}],
        "accessors": [{"componentType": 5126.0, "type": "VEC3", "count": 3e0,
                       "min": [0, 0, 0], "max": [0, 0, 0]}]}"#;
    assert_clean(&load(text));
}

#[test]
fn versions_are_texts() {
    let mut file = File::triangle();
    file.json["asset"] = json!({"version": 2, "minVersion": 2.0});
    let import = file.load();
    assert_error(&import, "TYPE_MISMATCH", "/asset/version");
    assert_error(&import, "TYPE_MISMATCH", "/asset/minVersion");
}

#[test]
fn extensions_are_objects_also_out_of_place() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
    file.json["materials"] = json!([{"extensions": {"KHR_node_visibility": []}}]);
    let import = file.load();
    let at = "/materials/0/extensions/KHR_node_visibility";
    assert_error(&import, "TYPE_MISMATCH", at);
}

/// As any other enumerator that does not exist.
#[test]
fn negative_enumerators_are_no_faults_of_type() {
    let mut file = File::triangle();
    file.json["samplers"] = json!([{"minFilter": -9987, "wrapS": -1}]);
    file.json["textures"] = json!([{"sampler": 0}]);
    file.json["bufferViews"][0]["target"] = json!(-34962);
    let import = file.load();
    let errors = import.diagnostics.iter();
    let errors: Vec<_> = errors.filter(|it| it.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for at in [
        "/samplers/0/minFilter",
        "/samplers/0/wrapS",
        "/bufferViews/0/target",
    ] {
        assert_found(&import, Severity::Warning, "VALUE_NOT_IN_LIST", at);
    }
    file.json["bufferViews"][0]["target"] = json!(0.5);
    assert_error(&file.load(), "TYPE_MISMATCH", "/bufferViews/0/target");
}

/// It is read all the same. The validator adds padding that is left out.
#[test]
fn base64_must_be_padded() {
    for (end, expected) in [
        ("AAA", Some(Severity::Warning)),
        ("AAA=", None),
        ("AAB=", Some(Severity::Error)),
        ("AAB", Some(Severity::Error)),
        ("AA==", None),
        ("AA=", Some(Severity::Error)),
        ("AAAA", None),
        ("AAA\n", Some(Severity::Error)),
    ] {
        let mut file = File::empty();
        let uri = format!("data:application/octet-stream;base64,AAAA{end}");
        file.json["buffers"] = json!([{"byteLength": 4, "uri": uri}]);
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let found = found.find(|it| it.code == "INVALID_URI");
        assert_eq!(found.map(|it| it.severity), expected, "{end}");
    }
}

#[test]
fn media_types_in_uris_must_be_those_of_the_bytes() {
    let mut file = File::triangle();
    file.json["images"] = json!([{"uri": "data:image/png;base64,AAAAAAAA"}]);
    assert_error(&file.load(), "INVALID_URI", "/images/0/uri");
    // Where none is said, it is text/plain (RFC 2397 §2).
    file.json["images"] = json!([{"uri": "data:;base64,AAAAAAAA"}]);
    assert_error(&file.load(), "INVALID_URI", "/images/0/uri");
}

#[test]
fn indices_are_the_same_however_they_are_written() {
    let mut file = File::triangle();
    file.json["scenes"] = json!([{"nodes": [0, 0.0]}]);
    let import = file.load();
    assert_error(&import, "DUPLICATE_ELEMENTS", "/scenes/0/nodes/1");
}
