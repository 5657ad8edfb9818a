//! What meshes differ in that have the same vertices: the triangles, lines and points that join these.

use crate::model::{Primitive, Topology};

/// Shapes of a mesh that the other does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShapeDifference {
    /// How many triangles face the other way.
    pub turned: usize,
    /// How many other triangles, lines and points join vertices that none of the other mesh joins, or not as often.
    pub joined_otherwise: usize,
}

impl ShapeDifference {
    /// Whether nothing differs.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// What differs, in words, each by itself.
    pub(super) fn words(self) -> impl Iterator<Item = String> {
        let turned = match self.turned {
            0 => None,
            1 => Some("1 triangle faces the other way".to_owned()),
            count => Some(format!("{count} triangles face the other way")),
        };
        let joined = match self.joined_otherwise {
            0 => None,
            1 => Some("1 shape joins other vertices".to_owned()),
            count => Some(format!("{count} shapes join other vertices")),
        };
        turned.into_iter().chain(joined)
    }

    /// Adds what another primitive of the mesh differs in.
    pub(super) fn add(&mut self, other: Self) {
        self.turned += other.turned;
        self.joined_otherwise += other.joined_otherwise;
    }

    /// Compares primitives. `places` says of each vertex, copies aside, which place it has among those of the first: vertices
    /// in the same one are the same. Those that have none are known to be elsewhere, and so are the shapes that they are of.
    pub(super) fn of(primitives: [&Primitive; 2], places: [&[Option<u32>]; 2]) -> Self {
        let [a, b] = [0, 1].map(|side| shapes(primitives[side], places[side]));
        if primitives[0].topology != primitives[1].topology {
            return Self {
                turned: 0,
                joined_otherwise: a.len().max(b.len()),
            };
        }
        let [mut only_a, only_b] = [missing(&a, &b), missing(&b, &a)];
        if primitives[0].topology == Topology::Triangles {
            for [_, second, third] in &mut only_a {
                (*second, *third) = (*third, *second);
            }
            only_a.sort_unstable();
        }
        let turned = only_a.len() - missing(&only_a, &only_b).len();
        Self {
            turned,
            joined_otherwise: only_a.len().max(only_b.len()) - turned,
        }
    }
}

/// The places that each shape joins, in an order that does not depend on where it begins; for triangles the side that is the
/// front does count. What joins a place to itself is nothing. Sorted.
fn shapes(primitive: &Primitive, places: &[Option<u32>]) -> Vec<[u32; 3]> {
    let place = |vertex: u32| *places.get(primitive.own_vertex(vertex) as usize)?;
    let mut shapes: Vec<[u32; 3]> = match primitive.topology {
        Topology::Points => {
            let points = primitive.indices.iter();
            points.filter_map(|a| Some([place(a)?; 3])).collect()
        }
        Topology::Lines => {
            let ends: Vec<u32> = primitive.indices.iter().collect();
            let lines = ends.as_chunks().0.iter();
            let lines = lines.filter_map(|&[a, b]| Some([place(a)?, place(b)?]));
            let lines = lines.filter(|[a, b]| a != b);
            lines.map(|[a, b]| [a.min(b), a.max(b), 0]).collect()
        }
        Topology::Triangles => {
            let triangles = primitive.indices.triangles();
            let triangles =
                triangles.filter_map(|[a, b, c]| Some([place(a)?, place(b)?, place(c)?]));
            let triangles = triangles.filter(|[a, b, c]| a != b && b != c && c != a);
            triangles.map(from_the_least).collect()
        }
    };
    shapes.sort_unstable();
    shapes
}

/// A triangle that begins with its least corner, with the same front.
fn from_the_least(mut corners: [u32; 3]) -> [u32; 3] {
    let least = (0..3).min_by_key(|&corner| corners[corner]);
    corners.rotate_left(least.unwrap_or_default());
    corners
}

/// Those of the first that the second does not have, as often as it lacks them. Both are sorted, and so is what is returned.
fn missing(of: &[[u32; 3]], among: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut among = among.iter().peekable();
    let is_missing = |shape: &&[u32; 3]| {
        while among.next_if(|other| other < shape).is_some() {}
        among.next_if_eq(shape).is_none()
    };
    of.iter().filter(is_missing).copied().collect()
}

/// For each of `count` vertices the place that it shares with others: `alike` names those.
pub(super) fn places(count: usize, alike: impl Fn(usize) -> Vec<usize>) -> Vec<u32> {
    let mut first: Vec<usize> = (0..count).collect();
    fn root(first: &mut [usize], mut of: usize) -> usize {
        while first[of] != of {
            first[of] = first[first[of]];
            of = first[of];
        }
        of
    }
    for vertex in 0..count {
        for other in alike(vertex) {
            let [a, b] = [vertex, other].map(|it| root(&mut first, it));
            first[a.max(b)] = a.min(b);
        }
    }
    let places = (0..count).map(|vertex| root(&mut first, vertex) as u32);
    places.collect()
}
