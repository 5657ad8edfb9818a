//! What materials differ in: numbers by the table of properties, textures by their slots.

use super::{Pair, PartKind, PropertyValue, Search};
use crate::model::{
    AlphaMode, Filter, Material, MipFilter, Sampler, SpecularGlossiness, TextureRef, TextureSlot,
    TextureTransform, Wrap,
};

const OLD_TERMS: &str = "extensions/KHR_materials_pbrSpecularGlossiness";

impl Search<'_, '_> {
    pub(super) fn materials(&mut self) {
        for indices in self.found.materials.pairs.clone() {
            let materials = [0, 1].map(|side| &self.models[side].materials[indices[side]]);
            self.material((PartKind::Material, indices), materials);
        }
    }

    fn material(&mut self, pair: Pair, materials: [&Material; 2]) {
        self.names(pair);
        let modes = materials.map(|material| match material.alpha_mode {
            AlphaMode::Opaque => "OPAQUE",
            AlphaMode::Mask { .. } => "MASK",
            AlphaMode::Blend => "BLEND",
        });
        self.words(pair, "alphaMode", modes);
        let sides = materials.map(|material| material.double_sided);
        self.flags(pair, "doubleSided", sides);
        let unlit = materials.map(|material| material.unlit);
        self.flags(pair, "extensions/KHR_materials_unlit", unlit);
        let whole = materials.map(with_all_layers);
        self.all_numbers(pair, "", whole.each_ref().map(Material::numbers), false);
        let (own, old) = TextureSlot::ALL.split_at(TextureSlot::Diffuse as usize);
        for slot in own {
            let textures = materials.map(|material| material.texture(*slot));
            self.textures(pair, slot.name(), textures);
        }
        let terms = materials.map(|it| it.specular_glossiness);
        let [Some(first), Some(second)] = terms else {
            return self.flags(pair, OLD_TERMS, terms.map(|it| it.is_some()));
        };
        self.old_terms(pair, [first, second]);
        for slot in old {
            let textures = materials.map(|material| material.texture(*slot));
            self.textures(pair, slot.name(), textures);
        }
    }

    fn old_terms(&mut self, pair: Pair, terms: [SpecularGlossiness; 2]) {
        let [first, second] = terms.map(|terms| {
            // All of it, so that nothing is forgotten.
            let SpecularGlossiness {
                diffuse,
                diffuse_texture: _,
                specular,
                glossiness,
                texture: _,
            } = terms;
            [
                ("/diffuseFactor", diffuse.to_array().to_vec()),
                ("/specularFactor", specular.to_array().to_vec()),
                ("/glossinessFactor", vec![glossiness]),
            ]
        });
        for ((name, first), (_, second)) in first.iter().zip(&second) {
            self.numbers(pair, [OLD_TERMS, name], [first, second]);
        }
    }

    /// Compares what a slot has.
    fn textures(&mut self, pair: Pair, slot: &str, textures: [Option<TextureRef>; 2]) {
        let images = [0, 1].map(|side| {
            let texture = self.models[side].textures.get(textures[side]?.texture)?;
            Some(texture.image)
        });
        let [Some(first), Some(second)] = textures else {
            if textures[0].is_some() || textures[1].is_some() {
                let values =
                    [0, 1].map(|side| self.picture_name(side, textures[side], images[side]));
                self.tell(pair, slot, values);
            }
            return;
        };
        if let [Some(a), Some(b)] = images
            && let Some(difference) = self.pictures([a, b])
        {
            let values = [0, 1].map(|side| self.picture_name(side, textures[side], images[side]));
            let more = (difference.amount(), difference.words());
            self.tell_more(pair, slot, values, more);
        }
        if first.tex_coord != second.tex_coord {
            let sets = [first, second].map(|it| PropertyValue::Count(it.tex_coord));
            self.tell(pair, &format!("{slot}/texCoord"), sets);
        }
        let transforms = [first, second].map(|it| it.transform);
        let place = format!("{slot}/extensions/KHR_texture_transform/");
        self.all_numbers(
            pair,
            &place,
            transforms.each_ref().map(TextureTransform::numbers),
            false,
        );
        let samplers = [0, 1].map(|side| {
            let texture = textures[side].and_then(|it| self.models[side].textures.get(it.texture));
            texture.map(|texture| texture.sampler)
        });
        if let [Some(first), Some(second)] = samplers {
            self.samplers(pair, slot, [first, second]);
        }
    }

