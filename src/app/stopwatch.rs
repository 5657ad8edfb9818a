//! How long something takes, for messages.

use std::time::Instant;

/// Runs from its beginning.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since then.
    pub fn secs(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
