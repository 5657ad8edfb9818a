//! The `pose` command against an independent double-precision evaluation, for every animated file of the corpus.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rigscope::cli::pose::{PoseOptions, evaluate};
use rigscope::import::{Progress, Severity};
use serde_json::{Value, json};

mod common;
mod reference;

use common::{folder, gpu};
use reference::compare::{bounds, compare, size};
use reference::corpus::{self, Entry};
use reference::document::{Clip, Document};
use reference::math::{Mat4, distance, length};
use reference::pose::{Pose, PosedPrimitive};
use reference::rng::Rng;
use reference::summary::{Summary, VERTEX_TOLERANCE, too_far};

const RANDOM_FILES: u64 = 200;
const RANDOM_FILES_ON_GPU: u64 = 20;

/// Runs `check` over all entries on two threads.
fn for_each(entries: &[Entry], check: impl Fn(&Entry, &mut Summary) + Sync) -> Summary {
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Summary::default()));
    let work = || {
        let mut summary = Summary::default();
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(entry, &mut summary);
        }
        total.lock().unwrap().merge(summary);
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    total.into_inner().unwrap()
}

/// Opens a file for the reference, and says it if poses of it are undefined.
fn open(entry: &Entry, summary: &mut Summary) -> Option<Document> {
    let document = match entry.undefined() {
        Some(reason) => Err(reason),
        None => Document::open(&entry.path),
    };
    let readable = document.and_then(|document| {
        match document.meshes.iter().find_map(|mesh| mesh.as_ref().err()) {
            Some(reason) => Err(format!("a mesh cannot be read: {reason}")),
            None => Ok(document),
        }
    });
    readable
        .inspect(|_| summary.files += 1)
        .inspect_err(|reason| summary.skip(entry, "", reason))
        .ok()
}

/// Before the first key, in the first key's region, on an inner key, between inner keys, after the last key.
fn sample_times(clip: &Clip) -> [f64; 5] {
    let mut keys = clip.key_times();
    if keys.is_empty() {
        keys.push(0.0);
    }
    let after = |key: usize, part: f64| {
        let end = keys.get(key + 1).copied().unwrap_or(keys[key] + 1.0);
        keys[key] + part * (end - keys[key])
    };
    let n = keys.len();
    [
        keys[0] - 0.5,
        after(0, 0.3),
        keys[n / 2],
        after(2 * (n - 1) / 3, 0.618),
        keys[n - 1] + 1.0,
    ]
}

/// The reference's poses of a clip, and the model's size: the largest posed bounds, 1 where nothing has an extent.
fn reference_poses(document: &Document, clip: &Clip, times: &[f64]) -> (Vec<Pose>, f64) {
    let poses: Vec<Pose> = times
        .iter()
        .map(|time| document.pose(Some(clip), *time, true))
        .collect();
    let largest = poses.iter().map(size).fold(0.0, f64::max);
    (poses, if largest > 0.0 { largest } else { 1.0 })
}

fn program(path: &Path, clip: Option<usize>, time_secs: f64, gpu: bool) -> Result<Value, String> {
    let options = PoseOptions {
        clip: clip.map(|clip| clip.to_string()),
        time_secs,
        vertices: true,
        gpu,
        ..PoseOptions::default()
    };
    evaluate(path, &options).map_err(|error| format!("{error:#}"))
}

#[test]
fn every_animated_file_agrees_with_the_reference() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut entries, compressed) = corpus::files(&folder);
    entries.retain(|entry| entry.animated);
    let summary = for_each(&entries, |entry, summary| {
        let Some(document) = open(entry, summary) else {
            return;
        };
        check_rest(&entry.name, &entry.path, &document, summary);
        for index in 0..document.clip_count() {
            let what = format!("{} clip {index}", entry.name);
            match document.clip(index) {
                Ok(clip) => check_clip(&what, &entry.path, &document, (index, &clip), summary),
                Err(reason) => summary.skip(entry, &format!(" clip {index}"), &reason),
            }
        }
    });
    println!("{compressed} more animated files need a compression extension");
    summary.report("CPU against the reference");
}

/// A file made up from a seed, on disk and as the reference reads it.
fn random_file(seed: u64) -> (PathBuf, Document) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random_{seed}.gltf"));
    let json = reference::random::document(&mut Rng::new(seed));
    std::fs::write(&path, json.to_string()).expect("the file can be written");
    let document = Document::open(&path).expect("the reference reads what is made here");
    assert!(document.meshes.iter().all(Result::is_ok), "seed {seed}");
    (path, document)
}

/// Errors of the file in the program's opinion, but for weights, whose sums `reference::random` leaves to chance.
fn import_errors(path: &Path) -> Vec<String> {
    let import = rigscope::import::load(path, &Progress::default()).expect("it loads");
    let errors = import.diagnostics.into_iter();
    let errors = errors.filter(|diagnostic| {
        diagnostic.severity == Severity::Error
            && diagnostic.code != "ACCESSOR_WEIGHTS_NON_NORMALIZED"
    });
    errors
        .map(|error| format!("{}: {error:?}", path.display()))
        .collect()
}

