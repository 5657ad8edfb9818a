//! What the glTF 2.0 Asset Object Model calls properties: the parts of pointers behind the index of their owner.

use super::{
    CameraProperty as Camera, LightProperty as Light, MaterialProperty as Material, PropertyTarget,
    TextureSlot as Slot, TransformProperty as Transform,
};
use crate::model::Hierarchy;

pub(crate) const TRANSFORM: &[(&str, Transform)] = &[
    ("offset", Transform::Offset),
    ("rotation", Transform::Rotation),
    ("scale", Transform::Scale),
];

pub(crate) const CAMERA: &[(&str, Camera)] = &[
    ("orthographic/xmag", Camera::HalfWidth),
    ("orthographic/ymag", Camera::HalfHeight),
    ("orthographic/zfar", Camera::OrthographicFar),
    ("orthographic/znear", Camera::OrthographicNear),
    ("perspective/aspectRatio", Camera::AspectRatio),
    ("perspective/yfov", Camera::FovY),
    ("perspective/zfar", Camera::PerspectiveFar),
    ("perspective/znear", Camera::PerspectiveNear),
];

pub(crate) const LIGHT: &[(&str, Light)] = &[
    ("color", Light::Color),
    ("intensity", Light::Intensity),
    ("range", Light::Range),
    ("spot/innerConeAngle", Light::InnerConeAngle),
    ("spot/outerConeAngle", Light::OuterConeAngle),
];

#[rustfmt::skip] // A table is read by lines.
pub(crate) const MATERIAL: &[(&str, Material)] = &[
    ("alphaCutoff", Material::AlphaCutoff),
    ("emissiveFactor", Material::Emissive),
    ("normalTexture/scale", Material::NormalScale),
    ("occlusionTexture/strength", Material::OcclusionStrength),
    ("pbrMetallicRoughness/baseColorFactor", Material::BaseColor),
    ("pbrMetallicRoughness/metallicFactor", Material::Metallic),
    ("pbrMetallicRoughness/roughnessFactor", Material::Roughness),
    ("extensions/KHR_materials_anisotropy/anisotropyStrength", Material::AnisotropyStrength),
    ("extensions/KHR_materials_anisotropy/anisotropyRotation", Material::AnisotropyRotation),
    ("extensions/KHR_materials_clearcoat/clearcoatFactor", Material::Clearcoat),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor", Material::ClearcoatRoughness),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale", Material::ClearcoatNormalScale),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor", Material::DiffuseTransmission),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor", Material::DiffuseTransmissionColor),
    ("extensions/KHR_materials_dispersion/dispersion", Material::Dispersion),
    ("extensions/KHR_materials_emissive_strength/emissiveStrength", Material::EmissiveStrength),
    ("extensions/KHR_materials_ior/ior", Material::Ior),
    ("extensions/KHR_materials_iridescence/iridescenceFactor", Material::Iridescence),
    ("extensions/KHR_materials_iridescence/iridescenceIor", Material::IridescenceIor),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessMinimum", Material::IridescenceThicknessMin),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessMaximum", Material::IridescenceThicknessMax),
    ("extensions/KHR_materials_sheen/sheenColorFactor", Material::SheenColor),
    ("extensions/KHR_materials_sheen/sheenRoughnessFactor", Material::SheenRoughness),
    ("extensions/KHR_materials_specular/specularFactor", Material::SpecularFactor),
    ("extensions/KHR_materials_specular/specularColorFactor", Material::SpecularColor),
    ("extensions/KHR_materials_transmission/transmissionFactor", Material::Transmission),
    ("extensions/KHR_materials_volume/thicknessFactor", Material::Thickness),
    ("extensions/KHR_materials_volume/attenuationDistance", Material::AttenuationDistance),
    ("extensions/KHR_materials_volume/attenuationColor", Material::AttenuationColor),
];

#[rustfmt::skip] // A table is read by lines.
pub(crate) const TEXTURE: &[(&str, Slot)] = &[
    ("normalTexture", Slot::Normal),
    ("occlusionTexture", Slot::Occlusion),
    ("emissiveTexture", Slot::Emissive),
    ("pbrMetallicRoughness/baseColorTexture", Slot::BaseColor),
    ("pbrMetallicRoughness/metallicRoughnessTexture", Slot::MetallicRoughness),
    ("extensions/KHR_materials_anisotropy/anisotropyTexture", Slot::Anisotropy),
    ("extensions/KHR_materials_clearcoat/clearcoatTexture", Slot::Clearcoat),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture", Slot::ClearcoatRoughness),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture", Slot::ClearcoatNormal),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture", Slot::DiffuseTransmission),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture", Slot::DiffuseTransmissionColor),
    ("extensions/KHR_materials_iridescence/iridescenceTexture", Slot::Iridescence),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessTexture", Slot::IridescenceThickness),
    ("extensions/KHR_materials_sheen/sheenColorTexture", Slot::SheenColor),
    ("extensions/KHR_materials_sheen/sheenRoughnessTexture", Slot::SheenRoughness),
    ("extensions/KHR_materials_specular/specularTexture", Slot::Specular),
    ("extensions/KHR_materials_specular/specularColorTexture", Slot::SpecularColor),
    ("extensions/KHR_materials_transmission/transmissionTexture", Slot::Transmission),
    ("extensions/KHR_materials_volume/thicknessTexture", Slot::Thickness),
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
                name(TEXTURE, slot),
                name(TRANSFORM, property)
            ),
        }
    }
}

fn name<T: PartialEq>(table: &[(&'static str, T)], property: T) -> &'static str {
    let mut lines = table.iter();
    lines
        .find(|(_, known)| *known == property)
        .map_or("", |(name, _)| *name)
}
