//! What Pip does.

mod expressions;
mod gait;
mod idle;
mod jump;
mod run;
mod walk;
mod wave;

use glam::dvec3;

use super::clip::{Clip, Interpolation, Track};
use super::math::{pitch, roll, yaw};
use super::pip::TARGETS;
use super::pose::{Arm, Pose};
use super::rig::{Rig, Side};

/// All clips, in the order of the file; `joints` and `face` are nodes.
pub fn all(rig: &Rig, joints: &[usize], face: usize) -> Vec<Clip> {
    vec![
        idle::clip(rig, joints, face),
        walk::clip(rig, joints, face),
        run::clip(rig, joints, face),
        jump::clip(rig, joints, face),
        wave::clip(rig, joints, face),
        expressions::clip(rig, joints, face),
    ]
}

/// The relaxed stance that standing clips begin and end in; its feet are not planted yet.
fn stance(rig: &Rig) -> Pose<'_> {
    let mut pose = Pose::rest(rig);
    pose.shift("hips", dvec3(0.0, -0.012, 0.0));
    for side in Side::BOTH {
        pose.arm(
            side,
            Arm {
                lower: 20.0,
                forward: 4.0,
                elbow: 22.0,
                twist: -20.0,
                wrist: 8.0,
                ..Arm::default()
            },
        );
    }
    tail(&mut pose, |_| [6.0, 0.0, 0.0]);
    pose
}

/// Both feet where they stand in the rest pose, a little turned out.
fn stand(pose: &mut Pose<'_>) {
    for side in Side::BOTH {
        gait::plant(
            pose,
            side,
            pose.rig.at(&side.of("foot")),
            side.mirror(yaw(7.0)),
        );
    }
}

/// Turns each joint of the tail by pitch (up), yaw (to the right) and roll, in degrees, given its place 0..5 in the chain.
fn tail(pose: &mut Pose<'_>, angles: impl Fn(f64) -> [f64; 3]) {
    chain(pose, "tail", 5, angles);
}

/// Turns each joint of the scarf's loose ends; positive pitch lets them fly backwards.
fn scarf(pose: &mut Pose<'_>, angles: impl Fn(f64) -> [f64; 3]) {
    chain(pose, "scarf", 3, angles);
}

fn chain(pose: &mut Pose<'_>, stem: &str, count: usize, angles: impl Fn(f64) -> [f64; 3]) {
    for i in 0..count {
        let [p, y, r] = angles(i as f64);
        pose.turn(&format!("{stem}_{}", i + 1), yaw(y) * pitch(p) * roll(r));
    }
}

/// Turns one ear: `lean` forwards, `spread` outwards; the tip follows by `tip` degrees of lean.
fn ear(pose: &mut Pose<'_>, side: Side, lean: f64, spread: f64, tip: f64) {
    pose.turn(&side.of("ear"), side.mirror(roll(-spread)) * pitch(lean));
    pose.turn(
        &side.of("ear_tip"),
        side.mirror(roll(-spread * 0.4)) * pitch(tip),
    );
}

/// A track of morph weights from keys `(time, [(target, weight)])`; cubic keys get level tangents.
fn morph_track(
    face: usize,
    interpolation: Interpolation,
    keys: &[(f64, &[(usize, f64)])],
) -> Track {
    let mut values = Vec::new();
    for (_, set) in keys {
        let mut weights = [0.0; TARGETS.len()];
        for &(target, weight) in *set {
            weights[target] = weight;
        }
        let level = [0.0; TARGETS.len()];
        if interpolation == Interpolation::Cubic {
            values.extend(level.iter().chain(&weights).chain(&level));
        } else {
            values.extend(weights);
        }
    }
    Track {
        node: face,
        path: "weights",
        interpolation,
        times: keys.iter().map(|key| key.0).collect(),
        values,
    }
}
