//! Pictures of poses that were saved, and poses in all clips at once.

use std::{fs, path::Path, process::Command};

use base64::Engine as _;
use clap::Parser as _;
use image::RgbaImage;
use rigscope::cli::{Arguments, CliCommand, pose};
use serde_json::json;

use crate::{common::gpu, folder, render};

/// Saves a pose, of Pip unless another model is named.
fn save(typed: &[&str]) {
    let typed = ["rigscope", "pose"].iter().chain(typed);
    match Arguments::try_parse_from(typed).unwrap().command {
        Some(CliCommand::Pose(arguments)) => assert_eq!(pose::run(&arguments).unwrap(), 0),
        other => panic!("{other:?}"),
    }
}

fn picture(file: &Path, typed: &[&str]) -> RgbaImage {
    let view = [
        "builtin:Pip",
        "--size",
        "96x72",
        "--target",
        "0,0.8,0",
        "--orbit",
        "20,75,3",
        "-o",
        file.to_str().unwrap(),
    ];
    render(&[&view[..], typed].concat()).unwrap();
    image::open(file).unwrap().into_rgba8()
}

#[test]
fn a_model_in_a_saved_pose_looks_as_it_did_in_its_clip() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("poses");
    let (saved, file) = (folder.join("run.json"), folder.join("run.png"));
    let (clip, saved) = (["--clip", "Run", "--time", "0.2"], saved.to_str().unwrap());
    save(&[&["builtin:Pip"], &clip[..], &["--save", saved]].concat());
    let own = picture(&file, &[]);
    let played = picture(&file, &clip);
    let posed = picture(&file, &["--pose", saved]);
    let apart = |a: &RgbaImage, b: &RgbaImage| {
        let pairs = a.as_raw().iter().zip(b.as_raw());
        pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap()
    };
    assert!(apart(&own, &posed) > 50, "it runs");
    // What is added by hand is rounded once more.
    assert!(apart(&played, &posed) <= 8, "{}", apart(&played, &posed));
    // It stays as the camera goes around.
    let turn = folder.join("turn.apng");
    let turned = ["--pose", saved, "--turntable", "--frames", "4"];
    let typed = ["builtin:Pip", "--size", "32", "-o", turn.to_str().unwrap()];
    render(&[&typed[..], &turned].concat()).unwrap();
    let refused = render(&[&typed[..], &turned, &["--clip", "Run"]].concat());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("cannot be used with"), "{refused}");
    // Nothing is written over what it is drawn of.
    let over = [
        "builtin:Pip",
        "--pose",
        saved,
        "--format",
        "png",
        "-o",
        saved,
    ];
    let refused = render(&over).unwrap_err().to_string();
    assert!(refused.contains("would be written over"), "{refused}");
}

