//! What objects of extensions may hold, and what no object has.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::import::{Import, Severity};
use serde_json::{Value, json};

use super::file::{
    FLOAT, File, UNSIGNED_BYTE, UNSIGNED_INT, assert_clean, assert_error, assert_found, load,
};

/// What must be found, and where below the object.
type Expected = Option<(Severity, &'static str, &'static str)>;

const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;

#[track_caller]
fn assert_expected(import: &Import, at: &str, expected: Expected) {
    match expected {
        Some((severity, code, place)) => {
            assert_found(import, severity, code, &format!("{at}{place}"));
        }
        None => assert_clean(import),
    }
}

/// Codes of all that was found but what is worth knowing.
fn codes(import: &Import) -> Vec<&str> {
    let found = import.diagnostics.iter();
    let found = found.filter(|it| it.severity <= WARNING);
    found.map(|it| it.code).collect()
}

#[test]
fn instances_have_attributes_of_one_length_that_are_there() {
    let at = "/nodes/0/extensions/EXT_mesh_gpu_instancing";
    let own = "/attributes/_ID";
    for (object, expected) in [
        (json!({"attributes": {"TRANSLATION": 1, "_ID": 2}}), None),
        (json!({"attributes": {"_ID": 2}}), None),
        (json!({}), Some((WARNING, "UNDEFINED_PROPERTY", ""))),
        (
            json!({"attributes": {}}),
            Some((ERROR, "EMPTY_ENTITY", "/attributes")),
        ),
        (
            json!({"attributes": {"TRANSLATION": 1, "_ID": 9}}),
            Some((ERROR, "UNRESOLVED_REFERENCE", own)),
        ),
        (
            json!({"attributes": {"TRANSLATION": 1, "_ID": 0}}),
            Some((ERROR, "INSTANCING_UNEQUAL_COUNTS", "")),
        ),
        (
            json!({"attributes": {"TRANSLATION": 1, "COLOR_0": 1}}),
            Some((
                WARNING,
                "INSTANCING_INVALID_ATTRIBUTE",
                "/attributes/COLOR_0",
            )),
        ),
        (
            json!({"attributes": {"TRANSLATION": 1, "_ID": 4}}),
            Some((WARNING, "INSTANCING_INVALID_ATTRIBUTE", "/attributes/_ID")),
        ),
        // Of integers only those with a sign are rotations here.
        (
            json!({"attributes": {"ROTATION": 3}}),
            Some((
                ERROR,
                "INSTANCING_ACCESSOR_INVALID_FORMAT",
                "/attributes/ROTATION",
            )),
        ),
    ] {
        let mut file = File::triangle();
        file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        file.accessor("SCALAR", FLOAT, 2, &[0; 8]);
        let turns = [0, 0, 0, 255, 0, 0, 0, 255];
        let turns = file.accessor("VEC4", UNSIGNED_BYTE, 2, &turns);
        file.json["accessors"][turns]["normalized"] = true.into();
        file.accessor("SCALAR", UNSIGNED_INT, 2, &[0; 8]);
        file.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
        file.json["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": object});
        assert_expected(&file.load(), at, expected);
    }
}

#[test]
fn compressed_views_say_how_they_are_compressed() {
    let filter = Some((WARNING, "VALUE_NOT_IN_LIST", "/filter"));
    for (name, change, expected) in [
        ("EXT", json!({"filter": "COLOR"}), filter),
        (
            "KHR",
            json!({"filter": "BLUE"}),
            Some((ERROR, "VALUE_NOT_IN_LIST", "/filter")),
        ),
        (
            "KHR",
            json!({"count": 0}),
            Some((ERROR, "VALUE_NOT_IN_RANGE", "/count")),
        ),
        (
            "EXT",
            json!({"byteLength": 0}),
            Some((ERROR, "VALUE_NOT_IN_RANGE", "/byteLength")),
        ),
        (
            "EXT",
            json!({"lengthInBytes": 1}),
            Some((WARNING, "UNEXPECTED_PROPERTY", "/lengthInBytes")),
        ),
    ] {
        let name = format!("{name}_meshopt_compression");
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        let mut object = json!({
            "buffer": 0, "byteLength": 36, "byteStride": 8, "count": 4, "mode": "ATTRIBUTES",
        });
        for (key, value) in change.as_object().unwrap() {
            object[key] = value.clone();
        }
        file.json["bufferViews"][0]["extensions"] = json!({&name: object});
        let at = format!("/bufferViews/0/extensions/{name}");
        assert_expected(&file.load(), &at, expected);
    }
}

