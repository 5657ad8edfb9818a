//! What a file has beside what is known of it, in the file that one more clip makes of it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use base64::Engine as _;
use serde_json::{Value, json};

use crate::{
    artefact,
    baked::bake,
    chunks,
    lacking::{TO_SAVE, changed},
};

fn data_uri(bytes: &[u8]) -> String {
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!("data:application/octet-stream;base64,{data}")
}

/// What `rigscope` says on standard error while it saves.
pub(super) fn said(typed: &[&str], model: &Path, saved: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = command.args(typed).arg(saved).arg(model).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    said
}

#[test]
fn chunks_of_extensions_follow_the_bytes() {
    let plain = changed("chunks.gltf", |_| {});
    let mut json = fs::read(plain).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let further: [(&[u8; 4], &[u8]); 3] = [
        (b"XXXX", b"SECRET!!"),
        (b"\x01\0\0\xff", b""),
        (b"XXXX", b"four"),
    ];
    let mut chunks = Vec::new();
    for (kind, bytes) in further {
        chunks.extend((bytes.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(bytes);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((20 + json.len() as u32 + chunks.len() as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json);
    file.extend(&chunks);
    let [model, saved] = ["chunks-from.glb", "chunks-to.glb"].map(artefact);
    fs::write(&model, file).unwrap();
    for typed in TO_SAVE {
        said(typed, &model, &saved);
        let bytes = fs::read(&saved).unwrap();
        assert!(bytes.ends_with(&chunks), "{typed:?}");
        assert_eq!(bytes[8..12], (bytes.len() as u32).to_le_bytes());
        assert!(bytes.windows(4).any(|kind| kind == b"BIN\0"));
    }
}

/// Buffers 1 and 3 have bytes, 2 only stands for data that are compressed.
fn with_buffers(name: &str, more: impl FnOnce(&mut Value)) -> PathBuf {
    let other = format!("{name}.bin");
    fs::write(artefact(&other), [9, 9, 9, 9, 5, 6, 7, 8]).unwrap();
    changed(name, |file| {
        let meshopt = "EXT_meshopt_compression";
        file["extensionsUsed"] = json!([meshopt]);
        let buffers = file["buffers"].as_array_mut().unwrap();
        buffers.extend([
            json!({ "byteLength": 7, "uri": data_uri(&[1, 2, 3, 4, 5, 6, 7]) }),
            json!({ "byteLength": 16, "extensions": { meshopt: { "fallback": true } } }),
            json!({ "byteLength": 8, "uri": other }),
        ]);
        let views = file["bufferViews"].as_array_mut().unwrap();
        views.extend([
            json!({ "buffer": 1, "byteLength": 4 }),
            json!({ "buffer": 1, "byteOffset": 4, "byteLength": 3, "name": "end" }),
            json!({ "buffer": 2, "byteOffset": 4, "byteLength": 4, "extensions": { meshopt: {
                "buffer": 3, "byteOffset": 4, "byteLength": 4, "byteStride": 4, "count": 1,
                "mode": "ATTRIBUTES",
            } } }),
        ]);
        more(file);
    })
}

#[test]
fn bytes_of_several_buffers_become_those_of_one() {
    let path = with_buffers("several.gltf", |_| {});
    let saved = artefact("several.glb");
    bake(&[path.to_str().unwrap(), "-o", saved.to_str().unwrap()]).unwrap();
    let (file, bin) = chunks(&saved);
    let buffers = file["buffers"].as_array().unwrap();
    assert_eq!(buffers.len(), 2, "{buffers:?}");
    assert!(buffers.iter().all(|buffer| buffer.get("uri").is_none()));
    assert!(buffers[1]["extensions"].is_object());
    let bytes = |range: &Value| {
        assert_eq!(range["buffer"], 0);
        let [start, length] = ["byteOffset", "byteLength"];
        let start = range[start].as_u64().unwrap() as usize;
        bin[start..start + range[length].as_u64().unwrap() as usize].to_vec()
    };
    let views = &file["bufferViews"];
    assert_eq!(bytes(&views[1]), [1, 2, 3, 4]);
    assert_eq!(bytes(&views[2]), [5, 6, 7]);
    assert_eq!(views[2]["name"], "end");
    let compressed = &views[3]["extensions"]["EXT_meshopt_compression"];
    assert_eq!(bytes(compressed), [5, 6, 7, 8]);
    assert_eq!(
        (&views[3]["buffer"], &views[3]["byteOffset"]),
        (&json!(1), &json!(4))
    );
    // The first ones lie where they lay.
    assert_eq!(views[0].get("byteOffset"), None);
}

/// Where something unknown may name them, and where something is to lie in bytes that are not there.
#[test]
fn buffers_stay_where_what_names_them_may_not_be_found() {
    type Change = fn(&mut Value);
    let changes: [Change; 3] = [
        |file| file["extensions"] = json!({ "ACME_x": { "sound": { "buffer": 1 } } }),
        |file| file["extensions"] = json!({ "ACME_x": ["/buffers/3/byteLength"] }),
        |file| file["bufferViews"][1]["byteLength"] = json!(8),
    ];
    for (place, change) in changes.into_iter().enumerate() {
        let path = with_buffers(&format!("stays-{place}.gltf"), change);
        let before: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let saved = artefact("stays.glb");
        bake(&[path.to_str().unwrap(), "-o", saved.to_str().unwrap()]).unwrap();
        let (after, _) = chunks(&saved);
        assert_eq!(after["buffers"][1], before["buffers"][1], "{place}");
        assert_eq!(after["bufferViews"][1], before["bufferViews"][1], "{place}");
    }
}

/// What only extensions name is not known to be a file, and is not copied.
#[test]
fn files_that_extensions_name_are_missed_in_another_folder() {
    let path = changed("sounds.gltf", |file| {
        file["extras"] = json!({ "uri": "note.txt" });
        file["nodes"][0]["extras"] = json!({ "extensions": { "X": { "uri": "note.txt" } } });
        let kept = [
            "boom.wav",
            "data:audio/wav;base64,AAAA",
            "https://example.com/a.wav",
            "boom.wav",
        ];
        let many = (10..30).map(|place| format!("many/{place}.wav"));
        let uris = kept.map(str::to_owned).into_iter().chain(many);
        let sounds: Vec<_> = uris.map(|uri| json!({ "uri": uri })).collect();
        file["extensions"] = json!({ "ACME_sound": { "sounds": sounds } });
    });
    let folder = artefact("elsewhere");
    fs::create_dir_all(&folder).unwrap();
    for typed in TO_SAVE {
        let away = said(typed, &path, &folder.join("sounds.glb"));
        let told = away
            .lines()
            .filter(|line| line.contains("what extensions name"));
        let told: Vec<_> = told.collect();
        assert_eq!(told.len(), 1, "{away}");
        assert!(told[0].contains("sounds.gltf: what"), "{away}");
        assert!(
            told[0].contains(": \"boom.wav\", \"many/10.wav\", "),
            "{away}"
        );
        assert!(told[0].ends_with("\"many/20.wav\", and 9 more"), "{away}");
        let beside = said(typed, &path, &artefact("sounds.glb"));
        assert!(!beside.contains("boom.wav"), "{beside}");
    }
}
