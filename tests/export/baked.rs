//! What is played, saved as an animation of the model's own file: opened again, it plays the same.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use base64::Engine as _;
use clap::Parser as _;
use rigscope::{
    anim::retarget::ClipSource,
    app::Actor,
    cli::{Arguments, CliCommand, bake::run, find_clip, load},
    export::{AddedClip, SourceFile, clip_glb},
    import::{Import, Severity},
    model::{Clip, Interpolation, Model, Timeline},
};
use serde_json::{Value, json};

use crate::{artefact, keeps_all_of, models, placed};

/// Runs `rigscope bake`.
pub(super) fn bake(typed: &[&str]) -> anyhow::Result<u8> {
    let typed = ["rigscope", "bake"].iter().chain(typed);
    let Some(CliCommand::Bake(arguments)) = Arguments::try_parse_from(typed)?.command else {
        unreachable!("an animation was asked for");
    };
    run(&arguments)
}

/// The model with what is baked, and which of its clips that is: the last one.
fn baked(name: &str, typed: &[&str]) -> (Import, usize) {
    let saved = artefact(name);
    let code = bake(&[typed, &["-o", saved.to_str().unwrap()]].concat()).unwrap();
    assert_eq!(code, 0);
    let import = load(&saved).unwrap();
    let last = import.model.clips.len() - 1;
    (import, last)
}

/// The times of a clip's keys, each once, and what is between the first few.
fn moments(clip: &Clip) -> Vec<f64> {
    let keys = clip.timelines().iter().flat_map(Timeline::times_secs);
    let mut times: Vec<f32> = keys.copied().take(200).collect();
    times.push(clip.duration_secs());
    times.sort_by(f32::total_cmp);
    times.dedup();
    let times = times.into_iter().map(f64::from);
    let between = times.clone().zip(times.clone().skip(1));
    let between = between.map(|(a, b)| a + 0.3 * (b - a)).take(20);
    times.clone().chain(between.collect::<Vec<_>>()).collect()
}

/// Both are in the same pose in their clips, at all of these times; `tolerance` is of the model's extent.
#[track_caller]
fn assert_plays_same(
    (before, clip): (&mut Actor, usize),
    (after, baked): (&mut Actor, usize),
    times: &[f64],
    tolerance: f32,
) {
    for &time in times {
        before.pose_at(Some(clip), time);
        after.pose_at(Some(baked), time);
        let (before, after) = (before.pose(), after.pose());
        let reaches = before.world.iter().map(|it| it.translation.length());
        let most = tolerance * reaches.fold(1.0, f32::max);
        for (node, (a, b)) in before.world.iter().zip(&after.world).enumerate() {
            assert!(a.abs_diff_eq(*b, most), "{time} s, {node}: {a:?} {b:?}");
        }
        for (a, b) in before.weights.iter().zip(&after.weights) {
            assert!((a - b).abs() <= tolerance, "{time} s: weights {a} {b}");
        }
        assert_eq!(before.hidden, after.hidden, "{time} s");
    }
}

