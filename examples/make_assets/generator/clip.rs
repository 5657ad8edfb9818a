//! Clips: poses baked into tracks, and tracks written as glTF animations.

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::glb::Glb;
use super::math::snap;
use super::pose::Pose;
use super::rig::Rig;

/// How a track goes from key to key (glTF 2.0 §3.11).
#[derive(Clone, Copy, PartialEq)]
pub enum Interpolation {
    /// Holds each key until the next.
    Step,
    /// Straight, or spherical for rotations.
    Linear,
    /// Hermite curves; each key is in-tangent, value, out-tangent.
    Cubic,
}

/// The curve of one property of one node.
pub struct Track {
    /// Index of the node in the file.
    pub node: usize,
    /// "translation", "rotation", "scale" or "weights".
    pub path: &'static str,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
    /// Key times, rising.
    pub times: Vec<f64>,
    /// Values, key after key; three times as many for cubic curves.
    pub values: Vec<f64>,
}

/// A named animation.
pub struct Clip {
    /// Its name.
    pub name: &'static str,
    /// Its tracks.
    pub tracks: Vec<Track>,
}

/// `count` key times spread evenly over a duration, both ends included.
pub fn even_times(duration_secs: f64, count: usize) -> Vec<f64> {
    (0..count)
        .map(|i| duration_secs * i as f64 / (count - 1) as f64)
        .collect()
}

/// Samples a moving pose at the key times. Properties that never leave the rest pose get no track.
pub fn bake<'a>(
    rig: &Rig,
    nodes: &[usize],
    times: &[f64],
    interpolation: Interpolation,
    pose_at: impl Fn(f64) -> Pose<'a>,
) -> Vec<Track> {
    // Tangents are slopes per second, by central differences over 1/128 s.
    const STEP: f64 = 1.0 / 256.0;
    let poses: Vec<[Pose<'_>; 3]> = times
        .iter()
        .map(|&t| [t - STEP, t, t + STEP].map(&pose_at))
        .collect();
    let mut tracks = Vec::new();
    for (joint, &node) in nodes.iter().enumerate() {
        let mut add = |path: &'static str, rest: &[f64], read: &dyn Fn(&Pose<'_>) -> Vec<f64>| {
            let mut values = Vec::new();
            let mut last = rest.to_vec();
            let first = read(&poses[0][1]);
            let (mut moves, mut changes) = (false, false);
            for [before, here, after] in &poses {
                let mut at = [read(before), read(here), read(after)];
                // q and −q are one rotation: stay on the side of the key before, so that curves take the short way.
                if path == "rotation" {
                    for value in &mut at {
                        if value.iter().zip(&last).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                            value.iter_mut().for_each(|v| *v = -*v);
                        }
                    }
                }
                let [before, here, after] = at;
                let slope: Vec<f64> = before
                    .iter()
                    .zip(&after)
                    .map(|(b, a)| (a - b) / (2.0 * STEP))
                    .collect();
                let differs =
                    |other: &[f64]| here.iter().zip(other).any(|(a, b)| (a - b).abs() > 1e-5);
                moves |= differs(rest);
                changes |= differs(&first);
                if interpolation == Interpolation::Cubic {
                    values.extend(&slope);
                    values.extend(&here);
                    values.extend(&slope);
                } else {
                    values.extend(&here);
                }
                last = here;
            }
            if moves {
                let mut times = times.to_vec();
                if !changes {
                    // Held all along: the first and the last key say it all.
                    let width = values.len() / times.len();
                    values.drain(width..values.len() - width);
                    times.drain(1..times.len() - 1);
                }
                tracks.push(Track {
                    node,
                    path,
                    interpolation,
                    times,
                    values,
                });
            }
        };
        let offset = rig.offset(joint);
        add("translation", &offset.to_array(), &|pose| {
            (offset + pose.shifts[joint]).to_array().into()
        });
        add("rotation", &DQuat::IDENTITY.to_array(), &|pose| {
            pose.rotations[joint].normalize().to_array().into()
        });
        add("scale", &DVec3::ONE.to_array(), &|pose| {
            pose.scales[joint].to_array().into()
        });
    }
    tracks
}

/// Writes animations. Key times are shared where they are equal.
pub fn write_clips(glb: &mut Glb, clips: &[Clip]) {
    for clip in clips {
        let mut inputs: Vec<(Vec<f32>, usize)> = Vec::new();
        let (mut samplers, mut channels): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for track in &clip.tracks {
            let times: Vec<f32> = track.times.iter().map(|&t| snap(t) as f32).collect();
            let input = match inputs.iter().find(|(known, _)| *known == times) {
                Some((_, accessor)) => *accessor,
                None => {
                    let accessor = glb.key_times(&times);
                    inputs.push((times, accessor));
                    accessor
                }
            };
            let kind = match track.path {
                "rotation" => "VEC4",
                "weights" => "SCALAR",
                _ => "VEC3",
            };
            // Twenty binary places keep a rotation's length within 2e-6 of 1.
            let values: Vec<f32> = track
                .values
                .iter()
                .map(|&v| ((v * 1048576.0).round() / 1048576.0) as f32)
                .collect();
            let output = glb.key_values(&values, kind);
            let interpolation = match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::Cubic => "CUBICSPLINE",
            };
            samplers
                .push(json!({ "input": input, "output": output, "interpolation": interpolation }));
            channels.push(json!({
                "sampler": samplers.len() - 1,
                "target": { "node": track.node, "path": track.path },
            }));
        }
        glb.push(
            "animations",
            json!({ "name": clip.name, "samplers": samplers, "channels": channels }),
        );
    }
}
