//! What is left of a file in which something is wrong: whether there is anything to be shown, and why not.

use std::collections::HashSet;

use crate::{
    app::findings::sentence,
    import::{Diagnostic, Import, Severity},
    model::Model,
    ui::{Message, Offer},
};

use super::named_outside;

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
/// something is left, of files without meshes whatever else they hold, of files with clips the nodes, or if nothing was wrong
/// with it.
pub fn nothing_left(import: &Import) -> Option<Vec<String>> {
    let model = &import.model;
    // Meshes that cannot be read leave empty ones.
    let mut clips = model.clips.iter();
    let has_motion = clips.any(|clip| clip.placed_nodes().next().is_some());
    let has_others = has_motion || model.meshes.is_empty() && holds_parts(model);
    let is_left = !import.has_errors() || has_others || model.vertex_count() > 0;
    (!is_left).then(|| reasons(NOTHING, import))
}

/// Why the default scene of a file leaves nothing to be drawn, line by line: nodes that it shows have meshes, and no vertex of
/// these could be read. `None` if something is left, such as a skin's joints, if the nodes have no meshes or such as never had a
/// primitive, or if nothing that was wrong explains it.
pub fn no_mesh_left(import: &Import) -> Option<Vec<String>> {
    let model = &import.model;
    let shown = model.nodes_ever_shown(model.default_scene);
    let nodes = model.hierarchy.nodes().iter().zip(shown);
    let nodes = nodes.filter_map(|(node, is_shown)| is_shown.then_some(node));
    let placed: Vec<usize> = nodes.filter_map(|node| node.mesh).collect();
    let is_lost = |mesh: usize| {
        let mut primitives = model.meshes[mesh].primitives.iter();
        primitives.all(|primitive| primitive.file_vertex_count() == 0)
    };
    if !model.skins.is_empty() || !placed.iter().all(|mesh| is_lost(*mesh)) {
        return None;
    }
    let mut causes = import.diagnostics.iter().filter_map(cause);
    let is_explained = causes.any(|cause| cause < OTHER_CAUSE);
    let stubs = stubs(import);
    let had_any = placed.iter().any(|mesh| !stubs.contains(mesh));
    (is_explained && had_any).then(|| reasons(NO_MESH, import))
}

/// The meshes whose lists of primitives are empty.
fn stubs(import: &Import) -> HashSet<usize> {
    let empty = import.diagnostics.iter();
    let empty = empty.filter(|it| it.code == "EMPTY_ENTITY");
    let meshes = empty.filter_map(|it| {
        let mesh = it.pointer.strip_prefix("/meshes/")?;
        mesh.strip_suffix("/primitives")?.parse().ok()
    });
    meshes.collect()
}

/// What took the vertices, line by line, below what comes of that.
fn reasons(what: &str, import: &Import) -> Vec<String> {
    let found = by_cause(import);
    // What else is wrong with the file has nothing to do with it, unless there is nothing but that.
    let is_known = found.iter().any(|(cause, _)| *cause < OTHER_CAUSE);
    let last = if is_known { OTHER_CAUSE } else { NO_CAUSE };
    let reasons = found.iter().take_while(|(cause, _)| *cause < last);
    let mut lines = vec![what.to_owned()];
    lines.extend(quoted(reasons.map(|(_, it)| *it)));
    lines
}

/// Whether there is anything in a model that is seen or listed, beside meshes.
pub(super) fn holds_parts(model: &Model) -> bool {
    // The last material is the default one, which no file holds.
    let has_materials = model.materials.len() > 1;
    let has_pictures = model.images.iter().any(|image| !image.is_placeholder);
    let has_placed = !(model.cameras.is_empty() && model.lights.is_empty());
    !model.hierarchy.is_empty() || has_materials || has_pictures || has_placed
}

/// What a message says of a file of which [nothing is left](nothing_left), for this `reason`: in full all that was found in
/// it, and the files outside of its folder, if they are asked about.
pub(in crate::app) fn refusal(
    title: String,
    mut reason: Vec<String>,
    import: &Import,
    offer: Option<Offer>,
) -> Message {
    let found = by_cause(import);
    let mut in_full = Vec::new();
    if found.len() > QUOTED_ERRORS || found.len() >= reason.len() {
        in_full.push(NOTHING.to_owned());
        in_full.extend(found.into_iter().map(|(_, it)| said(it)));
    }
    if offer.is_some() {
        let outside = named_outside(&import.outside);
        if !in_full.is_empty() {
            in_full.push(outside.clone());
        }
        reason.push(outside);
    }
    Message::error(title, reason.join("\n"))
        .in_full(in_full.join("\n"))
        .offering(offer)
        .in_sentences()
}

const NOTHING: &str = "Nothing of it could be read that can be shown.";
const NO_MESH: &str = "No mesh of the scene could be read.";

