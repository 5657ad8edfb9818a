//! The program: what is on stage, what the user does to it, and the window that shows it.
//!
//! [`Actor`] is a model with its pose. [`Session`] adds the clock, the camera and what the user chose; it has neither GPU
//! nor window, so the headless commands and the tests drive the same code as the window does.

mod actor;
mod background;
mod borrowing;
pub mod built_in;
mod camera_commands;
mod camera_pane;
mod camera_rig;
#[cfg(test)]
mod camera_tests;
mod clip_files;
mod commands;
mod compare;
mod compare_file;
mod conflicts;
mod costs;
mod crowd;
mod culprit;
mod details;
mod dialogs;
mod documents;
mod event_loop;
mod extremes;
mod file_cameras;
mod files;
#[cfg(test)]
mod wishes_tests;

mod follow;
mod frame;
mod frame_steps;
mod framing;
mod front;
mod held_keys;
mod hiding;
mod influence_card;
mod lighting;
mod loading;
mod markers;
mod messages;
mod mix;
mod morphs;
mod motion;
mod pasted;
mod picking;
mod pose_report;
mod pose_saving;
mod posing;
mod quality;
mod rebuilds;
mod reload;
mod rows;
mod save_dialog;
mod saving;
mod session;
mod settings;
mod sheet;
mod skeleton;
mod stage;
mod stopwatch;
mod surroundings;
mod timeline;
mod transition;
mod watch;
mod ways;
mod window;

pub use actor::{Actor, MOST_LAYERS, MixLayer, clip_like};
pub use loading::nothing_left;
pub use pose_report::{MeshReport, PoseMoment, PoseReport};
pub use session::Session;
pub use stopwatch::Stopwatch;
pub use transition::{MOST_PARTS, Part};
pub use window::{CrowdOptions, Given, run_window};
