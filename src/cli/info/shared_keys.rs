//! Which keys of a file are looked at: none keeps `info` busy.

use crate::model::{Clip, Model};

/// What the time of a key takes in a file.
const LEAST_BYTES_A_KEY: usize = 4;
/// Keys of all clips together that a file need not hold one by one, and to so many clips at least.
const MAX_SHARED_KEYS: usize = 1 << 22;
const MIN_CLIPS: usize = 4;

/// Whether the file holds the keys of a clip, or they are few. Small files can say the same over and over for many nodes: to see
/// which are needed then takes seconds, and to lay them out for crowds a hundred bytes each.
pub(super) fn holds_keys(model: &Model, clip: &Clip) -> bool {
    let held = usize::try_from(model.data_bytes).unwrap_or(usize::MAX) / LEAST_BYTES_A_KEY;
    let share = MAX_SHARED_KEYS / model.clips.len().max(MIN_CLIPS);
    clip.key_count() <= held.max(share)
}
