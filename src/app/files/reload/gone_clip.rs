//! The chosen clip that the file lacks as it was saved last: it is chosen again once it is there again.

use super::{Chosen, clip_match::own_names};
use crate::{
    anim::Clock,
    app::{Session, posing::PosedAt, time::ClipTimes},
    ui::TimeSpan,
};

/// That clip, and how it was shown.
#[derive(Debug)]
pub(in crate::app) struct GoneClip {
    pub(super) document: u64,
    pub(super) name: String,
    /// The moment that was shown, as one of no clip.
    pub(super) at: PosedAt,
    pub(super) clock: Clock,
    pub(super) span: Option<TimeSpan>,
    pub(super) times: ClipTimes,
    /// How often the user had chosen a clip.
    pub(super) selections: u64,
}

impl GoneClip {
    /// The chosen clip of a session, if it is one of the file's own and has a name to be known by.
    pub(super) fn of(session: &Session, own_clips: usize) -> Option<Self> {
        let clip = session.clip?;
        let name = *own_names(session.model(), own_clips).get(clip)?;
        let times = session.clip_times();
        (!name.is_empty()).then(|| Self {
            document: session.document.generation(),
            name: name.to_owned(),
            at: session.posed_now().without_clip(),
            clock: session.clock.clone(),
            span: session.timeline.shown(),
            times: times.carried_to(|it| (it == clip).then_some(it)),
            selections: session.timeline.selections,
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn moment(&self) -> PosedAt {
        self.at
    }

    /// Whether it is one of the document that is shown.
    pub(super) fn is_of(&self, session: &Session) -> bool {
        self.document == session.document.generation()
    }

    /// Whether it is still to be chosen again: the user has neither chosen another one nor posed what is shown instead.
    pub(super) fn is_awaited(&self, session: &Session) -> bool {
        let is_posed = !session.actor().offsets().is_empty() && !session.posing.stays();
        self.is_of(session)
            && self.selections == session.timeline.selections
            && session.clip.is_none()
            && !is_posed
    }
}

impl Chosen {
    /// Takes up what was chosen of a clip that is there again.
    pub(super) fn take_up_clip(&mut self, gone: GoneClip, clip: usize) {
        self.clip = Some(clip);
        // How time runs may have been changed since.
        let now = std::mem::replace(&mut self.clock, gone.clock);
        self.clock.run_as(&now);
        self.span = gone.span;
        self.times.take_up(gone.times, |_| Some(clip));
    }
}
