//! Makes clips, from their tracks or from other clips.

use std::{collections::HashMap, ops::Mul, sync::Arc};

use glam::{Quat, Vec3};

use super::{
    Clip, Interpolation, NodeId, PropertyTarget, PropertyTrack, Timeline, Track, TrackError,
    UnreadChannels,
};

impl Clip {
    /// This clip but for one node's translation, and its rotation if there are any, which go straight between these keys.
    ///
    /// # Errors
    /// There are not as many values as times.
    pub fn with_placement(
        &self,
        node: NodeId,
        times: Timeline,
        translations: Vec<Vec3>,
        rotations: Option<Vec<Quat>>,
    ) -> Result<Self, TrackError> {
        let mut builder = ClipBuilder { clip: self.clone() };
        let timeline = builder.timeline(times);
        builder.clip.translations.retain(|track| track.node != node);
        builder.translation(node, timeline, Interpolation::Linear, translations)?;
        if let Some(rotations) = rotations {
            builder.clip.rotations.retain(|track| track.node != node);
            builder.rotation(node, timeline, Interpolation::Linear, rotations)?;
        }
        Ok(builder.finish())
    }

    /// This clip but for one node's translations, which are as `make` makes them of what keys say, and of tangents.
    #[must_use]
    pub fn with_translations(&self, node: NodeId, make: impl Fn(Vec3, bool) -> Vec3) -> Self {
        let mut clip = self.clone();
        for track in clip.translations.iter_mut().filter(|it| it.node == node) {
            let interpolation = track.interpolation;
            let parts = track.values.iter().enumerate();
            let made = parts.map(|(place, &value)| make(value, interpolation.is_tangent(place)));
            track.values = made.collect();
        }
        clip
    }

    /// This clip at so many times its speed, which is above 0: its keys come sooner, and its splines arrive and leave as much
    /// faster.
    ///
    /// # Errors
    /// It is so slow that the time of a key is no number.
    pub fn at_speed(&self, speed: f64) -> Result<Self, TrackError> {
        let mut clip = self.clone();
        if speed == 1.0 {
            return Ok(clip);
        }
        for timeline in &mut clip.timelines {
            let times = timeline.times_secs.iter();
            let times = times.map(|&time| (f64::from(time) / speed) as f32);
            *timeline = Timeline::new(times.collect())?;
        }
        let factor = speed as f32;
        let mut vectors = Hurried::by(factor);
        vectors.hurry(&mut clip.translations);
        vectors.hurry(&mut clip.scales);
        Hurried::by(factor).hurry(&mut clip.rotations);
        let mut numbers = Hurried::by(factor);
        numbers.hurry(&mut clip.weights);
        for track in &mut clip.properties {
            let width = track.target.width();
            numbers.hurry_values(&mut track.values, width, track.interpolation);
        }
        Ok(clip)
    }
}

/// Splines at another speed, which tracks share as they did before.
struct Hurried<T> {
    /// How much faster they are.
    factor: f32,
    /// By the place in memory, the number and the width of the values that they are made of.
    made: HashMap<(usize, usize, usize), Arc<[T]>>,
}

impl<T: Copy + Mul<f32, Output = T>> Hurried<T> {
    fn by(factor: f32) -> Self {
        Self {
            factor,
            made: HashMap::new(),
        }
    }

    fn hurry(&mut self, tracks: &mut [Track<T>]) {
        for track in tracks {
            self.hurry_values(&mut track.values, track.width, track.interpolation);
        }
    }

    /// Multiplies the tangents of splines, of `width` values each.
    fn hurry_values(&mut self, values: &mut Arc<[T]>, width: usize, interpolation: Interpolation) {
        if interpolation != Interpolation::CubicSpline {
            return;
        }
        let key = (values.as_ptr().addr(), values.len(), width);
        let made = self.made.entry(key).or_insert_with(|| {
            let all = values.iter().enumerate();
            let hurried = all.map(|(place, &value)| {
                if interpolation.is_tangent(place / width) {
                    value * self.factor
                } else {
                    value
                }
            });
            hurried.collect()
        });
        *values = Arc::clone(made);
    }
}

