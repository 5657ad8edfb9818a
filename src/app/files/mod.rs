//! Files on their way in, none of which the window waits for: models, clips, poses, environments.
//!
//! `document` is what was opened: `loading` reads its model on a thread of its own, and `documents` says what becomes of it.
//! `followed` reads it again when it is saved, and `clips` the files whose clips were added, which its `follow` knows: `watch`
//! tells of changes, `read_again` when those of a model count, and `faults` whether they are whole. `remaining` is what there
//! is to be shown of a broken one. `reload` puts the new model into the place of the old, and `version` another file of the
//! same rig; `second_look` finds what no load waits for. `browsing` is how the user goes from file to file, `next_of_folder`
//! what of a folder is shown.

mod background;
mod browsing;
mod clips;
mod commands;
mod document;
mod documents;
mod environment;
mod faults;
mod followed;
mod home;
mod loading;
mod next_of_folder;
mod pasted;
mod poses;
mod read_again;
mod reload;
mod remaining;
mod second_look;
mod version;
mod watch;

pub(super) use browsing::{FilesState, MAX_RECENT, viewer_consent};
pub(super) use clips::{ClipNews, ClipReader};
pub(super) use document::Document;
#[cfg(test)]
pub(super) use documents::tests::{Random, edited};
pub(super) use documents::{Documents, named_outside};
pub(super) use environment::{EnvironmentReader, ReadEnvironment, take_environment};
pub(super) use followed::{Followed, Known};
pub(super) use home::{home, with_tilde, without_tilde};
pub(super) use loading::{Loaded, Purpose, Source};
pub(super) use pasted::paths_in_text;
pub(super) use poses::{NoPose, PoseReader, ReadPose, is_pose_name};
pub use remaining::{no_mesh_left, nothing_left};
pub(super) use remaining::{quoted_errors, refusal};
pub(super) use second_look::SecondLook;
