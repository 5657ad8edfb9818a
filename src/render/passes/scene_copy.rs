//! A copy of what is opaque in the scene, of what blends behind glass, and of a background that is known, with smaller levels:
//! what is seen through surfaces that let light pass.

use super::{
    plan::{CopyPlan, CopyStep},
    scene::ReadyScene,
    times::PassPart,
};
use crate::{
    render::{
        Gpu, Pass, Renderer, SceneTarget,
        frame::uniform::shown_as,
        pipelines::{MipChain, MipmapPipeline, ToneWay},
        targets::{
            intermediates::Intermediates,
            scene::{SCENE_FORMAT, SceneSamples, attached, color_attachments},
        },
    },
    scene::Frame,
};

/// The copy, for one size of the scene.
#[derive(Debug)]
pub(in crate::render) struct SceneCopy {
    size: [u32; 2],
    first_level: wgpu::TextureView,
    chain: MipChain,
    /// Group 0, with the copy.
    frame_group: wgpu::BindGroup,
}

impl SceneCopy {
    /// What the scene's samples are resolved to.
    pub(super) fn first_level(&self) -> &wgpu::TextureView {
        &self.first_level
    }

    /// Begins a pass that draws what is seen through glass alone: the scene itself stays as it is. The first takes the scene's
    /// samples over, and `shown` beside them; the last resolves them. None if there is no room for them.
    fn behind_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        SceneSamples { target, shown, .. }: SceneSamples<'_>,
        (kept, how): (&Intermediates, CopyPlan),
        [is_first, is_last]: [bool; 2],
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> Option<wgpu::RenderPass<'e>> {
        let behind = kept.behind.get()?;
        let beside = shown.zip(kept.shown_behind.get());
        let taken = [(&target.samples, behind)].into_iter().chain(beside);
        for (from, to) in taken.filter(|_| is_first) {
            let (from, to) = (from.texture(), to.texture());
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        }
        let resolved = Some(&self.first_level).filter(|_| is_last && how.behind_resolves());
        let beside = beside.map(|(_, behind)| behind);
        let load = wgpu::LoadOp::Load;
        let mut color_attachments = color_attachments(behind, resolved, beside, load);
        if let [Some(only), None] = &mut color_attachments
            && is_last
        {
            only.ops.store = wgpu::StoreOp::Discard;
        }
        Some(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("SceneCopy::behind_pass"),
            color_attachments: attached(&color_attachments),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &target.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Load,
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            timestamp_writes,
            ..Default::default()
        }))
    }

    /// Group 0, with the copy.
    pub(super) fn frame_group(&self) -> &wgpu::BindGroup {
        &self.frame_group
    }
}

/// One black texel, for passes that look at no copy.
pub(in crate::render) fn no_copy(gpu: &Gpu) -> wgpu::TextureView {
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
    /// Makes the copy, which must be ready, from the scene as it is, and from what blends behind glass.
    pub(super) fn copy_for_glass(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        scene: &ReadyScene<'_>,
        (copy, how): (&SceneCopy, CopyPlan),
    ) {
        let times = |step| {
            let [is_first, is_last] = how.ends(step);
            self.timestamps_within(Pass::Copy, PassPart { is_first, is_last })
        };
        if how.draws_behind {
            let (samples, room) = (scene.samples(), (&self.intermediates, how));
            let behind = scene.lists.behind_glass.iter();
            self.in_portions(gpu, encoder, behind, |encoder, portion| {
                let ends = [portion.is_first, portion.is_last];
                let times = times(CopyStep::Behind).filter(|_| portion.is_last);
                if let Some(mut pass) = copy.behind_pass(encoder, samples, room, ends, times) {
                    self.bind_frame(&mut pass, &self.frame.group);
                    self.draw_meshes(&mut pass, portion.draws);
                }
            });
        }
        if let Some(group) = &scene.light_group {
            let into = &copy.first_level;
            self.light_pass(encoder, scene.frame, group, into, times(CopyStep::Light));
        }
        if how.has_background {
            self.background_pass(encoder, scene.frame, copy, times(CopyStep::Background));
        }
        let [begins, ends] = how.ends(CopyStep::Levels);
        copy.chain.record_timed(encoder, |[is_first, is_last]| {
            let part = PassPart {
                is_first: is_first && begins,
                is_last: is_last && ends,
            };
            self.timestamps_within(Pass::Copy, part)
        });
    }

    /// Puts the background behind what is in the copy.
    fn background_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame<'_>,
        copy: &SceneCopy,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let (curve, _) = shown_as(frame);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("Renderer::background_pass"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &copy.first_level,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes,
            ..Default::default()
        });
        let group = &self.tone.pipeline.background_group;
        self.tone
            .pipeline
            .draw(&mut pass, curve, ToneWay::BackgroundAsLight, group);
    }

    /// Makes the copy for scenes of this size, unless it is there.
    pub(super) fn prepare_scene_copy(&mut self, gpu: &Gpu, size: [u32; 2]) {
        let make = || {
            let texture = texture(gpu, size);
            let all_levels = texture.create_view(&wgpu::TextureViewDescriptor::default());
            SceneCopy {
                size,
                first_level: MipmapPipeline::level_view(&texture, 0),
                chain: self.mipmaps.chain(gpu, &texture),
                frame_group: self.frame.bindings.group(gpu, &all_levels),
            }
        };
        let kept = &mut self.intermediates.scene_copy;
        kept.get_or_make(|copy| copy.size == size, make);
    }

    /// Makes room for what blends behind glass, unless it is there; for shown colours, too, where the scene holds them beside
    /// its light.
    pub(super) fn prepare_behind(&mut self, gpu: &Gpu, target: &SceneTarget, is_beside: bool) {
        let kept = &mut self.intermediates;
        target.keep_another(gpu, &mut kept.behind);
        if is_beside {
            target.keep_another(gpu, &mut kept.shown_behind);
        }
    }
}
