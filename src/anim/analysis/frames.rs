//! A clip, sampled at its frames: what the rest of the analysis looks at.

use std::collections::{BTreeSet, HashSet};

use glam::Affine3A;

use super::{
    contacts::{JointPath, Limb, uneven},
    reach,
    span::Span,
};
use crate::{
    anim::{
        Cursors, Palette, PaletteLayout, Pose,
        bounds::{JointBoxes, rig_bounds, rig_nodes, rig_size},
        posing::mirror::Sides,
        sample,
    },
    model::{Aabb, Clip, Model, Node, NodeId, Transform, mean_stretch},
};

/// The greatest length of the bones that hang on a foot, as a part of the model's size.
const FOOT_REACH: f32 = 0.25;

/// A model, measured at rest.
#[derive(Debug)]
pub(super) struct Measured<'a> {
    model: &'a Model,
    layout: PaletteLayout,
    boxes: JointBoxes,
    /// [`rig_nodes`].
    is_of_rig: Vec<bool>,
    /// For each node the length of a translation by 1, and how far what hangs on it reaches, in the world.
    units: Vec<f32>,
    reaches: Vec<f32>,
    /// The joints of all skins (or the nodes of a file of clips alone) that may be feet: what hangs on them is short, and
    /// they move vertices, if any joint does.
    feet: Vec<NodeId>,
    /// What they are of.
    limbs: Vec<Limb>,
    /// Their legs, and which are on both sides.
    pub(super) sides_of_feet: uneven::Feet,
    /// Diagonal and height of the model.
    pub(super) size: f32,
    pub(super) height: f32,
}

/// What there is of each frame.
pub(super) struct Frames {
    /// When the first one is.
    pub(super) start_secs: f64,
    pub(super) frame_secs: f64,
    /// A box that holds the model.
    pub(super) bounds: Vec<Aabb>,
    /// The positions of all joints that may be feet.
    pub(super) paths: Vec<JointPath>,
    /// The placements of the node that is watched, if any is.
    pub(super) watched: Vec<Affine3A>,
}

/// A node whose placements are wanted, beside another one or in the world.
#[derive(Clone, Copy)]
pub(super) struct Watched {
    pub(super) node: NodeId,
    pub(super) beside: Option<NodeId>,
}

impl<'a> Measured<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let layout = PaletteLayout::new(model, model.default_scene);
        let boxes = JointBoxes::new(model, &layout);
        let rest = Pose::new(&model.hierarchy);
        let nodes = model.hierarchy.nodes();
        let mut this = Self {
            layout,
            feet: Vec::new(),
            limbs: Vec::new(),
            sides_of_feet: uneven::Feet::default(),
            units: nodes
                .iter()
                .map(|node| {
                    node.parent
                        .map_or(1.0, |parent| mean_stretch(&rest.world[parent.index()]))
                })
                .collect(),
            reaches: Vec::new(),
            size: 0.0,
            height: 0.0,
            boxes,
            is_of_rig: rig_nodes(model),
            model,
        };
        let bounds = this.bounds(&rest, &mut Palette::default());
        if !bounds.is_empty() && bounds.diagonal().is_finite() {
            this.size = bounds.diagonal();
            this.height = bounds.max.y - bounds.min.y;
        }
        this.reaches = reach::of_nodes(model, &this.layout, &rest, this.size);
        let bones = reach::of_bones(model, &rest, this.size);
        let is_short = |joint: &NodeId| bones[joint.index()] <= FOOT_REACH * this.size;
        let mut joints = this.joints_with_vertices();
        let carries_mesh = |(_, node): (NodeId, &Node)| node.mesh.is_some();
        if joints.is_empty()
            && (!model.skins.is_empty() || !model.hierarchy.iter().any(carries_mesh))
        {
            // Controls that no clip moves are no feet either.
            let is_moved = moved_nodes(model);
            let moves = |node: &NodeId| this.is_of_rig[node.index()] && is_moved[node.index()];
            joints.extend(model.hierarchy.iter().map(|(node, _)| node).filter(moves));
        }
        this.feet = joints.into_iter().filter(is_short).collect();
        if !this.feet.is_empty() {
            this.limbs = Limb::of_joints(model, &this.feet);
            let sides = Sides::find(&model.hierarchy, &rest, rig_size(model, &rest));
            let other = |node| sides.other(node);
            this.sides_of_feet =
                uneven::Feet::new(&model.hierarchy, &this.feet, &this.limbs, other);
        }
        this
    }

    /// The joints that move vertices. Controls of a rig, which lie on the ground and move none, are no feet.
    fn joints_with_vertices(&self) -> BTreeSet<NodeId> {
        let with_vertices: HashSet<_> = self.boxes.matrices().collect();
        let skins = self.layout.skins().iter();
        let joints = skins.flat_map(|slot| {
            let joints = &self.model.skins[slot.skin].joints;
            (slot.first as usize..).zip(joints)
        });
        joints
            .filter(|(matrix, _)| with_vertices.contains(matrix))
            .map(|(_, joint)| *joint)
            .collect()
    }

    /// Of a joint that may be a foot the topmost one above it that may be one and carries no other limb, itself included, and
    /// what it is of.
    pub(super) fn end_of_limb(&self, foot: NodeId) -> (NodeId, Limb) {
        // They are in order.
        match self.feet.binary_search(&foot) {
            Ok(place) => (self.sides_of_feet.top(place), self.limbs[place]),
            Err(_) => (foot, Limb::default()),
        }
    }

    /// The length of a translation of `node` by 1, in the world.
    pub(super) fn unit(&self, node: NodeId) -> f32 {
        self.units[node.index()]
    }

    /// The placement of a node in the file's own pose.
    pub(super) fn rest_of(&self, node: NodeId) -> Transform {
        self.model.hierarchy.node(node).rest
    }

    /// Samples a clip at its frames, from its first key on, or less often so as not to compute more than `most_placements`
    /// of nodes. None if it does not go on to the end.
    pub(super) fn sample(
        &self,
        clip: &Clip,
        watched: Option<Watched>,
        most_placements: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Frames> {
        let span = Span::of(clip);
        let cost = self.model.hierarchy.len() + clip.track_count() + self.boxes.cost() + 1;
        let steps = span.natural_steps(clip);
        let steps = steps.min(most_placements / cost).max(1);
        let mut frames = Frames {
            start_secs: span.start_secs,
            frame_secs: span.duration_secs() / steps as f64,
            bounds: Vec::with_capacity(steps + 1),
            paths: self.feet.iter().map(|&node| JointPath::new(node)).collect(),
            watched: Vec::new(),
        };
        let hierarchy = &self.model.hierarchy;
        let mut pose = Pose::new(hierarchy);
        let (mut cursors, mut palette) = (Cursors::default(), Palette::default());
        for step in 0..=steps {
            if !goes_on() {
                return None;
            }
            pose.reset(hierarchy);
            sample(clip, span.at(step, steps), &mut cursors, &mut pose);
            pose.update_world(hierarchy, Affine3A::IDENTITY);
            frames.bounds.push(self.bounds(&pose, &mut palette));
            for path in &mut frames.paths {
                let world_from_joint = &pose.world[path.node.index()];
                path.positions.push(world_from_joint.translation.into());
            }
            frames.watched.extend(watched.map(|watched| {
                let world_from_node = pose.world[watched.node.index()];
                let beside = watched
                    .beside
                    .map(|node| pose.world[node.index()].inverse());
                beside.map_or(world_from_node, |beside| beside * world_from_node)
            }));
        }
        Some(frames)
    }

    /// How far what hangs on a node reaches, in the world.
    pub(super) fn reach(&self, node: NodeId) -> f32 {
        self.reaches[node.index()]
    }

    fn bounds(&self, pose: &Pose, palette: &mut Palette) -> Aabb {
        palette.clear(&self.layout, 1);
        palette.push(self.model, &self.layout, pose);
        let bounds = self.boxes.bounds(palette, 0);
        if bounds.is_empty() {
            rig_bounds(&self.is_of_rig, pose)
        } else {
            bounds
        }
    }
}

