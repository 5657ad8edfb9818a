//! Jump: a deep crouch, a leap with stretch, a tuck, a landing that squashes and springs back.

use glam::{DVec3, dvec3};

use super::gait::plant;
use super::{ear, morph_track, scarf, stance, tail};
use crate::generator::clip::{Clip, Interpolation, bake, even_times};
use crate::generator::math::{curve, pitch, yaw};
use crate::generator::pip::{BLINK_L, BLINK_R, FROWN, SMILE, SURPRISE};
use crate::generator::pose::{Arm, Pose};
use crate::generator::rig::{Rig, Side};

const FRAMES: usize = 60;
const DURATION_SECS: f64 = FRAMES as f64 / 30.0;
/// When the feet leave the ground and when they meet it again.
const TAKEOFF_SECS: f64 = 0.6;
const LANDING_SECS: f64 = 1.1;
/// The height that gravity makes of that time in the air: g t² / 8.
const HEIGHT: f64 = 9.81 * (LANDING_SECS - TAKEOFF_SECS) * (LANDING_SECS - TAKEOFF_SECS) / 8.0;

/// How far the trunk leans forward, in degrees, once the crouch has begun.
const LEAN: [(f64, f64); 9] = [
    (0.44, 26.0),
    (0.52, 24.0),
    (0.64, -12.0),
    (0.85, 6.0),
    (1.08, 4.0),
    (1.22, 24.0),
    (1.45, -6.0),
    (1.65, 2.0),
    (1.9, 0.0),
];

/// The clip.
pub fn clip(rig: &Rig, joints: &[usize], face: usize) -> Clip {
    let times = even_times(DURATION_SECS, FRAMES + 1);
    let mut tracks = bake(rig, joints, &times, Interpolation::Linear, |time| {
        pose(rig, time)
    });
    // On frames of a thirtieth, as are those of the body.
    let keys: &[(f64, &[(usize, f64)])] = &[
        (0.0, &[(SMILE, 0.25)]),
        (0.3, &[(FROWN, 0.6), (SMILE, 0.1)]),
        (16.0 / 30.0, &[(FROWN, 0.7), (SMILE, 0.1)]),
        (20.0 / 30.0, &[(SURPRISE, 0.7), (SMILE, 0.5)]),
        (31.0 / 30.0, &[(SURPRISE, 0.5), (SMILE, 0.6)]),
        (34.0 / 30.0, &[(BLINK_L, 1.0), (BLINK_R, 1.0), (SMILE, 0.3)]),
        (37.0 / 30.0, &[(BLINK_L, 0.9), (BLINK_R, 0.9), (SMILE, 0.6)]),
        (41.0 / 30.0, &[(SMILE, 1.0)]),
        (53.0 / 30.0, &[(SMILE, 0.8)]),
        (DURATION_SECS, &[(SMILE, 0.25)]),
    ];
    tracks.push(morph_track(face, Interpolation::Linear, keys));
    Clip {
        name: "Jump",
        tracks,
    }
}

/// The lean of the trunk at `time`, which begins with these keys.
fn leaning(first: &[(f64, f64)], time: f64) -> f64 {
    curve(&[first, &LEAN].concat(), time)
}

