//! A copy of what is opaque in the scene, and of what blends behind glass, with smaller levels: what is seen through surfaces
//! that let light pass.

use super::{
    Gpu, Pass, Renderer, SceneTarget,
    pipelines::{MipChain, MipmapPipeline},
    target::{SCENE_FORMAT, color_attachments},
};

/// The copy, for one size of the scene.
#[derive(Debug)]
pub(super) struct SceneCopy {
    size: [u32; 2],
    first_level: wgpu::TextureView,
    /// The scene's samples with what blends behind glass, once there is any, and those beside them.
    behind: Option<wgpu::TextureView>,
    shown_behind: Option<wgpu::TextureView>,
    chain: MipChain,
    /// Group 0, with the copy.
    frame_group: wgpu::BindGroup,
}

impl SceneCopy {
    /// What the scene's samples are resolved to.
    pub(super) fn first_level(&self) -> &wgpu::TextureView {
        &self.first_level
    }

    /// Takes the scene's samples over, and `shown` beside them, and draws on them, by `draw`, what is seen through glass alone:
    /// the scene itself stays as it is.
    pub(super) fn add_behind(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (target, shown): (&SceneTarget, Option<&wgpu::TextureView>),
        times: Option<wgpu::RenderPassTimestampWrites<'_>>,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let mut taken_over = |from: &wgpu::TextureView, kept: &mut Option<wgpu::TextureView>| {
            let kept = kept.get_or_insert_with(|| target.another(gpu));
            let (from, to) = (from.texture(), kept.texture());
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
            kept.clone()
        };
        let behind = taken_over(&target.samples, &mut self.behind);
        let shown = shown.map(|shown| taken_over(shown, &mut self.shown_behind));
        // Both together become light afterwards.
        let resolved = Some(&self.first_level).filter(|_| shown.is_none());
        let load = wgpu::LoadOp::Load;
        let mut color_attachments = color_attachments(&behind, resolved, shown.as_ref(), load);
        if let [Some(only)] = &mut color_attachments[..] {
            only.ops.store = wgpu::StoreOp::Discard;
        }
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("SceneCopy::behind_pass"),
            color_attachments: &color_attachments,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &target.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Load,
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: times,
            ..Default::default()
        });
        draw(&mut pass);
    }

    /// Lets go of what [`Self::add_behind`] drew on.
    pub(super) fn let_go_of_behind(&mut self) {
        self.behind = None;
        self.shown_behind = None;
    }

    /// The samples that [`Self::add_behind`] drew on, of scenes that hold shown colours.
    pub(super) fn behind(&self) -> Option<[&wgpu::TextureView; 2]> {
        let both = self.behind.as_ref().zip(self.shown_behind.as_ref());
        both.map(|(light, shown)| [light, shown])
    }

    /// Group 0, with the copy.
    pub(super) fn frame_group(&self) -> &wgpu::BindGroup {
        &self.frame_group
    }

    /// Whether it has no smaller levels.
    pub(super) fn is_one_level(&self) -> bool {
        self.chain.is_empty()
    }
}

/// One black texel, for passes that look at no copy.
pub(super) fn no_copy(gpu: &Gpu) -> wgpu::TextureView {
    texture(gpu, [1, 1]).create_view(&wgpu::TextureViewDescriptor::default())
}

fn texture(gpu: &Gpu, [width, height]: [u32; 2]) -> wgpu::Texture {
    let size = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("SceneCopy::texture"),
        size,
        mip_level_count: size.max_mips(wgpu::TextureDimension::D2),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: SCENE_FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })
}

impl Renderer {
    /// Makes the smaller levels of a copy's first. `goes_on` is whether a pass before belongs to the same work.
    pub(super) fn blur_copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        copy: &SceneCopy,
        goes_on: bool,
    ) {
        copy.chain.record_timed(encoder, |[is_first, is_last]| {
            self.timestamps_within(Pass::Copy, is_first && !goes_on, is_last)
        });
    }

    /// Makes the copy for scenes of this size, unless it is there.
    pub(super) fn prepare_scene_copy(&mut self, gpu: &Gpu, size: [u32; 2]) {
        let has_size = |copy: &SceneCopy| copy.size == size;
        self.intermediates.used.scene_copy = true;
        let kept = &self.intermediates.scene_copy;
        if kept.as_ref().is_some_and(has_size) {
            return;
        }
        let texture = texture(gpu, size);
        let all_levels = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.intermediates.made_count += 1;
        self.intermediates.scene_copy = Some(SceneCopy {
            size,
            first_level: MipmapPipeline::level_view(&texture, 0),
            behind: None,
            shown_behind: None,
            chain: self.mipmaps.chain(gpu, &texture),
            frame_group: self.frame_bindings.group(gpu, &all_levels),
        });
    }
}
