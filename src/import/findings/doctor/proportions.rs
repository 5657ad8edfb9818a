//! Skeletons of other proportions than what they move: bones that are longer or shorter in the bind pose than at rest, and
//! meshes beside their joints.
//!
//! A pose turns bones, and keeps their lengths: in the corpus at most two in five differ by a quarter, those of rigs that
//! stretch. Where most do, the inverse bind matrices belong to other joints, or to a skeleton of another scale.

use std::collections::HashMap;

use glam::{Affine3A, Vec3};

use crate::{
    import::base::diagnostics::Diagnostics,
    model::{Aabb, Length, Model, NodeId, Skin},
};

/// Bones that differ by more than this part are of other lengths.
const OTHER_LENGTH: f32 = 0.25;
/// Bones shorter than this part of the skeleton say nothing.
const SHORT: f32 = 0.005;
/// Joints that stand within this part of where they were bound have no pose at rest.
const COLLAPSED: f32 = 1e-4;
/// Fewer bones say nothing.
const FEWEST: usize = 4;
/// How joints scale the mesh may differ from most by this factor: else it is not known how long bones are in the bind pose.
const ONE_SCALE: f32 = 1.25;
/// Where so many bones differ by one factor, as exactly as that, and it is as far from 1, they are of another scale.
const MOST: f32 = 0.9;
const ONE_FACTOR: f32 = 1.05;
const OTHER_SCALE: f32 = 1.5;
/// Nodes from a joint to the next joint above.
const MAX_BETWEEN: usize = 8;

/// A mesh is so many times as large as its joints' box, or as small, if it was made for others.
const OTHER_SIZE: f32 = 10.0;
/// Joints so near to one another, as a part of the mesh, stand in one place but for roundings of their matrices.
const ONE_PLACE: f32 = 1e-3;
/// So far from its joints it is beside them, as a part of whichever is larger.
const BESIDE: f32 = 0.5;

/// What matrices say of the length of a bone, and what the pose at rest does: in units of the world.
struct Bone {
    bound: f32,
    at_rest: f32,
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
impl Bone {
    fn is_of_other_length(&self) -> bool {
        let longer = self.bound.max(self.at_rest);
        (self.bound - self.at_rest).abs() > OTHER_LENGTH * longer
    }

    fn factor(&self) -> f32 {
        self.bound / self.at_rest
    }
}

/// What does not fit about the inverse bind matrices of a skin as a whole, in words.
pub(super) fn misfit(
    model: &Model,
    skin: &Skin,
    used: &[bool],
    rest: &[Affine3A],
) -> Option<String> {
    let bones = bones(model, skin, used, rest)?;
    let of_other_length = bones.iter().filter(|bone| bone.is_of_other_length());
    if of_other_length.count().saturating_mul(2) <= bones.len() {
        return None;
    }
    let factors: Vec<f32> = bones.iter().map(Bone::factor).collect();
    let factor = median(factors.clone())?;
    let of_factor = factors
        .iter()
        .filter(|it| differ_by(**it, factor) <= ONE_FACTOR);
    let seems = if is_part(of_factor.count(), factors.len(), MOST)
        && differ_by(factor, 1.0) >= OTHER_SCALE
    {
        format!("they are of a skeleton {}", times_as(factor))
    } else {
        "they seem to be in another order".to_owned()
    };
    Some(format!(
        "the inverse bind matrices do not fit the joints, most bones of which have other lengths: {seems}"
    ))
}

/// All bones of used joints, if the joints agree about the scale of the mesh, and there are some.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn bones(model: &Model, skin: &Skin, used: &[bool], rest: &[Affine3A]) -> Option<Vec<Bone>> {
    let mut joints: HashMap<NodeId, (Vec3, Vec3)> = HashMap::new();
    let mut scales = Vec::new();
    let (mut box_at_rest, mut box_bound) = (Aabb::EMPTY, Aabb::EMPTY);
    let all = skin.joints.iter().zip(&skin.joint_from_mesh).zip(used);
    for ((joint, joint_from_mesh), _) in all.filter(|(_, used)| **used) {
        let world_from_joint = rest.get(joint.index())?;
        let bound = Vec3::from(joint_from_mesh.inverse().translation);
        let at_rest = Vec3::from(world_from_joint.translation);
        if !bound.is_finite() || !at_rest.is_finite() {
            return None;
        }
        let world_from_mesh = *world_from_joint * *joint_from_mesh;
        scales.push(world_from_mesh.matrix3.determinant().abs().cbrt());
        box_at_rest = box_at_rest.with(at_rest);
        box_bound = box_bound.with(bound);
        joints.insert(*joint, (bound, at_rest));
    }
    let scale = median(scales.clone())?;
    let agree = scales
        .iter()
        .filter(|it| differ_by(**it, scale) <= ONE_SCALE);
    if !is_part(agree.count(), scales.len(), MOST) {
        return None;
    }
    // Where clips alone pose the joints, they stand in one place at rest.
    if box_at_rest.diagonal() <= COLLAPSED * scale * box_bound.diagonal() {
        return None;
    }
    let short = SHORT * box_at_rest.diagonal();
    let bones = skin.joints.iter().filter_map(|joint| {
        let (bound, at_rest) = joints.get(joint)?;
        let parent = |node: &NodeId| model.hierarchy.node(*node).parent;
        let mut above = std::iter::successors(parent(joint), parent).take(MAX_BETWEEN);
        let (bound_above, above_at_rest) = above.find_map(|above| joints.get(&above))?;
        let bone = Bone {
            bound: scale * bound.distance(*bound_above),
            at_rest: at_rest.distance(*above_at_rest),
        };
        let is_none = bone.bound.min(bone.at_rest) == 0.0;
        (!is_none && bone.bound.max(bone.at_rest) > short).then_some(bone)
    });
    let bones: Vec<Bone> = bones.collect();
    (bones.len() >= FEWEST).then_some(bones)
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len().div_euclid(2)).copied()
}

