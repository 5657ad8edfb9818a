//! Paths that are no UTF-8: whoever has such a folder cannot help it.

#![cfg(unix)]

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    process::Command,
};

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
