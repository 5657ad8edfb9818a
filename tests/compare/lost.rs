//! What cannot be read of either model: it is not the same.

use std::{fs, path::Path};

use serde_json::json;

use crate::{PIP, common};

/// A model whose clip lies in a file that is not there.
fn without_buffer(name: &str) -> std::path::PathBuf {
    let text = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "hip" }],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": 0, "output": 1 }]
        }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3" }
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 32 }],
        "buffers": [{ "byteLength": 32, "uri": format!("{name}.bin") }]
    });
    let path = common::artefacts("compare").join(format!("{name}.gltf"));
    fs::write(&path, text.to_string()).unwrap();
    path
}

/// What a command returns, and what it says on standard error.
pub(crate) fn run(command: &str, files: &[&Path]) -> (Option<i32>, String) {
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = process.arg(command).args(files).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

#[test]
fn what_could_not_be_read_is_not_the_same() {
    let lost = ["lost", "lost_too"].map(without_buffer);
    let (code, said) = run("compare", &[&lost[0], &lost[1]]);
    assert_eq!(code, Some(2), "{said}");
    for file in ["lost.bin", "lost_too.bin"] {
        assert!(said.contains(file), "{said}");
    }
    assert_eq!(run("compare", &[&lost[0], Path::new(PIP)]).0, Some(1));
    assert_eq!(
        run("compare", &[Path::new(PIP); 2]),
        (Some(0), String::new())
    );
}

/// Legal files that name no data for their buffer, of one name in two folders.
#[test]
fn what_legal_files_hold_back_is_not_the_same() {
    let bare = without_buffer("held_back");
    let text = fs::read_to_string(&bare).unwrap();
    let text = text.replace(",\"uri\":\"held_back.bin\"", "");
    let text = text.replace("\"uri\":\"held_back.bin\",", "");
    assert!(!text.contains("uri"), "{text}");
    let files = ["old", "new"].map(|folder| {
        let folder = common::artefacts("compare").join(folder);
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("held_back.gltf");
        fs::write(&path, &text).unwrap();
        path
    });
    let (code, said) = run("compare", &[&files[0], &files[1]]);
    assert_eq!(code, Some(2), "{said}");
    assert!(!said.contains("rigscope: error"), "{said}");
    // Each is called by its path.
    for file in &files {
        assert!(said.contains(file.to_str().unwrap()), "{said}");
    }
    let (code, said) = run("compare", &[&files[0], Path::new(PIP)]);
    assert_eq!(code, Some(1), "{said}");
    let named = format!("rigscope: warning: {}: ", files[0].display());
    assert!(said.starts_with(&named), "{said}");
}

/// Bounds that are wrong or missing, and lists of nothing.
#[test]
fn what_breaks_rules_and_loses_nothing_may_be_the_same() {
    let text = fs::read_to_string(without_buffer("harmless")).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let keys = "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=";
    file["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{keys}"));
    file["nodes"][0]["children"] = json!([]);
    let path = common::artefacts("compare").join("harmless.gltf");
    for bounds in [[json!([0]), json!([0.5])], [json!(null), json!(null)]] {
        let [min, max] = bounds;
        let times = file["accessors"][0].as_object_mut().unwrap();
        (times["min"], times["max"]) = (min, max);
        times.retain(|_, value| !value.is_null());
        fs::write(&path, file.to_string()).unwrap();
        let (code, said) = run("compare", &[&path, &path]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("rigscope: error"), "{said}");
    }
    // A skin of no joints is none.
    file["skins"] = json!([{ "joints": [] }]);
    fs::write(&path, file.to_string()).unwrap();
    assert_eq!(run("compare", &[&path, &path]).0, Some(2));
}

#[test]
fn a_pose_tells_what_was_lost() {
    let (code, said) = run("pose", &[&without_buffer("lost_as_well")]);
    assert_eq!(code, Some(0));
    assert!(
        said.contains("/buffers/0") && said.contains("lost_as_well.bin"),
        "{said}"
    );
    assert_eq!(run("pose", &[Path::new(PIP)]), (Some(0), String::new()));
}
