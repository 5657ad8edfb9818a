//! How far each clip of A lies from that of the same name in another file.

use std::sync::Arc;

use crate::{
    anim::difference::{NodeMatch, PoseDifference, compare_motion, moments},
    app::{Session, clip_like},
    import,
    model::{Clip, Model, NodeId},
    ui::{ClipDifferenceRow, ClipListView, CompareWith, DifferenceRow},
};

/// Placements of nodes that are computed for all clips together, and moments of a clip at least: about a second's work.
const MOST_VALUES: usize = 1 << 23;
const LEAST_MOMENTS: usize = 8;

/// What is compared: the shown model, clips lent to it, and the other file, by their numbers.
type Files = (u64, u64, u64);

/// A comparison to be made.
#[derive(Debug)]
pub(super) struct ClipsJob {
    files: Files,
    models: [Arc<Model>; 2],
}

/// What was found.
#[derive(Debug)]
pub(in crate::app) struct ClipDifferences {
    files: Files,
    rows: Vec<ClipDifferenceRow>,
}

impl ClipsJob {
    /// Compares.
    pub(super) fn run(self) -> ClipDifferences {
        let files = self.files;
        // What fails is found, too: else it would be looked for for ever.
        let rows = import::catch_panic(|| Ok(self.find())).unwrap_or_else(|error| {
            log::warn!("the clips cannot be compared: {error}");
            Vec::new()
        });
        ClipDifferences { files, rows }
    }

    fn find(&self) -> Vec<ClipDifferenceRow> {
        let models = [&*self.models[0], &*self.models[1]];
        let nodes = NodeMatch::by_path(&models[0].hierarchy, &models[1].hierarchy);
        let placed: usize = models.iter().map(|model| model.hierarchy.len()).sum();
        let most = MOST_VALUES / placed.max(1) / models[0].clips.len().max(1);
        let mut is_paired = vec![false; models[1].clips.len()];
        let (mut found, mut alone) = (Vec::new(), Vec::new());
        for (place, clip) in models[0].clips.iter().enumerate() {
            let row = |words: &str| ClipDifferenceRow {
                clip: Some(place),
                name: shown_name(clip, place),
                worst: None,
                words: words.to_owned(),
            };
            let Some(same) = clip_like(models[0], place, models[1]) else {
                alone.push(row("only A has it"));
                continue;
            };
            is_paired[same] = true;
            let other = &models[1].clips[same];
            let clips = [Some(clip), Some(other)];
            let moments = moments(clips, most.max(LEAST_MOMENTS));
            let difference = compare_motion(models, clips, &nodes, &moments);
            let lengths = [clip, other].map(Clip::duration_secs);
            let words = if (lengths[0] - lengths[1]).abs() < 1e-3 {
                String::new()
            } else {
                format!("{:.2} s and {:.2} s long", lengths[0], lengths[1])
            };
            found.push(ClipDifferenceRow {
                worst: Some(worst(models[0], &difference)),
                ..row(&words)
            });
        }
        sort_worst_first(&mut found);
        let others = models[1].clips.iter().enumerate();
        let others = others.filter(|(place, _)| !is_paired[*place]);
        alone.extend(others.map(|(place, clip)| ClipDifferenceRow {
            clip: None,
            name: shown_name(clip, place),
            worst: None,
            words: "only B has it".to_owned(),
        }));
        found.append(&mut alone);
        found
    }
}

/// The joint that is turned most, or else that which is farthest away.
fn worst(model: &Model, difference: &PoseDifference) -> DifferenceRow {
    let (turned, away) = (&difference.rotation, &difference.place);
    let node = turned.node.or(away.node);
    DifferenceRow {
        node: node.map_or(0, NodeId::index),
        name: node.map_or_else(String::new, |node| model.hierarchy.display_name(node)),
        degrees: turned.amount.to_degrees() as f32,
        degrees_at_secs: turned.time_secs,
        units: away.amount as f32,
        units_at_secs: away.time_secs,
    }
}

/// By their shares of the greatest turn and distance of all.
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
    rows.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
}

fn shown_name(clip: &Clip, place: usize) -> String {
    match clip.name() {
        "" => format!("clip {place}"),
        name => name.to_owned(),
    }
}

impl Session {
    fn compared_files(&self) -> Files {
        let (generation, lent, _) = self.clip_key();
        (generation, lent, self.compare.generation)
    }

    /// What is to be found out about all clips, unless it is known or nobody asks.
    pub(super) fn clips_job(&self) -> Option<ClipsJob> {
        let compare = &self.compare;
        let is_asked = compare.shows_differences && compare.lists_clips;
        let files = self.compared_files();
        let is_known = compare
            .clips
            .as_ref()
            .is_some_and(|known| known.files == files);
        if !is_asked || is_known || compare.with != Some(CompareWith::File) {
            return None;
        }
        self.split()?;
        let models = [self.actor.shared_model(), compare.other()?.shared_model()];
        Some(ClipsJob { files, models })
    }

    /// Takes note of what was found.
    pub(in crate::app) fn take_clip_differences(&mut self, found: ClipDifferences) {
        self.compare.clips = Some(found);
    }

    /// What panels read of it; none where no other file is compared.
    pub(super) fn clip_list(&self) -> Option<ClipListView<'_>> {
        let compare = &self.compare;
        if compare.with != Some(CompareWith::File) {
            return None;
        }
        let files = self.compared_files();
        let known = compare.clips.as_ref().filter(|known| known.files == files);
        Some(ClipListView {
            is_open: compare.lists_clips,
            rows: known.map(|known| &*known.rows),
        })
    }
}
