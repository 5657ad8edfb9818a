//! What a hand does to a joint: drags of handles, and keys that move them by small steps.

use glam::{Affine3A, Quat, Vec3};

use super::{Edit, HandPose, Session};
use crate::{
    anim::posing::{Offset, Offsets, PosingSpace, moved, placed, reach::Limb, scaled, turned},
    anim::{Pose, PosingPart},
    model::{NodeId, Transform},
    ui::{DragCommand, GIZMO_PART_OF_HEIGHT, PoseTool, STEP_DEGREES},
};

/// How many times as far as the pole the middle of a limb may move: where the pole passes the line of the limb, it goes
/// round to the other side step by step instead of leaping there.
const MAX_PACE: f32 = 3.0;

/// What a press of a key turns by.
const STEP_RADIANS: f32 = STEP_DEGREES * std::f32::consts::PI / 180.0;
/// By how much of the gizmo's radius it moves, and by which power of two it scales.
const STEP_PART: f32 = 0.1;

/// A drag that goes on.
#[derive(Debug)]
pub(super) struct Drag {
    /// What was there when it began.
    before: Offsets,
    pose: Pose,
    node: NodeId,
    /// What it does to the node.
    does: &'static str,
    /// The gizmo's radius in the world.
    radius: f32,
    /// How far a limb has swivelled, and where its pole was last.
    swivel: f32,
    pole: Option<Vec3>,
}

/// Nudges of one handle, one after the other.
#[derive(Debug, PartialEq)]
pub(super) struct Nudges {
    node: NodeId,
    tool: PoseTool,
    handle: usize,
    /// What is added since the last of them.
    offsets: Offsets,
}

/// What a command does to a node, in words before its name.
fn words_of(command: DragCommand) -> &'static str {
    match command {
        DragCommand::Turn(..) => "turn",
        DragCommand::Move(..) => "move",
        DragCommand::Scale(..) => "scale",
        DragCommand::Place(PosingPart::Translation, ..) => "translation of",
        DragCommand::Place(PosingPart::Rotation, ..) => "rotation of",
        DragCommand::Place(PosingPart::Scale, ..) => "scale of",
        DragCommand::Reach(_) => "reach with",
        DragCommand::Pole(_) | DragCommand::Swivel(_) => "swivel",
    }
}

impl Session {
    pub(super) fn begin_drag(&mut self) {
        self.stand_still();
        self.update();
        if let Some(node) = self.posed_node() {
            self.posing.drag = Some(Drag {
                before: self.actor.offsets().clone(),
                pose: self.actor.pose().clone(),
                node,
                does: "pose",
                radius: self.gizmo_radius(node),
                swivel: 0.0,
                pole: None,
            });
        }
    }

    pub(in crate::app) fn end_drag(&mut self) {
        if let Some(drag) = self.posing.drag.take()
            && drag.before != *self.actor.offsets()
        {
            let words = format!("{} {}", drag.does, self.node_words(drag.node));
            let lost = self.posing.lost.clone();
            let offsets = drag.before;
            self.remember(Edit::Pose(HandPose { offsets, lost }), words);
        }
    }

