//! Views of buffers that cannot be read, and what is said of all that needs them.

use crate::import::base::diagnostics::{Fault, OF_LOST_BUFFERS, Severity};

/// How bad it is that a view cannot be read, and which buffer that is the fault of; none if it is its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost {
    pub severity: Severity,
    pub buffer: Option<usize>,
}

impl Lost {
    pub(super) const BY_ITSELF: Self = Self {
        severity: Severity::Error,
        buffer: None,
    };

    pub(super) fn with(buffer: usize, severity: Severity) -> Self {
        let buffer = Some(buffer);
        Self { severity, buffer }
    }
}

/// What is said of all that needs a buffer which cannot be read.
pub(super) fn without(buffer: usize, severity: Severity) -> Fault {
    Fault {
        severity,
        code: OF_LOST_BUFFERS,
        message: format!("buffer {buffer} has no data"),
    }
}
