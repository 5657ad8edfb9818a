//! What a posed mesh has and does not have of what its file says beside it: extras, attributes, extensions.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
};

use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::{
    noted::Noted,
    placed::PUNCTUAL,
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
    /// How many objects have extras, of those kinds of which a model has no extras.
    noted: BTreeMap<Kind, usize>,
}

impl Unmodelled {
    /// What there is in a JSON text; nothing is known from one that cannot be read.
    pub(super) fn of(json: &str) -> Self {
        let root: Members = serde_json::from_str(json).unwrap_or_default();
        let objects = |list: &str| -> Vec<Members> { member(&root, list).unwrap_or_default() };
        let (samplers, textures) = (objects("samplers"), objects("textures"));
        let (cameras, meshes) = (objects("cameras"), objects("meshes"));
        let extensions: Option<Members> = member(&root, "extensions");
        let punctual: Option<Members> = extensions.and_then(|all| member(&all, PUNCTUAL));
        let lights: Option<Vec<Members>> = punctual.and_then(|all| member(&all, "lights"));
        let primitives: Vec<Vec<Members>> = meshes
            .iter()
            .map(|mesh| member(mesh, "primitives").unwrap_or_default())
            .collect();
        let noted = BTreeMap::from([
            (["camera", "cameras"], count_noted(&cameras)),
            (["file", "files"], count_noted([&root])),
            (["light", "lights"], count_noted(lights.iter().flatten())),
            (
                ["part of a mesh", "parts of meshes"],
                count_noted(primitives.iter().flatten()),
            ),
            (["sampler", "samplers"], count_noted(&samplers)),
            (["texture", "textures"], count_noted(&textures)),
        ]);
        let filters = textures.iter().map(|texture| {
            let sampler = member(texture, "sampler").as_ref().and_then(whole);
            let sampler = sampler.and_then(|sampler| samplers.get(usize::try_from(sampler).ok()?));
            let says = |name| sampler.is_some_and(|sampler| sampler.contains_key(name));
            ["magFilter", "minFilter"].map(says)
        });
        let attributes = primitives.iter().map(|primitives| {
            let attributes = primitives
                .iter()
                .filter_map(|it| member::<Members>(it, "attributes"));
            attributes.flat_map(Members::into_keys).collect()
        });
        Self {
            filters: filters.collect(),
            attributes: attributes.collect(),
            noted,
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

/// How many of some objects have extras.
fn count_noted<'m>(objects: impl IntoIterator<Item = &'m Members>) -> usize {
    let extras = objects
        .into_iter()
        .filter_map(|object| object.get("extras"));
    extras.filter(|extras| extras.get() != "null").count()
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

/// The extras of a model's objects, as texts.
#[derive(Debug)]
pub(super) struct Extras<'m> {
    metadata: &'m Metadata,
    /// None to be written where there are but names of morph targets, which are there no more.
    texts: HashMap<Owner, Option<Cow<'m, RawValue>>>,
}

impl<'m> Extras<'m> {
    /// Those that a model has.
    pub(super) fn new(metadata: &'m Metadata) -> Self {
        let texts = metadata.notes.iter().filter_map(|note| {
            let text = note.extras.as_ref()?;
            let is_mesh = matches!(note.owner, Owner::Mesh(_));
            let kept = if is_mesh && text.contains(TARGET_NAMES) {
                without_target_names(text)?.map(Cow::Owned)
            } else {
                Some(Cow::Borrowed(serde_json::from_str(text).ok()?))
            };
            Some((note.owner, kept))
        });
        Self {
            metadata,
            texts: texts.collect(),
        }
    }
}

const TARGET_NAMES: &str = "targetNames";

/// The extras of a mesh without the names of its morph targets, if anything else is left; none if they cannot be read.
fn without_target_names(extras: &str) -> Option<Option<Box<RawValue>>> {
    let Ok(mut members) = serde_json::from_str::<Members>(extras) else {
        // It is no object, and has names of nothing.
        let text: Box<RawValue> = serde_json::from_str(extras).ok()?;
        let is_object = text.get().trim_start().starts_with('{');
        return (!is_object).then_some(Some(text));
    };
    members.remove(TARGET_NAMES);
    let is_left = !members.is_empty();
    Some(is_left.then(|| to_raw_value(&members).ok()).flatten())
}

/// Writes the extras of objects, and remembers of which.
#[derive(Debug)]
pub(super) struct ExtrasWriter<'e> {
    extras: &'e Extras<'e>,
    written: HashSet<Owner>,
    /// Those for which there was no room, at least once.
    lost: HashSet<Owner>,
    /// Bytes that may still be written.
    left: usize,
}

impl<'e> ExtrasWriter<'e> {
    /// Nothing yet.
    pub(super) fn new(extras: &'e Extras<'e>) -> Self {
        Self {
            extras,
            written: HashSet::new(),
            lost: HashSet::new(),
            left: MAX_EXTRAS,
        }
    }

