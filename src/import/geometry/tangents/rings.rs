//! The corners that meet in each vertex, and which of them go together there: those of triangles that follow one another
//! over edges, with the texture lying on all of them the same way round.

use super::{
    sorted::Sorted,
    surface::{Facets, at, place},
};
use crate::import::base::{diagnostics::Fault, hashing::HashMap};

/// No vertex, no corner, no group.
pub(super) const NONE: u32 = u32::MAX;

/// Corners in one vertex.
const MAX_CORNERS: u32 = 2048;
/// Pairs of corners that are compared in any case, in one primitive and in all, and more for each corner.
const FREE_PAIRS: u64 = 4_000_000;
const ALL_FREE_PAIRS: u64 = 256_000_000;
const PAIRS_PER_CORNER: u64 = 32;

/// How many pairs of corners are compared in each of so many primitives in any case.
pub(super) fn free_pairs(primitives: usize) -> u64 {
    let primitives = u64::try_from(primitives).unwrap_or(u64::MAX);
    let own = ALL_FREE_PAIRS.checked_div(primitives);
    own.unwrap_or(FREE_PAIRS).min(FREE_PAIRS)
}

/// For each vertex the corners there, in rising order. The corners of a triangle have the numbers 3 × triangle and the next
/// two.
pub(super) type Rings = Sorted;

/// The rings of so many vertices, by those of each triangle, which are `NONE` where it has no corners. An error if the work
/// would be out of all proportion, since all corners that meet in a vertex are compared with each other: so many pairs in
/// any case.
pub(super) fn rings(count: usize, corners: &[[u32; 3]], free_pairs: u64) -> Result<Rings, Fault> {
    let rings = Sorted::new(count, corners.as_flattened().iter().copied());
    let (mut most, mut total, mut pairs) = (0, 0_u64, 0_u64);
    for count in rings.counts() {
        most = most.max(count);
        let count = u64::from(count);
        total = total.saturating_add(count);
        pairs = pairs.saturating_add(count.saturating_mul(count));
    }
    let allowed = total.saturating_mul(PAIRS_PER_CORNER);
    if most > MAX_CORNERS || pairs > allowed.saturating_add(free_pairs) {
        let message =
            format!("too many triangles meet in vertices for tangents: up to {most} in one");
        return Err(Fault::info("TANGENTS_NOT_COMPUTED", message));
    }
    Ok(rings)
}

/// A corner at a vertex, and what is on both sides of it.
#[derive(Debug, Clone, Copy)]
struct Spoke {
    corner: u32,
    /// The vertices where the edges end that start here, and start that end here.
    next: u32,
    last: u32,
    /// Which spokes are beyond these edges.
    after: u32,
    before: u32,
}

/// The corners at one vertex.
#[derive(Debug, Default)]
pub(super) struct Ring {
    spokes: Vec<Spoke>,
    has_group: Vec<bool>,
    /// The members of the latest group.
    members: Vec<u32>,
}

impl Ring {
    /// Goes to a vertex. Beyond an edge of a triangle is the first triangle after it that goes along it the other way and
    /// has no neighbour there yet.
    pub(super) fn go_to(&mut self, vertex: u32, rings: &Rings, corners: &[[u32; 3]]) {
        let spoke = |&corner: &u32| {
            let [a, b, c] = at(corners, corner / 3);
            let (next, last) = match corner % 3 {
                0 => (b, c),
                1 => (c, a),
                _ => (a, b),
            };
            Spoke {
                corner,
                next,
                last,
                after: NONE,
                before: NONE,
            }
        };
        self.spokes.clear();
        self.spokes.extend(rings.of(vertex).iter().map(spoke));
        let mut rest = &mut self.spokes[..];
        let mut own_place = 0_u32;
        while let Some((own, others)) = rest.split_first_mut() {
            let first = own_place.saturating_add(1);
            if own.after == NONE {
                let mut beyond = (first..).zip(&mut *others);
                let found = beyond.find(|(_, it)| it.last == own.next && it.before == NONE);
                if let Some((place, other)) = found {
                    (own.after, other.before) = (place, own_place);
                }
            }
            if own.before == NONE {
                let mut beyond = (first..).zip(&mut *others);
                let found = beyond.find(|(_, it)| it.next == own.last && it.after == NONE);
                if let Some((place, other)) = found {
                    (own.before, other.after) = (place, own_place);
                }
            }
            (rest, own_place) = (others, first);
        }
        self.has_group.clear();
        self.has_group.resize(self.spokes.len(), false);
    }

