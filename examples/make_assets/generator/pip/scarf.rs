//! The scarf: a thick wrap about the neck, a knot, two loose ends on joints of their own, and a bell.

use glam::{DQuat, DVec3, dvec3};

use super::looks::{BRASS, STRIPE, WOOL};
use super::shapes::{Ring, ball, sweep};
use crate::generator::math::{cos, mix, pitch, roll, sin, smooth, wave};
use crate::generator::mesh::Primitive;
use crate::generator::rig::Rig;
use crate::generator::weights::{Influences, strongest};

/// All parts.
pub fn primitives(rig: &Rig) -> Vec<Primitive> {
    let (chest, neck) = (rig.index("chest"), rig.index("neck"));
    let lower = Turn {
        height: 0.684,
        reach: 0.118,
        size: [0.047, 0.035],
        lean: 12.0,
        folds: 0.1,
    };
    let upper = Turn {
        height: 0.727,
        reach: 0.097,
        size: [0.042, 0.032],
        lean: 3.0,
        folds: 0.45,
    };
    let mut parts = vec![
        wrap(&lower, vec![(chest, 0.7), (neck, 0.3)]),
        wrap(&upper, vec![(chest, 0.3), (neck, 0.7)]),
    ];

    let knot = rig.at("scarf_1") + dvec3(0.004, 0.004, 0.0);
    parts.push(ball(
        WOOL,
        rig.index("scarf_1"),
        knot,
        dvec3(0.04, 0.045, 0.034),
        roll(-20.0),
        [12, 8],
    ));
    parts.extend(end(rig, dvec3(0.0, 0.0, 0.0), 1.0));
    parts.extend(end(rig, dvec3(-0.075, 0.0, -0.012), 0.74));
    let bell = dvec3(0.0, 0.63, 0.15);
    parts.push(ball(
        BRASS,
        chest,
        bell,
        DVec3::splat(0.032),
        DQuat::IDENTITY,
        [14, 9],
    ));
    for vertex in parts.iter_mut().flat_map(|part| &mut part.vertices) {
        // Undersides lie in shade.
        vertex.color = DVec3::splat(mix(0.55, 1.0, smooth(-1.0, 0.5, vertex.normal.y)));
    }
    parts
}

/// One turn of the scarf about the neck.
struct Turn {
    /// Height of its middle.
    height: f64,
    /// Distance from the neck's axis.
    reach: f64,
    /// Half axes of its cross-section: across, along the neck.
    size: [f64; 2],
    /// Degrees that its front hangs down.
    lean: f64,
    /// Where its folds fall: a phase.
    folds: f64,
}

fn wrap(turn: &Turn, influences: Influences) -> Primitive {
    const RINGS: u32 = 24;
    let lean = pitch(turn.lean);
    let rings: Vec<Ring> = (0..RINGS)
        .map(|i| {
            let phase = f64::from(i) / f64::from(RINGS);
            let angle = phase * std::f64::consts::TAU;
            let out = dvec3(sin(angle), 0.0, cos(angle));
            // Soft folds: the roll swells and wanders as cloth does.
            let swell =
                0.08 * wave(3.0 * phase + turn.folds) + 0.05 * wave(5.0 * phase - turn.folds);
            let plump = 1.0 + swell;
            let wander = 0.005 * wave(2.0 * phase + 2.0 * turn.folds);
            Ring {
                center: DVec3::Y * (turn.height + wander)
                    + lean * (out * turn.reach * dvec3(1.06, 0.0, 0.96)),
                across: lean * out * turn.size[0] * plump,
                through: lean * DVec3::Y * turn.size[1] * plump,
                influences: influences.clone(),
            }
        })
        .collect();
    sweep(WOOL, &rings, 9, true)
}

/// One loose end: wool with a stripe near its hem. `aside` spreads its hem, `length` is a fraction of the chain's reach.
fn end(rig: &Rig, aside: DVec3, length: f64) -> Vec<Primitive> {
    const ROWS: u32 = 15;
    let joints = ["scarf_1", "scarf_2", "scarf_3"].map(|name| rig.index(name));
    let mut path = joints.map(|joint| rig.joints[joint].position).to_vec();
    path.push(path[2] + dvec3(0.008, -0.115, -0.014));
    let rings: Vec<Ring> = (0..ROWS)
        .map(|row| {
            let along = f64::from(row) / f64::from(ROWS - 1);
            let at = along * length * 3.0;
            let k = (at as usize).min(2);
            let center = path[k].lerp(path[k + 1], at - k as f64) + aside * smooth(0.0, 0.5, along);
            let width = mix(0.024, 0.056, smooth(0.0, 0.55, along));
            // The hem closes in a rounded edge.
            let close = if row == 0 || row == ROWS - 1 {
                0.05
            } else {
                1.0
            };
            Ring {
                center,
                across: dvec3(0.95, 0.0, -0.3) * width * if row == ROWS - 1 { 0.9 } else { 1.0 },
                through: dvec3(-0.3, 0.1, -0.95) * 0.013 * close,
                influences: chain(&joints, at),
            }
        })
        .collect();
    let stripe = (ROWS - 5) as usize;
    let mut wool = sweep(WOOL, &rings, 10, false);
    let bands = [
        (WOOL, 0..stripe),
        (STRIPE, stripe..stripe + 2),
        (WOOL, stripe + 2..ROWS as usize - 1),
    ];
    let triangles = std::mem::take(&mut wool.triangles);
    bands
        .into_iter()
        .map(|(material, rows)| Primitive {
            material,
            triangles: triangles
                .iter()
                .filter(|t| rows.contains(&(lowest(t) / 10)))
                .copied()
                .collect(),
            ..wool.clone()
        })
        .map(Primitive::compacted)
        .collect()
}

fn lowest(triangle: &[u32; 3]) -> usize {
    triangle.iter().min().map_or(0, |&i| i as usize)
}

/// Weights of a point `at` bone lengths down a chain: each joint hands over to the next around the joint between.
fn chain(joints: &[usize; 3], at: f64) -> Influences {
    let second = smooth(0.6, 1.4, at);
    let third = smooth(1.6, 2.4, at);
    strongest(vec![
        (joints[0], 1.0 - second),
        (joints[1], second - third),
        (joints[2], third),
    ])
}
