//! The shape of a curve: no more points than the eye can tell apart, however many keys there are.
//!
//! Each point of width is sampled as it is played. The keys within it are corners of their own if they are few; if they are
//! many, the curve goes from the least of them to the greatest, so that no spike is lost. What then is straight to a quarter
//! of a point is one line (the cone of slopes: J. Reumann, A. P. M. Witkam, "Optimizing curve segmentation in computer
//! graphics", 1974).

use egui::{Pos2, Rect, pos2};

use super::value_axis::ValueAxis;
use crate::ui::{
    Between, Lanes, Numbers, SheetRow,
    timeline::{axis::Axis, runs::first_after},
};

/// More keys than that on a point are drawn as their extremes.
const MAX_CORNERS: usize = 2;

/// The curves of a row, a line for each of its numbers; and how many numbers were asked for.
pub fn curves(
    axis: &Axis,
    plot: Rect,
    values: &ValueAxis,
    (row_index, row): (usize, &SheetRow),
    times: &[f32],
    numbers: &dyn Numbers,
) -> (Vec<Vec<Pos2>>, usize) {
    let lanes = row.numbers.names().len();
    let mut lines: Vec<Line> = (0..lanes).map(|_| Line::default()).collect();
    let mut push = |x: f32, value: &Lanes| {
        for (line, value) in lines.iter_mut().zip(value) {
            line.push(pos2(x, values.y_at(*value)));
        }
    };
    let mut asked = 0;
    let at = |time: f64| numbers.at(row_index, time.clamp(0.0, axis.duration_secs));
    let from = plot.left().max(axis.x_at(0.0)).floor();
    let to = plot.right().min(axis.x_at(axis.duration_secs)).ceil();
    let mut key = first_after(times, 0, axis.time_at_any(from), &mut 0);
    let points = (to - from).clamp(0.0, 20_000.0) as usize;
    for point in 0..=points {
        let x = from + point as f32;
        push(x, &at(axis.time_at_any(x)));
        asked += 1;
        let next = first_after(times, key, axis.time_at_any(x + 1.0), &mut 0);
        if next - key > MAX_CORNERS {
            let (least, greatest) = numbers.extremes(row_index, key, next);
            push(x + 0.4, &least);
            push(x + 0.6, &greatest);
            asked += 2;
        } else {
            for (corner, &time_secs) in (key..next).zip(&times[key..next]) {
                let x = axis.x_at(f64::from(time_secs));
                if row.between == Between::Step && corner > 0 {
                    push(x, &numbers.key(row_index, corner - 1));
                    asked += 1;
                }
                push(x, &numbers.key(row_index, corner));
                asked += 1;
            }
        }
        key = next;
    }
    (lines.into_iter().map(Line::finish).collect(), asked)
}

/// A line of few points.
#[derive(Debug, Default)]
struct Line {
    points: Vec<Pos2>,
    /// The last point, not yet known to be needed, and the slopes from the one before it that pass all that were left out.
    open: Option<(Pos2, f32, f32)>,
}

impl Line {
    /// How far a point may be from the line that leaves it out.
    const TOLERANCE: f32 = 0.25;

    fn push(&mut self, point: Pos2) {
        let Some(&anchor) = self.points.last() else {
            self.points.push(point);
            return;
        };
        let last = self.open.map_or(anchor, |(last, ..)| last);
        if last == point {
            return;
        }
        if let Some((last, least, greatest)) = self.open {
            let slope = (point.y - anchor.y) / (point.x - anchor.x);
            if point.x > last.x && (least..=greatest).contains(&slope) {
                let (a, b) = slopes(anchor, point);
                self.open = Some((point, least.max(a), greatest.min(b)));
                return;
            }
            self.points.push(last);
        }
        let anchor = self.points.last().copied().unwrap_or(anchor);
        if point.x > anchor.x {
            let (least, greatest) = slopes(anchor, point);
            self.open = Some((point, least, greatest));
        } else {
            self.points.push(point);
            self.open = None;
        }
    }

    fn finish(mut self) -> Vec<Pos2> {
        self.points.extend(self.open.map(|(last, ..)| last));
        self.points
    }
}

