//! Which textures a material gets: each once, and where there are more than the adapter has room for, those that matter most.

use std::borrow::Cow;

use glam::Vec3;

use super::texture::ColorSpace;
use crate::{
    model::{Material, Model, Texture, TextureRef, TextureSlot},
    render::layout::{MAP_COUNT, NO_SLOT, material_flags as flags},
};

/// What a texture is used for: the texture, and how its numbers are meant.
pub(super) type Map = (Option<TextureRef>, ColorSpace);

/// The textures of a material in the order of [`crate::render::layout::MAP_SLOTS`].
pub(super) fn maps(material: &Material) -> [Map; MAP_COUNT] {
    std::array::from_fn(|place| {
        let slot = TextureSlot::ALL[place];
        let old = material.specular_glossiness.as_ref();
        let texture = match (old, slot) {
            (Some(old), TextureSlot::BaseColor) => old.diffuse_texture,
            (Some(old), TextureSlot::MetallicRoughness) => old.texture,
            _ => material.texture(slot),
        };
        let is_color = match slot {
            TextureSlot::MetallicRoughness => old.is_some(),
            TextureSlot::BaseColor
            | TextureSlot::Emissive
            | TextureSlot::SpecularColor
            | TextureSlot::SheenColor
            | TextureSlot::DiffuseTransmissionColor => true,
            _ => false,
        };
        let space = if is_color {
            ColorSpace::Srgb
        } else {
            ColorSpace::Linear
        };
        (texture, space)
    })
}

/// What users call the maps, in the same order.
pub(super) const MAP_NAMES: [&str; MAP_COUNT] = [
    "base colour",
    "metallic and roughness",
    "normals",
    "occlusion",
    "emission",
    "specular strength",
    "specular colour",
    "clear coat",
    "clear coat's roughness",
    "clear coat's normals",
    "sheen's colour",
    "sheen's roughness",
    "transmission",
    "thickness",
    "iridescence",
    "iridescence's thickness",
    "anisotropy",
    "diffuse transmission",
    "diffuse transmission's colour",
];

/// The maps by how much a surface changes without them: what it is made of and where light passes first, then where layers are,
/// then how these are.
const BY_IMPORTANCE: [TextureSlot; MAP_COUNT] = [
    TextureSlot::BaseColor,
    TextureSlot::MetallicRoughness,
    TextureSlot::Normal,
    TextureSlot::Transmission,
    TextureSlot::Emissive,
    TextureSlot::DiffuseTransmission,
    TextureSlot::Clearcoat,
    TextureSlot::Occlusion,
    TextureSlot::SheenColor,
    TextureSlot::SpecularColor,
    TextureSlot::Iridescence,
    TextureSlot::Anisotropy,
    TextureSlot::DiffuseTransmissionColor,
    TextureSlot::Thickness,
    TextureSlot::ClearcoatNormal,
    TextureSlot::Specular,
    TextureSlot::IridescenceThickness,
    TextureSlot::ClearcoatRoughness,
    TextureSlot::SheenRoughness,
];

/// Whether a surface of these features shows a map: unlit ones their base colour alone, others none of what is not seen.
fn is_shown(map: TextureSlot, features: u32) -> bool {
    use TextureSlot as S;
    if features & flags::UNLIT != 0 {
        return map == S::BaseColor;
    }
    let layer = match map {
        S::Specular | S::SpecularColor => flags::SPECULAR,
        S::Clearcoat | S::ClearcoatRoughness | S::ClearcoatNormal => flags::CLEARCOAT,
        S::SheenColor | S::SheenRoughness => flags::SHEEN,
        S::Transmission => flags::TRANSMISSION,
        S::Thickness => flags::VOLUME,
        S::Iridescence | S::IridescenceThickness => flags::IRIDESCENCE,
        S::Anisotropy => flags::ANISOTROPY,
        S::DiffuseTransmission | S::DiffuseTransmissionColor => flags::DIFFUSE_TRANSMISSION,
        S::BaseColor
        | S::MetallicRoughness
        | S::Normal
        | S::Occlusion
        | S::Emissive
        | S::Diffuse
        | S::SpecularGlossiness => return true,
    };
    features & layer != 0
}

/// The textures of a material, each once, and the slot of each map.
pub(super) struct Slots {
    pub(in crate::render) textures: Vec<Map>,
    pub(super) of_maps: [u8; MAP_COUNT],
    /// The maps that go without since there is no room.
    pub(in crate::render) lost: Vec<TextureSlot>,
}

impl Slots {
    /// Those that a material of these features shows. Maps that show one image in one way share a slot. There are `room` slots;
    /// of more textures the least important go without.
    pub(in crate::render) fn new(
        model: &Model,
        material: &Material,
        features: u32,
        room: usize,
    ) -> Self {
        let mut this = Self {
            textures: Vec::new(),
            of_maps: [NO_SLOT; MAP_COUNT],
            lost: Vec::new(),
        };
        let maps = maps(material);
        let shown = |(texture, space): Map| -> Option<(Texture, ColorSpace)> {
            Some((*model.textures.get(texture?.texture)?, space))
        };
        let all = BY_IMPORTANCE.into_iter();
        for map in all.filter(|&map| is_shown(map, features)) {
            let place = map as usize;
            let Some(texture) = shown(maps[place]) else {
                continue;
            };
            let mut found = this.textures.iter();
            let found = found.position(|&other| shown(other) == Some(texture));
            this.of_maps[place] = match found {
                Some(index) => index as u8,
                None if this.textures.len() == room => {
                    this.lost.push(map);
                    NO_SLOT
                }
                None => {
                    this.textures.push(maps[place]);
                    (this.textures.len() - 1) as u8
                }
            };
        }
        this
    }
}

