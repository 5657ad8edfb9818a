//! Stray weights: vertices that follow a joint far away, which moves nothing around them.
//!
//! What a joint moves of a surface hangs together, as a rule, and lies near its bone. A small patch of the surface apart
//! from all that the joint moves elsewhere, farther from the bone than any of that, and nearer to the bones that move what
//! is around it, was bound by mistake: a face to a foot, a ring finger to the middle finger. It tears as soon as they move.
//! What is a piece of its own, with no other surface around it, may follow whatever it likes.

mod bones;
mod misplaced;
mod pieces;

use std::collections::{BTreeMap, HashMap};

use crate::model::{Influences, Mesh, Model, NodeId, Primitive, Topology};

use bones::Bones;
pub use misplaced::MisplacedWeights;

/// Lesser weights are not looked at: they are what smoothing leaves, and move little.
const COUNTS: f32 = 0.1;
/// A patch in which no vertex follows the joint more than that is not told.
const LEAST_TOLD: f32 = 0.25;
/// A patch is small if it has at most this part of all vertices that the joint moves.
const SMALL: f32 = 0.2;
/// How many times farther a patch is from its bone, if it is far, than what the joint moves elsewhere is at its farthest.
const BEYOND: f32 = 1.1;
/// How many times nearer the bones of others are than its own, if a patch is nearer to others.
const NEARER: f32 = 1.5;
/// A patch is far if it is so many lengths of the joint's longest bone away, at least.
const FAR_BONES: f32 = 0.25;
/// Weights blend into those of the joint above or below for that long, unless a vertex follows the joint more than the
/// second.
const BLEND_BONES: f32 = 1.0;
const BLEND: f32 = 0.9;
/// Triangles that are looked at without asking whether anybody still wants to know.
const BLOCK: usize = 1 << 16;

/// Vertices of a mesh that follow a joint by mistake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrayWeights {
    /// The mesh (index).
    pub mesh: usize,
    /// The primitive with the first of the vertices, by its place in the file.
    pub primitive: usize,
    /// The first of them, by its number in the file.
    pub first_vertex: u32,
    /// How many they are.
    pub count: usize,
    /// The skin (index) by which they follow it.
    pub skin: usize,
    /// Where among the skin's joints the one is that they follow.
    pub joint: usize,
    /// The greatest of their weights for it.
    pub weight: f32,
    /// A joint that what is around them follows.
    pub around: NodeId,
}

impl StrayWeights {
    /// What findings about them are called.
    pub const CODE: &'static str = "SKIN_STRAY_WEIGHTS";

    /// All of a model, one for each mesh and joint, by meshes and then by joints; none if it was not to go on to the end.
    /// It visits every vertex and every edge once: of several skins of a mesh the first counts.
    pub fn find(model: &Model, goes_on: &dyn Fn() -> bool) -> Option<Vec<Self>> {
        let mut found = Vec::new();
        for (index, meshes) in meshes_of_skins(model) {
            let Some(skin) = model.skins.get(index) else {
                continue;
            };
            let bones = Bones::new(model, skin);
            let mut patches = Vec::new();
            for mesh in meshes {
                let of_mesh = Surface::new(&model.meshes[mesh]).patches(&bones, goes_on)?;
                patches.extend(of_mesh.into_iter().map(|patch| (mesh, patch)));
            }
            found.extend(strays(model, index, &bones, &patches));
        }
        found.sort_by_key(|stray: &Self| (stray.mesh, stray.joint));
        Some(found)
    }
}

/// The meshes of each skin that has any: of several skins of a mesh the first counts.
fn meshes_of_skins(model: &Model) -> BTreeMap<usize, Vec<usize>> {
    let mut is_seen = vec![false; model.meshes.len()];
    let mut meshes_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for node in model.hierarchy.nodes() {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin)
            && let Some(is_seen) = is_seen.get_mut(mesh)
            && !std::mem::replace(is_seen, true)
        {
            meshes_of.entry(skin).or_default().push(mesh);
        }
    }
    meshes_of
}

