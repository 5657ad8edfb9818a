//! `rigscope compare`: nothing on a file beside itself, and the culprit by its name where one key of one joint was turned.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "compare/appearance.rs"]
mod appearance;
#[path = "common/mod.rs"]
mod common;
#[path = "compare/lost.rs"]
mod lost;
#[path = "compare/names.rs"]
mod names;
#[path = "compare/surfaces.rs"]
mod surfaces;
#[path = "compare/units.rs"]
mod units;

use std::{fs, path::Path, sync::Arc};

use glam::Quat;
use rigscope::{
    app::Actor,
    cli::{compare::Comparison, load},
    model::{Colors, Deltas, Model},
};
use serde_json::{Value, json};

const PIP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pip.glb");

/// A .glb file in its two parts.
struct Glb {
    json: Value,
    bin: Vec<u8>,
}

impl Glb {
    fn read(path: &str) -> Self {
        let bytes = fs::read(path).unwrap();
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let text = length(12);
        let bin = 20 + text;
        Self {
            json: serde_json::from_slice(&bytes[20..bin]).unwrap(),
            bin: bytes[bin + 8..][..length(bin)].to_vec(),
        }
    }

    fn write(&self, name: &str) -> Actor {
        let mut text = serde_json::to_vec(&self.json).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 28 + text.len() + self.bin.len();
        let number = |number: usize| (number as u32).to_le_bytes();
        let mut file = [&b"glTF"[..], &number(2), &number(total)].concat();
        file.extend([&number(text.len())[..], &b"JSON"[..], &text[..]].concat());
        file.extend([&number(self.bin.len())[..], &b"BIN\0"[..], &self.bin[..]].concat());
        let path = common::artefacts("compare").join(name);
        fs::write(&path, file).unwrap();
        common::actor(&path)
    }

    fn clip(&self, name: &str) -> &Value {
        let clips = self.json["animations"].as_array().unwrap();
        clips.iter().find(|clip| clip["name"] == name).unwrap()
    }

    fn node(&self, name: &str) -> usize {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name).unwrap()
    }

    /// Where an accessor's elements begin, and how many there are.
    fn elements(&self, accessor: &Value) -> (usize, usize) {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let offset = |of: &Value| of["byteOffset"].as_u64().unwrap_or(0) as usize;
        assert!(view["byteStride"].is_null());
        (
            offset(view) + offset(accessor),
            accessor["count"].as_u64().unwrap() as usize,
        )
    }

    fn float(&self, at: usize) -> f32 {
        f32::from_le_bytes(self.bin[at..at + 4].try_into().unwrap())
    }

    /// Turns a joint at one key of a clip; the key's time.
    fn turn(&mut self, clip: &str, node: &str, key: usize, degrees: f32) -> f64 {
        let target = json!({ "node": self.node(node), "path": "rotation" });
        let clip = self.clip(clip).clone();
        let channels = clip["channels"].as_array().unwrap();
        let channel = channels
            .iter()
            .find(|channel| channel["target"] == target)
            .unwrap();
        let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let (values, count) = self.elements(&sampler["output"]);
        // A cubic key stands between its tangents (glTF 2.0 appendix C.5).
        let is_cubic = sampler["interpolation"] == "CUBICSPLINE";
        let element = if is_cubic { 3 * key + 1 } else { key };
        assert!(element < count);
        let at = values + 16 * element;
        let rotation = Quat::from_array([0, 4, 8, 12].map(|part| self.float(at + part)));
        let turned = (rotation * Quat::from_rotation_x(degrees.to_radians())).normalize();
        for (place, part) in turned.to_array().into_iter().enumerate() {
            self.bin[at + 4 * place..][..4].copy_from_slice(&part.to_le_bytes());
        }
        let (times, _) = self.elements(&sampler["input"]);
        f64::from(self.float(times + 4 * key))
    }
}

#[test]
fn a_file_is_the_same_as_itself() {
    let pip = common::actor(Path::new(PIP));
    let comparison = Comparison::new([&pip, &pip], 0.0);
    assert!(comparison.is_same(), "{}", comparison.to_text());
    assert!(comparison.to_text().ends_with("the same, within 0\n"));
    let report = comparison.to_json();
    assert_eq!(report["clips"].as_array().unwrap().len(), 6);
    assert_eq!(report["nodes"]["matched"], 38);
}

