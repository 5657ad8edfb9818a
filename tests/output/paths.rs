//! Paths that are no UTF-8: whoever has such a folder cannot help it.

#![cfg(unix)]

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use rigscope::import::{self, Progress};

use crate::{common::gpu, folder};

/// In Latin-1.
fn named(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

fn rigscope(typed: &[&OsStr]) {
    let ended = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(typed)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{typed:?}: {said}");
}

fn files(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

fn printed(typed: &[&OsStr]) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = command.args(typed).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// And names in JSON tell one from the other.
#[test]
fn models_whose_names_are_no_utf8_are_found_in_folders() {
    let above = folder("no-utf8");
    let pip = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let folder = named(&above, b"one");
    let [first, second] = [&b"\xff.glb"[..], b"\xfe.glb"].map(|name| named(&folder, name));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(&pip, &first).unwrap();
    let os = OsStr::new;
    let folder = folder.as_os_str();
    let info = printed(&[os("info"), folder, os("--json")]);
    let called = info["model"].as_str().unwrap();
    assert_eq!(called, "\\xFF.glb");
    let posed = printed(&[os("pose"), folder]);
    assert_eq!(posed["model"], "\\xFF.glb");
    fs::copy(&pip, &second).unwrap();
    let [first, second] = [&first, &second].map(|file| file.as_os_str());
    let checked = printed(&[os("check"), first, second, os("--json")]);
    let names = [0, 1].map(|index: usize| checked[index]["model"].as_str().unwrap());
    assert!(names[0].ends_with("/\\xFF.glb"), "{names:?}");
    assert!(names[1].ends_with("/\\xFE.glb"), "{names:?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    let output = command.arg("info").arg(folder).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("2 models in the folder"), "{told}");
    // Nor does a folder that is called so hide what is in it.
    let deeper = named(&named(&above, b"two"), b"caf\xe9");
    fs::create_dir_all(&deeper).unwrap();
    fs::copy(&pip, deeper.join("pip.glb")).unwrap();
    let posed = printed(&[os("pose"), named(&above, b"two").as_os_str()]);
    assert_eq!(posed["model"], "pip.glb");
}

/// What lies beside the model's own folder lies in the one that was given, whatever the model is called.
#[test]
fn a_model_whose_name_is_no_utf8_reads_all_of_the_folder_that_was_given() {
    let folder = folder("no-utf8-pack");
    let source = folder.join("source");
    let textures = folder.join("textures");
    for folder in [&source, &textures] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(textures.join("a.bin"), [0; 36]).unwrap();
    let model = serde_json::json!({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "../textures/a.bin", "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
    });
    let named = named(&source, b"\xff.gltf");
    fs::write(&named, model.to_string()).unwrap();
    let load = |given: &Path| import::load(given, &Progress::default()).unwrap();
    let import = load(&folder);
    assert_eq!(import.within.as_deref(), Some(r"source/\xFF.gltf"));
    assert_eq!(import.model.triangle_count(), 1);
    assert!(import.outside.is_empty(), "{:?}", import.outside);
    // Given by itself it reads its own folder.
    let own = load(&named);
    assert_eq!((own.model.triangle_count(), own.outside.len()), (0, 1));
}

#[test]
fn poses_pictures_and_lists_may_have_names_that_are_no_utf8() {
    if gpu().is_none() {
        return;
    }
    let folder = named(&folder("latin-1"), b"caf\xe9");
    fs::create_dir_all(&folder).unwrap();
    let pip = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pip.glb");
    let model = named(&folder, b"\xc5ke.glb");
    fs::copy(pip, &model).unwrap();
    let os = OsStr::new;

    let pose = named(&folder, b"\xe9.json");
    rigscope(&[
        os("pose"),
        model.as_os_str(),
        os("--save"),
        pose.as_os_str(),
    ]);
    assert!(fs::read(&pose).unwrap().starts_with(b"{"));

    let frames = named(&folder, b"frames");
    fs::create_dir_all(&frames).unwrap();
    let frame = named(&frames, b"pas\xe9.png");
    let small = ["--size", "32", "--frames", "2", "--clip", "0", "-o"].map(os);
    let typed = [
        &[os("render"), model.as_os_str()],
        &small[..],
        &[frame.as_os_str()],
    ];
    rigscope(&typed.concat());
    let wanted = [&b"pas\xe9_0000.png"[..], b"pas\xe9_0001.png"];
    assert_eq!(files(&frames), wanted.map(OsStr::from_bytes));

    let list = named(&folder, b"list.txt");
    let line = [model.as_os_str().as_bytes(), b"\r\n"].concat();
    fs::write(&list, line).unwrap();
    let pictures = named(&folder, b"pictures");
    let typed = [
        os("render"),
        os("--list"),
        list.as_os_str(),
        os("--out-dir"),
        pictures.as_os_str(),
        os("--size"),
        os("32"),
    ];
    rigscope(&typed);
    assert_eq!(files(&pictures).len(), 1);
}
