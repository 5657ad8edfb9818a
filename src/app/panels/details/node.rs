//! What there is to say of a node, and of a file.

use crate::{
    model::{Camera, Light, LightKind, Model, NodeId, Projection, name_or},
    ui::{Fact, FactSection, GoTo, NodeKind},
};

use super::mesh::short;

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

/// A node without its camera and light, which clips move.
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
    FactSection {
        name: hierarchy.display_name(id),
        facts,
    }
}

/// A camera as it is at a moment, and its index.
pub(super) fn camera_facts(camera: &Camera, index: usize) -> Vec<Fact> {
    let line = |name, value, in_file| Fact::new(name, value).hint(in_file);
    let (kind, lens, [near, far]) = match camera.projection {
        Projection::Perspective {
            fov_y_radians,
            aspect,
            near,
            far,
        } => {
            let hint = "yfov: from the lower to the upper edge";
            let field = line("Field of view", degrees(fov_y_radians), hint);
            let aspect = aspect.map_or_else(|| "the picture's".to_owned(), short);
            let aspect = line("Aspect", aspect, "aspectRatio: width over height");
            let far = far.map_or_else(|| "infinite".to_owned(), short);
            ("perspective", [field, aspect], [short(near), far])
        }
        Projection::Orthographic {
            half_width,
            half_height,
            near,
            far,
        } => {
            let width = line("Half width", short(half_width), "xmag");
            let height = line("Half height", short(half_height), "ymag");
            ("orthographic", [width, height], [near, far].map(short))
        }
    };
    let name = name_or(&camera.name, "camera", index);
    let mut facts = vec![Fact::new("Camera", name), Fact::new("Projection", kind)];
    facts.extend(lens);
    facts.push(line("Near plane", near, "znear"));
    facts.push(line("Far plane", far, "zfar"));
    facts
}

/// A light as it is at a moment, and its index.
pub(super) fn light_facts(light: &Light, index: usize) -> Vec<Fact> {
    let (kind, unit) = match light.kind {
        LightKind::Directional => ("directional", "lx"),
        LightKind::Point => ("point", "cd"),
        LightKind::Spot { .. } => ("spot", "cd"),
    };
    let [r, g, b] = light.color.to_array();
    let value = format!("{kind}, {} {unit}", short(light.intensity));
    let name = name_or(&light.name, "light", index);
    let hint = format!("{name}\nLinear {r}, {g}, {b}");
    let fact = Fact::new("Light", value).swatch([r, g, b, 1.0]);
    let mut facts = vec![fact.hint(hint)];
    if light.kind != LightKind::Directional {
        let range = light.range.map_or_else(|| "infinite".to_owned(), short);
        facts.push(Fact::new("Range", range).hint("Beyond this distance it gives nothing"));
    }
    if let LightKind::Spot {
        inner_radians,
        outer_radians,
    } = light.kind
    {
        for (name, radians, hint) in [
            (
                "Inner cone",
                inner_radians,
                "From the axis to where it begins to fade",
            ),
            (
                "Outer cone",
                outer_radians,
                "From the axis to where it is gone",
            ),
        ] {
            facts.push(Fact::new(name, degrees(radians)).hint(hint));
        }
    }
    facts
}

/// An angle, with the decimals of a node's rotation.
fn degrees(radians: f32) -> String {
    format!("{:.2}°", radians.to_degrees())
}
