//! Time: what the user does with the clock, and what the timeline and the sheet show of the clip.
//!
//! `playback` moves the clock; `timeline` holds keys and the shuttle, `clip_times` the part of each clip that loops and the
//! rate that was set for it, `frame_rate` who says one; `sheet` the channels that move, with their numbers; `clip_keys` tell
//! clips from those of before; `analyst` looks for what is odd in clips, and `markers` says what is marked of it.

mod analyst;
mod clip_keys;
mod clip_times;
mod commands;
mod extremes;
mod frame_rate;
mod frame_steps;
mod markers;
mod playback;
mod sheet;
mod timeline;

#[cfg(test)]
pub(super) use frame_rate::FrameRate;

pub(super) use analyst::{Analyst, OddFindings};
pub(super) use clip_keys::{ClipKey, ClipsKey};
pub(super) use clip_times::{ClipTimes, Range};
pub(super) use sheet::{Sheet, SheetOfClip, property_name, tell_apart};
pub(super) use timeline::{TimelineState, timelines_of};
