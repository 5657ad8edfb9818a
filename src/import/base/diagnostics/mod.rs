//! What was found wrong with a file, and what was done about it.

use std::{collections::HashSet, fmt};

use serde::Serialize;

use super::{
    hashing::HashMap,
    wording::{counted, of_count, there_are},
};

/// How many more objects one finding names; beyond these, objects that it is about too are not named.
const MAX_OTHERS: usize = 1000;

/// How many diagnostics of one code are listed; the rest are counted, so that a hostile file cannot fill the memory.
const LISTED_PER_CODE: usize = 64;

/// One finding about a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The Khronos validator's name for it where one fits, such as `NODE_LOOP`; else our own in the same style.
    pub code: &'static str,
    /// JSON pointer to the culprit, such as `/meshes/0/primitives/1/attributes/POSITION`; empty for the file as a whole.
    pub pointer: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What was done about it, such as "the primitive is not drawn".
    pub action: String,
    /// What it is about beside what the pointer names.
    #[serde(flatten)]
    pub place: Place,
    /// JSON pointers to more of what it is about, and places there, where one finding is made for several objects: a thousand
    /// at most. Where it is about a picture, a texture, a sampler or an accessor, or a view of a buffer: to what uses that.
    #[serde(skip)]
    pub others: Vec<(String, Place)>,
}

/// The node that a finding is about and the moment, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Place {
    /// The node, by its index in the file.
    pub node_index: Option<usize>,
    /// The moment of the clip that the pointer names, in seconds.
    pub time_secs: Option<f64>,
}

impl Place {
    /// A moment in seconds, whichever node it is about.
    pub(in crate::import) fn at_secs(time_secs: f32) -> Self {
        Self {
            time_secs: Some(time_secs.into()),
            ..Self::default()
        }
    }
}

/// How bad a finding is; the worst comes first in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file breaks the specification, or something of it is lost.
    Error,
    /// The file is shown otherwise than its author may expect.
    Warning,
    /// Worth knowing.
    Info,
    /// Could be done better.
    Hint,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Hint => "hint",
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.severity, self.unrated())
    }
}

impl Diagnostic {
    /// All that is printed of it but its severity.
    pub(crate) fn unrated(&self) -> impl fmt::Display + '_ {
        Unrated(self)
    }
}

struct Unrated<'d>(&'d Diagnostic);

impl fmt::Display for Unrated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(found) = self;
        write!(f, "{}", found.code)?;
        if !found.pointer.is_empty() {
            write!(f, " {}", found.pointer)?;
        }
        write!(f, ": {}", found.message)?;
        if found.action.is_empty() {
            Ok(())
        } else {
            write!(f, "; {}", found.action)
        }
    }
}

/// What is wrong with something that was asked for; whoever asked knows where, and what that costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::import) struct Fault {
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
}

impl Fault {
    pub(in crate::import) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
        }
    }

    /// Something that is worth knowing.
    pub(in crate::import) fn info(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Info,
            ..Self::new(code, message)
        }
    }

    /// Something that the specification allows and that is lost all the same.
    pub(in crate::import) fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::new(code, message)
        }
    }
}

/// Adds the errors of a second reading of the same file, in which other data were looked at, unless the first had such at
/// the same place.
pub(in crate::import) fn merge_errors(first: &mut Vec<Diagnostic>, second: Vec<Diagnostic>) {
    let known = first.iter().filter(|it| it.severity == Severity::Error);
    let known: HashSet<_> = known.map(|it| (it.code, it.pointer.clone())).collect();
    let errors = second.into_iter().filter(|it| {
        it.severity == Severity::Error && !known.contains(&(it.code, it.pointer.clone()))
    });
    first.extend(errors.map(|it| Diagnostic {
        message: format!("in the uncompressed data: {}", it.message),
        action: "the compressed data are used".to_owned(),
        ..it
    }));
    first.sort_by_key(|diagnostic| diagnostic.severity);
}

