//! Where pictures are seen from: around the model, or through a camera of the file.

use anyhow::{Context as _, bail};
use glam::Vec3;

use super::{RenderArguments, arguments::parse_numbers};
use crate::{
    app::Actor,
    model::NodeId,
    scene::{CameraView, OrbitCamera},
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
    OfFile(NodeId),
}

impl Eye {
    /// What is asked for.
    pub(super) fn new(arguments: &RenderArguments, actor: &Actor) -> anyhow::Result<Self> {
        let mut camera = OrbitCamera::first_of(actor.model().facing);
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
                let others = [
                    ("--turntable", arguments.sequence.turntable),
                    ("--fov", arguments.fov.is_some()),
                    ("--target", arguments.target.is_some()),
                    ("--framing", arguments.framing.is_some()),
                ];
                if let Some((option, _)) = others.into_iter().find(|(_, is_given)| *is_given) {
                    bail!("{option} is for a camera around the model, not for that of the file");
                }
                return Ok(Self::OfFile(actor.find_camera(wanted)?));
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
            Self::OfFile(_) => None,
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

    /// The matrices for a picture of `aspect`, `turn_radians` farther around the model. Fails if the file's camera is nowhere.
    pub(super) fn view(
        &self,
        actor: &Actor,
        aspect: f32,
        turn_radians: f32,
    ) -> anyhow::Result<CameraView> {
        match *self {
            Self::Orbit { mut camera, .. } => {
                camera.azimuth_radians += turn_radians;
                Ok(camera.view(aspect))
            }
            Self::OfFile(node) => {
                let view = actor.file_camera(node, aspect);
                view.context("the camera of the file is at no finite place")
            }
        }
    }
}
