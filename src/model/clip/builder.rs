//! Makes clips, from their tracks or from other clips.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{
    Clip, Interpolation, NodeId, PropertyTarget, PropertyTrack, Timeline, Track, TrackError,
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
