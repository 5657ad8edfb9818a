//! The frame rate that a clip was made at: glTF does not say, but its key times usually do.
//!
//! A rate is told at whose frames all keys lie. Times are compared three times, from strict to lax: as single precision
//! rounds them; as milliseconds do, if all are whole ones; and with a fiftieth of a frame from key to key. The first two look
//! at the whole way from the first key, which tells 23.976 from 24 and 29.97 from 30: a thousandth a frame, which nothing
//! that rounds adds up to.
//!
//! Where a few keys lie elsewhere, and all others one frame after the one before, that is the rate, too. Times are compared in
//! the same way then, on the way from one key that lies elsewhere to the next.
//!
//! Of several the first one in use is told, and a rate before its multiples. So keys three frames apart at 30 a second are no
//! 10: most of these are keys of 30 that were left out. Only where all keys of a track follow one another evenly, nine at
//! least, and no other track has one between, the clip has that slow rate: 12 a second is 24 on twos.

use crate::model::Clip;

/// From rates in whole numbers to those of television.
const NTSC: f64 = 1000.0 / 1001.0;
/// Rates in use, in the order of preference: a rate comes before its multiples.
const RATES: [f64; 17] = [
    24.0,
    30.0,
    25.0,
    60.0,
    50.0,
    48.0,
    120.0,
    24.0 * NTSC,
    30.0 * NTSC,
    60.0 * NTSC,
    120.0 * NTSC,
    72.0,
    90.0,
    100.0,
    240.0,
    12.0,
    15.0,
];
/// Rates that keys have which follow one another evenly.
const SLOW_RATES: [f64; 6] = [12.0, 15.0, 20.0, 10.0, 8.0, 12.5];
/// So many gaps have them at least.
const MIN_EVEN: usize = 8;

/// How far from a frame a key may lie, from one to the next, in frames.
const TOLERANCE_FRAMES: f64 = 0.02;
/// How far it may be from where it would be on the whole way, in seconds and as a part of its time: of times in single
/// precision, and of rates of television that are written with three decimals.
const EXACT_SECS: f64 = 2e-5;
const EXACT_PART: f64 = 2e-6;
/// How far that may be where both ends are rounded to milliseconds.
const ROUNDED_SECS: f64 = 0.00105;
/// At faster ones milliseconds lie so close that it takes more times to tell.
const FAST_RATE: f64 = 61.0;

/// Fewer times of keys are no evidence: two keys lie on the frames of many a rate.
const MIN_TIMES: usize = 4;
/// Times of keys in milliseconds at fast rates that are evidence.
const MANY_TIMES: usize = 12;

/// The rate at whose frames all keys of the clip lie; `None` if there is no such rate or not enough keys to tell. Where the
/// end of the clip alone asks for more than twice as many frames, it lies between frames: a clip was sampled anew, frame by
/// frame.
pub fn guess_frame_rate(clip: &Clip) -> Option<f64> {
    if !has_times(clip, MIN_TIMES) {
        return None;
    }
    if let Some(slow) = slow_rate(clip) {
        return Some(slow);
    }
    let rate = rate_of(clip, f64::INFINITY, MAX_FRAMES);
    let before_end = rate_of(clip, f64::from(clip.duration_secs()), EACH_FRAME);
    match (rate, before_end) {
        (Some(rate), Some(before_end)) if rate <= 2.0 * before_end => Some(rate),
        (rate, before_end) => before_end.or(rate).or_else(|| prevailing_rate(clip)),
    }
}

