//! Whether KTX2 images store what maps need: sRGB where there are colours, linear numbers elsewhere (`KHR_texture_basisu`).
//!
//! Limits: primaries are not compared, and maps of alpha alone may be either, since alpha is linear in both.

use std::collections::HashSet;

use crate::import::{
    base::{diagnostics::Severity, extension},
    decode::ktx2::Transfer,
    json::document::{Document, Section},
};

use super::{
    Report,
    facts::objects,
    fields::{Fields, Pointer},
    materials::{infos, is_known},
};

const CODE: &str = "KHR_TEXTURE_BASISU_TRANSFER_FUNCTION";

const OF_COLORS: [&str; 7] = [
    "baseColorTexture",
    "emissiveTexture",
    "diffuseTexture",
    "specularGlossinessTexture",
    "sheenColorTexture",
    "specularColorTexture",
    "diffuseTransmissionColorTexture",
];

const OF_NUMBERS: [&str; 11] = [
    "metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
    "clearcoatTexture",
    "clearcoatRoughnessTexture",
    "clearcoatNormalTexture",
    "transmissionTexture",
    "thicknessTexture",
    "iridescenceTexture",
    "iridescenceThicknessTexture",
    "anisotropyTexture",
];

/// `images` is how each image stores its texels, where that is known.
pub(super) fn check(
    document: &Document<'_>,
    images: &[Option<Transfer>],
    used: &HashSet<&str>,
    report: &mut Report<'_>,
) {
    if !used.contains(extension::KHR_TEXTURE_BASISU) || images.iter().all(Option::is_none) {
        return;
    }
    let of_texture = |texture: Fields<'_>| {
        let image = texture.extension(extension::KHR_TEXTURE_BASISU)?;
        *images.get(image.index("source")?)?
    };
    let textures: Vec<_> = objects(document, Section::Textures)
        .map(of_texture)
        .collect();
    let at = &Pointer::Root.key(Section::Materials.name());
    for (index, material) in objects(document, Section::Materials).enumerate() {
        let at = &at.item(index);
        check_maps(&material, &textures, at, report);
        let name = "pbrMetallicRoughness";
        check_maps(&material.object(name), &textures, &at.key(name), report);
        let at = &at.key("extensions");
        let extensions = material.object("extensions");
        for (name, text) in extensions.iter().filter(|(name, _)| is_known(name)) {
            let extension = Fields::of(text).unwrap_or_default();
            check_maps(&extension, &textures, &at.key(name), report);
        }
    }
}

fn check_maps(
    object: &Fields<'_>,
    textures: &[Option<Transfer>],
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    for (name, info) in infos(object) {
        let texture = info.index("index").and_then(|index| textures.get(index));
        let message = match texture {
            Some(Some(Transfer::Linear)) if OF_COLORS.contains(&name) => {
                "the KTX2 image is said to be linear, and a map of colours must be sRGB"
            }
            Some(Some(Transfer::Srgb)) if OF_NUMBERS.contains(&name) => {
                "the KTX2 image is said to be sRGB, and a map without colours must be linear"
            }
            _ => continue,
        };
        // What is shown follows the map, whatever the image says.
        report.add(Severity::Warning, CODE, &at.key(name), message);
    }
}
