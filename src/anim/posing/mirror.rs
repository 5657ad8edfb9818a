//! A pose with left and right swapped, about the plane x = 0 of the model.
//!
//! Which node is the other side of which is told by names (`hand_L` and `hand_R`, `LeftArm` and `RightArm`), or else by
//! where nodes are at rest. What is mirrored is how far each node has turned away from its rest in the world: so it does
//! not matter which way the axes of joints point.

use std::collections::HashMap;

use glam::{Affine3A, Vec3};

use super::parent_orientation;
use crate::{
    anim::{Pose, name_words::words, orientation::Orientation},
    model::{Hierarchy, NodeId, Transform},
};

/// For each node its other side: itself in the middle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    other: Vec<NodeId>,
    are_known: bool,
}

/// Nodes are each other's image at rest if they miss it by less than this part of the rig's size.
const NEAR: f32 = 0.01;

/// Marks of sides in names; each stands for both spellings.
const WORDS: [(&str, &str); 2] = [("left", "right"), ("l", "r")];

impl Sides {
    /// Finds the other side of each node of a model at rest, by name, and by place where names say nothing. `size` is the
    /// rig's own, as [`rig_size`](crate::anim::bounds::rig_size) measures it, in the world's units.
    pub fn find(hierarchy: &Hierarchy, rest: &Pose, size: f32) -> Self {
        // A name that several have says nothing.
        let mut by_name = HashMap::new();
        for (id, node) in hierarchy.iter() {
            by_name
                .entry(node.name.as_str())
                .and_modify(|found| *found = None)
                .or_insert(Some(id));
        }
        let mut other: Vec<_> = hierarchy
            .iter()
            .map(|(_, node)| {
                let names = other_names(&node.name);
                names
                    .iter()
                    .find_map(|name| by_name.get(name.as_str()).copied().flatten())
            })
            .collect();
        let place = |id: NodeId| Vec3::from(rest.world[id.index()].translation);
        let all = || hierarchy.iter().map(|(id, _)| id);
        let near = NEAR * size;
        let siblings = Siblings::new(hierarchy, rest, near);
        for id in all() {
            let parent = hierarchy.node(id).parent;
            if other[id.index()].is_some() || place(id).x.abs() <= near {
                continue;
            }
            let image = place(id) * Vec3::new(-1.0, 1.0, 1.0);
            // The image hangs on the image of the parent, which came before.
            let parents_other = parent.map(|parent| other[parent.index()].unwrap_or(parent));
            other[id.index()] = siblings.only_near(parents_other, image);
        }
        // Only pairs that name each other count.
        let is_mutual = |id: NodeId| {
            let image = other[id.index()]?;
            (other[image.index()] == Some(id)).then_some(image)
        };
        let other: Vec<_> = all().map(|id| is_mutual(id).unwrap_or(id)).collect();
        Self {
            are_known: all().any(|id| other[id.index()] != id)
                || all().all(|id| place(id).x.abs() <= near),
            other,
        }
    }

    /// The other side of a node: itself in the middle, or where none was found.
    pub fn other(&self, node: NodeId) -> NodeId {
        self.other[node.index()]
    }

    /// Whether sides are known: some node has another side, or all are in the middle, as a snake's are.
    pub fn are_known(&self) -> bool {
        self.are_known
    }

    /// The local transforms of a pose with its sides swapped: each node turns away from its rest as the image of what its
    /// other side does. Scales change sides; of translations what was added to the rest does, mirrored in the world. Nodes
    /// that are at rest on both sides stay so.
    pub fn swapped(&self, hierarchy: &Hierarchy, rest: &Pose, pose: &Pose) -> Vec<Transform> {
        let mut swapped = pose.clone();
        for (id, node) in hierarchy.iter() {
            let other = self.other(id);
            let is_at_rest = |id: NodeId| pose.locals[id.index()] == rest.locals[id.index()];
            let parent = node.parent.map(|parent| swapped.world[parent.index()]);
            let parent = parent.unwrap_or(Affine3A::IDENTITY);
            let parent_from_node = match node.fixed_matrix {
                _ if !(is_at_rest(id) && is_at_rest(other)) => {
                    let poses = Poses {
                        rest,
                        pose,
                        swapped: &swapped,
                    };
                    let local = image_of(hierarchy, poses, id, other);
                    swapped.locals[id.index()] = local;
                    local.to_affine()
                }
                Some(matrix) => matrix,
                None => swapped.locals[id.index()].to_affine(),
            };
            swapped.world[id.index()] = parent * parent_from_node;
        }
        swapped.locals
    }
}

