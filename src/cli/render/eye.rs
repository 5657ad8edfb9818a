//! Where pictures are seen from: around the model, or through a camera of the file.

use anyhow::{Context as _, anyhow};
use glam::Vec3;

use super::{CameraChoice, RenderArguments};
use crate::{
    app::Actor,
    model::{Aabb, NodeId},
    scene::{CameraView, OrbitCamera, Silhouette},
};

/// What a camera around the model is asked for by.
const AROUND: &str =
    "around the model it is AZIMUTH,ELEVATION or AZIMUTH,ELEVATION,DISTANCE, in degrees and units";

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
            camera.fov_y_radians = fov.to_radians();
        }
        if let Some(target) = arguments.target {
            camera.target = Vec3::from(target);
        }
        let mut distance = None;
        if let Some([azimuth, polar, radius]) = arguments.orbit {
            camera.azimuth_radians = azimuth.to_radians();
            camera.polar_radians = polar.to_radians();
            distance = Some(radius);
        }
        match &arguments.camera {
            Some(CameraChoice::OfFile(wanted)) => {
                let found = actor.find_camera(wanted);
                return Ok(Self::OfFile(found.map_err(|error| {
                    // Numbers that are too few or too many are a name.
                    if wanted.contains(',') {
                        anyhow!("{error}; {AROUND}")
                    } else {
                        error
                    }
                })?));
            }
            Some(CameraChoice::Around {
                azimuth_degrees,
                elevation_degrees,
                distance: wanted,
            }) => {
                camera.azimuth_radians = azimuth_degrees.to_radians();
                camera.polar_radians = (90.0 - elevation_degrees).to_radians();
                distance = *wanted;
            }
            None => {}
        }
        if let Some(distance) = distance {
            camera.radius = distance;
        }
        Ok(Self::Orbit {
            camera,
            has_radius: distance.is_some(),
            has_target: arguments.target.is_some(),
        })
    }

    /// Sees all of the actor's pose, from wherever `turns_radians` lead, as far as what is asked for leaves that open.
    /// Measures the pose.
    pub(super) fn frame_pose(
        &mut self,
        actor: &mut Actor,
        aspect: f32,
        turns_radians: impl Iterator<Item = f32>,
    ) {
        let bounds = actor.measure();
        let mut points = Vec::new();
        match actor.crowd() {
            Some(crowd) => points.extend(crowd.corners()),
            None => actor.add_points(&mut points),
        }
        self.frame_points(&bounds, &points, aspect, turns_radians);
    }

    /// Frames points that lie in `bounds`: seen from one side they are in the middle of the picture, from several all turn about
    /// the middle of `bounds`.
    pub(super) fn frame_points(
        &mut self,
        bounds: &Aabb,
        points: &[Vec3],
        aspect: f32,
        turns_radians: impl Iterator<Item = f32>,
    ) {
        let turns: Vec<_> = turns_radians.collect();
        if let [turn] = turns[..]
            && let Some(mut silhouette) = self.silhouette(bounds, turn, aspect)
        {
            for point in points {
                silhouette.add(*point);
            }
            return self.take_middle(&silhouette);
        }
        let mut farthest = 0.0_f32;
        for turn in turns {
            let Some(mut camera) = self.orbit(turn) else {
                return;
            };
            camera.frame(bounds, points.iter().copied(), aspect);
            farthest = farthest.max(camera.radius);
        }
        // Without nodes there is nothing to look at.
        if !bounds.is_empty() {
            self.take(bounds.center(), farthest);
        }
    }

    /// The silhouette, of nothing yet, of what lies in `bounds`, if its middle is what the eye is to look at, `turn_radians`
    /// farther on.
    pub(super) fn silhouette(
        &self,
        bounds: &Aabb,
        turn_radians: f32,
        aspect: f32,
    ) -> Option<Silhouette> {
        let has_target = matches!(*self, Self::Orbit { has_target, .. } if has_target);
        if has_target || bounds.is_empty() {
            return None;
        }
        let mut camera = self.orbit(turn_radians)?;
        camera.target = bounds.center();
        Some(Silhouette::new(camera, aspect))
    }

    /// Looks at the middle of a silhouette from where all of it is seen, as far as what is asked for leaves that open.
    pub(super) fn take_middle(&mut self, silhouette: &Silhouette) {
        let given = match *self {
            Self::Orbit {
                camera,
                has_radius: true,
                ..
            } => Some(camera.radius),
            _ => None,
        };
        let framed = silhouette.framed(given);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_from_all_sides_is_framed_for_all_of_them() {
        let bounds = Aabb {
            min: Vec3::new(-0.1, -0.1, -5.0),
            max: Vec3::new(0.1, 0.1, 5.0),
        };
        let points = bounds.corners();
        let of = |turns: &[f32]| {
            let camera = OrbitCamera {
                azimuth_radians: 0.0,
                ..OrbitCamera::default()
            };
            let mut eye = Eye::Orbit {
                camera,
                has_radius: false,
                has_target: false,
            };
            eye.frame_points(&bounds, &points, 1.0, turns.iter().copied());
            eye.orbit(0.0).unwrap()
        };
        let aside = std::f32::consts::FRAC_PI_2;
        let both = of(&[0.0, aside]);
        assert!(both.radius > 1.2 * of(&[0.0]).radius);
        assert!((both.radius / of(&[aside]).radius - 1.0).abs() < 0.05);
        assert_eq!(both.target, bounds.center());
    }
}