/// Two nodes, and a clip that moves each: by 1 along x within a second, and by 2 within two.
fn two_clips(folder: &Path) -> String {
    let numbers: [f32; 8] = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let more: [f32; 8] = [0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    let bytes = numbers.iter().chain(&more).flat_map(|it| it.to_le_bytes());
    let bytes: Vec<u8> = bytes.collect();
    let uri = base64::engine::general_purpose::STANDARD.encode(bytes);
    let views = [(0, 8), (8, 24), (32, 8), (40, 24)]
        .map(|(start, length)| json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
    let times = |view: usize, end: f32| json!({ "bufferView": view, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [end] });
    let places = |view: usize| json!({ "bufferView": view, "componentType": 5126, "count": 2, "type": "VEC3" });
    let clip = |node: usize| {
        json!({
            "name": format!("clip {node}"),
            "channels": [{ "sampler": 0, "target": { "node": node, "path": "translation" } }],
            "samplers": [{ "input": 2 * node, "output": 2 * node + 1 }],
        })
    };
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "name": "a" }, { "name": "b" }],
        "animations": [clip(0), clip(1)],
        "accessors": [times(0, 1.0), places(1), times(2, 2.0), places(3)],
        "bufferViews": views,
        "buffers": [{ "byteLength": 64, "uri": format!("data:application/octet-stream;base64,{uri}") }],
    });
    let file = folder.join("two.gltf");
    fs::write(&file, document.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn all_clips_play_at_once() {
    let folder = folder("together");
    let (model, saved) = (two_clips(&folder), folder.join("saved.json"));
    for (clip, time, expected) in [
        ("all", "1", [1.0, 1.0]),
        ("all", "2", [1.0, 2.0]),
        ("clip 1", "2", [0.0, 2.0]),
    ] {
        let typed = [&model, "--clip", clip, "--time", time, "--save"];
        save(&[&typed[..], &[saved.to_str().unwrap()]].concat());
        let text = fs::read(&saved).unwrap();
        let pose: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(pose["clip"], clip);
        let at = |node: usize| pose["nodes"][node]["translation"][0].as_f64().unwrap();
        assert_eq!([at(0), at(1)], expected, "{clip} at {time} s");
    }
}

/// It is told apart from all clips at once.
#[test]
fn a_clip_of_that_name_is_taken_for_all_and_told() {
    let folder = folder("named-all");
    let model = two_clips(&folder);
    let said = |clip: &str| {
        let (pose, told) = posed(&[&model, "--clip", clip]);
        assert_eq!(pose["clip"], clip);
        (pose["clip_index"].as_u64(), told)
    };
    // No file has it.
    assert_eq!(said("all"), (None, String::new()));
    let text = fs::read_to_string(&model).unwrap();
    fs::write(&model, text.replace("clip 1", "all")).unwrap();
    let (clip, told) = said("all");
    assert_eq!(clip, Some(1));
    assert!(told.contains("not all of them at once"), "{told}");
    assert_eq!(said("clip 0"), (Some(0), String::new()));
}

/// What `rigscope pose` prints, and what it says beside that.
fn posed(typed: &[&str]) -> (serde_json::Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = command.arg("pose").args(typed).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    (serde_json::from_slice(&output.stdout).unwrap(), told)
}

/// What is removed meanwhile is no fault of the disk.
#[cfg(unix)]
#[test]
fn what_fails_after_an_interruption_is_told_as_interrupted() {
    use std::{process::Stdio, thread::sleep, time::Duration};
    let folder = folder("failing");
    let pipe = folder.join("pipe.json");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    // More than a pipe holds.
    let count = 5000;
    let nodes = vec![json!({ "name": "one of many" }); count];
    let document = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": (0..count).collect::<Vec<_>>() }],
        "nodes": nodes,
    });
    let model = folder.join("many.gltf");
    fs::write(&model, document.to_string()).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["pose".as_ref(), model.as_os_str(), "--save".as_ref()])
        .arg(&pipe)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let reader = fs::File::open(&pipe).unwrap();
    sleep(Duration::from_secs(1));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    sleep(Duration::from_millis(500));
    drop(reader);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{told}");
    let last = told.lines().last();
    let stopped = "rigscope: stopped; nothing is left half written";
    assert_eq!(last, Some(stopped), "{told}");
}

#[test]
fn clips_of_other_files_count_before_those_of_the_model() {
    let folder = folder("foreign");
    let model = two_clips(&folder);
    let text = fs::read_to_string(&model).unwrap();
    let write = |name: &str, text: String| {
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    // There the first clip moves the second node, and the other way around.
    let moved = |node: usize| format!("\"target\":{{\"node\":{node},");
    let [first, second] = [0, 1].map(moved);
    let swapped = text.replace(&first, "?").replace(&second, &first);
    let swapped = write("swapped.gltf", swapped.replace('?', &second));
    let named = |name: &str, clips: [&str; 2]| {
        let named = text.replace("clip 0", clips[0]).replace("clip 1", clips[1]);
        write(name, named)
    };
    let same = named("same.gltf", ["twice", "twice"]);
    let one = named("one.gltf", ["clip 5", "twice"]);
    let of = |files: &[&str], clip: &str| {
        let from = files.iter().flat_map(|file| ["--clips-from", file]);
        let typed = [&*model, "--clip", clip, "--time", "2"];
        posed(&typed.into_iter().chain(from).collect::<Vec<_>>())
    };
    let places = |pose: &serde_json::Value| {
        [0, 1].map(|node: usize| pose["nodes"][node]["translation"][0].as_f64().unwrap())
    };
    let (pose, told) = of(&[&swapped], "clip 0");
    assert_eq!(pose["clip_index"], 2);
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(
        told.contains(" has a clip \"clip 0\", too: that of")
            && told.contains("swapped.gltf is taken, not 0"),
        "{told}"
    );
    assert_eq!(places(&pose), [0.0, 1.0]);
    // Its index still leads to the model's own.
    let (pose, _) = of(&[&swapped], "0");
    assert_eq!(places(&pose), [1.0, 0.0]);
    let (pose, _) = of(&[&swapped], "all");
    assert_eq!(pose["clip_index"], serde_json::Value::Null);
    assert_eq!(places(&pose), [2.0, 1.0]);
    let (pose, told) = of(&[&same], "twice");
    assert_eq!(pose["clip_index"], 2);
    assert!(
        told.contains("same.gltf has several clips \"twice\": 2 is taken, not 3"),
        "{told}"
    );
    let (pose, told) = of(&[&one, &same], "twice");
    assert_eq!(pose["clip_index"], 3);
    assert!(!told.contains("has several"), "{told}");
    assert!(
        told.contains("same.gltf has a clip \"twice\", too: that of")
            && told.contains("one.gltf is taken, not 4 or 5"),
        "{told}"
    );
}
