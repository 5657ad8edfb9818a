//! Clips: the key times and values of animations (glTF 2.0 §3.11).

mod properties;

use std::collections::HashSet;

use glam::{Quat, Vec3};
use gltf::json::{
    accessor::Type,
    animation::{Interpolation as FileInterpolation, Sampler},
    validation::Checked,
};

use crate::model::{
    Clip, ClipBuilder, Hierarchy, Interpolation, MaterialProperty, NodeId, PropertyTarget,
    PropertyValues, Timeline, TrackError,
};

use properties::Placing;

use super::{
    apart::read_each,
    channels::{Channel, FileClip},
    diagnostics::Diagnostics,
    extensions::pointer::Pointed,
    hashing::HashMap,
    meshes::fraction,
    names::{counted, there_are},
    nodes::{is_nearly_unit, normalized},
    progress::Cancelled,
    source::{Components, Source, Use},
};

const DROPPED: &str = "the channel is dropped";
const NOT_UNIT: &str = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";

/// Reads the data of all clips. `properties` are what they may move besides nodes.
pub(super) fn read(
    source: &Source<'_>,
    clips: Vec<FileClip>,
    hierarchy: &Hierarchy,
    properties: &PropertyValues,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Clip>, Cancelled> {
    let count = clips.len();
    let placing = Placing::default();
    let read = |index: usize, clip: &FileClip, diagnostics: &mut Diagnostics| {
        source
            .progress
            .set_stage("reading animations", 0.8 + 0.2 * fraction(index, count));
        let own = clip.channels.iter().filter_map(|it| match it.target {
            Pointed::Weights(node) => Some(node),
            _ => None,
        });
        let own_single = clip.channels.iter().filter_map(|it| match it.target {
            Pointed::Weight(node, weight) => Some((node, weight)),
            _ => None,
        });
        let mut reader = Reader {
            source,
            clip: index,
            hierarchy,
            properties,
            placing: &placing,
            own_weights: own.collect(),
            own_single_weights: own_single.collect(),
            builder: ClipBuilder::new(clip.name.clone()),
            timings: HashMap::default(),
            diagnostics,
        };
        for channel in &clip.channels {
            source.progress.check()?;
            if let Some(Err(error)) = reader.read_channel(channel) {
                let place = channel.index;
                let pointer = format_args!("/animations/{index}/channels/{place}");
                let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
                reader
                    .diagnostics
                    .error(code, pointer, error.to_string(), DROPPED);
            }
        }
        Ok(reader.builder.finish())
    };
    read_each(source, clips, diagnostics, read)
}

/// Reads one clip.
struct Reader<'r, 's> {
    source: &'r Source<'s>,
    clip: usize,
    hierarchy: &'r Hierarchy,
    properties: &'r PropertyValues,
    placing: &'r Placing,
    /// The nodes whose weights a channel moves that names them.
    own_weights: HashSet<usize>,
    /// The same of single weights.
    own_single_weights: HashSet<(usize, usize)>,
    builder: ClipBuilder,
    /// Key times by the accessor they come from, so that tracks share them.
    timings: HashMap<usize, Option<Timing>>,
    diagnostics: &'r mut Diagnostics,
}

/// Key times, and in which order the keys have to be taken to make them rise.
#[derive(Debug, Clone)]
struct Timing {
    timeline: Timeline,
    order: Option<Vec<usize>>,
    /// Its index in the clip, once a track uses it.
    index: Option<usize>,
}

impl Reader<'_, '_> {
    fn read_channel(&mut self, channel: &Channel) -> Option<Result<(), TrackError>> {
        let interpolation = self.interpolation(channel)?;
        let input = channel.sampler.input.value();
        if !self.timings.contains_key(&input) {
            let timing = self.read_timing(channel);
            self.timings.insert(input, timing);
        }
        let Some(keys) = self.timings.get(&input)?.as_ref().map(Timing::key_count) else {
            let clip = self.clip;
            let pointer = format_args!("/animations/{clip}/channels/{}", channel.index);
            // Why has been said, as an error if it is one.
            let message = "its key times cannot be used";
            self.diagnostics
                .warning("ANIMATION_KEY_TIMES_UNUSABLE", pointer, message, DROPPED);
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
                self.read_property(track, target)
            }
            Pointed::Weight(node, weight) => self.read_weight(track, by_file_index(node)?, weight),
            Pointed::MeshWeight(mesh, weight) => self.read_mesh_weight(track, mesh, weight),
            Pointed::Other(target) => {
                if !self.properties.has(target) {
                    // A cutoff has a value in every mode, and is seen in one (glTF 2.0 §5.19).
                    let is_cutoff = matches!(
                        target,
                        PropertyTarget::Material(_, MaterialProperty::AlphaCutoff)
                    );
                    if !is_cutoff {
                        self.report_undefined(track, "the file does not state what it names");
                    }
                    return None;
                }
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
                self.diagnostics.warning(
                    "VALUE_NOT_IN_LIST",
                    format_args!("/animations/{clip}/samplers/{sampler}/interpolation"),
                    "the interpolation is unknown",
                    DROPPED,
                );
                None
            }
        }
    }

    fn read_timing(&mut self, channel: &Channel) -> Option<Timing> {
        let (clip, sampler) = (self.clip, channel.sampler_index);
        let wanted = Use {
            pointer: format_args!("/animations/{clip}/samplers/{sampler}/input"),
            format_code: "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
            components: Components::Float,
            loss: DROPPED,
        };
        let Sampler { input, .. } = channel.sampler;
        let source = self.source;
        let (index, accessor) =
            source.accessor(input, &[Type::Scalar], wanted, self.diagnostics)?;
        if !accessor.has_bounds() {
            self.diagnostics.error(
                "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
                wanted.pointer,
                format!("accessor {index} states no min and max, which key times must have"),
                "they are computed",
            );
        }
        let mut times = source.raw_floats(index, wanted, self.diagnostics, |[time]| time)?;
        if !times.iter().all(|time| time.is_finite()) {
            self.diagnostics.error(
                "ACCESSOR_INVALID_FLOAT",
                wanted.pointer,
                "a key time is not a finite number",
                DROPPED,
            );
            return None;
        }
        let (min, max) = times
            .iter()
            .fold((f32::MAX, f32::MIN), |(min, max), &time| {
                (min.min(time), max.max(time))
            });
        source.check_bounds(index, &[min], &[max], self.diagnostics);
        if min < 0.0 {
            self.diagnostics.error(
                "ACCESSOR_ANIMATION_INPUT_NEGATIVE",
                wanted.pointer,
                "a key time is negative",
                "it is kept",
            );
        }
        let mut order = None;
        if !times.is_sorted() {
            let mut keys: Vec<(usize, f32)> = times.iter().copied().enumerate().collect();
            keys.sort_by(|(_, a), (_, b)| a.total_cmp(b));
            times = keys.iter().map(|&(_, time)| time).collect();
            order = Some(keys.into_iter().map(|(key, _)| key).collect());
        }
        let rises = times.array_windows().all(|[a, b]| a < b);
        if order.is_some() || !(rises || accessor.is_all_zero()) {
            let (message, action) = if order.is_some() {
                ("the key times are not sorted", "the keys were sorted")
            } else {
                ("two keys have the same time", "both are kept")
            };
            let code = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING";
            self.diagnostics
                .error(code, wanted.pointer, message, action);
        }
        let timeline = Timeline::new(times).ok()?;
        Some(Timing {
            timeline,
            order,
            index: None,
        })
    }

    /// Puts values into the order of their key times, and those into the clip.
    fn settle<T: Copy>(
        &mut self,
        track: Track<'_>,
        width: usize,
        mut values: Vec<T>,
    ) -> Option<(usize, Vec<T>)> {
        let input = track.channel.sampler.input.value();
        let timing = self.timings.get_mut(&input)?.as_mut()?;
        let expected = track.value_count(width);
        if values.len() != expected {
            let (clip, channel) = (self.clip, track.channel.index);
            let pointer = format_args!("/animations/{clip}/channels/{channel}");
            let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
            let found = values.len();
            let message = format!(
                "{} for {}, where {expected} should be",
                there_are(found, "value", "values"),
                counted(track.keys, "key", "keys")
            );
            if !track.may_have_more(found, expected) {
                self.diagnostics.error(code, pointer, message, DROPPED);
                return None;
            }
            let action = "those beyond are ignored";
            self.diagnostics.error(code, pointer, message, action);
            values.truncate(expected);
        }
        let builder = &mut self.builder;
        let timeline = *timing
            .index
            .get_or_insert_with(|| builder.timeline(timing.timeline.clone()));
        let Some(order) = &timing.order else {
            return Some((timeline, values));
        };
        let per_key = values.len().checked_div(track.keys).unwrap_or(0);
        let mut sorted = Vec::with_capacity(values.len());
        for &key in order {
            let start = key.saturating_mul(per_key);
            let of_key = values.get(start..).and_then(|rest| rest.get(..per_key));
            sorted.extend_from_slice(of_key.unwrap_or_default());
        }
        Some((timeline, sorted))
    }
}

