//! Textures again as a file has them: images as PNG, samplers by their numbers (glTF 2.0 §3.8).

use std::{
    collections::{HashMap, hash_map::Entry},
    io::Cursor,
};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{glb::GlbWriter, named};
use crate::model::{Filter, Image, MipFilter, Model, Sampler, TexelFormat, Texture, Wrap};

/// Writes each image, sampler and texture once, when the first material needs it.
#[derive(Debug, Default)]
pub(super) struct TextureWriter {
    /// Where each of the model's textures was written, by its index; none where its picture is missing.
    known: HashMap<usize, Option<usize>>,
    images: HashMap<usize, usize>,
    /// The buffer views of pictures, by where their texels are.
    pictures: HashMap<usize, usize>,
    textures: Vec<Value>,
    samplers: Vec<(Sampler, Value)>,
    image_values: Vec<Value>,
}

impl TextureWriter {
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
            let source = self.add_image(image, model, glb)?;
            let sampler = self.add_sampler(sampler);
            self.textures
                .push(json!({ "source": source, "sampler": sampler }));
            Some(self.textures.len() - 1)
        };
        self.known.insert(index, written);
        Ok(written)
    }

    fn add_image(
        &mut self,
        index: usize,
        model: &Model,
        glb: &mut GlbWriter,
    ) -> anyhow::Result<usize> {
        if let Some(&known) = self.images.get(&index) {
            return Ok(known);
        }
        let image = &model.images[index];
        let view = match self.pictures.entry(image.place_of_texels()) {
            Entry::Occupied(view) => *view.get(),
            Entry::Vacant(entry) => {
                let png = encode(image);
                let png = png.with_context(|| format!("image {index} {:?}", image.name))?;
                *entry.insert(glb.add_file(&png))
            }
        };
        let value = json!({ "bufferView": view, "mimeType": "image/png" });
        self.image_values.push(named(value, &image.name));
        let place = self.image_values.len() - 1;
        self.images.insert(index, place);
        Ok(place)
    }

    fn add_sampler(&mut self, sampler: Sampler) -> usize {
        let known = self
            .samplers
            .iter()
            .position(|(known, _)| *known == sampler);
        known.unwrap_or_else(|| {
            self.samplers.push((sampler, sampler_to_json(sampler)));
            self.samplers.len() - 1
        })
    }

    /// Puts textures, samplers and images into the file's root.
    pub(super) fn finish(self, root: &mut Value) {
        if self.textures.is_empty() {
            return;
        }
        root["textures"] = json!(self.textures);
        root["images"] = json!(self.image_values);
        let samplers = self.samplers.into_iter().map(|(_, value)| value);
        root["samplers"] = samplers.collect();
    }
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

/// The numbers of glTF 2.0 §5.26.
fn sampler_to_json(sampler: Sampler) -> Value {
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
    json!({
        "magFilter": magnify,
        "minFilter": minify,
        "wrapS": wrap(sampler.wrap_u),
        "wrapT": wrap(sampler.wrap_v),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut root = json!({});
        writer.finish(&mut root);
        let views = [0, 1, 2].map(|image| root["images"][image]["bufferView"].clone());
        assert_eq!(views, [0, 0, 1]);
        assert_eq!(root["images"][1]["name"], "again");
    }
}
