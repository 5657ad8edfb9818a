//! Pictures that are too large: for their format, or for the graphics adapter.

use std::{fs, process::Command};

use crate::{common::gpu, folder, names, render};

/// Nothing is drawn, and nothing is left in the folder.
#[test]
fn what_is_too_large_for_its_format_is_refused_first() {
    let folder = folder("too-large");
    let refused = |name: &str, typed: &[&str]| {
        let output = folder.join(name);
        let typed = [&["builtin:Pip", "-o", output.to_str().unwrap()], typed].concat();
        let reason = format!("{:#}", render(&typed).unwrap_err());
        assert!(names(&folder).is_empty(), "{:?}", names(&folder));
        assert!(!reason.contains('\n'), "{reason}");
        reason
    };
    for (name, size, limit) in [
        ("still.webp", "16384x4", "16,383"),
        ("still.jpg", "4x65536", "65,535"),
        ("film.gif", "65536x4", "65,535"),
    ] {
        let reason = refused(name, &["--size", size, "--clip", "0"]);
        let size = size.replace('x', " × ");
        assert!(reason.contains(limit) && reason.contains(&size), "{reason}");
    }
    let frames = ["--size", "4x65536", "--clip", "0", "--frames", "2"];
    assert!(refused("{}.jpg", &frames).contains("65,535"));
    if gpu().is_none() {
        return;
    }
    for (name, size, poses, limit) in [
        ("sheet.webp", "400x20", "50", "20000 × "),
        ("sheet.jpg", "700x4", "100", "70000 × "),
        ("sheet.gif", "700x4", "100", "70000 × "),
    ] {
        let reason = refused(name, &["--size", size, "--sheet", poses, "--clip", "0"]);
        assert!(reason.contains(limit), "{reason}");
        assert!(!reason.contains("cannot be written"), "{reason}");
    }
}

/// What the device says of all that follows from its first refusal helps nobody.
#[test]
fn a_picture_that_the_adapter_has_no_room_for_is_told_in_a_line() {
    // Others may have the room.
    if !gpu().is_some_and(|gpu| gpu.is_software()) {
        return;
    }
    let folder = folder("no-room");
    let output = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["render", "builtin:Pip", "--size", "16384", "-o"])
        .arg(folder.join("large.png"))
        .env("NODEVICE_SELECT", "1")
        .output()
        .unwrap();
    if !output.status.success() {
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.contains("16384 × 16384"), "{told}");
        assert!(told.contains("--size or --scale"), "{told}");
    }
    fs::remove_dir_all(folder).unwrap();
}
