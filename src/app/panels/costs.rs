//! What frames cost, for the statistics.

use std::time::Duration;

use crate::ui::FrameCost;

/// Frames that are remembered.
const MAX_FRAMES: usize = 120;

/// The last frames, and the one that is being drawn.
#[derive(Debug, Default)]
pub(in crate::app) struct Costs {
    recent: Vec<FrameCost>,
    /// Of the frame that is being drawn.
    pub(in crate::app) now: FrameCost,
}

impl Costs {
    /// The frame is done.
    pub(in crate::app) fn finish(&mut self) {
        if self.recent.len() >= MAX_FRAMES {
            self.recent.remove(0);
        }
        self.recent.push(std::mem::take(&mut self.now));
    }

    /// The last frames, the latest last.
    pub(in crate::app) fn recent(&self) -> &[FrameCost] {
        &self.recent
    }
}

/// Milliseconds.
pub(in crate::app) fn millis(duration: Duration) -> f32 {
    1e3 * duration.as_secs_f32()
}
