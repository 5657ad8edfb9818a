//! The real program in a real window under a virtual display, driven by fake input as a user would: what a user sees and
//! does from start to end belongs here, one function a step. Screenshots of the steps are kept in target/e2e.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's helpers fail by panicking, too"
)]

mod display;
mod input;
mod opening;
mod picture;
mod selection;
mod steps;
mod viewer;

use std::io::Read as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use viewer::{Viewer, artefacts, program};

/// Windows are tested one after another: a second renderer would take the first one's processor time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn a_tour_in_a_real_window() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    remove_old_pictures();
    let Some(viewer) = Viewer::open("tour", &[]) else {
        return;
    };
    steps::opens(&viewer);
    steps::plays_and_stops(&viewer);
    steps::scrubs(&viewer);
    steps::steps_by_keys(&viewer);
    steps::shows_the_skeleton(&viewer);
    steps::chooses_another_clip(&viewer);
    steps::lists_the_keys(&viewer);
    steps::orbits_zooms_and_frames(&viewer);
    steps::opens_a_dropped_file(&viewer);
    steps::keeps_the_model_when_a_file_is_broken(&viewer);
    opening::follows_the_file(&viewer);
    opening::opens_what_is_dropped_together(&viewer);
    opening::asks_before_it_opens_more(&viewer);
    steps::opens_a_pasted_path(&viewer);
    steps::survives_any_size(&viewer);
    steps::survives_being_minimised(&viewer);
    steps::is_idle_when_nothing_moves(&viewer);
    steps::closes(&viewer);
}

#[test]
fn drops_heed_keys_in_a_real_window() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(viewer) = Viewer::open("drops", &[]) else {
        return;
    };
    opening::heeds_keys_held_by_who_drops(&viewer);
}

#[test]
fn opens_what_it_is_started_to_compare() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/");
    let [pip, windmill] = ["pip.glb", "windmill.glb"].map(|name| format!("{assets}{name}"));
    let arguments = [&*windmill, "--compare", &pip];
    let Some(viewer) = Viewer::open("compare", &arguments) else {
        return;
    };
    viewer.wait_for_line(0, "opened windmill.glb");
    viewer.wait_for_line(0, "compares with pip.glb");
    let both = viewer.pause();
    viewer.keep("compared_from_the_start", &both);
    viewer.display.key('c');
    viewer.wait_for_change(&both, 0.01, "C shows the two in another way");
}

#[test]
fn quits_by_its_key_in_a_real_window() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(viewer) = Viewer::open("quit", &[]) else {
        return;
    };
    // Escape closes what lies in front, and never the viewer.
    viewer.display.keys(&[input::ESCAPE]);
    viewer.display.keys(&[input::ESCAPE]);
    viewer.resize(viewer::SIZE.0 - 100, viewer::SIZE.1 - 100);
    viewer.display.keys(&[input::CONTROL, u32::from('q')]);
    let status = viewer.wait_for_exit();
    assert_eq!(status.code(), Some(0), "Ctrl+Q quits without an error");
}

/// No window here: it must come back, and say what is missing.
#[test]
fn says_that_there_is_no_display() {
    for display in [None, Some(":4242")] {
        let mut command = program(&[]);
        command.envs(display.map(|display| ("DISPLAY", display)));
        let mut program = command.spawn().expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(20);
        let status = loop {
            if let Some(status) = program.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                program.kill().unwrap();
                panic!("without a display (DISPLAY={display:?}) the program hangs");
            }
            thread::sleep(Duration::from_millis(20));
        };
        let mut said = String::new();
        program
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(status.code(), Some(3), "DISPLAY={display:?}: {said}");
        assert!(said.contains("display"), "DISPLAY={display:?}: {said}");
        assert!(!said.contains("panicked"), "DISPLAY={display:?}: {said}");
    }
}

fn remove_old_pictures() {
    let Ok(entries) = fs::read_dir(artefacts()) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|extension| extension == "png") {
            fs::remove_file(&path).unwrap();
        }
    }
}
