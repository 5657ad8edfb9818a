//! Properties that objects have more than once, which they should not: the last of them counts (glTF 2.0 §2.7).

use std::fmt;

use crate::import::base::{diagnostics::Diagnostics, wording::counted};

/// How many properties are there more than once, and where the first of them is.
#[derive(Debug, Clone, Default)]
pub(in crate::import) struct Doubled {
    first: Option<String>,
    others: usize,
}

impl Doubled {
    /// Takes note of one with this pointer.
    pub(in crate::import) fn add(&mut self, pointer: impl fmt::Display) {
        if self.first.is_none() {
            self.first = Some(pointer.to_string());
        } else {
            self.others = self.others.saturating_add(1);
        }
    }

    /// Says so of all of them at once: what writes one twice may do so in every object.
    pub(in crate::import) fn report(self, diagnostics: &mut Diagnostics) {
        let Some(pointer) = self.first else {
            return;
        };
        let message = match self.others {
            0 => "it is there more than once".to_owned(),
            more => {
                let others = counted(more, "other property", "other properties");
                format!("it is there more than once, as {others}")
            }
        };
        let action = "the last one counts";
        diagnostics.warning("DUPLICATE_PROPERTY", pointer, message, action);
    }
}
