//! Triangle surfaces while they are built, and the primitives they end as.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::weights::Influences;

/// A surface of one skin: shared vertices, a material per triangle.
#[derive(Default)]
pub struct Surface {
    /// Rest positions, in metres.
    pub positions: Vec<DVec3>,
    /// Unit normals.
    pub normals: Vec<DVec3>,
    /// Joint weights.
    pub influences: Vec<Influences>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The material of each triangle.
    pub materials: Vec<usize>,
}

impl Surface {
    /// Adds a quad as two triangles, split along the shorter diagonal.
    pub fn push_quad(&mut self, [a, b, c, d]: [u32; 4]) {
        let length = |i: u32, j: u32| {
            self.positions[i as usize].distance_squared(self.positions[j as usize])
        };
        // The margin keeps the choice away from ties, which a symmetric body has by the hundred.
        let halves = if length(a, c) <= length(b, d) * 1.0001 {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        };
        self.triangles.extend(halves);
        self.materials.extend([0, 0]);
    }

    /// The vertices joined to each vertex by an edge, in rising order.
    pub fn neighbors(&self) -> Vec<Vec<u32>> {
        let mut sets = vec![BTreeSet::new(); self.positions.len()];
        for &[a, b, c] in &self.triangles {
            for (i, j) in [(a, b), (b, c), (c, a)] {
                sets[i as usize].insert(j);
                sets[j as usize].insert(i);
            }
        }
        sets.into_iter()
            .map(|set| set.into_iter().collect())
            .collect()
    }

    /// The triangles of one material as a primitive of their own; `tint` gives the vertex colours.
    pub fn primitive(&self, material: usize, tint: impl Fn(DVec3, DVec3) -> DVec3) -> Primitive {
        let mut primitive = Primitive {
            material,
            ..Primitive::default()
        };
        let mut renumbered = BTreeMap::new();
        let used = self
            .triangles
            .iter()
            .zip(&self.materials)
            .filter(|(_, m)| **m == material);
        for (triangle, _) in used {
            let triangle = triangle.map(|old| {
                *renumbered.entry(old).or_insert_with(|| {
                    let i = old as usize;
                    primitive.vertices.push(Vertex {
                        position: self.positions[i],
                        normal: self.normals[i],
                        color: tint(self.positions[i], self.normals[i]),
                        influences: self.influences[i].clone(),
                    });
                    primitive.vertices.len() as u32 - 1
                })
            });
            primitive.triangles.push(triangle);
        }
        primitive
    }
}

/// All of one vertex. The colour is linear and multiplies the material's.
#[derive(Clone)]
pub struct Vertex {
    /// Rest position, in metres.
    pub position: DVec3,
    /// Unit normal.
    pub normal: DVec3,
    /// Linear colour, each channel 0..1.
    pub color: DVec3,
    /// Joint weights.
    pub influences: Influences,
}

/// What a morph target adds to a vertex.
#[derive(Clone, Copy, Default)]
pub struct Delta {
    /// Added to the position.
    pub position: DVec3,
    /// Added to the normal.
    pub normal: DVec3,
}

/// Triangles of one material, ready to be written.
#[derive(Clone, Default)]
pub struct Primitive {
    /// Index of the material.
    pub material: usize,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Morph targets, each as long as `vertices`, or empty for "moves nothing".
    pub targets: Vec<Vec<Delta>>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Primitive {
    /// Takes in another primitive of the same material and the same number of targets.
    pub fn append(&mut self, other: &Self) {
        let base = self.vertices.len() as u32;
        let longer = self.targets.len().max(other.targets.len());
        self.targets.resize(longer, Vec::new());
        for (i, target) in self.targets.iter_mut().enumerate() {
            let theirs = other.targets.get(i).filter(|t| !t.is_empty());
            if theirs.is_some() || !target.is_empty() {
                target.resize(base as usize, Delta::default());
                target.extend_from_slice(theirs.map_or(&[], Vec::as_slice));
                target.resize(base as usize + other.vertices.len(), Delta::default());
            }
        }
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|i| i + base)));
    }

    /// Adds the triangles of a `columns` by `rows` lattice whose vertices were pushed row by row from `first`;
    /// a closed lattice joins its last column to its first.
    pub fn push_lattice(&mut self, first: u32, columns: u32, rows: u32, closed: bool) {
        let last = if closed { columns } else { columns - 1 };
        for row in 0..rows - 1 {
            for column in 0..last {
                let next = (column + 1) % columns;
                let at = |c: u32, r: u32| first + r * columns + c;
                let [a, b, c, d] = [
                    at(column, row),
                    at(next, row),
                    at(next, row + 1),
                    at(column, row + 1),
                ];
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }

    /// The primitive without vertices that no triangle uses; for primitives without targets.
    pub fn compacted(self) -> Self {
        let mut renumbered = BTreeMap::new();
        let mut vertices = Vec::new();
        let triangles = self.triangles.iter().map(|triangle| {
            triangle.map(|old| {
                *renumbered.entry(old).or_insert_with(|| {
                    vertices.push(self.vertices[old as usize].clone());
                    vertices.len() as u32 - 1
                })
            })
        });
        let triangles = triangles.collect();
        Self {
            material: self.material,
            vertices,
            targets: Vec::new(),
            triangles,
        }
    }

    /// Drops triangles without area (the poles of lattices).
    pub fn drop_slivers(&mut self) {
        let vertices = &self.vertices;
        self.triangles.retain(|t| {
            let [a, b, c] = t.map(|i| vertices[i as usize].position);
            (b - a).cross(c - a).length() > 1e-9
        });
    }
}

/// Joins primitives so that each material is drawn once.
pub fn by_material(primitives: Vec<Primitive>) -> Vec<Primitive> {
    let mut joined: Vec<Primitive> = Vec::new();
    for primitive in primitives.iter().filter(|p| !p.triangles.is_empty()) {
        match joined.iter_mut().find(|j| j.material == primitive.material) {
            Some(same) => same.append(primitive),
            None => joined.push(primitive.clone()),
        }
    }
    joined.sort_by_key(|primitive| primitive.material);
    joined
}
