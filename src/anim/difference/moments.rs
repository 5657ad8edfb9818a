//! The moments at which two clips are compared.

use crate::model::{Clip, Interpolation};

/// The moments at which two clips are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Moments {
    /// The moments, in order.
    pub(super) times_secs: Vec<f64>,
    /// How many are looked at where there is room: all keys, and some moments between each two.
    pub(super) needed: usize,
}

/// Where between two keys motions are compared, as parts of the way: in the middle, and where two splines of the same keys
/// lie apart whose tangents differ by the same at both ends (½ ± √3/6, the extremes of u·(1 − u)·(1 − 2u)), so that they
/// meet in the middle: even speed and ease-in-out do.
pub(super) const BETWEEN: [f64; 3] = [0.211_324_865_405_187_1, 0.5, 0.788_675_134_594_812_9];
/// And besides, where there are splines: with these no cubic goes far beyond what it is at one of them.
const BETWEEN_SPLINES: [f64; 4] = [0.08, 0.35, 0.65, 0.92];

/// How many moments [`search_around`] looks at: they leave a thousandth of the span in which the greatest may be.
pub(super) const SEARCH_LOOKS: usize = 16;

impl Moments {
    /// 0, all keys of both clips, and some between each two; also just before a key at which something jumps. If these are
    /// more than `most`, those between keys are evenly thinned out, and then keys.
    pub(super) fn new(clips: [Option<&Clip>; 2], most: usize) -> Self {
        let [first, second] = clips.map(keys);
        let keys = first.chain(second).collect();
        Self::at_keys(keys, has_splines(clips), 0.0, most)
    }

    /// [`Self::new`] up to the end of the first clip, which is one of them: the second is at `stretch` times its time.
    pub(super) fn of_first(clips: [Option<&Clip>; 2], stretch: f64, most: usize) -> Self {
        let end_secs = clips[0].map_or(0.0, |clip| f64::from(clip.duration_secs()));
        // Keys that are meant to be at one moment are not, by rounding, where times are stretched.
        let rounding = if stretch == 1.0 {
            0.0
        } else {
            4.0 * f64::from(f32::EPSILON)
        };
        let [first, second] = clips.map(keys);
        // When the second has come to its key, and not to a moment before, as steps are taken there.
        let second = second.map(|key| {
            let time_secs = key.last_secs / stretch;
            let time_secs = if time_secs * stretch < key.last_secs {
                time_secs.next_up()
            } else {
                time_secs
            };
            Key::new(time_secs, key.jumps)
        });
        let latest = end_secs * (1.0 + rounding);
        let keys = first.chain(second).filter(|key| key.last_secs <= latest);
        let keys = keys.map(|key| Key::new(key.last_secs.min(end_secs), key.jumps));
        let keys = keys.chain([Key::new(end_secs, false)]).collect();
        Self::at_keys(keys, has_splines(clips), rounding, most)
    }

    /// How many [`Self::new`] looks at, at most, where there is room.
    pub(super) fn bound(clips: [Option<&Clip>; 2]) -> usize {
        let timelines = clips.into_iter().flatten().flat_map(Clip::timelines);
        let keys: usize = timelines.map(|it| it.times_secs().len()).sum();
        let between = between(has_splines(clips)).count();
        (keys + 1).saturating_mul(between + 2)
    }

