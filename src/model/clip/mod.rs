//! Clips: named animations made of tracks over timelines.
//!
//! A [`Timeline`] is a sorted list of key times; many [`Track`]s share one, so that the place of a moment among its keys
//! is looked up once for all of them. A track holds the values of one property of one node at those keys.

mod bone_lengths;
mod builder;
mod channels;
mod heads;
mod together;
mod unread;

use std::{fmt, sync::Arc};

use glam::{Quat, Vec3};

use super::{NodeId, PropertyTarget, PropertyTrack};
pub use builder::ClipBuilder;
use channels::MeshChannels;
pub use channels::{ChannelCounts, MeshChannel};
pub use heads::{Moved, TrackHead};
pub use unread::UnreadChannels;

/// An animation of a file (glTF 2.0 §3.11).
#[derive(Debug, Clone, Default)]
pub struct Clip {
    name: String,
    timelines: Vec<Timeline>,
    translations: Vec<Track<Vec3>>,
    rotations: Vec<Track<Quat>>,
    scales: Vec<Track<Vec3>>,
    weights: Vec<Track<f32>>,
    properties: Vec<PropertyTrack>,
    /// Which of the tracks are channels of meshes.
    mesh_channels: MeshChannels,
    unread: UnreadChannels,
}

/// The sorted key times that one or more tracks share.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    times_secs: Arc<[f32]>,
}

/// The values of one property of one node at the keys of a timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct Track<T> {
    node: NodeId,
    timeline: usize,
    interpolation: Interpolation,
    width: usize,
    /// Tracks with the same values share them.
    values: Arc<[T]>,
}

/// How values between keys are found (glTF 2.0 §3.11 and appendix C).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Interpolation {
    /// The value of the key before.
    Step,
    /// Straight from key to key; rotations along the shorter arc.
    #[default]
    Linear,
    /// Hermite spline with an in- and an out-tangent at every key.
    CubicSpline,
}

/// What a key of a spline is made of, in this order (glTF 2.0 appendix C.3). Other keys have the value alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPart {
    /// How fast the value changes when it arrives.
    InTangent,
    /// The value there.
    Value,
    /// How fast the value changes when it leaves.
    OutTangent,
}

impl Interpolation {
    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
        }
    }

    /// How many parts a key has.
    pub fn parts_per_key(self) -> usize {
        match self {
            Self::CubicSpline => 3,
            Self::Step | Self::Linear => 1,
        }
    }

    /// Where a part of a key is among those of all keys: where the value is, if keys have no others.
    pub fn place(self, key: usize, part: KeyPart) -> usize {
        match self {
            Self::CubicSpline => 3 * key + part as usize,
            Self::Step | Self::Linear => key,
        }
    }

    /// Whether what is at a place among the parts of all keys is a tangent.
    pub fn is_tangent(self, place: usize) -> bool {
        self == Self::CubicSpline && place % 3 != KeyPart::Value as usize
    }
}

/// Why values do not make a track, or times a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackError {
    /// There are no keys.
    NoKeys,
    /// The time of this key is not a finite number.
    TimeNotFinite(usize),
    /// The time of this key is before the one of the key before it.
    TimesUnsorted(usize),
    /// The track needs `expected` values and has `found`.
    ValueCount {
        /// Keys × values a key.
        expected: usize,
        /// What the file holds.
        found: usize,
    },
    /// The timeline's index is out of range.
    NoSuchTimeline,
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKeys => write!(f, "it has no keys"),
            Self::TimeNotFinite(key) => write!(f, "the time of key {key} is not a finite number"),
            Self::TimesUnsorted(key) => {
                write!(
                    f,
                    "the time of key {key} is before the one of its predecessor"
                )
            }
            Self::ValueCount { expected, found } => {
                write!(f, "it has {found} values where its keys need {expected}")
            }
            Self::NoSuchTimeline => write!(f, "its timeline does not exist"),
        }
    }
}

impl std::error::Error for TrackError {}

impl Timeline {
    /// A timeline of `times_secs`: at least one, finite, sorted; equal neighbours are allowed.
    pub fn new(times_secs: Vec<f32>) -> Result<Self, TrackError> {
        Self::try_from(Arc::from(times_secs))
    }

