//! Keys as marks: those that are apart are marks of their own, those that are not are runs.
//!
//! The work is bounded by the width that is seen, not by the number of keys: from each mark the next one is found by a
//! search that gallops over the keys of the same point (J. L. Bentley, A. C.-C. Yao, "An almost optimal algorithm for
//! unbounded searching", 1976).

use super::axis::Axis;

/// Marks that are closer together are one.
pub const GAP: f32 = 8.0;
/// How far a mark reaches beyond its place.
const REACH: f32 = 6.0;

/// Marks of keys that look like one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Where the first is.
    pub left: f32,
    /// Where the last is.
    pub right: f32,
}

impl Run {
    /// Whether it is a single mark.
    pub fn is_single(&self) -> bool {
        self.right - self.left < 0.5
    }
}

/// The runs of keys in sight, from left to right; `times_secs` are sorted. Returns how many keys were looked at.
pub fn key_runs(axis: &Axis, times_secs: &[f32], gap: f32, mut see: impl FnMut(Run)) -> usize {
    let mut looks = 0;
    let secs_per_point = axis.secs_per_point();
    let first_secs = axis.time_at_any(axis.x.min - super::axis::MARGIN - REACH);
    let end = axis.x.max + super::axis::MARGIN + REACH;
    let mut key = first_after(times_secs, 0, first_secs, &mut looks);
    let mut run: Option<Run> = None;
    while let Some(&time) = times_secs.get(key) {
        let left = axis.x_at(f64::from(time));
        if left.partial_cmp(&end).is_none_or(std::cmp::Ordering::is_gt) {
            break;
        }
        // All keys on this point.
        let next = first_after(
            times_secs,
            key + 1,
            f64::from(time) + secs_per_point,
            &mut looks,
        );
        let right = axis.x_at(f64::from(times_secs[next - 1])).max(left);
        match &mut run {
            Some(run) if left - run.right < gap => run.right = right,
            _ => {
                let new = Run { left, right };
                run.replace(new).into_iter().for_each(&mut see);
            }
        }
        key = next;
    }
    run.into_iter().for_each(see);
    looks
}

/// The first key from `from` on that is later than a time.
pub fn first_after(times_secs: &[f32], from: usize, time_secs: f64, looks: &mut usize) -> usize {
    let mut is_later = |key: usize| {
        *looks += 1;
        // A time that is no number ends every search.
        let is_before = f64::from(times_secs[key]) <= time_secs;
        !is_before
    };
    let (mut low, mut step) = (from, 1);
    // Up to `low`, all are before; find a stretch behind it that ends later.
    let mut high = loop {
        let probe = low + step - 1;
        if probe >= times_secs.len() {
            break times_secs.len();
        }
        if is_later(probe) {
            break probe;
        }
        low = probe + 1;
        step *= 2;
    };
    while low < high {
        let middle = low + (high - low) / 2;
        if is_later(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::TimeSpan;
    use egui::Rangef;

    fn axis(width: f32, from_secs: f64, to_secs: f64, duration: f64) -> Axis {
        let outer = Rangef::new(0.0, width + 28.0);
        Axis::new(outer, TimeSpan { from_secs, to_secs }, duration)
    }

    fn runs(axis: &Axis, times: &[f32]) -> (Vec<(f32, f32)>, usize) {
        let mut found = Vec::new();
        let looks = key_runs(axis, times, GAP, |run| found.push((run.left, run.right)));
        (found, looks)
    }

    #[test]
    fn close_keys_become_a_band() {
        let axis = axis(100.0, 0.0, 10.0, 10.0);
        let (found, _) = runs(&axis, &[0.0, 5.0, 5.1, 5.2, 10.0]);
        assert_eq!(found, [(14.0, 14.0), (64.0, 66.0), (114.0, 114.0)]);
        let dense: Vec<f32> = (0..1000).map(|place| place as f32 / 100.0).collect();
        assert_eq!(runs(&axis, &dense).0.len(), 1);
        assert_eq!(runs(&axis, &[]).0, []);
        runs(&axis, &[f32::NAN, 0.0, f32::INFINITY]);
        // Of a single pose.
        let axis = self::axis(100.0, 0.0, 0.0, 0.0);
        assert_eq!(runs(&axis, &[0.0]).0, [(14.0, 14.0)]);
    }

    /// A slow look at every key gives the same runs, whatever part of the clip is seen.
    #[test]
    fn runs_are_those_of_all_keys_in_sight() {
        let mut time = 0.0_f32;
        let mut state = 1_u32;
        let times: Vec<f32> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let gap = [0.0, 0.0, 0.001, 0.01, 0.3, 1.5][(state >> 24) as usize % 6];
            time += gap;
            time
        })
        .take(3000)
        .collect();
        let duration = f64::from(time);
        for (from, to) in [
            (0.0, duration),
            (10.0, 30.0),
            (500.0, 501.0),
            (duration - 1.0, duration),
        ] {
            let axis = axis(800.0, from, to, duration);
            let mut slow: Vec<(f32, f32)> = Vec::new();
            for time in &times {
                let x = axis.x_at(f64::from(*time));
                if !(-REACH..=828.0 + REACH).contains(&x) {
                    continue;
                }
                match slow.last_mut() {
                    Some((_, right)) if x - *right < GAP => *right = x,
                    _ => slow.push((x, x)),
                }
            }
            assert_eq!(runs(&axis, &times).0, slow, "{from} to {to}");
        }
    }

    #[test]
    fn the_work_is_bounded_by_the_width_and_not_by_the_keys() {
        for count in [100_000_u32, 1_000_000] {
            let times: Vec<f32> = (0..count).map(|key| key as f32 * 0.001).collect();
            let duration = f64::from(count) * 0.001;
            for (from, to) in [
                (0.0, duration),
                (0.3 * duration, 0.4 * duration),
                (50.0, 50.5),
            ] {
                let (found, looks) = runs(&axis(1200.0, from, to, duration), &times);
                // 1240 points, and about 2 log2(keys on a point) looks at each.
                assert!(
                    found.len() <= 155 && looks <= 1240 * 24,
                    "{count} keys: {looks} looks"
                );
            }
        }
    }

    #[test]
    fn finds_the_first_later_key() {
        let times: Vec<f32> = (0..100).map(|key| key as f32).collect();
        for from in [0, 3, 99, 100] {
            for time in [-1.0, 0.0, 2.5, 50.0, 98.9, 99.0, 200.0, f64::NAN] {
                let expected = (from..100)
                    .find(|&key| {
                        let is_before = f64::from(times[key]) <= time;
                        !is_before
                    })
                    .unwrap_or(100);
                assert_eq!(
                    first_after(&times, from, time, &mut 0),
                    expected,
                    "{from} {time}"
                );
            }
        }
    }
}
