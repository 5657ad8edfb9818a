//! The ground and its grid: at y = 0 for a model that stands there, else below the model; lines at a round distance.

use glam::Vec3;

use crate::model::Aabb;

/// A grid on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Distance between fine lines; every tenth is a strong one.
    pub spacing: f32,
    /// Where lines have faded away, from the origin.
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

    /// A grid for a model of these bounds: 4 to 40 fine lines across it, spaced by a power of ten.
    pub fn for_bounds(bounds: &Aabb) -> Self {
        let reach = if bounds.is_empty() {
            1.0
        } else {
            let corner = bounds.min.abs().max(bounds.max.abs());
            let across = (bounds.max - bounds.min).max_element();
            corner.x.max(corner.z).max(0.5 * across)
        };
        let reach = if reach.is_finite() && reach > 0.0 {
            reach
        } else {
            1.0
        };
        Self {
            spacing: 10_f32.powf((reach * 0.5).log10().floor()),
            radius: reach * 4.0,
            grey: Self::ON_DARK,
            height: ground_height(bounds),
        }
    }
}

impl Grid {
    /// A box around all of it.
    pub fn bounds(&self) -> Aabb {
        let reach = Vec3::new(self.radius, 0.0, self.radius);
        let middle = Vec3::new(0.0, self.height, 0.0);
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
