//! Indices: strips, fans and loops become lists, and shapes with bad indices are left out (glTF 2.0 §3.7.2.1).

use fearless_simd::{Level, dispatch};
use gltf::json::mesh::Mode;

use crate::model::Topology;

/// Shapes as lists of indices, and what was left out of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shapes {
    pub topology: Topology,
    pub indices: Vec<u32>,
    /// Indices beyond the vertices.
    pub out_of_range: usize,
    /// Indices of the value that means "restart" to a GPU, which must not be used.
    pub restarts: usize,
    /// Triangles of a list that name a vertex twice.
    pub degenerate: usize,
    /// Indices at the end that make no whole shape.
    pub incomplete: usize,
}

/// What GPUs take for a restart in indices of each width.
pub(super) const RESTART_U8: u32 = 0xff;
pub(super) const RESTART_U16: u32 = 0xffff;
pub(super) const RESTART_U32: u32 = 0xffff_ffff;

/// Makes a list of shapes from indices in any mode. `restart` is the greatest value of the indices' type; there is none
/// if the primitive has no indices of its own.
pub(super) fn lists(
    mode: Mode,
    indices: Vec<u32>,
    vertices: usize,
    restart: Option<u32>,
) -> Shapes {
    let topology = match mode {
        Mode::Points => Topology::Points,
        Mode::Lines | Mode::LineLoop | Mode::LineStrip => Topology::Lines,
        Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan => Topology::Triangles,
    };
    // Where the greatest index is good, all are.
    let level = Level::new();
    let greatest = dispatch!(level, _simd => greatest(&indices));
    let may_have_bad = restart.is_some_and(|restart| greatest >= restart)
        || usize::try_from(greatest).is_ok_and(|index| index >= vertices);
    let count_of = |bad: &dyn Fn(u32) -> bool| {
        let bad = indices.iter().filter(|&&index| bad(index));
        if may_have_bad { bad.count() } else { 0 }
    };
    let is_restart = |index: u32| restart == Some(index);
    let is_outside = |index: u32| usize::try_from(index).is_ok_and(|index| index >= vertices);
    let restarts = count_of(&is_restart);
    let out_of_range = count_of(&|index| is_outside(index) && !is_restart(index));
    let is_good = |index: u32| !is_outside(index) && !is_restart(index);
    let has_bad = restarts > 0 || out_of_range > 0;
    let mut shapes = Shapes {
        topology,
        restarts,
        out_of_range,
        ..Shapes::default()
    };
    // Shapes that go on from one another need the first one whole.
    let least = match mode {
        Mode::LineLoop | Mode::LineStrip => 2,
        Mode::TriangleStrip | Mode::TriangleFan => 3,
        Mode::Points | Mode::Lines | Mode::Triangles => 0,
    };
    if indices.len() < least {
        shapes.incomplete = indices.len();
    }
    match mode {
        Mode::Points => {
            shapes.indices = indices;
            if has_bad {
                shapes.indices.retain(|&index| is_good(index));
            }
        }
        Mode::Lines => {
            shapes.incomplete = indices.len().rem_euclid(2);
            let (pairs, _) = indices.as_chunks::<2>();
            keep(pairs.iter().copied(), is_good, &mut shapes.indices);
        }
        Mode::LineLoop => {
            let ends = indices.last().zip(indices.first());
            let closing = ends.map(|(&last, &first)| [last, first]);
            let closing = closing.filter(|_| indices.len() > 2);
            keep(
                pairs_of(&indices).chain(closing),
                is_good,
                &mut shapes.indices,
            );
        }
        Mode::LineStrip => keep(pairs_of(&indices), is_good, &mut shapes.indices),
        Mode::Triangles => {
            shapes.incomplete = indices.len().rem_euclid(3);
            let (triangles, _) = indices.as_chunks::<3>();
            shapes.degenerate = dispatch!(level, _simd => count_flat(triangles));
            shapes.indices = indices;
            if has_bad || shapes.degenerate > 0 || shapes.incomplete > 0 {
                let is_kept = |triangle: &[u32; 3]| {
                    !is_flat(triangle) && (!has_bad || triangle.iter().all(|&it| is_good(it)))
                };
                keep_triangles(&mut shapes.indices, is_kept);
            }
        }
        // Every other triangle of a strip is turned so that all face the same way.
        Mode::TriangleStrip => {
            let turned = [false, true].into_iter().cycle();
            let triangles = triples_of(&indices).zip(turned);
            let triangles =
                triangles.map(|([a, b, c], turn)| if turn { [a, c, b] } else { [a, b, c] });
            keep(triangles, is_good, &mut shapes.indices);
        }
        Mode::TriangleFan => {
            let (hub, rim) = indices.split_first().unwrap_or((&0, &[]));
            let triangles = pairs_of(rim).map(|[a, b]| [a, b, *hub]);
            keep(triangles, is_good, &mut shapes.indices);
        }
    }
    shapes
}

/// The least and the greatest of some indices.
pub(super) fn extremes(indices: &[u32]) -> (u32, u32) {
    let level = Level::new();
    (
        dispatch!(level, _simd => least(indices)),
        dispatch!(level, _simd => greatest(indices)),
    )
}

#[inline(always)]
fn least(indices: &[u32]) -> u32 {
    indices
        .iter()
        .fold(u32::MAX, |least, &index| index.min(least))
}

/// The greatest of all. Compiled for each kind of processor, as are those below: this is most of the work on indices.
#[inline(always)]
fn greatest(indices: &[u32]) -> u32 {
    indices.iter().fold(0, |most, &index| index.max(most))
}

/// Triangles that are looked at together.
const BLOCK: usize = 8;

