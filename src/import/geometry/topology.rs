//! Indices: strips, fans and loops become lists, and shapes with bad indices are left out (glTF 2.0 §3.7.2.1).

use fearless_simd::{Level, dispatch};
use gltf::json::mesh::Mode;

use crate::{
    import::numbers::extent::{Number, greatest},
    model::{Indices, Topology, VertexSet},
};

/// Shapes as lists of indices, and what was left out of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shapes {
    pub topology: Topology,
    pub indices: Indices,
    /// Indices beyond the vertices.
    pub out_of_range: usize,
    /// Indices of the value that means "restart" to a GPU, which must not be used.
    pub restarts: usize,
    /// Triangles of a list that name a vertex twice.
    pub degenerate: usize,
    /// Indices at the end that make no whole shape.
    pub incomplete: usize,
    /// Vertices that none of them is made of, where that is asked for.
    pub undrawn: VertexSet,
    /// Bytes that were taken of the budget for them.
    pub taken: usize,
}

/// What GPUs take for a restart in indices of each width.
pub(super) const RESTART_U8: u32 = 0xff;
pub(super) const RESTART_U16: u32 = 0xffff;
pub(super) const RESTART_U32: u32 = 0xffff_ffff;

/// The greatest value of the indices' type, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Restart {
    /// Nothing, since the primitive has no indices of its own.
    None,
    /// This index must not be used.
    Forbidden(u32),
    /// A strip, fan or loop ends before it, and another one begins behind it (`KHR_mesh_primitive_restart`).
    Allowed(u32),
}

/// Makes a list of shapes from indices in any mode.
pub(super) fn lists<N: Number>(
    mode: Mode,
    indices: Vec<N>,
    vertices: usize,
    restart: Restart,
) -> Shapes {
    let (topology, least) = form_of(mode);
    let rules = Rules::new(vertices, restart, least > 0);
    let level = Level::new();
    let [restarts, out_of_range] = rules.count_bad(&indices, level);
    let mut shapes = Shapes {
        topology,
        restarts,
        out_of_range,
        ..Shapes::default()
    };
    let listed = if least > 0 {
        let runs = indices.split(|&index| rules.is_between(index.into()));
        for run in runs.clone().filter(|run| run.len() < least) {
            shapes.incomplete = shapes.incomplete.saturating_add(run.len());
        }
        let mut listed = Vec::new();
        for run in runs {
            list_run(mode, run, rules, &mut listed);
        }
        listed
    } else {
        list_apart(mode, indices, rules, level, &mut shapes)
    };
    shapes.indices = N::pack(listed);
    shapes
}

/// What becomes of a mode, and how many indices the first shape needs where others go on from it; else 0.
fn form_of(mode: Mode) -> (Topology, usize) {
    match mode {
        Mode::Points => (Topology::Points, 0),
        Mode::Lines => (Topology::Lines, 0),
        Mode::LineLoop | Mode::LineStrip => (Topology::Lines, 2),
        Mode::Triangles => (Topology::Triangles, 0),
        Mode::TriangleStrip | Mode::TriangleFan => (Topology::Triangles, 3),
    }
}

/// Which indices are good.
#[derive(Debug, Clone, Copy)]
struct Rules {
    vertices: usize,
    /// What must not be used.
    forbidden: Option<u32>,
    /// What stands between shapes that go on from one another.
    between: Option<u32>,
}

impl Rules {
    fn new(vertices: usize, restart: Restart, goes_on: bool) -> Self {
        let (forbidden, between) = match restart {
            Restart::None => (None, None),
            Restart::Allowed(restart) if goes_on => (None, Some(restart)),
            Restart::Forbidden(restart) | Restart::Allowed(restart) => (Some(restart), None),
        };
        Self {
            vertices,
            forbidden,
            between,
        }
    }

    fn is_between(self, index: u32) -> bool {
        self.between == Some(index)
    }

    fn is_forbidden(self, index: u32) -> bool {
        self.forbidden == Some(index)
    }

    fn is_outside(self, index: u32) -> bool {
        usize::try_from(index).is_ok_and(|index| index >= self.vertices)
    }

    fn is_good(self, index: u32) -> bool {
        !self.is_outside(index) && !self.is_forbidden(index)
    }

