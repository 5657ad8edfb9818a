//! Scenes: which nodes are shown together (glTF 2.0 §3.5.1).

use gltf::json::{self, Index};

use crate::model::{Hierarchy, Scene};

use super::{diagnostics::Diagnostics, document::Section, progress::Cancelled, source::Source};

#[derive(Debug, Default, serde::Deserialize)]
struct FileScene {
    name: Option<String>,
    // The gltf crate's own type demands it; the specification does not.
    nodes: Option<Vec<Index<json::Node>>>,
}

/// Reads all scenes and says which is shown first. A file without scenes gets one of all its root nodes.
pub(super) fn read(
    source: &Source<'_>,
    hierarchy: &Hierarchy,
    diagnostics: &mut Diagnostics,
) -> Result<(Vec<Scene>, usize), Cancelled> {
    let document = &source.document;
    let mut scenes = Vec::new();
    for index in 0..document.count(Section::Scenes) {
        source.progress.check()?;
        let object = document.object::<FileScene>(Section::Scenes, index, diagnostics);
        let object = object.unwrap_or_default();
        let mut scene = Scene {
            name: object.name.unwrap_or_default(),
            roots: Vec::new(),
        };
        if object.nodes.as_ref().is_some_and(Vec::is_empty) {
            let pointer = format_args!("/scenes/{index}/nodes");
            diagnostics.error("EMPTY_ENTITY", pointer, "the list of nodes is empty", "");
        }
        for (place, node) in object.nodes.unwrap_or_default().into_iter().enumerate() {
            let pointer = format_args!("/scenes/{index}/nodes/{place}");
            let action = "it is left out of the scene";
            let node = document.reference(Section::Nodes, node, pointer, action, diagnostics);
            let Some(id) = node.and_then(|node| hierarchy.by_file_index(node)) else {
                continue;
            };
            let node = hierarchy.node(id);
            if node.parent.is_some() {
                let message = format!("node {} is no root", node.file_index);
                let action = "it is shown under its parent's transform";
                diagnostics.error("SCENE_NON_ROOT_NODE", pointer, message, action);
            }
            scene.roots.push(id);
        }
        scene.roots.sort_unstable();
        scene.roots.dedup();
        scenes.push(scene);
    }
    let mut default_scene = 0;
    if let Some(index) = document.root::<Index<json::Scene>>("scene", diagnostics) {
        let action = "the first scene is shown";
        let pointer = format_args!("/scene");
        default_scene = document
            .reference(Section::Scenes, index, pointer, action, diagnostics)
            .unwrap_or(0);
    }
    if scenes.is_empty() {
        let roots = hierarchy.iter().filter(|(_, node)| node.parent.is_none());
        scenes.push(Scene {
            name: String::new(),
            roots: roots.map(|(id, _)| id).collect(),
        });
        default_scene = 0;
    }
    Ok((scenes, default_scene))
}
