//! How far A and B lie apart: found on a thread of its own, once for each pair that is compared.

use std::{collections::BTreeSet, sync::Arc};

use super::clips::{Files, Players, stretch};
use crate::{
    anim::{
        difference::{
            AppearanceDifference, DifferenceCurves, JointDifference, NodeMatch, compare_appearance,
            compare_meshes, compare_pictures, compare_skins, count_parts,
        },
        root_motion::MAX_PLACEMENTS,
    },
    app::Session,
    import,
    model::{Hierarchy, Model, NodeId},
    ui::{CompareWith, DifferenceRow, DifferencesView, places_by_figure},
};

/// The two that are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ComparedPair {
    /// The files, and how they are.
    files: Files,
    /// What the second subject is.
    with: Option<CompareWith>,
    /// The clip in force.
    clip: Option<usize>,
}

/// Joints that are listed of each order: nobody reads on.
const MAX_ROWS: usize = 200;

/// Differences that are told of skins, of meshes, and of properties of materials and the like.
const MAX_TOLD: usize = 50;

/// A comparison to be made.
#[derive(Debug)]
pub(in crate::app) struct DifferenceJob {
    compared: ComparedPair,
    models: [Arc<Model>; 2],
    clips: [Option<usize>; 2],
    stretch: f64,
    /// Of the first model.
    size: f64,
    /// Why joints are not compared: B lacks the clip that A plays. Empty if they are.
    unpaired: String,
}

/// What was found.
#[derive(Debug)]
pub(in crate::app) struct Differences {
    pub(super) compared: ComparedPair,
    pub(super) curves: DifferenceCurves,
    rows: Vec<DifferenceRow>,
    /// Their places by turns alone, and by distances alone.
    by_figure: [Vec<usize>; 2],
    /// How many joints of both move alike.
    alike: usize,
    /// What joints are away less is rounding.
    least_units: f32,
    /// Why joints are not compared; empty if they are.
    unpaired: String,
    /// What else differs, and what one has and the other lacks.
    words: String,
}

impl DifferenceJob {
    /// Compares: for long clips of large rigs that takes a while.
    pub(in crate::app) fn run(self) -> Differences {
        let compared = self.compared;
        Differences::found(compared, || self.find())
    }

    fn find(self) -> Differences {
        let models = [&*self.models[0], &*self.models[1]];
        let is_same = Arc::ptr_eq(&self.models[0], &self.models[1]);
        let nodes = if is_same {
            NodeMatch::same(models[0].hierarchy.len())
        } else {
            NodeMatch::new(&models[0].hierarchy, &models[1].hierarchy)
        };
        let players = Players::new(self.compared.files, models, 1, 2 * MAX_PLACEMENTS);
        let played = [0, 1].map(|index| {
            let clip = models[index].clips.get(self.clips[index]?)?;
            Some(players.played(index, clip))
        });
        let clips = [0, 1].map(|index| played[index].as_deref());
        // What a clip is away from a pose in which B stands for want of it says nothing about the clip.
        let curves = if self.unpaired.is_empty() {
            DifferenceCurves::new(models, clips, &nodes, self.stretch)
        } else {
            DifferenceCurves::default()
        };
        let hierarchy = &models[0].hierarchy;
        let worst = curves.worst();
        let least_units = least_units(self.size);
        let figures = |it: &JointDifference| {
            let degrees = beyond_rounding(it.degrees, MIN_DEGREES);
            [degrees, beyond_rounding(it.units, least_units)]
        };
        let row = |it: &JointDifference| {
            let [degrees, units] = figures(it);
            DifferenceRow {
                node: it.node.index(),
                name: hierarchy.distinct_name(it.node),
                degrees,
                degrees_at_secs: it.degrees_at_secs,
                units,
                units_at_secs: it.units_at_secs,
            }
        };
        let off = worst.iter().filter(|it| figures(it) != [0.0; 2]);
        let off: Vec<_> = off.copied().collect();
        let alike = worst.len() - off.len();
        let listed = listed(&off, figures).into_iter();
        let rows: Vec<_> = listed.map(|place| row(&off[place])).collect();
        Differences {
            compared: self.compared,
            by_figure: places_by_figure(&rows, |row| Some(row.figures())),
            rows,
            alike,
            least_units,
            unpaired: self.unpaired,
            words: besides(models, &nodes, is_same, self.size),
            curves,
        }
    }
}

