//! Cameras: the matrices that a frame needs of one, and what they must show.
//!
//! Spaces: *world* is glTF's (right-handed, +Y up); *view* has the eye at its origin, looks along −Z with +Y up; *clip*
//! is wgpu's, with depth running from 1 at the near plane to 0 at the far plane or at infinity (reversed: a float's
//! precision is then spread evenly over the distance, so the near plane may be so near that it never cuts a model).

mod file;
mod orbit;
mod silhouette;
#[cfg(test)]
mod tests;

use glam::{Affine3A, Mat4, Vec3, Vec4};

pub use file::{file_camera_view, orbit_from};
pub use orbit::{OrbitCamera, Side};
pub use silhouette::Silhouette;

use super::{Ray, Reach};
use crate::model::Aabb;

/// A camera's matrices for one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraView {
    /// From the world into the view.
    pub view_from_world: Affine3A,
    /// From the view into clip space, with reversed depth.
    pub clip_from_view: Mat4,
    /// The eye in the world; of a parallel projection the middle of the near plane, or of the plane through the camera.
    pub eye: Vec3,
    /// Full vertical angle through which an environment at infinity is seen: a parallel projection would show one point.
    pub environment_fov_y_radians: f32,
    /// Width of the picture over its height.
    pub aspect: f32,
}

impl CameraView {
    /// Whether rays run side by side.
    pub fn is_parallel(&self) -> bool {
        self.clip_from_view.w_axis.w == 1.0
    }

    /// Against the way the camera looks, of length 1.
    pub fn backward(&self) -> Vec3 {
        Vec3::from(self.view_from_world.matrix3.transpose().z_axis)
    }

    /// Distances of the near and the far plane from the eye, or, for a parallel projection, from the plane that it lies in;
    /// none that are behind it.
    fn planes(&self) -> [f32; 2] {
        let depths = [1.0, 0.0];
        let (slope, offset) = (self.clip_from_view.z_axis.z, self.clip_from_view.w_axis.z);
        let [near, far] = depths.map(|depth| {
            if self.is_parallel() {
                (offset - depth) / slope
            } else {
                offset / (depth + slope)
            }
        });
        [near.max(0.0), if far > near { far } else { f32::INFINITY }]
    }

    /// What lies at a point of the picture, −1..1 from its middle, right and up, and between the camera's planes.
    pub fn ray(&self, at: [f32; 2]) -> Ray {
        let in_view = Vec3::new(
            at[0] / self.clip_from_view.x_axis.x,
            at[1] / self.clip_from_view.y_axis.y,
            -1.0,
        );
        let world_from_view = self.view_from_world.inverse();
        if self.is_parallel() {
            return Ray {
                origin: world_from_view.transform_point3(in_view.with_z(0.0)),
                direction: -self.backward(),
                range: self.planes(),
            };
        }
        Ray {
            origin: self.eye,
            direction: world_from_view.transform_vector3(in_view).normalize(),
            range: self.planes().map(|distance| distance * in_view.length()),
        }
    }

    /// What a part of the picture's height spans of the world, along a ray.
    pub fn reach(&self, part_of_height: f32) -> Reach {
        let span = part_of_height * 2.0 / self.clip_from_view.y_axis.y;
        if self.is_parallel() {
            Reach {
                at_origin: span,
                per_distance: 0.0,
            }
        } else {
            Reach {
                at_origin: 0.0,
                per_distance: span,
            }
        }
    }

    /// In parallel projection the depth that as much as the picture's height spans; in others that depends on the place.
    pub fn depth_of_height(&self) -> Option<f32> {
        let Mat4 { y_axis, z_axis, .. } = self.clip_from_view;
        self.is_parallel().then(|| 2.0 * z_axis.z / y_axis.y)
    }

    /// How far a point is from the eye, or, for a parallel projection, from the plane that it lies in.
    pub fn distance(&self, point: Vec3) -> f32 {
        if self.is_parallel() {
            (self.eye - point).dot(self.backward())
        } else {
            self.eye.distance(point)
        }
    }

    /// The least and the greatest distance of what a box holds.
    pub fn distances(&self, bounds: &Aabb) -> [f32; 2] {
        let Aabb { min, max } = *bounds;
        if self.is_parallel() {
            let middle = self.distance(bounds.center());
            let half = (0.5 * (max - min)).dot(self.backward().abs());
            return [middle - half, middle + half];
        }
        let farthest = (self.eye - min).abs().max((self.eye - max).abs());
        [
            self.eye.distance(self.eye.clamp(min, max)),
            farthest.length(),
        ]
    }

