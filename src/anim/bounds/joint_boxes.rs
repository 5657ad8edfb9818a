//! The box around a posed model at the price of its joints instead of its vertices.
//!
//! A skinned vertex is the mean, by weights of sum 1, of where each of its joints would take it. So it lies within the
//! hull of the places that its joints take it to, and a box around what every joint makes of all vertices it has a share
//! in holds all of them. Each joint therefore keeps the box of its vertices in the mesh's space, and each frame that box
//! goes through the joint's matrix (J. Arvo, "Transforming axis-aligned bounding boxes", Graphics Gems, 1990).
//!
//! Morph targets grow a joint's box by how far they move its vertices: from weight × smallest to weight × largest
//! difference, axis by axis.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use glam::Vec3;

use super::{
    BULGE, grown_for,
    meetings::{Meetings, farthest_apart},
    mesh_parts::{Gathered, MeshPart},
};
use crate::{
    anim::{ActiveMorph, Palette, PaletteLayout, PaletteMatrix, Skinning},
    model::{Aabb, Deltas, Influences, Mesh, Model, Primitive, VertexSet},
};

/// Rounding errors of skinning as a part of the numbers that are added up: at most eight joints of four products each,
/// weights that sum to 1 within 8 × 2e-7, and the sum of morph targets.
const ROUNDING: f32 = 32.0 * f32::EPSILON;

/// How many morph targets cost as much as a box.
const REACHES_A_BOX: usize = 16;

/// For each matrix of a palette layout, the box of the vertices that it moves. Built once for a model.
#[derive(Debug, Clone, Default)]
pub struct JointBoxes {
    parts: Vec<MatrixBox>,
    reaches: Vec<Reach>,
    matrices_per_instance: usize,
    /// Which parts may share vertices: found when it is first asked.
    meetings: OnceLock<Meetings>,
}

/// Vertices that one matrix moves.
#[derive(Debug, Clone)]
pub(super) struct MatrixBox {
    /// The matrix's place within an instance's share of the palette.
    matrix: usize,
    /// How many matrices from there on place the same vertices: more than one where a node places copies of its mesh.
    copies: usize,
    /// Whether it is a joint, with which others may have a share in a vertex.
    is_joint: bool,
    /// The placement whose morph weights are in force.
    placement: usize,
    /// Around the vertices in the mesh's space.
    pub(super) rest: Aabb,
    /// Its share of `reaches`.
    reaches: (usize, usize),
}

/// How far a morph target of weight 1 moves the vertices of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    pub(super) target: u32,
    pub(super) moves: Aabb,
}

