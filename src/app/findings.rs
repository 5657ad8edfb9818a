//! What is listed of what is wrong with the model that is shown, and whether it is still the same list.

use std::{borrow::Cow, ops::Deref};

use crate::{
    anim::analysis::oddities::MotionWarning,
    import::{Diagnostic, Place, Severity},
};

/// A list of findings that counts its changes: two lists of one length may say different things.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    generation: u64,
}

impl Deref for Findings {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl Findings {
    /// Another number whenever the list may have changed.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// What is found in another model.
    pub(super) fn replace(&mut self, list: Vec<Diagnostic>) {
        self.change(|own| *own = list);
    }

    /// Adds to the list.
    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = Diagnostic>) {
        self.change(|list| list.extend(more));
    }

    /// Changes the list in any way.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Vec<Diagnostic>)) {
        change(&mut self.list);
        self.generation += 1;
    }
}

impl From<MotionWarning> for Diagnostic {
    fn from(odd: MotionWarning) -> Self {
        let pointer = odd.clip.map(|clip| format!("/animations/{clip}"));
        Self {
            severity: Severity::Warning,
            code: odd.code,
            pointer: pointer.unwrap_or_default(),
            message: odd.message,
            action: String::new(),
            place: Place {
                node_index: odd.place.map(|(node, _)| node),
                time_secs: odd.place.map(|(_, time_secs)| time_secs),
            },
            others: Vec::new(),
        }
    }
}

/// What is wrong, in words that say what it is about also where that does not stand before them.
pub(super) fn sentence(found: &Diagnostic) -> Cow<'_, str> {
    match found.message.strip_prefix("it ") {
        Some(rest) => Cow::Owned(format!("{} {rest}", subject(&found.pointer))),
        None => Cow::Borrowed(&found.message),
    }
}

/// What a JSON pointer leads to: `image 3`, `uri`, `the file`.
fn subject(pointer: &str) -> String {
    let mut parts = pointer.rsplit('/');
    let last = match parts.next() {
        None | Some("") => return "the file".to_owned(),
        Some(last) => last,
    };
    if !last.bytes().all(|byte| byte.is_ascii_digit()) {
        // RFC 6901, 3: the first is for what would be taken for the second.
        return last.replace("~1", "/").replace("~0", "~");
    }
    let list = parts.next().unwrap_or_default();
    let is_whole_list = parts.eq([""]);
    match list {
        "children" => format!("child {last}"),
        // Numbers of nodes, and no nodes.
        "nodes" | "joints" if !is_whole_list => format!("{list}/{last}"),
        "meshes" => format!("mesh {last}"),
        list => match list.strip_suffix('s') {
            Some(one) => format!("{one} {last}"),
            None => format!("{list}/{last}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_say_what_they_are_about() {
        let said = |pointer: &str, message: &str| {
            let found = Diagnostic {
                severity: Severity::Info,
                code: "CODE",
                pointer: pointer.to_owned(),
                message: message.to_owned(),
                action: String::new(),
                place: Place::default(),
                others: Vec::new(),
            };
            sentence(&found).into_owned()
        };
        for (pointer, subject) in [
            ("/images/3", "image 3"),
            ("/meshes/0/primitives/12", "primitive 12"),
            ("/meshes/7", "mesh 7"),
            ("/nodes/1/children/0", "child 0"),
            ("/nodes/1/rotation/2", "rotation/2"),
            ("/nodes/2", "node 2"),
            ("/scenes/0/nodes/2", "nodes/2"),
            ("/skins/0/joints/5", "joints/5"),
            ("/buffers/0/uri", "uri"),
            ("/materials/0/extensions/A~1B~01", "A/B~1"),
            ("", "the file"),
        ] {
            let expected = format!("{subject} is not whole");
            assert_eq!(said(pointer, "it is not whole"), expected);
        }
        assert_eq!(
            said("/images/3", "the image is small"),
            "the image is small"
        );
        assert_eq!(said("/images/3", "items are missing"), "items are missing");
    }
}
