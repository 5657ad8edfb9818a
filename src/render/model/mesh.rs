//! Meshes on the GPU: vertices, indices, influences and morph deltas of every primitive.

use std::{
    cell::OnceCell,
    collections::BTreeSet,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    ops::Range,
    sync::{Arc, OnceLock},
};

use wgpu::{BufferUsages, util::DeviceExt as _};

use super::{
    material::GpuMaterial,
    morphs::{MorphData, StillGroups},
    vertices::{
        AlikeBuffers, Attributes, ChosenAttributes, GpuInfluences, Source, packed_influences,
        packed_vertices,
    },
    waiting::Waiting,
};
use crate::{
    model::{
        Clip, Colors, Indices, Influences, Material, Model, Primitive, PropertyTarget, TextureRef,
        TextureSlot, TransformProperty, Vertices,
    },
    render::{
        Gpu,
        draw_lists::is_closed,
        room::{coverage::Coverage, shapes_of},
    },
    scene::DeformedBox,
};

/// A primitive's buffers.
#[derive(Debug)]
pub(in crate::render) struct GpuPrimitive {
    pub(in crate::render) vertices: GpuVertices,
    /// What the vertices have there.
    pub(in crate::render) attributes: Attributes,
    /// Stretches of vertices whose normals can be drawn as lines; none if they have no normals of their own: those that are
    /// filled up mean nothing.
    pub(in crate::render) normal_stretches: Vec<Range<u32>>,
    pub(in crate::render) indices: GpuIndices,
    pub(in crate::render) index_format: wgpu::IndexFormat,
    pub(in crate::render) index_count: u32,
    /// Points, lines or triangles.
    pub(in crate::render) shapes: u64,
    /// About what they cover, once that was asked.
    coverage: OnceCell<Coverage>,
    pub(in crate::render) influences: Option<wgpu::Buffer>,
    /// Joints a vertex, in fours: 0 if it has none.
    pub(in crate::render) sets_of_four: usize,
    /// Group 3.
    bind_group: wgpu::BindGroup,
    /// Where its tangents are not those of all of its materials.
    other_tangents: Option<OtherTangents>,
    /// Of what is drawn in the order of distances and deformed.
    pub(in crate::render) deformed_box: Option<DeformedBox>,
    /// Whether it is drawn in that order and closed all around.
    pub(in crate::render) is_closed: bool,
}

/// For materials whose tangent space is another than that of the map that tangents were computed for.
#[derive(Debug)]
struct OtherTangents {
    computed_for: TextureRef,
    /// Group 3, which says that others are needed.
    bind_group: wgpu::BindGroup,
}

impl GpuPrimitive {
    /// Group 3, in a material.
    pub(in crate::render) fn bind_group(&self, material: &GpuMaterial) -> &wgpu::BindGroup {
        let needed = material.tangent_texture.as_ref();
        let others = self.other_tangents.as_ref().zip(needed);
        let others = others.filter(|(other, needed)| !other.computed_for.is_aligned_with(needed));
        others.map_or(&self.bind_group, |(other, _)| &other.bind_group)
    }

    /// About what it covers; `primitive` is what was uploaded.
    pub(in crate::render) fn coverage(&self, primitive: &Primitive) -> Coverage {
        *self.coverage.get_or_init(|| Coverage::of(primitive))
    }
}

/// The vertices of a primitive.
#[derive(Debug, Clone)]
pub(in crate::render) struct GpuVertices {
    pub(in crate::render) positions: wgpu::Buffer,
    /// What else they have, if they have anything.
    pub(in crate::render) rest: Option<wgpu::Buffer>,
}

/// The indices of a primitive.
#[derive(Debug, Clone)]
pub(in crate::render) struct GpuIndices {
    pub(in crate::render) buffer: wgpu::Buffer,
    /// Those of its triangles' edges as lines, once they were drawn; none if they are too many.
    pub(in crate::render) edges: Arc<OnceLock<Option<wgpu::Buffer>>>,
}