    /// The key times in seconds, sorted, at least one.
    pub fn times_secs(&self) -> &[f32] {
        &self.times_secs
    }

    /// The time of the first key.
    pub fn first_secs(&self) -> f32 {
        self.times_secs[0]
    }

    /// The time of the last key.
    pub fn last_secs(&self) -> f32 {
        self.times_secs[self.times_secs.len() - 1]
    }
}

impl TryFrom<Arc<[f32]>> for Timeline {
    type Error = TrackError;

    /// [`Self::new`] of times that are shared, which are not copied.
    fn try_from(times_secs: Arc<[f32]>) -> Result<Self, TrackError> {
        if times_secs.is_empty() {
            return Err(TrackError::NoKeys);
        }
        if let Some(key) = times_secs.iter().position(|time| !time.is_finite()) {
            return Err(TrackError::TimeNotFinite(key));
        }
        if let Some(key) = times_secs.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(TrackError::TimesUnsorted(key + 1));
        }
        Ok(Self { times_secs })
    }
}

impl<T> Track<T> {
    /// The node that the track moves.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Index of its timeline in the clip.
    pub fn timeline(&self) -> usize {
        self.timeline
    }

    /// How values between keys are found.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Values a key: 1, or the number of morph targets for weights.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All values: for each key `width` values, or with cubic splines `width` in-tangents, values and out-tangents.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// What each key says, `width` values a key, without the tangents of splines.
    pub fn key_values(&self) -> impl DoubleEndedIterator<Item = &[T]> {
        let value = self.interpolation.place(0, KeyPart::Value);
        let parts = self.values.chunks_exact(self.width.max(1)).skip(value);
        parts.step_by(self.interpolation.parts_per_key())
    }
}

impl<T: Copy> Track<T> {
    /// Whether any key's value differs from the first key's; of a track of width 1. Tangents do not count.
    pub fn varies(&self, differs: impl Fn(T, T) -> bool) -> bool {
        let mut values = self.key_values().flatten().copied();
        let first = values.next();
        first.is_some_and(|first| values.any(|value| differs(first, value)))
    }
}

impl Clip {
    /// The clip's name, or empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The timelines that tracks refer to.
    pub fn timelines(&self) -> &[Timeline] {
        &self.timelines
    }

    /// Tracks of translations.
    pub fn translations(&self) -> &[Track<Vec3>] {
        &self.translations
    }

    /// Tracks of rotations, as unit quaternions; those of splines may have any length.
    pub fn rotations(&self) -> &[Track<Quat>] {
        &self.rotations
    }

    /// Tracks of scales.
    pub fn scales(&self) -> &[Track<Vec3>] {
        &self.scales
    }

    /// Tracks of morph weights; their width is the number of the node's weights.
    pub fn weights(&self) -> &[Track<f32>] {
        &self.weights
    }

    /// Tracks of what is no node's placement or weights (`KHR_animation_pointer`).
    pub fn properties(&self) -> &[PropertyTrack] {
        &self.properties
    }

    /// The part of the clip that moves certain nodes; what is no node's is left out.
    #[must_use]
    pub fn of_nodes(&self, is_wanted: impl Fn(NodeId) -> bool) -> Self {
        fn wanted<T: Clone>(
            tracks: &[Track<T>],
            is_wanted: &dyn Fn(NodeId) -> bool,
        ) -> Vec<Track<T>> {
            let tracks = tracks.iter().filter(|track| is_wanted(track.node));
            tracks.cloned().collect()
        }
        let mut part = Self {
            name: self.name.clone(),
            timelines: Vec::new(),
            translations: wanted(&self.translations, &is_wanted),
            rotations: wanted(&self.rotations, &is_wanted),
            scales: wanted(&self.scales, &is_wanted),
            weights: wanted(&self.weights, &is_wanted),
            properties: Vec::new(),
            mesh_channels: MeshChannels::default(),
            unread: UnreadChannels::default(),
        };
        // Only the timelines that are left in use.
        let mut places = vec![None; self.timelines.len()];
        let vectors = part.translations.iter_mut().chain(&mut part.scales);
        let timelines = vectors
            .map(|track| &mut track.timeline)
            .chain(part.rotations.iter_mut().map(|track| &mut track.timeline))
            .chain(part.weights.iter_mut().map(|track| &mut track.timeline));
        for timeline in timelines {
            *timeline = *places[*timeline].get_or_insert_with(|| {
                part.timelines.push(self.timelines[*timeline].clone());
                part.timelines.len() - 1
            });
        }
        part
    }