/// That of colours is of one of the two extensions alone.
#[test]
fn unknown_filters_are_told_with_those_of_the_extension() {
    for (name, has_colors) in [("EXT", false), ("KHR", true)] {
        let name = format!("{name}_meshopt_compression");
        let mut file = File::triangle();
        file.json["bufferViews"][0]["extensions"] = json!({name: {
            "buffer": 0, "byteLength": 36, "byteStride": 4, "count": 4, "mode": "ATTRIBUTES", "filter": "BLUE",
        }});
        let import = file.load();
        let mut found = import.diagnostics.iter();
        let unknown = found.find(|it| it.code == "VALUE_NOT_IN_LIST").unwrap();
        let said = &unknown.message;
        assert!(said.contains("EXPONENTIAL"), "{said}");
        assert_eq!(said.contains("COLOR"), has_colors, "{said}");
    }
}

/// What a compressed view says uncompressed may be nowhere, and is not promised then.
#[test]
fn a_compressed_view_without_fallback_is_lost_once() {
    let name = "EXT_meshopt_compression";
    for object in [
        json!({"buffer": 0, "byteLength": 36, "byteStride": 12, "count": 3, "mode": "ATTRIBUTES"}),
        json!({"buffer": 0}),
    ] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        file.json["extensionsRequired"] = json!([name]);
        file.json["bufferViews"][0]["extensions"] = json!({name: object});
        let mut json: Value = serde_json::from_str(&file.to_text()).unwrap();
        let at = format!("/bufferViews/0/extensions/{name}");
        let action = |json: &Value| {
            let import = load(json.to_string().as_bytes());
            let mut found = import.diagnostics.iter();
            let lost = found.find(|it| it.pointer == at).unwrap();
            let is_drawn = !import.model.meshes[0].primitives.is_empty();
            let codes = codes(&import).join(" ");
            (lost.action.clone(), is_drawn, codes)
        };
        let (used, is_drawn, _) = action(&json);
        assert_eq!(used, "the uncompressed data are used");
        assert!(is_drawn);
        json["bufferViews"][0]["buffer"] = 1.into();
        let fallback = json!({"byteLength": 36, "extensions": {name: {"fallback": true}}});
        json["buffers"].as_array_mut().unwrap().push(fallback);
        let (lost, is_drawn, codes) = action(&json);
        assert!(lost.contains("there are no uncompressed data"), "{lost}");
        assert!(!is_drawn);
        assert!(codes.contains("BUFFER_VIEW_UNREADABLE"), "{codes}");
        assert!(!codes.contains("BUFFER_WITHOUT_DATA"), "{codes}");
    }
}

#[test]
fn packets_of_xmp_are_objects_and_are_named_by_index() {
    let packets = json!({"packets": [{"@context": {}, "dc:title": "Pip"}]});
    let (root, node) = (
        "/extensions/KHR_xmp_json_ld",
        "/nodes/0/extensions/KHR_xmp_json_ld",
    );
    let used = json!({"packet": 0});
    for (all, one, at, expected) in [
        (&packets, used.clone(), node, None),
        (
            &packets,
            json!({"packet": "0"}),
            node,
            Some((ERROR, "TYPE_MISMATCH", "/packet")),
        ),
        (
            &packets,
            json!({"packet": -1}),
            node,
            Some((ERROR, "INVALID_INDEX", "/packet")),
        ),
        (
            &packets,
            json!({}),
            node,
            Some((ERROR, "UNDEFINED_PROPERTY", "")),
        ),
        (
            &json!({"packets": [7]}),
            used.clone(),
            root,
            Some((ERROR, "ARRAY_TYPE_MISMATCH", "/packets")),
        ),
        (
            &json!({"packets": [{}]}),
            used.clone(),
            root,
            Some((ERROR, "UNDEFINED_PROPERTY", "/packets/0")),
        ),
        (
            &json!({"packets": []}),
            used.clone(),
            root,
            Some((ERROR, "EMPTY_ENTITY", "/packets")),
        ),
        (
            &json!({}),
            used.clone(),
            root,
            Some((ERROR, "UNDEFINED_PROPERTY", "")),
        ),
    ] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!(["KHR_xmp_json_ld"]);
        file.json["extensions"] = json!({"KHR_xmp_json_ld": all});
        file.json["nodes"][0]["extensions"] = json!({"KHR_xmp_json_ld": one});
        assert_expected(&file.load(), at, expected);
    }
}

