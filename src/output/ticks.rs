//! How long frames are shown, in the whole ticks that formats count.

/// Durations of frames at a steady rate. Each frame ends at the tick nearest to its exact end, so that the sum is never more
/// than half a tick off, however many frames there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    ticks_a_frame: f64,
    frame: u32,
}

impl Ticks {
    /// For `fps` frames a second, in ticks of which a second has `ticks_a_sec`.
    pub fn new(fps: f64, ticks_a_sec: f64) -> Self {
        Self {
            ticks_a_frame: ticks_a_sec / fps,
            frame: 0,
        }
    }

    /// How long the next frame is shown.
    pub fn next_frame(&mut self) -> u64 {
        let end = |frame: u32| (f64::from(frame) * self.ticks_a_frame).round() as u64;
        let ticks = end(self.frame.saturating_add(1)) - end(self.frame);
        self.frame = self.frame.saturating_add(1);
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_exact_in_sum() {
        for (fps, ticks_a_sec) in [(30.0, 100.0), (24.0, 1000.0), (23.976, 100.0), (7.0, 100.0)] {
            let mut ticks = Ticks::new(fps, ticks_a_sec);
            let mut sum = 0;
            for frame in 1..=1000_u32 {
                sum += ticks.next_frame();
                let exact = f64::from(frame) * ticks_a_sec / fps;
                assert!((sum as f64 - exact).abs() <= 0.5 + 1e-9, "{fps} {frame}");
            }
        }
        let mut thirty = Ticks::new(30.0, 100.0);
        let first = [(); 6].map(|()| thirty.next_frame());
        assert_eq!(first, [3, 4, 3, 3, 4, 3]);
    }
}
