//! What a clip may move besides nodes: the mutable properties of the glTF 2.0 Asset Object Model, as
//! `KHR_animation_pointer` names them.

use std::sync::Arc;

pub(crate) mod names;
mod seen;
mod values;

pub use seen::SeenLayers;
pub use values::{NamedNumbers, PropertyValues};

use super::{Interpolation, Model, Moved, NodeId, Primitive, TrackHead};

/// A property, with the index of its owner in the file (but see [`NodeId`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PropertyTarget {
    /// Whether a node and all below it are shown (`KHR_node_visibility`).
    Visibility(NodeId),
    /// One of a node's morph weights. Of those of a mesh, each node that has none of its own takes one.
    NodeWeight(NodeId, usize),
    /// A property of a camera.
    Camera(usize, CameraProperty),
    /// A property of a light.
    Light(usize, LightProperty),
    /// A property of a material.
    Material(usize, MaterialProperty),
    /// How a texture of a material is placed (`KHR_texture_transform`).
    TextureTransform(usize, TextureSlot, TransformProperty),
}

/// A property of a camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "these are the properties of glTF 2.0 §5.11 to §5.14, by their names"
)]
pub enum CameraProperty {
    AspectRatio,
    FovY,
    PerspectiveNear,
    PerspectiveFar,
    HalfWidth,
    HalfHeight,
    OrthographicNear,
    OrthographicFar,
}

/// A property of a light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "these are the properties of KHR_lights_punctual, by their names"
)]
pub enum LightProperty {
    Color,
    Intensity,
    Range,
    InnerConeAngle,
    OuterConeAngle,
}

/// A property of a material that is no texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "these are the factors of glTF 2.0 §5.19 and of KHR_materials_*, by their names"
)]
pub enum MaterialProperty {
    BaseColor,
    Metallic,
    Roughness,
    NormalScale,
    OcclusionStrength,
    Emissive,
    AlphaCutoff,
    EmissiveStrength,
    Ior,
    Dispersion,
    SpecularFactor,
    SpecularColor,
    Clearcoat,
    ClearcoatRoughness,
    ClearcoatNormalScale,
    SheenColor,
    SheenRoughness,
    Transmission,
    Thickness,
    AttenuationDistance,
    AttenuationColor,
    Iridescence,
    IridescenceIor,
    IridescenceThicknessMin,
    IridescenceThicknessMax,
    AnisotropyStrength,
    AnisotropyRotation,
    DiffuseTransmission,
    DiffuseTransmissionColor,
}

/// A texture of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "these are the textures of glTF 2.0 §5.19 and of KHR_materials_*, by their names"
)]
pub enum TextureSlot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
    Specular,
    SpecularColor,
    Clearcoat,
    ClearcoatRoughness,
    ClearcoatNormal,
    SheenColor,
    SheenRoughness,
    Transmission,
    Thickness,
    Iridescence,
    IridescenceThickness,
    Anisotropy,
    DiffuseTransmission,
    DiffuseTransmissionColor,
    Diffuse,
    SpecularGlossiness,
}

impl TextureSlot {
    /// All of them, in order: those of specular-glossiness come last.
    pub const ALL: [Self; names::TEXTURE.len()] = {
        let mut all = [Self::BaseColor; names::TEXTURE.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = names::TEXTURE[place].1;
            place += 1;
        }
        all
    };

    /// Whether it is one of `KHR_materials_pbrSpecularGlossiness`.
    pub fn is_of_specular_glossiness(self) -> bool {
        matches!(self, Self::Diffuse | Self::SpecularGlossiness)
    }

    /// Where a material of a file has it.
    pub fn name(self) -> &'static str {
        names::TEXTURE[self as usize].0
    }
}

/// A part of a texture's transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransformProperty {
    /// Two numbers.
    Offset,
    /// One number: radians, counter-clockwise.
    Rotation,
    /// Two numbers.
    Scale,
}

impl PropertyTarget {
    /// The node that it belongs to; none if it is of a material, a light or a camera.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Self::Visibility(node) | Self::NodeWeight(node, _) => Some(node),
            Self::Camera(..)
            | Self::Light(..)
            | Self::Material(..)
            | Self::TextureTransform(..) => None,
        }
    }

    /// Whether a node has it, or the camera, the light or a material that stands there; also one of variants that are not shown.
    pub fn stands_at(self, model: &Model, node: NodeId) -> bool {
        let placed = model.hierarchy.node(node);
        match self {
            Self::Visibility(of) | Self::NodeWeight(of, _) => of == node,
            Self::Camera(camera, _) => placed.camera == Some(camera),
            Self::Light(light, _) => placed.light == Some(light),
            Self::Material(material, _) | Self::TextureTransform(material, ..) => {
                let mesh = placed.mesh.and_then(|mesh| model.meshes.get(mesh));
                let has = |part: &Primitive| part.materials().any(|it| it == material);
                mesh.is_some_and(|mesh| mesh.primitives.iter().any(has))
            }
        }
    }

    /// This property of another material, light or camera, which these give for its index; none of nodes.
    pub fn of_other(
        self,
        material: impl Fn(usize) -> Option<usize>,
        light: impl Fn(usize) -> Option<usize>,
        camera: impl Fn(usize) -> Option<usize>,
    ) -> Option<Self> {
        Some(match self {
            Self::Visibility(_) | Self::NodeWeight(..) => return None,
            Self::Camera(index, property) => Self::Camera(camera(index)?, property),
            Self::Light(index, property) => Self::Light(light(index)?, property),
            Self::Material(index, property) => Self::Material(material(index)?, property),
            Self::TextureTransform(index, slot, property) => {
                Self::TextureTransform(material(index)?, slot, property)
            }
        })
    }

    /// How many numbers it is made of.
    pub fn width(self) -> usize {
        match self {
            Self::Material(_, MaterialProperty::BaseColor) => 4,
            Self::Light(_, LightProperty::Color)
            | Self::Material(
                _,
                MaterialProperty::Emissive
                | MaterialProperty::SpecularColor
                | MaterialProperty::SheenColor
                | MaterialProperty::AttenuationColor
                | MaterialProperty::DiffuseTransmissionColor,
            ) => 3,
            Self::TextureTransform(.., TransformProperty::Offset | TransformProperty::Scale) => 2,
            _ => 1,
        }
    }
}

/// The values of one property at the keys of a timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyTrack {
    pub(in crate::model) target: PropertyTarget,
    pub(in crate::model) timeline: usize,
    pub(in crate::model) interpolation: Interpolation,
    pub(in crate::model) values: Arc<[f32]>,
}

impl PropertyTrack {
    /// The track without its values.
    pub fn head(&self) -> TrackHead {
        TrackHead {
            moved: Moved::Property(self.target),
            timeline: self.timeline,
            interpolation: self.interpolation,
        }
    }

    /// What it moves.
    pub fn target(&self) -> PropertyTarget {
        self.target
    }

    /// Index of its timeline in the clip.
    pub fn timeline(&self) -> usize {
        self.timeline
    }

    /// How values between keys are found; yes and no are never interpolated.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// All values: for each key [`PropertyTarget::width`] numbers, or with cubic splines so many in-tangents, values and
    /// out-tangents.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}