/// The validator does not know them, and says nothing.
#[test]
fn extensions_that_stand_elsewhere_are_told_of() {
    for name in [
        "EXT_mesh_gpu_instancing",
        "KHR_draco_mesh_compression",
        "KHR_meshopt_compression",
    ] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([name]);
        file.json["scenes"][0]["extensions"] = json!({name: {}});
        let at = format!("/scenes/0/extensions/{name}");
        assert_found(&file.load(), WARNING, "UNEXPECTED_EXTENSION_OBJECT", &at);
    }
}

#[test]
fn properties_that_gltf_does_not_have_are_told_of() {
    let extension = "/materials/0/extensions/KHR_materials_unlit";
    let light = "/extensions/KHR_lights_punctual/lights/0";
    let make = || {
        let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[0.0; 6]);
        file.json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_materials_unlit"]);
        file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
            {"type": "spot", "spot": {}},
        ]}});
        file.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
        file.json["materials"] = json!([{"extensions": {"KHR_materials_unlit": {}}}]);
        file.primitive()["material"] = 0.into();
        file.json["buffers"] = json!([]);
        file
    };
    let clean = make().load();
    assert_eq!(codes(&clean), [""; 0]);
    for at in [
        "",
        "/asset",
        "/accessors/0",
        "/bufferViews/0",
        "/animations/0",
        "/animations/0/channels/0",
        "/animations/0/channels/0/target",
        "/animations/0/samplers/0",
        "/meshes/0/primitives/0",
        "/nodes/0",
        "/scenes/0",
        extension,
        light,
    ] {
        let mut file = make();
        let object = file.json.pointer_mut(at).unwrap();
        object["colour~"] = json!("blue");
        object["extras"] = json!({"colour": "blue"});
        let import = file.load();
        let place = format!("{at}/colour~0");
        assert_found(&import, WARNING, "UNEXPECTED_PROPERTY", &place);
        assert_eq!(codes(&import), ["UNEXPECTED_PROPERTY"], "{at}");
    }
}

#[test]
fn materials_of_which_others_make_something_else_are_told_of() {
    let unlit = "KHR_materials_unlit";
    let at = |name: &str| format!("/materials/0/extensions/{name}");
    let with = |material: Value| {
        let mut file = File::triangle();
        let names = material["extensions"].as_object().unwrap().keys();
        file.json["extensionsUsed"] = names.cloned().collect();
        file.json["materials"] = json!([material]);
        file.load()
    };
    let both = json!({"extensions": {unlit: {}, "KHR_materials_clearcoat": {}}});
    assert_found(&with(both), WARNING, "MULTIPLE_EXTENSIONS", &at(unlit));
    assert_clean(&with(json!({"extensions": {unlit: {}}})));
    let (volume, clear) = ("KHR_materials_volume", "KHR_materials_transmission");
    for (thickness, sided, is_told) in [(1.0, true, true), (0.0, true, false), (1.0, false, false)]
    {
        let import = with(json!({
            "doubleSided": sided,
            "extensions": {volume: {"thicknessFactor": thickness}, clear: {}},
        }));
        let code = "KHR_MATERIALS_VOLUME_DOUBLE_SIDED";
        let expected = is_told.then_some((WARNING, code, ""));
        assert_expected(&import, &at(volume), expected);
    }
}

fn picture(chunk: &[u8; 4], data: &[u8]) -> String {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0][..]),
        (chunk, data),
    ] {
        bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        bytes.extend_from_slice(kind);
        bytes.extend_from_slice(data);
        bytes.extend([0; 4]);
    }
    format!("data:image/png;base64,{}", STANDARD.encode(bytes))
}

#[test]
fn what_images_have_to_no_effect_is_told() {
    for (chunk, data, is_told) in [
        (b"iCCP", &[0; 20][..], true),
        (b"pHYs", &[0, 0, 0, 1, 0, 0, 0, 2, 1], true),
        (b"pHYs", &[0, 0, 0, 2, 0, 0, 0, 2, 1], false),
        (b"sRGB", &[0], false),
    ] {
        let mut file = File::triangle();
        file.json["images"] = json!([{"uri": picture(chunk, data)}]);
        let import = file.load();
        let is_found = codes(&import).contains(&"IMAGE_FEATURES_UNSUPPORTED");
        assert_eq!(is_found, is_told, "{:?}", import.diagnostics);
    }
}

#[test]
fn tangents_that_are_computed_are_told_of() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let coordinates = file.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let attributes = json!({"POSITION": 0, "NORMAL": normals, "TEXCOORD_0": coordinates});
    file.primitive()["attributes"] = attributes;
    file.primitive()["material"] = 0.into();
    file.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    file.json["textures"] = json!([{}]);
    let at = "/meshes/0/primitives/0/material";
    let code = "MESH_PRIMITIVE_GENERATED_TANGENT_SPACE";
    assert_found(&file.load(), Severity::Info, code, at);
    let tangents = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"]["TANGENT"] = tangents.into();
    let import = file.load();
    assert!(import.diagnostics.iter().all(|it| it.code != code));
}