/// Uploads the primitives of a model.
#[derive(Debug)]
pub(super) struct PrimitiveUploads<'m> {
    gpu: &'m Gpu,
    /// Of group 3.
    layout: &'m wgpu::BindGroupLayout,
    attributes: ChosenAttributes,
    materials: &'m [Material],
    /// Those whose maps a clip turns.
    turning: BTreeSet<usize>,
    still_groups: StillGroups,
    vertices: AlikeBuffers<'m, Vertices, GpuVertices>,
    influences: AlikeBuffers<'m, Influences, wgpu::Buffer>,
    indices: AlikeBuffers<'m, Indices, GpuIndices>,
    /// Bytes in buffers so far.
    pub(in crate::render) bytes: u64,
    waiting: Waiting,
}

impl<'m> PrimitiveUploads<'m> {
    pub(in crate::render) fn new(
        gpu: &'m Gpu,
        layout: &'m wgpu::BindGroupLayout,
        model: &'m Model,
    ) -> Self {
        let of = || model.primitives();
        Self {
            gpu,
            layout,
            attributes: ChosenAttributes::of(model),
            materials: &model.materials,
            turning: turning_materials(model),
            still_groups: StillGroups::default(),
            vertices: AlikeBuffers::new(of().map(|primitive| &primitive.vertices)),
            influences: AlikeBuffers::new(of().filter_map(|it| it.influences.as_ref())),
            indices: AlikeBuffers::new(of().map(|primitive| &primitive.indices)),
            bytes: 0,
            waiting: Waiting::default(),
        }
    }

    /// Uploads a primitive, `is_ordered` if with any of its materials it is drawn in the order of distances; `None` if it is
    /// too large for the device, which is logged with `name`.
    pub(in crate::render) fn upload(
        &mut self,
        primitive: &'m Primitive,
        is_ordered: bool,
        name: &str,
    ) -> Option<GpuPrimitive> {
        let attributes = self.attributes.for_primitive(primitive);
        if !self.is_within_limits(primitive, attributes, name) {
            return None;
        }
        let bytes_before = self.bytes;
        let morph = MorphData::new(self.gpu, primitive, name);
        self.bytes += 4 * morph.deltas.len() as u64;
        let vertices = self.upload_vertices(&primitive.vertices, attributes);
        let influences = primitive.influences.as_ref();
        let influences = influences.map(|influences| self.upload_influences(influences));
        let indices = self.upload_indices(&primitive.indices);
        let (bind_group, other_tangents) = self.bind_groups(primitive, morph);
        self.waiting.add(self.gpu, self.bytes - bytes_before);
        Some(GpuPrimitive {
            vertices,
            attributes,
            normal_stretches: normal_stretches(primitive),
            indices,
            index_format: match &primitive.indices {
                Indices::Short(_) => wgpu::IndexFormat::Uint16,
                Indices::Long(_) => wgpu::IndexFormat::Uint32,
            },
            index_count: primitive.indices.len() as u32,
            shapes: shapes_of(primitive),
            coverage: OnceCell::new(),
            influences,
            sets_of_four: sets_of_four(primitive),
            bind_group,
            other_tangents,
            deformed_box: is_ordered.then(|| DeformedBox::of(primitive)).flatten(),
            is_closed: is_ordered && is_closed(primitive),
        })
    }

    /// Whether each of a primitive's buffers is as large as the device allows at most. Where one is not, that is logged.
    fn is_within_limits(&self, primitive: &Primitive, attributes: Attributes, name: &str) -> bool {
        let count = primitive.vertices.positions.len() as u64;
        let largest = self.gpu.device.limits().max_buffer_size;
        let of_influences = (sets_of_four(primitive) * size_of::<GpuInfluences>()) as u64;
        let bytes_a_vertex = [12, attributes.bytes(), of_influences];
        let of_vertices = bytes_a_vertex.map(|bytes| count.saturating_mul(bytes));
        let of_indices = primitive.indices.bytes() as u64;
        let is_within = (of_vertices.iter().chain([&of_indices])).all(|&size| size <= largest);
        if !is_within {
            log::error!(
                "{name} is not drawn: it needs more than the adapter's {largest} bytes a buffer"
            );
        }
        is_within
    }

