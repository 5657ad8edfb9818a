//! The tangent at a vertex of a group of triangles: the direction in which u grows on each of them, laid into the plane of
//! the normal, summed by the angles of the triangles there. Where two triangles say just the opposite, each corner has the
//! sum of those that do not contradict it.

use std::ops::Range;

use fearless_simd::Level;
use glam::{Vec3, Vec4};

use super::{
    corners::{Corner, Seen, see},
    rings::Ring,
    surface::{Surface, at, normalized_as_reference, place},
};

/// Corners that are looked at together, at least: few enough that they are still near when they are summed.
const AT_ONCE: usize = 256;
/// The tangent of a corner that has none.
const NO_TANGENT: Vec4 = Vec4::ZERO;
/// Directions that are nearer than this to one of them are no opposites: twice the angle is less than half a turn.
const NEAR: f32 = 0.8;

/// Calls `give` for each of some vertices with all corners there, in rising order, and their tangents, of which w is 0 where
/// there is none to be had.
pub(super) fn find(
    surface: &Surface<'_>,
    vertices: Range<u32>,
    mut give: impl FnMut(&[(u32, Vec4)]),
) {
    let mut batch = Batch {
        level: Level::new(),
        ring: Ring::default(),
        places: Vec::new(),
        groups: Vec::new(),
        ends: Vec::new(),
        tangents: Vec::new(),
        corners: Vec::new(),
        seen: Vec::new(),
        members: Vec::new(),
    };
    let last = vertices.end.saturating_sub(1);
    for vertex in vertices {
        batch.add(surface, vertex);
        if batch.places.len() >= AT_ONCE || vertex == last {
            batch.finish(surface, &mut give);
        }
    }
}

/// The triangles around a vertex that go together.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Where its members end.
    end: usize,
    /// The vertex that all of them share.
    vertex: u32,
    /// Whether the texture lies on them as it is.
    is_upright: bool,
}

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Member {
    triangle: u32,
    is_vague: bool,
    seen: Seen,
}

/// Some vertices that are looked at together.
struct Batch {
    level: Level,
    ring: Ring,
    /// All corners with their tangents, those of a vertex one after the other, and where those of each vertex end.
    tangents: Vec<(u32, Vec4)>,
    ends: Vec<usize>,
    groups: Vec<Group>,
    /// Where the corners of members are among all, those of a group one after the other.
    places: Vec<usize>,
    /// The corners of all members, what they say, and both with what else counts.
    corners: Vec<Corner>,
    seen: Vec<Seen>,
    members: Vec<Member>,
}

impl Batch {
    /// Adds a vertex.
    fn add(&mut self, surface: &Surface<'_>, vertex: u32) {
        let Self {
            ring,
            places,
            groups,
            tangents,
            ..
        } = self;
        ring.go_to(vertex, &surface.rings, &surface.corners);
        let start = tangents.len();
        ring.find_groups(&surface.facets, |is_upright, members| {
            let members = members.iter().map(|&member| place(member));
            places.extend(members.map(|member| start.saturating_add(member)));
            groups.push(Group {
                end: places.len(),
                vertex,
                is_upright,
            });
        });
        tangents.extend(ring.corners().map(|corner| (corner, NO_TANGENT)));
        self.ends.push(tangents.len());
    }

    /// Finds the tangents, and begins anew.
    fn finish(&mut self, surface: &Surface<'_>, give: &mut impl FnMut(&[(u32, Vec4)])) {
        self.look(surface);
        let mut start = 0;
        for group in &self.groups {
            let range = start..group.end;
            start = group.end;
            let members = self.members.get(range.clone()).unwrap_or_default();
            let places = self.places.get(range).unwrap_or_default();
            let mut put = |place: usize, tangent| {
                if let Some((_, slot)) = self.tangents.get_mut(place) {
                    *slot = tangent;
                }
            };
            if are_near(members) {
                let tangent = sum(members.iter(), *group);
                places.iter().for_each(|&place| put(place, tangent));
            } else {
                let tangents = sum_each(members, *group);
                let tangents = places.iter().zip(tangents);
                tangents.for_each(|(&place, tangent)| put(place, tangent));
            }
        }
        let mut start = 0;
        for &end in &self.ends {
            give(self.tangents.get(start..end).unwrap_or_default());
            start = end;
        }
        self.places.clear();
        self.groups.clear();
        self.tangents.clear();
        self.ends.clear();
    }