/// How many triangles name a vertex twice.
#[inline(always)]
fn count_flat(triangles: &[[u32; 3]]) -> usize {
    let (blocks, rest) = triangles.as_chunks::<BLOCK>();
    let mut count = 0_usize;
    for block in blocks {
        if may_have_flat(block) {
            let flat = block.iter().filter(|triangle| is_flat(triangle));
            count = count.saturating_add(flat.count());
        }
    }
    let flat = rest.iter().filter(|triangle| is_flat(triangle));
    count.saturating_add(flat.count())
}

#[inline(always)]
fn is_flat(&[a, b, c]: &[u32; 3]) -> bool {
    (a == b) | (b == c) | (c == a)
}

/// Whether a triangle names a vertex twice. Each index is compared with the two after it, whatever triangle these are of,
/// and what says nothing is left out: so several are compared at once.
#[inline(always)]
fn may_have_flat(triangles: &[[u32; 3]; BLOCK]) -> bool {
    let indices = triangles.as_flattened();
    let next = indices.get(1..).unwrap_or_default();
    let last = indices.get(2..).unwrap_or_default();
    // Of a, b, c: b follows a, c follows b; c stands two after a.
    let one_after = [[u32::MAX, u32::MAX, 0]; BLOCK];
    let two_after = [[u32::MAX, 0, 0]; BLOCK];
    let masks = one_after
        .as_flattened()
        .iter()
        .zip(two_after.as_flattened());
    let equal = |a: u32, b: u32| if a == b { u32::MAX } else { 0 };
    let pairs = indices.iter().zip(next).zip(last);
    let found = pairs
        .zip(masks)
        .fold(0, |found, (((&a, &b), &c), (one, two))| {
            found | (equal(a, b) & one) | (equal(a, c) & two)
        });
    // The last triangle's b and c.
    let ends = triangles.last().is_some_and(|[_, b, c]| b == c);
    found != 0 || ends
}

fn pairs_of(indices: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    indices.array_windows::<2>().copied()
}

fn triples_of(indices: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    indices.array_windows::<3>().copied()
}

/// Leaves out triangles of a list, where it lies: another list would be new memory, which takes longer than to look at it.
fn keep_triangles(indices: &mut Vec<u32>, is_kept: impl Fn(&[u32; 3]) -> bool) {
    let (triangles, _) = indices.as_chunks_mut::<3>();
    let mut kept = 0_usize;
    for place in 0..triangles.len() {
        let Some(&triangle) = triangles.get(place) else {
            break;
        };
        if is_kept(&triangle)
            && let Some(slot) = triangles.get_mut(kept)
        {
            *slot = triangle;
            kept = kept.saturating_add(1);
        }
    }
    indices.truncate(kept.saturating_mul(3));
}

/// Appends the shapes whose indices are all good and all different.
fn keep<const N: usize>(
    shapes: impl Iterator<Item = [u32; N]>,
    is_good: impl Fn(u32) -> bool,
    indices: &mut Vec<u32>,
) {
    let (least, _) = shapes.size_hint();
    indices.reserve(least.saturating_mul(N));
    for shape in shapes {
        let mut last = shape.last();
        let is_flat = shape.iter().any(|index| last.replace(index) == Some(index));
        if !is_flat && shape.iter().all(|&index| is_good(index)) {
            indices.extend_from_slice(&shape);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(mode: Mode, indices: &[u32]) -> Vec<u32> {
        lists(mode, indices.to_vec(), 100, None).indices
    }

    #[test]
    fn makes_lists() {
        assert_eq!(
            indices(Mode::TriangleStrip, &[0, 1, 2, 3]),
            [0, 1, 2, 1, 3, 2]
        );
        assert_eq!(
            indices(Mode::TriangleFan, &[0, 1, 2, 3]),
            [1, 2, 0, 2, 3, 0]
        );
        assert_eq!(indices(Mode::LineStrip, &[0, 1, 2]), [0, 1, 1, 2]);
        assert_eq!(indices(Mode::LineLoop, &[0, 1, 2]), [0, 1, 1, 2, 2, 0]);
        assert!(indices(Mode::TriangleStrip, &[0]).is_empty());
        assert!(indices(Mode::TriangleFan, &[]).is_empty());
    }

    #[test]
    fn leaves_out_bad_shapes() {
        let shapes = lists(
            Mode::Triangles,
            vec![0, 1, 2, 2, 2, 3, 0, 9, 1, 255, 1, 2, 0],
            4,
            Some(255),
        );
        assert_eq!(shapes.indices, [0, 1, 2]);
        assert_eq!((shapes.out_of_range, shapes.restarts), (1, 1));
        assert_eq!((shapes.degenerate, shapes.incomplete), (1, 1));
    }

    #[test]
    fn finds_flat_triangles_wherever_they_are() {
        for place in 0..40_usize {
            for (same, as_other) in [(0, 1), (1, 2), (2, 0)] {
                let mut triangles: Vec<u32> = (0..120).collect();
                // What neighbours share is no matter.
                triangles[3] = triangles[2];
                triangles[4] = triangles[2] + 100;
                triangles[3 * place + same] = triangles[3 * place + as_other];
                let shapes = lists(Mode::Triangles, triangles, 200, None);
                assert_eq!((shapes.degenerate, shapes.indices.len()), (1, 117));
            }
        }
    }

    #[test]
    fn joins_strips_by_degenerate_triangles() {
        let joined = indices(Mode::TriangleStrip, &[0, 1, 2, 2, 5, 5, 6, 7]);
        assert_eq!(joined, [0, 1, 2, 5, 7, 6]);
    }
}
