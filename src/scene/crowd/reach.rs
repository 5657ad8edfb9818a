//! What somebody reaches in a clip, and whether that is in sight.

use std::borrow::Cow;

use glam::{Affine3A, Mat4, Vec3, Vec4};

use crate::{
    anim::{
        Cursors, Palette, PaletteLayout, Pose,
        bounds::{JointBoxes, node_bounds, posed_bounds, posed_vertices},
        natural_steps, sample,
    },
    model::{Aabb, Clip, Model},
    scene::CameraView,
};

/// Placements of nodes that all reaches of a crowd may cost together; a clip has some moments however many there are.
const MAX_PLACEMENTS: usize = 1 << 21;
const MIN_STEPS: usize = 24;
/// Vertices that all reaches of a crowd may pose together, some tens of milliseconds; where there are more the boxes of joints
/// must do.
const MAX_VERTICES: usize = 1 << 21;
/// What is added to the reach for the time between, in parts of its size.
const REACH_MARGIN: f32 = 0.15;

/// Finds the boxes around all poses of clips.
pub(super) struct Reaches<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: &'a PaletteLayout,
    boxes: Cow<'a, JointBoxes>,
    /// Placements of nodes that a clip may cost.
    most_placements: usize,
    /// How often the vertices may be posed for a clip.
    most_poses: usize,
}

/// What somebody reaches in a clip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The box around the poses at the frames of the clip, as exact as there is time for.
    pub(super) bounds: Aabb,
    /// A box with room for the time between.
    pub(super) sight_box: Aabb,
}

impl<'a> Reaches<'a> {
    /// For so many clips of a model; `boxes` are its own, if they are made already.
    pub(super) fn new(
        model: &'a Model,
        layout: &'a PaletteLayout,
        boxes: Option<&'a JointBoxes>,
        clips: usize,
    ) -> Self {
        let made = || Cow::Owned(JointBoxes::new(model, layout));
        Self {
            model,
            layout,
            boxes: boxes.map_or_else(made, Cow::Borrowed),
            most_placements: MAX_PLACEMENTS / clips.max(1),
            most_poses: MAX_VERTICES / posed_vertices(model, layout).max(1) / clips.max(1),
        }
    }

    /// Of the poses of a clip at its frames, its end among them.
    pub(super) fn of(&self, clip: Option<&Clip>) -> Reach {
        let (model, layout) = (self.model, self.layout);
        let (mut pose, mut cursors, mut palette) = (
            Pose::new(&model.hierarchy),
            Cursors::default(),
            Palette::default(),
        );
        let steps = clip.map_or(0, |clip| {
            let cost = model.hierarchy.len() + clip.track_count() + self.boxes.cost() + 1;
            let most = (self.most_placements / cost).max(MIN_STEPS);
            natural_steps(clip).clamp(MIN_STEPS, most)
        });
        let is_exact = steps < self.most_poses;
        let [mut bounds, mut of_joints] = [Aabb::EMPTY; 2];
        for step in 0..=steps {
            pose.reset(&model.hierarchy);
            if let Some(clip) = clip {
                let time = f64::from(clip.duration_secs()) * (step as f64 / steps as f64);
                sample(clip, time, &mut cursors, &mut pose);
                // What is hidden for a while comes back, and what is hidden throughout takes the room that it has at rest.
                for (hidden, node) in pose.hidden.iter_mut().zip(model.hierarchy.nodes()) {
                    *hidden &= node.is_hidden;
                }
            }
            pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
            palette.clear(layout, 1);
            palette.push(model, layout, &pose);
            let posed = self.boxes.bounds(&palette, 0);
            of_joints = of_joints.union(if posed.is_empty() {
                node_bounds(&pose)
            } else {
                posed
            });
            if is_exact {
                bounds = bounds.union(posed_bounds(model, layout, &palette, &pose, 0));
            }
        }
        Reach {
            bounds: if is_exact { bounds } else { of_joints },
            sight_box: with_margin(of_joints),
        }
    }
}

/// A box with room for what leaves it between frames.
fn with_margin(bounds: Aabb) -> Aabb {
    if bounds.is_empty() {
        return bounds;
    }
    let margin = Vec3::splat(bounds.diagonal() * REACH_MARGIN);
    bounds.with(bounds.min - margin).with(bounds.max + margin)
}

/// Of whom anything is seen: who stands in the view volume, or throws a shadow into it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    /// The camera.
    pub view: CameraView,
    /// Towards the light that throws shadows, of length 1; none if there are no shadows.
    pub to_light: Option<Vec3>,
}

