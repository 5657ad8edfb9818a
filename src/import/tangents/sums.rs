//! The tangent at a vertex of a group of triangles: the direction in which u grows on each of them, laid into the plane of
//! the normal, summed by the angles of the triangles there. Where two triangles say just the opposite, each corner has the
//! sum of those that do not contradict it.

use std::sync::{Mutex, PoisonError};

use fearless_simd::Level;
use glam::{Vec3, Vec4};

use super::{
    corners::{Corner, Corners, Seen},
    groups::{Group, NONE},
    surface::{Surface, at, unit_or_zero},
};
use crate::import::progress::Cancelled;

/// Some groups of a surface, and where their tangents are put.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub surface: &'a Surface<'a>,
    pub groups: &'a [Group],
    /// Which group the first one is, and where its members start.
    pub first: u32,
    pub start: u32,
    pub tangents: &'a mut [Vec4],
    /// Those of members that do not all have the same.
    pub apart: Vec<Apart>,
}

/// The tangent of a member of a group whose members do not all have the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Apart {
    group: u32,
    triangle: u32,
    tangent: Vec4,
}

/// The tangents of the corners of a surface.
#[derive(Debug, Clone, Default)]
pub(super) struct CornerTangents {
    /// In which group each corner of each triangle is.
    group_of: Vec<[u32; 3]>,
    /// One for each group; w is 0 where there is none.
    of_groups: Vec<Vec4>,
    /// By group and triangle, in rising order.
    apart: Vec<Apart>,
}

impl CornerTangents {
    /// Those that `find` puts into the parts of a surface, of which it goes through all.
    pub(super) fn of(
        surface: &mut Surface<'_>,
        find: impl FnOnce(&[Mutex<Part<'_>>]) -> Result<(), Cancelled>,
    ) -> Result<Self, Cancelled> {
        let mut of_groups = vec![NO_TANGENT; surface.groups.groups.len()];
        let parts = surface.parts(&mut of_groups).map(Mutex::new);
        let parts: Vec<_> = parts.collect();
        find(&parts)?;
        let parts = parts.into_iter().map(|part| {
            let part = part.into_inner();
            part.unwrap_or_else(PoisonError::into_inner)
        });
        let apart = parts.flat_map(|part| part.apart).collect();
        Ok(Self {
            group_of: std::mem::take(&mut surface.groups.group_of),
            of_groups,
            apart,
        })
    }

    /// Those of the corners of a triangle; w is 0 where there is none.
    pub(super) fn of_triangle(&self, triangle: u32) -> [Vec4; 3] {
        let groups = usize::try_from(triangle).ok();
        let groups = groups.and_then(|place| self.group_of.get(place));
        let groups = groups.copied().unwrap_or([NONE; 3]);
        groups.map(|group| {
            let tangent = at(&self.of_groups, group);
            if tangent != APART {
                return tangent;
            }
            let place = (group, triangle);
            let found = self
                .apart
                .binary_search_by_key(&place, |it| (it.group, it.triangle));
            let apart = found.ok().and_then(|found| self.apart.get(found));
            apart.map_or(NO_TANGENT, |apart| apart.tangent)
        })
    }
}

/// Members whose tangents are found at once: some thousandths of a second's work.
const TOGETHER: usize = 1 << 14;
/// Corners that are looked at together, at least: few enough that they are still near when they are summed.
const AT_ONCE: usize = 256;
/// The tangent of a corner that has none.
const NO_TANGENT: Vec4 = Vec4::ZERO;
/// That of a group whose members have their own.
const APART: Vec4 = Vec4::new(0.0, 0.0, 0.0, 2.0);
/// Directions that are nearer than this to one of them are no opposites: twice the angle is less than half a turn.
const NEAR: f32 = 0.8;

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Member {
    triangle: u32,
    is_vague: bool,
    seen: Seen,
}

impl Part<'_> {
    /// Finds the tangents; w is 0 where there is none to be had.
    pub(super) fn find(&mut self) {
        let mut look = Look {
            surface: self.surface,
            level: Level::new(),
            corners: Corners::default(),
            members: Vec::new(),
        };
        let (mut start, mut groups) = (self.start, self.groups);
        let mut slots = (self.first..).zip(&mut *self.tangents);
        while !groups.is_empty() {
            let (together, others) = split(groups, start, AT_ONCE);
            groups = others;
            let mut members = look.at(together, start);
            for (group, (index, slot)) in together.iter().zip(&mut slots) {
                let count = place(group.end.saturating_sub(start));
                start = group.end;
                let Some((company, others)) = members.split_at_checked(count) else {
                    return;
                };
                members = others;
                *slot = if are_near(company) {
                    sum(company, *group)
                } else {
                    let apart = |(triangle, tangent)| Apart {
                        group: index,
                        triangle,
                        tangent,
                    };
                    self.apart.extend(sum_each(company, *group).map(apart));
                    APART
                };
            }
        }
    }
}

/// Groups that have so many members together at least, and the others; the first one's members begin at `start`.
fn split(groups: &[Group], start: u32, least: usize) -> (&[Group], &[Group]) {
    let is_last = |group: &Group| place(group.end.saturating_sub(start)) >= least;
    let count = groups.iter().position(is_last).unwrap_or(groups.len());
    groups.split_at(count.saturating_add(1).min(groups.len()))
}

/// Looks at the members of some groups at once.
struct Look<'a> {
    surface: &'a Surface<'a>,
    level: Level,
    corners: Corners,
    members: Vec<Member>,
}

