//! Which variant of its materials a model shows.

use crate::{
    app::{Session, wanted::find_variant},
    model::Model,
};

/// The chosen variant, and the one that was asked for of all models.
#[derive(Debug, Default)]
pub(in crate::app) struct ChosenVariant {
    /// Index of the variant whose materials are shown.
    pub(in crate::app) shown: Option<usize>,
    /// The variant that models are to show which have it: a name or an index.
    wanted: Option<String>,
}

impl ChosenVariant {
    /// Another model is shown.
    pub(in crate::app) fn open(&mut self, model: &Model) {
        let wanted = self.wanted.as_deref();
        self.shown = wanted.and_then(|wanted| find_variant(model, wanted).ok());
    }

    /// Shows a variant that the model has, or none.
    pub(in crate::app) fn choose(&mut self, variant: Option<usize>, model: &Model) {
        if variant.is_none_or(|variant| variant < model.variants.len()) {
            self.shown = variant;
        }
    }
}

impl Session {
    /// Shows a variant, by its name or its index, on all models from now on that have it.
    pub fn want_variant(&mut self, wanted: Option<String>) {
        self.variant.wanted = wanted;
    }

    /// Index of the variant whose materials are shown.
    pub fn variant(&self) -> Option<usize> {
        self.variant.shown
    }
}
