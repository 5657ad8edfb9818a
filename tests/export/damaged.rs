//! A clip added to files that name what they do not have: nothing of it comes alive, and all else stays.

use std::{fs, path::PathBuf};

use rigscope::{cli::load, import::Severity};
use serde_json::{Value, json};

use crate::{artefact, chunks, pose};

/// Two joints and no bytes, with other members beside them.
fn bare(name: &str, more: &Value, written: impl FnOnce(String) -> String) -> PathBuf {
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "a", "children": [1] }, { "name": "b" }],
        "skins": [{ "joints": [0, 1] }],
    });
    for (key, value) in more.as_object().unwrap() {
        file[key] = value.clone();
    }
    let path = artefact(name);
    fs::write(&path, written(file.to_string())).unwrap();
    path
}

fn add_clip(model: &str, more: &Value) -> anyhow::Result<PathBuf> {
    add_clip_as(model, more, |text| text)
}

/// [`add_clip`] where the text is changed.
fn add_clip_as(
    model: &str,
    more: &Value,
    written: impl FnOnce(String) -> String,
) -> anyhow::Result<PathBuf> {
    let saved = artefact(&format!("{model}.glb"));
    let _ = fs::remove_file(&saved);
    let model = bare(&format!("{model}.gltf"), more, written);
    let [from, to] = [&model, &saved].map(|path| path.to_str().unwrap());
    pose(&[from, "--save", to, "--as-clip", "Held"])?;
    Ok(saved)
}

