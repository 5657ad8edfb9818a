//! The built-in models: the generator still makes the committed bytes, and they hold what an animator relies on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "../examples/make_assets/generator/mod.rs"]
mod generator;

use std::path::Path;

use serde_json::Value;

/// A parsed GLB, read with nothing but the standard library and a JSON parser.
struct Model {
    json: Value,
    buffer: Vec<u8>,
}

impl Model {
    fn load(name: &str) -> Self {
        let bytes = committed(name);
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        assert_eq!(&bytes[..4], b"glTF");
        assert_eq!(
            word(8) as usize,
            bytes.len(),
            "the header gives the file's length"
        );
        let text_end = 20 + word(12) as usize;
        let json = serde_json::from_slice(&bytes[20..text_end]).expect("the first chunk is JSON");
        Self {
            json,
            buffer: bytes[text_end + 8..].to_vec(),
        }
    }

    fn list(&self, array: &str) -> &[Value] {
        self.json[array].as_array().map_or(&[], Vec::as_slice)
    }

    /// The elements of an accessor that is not sparse, as rows.
    fn rows(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][index(accessor)];
        let width = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            Some("MAT4") => 16,
            other => panic!("accessor type {other:?}"),
        };
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        let start =
            index(&view["byteOffset"]) + accessor["byteOffset"].as_u64().unwrap_or(0) as usize;
        let data = &self.buffer[start..];
        let value = |i: usize| match accessor["componentType"].as_u64() {
            Some(5126) => f64::from(f32::from_le_bytes(
                data[i * 4..i * 4 + 4].try_into().expect("four bytes"),
            )),
            Some(5123) => f64::from(u16::from_le_bytes(
                data[i * 2..i * 2 + 2].try_into().expect("two bytes"),
            )),
            Some(5121) => f64::from(data[i]),
            other => panic!("component type {other:?}"),
        };
        let count = index(&accessor["count"]);
        (0..count)
            .map(|row| (0..width).map(|k| value(row * width + k)).collect())
            .collect()
    }

    fn primitives(&self) -> impl Iterator<Item = &Value> {
        self.list("meshes").iter().flat_map(|mesh| {
            mesh["primitives"]
                .as_array()
                .expect("a mesh has primitives")
        })
    }

    /// Calls `check` with every channel: clip name, path, interpolation, key times, values.
    fn channels(&self, mut check: impl FnMut(&str, &str, &str, &[f64], &[Vec<f64>])) {
        for clip in self.list("animations") {
            for channel in clip["channels"].as_array().expect("a clip has channels") {
                let sampler = &clip["samplers"][index(&channel["sampler"])];
                let times: Vec<f64> = self.rows(&sampler["input"]).concat();
                let text = |value: &Value| value.as_str().expect("text").to_owned();
                let (path, mode) = (
                    text(&channel["target"]["path"]),
                    text(&sampler["interpolation"]),
                );
                check(
                    &text(&clip["name"]),
                    &path,
                    &mode,
                    &times,
                    &self.rows(&sampler["output"]),
                );
            }
        }
    }

    /// Box of all rest positions, from the accessors' bounds, which must be those of the data.
    fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::MAX; 3], [f64::MIN; 3]];
        for primitive in self.primitives() {
            let accessor = &primitive["attributes"]["POSITION"];
            let mut own = [[f64::MAX; 3], [f64::MIN; 3]];
            for row in self.rows(accessor) {
                for axis in 0..3 {
                    own[0][axis] = own[0][axis].min(row[axis]);
                    own[1][axis] = own[1][axis].max(row[axis]);
                }
            }
            let stated = &self.json["accessors"][index(accessor)];
            for (end, name) in ["min", "max"].into_iter().enumerate() {
                // The parser may miss the last bit of an f64; the bounds are f32, so that does not matter.
                let read = |axis: usize| stated[name][axis].as_f64().expect("a number") as f32;
                assert_eq!([0, 1, 2].map(read), own[end].map(|x| x as f32));
            }
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(own[0][axis]);
                bounds[1][axis] = bounds[1][axis].max(own[1][axis]);
            }
        }
        bounds
    }

    fn triangle_count(&self) -> usize {
        self.primitives()
            .map(|primitive| self.rows(&primitive["indices"]).len() / 3)
            .sum()
    }
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn committed(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_generator_makes_the_committed_bytes() {
    for (name, made) in generator::assets() {
        let kept = committed(name);
        let differs = made.iter().zip(&kept).position(|(a, b)| a != b);
        assert!(
            made == kept,
            "{name} is out of date (lengths {} and {}, first difference {differs:?}): run `cargo run --example make_assets`",
            made.len(),
            kept.len(),
        );
    }
}

#[test]
fn the_models_are_small() {
    assert!(committed("pip.glb").len() <= 700_000);
    assert!(committed("windmill.glb").len() <= 200_000);
}

#[test]
fn pip_is_a_rigged_character() {
    let pip = Model::load("pip.glb");
    let skin = &pip.list("skins")[0];
    let joints = skin["joints"].as_array().expect("joints");
    assert_eq!(joints.len(), 36);
    assert_eq!(pip.rows(&skin["inverseBindMatrices"]).len(), joints.len());
    let names: Vec<&str> = pip
        .list("nodes")
        .iter()
        .filter_map(|node| node["name"].as_str())
        .collect();
    for name in names.iter().filter(|name| name.ends_with("_L")) {
        let twin = name.replace("_L", "_R");
        assert!(names.contains(&twin.as_str()), "{name} has a twin");
    }
    let targets = &pip.list("meshes")[1]["extras"]["targetNames"];
    assert_eq!(
        targets,
        &serde_json::json!(["smile", "surprise", "frown", "blink_L", "blink_R"])
    );

    let [min, max] = pip.bounds();
    assert!(min[1].abs() < 0.002, "feet on the ground: {min:?}");
    assert!((1.0..1.6).contains(&max[1]), "height {}", max[1]);
    assert!(
        (min[0] + max[0]).abs() < 0.01,
        "the left is as wide as the right"
    );
    assert!(
        (6_000..16_000).contains(&pip.triangle_count()),
        "{} triangles",
        pip.triangle_count()
    );
}

#[test]
fn pips_skin_is_well_formed() {
    let pip = Model::load("pip.glb");
    let mut blended = 0;
    for primitive in pip.primitives() {
        let attributes = &primitive["attributes"];
        let (joints, weights) = (
            pip.rows(&attributes["JOINTS_0"]),
            pip.rows(&attributes["WEIGHTS_0"]),
        );
        for (joints, weights) in joints.iter().zip(&weights) {
            assert_eq!(
                weights.iter().sum::<f64>(),
                255.0,
                "weights sum to 1 exactly"
            );
            blended += usize::from(weights.iter().filter(|w| **w > 0.0).count() > 1);
            for slot in 0..4 {
                assert!(joints[slot] < 36.0);
                assert!(
                    weights[slot] > 0.0 || joints[slot] == 0.0,
                    "an unused slot names joint 0"
                );
                let twice =
                    (0..slot).any(|other| joints[other] == joints[slot] && weights[slot] > 0.0);
                assert!(!twice, "no joint is named twice");
            }
        }
        for normal in pip.rows(&attributes["NORMAL"]) {
            let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-4, "normal of length {length}");
        }
    }
    assert!(
        blended > 2_000,
        "only {blended} vertices follow more than one joint"
    );
}

