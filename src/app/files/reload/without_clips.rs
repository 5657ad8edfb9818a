//! What was chosen of clips before a version of the file came that has none: some exporters write one on the way.

use super::{Chosen, matching};
use crate::{
    anim::Clock,
    app::{Session, session::FrameRate, time::Ranges},
    model::{Clip, Model, pair_by_name},
    ui::TimeSpan,
};

/// That choice.
#[derive(Debug)]
pub(in crate::app) struct ClipsBefore {
    document: u64,
    names: Vec<String>,
    clip: Option<usize>,
    clock: Clock,
    rate: FrameRate,
    span: Option<TimeSpan>,
    ranges: Ranges,
}

impl ClipsBefore {
    /// Of what a session shows.
    fn of(session: &Session) -> Self {
        let names = session.model().clips.iter();
        Self {
            document: session.document_generation,
            names: names.map(|clip| clip.name().to_owned()).collect(),
            clip: session.clip,
            clock: session.clock.clone(),
            rate: session.rate,
            span: session.timeline.shown(),
            ranges: session.ranges(),
        }
    }
}

impl Chosen {
    /// Keeps what was chosen of clips if the model that comes has none, and takes it up if that was so of the one that goes.
    pub(super) fn bridge(&mut self, session: &mut Session, new: &Model) {
        let document = session.document_generation;
        let before = session.files.clips_before.take();
        let before = before.filter(|before| before.document == document);
        if new.clips.is_empty() {
            let now = self.had_clips.then(|| ClipsBefore::of(session));
            session.files.clips_before = now.or(before);
        } else if let Some(before) = before.filter(|_| !self.had_clips) {
            let names: Vec<_> = before.names.iter().map(String::as_str).collect();
            let new_names: Vec<_> = new.clips.iter().map(Clip::name).collect();
            let places = pair_by_name(names.iter().copied(), new_names.iter().copied());
            self.had_clips = true;
            let clip = before.clip;
            self.clip = clip.and_then(|clip| matching(clip, &names, &new_names));
            self.clock = before.clock;
            self.rate = before.rate;
            self.span = before.span;
            self.ranges = before.ranges.carried_to(|clip| *places.get(clip)?);
        }
    }
}