impl Look<'_> {
    /// The members of groups; those of the first one begin at `start`.
    fn at(&mut self, groups: &[Group], start: u32) -> &[Member] {
        let surface = self.surface;
        let triangles_of = |start: u32, end: u32| {
            let triangles = surface.groups.members.get(place(start)..place(end));
            triangles.unwrap_or_default()
        };
        self.corners.clear();
        let mut from = start;
        for group in groups {
            let normal = surface.normal(group.vertex);
            for &triangle in triangles_of(from, group.end) {
                let corner = surface.corner(triangle, group.vertex, normal);
                self.corners.push(corner);
            }
            from = group.end;
        }
        let seen = triangles_of(start, from)
            .iter()
            .zip(self.corners.see(self.level));
        self.members.clear();
        let members = seen.map(|(&triangle, seen)| surface.member(triangle, seen));
        self.members.extend(members);
        &self.members
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

/// The tangent that all members have.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "floats do not overflow into anything worse than infinity"
)]
fn sum(members: &[Member], group: Group) -> Vec4 {
    let mut sum = Vec3::ZERO;
    for member in members.iter().filter(|member| !member.is_vague) {
        let [along, _] = member.seen.along;
        sum += along * member.seen.angle;
    }
    let sign = if group.is_upright { 1.0 } else { -1.0 };
    let tangent = unit_or_zero(sum).try_normalize();
    tangent.map_or(NO_TANGENT, |tangent| tangent.extend(sign))
}

/// The triangle and the tangent of each member, where some may contradict each other.
fn sum_each(members: &[Member], group: Group) -> impl Iterator<Item = (u32, Vec4)> {
    let go_together = |a: &Member, b: &Member| {
        let mut pairs = a.seen.along.into_iter().zip(b.seen.along);
        a.is_vague || b.is_vague || a.triangle == b.triangle || pairs.all(|(a, b)| a.dot(b) > -1.0)
    };
    // Most have the same company as the one before them.
    let (mut company, mut before) = (Vec::new(), Vec::new());
    let mut tangent = NO_TANGENT;
    members.iter().map(move |member| {
        company.clear();
        let others = members.iter().filter(|other| go_together(member, other));
        company.extend(others.copied());
        if company != before {
            tangent = sum(&company, group);
            std::mem::swap(&mut company, &mut before);
        }
        (member.triangle, tangent)
    })
}

impl<'a> Surface<'a> {
    /// Cuts the work into parts. `tangents` has one for each group.
    fn parts<'p>(&'p self, tangents: &'p mut [Vec4]) -> impl Iterator<Item = Part<'p>> {
        let mut groups = &self.groups.groups[..];
        let mut rest = tangents;
        let (mut first, mut start) = (0_u32, 0);
        std::iter::from_fn(move || {
            let (own, others) = split(groups, start, TOGETHER);
            groups = others;
            let end = own.last()?.end;
            let (tangents, others) = std::mem::take(&mut rest).split_at_mut_checked(own.len())?;
            rest = others;
            let part = Part {
                surface: self,
                groups: own,
                first,
                start,
                tangents,
                apart: Vec::new(),
            };
            first = first.saturating_add(u32::try_from(own.len()).ok()?);
            start = end;
            Some(part)
        })
    }
}

impl Surface<'_> {
    /// The corner of a triangle at a vertex.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "floats do not overflow into anything worse than infinity"
    )]
    fn corner(&self, triangle: u32, vertex: u32, normal: Vec3) -> Corner {
        let facet = self.facets.get(place(triangle));
        let [a, b, c] = at(&self.corners, triangle);
        let others = if a == vertex {
            [b, c]
        } else if b == vertex {
            [c, a]
        } else {
            [a, b]
        };
        let own = self.position(vertex);
        Corner {
            normal,
            along: facet.map_or([Vec3::ZERO; 2], |facet| facet.along),
            edges: others.map(|other| self.position(other) - own),
        }
    }

    fn member(&self, triangle: u32, seen: Seen) -> Member {
        let facet = self.facets.get(place(triangle));
        Member {
            triangle,
            is_vague: facet.is_none_or(|facet| facet.is_vague),
            seen,
        }
    }
}

fn place(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
