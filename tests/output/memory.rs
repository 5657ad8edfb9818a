//! What long sequences cost: as much memory as short ones.
#![cfg(target_os = "linux")]

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::{common::gpu, folder};

/// The most memory that the program had while it drew so many frames, in KiB.
fn peak_kib(frames: u32) -> u64 {
    let folder = folder(&format!("memory {frames}"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .args([
            "render",
            "builtin:Windmill",
            "--clip",
            "0",
            "--size",
            "16x16",
        ])
        .args(["--frames", &frames.to_string()])
        .arg("-o")
        .arg(folder.join("{:04}.png"))
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
    fs::remove_dir_all(folder).unwrap();
    peak
}

/// Mesa's software driver kept 1.2 MB of each frame as long as shaders branched on uniforms.
#[test]
fn memory_does_not_grow_with_the_frames() {
    const MAX_KIB_A_FRAME: u64 = 256;
    if gpu().is_none() {
        return;
    }
    let [few, many] = [20, 170].map(peak_kib);
    let a_frame = many.saturating_sub(few) / 150;
    assert!(a_frame < MAX_KIB_A_FRAME, "{few} KiB, then {many} KiB");
}
