//! Misplaced weights: vertices that follow a joint far away instead of the one that they lie around.
//!
//! Where the weights of a limb were given to another joint, or joints were counted otherwise, all of a limb moves with what is
//! elsewhere. Its vertices lie several times nearer to the bones of a joint that moves hardly any of what is around it. What
//! hangs on a joint may follow it instead, as do cases of joints without weights; ears that follow a head and the blade in a
//! hand are less than bones away. So may a piece of its own, of which neither that joint nor its neighbours move anything: a
//! veil, or a sword beside a leg. Nor is it far what a joint moves hardly farther away than all the rest: the one joint of a
//! body, which moves its shoulders.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::Vec3;

use super::{Bones, meshes_of_skins, pieces::Pieces};
use crate::model::{Aabb, Influences, Model, NodeId, Primitive, Skin};

/// Vertices follow a joint if that moves them by more.
const FOLLOWS: f32 = 0.5;
/// Vertices of a skin that are looked at, at most and at least.
const MAX_SAMPLES: usize = 4096;
const MIN_SAMPLES: usize = 256;
/// Distances between vertices and joints that are measured for all skins of a model together.
const MAX_DISTANCES: usize = 1 << 24;
/// Fewer of the vertices that are looked at are a matter of stray weights.
const LEAST: usize = 10;
/// How many times nearer they lie to another joint than to their own.
const NEARER: f32 = 2.2;
/// So many lengths of their own joint's longest bone the nearest of them is away from it,
const BONES: f32 = 1.5;
/// and so many times as far as the farthest from the other joint.
const APART: f32 = 0.75;
/// How far they are on average, and how long bones are that say anything, as parts of the skin's size.
const FAR: f32 = 0.05;
const SHORT: f32 = 0.01;
/// How many times farther they are, on average, from their own joint than what that moves around it and its neighbours.
const BEYOND: f32 = 1.5;
/// The part of what lies around a joint that follows another one, at least, and that it or its neighbours move, at most.
const MOST: f32 = 0.45;
const OWN: f32 = 0.5;

/// Vertices that follow other joints than those that they lie around.
#[derive(Debug, Clone, PartialEq)]
pub struct MisplacedWeights {
    /// The skin (index).
    pub skin: usize,
    /// Joints (places in the skin) whose vertices lie elsewhere, each with the joint around which most of them do.
    pub joints: Vec<(usize, NodeId)>,
    /// Joints of the skin that any of the vertices follows that were looked at.
    pub used: usize,
}

impl MisplacedWeights {
    /// What findings about them are called.
    pub const CODE: &'static str = "SKIN_WEIGHTS_MISPLACED";

    /// Those of each skin that has any; none if it was not to go on to the end. Some thousand vertices of each skin are
    /// measured against each of its joints, in the bind pose.
    pub fn find(model: &Model, goes_on: &dyn Fn() -> bool) -> Option<Vec<Self>> {
        let mut found = Vec::new();
        let mut left = MAX_DISTANCES;
        let meshes_of = meshes_of_skins(model);
        let mut skins_left = meshes_of.len();
        for (index, meshes) in meshes_of {
            if !goes_on() {
                return None;
            }
            let Some(skin) = model.skins.get(index) else {
                continue;
            };
            // Each of those that are left may take as much; what it does not take is for the others.
            let share = left / skins_left.max(1);
            skins_left = skins_left.saturating_sub(1);
            let joints = skin.joints.len().max(1);
            let most = (share / joints).clamp(MIN_SAMPLES, MAX_SAMPLES);
            if most * joints > left {
                continue;
            }
            let samples = Samples::of(model, skin, &meshes, most);
            left -= samples.vertices.len() * skin.joints.len();
            let joints = samples.misplaced(&Bones::new(model, skin), goes_on)?;
            if !joints.is_empty() {
                found.push(Self {
                    skin: index,
                    joints: joints
                        .into_iter()
                        .map(|(joint, around)| {
                            (usize::from(joint), skin.joints[usize::from(around)])
                        })
                        .collect(),
                    used: samples.used.len(),
                });
            }
        }
        Some(found)
    }
}

/// Vertices of a skin, evenly chosen among all of its meshes.
struct Samples<'m> {
    primitives: Vec<(&'m Primitive, &'m Influences)>,
    vertices: Vec<Sample>,
    used: HashSet<u16>,
    /// The diagonal of their box.
    size: f32,
}

/// A vertex.
struct Sample {
    /// Its number among those of all primitives.
    number: usize,
    /// The joint that it follows.
    joint: u16,
    position: Vec3,
}

/// Vertices that follow one joint and lie around another.
#[derive(Default)]
struct Group {
    /// By their numbers.
    vertices: Vec<usize>,
    /// Sums of distances from their own joint's bones and from those of the other.
    own: f32,
    other: f32,
    nearest_to_own: f32,
    farthest_from_other: f32,
}

/// What a joint moves around its own bones and those of its neighbours.
#[derive(Default)]
struct Home {
    vertices: usize,
    /// The sum of distances from its bones.
    distance: f32,
}

