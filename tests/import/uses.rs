//! Rules about what primitives, channels and textures use, in files of which nothing of the kind is read.

use rigscope::import::{Diagnostic, Import, Severity};
use serde_json::{Value, json};

use super::file::{
    BYTE, FLOAT, File, SHORT, UNSIGNED_BYTE, UNSIGNED_SHORT, assert_error, assert_sound,
};

/// A change of a file, and what it must be called where.
type Case = (fn(&mut File), &'static str, &'static str);

/// An accessor without data.
fn add(file: &mut File, kind: &str, component: u32, count: u64) -> usize {
    let accessors = file.json["accessors"].as_array_mut().unwrap();
    accessors.push(json!({"type": kind, "componentType": component, "count": count}));
    accessors.len() - 1
}

/// Checks that each change of a file without errors gives this one, once.
fn check(make: fn() -> File, cases: &[Case]) {
    assert_eq!(errors(&make().load()).count(), 0);
    for (change, code, pointer) in cases {
        let mut file = make();
        change(&mut file);
        let import = file.load();
        assert_error(&import, code, pointer);
        let same = errors(&import).filter(|it| it.code == *code && it.pointer == *pointer);
        assert_eq!(same.count(), 1, "{code} {pointer}");
    }
}

fn errors(import: &Import) -> impl Iterator<Item = &Diagnostic> {
    let found = import.diagnostics.iter();
    found.filter(|diagnostic| diagnostic.severity == Severity::Error)
}

fn count(import: &Import, code: &str) -> usize {
    errors(import).filter(|found| found.code == code).count()
}

/// A primitive that is not drawn, since it has nothing but an attribute of an application.
fn without_positions() -> File {
    let mut file = File::triangle();
    file.primitive()["attributes"] = json!({"_OWN": 0});
    file
}

#[test]
fn accessors_of_primitives_that_are_not_drawn_must_fit() {
    check(
        without_positions,
        &[
            (
                |file| file.primitive()["indices"] = json!(4),
                "UNRESOLVED_REFERENCE",
                "/meshes/0/primitives/0/indices",
            ),
            (
                |file| file.primitive()["material"] = json!(0),
                "UNRESOLVED_REFERENCE",
                "/meshes/0/primitives/0/material",
            ),
            (
                |file| file.primitive()["attributes"]["NORMAL"] = json!(1e9),
                "UNRESOLVED_REFERENCE",
                "/meshes/0/primitives/0/attributes/NORMAL",
            ),
            (
                |file| file.primitive()["targets"] = json!([{}, {"NORMAL": 4_294_967_296_u64}]),
                "UNRESOLVED_REFERENCE",
                "/meshes/0/primitives/0/targets/1/NORMAL",
            ),
            (
                |file| file.primitive()["indices"] = add(file, "SCALAR", SHORT, 3).into(),
                "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
                "/meshes/0/primitives/0/indices",
            ),
            (
                |file| {
                    let colors = add(file, "VEC3", UNSIGNED_SHORT, 3);
                    file.primitive()["attributes"]["COLOR_0"] = colors.into();
                },
                "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
                "/meshes/0/primitives/0/attributes/COLOR_0",
            ),
            (
                |file| {
                    let coordinates = add(file, "vec2", FLOAT, 3);
                    file.primitive()["attributes"]["TEXCOORD_0"] = coordinates.into();
                },
                "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
                "/meshes/0/primitives/0/attributes/TEXCOORD_0",
            ),
            (
                |file| {
                    let normals = add(file, "VEC3", FLOAT, 4);
                    file.primitive()["attributes"]["NORMAL"] = normals.into();
                },
                "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
                "/meshes/0/primitives/0/attributes/_OWN",
            ),
        ],
    );
}

/// A primitive whose positions are lost with their buffer, with a morph target.
fn without_data() -> File {
    let mut file = File::triangle();
    file.bin.clear();
    file.json["buffers"] = json!([{"byteLength": 36}]);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    file
}

#[test]
fn accessors_of_primitives_without_data_must_fit() {
    let target = "/meshes/0/primitives/0/targets/0/POSITION";
    let cases: &[Case] = &[
        (
            |file| {
                let deltas = add(file, "VEC3", FLOAT, 3);
                file.primitive()["targets"][0]["POSITION"] = deltas.into();
            },
            "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
            target,
        ),
        (
            |file| {
                let deltas = add(file, "VEC3", FLOAT, 2);
                file.primitive()["targets"][0]["POSITION"] = deltas.into();
            },
            "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT",
            target,
        ),
        (
            |file| {
                let deltas = add(file, "VEC4", FLOAT, 3);
                file.primitive()["targets"][0]["POSITION"] = deltas.into();
            },
            "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
            target,
        ),
    ];
    check(without_data, cases);
}

