//! How far each clip of A lies from that of the same name in another file.

use std::{borrow::Cow, sync::Arc};

use super::differences::{MIN_DEGREES, MIN_DIFFERENCE, beyond_rounding, least_units};
use crate::{
    anim::{
        difference::{
            AppearanceDifference, Moments, MotionComparison, MovedDifference, MovedProperties,
            NodeMatch, PoseDifference,
        },
        root_motion::RootMotion,
    },
    app::{Session, pair_clips, phase_stretch, time::ClipsKey},
    import,
    model::{Clip, Model, NodeId},
    ui::{ClipDifferenceRow, ClipListView, CompareWith, DifferenceRow},
};

/// Placements of nodes that are computed for all clips together, and moments of a clip at least: about a second's work.
const MAX_VALUES: usize = 1 << 23;
const MIN_MOMENTS: usize = 8;

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

impl Files {
    /// A clip as it is played.
    pub(super) fn played<'a>(self, model: &Model, clip: &'a Clip) -> Cow<'a, Clip> {
        let way = self.is_in_place.then(|| RootMotion::find(model, clip));
        let still = way
            .flatten()
            .and_then(|way| way.still_clip(model, clip).ok());
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
    files: Files,
    /// Or why there is none.
    rows: Result<Vec<ClipDifferenceRow>, String>,
}

impl ClipsJob {
    /// Compares.
    pub(super) fn run(self) -> ClipDifferences {
        ClipDifferences::found(self.files, || self.find())
    }

    fn find(&self) -> Vec<ClipDifferenceRow> {
        let models = [&*self.models[0], &*self.models[1]];
        let nodes = NodeMatch::new(&models[0].hierarchy, &models[1].hierarchy);
        let parts = AppearanceDifference::matched(models);
        let mut motions = MotionComparison::new(models, &nodes);
        let mut properties = MovedProperties::new(models);
        let placed: usize = models.iter().map(|model| model.hierarchy.len()).sum();
        let most = MAX_VALUES / placed.max(1) / models[0].clips.len().max(1);
        let mut found = Vec::new();
        let matched = pair_clips(models);
        let [shown, other_shown] = &self.names;
        for places in matched.pairs {
            let [place, same] = places;
            let (clip, other) = (&models[0].clips[place], &models[1].clips[same]);
            let played = [
                self.files.played(models[0], clip),
                self.files.played(models[1], other),
            ];
            let clips = [Some(&*played[0]), Some(&*played[1])];
            let lengths = [clip, other].map(|clip| f64::from(clip.duration_secs()));
            let stretch = stretch(self.files.by_phase, lengths);
            let moments = Moments::of_first(clips, stretch, most.max(MIN_MOMENTS)).times_secs;
            let difference = motions.compare(clips, stretch, &moments);
            let are_comparable = !nodes.pairs.is_empty();
            let moved = properties.compare(places, &parts, &moments, stretch, MIN_DIFFERENCE);
            let mut words = other_words(are_comparable, &difference, &moved, lengths);
            if clip.name() != other.name() {
                let between = if words.is_empty() { "" } else { "; " };
                words = format!("B calls it {}{between}{words}", other_shown[same]);
            }
            found.push(ClipDifferenceRow {
                clip: Some(place),
                name: shown[place].clone(),
                worst: are_comparable.then(|| worst(models[0], &difference, self.size)),
                words,
            });
        }
        sort_worst_first(&mut found);
        let alone = |clip: Option<usize>, name: &str, words: &str| ClipDifferenceRow {
            clip,
            name: name.to_owned(),
            worst: None,
            words: words.to_owned(),
        };
        let only_first = matched.only_first.into_iter();
        found.extend(only_first.map(|clip| alone(Some(clip), &shown[clip], "only A has it")));
        let only_second = matched.only_second.into_iter();
        found.extend(only_second.map(|clip| alone(None, &other_shown[clip], "only B has it")));
        found
    }
}