    /// Moves the handle that keys act on: a drag by `steps` small steps. A key that is held is one step to undo.
    pub(super) fn nudge(&mut self, steps: i32, last: Option<Nudges>) {
        let handle = *self.posing.handle.get_or_insert(0);
        let steps = steps as f32;
        // Where there is nothing to move time goes on.
        if self.posing.tool == PoseTool::Off || self.posed_node().is_none() {
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
            (PoseTool::Turn, axis) => Some(DragCommand::Turn(axis, steps * STEP_RADIANS)),
            (PoseTool::Move, axis) => Some(DragCommand::Move(axis, steps * STEP_PART)),
            (PoseTool::Scale, axis) => {
                let factor = (steps * STEP_PART).exp2();
                Some(DragCommand::Scale(axis, factor))
            }
            (PoseTool::Reach, 2) => Some(DragCommand::Swivel(steps * STEP_RADIANS)),
            (PoseTool::Reach, axis) => {
                let mut at = self.seen_at(origin);
                let step = steps * STEP_PART * GIZMO_PART_OF_HEIGHT;
                if let Some(at) = &mut at {
                    // A picture is 2 high, and as many times as wide.
                    at[axis] += 2.0 * step / if axis == 0 { self.aspect() } else { 1.0 };
                }
                at.map(DragCommand::Reach)
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
    pub(super) fn seen_at(&self, point: Vec3) -> Option<[f32; 2]> {
        let clip = self.camera_view().to_clip(point);
        let at = [clip.x / clip.w, clip.y / clip.w];
        (clip.w > 0.0 && at.iter().all(|part| part.is_finite())).then_some(at)
    }

    /// Changes the pose from what it was when the drag began.
    pub(super) fn drag_joint(&mut self, command: DragCommand) {
        if let Some(drag) = &mut self.posing.drag {
            drag.does = words_of(command);
            if let DragCommand::Swivel(radians) = command {
                drag.swivel = radians;
            }
        }
        if let DragCommand::Pole(at) = command {
            self.follow_pole(at);
        }
        let Some(drag) = &self.posing.drag else {
            return;
        };
        let Some(changed) = self.changed_by(command, drag) else {
            return;
        };
        let mut offsets = drag.before.clone();
        for (node, local) in changed {
            let more = Offset::between(&drag.pose.locals[node.index()], &local);
            offsets.set(node, offsets.get(node).then(&more));
        }
        self.change_offsets(offsets);
    }

    /// What becomes of nodes that were posed as they were when the drag began; none if there is nothing to drag.
    fn changed_by(&self, command: DragCommand, drag: &Drag) -> Option<Vec<(NodeId, Transform)>> {
        let (node, pose, space) = (drag.node, &drag.pose, self.posing.space);
        let hierarchy = &self.actor.model().hierarchy;
        let axis = |axis: usize| Vec3::from(std::array::from_fn(|place| f32::from(place == axis)));
        let limb = || Limb::ending_at(node, hierarchy, pose);
        let of_limb = |limb: Limb, pose: Pose| {
            let moved = [limb.root, limb.middle];
            moved.map(|node| (node, pose.locals[node.index()])).into()
        };
        Some(match command {
            DragCommand::Turn(along, radians) => {
                let turn = Quat::from_axis_angle(axis(along), radians);
                vec![(node, turned(hierarchy, pose, node, space, turn))]
            }
            DragCommand::Move(along, amount) => {
                // Along the axis as it lies in the world, as far as the hand went.
                let frame = self.gizmo_frame(pose, node);
                let shift = frame * axis(along) * (amount * drag.radius);
                vec![(
                    node,
                    moved(hierarchy, pose, node, PosingSpace::World, shift),
                )]
            }
            DragCommand::Scale(along, factor) => {
                let factors = if along < 3 {
                    Vec3::ONE + axis(along) * (factor - 1.0)
                } else {
                    Vec3::splat(factor)
                };
                vec![(node, scaled(pose, node, factors))]
            }
            DragCommand::Place(part, axis, number) => {
                vec![(node, placed(pose, node, part, axis, number))]
            }
            DragCommand::Reach(at) => {
                let limb = limb()?;
                let target = self.under_pointer(at, pose, node)?;
                let mut reached = pose.clone();
                limb.reach(hierarchy, &mut reached, target, None);
                of_limb(limb, reached)
            }
            DragCommand::Pole(_) | DragCommand::Swivel(_) => {
                let limb = limb()?;
                let mut swivelled = pose.clone();
                limb.swivel(hierarchy, &mut swivelled, drag.swivel);
                of_limb(limb, swivelled)
            }
        })
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
            let most = MAX_PACE * dragged / radius;
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

    /// The axes of changes in the world, of length 1.
    pub(super) fn gizmo_frame(&self, pose: &Pose, node: NodeId) -> Quat {
        let rotation = |world: &Affine3A| Transform::from_affine(world).rotation;
        let parent = self.actor.model().hierarchy.node(node).parent;
        match (self.posing.tool, self.posing.space, parent) {
            // Scales are along the node's own axes.
            (PoseTool::Scale, _, _) | (_, PosingSpace::Local, _) => {
                rotation(&pose.world[node.index()])
            }
            (_, PosingSpace::Parent, Some(parent)) => rotation(&pose.world[parent.index()]),
            (_, PosingSpace::World, _) | (_, PosingSpace::Parent, None) => Quat::IDENTITY,
        }
    }

    pub(super) fn gizmo_radius(&self, node: NodeId) -> f32 {
        let view = self.camera_view();
        let reach = view.reach(GIZMO_PART_OF_HEIGHT);
        let origin = Vec3::from(self.actor.pose().world[node.index()].translation);
        let depth = (view.eye - origin).dot(view.backward()).max(0.0);
        reach.at_origin + reach.per_distance * depth
    }
}

/// An angle, brought within half a turn of zero.
fn nearest_turn(radians: f32) -> f32 {
    let turns = (radians / std::f32::consts::TAU).round();
    radians - turns * std::f32::consts::TAU
}
