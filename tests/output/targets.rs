//! Where files go: not over what is read, not to a folder that takes none, and to standard output where that is asked for.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{common::gpu, folder, names, render};

fn rigscope(typed: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_rigscope");
    Command::new(program).args(typed).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn what_is_read_is_not_written_over() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("read-here");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let pip = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    fs::copy(&pip, path("pip.glb")).unwrap();
    let poses = [
        vec![path("pip.glb"), "--save".into(), path("pip.glb")],
        vec![
            path("pip.glb"),
            "--save".into(),
            path("./pip.glb"),
            "--as-clip".into(),
            "Held".into(),
        ],
    ];
    for typed in poses {
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let output = rigscope(&[&["pose"], &typed[..]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("is read here"), "{}", said(&output));
    }
    let own = path("pip.glb");
    let output = rigscope(&["bake", &own, "--clip", "Walk", "-o", &own]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("is read here"), "{}", said(&output));
    assert_eq!(fs::read(&pip).unwrap(), fs::read(path("pip.glb")).unwrap());
    // A texture of the model, named like the model.
    let texture = image::RgbaImage::from_pixel(2, 2, image::Rgba([9, 8, 7, 255]));
    texture.save(path("tile.png")).unwrap();
    let before = fs::read(path("tile.png")).unwrap();
    let tile = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "images": [{ "uri": "tile.png" }],
        "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0],
        }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36, "uri": "tile.bin" }],
    });
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    fs::write(path("tile.bin"), corners.map(f32::to_le_bytes).concat()).unwrap();
    fs::write(path("tile.gltf"), tile.to_string()).unwrap();
    let out = folder.to_str().unwrap();
    let typed = [
        "render",
        &path("tile.gltf"),
        &path("pip.glb"),
        "--size",
        "16",
        "--out-dir",
        out,
    ];
    let output = rigscope(&typed);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("tile.png is read here")
    );
    assert_eq!(fs::read(path("tile.png")).unwrap(), before);
    let beside = [
        "render",
        &path("pip.glb"),
        "--compare",
        &path("tile.gltf"),
        "--size",
        "16",
        "-o",
        &path("tile.png"),
    ];
    let output = rigscope(&beside);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("is read here"), "{}", said(&output));
    assert_eq!(fs::read(path("tile.png")).unwrap(), before);
    // In the middle of a sequence: nothing of it is written.
    fs::rename(path("tile.png"), path("turn_0002.png")).unwrap();
    let tile = tile.to_string().replace("tile.png", "turn_0002.png");
    fs::write(path("tile.gltf"), tile).unwrap();
    let (model, out) = (path("tile.gltf"), path("turn.png"));
    let turn = ["--turntable", "--frames", "4", "--size", "16"];
    let output = rigscope(&[&["render", &model, "-o", &out], &turn[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("is read here"), "{}", said(&output));
    assert_eq!(fs::read(path("turn_0002.png")).unwrap(), before);
    assert!(!folder.join("turn_0000.png").exists());
    assert!(folder.join("pip.png").exists(), "one failure ends nothing");
}

#[test]
fn pictures_go_to_standard_output() {
    if gpu().is_none() {
        return;
    }
    let small = ["render", "builtin:Pip", "--size", "16x12", "-o", "-"];
    let moving = ["--clip", "Walk", "--frames", "3"];
    for (format, more) in [("png", &[][..]), ("webp", &moving), ("gif", &moving)] {
        let output = rigscope(&[&small[..], &["--format", format], more].concat());
        assert!(output.status.success(), "{}", said(&output));
        let picture = image::load_from_memory(&output.stdout);
        if format != "gif" {
            assert_eq!(picture.unwrap().width(), 16, "{format}");
        } else {
            assert!(output.stdout.starts_with(b"GIF89a"));
        }
    }
    // One after the other, as ffmpeg takes them.
    let many = rigscope(&[&small[..], &["--format", "png"], &moving].concat());
    assert!(many.status.success(), "{}", said(&many));
    let signature = b"\x89PNG\r\n\x1a\n";
    let begins = many.stdout.windows(signature.len());
    let begins: Vec<_> = begins
        .enumerate()
        .filter(|(_, it)| it == signature)
        .collect();
    assert_eq!(begins.len(), 3);
    for (begin, _) in begins {
        let picture = image::load_from_memory(&many.stdout[begin..]);
        assert_eq!(picture.unwrap().width(), 16);
    }
    assert!(said(&rigscope(&small)).contains("--format"));
    assert!(!Path::new("-").exists() && !Path::new("-_0000").exists());
}

/// Before anything is loaded.
#[test]
fn a_folder_that_takes_no_files_is_said_at_once() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("takes-none");
    let (missing, none) = (folder.join("none/a.png"), folder.join("none.glb"));
    let [missing, none] = [&missing, &none].map(|path| path.to_str().unwrap());
    let refused = |typed: &[&str]| format!("{:#}", render(typed).unwrap_err());
    let single = refused(&[none, "-o", missing]);
    assert!(single.contains("cannot be written"), "{single}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let closed = folder.join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write anywhere.
        if fs::write(closed.join("a"), b"").is_err() {
            let batch = refused(&[none, "--out-dir", closed.to_str().unwrap()]);
            assert!(batch.contains("cannot be written"), "{batch}");
        }
    }
}

