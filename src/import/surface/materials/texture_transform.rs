//! `KHR_texture_transform`: where on an image a use of a texture looks.

use std::collections::BTreeMap;

use glam::Vec2;

use super::{
    Reader,
    extensions::{ANY, Layer},
};
use crate::{
    import::{
        base::extension,
        json::{extensions::ObjectExtensions, fields::Fields, repair},
    },
    model::TextureTransform,
};

const NAME: &str = extension::KHR_TEXTURE_TRANSFORM;

/// The texture transforms of one material.
#[derive(Debug, Default)]
pub(super) struct TextureTransforms<'t> {
    /// The properties of the material and of objects in it, by their places there: each text is cut once.
    objects: BTreeMap<String, Fields<'t>>,
}

impl<'t> TextureTransforms<'t> {
    /// The texture transforms of the material with this text.
    pub(super) fn of(material: &'t str) -> Self {
        let mut objects = BTreeMap::new();
        if repair::may_name(material, NAME) {
            objects.insert(String::new(), Fields::of(material).unwrap_or_default());
        }
        Self { objects }
    }

    /// The text of the transform of the texture at `place` in the material.
    fn at(&mut self, place: &str) -> Option<&'t str> {
        let (owner, name) = place.rsplit_once('/')?;
        let texture = self.object(owner)?.get(name)?;
        ObjectExtensions::of(texture).text(NAME)
    }

    fn object(&mut self, place: &str) -> Option<&Fields<'t>> {
        if !self.objects.contains_key(place) {
            let (owner, name) = place.rsplit_once('/')?;
            let object = self.object(owner)?.object(name);
            self.objects.insert(place.to_owned(), object);
        }
        self.objects.get(place)
    }
}

/// The transform of the texture at `place` in the material, and the set of texture coordinates that it asks for, if it
/// does.
pub(super) fn read(reader: &mut Reader<'_, '_>, place: &str) -> (TextureTransform, Option<u32>) {
    let default = TextureTransform::default();
    let Some(text) = reader.transforms.at(place) else {
        return (default, None);
    };
    let place = format!("{place}/extensions/{NAME}");
    let mut layer = Layer::new(reader, text, place);
    let transform = TextureTransform {
        offset: Vec2::from(layer.numbers("offset", ANY, default.offset.into())),
        rotation_radians: layer.number_in("rotation", ANY, default.rotation_radians),
        scale: Vec2::from(layer.numbers("scale", ANY, default.scale.into())),
    };
    (transform, layer.integer("texCoord"))
}