/// For each node whether any clip moves it, or a node above it; all if there are no clips.
fn moved_nodes(model: &Model) -> Vec<bool> {
    let mut is_moved = vec![model.clips.is_empty(); model.hierarchy.len()];
    for node in model.clips.iter().flat_map(Clip::placed_nodes) {
        is_moved[node.index()] = true;
    }
    // Parents stand before their children.
    for (node, placed) in model.hierarchy.iter() {
        if placed.parent.is_some_and(|parent| is_moved[parent.index()]) {
            is_moved[node.index()] = true;
        }
    }
    is_moved
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{
        Hierarchy, Influences, Mesh, Node, Primitive, Scene, Skin, Topology, Vertices,
    };

    #[test]
    fn joints_that_move_no_vertex_are_no_feet() {
        let joints: Vec<_> = (0..3).map(NodeId).collect();
        let model = |has_mesh: bool| {
            let carrier = Node {
                mesh: has_mesh.then_some(0),
                skin: has_mesh.then_some(0),
                ..Node::default()
            };
            let mut nodes = vec![Node::default(); 3];
            nodes.push(carrier);
            let primitive = Primitive {
                topology: Topology::Triangles,
                vertices: Vertices {
                    positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
                    ..Vertices::default()
                },
                indices: vec![0, 1, 2].into(),
                influences: Some(Influences {
                    per_vertex: 4,
                    joints: [0, 2, 0, 0].repeat(3),
                    weights: [0.5, 0.5, 0.0, 0.0].repeat(3),
                }),
                ..Primitive::default()
            };
            Model {
                hierarchy: Hierarchy::new(nodes, &[None; 4], &[const { Vec::new() }; 4]).unwrap(),
                meshes: std::sync::Arc::new(vec![Mesh {
                    primitives: vec![primitive],
                    ..Mesh::default()
                }]),
                skins: vec![Skin {
                    joint_from_mesh: vec![Affine3A::IDENTITY; 3],
                    joints: joints.clone(),
                    ..Skin::default()
                }],
                scenes: vec![Scene {
                    roots: (0..4).map(NodeId).collect(),
                    ..Scene::default()
                }],
                ..Model::default()
            }
        };
        let skinned = model(true);
        assert_eq!(Measured::new(&skinned).feet, [joints[0], joints[2]]);
        // A skeleton alone has feet all the same, and so have the nodes of a file of clips alone.
        let skeleton = model(false);
        assert_eq!(Measured::new(&skeleton).feet, joints);
        let clips_alone = Model {
            skins: Vec::new(),
            ..skeleton
        };
        assert_eq!(Measured::new(&clips_alone).feet[..3], joints);
    }
}
