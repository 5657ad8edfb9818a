//! The program: what is on stage, what the user does to it, and the window that shows it.
//!
//! [`Actor`] is a model with its pose. [`Session`] adds the clock, the camera and what the user chose; it has neither GPU
//! nor window, so the headless commands and the tests drive the same code as the window does. [`Session::apply`] in
//! `commands` is where all that the user asks for arrives, and `frame` is one frame of the window.
//!
//! Each folder is a part of that story: its files hold that part's state, and what [`Session`] and the window do with it. What
//! each command about it does is in the folder's own `commands`.

mod actor;
pub mod built_in;
mod camera;
mod commands;
mod compare;
mod dimmed_lights;
mod files;
mod findings;
mod frame;
mod history;
pub mod interrupt;
mod machine_fault;
mod messages;
mod motion;
mod no_room;
mod panels;
mod picture;
mod pose_file;
mod posing;
mod saving;
mod session;
mod settings;
mod stopwatch;
#[cfg(test)]
mod tests;
mod text_file;
mod threads;
mod time;
mod upload;
pub mod wanted;
mod window;

pub use actor::{Actor, MAX_LAYERS, MixLayer, as_played};
pub use commands::Errand;
pub use compare::size_note;
pub use dimmed_lights::dimmed_lights;
pub use files::{no_mesh_left, nothing_left};
pub use machine_fault::{MachineFault, is_full, is_of_machine};
pub use motion::{ClipPart, MAX_PARTS};
pub use pose_file::PoseFile;
pub use saving::{MeshReport, PoseMoment, PoseReport, RenderCommand, ShownFiles};
pub use session::Session;
pub use stopwatch::Stopwatch;
pub use text_file::read_text_at_most;
pub use window::{WindowOptions, run_window};
