//! `KHR_texture_transform`: where on an image a use of a texture looks.

use glam::Vec2;
use serde_json::Value;

use crate::{
    import::{deep, repair},
    model::TextureTransform,
};

const NAME: &str = "KHR_texture_transform";

/// The texture transforms of one material.
#[derive(Debug, Default)]
pub(in crate::import) struct TextureTransforms {
    material: Option<Value>,
}

#[derive(serde::Deserialize)]
#[serde(default)]
struct FileTransform {
    offset: [f32; 2],
    rotation: f32,
    scale: [f32; 2],
    #[serde(rename = "texCoord")]
    tex_coord: Option<u32>,
}

impl Default for FileTransform {
    fn default() -> Self {
        Self {
            offset: [0.0; 2],
            rotation: 0.0,
            scale: [1.0; 2],
            tex_coord: None,
        }
    }
}

impl TextureTransforms {
    /// Those of the material with this text.
    pub(in crate::import) fn of(material: &str) -> Self {
        let value = || deep::value(material).ok();
        Self {
            material: repair::may_name(material, NAME).then(value).flatten(),
        }
    }

    /// That of the texture at `place` in the material, and the set of texture coordinates that it asks for, if it does.
    pub(in crate::import) fn at(&self, place: &str) -> (TextureTransform, Option<u32>) {
        let object = self
            .material
            .as_ref()
            .and_then(|material| material.pointer(place)?.get("extensions")?.get(NAME));
        let file: FileTransform = object.and_then(repair::fitted).unwrap_or_default();
        let transform = TextureTransform {
            offset: Vec2::from(file.offset),
            rotation_radians: file.rotation,
            scale: Vec2::from(file.scale),
        };
        if transform.is_finite() {
            (transform, file.tex_coord)
        } else {
            (TextureTransform::default(), file.tex_coord)
        }
    }
}
