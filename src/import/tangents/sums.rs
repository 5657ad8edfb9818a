//! The tangent at a vertex of a group of triangles: the direction in which u grows on each of them, laid into the plane of
//! the normal, summed by the angles of the triangles there. Where two triangles say just the opposite, each corner has the
//! sum of those that do not contradict it.

use glam::{Vec3, Vec4};

use super::{
    groups::Group,
    surface::{Surface, at, unit_or_zero},
};

/// Some groups of a surface, and where their tangents are put: those of their members, one after the other.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub surface: &'a Surface<'a>,
    pub groups: &'a [Group],
    /// Where the members of the first one start.
    pub start: u32,
    pub tangents: &'a mut [Vec4],
}

/// Members whose tangents are found at once: some thousandths of a second's work.
const TOGETHER: usize = 1 << 14;
/// The tangent of a corner that has none.
const NO_TANGENT: Vec4 = Vec4::ZERO;
/// Directions that are nearer than this to one of them are no opposites: twice the angle is less than half a turn.
const NEAR: f32 = 0.8;

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Member {
    triangle: u32,
    is_vague: bool,
    /// The directions of u and v in the plane of the normal.
    along: [Vec3; 2],
}

impl Part<'_> {
    /// Finds the tangents; w is 0 where there is none to be had.
    pub(super) fn find(&mut self) {
        let surface = self.surface;
        let mut start = self.start;
        let mut tangents = &mut *self.tangents;
        let mut members = Vec::new();
        for group in self.groups {
            let range = place(start)..place(group.end);
            start = group.end;
            let triangles = surface.groups.members.get(range).unwrap_or_default();
            let normal = surface.normal(group.vertex);
            members.clear();
            members.extend(triangles.iter().map(|&it| surface.member(it, normal)));
            let Some((own, others)) = tangents.split_at_mut_checked(triangles.len()) else {
                return;
            };
            tangents = others;
            if are_near(&members) {
                own.fill(surface.sum(&members, normal, *group));
            } else {
                surface.sum_each(&members, normal, *group, own);
            }
        }
    }
}

/// Whether all directions are so near to the first ones that no two are opposites.
fn are_near(members: &[Member]) -> bool {
    let mut plain = members.iter().filter(|member| !member.is_vague);
    let Some(first) = plain.next() else {
        return true;
    };
    plain.all(|member| {
        let mut pairs = first.along.into_iter().zip(member.along);
        pairs.all(|(first, other)| first.dot(other) > NEAR)
    })
}

impl<'a> Surface<'a> {
    /// Cuts the work into parts. `tangents` has one for each member of all groups.
    pub(super) fn parts<'p>(&'p self, tangents: &'p mut [Vec4]) -> impl Iterator<Item = Part<'p>> {
        let mut groups = &self.groups.groups[..];
        let mut rest = tangents;
        let mut start = 0;
        std::iter::from_fn(move || {
            let is_last = |group: &Group| place(group.end.saturating_sub(start)) >= TOGETHER;
            let count = groups.iter().position(is_last).unwrap_or(groups.len());
            let (own, others) = groups.split_at(count.saturating_add(1).min(groups.len()));
            groups = others;
            let end = own.last()?.end;
            let length = place(end.saturating_sub(start));
            let (tangents, others) = std::mem::take(&mut rest).split_at_mut_checked(length)?;
            rest = others;
            let part = Part {
                surface: self,
                groups: own,
                start,
                tangents,
            };
            start = end;
            Some(part)
        })
    }
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
impl Surface<'_> {
    fn member(&self, triangle: u32, normal: Vec3) -> Member {
        let facet = self.facets.get(place(triangle));
        let along = facet.map_or([Vec3::ZERO; 2], |facet| facet.along);
        Member {
            triangle,
            is_vague: facet.is_none_or(|facet| facet.is_vague),
            along: along.map(|direction| in_plane(direction, normal)),
        }
    }

    /// The tangent that all members have.
    fn sum(&self, members: &[Member], normal: Vec3, group: Group) -> Vec4 {
        let mut sum = Vec3::ZERO;
        for member in members.iter().filter(|member| !member.is_vague) {
            let [a, b, c] = at(&self.corners, member.triangle);
            let [vertex, next, last] = if a == group.vertex {
                [a, b, c]
            } else if b == group.vertex {
                [b, c, a]
            } else {
                [c, a, b]
            };
            let vertex = self.position(vertex);
            let edges = [next, last].map(|other| in_plane(self.position(other) - vertex, normal));
            let cosine = edges[0].dot(edges[1]).clamp(-1.0, 1.0);
            // In double precision, as the reference does.
            let angle = f64::from(cosine).acos() as f32;
            sum += member.along[0] * angle;
        }
        let sign = if group.is_upright { 1.0 } else { -1.0 };
        let tangent = unit_or_zero(sum).try_normalize();
        tangent.map_or(NO_TANGENT, |tangent| tangent.extend(sign))
    }

    /// The tangent of each member, where some may contradict each other.
    fn sum_each(&self, members: &[Member], normal: Vec3, group: Group, tangents: &mut [Vec4]) {
        let go_together = |a: &Member, b: &Member| {
            let mut pairs = a.along.into_iter().zip(b.along);
            a.is_vague
                || b.is_vague
                || a.triangle == b.triangle
                || pairs.all(|(a, b)| a.dot(b) > -1.0)
        };
        // Most have the same company as the one before them.
        let (mut company, mut before) = (Vec::new(), Vec::new());
        let mut tangent = NO_TANGENT;
        for (member, slot) in members.iter().zip(tangents) {
            company.clear();
            let others = members.iter().filter(|other| go_together(member, other));
            company.extend(others.copied());
            if company != before {
                tangent = self.sum(&company, normal, group);
                std::mem::swap(&mut company, &mut before);
            }
            *slot = tangent;
        }
    }
}

/// The direction of a vector in the plane of a normal; zero if there is none.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn in_plane(vector: Vec3, normal: Vec3) -> Vec3 {
    unit_or_zero(vector - normal * normal.dot(vector))
}

fn place(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
