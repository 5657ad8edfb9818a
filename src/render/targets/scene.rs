//! What a frame is drawn into: multisampled linear light, with depth.

use super::kept::Kept;
use crate::render::{Gpu, Viewport};

/// Format of the scene's light: linear, alpha premultiplied.
pub(in crate::render) const SCENE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of what blended surfaces let through that are summed up.
pub(in crate::render) const LEFT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R16Float;
/// Format of depth: reversed, 1 near and 0 at infinity.
pub(in crate::render) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples a pixel.
pub(in crate::render) const SAMPLE_COUNT: u32 = 4;

/// The textures of one size.
#[derive(Debug)]
pub struct SceneTarget {
    pub(in crate::render) samples: wgpu::TextureView,
    pub(in crate::render) depth: wgpu::TextureView,
    size: [u32; 2],
    /// Whether shaders read its depth.
    is_read: bool,
}

/// How the pass that draws the scene begins.
#[derive(Debug)]
pub(in crate::render) struct PassBeginning<'a> {
    pub(in crate::render) label: &'static str,
    /// Whether it begins from nothing; otherwise it goes over what is there.
    pub(in crate::render) is_fresh: bool,
    /// What gets the picture so far, if the scene goes on in another pass.
    pub(in crate::render) resolved: Option<&'a wgpu::TextureView>,
    /// Whether anything later asks for its depth.
    pub(in crate::render) stores_depth: bool,
    pub(in crate::render) times: Option<wgpu::RenderPassTimestampWrites<'a>>,
}

/// The samples that a scene is drawn on, with its depth.
#[derive(Debug, Clone, Copy)]
pub(in crate::render) struct SceneSamples<'a> {
    /// Those of light.
    pub(in crate::render) target: &'a SceneTarget,
    /// Those beside them, if the scene holds colours that are shown as they are.
    pub(in crate::render) shown: Option<&'a wgpu::TextureView>,
    /// Which pixels are drawn, if not all are.
    pub(in crate::render) drawn: Option<Viewport>,
}

impl SceneTarget {
    /// Textures of `size` in pixels, at least 1 × 1 and at most what the device can make.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        Self::with_use(gpu, size, false)
    }

    fn with_use(gpu: &Gpu, size: [u32; 2], is_read: bool) -> Self {
        let size = Self::clamp_size(gpu, size);
        let texture = |label, format, sample_count, usage| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size[0],
                    height: size[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let copied = attachment | wgpu::TextureUsages::COPY_SRC;
        let depth_use = if is_read {
            copied | wgpu::TextureUsages::TEXTURE_BINDING
        } else {
            copied
        };
        Self {
            samples: texture(
                "SceneTarget::samples",
                SCENE_FORMAT,
                SAMPLE_COUNT,
                copied | wgpu::TextureUsages::TEXTURE_BINDING,
            ),
            depth: texture("SceneTarget::depth", DEPTH_FORMAT, SAMPLE_COUNT, depth_use),
            size,
            is_read,
        }
    }

    /// Other samples of the same size and format, kept: to copy these into, or for what lies beside them.
    pub(in crate::render) fn keep_another<'k>(
        &self,
        gpu: &Gpu,
        kept: &'k mut Kept<wgpu::TextureView>,
    ) -> &'k wgpu::TextureView {
        let size = self.samples.texture().size();
        kept.get_or_make(
            |samples| samples.texture().size() == size,
            || self.another(gpu),
        )
    }

    fn another(&self, gpu: &Gpu) -> wgpu::TextureView {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("SceneTarget::another"),
            size: self.samples.texture().size(),
            mip_level_count: 1,
            sample_count: SAMPLE_COUNT,
            dimension: wgpu::TextureDimension::D2,
            format: SCENE_FORMAT,
            usage: self.samples.texture().usage() | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Makes the textures anew if they are not of this size.
    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) {
        self.fit(gpu, size, false);
    }

    /// Makes the textures anew if they are not of this size, or not for this use.
    pub(in crate::render) fn fit(&mut self, gpu: &Gpu, size: [u32; 2], is_read: bool) {
        if Self::clamp_size(gpu, size) != self.size || is_read != self.is_read {
            *self = Self::with_use(gpu, size, is_read);
        }
    }

    fn pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &'static str,
        color_attachments: &[Option<wgpu::RenderPassColorAttachment<'_>>],
        depth: wgpu::Operations<f32>,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(depth),
                stencil_ops: None,
            }),
            timestamp_writes,
            ..Default::default()
        })
    }

    /// Whether shaders read its depth afterwards.
    pub(in crate::render) fn is_depth_read(&self) -> bool {
        self.is_read
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    fn clamp_size(gpu: &Gpu, size: [u32; 2]) -> [u32; 2] {
        let largest = gpu.device.limits().max_texture_dimension_2d;
        size.map(|side| side.clamp(1, largest))
    }
}

