//! An axis-aligned box.

use glam::{Affine3A, Vec3};

/// An axis-aligned box; empty when `min` exceeds `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The box that holds nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The smallest box around `points`; empty when there are none.
    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// This box, grown to hold `point`.
    #[must_use]
    pub fn with(self, point: Vec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// What both hold; empty if they have no point in common.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    /// This box, so much farther out on all sides; an empty one stays what it is.
    #[must_use]
    pub fn grown(self, by: f32) -> Self {
        if self.is_empty() {
            return self;
        }
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    /// Whether the box holds nothing.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The middle.
    pub fn center(&self) -> Vec3 {
        // Halved before they are added: the sum of two large numbers may be more than a float holds.
        0.5 * self.min + 0.5 * self.max
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        let (min, max) = (self.min, self.max);
        std::array::from_fn(|corner| {
            let pick = |bit: usize, low, high| if corner & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, min.x, max.x),
                pick(2, min.y, max.y),
                pick(4, min.z, max.z),
            )
        })
    }

    /// The length of the diagonal; 0 when empty.
    pub fn diagonal(&self) -> f32 {
        if self.is_empty() {
            0.0
        } else {
            (self.max - self.min).length()
        }
    }

    /// The box around this box's image under `transform`.
    #[must_use]
    pub fn transformed(&self, transform: &Affine3A) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let center = transform.transform_point3(self.center());
        let half = 0.5 * (self.max - self.min);
        let matrix = transform.matrix3;
        let extent = Vec3::from(
            matrix.x_axis.abs() * half.x
                + matrix.y_axis.abs() * half.y
                + matrix.z_axis.abs() * half.z,
        );
        Self {
            min: center - extent,
            max: center + extent,
        }
    }
}
