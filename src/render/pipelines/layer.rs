//! What lies over all of the scene's samples and is made of other targets: blended surfaces that were summed up in no order,
//! and a second scene as a ghost.

use super::{
    ColorKind,
    color_kind::{SUM, alike, scene_target},
    uniform_entry,
};
use crate::render::{
    shaders::{self, Shader},
    targets::scene::{SAMPLE_COUNT, SCENE_FORMAT},
};

/// Blends a layer into the scene's samples.
#[derive(Debug)]
pub(in crate::render) struct LayerPipeline {
    /// Group 0: what the layer is made of.
    pub(in crate::render) bind_layout: wgpu::BindGroupLayout,
    /// One after the other.
    steps: Vec<wgpu::RenderPipeline>,
}

/// What tells the layers apart.
struct Layer<'a> {
    label: &'static str,
    shader: Shader,
    vertex: &'static str,
    /// What is drawn one after the other: entry points, and what they write.
    steps: &'a [(&'static str, Vec<Option<wgpu::ColorTargetState>>)],
    entries: &'a [wgpu::BindGroupLayoutEntry],
}

/// A texture of samples, looked at one by one.
pub(super) fn samples_entry(
    binding: u32,
    sample_type: wgpu::TextureSampleType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Texture {
            sample_type,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: true,
        },
        count: None,
    }
}

const LIGHT: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: false };
const DEPTH: wgpu::TextureSampleType = wgpu::TextureSampleType::Depth;
const OVER: Option<wgpu::BlendState> = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);

impl LayerPipeline {
    /// A second scene. Group 0: a [`GhostUniform`](crate::render::layout::GhostUniform), its light and its depth, the depth
    /// of the first.
    pub(in crate::render) fn ghost(device: &wgpu::Device, colors: ColorKind) -> Self {
        let layer = Layer {
            label: "LayerPipeline::ghost",
            shader: shaders::GHOSTS,
            vertex: "vs_ghost",
            steps: &[(
                colors.entry(["fs_ghost", "fs_ghost_colors"]),
                colors.targets(OVER),
            )],
            entries: &[
                uniform_entry(0, wgpu::ShaderStages::FRAGMENT),
                samples_entry(1, LIGHT),
                samples_entry(2, DEPTH),
                samples_entry(3, DEPTH),
            ],
        };
        layer.pipeline(device)
    }

    /// Blended surfaces. Group 0: their weighted sum, and what they let through.
    pub(in crate::render) fn weighted(device: &wgpu::Device) -> Self {
        let layer = Layer {
            label: "LayerPipeline::weighted",
            shader: shaders::WEIGHTED,
            vertex: "vs_weighted",
            steps: &[("fs_laid_over", ColorKind::Light.targets(OVER))],
            entries: &[samples_entry(0, LIGHT), samples_entry(1, LIGHT)],
        };
        layer.pipeline(device)
    }

    /// Blended surfaces of scenes that hold shown colours; group 0 has a sum of these, too.
    pub(in crate::render) fn weighted_colors(device: &wgpu::Device) -> Self {
        let untouched = Some(wgpu::ColorTargetState {
            format: SCENE_FORMAT,
            blend: None,
            write_mask: wgpu::ColorWrites::empty(),
        });
        let added = scene_target(Some(alike(SUM)));
        let layer = Layer {
            label: "LayerPipeline::weighted_colors",
            shader: shaders::WEIGHTED,
            vertex: "vs_weighted",
            steps: &[
                ("fs_light_laid_over", ColorKind::LightBeside.targets(OVER)),
                ("fs_shown_laid_over", vec![untouched, added]),
            ],
            entries: &[0, 1, 2].map(|binding| samples_entry(binding, LIGHT)),
        };
        layer.pipeline(device)
    }

    /// Draws it into a pass on the scene's samples alone.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bind_group: &wgpu::BindGroup,
    ) {
        pass.set_bind_group(0, bind_group, &[]);
        for step in &self.steps {
            pass.set_pipeline(step);
            pass.draw(0..3, 0..1);
        }
    }
}

impl Layer<'_> {
    fn pipeline(&self, device: &wgpu::Device) -> LayerPipeline {
        let bind_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(self.label),
            entries: self.entries,
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: &[Some(&bind_layout)],
            ..Default::default()
        });
        let module = self.shader.module(device);
        let step = |(fragment, targets): &(&'static str, Vec<_>)| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(self.label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(self.vertex),
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
                    entry_point: Some(fragment),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        LayerPipeline {
            steps: self.steps.iter().map(step).collect(),
            bind_layout,
        }
    }
}
