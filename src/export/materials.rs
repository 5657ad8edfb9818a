//! Materials again as a file has them (glTF 2.0 §3.9 and the `KHR_materials_*` extensions). What has its default value is
//! left out.

use std::collections::{BTreeSet, HashMap};

use glam::Vec3;
use serde_json::{Value, json};

use super::{
    Still,
    glb::GlbWriter,
    lost::{ExtrasWriter, Unmodelled},
    named,
    noted::{Root, RootMember},
    textures::TextureWriter,
};
use crate::model::{
    AlphaMode, Material, Model, NormalTexture, Owner, TextureRef, TextureTransform,
};

/// Writes each material once, when the first primitive needs it.
#[derive(Debug)]
pub(super) struct MaterialWriter<'a> {
    model: &'a Model,
    materials: &'a [Material],
    textures: TextureWriter<'a>,
    /// Materials that were written, by index in the model, and by the bits of the scale where they have a thickness.
    known: HashMap<(usize, u32), usize>,
    written: Vec<Value>,
    /// For each of `written` the material of the model.
    origins: Vec<usize>,
    /// For each of `written` how many sets of texture coordinates it names.
    sets: Vec<usize>,
    extensions: BTreeSet<&'static str>,
}

/// A material in the making.
struct Draft<'w, 'a, 'g> {
    model: &'w Model,
    textures: &'w mut TextureWriter<'a>,
    glb: &'g mut GlbWriter,
    extensions: &'w mut BTreeSet<&'static str>,
    value: Value,
    sets: usize,
}

impl<'a> MaterialWriter<'a> {
    /// Nothing yet of what is written; `said` is what else its file says.
    pub(super) fn new(still: &Still<'a>, said: &'a Unmodelled) -> Self {
        Self {
            model: still.model,
            materials: still.materials,
            textures: TextureWriter::new(still.pictures, said),
            known: HashMap::new(),
            written: Vec::new(),
            origins: Vec::new(),
            sets: Vec::new(),
            extensions: BTreeSet::new(),
        }
    }

    /// The index in the file of a material of the model, as it is on a surface that grew by `thickness_scale`.
    pub(super) fn add(
        &mut self,
        index: usize,
        thickness_scale: f32,
        glb: &mut GlbWriter,
    ) -> anyhow::Result<usize> {
        let material = &self.materials[index];
        let has_thickness = material.volume.is_some_and(|volume| volume.thickness > 0.0);
        let scale = if has_thickness { thickness_scale } else { 1.0 };
        let key = (index, scale.to_bits());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let mut draft = Draft {
            model: self.model,
            textures: &mut self.textures,
            glb,
            extensions: &mut self.extensions,
            value: named(json!({}), &material.name),
            sets: 0,
        };
        draft.core(material)?;
        draft.layers(material)?;
        draft.through(material, scale)?;
        let Draft { value, sets, .. } = draft;
        self.written.push(value);
        self.origins.push(index);
        self.sets.push(sets);
        self.known.insert(key, self.written.len() - 1);
        Ok(self.written.len() - 1)
    }

    /// How many sets of texture coordinates a material of the file names.
    pub(super) fn tex_coord_sets(&self, written: usize) -> usize {
        self.sets[written]
    }

    /// Puts materials and textures into the file's root, with the names of extensions that it requires; those that it uses.
    pub(super) fn finish<'e>(
        mut self,
        extras: &mut ExtrasWriter<'e>,
        root: &mut Root<'e>,
    ) -> BTreeSet<&'static str> {
        let materials = self.written.into_iter().zip(self.origins);
        let materials =
            materials.map(|(material, origin)| extras.noted(Owner::Material(origin), material));
        root.insert("materials", RootMember::List(materials.collect()));
        let required = self.textures.finish(extras, root);
        if !required.is_empty() {
            root.insert("extensionsRequired", json!(required).into());
        }
        self.extensions.extend(required);
        self.extensions
    }
}

