//! Materials: which textures they name, and what of a primitive they rely on.

use crate::import::{
    base::{diagnostics::Severity, extension},
    json::document::{Document, Section},
};

use super::{
    Report,
    facts::objects,
    fields::{Fields, Pointer},
};

/// What a material asks of the vertices that it is put on.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Its textures by their names, each with a set of texture coordinates that it needs; lower sets come first.
    pub tex_coords: Vec<(String, usize)>,
    /// Whether tangents are needed.
    pub tangents: bool,
    /// Whether there is a normal map by whose coordinates they can be computed.
    pub has_normal_map: bool,
    /// Whether nothing is shown of it but its base colour.
    pub is_unlit: bool,
}

/// Texture infos that are no part of extensions.
const CORE: &[(&str, &str)] = &[
    ("pbrMetallicRoughness", "baseColorTexture"),
    ("pbrMetallicRoughness", "metallicRoughnessTexture"),
    ("", "normalTexture"),
    ("", "occlusionTexture"),
    ("", "emissiveTexture"),
];

/// Extensions that do nothing without one of others.
const NEEDED: &[(&str, &str, &[&str])] = &[
    (
        "KHR_MATERIALS_VOLUME_NO_TRANSMISSION",
        extension::KHR_MATERIALS_VOLUME,
        &[
            extension::KHR_MATERIALS_TRANSMISSION,
            extension::KHR_MATERIALS_DIFFUSE_TRANSMISSION,
        ],
    ),
    (
        "KHR_MATERIALS_DISPERSION_NO_VOLUME",
        extension::KHR_MATERIALS_DISPERSION,
        &[extension::KHR_MATERIALS_VOLUME],
    ),
];

/// Textures of extensions that follow the tangents of the normal map.
const WITH_NORMALS: [(&str, &str, &str); 2] = [
    (
        "KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD",
        extension::KHR_MATERIALS_CLEARCOAT,
        "clearcoatNormalTexture",
    ),
    (
        "KHR_MATERIALS_ANISOTROPY_ANISOTROPY_TEXTURE_TEXCOORD",
        extension::KHR_MATERIALS_ANISOTROPY,
        "anisotropyTexture",
    ),
];

pub(super) fn check(document: &Document<'_>, report: &mut Report<'_>) {
    let textures = document.count(Section::Textures);
    let at = &Pointer::Root.key(Section::Materials.name());
    for (index, material) in objects(document, Section::Materials).enumerate() {
        let at = &at.item(index);
        // Exporters often write it to no effect.
        if material.has("alphaCutoff") && material.text("alphaMode").as_deref() != Some("MASK") {
            let code = "MATERIAL_ALPHA_CUTOFF_INVALID_MODE";
            let message = "it has no effect: the alphaMode is not MASK";
            report.add(Severity::Info, code, &at.key("alphaCutoff"), message);
        }
        let at = &at.key("extensions");
        let extensions = material.object("extensions");
        check_effects(&material, &extensions, at, report);
        let thickness = extensions
            .object(extension::KHR_MATERIALS_VOLUME)
            .number("thicknessFactor");
        if thickness.is_some_and(|it| it > 0.0) && material.get("doubleSided") == Some("true") {
            let code = "KHR_MATERIALS_VOLUME_DOUBLE_SIDED";
            let message = "what has a volume has an inside, and should not be double-sided";
            report.add(
                Severity::Warning,
                code,
                &at.key(extension::KHR_MATERIALS_VOLUME),
                message,
            );
        }
        for (code, name, needed) in NEEDED {
            if extensions.has(name) && !needed.iter().any(|needed| extensions.has(needed)) {
                let message = format!("it has no effect without {}", needed.join(" or "));
                report.add(Severity::Warning, code, &at.key(name), message);
            }
        }
        for (name, text) in extensions.iter().filter(|(name, _)| is_known(name)) {
            let at = &at.key(name);
            let extension = Fields::of(text).unwrap_or_default();
            for (place, info) in infos(&extension) {
                let at = &at.key(place);
                report.reference(info.index("index"), "textures", textures, &at.key("index"));
            }
            if let Some(ior) = extension.number("ior")
                && ior > 0.0
                && ior < 1.0
            {
                let message = format!("{ior} is neither 0 nor at least 1");
                report.error("VALUE_NOT_IN_RANGE", &at.key("ior"), message);
            }
        }
    }
}

