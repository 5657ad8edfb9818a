//! Units: models of other ones are called larger or smaller, before all that follows from that; and what files keep in the units
//! of a node, as exporters write it below a scale of 100 or of 0.01, counts by its size in the world.

use std::path::Path;

use base64::Engine as _;
use rigscope::{
    app::Actor,
    cli::{compare::Comparison, load},
};
use serde_json::{Value, json};

use super::{Glb, PIP, common};

/// A rig in centimetres, as it is mostly met: below a node that makes it a hundred times as large.
#[test]
fn another_unit_is_told() {
    let first = common::actor(Path::new(PIP));
    let mut glb = Glb::read(PIP);
    let roots = glb.json["scenes"][0]["nodes"].take();
    let nodes = glb.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "unit", "scale": [100, 100, 100], "children": roots }));
    let unit = nodes.len() - 1;
    glb.json["scenes"][0]["nodes"] = json!([unit]);
    let second = glb.write("centimetres.glb");
    let comparison = Comparison::new([&first, &second], 1e-4);
    let (text, report) = (comparison.to_text(), comparison.to_json());
    assert!(
        text.contains("centimetres.glb is 100 times larger"),
        "{text}"
    );
    assert_eq!(report["size_note"], "100 times larger");
    let report = Comparison::new([&first, &first], 1e-4).to_json();
    assert!(report["size_note"].is_null());
}

/// Numbers of the buffer: where each accessor begins, its type and its number of elements.
const ACCESSORS: [(usize, &str, usize); 7] = [
    (CORNERS, "VEC3", 3),
    (9, "VEC4", 3),
    (12, "VEC4", 3),
    (BIND, "MAT4", 1),
    (COPIES, "VEC3", 2),
    (46, "SCALAR", 2),
    (48, "VEC3", 2),
];
const CORNERS: usize = 0;
const BIND: usize = 24;
const COPIES: usize = 40;
/// What is tolerated, and what is a part of the model's size that counts and one that does not.
const TOLERANCE: f64 = 1e-4;
const SEEN: f32 = 0.01;
const UNSEEN: f32 = 5e-5;
/// Scales of a node as exporters write them.
const SCALES: [f32; 3] = [100.0, 0.01, 1.0];

/// A triangle as high as 1 and as wide where its vertices have this unit, placed by an armature and what hangs on it; a skin
/// whose one joint is node 1.
fn file(name: &str, unit: f32, change: impl FnOnce(&mut Value, &mut Vec<f32>)) -> Actor {
    let corners = [-0.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut floats = corners.map(|it| it * unit).to_vec();
    floats.extend([0.0; 3]);
    floats.extend([1.0, 0.0, 0.0, 0.0].repeat(3));
    floats.extend(glam::Mat4::IDENTITY.to_cols_array());
    floats.extend([0.0, 0.0, 0.0, 0.0, 0.0, 1.0].map(|it| it * unit));
    floats.extend([0.0, 1.0]);
    floats.extend([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "armature", "children": [1] }, { "name": "part" }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "skins": [{ "joints": [1], "inverseBindMatrices": 3 }],
    });
    change(&mut file, &mut floats);
    let mut views = Vec::new();
    let mut accessors = Vec::new();
    for (start, kind, count) in ACCESSORS {
        // Joints are four bytes a vertex, which are zero as a float is.
        let is_joints = start == 9;
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" if is_joints => 1,
            "VEC4" => 4,
            _ => 16,
        };
        let mut accessor = json!({
            "bufferView": views.len(), "componentType": if is_joints { 5121 } else { 5126 }, "type": kind, "count": count,
        });
        let rows = (0..count).map(|row| &floats[start + width * row..][..width]);
        if start == CORNERS || kind == "SCALAR" {
            let extreme = |pick: fn(f32, f32) -> f32| {
                let all = rows.clone().map(<[f32]>::to_vec);
                all.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| pick(a, b)).collect())
            };
            (accessor["min"], accessor["max"]) =
                (json!(extreme(f32::min)), json!(extreme(f32::max)));
        }
        accessors.push(accessor);
        views
            .push(json!({ "buffer": 0, "byteOffset": 4 * start, "byteLength": 4 * width * count }));
    }
    let bytes: Vec<u8> = floats.iter().flat_map(|it| it.to_le_bytes()).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    file["buffers"] = json!([{
        "byteLength": 4 * floats.len(), "uri": format!("data:application/octet-stream;base64,{data}"),
    }]);
    (file["bufferViews"], file["accessors"]) = (json!(views), json!(accessors));
    let path = common::artefacts("compare").join(name);
    std::fs::write(&path, file.to_string()).unwrap();
    let import = load(&path).unwrap();
    assert!(!import.has_errors(), "{:?}", import.diagnostics);
    Actor::new(import.model)
}

