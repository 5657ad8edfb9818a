//! Materials, lights and cameras whose properties can be reached by a [`PropertyTarget`].

use std::{ops::RangeInclusive, slice::from_mut};

use super::{
    CameraProperty, LightProperty, MaterialProperty, PropertyTarget, TransformProperty,
    names::{ANY, CAMERA, LIGHT, MATERIAL, TRANSFORM, UNIT, range},
};
use crate::model::{AlphaMode, Camera, Light, LightKind, Material, Projection, TextureTransform};

/// All of a model that a clip may move besides its nodes, as it is at a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropertyValues {
    /// As in [`crate::model::Model::materials`].
    pub materials: Vec<Material>,
    /// As in [`crate::model::Model::lights`].
    pub lights: Vec<Light>,
    /// As in [`crate::model::Model::cameras`].
    pub cameras: Vec<Camera>,
}

impl PropertyValues {
    /// The numbers of a property, [`PropertyTarget::width`] of them; none where the file does not have it: pointers to
    /// what is neither stated nor has a default are invalid (`KHR_animation_pointer`, "Operation"). Properties of nodes
    /// are not here.
    pub fn numbers_mut(&mut self, target: PropertyTarget) -> Option<&mut [f32]> {
        match target {
            PropertyTarget::Visibility(_) | PropertyTarget::NodeWeight(..) => None,
            PropertyTarget::Camera(camera, property) => {
                camera_numbers(self.cameras.get_mut(camera)?, property)
            }
            PropertyTarget::Light(light, property) => {
                light_numbers(self.lights.get_mut(light)?, property)
            }
            PropertyTarget::Material(material, property) => {
                material_numbers(self.materials.get_mut(material)?, property)
            }
            PropertyTarget::TextureTransform(material, slot, property) => {
                let texture = self.materials.get_mut(material)?.texture_mut(slot)?;
                Some(transform_numbers(&mut texture.transform, property))
            }
        }
    }

    /// Whether it has numbers of a property.
    pub fn has(&self, target: PropertyTarget) -> bool {
        // Asked of copies, which cost nothing without their names.
        let name = String::new();
        match target {
            PropertyTarget::Visibility(_) | PropertyTarget::NodeWeight(..) => false,
            PropertyTarget::Camera(camera, property) => {
                let camera = self.cameras.get(camera);
                camera.is_some_and(|it| {
                    camera_numbers(&mut Camera { name, ..*it }, property).is_some()
                })
            }
            PropertyTarget::Light(light, property) => {
                let light = self.lights.get(light);
                light
                    .is_some_and(|it| light_numbers(&mut Light { name, ..*it }, property).is_some())
            }
            PropertyTarget::Material(material, property) => {
                let material = self.materials.get(material);
                material.is_some_and(|it| {
                    material_numbers(&mut Material { name, ..*it }, property).is_some()
                })
            }
            PropertyTarget::TextureTransform(material, slot, _) => {
                let material = self.materials.get(material);
                material.is_some_and(|it| it.texture(slot).is_some())
            }
        }
    }

    /// Brings what depends on other numbers into their range, after some of them were set: a spot's cones, and the far
    /// plane of a camera.
    pub fn reconcile(&mut self, target: PropertyTarget) {
        match target {
            PropertyTarget::Light(light, _) => {
                if let Some(kind) = self.lights.get_mut(light).map(|light| &mut light.kind)
                    && let LightKind::Spot {
                        inner_radians,
                        outer_radians,
                    } = *kind
                {
                    *kind = LightKind::spot(inner_radians, outer_radians);
                }
            }
            PropertyTarget::Camera(camera, _) => {
                if let Some(Camera {
                    projection:
                        Projection::Perspective {
                            near,
                            far: Some(far),
                            ..
                        }
                        | Projection::Orthographic { near, far, .. },
                    ..
                }) = self.cameras.get_mut(camera)
                {
                    *far = far.max(near.next_up());
                }
            }
            PropertyTarget::Visibility(_)
            | PropertyTarget::NodeWeight(..)
            | PropertyTarget::Material(..)
            | PropertyTarget::TextureTransform(..) => {}
        }
    }
}

