//! How far each clip of A lies from that of the same name in another file.

use std::{borrow::Cow, sync::Arc};

use super::differences::{MIN_DEGREES, MIN_DIFFERENCE, beyond_rounding, least_units};
use crate::{
    anim::{
        difference::{
            AppearanceDifference, ClipDifference, ClipSearch, MotionComparison, MovedDifference,
            NodeMatch, PlayedClips, PoseDifference, pair_clips, phase_stretch,
        },
        root_motion::{MAX_PLACEMENTS, RootChooser, RootMotion},
    },
    app::{Session, time::ClipsKey},
    import,
    model::{Clip, Model, NodeId},
    ui::{ClipDifferenceRow, ClipListView, CompareWith, DifferenceRow, places_by_figure},
};

/// Placements of nodes, weights and values of tracks that are computed for all clips together: about a second's work.
const MAX_VALUES: usize = 1 << 25;

/// What is compared, and how.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Files {
    /// Which model and which clips are shown.
    own: ClipsKey,
    /// The number of the other file.
    other: u64,
    /// Whether clips begin and end together.
    by_phase: bool,
    /// Whether clips that go somewhere are kept in place.
    is_in_place: bool,
}

/// How clips of two models are played.
#[derive(Debug)]
pub(super) struct Players<'m> {
    models: [&'m Model; 2],
    /// What is known of the roots of each, where clips are kept in place.
    roots: Option<[RootChooser; 2]>,
    /// Placements of nodes that looking where one clip goes may cost.
    most_placements: usize,
}

impl<'m> Players<'m> {
    /// For `clips` clips of each model, whose comparison may cost `most_placements` placements of nodes in all.
    pub(super) fn new(
        files: Files,
        models: [&'m Model; 2],
        clips: usize,
        most_placements: usize,
    ) -> Self {
        let share = most_placements / (2 * clips.max(1));
        Self {
            models,
            roots: files.is_in_place.then(|| models.map(RootChooser::new)),
            most_placements: share.min(MAX_PLACEMENTS),
        }
    }

    /// A clip of the one model or the other as it is played.
    pub(super) fn played<'c>(&self, side: usize, clip: &'c Clip) -> Cow<'c, Clip> {
        let (model, most) = (self.models[side], self.most_placements);
        let roots = self.roots.as_ref();
        let way = roots.and_then(|roots| RootMotion::find_of_many(&roots[side], model, clip, most));
        let still = way.and_then(|way| way.still_clip(model, clip).ok());
        still.map_or(Cow::Borrowed(clip), Cow::Owned)
    }
}

/// A comparison to be made.
#[derive(Debug)]
pub(super) struct ClipsJob {
    files: Files,
    models: [Arc<Model>; 2],
    /// What the clips of each are called.
    names: [Vec<String>; 2],
    /// Of the first model.
    size: f64,
}

/// What was found.
#[derive(Debug)]
pub(in crate::app) struct ClipDifferences {
    pub(super) files: Files,
    /// Or why there is none.
    rows: Result<Vec<ClipDifferenceRow>, String>,
    /// Their places by turns alone, and by distances alone.
    by_figure: [Vec<usize>; 2],
}

impl ClipsJob {
    /// Compares.
    pub(super) fn run(self) -> ClipDifferences {
        ClipDifferences::found(self.files, || self.find(MAX_VALUES))
    }

