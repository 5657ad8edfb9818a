//! Triangles that share a vertex, and whose tangents there are found together: those that follow one another over edges,
//! with the texture lying on all of them the same way round.

use super::surface::{Facet, at};

/// No triangle, no member.
pub(super) const NONE: u32 = u32::MAX;

/// All groups, each with its members back to back.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub groups: Vec<Group>,
    /// Triangles; those of a group in rising order.
    pub members: Vec<u32>,
    /// Which member each corner of each triangle is.
    pub member_of: Vec<[u32; 3]>,
}

/// The triangles around a vertex that go together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// Where its members end.
    pub end: u32,
    /// The vertex that all of them share.
    pub vertex: u32,
    /// Whether the texture lies on them as it is.
    pub is_upright: bool,
}

impl Groups {
    /// Finds the groups of triangles with these corners. Vague triangles get the orientation of the first group that
    /// reaches them.
    pub(super) fn new(count: usize, corners: &[[u32; 3]], facets: &mut [Facet]) -> Self {
        let neighbours = neighbours(count, corners);
        let mut this = Self {
            groups: Vec::new(),
            members: Vec::with_capacity(corners.len().saturating_mul(3)),
            member_of: vec![[NONE; 3]; corners.len()],
        };
        let mut open = Vec::new();
        for (triangle, vertices) in (0_u32..).zip(corners) {
            let place = usize::try_from(triangle).unwrap_or(usize::MAX);
            let facet = facets.get(place).copied();
            let Some(facet) = facet.filter(|facet| !facet.is_vague) else {
                continue;
            };
            for (corner, &vertex) in vertices.iter().enumerate() {
                if at(&this.member_of, triangle).get(corner) != Some(&NONE) {
                    continue;
                }
                let start = this.members.len();
                let group = Group {
                    end: 0,
                    vertex,
                    // A vague triangle's may have changed since, a plain one's never does.
                    is_upright: facet.is_upright,
                };
                this.take(triangle, corner);
                open.push((triangle, corner));
                while let Some((triangle, corner)) = open.pop() {
                    // The two edges that end in the vertex.
                    for edge in [(corner.saturating_add(2)).rem_euclid(3), corner] {
                        let next = at(&neighbours, triangle).get(edge).copied();
                        let next = next.filter(|&next| next != NONE);
                        let joined = next.and_then(|next| {
                            let corner = this.join(next, group, corners, facets)?;
                            Some((next, corner))
                        });
                        open.extend(joined);
                    }
                }
                this.close(group, start, corners);
            }
        }
        this
    }

    /// Takes a neighbour into a group, and says which of its corners that is; none if it is in a group there already, or its
    /// texture lies the other way round.
    fn join(
        &mut self,
        triangle: u32,
        group: Group,
        corners: &[[u32; 3]],
        facets: &mut [Facet],
    ) -> Option<usize> {
        let vertices = at(corners, triangle);
        let corner = vertices.iter().position(|&it| it == group.vertex)?;
        let place = usize::try_from(triangle).ok()?;
        let members = self.member_of.get(place)?;
        if members.get(corner) != Some(&NONE) {
            return None;
        }
        let facet = facets.get_mut(place)?;
        if facet.is_vague && *members == [NONE; 3] {
            facet.is_upright = group.is_upright;
        }
        if facet.is_upright != group.is_upright {
            return None;
        }
        self.take(triangle, corner);
        Some(corner)
    }

    /// Makes a corner a member of the group that is being gathered.
    fn take(&mut self, triangle: u32, corner: usize) {
        let member = u32::try_from(self.members.len()).unwrap_or(NONE);
        self.set(triangle, corner, member);
        self.members.push(triangle);
    }

    fn set(&mut self, triangle: u32, corner: usize, member: u32) {
        let place = usize::try_from(triangle).unwrap_or(usize::MAX);
        let slot = self.member_of.get_mut(place);
        if let Some(slot) = slot.and_then(|corners| corners.get_mut(corner)) {
            *slot = member;
        }
    }

