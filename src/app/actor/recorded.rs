//! What an actor plays, recorded as a clip.

use std::collections::HashSet;

use super::{Actor, in_place};
use crate::{
    anim::root_motion::RootMotion,
    export::{Recorded, Recording},
    model::{Model, TrackError},
};

/// A clip of a model (an index) as it is played alone: with its own keys, but for those of a root that in place cannot keep
/// them, which is said.
///
/// # Errors
/// Never fails for a clip that the importer accepted.
pub fn as_played(model: &Model, clip: usize, is_in_place: bool) -> Result<Recorded, TrackError> {
    let clip = &model.clips[clip];
    let Some(way) = is_in_place.then(|| RootMotion::find(model, clip)).flatten() else {
        return Ok(Recorded::of(clip.clone()));
    };
    let mut played = Recorded::of(way.still_clip(model, clip)?);
    if !way.keeps_curves() {
        let root = model.hierarchy.display_name(way.root());
        played.left_out.push(format!(
            "{root:?} turns, or hangs from what moves, so that in place it has keys of its own, straight in between"
        ));
    }
    Ok(played)
}

impl Actor {
    /// Whether in place the root of a clip has keys of its own, as far as its way is known.
    pub(in crate::app) fn samples_root(&self, clip: usize) -> bool {
        let hierarchy = &self.model.hierarchy;
        let way = in_place(hierarchy, &self.root_motions, self.is_in_place, clip);
        way.is_some_and(|way| !way.root_motion.keeps_curves())
    }

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
            let played = &model.clips[clip];
            names.push(played.name());
            moved.extend(played.heads().map(|head| head.moved));
            self.find_root_motion(Some(clip));
            let hierarchy = &model.hierarchy;
            let way = in_place(hierarchy, &self.root_motions, self.is_in_place, clip);
            moved.extend(way.iter().flat_map(|way| way.root_motion.keyed_anew()));
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

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::{
        app::built_in,
        model::{ClipBuilder, Interpolation, Timeline},
    };

    #[test]
    fn a_root_that_turns_on_its_way_has_other_keys_in_place() {
        let mut model = built_in::load("Pip").unwrap().model;
        let root = model.scenes[0].roots[0];
        for (turn, is_sampled) in [(0.0, false), (1.5, true)] {
            let mut builder = ClipBuilder::new("Ride");
            let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            let (linear, ways) = (Interpolation::Linear, vec![Vec3::ZERO, Vec3::X * 3.0]);
            builder.translation(root, timeline, linear, ways).unwrap();
            let turns = [0.0, turn].map(Quat::from_rotation_y);
            builder.rotation(root, timeline, linear, turns).unwrap();
            model.clips = vec![builder.finish()];
            let mut actor = Actor::new(model.clone());
            for is_in_place in [false, true] {
                actor.set_in_place(is_in_place);
                actor.pose_at(Some(0), 0.0);
                assert_eq!(actor.samples_root(0), is_in_place && is_sampled);
                let played = as_played(&model, 0, is_in_place).unwrap();
                assert_eq!(
                    played.left_out.len(),
                    usize::from(is_in_place && is_sampled)
                );
            }
        }
    }
}
