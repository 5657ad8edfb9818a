//! Where pictures are seen from: around the model, or through a camera of the file.

use anyhow::{Context as _, bail};
use glam::{Affine3A, Vec3};

use super::{RenderArguments, arguments::parse_numbers};
use crate::{
    app::Actor,
    model::{Model, NodeId, Projection},
    scene::{CameraView, Extent, OrbitCamera, rotation_of},
};

/// From where a model is seen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Eye {
    /// From around it.
    Orbit {
        camera: OrbitCamera,
        /// What is not to be framed: the distance is given.
        has_radius: bool,
        /// What is not to be framed: the point is given.
        has_target: bool,
    },
    /// Through a camera of the file, wherever its node goes.
    OfFile { node: NodeId, camera: usize },
}

impl Eye {
    /// What is asked for.
    pub(super) fn new(arguments: &RenderArguments, model: &Model) -> anyhow::Result<Self> {
        let mut camera = OrbitCamera::first_of(model.facing);
        if let Some(fov) = arguments.fov {
            if !(0.1..=179.0).contains(&fov) {
                bail!("--fov {fov} is not between 0.1 and 179 degrees");
            }
            camera.fov_y_radians = fov.to_radians();
        }
        if let Some(target) = arguments.target {
            camera.target = Vec3::from(target);
        }
        let mut distance = None;
        if let Some([azimuth, polar, radius]) = arguments.orbit {
            camera.azimuth_radians = azimuth.to_radians();
            camera.polar_radians = polar.to_radians();
            distance = Some(("--orbit", radius));
        }
        if let Some(wanted) = &arguments.camera {
            if let Ok([azimuth, elevation]) = parse_numbers::<2>(wanted) {
                camera.azimuth_radians = azimuth.to_radians();
                camera.polar_radians = (90.0 - elevation).to_radians();
            } else if let Ok([azimuth, elevation, radius]) = parse_numbers::<3>(wanted) {
                camera.azimuth_radians = azimuth.to_radians();
                camera.polar_radians = (90.0 - elevation).to_radians();
                distance = Some(("--camera", radius));
            } else {
                if arguments.sequence.turntable {
                    bail!("--turntable moves a camera around the model, not that of the file");
                }
                let (node, camera) = find_camera(model, wanted)?;
                return Ok(Self::OfFile { node, camera });
            }
        }
        if let Some((option, radius)) = distance {
            if radius <= 0.0 {
                bail!("{option} needs a distance above 0, not {radius}");
            }
            camera.radius = radius;
        }
        Ok(Self::Orbit {
            camera,
            has_radius: distance.is_some(),
            has_target: arguments.target.is_some(),
        })
    }

    /// Sees all of the actor's pose, as far as what is asked for leaves that open. Measures the pose.
    pub(super) fn frame_pose(&mut self, actor: &mut Actor, aspect: f32) {
        let mut framed = self.orbit(0.0).unwrap_or_default();
        actor.frame_camera(&mut framed, aspect);
        self.take(framed.target, framed.radius);
    }

    /// The camera around the model, if it is one, `turn_radians` farther on.
    pub(super) fn orbit(&self, turn_radians: f32) -> Option<OrbitCamera> {
        match *self {
            Self::Orbit { mut camera, .. } => {
                camera.azimuth_radians += turn_radians;
                Some(camera)
            }
            Self::OfFile { .. } => None,
        }
    }

    /// Looks at a point from a distance, as far as what is asked for leaves that open.
    pub(super) fn take(&mut self, target: Vec3, radius: f32) {
        if let Self::Orbit {
            camera,
            has_radius,
            has_target,
        } = self
        {
            if !*has_target {
                camera.target = target;
            }
            if !*has_radius {
                camera.radius = radius;
            }
        }
    }

