//! The rig doctor about clips in another unit than the skeleton that they move.

use rigscope::import::Severity;

use super::file::{File, assert_found, message};
use super::targets::{PLACES, file};

const CODE: &str = "ANIMATION_BONE_LENGTHS";

/// Joints that are moved so many times as far from their parents as they are at rest.
fn moved(factors: [f32; 6]) -> File {
    let channels = factors.iter().enumerate().map(|(joint, factor)| {
        let place = PLACES[joint].map(|it| it * factor);
        (joint, [place; 2])
    });
    file(&channels.collect::<Vec<_>>())
}

#[test]
fn clips_in_another_unit_than_their_skeleton_are_told() {
    for (factor, words) in [(100.0, "100"), (0.01, "0.01"), (39.37, "39")] {
        let import = moved([factor; 6]).load();
        assert_found(&import, Severity::Warning, CODE, "/animations/0");
        let expected = format!("in clip \"Walk\", bones are {words} times as long as at rest");
        let text = message(&import, CODE);
        assert!(text.starts_with(&expected), "{text}");
    }
    for factors in [
        [1.0; 6],
        // Where the whole is says nothing of bones.
        [100.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [3.0; 6],
        [1.0, 100.0, 100.0, 1.0, 1.0, 1.0],
        [100.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ] {
        let import = moved(factors).load();
        let is_told = import.diagnostics.iter().any(|it| it.code == CODE);
        assert!(!is_told, "{factors:?}");
    }
}
