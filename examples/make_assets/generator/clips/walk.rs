//! Walk: a cheerful stroll on the spot, two steps in 32 frames of 1/30 s.

use glam::dvec3;

use super::gait::Gait;
use super::{ear, morph_track, scarf, tail};
use crate::generator::clip::{Clip, Interpolation, bake, even_times};
use crate::generator::math::{pitch, roll, wave, yaw};
use crate::generator::pip::SMILE;
use crate::generator::pose::{Arm, Pose};
use crate::generator::rig::{Rig, Side};

const FRAMES: usize = 32;
const DURATION_SECS: f64 = FRAMES as f64 / 30.0;

const GAIT: Gait = Gait {
    duty: 0.6,
    front: 0.15,
    back: -0.195,
    strike: -25.0,
    push: 48.0,
    lift: 0.05,
    spread: 0.078,
};

/// The clip.
pub fn clip(rig: &Rig, joints: &[usize], face: usize) -> Clip {
    let times = even_times(DURATION_SECS, FRAMES + 1);
    let mut tracks = bake(rig, joints, &times, Interpolation::Linear, |time| {
        pose(rig, time / DURATION_SECS)
    });
    let content: &[(usize, f64)] = &[(SMILE, 0.45)];
    tracks.push(morph_track(
        face,
        Interpolation::Linear,
        &[(0.0, content), (DURATION_SECS, content)],
    ));
    Clip {
        name: "Walk",
        tracks,
    }
}

/// Phase 0 is the left heel's strike.
fn pose(rig: &Rig, phase: f64) -> Pose<'_> {
    let mut pose = Pose::rest(rig);
    // Left foot forward at phase 0, right foot forward at one half.
    let stride = wave(phase + 0.25);
    // Over the left foot at +1: a little after each foot takes the weight.
    let over = wave(phase - 0.05);
    // Down just after each strike, up as the legs pass.
    let bounce = -wave(2.0 * (phase - 0.07) + 0.25);

    pose.shift("hips", dvec3(0.017 * over, -0.023 + 0.016 * bounce, 0.004));
    pose.turn("hips", yaw(-8.0 * stride) * roll(3.5 * over) * pitch(3.0));
    pose.turn(
        "spine",
        yaw(7.0 * stride) * roll(-3.5 * over) * pitch(1.0 + 1.0 * bounce),
    );
    pose.turn("chest", yaw(9.0 * stride) * roll(-2.5 * over) * pitch(-1.0));
    pose.turn("neck", yaw(-4.0 * stride) * roll(1.0 * over));
    pose.turn(
        "head",
        yaw(-4.0 * stride)
            * roll(2.8 * wave(phase - 0.1))
            * pitch(-2.0 - 2.5 * wave(2.0 * (phase - 0.14) + 0.25)),
    );
    for side in Side::BOTH {
        let sign = side.sign();
        let swing = -sign * wave(phase + 0.25 - 0.02);
        let late = -sign * wave(phase + 0.25 - 0.1);
        pose.turn(
            &side.of("shoulder"),
            side.mirror(yaw(-5.0 * swing) * roll(1.5 * bounce)),
        );
        pose.arm(
            side,
            Arm {
                lower: 20.0,
                forward: 6.0 + 30.0 * swing,
                elbow: 26.0 + 16.0 * late,
                twist: -20.0,
                wrist: 6.0 + 9.0 * late,
                ..Arm::default()
            },
        );
        ear(
            &mut pose,
            side,
            -3.0 - 5.0 * wave(2.0 * (phase - 0.2) + 0.25),
            4.0 + 2.0 * wave(2.0 * (phase - 0.16) + 0.25),
            -7.0 * wave(2.0 * (phase - 0.27) + 0.25),
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
    // Each joint of the tail follows the one before, late.
    tail(&mut pose, |i| {
        [
            4.0 + 4.0 * wave(2.0 * phase - 0.3 - 0.13 * i),
            8.0 * wave(phase + 0.2 - 0.09 * i),
            3.0 * wave(phase - 0.09 * i),
        ]
    });
    scarf(&mut pose, |i| {
        [
            7.0 + 6.0 * wave(2.0 * phase - 0.35 - 0.15 * i),
            0.0,
            5.0 * wave(phase - 0.3 - 0.1 * i),
        ]
    });
    pose
}
