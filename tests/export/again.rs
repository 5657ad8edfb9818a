//! What was baked, baked once more: its keys are the same, byte for byte. And what `bake` says of keys that it had to replace.

use std::{fs, path::Path, process::Command};

use rigscope::{
    cli::load,
    model::{Clip, Track},
};
use serde_json::{Value, json};

use crate::{
    artefact,
    baked::{bake, rig},
};

/// Bakes a clip, and what came out of that, and gives both.
fn twice(model: &str, typed: &[&str]) -> [Clip; 2] {
    let files = ["once.glb", "twice.glb"].map(artefact);
    let [once, twice] = files.each_ref().map(|file| file.to_str().unwrap());
    bake(&[&[model][..], typed, &["--name", "Once", "-o", once]].concat()).unwrap();
    let rate = typed.iter().position(|it| *it == "--fps");
    let rate = rate.map_or(&[][..], |place| &typed[place..]);
    let again = [once, "--clip", "Once", "--name", "Twice", "-o", twice];
    bake(&[&again[..], rate].concat()).unwrap();
    let clips = load(Path::new(twice)).unwrap().model.clips;
    ["Once", "Twice"].map(|name| {
        let clip = clips.iter().find(|clip| clip.name() == name);
        clip.unwrap().clone()
    })
}

#[track_caller]
fn assert_same_keys([once, twice]: &[Clip; 2]) {
    let times = |clip: &Clip| {
        let heads = clip.heads();
        let times = heads.map(|head| (head, clip.timelines()[head.timeline].clone()));
        let times = times.map(|(head, times)| (head.moved, head.interpolation, times));
        times.collect::<Vec<_>>()
    };
    assert_eq!(times(once), times(twice));
    let rotations = |clip: &Clip| {
        let values = clip.rotations().iter().flat_map(Track::values);
        let values = values.map(|it| it.to_array().map(f32::to_bits));
        values.collect::<Vec<_>>()
    };
    assert_eq!(rotations(once), rotations(twice));
    for (a, b) in once.translations().iter().zip(twice.translations()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in once.scales().iter().zip(twice.scales()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in once.weights().iter().zip(twice.weights()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in once.properties().iter().zip(twice.properties()) {
        assert_eq!(a.values(), b.values());
    }
}

#[test]
fn keys_stay_the_same_however_often_they_are_baked() {
    let swings = rig("again.gltf", json!({ "translation": [0, 1, 0] }), true);
    for (model, clip) in [
        ("builtin:Pip", "Run"),
        ("builtin:Pip", "Expressions"),
        ("builtin:Windmill", "Gale"),
        (swings.to_str().unwrap(), "Swing"),
    ] {
        for more in [&[][..], &["--fps", "24"], &["--in-place"]] {
            let typed = [&["--clip", clip][..], more].concat();
            assert_same_keys(&twice(model, &typed));
        }
    }
}

/// The rig, whose root has rotations and places at these keys.
fn turning(name: &str, places: [f32; 2]) -> String {
    let path = rig(name, json!({ "translation": [0, 1, 0] }), false);
    let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let [from, to] = places;
    let floats = [
        0.0, 1.0, // times
        0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8, // turns
        from, 0.0, 0.0, to, 0.0, 0.0, // places
    ];
    let bytes: Vec<u8> = floats
        .iter()
        .flat_map(|it: &f32| it.to_le_bytes())
        .collect();
    let bin = path.with_extension("bin");
    fs::write(&bin, &bytes).unwrap();
    file["buffers"] = json!([{
        "byteLength": bytes.len(), "uri": bin.file_name().unwrap().to_str().unwrap(),
    }]);
    file["bufferViews"] = json!([{ "buffer": 0, "byteLength": bytes.len() }]);
    let view = |offset: usize, kind: &str| {
        json!({
            "bufferView": 0, "byteOffset": offset, "componentType": 5126, "count": 2, "type": kind,
        })
    };
    let mut times = view(0, "SCALAR");
    (times["min"], times["max"]) = (json!([0]), json!([1]));
    file["accessors"] = json!([times, view(8, "VEC4"), view(40, "VEC3")]);
    file["animations"] = json!([{
        "name": "Turn",
        "samplers": [{ "input": 0, "output": 1 }, { "input": 0, "output": 2 }],
        "channels": [
            { "sampler": 0, "target": { "node": 0, "path": "rotation" } },
            { "sampler": 1, "target": { "node": 0, "path": "translation" } },
        ],
    }]);
    fs::write(&path, file.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_root_that_cannot_keep_its_keys_in_place_is_told() {
    for (name, places, is_told) in [
        ("walks.gltf", [0.0, 3.0], true),
        ("spins.gltf", [0.0, 0.0], false),
    ] {
        let (model, saved) = (turning(name, places), artefact("turned.glb"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        let command = command.args(["bake", &model, "--in-place", "-o"]);
        let output = command.arg(&saved).output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        let words =
            "\"root\" turns, or hangs from what moves, so that in place it has keys of its own";
        assert_eq!(said.contains(words), is_told, "{said}");
        let clip = &load(&saved).unwrap().model.clips[1];
        let turns = clip.rotations()[0].values();
        let [first, last] = [turns[0], turns[turns.len() - 1]];
        assert_eq!(first.angle_between(last) < 1e-2, is_told, "{name}");
    }
}
