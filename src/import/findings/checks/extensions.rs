//! Extensions: whether they are declared as they must be, and what their objects refer to.

use std::collections::HashSet;

use crate::{
    import::{
        base::{diagnostics::Severity, extension, wording::shorten},
        json::document::{Document, Section},
    },
    model::AssetInfo,
};

use super::{
    Report,
    extension_schema::SPOT,
    facts::{Facts, objects},
    fields::{Fields, Pointer, integer, items as items_of},
    walk::Walker,
};

const VARIANTS: &str = extension::KHR_MATERIALS_VARIANTS;

/// Extensions without which a file cannot be read, so that they must be required wherever they are used.
const NEVER_OPTIONAL: &[&str] = &[extension::KHR_MESH_QUANTIZATION];

pub(super) fn check(
    document: &Document<'_>,
    asset: &AssetInfo,
    facts: &Facts<'_>,
    report: &mut Report<'_>,
) {
    check_lists(document, asset, report);
    let root = document.root_text("extensions").and_then(Fields::of);
    let root = root.unwrap_or_default();
    let names = &asset.extensions_used;
    let uses = |name: &str| names.iter().any(|used| used == name);
    let at = Pointer::Root;
    if uses(extension::KHR_LIGHTS_PUNCTUAL) {
        let at = &at.key("nodes");
        for (index, node) in objects(document, Section::Nodes).enumerate() {
            check_light(
                &node,
                root.has(extension::KHR_LIGHTS_PUNCTUAL),
                facts,
                &at.item(index),
                report,
            );
        }
    }
    if uses(VARIANTS) {
        let at = &at.key("meshes");
        for (index, mesh) in objects(document, Section::Meshes).enumerate() {
            let at = &at.item(index);
            let at = &at.key("primitives");
            for (place, primitive) in mesh.list("primitives").into_iter().enumerate() {
                let variants = Fields::of(primitive).and_then(|object| object.extension(VARIANTS));
                if let Some(variants) = variants {
                    let counts = Counts {
                        materials: document.count(Section::Materials),
                        variants: root.has(VARIANTS).then_some(facts.variants),
                    };
                    check_variants(&variants, counts, &at.item(place), report);
                }
            }
        }
    }
    if uses(extension::KHR_ANIMATION_POINTER) {
        let at = &at.key("animations");
        // Plain ones have no pointers.
        let count = document.count(Section::Animations);
        for index in (0..count).filter(|&it| !document.is_plain(Section::Animations, it)) {
            let text = document.text(Section::Animations, index);
            let animation = Fields::of(text).unwrap_or_default();
            let at = &at.item(index);
            let at = &at.key("channels");
            for (place, channel) in animation.list("channels").into_iter().enumerate() {
                let channel = Fields::of(channel).unwrap_or_default();
                check_target(&channel.object("target"), &at.item(place), report);
            }
        }
    }
}

fn check_lists(document: &Document<'_>, asset: &AssetInfo, report: &mut Report<'_>) {
    let (used, required) = (&asset.extensions_used, &asset.extensions_required);
    // An empty name stands for what is none, too, which is said already.
    let empty_of = |list: &str, names: &[String]| -> HashSet<usize> {
        let text = document.root_text(list);
        let items = text.filter(|_| names.iter().any(String::is_empty));
        let items = items.and_then(items_of).unwrap_or_default();
        let empty = items.into_iter().enumerate();
        let empty = empty.filter(|(_, item)| *item == "\"\"");
        empty.map(|(index, _)| index).collect()
    };
    let (all_used, all_required): (HashSet<&String>, HashSet<&String>) =
        (used.iter().collect(), required.iter().collect());
    let empty = empty_of("extensionsRequired", required);
    let at = &Pointer::Root.key("extensionsRequired");
    let states = |list: &str| document.root_text(list).is_some();
    if states("extensionsRequired") && !states("extensionsUsed") {
        let message = "there is no extensionsUsed, which it needs";
        report.error("UNSATISFIED_DEPENDENCY", at, message);
    }
    for (index, name) in required.iter().enumerate() {
        let is_name = !name.is_empty() || empty.contains(&index);
        if is_name && !all_used.contains(name) {
            let message = "what is required must be listed in extensionsUsed too";
            report.error("UNUSED_EXTENSION_REQUIRED", &at.item(index), message);
        }
    }
    let empty = empty_of("extensionsUsed", used);
    let at = &Pointer::Root.key("extensionsUsed");
    for (index, name) in used.iter().enumerate() {
        let code = "INVALID_EXTENSION_NAME_FORMAT";
        if empty.contains(&index) {
            let message = "an extension has a name, and this is empty";
            report.add(Severity::Warning, code, &at.item(index), message);
        } else if !name.is_empty() && !is_well_formed(name) {
            let message = format_args!(
                "\"{}\" is no name of an extension: these begin with capital letters or digits and \"_\"",
                shorten(name)
            );
            report.add(Severity::Warning, code, &at.item(index), message);
        }
        if NEVER_OPTIONAL.contains(&&**name) && !all_required.contains(name) {
            let message = format!("{name} cannot be optional, and extensionsRequired lacks it");
            report.error("NON_REQUIRED_EXTENSION", &at.item(index), message);
        }
    }
}

