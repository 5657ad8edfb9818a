//! Stray weights on a tail whose vertices follow the joints below and above them.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::*;
use crate::model::{Hierarchy, Indices, Node, Skin, Vertices};

/// Joints of a tail, one above the other.
const JOINTS: usize = 10;
/// Rings of vertices from one joint to the next.
const RINGS: usize = 4;
/// Vertices of a ring; the last stands where the first does.
const AROUND: usize = 9;

fn vertex(ring: usize, place: usize) -> usize {
    ring * AROUND + place
}

/// A tail that stands upright, each vertex of which follows the joints below and above it.
fn tail() -> Model {
    let (mut vertices, mut influences) = (Vertices::default(), Influences::default());
    influences.per_vertex = 4;
    let rings = (JOINTS - 1) * RINGS + 1;
    for ring in 0..rings {
        let height = ring as f32 / RINGS as f32;
        let below = ring / RINGS;
        let above = (below + 1).min(JOINTS - 1) as u16;
        for place in 0..AROUND {
            let angle = (place % (AROUND - 1)) as f32 * std::f32::consts::TAU / 8.0;
            let at = Vec3::new(0.3 * angle.cos(), height, 0.3 * angle.sin());
            vertices.positions.push(at);
            let share = height.fract();
            influences.joints.extend([below as u16, above, 0, 0]);
            influences.weights.extend([1.0 - share, share, 0.0, 0.0]);
        }
    }
    let mut indices = Vec::new();
    for ring in 0..rings - 1 {
        for place in 0..AROUND - 1 {
            let [a, b] = [vertex(ring, place), vertex(ring, place + 1)];
            let [c, d] = [a, b].map(|below| below + AROUND);
            indices.extend([a, b, c, c, b, d].map(|it| it as u32));
        }
    }
    let mut nodes = vec![Node::default(); JOINTS + 1];
    nodes[JOINTS].mesh = Some(0);
    nodes[JOINTS].skin = Some(0);
    let mut parents: Vec<_> = (0..JOINTS).map(|joint| joint.checked_sub(1)).collect();
    parents.push(None);
    let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); JOINTS + 1]).unwrap();
    let joints = (0..JOINTS).map(|place| hierarchy.by_file_index(place).unwrap());
    let skin = Skin {
        joints: joints.collect(),
        joint_from_mesh: (0..JOINTS)
            .map(|joint| Affine3A::from_translation(-(joint as f32) * Vec3::Y))
            .collect(),
        ..Skin::default()
    };
    let primitive = Primitive {
        indices: Indices::from(indices),
        vertices,
        influences: Some(influences),
        ..Primitive::default()
    };
    Model {
        hierarchy,
        meshes: Arc::new(vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }]),
        skins: vec![skin],
        ..Model::default()
    }
}

fn primitive(model: &mut Model) -> &mut Primitive {
    &mut Arc::make_mut(&mut model.meshes)[0].primitives[0]
}

/// Lets vertices follow a joint with this weight, and with the rest what they followed.
fn bind(model: &mut Model, vertices: &[usize], joint: u16, weight: f32) {
    let influences = primitive(model).influences.as_mut().unwrap();
    for vertex in vertices {
        let own = 4 * vertex..4 * vertex + 4;
        influences.weights[own.clone()]
            .iter_mut()
            .for_each(|it| *it *= 1.0 - weight);
        influences.joints[own.start + 3] = joint;
        influences.weights[own.start + 3] = weight;
    }
}

fn found(model: &Model) -> Vec<StrayWeights> {
    StrayWeights::find(model, &|| true).unwrap()
}

#[test]
fn a_healthy_rig_has_none() {
    assert_eq!(found(&tail()), []);
    assert_eq!(found(&Model::default()), []);
}

#[test]
fn a_vertex_that_follows_a_joint_far_away_is_found() {
    for weight in [1.0, 0.4] {
        let mut model = tail();
        let astray = vertex(4, 2);
        bind(&mut model, &[astray], 8, weight);
        let [stray] = found(&model)[..] else {
            panic!("{:?}", found(&model))
        };
        assert_eq!((stray.mesh, stray.skin, stray.joint), (0, 0, 8));
        assert_eq!((stray.first_vertex, stray.count), (astray as u32, 1));
        assert!((stray.weight - weight).abs() < 1e-6, "{stray:?}");
        assert_eq!(stray.around, model.skins[0].joints[1]);
    }
    // What hardly moves is not told.
    let mut model = tail();
    bind(&mut model, &[vertex(5, 2)], 8, 0.2);
    assert_eq!(found(&model), []);
}

