//! Meshes and their primitives (glTF 2.0 §3.7.2).

use glam::Vec3;
use gltf::json::{self, Index, accessor::Type, mesh::Semantic, validation::Checked};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    import::{
        arrays::{
            accessor::{Accessor, PrimitivePlace},
            apart::read_apart,
            source::{Source, Use},
        },
        base::{
            diagnostics::Diagnostics,
            extension,
            progress::{Cancelled, fraction},
            scope::Scope,
            wording::{counted, there_are},
        },
        json::{document::Section, extensions::ObjectExtensions, fields::Fields},
        scene::skins::Joints,
        surface::variants,
    },
    model::{Aabb, Mesh, Primitive, VertexSet},
};

use super::{
    influences, morphs,
    shapes::Made,
    shared::{self, Copies, Lost, Shared, SharedVertices, Surface},
    topology::Shapes,
    vertices,
};

/// What a primitive that cannot be read costs.
pub(super) const NOT_DRAWN: &str = "the primitive is not drawn";

/// A mesh object. Primitives stay text at first, so that a bad one costs only itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileMesh {
    name: Option<String>,
    primitives: Vec<Box<RawValue>>,
    weights: Option<Vec<f32>>,
    extras: Option<Box<RawValue>>,
}

/// All meshes, and the morph weights that they state.
#[derive(Debug, Default)]
pub(in crate::import) struct FileMeshes {
    pub meshes: Vec<Mesh>,
    pub weights: Vec<Vec<f32>>,
    /// Whether any primitive of each mesh has joints and weights in the file.
    pub have_joints: Vec<bool>,
}

/// Reads all meshes. `joints` are those that the vertices of each may name. Primitives that share very many
/// vertices, in whatever meshes they are, keep those that they name; if nobody looks at them, all of them as far as there is
/// memory. For clips alone there are no primitives.
pub(in crate::import) fn read(
    source: &Source<'_>,
    joints: &[Option<Joints>],
    variant_count: usize,
    scope: Scope,
    diagnostics: &mut Diagnostics,
) -> Result<FileMeshes, Cancelled> {
    let count = source.document.count(Section::Meshes);
    let variant_count = variants::are_listed(&source.document).then_some(variant_count);
    let read = |index: usize,
                joints: &Option<Joints>,
                shared: &mut SharedVertices<'_, '_>,
                diagnostics: &mut Diagnostics| {
        source.progress.check()?;
        source
            .progress
            .set_stage("reading meshes", 0.4 + 0.4 * fraction(index, count));
        let object = source
            .document
            .object::<FileMesh>(Section::Meshes, index, diagnostics);
        let Some(object) = object else {
            return Ok(Default::default());
        };
        let reader = MeshReader {
            source,
            index,
            joints: joints.as_ref(),
            scope,
        };
        let (mut mesh, has_joints) = reader.read(&object, shared, diagnostics)?;
        for primitive in &mut mesh.primitives {
            let place = primitive.file_index;
            let pointer = format_args!("/meshes/{index}/primitives/{place}");
            let text = object.primitives.get(place).map_or("", |text| text.get());
            let document = &source.document;
            primitive.variant_materials =
                variants::materials(document, text, variant_count, pointer, diagnostics);
        }
        let weights = object.weights.unwrap_or_default();
        if !weights.is_empty() && weights.len() != mesh.target_count {
            let targets = mesh.target_count;
            diagnostics.error(
                "MESH_INVALID_WEIGHTS_COUNT",
                format_args!("/meshes/{index}/weights"),
                format!(
                    "{} for {}",
                    there_are(weights.len(), "weight", "weights"),
                    counted(targets, "morph target", "morph targets")
                ),
                "missing weights are 0, others are ignored",
            );
        }
        Ok((mesh, weights, has_joints))
    };
    // Where they would keep many copies of what they share, or there is no memory for these, they are read one by one.
    let is_shown = scope.is_shown();
    let copies = Copies::new(source, is_shown);
    let read_alone = |index: usize, joints: &Option<Joints>, diagnostics: &mut Diagnostics| {
        if !copies.are_few() {
            return Ok(Default::default());
        }
        let mut shared = SharedVertices::new(source, is_shown, Some(&copies));
        read(index, joints, &mut shared, diagnostics)
    };
    let are_few = || copies.are_few();
    let apart = read_apart(source, joints, diagnostics, read_alone, are_few)?;
    let read_all = || {
        let mut shared = SharedVertices::new(source, is_shown, None);
        let each = joints.iter().enumerate();
        each.map(|(index, joints)| read(index, joints, &mut shared, diagnostics))
            .collect::<Result<Vec<_>, _>>()
    };
    let mut all = FileMeshes::default();
    for (mesh, weights, has_joints) in apart.map_or_else(read_all, Ok)? {
        all.meshes.push(mesh);
        all.weights.push(weights);
        all.have_joints.push(has_joints);
    }
    Ok(all)
}