/// The vertices of all primitives of a mesh that have joints, and which of their influences hang together.
struct Surface<'m> {
    parts: Vec<Part<'m>>,
    /// For each influence another one of the same joint that it hangs together with, or itself.
    together: Vec<u32>,
    /// For each influence whose joint does not move all that is next to the vertex: who moves that most.
    around: Vec<Option<u16>>,
}

/// A primitive.
#[derive(Clone, Copy)]
struct Part<'m> {
    primitive: &'m Primitive,
    influences: &'m Influences,
    /// Where its influences begin among those of the mesh.
    start: usize,
}

/// A vertex of a part.
type Corner = (usize, u32);

/// Part of a surface that hangs together and follows a joint.
#[derive(Debug, Clone)]
struct Patch {
    joint: u16,
    count: usize,
    /// The greatest weight.
    weight: f32,
    /// The least distance between its vertices and the joint's bone.
    nearest: f32,
    farthest: f32,
    /// Who moves what is around, and how far their bone is from the patch: of several the nearest.
    around: Option<(u16, f32)>,
    primitive: usize,
    first_vertex: u32,
}

impl<'m> Surface<'m> {
    fn new(mesh: &'m Mesh) -> Self {
        let mut parts = Vec::new();
        let mut start = 0;
        for primitive in &mesh.primitives {
            let is_surface = primitive.topology == Topology::Triangles;
            if let Some(influences) = primitive.influences.as_ref().filter(|_| is_surface) {
                parts.push(Part {
                    primitive,
                    influences,
                    start,
                });
                start += influences.joints.len();
            }
        }
        Self {
            parts,
            together: (0..start as u32).collect(),
            around: vec![None; start],
        }
    }

    /// All patches, in the order of their first vertices.
    fn patches(mut self, bones: &Bones, goes_on: &dyn Fn() -> bool) -> Option<Vec<Patch>> {
        for part in 0..self.parts.len() {
            let triangles = self.parts[part].primitive.indices.triangles();
            for (number, [a, b, c]) in triangles.enumerate() {
                if number.is_multiple_of(BLOCK) && !goes_on() {
                    return None;
                }
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    self.join((part, from), (part, to));
                }
            }
        }
        // Seams of texture coordinates and normals are no edges of the surface.
        let mut first_at = HashMap::new();
        for part in 0..self.parts.len() {
            let positions = &self.parts[part].primitive.vertices.positions;
            for (vertex, position) in (0..).zip(positions) {
                let corner = (part, vertex);
                let place = position.to_array().map(f32::to_bits);
                let first = *first_at.entry(place).or_insert(corner);
                if first != corner {
                    self.join(first, corner);
                }
            }
        }
        goes_on().then(|| self.collect(bones))
    }

    /// Takes note that two vertices are next to one another.
    fn join(&mut self, a: Corner, b: Corner) {
        for (from, to) in [(a, b), (b, a)] {
            for (element, joint, _) in self.influences(from) {
                let mut beside = self.influences(to);
                match beside.find(|&(_, other, _)| other == joint) {
                    Some((other, ..)) => self.unite(element, other),
                    None => self.around[element] = self.strongest(to),
                }
            }
        }
    }

    /// Places, joints and weights of a vertex's influences that count.
    fn influences(&self, (part, vertex): Corner) -> impl Iterator<Item = (usize, u16, f32)> + 'm {
        let Part {
            influences, start, ..
        } = self.parts[part];
        let first = vertex as usize * influences.per_vertex;
        let own = first..first + influences.per_vertex;
        let joints = influences.joints[own.clone()].iter().copied();
        let weights = influences.weights[own].iter().copied();
        let all = (start + first..).zip(joints).zip(weights);
        all.map(|((place, joint), weight)| (place, joint, weight))
            .filter(|(.., weight)| *weight >= COUNTS)
    }

    fn strongest(&self, corner: Corner) -> Option<u16> {
        let all = self.influences(corner);
        all.max_by(|a, b| a.2.total_cmp(&b.2)).map(|it| it.1)
    }

    fn root(&mut self, mut element: usize) -> usize {
        while self.together[element] as usize != element {
            let next = self.together[self.together[element] as usize];
            self.together[element] = next;
            element = next as usize;
        }
        element
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.together[a.max(b)] = a.min(b) as u32;
    }

    fn collect(mut self, bones: &Bones) -> Vec<Patch> {
        let mut patches: Vec<Patch> = Vec::new();
        let mut of_root = HashMap::new();
        for part in 0..self.parts.len() {
            let primitive = self.parts[part].primitive;
            for (vertex, &position) in (0..).zip(&primitive.vertices.positions) {
                for (element, joint, weight) in self.influences((part, vertex)) {
                    let root = self.root(element);
                    let distance = bones.distance(joint, position);
                    let place = *of_root.entry(root).or_insert(patches.len());
                    if place == patches.len() {
                        patches.push(Patch {
                            joint,
                            count: 0,
                            weight: 0.0,
                            nearest: f32::MAX,
                            farthest: 0.0,
                            around: None,
                            primitive: primitive.file_index,
                            first_vertex: primitive.file_vertex(vertex),
                        });
                    }
                    let patch = &mut patches[place];
                    patch.count += 1;
                    patch.weight = patch.weight.max(weight);
                    patch.nearest = patch.nearest.min(distance);
                    patch.farthest = patch.farthest.max(distance);
                    if let Some(other) = self.around[element] {
                        let distance = bones.distance(other, position);
                        if patch.around.is_none_or(|(_, known)| distance < known) {
                            patch.around = Some((other, distance));
                        }
                    }
                }
            }
        }
        patches
    }
}

