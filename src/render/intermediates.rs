//! What a picture is drawn into on its way, besides its scene; kept as long as the size of the scene stays.

use super::{opaque_depth::OpaqueDepth, scene_copy::SceneCopy, weighted::WeightedSums};

/// For the scenes of one subject. Where two of different sizes are drawn in turn, each has its own.
#[derive(Debug, Default)]
pub(super) struct Intermediates {
    /// There once a model lets light pass.
    pub(super) scene_copy: Option<SceneCopy>,
    /// There once blended surfaces were summed up.
    pub(super) weighted: Option<WeightedSums>,
    /// There once a skeleton was drawn that only what is opaque may hide.
    pub(super) opaque_depth: Option<OpaqueDepth>,
    /// What the tone curve reads.
    pub(super) tone_group: KeptGroup<1>,
    /// How often the first three were made.
    pub(super) made_count: usize,
}

impl Intermediates {
    /// Lets go of all; what was made stays counted.
    pub(super) fn let_go(&mut self) {
        self.scene_copy = None;
        self.weighted = None;
        self.opaque_depth = None;
        self.tone_group.let_go();
    }

    /// How often anything here was made.
    pub(super) fn all_made_count(&self) -> usize {
        self.made_count + self.tone_group.made_count
    }
}

/// A bind group of some textures, which is made anew when they are others.
#[derive(Debug)]
pub(super) struct KeptGroup<const N: usize> {
    kept: Option<([wgpu::TextureView; N], wgpu::BindGroup)>,
    /// How often it was made.
    pub(super) made_count: usize,
}

impl<const N: usize> Default for KeptGroup<N> {
    fn default() -> Self {
        Self {
            kept: None,
            made_count: 0,
        }
    }
}

impl<const N: usize> KeptGroup<N> {
    /// Lets go of the group, and with it of the textures.
    pub(super) fn let_go(&mut self) {
        self.kept = None;
    }

    /// The group of these textures: they come first, from binding 0 on, then `buffer`.
    pub(super) fn get(
        &mut self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        views: [&wgpu::TextureView; N],
        buffer: &wgpu::Buffer,
    ) -> &wgpu::BindGroup {
        self.kept.take_if(|(kept, _)| kept.each_ref() != views);
        let make = || {
            self.made_count += 1;
            let textures = views.map(wgpu::BindingResource::TextureView);
            let resources = textures.into_iter().chain([buffer.as_entire_binding()]);
            let entries: Vec<_> = (0..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("KeptGroup"),
                layout,
                entries: &entries,
            });
            (views.map(Clone::clone), group)
        };
        &self.kept.get_or_insert_with(make).1
    }
}
