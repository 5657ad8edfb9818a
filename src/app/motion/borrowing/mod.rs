//! Clips from other files: bound to the model by the names of its nodes, and what is said about those that were not.

mod again;
mod words;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use self::words::{MISSING, UNMOVED, listed, quoted, told};
use super::file_names::distinct_names;
use crate::{
    anim::retarget::{Bound, ClipSource},
    app::Session,
    import::Diagnostic,
    model::{Clip, Model, name_or, shared_names},
    ui::{BorrowedRow, Message, Offer, common_prefix, without_prefix},
};

#[cfg(test)]
mod tests;

/// Files whose clips play on the model.
#[derive(Debug, Clone, Default)]
pub(in crate::app) struct Borrowings {
    files: Vec<BorrowedFile>,
    rows: Vec<BorrowedRow>,
    /// Counts changes, so that lists are made anew.
    pub(in crate::app) generation: u64,
}

/// A file whose clips are wanted, and what was given with it, which it may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app) struct ClipFile {
    pub(in crate::app) path: PathBuf,
    pub(in crate::app) parts: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
struct BorrowedFile {
    file: ClipFile,
    source: Arc<ClipSource>,
    /// Index of its first clip.
    first: usize,
    /// When its clips were last changed, in [generations](Borrowings::generation).
    changed: u64,
}

/// What became of clips that were to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum TakenClips {
    /// They are new.
    Added,
    /// They took the place of those that their file had before.
    Renewed,
    /// They do not fit: all stays as it was.
    Refused,
}

/// What the user had chosen when clips were asked for: they are not to take its place.
#[derive(Debug, Clone, Copy)]
pub(in crate::app) struct ChosenThen {
    selections: u64,
    is_posed: bool,
}

impl Borrowings {
    /// The files, for the panel.
    pub(in crate::app) fn rows(&self) -> &[BorrowedRow] {
        &self.rows
    }

    /// The files, to be read again.
    pub(in crate::app) fn files(&self) -> impl Iterator<Item = &ClipFile> {
        self.files.iter().map(|it| &it.file)
    }

    /// When a clip of the model was last changed, in [generations](Self::generation); never, if it is the model's own.
    pub(in crate::app) fn changed(&self, clip: usize) -> u64 {
        let before = self.files.partition_point(|file| file.first <= clip);
        let file = before.checked_sub(1).and_then(|it| self.files.get(it));
        file.map_or(0, |file| file.changed)
    }

    /// These clips, bound to a model that is to be shown instead, and added to it; and what did not match.
    pub(in crate::app) fn carried_to(mut self, model: &mut Model) -> (Self, Vec<Diagnostic>) {
        let mut unmatched = Vec::new();
        self.generation += 1;
        for (file, row) in self.files.iter_mut().zip(&mut self.rows) {
            let bound = file.source.bind(model, row.is_retargeted);
            file.first = model.clips.len();
            file.changed = self.generation;
            row.first = file.first;
            let clips = take_note(row, bound);
            unmatched.extend(listed(row));
            model.append_clips(clips);
        }
        (self, unmatched)
    }

    /// What the files and one more at `path` are called, which tells those of one name apart, and from the `model`'s own.
    fn names_beside(&self, path: &Path, model: Option<&Path>) -> (Vec<String>, String) {
        let files = self.files().map(|file| &*file.path);
        let paths: Vec<_> = files.chain([path]).chain(model).collect();
        let mut names = distinct_names(&paths).into_iter();
        let known = names.by_ref().take(self.files.len()).collect();
        (known, names.next().unwrap_or_default())
    }

    /// Which of the files is the one at this path.
    fn place_of(&self, path: &Path) -> Option<usize> {
        self.files().position(|file| file.path == path)
    }

    /// These without one file.
    fn without(&self, place: usize) -> Self {
        let mut rest = self.clone();
        rest.files.remove(place);
        rest.rows.remove(place);
        rest
    }

    /// Forgets them: another model is shown.
    pub(in crate::app) fn clear(&mut self) {
        self.files.clear();
        self.rows.clear();
        self.generation += 1;
    }
}

/// Takes note of how clips fit, and hands them on.
fn take_note(row: &mut BorrowedRow, bound: Bound) -> Vec<Clip> {
    row.count = bound.clips.len();
    row.misfits = bound.misfits();
    row.missing = bound.missing;
    row.unmoved = bound.unmoved;
    bound.clips
}

/// Why clips are none for the model, if they are not, in the words of errors.
fn reason_to_refuse(source: &ClipSource, bound: &Bound) -> Option<String> {
    match bound.matched {
        _ if source.is_empty() => Some("there is no animation in it".to_owned()),
        0 => Some(format!(
            "none of the {} nodes that its clips move has a counterpart of that name here: {}",
            bound.missing.len(),
            quoted(&bound.missing)
        )),
        _ => None,
    }
}

impl Session {
    /// Adds the clips of another model to this one, under the name of their file, and plays the first of them; those of a file
    /// that was added before take the place of its clips. Says what did not match.
    pub fn add_clips(&mut self, path: impl AsRef<Path>, from: Model) {
        let path = path.as_ref().to_owned();
        let parts = Vec::new();
        self.take_clips(ClipFile { path, parts }, from, true);
    }