/// The rate of which nine of ten keys, and many of them, come one frame after the one before: the rest were moved.
fn prevailing_rate(clip: &Clip) -> Option<f64> {
    let gaps = || timelines(clip, f64::INFINITY).flat_map(Keys::gaps);
    let all = gaps().count();
    let rates = |rounded_secs: f64| {
        RATES.into_iter().filter(move |rate| {
            let frames = gaps().filter(|gap| is_frame(*gap, *rate, rounded_secs));
            let frames = frames.count();
            frames >= MIN_EVEN && 10 * frames >= 9 * all
        })
    };
    let off = |rate: f64, rounded_secs: f64| {
        let all = timelines(clip, f64::INFINITY);
        all.flat_map(move |keys| keys.off_frames_in_runs(rate, rounded_secs))
    };
    let is_exact = |rate: &f64| off(*rate, 0.0).all(|(after, secs)| secs <= exact(after));
    if let Some(rate) = rates(0.0).find(is_exact) {
        return Some(rate);
    }
    if timelines(clip, f64::INFINITY).all(Keys::are_milliseconds) {
        let is_near = |rate: &f64| {
            let mut off = off(*rate, ROUNDED_SECS);
            off.all(|(_, secs)| secs <= ROUNDED_SECS)
        };
        let has_many = has_times(clip, MANY_TIMES);
        let mut rates = rates(ROUNDED_SECS).filter(|rate| has_many || *rate < FAST_RATE);
        if let Some(rate) = rates.find(is_near) {
            return Some(rate);
        }
    }
    let loose = rates(0.0).next()?;
    Some(or_ntsc(loose, |rate| {
        let drifts = off(rate, 0.0).map(|(_, secs)| secs);
        drifts.fold(0.0, f64::max)
    }))
}

/// Whether a key comes one frame after the one before, both of which may be rounded.
fn is_frame((before, after): (f64, f64), rate: f64, rounded_secs: f64) -> bool {
    let off = (after - before - 1.0 / rate).abs();
    off <= (TOLERANCE_FRAMES / rate).max(rounded_secs)
}

/// How far a key may be from where it would be on the whole way.
fn exact(after: f64) -> f64 {
    EXACT_SECS + EXACT_PART * after
}

/// What adds up from key to key tells the rates of television even where keys do not lie exactly.
fn or_ntsc(loose: f64, drift_secs: impl Fn(f64) -> f64) -> f64 {
    let drift = drift_secs(loose);
    let is_ntsc = drift > 2.0 * ROUNDED_SECS && drift_secs(loose * NTSC) < 0.5 * drift;
    if is_ntsc { loose * NTSC } else { loose }
}

/// Keys a whole second apart lie on the frames of any rate: the shortest distance must be a few frames at most.
const MAX_FRAMES: f64 = 4.5;
const EACH_FRAME: f64 = 1.5;

/// The rate at whose frames all keys before `end_secs` lie, the nearest ones less than `most_frames` frames apart.
fn rate_of(clip: &Clip, end_secs: f64, most_frames: f64) -> Option<f64> {
    let gaps = || timelines(clip, end_secs).flat_map(Keys::gaps);
    let shortest_secs = gaps()
        .map(|(before, after)| after - before)
        .reduce(f64::min)?;
    let is_close = |rate: &f64| shortest_secs * rate < most_frames;
    // Asked last: it looks at all keys, and the others stop at the first that is off.
    let has_frames =
        |rate: &f64| timelines(clip, end_secs).all(|keys| keys.are_frames_apart(*rate));
    let mut rates = RATES.into_iter().filter(is_close);
    let all_lie = |rate: f64, slack: &dyn Fn(f64) -> f64| {
        timelines(clip, end_secs).all(|keys| keys.lie_on_frames(rate, slack))
    };
    if let Some(rate) = rates
        .clone()
        .find(|rate| all_lie(*rate, &exact) && has_frames(rate))
    {
        return Some(rate);
    }
    if timelines(clip, end_secs).all(Keys::are_milliseconds) {
        let has_many = has_times(clip, MANY_TIMES);
        let mut rates = rates.clone().filter(|rate| has_many || *rate < FAST_RATE);
        if let Some(rate) = rates.find(|rate| all_lie(*rate, &|_| ROUNDED_SECS) && has_frames(rate))
        {
            return Some(rate);
        }
    }
    let off_frame = |secs: f64, rate: f64| (secs * rate - (secs * rate).round()).abs();
    let is_whole = |rate: &f64| rate.fract() == 0.0;
    let loose = rates.find(|rate| {
        is_whole(rate)
            && gaps().all(|(before, after)| off_frame(after - before, *rate) <= TOLERANCE_FRAMES)
            && has_frames(rate)
    })?;
    Some(or_ntsc(loose, |rate| {
        let drifts = timelines(clip, end_secs).map(|keys| keys.drift_secs(rate));
        drifts.fold(0.0, f64::max)
    }))
}

