//! What meshes differ in: where their vertices are, what shapes join them, which joints they follow, and how morph targets move
//! them.

use glam::Vec3;

use super::{
    NodeMatch,
    appearance::{PartKind, match_meshes},
    attributes::{self, AttributeDifference, SurfaceAttribute},
    grid::Grid,
    nearest,
    shapes::{self, ShapeDifference},
    units::Units,
};
use crate::model::{Deltas, Influences, Mesh, Model, MorphTarget, NodeId, Primitive, shortened};

/// A mesh of both models, paired as [`AppearanceDifference::meshes`](super::AppearanceDifference::meshes) has them.
/// Primitives are compared vertex by vertex where these stand in the same order, and else each with those in the same place of
/// the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeshDifference {
    /// Its index in each.
    pub indices: [usize; 2],
    /// How many vertices the other one does not have there.
    pub moved: usize,
    /// How far they are apart at most, or from what is nearest to them where no order says which belong together: a part of
    /// the size; at least that, where there are so many in all meshes that not all are looked at.
    pub distance: f64,
    /// Which triangles, lines and points join other vertices.
    pub shapes: ShapeDifference,
    /// How many vertices follow other joints, or the same by other weights.
    pub bound_otherwise: usize,
    /// How far a weight differs at most.
    pub weight: f64,
    /// The joint of the first model whose weights differ by that; none if it has no such joint.
    pub joint: Option<NodeId>,
    /// How many vertices morph targets move, turn or paint otherwise.
    pub morphed_otherwise: usize,
    /// What vertices have besides, each attribute.
    pub attributes: [AttributeDifference; SurfaceAttribute::ALL.len()],
}

impl MeshDifference {
    /// Whether nothing differs.
    pub fn is_none(&self) -> bool {
        let counts = [self.moved, self.bound_otherwise, self.morphed_otherwise];
        counts == [0; 3] && self.shapes.is_none() && self.other_attributes().next().is_none()
    }

    /// The attributes that differ.
    pub fn other_attributes(&self) -> impl Iterator<Item = AttributeDifference> {
        self.attributes.into_iter().filter(|it| it.vertices > 0)
    }

    /// The mesh and what differs, in words, if anything does; `model` is the first one.
    pub fn words(&self, model: &Model) -> Option<String> {
        let vertices = |count: usize, one: &str, several: &str| match count {
            1 => format!("1 vertex {one}"),
            _ => format!("{count} vertices {several}"),
        };
        let mut parts = Vec::new();
        if self.moved > 0 {
            let mut part = vertices(self.moved, "is elsewhere", "are elsewhere");
            if self.distance > 0.0 {
                part += &format!(" by up to {:.3}% of the size", 100.0 * self.distance);
            }
            parts.push(part);
        }
        parts.extend(self.shapes.words());
        if self.bound_otherwise > 0 {
            let mut part = vertices(
                self.bound_otherwise,
                "has other weights",
                "have other weights",
            );
            part += &format!(" by up to {:.3}", self.weight);
            if let Some(joint) = self.joint {
                let joint = model.hierarchy.display_name(joint);
                part += &format!(" of {:?}", shortened(&joint));
            }
            parts.push(part);
        }
        if self.morphed_otherwise > 0 {
            let count = self.morphed_otherwise;
            parts.push(vertices(
                count,
                "is morphed otherwise",
                "are morphed otherwise",
            ));
        }
        parts.extend(self.other_attributes().map(AttributeDifference::words));
        let [index, _] = self.indices;
        let mesh = PartKind::Mesh.named(PartKind::Mesh.name(model, index), index);
        (!parts.is_empty()).then(|| format!("{mesh}: {}", parts.join(", ")))
    }
}

