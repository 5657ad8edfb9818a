//! Clips: the key times and values of animations (glTF 2.0 §3.11).

mod keys;
mod owners;
mod properties;
mod twice;
mod values;

use gltf::json::{animation::Interpolation as FileInterpolation, validation::Checked};

use crate::{
    import::{
        arrays::{apart::read_each, source::Source},
        base::{
            diagnostics::Diagnostics,
            hashing::{HashMap, Seeded},
            progress::{Cancelled, fraction},
        },
        json::document::Section,
    },
    model::{
        Clip, ClipBuilder, Hierarchy, Interpolation, NodeId, PropertyTarget, PropertyValues,
        TrackError, UnreadChannels,
    },
};

use keys::{Timing, Track};
use owners::Owners;
use properties::Placing;
use values::{Settled, Shared};

use super::{
    channels::{Channel, FileClip},
    pointer::Pointed,
};

const DROPPED: &str = "the channel is dropped";
/// For as many channels there is room at once; of more, most may be of no use.
const USUAL_CHANNELS: usize = 1 << 10;

/// Reads the data of all clips. `properties` are what they may move besides nodes.
pub(in crate::import) fn read(
    source: &Source<'_>,
    clips: Vec<FileClip>,
    hierarchy: &Hierarchy,
    properties: &PropertyValues,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Clip>, Cancelled> {
    let count = clips.len();
    let (placing, owners) = (Placing::default(), Owners::default());
    let seeded = Seeded::default();
    let read = |index: usize, clip: &FileClip, diagnostics: &mut Diagnostics| {
        source
            .progress
            .set_stage("reading animations", 0.8 + 0.2 * fraction(index, count));
        let mut reader = Reader {
            source,
            clip: index,
            unknown_interpolations: &clip.unknown_interpolations,
            hierarchy,
            properties,
            placing: &placing,
            owners: &owners,
            moved: HashMap::with_capacity_and_hasher(
                clip.channels.len().min(USUAL_CHANNELS),
                seeded.clone(),
            ),
            moved_parts: HashMap::with_hasher(seeded.clone()),
            builder: builder_of(clip),
            timings: HashMap::with_hasher(seeded.clone()),
            shared: Shared::of(&clip.channels, &seeded),
            untimed: Vec::new(),
            diagnostics,
        };
        // What names a mesh moves those of its nodes that nothing else does, which is known once all else is read.
        let is_of_mesh = |channel: &&Channel| {
            let target = channel.target;
            matches!(target, Pointed::MeshWeights(_) | Pointed::MeshWeight(..))
        };
        let of_meshes = clip.channels.iter().filter(is_of_mesh);
        let others = clip.channels.iter().filter(|it| !is_of_mesh(it));
        let mut unread = UnreadChannels {
            unusable: clip.ignored,
            ..UnreadChannels::default()
        };
        for channel in others.chain(of_meshes) {
            source.progress.check()?;
            if let Some(&first) = reader.moved.get(&channel.target) {
                reader.report_duplicate(channel, first);
                unread.second = unread.second.saturating_add(1);
                continue;
            }
            match reader.read_channel(channel) {
                Some(Ok(())) => {
                    reader.report_overlap(channel);
                    reader.moved.insert(channel.target, channel);
                }
                Some(Err(error)) => {
                    let place = channel.index;
                    let pointer = format_args!("/animations/{index}/channels/{place}");
                    let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
                    reader
                        .diagnostics
                        .error(code, pointer, error.to_string(), DROPPED);
                    unread.unusable = unread.unusable.saturating_add(1);
                }
                // Why has been said.
                None => unread.unusable = unread.unusable.saturating_add(1),
            }
        }
        reader.report_untimed();
        reader.builder.leave_unread(unread);
        Ok(reader.builder.finish())
    };
    read_each(source, clips, diagnostics, read)
}

/// Puts together what will be made of a clip's channels, with room for it.
fn builder_of(clip: &FileClip) -> ClipBuilder {
    let count = |is_one: fn(Pointed) -> bool| {
        let targets = clip.channels.iter().map(|channel| channel.target);
        targets.filter(|it| is_one(*it)).count().min(USUAL_CHANNELS)
    };
    let mut builder = ClipBuilder::new(clip.name.clone());
    builder.reserve(
        count(|it| matches!(it, Pointed::Translation(_))),
        count(|it| matches!(it, Pointed::Rotation(_))),
        count(|it| matches!(it, Pointed::Scale(_))),
    );
    builder
}

/// Reads one clip.
struct Reader<'r, 's> {
    source: &'r Source<'s>,
    clip: usize,
    /// As in [`FileClip`].
    unknown_interpolations: &'r HashMap<usize, Box<str>>,
    hierarchy: &'r Hierarchy,
    properties: &'r PropertyValues,
    placing: &'r Placing,
    owners: &'r Owners,
    /// What channels before move whose data could be read.
    moved: HashMap<Pointed, &'r Channel>,
    /// Of what they move one element each the wholes, with the place of the first such channel.
    moved_parts: HashMap<Pointed, usize>,
    builder: ClipBuilder,
    /// Key times by the accessor they come from, so that tracks share them.
    timings: HashMap<usize, Option<Timing>>,
    /// What tracks share.
    shared: Shared,
    /// The places of channels whose key times cannot be used.
    untimed: Vec<usize>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_> {
    fn read_channel(&mut self, channel: &Channel) -> Option<Result<(), TrackError>> {
        let interpolation = self.interpolation(channel)?;
        let input = channel.sampler.input.value();
        let known = self.timings.get(&input);
        let is_first = known.is_none();
        let keys = match known {
            Some(timing) => timing.as_ref().map(Timing::stated),
            None => {
                let timing = self.read_timing(channel);
                let keys = timing.as_ref().map(Timing::stated);
                self.timings.insert(input, timing);
                keys
            }
        };
        let Some(keys) = keys else {
            self.note_untimed(channel, is_first);
            return None;
        };
        let track = Track {
            channel,
            keys,
            interpolation,
        };
        let by_file_index = |node: usize| self.hierarchy.by_file_index(node);
        match channel.target {
            Pointed::Translation(node) => {
                let node = by_file_index(node)?;
                let Settled {
                    timeline, values, ..
                } = self.vectors(track)?;
                Some(
                    self.builder
                        .translation(node, timeline, interpolation, values),
                )
            }
            Pointed::Scale(node) => {
                let node = by_file_index(node)?;
                let Settled {
                    timeline, values, ..
                } = self.vectors(track)?;
                Some(self.builder.scale(node, timeline, interpolation, values))
            }
            Pointed::Rotation(node) => {
                let node = by_file_index(node)?;
                let Settled {
                    timeline, values, ..
                } = self.rotations(track)?;
                Some(self.builder.rotation(node, timeline, interpolation, values))
            }
            Pointed::Weights(node) => {
                let node = by_file_index(node)?;
                self.read_weights(track, node)
            }
            Pointed::MeshWeights(mesh) => self.read_mesh_weights(track, mesh),
            Pointed::Visibility(node) => {
                let target = PropertyTarget::Visibility(by_file_index(node)?);
                self.check_owner(track, Section::Nodes, target);
                self.read_property(track, target)
            }
            Pointed::Weight(node, weight) => self.read_weight(track, by_file_index(node)?, weight),
            Pointed::MeshWeight(mesh, weight) => self.read_mesh_weight(track, mesh, weight),
            Pointed::Other(target) => {
                if !self.properties.has(target)
                    && let Some(why) = self.why_undefined(target)
                {
                    self.report_undefined(track, why);
                    return None;
                }
                self.check_owner(track, Section::Materials, target);
                self.read_property(track, target)
            }
        }
    }

    fn read_weights(&mut self, track: Track<'_>, node: NodeId) -> Option<Result<(), TrackError>> {
        let width = self.hierarchy.node(node).weights.len();
        let Settled {
            timeline, values, ..
        } = self.weights(track, width)?;
        let interpolation = track.interpolation;
        Some(
            self.builder
                .weights(node, timeline, interpolation, width, values),
        )
    }

    fn interpolation(&mut self, channel: &Channel) -> Option<Interpolation> {
        match channel.sampler.interpolation {
            Checked::Valid(FileInterpolation::Linear) => Some(Interpolation::Linear),
            Checked::Valid(FileInterpolation::Step) => Some(Interpolation::Step),
            Checked::Valid(FileInterpolation::CubicSpline) => Some(Interpolation::CubicSpline),
            Checked::Invalid => {
                let (clip, sampler) = (self.clip, channel.sampler_index);
                let pointer = format_args!("/animations/{clip}/samplers/{sampler}/interpolation");
                let message = match self.unknown_interpolations.get(&sampler) {
                    Some(unknown) => format!("the interpolation \"{unknown}\" is unknown"),
                    None => "the interpolation is unknown".to_owned(),
                };
                self.diagnostics
                    .warning("VALUE_NOT_IN_LIST", pointer, message, DROPPED);
                None
            }
        }
    }
}
