//! Boxes from joints: they hold what they say they hold, on random models and on the corpus, and are not much too large.

use std::{path::Path, sync::Arc};

use glam::{Affine3A, Quat, Vec3};
use rigscope::anim::bounds::{JointBoxes, PrimitiveBox, posed_bounds};
use rigscope::anim::{Palette, PaletteLayout, Pose, Skinning, skinning};
use rigscope::app::Actor;
use rigscope::model::{
    Aabb, ClipBuilder, Deltas, Hierarchy, Influences, Interpolation, Mesh, Model, MorphTarget,
    Node, NodeId, Primitive, Scene, Skin, Timeline, Transform, Vertices,
};

use crate::{
    common::{folder, processor_time::timed},
    corpus,
    rng::Rng,
};

fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    inner.is_empty() || (outer.min.cmple(inner.min).all() && outer.max.cmpge(inner.max).all())
}

fn random_primitive(rng: &mut Rng, joints: usize, targets: usize) -> Primitive {
    let vertices = 1 + rng.index(60);
    let points = |rng: &mut Rng| (0..vertices).map(|_| rng.vec3(2.0)).collect::<Vec<_>>();
    let positions = points(rng);
    let targets = (0..targets)
        .map(|_| MorphTarget {
            positions: match rng.index(4) {
                0 => Deltas::default(),
                1 => {
                    let rows = (0..).zip(points(rng));
                    Deltas::Few(rows.filter(|(vertex, _)| vertex % 3 == 1).collect())
                }
                _ => points(rng).into(),
            },
            ..MorphTarget::default()
        })
        .collect();
    let per_vertex = [4, 8][rng.index(2)];
    let influences = (rng.index(4) > 0).then(|| {
        let lanes = vertices * per_vertex;
        let mut weights: Vec<f32> = (0..lanes)
            .map(|_| rng.float(-1.0, 1.0).max(0.0) + 1e-4)
            .collect();
        for weights in weights.chunks_mut(per_vertex) {
            let sum: f32 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        Influences {
            per_vertex,
            joints: (0..lanes).map(|_| rng.index(joints) as u16).collect(),
            weights,
        }
    });
    Primitive {
        vertices: Vertices {
            positions,
            ..Vertices::default()
        },
        influences,
        targets,
        ..Primitive::default()
    }
}

/// Two meshes on three nodes, with and without the skin, of `nodes` joints that stand anywhere.
fn random_model(rng: &mut Rng, nodes: usize) -> Model {
    let targets = rng.index(4);
    let mesh = |rng: &mut Rng| Mesh {
        primitives: (0..2)
            .map(|_| random_primitive(rng, nodes, targets))
            .collect(),
        target_count: targets,
        ..Mesh::default()
    };
    let meshes = vec![mesh(rng), mesh(rng)];
    let all = (0..nodes).map(|index| Node {
        mesh: (index < 3).then_some(index % 2),
        skin: (index < 2).then_some(0),
        ..Node::default()
    });
    let parents: Vec<_> = (0..nodes)
        .map(|index| (index > 0).then(|| rng.index(index)))
        .collect();
    Model {
        hierarchy: Hierarchy::new(all.collect(), &parents, &vec![vec![0.0; targets]; nodes])
            .unwrap(),
        meshes: meshes.into(),
        skins: vec![Skin {
            joints: (0..nodes as u32).map(NodeId).collect(),
            joint_from_mesh: (0..nodes)
                .map(|_| Affine3A::from_rotation_translation(rng.rotation(), rng.vec3(1.0)))
                .collect(),
            ..Skin::default()
        }],
        ..Model::default()
    }
}

#[test]
fn hold_every_vertex_of_random_models_in_random_poses() {
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let model = random_model(&mut rng, 6);
        let layout = PaletteLayout::of_all_nodes(&model);
        let boxes = JointBoxes::new(&model, &layout);
        let mut palette = Palette::default();
        palette.clear(&layout, 3);
        let mut poses = Vec::new();
        for _ in 0..3 {
            let mut pose = Pose::new(&model.hierarchy);
            for local in &mut pose.locals {
                *local = Transform {
                    translation: rng.vec3(2.0),
                    rotation: rng.rotation(),
                    scale: rng.vec3(2.0),
                };
            }
            for weight in &mut pose.weights {
                *weight = [0.0, rng.float(-1.5, 1.5)][rng.index(2)];
            }
            let place = Affine3A::from_translation(rng.vec3(100.0));
            pose.update_world(&model.hierarchy, place);
            palette.push(&model, &layout, &pose);
            poses.push(pose);
        }
        for (index, placement) in layout.placements().iter().enumerate() {
            for primitive in &model.meshes[placement.mesh].primitives {
                let is_skinned = placement.skin.is_some() && primitive.influences.is_some();
                for instance in 0..3 {
                    let record = palette.record(index, instance);
                    let mut exact = Aabb::EMPTY;
                    skinning::for_each_posed_position(
                        primitive,
                        &palette,
                        record,
                        is_skinned,
                        |point| exact = exact.with(point),
                    );
                    let found = PrimitiveBox::new(primitive).in_world(&palette, record, is_skinned);
                    let found = found.unwrap();
                    assert!(holds(&found, &exact), "{found:?} does not hold {exact:?}");
                    // Of every box that holds it, one as large as that of the whole model would do no good.
                    let whole = boxes.bounds(&palette, instance);
                    assert!(holds(&whole, &found), "{whole:?} does not hold {found:?}");
                }
            }
        }
        for (instance, pose) in poses.iter().enumerate() {
            let exact = posed_bounds(&model, &layout, &palette, pose, instance);
            let cheap = boxes.bounds(&palette, instance);
            assert!(holds(&cheap, &exact), "{cheap:?} does not hold {exact:?}");
        }
    }
}

