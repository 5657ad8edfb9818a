//! Clips turned into another rest pose: of rigs that stand otherwise as a whole, that were saved in the middle of a motion, or
//! whose clips are in another unit.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine3A, Quat, Vec3};
use rigscope::anim::{Pose, retarget::ClipSource};
use rigscope::model::{
    Clip, ClipBuilder, Facing, Hierarchy, Interpolation, Model, Node, NodeId, Skin, Timeline,
};
use rigscope::ui::Offer;

use super::borrowing::{leg, pose_of, walk};
use super::mixing::session_of;
use super::retargeting::{MIXAMO, UNREAL, person};

fn id(model: &Model, name: &str) -> NodeId {
    let mut nodes = model.hierarchy.iter();
    let found = nodes.find(|(_, node)| node.name == name);
    found.unwrap().0
}

fn with_nodes(model: &Model, change: impl Fn(&mut Node)) -> Model {
    let mut nodes = model.hierarchy.nodes().to_vec();
    nodes.iter_mut().for_each(change);
    let parents: Vec<_> = nodes
        .iter()
        .map(|node| node.parent.map(NodeId::index))
        .collect();
    let weights = vec![vec![]; nodes.len()];
    Model {
        hierarchy: Hierarchy::new(nodes, &parents, &weights).unwrap(),
        ..model.clone()
    }
}

/// A model under one more node, which turns it.
fn under(model: &Model, turn: Quat) -> Model {
    let mut top = Node {
        name: "Armature".to_owned(),
        ..Node::default()
    };
    top.rest.rotation = turn;
    let own = model.hierarchy.nodes();
    let nodes: Vec<Node> = [top].into_iter().chain(own.iter().cloned()).collect();
    let above = own
        .iter()
        .map(|node| Some(node.parent.map_or(0, |parent| parent.index() + 1)));
    let parents: Vec<_> = [None].into_iter().chain(above).collect();
    let weights = vec![vec![]; nodes.len()];
    Model {
        hierarchy: Hierarchy::new(nodes, &parents, &weights).unwrap(),
        ..model.clone()
    }
}

/// A step of a Mixamo person, whose bones it makes so many times as long.
fn step(model: &Model, factor: f32) -> Clip {
    let mut clip = ClipBuilder::new("Step");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    for (name, axis) in [
        ("Hips", Vec3::Y),
        ("Spine", Vec3::new(0.6, 0.0, 0.8)),
        ("LeftArm", Vec3::Z),
        ("RightForeArm", Vec3::X),
        ("LeftUpLeg", Vec3::X),
    ] {
        let keys = vec![Quat::IDENTITY, Quat::from_axis_angle(axis, 0.7)];
        clip.rotation(id(model, name), timeline, Interpolation::Linear, keys)
            .unwrap();
    }
    for (id, node) in model
        .hierarchy
        .iter()
        .filter(|(_, node)| node.name != "Armature")
    {
        let rest = node.rest.translation;
        let way = if node.name == "Hips" {
            Vec3::new(0.1, 0.0, 2.0)
        } else {
            Vec3::ZERO
        };
        let keys = vec![rest * factor, (rest + way) * factor];
        clip.translation(id, timeline, Interpolation::Linear, keys)
            .unwrap();
    }
    clip.finish()
}

fn with_step(mut model: Model) -> Model {
    model.clips = vec![step(&model, 1.0)];
    model
}

/// The pose of a model in the middle of the only clip of another.
fn borrowed(source: &Model, model: &Model, retarget: bool) -> Pose {
    let mut model = model.clone();
    model.clips = ClipSource::of(source.clone()).bind(&model, retarget).clips;
    pose_of(&model, 0, 0.6)
}

fn distance(a: &Pose, b: &Pose) -> f32 {
    let pairs = a.world.iter().zip(&b.world);
    let distances = pairs.map(|(a, b)| {
        let axes = a.matrix3.x_axis.distance(b.matrix3.x_axis);
        a.translation.distance(b.translation).max(axes)
    });
    distances.fold(0.0, f32::max)
}