/// Files that stand still are not sampled, but they have transforms, morph weights and skins all the same.
#[test]
fn every_valid_still_file_rests_where_the_reference_puts_it() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut entries, _) = corpus::files(&folder);
    entries.retain(|entry| !entry.animated && entry.is_valid);
    entries.retain(|entry| match &entry.unknown_extension {
        Some(extension) => {
            println!("skipped {}: it requires {extension}", entry.name);
            false
        }
        None => true,
    });
    let summary = for_each(&entries, |entry, summary| {
        if let Some(document) = open(entry, summary) {
            check_rest(&entry.name, &entry.path, &document, summary);
        }
    });
    summary.report("still files against the reference");
}

/// Compares the pose without a clip: the nodes' own transforms.
fn check_rest(name: &str, path: &Path, document: &Document, summary: &mut Summary) {
    let rest = document.pose(None, 0.0, true);
    let size = Some(size(&rest)).filter(|size| *size > 0.0).unwrap_or(1.0);
    let result = program(path, None, 0.0, false);
    let result = result.and_then(|report| compare(document, &rest, &report, size));
    summary.add(&format!("{name} at rest"), result);
}

/// Compares the poses of a clip at five times.
fn check_clip(
    name: &str,
    path: &Path,
    document: &Document,
    (index, clip): (usize, &Clip),
    summary: &mut Summary,
) {
    summary.clips += 1;
    let times = sample_times(clip);
    let (poses, size) = reference_poses(document, clip, &times);
    for (time, pose) in times.iter().zip(&poses) {
        let result = program(path, Some(index), *time, false);
        let result = result.and_then(|report| compare(document, pose, &report, size));
        summary.add(&format!("{name} at {time} s"), result);
    }
}

/// What real files seldom hold, in files made up here.
#[test]
fn random_files_agree_with_the_reference() {
    let mut summary = Summary::default();
    for seed in 0..RANDOM_FILES {
        let (path, document) = random_file(seed);
        summary.files += 1;
        summary.failures.extend(import_errors(&path));
        check_rest(&format!("seed {seed}"), &path, &document, &mut summary);
        for index in 0..document.clip_count() {
            let clip = document.clip(index).expect("the clip is legal");
            let what = format!("seed {seed} clip {index}");
            check_clip(&what, &path, &document, (index, &clip), &mut summary);
        }
    }
    summary.report("random files against the reference");
}

#[test]
fn the_gpu_agrees_with_its_cpu_twin() {
    if gpu().is_none() {
        return;
    }
    let (mut worst, mut vertices) = ((0.0, String::new()), 0);
    let mut check = |name: &str, path: &Path, document: &Document| {
        let clips = (0..document.clip_count()).find_map(|i| Some((i, document.clip(i).ok()?)));
        let Some((index, clip)) = clips else {
            return;
        };
        let time = sample_times(&clip)[3];
        let (_, size) = reference_poses(document, &clip, &[time]);
        let [cpu, gpu] = [false, true].map(|gpu| {
            let report = program(path, Some(index), time, gpu);
            positions(&report.expect("it is evaluated"))
        });
        assert_eq!(cpu.len(), gpu.len(), "{name}: as many vertices");
        for (a, b) in cpu.iter().zip(&gpu) {
            let error = distance(*a, *b) / size;
            if error.is_nan() || error > worst.0 {
                worst = (error, name.to_owned());
            }
        }
        vertices += cpu.len();
    };
    let mut summary = Summary::default();
    let mut entries =
        folder("RIGSCOPE_CORPUS").map_or_else(Vec::new, |folder| corpus::files(&folder).0);
    entries.retain(|entry| entry.animated && entry.skinned_or_morphed);
    for entry in &entries {
        if let Some(document) = open(entry, &mut summary) {
            check(&entry.name, &entry.path, &document);
        }
    }
    for seed in 1000..1000 + RANDOM_FILES_ON_GPU {
        let (path, document) = random_file(seed);
        check(&format!("seed {seed}"), &path, &document);
    }
    let files = format!(
        "{} corpus and {RANDOM_FILES_ON_GPU} random files",
        summary.files
    );
    println!(
        "GPU against CPU: {files}, {vertices} vertices, worst {:.2e} in {}",
        worst.0, worst.1
    );
    assert!(
        worst.0 <= VERTEX_TOLERANCE,
        "off by {} in {}",
        worst.0,
        worst.1
    );
}

fn positions(report: &Value) -> Vec<[f64; 3]> {
    let meshes = report["meshes"].as_array().into_iter().flatten();
    let positions = meshes.flat_map(|mesh| mesh["positions"].as_array().into_iter().flatten());
    positions
        .map(|p| std::array::from_fn(|i| p[i].as_f64().unwrap_or(f64::NAN)))
        .collect()
}

