//! Textures again as a file has them: images by their bytes there or as PNG, samplers by their numbers (glTF 2.0 §3.8).

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    io::Cursor,
};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{
    PictureSource,
    glb::GlbWriter,
    lost::{ExtrasWriter, Unmodelled},
    named,
    noted::{Root, RootMember},
    source_file::mime_type,
};
use crate::model::{Filter, Image, MipFilter, Model, Owner, Sampler, TexelFormat, Texture, Wrap};

/// Writes each image, sampler and texture once, when the first material needs it.
#[derive(Debug, Default)]
pub(super) struct TextureWriter<'a> {
    /// What has the bytes of images in the model's file, if these are known.
    source: Option<&'a dyn PictureSource>,
    /// What else that file says.
    said: Option<&'a Unmodelled>,
    /// Where each of the model's textures was written, by its index; none where its picture is missing.
    known: HashMap<usize, Option<usize>>,
    images: HashMap<usize, (usize, &'static str)>,
    /// Pictures by where their texels are.
    pictures: HashMap<usize, Picture>,
    textures: Vec<Value>,
    samplers: Vec<Value>,
    /// Images, each with the one of the model.
    image_values: Vec<(usize, Value)>,
    /// Those without which textures have no image.
    extensions: BTreeSet<&'static str>,
}

/// A picture that was written.
#[derive(Debug, Clone, Copy)]
struct Picture {
    /// Its buffer view.
    view: usize,
    mime_type: &'static str,
}

impl<'a> TextureWriter<'a> {
    /// Nothing yet. There may be the bytes of images in the model's file, of which `said` is what else it says.
    pub(super) fn new(source: Option<&'a dyn PictureSource>, said: &'a Unmodelled) -> Self {
        Self {
            source,
            said: Some(said),
            ..Self::default()
        }
    }

    /// The index of a texture of the model in the file; none if its picture could not be read, so that nothing stands for
    /// it here.
    pub(super) fn add(
        &mut self,
        index: usize,
        model: &Model,
        glb: &mut GlbWriter,
    ) -> anyhow::Result<Option<usize>> {
        if let Some(&known) = self.known.get(&index) {
            return Ok(known);
        }
        let Texture { image, sampler } = model.textures[index];
        let written = if model.images[image].is_placeholder {
            None
        } else {
            let (source, mime_type) = self.add_image(image, model, glb)?;
            let says = self.said.map_or([true; 2], |said| said.says_filters(index));
            let mut value = json!({ "sampler": self.add_sampler(sampler_to_json(sampler, says)) });
            if let Some(extension) = extension_of(mime_type) {
                self.extensions.insert(extension);
                value["extensions"][extension] = json!({ "source": source });
            } else {
                value["source"] = json!(source);
            }
            self.textures.push(value);
            Some(self.textures.len() - 1)
        };
        self.known.insert(index, written);
        Ok(written)
    }

    /// The index of an image of the model in the file, and its media type.
    fn add_image(
        &mut self,
        index: usize,
        model: &Model,
        glb: &mut GlbWriter,
    ) -> anyhow::Result<(usize, &'static str)> {
        if let Some(&known) = self.images.get(&index) {
            return Ok(known);
        }
        let image = &model.images[index];
        let Picture { view, mime_type } = match self.pictures.entry(image.place_of_texels()) {
            Entry::Occupied(picture) => *picture.get(),
            Entry::Vacant(entry) => {
                let source = self.source.map(|source| source.bytes_of(index, image));
                let bytes = source.transpose()?.flatten();
                let kept = bytes.and_then(|bytes| Some((mime_type(&bytes)?, bytes)));
                let kept = kept.filter(|(mime_type, _)| may_be_kept(mime_type, model));
                let picture = if let Some((mime_type, bytes)) = kept {
                    Picture {
                        view: glb.add_file(&bytes),
                        mime_type,
                    }
                } else {
                    let png = encode(image);
                    let png = png.with_context(|| format!("image {index} {:?}", image.name))?;
                    Picture {
                        view: glb.add_file(&png),
                        mime_type: "image/png",
                    }
                };
                *entry.insert(picture)
            }
        };
        let value = json!({ "bufferView": view, "mimeType": mime_type });
        self.image_values.push((index, named(value, &image.name)));
        let written = (self.image_values.len() - 1, mime_type);
        self.images.insert(index, written);
        Ok(written)
    }

    fn add_sampler(&mut self, sampler: Value) -> usize {
        let known = self.samplers.iter().position(|known| *known == sampler);
        known.unwrap_or_else(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        })
    }

    /// Puts textures, samplers and images into the file's root; the extensions that it requires for these.
    pub(super) fn finish<'e>(
        self,
        extras: &mut ExtrasWriter<'e>,
        root: &mut Root<'e>,
    ) -> BTreeSet<&'static str> {
        if !self.textures.is_empty() {
            let images = self.image_values.into_iter();
            let images = images.map(|(index, image)| extras.noted(Owner::Image(index), image));
            root.insert("images", RootMember::List(images.collect()));
            root.insert("textures", Value::Array(self.textures).into());
            root.insert("samplers", Value::Array(self.samplers).into());
        }
        self.extensions
    }
}