/// A ribbon of length and width 2 in the plane of x and y, its lower row on one joint, its upper on another, and the middle
/// one on both.
fn ribbon() -> Model {
    let rows = [(-1.0, [1.0, 0.0]), (0.0, [0.5, 0.5]), (1.0, [0.0, 1.0])];
    let vertices = rows.iter().flat_map(|(y, weights)| {
        [-1.0, 1.0].map(|x| (Vec3::new(x, *y, 0.0), [weights[0], weights[1], 0.0, 0.0]))
    });
    let (positions, weights): (Vec<_>, Vec<_>) = vertices.unzip();
    let primitive = Primitive {
        influences: Some(Influences {
            per_vertex: 4,
            joints: [0, 1, 0, 0].repeat(positions.len()),
            weights: weights.concat(),
        }),
        vertices: Vertices {
            positions,
            ..Vertices::default()
        },
        ..Primitive::default()
    };
    let carrier = Node {
        mesh: Some(0),
        skin: Some(0),
        ..Node::default()
    };
    let nodes = vec![carrier, Node::default()];
    Model {
        hierarchy: Hierarchy::new(nodes, &[None; 2], &[vec![], vec![]]).unwrap(),
        meshes: vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }]
        .into(),
        skins: vec![Skin {
            joints: vec![NodeId(0), NodeId(1)],
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            ..Skin::default()
        }],
        ..Model::default()
    }
}

/// Halfway between joints that are twisted dual quaternions keep the width, across the plane that both joints leave a
/// vertex in.
#[test]
fn hold_what_dual_quaternions_turn_out_of_the_box_of_joints() {
    let model = ribbon();
    let layout = PaletteLayout::of_all_nodes(&model);
    let boxes = JointBoxes::new(&model, &layout);
    let alone = PrimitiveBox::new(&model.meshes[0].primitives[0]);
    let mut rng = Rng::new(7);
    let twisted = (Quat::from_rotation_y(170_f32.to_radians()), Vec3::ZERO);
    let turns = (0..500).map(|_| (rng.rotation(), rng.vec3(1.0)));
    for (rotation, translation) in std::iter::once(twisted).chain(turns) {
        let mut pose = Pose::new(&model.hierarchy);
        pose.locals[1].rotation = rotation;
        pose.locals[1].translation = translation;
        pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
        let mut palette = Palette::default();
        palette.clear(&layout, 1);
        palette.set_skinning(Skinning::DualQuaternion);
        palette.push(&model, &layout, &pose);
        palette.find_rotations();
        let exact = posed_bounds(&model, &layout, &palette, &pose, 0);
        let of_joints = boxes.bounds_as_skinned(&palette, 0);
        let of_primitive = alone.in_world(&palette, palette.record(0, 0), true);
        for found in [of_joints, of_primitive.unwrap()] {
            assert!(holds(&found, &exact), "{rotation}: {found:?}, {exact:?}");
        }
        if rotation == twisted.0 {
            assert!(exact.max.z > 0.99, "{exact:?}");
        }
    }
}

