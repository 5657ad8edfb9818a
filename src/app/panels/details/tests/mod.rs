//! What is said of a made-up model, by what is chosen of it.

mod evaluated;

use glam::{Affine3A, Vec3};

use super::*;
use crate::{
    app::built_in,
    import::Import,
    model::{
        Camera, CameraProperty, ClipBuilder, Hierarchy, Image, Influences, Interpolation, Light,
        LightKind, LightProperty, Material, MaterialProperty, Mesh, Node, Note, Owner, Primitive,
        Projection, PropertyTarget, Sampler, Skin, Texture, TextureRef, TextureSlot, Timeline,
        TransformProperty, VariantMaterial, Vertices,
    },
    ui::{Command, FactSection, GoTo, InspectCommand, MixCommand, PlaybackCommand},
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

/// [`model`] with a clip that moves its light, its camera, material 0, and the first texture of that.
fn model_of_moved_properties() -> Model {
    let mut clip = ClipBuilder::new("glow");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 4.0]).unwrap());
    let light = |property| PropertyTarget::Light(0, property);
    let width = PropertyTarget::Camera(0, CameraProperty::HalfWidth);
    let rough = PropertyTarget::Material(0, MaterialProperty::Roughness);
    let slot = TextureSlot::BaseColor;
    let offset = PropertyTarget::TextureTransform(0, slot, TransformProperty::Offset);
    for (target, values) in [
        (light(LightProperty::Intensity), vec![10.0, 30.0]),
        (
            light(LightProperty::Color),
            vec![1.0, 1.0, 1.0, 0.0, 0.0, 1.0],
        ),
        (width, vec![1.0, 5.0]),
        (rough, vec![1.0, 0.0]),
        (offset, vec![0.0, 0.0, 2.0, 1.0]),
    ] {
        clip.property(target, timeline, Interpolation::Linear, values)
            .unwrap();
    }
    Model {
        clips: vec![clip.finish()],
        ..model()
    }
}

/// Node 0 carries a mesh of two primitives with a skin of the joints 2 and 3 under 1, of which 3 moves nothing; a light and a
/// camera, too.
fn model() -> Model {
    let node = |name: &str| Node {
        name: name.to_owned(),
        ..Node::default()
    };
    let nodes = vec![
        Node {
            mesh: Some(0),
            skin: Some(0),
            camera: Some(0),
            light: Some(0),
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
        lights: vec![Light {
            name: "lamp".to_owned(),
            kind: LightKind::spot(0.25, 0.5),
            color: Vec3::ONE,
            intensity: std::f32::consts::PI,
            range: None,
        }],
        cameras: vec![Camera {
            name: "lens".to_owned(),
            projection: Projection::Orthographic {
                half_width: 1.0,
                half_height: 2.0,
                near: 0.125,
                far: 100.0,
            },
        }],
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
    assert!(!session.inspected.is_large);
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
fn channels_of_what_stands_at_a_node_are_its_channels() {
    let mut session = session(model_of_moved_properties());
    session.apply(Command::SelectClip(Some(0)));
    let mut channels = |node| {
        session.apply(Command::SelectNode(Some(node)));
        details(&session).channels.unwrap()
    };
    let of_body = channels(0);
    let paths: Vec<_> = of_body.iter().map(|row| &*row.path).collect();
    let expected = [
        "lamp: intensity",
        "lamp: color",
        "lens: xmag",
        "red: roughnessFactor",
        "red: baseColorTexture offset",
    ];
    assert_eq!(paths, expected);
    let pointer = of_body[2].pointer.as_deref();
    assert_eq!(pointer, Some("/cameras/0/orthographic/xmag"));
    assert_eq!(channels(1), []);
}

/// As timeline, sheet and tree tell it.
#[test]
fn over_the_own_pose_channels_and_notes_are_those_of_the_clip_that_gives_the_time() {
    let mut model = model_of_moved_properties();
    model.metadata.notes = vec![Note {
        owner: Owner::Clip(0),
        extras: Some("\"glows\"".to_owned()),
        xmp_packet: None,
    }];
    let mut session = session(model);
    let mut rows = DetailRows::default();
    let mut told = |session: &mut Session, command| {
        session.apply(command);
        let mut with = |node: Option<usize>| {
            session.apply(Command::SelectNode(node));
            rows.update(session);
            rows.details.clone()
        };
        (
            with(Some(0)).channels.as_ref().map(Vec::len),
            with(None).notes.len(),
        )
    };
    assert_eq!(told(&mut session, Command::SelectClip(None)), (None, 0));
    let mix = Command::Mix(MixCommand::ToggleMixed(0));
    assert_eq!(told(&mut session, mix), (Some(5), 1));
    let end = Command::Mix(MixCommand::EndMix);
    assert_eq!(told(&mut session, end), (None, 0));
}

#[test]
fn cameras_and_lights_are_told_in_figures() {
    let mut model = model();
    let mut facts = |projection, kind, range| {
        model.cameras[0].projection = projection;
        model.lights[0].kind = kind;
        model.lights[0].range = range;
        let mut session = session(model.clone());
        session.apply(Command::SelectNode(Some(0)));
        let node = details(&session).node.unwrap();
        let told = node.facts.into_iter();
        let told = told.skip_while(|fact| fact.name != "Camera");
        let told: Vec<_> = told
            .map(|it| format!("{}: {}", it.name, it.value))
            .collect();
        told.join(", ")
    };
    let perspective = |aspect, far| Projection::Perspective {
        fov_y_radians: 1.0,
        aspect,
        near: 0.1,
        far,
    };
    let parallel = Projection::Orthographic {
        half_width: 1.0,
        half_height: 2.0,
        near: 0.125,
        far: 100.0,
    };
    assert_eq!(
        facts(
            perspective(Some(1.5), Some(250.0)),
            LightKind::spot(0.25, 0.5),
            None
        ),
        "Camera: lens, Projection: perspective, Field of view: 57.30°, Aspect: 1.5000, \
         Near plane: 0.1000, Far plane: 250.00, \
         Light: spot, 3.1416 cd, Range: infinite, Inner cone: 14.32°, Outer cone: 28.65°"
    );
    assert_eq!(
        facts(perspective(None, None), LightKind::Point, Some(12.5)),
        "Camera: lens, Projection: perspective, Field of view: 57.30°, Aspect: the picture's, \
         Near plane: 0.1000, Far plane: infinite, Light: point, 3.1416 cd, Range: 12.500"
    );
    assert_eq!(
        facts(parallel, LightKind::Directional, None),
        "Camera: lens, Projection: orthographic, Half width: 1.0000, Half height: 2.0000, \
         Near plane: 0.1250, Far plane: 100.00, Light: directional, 3.1416 lx"
    );
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