#[test]
fn several_of_one_joint_are_told_together() {
    let mut model = tail();
    let patch = [vertex(5, 2), vertex(5, 3), vertex(6, 2)];
    let lonely = vertex(2, 6);
    bind(&mut model, &patch, 8, 1.0);
    bind(&mut model, &[lonely], 8, 0.5);
    let [stray] = found(&model)[..] else {
        panic!("{:?}", found(&model))
    };
    assert_eq!((stray.count, stray.first_vertex), (4, lonely as u32));
}

/// Two joints that hang on one are no neighbours: a thigh and the other one.
#[test]
fn a_patch_that_follows_a_joint_beside_its_own_is_found() {
    let joints = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let nodes = vec![Node::default(); 3];
    let parents = [None, Some(0), Some(0)];
    let hierarchy = Hierarchy::new(nodes, &parents, &[const { Vec::new() }; 3]).unwrap();
    let skin = Skin {
        joints: (0..3)
            .map(|place| hierarchy.by_file_index(place).unwrap())
            .collect(),
        joint_from_mesh: joints.map(|it| Affine3A::from_translation(-it)).to_vec(),
        ..Skin::default()
    };
    let model = Model {
        hierarchy,
        ..Model::default()
    };
    let bones = Bones::new(&model, &skin);
    assert!(bones.are_adjacent(0, 1) && bones.are_adjacent(2, 0));
    assert!(!bones.are_adjacent(1, 2));
}

/// At a seam of texture coordinates there are two vertices, and the surface tears where one of them follows another joint.
#[test]
fn one_of_two_vertices_at_a_seam_is_found() {
    let mut model = tail();
    bind(&mut model, &[vertex(5, AROUND - 1)], 8, 1.0);
    assert_eq!(found(&model).len(), 1);
}

/// Where a joint's own vertices are next to others, their weights end somewhere.
#[test]
fn what_is_near_its_joint_may_end_abruptly() {
    let mut model = tail();
    let influences = primitive(&mut model).influences.as_mut().unwrap();
    for (joints, weights) in influences
        .joints
        .chunks_mut(4)
        .zip(influences.weights.chunks_mut(4))
    {
        joints[0] = joints[usize::from(weights[1] > 0.5)];
        weights.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
    }
    assert_eq!(found(&model), []);
}

/// A ring on a finger may follow the head, for all that can be told.
#[test]
fn a_piece_of_its_own_may_follow_any_joint() {
    let mut model = tail();
    let primitive = primitive(&mut model);
    let first = primitive.vertices.positions.len();
    let corners = [Vec3::X, Vec3::Y, Vec3::Z].map(|corner| 0.1 * corner + Vec3::Y);
    primitive.vertices.positions.extend(corners);
    let mut indices: Vec<u32> = primitive.indices.iter().collect();
    indices.extend(first as u32..first as u32 + 3);
    primitive.indices = Indices::from(indices);
    let influences = primitive.influences.as_mut().unwrap();
    influences.joints.extend([8, 0, 0, 0].repeat(3));
    influences.weights.extend([1.0, 0.0, 0.0, 0.0].repeat(3));
    assert_eq!(found(&model), []);
    // Though not in pieces.
    bind(&mut model, &[first], 1, 1.0);
    let [stray] = found(&model)[..] else {
        panic!("{:?}", found(&model))
    };
    assert_eq!((stray.joint, stray.count), (8, 2));
}

/// The vertices around one bone of the tail.
fn around_joint_2() -> Vec<usize> {
    (9..12)
        .flat_map(|ring| (0..AROUND).map(move |place| vertex(ring, place)))
        .collect()
}

/// A tail whose upper half hangs on none of the joints below.
fn parted_tail() -> Model {
    tail_with_upper_half_on(None)
}

/// A tail whose upper half hangs on a node of the file: on the one behind the tail's own, which is no joint and hangs on the
/// lower half, or on none.
fn tail_with_upper_half_on(upper: Option<usize>) -> Model {
    const GROUP: usize = JOINTS + 1;
    let mut model = tail();
    let nodes = (0..=JOINTS).map(|place| {
        let id = model.hierarchy.by_file_index(place).unwrap();
        model.hierarchy.node(id).clone()
    });
    let nodes = nodes.chain([Node::default()]).collect();
    let parents = (0..=GROUP).map(|place| match place {
        0 | JOINTS => None,
        5 => upper,
        GROUP => Some(4),
        joint => Some(joint - 1),
    });
    let none = [const { Vec::new() }; GROUP + 1];
    let hierarchy = Hierarchy::new(nodes, &parents.collect::<Vec<_>>(), &none).unwrap();
    let joints = (0..JOINTS).map(|place| hierarchy.by_file_index(place).unwrap());
    model.skins[0].joints = joints.collect();
    model.hierarchy = hierarchy;
    model
}

