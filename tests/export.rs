//! What is written and opened again: the posed mesh as a .glb, and a pose as JSON.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "export/again.rs"]
mod again;
#[path = "export/baked.rs"]
mod baked;
#[path = "common/mod.rs"]
mod common;
#[path = "export/copies.rs"]
mod copies;
#[path = "export/damaged.rs"]
mod damaged;
#[path = "export/directions.rs"]
mod directions;
#[path = "export/kept.rs"]
mod kept;
#[path = "export/lacking.rs"]
mod lacking;
#[path = "export/placed.rs"]
mod placed;
#[path = "export/still.rs"]
mod still;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use clap::Parser as _;
use rigscope::{
    app::Actor,
    cli::{
        Arguments, CliCommand, find_clip, load,
        pose::{PoseOptions, evaluate, run},
    },
    render::Picture,
};
use serde_json::{Value, json};

/// Models of many kinds, with the clip and the time that they are saved at: skinned, morphed, mirrored, compressed,
/// quantised, instanced, textured.
const CORPUS: [(&str, Option<&str>, f64); 9] = [
    ("CesiumMan/glTF-Draco/CesiumMan.gltf", Some("0"), 0.7),
    ("Fox/glTF-Binary/Fox.glb", Some("Run"), 0.3),
    (
        "MorphStressTest/glTF-Binary/MorphStressTest.glb",
        Some("0"),
        0.4,
    ),
    (
        "NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb",
        None,
        0.0,
    ),
    ("SimpleSkin/glTF/SimpleSkin.gltf", Some("0"), 1.1),
    (
        "TextureTransformTest/glTF/TextureTransformTest.gltf",
        None,
        0.0,
    ),
    (
        "RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb",
        Some("0"),
        0.4,
    ),
    (
        "AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb",
        None,
        0.0,
    ),
    ("BoxVertexColors/glTF-Binary/BoxVertexColors.glb", None, 0.0),
];

/// A file in the folder of this test's artefacts.
fn artefact(name: &str) -> PathBuf {
    common::artefacts("export").join(name)
}

/// Runs `rigscope pose`.
fn pose(typed: &[&str]) -> anyhow::Result<()> {
    let typed = ["rigscope", "pose"].iter().chain(typed);
    let Some(CliCommand::Pose(arguments)) = Arguments::parse_from(typed).command else {
        unreachable!("a pose was asked for");
    };
    run(&arguments)?;
    Ok(())
}

/// The model, saved as it stands at a time.
fn save(model: &Path, clip: Option<&str>, time_secs: f64, to: &str) -> PathBuf {
    let saved = artefact(to);
    let time = time_secs.to_string();
    let mut typed = vec![model.to_str().unwrap(), "--time", &time];
    typed.extend(clip.iter().flat_map(|clip| ["--clip", clip]));
    typed.extend(["--save", saved.to_str().unwrap()]);
    pose(&typed).unwrap();
    saved
}

/// All vertices of what is shown, in the world, by their bits.
fn vertices(model: &Path, clip: Option<&str>, time_secs: f64) -> BTreeSet<[u64; 3]> {
    let options = PoseOptions {
        clip: clip.map(str::to_owned),
        time_secs,
        vertices: true,
        ..PoseOptions::default()
    };
    let report = evaluate(model, &options).unwrap();
    let meshes = report["meshes"].as_array().unwrap();
    let positions = meshes
        .iter()
        .flat_map(|mesh| mesh["positions"].as_array().unwrap());
    let bits = |value: &Value| (value.as_f64().unwrap() + 0.0).to_bits();
    positions
        .map(|at| std::array::from_fn(|axis| bits(&at[axis])))
        .collect()
}

fn models() -> Vec<(PathBuf, Option<&'static str>, f64)> {
    let mut models = vec![
        (PathBuf::from("builtin:Pip"), Some("Walk"), 0.4),
        (PathBuf::from("builtin:Pip"), Some("Expressions"), 1.3),
    ];
    if let Some(corpus) = common::folder("RIGSCOPE_CORPUS") {
        let of_corpus = CORPUS.iter().map(|&(name, clip, time_secs)| {
            (
                corpus.join("files/khronos-samples").join(name),
                clip,
                time_secs,
            )
        });
        models.extend(of_corpus);
    }
    models
}

