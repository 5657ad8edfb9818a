//! From clip to clip without a jump: what went on before a switch goes on, with less and less weight.

use crate::anim::{Clock, LoopMode, blend::CrossFade};

/// A clip at a time, as a part of a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipPart {
    /// Index of the clip; none is the file's own pose.
    pub clip: Option<usize>,
    /// When in it.
    pub time_secs: f64,
    /// How much of it.
    pub weight: f32,
}

/// Parts of a pose at most: of clips that were switched more often than that within a fade, those that count least are left
/// out. Early in a long fade that is not the oldest, which then still is nearly all there is.
pub const MAX_PARTS: usize = 8;

/// What else counts, besides the clip in force, since clips were switched.
#[derive(Debug)]
pub(in crate::app) struct Transition {
    fade: CrossFade,
    past: Vec<Past>,
    /// By what the fade knows the clip in force; those before have lower numbers.
    newest: usize,
}

/// What went on before, and goes on.
#[derive(Debug)]
struct Past {
    number: usize,
    clip: Option<usize>,
    clock: Clock,
}

impl Default for Transition {
    fn default() -> Self {
        Self {
            fade: CrossFade::new(0),
            past: Vec::new(),
            newest: 0,
        }
    }
}

impl Transition {
    /// Goes over to another clip, from `clip` as `clock` has it.
    pub(in crate::app) fn start(&mut self, clip: Option<usize>, clock: &Clock, duration_secs: f64) {
        self.past.push(Past {
            number: self.newest,
            clip,
            clock: fading_clock(clock),
        });
        self.newest += 1;
        self.fade.start(self.newest, duration_secs);
        self.forget();
    }

    /// Puts an end to what went on before.
    pub(in crate::app) fn cut(&mut self) {
        self.fade.start(self.newest, 0.0);
        self.forget();
    }

    pub(in crate::app) fn tick(&mut self, elapsed_secs: f64) {
        self.fade.tick(elapsed_secs);
        for past in &mut self.past {
            past.clock.tick(elapsed_secs);
        }
        self.forget();
    }

    /// Whether the clip in force counts alone.
    pub(in crate::app) fn is_over(&self) -> bool {
        self.fade.is_done()
    }

    /// All that counts, the oldest first, with weights of sum 1; `now` is the clip in force.
    pub(in crate::app) fn parts(&self, now: ClipPart) -> impl Iterator<Item = ClipPart> + '_ {
        let kept = move || {
            self.fade.weights().filter_map(move |(number, weight)| {
                if number == self.newest {
                    return Some(ClipPart { weight, ..now });
                }
                let past = self.past.iter().find(|past| past.number == number)?;
                Some(ClipPart {
                    clip: past.clip,
                    time_secs: past.clock.time_secs(),
                    weight,
                })
            })
        };
        // The share of those that were left out goes to the others. The heaviest is never among them.
        let sum: f32 = kept().map(|part| part.weight).sum();
        kept().map(move |part| ClipPart {
            weight: part.weight / sum,
            ..part
        })
    }

    fn weight_of(&self, past: &Past) -> f32 {
        let found = self
            .fade
            .weights()
            .find(|(number, _)| *number == past.number);
        found.map_or(0.0, |(_, weight)| weight)
    }

    fn forget(&mut self) {
        let fade = &self.fade;
        self.past
            .retain(|past| fade.weights().any(|(number, _)| number == past.number));
        while self.past.len() >= MAX_PARTS {
            let weights = self.past.iter().map(|past| self.weight_of(past));
            let lightest = weights.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            self.past.remove(lightest.map_or(0, |(index, _)| index));
        }
    }
}

/// A clock for what goes on while it fades out. What ends meanwhile stays there: its first pose would be a leap.
pub(super) fn fading_clock(clock: &Clock) -> Clock {
    let mut clock = clock.clone();
    if clock.loop_mode() == LoopMode::Once {
        clock.set_loop_mode(LoopMode::Hold);
    }
    clock
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: ClipPart = ClipPart {
        clip: None,
        time_secs: 0.1,
        weight: 0.0,
    };

    #[test]
    fn what_went_on_goes_on_and_fades() {
        let mut before = Clock::new(1.0);
        before.play();
        before.seek(0.5);
        let mut transition = Transition::default();
        assert!(transition.is_over());
        transition.start(Some(3), &before, 0.2);
        transition.tick(0.1);
        let parts: Vec<_> = transition.parts(NOW).collect();
        let half = |part| ClipPart {
            weight: 0.5,
            ..part
        };
        let old = ClipPart {
            clip: Some(3),
            time_secs: 0.6,
            weight: 0.0,
        };
        assert_eq!(parts, [half(old), half(NOW)]);
        transition.tick(0.2);
        assert!(transition.is_over() && transition.past.is_empty());
        assert_eq!(
            transition.parts(NOW).collect::<Vec<_>>(),
            [ClipPart { weight: 1.0, ..NOW }]
        );
    }

    #[test]
    fn what_ends_while_it_fades_stays_at_its_end() {
        let mut before = Clock::new(1.0);
        before.set_loop_mode(LoopMode::Once);
        before.seek(0.95);
        before.play();
        let mut transition = Transition::default();
        transition.start(Some(3), &before, 0.2);
        transition.tick(0.1);
        let old = transition.parts(NOW).next().unwrap();
        assert_eq!((old.clip, old.time_secs), (Some(3), 1.0));
    }

    #[test]
    fn weights_sum_to_1_and_do_not_jump_however_often_clips_are_switched() {
        let mut transition = Transition::default();
        let clock = Clock::new(1.0);
        let mut before = [0.0_f32; 31];
        before[0] = 1.0;
        for step in 0..300 {
            let clip = step.min(30);
            if step > 0 && step <= 30 {
                transition.start(Some(step - 1), &clock, 2.0);
            }
            transition.tick(0.01);
            let now = ClipPart {
                clip: Some(clip),
                time_secs: 0.0,
                weight: 0.0,
            };
            let mut weights = [0.0; 31];
            for part in transition.parts(now) {
                weights[part.clip.unwrap()] += part.weight;
            }
            let sum: f32 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "step {step}: {sum}");
            // A fade alone changes a weight by 0.0075 a step at most, and thirty go on at once.
            for (before, now) in before.iter().zip(weights) {
                let change = (before - now).abs();
                assert!(change < 0.1, "step {step}: {before} to {now}");
            }
            before = weights;
        }
    }

    #[test]
    fn switching_often_keeps_few_and_a_cut_none() {
        let mut transition = Transition::default();
        let clock = Clock::new(1.0);
        for clip in 0..30 {
            transition.start(Some(clip), &clock, 2.0);
            transition.tick(0.01);
        }
        let now = ClipPart {
            clip: Some(99),
            time_secs: 0.0,
            weight: 0.0,
        };
        assert_eq!(transition.parts(now).count(), MAX_PARTS);
        let newest = transition.parts(now).last().unwrap();
        assert_eq!(newest.clip, Some(99));
        transition.cut();
        assert_eq!(transition.parts(now).count(), 1);
    }
}
