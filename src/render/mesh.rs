//! Meshes on the GPU: vertices, indices, influences and morph deltas of every primitive.

use std::collections::HashMap;

use wgpu::util::DeviceExt as _;

use super::{
    Gpu,
    layout::{GpuInfluences, PrimitiveUniform, Vertex, primitive_flags as flags},
};
use crate::{
    model::{Indices, MorphTarget, Primitive, Topology},
    scene::DeformedBox,
};

/// A primitive's buffers.
#[derive(Debug)]
pub(super) struct GpuPrimitive {
    pub(super) vertices: wgpu::Buffer,
    pub(super) indices: wgpu::Buffer,
    pub(super) index_format: wgpu::IndexFormat,
    pub(super) index_count: u32,
    pub(super) edges: Edges,
    pub(super) influences: Option<Influences>,
    /// Group 3.
    pub(super) bind_group: wgpu::BindGroup,
    /// Of what is drawn far to near and deformed.
    pub(super) deformed_box: Option<DeformedBox>,
    pub(super) bytes: u64,
}

/// Joints and weights of a primitive that has any.
#[derive(Debug)]
pub(super) struct Influences {
    pub(super) buffer: wgpu::Buffer,
    /// Joints a vertex, in fours.
    pub(super) sets_of_four: usize,
}

/// Two indices for each edge of a primitive's triangles.
#[derive(Debug)]
pub(super) enum Edges {
    /// Nobody has looked at them.
    Unmade,
    Made(wgpu::Buffer),
    /// For the adapter.
    TooMany,
}

impl GpuPrimitive {
    /// Uploads a primitive, `is_ordered` if it is drawn far to near with any of its materials; `None` if it is too large for the device, which is logged with `name`.
    pub(super) fn new(
        gpu: &Gpu,
        (layout, groups): (&wgpu::BindGroupLayout, &mut StillGroups),
        primitive: &Primitive,
        is_ordered: bool,
        name: &str,
    ) -> Option<Self> {
        let vertices = interleave(primitive);
        let influences = primitive.influences.as_ref().map(|influences| {
            let joints = influences.joints.chunks_exact(4);
            let weights = influences.weights.chunks_exact(4);
            joints
                .zip(weights)
                .map(|(joints, weights)| GpuInfluences {
                    joints: [joints[0], joints[1], joints[2], joints[3]],
                    weights: [weights[0], weights[1], weights[2], weights[3]],
                })
                .collect::<Vec<_>>()
        });
        let morph = MorphData::new(gpu, primitive, name);
        let largest = gpu.device.limits().max_buffer_size;
        let sizes = [
            size_of_val(vertices.as_slice()),
            primitive.indices.bytes(),
            influences
                .as_ref()
                .map_or(0, |data| size_of_val(data.as_slice())),
        ];
        if sizes.iter().any(|&size| size as u64 > largest) {
            log::error!(
                "{name} is not drawn: it needs more than the adapter's {largest} bytes a buffer"
            );
            return None;
        }
        let buffer = |label, contents: &[u8], usage| {
            gpu.device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some(label),
                    contents,
                    usage,
                })
        };
        let (indices, index_format): (&[u8], _) = match &primitive.indices {
            Indices::Short(indices) => (bytemuck::cast_slice(indices), wgpu::IndexFormat::Uint16),
            Indices::Long(indices) => (bytemuck::cast_slice(indices), wgpu::IndexFormat::Uint32),
        };
        Some(Self {
            bytes: sizes.iter().sum::<usize>() as u64 + 4 * morph.deltas.len() as u64,
            vertices: buffer(
                "GpuPrimitive::vertices",
                bytemuck::cast_slice(&vertices),
                wgpu::BufferUsages::VERTEX,
            ),
            indices: buffer("GpuPrimitive::indices", indices, wgpu::BufferUsages::INDEX),
            index_format,
            index_count: primitive.indices.len() as u32,
            edges: Edges::Unmade,
            influences: primitive
                .influences
                .as_ref()
                .zip(influences)
                .map(|(of, data)| {
                    let contents = bytemuck::cast_slice(&data);
                    let usage = wgpu::BufferUsages::VERTEX;
                    Influences {
                        buffer: buffer("GpuPrimitive::influences", contents, usage),
                        sets_of_four: of.per_vertex / 4,
                    }
                }),
            bind_group: groups.group(gpu, layout, &morph),
            deformed_box: is_ordered.then(|| DeformedBox::of(primitive)).flatten(),
        })
    }
}

