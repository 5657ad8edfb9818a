//! How far points are from those that are nearest to them.

use std::ops::Range;

use glam::Vec3;

/// Boxes and points that are looked at in all meshes of two models together: a second's work.
pub(super) const MAX_LOOKS: usize = 1 << 26;

/// Points of a box that is not divided.
const MAX_UNDIVIDED: usize = 8;

/// How far any of some points is at most from that of the others which is nearest to it. Where `left` looks do not suffice for
/// all points, the result is a lower bound; none if nothing is known.
pub(super) fn farthest(points: &[Vec3], others: &[Vec3], left: &mut usize) -> Option<f32> {
    if points.is_empty() || others.is_empty() || *left <= others.len() {
        return None;
    }
    *left -= others.len();
    let tree = Tree::new(others);
    let mut farthest = None;
    for &point in points {
        let mut search = Search {
            tree: &tree,
            point,
            nearest: f32::INFINITY,
            enough: farthest.unwrap_or(-1.0),
            left,
        };
        search.look(0);
        let nearest = search.nearest;
        if *left == 0 {
            break;
        }
        farthest = Some(nearest.max(farthest.unwrap_or(0.0)));
    }
    farthest.map(f32::sqrt).filter(|it| it.is_finite())
}

/// Points in boxes, halved along their longest side.
struct Tree {
    points: Vec<Vec3>,
    /// The first half of a box comes right after it.
    boxes: Vec<Part>,
}

/// Points in a box, by their places in the tree.
struct Part {
    low: Vec3,
    high: Vec3,
    points: Range<usize>,
    second_half: Option<usize>,
}

impl Tree {
    fn new(points: &[Vec3]) -> Self {
        let mut tree = Self {
            points: points.to_vec(),
            boxes: Vec::new(),
        };
        tree.divide(0..points.len());
        tree
    }

    fn divide(&mut self, range: Range<usize>) -> usize {
        let place = self.boxes.len();
        let points = &mut self.points[range.clone()];
        let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        self.boxes.push(Part {
            low,
            high,
            points: range.clone(),
            second_half: None,
        });
        if points.len() > MAX_UNDIVIDED {
            let axis = (high - low).max_position();
            let half = points.len() / 2;
            points.select_nth_unstable_by(half, |a, b| a[axis].total_cmp(&b[axis]));
            let middle = range.start + half;
            self.divide(range.start..middle);
            let second_half = self.divide(middle..range.end);
            self.boxes[place].second_half = Some(second_half);
        }
        place
    }
}

/// Looks for the point that is nearest to one.
struct Search<'s> {
    tree: &'s Tree,
    point: Vec3,
    /// The square of its distance, so far.
    nearest: f32,
    /// The square of a distance: what is nearer needs not be told.
    enough: f32,
    left: &'s mut usize,
}

impl Search<'_> {
    fn look(&mut self, place: usize) {
        let tree = self.tree;
        let Part {
            points,
            second_half,
            ..
        } = &tree.boxes[place];
        let Some(second_half) = *second_half else {
            *self.left = self.left.saturating_sub(1 + points.len());
            for other in &tree.points[points.clone()] {
                self.nearest = self.nearest.min(other.distance_squared(self.point));
            }
            return;
        };
        *self.left = self.left.saturating_sub(1);
        let mut halves = [place + 1, second_half].map(|half| (self.distance_to_box(half), half));
        if halves[1].0 < halves[0].0 {
            halves.swap(0, 1);
        }
        for (distance, half) in halves {
            if distance < self.nearest && self.nearest > self.enough && *self.left > 0 {
                self.look(half);
            }
        }
    }

    /// The square of the distance to the nearest place in a box.
    fn distance_to_box(&self, place: usize) -> f32 {
        let Part { low, high, .. } = self.tree.boxes[place];
        let beyond = (low - self.point).max(self.point - high);
        beyond.max(Vec3::ZERO).length_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_found_on_both_sides() {
        let line: Vec<_> = (0..100_u8).map(|x| Vec3::X * f32::from(x)).collect();
        let points = [Vec3::new(7.2, 0.0, 0.0), Vec3::new(41.9, 0.0, 0.3)];
        let farthest = |points: &[Vec3], others: &[Vec3]| {
            let mut left = MAX_LOOKS;
            farthest(points, others, &mut left)
        };
        let found = farthest(&points, &line).unwrap();
        assert!((found - 0.1_f32.hypot(0.3)).abs() < 1e-5, "{found}");
        let beyond = farthest(&[Vec3::X * 102.0, Vec3::X * -1.0], &line);
        assert_eq!(beyond, Some(3.0));
        assert_eq!(farthest(&[], &line), None);
        assert_eq!(farthest(&points, &[]), None);
        // All in one place.
        let others = [Vec3::Y; 100];
        assert_eq!(farthest(&[Vec3::ZERO; 2], &others), Some(1.0));
    }

    /// Bumps of a width of 1 and of so many points a side, so far up.
    fn field(side: u16, up: f32) -> Vec<Vec3> {
        let at = |place: u16| f32::from(place) / f32::from(side);
        let places = (0..side).flat_map(|x| (0..side).map(move |z| (x, z)));
        let places =
            places.map(|(x, z)| Vec3::new(at(x), up + 0.1 * f32::from((x * z) % 7), at(z)));
        places.collect()
    }

    #[test]
    fn it_is_the_nearest_of_all() {
        let (points, others) = (field(20, 0.33), field(31, 0.0));
        let distances = points.iter().map(|point| {
            let all = others.iter().map(|other| other.distance(*point));
            all.fold(f32::INFINITY, f32::min)
        });
        let expected = distances.fold(0.0, f32::max);
        let mut left = MAX_LOOKS;
        let found = farthest(&points, &others, &mut left).unwrap();
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }

    #[test]
    fn clouds_that_are_far_apart_take_few_looks() {
        let (points, others) = (field(123, 0.0), field(123, 2.0));
        let mut left = MAX_LOOKS;
        let found = farthest(&points, &others, &mut left).unwrap();
        // Each is below its own image.
        assert!((found - 2.0).abs() < 1e-6, "{found}");
        // All with all are 229 million.
        assert!(MAX_LOOKS - left < 10_000_000, "{left}");
    }

    #[test]
    fn where_looks_run_out_what_was_found_counts() {
        let (points, others) = (field(40, 0.0), field(40, 2.0));
        let mut left = MAX_LOOKS;
        let all = farthest(&points, &others, &mut left).unwrap();
        let mut few = others.len() + 2000;
        let some = farthest(&points, &others, &mut few).unwrap();
        assert!(some > 1.0 && some <= all, "{some} {all}");
        assert!(few == 0 || some == all);
        assert_eq!(farthest(&points, &others, &mut few), None);
    }
}
