//! `KHR_materials_variants`: named sets of materials, of which one may be chosen.

use std::collections::BTreeMap;

use gltf::json::{self, Index};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    import::{
        base::{diagnostics::Diagnostics, extension},
        json::{
            document::{Document, Section},
            extensions::ObjectExtensions,
            references::unresolved,
        },
    },
    model::VariantMaterial,
};

const NAME: &str = extension::KHR_MATERIALS_VARIANTS;
const MOST: usize = 65_536;
const IGNORED: &str = "the mapping is ignored";

#[derive(Debug, Deserialize)]
struct Root {
    #[serde(default)]
    variants: Vec<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
struct Variant {
    #[serde(default)]
    name: String,
}

#[derive(Debug, Deserialize)]
struct Mappings {
    /// Still text, so that a bad one costs only itself.
    #[serde(default)]
    mappings: Vec<Box<RawValue>>,
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
    let Some(text) = ObjectExtensions::of_file(document).text(NAME) else {
        return Vec::new();
    };
    let pointer = format_args!("/extensions/{NAME}");
    let action = "there are no variants";
    let root: Option<Root> = document.read(text, pointer, action, diagnostics);
    let variants = root.map_or_else(Vec::new, |root| root.variants);
    if variants.len() > MOST {
        let pointer = format_args!("{pointer}/variants");
        let message = format!("there are {} variants", variants.len());
        let action = format!("only the first {MOST} are read");
        diagnostics.error("TOO_MANY_OBJECTS", pointer, message, action);
    }
    let mut names = Vec::new();
    for (index, variant) in variants.iter().take(MOST).enumerate() {
        let pointer = format_args!("{pointer}/variants/{index}");
        let action = "the variant has no name";
        let variant: Option<Variant> = document.read(variant.get(), pointer, action, diagnostics);
        names.push(variant.map_or_else(String::new, |variant| variant.name));
    }
    names
}

/// Whether the file has variants at all, be there none in its list.
pub(in crate::import) fn are_listed(document: &Document<'_>) -> bool {
    ObjectExtensions::of_file(document).has(NAME)
}

/// Which materials the primitive with this text has in variants, sorted by variant; `count` is the number of variants, none
/// if they [are not listed](are_listed); `pointer` leads to the primitive.
pub(in crate::import) fn materials(
    document: &Document<'_>,
    text: &str,
    count: Option<usize>,
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
    for (index, mapping) in mappings.iter().enumerate() {
        let at = format_args!("{pointer}/mappings/{index}");
        let mapping: Option<Mapping> = document.read(mapping.get(), at, IGNORED, diagnostics);
        let Some(mapping) = mapping else {
            continue;
        };
        let at = format_args!("{pointer}/mappings/{index}/material");
        let section = Section::Materials;
        let material = mapping.material;
        let material = document.reference(section, material, at, IGNORED, diagnostics);
        let Some(count) = count else {
            diagnostics.error(
                "UNSATISFIED_DEPENDENCY",
                format_args!("{pointer}/mappings/{index}"),
                "the file lists no variants among its own extensions",
                IGNORED,
            );
            continue;
        };
        for (place, &variant) in mapping.variants.iter().enumerate() {
            let variant = usize::try_from(variant).unwrap_or(usize::MAX);
            if variant >= count {
                let pointer = format_args!("{pointer}/mappings/{index}/variants/{place}");
                let fault = unresolved("variants", variant, count);
                diagnostics.fault(fault, pointer, "the variant is ignored");
            } else if let Some(material) = material {
                // Two mappings for one variant are an error, which is found elsewhere: the first one counts.
                found.entry(variant).or_insert(material);
            }
        }
    }
    let found = found.into_iter();
    found
        .map(|(variant, material)| VariantMaterial { variant, material })
        .collect()
}
