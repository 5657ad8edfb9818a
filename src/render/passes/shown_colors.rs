//! Colours that are shown as they are, beside the light of a scene.
//!
//! Light is bent by the tone curve once all of it is mixed, but such colours mix as the screen has them
//! (`KHR_materials_unlit`). So they have samples of their own, each side of which hides the other as alpha says, and
//! `tonemap.wgsl` adds them to what the curve makes of the light. Glass shows a copy of the scene that is light alone, with
//! such light for them as the curve turns into these colours.

use super::plan::CopyPlan;
use crate::{
    model::{Primitive, Topology},
    render::{
        Gpu, Renderer, SceneTarget,
        frame::uniform::shown_as,
        layout::material_flags,
        model::material::Features,
        pipelines::{Blending, ToneWay},
    },
    scene::{Frame, Quality},
};

/// Whether a primitive is shown as it is with a material of these features: twin of `is_shown` in
/// `shaders/material_colors.wgsl`.
pub(in crate::render) fn is_shown(primitive: &Primitive, features: &Features) -> bool {
    let has_direction =
        !primitive.vertices.normals.is_empty() || primitive.topology == Topology::Triangles;
    features.flags & material_flags::UNLIT != 0 || !has_direction
}

/// When a model keeps such colours apart from light. Where it does not, all are light, and white comes out a little darker by
/// some curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum ShownApart {
    /// There are none, or the adapter may not blend into two targets in two ways.
    Never,
    /// Nothing blends: samples of their own would make white a little brighter, and each frame dearer.
    AtFullQuality,
    /// They mix with others.
    Always,
}

impl ShownApart {
    /// For a model with these primitives and materials.
    pub(in crate::render) fn of<'a>(
        gpu: &Gpu,
        drawn: impl Iterator<Item = (&'a Primitive, Blending, &'a Features)> + Clone,
    ) -> Self {
        let flags = gpu.downlevel_flags();
        let mut all = drawn.clone();
        if !flags.contains(wgpu::DownlevelFlags::INDEPENDENT_BLEND)
            || !all.any(|(primitive, _, features)| is_shown(primitive, features))
        {
            return Self::Never;
        }
        let mut blendings = drawn.map(|(_, blending, _)| blending);
        if blendings.any(|blending| blending == Blending::Alpha) {
            Self::Always
        } else {
            Self::AtFullQuality
        }
    }

    /// Whether they are in pictures of this quality.
    pub(in crate::render) fn at(self, quality: Quality) -> bool {
        match self {
            Self::Never => false,
            Self::AtFullQuality => quality == Quality::Full,
            Self::Always => true,
        }
    }
}

impl Renderer {
    /// The samples for such colours beside those of `target`.
    pub(super) fn shown_samples(&mut self, gpu: &Gpu, target: &SceneTarget) -> wgpu::TextureView {
        let kept = &mut self.intermediates.shown;
        target.keep_another(gpu, kept).clone()
    }

    /// Makes what draws light for glass, unless it is there, and the group of what that is made of: the samples of `target` and
    /// those beside them, or those with what blends behind glass.
    pub(super) fn prepare_light(
        &mut self,
        gpu: &Gpu,
        frame: &Frame<'_>,
        target: &SceneTarget,
        shown: &wgpu::TextureView,
        how: CopyPlan,
    ) -> wgpu::BindGroup {
        let (curve, _) = shown_as(frame);
        self.tone
            .pipeline
            .prepare(&gpu.device, curve, ToneWay::AsLight);
        let kept = &mut self.intermediates;
        let behind = kept.behind.get().zip(kept.shown_behind.get());
        let behind = behind.filter(|_| how.draws_behind);
        let (light, colors) = behind.unwrap_or((&target.samples, shown));
        let layout = &self.tone.pipeline.colors_bind_layout;
        let uniform = &self.tone.uniform;
        let group = &mut kept.light_group;
        group
            .of(&gpu.device, layout, uniform, [light, colors])
            .clone()
    }

    /// Makes light of what is in `group`, for glass.
    pub(super) fn light_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame<'_>,
        group: &wgpu::BindGroup,
        into: &wgpu::TextureView,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let (curve, _) = shown_as(frame);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("Renderer::light_pass"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: into,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes,
            ..Default::default()
        });
        self.tone
            .pipeline
            .draw(&mut pass, curve, ToneWay::AsLight, group);
    }
}
