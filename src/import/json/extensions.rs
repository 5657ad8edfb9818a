//! Extensions: which are understood, which can be left out, and which stop a file from being read.
//!
//! A file is refused only if it *requires* what is not understood (glTF 2.0 §3.12). What it merely uses and what is not
//! drawn yet is named.

use std::collections::HashSet;

use gltf::json::{self, Index};
use serde::Deserialize;

use crate::{
    import::base::{
        consent::Consent,
        diagnostics::Diagnostics,
        extension,
        unsupported::Unsupported,
        wording::{first_few, shorten},
    },
    model::AssetInfo,
};

use super::{document::Document, fields::Fields, repair};

/// What becomes of an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Support {
    /// Read and drawn.
    Full,
    /// Not drawn, and nothing looks different for it.
    Harmless,
    /// It describes avatars or their clips: names and bones are read; for lack of the rest they look and move otherwise than
    /// they should.
    InPart,
    /// Read, if it is known, and not drawn yet: the model looks otherwise than it should.
    NotDrawn,
    /// Never heard of.
    Unknown,
}

pub(in crate::import) fn support(name: &str) -> Support {
    match name {
        extension::KHR_LIGHTS_PUNCTUAL
        | extension::KHR_MATERIALS_ANISOTROPY
        | extension::KHR_MATERIALS_CLEARCOAT
        | extension::KHR_MATERIALS_DIFFUSE_TRANSMISSION
        | extension::KHR_MATERIALS_DISPERSION
        | extension::KHR_MATERIALS_EMISSIVE_STRENGTH
        | extension::KHR_MATERIALS_IOR
        | extension::KHR_MATERIALS_IRIDESCENCE
        | extension::KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS
        | extension::KHR_MATERIALS_SHEEN
        | extension::KHR_MATERIALS_SPECULAR
        | extension::KHR_MATERIALS_TRANSMISSION
        | extension::KHR_MATERIALS_UNLIT
        | extension::KHR_MATERIALS_VARIANTS
        | extension::KHR_MATERIALS_VOLUME
        | extension::KHR_MESH_PRIMITIVE_RESTART
        | extension::KHR_MESH_QUANTIZATION
        | extension::KHR_TEXTURE_TRANSFORM
        | extension::KHR_DRACO_MESH_COMPRESSION
        | extension::EXT_MESHOPT_COMPRESSION
        | extension::KHR_MESHOPT_COMPRESSION
        | extension::EXT_MESH_GPU_INSTANCING
        | extension::EXT_TEXTURE_WEBP
        | extension::KHR_ANIMATION_POINTER
        | extension::KHR_NODE_VISIBILITY
        | extension::KHR_TEXTURE_BASISU => Support::Full,
        // What is no name, which is said already. What a pointer may do in other programs, sounds, shapes that nobody draws,
        // facts about parts of a model, and what only other programs are quicker by.
        ""
        | "AGI_stk_metadata"
        | "EXT_feature_metadata"
        | "EXT_instance_features"
        | "EXT_mesh_features"
        | "EXT_mesh_manifold"
        | "EXT_mesh_primitive_restart"
        | "EXT_structural_metadata"
        | "FB_ngon_encoding"
        | "GODOT_single_root"
        | "KHR_audio_emitter"
        | "KHR_implicit_shapes"
        | "KHR_node_hoverability"
        | "KHR_node_selectability"
        | "MSFT_lod"
        | "MSFT_packing_normalRoughnessMetallic"
        | "MSFT_packing_occlusionRoughnessMetallic" => Support::Harmless,
        // Outlines, and what moves nodes by other means than clips.
        "AGI_articulations"
        | "CESIUM_primitive_outline"
        | "KHR_interactivity"
        | "KHR_physics_rigid_bodies" => Support::NotDrawn,
        // VRM 0.x and 1.0, and its clips: all the rest of a file is plain glTF.
        extension::VRM | extension::VRMC_VRM | extension::VRMC_VRM_ANIMATION => Support::InPart,
        _ if name.starts_with("VRMC_") => Support::NotDrawn,
        _ if name.starts_with("KHR_materials_") => Support::NotDrawn,
        _ if name.starts_with("KHR_xmp") => Support::Harmless,
        _ => Support::Unknown,
    }
}

