//! What the panels read of clips that play together.

use crate::{
    app::Session,
    ui::{MixRow, MixView},
};

/// The clips of the mix, for the panel.
#[derive(Debug, Default)]
pub(in crate::app) struct MixRows(Vec<MixRow>);

impl MixRows {
    /// Brings the list up to date: clips of the mix move in every frame.
    pub(in crate::app) fn update(&mut self, session: &Session) {
        session.mix_rows(&mut self.0);
    }

    pub(in crate::app) fn view<'a>(&'a self, session: &'a Session) -> MixView<'a> {
        let (in_step, round_secs) = session.mix_step();
        MixView {
            clips: &self.0,
            in_step,
            round_secs,
            conflicts: session.conflicts(),
            borrowed: session.document.borrowed.rows(),
        }
    }
}