/// What of an extension does nothing, or other than is meant, beside what else the material has.
fn check_effects(
    material: &Fields<'_>,
    extensions: &Fields<'_>,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let name = extension::KHR_MATERIALS_EMISSIVE_STRENGTH;
    let strength = extensions.object(name).number("emissiveStrength");
    let factor = material.get("emissiveFactor");
    let factor: Option<Vec<f64>> = factor.and_then(|text| serde_json::from_str(text).ok());
    let is_dark = factor.is_none_or(|factor| factor.iter().all(|it| *it == 0.0));
    if strength.is_some_and(|strength| strength != 1.0) && is_dark {
        let code = "KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR";
        let message = "it has no effect: the emissiveFactor is 0";
        report.add(Severity::Warning, code, &at.key(name), message);
    }
    let name = extension::KHR_MATERIALS_IRIDESCENCE;
    let (least, film) = ("iridescenceThicknessMinimum", extensions.object(name));
    if film.has(least) && !film.has("iridescenceThicknessTexture") {
        let code = "KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE";
        let message = "it has no effect without an iridescenceThicknessTexture";
        report.add(Severity::Info, code, &at.key(name).key(least), message);
    }
    let set_of = |info: &Fields<'_>| info.index("texCoord").unwrap_or(0);
    for (code, name, texture) in WITH_NORMALS {
        let extension = extensions.object(name);
        if extension.has(texture)
            && material.has("normalTexture")
            && set_of(&extension.object(texture)) != set_of(&material.object("normalTexture"))
        {
            let message = "it should have the texture coordinates of the normalTexture";
            report.add(Severity::Warning, code, &at.key(name).key(texture), message);
        }
    }
}

pub(super) fn is_known(extension: &str) -> bool {
    extension.starts_with("KHR_materials_")
}

/// The texture infos in an object.
pub(super) fn infos<'f>(object: &'f Fields<'_>) -> impl Iterator<Item = (&'f str, Fields<'f>)> {
    let textures = object.iter().filter(|(name, _)| name.ends_with("Texture"));
    textures.filter_map(|(name, text)| Some((name, Fields::of(text)?)))
}

impl Needs {
    /// What this material asks for.
    pub(super) fn of(material: &Fields<'_>) -> Self {
        let mut needs = Self::default();
        for (parent, name) in CORE {
            let parent = if parent.is_empty() {
                material.get(name).and_then(Fields::of)
            } else {
                let parent = material.object(parent);
                parent.get(name).and_then(Fields::of)
            };
            needs.add(name, parent.as_ref());
        }
        let extensions = material.object("extensions");
        for (_, text) in extensions.iter().filter(|(name, _)| is_known(name)) {
            let extension = Fields::of(text).unwrap_or_default();
            for (name, info) in infos(&extension) {
                needs.add(name, Some(&info));
                needs.tangents |= matches!(name, "clearcoatNormalTexture" | "anisotropyTexture");
            }
        }
        needs.has_normal_map = material.has("normalTexture");
        needs.tangents |= needs.has_normal_map;
        needs.is_unlit = extensions.has(extension::KHR_MATERIALS_UNLIT);
        needs.tex_coords.sort_by_key(|(_, set)| *set);
        needs
    }

    fn add(&mut self, name: &str, info: Option<&Fields<'_>>) {
        let Some(info) = info else {
            return;
        };
        let transform = info.extension(extension::KHR_TEXTURE_TRANSFORM);
        let instead = transform.and_then(|transform| transform.index("texCoord"));
        // Who does not know the extension takes the other set, which must be there too.
        let own = info.index("texCoord").unwrap_or(0);
        let sets = [Some(own), instead.filter(|set| *set != own)];
        let sets = sets.into_iter().flatten();
        self.tex_coords
            .extend(sets.map(|set| (name.to_owned(), set)));
    }
}
