//! The document that is shown: the file that was opened, what was found in it, and the files whose clips were added to it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    app::{findings::Findings, motion::Borrowings, time::ClipsKey},
    import::Diagnostic,
};

/// Where the model came from, and what is known of its file.
#[derive(Debug, Default)]
pub(in crate::app) struct Document {
    /// None if the model is built in.
    path: Option<PathBuf>,
    load_time: Duration,
    pub(in crate::app) findings: Findings,
    pub(in crate::app) borrowed: Borrowings,
    model_generation: u64,
    generation: u64,
}

impl Document {
    /// Another file is shown, of which this was found; clips of other files belonged to the one before.
    pub(in crate::app) fn open(
        &mut self,
        path: Option<PathBuf>,
        findings: Vec<Diagnostic>,
        load_time: Duration,
    ) {
        self.path = path;
        self.load_time = load_time;
        self.findings.replace(findings);
        self.borrowed.clear();
        self.model_generation += 1;
        self.generation += 1;
    }

    /// What was opened last is the document of this [generation](Self::generation), which was read again.
    pub(in crate::app) fn go_on_as(&mut self, generation: u64) {
        self.generation = generation;
    }

    /// Where the model came from; none if it is built in.
    pub(in crate::app) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// How long it took to read.
    pub(in crate::app) fn load_time(&self) -> Duration {
        self.load_time
    }

    /// Counts the models, so that the window knows when to upload one.
    pub(in crate::app) fn model_generation(&self) -> u64 {
        self.model_generation
    }

    /// Counts the files that were opened: a model that was read again has the number it had.
    pub(in crate::app) fn generation(&self) -> u64 {
        self.generation
    }

    /// Which clips there are.
    pub(in crate::app) fn clips_key(&self) -> ClipsKey {
        ClipsKey {
            model: self.model_generation,
            borrowed: self.borrowed.generation,
        }
    }
}