    /// An object with the extras that its owner has in the file.
    pub(super) fn noted(&mut self, owner: Owner, object: Value) -> Noted<'e> {
        let members = match object {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        let extras = self.extras.texts.get(&owner).and_then(|extras| {
            let length = extras.as_ref().map_or(0, |extras| extras.get().len());
            let left = self.left.checked_sub(length);
            let outcome = if left.is_some() {
                &mut self.written
            } else {
                &mut self.lost
            };
            outcome.insert(owner);
            self.left = left?;
            extras.as_deref()
        });
        Noted { members, extras }
    }

    /// How many objects of each kind have extras that were not written, or not with all of their copies; `unmodelled` are those
    /// of which nothing else is known. Those of clips go with the clips.
    fn left_out(&self, unmodelled: &BTreeMap<Kind, usize>) -> Vec<String> {
        let notes = self.extras.metadata.notes.iter();
        let owners = notes
            .filter(|note| note.extras.is_some())
            .map(|it| it.owner);
        let mut missing = unmodelled.clone();
        for owner in owners.filter(|owner| !self.written.contains(owner)) {
            count(owner, &mut missing);
        }
        let mut in_part = BTreeMap::new();
        for owner in self.lost.intersection(&self.written) {
            count(*owner, &mut in_part);
        }
        let missing = in_words(&missing).map(|it| format!("the extras of {it} are left out"));
        let in_part = in_words(&in_part).map(|it| {
            let most = MAX_EXTRAS >> 20;
            format!(
                "some copies are without the extras of {it}: more than {most} MiB are not written"
            )
        });
        missing.into_iter().chain(in_part).collect()
    }
}

/// What one object of a kind is called, and what several are.
type Kind = [&'static str; 2];

/// Counts an object whose extras are not written.
fn count(owner: Owner, counts: &mut BTreeMap<Kind, usize>) {
    let kind = match owner {
        Owner::Asset => ["asset", "assets"],
        Owner::Scene(_) => ["scene", "scenes"],
        Owner::Node(_) => ["node", "nodes"],
        Owner::Mesh(_) => ["mesh", "meshes"],
        Owner::Material(_) => ["material", "materials"],
        Owner::Image(_) => ["image", "images"],
        Owner::Clip(_) => return,
    };
    *counts.entry(kind).or_default() += 1;
}

/// How many objects there are of each kind; none if there are none.
fn in_words(counts: &BTreeMap<Kind, usize>) -> Option<String> {
    let counts = counts.iter().filter(|(_, count)| **count > 0);
    let counts = counts.map(|([one, many], count)| {
        let kind = if *count == 1 { one } else { many };
        format!("{count} {kind}")
    });
    let counts: Vec<_> = counts.collect();
    (!counts.is_empty()).then(|| counts.join(", "))
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
    named.chain(extras.left_out(&said.noted)).collect()
}

/// The first of some names, and how many more there are.
pub(super) fn listed(names: &BTreeSet<impl AsRef<str>>) -> String {
    let first: Vec<_> = names.iter().take(MAX_NAMED).map(AsRef::as_ref).collect();
    let first = first.join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Note;

    fn notes(extras: &[(Owner, &str)]) -> Metadata {
        let notes = extras.iter().map(|(owner, text)| Note {
            owner: *owner,
            extras: Some((*text).to_owned()),
            xmp_packet: None,
        });
        Metadata {
            notes: notes.collect(),
            ..Metadata::default()
        }
    }

    #[test]
    fn extras_beyond_the_bound_are_told() {
        let long = format!("[{}]", "[],".repeat(MAX_EXTRAS / 9) + "0");
        let metadata = notes(&[
            (Owner::Node(0), "1"),
            (Owner::Node(1), "2"),
            (Owner::Mesh(0), &long),
            (Owner::Mesh(1), r#"{"targetNames":["a"]}"#),
        ]);
        let extras = Extras::new(&metadata);
        let mut writer = ExtrasWriter::new(&extras);
        let mut is_noted = |owner| writer.noted(owner, json!({})).extras.is_some();
        assert!(!is_noted(Owner::Mesh(1)));
        // The copies of a mesh count, and the text of all is one.
        for copy in 0..4 {
            assert_eq!(is_noted(Owner::Mesh(0)), copy < 2);
        }
        assert!(is_noted(Owner::Node(1)));
        let said = writer.left_out(&BTreeMap::new());
        let expected = [
            "the extras of 1 node are left out",
            "some copies are without the extras of 1 mesh: more than 64 MiB are not written",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn objects_without_extras_in_a_model_are_counted() {
        let json = json!({
            "extras": "all",
            "cameras": [{ "extras": 1 }, { "extras": null }, {}],
            "extensions": { PUNCTUAL: { "lights": [{ "extras": {} }, { "extras": 2 }] } },
            "meshes": [{ "primitives": [{ "attributes": {}, "extras": 1 }] }, {}],
            "samplers": [{ "extras": 1 }],
            "textures": [{ "extras": "a" }, { "extras": "b" }],
        });
        let said = Unmodelled::of(&json.to_string());
        let metadata = Metadata::default();
        let extras = Extras::new(&metadata);
        let words = ExtrasWriter::new(&extras).left_out(&said.noted);
        let expected = "the extras of 1 camera, 1 file, 2 lights, 1 part of a mesh, 1 sampler, 2 textures are left out";
        assert_eq!(words, [expected]);
    }
}
