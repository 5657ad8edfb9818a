//! What panels read of the steps that can be taken back and made again.

/// What can be taken back, and made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryView<'a> {
    /// What the last change was; none if there is nothing to take back.
    pub undo: Option<&'a str>,
    /// What was taken back last.
    pub redo: Option<&'a str>,
    /// Whether the next change may belong to the last one, as while a slider is dragged.
    pub goes_on: bool,
}
