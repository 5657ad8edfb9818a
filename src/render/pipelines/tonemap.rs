//! From the scene's linear light to the picture.

use std::collections::HashMap;

use super::uniform_entry;
use crate::{
    render::{frame_uniform::tone_number, shaders},
    scene::ToneCurve,
};

/// Writes the scene's samples into a target of one format.
#[derive(Debug)]
pub(in crate::render) struct TonemapPipeline {
    /// Group 0: the scene and an [`crate::render::layout::OutputUniform`].
    pub(in crate::render) bind_layout: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    module: wgpu::ShaderModule,
    format: wgpu::TextureFormat,
    /// One for each curve that was asked for.
    pipelines: HashMap<ToneCurve, wgpu::RenderPipeline>,
}

impl TonemapPipeline {
    pub(in crate::render) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("TonemapPipeline::bind_layout"),
            entries: &[
                wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: false },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: true,
                    },
                    count: None,
                },
                uniform_entry(1, wgpu::ShaderStages::FRAGMENT),
            ],
        });
        let mut this = Self {
            layout: device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("TonemapPipeline::layout"),
                bind_group_layouts: &[Some(&bind_layout)],
                ..Default::default()
            }),
            module: shaders::TONE.module(device),
            format,
            pipelines: HashMap::new(),
            bind_layout,
        };
        this.prepare(device, ToneCurve::Neutral);
        this
    }

    /// Makes the pipeline for a curve unless it is there.
    pub(in crate::render) fn prepare(&mut self, device: &wgpu::Device, curve: ToneCurve) {
        if self.pipelines.contains_key(&curve) {
            return;
        }
        let constants = [("TONE", f64::from(tone_number(curve)))];
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("TonemapPipeline::pipelines"),
            layout: Some(&self.layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some("vs_tonemap"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some("fs_tonemap"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..Default::default()
                },
                targets: &[Some(self.format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        self.pipelines.insert(curve, pipeline);
    }

    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        curve: ToneCurve,
        bind_group: &wgpu::BindGroup,
    ) {
        let Some(pipeline) = self.pipelines.get(&curve) else {
            return;
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, bind_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
