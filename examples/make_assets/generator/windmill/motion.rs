//! The two weathers of the mill: a breeze and a gale.

use glam::{DQuat, DVec3, dvec3};

use super::Part;
use super::mill::FLAG;
use super::scenery::{CLOUDS, HENS};
use crate::generator::clip::{Clip, Interpolation, Track, even_times};
use crate::generator::math::{bump, pitch, roll, wave, yaw};

/// The clips.
pub fn clips(parts: &[Part]) -> Vec<Clip> {
    let breeze = Weather {
        name: "Breeze",
        duration_secs: 8.0,
        turns: 1,
        wander: 9.0,
        droop: 16.0,
        flutter: 2,
        flap: 22.0,
    };
    let gale = Weather {
        name: "Gale",
        duration_secs: 4.0,
        turns: 3,
        wander: 24.0,
        droop: 2.0,
        flutter: 5,
        flap: 15.0,
    };
    [breeze, gale]
        .iter()
        .map(|weather| weather.clip(parts))
        .collect()
}

/// How hard the wind blows. Counts are whole, so that every loop closes.
struct Weather {
    name: &'static str,
    duration_secs: f64,
    /// Turns of the sails in one loop.
    turns: u32,
    /// Degrees that the vane swings, and the cap after it.
    wander: f64,
    /// Degrees that each piece of the flag hangs down.
    droop: f64,
    /// Waves that run through the flag in one loop.
    flutter: u32,
    /// Their size in degrees.
    flap: f64,
}

impl Weather {
    fn clip(&self, parts: &[Part]) -> Clip {
        let mut tracks = Vec::new();
        let mut turn = |name: &str,
                        interpolation: Interpolation,
                        keys: usize,
                        rotation: &dyn Fn(f64) -> DQuat| {
            let part = find(parts, name);
            tracks.push(
                self.track(part.0, interpolation, keys, "rotation", &|phase| {
                    (part.1.turned * rotation(phase))
                        .normalize()
                        .to_array()
                        .into()
                }),
            );
        };
        let turns = f64::from(self.turns);
        // Eight keys a turn: far enough under the half turn at which the short way round would be the wrong one.
        turn(
            "sails",
            Interpolation::Linear,
            8 * self.turns as usize + 1,
            &|phase| roll(-360.0 * turns * phase),
        );
        turn(
            "fantail",
            Interpolation::Linear,
            32 * self.turns as usize + 1,
            &|phase| roll(360.0 * 4.0 * turns * phase),
        );
        let wind = |phase: f64| {
            self.wander * (wave(phase) + 0.4 * wave(2.0 * phase + 0.2) + 0.2 * wave(5.0 * phase))
        };
        turn("vane", Interpolation::Cubic, 33, &|phase| {
            yaw(1.6 * wind(phase))
        });
        turn("cap", Interpolation::Cubic, 17, &|phase| {
            yaw(0.6 * self.wander * wave(phase - 0.08))
        });
        for (i, name) in FLAG.into_iter().enumerate() {
            let lag = 0.16 * i as f64;
            let flutter = f64::from(self.flutter);
            turn(
                name,
                Interpolation::Cubic,
                8 * self.flutter as usize + 1,
                &|phase| {
                    let swing = self.flap * (0.5 + 0.2 * i as f64) * wave(flutter * phase - lag);
                    let heading = if i == 0 { 0.8 * wind(phase) } else { 0.0 };
                    yaw(heading + swing)
                        * roll(-self.droop + 4.0 * wave(2.0 * flutter * phase - lag))
                },
            );
        }
        for (arm, _, _, _) in CLOUDS {
            turn(arm, Interpolation::Cubic, 17, &|phase| {
                yaw(self.wander * 0.9 * wave(phase - 0.2))
            });
        }
        // One hen makes its round; the others peck, each in its own time.
        turn("roost", Interpolation::Linear, 17, &|phase| {
            yaw(360.0 * phase)
        });
        let bobs = 8.0;
        for (k, (hen, neck, head, _, _)) in HENS.into_iter().enumerate() {
            let shift = 0.31 * k as f64;
            let pecks = |phase: f64| {
                let cycle = 2.0 * phase + shift;
                let cycle = cycle - cycle.floor();
                bump(cycle - 0.4, 0.14) + bump(cycle - 0.62, 0.12)
            };
            if hen == "hen_3" {
                turn(hen, Interpolation::Linear, 49, &|phase| {
                    roll(5.0 * wave(bobs * phase)) * pitch(3.0 * wave(2.0 * bobs * phase))
                });
                turn(head, Interpolation::Linear, 49, &|phase| {
                    pitch(9.0 * wave(2.0 * bobs * phase - 0.15))
                });
            } else {
                turn(hen, Interpolation::Linear, 49, &|phase| {
                    pitch(24.0 * pecks(phase)) * yaw(10.0 * wave(phase + shift))
                });
                turn(neck, Interpolation::Linear, 49, &|phase| {
                    pitch(50.0 * pecks(phase))
                });
                turn(head, Interpolation::Linear, 49, &|phase| {
                    pitch(22.0 * pecks(phase - 0.012))
                        * yaw(14.0 * wave(2.0 * phase + shift) * (1.0 - pecks(phase)))
                });
            }
        }
        for (_, name, at, _) in CLOUDS {
            let (node, _) = find(parts, name);
            let drift = |phase: f64| {
                (DVec3::from_array(at) + dvec3(0.0, 0.06 * wave(phase + at[0]), 0.0))
                    .to_array()
                    .to_vec()
            };
            tracks.push(self.track(node, Interpolation::Cubic, 9, "translation", &drift));
        }
        let (walker, part) = find(parts, "hen_3");
        let hop = |phase: f64| {
            (part.at + DVec3::Y * (0.02 * wave(bobs * phase) * wave(bobs * phase)))
                .to_array()
                .to_vec()
        };
        tracks.push(self.track(walker, Interpolation::Linear, 49, "translation", &hop));
        Clip {
            name: self.name,
            tracks,
        }
    }

