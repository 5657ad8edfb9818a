//! What a posed mesh has and does not have of its model's file beside what can be seen.

use std::{
    fs,
    path::{Path, PathBuf},
};

use image::ExtendedColorType;
use rigscope::{cli::load, import::Severity};
use serde_json::{Value, json};

use crate::{artefact, chunks, kept::said};

const WEBP: &str = "EXT_texture_webp";

/// A textured triangle, after a change of its file. Its pictures are opaque and have an alpha channel all the same, which
/// none that is encoded here has.
fn triangle(name: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let corners = [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let bytes: Vec<u8> = corners
        .iter()
        .flatten()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    fs::write(artefact("still.bin"), bytes).unwrap();
    for picture in ["still.png", "still.webp"] {
        let texels = [255; 4 * 4 * 4];
        image::save_buffer(artefact(picture), &texels, 4, 4, ExtendedColorType::Rgba8).unwrap();
    }
    let texture = |index: usize| json!({ "index": index });
    let mut file = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "uri": "still.bin", "byteLength": 36 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [
            {
                "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0, 0, 0], "max": [1, 1, 0],
            },
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC2" },
        ],
        "images": [{ "uri": "still.png" }, { "uri": "still.webp" }],
        "samplers": [{ "wrapS": 33071 }, { "magFilter": 9729, "minFilter": 9987 }, { "magFilter": 9728 }],
        "textures": [{ "source": 0, "sampler": 0 }, { "source": 0, "sampler": 1 }, {
            "sampler": 2, "extensions": { WEBP: { "source": 1 } },
        }],
        "extensionsUsed": [WEBP],
        "materials": [{
            "name": "cloth",
            "pbrMetallicRoughness": { "baseColorTexture": texture(0) },
            "emissiveTexture": texture(1),
            "occlusionTexture": texture(2),
        }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "material": 0,
        }] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
    });
    change(&mut file);
    let path = artefact(name);
    fs::write(&path, file.to_string()).unwrap();
    path
}

/// The JSON of what is saved of a file, its binary chunk, and what is said.
fn saved(path: &Path) -> (Value, Vec<u8>, String) {
    let saved = path.with_extension("glb");
    let said = said(&["pose", "--save"], path, &saved);
    let (file, bin) = chunks(&saved);
    (file, bin, said)
}

/// An image that was written: its media type, and whether it is the very file.
fn image_is(file: &Value, bin: &[u8], image: usize, picture: &str) -> (String, bool) {
    let image = &file["images"][image];
    let view = &file["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
    let [start, length] =
        ["byteOffset", "byteLength"].map(|it| view[it].as_u64().unwrap() as usize);
    let is_same = bin[start..start + length] == fs::read(artefact(picture)).unwrap();
    (image["mimeType"].as_str().unwrap().to_owned(), is_same)
}

/// WebP only where the file could not be read without it before.
#[test]
fn pictures_are_the_bytes_that_they_were() {
    let (file, bin, _) = saved(&triangle("pictures.gltf", |_| {}));
    let png = "image/png".to_owned();
    assert_eq!(image_is(&file, &bin, 0, "still.png"), (png.clone(), true));
    assert_eq!(image_is(&file, &bin, 1, "still.webp"), (png, false));
    assert_eq!(file.get("extensionsRequired"), None);
    let required = triangle("pictures-webp.gltf", |file| {
        file["extensionsRequired"] = json!([WEBP]);
    });
    let (file, bin, _) = saved(&required);
    let webp = "image/webp".to_owned();
    assert_eq!(image_is(&file, &bin, 1, "still.webp"), (webp, true));
    let mut textures = file["textures"].as_array().unwrap().iter();
    let stated = textures.find(|it| it.get("extensions").is_some());
    let stated = stated.unwrap();
    assert_eq!(stated["extensions"][WEBP], json!({ "source": 1 }));
    assert_eq!(stated.get("source"), None);
    for list in ["extensionsUsed", "extensionsRequired"] {
        assert_eq!(file[list], json!([WEBP]));
    }
    let import = load(&required.with_extension("glb")).unwrap();
    assert!(
        import
            .model
            .images
            .iter()
            .all(|image| !image.is_placeholder)
    );
    let mut found = import.diagnostics.iter();
    assert!(found.all(|it| it.severity > Severity::Warning));
}

/// What could be read of them is there, as a picture that all can read.
#[test]
fn damaged_pictures_are_not_handed_on() {
    const SIDE: u32 = 64;
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 | 1
    };
    let texels: Vec<u8> = (0..3 * SIDE * SIDE).map(|_| noise()).collect();
    let cut = "still-cut.png";
    image::save_buffer(artefact(cut), &texels, SIDE, SIDE, ExtendedColorType::Rgb8).unwrap();
    for (name, part, is_same) in [("sound.gltf", 4, true), ("damaged.gltf", 3, false)] {
        let whole = fs::read(artefact(cut)).unwrap();
        fs::write(artefact(cut), &whole[..whole.len() * part / 4]).unwrap();
        let path = triangle(name, |file| file["images"][0]["uri"] = json!(cut));
        let (file, bin, _) = saved(&path);
        let found = image_is(&file, &bin, 0, cut);
        assert_eq!(found, ("image/png".to_owned(), is_same), "{name}");
        let image = |path: &Path| load(path).unwrap().model.images[0].clone();
        let [before, after] = [&*path, &path.with_extension("glb")].map(image);
        assert_eq!((before.width, before.height), (SIDE, SIDE));
        assert_eq!(before.levels, after.levels, "{name}");
        let import = load(&path.with_extension("glb")).unwrap();
        let mut found = import.diagnostics.iter();
        assert!(found.all(|it| it.severity > Severity::Warning), "{name}");
    }
}

