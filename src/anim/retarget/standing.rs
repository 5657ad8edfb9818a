//! In which poses two rigs are compared, and how the whole of the one is turned from the other.
//!
//! What turns clips from one rig into another takes both to be in the same pose. Rest poses usually are that, but some files
//! are saved in the middle of a motion: then the bind poses of both are compared instead, if these are more alike.
//!
//! Rigs may stand in their worlds otherwise: turned about, or lying where another axis points up. The turn is the one that
//! brings the directions of bones nearest to those of their counterparts, in the sense of Horn, "Closed-form solution of
//! absolute orientation using unit quaternions" (1987): the greatest sum of their scalar products. Rigs of other proportions
//! do not agree exactly, and tools exchange axes: unless a turn is far larger than what is left over, it is taken for the
//! nearest one by quarters, and where bones do not agree at all, or say nothing of a turn, for the one that files tell. So it
//! is where only the body's own first node lies down, and no skin says that it stands.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

use glam::{Affine3A, DMat3, DQuat, DVec3, Quat, Vec3};

use super::Binding;
use crate::{
    anim::{Pose, bind_pose, orientation::angle_between, posing::parent_orientation},
    model::{Aabb, Hierarchy, Model, Node, NodeId, Skin, Transform, mean_stretch},
};

/// Rotations that differ by less are the same: 5 degrees.
const SAME_RADIANS: f64 = 0.0873;
/// Bind poses whose bones agree better than those of rest poses have at most this part of their misfit.
const CLEARLY_BETTER: f64 = 0.5;
/// Misfits that differ by less do so by rounding.
const MISFIT_NOISE: f64 = 1e-4;
/// Turns of the up axis by less keep it: 45 degrees.
const KEEPS_UP: f64 = FRAC_1_SQRT_2;
/// Scales of bind poses that differ by more from those at rest are of another unit.
const SAME_SCALE: f32 = 1.05;
/// Skins leave open where the whole is: farther from where it is at rest than this part of its size it is not meant.
const NEAR: f32 = 0.25;
/// Shorter bones than this part of the longest one have no direction.
const SHORT: f64 = 1e-3;
/// The mean cosine between bones and their counterparts above which they agree.
const MIN_COSINE: f64 = 0.75;
/// Bones whose [`information`] of a turn is less say nothing of it.
const MIN_INFORMATION: f64 = 0.02;
/// How many times as large as what is left over a turn is that is none by quarters, and its least angle.
const CLEAR: f64 = 2.0;
const MIN_TURN_RADIANS: f64 = 0.005;
/// Steps until a turn is as exact as numbers are.
const STEPS: usize = 30;

/// The poses that are compared, and what leads from the one world to the other.
pub(super) struct Standing {
    pub(super) poses: [Pose; 2],
    /// Whether these are the bind poses.
    pub(super) is_bound: bool,
    /// The turn of the source's world that brings its bones to those of the model.
    pub(super) turn: Quat,
    /// The largest angle between the rotations of a node that is moved and its counterpart in these poses.
    pub(super) angle_radians: f64,
    /// How far bones are from their counterparts: 1 less the mean cosine.
    misfit: f64,
}

/// A rig that is compared.
#[derive(Clone, Copy)]
pub(super) struct Rig<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    /// What [`bound_pose`] says of it.
    pub(super) bound: Option<&'a Pose>,
}

