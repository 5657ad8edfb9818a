//! What is left of a file in which something is wrong: whether there is anything to be shown, and why not.

use crate::{
    app::findings::sentence,
    import::{Diagnostic, Import, Severity},
};

/// Errors that a message quotes.
const QUOTED_ERRORS: usize = 3;

/// The first errors of a file, a line each, and how many more there are; empty without any.
pub(in crate::app) fn quoted_errors(import: &Import) -> Vec<String> {
    let errors = import.diagnostics.iter();
    quoted(errors.filter(|it| it.severity == Severity::Error))
}

fn quoted<'d>(findings: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<String> {
    let mut findings = findings.into_iter();
    let quoted = findings.by_ref().take(QUOTED_ERRORS);
    let mut lines: Vec<_> = quoted.map(said).collect();
    let more = findings.count();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// What is wrong, in a line: the words of the format last, for who looks for the place.
pub(super) fn said(found: &Diagnostic) -> String {
    let words = sentence(found);
    match &*found.pointer {
        "" => words.into_owned(),
        pointer => format!("{words} ({pointer})"),
    }
}

/// Where the reason lies why there are none, causes before what comes of them.
const VERTICES_COME_FROM: [&str; 3] = ["/buffers", "/bufferViews", "/accessors"];

/// Why a file leaves nothing to be shown, line by line: it has meshes, and no vertex of them could be read. `None` if
/// something is left, of files without meshes or with clips the nodes, or if nothing was wrong with it.
pub fn nothing_left(import: &Import) -> Option<Vec<String>> {
    let model = &import.model;
    // Meshes that cannot be read leave empty ones.
    let mut clips = model.clips.iter();
    let is_rig = model.meshes.is_empty() || clips.any(|clip| clip.placed_nodes().next().is_some());
    let has_nodes = is_rig && !model.hierarchy.is_empty();
    if !import.has_errors() || has_nodes || model.vertex_count() > 0 {
        return None;
    }
    let found = import.diagnostics.iter();
    let mut found: Vec<_> = found.filter_map(|it| Some((cause(it)?, it))).collect();
    // What else is wrong with the file has nothing to do with it, unless there is nothing but that.
    let is_known = found.iter().any(|(cause, _)| *cause < OTHER_CAUSE);
    found.retain(|(cause, _)| !is_known || *cause < OTHER_CAUSE);
    found.sort_by_key(|(cause, _)| *cause);
    let found = found.into_iter().map(|(_, it)| it);
    let mut lines = vec!["Nothing of it could be read that can be shown.".to_owned()];
    lines.extend(quoted(found));
    Some(lines)
}

/// Any other error.
const OTHER_CAUSE: usize = VERTICES_COME_FROM.len() + 1;

/// How far it may be why there are no vertices, the least most; none if it is no reason.
fn cause(found: &Diagnostic) -> Option<usize> {
    match found.code {
        // Whatever else there is, nothing can be drawn without.
        "MESH_PRIMITIVE_NO_POSITION" => return Some(0),
        "UNEXPECTED_PROPERTY" => return None,
        _ => {}
    }
    let pointer = &*found.pointer;
    let mut sections = VERTICES_COME_FROM.iter();
    let section = sections.position(|section| pointer.starts_with(section));
    // Bounds that are stated wrongly take nothing, nor does what a primitive has beside its positions.
    let section = section.filter(|_| !pointer.ends_with("/min") && !pointer.ends_with("/max"));
    let is_beside = pointer.contains("/attributes/") && !pointer.ends_with("/POSITION");
    let is_of_mesh =
        pointer.starts_with("/meshes") && !is_beside && !pointer.ends_with("/material");
    match (found.severity, section) {
        // What took the vertices may be a warning, as of a buffer that names no file.
        (Severity::Error | Severity::Warning, Some(place)) => Some(place),
        (Severity::Error, None) if is_of_mesh => Some(VERTICES_COME_FROM.len()),
        (Severity::Error, None) => Some(OTHER_CAUSE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{self, Progress};

    #[test]
    fn nodes_without_meshes_are_something_to_show() {
        let load = |text: &str| {
            let progress = Progress::default();
            import::load_bytes("joints.gltf", text.as_bytes(), &progress).unwrap()
        };
        let nodes_alone = r#"{
            "asset": {"version": "2.0"},
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "hip", "rotation": [0, 0, 0, 2]}]
        }"#;
        let import = load(nodes_alone);
        let mut said = import.diagnostics.iter();
        assert!(said.any(|it| it.severity == Severity::Error));
        assert_eq!(nothing_left(&import), None);

        let broken_mesh = r#"{
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}]
        }"#;
        let reason = nothing_left(&load(broken_mesh)).unwrap();
        assert!(reason[1].contains("/meshes/0/primitives/0"), "{reason:?}");

        // The rest of a rig is something to show in its clips.
        let animated = broken_mesh.replace(
            r#""meshes""#,
            r#""buffers": [{"byteLength": 32, "uri": "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA="}],
            "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}
            ],
            "animations": [{
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 0, "output": 1}]
            }],
            "meshes""#,
        );
        let import = load(&animated);
        assert!(import.has_errors());
        assert_eq!(nothing_left(&import), None);

        // The cause comes first, also where it is a warning and something else an error.
        let without_name = r#"{
            "asset": {"version": "2.0"},
            "scene": 3,
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36}]
        }"#;
        let reason = nothing_left(&load(without_name)).unwrap();
        assert!(reason[1].ends_with("(/buffers/0)"), "{reason:?}");

        // Nor is a property that nobody knows.
        let with_a_note = r#"{
            "asset": {"version": "2.0"},
            "scene": 3,
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"NORMAL": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 12, "note": 1}],
            "buffers": [{"byteLength": 12, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAIA/", "note": 1}]
        }"#;
        let reason = nothing_left(&load(with_a_note)).unwrap();
        assert!(reason[1].contains("/meshes/0/primitives/0"), "{reason:?}");
        assert!(!reason.join(" ").contains("note"), "{reason:?}");

        // What has nothing to do with it is not among the reasons.
        let of_no_length = r#"{
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "textures": [{"source": 0}],
            "images": [{"uri": "missing.png"}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 0, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 12}],
            "buffers": [{"byteLength": 12, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}]
        }"#;
        let reason = nothing_left(&load(of_no_length)).unwrap();
        assert!(reason[1].contains("count is 0"), "{reason:?}");
        let all = reason.join(" ");
        assert!(
            !all.contains("TEXCOORD") && !all.contains("/images"),
            "{reason:?}"
        );
    }
}
