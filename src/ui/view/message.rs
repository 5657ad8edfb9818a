//! What is told once, and what the user may answer.

use crate::ui::text::capitalized;

/// A message to be read and put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How bad.
    pub kind: MessageKind,
    /// What happened, in a few words.
    pub title: String,
    /// Why, and what to do.
    pub detail: String,
    /// All of what the detail only begins to list; empty where it lists all.
    pub in_full: String,
    /// What the user may answer.
    pub offer: Option<Offer>,
    /// Whether it goes by itself once there was time to read it: what it says stands elsewhere, too.
    pub passes: bool,
}

impl Message {
    /// What was done, or is to be known.
    pub fn info(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(MessageKind::Info, title, detail)
    }

    /// What was done in part, or may not be what was meant.
    pub fn warning(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(MessageKind::Warning, title, detail)
    }

    /// What could not be done, and why.
    pub fn error(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(MessageKind::Error, title, detail)
    }

    fn new(kind: MessageKind, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            kind,
            title: title.into(),
            detail: detail.into(),
            in_full: String::new(),
            offer: None,
            passes: false,
        }
    }

    /// This message, which goes by itself after a while.
    #[must_use]
    pub fn passing(self) -> Self {
        Self {
            passes: true,
            ..self
        }
    }

    /// This message, of whose detail there is more.
    #[must_use]
    pub fn in_full(self, in_full: String) -> Self {
        Self { in_full, ..self }
    }

    /// All that it says below its title.
    pub fn whole_detail(&self) -> &str {
        if self.in_full.is_empty() {
            &self.detail
        } else {
            &self.in_full
        }
    }

    /// This message, whose detail is in the words of errors, with that in sentences.
    #[must_use]
    pub fn in_sentences(self) -> Self {
        Self {
            detail: sentences(&self.detail),
            in_full: sentences(&self.in_full),
            ..self
        }
    }

    /// This message with something that the user may answer.
    #[must_use]
    pub fn offering(self, offer: Option<Offer>) -> Self {
        Self { offer, ..self }
    }
}

/// Lines as sentences; what is listed after a colon stays as it is.
pub(crate) fn sentences(lines: &str) -> String {
    let mut is_listed = false;
    let lines = lines.lines().map(|line| {
        let told = if is_listed {
            line.to_owned()
        } else {
            as_sentence(line)
        };
        is_listed |= line.ends_with(':');
        told
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Words with a capital, unless they begin with a path, the name of a file or a property, and a full stop, unless they end with
/// what could not be copied then.
pub(crate) fn as_sentence(words: &str) -> String {
    let first = words.split(' ').next().unwrap_or_default();
    // Names of files may have spaces.
    let named = words.split_once(": ").map_or(first, |(named, _)| named);
    let is_property = first.contains(char::is_uppercase);
    let mut sentence = if is_property || is_path(named) {
        words.to_owned()
    } else {
        capitalized(words)
    };
    let last = words.rsplit(' ').next().unwrap_or_default();
    let is_enclosed = last.ends_with([')', '"', '\'']);
    let is_open = !sentence.ends_with(['.', ':', '!', '?', '…']);
    if is_open && !sentence.is_empty() && (is_enclosed || !is_path(last)) {
        sentence.push('.');
    }
    sentence
}

/// Whether words look like a path or the name of a file; a number does not.
fn is_path(words: &str) -> bool {
    let words = words.trim_end_matches('.');
    let has_ending = |(_, ending): (&str, &str)| ending.starts_with(|it: char| it.is_alphabetic());
    words.contains(['/', '\\']) || words.rsplit_once('.').is_some_and(has_ending)
}

/// What a message offers to do, once and for this file only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Open the file although it requires what is unknown.
    OpenAnyway,
    /// Open the files outside of the model's folder that the message names.
    AllowOnce,
    /// Turn the clips of a file (its place in the list of such files) into the rest pose of this model.
    Retarget(usize),
    /// Bring a pose made by hand back.
    UndoPose,
    /// Compare with the model that was given together with the one that is shown.
    Compare,
    /// Draw with the graphics adapter again, which failed.
    UseAdapter,
}

impl Offer {
    /// The words on its button.
    pub fn label(self) -> &'static str {
        match self {
            Self::OpenAnyway => "Open anyway",
            Self::AllowOnce => "Allow once",
            Self::Retarget(_) => "Retarget",
            Self::UndoPose => "Bring it back",
            Self::Compare => "Compare them",
            Self::UseAdapter => "Use it again",
        }
    }

    /// What it does, in words.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::OpenAnyway => "Open it without what is unknown: it may look wrong",
            Self::AllowOnce => "Open these files for this model, this time",
            Self::Retarget(_) => "Turn these clips into the rest pose of this model",
            Self::UndoPose => "Go on with the pose as it was, at this moment",
            Self::Compare => "Show both beside one another",
            Self::UseAdapter => "Draw with the graphics adapter again",
        }
    }
}

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageKind {
    /// Something is lost.
    Error,
    /// Something is odd.
    Warning,
    /// Good to know.
    Info,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_errors_become_sentences() {
        for (words, said) in [
            ("", ""),
            ("the buffer is too short", "The buffer is too short."),
            (
                "image 3 is not whole (/images/3)\nF5 shows it as it is.",
                "Image 3 is not whole (/images/3).\nF5 shows it as it is.",
            ),
            ("/x/walk.glb: it is torn", "/x/walk.glb: it is torn."),
            ("walk.glb: it is torn", "walk.glb: it is torn."),
            ("walk cycle.glb: it is torn", "walk cycle.glb: it is torn."),
            ("buffer 3: it is torn", "Buffer 3: it is torn."),
            ("torn.", "Torn."),
            ("it needs version 2.1", "It needs version 2.1."),
            ("there is nothing at /x/walk", "There is nothing at /x/walk"),
            ("it names a walk.bin", "It names a walk.bin"),
            (".hidden is empty", ".hidden is empty."),
            ("bufferView 3 is not there", "bufferView 3 is not there."),
            (
                "nothing is left\nThese were not opened:\n/x/a b.png\n../c.png",
                "Nothing is left.\nThese were not opened:\n/x/a b.png\n../c.png",
            ),
        ] {
            let message = Message::warning("title", words).in_sentences();
            assert_eq!(message.detail, said);
            assert_eq!(message.clone().in_sentences(), message);
        }
    }
}
