//! What is written and opened again: the posed mesh as a .glb, and a pose as JSON.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "common/mod.rs"]
mod common;

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
use serde_json::Value;

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
    run(&arguments)
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
    assert!(refused(&node("hips", "[0, 0, 0, 0]")).contains("\"hips\" has no finite place"));
    assert!(refused(&node("nobody", "[0, 0, 0, 1]")).contains("Pip has none of its nodes"));
}
