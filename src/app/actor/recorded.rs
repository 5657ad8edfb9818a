//! What an actor plays, recorded as a clip.

use std::collections::HashSet;

use super::Actor;
use crate::{
    anim::root_motion::RootMotion,
    export::{Recorded, Recording},
    model::{Clip, Model, TrackError},
};

/// A clip of a model (an index) as it is played alone: with its own keys, and in place but for those of the root.
///
/// # Errors
/// Never fails for a clip that the importer accepted.
pub fn as_played(model: &Model, clip: usize, is_in_place: bool) -> Result<Clip, TrackError> {
    let clip = &model.clips[clip];
    let way = is_in_place.then(|| RootMotion::find(model, clip)).flatten();
    match way {
        Some(way) => way.still_clip(model, clip),
        None => Ok(clip.clone()),
    }
}

impl Actor {
    /// Records what the actor plays as one clip, named after `clips`: for `duration_secs`, `rate` times a second. `pose`
    /// poses the actor; it gets the time in seconds and the count of all moments, and an error of it ends the recording.
    pub fn record(
        &mut self,
        clips: impl IntoIterator<Item = usize>,
        duration_secs: f64,
        rate: f64,
        mut pose: impl FnMut(&mut Self, f64, u32) -> anyhow::Result<()>,
    ) -> anyhow::Result<Recorded> {
        let model = self.shared_model();
        let (mut moved, mut names) = (HashSet::new(), Vec::new());
        for clip in clips {
            names.push(model.clips[clip].name());
            let played = as_played(&model, clip, self.is_in_place)?;
            moved.extend(played.heads().map(|head| head.moved));
        }
        let mut recording = Recording::new(&model, moved, duration_secs, rate)?;
        let all = recording.moment_count();
        while let Some(time_secs) = recording.next_secs() {
            pose(self, time_secs, all)?;
            recording.take(&self.pose, &self.properties)?;
        }
        names.retain(|name| !name.is_empty());
        Ok(recording.finish(&names.join(" + "))?)
    }
}
