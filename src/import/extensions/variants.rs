//! `KHR_materials_variants`: named sets of materials, of which one may be chosen.

use std::collections::BTreeMap;

use gltf::json::{self, Index};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::ObjectExtensions;
use crate::{
    import::{
        diagnostics::{Diagnostics, beyond},
        document::{Document, Section},
    },
    model::VariantMaterial,
};

const NAME: &str = "KHR_materials_variants";
const MOST: usize = 65_536;
const IGNORED: &str = "the mapping is ignored";

#[derive(Debug, Deserialize)]
struct Root {
    #[serde(default)]
    variants: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
struct Variant {
    #[serde(default)]
    name: String,
}

#[derive(Debug, Deserialize)]
struct Mappings {
    #[serde(default)]
    mappings: Vec<Mapping>,
}

#[derive(Debug, Deserialize)]
struct Mapping {
    #[serde(default)]
    variants: Vec<u32>,
    material: Index<json::Material>,
}

/// The names of all variants of a file.
pub(in crate::import) fn names(
    document: &Document<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let extensions = document.root_text("extensions").unwrap_or("{}");
    let extensions: BTreeMap<String, &RawValue> =
        serde_json::from_str(extensions).unwrap_or_default();
    let Some(text) = extensions.get(NAME) else {
        return Vec::new();
    };
    let pointer = format_args!("/extensions/{NAME}");
    let action = "there are no variants";
    let root: Option<Root> = document.read(text.get(), pointer, action, diagnostics);
    let variants = root.map_or_else(Vec::new, |root| root.variants);
    if variants.len() > MOST {
        let pointer = format_args!("{pointer}/variants");
        let message = format!("there are {} variants", variants.len());
        let action = format!("only the first {MOST} are read");
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, action);
    }
    let names = variants.into_iter().take(MOST);
    names.map(|variant| variant.name).collect()
}

/// Which materials the primitive with this text has in variants, sorted by variant; `count` is the number of variants,
/// `pointer` leads to the primitive.
pub(in crate::import) fn materials(
    document: &Document<'_>,
    text: &str,
    count: usize,
    pointer: std::fmt::Arguments<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<VariantMaterial> {
    let extensions = ObjectExtensions::of(text);
    let Some(text) = extensions.text(NAME) else {
        return Vec::new();
    };
    let pointer = format_args!("{pointer}/extensions/{NAME}");
    let action = "its material is always the same";
    let object: Option<Mappings> = document.read(text, pointer, action, diagnostics);
    let mappings = object.map_or_else(Vec::new, |object| object.mappings);
    let mut found = BTreeMap::new();
    for (index, mapping) in mappings.into_iter().enumerate() {
        let at = format_args!("{pointer}/mappings/{index}/material");
        let section = Section::Materials;
        let material = mapping.material;
        let material = document.reference(section, material, at, IGNORED, diagnostics);
        for (place, &variant) in mapping.variants.iter().enumerate() {
            match usize::try_from(variant) {
                // Two mappings for one variant are an error, which is found elsewhere: the first one counts.
                Ok(variant) if variant < count => {
                    if let Some(material) = material {
                        found.entry(variant).or_insert(material);
                    }
                }
                _ => diagnostics.error(
                    "UNRESOLVED_REFERENCE",
                    format_args!("{pointer}/mappings/{index}/variants/{place}"),
                    beyond("variants", variant, count),
                    IGNORED,
                ),
            }
        }
    }
    let found = found.into_iter();
    found
        .map(|(variant, material)| VariantMaterial { variant, material })
        .collect()
}
