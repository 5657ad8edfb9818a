//! `rigscope compare`: what two models have in common, and how far their motions lie apart.

mod pictures;
mod report;
mod skin_words;

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use anyhow::bail;
use clap::Args;

use super::{Opening, open_to_compare, print_text, tell_findings};
use crate::{
    anim::difference::{
        AppearanceDifference, ClipDifference, ClipSearch, MeshDifference, MotionComparison,
        NodeMatch, PlayedClips, PoseDifference, SkinDifference, compare_appearance, compare_meshes,
        compare_skins, count_parts, pair_clips,
    },
    app::{Actor, size_note},
    import::legible,
    model::{Clip, Model, NodeId},
};

/// Placements of nodes, weights and values of tracks that the comparison of all clips computes: some seconds' work.
const MAX_VALUES: usize = 1 << 27;

/// What a build pipeline looks at: something differs.
pub const EXIT_DIFFERENT: u8 = 1;

/// Arguments of `compare`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Exit codes: 0 the same, 1 different, 2 a file cannot be read, or what was compared is the same but something may be \
                  lost, which both may have lost alike, or there was too much to compare all"
)]
pub struct CompareArguments {
    /// The first model
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The second model
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// What is agreed to, of both.
    #[command(flatten)]
    pub opening: Opening,
    /// What may differ: lengths in the world as a part of the first model's size, rotations in radians, scales as a part of
    /// themselves, weights, durations in seconds, texels, and what else has numbers, those above 1 as a part of them
    #[arg(long, value_name = "T", default_value_t = 1e-4, value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse::<f64>().ok();
    tolerance
        .filter(|tolerance| tolerance.is_finite() && *tolerance >= 0.0)
        .ok_or_else(|| "a tolerance is a number from 0 on, like 0.001".to_owned())
}

/// Whether two models are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All is compared, and nothing differs by more than the tolerance.
    Same,
    /// Something does.
    Different,
    /// Nothing that was compared does, but there was too much to compare all.
    Unknown,
}

/// Runs the command: 0 if the models are the same within the tolerance, [`EXIT_DIFFERENT`] if they are not. Fails if that
/// cannot be told: they are the same as far as they could be read and were compared.
pub fn run(arguments: &CompareArguments) -> anyhow::Result<u8> {
    let paths = [&arguments.first, &arguments.second];
    let open = |path| open_to_compare(path, arguments.opening);
    let mut imports = [open(paths[0])?, open(paths[1])?];
    imports.iter().for_each(tell_findings);
    // Two versions of a file often have one name.
    let [first, second] = imports.each_ref().map(|import| import.model.file_name());
    let have_one_name = first == second;
    for (import, path) in imports.iter_mut().zip(paths) {
        import.model.name = if have_one_name {
            legible(path.as_os_str()).into_owned()
        } else {
            import.model.file_name().to_owned()
        };
    }
    let mut incomplete = Vec::new();
    for import in &imports {
        if import.may_have_lost() {
            incomplete.push(import.model.name.clone());
        }
    }
    let sides = imports.map(|import| (Actor::new(import.model), import.undecoded));
    let actors = sides.each_ref().map(|(actor, _)| actor);
    let undecoded = sides.each_ref().map(|(_, undecoded)| &undecoded[..]);
    let mut comparison = Comparison::of_undecoded(actors, undecoded, arguments.tolerance);
    comparison.incomplete = incomplete;
    let text = if arguments.json {
        serde_json::to_string_pretty(&comparison.to_json())? + "\n"
    } else {
        comparison.to_text()
    };
    print_text(&text)?;
    comparison.outcome()
}

/// The names of two models, or the one that both have.
fn both_names(names: &[String]) -> String {
    match names {
        [first, second] if first != second => format!("{first} and {second}"),
        names => names.first().cloned().unwrap_or_default(),
    }
}

