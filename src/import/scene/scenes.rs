//! Scenes: which nodes are shown together (glTF 2.0 §3.5.1).

use gltf::json::{self, Index};

use crate::{
    import::{
        arrays::source::Source,
        base::{diagnostics::Diagnostics, progress::Cancelled},
        json::document::Section,
    },
    model::{Hierarchy, Model, NodeId, Scene},
};

use super::skins::last_together;

#[derive(Debug, Default, serde::Deserialize)]
struct FileScene {
    name: Option<String>,
    // The gltf crate's own type demands it; the specification does not.
    nodes: Option<Vec<Index<json::Node>>>,
}

/// Reads all scenes and says which is shown first. A file without scenes gets one of all its root nodes.
pub(in crate::import) fn read(
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

/// Scenes that are looked through for the roots of joints: a file of any size must not take long.
const MAX_LOOKS: usize = 1 << 22;

/// Says which skinned meshes are shown in scenes that lack the root of their joints (glTF 2.0 §3.7.3.2); `roots` are the
/// [`Hierarchy::roots`].
pub(in crate::import) fn check_skins(
    model: &Model,
    roots: &[NodeId],
    diagnostics: &mut Diagnostics,
) {
    let hierarchy = &model.hierarchy;
    let root_of = |node: NodeId| roots.get(node.index()).copied();
    let root_of_skin = |joints: &[NodeId]| {
        // Joints without a common root are a fault of their own.
        let (_, root) = last_together(joints.iter().map(|joint| root_of(*joint)))?;
        root
    };
    let roots_of_skins: Vec<_> = model
        .skins
        .iter()
        .map(|skin| root_of_skin(&skin.joints))
        .collect();
    let mut looks = 0_usize;
    for (id, node) in hierarchy.iter() {
        let skin = node.skin.and_then(|skin| roots_of_skins.get(skin));
        let (Some(&Some(joints)), Some(own)) = (skin, root_of(id)) else {
            continue;
        };
        looks = looks.saturating_add(model.scenes.len());
        if own == joints || looks > MAX_LOOKS {
            continue;
        }
        let shows = |scene: &Scene, root: NodeId| scene.roots.binary_search(&root).is_ok();
        let lacks = |scene: &&Scene| shows(scene, own) && !shows(scene, joints);
        if model.scenes.iter().any(|scene| lacks(&scene)) {
            let message = "a scene shows the skinned mesh, but not the root of its joints";
            let action = "the joints move it all the same";
            let pointer = format_args!("/nodes/{}", node.file_index);
            diagnostics.error("NODE_SKIN_NO_SCENE", pointer, message, action);
        }
    }
}
