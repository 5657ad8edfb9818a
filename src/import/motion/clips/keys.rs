//! Which keys of a channel can be used, and in which order: those that have a time and a value, by their times.

use std::sync::Arc;

use gltf::json::{accessor::Type, animation::Sampler};

use crate::{
    import::{
        arrays::{
            accessor::SharedList,
            source::{Components, Use},
        },
        base::{
            diagnostics::{Place, Severity},
            wording::{counted, there_are},
        },
        motion::{channels::Channel, pointer::Pointed},
    },
    model::{Interpolation, Timeline},
};

use super::{DROPPED, Reader};

/// Key times that are numbers, in rising order.
#[derive(Debug, Clone)]
pub(super) struct Timing {
    timeline: Timeline,
    /// How many keys the file states.
    stated: usize,
    /// The places of the keys in the file, in the order of their times, unless that is how all of them stand there.
    order: Option<Vec<usize>>,
    /// The timeline's index in the clip, once a track has all of these keys.
    index: Option<usize>,
}

/// Values as they stand in the file.
#[derive(Debug)]
pub(super) struct Output<T> {
    pub values: Arc<[T]>,
    /// The places of those that are no numbers, and are 0.
    pub invalid: Vec<usize>,
}

/// What the values of one channel are for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track<'c> {
    pub channel: &'c Channel,
    /// How many keys the file states.
    pub keys: usize,
    pub interpolation: Interpolation,
}

impl Timing {
    /// How many keys the file states.
    pub(super) fn stated(&self) -> usize {
        self.stated
    }
}

impl Track<'_> {
    /// Number of values that a key has on a track of `width` values a key.
    fn values_per_key(&self, width: usize) -> usize {
        width.saturating_mul(self.interpolation.parts_per_key())
    }

    /// Whether another number of values than the keys need leaves open which belong to which key. Nobody knows what weights
    /// are of where the targets are others, and a spline may lack its tangents, or another track have some.
    fn is_ambiguous(&self, found: usize, expected: usize) -> bool {
        let is_of_weights = matches!(
            self.channel.target,
            Pointed::Weights(_) | Pointed::MeshWeights(_)
        );
        let is_of_spline = self.interpolation == Interpolation::CubicSpline;
        if found > expected {
            is_of_weights || found == expected.saturating_mul(3)
        } else {
            let is_even = found.checked_rem(self.keys) == Some(0);
            (is_of_weights || is_of_spline) && is_even
        }
    }

    /// Whether the value at a place is a tangent of a spline, which may have any length.
    pub(super) fn is_tangent(&self, place: usize, width: usize) -> bool {
        let part = place.checked_div(width);
        part.is_some_and(|part| self.interpolation.is_tangent(part))
    }
}

impl Reader<'_, '_> {
    /// Reads the key times of a channel; none if no key has one, or they cannot be read.
    pub(super) fn read_timing(&mut self, channel: &Channel) -> Option<Timing> {
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
        let times: SharedList<f32> =
            source.raw_floats(index, wanted, self.diagnostics, |[time]| time)?;
        let mut times: Arc<[f32]> = times.into();
        let stated = times.len();
        let invalid = times.iter().filter(|time| !time.is_finite()).count();
        if invalid > 0 {
            let action = "keys without a time are left out";
            source.report_invalid(index, invalid, wanted, self.diagnostics, action);
            if invalid == stated {
                return None;
            }
        }
        let finite = times.iter().copied().filter(|time| time.is_finite());
        let (min, max) = finite
            .clone()
            .fold((f32::MAX, f32::MIN), |(min, max), time| {
                (min.min(time), max.max(time))
            });
        if invalid == 0 {
            source.check_bounds(index, &[min], &[max], self.diagnostics);
        }
        if min < 0.0 {
            self.diagnostics.add(
                Severity::Error,
                "ACCESSOR_ANIMATION_INPUT_NEGATIVE",
                (wanted.pointer, Place::at_secs(min)),
                "a key time is negative",
                "it is kept",
            );
        }
        let is_sorted = finite.clone().is_sorted();
        let mut pairs = finite.clone().zip(finite.skip(1));
        let wrong = pairs.find(|(before, time)| match is_sorted {
            true => before >= time,
            false => before > time,
        });
        if let Some((_, time)) = wrong.filter(|_| !accessor.is_all_zero()) {
            let (message, action) = if is_sorted {
                ("two keys have the same time", "both are kept")
            } else {
                ("the key times are not sorted", "the keys were sorted")
            };
            let code = "ACCESSOR_ANIMATION_INPUT_NON_INCREASING";
            let at = (wanted.pointer, Place::at_secs(time));
            self.diagnostics
                .add(Severity::Error, code, at, message, action);
        }
        let mut order = None;
        if !is_sorted || invalid > 0 {
            let keys = times.iter().copied().enumerate();
            let mut keys: Vec<(usize, f32)> = keys.filter(|(_, time)| time.is_finite()).collect();
            keys.sort_by(|(_, a), (_, b)| a.total_cmp(b));
            let (places, rising): (_, Vec<f32>) = keys.into_iter().unzip();
            (order, times) = (Some(places), rising.into());
        }
        Some(Timing {
            timeline: Timeline::try_from(times).ok()?,
            stated,
            order,
            index: None,
        })
    }