    fn find(&self, most_values: usize) -> Vec<ClipDifferenceRow> {
        let models = [&*self.models[0], &*self.models[1]];
        let nodes = NodeMatch::new(&models[0].hierarchy, &models[1].hierarchy);
        let parts = AppearanceDifference::matched(models);
        let matched = pair_clips(models);
        let players = Players::new(self.files, models, matched.pairs.len(), most_values);
        let search = ClipSearch {
            models,
            motions: &mut MotionComparison::new(models, &nodes),
            appearance: &parts,
            tolerance: MIN_DIFFERENCE,
        };
        let found = search.compare(&matched.pairs, most_values, |clips| PlayedClips {
            clips: [0, 1].map(|side| players.played(side, clips[side])),
            stretch: stretch(self.files.by_phase, clips.map(length_secs)),
            ends_with_first: true,
        });
        let are_comparable = !nodes.pairs.is_empty();
        let compared = found.iter().map(|found| self.row(found, are_comparable));
        let mut rows: Vec<_> = compared.collect();
        sort_worst_first(&mut rows);
        let alone = |clip: Option<usize>, name: &str, words: &str| ClipDifferenceRow {
            clip,
            name: name.to_owned(),
            worst: None,
            words: words.to_owned(),
        };
        let [shown, other_shown] = &self.names;
        let only_first = matched.only_first.into_iter();
        rows.extend(only_first.map(|clip| alone(Some(clip), &shown[clip], "only A has it")));
        let only_second = matched.only_second.into_iter();
        rows.extend(only_second.map(|clip| alone(None, &other_shown[clip], "only B has it")));
        rows
    }

    /// What is said of a pair; nothing of joints where no node is in both.
    fn row(&self, found: &ClipDifference, are_comparable: bool) -> ClipDifferenceRow {
        let [place, same] = found.places;
        let [shown, other_shown] = &self.names;
        let clips = [0, 1].map(|side| &self.models[side].clips[found.places[side]]);
        let mut words = Vec::new();
        if clips[0].name() != clips[1].name() {
            words.push(format!("B calls it {}", other_shown[same]));
        }
        words.extend(other_words(found, are_comparable, clips.map(length_secs)));
        let motion = found.motion.filter(|_| are_comparable);
        ClipDifferenceRow {
            clip: Some(place),
            name: shown[place].clone(),
            worst: motion.map(|motion| worst(&self.models[0], &motion, self.size)),
            words: words.join("; "),
        }
    }
}

impl ClipDifferences {
    /// What fails counts as found: else it would be searched for again and again.
    fn found(files: Files, find: impl FnOnce() -> Vec<ClipDifferenceRow>) -> Self {
        let rows = import::catch_panic(|| Ok(find()));
        let rows = rows.map_err(|error| format!("The clips cannot be compared: {error}"));
        let known = rows.as_deref().unwrap_or_default();
        Self {
            files,
            by_figure: places_by_figure(known, ClipDifferenceRow::figures),
            rows,
        }
    }
}

/// How much faster B runs than A.
pub(super) fn stretch(by_phase: bool, lengths_secs: [f64; 2]) -> f64 {
    if by_phase {
        phase_stretch(lengths_secs)
    } else {
        1.0
    }
}

fn length_secs(clip: &Clip) -> f64 {
    f64::from(clip.duration_secs())
}

/// What turns and distances do not say of two clips.
fn other_words(
    found: &ClipDifference,
    are_comparable: bool,
    lengths_secs: [f64; 2],
) -> Vec<String> {
    let mut words = Vec::new();
    if !are_comparable {
        words.push("they share no node".to_owned());
    }
    match &found.motion {
        None => words.push("not compared, as there are too many clips or nodes".to_owned()),
        Some(motion) => {
            if motion.scale.amount > MIN_DIFFERENCE {
                words.push("scales differ".to_owned());
            }
            if motion.weight.amount > MIN_DIFFERENCE {
                words.push("morph weights differ".to_owned());
            }
            if motion.visibility.node.is_some() {
                words.push("nodes are hidden in one alone".to_owned());
            }
        }
    }
    let by_amount = |a: &&MovedDifference, b: &&MovedDifference| a.amount.total_cmp(&b.amount);
    if let Some(most) = found.moved.iter().max_by(by_amount) {
        let (object, property) = most.pointer.rsplit_once('/').unwrap_or_default();
        let differ = match found.moved.len() - 1 {
            0 => "differs".to_owned(),
            count => format!("and {count} more differ"),
        };
        let secs = most.time_secs;
        words.push(format!(
            "{property} of {object} {differ}, most at {secs:.2} s"
        ));
    }
    let [a, b] = lengths_secs;
    if (a - b).abs() >= 1e-3 {
        words.push(format!("{a:.2} s and {b:.2} s long"));
    }
    if let Some(motion) = found.motion.filter(|_| !found.is_complete()) {
        let (samples, moments) = (motion.samples, found.moments);
        words.push(format!("compared at {samples} of {moments} moments"));
    }
    words
}

