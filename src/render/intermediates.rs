//! What a picture is drawn into on its way, besides its scene; kept as long as pictures of the same size need it.

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
    /// Colours that are shown as they are, in samples beside the scene's: there once a model had any where it blends.
    pub(super) shown: Option<wgpu::TextureView>,
    /// What the tone curve reads.
    pub(super) tone_group: KeptGroup<1>,
    /// What the tone curve reads where there are such colours.
    pub(super) tone_colors_group: KeptGroup<2>,
    /// What light for glass is made of, where there are any.
    pub(super) light_group: KeptGroup<2>,
    /// What the picture has needed so far of the first four, and of their parts.
    pub(super) used: Used,
    /// How often the first four and the parts that are made later were made.
    pub(super) made_count: usize,
}

/// What a picture needs.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) scene_copy: bool,
    /// The copy's samples with what blends behind glass.
    pub(super) behind: bool,
    /// Those beside them.
    pub(super) shown_behind: bool,
    pub(super) weighted: bool,
    /// The sums of colours that are shown as they are.
    pub(super) weighted_shown: bool,
    pub(super) opaque_depth: bool,
    pub(super) shown: bool,
}

impl Intermediates {
    /// Lets go of all; what was made stays counted.
    pub(super) fn let_go(&mut self) {
        self.scene_copy = None;
        self.weighted = None;
        self.opaque_depth = None;
        self.shown = None;
        self.tone_group.let_go();
        self.tone_colors_group.let_go();
        self.light_group.let_go();
    }

    /// Lets go of what the picture that is drawn has not needed: each is as large as the picture or larger. Not between the
    /// subjects of a picture, one of which may need what the other does not.
    pub(super) fn end_picture(&mut self) {
        let used = std::mem::take(&mut self.used);
        self.scene_copy.take_if(|_| !used.scene_copy);
        if let Some(copy) = &mut self.scene_copy {
            copy.keep_behind(used.behind, used.shown_behind);
        }
        self.opaque_depth.take_if(|_| !used.opaque_depth);
        self.shown.take_if(|_| !used.shown);
        self.weighted.take_if(|_| !used.weighted);
        if let Some(sums) = self.weighted.as_mut().filter(|_| !used.weighted_shown) {
            sums.let_go_of_shown();
        }
        self.tone_group.end_picture();
        self.tone_colors_group.end_picture();
        self.light_group.end_picture();
    }

    /// How often anything here was made.
    pub(super) fn all_made_count(&self) -> usize {
        let groups = [&self.tone_colors_group, &self.light_group];
        let groups = groups.map(|group| group.made_count);
        self.made_count + self.tone_group.made_count + groups.iter().sum::<usize>()
    }
}

/// A bind group of some textures, which is made anew when they are others.
#[derive(Debug)]
pub(super) struct KeptGroup<const N: usize> {
    kept: Option<([wgpu::TextureView; N], wgpu::BindGroup)>,
    /// Whether the picture has asked for it so far.
    is_used: bool,
    /// How often it was made.
    pub(super) made_count: usize,
}

impl<const N: usize> Default for KeptGroup<N> {
    fn default() -> Self {
        Self {
            kept: None,
            is_used: false,
            made_count: 0,
        }
    }
}

impl<const N: usize> KeptGroup<N> {
    /// Lets go of the group, and with it of the textures.
    pub(super) fn let_go(&mut self) {
        self.kept = None;
    }

    /// Lets go of it, unless the picture that is drawn has asked for it.
    pub(super) fn end_picture(&mut self) {
        if !std::mem::take(&mut self.is_used) {
            self.let_go();
        }
    }

    /// The group of `buffer`, at binding 0, and these textures from binding 1 on.
    pub(super) fn get(
        &mut self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        buffer: &wgpu::Buffer,
        views: [&wgpu::TextureView; N],
    ) -> &wgpu::BindGroup {
        self.is_used = true;
        self.kept.take_if(|(kept, _)| kept.each_ref() != views);
        let make = || {
            self.made_count += 1;
            let textures = views.map(wgpu::BindingResource::TextureView);
            let resources = [buffer.as_entire_binding()].into_iter().chain(textures);
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