#[test]
fn a_rigid_box_and_a_single_joint_are_exact() {
    let mut rng = Rng::new(2);
    let mut model = random_model(&mut rng, 4);
    for mesh in Arc::make_mut(&mut model.meshes) {
        for primitive in &mut mesh.primitives {
            primitive.influences = None;
            primitive.targets.clear();
        }
    }
    let layout = PaletteLayout::of_all_nodes(&model);
    let boxes = JointBoxes::new(&model, &layout);
    let mut pose = Pose::new(&model.hierarchy);
    pose.update_world(&model.hierarchy, Affine3A::from_translation(Vec3::ONE));
    let mut palette = Palette::default();
    palette.clear(&layout, 1);
    palette.push(&model, &layout, &pose);
    let exact = posed_bounds(&model, &layout, &palette, &pose, 0);
    let cheap = boxes.bounds(&palette, 0);
    assert!(holds(&cheap, &exact));
    assert!((cheap.max - exact.max).max_element() < 1e-4);
    assert!((exact.min - cheap.min).max_element() < 1e-4);
    assert_eq!(boxes.len(), 3, "one for each node with a mesh");
}

/// A mesh of these primitives on nodes that stand anywhere, every second with a skin of the first six.
fn placed_often(rng: &mut Rng, primitives: Vec<Primitive>, nodes: usize) -> Model {
    let target_count = primitives[0].targets.len();
    let node = |rng: &mut Rng, index: usize| Node {
        mesh: Some(0),
        skin: index.is_multiple_of(2).then_some(0),
        rest: Transform {
            translation: rng.vec3(9.0),
            rotation: rng.rotation(),
            ..Transform::IDENTITY
        },
        ..Node::default()
    };
    let all = (0..nodes).map(|index| node(rng, index)).collect();
    let weights: Vec<_> = (0..nodes)
        .map(|_| (0..target_count).map(|_| rng.float(-1.5, 1.5)).collect())
        .collect();
    Model {
        hierarchy: Hierarchy::new(all, &vec![None; nodes], &weights).unwrap(),
        meshes: vec![Mesh {
            primitives,
            target_count,
            ..Mesh::default()
        }]
        .into(),
        skins: vec![Skin {
            joints: (0..6).map(NodeId).collect(),
            joint_from_mesh: vec![Affine3A::from_translation(Vec3::Y); 6],
            ..Skin::default()
        }],
        ..Model::default()
    }
}

/// The exact box of the pose at rest, that of its joints, and how many points are visited to measure it.
fn measure(model: &Model, boxes: &JointBoxes) -> (Aabb, Aabb, Aabb, usize) {
    let layout = PaletteLayout::of_all_nodes(model);
    let pose = Pose::new(&model.hierarchy);
    let mut palette = Palette::default();
    palette.clear(&layout, 1);
    palette.push(model, &layout, &pose);
    let mut exact = Aabb::EMPTY;
    for (index, placement) in layout.placements().iter().enumerate() {
        let record = palette.record(index, 0);
        for primitive in &model.meshes[placement.mesh].primitives {
            let is_skinned = placement.skin.is_some();
            let visit = |point| exact = exact.with(point);
            skinning::for_each_posed_position(primitive, &palette, record, is_skinned, visit);
        }
    }
    let mut visited = 0;
    skinning::for_each_posed_vertex(model, &layout, &palette, 0, |_| visited += 1);
    let measured = posed_bounds(model, &layout, &palette, &pose, 0);
    (exact, boxes.bounds(&palette, 0), measured, visited)
}

