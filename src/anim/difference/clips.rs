//! Which clips of two models belong together, and how their times do.

use std::collections::HashMap;

use super::PartMatch;
use crate::model::{Clip, Model, pair_by_name};

/// What of a clip stays when it gets another name: how long it is, and how many tracks and keys it has.
fn likeness(clip: &Clip) -> (u32, usize, usize) {
    let secs = clip.duration_secs();
    (secs.to_bits(), clip.track_count(), clip.key_count())
}

/// Which clips of two models belong together: those of one name, as [`pair_by_name`] says, or else the only ones without a
/// namesake that are as long and have as many keys.
pub fn pair_clips(models: [&Model; 2]) -> PartMatch {
    let [names, other_names] = models.map(|model| model.clips.iter().map(Clip::name));
    let mut pairs = pair_by_name(names, other_names);
    let mut are_paired = vec![false; models[1].clips.len()];
    for same in pairs.iter().flatten() {
        are_paired[*same] = true;
    }
    // Of each size those without a namesake, on both sides.
    let mut alone: HashMap<_, [Vec<usize>; 2]> = HashMap::new();
    for (place, clip) in models[0].clips.iter().enumerate() {
        if pairs[place].is_none() {
            alone.entry(likeness(clip)).or_default()[0].push(place);
        }
    }
    for (place, clip) in models[1].clips.iter().enumerate() {
        if !are_paired[place] {
            alone.entry(likeness(clip)).or_default()[1].push(place);
        }
    }
    for both in alone.values() {
        if let [[first], [second]] = both.each_ref().map(Vec::as_slice) {
            pairs[*first] = Some(*second);
        }
    }
    PartMatch::of_matches(pairs, models[1].clips.len())
}

/// How much faster the second of two clips runs than the first so that they begin and end together; no faster beside one that
/// has no length. Times of the first are multiplied by it, wherever both are shown or compared.
pub fn phase_stretch(lengths_secs: [f64; 2]) -> f64 {
    let [first, second] = lengths_secs;
    if first > 0.0 { second / first } else { 1.0 }
}

/// What [`pair_clips`] says of one clip.
pub fn clip_like(first: &Model, clip: usize, second: &Model) -> Option<usize> {
    let pairs = pair_clips([first, second]).pairs;
    let found = pairs.into_iter().find(|[found, _]| *found == clip);
    found.map(|[_, like]| like)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, NodeId, Timeline, processor_time::timed};

    fn model(clips: &[(&str, usize)]) -> Model {
        let clip = |&(name, keys): &(&str, usize)| {
            let mut builder = ClipBuilder::new(name);
            let times = (0..keys).map(|key| key as f32).collect();
            let timeline = builder.timeline(Timeline::new(times).unwrap());
            let places = vec![glam::Vec3::ZERO; keys];
            let linear = Interpolation::Linear;
            builder
                .translation(NodeId(0), timeline, linear, places)
                .unwrap();
            builder.finish()
        };
        Model {
            clips: clips.iter().map(clip).collect(),
            ..Model::default()
        }
    }

    #[test]
    fn a_clip_that_was_renamed_is_found_by_what_it_is() {
        let old = model(&[
            ("Walk", 3),
            ("Run", 5),
            ("Idle", 3),
            ("Hop", 7),
            ("Jump", 7),
        ]);
        let new = model(&[
            ("Walk", 3),
            ("Idle", 3),
            ("Running", 5),
            ("Fall", 7),
            ("Leap", 7),
        ]);
        let found = |clip| clip_like(&old, clip, &new);
        assert_eq!([found(0), found(1), found(2)], [Some(0), Some(2), Some(1)]);
        assert_eq!([found(3), found(4)], [None, None], "which is which?");
        assert_eq!(clip_like(&new, 2, &old), Some(1));
        assert_eq!(clip_like(&old, 9, &new), None);
        let all_at_once = pair_clips([&old, &new]);
        assert_eq!(
            [all_at_once.only_first, all_at_once.only_second],
            [[3, 4]; 2]
        );
        // One that is there by its name is no other's.
        let twice = model(&[("Walk", 3), ("Run", 5), ("Running", 5)]);
        let once = model(&[("Run", 5)]);
        assert_eq!(clip_like(&twice, 2, &once), None);
        assert_eq!(pair_clips([&twice, &once]).pairs, [[1, 0]]);
    }

    /// Of each the others without a namesake are not looked for anew.
    #[test]
    fn one_of_very_many_renamed_clips_is_found_soon() {
        const CLIPS: usize = 20_000;
        let named = |prefix: &str| {
            let names: Vec<_> = (0..CLIPS).map(|clip| format!("{prefix} {clip}")).collect();
            let clips: Vec<_> = names.iter().map(|name| (name.as_str(), 3)).collect();
            model(&clips)
        };
        let [old, new] = ["old", "new"].map(named);
        let (found, took) = timed(|| clip_like(&old, 7, &new));
        assert_eq!(found, None, "which is which?");
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
}
