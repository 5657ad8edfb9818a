//! The ground and its grid: at y = 0 for a model that stands there, else below the model; lines at a round distance.

use glam::{Vec2, Vec3};

use crate::model::Aabb;

/// A grid on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Distance between fine lines; every tenth is a strong one.
    pub spacing: f32,
    /// x and z of its middle: the origin unless the model is far from there.
    pub middle: Vec2,
    /// Where lines have faded away, from the middle.
    pub radius: f32,
    /// Linear grey of the lines.
    pub grey: f32,
    /// Where the ground is.
    pub height: f32,
}

impl Grid {
    /// Grey of lines on a dark ground.
    pub const ON_DARK: f32 = 0.38;
    /// Grey of lines on a light ground.
    pub const ON_LIGHT: f32 = 0.14;

    /// A grid for a model of these bounds: 4 to 40 fine lines across it, spaced by a power of ten. It is around the origin,
    /// from where most models go; around one that is far away, it is around that.
    pub fn for_bounds(bounds: &Aabb) -> Self {
        let (center, half) = if bounds.is_empty() {
            (Vec2::ZERO, 1.0)
        } else {
            let center = 0.5 * bounds.min + 0.5 * bounds.max;
            let half = 0.5 * (bounds.max - bounds.min).max_element();
            (Vec2::new(center.x, center.z), half)
        };
        let is_far = half > 0.0 && center.abs().max_element() > FAR * half;
        let reach = if is_far || bounds.is_empty() {
            half
        } else {
            let corner = bounds.min.abs().max(bounds.max.abs());
            corner.x.max(corner.z).max(half)
        };
        let reach = if reach.is_finite() && reach > 0.0 {
            reach
        } else {
            1.0
        };
        let spacing = 10_f32.powf((reach * 0.5).log10().floor());
        Self {
            spacing,
            middle: if is_far {
                middle_near(center, spacing)
            } else {
                Vec2::ZERO
            },
            radius: reach * 4.0,
            grey: Self::ON_DARK,
            height: ground_height(bounds),
        }
    }
}

/// How far from the origin a model is far, in halves of its greatest extent.
const FAR: f32 = 8.0;

/// Where two strong lines of the world's meet, near a place.
fn middle_near(place: Vec2, spacing: f32) -> Vec2 {
    let strong = 10.0 * spacing;
    let middle = (place / strong).round() * strong;
    if middle.is_finite() { middle } else { place }
}

impl Grid {
    /// A box around all of it.
    pub fn bounds(&self) -> Aabb {
        let reach = Vec3::new(self.radius, 0.0, self.radius);
        let middle = Vec3::new(self.middle.x, self.height, self.middle.y);
        Aabb {
            min: middle - reach,
            max: middle + reach,
        }
    }
}

/// The height of the ground below a model of these bounds.
fn ground_height(bounds: &Aabb) -> f32 {
    /// How deep feet may stand in the ground, and how high above it, in parts of the height.
    const TOLERANCE: f32 = 0.1;
    let height = bounds.max.y - bounds.min.y;
    if bounds.is_empty() || !height.is_finite() || bounds.min.y.abs() <= TOLERANCE * height {
        0.0
    } else {
        bounds.min.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_is_a_power_of_ten_that_suits_the_model() {
        for (size, spacing) in [(0.03, 0.01), (1.8, 0.1), (150.0, 10.0)] {
            let grid = Grid::for_bounds(&Aabb {
                min: Vec3::ZERO,
                max: Vec3::splat(size),
            });
            assert!(
                (grid.spacing / spacing - 1.0).abs() < 1e-3,
                "{size}: {}",
                grid.spacing
            );
        }
    }

    #[test]
    fn a_grid_lies_around_what_is_far_from_the_origin() {
        let at = |x: f32| {
            let middle = Vec3::new(x, 1.0, 0.0);
            Grid::for_bounds(&Aabb {
                min: middle - 1.0,
                max: middle + 1.0,
            })
        };
        // In the middle of 20 fine lines, as a model at the origin; on a strong line of the world's.
        for x in [1e3, 1004.0, 1e6, -1e6] {
            let grid = at(x);
            let (spacing, radius) = (at(0.0).spacing, at(0.0).radius);
            assert_eq!((grid.spacing, grid.radius), (spacing, radius), "{x}");
            assert!((grid.middle.x - x).abs() <= 5.0 * spacing, "{x}: {grid:?}");
            assert_eq!(grid.middle.x % (10.0 * spacing), 0.0, "{x}: {grid:?}");
            assert!(grid.bounds().min.x < x - 1.0 && grid.bounds().max.x > x + 1.0);
        }
        for x in [0.0, 0.5, 7.9] {
            let grid = at(x);
            assert_eq!(grid.middle, Vec2::ZERO);
            assert!(grid.radius > 4.0 * x, "{x}");
        }
    }

    #[test]
    fn the_ground_is_at_nought_unless_the_model_stands_elsewhere() {
        let ground = |low: f32, high: f32| {
            let (min, max) = (Vec3::new(0.0, low, 0.0), Vec3::new(1.0, high, 1.0));
            Grid::for_bounds(&Aabb { min, max }).height
        };
        assert_eq!(ground(0.0, 2.0), 0.0);
        assert_eq!(ground(-0.05, 1.8), 0.0);
        assert_eq!(ground(0.15, 1.8), 0.0);
        assert_eq!(ground(-1.0, 1.0), -1.0);
        assert_eq!(ground(3.0, 5.0), 3.0);
        assert_eq!(Grid::for_bounds(&Aabb::EMPTY).height, 0.0);
    }
}