    /// Takes note of a channel without key times; why, has been said if it is the first with them.
    pub(super) fn note_untimed(&mut self, channel: &Channel, is_first: bool) {
        let source = self.source;
        let accessor = source.accessors.get(channel.sampler.input.value()).ok();
        // What a buffer takes along that is not there is counted where that is said.
        match accessor.and_then(|accessor| accessor.lost_view(&source.buffers)) {
            Some(_) if is_first => {}
            Some(fault) => {
                let (clip, sampler) = (self.clip, channel.sampler_index);
                let pointer = format_args!("/animations/{clip}/samplers/{sampler}/input");
                self.diagnostics.fault(fault, pointer, DROPPED);
            }
            None => self.untimed.push(channel.index),
        }
    }

    /// Says how many channels there were without key times.
    pub(super) fn report_untimed(&mut self) {
        let [first, others @ ..] = &*self.untimed else {
            return;
        };
        let clip = self.clip;
        let pointer = format_args!("/animations/{clip}/channels/{first}");
        let (message, action) = match others.len() {
            0 => ("its key times cannot be used".to_owned(), DROPPED),
            more => {
                let others = counted(more, "other channel", "other channels");
                let message = format!("its key times, and those of {others}, cannot be used");
                (message, "the channels are dropped")
            }
        };
        // Why has been said, as an error if it is one.
        self.diagnostics
            .warning("ANIMATION_KEY_TIMES_UNUSABLE", pointer, message, action);
    }

    /// Puts values into the order of their key times, and those into the clip, without the keys that lack one or the other;
    /// none if no key is left.
    pub(super) fn settle<T: Copy>(
        &mut self,
        track: Track<'_>,
        width: usize,
        output: Output<T>,
    ) -> Option<(usize, Arc<[T]>)> {
        let Output { values, invalid } = output;
        let per_key = track.values_per_key(width);
        let valued = self.keys_with_values(track, width, values.len())?;
        let mut lost: Vec<usize> = invalid
            .into_iter()
            .filter(|&place| !track.is_tangent(place, width))
            .filter_map(|place| place.checked_div(per_key))
            .collect();
        lost.dedup();
        let input = track.channel.sampler.input.value();
        let timing = self.timings.get_mut(&input)?.as_mut()?;
        if valued < timing.stated || !lost.is_empty() {
            let is_usable = |key: usize| key < valued && lost.binary_search(&key).is_err();
            return self.settle_some(track, per_key, &values, is_usable);
        }
        let builder = &mut self.builder;
        let timeline = *timing
            .index
            .get_or_insert_with(|| builder.timeline(timing.timeline.clone()));
        let wanted = timing.stated.saturating_mul(per_key);
        let values = match &timing.order {
            Some(order) => of_keys(order, per_key, &values),
            None if values.len() == wanted => values,
            None => values.get(..wanted).unwrap_or(&values).into(),
        };
        Some((timeline, values))
    }

    /// [`Self::settle`] for a track that has some of the keys alone, and so a timeline of its own.
    fn settle_some<T: Copy>(
        &mut self,
        track: Track<'_>,
        per_key: usize,
        values: &[T],
        is_usable: impl Fn(usize) -> bool,
    ) -> Option<(usize, Arc<[T]>)> {
        let input = track.channel.sampler.input.value();
        let timing = self.timings.get(&input)?.as_ref()?;
        let all = timing.timeline.times_secs().iter().enumerate();
        let placed = all.map(|(rank, &time)| {
            let place = timing
                .order
                .as_ref()
                .map_or(Some(rank), |order| order.get(rank).copied());
            (place.unwrap_or(usize::MAX), time)
        });
        let (keys, times): (Vec<usize>, Vec<f32>) =
            placed.filter(|&(place, _)| is_usable(place)).unzip();
        let (clip, channel) = (self.clip, track.channel.index);
        let pointer = format_args!("/animations/{clip}/channels/{channel}");
        if keys.is_empty() {
            let message = "no key has both a time and a value";
            self.diagnostics
                .warning("ANIMATION_KEY_TIMES_UNUSABLE", pointer, message, DROPPED);
            return None;
        }
        self.charge(track, times.len(), size_of::<f32>())?;
        let timeline = self.builder.timeline(Timeline::new(times).ok()?);
        Some((timeline, of_keys(&keys, per_key, values)))
    }

    /// How many keys, from the first one, have values, of a track of `width` values a key for which there are so many; none if
    /// that cannot be told.
    pub(super) fn keys_with_values(
        &mut self,
        track: Track<'_>,
        width: usize,
        found: usize,
    ) -> Option<usize> {
        let per_key = track.values_per_key(width);
        let expected = track.keys.saturating_mul(per_key);
        if found == expected {
            return Some(track.keys);
        }
        let message = format!(
            "{} for {}, where {expected} should be",
            there_are(found, "value", "values"),
            counted(track.keys, "key", "keys")
        );
        let valued = found.checked_div(per_key).unwrap_or(0).min(track.keys);
        let is_usable = valued > 0 && !track.is_ambiguous(found, expected);
        let action = match (is_usable, found > expected) {
            (false, _) => DROPPED,
            (true, true) => "those beyond are ignored",
            (true, false) => "keys without values are left out",
        };
        let (clip, channel) = (self.clip, track.channel.index);
        let pointer = format_args!("/animations/{clip}/channels/{channel}");
        let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
        self.diagnostics.error(code, pointer, message, action);
        is_usable.then_some(valued)
    }
}

/// The values of these keys.
fn of_keys<T: Copy>(keys: &[usize], per_key: usize, values: &[T]) -> Arc<[T]> {
    let mut of_keys = Vec::with_capacity(keys.len().saturating_mul(per_key));
    for &key in keys {
        let start = key.saturating_mul(per_key);
        let of_key = values.get(start..).and_then(|rest| rest.get(..per_key));
        of_keys.extend_from_slice(of_key.unwrap_or_default());
    }
    of_keys.into()
}
