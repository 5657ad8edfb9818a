//! The shadow map: what throws shadows, drawn from where the key light stands.

use super::line_width::LineWidth;
use crate::{
    render::{
        Gpu, Pass, Renderer,
        draw_lists::PrimitiveDraw,
        layout::FrameUniform,
        pipelines::{LastAsked, MeshPipelines, SHADOW_FORMAT, ShadowKey, ShadowPipelines},
        room::portions::Portion,
    },
    scene::ShadowFit,
};

/// Texels along a side of the map.
pub(in crate::render) const SIDE: u32 = 1024;

/// The map, and what draws it.
#[derive(Debug)]
pub(in crate::render) struct Shadows {
    pipelines: ShadowPipelines,
    uniform: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    pub(in crate::render) map: wgpu::TextureView,
}

impl Shadows {
    pub(in crate::render) fn new(
        gpu: &Gpu,
        meshes: &MeshPipelines,
        map: wgpu::TextureView,
    ) -> Self {
        let pipelines = ShadowPipelines::new(
            &gpu.device,
            &meshes.pose_layout,
            &meshes.material_layout,
            &meshes.primitive_layout,
        );
        let uniform = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Shadows::uniform"),
            size: size_of::<FrameUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("Shadows::bind_group"),
            layout: &pipelines.frame_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: uniform.as_entire_binding(),
            }],
        });
        Self {
            pipelines,
            uniform,
            bind_group,
            map,
        }
    }

    /// Forgets pipelines that the last few models have not needed: another comes.
    pub(in crate::render) fn next_model(&mut self) {
        self.pipelines.next_model();
    }
}

/// An empty map.
pub(in crate::render) fn map(gpu: &Gpu) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("Shadows::map"),
        size: wgpu::Extent3d {
            width: SIDE,
            height: SIDE,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: SHADOW_FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

impl Renderer {
    /// Draws the map of a frame whose uniform is `seen_by_eye`.
    pub(super) fn shadow_pass<'d>(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        seen_by_eye: &FrameUniform,
        fit: &ShadowFit,
        draws: impl Iterator<Item = &'d PrimitiveDraw> + Clone,
    ) {
        let mut last = LastAsked::default();
        for key in draws.clone().filter_map(|draw| ShadowKey::of(draw.key)) {
            let pipelines = &mut self.shadows.pipelines;
            last.answer(key, || pipelines.prepare(&gpu.device, key));
        }
        // The same vertex stage, with the light in the eye's place.
        let seen_by_light = FrameUniform {
            clip_from_eye: fit.clip_from_eye.to_cols_array_2d(),
            ..*seen_by_eye
        };
        let uniform = bytemuck::bytes_of(&seen_by_light);
        gpu.queue.write_buffer(&self.shadows.uniform, 0, uniform);
        self.in_portions(gpu, encoder, draws, |encoder, portion| {
            let times = self.timestamps(Pass::Shadow);
            let times = times.filter(|_| portion.is_last);
            self.shadow_portion(encoder, portion, times);
        });
    }

    /// Draws some of it, into an empty map if it is the first.
    fn shadow_portion(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        portion: Portion<'_, '_>,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("Renderer::shadow_pass"),
            color_attachments: &[],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.shadows.map,
                depth_ops: Some(wgpu::Operations {
                    load: if portion.is_first {
                        wgpu::LoadOp::Clear(1.0)
                    } else {
                        wgpu::LoadOp::Load
                    },
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            timestamp_writes,
            ..Default::default()
        });
        pass.set_bind_group(0, &self.shadows.bind_group, &[]);
        pass.set_bind_group(1, self.palette.bind_group(), &[]);
        let mut last = LastAsked::default();
        for draw in portion.draws {
            let Some(key) = ShadowKey::of(draw.key) else {
                continue;
            };
            if let Some(pipeline) = last.answer(key, || self.shadows.pipelines.get(key)) {
                self.draw_primitive(&mut pass, draw, pipeline, LineWidth::PIXEL);
            }
        }
    }
}
