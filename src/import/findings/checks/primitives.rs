//! Primitives: names of attributes, and whether the vertices have what the material relies on (glTF 2.0 §3.7.2.1).

use std::{collections::HashSet, fmt};

use gltf::json::accessor::ComponentType;

use crate::import::{
    base::{diagnostics::Severity, extension, wording::shorten},
    json::document::{Document, Section},
};

use super::{
    Report,
    facts::{Facts, objects},
    fields::{Fields, Pointer, integer},
    formats::Format,
    materials::Needs,
    uses::Uses,
};

/// Modes before this one are points and lines, which take nothing of maps of directions (glTF 2.0 §3.9.7).
const TRIANGLES: usize = 4;

/// Attributes that come in numbered sets.
const SETS: &[&str] = &["TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"];

pub(super) fn check(
    document: &Document<'_>,
    facts: &Facts<'_>,
    used: &HashSet<&str>,
    report: &mut Report<'_>,
) {
    let uses = Uses {
        facts,
        material_count: document.count(Section::Materials),
        is_quantized: used.contains(extension::KHR_MESH_QUANTIZATION),
    };
    let materials = objects(document, Section::Materials);
    let needs: Vec<_> = materials.map(|material| Needs::of(&material)).collect();
    let at = &Pointer::Root.key(Section::Meshes.name());
    for (index, mesh) in objects(document, Section::Meshes).enumerate() {
        let at = &at.item(index);
        let at = &at.key("primitives");
        for (place, primitive) in mesh.list("primitives").into_iter().enumerate() {
            let primitive = Fields::of(primitive).unwrap_or_default();
            let at = &at.item(place);
            let attributes = primitive.object("attributes");
            check_attributes(&primitive, &attributes, (facts, used), at, report);
            uses.check(&primitive, at, report);
            let tex_coord_sets = tex_coord_sets(&attributes);
            let has_tangents = attributes.has("NORMAL") && attributes.has("TANGENT");
            let mode = primitive.index("mode");
            let has_faces = mode.is_none_or(|mode| mode >= TRIANGLES);
            let needs_of = |object: &Fields<'_>| {
                let index = object.index("material")?;
                needs.get(index)
            };
            if let Some(needs) = needs_of(&primitive) {
                let at = &at.key("material");
                check_tex_coords(&attributes, tex_coord_sets, needs, at, report);
                if !has_tangents {
                    check_tangents(needs, at, report);
                }
            }
            let Some(variants) = primitive.extension(extension::KHR_MATERIALS_VARIANTS) else {
                continue;
            };
            let at = &at.key("extensions");
            let at = &at.key(extension::KHR_MATERIALS_VARIANTS);
            let at = &at.key("mappings");
            for (place, mapping) in variants.list("mappings").into_iter().enumerate() {
                let mapping = Fields::of(mapping).unwrap_or_default();
                if let Some(needs) = needs_of(&mapping) {
                    let at = &at.item(place);
                    let at = &at.key("material");
                    check_tex_coords(&attributes, tex_coord_sets, needs, at, report);
                    if !has_tangents && has_faces {
                        check_tangents_of_variant(needs, at, report);
                    }
                }
            }
        }
    }
}

fn check_attributes(
    primitive: &Fields<'_>,
    attributes: &Fields<'_>,
    (facts, used): (&Facts<'_>, &HashSet<&str>),
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let names: HashSet<&str> = attributes.iter().map(|(name, _)| name).collect();
    let at_attributes = &at.key("attributes");
    for (name, index) in attributes.iter() {
        let at = &at_attributes.key(name);
        // Extensions have names of their own, such as `KHR_gaussian_splatting:ROTATION`.
        let owner = name.split_once(':').map(|(owner, _)| owner);
        if !owner.is_some_and(|owner| used.contains(owner)) {
            check_name(name, &["POSITION", "NORMAL", "TANGENT"], SETS, at, report);
        }
        let index = integer(index).and_then(|index| usize::try_from(index).ok());
        let accessor = index.and_then(|index| facts.accessor(index));
        // Others of this type are reported as a wrong format; it is the attributes of applications that are left.
        let is_other = Format::of_attribute(name, false).is_none();
        if is_other
            && accessor.is_some_and(|accessor| accessor.component == Some(ComponentType::U32))
        {
            let message = "components of type UNSIGNED_INT are for indices alone";
            report.error(
                "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT",
                at,
                message,
            );
        }
    }
    if names.contains("TANGENT") && !names.contains("NORMAL") {
        let at = &at_attributes.key("TANGENT");
        let code = "MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL";
        let message = "tangents mean nothing without normals";
        report.add(Severity::Warning, code, at, message);
    }
    for prefix in SETS {
        check_continuity(prefix, &names, at_attributes, report);
    }
    let at_targets = &at.key("targets");
    for (index, target) in primitive.list("targets").into_iter().enumerate() {
        let at = &at_targets.item(index);
        let target = Fields::of(target).unwrap_or_default();
        for (name, _) in target.iter() {
            let at = &at.key(name);
            let plain = &["POSITION", "NORMAL", "TANGENT"];
            check_name(name, plain, &["TEXCOORD", "COLOR"], at, report);
            if !names.contains(name) {
                let message = "the primitive itself has no such attribute";
                report.error("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", at, message);
            }
        }
    }
}

/// Names that do not start with an underscore are the specification's own.
fn check_name(
    name: &str,
    plain: &[&str],
    sets: &[&str],
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let is_set = || {
        name.rsplit_once('_').is_some_and(|(prefix, set)| {
            let is_number = !set.is_empty() && set.bytes().all(|byte| byte.is_ascii_digit());
            sets.contains(&prefix) && is_number && (set == "0" || !set.starts_with('0'))
        })
    };
    if !name.starts_with('_') && !plain.contains(&name) && !is_set() {
        let message = format!("\"{}\" is no attribute of glTF", shorten(name));
        report.error("MESH_PRIMITIVE_INVALID_ATTRIBUTE", at, message);
    }
}

/// Sets must be numbered from 0 on without gaps.
fn check_continuity(
    prefix: &str,
    names: &HashSet<&str>,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let sets = names.iter().filter(|name| {
        let set = name
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix('_'));
        set.is_some_and(|set| set.parse::<u32>().is_ok())
    });
    let count = sets.count();
    let missing = (0..count).find(|set| !names.contains(&*format!("{prefix}_{set}")));
    if let Some(missing) = missing {
        let message = format!("{prefix}_{missing} is missing, and higher sets are there");
        report.error("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", at, message);
    }
}