/// The joint that is turned most, or else that which is farthest away.
fn worst(model: &Model, difference: &PoseDifference, size: f64) -> DifferenceRow {
    let (turned, away) = (&difference.rotation, &difference.position);
    let node = turned.node.or(away.node);
    DifferenceRow {
        node: node.map_or(0, NodeId::index),
        name: node.map_or_else(String::new, |node| model.hierarchy.distinct_name(node)),
        degrees: beyond_rounding(turned.amount.to_degrees() as f32, MIN_DEGREES),
        degrees_at_secs: turned.time_secs,
        units: beyond_rounding(away.amount as f32, least_units(size)),
        units_at_secs: away.time_secs,
    }
}

/// By their shares of the greatest turn and distance of all; of equals those first of which there is something to say.
fn sort_worst_first(rows: &mut [ClipDifferenceRow]) {
    let worst = |row: &ClipDifferenceRow| {
        row.worst
            .as_ref()
            .map_or([0.0; 2], |it| [it.degrees, it.units])
    };
    let most = rows.iter().map(worst).fold([0.0_f32; 2], |most, it| {
        [most[0].max(it[0]), most[1].max(it[1])]
    });
    let rank = |row: &ClipDifferenceRow| -> f32 {
        let shares = worst(row).into_iter().zip(most);
        shares
            .map(|(value, most)| {
                if most > 0.0 && most.is_finite() {
                    value / most
                } else {
                    0.0
                }
            })
            .sum()
    };
    rows.sort_by(|a, b| {
        let by_rank = rank(b).total_cmp(&rank(a));
        by_rank.then_with(|| a.words.is_empty().cmp(&b.words.is_empty()))
    });
}

impl Session {
    pub(super) fn compared_files(&self) -> Files {
        Files {
            own: self.clips_key(),
            other: self.compare.generation,
            by_phase: self.compare.by_phase,
            is_in_place: self.motion.is_in_place,
        }
    }

    /// About all clips of which files something is to be found out, unless it is known or nobody asks.
    pub(super) fn asked_clips(&self) -> Option<Files> {
        let compare = &self.compare;
        let is_open = compare.shows_differences && compare.lists_clips;
        let is_asked = is_open && compare.with == Some(CompareWith::File);
        let files = self.compared_files();
        let known = compare.clips.as_ref();
        let is_known = known.is_some_and(|known| known.files == files);
        (is_asked && !is_known && self.split().is_some()).then_some(files)
    }

    /// What is to be found out about [`Self::asked_clips`].
    pub(super) fn clips_job(&self) -> Option<ClipsJob> {
        let files = self.asked_clips()?;
        let second = self.compare.second()?;
        let models = [self.actor.shared_model(), second.shared_model()];
        Some(ClipsJob {
            files,
            names: [self.clip_names(), models[1].clip_names()],
            models,
            size: self.actor.own_size(),
        })
    }

    /// Takes note of what was found, unless something else is compared by now.
    pub(in crate::app) fn take_clip_differences(&mut self, found: ClipDifferences) {
        if found.files == self.compared_files() {
            self.compare.clips = Some(found);
        }
    }

    /// What panels read of it; none where no other file is compared.
    pub(super) fn clip_list(&self) -> Option<ClipListView<'_>> {
        let compare = &self.compare;
        if compare.with != Some(CompareWith::File) {
            return None;
        }
        let files = self.compared_files();
        let known = compare.clips.as_ref().filter(|known| known.files == files);
        let found = known.map(|known| known.rows.as_ref());
        let by_figure = known.map(|known| known.by_figure.each_ref().map(Vec::as_slice));
        Some(ClipListView {
            is_open: compare.lists_clips,
            by_figure: by_figure.unwrap_or_default(),
            rows: found.and_then(Result::ok).map(Vec::as_slice),
            error: found.and_then(Result::err).map(String::as_str),
        })
    }
}

#[cfg(test)]
mod tests;
