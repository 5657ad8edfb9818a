//! From where the model is seen.
//!
//! `rig` holds the camera and takes it from view to view; `framing` says where it must stand, `viewport` in what shape of
//! picture, `follow` what it goes along with, `file_cameras` through which cameras of the file it can look, `seen` what is seen
//! then.

mod commands;
mod file_cameras;
mod follow;
mod framing;
mod pane;
mod rig;
mod seen;
#[cfg(test)]
mod tests;
mod viewport;

pub(super) use file_cameras::{camera_name, camera_nodes};
pub(super) use pane::CameraRows;
pub(super) use rig::{CameraRig, HeldCamera};
