//! What is saved, in words: for the name of its file, for the box, and for the message.

use crate::{
    app::Session,
    model::Clip,
    ui::{
        PictureKind, SavingGroup, SavingKind, capitalized, clean, duration, frame_at, frame_words,
        without_prefix,
    },
};

/// Letters of the clips' names that go into that of a file.
const CLIP_CHARS: usize = 40;
/// What joins the names of clips that play together.
pub(super) const BETWEEN_CLIPS: &str = " + ";
/// Letters of a clip's name that is told in one line of the box.
const SEAM_CHARS: usize = 24;
/// Bytes that a file's name may have before number and extension: with them 255 at most.
const NAME_BYTES: usize = 220;

/// Two ways of saying the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// `Walk 0.42s`, of a mix `Walk + Run 0.42s`; empty for the file's own pose.
    pub(super) in_name: String,
    /// `Walk at 0.420 s, frame 13`.
    pub(super) said: String,
    /// Whether [`Self::said`] begins with the name of a clip, and not with what stands for one.
    begins_with_name: bool,
    /// The whole names of the clips, if these are all that is said.
    whole: Option<String>,
}

impl Words {
    /// Words that name no clip.
    fn nameless(in_name: String, said: String) -> Self {
        Self {
            in_name,
            said,
            begins_with_name: false,
            whole: None,
        }
    }

    /// What was saved, as a sentence. Names stay as they are: only what stands for one gets a capital.
    pub(super) fn sentence(&self) -> String {
        if self.begins_with_name {
            with_stop(self.said.clone())
        } else {
            with_stop(capitalized(&self.said))
        }
    }

    /// What there is to say of a clip of this name; none if the name says it.
    pub(super) fn beside(&self, name: &str) -> Option<&str> {
        let is_said = self.said == name || self.whole.as_deref() == Some(name);
        (!is_said).then_some(&self.said)
    }
}

fn with_stop(mut words: String) -> String {
    if !words.ends_with('.') {
        words.push('.');
    }
    words
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

/// What was saved as the last clip of a file, and what there is to say of it beside its name, as a sentence.
pub(super) fn last_clip_sentence(name: &str, said: Option<&str>) -> String {
    let beside = said.map_or_else(String::new, |said| format!(": {said}"));
    with_stop(format!("Its last clip is \"{name}\"{beside}"))
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
                whole: None,
                ..words
            };
        }
        let over = match self.held_pose() {
            Some(pose) => format!("the {} pose", pose.label()),
            None if words.in_name.is_empty() => "the file's own pose".to_owned(),
            None => words.said,
        };
        Words::nameless(words.in_name, format!("Pose made by hand, over {over}"))
    }

    /// The name of a clip that is saved, as the window would show it: of each that it is made of without what the names of all
    /// begin with.
    pub(super) fn shown_name(&self, name: &str) -> String {
        let first = self.model().clips.first().map_or("", Clip::name);
        let prefix = first.get(..self.clip_prefix()).unwrap_or_default();
        let shown = name.split(BETWEEN_CLIPS).map(|part| {
            let rest = part.strip_prefix(prefix).unwrap_or(part);
            if rest.trim().is_empty() { part } else { rest }
        });
        shown.collect::<Vec<_>>().join(BETWEEN_CLIPS)
    }

    /// Which clips of a mix do not end with what is saved of it again and again, and what to do; empty if all do.
    pub(super) fn seam_words(&self, kind: SavingKind) -> String {
        let lasts = !matches!(
            kind,
            SavingKind::Pose(_) | SavingKind::Picture(PictureKind::Still)
        );
        let film = self.film();
        let seam = film
            .seam_secs()
            .filter(|_| lasts && self.held_pose().is_none());
        let Some(seam) = seam else {
            return String::new();
        };
        let mut unclosed = self.mix.unclosed(seam, self.clock.loop_mode());
        let Some((clip, secs)) = unclosed.next() else {
            return String::new();
        };
        let name = self.short_clip_name(clip);
        let jump = match unclosed.count() {
            0 => "jumps".to_owned(),
            more => format!("and {more} more jump"),
        };
        let (name, length) = (clean(&name, SEAM_CHARS), duration(secs));
        format!("{name} ({length}) {jump} where this begins again: put the clips in step.")
    }

    /// Whether something of the pose that is shown was made by hand. A pose that is held takes weights of morph targets that are
    /// held, and nothing of what was turned.
    pub(super) fn has_part_by_hand(&self) -> bool {
        let is_turned = !self.actor.offsets().is_empty() && self.held_pose().is_none();
        is_turned || !self.actor.held_weights().is_empty()
    }

    /// What plays, or is held.
    fn words_of_played(&self, kind: SavingKind) -> Words {
        if let Some(pose) = self.held_pose() {
            let words = format!("{} pose", pose.label());
            return Words::nameless(words.clone(), words);
        }
        let (names, prefix) = (self.clip_names(), self.clip_prefix());
        let playing = || self.clip.into_iter().chain(self.mix.clip_indices());
        let first = playing().find_map(|clip| self.model().clips.get(clip));
        let begins_with_name = first.is_some_and(|clip| !clip.name().is_empty());
        let whole = playing().filter_map(|clip| names.get(clip).map(String::as_str));
        let whole: Vec<_> = whole.collect();
        if whole.is_empty() {
            return Words::nameless(String::new(), "The file's own pose".to_owned());
        }
        let short: Vec<_> = whole
            .iter()
            .map(|name| without_prefix(name, prefix))
            .collect();
        let name = short.join(BETWEEN_CLIPS);
        let in_name: String = name.chars().take(CLIP_CHARS).collect();
        let secs = self.clock.time_secs();
        match (kind, self.clock.range_secs()) {
            (SavingKind::Picture(PictureKind::Still) | SavingKind::Pose(_), _) => {
                let rate = self.timeline.rate.per_sec();
                // As the bar under the picture tells both.
                let frame = if self.clock.is_playing() {
                    format!("frame {}", frame_at(secs, rate))
                } else {
                    frame_words(secs, rate)
                };
                Words {
                    in_name: format!("{} {secs:.2}s", in_name.trim()),
                    said: format!("{name} at {secs:.3} s, {frame}"),
                    begins_with_name,
                    whole: None,
                }
            }
            (_, range) => {
                let part = range.map(|(from, to)| format!(" from {from:.2} s to {to:.2} s"));
                let (part, how) = (part.unwrap_or_default(), self.film().words());
                let is_all = part.is_empty() && how.is_empty();
                Words {
                    in_name,
                    said: format!("{name}{part}{how}"),
                    begins_with_name,
                    whole: is_all.then(|| whole.join(BETWEEN_CLIPS)),
                }
            }
        }
    }
}
