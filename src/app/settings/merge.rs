//! What several windows change side by side.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Settings;
use crate::app::files::MAX_RECENT;

/// What is to be written after this window has changed `before` to `after`, where the file holds `found`: what this window did
/// not change stays, and files that others have opened are listed, too.
pub(super) fn merged(before: &Settings, after: &Settings, found: Settings) -> Settings {
    let [before_entries, after_entries, mut merged] =
        [before, after, &found].map(|it| serde_json::to_value(it).unwrap_or_default());
    take_changes(&before_entries, &after_entries, &mut merged);
    let merged = serde_json::from_value(merged);
    let mut merged: Settings = merged.unwrap_or_else(|error| {
        log::warn!("what another window has set is lost: {error}");
        after.clone()
    });
    if before.recent == after.recent {
        return Settings {
            recent: found.recent,
            ..merged
        };
    }
    merged.recent.clone_from(&after.recent);
    let known: BTreeSet<_> = before.recent.iter().chain(&after.recent).collect();
    let others = found.recent.iter().filter(|file| !known.contains(file));
    merged.recent.extend(others.cloned());
    merged.recent.truncate(MAX_RECENT);
    merged
}

/// Objects with the same entries are merged entry by entry. Others are variants of one value, which is taken whole.
fn take_changes(before: &Value, after: &Value, merged: &mut Value) {
    match (before, after, merged) {
        (Value::Object(before), Value::Object(after), Value::Object(merged))
            if before.keys().eq(after.keys()) && merged.keys().eq(after.keys()) =>
        {
            let entries = before.values().zip(after.values());
            for ((before, after), merged) in entries.zip(merged.values_mut()) {
                take_changes(before, after, merged);
            }
        }
        (before, after, merged) if before != after => after.clone_into(merged),
        _ => {}
    }
}