/// Collects findings. Words are written out only for those that are listed: a file can have a million faults of a kind.
#[derive(Debug, Default)]
pub(in crate::import) struct Diagnostics {
    found: Vec<Diagnostic>,
    counts: HashMap<(Severity, &'static str), usize>,
    /// How often more what was found of an accessor was found, by its place: it may be used a thousand times.
    uses: HashMap<usize, usize>,
}

/// Findings about the elements of an accessor, which it names: the same wherever it is used.
const OF_ELEMENTS: [&str; 3] = [
    "ACCESSOR_INVALID_FLOAT",
    "ACCESSOR_SPARSE_INDEX_OOB",
    "ACCESSOR_SPARSE_INDICES_NON_INCREASING",
];

/// What is said of each use of a buffer that cannot be read: one of them is listed, with how many more there are.
pub(in crate::import) const OF_LOST_BUFFERS: &str = "BUFFER_VIEW_UNREADABLE";

/// Whether findings with this code are the same wherever they are made.
fn is_said_once(code: &str) -> bool {
    OF_ELEMENTS.contains(&code) || code == OF_LOST_BUFFERS
}

/// What is wrong at the end of a chain of parts, where a message names these.
fn cause(message: &str) -> &str {
    message.rsplit(": ").next().unwrap_or(message)
}

impl Diagnostics {
    pub(in crate::import) fn error(
        &mut self,
        code: &'static str,
        pointer: impl fmt::Display,
        message: impl fmt::Display,
        action: impl fmt::Display,
    ) {
        let at = (pointer, Place::default());
        self.add(Severity::Error, code, at, message, action);
    }

    pub(in crate::import) fn warning(
        &mut self,
        code: &'static str,
        pointer: impl fmt::Display,
        message: impl fmt::Display,
        action: impl fmt::Display,
    ) {
        let at = (pointer, Place::default());
        self.add(Severity::Warning, code, at, message, action);
    }

    pub(in crate::import) fn info(
        &mut self,
        code: &'static str,
        pointer: impl fmt::Display,
        message: impl fmt::Display,
        action: impl fmt::Display,
    ) {
        let at = (pointer, Place::default());
        self.add(Severity::Info, code, at, message, action);
    }

    pub(in crate::import) fn hint(
        &mut self,
        code: &'static str,
        pointer: impl fmt::Display,
        message: impl fmt::Display,
        action: impl fmt::Display,
    ) {
        let at = (pointer, Place::default());
        self.add(Severity::Hint, code, at, message, action);
    }

    /// Adds a finding unless the same was found at this place already, or at one that it lies in.
    pub(in crate::import) fn add_unless_said(
        &mut self,
        severity: Severity,
        code: &'static str,
        pointer: impl fmt::Display,
        message: impl fmt::Display,
    ) {
        let listed = self.counts.get(&(severity, code)).copied().unwrap_or(0);
        if listed < LISTED_PER_CODE {
            let place = pointer.to_string();
            let is_said = self.found.iter().any(|found| {
                let rest = place.strip_prefix(&*found.pointer);
                let lies_in = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                found.code == code && lies_in && !found.pointer.is_empty()
            });
            if is_said {
                return;
            }
        }
        let at = (pointer, Place::default());
        self.add(severity, code, at, message, "");
    }

    /// The kinds of which no more are listed.
    pub(in crate::import) fn full(&self) -> HashSet<(Severity, &'static str)> {
        let counts = self.counts.iter();
        let full = counts.filter(|(_, count)| **count >= LISTED_PER_CODE);
        full.map(|(kind, _)| *kind).collect()
    }

    /// Whether a finding with this code was made at just this place.
    pub(in crate::import) fn says(&self, code: &str, pointer: impl fmt::Display) -> bool {
        let place = pointer.to_string();
        let mut found = self.found.iter();
        found.any(|found| found.code == code && found.pointer == place)
    }

    /// Whether a finding of this kind has a message that starts so.
    pub(in crate::import) fn mentions(&self, code: &str, start: &str) -> bool {
        let mut found = self.found.iter();
        found.any(|found| found.code == code && found.message.starts_with(start))
    }

    /// Names more objects that the last finding is about, if it is one with this code.
    pub(in crate::import) fn also_about(
        &mut self,
        code: &str,
        others: impl Iterator<Item = (String, Place)>,
    ) {
        if let Some(last) = self.found.last_mut().filter(|it| it.code == code) {
            last.others.extend(others.take(MAX_OTHERS));
        }
    }

