//! Boxes that stand in the world as their meshes do, and which of two is seen before the other.

use glam::{Affine3A, Vec3};

use super::CameraView;
use crate::model::Aabb;

/// The image of a mesh's box in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrientedBox {
    center: Vec3,
    /// From the centre to the middles of three faces.
    half_axes: [Vec3; 3],
}

impl OrientedBox {
    /// The image of `bounds`.
    pub fn new(bounds: &Aabb, world_from_mesh: &Affine3A) -> Self {
        let half = 0.5 * (bounds.max - bounds.min);
        let axes = [Vec3::X * half.x, Vec3::Y * half.y, Vec3::Z * half.z];
        Self {
            center: world_from_mesh.transform_point3(bounds.center()),
            half_axes: axes.map(|axis| world_from_mesh.transform_vector3(axis)),
        }
    }

    /// Whether a plane along a face of one of the two has all of this box and the eye on one side, and all of `other` on its
    /// other side: then nothing of this box can be seen through `other`. May say no where that is so nevertheless.
    pub fn is_before(&self, other: &Self, camera: &CameraView) -> bool {
        let mut normals = self.face_normals().into_iter().chain(other.face_normals());
        normals.any(|normal| {
            let eye = if camera.is_parallel() {
                camera.backward().dot(normal) * f32::INFINITY
            } else {
                camera.eye.dot(normal)
            };
            let [least, most] = self.extent(normal);
            let [others_least, others_most] = other.extent(normal);
            let is_face = normal != Vec3::ZERO;
            let is_below = most <= others_least && eye <= others_least;
            let is_above = least >= others_most && eye >= others_most;
            is_face && (is_below || is_above)
        })
    }

    /// Whether all of `other` lies in it, but for a thousandth of its size. What is flat holds nothing.
    pub fn holds(&self, other: &Self) -> bool {
        self.face_normals().into_iter().all(|normal| {
            let [least, most] = self.extent(normal);
            let [others_least, others_most] = other.extent(normal);
            let slack = 1e-3 * (most - least);
            let is_face = normal != Vec3::ZERO;
            is_face && others_least >= least - slack && others_most <= most + slack
        })
    }

    /// Whether it is without volume.
    pub fn is_flat(&self) -> bool {
        self.face_normals().contains(&Vec3::ZERO)
    }

    /// Its twelve edges, from corner to corner.
    pub fn edges(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let ends = [-1.0, 1.0];
        (0..3).flat_map(move |along| {
            let [a, b, c] = [0, 1, 2].map(|axis| self.half_axes[(along + axis) % 3]);
            let corners = ends.into_iter().flat_map(move |b_side| {
                ends.map(move |c_side| self.center + b * b_side + c * c_side)
            });
            corners.map(move |middle| [middle - a, middle + a])
        })
    }

    /// Of any length; zero where the box is flat.
    fn face_normals(&self) -> [Vec3; 3] {
        let [x, y, z] = self.half_axes;
        [y.cross(z), z.cross(x), x.cross(y)]
    }

    /// Between which values of the product with `normal` it lies.
    fn extent(&self, normal: Vec3) -> [f32; 2] {
        let middle = self.center.dot(normal);
        let half: f32 = self
            .half_axes
            .map(|axis| axis.dot(normal).abs())
            .iter()
            .sum();
        [middle - half, middle + half]
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::scene::OrbitCamera;

    fn pane(width: f32, degrees: f32, z: f32) -> OrientedBox {
        let half = 0.5 * width * Vec3::new(1.0, 1.0, 0.0);
        let turn = Quat::from_rotation_y(degrees.to_radians());
        let place = Affine3A::from_rotation_translation(turn, Vec3::new(0.0, 0.0, z));
        OrientedBox::new(
            &Aabb {
                min: -half,
                max: half,
            },
            &place,
        )
    }

    #[test]
    fn a_box_holds_what_lies_in_it() {
        let cube = |half: f32, place| {
            let bounds = Aabb {
                min: Vec3::splat(-half),
                max: Vec3::splat(half),
            };
            OrientedBox::new(&bounds, &Affine3A::from_translation(place))
        };
        let outer = cube(1.0, Vec3::ZERO);
        assert!(outer.holds(&outer) && outer.holds(&pane(1.0, 30.0, 0.5)));
        assert!(outer.holds(&cube(0.5, Vec3::splat(0.5))));
        assert!(!outer.holds(&cube(0.5, Vec3::new(0.0, 0.0, 0.6))));
        assert!(!cube(0.5, Vec3::ZERO).holds(&outer));
        assert!(!outer.is_flat() && pane(4.0, 45.0, 0.0).is_flat());
        // A pane that lies across holds nothing, whatever the box along the axes would.
        assert!(!pane(4.0, 45.0, 0.0).holds(&cube(0.1, Vec3::ZERO)));
    }

    /// From +Z, at a distance of 5.
    fn camera(flatness: f32) -> CameraView {
        let orbit = OrbitCamera {
            target: Vec3::ZERO,
            azimuth_radians: 0.0,
            polar_radians: std::f32::consts::FRAC_PI_2,
            radius: 5.0,
            flatness,
            ..OrbitCamera::default()
        };
        let all = Aabb {
            min: Vec3::splat(-1.0),
            max: Vec3::splat(1.0),
        };
        let extent = crate::scene::Extent {
            model: all,
            ..Default::default()
        };
        orbit.view_of(1.0, &extent)
    }

    #[test]
    fn a_box_has_twelve_edges_between_eight_corners() {
        let bounds = Aabb {
            min: Vec3::new(1.0, 2.0, 3.0),
            max: Vec3::new(2.0, 4.0, 7.0),
        };
        let edges: Vec<_> = OrientedBox::new(&bounds, &Affine3A::IDENTITY)
            .edges()
            .collect();
        assert_eq!(edges.len(), 12);
        for length in [1.0, 2.0, 4.0] {
            let as_long = edges
                .iter()
                .filter(|[from, to]| from.distance(*to) == length);
            assert_eq!(as_long.count(), 4);
        }
        for corner in bounds.corners() {
            let meet = edges.iter().flatten().filter(|end| **end == corner);
            assert_eq!(meet.count(), 3, "{corner}");
        }
    }

    #[test]
    fn what_a_plane_divides_is_before_or_behind() {
        for flatness in [0.0, 1.0] {
            let camera = camera(flatness);
            assert_eq!(camera.is_parallel(), flatness == 1.0);
            for degrees in [0.0, 30.0, -50.0] {
                // Its edges are nearer, and farther away, than what stands in its middle.
                let glass = pane(8.0, degrees, 0.0);
                for other in [0.0, 20.0, 80.0] {
                    let near = pane(0.5, other, 0.6);
                    let far = pane(0.5, other, -0.6);
                    assert!(near.is_before(&glass, &camera), "{degrees} {other}");
                    assert!(!far.is_before(&glass, &camera), "{degrees} {other}");
                    assert!(glass.is_before(&far, &camera), "{degrees} {other}");
                }
                let through = pane(3.0, degrees + 60.0, 0.0);
                assert!(!through.is_before(&glass, &camera));
            }
            // Right on the glass it is seen by itself.
            assert!(pane(0.5, 0.0, 0.0).is_before(&pane(8.0, 0.0, 0.0), &camera));
        }
    }
}
