//! Triangles that share a vertex, and whose tangents there are found together: those that follow one another over edges,
//! with the texture lying on all of them the same way round.

use super::{
    surface::{Facet, at},
    weld::counters,
};

/// No corner, no group.
pub(super) const NONE: u32 = u32::MAX;

/// All groups, each with its members back to back.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub groups: Vec<Group>,
    /// Triangles; those of a group in rising order.
    pub members: Vec<u32>,
    /// In which group each corner of each triangle is.
    pub group_of: Vec<[u32; 3]>,
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
            groups: Vec::with_capacity(count),
            members: Vec::with_capacity(corners.len().saturating_mul(3)),
            group_of: vec![[NONE; 3]; corners.len()],
        };
        let mut open = Vec::new();
        for (triangle, vertices) in (0_u32..).zip(corners) {
            let place = usize::try_from(triangle).unwrap_or(usize::MAX);
            let facet = facets.get(place).copied();
            let Some(facet) = facet.filter(|facet| !facet.is_vague) else {
                continue;
            };
            for (corner, &vertex) in vertices.iter().enumerate() {
                if at(&this.group_of, triangle).get(corner) != Some(&NONE) {
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
                this.close(group, start);
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
        let groups = self.group_of.get(place)?;
        if groups.get(corner) != Some(&NONE) {
            return None;
        }
        let facet = facets.get_mut(place)?;
        if facet.is_vague && *groups == [NONE; 3] {
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
        let place = usize::try_from(triangle).unwrap_or(usize::MAX);
        let slot = self.group_of.get_mut(place);
        if let Some(slot) = slot.and_then(|corners| corners.get_mut(corner)) {
            *slot = u32::try_from(self.groups.len()).unwrap_or(NONE);
        }
        self.members.push(triangle);
    }

    /// Ends a group whose members start there. They are put in order, since sums of floats depend on it.
    fn close(&mut self, group: Group, start: usize) {
        let members = self.members.get_mut(start..).unwrap_or_default();
        if !members.is_sorted() {
            members.sort_unstable();
        }
        let end = u32::try_from(self.members.len()).unwrap_or(NONE);
        self.groups.push(Group { end, ..group });
    }
}

/// An edge of a triangle, at the lesser of its vertices.
#[derive(Debug, Clone, Copy, Default)]
struct Edge {
    /// Twice the greater one, and 1 more if it goes from there to the lesser: the same edge in the other direction has but the
    /// last bit different. There are not half as many vertices as the number may be.
    far: u32,
    /// The corner of all triangles from which it goes to the next.
    corner: u32,
}

/// For each edge of each triangle, the triangle beyond it: the first one after it that goes along the edge the other way and
/// has no neighbour there yet.
fn neighbours(count: usize, corners: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let edges_of = |triangle: &[u32; 3]| {
        let [a, b, c] = *triangle;
        [(a, b), (b, c), (c, a)]
    };
    // Sorted by counting: where the edges of each vertex end, then, filled from the back, where they start.
    let mut starts = counters(count.saturating_add(1));
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
    let last = u32::try_from(edges.len()).unwrap_or(NONE);
    let mut corner = last;
    for vertices in corners.iter().rev() {
        // The last edge of a triangle first, as all goes from the back.
        for (from, to) in edges_of(vertices).into_iter().rev() {
            corner = corner.saturating_sub(1);
            let place = usize::try_from(from.min(to)).unwrap_or(usize::MAX);
            let Some(start) = starts.get_mut(place) else {
                continue;
            };
            *start = start.saturating_sub(1);
            let slot = usize::try_from(*start).ok();
            if let Some(slot) = slot.and_then(|slot| edges.get_mut(slot)) {
                let far = from.max(to).wrapping_shl(1) | u32::from(from > to);
                *slot = Edge { far, corner };
            }
        }
    }
    let mut neighbours = vec![[NONE; 3]; corners.len()];
    let beyond = neighbours.as_flattened_mut();
    let mut edges = &edges[..];
    for [start, end] in starts.array_windows() {
        let count = usize::try_from(end.saturating_sub(*start)).unwrap_or(usize::MAX);
        let Some((mut own, others)) = edges.split_at_checked(count) else {
            break;
        };
        edges = others;
        while let Some((edge, rest)) = own.split_first() {
            own = rest;
            if at(beyond, edge.corner) != NONE {
                continue;
            }
            let is_beyond =
                |other: &&Edge| other.far ^ edge.far == 1 && at(beyond, other.corner) == NONE;
            if let Some(&other) = rest.iter().find(is_beyond) {
                set(beyond, *edge, other);
                set(beyond, other, *edge);
            }
        }
    }
    neighbours
}

/// Beyond an edge is the triangle of another.
fn set(beyond: &mut [u32], edge: Edge, other: Edge) {
    let place = usize::try_from(edge.corner).unwrap_or(usize::MAX);
    if let Some(slot) = beyond.get_mut(place) {
        *slot = other.corner / 3;
    }
}
