//! Between which of its keys a time lies: the one rule of that, for a single pose, for crowds and for sheets of keys; and which
//! key is the next, for who goes from one to another.
//!
//! Key times are 32-bit floats (glTF 2.0 §3.11), and clocks count in 64 bits. The thirtieth part of a second is 0.0333… to a
//! clock and 0.033333335 to a key, which is later: a clock that hits the key would still find the one before it, and where
//! values step, a whole frame of the wrong pose. So which key has come is asked with the time as keys would write it,
//! rounded to 32 bits, and only then, with the time as it is, how long that was ago: for a hair's breadth no time at all.

/// A time among keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeyPlace {
    /// The last key that has come; the first if none has. Of keys at equal times it is the last.
    pub(super) key: usize,
    /// The time since that key, if another one is to come: more than that cannot have passed. Else 0.
    pub(super) since_secs: f64,
}

/// Keys that are looked at one by one before they are searched by halves.
const MAX_STEPS: usize = 8;

/// Finds the place of a time among `keys`, which are sorted by `at_secs`, of which there is at least one. Times before the
/// first and after the last are clamped to them; so is a NaN, to the last. `hint` says near which key to look first, given
/// the time as keys would write it; it only saves time.
#[inline]
pub(super) fn find<T>(
    keys: &[T],
    at_secs: impl Fn(&T) -> f64,
    time_secs: f64,
    hint: impl FnOnce(f64) -> usize,
) -> KeyPlace {
    let last = keys.len() - 1;
    let as_key = f64::from(time_secs as f32);
    let on_key = |key| KeyPlace {
        key,
        since_secs: 0.0,
    };
    if as_key < at_secs(&keys[0]) {
        return on_key(0);
    }
    // Written so that a NaN, too, lands on the last key.
    let is_inside = as_key < at_secs(&keys[last]);
    if !is_inside {
        return on_key(last);
    }
    let has_come = |key: &T| at_secs(key) <= as_key;
    let mut key = hint(as_key).min(last);
    if !has_come(&keys[key]) {
        key = keys[..key].partition_point(has_come) - 1;
    }
    let mut steps = 0;
    // The last key has not come, so there is a next one.
    while has_come(&keys[key + 1]) {
        key += 1;
        steps += 1;
        if steps == MAX_STEPS {
            key += keys[key + 1..].partition_point(has_come);
        }
    }
    KeyPlace {
        key,
        since_secs: (time_secs - at_secs(&keys[key])).max(0.0),
    }
}

/// The last key that has come at a time, of times of keys; the first if none has.
pub fn last_key(keys_secs: &[f32], time_secs: f64) -> usize {
    if keys_secs.is_empty() {
        return 0;
    }
    find(keys_secs, |key| f64::from(*key), time_secs, |_| 0).key
}

/// Keys that are no farther from a time than this part of it, and of a second, are at it, for who goes from one to the next:
/// times that are typed, or counted by frames, are as good as those of keys.
const SAME: f64 = 1e-6;

/// The first key that comes after a time, of times of keys.
pub fn key_after(keys_secs: &[f32], time_secs: f64) -> Option<usize> {
    let latest = time_secs + SAME * (1.0 + time_secs.abs());
    let key = keys_secs.partition_point(|&key| f64::from(key) <= latest);
    (key < keys_secs.len()).then_some(key)
}

/// The last key that comes before a time, of times of keys.
pub fn key_before(keys_secs: &[f32], time_secs: f64) -> Option<usize> {
    let earliest = time_secs - SAME * (1.0 + time_secs.abs());
    let key = keys_secs.partition_point(|&key| f64::from(key) < earliest);
    key.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_at(keys: &[f32], time_secs: f64, hint: usize) -> KeyPlace {
        find(keys, |key| f64::from(*key), time_secs, |_| hint)
    }

    #[test]
    fn every_frame_of_a_clock_finds_its_own_key() {
        for rate in [24.0, 25.0, 29.97, 30.0, 60.0, 120.0] {
            let secs = |frame: usize| frame as f64 / rate;
            let keys: Vec<f32> = (0..1000).map(|frame| secs(frame) as f32).collect();
            let later = (0..999).filter(|&frame| f64::from(keys[frame]) > secs(frame));
            assert!(later.count() > 100, "{rate}: keys that 64 bits come before");
            for frame in 0..999 {
                let found = key_at(&keys, secs(frame), 0);
                assert_eq!(found.key, frame, "{rate} frames a second");
                assert!((0.0..4e-6).contains(&found.since_secs), "{found:?}");
            }
        }
    }

    #[test]
    fn the_time_since_a_key_keeps_all_digits() {
        let found = key_at(&[0.0, 1000.0, 2000.0], 1_500.000_001, 0);
        assert_eq!((found.key, found.since_secs), (1, 500.000_001_000_000_1));
    }

    #[test]
    fn a_hint_only_saves_time() {
        let keys: Vec<f32> = (0..50).map(|key| key as f32 * 0.1).collect();
        for step in -20..600 {
            let time = f64::from(step) * 0.01;
            let fresh = key_at(&keys, time, 0);
            for hint in [7, 48, 49, 1000] {
                assert_eq!(key_at(&keys, time, hint), fresh, "time {time}, hint {hint}");
            }
        }
    }

    #[test]
    fn who_stands_on_a_key_goes_to_the_next() {
        let keys: Vec<f32> = (0..1000)
            .map(|frame| (f64::from(frame) / 30.0) as f32)
            .collect();
        for frame in 1..999 {
            let at = frame as f64 / 30.0;
            for time in [at, f64::from(keys[frame]), at + 2e-7 * at, at - 2e-7 * at] {
                assert_eq!(key_after(&keys, time), Some(frame + 1));
                assert_eq!(key_before(&keys, time), Some(frame - 1));
            }
            assert_eq!(last_key(&keys, at), frame);
        }
        assert_eq!(
            (key_before(&keys, 0.0), key_after(&keys, 40.0)),
            (None, None)
        );
        assert_eq!((last_key(&[], 1.0), key_after(&[], 1.0)), (0, None));
    }

    #[test]
    fn times_out_of_reach_are_clamped_and_of_equal_keys_the_last_counts() {
        let key = |time| key_at(&[1.0, 2.0, 2.0, 3.0], time, 0).key;
        let times = [f64::NEG_INFINITY, -1e300, 0.5, 2.0, 3.5, 1e300, f64::NAN];
        assert_eq!(times.map(key), [0, 0, 0, 2, 3, 3, 3]);
    }
}