impl<'a> SceneSamples<'a> {
    /// These, and others beside them.
    pub(in crate::render) fn beside(self, shown: Option<&'a wgpu::TextureView>) -> Self {
        Self { shown, ..self }
    }

    /// Begins the pass that draws the scene.
    pub(in crate::render) fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        beginning: PassBeginning<'_>,
    ) -> wgpu::RenderPass<'e> {
        let PassBeginning {
            label,
            is_fresh,
            resolved,
            stores_depth,
            times,
        } = beginning;
        let (depth, color) = if is_fresh {
            let cleared = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
            (wgpu::LoadOp::Clear(0.0), cleared)
        } else {
            (wgpu::LoadOp::Load, wgpu::LoadOp::Load)
        };
        let depth = wgpu::Operations {
            load: depth,
            store: stored(stores_depth),
        };
        let colors = color_attachments(&self.target.samples, resolved, self.shown, color);
        let mut pass = self
            .target
            .pass(encoder, label, attached(&colors), depth, times);
        self.limit(&mut pass);
        pass
    }

    /// Goes on with the scene.
    pub(in crate::render) fn resume_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &'static str,
        stores_depth: bool,
        times: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        let depth = wgpu::Operations {
            load: wgpu::LoadOp::Load,
            store: stored(stores_depth),
        };
        let colors = self.attachments();
        let mut pass = self
            .target
            .pass(encoder, label, attached(&colors), depth, times);
        self.limit(&mut pass);
        pass
    }

    /// Goes on with the scene's colours alone, without depth.
    pub(in crate::render) fn layer_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &'static str,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: attached(&self.attachments()),
            timestamp_writes,
            ..Default::default()
        });
        self.limit(&mut pass);
        pass
    }

    /// Lets a pass over the scene draw no more than is wanted of it.
    pub(in crate::render) fn limit(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(drawn) = self.drawn {
            pass.set_scissor_rect(drawn.x, drawn.y, drawn.width, drawn.height);
        }
    }

    /// The attachments of a pass that goes on with the scene's colours: those of [`color_attachments`].
    pub(in crate::render) fn attachments(
        &self,
    ) -> [Option<wgpu::RenderPassColorAttachment<'_>>; 2] {
        color_attachments(&self.target.samples, None, self.shown, wgpu::LoadOp::Load)
    }
}

/// The scene's light, and what is kept beside it of colours that are shown as they are; none where nothing is.
pub(in crate::render) fn color_attachments<'a>(
    light: &'a wgpu::TextureView,
    resolve_target: Option<&'a wgpu::TextureView>,
    shown: Option<&'a wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
) -> [Option<wgpu::RenderPassColorAttachment<'a>>; 2] {
    let attachment = |view, resolve_target| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: wgpu::Operations {
            load,
            store: wgpu::StoreOp::Store,
        },
    };
    [
        Some(attachment(light, resolve_target)),
        shown.map(|shown| attachment(shown, None)),
    ]
}

/// The attachments that there are, of which the last ones may be none: a pass has as many as its pipelines have targets.
pub(in crate::render) fn attached<'s, 'a>(
    attachments: &'s [Option<wgpu::RenderPassColorAttachment<'a>>],
) -> &'s [Option<wgpu::RenderPassColorAttachment<'a>>] {
    let count = attachments.iter().flatten().count();
    &attachments[..count]
}

fn stored(is_needed: bool) -> wgpu::StoreOp {
    if is_needed {
        wgpu::StoreOp::Store
    } else {
        wgpu::StoreOp::Discard
    }
}