/// Where so many children of one node stand in one cell, what is looked for there has no other side: it bounds the work.
const MAX_IN_CELL: usize = 1024;
/// The width of cells, in multiples of [`Siblings::near`].
const CELL_WIDTH: f32 = 2.0;
/// How far to look around a place, in cells: more than `near`, lest roundings leave one out.
const REACH: f32 = 0.6;

/// The nodes at rest by their parents and places.
#[derive(Debug)]
struct Siblings<'a> {
    rest: &'a Pose,
    /// Nodes are near a place if they miss it by no more.
    near: f32,
    /// By the parent and the cell of a grid over the world.
    cells: HashMap<(Option<NodeId>, [i64; 3]), Vec<NodeId>>,
}

impl<'a> Siblings<'a> {
    fn new(hierarchy: &Hierarchy, rest: &'a Pose, near: f32) -> Self {
        let mut this = Self {
            rest,
            near,
            cells: HashMap::new(),
        };
        for (id, node) in hierarchy.iter() {
            let cell = this.cell(this.place(id), 0.0);
            let in_cell = this.cells.entry((node.parent, cell)).or_default();
            if in_cell.len() < MAX_IN_CELL {
                in_cell.push(id);
            }
        }
        this
    }

    /// The child of `parent` that is near a place; none if there is none, or more than one.
    fn only_near(&self, parent: Option<NodeId>, place: Vec3) -> Option<NodeId> {
        let [low, high] = [-REACH, REACH].map(|cells| self.cell(place, cells));
        let mut found = None;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let Some(in_cell) = self.cells.get(&(parent, [x, y, z])) else {
                        continue;
                    };
                    if in_cell.len() == MAX_IN_CELL {
                        return None;
                    }
                    for &id in in_cell {
                        let is_near = self.place(id).distance(place) <= self.near;
                        if is_near && found.replace(id).is_some() {
                            return None;
                        }
                    }
                }
            }
        }
        found
    }

    fn place(&self, node: NodeId) -> Vec3 {
        self.rest.world[node.index()].translation.into()
    }

    /// The cell of a place, or of what lies `shift` cells away along all axes.
    fn cell(&self, place: Vec3, shift: f32) -> [i64; 3] {
        let cells = place / (CELL_WIDTH * self.near) + shift;
        cells.to_array().map(|at| at.floor() as i64)
    }
}

/// A pose on its way to the other side.
#[derive(Clone, Copy)]
struct Poses<'a> {
    rest: &'a Pose,
    pose: &'a Pose,
    /// As far as it is known.
    swapped: &'a Pose,
}

/// The local transform of a node that does what its other side does in `pose`; its parent's is known in `swapped`.
fn image_of(hierarchy: &Hierarchy, poses: Poses<'_>, node: NodeId, other: NodeId) -> Transform {
    let Poses {
        rest,
        pose,
        swapped,
    } = poses;
    let (here, there) = (node.index(), other.index());
    let rotation = |world: &Affine3A| Orientation::of_matrix(world).rotation;
    let turned = rotation(&pose.world[there]) * rotation(&rest.world[there]).conjugate();
    let turned = Orientation::from(Orientation::MIRROR.outside(turned));
    let parent_at_rest = parent_orientation(hierarchy, rest, node);
    let parent = parent_orientation(hierarchy, swapped, node);
    let turn = (parent.inverse() * turned * parent_at_rest).rotation;

    let shift = pose.locals[there].translation - rest.locals[there].translation;
    let shift = rest
        .world_from_parent(hierarchy, other)
        .transform_vector3(shift);
    let shift = glam::Vec3A::from(shift * Vec3::new(-1.0, 1.0, 1.0));
    let parent_from_world = rest.world_from_parent(hierarchy, node).matrix3.inverse();
    let shift = Vec3::from(parent_from_world * shift);
    let shift = Some(shift).filter(|shift| shift.is_finite());
    let scale = rest.locals[here].scale * (pose.locals[there].scale / rest.locals[there].scale);
    Transform {
        translation: rest.locals[here].translation + shift.unwrap_or_default(),
        rotation: (turn * rest.locals[here].rotation).normalize(),
        scale: if scale.is_finite() {
            scale
        } else {
            pose.locals[here].scale
        },
    }
}

/// Longer names, in bytes, are no names of sides: each of their words would be exchanged in a copy of the whole.
const MAX_NAME: usize = 256;

/// The names that the other side of a node may have: a word of its name exchanged, in the same spelling.
fn other_names(name: &str) -> Vec<String> {
    let mut names = Vec::new();
    if name.len() > MAX_NAME {
        return names;
    }
    for range in words(name) {
        let word = &name[range.clone()];
        let lower = word.to_lowercase();
        for (left, right) in WORDS {
            let other = match &lower {
                lower if lower == left => right,
                lower if lower == right => left,
                _ => continue,
            };
            names.push(format!(
                "{}{}{}",
                &name[..range.start],
                spelled_like(other, word),
                &name[range.end..]
            ));
        }
    }
    names
}