/// The slow rate that all keys follow one another at, if they do.
fn slow_rate(clip: &Clip) -> Option<f64> {
    let all = || timelines(clip, f64::INFINITY);
    let are_rounded = all().all(Keys::are_milliseconds);
    let slack = |after: f64| {
        if are_rounded {
            ROUNDED_SECS
        } else {
            exact(after)
        }
    };
    SLOW_RATES.into_iter().find(|&rate| {
        let is_even = |keys: Keys<'_>| {
            let mut frames = keys.gaps().map(|(before, after)| (after - before) * rate);
            keys.gaps().count() >= MIN_EVEN && frames.all(|frames| frames.round() == 1.0)
        };
        all().any(is_even) && all().all(|keys| keys.lie_on_frames(rate, &slack))
    })
}

/// The keys of a timeline before a time.
#[derive(Clone, Copy)]
struct Keys<'a> {
    times_secs: &'a [f32],
    end_secs: f64,
}

fn timelines(clip: &Clip, end_secs: f64) -> impl Iterator<Item = Keys<'_>> {
    clip.timelines().iter().map(move |timeline| Keys {
        times_secs: timeline.times_secs(),
        end_secs,
    })
}

impl<'a> Keys<'a> {
    /// From each key to the next one.
    fn gaps(self) -> impl Iterator<Item = (f64, f64)> + 'a {
        let pairs = self.times_secs.windows(2);
        pairs
            .map(|pair| (f64::from(pair[0]), f64::from(pair[1])))
            .filter(move |(before, after)| after > before && *after < self.end_secs)
    }

    /// Whether keys in the same frame are pairs at most, as those before and after a jump: keys closer than that lie on the
    /// frames of any slow rate.
    fn are_frames_apart(self, rate: f64) -> bool {
        let (mut of_frames, mut closer) = (0_usize, 0_usize);
        for (before, after) in self.gaps() {
            let is_apart = ((after - before) * rate).round() >= 1.0;
            if is_apart {
                of_frames += 1;
            } else {
                closer += 1;
            }
        }
        closer <= of_frames + 1
    }

    /// Whether each lies as many frames after the first one as there are from key to key, but for some seconds.
    fn lie_on_frames(self, rate: f64, slack_secs: &dyn Fn(f64) -> f64) -> bool {
        let mut off = self.off_frames(rate);
        off.all(|(after, off_secs)| off_secs <= slack_secs(after))
    }

    /// The most of that.
    fn drift_secs(self, rate: f64) -> f64 {
        let off = self.off_frames(rate);
        off.map(|(_, off_secs)| off_secs).fold(0.0, f64::max)
    }

    /// For each but the first its time, and how far it is off.
    fn off_frames(self, rate: f64) -> impl Iterator<Item = (f64, f64)> + 'a {
        let first = self.times_secs.first().copied().map_or(0.0, f64::from);
        let mut frames = 0.0;
        self.gaps().map(move |(before, after)| {
            frames += ((after - before) * rate).round();
            (after, (after - first - frames / rate).abs())
        })
    }

    /// [`Self::off_frames`] of keys that come one frame after the one before, each on the way from the first of such a run.
    fn off_frames_in_runs(
        self,
        rate: f64,
        rounded_secs: f64,
    ) -> impl Iterator<Item = (f64, f64)> + 'a {
        let mut run = None;
        self.gaps().filter_map(move |gap| {
            if !is_frame(gap, rate, rounded_secs) {
                run = None;
                return None;
            }
            let (first, frames) = run.unwrap_or((gap.0, 0.0));
            let frames = frames + 1.0;
            run = Some((first, frames));
            Some((gap.1, (gap.1 - first - frames / rate).abs()))
        })
    }

    fn are_milliseconds(self) -> bool {
        let mut times = self.times_secs.iter().map(|time| f64::from(*time));
        times.all(|time| {
            let whole = (1000.0 * time).round() / 1000.0;
            time >= self.end_secs || (time - whole).abs() <= 2e-6 + 1e-7 * time
        })
    }
}