impl ClipDifferences {
    /// What fails counts as found: else it would be searched for again and again.
    fn found(files: Files, find: impl FnOnce() -> Vec<ClipDifferenceRow>) -> Self {
        let rows = import::catch_panic(|| Ok(find()));
        let rows = rows.map_err(|error| format!("The clips cannot be compared: {error}"));
        Self { files, rows }
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

/// What turns and distances do not say of two clips.
fn other_words(
    are_comparable: bool,
    difference: &PoseDifference,
    moved: &[MovedDifference],
    lengths: [f64; 2],
) -> String {
    let mut words = Vec::new();
    if !are_comparable {
        words.push("they share no node".to_owned());
    }
    if difference.scale.amount > MIN_DIFFERENCE {
        words.push("scales differ".to_owned());
    }
    if difference.weight.amount > MIN_DIFFERENCE {
        words.push("morph weights differ".to_owned());
    }
    if difference.visibility.node.is_some() {
        words.push("nodes are hidden in one alone".to_owned());
    }
    let by_amount = |a: &&MovedDifference, b: &&MovedDifference| a.amount.total_cmp(&b.amount);
    if let Some(most) = moved.iter().max_by(by_amount) {
        let (object, property) = most.pointer.rsplit_once('/').unwrap_or_default();
        let differ = match moved.len() - 1 {
            0 => "differs".to_owned(),
            count => format!("and {count} more differ"),
        };
        let secs = most.time_secs;
        words.push(format!(
            "{property} of {object} {differ}, most at {secs:.2} s"
        ));
    }
    if (lengths[0] - lengths[1]).abs() >= 1e-3 {
        words.push(format!("{:.2} s and {:.2} s long", lengths[0], lengths[1]));
    }
    words.join("; ")
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
        Some(ClipsJob {
            files,
            names: [self.clip_names(), models[1].clip_names()],
            models,
            size: self.actor.own_size(),
        })
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
        let found = known.map(|known| known.rows.as_ref());
        Some(ClipListView {
            is_open: compare.lists_clips,
            rows: found.and_then(Result::ok).map(Vec::as_slice),
            error: found.and_then(Result::err).map(String::as_str),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;

    use super::*;
    use crate::{
        app::built_in,
        model::{
            ClipBuilder, Hierarchy, Interpolation, Material, MaterialProperty, Node,
            PropertyTarget, Skin, Timeline,
        },
        ui::{Command, CompareCommand},
    };

    /// A clip with keys of a kind for a node.
    fn clip(keys: &[f32], make: impl Fn(&mut ClipBuilder, usize)) -> Clip {
        let mut builder = ClipBuilder::new("clip");
        let timeline = builder.timeline(Timeline::new(keys.to_vec()).unwrap());
        make(&mut builder, timeline);
        builder.finish()
    }

    /// Goes along x as far as it says at each key.
    fn walk(keys: &[(f32, f32)]) -> Clip {
        let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
        clip(&times, |builder, timeline| {
            let places = keys.iter().map(|key| Vec3::X * key.1).collect();
            let linear = Interpolation::Linear;
            builder
                .translation(NodeId(0), timeline, linear, places)
                .unwrap();
        })
    }

    fn grow(size: f32) -> Clip {
        clip(&[0.0, 1.0], |builder, timeline| {
            let sizes = vec![Vec3::ONE, Vec3::splat(size)];
            let linear = Interpolation::Linear;
            builder.scale(NodeId(0), timeline, linear, sizes).unwrap();
        })
    }

    fn morph(weight: f32) -> Clip {
        clip(&[0.0, 1.0], |builder, timeline| {
            let linear = Interpolation::Linear;
            let weights = vec![0.0, weight];
            builder
                .weights(NodeId(0), timeline, linear, 1, weights)
                .unwrap();
        })
    }

    /// Makes the first material as rough as it says at half a second, and as smooth as before at the end.
    fn roughen(roughness: f32) -> Clip {
        clip(&[0.0, 0.5, 1.0], |builder, timeline| {
            let target = PropertyTarget::Material(0, MaterialProperty::Roughness);
            let linear = Interpolation::Linear;
            let values = vec![0.0, roughness, 0.0];
            builder.property(target, timeline, linear, values).unwrap();
        })
    }

    fn rows(names: [&str; 2], clips: [Vec<Clip>; 2], by_phase: bool) -> Vec<ClipDifferenceRow> {
        let files = Files {
            by_phase,
            ..Files::default()
        };
        rows_of(names, clips, files)
    }

    fn rows_of(names: [&str; 2], clips: [Vec<Clip>; 2], files: Files) -> Vec<ClipDifferenceRow> {
        let mut names = names.into_iter();
        let models = clips.map(|clips| {
            let node = Node {
                name: names.next().unwrap().to_owned(),
                weights: 0..1,
                ..Node::default()
            };
            Arc::new(Model {
                hierarchy: Hierarchy::new(vec![node], &[None], &[vec![0.0]]).unwrap(),
                clips,
                materials: vec![Material::default(); 2],
                // Whose root goes somewhere.
                skins: vec![Skin {
                    joints: vec![NodeId(0)],
                    ..Skin::default()
                }],
                ..Model::default()
            })
        });
        let names = models.each_ref().map(|model| model.clip_names());
        let job = ClipsJob {
            files,
            names,
            models,
            size: 1.0,
        };
        job.run().rows.unwrap()
    }

    #[test]
    fn clips_of_other_files_are_called_as_in_the_list() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        let lent = session.model().clone();
        for path in ["a/anim.glb", "b/anim.glb"] {
            session.add_clips(path, lent.clone());
        }
        session.compare_with(built_in::load("Pip").unwrap());
        for command in [
            CompareCommand::ToggleDifferences,
            CompareCommand::ListClips(true),
        ] {
            session.apply(Command::Compare(command));
        }
        session.update();
        let rows = session.clips_job().unwrap().run().rows.unwrap();
        let names = session.clip_names();
        assert_eq!(rows.len(), names.len());
        for row in rows {
            assert_eq!(row.name, names[row.clip.unwrap()]);
        }
    }

    #[test]
    fn what_is_less_than_the_tolerance_of_compare_is_no_difference() {
        let least = least_units(2.0);
        assert_eq!(
            [1.9e-4, 2.1e-4].map(|it| beyond_rounding(it, least)),
            [0.0, 2.1e-4]
        );
        assert!(
            beyond_rounding(f32::NAN, least).is_nan(),
            "what is no number counts"
        );
        assert!((MIN_DEGREES - 0.005_73).abs() < 1e-5);
        // In a model of the size 1.
        let ends = |end| [1.0, end].map(|end| vec![walk(&[(0.0, 0.0), (1.0, end)])]);
        let rows = rows(["a", "a"], ends(1.000_05), false);
        assert!(!rows[0].worst.as_ref().unwrap().is_off(), "{rows:?}");
        let rows = rows_of(["a", "a"], ends(1.0002), Files::default());
        assert!(rows[0].worst.as_ref().unwrap().is_off(), "{rows:?}");
    }

    #[test]
    fn clips_that_are_kept_in_place_are_compared_there() {
        let [near, far] = [1.0, 3.0].map(|end| walk(&[(0.0, 0.0), (1.0, end)]));
        for (is_in_place, units) in [(false, 2.0), (true, 0.0)] {
            let files = Files {
                is_in_place,
                ..Files::default()
            };
            let clips = [vec![near.clone()], vec![far.clone()]];
            let found = rows_of(["Hip"; 2], clips, files);
            let worst = found[0].worst.as_ref().unwrap();
            assert!((worst.units - units).abs() < 1e-5, "{worst:?}");
        }
    }

    #[test]
    fn what_comes_after_the_end_of_a_is_not_compared() {
        let short = walk(&[(0.0, 0.0), (1.0, 1.0)]);
        let long = walk(&[(0.0, 0.0), (1.0, 1.0), (1.5, 9.0), (2.0, 1.0)]);
        let found = rows(["Hip"; 2], [vec![short.clone()], vec![long]], false);
        assert!(!found[0].worst.as_ref().unwrap().is_off(), "{found:?}");
        assert_eq!(found[0].words, "1.00 s and 2.00 s long");
        // Twice as slow is the same where both begin and end together.
        let slow = walk(&[(0.0, 0.0), (2.0, 1.0)]);
        for (by_phase, units) in [(false, 0.5), (true, 0.0)] {
            let clips = [vec![short.clone()], vec![slow.clone()]];
            let found = rows(["Hip"; 2], clips, by_phase);
            assert_eq!(found[0].worst.as_ref().unwrap().units, units, "{by_phase}");
        }
    }

    #[test]
    fn what_no_joint_says_is_said_in_words() {
        let words = |names, first, second| {
            let found = rows(names, [vec![first], vec![second]], false);
            found[0].words.clone()
        };
        let same = ["Hip"; 2];
        assert_eq!(words(same, grow(2.0), grow(3.0)), "scales differ");
        assert_eq!(words(same, morph(0.5), morph(1.0)), "morph weights differ");
        assert_eq!(words(same, morph(1.0), morph(1.0)), "");
        assert_eq!(
            words(same, roughen(0.5), roughen(1.0)),
            "roughnessFactor of /materials/0/pbrMetallicRoughness differs, most at 0.50 s"
        );
        assert_eq!(words(same, roughen(1.0), roughen(1.0)), "");
        // What has another name is found by its place.
        assert_eq!(words(["Hip", "Knee"], grow(2.0), grow(2.0)), "");
        let alien = other_words(false, &PoseDifference::default(), &[], [1.0; 2]);
        assert_eq!(alien, "they share no node");
    }

    #[test]
    fn of_several_of_a_name_each_belongs_to_that_of_its_place() {
        let [still, far] = [0.0, 5.0].map(|far| walk(&[(0.0, 0.0), (1.0, far)]));
        let both = vec![still.clone(), far];
        let found = rows(["Hip"; 2], [both.clone(), both.clone()], false);
        assert_eq!(found.len(), 2, "{found:?}");
        let is_same = |row: &ClipDifferenceRow| !row.worst.as_ref().unwrap().is_off();
        assert!(found.iter().all(is_same), "{found:?}");
        let found = rows(["Hip"; 2], [both, vec![still]], false);
        assert_eq!(found[1].words, "only A has it");
    }

    #[test]
    fn what_fails_says_so() {
        let found = ClipDifferences::found(Files::default(), || panic!("as a test"));
        let error = found.rows.unwrap_err();
        assert!(error.contains("cannot be compared"), "{error}");
    }
}
