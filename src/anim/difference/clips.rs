//! Which clips of two models belong together, and how their times do.

use std::collections::HashMap;

use super::PartMatch;
use crate::model::{Clip, Model, namesake, pair_by_name};

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

/// What [`pair_clips`] says of one clip alone, which is quicker.
pub fn clip_like(model: &Model, clip: usize, other: &Model) -> Option<usize> {
    let same = |clip: usize, [from, to]: [&Model; 2]| {
        let [from, to] = [from, to].map(|model| model.clips.iter().map(Clip::name));
        namesake(clip, from, to)
    };
    let models = [model, other];
    same(clip, models).or_else(|| {
        let wanted = likeness(model.clips.get(clip)?);
        let alone = |[from, to]: [&Model; 2]| {
            let mut found = (0..from.clips.len()).filter(|place| {
                likeness(&from.clips[*place]) == wanted && same(*place, [from, to]).is_none()
            });
            let first = found.next();
            first.filter(|_| found.next().is_none())
        };
        alone(models)?;
        alone([other, model])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Interpolation, NodeId, Timeline};

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
        let one_by_one = (0..5).filter_map(|clip| Some([clip, found(clip)?]));
        let all_at_once = pair_clips([&old, &new]);
        assert!(one_by_one.eq(all_at_once.pairs));
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
}
