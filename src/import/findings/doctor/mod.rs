//! The rig doctor: what the specification allows and a rig is seldom meant to have.
//!
//! It looks at the finished model, so it needs no file, and it costs one pass over vertices, nodes and keys. It is
//! sparing: one finding for a skin or a clip, or for all clips that have the same fault, and nothing above a warning but for
//! what the specification forbids. Weights that do not sum to 1, numbers that are none, joints out of range and keys out of
//! order are named where they are read.

mod carriers;
mod clips;
mod far;
mod influences;
mod joint_names;
mod lengths;
mod nodes;
mod proportions;
mod seams;
mod skins;
pub(in crate::import) mod strays;
mod targets;

use std::{cell::OnceCell, collections::HashSet};

use glam::{Affine3A, Vec3};

use crate::{
    import::base::{
        diagnostics::{Diagnostics, Place},
        progress::{Cancelled, Progress},
        wording::{counted, first_few, shorten},
    },
    model::{Aabb, Clip, Hierarchy, Model, Node, NodeId, Skin, shared_names},
};

/// Examines a model, as long as anybody wants to know.
pub(in crate::import) fn examine(
    model: &Model,
    progress: &Progress,
) -> Result<Diagnostics, Cancelled> {
    let mut found = Diagnostics::default();
    let diagnostics = &mut found;
    let rest = rest_pose(&model.hierarchy);
    let size = Size::new(model, &rest);
    let greatest = influences::check(model, progress, diagnostics);
    progress.check()?;
    skins::check(model, &size, &greatest, diagnostics);
    far::check(&size, diagnostics);
    joint_names::check(model, progress, diagnostics)?;
    progress.check()?;
    nodes::check(model, &rest, diagnostics);
    let names = &ClipNames::of(model);
    clips::check(model, names, progress, diagnostics)?;
    targets::check(model, names, progress, diagnostics)?;
    lengths::check(model, names, progress, diagnostics)?;
    let carriers = carriers::carriers(model);
    carriers::check(model, names, &carriers, diagnostics);
    seams::check((model, names), &size, &carriers, progress, diagnostics)?;
    Ok(found)
}

/// `world_from_node` of all nodes at rest.
fn rest_pose(hierarchy: &Hierarchy) -> Vec<Affine3A> {
    world_matrices(hierarchy, |_, node| parent_from_node(node))
}

/// `world_from_node` of all nodes with these placements.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn world_matrices(
    hierarchy: &Hierarchy,
    mut local: impl FnMut(NodeId, &Node) -> Affine3A,
) -> Vec<Affine3A> {
    let mut world: Vec<Affine3A> = Vec::with_capacity(hierarchy.len());
    for (id, node) in hierarchy.iter() {
        let parent_from_node = local(id, node);
        let world_from_parent = node.parent.and_then(|parent| world.get(parent.index()));
        world.push(match world_from_parent {
            Some(&world_from_parent) => world_from_parent * parent_from_node,
            None => parent_from_node,
        });
    }
    world
}

fn parent_from_node(node: &Node) -> Affine3A {
    node.fixed_matrix.unwrap_or_else(|| node.rest.to_affine())
}

/// The size of a model, which is measured once, and where anybody asks for it.
struct Size<'m> {
    model: &'m Model,
    /// `world_from_node` of all nodes at rest.
    rest: &'m [Affine3A],
    known: OnceCell<Aabb>,
}

/// By so many steps of the numbers that places are given in, sums of several of them may be off.
const ROUNDED_STEPS: f32 = 4.0;

impl<'m> Size<'m> {
    fn new(model: &'m Model, rest: &'m [Affine3A]) -> Self {
        Self {
            model,
            rest,
            known: OnceCell::new(),
        }
    }

    /// How far the model reaches at rest: a length to compare others with.
    fn get(&self) -> f32 {
        let size = self.bounds().diagonal();
        if size.is_finite() { size } else { 0.0 }
    }

    /// The box of the model at rest.
    fn bounds(&self) -> &Aabb {
        self.known.get_or_init(|| bounds(self.model, self.rest))
    }

    /// The distance from one number to the next, where the model is farthest from the origin along an axis.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "floats do not overflow into anything worse than infinity"
    )]
    fn step(&self) -> f32 {
        let Aabb { min, max } = self.bounds();
        let farthest = min.abs().max(max.abs()).max_element();
        let step = farthest.next_up() - farthest;
        if step.is_finite() { step } else { 0.0 }
    }

    /// How far places may be off by rounding.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "floats do not overflow into anything worse than infinity"
    )]
    fn rounding(&self) -> f32 {
        ROUNDED_STEPS * self.step()
    }
}

/// The box of a model at rest.
fn bounds(model: &Model, rest: &[Affine3A]) -> Aabb {
    let mut all = Aabb::EMPTY;
    let mut add = |point: Vec3| all = all.with(point);
    let mut joints = model.skins.iter().flat_map(|skin| &skin.joints);
    let mut is_part = vec![joints.clone().next().is_none(); rest.len()];
    joints.try_for_each(|joint| {
        *is_part.get_mut(joint.index())? = true;
        Some(())
    });
    // A mesh of many primitives may be placed a thousand times.
    let bounds = model.meshes.iter().map(|mesh| {
        let of_primitives = mesh.primitives.iter().map(|it| it.rest_bounds);
        of_primitives.fold(Aabb::EMPTY, Aabb::union)
    });
    let bounds: Vec<Aabb> = bounds.collect();
    let nodes = model.hierarchy.nodes().iter().zip(rest).zip(is_part);
    for ((node, world_from_node), is_part) in nodes {
        // Lights, cameras and targets may stand anywhere.
        if is_part {
            add(world_from_node.translation.into());
        }
        let world_from_mesh = node
            .skin
            .and_then(|skin| world_from_skinned(model.skins.get(skin)?, rest));
        let world_from_mesh = world_from_mesh.unwrap_or(*world_from_node);
        let bounds = node.mesh.and_then(|mesh| bounds.get(mesh));
        if let Some(bounds) = bounds.filter(|it| !it.is_empty()) {
            for corner in [bounds.min, bounds.max] {
                add(world_from_mesh.transform_point3(corner));
            }
        }
    }
    all
}