/// Which patches of the skin of that index, given with their meshes, are there by mistake.
fn strays(
    model: &Model,
    skin: usize,
    bones: &Bones,
    patches: &[(usize, Patch)],
) -> Vec<StrayWeights> {
    let mut counts: HashMap<u16, usize> = HashMap::new();
    for (_, patch) in patches {
        *counts.entry(patch.joint).or_default() += patch.count;
    }
    let is_small = |patch: &Patch| patch.count as f32 <= SMALL * counts[&patch.joint] as f32;
    let mut reach: HashMap<u16, f32> = HashMap::new();
    for (_, patch) in patches.iter().filter(|(_, patch)| !is_small(patch)) {
        let reach = reach.entry(patch.joint).or_default();
        *reach = reach.max(patch.farthest);
    }
    let mut found: HashMap<(usize, u16), StrayWeights> = HashMap::new();
    for (mesh, patch) in patches {
        let (Some((around, to_others)), Some(&reach)) = (patch.around, reach.get(&patch.joint))
        else {
            continue;
        };
        let blends = patch.weight < BLEND && bones.are_adjacent(patch.joint, around);
        let far_bones = if blends { BLEND_BONES } else { FAR_BONES };
        let is_far = patch.nearest > BEYOND * reach
            && patch.nearest > NEARER * to_others
            && patch.nearest > far_bones * bones.longest(patch.joint);
        if !is_small(patch) || patch.weight < LEAST_TOLD || !is_far {
            continue;
        }
        let key = (*mesh, patch.joint);
        let stray = found.entry(key).or_insert(StrayWeights {
            mesh: *mesh,
            primitive: patch.primitive,
            first_vertex: patch.first_vertex,
            count: 0,
            skin,
            joint: usize::from(patch.joint),
            weight: 0.0,
            around: model.skins[skin].joints[usize::from(around)],
        });
        stray.count += patch.count;
        stray.weight = stray.weight.max(patch.weight);
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests;