/// Compares the meshes of two models of which the first is so large. What differs by no more than `least` is the same:
/// lengths as a part of the size, as the first model places the mesh, and weights.
pub fn compare_meshes(
    models: [&Model; 2],
    nodes: &NodeMatch,
    size: f64,
    least: f64,
) -> impl Iterator<Item = MeshDifference> {
    let pairs = match_meshes(models, nodes).pairs;
    let skins = models.map(skins_of_meshes);
    let sizes = Units::new(models[0]).sizes_in_meshes(size);
    let mut looks_left = nearest::MAX_LOOKS;
    pairs.into_iter().map(move |indices| {
        let [a, b] = [0, 1].map(|side| &models[side].meshes[indices[side]]);
        let movers = [0, 1].map(|side| {
            let skin = skins[side][indices[side]].and_then(|skin| models[side].skins.get(skin));
            let joints = skin.map_or(&[][..], |skin| &skin.joints);
            let in_first = |&joint: &NodeId| match side {
                0 => Some(joint),
                _ => nodes.first_of(joint),
            };
            joints.iter().map(in_first).collect()
        });
        let mut comparison = Comparison {
            movers,
            size: sizes[indices[0]],
            least,
            looks_left: &mut looks_left,
            found: MeshDifference {
                indices,
                attributes: attributes::none(),
                ..MeshDifference::default()
            },
        };
        comparison.meshes(a, b);
        comparison.found
    })
}

/// For each mesh the first skin that it has.
fn skins_of_meshes(model: &Model) -> Vec<Option<usize>> {
    let mut skins = vec![None; model.meshes.len()];
    for node in model.hierarchy.nodes() {
        if let Some(skin) = node.mesh.and_then(|mesh| skins.get_mut(mesh)) {
            *skin = skin.or(node.skin);
        }
    }
    skins
}

/// What rounding leaves between places, as a part of the size.
const ROUNDING: f64 = 1e-6;

struct Comparison<'l> {
    /// For each joint of a mesh's skin the node of the first model.
    movers: [Vec<Option<NodeId>>; 2],
    /// Of the model, in the units of the mesh.
    size: f64,
    least: f64,
    /// What remains to search for nearest points, in all meshes.
    looks_left: &'l mut usize,
    found: MeshDifference,
}