#[test]
fn what_is_named_in_vain_does_not_come_alive() {
    let far = json!({ "skins": [{ "joints": [0, 1], "inverseBindMatrices": 400 }] });
    let harmless = json!({
        "extras": { "bufferView": 0 },
        "skins": [{ "joints": [0, 1], "extras": { "input": 0 } }],
        "extensionsUsed": ["KHR_draco_mesh_compression", "X_unknown"],
        "meshes": [{ "primitives": [{
            "attributes": {},
            "extensions": { "KHR_draco_mesh_compression": { "attributes": { "POSITION": 0 } } },
        }] }],
        "extensions": { "X_unknown": { "count": 0 } },
    });
    for fine in [json!({}), far, harmless] {
        let saved = add_clip("vain", &fine).unwrap();
        let clips = load(&saved).unwrap().model.clips;
        assert_eq!(clips.len(), 1);
    }
    // Extras may hold what cannot be read, and names half a character.
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    let extras =
        json!({ "skins": [{ "joints": [0, 1], "extras": "deep", "inverseBindMatrices": 0 }] });
    let unread = |text: String| text.replace("\"deep\"", &deep);
    let refused = format!("{:#}", add_clip_as("vain", &extras, unread).unwrap_err());
    assert!(refused.contains("it refers to accessors/0"), "{refused}");
    let extras = json!({ "skins": [{ "joints": [0, 1], "extras": "deep", "name": "half" }] });
    let spelled = |text: String| {
        let text = text.replace("\"deep\"", &deep).replace("half", r"\ud83d");
        text.replacen("\"nodes\":", r#""nodes":null,"nodes":"#, 1)
    };
    let saved = add_clip_as("vain", &extras, spelled).unwrap();
    assert_eq!(load(&saved).unwrap().model.clips.len(), 1);
    let vain = [
        (
            "accessors/0",
            json!({ "skins": [{ "joints": [0, 1], "inverseBindMatrices": 0 }] }),
        ),
        (
            "bufferViews/0",
            json!({ "images": [{ "bufferView": 0, "mimeType": "image/png" }] }),
        ),
        (
            "buffers/0",
            json!({ "bufferViews": [{ "buffer": 0, "byteLength": 4 }] }),
        ),
        (
            "accessors/2",
            json!({ "meshes": [{ "primitives": [{ "attributes": {}, "targets": [{ "POSITION": 2.0 }] }] }] }),
        ),
        (
            "bufferViews/0",
            json!({ "extensions": { "X_unknown": { "parts": [{ "bufferView": 0 }] } } }),
        ),
    ];
    for (named, more) in vain {
        let refused = format!("{:#}", add_clip("vain", &more).unwrap_err());
        let reason = format!("vain.gltf: it refers to {named}, which is not there");
        assert!(refused.contains(&reason), "{refused}");
    }
}

/// Where a view reaches beyond its buffer nothing is put in its way.
#[test]
fn what_lies_beyond_a_buffer_stays_beyond_it() {
    let data = "data:application/octet-stream;base64,AAAAAAAAAAA=";
    let view = |end: usize| {
        let views = json!([{ "buffer": 0, "byteOffset": 4, "byteLength": end - 4 }]);
        let buffers = json!([{ "byteLength": 8, "uri": data }]);
        json!({ "bufferViews": views, "buffers": buffers })
    };
    let buffers = |more: &Value| {
        let saved = add_clip("beyond", more).unwrap();
        let (json, bin) = chunks(&saved);
        let errors = load(&saved).unwrap().diagnostics;
        let errors = errors.iter().filter(|it| it.severity == Severity::Error);
        (
            json["buffers"].as_array().unwrap().len(),
            bin.len(),
            errors.count(),
        )
    };
    let (count, bytes, errors) = buffers(&view(8));
    assert!(count == 1 && bytes > 8 && errors == 0);
    let (count, bytes, errors) = buffers(&view(64));
    assert!(
        count == 2 && bytes == 0 && errors > 0,
        "{count} {bytes} {errors}"
    );
}

/// A chunk without bytes is left out (glTF 2.0 §4.4.3.3), and a view has a byte at least (§5.11.3).
#[test]
fn nothing_empty_is_written() {
    fs::write(artefact("empty.png"), b"").unwrap();
    let more = json!({
        "buffers": [{ "byteLength": 8, "uri": "gone.bin" }],
        "images": [{ "uri": "empty.png" }],
    });
    let saved = add_clip("empty", &more).unwrap();
    let bytes = fs::read(&saved).unwrap();
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    assert_eq!(bytes.len(), 20 + text, "there is one chunk");
    assert_eq!(bytes[8..12], (bytes.len() as u32).to_le_bytes());
    let (json, _) = chunks(&saved);
    assert_eq!(json["images"], more["images"]);
    let views = json["bufferViews"].as_array().unwrap();
    assert!(views.iter().all(|view| view["byteLength"] != 0));
    assert_eq!(load(&saved).unwrap().model.clips.len(), 1);
}

/// A clip of the file that is not sound makes no other one: what is moved has what it needs then, in both.
#[test]
fn a_property_gets_the_object_that_it_is_in() {
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let zeros = format!("data:application/octet-stream;base64,{}=", "A".repeat(27));
    let more = json!({
        "extensionsUsed": ["KHR_animation_pointer"],
        "materials": [{ "name": "skin" }],
        "buffers": [{ "byteLength": 20, "uri": zeros }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 4 },
            { "buffer": 0, "byteOffset": 4, "byteLength": 16 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0] },
            { "bufferView": 1, "componentType": 5126, "type": "VEC4", "count": 1 },
        ],
        "animations": [{
            "name": "Paint",
            "channels": [{ "sampler": 0, "target": {
                "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } },
            } }],
            "samplers": [{ "input": 0, "output": 1 }],
        }],
    });
    let saved = add_clip("painted", &more).unwrap();
    let (json, _) = chunks(&saved);
    let expected = json!({ "name": "skin", "pbrMetallicRoughness": {} });
    assert_eq!(json["materials"][0], expected);
    let import = load(&saved).unwrap();
    let mut found = import.diagnostics.iter();
    assert!(found.all(|it| it.severity != Severity::Error));
    assert_eq!(import.model.clips[1].properties().len(), 1);
}