#[test]
fn corpus_files_are_the_same_as_themselves() {
    let Some(corpus) = common::folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let (path, bytes, clips) = (
        column("path"),
        column("bytes_with_deps"),
        column("animations"),
    );
    let number = |text: &str| text.parse::<u64>().unwrap_or(0);
    let mut compared = 0;
    for row in lines {
        let is_quick = number(row[bytes]) < 300_000 && number(row[clips]) > 0;
        let Some(Ok(import)) = is_quick.then(|| load(&corpus.join("files").join(row[path]))) else {
            continue;
        };
        let actor = Actor::new(import.model);
        let comparison = Comparison::new([&actor, &actor], 0.0);
        assert!(
            comparison.is_same(),
            "{}: {}",
            row[path],
            comparison.to_text()
        );
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_turned_key_is_found_by_joint_clip_and_time() {
    let first = common::actor(Path::new(PIP));
    for (clip, node, key) in [
        ("Walk", "forearm_L", 5),
        ("Run", "spine", 2),
        ("Idle", "ear_tip_R", 0),
    ] {
        let mut glb = Glb::read(PIP);
        let time_secs = glb.turn(clip, node, key, 1.0);
        let second = glb.write("turned.glb");
        let comparison = Comparison::new([&first, &second], 1e-4);
        assert!(!comparison.is_same());
        let text = comparison.to_text();
        let line = format!("turned 1.0000° at {node:?}, {time_secs:.4} s");
        assert!(text.contains(&line), "{text}");
        let report = comparison.to_json();
        for other in report["clips"].as_array().unwrap() {
            assert_eq!(other["same"], json!(other["name"] != clip), "{text}");
            if other["name"] == clip {
                let rotation = &other["difference"]["rotation"];
                let degrees = rotation["degrees"].as_f64().unwrap();
                assert!((degrees - 1.0).abs() < 1e-4, "{degrees}");
                assert_eq!(rotation["node"], node);
                assert_eq!(rotation["time_secs"], json!(time_secs));
            }
        }
        assert_eq!(report["same"], false);
        // One degree is 0.01745 of a radian; the limbs below go no farther than that part of the model's size.
        assert!(Comparison::new([&first, &second], 0.0176).is_same());
    }
}

#[test]
fn what_one_file_hides_is_a_difference() {
    let first = common::actor(Path::new(PIP));
    let mut glb = Glb::read(PIP);
    let head = glb.node("Pip_Head");
    glb.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
    glb.json["nodes"][head]["extensions"] = json!({ "KHR_node_visibility": { "visible": false } });
    let second = glb.write("hidden.glb");
    let comparison = Comparison::new([&first, &second], 1e-4);
    let text = comparison.to_text();
    assert!(!comparison.is_same(), "{text}");
    assert!(
        text.contains("hidden in one alone, at \"Pip_Head\""),
        "{text}"
    );
    let report = comparison.to_json();
    let visibility = &report["rest"]["visibility"];
    assert_eq!(visibility["node"], "Pip_Head");
    assert_eq!(visibility["difference"], 1.0);
}

#[test]
fn what_one_alone_has_is_listed() {
    let first = common::actor(Path::new(PIP));
    let mut glb = Glb::read(PIP);
    let tail = glb.node("ear_tip_L");
    glb.json["nodes"][tail]["name"] = json!("antenna");
    // With one more below it, it is another.
    let nodes = glb.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "tip of it" }));
    let below = nodes.len() - 1;
    glb.json["nodes"][tail]["children"] = json!([below]);
    let clips = glb.json["animations"].as_array_mut().unwrap();
    let jump = clips
        .iter()
        .position(|clip| clip["name"] == "Jump")
        .unwrap();
    // Of other keys, too.
    clips[jump]["name"] = json!("Leap");
    clips[jump]["channels"].as_array_mut().unwrap().pop();
    let second = glb.write("renamed.glb");
    let comparison = Comparison::new([&first, &second], 1e-4);
    assert!(!comparison.is_same());
    let report = comparison.to_json();
    assert_eq!(report["nodes"]["only_first"], json!(["ear_tip_L"]));
    assert_eq!(
        report["nodes"]["only_second"],
        json!(["antenna", "tip of it"])
    );
    assert_eq!(report["clips_only_first"], json!(["Jump"]));
    assert_eq!(report["clips_only_second"], json!(["Leap"]));
    // The skin's joint is another node now.
    assert_eq!(report["skins"][0]["other_joints"], 1);
    let text = comparison.to_text();
    assert!(text.contains("has the node \"ear_tip_L\"\n"), "{text}");
    assert!(text.contains("has the clip \"Leap\"\n"), "{text}");
}

