//! What long sequences and large environments cost: as much memory as short ones, and little more than what is shown.
#![cfg(target_os = "linux")]

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::json;

use crate::{common::gpu, folder};

const WINDMILL: &str = "builtin:Windmill";

/// The most memory that the program had while it drew a model with these arguments, in KiB.
fn peak_kib(model: &str, arguments: &[&str]) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args(["render", model, "--size", "16x16"])
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    // The kernel keeps the mark until the process ends.
    let mut peak = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = mark.and_then(|mark| mark.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        match child.try_wait().unwrap() {
            Some(ended) => break ended,
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    assert!(ended.success() && peak > 0, "{ended}, {peak} KiB");
    peak
}

/// How many KiB of memory more 170 frames take than 20, for each frame more.
fn growth_kib(name: &str, model: &str, how: &[&str]) -> u64 {
    let [few, many] = [20, 170].map(|frames| {
        let folder = folder(&format!("memory of {name} {frames}"));
        let pictures = folder.join("{:04}.png");
        let count = frames.to_string();
        let pictures = ["-o", pictures.to_str().unwrap(), "--frames", &count];
        let peak = peak_kib(model, &[how, &pictures].concat());
        fs::remove_dir_all(folder).unwrap();
        peak
    });
    println!("{few} KiB, then {many} KiB");
    many.saturating_sub(few) / 150
}

const MAX_KIB_A_FRAME: u64 = 256;

/// Mesa's software driver kept 1.2 MB of each frame as long as shaders branched on uniforms.
#[test]
fn memory_does_not_grow_with_the_frames() {
    if gpu().is_some() {
        assert!(growth_kib("windmill", WINDMILL, &["--clip", "0"]) < MAX_KIB_A_FRAME);
    }
}

/// It compiled the shader of glass for every material of every frame, and kept what it made: 2 MB each.
#[test]
fn memory_does_not_grow_with_frames_of_glass() {
    if gpu().is_none() {
        return;
    }
    let glass =
        json!({ "extensions": { "KHR_materials_transmission": { "transmissionFactor": 0.5 } } });
    let mesh = |material: usize| json!({ "primitives": [{ "attributes": { "POSITION": 0 }, "material": material }] });
    let model = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_materials_transmission"],
        "buffers": [{
            "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA",
            "byteLength": 36
        }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]
        }],
        "materials": [glass, glass],
        "meshes": [mesh(0), mesh(1)],
        "nodes": [{ "mesh": 0 }, { "mesh": 1, "translation": [0, 0, 1] }],
        "scenes": [{ "nodes": [0, 1] }]
    });
    let folder = folder("panes");
    let file = folder.join("panes.gltf");
    fs::write(&file, model.to_string()).unwrap();
    assert!(growth_kib("panes", file.to_str().unwrap(), &["--turntable"]) < MAX_KIB_A_FRAME);
    fs::remove_dir_all(folder).unwrap();
}

/// Of 8192 × 1024 texels, which take 100 MB as they are, a quarter is all that is ever there.
#[test]
fn large_environment_are_never_there_as_a_whole() {
    const WIDTH: usize = 8192;
    const MAX_MORE_KIB: u64 = 70 << 10;
    if gpu().is_none() {
        return;
    }
    let folder = folder("memory of environment");
    let picture = folder.join("picture.png");
    // Rows in runs of the same, each channel by itself.
    let channel = |value: u8| [255, value].repeat(WIDTH / 127).into_iter();
    let tail = |value: u8| [128 + (WIDTH % 127) as u8, value];
    let mut row = vec![2, 2, (WIDTH >> 8) as u8, WIDTH as u8];
    for value in [128, 64, 32, 129] {
        row.extend(channel(value).chain(tail(value)));
    }
    let peaks = [8, 1024].map(|height: usize| {
        let head = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {WIDTH}\n");
        let file = folder.join(format!("{height}.hdr"));
        fs::write(&file, [head.as_bytes(), &row.repeat(height)].concat()).unwrap();
        let how = [
            "--environment",
            file.to_str().unwrap(),
            "-o",
            picture.to_str().unwrap(),
        ];
        peak_kib(WINDMILL, &how)
    });
    fs::remove_dir_all(folder).unwrap();
    let [few, many] = peaks;
    assert!(many < few + MAX_MORE_KIB, "{few} KiB, then {many} KiB");
}
