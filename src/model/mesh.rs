//! Meshes: primitives of vertices, influences and morph targets.

use glam::{Vec2, Vec3, Vec4};

use super::{Aabb, Colors, Deltas, Indices, TextureRef, VertexSet, name_or};

/// A mesh (glTF 2.0 §3.7).
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// The mesh's name, or empty.
    pub name: String,
    /// What can be drawn of it; a primitive that could not be read is missing here.
    pub primitives: Vec<Primitive>,
    /// Number of morph targets, the same for every primitive.
    pub target_count: usize,
    /// Names of the morph targets, from `extras.targetNames` of the mesh or its primitives; may be shorter than
    /// `target_count`.
    pub target_names: Vec<String>,
}

impl Mesh {
    /// The file's name for a morph target, or empty.
    pub fn own_target_name(&self, target: usize) -> &str {
        self.target_names.get(target).map_or("", String::as_str)
    }

    /// A name to show for a morph target: the file's, or `target 3`.
    pub fn target_name(&self, target: usize) -> String {
        name_or(self.own_target_name(target), "target", target)
    }
}

/// How indices make shapes. Strips, fans and loops become lists at import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Topology {
    /// Each index is a point.
    Points,
    /// Each two indices are a segment.
    Lines,
    /// Each three indices are a triangle, counter-clockwise seen from its front.
    #[default]
    Triangles,
}

/// Something that is drawn at once: one topology, one material.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// Its index among the mesh's primitives in the file.
    pub file_index: usize,
    /// How `indices` make shapes.
    pub topology: Topology,
    /// Each is less than the number of vertices; a whole number of points, segments or triangles.
    pub indices: Indices,
    /// The vertices in file order, and then copies of some of them that differ in their tangents only.
    pub vertices: Vertices,
    /// Which vertices those at the end are copies of.
    pub copies: Vec<u32>,
    /// The texture for whose coordinates its tangents were computed; none if the file has them, or there are none.
    pub tangents_of: Option<TextureRef>,
    /// How many vertices of the file are not here: other primitives share them, and this one does not name them. Those that
    /// are here stand in the file's order.
    pub left_out_vertices: usize,
    /// Which vertices of the file are here, where others are left out; empty where none are.
    pub file_vertices: Vec<u32>,
    /// Which joints move the vertices; none if the primitive has no joints.
    pub influences: Option<Influences>,
    /// One for each morph target of the mesh.
    pub targets: Vec<MorphTarget>,
    /// Index of its material in [`super::Model::materials`].
    pub material: usize,
    /// Other materials that it has in some variants, sorted by variant, each at most once.
    pub variant_materials: Vec<VariantMaterial>,
    /// Vertices that no index names: nothing is drawn of them, and no box need hold them.
    pub undrawn: VertexSet,
    /// The box around the vertices that are drawn as they are in the file, neither morphed nor skinned.
    pub rest_bounds: Aabb,
}

impl Primitive {
    /// Number of vertices that the file has, those that are left out here included.
    pub fn file_vertex_count(&self) -> usize {
        self.own_vertex_count() + self.left_out_vertices
    }

    /// The number that a vertex has in the file; a copy has that of what it is a copy of.
    pub fn file_vertex(&self, vertex: u32) -> u32 {
        let vertex = self.own_vertex(vertex);
        let number = self.file_vertices.get(vertex as usize);
        number.copied().unwrap_or(vertex)
    }

    /// The vertex that a copy is one of; others are their own.
    pub fn own_vertex(&self, vertex: u32) -> u32 {
        let copy = (vertex as usize).checked_sub(self.own_vertex_count());
        let origin = copy.and_then(|copy| self.copies.get(copy));
        *origin.unwrap_or(&vertex)
    }

    /// Number of vertices of the file that are here; those after them are copies.
    pub fn own_vertex_count(&self) -> usize {
        let count = self.vertices.positions.len();
        count.saturating_sub(self.copies.len())
    }

    /// Whether its tangents are those that the coordinates of a texture ask for: the file's own are.
    pub fn has_tangents_of(&self, texture: &TextureRef) -> bool {
        let computed_for = self.tangents_of.as_ref();
        computed_for.is_none_or(|own| own.is_aligned_with(texture))
    }

    /// Number of its triangles.
    pub fn triangle_count(&self) -> usize {
        match self.topology {
            Topology::Triangles => self.indices.len() / 3,
            Topology::Points | Topology::Lines => 0,
        }
    }

    /// Indices of all materials that it may have: the file's own choice, and those of variants.
    pub fn materials(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        let others = self.variant_materials.iter().map(|it| it.material);
        others.chain([self.material])
    }

    /// Index of the material that it has in a variant of the model; none is the file's own choice.
    pub fn material_in(&self, variant: Option<usize>) -> usize {
        let mut others = self.variant_materials.iter();
        let other = others.find(|other| Some(other.variant) == variant);
        other.map_or(self.material, |other| other.material)
    }
}

/// The material that a primitive has in a variant (`KHR_materials_variants`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantMaterial {
    /// Index into [`super::Model::variants`].
    pub variant: usize,
    /// Index into [`super::Model::materials`].
    pub material: usize,
}

/// Vertex attributes, one array each. All but `positions` may be empty, meaning absent; else all lengths are equal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vertices {
    /// In the mesh's space, finite.
    pub positions: Vec<Vec3>,
    /// Unit vectors. Absent: the surface is shaded flat (glTF 2.0 §3.7.2.1).
    pub normals: Vec<Vec3>,
    /// xyz a unit vector, w the sign of the bitangent. Absent also wherever normals are.
    pub tangents: Vec<Vec4>,
    /// First and second set of texture coordinates.
    pub tex_coords: [Vec<Vec2>; 2],
    /// Linear colours and alpha.
    pub colors: Colors,
}

impl Vertices {
    /// Bytes that all attributes take.
    pub fn bytes(&self) -> usize {
        let [first, second] = &self.tex_coords;
        size_of_val(&self.positions[..])
            + size_of_val(&self.normals[..])
            + size_of_val(&self.tangents[..])
            + size_of_val(&first[..])
            + size_of_val(&second[..])
            + self.colors.bytes()
    }
}

/// Which joints move each vertex, and how much.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Influences {
    /// Entries a vertex: 4 or 8.
    pub per_vertex: usize,
    /// Indices into the skin's joints, `per_vertex` for each vertex; all in range for every skin that the mesh is used with.
    pub joints: Vec<u16>,
    /// Parallel to `joints`: not negative, each vertex's own sum to 1.
    pub weights: Vec<f32>,
}

impl Influences {
    /// Bytes that joints and weights take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.joints[..]) + size_of_val(&self.weights[..])
    }
}

/// What one morph target adds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to positions.
    pub positions: Deltas<Vec3>,
    /// Added to normals.
    pub normals: Deltas<Vec3>,
    /// Added to the tangents' xyz.
    pub tangents: Deltas<Vec3>,
    /// Added to the texture coordinates of each set.
    pub tex_coords: [Deltas<Vec2>; 2],
    /// Added to colours and alpha.
    pub colors: Deltas<Vec4>,
}

impl MorphTarget {
    /// Bytes that all attributes take.
    pub fn bytes(&self) -> usize {
        self.positions.bytes()
            + self.normals.bytes()
            + self.tangents.bytes()
            + self.tex_coords.iter().map(Deltas::bytes).sum::<usize>()
            + self.colors.bytes()
    }
}