/// `text` in the letters' case of `model`: all capitals, a first capital, or none.
fn spelled_like(text: &str, model: &str) -> String {
    let mut letters = model.chars();
    let first_is_capital = letters.next().is_some_and(char::is_uppercase);
    let others_are_capitals = model.len() > 1 && letters.all(char::is_uppercase);
    if others_are_capitals {
        text.to_uppercase()
    } else if first_is_capital {
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::{Mat3A, Quat};

    use super::*;
    use crate::{
        anim::bounds::rig_size,
        model::{Model, Node, Skin, processor_time::timed},
    };

    #[test]
    fn names_change_sides() {
        let check = |name: &str, other: &str| {
            assert!(other_names(name).contains(&other.to_owned()), "{name}");
        };
        check("hand_L", "hand_R");
        check("hand.r", "hand.l");
        check("LeftForeArm", "RightForeArm");
        check("mixamorig:RightUpLeg", "mixamorig:LeftUpLeg");
        check("l_foot", "r_foot");
        check("LEFT_EYE", "RIGHT_EYE");
        check("b_Arm_R_02", "b_Arm_L_02");
        assert!(other_names("collar").is_empty());
        assert!(other_names("spine").is_empty());
        assert!(other_names(&"l ".repeat(100_000)).is_empty());
    }

    /// Names need not be unique (glTF 2.0 §3.1): hands of two that stand behind each other are told by where they are.
    #[test]
    fn sides_are_found_by_place_where_names_repeat() {
        let node = |name: &str, at: [f32; 3]| {
            let mut node = Node {
                name: name.to_owned(),
                ..Node::default()
            };
            node.rest.translation = at.into();
            node
        };
        let nodes = vec![
            node("root", [0.0; 3]),
            node("Hand_L", [1.0, 0.0, 0.0]),
            node("Hand_R", [-1.0, 0.0, 0.0]),
            node("Hand_L", [1.0, 0.0, 5.0]),
            node("Hand_R", [-1.0, 0.0, 5.0]),
        ];
        let parents = [None, Some(0), Some(0), Some(0), Some(0)];
        let weights = vec![Vec::new(); nodes.len()];
        let hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
        let sides = Sides::find(&hierarchy, &Pose::new(&hierarchy), 2.0);
        for (one, other) in [(1, 2), (2, 1), (3, 4), (4, 3)] {
            assert_eq!(sides.other(NodeId(one)), NodeId(other));
        }
    }

    /// Neither how far away a rig stands says how near its sides are to one another, nor where lamps do.
    #[test]
    fn sides_are_found_by_place_wherever_others_stand() {
        let node = |at: [f32; 3]| {
            let mut node = Node::default();
            node.rest.translation = at.into();
            node
        };
        let nodes = vec![
            node([0.0, 0.0, 300.0]),
            node([1.0, 0.0, 0.0]),
            node([-1.0, 0.0, 0.0]),
            node([0.0, 5000.0, 0.0]),
        ];
        let parents = [None, Some(0), Some(0), None];
        let weights = vec![Vec::new(); nodes.len()];
        let hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
        let joints = [0, 1, 2].map(|index| hierarchy.by_file_index(index).unwrap());
        let model = Model {
            skins: vec![Skin {
                joints: joints.to_vec(),
                ..Skin::default()
            }],
            hierarchy,
            ..Model::default()
        };
        let rest = Pose::new(&model.hierarchy);
        let sides = Sides::find(&model.hierarchy, &rest, rig_size(&model, &rest));
        assert_eq!(sides.other(joints[1]), joints[2]);
        assert_eq!(sides.other(joints[2]), joints[1]);
    }

    /// Each beside each they would be ten thousand million pairs.
    #[test]
    fn sides_of_very_many_are_found_soon() {
        const SIDE: usize = 100_000;
        let sides_of = |place: &dyn Fn(usize) -> [f32; 3]| {
            let node = |index: usize| {
                let mut node = Node::default();
                node.rest.translation = place(index).into();
                node
            };
            let nodes: Vec<_> = (0..2 * SIDE).map(node).collect();
            let weights = vec![Vec::new(); nodes.len()];
            let hierarchy = Hierarchy::new(nodes, &vec![None; 2 * SIDE], &weights).unwrap();
            let rest = Pose::new(&hierarchy);
            let (sides, took) = timed(|| Sides::find(&hierarchy, &rest, 1.0));
            assert!(took < Duration::from_secs(10), "{took:?}");
            sides
        };
        // Two planes of points.
        let sides = sides_of(&|index| {
            let x = if index < SIDE { 1.0 } else { -1.0 };
            let (row, column) = (index % SIDE / 300, index % SIDE % 300);
            [x, row as f32 * 0.5, column as f32 * 0.5]
        });
        for index in [0, 1, SIDE - 1] {
            let [one, other] = [index, index + SIDE].map(|index| NodeId(index as u32));
            assert_eq!(sides.other(one), other);
            assert_eq!(sides.other(other), one);
        }
        // Two heaps, the image of the one a little too far away from the other.
        let heaps = [[1.0, 0.0, 0.0], [-1.0, 0.012, 0.0]];
        let sides = sides_of(&|index| heaps[index / SIDE]);
        assert!(!sides.are_known());
    }

    /// Points of a face may all stand within a few centimetres.
    #[test]
    fn sides_are_found_beside_many_in_one_place() {
        let heap = [0.5, 0.0, 0.0];
        let pair = [[0.52, 0.0, 0.0], [-0.52, 0.0, 0.0]];
        let places = pair.into_iter().chain([heap; 200]);
        let nodes: Vec<_> = places
            .map(|place| {
                let mut node = Node::default();
                node.rest.translation = place.into();
                node
            })
            .collect();
        let (parents, weights) = (vec![None; nodes.len()], vec![Vec::new(); nodes.len()]);
        let hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
        let sides = Sides::find(&hierarchy, &Pose::new(&hierarchy), 1.0);
        assert_eq!(sides.other(NodeId(0)), NodeId(1));
        assert_eq!(sides.other(NodeId(1)), NodeId(0));
        assert_eq!(sides.other(NodeId(2)), NodeId(2));
    }

    /// Scales may mirror (glTF 2.0 §3.5.3), above a joint and by its own.
    #[test]
    fn sides_are_swapped_in_the_world_whatever_mirrors() {
        let node = |name: &str, at: [f32; 3], turn: [f32; 3], scale: Vec3| Node {
            name: name.to_owned(),
            rest: Transform {
                translation: at.into(),
                rotation: Quat::from_scaled_axis(turn.into()),
                scale,
            },
            ..Node::default()
        };
        let signs = [
            Vec3::ONE,
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(1.0, -1.0, 1.0),
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::NEG_ONE,
        ];
        for root in signs {
            for own in signs {
                let nodes = vec![
                    node("root", [0.0; 3], [0.0; 3], root),
                    node("chest", [0.0, 1.0, 0.0], [0.2, 0.0, 0.0], own),
                    node("Arm_L", [0.5, 0.2, 0.0], [0.1, 0.4, -0.2], own),
                    node("Arm_R", [-0.5, 0.2, 0.0], [-0.3, 0.0, 0.9], Vec3::ONE),
                    node("Hand_L", [0.4, 0.0, 0.1], [0.0, 1.4, 0.2], Vec3::ONE),
                    node("Hand_R", [-0.4, 0.0, 0.1], [0.7, 0.0, 0.2], own),
                    node("sword", [0.1, 0.0, 0.1], [0.0, 0.3, 0.2], Vec3::ONE),
                ];
                let parents = [None, Some(0), Some(1), Some(1), Some(2), Some(3), Some(4)];
                let weights = vec![Vec::new(); nodes.len()];
                let hierarchy = Hierarchy::new(nodes, &parents, &weights).unwrap();
                let by_file = |index: usize| hierarchy.by_file_index(index).unwrap();
                let rest = Pose::new(&hierarchy);
                let sides = Sides::find(&hierarchy, &rest, 2.0);
                assert_eq!(sides.swapped(&hierarchy, &rest, &rest), rest.locals);
                let mut pose = rest.clone();
                for (index, turn) in [(1, Vec3::X), (2, Vec3::Z), (4, Vec3::NEG_Y), (3, Vec3::Y)] {
                    let local = &mut pose.locals[by_file(index).index()];
                    local.rotation *= Quat::from_scaled_axis(turn * 0.6);
                }
                pose.update_world(&hierarchy, Affine3A::IDENTITY);
                let mut swapped = pose.clone();
                swapped.locals = sides.swapped(&hierarchy, &rest, &pose);
                swapped.update_world(&hierarchy, Affine3A::IDENTITY);
                let mirror = Mat3A::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
                for index in 0..6 {
                    let here = by_file(index).index();
                    let there = sides.other(by_file(index)).index();
                    let turned = pose.world[there].matrix3 * rest.world[there].matrix3.inverse();
                    let expected = mirror * turned * mirror * rest.world[here].matrix3;
                    let found = swapped.world[here].matrix3;
                    assert!(found.abs_diff_eq(expected, 1e-4), "{index}: {root}, {own}");
                }
                // What has no other side, and was left alone, stays in the hand as it was.
                let sword = by_file(6).index();
                assert_eq!(swapped.locals[sword], rest.locals[sword]);
            }
        }
    }
}