    /// A fault of something referred to; `action` is what it costs at `pointer`.
    pub(in crate::import) fn fault(
        &mut self,
        fault: Fault,
        pointer: impl fmt::Display,
        action: impl fmt::Display,
    ) {
        let at = (pointer, Place::default());
        self.add(fault.severity, fault.code, at, fault.message, action);
    }

    /// Adds a finding at a pointer, about a place there.
    pub(in crate::import) fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        (pointer, place): (impl fmt::Display, Place),
        message: impl fmt::Display,
        action: impl fmt::Display,
    ) {
        let count = self.counts.entry((severity, code)).or_default();
        if *count >= LISTED_PER_CODE && !is_said_once(code) {
            *count = count.saturating_add(1);
            return;
        }
        let diagnostic = Diagnostic {
            severity,
            code,
            pointer: pointer.to_string(),
            message: message.to_string(),
            action: action.to_string(),
            place,
            others: Vec::new(),
        };
        self.put(diagnostic, 0);
    }

    /// Adds a finding that was made elsewhere, and `more` times.
    fn put(&mut self, diagnostic: Diagnostic, more: usize) {
        if is_said_once(diagnostic.code) {
            let own = cause(&diagnostic.message);
            let is_same = |it: &Diagnostic| match it.code {
                code if code != diagnostic.code => false,
                // Ends are compared before a cause is searched: each use meets each finding.
                OF_LOST_BUFFERS => {
                    let is_near = it.severity == diagnostic.severity && it.message.ends_with(own);
                    is_near && cause(&it.message) == own
                }
                _ => (&it.message, &it.action) == (&diagnostic.message, &diagnostic.action),
            };
            if let Some(place) = self.found.iter().position(is_same) {
                let is_other = self.found.get(place) != Some(&diagnostic);
                let uses = self.uses.entry(place).or_default();
                *uses = uses.saturating_add(more).saturating_add(is_other.into());
                return;
            }
        }
        let kind = (diagnostic.severity, diagnostic.code);
        let count = self.counts.entry(kind).or_default();
        if *count < LISTED_PER_CODE {
            // What is used in many places is looked at as often.
            if self.found.contains(&diagnostic) {
                return;
            }
            if more > 0 {
                self.uses.insert(self.found.len(), more);
            }
            self.found.push(diagnostic);
            *count = count.saturating_add(1);
        } else {
            *count = count.saturating_add(more).saturating_add(1);
        }
    }

    /// Adds what was found apart from these.
    pub(in crate::import) fn absorb(&mut self, others: Self) {
        let Self {
            found,
            mut counts,
            uses,
        } = others;
        for (place, diagnostic) in found.into_iter().enumerate() {
            let more = uses.get(&place).copied().unwrap_or(0);
            if let Some(count) = counts.get_mut(&(diagnostic.severity, diagnostic.code)) {
                *count = count.saturating_sub(1);
            }
            self.put(diagnostic, more);
        }
        // What was not listed.
        for (kind, more) in counts {
            let count = self.counts.entry(kind).or_default();
            *count = count.saturating_add(more);
        }
    }

    /// All findings, the worst first, else in the order in which they were made.
    pub(in crate::import) fn finish(mut self) -> Vec<Diagnostic> {
        for (place, uses) in self.uses {
            if let Some(found) = self.found.get_mut(place).filter(|_| uses > 0) {
                let others = counted(uses, "other use", "other uses");
                let mut message = &*found.message;
                if found.code == OF_LOST_BUFFERS {
                    message = cause(message);
                    found.action = "what needs it is left out".to_owned();
                }
                let find = of_count(uses, "finds", "find");
                found.message = format!("{message}, as {others} of it {find}");
            }
        }
        let mut more: Vec<_> = self.counts.into_iter().collect();
        more.sort_unstable();
        for ((severity, code), count) in more {
            let unlisted = count.saturating_sub(LISTED_PER_CODE);
            if unlisted > 0 {
                self.found.push(Diagnostic {
                    severity,
                    code,
                    pointer: String::new(),
                    message: there_are(unlisted, "more of this kind", "more of this kind"),
                    action: of_count(unlisted, "it is not listed", "they are not listed").into(),
                    place: Place::default(),
                    others: Vec::new(),
                });
            }
        }
        self.found.sort_by_key(|diagnostic| diagnostic.severity);
        self.found
    }
}

#[cfg(test)]
mod tests;