#[test]
fn a_saved_mesh_stands_where_it_stood() {
    for (place, (model, clip, time_secs)) in models().into_iter().enumerate() {
        let saved = save(&model, clip, time_secs, &format!("stands-{place}.glb"));
        let import = load(&saved).unwrap();
        let worst = import.diagnostics.first();
        let name = model.display();
        assert!(
            worst.is_none_or(|worst| worst.severity > rigscope::import::Severity::Warning),
            "{name}: {worst:?}"
        );
        assert!(import.model.skins.is_empty() && import.model.clips.is_empty());
        let original = load(&model).unwrap().model;
        assert!(
            import.model.triangle_count() >= original.triangle_count(),
            "{name}"
        );
        // Down to the last bit: both are made by the same sums.
        let (before, after) = (
            vertices(&model, clip, time_secs),
            vertices(&saved, None, 0.0),
        );
        assert_eq!(before.len(), after.len(), "{name}");
        assert!(before == after, "{name}");
    }
}

#[test]
fn a_saved_mesh_looks_the_same() {
    let Some(gpu) = common::gpu() else { return };
    for (place, (model, clip, time_secs)) in models().into_iter().enumerate() {
        let saved = save(&model, clip, time_secs, &format!("looks-{place}.glb"));
        let size = &["--size", "160x160"];
        let mut before = Actor::new(load(&model).unwrap().model);
        let clip = clip.map(|clip| find_clip(before.model(), clip).unwrap());
        before.pose_at(clip, time_secs);
        let before = common::picture(&gpu, &mut before, size);
        let after = common::picture(&gpu, &mut common::actor(&saved), size);
        let differing = differing(&before, &after);
        assert!(differing < 0.002, "{}: {differing}", model.display());
    }
}

/// The share of pixels that differ by more than four of 255 in a channel.
fn differing(a: &Picture, b: &Picture) -> f64 {
    let pixels = a.rgba8.chunks_exact(4).zip(b.rgba8.chunks_exact(4));
    let count = pixels.len();
    let differ = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 4));
    differ.count() as f64 / count as f64
}

#[test]
fn a_saved_pose_is_taken_again() {
    let saved = artefact("pose.json");
    let saved = saved.to_str().unwrap();
    pose(&[
        "builtin:Pip",
        "--clip",
        "Expressions",
        "--time",
        "1.3",
        "--save",
        saved,
    ])
    .unwrap();
    let at = |clip: Option<&str>, time_secs, pose| {
        let options = PoseOptions {
            clip: clip.map(str::to_owned),
            time_secs,
            pose,
            vertices: true,
            ..PoseOptions::default()
        };
        evaluate(Path::new("builtin:Pip"), &options).unwrap()
    };
    let (clip, pose) = (
        at(Some("Expressions"), 1.3, None),
        at(None, 0.0, Some(PathBuf::from(saved))),
    );
    for part in ["nodes", "skins", "meshes", "bounds"] {
        assert!(clip[part] == pose[part], "{part}");
    }
    assert!(
        clip["nodes"] != at(None, 0.0, None)["nodes"],
        "the clip moves something"
    );
}

