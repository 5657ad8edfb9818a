//! Skins: joints that move nothing, and inverse bind matrices that do not fit the rest pose.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Quat, Vec3, Vec3A};

use crate::{
    import::base::diagnostics::Diagnostics,
    model::{Length, Model, NodeId, Skin},
};

use super::{Size, node_names, number_of, proportions};

/// How far joints may be from where the others are, as a part of the skeleton's own size.
const POSITION_TOLERANCE: f32 = 0.005;
/// Steps up the tree that are taken at most for all skins together, so that a thousand skins on one deep tree do not
/// take longer than reading them.
const MAX_STEPS: usize = 1 << 22;
/// What stands farther from where it was bound than this part of the model's size was hardly meant to, if all others agree;
/// and than the second, if they do so exactly: what they are off is less than a tenth of the tolerances.
const MISPLACED: f32 = 0.05;
const MISPLACED_AMONG_EXACT: f32 = 0.01;
const EXACTLY: f32 = 0.1;
/// Where there are at least so many joints, one in [`FEW_OF_MANY`] may be out of place: if more are, the pose at rest is
/// another.
const MANY_JOINTS: usize = 8;
const FEW_OF_MANY: usize = 4;
/// How far their axes may be turned or scaled.
const AXIS_TOLERANCE: f32 = 0.01;
/// Lesser weights move nothing that is seen.
const MOVES: f32 = 0.1;
/// How many joints are asked where the mesh is at most.
const MAX_ASKED: usize = 8;

pub(super) fn check(
    model: &Model,
    size: &Size<'_>,
    greatest: &[Vec<f32>],
    diagnostics: &mut Diagnostics,
) {
    let mut marks = Marks {
        skin_of: vec![usize::MAX; model.hierarchy.len()],
        steps_left: MAX_STEPS,
    };
    let meshes = proportions::mesh_bounds(model);
    let skins = model.skins.iter().zip(greatest).zip(meshes);
    for (index, ((skin, greatest), meshes)) in skins.enumerate() {
        let above = |least: f32| greatest.iter().map(|it| *it > least).collect::<Vec<_>>();
        let used = &above(0.0);
        // A skin that nothing uses, or no vertex, has no bind pose to speak of.
        if !used.contains(&true) {
            continue;
        }
        marks.climb(model, index, skin, used);
        check_unused(model, index, skin, &marks, diagnostics);
        check_singular(model, index, skin, used, diagnostics);
        if check_bind_pose(model, index, skin, used, size, diagnostics) {
            proportions::check_meshes(index, skin, &above(MOVES), &meshes, diagnostics);
        }
    }
}

/// Which nodes carry vertices of a skin, themselves or by what hangs below.
struct Marks {
    /// The last skin for which a node does.
    skin_of: Vec<usize>,
    steps_left: usize,
}

impl Marks {
    /// Marks the used joints of a skin and all nodes above.
    fn climb(&mut self, model: &Model, index: usize, skin: &Skin, used: &[bool]) {
        let joints = skin.joints.iter().zip(used);
        for (&joint, _) in joints.filter(|(_, used)| **used) {
            let mut place = Some(joint);
            while let Some(node) = place {
                let Some(left) = self.steps_left.checked_sub(1) else {
                    return;
                };
                self.steps_left = left;
                match self.skin_of.get_mut(node.index()) {
                    Some(mark) if *mark != index => *mark = index,
                    _ => break,
                }
                place = model.hierarchy.node(node).parent;
            }
        }
    }
}

/// A joint without vertices that carries others is the rule; at the end of the tree it only costs.
fn check_unused(
    model: &Model,
    index: usize,
    skin: &Skin,
    marks: &Marks,
    diagnostics: &mut Diagnostics,
) {
    if marks.steps_left == 0 {
        return;
    }
    let hierarchy = &model.hierarchy;
    let carries = |joint: &NodeId| marks.skin_of.get(joint.index()) == Some(&index);
    let joints = skin.joints.iter().copied();
    let idle: Vec<NodeId> = joints.filter(|joint| !carries(joint)).collect();
    if idle.is_empty() {
        return;
    }
    let message = format!(
        "{} of {} {} no vertex, nor does any joint below: {}",
        number_of(idle.len(), "joint"),
        skin.joints.len(),
        if idle.len() == 1 { "moves" } else { "move" },
        node_names(hierarchy, &idle)
    );
    let pointer = joint_pointer(index, skin, &idle);
    diagnostics.hint("SKIN_UNUSED_JOINTS", pointer, message, "");
}

