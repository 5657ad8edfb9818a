//! Poses by hand, against double precision: what hangs on a joint that is turned, moved or scaled; limbs that reach for
//! points; sides that change places.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

#[path = "common/mod.rs"]
mod common;
#[path = "reference/rng.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod rng;

use glam::{Affine3A, DAffine3, DMat3, DQuat, Quat, Vec3};
use rigscope::{
    anim::{
        Cursors, Pose,
        posing::{Offset, Offsets, PosingSpace, mirror::Sides, moved, reach::Limb, scaled, turned},
        sample,
    },
    cli::load,
    model::{Hierarchy, Model, NodeId, Transform},
};
use rng::Rng;

const CORPUS: [&str; 5] = [
    "khronos-samples/CesiumMan/glTF-Binary/CesiumMan.glb",
    "khronos-samples/Fox/glTF-Binary/Fox.glb",
    "khronos-samples/RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb",
    "khronos-samples/SimpleSkin/glTF/SimpleSkin.gltf",
    "khronos-samples/RiggedSimple/glTF-Binary/RiggedSimple.glb",
];

fn rigs() -> Vec<Model> {
    let mut rigs = vec![load("builtin:Pip".as_ref()).unwrap().model];
    if let Some(corpus) = common::folder("RIGSCOPE_CORPUS") {
        let files = CORPUS.iter().map(|name| corpus.join("files").join(name));
        rigs.extend(files.map(|file| load(&file).unwrap().model));
    }
    rigs
}

fn direction(rng: &mut Rng) -> Vec3 {
    let mut part = || rng.float(-1.0, 1.0);
    Vec3::new(part(), part(), part()).normalize_or(Vec3::X)
}

/// A clip's pose, up to date.
fn pose_of_clip(model: &Model, time_secs: f64) -> Pose {
    let mut pose = Pose::new(&model.hierarchy);
    if let Some(clip) = model.clips.first() {
        sample(clip, time_secs, &mut Cursors::default(), &mut pose);
    }
    pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
    pose
}

fn to_double(local: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        local.scale.as_dvec3(),
        local.rotation.as_dquat().normalize(),
        local.translation.as_dvec3(),
    )
}

/// Concatenates from the roots down, in double precision.
fn world_of(hierarchy: &Hierarchy, locals: &[DAffine3]) -> Vec<DAffine3> {
    let mut world: Vec<DAffine3> = Vec::new();
    for (node, local) in hierarchy.nodes().iter().zip(locals) {
        let fixed = node.fixed_matrix.map(|matrix| DAffine3 {
            matrix3: DMat3::from_cols_array(&matrix.matrix3.to_cols_array().map(f64::from)),
            translation: Vec3::from(matrix.translation).as_dvec3(),
        });
        let parent = node
            .parent
            .map_or(DAffine3::IDENTITY, |parent| world[parent.index()]);
        world.push(parent * fixed.unwrap_or(*local));
    }
    world
}

fn size_of(world: &[DAffine3]) -> f64 {
    let farthest = world.iter().map(|matrix| matrix.translation.length());
    farthest.fold(0.0, f64::max).max(1e-3)
}

/// The greatest difference of an element; translations as a part of the size.
fn distance(pose: &Pose, world: &[DAffine3], size: f64) -> f64 {
    let pairs = pose.world.iter().zip(world);
    let apart = pairs.map(|(a, b)| {
        let linear = a.matrix3.to_cols_array().map(f64::from);
        let linear = linear.iter().zip(b.matrix3.to_cols_array());
        let linear = linear.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let scale = b
            .matrix3
            .to_cols_array()
            .into_iter()
            .fold(1.0, |most, x| x.abs().max(most));
        let moved = Vec3::from(a.translation).as_dvec3().distance(b.translation);
        (linear / scale).max(moved / size)
    });
    apart.fold(0.0, f64::max)
}