/// What a clip hides is not there, and what it shows is, when its pose is taken again.
#[test]
fn a_saved_pose_hides_what_was_hidden() {
    use base64::Engine as _;
    let corners: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let floats = corners.into_iter().chain([0.0]).flat_map(f32::to_le_bytes);
    let bytes: Vec<u8> = floats.chain([0, 0, 0, 0, 1, 0, 0, 0]).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let channel = |node: usize| {
        let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
        json!({ "sampler": node, "target": {
            "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } }
        } })
    };
    let sampler = |output: usize| json!({ "input": 1, "output": output, "interpolation": "STEP" });
    let file = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_node_visibility", "KHR_animation_pointer"],
        "scenes": [{ "nodes": [0, 1, 2] }],
        "nodes": [
            { "mesh": 0, "extensions": { "KHR_node_visibility": {} } },
            { "mesh": 0, "translation": [5, 0, 0], "extensions": { "KHR_node_visibility": { "visible": false } } },
            { "mesh": 0, "translation": [9, 0, 0] },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "buffers": [{
            "byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}")
        }],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 4 },
            { "buffer": 0, "byteOffset": 40, "byteLength": 8 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [1, 1, 0] },
            { "bufferView": 1, "componentType": 5126, "type": "SCALAR", "count": 1, "min": [0], "max": [0] },
            { "bufferView": 2, "componentType": 5121, "type": "SCALAR", "count": 1 },
            { "bufferView": 2, "byteOffset": 4, "componentType": 5121, "type": "SCALAR", "count": 1 },
        ],
        "animations": [{
            "name": "Blink", "channels": [channel(0), channel(1)], "samplers": [sampler(2), sampler(3)],
        }],
    });
    let (model, saved) = (artefact("blink.gltf"), artefact("blink.json"));
    std::fs::write(&model, file.to_string()).unwrap();
    let typed = [model.to_str().unwrap(), "--clip", "Blink", "--save"];
    pose(&[&typed[..], &[saved.to_str().unwrap()]].concat()).unwrap();
    // Where the triangles of the posed mesh are.
    let shown = |more: &[&str]| {
        let still = artefact("blink.glb");
        let to = [model.to_str().unwrap(), "--save", still.to_str().unwrap()];
        pose(&[&to, more].concat()).unwrap();
        let bounds = Actor::new(load(&still).unwrap().model).measure();
        [bounds.min.x, bounds.max.x]
    };
    assert_eq!(shown(&[]), [0.0, 10.0]);
    assert_eq!(shown(&["--clip", "Blink"]), [5.0, 10.0]);
    assert_eq!(shown(&["--pose", saved.to_str().unwrap()]), [5.0, 10.0]);
    // As an editor on Windows saves it.
    let text = std::fs::read_to_string(&saved).unwrap();
    std::fs::write(&saved, format!("\u{feff}{text}")).unwrap();
    assert_eq!(shown(&["--pose", saved.to_str().unwrap()]), [5.0, 10.0]);
    // The same as a clip; and of a node that said nothing of it before.
    let mut all: Value = serde_json::from_str(&text).unwrap();
    all["nodes"][2]["hidden"] = json!(true);
    std::fs::write(&saved, all.to_string()).unwrap();
    for (from, expected) in [
        (["--clip", "Blink"], [5.0, 10.0]),
        (["--pose", saved.to_str().unwrap()], [5.0, 6.0]),
    ] {
        let held = artefact("held.glb");
        let to = ["--save", held.to_str().unwrap(), "--as-clip", "Held"];
        let typed = [&[model.to_str().unwrap()][..], &from, &to].concat();
        pose(&typed).unwrap();
        let import = load(&held).unwrap();
        assert_eq!(import.diagnostics.first(), None);
        let mut actor = Actor::new(import.model);
        let measured = |bounds: rigscope::model::Aabb| [bounds.min.x, bounds.max.x];
        assert_eq!(
            measured(actor.measure()),
            [0.0, 10.0],
            "the file's own pose"
        );
        let clip = find_clip(actor.model(), "Held").unwrap();
        actor.pose_at(Some(clip), 0.0);
        assert_eq!(measured(actor.measure()), expected);
    }
}

#[test]
fn what_is_no_pose_of_the_model_is_refused() {
    let file = artefact("no-pose.json");
    let refused = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let options = PoseOptions {
            pose: Some(file.clone()),
            ..PoseOptions::default()
        };
        let error = evaluate(Path::new("builtin:Pip"), &options).unwrap_err();
        format!("{error:#}")
    };
    let node = |name: &str, rotation: &str| {
        format!(
            r#"{{"nodes": [{{"index": 0, "name": "{name}", "translation": [0, 0, 0], "rotation": {rotation},
                "scale": [1, 1, 1], "weights": []}}]}}"#
        )
    };
    assert!(refused("{").contains("is no pose"));
    assert!(refused(&node("hips", "[0, 0, 0, 0]")).contains("\"hips\": its rotation is no unit"));
    assert!(refused(&node("hips", "[0, 0, 0, 1e39]")).contains("is no pose: number out of range"));
    assert!(refused(&node("nobody", "[0, 0, 0, 1]")).contains("Pip has none of its nodes"));
}

/// The JSON text of a file, and its binary chunk if it is a .glb.
fn chunks(file: &Path) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(file).unwrap();
    if !bytes.starts_with(b"glTF") {
        return (serde_json::from_slice(&bytes).unwrap(), Vec::new());
    }
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json = &bytes[20..20 + number(12)];
    let bin = bytes.get(28 + json.len()..).unwrap_or_default();
    (serde_json::from_slice(json).unwrap(), bin.to_vec())
}

