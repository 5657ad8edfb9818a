//! `extras` and XMP packets, indented to be read, and bounded.

use crate::{
    model::{Metadata, Model, Node, Owner},
    ui::NoteText,
};

/// What is longer is not indented, but cut as it is.
const MAX_BYTES: usize = 256 << 10;
/// Lines and characters that are shown.
const MAX_LINES: usize = 200;
const MAX_CHARS: usize = 12_000;

/// What is noted on what is shown: if no node is chosen, on the file, the clip and the scene.
pub(super) fn about(
    model: &Model,
    node: Option<&Node>,
    material: Option<usize>,
    clip: Option<usize>,
    scene: usize,
) -> Vec<NoteText> {
    let mut owners = Vec::new();
    match node {
        None => owners.push((Owner::Asset, "the file")),
        Some(node) => {
            owners.push((Owner::Node(node.file_index), "the node"));
            owners.extend(node.mesh.map(|mesh| (Owner::Mesh(mesh), "the mesh")));
        }
    }
    owners.extend(material.map(|it| (Owner::Material(it), "the material")));
    if node.is_none() {
        owners.extend(clip.map(|clip| (Owner::Clip(clip), "the clip")));
        owners.push((Owner::Scene(scene), "the scene"));
    }
    owners
        .into_iter()
        .flat_map(|(owner, of)| of_owner(&model.metadata, owner, of))
        .collect()
}

fn of_owner(metadata: &Metadata, owner: Owner, of: &str) -> Vec<NoteText> {
    let Some(note) = metadata.of(owner) else {
        return Vec::new();
    };
    let extras = note.extras.as_deref().map(|text| ("Extras", text));
    let packet = note.xmp_packet.and_then(|it| metadata.xmp_packets.get(it));
    let packet = packet.map(|text| ("XMP", &**text));
    let text = |(kind, text): (&str, &str)| NoteText {
        title: format!("{kind} of {of}"),
        text: bounded(&indented(text)),
    };
    extras.into_iter().chain(packet).map(text).collect()
}

fn indented(text: &str) -> String {
    let value = (text.len() <= MAX_BYTES)
        .then(|| serde_json::from_str::<serde_json::Value>(text).ok())
        .flatten();
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    pretty.unwrap_or_else(|| text.chars().take(MAX_CHARS + 1).collect())
}

fn bounded(text: &str) -> String {
    let mut shown = String::new();
    for (place, line) in text.lines().enumerate() {
        let left = MAX_CHARS.saturating_sub(shown.len());
        if place >= MAX_LINES || left == 0 {
            shown.push('…');
            return shown;
        }
        let cut = line.char_indices().nth(left.min(400)).map(|(at, _)| at);
        shown.push_str(&line[..cut.unwrap_or(line.len())]);
        shown.push_str(if cut.is_some() { "…\n" } else { "\n" });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_indented_and_bounded() {
        let text = bounded(&indented(r#"{"b":[1,2],"a":"x"}"#));
        assert!(text.contains("\n  \"b\": [\n"), "{text}");
        let long = format!("[{}0]", "1,".repeat(100_000));
        let text = bounded(&indented(&long));
        assert!(text.ends_with('…') && text.lines().count() <= MAX_LINES + 1);
        let huge = format!("\"{}\"", "ü".repeat(1 << 20));
        assert!(bounded(&indented(&huge)).chars().count() <= MAX_CHARS + 2);
        assert_eq!(bounded(&indented("not JSON")), "not JSON\n");
    }
}
