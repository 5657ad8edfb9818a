//! What keys ask of the camera.

use super::sign_of;
use crate::scene::Side;
use crate::ui::{CameraCommand, keys::Action};

/// The command of a key.
pub fn by_key(action: Action, which: usize) -> Option<CameraCommand> {
    /// How far one press of an arrow turns or moves the camera, in heights of the view.
    const STEP: f32 = 0.05;
    let sign = sign_of(which);
    let (right, down) = match which {
        0 => (-STEP, 0.0),
        1 => (STEP, 0.0),
        2 => (0.0, -STEP),
        _ => (0.0, STEP),
    };
    Some(match action {
        Action::Frame => CameraCommand::FrameModel,
        Action::FrameChosen => CameraCommand::FrameChosen,
        Action::FrameMotion => CameraCommand::FrameMotion,
        Action::Side => CameraCommand::LookFrom(*Side::ALL.get(which)?),
        Action::Fly => CameraCommand::ToggleFly,
        Action::Follow => CameraCommand::ToggleFollow,
        Action::CameraStep => CameraCommand::StepCamera(sign),
        Action::Projection => CameraCommand::ToggleProjection,
        Action::Orbit => CameraCommand::Orbit { right, down },
        Action::Pan => CameraCommand::Pan { right, down },
        Action::Zoom => CameraCommand::Zoom {
            notches: -sign as f32,
            toward: [0.0; 2],
        },
        _ => return None,
    })
}