/// An edit of one joint, as the definition has it: the new local matrix, in double precision.
fn edited(
    kind: usize,
    space: PosingSpace,
    local: &Transform,
    world_from_parent: &DAffine3,
    amount: (Quat, Vec3, Vec3),
) -> DAffine3 {
    let (rotation, scale) = (
        local.rotation.as_dquat().normalize(),
        local.scale.as_dvec3(),
    );
    let (turn, shift, factors) = (
        amount.0.as_dquat().normalize(),
        amount.1.as_dvec3(),
        amount.2.as_dvec3(),
    );
    let compose = |scale, rotation, translation| {
        DAffine3::from_scale_rotation_translation(scale, rotation, translation)
    };
    let translation = local.translation.as_dvec3();
    match (kind, space) {
        (0, PosingSpace::Local) => compose(scale, rotation * turn, translation),
        (0, PosingSpace::Parent) => compose(scale, turn * rotation, translation),
        (0, PosingSpace::World) => {
            // All parents of these rigs scale evenly: then the turn in the world is one in the parent's frame.
            let frame = world_from_parent.matrix3;
            let even = frame.determinant().abs().cbrt();
            let frame = DQuat::from_mat3(&(frame * (1.0 / even)));
            compose(
                scale,
                frame.conjugate() * turn * frame * rotation,
                translation,
            )
        }
        (1, PosingSpace::Local) => compose(scale, rotation, translation + rotation * shift),
        (1, PosingSpace::Parent) => compose(scale, rotation, translation + shift),
        (1, PosingSpace::World) => {
            let shift = world_from_parent.matrix3.inverse() * shift;
            compose(scale, rotation, translation + shift)
        }
        _ => compose(scale * factors, rotation, translation),
    }
}

/// Whether all parents scale evenly and do not mirror, so that a turn in the world is a turn of the parent's.
fn scales_evenly(world_from_parent: &DAffine3) -> bool {
    let lengths = [0, 1, 2].map(|axis| world_from_parent.matrix3.col(axis).length());
    let even = lengths
        .iter()
        .all(|length| (length / lengths[0] - 1.0).abs() < 1e-5);
    even && world_from_parent.matrix3.determinant() > 0.0
}