/// A primitive repeated until it has many vertices.
fn enlarged(primitive: &Primitive, times: usize) -> Primitive {
    fn repeat<T: Clone>(values: &[T], times: usize) -> Vec<T> {
        let count = values.len() * times;
        values.iter().cloned().cycle().take(count).collect()
    }
    let mut large = primitive.clone();
    large.vertices.positions = repeat(&large.vertices.positions, times);
    for target in &mut large.targets {
        let moved = target
            .positions
            .dense(large.vertices.positions.len() / times);
        target.positions = repeat(&moved, times).into();
    }
    if let Some(influences) = &mut large.influences {
        influences.joints = repeat(&influences.joints, times);
        influences.weights = repeat(&influences.weights, times);
    }
    large
}

#[test]
fn a_mesh_on_very_many_nodes_is_measured_by_boxes() {
    const NODES: usize = 1500;
    let mut rng = Rng::new(5);
    for targets in [0, 2] {
        let primitives = [(); 4].map(|()| enlarged(&random_primitive(&mut rng, 6, targets), 200));
        let model = placed_often(&mut rng, primitives.into(), NODES);
        let all = NODES * skinning::vertex_counts(&model)[0];
        assert!(all > 20_000_000, "{all}");
        let boxes = JointBoxes::new(&model, &PaletteLayout::of_all_nodes(&model));
        let (exact, of_joints, measured, visited) = measure(&model, &boxes);
        assert!(visited < (1 << 23) / (1 + targets) + all / NODES + 16 * NODES);
        assert!(holds(&of_joints, &exact));
        assert!(holds(&measured, &exact), "{measured:?} {exact:?}");
        assert!(measured.diagonal() < 1.8 * exact.diagonal());
    }
}

/// A mesh is looked at once, so very many nodes that place it do not keep the box of the file's own pose in force.
#[test]
fn a_mesh_on_very_many_nodes_moves_its_box() {
    const NODES: usize = 600;
    let mut rng = Rng::new(7);
    let primitive = random_primitive(&mut rng, 6, 0);
    let times = 10_000 / primitive.vertices.positions.len() + 1;
    let mut model = placed_often(&mut rng, vec![enlarged(&primitive, times)], NODES);
    let all = NODES * skinning::vertex_counts(&model)[0];
    assert!(all > 6_000_000, "{all}");
    model.scenes = vec![Scene {
        name: String::new(),
        roots: model.hierarchy.iter().map(|(id, _)| id).collect(),
    }];
    let mut clip = ClipBuilder::new("leave");
    let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    let (node, far) = (NodeId(7), Vec3::splat(1000.0));
    let values = vec![Vec3::ZERO, far];
    clip.translation(node, times, Interpolation::Linear, values)
        .unwrap();
    model.clips = vec![clip.finish()];
    let mut actor = Actor::new(model);
    actor.pose_at(Some(0), 1.0);
    let found = actor.estimate_bounds();
    let exact = actor.measure();
    assert!(exact.max.min_element() > 900.0, "{exact:?}");
    assert!(holds(&found, &exact), "{found:?} {exact:?}");
}

/// Each primitive on each node would be hundreds of thousands of boxes, and be looked at as often.
#[test]
fn boxes_of_many_primitives_on_many_nodes_are_shared() {
    const COUNT: usize = 1200;
    let mut rng = Rng::new(6);
    for targets in [0, 2] {
        let primitives = (0..COUNT).map(|_| Primitive {
            influences: None,
            ..random_primitive(&mut rng, 6, targets)
        });
        let primitives = primitives.collect();
        let model = placed_often(&mut rng, primitives, COUNT);
        let layout = PaletteLayout::of_all_nodes(&model);
        let (boxes, took) = timed(|| JointBoxes::new(&model, &layout));
        assert!(boxes.len() <= 2 * COUNT, "{}", boxes.len());
        assert!(took < std::time::Duration::from_millis(300), "{took:?}");
        let (exact, of_joints, _, _) = measure(&model, &boxes);
        assert!(holds(&of_joints, &exact));
    }
}