/// Reads one mesh.
#[derive(Debug, Clone, Copy)]
struct MeshReader<'r, 's> {
    source: &'r Source<'s>,
    index: usize,
    /// The joints that its vertices may name, if it has a skin.
    joints: Option<&'r Joints>,
    scope: Scope,
}

impl MeshReader<'_, '_> {
    /// The mesh, and whether any of its primitives has joints and weights in the file.
    fn read(
        self,
        object: &FileMesh,
        shared: &mut SharedVertices<'_, '_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Mesh, bool), Cancelled> {
        let Self { source, index, .. } = self;
        if object.primitives.is_empty() {
            let pointer = format_args!("/meshes/{index}/primitives");
            diagnostics.error("EMPTY_ENTITY", pointer, "the mesh has no primitives", "");
        }
        let mut mesh = Mesh {
            name: object.name.clone().unwrap_or_default(),
            target_names: morphs::target_names(object.extras.as_deref()),
            ..Mesh::default()
        };
        let (mut target_counts, mut has_joints) = (Vec::new(), false);
        for (place, text) in object.primitives.iter().enumerate() {
            source.progress.check()?;
            let pointer = format_args!("/meshes/{index}/primitives/{place}");
            let read = source
                .document
                .read(text.get(), pointer, NOT_DRAWN, diagnostics);
            let Some(object): Option<json::mesh::Primitive> = read else {
                target_counts.extend(stated_targets(text.get()));
                continue;
            };
            has_joints |= influences::has_joints(&object.attributes);
            target_counts.push(object.targets.as_ref().map_or(0, Vec::len));
            if mesh.target_names.is_empty() {
                mesh.target_names = morphs::target_names(object.extras.as_deref());
            }
            if self.scope == Scope::Clips {
                continue;
            }
            let mut reader = PrimitiveReader {
                source,
                mesh: index,
                place,
                joints: self.joints,
                stated: 0,
            };
            reader.stated = reader.stated_vertices(&object);
            let is_compressed =
                ObjectExtensions::of(text.get()).has(extension::KHR_DRACO_MESH_COMPRESSION);
            if is_compressed && !reader.has_positions(&object) {
                let message = "its compressed data cannot be read, and there are no others";
                diagnostics.error("MESH_PRIMITIVE_NO_DATA", pointer, message, NOT_DRAWN);
                continue;
            }
            let targets = object.targets.as_deref().unwrap_or_default();
            let looks = if targets.is_empty() {
                Vec::new()
            } else {
                morphs::LookTarget::of(&source.document, text.get())
            };
            // Compressed ones have data of their own, whatever their accessors are.
            let found = (!is_compressed).then(|| shared.find(reader, &object, &looks, diagnostics));
            let primitive = match found {
                Some(Err(Lost)) => None,
                Some(Ok(Some(surface))) => reader.pick(&object, surface, diagnostics),
                Some(Ok(None)) | None => reader.read(&object, &looks, diagnostics),
            };
            mesh.primitives.extend(primitive);
        }
        morphs::even_out(source, index, &target_counts, &mut mesh, diagnostics);
        Ok((mesh, has_joints))
    }
}

/// How many morph targets a primitive states that cannot be read: weights and channels are at no fault for it. None if that
/// cannot be told either.
fn stated_targets(text: &str) -> Option<usize> {
    let object = Fields::of(text)?;
    let count = object.list("targets").len();
    (count > 0 || !object.has("targets")).then_some(count)
}

/// Reads one primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimitiveReader<'r, 's> {
    pub source: &'r Source<'s>,
    pub mesh: usize,
    pub place: usize,
    /// The joints that its vertices may name, if it has a skin.
    pub joints: Option<&'r Joints>,
    /// How many vertices the file states.
    pub stated: usize,
}

