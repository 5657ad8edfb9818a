//! What is seen: the camera in force, its matrices, and what it must not cut.

use crate::{
    app::Session,
    scene::{CameraView, Extent, OrbitCamera},
};

impl Session {
    /// The camera.
    pub fn camera(&self) -> OrbitCamera {
        self.camera.camera()
    }

    /// The camera's matrices, as of the last [`Session::update`].
    pub fn camera_view(&self) -> CameraView {
        self.camera_view_for(self.aspect())
    }

    /// [`Session::camera_view`] for a picture of `aspect`.
    pub(in crate::app) fn camera_view_for(&self, aspect: f32) -> CameraView {
        // On its way there the camera is not yet that of the file.
        let through_file = || {
            self.view_through_file(aspect)
                .filter(|_| !self.camera.is_gliding())
        };
        through_file().unwrap_or_else(|| {
            let camera = self.camera.camera();
            camera.view_of(aspect, &self.extent())
        })
    }

    /// Says whether the camera glides from view to view; without, it is there at once.
    pub fn set_smooth_camera(&mut self, is_smooth: bool) {
        self.camera.set_smooth(is_smooth);
    }

    /// What must not be cut.
    pub(in crate::app) fn extent(&self) -> Extent {
        Extent {
            model: self.actor.bounds().union(self.second_bounds()),
            ground: self.surroundings.ground.bounds(),
        }
    }
}