    /// The matrices for a picture of `aspect`, `turn_radians` farther around the model.
    pub(super) fn view(&self, actor: &Actor, aspect: f32, turn_radians: f32) -> CameraView {
        match *self {
            Self::Orbit { mut camera, .. } => {
                camera.azimuth_radians += turn_radians;
                camera.view(aspect)
            }
            Self::OfFile { node, camera } => {
                let world_from_node = actor.pose().world[node.index()];
                let cameras = &actor.properties().values().cameras;
                let projection = cameras.get(camera).map(|camera| camera.projection);
                let extent = Extent {
                    model: actor.bounds(),
                    ..Extent::default()
                };
                let distance = actor
                    .bounds()
                    .center()
                    .distance(world_from_node.translation.into());
                through(world_from_node, projection, distance).view_of(aspect, &extent)
            }
        }
    }
}

/// A camera on a node, that looks at what is so far away. Its node's scale is ignored (glTF 2.0 §3.10.2), and so are its own
/// planes and aspect, for all of the model and that of the picture.
fn through(
    world_from_node: Affine3A,
    projection: Option<Projection>,
    distance: f32,
) -> OrbitCamera {
    let rotation = rotation_of(&world_from_node.matrix3);
    let eye = Vec3::from(world_from_node.translation);
    let mut camera = OrbitCamera {
        radius: if distance > 0.0 && distance.is_finite() {
            distance
        } else {
            1.0
        },
        ..OrbitCamera::default()
    };
    match projection {
        Some(Projection::Perspective { fov_y_radians, .. }) => camera.fov_y_radians = fov_y_radians,
        Some(Projection::Orthographic { half_height, .. }) => {
            camera.flatness = 1.0;
            camera.radius = half_height.abs() / (0.5 * camera.fov_y_radians).tan();
        }
        None => {}
    }
    camera.set_rotation(rotation);
    camera.target = eye + rotation * Vec3::NEG_Z * camera.radius;
    camera
}

/// The camera that is meant by its name, by its node's, or by its index, and the first node that has it.
fn find_camera(model: &Model, wanted: &str) -> anyhow::Result<(NodeId, usize)> {
    let index = wanted.parse().ok();
    let placed = || {
        let nodes = model.hierarchy.iter();
        nodes.filter_map(|(id, node)| Some((id, node, node.camera?)))
    };
    let name = |camera: usize| model.cameras.get(camera).map_or("", |camera| &camera.name);
    let by_name = placed().find(|&(_, node, camera)| name(camera) == wanted || node.name == wanted);
    let found = by_name.or_else(|| placed().find(|&(.., camera)| Some(camera) == index));
    let (node, _, camera) = found.with_context(|| {
        let names = placed().map(|(_, node, camera)| match name(camera) {
            "" if node.name.is_empty() => camera.to_string(),
            "" => format!("{:?}", node.name),
            name => format!("{name:?}"),
        });
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            format!("{} has no cameras, so no {wanted:?}", model.name)
        } else {
            format!(
                "{} has no camera {wanted:?}, only {}",
                model.name,
                names.join(", ")
            )
        }
    })?;
    Ok((node, camera))
}

#[cfg(test)]
mod tests {
    use glam::{Mat3, Quat};

    use super::*;

    #[test]
    fn a_node_that_is_flat_or_shears_still_has_a_direction() {
        let turned = Mat3::from_quat(Quat::from_rotation_y(0.6));
        let shear = Mat3::from_cols(Vec3::X, Vec3::new(0.7, 1.0, 0.0), Vec3::Z);
        let flat = Mat3::from_diagonal(Vec3::new(0.0, 1.0, 1.0));
        for matrix in [turned * flat, turned * shear, turned, Mat3::ZERO] {
            let place = Affine3A::from_mat3_translation(matrix, Vec3::ONE);
            let view = through(place, None, 2.0).view(1.0);
            let backward = matrix.z_axis.normalize_or(Vec3::Z);
            assert!(view.backward().abs_diff_eq(backward, 1e-5), "{matrix}");
            assert!(view.eye.abs_diff_eq(Vec3::ONE, 1e-5), "{matrix}");
        }
    }
}
