//! What there is to say of a node, and of a file.

use crate::{
    model::{LightKind, Model, NodeId, Projection},
    ui::{Fact, FactSection, GoTo, NodeKind},
};

use super::named;

/// Names of extensions that are listed in a tooltip.
const MAX_NAMES: usize = 40;

/// The file as a whole.
pub(super) fn of_file(model: &Model) -> FactSection {
    let asset = &model.asset;
    let mut facts = vec![Fact::new("glTF", asset.version.clone())];
    let texts = [
        ("Written by", asset.generator.as_deref()),
        ("Copyright", asset.copyright.as_deref()),
        ("Title", Some(&*model.metadata.title)),
    ];
    for (name, text) in texts {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            facts.push(Fact::new(name, text).hint(text));
        }
    }
    if !model.metadata.authors.is_empty() {
        facts.push(Fact::new("Authors", model.metadata.authors.join(", ")));
    }
    for (name, extensions) in [
        ("Extensions", &asset.extensions_used),
        ("Required", &asset.extensions_required),
    ] {
        if !extensions.is_empty() {
            let listed = &extensions[..extensions.len().min(MAX_NAMES)];
            facts.push(Fact::new(name, extensions.len().to_string()).hint(listed.join("\n")));
        }
    }
    for (name, count) in [
        ("Scenes", model.scenes.len()),
        ("Clips", model.clips.len()),
        ("Cameras", model.cameras.len()),
        ("Lights", model.lights.len()),
        ("Variants", model.variants.len()),
    ] {
        if count > 0 {
            facts.push(Fact::new(name, count.to_string()));
        }
    }
    FactSection {
        name: model.name.clone(),
        facts,
    }
}

/// A node.
pub(super) fn part(model: &Model, id: NodeId) -> FactSection {
    let hierarchy = &model.hierarchy;
    let node = hierarchy.node(id);
    let skins = model.skins.iter();
    let of_skins = skins.filter(|skin| skin.joints.contains(&id)).count();
    let kind = NodeKind::of(node, of_skins > 0).label();
    let mut facts = vec![
        Fact::new("Kind", kind),
        Fact::new("Index in the file", node.file_index.to_string()),
    ];
    if of_skins > 1 {
        facts.push(Fact::new("Joint of", format!("{of_skins} skins")));
    }
    if let Some(parent) = node.parent {
        let fact = Fact::new("Parent", hierarchy.display_name(parent));
        facts.push(fact.goes_to(GoTo::Node(parent.index())));
    }
    let children = hierarchy.iter();
    let children = children.filter(|(_, other)| other.parent == Some(id));
    let count = children.count();
    if count > 0 {
        facts.push(Fact::new("Children", count.to_string()));
    }
    if !node.node_from_instances.is_empty() {
        let count = node.node_from_instances.len();
        facts.push(Fact::new("Copies of the mesh", count.to_string()));
    }
    if node.is_hidden {
        facts.push(Fact::new("Hidden", "by the file"));
    }
    if node.fixed_matrix.is_some() {
        facts.push(
            Fact::new("Placed by", "a matrix")
                .hint("It may shear, which the figures below cannot say"),
        );
    }
    facts.extend(node.camera.and_then(|camera| camera_fact(model, camera)));
    facts.extend(node.light.and_then(|light| light_fact(model, light)));
    FactSection {
        name: hierarchy.display_name(id),
        facts,
    }
}

fn camera_fact(model: &Model, index: usize) -> Option<Fact> {
    let camera = model.cameras.get(index)?;
    let kind = match camera.projection {
        Projection::Perspective { .. } => "perspective",
        Projection::Orthographic { .. } => "orthographic",
    };
    let name = named(&camera.name, "camera", index);
    Some(Fact::new("Camera", name).hint(kind))
}

fn light_fact(model: &Model, index: usize) -> Option<Fact> {
    let light = model.lights.get(index)?;
    let (kind, unit) = match light.kind {
        LightKind::Directional => ("directional", "lx"),
        LightKind::Point => ("point", "cd"),
        LightKind::Spot { .. } => ("spot", "cd"),
    };
    let [r, g, b] = light.color.to_array();
    let value = format!("{kind}, {} {unit}", light.intensity);
    let fact = Fact::new("Light", value).swatch([r, g, b, 1.0]);
    Some(fact.hint(named(&light.name, "light", index)))
}
