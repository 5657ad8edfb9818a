//! Poses by hand: what the tools do to the chosen joint, and how it is taken back.

mod sides;

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::Session;
use crate::{
    anim::Pose,
    anim::posing::{Offset, Offsets, Space, mirror::Sides, moved, reach::Limb, scaled, turned},
    model::{NodeId, Transform},
    ui::{GIZMO_PART_OF_HEIGHT, GizmoView, PoseTool, PosingCommand, PosingView},
};

/// Steps that can be taken back.
const MOST_STEPS: usize = 200;

/// What is changed by hand, and was.
#[derive(Debug, Default)]
pub(super) struct Posing {
    tool: PoseTool,
    /// The handle that keys act on, once one has.
    handle: Option<usize>,
    space: Space,
    stays: bool,
    /// What was there before each change, and after those that were taken back.
    undo: Vec<Offsets>,
    redo: Vec<Offsets>,
    drag: Option<Drag>,
    /// Those that the last step to undo takes back, as long as nothing else was asked for.
    nudges: Option<Nudges>,
    /// The clip and the time that the changes were made at.
    pub(super) moment: Option<(Option<usize>, f64)>,
    /// Which side is which, found when that is first asked of this model.
    sides: std::sync::OnceLock<Sides>,
}

/// Nudges of one handle, one after the other.
#[derive(Debug, PartialEq)]
struct Nudges {
    node: NodeId,
    tool: PoseTool,
    handle: usize,
    /// What is added since the last of them.
    offsets: Offsets,
}

/// A drag that goes on.
#[derive(Debug)]
struct Drag {
    /// What was there when it began.
    before: Offsets,
    pose: Pose,
    node: NodeId,
    /// The gizmo's radius in the world.
    radius: f32,
    /// How far a limb has swivelled, and where its pole was last.
    swivel: f32,
    pole: Option<Vec3>,
}

/// How many times as far as the pole the middle of a limb may move: where the pole passes the line of the limb, it goes
/// round to the other side step by step instead of leaping there.
const MOST_PACE: f32 = 3.0;

/// What a press of a key turns by.
const STEP_RADIANS: f32 = 5.0 * std::f32::consts::PI / 180.0;
/// By how much of the gizmo's radius it moves, and by which power of two it scales.
const STEP_PART: f32 = 0.1;

impl Posing {
    /// Lets go of what belongs to a model.
    pub(super) fn forget_model(&mut self) {
        *self = Self {
            tool: self.tool,
            handle: self.handle,
            space: self.space,
            stays: self.stays,
            ..Self::default()
        };
    }
}

impl Session {
    /// Does what a command about poses by hand asks. A crowd is not posed by hand.
    pub(super) fn apply_posing(&mut self, command: PosingCommand) {
        let is_drag = matches!(
            command,
            PosingCommand::Turn(..)
                | PosingCommand::Move(..)
                | PosingCommand::Scale(..)
                | PosingCommand::Reach(_)
                | PosingCommand::Pole(_)
                | PosingCommand::Swivel(_)
        );
        if !is_drag {
            self.end_drag();
        }
        let nudges = self.posing.nudges.take();
        match command {
            PosingCommand::SetTool(tool) => {
                self.posing.tool = tool;
                self.posing.handle = None;
                // What is to be posed must be seen, and stand still.
                if tool != PoseTool::Off {
                    self.shown.skeleton |= !self.actor.skeleton().is_empty();
                    // Clips are posed, not the pose that skins are bound in.
                    self.release_pose();
                    self.stand_still();
                }
                self.is_stale = true;
            }
            PosingCommand::SetSpace(space) => self.posing.space = space,
            PosingCommand::SetStays(stays) => self.posing.stays = stays,
            PosingCommand::BeginDrag => self.begin_drag(),
            // Every command but those of a drag ends it.
            PosingCommand::EndDrag => {}
            PosingCommand::NextHandle => {
                let next = (self.posing.handle.unwrap_or(0) + 1) % 3;
                self.posing.handle = Some(next);
            }
            PosingCommand::Nudge(steps) => self.nudge(steps, nudges),
            PosingCommand::Undo => {
                self.stand_still();
                if let Some(before) = self.posing.undo.pop() {
                    let now = self.change_offsets(before);
                    self.posing.redo.push(now);
                }
            }
            PosingCommand::Redo => {
                self.stand_still();
                if let Some(after) = self.posing.redo.pop() {
                    let now = self.change_offsets(after);
                    self.posing.undo.push(now);
                }
            }
            PosingCommand::ResetJoint => {
                if let Some(node) = self.selected {
                    let mut offsets = self.actor.offsets().clone();
                    offsets.set(node, Offset::NONE);
                    self.set_offsets(offsets);
                }
            }
            PosingCommand::ResetAll => self.set_offsets(Offsets::default()),
            PosingCommand::Mirror => self.mirror_pose(),
            PosingCommand::Turn(..)
            | PosingCommand::Move(..)
            | PosingCommand::Scale(..)
            | PosingCommand::Reach(_)
            | PosingCommand::Pole(_)
            | PosingCommand::Swivel(_) => self.drag_joint(command),
        }
    }

