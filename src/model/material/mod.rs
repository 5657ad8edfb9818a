//! Materials, and the textures, samplers and images they use.

mod layers;
mod texture;

use glam::{Vec2, Vec3, Vec4};

use super::TextureSlot;

pub use layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, SpecularGlossiness,
    Transmission, Volume,
};
pub use texture::{
    BlockFormats, Filter, Image, MipFilter, Sampler, TexelFormat, Texture, Wrap, rgba_of_grey,
    rgba_of_rgb,
};

/// How a surface looks: metallic-roughness (glTF 2.0 §3.9). Colours and factors are linear.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// The material's name, or empty.
    pub name: String,
    /// Base colour and alpha.
    pub base_color: Vec4,
    /// Multiplies the base colour; its colours are sRGB.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric … 1 metal.
    pub metallic: f32,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Green multiplies roughness, blue multiplies metallic.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Bends normals.
    pub normal_texture: Option<NormalTexture>,
    /// Red darkens indirect light.
    pub occlusion_texture: Option<OcclusionTexture>,
    /// Light that the surface gives off, in 0..1 each.
    pub emissive: Vec3,
    /// Multiplies `emissive` and may exceed 1 (`KHR_materials_emissive_strength`).
    pub emissive_strength: f32,
    /// Multiplies `emissive`; its colours are sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are drawn too, with their normals turned.
    pub double_sided: bool,
    /// Whether the base colour is shown as it is, without light (`KHR_materials_unlit`).
    pub unlit: bool,
    /// Index of refraction of the dielectric part: at least 1, or 0 for one that reflects everything
    /// (`KHR_materials_ior`).
    pub ior: f32,
    /// How much the index of refraction changes with the wavelength: 20 over the Abbe number, 0 not at all
    /// (`KHR_materials_dispersion`).
    pub dispersion: f32,
    /// Strength and colour of what the dielectric part reflects.
    pub specular: Option<Specular>,
    /// A clear layer on top.
    pub clearcoat: Option<Clearcoat>,
    /// Fibres on the surface, as of cloth.
    pub sheen: Option<Sheen>,
    /// Light that passes through the surface.
    pub transmission: Option<Transmission>,
    /// What is inside.
    pub volume: Option<Volume>,
    /// A thin film whose colour depends on the angle.
    pub iridescence: Option<Iridescence>,
    /// Highlights drawn out along a direction.
    pub anisotropy: Option<Anisotropy>,
    /// Light that passes through the surface and leaves it in all directions.
    pub diffuse_transmission: Option<DiffuseTransmission>,
    /// The surface in other terms, which then count instead of base colour, metallic and roughness.
    pub specular_glossiness: Option<SpecularGlossiness>,
}

impl Material {
    /// Names of what extensions add to it, such as "clearcoat".
    pub fn layers(&self) -> Vec<&'static str> {
        let all = [
            ("unlit", self.unlit),
            ("emissive_strength", self.emissive_strength != 1.0),
            ("ior", self.ior != 1.5),
            ("dispersion", self.dispersion != 0.0),
            ("specular", self.specular.is_some()),
            ("clearcoat", self.clearcoat.is_some()),
            ("sheen", self.sheen.is_some()),
            ("transmission", self.transmission.is_some()),
            ("volume", self.volume.is_some()),
            ("iridescence", self.iridescence.is_some()),
            ("anisotropy", self.anisotropy.is_some()),
            ("diffuse_transmission", self.diffuse_transmission.is_some()),
            ("pbrSpecularGlossiness", self.specular_glossiness.is_some()),
        ];
        let there = all.into_iter().filter(|(_, is_there)| *is_there);
        there.map(|(name, _)| name).collect()
    }
}