/// What stands in the same place and hangs elsewhere goes elsewhere in clips.
#[test]
fn what_hangs_on_another_node_is_told() {
    let first = common::actor(Path::new(PIP));
    let hang = |name: &str, child: &str, parent: Option<&str>| {
        let mut glb = Glb::read(PIP);
        let child = glb.node(child);
        for node in glb.json["nodes"].as_array_mut().unwrap() {
            if let Some(children) = node["children"].as_array_mut() {
                children.retain(|it| it.as_u64() != Some(child as u64));
                if children.is_empty() {
                    node.as_object_mut().unwrap().remove("children");
                }
            }
        }
        let siblings = match parent {
            Some(parent) => {
                let parent = glb.node(parent);
                &mut glb.json["nodes"][parent]["children"]
            }
            None => &mut glb.json["scenes"][0]["nodes"],
        };
        siblings.as_array_mut().unwrap().push(json!(child));
        glb.write(name)
    };
    for (file, parent, words) in [
        ("on_the_spine.glb", Some("spine"), "\"head\" and \"spine\""),
        ("on_nothing.glb", None, "\"head\" and none"),
    ] {
        let second = hang(file, "ear_L", parent);
        let comparison = Comparison::new([&first, &second], 1e9);
        let text = comparison.to_text();
        assert!(!comparison.is_same(), "{text}");
        let line = format!("  node \"ear_L\": parent {words}\n");
        assert!(text.contains(&line), "{text}");
        assert_eq!(text.matches("parent ").count(), 1, "{text}");
        let back = Comparison::new([&second, &first], 1e9);
        assert_eq!(back.to_json()["properties"].as_array().unwrap().len(), 1);
    }
}

/// A joint of another name is the same joint: its vertices have the weights that they had.
#[test]
fn what_has_another_name_is_said_and_nothing_else_differs() {
    let first = common::actor(Path::new(PIP));
    let rename = |file: &str, name_of: &dyn Fn(&str) -> String| {
        let mut glb = Glb::read(PIP);
        for node in glb.json["nodes"].as_array_mut().unwrap() {
            node["name"] = json!(name_of(node["name"].as_str().unwrap()));
        }
        glb.write(file)
    };
    let one = rename("one-renamed.glb", &|name| match name {
        "ear_tip_L" => "antenna".to_owned(),
        _ => name.to_owned(),
    });
    let all = rename("prefixed.glb", &|name| format!("mixamorig:{name}"));
    let none = rename("nameless.glb", &|_| String::new());
    let count = first.model().hierarchy.len();
    for (second, renamed) in [(&one, 1), (&all, count), (&none, count)] {
        let comparison = Comparison::new([&first, second], 1e-4);
        assert!(!comparison.is_same());
        let (report, text) = (comparison.to_json(), comparison.to_text());
        let nodes = &report["nodes"];
        assert_eq!(nodes["matched"], count, "{text}");
        assert_eq!(nodes["renamed"].as_array().unwrap().len(), renamed);
        let of = |what: &str| report[what].as_array().unwrap().iter();
        assert!(of("skins").all(|skin| skin["same"] == true), "{text}");
        assert!(of("meshes").all(|mesh| mesh["same"] == true), "{text}");
        assert!(of("clips").all(|clip| clip["same"] == true), "{text}");
    }
    let text = Comparison::new([&first, &one], 1e-4).to_text();
    let words = "1 with other names: \"ear_tip_L\" is \"antenna\"";
    assert!(text.contains(words), "{text}");
}