/// The slopes of lines from `anchor` that pass `point`.
fn slopes(anchor: Pos2, point: Pos2) -> (f32, f32) {
    let (dx, dy) = (point.x - anchor.x, point.y - anchor.y);
    ((dy - Line::TOLERANCE) / dx, (dy + Line::TOLERANCE) / dx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::NumberKind;
    use crate::ui::TimeSpan;
    use egui::Rangef;

    /// A number that is 1 at one key in a thousand, or turns in circles.
    #[derive(Debug)]
    struct Spikes {
        keys_per_sec: f64,
    }

    impl Numbers for Spikes {
        fn times_secs(&self, _: usize) -> Option<&[f32]> {
            None
        }
        fn at(&self, _: usize, time_secs: f64) -> Lanes {
            self.key(0, (time_secs * self.keys_per_sec) as usize)
        }
        fn key(&self, _: usize, key: usize) -> Lanes {
            let spike = f32::from(u8::from(key % 1000 == 500));
            [spike, 0.5, 0.0, 0.0]
        }
        fn tangents(&self, _: usize, _: usize) -> Option<(Lanes, Lanes)> {
            None
        }
        fn extremes(&self, _: usize, from: usize, to: usize) -> (Lanes, Lanes) {
            let has_spike = (from..to).any(|key| key % 1000 == 500);
            let greatest = f32::from(u8::from(has_spike));
            ([0.0, 0.5, 0.0, 0.0], [greatest, 0.5, 0.0, 0.0])
        }
        fn bounds(&self, _: usize) -> (Lanes, Lanes) {
            ([0.0; 4], [1.0; 4])
        }
    }

    fn row(between: Between) -> SheetRow {
        SheetRow {
            label: String::new(),
            pointer: None,
            node: None,
            timelines: vec![0],
            between,
            key_count: 0,
            numbers: NumberKind::Axes(2),
        }
    }

    #[test]
    fn no_spike_is_lost_and_the_points_are_those_of_the_width() {
        let keys_per_sec = 1000.0;
        let times: Vec<f32> = (0..100_000).map(|key| key as f32 / 1000.0).collect();
        let plot = Rect::from_min_max(pos2(0.0, 0.0), pos2(1028.0, 100.0));
        let duration_secs = 99.999;
        for (from_secs, to_secs) in [(0.0, duration_secs), (20.0, 30.0), (40.4, 40.6)] {
            let axis = Axis::new(
                plot.x_range(),
                TimeSpan { from_secs, to_secs },
                duration_secs,
            );
            let values = ValueAxis::new(Rangef::new(0.0, 100.0), 0.0, 1.0);
            let numbers = Spikes { keys_per_sec };
            let row = row(Between::Linear);
            let (lines, asked) = curves(&axis, plot, &values, (0, &row), &times, &numbers);
            assert_eq!(lines.len(), 2);
            assert!(asked <= 4 * 1030, "{asked} numbers asked for");
            assert!(
                lines[0].len() <= 3 * 1030 && lines[1].len() <= 4,
                "{} {}",
                lines[0].len(),
                lines[1].len()
            );
            let top = values.y_at(1.0);
            let peaks = lines[0]
                .iter()
                .filter(|point| (point.y - top).abs() < 0.1)
                .count();
            let spikes = (to_secs - from_secs).round().max(1.0) as usize;
            assert!(peaks >= spikes, "{peaks} peaks for {spikes} spikes");
        }
    }

    /// Up at every other key, and nothing between.
    #[derive(Debug)]
    struct Stairs(Vec<f32>);

    impl Numbers for Stairs {
        fn times_secs(&self, _: usize) -> Option<&[f32]> {
            Some(&self.0)
        }
        fn at(&self, _: usize, time_secs: f64) -> Lanes {
            let keys = self.0.partition_point(|time| f64::from(*time) <= time_secs);
            self.key(0, keys.saturating_sub(1))
        }
        fn key(&self, _: usize, key: usize) -> Lanes {
            [(key % 2) as f32; 4]
        }
        fn tangents(&self, _: usize, _: usize) -> Option<(Lanes, Lanes)> {
            None
        }
        fn extremes(&self, _: usize, _: usize, _: usize) -> (Lanes, Lanes) {
            ([0.0; 4], [1.0; 4])
        }
        fn bounds(&self, _: usize) -> (Lanes, Lanes) {
            ([0.0; 4], [1.0; 4])
        }
    }

    #[test]
    fn steps_are_upright() {
        let plot = Rect::from_min_max(pos2(0.0, 0.0), pos2(128.0, 100.0));
        let span = TimeSpan {
            from_secs: 0.0,
            to_secs: 1.0,
        };
        let axis = Axis::new(plot.x_range(), span, 1.0);
        let values = ValueAxis::new(Rangef::new(0.0, 100.0), 0.0, 1.0);
        let times = vec![0.0, 0.503, 0.7, 1.0];
        let numbers = Stairs(times.clone());
        let row = row(Between::Step);
        let (lines, _) = curves(&axis, plot, &values, (0, &row), &times, &numbers);
        let corners: Vec<_> = lines[0]
            .windows(2)
            .filter(|pair| pair[0].x == pair[1].x)
            .collect();
        let expected = times[1..].iter().map(|time| axis.x_at(f64::from(*time)));
        assert_eq!(
            corners.iter().map(|pair| pair[0].x).collect::<Vec<_>>(),
            expected.collect::<Vec<_>>()
        );
        for pair in lines[0].windows(2) {
            let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            assert!(dx == 0.0 || dy == 0.0, "{:?}", lines[0]);
        }
    }

    #[test]
    fn a_line_leaves_out_what_is_straight_and_nothing_else() {
        let mut straight = Line::default();
        let mut wave = Line::default();
        let wavy = |x: f32| pos2(x, 50.0 + 40.0 * (x / 30.0).sin());
        for x in 0..1000 {
            straight.push(pos2(x as f32, 0.3 * x as f32));
            wave.push(wavy(x as f32));
        }
        assert_eq!(straight.finish().len(), 2);
        let wave = wave.finish();
        assert!(wave.len() < 400, "{}", wave.len());
        for x in 0..1000 {
            let exact = wavy(x as f32);
            let after = wave.partition_point(|point| point.x < exact.x).max(1);
            let (a, b) = (wave[after - 1], wave[after]);
            let y = egui::remap(exact.x, a.x..=b.x, a.y..=b.y);
            assert!((y - exact.y).abs() < 0.6, "{x}: {y} instead of {}", exact.y);
        }
    }
}