    /// How many indices are forbidden, and how many of the others are beyond the vertices.
    fn count_bad<N: Number>(self, indices: &[N], level: Level) -> [usize; 2] {
        // Where the greatest index is good, all are.
        let greatest = dispatch!(level, _simd => greatest(indices));
        let may_be_forbidden = self.forbidden.is_some_and(|restart| greatest >= restart);
        if !may_be_forbidden && !self.is_outside(greatest) {
            return [0; 2];
        }
        let count = |is_bad: &dyn Fn(u32) -> bool| {
            let bad = indices.iter().filter(|&&index| is_bad(index.into()));
            bad.count()
        };
        let is_stray =
            |index| self.is_outside(index) && !self.is_forbidden(index) && !self.is_between(index);
        [count(&|index| self.is_forbidden(index)), count(&is_stray)]
    }
}

/// The shapes of a list, each of which has indices of its own.
fn list_apart<N: Number>(
    mode: Mode,
    mut indices: Vec<N>,
    rules: Rules,
    level: Level,
    shapes: &mut Shapes,
) -> Vec<N> {
    let is_good = |index: N| rules.is_good(index.into());
    let has_bad = shapes.restarts > 0 || shapes.out_of_range > 0;
    match mode {
        Mode::Lines => {
            shapes.incomplete = indices.len().rem_euclid(2);
            let (pairs, _) = indices.as_chunks::<2>();
            let mut listed = Vec::new();
            keep(pairs.iter().copied(), is_good, &mut listed);
            return listed;
        }
        Mode::Triangles => {
            shapes.incomplete = indices.len().rem_euclid(3);
            let (triangles, _) = indices.as_chunks::<3>();
            shapes.degenerate = dispatch!(level, _simd => count_flat(triangles));
            if has_bad || shapes.degenerate > 0 || shapes.incomplete > 0 {
                let is_kept = |triangle: &[N; 3]| {
                    !is_flat(triangle) && (!has_bad || triangle.iter().all(|&it| is_good(it)))
                };
                keep_triangles(&mut indices, is_kept);
            }
        }
        // Points, of which nothing is known but where they are.
        _ => {
            if has_bad {
                indices.retain(|&index| is_good(index));
            }
        }
    }
    indices
}

/// Appends the shapes of a strip, a fan or a loop.
fn list_run<N: Number>(mode: Mode, run: &[N], rules: Rules, listed: &mut Vec<N>) {
    let is_good = |index: N| rules.is_good(index.into());
    match mode {
        Mode::LineLoop => {
            let ends = run.last().zip(run.first());
            let closing = ends.map(|(&last, &first)| [last, first]);
            let closing = closing.filter(|_| run.len() > 2);
            keep(pairs_of(run).chain(closing), is_good, listed);
        }
        Mode::LineStrip => keep(pairs_of(run), is_good, listed),
        // Every other triangle of a strip is turned so that all face the same way.
        Mode::TriangleStrip => {
            let turned = [false, true].into_iter().cycle();
            let triangles = triples_of(run).zip(turned);
            let triangles =
                triangles.map(|([a, b, c], turn)| if turn { [a, c, b] } else { [a, b, c] });
            keep(triangles, is_good, listed);
        }
        Mode::TriangleFan => {
            if let Some((&hub, rim)) = run.split_first() {
                let triangles = pairs_of(rim).map(|[a, b]| [a, b, hub]);
                keep(triangles, is_good, listed);
            }
        }
        // These are lists already.
        Mode::Points | Mode::Lines | Mode::Triangles => {}
    }
}

/// Triangles that are looked at together.
const BLOCK: usize = 8;

