//! What lies over the scene: the skeleton's shapes, with depth among themselves or with the scene's, then lines.

use crate::{
    render::{
        Gpu, Pass, Renderer,
        device::buffers::GrowingBuffer,
        layout::{GpuLine, GpuShape},
        targets::scene::{SceneSamples, attached},
    },
    scene::{Frame, Overlay, OverlayShape},
};

/// Buffers of overlays.
#[derive(Debug)]
pub(in crate::render) struct Overlays {
    shapes: GrowingBuffer,
    shape_scratch: Vec<GpuShape>,
    lines: GrowingBuffer,
    line_scratch: Vec<GpuLine>,
}

impl Overlays {
    pub(in crate::render) fn new(gpu: &Gpu) -> Self {
        let vertices = wgpu::BufferUsages::VERTEX;
        Self {
            shapes: GrowingBuffer::new(gpu, "Overlays::shapes", vertices),
            shape_scratch: Vec::new(),
            lines: GrowingBuffer::new(gpu, "Overlays::lines", vertices),
            line_scratch: Vec::new(),
        }
    }

    /// Brings an overlay to the GPU.
    pub(in crate::render) fn write(&mut self, gpu: &Gpu, overlay: &Overlay) {
        self.shape_scratch.clear();
        let shapes = drawn_bones(overlay).iter().chain(&overlay.joints);
        self.shape_scratch.extend(shapes.map(|shape| GpuShape {
            world_from_shape: shape.world_from_shape.map(|row| row.to_array()),
            color: shape.color,
        }));
        let bytes = bytemuck::cast_slice(&self.shape_scratch);
        self.shapes.write(gpu, bytes);
        self.line_scratch.clear();
        let lines = overlay.lines.iter().chain(&overlay.top_lines);
        self.line_scratch.extend(lines.map(|line| GpuLine {
            from: line.from.to_array(),
            width_px: line.width_px,
            to: line.to.to_array(),
            padding: 0.0,
            color: line.color,
        }));
        let bytes = bytemuck::cast_slice(&self.line_scratch);
        self.lines.write(gpu, bytes);
    }
}

/// The bones that are drawn as shapes.
pub(super) fn drawn_bones(overlay: &Overlay) -> &[OverlayShape] {
    if overlay.bones_are_lines {
        &[]
    } else {
        &overlay.bones
    }
}

/// Whether the depth of the scene is needed after its own passes.
pub(super) fn needs_scene_depth(frame: &Frame<'_>) -> bool {
    frame
        .overlay
        .is_some_and(|overlay| overlay.is_hidden_by_scene)
}

impl Renderer {
    /// Draws what was last written over a scene, by pipelines that must be there; `depth` is that of what may hide it.
    pub(in crate::render) fn overlay_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        overlay: &Overlay,
        samples: SceneSamples<'_>,
        depth: &wgpu::TextureView,
    ) {
        let load = if overlay.is_hidden_by_scene {
            wgpu::LoadOp::Load
        } else {
            wgpu::LoadOp::Clear(0.0)
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("Renderer::overlay_pass"),
            color_attachments: attached(&samples.attachments()),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: self.timestamps(Pass::Overlay),
            ..Default::default()
        });
        samples.limit(&mut pass);
        pass.set_bind_group(0, &self.frame.group, &[]);
        let bones = drawn_bones(overlay).len() as u32;
        let joints = overlay.joints.len() as u32;
        let of = &self.overlay;
        let pipelines = self.furnishings(samples.shown.is_some());
        if let Some(pipeline) = &pipelines.shapes {
            pipeline.draw(&mut pass, of.shapes.buffer(), bones, joints);
        }
        let Some(pipeline) = &pipelines.lines else {
            return;
        };
        let tested = overlay.lines.len() as u32;
        let all = tested + overlay.top_lines.len() as u32;
        pipeline.draw(&mut pass, of.lines.buffer(), 0..tested, true);
        // What the scene hides is hidden whatever it is.
        let is_tested = overlay.is_hidden_by_scene;
        pipeline.draw(&mut pass, of.lines.buffer(), tested..all, is_tested);
    }
}