/// The validator does not look at variants: what is wrong with them is no error.
#[test]
fn a_variant_without_a_tangent_space_is_told_of() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let coordinates = file.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let attributes = json!({"POSITION": 0, "NORMAL": normals, "TEXCOORD_0": coordinates});
    file.primitive()["attributes"] = attributes;
    let (anisotropy, variants) = ("KHR_materials_anisotropy", "KHR_materials_variants");
    file.json["extensionsUsed"] = json!([anisotropy, variants]);
    file.json["extensions"] = json!({variants: {"variants": [{"name": "brushed"}]}});
    file.primitive()["extensions"] =
        json!({variants: {"mappings": [{"material": 0, "variants": [0]}]}});
    file.json["materials"] =
        json!([{"extensions": {anisotropy: {"anisotropyTexture": {"index": 0}}}}]);
    file.json["textures"] = json!([{}]);
    let code = "MESH_PRIMITIVE_NO_TANGENT_SPACE";
    let at = format!("/meshes/0/primitives/0/extensions/{variants}/mappings/0/material");
    let import = file.load();
    assert_found(&import, Severity::Warning, code, &at);
    let has_error = |import: &Import| {
        let mut all = import.diagnostics.iter();
        all.any(|it| it.code == code && it.severity == Severity::Error)
    };
    assert!(!has_error(&import));
    // Of what is unlit, and of points and lines, there is nothing to be seen.
    let lit = file.json["materials"].clone();
    file.json["materials"][0]["extensions"]["KHR_materials_unlit"] = json!({});
    assert!(!codes(&file.load()).contains(&code));
    file.json["materials"] = lit;
    file.primitive()["mode"] = 2.into();
    assert!(!codes(&file.load()).contains(&code));
    file.primitive()["mode"] = 4.into();
    assert!(codes(&file.load()).contains(&code));
    // As the primitive's own it is one, in the validator's words.
    file.primitive()["material"] = 0.into();
    assert!(has_error(&file.load()));
    let tangents = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(3));
    file.primitive()["attributes"]["TANGENT"] = tangents.into();
    assert!(!codes(&file.load()).contains(&code));
}

#[test]
fn joints_without_weight_are_told_of() {
    let code = "ACCESSOR_JOINTS_USED_ZERO_WEIGHT";
    let at = "/meshes/0/primitives/0/attributes/JOINTS_0";
    let weights = [1.0, 0.0, 0.0, 0.0].repeat(3);
    let mut joints = [0; 12];
    assert!(!codes(&File::skinned(&joints, &weights).load()).contains(&code));
    joints[5] = 1;
    let import = File::skinned(&joints, &weights).load();
    assert_found(&import, WARNING, code, at);
    let told = import
        .diagnostics
        .iter()
        .find(|it| it.code == code)
        .unwrap();
    assert!(told.message.starts_with("vertex 1 names"), "{told}");
    // One that is not there is another fault.
    joints[5] = 9;
    let import = File::skinned(&joints, &weights).load();
    assert_error(&import, "ACCESSOR_JOINTS_INDEX_OOB", at);
    assert!(!codes(&import).contains(&code));
}

#[test]
fn a_view_without_data_is_told_of_once() {
    let mut file = File::triangle();
    file.json["bufferViews"][0]["buffer"] = 7.into();
    let import = file.load();
    let found = import.diagnostics.iter();
    let lost: Vec<_> = found
        .filter(|it| it.code == "BUFFER_VIEW_UNREADABLE")
        .collect();
    let [lost] = lost.as_slice() else {
        panic!("{lost:?}");
    };
    assert_eq!(lost.pointer, "/meshes/0/primitives/0/attributes/POSITION");
    // Nobody knows how long such a view is.
    let mut file = File::triangle();
    let view = file.json["bufferViews"][0].as_object_mut().unwrap();
    view.insert("byteLength".to_owned(), "36".into());
    let import = file.load();
    assert_error(&import, "TYPE_MISMATCH", "/bufferViews/0/byteLength");
    let found = import.diagnostics.iter();
    let of_nothing: Vec<_> = found
        .filter(|it| it.message.contains("view of 0"))
        .collect();
    assert!(of_nothing.is_empty(), "{of_nothing:?}");
}
