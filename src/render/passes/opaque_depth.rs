//! The depth of what is opaque, kept for the skeleton: what light passes through, and what blends, hides no bone.

use crate::render::{
    Gpu, Renderer, SceneTarget,
    targets::scene::{DEPTH_FORMAT, SAMPLE_COUNT},
};

/// A copy of a scene's depth, for one size of the scene.
#[derive(Debug)]
pub(in crate::render) struct OpaqueDepth {
    size: [u32; 2],
    pub(in crate::render) view: wgpu::TextureView,
}

impl OpaqueDepth {
    fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("OpaqueDepth::view"),
            size: wgpu::Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: SAMPLE_COUNT,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        Self {
            size,
            view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
        }
    }
}

impl Renderer {
    /// Makes room for the depth of scenes of this size, unless it is there.
    pub(super) fn prepare_opaque_depth(&mut self, gpu: &Gpu, size: [u32; 2]) {
        let kept = &mut self.intermediates.opaque_depth;
        kept.get_or_make(|depth| depth.size == size, || OpaqueDepth::new(gpu, size));
    }

    /// Keeps the depth that `target` has now; room for it must be prepared.
    pub(super) fn keep_opaque_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &SceneTarget,
    ) {
        if let Some(kept) = self.intermediates.opaque_depth.get() {
            let (from, to) = (target.depth.texture(), kept.view.texture());
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        }
    }
}