/// More extensions than this are not listed in a message.
const MAX_NAMED: usize = 8;

/// What becomes of a file that requires what is unknown.
const READ_ON_REQUEST: &str = "the file is read without it, and only where that is asked for";

/// Checks the extensions that a file names; an error if it requires one that cannot be done without.
pub(in crate::import) fn check(
    asset: &AssetInfo,
    consent: &Consent,
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<()> {
    let (used, required) = (&asset.extensions_used, &asset.extensions_required);
    let unknown = required
        .iter()
        .filter(|name| support(name) == Support::Unknown);
    let mut names = unknown.map(|name| shorten(name).to_string()).peekable();
    if names.peek().is_some() && !consent.unknown_features {
        let names = first_few(names, MAX_NAMED);
        return Err(Unsupported(format!(
            "the file requires an extension that is not supported: {names}"
        ))
        .into());
    }
    for (index, name) in required.iter().enumerate() {
        if let Some((code, what, action)) = remark(support(name)) {
            let pointer = format_args!("/extensionsRequired/{index}");
            let action = match support(name) {
                Support::Unknown => READ_ON_REQUEST,
                _ => action,
            };
            let message = format!("{name} is required and {what}");
            diagnostics.warning(code, pointer, message, action);
        }
    }
    let required: HashSet<&String> = required.iter().collect();
    for (index, name) in used.iter().enumerate() {
        if let Some((code, what, action)) = remark(support(name))
            && !required.contains(name)
        {
            let pointer = format_args!("/extensionsUsed/{index}");
            diagnostics.info(code, pointer, format!("{name} is {what}"), action);
        }
    }
    Ok(())
}

/// What there is to say of an extension that a file names: a code, what it is, and what becomes of the file.
fn remark(support: Support) -> Option<(&'static str, &'static str, &'static str)> {
    match support {
        Support::Full | Support::Harmless => None,
        Support::InPart => Some((
            "EXTENSION_READ_IN_PART",
            "read in part: names and bones",
            "the model is drawn without expressions, springs and toon materials",
        )),
        Support::NotDrawn => Some((
            "EXTENSION_NOT_DRAWN",
            "not drawn yet",
            "the model is drawn without it",
        )),
        Support::Unknown => Some((
            "UNSUPPORTED_EXTENSION",
            "unknown",
            "the file is read without it",
        )),
    }
}

/// The extensions of one object. The gltf crate's types leave them out, so the object's text is looked through again.
#[derive(Debug, Default)]
pub(in crate::import) struct ObjectExtensions<'a>(Fields<'a>);

impl<'a> ObjectExtensions<'a> {
    /// The extensions of the object with this text.
    pub(in crate::import) fn of(text: &'a str) -> Self {
        if !repair::may_name(text, "extensions") {
            return Self::default();
        }
        Self(Fields::of(text).unwrap_or_default().object("extensions"))
    }

    /// The extensions of the file as a whole, as far as they are known here: there may be a million others.
    pub(in crate::import) fn of_file(document: &Document<'a>) -> Self {
        let is_known = |name: &str| support(name) != Support::Unknown;
        let extensions = document.root_text("extensions");
        let extensions = extensions.and_then(|text| Fields::of_those(text, is_known));
        Self(extensions.unwrap_or_default())
    }

    /// Whether the object has this extension.
    pub(in crate::import) fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    /// The text of this extension's object.
    pub(in crate::import) fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)
    }
}

/// The images that extensions give a texture with this text, the best one first.
pub(in crate::import) fn texture_sources(
    document: &Document<'_>,
    texture: &str,
) -> Vec<(&'static str, Index<json::Image>)> {
    #[derive(Deserialize)]
    struct Extension {
        source: Index<json::Image>,
    }
    let extensions = ObjectExtensions::of(texture);
    let source = |name| {
        let object: Extension = document.read_silently(extensions.text(name)?)?;
        Some((name, object.source))
    };
    let names = [extension::KHR_TEXTURE_BASISU, extension::EXT_TEXTURE_WEBP];
    names.into_iter().filter_map(source).collect()
}