impl Draft<'_, '_, '_> {
    /// What every material has.
    fn core(&mut self, material: &Material) -> anyhow::Result<()> {
        let mut pbr = json!({});
        set_unless(
            &mut pbr,
            "baseColorFactor",
            json!(material.base_color.to_array()),
            material.base_color == glam::Vec4::ONE,
        );
        set_unless(
            &mut pbr,
            "metallicFactor",
            json!(material.metallic),
            material.metallic == 1.0,
        );
        set_unless(
            &mut pbr,
            "roughnessFactor",
            json!(material.roughness),
            material.roughness == 1.0,
        );
        self.texture(&mut pbr, "baseColorTexture", material.base_color_texture)?;
        self.texture(
            &mut pbr,
            "metallicRoughnessTexture",
            material.metallic_roughness_texture,
        )?;
        let mut value = std::mem::take(&mut self.value);
        set_unless(
            &mut value,
            "pbrMetallicRoughness",
            pbr.clone(),
            is_empty(&pbr),
        );
        self.normal_texture(&mut value, "normalTexture", material.normal_texture)?;
        if let Some(occlusion) = material.occlusion_texture {
            self.texture(&mut value, "occlusionTexture", Some(occlusion.texture))?;
            if value.get("occlusionTexture").is_some() {
                value["occlusionTexture"]["strength"] = json!(occlusion.strength);
            }
        }
        self.texture(&mut value, "emissiveTexture", material.emissive_texture)?;
        set_unless(
            &mut value,
            "emissiveFactor",
            json!(material.emissive.to_array()),
            material.emissive == Vec3::ZERO,
        );
        match material.alpha_mode {
            AlphaMode::Opaque => {}
            AlphaMode::Mask { cutoff } => {
                value["alphaMode"] = json!("MASK");
                value["alphaCutoff"] = json!(cutoff);
            }
            AlphaMode::Blend => value["alphaMode"] = json!("BLEND"),
        }
        set_unless(
            &mut value,
            "doubleSided",
            json!(true),
            !material.double_sided,
        );
        self.value = value;
        Ok(())
    }

    /// What lies on top of the surface, and how it reflects.
    fn layers(&mut self, material: &Material) -> anyhow::Result<()> {
        if material.unlit {
            self.extend("KHR_materials_unlit", json!({}));
        }
        if material.emissive_strength != 1.0 {
            let value = json!({ "emissiveStrength": material.emissive_strength });
            self.extend("KHR_materials_emissive_strength", value);
        }
        if material.ior != 1.5 {
            self.extend("KHR_materials_ior", json!({ "ior": material.ior }));
        }
        if let Some(specular) = material.specular {
            let mut value = json!({
                "specularFactor": specular.factor,
                "specularColorFactor": specular.color.to_array(),
            });
            self.texture(&mut value, "specularTexture", specular.texture)?;
            self.texture(&mut value, "specularColorTexture", specular.color_texture)?;
            self.extend("KHR_materials_specular", value);
        }
        if let Some(coat) = material.clearcoat {
            let mut value = json!({
                "clearcoatFactor": coat.factor,
                "clearcoatRoughnessFactor": coat.roughness,
            });
            self.texture(&mut value, "clearcoatTexture", coat.texture)?;
            self.texture(
                &mut value,
                "clearcoatRoughnessTexture",
                coat.roughness_texture,
            )?;
            self.normal_texture(&mut value, "clearcoatNormalTexture", coat.normal_texture)?;
            self.extend("KHR_materials_clearcoat", value);
        }
        if let Some(sheen) = material.sheen {
            let mut value = json!({
                "sheenColorFactor": sheen.color.to_array(),
                "sheenRoughnessFactor": sheen.roughness,
            });
            self.texture(&mut value, "sheenColorTexture", sheen.color_texture)?;
            self.texture(&mut value, "sheenRoughnessTexture", sheen.roughness_texture)?;
            self.extend("KHR_materials_sheen", value);
        }
        if let Some(film) = material.iridescence {
            let mut value = json!({
                "iridescenceFactor": film.factor,
                "iridescenceIor": film.ior,
                "iridescenceThicknessMinimum": film.thickness_min_nm,
                "iridescenceThicknessMaximum": film.thickness_max_nm,
            });
            self.texture(&mut value, "iridescenceTexture", film.texture)?;
            self.texture(
                &mut value,
                "iridescenceThicknessTexture",
                film.thickness_texture,
            )?;
            self.extend("KHR_materials_iridescence", value);
        }
        if let Some(anisotropy) = material.anisotropy {
            let mut value = json!({
                "anisotropyStrength": anisotropy.strength,
                "anisotropyRotation": anisotropy.rotation_radians,
            });
            self.texture(&mut value, "anisotropyTexture", anisotropy.texture)?;
            self.extend("KHR_materials_anisotropy", value);
        }
        if let Some(old) = material.specular_glossiness {
            let mut value = json!({
                "diffuseFactor": old.diffuse.to_array(),
                "specularFactor": old.specular.to_array(),
                "glossinessFactor": old.glossiness,
            });
            self.texture(&mut value, "diffuseTexture", old.diffuse_texture)?;
            self.texture(&mut value, "specularGlossinessTexture", old.texture)?;
            self.extend("KHR_materials_pbrSpecularGlossiness", value);
        }
        Ok(())
    }

    /// What light does that passes through.
    fn through(&mut self, material: &Material, thickness_scale: f32) -> anyhow::Result<()> {
        if let Some(transmission) = material.transmission {
            let mut value = json!({ "transmissionFactor": transmission.factor });
            self.texture(&mut value, "transmissionTexture", transmission.texture)?;
            self.extend("KHR_materials_transmission", value);
        }
        if let Some(diffuse) = material.diffuse_transmission {
            let mut value = json!({
                "diffuseTransmissionFactor": diffuse.factor,
                "diffuseTransmissionColorFactor": diffuse.color.to_array(),
            });
            self.texture(&mut value, "diffuseTransmissionTexture", diffuse.texture)?;
            self.texture(
                &mut value,
                "diffuseTransmissionColorTexture",
                diffuse.color_texture,
            )?;
            self.extend("KHR_materials_diffuse_transmission", value);
        }
        if let Some(volume) = material.volume {
            let mut value = json!({
                "thicknessFactor": volume.thickness * thickness_scale,
                "attenuationColor": volume.attenuation_color.to_array(),
            });
            // Without the number light goes on for ever.
            set_unless(
                &mut value,
                "attenuationDistance",
                json!(volume.attenuation_distance),
                volume.attenuation_distance.is_infinite(),
            );
            self.texture(&mut value, "thicknessTexture", volume.thickness_texture)?;
            self.extend("KHR_materials_volume", value);
        }
        if material.dispersion != 0.0 {
            self.extend(
                "KHR_materials_dispersion",
                json!({ "dispersion": material.dispersion }),
            );
        }
        Ok(())
    }

    fn extend(&mut self, name: &'static str, value: Value) {
        self.extensions.insert(name);
        self.value["extensions"][name] = value;
    }

    fn normal_texture(
        &mut self,
        object: &mut Value,
        key: &str,
        texture: Option<NormalTexture>,
    ) -> anyhow::Result<()> {
        let Some(normal) = texture else { return Ok(()) };
        self.texture(object, key, Some(normal.texture))?;
        if object.get(key).is_some() {
            object[key]["scale"] = json!(normal.scale);
        }
        Ok(())
    }

    /// Sets a `textureInfo`, unless there is no texture or its picture is missing.
    fn texture(
        &mut self,
        object: &mut Value,
        key: &str,
        texture: Option<TextureRef>,
    ) -> anyhow::Result<()> {
        const TRANSFORM: &str = "KHR_texture_transform";
        let Some(texture) = texture else {
            return Ok(());
        };
        let index = self.textures.add(texture.texture, self.model, self.glb)?;
        let Some(index) = index else { return Ok(()) };
        let mut info = json!({ "index": index });
        set_unless(
            &mut info,
            "texCoord",
            json!(texture.tex_coord),
            texture.tex_coord == 0,
        );
        if texture.transform != TextureTransform::default() {
            self.extensions.insert(TRANSFORM);
            let TextureTransform {
                offset,
                rotation_radians,
                scale,
            } = texture.transform;
            info["extensions"][TRANSFORM] = json!({
                "offset": offset.to_array(),
                "rotation": rotation_radians,
                "scale": scale.to_array(),
            });
        }
        self.sets = self.sets.max(texture.tex_coord + 1);
        object[key] = info;
        Ok(())
    }
}

fn set_unless(object: &mut Value, key: &str, value: Value, is_default: bool) {
    if !is_default {
        object[key] = value;
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(serde_json::Map::is_empty)
}