impl<'r> PrimitiveReader<'r, '_> {
    /// The accessor that an attribute or, without a name, the indices refer to, if its elements have `shape`: its own, where it
    /// has compressed data.
    pub(super) fn accessor(
        self,
        (attribute, index): (Option<&impl ToString>, Index<json::Accessor>),
        shape: &[Type],
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(usize, &'r Accessor)> {
        let source = self.source;
        let own = |index| {
            source
                .accessors
                .of_primitive(self.file_place(), attribute, index)
        };
        source.accessor_or(index, own, shape, wanted, diagnostics)
    }

    /// [`Self::accessor`] of whatever shape, if it can be read; nothing is said if not.
    pub(super) fn accessor_at(
        self,
        attribute: &impl ToString,
        index: Index<json::Accessor>,
    ) -> Option<&'r Accessor> {
        let accessors = &self.source.accessors;
        let index = accessors.of_primitive(self.file_place(), Some(attribute), index.value());
        accessors.get(index).ok()
    }

    /// The accessor of indices that come out of compressed data alone.
    pub(super) fn unstated_indices(self) -> Option<(usize, &'r Accessor)> {
        let accessors = &self.source.accessors;
        let index = accessors.unstated_indices(self.file_place())?;
        Some((index, accessors.get(index).ok()?))
    }

    fn file_place(self) -> PrimitivePlace {
        (self.mesh, self.place)
    }

    /// The accessor of its positions.
    pub(super) fn positions(self, object: &json::mesh::Primitive) -> Option<Index<json::Accessor>> {
        let positions = object.attributes.get(&Checked::Valid(Semantic::Positions));
        positions.copied()
    }

    /// As many as there are positions or, without these, elements of another attribute.
    fn stated_vertices(self, object: &json::mesh::Primitive) -> usize {
        let mut each = object.attributes.iter();
        let positions = self.positions(object);
        let positions = positions.and_then(|index| self.accessor_at(&Semantic::Positions, index));
        let counted =
            positions.or_else(|| each.find_map(|(part, index)| self.accessor_at(part, *index)));
        counted.map_or(0, |accessor| accessor.stated_count)
    }

    fn read(
        self,
        object: &json::mesh::Primitive,
        looks: &[morphs::LookTarget],
        diagnostics: &mut Diagnostics,
    ) -> Option<Primitive> {
        let Some(positions) = self.positions(object) else {
            self.look_through(object, diagnostics);
            return None;
        };
        let attributes = &object.attributes;
        let (vertices, bounds) = vertices::read(self, positions, attributes, diagnostics)?;
        let count = vertices.positions.len();
        let influences = influences::read(self, attributes, count, diagnostics);
        let shapes = self.read_drawn(object, count, true, diagnostics);
        let rest = shapes.and_then(|shapes| {
            let objects = object.targets.as_deref();
            let targets = morphs::read(self, objects, looks, &vertices, diagnostics);
            if targets.is_none() {
                self.give_back(shapes.taken);
            }
            Some((shapes, targets?))
        });
        let Some((shapes, targets)) = rest else {
            self.give_back(shared::bytes_of(&vertices, influences.as_ref()));
            return None;
        };
        let surface = Surface {
            vertices,
            influences,
            targets,
        };
        Some(self.join(object, shapes, (surface, bounds), diagnostics))
    }

    /// Takes what it names of a surface that it shares.
    fn pick(
        self,
        object: &json::mesh::Primitive,
        surface: &Shared,
        diagnostics: &mut Diagnostics,
    ) -> Option<Primitive> {
        let Self { mesh, place, .. } = self;
        let count = surface.vertices.positions.len();
        let mut shapes = self.read_drawn(object, count, false, diagnostics)?;
        match shared::pick(&self.source.budget, surface, &mut shapes) {
            Ok((surface, file_vertices)) => Some(Primitive {
                left_out_vertices: count.saturating_sub(surface.vertices.positions.len()),
                file_vertices,
                ..self.join(object, shapes, (surface, None), diagnostics)
            }),
            Err(fault) => {
                self.give_back(shapes.taken);
                let pointer = format_args!("/meshes/{mesh}/primitives/{place}");
                diagnostics.fault(fault, pointer, NOT_DRAWN);
                None
            }
        }
    }

    /// Makes one of its parts; the box around the surface's positions may be known.
    fn join(
        self,
        object: &json::mesh::Primitive,
        shapes: Shapes,
        (surface, bounds): (Surface, Option<Aabb>),
        diagnostics: &mut Diagnostics,
    ) -> Primitive {
        let Self { mesh, place, .. } = self;
        let material = object.material.and_then(|material| {
            let pointer = format_args!("/meshes/{mesh}/primitives/{place}/material");
            let action = "the default material is used";
            let document = &self.source.document;
            document.reference(Section::Materials, material, pointer, action, diagnostics)
        });
        // The default material is the last one.
        let default = self.source.document.count(Section::Materials);
        Primitive {
            file_index: place,
            topology: shapes.topology,
            indices: shapes.indices,
            rest_bounds: bounds
                .filter(|_| shapes.undrawn.is_empty())
                .unwrap_or_else(|| bounds_of(&surface.vertices.positions, &shapes.undrawn)),
            undrawn: shapes.undrawn,
            vertices: surface.vertices,
            influences: surface.influences,
            targets: surface.targets,
            material: material.unwrap_or(default),
            variant_materials: Vec::new(),
            tangents_of: None,
            copies: Vec::new(),
            left_out_vertices: 0,
            file_vertices: Vec::new(),
        }
    }

    /// What is not drawn costs nobody else anything.
    pub(super) fn give_back(self, bytes: usize) {
        self.source.budget.give_data_back(1, bytes);
    }

    fn has_positions(self, object: &json::mesh::Primitive) -> bool {
        let positions = self.positions(object);
        let accessor = positions.and_then(|index| self.accessor_at(&Semantic::Positions, index));
        accessor.is_some_and(|accessor| !accessor.is_all_zero())
    }

    /// Says what is wrong with a primitive without positions.
    fn look_through(self, object: &json::mesh::Primitive, diagnostics: &mut Diagnostics) {
        let Self { mesh, place, .. } = self;
        // glTF 2.0 §3.7.2.1 allows it, and leaves nothing to draw.
        diagnostics.warning(
            "MESH_PRIMITIVE_NO_POSITION",
            format_args!("/meshes/{mesh}/primitives/{place}/attributes"),
            "the primitive has no positions",
            NOT_DRAWN,
        );
        let attributes = &object.attributes;
        let Some(count) = vertices::look_through(self, attributes, diagnostics) else {
            return;
        };
        let influences = influences::read(self, attributes, count, diagnostics);
        self.give_back(influences.map_or(0, |it| it.bytes()));
        if let Checked::Valid(mode) = object.mode {
            let made = Made {
                mode,
                vertices: count,
                is_marked: false,
            };
            let shapes = self.read_shapes(object.indices, made, diagnostics);
            self.give_back(shapes.map_or(0, |it| it.taken));
        }
    }
}

