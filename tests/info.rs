//! `docs/info.md` and `docs/json.md` name every field that commands print as JSON; the former none that there is not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "common/mod.rs"]
mod common;

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use glam::{Affine3A, Quat, Vec3};
use rigscope::{
    app::Actor,
    cli::{info::describe, load},
    model::{
        Camera, ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, NodeId, Primitive,
        Projection, PropertyTarget, Skin, Timeline, Transform, VariantMaterial,
    },
};
use serde_json::{Value, json};

use common::processor_time::timed;

/// What files say here is theirs.
const FREE: [&str; 2] = ["notes[].extras", "xmp_packets[]"];

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Fields in the first column of the tables of a document, or of a part of it.
fn documented(text: &str) -> BTreeSet<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let first_columns = rows.map(|row| row.split(" | ").next().unwrap());
    let fields = first_columns.flat_map(|column| column.split('`').step_by(2));
    fields.map(str::to_owned).collect()
}

/// The paths of all values that are neither objects nor lists; of those which are empty, their own.
fn collect(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    if FREE.contains(&path) {
        found.insert(path.to_owned());
        return;
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                collect(value, &format!("{path}{dot}{name}"), found);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect(element, &format!("{path}[]"), found);
            }
        }
        // Whether it is documented is told where it is there.
        Value::Null => {}
        _ => {
            found.insert(path.to_owned());
        }
    }
}

fn fields(path: &Path) -> BTreeSet<String> {
    let import = load(path).unwrap();
    let description = describe(&mut Actor::new(import.model), &import.diagnostics);
    fields_of(&description)
}

fn fields_of(description: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    assert_eq!(description["schema_version"], 1);
    collect(description, "", &mut found);
    found
}

/// Pip's walk, in which the left leg swings farther than the right one, and the spine shakes.
fn limping() -> Value {
    let mut model = load(Path::new("builtin:Pip")).unwrap().model;
    let walk = model.clips.iter().find(|clip| clip.name() == "Walk");
    let walk = walk.unwrap().clone();
    let only_of = |name: &str, node: NodeId, degrees: f32| match model.hierarchy.node(node).name {
        ref own if own == name => degrees,
        _ => 0.0,
    };
    let last = (walk.duration_secs() * 30.0).round();
    let mut limp = ClipBuilder::new("Limp");
    for timeline in walk.timelines() {
        limp.timeline(timeline.clone());
    }
    for track in walk.rotations() {
        let farther = only_of("thigh_L", track.node(), 12.0);
        let shakes = only_of("spine", track.node(), 4.0);
        let turns = track.values().iter().enumerate().map(|(key, turn)| {
            let cycle = key as f32 / last * std::f32::consts::TAU;
            let aside = shakes * [1.0, -1.0][key % 2];
            *turn * Quat::from_rotation_x((farther * cycle.cos() + aside).to_radians())
        });
        let kind = track.interpolation();
        limp.rotation(
            track.node(),
            track.timeline(),
            kind,
            turns.collect::<Vec<_>>(),
        )
        .unwrap();
    }
    for track in walk.translations() {
        let (kind, values) = (track.interpolation(), track.values().to_vec());
        limp.translation(track.node(), track.timeline(), kind, values)
            .unwrap();
    }
    model.clips = vec![limp.finish()];
    describe(&mut Actor::new(model), &[])
}

/// As the text and the window say it: by the speeds of both sides.
#[test]
fn feet_that_step_unlike_are_listed_with_both_speeds() {
    let described = limping();
    let steps = &described["clips"][0]["analysis"]["uneven_steps"];
    let steps = steps.as_array().expect("a list");
    assert_eq!(steps.len(), 1, "{steps:?}");
    let step = &steps[0];
    assert_ne!(step["node"], step["other"], "{step}");
    assert_eq!(step["is_known"], false, "{step}");
    let [from, to] = ["start_secs", "end_secs"].map(|field| step[field].as_f64().unwrap());
    assert!(0.0 <= from && from < to, "{step}");
    let speeds = [0, 1].map(|side| step["speeds"][side].as_f64().unwrap());
    let [least, most] = [speeds[0].min(speeds[1]), speeds[0].max(speeds[1])];
    assert!(least > 0.0 && most > 1.25 * least, "{step}");
    assert!(step["distance"].as_f64().unwrap() > 0.0, "{step}");
}