impl Standing {
    /// Compares the nodes that `is_moved` says, which are those of the first rig; `is_arm` says which of them are below its
    /// upper arms, and `told` is the turn between the ways that the files look.
    pub(super) fn of(
        rigs: [Rig<'_>; 2],
        binding: &Binding,
        is_moved: &[bool],
        is_arm: &[bool],
        told: Quat,
    ) -> Self {
        let pairs = pairs(rigs[0].hierarchy, binding, is_moved);
        let standing = |poses: [Pose; 2], is_bound: bool| {
            let (turn, misfit) = turn(&poses, &pairs, is_arm, told);
            Self {
                turn,
                misfit,
                angle_radians: largest_angle(&poses, &pairs),
                poses,
                is_bound,
            }
        };
        let mut at_rest = standing(rigs.map(|rig| Pose::new(rig.hierarchy)), false);
        let [Some(there), Some(here)] = rigs.map(|rig| rig.bound) else {
            if is_lying(rigs, &at_rest, &pairs) {
                let bones = bones(&at_rest.poses, &pairs, is_arm);
                at_rest.turn = told;
                at_rest.misfit = 1.0 - mean_cosine(&bones, told.as_dquat());
            }
            return at_rest;
        };
        if at_rest.angle_radians <= SAME_RADIANS {
            return at_rest;
        }
        let bound = standing([there.clone(), here.clone()], true);
        let is_better = bound.misfit + MISFIT_NOISE < CLEARLY_BETTER * at_rest.misfit;
        match bound.angle_radians <= SAME_RADIANS || is_better {
            true => bound,
            false => at_rest,
        }
    }
}

/// The bind pose, as clips can be measured from it: the scales are those at rest, and so are lengths where skins are in another
/// unit, and the place of the whole where skins put it far away. None if no skin says what it is.
pub(super) fn bound_pose(model: &Model) -> Option<Pose> {
    let says_any = |skin: &Skin| {
        let matrices = skin.joint_from_mesh.iter();
        matrices.into_iter().any(|it| *it != Affine3A::IDENTITY)
    };
    if !model.skins.iter().any(says_any) {
        return None;
    }
    let hierarchy = &model.hierarchy;
    let rest = Pose::new(hierarchy);
    let mut bound = rest.clone();
    bind_pose(model, &mut bound);
    let is_same_unit = |node: NodeId| {
        let [there, here] = [&bound, &rest].map(|pose| mean_stretch(&pose.world[node.index()]));
        (SAME_SCALE.recip()..SAME_SCALE).contains(&(there / here))
    };
    let is_joint = model.joint_nodes();
    let place = |pose: &Pose, node: NodeId| Vec3::from(pose.world[node.index()].translation);
    let joints = hierarchy.iter().map(|(id, _)| id);
    let joints = joints.filter(|id| is_joint[id.index()]);
    let size = Aabb::of_points(joints.map(|id| place(&rest, id))).diagonal();
    let is_near = |node: NodeId| place(&bound, node).distance(place(&rest, node)) <= NEAR * size;
    let hangs_on_joint = |node: &Node| node.parent.is_some_and(|parent| is_joint[parent.index()]);
    let mut pose = rest.clone();
    for (id, node) in hierarchy.iter() {
        let local = bound.locals[id.index()];
        if local == node.rest {
            continue;
        }
        let mut placed = turned_to(&node.rest, local.rotation);
        let is_meant = hangs_on_joint(node) || is_near(id);
        if is_meant && is_same_unit(id) && node.parent.is_none_or(is_same_unit) {
            placed.translation = local.translation;
        }
        if placed.rotation.is_finite() && placed.translation.is_finite() {
            pose.place(id, placed);
        }
    }
    pose.update_world(hierarchy, Affine3A::IDENTITY);
    Some(pose)
}

/// A placement with another rotation, which is one of matrices: clips turn what has the node's own scale, which may mirror.
pub(super) fn turned_to(local: &Transform, rotation: Quat) -> Transform {
    let before = Transform::from_affine(&local.to_affine()).rotation;
    Transform {
        rotation: rotation * before.conjugate() * local.rotation,
        ..*local
    }
}

/// A node that is moved, and its counterpart; and the next of those above it.
struct Pair {
    nodes: [NodeId; 2],
    above: Option<[NodeId; 2]>,
}

fn pairs(from: &Hierarchy, binding: &Binding, is_moved: &[bool]) -> Vec<Pair> {
    let mut nearest: Vec<Option<[NodeId; 2]>> = Vec::with_capacity(from.len());
    let mut pairs = Vec::new();
    for (id, node) in from.iter() {
        let above = node.parent.and_then(|parent| nearest[parent.index()]);
        let found = binding.of(id).filter(|_| is_moved[id.index()]);
        let nodes = found.map(|found| [id, found.node]);
        pairs.extend(nodes.map(|nodes| Pair { nodes, above }));
        nearest.push(nodes.or(above));
    }
    pairs
}

/// Whether the turn lays a body down or raises it, and is none of the worlds in which the bodies are: what is above the first
/// nodes that clips move, and that carry others, says nothing of it. One of them swims at rest, say.
fn is_lying(rigs: [Rig<'_>; 2], standing: &Standing, pairs: &[Pair]) -> bool {
    let keeps_up = |turn: DQuat| (turn * DVec3::Y).y > KEEPS_UP;
    let turn = standing.turn.as_dquat();
    let Some(first) = pairs.iter().find_map(|pair| pair.above) else {
        return false;
    };
    let [there, here] = [0, 1].map(|side| {
        let above = parent_orientation(rigs[side].hierarchy, &standing.poses[side], first[side]);
        above.rotation.as_dquat()
    });
    !keeps_up(turn) && !keeps_up(turn * there * here.conjugate())
}

fn largest_angle(poses: &[Pose; 2], pairs: &[Pair]) -> f64 {
    let angles = pairs.iter().map(|pair| {
        let [there, here] = [0, 1].map(|side| poses[side].locals[pair.nodes[side].index()]);
        angle_between(there.rotation, here.rotation)
    });
    angles.fold(0.0, f64::max)
}

/// The directions of bones in the first world and the second.
type Bones = Vec<[DVec3; 2]>;

/// The turn of the first world that brings bones to their counterparts, and how far from these they are then.
fn turn(poses: &[Pose; 2], pairs: &[Pair], is_arm: &[bool], told: Quat) -> (Quat, f64) {
    let bones = bones(poses, pairs, is_arm);
    let told = told.as_dquat();
    let found = best_turn(&bones, told);
    let misfit = 1.0 - mean_cosine(&bones, found);
    (found.as_quat(), misfit)
}

fn bones(poses: &[Pose; 2], pairs: &[Pair], is_arm: &[bool]) -> Bones {
    let place = |side: usize, node: NodeId| {
        let place = poses[side].world[node.index()].translation;
        place.as_dvec3()
    };
    let bones = pairs.iter().filter(|pair| !is_arm[pair.nodes[0].index()]);
    let bones = bones.filter_map(|pair| {
        let above = pair.above?;
        Some([0, 1].map(|side| place(side, pair.nodes[side]) - place(side, above[side])))
    });
    let bones: Bones = bones
        .filter(|bone| bone.iter().all(|it| it.is_finite()))
        .collect();
    let longest = [0, 1].map(|side| {
        let lengths = bones.iter().map(|bone| bone[side].length());
        lengths.fold(0.0, f64::max)
    });
    let is_long = |bone: &&[DVec3; 2]| (0..2).all(|it| bone[it].length() > SHORT * longest[it]);
    let bones = bones.iter().filter(is_long);
    bones.map(|bone| bone.map(DVec3::normalize)).collect()
}

fn mean_cosine(bones: &Bones, turn: DQuat) -> f64 {
    let cosines: f64 = bones.iter().map(|[a, b]| (turn * *a).dot(*b)).sum();
    match bones.len() {
        0 => 1.0,
        count => cosines / count as f64,
    }
}

fn best_turn(bones: &Bones, told: DQuat) -> DQuat {
    let quarters = quarters();
    let best = quarters.iter().fold(told, |best, turn| {
        let is_better = mean_cosine(bones, *turn) > mean_cosine(bones, best) + 1e-6;
        if is_better { *turn } else { best }
    });
    let mut found = best;
    for _ in 0..STEPS {
        let step = step(bones, found);
        if !step.is_finite() {
            return told;
        }
        found = (DQuat::from_scaled_axis(step) * found).normalize();
    }
    if information(bones, found) < MIN_INFORMATION {
        return told;
    }
    let cosine = mean_cosine(bones, found);
    if cosine < MIN_COSINE {
        return told;
    }
    let apart = |other: &DQuat| angle_between(found.as_quat(), other.as_quat());
    let candidates = [told].into_iter().chain(quarters);
    let nearest = candidates.min_by(|a, b| apart(a).total_cmp(&apart(b)));
    let nearest = nearest.unwrap_or(told);
    let left_over = (2.0 * (1.0 - cosine)).max(0.0).sqrt();
    if apart(&nearest) > MIN_TURN_RADIANS.max(CLEAR * left_over) {
        found
    } else {
        nearest
    }
}

/// A small turn, as an axis of its length, that brings turned bones nearer to their counterparts (Gauss-Newton); no numbers
/// where they are all in one line.
fn step(bones: &Bones, turn: DQuat) -> DVec3 {
    let (mut normal, mut slope) = (DMat3::ZERO, DVec3::ZERO);
    for [a, b] in bones {
        let a = turn * *a;
        normal += DMat3::IDENTITY - outer_product(a, a);
        slope += a.cross(*b);
    }
    normal.inverse() * slope
}

/// How sharp the best turn is: the determinant of the second derivatives of the mean cosine, 1 at most.
fn information(bones: &Bones, turn: DQuat) -> f64 {
    let mut sum = DMat3::ZERO;
    for [a, b] in bones {
        let a = turn * *a;
        let product = outer_product(a, *b);
        sum += DMat3::IDENTITY * a.dot(*b) - (product + product.transpose()) * 0.5;
    }
    (sum * (bones.len().max(1) as f64).recip()).determinant()
}

fn outer_product(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// All 24 turns that exchange axes.
fn quarters() -> [DQuat; 24] {
    std::array::from_fn(|place| {
        let quarter = |count: usize| FRAC_PI_2 * count as f64;
        let around = DQuat::from_rotation_y(quarter(place % 4));
        around
            * match place / 4 {
                up @ 0..4 => DQuat::from_rotation_x(quarter(up)),
                up => DQuat::from_rotation_z(quarter(2 * up - 7)),
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_all_turns_that_exchange_axes() {
        let quarters = quarters();
        for (place, turn) in quarters.iter().enumerate() {
            for axis in DVec3::AXES {
                let image = (*turn * axis).abs();
                assert!((image.max_element() - 1.0).abs() < 1e-12, "{image}");
            }
            let apart = |other: &DQuat| angle_between(turn.as_quat(), other.as_quat());
            assert!(quarters[..place].iter().all(|it| apart(it) > 1.0));
        }
    }

    /// Directions of a body: spine, hips to the sides, legs, and feet.
    fn body(turn: DQuat, lean: f64) -> Bones {
        let ways = [
            DVec3::Y,
            DVec3::new(0.0, 1.0, 0.1),
            DVec3::X,
            DVec3::NEG_X,
            DVec3::NEG_Y,
            DVec3::NEG_Y,
            DVec3::new(0.2, -1.0, 0.0),
            DVec3::Z,
        ];
        let ways = ways.iter().enumerate().map(|(place, way)| {
            // One bends this way, and the other that.
            let angle = if place % 2 == 0 { lean } else { -0.8 * lean };
            let other = DQuat::from_axis_angle(DVec3::ONE.normalize(), angle) * *way;
            [way.normalize(), turn * other.normalize()]
        });
        ways.collect()
    }

    #[test]
    fn turns_of_the_whole_are_found_and_poses_are_none() {
        let turn = |angle: f64| DQuat::from_rotation_y(angle);
        let up = DQuat::from_rotation_x(-FRAC_PI_2);
        let told = DQuat::IDENTITY;
        for (given, lean, expected) in [
            (told, 0.0, told),
            (turn(0.35), 0.0, turn(0.35)),
            (turn(3.0) * up, 0.0, turn(3.0) * up),
            (turn(FRAC_PI_2), 0.3, turn(FRAC_PI_2)),
            (up, 0.3, up),
            // Other poses are not the whole.
            (turn(0.1), 0.3, told),
            (told, 0.5, told),
        ] {
            let found = best_turn(&body(given, lean), told);
            let apart = angle_between(found.as_quat(), expected.as_quat());
            assert!(apart < 1e-6, "{given} {lean}: {found}");
        }
        // A chain in one line says nothing of turns about it, nor do no bones of any.
        let line = vec![[DVec3::Y, DVec3::X], [DVec3::NEG_Y, DVec3::NEG_X]];
        for bones in [line, Vec::new()] {
            assert_eq!(best_turn(&bones, told), told);
        }
    }
}
