//! The shape of the viewport, and what the camera does when that changes.

use crate::app::Session;

/// A model of more triangles is not framed anew while the window is pulled into another shape.
const MAX_TRIANGLES: usize = 1_000_000;

impl Session {
    /// Says how wide the viewport is for its height.
    pub fn set_aspect(&mut self, aspect: f32) {
        let is_first = self.camera.aspect.replace(aspect).is_none();
        if is_first {
            // A model that was loaded before the first frame was framed for a viewport that nobody knew.
            self.frame_first();
        }
    }

    /// [`Self::set_aspect`] of a window in another shape: as long as the camera is where the model was first seen from, all of
    /// the model stays in the picture.
    pub(in crate::app) fn set_window_aspect(&mut self, aspect: f32) {
        let before = self.camera.aspect;
        self.set_aspect(aspect);
        self.look_at_first_alone();
        let has_changed = before.is_some_and(|before| before != aspect);
        // Of very large models that takes too long to go along with a hand. They are not counted in every frame either.
        let is_quick = |session: &Self| session.model().triangle_count() <= MAX_TRIANGLES;
        if has_changed && self.camera.is_first() && is_quick(self) {
            self.frame_first();
        }
    }

    /// Width over height of the viewport.
    pub(in crate::app) fn aspect(&self) -> f32 {
        self.camera.aspect.unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        ui::{CameraCommand, Command},
    };

    #[test]
    fn a_model_loaded_before_the_first_frame_is_framed_for_it() {
        let new = || Session::new(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        let (mut early, mut late) = (new(), new());
        early.set_aspect(0.3);
        late.set_aspect(0.3);
        late.replace_model(built_in::load("Windmill").unwrap(), None, Duration::ZERO);
        assert_eq!(early.camera(), late.camera());
        early.apply(Command::Camera(CameraCommand::Zoom {
            notches: 1.0,
            toward: [0.0; 2],
        }));
        let zoomed = early.camera();
        early.set_aspect(2.0);
        early.set_window_aspect(0.7);
        assert_eq!(early.camera(), zoomed, "later sizes leave the view alone");
        // But where nobody has moved it yet.
        late.set_window_aspect(2.0);
        let mut wide = new();
        wide.set_aspect(2.0);
        assert_eq!(late.camera(), wide.camera());
    }
}
