//! What nodes place, and which materials meshes have.

use glam::{Affine3A, Vec3};

use super::*;
use crate::model::{Hierarchy, Mesh, Node, NodeId, Primitive, Scene, Skin, VariantMaterial};

/// A node that places all there is, and a mesh of these primitives.
fn placed(node: Node, primitives: Vec<Primitive>) -> Model {
    let coat = |name: &str| Material {
        name: name.to_owned(),
        ..Material::default()
    };
    let mesh = Mesh {
        name: "Body".to_owned(),
        primitives,
        ..Mesh::default()
    };
    let node = Node {
        name: "Hip".to_owned(),
        ..node
    };
    Model {
        hierarchy: Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap(),
        meshes: vec![mesh, Mesh::default()].into(),
        materials: vec![coat("Skin"), coat("Cloth"), Material::default()],
        variants: vec!["Day".to_owned(), "Night".to_owned()],
        ..model(full())
    }
}

#[test]
fn other_names_of_meshes_are_told_and_meshes_that_one_alone_has() {
    let first = placed(Node::default(), Vec::new());
    let second = |change: fn(&mut Mesh)| {
        let mut second = first.clone();
        change(&mut std::sync::Arc::make_mut(&mut second.meshes)[0]);
        second
    };
    let renamed = second(|mesh| mesh.name = "Torso".to_owned());
    assert_eq!(
        told(&first, &renamed),
        ["mesh \"Body\": name \"Body\" and \"Torso\""]
    );
    let other = second(|mesh| {
        let mut primitive = Primitive::default();
        primitive.vertices.positions = vec![Vec3::ZERO];
        (mesh.name, mesh.primitives) = ("Cape".to_owned(), vec![primitive]);
    });
    assert!(told(&first, &other).is_empty());
    let found = compare(&first, &other, 0.0);
    let meshes = &found.meshes;
    assert_eq!(
        (&meshes.only_first, &meshes.only_second),
        (&vec![0], &vec![0])
    );
    assert!(!found.is_none());
}

#[test]
fn what_nodes_place_is_told() {
    let copies = |far: f32, count| {
        let place = |copy: i16| Affine3A::from_translation(Vec3::X * f32::from(copy) * far);
        (0..count).map(place).collect()
    };
    let node = Node {
        mesh: Some(0),
        camera: Some(0),
        light: Some(1),
        node_from_instances: copies(1.0, 3),
        ..Node::default()
    };
    let first = placed(node.clone(), Vec::new());
    let told = |change: &dyn Fn(&mut Node)| {
        let mut node = node.clone();
        change(&mut node);
        told(&first, &placed(node, Vec::new()))
    };
    assert!(told(&|_| {}).is_empty());
    assert_eq!(
        told(&|it| it.mesh = Some(1)),
        ["node \"Hip\": mesh \"Body\" and 1"]
    );
    assert_eq!(
        told(&|it| it.skin = Some(0)),
        ["node \"Hip\": skin none and 0"]
    );
    assert_eq!(
        told(&|it| it.camera = None),
        ["node \"Hip\": camera \"Eye\" and none"]
    );
    let light = "node \"Hip\": light \"Sun\" and \"Lamp\"";
    assert_eq!(told(&|it| it.light = Some(0)), [light]);
    let count = "node \"Hip\": EXT_mesh_gpu_instancing 3 and 2";
    assert_eq!(told(&|it| it.node_from_instances = copies(1.0, 2)), [count]);
    let moved = "node \"Hip\": EXT_mesh_gpu_instancing 3 and 3, 2 of them are elsewhere by up to 50.000% of the size";
    assert_eq!(told(&|it| it.node_from_instances = copies(1.5, 3)), [moved]);
    let turned = |it: &mut Node| {
        let mut copies = copies(1.0, 3);
        copies[1] *= Affine3A::from_scale(Vec3::splat(1.5));
        it.node_from_instances = copies;
    };
    let expected = "node \"Hip\": EXT_mesh_gpu_instancing 3 and 3, 1 of them is turned or scaled otherwise by up to 0.500";
    assert_eq!(told(&turned), [expected]);
    // What is allowed is a part of the size.
    assert!(told(&|it| it.node_from_instances = copies(1.000_05, 3)).is_empty());
}

