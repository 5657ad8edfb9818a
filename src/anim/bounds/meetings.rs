//! Which joints may move the same vertices: those whose boxes meet in the mesh's space. Between the places that two of them take
//! a vertex to, dual quaternions go along an arc.

use glam::{Vec3, Vec4};

use crate::{anim::PaletteMatrix, model::Aabb};

/// Pairs of parts that are kept: what a frame looks at in a fraction of a millisecond.
const MAX_MEETINGS: usize = 1 << 13;

/// For each part those that it may share vertices with.
#[derive(Debug, Clone, Default)]
pub(super) struct Meetings {
    /// Where those of each part begin.
    starts: Vec<u32>,
    others: Vec<u32>,
    /// Nothing is kept then.
    pub(super) are_too_many: bool,
}

impl Meetings {
    /// Of boxes at rest; none of what shares no vertices.
    pub(super) fn of(boxes: &[Option<Aabb>]) -> Self {
        // Those that begin further along x than one ends do not meet it, nor do all after them.
        let joints = boxes.iter().enumerate();
        let mut by_start: Vec<_> = joints
            .filter_map(|(place, it)| Some((place, (*it)?)))
            .collect();
        by_start.sort_by(|(_, a), (_, b)| a.min.x.total_cmp(&b.min.x));
        let mut pairs = Vec::new();
        for (at, (place, own)) in by_start.iter().enumerate() {
            let after = by_start[at + 1..].iter();
            let near = after.take_while(|(_, other)| other.min.x <= own.max.x);
            for (looked_at, (other, there)) in near.enumerate() {
                if looked_at > MAX_MEETINGS || pairs.len() > 2 * MAX_MEETINGS {
                    return Self {
                        are_too_many: true,
                        ..Self::default()
                    };
                }
                if !own.intersection(*there).is_empty() {
                    pairs.extend([
                        (*place as u32, *other as u32),
                        (*other as u32, *place as u32),
                    ]);
                }
            }
        }
        pairs.sort_unstable();
        let starts = (0..=boxes.len() as u32)
            .map(|place| pairs.partition_point(|(own, _)| *own < place) as u32);
        Self {
            starts: starts.collect(),
            others: pairs.iter().map(|(_, other)| *other).collect(),
            are_too_many: false,
        }
    }

    /// Those that a part may share vertices with.
    pub(super) fn with(&self, part: usize) -> &[u32] {
        let [start, end] = [part, part + 1].map(|at| self.starts[at] as usize);
        &self.others[start..end]
    }
}

/// How far two matrices take any point of a box apart at most: they differ by an affine map, whose length is greatest at a
/// corner. 0 for a box that is empty, or goes nowhere.
pub(super) fn farthest_apart(matrices: [&PaletteMatrix; 2], shared: &Aabb) -> f32 {
    if shared.is_empty() {
        return 0.0;
    }
    let apart = |corner: Vec3| {
        let [a, b] = matrices.map(|rows| rows.map(|row: Vec4| row.dot(corner.extend(1.0))));
        (Vec3::from(a) - Vec3::from(b)).length()
    };
    let corners = shared.corners().into_iter().map(apart);
    let farthest = corners.fold(0.0, f32::max);
    if farthest.is_finite() { farthest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along_x(from: f32, to: f32) -> Option<Aabb> {
        Some(Aabb {
            min: Vec3::X * from,
            max: Vec3::new(to, 1.0, 1.0),
        })
    }

    #[test]
    fn boxes_meet_that_have_a_point_in_common() {
        let meetings = Meetings::of(&[
            along_x(0.0, 1.0),
            None,
            along_x(3.0, 4.0),
            along_x(1.0, 3.5),
        ]);
        let expected: [&[u32]; 4] = [&[3], &[], &[3], &[0, 2]];
        for (part, expected) in expected.into_iter().enumerate() {
            assert_eq!(meetings.with(part), expected, "{part}");
        }
        let all = vec![along_x(0.0, 1.0); 1000];
        assert!(Meetings::of(&all).are_too_many);
    }

    #[test]
    fn matrices_are_farthest_apart_at_a_corner() {
        let one = [Vec4::X, Vec4::Y, Vec4::Z];
        let other = [Vec4::new(3.0, 0.0, 0.0, 0.5), Vec4::Y, Vec4::Z];
        let apart = farthest_apart([&one, &other], &along_x(1.0, 2.0).unwrap());
        assert_eq!(apart, 4.5);
        assert_eq!(farthest_apart([&one, &other], &Aabb::EMPTY), 0.0);
    }
}