/// Where a skin puts its mesh at rest: where its first joint would, which is where all would in the bind pose.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn world_from_skinned(skin: &Skin, rest: &[Affine3A]) -> Option<Affine3A> {
    let world_from_joint = rest.get(skin.joints.first()?.index())?;
    Some(*world_from_joint * *skin.joint_from_mesh.first()?)
}

/// What a finding is about beside a clip.
fn place(hierarchy: &Hierarchy, node: Option<NodeId>, time_secs: Option<f32>) -> Place {
    Place {
        node_index: node.map(|node| hierarchy.node(node).file_index),
        time_secs: time_secs.map(f64::from),
    }
}

/// `"hip"`, or `node 3` if it has no name.
fn quoted(hierarchy: &Hierarchy, id: NodeId) -> String {
    // Long names are not copied for each finding.
    let name = &hierarchy.node(id).name;
    if name.is_empty() {
        hierarchy.display_name(id)
    } else {
        format!("\"{}\"", shorten(name))
    }
}

/// `node "hip"`, or `node 3` if it has no name.
fn node_name(hierarchy: &Hierarchy, id: NodeId) -> String {
    let name = quoted(hierarchy, id);
    if hierarchy.node(id).name.is_empty() {
        name
    } else {
        format!("node {name}")
    }
}

/// `"Body"`, or `3` if it has no name.
fn mesh_name(name: &str, index: usize) -> String {
    if name.is_empty() {
        index.to_string()
    } else {
        format!("\"{}\"", shorten(name))
    }
}

/// What clips are called: where several are called so, by their indices, too.
struct ClipNames<'m> {
    clips: &'m [Clip],
    shared: HashSet<&'m str>,
}

impl<'m> ClipNames<'m> {
    fn of(model: &'m Model) -> Self {
        let clips = &*model.clips;
        Self {
            clips,
            shared: shared_names(clips.iter().map(Clip::name)),
        }
    }

    /// `"Walk"`, `"Walk" (clip 3)`, or `clip 3` if it has no name.
    fn quoted(&self, index: usize) -> String {
        match self.clips.get(index).map_or("", Clip::name) {
            "" => format!("clip {index}"),
            name if self.shared.contains(name) => format!("\"{}\" (clip {index})", shorten(name)),
            name => format!("\"{}\"", shorten(name)),
        }
    }

    /// [`ClipNames::quoted`] that says what it is: `clip "Walk"`.
    fn one(&self, index: usize) -> String {
        let quoted = self.quoted(index);
        if quoted.ends_with('"') {
            format!("clip {quoted}")
        } else {
            quoted
        }
    }

    /// The clip by its name; of several their number, and the names of the first.
    fn several(&self, clips: &[usize]) -> String {
        if let [index] = *clips {
            return self.one(index);
        }
        let names = clips.iter().map(|&index| self.quoted(index));
        format!("{} ({})", number_of(clips.len(), "clip"), few_names(names))
    }
}

/// The first few nodes by name, and how many more there are.
fn node_names(hierarchy: &Hierarchy, nodes: &[NodeId]) -> String {
    few_names(nodes.iter().map(|&id| quoted(hierarchy, id)))
}

fn few_names(names: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 3;
    first_few(names, SHOWN)
}

/// `1 joint`, `2 joints`.
fn number_of(count: usize, what: &str) -> String {
    counted(count, what, &format!("{what}s"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Aabb, Mesh, Primitive};

    /// A figure in centimetres under an armature that makes metres of them, and a lamp far away.
    #[test]
    fn skinned_meshes_are_as_large_as_their_joints_make_them() {
        let primitive = Primitive {
            rest_bounds: Aabb {
                min: Vec3::ZERO,
                max: Vec3::new(0.0, 180.0, 0.0),
            },
            ..Primitive::default()
        };
        let body = Node {
            mesh: Some(0),
            skin: Some(0),
            ..Node::default()
        };
        let mut joint = Node::default();
        joint.rest.scale = Vec3::splat(0.01);
        let mut lamp = Node::default();
        lamp.rest.translation = Vec3::splat(500.0);
        let nodes = vec![body, joint, lamp];
        let hierarchy = Hierarchy::new(nodes, &[None; 3], &[const { Vec::new() }; 3]).unwrap();
        let model = Model {
            hierarchy,
            meshes: vec![Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            }]
            .into(),
            skins: vec![Skin {
                joints: vec![NodeId(1)],
                joint_from_mesh: vec![Affine3A::IDENTITY],
                ..Skin::default()
            }],
            ..Model::default()
        };
        let size = Size::new(&model, &rest_pose(&model.hierarchy)).get();
        assert!((size - 1.8).abs() < 1e-6, "{size}");
    }
}