/// How many times larger the larger of two is.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn differ_by(a: f32, b: f32) -> f32 {
    (a / b).max(b / a)
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn is_part(count: usize, all: usize, part: f32) -> bool {
    count as f32 >= part * all as f32
}

/// `100 times as large`, `2.5 times as small`.
fn times_as(factor: f32) -> String {
    let times = differ_by(factor, 1.0);
    let decimals = if times < 10.0 { 1 } else { 0 };
    let size = if factor < 1.0 { "small" } else { "large" };
    format!("{times:.decimals$} times as {size}")
}

/// The box of all meshes of each skin.
pub(super) fn mesh_bounds(model: &Model) -> Vec<Aabb> {
    // A mesh of many primitives may be placed a thousand times.
    let of_meshes = model.meshes.iter().map(|mesh| {
        let with_joints = mesh.primitives.iter().filter(|it| it.influences.is_some());
        let bounds = with_joints.map(|it| it.rest_bounds);
        bounds.fold(Aabb::EMPTY, Aabb::union)
    });
    let of_meshes: Vec<Aabb> = of_meshes.collect();
    let mut of_skins = vec![Aabb::EMPTY; model.skins.len()];
    for node in model.hierarchy.nodes() {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin)
            && let (Some(bounds), Some(all)) = (of_meshes.get(mesh), of_skins.get_mut(skin))
        {
            *all = all.union(*bounds);
        }
    }
    of_skins
}

/// Says that the meshes of a skin are far from the joints that move them, or of quite another size, in the bind pose.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
pub(super) fn check_meshes(
    index: usize,
    skin: &Skin,
    used: &[bool],
    meshes: &Aabb,
    diagnostics: &mut Diagnostics,
) {
    let joints = skin.joint_from_mesh.iter().zip(used);
    let places = joints
        .filter(|(_, used)| **used)
        .map(|(joint_from_mesh, _)| Vec3::from(joint_from_mesh.inverse().translation));
    let joints = Aabb::of_points(places.clone());
    let Some(first) = used.iter().position(|used| *used) else {
        return;
    };
    let (size, of_joints) = (meshes.diagonal(), joints.diagonal());
    let factor = size / of_joints;
    let are_known = size > 0.0 && of_joints > ONE_PLACE * size && factor.is_finite();
    if meshes.is_empty() || !are_known || places.count() < FEWEST {
        return;
    }
    let gap = (joints.min - meshes.max).max(meshes.min - joints.max);
    let gap = gap.max(Vec3::ZERO).length();
    let message = if gap > BESIDE * size.max(of_joints) {
        format!(
            "the mesh lies {} beside the joints that move it, in the bind pose, and is {} large",
            Length(gap),
            Length(size)
        )
    } else if differ_by(factor, 1.0) > OTHER_SIZE {
        format!(
            "the mesh is {} as the joints that move it, in the bind pose: they are in other units",
            times_as(factor)
        )
    } else {
        return;
    };
    let pointer = format_args!("/skins/{index}/joints/{first}");
    let action = "it is drawn so";
    diagnostics.warning("SKIN_MESH_ELSEWHERE", pointer, message, action);
}