    fn upload_vertices(&mut self, vertices: &'m Vertices, attributes: Attributes) -> GpuVertices {
        let (gpu, bytes) = (self.gpu, &mut self.bytes);
        self.vertices.buffer(vertices, |vertices| {
            let label = "GpuVertices::positions";
            let positions = bytemuck::cast_slice(&vertices.positions);
            let positions = buffer(gpu, bytes, (label, positions), BufferUsages::VERTEX);
            let rest = (attributes != Attributes::NONE).then(|| {
                let rest = packed_vertices(vertices, attributes);
                let rest = ("GpuVertices::rest", bytemuck::cast_slice(&rest));
                buffer(gpu, bytes, rest, BufferUsages::VERTEX)
            });
            GpuVertices { positions, rest }
        })
    }

    fn upload_influences(&mut self, influences: &'m Influences) -> wgpu::Buffer {
        let (gpu, bytes) = (self.gpu, &mut self.bytes);
        self.influences.buffer(influences, |influences| {
            let packed = packed_influences(influences);
            let packed = ("GpuPrimitive::influences", bytemuck::cast_slice(&packed));
            buffer(gpu, bytes, packed, BufferUsages::VERTEX)
        })
    }

    fn upload_indices(&mut self, indices: &'m Indices) -> GpuIndices {
        let (gpu, bytes) = (self.gpu, &mut self.bytes);
        self.indices.buffer(indices, |indices| {
            let contents = ("GpuIndices::buffer", bytes_of_indices(indices));
            GpuIndices {
                buffer: buffer(gpu, bytes, contents, BufferUsages::INDEX),
                edges: Arc::default(),
            }
        })
    }

    /// Group 3 of a primitive, and what it needs where its tangents are not those of all of its materials.
    fn bind_groups(
        &mut self,
        primitive: &Primitive,
        morph: MorphData,
    ) -> (wgpu::BindGroup, Option<OtherTangents>) {
        let gpu = self.gpu;
        let deltas = morph.upload(gpu);
        let deltas = deltas.as_ref();
        let bind_group = self.still_groups.group(gpu, self.layout, &morph, deltas);
        let computed_for = primitive.tangents_of;
        let computed_for = computed_for.filter(|_| self.may_need_others(primitive));
        let other_tangents = computed_for.map(|computed_for| {
            let morph = morph.with_other_tangents();
            let bind_group = self.still_groups.group(gpu, self.layout, &morph, deltas);
            OtherTangents {
                computed_for,
                bind_group,
            }
        });
        (bind_group, other_tangents)
    }
}

/// Makes a buffer of a label and contents, whose bytes are counted.
fn buffer(
    gpu: &Gpu,
    bytes: &mut u64,
    (label, contents): (&str, &[u8]),
    usage: BufferUsages,
) -> wgpu::Buffer {
    *bytes += contents.len() as u64;
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents,
            usage,
        })
}

/// Joints a vertex of a primitive, in fours: 0 if it has none.
fn sets_of_four(primitive: &Primitive) -> usize {
    let influences = primitive.influences.as_ref();
    influences.map_or(0, |influences| influences.per_vertex / 4)
}

impl PrimitiveUploads<'_> {
    /// Whether a primitive may be seen in materials that need other tangents than were computed.
    fn may_need_others(&self, primitive: &Primitive) -> bool {
        let needs_others = |material: usize| {
            let material = self.materials.get(material);
            let needed = material.and_then(Material::tangent_texture);
            needed.is_some_and(|needed| !primitive.has_tangents_of(&needed))
        };
        let mut materials = primitive.materials();
        materials.any(|it| self.turning.contains(&it) || needs_others(it))
    }
}

