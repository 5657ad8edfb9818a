//! `rigscope check`: on a file with one bad key, on one with a lamp that is too bright, and on built-in models that have none.

use std::{path::PathBuf, process::Command};

use serde_json::{Value, json};

/// A chain of two nodes that turns evenly for two seconds at 30 keys a second, with 0.8 rad more at each of these keys.
fn file(name: &str, bad: &[usize]) -> PathBuf {
    let times = (0..=60).map(|key| key as f32 / 30.0);
    let turns = (0..=60).flat_map(|key| {
        let out_of_line = if bad.contains(&key) { 0.8 } else { 0.0 };
        let half = 0.5 * (0.005 * key as f32 + out_of_line);
        [0.0, 0.0, half.sin(), half.cos()]
    });
    let bytes: Vec<u8> = times.chain(turns).flat_map(f32::to_le_bytes).collect();
    let accessor = |view: usize, kind: &str, ends: Option<[f32; 2]>| {
        let mut value =
            json!({"bufferView": view, "componentType": 5126, "count": 61, "type": kind});
        if let Some([min, max]) = ends {
            (value["min"], value["max"]) = (json!([min]), json!([max]));
        }
        value
    };
    let document = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Hip", "children": [1]}, {"name": "Knee", "translation": [0, 1, 0]}],
        "buffers": [{"uri": format!("{name}.bin"), "byteLength": bytes.len()}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 244},
            {"buffer": 0, "byteOffset": 244, "byteLength": 976},
        ],
        "accessors": [accessor(0, "SCALAR", Some([0.0, 2.0])), accessor(1, "VEC4", None)],
        "animations": [{
            "name": "turn",
            "samplers": [{"input": 0, "output": 1}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
        }],
    });
    let folder = std::env::temp_dir().join(format!("rigscope-checking-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.bin")), bytes).unwrap();
    let path = folder.join(format!("{name}.gltf"));
    std::fs::write(&path, document.to_string()).unwrap();
    path
}

fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = command.arg("check").args(arguments).output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

/// A node by itself, which has no size, and whose keys all say the same: what rounding makes of it is no motion.
#[test]
fn what_stands_still_has_no_pops() {
    let path = file("still", &[]);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["nodes"] = json!([{"name": "Lamp"}]);
    document["animations"][0]["channels"][0]["target"]["path"] = json!("translation");
    document["accessors"][1]["type"] = json!("VEC3");
    for accessor in 0..2 {
        document["accessors"][accessor]["count"] = json!(2);
    }
    let keys = [0.0_f32, 2.0].map(f32::to_le_bytes).concat();
    let places = [10.0_f32, 0.0, 0.7, 10.0, 0.0, 0.7].map(f32::to_le_bytes);
    let mut bytes = keys;
    bytes.resize(244, 0);
    bytes.extend(places.concat());
    bytes.resize(1220, 0);
    std::fs::write(path.with_extension("bin"), bytes).unwrap();
    std::fs::write(&path, document.to_string()).unwrap();
    let (code, text) = check(&["--motion", "--strict", path.to_str().unwrap()]);
    assert!(code == Some(0) && !text.contains("MOTION_"), "{text}");
}

#[test]
fn a_bad_key_is_a_warning_where_motion_is_asked_for() {
    let path = file("one", &[30]);
    let path = path.to_str().unwrap();
    let (code, text) = check(&["--strict", path]);
    assert!(code == Some(0) && !text.contains("MOTION_"), "{text}");
    let (code, text) = check(&["--motion", path]);
    assert_eq!(code, Some(0));
    let line = "warning MOTION_POP /animations/0: in clip \"turn\" between 0.967 s and 1.033 s node \"Hip\" turns 46.1° against its parent \
                in 0.033 s and back, where 0.3° are usual";
    assert!(text.lines().any(|it| it.ends_with(line)), "{text}");
    assert_eq!(text.matches("MOTION_").count(), 1, "{text}");
    // The seam is said once, by the doctor.
    assert_eq!(text.matches("LOOP_SEAM").count(), 1, "{text}");
    let (code, text) = check(&["--motion", "--strict", "--json", path]);
    assert_eq!(code, Some(1));
    let reports: Value = serde_json::from_str(&text).unwrap();
    let found = reports[0]["diagnostics"].as_array().unwrap();
    let pop = found.iter().find(|it| it["code"] == "MOTION_POP").unwrap();
    assert_eq!(pop["severity"], "warning");
    assert_eq!(pop["pointer"], "/animations/0");
    assert_eq!(pop["node_index"], 0);
    assert!((pop["time_secs"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    let seam = found.iter().find(|it| it["code"] == "ANIMATION_LOOP_SEAM");
    assert_eq!(seam.unwrap()["node_index"], 0);
    assert_eq!(seam.unwrap()["time_secs"], 2.0);
}

#[test]
fn that_lights_are_dimmed_is_worth_knowing() {
    let path = file("lamp", &[]);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let name = "KHR_lights_punctual";
    document["extensionsUsed"] = json!([name]);
    document["nodes"][0]["extensions"] = json!({name: {"light": 0}});
    let mut check_with = |intensity: f32| {
        let sun = json!({"type": "directional", "name": "Sun", "intensity": intensity});
        document["extensions"] = json!({name: {"lights": [sun]}});
        std::fs::write(&path, document.to_string()).unwrap();
        check(&["--strict", path.to_str().unwrap()])
    };
    let (code, text) = check_with(1000.0);
    assert_eq!(code, Some(0));
    let line = "info LIGHTS_DIMMED /extensions/KHR_lights_punctual/lights/0: light \"Sun\" would leave white surfaces 318 times \
                as bright as white; all lights of the file are dimmed by that factor, unless they are shown as stated: \
                --lights-as-stated, or the Light menu";
    assert!(text.lines().any(|it| it.ends_with(line)), "{text}");
    let (_, text) = check_with(3.0);
    assert!(!text.contains("LIGHTS_DIMMED"), "{text}");
}

#[test]
fn of_many_the_worst_are_told_and_the_rest_counted() {
    let path = file("many", &[12, 24, 36, 48]);
    let (_, text) = check(&["--motion", path.to_str().unwrap()]);
    assert_eq!(
        text.matches("MOTION_POP /animations/0: in clip").count(),
        3,
        "{text}"
    );
    assert!(
        text.contains("MOTION_POP /animations/0: clip \"turn\" has 1 more pop"),
        "{text}"
    );
}

#[test]
fn what_was_made_with_care_has_no_warning() {
    for name in ["builtin:Pip", "builtin:Windmill"] {
        let (code, text) = check(&["--motion", "--strict", name]);
        assert!(code == Some(0) && !text.contains("MOTION_"), "{text}");
    }
}
