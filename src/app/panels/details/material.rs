//! What there is to say of a material, and which textures it uses.

use glam::{Vec3, Vec4};

use crate::{
    model::{
        AlphaMode, Material, MaterialProperty, Model, NodeId, Primitive, TextureRef, TextureSlot,
        name_or,
    },
    ui::{Fact, FactSection, GoTo},
};

use super::mesh::short;

/// Variants that are named.
const MAX_NAMED: usize = 32;

/// A use of a texture by a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Slot {
    pub(super) slot: TextureSlot,
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
        name_or(&model.materials[index].name, "material", index)
    }
}

/// A material as it is at a moment, `now`. What it leaves as it is by default, at `rest` and whatever clip plays (`is_moved`), is
/// not said.
pub(super) fn figures(
    rest: &Material,
    now: &Material,
    is_moved: &dyn Fn(MaterialProperty) -> bool,
) -> Vec<Fact> {
    let mut facts = factors(rest, now, is_moved);
    if now.double_sided {
        facts.push(Fact::new("Sides", "both are drawn"));
    }
    facts.extend(layers(rest, now, is_moved));
    facts
}

/// A material without its figures, which clips move.
pub(super) fn part(model: &Model, index: usize) -> FactSection {
    let slots = textures(&model.materials[index]).into_iter();
    let mut facts: Vec<_> = slots
        .map(|slot| {
            let texture = slot.texture.texture;
            Fact::new(map_name(slot.slot), texture_name(model, texture))
                .goes_to(GoTo::Texture(texture))
        })
        .collect();
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
        .map(|&variant| name_or(&model.variants[variant], "variant", variant))
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
    name_or(image.map_or("", |image| &image.name), "texture", index)
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

fn factors(
    rest: &Material,
    now: &Material,
    is_moved: &dyn Fn(MaterialProperty) -> bool,
) -> Vec<Fact> {
    use MaterialProperty as P;
    let mut facts = Vec::new();
    if let Some(other) = &now.specular_glossiness {
        facts.push(color_fact("Diffuse", other.diffuse.to_array()));
        facts.push(opaque_color_fact("Specular", other.specular));
        facts.push(figure("Glossiness", other.glossiness));
    } else {
        let base: Vec4 = now.base_color;
        facts.push(color_fact("Base colour", base.to_array()));
        facts.push(figure("Metallic", now.metallic));
        facts.push(figure("Roughness", now.roughness));
    }
    let is_scaled = rest.normal_texture.is_some_and(|it| it.scale != 1.0);
    let is_scaled = is_scaled || is_moved(P::NormalScale);
    if let Some(normal) = now.normal_texture.filter(|_| is_scaled) {
        facts.push(figure("Normal scale", normal.scale));
    }
    let is_weakened = rest.occlusion_texture.is_some_and(|it| it.strength != 1.0);
    let is_weakened = is_weakened || is_moved(P::OcclusionStrength);
    if let Some(occlusion) = now.occlusion_texture.filter(|_| is_weakened) {
        facts.push(figure("Occlusion strength", occlusion.strength));
    }
    if rest.emissive != Vec3::ZERO || is_moved(P::Emissive) {
        facts.push(opaque_color_fact("Emissive", now.emissive));
    }
    facts.push(match now.alpha_mode {
        AlphaMode::Opaque => Fact::new("Alpha", "OPAQUE"),
        AlphaMode::Mask { cutoff } => Fact::new("Alpha", format!("MASK at {}", short(cutoff))),
        AlphaMode::Blend => Fact::new("Alpha", "BLEND"),
    });
    facts
}

/// What extensions in force say.
fn layers(
    rest: &Material,
    now: &Material,
    is_moved: &dyn Fn(MaterialProperty) -> bool,
) -> Vec<Fact> {
    use MaterialProperty as P;
    let mut facts = Vec::new();
    if now.unlit {
        facts.push(Fact::new("Unlit", "shown without light"));
    }
    if rest.emissive_strength != 1.0 || is_moved(P::EmissiveStrength) {
        facts.push(figure("Emissive strength", now.emissive_strength));
    }
    if rest.ior != 1.5 || is_moved(P::Ior) {
        facts.push(figure("Index of refraction", now.ior));
    }
    if rest.dispersion != 0.0 || is_moved(P::Dispersion) {
        facts.push(figure("Dispersion", now.dispersion));
    }
    if let Some(layer) = &now.specular {
        facts.push(figure("Specular", layer.factor));
        facts.push(opaque_color_fact("Specular colour", layer.color));
    }
    if let Some(layer) = &now.clearcoat {
        facts.push(figure("Clearcoat", layer.factor));
        facts.push(figure("Clearcoat roughness", layer.roughness));
    }
    if let Some(layer) = &now.sheen {
        facts.push(opaque_color_fact("Sheen", layer.color));
        facts.push(figure("Sheen roughness", layer.roughness));
    }
    if let Some(layer) = &now.transmission {
        facts.push(figure("Transmission", layer.factor));
    }
    if let Some(layer) = &now.volume {
        facts.push(figure("Thickness", layer.thickness));
        let at_rest = rest.volume.as_ref();
        let is_clear = at_rest.is_none_or(|it| it.attenuation_distance.is_infinite());
        if !is_clear || is_moved(P::AttenuationDistance) {
            let distance = layer.attenuation_distance;
            let distance = if distance.is_finite() {
                short(distance)
            } else {
                "infinite".to_owned()
            };
            facts.push(Fact::new("Attenuation distance", distance));
            facts.push(opaque_color_fact(
                "Attenuation colour",
                layer.attenuation_color,
            ));
        }
    }
    if let Some(layer) = &now.iridescence {
        facts.push(figure("Iridescence", layer.factor));
        facts.push(figure("Film's refraction", layer.ior));
        let (least, most) = (layer.thickness_min_nm, layer.thickness_max_nm);
        let value = format!("{least:.0} to {most:.0} nm");
        facts.push(Fact::new("Film's thickness", value));
    }
    if let Some(layer) = &now.anisotropy {
        facts.push(figure("Anisotropy", layer.strength));
        let degrees = layer.rotation_radians.to_degrees();
        facts.push(Fact::new("Anisotropy's turn", format!("{degrees:.1}°")));
    }
    if let Some(layer) = &now.diffuse_transmission {
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
            slot,
            texture: material.texture(slot)?,
        })
    })
    .collect()
}

/// What the inspector calls it.
pub(super) fn map_name(slot: TextureSlot) -> &'static str {
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