/// What is meant is said where it could be something else, in lines that no name breaks.
#[test]
fn messages_say_what_was_taken_and_stay_in_their_lines() {
    if gpu().is_none() {
        return;
    }
    let folder = folder("messages");
    let model = folder.join("twice.gltf");
    let clip = json!({
        "name": "Walk",
        "samplers": [{ "input": 0, "output": 1 }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
    });
    let file = json!({
        "asset": { "version": "2.0", "generator": "a\nb\u{1b}[2J" },
        "extensionsUsed": ["X_\n\u{1b}[31m"],
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "a" }],
        "skins": [{ "joints": [0] }],
        "animations": [clip, clip],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0] },
            { "bufferView": 0, "byteOffset": 4, "componentType": 5126, "count": 1, "type": "VEC3" },
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 16 }],
        "buffers": [{ "byteLength": 16, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAA==" }],
    });
    fs::write(&model, file.to_string()).unwrap();
    let other = folder.join("other.gltf");
    fs::write(&other, file.to_string()).unwrap();
    let [model, other] = [&model, &other].map(|path| path.to_str().unwrap());
    let pose = rigscope(&["pose", model, other, "--clip", "Walk"]);
    assert!(pose.status.success(), "{}", said(&pose));
    // What is said of it has its path, what is printed its name.
    let twice = format!("{model} has several clips \"Walk\": 0 is taken, not 1");
    assert!(said(&pose).contains(&twice), "{}", said(&pose));
    let printed: Value = serde_json::from_slice(&pose.stdout).unwrap();
    assert_eq!(printed["model"], "twice.gltf");
    let several = format!("2 models were given together; the first is shown, and not {other}");
    assert!(said(&pose).contains(&several), "{}", said(&pose));
    for typed in [["info", model], ["check", model]] {
        let output = rigscope(&typed);
        let text = String::from_utf8(output.stdout).unwrap();
        let is_plain = |line: &str| !line.contains(char::is_control);
        assert!(text.lines().all(is_plain), "{text:?}");
        assert!(text.contains(r"X_\n\u{1b}[31m"), "{text}");
        let is_known = |line: &str| {
            line.starts_with("  ") || line.starts_with("twice.gltf") || line.starts_with(model)
        };
        assert!(text.lines().all(is_known), "{text}");
    }
    assert!(names(&folder).iter().all(|name| name.ends_with(".gltf")));
}