/// How the whole is turned is no matter of limbs: as they are, the clips fit, and turned into the rest pose as well.
#[test]
fn who_stands_otherwise_as_a_whole_moves_the_same() {
    let (bare, _) = person(MIXAMO, 0.4, Facing::PlusZ);
    for turn in [
        Quat::from_rotation_y(0.35),
        Quat::from_rotation_y(FRAC_PI_2),
        Quat::from_rotation_y(PI),
        Quat::from_rotation_x(-FRAC_PI_2),
        Quat::from_rotation_x(FRAC_PI_2) * Quat::from_rotation_z(0.6),
    ] {
        let turned = under(&bare, turn);
        let rigs = [&bare, &turned];
        for (source, model) in [(rigs[0], rigs[1]), (rigs[1], rigs[0])] {
            let source = with_step(source.clone());
            let [plain, fitted] = [false, true].map(|it| borrowed(&source, model, it));
            let apart = distance(&plain, &fitted);
            assert!(apart < 1e-4, "{turn}: {apart}");
        }
    }
}

/// Quarter turns are found between people of other proportions and poses, too.
#[test]
fn other_people_that_stand_otherwise_move_the_same() {
    let (source, _) = person(MIXAMO, 0.2, Facing::PlusZ);
    let (model, _) = person(UNREAL, 0.9, Facing::PlusZ);
    let expected = borrowed(&with_step(source.clone()), &model, true);
    for quarters in 1..4 {
        let turn = Quat::from_rotation_y(FRAC_PI_2 * quarters as f32);
        let turned = with_step(under(&source, turn));
        let apart = distance(&borrowed(&turned, &model, true), &expected);
        assert!(apart < 1e-4, "{quarters}: {apart}");
    }
}

/// Gives a model a skin of all its joints, whose bind pose is the one at rest.
fn bound(model: &Model) -> Model {
    let rest = Pose::new(&model.hierarchy);
    let mut model = model.clone();
    model.skins = vec![Skin {
        joints: model.hierarchy.iter().map(|(id, _)| id).collect(),
        joint_from_mesh: rest.world.iter().map(Affine3A::inverse).collect(),
        ..Skin::default()
    }];
    model
}

/// Saved in the middle of a motion, a skeleton is still the same: its skin says so.
#[test]
fn rest_poses_of_another_moment_are_not_compared_where_skins_say_better() {
    let model = bound(&person(MIXAMO, 0.4, Facing::PlusZ).0);
    let saved = with_nodes(&model, |node| match node.name.as_str() {
        "LeftForeArm" => node.rest.rotation = Quat::from_rotation_x(1.1),
        "RightUpLeg" => node.rest.rotation = Quat::from_rotation_x(-0.6),
        _ => {}
    });
    let source = with_step(saved);
    let misfits = |source: &Model| {
        let source = ClipSource::of(source.clone());
        source.bind(&model, false).misfits()
    };
    assert!(misfits(&source).is_empty());
    let [plain, fitted] = [false, true].map(|it| borrowed(&source, &model, it));
    let apart = distance(&plain, &fitted);
    assert!(apart < 1e-4, "{apart}");
    // Skins may put the whole anywhere.
    let away = Affine3A::from_translation(Vec3::new(7.0, -9.0, 3.0));
    let mut other = model.clone();
    for joint_from_mesh in &mut other.skins[0].joint_from_mesh {
        *joint_from_mesh *= away;
    }
    let apart = distance(&borrowed(&source, &other, true), &plain);
    assert!(apart < 1e-4, "{apart}");
    // Matrices that are missing say nothing.
    let mut silent = source;
    silent.skins[0].joint_from_mesh.fill(Affine3A::IDENTITY);
    assert_eq!(misfits(&silent), ["rest poses differ by up to 63°"]);
    // Who rests alike is not bound alike.
    let mut other = with_step(model.clone());
    other.skins[0].joint_from_mesh[3] = Affine3A::from_rotation_x(0.7);
    assert!(misfits(&other).is_empty());
}

