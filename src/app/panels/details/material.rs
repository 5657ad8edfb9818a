//! What there is to say of a material, and which textures it uses.

use glam::{Vec3, Vec4};

use crate::{
    model::{AlphaMode, Material, Model, NodeId, Primitive, TextureRef, TextureSlot},
    ui::{Fact, FactSection, GoTo},
};

use super::{mesh::short, named};

/// Variants that are named.
const MAX_NAMED: usize = 32;

/// A use of a texture by a material.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) name: &'static str,
    pub(super) texture: TextureRef,
}

/// The materials of a mesh as a variant shows them; of the whole file if no node is chosen.
pub(super) fn to_choose_from(
    model: &Model,
    mesh: Option<usize>,
    node: Option<NodeId>,
    variant: Option<usize>,
) -> Vec<(usize, String)> {
    let mut indices: Vec<usize> = match (mesh, node) {
        (Some(mesh), _) => {
            let primitives = model.meshes[mesh].primitives.iter();
            primitives.map(|it| it.material_in(variant)).collect()
        }
        (None, Some(_)) => Vec::new(),
        // The last one is the default material, which is not the file's.
        (None, None) => (0..model.materials.len().saturating_sub(1)).collect(),
    };
    indices.sort_unstable();
    indices.dedup();
    let name = |index: usize| (index, name(model, index));
    indices.into_iter().map(name).collect()
}

fn name(model: &Model, index: usize) -> String {
    if index + 1 == model.materials.len() {
        "glTF's default material".to_owned()
    } else {
        named(&model.materials[index].name, "material", index)
    }
}

/// A material.
pub(super) fn part(model: &Model, index: usize) -> FactSection {
    let material = &model.materials[index];
    let mut facts = factors(material);
    if material.double_sided {
        facts.push(Fact::new("Sides", "both are drawn"));
    }
    facts.extend(layers(material));
    facts.extend(textures(material).iter().map(|slot| {
        let texture = slot.texture.texture;
        Fact::new(slot.name, texture_name(model, texture)).goes_to(GoTo::Texture(texture))
    }));
    facts.extend(variants(model, index));
    let users = model.primitives().filter(|it| uses(it, index)).count();
    facts.push(Fact::new("Used by", of_primitives(users)).odd_if(users == 0));
    FactSection {
        name: name(model, index),
        facts,
    }
}

fn of_primitives(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "1 primitive".to_owned(),
        more => format!("{more} primitives"),
    }
}

fn uses(primitive: &Primitive, material: usize) -> bool {
    let mut others = primitive.variant_materials.iter();
    primitive.material == material || others.any(|other| other.material == material)
}

/// The variants in which some primitive has the material.
fn variants(model: &Model, material: usize) -> Option<Fact> {
    let mappings = model.primitives().flat_map(|it| &it.variant_materials);
    let mut variants: Vec<usize> = mappings
        .filter(|mapping| mapping.material == material)
        .map(|mapping| mapping.variant)
        .collect();
    variants.sort_unstable();
    variants.dedup();
    if variants.is_empty() {
        return None;
    }
    let names = variants.iter().take(MAX_NAMED);
    let names: Vec<_> = names
        .map(|&variant| named(&model.variants[variant], "variant", variant))
        .collect();
    let of_all = format!("{} of {}", variants.len(), model.variants.len());
    let value = if names.len() <= 2 {
        names.join(", ")
    } else {
        of_all
    };
    Some(Fact::new("In variants", value).hint(names.join("\n")))
}

/// What a texture is called: as its image.
pub(super) fn texture_name(model: &Model, index: usize) -> String {
    let texture = model.textures.get(index);
    let image = texture.and_then(|texture| model.images.get(texture.image));
    named(image.map_or("", |image| &image.name), "texture", index)
}

fn color_fact(name: &'static str, [r, g, b, a]: [f32; 4]) -> Fact {
    let shown = [r, g, b].map(|part| format!("{part:.2}")).join(" ");
    let alpha = if a == 1.0 {
        String::new()
    } else {
        format!(" α {a:.2}")
    };
    let hint = format!("Linear {r}, {g}, {b}, alpha {a}");
    Fact::new(name, shown + &alpha)
        .swatch([r, g, b, a])
        .hint(hint)
}

fn opaque_color_fact(name: &'static str, color: Vec3) -> Fact {
    let [r, g, b] = color.to_array();
    color_fact(name, [r, g, b, 1.0])
}

fn figure(name: &'static str, value: f32) -> Fact {
    Fact::new(name, short(value))
}

