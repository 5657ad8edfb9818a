//! Wave: a dip to gather, the right arm up, three swings of the hand, and back.

use glam::dvec3;

use super::{ear, morph_track, scarf, stance, stand, tail};
use crate::generator::clip::{Clip, Interpolation, bake, even_times};
use crate::generator::math::{bump, curve, pitch, roll, wave, yaw};
use crate::generator::pip::{BLINK_L, BLINK_R, SMILE};
use crate::generator::pose::{Arm, Pose};
use crate::generator::rig::{Rig, Side};

const DURATION_SECS: f64 = 2.5;

/// The clip.
pub fn clip(rig: &Rig, joints: &[usize], face: usize) -> Clip {
    let times = even_times(DURATION_SECS, 21);
    let mut tracks = bake(rig, joints, &times, Interpolation::Cubic, |time| {
        pose(rig, time)
    });
    // On frames of a 24th, as are those of the body.
    let keys: &[(f64, &[(usize, f64)])] = &[
        (0.0, &[(SMILE, 0.25)]),
        (4.0 / 24.0, &[(SMILE, 0.25)]),
        (5.0 / 24.0, &[(SMILE, 0.3), (BLINK_L, 1.0), (BLINK_R, 1.0)]),
        (7.0 / 24.0, &[(SMILE, 0.4), (BLINK_L, 1.0), (BLINK_R, 1.0)]),
        (10.0 / 24.0, &[(SMILE, 0.9)]),
        (43.0 / 24.0, &[(SMILE, 1.0)]),
        (53.0 / 24.0, &[(SMILE, 0.4)]),
        (DURATION_SECS, &[(SMILE, 0.25)]),
    ];
    tracks.push(morph_track(face, Interpolation::Cubic, keys));
    Clip {
        name: "Wave",
        tracks,
    }
}

/// How far the arm is up: a little below rest first, past the goal, then there until it comes down.
fn raised(time: f64) -> f64 {
    curve(
        &[
            (0.0, 0.0),
            (0.2, -0.12),
            (0.55, 1.08),
            (0.72, 1.0),
            (1.68, 1.0),
            (2.05, -0.04),
            (2.26, 0.0),
        ],
        time,
    )
}

/// The swing of the hand, −1 to 1, three times to and fro.
fn swing(time: f64) -> f64 {
    let strength = curve(&[(0.5, 0.0), (0.75, 1.0), (1.5, 1.0), (1.8, 0.0)], time);
    strength * wave((time - 0.6) / 0.4)
}

fn pose(rig: &Rig, time: f64) -> Pose<'_> {
    let mut pose = stance(rig);
    let (up, late_up) = (raised(time), raised(time - 0.08));

    // Gather, rise on the raised arm's far side, and bounce with each swing.
    let gather = bump(time - 0.2, 0.2);
    let bounce = 0.004 * swing(time - 0.05);
    pose.shift(
        "hips",
        dvec3(0.02 * late_up, -0.022 * gather + 0.003 * up + bounce, 0.0),
    );
    pose.turn("hips", roll(2.5 * late_up) * yaw(-3.0 * up));
    pose.turn(
        "spine",
        roll(2.5 * late_up) * pitch(5.0 * gather - 1.5 * up),
    );
    pose.turn(
        "chest",
        roll(3.0 * late_up - 1.2 * swing(time)) * pitch(4.0 * gather - 2.0 * up),
    );
    pose.turn("neck", roll(-2.0 * late_up) * pitch(-3.0 * gather));
    let tilt = -9.0 * raised(time - 0.14) + 1.8 * swing(time - 0.1);
    pose.turn(
        "head",
        roll(tilt) * yaw(-4.0 * late_up) * pitch(5.0 * gather - 3.0 * late_up),
    );

    // The waving arm: the whole arm lifts, the forearm stands up, the hand trails.
    let side = Side::Right;
    pose.turn("shoulder_R", side.mirror(roll(12.0 * up)));
    let beat = 20.0 * swing(time);
    let raise = Arm {
        lower: -58.0 * up - 0.2 * beat,
        forward: 24.0 * up,
        elbow: -6.0 * up,
        ..Arm::default()
    };
    pose.arm(side, raise);
    pose.turn("forearm_R", side.mirror(roll(40.0 * late_up + beat)));
    pose.turn(
        "hand_R",
        side.mirror(roll(
            0.8 * 20.0 * swing(time - 0.07) + 14.0 * (late_up - up),
        )),
    );
    // The other arm balances.
    let balance = Arm {
        lower: -9.0 * late_up,
        forward: -6.0 * late_up,
        elbow: 8.0 * late_up,
        ..Arm::default()
    };
    pose.arm(Side::Left, balance);

    for side in Side::BOTH {
        let lag = raised(time - 0.18);
        ear(
            &mut pose,
            side,
            9.0 * gather - 7.0 * lag,
            -4.0 * lag + 2.0 * swing(time - 0.16),
            8.0 * gather - 9.0 * lag,
        );
        pose.turn(&side.of("eye"), yaw(2.0 * up) * pitch(-up));
    }
    tail(&mut pose, |i| {
        let wag = swing(time - 0.08 - 0.045 * i);
        [3.0 * raised(time - 0.1 - 0.03 * i), 7.0 * wag, 0.0]
    });
    scarf(&mut pose, |i| {
        [
            3.0 + 5.0 * bump(time - 0.5 - 0.06 * i, 0.25),
            0.0,
            -4.0 * late_up + 3.0 * swing(time - 0.12 - 0.05 * i),
        ]
    });
    stand(&mut pose);
    pose
}