#[test]
fn refusals_name_the_way_out() {
    let folder = folder("ways_out");
    let write = |name: &str, more: Value| {
        let mut file = json!({
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "a" }],
        });
        for (key, value) in more.as_object().unwrap() {
            file[key] = value.clone();
        }
        let path = folder.join(name);
        fs::write(&path, file.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let required = json!({ "extensionsUsed": ["X_y"], "extensionsRequired": ["X_y"] });
    let required_file = write("required.gltf", required);
    let required = rigscope(&["info", &required_file]);
    assert!(!required.status.success());
    let told = said(&required);
    assert!(told.contains("X_y; --open-anyway"), "{told}");
    // What needs no leave takes it all the same.
    for more in [&[][..], &["--open-anyway"]] {
        let checked = rigscope(&[&["check", &required_file], more].concat());
        assert!(checked.status.success(), "{more:?}");
    }
    let outside = json!({ "buffers": [{ "byteLength": 4, "uri": "../elsewhere.bin" }] });
    let outside = write("outside.gltf", outside);
    fs::write(folder.join("../elsewhere.bin"), [0; 4]).unwrap();
    let told = said(&rigscope(&["pose", &outside]));
    assert!(told.contains("--allow-outside"), "{told}");
    let told = String::from_utf8(rigscope(&["check", &outside]).stdout).unwrap();
    assert!(told.contains("--allow-outside"), "{told}");
    let allowed = rigscope(&["check", "--allow-outside", &outside]);
    let told = String::from_utf8(allowed.stdout).unwrap();
    assert!(!told.contains("--allow-outside"), "{told}");
}

/// As with `rigscope check *.glb | head -1`.
#[test]
fn what_is_wrong_counts_where_nobody_reads_on() {
    let folder = folder("nobody_reads");
    let models = ["a", "b", "c"].map(|name| {
        let path = folder.join(name).with_extension("gltf");
        fs::write(&path, r#"{"asset": {"version": "2.0"}, "scene": 3}"#).unwrap();
        path
    });
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let status = command.arg("check").args(&models).stdout(writer).status();
    assert_eq!(status.unwrap().code(), Some(2));
}

/// A spline may swing beyond its keys, and these lie at the end of single precision.
#[test]
fn numbers_beyond_single_precision_are_told() {
    let folder = folder("beyond");
    let end = 3e38_f32;
    let tangents_and_values = [0.0, end, end, -end, end, 0.0].map(|x| [x, 0.0, 0.0]);
    let floats = [0.0, 1.0].into_iter();
    let floats = floats.chain(tangents_and_values.into_iter().flatten());
    let bytes: Vec<u8> = floats.flat_map(f32::to_le_bytes).collect();
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        STANDARD.encode(&bytes)
    );
    let file = json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a"}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 1, "interpolation": "CUBICSPLINE"}],
        }],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [1]},
            {"bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 6},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 72},
        ],
        "buffers": [{"byteLength": bytes.len(), "uri": uri}],
    });
    let path = folder.join("far.gltf");
    fs::write(&path, file.to_string()).unwrap();
    for (time, is_beyond) in [("0", false), ("0.5", true)] {
        let path = path.to_str().unwrap();
        let output = rigscope(&["pose", path, "--clip", "0", "--time", time]);
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(printed["nodes"][0]["translation"][0].is_null(), is_beyond);
        let told = said(&output);
        assert_eq!(
            told.contains("beyond single precision"),
            is_beyond,
            "{told}"
        );
    }
}

/// Matrices and vertices that are in range may have a product that is not.
#[test]
fn vertices_beyond_single_precision_are_told() {
    let folder = folder("beyond-vertices");
    let corners = [[0.0, 0.0, 0.0], [1e20_f32, 0.0, 0.0], [0.0, 1e20, 0.0]];
    let bytes: Vec<u8> = corners
        .into_iter()
        .flatten()
        .flat_map(f32::to_le_bytes)
        .collect();
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        STANDARD.encode(&bytes)
    );
    for (scale, is_beyond) in [(1e10, false), (1e30, true)] {
        let file = json!({
            "asset": {"version": "2.0"},
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "scale": [scale, scale, scale]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{
                "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
                "min": [0, 0, 0], "max": [1e20, 1e20, 0],
            }],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36, "uri": uri}],
        });
        let path = folder.join("far.gltf");
        fs::write(&path, file.to_string()).unwrap();
        let output = rigscope(&["pose", path.to_str().unwrap(), "--vertices"]);
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        let corner = &printed["meshes"][0]["positions"][1][0];
        assert_eq!(corner.is_null(), is_beyond, "{corner}");
        let told = said(&output);
        assert_eq!(
            told.contains("beyond single precision"),
            is_beyond,
            "{told}"
        );
    }
}
