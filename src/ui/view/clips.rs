//! What panels read of clips.

use std::borrow::Cow;

use super::clip_names::{parts_names, without_prefix};
use crate::ui::text::{self, figure};

/// The clips of the model.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClipsView<'a> {
    /// In file order.
    pub rows: &'a [ClipRow],
    /// How the names of all clips begin, in bytes: what is left out where they are told.
    pub prefix: usize,
    /// The clips in which something is odd, in the order of clips, as far as it is known.
    pub odd: &'a [OddClip],
    /// How fast clips go over the ground, as far as that is known and they do, in the order of clips.
    pub ground_speeds: &'a [GroundSpeed],
    /// Index of the clip in force; none for the file's own pose.
    pub chosen: Option<usize>,
}

impl<'a> ClipsView<'a> {
    /// What a clip is called, without what the names of all begin with; none if there is no such clip.
    pub(in crate::ui) fn name(&self, clip: usize) -> Option<&'a str> {
        let row = self.rows.get(clip)?;
        Some(without_prefix(&row.name, self.prefix))
    }

    /// What of a clip's name is searched for what was typed: what is shown, or the whole name where a sign that parts names
    /// was typed, too.
    pub(in crate::ui) fn searched_name(
        &self,
        clip: usize,
        mut typed: impl Iterator<Item = char>,
    ) -> Cow<'a, str> {
        let name = if typed.any(parts_names) {
            self.rows.get(clip).map(|row| &*row.name)
        } else {
            self.name(clip)
        };
        text::clean_name(name.unwrap_or_default())
    }

    /// What is odd in a clip, if anything is.
    pub(in crate::ui) fn odd_clip(&self, clip: usize) -> Option<&'a OddClip> {
        let found = self.odd.binary_search_by_key(&clip, |odd| odd.clip);
        found.ok().and_then(|place| self.odd.get(place))
    }

    /// How fast a clip goes over the ground, if it does and that is known.
    pub fn ground_speed(&self, clip: usize) -> Option<GroundSpeed> {
        let all = self.ground_speeds;
        let found = all.binary_search_by_key(&clip, |speed| speed.clip);
        found.ok().and_then(|place| all.get(place)).copied()
    }
}

/// A clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipRow {
    /// The clip's name, or `clip 3` if it has none.
    pub name: String,
    /// From 0 to the last key.
    pub duration_secs: f64,
    /// Number of its channels.
    pub channel_count: usize,
    /// Number of keys of all channels together.
    pub key_count: usize,
}

/// A clip in whose motion something is odd.
#[derive(Debug, Clone, PartialEq)]
pub struct OddClip {
    /// Its index.
    pub clip: usize,
    /// What is odd, such as "2 pops, 1 foot slides".
    pub words: String,
    /// When the first of it begins.
    pub at_secs: f64,
    /// The node that does that, by its place in the hierarchy.
    pub node: Option<usize>,
}

/// How fast a clip goes over the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundSpeed {
    /// The clip's index.
    pub clip: usize,
    /// The mean of a loop.
    pub units_per_sec: f32,
    /// Whether it stays on the spot, and its feet push the ground away.
    pub on_the_spot: bool,
    /// The least and the most that its feet say, if those of both sides do not say the same.
    pub of_sides: Option<[f32; 2]>,
}

impl GroundSpeed {
    /// The number.
    pub fn words(self) -> String {
        match self.of_sides {
            Some([least, most]) => format!("{} to {} units/s", figure(least), figure(most)),
            None => format!("{} units/s", figure(self.units_per_sec)),
        }
    }

    /// What the number is.
    pub fn meaning(self) -> &'static str {
        if self.of_sides.is_some() {
            "over the ground, by its feet, of which one slides: left and right do not go alike"
        } else if self.on_the_spot {
            "over the ground, by its feet: the clip itself stays on the spot"
        } else {
            "over the ground: so fast the clip takes its root along"
        }
    }
}
