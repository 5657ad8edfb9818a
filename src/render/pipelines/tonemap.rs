//! From the scene's linear light to the picture.

use std::collections::HashMap;

use super::{layer::samples_entry, uniform_entry};
use crate::{
    render::{frame::uniform::tone_number, shaders, targets::scene::SCENE_FORMAT},
    scene::ToneCurve,
};

/// What is made of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum ToneWay {
    /// A picture of light.
    Light,
    /// A picture of light and of colours that are shown as they are.
    Colors,
    /// Light that looks like both.
    AsLight,
    /// Light that looks like the background, behind what is there.
    BackgroundAsLight,
}

/// Writes the scene's samples into a target of one format.
#[derive(Debug)]
pub(in crate::render) struct TonemapPipeline {
    /// Group 0: an [`crate::render::layout::OutputUniform`] and the scene.
    pub(in crate::render) bind_layout: wgpu::BindGroupLayout,
    /// Group 0 with shown colours beside the scene.
    pub(in crate::render) colors_bind_layout: wgpu::BindGroupLayout,
    /// Group 0 without a scene.
    background_bind_layout: wgpu::BindGroupLayout,
    /// Group 0 for it.
    pub(in crate::render) background_group: wgpu::BindGroup,
    module: wgpu::ShaderModule,
    format: wgpu::TextureFormat,
    /// One for each curve and way that was asked for.
    pipelines: HashMap<(ToneCurve, ToneWay), wgpu::RenderPipeline>,
}

impl TonemapPipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        output_uniform: &wgpu::Buffer,
    ) -> Self {
        let light = wgpu::TextureSampleType::Float { filterable: false };
        let entries = [
            uniform_entry(0, wgpu::ShaderStages::FRAGMENT),
            samples_entry(1, light),
            samples_entry(2, light),
        ];
        let bind_layout = |entries| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("TonemapPipeline::bind_layout"),
                entries,
            })
        };
        let background_bind_layout = bind_layout(&entries[..1]);
        let background_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("TonemapPipeline::background_group"),
            layout: &background_bind_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: output_uniform.as_entire_binding(),
            }],
        });
        let mut this = Self {
            module: shaders::TONE.module(device),
            format,
            pipelines: HashMap::new(),
            bind_layout: bind_layout(&entries[..2]),
            colors_bind_layout: bind_layout(&entries),
            background_bind_layout,
            background_group,
        };
        this.prepare(device, ToneCurve::Neutral, ToneWay::Light);
        this
    }

    /// Makes the pipeline for a curve and a way unless it is there.
    pub(in crate::render) fn prepare(
        &mut self,
        device: &wgpu::Device,
        curve: ToneCurve,
        way: ToneWay,
    ) {
        if self.pipelines.contains_key(&(curve, way)) {
            return;
        }
        let (entry, bind_layout, target) = match way {
            ToneWay::Light => ("fs_tonemap", &self.bind_layout, self.format.into()),
            ToneWay::Colors => (
                "fs_tonemap_colors",
                &self.colors_bind_layout,
                self.format.into(),
            ),
            ToneWay::AsLight => ("fs_as_light", &self.colors_bind_layout, SCENE_FORMAT.into()),
            ToneWay::BackgroundAsLight => (
                "fs_background_as_light",
                &self.background_bind_layout,
                behind(SCENE_FORMAT),
            ),
        };
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("TonemapPipeline::layout"),
            bind_group_layouts: &[Some(bind_layout)],
            ..Default::default()
        });
        let constants = [("TONE", f64::from(tone_number(curve)))];
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("TonemapPipeline::pipelines"),
            layout: Some(&layout),
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
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..Default::default()
                },
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        });
        self.pipelines.insert((curve, way), pipeline);
    }

    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        curve: ToneCurve,
        way: ToneWay,
        bind_group: &wgpu::BindGroup,
    ) {
        let Some(pipeline) = self.pipelines.get(&(curve, way)) else {
            return;
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, bind_group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// What is drawn stands behind what is there, which has alpha premultiplied.
fn behind(format: wgpu::TextureFormat) -> wgpu::ColorTargetState {
    let component = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::ColorTargetState {
        format,
        blend: Some(wgpu::BlendState {
            color: component,
            alpha: component,
        }),
        write_mask: wgpu::ColorWrites::ALL,
    }
}