/// What the values of one channel are for.
#[derive(Debug, Clone, Copy)]
struct Track<'c> {
    channel: &'c Channel,
    keys: usize,
    interpolation: Interpolation,
}

impl Timing {
    fn key_count(&self) -> usize {
        self.timeline.times_secs().len()
    }
}

impl Track<'_> {
    /// Number of values that a track of `width` values a key needs.
    fn value_count(&self, width: usize) -> usize {
        let per_key = match self.interpolation {
            Interpolation::CubicSpline => 3,
            Interpolation::Step | Interpolation::Linear => 1,
        };
        self.keys.saturating_mul(width).saturating_mul(per_key)
    }

    /// Whether the first of so many values are those that are needed. Nobody knows what weights are of where the targets are
    /// others; and three times as many are the keys of a spline.
    fn may_have_more(&self, found: usize, expected: usize) -> bool {
        let is_of_weights = matches!(
            self.channel.target,
            Pointed::Weights(_) | Pointed::MeshWeights(_)
        );
        found > expected && !is_of_weights && found != expected.saturating_mul(3)
    }

    /// Whether the value at `index` is a tangent of a spline, which may have any length.
    fn is_tangent(&self, index: usize) -> bool {
        self.interpolation == Interpolation::CubicSpline && index.rem_euclid(3) != 1
    }
}

