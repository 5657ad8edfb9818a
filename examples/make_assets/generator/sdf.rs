//! Signed distance fields: a body as a few dozen round cones and ellipsoids that melt into each other.

use glam::{DQuat, DVec3};

use super::math::mix;

/// One solid. Distances are good near the surface, which is where they are used.
pub enum Shape {
    /// A capsule whose radius goes from one end to the other, flattened across `thin` by `factor` (1: round).
    Cone {
        ends: [DVec3; 2],
        radii: [f64; 2],
        thin: DVec3,
        factor: f64,
    },
    /// An ellipsoid, turned about its centre.
    Ellipsoid {
        center: DVec3,
        radii: DVec3,
        turned: DQuat,
    },
}

/// How a part joins what came before it.
pub enum Join {
    /// Added, with a fillet of about this radius.
    Add(f64),
    /// Taken away, with a rounding of about this radius.
    Carve(f64),
}

/// A solid, the way it joins, and the joint that carries the skin grown on it.
pub struct Part {
    /// The solid.
    pub shape: Shape,
    /// How it joins.
    pub join: Join,
    /// Index of the joint in the rig.
    pub joint: usize,
}

/// Parts in order; each joins the sum of those before.
#[derive(Default)]
pub struct Field {
    /// The parts.
    pub parts: Vec<Part>,
    /// Rounding of the flat sole cut at y = 0.
    pub sole: f64,
}

impl Field {
    /// Signed distance, negative inside.
    pub fn distance(&self, p: DVec3) -> f64 {
        let mut sum = f64::MAX;
        for part in &self.parts {
            let d = part.shape.distance(p);
            sum = match part.join {
                Join::Add(fillet) => smooth_min(sum, d, fillet),
                Join::Carve(rounding) => -smooth_min(-sum, d, rounding),
            };
        }
        -smooth_min(-sum, p.y, self.sole)
    }

    /// Direction in which the distance grows fastest, not normalised: central differences over 2 mm.
    pub fn gradient(&self, p: DVec3) -> DVec3 {
        const STEP: f64 = 0.001;
        let along = |axis: DVec3| {
            (self.distance(p + axis * STEP) - self.distance(p - axis * STEP)) / (2.0 * STEP)
        };
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }

    /// Outward unit normal.
    pub fn normal(&self, p: DVec3) -> DVec3 {
        self.gradient(p).normalize_or(DVec3::Y)
    }

    /// Moves a point near the surface onto it by Newton steps, each at most `reach`.
    pub fn project(&self, mut p: DVec3, reach: f64) -> DVec3 {
        for _ in 0..4 {
            let slope = self.gradient(p);
            let step = slope * (self.distance(p) / slope.length_squared().max(0.05));
            p -= step.clamp_length_max(reach);
        }
        p
    }

    /// Walks from `from` along a unit `direction` until the surface is met.
    pub fn cast(&self, from: DVec3, direction: DVec3) -> DVec3 {
        let mut p = from;
        for _ in 0..160 {
            p += direction * (self.distance(p) * 0.6);
        }
        p
    }

    /// The joint of the nearest solid; carved solids own nothing.
    pub fn nearest_joint(&self, p: DVec3) -> usize {
        let solids = self
            .parts
            .iter()
            .filter(|part| matches!(part.join, Join::Add(_)));
        let mut best = (f64::MAX, 0);
        for part in solids {
            let d = part.shape.distance(p);
            if d < best.0 {
                best = (d, part.joint);
            }
        }
        best.1
    }

    /// How open the surface is to the sky, 1 in the open: the field is asked how far away it is along the normal.
    pub fn openness(&self, p: DVec3, normal: DVec3) -> f64 {
        let mut hidden = 0.0;
        for (step, share) in [(0.02, 0.2), (0.05, 0.25), (0.1, 0.3), (0.18, 0.25)] {
            hidden += share * ((step - self.distance(p + normal * step)) / step).clamp(0.0, 1.0);
        }
        1.0 - hidden
    }
}

impl Shape {
    fn distance(&self, p: DVec3) -> f64 {
        match *self {
            Self::Cone {
                ends: [a, b],
                radii,
                thin,
                factor,
            } => {
                let axis = b - a;
                let t = ((p - a).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
                let away = p - (a + axis * t);
                let stretched = away + thin * (away.dot(thin) * (factor - 1.0));
                stretched.length() - mix(radii[0], radii[1], t)
            }
            Self::Ellipsoid {
                center,
                radii,
                turned,
            } => {
                let local = turned.inverse() * (p - center);
                let scaled = (local / radii).length();
                let slope = (local / (radii * radii)).length();
                if slope < 1e-9 {
                    -radii.min_element()
                } else {
                    scaled * (scaled - 1.0) / slope
                }
            }
        }
    }
}

/// The smaller of two distances, with a fillet where they are within `k` of each other.
fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0);
    a.min(b) - if k > 0.0 { h * h / (4.0 * k) } else { 0.0 }
}
