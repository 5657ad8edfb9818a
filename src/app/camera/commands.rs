//! What each command about the camera does to the session.

use crate::{
    app::Session,
    scene::OrbitCamera,
    ui::{CameraCommand, Flight},
};

/// Least and greatest angle of view that can be set.
const FIELD_OF_VIEW_DEGREES: [f32; 2] = [1.0, 150.0];

impl Session {
    /// Moves the camera nearer by hand, or farther.
    fn zoom(&mut self, notches: f32, toward: [f32; 2]) {
        let aspect = self.aspect();
        let size = self.actor.bounds().diagonal();
        let depth = (notches > 0.0).then(|| self.depth_at(toward)).flatten();
        self.camera.moved_by_hand(|camera| {
            // Nearer to what is under the pointer, and not through it.
            if let Some(depth) = depth {
                camera.focus(depth);
            }
            camera.zoom(notches, toward, aspect, size);
        });
    }

    pub(in crate::app) fn apply_camera(&mut self, command: CameraCommand) {
        match command {
            CameraCommand::FrameModel => {
                let camera = self.framing_pose();
                self.camera.go(camera);
            }
            CameraCommand::Orbit { right, down } => {
                let orbit = |camera: &mut OrbitCamera| camera.orbit(right, down);
                self.camera.moved_by_hand(orbit);
            }
            CameraCommand::Pan { right, down } => {
                let pan = |camera: &mut OrbitCamera| camera.pan(right, down);
                self.camera.moved_by_hand(pan);
            }
            CameraCommand::Zoom { notches, toward } => self.zoom(notches, toward),
            CameraCommand::FrameChosen => {
                let camera = self.framing_chosen();
                self.camera.go(camera);
            }
            CameraCommand::FrameMotion => {
                let camera = self.framing_motion();
                self.camera.go(camera);
            }
            CameraCommand::LookFrom(side) => {
                let mut camera = self.camera.destination();
                camera.look_from(side, self.model().facing);
                self.camera.go(camera);
            }
            CameraCommand::ToggleProjection => {
                let mut camera = self.camera.destination();
                camera.flatness = 1.0 - camera.flatness.round();
                self.camera.go(camera);
            }
            CameraCommand::LookThrough(place) => self.look_through(place),
            CameraCommand::StepCamera(steps) => self.step_camera(steps),
            CameraCommand::ToggleFollow => {
                self.camera.toggle_follow();
                self.follow_pose();
            }
            CameraCommand::ToggleFollowHeight => {
                self.camera.toggle_follow_height();
                self.follow_pose();
            }
            CameraCommand::TogglePath => self.camera.shows_path = !self.camera.shows_path,
            CameraCommand::ToggleFly => {
                self.camera.flies = !self.camera.flies;
                self.camera.fly(Flight::default());
            }
            CameraCommand::Fly(flight) => self.camera.fly(flight),
            CameraCommand::LookAround { right, down } => {
                let look = |camera: &mut OrbitCamera| camera.look_around(right, down);
                self.camera.moved_by_hand(look);
            }
            CameraCommand::FlyFaster(notches) => self.camera.fly_faster(notches),
            CameraCommand::SetFieldOfView(radians) => {
                let [least, most] = FIELD_OF_VIEW_DEGREES.map(f32::to_radians);
                if radians.is_finite() {
                    // What is at the target keeps its size.
                    self.camera.moved_by_hand(|camera| {
                        let height = camera.height_at_target();
                        camera.fov_y_radians = radians.clamp(least, most);
                        camera.radius *= height / camera.height_at_target();
                    });
                }
            }
        }
    }
}