/// Two models beside each other.
#[derive(Debug)]
pub struct Comparison<'a> {
    models: [&'a Model; 2],
    tolerance: f64,
    /// The diagonal of the first model as its file has it.
    size: f64,
    /// How many times as large the second is, where that is noteworthy.
    size_note: Option<String>,
    nodes: NodeMatch,
    counts: Vec<(&'static str, [usize; 2])>,
    skins: Vec<SkinDifference>,
    meshes: Vec<MeshDifference>,
    appearance: AppearanceDifference,
    /// Between the poses that the files themselves have.
    rest: PoseDifference,
    /// Of clips of the same name, or else the only ones of their length and keys.
    clips: Vec<ClipDifference>,
    only_first: Vec<usize>,
    only_second: Vec<usize>,
    /// The names of those of which something may be lost.
    incomplete: Vec<String>,
}

impl<'a> Comparison<'a> {
    /// Compares two models.
    pub fn new(actors: [&'a Actor; 2], tolerance: f64) -> Self {
        Self::of_undecoded(actors, [&[]; 2], tolerance)
    }

    /// [`Self::new`] where the images of models are still to be decoded: see
    /// [`Import::undecoded`](crate::import::Import). Models that have none such have decoded ones.
    pub fn of_undecoded(
        actors: [&'a Actor; 2],
        undecoded: [&[Option<Arc<Vec<u8>>>]; 2],
        tolerance: f64,
    ) -> Self {
        Self::of_values(actors, undecoded, tolerance, MAX_VALUES)
    }

    /// [`Self::of_undecoded`] where the clips may cost so many values.
    fn of_values(
        actors: [&'a Actor; 2],
        undecoded: [&[Option<Arc<Vec<u8>>>]; 2],
        tolerance: f64,
        most_values: usize,
    ) -> Self {
        let models = actors.map(Actor::model);
        let nodes = NodeMatch::new(&models[0].hierarchy, &models[1].hierarchy);
        let size = actors[0].own_size();
        let matched = pair_clips(models);
        let mut pictures = |places| pictures::compare(models, undecoded, places, tolerance);
        let appearance = compare_appearance(models, &nodes, size, tolerance, &mut pictures);
        let mut motions = MotionComparison::new(models, &nodes);
        let rest = motions.rest();
        let search = ClipSearch {
            models,
            motions: &mut motions,
            appearance: &appearance,
            tolerance,
        };
        let clips = search.compare(&matched.pairs, most_values, |clips| PlayedClips {
            clips: clips.map(Cow::Borrowed),
            stretch: 1.0,
            ends_with_first: false,
        });
        Self {
            counts: count_parts(models),
            skins: compare_skins(models, &nodes, size).collect(),
            meshes: compare_meshes(models, &nodes, size, tolerance).collect(),
            appearance,
            rest,
            models,
            tolerance,
            size,
            size_note: size_note(actors[0].bounds().diagonal(), actors[1].bounds().diagonal()),
            nodes,
            clips,
            only_first: matched.only_first,
            only_second: matched.only_second,
            incomplete: Vec::new(),
        }
    }

    /// Whether all is compared, and nothing differs by more than the tolerance.
    pub fn is_same(&self) -> bool {
        self.verdict() == Verdict::Same
    }

    /// Whether the models are the same.
    pub fn verdict(&self) -> Verdict {
        if !self.is_alike_besides_clips() {
            return Verdict::Different;
        }
        let clips = self.clips.iter().map(|clip| self.is_clip_same(clip));
        // A difference counts, whatever is not known of others.
        clips.fold(Verdict::Same, |verdict, is_same| match (verdict, is_same) {
            (Verdict::Different, _) | (_, Some(false)) => Verdict::Different,
            (verdict, Some(true)) => verdict,
            (_, None) => Verdict::Unknown,
        })
    }

    /// What the command ends with.
    fn outcome(&self) -> anyhow::Result<u8> {
        match (self.verdict(), &self.incomplete[..]) {
            (Verdict::Different, _) => Ok(EXIT_DIFFERENT),
            (Verdict::Same, []) => Ok(0),
            (Verdict::Unknown, []) => bail!(
                "what was compared is the same, but there was too much to compare all of it: see the clips"
            ),
            (Verdict::Unknown, names) => bail!(
                "what was compared is the same, but there was too much to compare all of it: see the clips; and of {} something may \
                 be lost",
                both_names(names)
            ),
            // What was lost of both would be the same, too.
            (Verdict::Same, names) => {
                let names = both_names(names);
                bail!("what could be read is the same, but of {names} something may be lost")
            }
        }
    }

    /// Whether nothing differs but what clips do.
    fn is_alike_besides_clips(&self) -> bool {
        let are_counted = self.counts.iter().all(|(_, [a, b])| a == b);
        let are_paired = self.nodes.only_first.is_empty()
            && self.nodes.only_second.is_empty()
            && self.renamed().is_empty()
            && self.only_first.is_empty()
            && self.only_second.is_empty();
        are_counted
            && are_paired
            && self.skins.iter().all(|skin| self.is_skin_same(skin))
            && self.meshes.iter().all(MeshDifference::is_none)
            && self.appearance.is_none()
            && self.is_within(&self.rest)
            && self
                .clips
                .iter()
                .all(|clip| self.other_name(clip).is_none())
    }

    fn both(&self, clip: &ClipDifference) -> [&'a Clip; 2] {
        [0, 1].map(|side| &self.models[side].clips[clip.places[side]])
    }

    fn durations_secs(&self, clip: &ClipDifference) -> [f64; 2] {
        self.both(clip).map(|clip| f64::from(clip.duration_secs()))
    }

    /// When each has its first key.
    fn starts_secs(&self, clip: &ClipDifference) -> [f64; 2] {
        self.both(clip).map(|clip| f64::from(clip.first_key_secs()))
    }

    /// What the second model calls a clip, where that is another name.
    fn other_name(&self, clip: &ClipDifference) -> Option<&str> {
        let names = self.both(clip).map(Clip::name);
        (names[0] != names[1]).then_some(names[1])
    }

    /// Nodes that belong together and are called otherwise.
    fn renamed(&self) -> Vec<(NodeId, NodeId)> {
        let [first, second] = self.models.map(|model| &model.hierarchy);
        self.nodes.renamed(first, second)
    }

    fn is_skin_same(&self, skin: &SkinDifference) -> bool {
        skin.other_joints == 0 && skin.bind <= self.tolerance
    }

    /// Whether a clip is the same in both; none if that is not known, as nothing that was compared differs.
    fn is_clip_same(&self, clip: &ClipDifference) -> Option<bool> {
        let [first, second] = self.durations_secs(clip);
        let is_within = clip.motion.is_none_or(|it| self.is_within(&it));
        if (first - second).abs() > self.tolerance || !clip.moved.is_empty() || !is_within {
            return Some(false);
        }
        clip.is_complete().then_some(true)
    }

    fn is_within(&self, difference: &PoseDifference) -> bool {
        let length = self.tolerance * self.size;
        difference.translation.amount <= length
            && difference.position.amount <= length
            && difference.rotation.amount <= self.tolerance
            && difference.scale.amount <= self.tolerance
            && difference.weight.amount <= self.tolerance
            && difference.visibility.node.is_none()
    }
}

#[cfg(test)]
mod tests;