/// The material as it is drawn without the maps that had no room. Where a map says where a layer is there is none of it: all of
/// the surface would have it by its factor alone. The others leave their factors as they are.
pub(super) fn without<'m>(material: &'m Material, lost: &[TextureSlot]) -> Cow<'m, Material> {
    if lost.is_empty() {
        return Cow::Borrowed(material);
    }
    let mut without = material.clone();
    for map in lost {
        match *map {
            TextureSlot::Emissive => without.emissive = Vec3::ZERO,
            TextureSlot::Clearcoat => without.clearcoat = None,
            TextureSlot::SheenColor => without.sheen = None,
            TextureSlot::Transmission => without.transmission = None,
            TextureSlot::Iridescence => without.iridescence = None,
            TextureSlot::Anisotropy => without.anisotropy = None,
            TextureSlot::DiffuseTransmission => without.diffuse_transmission = None,
            _ => {}
        }
    }
    Cow::Owned(without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clearcoat, Sampler, Sheen, Specular, Transmission};

    /// All features of what is lit.
    const ALL: u32 = !flags::UNLIT;

    fn texture(texture: usize) -> Option<TextureRef> {
        Some(TextureRef {
            texture,
            ..TextureRef::default()
        })
    }

    /// A model of so many different textures.
    fn model(count: usize) -> Model {
        let textures = (0..count).map(|image| Texture {
            image,
            sampler: Sampler::default(),
        });
        Model {
            textures: textures.collect(),
            ..Model::default()
        }
    }

    /// Ten textures, those of transmission and emission behind most others.
    fn layered() -> Material {
        Material {
            base_color_texture: texture(0),
            metallic_roughness_texture: texture(1),
            emissive_texture: texture(2),
            emissive: Vec3::ONE,
            specular: Some(Specular {
                texture: texture(3),
                color_texture: texture(4),
                ..Specular::default()
            }),
            clearcoat: Some(Clearcoat {
                factor: 1.0,
                texture: texture(5),
                roughness_texture: texture(6),
                ..Clearcoat::default()
            }),
            sheen: Some(Sheen {
                color_texture: texture(7),
                roughness_texture: texture(8),
                ..Sheen::default()
            }),
            transmission: Some(Transmission {
                factor: 1.0,
                texture: texture(9),
            }),
            ..Material::default()
        }
    }

    #[test]
    fn all_maps_are_there_once() {
        let mut all = BY_IMPORTANCE.map(|map| map as usize);
        all.sort_unstable();
        assert!(all.into_iter().eq(0..MAP_COUNT));
    }

    #[test]
    fn what_matters_most_gets_the_slots_there_are() {
        let (model, material) = (model(10), layered());
        let whole = Slots::new(&model, &material, ALL, MAP_COUNT);
        assert_eq!((whole.textures.len(), whole.lost.len()), (10, 0));
        let few = Slots::new(&model, &material, ALL, 4);
        let kept = (0..MAP_COUNT).filter(|&map| few.of_maps[map] != NO_SLOT);
        assert!(kept.eq([
            0,
            1,
            TextureSlot::Emissive as usize,
            TextureSlot::Transmission as usize
        ]));
        assert_eq!(few.textures.len(), 4);
        let names: Vec<_> = few
            .lost
            .iter()
            .map(|&map| MAP_NAMES[map as usize])
            .collect();
        assert_eq!(
            names,
            [
                "clear coat",
                "sheen's colour",
                "specular colour",
                "specular strength",
                "clear coat's roughness",
                "sheen's roughness"
            ]
        );
    }

    #[test]
    fn layers_whose_place_is_not_known_are_nowhere() {
        let (model, material) = (model(10), layered());
        let Slots { lost, .. } = Slots::new(&model, &material, ALL, 2);
        let drawn = without(&material, &lost);
        assert_eq!(drawn.emissive, Vec3::ZERO);
        assert!(drawn.transmission.is_none() && drawn.clearcoat.is_none() && drawn.sheen.is_none());
        assert!(drawn.specular.is_some());
        let whole = without(&material, &[]);
        assert!(matches!(whole, Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_not_seen_gets_no_slots() {
        let (model, material) = (model(10), layered());
        let shown = |features| {
            let slots = Slots::new(&model, &material, features, MAP_COUNT);
            slots.textures.len()
        };
        assert_eq!(shown(ALL & !flags::CLEARCOAT), 8);
        assert_eq!(shown(ALL & !flags::TRANSMISSION & !flags::SHEEN), 7);
        assert_eq!((shown(0), shown(flags::UNLIT)), (3, 1));
    }

    /// Maps that show the same share a slot, however late they come.
    #[test]
    fn shared_textures_take_no_room() {
        let model = model(2);
        let mut material = layered();
        material.clearcoat = None;
        material.sheen = None;
        material.metallic_roughness_texture = texture(1);
        material.emissive_texture = None;
        material.specular = Some(Specular {
            texture: texture(1),
            color_texture: texture(0),
            ..Specular::default()
        });
        material.transmission = None;
        let slots = Slots::new(&model, &material, ALL, 2);
        assert!(slots.lost.is_empty());
        assert_eq!([slots.of_maps[5], slots.of_maps[6]], [1, 0]);
    }
}