#[test]
fn quantized_directions_must_be_normalised() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let bytes = [0, 0, 0xff, 0x7f, 0, 0, 0, 0].repeat(3);
    let normals = file.accessor("VEC3", SHORT, 3, &bytes);
    let view = file.json["accessors"][normals]["bufferView"]
        .as_u64()
        .unwrap();
    let view = usize::try_from(view).unwrap();
    file.json["bufferViews"][view]["byteStride"] = json!(8);
    file.primitive()["attributes"]["NORMAL"] = normals.into();
    let pointer = "/meshes/0/primitives/0/attributes/NORMAL";
    let code = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";
    assert_error(&file.load(), code, pointer);
    file.json["accessors"][normals]["normalized"] = json!(true);
    assert_sound(&file.load());
}

#[test]
fn quantization_allows_plain_integers_that_move_texture_coordinates() {
    let mut file = File::triangle();
    let coords = file.floats("VEC2", &[0.0; 6]);
    let deltas = file.accessor("VEC2", BYTE, 3, &[0; 12]);
    let view = file.json["bufferViews"].as_array_mut().unwrap().last_mut();
    view.unwrap()["byteStride"] = json!(4);
    file.primitive()["attributes"]["TEXCOORD_0"] = coords.into();
    file.primitive()["targets"] = json!([{"TEXCOORD_0": deltas}]);
    let pointer = "/meshes/0/primitives/0/targets/0/TEXCOORD_0";
    let code = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";
    assert_error(&file.load(), code, pointer);
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    assert_sound(&file.load());
}

/// A clip whose only channel names no node.
fn without_node() -> File {
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let mut file = File::animated("translation", "VEC3", &[0.0, 1.0], &values);
    file.json["animations"][0]["channels"][0]["target"] = json!({"path": "translation"});
    file
}

fn sampler(file: &mut File) -> &mut Value {
    &mut file.json["animations"][0]["samplers"][0]
}

fn channel(file: &mut File) -> &mut Value {
    &mut file.json["animations"][0]["channels"][0]
}

#[test]
fn what_channels_use_that_are_not_played_must_fit() {
    let cases: &[Case] = &[
        (
            |file| channel(file)["sampler"] = json!(1),
            "UNRESOLVED_REFERENCE",
            "/animations/0/channels/0/sampler",
        ),
        (
            |file| channel(file)["sampler"] = json!(4_294_967_296_u64),
            "UNRESOLVED_REFERENCE",
            "/animations/0/channels/0/sampler",
        ),
        (
            |file| channel(file)["target"] = json!({"path": "other", "node": 7}),
            "UNRESOLVED_REFERENCE",
            "/animations/0/channels/0/target/node",
        ),
        (
            |file| *sampler(file) = json!({"input": 8, "output": 9}),
            "UNRESOLVED_REFERENCE",
            "/animations/0/samplers/0/output",
        ),
        (
            |file| sampler(file)["input"] = json!(2),
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
            "/animations/0/samplers/0/input",
        ),
        (
            |file| file.json["accessors"][1]["max"] = Value::Null,
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
            "/animations/0/samplers/0/input",
        ),
        (
            |file| channel(file)["target"]["path"] = json!("rotation"),
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
            "/animations/0/samplers/0/output",
        ),
        (
            |file| file.json["accessors"][1]["count"] = json!(1),
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
            "/animations/0/channels/0",
        ),
        (
            |file| sampler(file)["interpolation"] = json!("CUBICSPLINE"),
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
            "/animations/0/channels/0",
        ),
        (
            |file| {
                sampler(file)["interpolation"] = json!("OTHER");
                channel(file)["target"] = json!({"path": "weights", "node": 0});
            },
            "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
            "/animations/0/channels/0/target",
        ),
    ];
    check(without_node, cases);
    // The same where animations are read property by property.
    for (change, code, pointer) in cases {
        let mut file = without_node();
        change(&mut file);
        file.json["animations"][0]["extras"] = json!({});
        assert_error(&file.load(), code, pointer);
    }
}