    fn samplers(&mut self, pair: Pair, slot: &str, samplers: [Sampler; 2]) {
        let [first, second] = samplers.map(|sampler| {
            // All of it, so that nothing is forgotten.
            let Sampler {
                magnify,
                minify,
                mip,
                wrap_u,
                wrap_v,
            } = sampler;
            [
                ("magFilter", filter(magnify)),
                ("minFilter", minifying(minify, mip)),
                ("wrapS", wrap(wrap_u)),
                ("wrapT", wrap(wrap_v)),
            ]
        });
        for ((name, first), (_, second)) in first.into_iter().zip(second) {
            self.words(pair, &format!("{slot}/sampler/{name}"), [first, second]);
        }
    }

    fn pictures(&mut self, images: [usize; 2]) -> Option<super::PictureDifference> {
        let pictures = &mut self.pictures;
        let known = self.known_pictures.entry(images);
        *known.or_insert_with(|| pictures(images))
    }

    /// What a slot has, by the name of its picture.
    fn picture_name(
        &self,
        side: usize,
        texture: Option<TextureRef>,
        image: Option<usize>,
    ) -> PropertyValue {
        let Some(texture) = texture else {
            return PropertyValue::Absent;
        };
        let images = &self.models[side].images;
        match image.map(|image| (image, images.get(image))) {
            Some((index, Some(image))) => PropertyValue::Part(image.name.clone(), index),
            _ => PropertyValue::Part(String::new(), texture.texture),
        }
    }
}

/// The material with all that extensions may add, where it lacks that with what counts then.
fn with_all_layers(material: &Material) -> Material {
    // All of it: what is neither in the table of properties, nor a layer, nor a texture is compared by itself.
    let Material {
        name: _,
        base_color: _,
        base_color_texture: _,
        metallic: _,
        roughness: _,
        metallic_roughness_texture: _,
        normal_texture: _,
        occlusion_texture: _,
        emissive: _,
        emissive_strength: _,
        emissive_texture: _,
        alpha_mode: _,
        double_sided: _,
        unlit: _,
        ior: _,
        dispersion: _,
        specular,
        clearcoat,
        sheen,
        transmission,
        volume,
        iridescence,
        anisotropy,
        diffuse_transmission,
        specular_glossiness: _,
    } = material;
    Material {
        name: String::new(),
        specular: Some(specular.unwrap_or_default()),
        clearcoat: Some(clearcoat.unwrap_or_default()),
        sheen: Some(sheen.unwrap_or_default()),
        transmission: Some(transmission.unwrap_or_default()),
        volume: Some(volume.unwrap_or_default()),
        iridescence: Some(iridescence.unwrap_or_default()),
        anisotropy: Some(anisotropy.unwrap_or_default()),
        diffuse_transmission: Some(diffuse_transmission.unwrap_or_default()),
        ..*material
    }
}

fn filter(filter: Filter) -> &'static str {
    match filter {
        Filter::Nearest => "NEAREST",
        Filter::Linear => "LINEAR",
    }
}

fn minifying(minify: Filter, mip: MipFilter) -> &'static str {
    match (minify, mip) {
        (Filter::Nearest, MipFilter::None) => "NEAREST",
        (Filter::Linear, MipFilter::None) => "LINEAR",
        (Filter::Nearest, MipFilter::Nearest) => "NEAREST_MIPMAP_NEAREST",
        (Filter::Linear, MipFilter::Nearest) => "LINEAR_MIPMAP_NEAREST",
        (Filter::Nearest, MipFilter::Linear) => "NEAREST_MIPMAP_LINEAR",
        (Filter::Linear, MipFilter::Linear) => "LINEAR_MIPMAP_LINEAR",
    }
}

fn wrap(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Repeat => "REPEAT",
        Wrap::MirroredRepeat => "MIRRORED_REPEAT",
        Wrap::ClampToEdge => "CLAMP_TO_EDGE",
    }
}
