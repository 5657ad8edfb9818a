//! What is saved, in words: for the name of its file, for the box, and for the message.

use crate::{
    app::Session,
    ui::{PictureKind, SavingGroup, SavingKind, frame_words},
};

/// Letters of the clips' names that go into that of a file.
const CLIP_CHARS: usize = 40;
/// Bytes that a file's name may have before number and extension: with them 255 at most.
const NAME_BYTES: usize = 220;

/// Two ways of saying the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// `Walk 0.42s`, of a mix `Walk + Run 0.42s`; empty for the file's own pose.
    pub(super) in_name: String,
    /// `Walk at 0.42 s, frame 13`.
    pub(super) said: String,
}

/// A name of these parts that files can have on all systems: of the model, which is cut if it is too long, and what it is of it.
pub(super) fn fit_for_file(model: &str, rest: &[&str]) -> String {
    let rest: Vec<_> = rest
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    let rest = rest.join(" ");
    let room = NAME_BYTES.saturating_sub(rest.len() + 1);
    let model = model[..model.floor_char_boundary(room)].trim_end();
    let mut name = [model, &*rest].join(" ").trim().to_owned();
    name.truncate(name.floor_char_boundary(NAME_BYTES));
    // What stands in braces would be the place for the number of a frame.
    let is_refused = |c: char| c.is_control() || "<>:\"/\\|?*{}".contains(c);
    let fit = |c: char| if is_refused(c) { '-' } else { c };
    name.chars().map(fit).collect()
}

impl Session {
    /// What would be saved now.
    pub(super) fn words_of_saved(&self, kind: SavingKind) -> Words {
        let words = self.words_of_played(kind);
        if kind.group() == SavingGroup::Pictures || !self.has_part_by_hand() {
            return words;
        }
        if kind == SavingKind::Animation {
            return Words {
                said: format!("{}, with what was changed by hand", words.said),
                ..words
            };
        }
        let over = match self.held_pose() {
            Some(pose) => format!("the {} pose", pose.label()),
            None if words.in_name.is_empty() => "the file's own pose".to_owned(),
            None => words.said,
        };
        Words {
            said: format!("Pose made by hand, over {over}"),
            ..words
        }
    }

    /// Whether something of the pose that is shown was made by hand. A pose that is held takes weights of morph targets that are
    /// held, and nothing of what was turned.
    pub(super) fn has_part_by_hand(&self) -> bool {
        let is_turned = !self.actor.offsets().is_empty() && self.held_pose().is_none();
        is_turned || !self.actor.held_weights().is_empty()
    }

    /// What plays, or is held.
    fn words_of_played(&self, kind: SavingKind) -> Words {
        let alike = |words: String| Words {
            in_name: words.clone(),
            said: words,
        };
        if let Some(pose) = self.held_pose() {
            return alike(format!("{} pose", pose.label()));
        }
        let names = self.clip_names();
        let playing = self.clip.into_iter().chain(self.mix.clip_indices());
        let playing = playing.filter_map(|clip| names.get(clip).map(String::as_str));
        let playing: Vec<_> = playing.collect();
        if playing.is_empty() {
            return Words {
                in_name: String::new(),
                said: "The file's own pose".to_owned(),
            };
        }
        let name = playing.join(" + ");
        let short: String = name.chars().take(CLIP_CHARS).collect();
        let secs = self.clock.time_secs();
        match (kind, self.clock.range_secs()) {
            (SavingKind::Picture(PictureKind::Still) | SavingKind::Pose(_), _) => {
                let frame = frame_words(secs, self.rate.per_sec());
                Words {
                    in_name: format!("{} {secs:.2}s", short.trim()),
                    said: format!("{name} at {secs:.2} s, {frame}"),
                }
            }
            (_, range) => {
                let part = range.map(|(from, to)| format!(" from {from:.2} s to {to:.2} s"));
                let (part, how) = (part.unwrap_or_default(), self.film().words());
                Words {
                    in_name: short,
                    said: format!("{name}{part}{how}"),
                }
            }
        }
    }
}
