//! Pieces of meshes: what hangs together by triangles, or stands in one place, whoever moves it.

use std::collections::{HashMap, HashSet};

use super::{BLOCK, COUNTS};
use crate::model::{Influences, Primitive, Topology};

/// The pieces of some primitives, whose vertices are numbered through.
pub(super) struct Pieces {
    /// For each vertex another one of its piece, or itself.
    together: Vec<u32>,
    /// Pieces, by one of their vertices, and joints that move any of them.
    moved: HashSet<(usize, u16)>,
}

impl Pieces {
    /// None if it was not to go on to the end.
    pub(super) fn of(
        primitives: &[(&Primitive, &Influences)],
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let counts = primitives.iter().map(|it| it.0.vertices.positions.len());
        let mut pieces = Self {
            together: (0..counts.sum::<usize>() as u32).collect(),
            moved: HashSet::new(),
        };
        let mut start = 0;
        let mut first_at = HashMap::new();
        for (primitive, _) in primitives {
            for (vertex, position) in (start..).zip(&primitive.vertices.positions) {
                let place = position.to_array().map(f32::to_bits);
                let first = *first_at.entry(place).or_insert(vertex);
                pieces.unite(first, vertex);
            }
            if primitive.topology == Topology::Triangles {
                for (number, triangle) in primitive.indices.triangles().enumerate() {
                    if number.is_multiple_of(BLOCK) && !goes_on() {
                        return None;
                    }
                    let [a, b, c] = triangle.map(|vertex| start + vertex as usize);
                    pieces.unite(a, b);
                    pieces.unite(b, c);
                }
            }
            start += primitive.vertices.positions.len();
        }
        let mut start = 0;
        for (primitive, influences) in primitives {
            let joints = influences.joints.chunks(influences.per_vertex.max(1));
            let weights = influences.weights.chunks(influences.per_vertex.max(1));
            for (vertex, (joints, weights)) in (start..).zip(joints.zip(weights)) {
                let piece = pieces.piece(vertex);
                let all = joints.iter().zip(weights);
                let moved = all.filter(|(_, weight)| **weight >= COUNTS);
                pieces.moved.extend(moved.map(|(&joint, _)| (piece, joint)));
            }
            start += primitive.vertices.positions.len();
        }
        goes_on().then_some(pieces)
    }

    /// The piece of a vertex: one of its vertices.
    pub(super) fn piece(&mut self, mut vertex: usize) -> usize {
        while self.together[vertex] as usize != vertex {
            let next = self.together[self.together[vertex] as usize];
            self.together[vertex] = next;
            vertex = next as usize;
        }
        vertex
    }

    /// Whether a joint moves anything of a piece.
    pub(super) fn is_moved(&self, piece: usize, joint: u16) -> bool {
        self.moved.contains(&(piece, joint))
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.piece(a), self.piece(b));
        self.together[a.max(b)] = a.min(b) as u32;
    }
}
