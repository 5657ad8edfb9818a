//! Spellings: what JSON, URIs and media types leave to the writer makes no difference.

use rigscope::import::{Import, Severity};
use serde_json::json;

use super::file::{File, assert_error, assert_found, load};

fn errors(import: &Import) -> Vec<String> {
    let found = import.diagnostics.iter();
    let errors = found.filter(|it| it.severity == Severity::Error);
    errors.map(ToString::to_string).collect()
}

/// The file with this text instead of another.
#[track_caller]
fn written(file: &File, is: &str, becomes: &str) -> Import {
    let text = file.to_text();
    assert!(text.contains(is), "{is} in {text}");
    load(text.replace(is, becomes).as_bytes())
}

/// Extras that are nested deeper than the JSON crate goes.
fn deep() -> String {
    format!(r#""extras":{{"a":{}{}}}"#, "[".repeat(300), "]".repeat(300))
}

#[test]
fn deep_extras_lose_no_object() {
    let deep = deep();
    let mesh = r#""mesh":0"#;
    for more in [
        format!(r#""mesh":0.0,{deep}"#),
        format!(r#""mesh":0,"extras":{{"time":1700000000000,"b":{{{deep}}}}}"#),
        r#""mesh":0.0,"extras":{"a":-1e999}"#.to_owned(),
    ] {
        let import = written(&File::triangle(), mesh, &more);
        assert!(errors(&import).is_empty(), "{:?}", errors(&import));
        let node = import.model.hierarchy.iter().next().unwrap().1;
        assert_eq!(node.mesh, Some(0));
    }
}

/// A triangle with a texture that a transform moves.
fn textured(more: &str) -> String {
    let mut file = File::triangle();
    let tex_coords = file.floats("VEC2", &[0.0; 6]);
    file.primitive()["attributes"]["TEXCOORD_0"] = tex_coords.into();
    file.primitive()["material"] = 0.into();
    file.json["extensionsUsed"] = json!(["KHR_texture_transform", "KHR_materials_sheen"]);
    file.json["images"] = json!([{"uri": "a.png"}]);
    file.json["textures"] = json!([{"source": 0}]);
    file.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": {
            "index": 0,
            "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.25]}},
        }},
        "extensions": {"KHR_materials_sheen": {"sheenRoughnessFactor": 0.5}},
    }]);
    file.to_text().replace(
        r#""sheenRoughnessFactor""#,
        &format!("{more}\"sheenRoughnessFactor\""),
    )
}

#[test]
fn extensions_are_found_however_they_are_written_and_whatever_is_beside_them() {
    let plain = textured("");
    let escaped = plain
        .replace(r#"{"KHR_"#, r#"{"KHR\u005f"#)
        .replace(r#""extensions""#, r#""\u0065xtensions""#);
    assert_ne!(plain, escaped);
    for text in [plain, escaped, textured(&format!("{},", deep()))] {
        let import = load(text.as_bytes());
        let material = &import.model.materials[0];
        let texture = material.base_color_texture.as_ref().unwrap();
        assert_eq!(texture.transform.offset.to_array(), [0.5, 0.25], "{text}");
        assert_eq!(material.sheen.as_ref().unwrap().roughness, 0.5, "{text}");
    }
}

#[test]
fn numbers_beyond_doubles_are_numbers() {
    let mut file = File::triangle();
    file.json["materials"] = json!([{"emissiveFactor": [0.5, 0, 0], "alphaCutoff": 0.5}]);
    let import = written(&file, "\"alphaCutoff\":0.5", "\"alphaCutoff\":1e999");
    let [told]: [String; 1] = errors(&import).try_into().unwrap();
    assert!(told.contains("VALUE_NOT_IN_RANGE"), "{told}");
    let import = written(&file, "[0.5,0,0]", "[1e999,0,0]");
    let codes: Vec<_> = import.diagnostics.iter().map(|it| it.code).collect();
    assert!(codes.contains(&"VALUE_NOT_IN_RANGE"), "{codes:?}");
    assert!(!codes.contains(&"ARRAY_TYPE_MISMATCH"), "{codes:?}");
}

/// A file whose only buffer has three bytes.
fn with_uri(uri: &str) -> Import {
    let mut file = File::empty();
    file.json["buffers"] = json!([{"byteLength": 3, "uri": uri}]);
    load(file.json.to_string().as_bytes())
}

#[test]
fn data_uris_are_read_in_all_their_spellings() {
    for uri in [
        "data:application/octet-stream;base64,+/+/",
        "DATA:Application/Octet-Stream;base64,+/+/",
        "data:application/gltf-buffer;charset=utf-8;base64,+/+/",
        "data:application/octet-stream;base64,%2B%2f+/",
        "data:application/octet-stream;base64,-_-_",
        "data:application/octet-stream,%fb%ff%bf",
        "data:application/octet-stream;base64,+/+/AA",
    ] {
        let import = with_uri(uri);
        assert!(errors(&import).is_empty(), "{uri}: {:?}", errors(&import));
    }
}

#[test]
fn data_uris_that_break_their_rules_are_named_and_read() {
    for uri in [
        "data:application/octet-stream;BASE64,+/+/",
        "data:application/octet-stream;base64,+/ +/",
        "data:application/octet-stream;base64,+/\n+/",
        "data:application/octet-stream;;base64,+/+/",
        // As browsers read it.
        "data:application/octet-stream; base64,+/+/",
        "data:base64,+/+/",
    ] {
        let import = with_uri(uri);
        assert_error(&import, "INVALID_URI", "/buffers/0/uri");
        assert_eq!(errors(&import).len(), 1, "{uri}: {:?}", errors(&import));
    }
    let import = with_uri("data:application/octet-stream;base64;a=b,%fb%ff%bf");
    assert_error(&import, "INVALID_URI", "/buffers/0/uri");
    let import = with_uri("data:application/octet-stream;base64,+/8=");
    assert_error(&import, "BUFFER_BYTE_LENGTH_MISMATCH", "/buffers/0");
}

#[test]
fn backslashes_part_no_folders() {
    let mut file = File::empty();
    file.json["images"] = json!([{"uri": "textures\\a.png"}]);
    assert_error(&file.load(), "INVALID_URI", "/images/0/uri");
}

#[test]
fn media_types_of_images_are_the_same_in_all_letters() {
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let with = |head: &str| {
        let mut file = File::empty();
        file.json["images"] = json!([{"uri": format!("data:{head};base64,{PNG}")}]);
        file.load()
    };
    for head in ["image/png", "Image/PNG", "image/png;a=b"] {
        let import = with(head);
        assert!(errors(&import).is_empty(), "{head}: {:?}", errors(&import));
    }
    for head in ["", "text/plain", "image/gif"] {
        assert_error(&with(head), "INVALID_URI", "/images/0/uri");
    }
    assert_error(&with("image/jpeg"), "IMAGE_MIME_TYPE_INVALID", "/images/0");
    // A container has a place for the bytes themselves.
    let mut file = File::triangle();
    file.json["images"] = json!([{"uri": format!("data:image/png;base64,{PNG}")}]);
    let import = load(&file.to_glb());
    assert_found(&import, Severity::Hint, "DATA_URI_GLB", "/images/0/uri");
}

#[test]
fn versions_have_no_sign() {
    let mut file = File::triangle();
    file.json["asset"]["version"] = json!("+2.0");
    assert_error(&file.load(), "PATTERN_MISMATCH", "/asset/version");
}