/// The box around points, all of which are finite, but for those that are not drawn. Eight are looked at at once, number by
/// number: compilers make vector instructions of it.
fn bounds_of(points: &[Vec3], undrawn: &VertexSet) -> Aabb {
    if !undrawn.is_empty() {
        let points = points.iter().enumerate();
        let drawn = points.filter(|(vertex, _)| !undrawn.has(*vertex));
        return Aabb::of_points(drawn.map(|(_, point)| *point));
    }
    let (mut min, mut max) = ([f32::INFINITY; 24], [f32::NEG_INFINITY; 24]);
    let (blocks, rest) = points.as_chunks::<8>();
    for block in blocks {
        let numbers = block.map(|point| point.to_array());
        let lanes = min.iter_mut().zip(&mut max);
        for ((min, max), &number) in lanes.zip(numbers.as_flattened()) {
            *min = if number < *min { number } else { *min };
            *max = if number > *max { number } else { *max };
        }
    }
    let (min, max) = (min.as_chunks::<3>().0, max.as_chunks::<3>().0);
    let lanes = min.iter().zip(max).filter(|_| !blocks.is_empty());
    let lanes = lanes.map(|(min, max)| Aabb {
        min: Vec3::from_array(*min),
        max: Vec3::from_array(*max),
    });
    lanes.fold(Aabb::of_points(rest.iter().copied()), Aabb::union)
}