impl Differences {
    /// What fails counts as found: else it would be searched for again and again.
    pub(super) fn found(compared: ComparedPair, find: impl FnOnce() -> Self) -> Self {
        import::catch_panic(|| Ok(find())).unwrap_or_else(|error| Self {
            compared,
            curves: DifferenceCurves::default(),
            rows: Vec::new(),
            by_figure: Default::default(),
            alike: 0,
            least_units: 0.0,
            unpaired: String::new(),
            words: format!("They cannot be compared: {error}"),
        })
    }
}

/// Which of the rows, as they are given or by either figure alone, are the first: so many of each order.
fn listed<R>(rows: &[R], figures: impl Fn(&R) -> [f32; 2]) -> BTreeSet<usize> {
    let as_given = 0..rows.len().min(MAX_ROWS);
    let by_figure = places_by_figure(rows, |row| Some(figures(row))).into_iter();
    let first = by_figure.flat_map(|places| places.into_iter().take(MAX_ROWS));
    as_given.chain(first).collect()
}

/// What is less is rounding, or nothing to be seen: as `rigscope compare` has it.
pub(super) const MIN_DIFFERENCE: f64 = 1e-4;
/// [`MIN_DIFFERENCE`] of turns, in degrees.
pub(super) const MIN_DEGREES: f32 = (MIN_DIFFERENCE * 180.0 / std::f64::consts::PI) as f32;

/// [`MIN_DIFFERENCE`] of distances, for a model of this size.
pub(super) fn least_units(size: f64) -> f32 {
    (MIN_DIFFERENCE * size) as f32
}

/// A difference, or 0 if it is rounding. What is no number counts.
pub(super) fn beyond_rounding(difference: f32, least: f32) -> f32 {
    if difference <= least { 0.0 } else { difference }
}

/// What the models differ in besides their motion, in words: what meshes hang on may be another where all joints move alike.
fn besides(models: [&Model; 2], nodes: &NodeMatch, is_same: bool, size: f64) -> String {
    let mut parts = Vec::new();
    if !is_same {
        let mut skins = Vec::new();
        for skin in compare_skins(models, nodes, size) {
            let index = skin.index;
            if skin.bind > MIN_DIFFERENCE {
                let joint = skin
                    .worst
                    .map(|joint| models[0].hierarchy.distinct_name(joint));
                let at =
                    joint.map_or_else(String::new, |joint| format!(", most of all at {joint}"));
                skins.push(format!("bind matrices of skin {index} differ{at}"));
            }
            match skin.other_joints {
                0 => {}
                1 => skins.push(format!("skin {index} has another joint")),
                count => skins.push(format!("skin {index} has {count} other joints")),
            }
        }
        parts.extend(first_of(skins.into_iter()));
        let meshes = compare_meshes(models, nodes, size, MIN_DIFFERENCE);
        let meshes = meshes.into_iter().flat_map(|mesh| mesh.words(models[0]));
        parts.extend(first_of(meshes));
        parts.extend(appearance(models, nodes, size));
        let counts = count_parts(models).into_iter();
        let counts = counts.filter(|(_, [a, b])| a != b);
        parts.extend(counts.map(|(what, [a, b])| format!("{what}: {a} in A, {b} in B")));
    }
    let lacks = lacks(models, nodes);
    if !lacks.is_empty() {
        parts.push(lacks);
    }
    parts.extend(renamed(models, nodes));
    parts.join("; ")
}

/// What materials, lights, cameras and what nodes place of them differ in, in words.
fn appearance(models: [&Model; 2], nodes: &NodeMatch, size: f64) -> Vec<String> {
    let mut pictures = |places: [usize; 2]| {
        let [a, b] = [0, 1].map(|side: usize| models[side].images.get(places[side]));
        compare_pictures([a?, b?], MIN_DIFFERENCE)
    };
    let found = compare_appearance(models, nodes, size, MIN_DIFFERENCE, &mut pictures);
    let mut words = only_one_has(models, &found);
    words.extend(first_of(found.properties.iter().map(ToString::to_string)));
    words
}

/// The first of what there is to tell, and how much more there is: nobody reads on.
fn first_of(mut words: impl Iterator<Item = String>) -> Vec<String> {
    let mut told: Vec<_> = words.by_ref().take(MAX_TOLD).collect();
    let more = words.count();
    told.extend((more > 0).then(|| format!("{more} more such differences")));
    told
}