    /// Looks at all members at once.
    fn look(&mut self, surface: &Surface<'_>) {
        self.corners.clear();
        let corner_of = |place: &usize| self.tangents.get(*place).map_or(0, |(corner, _)| *corner);
        let mut places = &self.places[..];
        let mut start = 0;
        for group in &self.groups {
            let count = group.end.saturating_sub(start);
            start = group.end;
            let Some((own, others)) = places.split_at_checked(count) else {
                break;
            };
            places = others;
            let (position, normal) = (surface.position(group.vertex), surface.normal(group.vertex));
            for place in own {
                let corner = surface.corner(corner_of(place), position, normal);
                self.corners.push(corner);
            }
        }
        self.seen.clear();
        see(self.level, &self.corners, &mut self.seen);
        self.members.clear();
        let seen = self.places.iter().zip(&self.seen);
        let members = seen.map(|(place, &seen)| {
            let triangle = corner_of(place) / 3;
            Member {
                triangle,
                is_vague: surface.facets.is_vague(triangle),
                seen,
            }
        });
        self.members.extend(members);
    }
}

/// Whether all directions are so near to the first ones that no two are opposites.
fn are_near(members: &[Member]) -> bool {
    let mut plain = members.iter().filter(|member| !member.is_vague);
    let Some(first) = plain.next() else {
        return true;
    };
    plain.all(|member| {
        let mut pairs = first.seen.along.into_iter().zip(member.seen.along);
        pairs.all(|(first, other)| first.dot(other) > NEAR)
    })
}

/// The tangent that members have together.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn sum<'m>(members: impl Iterator<Item = &'m Member>, group: Group) -> Vec4 {
    let mut sum = Vec3::ZERO;
    for member in members.filter(|member| !member.is_vague) {
        let [along, _] = member.seen.along;
        sum += along * member.seen.angle;
    }
    let sign = if group.is_upright { 1.0 } else { -1.0 };
    let tangent = normalized_as_reference(sum).try_normalize();
    tangent.map_or(NO_TANGENT, |tangent| tangent.extend(sign))
}

/// The tangent of each member, where some may contradict each other.
fn sum_each(members: &[Member], group: Group) -> impl Iterator<Item = Vec4> {
    let go_together = |a: &Member, b: &Member| {
        let mut pairs = a.seen.along.into_iter().zip(b.seen.along);
        a.is_vague || b.is_vague || a.triangle == b.triangle || pairs.all(|(a, b)| a.dot(b) > -1.0)
    };
    // Most have the same company as the one before them.
    let (mut company, mut before) = (Vec::new(), Vec::new());
    let mut tangent = NO_TANGENT;
    members.iter().map(move |member| {
        company.clear();
        company.extend(members.iter().map(|other| go_together(member, other)));
        if company != before {
            let company = members.iter().zip(&company).filter(|(_, is_in)| **is_in);
            tangent = sum(company.map(|(other, _)| other), group);
        }
        std::mem::swap(&mut company, &mut before);
        tangent
    })
}

impl Surface<'_> {
    /// A corner, at this position.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "floats do not overflow into anything worse than infinity"
    )]
    fn corner(&self, corner: u32, position: Vec3, normal: Vec3) -> Corner {
        let [a, b, c] = at(&self.corners, corner / 3);
        let others = match corner % 3 {
            0 => [b, c],
            1 => [c, a],
            _ => [a, b],
        };
        Corner {
            normal,
            along: self.facets.along(corner / 3),
            edges: others.map(|other| self.position(other) - position),
        }
    }
}
