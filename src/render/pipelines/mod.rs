//! Pipelines, one kind a file: made once for a device, then only used.

mod color_kind;
mod frame_shape;
mod lately_used;
mod layer;
mod lines;
mod mesh;
mod mipmap;
mod overlay;
mod pose_vertices;
mod prefilter;
mod shadow;
mod tonemap;
mod views;

pub(super) use color_kind::ColorKind;
pub(super) use frame_shape::FrameShapePipeline;
pub(super) use lately_used::LastAsked;
pub(super) use layer::LayerPipeline;
pub(super) use lines::LinePipeline;
pub(super) use mesh::{Blending, Expected, Faces, MeshKey, MeshPipelines, Winding};
pub(super) use mipmap::{MipChain, MipmapPipeline};
pub(super) use overlay::OverlayPipeline;
pub(super) use pose_vertices::PoseVerticesPipeline;
pub(super) use prefilter::PrefilterPipeline;
pub(super) use shadow::{SHADOW_FORMAT, ShadowKey, ShadowPipelines};
pub(super) use tonemap::{ToneWay, TonemapPipeline};
pub(super) use views::{ViewKey, ViewPass, ViewPipelines};

use super::targets::scene::{DEPTH_FORMAT, SAMPLE_COUNT};

/// A binding of a uniform buffer.
pub(super) fn uniform_entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
) -> wgpu::BindGroupLayoutEntry {
    buffer_entry(binding, visibility, wgpu::BufferBindingType::Uniform)
}

/// A binding of a storage buffer that is only read.
fn storage_entry(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    let read_only = wgpu::BufferBindingType::Storage { read_only: true };
    buffer_entry(binding, visibility, read_only)
}

fn buffer_entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

/// A binding of a texture for the fragment stage.
pub(super) fn texture_entry(binding: u32, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    }
}

/// A binding of a sampler for the fragment stage.
pub(super) fn sampler_entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        count: None,
    }
}

/// What the pipelines of the scene have in common.
struct ScenePipeline<'a> {
    label: &'static str,
    layout: &'a wgpu::PipelineLayout,
    module: &'a wgpu::ShaderModule,
    vertex: &'a str,
    fragment: &'a str,
    /// Values of the shader's override constants.
    constants: &'a [(&'a str, f64)],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    primitive: wgpu::PrimitiveState,
    /// What `fragment` writes.
    colors: ColorKind,
    blend: Option<wgpu::BlendState>,
    /// Depth is reversed: nearer is greater.
    depth_compare: wgpu::CompareFunction,
    writes_depth: bool,
}

impl ScenePipeline<'_> {
    fn create(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        self.create_into(device, &self.colors.targets(self.blend))
    }

    /// [`Self::create`] with other targets than the scene.
    fn create_into(
        &self,
        device: &wgpu::Device,
        targets: &[Option<wgpu::ColorTargetState>],
    ) -> wgpu::RenderPipeline {
        let compilation_options = wgpu::PipelineCompilationOptions {
            constants: self.constants,
            ..Default::default()
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: compilation_options.clone(),
                buffers: self.buffers,
            },
            primitive: self.primitive,
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(self.writes_depth),
                depth_compare: Some(self.depth_compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: SAMPLE_COUNT,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.fragment),
                compilation_options,
                targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