/// Puts a clip together and checks every part.
#[derive(Debug, Default)]
pub struct ClipBuilder {
    clip: Clip,
}

impl ClipBuilder {
    /// Starts a clip.
    pub fn new(name: impl Into<String>) -> Self {
        let clip = Clip {
            name: name.into(),
            ..Clip::default()
        };
        Self { clip }
    }

    /// Makes room for so many more tracks of each, so that their lists need not grow one by one.
    pub fn reserve(&mut self, translations: usize, rotations: usize, scales: usize) {
        self.clip.translations.reserve_exact(translations);
        self.clip.rotations.reserve_exact(rotations);
        self.clip.scales.reserve_exact(scales);
    }

    /// Adds key times and says by which index tracks refer to them.
    pub fn timeline(&mut self, timeline: Timeline) -> usize {
        self.clip.timelines.push(timeline);
        self.clip.timelines.len() - 1
    }

    /// Adds a track of translations.
    pub fn translation(
        &mut self,
        node: NodeId,
        timeline: usize,
        interpolation: Interpolation,
        values: impl Into<Arc<[Vec3]>>,
    ) -> Result<(), TrackError> {
        let track = self.track(node, timeline, interpolation, 1, values.into())?;
        self.clip.translations.push(track);
        Ok(())
    }

    /// Adds a track of rotations.
    pub fn rotation(
        &mut self,
        node: NodeId,
        timeline: usize,
        interpolation: Interpolation,
        values: impl Into<Arc<[Quat]>>,
    ) -> Result<(), TrackError> {
        let track = self.track(node, timeline, interpolation, 1, values.into())?;
        self.clip.rotations.push(track);
        Ok(())
    }

    /// Adds a track of scales.
    pub fn scale(
        &mut self,
        node: NodeId,
        timeline: usize,
        interpolation: Interpolation,
        values: impl Into<Arc<[Vec3]>>,
    ) -> Result<(), TrackError> {
        let track = self.track(node, timeline, interpolation, 1, values.into())?;
        self.clip.scales.push(track);
        Ok(())
    }

    /// Adds a track of morph weights, `width` a key.
    pub fn weights(
        &mut self,
        node: NodeId,
        timeline: usize,
        interpolation: Interpolation,
        width: usize,
        values: impl Into<Arc<[f32]>>,
    ) -> Result<(), TrackError> {
        let track = self.track(node, timeline, interpolation, width, values.into())?;
        self.clip.weights.push(track);
        Ok(())
    }

    /// Adds a track of another property.
    pub fn property(
        &mut self,
        target: PropertyTarget,
        timeline: usize,
        interpolation: Interpolation,
        values: impl Into<Arc<[f32]>>,
    ) -> Result<(), TrackError> {
        let values = values.into();
        self.check_count(timeline, interpolation, target.width(), values.len())?;
        self.clip.properties.push(PropertyTrack {
            target,
            timeline,
            interpolation,
            values,
        });
        Ok(())
    }

    /// Says that the last `count` tracks are one channel of the file, for the weights of a mesh: of all of them, or of one
    /// `weight`.
    pub fn of_mesh(&mut self, mesh: usize, weight: Option<usize>, count: usize) {
        let end = match weight {
            Some(_) => self.clip.properties.len(),
            None => self.clip.weights.len(),
        };
        if count > 0 {
            let tracks = end.saturating_sub(count)..end;
            self.clip.mesh_channels.add(mesh, weight, tracks);
        }
    }

    /// Says of more channels of the file that they have no part in the clip.
    pub fn leave_unread(&mut self, channels: UnreadChannels) {
        self.clip.unread = self.clip.unread.and(channels);
    }

    /// The finished clip.
    pub fn finish(self) -> Clip {
        self.clip
    }

    fn track<T>(
        &self,
        node: NodeId,
        timeline: usize,
        interpolation: Interpolation,
        width: usize,
        values: Arc<[T]>,
    ) -> Result<Track<T>, TrackError> {
        self.check_count(timeline, interpolation, width, values.len())?;
        Ok(Track {
            node,
            timeline,
            interpolation,
            width,
            values,
        })
    }