/// The extension by which a texture has an image of this media type; none if it needs none.
fn extension_of(mime_type: &str) -> Option<&'static str> {
    match mime_type {
        "image/webp" => Some("EXT_texture_webp"),
        "image/ktx2" => Some("KHR_texture_basisu"),
        _ => None,
    }
}

/// Whether a picture of this media type is written as it is: what not all can read only where the model's own file asks for
/// that, too.
fn may_be_kept(mime_type: &str, model: &Model) -> bool {
    extension_of(mime_type).is_none_or(|extension| {
        let mut required = model.asset.extensions_required.iter();
        required.any(|name| name == extension)
    })
}

fn encode(image: &Image) -> anyhow::Result<Vec<u8>> {
    let (width, height) = (image.width, image.height);
    let format = image::ImageFormat::Png;
    if let (TexelFormat::Grey8, Some(texels)) = (image.format, image.levels.first()) {
        let (mut png, kind) = (Cursor::new(Vec::new()), image::ExtendedColorType::L8);
        image::write_buffer_with_format(&mut png, texels, width, height, kind, format)?;
        return Ok(png.into_inner());
    }
    let texels = image
        .rgba8(0)
        .context("its texels are in blocks for the graphics adapter")?;
    let mut png = Cursor::new(Vec::new());
    let opaque = texels.chunks_exact(4).all(|texel| texel[3] == u8::MAX);
    let (texels, kind) = if opaque {
        let colors = texels.chunks_exact(4).flat_map(|texel| &texel[..3]);
        let colors: Vec<u8> = colors.copied().collect();
        (colors.into(), image::ExtendedColorType::Rgb8)
    } else {
        (texels, image::ExtendedColorType::Rgba8)
    };
    image::write_buffer_with_format(&mut png, &texels, width, height, kind, format)?;
    Ok(png.into_inner())
}

/// The numbers of glTF 2.0 §5.26. Filters that the file does not say are whatever a reader makes of that, as they were;
/// `says` is of that which magnifies, and of that which makes smaller.
fn sampler_to_json(sampler: Sampler, says: [bool; 2]) -> Value {
    let wrap = |wrap| match wrap {
        Wrap::Repeat => 10497,
        Wrap::MirroredRepeat => 33648,
        Wrap::ClampToEdge => 33071,
    };
    let magnify = match sampler.magnify {
        Filter::Nearest => 9728,
        Filter::Linear => 9729,
    };
    let minify = match (sampler.minify, sampler.mip) {
        (Filter::Nearest, MipFilter::None) => 9728,
        (Filter::Linear, MipFilter::None) => 9729,
        (Filter::Nearest, MipFilter::Nearest) => 9984,
        (Filter::Linear, MipFilter::Nearest) => 9985,
        (Filter::Nearest, MipFilter::Linear) => 9986,
        (Filter::Linear, MipFilter::Linear) => 9987,
    };
    let mut value = json!({ "wrapS": wrap(sampler.wrap_u), "wrapT": wrap(sampler.wrap_v) });
    let usual = Sampler::default();
    if says[0] || sampler.magnify != usual.magnify {
        value["magFilter"] = json!(magnify);
    }
    if says[1] || (sampler.minify, sampler.mip) != (usual.minify, usual.mip) {
        value["minFilter"] = json!(minify);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{export::lost::Extras, model::Metadata};

    #[test]
    fn writes_images_without_alpha_and_none_in_blocks() {
        let image = Image {
            width: 2,
            height: 1,
            format: TexelFormat::Rgb8,
            levels: vec![vec![1, 2, 3, 4, 5, 6]].into(),
            ..Image::default()
        };
        let png = image::load_from_memory(&encode(&image).unwrap()).unwrap();
        assert_eq!(png.into_rgb8().into_raw(), [1, 2, 3, 4, 5, 6]);
        let blocks = Image {
            format: TexelFormat::Bc7,
            ..image
        };
        assert!(encode(&blocks).is_err());
    }

    #[test]
    fn pictures_that_images_share_are_written_once() {
        let image = |name: &str| Image {
            name: name.to_owned(),
            width: 1,
            height: 1,
            levels: vec![vec![1, 2, 3, 4]].into(),
            ..Image::default()
        };
        let first = image("first");
        let again = Image {
            name: "again".to_owned(),
            ..first.clone()
        };
        let images = vec![first, again, image("other")];
        let textures = (0..images.len()).map(|image| Texture {
            image,
            sampler: Sampler::default(),
        });
        let model = Model {
            textures: textures.collect(),
            images: images.into(),
            ..Model::default()
        };
        let (mut writer, mut glb) = (TextureWriter::default(), GlbWriter::default());
        for texture in 0..3 {
            writer.add(texture, &model, &mut glb).unwrap();
        }
        let (metadata, mut root) = (Metadata::default(), Root::new());
        let extras = Extras::new(&metadata);
        writer.finish(&mut ExtrasWriter::new(&extras), &mut root);
        let root = serde_json::to_value(&root).unwrap();
        let views = [0, 1, 2].map(|image| root["images"][image]["bufferView"].clone());
        assert_eq!(views, [0, 0, 1]);
        assert_eq!(root["images"][1]["name"], "again");
    }
}
