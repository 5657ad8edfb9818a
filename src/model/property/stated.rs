//! Which properties a model has: what an absent part of it would hold cannot be moved.

use super::{
    CameraProperty, LightProperty, MaterialProperty, PropertyTarget, PropertyValues, TextureSlot,
};
use crate::model::{
    AlphaMode, Camera, Light, LightKind, Material, NormalTexture, Projection, TextureRef,
};

impl PropertyValues {
    /// Whether it has numbers of a property.
    pub fn has(&self, target: PropertyTarget) -> bool {
        match target {
            PropertyTarget::Visibility(_) | PropertyTarget::NodeWeight(..) => false,
            PropertyTarget::Camera(camera, property) => {
                let camera = self.cameras.get(camera);
                camera.is_some_and(|camera| has_camera_property(camera, property))
            }
            PropertyTarget::Light(light, property) => {
                let light = self.lights.get(light);
                light.is_some_and(|light| has_light_property(light, property))
            }
            PropertyTarget::Material(index, property) => {
                let material = self.materials.get(index);
                material.is_some_and(|material| has_material_property(material, property))
            }
            PropertyTarget::TextureTransform(index, slot, _) => {
                let material = self.materials.get(index);
                material.is_some_and(|material| texture(material, slot).is_some())
            }
        }
    }
}

fn has_camera_property(camera: &Camera, property: CameraProperty) -> bool {
    use CameraProperty as P;
    match (&camera.projection, property) {
        (Projection::Perspective { aspect, .. }, P::AspectRatio) => aspect.is_some(),
        (Projection::Perspective { far, .. }, P::PerspectiveFar) => far.is_some(),
        (Projection::Perspective { .. }, P::FovY | P::PerspectiveNear)
        | (
            Projection::Orthographic { .. },
            P::HalfWidth | P::HalfHeight | P::OrthographicNear | P::OrthographicFar,
        ) => true,
        _ => false,
    }
}

fn has_light_property(light: &Light, property: LightProperty) -> bool {
    match property {
        LightProperty::Color | LightProperty::Intensity => true,
        LightProperty::Range => light.range.is_some(),
        LightProperty::InnerConeAngle | LightProperty::OuterConeAngle => {
            matches!(light.kind, LightKind::Spot { .. })
        }
    }
}

fn has_material_property(material: &Material, property: MaterialProperty) -> bool {
    use MaterialProperty as P;
    match property {
        P::BaseColor
        | P::Metallic
        | P::Roughness
        | P::Emissive
        | P::EmissiveStrength
        | P::Ior
        | P::Dispersion => true,
        P::NormalScale => material.normal_texture.is_some(),
        P::OcclusionStrength => material.occlusion_texture.is_some(),
        P::AlphaCutoff => matches!(material.alpha_mode, AlphaMode::Mask { .. }),
        P::SpecularFactor | P::SpecularColor => material.specular.is_some(),
        P::Clearcoat | P::ClearcoatRoughness => material.clearcoat.is_some(),
        P::ClearcoatNormalScale => coat_normal(material).is_some(),
        P::SheenColor | P::SheenRoughness => material.sheen.is_some(),
        P::Transmission => material.transmission.is_some(),
        P::Thickness | P::AttenuationDistance | P::AttenuationColor => material.volume.is_some(),
        P::Iridescence
        | P::IridescenceIor
        | P::IridescenceThicknessMin
        | P::IridescenceThicknessMax => material.iridescence.is_some(),
        P::AnisotropyStrength | P::AnisotropyRotation => material.anisotropy.is_some(),
        P::DiffuseTransmission | P::DiffuseTransmissionColor => {
            material.diffuse_transmission.is_some()
        }
    }
}

fn coat_normal(material: &Material) -> Option<&NormalTexture> {
    material.clearcoat.as_ref()?.normal_texture.as_ref()
}

