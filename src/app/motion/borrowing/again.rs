//! A file whose clips were added, and that was read again: its clips take the place of those of before.

use std::{path::Path, sync::Arc};

use super::{
    Borrowings, ClipFile, MISSING, UNMOVED, reason_to_refuse, take_note,
    words::{kept, kept_several, taken_out, told_again},
};
use crate::{
    anim::{MisplacedWeights, StrayWeights, retarget::ClipSource},
    app::{Session, messages::Topic},
    import::Import,
    model::{Clip, Model, pair_again},
    ui::Message,
};

impl Borrowings {
    /// For each clip of these files where it is now: in the same file at the same place, or if that has other clips, by its name.
    pub(in crate::app) fn places_in(&self, now: &Self) -> Vec<Option<usize>> {
        let places = self.files.iter().flat_map(|old| {
            let new = now.place_of(&old.file.path).map(|place| &now.files[place]);
            let Some(new) = new else {
                return vec![None; old.source.len()];
            };
            let [old_names, new_names] = [old, new].map(|it| it.source.names().collect::<Vec<_>>());
            let places = pair_again(&old_names, &new_names).into_iter();
            places.map(|place| Some(new.first + place?)).collect()
        });
        places.collect()
    }

    /// Takes note of what was read of a file again.
    fn renew(&mut self, place: usize, file: ClipFile, source: ClipSource) {
        if let Some(known) = self.files.get_mut(place) {
            (known.file, known.source) = (file, Arc::new(source));
        }
    }
}

impl Session {
    /// Takes the clips of a file as they are now, if it is still one of those whose clips were added; says it only if
    /// they do not fit any more. False if those of before stay.
    pub(in crate::app) fn take_clips_again(&mut self, file: ClipFile, from: Model) -> bool {
        let place = self.document.borrowed.place_of(&file.path);
        place.is_some_and(|place| self.exchange_clips(place, file, from))
    }

    /// [`Self::take_clips_again`] for who has asked for them as if they were others.
    pub(super) fn renew_clips(&mut self, place: usize, file: ClipFile, from: Model) -> bool {
        let is_renewed = self.exchange_clips(place, file, from);
        let row = self.document.borrowed.rows.get(place);
        if let Some(row) = row.filter(|_| is_renewed) {
            let message = told_again(row);
            self.tell(message.passing());
        }
        is_renewed
    }

    /// Says why the clips of a file stay as they were, if it is one of those whose clips were added.
    pub(in crate::app) fn keep_clips(&mut self, file: &ClipFile, reason: &str) {
        let place = self.document.borrowed.place_of(&file.path);
        let row = place.and_then(|place| self.document.borrowed.rows.get(place));
        if let Some(row) = row {
            let message = kept(&row.name, reason);
            self.tell_kept(&file.path, message);
        }
    }

    fn tell_kept(&mut self, file: &Path, message: Message) {
        self.messages
            .gather(Topic::KeptClips, file, message, kept_several);
    }

    /// Says no more that the clips of a file stay as they were.
    fn forget_kept(&mut self, place: usize) {
        if let Some(known) = self.document.borrowed.files.get(place) {
            self.messages
                .take_back_one(Topic::KeptClips, &known.file.path, kept_several);
        }
    }

    /// False if they do not fit; then those of before stay.
    fn exchange_clips(&mut self, place: usize, file: ClipFile, from: Model) -> bool {
        let Some(row) = self.document.borrowed.rows.get(place) else {
            return false;
        };
        let source = ClipSource::of(from);
        let bound = source.bind(self.actor.model(), row.is_retargeted);
        if let Some(reason) = reason_to_refuse(&source, &bound) {
            let message = kept(&row.name, &reason);
            self.tell_kept(&file.path, message);
            return false;
        }
        let before = self.actor.model().clips.iter();
        let before = before.skip(row.first).take(row.count).map(Clip::name);
        let is_same_list = before.eq(bound.clips.iter().map(Clip::name));
        if bound.misfits().is_empty() {
            self.messages.forget_retargeting(place);
        }
        self.forget_kept(place);
        if !is_same_list {
            // What was chosen of clips goes where they are now.
            let mut borrowed = self.document.borrowed.clone();
            borrowed.renew(place, file, source);
            self.reload_beside(self.without_borrowed(), borrowed, self.document.load_time());
            return true;
        }
        self.document.borrowed.renew(place, file, source);
        if let Some(row) = self.document.borrowed.rows.get_mut(place) {
            let clips = take_note(row, bound);
            self.list_unmatched();
            self.put_clips(place, clips);
            self.follow_clips();
        }
        true
    }

    /// Takes the clips of a file out; what was chosen of them goes with them.
    pub(in crate::app) fn take_clips_out(&mut self, place: usize) {
        let Some(row) = self.document.borrowed.rows.get(place) else {
            return;
        };
        let message = taken_out(row);
        self.forget_kept(place);
        let rest = self.document.borrowed.without(place);
        self.reload_beside(self.without_borrowed(), rest, self.document.load_time());
        self.messages.take_out_file(place);
        self.tell(message.passing());
    }

    /// What is shown, as if it were read again.
    fn without_borrowed(&self) -> Import {
        let mut model = self.model().clone();
        model.clips.truncate(self.own_clip_count());
        // These are found again.
        let again = [MISSING, UNMOVED, MisplacedWeights::CODE, StrayWeights::CODE];
        let found = self.document.findings.iter();
        let found = found.filter(|it| !again.contains(&it.code));
        Import {
            model,
            diagnostics: found.cloned().collect(),
            ..Import::default()
        }
    }

    /// Goes on with clips of the same names, which may have other lengths and keys.
    fn follow_clips(&mut self) {
        let mix = std::mem::take(&mut self.mix);
        self.mix = mix.carried_to(&mut self.actor, self.clip, Some, Some);
        let duration_secs = match self.clip {
            Some(_) => self.model().clip_secs(self.clip),
            None => self.mix.longest_secs(),
        };
        if duration_secs != self.clock.duration_secs() {
            let span = self.timeline.shown();
            // A part that loops is the wanted one, as of the file's own clips.
            self.clock.renew(duration_secs);
            self.show_again_of_axis(span);
        }
        self.find_rate_again();
        self.refresh_conflicts();
    }
}