#[test]
fn materials_of_meshes_are_told_also_in_variants() {
    let primitive = |material, others: &[(usize, usize)]| Primitive {
        material,
        variant_materials: others
            .iter()
            .map(|&(variant, material)| VariantMaterial { variant, material })
            .collect(),
        ..Primitive::default()
    };
    let lines = |first: Primitive, second: Primitive| {
        let [first, second] = [first, second].map(|it| placed(Node::default(), vec![it]));
        told(&first, &second)
    };
    let own = "mesh \"Body\": primitives/0/material \"Skin\" and none";
    assert_eq!(lines(primitive(0, &[]), primitive(2, &[])), [own]);
    let night = "mesh \"Body\": primitives/0/KHR_materials_variants \"Skin\" and \"Cloth\", in the variant \"Night\"";
    assert_eq!(lines(primitive(0, &[]), primitive(0, &[(1, 1)])), [night]);
    // To say what holds anyway is no difference.
    assert!(lines(primitive(0, &[]), primitive(0, &[(0, 0)])).is_empty());
    let [mut first, mut second] =
        [0, 1].map(|_| placed(Node::default(), vec![primitive(0, &[(1, 1)])]));
    // The same in another order.
    second.variants.reverse();
    assert_eq!(told(&first, &second).len(), 2);
    let meshes = std::sync::Arc::make_mut(&mut second.meshes);
    meshes[0].primitives = vec![primitive(0, &[(0, 1)])];
    assert!(compare(&first, &second, 0.0).is_none());
    first.variants[0] = "Dawn".to_owned();
    assert_eq!(told(&first, &second), Vec::<String>::new());
    let found = compare(&first, &second, 0.0);
    assert_eq!(found.variants.only_first, [0]);
    assert_eq!(PartKind::Variant.names(&first, &[0]), ["Dawn"]);
}

/// A model of three nodes side by side, of a skin that follows them, and of two scenes: of one node, and of the two others.
fn staged() -> Model {
    let node = |name: &str| Node {
        name: name.to_owned(),
        ..Node::default()
    };
    let nodes = ["Hip", "Sword", "Shield"].map(node).to_vec();
    let scene = |name: &str, roots: &[u32]| Scene {
        name: name.to_owned(),
        roots: roots.iter().copied().map(NodeId).collect(),
    };
    let skin = Skin {
        name: "Body".to_owned(),
        skeleton: Some(NodeId(0)),
        ..Skin::default()
    };
    Model {
        hierarchy: Hierarchy::new(nodes, &[None; 3], &[vec![], vec![], vec![]]).unwrap(),
        scenes: vec![scene("Hall", &[0]), scene("Armoury", &[1, 2])],
        skins: vec![skin],
        ..Model::default()
    }
}

#[test]
fn what_scenes_are_called_and_show_is_told() {
    let first = staged();
    let second = |change: fn(&mut Model)| {
        let mut second = first.clone();
        change(&mut second);
        second
    };
    assert!(compare(&first, &second(|_| {}), 0.0).is_none());
    let told = |change| told(&first, &second(change));
    assert_eq!(
        told(|it| it.scenes[1].name = "Stables".to_owned()),
        ["scene \"Armoury\": name \"Armoury\" and \"Stables\""]
    );
    assert_eq!(
        told(|it| it.scenes[1].roots = vec![NodeId(0)]),
        [
            "scene \"Armoury\": nodes 2 and 1, only the first shows 2 nodes, such as \"Sword\", only the second shows \"Hip\""
        ]
    );
    // Each node tells what the scene that is shown at first has of it.
    assert_eq!(
        told(|it| it.scenes[0].roots.push(NodeId(1))),
        ["node \"Sword\": in the scene that is shown no and yes"]
    );
    let other_default = told(|it| it.default_scene = 1);
    assert_eq!(
        other_default[..2],
        [
            "scene \"Hall\": shown at first yes and no",
            "scene \"Armoury\": shown at first no and yes",
        ]
    );
    assert_eq!(other_default.len(), 5, "{other_default:?}");
    // They are found by their names.
    let reversed = second(|it| {
        it.scenes.reverse();
        it.default_scene = 1;
    });
    assert!(compare(&first, &reversed, 0.0).is_none());
    let more = second(|it| it.scenes.push(Scene::default()));
    let scenes = compare(&first, &more, 0.0).scenes;
    assert_eq!(scenes.only_second, [2]);
    assert!(!scenes.is_complete());
}

