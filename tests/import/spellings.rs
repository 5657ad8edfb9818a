//! Texts that few tools write and the specification allows, and what stands in a file but is used by nothing.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::Vec2;
use image::{DynamicImage, ImageFormat};
use rigscope::import::{Import, Severity};
use serde_json::{Value, json};

use super::{
    corpus::of_corpus,
    draco::DRACO,
    file::{
        File, UNSIGNED_BYTE, assert_clean, assert_error, assert_found, glb as rebuilt, load,
        message,
    },
};
use crate::common::folder;

fn errors(import: &Import) -> Vec<&str> {
    let found = import.diagnostics.iter();
    let errors = found.filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.code).collect()
}

#[test]
fn compressed_data_are_found_however_their_extension_is_written() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let (json, bin) = glb[20..].split_at(length);
    let text = String::from_utf8(json.to_vec()).unwrap();
    let mut escaped = text.trim_end().replace("\"KHR_draco", r#""KHR\u005fdraco"#);
    let padding = escaped.len().next_multiple_of(4) - escaped.len();
    escaped.push_str(&" ".repeat(padding));
    assert_ne!(text, escaped);
    let import = load(&rebuilt(&[
        (b"JSON", escaped.as_bytes()),
        (b"BIN\0", &bin[8..]),
    ]));
    assert_eq!(errors(&import), [""; 0]);
    let meshes = |import: &Import| format!("{:?}", import.model.meshes);
    assert!(meshes(&import) == meshes(&load(&glb)));
}

/// RFC 8259 §8.2: the grammar allows them.
#[test]
fn halves_of_surrogate_pairs_cost_a_character() {
    let mut file = File::triangle();
    file.json["nodes"][0]["name"] = json!("left_right");
    file.primitive()["attributes"]["_HALF"] = json!(0);
    let text = file.to_text().replace("left_right", r"left\ud83dright");
    let import = load(text.replace("_HALF", r"_\udc00").as_bytes());
    assert_eq!(errors(&import), [""; 0]);
    assert_found(&import, Severity::Warning, "INVALID_UNICODE", "");
    let (_, node) = import.model.hierarchy.iter().next().unwrap();
    assert_eq!(node.name, "left\u{fffd}right");
    assert_eq!(import.model.triangle_count(), 1);
}

#[test]
fn targets_that_change_colors_are_found_however_these_are_written() {
    let mut file = File::triangle();
    let colors = file.floats("VEC4", &[0.5; 12]);
    file.primitive()["attributes"]["COLOR_0"] = json!(colors);
    file.primitive()["targets"] = json!([{"COLOR_0": colors}]);
    let text = file.to_text();
    let import = load(text.replace("COLOR_0", r"COLOR\u005f0").as_bytes());
    assert_eq!(errors(&import), [""; 0]);
    let primitive = &import.model.meshes[0].primitives[0];
    assert_eq!(primitive.targets[0].colors.len(), 3);
}