impl Material {
    /// The texture for whose coordinates it needs tangents, if it needs any, and what that is for. All directions lie in one
    /// tangent space, that of the normal map where there is one (`KHR_materials_clearcoat`, "Clearcoat Normal";
    /// `KHR_materials_anisotropy`, "Anisotropy").
    pub fn tangent_map(&self) -> Option<(TextureSlot, TextureRef)> {
        if self.unlit {
            return None;
        }
        let normal = self.normal_texture;
        let coat = self.clearcoat.and_then(|coat| coat.normal_texture);
        let direction = self.anisotropy.map(|it| it.texture.unwrap_or_default());
        let normal = normal.map(|normal| (TextureSlot::Normal, normal.texture));
        let coat = coat.map(|coat| (TextureSlot::ClearcoatNormal, coat.texture));
        let direction = direction.map(|texture| (TextureSlot::Anisotropy, texture));
        normal.or(coat).or(direction)
    }

    /// [`Material::tangent_map`] without what it is for.
    pub fn tangent_texture(&self) -> Option<TextureRef> {
        self.tangent_map().map(|(_, texture)| texture)
    }

    /// One of its textures; none where it has none.
    pub fn texture(&self, slot: TextureSlot) -> Option<TextureRef> {
        // Asked of a copy, which costs nothing without its name.
        let name = String::new();
        let mut copy = Self { name, ..*self };
        copy.texture_mut(slot).copied()
    }

    pub(crate) fn texture_mut(&mut self, slot: TextureSlot) -> Option<&mut TextureRef> {
        use TextureSlot as S;
        let texture = match slot {
            S::BaseColor => &mut self.base_color_texture,
            S::MetallicRoughness => &mut self.metallic_roughness_texture,
            S::Normal => return Some(&mut self.normal_texture.as_mut()?.texture),
            S::Occlusion => return Some(&mut self.occlusion_texture.as_mut()?.texture),
            S::Emissive => &mut self.emissive_texture,
            S::Specular => &mut self.specular.as_mut()?.texture,
            S::SpecularColor => &mut self.specular.as_mut()?.color_texture,
            S::Clearcoat => &mut self.clearcoat.as_mut()?.texture,
            S::ClearcoatRoughness => &mut self.clearcoat.as_mut()?.roughness_texture,
            S::ClearcoatNormal => {
                let coat = self.clearcoat.as_mut()?;
                return Some(&mut coat.normal_texture.as_mut()?.texture);
            }
            S::SheenColor => &mut self.sheen.as_mut()?.color_texture,
            S::SheenRoughness => &mut self.sheen.as_mut()?.roughness_texture,
            S::Transmission => &mut self.transmission.as_mut()?.texture,
            S::Thickness => &mut self.volume.as_mut()?.thickness_texture,
            S::Iridescence => &mut self.iridescence.as_mut()?.texture,
            S::IridescenceThickness => &mut self.iridescence.as_mut()?.thickness_texture,
            S::Anisotropy => &mut self.anisotropy.as_mut()?.texture,
            S::DiffuseTransmission => &mut self.diffuse_transmission.as_mut()?.texture,
            S::DiffuseTransmissionColor => &mut self.diffuse_transmission.as_mut()?.color_texture,
            S::Diffuse => &mut self.specular_glossiness.as_mut()?.diffuse_texture,
            S::SpecularGlossiness => &mut self.specular_glossiness.as_mut()?.texture,
        };
        texture.as_mut()
    }
}

impl Default for Material {
    /// The default material (glTF 2.0 §3.9.6 and the schema's default values).
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            ior: 1.5,
            dispersion: 0.0,
            specular: None,
            clearcoat: None,
            sheen: None,
            transmission: None,
            volume: None,
            iridescence: None,
            anisotropy: None,
            diffuse_transmission: None,
            specular_glossiness: None,
        }
    }
}

