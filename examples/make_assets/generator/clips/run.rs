//! Run: two bounds in 20 frames of 1/30 s, both feet off the ground between them.

use glam::dvec3;

use super::gait::Gait;
use super::{ear, morph_track, scarf, tail};
use crate::generator::clip::{Clip, Interpolation, bake, even_times};
use crate::generator::math::{pitch, roll, wave, yaw};
use crate::generator::pip::{SMILE, SURPRISE};
use crate::generator::pose::{Arm, Pose};
use crate::generator::rig::{Rig, Side};

const FRAMES: usize = 20;
const DURATION_SECS: f64 = FRAMES as f64 / 30.0;

const GAIT: Gait = Gait {
    duty: 0.34,
    front: 0.13,
    back: -0.2,
    strike: -12.0,
    push: 56.0,
    lift: 0.12,
    spread: 0.062,
};

/// The clip.
pub fn clip(rig: &Rig, joints: &[usize], face: usize) -> Clip {
    let times = even_times(DURATION_SECS, FRAMES + 1);
    let mut tracks = bake(rig, joints, &times, Interpolation::Linear, |time| {
        pose(rig, time / DURATION_SECS)
    });
    let thrilled: &[(usize, f64)] = &[(SMILE, 0.8), (SURPRISE, 0.15)];
    tracks.push(morph_track(
        face,
        Interpolation::Linear,
        &[(0.0, thrilled), (DURATION_SECS, thrilled)],
    ));
    Clip {
        name: "Run",
        tracks,
    }
}

/// Phase 0 is the left foot's landing.
fn pose(rig: &Rig, phase: f64) -> Pose<'_> {
    let mut pose = Pose::rest(rig);
    let stride = wave(phase + 0.25);
    let over = wave(phase + 0.08);
    // Lowest in the middle of each stance, highest in the middle of each flight.
    let bounce = -wave(2.0 * (phase - 0.17) + 0.25);
    let late = |lag: f64| -wave(2.0 * (phase - 0.17 - lag) + 0.25);

    pose.shift("hips", dvec3(0.008 * over, -0.012 + 0.032 * bounce, 0.0));
    pose.turn("hips", yaw(-12.0 * stride) * roll(3.0 * over) * pitch(10.0));
    pose.turn(
        "spine",
        yaw(10.0 * stride) * roll(-3.0 * over) * pitch(5.0 - 2.0 * late(0.02)),
    );
    pose.turn(
        "chest",
        yaw(14.0 * stride) * roll(-1.5 * over) * pitch(2.0 - 2.0 * late(0.05)),
    );
    pose.turn("neck", yaw(-6.0 * stride) * pitch(-5.0));
    pose.turn(
        "head",
        yaw(-6.0 * stride) * pitch(-9.0 + 3.0 * late(0.09)) * roll(1.5 * over),
    );
    for side in Side::BOTH {
        let sign = side.sign();
        let swing = -sign * wave(phase + 0.25);
        let after = -sign * wave(phase + 0.25 - 0.07);
        pose.turn(&side.of("shoulder"), side.mirror(yaw(-8.0 * swing)));
        pose.arm(
            side,
            Arm {
                lower: 16.0,
                forward: -4.0 + 48.0 * swing,
                elbow: 74.0 + 20.0 * after,
                twist: -10.0,
                wrist: 8.0 * after,
                ..Arm::default()
            },
        );
        ear(
            &mut pose,
            side,
            -22.0 + 9.0 * late(0.12),
            2.0,
            -12.0 + 12.0 * late(0.2),
        );
        GAIT.step(
            &mut pose,
            side,
            if side == Side::Left {
                phase
            } else {
                phase + 0.5
            },
        );
    }
    tail(&mut pose, |i| {
        [
            if i < 1.0 { -2.0 } else { -8.0 } + 8.0 * late(0.1 + 0.07 * i),
            9.0 * wave(phase + 0.15 - 0.1 * i),
            0.0,
        ]
    });
    scarf(&mut pose, |i| {
        [
            if i < 1.0 { 38.0 } else { 8.0 } + 11.0 * late(0.1 + 0.09 * i),
            0.0,
            5.0 * wave(phase - 0.12 * i),
        ]
    });
    pose
}