    /// Where several keys are no farther after one than `rounding` of its time, the last stands for all: there both clips have
    /// passed their keys.
    fn at_keys(mut keys: Vec<Key>, has_splines: bool, rounding: f64, most: usize) -> Self {
        keys.push(Key::new(0.0, false));
        keys.sort_by(|a, b| a.last_secs.total_cmp(&b.last_secs));
        keys.dedup_by(|next, kept| {
            let is_same = next.last_secs - kept.first_secs <= rounding * kept.first_secs;
            if is_same {
                kept.last_secs = next.last_secs;
                kept.jumps |= next.jumps;
            }
            is_same
        });
        // A key that something jumps at comes after the moment just before it, where that is not the key before.
        let at_keys = keys.iter().enumerate().flat_map(|(place, key)| {
            let from_secs = place.checked_sub(1).map(|from| keys[from].last_secs);
            let before_secs = from_secs.filter(|_| key.jumps).and_then(|from_secs| {
                let before_secs = just_before(key.first_secs, rounding);
                (before_secs > from_secs).then_some(before_secs)
            });
            before_secs.into_iter().chain([key.last_secs])
        });
        let parts: Vec<f64> = between(has_splines).collect();
        let between = keys.windows(2).flat_map(|pair| {
            let [from_secs, to_secs] = [pair[0].last_secs, pair[1].last_secs];
            let parts = parts.iter();
            parts.map(move |part| from_secs + part * (to_secs - from_secs))
        });
        let at_keys_count = at_keys.clone().count();
        let between_count = (keys.len() - 1).saturating_mul(parts.len());
        let needed = at_keys_count.saturating_add(between_count);
        // Only what is chosen is kept: between all keys of a large file there are gigabytes of moments.
        let most = most.max(2);
        let mut times_secs = thinned(at_keys, at_keys_count, most);
        let left = most - times_secs.len();
        times_secs.extend(thinned(between, between_count, left));
        times_secs.sort_by(f64::total_cmp);
        Self { times_secs, needed }
    }
}

/// Searches for where an amount is greatest between the moments before and after one of `times_secs`, by the golden section
/// (J. Kiefer, "Sequential minimax search for a maximum", 1953).
pub(super) fn search_around(
    times_secs: &[f64],
    time_secs: f64,
    mut amount_at: impl FnMut(f64) -> f64,
) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let place = times_secs.partition_point(|&it| it < time_secs);
    let last = times_secs.len().saturating_sub(1);
    let around = [place.saturating_sub(1), last.min(place + 1)];
    let [Some(&low), Some(&high)] = around.map(|place| times_secs.get(place)) else {
        return;
    };
    let (mut low, mut high) = (low, high);
    let at = |part: f64, low: f64, high: f64| low + part * (high - low);
    let mut inner = [at(1.0 - GOLDEN, low, high), at(GOLDEN, low, high)];
    let mut amounts = inner.map(&mut amount_at);
    for _ in 2..SEARCH_LOOKS {
        if amounts[0] > amounts[1] {
            high = inner[1];
            inner = [at(1.0 - GOLDEN, low, high), inner[0]];
            amounts = [amount_at(inner[0]), amounts[0]];
        } else {
            low = inner[0];
            inner = [inner[1], at(GOLDEN, low, high)];
            amounts = [amounts[1], amount_at(inner[1])];
        }
    }
}

/// Whether an amount is greater by more than what is rounding, or as good as found.
pub(super) fn is_greater(amount: f64, found: f64) -> bool {
    amount > found * (1.0 + 1e-3)
}

/// Keys at one moment, but for rounding.
#[derive(Debug, Clone, Copy)]
struct Key {
    first_secs: f64,
    last_secs: f64,
    /// Whether something is another there than just before.
    jumps: bool,
}

impl Key {
    fn new(time_secs: f64, jumps: bool) -> Self {
        Self {
            first_secs: time_secs,
            last_secs: time_secs,
            jumps,
        }
    }
}

/// The keys of all timelines, those before the clip begins as it begins.
fn keys(clip: Option<&Clip>) -> impl Iterator<Item = Key> {
    clip.into_iter().flat_map(|clip| {
        let mut steps = vec![false; clip.timelines().len()];
        for head in clip.heads() {
            steps[head.timeline] |= head.interpolation == Interpolation::Step;
        }
        let timelines = clip.timelines().iter().zip(steps);
        timelines.flat_map(|(timeline, steps)| {
            let times = timeline.times_secs();
            times.iter().enumerate().map(move |(place, time)| {
                // Of keys at equal times the last counts: the one before is left behind by a jump.
                let is_repeated = times.get(place + 1) == Some(time);
                let jumps = is_repeated || steps && place > 0;
                Key::new(f64::from(time.max(0.0)), jumps)
            })
        })
    })
}

