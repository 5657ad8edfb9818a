//! A file that cannot be read at all: by which name that is known, and where in the file it is.

use std::{fmt, io};

use super::{
    diagnostics::{Diagnostic, Place, Severity},
    unsupported::Unsupported,
};

/// Why nothing can be read of a file.
#[derive(Debug)]
pub(in crate::import) struct Refusal {
    code: &'static str,
    pointer: &'static str,
    message: String,
}

impl Refusal {
    /// `code` and `pointer` are as those of a [`Diagnostic`].
    pub(in crate::import) fn new(
        code: &'static str,
        pointer: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            pointer,
            message: message.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// The error of a load as a finding like all others.
pub fn finding_of(error: &anyhow::Error) -> Diagnostic {
    let (code, pointer) = if let Some(refusal) = error.downcast_ref::<Refusal>() {
        (refusal.code, refusal.pointer)
    } else if error.downcast_ref::<Unsupported>().is_some() {
        ("UNSUPPORTED_EXTENSION", "/extensionsRequired")
    } else if error.downcast_ref::<io::Error>().is_some() {
        ("IO_ERROR", "")
    } else {
        ("FILE_UNREADABLE", "")
    };
    Diagnostic {
        severity: Severity::Error,
        code,
        pointer: pointer.to_owned(),
        message: format!("{error:#}"),
        action: "nothing of it is read".to_owned(),
        place: Place::default(),
        others: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_findings() {
        let refusal = Refusal::new("INVALID_JSON", "", "its JSON is bad");
        let error = anyhow::Error::from(refusal).context("a.gltf");
        let found = finding_of(&error);
        assert_eq!(found.code, "INVALID_JSON");
        assert_eq!(found.message, "a.gltf: its JSON is bad");
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let error = anyhow::Error::from(missing).context("a.gltf");
        assert_eq!(finding_of(&error).code, "IO_ERROR");
        let other = finding_of(&anyhow::anyhow!("something else"));
        assert_eq!((other.code, &*other.pointer), ("FILE_UNREADABLE", ""));
    }
}
