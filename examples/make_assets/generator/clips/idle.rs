//! Idle: breathing, a slow shift of weight, ears that listen, a tail that drifts, two blinks.

use glam::dvec3;

use super::{ear, morph_track, scarf, stance, stand, tail};
use crate::generator::clip::{Clip, Interpolation, bake, even_times};
use crate::generator::math::{bump, pitch, roll, wave, yaw};
use crate::generator::pip::{BLINK_L, BLINK_R, SMILE};
use crate::generator::pose::{Arm, Pose};
use crate::generator::rig::{Rig, Side};

const DURATION_SECS: f64 = 4.0;

/// The clip.
pub fn clip(rig: &Rig, joints: &[usize], face: usize) -> Clip {
    let times = even_times(DURATION_SECS, 21);
    let mut tracks = bake(rig, joints, &times, Interpolation::Cubic, |time| {
        pose(rig, time)
    });
    const OPEN: &[(usize, f64)] = &[(SMILE, 0.25)];
    const SHUT: &[(usize, f64)] = &[(SMILE, 0.3), (BLINK_L, 1.0), (BLINK_R, 1.0)];
    // On frames of a thirtieth, as are those of the body.
    let keys: &[(f64, &[(usize, f64)])] = &[
        (0.0, OPEN),
        (38.0 / 30.0, OPEN),
        (40.0 / 30.0, SHUT),
        (41.0 / 30.0, SHUT),
        (46.0 / 30.0, OPEN),
        (2.6, &[(SMILE, 0.5)]),
        (3.2, &[(SMILE, 0.5)]),
        (98.0 / 30.0, SHUT),
        (100.0 / 30.0, SHUT),
        (104.0 / 30.0, &[(SMILE, 0.35)]),
        (DURATION_SECS, OPEN),
    ];
    tracks.push(morph_track(face, Interpolation::Cubic, keys));
    Clip {
        name: "Idle",
        tracks,
    }
}

fn pose(rig: &Rig, time: f64) -> Pose<'_> {
    let phase = time / DURATION_SECS;
    let phase = phase - phase.floor();
    let breath = wave(2.0 * phase);
    let sway = wave(phase - 0.1);
    let mut pose = stance(rig);

    pose.shift("hips", dvec3(0.016 * sway, -0.004 + 0.003 * breath, 0.0));
    pose.turn("hips", roll(2.2 * sway) * yaw(1.5 * sway));
    pose.turn("spine", pitch(1.0 - 1.2 * breath) * roll(-2.0 * sway));
    pose.turn(
        "chest",
        pitch(-1.0 - 1.6 * wave(2.0 * phase - 0.03)) * roll(-1.6 * sway),
    );
    // The head stays level over the moving trunk, looks about a little, and tilts as if at a sound.
    let listen = bump(phase - 0.62, 0.2);
    pose.turn(
        "neck",
        pitch(1.0 + 1.0 * wave(2.0 * phase - 0.1)) * roll(0.6 * sway),
    );
    pose.turn(
        "head",
        yaw(3.0 * wave(phase - 0.3) + 7.0 * listen)
            * pitch(1.2 * wave(2.0 * phase - 0.16) - 2.0 * listen)
            * roll(1.0 * sway - 7.0 * listen),
    );
    for side in Side::BOTH {
        let twitch = if side == Side::Left {
            bump(phase - 0.55, 0.07) + 0.7 * bump(phase - 0.68, 0.06)
        } else {
            bump(phase - 0.22, 0.06)
        };
        ear(
            &mut pose,
            side,
            2.0 * wave(2.0 * phase - 0.2) + 12.0 * twitch,
            2.0 * wave(phase - 0.15) - 5.0 * twitch + 3.0,
            3.0 * wave(2.0 * phase - 0.3) + 8.0 * twitch,
        );
        pose.turn(
            &side.of("shoulder"),
            side.mirror(roll(2.2 * wave(2.0 * phase - 0.05))),
        );
        let late = wave(2.0 * phase - 0.12);
        pose.arm(
            side,
            Arm {
                lower: -1.5 * late,
                forward: 2.0 * wave(phase - 0.2),
                elbow: 2.0 * late,
                wrist: 3.0 * wave(2.0 * phase - 0.2),
                ..Arm::default()
            },
        );
        pose.turn(
            &side.of("eye"),
            yaw(2.5 * wave(phase - 0.25) + 5.0 * listen) * pitch(1.0 * wave(2.0 * phase)),
        );
    }
    tail(&mut pose, |i| {
        [
            2.0 * wave(2.0 * phase - 0.1 * i),
            7.0 * wave(phase - 0.1 * i),
            3.0 * wave(phase - 0.1 * i),
        ]
    });
    scarf(&mut pose, |i| {
        [
            3.0 + 2.0 * wave(2.0 * phase - 0.14 * i),
            0.0,
            2.5 * wave(phase - 0.12 * i),
        ]
    });
    stand(&mut pose);
    pose
}