impl PropertyTarget {
    /// The property that [`PropertyValues::reconcile`] changes on account of this one.
    pub fn limited(self) -> Option<Self> {
        match self {
            Self::Light(light, LightProperty::OuterConeAngle) => {
                Some(Self::Light(light, LightProperty::InnerConeAngle))
            }
            Self::Camera(camera, CameraProperty::PerspectiveNear) => {
                Some(Self::Camera(camera, CameraProperty::PerspectiveFar))
            }
            Self::Camera(camera, CameraProperty::OrthographicNear) => {
                Some(Self::Camera(camera, CameraProperty::OrthographicFar))
            }
            _ => None,
        }
    }

    /// The nearest number that the property may have: splines overshoot.
    pub fn legal(self, number: f32) -> f32 {
        if self.is_ior() {
            // At least 1; and 0 stands for infinity.
            return if number < 0.5 { 0.0 } else { number.max(1.0) };
        }
        let range = self.range();
        number.clamp(*range.start(), *range.end())
    }

    /// Which numbers the property may have.
    pub fn is_legal(self) -> impl Fn(f32) -> bool {
        let (is_ior, range) = (self.is_ior(), self.range());
        move |number| range.contains(&number) && !(is_ior && number > 0.0 && number < 1.0)
    }

    fn is_ior(self) -> bool {
        matches!(self, Self::Material(_, MaterialProperty::Ior))
    }

    fn range(self) -> RangeInclusive<f32> {
        match self {
            Self::Visibility(_) => UNIT,
            Self::NodeWeight(..) | Self::TextureTransform(..) => ANY,
            Self::Camera(_, property) => range(CAMERA, property),
            Self::Light(_, property) => range(LIGHT, property),
            Self::Material(_, property) => range(MATERIAL, property),
        }
    }
}

fn camera_numbers(camera: &mut Camera, property: CameraProperty) -> Option<&mut [f32]> {
    use CameraProperty as P;
    let number = match (&mut camera.projection, property) {
        (Projection::Perspective { aspect, .. }, P::AspectRatio) => aspect.as_mut()?,
        (Projection::Perspective { fov_y_radians, .. }, P::FovY) => fov_y_radians,
        (Projection::Perspective { near, .. }, P::PerspectiveNear)
        | (Projection::Orthographic { near, .. }, P::OrthographicNear) => near,
        (Projection::Perspective { far, .. }, P::PerspectiveFar) => far.as_mut()?,
        (Projection::Orthographic { half_width, .. }, P::HalfWidth) => half_width,
        (Projection::Orthographic { half_height, .. }, P::HalfHeight) => half_height,
        (Projection::Orthographic { far, .. }, P::OrthographicFar) => far,
        _ => return None,
    };
    Some(from_mut(number))
}

fn light_numbers(light: &mut Light, property: LightProperty) -> Option<&mut [f32]> {
    let number = match (property, &mut light.kind) {
        (LightProperty::Color, _) => return Some(light.color.as_mut()),
        (LightProperty::Intensity, _) => &mut light.intensity,
        (LightProperty::Range, _) => light.range.as_mut()?,
        (LightProperty::InnerConeAngle, LightKind::Spot { inner_radians, .. }) => inner_radians,
        (LightProperty::OuterConeAngle, LightKind::Spot { outer_radians, .. }) => outer_radians,
        _ => return None,
    };
    Some(from_mut(number))
}