#[test]
fn a_pose_becomes_a_clip_of_the_models_own_file() {
    for (place, (model, clip, time_secs)) in models().into_iter().enumerate() {
        let name = model.display();
        let saved = artefact(&format!("keyed-{place}.glb"));
        let time = time_secs.to_string();
        let mut typed = vec![model.to_str().unwrap(), "--time", &time];
        typed.extend(clip.iter().flat_map(|clip| ["--clip", clip]));
        typed.extend(["--save", saved.to_str().unwrap(), "--as-clip", "Held"]);
        let held = pose(&typed);
        let original = load(&model).unwrap();
        if original.model.skins.is_empty() && clip.is_none() {
            let refused = format!("{:#}", held.unwrap_err());
            assert!(refused.contains("there is nothing to hold"), "{refused}");
            continue;
        }
        held.unwrap();
        let import = load(&saved).unwrap();
        let codes = |import: &rigscope::import::Import| {
            let diagnostics = import.diagnostics.iter();
            let bad = diagnostics.filter(|it| it.severity <= rigscope::import::Severity::Warning);
            bad.map(|it| it.code).collect::<BTreeSet<_>>()
        };
        assert!(codes(&import).is_subset(&codes(&original)), "{name}");
        let (mut before, mut after) = (Actor::new(original.model), Actor::new(import.model));
        before.pose_at(
            clip.map(|clip| find_clip(before.model(), clip).unwrap()),
            time_secs,
        );
        let held = find_clip(after.model(), "Held").unwrap();
        assert_eq!(held, before.model().clips.len(), "{name}: it comes last");
        after.pose_at(Some(held), 0.0);
        let worlds = before.pose().world.iter().zip(&after.pose().world);
        for (a, b) in worlds {
            assert!(a.abs_diff_eq(*b, 1e-5), "{name}: {a:?} {b:?}");
        }
        assert_eq!(before.pose().weights, after.pose().weights, "{name}");
        if model.is_file() {
            keeps_all_of(&model, &saved);
        }
    }
}

/// What was in a file is in the one that something was added to, as it was.
fn keeps_all_of(original: &Path, saved: &Path) {
    let ((before, old), (after, new)) = (chunks(original), chunks(saved));
    let is_glb = !old.is_empty();
    assert!(new.starts_with(&old), "{}", saved.display());
    for (name, member) in before.as_object().unwrap() {
        let same = match (name.as_str(), member) {
            ("buffers" | "images", _) if !is_glb => continue,
            // Their bytes are in one buffer now.
            ("bufferViews", _) if before["buffers"].as_array().unwrap().len() > 1 => continue,
            ("buffers", Value::Array(list)) => list[1..] == after[name].as_array().unwrap()[1..],
            (_, Value::Array(list)) => after[name].as_array().unwrap().starts_with(list),
            _ => after[name] == *member,
        };
        assert!(same, "{name} of {}", original.display());
    }
}

#[test]
fn what_cannot_become_a_clip_is_refused() {
    let saved = artefact("never.glb");
    let refused = |typed: &[&str]| {
        let all = [typed, &["--save", saved.to_str().unwrap()]].concat();
        format!("{:#}", pose(&all).unwrap_err())
    };
    let taken = refused(&["builtin:Pip", "--as-clip", "Walk"]);
    assert!(taken.contains("has a clip \"Walk\" already"), "{taken}");
    assert!(!saved.exists());
    let skinned = refused(&[
        "builtin:Pip",
        "--as-clip",
        "Held",
        "--skinning",
        "dual-quaternion",
    ]);
    assert!(skinned.starts_with("--skinning"), "{skinned}");
    let clipless = refused(&["builtin:Pip", "--clips-from", "builtin:Pip"]);
    assert!(
        clipless.starts_with("--clips-from needs --clip"),
        "{clipless}"
    );
    let scene = refused(&["builtin:Pip", "--as-clip", "Held", "--scene", "0"]);
    assert!(scene.starts_with("--scene"), "{scene}");
    let json = artefact("never.json");
    let json = json.to_str().unwrap();
    let still = artefact("never.glb");
    let vertices = [
        "builtin:Pip",
        "--vertices",
        "--save",
        still.to_str().unwrap(),
    ];
    let vertices = pose(&vertices).unwrap_err().to_string();
    assert!(vertices.contains("--vertices"), "{vertices}");
    let timeless = pose(&["builtin:Pip", "--time", "0.3"])
        .unwrap_err()
        .to_string();
    assert!(timeless.contains("needs --clip (\"Idle\", "), "{timeless}");
    let typed = ["rigscope", "pose", "builtin:Pip", "--gpu"];
    assert!(Arguments::try_parse_from(typed).is_err(), "of what?");
    let typed = [
        "rigscope",
        "pose",
        "a.glb",
        "--pose",
        "p.json",
        "--retarget",
    ];
    assert!(Arguments::try_parse_from(typed).is_err(), "which clips?");
    let kind = pose(&["builtin:Pip", "--as-clip", "Held", "--save", json]).unwrap_err();
    assert!(kind.to_string().contains("saved as .glb"), "{kind}");
}