/// Values as they stand in the file.
impl Reader<'_, '_> {
    fn vectors(&mut self, track: Track<'_>) -> Option<Vec<Vec3>> {
        self.output(track, Type::Vec3, Components::Float, Vec3::from_array)
    }

    /// Values that are no rotations become the identity; the others get length 1, except with splines, where the result
    /// is normalised after interpolation only (glTF 2.0 appendix C.5).
    fn rotations(&mut self, track: Track<'_>) -> Option<Vec<Quat>> {
        let (mut index, mut uneven) = (0_usize, 0_usize);
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        let make = |quaternion: [f32; 4]| {
            let quaternion = Quat::from_array(quaternion);
            let is_tangent = track.is_tangent(index);
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
        let values = self.output(track, Type::Vec4, Components::FloatOrNormalized, make);
        let output = track.channel.sampler.output.value();
        // An accessor without data leaves them to others.
        let is_stated = (self.source.accessors.get(output)).is_ok_and(|it| !it.is_all_zero());
        if uneven > 0 && is_stated {
            let (clip, sampler) = (self.clip, track.channel.sampler_index);
            let pointer = format_args!("/animations/{clip}/samplers/{sampler}/output");
            let quaternions = counted(uneven, "quaternion", "quaternions");
            let message = format!("the length of {quaternions} is not 1");
            let action = "they are normalised, and zero means no rotation";
            // `KHR_animation_pointer` says nothing of lengths.
            if track.channel.is_pointer {
                self.diagnostics.warning(NOT_UNIT, pointer, message, action);
            } else {
                self.diagnostics.error(NOT_UNIT, pointer, message, action);
            }
        }
        values
    }

    fn weights(&mut self, track: Track<'_>, width: usize) -> Option<Vec<f32>> {
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
    ) -> Option<Vec<T>> {
        let (clip, sampler) = (self.clip, track.channel.sampler_index);
        let is_pointer = track.channel.is_pointer;
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
        let output = track.channel.sampler.output;
        let (index, _) = self
            .source
            .accessor(output, &[shape], wanted, self.diagnostics)?;
        self.source.floats(index, wanted, self.diagnostics, make)
    }
}
