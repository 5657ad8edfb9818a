//! Posed vertices from the GPU: the shader's own morphing and skinning, read back to be compared with the CPU's.

use anyhow::Context as _;
use glam::Vec3;
use wgpu::util::DeviceExt as _;

use super::{
    Gpu,
    frame::palette::{PaletteBuffers, Writer, gpu_instance},
    layout::PoseUniform,
    model::morphs::{MorphData, StillGroups},
    pipelines::PoseVerticesPipeline,
    targets::readback::read_buffer,
};
use crate::{
    anim::{InstanceRecord, Palette, PaletteForm, PaletteLayout},
    model::{Influences, Model, Primitive},
    scene::Crowd,
};

/// Computes posed positions on a device.
#[derive(Debug)]
pub struct PoseVertices {
    pipeline: PoseVerticesPipeline,
    palette: PaletteBuffers,
    /// Whether dual quaternions are blended.
    is_dual: bool,
    form: PaletteForm,
}

impl PoseVertices {
    /// Fails if the adapter cannot compute.
    pub fn new(gpu: &Gpu) -> anyhow::Result<Self> {
        let flags = gpu.downlevel_flags();
        let buffers = gpu.device.limits().max_storage_buffers_per_shader_stage;
        anyhow::ensure!(
            flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) && buffers >= 7,
            "the graphics adapter \"{}\" has no compute shaders with 7 storage buffers",
            gpu.name()
        );
        let pipeline = PoseVerticesPipeline::new(&gpu.device);
        Ok(Self {
            palette: PaletteBuffers::new(gpu, &pipeline.pose_layout),
            pipeline,
            is_dual: false,
            form: PaletteForm::Full,
        })
    }

    /// The palette that primitives are posed by from now on.
    pub fn set_palette(&mut self, gpu: &Gpu, palette: &Palette) {
        self.write(gpu, palette, None);
    }

    /// [`Self::set_palette`] for a palette whose matrices `crowd` writes, which was posed last for it.
    pub fn set_crowd(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        layout: &PaletteLayout,
        palette: &Palette,
        crowd: &Crowd,
    ) {
        let writer = Writer {
            crowd,
            model,
            layout,
        };
        self.write(gpu, palette, Some(writer));
    }

    fn write(&mut self, gpu: &Gpu, palette: &Palette, writer: Option<Writer<'_>>) {
        let layout = &self.pipeline.pose_layout;
        let has_crowd = writer.is_some();
        self.palette.write(gpu, layout, palette, writer, has_crowd);
        self.is_dual = palette.is_dual();
        self.form = palette.form();
    }

    /// The positions of a primitive's vertices in the world, in file order.
    pub fn positions(
        &self,
        gpu: &Gpu,
        primitive: &Primitive,
        record: &InstanceRecord,
        is_skinned: bool,
    ) -> anyhow::Result<Vec<Vec3>> {
        let rest = &primitive.vertices.positions;
        if rest.is_empty() {
            return Ok(Vec::new());
        }
        let vertex_count = u32::try_from(rest.len()).context("too many vertices")?;
        let influences = primitive.influences.as_ref().filter(|_| is_skinned);
        let buffers = VertexBuffers::new(gpu, rest, influences)?;
        let morph = MorphData::new(gpu, primitive, "the primitive");
        let (layout, deltas) = (&self.pipeline.primitive_layout, morph.upload(gpu));
        let primitive_group = StillGroups::default().group(gpu, layout, &morph, deltas.as_ref());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let most_groups = gpu.device.limits().max_compute_workgroups_per_dimension;
        let a_dispatch = most_groups.saturating_mul(PoseVerticesPipeline::WORKGROUP);
        for first in (0..vertex_count).step_by(a_dispatch as usize) {
            let vertices_group = self.vertices_group(
                gpu,
                &buffers,
                &PoseUniform {
                    instance: bytemuck::cast(gpu_instance(record, self.form)),
                    counts: [
                        influences.map_or(0, |influences| influences.per_vertex as u32),
                        vertex_count,
                        first,
                        u32::from(self.is_dual),
                    ],
                },
            );
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline.pipeline);
            pass.set_bind_group(1, self.palette.bind_group(), &[]);
            pass.set_bind_group(2, &vertices_group, &[]);
            pass.set_bind_group(3, &primitive_group, &[]);
            let groups = (vertex_count - first)
                .min(a_dispatch)
                .div_ceil(PoseVerticesPipeline::WORKGROUP);
            pass.dispatch_workgroups(groups, 1, 1);
        }
        let VertexBuffers { posed, result, .. } = &buffers;
        encoder.copy_buffer_to_buffer(posed, 0, result, 0, result.size());
        gpu.queue.submit([encoder.finish()]);
        read_buffer(gpu, result, |bytes| {
            let floats = bytes
                .chunks_exact(4)
                .map(|float| f32::from_le_bytes([float[0], float[1], float[2], float[3]]));
            let floats: Vec<f32> = floats.collect();
            floats.chunks_exact(3).map(Vec3::from_slice).collect()
        })
    }

    /// Group 2 of a dispatch.
    fn vertices_group(
        &self,
        gpu: &Gpu,
        of: &VertexBuffers,
        uniform: &PoseUniform,
    ) -> wgpu::BindGroup {
        let uniform = bytemuck::bytes_of(uniform);
        let usage = wgpu::BufferUsages::UNIFORM;
        let uniform = filled_buffer(gpu, "PoseVertices::uniform", uniform, usage);
        let buffers = [&uniform, &of.rest, &of.influences, &of.posed];
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("PoseVertices::vertices_group"),
            layout: &self.pipeline.vertices_layout,
            entries: &entries,
        })
    }
}

