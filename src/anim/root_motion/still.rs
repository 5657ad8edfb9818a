//! A clip without its root motion, as a clip: for who plays clips and nothing else.

use crate::{
    anim::{Cursors, Pose, sample},
    model::{Clip, Interpolation, Model, Timeline, TrackError},
};

use super::{RootMotion, Turning};

impl RootMotion {
    /// The clip that [`RootMotion::hold_in_place`] makes of another: the root's keys are replaced, all else stays.
    ///
    /// Where the root only shifts, straight from key to key and under parents that stand still, what is taken out is
    /// straight between keys, too, and the clip is exact. Elsewhere the root gets a LINEAR key for each frame
    /// (2048 at most): it is exact there, and straight in between. Two keys at one time, a jump, stay two keys.
    ///
    /// # Errors
    /// Never fails for a clip that the importer accepted.
    pub fn still_clip(&self, model: &Model, clip: &Clip) -> Result<Clip, TrackError> {
        let hierarchy = &model.hierarchy;
        let chain: Vec<_> = hierarchy.upwards(self.root).collect();
        let part = clip.of_nodes(|node| chain.binary_search_by(|id| node.cmp(id)).is_ok());
        let duration = clip.duration_secs();
        let mut times: Vec<f32> = vec![0.0, duration];
        for timeline in part.timelines() {
            let within = timeline.times_secs().iter();
            times.extend(within.filter(|&&time| time > 0.0));
        }
        if !self.is_straight(&part) {
            let frames = self.path.iter().map(|point| point.time_secs as f32);
            times.extend(frames.filter(|&time| time < duration));
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        // A jump begins at the moment before.
        let mut jumps = jumps(&part);
        jumps.sort_by(f32::total_cmp);
        let keys = times.into_iter().flat_map(|time| {
            let is_jump = jumps.binary_search_by(|it| it.total_cmp(&time)).is_ok();
            let before = is_jump.then(|| (time, time.next_down()));
            before.into_iter().chain([(time, time)])
        });
        let (times, moments): (Vec<f32>, Vec<f32>) = keys.unzip();
        let (mut translations, mut rotations) = (Vec::new(), Vec::new());
        let (mut pose, mut cursors) = (Pose::new(hierarchy), Cursors::default());
        let way = self.way_to_parent(hierarchy, &part, &pose);
        for time_secs in moments {
            let time_secs = f64::from(time_secs);
            sample(&part, time_secs, &mut cursors, &mut pose);
            self.hold_along(&way, hierarchy, &mut pose, time_secs);
            let root = &pose.locals[self.root.index()];
            translations.push(root.translation);
            rotations.push(root.rotation);
        }
        let rotations = (self.turning == Turning::Followed).then_some(rotations);
        clip.with_placement(self.root, Timeline::new(times)?, translations, rotations)
    }

    /// Whether what is taken out changes steadily from key to key of the part of the clip that moves the root and what is
    /// above it.
    fn is_straight(&self, part: &Clip) -> bool {
        let is_shift = self.turning == Turning::Ignored;
        let mut translations = part.translations().iter();
        is_shift
            && translations.all(|track| track.interpolation() == Interpolation::Linear)
            && part.placed_nodes().all(|node| node == self.root)
    }
}

/// The times after 0 at which a clip has several keys of one timeline.
fn jumps(clip: &Clip) -> Vec<f32> {
    let timelines = clip.timelines().iter().map(Timeline::times_secs);
    let pairs = timelines.flat_map(|times| times.windows(2));
    let same = pairs.filter_map(|pair| match *pair {
        [first, second] if first == second && first > 0.0 => Some(first),
        _ => None,
    });
    same.collect()
}