/// glTF 2.0 §2.7.
#[test]
fn of_attributes_of_one_name_the_last_counts() {
    let text = File::triangle().to_text();
    let twice = text.replace(r#""POSITION":0"#, r#""POSITION":null,"POSITION":0"#);
    assert_ne!(twice, text);
    let import = load(twice.as_bytes());
    assert_eq!(errors(&import), [""; 0]);
    assert_eq!(import.model.triangle_count(), 1);
}

/// Names of properties should differ (glTF 2.0 §2.7): what is lost by it is told.
#[test]
fn properties_that_are_there_twice_are_told() {
    const CODE: &str = "DUPLICATE_PROPERTY";
    let text = File::triangle().to_text();
    let nodes = r#""nodes":[{"mesh":0}]"#;
    for (twice, place) in [
        (r#""nodes":[{},{}],"nodes":[{"mesh":0}]"#, "/nodes"),
        (r#""nodes":[{"mesh":1,"mesh":0}]"#, "/nodes/0/mesh"),
        (
            r#""nodes":[{"mesh":0,"extras":{"a":1,"a":2},"extensions":{"A_B":{},"A_B":{}}}],"extensionsUsed":["A_B"]"#,
            "/nodes/0/extensions/A_B",
        ),
        (r#""extras":1,"nodes":[{"mesh":0}],"extras":2"#, "/extras"),
        (r#""\u006eodes":[{}],"nodes":[{"mesh":0}]"#, "/nodes"),
    ] {
        let twice = text.replace(nodes, twice);
        assert_ne!(twice, text);
        let import = load(twice.as_bytes());
        assert_eq!(errors(&import), [""; 0]);
        assert_found(&import, Severity::Warning, CODE, place);
        assert_eq!(message(&import, CODE), "it is there more than once");
        assert_eq!(import.model.triangle_count(), 1);
    }
    let node = r#"{"mesh":1,"mesh":0,"name":"a","name":"b","name":"c"}"#;
    let import = load(text.replace(r#"{"mesh":0}"#, node).as_bytes());
    assert_found(&import, Severity::Warning, CODE, "/nodes/0/mesh");
    let told = message(&import, CODE);
    assert!(
        told.starts_with("it is there more than once, as 2 other properties"),
        "{told}"
    );
}

#[test]
fn base64_may_have_the_alphabet_of_file_names() {
    let mut file = File::triangle();
    let ones = file.accessor("VEC4", UNSIGNED_BYTE, 3, &[0xff; 12]);
    file.primitive()["attributes"]["_ONES"] = json!(ones);
    let text = file.to_text();
    let (head, rest) = text.split_once(";base64,").unwrap();
    let (body, tail) = rest.split_once('"').unwrap();
    assert!(body.contains('/'), "{body}");
    let body = body.replace('+', "-").replace('/', "_");
    assert_clean(&load(format!("{head};base64,{body}\"{tail}").as_bytes()));
}

#[test]
fn no_scene_has_an_index_beyond_32_bits() {
    let mut file = File::triangle();
    file.json["scene"] = json!(1_u64 << 32);
    assert_error(&file.load(), "UNRESOLVED_REFERENCE", "/scene");
}

/// A cone belongs to lights of that type alone.
#[test]
fn cones_of_lights_without_one_are_not_looked_at() {
    const LIGHTS: &str = "KHR_lights_punctual";
    let at = format!("/extensions/{LIGHTS}/lights/0");
    let load = |kind: &str, spot: Value| {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([LIGHTS]);
        file.json["extensions"][LIGHTS] = json!({"lights": [{"type": kind, "spot": spot}]});
        file.json["nodes"][0]["extensions"][LIGHTS] = json!({"light": 0});
        file.load()
    };
    for (spot, code, place) in [
        (
            json!({"innerConeAngle": 1.0, "outerConeAngle": 0.5}),
            "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES",
            "/spot/outerConeAngle",
        ),
        (
            json!({"innerConeAngle": -1.0}),
            "VALUE_NOT_IN_RANGE",
            "/spot/innerConeAngle",
        ),
        (json!(5), "TYPE_MISMATCH", "/spot"),
        (
            json!({"outerConeAngle": "wide"}),
            "TYPE_MISMATCH",
            "/spot/outerConeAngle",
        ),
    ] {
        assert_error(&load("spot", spot.clone()), code, &format!("{at}{place}"));
        let import = load("point", spot);
        assert_eq!(errors(&import), [""; 0]);
        assert_eq!(import.model.lights.len(), 1);
    }
}

/// Numbers of JSON have no limit; floats have.
#[test]
fn large_numbers_are_no_errors() {
    const VOLUME: &str = "KHR_materials_volume";
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!([VOLUME]);
    file.json["materials"] = json!([{}]);
    file.json["materials"][0]["extensions"][VOLUME] = json!({"attenuationDistance": 1e39});
    file.primitive()["material"] = json!(0);
    let import = file.load();
    assert_eq!(errors(&import), [""; 0]);
    let place = format!("/materials/0/extensions/{VOLUME}/attenuationDistance");
    assert_found(&import, Severity::Warning, "VALUE_NOT_IN_RANGE", &place);
}

/// Nor has a float such numbers as lie next to 0: they are not 0, where that is not allowed.
#[test]
fn small_numbers_are_no_errors() {
    const LIGHTS: &str = "KHR_lights_punctual";
    const VOLUME: &str = "KHR_materials_volume";
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!([LIGHTS, VOLUME]);
    let volume = json!({"attenuationDistance": 1e-50});
    file.json["materials"] = json!([{"extensions": {VOLUME: volume}}]);
    file.json["extensions"] = json!({LIGHTS: {"lights": [{"type": "point", "range": 1e-50}]}});
    file.json["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": 1.0, "znear": 1e-50}},
        {"type": "orthographic", "orthographic": {"xmag": 1e-50, "ymag": 2.0, "znear": 0.0, "zfar": 1.0}},
    ]);
    let import = file.load();
    assert_eq!(errors(&import), [""; 0]);
    assert_eq!(import.model.lights[0].range, Some(f32::MIN_POSITIVE));
    let (near, side) = (
        "/cameras/0/perspective/znear",
        "/cameras/1/orthographic/xmag",
    );
    for number in [near, side] {
        assert_found(&import, Severity::Warning, "VALUE_NOT_IN_RANGE", number);
    }
    // 0 itself is one.
    file.json["cameras"][0]["perspective"]["znear"] = json!(0.0);
    file.json["cameras"][1]["orthographic"]["xmag"] = json!(0.0);
    let import = file.load();
    assert_error(&import, "VALUE_NOT_IN_RANGE", near);
    assert_error(&import, "CAMERA_XMAG_YMAG_ZERO", side);
}

/// A double is the least that reads JSON, and a float the least that shows it.
#[test]
fn numbers_that_are_too_large_are_told_wherever_they_stand() {
    const LIGHTS: &str = "KHR_lights_punctual";
    const TRANSFORM: &str = "KHR_texture_transform";
    let (light, lens) = (
        format!("/extensions/{LIGHTS}/lights/0"),
        "/cameras/0/perspective",
    );
    let scale = format!("/materials/0/emissiveTexture/extensions/{TRANSFORM}/scale");
    let dispersion = "/materials/0/extensions/KHR_materials_dispersion/dispersion";
    for place in [
        format!("{light}/intensity"),
        format!("{light}/range"),
        format!("{lens}/zfar"),
        format!("{lens}/aspectRatio"),
        "/cameras/1/orthographic/xmag".to_owned(),
        "/cameras/1/orthographic/ymag".to_owned(),
        format!("{scale}/0"),
        dispersion.to_owned(),
        "/accessors/0/max/1".to_owned(),
    ] {
        for (number, severity, words) in [
            (
                "1e40",
                Severity::Warning,
                "1e40 is too large for single precision",
            ),
            ("1e400", Severity::Error, "even for double precision"),
        ] {
            // What is no number of the elements is told as that.
            if place.starts_with("/accessors") && severity == Severity::Warning {
                continue;
            }
            let mut file = File::triangle();
            file.json["extensionsUsed"] = json!([LIGHTS, TRANSFORM, "KHR_materials_dispersion"]);
            let lights = json!([{"type": "point", "intensity": 1.0, "range": 1.0}]);
            file.json["extensions"] = json!({LIGHTS: {"lights": lights}});
            let lens = json!({"yfov": 1.0, "znear": 1.0, "zfar": 2.0, "aspectRatio": 1.0});
            let sides = json!({"xmag": 1.0, "ymag": 1.0, "znear": 1.0, "zfar": 2.0});
            file.json["cameras"] = json!([
                {"type": "perspective", "perspective": lens},
                {"type": "orthographic", "orthographic": sides},
            ]);
            file.json["textures"] = json!([{}]);
            let extensions = json!({TRANSFORM: {"scale": [1.0, 1.0]}});
            let texture = json!({"index": 0, "extensions": extensions});
            let extensions = json!({"KHR_materials_dispersion": {"dispersion": 0.0}});
            file.json["materials"] =
                json!([{"emissiveTexture": texture, "extensions": extensions}]);
            *file.json.pointer_mut(&place).unwrap() = "LARGE".into();
            let import = load(file.to_text().replace("\"LARGE\"", number).as_bytes());
            assert_found(&import, severity, "VALUE_NOT_IN_RANGE", &place);
            let told = message(&import, "VALUE_NOT_IN_RANGE");
            assert!(told.contains(words), "{place}: {told}");
        }
    }
}

/// Who does not know the extension takes the set that stands beside it.
#[test]
fn both_sets_of_texture_coordinates_must_be_there() {
    const TRANSFORM: &str = "KHR_texture_transform";
    for (set, instead, is_sound) in [(0, 0, true), (0, 1, false), (1, 0, false)] {
        let mut file = File::triangle();
        file.json["extensionsUsed"] = json!([TRANSFORM]);
        let coordinates = file.floats("VEC2", &[0.0; 6]);
        file.primitive()["attributes"]["TEXCOORD_0"] = json!(coordinates);
        file.primitive()["material"] = json!(0);
        file.json["textures"] = json!([{}]);
        file.json["materials"] = json!([{}]);
        file.json["materials"][0]["emissiveTexture"] = json!({
            "index": 0, "texCoord": set, "extensions": {TRANSFORM: {"texCoord": instead}},
        });
        let found = errors(&file.load()).contains(&"MESH_PRIMITIVE_TOO_FEW_TEXCOORDS");
        assert_eq!(found, !is_sound, "{set} {instead}");
    }
}

/// The ways in which a channel is not played; its sampler is none the better for it.
const UNPLAYED: [fn(&mut File); 3] = [
    |file| {
        let target = &mut file.json["animations"][0]["channels"][0]["target"];
        target.as_object_mut().unwrap().remove("node");
    },
    |file| file.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBIC"),
    // The same where animations are read property by property.
    |file| {
        file.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBIC");
        file.json["animations"][0]["extras"] = json!({});
    },
];

#[test]
fn key_times_that_nothing_plays_rise_from_zero() {
    let at = "/animations/0/samplers/0/input";
    for (times, code) in [
        ([-1.0, 0.0], Some("ACCESSOR_ANIMATION_INPUT_NEGATIVE")),
        ([1.0, 0.5], Some("ACCESSOR_ANIMATION_INPUT_NON_INCREASING")),
        ([1.0, 1.0], Some("ACCESSOR_ANIMATION_INPUT_NON_INCREASING")),
        ([0.0, 1.0], None),
    ] {
        for change in UNPLAYED {
            let mut file = File::animated("translation", "VEC3", &times, &[0.0; 6]);
            change(&mut file);
            let import = file.load();
            match code {
                Some(code) => assert_error(&import, code, at),
                None => assert_eq!(errors(&import), [""; 0]),
            }
        }
        let mut file = File::animated("translation", "VEC3", &times, &[0.0; 6]);
        file.json["animations"][0]["channels"][0]["target"]["path"] = json!("SCALE");
        assert_eq!(errors(&file.load()).is_empty(), code.is_none());
        // Some other channel plays other times.
        let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &[0.0; 6]);
        let times = file.floats("SCALAR", &times);
        let samplers = file.json["animations"][0]["samplers"].as_array_mut();
        samplers.unwrap().push(json!({"input": times, "output": 2}));
        assert_eq!(errors(&file.load()).is_empty(), code.is_none());
    }
}

#[test]
fn rotations_that_nothing_plays_have_length_one() {
    const CODE: &str = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    for (length, is_sound) in [(1.0, true), (2.0, false)] {
        for change in UNPLAYED {
            let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, length, 0.0];
            let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &values);
            change(&mut file);
            let import = file.load();
            if is_sound {
                assert_eq!(errors(&import), [""; 0]);
            } else {
                assert_error(&import, CODE, "/animations/0/samplers/0/output");
            }
        }
    }
}

/// Tangents have any length, and only a spline has them.
#[test]
fn tangents_of_rotations_that_nothing_plays_have_any_length() {
    let key = [5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 3.0, 0.0, 0.0];
    let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &key.repeat(2));
    file.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
    let target = &mut file.json["animations"][0]["channels"][0]["target"];
    target.as_object_mut().unwrap().remove("node");
    assert_eq!(errors(&file.load()), [""; 0]);
}

