//! Blended surfaces that were summed up in no order, laid over the scene.

use crate::render::{
    shaders,
    target::{LEFT_FORMAT, SAMPLE_COUNT, SCENE_FORMAT},
};

/// Lays the sums over the scene's samples.
#[derive(Debug)]
pub(in crate::render) struct WeightedPipeline {
    /// Group 0: the weighted sum, and what is left of all behind.
    pub(in crate::render) bind_layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

/// What meshes write that are summed up: light and alpha add up, what each lets through multiplies.
pub(super) fn targets() -> [Option<wgpu::ColorTargetState>; 2] {
    let blended = |format, src_factor, dst_factor| {
        let component = wgpu::BlendComponent {
            src_factor,
            dst_factor,
            operation: wgpu::BlendOperation::Add,
        };
        Some(wgpu::ColorTargetState {
            format,
            blend: Some(wgpu::BlendState {
                color: component,
                alpha: component,
            }),
            write_mask: wgpu::ColorWrites::ALL,
        })
    };
    use wgpu::BlendFactor::{One, OneMinusSrc, Zero};
    [
        blended(SCENE_FORMAT, One, One),
        blended(LEFT_FORMAT, Zero, OneMinusSrc),
    ]
}

impl WeightedPipeline {
    pub(in crate::render) fn new(device: &wgpu::Device) -> Self {
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("WeightedPipeline::bind_layout"),
            entries: &[0, 1].map(|binding| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: true,
                },
                count: None,
            }),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("WeightedPipeline::layout"),
            bind_group_layouts: &[Some(&bind_layout)],
            ..Default::default()
        });
        let module = shaders::WEIGHTED.module(device);
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("WeightedPipeline::pipeline"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_weighted"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState {
                count: SAMPLE_COUNT,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_laid_over"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: SCENE_FORMAT,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self {
            bind_layout,
            pipeline,
        }
    }

    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bind_group: &wgpu::BindGroup,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bind_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
