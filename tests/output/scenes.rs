//! Files with several scenes: the one that is asked for is shown.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::{common::gpu, folder, render};

/// A file whose mesh is one triangle that looks along +Z.
fn triangle(scenes: &Value, nodes: &Value) -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scenes": scenes,
        "nodes": nodes,
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
                        "min": [0, 0, 0], "max": [1, 1, 0] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36,
            "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" }]
    })
}

#[test]
fn the_scene_that_is_asked_for_is_drawn() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("scenes");
    let model = folder.join("two.gltf");
    let scenes = json!([{ "name": "Empty", "nodes": [0] }, { "name": "Full", "nodes": [1] }]);
    let mut text = triangle(&scenes, &json!([{}, { "mesh": 0 }]));
    text["scene"] = 0.into();
    fs::write(&model, text.to_string()).unwrap();
    let model = model.to_str().unwrap();
    let covered = |more: &[&str]| {
        let out = folder.join("out.png");
        let typed = [
            "-o",
            out.to_str().unwrap(),
            "--size",
            "32x32",
            "--transparent",
        ];
        assert_eq!(render(&[&[model], &typed[..], more].concat()).unwrap(), 0);
        let picture = image::open(&out).unwrap().to_rgba8();
        picture.pixels().filter(|pixel| pixel[3] > 0).count()
    };
    assert_eq!(covered(&[]), 0);
    assert!(covered(&["--scene", "Full"]) > 50);
    assert!(covered(&["--scene", "1"]) > 50);
    let refused = |scene: &str| {
        let out = folder.join("out.png");
        let typed = [model, "-o", out.to_str().unwrap(), "--scene", scene];
        format!("{:#}", render(&typed).unwrap_err())
    };
    assert!(refused("2").contains("indices go from 0 to 1"));
    assert!(refused("Ful").contains("Full"), "{}", refused("Ful"));
}

/// The box around a pose is of what the scene can show, as it is in pictures; listed is all.
#[test]
fn the_box_of_a_pose_is_of_its_scene() {
    let folder = folder("scene-bounds");
    let model = folder.join("three.gltf");
    let at = |x: i32| json!({ "mesh": 0, "translation": [x, 0, 0] });
    let mut hidden = at(50);
    hidden["extensions"] = json!({ "KHR_node_visibility": { "visible": false } });
    let mut text = triangle(
        &json!([{ "nodes": [0, 2] }, { "nodes": [1] }]),
        &json!([at(0), at(100), hidden]),
    );
    text["extensionsUsed"] = json!(["KHR_node_visibility"]);
    fs::write(&model, text.to_string()).unwrap();
    for (scene, from, to) in [("0", 0.0, 1.0), ("1", 100.0, 101.0)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.args(["pose", "--vertices", "--scene", scene]);
        let output = command.arg(&model).output().unwrap();
        let pose: Value = serde_json::from_slice(&output.stdout).unwrap();
        let ends = ["min", "max"].map(|end| pose["bounds"][end][0].as_f64().unwrap());
        assert_eq!(ends, [from, to]);
        assert_eq!(pose["meshes"].as_array().unwrap().len(), 3);
    }
}

/// What `render` says of a model whose small picture goes beside it.
fn what_is_said(model: &Path, more: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    command.arg("render").arg(model).args(["--size", "16x16"]);
    command
        .arg("-o")
        .arg(model.with_file_name("out.png"))
        .args(more);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    said
}

/// A picture that shows nothing of a model says why, and a film of which no picture does.
#[test]
fn it_is_said_where_all_faces_look_away() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("away");
    let model = folder.join("one.gltf");
    let text = triangle(&json!([{ "nodes": [0] }]), &json!([{ "mesh": 0 }]));
    fs::write(&model, text.to_string()).unwrap();
    let is_said =
        |more: &[&str]| what_is_said(&model, more).contains("all faces look away from the camera");
    assert!(!is_said(&["--camera", "0,10"]));
    let behind = ["--camera", "180,10"];
    assert!(is_said(&behind));
    for (more, expected) in [
        (&["--view", "faces"][..], false),
        (&["--crowd", "4"], false),
        (&["--turntable", "--frames", "4"], false),
        (&["--sheet", "2"], true),
    ] {
        assert_eq!(is_said(&[&behind[..], more].concat()), expected, "{more:?}");
    }
}