#[test]
fn values_of_weights_are_counted_by_the_targets_of_the_mesh() {
    let mut file = File::animated("weights", "SCALAR", &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    assert_sound(&file.load());
    // Such a channel is not played.
    sampler(&mut file)["interpolation"] = json!("OTHER");
    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
    assert_eq!(count(&file.load(), code), 0);
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    assert_error(&file.load(), code, "/animations/0/channels/0");
}

/// One fault is one error.
#[test]
fn what_is_missing_or_of_another_type_is_told_once() {
    let errors_of = |change: &dyn Fn(&mut File)| {
        let mut file = File::triangle();
        change(&mut file);
        let import = file.load();
        let errors = import.diagnostics.iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        let errors = errors.map(|it| format!("{} {}", it.code, it.pointer));
        errors.collect::<Vec<_>>()
    };
    let transmission = "KHR_materials_transmission";
    let without_index = errors_of(&|file| {
        file.json["extensionsUsed"] = json!([transmission]);
        let object = json!({"transmissionTexture": {}});
        file.json["materials"] = json!([{"extensions": {transmission: object}}]);
    });
    let at = format!("/materials/0/extensions/{transmission}/transmissionTexture");
    assert_eq!(without_index, [format!("UNDEFINED_PROPERTY {at}")]);
    let of_animation =
        |animation: Value| errors_of(&|file| file.json["animations"] = json!([animation.clone()]));
    assert_eq!(of_animation(json!(3)), ["TYPE_MISMATCH /animations/0"]);
    let missing = of_animation(json!({}));
    assert_eq!(missing, ["UNDEFINED_PROPERTY /animations/0"]);
    let empty = of_animation(json!({"channels": [], "samplers": []}));
    let lists = ["channels", "samplers"].map(|it| format!("EMPTY_ENTITY /animations/0/{it}"));
    assert_eq!(empty, lists);
    let image = errors_of(&|file| file.json["images"] = json!([3]));
    assert_eq!(image, ["TYPE_MISMATCH /images/0"]);
    let sparse = errors_of(&|file| {
        let view = file.view(&[0; 36]);
        file.json["accessors"][0]["sparse"] = json!({
            "count": 0, "values": {"bufferView": view},
            "indices": {"bufferView": view, "componentType": UNSIGNED_BYTE},
        });
    });
    assert_eq!(sparse, ["VALUE_NOT_IN_RANGE /accessors/0/sparse/count"]);
    let lens = json!({"yfov": 0.5, "znear": 1, "zfar": 0});
    let camera = json!({"type": "perspective", "perspective": lens});
    let seen = errors_of(&|file| file.json["cameras"] = json!([camera]));
    assert_eq!(seen, ["VALUE_NOT_IN_RANGE /cameras/0/perspective/zfar"]);
    let lens = json!({"xmag": 2, "ymag": 2, "znear": 0, "zfar": 0});
    let camera = json!({"type": "orthographic", "orthographic": lens});
    let seen = errors_of(&|file| file.json["cameras"] = json!([camera]));
    assert_eq!(seen, ["VALUE_NOT_IN_RANGE /cameras/0/orthographic/zfar"]);
    let spot = errors_of(&|file| {
        let light = json!({"type": "spot", "spot": {"outerConeAngle": 0}});
        file.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
        file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [light]}});
    });
    let at = "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle";
    assert_eq!(spot, [format!("VALUE_NOT_IN_RANGE {at}")]);
}

