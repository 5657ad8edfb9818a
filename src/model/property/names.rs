//! What the glTF 2.0 Asset Object Model calls properties: the parts of pointers behind the index of their owner. And which
//! numbers these may have.

use std::{
    f32::consts::{FRAC_PI_2, PI},
    ops::RangeInclusive,
};

use super::{
    CameraProperty as Camera, LightProperty as Light, MaterialProperty as Material, PropertyTarget,
    TextureSlot as Slot, TransformProperty as Transform,
};
use crate::model::Hierarchy;

pub(super) const UNIT: RangeInclusive<f32> = 0.0..=1.0;
const NOT_NEGATIVE: RangeInclusive<f32> = 0.0..=f32::MAX;
const POSITIVE: RangeInclusive<f32> = f32::MIN_POSITIVE..=f32::MAX;
pub(super) const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;
/// The nearest number to π below it.
const BELOW_PI: f32 = PI.next_down();

/// A property, and where each of its numbers lies.
pub(crate) type Line<T> = (&'static str, T, RangeInclusive<f32>);

pub(crate) const TRANSFORM: &[Line<Transform>] = &[
    ("offset", Transform::Offset, ANY),
    ("rotation", Transform::Rotation, ANY),
    ("scale", Transform::Scale, ANY),
];

pub(crate) const CAMERA: &[Line<Camera>] = &[
    ("orthographic/xmag", Camera::HalfWidth, POSITIVE),
    ("orthographic/ymag", Camera::HalfHeight, POSITIVE),
    ("orthographic/zfar", Camera::OrthographicFar, POSITIVE),
    ("orthographic/znear", Camera::OrthographicNear, NOT_NEGATIVE),
    ("perspective/aspectRatio", Camera::AspectRatio, POSITIVE),
    (
        "perspective/yfov",
        Camera::FovY,
        f32::MIN_POSITIVE..=BELOW_PI,
    ),
    ("perspective/zfar", Camera::PerspectiveFar, POSITIVE),
    ("perspective/znear", Camera::PerspectiveNear, POSITIVE),
];

pub(crate) const LIGHT: &[Line<Light>] = &[
    ("color", Light::Color, UNIT),
    ("intensity", Light::Intensity, NOT_NEGATIVE),
    ("range", Light::Range, POSITIVE),
    (
        "spot/innerConeAngle",
        Light::InnerConeAngle,
        0.0..=FRAC_PI_2,
    ),
    (
        "spot/outerConeAngle",
        Light::OuterConeAngle,
        0.0..=FRAC_PI_2,
    ),
];

#[rustfmt::skip] // A table is read by lines.
pub(crate) const MATERIAL: &[Line<Material>] = &[
    ("alphaCutoff", Material::AlphaCutoff, NOT_NEGATIVE),
    ("emissiveFactor", Material::Emissive, UNIT),
    ("normalTexture/scale", Material::NormalScale, ANY),
    ("occlusionTexture/strength", Material::OcclusionStrength, UNIT),
    ("pbrMetallicRoughness/baseColorFactor", Material::BaseColor, UNIT),
    ("pbrMetallicRoughness/metallicFactor", Material::Metallic, UNIT),
    ("pbrMetallicRoughness/roughnessFactor", Material::Roughness, UNIT),
    ("extensions/KHR_materials_anisotropy/anisotropyStrength", Material::AnisotropyStrength, UNIT),
    ("extensions/KHR_materials_anisotropy/anisotropyRotation", Material::AnisotropyRotation, ANY),
    ("extensions/KHR_materials_clearcoat/clearcoatFactor", Material::Clearcoat, UNIT),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor", Material::ClearcoatRoughness, UNIT),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale", Material::ClearcoatNormalScale, ANY),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor", Material::DiffuseTransmission, UNIT),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor", Material::DiffuseTransmissionColor, UNIT),
    ("extensions/KHR_materials_dispersion/dispersion", Material::Dispersion, NOT_NEGATIVE),
    ("extensions/KHR_materials_emissive_strength/emissiveStrength", Material::EmissiveStrength, NOT_NEGATIVE),
    ("extensions/KHR_materials_ior/ior", Material::Ior, NOT_NEGATIVE),
    ("extensions/KHR_materials_iridescence/iridescenceFactor", Material::Iridescence, UNIT),
    ("extensions/KHR_materials_iridescence/iridescenceIor", Material::IridescenceIor, 1.0..=f32::MAX),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessMinimum", Material::IridescenceThicknessMin, NOT_NEGATIVE),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessMaximum", Material::IridescenceThicknessMax, NOT_NEGATIVE),
    ("extensions/KHR_materials_sheen/sheenColorFactor", Material::SheenColor, UNIT),
    ("extensions/KHR_materials_sheen/sheenRoughnessFactor", Material::SheenRoughness, UNIT),
    ("extensions/KHR_materials_specular/specularFactor", Material::SpecularFactor, UNIT),
    ("extensions/KHR_materials_specular/specularColorFactor", Material::SpecularColor, NOT_NEGATIVE),
    ("extensions/KHR_materials_transmission/transmissionFactor", Material::Transmission, UNIT),
    ("extensions/KHR_materials_volume/thicknessFactor", Material::Thickness, NOT_NEGATIVE),
    ("extensions/KHR_materials_volume/attenuationDistance", Material::AttenuationDistance, POSITIVE),
    ("extensions/KHR_materials_volume/attenuationColor", Material::AttenuationColor, UNIT),
];

