//! What extensions add to a material, one struct each. All factors are linear; each default is the extension's own.
//!
//! The sections cited are those of each extension's README in the glTF repository.

use glam::{Vec3, Vec4};

use super::{NormalTexture, TextureRef};

/// What the dielectric part of a surface reflects (`KHR_materials_specular`, "Extending Materials").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Specular {
    /// 0 nothing … 1 as much as the index of refraction says.
    pub factor: f32,
    /// Its alpha multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// Colour of the reflection at normal incidence; may exceed 1.
    pub color: Vec3,
    /// Multiplies `color`; its colours are sRGB.
    pub color_texture: Option<TextureRef>,
}

impl Default for Specular {
    fn default() -> Self {
        Self {
            factor: 1.0,
            texture: None,
            color: Vec3::ONE,
            color_texture: None,
        }
    }
}

/// A clear layer on top (`KHR_materials_clearcoat`, "Clearcoat").
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clearcoat {
    /// 0 no layer … 1 a full one.
    pub factor: f32,
    /// Its red multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Its green multiplies `roughness`.
    pub roughness_texture: Option<TextureRef>,
    /// Bends the layer's normals, which without it are those of the vertices: the material's own normal map is for what
    /// lies below.
    pub normal_texture: Option<NormalTexture>,
}

/// Fibres on the surface (`KHR_materials_sheen`, "Sheen").
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sheen {
    /// Black: none.
    pub color: Vec3,
    /// Multiplies `color`; its colours are sRGB.
    pub color_texture: Option<TextureRef>,
    /// 0 smooth … 1 rough.
    pub roughness: f32,
    /// Its alpha multiplies `roughness`.
    pub roughness_texture: Option<TextureRef>,
}

/// Light that passes through the surface (`KHR_materials_transmission`, "Properties").
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Transmission {
    /// 0 none … 1 all that is not reflected.
    pub factor: f32,
    /// Its red multiplies `factor`.
    pub texture: Option<TextureRef>,
}

/// What is inside of a surface through which light passes (`KHR_materials_volume`, "Properties").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volume {
    /// Below the surface, in the mesh's units; 0: the surface is a thin wall.
    pub thickness: f32,
    /// Its green multiplies `thickness`.
    pub thickness_texture: Option<TextureRef>,
    /// In metres, in the world: how far light goes before it has the attenuation colour; infinite: it keeps its own.
    pub attenuation_distance: f32,
    /// The colour that white light has after that distance.
    pub attenuation_color: Vec3,
}

impl Default for Volume {
    fn default() -> Self {
        Self {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: f32::INFINITY,
            attenuation_color: Vec3::ONE,
        }
    }
}

/// A thin film (`KHR_materials_iridescence`, "Properties").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iridescence {
    /// 0 none … 1 full.
    pub factor: f32,
    /// Its red multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// Index of refraction of the film, at least 1.
    pub ior: f32,
    /// Where the green of the thickness texture is 0.
    pub thickness_min_nm: f32,
    /// Where it is 1, and without a texture; may be less than the other.
    pub thickness_max_nm: f32,
    /// Its green goes from one thickness to the other.
    pub thickness_texture: Option<TextureRef>,
}

impl Default for Iridescence {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            ior: 1.3,
            thickness_min_nm: 100.0,
            thickness_max_nm: 400.0,
            thickness_texture: None,
        }
    }
}

/// Highlights drawn out along a direction in the tangent plane (`KHR_materials_anisotropy`, "Extending Materials").
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anisotropy {
    /// 0 none … 1 full.
    pub strength: f32,
    /// From the tangent towards the bitangent.
    pub rotation_radians: f32,
    /// Red and green are the direction's cosine and sine from −1 to 1, to be turned further; blue multiplies `strength`.
    pub texture: Option<TextureRef>,
}

/// Light that passes through the surface and leaves it in all directions (`KHR_materials_diffuse_transmission`,
/// "Properties").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiffuseTransmission {
    /// 0 none … 1 all that is not reflected.
    pub factor: f32,
    /// Its alpha multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// The colour of the light that passed.
    pub color: Vec3,
    /// Multiplies `color`; its colours are sRGB.
    pub color_texture: Option<TextureRef>,
}

impl Default for DiffuseTransmission {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            color: Vec3::ONE,
            color_texture: None,
        }
    }
}

/// A surface by its diffuse and its specular colour (`KHR_materials_pbrSpecularGlossiness`, "Specular - Glossiness"). By
/// the extension's "Best practices", who understands it draws it, whatever else the material says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpecularGlossiness {
    /// Colour and alpha of the diffuse reflection.
    pub diffuse: Vec4,
    /// Multiplies `diffuse`; its colours are sRGB.
    pub diffuse_texture: Option<TextureRef>,
    /// Colour of the reflection at normal incidence.
    pub specular: Vec3,
    /// 0 rough … 1 smooth.
    pub glossiness: f32,
    /// Red, green and blue (sRGB) multiply `specular`, alpha multiplies `glossiness`.
    pub texture: Option<TextureRef>,
}

impl Default for SpecularGlossiness {
    fn default() -> Self {
        Self {
            diffuse: Vec4::ONE,
            diffuse_texture: None,
            specular: Vec3::ONE,
            glossiness: 1.0,
            texture: None,
        }
    }
}
