//! What the panels remember from one run to the next.

use std::collections::BTreeSet;

use crate::ui::{UiState, widgets::section::Folds};

/// How the user left the panels.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelMemory {
    /// Widths of the left and of the right one, in points.
    pub widths: [f32; 2],
    /// Whether, where only one of them fits, it is the right one.
    pub inspector_first: bool,
    /// Height of the sheet, in points; none for the one that it begins with.
    pub sheet_height: Option<f32>,
    /// Titles of the parts that are folded.
    pub folded: BTreeSet<String>,
}

impl Default for PanelMemory {
    fn default() -> Self {
        UiState::default().memory()
    }
}

impl UiState {
    /// How the panels are.
    pub fn memory(&self) -> PanelMemory {
        PanelMemory {
            widths: self.panels.widths,
            inspector_first: self.panels.inspector_first,
            sheet_height: self.sheet.height,
            folded: self.folds.0.clone(),
        }
    }

    /// Puts the panels like this, as far as that is possible; before the first frame.
    pub fn remember(&mut self, memory: &PanelMemory) {
        self.panels.set_widths(memory.widths);
        self.panels.inspector_first = memory.inspector_first;
        self.sheet.height = memory.sheet_height.filter(|height| height.is_finite());
        self.folds = Folds(memory.folded.clone());
    }
}