/// How many triangles name a vertex twice. Compiled for each kind of processor, as are those below.
#[inline(always)]
fn count_flat<N: Number>(triangles: &[[N; 3]]) -> usize {
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
fn is_flat<N: Number>(&[a, b, c]: &[N; 3]) -> bool {
    (a == b) | (b == c) | (c == a)
}

/// Whether a triangle names a vertex twice. Each index is compared with the two after it, whatever triangle these are of,
/// and what says nothing is left out: so several are compared at once.
#[inline(always)]
fn may_have_flat<N: Number>(triangles: &[[N; 3]; BLOCK]) -> bool {
    let indices = triangles.as_flattened();
    let next = indices.get(1..).unwrap_or_default();
    let last = indices.get(2..).unwrap_or_default();
    // Of a, b, c: b follows a, c follows b; c stands two after a.
    let one_after = [[N::ALL_ONES, N::ALL_ONES, N::ZERO]; BLOCK];
    let two_after = [[N::ALL_ONES, N::ZERO, N::ZERO]; BLOCK];
    let masks = one_after
        .as_flattened()
        .iter()
        .zip(two_after.as_flattened());
    let equal = |a: N, b: N| if a == b { N::ALL_ONES } else { N::ZERO };
    let pairs = indices.iter().zip(next).zip(last);
    let found = pairs
        .zip(masks)
        .fold(N::ZERO, |found, (((&a, &b), &c), (&one, &two))| {
            found | (equal(a, b) & one) | (equal(a, c) & two)
        });
    // The last triangle's b and c.
    let ends = triangles.last().is_some_and(|[_, b, c]| b == c);
    found != N::ZERO || ends
}

fn pairs_of<N: Number>(indices: &[N]) -> impl Iterator<Item = [N; 2]> {
    indices.array_windows::<2>().copied()
}

fn triples_of<N: Number>(indices: &[N]) -> impl Iterator<Item = [N; 3]> {
    indices.array_windows::<3>().copied()
}

/// Leaves out triangles of a list, where it lies: another list would be new memory, which takes longer than to look at it.
fn keep_triangles<N: Number>(indices: &mut Vec<N>, is_kept: impl Fn(&[N; 3]) -> bool) {
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
fn keep<N: Number, const CORNERS: usize>(
    shapes: impl Iterator<Item = [N; CORNERS]>,
    is_good: impl Fn(N) -> bool,
    indices: &mut Vec<N>,
) {
    let (least, _) = shapes.size_hint();
    indices.reserve(least.saturating_mul(CORNERS));
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
        let shapes = lists(mode, indices.to_vec(), 100, Restart::None);
        shapes.indices.iter().collect()
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
    fn begins_anew_where_that_is_allowed() {
        let cases: [(Mode, &[u32], &[u32], usize); 6] = [
            (Mode::LineStrip, &[0, 1, 255, 2, 3], &[0, 1, 2, 3], 0),
            (
                Mode::LineLoop,
                &[0, 1, 2, 255, 3, 4, 5],
                &[0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3],
                0,
            ),
            // Each strip begins with a triangle that is not turned.
            (
                Mode::TriangleStrip,
                &[0, 1, 2, 3, 255, 4, 5, 6],
                &[0, 1, 2, 1, 3, 2, 4, 5, 6],
                0,
            ),
            (
                Mode::TriangleFan,
                &[0, 1, 2, 255, 255, 3, 4, 5, 6, 255],
                &[1, 2, 0, 4, 5, 3, 5, 6, 3],
                0,
            ),
            (Mode::TriangleFan, &[255, 0, 1, 255], &[], 2),
            // Neither lists nor what is beyond the vertices.
            (Mode::Lines, &[0, 1, 255, 2, 3, 4], &[0, 1, 3, 4], 0),
        ];
        for (mode, given, expected, incomplete) in cases {
            let shapes = lists(mode, given.to_vec(), 100, Restart::Allowed(255));
            assert!(
                shapes.indices.iter().eq(expected.iter().copied()),
                "{mode:?} {given:?}"
            );
            assert_eq!(shapes.incomplete, incomplete, "{mode:?} {given:?}");
            assert_eq!(shapes.restarts, usize::from(mode == Mode::Lines));
            assert_eq!(shapes.out_of_range, 0);
        }
        let shapes = lists(
            Mode::LineStrip,
            vec![0_u16, 1, 101],
            100,
            Restart::Allowed(255),
        );
        let expected = Indices::from(vec![0, 1]);
        assert_eq!((shapes.indices, shapes.out_of_range), (expected, 1));
    }

    #[test]
    fn leaves_out_bad_shapes() {
        let given: [u16; 13] = [0, 1, 2, 2, 2, 3, 0, 9, 1, 255, 1, 2, 0];
        let restart = Restart::Forbidden(255);
        let narrow = lists(Mode::Triangles, given.to_vec(), 4, restart);
        let wide = lists(Mode::Triangles, given.map(u32::from).to_vec(), 4, restart);
        assert_eq!(narrow, wide);
        assert_eq!(wide.indices, Indices::Short(vec![0, 1, 2]));
        assert_eq!((wide.out_of_range, wide.restarts), (1, 1));
        assert_eq!((wide.degenerate, wide.incomplete), (1, 1));
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
                let short: Vec<u16> = triangles.iter().map(|&index| index as u16).collect();
                for shapes in [
                    lists(Mode::Triangles, short, 200, Restart::None),
                    lists(Mode::Triangles, triangles, 200, Restart::None),
                ] {
                    assert_eq!((shapes.degenerate, shapes.indices.len()), (1, 117));
                }
            }
        }
    }

    #[test]
    fn joins_strips_by_degenerate_triangles() {
        let joined = indices(Mode::TriangleStrip, &[0, 1, 2, 2, 5, 5, 6, 7]);
        assert_eq!(joined, [0, 1, 2, 5, 7, 6]);
    }
}
