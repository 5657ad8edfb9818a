//! Owners of what views of clips together and of morph weights borrow.

use rigscope::ui::{BorrowedRow, ConflictRow, MixRow, MixView, MorphRow, MorphsView};

/// Owns what a [`MixView`] borrows.
#[derive(Default)]
pub struct Mix {
    pub clips: Vec<MixRow>,
    pub in_step: bool,
    pub round_secs: Option<f64>,
    pub conflicts: Vec<ConflictRow>,
    pub borrowed: Vec<BorrowedRow>,
}

impl Mix {
    pub fn view(&self) -> MixView<'_> {
        MixView {
            clips: &self.clips,
            in_step: self.in_step,
            round_secs: self.round_secs,
            conflicts: &self.conflicts,
            borrowed: &self.borrowed,
        }
    }
}

/// Owns what a [`MorphsView`] borrows.
#[derive(Default)]
pub struct Morphs {
    pub rows: Vec<MorphRow>,
    pub values: Vec<f32>,
    pub held: Vec<usize>,
}

impl Morphs {
    pub fn view(&self) -> MorphsView<'_> {
        MorphsView {
            rows: &self.rows,
            values: &self.values,
            held: &self.held,
        }
    }
}