/// Both have the same keys, tangents and ways between them; rotations are made unit ones once more.
#[track_caller]
fn assert_same_tracks(before: &Clip, after: &Clip) {
    let heads = |clip: &Clip| {
        let heads = clip.heads().map(|head| {
            let times = clip.timelines()[head.timeline].times_secs().to_vec();
            (head.moved, head.interpolation, times)
        });
        heads.collect::<Vec<_>>()
    };
    assert_eq!(heads(before), heads(after));
    for (a, b) in before.translations().iter().zip(after.translations()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in before.scales().iter().zip(after.scales()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in before.weights().iter().zip(after.weights()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in before.properties().iter().zip(after.properties()) {
        assert_eq!(a.values(), b.values());
    }
    for (a, b) in before.rotations().iter().zip(after.rotations()) {
        let mut pairs = a.values().iter().zip(b.values());
        assert!(pairs.all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));
    }
}

/// The codes of what is wrong with a file.
fn codes(import: &Import) -> HashSet<&'static str> {
    let all = import.diagnostics.iter();
    let bad = all.filter(|it| it.severity <= Severity::Warning);
    bad.map(|it| it.code).collect()
}

#[test]
fn a_clip_is_saved_with_the_keys_and_curves_that_it_has() {
    let built_in = [
        ("Pip", "Idle"),
        ("Pip", "Run"),
        ("Pip", "Expressions"),
        ("Windmill", "Gale"),
    ];
    let built_in =
        built_in.map(|(model, clip)| (PathBuf::from(format!("builtin:{model}")), Some(clip)));
    let given = models().into_iter().map(|(model, clip, _)| (model, clip));
    for (place, (model, clip)) in built_in.into_iter().chain(given).enumerate() {
        let Some(clip) = clip else { continue };
        let name = format!("baked-{place}.glb");
        let typed = [model.to_str().unwrap(), "--clip", clip];
        let (import, last) = baked(&name, &typed);
        let original = load(&model).unwrap();
        let chosen = find_clip(&original.model, clip).unwrap();
        assert_eq!(last, original.model.clips.len(), "{clip}");
        let (before, after) = (&original.model.clips[chosen], &import.model.clips[last]);
        let expected = match before.name() {
            "" => format!("clip {chosen}"),
            name => format!("{name} 2"),
        };
        assert_eq!(after.name(), expected);
        assert!(codes(&import).is_subset(&codes(&original)), "{clip}");
        assert_same_tracks(before, after);
        let times = moments(before);
        if model.is_file() {
            keeps_all_of(&model, &artefact(&name));
        }
        let (mut before, mut after) = (Actor::new(original.model), Actor::new(import.model));
        let (before, after) = ((&mut before, chosen), (&mut after, last));
        assert_plays_same(before, after, &times, 1e-6);
    }
}

/// A root with an arm that stands as `arm` says, and a clip that moves both if it is asked for.
pub(super) fn rig(name: &str, mut arm: Value, is_animated: bool) -> PathBuf {
    let (half, cos) = (0.5_f32, 0.866_025_4_f32);
    let floats = [
        0.0, 0.5, 2.0, // times
        0.0, 0.1, 0.0, 0.0, 0.3, 1.0, 0.0, 0.1, 3.0, // places of the root
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.8, 0.0, // turns of the arm
        0.0, 0.0, 0.5, -0.2, 0.0, 0.0, half, cos, 0.1, 0.0, 0.3, 0.0, //
        0.0, 0.0, 0.2, 0.0, half, 0.0, 0.0, cos, 0.0, 0.0, 0.0, 0.0, //
        1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 3.0, 1.0, // sizes of the arm
    ];
    let bytes: Vec<u8> = floats.iter().flat_map(|it| it.to_le_bytes()).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let view = |offset: usize, count: usize, kind: &str| {
        json!({
            "bufferView": 0, "byteOffset": 4 * offset, "componentType": 5126, "count": count, "type": kind,
        })
    };
    let mut times = view(0, 3, "SCALAR");
    (times["min"], times["max"]) = (json!([0]), json!([2]));
    arm["name"] = json!("arm");
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "root", "children": [1] }, arm],
        "skins": [{ "joints": [0, 1] }],
    });
    if is_animated {
        let sampler = |output: usize, interpolation: &str| json!({ "input": 0, "output": output, "interpolation": interpolation });
        let channel = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
        file["buffers"] = json!([{
            "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}"),
        }]);
        file["bufferViews"] = json!([{ "buffer": 0, "byteLength": bytes.len() }]);
        file["accessors"] = json!([
            times,
            view(3, 3, "VEC3"),
            view(12, 9, "VEC4"),
            view(48, 3, "VEC3"),
        ]);
        file["animations"] = json!([{
            "name": "Swing",
            "samplers": [sampler(1, "LINEAR"), sampler(2, "CUBICSPLINE"), sampler(3, "STEP")],
            "channels": [
                channel(0, 0, "translation"), channel(1, 1, "rotation"), channel(2, 1, "scale"),
            ],
        }]);
    }
    let path = artefact(name);
    fs::write(&path, file.to_string()).unwrap();
    path
}

