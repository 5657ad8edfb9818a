//! The vertex stage's morphing and skinning, run as a compute pass for `rigscope pose --gpu`.

use super::{buffer_entry, mesh, storage_entry, uniform_entry};
use crate::render::shaders;

/// Computes posed positions.
#[derive(Debug)]
pub(in crate::render) struct PoseVerticesPipeline {
    /// Group 1: palette and active morphs.
    pub(in crate::render) pose_layout: wgpu::BindGroupLayout,
    /// Group 2: what is posed, and where the result goes.
    pub(in crate::render) vertices_layout: wgpu::BindGroupLayout,
    /// Group 3: a primitive's numbers and morph deltas.
    pub(in crate::render) primitive_layout: wgpu::BindGroupLayout,
    /// The pipeline.
    pub(in crate::render) pipeline: wgpu::ComputePipeline,
}

impl PoseVerticesPipeline {
    /// Vertices a workgroup, as in the shader.
    pub(in crate::render) const WORKGROUP: u32 = 64;

    pub(in crate::render) fn new(device: &wgpu::Device) -> Self {
        let compute = wgpu::ShaderStages::COMPUTE;
        let writable = wgpu::BufferBindingType::Storage { read_only: false };
        let vertices_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("PoseVerticesPipeline::vertices_layout"),
            entries: &[
                uniform_entry(0, compute),
                storage_entry(1, compute),
                storage_entry(2, compute),
                buffer_entry(3, compute, writable),
            ],
        });
        let pose_layout = mesh::pose_layout(device, compute);
        let primitive_layout = mesh::primitive_layout(device, compute);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("PoseVerticesPipeline::layout"),
            bind_group_layouts: &[
                None,
                Some(&pose_layout),
                Some(&vertices_layout),
                Some(&primitive_layout),
            ],
            ..Default::default()
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("PoseVerticesPipeline::pipeline"),
            layout: Some(&layout),
            module: &shaders::POSED_VERTICES.module(device),
            entry_point: Some("cs_pose_vertices"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self {
            pose_layout,
            vertices_layout,
            primitive_layout,
            pipeline,
        }
    }
}