#[test]
fn it_is_said_where_no_normals_can_be_drawn() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("no-normals");
    let model = folder.join("two.gltf");
    let scenes = json!([{ "nodes": [0] }, { "nodes": [0, 1] }]);
    let mut text = triangle(&scenes, &json!([{ "mesh": 0 }, { "mesh": 1 }]));
    let mut push = |list: &str, value| text[list].as_array_mut().unwrap().push(value);
    push(
        "meshes",
        json!({ "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 1 } }] }),
    );
    push(
        "accessors",
        json!({ "bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 3 }),
    );
    push("bufferViews", json!({ "buffer": 1, "byteLength": 36 }));
    // Three times +Z.
    let uri = format!("data:;base64,{}", "AAAAAAAAAAAAAIA/".repeat(3));
    push("buffers", json!({ "byteLength": 36, "uri": uri }));
    fs::write(&model, text.to_string()).unwrap();
    let is_said = |more: &[&str]| what_is_said(&model, more).contains(" has no normals to draw");
    assert!(!is_said(&[]));
    assert!(is_said(&["--normals", "--scene", "0"]));
    assert!(!is_said(&["--normals", "--scene", "1"]));
}

/// The ground is seen by the shadow on it alone.
#[test]
fn it_is_said_where_no_shadow_falls_on_the_ground() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("no-shadow");
    let model = folder.join("lamp.gltf");
    let nodes = json!([{ "mesh": 0 }, {}]);
    let mut text = triangle(&json!([{ "nodes": [0, 1] }]), &nodes);
    let said = |text: &Value, more: &[&str]| {
        fs::write(&model, text.to_string()).unwrap();
        let said = what_is_said(&model, more);
        let said = said.split_once("--ground shows nothing: ");
        said.map(|(_, why)| why.trim_end().to_owned())
    };
    assert_eq!(said(&text, &["--ground"]), None);
    let off = said(&text, &["--ground", "--key-light", "off"]).unwrap();
    assert!(off.contains("key light"), "{off}");
    text["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    text["extensions"] =
        json!({ "KHR_lights_punctual": { "lights": [{ "type": "directional" }] } });
    text["nodes"][1]["extensions"] = json!({ "KHR_lights_punctual": { "light": 0 } });
    assert_eq!(said(&text, &[]), None);
    let own = said(&text, &["--ground"]).unwrap();
    assert!(own.contains("--key-light on"), "{own}");
    assert_eq!(said(&text, &["--ground", "--key-light", "on"]), None);
    // Joints alone.
    let bare =
        json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [{}] });
    assert!(said(&bare, &["--ground"]).unwrap().contains("surface"));
}

/// Of points and of what light passes through none is drawn.
#[test]
fn it_is_said_where_all_surfaces_are_without_shadow() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("without-shadow");
    let write = |name: &str, text: &Value| {
        let path = folder.join(name);
        fs::write(&path, text.to_string()).unwrap();
        path
    };
    let solid = triangle(&json!([{ "nodes": [0] }]), &json!([{ "mesh": 0 }]));
    let mut points = solid.clone();
    points["meshes"][0]["primitives"][0]["mode"] = 0.into();
    let mut lines = points.clone();
    lines["meshes"][0]["primitives"][0]["mode"] = 2.into();
    let glass = |factor: f64| {
        let mut glass = solid.clone();
        let extension = json!({ "KHR_materials_transmission": { "transmissionFactor": factor } });
        glass["extensionsUsed"] = json!(["KHR_materials_transmission"]);
        glass["materials"] = json!([{ "extensions": extension }]);
        glass["meshes"][0]["primitives"][0]["material"] = 0.into();
        glass
    };
    let said = |path: &Path, more: &[&str]| {
        let said = what_is_said(path, &[&["--ground"], more].concat());
        let lines = said.lines().filter(|line| line.contains("--ground shows"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let solid = write("solid.gltf", &solid);
    let bare = write("bare.gltf", &points);
    for (path, expected) in [
        (&solid, 0),
        (&bare, 1),
        (&write("lines.gltf", &lines), 0),
        (&write("clear.gltf", &glass(1.0)), 1),
        (&write("matt.gltf", &glass(0.0)), 0),
    ] {
        let said = said(path, &[]);
        assert_eq!(said.len(), expected, "{}: {said:?}", path.display());
        assert!(said.iter().all(|line| line.contains("surface")), "{said:?}");
    }
    // Each of two, unless it is a ghost, which has no ground.
    let beside = |first: &Path, second: &Path, split| {
        let second = second.to_str().unwrap();
        said(first, &["--compare", second, "--split", split])
    };
    for (first, second) in [(&bare, &solid), (&solid, &bare)] {
        let said = beside(first, second, "side");
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("bare"), "{said:?}");
    }
    assert!(beside(&solid, &bare, "overlay").is_empty());
}

#[test]
fn it_is_said_where_a_view_has_nothing_to_show() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("bare-views");
    let model = folder.join("bare.gltf");
    let mut text = triangle(&json!([{ "nodes": [0] }]), &json!([{ "mesh": 0 }]));
    let is_said = |text: &Value, view: &str| {
        fs::write(&model, text.to_string()).unwrap();
        let expected = format!("has nothing that --view {view} shows");
        what_is_said(&model, &["--view", view]).contains(&expected)
    };
    for (view, expected) in [
        ("lit", false),
        ("roughness", false),
        ("clearcoat", true),
        ("uv", true),
    ] {
        assert_eq!(is_said(&text, view), expected, "{view}");
    }
    let coat = json!({ "KHR_materials_clearcoat": { "clearcoatFactor": 1 } });
    text["extensionsUsed"] = json!(["KHR_materials_clearcoat"]);
    text["materials"] = json!([{ "extensions": coat }]);
    text["accessors"].as_array_mut().unwrap().push(json!({
        "bufferView": 0, "componentType": 5126, "type": "VEC2", "count": 3,
    }));
    let primitive = &mut text["meshes"][0]["primitives"][0];
    primitive["material"] = 0.into();
    primitive["attributes"]["TEXCOORD_0"] = 1.into();
    for view in ["clearcoat", "uv"] {
        assert!(!is_said(&text, view), "{view}");
    }
    // What another scene has is not shown.
    text["scenes"] = json!([{ "nodes": [1] }, { "nodes": [0] }]);
    text["nodes"] = json!([{ "mesh": 0 }, { "mesh": 1 }]);
    let bare = json!({ "primitives": [{ "attributes": { "POSITION": 0 } }] });
    text["meshes"].as_array_mut().unwrap().push(bare);
    assert!(is_said(&text, "uv"));
}

/// A clip without a mesh is nothing to draw, unless the file never had one.
#[test]
fn a_model_whose_meshes_are_lost_is_refused() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("lost-meshes");
    let mut text = triangle(&json!([{ "nodes": [0] }]), &json!([{ "mesh": 0 }]));
    text["buffers"] = json!([
        { "byteLength": 36, "uri": "lost.bin" },
        { "byteLength": 32, "uri": "data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=" },
    ]);
    let views = text["bufferViews"].as_array_mut().unwrap();
    views.push(json!({ "buffer": 1, "byteLength": 8 }));
    views.push(json!({ "buffer": 1, "byteOffset": 8, "byteLength": 24 }));
    let accessors = text["accessors"].as_array_mut().unwrap();
    let accessor = |view: usize, kind: &str| json!({ "bufferView": view, "componentType": 5126, "count": 2, "type": kind });
    let mut times = accessor(1, "SCALAR");
    (times["min"], times["max"]) = (json!([0]), json!([1]));
    accessors.extend([times, accessor(2, "VEC3")]);
    text["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        "samplers": [{ "input": 1, "output": 2 }],
    }]);
    let model = folder.join("lost.gltf");
    let out = folder.join("out.png");
    let draw = |text: &Value, more: &[&str]| {
        fs::write(&model, text.to_string()).unwrap();
        let size = ["--size", "16x16"];
        let named = [model.to_str().unwrap(), "-o", out.to_str().unwrap()];
        render(&[&named[..], &size, more].concat())
    };
    let refused = format!("{:#}", draw(&text, &[]).unwrap_err());
    assert!(refused.contains("No mesh of the scene"), "{refused}");
    assert!(refused.contains("lost.bin"), "{refused}");
    assert!(!out.exists());
    // Its bones are something.
    assert_eq!(draw(&text, &["--skeleton"]).unwrap(), 0);
    // What only moves nodes.
    text["nodes"] = json!([{}]);
    text.as_object_mut().unwrap().remove("meshes");
    assert_eq!(draw(&text, &[]).unwrap(), 0);
}
