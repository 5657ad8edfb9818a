//! A copy of what is opaque in the scene, with smaller levels: what is seen through surfaces that let light pass.

use super::{
    Gpu, Renderer,
    pipelines::{MipChain, MipmapPipeline},
    target::SCENE_FORMAT,
};

/// The copy, for one size of the scene.
#[derive(Debug)]
pub(super) struct SceneCopy {
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

    /// Group 0, with the copy.
    pub(super) fn frame_group(&self) -> &wgpu::BindGroup {
        &self.frame_group
    }

    /// Makes the smaller levels of the first.
    pub(super) fn blur(&self, encoder: &mut wgpu::CommandEncoder) {
        self.chain.record(encoder);
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
    /// Makes the copy for scenes of this size, unless it is there.
    pub(super) fn prepare_scene_copy(&mut self, gpu: &Gpu, size: [u32; 2]) {
        let has_size = |copy: &SceneCopy| copy.size == size;
        if self.scene_copy.as_ref().is_some_and(has_size) {
            return;
        }
        let texture = texture(gpu, size);
        let all_levels = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.scene_copy = Some(SceneCopy {
            size,
            first_level: MipmapPipeline::level_view(&texture, 0),
            chain: self.mipmaps.chain(gpu, &texture),
            frame_group: self
                .frame_bindings
                .group(gpu, &self.frame_uniform, &all_levels),
        });
    }
}
