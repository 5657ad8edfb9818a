//! Low-poly solids with flat faces: every face has its own vertices, one normal and one colour.

use glam::{DQuat, DVec3, dvec3};

use super::math::{cos, sin};
use super::mesh::{Primitive, Vertex, by_material};

/// Faces of several materials, in the space of one node.
#[derive(Clone, Default)]
pub struct Facets {
    primitives: Vec<Primitive>,
    /// State of the generator of small irregularities.
    seed: u32,
}

impl Facets {
    /// One flat polygon, convex, counter-clockwise seen from outside; `shade` multiplies the material's colour.
    pub fn face(&mut self, material: usize, shade: f64, corners: &[DVec3]) {
        let normal = (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .normalize_or(DVec3::Y);
        let mut face = Primitive {
            material,
            ..Primitive::default()
        };
        for &position in corners {
            let color = DVec3::splat(shade.clamp(0.0, 1.0));
            face.vertices.push(Vertex {
                position,
                normal,
                color,
                influences: Vec::new(),
            });
        }
        face.triangles = (2..corners.len() as u32).map(|k| [0, k - 1, k]).collect();
        self.primitives.push(face);
    }

    /// A box with half edges `half`, turned about its centre.
    pub fn cuboid(&mut self, material: usize, center: DVec3, half: DVec3, turned: DQuat) {
        let corner = |x: f64, y: f64, z: f64| center + turned * (half * dvec3(x, y, z));
        let shade = 0.88 + 0.12 * self.random();
        for (a, b, c) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            for sign in [-1.0, 1.0] {
                let at = |u: f64, v: f64| {
                    let mut p = [0.0; 3];
                    (p[a], p[b], p[c]) = (u * sign, v, sign);
                    corner(p[0], p[1], p[2])
                };
                self.face(
                    material,
                    shade,
                    &[at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)],
                );
            }
        }
    }

    /// A beam from one point to another, square in section.
    pub fn beam(&mut self, material: usize, from: DVec3, to: DVec3, thickness: f64) {
        let along = (to - from).normalize();
        let side = along.any_orthonormal_vector();
        let turned = DQuat::from_mat3(&glam::DMat3::from_cols(side, along, side.cross(along)));
        let half = dvec3(thickness, (to - from).length(), thickness) * 0.5;
        self.cuboid(material, (from + to) * 0.5, half, turned);
    }

    /// A solid of revolution with flat sides about a vertical axis at `base`: `profile` is (radius, height) from below.
    /// `rough` varies the shade from face to face.
    pub fn lathe(
        &mut self,
        material: usize,
        base: DVec3,
        profile: &[[f64; 2]],
        sides: usize,
        rough: f64,
    ) {
        let point = |[radius, height]: [f64; 2], side: f64| {
            let angle = std::f64::consts::TAU * side / sides as f64;
            base + dvec3(radius * sin(angle), height, radius * cos(angle))
        };
        for pair in profile.windows(2) {
            for side in 0..sides {
                let (left, right) = (side as f64, side as f64 + 1.0);
                let corners = [
                    point(pair[0], left),
                    point(pair[0], right),
                    point(pair[1], right),
                    point(pair[1], left),
                ];
                let shade = 1.0 - rough * self.random();
                if pair[1][0] < 1e-9 {
                    self.face(material, shade, &corners[..3]);
                } else if pair[0][0] < 1e-9 {
                    self.face(material, shade, &[corners[0], corners[2], corners[3]]);
                } else {
                    self.face(material, shade, &corners);
                }
            }
        }
        let top = profile[profile.len() - 1];
        if top[0] > 1e-9 {
            let rim: Vec<DVec3> = (0..sides).map(|side| point(top, side as f64)).collect();
            self.face(material, 1.0, &rim);
        }
    }

    /// Adds all faces of `other`, moved.
    pub fn place(&mut self, other: &Self, at: DVec3, turned: DQuat, scale: f64) {
        for primitive in &other.primitives {
            let mut moved = primitive.clone();
            for vertex in &mut moved.vertices {
                vertex.position = at + turned * (vertex.position * scale);
                vertex.normal = turned * vertex.normal;
            }
            self.primitives.push(moved);
        }
    }

    /// A number from 0 to 1; a fixed sequence (a linear congruential generator with the constants of Numerical Recipes).
    pub fn random(&mut self) -> f64 {
        self.seed = self
            .seed
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        f64::from(self.seed >> 8) / f64::from(1_u32 << 24)
    }

    /// The faces as one primitive per material.
    pub fn primitives(self) -> Vec<Primitive> {
        by_material(self.primitives)
    }
}