/// Two rigs of the same names that stand otherwise: one that swings, and one whose arm has a matrix.
fn rigs() -> [PathBuf; 2] {
    let turned = [
        0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 1.0,
    ];
    [
        rig("swings.gltf", json!({ "translation": [0, 1, 0] }), true),
        rig("stands.gltf", json!({ "matrix": turned }), false),
    ]
}

/// The model with the clips of another file beside its own.
fn with_clips_of(from: &Path, to: &Path, retarget: bool) -> Model {
    let mut model = load(to).unwrap().model;
    let bound = ClipSource::of(load(from).unwrap().model).bind(&model, retarget);
    model.append_clips(bound.clips);
    model
}

#[test]
fn clips_of_another_file_are_saved_as_they_are_bound() {
    let [from, to] = rigs();
    for retarget in [false, true] {
        let mut typed = vec![to.to_str().unwrap(), "--clips-from", from.to_str().unwrap()];
        typed.extend(retarget.then_some("--retarget"));
        let (import, last) = baked("bound.glb", &typed);
        assert!(codes(&import).is_subset(&codes(&load(&to).unwrap())));
        assert_eq!(last, 0);
        assert_eq!(import.model.clips[0].name(), "Swing", "it is free");
        let model = with_clips_of(&from, &to, retarget);
        let clip = &model.clips[0];
        let ways: HashSet<_> = clip.heads().map(|head| head.interpolation).collect();
        assert_eq!(ways.len(), 3, "all are tried");
        assert_same_tracks(clip, &import.model.clips[0]);
        let times = moments(clip);
        let (mut before, mut after) = (Actor::new(model), Actor::new(import.model));
        assert_plays_same((&mut before, 0), (&mut after, 0), &times, 1e-6);
        // The file's own pose is what the matrix said.
        before.pose_at(None, 0.0);
        after.pose_at(None, 0.0);
        for (a, b) in before.pose().world.iter().zip(&after.pose().world) {
            assert!(a.abs_diff_eq(*b, 1e-6), "{a:?} {b:?}");
        }
    }
}

/// The file is saved nonetheless.
#[test]
fn what_a_matrix_shears_is_said_to_be_lost() {
    let sheared = [
        1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 1.0,
    ];
    let [from, straight] = rigs();
    let arm = json!({ "matrix": sheared });
    let sheared = rig("sheared.gltf", arm, false);
    for (to, is_lost) in [(sheared, true), (straight, false)] {
        let model = with_clips_of(&from, &to, false);
        let text = fs::read_to_string(&to).unwrap();
        let source = SourceFile::new(&text, None, &[], &BTreeMap::new()).unwrap();
        let added = AddedClip {
            model: &model,
            clip: &model.clips[0],
            name: "Swing",
        };
        let saved = clip_glb(source, &added).unwrap();
        let expected = r#"the matrix of "arm" shears, which no node that moves can do"#;
        let expected = if is_lost { &[expected][..] } else { &[] };
        assert_eq!(saved.left_out, expected);
    }
}

