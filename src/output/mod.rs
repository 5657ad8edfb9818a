//! Pictures → files: one picture, a numbered sequence, or an animation (GIF, WebP, APNG).
//!
//! Nothing has its final name before it is whole ([`PartFile`]), equal pictures give equal bytes, and the times of frames
//! are exact in sum where a format has coarse ticks ([`Ticks`]).

mod animation;
mod apng;
mod change;
mod color_table;
mod gif;
mod kind;
mod names;
mod part_file;
mod shrink;
mod still;
mod ticks;
mod webp;

pub use animation::{
    Animation, AnimationWriter, TURN_SECS, color_sample_size, color_samples, spread,
};
pub use kind::Kind;
pub use names::{FrameNames, distinct_names};
pub use part_file::{
    PartFile, check_folder_writable, check_writable, remove_unfinished, write_whole,
};
pub use shrink::shrink;
pub use still::write_still;
pub use ticks::Ticks;
