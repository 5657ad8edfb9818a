//! What a posed mesh has and does not have of what its file says beside it: extras, attributes, extensions.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::{
    references::whole,
    source_file::{Members, member},
};
use crate::model::{Metadata, Model, Owner};

/// So many bytes of extras are written at most: those of a mesh may come again with every copy.
const MAX_EXTRAS: usize = 64 << 20;
/// So many names are listed at most.
const MAX_NAMED: usize = 12;

/// Extensions of which a posed mesh has all that can be seen in its pose.
const SHOWN: [&str; 25] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_mesh_primitive_restart",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
];

/// What the text of a model's file says and the model does not.
#[derive(Debug, Default)]
pub(super) struct Unmodelled {
    /// Of each texture whether the file says how it is magnified, and how it is made smaller.
    filters: Vec<[bool; 2]>,
    /// Of each mesh the vertex attributes of its primitives.
    attributes: Vec<BTreeSet<String>>,
}

impl Unmodelled {
    /// What there is in a JSON text; nothing is known from one that cannot be read.
    pub(super) fn of(json: &str) -> Self {
        let root: Members = serde_json::from_str(json).unwrap_or_default();
        let objects = |list: &str| -> Vec<Members> { member(&root, list).unwrap_or_default() };
        let samplers = objects("samplers");
        let filters = objects("textures").into_iter().map(|texture| {
            let sampler = member(&texture, "sampler").as_ref().and_then(whole);
            let sampler = sampler.and_then(|sampler| samplers.get(usize::try_from(sampler).ok()?));
            let says = |name| sampler.is_some_and(|sampler| sampler.contains_key(name));
            ["magFilter", "minFilter"].map(says)
        });
        let attributes = objects("meshes").into_iter().map(|mesh| {
            let primitives: Vec<Members> = member(&mesh, "primitives").unwrap_or_default();
            let attributes = primitives
                .iter()
                .filter_map(|it| member::<Members>(it, "attributes"));
            attributes.flat_map(Members::into_keys).collect()
        });
        Self {
            filters: filters.collect(),
            attributes: attributes.collect(),
        }
    }

    /// Whether the file says how a texture is magnified, and how it is made smaller.
    pub(super) fn says_filters(&self, texture: usize) -> [bool; 2] {
        self.filters.get(texture).copied().unwrap_or([true; 2])
    }

    /// The attributes of these meshes that are not written.
    fn lost_attributes(&self, meshes: &BTreeSet<usize>) -> BTreeSet<&str> {
        let all = meshes.iter().filter_map(|&mesh| self.attributes.get(mesh));
        let names = all.flatten().map(String::as_str);
        names.filter(|name| !is_written(name)).collect()
    }
}

/// Whether a vertex attribute is written, or has done its work once vertices are where they are.
fn is_written(attribute: &str) -> bool {
    let written = [
        "POSITION",
        "NORMAL",
        "TANGENT",
        "TEXCOORD_0",
        "TEXCOORD_1",
        "COLOR_0",
    ];
    let moves = ["JOINTS_", "WEIGHTS_"];
    written.contains(&attribute) || moves.iter().any(|it| attribute.starts_with(it))
}

/// Writes the extras of objects, and remembers of which.
#[derive(Debug)]
pub(super) struct ExtrasWriter<'a> {
    metadata: &'a Metadata,
    written: HashSet<Owner>,
    /// Bytes that may still be written.
    left: usize,
}

impl<'a> ExtrasWriter<'a> {
    /// Nothing yet.
    pub(super) fn new(metadata: &'a Metadata) -> Self {
        Self {
            metadata,
            written: HashSet::new(),
            left: MAX_EXTRAS,
        }
    }

    /// Gives an object the extras that its owner has in the file. Names of morph targets, which are there no more, are not
    /// among them.
    pub(super) fn add(&mut self, owner: Owner, object: &mut Value) {
        let note = self.metadata.of(owner);
        let Some(text) = note.and_then(|note| note.extras.as_ref()) else {
            return;
        };
        let left = self.left.checked_sub(text.len());
        let (Some(left), Ok(mut extras)) = (left, serde_json::from_str::<Value>(text)) else {
            return;
        };
        self.left = left;
        self.written.insert(owner);
        if let (Owner::Mesh(_), Some(members)) = (owner, extras.as_object_mut()) {
            members.remove("targetNames");
            if members.is_empty() {
                return;
            }
        }
        object["extras"] = extras;
    }

    /// How many objects of each kind have extras that were not written. Those of clips go with the clips.
    fn left_out(&self) -> Option<String> {
        let notes = self.metadata.notes.iter();
        let owners = notes
            .filter(|note| note.extras.is_some())
            .map(|it| it.owner);
        let mut counts = BTreeMap::new();
        for owner in owners.filter(|owner| !self.written.contains(owner)) {
            let kind = match owner {
                Owner::Asset => ["asset", "assets"],
                Owner::Scene(_) => ["scene", "scenes"],
                Owner::Node(_) => ["node", "nodes"],
                Owner::Mesh(_) => ["mesh", "meshes"],
                Owner::Material(_) => ["material", "materials"],
                Owner::Image(_) => ["image", "images"],
                Owner::Clip(_) => continue,
            };
            *counts.entry(kind).or_insert(0_usize) += 1;
        }
        let counts = counts.into_iter();
        let counts = counts.map(|([one, many], count)| {
            let kind = if count == 1 { one } else { many };
            format!("{count} {kind}")
        });
        let counts: Vec<_> = counts.collect();
        (!counts.is_empty()).then(|| format!("the extras of {} are left out", counts.join(", ")))
    }
}

/// What is not there of a model whose `meshes` were written, in words, a line for each kind.
pub(super) fn left_out(
    model: &Model,
    meshes: &BTreeSet<usize>,
    said: &Unmodelled,
    extras: &ExtrasWriter<'_>,
) -> Vec<String> {
    let used = model.asset.extensions_used.iter().map(String::as_str);
    let extensions: BTreeSet<_> = used.filter(|name| !SHOWN.contains(name)).collect();
    let named = [
        ("vertex attributes", said.lost_attributes(meshes)),
        ("extensions", extensions),
    ];
    let named = named.into_iter().filter(|(_, names)| !names.is_empty());
    let named = named.map(|(kind, names)| format!("{kind} are left out: {}", listed(&names)));
    named.chain(extras.left_out()).collect()
}

/// The first of some names, and how many more there are.
fn listed(names: &BTreeSet<&str>) -> String {
    let first: Vec<_> = names.iter().take(MAX_NAMED).copied().collect();
    let first = first.join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}