impl Sight {
    /// Shadows of lower lights are as long as this one's.
    const MIN_SINE: f32 = 0.05;

    /// The way in clip space that the shadows go of those who are so high, until they are on the ground; zero without shadows.
    pub(super) fn shadow_in_clip(&self, height: f32) -> Vec4 {
        self.to_light.map_or(Vec4::ZERO, |to_light| {
            let length = height / to_light.y.max(Self::MIN_SINE);
            self.view.clip_from_eye() * (-to_light * length).extend(0.0)
        })
    }
}

/// Whether a box lies wholly beyond one of the planes of the view volume, and all that it passes on a straight way, in clip
/// space, lies there, too. Depth is reversed: 1 near, 0 infinitely far, so there is no far plane (G. Gribb and K. Hartmann
/// 2001, "Fast extraction of viewing frustum planes").
pub(crate) fn is_out_of_sight(bounds: &Aabb, clip_from_local: Mat4, way: Vec4) -> bool {
    if bounds.is_empty() {
        return false;
    }
    let rows = clip_from_local.transpose();
    let (x, y, z, w) = (rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis);
    let is_beyond = |(plane, inwards): (Vec4, f32)| {
        // The corner that lies farthest along the plane's normal, and where its way comes nearest.
        let farthest = Vec3::select(plane.truncate().cmpge(Vec3::ZERO), bounds.max, bounds.min);
        plane.dot(farthest.extend(1.0)) + inwards.max(0.0) < 0.0
    };
    [
        (w + x, way.w + way.x),
        (w - x, way.w - way.x),
        (w + y, way.w + way.y),
        (w - y, way.w - way.y),
        (w - z, way.w - way.z),
    ]
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
        let view = camera.view(1.0);
        let unit = Aabb::EMPTY.with(Vec3::NEG_ONE).with(Vec3::ONE);
        let at = |place: Vec3| {
            is_out_of_sight(
                &unit,
                view.clip_from(Mat4::from_translation(place)),
                Vec4::ZERO,
            )
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

    #[test]
    fn who_throws_a_shadow_into_the_picture_is_not_culled() {
        let camera = crate::scene::OrbitCamera {
            radius: 10.0,
            ..Default::default()
        };
        let view = camera.view(1.0);
        let right = camera.eye().cross(Vec3::Y).normalize();
        let unit = Aabb::EMPTY.with(Vec3::NEG_ONE).with(Vec3::ONE);
        let is_out = |place: Vec3, to_light: Option<Vec3>| {
            let to_light = to_light.map(Vec3::normalize);
            let shadow = Sight { view, to_light }.shadow_in_clip(2.0);
            is_out_of_sight(&unit, view.clip_from(Mat4::from_translation(place)), shadow)
        };
        let (beside, far) = (right * 8.0, right * 30.0);
        assert!(is_out(beside, None));
        assert!(!is_out(beside, Some(3.0 * right + Vec3::Y)), "it falls in");
        assert!(is_out(beside, Some(Vec3::Y - 3.0 * right)), "it falls out");
        assert!(is_out(beside, Some(Vec3::Y)), "it falls beneath");
        assert!(is_out(far, Some(3.0 * right + Vec3::Y)), "it ends before");
    }

    /// Somebody who stands still for a minute, but for half a second, and jumps at the very end.
    #[test]
    fn what_is_short_or_last_in_a_long_clip_is_reached() {
        use crate::model::{ClipBuilder, Hierarchy, Interpolation, Node, NodeId, Scene, Timeline};
        let model = Model {
            hierarchy: Hierarchy::new(vec![Node::default()], &[None], &[]).unwrap(),
            scenes: vec![Scene {
                roots: vec![NodeId(0)],
                ..Scene::default()
            }],
            ..Model::default()
        };
        let layout = PaletteLayout::new(&model, 0);
        let mut clip = ClipBuilder::new("a minute");
        let times = vec![0.0, 31.0, 31.25, 31.5, 59.9, 60.0];
        let times = clip.timeline(Timeline::new(times).unwrap());
        let zero = Vec3::ZERO;
        let places = vec![zero, zero, 3.0 * Vec3::X, zero, zero, 5.0 * Vec3::Y];
        clip.translation(NodeId(0), times, Interpolation::Linear, places)
            .unwrap();
        let reaches = Reaches::new(&model, &layout, None, 1);
        let Reach { bounds, sight_box } = reaches.of(Some(&clip.finish()));
        assert!(bounds.max.x >= 2.8 && bounds.max.y >= 5.0, "{bounds:?}");
        assert!(sight_box.max.x >= 2.9, "{sight_box:?}");
    }
}