fn has_splines(clips: [Option<&Clip>; 2]) -> bool {
    let heads = clips.into_iter().flatten().flat_map(Clip::heads);
    let mut kinds = heads.map(|head| head.interpolation);
    kinds.any(|kind| kind == Interpolation::CubicSpline)
}

/// Where between two keys motions are compared.
fn between(has_splines: bool) -> impl Iterator<Item = f64> {
    let more = has_splines.then_some(BETWEEN_SPLINES);
    BETWEEN.into_iter().chain(more.into_iter().flatten())
}

/// A moment at which no key has come that comes at this one: times are rounded to 32 bits, as keys are, before they are
/// looked up among these.
fn just_before(time_secs: f64, rounding: f64) -> f64 {
    if rounding > 0.0 {
        time_secs * (1.0 - rounding)
    } else {
        f64::from((time_secs as f32).next_down())
    }
}

/// So many at most of `count` moments, evenly: with the first and the last, if there is room for two.
pub(super) fn thinned(
    mut times_secs: impl Iterator<Item = f64>,
    count: usize,
    most: usize,
) -> Vec<f64> {
    let chosen = most.min(count);
    let last = count.saturating_sub(1) as u128;
    let gaps = chosen.saturating_sub(1).max(1) as u128;
    let mut passed = 0;
    let chosen = (0..chosen).filter_map(|at| {
        let place = (at as u128 * last / gaps) as usize;
        let time_secs = times_secs.nth(place - passed);
        passed = place + 1;
        time_secs
    });
    chosen.collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        anim::{Cursors, Pose, sample},
        model::{ClipBuilder, Hierarchy, Node, NodeId, Timeline},
    };

    fn clip(times: &[f32], kind: Interpolation) -> Clip {
        let mut builder = ClipBuilder::new("walk");
        let timeline = builder.timeline(Timeline::new(times.to_vec()).unwrap());
        let values = vec![Vec3::ZERO; times.len() * kind.parts_per_key()];
        builder
            .translation(NodeId(0), timeline, kind, values)
            .unwrap();
        builder.finish()
    }

    #[test]
    fn what_is_just_before_a_jump_is_looked_at() {
        let linear = clip(&[0.0, 1.0, 1.0, 2.0], Interpolation::Linear);
        let steps = clip(&[0.0, 2.0], Interpolation::Step);
        let before = |time: f32| f64::from(time.next_down());
        for (clips, expected) in [
            ([&linear; 2], vec![before(1.0)]),
            ([&steps; 2], vec![before(2.0)]),
            ([&linear, &steps], vec![before(1.0), before(2.0)]),
        ] {
            let clips = clips.map(Some);
            for moments in [
                Moments::new(clips, 1000),
                Moments::of_first(clips, 1.0, 1000),
            ] {
                for time in &expected {
                    assert!(moments.times_secs.contains(time), "{moments:?}");
                }
                assert_eq!(moments.times_secs.len(), moments.needed);
                assert!(moments.needed <= Moments::bound(clips));
            }
        }
    }

    #[test]
    fn what_is_between_keys_is_left_out_before_keys_are() {
        let frames: Vec<f32> = (0..=100_u8).map(f32::from).collect();
        let clip = clip(&frames, Interpolation::Linear);
        let clips = [Some(&clip); 2];
        let all = Moments::new(clips, 1000);
        assert_eq!((all.times_secs.len(), all.needed), (401, 401));
        for most in [400, 150, 101] {
            let some = Moments::new(clips, most);
            assert_eq!((some.times_secs.len(), some.needed), (most, 401));
            assert!(some.times_secs.is_sorted());
            let mut keys = frames.iter().map(|&frame| f64::from(frame));
            assert!(keys.all(|key| some.times_secs.contains(&key)), "{most}");
        }
        let few = Moments::new(clips, 3);
        assert_eq!(few.times_secs, [0.0, 50.0, 100.0]);
    }

    #[test]
    fn moments_are_thinned_out_evenly() {
        let all = || (0..7_u8).map(f64::from);
        for (most, expected) in [
            (0, &[][..]),
            (1, &[0.0]),
            (2, &[0.0, 6.0]),
            (3, &[0.0, 3.0, 6.0]),
            (4, &[0.0, 2.0, 4.0, 6.0]),
        ] {
            assert_eq!(thinned(all(), 7, most), expected);
        }
        for most in [7, usize::MAX] {
            assert_eq!(thinned(all(), 7, most), all().collect::<Vec<_>>());
        }
        assert!(thinned(std::iter::empty(), 0, 3).is_empty());
    }

    /// Where the second runs at another speed, too.
    #[test]
    fn just_before_a_stretched_step_the_old_value_is_there() {
        let linear = clip(&[0.0, 0.3, 1.0], Interpolation::Linear);
        for stretch in [3.0, 1.0 / 3.0] {
            let times = [0.0, 0.1, 0.7].map(|time| (time * stretch) as f32);
            let mut builder = ClipBuilder::new("steps");
            let timeline = builder.timeline(Timeline::new(times.to_vec()).unwrap());
            let values = [0.0, 1.0, 2.0].map(Vec3::splat).to_vec();
            builder
                .translation(NodeId(0), timeline, Interpolation::Step, values)
                .unwrap();
            let steps = builder.finish();
            let clips = [Some(&linear), Some(&steps)];
            let moments = Moments::of_first(clips, stretch, 1000);
            assert_eq!(moments.times_secs.len(), moments.needed);
            let node = Node::default();
            let hierarchy = Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap();
            let mut pose = Pose::new(&hierarchy);
            let mut cursors = Cursors::default();
            for (key, time) in times.iter().enumerate().skip(1) {
                let mut value_at = |time_secs: f64| {
                    sample(&steps, time_secs * stretch, &mut cursors, &mut pose);
                    pose.locals[0].translation.x
                };
                let at_secs = f64::from(*time) / stretch;
                // Those next to the key, by less than what is between keys.
                let near = moments.times_secs.iter();
                let near = near.filter(|it| (*it - at_secs).abs() < 1e-5);
                let values: Vec<f32> = near.map(|it| value_at(*it)).collect();
                let [old, new] = [key - 1, key].map(|key| key as f32);
                assert_eq!(values.first(), Some(&old), "{stretch} {moments:?}");
                assert_eq!(values.last(), Some(&new), "{stretch} {moments:?}");
            }
        }
    }

    #[test]
    fn the_greatest_is_found_between_moments() {
        let times = [0.0, 1.0, 2.0, 3.0];
        for (greatest_at, known_at) in [(0.3, 0.0), (1.9, 2.0), (2.2, 2.0), (2.9, 3.0)] {
            let (mut best, mut looks) = ((f64::NEG_INFINITY, 0.0), 0);
            search_around(&times, known_at, |time: f64| {
                looks += 1;
                let amount = -(time - greatest_at).powi(2);
                if amount > best.0 {
                    best = (amount, time);
                }
                amount
            });
            assert!((best.1 - greatest_at).abs() < 4e-3, "{best:?}");
            assert_eq!(looks, SEARCH_LOOKS);
        }
        search_around(&[], 0.0, |_| panic!("there is no moment"));
    }

    #[test]
    fn splines_are_looked_at_in_more_places() {
        let spline = clip(&[0.0, 1.0], Interpolation::CubicSpline);
        let found = Moments::new([Some(&spline), None], 1000);
        assert_eq!(found.times_secs.len(), 9);
    }
}