fn texture(material: &Material, slot: TextureSlot) -> Option<&TextureRef> {
    use TextureSlot as S;
    let of = material;
    let texture = match slot {
        S::BaseColor => &of.base_color_texture,
        S::MetallicRoughness => &of.metallic_roughness_texture,
        S::Normal => return of.normal_texture.as_ref().map(|it| &it.texture),
        S::Occlusion => return of.occlusion_texture.as_ref().map(|it| &it.texture),
        S::Emissive => &of.emissive_texture,
        S::Specular => &of.specular.as_ref()?.texture,
        S::SpecularColor => &of.specular.as_ref()?.color_texture,
        S::Clearcoat => &of.clearcoat.as_ref()?.texture,
        S::ClearcoatRoughness => &of.clearcoat.as_ref()?.roughness_texture,
        S::ClearcoatNormal => return coat_normal(material).map(|it| &it.texture),
        S::SheenColor => &of.sheen.as_ref()?.color_texture,
        S::SheenRoughness => &of.sheen.as_ref()?.roughness_texture,
        S::Transmission => &of.transmission.as_ref()?.texture,
        S::Thickness => &of.volume.as_ref()?.thickness_texture,
        S::Iridescence => &of.iridescence.as_ref()?.texture,
        S::IridescenceThickness => &of.iridescence.as_ref()?.thickness_texture,
        S::Anisotropy => &of.anisotropy.as_ref()?.texture,
        S::DiffuseTransmission => &of.diffuse_transmission.as_ref()?.texture,
        S::DiffuseTransmissionColor => &of.diffuse_transmission.as_ref()?.color_texture,
    };
    texture.as_ref()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{
        Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, OcclusionTexture, Sheen, Specular,
        TransformProperty, Transmission, Volume,
        property::names::{CAMERA, LIGHT, MATERIAL, TEXTURE},
    };

    /// A material that has all there is.
    fn full() -> Material {
        let texture = TextureRef::default();
        let normal_texture = Some(NormalTexture {
            texture,
            scale: 1.0,
        });
        let texture = Some(texture);
        Material {
            base_color_texture: texture,
            metallic_roughness_texture: texture,
            normal_texture,
            occlusion_texture: Some(OcclusionTexture {
                texture: TextureRef::default(),
                strength: 1.0,
            }),
            emissive_texture: texture,
            alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
            specular: Some(Specular {
                texture,
                color_texture: texture,
                ..Specular::default()
            }),
            clearcoat: Some(Clearcoat {
                texture,
                roughness_texture: texture,
                normal_texture,
                ..Clearcoat::default()
            }),
            sheen: Some(Sheen {
                color_texture: texture,
                roughness_texture: texture,
                ..Sheen::default()
            }),
            transmission: Some(Transmission {
                texture,
                ..Transmission::default()
            }),
            volume: Some(Volume {
                thickness_texture: texture,
                ..Volume::default()
            }),
            iridescence: Some(Iridescence {
                texture,
                thickness_texture: texture,
                ..Iridescence::default()
            }),
            anisotropy: Some(Anisotropy {
                texture,
                ..Anisotropy::default()
            }),
            diffuse_transmission: Some(DiffuseTransmission {
                texture,
                color_texture: texture,
                ..DiffuseTransmission::default()
            }),
            ..Material::default()
        }
    }

    /// The same with parts that are there and have no textures.
    fn bare() -> Material {
        Material {
            specular: Some(Specular::default()),
            clearcoat: Some(Clearcoat::default()),
            sheen: Some(Sheen::default()),
            transmission: Some(Transmission::default()),
            volume: Some(Volume::default()),
            iridescence: Some(Iridescence::default()),
            anisotropy: Some(Anisotropy::default()),
            diffuse_transmission: Some(DiffuseTransmission::default()),
            ..Material::default()
        }
    }

    #[test]
    fn there_is_what_has_numbers() {
        let light = |kind, range| Light {
            name: String::new(),
            kind,
            color: Vec3::ONE,
            intensity: 1.0,
            range,
        };
        let spot = LightKind::Spot {
            inner_radians: 0.1,
            outer_radians: 0.2,
        };
        let camera = |projection| Camera {
            name: String::new(),
            projection,
        };
        let perspective = |aspect, far| {
            camera(Projection::Perspective {
                fov_y_radians: 1.0,
                aspect,
                near: 0.1,
                far,
            })
        };
        let orthographic = camera(Projection::Orthographic {
            half_width: 1.0,
            half_height: 1.0,
            near: 0.0,
            far: 1.0,
        });
        let mut values = PropertyValues {
            materials: vec![full(), bare(), Material::default()],
            lights: vec![light(spot, Some(1.0)), light(LightKind::Point, None)],
            cameras: vec![
                perspective(Some(1.0), Some(2.0)),
                perspective(None, None),
                orthographic,
            ],
        };
        let mut targets = Vec::new();
        // One more than there are.
        for index in 0..4 {
            targets.extend(
                MATERIAL
                    .iter()
                    .map(|it| PropertyTarget::Material(index, it.1)),
            );
            targets.extend(LIGHT.iter().map(|it| PropertyTarget::Light(index, it.1)));
            targets.extend(CAMERA.iter().map(|it| PropertyTarget::Camera(index, it.1)));
            let moved = TransformProperty::Offset;
            let of_slot = |slot| PropertyTarget::TextureTransform(index, slot, moved);
            targets.extend(TEXTURE.iter().map(|it| of_slot(it.1)));
        }
        let mut there = 0;
        for target in targets {
            let has_numbers = values.numbers_mut(target).is_some();
            assert_eq!(values.has(target), has_numbers, "{target:?}");
            there += usize::from(has_numbers);
        }
        let of_materials = (MATERIAL.len() + TEXTURE.len()) + (MATERIAL.len() - 4) + 7;
        assert_eq!(there, of_materials + (5 + 2) + (4 + 2 + 4));
    }
}