    /// A change is of one moment, unless it stays: time stops, and nothing fades under the hand.
    fn stand_still(&mut self) {
        if !self.posing.stays {
            self.clock.pause();
            self.transition.cut();
            self.mix.settle();
            self.is_stale = true;
        }
    }

    fn end_drag(&mut self) {
        if let Some(drag) = self.posing.drag.take()
            && drag.before != *self.actor.offsets()
        {
            self.remember(drag.before);
        }
    }

    fn begin_drag(&mut self) {
        self.stand_still();
        self.update();
        if let Some(node) = self.selected.filter(|_| self.actor.crowd().is_none()) {
            self.posing.drag = Some(Drag {
                before: self.actor.offsets().clone(),
                pose: self.actor.pose().clone(),
                node,
                radius: self.gizmo_radius(node),
                swivel: 0.0,
                pole: None,
            });
        }
    }

    /// Moves the handle that keys act on: a drag by so many small steps. A key that is held is one step to undo.
    fn nudge(&mut self, steps: i32, last: Option<Nudges>) {
        let handle = *self.posing.handle.get_or_insert(0);
        let steps = steps as f32;
        // Where there is nothing to move time goes on.
        let is_off = self.posing.tool == PoseTool::Off;
        if is_off || self.selected.is_none() || self.actor.crowd().is_some() {
            return;
        }
        self.begin_drag();
        let Some(drag) = &self.posing.drag else {
            return;
        };
        let mut nudges = Nudges {
            node: drag.node,
            tool: self.posing.tool,
            handle,
            offsets: drag.before.clone(),
        };
        let goes_on = last.is_some_and(|last| last == nudges);
        let origin = Vec3::from(drag.pose.world[drag.node.index()].translation);
        let command = match (self.posing.tool, handle) {
            (PoseTool::Off, _) => None,
            (PoseTool::Turn, axis) => Some(PosingCommand::Turn(axis, steps * STEP_RADIANS)),
            (PoseTool::Move, axis) => Some(PosingCommand::Move(axis, steps * STEP_PART)),
            (PoseTool::Scale, axis) => {
                let factor = (steps * STEP_PART).exp2();
                Some(PosingCommand::Scale(axis, factor))
            }
            (PoseTool::Reach, 2) => Some(PosingCommand::Swivel(steps * STEP_RADIANS)),
            (PoseTool::Reach, axis) => {
                let mut at = self.seen_at(origin);
                let step = steps * STEP_PART * GIZMO_PART_OF_HEIGHT;
                if let Some(at) = &mut at {
                    // A picture is 2 high, and as many times as wide.
                    at[axis] += 2.0 * step / if axis == 0 { self.aspect() } else { 1.0 };
                }
                at.map(PosingCommand::Reach)
            }
        };
        if let Some(command) = command {
            self.drag_joint(command);
        }
        let is_step = nudges.offsets != *self.actor.offsets();
        if goes_on {
            self.posing.drag = None;
        } else {
            self.end_drag();
        }
        if goes_on || is_step {
            nudges.offsets = self.actor.offsets().clone();
            self.posing.nudges = Some(nudges);
        }
    }

    /// Where a point is in the picture (−1..1 from its centre, right and up); none behind the camera.
    fn seen_at(&self, point: Vec3) -> Option<[f32; 2]> {
        let clip = self.camera_view().clip_from_world() * point.extend(1.0);
        let at = [clip.x / clip.w, clip.y / clip.w];
        (clip.w > 0.0 && at.iter().all(|part| part.is_finite())).then_some(at)
    }