/// What nodes of one model alone leads to is told of these.
#[test]
fn a_root_that_hangs_on_a_new_node_is_still_shown() {
    let first = staged();
    let mut nodes = first.hierarchy.nodes().to_vec();
    nodes.push(Node {
        name: "Armature".to_owned(),
        ..Node::default()
    });
    let parents = [None, Some(3), None, None];
    let hierarchy = Hierarchy::new(nodes, &parents, &[vec![], vec![], vec![], vec![]]).unwrap();
    let find = |name: &str| {
        let mut found = hierarchy.iter().filter(|(_, node)| node.name == name);
        found.next().unwrap().0
    };
    let [hip, armature, shield] = ["Hip", "Armature", "Shield"].map(find);
    let mut second = Model {
        hierarchy: hierarchy.clone(),
        ..first.clone()
    };
    second.skins[0].skeleton = Some(hip);
    second.scenes[0].roots = vec![hip];
    second.scenes[1].roots = vec![armature, shield];
    second.scenes[1].roots.sort_unstable();
    assert!(told(&first, &second).is_empty());
}

#[test]
fn a_node_is_shown_where_one_above_it_is_listed() {
    let staged = |armoury: &[&str]| {
        let mut model = staged();
        let mut nodes = model.hierarchy.nodes().to_vec();
        nodes.push(Node {
            name: "Rack".to_owned(),
            ..Node::default()
        });
        // The shield hangs on the sword, which hangs on the rack.
        let parents = [None, Some(3), Some(1), None];
        let weights = [const { Vec::new() }; 4];
        model.hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
        let find = |name: &str| {
            let mut found = model.hierarchy.iter().filter(|(_, node)| node.name == name);
            found.next().unwrap().0
        };
        model.scenes[0].roots = vec![find("Hip")];
        model.skins[0].skeleton = Some(find("Hip"));
        model.scenes[1].roots = armoury.iter().map(|name| find(name)).collect();
        model.scenes[1].roots.sort_unstable();
        model
    };
    let sword = staged(&["Sword"]);
    assert!(told(&sword, &staged(&["Sword", "Shield"])).is_empty());
    assert!(told(&staged(&["Sword", "Shield"]), &sword).is_empty());
    assert_eq!(
        told(&sword, &staged(&["Shield"])),
        ["scene \"Armoury\": nodes 1 and 1, only the first shows \"Sword\""]
    );
}

#[test]
fn what_skins_are_called_and_hang_under_is_told() {
    let first = staged();
    let told = |change: fn(&mut Skin)| {
        let mut second = first.clone();
        change(&mut second.skins[0]);
        told(&first, &second)
    };
    assert_eq!(
        told(|it| it.name = "Cape".to_owned()),
        ["skin \"Body\": name \"Body\" and \"Cape\""]
    );
    assert_eq!(
        told(|it| it.skeleton = Some(NodeId(1))),
        ["skin \"Body\": skeleton \"Hip\" and \"Sword\""]
    );
    assert_eq!(
        told(|it| it.skeleton = None),
        ["skin \"Body\": skeleton \"Hip\" and none"]
    );
}
