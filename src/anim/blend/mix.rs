//! The arithmetic of blending, transform by transform.

use glam::{Quat, Vec3};

use crate::{
    anim::{Pose, sample::slerp},
    model::{NodeId, Transform},
};

/// `sum * sum_factor + pose * weight`, rotations turned to the hemisphere of the sum.
pub(super) fn accumulate(sum: &mut Pose, sum_factor: f32, pose: &Pose, weight: f32) {
    for (sum, local) in sum.locals.iter_mut().zip(&pose.locals) {
        *sum = Transform {
            translation: sum.translation * sum_factor + local.translation * weight,
            rotation: sum.rotation * sum_factor + toward(sum.rotation, local.rotation) * weight,
            scale: sum.scale * sum_factor + local.scale * weight,
        };
    }
    for (sum, value) in sum.weights.iter_mut().zip(&pose.weights) {
        *sum = *sum * sum_factor + value * weight;
    }
}

/// Makes summed rotations unit quaternions again.
pub(super) fn normalize(sum: &mut Pose) {
    for local in &mut sum.locals {
        local.rotation = local.rotation.normalize();
    }
}

/// Puts `weight` of a node of `upper`, in 0..=1, in the place of as much of `pose`.
pub(super) fn replace(upper: &Pose, weight: f32, index: usize, pose: &mut Pose) {
    let local = &mut pose.locals[index];
    let over = upper.locals[index];
    let rest = 1.0 - weight;
    *local = if weight == 1.0 {
        over
    } else {
        let turned = toward(local.rotation, over.rotation);
        Transform {
            translation: local.translation * rest + over.translation * weight,
            rotation: (local.rotation * rest + turned * weight).normalize(),
            scale: local.scale * rest + over.scale * weight,
        }
    };
    if weight >= 0.5 {
        pose.hidden[index] = upper.hidden[index];
    }
    let node = NodeId(index as u32);
    let weights = pose.weights_of_mut(node).iter_mut();
    for (value, over) in weights.zip(upper.weights_of(node)) {
        *value = if weight == 1.0 {
            *over
        } else {
            *value * rest + over * weight
        };
    }
}

/// Adds `weight` times the difference of a node of `upper` from `reference` to `pose`.
pub(super) fn add(upper: &Pose, reference: &Pose, weight: f32, index: usize, pose: &mut Pose) {
    let local = &mut pose.locals[index];
    let (over, from) = (upper.locals[index], reference.locals[index]);
    let turn = over.rotation * from.rotation.conjugate();
    *local = Transform {
        translation: local.translation + (over.translation - from.translation) * weight,
        rotation: (slerp(Quat::IDENTITY, turn, weight) * local.rotation).normalize(),
        scale: local.scale * (Vec3::ONE + (ratio(over.scale, from.scale) - Vec3::ONE) * weight),
    };
    let node = NodeId(index as u32);
    let differences = upper
        .weights_of(node)
        .iter()
        .zip(reference.weights_of(node));
    for (value, (over, from)) in pose.weights_of_mut(node).iter_mut().zip(differences) {
        *value += (over - from) * weight;
    }
}

/// The one of `rotation` and its negative, which are the same rotation, that is nearer to `side`.
fn toward(side: Quat, rotation: Quat) -> Quat {
    if side.dot(rotation) < 0.0 {
        -rotation
    } else {
        rotation
    }
}

/// `above / below`, and 1 on axes where that is no number.
fn ratio(above: Vec3, below: Vec3) -> Vec3 {
    let ratio = above / below;
    Vec3::select(ratio.is_finite_mask(), ratio, Vec3::ONE)
}