/// The rig moves as before, and yet some vertices go elsewhere.
#[test]
fn vertices_that_follow_another_joint_are_named() {
    let pip = common::actor(Path::new(PIP));
    let other = |change: &dyn Fn(&mut Model)| {
        let mut model = pip.model().clone();
        change(&mut model);
        Actor::new(model)
    };
    let joint = |name: &str| {
        let skin = &pip.model().skins[0];
        let mut joints = skin.joints.iter();
        let place = joints.position(|&joint| pip.model().hierarchy.node(joint).name == name);
        place.unwrap() as u16
    };
    let foot = joint("foot_L");
    let bound = other(&|model| {
        let primitive = &mut Arc::make_mut(&mut model.meshes)[0].primitives[0];
        let influences = primitive.influences.as_mut().unwrap();
        for vertex in 3..8 {
            influences.joints[4 * vertex..4 * vertex + 4].copy_from_slice(&[foot, 0, 0, 0]);
            let weights = [1.0, 0.0, 0.0, 0.0];
            influences.weights[4 * vertex..4 * vertex + 4].copy_from_slice(&weights);
        }
    });
    let comparison = Comparison::new([&pip, &bound], 1e-4);
    assert!(!comparison.is_same());
    let line = "  mesh \"Pip_Body\": 5 vertices have other weights by up to 1.000 of \"foot_L\"\n";
    let text = comparison.to_text();
    assert!(text.contains(line), "{text}");
    let mesh = &comparison.to_json()["meshes"][0];
    assert_eq!(mesh["bound_otherwise"], 5);
    assert_eq!((&mesh["moved"], &mesh["same"]), (&json!(0), &json!(false)));

    let moved = other(&|model| {
        let primitive = &mut Arc::make_mut(&mut model.meshes)[0].primitives[0];
        primitive.vertices.positions[7].x += 0.01;
        primitive
            .targets
            .iter_mut()
            .for_each(|target| target.positions = Deltas::default());
    });
    let comparison = Comparison::new([&pip, &moved], 1e-4);
    let mesh = &comparison.to_json()["meshes"][0];
    assert_eq!(
        (&mesh["moved"], &mesh["bound_otherwise"]),
        (&json!(1), &json!(0))
    );
    let distance = mesh["distance"].as_f64().unwrap();
    assert!((distance - 0.01).abs() < 1e-6, "{distance}");
}

/// Compressors put vertices into an order of their own.
#[test]
fn the_order_of_vertices_is_no_difference() {
    let pip = common::actor(Path::new(PIP));
    let mut model = pip.model().clone();
    for mesh in Arc::make_mut(&mut model.meshes) {
        for primitive in &mut mesh.primitives {
            let vertices = &mut primitive.vertices;
            let all = vertices.positions.len();
            let own = all - primitive.copies.len();
            vertices.positions[..own].reverse();
            reverse_first(&mut vertices.normals, own);
            reverse_first(&mut vertices.tangents, own);
            for set in &mut vertices.tex_coords {
                reverse_first(set, own);
            }
            match &mut vertices.colors {
                Colors::Bytes(colors) => reverse_first(colors, own),
                Colors::Shorts(colors) => reverse_first(colors, own),
                Colors::Floats(colors) => reverse_first(colors, own),
            }
            let influences = primitive.influences.as_mut().unwrap();
            let size = influences.per_vertex;
            reverse_rows(&mut influences.joints[..own * size], size);
            reverse_rows(&mut influences.weights[..own * size], size);
            for target in &mut primitive.targets {
                for moved in [
                    &mut target.positions,
                    &mut target.normals,
                    &mut target.tangents,
                ] {
                    reverse_deltas(moved, all, own);
                }
                for set in &mut target.tex_coords {
                    reverse_deltas(set, all, own);
                }
                reverse_deltas(&mut target.colors, all, own);
            }
            let renumbered = |vertex: u32| (own as u32 - 1).checked_sub(vertex).unwrap_or(vertex);
            let indices: Vec<u32> = primitive.indices.iter().map(renumbered).collect();
            primitive.indices = indices.into();
            primitive
                .copies
                .iter_mut()
                .for_each(|it| *it = renumbered(*it));
        }
    }
    let reversed = Actor::new(model.clone());
    for tolerance in [1e-4, 0.0] {
        let report = Comparison::new([&pip, &reversed], tolerance).to_json();
        for mesh in report["meshes"].as_array().unwrap() {
            assert_eq!(mesh["same"], true, "{mesh}");
        }
    }
    // One that is elsewhere is found in any order.
    let meshes = Arc::make_mut(&mut model.meshes);
    meshes[0].primitives[0].vertices.positions[7].x += 0.01;
    let moved = Actor::new(model);
    let report = Comparison::new([&pip, &moved], 1e-4).to_json();
    let mesh = &report["meshes"][0];
    assert_eq!(mesh["moved"], 1);
    // No farther from any vertex than from where it was.
    let distance = mesh["distance"].as_f64().unwrap();
    assert!(distance > 0.0 && distance < 0.010_001, "{distance}");
}

/// Reverses so many, unless there are none.
fn reverse_first<T>(values: &mut [T], count: usize) {
    if let Some(values) = values.get_mut(..count) {
        values.reverse();
    }
}

fn reverse_deltas<T: Copy + Default + PartialEq>(deltas: &mut Deltas<T>, all: usize, count: usize) {
    let mut values = deltas.dense(all).into_owned();
    reverse_first(&mut values, count);
    *deltas = values.into();
}

fn reverse_rows<T>(values: &mut [T], width: usize) {
    values.reverse();
    values.chunks_mut(width).for_each(<[T]>::reverse);
}
