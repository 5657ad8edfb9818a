//! Morph weights of a clip: for each span only those targets that are on somewhere in it, so that what is off costs nothing.

use crate::{
    anim::ActiveMorph,
    model::{Timeline, Track},
};

use super::{
    curve,
    spans::{self, Spans},
};

/// The morph weights of one placement.
#[derive(Debug)]
pub(super) enum PlacementMorphs {
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

    /// Appends the morphs that are on at a time.
    pub(super) fn push(&self, time_secs: f64, morphs: &mut Vec<ActiveMorph>) {
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