#[rustfmt::skip] // A table is read by lines.
pub(crate) const TEXTURE: [(&str, Slot); 21] = [
    ("pbrMetallicRoughness/baseColorTexture", Slot::BaseColor),
    ("pbrMetallicRoughness/metallicRoughnessTexture", Slot::MetallicRoughness),
    ("normalTexture", Slot::Normal),
    ("occlusionTexture", Slot::Occlusion),
    ("emissiveTexture", Slot::Emissive),
    ("extensions/KHR_materials_specular/specularTexture", Slot::Specular),
    ("extensions/KHR_materials_specular/specularColorTexture", Slot::SpecularColor),
    ("extensions/KHR_materials_clearcoat/clearcoatTexture", Slot::Clearcoat),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture", Slot::ClearcoatRoughness),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture", Slot::ClearcoatNormal),
    ("extensions/KHR_materials_sheen/sheenColorTexture", Slot::SheenColor),
    ("extensions/KHR_materials_sheen/sheenRoughnessTexture", Slot::SheenRoughness),
    ("extensions/KHR_materials_transmission/transmissionTexture", Slot::Transmission),
    ("extensions/KHR_materials_volume/thicknessTexture", Slot::Thickness),
    ("extensions/KHR_materials_iridescence/iridescenceTexture", Slot::Iridescence),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessTexture", Slot::IridescenceThickness),
    ("extensions/KHR_materials_anisotropy/anisotropyTexture", Slot::Anisotropy),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture", Slot::DiffuseTransmission),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture", Slot::DiffuseTransmissionColor),
    ("extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture", Slot::Diffuse),
    ("extensions/KHR_materials_pbrSpecularGlossiness/specularGlossinessTexture", Slot::SpecularGlossiness),
];

impl PropertyTarget {
    /// The pointer by which files name it.
    pub fn pointer(self, hierarchy: &Hierarchy) -> String {
        match self {
            Self::Visibility(node) => {
                let node = hierarchy.node(node).file_index;
                format!("/nodes/{node}/extensions/KHR_node_visibility/visible")
            }
            Self::NodeWeight(node, weight) => {
                format!(
                    "/nodes/{}/weights/{weight}",
                    hierarchy.node(node).file_index
                )
            }
            Self::Camera(camera, property) => {
                format!("/cameras/{camera}/{}", name(CAMERA, property))
            }
            Self::Light(light, property) => {
                let property = name(LIGHT, property);
                format!("/extensions/KHR_lights_punctual/lights/{light}/{property}")
            }
            Self::Material(material, property) => {
                format!("/materials/{material}/{}", name(MATERIAL, property))
            }
            Self::TextureTransform(material, slot, property) => format!(
                "/materials/{material}/{}/extensions/KHR_texture_transform/{}",
                slot.name(),
                name(TRANSFORM, property)
            ),
        }
    }
}

fn name<T: PartialEq>(table: &[Line<T>], property: T) -> &'static str {
    line(table, property).map_or("", |line| line.0)
}

/// Where each number of a property lies.
pub(super) fn range<T: PartialEq>(table: &[Line<T>], property: T) -> RangeInclusive<f32> {
    line(table, property).map_or(ANY, |line| line.2.clone())
}

/// The line of a property; there is one for each.
pub(crate) fn line<T: PartialEq>(table: &[Line<T>], property: T) -> Option<&Line<T>> {
    table.iter().find(|line| line.1 == property)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_in_order() {
        let all = TEXTURE.iter().enumerate();
        assert!(
            all.map(|(place, line)| (place, line.1 as usize))
                .all(|(a, b)| a == b)
        );
    }
}
