//! The values of channels: as they stand in the file, and at the keys that can be used. Tracks with the same share them.

use std::{convert::identity, sync::Arc};

use glam::{Quat, Vec3};
use gltf::json::accessor::Type;

use crate::{
    import::{
        arrays::{
            accessor::{Decoded, SharedList},
            source::{Components, OTHERS_READ, Source, Use},
        },
        base::{
            hashing::{HashMap, Seeded},
            wording::counted,
        },
        motion::channels::Channel,
        scene::rotations::is_nearly_unit,
    },
    model::{Interpolation, unit_rotation},
};

use super::{
    DROPPED, Reader,
    keys::{Output, Track},
};

const NOT_UNIT: &str = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";

/// So many bytes of values that a track shares count as one that it has: they take no memory, but are gone through.
const SHARED_PER_BYTE: usize = 4;

/// The values of tracks before, by what they come from.
#[derive(Debug)]
pub(super) struct Shared {
    /// The accessors of values that more than one channel of the clip names, in rising order: only these are kept here.
    named_again: Vec<usize>,
    vectors: HashMap<Origin, Settled<Vec3>>,
    rotations: HashMap<Origin, Settled<Quat>>,
    /// Morph weights and properties.
    numbers: HashMap<Origin, Settled<f32>>,
}

/// What values come from: key times and values by their accessors, and how the keys are made of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Origin {
    input: usize,
    output: usize,
    interpolation: Interpolation,
    width: usize,
}

/// Values at the keys of a timeline of the clip.
#[derive(Debug, Clone)]
pub(super) struct Settled<T> {
    pub timeline: usize,
    pub values: Arc<[T]>,
    /// How many elements the file states.
    stated: usize,
    /// The sampler of which something has been said that is to be said of others, too, and whether of a pointer's channel.
    only_of: Option<(usize, bool)>,
}

/// How values are read whose elements are `E`, and whose tracks hold `T`.
struct Form<E, T> {
    shape: Type,
    components: Components,
    /// Elements that a key has, not counting tangents.
    width: usize,
    /// Makes elements a track's.
    finish: fn(Arc<[E]>) -> Arc<[T]>,
    shared: fn(&mut Shared) -> &mut HashMap<Origin, Settled<T>>,
}

impl Shared {
    /// What is to be kept of a clip with these channels: none yet.
    pub(super) fn of(channels: &[Channel], seeded: &Seeded) -> Self {
        let outputs = channels.iter().map(|it| it.sampler.output.value());
        let mut outputs: Vec<usize> = outputs.collect();
        outputs.sort_unstable();
        let pairs = outputs.iter().zip(outputs.iter().skip(1));
        let twice = pairs.filter(|(output, next)| output == next);
        Self {
            named_again: twice.map(|(output, _)| *output).collect(),
            vectors: HashMap::with_hasher(seeded.clone()),
            rotations: HashMap::with_hasher(seeded.clone()),
            numbers: HashMap::with_hasher(seeded.clone()),
        }
    }

    /// Whether another channel may need the values that come from there.
    fn is_kept(&self, origin: Origin) -> bool {
        self.named_again.binary_search(&origin.output).is_ok()
    }
}

impl Reader<'_, '_> {
    pub(super) fn vectors(&mut self, track: Track<'_>) -> Option<Settled<Vec3>> {
        let form = Form {
            shape: Type::Vec3,
            components: Components::Float,
            width: 1,
            finish: identity,
            shared: |shared| &mut shared.vectors,
        };
        self.values(track, &form, Vec3::from_array)
    }

    /// Values that are no rotations become the identity; the others get length 1, except with splines, where the result
    /// is normalised after interpolation only (glTF 2.0 appendix C.5).
    pub(super) fn rotations(&mut self, track: Track<'_>) -> Option<Settled<Quat>> {
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
            match unit_rotation(quaternion) {
                Some(_) if is_spline => quaternion,
                Some(unit) => unit,
                None => Quat::IDENTITY,
            }
        };
        let form = Form {
            shape: Type::Vec4,
            components: Components::FloatOrNormalized,
            width: 1,
            finish: identity,
            shared: |shared| &mut shared.rotations,
        };
        let rotations = self.values(track, &form, make)?;
        let accessor = track.channel.sampler.output.value();
        // Quaternions that hold no numbers have been reported; they were read as if these were 0.
        if uneven > 0 && rotations.only_of.is_some() {
            uneven = self.count_uneven(track, accessor);
        }
        // An accessor without data leaves them to others.
        let is_stated = (self.source.accessors.get(accessor)).is_ok_and(|it| !it.is_all_zero());
        if uneven > 0 && is_stated {
            let (clip, sampler) = (self.clip, track.channel.sampler_index);
            if let Some(shared) = self.shared.rotations.get_mut(&track.origin(1)) {
                shared.only_of = Some((sampler, track.channel.is_pointer()));
            }
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
        Some(rotations)
    }

    /// How many quaternions of a track are numbers, and not of length 1.
    fn count_uneven(&self, track: Track<'_>, accessor: usize) -> usize {
        let (mut index, mut uneven) = (0_usize, 0_usize);
        let look = |quaternion: [f32; 4]| {
            let quaternion = Quat::from_array(quaternion);
            let is_counted = quaternion.is_finite() && !is_nearly_unit(quaternion);
            if is_counted && !track.is_tangent(index, 1) {
                uneven = uneven.saturating_add(1);
            }
            index = index.saturating_add(1);
        };
        let Source {
            accessors,
            buffers,
            budget,
            ..
        } = self.source;
        match accessors.floats::<4, _, Vec<_>>(accessor, buffers, budget, look) {
            Ok(_) => uneven,
            // They have been read before.
            Err(_) => 0,
        }
    }

