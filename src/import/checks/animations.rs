//! Animations that are as they should be, read at once: they are most of the text of many files, and there is seldom
//! anything to say of them.

use std::borrow::Cow;

use serde::Deserialize;

/// An animation whose channels and samplers fit the schema.
#[derive(Debug, Deserialize)]
pub(super) struct PlainAnimation<'a> {
    #[serde(borrow)]
    pub samplers: Vec<PlainSampler<'a>>,
    channels: Vec<Channel<'a>>,
    #[serde(borrow, rename = "name")]
    _name: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PlainSampler<'a> {
    pub input: u32,
    pub output: u32,
    #[serde(borrow)]
    pub interpolation: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
struct Channel<'a> {
    #[serde(rename = "sampler")]
    _sampler: u32,
    #[serde(borrow, rename = "target")]
    _target: Target<'a>,
}

#[derive(Debug, Deserialize)]
struct Target<'a> {
    #[serde(rename = "node")]
    _node: Option<u32>,
    #[serde(borrow, rename = "path")]
    _path: Cow<'a, str>,
}

impl<'a> PlainAnimation<'a> {
    /// The animation with this text; none if there may be something to say of it, or if it has extensions.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        // `null` stands for no property in no schema, and would pass for one here.
        if text.contains("\"extensions\"") || text.contains("null") {
            return None;
        }
        let animation: Self = serde_json::from_str(text).ok()?;
        let is_whole = !animation.samplers.is_empty() && !animation.channels.is_empty();
        is_whole.then_some(animation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_what_is_odd_to_others() {
        let text = r#"{"samplers": [{"input": 1, "output": 2}],
                       "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}"#;
        assert_eq!(PlainAnimation::of(text).unwrap().samplers[0].output, 2);
        for (is, becomes) in [
            ("\"input\": 1", "\"input\": -1"),
            ("\"node\": 0", "\"node\": null"),
            (
                "\"path\": \"scale\"",
                "\"extensions\": {}, \"path\": \"scale\"",
            ),
            ("{\"input\": 1, \"output\": 2}", ""),
        ] {
            assert!(PlainAnimation::of(&text.replace(is, becomes)).is_none());
        }
    }
}