#[test]
fn filters_that_a_file_leaves_open_stay_open() {
    let (file, _, _) = saved(&triangle("filters.gltf", |_| {}));
    let of_slot = |slot: &str| {
        let material = &file["materials"][0];
        let slot = material
            .get(slot)
            .unwrap_or(&material["pbrMetallicRoughness"][slot]);
        let texture = &file["textures"][slot["index"].as_u64().unwrap() as usize];
        let sampler = &file["samplers"][texture["sampler"].as_u64().unwrap() as usize];
        ["magFilter", "minFilter"].map(|filter| sampler.get(filter).and_then(Value::as_u64))
    };
    assert_eq!(of_slot("baseColorTexture"), [None, None]);
    assert_eq!(of_slot("emissiveTexture"), [Some(9729), Some(9987)]);
    assert_eq!(of_slot("occlusionTexture"), [Some(9728), None]);
}

#[test]
fn what_is_not_there_is_said_and_extras_are_kept() {
    let path = triangle("notes.gltf", |file| {
        let attributes = &mut file["meshes"][0]["primitives"][0]["attributes"];
        attributes["TEXCOORD_1"] = json!(1);
        attributes["TEXCOORD_2"] = json!(1);
        attributes["_PRESSURE"] = json!(0);
        file["extensionsUsed"] = json!([WEBP, "ACME_glitter"]);
        file["materials"][0]["extensions"] = json!({ "ACME_glitter": {} });
        file["materials"][0]["extras"] = json!({ "shader": "toon" });
        file["meshes"][0]["extras"] = json!({ "a": 1, "targetNames": [] });
        file["nodes"] =
            json!([{ "mesh": 0, "extras": { "id": 7 } }, { "extras": 1 }, { "extras": 2 }]);
        file["scenes"] = json!([{ "nodes": [0, 1, 2], "extras": "all" }]);
        file["images"][0]["extras"] = json!([1.5]);
        file["textures"][1]["extras"] = json!(1);
    });
    let (file, _, said) = saved(&path);
    for (object, extras) in [
        (&file["materials"][0], json!({ "shader": "toon" })),
        (&file["meshes"][0], json!({ "a": 1 })),
        (&file["nodes"][0], json!({ "id": 7 })),
        (&file["scenes"][0], json!("all")),
        (&file["images"][0], json!([1.5])),
    ] {
        assert_eq!(object["extras"], extras);
    }
    for words in [
        "notes.gltf: vertex attributes are left out: TEXCOORD_2, _PRESSURE\n",
        "notes.gltf: extensions are left out: ACME_glitter\n",
        "notes.gltf: the extras of 2 nodes, 1 texture are left out\n",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let (_, _, said) = saved(&triangle("no-notes.gltf", |_| {}));
    assert!(!said.contains("left out"), "{said}");
}

#[test]
fn authors_and_licences_of_avatars_are_named() {
    let stated = |name: &str, extensions: Value, copyright: Option<&str>| {
        let path = triangle(name, |file| {
            file["extensions"] = extensions;
            if let Some(copyright) = copyright {
                file["asset"]["copyright"] = json!(copyright);
            }
        });
        saved(&path).0["asset"]["copyright"].clone()
    };
    let old = json!({ "VRM": { "meta": { "author": "Bea", "licenseName": "CC0" } } });
    let new = json!({ "VRMC_vrm": { "specVersion": "1.0", "meta": {
        "name": "Cy", "authors": ["Dee", "Eve"], "licenseUrl": "https://vrm.dev/licenses/1.0/",
    } } });
    let address = "https://vrm.dev/licenses/1.0/";
    assert_eq!(stated("vrm-0.gltf", old, None), "Author: Bea; Licence: CC0");
    let expected = format!("© Dee; Author: Dee, Eve; Licence: {address}");
    assert_eq!(stated("vrm-1.gltf", new, Some("© Dee")), expected);
    assert_eq!(stated("vrm-none.gltf", json!({}), None), Value::Null);
}