/// All that was found in a file, causes of there being no vertices first.
fn by_cause(import: &Import) -> Vec<(usize, &Diagnostic)> {
    let found = import.diagnostics.iter();
    let mut found: Vec<_> = found
        .map(|it| (cause(it).unwrap_or(NO_CAUSE), it))
        .collect();
    found.sort_by_key(|(cause, _)| *cause);
    found
}

/// Any other error, and what is no reason.
const OTHER_CAUSE: usize = VERTICES_COME_FROM.len() + 1;
const NO_CAUSE: usize = OTHER_CAUSE + 1;

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

    /// An error that has nothing to do with them takes them no more than it takes nodes.
    #[test]
    fn what_a_file_without_nodes_holds_is_something_to_show() {
        let left = |parts: &str, is_wrong: bool| {
            let text = format!(r#"{{"asset": {{"version": "2.0"}}, {parts}}}"#);
            let progress = Progress::default();
            let import = import::load_bytes("parts.gltf", text.as_bytes(), &progress).unwrap();
            assert_eq!(import.has_errors(), is_wrong, "{:?}", import.diagnostics);
            nothing_left(&import).is_none()
        };
        let material = |factor: f32| {
            format!(
                r#""materials": [{{"pbrMetallicRoughness": {{"baseColorFactor": [1, 1, 1, {factor}]}}}}]"#
            )
        };
        assert!(left(&material(1.0), false));
        assert!(left(&material(1.5), true));
        let odd = r#""scene": 3"#;
        let camera =
            r#""cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]"#;
        let light = r#""extensionsUsed": ["KHR_lights_punctual"],
            "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}"#;
        for parts in [camera, light] {
            assert!(left(parts, false), "{parts}");
            assert!(left(&format!("{parts}, {odd}"), true), "{parts}");
        }
        assert!(!left(odd, true));
        // Meshes that are lost are missed beside them.
        let meshes = r#""meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}]"#;
        assert!(!left(&format!("{camera}, {meshes}"), true));
    }

    #[test]
    fn all_that_was_found_in_a_refused_file_is_said_in_full() {
        let uri = "../outside.bin";
        let primitives = (0..6).map(
            |accessor| serde_json::json!({"attributes": {"POSITION": accessor + 7}, "material": 9}),
        );
        let json = serde_json::json!({
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": primitives.collect::<Vec<_>>()}],
            "buffers": [{"byteLength": 4, "uri": uri}]
        });
        let progress = Progress::default();
        let text = json.to_string();
        let mut import = import::load_bytes("broken.gltf", text.as_bytes(), &progress).unwrap();
        import.outside = vec![uri.into()];
        let refused = |offer| {
            let reason = nothing_left(&import).unwrap();
            refusal("title".to_owned(), reason, &import, offer)
        };
        let message = refused(None);
        assert!(message.detail.contains(" more"), "{message:?}");
        assert_eq!(message.detail.lines().count(), 2 + QUOTED_ERRORS);
        let lines: Vec<_> = message.in_full.lines().collect();
        assert_eq!(lines.len(), 1 + import.diagnostics.len(), "{lines:?}");
        for found in &import.diagnostics {
            if found.pointer.is_empty() {
                continue;
            }
            let place = format!("({})", found.pointer);
            assert!(lines.iter().any(|line| line.contains(&place)), "{place}");
        }
        assert!(lines[0].starts_with("Nothing of it"), "{lines:?}");
        // What is to be allowed stands below both.
        let message = refused(Some(Offer::AllowOnce));
        for text in [&message.detail, &message.in_full] {
            assert!(text.ends_with(uri), "{text}");
        }
    }

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
        assert_eq!(no_mesh_left(&import), None);

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
        // But not in a picture.
        let reason = no_mesh_left(&import).unwrap();
        assert_eq!(reason[0], NO_MESH);
        assert!(reason[1].contains("/meshes/0/primitives/0"), "{reason:?}");
        // Nor where the scene that is shown has the mesh, and not where another has.
        let lost_in = |scene: usize| {
            let of_scenes = format!(
                r#""scene": {scene}, "scenes": [{{"nodes": [0]}}, {{"nodes": [1]}}], "nodes": [{{"mesh": 0}}, {{}}]"#
            );
            let text = animated.replace(r#""nodes": [{"mesh": 0}]"#, &of_scenes);
            let import = load(&text);
            assert!(import.has_errors());
            no_mesh_left(&import).is_some()
        };
        assert_eq!([0, 1].map(lost_in), [true, false]);
        // A mesh that never had a vertex has lost none.
        let stub = animated.replace(r#""meshes": ["#, r#""meshes": [{"primitives": []}, "#);
        let import = load(&stub);
        let mut said = import.diagnostics.iter();
        assert!(said.any(|it| it.pointer.starts_with("/meshes/1/primitives/0")));
        assert_eq!(no_mesh_left(&import), None);

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