/// The materials whose maps of directions clips turn or stretch.
fn turning_materials(model: &Model) -> BTreeSet<usize> {
    let tracks = model.clips.iter().flat_map(Clip::properties);
    let turned = tracks.filter_map(|track| match track.target() {
        PropertyTarget::TextureTransform(
            material,
            TextureSlot::Normal | TextureSlot::ClearcoatNormal | TextureSlot::Anisotropy,
            TransformProperty::Rotation | TransformProperty::Scale,
        ) => Some(material),
        _ => None,
    });
    turned.collect()
}

/// Stretches of vertices that a primitive has at most for its normals: each takes a draw call.
const MAX_STRETCHES: usize = 32;

/// The stretches of vertices of which something is drawn, or one of all where these lie too scattered; none without normals.
fn normal_stretches(primitive: &Primitive) -> Vec<Range<u32>> {
    if primitive.vertices.normals.is_empty() {
        return Vec::new();
    }
    let count = primitive.vertices.positions.len();
    let stretches = primitive.undrawn.gaps(count);
    let stretches = stretches.map(|it| it.start as u32..it.end as u32);
    let stretches: Vec<_> = stretches.take(MAX_STRETCHES + 1).collect();
    if stretches.len() <= MAX_STRETCHES {
        return stretches;
    }
    let all = 0..count as u32;
    vec![all]
}

fn bytes_of_indices(indices: &Indices) -> &[u8] {
    match indices {
        Indices::Short(indices) => bytemuck::cast_slice(indices),
        Indices::Long(indices) => bytemuck::cast_slice(indices),
    }
}

impl Source for Vertices {
    fn count(&self) -> usize {
        self.positions.len()
    }

    fn hash_into(&self, hasher: &mut DefaultHasher) {
        let [first, second] = &self.tex_coords;
        let colors: &[u8] = match &self.colors {
            Colors::Bytes(colors) => bytemuck::cast_slice(colors),
            Colors::Shorts(colors) => bytemuck::cast_slice(colors),
            Colors::Floats(colors) => bytemuck::cast_slice(colors),
        };
        let arrays: [&[u8]; 6] = [
            bytemuck::cast_slice(&self.positions),
            bytemuck::cast_slice(&self.normals),
            bytemuck::cast_slice(&self.tangents),
            bytemuck::cast_slice(first),
            bytemuck::cast_slice(second),
            colors,
        ];
        for array in arrays {
            array.hash(hasher);
        }
    }
}

impl Source for Influences {
    fn count(&self) -> usize {
        self.joints.len()
    }

    fn hash_into(&self, hasher: &mut DefaultHasher) {
        self.joints.hash(hasher);
        hasher.write(bytemuck::cast_slice(&self.weights));
    }
}

impl Source for Indices {
    fn count(&self) -> usize {
        self.len()
    }

    fn hash_into(&self, hasher: &mut DefaultHasher) {
        hasher.write(bytes_of_indices(self));
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::VertexSet;

    /// Else they would take more draw calls than a frame has.
    #[test]
    fn normals_of_scattered_vertices_are_one_stretch() {
        let of = |normals, count: usize, is_undrawn: fn(usize) -> bool| {
            let primitive = Primitive {
                vertices: Vertices {
                    positions: vec![Vec3::ZERO; count],
                    normals: vec![Vec3::Z; normals],
                    ..Vertices::default()
                },
                undrawn: VertexSet::of((0..count).map(is_undrawn)),
                ..Primitive::default()
            };
            let stretches = normal_stretches(&primitive).into_iter();
            stretches.map(|it| (it.start, it.end)).collect::<Vec<_>>()
        };
        assert_eq!(of(0, 70, |_| false), []);
        assert_eq!(of(70, 70, |_| false), [(0, 70)]);
        assert_eq!(of(70, 70, |_| true), []);
        assert_eq!(of(9, 9, |it| matches!(it, 0 | 4)), [(1, 4), (5, 9)]);
        let every_other = |it| it % 2 == 0;
        let apart: Vec<_> = (0..32).map(|it| (2 * it + 1, 2 * it + 2)).collect();
        assert_eq!(of(64, 64, every_other), apart);
        assert_eq!(of(66, 66, every_other), [(0, 66)]);
    }
}
