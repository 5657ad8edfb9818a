//! What a picture is drawn into on its way, besides its scene; kept as long as pictures of the same size need it.

use super::kept::{Keeps, Kept, KeptGroup};
use crate::render::passes::{
    opaque_depth::OpaqueDepth,
    scene_copy::SceneCopy,
    weighted::{ShownSum, WeightedSums},
};

/// For the scenes of one subject. Where two of different sizes are drawn in turn, each has its own.
#[derive(Debug, Default)]
pub(in crate::render) struct Intermediates {
    /// Where a model lets light pass.
    pub(in crate::render) scene_copy: Kept<SceneCopy>,
    /// The scene's samples with what blends behind glass, where anything does, and those beside them.
    pub(in crate::render) behind: Kept<wgpu::TextureView>,
    pub(in crate::render) shown_behind: Kept<wgpu::TextureView>,
    /// Where blended surfaces are summed up.
    pub(in crate::render) weighted: Kept<WeightedSums>,
    /// Where some of them are shown as they are.
    pub(in crate::render) weighted_shown: Kept<ShownSum>,
    /// Where a skeleton is drawn that only what is opaque may hide.
    pub(in crate::render) opaque_depth: Kept<OpaqueDepth>,
    /// Colours that are shown as they are, in samples beside the scene's: where a model has any and blends.
    pub(in crate::render) shown: Kept<wgpu::TextureView>,
    /// What the tone curve reads.
    pub(in crate::render) tone_group: KeptGroup<1>,
    /// What the tone curve reads where there are such colours.
    pub(in crate::render) tone_colors_group: KeptGroup<2>,
    /// What light for glass is made of, where there are any.
    pub(in crate::render) light_group: KeptGroup<2>,
}

impl Intermediates {
    fn all(&mut self) -> [&mut dyn Keeps; 10] {
        [
            &mut self.scene_copy,
            &mut self.behind,
            &mut self.shown_behind,
            &mut self.weighted,
            &mut self.weighted_shown,
            &mut self.opaque_depth,
            &mut self.shown,
            &mut self.tone_group,
            &mut self.tone_colors_group,
            &mut self.light_group,
        ]
    }
}

impl Keeps for Intermediates {
    fn let_go(&mut self) {
        self.all().into_iter().for_each(Keeps::let_go);
    }

    /// Each is as large as the picture or larger. Not between the subjects of a picture, one of which may need what the other
    /// does not.
    fn end_picture(&mut self) -> usize {
        self.all().into_iter().map(Keeps::end_picture).sum()
    }
}