    pub(super) fn weights(&mut self, track: Track<'_>, width: usize) -> Option<Settled<f32>> {
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
        let form = Form {
            shape: Type::Scalar,
            components: Components::FloatOrNormalized,
            width,
            finish: identity,
            shared: |shared| &mut shared.numbers,
        };
        self.values(track, &form, |[weight]: [f32; 1]| weight)
    }

    /// Numbers of any kind.
    pub(super) fn scalars(&mut self, track: Track<'_>) -> Option<Settled<f32>> {
        let form = Form {
            shape: Type::Scalar,
            components: Components::Any,
            width: 1,
            finish: identity,
            shared: |shared| &mut shared.numbers,
        };
        self.values(track, &form, |[number]: [f32; 1]| number)
    }

    /// Vectors of `N` numbers, back to back.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        track: Track<'_>,
        shape: Type,
    ) -> Option<Settled<f32>> {
        let form = Form {
            shape,
            components: Components::Any,
            width: 1,
            finish: |vectors| vectors.as_flattened().into(),
            shared: |shared| &mut shared.numbers,
        };
        self.values(track, &form, |vector: [f32; N]| vector)
    }

    /// The values of a track: those of one before that has the same, or read.
    fn values<const N: usize, E: Copy, T: Clone>(
        &mut self,
        track: Track<'_>,
        form: &Form<E, T>,
        make: impl FnMut([f32; N]) -> E,
    ) -> Option<Settled<T>> {
        let (clip, channel) = (self.clip, track.channel.index);
        let (sampler, is_pointer) = (track.channel.sampler_index, track.channel.is_pointer());
        let wanted = Use {
            pointer: format_args!("/animations/{clip}/samplers/{sampler}/output"),
            format_code: "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
            components: if is_pointer {
                Components::Any
            } else {
                form.components
            },
            loss: DROPPED,
        };
        let source = self.source;
        let output = track.channel.sampler.output;
        let (index, _) = source.accessor(output, &[form.shape], wanted, self.diagnostics)?;
        let origin = track.origin(form.width);
        let known = (form.shared)(&mut self.shared).get(&origin);
        let known = known.filter(|it| it.only_of.is_none_or(|of| of == (sampler, is_pointer)));
        if let Some(known) = known.cloned() {
            self.charge_shared(track, 1, size_of_val(&*known.values))?;
            self.keys_with_values(track, form.width, known.stated)?;
            return Some(known);
        }
        let (decoded, count): (Decoded<SharedList<E>>, _) =
            match source.counted_floats(index, self.diagnostics, make) {
                Ok(read) => read,
                Err(fault) => {
                    // What is not there costs each channel.
                    let pointer = format_args!("/animations/{clip}/channels/{channel}");
                    self.diagnostics.fault(fault, pointer, wanted.loss);
                    return None;
                }
            };
        let Decoded { values, complaint } = decoded;
        let values: Arc<[E]> = values.into();
        let is_sound = count == 0 && complaint.is_none();
        if let Some(fault) = complaint {
            self.diagnostics.fault(fault, wanted.pointer, OTHERS_READ);
        }
        let mut invalid = Vec::new();
        if count > 0 {
            let action = match track.interpolation {
                Interpolation::CubicSpline => "keys with them are left out, and tangents are 0",
                Interpolation::Step | Interpolation::Linear => "keys with them are left out",
            };
            source.report_invalid(index, count, wanted, self.diagnostics, action);
            let mut place = 0_usize;
            let look = |vector: [f32; N]| {
                if !vector.iter().all(|number| number.is_finite()) {
                    invalid.push(place);
                }
                place = place.saturating_add(1);
            };
            source.raw_floats::<N, _, Vec<_>>(index, wanted, self.diagnostics, look)?;
        }
        let stated = values.len();
        let (timeline, values) = self.settle(track, form.width, Output { values, invalid })?;
        let settled = Settled {
            timeline,
            values: (form.finish)(values),
            stated,
            only_of: (!is_sound).then_some((sampler, is_pointer)),
        };
        if self.shared.is_kept(origin) {
            (form.shared)(&mut self.shared).insert(origin, settled.clone());
        }
        Some(settled)
    }

    /// Counts that `tracks` tracks share so many bytes of values; none if they are too many.
    pub(super) fn charge_shared(
        &mut self,
        track: Track<'_>,
        tracks: usize,
        values: usize,
    ) -> Option<()> {
        let each = values.div_ceil(SHARED_PER_BYTE);
        self.charge(track, tracks, each)
    }

    /// Takes memory for so many items of a channel's; none if there is not so much.
    pub(super) fn charge(&mut self, track: Track<'_>, count: usize, size: usize) -> Option<()> {
        if let Err(fault) = self.source.budget.charge_data(count, size) {
            let (clip, channel) = (self.clip, track.channel.index);
            let pointer = format_args!("/animations/{clip}/channels/{channel}");
            self.diagnostics.fault(fault, pointer, DROPPED);
            return None;
        }
        Some(())
    }
}

impl Track<'_> {
    fn origin(&self, width: usize) -> Origin {
        let sampler = &self.channel.sampler;
        Origin {
            input: sampler.input.value(),
            output: sampler.output.value(),
            interpolation: self.interpolation,
            width,
        }
    }
}
