//! Clips: the key times and values of animations (glTF 2.0 §3.11).

mod keys;
mod owners;
mod properties;
mod twice;

use glam::{Quat, Vec3};
use gltf::json::{
    accessor::Type, animation::Interpolation as FileInterpolation, validation::Checked,
};

use crate::{
    import::{
        arrays::{
            apart::read_each,
            source::{Components, Source, Use},
        },
        base::{
            diagnostics::Diagnostics,
            hashing::HashMap,
            progress::{Cancelled, fraction},
            wording::counted,
        },
        json::document::Section,
        scene::rotations::{is_nearly_unit, normalized},
    },
    model::{
        Clip, ClipBuilder, Hierarchy, Interpolation, NodeId, PropertyTarget, PropertyValues,
        TrackError,
    },
};

use keys::{Output, Timing, Track};
use owners::Owners;
use properties::Placing;

use super::{
    channels::{Channel, FileClip},
    pointer::Pointed,
};

const DROPPED: &str = "the channel is dropped";
const NOT_UNIT: &str = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";

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
            moved: HashMap::default(),
            moved_parts: HashMap::default(),
            builder: ClipBuilder::new(clip.name.clone()),
            timings: HashMap::default(),
            untimed: Vec::new(),
            diagnostics,
        };
        // What names a mesh moves those of its nodes that nothing else does, which is known once all else is read.
        let is_of_mesh = |channel: &&Channel| {
            let target = channel.target;
            matches!(target, Pointed::MeshWeights(_) | Pointed::MeshWeight(..))
        };
        let channels = clip.channels.iter();
        let (of_meshes, others): (Vec<_>, Vec<_>) = channels.partition(is_of_mesh);
        for channel in others.into_iter().chain(of_meshes) {
            source.progress.check()?;
            if let Some(&first) = reader.moved.get(&channel.target) {
                reader.report_duplicate(channel, first);
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
                }
                // Why has been said.
                None => {}
            }
        }
        reader.report_untimed();
        Ok(reader.builder.finish())
    };
    read_each(source, clips, diagnostics, read)
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
    /// The places of channels whose key times cannot be used.
    untimed: Vec<usize>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_> {
    fn read_channel(&mut self, channel: &Channel) -> Option<Result<(), TrackError>> {
        let interpolation = self.interpolation(channel)?;
        let input = channel.sampler.input.value();
        let is_first = !self.timings.contains_key(&input);
        if is_first {
            let timing = self.read_timing(channel);
            self.timings.insert(input, timing);
        }
        let Some(keys) = self.timings.get(&input)?.as_ref().map(Timing::stated) else {
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
                let values = self.vectors(track)?;
                let (timeline, values) = self.settle(track, 1, values)?;
                Some(
                    self.builder
                        .translation(node, timeline, interpolation, values),
                )
            }
            Pointed::Scale(node) => {
                let node = by_file_index(node)?;
                let values = self.vectors(track)?;
                let (timeline, values) = self.settle(track, 1, values)?;
                Some(self.builder.scale(node, timeline, interpolation, values))
            }
            Pointed::Rotation(node) => {
                let node = by_file_index(node)?;
                let values = self.rotations(track)?;
                let (timeline, values) = self.settle(track, 1, values)?;
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
        let values = self.weights(track, width)?;
        let (timeline, values) = self.settle(track, width, values)?;
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

/// Values as they stand in the file.
impl Reader<'_, '_> {
    fn vectors(&mut self, track: Track<'_>) -> Option<Output<Vec3>> {
        self.output(track, Type::Vec3, Components::Float, Vec3::from_array)
    }

    /// Values that are no rotations become the identity; the others get length 1, except with splines, where the result
    /// is normalised after interpolation only (glTF 2.0 appendix C.5).
    fn rotations(&mut self, track: Track<'_>) -> Option<Output<Quat>> {
        let (mut index, mut uneven) = (0_usize, 0_usize);
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        let make = |quaternion: [f32; 4]| {
            let quaternion = Quat::from_array(quaternion);
            let is_tangent = track.is_tangent(index, 1);
            index = index.saturating_add(1);
            if is_tangent {
                return quaternion;
            }
            if !is_nearly_unit(quaternion) {
                uneven = uneven.saturating_add(1);
            }
            match normalized(quaternion) {
                Some(_) if is_spline => quaternion,
                Some(unit) => unit,
                None => Quat::IDENTITY,
            }
        };
        let output = self.output(track, Type::Vec4, Components::FloatOrNormalized, make)?;
        // Quaternions that hold no numbers have been reported.
        let invalid = output.invalid.iter();
        let uneven = uneven.saturating_sub(invalid.filter(|&&it| !track.is_tangent(it, 1)).count());
        let accessor = track.channel.sampler.output.value();
        // An accessor without data leaves them to others.
        let is_stated = (self.source.accessors.get(accessor)).is_ok_and(|it| !it.is_all_zero());
        if uneven > 0 && is_stated {
            let (clip, sampler) = (self.clip, track.channel.sampler_index);
            let pointer = format_args!("/animations/{clip}/samplers/{sampler}/output");
            let quaternions = counted(uneven, "quaternion", "quaternions");
            let message = format!("the length of {quaternions} is not 1");
            let action = match is_spline {
                true => "what is interpolated is normalised, and zero means no rotation",
                false => "they are normalised, and zero means no rotation",
            };
            // `KHR_animation_pointer` says nothing of lengths.
            if track.channel.is_pointer() {
                self.diagnostics.warning(NOT_UNIT, pointer, message, action);
            } else {
                self.diagnostics.error(NOT_UNIT, pointer, message, action);
            }
        }
        Some(output)
    }

    fn weights(&mut self, track: Track<'_>, width: usize) -> Option<Output<f32>> {
        if width == 0 && track.channel.is_pointer() {
            self.report_undefined(track, "the node has no morph targets");
            return None;
        }
        if width == 0 {
            let (clip, channel) = (self.clip, track.channel.index);
            self.diagnostics.error(
                "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
                format_args!("/animations/{clip}/channels/{channel}/target"),
                "the node has no morph targets",
                DROPPED,
            );
            return None;
        }
        let components = Components::FloatOrNormalized;
        self.output(track, Type::Scalar, components, |[weight]: [f32; 1]| weight)
    }

    fn output<const N: usize, T>(
        &mut self,
        track: Track<'_>,
        shape: Type,
        components: Components,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<Output<T>> {
        let (clip, sampler) = (self.clip, track.channel.sampler_index);
        let is_pointer = track.channel.is_pointer();
        let wanted = Use {
            pointer: format_args!("/animations/{clip}/samplers/{sampler}/output"),
            format_code: "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
            components: if is_pointer {
                Components::Any
            } else {
                components
            },
            loss: DROPPED,
        };
        let source = self.source;
        let output = track.channel.sampler.output;
        let (index, _) = source.accessor(output, &[shape], wanted, self.diagnostics)?;
        let (values, count) = source.counted_floats(index, wanted, self.diagnostics, make)?;
        let mut invalid = Vec::new();
        if count > 0 {
            let action = match track.interpolation {
                Interpolation::CubicSpline => "keys with them are left out, and tangents are 0",
                Interpolation::Step | Interpolation::Linear => "keys with them are left out",
            };
            source.report_invalid(index, count, wanted, self.diagnostics, action);
            let mut place = 0_usize;
            source.raw_floats(index, wanted, self.diagnostics, |vector: [f32; N]| {
                if !vector.iter().all(|number| number.is_finite()) {
                    invalid.push(place);
                }
                place = place.saturating_add(1);
            })?;
        }
        Some(Output { values, invalid })
    }
}