fn check_singular(
    model: &Model,
    index: usize,
    skin: &Skin,
    used: &[bool],
    diagnostics: &mut Diagnostics,
) {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh).zip(used);
    let singular: Vec<NodeId> = joints
        .filter(|((_, matrix), used)| **used && matrix.matrix3.determinant() == 0.0)
        .map(|((&joint, _), _)| joint)
        .collect();
    if singular.is_empty() {
        return;
    }
    let message = format!(
        "the inverse bind matrix of {} has no inverse, so that its vertices fall together: {}",
        number_of(singular.len(), "joint"),
        node_names(&model.hierarchy, &singular)
    );
    let pointer = joint_pointer(index, skin, &singular);
    diagnostics.warning("SKIN_IBM_SINGULAR", pointer, message, "it is used as it is");
}

/// Where a skin names the first of some joints, so that a finding leads to it.
fn joint_pointer(index: usize, skin: &Skin, joints: &[NodeId]) -> String {
    let first = joints.first();
    let place = first.and_then(|first| skin.joints.iter().position(|joint| joint == first));
    match place {
        Some(place) => format!("/skins/{index}/joints/{place}"),
        None => format!("/skins/{index}/joints"),
    }
}

/// Where matrices invert the pose at rest, `world_from_mesh` is the same by all joints: where the whole model stands. Returns
/// whether all joints are where they may belong.
fn check_bind_pose(
    model: &Model,
    index: usize,
    skin: &Skin,
    used: &[bool],
    size: &Size<'_>,
    diagnostics: &mut Diagnostics,
) -> bool {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh).zip(used);
    let bound: Vec<_> = joints
        .filter_map(|((&joint, joint_from_mesh), &is_used)| {
            let world_from_joint = *size.rest.get(joint.index())?;
            let bound = Bound::new(joint, world_from_joint, joint_from_mesh);
            Some(Bound { is_used, ..bound })
        })
        .collect();
    let Some(fits) = Fits::of_most(&bound, size) else {
        return true;
    };
    let off = bound.iter().filter(|joint| !fits.holds(joint));
    let misfits = Misfits {
        model,
        index,
        skin,
        farthest: off
            .clone()
            .map(|joint| fits.distance(joint))
            .fold(0.0, f32::max),
        off: off.map(|joint| joint.id).collect(),
    };
    if misfits.off.is_empty() {
        return true;
    }
    let is_identity = |matrix: &Affine3A| *matrix == Affine3A::IDENTITY;
    if skin.joint_from_mesh.iter().all(is_identity) {
        misfits.report_missing(diagnostics);
        return false;
    }
    let are_few = are_few(misfits.off.len(), &bound);
    // One joint in the middle of a head has more bones than all others.
    let misfit = (!are_few).then(|| proportions::misfit(model, skin, used, size.rest));
    if let Some(message) = misfit.flatten() {
        let pointer = joint_pointer(index, skin, &misfits.off);
        let action = "the mesh is torn";
        diagnostics.warning("SKIN_BIND_POSE_MISFIT", pointer, message, action);
        return false;
    }
    if are_few {
        let ids = |found: &[&Bound]| found.iter().map(|joint| joint.id).collect::<Vec<_>>();
        let misplaced = found_by(&bound, &fits, size, |far| {
            misplaced(model, &bound, &fits, far)
        });
        if !misplaced.is_empty() {
            misfits.report_misplaced(&ids(&misplaced), diagnostics);
            return false;
        }
        let turned = found_by(&bound, &fits, size, |far| turned(model, &bound, &fits, far));
        if !turned.is_empty() {
            let degrees = turned.iter().map(|it| fits.turn_degrees(it));
            let degrees = degrees.fold(0.0, f32::max);
            misfits.report_turned(&ids(&turned), degrees, diagnostics);
            return true;
        }
    }
    misfits.report_other_pose(misfits.farthest > fits.distance, diagnostics);
    true
}

/// Joints of a skin that are not where their inverse bind matrices say, and what there is to say of them.
struct Misfits<'m> {
    model: &'m Model,
    index: usize,
    skin: &'m Skin,
    off: Vec<NodeId>,
    /// How far the farthest of them is from where it would fit.
    farthest: f32,
}

