//! What one start asked for by options: it is not remembered.

use std::collections::BTreeMap;

use serde_json::Value;

use super::LightRecord;

/// Settings of light that the command line has changed, until the user changes them.
#[derive(Debug, Default)]
pub(super) struct AskedLight {
    /// By their names: what was asked for, and what is remembered.
    entries: BTreeMap<String, [Value; 2]>,
}

impl AskedLight {
    /// What is different after the command line was heeded.
    pub(super) fn new(before: &LightRecord, after: &LightRecord) -> Self {
        let (mut before, after) = (entries(before), entries(after));
        let changed = after.into_iter().filter_map(|(name, after)| {
            let before = before.remove(&name)?;
            (after != before).then_some((name, [after, before]))
        });
        Self {
            entries: changed.collect(),
        }
    }

    /// What is to be remembered of the light as it is now.
    pub(super) fn written(&mut self, now: LightRecord) -> LightRecord {
        let mut written = entries(&now);
        self.entries.retain(|name, [asked, before]| {
            let Some(entry) = written.get_mut(name) else {
                return false;
            };
            let is_as_asked = entry == asked;
            if is_as_asked {
                entry.clone_from(before);
            }
            is_as_asked
        });
        serde_json::from_value(Value::Object(written)).unwrap_or(now)
    }
}

fn entries(light: &LightRecord) -> serde_json::Map<String, Value> {
    match serde_json::to_value(light) {
        Ok(Value::Object(entries)) => entries,
        _ => serde_json::Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{LightSettings, ToneCurve};

    #[test]
    fn what_is_asked_for_is_not_remembered_until_it_is_changed() {
        let record = |tone, stops| {
            let light = LightSettings {
                tone,
                exposure_stops: stops,
                ..LightSettings::default()
            };
            LightRecord::of(light, false)
        };
        let (agx, neutral, aces) = (ToneCurve::Agx, ToneCurve::Neutral, ToneCurve::Aces);
        let remembered = record(agx, 1.0);
        let mut asked = AskedLight::new(&remembered, &record(neutral, 1.0));
        assert_eq!(asked.written(record(neutral, 1.0)), remembered);
        // What else is changed is remembered, and nothing but that.
        assert_eq!(asked.written(record(neutral, 2.0)), record(agx, 2.0));
        assert_eq!(asked.written(record(aces, 2.0)), record(aces, 2.0));
        assert_eq!(asked.written(record(neutral, 2.0)), record(neutral, 2.0));
    }
}