impl GpuPrimitive {
    /// Joints a vertex, in fours: 0 if it has none.
    pub(super) fn sets_of_four(&self) -> usize {
        self.influences.as_ref().map_or(0, |it| it.sets_of_four)
    }
}

/// Group 3 of primitives that nothing morphs: it says no more than which attributes there are, so few serve all of a model. A
/// software driver makes some shaders anew each time that another is bound.
#[derive(Debug, Default)]
pub(super) struct StillGroups(HashMap<u32, wgpu::BindGroup>);

impl StillGroups {
    /// That of a primitive with these targets; one of its own if it has any.
    fn group(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        morph: &MorphData,
    ) -> wgpu::BindGroup {
        let make = || morph.bind_group(gpu, layout);
        if !morph.deltas.is_empty() {
            return make();
        }
        // Without targets the number of vertices is not looked at.
        let group = self.0.entry(morph.uniform.flags).or_insert_with(make);
        group.clone()
    }
}

/// All attributes of each vertex side by side; zero where there is none, white where there is no colour.
fn interleave(primitive: &Primitive) -> Vec<Vertex> {
    let vertices = &primitive.vertices;
    let of = |index: usize| {
        let uv = vertices
            .tex_coords
            .each_ref()
            .map(|set| set.get(index).copied().unwrap_or_default());
        let color = vertices.colors.get(index);
        Vertex {
            position: vertices.positions[index].to_array(),
            normal: vertices
                .normals
                .get(index)
                .copied()
                .unwrap_or_default()
                .to_array(),
            tangent: vertices
                .tangents
                .get(index)
                .copied()
                .unwrap_or_default()
                .to_array(),
            tex_coords: [uv[0].x, uv[0].y, uv[1].x, uv[1].y],
            color: color.map_or([u16::MAX; 4], |color| {
                color
                    .to_array()
                    .map(|channel| (channel * 65535.0 + 0.5) as u16)
            }),
        }
    };
    (0..vertices.positions.len()).map(of).collect()
}

/// What morph targets can move, in the order in which the shader finds it.
const MORPHED: [u32; 6] = [
    flags::MORPHS_POSITIONS,
    flags::MORPHS_NORMALS,
    flags::MORPHS_TANGENTS,
    flags::MORPHS_TEX_COORDS_0,
    flags::MORPHS_TEX_COORDS_1,
    flags::MORPHS_COLORS,
];

/// Numbers that a vertex has of it.
fn floats_of(flag: u32) -> usize {
    match flag {
        flags::MORPHS_TEX_COORDS_0 | flags::MORPHS_TEX_COORDS_1 => 2,
        flags::MORPHS_COLORS => 4,
        _ => 3,
    }
}

/// What a target adds to it, number by number; nothing if it leaves it alone.
fn deltas_of(target: &MorphTarget, flag: u32) -> &[f32] {
    let [first, second] = &target.tex_coords;
    match flag {
        flags::MORPHS_POSITIONS => bytemuck::cast_slice(&target.positions),
        flags::MORPHS_NORMALS => bytemuck::cast_slice(&target.normals),
        flags::MORPHS_TANGENTS => bytemuck::cast_slice(&target.tangents),
        flags::MORPHS_TEX_COORDS_0 => bytemuck::cast_slice(first),
        flags::MORPHS_TEX_COORDS_1 => bytemuck::cast_slice(second),
        _ => bytemuck::cast_slice(&target.colors),
    }
}

