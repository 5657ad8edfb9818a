//! Morph weights of a clip: for each span only those targets that are on somewhere in it, so that what is off costs nothing.

use crate::{
    anim::{ActiveMorph, sample::track_value},
    model::{Clip, Timeline, Track},
};

use super::{
    curve,
    spans::{self, Spans},
};

/// The morph weights of one placement.
#[derive(Debug)]
pub(super) struct PlacementMorphs {
    weights: Weights,
    /// Single weights that tracks of their own move (`/nodes/n/weights/i`): the index of the weight and of the track among
    /// the clip's properties. They come after those that move all weights of a node, as in [`crate::anim::sample()`].
    singles: Vec<(u32, usize)>,
}

/// The morph weights of a node.
#[derive(Debug)]
pub(super) enum Weights {
    /// The clip does not touch them.
    Fixed(Vec<ActiveMorph>),
    /// The clip moves them.
    Moving(MovingWeights),
}

/// Weights as polynomials of the fraction of each span. Their spans are those of their own track.
#[derive(Debug)]
pub(super) struct MovingWeights {
    spans: Spans,
    /// Where the curves of each span start, and where those of the last one end.
    starts: Vec<usize>,
    curves: Vec<WeightCurve>,
}

#[derive(Debug)]
struct WeightCurve {
    target: u32,
    coefficients: [f32; 4],
}

impl PlacementMorphs {
    /// `weights`, and single weights with the tracks that move them.
    pub(super) fn new(weights: Weights, singles: Vec<(u32, usize)>) -> Self {
        Self { weights, singles }
    }

    /// Appends the morphs that are on at a time, ordered by target.
    pub(super) fn push(&self, clip: Option<&Clip>, time_secs: f64, morphs: &mut Vec<ActiveMorph>) {
        let first = morphs.len();
        self.weights.push(time_secs, morphs);
        let Some(clip) = clip else { return };
        for &(target, index) in &self.singles {
            let track = &clip.properties()[index];
            let timeline = &clip.timelines()[track.timeline()];
            let weight = track_value(track, timeline, time_secs, 0);
            let before = morphs[first..].partition_point(|morph| morph.target < target);
            let place = first + before;
            let is_on = morphs
                .get(place)
                .is_some_and(|morph| morph.target == target);
            let morph = ActiveMorph { target, weight };
            match (is_on, weight != 0.0) {
                (true, true) => morphs[place] = morph,
                (true, false) => drop(morphs.remove(place)),
                (false, true) => morphs.insert(place, morph),
                (false, false) => {}
            }
        }
    }
}

impl Weights {
    /// Weights that stay as they are.
    pub(super) fn fixed(weights: &[f32]) -> Self {
        let on = (0..).zip(weights).filter(|&(_, &weight)| weight != 0.0);
        Self::Fixed(
            on.map(|(target, &weight)| ActiveMorph { target, weight })
                .collect(),
        )
    }

    /// Weights that follow a track.
    pub(super) fn moving(track: &Track<f32>, timeline: &Timeline) -> Self {
        let moments = spans::moments_of(timeline.times_secs());
        let mut curves = Vec::new();
        let mut starts = vec![0];
        for (start, end) in spans::ends(&moments) {
            for target in 0..track.width() {
                let number = |index: usize| {
                    glam::DVec4::splat(f64::from(track.values()[index * track.width() + target]))
                };
                let cubic = curve::cubic(track, timeline, start, end, number);
                let coefficients = cubic.0.map(|c| c.x as f32);
                if coefficients != [0.0; 4] {
                    let target = target as u32;
                    curves.push(WeightCurve {
                        target,
                        coefficients,
                    });
                }
            }
            starts.push(curves.len());
        }
        let spans = Spans::new(&moments);
        Self::Moving(MovingWeights {
            spans,
            starts,
            curves,
        })
    }

    fn push(&self, time_secs: f64, morphs: &mut Vec<ActiveMorph>) {
        match self {
            Self::Fixed(on) => morphs.extend_from_slice(on),
            Self::Moving(weights) => weights.push(time_secs, morphs),
        }
    }
}

impl MovingWeights {
    fn push(&self, time_secs: f64, morphs: &mut Vec<ActiveMorph>) {
        let moment = self.spans.find(time_secs);
        let span = moment.span as usize;
        let t = moment.fraction;
        let curves = &self.curves[self.starts[span]..self.starts[span + 1]];
        morphs.extend(curves.iter().filter_map(|curve| {
            let [a, b, c, d] = curve.coefficients;
            let (target, weight) = (curve.target, a + t * (b + t * (c + t * d)));
            (weight != 0.0).then_some(ActiveMorph { target, weight })
        }));
    }
}
