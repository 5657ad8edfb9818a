//! The box around a posed model at the price of its joints instead of its vertices.
//!
//! A skinned vertex is the mean, by weights of sum 1, of where each of its joints would take it. So it lies within the
//! hull of the places that its joints take it to, and a box around what every joint makes of all vertices it has a share
//! in holds all of them. Each joint therefore keeps the box of its vertices in the mesh's space, and each frame that box
//! goes through the joint's matrix (J. Arvo, "Transforming axis-aligned bounding boxes", Graphics Gems, 1990).
//!
//! Morph targets grow a joint's box by how far they move its vertices: from weight × smallest to weight × largest
//! difference, axis by axis.

use std::collections::HashMap;

use glam::Vec3;

use crate::{
    anim::{ActiveMorph, Palette, PaletteLayout, PaletteMatrix, Placement},
    model::{Aabb, Clip, Influences, Model, Primitive, PropertyTarget, PropertyTrack},
};

/// Rounding errors of skinning as a part of the numbers that are added up: at most eight joints of four products each,
/// weights that sum to 1 within 8 × 2e-7, and the sum of morph targets.
const ROUNDING: f32 = 32.0 * f32::EPSILON;

/// For each matrix of a palette layout, the box of the vertices that it moves. Built once for a model.
#[derive(Debug, Clone, Default)]
pub struct JointBoxes {
    parts: Vec<Part>,
    reaches: Vec<Reach>,
    matrices_per_instance: usize,
}

/// Vertices that one matrix moves.
#[derive(Debug, Clone)]
struct Part {
    /// The matrix's place within an instance's share of the palette.
    matrix: usize,
    /// How many matrices from there on place the same vertices: more than one where a node places copies of its mesh.
    copies: usize,
    /// The placement whose morph weights are in force.
    placement: usize,
    /// Around the vertices in the mesh's space.
    rest: Aabb,
    /// Its share of `reaches`.
    reaches: (usize, usize),
}

/// How far a morph target of weight 1 moves the vertices of a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    target: u32,
    moves: Aabb,
}

impl JointBoxes {
    /// The boxes for all meshes of a layout. It visits every vertex and every morph target of every placement once.
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut this = Self {
            matrices_per_instance: layout.matrices_per_instance(),
            ..Self::default()
        };
        let mut scratch = Scratch::new(layout.matrices_per_instance());
        // What no morph target moves is one part for each matrix, however many primitives there are.
        let mut rigid_parts = HashMap::new();
        let may_hide = may_hide(model, layout);
        for (index, placement) in layout.placements().iter().enumerate() {
            // What comes and goes must not be part of another's box.
            let mut own_parts = HashMap::new();
            let rigid_parts = if may_hide[index] {
                &mut own_parts
            } else {
                &mut rigid_parts
            };
            for primitive in &model.meshes[placement.mesh].primitives {
                let owners = Owners::new(placement, primitive);
                scratch.for_each_part(primitive, &owners, |matrix, rest, own| {
                    let first = this.reaches.len();
                    this.reaches.extend(own.iter().map(|(_, reach)| *reach));
                    let part = Part {
                        matrix,
                        copies: owners.copies(placement),
                        placement: index,
                        rest,
                        reaches: (first, this.reaches.len()),
                    };
                    match rigid_parts.get(&matrix) {
                        Some(&known) if own.is_empty() => {
                            let known: &mut Part = &mut this.parts[known];
                            known.rest = known.rest.union(rest);
                        }
                        _ => {
                            if own.is_empty() {
                                rigid_parts.insert(matrix, this.parts.len());
                            }
                            this.parts.push(part);
                        }
                    }
                });
            }
        }
        this
    }

    /// A box that holds all posed vertices of an instance, never smaller than the exact one; empty if there are none.
    ///
    /// Joints at infinity or nowhere are left out, like their vertices.
    pub fn bounds(&self, palette: &Palette, instance: usize) -> Aabb {
        self.bounds_of(palette, instance, |_| true)
    }

    /// The same for the vertices that certain matrices have a share in, by their places within the instance's share of the
    /// palette.
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
            let mut rest = part.rest;
            let reaches = &self.reaches[part.reaches.0..part.reaches.1];
            if !reaches.is_empty() {
                let record = palette.record(part.placement, instance);
                rest = morphed(rest, reaches, palette.morphs_of(record));
            }
            for matrix in &matrices[part.matrix..part.matrix + part.copies] {
                bounds = bounds.union(posed(matrix, &rest));
            }
        }
        bounds
    }

    /// Number of boxes: what [`JointBoxes::bounds`] costs.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.copies).sum()
    }

    /// Whether there are no vertices at all.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

/// For each placement whether it is hidden at times.
fn may_hide(model: &Model, layout: &PaletteLayout) -> Vec<bool> {
    let mut may_hide = vec![false; model.hierarchy.len()];
    for target in model
        .clips
        .iter()
        .flat_map(Clip::properties)
        .map(PropertyTrack::target)
    {
        if let PropertyTarget::Visibility(node) = target {
            may_hide[node.index()] = true;
        }
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

impl<'a> Owners<'a> {
    fn new(placement: &Placement, primitive: &'a Primitive) -> Self {
        match (placement.skin, &primitive.influences) {
            (Some(slot), Some(influences)) => Self::Joints(slot.first as usize, influences),
            _ => Self::One(placement.rigid.unwrap_or_default() as usize),
        }
    }

    /// How many matrices place what a matrix moves.
    fn copies(&self, placement: &Placement) -> usize {
        match self {
            Self::One(_) => placement.copies as usize,
            Self::Joints(..) => 1,
        }
    }

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
    /// For so many matrices.
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
        let mut reaches = Vec::new();
        for (target, morph) in (0..).zip(&primitive.targets) {
            self.gather(&morph.positions, owners, |matrix, moves| {
                if moves.min != Vec3::ZERO || moves.max != Vec3::ZERO {
                    reaches.push((matrix, Reach { target, moves }));
                }
            });
        }
        // Stable: the targets of a matrix stay in order.
        reaches.sort_by_key(|(matrix, _)| *matrix);
        self.gather(&primitive.vertices.positions, owners, |matrix, rest| {
            let start = reaches.partition_point(|(other, _)| *other < matrix);
            let end = reaches.partition_point(|(other, _)| *other <= matrix);
            visit(matrix, rest, &reaches[start..end]);
        });
    }

    /// Calls `visit` with every matrix that owns some of `points`, one for each vertex, and with the box around these.
    fn gather(&mut self, points: &[Vec3], owners: &Owners<'_>, mut visit: impl FnMut(usize, Aabb)) {
        for (vertex, &point) in points.iter().enumerate() {
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