    /// Ends a group whose members start there. They are put in order, since sums of floats depend on it.
    fn close(&mut self, group: Group, start: usize, corners: &[[u32; 3]]) {
        let members = self.members.get_mut(start..).unwrap_or_default();
        if !members.is_sorted() {
            members.sort_unstable();
            for member in start..self.members.len() {
                let Some(&triangle) = self.members.get(member) else {
                    break;
                };
                let vertices = at(corners, triangle);
                if let Some(corner) = vertices.iter().position(|&it| it == group.vertex) {
                    self.set(triangle, corner, u32::try_from(member).unwrap_or(NONE));
                }
            }
        }
        let end = u32::try_from(self.members.len()).unwrap_or(NONE);
        self.groups.push(Group { end, ..group });
    }
}

/// An edge of a triangle, at the lesser of its vertices.
#[derive(Debug, Clone, Copy, Default)]
struct Edge {
    /// The greater one.
    far: u32,
    triangle: u32,
    /// Which edge of it: from this corner to the next.
    side: u8,
    /// Whether it goes from the lesser vertex to the greater one.
    is_rising: bool,
}

/// For each edge of each triangle, the triangle beyond it: the first one after it that goes along the edge the other way and
/// has no neighbour there yet.
fn neighbours(count: usize, corners: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let edges_of = |triangle: &[u32; 3]| {
        let [a, b, c] = *triangle;
        [(a, b), (b, c), (c, a)]
    };
    // Sorted by counting: where the edges of each vertex end, then, filled from the back, where they start.
    let mut starts = vec![0_u32; count.saturating_add(1)];
    for (from, to) in corners.iter().flat_map(edges_of) {
        let place = usize::try_from(from.min(to)).unwrap_or(usize::MAX);
        if let Some(count) = starts.get_mut(place) {
            *count = count.saturating_add(1);
        }
    }
    let mut sum = 0_u32;
    for count in &mut starts {
        sum = sum.saturating_add(*count);
        *count = sum;
    }
    let mut edges = vec![Edge::default(); corners.len().saturating_mul(3)];
    let last = u32::try_from(corners.len()).unwrap_or(NONE);
    for (triangle, vertices) in (0..last).rev().zip(corners.iter().rev()) {
        for (side, (from, to)) in (0_u8..).zip(edges_of(vertices)) {
            let place = usize::try_from(from.min(to)).unwrap_or(usize::MAX);
            let Some(start) = starts.get_mut(place) else {
                continue;
            };
            *start = start.saturating_sub(1);
            let slot = usize::try_from(*start).ok();
            if let Some(slot) = slot.and_then(|slot| edges.get_mut(slot)) {
                *slot = Edge {
                    far: from.max(to),
                    triangle,
                    side,
                    is_rising: from < to,
                };
            }
        }
    }
    let mut neighbours = vec![[NONE; 3]; corners.len()];
    let mut edges = &edges[..];
    for [start, end] in starts.array_windows() {
        let count = usize::try_from(end.saturating_sub(*start)).unwrap_or(usize::MAX);
        let Some((mut own, others)) = edges.split_at_checked(count) else {
            break;
        };
        edges = others;
        while let Some((edge, rest)) = own.split_first() {
            own = rest;
            if get(&neighbours, *edge) != NONE {
                continue;
            }
            let is_beyond = |other: &&Edge| {
                other.far == edge.far
                    && other.is_rising != edge.is_rising
                    && get(&neighbours, **other) == NONE
            };
            if let Some(&other) = rest.iter().find(is_beyond) {
                set(&mut neighbours, *edge, other.triangle);
                set(&mut neighbours, other, edge.triangle);
            }
        }
    }
    neighbours
}

fn get(neighbours: &[[u32; 3]], edge: Edge) -> u32 {
    let sides = at(neighbours, edge.triangle);
    sides.get(usize::from(edge.side)).copied().unwrap_or(NONE)
}

fn set(neighbours: &mut [[u32; 3]], edge: Edge, other: u32) {
    let place = usize::try_from(edge.triangle).unwrap_or(usize::MAX);
    let sides = neighbours.get_mut(place);
    if let Some(slot) = sides.and_then(|sides| sides.get_mut(usize::from(edge.side))) {
        *slot = other;
    }
}