/// Bind poses are compared where their bones agree clearly better, those of arms aside; and what is told is said of them.
#[test]
fn the_poses_that_are_compared_are_named() {
    let model = bound(&person(MIXAMO, 0.4, Facing::PlusZ).0);
    let (x, z) = (Quat::from_rotation_x, Quat::from_rotation_z);
    let turned = |model: &Model, turns: &[(&str, Quat)]| {
        with_nodes(model, |node| {
            let found = turns.iter().find(|(name, _)| *name == node.name);
            node.rest.rotation = found.map_or(node.rest.rotation, |(_, turn)| *turn);
        })
    };
    for (in_bind_pose, at_rest, told) in [
        (
            ("LeftUpLeg", x(0.3)),
            &[("LeftUpLeg", x(1.0))][..],
            "bind poses differ by up to 17°",
        ),
        (
            ("LeftUpLeg", x(0.3)),
            &[("LeftUpLeg", x(0.2)), ("LeftForeArm", z(1.3))],
            "rest poses differ by up to 74°",
        ),
        // Hardly anything is better than next to nothing.
        (
            ("LeftLeg", x(0.2)),
            &[("LeftLeg", x(0.6)), ("LeftUpLeg", x(0.01))],
            "rest poses differ by up to 34°",
        ),
    ] {
        let source = bound(&turned(&model, &[in_bind_pose]));
        let source = with_step(turned(&source, at_rest));
        let misfits = ClipSource::of(source).bind(&model, false).misfits();
        assert_eq!(misfits, [told]);
    }
}

/// Who swims at rest stands in no other world.
#[test]
fn who_lies_at_rest_moves_along_the_ground() {
    let (model, _) = person(MIXAMO, 0.4, Facing::PlusZ);
    let swimmer = with_nodes(&model, |node| {
        if node.name == "Hips" {
            node.rest.rotation = Quat::from_rotation_x(FRAC_PI_2);
        }
    });
    for (source, model) in [(&swimmer, &model), (&model, &swimmer)] {
        let mut fitted = model.clone();
        let source = ClipSource::of(with_step(source.clone()));
        fitted.clips = source.bind(model, true).clips;
        let hips = id(&fitted, "Hips");
        let [from, to] =
            [0.0, 1.0].map(|time| pose_of(&fitted, 0, time).world[hips.index()].translation);
        let way = to - from;
        assert!(way.z > 0.2 && way.y.abs() < 1e-3, "{way}");
    }
}

/// A clip in centimetres for a skeleton in metres.
#[test]
fn clips_in_another_unit_than_their_skeleton_are_told_and_fitted() {
    let (model, _) = person(MIXAMO, 0.4, Facing::PlusZ);
    let mut source = model.clone();
    let expected = borrowed(&with_step(model.clone()), &model, false);
    for (factor, words) in [(100.0, "100"), (0.01, "0.01")] {
        source.clips = vec![step(&model, factor)];
        let misfits = ClipSource::of(source.clone()).bind(&model, false).misfits();
        let told = format!("in clip \"Step\" bones are {words} times as long as at rest there");
        assert_eq!(misfits, [told]);
        let apart = distance(&borrowed(&source, &model, true), &expected);
        assert!(apart < 1e-4, "{factor}: {apart}");
        // It may be the unit of the model.
        let large = with_nodes(&model, |node| node.rest.translation *= factor);
        let bound = ClipSource::of(source.clone()).bind(&large, false);
        assert!(bound.misfits().is_empty(), "{:?}", bound.misfits());
        let mut session = session_of(model.clone());
        session.add_clips("step.glb", source.clone());
        let message = session.message().unwrap();
        assert_eq!(message.offer, Some(Offer::Retarget(0)), "{message:?}");
    }
}

#[test]
fn nodes_of_one_name_that_are_not_here_are_told_once() {
    let straight = [Quat::IDENTITY; 4];
    let model = Model {
        hierarchy: leg(["root", "hips", "knee", "foot"], 1.0, straight),
        ..Model::default()
    };
    let mut session = session_of(model);
    session.add_clips(
        "walk.glb",
        walk(&leg(["root", "hips", "tail", "tail"], 1.0, straight)),
    );
    let message = session.message().unwrap();
    assert_eq!(
        message.detail,
        "2 of 4 moved nodes found here.\nNot found here: tail (2)."
    );
}
