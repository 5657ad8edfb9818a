//! The tone curve: light becomes colours, in the picture.

use bytemuck::Zeroable as _;
use wgpu::util::DeviceExt as _;

use crate::{
    render::{
        Destination, Gpu, Pass, Renderer, Viewport,
        frame::uniform::{of_output, shown_as},
        layout::OutputUniform,
        pipelines::{ToneWay, TonemapPipeline},
    },
    scene::Frame,
};

/// What makes colours of light, for targets of one format.
#[derive(Debug)]
pub(in crate::render) struct ToneMapping {
    pub(super) pipeline: TonemapPipeline,
    /// An [`OutputUniform`].
    pub(super) uniform: wgpu::Buffer,
    output_format: wgpu::TextureFormat,
}

impl ToneMapping {
    pub(in crate::render) fn new(gpu: &Gpu, output_format: wgpu::TextureFormat) -> Self {
        let uniform = gpu
            .device
            .create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("ToneMapping::uniform"),
                contents: bytemuck::bytes_of(&OutputUniform::zeroed()),
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            });
        Self {
            pipeline: TonemapPipeline::new(&gpu.device, output_format, &uniform),
            uniform,
            output_format,
        }
    }

    /// Brings to the GPU how a frame's light is shown.
    pub(in crate::render) fn write(&self, gpu: &Gpu, frame: &Frame<'_>, viewport: Viewport) {
        let uniform = of_output(frame, viewport, self.output_format.is_srgb());
        let bytes = bytemuck::bytes_of(&uniform);
        gpu.queue.write_buffer(&self.uniform, 0, bytes);
    }
}

/// From where to where light becomes colours.
pub(in crate::render) struct Tones<'a> {
    pub(in crate::render) into: Destination<'a>,
    /// Colours that have samples of their own beside those of light.
    pub(in crate::render) beside: Option<&'a wgpu::TextureView>,
    /// Where in the output they go.
    pub(in crate::render) shown: Viewport,
    /// What becomes of what was there.
    pub(in crate::render) load: wgpu::LoadOp<wgpu::Color>,
}

impl Renderer {
    /// Makes colours of the light of a frame, which is drawn.
    pub(in crate::render) fn tonemap_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame<'_>,
        tones: Tones<'_>,
    ) {
        let Tones {
            into,
            beside,
            shown,
            load,
        } = tones;
        let (curve, _) = shown_as(frame);
        let way = match beside {
            Some(_) => ToneWay::Colors,
            None => ToneWay::Light,
        };
        self.tone.pipeline.prepare(&gpu.device, curve, way);
        let (kept, uniform) = (&mut self.intermediates, &self.tone.uniform);
        let samples = &into.scene.samples;
        let bind_group = match beside {
            Some(beside) => {
                let layout = &self.tone.pipeline.colors_bind_layout;
                let group = &mut kept.tone_colors_group;
                group.of(&gpu.device, layout, uniform, [samples, beside])
            }
            None => {
                let layout = &self.tone.pipeline.bind_layout;
                let group = &mut kept.tone_group;
                group.of(&gpu.device, layout, uniform, [samples])
            }
        };
        let bind_group = bind_group.clone();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("Renderer::tonemap_pass"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: into.output,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes: self.timestamps(Pass::Tone),
            ..Default::default()
        });
        let Viewport {
            x,
            y,
            width,
            height,
        } = shown;
        pass.set_scissor_rect(x, y, width, height);
        self.tone.pipeline.draw(&mut pass, curve, way, &bind_group);
    }
}