/// `KHR_animation_pointer` says nothing of lengths.
#[test]
fn rotations_by_a_pointer_are_normalised_without_an_error() {
    const POINTER: &str = "KHR_animation_pointer";
    let values = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 0.0];
    let mut file = File::animated("rotation", "VEC4", &[0.0, 1.0], &values);
    file.json["extensionsUsed"] = json!([POINTER]);
    file.json["animations"][0]["channels"][0]["target"] = json!({
        "path": "pointer", "extensions": {POINTER: {"pointer": "/nodes/0/rotation"}},
    });
    let import = file.load();
    assert_eq!(errors(&import), [""; 0]);
    let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    assert_found(
        &import,
        Severity::Warning,
        code,
        "/animations/0/samplers/0/output",
    );
}

fn data_uri(bytes: &[u8]) -> String {
    format!("data:;base64,{}", STANDARD.encode(bytes))
}

/// A file of the corpus with its buffers inside, if the corpus is there.
fn with_buffers_inside(name: &str) -> Option<Value> {
    let path = folder("RIGSCOPE_CORPUS")?.join("files").join(name);
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for buffer in json["buffers"].as_array_mut().unwrap() {
        if let Some(uri) = buffer["uri"].as_str() {
            let bytes = fs::read(path.with_file_name(uri)).unwrap();
            let uri = data_uri(&bytes);
            buffer["uri"] = uri.replace("data:", "data:application/octet-stream").into();
        }
    }
    Some(json)
}