fn factors(material: &Material) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(other) = &material.specular_glossiness {
        facts.push(color_fact("Diffuse", other.diffuse.to_array()));
        facts.push(opaque_color_fact("Specular", other.specular));
        facts.push(figure("Glossiness", other.glossiness));
    } else {
        let base: Vec4 = material.base_color;
        facts.push(color_fact("Base colour", base.to_array()));
        facts.push(figure("Metallic", material.metallic));
        facts.push(figure("Roughness", material.roughness));
    }
    if let Some(normal) = material.normal_texture.filter(|it| it.scale != 1.0) {
        facts.push(figure("Normal scale", normal.scale));
    }
    if let Some(occlusion) = material.occlusion_texture.filter(|it| it.strength != 1.0) {
        facts.push(figure("Occlusion strength", occlusion.strength));
    }
    if material.emissive != Vec3::ZERO {
        facts.push(opaque_color_fact("Emissive", material.emissive));
    }
    facts.push(match material.alpha_mode {
        AlphaMode::Opaque => Fact::new("Alpha", "OPAQUE"),
        AlphaMode::Mask { cutoff } => Fact::new("Alpha", format!("MASK at {}", short(cutoff))),
        AlphaMode::Blend => Fact::new("Alpha", "BLEND"),
    });
    facts
}

/// What extensions in force say.
fn layers(material: &Material) -> Vec<Fact> {
    let mut facts = Vec::new();
    if material.unlit {
        facts.push(Fact::new("Unlit", "shown without light"));
    }
    if material.emissive_strength != 1.0 {
        facts.push(figure("Emissive strength", material.emissive_strength));
    }
    if material.ior != 1.5 {
        facts.push(figure("Index of refraction", material.ior));
    }
    if material.dispersion != 0.0 {
        facts.push(figure("Dispersion", material.dispersion));
    }
    if let Some(layer) = &material.specular {
        facts.push(figure("Specular", layer.factor));
        facts.push(opaque_color_fact("Specular colour", layer.color));
    }
    if let Some(layer) = &material.clearcoat {
        facts.push(figure("Clearcoat", layer.factor));
        facts.push(figure("Clearcoat roughness", layer.roughness));
    }
    if let Some(layer) = &material.sheen {
        facts.push(opaque_color_fact("Sheen", layer.color));
        facts.push(figure("Sheen roughness", layer.roughness));
    }
    if let Some(layer) = &material.transmission {
        facts.push(figure("Transmission", layer.factor));
    }
    if let Some(layer) = &material.volume {
        facts.push(figure("Thickness", layer.thickness));
        let distance = layer.attenuation_distance;
        if distance.is_finite() {
            facts.push(figure("Attenuation distance", distance));
            facts.push(opaque_color_fact(
                "Attenuation colour",
                layer.attenuation_color,
            ));
        }
    }
    if let Some(layer) = &material.iridescence {
        facts.push(figure("Iridescence", layer.factor));
        facts.push(figure("Film's refraction", layer.ior));
        let (least, most) = (layer.thickness_min_nm, layer.thickness_max_nm);
        let value = format!("{least:.0} to {most:.0} nm");
        facts.push(Fact::new("Film's thickness", value));
    }
    if let Some(layer) = &material.anisotropy {
        facts.push(figure("Anisotropy", layer.strength));
        let degrees = layer.rotation_radians.to_degrees();
        facts.push(Fact::new("Anisotropy's turn", format!("{degrees:.1}°")));
    }
    if let Some(layer) = &material.diffuse_transmission {
        facts.push(figure("Diffuse transmission", layer.factor));
        facts.push(opaque_color_fact("Transmitted colour", layer.color));
    }
    facts
}

/// All uses of textures.
pub(super) fn textures(material: &Material) -> Vec<Slot> {
    let (own, old) = TextureSlot::ALL.split_at(TextureSlot::Diffuse as usize);
    let (core, layers) = own.split_at(TextureSlot::Specular as usize);
    let all = core.iter().chain(old).chain(layers);
    all.filter_map(|&slot| {
        Some(Slot {
            name: map_name(slot),
            texture: material.texture(slot)?,
        })
    })
    .collect()
}

fn map_name(slot: TextureSlot) -> &'static str {
    match slot {
        TextureSlot::BaseColor => "Base colour map",
        TextureSlot::MetallicRoughness => "Metal and rough map",
        TextureSlot::Normal => "Normal map",
        TextureSlot::Occlusion => "Occlusion map",
        TextureSlot::Emissive => "Emissive map",
        TextureSlot::Specular | TextureSlot::SpecularGlossiness => "Specular map",
        TextureSlot::SpecularColor => "Specular colour map",
        TextureSlot::Clearcoat => "Clearcoat map",
        TextureSlot::ClearcoatRoughness => "Coat roughness map",
        TextureSlot::ClearcoatNormal => "Coat normal map",
        TextureSlot::SheenColor => "Sheen map",
        TextureSlot::SheenRoughness => "Sheen roughness map",
        TextureSlot::Transmission => "Transmission map",
        TextureSlot::Thickness => "Thickness map",
        TextureSlot::Iridescence => "Iridescence map",
        TextureSlot::IridescenceThickness => "Film thickness map",
        TextureSlot::Anisotropy => "Anisotropy map",
        TextureSlot::DiffuseTransmission => "Diffuse transmission map",
        TextureSlot::DiffuseTransmissionColor => "Transmitted colour map",
        TextureSlot::Diffuse => "Diffuse map",
    }
}