#[test]
fn what_follows_a_joint_far_from_it_lies_around_another() {
    let mut model = parted_tail();
    let misplaced = |model: &Model| MisplacedWeights::find(model, &|| true).unwrap();
    assert_eq!(misplaced(&model), []);
    bind(&mut model, &around_joint_2(), 8, 1.0);
    assert_eq!(found(&model), []);
    let [misplaced] = &misplaced(&model)[..] else {
        panic!("{:?}", misplaced(&model))
    };
    assert_eq!(misplaced.skin, 0);
    assert_eq!(misplaced.joints, [(8, model.skins[0].joints[2])]);
    // What hangs on a joint may follow it, and long hair follows the head though it lies around the spine.
    for joint in [0, 8] {
        let mut model = tail();
        bind(&mut model, &around_joint_2(), joint, 1.0);
        assert_eq!(MisplacedWeights::find(&model, &|| true), Some(vec![]));
    }
}

/// A brow, below the head by a node that moves nothing.
#[test]
fn what_hangs_on_a_joint_by_another_node_may_follow_it() {
    for (upper, expected) in [(Some(JOINTS + 1), 0), (None, 1)] {
        let mut model = tail_with_upper_half_on(upper);
        bind(&mut model, &around_joint_2(), 8, 1.0);
        let found = MisplacedWeights::find(&model, &|| true).unwrap();
        assert_eq!(found.len(), expected, "{found:?}");
    }
}

/// A body with a joint in its middle, and one in each shoulder.
#[test]
fn what_is_hardly_farther_away_than_the_rest_of_a_joint_is_its_own() {
    for (wide, expected) in [(1.0, 1), (10.0, 1), (14.0, 0)] {
        let mut model = parted_tail();
        bind(&mut model, &around_joint_2(), 8, 1.0);
        let first = vertex(7 * RINGS + 2, 0);
        for position in &mut primitive(&mut model).vertices.positions[first..] {
            *position *= Vec3::new(wide, 1.0, wide);
        }
        let found = MisplacedWeights::find(&model, &|| true).unwrap();
        assert_eq!(found.len(), expected, "{wide}: {found:?}");
    }
}

/// A sword in a hand hangs beside a leg.
#[test]
fn a_piece_of_its_own_may_lie_around_any_joint() {
    let mut model = parted_tail();
    let around = around_joint_2();
    bind(&mut model, &around, 8, 1.0);
    let primitive = primitive(&mut model);
    let indices: Vec<u32> = primitive.indices.iter().collect();
    let of_one_piece = indices.chunks(3).filter(|triangle| {
        let within = triangle.iter().map(|it| around.contains(&(*it as usize)));
        within.clone().all(|it| it) || !within.into_iter().any(|it| it)
    });
    primitive.indices = Indices::from(of_one_piece.flatten().copied().collect::<Vec<_>>());
    assert_eq!(MisplacedWeights::find(&model, &|| true), Some(vec![]));
}

/// Many skins share what is measured: the last ones are looked at, too.
#[test]
fn the_last_of_many_skins_is_looked_at() {
    const COUNT: usize = 12;
    const WITH: usize = 4300;
    let mut model = parted_tail();
    let mesh = model.meshes[0].clone();
    bind(&mut model, &around_joint_2(), 8, 1.0);
    let mut meshes = vec![mesh; COUNT - 1];
    meshes.push(model.meshes[0].clone());
    let joints = (0..JOINTS).map(|place| (place > 0 && place != 5).then(|| place - 1));
    let parents: Vec<_> = joints.chain(vec![None; COUNT]).collect();
    let mut nodes = vec![Node::default(); parents.len()];
    for (number, node) in nodes[JOINTS..].iter_mut().enumerate() {
        (node.mesh, node.skin) = (Some(number), Some(number));
    }
    let none = vec![Vec::new(); nodes.len()];
    let hierarchy = Hierarchy::new(nodes, &parents, &none).unwrap();
    // The last joint stands for very many.
    let places = (0..WITH).map(|place| place.min(JOINTS - 1));
    let old = &model.skins[0].joint_from_mesh;
    let skin = Skin {
        joints: places
            .clone()
            .map(|place| hierarchy.by_file_index(place).unwrap())
            .collect(),
        joint_from_mesh: places.map(|place| old[place]).collect(),
        ..Skin::default()
    };
    model.skins = vec![skin; COUNT];
    model.hierarchy = hierarchy;
    model.meshes = Arc::new(meshes);
    let found = MisplacedWeights::find(&model, &|| true).unwrap();
    let skins: Vec<usize> = found.iter().map(|it| it.skin).collect();
    assert_eq!(skins, [COUNT - 1]);
}

#[test]
fn who_does_not_want_to_know_is_not_told() {
    assert_eq!(StrayWeights::find(&tail(), &|| false), None);
    assert_eq!(MisplacedWeights::find(&tail(), &|| false), None);
}