    /// Number of tracks.
    pub fn track_count(&self) -> usize {
        self.translations.len()
            + self.rotations.len()
            + self.scales.len()
            + self.weights.len()
            + self.properties.len()
    }

    /// Number of keys of all tracks together.
    pub fn key_count(&self) -> usize {
        let timelines = self.heads().map(|head| &self.timelines[head.timeline]);
        timelines.map(|timeline| timeline.times_secs.len()).sum()
    }

    /// The time of the earliest key.
    pub fn first_key_secs(&self) -> f32 {
        let firsts = self.timelines.iter().map(Timeline::first_secs);
        firsts.reduce(f32::min).unwrap_or(0.0)
    }

    /// The time of the latest key, at least 0: a clip plays from 0 to here, whenever its first key comes.
    pub fn duration_secs(&self) -> f32 {
        self.timelines
            .iter()
            .map(Timeline::last_secs)
            .fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_bad_times() {
        assert_eq!(Timeline::new(vec![]), Err(TrackError::NoKeys));
        let nan = Timeline::new(vec![0.0, f32::NAN]);
        assert_eq!(nan, Err(TrackError::TimeNotFinite(1)));
        let unsorted = Timeline::new(vec![0.0, 2.0, 1.0]);
        assert_eq!(unsorted, Err(TrackError::TimesUnsorted(2)));
        assert!(Timeline::new(vec![0.0, 1.0, 1.0]).is_ok());
    }

    #[test]
    fn refuses_the_wrong_number_of_values() {
        let mut clip = ClipBuilder::new("walk");
        let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let three = vec![Vec3::ZERO; 3];
        let result = clip.translation(NodeId(0), timeline, Interpolation::Linear, three);
        let (expected, found) = (2, 3);
        assert_eq!(result, Err(TrackError::ValueCount { expected, found }));
        let six = vec![Vec3::ZERO; 6];
        clip.translation(NodeId(0), timeline, Interpolation::CubicSpline, six)
            .unwrap();
        assert_eq!(clip.finish().key_count(), 2);
    }

    #[test]
    fn a_part_keeps_the_tracks_and_timelines_of_its_nodes() {
        let mut clip = ClipBuilder::new("walk");
        let times = |last| Timeline::new(vec![0.0, last]).unwrap();
        for (node, last) in [(0, 1.0), (1, 2.0), (2, 3.0)] {
            let timeline = clip.timeline(times(last));
            let node = NodeId(node);
            let values = vec![Vec3::splat(last); 2];
            clip.translation(node, timeline, Interpolation::Linear, values)
                .unwrap();
            let values = vec![Quat::IDENTITY; 2];
            clip.rotation(node, timeline, Interpolation::Step, values)
                .unwrap();
        }
        let part = clip.finish().of_nodes(|node| node.0 > 0);
        assert_eq!(part.timelines(), [times(2.0), times(3.0)]);
        assert_eq!((part.name(), part.track_count()), ("walk", 4));
        for (track, last) in part.translations().iter().zip([2.0, 3.0]) {
            assert_eq!(part.timelines()[track.timeline()], times(last));
            assert_eq!(track.values(), [Vec3::splat(last); 2]);
        }
    }

    #[test]
    fn lasts_from_zero_to_the_latest_key() {
        let mut clip = ClipBuilder::new("late");
        clip.timeline(Timeline::new(vec![1.5, 2.0]).unwrap());
        clip.timeline(Timeline::new(vec![1.0, 3.0]).unwrap());
        let clip = clip.finish();
        assert_eq!((clip.first_key_secs(), clip.duration_secs()), (1.0, 3.0));
    }
}
