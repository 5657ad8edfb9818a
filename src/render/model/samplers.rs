//! Which samplers the textures of materials get, and which materials bind alike: a software driver makes a shader anew for each
//! combination of what is bound.

use std::collections::{HashMap, HashSet};

use crate::model::{Filter, MipFilter, Sampler};

/// Combinations in a model that a software driver gets as they are: it takes a quarter of a second for each.
const MAX_EXACT: usize = 8;
/// Combinations that it gets at all, but for those of one sampler for all textures.
const MAX_MIXED: usize = 12;

/// What of a texture such a driver makes shaders for (Mesa, `lp_static_texture_state`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TextureKind {
    format: wgpu::TextureFormat,
    /// Whether width and height are powers of two.
    is_power: [bool; 2],
    has_levels: bool,
}

impl TextureKind {
    pub(in crate::render) fn of(texture: &wgpu::Texture) -> Self {
        Self {
            format: texture.format(),
            is_power: [texture.width(), texture.height()].map(u32::is_power_of_two),
            has_levels: texture.mip_level_count() > 1,
        }
    }
}

/// A number for all that materials bind: those of the same number share their shaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in crate::render) struct Bindings(u32);

/// The combinations of samplers that the materials of a model have.
#[derive(Debug)]
pub(super) struct Combinations {
    is_software: bool,
    seen: HashSet<Vec<Sampler>>,
    bindings: HashMap<Vec<(Sampler, TextureKind)>, Bindings>,
}

impl Combinations {
    pub(in crate::render) fn new(is_software: bool) -> Self {
        Self {
            is_software,
            seen: HashSet::new(),
            bindings: HashMap::new(),
        }
    }

    /// Makes the samplers of a material's textures fewer, if there have been very many combinations: first they filter alike,
    /// and then they wrap as the first does. Returns whether anything is different.
    pub(super) fn reduce(&mut self, samplers: &mut [Sampler]) -> bool {
        if !self.is_software || self.is_taken(samplers, MAX_EXACT) {
            return false;
        }
        let before = samplers.to_vec();
        for sampler in samplers.iter_mut() {
            *sampler = Sampler {
                magnify: Filter::Linear,
                minify: Filter::Linear,
                mip: MipFilter::Linear,
                ..*sampler
            };
        }
        if !self.is_taken(samplers, MAX_MIXED)
            && let Some(&first) = samplers.first()
        {
            samplers.fill(first);
        }
        before != samplers
    }

    /// The number for these samplers and textures: hardware has one shader for all.
    pub(in crate::render) fn number(&mut self, bound: Vec<(Sampler, TextureKind)>) -> Bindings {
        if !self.is_software {
            return Bindings::default();
        }
        let next = Bindings(self.bindings.len() as u32);
        *self.bindings.entry(bound).or_insert(next)
    }

    /// Whether a combination is there, or new and one of the first `most`.
    fn is_taken(&mut self, samplers: &[Sampler], most: usize) -> bool {
        let is_one = samplers.windows(2).all(|pair| pair[0] == pair[1]);
        let what = samplers.get(..1).filter(|_| is_one).unwrap_or(samplers);
        self.seen.contains(what) || self.seen.len() < most && self.seen.insert(what.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Wrap;

    const WRAPS: [Wrap; 3] = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge];
    const FILTERS: [Filter; 2] = [Filter::Nearest, Filter::Linear];
    const MIPS: [MipFilter; 3] = [MipFilter::None, MipFilter::Nearest, MipFilter::Linear];

    fn sampler(number: usize) -> Sampler {
        Sampler {
            magnify: FILTERS[number % 2],
            minify: FILTERS[number / 2 % 2],
            mip: MIPS[number / 4 % 3],
            wrap_u: WRAPS[number % 3],
            wrap_v: WRAPS[number / 3 % 3],
        }
    }

    fn materials() -> impl Iterator<Item = [Sampler; 3]> {
        (0..500).map(|index| [index, index * 5 / 7, index * 7 / 3].map(sampler))
    }

    #[test]
    fn a_software_driver_gets_few_combinations() {
        let mut combinations = Combinations::new(true);
        let mut made = HashSet::new();
        for (index, mut samplers) in materials().enumerate() {
            let before = samplers;
            let is_reduced = combinations.reduce(&mut samplers);
            assert_eq!(is_reduced, samplers != before);
            assert!(
                index >= MAX_EXACT || !is_reduced,
                "the first few are as they are"
            );
            assert_eq!(samplers[0].wrap_u, before[0].wrap_u);
            assert_eq!(samplers[0].wrap_v, before[0].wrap_v);
            made.insert(samplers);
        }
        // And one for each way in which all wrap.
        assert!(made.len() <= MAX_MIXED + 9, "{}", made.len());
        assert!(!combinations.reduce(&mut []));
    }

    #[test]
    fn hardware_gets_them_as_they_are() {
        let mut combinations = Combinations::new(false);
        assert!(materials().all(|mut samplers| !combinations.reduce(&mut samplers)));
    }

    /// What files of one sampler look like.
    #[test]
    fn one_sampler_for_all_textures_is_one_combination() {
        let mut combinations = Combinations::new(true);
        for count in 0..40 {
            let mut samplers = vec![sampler(0); count];
            assert!(!combinations.reduce(&mut samplers));
        }
        assert!(combinations.seen.len() <= 2);
    }
}
