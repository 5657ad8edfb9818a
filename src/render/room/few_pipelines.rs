//! Models whose materials ask for very many pipelines: theirs are made for all layers that any of them has. Each takes a
//! tenth of a second or more, on hardware and by software.

use crate::render::layout::material_flags::{
    CLEARCOAT, DIFFUSE_TRANSMISSION, DISPERSION, IRIDESCENCE, SHEEN, SPECULAR, TRANSMISSION, UNLIT,
    VOLUME,
};

/// Pipelines of which each has just what its material asks for. What real models ask for is far from it.
pub(in crate::render) const MANY: usize = 64;

/// Layers that are nothing where a material says nothing of them: its numbers say so, then.
/// Anisotropy is not one of them: with it the environment is looked at in other ways.
const LAYERS: u32 = SPECULAR | CLEARCOAT | SHEEN | IRIDESCENCE | DIFFUSE_TRANSMISSION;

/// Gives all materials with these flags the layers of all others, as far as that shows nothing more.
pub(in crate::render) fn share_layers<'f>(all: impl Iterator<Item = &'f mut u32>) {
    let mut lit: Vec<_> = all.filter(|flags| **flags & UNLIT == 0).collect();
    let layers = lit.iter().fold(0, |layers, flags| layers | **flags) & LAYERS;
    // What is inside is seen of those alone that light passes through.
    for (is_glass, inside) in [(true, VOLUME | DISPERSION), (false, VOLUME)] {
        let is_alike = |flags: &&mut u32| (**flags & TRANSMISSION != 0) == is_glass;
        let alike = lit.iter().filter(|flags| is_alike(flags));
        let inside = alike.fold(0, |all, flags| all | **flags) & inside;
        for flags in lit.iter_mut().filter(|flags| is_alike(flags)) {
            **flags |= layers | inside;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_lit_gets_the_same_layers() {
        let glass = TRANSMISSION;
        let mut flags = [
            0,
            SHEEN | 1,
            CLEARCOAT | VOLUME,
            glass | DISPERSION,
            glass,
            UNLIT | 2,
        ];
        share_layers(flags.iter_mut());
        let layers = SHEEN | CLEARCOAT;
        let solid = layers | VOLUME;
        let through = layers | glass | DISPERSION;
        assert_eq!(
            flags,
            [solid, solid | 1, solid, through, through, UNLIT | 2]
        );
    }
}