#[test]
fn what_hangs_on_an_edited_joint_follows_it() {
    const EDITS: usize = 10_000;
    let rigs = rigs();
    let mut rng = Rng::new(1);
    let mut worst = 0.0_f64;
    let mut done = 0;
    while done < EDITS {
        for model in &rigs {
            let hierarchy = &model.hierarchy;
            let of_clip = pose_of_clip(model, f64::from(rng.float(0.0, 1.0)));
            let mut offsets = Offsets::default();
            let mut pose = of_clip.clone();
            // A handful on top of each other, then anew: what is scaled again and again has no size any more.
            for _ in 0..8 {
                let node = NodeId(rng.index(hierarchy.len()) as u32);
                if hierarchy.node(node).fixed_matrix.is_some() {
                    continue;
                }
                let locals: Vec<_> = pose.locals.iter().map(to_double).collect();
                let world = world_of(hierarchy, &locals);
                let size = size_of(&world);
                let parent = hierarchy.node(node).parent;
                let parent = parent.map_or(DAffine3::IDENTITY, |parent| world[parent.index()]);
                let kind = rng.index(3);
                let mut space = PosingSpace::ALL[rng.index(3)];
                if !scales_evenly(&parent) {
                    space = PosingSpace::Local;
                }
                let turn = Quat::from_axis_angle(direction(&mut rng), rng.float(-3.0, 3.0));
                let shift = direction(&mut rng) * (0.1 * size) as f32;
                let factor = rng.float(0.7, 1.4);
                let factors = Vec3::splat(factor);
                let local = match kind {
                    0 => turned(hierarchy, &pose, node, space, turn),
                    1 => moved(hierarchy, &pose, node, space, shift),
                    _ => scaled(&pose, node, factors),
                };
                let mut expected = locals.clone();
                let before = &pose.locals[node.index()];
                expected[node.index()] =
                    edited(kind, space, before, &parent, (turn, shift, factors));
                let expected = world_of(hierarchy, &expected);
                offsets.set(node, Offset::between(&of_clip.locals[node.index()], &local));
                pose = of_clip.clone();
                offsets.add_to(&mut pose);
                pose.update_world(hierarchy, Affine3A::IDENTITY);
                let size = size_of(&expected).max(size);
                worst = worst.max(distance(&pose, &expected, size));
                done += 1;
            }
        }
    }
    println!("{done} edits: {worst:.2e} of the size at most");
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn offsets_that_are_taken_back_leave_the_same_bits() {
    let model = load("builtin:Pip".as_ref()).unwrap().model;
    let of_clip = pose_of_clip(&model, 0.4);
    let mut rng = Rng::new(2);
    let mut offsets = Offsets::default();
    let nodes: Vec<_> = (0..20)
        .map(|_| NodeId(rng.index(model.hierarchy.len()) as u32))
        .collect();
    for &node in &nodes {
        let rotation = Quat::from_axis_angle(direction(&mut rng), 0.5);
        offsets.set(
            node,
            Offset {
                rotation,
                ..Offset::NONE
            },
        );
    }
    let mut pose = of_clip.clone();
    offsets.add_to(&mut pose);
    assert!(pose != of_clip);
    for &node in &nodes {
        offsets.set(node, Offset::NONE);
    }
    assert!(offsets.is_empty());
    let mut pose = of_clip.clone();
    offsets.add_to(&mut pose);
    assert!(pose == of_clip);
}

/// The limbs of a rig: those above joints without children, and above their parents.
fn limbs(model: &Model, pose: &Pose) -> Vec<Limb> {
    let ends = model.hierarchy.iter().map(|(id, _)| id);
    let limbs = ends.filter_map(|end| Limb::ending_at(end, &model.hierarchy, pose));
    limbs.take(16).collect()
}

fn place(pose: &Pose, node: NodeId) -> Vec3 {
    Vec3::from(pose.world[node.index()].translation)
}

fn length(limb: &Limb, pose: &Pose) -> (f32, f32) {
    let [root, middle, end] = [limb.root, limb.middle, limb.end].map(|node| place(pose, node));
    (root.distance(middle), middle.distance(end))
}

#[test]
fn limbs_reach_what_they_can() {
    let mut rng = Rng::new(3);
    let (mut tried, mut worst) = (0, 0.0_f32);
    for model in rigs() {
        let pose = pose_of_clip(&model, 0.3);
        for limb in limbs(&model, &pose) {
            for round in 0..40 {
                let (upper, lower) = length(&limb, &pose);
                let near = (upper - lower).abs();
                let share = rng.float(0.001, 0.999);
                let distance = near + share * (upper + lower - near);
                let root = place(&pose, limb.root);
                let target = root + direction(&mut rng) * distance;
                let pole = (round % 2 == 0).then(|| root + direction(&mut rng) * (upper + lower));
                let mut posed = pose.clone();
                let left = limb.reach(&model.hierarchy, &mut posed, target, pole);
                let found = place(&posed, limb.end).distance(target);
                assert_eq!(left, found);
                let (upper_now, lower_now) = length(&limb, &posed);
                let whole = upper + lower;
                assert!((upper_now - upper).abs() + (lower_now - lower).abs() < 1e-4 * whole);
                worst = worst.max(found / whole);
                assert!(
                    found < 1e-4 * whole,
                    "{limb:?} of {}: {}",
                    model.name,
                    found / whole
                );
                if let Some(pole) = pole {
                    let axis = (target - root).normalize();
                    let side = (place(&posed, limb.middle) - root).reject_from(axis);
                    let wanted = (pole - root).reject_from(axis);
                    if side.length() > 1e-2 * whole && wanted.length() > 1e-2 * whole {
                        assert!(
                            side.angle_between(wanted) < 1e-2,
                            "{limb:?} of {}",
                            model.name
                        );
                    }
                }
                tried += 1;
            }
        }
    }
    println!("{tried} targets: {worst:.2e} of the limb's length at most");
    assert!(tried > 500, "{tried}");
}

#[test]
fn what_is_too_far_is_pointed_at() {
    let model = load("builtin:Pip".as_ref()).unwrap().model;
    let pose = pose_of_clip(&model, 0.3);
    for limb in limbs(&model, &pose) {
        let (upper, lower) = length(&limb, &pose);
        let root = place(&pose, limb.root);
        let target = root + Vec3::new(0.6, 0.0, 0.8) * 3.0 * (upper + lower);
        let mut posed = pose.clone();
        limb.reach(&model.hierarchy, &mut posed, target, None);
        let reached = place(&posed, limb.end) - root;
        assert!((reached.length() / (upper + lower) - 1.0).abs() < 1e-4);
        assert!(reached.angle_between(target - root) < 1e-3);
    }
}

#[test]
fn a_dragged_limb_does_not_flip() {
    const STEPS: usize = 120;
    let mut rng = Rng::new(4);
    for model in rigs() {
        let start = pose_of_clip(&model, 0.3);
        for limb in limbs(&model, &start).into_iter().take(6) {
            let (upper, lower) = length(&limb, &start);
            let (near, whole) = ((upper - lower).abs(), upper + lower);
            let root = place(&start, limb.root);
            // Round the root, nearer and farther, but neither folded nor stretched.
            let (first, second) = (direction(&mut rng), direction(&mut rng));
            let second = second
                .reject_from(first)
                .normalize_or(first.any_orthonormal_vector());
            let path = |step: usize| {
                let angle = step as f32 / STEPS as f32 * std::f32::consts::TAU;
                let share = 0.5 + 0.3 * (3.0 * angle).sin();
                root + (first * angle.cos() + second * angle.sin())
                    * (near + share * (whole - near))
            };
            let mut pose = start.clone();
            limb.reach(&model.hierarchy, &mut pose, path(0), None);
            for step in 1..=STEPS {
                let before = place(&pose, limb.middle);
                let dragged = path(step).distance(path(step - 1));
                limb.reach(&model.hierarchy, &mut pose, path(step), None);
                let moved = before.distance(place(&pose, limb.middle));
                assert!(
                    moved < 6.0 * dragged + 1e-4 * whole,
                    "{limb:?} of {}: {moved}",
                    model.name
                );
            }
        }
    }
}

/// Round the line from root to end, in steps and at once: the ends stay, and the middle goes round in a circle.
#[test]
fn a_limb_swivels_while_its_ends_stay() {
    const STEPS: usize = 48;
    let (mut tried, mut worst) = (0, 0.0_f32);
    for model in rigs() {
        let start = pose_of_clip(&model, 0.3);
        for limb in limbs(&model, &start) {
            let (upper, lower) = length(&limb, &start);
            let whole = upper + lower;
            let [root, middle, end] =
                [limb.root, limb.middle, limb.end].map(|id| place(&start, id));
            let Some((angle, radius)) = limb.swivel_to(&start, middle) else {
                continue;
            };
            assert!(angle.abs() < 1e-3, "it is there already: {angle}");
            let line = (end - root).normalize();
            let mut at = middle;
            for step in 1..=STEPS {
                let radians = step as f32 / STEPS as f32 * std::f32::consts::TAU;
                let mut pose = start.clone();
                let left = limb.swivel(&model.hierarchy, &mut pose, radians);
                worst = worst.max(left / whole);
                assert!(
                    left < 1e-4 * whole,
                    "{limb:?} of {}: {}",
                    model.name,
                    left / whole
                );
                let turned = root + Quat::from_axis_angle(line, radians) * (middle - root);
                let now = place(&pose, limb.middle);
                assert!(
                    now.distance(turned) < 1e-2 * radius + 1e-4 * whole,
                    "{limb:?} of {}",
                    model.name
                );
                assert!(now.distance(at) < 0.2 * radius + 1e-4 * whole);
                at = now;
                tried += 1;
            }
        }
    }
    println!("{tried} turns: {worst:.2e} of the limb's length at most");
    assert!(tried > 500, "{tried}");
}

/// Without a name that says so, sides are told by where nodes are at rest.
#[test]
fn sides_are_found_by_place_where_names_say_nothing() {
    let model = load("builtin:Pip".as_ref()).unwrap().model;
    let named = Sides::find(&model.hierarchy, &Pose::new(&model.hierarchy), 2.0);
    let mut nodes = model.hierarchy.nodes().to_vec();
    let mut by_file: Vec<_> = (0..nodes.len()).collect();
    by_file.sort_by_key(|&place| nodes[place].file_index);
    let parents = by_file.iter().map(|&place| {
        let parent = nodes[place].parent;
        parent.map(|parent| model.hierarchy.node(parent).file_index)
    });
    let parents: Vec<_> = parents.collect();
    let weights: Vec<_> = by_file
        .iter()
        .map(|&place| model.hierarchy.rest_weights()[nodes[place].weights.clone()].to_vec())
        .collect();
    for (place, node) in nodes.iter_mut().enumerate() {
        node.name = format!("n{place}");
    }
    let unnamed: Vec<_> = by_file.iter().map(|&place| nodes[place].clone()).collect();
    let hierarchy = Hierarchy::new(unnamed, &parents, &weights).unwrap();
    let placed = Sides::find(&hierarchy, &Pose::new(&hierarchy), 2.0);
    assert!(placed.are_known());
    let mut pairs = 0;
    for (id, _) in model.hierarchy.iter() {
        if placed.other(id) != id {
            assert_eq!(
                placed.other(id),
                named.other(id),
                "{}",
                model.hierarchy.node(id).name
            );
            pairs += 1;
        }
    }
    assert!(pairs >= 8, "{pairs}");
}

#[test]
fn sides_that_change_twice_are_where_they_were() {
    let model = load("builtin:Pip".as_ref()).unwrap().model;
    let hierarchy = &model.hierarchy;
    let rest = Pose::new(hierarchy);
    let sides = Sides::find(hierarchy, &rest, 2.0);
    let by_name = |name: &str| {
        hierarchy
            .iter()
            .find(|(_, node)| node.name == name)
            .unwrap()
            .0
    };
    assert_eq!(sides.other(by_name("hand_L")), by_name("hand_R"));
    assert_eq!(sides.other(by_name("spine")), by_name("spine"));
    let mut pose = rest.clone();
    let walk = model
        .clips
        .iter()
        .find(|clip| clip.name() == "Walk")
        .unwrap();
    sample(walk, 0.3, &mut Cursors::default(), &mut pose);
    pose.update_world(hierarchy, Affine3A::IDENTITY);
    let swapped = |pose: &Pose| {
        let mut swapped = pose.clone();
        swapped.locals = sides.swapped(hierarchy, &rest, pose);
        swapped.update_world(hierarchy, Affine3A::IDENTITY);
        swapped
    };
    let once = swapped(&pose);
    let twice = swapped(&once);
    let (mut most, mut even) = (0.0_f32, 0);
    for (id, _) in hierarchy.iter() {
        let other = sides.other(id);
        let mirrored = Vec3::new(-1.0, 1.0, 1.0);
        // The scarf hangs on one side only.
        if (place(&rest, other) * mirrored).distance(place(&rest, id)) < 1e-4 {
            let image = place(&pose, other) * mirrored;
            let name = &hierarchy.node(id).name;
            assert!(place(&once, id).distance(image) < 1e-4, "{name}");
            even += 1;
        }
        assert!(place(&twice, id).distance(place(&pose, id)) < 1e-4);
        most = most.max(place(&once, id).distance(place(&pose, id)));
    }
    assert!(most > 0.1, "the clip is not even: {most}");
    assert!(even > 25, "{even}");
}