impl Comparison<'_> {
    fn meshes(&mut self, a: &Mesh, b: &Mesh) {
        let pairs = a.primitives.iter().zip(&b.primitives);
        let pairs_count = pairs.len();
        pairs.for_each(|(a, b)| self.primitives(a, b));
        let alone = a.primitives.iter().skip(pairs_count);
        let alone = alone.chain(b.primitives.iter().skip(pairs_count));
        self.found.moved += alone.map(Primitive::own_vertex_count).sum::<usize>();
    }

    fn primitives(&mut self, a: &Primitive, b: &Primitive) {
        let places = [a, b].map(|it| &it.vertices.positions[..it.own_vertex_count()]);
        let least = (self.least * self.size) as f32;
        let is_near = |(a, b): &(&Vec3, &Vec3)| a.distance(**b) <= least;
        let near = places[0].iter().zip(places[1]).filter(is_near).count();
        if places[0].len() == places[1].len() && 2 * near >= places[0].len() {
            for (vertex, (from, to)) in places[0].iter().zip(places[1]).enumerate() {
                let distance = from.distance(*to);
                if distance > least {
                    self.found.moved += 1;
                    let part = f64::from(distance) / self.size;
                    self.found.distance = self.found.distance.max(part);
                }
                self.vertex([a, b], vertex, &[vertex]);
            }
            self.shapes_of_paired(a, b);
            return;
        }
        let grids = places.map(|places| Grid::new(places, least));
        self.shapes_by_places([a, b], &grids[0]);
        let lonely = places[1].iter().copied();
        let lonely: Vec<_> = lonely
            .filter(|&place| grids[0].near(place).is_empty())
            .collect();
        let mut alone = Vec::new();
        for (vertex, &place) in places[0].iter().enumerate() {
            let others = grids[1].near(place);
            if others.is_empty() {
                alone.push(place);
            } else {
                self.vertex([a, b], vertex, &others);
            }
        }
        self.found.moved += alone.len().max(lonely.len());
        for (alone, others) in [(alone, places[1]), (lonely, places[0])] {
            let farthest = nearest::farthest(&alone, others, self.looks_left);
            let part = f64::from(farthest.unwrap_or_default()) / self.size;
            self.found.distance = self.found.distance.max(part);
        }
    }

    /// Compares shapes where vertices stand in the same order: those that are alike in all may stand for each other.
    fn shapes_of_paired(&mut self, a: &Primitive, b: &Primitive) {
        if a.topology == b.topology && a.indices == b.indices && a.copies == b.copies {
            return;
        }
        let positions = &a.vertices.positions[..a.own_vertex_count()];
        let twins = Grid::new(positions, self.twins_apart());
        let places = shapes::places(positions.len(), |vertex| {
            let near = twins.near(positions[vertex]).into_iter();
            near.filter(|&other| self.are_alike(a, vertex, other))
                .collect()
        });
        let places: Vec<_> = places.into_iter().map(Some).collect();
        let difference = ShapeDifference::of([a, b], [&places, &places]);
        self.found.shapes.add(difference);
    }

    /// Compares shapes where each vertex is any of those in its place; `grid` has those of the first.
    fn shapes_by_places(&mut self, primitives: [&Primitive; 2], grid: &Grid<'_>) {
        let [a, b] = primitives.map(|it| &it.vertices.positions[..it.own_vertex_count()]);
        let twins = Grid::new(a, self.twins_apart());
        let places = shapes::places(a.len(), |vertex| twins.near(a[vertex]));
        let others = b.iter().map(|&at| {
            let twin = twins.nearest(at).or_else(|| grid.nearest(at));
            twin.map(|vertex| places[vertex])
        });
        let others: Vec<_> = others.collect();
        let mut is_shared = vec![false; a.len()];
        for place in others.iter().flatten() {
            is_shared[*place as usize] = true;
        }
        let places = places.into_iter();
        let places: Vec<_> = places
            .map(|place| is_shared[place as usize].then_some(place))
            .collect();
        let difference = ShapeDifference::of(primitives, [&places, &others]);
        self.found.shapes.add(difference);
    }

    /// How far vertices of a mesh are apart at most that stand in one place: seams are written alike. It is not what may differ, by
    /// which fine meshes would be one place from end to end.
    fn twins_apart(&self) -> f32 {
        (self.least.min(ROUNDING) * self.size) as f32
    }

    /// Whether vertices of a primitive that are in one place have all else alike.
    fn are_alike(&self, primitive: &Primitive, vertex: usize, other: usize) -> bool {
        let both = [primitive; 2];
        let mut attributes = attributes::none();
        let [own, others] = [vertex, other].map(|vertex| self.weights(primitive, 0, vertex));
        let mut targets = primitive.targets.iter();
        let is_morphed_alike =
            targets.all(|target| are_moved_alike([target; 2], [vertex, other], [0.0; 2]));
        is_morphed_alike
            && greatest_difference(&[own, others]).0 <= self.least
            && attributes.iter_mut().all(|attribute| {
                attribute.look_at(both, vertex, &[other], self.least);
                attribute.vertices == 0
            })
    }

    /// Compares a vertex of the first with those of the second that may be the same: with the one that is most like it.
    fn vertex(&mut self, primitives: [&Primitive; 2], vertex: usize, others: &[usize]) {
        let [a, b] = primitives;
        let weights = others.iter().map(|&other| {
            let places = [vertex, other];
            let of = [0, 1].map(|side| self.weights(primitives[side], side, places[side]));
            greatest_difference(&of)
        });
        let (weight, joint) = weights
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or_default();
        if weight > self.least {
            self.found.bound_otherwise += 1;
            if weight > self.found.weight {
                (self.found.weight, self.found.joint) = (weight, joint);
            }
        }
        for attribute in &mut self.found.attributes {
            attribute.look_at(primitives, vertex, others, self.least);
        }
        let least = [self.least * self.size, self.least].map(|least| least as f32);
        let is_morphed_alike = |&other: &usize| {
            let mut targets = a.targets.iter().zip(&b.targets);
            targets.all(|(a, b)| are_moved_alike([a, b], [vertex, other], least))
        };
        let is_alike = others.iter().any(is_morphed_alike);
        self.found.morphed_otherwise += usize::from(!is_alike);
    }

    /// The weights of a vertex, by joints of the first model.
    fn weights(
        &self,
        primitive: &Primitive,
        side: usize,
        vertex: usize,
    ) -> Vec<(Option<NodeId>, f64)> {
        let Some(influences) = &primitive.influences else {
            return Vec::new();
        };
        let Influences { per_vertex, .. } = *influences;
        let own = vertex * per_vertex..(vertex + 1) * per_vertex;
        let joints = influences.joints[own.clone()].iter();
        let all = joints.zip(&influences.weights[own]);
        let of_joint = |(&joint, &weight): (&u16, &f32)| {
            let mover = self.movers[side].get(usize::from(joint));
            (mover.copied().flatten(), f64::from(weight))
        };
        all.map(of_joint)
            .filter(|(_, weight)| *weight > 0.0)
            .collect()
    }
}