    /// Whether there are as many values as the keys need.
    fn check_count(
        &self,
        timeline: usize,
        interpolation: Interpolation,
        width: usize,
        found: usize,
    ) -> Result<(), TrackError> {
        let times = self.clip.timelines.get(timeline);
        let keys = times.ok_or(TrackError::NoSuchTimeline)?.times_secs.len();
        let per_key = interpolation.parts_per_key() * width;
        let expected = keys.saturating_mul(per_key);
        if found == expected {
            Ok(())
        } else {
            Err(TrackError::ValueCount { expected, found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_another_speed_keys_come_sooner_and_splines_are_as_much_steeper() {
        let mut builder = ClipBuilder::new("walk");
        let timeline = builder.timeline(Timeline::new(vec![-1.0, 3.0]).unwrap());
        let (node, spline) = (NodeId(0), Interpolation::CubicSpline);
        let vectors: Vec<_> = (1..=6).map(|it| Vec3::splat(it as f32)).collect();
        builder
            .translation(node, timeline, spline, vectors)
            .unwrap();
        let weights: Vec<_> = (1..=12).map(|it| it as f32).collect();
        builder.weights(node, timeline, spline, 2, weights).unwrap();
        builder
            .scale(node, timeline, Interpolation::Linear, [Vec3::ONE; 2])
            .unwrap();
        let clip = builder.finish();
        let fast = clip.at_speed(2.0).unwrap();
        assert_eq!(fast.name(), "walk");
        assert_eq!(fast.timelines()[0].times_secs(), [-0.5, 1.5]);
        let places = fast.translations()[0].values().iter().map(|it| it.x);
        assert!(places.eq([2.0, 2.0, 6.0, 8.0, 5.0, 12.0]));
        let weights = [
            2.0, 4.0, 3.0, 4.0, 10.0, 12.0, 14.0, 16.0, 9.0, 10.0, 22.0, 24.0,
        ];
        assert_eq!(fast.weights()[0].values(), weights);
        assert_eq!(fast.scales()[0].values(), [Vec3::ONE; 2]);
        assert!(clip.at_speed(f64::MIN_POSITIVE).is_err());
    }

    /// Else they are written once for each track.
    #[test]
    fn at_another_speed_tracks_share_the_values_that_they_shared() {
        let mut builder = ClipBuilder::new("walk");
        let timelines = [vec![0.0, 1.0], vec![0.0, 1.0, 2.0, 3.0]];
        let [short, long] = timelines.map(|times| builder.timeline(Timeline::new(times).unwrap()));
        let spline = Interpolation::CubicSpline;
        let vectors: Arc<[Vec3]> = [Vec3::ONE; 6].into();
        for node in [NodeId(0), NodeId(1)] {
            let values = Arc::clone(&vectors);
            builder.translation(node, short, spline, values).unwrap();
        }
        builder
            .scale(NodeId(0), short, spline, Arc::clone(&vectors))
            .unwrap();
        let weights: Arc<[f32]> = [1.0; 12].into();
        for (node, timeline, width) in [(0, short, 2), (1, long, 1), (2, long, 1)] {
            let (node, values) = (NodeId(node), Arc::clone(&weights));
            builder
                .weights(node, timeline, spline, width, values)
                .unwrap();
        }
        let clip = builder.finish();
        let same = clip.at_speed(1.0).unwrap();
        assert!(Arc::ptr_eq(&same.translations[0].values, &vectors));
        let fast = clip.at_speed(2.0).unwrap();
        let [first, second] = &*fast.translations else {
            panic!("two nodes are moved");
        };
        assert_eq!(first.values[0], Vec3::splat(2.0));
        assert!(Arc::ptr_eq(&first.values, &second.values));
        assert!(Arc::ptr_eq(&first.values, &fast.scales[0].values));
        let [wide, narrow, other] = &*fast.weights else {
            panic!("three nodes have weights");
        };
        assert!(Arc::ptr_eq(&narrow.values, &other.values));
        assert_eq!(wide.values[..4], [2.0, 2.0, 1.0, 1.0]);
        assert_eq!(narrow.values[..4], [2.0, 1.0, 2.0, 2.0]);
    }
}