impl Material {
    /// Takes away the maps that are lost, as if the file had none, but for those of base and diffuse colour, where what
    /// stands for them is seen. Where a map says where a layer is there is none of it, and nothing glows: else all of the
    /// surface would.
    pub(crate) fn leave_out(&mut self, is_lost: impl Fn(&TextureRef) -> bool) {
        let is_lost = &is_lost;
        let take = |map: &mut Option<TextureRef>, factor: &mut f32| {
            if map.take_if(|map| is_lost(map)).is_some() {
                *factor = 0.0;
            }
        };
        let emissive = self.emissive_texture.take_if(|map| is_lost(map));
        if emissive.is_some() {
            self.emissive = Vec3::ZERO;
        }
        self.normal_texture.take_if(|map| is_lost(&map.texture));
        self.occlusion_texture.take_if(|map| is_lost(&map.texture));
        let mut maps = vec![&mut self.metallic_roughness_texture];
        if let Some(it) = &mut self.specular {
            maps.extend([&mut it.texture, &mut it.color_texture]);
        }
        if let Some(it) = &mut self.clearcoat {
            it.normal_texture.take_if(|map| is_lost(&map.texture));
            take(&mut it.texture, &mut it.factor);
            maps.push(&mut it.roughness_texture);
        }
        if let Some(it) = &mut self.sheen {
            maps.extend([&mut it.color_texture, &mut it.roughness_texture]);
        }
        if let Some(it) = &mut self.iridescence {
            take(&mut it.texture, &mut it.factor);
            maps.push(&mut it.thickness_texture);
        }
        if let Some(it) = &mut self.diffuse_transmission {
            take(&mut it.texture, &mut it.factor);
            maps.push(&mut it.color_texture);
        }
        if let Some(it) = &mut self.transmission {
            take(&mut it.texture, &mut it.factor);
        }
        maps.extend(self.volume.as_mut().map(|it| &mut it.thickness_texture));
        maps.extend(self.anisotropy.as_mut().map(|it| &mut it.texture));
        maps.extend(self.specular_glossiness.as_mut().map(|it| &mut it.texture));
        for map in maps {
            map.take_if(|map| is_lost(map));
        }
    }
}

/// What a material's alpha means (glTF 2.0 §3.9.4).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Drawn where alpha is at least the cutoff.
    Mask {
        /// The least alpha that is drawn.
        cutoff: f32,
    },
    /// Mixed with what lies behind.
    Blend,
}

/// A use of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TextureRef {
    /// Index into [`super::Model::textures`].
    pub texture: usize,
    /// Which set of texture coordinates: 0 or 1.
    pub tex_coord: usize,
    /// What is done to the coordinates first.
    pub transform: TextureTransform,
}

impl TextureRef {
    /// Whether tangents for these coordinates serve the others, too: along the surface both grow in the same directions,
    /// however fast.
    pub fn is_aligned_with(&self, other: &Self) -> bool {
        /// The cosine of half a degree.
        const NEARLY_ALIKE: f32 = 0.999_96;
        // Where v stays what it is: that way u grows.
        let frame = |texture: &Self| {
            let [u_row, v_row] = texture.transform.rows();
            let is_mirrored = u_row.x * v_row.y < u_row.y * v_row.x;
            let side = if is_mirrored { -1.0 } else { 1.0 };
            let along = Vec2::new(v_row.y, -v_row.x) * side;
            (along.normalize_or_zero(), is_mirrored)
        };
        let [(along, is_mirrored), (other_along, is_other_mirrored)] = [self, other].map(frame);
        self.tex_coord == other.tex_coord
            && is_mirrored == is_other_mirrored
            && (along.dot(other_along) >= NEARLY_ALIKE || along == other_along)
    }
}

/// What is done to texture coordinates: scale first, then rotation, then offset (`KHR_texture_transform`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureTransform {
    /// Added last.
    pub offset: Vec2,
    /// From +u towards −v: counter-clockwise where v counts upwards, as the extension draws it.
    pub rotation_radians: f32,
    /// Multiplied first.
    pub scale: Vec2,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self {
            offset: Vec2::ZERO,
            rotation_radians: 0.0,
            scale: Vec2::ONE,
        }
    }
}

