//! One phase for several cycles: walk and run blend step by step, although one is longer than the other.

/// A phase from 0 to 1 that clips of different length share.
///
/// A cycle of the blend takes the weighted mean of the clips' durations, so every clip is played slower or faster than
/// it is, and all begin anew together: the time warping of S. I. Park, H. J. Shin and S. Y. Shin, "On-line Locomotion
/// Generation Based on Motion Blending", 2002, with the ends of the cycle as the only key times.
///
/// ```
/// use rigscope::anim::blend::PhaseClock;
/// let (walk, run) = ((1.2, 0.5), (0.8, 0.5));
/// let mut clock = PhaseClock::default();
/// clock.tick(0.25, &[walk, run]); // a quarter of the mean of 1.0 s
/// assert_eq!(clock.phase(), 0.25);
/// assert_eq!((clock.time_secs(1.2), clock.time_secs(0.8)), (0.3, 0.2));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PhaseClock {
    phase: f64,
}

impl PhaseClock {
    /// How far the cycle has gone: 0 or more, less than 1.
    pub fn phase(&self) -> f64 {
        self.phase
    }

    /// Goes to a phase; whole cycles are dropped.
    pub fn seek(&mut self, phase: f64) {
        if phase.is_finite() {
            // The remainder of a tiny negative number rounds up to 1.
            self.phase = Some(phase.rem_euclid(1.0))
                .filter(|phase| *phase < 1.0)
                .unwrap_or(0.0);
        }
    }

    /// Lets time pass, forwards or backwards, for clips of these durations in seconds and weights.
    pub fn tick(&mut self, elapsed_secs: f64, clips: &[(f64, f32)]) {
        let duration_secs = Self::duration_secs(clips);
        if duration_secs > 0.0 {
            self.seek(self.phase + elapsed_secs / duration_secs);
        }
    }

    /// How long a cycle of the blend takes: the weighted mean of durations; 0 without any weight.
    pub fn duration_secs(clips: &[(f64, f32)]) -> f64 {
        let weights = clips.iter().map(|(_, weight)| f64::from(weight.max(0.0)));
        let total: f64 = weights.clone().sum();
        let sum: f64 = clips
            .iter()
            .zip(weights)
            .map(|((duration, _), weight)| duration * weight)
            .sum();
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// Where a clip of this duration is now.
    pub fn time_secs(&self, duration_secs: f64) -> f64 {
        self.phase * duration_secs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_alone_runs_at_its_own_speed_and_cycles_stay_together() {
        let mut clock = PhaseClock::default();
        for _ in 0..8 {
            clock.tick(0.125, &[(1.25, 1.0), (0.75, 0.0)]);
        }
        assert!((clock.time_secs(1.25) - 1.0).abs() < 1e-12);
        clock.tick(0.5, &[(1.25, 1.0), (0.75, 1.0)]);
        assert!((clock.phase() - 0.3).abs() < 1e-12);
        clock.tick(-0.4, &[(1.25, 1.0), (0.75, 1.0)]);
        assert!((clock.phase() - 0.9).abs() < 1e-12);
    }

    #[test]
    fn nonsense_leaves_the_phase_alone() {
        let mut clock = PhaseClock::default();
        clock.seek(0.5);
        clock.tick(1.0, &[]);
        clock.tick(1.0, &[(0.0, 1.0), (2.0, -1.0)]);
        clock.tick(f64::NAN, &[(1.0, 1.0)]);
        clock.seek(f64::INFINITY);
        assert_eq!(clock.phase(), 0.5);
        clock.seek(-1e-30);
        assert_eq!(clock.phase(), 0.0);
    }
}