#[test]
fn what_is_printed_is_documented() {
    let documented = documented(&document("docs/info.md"));
    assert!(documented.len() > 80, "{documented:?}");
    let mut paths = vec!["builtin:Pip".into(), "builtin:Windmill".into()];
    let corpus = common::folder("RIGSCOPE_CORPUS");
    if let Some(corpus) = &corpus {
        let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
        for line in manifest.lines().skip(1) {
            let mut columns = line.split('\t');
            let path = corpus.join("files").join(columns.next().unwrap());
            let is_small = columns
                .next()
                .unwrap()
                .parse()
                .is_ok_and(|bytes: u64| bytes < 50_000);
            if is_small && load(&path).is_ok() {
                paths.push(path);
            }
        }
    }
    let mut printed = BTreeSet::new();
    let described = paths.iter().map(|path| (&**path, fields(path)));
    let limping = (Path::new("a limping walk"), fields_of(&limping()));
    for (path, fields) in described.chain([limping]) {
        let unknown: Vec<_> = fields.difference(&documented).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", path.display());
        printed.extend(fields);
    }
    // Only many files together have everything. The last two are no value's: they can be null as a whole.
    if corpus.is_some() {
        let containers = ["clips[].analysis", "clips[].palette"];
        let missing = documented.difference(&printed);
        let missing: Vec<_> = missing
            .filter(|field| !containers.contains(&field.as_str()))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

/// A file of the corpus with copies of a mesh.
const COPIES: &str = "khronos-gltf/extensions/2.0/Vendor/EXT_mesh_gpu_instancing/samples/teapots_galore/teapots_galore.gltf";

/// What programs print: poses, comparisons, findings.
#[test]
fn what_other_commands_print_is_documented() {
    let text = document("docs/json.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [pip, windmill] = ["assets/pip.glb", "assets/windmill.glb"].map(|name| root.join(name));
    let [pip, windmill] = [&pip, &windmill].map(|path| path.to_str().unwrap());
    let mut given = vec![
        vec!["pose", pip, "--clip", "Walk", "--vertices"],
        vec!["pose", windmill],
        vec!["compare", "--json", pip, windmill],
        vec!["compare", "--json", pip, pip],
        vec!["check", "--json", pip, "nothing.glb"],
    ];
    // Copies, materials that move, weights that differ.
    let corpus = common::folder("RIGSCOPE_CORPUS");
    let corpus = corpus.map(|corpus| corpus.join("files"));
    let of_corpus = |name: &str| {
        let path = corpus.as_ref().map(|corpus| corpus.join(name))?;
        Some(path.to_str().unwrap().to_owned())
    };
    let copies = of_corpus(COPIES);
    if let Some(copies) = &copies {
        given.push(vec!["pose", copies]);
        given.push(vec!["compare", "--json", copies, pip]);
    }
    for typed in given {
        let heading = format!("\n## `rigscope {}", typed[0]);
        let part = text.split("\n## ").find(|part| {
            let heading = heading.trim_start_matches("\n## ");
            part.starts_with(heading)
        });
        let documented = documented(part.unwrap_or_else(|| panic!("{heading}")));
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"));
        let output = command.args(&typed).output().unwrap();
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut found = BTreeSet::new();
        collect(&printed, "", &mut found);
        assert!(found.len() > 4, "{typed:?}");
        // The pose at rest has what the poses of clips have.
        let of_rest = |field: &String| field.starts_with("rest.");
        let unknown: Vec<_> = found
            .difference(&documented)
            .filter(|it| !of_rest(it))
            .collect();
        assert!(unknown.is_empty(), "{typed:?}: {unknown:?}");
    }
}

/// What `info --json` says of the root motion of a clip that turns a root and shifts it so far.
fn root_motion(degrees: f32, shift: f32) -> Value {
    let node = |y: f32| Node {
        rest: Transform {
            translation: Vec3::Y * y,
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let nodes = [0.0, 0.0, 1.0].map(node).to_vec();
    let parents = [None, Some(0), Some(1)];
    let mut clip = ClipBuilder::new("step");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let linear = Interpolation::Linear;
    let turns = vec![Quat::IDENTITY, Quat::from_rotation_y(degrees.to_radians())];
    clip.rotation(NodeId(1), timeline, linear, turns).unwrap();
    let places = vec![Vec3::ZERO, Vec3::Z * shift];
    clip.translation(NodeId(1), timeline, linear, places)
        .unwrap();
    let model = Model {
        hierarchy: Hierarchy::new(nodes, &parents, &[vec![], vec![], vec![]]).unwrap(),
        clips: vec![clip.finish()],
        skins: vec![Skin {
            joints: vec![NodeId(1), NodeId(2)],
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            ..Skin::default()
        }],
        ..Model::default()
    };
    let description = describe(&mut Actor::new(model), &[]);
    description["clips"][0]["analysis"]["root_motion"].clone()
}

#[test]
fn a_root_that_turns_a_little_is_told_so() {
    for shift in [0.0, 1.0] {
        for (degrees, counts) in [(-10.0, false), (10.0, false), (20.0, true)] {
            let motion = root_motion(degrees, shift);
            let heading = motion["heading_degrees"].as_f64().unwrap();
            assert!((heading - f64::from(degrees)).abs() < 1e-3, "{motion}");
            assert_eq!(motion["turning"], counts, "{motion}");
            assert_eq!(motion["displacement"], f64::from(shift));
        }
    }
    // As docs/info.md has it: a thousandth of the skeleton's size, which is 1.
    assert!(root_motion(0.0, 0.0009).is_null());
    assert!(!root_motion(0.0, 0.0011).is_null());
    assert!(root_motion(0.1, 0.0).is_null());
    assert!(!root_motion(0.2, 0.0).is_null());
}

/// The tip is farthest off, and it is the elbow that does not come back.
#[test]
fn a_seam_names_the_joint_that_makes_it() {
    let cause = |degrees: f32| {
        let node = |name: &str| Node {
            name: name.to_owned(),
            rest: Transform {
                translation: Vec3::Y,
                ..Transform::IDENTITY
            },
            ..Node::default()
        };
        let nodes = ["shoulder", "elbow", "tip"].into_iter();
        let parents = [None, Some(0), Some(1)];
        let mut clip = ClipBuilder::new("wave");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let turns = vec![Quat::IDENTITY, Quat::from_rotation_x(degrees.to_radians())];
        clip.rotation(NodeId(1), timeline, Interpolation::Linear, turns)
            .unwrap();
        let weights = [vec![], vec![], vec![]];
        let model = Model {
            hierarchy: Hierarchy::new(nodes.map(node).collect(), &parents, &weights).unwrap(),
            clips: vec![clip.finish()],
            ..Model::default()
        };
        let description = describe(&mut Actor::new(model), &[]);
        description["clips"][0]["analysis"]["loop_seam"]["cause"].clone()
    };
    assert_eq!(cause(20.0), json!({"node": 1, "name": "elbow"}));
    assert_eq!(cause(0.0), Value::Null);
}

/// A camera that no node places is one all the same.
#[test]
fn cameras_are_listed_with_their_nodes() {
    let camera = |name: &str| Camera {
        name: name.to_owned(),
        projection: Projection::Perspective {
            fov_y_radians: 1.0,
            aspect: None,
            near: 0.1,
            far: None,
        },
    };
    let node = |camera| Node {
        camera,
        ..Node::default()
    };
    let nodes = vec![node(None), node(Some(1)), node(Some(1))];
    let weights = [vec![], vec![], vec![]];
    let model = Model {
        hierarchy: Hierarchy::new(nodes, &[None; 3], &weights).unwrap(),
        cameras: vec![camera("Unplaced"), camera("")],
        ..Model::default()
    };
    let described = describe(&mut Actor::new(model), &[]);
    assert_eq!(described["cameras"], 2);
    let expected = json!([
        {"index": 0, "name": "Unplaced", "nodes": []},
        {"index": 1, "name": "", "nodes": [1, 2]},
    ]);
    assert_eq!(described["file_cameras"], expected);
}

/// Not by the nodes that take them.
#[test]
fn weights_of_a_mesh_are_told_as_the_file_names_them() {
    let mut clip = ClipBuilder::new("talk");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    for node in [0, 1] {
        let target = PropertyTarget::NodeWeight(NodeId(node), 0);
        clip.property(target, timeline, Interpolation::Linear, vec![0.0; 2])
            .unwrap();
    }
    clip.of_mesh(4, Some(0), 2);
    let weights = [vec![0.0], vec![0.0]];
    let nodes = vec![Node::default(); 2];
    let model = Model {
        hierarchy: Hierarchy::new(nodes, &[None; 2], &weights).unwrap(),
        clips: vec![clip.finish()],
        ..Model::default()
    };
    let clip = &describe(&mut Actor::new(model), &[])["clips"][0];
    assert_eq!((&clip["channels"], &clip["keys"]), (&json!(1), &json!(2)));
    assert_eq!(clip["interpolations"]["LINEAR"], 1);
    let moved = json!([{"pointer": "/meshes/4/weights/0", "keys": 2, "interpolation": "LINEAR"}]);
    assert_eq!(clip["properties"], moved);
}

/// For each variant a look at each primitive would be two thousand million.
/// A model of so many variants, of which two are used, and half as many primitives.
fn with_variants(count: usize) -> Actor {
    let mut primitives = vec![Primitive::default(); count / 2];
    for (primitive, variant) in primitives.iter_mut().zip([7, 7, count - 1]) {
        let other = VariantMaterial {
            variant,
            material: 0,
        };
        primitive.variant_materials = vec![other];
    }
    Actor::new(Model {
        variants: vec![String::new(); count],
        meshes: vec![Mesh {
            primitives,
            ..Mesh::default()
        }]
        .into(),
        ..Model::default()
    })
}

/// Four times as many take four times as long; were all primitives gone through for each variant, sixteen times.
#[test]
fn variants_are_counted_in_one_pass() {
    const COUNTS: [usize; 2] = [15_000, 60_000];
    let mut actors = COUNTS.map(with_variants);
    // Of several times the least, as the machine may have other things to do.
    let mut least = [Duration::MAX; 2];
    for _ in 0..5 {
        for (actor, least) in actors.iter_mut().zip(&mut least) {
            let (description, took) = timed(|| describe(actor, &[]));
            *least = took.min(*least);
            let variants = description["variants"].as_array().unwrap();
            let counts = variants.iter().map(|it| it["primitives"].as_u64().unwrap());
            let counts: Vec<_> = counts.enumerate().filter(|it| it.1 > 0).collect();
            assert_eq!(counts, [(7, 2), (variants.len() - 1, 1)]);
        }
    }
    assert!(least[1] < 9 * least[0], "{least:?}");
}

/// Whoever reads JSON finds faults in one place.
#[test]
fn a_file_that_is_refused_has_a_finding() {
    let folder = std::env::temp_dir().join(format!("rigscope-refused-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, text, code, pointer) in [
        ("text.gltf", "{", "INVALID_JSON", ""),
        ("empty.gltf", "", "INVALID_JSON", ""),
        ("header.glb", "glTF", "GLB_UNEXPECTED_END_OF_HEADER", ""),
        (
            "old.gltf",
            r#"{"asset": {"version": "1.0"}}"#,
            "UNKNOWN_ASSET_MAJOR_VERSION",
            "/asset/version",
        ),
        ("nothing.gltf", "-", "IO_ERROR", ""),
    ] {
        let path = folder.join(name);
        if text != "-" {
            fs::write(&path, text).unwrap();
        }
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.args(["check", "--json"]).arg(&path);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        let reports: Value = serde_json::from_slice(&output.stdout).unwrap();
        let report = &reports[0];
        let found = report["diagnostics"].as_array().unwrap();
        let [found] = found.as_slice() else {
            panic!("{name}: {found:?}");
        };
        assert_eq!(found["severity"], "error");
        assert_eq!(
            (&found["code"], &found["pointer"]),
            (&code.into(), &pointer.into())
        );
        assert_eq!(found["message"], report["refused"]);
    }
    fs::remove_dir_all(folder).unwrap();
}

/// `rigscope check *.glb | head`: a script that stops reading must not take bad files for good ones.
#[test]
fn a_check_tells_by_its_exit_code_what_nobody_reads() {
    let check = |reads: bool| {
        let (reader, writer) = std::io::pipe().unwrap();
        let reader = reads.then_some(reader);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.args(["check", "builtin:Pip", "no such file.glb"]);
        let ended = command.stdout(writer).stderr(std::process::Stdio::null());
        let code = ended.status().unwrap().code();
        drop(reader);
        code
    };
    assert_eq!(check(true), Some(2));
    assert_eq!(check(false), Some(2));
}

/// As where there is no graphics adapter, not as where a file is bad.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_the_machines_fault() {
    for typed in [
        &["info", "builtin:Windmill"][..],
        &["check", "builtin:Windmill"],
        &["pose", "builtin:Windmill"],
        &["help", "render"],
        &["--version"],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.args(typed).stderr(std::process::Stdio::null());
        let code = command.stdout(full).status().unwrap().code();
        assert_eq!(code, Some(3), "{typed:?}");
    }
}