/// A few files through the real program: what it prints is what the library says.
#[test]
fn the_command_line_prints_the_same() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let cases = [
        (
            "khronos-samples/Fox/glTF-Binary/Fox.glb",
            Some("1"),
            "0.3",
            true,
        ),
        (
            "khronos-samples/Fox/glTF-Binary/Fox.glb",
            Some("Walk"),
            "-2.5",
            false,
        ),
        (
            "khronos-samples/SimpleMorph/glTF/SimpleMorph.gltf",
            Some("0"),
            "1.7",
            true,
        ),
        (
            "khronos-samples/BoxAnimated/glTF-Binary/BoxAnimated.glb",
            None,
            "0",
            true,
        ),
    ];
    for (name, clip, time, vertices) in cases {
        let path = folder.join("files").join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.arg("pose").arg(&path).args(["--time", time]);
        command.args(clip.iter().flat_map(|clip| ["--clip", clip]));
        command.args(vertices.then_some("--vertices"));
        let output = command.output().expect("the program starts");
        assert!(
            output.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
        let time_secs = time.parse().unwrap();
        let options = PoseOptions {
            clip: clip.map(str::to_owned),
            time_secs,
            vertices,
            gpu: false,
            ..PoseOptions::default()
        };
        let evaluated = evaluate(&path, &options).expect("the library evaluates it");
        assert_eq!(single(printed), single(evaluated), "{name}");
    }
}

/// JSON with all numbers in single precision: as text they have as few digits as tell them apart.
fn single(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap() as f32),
        Value::Array(list) => list.into_iter().map(single).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, single(value)))
            .collect(),
        other => other,
    }
}

/// The comparison itself: the reference's own pose passes, and every kind of error of 1e-3 of the size is seen.
#[test]
fn the_comparison_sees_small_errors() {
    let (_, document) = random_file(2000);
    let clip = document.clip(0).expect("the clip is legal");
    let (poses, size) = reference_poses(&document, &clip, &[0.3]);
    let truth = as_report(&poses[0]);
    let verdict = |report: &Value| match compare(&document, &poses[0], report, size) {
        Ok(deviation) => too_far(&deviation),
        Err(error) => Some(error),
    };
    assert_eq!(verdict(&truth), None);

    let small = 1e-3 * size;
    // A pointer to a number, what is added to it, and the kind of error that must be seen.
    let rotated = 1e-3 * length(&poses[0].world[5][0]);
    for (pointer, change, kind) in [
        ("/nodes/3/world/13", small, "world matrix"),
        ("/nodes/5/world/1", rotated, "world matrix"),
        ("/skins/0/joint_matrices/1/12", small, "joint matrix"),
        ("/skins/0/joint_matrices/1/4", 2e-3, "joint matrix"),
        ("/skins/0/joint_matrices/1/15", 1e-3, "joint matrix"),
        ("/meshes/0/positions/2/2", small, "vertex"),
        ("/bounds/max/1", small, "bounds"),
    ] {
        let mut wrong = truth.clone();
        let number = wrong.pointer_mut(pointer).unwrap();
        *number = json!(number.as_f64().unwrap() + change);
        let seen = verdict(&wrong).unwrap_or_default();
        assert!(
            seen.contains(kind),
            "{pointer} changed by {change}: seen as {seen:?}"
        );
    }
    for pointer in [
        "/nodes",
        "/nodes/2/world",
        "/skins",
        "/skins/0/joint_matrices",
        "/meshes",
        "/meshes/0/positions",
    ] {
        let mut short = truth.clone();
        let list = short.pointer_mut(pointer).and_then(Value::as_array_mut);
        list.unwrap().pop();
        assert!(verdict(&short).is_some(), "a shorter {pointer} is not seen");
    }
    for pointer in [
        "/nodes/3/world/13",
        "/skins/0/joint_matrices/1/12",
        "/meshes/0/positions/2/2",
    ] {
        let mut gap = truth.clone();
        *gap.pointer_mut(pointer).unwrap() = Value::Null;
        assert!(verdict(&gap).is_some(), "null at {pointer} is not seen");
    }
}

/// The report of a program that is always right.
fn as_report(pose: &Pose) -> Value {
    let node = |(index, world): (usize, &Mat4)| {
        let (world, weights) = (world.as_flattened(), &pose.weights[index]);
        json!({"index": index, "world": world, "weights": weights})
    };
    let skin = |(node, skin, matrices): &(usize, usize, Vec<Mat4>)| {
        let matrices: Vec<_> = matrices.iter().map(|m| m.as_flattened()).collect();
        json!({"node": node, "skin": skin, "joint_matrices": matrices})
    };
    let mesh = |mesh: &PosedPrimitive| {
        let (node, primitive) = (mesh.node, mesh.primitive);
        json!({"node": node, "primitive": primitive, "positions": mesh.positions})
    };
    let shown = pose.meshes.iter().filter(|mesh| mesh.is_shown);
    let vertices = shown.flat_map(|mesh| &mesh.positions);
    let (min, max) = bounds(vertices.flatten().copied()).expect("there are vertices");
    json!({
        "nodes": pose.world.iter().enumerate().map(node).collect::<Vec<_>>(),
        "skins": pose.skins.iter().map(skin).collect::<Vec<_>>(),
        "meshes": pose.meshes.iter().map(mesh).collect::<Vec<_>>(),
        "bounds": {"min": min, "max": max},
    })
}
