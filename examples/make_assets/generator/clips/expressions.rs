//! Expressions: a flip book of faces. STEP keys hold each one until the next snaps in.

use glam::DQuat;

use super::{ear, morph_track, stance, stand, tail};
use crate::generator::clip::{Clip, Interpolation, bake};
use crate::generator::math::{pitch, roll, yaw};
use crate::generator::pip::{BLINK_L, BLINK_R, FROWN, SMILE, SURPRISE};
use crate::generator::pose::Pose;
use crate::generator::rig::{Rig, Side};

/// One page: when it appears, the morph weights, where the eyes look, how the head is held, and the lean of the ears.
struct Page {
    time: f64,
    morphs: &'static [(usize, f64)],
    /// Degrees to Pip's left and down.
    eyes: [f64; 2],
    /// Degrees of pitch, yaw, roll.
    head: [f64; 3],
    ears: [f64; 2],
}

#[rustfmt::skip]
const PAGES: &[Page] = &[
    Page { time: 0.0, morphs: &[(SMILE, 0.25)], eyes: [0.0, 0.0], head: [0.0, 0.0, 0.0], ears: [0.0, 3.0] },
    Page { time: 0.5, morphs: &[(SMILE, 0.2)], eyes: [9.5, -1.5], head: [0.0, 5.0, 0.0], ears: [4.0, 4.0] },
    Page { time: 1.0, morphs: &[(SMILE, 0.2)], eyes: [-9.5, -1.5], head: [0.0, -5.0, 0.0], ears: [4.0, 4.0] },
    Page { time: 1.5, morphs: &[(SURPRISE, 1.0)], eyes: [0.0, 0.0], head: [-5.0, 0.0, 0.0], ears: [10.0, -6.0] },
    Page { time: 2.0, morphs: &[(SMILE, 1.0)], eyes: [0.0, 2.0], head: [3.0, 4.0, -9.0], ears: [-4.0, 8.0] },
    Page { time: 2.5, morphs: &[(SMILE, 0.9), (BLINK_L, 1.0)], eyes: [4.0, 0.0], head: [2.0, 6.0, 8.0], ears: [0.0, 2.0] },
    Page { time: 3.0, morphs: &[(FROWN, 1.0)], eyes: [0.0, 3.0], head: [7.0, 0.0, 0.0], ears: [-16.0, 18.0] },
    Page { time: 3.5, morphs: &[(SMILE, 0.6), (BLINK_L, 1.0), (BLINK_R, 1.0)], eyes: [0.0, 0.0], head: [4.0, 0.0, 4.0], ears: [-6.0, 10.0] },
    Page { time: 4.0, morphs: &[(SMILE, 0.25)], eyes: [0.0, 0.0], head: [0.0, 0.0, 0.0], ears: [0.0, 3.0] },
];

/// The clip.
pub fn clip(rig: &Rig, joints: &[usize], face: usize) -> Clip {
    let times: Vec<f64> = PAGES.iter().map(|page| page.time).collect();
    let mut tracks = bake(rig, joints, &times, Interpolation::Step, |time| {
        // Baking also asks a moment before and after each key.
        let page = PAGES
            .iter()
            .min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()));
        pose(rig, page.unwrap_or(&PAGES[0]))
    });
    let keys: Vec<(f64, &[(usize, f64)])> =
        PAGES.iter().map(|page| (page.time, page.morphs)).collect();
    tracks.push(morph_track(face, Interpolation::Step, &keys));
    Clip {
        name: "Expressions",
        tracks,
    }
}

fn pose<'a>(rig: &'a Rig, page: &Page) -> Pose<'a> {
    let mut pose = stance(rig);
    let look = |[left, down]: [f64; 2]| -> DQuat { yaw(left) * pitch(down) };
    let [nod, turn, tilt] = page.head;
    pose.turn("head", yaw(turn) * pitch(nod) * roll(tilt));
    for side in Side::BOTH {
        pose.turn(&side.of("eye"), look(page.eyes));
        ear(
            &mut pose,
            side,
            page.ears[0],
            page.ears[1],
            page.ears[0] * 0.6,
        );
    }
    tail(&mut pose, |i| [0.0, 0.4 * turn * (1.0 + 0.2 * i), 0.0]);
    stand(&mut pose);
    pose
}