/// Meshes, materials, lights, cameras, variants and scenes that one of the models has and the other lacks, in words.
fn only_one_has(models: [&Model; 2], found: &AppearanceDifference) -> Vec<String> {
    let mut words = Vec::new();
    for (kind, parts) in found.matches() {
        let sides = [&parts.only_first, &parts.only_second];
        for ((letter, model), alone) in ["A", "B"].into_iter().zip(models).zip(sides) {
            let [first, others @ ..] = &alone[..] else {
                continue;
            };
            let such = kind.named(kind.name(model, *first), *first);
            words.push(match others {
                [] => format!("only {letter} has {such}"),
                _ => format!(
                    "only {letter} has {} {}, such as {such}",
                    alone.len(),
                    kind.plural()
                ),
            });
        }
    }
    words
}

/// What one of the models has and the other lacks, in words.
fn lacks(models: [&Model; 2], nodes: &NodeMatch) -> String {
    let only = |letter: &str, hierarchy: &Hierarchy, nodes: &[NodeId]| match nodes {
        [] => None,
        [one] => Some(format!(
            "only {letter} has {}",
            hierarchy.display_name(*one)
        )),
        [first, ..] => Some(format!(
            "only {letter} has {} nodes, such as {}",
            nodes.len(),
            hierarchy.display_name(*first)
        )),
    };
    let parts = [
        only("A", &models[0].hierarchy, &nodes.only_first),
        only("B", &models[1].hierarchy, &nodes.only_second),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.join("; ")
}

/// Nodes that belong together and are called otherwise, in words.
fn renamed(models: [&Model; 2], nodes: &NodeMatch) -> Option<String> {
    let [first, second] = models.map(|model| &model.hierarchy);
    let renamed = nodes.renamed(first, second);
    let (a, b) = renamed.first()?;
    let [a, b] = [first.display_name(*a), second.display_name(*b)];
    Some(match renamed.len() {
        1 => format!("{a} is called {b} in B"),
        count => format!("{count} nodes have other names in B, such as {a}: {b}"),
    })
}

impl Session {
    pub(super) fn compared(&self) -> ComparedPair {
        ComparedPair {
            files: self.compared_files(),
            with: self.compare.with,
            clip: self.clip,
        }
    }

    /// About which pair something is to be found out, unless it is known or nobody asks.
    pub(super) fn asked_pair(&self) -> Option<ComparedPair> {
        let compared = self.compared();
        let known = self.compare.differences.as_ref();
        let is_known = known.is_some_and(|known| known.compared == compared);
        let is_asked = self.compare.shows_differences && self.split().is_some();
        (is_asked && !is_known).then_some(compared)
    }

    /// What is to be found out about [`Self::asked_pair`].
    pub(super) fn difference_job(&self) -> Option<DifferenceJob> {
        let compared = self.asked_pair()?;
        let compare = &self.compare;
        let second = compare.second()?.shared_model();
        let first = self.actor.shared_model();
        let clip = match compare.with? {
            CompareWith::Clip(clip) => Some(clip),
            CompareWith::Skinning => self.clip,
            CompareWith::File => self.clip.and_then(|clip| self.clip_in_file(clip)),
        };
        let lengths = [first.clip_secs(self.clip), second.clip_secs(clip)];
        let stretch = stretch(compare.by_phase, lengths);
        let lack = self.clip.filter(|_| clip.is_none());
        let unpaired = lack.map_or_else(String::new, |clip| {
            let lack = self.lack_words(clip);
            format!("B {lack} and stands in its own pose: joints are not compared")
        });
        Some(DifferenceJob {
            compared,
            models: [first, second],
            clips: [self.clip, clip],
            stretch,
            size: self.actor.own_size(),
            unpaired,
        })
    }

    /// Takes note of what was found, unless something else is compared by now.
    pub(super) fn take_differences(&mut self, found: Differences) {
        if found.compared == self.compared() {
            self.compare.differences = Some(found);
            self.overlay_changed();
        }
    }

    /// What was found, if it is about what is shown.
    pub(super) fn differences(&self) -> Option<&Differences> {
        let compared = self.compared();
        let known = self.compare.differences.as_ref();
        let is_wanted = self.compare.shows_differences && self.split().is_some();
        known.filter(|known| is_wanted && known.compared == compared)
    }

    /// What panels read of the differences; none if they are not open.
    pub(super) fn differences_view(&self) -> Option<DifferencesView<'_>> {
        self.split().filter(|_| self.compare.shows_differences)?;
        let clips = self.clip_list();
        let Some(found) = self.differences() else {
            return Some(DifferencesView {
                clips,
                ..DifferencesView::default()
            });
        };
        let curves = &found.curves;
        let has_curve = |node: &NodeId| curves.degrees(Some(*node)).is_some();
        let node = self.selected.filter(has_curve);
        Some(DifferencesView {
            is_known: true,
            rows: &found.rows,
            by_figure: found.by_figure.each_ref().map(Vec::as_slice),
            alike: found.alike,
            times_secs: &curves.times_secs,
            degrees: curves.degrees(node).unwrap_or(&[]),
            units: curves.units(node).unwrap_or(&[]),
            node: node.map(NodeId::index),
            least: [MIN_DEGREES, found.least_units],
            most_degrees: curves.most_degrees(),
            unpaired: &found.unpaired,
            words: &found.words,
            clips,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        model::{Light, LightKind},
        ui::{Command, CompareCommand},
    };

    /// Else who sorts by one of them would not see what is worst.
    #[test]
    fn the_worst_by_either_figure_are_listed() {
        let mut rows = vec![[1.0, 1.0]; MAX_ROWS + 100];
        rows.extend([[9.0, 0.0], [0.0, 9.0]]);
        let listed: Vec<_> = listed(&rows, |row| *row).into_iter().collect();
        let last = rows.len() - 1;
        let expected = (0..MAX_ROWS).chain([last - 1, last]);
        assert_eq!(listed, expected.collect::<Vec<_>>());
    }

    /// What is said beside the joints of Pip and another one like it.
    fn words(change: impl FnOnce(&mut Model)) -> String {
        let first = built_in::load("Pip").unwrap().model;
        let mut second = first.clone();
        change(&mut second);
        let job = DifferenceJob {
            compared: ComparedPair {
                files: Files::default(),
                with: Some(CompareWith::File),
                clip: None,
            },
            models: [first, second].map(Arc::new),
            clips: [None, None],
            stretch: 1.0,
            size: 1.0,
            unpaired: String::new(),
        };
        job.run().words
    }

    /// Figures of a clip beside the pose in which B stands for want of it would say nothing about the clip.
    #[test]
    fn joints_are_not_compared_in_a_clip_that_b_lacks() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        let mut other = built_in::load("Pip").unwrap();
        other.model.clips.clear();
        session.compare_with(other);
        let toggle = CompareCommand::ToggleDifferences;
        session.apply(Command::Compare(toggle));
        let found = session.difference_job().unwrap().run();
        session.take_differences(found);
        let view = session.differences_view().unwrap();
        assert!(view.rows.is_empty() && view.times_secs.is_empty());
        let name = session.model().clips[0].name();
        let lack =
            format!("B has no clip {name:?} and stands in its own pose: joints are not compared");
        assert_eq!(view.unpaired, lack);
        // Both have a pose of their own.
        session.apply(Command::SelectClip(None));
        session.update();
        let found = session.difference_job().unwrap().run();
        session.take_differences(found);
        let view = session.differences_view().unwrap();
        assert!(view.unpaired.is_empty() && view.alike > 3);
    }

    #[test]
    fn of_many_differences_the_first_are_told() {
        let told = |count: usize| first_of((0..count).map(|place| place.to_string()));
        assert_eq!(told(2), ["0", "1"]);
        assert_eq!(told(MAX_TOLD).len(), MAX_TOLD);
        let many = told(MAX_TOLD + 7);
        assert_eq!(many.len(), MAX_TOLD + 1);
        assert_eq!(many[MAX_TOLD], "7 more such differences");
    }

    #[test]
    fn scenes_are_told() {
        let told = words(|model| {
            let more = model.scenes[0].clone();
            model.scenes.push(crate::model::Scene {
                name: "Backstage".to_owned(),
                ..more
            });
        });
        assert_eq!(told, "only B has scene \"Backstage\"");
    }

    #[test]
    fn materials_and_lights_are_told_as_on_the_command_line() {
        assert_eq!(words(|_| {}), "");
        let told = words(|model| {
            model.materials[0].double_sided ^= true;
            model.lights.push(Light {
                name: "Lamp".to_owned(),
                kind: LightKind::Point,
                color: glam::Vec3::ONE,
                intensity: 1.0,
                range: None,
            });
        });
        let (lamp, material) = told.split_once("; ").unwrap();
        assert_eq!(lamp, "only B has light \"Lamp\"");
        assert!(material.starts_with("material \""), "{material}");
        assert!(
            material.ends_with(": doubleSided no and yes")
                || material.ends_with(": doubleSided yes and no"),
            "{material}"
        );
    }
}