    /// Changes the pose from what it was when the drag began.
    fn drag_joint(&mut self, command: PosingCommand) {
        match command {
            PosingCommand::Pole(at) => self.follow_pole(at),
            PosingCommand::Swivel(radians) => {
                if let Some(drag) = &mut self.posing.drag {
                    drag.swivel = radians;
                }
            }
            _ => {}
        }
        let Some(drag) = &self.posing.drag else {
            return;
        };
        let (node, pose, space) = (drag.node, &drag.pose, self.posing.space);
        let hierarchy = &self.actor.model().hierarchy;
        let axis = |axis: usize| Vec3::from(std::array::from_fn(|place| f32::from(place == axis)));
        let changed: Vec<(NodeId, Transform)> = match command {
            PosingCommand::Turn(along, radians) => {
                let turn = Quat::from_axis_angle(axis(along), radians);
                vec![(node, turned(hierarchy, pose, node, space, turn))]
            }
            PosingCommand::Move(along, amount) => {
                // Along the axis as it lies in the world, as far as the hand went.
                let frame = self.gizmo_frame(pose, node);
                let shift = frame * axis(along) * (amount * drag.radius);
                vec![(node, moved(hierarchy, pose, node, Space::World, shift))]
            }
            PosingCommand::Scale(along, factor) => {
                let factors = if along < 3 {
                    Vec3::ONE + axis(along) * (factor - 1.0)
                } else {
                    Vec3::splat(factor)
                };
                vec![(node, scaled(pose, node, factors))]
            }
            PosingCommand::Reach(at) => {
                let Some(limb) = Limb::ending_at(node, hierarchy, pose) else {
                    return;
                };
                let Some(target) = self.under_pointer(at, pose, node) else {
                    return;
                };
                let mut reached = pose.clone();
                limb.reach(hierarchy, &mut reached, target, None);
                let turned = [limb.root, limb.middle];
                turned
                    .map(|node| (node, reached.locals[node.index()]))
                    .into()
            }
            PosingCommand::Pole(_) | PosingCommand::Swivel(_) => {
                let Some(limb) = Limb::ending_at(node, hierarchy, pose) else {
                    return;
                };
                let mut swivelled = pose.clone();
                limb.swivel(hierarchy, &mut swivelled, drag.swivel);
                let turned = [limb.root, limb.middle];
                turned
                    .map(|node| (node, swivelled.locals[node.index()]))
                    .into()
            }
            _ => return,
        };
        let mut offsets = drag.before.clone();
        for (node, local) in changed {
            let more = Offset::between(&pose.locals[node.index()], &local);
            offsets.set(node, offsets.get(node).then(&more));
        }
        self.change_offsets(offsets);
    }

    /// Says how far the limb that ends at the chosen joint has swivelled towards a pole at a place of the picture, as far
    /// away as its middle was when the drag began.
    fn follow_pole(&mut self, at: [f32; 2]) {
        let Some(drag) = &self.posing.drag else {
            return;
        };
        let hierarchy = &self.actor.model().hierarchy;
        let Some(limb) = Limb::ending_at(drag.node, hierarchy, &drag.pose) else {
            return;
        };
        let Some(pole) = self.under_pointer(at, &drag.pose, limb.middle) else {
            return;
        };
        let middle = Vec3::from(drag.pose.world[limb.middle.index()].translation);
        let dragged = pole.distance(drag.pole.unwrap_or(middle));
        let mut swivel = drag.swivel;
        if let Some((angle, radius)) = limb.swivel_to(&drag.pose, pole) {
            let most = MOST_PACE * dragged / radius;
            let left = nearest_turn(angle - swivel);
            swivel += left.clamp(-most, most);
        }
        if let Some(drag) = &mut self.posing.drag {
            drag.swivel = swivel;
            drag.pole = Some(pole);
        }
    }

    /// The point at a place of the picture that is as far away as a node was.
    fn under_pointer(&self, at: [f32; 2], pose: &Pose, node: NodeId) -> Option<Vec3> {
        let view = self.camera_view();
        let ray = view.ray(at);
        let origin = Vec3::from(pose.world[node.index()].translation);
        let steepness = ray.direction.dot(view.backward());
        let distance = (origin - ray.origin).dot(view.backward()) / steepness;
        (distance.is_finite() && distance > 0.0).then(|| ray.origin + ray.direction * distance)
    }

    /// Changes what is added, as a step that can be taken back.
    fn set_offsets(&mut self, offsets: Offsets) {
        if offsets != *self.actor.offsets() {
            let before = self.change_offsets(offsets);
            self.remember(before);
        }
    }