/// Whether a name is an extension's: a prefix of capital letters and digits, `_`, and letters, digits and more of these.
fn is_well_formed(name: &str) -> bool {
    name.split_once('_').is_some_and(|(prefix, rest)| {
        let in_prefix = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        let in_rest = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_whole = !prefix.is_empty() && !rest.is_empty();
        is_whole && prefix.bytes().all(in_prefix) && rest.bytes().all(in_rest)
    })
}

/// Compares the cones of lights with their schema, and their angles with each other.
pub(super) fn check_spots(document: &Document<'_>, walker: &mut Walker<'_, '_>) {
    let root = document.root_text("extensions").and_then(Fields::of);
    let root = root.unwrap_or_default();
    let root_pointer = Pointer::Root;
    let at = &root_pointer.key("extensions");
    let at = &at.key(extension::KHR_LIGHTS_PUNCTUAL);
    let at = &at.key("lights");
    for (index, light) in root
        .object(extension::KHR_LIGHTS_PUNCTUAL)
        .list("lights")
        .into_iter()
        .enumerate()
    {
        let light = Fields::of(light).unwrap_or_default();
        let at = &at.item(index);
        // Lights of another type have no cone, whatever they say of one.
        if light.text("type").as_deref() != Some("spot") {
            continue;
        }
        let Some(text) = light.get("spot") else {
            let message = "it has no spot";
            walker.report.error("UNDEFINED_PROPERTY", at, message);
            continue;
        };
        let at = &at.key("spot");
        walker.object(text, &SPOT, at);
        let spot = Fields::of(text).unwrap_or_default();
        let inner = spot.number("innerConeAngle").unwrap_or(0.0);
        let outer = spot.number("outerConeAngle");
        let outer = outer.unwrap_or(std::f64::consts::FRAC_PI_4);
        // One that is no angle of a cone has been told.
        let angles = 0.0..=std::f64::consts::FRAC_PI_2;
        if outer <= inner && outer > 0.0 && angles.contains(&inner) {
            let message = format!("the outer angle {outer} is not greater than the inner, {inner}");
            let code = "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES";
            let at = &at.key("outerConeAngle");
            walker.report.error(code, at, message);
        }
    }
}

fn check_light(
    node: &Fields<'_>,
    has_lights: bool,
    facts: &Facts<'_>,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let Some(light) = node.extension(extension::KHR_LIGHTS_PUNCTUAL) else {
        return;
    };
    let at = &at.key("extensions");
    let at = &at.key(extension::KHR_LIGHTS_PUNCTUAL);
    if has_lights {
        report.reference(
            light.index("light"),
            "lights",
            facts.lights,
            &at.key("light"),
        );
    } else {
        let message = "the file lists no lights among its own extensions";
        report.error("UNSATISFIED_DEPENDENCY", at, message);
    }
}

/// What mappings may name; no variants at all where the file does not list any.
#[derive(Clone, Copy)]
struct Counts {
    materials: usize,
    variants: Option<usize>,
}

fn check_variants(
    variants: &Fields<'_>,
    counts: Counts,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let at = &at.key("extensions");
    let at = &at.key(VARIANTS);
    let at = &at.key("mappings");
    let mut seen = HashSet::new();
    for (index, mapping) in variants.list("mappings").into_iter().enumerate() {
        let mapping = Fields::of(mapping).unwrap_or_default();
        let at = &at.item(index);
        report.reference(
            mapping.index("material"),
            "materials",
            counts.materials,
            &at.key("material"),
        );
        let Some(count) = counts.variants else {
            let message = "the file lists no variants among its own extensions";
            report.error("UNSATISFIED_DEPENDENCY", at, message);
            continue;
        };
        let at = &at.key("variants");
        for (place, variant) in mapping.list("variants").into_iter().enumerate() {
            let variant = integer(variant).and_then(|variant| usize::try_from(variant).ok());
            let at = &at.item(place);
            report.reference(variant, "variants", count, at);
            if variant.is_some() && !seen.insert(variant) {
                let message = "there is a material for this variant already";
                report.error("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", at, message);
            }
        }
    }
}

fn check_target(target: &Fields<'_>, at: &Pointer<'_>, report: &mut Report<'_>) {
    let at = &at.key("target");
    let is_pointer = target.text("path").as_deref() == Some("pointer");
    let has_pointer = target.extension(extension::KHR_ANIMATION_POINTER).is_some();
    if has_pointer && !is_pointer {
        let message = "a channel with a pointer must have the path \"pointer\"";
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH";
        report.error(code, &at.key("path"), message);
    }
    if has_pointer && target.has("node") {
        let message = "a channel with a pointer must have no node";
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE";
        report.error(code, &at.key("node"), message);
    }
}
