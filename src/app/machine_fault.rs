//! What the exit code tells apart from a fault of the input.

use std::fmt;

/// The machine keeps the program from doing its work, and not what it was given: there is no display, or no graphics adapter.
#[derive(Debug)]
pub struct MachineFault(pub anyhow::Error);

impl fmt::Display for MachineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for MachineFault {}
