//! What there is to say of a mesh and of the skin that deforms it.

use crate::{
    model::{Aabb, Influences, Mesh, Model, NodeId, Primitive, Skin, Topology, name_or},
    ui::{Fact, FactSection, GoTo},
};

/// Primitives, targets and joints that are named.
const MAX_NAMED: usize = 32;

/// A mesh.
pub(super) fn part(model: &Model, index: usize, variant: Option<usize>) -> FactSection {
    let name = name_or(&model.meshes[index].name, "mesh", index);
    let mesh = &model.meshes[index];
    let primitives = &mesh.primitives;
    let vertices: usize = primitives.iter().map(Primitive::file_vertex_count).sum();
    let mut facts = vec![
        Fact::new("Primitives", primitives.len().to_string()).odd_if(primitives.is_empty()),
        Fact::new("Vertices", grouped(vertices)),
    ];
    for (topology, name, corners) in [
        (Topology::Triangles, "Triangles", 3),
        (Topology::Lines, "Lines", 2),
        (Topology::Points, "Points", 1),
    ] {
        let of_kind = primitives.iter().filter(|it| it.topology == topology);
        let count: usize = of_kind.map(|it| it.indices.len() / corners).sum();
        if count > 0 {
            facts.push(Fact::new(name, grouped(count)));
        }
    }
    let attributes = attributes(mesh);
    facts.push(Fact::new("Attributes", attributes.join(" · ")).wrapped());
    if mesh.target_count > 0 {
        let targets = 0..mesh.target_count.min(MAX_NAMED);
        let names: Vec<_> = targets.map(|target| mesh.target_name(target)).collect();
        let count = mesh.target_count.to_string();
        facts.push(Fact::new("Morph targets", count).hint(names.join("\n")));
    }
    facts.extend(bounds(mesh));
    let nodes = model.hierarchy.nodes().iter();
    let users = nodes.filter(|node| node.mesh == Some(index)).count();
    if users > 1 {
        facts.push(Fact::new("Placed by", format!("{users} nodes")));
    }
    if primitives.len() > 1 {
        facts.extend(primitives.iter().take(MAX_NAMED).map(|primitive| {
            let material = primitive.material_in(variant);
            let name = format!("Primitive {}", primitive.file_index);
            let of_model = &model.materials[material];
            Fact::new(name, name_or(&of_model.name, "material", material))
                .goes_to(GoTo::Material(material))
                .hint(format!(
                    "{} vertices; a click shows its material",
                    grouped(primitive.file_vertex_count())
                ))
        }));
        if primitives.len() > MAX_NAMED {
            let more = primitives.len() - MAX_NAMED;
            facts.push(Fact::new("…", format!("{more} more primitives")));
        }
    }
    FactSection { name, facts }
}

/// The attributes that some primitive has, as the file calls them.
fn attributes(mesh: &Mesh) -> Vec<String> {
    let primitives = &mesh.primitives;
    let any = |has: fn(&Primitive) -> bool| primitives.iter().any(has);
    let mut names = Vec::new();
    for (name, is_there) in [
        ("POSITION", any(|it| !it.vertices.positions.is_empty())),
        ("NORMAL", any(|it| !it.vertices.normals.is_empty())),
        ("TANGENT", any(|it| !it.vertices.tangents.is_empty())),
        (
            "TEXCOORD_0",
            any(|it| !it.vertices.tex_coords[0].is_empty()),
        ),
        (
            "TEXCOORD_1",
            any(|it| !it.vertices.tex_coords[1].is_empty()),
        ),
        ("COLOR_0", any(|it| !it.vertices.colors.is_empty())),
    ] {
        if is_there {
            names.push(name.to_owned());
        }
    }
    let influences = primitives.iter().filter_map(|it| it.influences.as_ref());
    if let Some(most) = influences.map(|it| it.per_vertex).max() {
        names.push(format!("JOINTS and WEIGHTS × {most}"));
    }
    names
}