impl Misfits<'_> {
    fn report_missing(&self, diagnostics: &mut Diagnostics) {
        let message = format!(
            "the inverse bind matrices are missing or say nothing, and joints do not stand at the origin: {}",
            node_names(&self.model.hierarchy, &self.off)
        );
        diagnostics.warning(
            "SKIN_IBM_MISSING",
            format_args!("/skins/{}/inverseBindMatrices", self.index),
            message,
            "identity matrices are used",
        );
    }

    fn report_misplaced(&self, misplaced: &[NodeId], diagnostics: &mut Diagnostics) {
        let joints = number_of(misplaced.len(), "joint");
        let (all, farthest) = (self.skin.joints.len(), Length(self.farthest));
        let names = node_names(&self.model.hierarchy, misplaced);
        let message = if misplaced.len() == 1 {
            format!(
                "{joints} of {all} stands {farthest} from where all others fit, so its inverse bind matrix or its place in the skin is wrong: {names}"
            )
        } else {
            format!(
                "{joints} of {all} stand up to {farthest} from where all others fit, so their inverse bind matrices or places in the skin are wrong: {names}"
            )
        };
        let pointer = joint_pointer(self.index, self.skin, misplaced);
        let action = "the mesh is torn there";
        diagnostics.warning("SKIN_JOINTS_MISPLACED", pointer, message, action);
    }

    fn report_turned(&self, turned: &[NodeId], degrees: f32, diagnostics: &mut Diagnostics) {
        let (are, their, hang) = match turned.len() {
            1 => ("is turned by", "its inverse bind matrix is", "it"),
            _ => (
                "are turned by up to",
                "their inverse bind matrices are",
                "them",
            ),
        };
        let message = format!(
            "{} of {} {are} {degrees:.0}° from where all others fit, those that hang on {hang} among them, so {their} wrong: {}",
            number_of(turned.len(), "joint"),
            self.skin.joints.len(),
            node_names(&self.model.hierarchy, turned)
        );
        let pointer = joint_pointer(self.index, self.skin, turned);
        let action = "the mesh is twisted there";
        diagnostics.warning("SKIN_JOINTS_TURNED", pointer, message, action);
    }

    fn report_other_pose(&self, is_moved: bool, diagnostics: &mut Diagnostics) {
        let (off, farthest) = (&self.off, Length(self.farthest));
        let difference = match (off.len(), is_moved) {
            (1, true) => format!("stands elsewhere, by {farthest}"),
            (_, true) => format!("stand elsewhere, by up to {farthest}"),
            (1, false) => "is turned or scaled otherwise".to_owned(),
            (_, false) => "are turned or scaled otherwise".to_owned(),
        };
        let message = format!(
            "the pose at rest is not the bind pose: {} of {} {difference}: {}",
            number_of(off.len(), "joint"),
            self.skin.joints.len(),
            node_names(&self.model.hierarchy, off)
        );
        let pointer = joint_pointer(self.index, self.skin, off);
        diagnostics.info("SKIN_REST_IS_NOT_BIND_POSE", pointer, message, "");
    }
}

/// Whether so many joints that do not fit are few of many, the others of which agree.
fn are_few(off: usize, bound: &[Bound]) -> bool {
    bound.len() >= MANY_JOINTS && off <= bound.len().div_euclid(FEW_OF_MANY)
}

/// The joints that `find` finds to be off by as much as is a fault: by less where all others fit exactly, so that the rig
/// rests as it was bound.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn found_by<'b>(
    bound: &'b [Bound],
    fits: &Fits,
    size: &Size<'_>,
    find: impl Fn(f32) -> Vec<&'b Bound>,
) -> Vec<&'b Bound> {
    let far = |part: f32| size.rounding() + part * size.get();
    let found = find(far(MISPLACED));
    if !found.is_empty() {
        return found;
    }
    let found = find(far(MISPLACED_AMONG_EXACT));
    let ids: HashSet<NodeId> = found.iter().map(|joint| joint.id).collect();
    let mut others = bound.iter().filter(|joint| !ids.contains(&joint.id));
    if others.all(|joint| fits.holds_to(joint, EXACTLY)) {
        found
    } else {
        Vec::new()
    }
}

/// The joints that no pose puts where they are: `far` away, and apart from the joints above and below as well, which go along
/// when an arm is raised at rest.
fn misplaced<'b>(model: &Model, bound: &'b [Bound], fits: &Fits, far: f32) -> Vec<&'b Bound> {
    let by_node: HashMap<NodeId, &Bound> = bound.iter().map(|joint| (joint.id, joint)).collect();
    // Those that stand where the joint above takes them, and the joints above such.
    let mut together = HashSet::new();
    for joint in bound {
        let parent = model.hierarchy.node(joint.id).parent;
        let parent = parent.and_then(|parent| by_node.get(&parent));
        if let Some(parent) = parent.filter(|it| it.fits(0.0).distance(joint) <= far) {
            together.extend([parent.id, joint.id]);
        }
    }
    let is_misplaced = |joint: &&Bound| {
        joint.is_used && fits.distance(joint) > far && !together.contains(&joint.id)
    };
    bound.iter().filter(is_misplaced).collect()
}