impl JointBoxes {
    /// The boxes for all meshes of a layout. It visits every vertex and every morph target of every mesh once, and twice
    /// where some nodes place it with a skin and some without.
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut this = Self {
            matrices_per_instance: layout.matrices_per_instance(),
            ..Self::default()
        };
        let mut placed = vec![0_usize; model.meshes.len()];
        for placement in layout.placements() {
            placed[placement.mesh] += 1;
        }
        let mut meshes = HashMap::new();
        // What no morph target moves is one part for each matrix, however many primitives there are.
        let mut rigid_parts = HashMap::new();
        // Joints take a mesh to the same place, whichever node places it.
        let mut known_joints = HashSet::new();
        let may_hide = may_hide(model, layout);
        for (index, placement) in layout.placements().iter().enumerate() {
            let first_joint = placement.skin.map(|slot| slot.first as usize);
            let mesh = meshes.entry((placement.mesh, first_joint.is_some()));
            let mesh = mesh.or_insert_with_key(|&(mesh, is_skinned)| {
                let gathered = Gathered::new(&model.meshes[mesh].primitives, is_skinned);
                gathered.finish(placed[mesh], &mut this.reaches)
            });
            // What comes and goes must not be part of another's box.
            let mut own_parts = HashMap::new();
            let rigid_parts = if may_hide[index] {
                &mut own_parts
            } else {
                &mut rigid_parts
            };
            let is_new = may_hide[index] || known_joints.insert((placement.mesh, first_joint));
            let joints: &[MeshPart] = if is_new { &mesh.joints } else { &[] };
            for part in mesh.own.iter().chain(joints) {
                let rigid = placement.rigid.unwrap_or_default() as usize;
                let (matrix, copies) = match part.joint {
                    Some(joint) => (first_joint.unwrap_or_default() + joint, 1),
                    None => (rigid, placement.copies),
                };
                let is_rigid = part.reaches.0 == part.reaches.1;
                match rigid_parts.get(&matrix) {
                    Some(&known) if is_rigid => {
                        let known: &mut MatrixBox = &mut this.parts[known];
                        known.rest = known.rest.union(part.rest);
                    }
                    _ => {
                        if is_rigid {
                            rigid_parts.insert(matrix, this.parts.len());
                        }
                        this.parts.push(MatrixBox {
                            matrix,
                            copies: copies as usize,
                            is_joint: part.joint.is_some(),
                            placement: index,
                            rest: part.rest,
                            reaches: part.reaches,
                        });
                    }
                }
            }
        }
        this
    }

    /// What [`JointBoxes::new`] costs at most: how many positions and differences of morph targets it visits, and how many
    /// boxes it may make.
    pub fn cost_of_new(model: &Model, layout: &PaletteLayout) -> usize {
        let positions = |mesh: &Mesh| -> usize {
            let primitives = mesh.primitives.iter().map(|primitive| {
                let targets = primitive.targets.iter();
                let deltas: usize = targets.map(|target| target.positions.len()).sum();
                primitive.vertices.positions.len() + deltas
            });
            primitives.sum()
        };
        let of_meshes: Vec<_> = model.meshes.iter().map(positions).collect();
        let mut visited = HashSet::new();
        let costs = layout.placements().iter().map(|placement| {
            let positions = of_meshes[placement.mesh];
            let is_new = visited.insert((placement.mesh, placement.skin.is_some()));
            let joints = placement.skin.map_or(0, |slot| slot.joint_count as usize);
            let primitives = model.meshes[placement.mesh].primitives.iter();
            let morphed = primitives.filter(|primitive| !primitive.targets.is_empty());
            let boxes = (1 + joints).saturating_mul(1 + morphed.count());
            let visits = if is_new { positions } else { 0 };
            visits.saturating_add(1 + boxes.min(positions))
        });
        costs.fold(0, usize::saturating_add)
    }

    /// A box that holds all posed vertices of an instance, never smaller than the exact one; empty if there are none.
    ///
    /// Joints at infinity or nowhere are left out, like their vertices.
    pub fn bounds(&self, palette: &Palette, instance: usize) -> Aabb {
        self.bounds_of(palette, instance, |_| true)
    }

    /// [`JointBoxes::bounds`] of the vertices that certain matrices have a share in, by their places within the instance's
    /// share of the palette.
    pub fn bounds_of(
        &self,
        palette: &Palette,
        instance: usize,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Aabb {
        let first = instance * self.matrices_per_instance;
        let matrices = &palette.matrices()[first..][..self.matrices_per_instance];
        let mut bounds = Aabb::EMPTY;
        for part in &self.parts {
            if palette.is_hidden(part.placement) || !is_wanted(part.matrix) {
                continue;
            }
            let rest = self.morphed(part, palette, instance);
            for matrix in &matrices[part.matrix..part.matrix + part.copies] {
                bounds = bounds.union(posed(matrix, &rest));
            }
        }
        bounds
    }

    /// A box that holds all posed vertices of an instance, whichever way the palette skins them.
    pub fn bounds_as_skinned(&self, palette: &Palette, instance: usize) -> Aabb {
        if palette.skinning() == Skinning::Linear {
            return self.bounds(palette, instance);
        }
        let meetings = self.meetings.get_or_init(|| {
            let joints = self
                .parts
                .iter()
                .map(|part| Some(part.rest).filter(|_| part.is_joint));
            Meetings::of(&joints.collect::<Vec<_>>())
        });
        if meetings.are_too_many {
            return grown_for(palette.skinning(), self.bounds(palette, instance));
        }
        let first = instance * self.matrices_per_instance;
        let matrices = &palette.matrices()[first..][..self.matrices_per_instance];
        let mut bounds = Aabb::EMPTY;
        for (place, part) in self.parts.iter().enumerate() {
            if palette.is_hidden(part.placement) {
                continue;
            }
            let rest = self.morphed(part, palette, instance);
            let apart = meetings.with(place).iter().map(|&other| {
                let other = &self.parts[other as usize];
                let shared = rest.intersection(self.morphed(other, palette, instance));
                farthest_apart([part, other].map(|part| &matrices[part.matrix]), &shared)
            });
            let bulge = BULGE * apart.fold(0.0, f32::max);
            for matrix in &matrices[part.matrix..part.matrix + part.copies] {
                bounds = bounds.union(posed(matrix, &rest).grown(bulge));
            }
        }
        bounds
    }

    /// The box of a part in the mesh's space, with what its morph targets do.
    fn morphed(&self, part: &MatrixBox, palette: &Palette, instance: usize) -> Aabb {
        let reaches = &self.reaches[part.reaches.0..part.reaches.1];
        if reaches.is_empty() {
            return part.rest;
        }
        let record = palette.record(part.placement, instance);
        morphed(part.rest, reaches, palette.morphs_of(record))
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.copies).sum()
    }

    /// What [`JointBoxes::bounds`] costs, in boxes: a morph target is a small part of one.
    pub fn cost(&self) -> usize {
        let parts = self.parts.iter();
        let reaches = parts.map(|part| part.reaches.1 - part.reaches.0);
        self.len() + reaches.sum::<usize>() / REACHES_A_BOX
    }

    /// The matrices that move vertices, by their places within an instance's share of the palette; some come more than once.
    pub fn matrices(&self) -> impl Iterator<Item = usize> {
        let parts = self.parts.iter();
        parts.flat_map(|part| part.matrix..part.matrix + part.copies)
    }

    /// Whether there are no vertices at all.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