fn bounds(mesh: &Mesh) -> Option<Fact> {
    let boxes = mesh.primitives.iter().map(|it| it.rest_bounds);
    let whole = boxes.reduce(Aabb::union)?;
    if whole.is_empty() {
        return None;
    }
    let [x, y, z] = (whole.max - whole.min).to_array();
    let value = format!("{} × {} × {}", short(x), short(y), short(z));
    let corner = |corner: glam::Vec3| corner.to_array().map(short).join(", ");
    let hint = format!(
        "As in the file, before skinning and morphing\nfrom {}\nto {}",
        corner(whole.min),
        corner(whole.max)
    );
    Some(Fact::new("Size", value).hint(hint))
}

/// A skin, as it deforms `mesh`.
pub(super) fn skin_part(model: &Model, index: usize, mesh: Option<usize>) -> Option<FactSection> {
    let skin = model.skins.get(index)?;
    let mut facts = vec![Fact::new("Joints", grouped(skin.joints.len()))];
    if let Some(root) = lowest_common_node(model, &skin.joints) {
        let name = model.hierarchy.display_name(root);
        let fact = Fact::new("Skeleton root", name).goes_to(GoTo::Node(root.index()));
        facts.push(fact.hint("The lowest node that all joints hang under"));
    }
    if let Some(mesh) = mesh.and_then(|mesh| model.meshes.get(mesh)) {
        facts.extend(influence_facts(model, skin, mesh));
    }
    let mut bound = skin.joint_from_mesh.iter();
    let is_identity = bound.all(|matrix| *matrix == glam::Affine3A::IDENTITY);
    if is_identity {
        facts.push(Fact::new("Inverse bind matrices", "all identity"));
    }
    Some(FactSection {
        name: name_or(&skin.name, "skin", index),
        facts,
    })
}

/// The lowest node at or above all joints.
fn lowest_common_node(model: &Model, joints: &[NodeId]) -> Option<NodeId> {
    let parent = |node: NodeId| model.hierarchy.node(node).parent;
    let mut root = *joints.first()?;
    for &joint in joints {
        let mut joint = joint;
        // Parents stand before children: of two different nodes the later one cannot be above the other.
        while joint != root {
            if joint > root {
                joint = parent(joint)?;
            } else {
                root = parent(root)?;
            }
        }
    }
    Some(root)
}

fn influence_facts(model: &Model, skin: &Skin, mesh: &Mesh) -> Vec<Fact> {
    let mut is_used = vec![false; skin.joints.len()];
    let (mut most, mut sum, mut vertices) = (0_usize, 0_usize, 0_usize);
    let influences = mesh
        .primitives
        .iter()
        .filter_map(|it| it.influences.as_ref());
    for Influences {
        per_vertex,
        joints,
        weights,
    } in influences
    {
        let per_vertex = (*per_vertex).max(1);
        for (joints, weights) in joints.chunks(per_vertex).zip(weights.chunks(per_vertex)) {
            let mut count = 0;
            for (joint, weight) in joints.iter().zip(weights) {
                if *weight > 0.0 {
                    count += 1;
                    if let Some(is_used) = is_used.get_mut(usize::from(*joint)) {
                        *is_used = true;
                    }
                }
            }
            most = most.max(count);
            sum += count;
            vertices += 1;
        }
    }
    if vertices == 0 {
        return vec![Fact::new("Influences", "none").odd_if(true)];
    }
    let mean = sum as f64 / vertices as f64;
    let value = format!("up to {most}, mean {mean:.1}");
    let mut facts = vec![Fact::new("Influences a vertex", value)];
    let unused = skin.joints.iter().zip(&is_used);
    let unused: Vec<_> = unused.filter(|(_, is_used)| !**is_used).collect();
    let names: Vec<_> = unused
        .iter()
        .take(MAX_NAMED)
        .map(|(joint, _)| model.hierarchy.display_name(**joint))
        .collect();
    let fact = Fact::new("Joints without weight", grouped(unused.len()));
    facts.push(fact.hint(names.join("\n")));
    facts
}

/// A count with thin spaces between its thousands.
fn grouped(count: usize) -> String {
    crate::ui::thousands(count as u64)
}

/// A figure of few digits.
pub(super) fn short(value: f32) -> String {
    crate::ui::number(value)
}
