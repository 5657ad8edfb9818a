//! Cross-fades: from clip to clip without a jump, also when the next change comes before the last one is over.

/// Weights that go over from one clip to the next, and on to the one after.
///
/// A fade's share of its clip is `s = `[`smoothstep`]`(elapsed / duration)` and the rest, 1 − s, is left to what went on
/// before, itself a fade that runs on. So the weight of fade *i* is `sᵢ · Π (1 − sⱼ)` over the fades *j* after it: their
/// sum is 1, and as a product of functions with continuous first derivatives each weight has one too, whenever fades
/// are started.
///
/// ```
/// use rigscope::anim::blend::CrossFade;
/// let mut fade = CrossFade::new(0);
/// fade.start(3, 0.5);
/// fade.tick(0.25);
/// assert_eq!(fade.weights().collect::<Vec<_>>(), [(0, 0.5), (3, 0.5)]);
/// ```
#[derive(Debug, Clone)]
pub struct CrossFade {
    /// The oldest first, which is whole.
    fades: Vec<Fade>,
}

#[derive(Debug, Clone, Copy)]
struct Fade {
    clip: usize,
    elapsed_secs: f64,
    duration_secs: f64,
}

impl Fade {
    fn share(&self) -> f32 {
        if self.elapsed_secs >= self.duration_secs {
            1.0
        } else {
            smoothstep((self.elapsed_secs / self.duration_secs) as f32)
        }
    }
}

impl CrossFade {
    /// All of one clip; `clip` is whatever the caller knows it by, such as its index.
    pub fn new(clip: usize) -> Self {
        let mut this = Self { fades: Vec::new() };
        this.start(clip, 0.0);
        this
    }

    /// Starts to go over to `clip`. A duration that is not positive is a cut.
    pub fn start(&mut self, clip: usize, duration_secs: f64) {
        self.fades.push(Fade {
            clip,
            elapsed_secs: 0.0,
            duration_secs: duration_secs.max(0.0),
        });
        self.forget_faded();
    }

    /// Lets time pass.
    pub fn tick(&mut self, elapsed_secs: f64) {
        if elapsed_secs > 0.0 {
            for fade in &mut self.fades {
                fade.elapsed_secs += elapsed_secs;
            }
            self.forget_faded();
        }
    }

    /// The clips in force and their weights, of sum 1, the oldest first. A clip that was started anew while it faded is
    /// there twice.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = (usize, f32)> + '_ {
        (0..self.fades.len()).map(|index| {
            let fade = &self.fades[index];
            let later = self.fades[index + 1..]
                .iter()
                .map(|fade| 1.0 - fade.share());
            (fade.clip, fade.share() * later.product::<f32>())
        })
    }

    /// Whether a single clip is left.
    pub fn is_done(&self) -> bool {
        self.fades.len() == 1
    }

    /// Drops what a finished fade has covered.
    fn forget_faded(&mut self) {
        let newest_whole = self.fades.iter().rposition(|fade| fade.share() == 1.0);
        self.fades.drain(..newest_whole.unwrap_or(0));
    }
}

/// The cubic 3t² − 2t³ from 0 to 1, with a slope of 0 at both ends; clamped outside.
pub fn smoothstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_1_and_change_smoothly_through_interruptions() {
        let mut fade = CrossFade::new(0);
        let dt = 1e-3;
        let mut before = [1.0_f32, 0.0, 0.0, 0.0];
        let mut speed_before = [0.0_f32; 4];
        for step in 0..3000 {
            match step {
                100 => fade.start(1, 0.7),
                400 => fade.start(2, 0.5),
                450 => fade.start(3, 0.9),
                700 => fade.start(1, 0.4),
                _ => {}
            }
            fade.tick(dt);
            let mut now = [0.0_f32; 4];
            for (clip, weight) in fade.weights() {
                now[clip] += weight;
            }
            assert!((now.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{now:?}");
            for clip in 0..4 {
                let speed = (now[clip] - before[clip]) / dt as f32;
                // The second derivative of smoothstep is at most 6 / duration²: that bounds how a speed may change in a
                // step; what a jump of the slope would do is a thousand times as much.
                let change = (speed - speed_before[clip]).abs();
                assert!(change < 0.15, "step {step}, clip {clip}: {change}");
                speed_before[clip] = speed;
            }
            before = now;
        }
        assert!(fade.is_done());
        assert_eq!(fade.weights().collect::<Vec<_>>(), [(1, 1.0)]);
    }

    #[test]
    fn a_fade_without_length_is_a_cut() {
        for nothing in [0.0, -1.0, f64::NAN] {
            let mut fade = CrossFade::new(0);
            fade.start(1, 10.0);
            fade.tick(5.0);
            fade.start(2, nothing);
            assert_eq!(fade.weights().collect::<Vec<_>>(), [(2, 1.0)]);
        }
    }
}
