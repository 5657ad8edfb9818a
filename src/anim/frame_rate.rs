//! The frame rate that a clip was made at: glTF does not say, but its key times usually do.

use crate::model::Clip;

/// Rates in use, in the order of preference: a rate comes before its multiples.
const RATES: [f64; 9] = [24.0, 30.0, 25.0, 60.0, 50.0, 48.0, 120.0, 12.0, 15.0];

/// How far from a frame a key may lie, in frames: exporters round times to single precision or to milliseconds.
const TOLERANCE_FRAMES: f64 = 0.02;

/// Fewer times of keys are no evidence: two keys lie on the frames of many a rate.
const LEAST_TIMES: usize = 4;

/// The rate at whose frames all keys of the clip lie; `None` if there is no such rate or not enough keys to tell. Where the
/// end of the clip alone asks for more than twice as many frames, it lies between frames: a clip was sampled anew, frame by
/// frame.
pub fn guess_frame_rate(clip: &Clip) -> Option<f64> {
    if !has_times(clip) {
        return None;
    }
    let rate = rate_of(clip, f64::INFINITY, MOST_FRAMES);
    let before_end = rate_of(clip, f64::from(clip.duration_secs()), EACH_FRAME);
    match (rate, before_end) {
        (Some(rate), Some(before_end)) if rate <= 2.0 * before_end => Some(rate),
        (rate, before_end) => before_end.or(rate),
    }
}

/// Keys a whole second apart lie on the frames of any rate: the shortest distance must be a few frames at most.
const MOST_FRAMES: f64 = 4.5;
const EACH_FRAME: f64 = 1.5;

/// The rate at whose frames all keys before a time lie, the nearest ones less than so many frames apart.
fn rate_of(clip: &Clip, end_secs: f64, most_frames: f64) -> Option<f64> {
    let keys = || {
        clip.timelines()
            .iter()
            .flat_map(|timeline| timeline.times_secs().windows(2))
            .map(|pair| (f64::from(pair[0]), f64::from(pair[1])))
            .filter(|(before, after)| after > before && *after < end_secs)
    };
    let shortest_secs = keys()
        .map(|(before, after)| after - before)
        .reduce(f64::min)?;
    RATES.into_iter().find(|rate| {
        let off_frame = |secs: f64| (secs * rate - (secs * rate).round()).abs();
        shortest_secs * rate < most_frames
            && keys().all(|(before, after)| off_frame(after - before) <= TOLERANCE_FRAMES)
    })
}

/// Whether keys lie at enough different times to tell a rate from them.
fn has_times(clip: &Clip) -> bool {
    let mut times: Vec<f32> = Vec::new();
    for timeline in clip.timelines() {
        for &time in timeline.times_secs() {
            if !times.contains(&time) {
                times.push(time);
            }
            if times.len() >= LEAST_TIMES {
                return true;
            }
        }
    }
    false
}

/// Frames a second where the keys of a clip do not say.
pub const USUAL_FRAME_RATE: f64 = 30.0;

/// How many frames a clip has, by its keys; at least one.
pub fn natural_steps(clip: &Clip) -> usize {
    let rate = guess_frame_rate(clip).unwrap_or(USUAL_FRAME_RATE);
    ((f64::from(clip.duration_secs()) * rate).round() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Timeline};

    #[track_caller]
    fn check(times: impl IntoIterator<Item = f32>, expected: Option<f64>) {
        let mut clip = ClipBuilder::new("");
        clip.timeline(Timeline::new(times.into_iter().collect()).unwrap());
        assert_eq!(guess_frame_rate(&clip.finish()), expected);
    }

    #[test]
    fn finds_the_rate_of_evenly_spaced_keys() {
        for rate in [24.0_f32, 25.0, 30.0, 60.0] {
            check(
                (0..40).map(|frame| frame as f32 / rate),
                Some(f64::from(rate)),
            );
            check(
                (3..40).map(|frame| frame as f32 / rate),
                Some(f64::from(rate)),
            );
        }
    }

    #[test]
    fn does_not_guess_from_too_little() {
        check([0.0], None);
        check([0.0, 1.0, 2.0], None);
        // On the frames of 12, of 24 and of 48 a second.
        check([0.0, 0.25], None);
        check([0.0, 0.25, 0.5], None);
        check([0.0, 0.25, 0.5, 0.75], Some(12.0));
        check([0.0, 0.013, 0.0771, 0.1], None);
    }

    #[test]
    fn an_end_between_frames_does_not_decide() {
        let sampled = |rate: f32, count: u16, end: f32| {
            let keys = (0..count).map(move |frame| f32::from(frame) / rate);
            keys.chain([end])
        };
        check(sampled(24.0, 26, 1.066_666_7), Some(24.0));
        check(sampled(30.0, 30, 0.98), Some(30.0));
        check([0.0, 1.0 / 6.0, 1.0 / 3.0, 0.5, 0.71], None);
        // But one between two frames counts.
        check(sampled(30.0, 30, 59.0 / 60.0), Some(60.0));
    }
}
