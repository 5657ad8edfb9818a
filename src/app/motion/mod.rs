//! How the model moves: from clip to clip without a jump, several clips together, clips of other files, many of the model at
//! once.
//!
//! `transition` is what goes on after a switch, `mix` what plays beside the chosen clip, `borrowing` what came from other
//! files; `settings` is how all of that is shown.

mod borrowing;
mod commands;
mod conflicts;
mod crowd;
mod file_names;
mod mix;
mod morphs;
mod settings;
mod transition;

pub(super) use borrowing::{Borrowings, ChosenThen, ClipFile, TakenClips};
pub(super) use crowd::{CrowdKey, CrowdState};
pub(super) use mix::{Mix, MixChoice, MixMoment, MixRows, folded};
pub(super) use morphs::MorphRows;
pub(super) use settings::MotionSettings;
pub(super) use transition::Transition;
pub use transition::{ClipPart, MAX_PARTS};