    /// Its corners.
    pub(super) fn corners(&self) -> impl Iterator<Item = u32> {
        self.spokes.iter().map(|spoke| spoke.corner)
    }

    /// Finds all groups. Calls `each` with whether the texture lies as it is on the members of one, and with their places
    /// among the corners, in rising order.
    pub(super) fn find_groups(&mut self, facets: &Facets, mut each: impl FnMut(bool, &[u32])) {
        let count = u32::try_from(self.spokes.len()).unwrap_or(NONE);
        for seed in 0..count {
            let is_free = self.has_group.get(place(seed)) == Some(&false);
            let spoke = self.spokes.get(place(seed)).filter(|_| is_free);
            let triangle = spoke.map(|spoke| spoke.corner / 3);
            let Some(triangle) = triangle.filter(|&triangle| !facets.is_vague(triangle)) else {
                continue;
            };
            let is_upright = facets.is_upright(triangle);
            self.flood(seed, |triangle| facets.is_upright(triangle) == is_upright);
            self.members.sort_unstable();
            each(is_upright, &self.members);
        }
    }

    /// Makes a group of a spoke, and of all those that follow it on both sides and are of the same kind.
    fn flood(&mut self, seed: u32, mut is_same: impl FnMut(u32) -> bool) {
        self.members.clear();
        self.take(seed);
        let mut done = 0_usize;
        while let Some(&member) = self.members.get(done) {
            done = done.saturating_add(1);
            let Some(&Spoke { after, before, .. }) = self.spokes.get(place(member)) else {
                continue;
            };
            for next in [before, after] {
                let is_free = self.has_group.get(place(next)) == Some(&false);
                let beyond = self.spokes.get(place(next)).filter(|_| is_free);
                if beyond.is_some_and(|spoke| is_same(spoke.corner / 3)) {
                    self.take(next);
                }
            }
        }
    }

    fn take(&mut self, spoke: u32) {
        mark(&mut self.has_group, spoke);
        self.members.push(spoke);
    }
}

/// Gives vague triangles the orientation of the first group that reaches them: triangle by triangle, and corner by corner.
pub(super) fn settle(rings: &Rings, corners: &[[u32; 3]], facets: &mut Facets) {
    /// Rings of more corners are kept: to make them takes long, and they may have as many groups.
    const MANY: usize = 12;
    let vague = (0..).zip(corners).filter(|&(it, _)| facets.is_vague(it));
    let near = vague.flat_map(|(_, vertices)| vertices);
    let Some(last) = near.clone().max() else {
        return;
    };
    let mut is_near_vague = vec![false; place(*last).saturating_add(1)];
    for &vertex in near {
        mark(&mut is_near_vague, vertex);
    }
    let (mut has_group, mut is_settled) = (
        vec![false; corners.as_flattened().len()],
        vec![false; corners.len()],
    );
    let (mut small, mut large) = (Ring::default(), HashMap::<u32, Ring>::default());
    for (corner, &vertex) in (0_u32..).zip(corners.as_flattened()) {
        let triangle = corner / 3;
        if !at(&is_near_vague, vertex) || at(&has_group, corner) || facets.is_vague(triangle) {
            continue;
        }
        let own = rings.of(vertex);
        let ring = if own.len() > MANY {
            large.entry(vertex).or_default()
        } else {
            small.spokes.clear();
            &mut small
        };
        if ring.spokes.is_empty() {
            ring.go_to(vertex, rings, corners);
        }
        // Members of other groups are not of the same kind, or this corner would be one of them.
        let seed = own.partition_point(|&other| other < corner);
        let is_upright = facets.is_upright(triangle);
        ring.flood(u32::try_from(seed).unwrap_or(NONE), |triangle| {
            if facets.is_vague(triangle) && !at(&is_settled, triangle) {
                mark(&mut is_settled, triangle);
                facets.set_upright(triangle, is_upright);
            }
            facets.is_upright(triangle) == is_upright
        });
        for &member in &ring.members {
            if let Some(&corner) = own.get(place(member)) {
                mark(&mut has_group, corner);
            }
        }
    }
}

fn mark(marks: &mut [bool], index: u32) {
    if let Some(mark) = marks.get_mut(place(index)) {
        *mark = true;
    }
}