/// For each placement whether it is hidden at times.
fn may_hide(model: &Model, layout: &PaletteLayout) -> Vec<bool> {
    let mut may_hide = vec![false; model.hierarchy.len()];
    for node in model.nodes_shown_by_clips() {
        may_hide[node.index()] = true;
    }
    for (id, node) in model.hierarchy.iter() {
        may_hide[id.index()] |= node.parent.is_some_and(|parent| may_hide[parent.index()]);
    }
    let placements = layout.placements().iter();
    placements
        .map(|placement| placement.is_hidden_at_rest || may_hide[placement.node.index()])
        .collect()
}

/// Which matrices move the vertices of a primitive.
pub(super) enum Owners<'a> {
    /// This one all of them.
    One(usize),
    /// The joints of a skin, the first of which has this place.
    Joints(usize, &'a Influences),
}

impl Owners<'_> {
    fn for_each(&self, vertex: usize, mut visit: impl FnMut(usize)) {
        match self {
            Self::One(matrix) => visit(*matrix),
            Self::Joints(first, influences) => {
                let lanes = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
                for lane in lanes {
                    if influences.weights[lane] > 0.0 {
                        visit(first + usize::from(influences.joints[lane]));
                    }
                }
            }
        }
    }
}

/// A box for each matrix, of which only those in use are cleared.
pub(super) struct Scratch {
    boxes: Vec<Aabb>,
    touched: Vec<usize>,
}

impl Scratch {
    /// Room for `matrix_count` matrices.
    pub(super) fn new(matrix_count: usize) -> Self {
        Self {
            boxes: vec![Aabb::EMPTY; matrix_count],
            touched: Vec::new(),
        }
    }

    /// Calls `visit` with every matrix that owns vertices of a primitive, with the box around these and how far each target
    /// moves them, in the order of the targets.
    pub(super) fn for_each_part(
        &mut self,
        primitive: &Primitive,
        owners: &Owners<'_>,
        mut visit: impl FnMut(usize, Aabb, &[(usize, Reach)]),
    ) {
        let (mut reaches, undrawn) = (Vec::new(), &primitive.undrawn);
        for (target, morph) in (0..).zip(&primitive.targets) {
            // Others are where they are.
            let are_few = matches!(morph.positions, Deltas::Few(_));
            let nowhere = if are_few {
                Aabb::of_points([Vec3::ZERO])
            } else {
                Aabb::EMPTY
            };
            self.gather(morph.positions.iter(), undrawn, owners, |matrix, moves| {
                let moves = moves.union(nowhere);
                if moves.min != Vec3::ZERO || moves.max != Vec3::ZERO {
                    reaches.push((matrix, Reach { target, moves }));
                }
            });
        }
        // Stable: the targets of a matrix stay in order.
        reaches.sort_by_key(|(matrix, _)| *matrix);
        let points = primitive.vertices.positions.iter().copied();
        self.gather(points.enumerate(), undrawn, owners, |matrix, rest| {
            let start = reaches.partition_point(|(other, _)| *other < matrix);
            let end = reaches.partition_point(|(other, _)| *other <= matrix);
            visit(matrix, rest, &reaches[start..end]);
        });
    }

