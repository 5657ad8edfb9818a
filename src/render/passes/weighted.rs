//! Transparency in no order: blended surfaces are summed up, the nearer with more weight, and their mean is laid over the scene
//! (M. `McGuire` and L. Bavoil, "Weighted Blended Order-Independent Transparency", 2013).

use super::times::PassPart;
use crate::{
    render::{
        Gpu, Pass, Renderer,
        draw_lists::PrimitiveDraw,
        pipelines::{Blending, LayerPipeline},
        targets::scene::{LEFT_FORMAT, SAMPLE_COUNT, SCENE_FORMAT, SceneSamples, attached},
    },
    scene::{Frame, Transparency},
};

/// What lays sums over the scene. Each is there once there were such sums.
#[derive(Debug, Default)]
pub(in crate::render) struct WeightedLayers {
    /// Sums of light.
    light: Option<LayerPipeline>,
    /// Sums of light beside those of shown colours.
    beside: Option<LayerPipeline>,
}

/// What is summed up, for one size of the scene.
#[derive(Debug)]
pub(in crate::render) struct WeightedSums {
    size: [u32; 2],
    sum: wgpu::TextureView,
    left: wgpu::TextureView,
    /// Of both.
    bind_group: wgpu::BindGroup,
}

/// The sum of colours that are shown as they are.
#[derive(Debug)]
pub(in crate::render) struct ShownSum {
    sum: wgpu::TextureView,
    /// The sum of light that it lies beside.
    light: wgpu::TextureView,
    /// Of both, and what is left.
    bind_group: wgpu::BindGroup,
}

/// What the passes ask of the adapter.
const NEEDED: wgpu::DownlevelFlags =
    wgpu::DownlevelFlags::MULTISAMPLED_SHADING.union(wgpu::DownlevelFlags::INDEPENDENT_BLEND);

/// Whether a frame's blended surfaces are summed up; not every adapter may look at samples one by one, and blend into two
/// targets in two ways.
pub(in crate::render) fn is_weighted(gpu: &Gpu, frame: &Frame<'_>) -> bool {
    let flags = gpu.downlevel_flags();
    frame.lighting.settings.transparency == Transparency::Weighted && flags.contains(NEEDED)
}

impl WeightedSums {
    fn new(gpu: &Gpu, layer: &LayerPipeline, size: [u32; 2]) -> Self {
        let sum = view(gpu, size, "WeightedSums::sum", SCENE_FORMAT);
        let left = view(gpu, size, "WeightedSums::left", LEFT_FORMAT);
        Self {
            size,
            bind_group: group(gpu, layer, &[&sum, &left]),
            sum,
            left,
        }
    }

    fn beside(&self, gpu: &Gpu, layer: &LayerPipeline) -> ShownSum {
        let sum = view(gpu, self.size, "ShownSum::sum", SCENE_FORMAT);
        ShownSum {
            bind_group: group(gpu, layer, &[&self.sum, &self.left, &sum]),
            light: self.sum.clone(),
            sum,
        }
    }
}

fn view(
    gpu: &Gpu,
    [width, height]: [u32; 2],
    label: &'static str,
    format: wgpu::TextureFormat,
) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: SAMPLE_COUNT,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn group(gpu: &Gpu, layer: &LayerPipeline, views: &[&wgpu::TextureView]) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(views)
        .map(|(binding, view)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(view),
        })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("WeightedSums::bind_group"),
        layout: &layer.bind_layout,
        entries: &entries,
    })
}

impl Renderer {
    /// Makes what is needed to sum up these surfaces, unless it is there. `is_beside` is whether the scene holds shown colours
    /// beside its light.
    pub(super) fn prepare_weighted(
        &mut self,
        gpu: &Gpu,
        size: [u32; 2],
        draws: &[PrimitiveDraw],
        is_beside: bool,
    ) {
        self.prepare_meshes_as(gpu, draws, Blending::Weighted);
        let device = &gpu.device;
        let make = || LayerPipeline::weighted(device);
        let layer = self.weighted.light.get_or_insert_with(make);
        let kept = &mut self.intermediates;
        let make = || WeightedSums::new(gpu, layer, size);
        let sums = kept.weighted.get_or_make(|sums| sums.size == size, make);
        if is_beside {
            let make = || LayerPipeline::weighted_colors(device);
            let layer = self.weighted.beside.get_or_insert_with(make);
            let is_beside = |shown: &ShownSum| shown.light == sums.sum;
            let make = || sums.beside(gpu, layer);
            kept.weighted_shown.get_or_make(is_beside, make);
        }
    }

    /// Sums up `draws`, which must be prepared, with `frame_group` as group 0, and lays them over the scene.
    pub(super) fn weighted_passes(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        samples: SceneSamples<'_>,
        frame_group: &wgpu::BindGroup,
        draws: &[PrimitiveDraw],
    ) {
        let kept = &self.intermediates;
        let Some((sums, layer)) = kept.weighted.get().zip(self.weighted.light.as_ref()) else {
            return;
        };
        let beside = samples.shown.and(kept.weighted_shown.get());
        self.in_portions(gpu, encoder, draws.iter(), |encoder, portion| {
            let summed = |view, none| {
                Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: if portion.is_first {
                            wgpu::LoadOp::Clear(none)
                        } else {
                            wgpu::LoadOp::Load
                        },
                        store: wgpu::StoreOp::Store,
                    },
                })
            };
            let attachments = [
                summed(&sums.sum, wgpu::Color::TRANSPARENT),
                summed(&sums.left, wgpu::Color::WHITE),
                beside.and_then(|beside| summed(&beside.sum, wgpu::Color::TRANSPARENT)),
            ];
            let times = self.timestamps_within(Pass::Blended, PassPart::FIRST);
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("Renderer::weighted_pass"),
                color_attachments: attached(&attachments),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &samples.target.depth,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Load,
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                timestamp_writes: times.filter(|_| portion.is_first),
                ..Default::default()
            });
            samples.limit(&mut pass);
            self.bind_frame(&mut pass, frame_group);
            self.draw_meshes_as(&mut pass, portion.draws, Blending::Weighted);
        });
        let times = self.timestamps_within(Pass::Blended, PassPart::LAST);
        let mut pass = samples.layer_pass(encoder, "Renderer::laying_pass", times);
        match beside.zip(self.weighted.beside.as_ref()) {
            Some((beside, layer)) => layer.draw(&mut pass, &beside.bind_group),
            None => layer.draw(&mut pass, &sums.bind_group),
        }
    }
}