/// The morph targets of a primitive as the shader reads them, and the numbers that say how.
pub(super) struct MorphData {
    pub(super) uniform: PrimitiveUniform,
    pub(super) deltas: Vec<f32>,
}

impl MorphData {
    /// Lays out target by target, vertex by vertex: what is in [`MORPHED`], as far as any target moves it.
    pub(super) fn new(gpu: &Gpu, primitive: &Primitive, name: &str) -> Self {
        let vertices = &primitive.vertices;
        let vertex_count = vertices.positions.len();
        let targets = &primitive.targets;
        let is_moved = |flag: &u32| {
            let mut deltas = targets.iter().map(|target| deltas_of(target, *flag));
            deltas.any(|deltas| !deltas.is_empty())
        };
        let mut morph_flags = MORPHED.into_iter().filter(is_moved).sum::<u32>();
        let floats_a_vertex = |morph_flags: u32| {
            let moved = MORPHED.into_iter().filter(|flag| morph_flags & flag != 0);
            moved.map(floats_of).sum::<usize>()
        };
        let bytes = |morph_flags| {
            4 * targets.len() as u64 * (vertex_count * floats_a_vertex(morph_flags)) as u64
        };
        let limits = gpu.device.limits();
        let largest = limits
            .max_storage_buffer_binding_size
            .min(limits.max_buffer_size);
        if bytes(morph_flags) > largest {
            // Positions matter most.
            morph_flags &= flags::MORPHS_POSITIONS;
            if bytes(morph_flags) > largest {
                morph_flags = 0;
            }
            log::warn!(
                "{name}: its {} morph targets do not fit the adapter's {largest} bytes and are shown in part",
                targets.len()
            );
        }
        let mut deltas = Vec::with_capacity(bytes(morph_flags) as usize / 4);
        for target in targets {
            for vertex in 0..vertex_count {
                for flag in MORPHED.into_iter().filter(|flag| morph_flags & flag != 0) {
                    let of_target = deltas_of(target, flag);
                    let width = floats_of(flag);
                    match of_target.get(vertex * width..(vertex + 1) * width) {
                        Some(delta) => deltas.extend(delta),
                        None => deltas.extend(std::iter::repeat_n(0.0, width)),
                    }
                }
            }
        }
        let has = |present: bool, flag: u32| if present { flag } else { 0 };
        Self {
            uniform: PrimitiveUniform {
                vertex_count: vertex_count as u32,
                flags: morph_flags
                    | has(!vertices.normals.is_empty(), flags::HAS_NORMALS)
                    | has(!vertices.tangents.is_empty(), flags::HAS_TANGENTS)
                    | has(primitive.topology == Topology::Triangles, flags::HAS_FACES),
                floats_per_delta: floats_a_vertex(morph_flags) as u32,
                padding: 0,
            },
            deltas,
        }
    }

    /// Group 3.
    pub(super) fn bind_group(&self, gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> wgpu::BindGroup {
        let buffer = |label, contents: &[u8], usage| {
            gpu.device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some(label),
                    contents,
                    usage,
                })
        };
        let uniform = buffer(
            "MorphData::uniform",
            bytemuck::bytes_of(&self.uniform),
            wgpu::BufferUsages::UNIFORM,
        );
        // A binding cannot be empty.
        let deltas: &[f32] = if self.deltas.is_empty() {
            &[0.0; 4]
        } else {
            &self.deltas
        };
        let deltas = buffer(
            "MorphData::deltas",
            bytemuck::cast_slice(deltas),
            wgpu::BufferUsages::STORAGE,
        );
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("MorphData::bind_group"),
            layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: uniform.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: deltas.as_entire_binding(),
                },
            ],
        })
    }
}