    /// Calls `visit` with every matrix that owns some of `points`, of vertices that are drawn or not, and with the box around
    /// those that are.
    pub(super) fn gather(
        &mut self,
        points: impl Iterator<Item = (usize, Vec3)>,
        undrawn: &VertexSet,
        owners: &Owners<'_>,
        mut visit: impl FnMut(usize, Aabb),
    ) {
        for (vertex, point) in points {
            if undrawn.has(vertex) {
                continue;
            }
            owners.for_each(vertex, |matrix| {
                let known = &mut self.boxes[matrix];
                if known.is_empty() {
                    self.touched.push(matrix);
                }
                *known = known.with(point);
            });
        }
        self.touched.sort_unstable();
        self.touched.dedup();
        for matrix in self.touched.drain(..) {
            visit(matrix, std::mem::take(&mut self.boxes[matrix]));
        }
    }
}

/// A box, grown by what the active morph targets do to its vertices.
pub(super) fn morphed(mut rest: Aabb, reaches: &[Reach], morphs: &[ActiveMorph]) -> Aabb {
    // Both are in the order of the targets.
    let mut morphs = morphs.iter().peekable();
    for reach in reaches {
        while morphs
            .next_if(|morph| morph.target < reach.target)
            .is_some()
        {}
        if morphs.peek().is_none() {
            break;
        }
        if let Some(morph) = morphs.next_if(|morph| morph.target == reach.target) {
            let (a, b) = (
                morph.weight * reach.moves.min,
                morph.weight * reach.moves.max,
            );
            rest.min += a.min(b);
            rest.max += a.max(b);
        }
    }
    rest
}

/// The box around the image of a box, grown by what rounding may do to a vertex; empty if it is not finite.
pub(super) fn posed(world_from_mesh: &PaletteMatrix, rest: &Aabb) -> Aabb {
    let farthest = rest.min.abs().max(rest.max.abs());
    let mut bounds = Aabb::EMPTY;
    for (axis, row) in world_from_mesh.iter().enumerate() {
        let (linear, shift) = (row.truncate(), row.w);
        let (a, b) = (linear * rest.min, linear * rest.max);
        let slack = ROUNDING * (linear.abs().dot(farthest) + shift.abs());
        bounds.min[axis] = a.min(b).element_sum() + shift - slack;
        bounds.max[axis] = a.max(b).element_sum() + shift + slack;
    }
    if bounds.min.is_finite() && bounds.max.is_finite() {
        bounds
    } else {
        Aabb::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, time::Duration};

    use super::*;
    use crate::model::processor_time::timed;

    /// All of them, they would be thousands of millions.
    #[test]
    fn targets_after_the_last_that_is_on_cost_nothing() {
        let moves = Aabb {
            min: Vec3::ZERO,
            max: Vec3::X,
        };
        let reaches: Vec<_> = (0..1_000_000)
            .map(|target| Reach { target, moves })
            .collect();
        let rest = Aabb {
            min: Vec3::ZERO,
            max: Vec3::ONE,
        };
        let on = [1, 3].map(|target| ActiveMorph {
            target,
            weight: 2.0,
        });
        let ((), took) = timed(|| {
            for _ in 0..10_000 {
                let found = morphed(rest, black_box(&reaches), black_box(&on));
                assert_eq!(found.max, Vec3::new(5.0, 1.0, 1.0));
                let found = morphed(rest, black_box(&reaches), black_box(&[]));
                assert_eq!(found.max, rest.max);
            }
        });
        assert!(took < Duration::from_secs(3), "{took:?}");
    }
}