    /// Samples a function of the phase, 0 to 1; cubic keys get its slopes as tangents.
    fn track(
        &self,
        node: usize,
        interpolation: Interpolation,
        keys: usize,
        path: &'static str,
        value: &dyn Fn(f64) -> Vec<f64>,
    ) -> Track {
        const STEP: f64 = 1.0 / 4096.0;
        let times = even_times(self.duration_secs, keys);
        let mut values: Vec<f64> = Vec::new();
        let mut last: Vec<f64> = value(0.0);
        for &time in &times {
            let phase = time / self.duration_secs;
            let [before, here, after] = [phase - STEP, phase, phase + STEP].map(|phase| {
                let mut v = value(phase);
                // q and −q are one rotation: stay on the side of the key before.
                if path == "rotation" && v.iter().zip(&last).map(|(a, b)| a * b).sum::<f64>() < 0.0
                {
                    v.iter_mut().for_each(|x| *x = -*x);
                }
                v
            });
            let slope = before
                .iter()
                .zip(&after)
                .map(|(b, a)| (a - b) / (2.0 * STEP * self.duration_secs));
            let slope: Vec<f64> = slope.collect();
            if interpolation == Interpolation::Cubic {
                values.extend(slope.iter().chain(&here).chain(&slope));
            } else {
                values.extend(&here);
            }
            last = here;
        }
        Track {
            node,
            path,
            interpolation,
            times,
            values,
        }
    }
}

fn find<'a>(parts: &'a [Part], name: &str) -> (usize, &'a Part) {
    let found = parts.iter().enumerate().find(|(_, part)| part.name == name);
    found.unwrap_or_else(|| panic!("the windmill has no part {name}"))
}
