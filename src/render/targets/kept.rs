//! What is made once and kept from picture to picture, for as long as they need it.

/// Something that is kept.
#[derive(Debug)]
pub(in crate::render) struct Kept<T> {
    kept: Option<T>,
    /// Whether the picture that is drawn has asked for it so far.
    is_used: bool,
    /// How often it was made for that picture.
    made_count: usize,
}

/// A bind group of some textures, which is made anew when they are others.
pub(in crate::render) type KeptGroup<const N: usize> =
    Kept<([wgpu::TextureView; N], wgpu::BindGroup)>;

/// What is done with all that is kept.
pub(in crate::render) trait Keeps {
    /// Lets go of it.
    fn let_go(&mut self);

    /// Lets go of it, unless the picture that is drawn has asked for it. Gives how often it was made for that one.
    fn end_picture(&mut self) -> usize;
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self {
            kept: None,
            is_used: false,
            made_count: 0,
        }
    }
}

impl<T> Kept<T> {
    /// What is kept, if it is there.
    pub(in crate::render) fn get(&self) -> Option<&T> {
        self.kept.as_ref()
    }

    /// What is kept, for the picture that is drawn; made, unless it is there and fits.
    pub(in crate::render) fn get_or_make(
        &mut self,
        fits: impl FnOnce(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> &T {
        self.is_used = true;
        self.kept.take_if(|kept| !fits(kept));
        self.kept.get_or_insert_with(|| {
            self.made_count += 1;
            make()
        })
    }
}

impl<T> Keeps for Kept<T> {
    fn let_go(&mut self) {
        self.kept = None;
    }

    fn end_picture(&mut self) -> usize {
        if !std::mem::take(&mut self.is_used) {
            self.let_go();
        }
        std::mem::take(&mut self.made_count)
    }
}

impl<const N: usize> KeptGroup<N> {
    /// The group of `buffer`, at binding 0, and these textures from binding 1 on.
    pub(in crate::render) fn of(
        &mut self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        buffer: &wgpu::Buffer,
        views: [&wgpu::TextureView; N],
    ) -> &wgpu::BindGroup {
        let make = || {
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
        let (_, group) = self.get_or_make(|(kept, _)| kept.each_ref() == views, make);
        group
    }
}