pub(super) fn material_numbers(
    material: &mut Material,
    property: MaterialProperty,
) -> Option<&mut [f32]> {
    use MaterialProperty as P;
    let of = material;
    let number = match property {
        P::BaseColor => return Some(of.base_color.as_mut()),
        P::Emissive => return Some(of.emissive.as_mut()),
        P::SpecularColor => return Some(of.specular.as_mut()?.color.as_mut()),
        P::SheenColor => return Some(of.sheen.as_mut()?.color.as_mut()),
        P::AttenuationColor => return Some(of.volume.as_mut()?.attenuation_color.as_mut()),
        P::DiffuseTransmissionColor => {
            return Some(of.diffuse_transmission.as_mut()?.color.as_mut());
        }
        P::Metallic => &mut of.metallic,
        P::Roughness => &mut of.roughness,
        P::NormalScale => &mut of.normal_texture.as_mut()?.scale,
        P::OcclusionStrength => &mut of.occlusion_texture.as_mut()?.strength,
        P::AlphaCutoff => match &mut of.alpha_mode {
            AlphaMode::Mask { cutoff } => cutoff,
            AlphaMode::Opaque | AlphaMode::Blend => return None,
        },
        P::EmissiveStrength => &mut of.emissive_strength,
        P::Ior => &mut of.ior,
        P::Dispersion => &mut of.dispersion,
        P::SpecularFactor => &mut of.specular.as_mut()?.factor,
        P::Clearcoat => &mut of.clearcoat.as_mut()?.factor,
        P::ClearcoatRoughness => &mut of.clearcoat.as_mut()?.roughness,
        P::ClearcoatNormalScale => &mut of.clearcoat.as_mut()?.normal_texture.as_mut()?.scale,
        P::SheenRoughness => &mut of.sheen.as_mut()?.roughness,
        P::Transmission => &mut of.transmission.as_mut()?.factor,
        P::Thickness => &mut of.volume.as_mut()?.thickness,
        P::AttenuationDistance => &mut of.volume.as_mut()?.attenuation_distance,
        P::Iridescence => &mut of.iridescence.as_mut()?.factor,
        P::IridescenceIor => &mut of.iridescence.as_mut()?.ior,
        P::IridescenceThicknessMin => &mut of.iridescence.as_mut()?.thickness_min_nm,
        P::IridescenceThicknessMax => &mut of.iridescence.as_mut()?.thickness_max_nm,
        P::AnisotropyStrength => &mut of.anisotropy.as_mut()?.strength,
        P::AnisotropyRotation => &mut of.anisotropy.as_mut()?.rotation_radians,
        P::DiffuseTransmission => &mut of.diffuse_transmission.as_mut()?.factor,
    };
    Some(from_mut(number))
}

fn transform_numbers(transform: &mut TextureTransform, property: TransformProperty) -> &mut [f32] {
    match property {
        TransformProperty::Offset => transform.offset.as_mut(),
        TransformProperty::Rotation => from_mut(&mut transform.rotation_radians),
        TransformProperty::Scale => transform.scale.as_mut(),
    }
}

/// A property by the name that files have for it, and its numbers; none where its owner does not have it.
pub type NamedNumbers = (&'static str, Option<Vec<f32>>);

impl Material {
    /// All its properties that are made of numbers.
    pub fn numbers(&self) -> impl Iterator<Item = NamedNumbers> {
        let name = String::new();
        let mut copy = Self { name, ..*self };
        MATERIAL.iter().map(move |&(name, property, _)| {
            let numbers = material_numbers(&mut copy, property);
            (name, numbers.map(|numbers| numbers.to_vec()))
        })
    }
}

impl Light {
    /// All its properties that are made of numbers.
    pub fn numbers(&self) -> impl Iterator<Item = NamedNumbers> {
        let name = String::new();
        let mut copy = Self { name, ..*self };
        LIGHT.iter().map(move |&(name, property, _)| {
            let numbers = light_numbers(&mut copy, property);
            (name, numbers.map(|numbers| numbers.to_vec()))
        })
    }
}

impl Camera {
    /// All its properties that are made of numbers.
    pub fn numbers(&self) -> impl Iterator<Item = NamedNumbers> {
        let name = String::new();
        let mut copy = Self { name, ..*self };
        CAMERA.iter().map(move |&(name, property, _)| {
            let numbers = camera_numbers(&mut copy, property);
            (name, numbers.map(|numbers| numbers.to_vec()))
        })
    }
}

impl TextureTransform {
    /// All its properties.
    pub fn numbers(&self) -> impl Iterator<Item = NamedNumbers> {
        let mut copy = *self;
        TRANSFORM.iter().map(move |&(name, property, _)| {
            let numbers = transform_numbers(&mut copy, property);
            (name, Some(numbers.to_vec()))
        })
    }
}
