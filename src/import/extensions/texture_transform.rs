//! `KHR_texture_transform`: where on an image a use of a texture looks.

use glam::Vec2;
use serde_json::Value;

use super::materials::{ANY, Layer};
use crate::{
    import::{deep, materials::Reader, repair},
    model::TextureTransform,
};

const NAME: &str = "KHR_texture_transform";

/// The texture transforms of one material.
#[derive(Debug, Default)]
pub(in crate::import) struct TextureTransforms {
    material: Option<Value>,
}

impl TextureTransforms {
    /// Those of the material with this text.
    pub(in crate::import) fn of(material: &str) -> Self {
        let value = || deep::value(material).ok();
        Self {
            material: repair::may_name(material, NAME).then(value).flatten(),
        }
    }

    /// The object of the texture at `place` in the material.
    pub(in crate::import) fn at(&self, place: &str) -> Option<&Value> {
        let material = self.material.as_ref()?;
        material.pointer(place)?.get("extensions")?.get(NAME)
    }
}

/// The transform of the texture at `place` in the material, and the set of texture coordinates that it asks for, if it
/// does.
pub(in crate::import) fn read(
    reader: &mut Reader<'_, '_>,
    place: &str,
) -> (TextureTransform, Option<u32>) {
    let default = TextureTransform::default();
    let Some(object) = reader.transforms.at(place).cloned() else {
        return (default, None);
    };
    let place = format!("{place}/extensions/{NAME}");
    let mut layer = Layer::new(reader, object, place);
    let transform = TextureTransform {
        offset: Vec2::from(layer.numbers("offset", ANY, default.offset.into())),
        rotation_radians: layer.number("rotation", ANY, default.rotation_radians),
        scale: Vec2::from(layer.numbers("scale", ANY, default.scale.into())),
    };
    (transform, layer.index("texCoord"))
}