fn scaled(node: &mut Value, scale: f32) {
    node["scale"] = json!([scale, scale, scale]);
}

/// What of a report stands there, of both that differ by what is seen; those that differ by less are the same.
fn seen(name: &str, make: impl Fn(&str, f32) -> Actor) -> Value {
    let [first, other, like] = [("a", 0.0), ("b", SEEN), ("c", UNSEEN)]
        .map(|(letter, off)| make(&format!("{name}_{letter}.gltf"), off));
    let like = Comparison::new([&first, &like], TOLERANCE);
    assert!(like.is_same(), "{name}: {}", like.to_text());
    let comparison = Comparison::new([&first, &other], TOLERANCE);
    assert!(!comparison.is_same(), "{name}: {}", comparison.to_text());
    comparison.to_json()
}

fn is_about(value: &Value, expected: f32) -> bool {
    let value = value.as_f64().unwrap();
    (value - f64::from(expected)).abs() < 1e-4 * f64::from(expected)
}

/// A mesh by itself, by a joint, and as copies, all below an armature with a scale.
#[test]
fn vertices_are_as_far_apart_as_they_are_in_the_world() {
    for scale in SCALES {
        for way in ["rigid", "skinned", "copied"] {
            let make = |name: &str, off: f32| {
                file(name, 1.0 / scale, |file, floats| {
                    scaled(&mut file["nodes"][0], scale);
                    floats[CORNERS + 7] += off / scale;
                    file["nodes"][1]["mesh"] = json!(0);
                    match way {
                        "skinned" => {
                            let attributes =
                                json!({ "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 });
                            file["meshes"][0]["primitives"][0]["attributes"] = attributes;
                            file["nodes"][1] = json!({ "name": "joint" });
                            let body = json!({ "name": "body", "mesh": 0, "skin": 0 });
                            file["nodes"].as_array_mut().unwrap().push(body);
                            file["scenes"][0]["nodes"] = json!([0, 2]);
                        }
                        "copied" => {
                            let copies = json!({ "attributes": { "TRANSLATION": 4 } });
                            file["nodes"][1]["extensions"] =
                                json!({ "EXT_mesh_gpu_instancing": copies });
                            file["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
                        }
                        _ => {}
                    }
                })
            };
            let report = seen(&format!("vertex_{way}_{scale}"), make);
            let mesh = &report["meshes"][0];
            assert_eq!(mesh["moved"], 1, "{way} {scale}");
            assert!(is_about(&mesh["distance"], SEEN), "{way} {scale}: {mesh}");
            assert_eq!(report["rest"]["place"]["distance"], 0.0);
        }
    }
}

/// Also where the node is shifted back, so that its place in the world is the same: clips give it another.
#[test]
fn translations_are_as_far_apart_as_their_parents_make_them() {
    for scale in SCALES {
        for is_shifted_back in [false, true] {
            let make = |name: &str, off: f32| {
                file(name, 1.0, |file, _| {
                    scaled(&mut file["nodes"][0], scale);
                    let up = 1.0 + if is_shifted_back { -off } else { off };
                    file["nodes"][1]["translation"] = json!([0.0, up / scale, 0.0]);
                    if is_shifted_back {
                        file["nodes"][0]["translation"] = json!([0.0, off, 0.0]);
                    }
                    let nodes = file["nodes"].as_array_mut().unwrap();
                    nodes.push(json!({ "name": "body", "mesh": 0 }));
                    file["scenes"][0]["nodes"] = json!([0, 2]);
                })
            };
            let report = seen(&format!("bone_{scale}_{is_shifted_back}"), make);
            let moved = &report["rest"]["translation"];
            assert!(is_about(&moved["distance"], SEEN), "{scale}: {moved}");
            if !is_shifted_back {
                assert_eq!(moved["node"], "part");
            }
        }
    }
    let [first, second] = [1.0, 1.01].map(|up| {
        file(&format!("bone_{up}.gltf"), 1.0, |file, _| {
            scaled(&mut file["nodes"][0], 0.01);
            file["nodes"][1]["translation"] = json!([0.0, 100.0 * up, 0.0]);
            file["nodes"]
                .as_array_mut()
                .unwrap()
                .push(json!({ "name": "body", "mesh": 0 }));
            file["scenes"][0]["nodes"] = json!([0, 2]);
        })
    });
    let text = Comparison::new([&first, &second], TOLERANCE).to_text();
    let line = "moved 0.010000 from its parent (0.707% of the size) at \"part\"";
    assert!(text.contains(line), "{text}");
}

/// An inverse bind matrix takes back the scale that its joint has.
#[test]
fn bind_matrices_are_as_far_apart_as_their_joints_make_them() {
    for scale in SCALES {
        for element in [0, 13] {
            let make = |name: &str, off: f32| {
                file(name, 1.0, |file, floats| {
                    scaled(&mut file["nodes"][0], scale);
                    let attributes = json!({ "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 });
                    file["meshes"][0]["primitives"][0]["attributes"] = attributes;
                    file["nodes"]
                        .as_array_mut()
                        .unwrap()
                        .push(json!({ "name": "body", "mesh": 0, "skin": 0 }));
                    file["scenes"][0]["nodes"] = json!([0, 2]);
                    let bind = &mut floats[BIND..BIND + 15];
                    bind.iter_mut().for_each(|it| *it /= scale);
                    bind[element] += off / scale;
                })
            };
            let report = seen(&format!("bind_{scale}_{element}"), make);
            let part = match element {
                0 => SEEN,
                _ => SEEN / report["size"].as_f64().unwrap() as f32,
            };
            assert!(
                is_about(&report["skins"][0]["bind"], part),
                "{scale}: {report}"
            );
        }
    }
}

#[test]
fn copies_are_as_far_apart_as_their_node_makes_them() {
    for scale in SCALES {
        let make = |name: &str, off: f32| {
            file(name, 1.0 / scale, |file, floats| {
                scaled(&mut file["nodes"][0], scale);
                floats[COPIES + 3] += off / scale;
                file["nodes"][1]["mesh"] = json!(0);
                let copies = json!({ "attributes": { "TRANSLATION": 4 } });
                file["nodes"][1]["extensions"] = json!({ "EXT_mesh_gpu_instancing": copies });
                file["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
            })
        };
        let report = seen(&format!("copies_{scale}"), make);
        let told = &report["properties"][0];
        let note = told["note"].as_str().unwrap();
        assert!(
            note.starts_with("1 of them is elsewhere by up to "),
            "{note}"
        );
        let part = SEEN / report["size"].as_f64().unwrap() as f32;
        assert!(is_about(&told["difference"], part), "{scale}: {told}");
    }
}

/// What a clip alone shows counts as large as the clip makes it.
#[test]
fn what_has_no_size_until_a_clip_shows_it_is_compared() {
    for rest in [0.0, 1e-5] {
        let make = |name: &str, off: f32| {
            file(name, 1.0, |file, floats| {
                scaled(&mut file["nodes"][0], rest);
                file["nodes"][1]["mesh"] = json!(0);
                floats[CORNERS + 7] += off;
                file["animations"] = json!([{
                    "name": "Appear",
                    "samplers": [{ "input": 5, "output": 6 }],
                    "channels": [{ "sampler": 0, "target": { "node": 0, "path": "scale" } }],
                }]);
                // The size is that of what is there from the beginning.
                let nodes = file["nodes"].as_array_mut().unwrap();
                nodes.push(json!({ "name": "stage", "mesh": 1 }));
                file["scenes"][0]["nodes"] = json!([0, 2]);
                let mesh = file["meshes"][0].clone();
                file["meshes"].as_array_mut().unwrap().push(mesh);
            })
        };
        let report = seen(&format!("hidden_{rest}"), make);
        assert_eq!(report["meshes"][0]["moved"], 1, "{rest}");
    }
}

/// A hundredth more is as much of a scale of 0.01 as of one of 100.
#[test]
fn scales_differ_as_a_part_of_themselves() {
    for scale in SCALES {
        let make = |name: &str, off: f32| {
            file(name, 1.0 / scale, |file, _| {
                scaled(&mut file["nodes"][1], scale * (1.0 + off));
                file["nodes"][1]["mesh"] = json!(0);
            })
        };
        let report = seen(&format!("scale_{scale}"), make);
        assert!(
            is_about(&report["rest"]["scale"]["difference"], SEEN),
            "{scale}: {report}"
        );
    }
}