impl TextureTransform {
    /// The two rows that take `(u, v, 1)` to the coordinates on the image.
    pub fn rows(&self) -> [Vec3; 2] {
        let (sin, cos) = self.rotation_radians.sin_cos();
        let (scale, offset) = (self.scale, self.offset);
        [
            Vec3::new(cos * scale.x, sin * scale.y, offset.x),
            Vec3::new(-sin * scale.x, cos * scale.y, offset.y),
        ]
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.offset.is_finite() && self.rotation_radians.is_finite() && self.scale.is_finite()
    }
}

/// A use of a texture as a normal map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalTexture {
    /// The texture.
    pub texture: TextureRef,
    /// Multiplies the x and y of the normals in it.
    pub scale: f32,
}

/// A use of a texture as occlusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OcclusionTexture {
    /// The texture.
    pub texture: TextureRef,
    /// 0 no occlusion … 1 full.
    pub strength: f32,
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::*;

    #[test]
    fn tangents_are_for_the_first_map_of_directions() {
        let map = |texture| TextureRef {
            texture,
            ..TextureRef::default()
        };
        let normals = |texture| {
            let (texture, scale) = (map(texture), 1.0);
            Some(NormalTexture { texture, scale })
        };
        let mut material = Material {
            normal_texture: normals(1),
            clearcoat: Some(Clearcoat {
                normal_texture: normals(2),
                ..Clearcoat::default()
            }),
            anisotropy: Some(Anisotropy::default()),
            ..Material::default()
        };
        let unlit = Material {
            unlit: true,
            ..material.clone()
        };
        assert_eq!(unlit.tangent_map(), None);
        let normal = (TextureSlot::Normal, map(1));
        assert_eq!(material.tangent_map(), Some(normal));
        material.normal_texture = None;
        let coat = (TextureSlot::ClearcoatNormal, map(2));
        assert_eq!(material.tangent_map(), Some(coat));
        material.clearcoat = None;
        let direction = (TextureSlot::Anisotropy, TextureRef::default());
        assert_eq!(material.tangent_map(), Some(direction));
        material.anisotropy = None;
        assert_eq!(material.tangent_map(), None);
    }

    #[test]
    fn maps_are_aligned_unless_they_are_turned_mirrored_or_slanted() {
        let map = |rotation_radians, x: f32, y: f32| TextureRef {
            transform: TextureTransform {
                offset: Vec2::splat(0.3),
                rotation_radians,
                scale: Vec2::new(x, y),
            },
            ..TextureRef::default()
        };
        let plain = TextureRef::default();
        for (other, is_aligned) in [
            (map(0.0, 3.0, 0.5), true),
            (map(2.0 * PI, 1.0, 1.0), true),
            (map(FRAC_PI_2, 1.0, 1.0), false),
            (map(0.02, 1.0, 1.0), false),
            (map(0.0, -1.0, 1.0), false),
            (map(0.0, 1.0, -1.0), false),
            // Turned by a half.
            (map(0.0, -1.0, -1.0), false),
            (map(PI, -2.0, -2.0), true),
            (map(0.0, 0.0, 0.0), false),
        ] {
            assert_eq!(plain.is_aligned_with(&other), is_aligned, "{other:?}");
            assert_eq!(other.is_aligned_with(&plain), is_aligned, "{other:?}");
            assert!(other.is_aligned_with(&other));
        }
        let second = TextureRef {
            tex_coord: 1,
            ..plain
        };
        assert!(!plain.is_aligned_with(&second));
        // What is turned in one way is like what is turned so and stretched evenly.
        assert!(map(1.0, 1.0, 1.0).is_aligned_with(&map(1.0, 5.0, 5.0)));
        assert!(!map(1.0, 1.0, 1.0).is_aligned_with(&map(1.0, 5.0, 1.0)));
    }
}
