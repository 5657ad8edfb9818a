//! What is said of clips from another file.

use crate::{
    anim::retarget::Bound,
    import::{Diagnostic, Place, Severity},
    ui::{BorrowedRow, Message, capitalized},
};

/// Names that a message quotes.
const QUOTED: usize = 6;
/// Nodes that the list of diagnostics names for a file.
const LISTED: usize = 100;
/// Codes of what did not match.
pub(super) const MISSING: &str = "CLIP_NODE_MISSING";
pub(super) const UNMOVED: &str = "CLIP_JOINT_UNMOVED";

pub(super) fn told(file: &str, bound: &Bound) -> Message {
    let moved = bound.matched + bound.missing.len();
    let mut lines = vec![match bound.similar.len() {
        0 => format!("{} of {moved} moved nodes found here.", bound.matched),
        similar => format!(
            "{} of {moved} moved nodes found here, {similar} of them by a similar name.",
            bound.matched
        ),
    }];
    if !bound.missing.is_empty() {
        lines.push(format!("Not found here: {}.", quoted(&bound.missing)));
    }
    if !bound.unmoved.is_empty() {
        lines.push(format!(
            "Joints that stay still: {}.",
            quoted(&bound.unmoved)
        ));
    }
    if bound.dropped_properties > 0 {
        lines.push(format!(
            "{} tracks of materials, lights, cameras or morph targets were left out.",
            bound.dropped_properties
        ));
    }
    let misfits = bound.misfits().join(", and ");
    if !misfits.is_empty() {
        let misfits = capitalized(&misfits);
        lines.push(format!(
            "{misfits}: where limbs look wrong, retarget. The list of clips has a switch for it, too."
        ));
    }
    let is_whole = bound.missing.is_empty() && bound.unmoved.is_empty();
    let title = format!("{} of {file} added", clips_in_words(bound.clips.len()));
    let detail = lines.join("\n");
    if is_whole {
        Message::info(title, detail)
    } else {
        Message::warning(title, detail)
    }
}

/// What is said when clips of a file took the place of those that it had before.
pub(super) fn told_again(row: &BorrowedRow) -> Message {
    let clips = clips_in_words(row.count);
    let title = format!("{clips} of {} read again", row.name);
    Message::info(
        title,
        "The file was added before: its clips are where they were.",
    )
}

/// What is said when a file was taken out.
pub(super) fn taken_out(row: &BorrowedRow) -> Message {
    let clips = clips_in_words(row.count);
    Message::info(format!("{clips} of {} taken out", row.name), "")
}

/// What is said when they did not, for this reason, in the words of errors.
pub(super) fn kept(name: &str, reason: &str) -> Message {
    let title = format!("The clips of {name} stay as they were");
    Message::warning(title, reason)
}

/// The title that says so of `count` files.
pub(super) fn kept_several(count: usize) -> String {
    format!("The clips of {count} files stay as they were")
}

fn clips_in_words(count: usize) -> String {
    match count {
        1 => "1 clip".to_owned(),
        count => format!("{count} clips"),
    }
}

/// The first names, and how many more there are.
pub(super) fn quoted(names: &[String]) -> String {
    let shown = names[..names.len().min(QUOTED)].join(", ");
    match names.len().saturating_sub(QUOTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// All of a file that did not match, for the list of diagnostics.
pub(super) fn listed(row: &BorrowedRow) -> impl Iterator<Item = Diagnostic> + '_ {
    let file = &row.name;
    let missing = row.missing.iter().take(LISTED).map(move |name| {
        let message = format!("{file} moves \"{name}\", which is not here");
        note(MISSING, message, "its tracks were left out")
    });
    let unmoved = row.unmoved.iter().take(LISTED).map(move |name| {
        let message = format!("no clip of {file} moves the joint \"{name}\"");
        note(UNMOVED, message, "it keeps its rest pose")
    });
    missing.chain(unmoved)
}

fn note(code: &'static str, message: String, action: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Info,
        code,
        pointer: String::new(),
        message,
        action: action.to_owned(),
        place: Place::default(),
        others: Vec::new(),
    }
}