/// The joints that no pose turns like that: where they belong themselves, and with a joint below that fits though it would
/// have gone `far` along.
fn turned<'b>(model: &Model, bound: &'b [Bound], fits: &Fits, far: f32) -> Vec<&'b Bound> {
    let by_node: HashMap<NodeId, &Bound> = bound.iter().map(|joint| (joint.id, joint)).collect();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for child in bound.iter().filter(|joint| fits.holds(joint)) {
        let parent = model.hierarchy.node(child.id).parent;
        let Some(joint) = parent.and_then(|parent| by_node.get(&parent)) else {
            continue;
        };
        let is_at_its_place = fits.distance(joint) <= fits.distance;
        let would_move = fits.distance_at(joint, child.world_from_joint.translation) > far;
        if joint.is_used && is_at_its_place && would_move && seen.insert(joint.id) {
            found.push(*joint);
        }
    }
    found
}

/// A joint at rest, and where it puts the mesh.
struct Bound {
    id: NodeId,
    world_from_joint: Affine3A,
    world_from_mesh: Affine3A,
    /// Whether it moves a vertex.
    is_used: bool,
}

/// Where a joint puts the mesh, and how near others must put it.
struct Fits {
    world_from_mesh: Affine3A,
    mesh_from_world: Affine3A,
    /// In units of the world.
    distance: f32,
    axes: f32,
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
impl Bound {
    fn new(id: NodeId, world_from_joint: Affine3A, joint_from_mesh: &Affine3A) -> Self {
        Self {
            id,
            world_from_joint,
            world_from_mesh: world_from_joint * *joint_from_mesh,
            is_used: false,
        }
    }

    /// What fits to this joint so nearly, in units of the world.
    fn fits(&self, distance: f32) -> Fits {
        Fits {
            world_from_mesh: self.world_from_mesh,
            mesh_from_world: self.world_from_mesh.inverse(),
            distance,
            axes: AXIS_TOLERANCE * largest(&self.world_from_mesh),
        }
    }
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
impl Fits {
    /// What fits to the first joint, or to another if most do: then the first one is among those that are named.
    /// The model's own size counts where joints stand in one place.
    fn of_most(bound: &[Bound], model_size: &Size<'_>) -> Option<Self> {
        let origin = bound.first()?.world_from_joint.translation;
        let distances = bound
            .iter()
            .map(|joint| joint.world_from_joint.translation.distance(origin));
        let size = match distances.fold(0.0, f32::max) {
            0.0 => model_size.get(),
            size => size,
        };
        let step = bound.len().div_ceil(MAX_ASKED).max(1);
        let distance = POSITION_TOLERANCE * size + model_size.rounding();
        let asked = bound.iter().step_by(step);
        let mut asked = asked.map(|joint| joint.fits(distance));
        let is_of_most = |fits: &Self| {
            let count = bound.iter().filter(|joint| fits.holds(joint)).count();
            count > bound.len().div_euclid(2)
        };
        let first = asked.next()?;
        if is_of_most(&first) {
            return Some(first);
        }
        Some(asked.find(is_of_most).unwrap_or(first))
    }

    fn holds(&self, joint: &Bound) -> bool {
        self.holds_to(joint, 1.0)
    }

    /// Whether it fits to this part of the tolerances.
    fn holds_to(&self, joint: &Bound, part: f32) -> bool {
        let turn = largest_difference(&joint.world_from_mesh, &self.world_from_mesh);
        self.distance(joint) <= part * self.distance && turn <= part * self.axes
    }

    /// How far apart a joint would stand if both were right.
    fn distance(&self, joint: &Bound) -> f32 {
        self.distance_at(joint, joint.world_from_joint.translation)
    }

    /// How far apart a joint would put what is at a place in the world if both were right.
    fn distance_at(&self, joint: &Bound, at: Vec3A) -> f32 {
        // The place in the mesh's space that is there by this, and by the joint's own matrix.
        let on_mesh = self.mesh_from_world.transform_point3a(at);
        joint
            .world_from_mesh
            .transform_point3a(on_mesh)
            .distance(at)
    }

    /// How far a joint turns the mesh otherwise.
    fn turn_degrees(&self, joint: &Bound) -> f32 {
        let turned = joint.world_from_mesh * self.mesh_from_world;
        let (_, rotation, _) = turned.to_scale_rotation_translation();
        rotation.angle_between(Quat::IDENTITY).to_degrees()
    }
}

fn columns(matrix: &Affine3A) -> [Vec3; 3] {
    let matrix = matrix.matrix3;
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::from)
}

fn largest(matrix: &Affine3A) -> f32 {
    let lengths = columns(matrix).map(Vec3::length);
    lengths.into_iter().fold(0.0, f32::max)
}

fn largest_difference(a: &Affine3A, b: &Affine3A) -> f32 {
    let pairs = columns(a).into_iter().zip(columns(b));
    pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
}