/// Whether two targets do the same to a vertex each, but for lengths and for values that are no longer than `least`: where it
/// is, where it points, and what else it has. What a target says nothing of it leaves as it is.
fn are_moved_alike(targets: [&MorphTarget; 2], vertices: [usize; 2], least: [f32; 2]) -> bool {
    fn both<T: Copy + Default>(deltas: [&Deltas<T>; 2], vertices: [usize; 2]) -> [T; 2] {
        let of = |side: usize| deltas[side].get(vertices[side]);
        [of(0), of(1)].map(Option::unwrap_or_default)
    }
    let [length, value] = least;
    let are_near = |of: fn(&MorphTarget) -> &Deltas<Vec3>, least: f32| {
        let [a, b] = both(targets.map(of), vertices);
        a.distance(b) <= least
    };
    let are_mapped_alike = |set: usize| {
        let [a, b] = both(targets.map(|it| &it.tex_coords[set]), vertices);
        a.distance(b) <= value
    };
    let [a, b] = both(targets.map(|it| &it.colors), vertices);
    are_near(|it| &it.positions, length)
        && are_near(|it| &it.normals, value)
        && are_near(|it| &it.tangents, value)
        && (0..2).all(are_mapped_alike)
        && a.distance(b) <= value
}

/// By how much the weight of a joint differs at most, and which that is; one of both alone has what the first model has not.
fn greatest_difference(weights: &[Vec<(Option<NodeId>, f64)>; 2]) -> (f64, Option<NodeId>) {
    let of = |side: usize, joint: Option<NodeId>| -> f64 {
        let same = weights[side].iter().filter(|(other, _)| *other == joint);
        same.map(|(_, weight)| weight).sum()
    };
    let joints = weights.iter().flatten().map(|(joint, _)| *joint);
    let differences = joints.map(|joint| ((of(0, joint) - of(1, joint)).abs(), joint));
    let greatest = differences.max_by(|a, b| a.0.total_cmp(&b.0));
    greatest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec4};

    use super::*;

    #[test]
    fn targets_differ_in_all_that_they_move() {
        let same = MorphTarget {
            positions: vec![Vec3::X].into(),
            ..MorphTarget::default()
        };
        let normals = vec![0.1 * Vec3::Y].into();
        let with = |change: fn(&mut MorphTarget)| {
            let mut target = same.clone();
            change(&mut target);
            target
        };
        let others = [
            with(|it| it.positions = vec![Vec3::X + 0.1 * Vec3::Y].into()),
            MorphTarget {
                normals,
                ..same.clone()
            },
            with(|it| it.tangents = vec![0.1 * Vec3::Z].into()),
            with(|it| it.colors = vec![Vec4::W * 0.1].into()),
            with(|it| it.tex_coords[1] = Deltas::Few(vec![(0, Vec2::X * 0.1)])),
        ];
        assert!(are_moved_alike([&same; 2], [0; 2], [0.0; 2]));
        for other in &others {
            for (least, expected) in [(0.01, false), (0.2, true)] {
                let found = are_moved_alike([&same, other], [0; 2], [least; 2]);
                assert_eq!(found, expected, "{other:?}");
            }
        }
    }
}