    fn remember(&mut self, before: Offsets) {
        if self.posing.undo.len() == MOST_STEPS {
            self.posing.undo.remove(0);
        }
        self.posing.undo.push(before);
        self.posing.redo.clear();
    }

    /// Changes what is added; returns what was.
    fn change_offsets(&mut self, offsets: Offsets) -> Offsets {
        self.is_stale = true;
        self.posing.moment = Some((self.clip, self.clock.time_secs()));
        self.actor.replace_offsets(offsets)
    }

    /// Adds again what was added to a model that was read anew.
    pub(super) fn restore_offsets(&mut self, offsets: Offsets) {
        if !offsets.is_empty() {
            self.change_offsets(offsets);
        }
    }

    /// Drops what belongs to another moment, unless it shall stay. Before the pose is taken.
    pub(super) fn follow_posing(&mut self) {
        let now = (self.clip, self.clock.time_secs());
        let is_elsewhere = self.posing.moment.is_some_and(|then| then != now);
        if is_elsewhere && !self.posing.stays && !self.actor.offsets().is_empty() {
            self.end_drag();
            let before = self.change_offsets(Offsets::default());
            self.remember(before);
        }
    }

    /// The axes of changes in the world, of length 1.
    fn gizmo_frame(&self, pose: &Pose, node: NodeId) -> Quat {
        let rotation = |world: &Affine3A| Transform::from_affine(world).rotation;
        let parent = self.actor.model().hierarchy.node(node).parent;
        match (self.posing.tool, self.posing.space, parent) {
            // Scales are along the node's own axes.
            (PoseTool::Scale, _, _) | (_, Space::Local, _) => rotation(&pose.world[node.index()]),
            (_, Space::Parent, Some(parent)) => rotation(&pose.world[parent.index()]),
            (_, Space::World, _) | (_, Space::Parent, None) => Quat::IDENTITY,
        }
    }

    fn gizmo_radius(&self, node: NodeId) -> f32 {
        let view = self.camera_view();
        let reach = view.reach(GIZMO_PART_OF_HEIGHT);
        let origin = Vec3::from(self.actor.pose().world[node.index()].translation);
        let depth = (view.eye - origin).dot(view.backward()).max(0.0);
        reach.at_origin + reach.per_distance * depth
    }

    /// What the panels read of it.
    pub(super) fn posing_view(&self) -> PosingView {
        let posing = &self.posing;
        let is_alone = self.actor.crowd().is_none();
        let is_posed = is_alone && posing.tool != PoseTool::Off && self.held_pose().is_none();
        // A skinned mesh stands where its joints are, wherever its node is (glTF 2.0 §3.7.3.3).
        let is_skinned = |node: NodeId| self.actor.model().hierarchy.node(node).skin.is_some();
        let node = self.selected.filter(|&node| is_posed && !is_skinned(node));
        let gizmo = node.map(|node| {
            let pose = self.actor.pose();
            let origin = Vec3::from(pose.world[node.index()].translation);
            let scale = Vec3::splat(self.gizmo_radius(node));
            let frame = self.gizmo_frame(pose, node);
            let world_from_gizmo = Mat4::from_scale_rotation_translation(scale, frame, origin);
            let clip_from_gizmo = self.camera_view().clip_from_world() * world_from_gizmo;
            GizmoView {
                clip_from_gizmo: clip_from_gizmo.to_cols_array_2d(),
            }
        });
        let pole = node.filter(|_| posing.tool == PoseTool::Reach);
        let pole = pole.and_then(|node| {
            let (hierarchy, pose) = (&self.actor.model().hierarchy, self.actor.pose());
            let limb = Limb::ending_at(node, hierarchy, pose)?;
            let middle = Vec3::from(pose.world[limb.middle.index()].translation);
            // A straight limb has no side to swivel to.
            limb.swivel_to(pose, middle)?;
            self.seen_at(middle)
        });
        PosingView {
            pole,
            handle: posing.handle,
            tool: posing.tool,
            space: posing.space,
            stays: posing.stays,
            can_undo: !posing.undo.is_empty(),
            can_redo: !posing.redo.is_empty(),
            changed: self.actor.offsets().nodes().count(),
            why_no_mirror: self.why_no_mirror(),
            lacks_joint: is_posed && node.is_none(),
            gizmo,
        }
    }
}

/// The same angle within half a turn of zero.
fn nearest_turn(radians: f32) -> f32 {
    let turns = (radians / std::f32::consts::TAU).round();
    radians - turns * std::f32::consts::TAU
}

#[cfg(test)]
mod tests;