#[test]
fn faults_have_the_names_that_the_validator_gives_them() {
    const VARIANTS: &str = "KHR_materials_variants";
    const LIGHTS: &str = "KHR_lights_punctual";
    let primitive = "/meshes/0/primitives/0";
    type Change = fn(&mut File);
    let cases: [(Change, &str, &str); 9] = [
        (
            |file| file.json["scene"] = json!(1e20),
            "UNRESOLVED_REFERENCE",
            "/scene",
        ),
        (
            |file| file.json["scenes"][0]["nodes"] = json!([0, 1e20]),
            "UNRESOLVED_REFERENCE",
            "/scenes/0/nodes/1",
        ),
        (
            |file| file.primitive()["attributes"]["NORMAL"] = json!("0"),
            "INVALID_INDEX",
            &format!("{primitive}/attributes/NORMAL"),
        ),
        (
            |file| file.primitive()["targets"] = json!([3]),
            "ARRAY_TYPE_MISMATCH",
            &format!("{primitive}/targets"),
        ),
        (
            |file| {
                let primitives = file.json["meshes"][0]["primitives"].as_array_mut();
                primitives.unwrap().push(json!(3));
            },
            "ARRAY_TYPE_MISMATCH",
            "/meshes/0/primitives",
        ),
        (
            |file| {
                file.json["extensionsUsed"] = json!([LIGHTS]);
                file.json["extensions"] = json!({LIGHTS: {"lights": [3]}});
            },
            "ARRAY_TYPE_MISMATCH",
            &format!("/extensions/{LIGHTS}/lights"),
        ),
        (
            |file| file.json["extensionsRequired"] = json!(["KHR_materials_unlit"]),
            "UNSATISFIED_DEPENDENCY",
            "/extensionsRequired",
        ),
        (
            |file| {
                file.json["extensionsUsed"] = json!([VARIANTS]);
                file.json["extensions"] = json!({VARIANTS: {"variants": [{"name": "red"}]}});
                file.json["materials"] = json!([{}]);
                let mappings = json!([{"material": 0, "variants": [0, 0]}]);
                file.primitive()["extensions"] = json!({VARIANTS: {"mappings": mappings}});
            },
            "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT",
            &format!("{primitive}/extensions/{VARIANTS}/mappings/0/variants/1"),
        ),
        (
            |file| {
                file.json["accessors"][0]["byteOffset"] = 2.into();
                file.json["accessors"][0]["count"] = 2.into();
            },
            "ACCESSOR_TOTAL_OFFSET_ALIGNMENT",
            "/accessors/0",
        ),
    ];
    for (change, code, pointer) in cases {
        let mut file = File::triangle();
        change(&mut file);
        let import = file.load();
        assert_error(&import, code, pointer);
        let other = ["TYPE_MISMATCH", "INVALID_INDEX"];
        let mut found = errors(&import);
        assert!(
            found.all(|it| it.code == code || !other.contains(&it.code)),
            "{code}"
        );
    }
}

#[test]
fn textures_and_variants_must_fit_too() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!([
        "EXT_texture_webp",
        "KHR_materials_variants",
        "EXT_meshopt_compression"
    ]);
    file.json["extensions"] = json!({"KHR_materials_variants": {"variants": [{"name": "red"}]}});
    let texture = json!({"index": 0});
    file.json["materials"] = json!([{}, {"normalTexture": texture}]);
    file.json["textures"] = json!([{
        "source": 3,
        "extensions": {"EXT_texture_webp": {"source": 2}},
    }]);
    let mappings = json!([{"material": 1, "variants": [0]}]);
    file.primitive()["extensions"] = json!({"KHR_materials_variants": {"mappings": mappings}});
    file.json["bufferViews"][0]["buffer"] = json!(0);
    let views = file.json["bufferViews"].as_array_mut().unwrap();
    let compressed = json!({
        "buffer": 0, "byteLength": 4, "byteStride": 4, "count": 1, "mode": "ATTRIBUTES",
    });
    views.push(json!({
        "buffer": 5, "byteLength": 4, "extensions": {"EXT_meshopt_compression": compressed},
    }));
    file.json["scenes"] = json!([{"nodes": [0, 0.0]}]);
    let import = file.load();
    let unresolved = [
        "/textures/0/source",
        "/textures/0/extensions/EXT_texture_webp/source",
        "/bufferViews/1/buffer",
    ];
    for pointer in unresolved {
        assert_error(&import, "UNRESOLVED_REFERENCE", pointer);
    }
    let mapping = "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0/material";
    assert_error(&import, "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", mapping);
    assert_error(&import, "DUPLICATE_ELEMENTS", "/scenes/0/nodes/1");
}

#[test]
fn what_the_loader_said_is_not_counted_again() {
    let mut file = File::triangle();
    file.json["accessors"][0]["min"] = Value::Null;
    let primitive = file.primitive().clone();
    file.json["meshes"][0]["primitives"] = vec![primitive; 100].into();
    let import = file.load();
    let code = "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS";
    assert_eq!(count(&import, code), 65);
    let mut found = import.diagnostics.iter();
    let rest = found.find(|it| it.code == code && it.pointer.is_empty());
    assert!(rest.unwrap().message.contains("36 more"));
}