impl<'m> Samples<'m> {
    fn of(model: &'m Model, skin: &Skin, meshes: &[usize], most: usize) -> Self {
        let primitives = meshes
            .iter()
            .flat_map(|&mesh| &model.meshes[mesh].primitives);
        let with_joints = primitives.filter_map(|primitive| {
            let influences = primitive.influences.as_ref()?;
            Some((primitive, influences))
        });
        let primitives: Vec<_> = with_joints.collect();
        let count = |primitive: &Primitive| primitive.vertices.positions.len();
        let all = primitives.iter().map(|(primitive, _)| count(primitive));
        let step = all.sum::<usize>().div_ceil(most).max(1);
        let mut vertices = Vec::new();
        let (mut start, mut next) = (0, 0);
        for (primitive, influences) in &primitives {
            let positions = &primitive.vertices.positions;
            while let Some(position) = positions.get(next) {
                let own = next * influences.per_vertex..(next + 1) * influences.per_vertex;
                let joints = influences.joints[own.clone()].iter();
                let weights = influences.weights[own].iter();
                let strongest = joints
                    .zip(weights)
                    .max_by(|(_, a), (_, b)| a.total_cmp(b))
                    .filter(|(_, weight)| **weight > FOLLOWS);
                if let Some((&joint, _)) = strongest
                    && usize::from(joint) < skin.joints.len()
                {
                    vertices.push(Sample {
                        number: start + next,
                        joint,
                        position: *position,
                    });
                }
                next += step;
            }
            next -= positions.len();
            start += positions.len();
        }
        let bounds = Aabb::of_points(vertices.iter().map(|it| it.position));
        Self {
            used: vertices.iter().map(|it| it.joint).collect(),
            size: bounds.diagonal(),
            vertices,
            primitives,
        }
    }

    /// Joints whose vertices lie around others, each with that around which most of them do.
    fn misplaced(&self, bones: &Bones, goes_on: &dyn Fn() -> bool) -> Option<Vec<(u16, u16)>> {
        let all = 0..bones.count();
        // Controls stand wherever they like.
        let is_bone = |joint: &u16| {
            self.used.contains(joint) || bones.above(*joint).any(|above| self.used.contains(&above))
        };
        let candidates: Vec<u16> = all.filter(is_bone).collect();
        let mut groups: BTreeMap<(u16, u16), Group> = BTreeMap::new();
        // Vertices around each joint, and those among them that it or a neighbour moves.
        let mut around: HashMap<u16, (usize, usize)> = HashMap::new();
        let mut homes: HashMap<u16, Home> = HashMap::new();
        for sample in &self.vertices {
            let (own, position) = (sample.joint, sample.position);
            if !goes_on() {
                return None;
            }
            let distances = candidates
                .iter()
                .map(|&joint| (joint, bones.distance(joint, position)));
            let Some((other, to_other)) = distances.min_by(|a, b| a.1.total_cmp(&b.1)) else {
                continue;
            };
            let (all, near) = around.entry(other).or_default();
            *all += 1;
            let is_near = own == other || bones.are_adjacent(own, other);
            *near += usize::from(is_near);
            let to_own = bones.distance(own, position);
            if is_near {
                let home = homes.entry(own).or_default();
                home.vertices += 1;
                home.distance += to_own;
            }
            if own == other {
                continue;
            }
            let group = groups.entry((own, other)).or_insert(Group {
                nearest_to_own: f32::MAX,
                ..Group::default()
            });
            group.vertices.push(sample.number);
            group.own += to_own;
            group.other += to_other;
            group.nearest_to_own = group.nearest_to_own.min(to_own);
            group.farthest_from_other = group.farthest_from_other.max(to_other);
        }
        let mut most: BTreeMap<u16, (usize, u16)> = BTreeMap::new();
        let mut pieces = None;
        for (&(own, other), group) in &groups {
            let longest = bones.longest(own);
            let (all, near) = around.get(&other).copied().unwrap_or_default();
            let number = group.vertices.len();
            let (count, all, near) = (number as f32, all as f32, near as f32);
            let is_beyond = |home: &Home| {
                home.vertices < LEAST
                    || group.own * home.vertices as f32 >= BEYOND * home.distance * count
            };
            let is_misplaced = number >= LEAST
                && group.own >= NEARER * group.other
                && group.own >= FAR * self.size * count
                && longest >= SHORT * self.size
                && group.nearest_to_own >= BONES * longest
                && group.nearest_to_own >= APART * group.farthest_from_other
                && count >= MOST * all
                && near <= OWN * all
                && homes.get(&own).is_none_or(is_beyond)
                && !bones.is_below(other, own)
                && !bones.is_below(own, other);
            if !is_misplaced {
                continue;
            }
            if pieces.is_none() {
                pieces = Some(Pieces::of(&self.primitives, goes_on)?);
            }
            if let Some(pieces) = &mut pieces
                && is_joined(&group.vertices, other, bones, pieces)
            {
                let known = most.entry(own).or_default();
                *known = (*known).max((number, other));
            }
        }
        let found = most.into_iter().map(|(own, (_, other))| (own, other));
        Some(found.collect())
    }
}

/// Whether most of these vertices are of pieces of which a joint or one of its neighbours moves something.
fn is_joined(vertices: &[usize], joint: u16, bones: &Bones, pieces: &mut Pieces) -> bool {
    let all = 0..bones.count();
    let near = all.filter(|&other| other == joint || bones.are_adjacent(other, joint));
    let near: Vec<u16> = near.collect();
    let mut is_moved: HashMap<usize, bool> = HashMap::new();
    let joined = vertices.iter().filter(|vertex| {
        let piece = pieces.piece(**vertex);
        let known = is_moved.entry(piece);
        *known.or_insert_with(|| near.iter().any(|&other| pieces.is_moved(piece, other)))
    });
    2 * joined.count() > vertices.len()
}
