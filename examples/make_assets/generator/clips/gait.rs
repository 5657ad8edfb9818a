//! The path of a foot through one step, for walks and runs on the spot.

use glam::dvec3;

use crate::generator::math::{cos, curve, hermite, mix, pitch, sin, smooth, yaw};
use crate::generator::pose::Pose;
use crate::generator::rig::Side;

/// Height of the ankle above the sole, and its distance from the points on which a foot rolls, in metres.
const ANKLE: f64 = 0.085;
const TO_HEEL: f64 = 0.055;
const TO_BALL: f64 = 0.078;

/// Shape of a step. Lengths in metres, angles in degrees.
pub struct Gait {
    /// Share of the cycle that a foot is on the ground.
    pub duty: f64,
    /// Where the ankle lands, before the hips.
    pub front: f64,
    /// Where it leaves, behind them (negative).
    pub back: f64,
    /// Pitch of the foot as it lands: negative is toes up.
    pub strike: f64,
    /// Pitch of the foot as it leaves: heel up.
    pub push: f64,
    /// How high the ankle is carried.
    pub lift: f64,
    /// Distance of each foot from the middle.
    pub spread: f64,
}

/// A foot at one moment, in the plane of the leg.
#[derive(Clone, Copy)]
struct Foot {
    height: f64,
    depth: f64,
    pitch: f64,
    toes: f64,
}

impl Gait {
    /// Plants or swings one foot; `phase` 0 is the moment that it lands.
    pub fn step(&self, pose: &mut Pose<'_>, side: Side, phase: f64) {
        let phase = phase - phase.floor();
        let foot = if phase < self.duty {
            self.stance(phase / self.duty)
        } else {
            self.swing((phase - self.duty) / (1.0 - self.duty))
        };
        let target = side.place(dvec3(self.spread, foot.height, foot.depth));
        let turned = side.mirror(yaw(5.0)) * pitch(foot.pitch);
        plant(pose, side, target, turned);
        pose.turn(&side.of("toes"), pitch(foot.toes));
    }

    /// On the ground the foot rolls from heel to ball while the ground carries it back at one speed: nothing slides.
    fn stance(&self, s: f64) -> Foot {
        let flat = mix(self.front, self.back, s);
        let degrees = self.strike * (1.0 - smooth(0.0, 0.25, s))
            + self.push * smooth(0.45, 1.15, s) / smooth(0.45, 1.15, 1.0);
        let pivot = if degrees < 0.0 { -TO_HEEL } else { TO_BALL };
        // The ankle as seen from the pivot, turned with the foot.
        let (y, z) = (ANKLE, -pivot);
        let (sine, cosine) = (sin(degrees.to_radians()), cos(degrees.to_radians()));
        Foot {
            // The rounded ball of the boot rolls up a little under the pushing foot.
            height: y * cosine - z * sine + 0.00022 * degrees.max(0.0),
            depth: flat + pivot + y * sine + z * cosine,
            pitch: degrees,
            toes: -degrees.max(0.0),
        }
    }

    /// In the air it goes from where it left to where it will land, leaving and arriving with the speed of the ground.
    fn swing(&self, t: f64) -> Foot {
        let (from, to) = (self.stance(1.0), self.stance(0.0));
        let ground = (self.back - self.front) / self.duty * (1.0 - self.duty);
        let degrees = curve(
            &[
                (0.0, from.pitch),
                (0.22, from.pitch * 1.15),
                (0.72, self.strike * 0.7),
                (1.0, self.strike),
            ],
            t,
        );
        let toes = mix(from.toes, 0.0, smooth(0.0, 0.45, t));
        let carried = self.lift * sin(std::f64::consts::PI * (t * 0.8 + 0.2 * t * t));
        // Never lower than the sole allows.
        let least = sole(degrees, toes) + 0.01 * sin(std::f64::consts::PI * t);
        Foot {
            height: soft_max(
                mix(from.height, to.height, smooth(0.0, 1.0, t)) + carried,
                least,
            ),
            depth: hermite(from.depth, ground, to.depth, ground, t),
            pitch: degrees,
            toes,
        }
    }
}

/// How far the lowest point of a foot lies below its ankle: the heel, the ball, or the tip of the bent toes.
fn sole(pitch_degrees: f64, toe_degrees: f64) -> f64 {
    let below = |y: f64, z: f64, degrees: f64| {
        let radians = degrees.to_radians();
        z * sin(radians) - y * cos(radians)
    };
    let heel = below(-ANKLE, -0.07, pitch_degrees);
    let ball = below(-ANKLE, TO_BALL, pitch_degrees);
    heel.max(ball)
        .max(ball + below(0.0, 0.075, pitch_degrees + toe_degrees))
}

/// The larger of two heights, rounded where they are within 2 cm of each other.
fn soft_max(a: f64, b: f64) -> f64 {
    const WITHIN: f64 = 0.02;
    let h = (WITHIN - (a - b).abs()).max(0.0);
    a.max(b) + h * h / (4.0 * WITHIN)
}

/// Puts an ankle at `target` in the root's space, with the foot turned so, and the knee towards where the foot points.
pub fn plant(pose: &mut Pose<'_>, side: Side, target: glam::DVec3, turned: glam::DQuat) {
    let names = ["thigh", "shin", "foot"].map(|stem| side.of(stem));
    let [thigh, shin, foot] = &names;
    let pole = side.place(dvec3(0.12, 0.0, 1.0));
    pose.reach([thigh, shin, foot], target, pole);
    pose.face(foot, turned);
}
