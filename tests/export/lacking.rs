//! Files that lack something for what is baked of them: what of it is said, and what is saved.

use std::{fs, path::PathBuf, process::Command};

use rigscope::cli::load;
use serde_json::{Value, json};

use crate::{
    artefact,
    baked::{bake, rig},
};

/// What saves a model's own file with one more clip.
pub(super) const TO_SAVE: [&[&str]; 2] =
    [&["bake", "-o"], &["pose", "--as-clip", "held", "--save"]];

/// A rig that swings, after a change of its file.
pub(super) fn changed(name: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let path = rig(name, json!({ "translation": [0, 1, 0] }), true);
    let text = fs::read_to_string(&path).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    change(&mut file);
    fs::write(&path, file.to_string()).unwrap();
    path
}

/// Why nothing is baked.
fn refused(typed: &[&str]) -> String {
    let saved = artefact("never-lacking.glb");
    let output = ["-o", saved.to_str().unwrap()];
    format!("{:#}", bake(&[typed, &output].concat()).unwrap_err())
}

/// The file is of use all the same.
#[test]
fn what_lacks_data_that_cannot_be_read_is_no_success() {
    let path = changed("lacking.gltf", |file| {
        file["images"] = json!([{ "uri": "lost.png" }, { "uri": "lost.png" }]);
        let buffers = file["buffers"].as_array_mut().unwrap();
        buffers.push(json!({ "byteLength": 4, "uri": "lost.bin" }));
    });
    let saved = artefact("lacking.glb");
    for typed in TO_SAVE {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        let output = command.args(typed).arg(&saved).arg(&path).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        // Once each, and of which model.
        for lost in ["lost.png", "lost.bin"] {
            let lines: Vec<_> = said.lines().filter(|line| line.contains(lost)).collect();
            assert_eq!(lines.len(), 1, "{said}");
            assert!(lines[0].contains("lacking.gltf"), "{said}");
        }
        assert!(
            said.contains("lacking.glb: what could not be read"),
            "{said}"
        );
        assert_eq!(load(&saved).unwrap().model.clips.len(), 2);
    }
}

/// One more buffer, of which nothing can be decoded.
fn add_broken_buffer(file: &mut Value) {
    let broken = json!({ "byteLength": 4, "uri": "data:application/octet-stream;base64,@@@" });
    file["buffers"].as_array_mut().unwrap().push(broken);
}

/// One more buffer, all of which is read, though there are bits behind its last byte.
fn add_sloppy_buffer(file: &mut Value) {
    let sloppy = json!({ "byteLength": 4, "uri": "data:application/octet-stream;base64,AAAAAB==" });
    file["buffers"].as_array_mut().unwrap().push(sloppy);
}

/// Nothing is missed of an empty list; bytes that are stated and not there are.
#[test]
fn only_what_costs_data_is_no_success() {
    type Slip = fn(&mut Value);
    let slips: [(Slip, i32); 4] = [
        (|file| file["images"] = json!([]), 0),
        (add_broken_buffer, 2),
        (add_sloppy_buffer, 0),
        (|file| file["buffers"][0]["byteLength"] = 1000.into(), 2),
    ];
    for (place, (slip, code)) in slips.into_iter().enumerate() {
        let path = changed(&format!("slip-{place}.gltf"), slip);
        assert!(load(&path).unwrap().has_errors());
        let saved = artefact(&format!("slip-{place}.glb"));
        for typed in TO_SAVE {
            let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
            let output = command.args(typed).arg(&saved).arg(&path).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                output.status.code(),
                Some(code),
                "{typed:?} {place}: {said}"
            );
        }
    }
}

/// It is called by the name that it has in the file.
#[test]
fn a_clip_that_moves_nothing_is_named() {
    let path = changed("empty.gltf", |file| {
        let channel = json!({ "sampler": 0, "target": { "path": "scale" } });
        file["animations"][0]["channels"] = json!([channel]);
    });
    let all = [&[][..], &["--name", "Other"], &["--fps", "10"]];
    for more in all {
        let said = refused(&[&[path.to_str().unwrap()], more].concat());
        assert!(said.starts_with("\"Swing\" moves nothing"), "{said}");
    }
}

#[test]
fn nodes_without_names_are_found_by_none() {
    let path = changed("nameless.gltf", |file| {
        for node in file["nodes"].as_array_mut().unwrap() {
            node.as_object_mut().unwrap().remove("name");
        }
    });
    let said = refused(&["builtin:Pip", "--clips-from", path.to_str().unwrap()]);
    assert!(said.contains("move have no names"), "{said}");
}