fn pose(rig: &Rig, time: f64) -> Pose<'_> {
    let mut pose = stance(rig);
    let air = ((time - TAKEOFF_SECS) / (LANDING_SECS - TAKEOFF_SECS)).clamp(0.0, 1.0);
    pose.shift("root", DVec3::Y * (4.0 * HEIGHT * air * (1.0 - air)));
    // Squash and stretch keep the volume.
    let tall = curve(
        &[
            (0.0, 1.0),
            (0.42, 0.93),
            (0.5, 0.93),
            (0.6, 1.08),
            (0.85, 1.0),
            (1.08, 1.05),
            (1.19, 0.88),
            (1.38, 1.035),
            (1.58, 0.992),
            (1.8, 1.0),
        ],
        time,
    );
    let wide = 1.0 / tall.sqrt();
    let root = rig.index("root");
    pose.scales[root] = dvec3(wide, tall, wide);

    let hips = curve(
        &[
            (0.0, 0.0),
            (0.1, 0.006),
            (0.42, -0.115),
            (0.5, -0.12),
            (0.6, 0.012),
            (1.1, 0.0),
            (1.2, -0.115),
            (1.42, 0.012),
            (1.62, -0.004),
            (1.85, 0.0),
        ],
        time,
    );
    let lean = leaning(&[(0.0, 0.0), (0.1, -2.0)], time);
    pose.shift("hips", dvec3(0.0, hips, -0.0011 * lean));
    pose.turn("hips", pitch(lean * 0.7));
    pose.turn("spine", pitch(lean * 0.35));
    // What hangs on the trunk arrives later, and does not lean back at first.
    let lean_at = |lag: f64| leaning(&[(0.1, 0.0)], time - lag);
    pose.turn("chest", pitch(lean_at(0.03) * 0.3));
    // The eyes stay on the goal: the head undoes most of the lean.
    pose.turn("neck", pitch(-lean_at(0.02) * 0.35));
    pose.turn(
        "head",
        pitch(
            -lean_at(0.04) * 0.6
                + curve(
                    &[
                        (0.3, 0.0),
                        (0.5, -6.0),
                        (0.7, -8.0),
                        (1.0, 8.0),
                        (1.2, 2.0),
                        (1.4, -3.0),
                        (1.7, 0.0),
                    ],
                    time,
                ),
        ),
    );

    for side in Side::BOTH {
        let forward = curve(
            &[
                (0.0, 0.0),
                (0.1, 6.0),
                (0.46, -62.0),
                (0.52, -60.0),
                (0.68, 80.0),
                (0.85, 60.0),
                (1.1, 20.0),
                (1.24, -30.0),
                (1.46, 12.0),
                (1.7, -3.0),
                (1.9, 0.0),
            ],
            time,
        );
        let raise = curve(
            &[
                (0.0, 0.0),
                (0.46, -10.0),
                (0.56, -5.0),
                (0.72, -62.0),
                (0.9, -72.0),
                (1.1, -52.0),
                (1.26, -4.0),
                (1.46, -14.0),
                (1.75, 0.0),
            ],
            time,
        );
        let elbow = curve(
            &[
                (0.0, 0.0),
                (0.46, 14.0),
                (0.64, 0.0),
                (0.9, 22.0),
                (1.24, 38.0),
                (1.5, 4.0),
                (1.75, 0.0),
            ],
            time,
        );
        let wrist = curve(
            &[
                (0.1, 0.0),
                (0.5, 18.0),
                (0.68, -22.0),
                (0.9, 6.0),
                (1.1, -14.0),
                (1.28, 22.0),
                (1.52, -6.0),
                (1.8, 0.0),
            ],
            time,
        );
        pose.arm(
            side,
            Arm {
                forward,
                lower: raise,
                elbow,
                wrist,
                ..Arm::default()
            },
        );

        let lag = curve(
            &[
                (0.1, 0.0),
                (0.45, 10.0),
                (0.56, 8.0),
                (0.7, -32.0),
                (0.92, 4.0),
                (1.1, 18.0),
                (1.24, 20.0),
                (1.4, -14.0),
                (1.6, 6.0),
                (1.8, -2.0),
                (2.0, 0.0),
            ],
            time,
        );
        let tip = curve(
            &[
                (0.1, 0.0),
                (0.5, 12.0),
                (0.6, 4.0),
                (0.76, -36.0),
                (0.98, 14.0),
                (1.14, 26.0),
                (1.3, 10.0),
                (1.46, -18.0),
                (1.66, 7.0),
                (1.86, -2.0),
                (2.0, 0.0),
            ],
            time,
        );
        ear(
            &mut pose,
            side,
            lag,
            curve(
                &[
                    (0.3, 0.0),
                    (0.5, 10.0),
                    (0.7, -4.0),
                    (1.05, 4.0),
                    (1.2, 12.0),
                    (1.5, 0.0),
                ],
                time,
            ),
            tip,
        );
        legs(&mut pose, side, time);
    }
    tail(&mut pose, |i| {
        let sweep = curve(
            &[
                (0.1, 0.0),
                (0.44, 9.0),
                (0.54, 6.0),
                (0.72, -17.0),
                (0.92, -2.0),
                (1.1, 15.0),
                (1.22, 8.0),
                (1.4, -9.0),
                (1.58, 4.0),
                (1.73, -1.0),
                (1.84, 0.0),
            ],
            time - 0.035 * i,
        );
        [sweep, 0.0, 0.0]
    });
    scarf(&mut pose, |i| {
        let fly = curve(
            &[
                (0.1, 0.0),
                (0.45, 6.0),
                (0.56, 2.0),
                (0.7, -6.0),
                (0.9, 16.0),
                (1.1, 44.0),
                (1.24, 20.0),
                (1.4, -6.0),
                (1.6, 5.0),
                (1.78, 0.0),
            ],
            time - 0.05 * i,
        );
        [3.0 + fly, 0.0, 0.0]
    });
    pose
}

/// On the ground the feet stay planted; in the air they trail, tuck and reach for the ground.
fn legs(pose: &mut Pose<'_>, side: Side, time: f64) {
    let tuck = curve(
        &[
            (0.6, 0.0),
            (0.68, -0.012),
            (0.86, 0.095),
            (1.02, 0.02),
            (1.1, 0.0),
        ],
        time,
    );
    let trail = curve(
        &[
            (0.6, 0.0),
            (0.7, -0.035),
            (0.88, -0.02),
            (1.04, 0.025),
            (1.1, 0.0),
        ],
        time,
    );
    // Heel up as the legs push, toes down in the air, toes up before the landing.
    let angle = curve(
        &[
            (0.54, 0.0),
            (0.61, 38.0),
            (0.7, 48.0),
            (0.9, 26.0),
            (1.05, -8.0),
            (1.12, 0.0),
        ],
        time,
    );
    let heel = if time < TAKEOFF_SECS + 0.05 {
        0.0013 * angle
    } else {
        0.0
    };
    let fade = curve(&[(0.6, 1.0), (0.75, 0.0)], time);
    let rise = if time < 0.75 {
        0.0013 * angle * fade
    } else {
        0.0
    };
    let target = pose.rig.at(&side.of("foot")) + dvec3(0.0, tuck + rise.max(heel), trail);
    plant(pose, side, target, side.mirror(yaw(7.0)) * pitch(angle));
    let bend = curve(
        &[
            (0.54, 0.0),
            (0.61, -38.0),
            (0.7, -4.0),
            (0.9, 6.0),
            (1.1, 0.0),
        ],
        time,
    );
    pose.turn(&side.of("toes"), pitch(bend));
}