#[test]
fn clips_are_whole() {
    for (name, clips) in [("pip.glb", 6), ("windmill.glb", 2)] {
        let model = Model::load(name);
        assert_eq!(model.list("animations").len(), clips);
        let mut modes = std::collections::BTreeSet::new();
        let mut paths = std::collections::BTreeSet::new();
        model.channels(|clip, path, mode, times, values| {
            modes.insert(mode.to_owned());
            paths.insert(path.to_owned());
            assert_eq!(times[0], 0.0);
            assert!(
                times.windows(2).all(|pair| pair[0] < pair[1]),
                "{clip}: key times rise"
            );
            let parts = if mode == "CUBICSPLINE" { 3 } else { 1 };
            let width = values.len() / times.len() / parts;
            assert_eq!(values.len(), times.len() * parts * width);
            let key = |k: usize| -> Vec<f64> {
                let middle = if parts == 3 { width } else { 0 };
                values[k * parts * width + middle..][..width].concat()
            };
            for k in 0..times.len() {
                if path == "rotation" {
                    let length = key(k).iter().map(|x| x * x).sum::<f64>().sqrt();
                    assert!(
                        (length - 1.0).abs() < 4e-6,
                        "{clip}: quaternion of length {length}"
                    );
                }
            }
            // A loop closes: the last key is the first, where a rotation may come back with the opposite sign.
            let (first, last) = (key(0), key(times.len() - 1));
            let apart = |sign: f64| {
                first
                    .iter()
                    .zip(&last)
                    .map(|(a, b)| (a - sign * b).abs())
                    .fold(0.0, f64::max)
            };
            let gap = if path == "rotation" {
                apart(1.0).min(apart(-1.0))
            } else {
                apart(1.0)
            };
            assert!(
                gap < 2e-5,
                "{name} {clip} {path}: the loop is open by {gap}"
            );
        });
        let wanted: &[&str] = if name == "pip.glb" {
            &["CUBICSPLINE", "LINEAR", "STEP"]
        } else {
            &["CUBICSPLINE", "LINEAR"]
        };
        assert!(
            modes.iter().map(String::as_str).eq(wanted.iter().copied()),
            "{name}: {modes:?}"
        );
        if name == "pip.glb" {
            assert!(paths.iter().map(String::as_str).eq([
                "rotation",
                "scale",
                "translation",
                "weights"
            ]));
        }
    }
}

#[test]
fn the_windmill_moves_nodes_alone() {
    let mill = Model::load("windmill.glb");
    assert!(mill.list("skins").is_empty());
    let nodes = mill.list("nodes");
    let depth_of = |mut node: usize| {
        let mut depth = 1;
        let parent_of = |child: usize| {
            (0..nodes.len()).find(|&n| {
                nodes[n]["children"]
                    .as_array()
                    .is_some_and(|c| c.contains(&child.into()))
            })
        };
        while let Some(parent) = parent_of(node) {
            node = parent;
            depth += 1;
        }
        depth
    };
    let deepest = (0..nodes.len()).map(depth_of).max();
    assert_eq!(deepest, Some(6));
    let [min, max] = mill.bounds();
    assert!(
        min.iter().chain(&max).all(|x| x.abs() < 6.0),
        "{min:?} {max:?}"
    );
}

/// Whoever goes through a clip frame by frame goes by these.
#[test]
fn clips_have_a_frame_rate() {
    let model = rigscope::app::built_in::load("Pip").unwrap().model;
    let rates = model.clips.iter().map(|clip| {
        let rate = rigscope::anim::guess_frame_rate(clip);
        (clip.name(), rate)
    });
    let rates: Vec<_> = rates.collect();
    let expected = ["Idle", "Walk", "Run", "Jump"].map(|name| (name, Some(30.0)));
    let others = [("Wave", Some(24.0)), ("Expressions", None)];
    assert_eq!(rates, [&expected[..], &others].concat());
}