/// Writes integers as `1.0`, which glTF 2.0 §2.7 allows.
fn make_whole_float(value: &mut Value) {
    *value = value.as_f64().unwrap().into();
}

#[test]
fn whole_floats_are_sets_of_coordinates_in_texture_transforms() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    file.json["textures"] = json!([{}]);
    file.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
        "KHR_texture_transform": {"offset": [0.25, 0.5], "texCoord": 1.0},
    }}}}]);
    let texture = file.load().model.materials[0].base_color_texture.unwrap();
    assert_eq!(texture.tex_coord, 1);
    assert_eq!(texture.transform.offset, Vec2::new(0.25, 0.5));
}

#[test]
fn whole_floats_are_images_of_extensions() {
    let mut dots = [ImageFormat::Png, ImageFormat::WebP]
        .into_iter()
        .map(|format| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            let dot = DynamicImage::new_rgba8(1, 1);
            dot.write_to(&mut bytes, format).unwrap();
            json!({"uri": data_uri(bytes.get_ref())})
        });
    let mut file = File::triangle();
    file.json["images"] = json!([dots.next(), dots.next()]);
    file.json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    file.json["textures"] =
        json!([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1.0}}}]);
    assert_eq!(file.load().model.textures[0].image, 1);
}

#[test]
fn whole_floats_are_accessors_of_compressed_primitives() {
    let Some(mut json) = with_buffers_inside("khronos-samples/Box/glTF-Draco/Box.gltf") else {
        return;
    };
    let primitive = &mut json["meshes"][0]["primitives"][0];
    for pointer in [
        "/attributes/POSITION",
        "/mode",
        "/indices",
        "/extensions/KHR_draco_mesh_compression/bufferView",
        "/extensions/KHR_draco_mesh_compression/attributes/POSITION",
    ] {
        make_whole_float(primitive.pointer_mut(pointer).unwrap());
    }
    let import = load(json.to_string().as_bytes());
    assert_eq!(import.model.meshes[0].primitives[0].indices.len(), 36);
}

#[test]
fn whole_floats_are_buffers_of_compressed_views() {
    let name = "gltf-pipeline/extensions/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf";
    let Some(mut json) = with_buffers_inside(name) else {
        return;
    };
    assert_clean(&load(json.to_string().as_bytes()));
    for view in json["bufferViews"].as_array_mut().unwrap() {
        make_whole_float(&mut view["buffer"]);
        let extension = view.pointer_mut("/extensions/EXT_meshopt_compression/buffer");
        make_whole_float(extension.unwrap());
    }
    assert_clean(&load(json.to_string().as_bytes()));
}
