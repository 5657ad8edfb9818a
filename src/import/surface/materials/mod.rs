//! Materials, textures and samplers (glTF 2.0 §3.8 and §3.9).

mod extensions;
mod texture_transform;

use std::ops::RangeInclusive;

use glam::{Vec3, Vec4};
use gltf::json::{
    self, Index,
    material::AlphaMode as FileAlphaMode,
    texture::{MagFilter, MinFilter, WrappingMode},
    validation::Checked,
};

use crate::{
    import::{
        arrays::source::Source,
        base::{
            diagnostics::{Diagnostics, Place},
            hashing::HashSet,
            progress::Cancelled,
            wording::first_few,
        },
        json::{document::Section, extensions::texture_sources},
    },
    model::{
        AlphaMode, Filter, Image, Material, MaterialProperty as P, MipFilter, NormalTexture,
        OcclusionTexture, Sampler, Texture, TextureRef, Wrap,
        property_names::{MATERIAL, line},
    },
};

use super::images;

use texture_transform::TextureTransforms;

/// Reads all materials; the default material (glTF 2.0 §3.9.6) follows as the last one.
pub(in crate::import) fn read(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Material>, Cancelled> {
    let document = &source.document;
    let mut materials = Vec::new();
    for index in 0..document.count(Section::Materials) {
        source.progress.check()?;
        let object = document.object::<json::Material>(Section::Materials, index, diagnostics);
        let text = document.text(Section::Materials, index);
        let mut reader = Reader {
            source,
            index,
            transforms: TextureTransforms::of(text),
            diagnostics,
        };
        let mut material = object.map_or_else(Material::default, |object| reader.read(object));
        extensions::read(&mut reader, text, &mut material);
        materials.push(material);
    }
    materials.push(Material::default());
    Ok(materials)
}

/// Reads one material.
struct Reader<'r, 's> {
    source: &'r Source<'s>,
    index: usize,
    transforms: TextureTransforms<'r>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_> {
    fn read(&mut self, object: json::Material) -> Material {
        let pbr = object.pbr_metallic_roughness;
        let base_color = self.factors(P::BaseColor, pbr.base_color_factor.0);
        let [metallic] = self.factors(P::Metallic, [pbr.metallic_factor.0]);
        let [roughness] = self.factors(P::Roughness, [pbr.roughness_factor.0]);
        Material {
            name: object.name.unwrap_or_default(),
            base_color: Vec4::from(base_color),
            base_color_texture: pbr.base_color_texture.and_then(|info| {
                let place = "/pbrMetallicRoughness/baseColorTexture";
                self.texture(info.index, info.tex_coord, place)
            }),
            metallic,
            roughness,
            metallic_roughness_texture: pbr.metallic_roughness_texture.and_then(|info| {
                let place = "/pbrMetallicRoughness/metallicRoughnessTexture";
                self.texture(info.index, info.tex_coord, place)
            }),
            normal_texture: object.normal_texture.and_then(|info| {
                let texture = self.texture(info.index, info.tex_coord, "/normalTexture")?;
                let scale = if info.scale.is_finite() {
                    info.scale
                } else {
                    1.0
                };
                Some(NormalTexture { texture, scale })
            }),
            occlusion_texture: object.occlusion_texture.and_then(|info| {
                let texture = self.texture(info.index, info.tex_coord, "/occlusionTexture")?;
                let [strength] = self.factors(P::OcclusionStrength, [info.strength.0]);
                Some(OcclusionTexture { texture, strength })
            }),
            emissive: Vec3::from(self.factors(P::Emissive, object.emissive_factor.0)),
            emissive_texture: object
                .emissive_texture
                .and_then(|info| self.texture(info.index, info.tex_coord, "/emissiveTexture")),
            alpha_mode: self.alpha_mode(object.alpha_mode, object.alpha_cutoff),
            double_sided: object.double_sided,
            ..Material::default()
        }
    }

    fn alpha_mode(
        &mut self,
        mode: Checked<FileAlphaMode>,
        cutoff: Option<json::material::AlphaCutoff>,
    ) -> AlphaMode {
        let index = self.index;
        match mode {
            Checked::Valid(FileAlphaMode::Opaque) => AlphaMode::Opaque,
            Checked::Valid(FileAlphaMode::Blend) => AlphaMode::Blend,
            Checked::Valid(FileAlphaMode::Mask) => {
                // What is merely too large for a float the checks name.
                let cutoff = cutoff.unwrap_or_default().0.min(f32::MAX);
                if cutoff < 0.0 {
                    self.diagnostics.error(
                        "VALUE_NOT_IN_RANGE",
                        format_args!("/materials/{index}/alphaCutoff"),
                        format!("{cutoff} is out of range"),
                        "0.5 is used",
                    );
                    return AlphaMode::Mask { cutoff: 0.5 };
                }
                AlphaMode::Mask { cutoff }
            }
            Checked::Invalid => {
                self.diagnostics.warning(
                    "VALUE_NOT_IN_LIST",
                    format_args!("/materials/{index}/alphaMode"),
                    "the alpha mode is unknown",
                    "the material is opaque",
                );
                AlphaMode::Opaque
            }
        }
    }

    /// Numbers of a property, which must lie where the table says.
    fn factors<const N: usize>(&mut self, property: P, factors: [f32; N]) -> [f32; N] {
        let Some((pointer, _, allowed)) = line(MATERIAL, property) else {
            return factors;
        };
        self.limited(factors, allowed.clone(), [1.0; N], &["/", pointer].concat())
    }

    /// Numbers that must lie in a range; `default` stands for what is no number.
    pub(super) fn limited<const N: usize>(
        &mut self,
        mut factors: [f32; N],
        allowed: RangeInclusive<f32>,
        default: [f32; N],
        place: &str,
    ) -> [f32; N] {
        if factors.iter().all(|factor| allowed.contains(factor)) {
            return factors;
        }
        let (least, most) = allowed.into_inner();
        // What is merely too large for a float the checks name, which still have its digits.
        let clamped = factors.map(|factor| factor.clamp(f32::MIN, f32::MAX));
        if clamped.iter().all(|factor| (least..=most).contains(factor)) {
            return clamped;
        }
        let message = if most < f32::MAX {
            format!("{factors:?} is not in {least}..{most}")
        } else if least == f32::MIN_POSITIVE {
            format!("{factors:?} is not greater than 0")
        } else {
            format!("{factors:?} is not at least {least}, or not finite")
        };
        self.error("VALUE_NOT_IN_RANGE", place, &message, "it was clamped");
        for (factor, default) in factors.iter_mut().zip(default) {
            *factor = if factor.is_nan() {
                default
            } else {
                factor.clamp(least, most)
            };
        }
        factors
    }

    /// Says what is wrong at a place in the material.
    fn error(&mut self, code: &'static str, place: &str, message: &str, action: &str) {
        let pointer = format_args!("/materials/{}{place}", self.index);
        self.diagnostics.error(code, pointer, message, action);
    }

    fn texture(
        &mut self,
        texture: Index<json::Texture>,
        tex_coord: u32,
        place: &str,
    ) -> Option<TextureRef> {
        let index = self.index;
        let texture = self.source.document.reference(
            Section::Textures,
            texture,
            format_args!("/materials/{index}{place}/index"),
            "the material goes without this texture",
            self.diagnostics,
        )?;
        let (transform, other_set) = texture_transform::read(self, place);
        let holder = match other_set {
            Some(_) => "/extensions/KHR_texture_transform",
            None => "",
        };
        let tex_coord = match other_set.unwrap_or(tex_coord) {
            0 => 0,
            1 => 1,
            more => {
                self.diagnostics.warning(
                    "TEXCOORD_SET_UNSUPPORTED",
                    format_args!("/materials/{index}{place}{holder}/texCoord"),
                    format!("set {more} of texture coordinates is not supported"),
                    "set 0 is used",
                );
                0
            }
        };
        Some(TextureRef {
            texture,
            tex_coord,
            transform,
        })
    }
}

/// Reads all textures, and tells for which images they have others, since those cannot be read. A texture without an image
/// gets a placeholder, which is added to `images`.
pub(in crate::import) fn read_textures(
    source: &Source<'_>,
    images: &mut Vec<Image>,
    diagnostics: &mut Diagnostics,
) -> Result<(Vec<Texture>, HashSet<usize>), Cancelled> {
    let document = &source.document;
    let mut replaced = HashSet::default();
    let samplers = read_samplers(source, diagnostics)?;
    let mut placeholder = None;
    let (mut textures, mut without_image) = (Vec::new(), Vec::new());
    for index in 0..document.count(Section::Textures) {
        source.progress.check()?;
        let text = document.text(Section::Textures, index);
        let object = document.object::<json::Texture>(Section::Textures, index, diagnostics);
        let named = object.as_ref().map(|object| object.source);
        let named = named.filter(|source| source.value() != u32::MAX as usize);
        // A client that understands an extension takes its image, and the fallback only if that cannot be read.
        let candidates: Vec<_> = texture_sources(document, text)
            .into_iter()
            .map(|(extension, image)| (format!("/extensions/{extension}"), image))
            .chain(named.map(|image| (String::new(), image)))
            .collect();
        let is_whole = |(_, index): &(String, Index<json::Image>)| {
            images
                .get(index.value())
                .is_some_and(|image| !image.is_placeholder)
        };
        let best = candidates.iter().position(is_whole);
        let lost = candidates.iter().take(best.unwrap_or(0));
        replaced.extend(lost.map(|(_, index)| index.value()));
        let best = candidates.get(best.unwrap_or(0));
        let image = match best {
            Some((place, image)) => {
                let pointer = format_args!("/textures/{index}{place}/source");
                let action = images::STANDS_FOR_IT;
                document.reference(Section::Images, *image, pointer, action, diagnostics)
            }
            None => {
                without_image.push(index);
                None
            }
        };
        let image = image.unwrap_or_else(|| {
            *placeholder.get_or_insert_with(|| {
                images.push(images::placeholder(String::new()));
                images.len().saturating_sub(1)
            })
        });
        let sampler = object
            .and_then(|object| object.sampler)
            .and_then(|sampler| {
                let pointer = format_args!("/textures/{index}/sampler");
                let action = "a usual sampler is used";
                document.reference(Section::Samplers, sampler, pointer, action, diagnostics)
            });
        let sampler = sampler.and_then(|sampler| samplers.get(sampler).copied());
        textures.push(Texture {
            image,
            sampler: sampler.unwrap_or_default(),
        });
    }
    report_without_image(&without_image, diagnostics);
    for texture in &textures {
        replaced.remove(&texture.image);
    }
    Ok((textures, replaced))
}

/// Says of all textures that have no image that they have none.
fn report_without_image(textures: &[usize], diagnostics: &mut Diagnostics) {
    const CODE: &str = "TEXTURE_WITHOUT_IMAGE";
    let [first, others @ ..] = textures else {
        return;
    };
    let message = match others {
        [] => "the texture has no image of a known kind".to_owned(),
        _ => {
            let which = first_few(textures.iter().map(ToString::to_string), images::NAMED);
            let count = textures.len();
            format!("{count} textures have no image of a known kind: {which}")
        }
    };
    let pointer = |index: &usize| format!("/textures/{index}");
    let action = match others {
        [] => images::STANDS_FOR_IT,
        _ => images::STANDS_FOR_THEM,
    };
    diagnostics.warning(CODE, pointer(first), message, action);
    let others = others
        .iter()
        .map(|index| (pointer(index), Place::default()));
    diagnostics.also_about(CODE, others);
}

/// Has materials do without maps whose images cannot be read: a checkerboard is no map of normals, and none of roughness.
pub(in crate::import) fn leave_out_lost(
    materials: &mut [Material],
    textures: &[Texture],
    images: &[Image],
) {
    let is_lost = |map: &TextureRef| {
        let texture = textures.get(map.texture);
        let image = texture.and_then(|texture| images.get(texture.image));
        image.is_some_and(|image| image.is_placeholder)
    };
    for material in materials {
        material.leave_out(is_lost);
    }
}

fn read_samplers(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Sampler>, Cancelled> {
    let mut samplers = Vec::new();
    for index in 0..source.document.count(Section::Samplers) {
        source.progress.check()?;
        let object: Option<json::texture::Sampler> =
            source
                .document
                .object(Section::Samplers, index, diagnostics);
        samplers.push(object.map_or_else(Sampler::default, |object| sampler(&object)));
    }
    Ok(samplers)
}

/// Unknown values count as absent, and what is absent is linear and repeats.
fn sampler(object: &json::texture::Sampler) -> Sampler {
    let magnify = match object.mag_filter {
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Nearest,
        _ => Filter::Linear,
    };
    let (minify, mip) = match object.min_filter {
        Some(Checked::Valid(filter)) => match filter {
            MinFilter::Nearest => (Filter::Nearest, MipFilter::None),
            MinFilter::Linear => (Filter::Linear, MipFilter::None),
            MinFilter::NearestMipmapNearest => (Filter::Nearest, MipFilter::Nearest),
            MinFilter::LinearMipmapNearest => (Filter::Linear, MipFilter::Nearest),
            MinFilter::NearestMipmapLinear => (Filter::Nearest, MipFilter::Linear),
            MinFilter::LinearMipmapLinear => (Filter::Linear, MipFilter::Linear),
        },
        _ => (Filter::Linear, MipFilter::Linear),
    };
    let wrap = |mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::ClampToEdge,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::MirroredRepeat,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    };
    Sampler {
        magnify,
        minify,
        mip,
        wrap_u: wrap(object.wrap_s),
        wrap_v: wrap(object.wrap_t),
    }
}
