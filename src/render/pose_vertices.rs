//! Posed vertices from the GPU: the shader's own morphing and skinning, read back to be compared with the CPU's.

use anyhow::Context as _;
use glam::Vec3;
use wgpu::util::DeviceExt as _;

use super::{
    Gpu,
    layout::PoseUniform,
    mesh::MorphData,
    palette::{PaletteBuffers, Writer, gpu_instance},
    pipelines::PoseVerticesPipeline,
    readback::read_buffer,
};
use crate::{
    anim::{InstanceRecord, Palette, PaletteForm, PaletteLayout},
    model::{Model, Primitive},
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

    /// The same for a palette whose matrices `crowd` writes, which was posed last for it.
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
        let influences = primitive.influences.as_ref().filter(|_| is_skinned);
        let mut influence_words = Vec::new();
        if let Some(influences) = influences {
            let per_vertex = influences.per_vertex;
            let joints = influences.joints.chunks_exact(per_vertex);
            for (joints, weights) in joints.zip(influences.weights.chunks_exact(per_vertex)) {
                influence_words.extend(joints.iter().copied().map(u32::from));
                influence_words.extend(weights.iter().map(|weight| weight.to_bits()));
            }
        } else {
            influence_words.extend([0; 4]);
        }
        let bytes = (3 * size_of::<f32>() * rest.len()) as u64;
        let limit = gpu.device.limits().max_storage_buffer_binding_size;
        let largest = bytes.max(4 * influence_words.len() as u64);
        anyhow::ensure!(
            largest <= limit,
            "{} vertices need more than the adapter's {limit} bytes a buffer",
            rest.len()
        );
        let init = |label, contents: &[u8], usage| {
            gpu.device
                .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: Some(label),
                    contents,
                    usage,
                })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        let rest_buffer = init("PoseVertices::rest", bytemuck::cast_slice(rest), storage);
        let influence_buffer = init(
            "PoseVertices::influences",
            bytemuck::cast_slice(&influence_words),
            storage,
        );
        let make = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage,
                mapped_at_creation: false,
            })
        };
        let posed = make(
            "PoseVertices::posed",
            storage | wgpu::BufferUsages::COPY_SRC,
        );
        let result = make(
            "PoseVertices::result",
            wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        );
        let morph = MorphData::new(gpu, primitive, "the primitive");
        let primitive_group = morph.bind_group(gpu, &self.pipeline.primitive_layout);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let most_groups = gpu.device.limits().max_compute_workgroups_per_dimension;
        let a_dispatch = most_groups.saturating_mul(PoseVerticesPipeline::WORKGROUP);
        let vertex_count = u32::try_from(rest.len()).context("too many vertices")?;
        for first in (0..vertex_count).step_by(a_dispatch as usize) {
            let uniform = PoseUniform {
                instance: bytemuck::cast(gpu_instance(record, self.form)),
                counts: [
                    influences.map_or(0, |influences| influences.per_vertex as u32),
                    vertex_count,
                    first,
                    u32::from(self.is_dual),
                ],
            };
            let uniform = init(
                "PoseVertices::uniform",
                bytemuck::bytes_of(&uniform),
                wgpu::BufferUsages::UNIFORM,
            );
            let buffers = [&uniform, &rest_buffer, &influence_buffer, &posed];
            let entries: Vec<_> = (0..)
                .zip(buffers)
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            let vertices_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("PoseVertices::vertices_group"),
                layout: &self.pipeline.vertices_layout,
                entries: &entries,
            });
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
        encoder.copy_buffer_to_buffer(&posed, 0, &result, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        read_buffer(gpu, &result, |bytes| {
            let floats = bytes
                .chunks_exact(4)
                .map(|float| f32::from_le_bytes([float[0], float[1], float[2], float[3]]));
            let floats: Vec<f32> = floats.collect();
            floats.chunks_exact(3).map(Vec3::from_slice).collect()
        })
    }
}