#[test]
fn a_joint_nowhere_takes_no_other_along() {
    let mut rng = Rng::new(3);
    let model = random_model(&mut rng, 6);
    let layout = PaletteLayout::of_all_nodes(&model);
    let boxes = JointBoxes::new(&model, &layout);
    for nowhere in [f32::NAN, f32::INFINITY] {
        let mut pose = Pose::new(&model.hierarchy);
        pose.world[4].translation.x = nowhere;
        let mut palette = Palette::default();
        palette.clear(&layout, 1);
        palette.push(&model, &layout, &pose);
        let exact = posed_bounds(&model, &layout, &palette, &pose, 0);
        let cheap = boxes.bounds(&palette, 0);
        assert!(cheap.min.is_finite() && cheap.max.is_finite());
        assert!(holds(&cheap, &exact));
    }
}

#[test]
fn nothing_has_no_bounds() {
    let model = Model::default();
    let layout = PaletteLayout::of_all_nodes(&model);
    let boxes = JointBoxes::new(&model, &layout);
    let mut palette = Palette::default();
    palette.clear(&layout, 1);
    assert!(boxes.is_empty() && boxes.bounds(&palette, 0).is_empty());
}

/// Poses of a file: its own, and five moments of each of its first clips.
fn check_file(path: &Path, name: &str, ratios: &mut Vec<f64>) -> usize {
    /// Vertices that are posed at most, so that large files get fewer moments instead of more minutes.
    const MAX_VERTICES: usize = 600_000;
    let Ok(import) = rigscope::cli::load(path) else {
        return 0;
    };
    let mut actor = Actor::new(import.model);
    let boxes = JointBoxes::new(actor.model(), actor.layout());
    let mut vertices = 0;
    skinning::for_each_posed_vertex(actor.model(), actor.layout(), actor.palette(), 0, |_| {
        vertices += 1;
    });
    let clips = actor.model().clips.len().min(4);
    let moments =
        (0..clips).flat_map(|clip| [0.0, 0.23, 0.5, 0.71, 1.0].map(|at| (Some(clip), at)));
    let most = MAX_VERTICES / (vertices + 1) + 1;
    let mut poses = 0;
    for (clip, at) in std::iter::once((None, 0.0)).chain(moments).take(most) {
        let duration = clip.map_or(0.0, |clip| actor.model().clips[clip].duration_secs());
        actor.pose_at(clip, f64::from(duration) * at);
        let exact = actor.measure();
        let cheap = boxes.bounds(actor.palette(), 0);
        if boxes.is_empty() || vertices == 0 {
            continue;
        }
        assert!(
            holds(&cheap, &exact),
            "{name}, clip {clip:?} at {at}: {cheap:?} does not hold {exact:?}"
        );
        poses += 1;
        if clip.is_some() && !actor.model().skins.is_empty() && exact.diagonal() > 0.0 {
            ratios.push(f64::from(cheap.diagonal()) / f64::from(exact.diagonal()));
        }
    }
    poses
}

#[test]
fn hold_every_vertex_of_the_corpus_and_are_not_much_larger() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (files, _) = corpus::files(&folder);
    let (mut poses, mut ratios) = (0, Vec::new());
    for entry in files {
        poses += check_file(&entry.path, &entry.name, &mut ratios);
    }
    ratios.sort_by(f64::total_cmp);
    let at = |part: f64| ratios[((ratios.len() - 1) as f64 * part) as usize];
    println!(
        "{poses} poses held; {} of skinned models in motion: diagonal {:.3} of the exact box's at the median, {:.3} at 90 %, \
         {:.3} at most",
        ratios.len(),
        at(0.5),
        at(0.9),
        at(1.0)
    );
    assert!(
        poses > 1000 && ratios.len() > 300,
        "{poses}, {}",
        ratios.len()
    );
    assert!(at(0.5) < 1.3, "much larger than the exact box: {}", at(0.5));
}
