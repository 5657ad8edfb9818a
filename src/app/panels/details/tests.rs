//! What is said of a made-up model, by what is chosen of it.

use glam::{Affine3A, Vec3};

use super::*;
use crate::{
    app::built_in,
    import::Import,
    model::{
        Hierarchy, Image, Influences, Material, Mesh, Node, Note, Owner, Primitive, Sampler, Skin,
        Texture, TextureRef, VariantMaterial, Vertices,
    },
    ui::{Command, FactSection, GoTo},
};

fn session(model: Model) -> Session {
    let import = Import {
        model,
        ..Import::default()
    };
    Session::new(import, None, std::time::Duration::ZERO)
}

fn details(session: &Session) -> Details {
    let mut rows = DetailRows::default();
    rows.update(session);
    rows.details
}

fn value<'a>(part: &'a FactSection, name: &str) -> &'a str {
    let fact = part.facts.iter().find(|fact| fact.name == name);
    &fact.unwrap_or_else(|| panic!("{name} in {part:?}")).value
}

/// Node 0 carries a mesh of two primitives with a skin of the joints 2 and 3 under 1, of which 3 moves nothing.
fn model() -> Model {
    let node = |name: &str| Node {
        name: name.to_owned(),
        ..Node::default()
    };
    let nodes = vec![
        Node {
            mesh: Some(0),
            skin: Some(0),
            ..node("body")
        },
        node("root"),
        node("hip"),
        node("tail"),
    ];
    let parents = [None, None, Some(1), Some(1)];
    let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); 4]).unwrap();
    let joint = |file: usize| hierarchy.by_file_index(file).unwrap();
    let primitive = |file_index: usize, material: usize| Primitive {
        file_index,
        indices: vec![0, 1, 2].into(),
        vertices: Vertices {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            ..Vertices::default()
        },
        rest_bounds: crate::model::Aabb::of_points([Vec3::ZERO, Vec3::X, Vec3::Y]),
        influences: Some(Influences {
            per_vertex: 4,
            joints: vec![0; 12],
            weights: [1.0, 0.0, 0.0, 0.0].repeat(3),
        }),
        material,
        ..Primitive::default()
    };
    let mut second = primitive(1, 1);
    second.variant_materials = vec![VariantMaterial {
        variant: 0,
        material: 0,
    }];
    let used = |texture: usize| {
        Some(TextureRef {
            texture,
            ..TextureRef::default()
        })
    };
    let image = |name: &str, side: u32| Image {
        name: name.to_owned(),
        width: side,
        height: side,
        levels: vec![vec![9; (4 * side * side) as usize]].into(),
        ..Image::default()
    };
    Model {
        skins: vec![Skin {
            name: "rig".to_owned(),
            joints: vec![joint(2), joint(3)],
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            ..Skin::default()
        }],
        meshes: vec![Mesh {
            name: "skinned".to_owned(),
            primitives: vec![primitive(0, 0), second],
            ..Mesh::default()
        }]
        .into(),
        materials: vec![
            Material {
                name: "red".to_owned(),
                base_color_texture: used(0),
                emissive_texture: used(1),
                ..Material::default()
            },
            Material {
                name: "blue".to_owned(),
                ..Material::default()
            },
            Material::default(),
        ],
        variants: vec!["beach".to_owned()],
        textures: [0, 1]
            .map(|image| Texture {
                image,
                sampler: Sampler::default(),
            })
            .to_vec(),
        images: vec![image("skin.png", 512), image("glow.png", 16)].into(),
        scenes: vec![crate::model::Scene {
            name: String::new(),
            roots: vec![joint(0), joint(1)],
        }],
        hierarchy,
        ..Model::default()
    }
}

#[test]
fn a_chosen_node_shows_its_mesh_skin_material_and_texture() {
    let mut session = session(model());
    let nothing = details(&session);
    assert!(nothing.file.is_some() && nothing.node.is_none() && nothing.mesh.is_none());
    assert_eq!(
        nothing.materials.len(),
        2,
        "the default material is not the file's"
    );

    session.apply(Command::SelectNode(Some(0)));
    let chosen = details(&session);
    assert!(chosen.file.is_none());
    assert_eq!(value(chosen.node.as_ref().unwrap(), "Kind"), "skinned mesh");
    let mesh = chosen.mesh.as_ref().unwrap();
    assert_eq!(mesh.name, "skinned");
    assert_eq!(value(mesh, "Primitives"), "2");
    assert_eq!(value(mesh, "Vertices"), "6");
    assert_eq!(value(mesh, "Triangles"), "2");
    assert_eq!(
        value(mesh, "Attributes"),
        "POSITION · JOINTS and WEIGHTS × 4"
    );
    assert_eq!(value(mesh, "Primitive 1"), "blue");
    let skin = chosen.skin.as_ref().unwrap();
    assert_eq!(value(skin, "Joints"), "2");
    assert_eq!(value(skin, "Skeleton root"), "root");
    assert_eq!(value(skin, "Influences a vertex"), "up to 1, mean 1.0");
    assert_eq!(value(skin, "Joints without weight"), "1");
    let unused = skin
        .facts
        .iter()
        .find(|fact| fact.name == "Joints without weight");
    assert_eq!(unused.unwrap().hint, "tail");
    let (index, material) = chosen.material.as_ref().unwrap();
    assert_eq!((*index, &*material.name), (0, "red"));
    assert_eq!(value(material, "In variants"), "beach");
    assert_eq!(value(material, "Used by"), "2 primitives");
    let (index, texture) = chosen.texture.as_ref().unwrap();
    assert_eq!((*index, &*texture.name), (0, "skin.png"));
    assert_eq!(value(texture, "Size"), "512 × 512 pixels");
    assert_eq!(value(texture, "Mip levels"), "10, made");
    // 4 bytes × (512² + 256² + … + 1).
    assert_eq!(value(texture, "Memory"), "1.3 MiB");
    let pictures: Vec<_> = chosen
        .pictures
        .iter()
        .map(|it| (it.texture, it.size))
        .collect();
    assert_eq!(pictures, [(0, [192, 192]), (1, [16, 16])]);
    assert_eq!(chosen.large, None);
}