/// What a primitive's vertices are computed from, and where they go.
struct VertexBuffers {
    rest: wgpu::Buffer,
    influences: wgpu::Buffer,
    posed: wgpu::Buffer,
    /// `posed`, to be read.
    result: wgpu::Buffer,
}

impl VertexBuffers {
    /// Fails if they are larger than the adapter binds.
    fn new(gpu: &Gpu, rest: &[Vec3], influences: Option<&Influences>) -> anyhow::Result<Self> {
        let influences = influence_words(influences);
        let size = size_of_val(rest) as u64;
        let limit = gpu.device.limits().max_storage_buffer_binding_size;
        anyhow::ensure!(
            size.max(size_of_val(influences.as_slice()) as u64) <= limit,
            "{} vertices need more than the adapter's {limit} bytes a buffer",
            rest.len()
        );
        let empty = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        let (rest, influences) = (
            bytemuck::cast_slice(rest),
            bytemuck::cast_slice(&influences),
        );
        Ok(Self {
            rest: filled_buffer(gpu, "PoseVertices::rest", rest, storage),
            influences: filled_buffer(gpu, "PoseVertices::influences", influences, storage),
            posed: empty(
                "PoseVertices::posed",
                storage | wgpu::BufferUsages::COPY_SRC,
            ),
            result: empty(
                "PoseVertices::result",
                wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            ),
        })
    }
}

/// For each vertex its joints, then its weights as bits; four zeros without any, since something must be bound.
fn influence_words(influences: Option<&Influences>) -> Vec<u32> {
    let Some(influences) = influences else {
        return vec![0; 4];
    };
    let per_vertex = influences.per_vertex;
    let joints = influences.joints.chunks_exact(per_vertex);
    let weights = influences.weights.chunks_exact(per_vertex);
    let mut words = Vec::with_capacity(2 * influences.joints.len());
    for (joints, weights) in joints.zip(weights) {
        words.extend(joints.iter().copied().map(u32::from));
        words.extend(weights.iter().map(|weight| weight.to_bits()));
    }
    words
}

fn filled_buffer(
    gpu: &Gpu,
    label: &'static str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents,
            usage,
        })
}
