//! What extensions add to materials.

use glam::{Vec2, Vec3, Vec4};
use rigscope::{
    import::Import,
    model::{
        Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Material, NormalTexture, Sheen,
        Specular, SpecularGlossiness, TextureRef, TextureTransform, Transmission, Volume,
    },
};
use serde_json::{Value, json};

use super::file::{File, assert_error, assert_sound};

/// A triangle with a material that has these extensions, and two textures for them.
fn with_extensions(extensions: &Value) -> Import {
    let mut file = File::triangle();
    let names = extensions.as_object().unwrap().keys();
    let mut used: Vec<_> = names.cloned().collect();
    used.push("KHR_texture_transform".to_owned());
    file.json["extensionsUsed"] = json!(used);
    let dot = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    file.json["images"] = json!([{"uri": dot}]);
    file.json["textures"] = json!([{"source": 0}, {"source": 0}]);
    let sets = [0, 1].map(|_| file.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let attributes = &mut file.primitive()["attributes"];
    attributes["TEXCOORD_0"] = sets[0].into();
    attributes["TEXCOORD_1"] = sets[1].into();
    attributes["NORMAL"] = normals.into();
    file.primitive()["material"] = 0.into();
    file.json["materials"] = json!([{"extensions": extensions}]);
    file.load()
}

#[track_caller]
fn read(extensions: &Value) -> Material {
    let mut import = with_extensions(extensions);
    // Each is read, whether they go together or not.
    let beside = [
        "MULTIPLE_EXTENSIONS",
        "KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR",
    ];
    import.diagnostics.retain(|it| !beside.contains(&it.code));
    assert_sound(&import);
    import.model.materials[0].clone()
}

/// A use of texture 1, and what it becomes.
fn texture() -> (Value, TextureRef) {
    let json = json!({"index": 1, "texCoord": 0, "extensions": {
        "KHR_texture_transform": {"offset": [0.5, 0.25], "texCoord": 1}
    }});
    let read = TextureRef {
        texture: 1,
        tex_coord: 1,
        transform: TextureTransform {
            offset: Vec2::new(0.5, 0.25),
            ..TextureTransform::default()
        },
    };
    (json, read)
}

#[test]
fn what_is_unlit_shows_its_base_color() {
    let material = read(&json!({
        "KHR_materials_unlit": {},
        "KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [0.25, 0.5, 0.75, 0.125]},
    }));
    assert!(material.unlit);
    assert_eq!(material.specular_glossiness, None);
}

#[test]
fn reads_every_extension() {
    let (json, texture) = texture();
    let texture = Some(texture);
    let material = read(&json!({
        "KHR_materials_emissive_strength": {"emissiveStrength": 25.0},
        "KHR_materials_ior": {"ior": 1.25},
        "KHR_materials_dispersion": {"dispersion": 0.5},
        "KHR_materials_specular": {
            "specularFactor": 0.25, "specularTexture": json,
            "specularColorFactor": [0.5, 2.0, 1.0], "specularColorTexture": json,
        },
        "KHR_materials_clearcoat": {
            "clearcoatFactor": 0.25, "clearcoatTexture": json,
            "clearcoatRoughnessFactor": 0.5, "clearcoatRoughnessTexture": json,
        },
        "KHR_materials_sheen": {
            "sheenColorFactor": [0.25, 0.5, 0.75], "sheenColorTexture": json,
            "sheenRoughnessFactor": 0.5, "sheenRoughnessTexture": json,
        },
        "KHR_materials_transmission": {"transmissionFactor": 0.5, "transmissionTexture": json},
        "KHR_materials_volume": {
            "thicknessFactor": 2.0, "thicknessTexture": json,
            "attenuationDistance": 3.0, "attenuationColor": [0.25, 0.5, 0.75],
        },
        "KHR_materials_iridescence": {
            "iridescenceFactor": 0.5, "iridescenceTexture": json, "iridescenceIor": 1.5,
            "iridescenceThicknessMinimum": 300, "iridescenceThicknessMaximum": 200,
            "iridescenceThicknessTexture": json,
        },
        "KHR_materials_diffuse_transmission": {
            "diffuseTransmissionFactor": 0.5, "diffuseTransmissionTexture": json,
            "diffuseTransmissionColorFactor": [0.25, 0.5, 0.75], "diffuseTransmissionColorTexture": json,
        },
        "KHR_materials_pbrSpecularGlossiness": {
            "diffuseFactor": [0.25, 0.5, 0.75, 0.125], "diffuseTexture": json,
            "specularFactor": [0.75, 0.5, 0.25], "glossinessFactor": 0.5,
            "specularGlossinessTexture": json,
        },
    }));
    let color = Vec3::new(0.25, 0.5, 0.75);
    let expected = Material {
        emissive_strength: 25.0,
        ior: 1.25,
        dispersion: 0.5,
        specular: Some(Specular {
            factor: 0.25,
            texture,
            color: Vec3::new(0.5, 2.0, 1.0),
            color_texture: texture,
        }),
        clearcoat: Some(Clearcoat {
            factor: 0.25,
            texture,
            roughness: 0.5,
            roughness_texture: texture,
            normal_texture: None,
        }),
        sheen: Some(Sheen {
            color,
            color_texture: texture,
            roughness: 0.5,
            roughness_texture: texture,
        }),
        transmission: Some(Transmission {
            factor: 0.5,
            texture,
        }),
        volume: Some(Volume {
            thickness: 2.0,
            thickness_texture: texture,
            attenuation_distance: 3.0,
            attenuation_color: color,
        }),
        iridescence: Some(Iridescence {
            factor: 0.5,
            texture,
            ior: 1.5,
            thickness_min_nm: 300.0,
            thickness_max_nm: 200.0,
            thickness_texture: texture,
        }),
        diffuse_transmission: Some(DiffuseTransmission {
            factor: 0.5,
            texture,
            color,
            color_texture: texture,
        }),
        specular_glossiness: Some(SpecularGlossiness {
            diffuse: Vec4::new(0.25, 0.5, 0.75, 0.125),
            diffuse_texture: texture,
            specular: Vec3::new(0.75, 0.5, 0.25),
            glossiness: 0.5,
            texture,
        }),
        ..Material::default()
    };
    assert_eq!(material, expected);
}

#[test]
fn reads_extensions_that_need_tangents() {
    let (json, texture) = texture();
    let import = with_extensions(&json!({
        "KHR_materials_anisotropy": {
            "anisotropyStrength": 0.5, "anisotropyRotation": -7.0, "anisotropyTexture": json,
        },
        "KHR_materials_clearcoat": {"clearcoatNormalTexture": {
            "index": 1, "texCoord": 1, "scale": 0.5,
            "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.25]}},
        }},
    }));
    let material = &import.model.materials[0];
    let anisotropy = Anisotropy {
        strength: 0.5,
        rotation_radians: -7.0,
        texture: Some(texture),
    };
    assert_eq!(material.anisotropy, Some(anisotropy));
    let normal = NormalTexture {
        texture,
        scale: 0.5,
    };
    assert_eq!(material.clearcoat.unwrap().normal_texture, Some(normal));
}

#[test]
fn gives_every_extension_its_own_defaults() {
    let names = [
        "emissive_strength",
        "ior",
        "dispersion",
        "specular",
        "clearcoat",
        "sheen",
        "transmission",
        "volume",
        "iridescence",
        "anisotropy",
        "diffuse_transmission",
        "pbrSpecularGlossiness",
    ];
    let names = names.map(|name| (format!("KHR_materials_{name}"), json!({})));
    let expected = Material {
        specular: Some(Specular::default()),
        clearcoat: Some(Clearcoat::default()),
        sheen: Some(Sheen::default()),
        transmission: Some(Transmission::default()),
        volume: Some(Volume::default()),
        iridescence: Some(Iridescence::default()),
        anisotropy: Some(Anisotropy::default()),
        diffuse_transmission: Some(DiffuseTransmission::default()),
        specular_glossiness: Some(SpecularGlossiness::default()),
        ..Material::default()
    };
    assert_eq!(read(&Value::Object(names.into_iter().collect())), expected);
}

/// An extension, its one property, and what is said of it.
type Case = (&'static str, &'static str, Value, &'static str);

#[test]
fn names_what_is_out_of_range_or_of_the_wrong_type() {
    let cases: [Case; 12] = [
        (
            "clearcoat",
            "clearcoatFactor",
            json!(2),
            "VALUE_NOT_IN_RANGE",
        ),
        (
            "clearcoat",
            "clearcoatRoughnessFactor",
            json!("1"),
            "TYPE_MISMATCH",
        ),
        ("clearcoat", "clearcoatTexture", json!(1), "TYPE_MISMATCH"),
        ("ior", "ior", json!(0.5), "VALUE_NOT_IN_RANGE"),
        ("ior", "ior", json!(-1), "VALUE_NOT_IN_RANGE"),
        (
            "emissive_strength",
            "emissiveStrength",
            json!(-1),
            "VALUE_NOT_IN_RANGE",
        ),
        (
            "volume",
            "attenuationDistance",
            json!(0),
            "VALUE_NOT_IN_RANGE",
        ),
        (
            "sheen",
            "sheenColorFactor",
            json!([1, 1, 1.5]),
            "VALUE_NOT_IN_RANGE",
        ),
        (
            "sheen",
            "sheenColorFactor",
            json!([1, 1]),
            "ARRAY_LENGTH_NOT_IN_LIST",
        ),
        (
            "sheen",
            "sheenColorFactor",
            json!([1, 1, "1"]),
            "ARRAY_TYPE_MISMATCH",
        ),
        (
            "specular",
            "specularColorFactor",
            json!([1, 1, -1]),
            "VALUE_NOT_IN_RANGE",
        ),
        ("dispersion", "dispersion", json!(-1), "VALUE_NOT_IN_RANGE"),
    ];
    for (name, property, value, code) in cases {
        let name = format!("KHR_materials_{name}");
        let import = with_extensions(&json!({&name: {property: value}}));
        let pointer = format!("/materials/0/extensions/{name}/{property}");
        assert_error(&import, code, &pointer);
    }
    let import = with_extensions(&json!({"KHR_materials_sheen": [1]}));
    let pointer = "/materials/0/extensions/KHR_materials_sheen";
    assert_error(&import, "TYPE_MISMATCH", pointer);
    let texture = json!({"sheenColorTexture": {"index": 7}});
    let import = with_extensions(&json!({"KHR_materials_sheen": texture}));
    let pointer = format!("{pointer}/sheenColorTexture/index");
    assert_error(&import, "UNRESOLVED_REFERENCE", &pointer);
}

#[test]
fn an_ior_of_zero_is_legal() {
    assert_eq!(read(&json!({"KHR_materials_ior": {"ior": 0}})).ior, 0.0);
}

#[test]
fn reads_variants() {
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_materials_variants"]);
    let variants = json!({"variants": [{"name": "red"}, {"name": "blue"}, {"name": "bare"}]});
    file.json["extensions"] = json!({"KHR_materials_variants": variants});
    file.json["materials"] = json!([{}, {}, {}]);
    file.primitive()["material"] = 2.into();
    let mapping =
        |material: i32, variants: &[i32]| json!({"material": material, "variants": variants});
    let mappings = json!({"mappings": [mapping(1, &[1, 2]), mapping(0, &[0])]});
    file.primitive()["extensions"] = json!({"KHR_materials_variants": mappings});
    let import = file.load();
    assert_sound(&import);
    assert_eq!(import.model.variants, ["red", "blue", "bare"]);
    let primitive = &import.model.meshes[0].primitives[0];
    let materials = [None, Some(0), Some(1), Some(2), Some(3)];
    let materials = materials.map(|variant| primitive.material_in(variant));
    assert_eq!(materials, [2, 0, 1, 1, 2]);

    let mappings = json!({"mappings": [mapping(9, &[1]), mapping(1, &[7, 0]), mapping(0, &[0])]});
    file.primitive()["extensions"] = json!({"KHR_materials_variants": mappings});
    let import = file.load();
    let primitive = &import.model.meshes[0].primitives[0];
    assert_eq!(primitive.variant_materials.len(), 1);
    assert_eq!(primitive.material_in(Some(0)), 1);
    let mappings = "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings";
    let code = "UNRESOLVED_REFERENCE";
    assert_error(&import, code, &format!("{mappings}/0/material"));
    assert_error(&import, code, &format!("{mappings}/1/variants/0"));
    let code = "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT";
    assert_error(&import, code, &format!("{mappings}/2/variants/0"));

    // Without a list of them there is none to name.
    file.json.as_object_mut().unwrap().remove("extensions");
    let import = file.load();
    let primitive = &import.model.meshes[0].primitives[0];
    assert_eq!(primitive.variant_materials, []);
    let code = "UNSATISFIED_DEPENDENCY";
    assert_error(&import, code, &format!("{mappings}/1"));
    let mut found = import.diagnostics.iter().map(|it| it.pointer.as_str());
    assert!(!found.any(|it| it.contains("/1/variants/")));
}

/// Colours are sRGB and all else is linear, by `KHR_texture_basisu`; alpha is linear in both.
#[test]
fn maps_have_ktx2_images_that_store_what_they_need() {
    const SHEEN: &str = "KHR_materials_sheen";
    let code = "KHR_TEXTURE_BASISU_TRANSFER_FUNCTION";
    let (linear, srgb) = (1, 2);
    for (format, transfer, expected) in [
        (
            0,
            linear,
            &[
                "/emissiveTexture",
                "/extensions/KHR_materials_sheen/sheenColorTexture",
            ][..],
        ),
        (
            0,
            srgb,
            &[
                "/normalTexture",
                "/pbrMetallicRoughness/metallicRoughnessTexture",
            ],
        ),
        (29, srgb, &[]),
    ] {
        let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
        bytes.resize(148, 0);
        // The Vulkan format, then the place and length of the data format descriptor, then its transfer function.
        for (place, number) in [(12, format), (48, 104), (52, 44), (118, transfer)] {
            bytes[place] = number;
        }
        let mut file = File::triangle();
        let view = file.view(&bytes);
        file.json["images"] = json!([{"bufferView": view, "mimeType": "image/ktx2"}]);
        file.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 0}}}]);
        file.json["extensionsUsed"] = json!(["KHR_texture_basisu", SHEEN]);
        let info = json!({"index": 0});
        file.json["materials"] = json!([{
            "emissiveTexture": info,
            "extensions": {SHEEN: {"sheenColorTexture": info, "sheenRoughnessTexture": info}},
            "normalTexture": info,
            "pbrMetallicRoughness": {"metallicRoughnessTexture": info},
        }]);
        let import = file.load();
        let found = import.diagnostics.iter().filter(|it| it.code == code);
        let mut found: Vec<_> = found.map(|it| &*it.pointer).collect();
        found.sort_unstable();
        let expected = expected.iter().map(|at| format!("/materials/0{at}"));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
