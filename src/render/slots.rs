//! Which textures a material gets: each once, and where there are more than the adapter has room for, those that matter most.

use std::borrow::Cow;

use glam::Vec3;

use super::{
    layout::{MAP_COUNT, NO_SLOT},
    texture::ColorSpace,
};
use crate::model::{Material, Model, Texture, TextureRef};

/// What a texture is used for: the texture, and how its numbers are meant.
pub(super) type Map = (Option<TextureRef>, ColorSpace);

/// The textures of a material in the order of [`super::layout::MAP_SLOTS`].
pub(super) fn maps(material: &Material) -> [Map; MAP_COUNT] {
    use ColorSpace::{Linear, Srgb};
    let [base_color, metallic_roughness] = match &material.specular_glossiness {
        Some(surface) => [(surface.diffuse_texture, Srgb), (surface.texture, Srgb)],
        None => [
            (material.base_color_texture, Srgb),
            (material.metallic_roughness_texture, Linear),
        ],
    };
    let specular = material.specular.unwrap_or_default();
    let clearcoat = material.clearcoat.unwrap_or_default();
    let coat_normal = clearcoat.normal_texture.map(|normal| normal.texture);
    let sheen = material.sheen.unwrap_or_default();
    let iridescence = material.iridescence.unwrap_or_default();
    let through = material.diffuse_transmission.unwrap_or_default();
    [
        base_color,
        metallic_roughness,
        (material.normal_texture.map(|normal| normal.texture), Linear),
        (material.occlusion_texture.map(|map| map.texture), Linear),
        (material.emissive_texture, Srgb),
        (specular.texture, Linear),
        (specular.color_texture, Srgb),
        (clearcoat.texture, Linear),
        (clearcoat.roughness_texture, Linear),
        (coat_normal, Linear),
        (sheen.color_texture, Srgb),
        (sheen.roughness_texture, Linear),
        (material.transmission.unwrap_or_default().texture, Linear),
        (
            material.volume.unwrap_or_default().thickness_texture,
            Linear,
        ),
        (iridescence.texture, Linear),
        (iridescence.thickness_texture, Linear),
        (material.anisotropy.unwrap_or_default().texture, Linear),
        (through.texture, Linear),
        (through.color_texture, Srgb),
    ]
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

const EMISSIVE: usize = 4;
const CLEARCOAT: usize = 7;
const SHEEN_COLOR: usize = 10;
const TRANSMISSION: usize = 12;
const IRIDESCENCE: usize = 14;
const ANISOTROPY: usize = 16;
const DIFFUSE_TRANSMISSION: usize = 17;

/// The maps by how much a surface changes without them: what it is made of and where light passes first, then where layers are,
/// then how these are.
const BY_IMPORTANCE: [usize; MAP_COUNT] = [
    0,
    1,
    2,
    TRANSMISSION,
    EMISSIVE,
    DIFFUSE_TRANSMISSION,
    CLEARCOAT,
    3,
    SHEEN_COLOR,
    6,
    IRIDESCENCE,
    ANISOTROPY,
    18,
    13,
    9,
    5,
    15,
    8,
    11,
];

/// The textures of a material, each once, and the slot of each map.
pub(super) struct Slots {
    pub(super) textures: Vec<Map>,
    pub(super) of_maps: [u8; MAP_COUNT],
    /// The maps that go without since there is no room.
    pub(super) lost: Vec<usize>,
}

impl Slots {
    /// Maps that show one image in one way share a slot. There are `room` slots; of more textures the least important go
    /// without.
    pub(super) fn new(model: &Model, material: &Material, room: usize) -> Self {
        let mut this = Self {
            textures: Vec::new(),
            of_maps: [NO_SLOT; MAP_COUNT],
            lost: Vec::new(),
        };
        let maps = maps(material);
        // Unlit materials show their base colour alone.
        let is_used = |map: usize| !material.unlit || map == 0;
        let shown = |(texture, space): Map| -> Option<(Texture, ColorSpace)> {
            Some((*model.textures.get(texture?.texture)?, space))
        };
        for map in BY_IMPORTANCE.into_iter().filter(|&map| is_used(map)) {
            let Some(texture) = shown(maps[map]) else {
                continue;
            };
            let mut found = this.textures.iter();
            let found = found.position(|&other| shown(other) == Some(texture));
            this.of_maps[map] = match found {
                Some(index) => index as u8,
                None if this.textures.len() == room => {
                    this.lost.push(map);
                    NO_SLOT
                }
                None => {
                    this.textures.push(maps[map]);
                    (this.textures.len() - 1) as u8
                }
            };
        }
        this
    }
}

/// The material as it is drawn without the maps that had no room. Where a map says where a layer is there is none of it: all of
/// the surface would have it by its factor alone. The others leave their factors as they are.
pub(super) fn without<'m>(material: &'m Material, lost: &[usize]) -> Cow<'m, Material> {
    if lost.is_empty() {
        return Cow::Borrowed(material);
    }
    let mut without = material.clone();
    for map in lost {
        match *map {
            EMISSIVE => without.emissive = Vec3::ZERO,
            CLEARCOAT => without.clearcoat = None,
            SHEEN_COLOR => without.sheen = None,
            TRANSMISSION => without.transmission = None,
            IRIDESCENCE => without.iridescence = None,
            ANISOTROPY => without.anisotropy = None,
            DIFFUSE_TRANSMISSION => without.diffuse_transmission = None,
            _ => {}
        }
    }
    Cow::Owned(without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clearcoat, Sampler, Sheen, Specular, Transmission};

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
        let mut all = BY_IMPORTANCE;
        all.sort_unstable();
        assert!(all.into_iter().eq(0..MAP_COUNT));
    }

    #[test]
    fn what_matters_most_gets_the_slots_there_are() {
        let (model, material) = (model(10), layered());
        let whole = Slots::new(&model, &material, MAP_COUNT);
        assert_eq!((whole.textures.len(), whole.lost.len()), (10, 0));
        let few = Slots::new(&model, &material, 4);
        let kept = (0..MAP_COUNT).filter(|&map| few.of_maps[map] != NO_SLOT);
        assert!(kept.eq([0, 1, EMISSIVE, TRANSMISSION]));
        assert_eq!(few.textures.len(), 4);
        let names: Vec<_> = few.lost.iter().map(|&map| MAP_NAMES[map]).collect();
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
        let Slots { lost, .. } = Slots::new(&model, &material, 2);
        let drawn = without(&material, &lost);
        assert_eq!(drawn.emissive, Vec3::ZERO);
        assert!(drawn.transmission.is_none() && drawn.clearcoat.is_none() && drawn.sheen.is_none());
        assert!(drawn.specular.is_some());
        let whole = without(&material, &[]);
        assert!(matches!(whole, Cow::Borrowed(_)));
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
        let slots = Slots::new(&model, &material, 2);
        assert!(slots.lost.is_empty());
        assert_eq!([slots.of_maps[5], slots.of_maps[6]], [1, 0]);
    }
}
