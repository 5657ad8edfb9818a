//! Points by where they are.

use std::collections::HashMap;

use glam::Vec3;

/// Points that are looked at of those in one place: seams have a few.
const MAX_IN_PLACE: usize = 32;

/// Points, to be found by their places.
#[derive(Debug)]
pub(super) struct Grid<'p> {
    points: &'p [Vec3],
    cell: f32,
    least: f32,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl<'p> Grid<'p> {
    /// Points of which those are found that are no farther than `least`.
    pub(super) fn new(points: &'p [Vec3], least: f32) -> Self {
        // Cells are not smaller than what floats can tell apart.
        let farthest = points.iter().map(|point| point.abs().max_element());
        let farthest = farthest.fold(f32::MIN_POSITIVE, f32::max);
        let mut grid = Self {
            points,
            cell: (2.0 * least).max(1e-6 * farthest),
            least,
            cells: HashMap::new(),
        };
        for (place, point) in points.iter().enumerate() {
            let cell = grid.cells.entry(cell(*point, grid.cell)).or_default();
            if cell.len() < MAX_IN_PLACE {
                cell.push(place);
            }
        }
        grid
    }

    /// The point that is nearest to a place; none where so many are near it that not all of them are looked at.
    pub(super) fn nearest(&self, place: Vec3) -> Option<usize> {
        let near = self.near(place);
        let distance = |&point: &usize| self.points[point].distance_squared(place);
        let is_sure = near.len() < MAX_IN_PLACE;
        let nearest = near.into_iter().filter(|_| is_sure);
        nearest.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The points near a place.
    pub(super) fn near(&self, place: Vec3) -> Vec<usize> {
        let [low, high] =
            [-self.least, self.least].map(|by| cell(place + Vec3::splat(by), self.cell));
        let mut found = Vec::new();
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let of_cell = self.cells.get(&[x, y, z]);
                    let of_cell = of_cell.into_iter().flatten().copied();
                    found.extend(
                        of_cell.filter(|&it| self.points[it].distance(place) <= self.least),
                    );
                }
            }
        }
        found
    }
}

fn cell(point: Vec3, size: f32) -> [i64; 3] {
    point.to_array().map(|it| (it / size).floor() as i64)
}
