//! What somebody reaches in a clip, and whether that is in sight.

use glam::{Affine3A, Mat4, Vec3, Vec4};

use crate::{
    anim::{Cursors, Palette, PaletteLayout, Pose, bounds, sample},
    model::{Aabb, Clip, Model},
};

/// Moments of a clip at which its reach is measured.
const REACH_SAMPLES: usize = 24;
/// What is added to the reach for the time between, in parts of its size.
const REACH_MARGIN: f32 = 0.15;

/// The box around the poses of a clip.
pub(super) fn reach(model: &Model, layout: &PaletteLayout, clip: Option<&Clip>) -> Aabb {
    let (mut pose, mut cursors, mut palette) = (
        Pose::new(&model.hierarchy),
        Cursors::default(),
        Palette::default(),
    );
    let mut reach = Aabb::EMPTY;
    let samples = if clip.is_some() { REACH_SAMPLES } else { 1 };
    for index in 0..samples {
        pose.reset(&model.hierarchy);
        if let Some(clip) = clip {
            let time = f64::from(clip.duration_secs()) * index as f64 / samples as f64;
            sample(clip, time, &mut cursors, &mut pose);
            // What is hidden for a while comes back, and what is hidden throughout takes the room that it has at rest.
            for (hidden, node) in pose.hidden.iter_mut().zip(model.hierarchy.nodes()) {
                *hidden &= node.is_hidden;
            }
        }
        pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
        palette.clear(layout, 1);
        palette.push(model, layout, &pose);
        let posed = bounds::posed_bounds(model, layout, &palette, &pose, 0);
        reach = corners(&posed)
            .into_iter()
            .filter(|_| !posed.is_empty())
            .fold(reach, Aabb::with);
    }
    if reach.is_empty() {
        return reach;
    }
    let margin = Vec3::splat(reach.diagonal() * REACH_MARGIN);
    reach.with(reach.min - margin).with(reach.max + margin)
}

pub(super) fn corners(bounds: &Aabb) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let side = |axis: usize| corner >> axis & 1 == 1;
        Vec3::select(
            glam::BVec3::new(side(0), side(1), side(2)),
            bounds.max,
            bounds.min,
        )
    })
}

/// Whether a box lies wholly beyond one of the planes of the view volume. Depth is reversed: 1 near, 0 infinitely far, so
/// there is no far plane (G. Gribb and K. Hartmann 2001, "Fast extraction of viewing frustum planes").
pub(super) fn is_out_of_sight(bounds: &Aabb, clip_from_local: Mat4) -> bool {
    if bounds.is_empty() {
        return false;
    }
    let rows = clip_from_local.transpose();
    let (x, y, z, w) = (rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis);
    let is_beyond = |plane: Vec4| {
        // The corner that lies farthest along the plane's normal.
        let farthest = Vec3::select(plane.truncate().cmpge(Vec3::ZERO), bounds.max, bounds.min);
        plane.dot(farthest.extend(1.0)) < 0.0
    };
    [w + x, w - x, w + y, w - y, w - z]
        .into_iter()
        .any(is_beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_culled_only_when_wholly_outside() {
        let camera = crate::scene::OrbitCamera {
            radius: 10.0,
            ..Default::default()
        };
        let clip_from_world = camera.view(1.0).clip_from_world();
        let unit = Aabb::EMPTY.with(Vec3::NEG_ONE).with(Vec3::ONE);
        let at = |place: Vec3| {
            is_out_of_sight(&unit, clip_from_world * Affine3A::from_translation(place))
        };
        assert!(
            !at(Vec3::ZERO) && !at(camera.eye()),
            "in front, and around the eye"
        );
        assert!(at(camera.eye() * 2.0), "behind the eye");
        let right = (camera.eye()).cross(Vec3::Y).normalize();
        assert!(at(right * 20.0) && at(right * -20.0) && at(Vec3::Y * 20.0));
        assert!(!at(right * 3.5), "one edge is in sight");
        assert!(!at(camera.eye() * -1000.0), "there is no far plane");
    }
}