    /// [`Self::add_clips`], of which the first is played if it `plays` and they are new.
    pub(in crate::app) fn take_clips(
        &mut self,
        file: ClipFile,
        from: Model,
        plays: bool,
    ) -> TakenClips {
        if let Some(place) = self.document.borrowed.place_of(&file.path) {
            return match self.renew_clips(place, file, from) {
                true => TakenClips::Renewed,
                false => TakenClips::Refused,
            };
        }
        let borrowed = &self.document.borrowed;
        let (names, name) = borrowed.names_beside(&file.path, self.document.path());
        let source = ClipSource::of(from);
        let bound = source.bind(self.model(), false);
        if let Some(reason) = reason_to_refuse(&source, &bound) {
            let title = format!("The clips of {name} do not fit this model");
            self.tell_of_clips(&file.path, Message::error(title, reason));
            return TakenClips::Refused;
        }
        let first = self.model().clips.len();
        let fits = bound.misfits().is_empty();
        let offer = (!fits).then_some(Offer::Retarget(self.document.borrowed.files.len()));
        self.tell(told(&name, &bound).offering(offer).passing());
        let rows = &mut self.document.borrowed.rows;
        // Those before may have another name now.
        for (row, name) in rows.iter_mut().zip(names) {
            row.name = name;
        }
        let mut row = BorrowedRow {
            name,
            first,
            count: 0,
            is_retargeted: false,
            misfits: Vec::new(),
            missing: Vec::new(),
            unmoved: Vec::new(),
        };
        let clips = take_note(&mut row, bound);
        let count = clips.len();
        rows.push(row);
        self.document.borrowed.files.push(BorrowedFile {
            file,
            source: Arc::new(source),
            first,
            changed: 0,
        });
        self.list_unmatched();
        self.put_clips(self.document.borrowed.files.len() - 1, clips);
        if plays {
            // Who has paused looks at it paused; where nothing could be played before, it plays.
            let could_play = self.clock.duration_secs() > 0.0;
            self.switch_clip(Some(first));
            if count > 0 && !could_play {
                self.play();
            }
        }
        TakenClips::Added
    }

    /// What the user has chosen by now.
    pub(in crate::app) fn chosen_now(&self) -> ChosenThen {
        ChosenThen {
            selections: self.timeline.selections,
            is_posed: !self.actor.offsets().is_empty(),
        }
    }

    /// Whether the user has chosen a clip since then, or made a pose of one.
    pub(in crate::app) fn has_chosen_since(&self, then: ChosenThen) -> bool {
        let now = self.chosen_now();
        now.selections != then.selections || now.is_posed && !then.is_posed
    }

    /// Lists what did not match of all files.
    fn list_unmatched(&mut self) {
        self.document.findings.change(|all| {
            all.retain(|it| ![MISSING, UNMOVED].contains(&it.code));
            all.extend(self.document.borrowed.rows.iter().flat_map(listed));
        });
    }

    /// What clips are called. Those of other files say theirs where they have no name or another is called so, too.
    pub(in crate::app) fn clip_names(&self) -> Vec<String> {
        let model = self.model();
        let mut names = model.clip_names();
        let own = model
            .clips
            .iter()
            .map(Clip::name)
            .take(self.own_clip_count());
        let shared = shared_names(own.clone());
        for (name, own) in names.iter_mut().zip(own) {
            if !own.is_empty() && !shared.contains(own) {
                own.clone_into(name);
            }
        }
        for row in &self.document.borrowed.rows {
            let clips = model.clips.iter().skip(row.first).take(row.count);
            let shared = shared_names(clips.clone().map(Clip::name));
            let shown = names.iter_mut().skip(row.first);
            for (place, (name, clip)) in shown.zip(clips).enumerate() {
                match clip.name() {
                    "" => *name = format!("clip {place} ({})", row.name),
                    own if own != name && !shared.contains(own) => {
                        *name = format!("{own} ({})", row.name);
                    }
                    _ => {}
                }
            }
        }
        names
    }

    /// How the names of all clips begin, in bytes.
    pub(in crate::app) fn clip_prefix(&self) -> usize {
        common_prefix(self.model().clips.iter().map(Clip::name))
    }

    /// What clips are called in the window: [`Self::clip_names`] without what all begin with.
    pub(in crate::app) fn short_clip_names(&self) -> Vec<String> {
        let prefix = self.clip_prefix();
        let names = self.clip_names().into_iter();
        let short = names.map(|name| without_prefix(&name, prefix).to_owned());
        short.collect()
    }

    /// What a clip is called in the window.
    pub(in crate::app) fn short_clip_name(&self, clip: usize) -> String {
        let name = self.short_clip_names().into_iter().nth(clip);
        name_or(&name.unwrap_or_default(), "clip", clip)
    }

    /// How many clips the model's own file has; those of other files come after them.
    pub(in crate::app) fn own_clip_count(&self) -> usize {
        let first = self.document.borrowed.files.first();
        first.map_or(self.model().clips.len(), |file| file.first)
    }

    /// Turns the clips of a file into the rest pose of this model, or leaves them as they are.
    pub(in crate::app) fn set_retarget(&mut self, place: usize, retarget: bool) {
        let borrowed = &mut self.document.borrowed;
        let (Some(file), Some(row)) = (borrowed.files.get(place), borrowed.rows.get_mut(place))
        else {
            return;
        };
        row.is_retargeted = retarget;
        let clips = file.source.bind(self.actor.model(), retarget).clips;
        self.put_clips(place, clips);
    }

    /// Puts clips in the place of those of a file, of which there are as many, or at the end.
    fn put_clips(&mut self, place: usize, mut clips: Vec<Clip>) {
        self.document.borrowed.generation += 1;
        let generation = self.document.borrowed.generation;
        let Some(file) = self.document.borrowed.files.get_mut(place) else {
            return;
        };
        file.changed = generation;
        let first = file.first;
        let all = &self.actor.model().clips;
        clips.extend_from_slice(all.get(first + clips.len()..).unwrap_or_default());
        self.actor.replace_clips(first, clips);
        self.list_dimmed_lights();
        self.gather_crowd();
        self.refresh_mix();
        self.pose_changed();
    }
}