/// Whether keys lie at `least` different times or more.
fn has_times(clip: &Clip, least: usize) -> bool {
    let mut times: Vec<f32> = Vec::new();
    for timeline in clip.timelines() {
        for &time in timeline.times_secs() {
            if !times.contains(&time) {
                times.push(time);
            }
            if times.len() >= least {
                return true;
            }
        }
    }
    false
}

/// Frames a second where the keys of a clip do not say.
pub const USUAL_FRAME_RATE: f64 = 30.0;
/// Of slower ones several steps are looked at: limbs go on between keys.
const MIN_SAMPLED: f64 = 24.0;

/// How often a second a clip is looked at: at its frames, or at 30 a second where its keys do not say; at parts of them where
/// it has less than 24.
pub fn sampling_rate(clip: &Clip) -> f64 {
    let rate = guess_frame_rate(clip).unwrap_or(USUAL_FRAME_RATE);
    rate * (MIN_SAMPLED / rate).ceil().max(1.0)
}

/// How many steps a clip has at its [`sampling_rate`]; at least one.
pub fn natural_steps(clip: &Clip) -> usize {
    ((f64::from(clip.duration_secs()) * sampling_rate(clip)).round() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipBuilder, Timeline};

    /// Keys at frames of a rate, rounded by `round`.
    fn keys(
        rate: f64,
        frames: impl IntoIterator<Item = u32>,
        round: fn(f64) -> f64,
    ) -> impl Iterator<Item = f32> {
        let times = frames.into_iter().map(move |frame| f64::from(frame) / rate);
        times.map(move |time| round(time) as f32)
    }

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

    #[test]
    fn a_key_that_was_moved_does_not_decide() {
        let moved = |count: u16| {
            let late = move |frame: u16| if frame > count / 2 { 3.8 } else { 0.0 };
            (0..count).map(move |frame| (f32::from(frame) + late(frame)) / 24.0)
        };
        check(moved(24), Some(24.0));
        check(moved(8), None);
        // Nor does it hide the rates of television: the others tell.
        let key = |frame: u16, frames: u16, (moved, by): (f64, f64), rate: f64| {
            let is_moved = f64::from(frame) == (moved * f64::from(frames)).round();
            (f64::from(frame) + if is_moved { by } else { 0.0 }) / rate
        };
        for one in [(0.3, 0.45), (0.5, -0.55), (0.9, 0.15)] {
            for rate in [24.0, 30.0, 60.0]
                .into_iter()
                .flat_map(|it| [it, it * NTSC])
            {
                let times = (0..60).map(|frame| key(frame, 60, one, rate) as f32);
                check(times, Some(rate));
            }
            // Also in milliseconds, if they go on for long enough.
            for rate in [24.0, 24.0 * NTSC] {
                let times = (0..400).map(|frame| key(frame, 400, one, rate));
                let rounded = times.map(|time| ((time * 1000.0).round() / 1000.0) as f32);
                check(rounded, Some(rate));
            }
        }
    }

    #[test]
    fn tells_fast_rates_and_those_of_television() {
        for rate in [24.0, 30.0, 60.0, 72.0, 90.0, 100.0, 120.0, 240.0] {
            check(keys(rate, 0..200, |time| time), Some(rate));
        }
        for rate in [24.0, 30.0, 60.0] {
            // Also as they are written with two or three decimals.
            for written in [rate * NTSC, (rate * NTSC * 1000.0).round() / 1000.0] {
                for frames in [24, 2400] {
                    check(keys(written, 0..frames, |time| time), Some(rate * NTSC));
                }
            }
            let sparse = [0, 1, 2, 5, 9, 14, 20, 30, 44, 60, 75, 90, 100, 150];
            check(keys(rate * NTSC, sparse, |time| time), Some(rate * NTSC));
            check(keys(rate, sparse, |time| time), Some(rate));
        }
    }

    #[test]
    fn milliseconds_do_as_well() {
        let rounded = |time: f64| (time * 1000.0).round() / 1000.0;
        for rate in [24.0, 25.0, 30.0, 60.0] {
            check(keys(rate, 0..300, rounded), Some(rate));
            check(keys(rate, 1..300, rounded), Some(rate));
            check(keys(rate, [0, 1, 2, 4, 7, 100], rounded), Some(rate));
        }
        for rate in [24.0, 30.0, 60.0] {
            // Within a second they cannot be told apart, and the usual one is meant.
            check(keys(rate * NTSC, 0..600, rounded), Some(rate * NTSC));
            check(keys(rate * NTSC, 0..12, rounded), Some(rate));
        }
        check([0.0, 0.013, 0.077, 0.108, 0.131], None);
    }

    /// Samples of simulations and of fast capture are no frames; jumps between two keys are.
    #[test]
    fn keys_closer_than_frames_have_no_rate() {
        for rate in [480.0, 720.0, 1000.0, 1200.0, 2000.0, 4000.0, 10_000.0, 1e6] {
            for count in [4, 12, 500] {
                check(keys(rate, 0..count, |time| time), None);
            }
        }
        let jumps = (1..20).flat_map(|frame| [frame as f32 / 24.0 - 1e-4, frame as f32 / 24.0]);
        check(std::iter::once(0.0).chain(jumps.clone()), Some(24.0));
        check(jumps, Some(24.0));
    }

    #[test]
    fn a_pair_in_a_frame_is_a_jump_and_more_are_not() {
        for (frames, expected) in [
            (&[0.0_f32, 0.1][..], true),
            (&[0.0, 0.1, 0.2], false),
            (&[0.9, 1.0, 1.9, 2.0, 2.9, 3.0], true),
            (&[0.8, 0.9, 1.0, 1.8, 1.9, 2.0, 2.8, 2.9, 3.0], false),
        ] {
            let times_secs: Vec<f32> = frames.iter().map(|frame| frame / 24.0).collect();
            let keys = Keys {
                times_secs: &times_secs,
                end_secs: f64::INFINITY,
            };
            assert_eq!(keys.are_frames_apart(24.0), expected, "{frames:?}");
        }
    }

    #[test]
    fn twos_are_a_rate_but_not_what_is_left_of_keys() {
        for rate in [8.0, 10.0, 12.0, 15.0, 20.0] {
            check(keys(rate, 0..20, |time| time), Some(rate));
            let mut clip = ClipBuilder::new("");
            let times = keys(rate, 0..20, |time| time).collect();
            clip.timeline(Timeline::new(times).unwrap());
            let steps = natural_steps(&clip.finish()) as f64 * rate / 19.0;
            assert!((24.0..=40.0).contains(&steps), "{rate}: {steps}");
        }
        // Keys of 24 and 30 that lie on every second or third frame by chance.
        check(
            keys(24.0, [0, 2, 4, 8, 14, 16, 30, 48], |time| time),
            Some(24.0),
        );
        check(keys(30.0, [0, 3, 6, 9, 12], |time| time), Some(30.0));
        // One track on twos, another one with a key between.
        let mut clip = ClipBuilder::new("");
        for frames in [&(0..20).map(|key| 2 * key).collect::<Vec<_>>(), &vec![0, 7]] {
            let times = keys(24.0, frames.iter().copied(), |time| time).collect();
            clip.timeline(Timeline::new(times).unwrap());
        }
        assert_eq!(guess_frame_rate(&clip.finish()), Some(24.0));
    }
}