/// How many sets of texture coordinates there are from 0 on. Each variant of the material is compared with it.
fn tex_coord_sets(attributes: &Fields<'_>) -> usize {
    let names: HashSet<&str> = attributes.iter().map(|(name, _)| name).collect();
    let has = |set: &usize| names.contains(&*format!("TEXCOORD_{set}"));
    (0..).take_while(has).count()
}

/// Textures that are named which need coordinates that are missing.
const MAX_NAMED: usize = 4;

/// `sets` is how many there are from 0 on: no others count.
fn check_tex_coords(
    attributes: &Fields<'_>,
    sets: usize,
    needs: &Needs,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    // A file may have as many of these checks as its material has textures: what is lacking is found at once, and words are
    // made up only if they are listed.
    let met = needs.tex_coords.partition_point(|(_, set)| *set < sets);
    let lacking = needs.tex_coords.get(met..).unwrap_or_default();
    if lacking.is_empty() {
        return;
    }
    let message = fmt::from_fn(|f| {
        f.write_str("of the material's textures ")?;
        for (place, (texture, set)) in lacking.iter().take(MAX_NAMED).enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            let (texture, name) = (shorten(texture), format!("TEXCOORD_{set}"));
            write!(f, "{comma}{texture} needs {name}, ")?;
            if attributes.has(&name) {
                write!(f, "and TEXCOORD_{sets} before it is missing")?;
            } else {
                f.write_str("which is missing")?;
            }
        }
        match lacking.len().saturating_sub(MAX_NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    });
    report.error("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", at, message);
}

/// What is said of materials that need tangents where there is no normal map for which they are defined.
const NO_TANGENT_SPACE: &str = "MESH_PRIMITIVE_NO_TANGENT_SPACE";

/// Says what the vertices, which have no tangents, lack in a material.
fn check_tangents(needs: &Needs, at: &Pointer<'_>, report: &mut Report<'_>) {
    if needs.tangents && needs.has_normal_map {
        let code = "MESH_PRIMITIVE_GENERATED_TANGENT_SPACE";
        let message = "the material needs tangents, which are computed, and may differ elsewhere";
        report.add(Severity::Info, code, at, message);
    } else if needs.tangents {
        let message = "the material needs tangents, which are missing and cannot be computed \
                       without a normal map";
        report.error(NO_TANGENT_SPACE, at, message);
    }
}

/// [`check_tangents`] for a material of a variant, which the Khronos validator does not look at. Of unlit ones nothing of it
/// is seen.
fn check_tangents_of_variant(needs: &Needs, at: &Pointer<'_>, report: &mut Report<'_>) {
    if needs.tangents && !needs.has_normal_map && !needs.is_unlit {
        let message = "the material needs tangents, which are missing and not defined without a \
                       normal map; here they follow the texture coordinates of the clear coat's \
                       normals, or else of anisotropy";
        report.add(Severity::Warning, NO_TANGENT_SPACE, at, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::base::{diagnostics::Diagnostics, progress::Progress};

    #[test]
    fn many_textures_in_many_variants_are_judged_at_once() {
        const MANY: usize = 20_000;
        let texture = |place: usize| (format!("{place}Texture"), place / 2);
        let needs = Needs {
            tex_coords: (0..MANY).map(texture).collect(),
            ..Needs::default()
        };
        let mut diagnostics = Diagnostics::default();
        let progress = Progress::default();
        let mut report = Report {
            full: diagnostics.full(),
            diagnostics: &mut diagnostics,
            progress: &progress,
            is_glb: false,
        };
        let attributes = Fields::of(r#"{"TEXCOORD_0": 0, "TEXCOORD_2": 0}"#).unwrap();
        let start = std::time::Instant::now();
        for place in 0..MANY {
            let at = Pointer::Root.item(place);
            check_tex_coords(&attributes, 1, &needs, &at, &mut report);
        }
        assert!(start.elapsed().as_secs() < 10);
        let found = diagnostics.finish();
        assert_eq!(
            found[0].message,
            "of the material's textures 2Texture needs TEXCOORD_1, which is missing, \
             3Texture needs TEXCOORD_1, which is missing, \
             4Texture needs TEXCOORD_2, and TEXCOORD_1 before it is missing, \
             5Texture needs TEXCOORD_2, and TEXCOORD_1 before it is missing and 19994 more"
        );
    }
}