#[test]
fn materials_and_textures_are_chosen_among_those_of_the_mesh() {
    let mut session = session(model());
    session.apply(Command::SelectNode(Some(0)));
    session.apply(Command::Inspect(InspectCommand::Texture(1)));
    session.apply(Command::Inspect(InspectCommand::Enlarge(true)));
    let glow = details(&session);
    assert_eq!(glow.texture.as_ref().unwrap().0, 1);
    assert_eq!(glow.large.as_ref().unwrap().size, [16, 16]);
    session.apply(Command::CloseFront);
    assert_eq!(details(&session).large, None);
    session.apply(Command::Inspect(InspectCommand::Enlarge(true)));
    session.apply(Command::Inspect(InspectCommand::Material(1)));
    let blue = details(&session);
    assert_eq!(blue.material.as_ref().unwrap().0, 1);
    assert_eq!((&blue.texture, &blue.large), (&None, &None));
    // There it is forgotten, and Escape has something else to close.
    session.inspected.forget_unshown(&blue);
    assert!(!session.inspected.is_large());
    // The variant has the other material on both primitives.
    session.apply(Command::SelectVariant(Some(0)));
    let beach = details(&session);
    assert_eq!(beach.materials.len(), 1);
    assert_eq!(beach.material.unwrap().0, 0);
    // A joint has none.
    session.apply(Command::SelectNode(Some(1)));
    let joint = details(&session);
    assert!(joint.materials.is_empty() && joint.material.is_none() && joint.mesh.is_none());
    let kind = details(&{
        session.apply(Command::SelectNode(Some(2)));
        session
    });
    let node = kind.node.unwrap();
    assert_eq!(value(&node, "Kind"), "joint");
    let parent = node
        .facts
        .iter()
        .find(|fact| fact.name == "Parent")
        .unwrap();
    assert_eq!(parent.goes_to, Some(GoTo::Node(1)));
}

#[test]
fn what_is_noted_on_the_scene_that_is_shown_is_said() {
    let mut model = model();
    model.scenes.push(model.scenes[0].clone());
    model.metadata.notes = (0..2)
        .map(|scene| Note {
            owner: Owner::Scene(scene),
            extras: Some(format!("\"scene {scene}\"")),
            xmp_packet: None,
        })
        .collect();
    let mut session = session(model);
    let mut rows = DetailRows::default();
    for scene in [0, 1, 0] {
        session.apply(Command::SelectScene(scene));
        rows.update(&session);
        let texts: Vec<_> = rows.details.notes.iter().map(|it| &*it.text).collect();
        assert_eq!(texts, [format!("\"scene {scene}\"\n")]);
    }
}

#[test]
fn details_are_made_once_for_a_choice() {
    let import = built_in::load(built_in::NAMES[0]).unwrap();
    let mut session = Session::new(import, None, std::time::Duration::ZERO);
    session.apply(Command::SelectNode(Some(0)));
    let mut rows = DetailRows::default();
    rows.update(&session);
    let generation = rows.details.generation;
    session.tick(0.1);
    session.update();
    rows.update(&session);
    assert_eq!(
        rows.details.generation, generation,
        "time alone changes nothing"
    );
    let channels = rows.details.channels.clone();
    session.apply(Command::SelectClip(None));
    rows.update(&session);
    assert_eq!(rows.details.generation, generation, "pictures stay");
    assert_ne!(rows.details.channels, channels);
    assert_eq!(rows.details.channels, None);
    session.apply(Command::SelectNode(Some(1)));
    rows.update(&session);
    assert_ne!(rows.details.generation, generation);
}

#[test]
fn clips_of_another_file_count_at_once() {
    let load = || built_in::load("Pip").unwrap();
    let mut session = Session::new(load(), None, std::time::Duration::ZERO);
    let mut rows = DetailRows::default();
    rows.update(&session);
    let count = session.model().clips.len();
    let clips = |rows: &DetailRows| value(rows.details.file.as_ref().unwrap(), "Clips").to_owned();
    assert_eq!(clips(&rows), count.to_string());
    session.add_clips("other.glb", load().model);
    rows.update(&session);
    assert_eq!(clips(&rows), (2 * count).to_string());
}
