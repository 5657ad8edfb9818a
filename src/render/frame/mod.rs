//! What a frame brings to the adapter before anything is drawn: its uniform and what all passes share, the environment, and the
//! palette in storage buffers.

mod bindings;
mod environment;
pub(super) mod palette;
pub(super) mod uniform;

use self::{bindings::FrameBindings, environment::Environment};
use super::{Gpu, layout::FrameUniform, passes::scene_copy::no_copy, pipelines::PrefilterPipeline};
use crate::{model::Panorama, scene::studio};

/// What all passes of a frame share.
#[derive(Debug)]
pub(super) struct FrameResources {
    pub(super) bindings: FrameBindings,
    /// Group 0, with no copy of the scene.
    pub(super) group: wgpu::BindGroup,
    pub(super) environment: Environment,
    prefilter: PrefilterPipeline,
}

impl FrameResources {
    /// Those of frames in the studio.
    pub(super) fn new(gpu: &Gpu, shadow_map: &wgpu::TextureView) -> Self {
        let prefilter = PrefilterPipeline::new(&gpu.device);
        let environment = Environment::new(gpu, &prefilter, &studio());
        let bindings = FrameBindings::new(gpu, &environment, shadow_map);
        Self {
            group: bindings.group(gpu, &no_copy(gpu)),
            bindings,
            environment,
            prefilter,
        }
    }

    /// Another environment, for groups that are made from now on.
    pub(super) fn set_environment(&mut self, gpu: &Gpu, panorama: &Panorama) {
        self.environment = Environment::new(gpu, &self.prefilter, panorama);
        self.bindings.set_environment(&self.environment);
        self.group = self.bindings.group(gpu, &no_copy(gpu));
    }

    /// Brings a frame's uniform to the GPU.
    pub(super) fn write(&self, gpu: &Gpu, uniform: &FrameUniform) {
        let bytes = bytemuck::bytes_of(uniform);
        gpu.queue.write_buffer(&self.bindings.uniform, 0, bytes);
    }
}