    /// From vectors that begin at the eye, along the world's axes, into clip space.
    pub fn clip_from_eye(&self) -> Mat4 {
        self.clip_from_view * Mat4::from_mat3(self.view_from_world.matrix3.into())
    }

    /// From a space that is placed in the world into clip space.
    ///
    /// The place is told from the eye first, here as in shaders: far from the world's origin a model's size is lost beside the
    /// numbers that a matrix would add up, but the difference of two places is exact.
    pub fn clip_from(&self, world_from_local: Mat4) -> Mat4 {
        let from_eye = world_from_local.w_axis.truncate() - self.eye;
        let mut eye_from_local = world_from_local;
        eye_from_local.w_axis = from_eye.extend(1.0);
        self.clip_from_eye() * eye_from_local
    }

    /// A point of the world in clip space.
    pub fn to_clip(&self, point: Vec3) -> Vec4 {
        self.clip_from_eye() * (point - self.eye).extend(1.0)
    }

    /// Where a point of the world is in the picture, −1..1 from its middle, right and up, and its depth.
    pub fn project(&self, point: Vec3) -> Vec3 {
        let clip = self.to_clip(point);
        clip.truncate() / clip.w
    }

    /// From points of the picture (x, y, 0, 1) to the directions in which an environment at infinity is seen there.
    pub fn direction_from_clip(&self) -> Mat4 {
        let tan = (0.5 * self.environment_fov_y_radians).tan();
        let clip_from_view = infinite_perspective(tan, self.aspect, 1.0);
        let view_from_world = Affine3A::from_mat3(self.view_from_world.matrix3.into());
        (clip_from_view * Mat4::from(view_from_world)).inverse()
    }
}

/// What a camera has before it: boxes around what must not be cut.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Extent {
    /// Around the model.
    pub model: Aabb,
    /// Around the ground.
    pub ground: Aabb,
}

impl Extent {
    /// Distance of the near plane as a part of the model's size or of the distance to what is looked at.
    const NEAR: f32 = 1e-4;
    /// The part of the distance to the model's box that lies nearer than all of the box, along the camera's axis: it is
    /// more than this up to a vertical angle of 120° and a picture that is two and a half times as wide as high.
    const NEARER: f32 = 0.2;

    /// The near plane of a central projection for an eye that looks at something `radius` away.
    fn near(&self, eye: Vec3, radius: f32) -> f32 {
        let size = self.model.diagonal();
        let is_known = size > 0.0 && size.is_finite();
        let mut near = Self::NEAR * if is_known { radius.min(size) } else { radius };
        if is_known {
            let Aabb { min, max } = self.model;
            let gap = eye.distance(eye.clamp(min, max));
            if gap > 0.0 {
                near = near.min(Self::NEARER * gap).max(1e-9 * size);
            }
        }
        near.max(f32::MIN_POSITIVE)
    }

    /// How far it goes from a point in a direction, at most.
    fn reach_along(&self, from: Vec3, direction: Vec3) -> f32 {
        let boxes = [self.model, self.ground].into_iter();
        let reaches = boxes.map(|it| {
            let half = 0.5 * (it.max - it.min);
            (it.center() - from).dot(direction) + half.dot(direction.abs())
        });
        // An empty box is infinite minus infinite, which is no number; neither is a model at infinity.
        let finite = reaches.filter(|reach| reach.is_finite());
        finite.fold(0.0, f32::max)
    }
}

/// A central projection whose depth is 1 at the near plane and 0 at infinity; `tan` is that of half the vertical angle.
fn infinite_perspective(tan: f32, aspect: f32, near: f32) -> Mat4 {
    let focal = tan.recip();
    Mat4::from_cols(
        Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, focal, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 0.0, -1.0),
        Vec4::new(0.0, 0.0, near, 0.0),
    )
}

/// A parallel projection of what lies within half the width and height, whose depth is 1 at `near` and 0 at `far`.
fn parallel(half_size: [f32; 2], near: f32, far: f32) -> Mat4 {
    let depth = (far - near).max(f32::MIN_POSITIVE);
    Mat4::from_cols(
        Vec4::new(half_size[0].recip(), 0.0, 0.0, 0.0),
        Vec4::new(0.0, half_size[1].recip(), 0.0, 0.0),
        Vec4::new(0.0, 0.0, depth.recip(), 0.0),
        Vec4::new(0.0, 0.0, far / depth, 1.0),
    )
}
