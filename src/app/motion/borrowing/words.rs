//! What is said of clips from another file.

use crate::{
    anim::retarget::Bound,
    import::{Diagnostic, Place, Severity},
    model::counted_names,
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
    if !bound.missing_targets.is_empty() {
        lines.push(format!(
            "Morph targets not found here: {}.",
            quoted(&bound.missing_targets)
        ));
    }
    if !bound.targets_by_place.is_empty() {
        lines.push(format!(
            "Morph targets that have other names here, taken by their places: those of {}.",
            quoted(&bound.targets_by_place)
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
    let left_out = [
        &bound.missing,
        &bound.unmoved,
        &bound.missing_targets,
        &bound.targets_by_place,
    ];
    let is_whole = left_out.iter().all(|names| names.is_empty());
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

/// The first names, how often they occur if several times, and how many more there are.
pub(super) fn quoted(names: &[String]) -> String {
    let counted = counted_names(names.iter().map(String::as_str));
    let shown = counted
        .iter()
        .take(QUOTED)
        .map(|(name, count)| match count {
            1 => (*name).to_owned(),
            count => format!("{name} ({count})"),
        });
    let shown = shown.collect::<Vec<_>>().join(", ");
    match counted.len().saturating_sub(QUOTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// All of a file that did not match, for the list of diagnostics.
pub(super) fn listed(row: &BorrowedRow) -> impl Iterator<Item = Diagnostic> + '_ {
    let file = &row.name;
    let missing = counted_names(row.missing.iter().map(String::as_str));
    let missing = missing.into_iter().take(LISTED).map(move |(name, count)| {
        let message = match count {
            1 => format!("{file} moves \"{name}\", which is not here"),
            count => format!("{file} moves {count} nodes \"{name}\", which are not here"),
        };
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