#[test]
fn channels_that_are_not_read_are_told_by_why() {
    let path = rig("unread.gltf", json!({ "translation": [0, 1, 0] }), true);
    let text = fs::read_to_string(&path).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let channels = file["animations"][0]["channels"].as_array_mut().unwrap();
    let nothing = json!({ "path": "translation" });
    for (sampler, target) in [
        (0, nothing.clone()),
        (0, nothing),
        // There is no such sampler.
        (99, json!({ "node": 0, "path": "scale" })),
        (0, json!({ "node": 0, "path": "translation" })),
        // It has no quaternions.
        (0, json!({ "node": 0, "path": "rotation" })),
    ] {
        channels.push(json!({ "sampler": sampler, "target": target }));
    }
    fs::write(&path, file.to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let saved = artefact("unread.glb");
    let output = command.arg("bake").arg(&path).arg("-o").arg(&saved);
    let output = output.output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    for words in [
        "unread.gltf: 4 channels of the clip are left out: what is said there cannot be used here",
        "unread.gltf: 1 channel of the clip is left out: other channels move the same",
    ] {
        assert_eq!(said.matches(words).count(), 1, "{said}");
    }
    assert_eq!(load(&saved).unwrap().model.clips[1].track_count(), 3);
}

#[test]
fn all_clips_are_saved_as_one() {
    let (import, last) = baked(
        "together.glb",
        &["builtin:Pip", "--clip", "all", "--name", "Everything"],
    );
    assert_eq!(import.model.clips[last].name(), "Everything");
    let mut model = load(Path::new("builtin:Pip")).unwrap().model;
    let (all, _) = Clip::together("all", &model.clips);
    assert_same_tracks(&all, &import.model.clips[last]);
    let times = moments(&all);
    model.append_clips(vec![all]);
    let (mut before, mut after) = (Actor::new(model), Actor::new(import.model));
    assert_plays_same((&mut before, last), (&mut after, last), &times, 1e-6);
}

#[test]
fn what_is_played_in_place_stays_in_place() {
    let [from, to] = rigs();
    let model = with_clips_of(&from, &to, false);
    let mut before = Actor::new(model);
    before.set_in_place(true);
    let duration_secs = before.model().clips[0].duration_secs();
    for rate in [None, Some("10")] {
        let mut typed = vec![
            to.to_str().unwrap(),
            "--clips-from",
            from.to_str().unwrap(),
            "--in-place",
        ];
        typed.extend(rate.iter().flat_map(|rate| ["--fps", rate]));
        let (import, last) = baked("still.glb", &typed);
        let clip = &import.model.clips[last];
        assert_eq!(clip.duration_secs(), duration_secs);
        let times = match rate {
            None => moments(clip),
            Some(_) => (0..=20).map(|step| f64::from(step as f32 / 10.0)).collect(),
        };
        let mut after = Actor::new(import.model);
        assert_plays_same((&mut before, 0), (&mut after, last), &times, 1e-5);
        let root = after.model().hierarchy.by_file_index(0).unwrap();
        after.pose_at(Some(last), 0.5);
        let place = after.pose().world[root.index()].translation;
        assert!((place.y - 0.3).abs() < 1e-5, "its height stays: {place}");
        assert!(place.z.abs() < 1e-5, "it goes nowhere: {place}");
    }
}

#[test]
fn a_clip_is_sampled_at_the_rate_that_is_asked_for() {
    let typed = ["builtin:Pip", "--clip", "Idle", "--fps", "24"];
    let (import, last) = baked("sampled.glb", &typed);
    let model = load(Path::new("builtin:Pip")).unwrap().model;
    let chosen = find_clip(&model, "Idle").unwrap();
    let (idle, sampled) = (&model.clips[chosen], &import.model.clips[last]);
    assert_eq!(sampled.duration_secs(), idle.duration_secs());
    let is_moved: HashSet<_> = idle.heads().map(|head| head.moved).collect();
    for head in sampled.heads() {
        assert!(is_moved.contains(&head.moved), "{head:?}");
        assert_eq!(head.interpolation, Interpolation::Linear);
        let times = sampled.timelines()[head.timeline].times_secs();
        assert_eq!(times[0], 0.0);
        assert_eq!(times.last(), Some(&idle.duration_secs()));
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    }
    for track in sampled.rotations() {
        let mut pairs = track.values().windows(2);
        assert!(pairs.all(|pair| pair[0].dot(pair[1]) >= 0.0));
    }
    let keys = sampled.timelines().iter().map(Timeline::times_secs);
    let keys = keys.max_by_key(|times| times.len()).unwrap();
    let keys: Vec<f64> = keys.iter().copied().map(f64::from).collect();
    let between = keys.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let between: Vec<f64> = between.collect();
    let (mut before, mut after) = (Actor::new(model), Actor::new(import.model));
    let at_keys = ((&mut before, chosen), (&mut after, last));
    assert_plays_same(at_keys.0, at_keys.1, &keys, 1e-5);
    for time in between {
        before.pose_at(Some(chosen), time);
        after.pose_at(Some(last), time);
        for (a, b) in before.pose().world.iter().zip(&after.pose().world) {
            assert!(a.abs_diff_eq(*b, 1e-2), "{time} s: {a:?} {b:?}");
        }
    }
}

/// Materials, lights, cameras, and what is hidden: as it is, and sampled.
#[test]
fn what_is_no_node_is_saved_too() {
    let file = artefact("lit-baked.gltf");
    let lit = placed::with_many_properties(placed::lit());
    fs::write(&file, lit.to_string()).unwrap();
    for rate in [None, Some("4")] {
        for clip in [0, 1] {
            let number = clip.to_string();
            let mut typed = vec![file.to_str().unwrap(), "--clip", &number];
            typed.extend(rate.iter().flat_map(|rate| ["--fps", rate]));
            let (import, last) = baked("lit-baked.glb", &typed);
            let pointer = format!("/animations/{last}");
            let mut bad = import.diagnostics.iter();
            let bad =
                bad.find(|it| it.severity <= Severity::Warning && it.pointer.starts_with(&pointer));
            assert_eq!(bad, None);
            let mut before = Actor::new(load(&file).unwrap().model);
            let mut after = Actor::new(import.model);
            for time in [0.0, 0.25, 0.5, 1.0] {
                let (before, after) = ((&mut before, clip), (&mut after, last));
                assert_plays_same(before, after, &[time], 1e-6);
            }
            for time in [0.0, 0.25, 1.0] {
                before.pose_at(Some(clip), time);
                after.pose_at(Some(last), time);
                assert_eq!(before.properties().values(), after.properties().values());
            }
        }
    }
}

#[test]
fn what_cannot_be_baked_is_refused() {
    let saved = artefact("never-baked.glb");
    let refused = |typed: &[&str]| {
        let all = [typed, &["-o", saved.to_str().unwrap()]].concat();
        format!("{:#}", bake(&all).unwrap_err())
    };
    let [swings, stands] = rigs().map(|path| path.to_str().unwrap().to_owned());
    let walk = ["builtin:Pip", "--clip", "Walk", "--name"];
    for (typed, expected) in [
        (
            &[&walk[..], &["Run"]].concat()[..],
            "has a clip \"Run\" already",
        ),
        (&[&walk[..], &[""]].concat(), "--name needs a name"),
        (&["builtin:Pip"], "which clip? --clip says so (\"Idle\", "),
        (&[&stands], "has no clips"),
        (&[&stands, "--clip", "all"], "has no clips"),
        (&["builtin:Pip", "--clip", "Fly"], "has no clip \"Fly\""),
        (&[&swings, "--fps", "0"], "a rate is a number"),
        (&[&swings, "--retarget"], "--clips-from"),
    ] {
        let said = refused(typed);
        assert!(said.contains(expected), "{typed:?}: {said}");
    }
    // Those of its own are not meant.
    let pip = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pip.glb");
    let said = refused(&["builtin:Pip", "--clips-from", pip]);
    assert_eq!(said.matches("\"Idle\"").count(), 1, "{said}");
    assert!(!saved.exists());
    // What is in a folder that is named is read, too.
    let folder = artefact("clips-of-a-folder");
    fs::create_dir_all(&folder).unwrap();
    let inside = folder.join("ride.glb");
    let typed = ["builtin:Pip", "--clip", "Idle", "-o"];
    bake(&[&typed[..], &[inside.to_str().unwrap()]].concat()).unwrap();
    let before = fs::read(&inside).unwrap();
    let (folder, inside) = (folder.to_str().unwrap(), inside.to_str().unwrap());
    let typed = [
        "builtin:Pip",
        "--clips-from",
        folder,
        "--clip",
        "0",
        "-o",
        inside,
    ];
    let said = bake(&typed).unwrap_err().to_string();
    assert!(said.contains("is read here"), "{said}");
    assert_eq!(fs::read(inside).unwrap(), before);
    let kind = artefact("never-baked.gltf");
    let typed = [
        "builtin:Pip",
        "--clip",
        "Walk",
        "-o",
        kind.to_str().unwrap(),
    ];
    let said = bake(&typed).unwrap_err().to_string();
    assert!(said.contains("is saved as .glb"), "{said}");
}
