//! A glTF file to which something is added: its JSON is kept as text, member by member, so that whatever it says stays as it
//! is written, and only what is added to is read.

mod packing;

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use glam::Mat4;
use serde::{
    Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

use super::{
    glb::assemble,
    owners,
    references::{References, whole},
};
use crate::model::free_name;

pub(super) use packing::mime_type;

use packing::data_uri;

/// What says whether a node is shown.
pub(super) const VISIBILITY: &str = "KHR_node_visibility";

type Raw = Box<RawValue>;
/// An object, each of whose members is text.
pub(super) type Members = BTreeMap<String, Raw>;

/// A file on its way to a .glb that needs no others.
#[derive(Debug)]
pub struct SourceFile<'a> {
    root: Members,
    /// The lists that are added to, or of which something is replaced.
    lists: BTreeMap<&'static str, Vec<Raw>>,
    nodes: Vec<NodeHead>,
    target_counts: Vec<Option<usize>>,
    clips: Vec<String>,
    /// What refers to what is not there, and to buffers.
    references: References,
    /// What stays the binary chunk where bytes cannot be added to it.
    untouched: &'a [u8],
    /// Further chunks, by their kinds.
    chunks: &'a [([u8; 4], Vec<u8>)],
    /// The bytes that are added to, and the buffer that they are.
    bytes: Vec<u8>,
    buffer: usize,
}

/// What is read of a node.
#[derive(Debug)]
struct NodeHead {
    name: String,
    mesh: Option<usize>,
    has_matrix: bool,
}

/// The lists that are added to and that others refer to.
const GROWING: [&str; 3] = ["accessors", "bufferViews", "buffers"];

/// The lists of which single members are touched.
const LISTS: [&str; 7] = [
    "accessors",
    "animations",
    "buffers",
    "bufferViews",
    "images",
    "materials",
    "nodes",
];

impl<'a> SourceFile<'a> {
    /// A file of its JSON text, its binary chunk, and further `chunks` by their kinds; `named` holds the bytes behind URIs,
    /// which become part of it. What is not there goes on being named.
    pub fn new(
        json: &str,
        bin: Option<&'a [u8]>,
        chunks: &'a [([u8; 4], Vec<u8>)],
        named: &BTreeMap<String, Vec<u8>>,
    ) -> anyhow::Result<Self> {
        let mut root: Members = serde_json::from_str(json).context("its JSON cannot be read")?;
        let mut lists: BTreeMap<&'static str, Vec<Raw>> = BTreeMap::new();
        for name in LISTS {
            let list = root.remove(name);
            let list = list.map(|list| serde_json::from_str(list.get()));
            let list = list
                .transpose()
                .with_context(|| format!("its {name} are no list"))?;
            lists.insert(name, list.unwrap_or_default());
        }
        let meshes: Vec<Members> = member(&root, "meshes").unwrap_or_default();
        let target_counts = meshes.iter().map(|mesh| {
            let primitives: Vec<Members> = member(mesh, "primitives")?;
            let targets: Option<Vec<IgnoredAny>> = member(primitives.first()?, "targets");
            Some(targets.map_or(0, |targets| targets.len()))
        });
        let node = |members: Members| NodeHead {
            name: member(&members, "name").unwrap_or_default(),
            mesh: member(&members, "mesh")
                .as_ref()
                .and_then(whole)
                .and_then(|mesh| usize::try_from(mesh).ok()),
            has_matrix: members.contains_key("matrix"),
        };
        let clip = |members: Members| member(&members, "name").unwrap_or_default();
        let mut this = Self {
            references: references(&root, &lists)?,
            nodes: heads(&lists["nodes"], node).context("its nodes")?,
            target_counts: target_counts.collect(),
            clips: heads(&lists["animations"], clip).context("its animations")?,
            root,
            lists,
            untouched: &[],
            chunks,
            bytes: Vec::new(),
            buffer: 0,
        };
        for name in GROWING {
            let count = this.list(name).len();
            this.references.forget_met(name, count);
        }
        this.choose_buffer(bin, named)?;
        this.take_buffers(named)?;
        this.take_images(named)?;
        Ok(this)
    }

    /// How many nodes it has.
    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// What a node is called, if there is one: some have no name.
    pub(super) fn node_name(&self, node: usize) -> Option<&str> {
        self.nodes.get(node).map(|node| &*node.name)
    }

    /// Whether it has a clip of this name.
    pub(super) fn has_clip(&self, name: &str) -> bool {
        self.clips.iter().any(|clip| clip == name)
    }

    /// A name that no clip of it has: the one that is wanted, or with a number.
    pub fn free_clip_name(&self, wanted: &str) -> String {
        free_name(wanted, |name| self.has_clip(name))
    }

    /// How many morph targets the mesh on a node has, if it has one.
    pub(super) fn target_count(&self, node: usize) -> Option<usize> {
        let mesh = self.nodes.get(node)?.mesh?;
        *self.target_counts.get(mesh)?
    }

    /// Adds bytes; the index of their view. They begin at a multiple of four (glTF 2.0 §3.6.2.4).
    pub(super) fn add_bytes(&mut self, bytes: &[u8]) -> anyhow::Result<usize> {
        let start = self.append(bytes);
        let view = json!({ "buffer": self.buffer, "byteOffset": start, "byteLength": bytes.len() });
        Ok(self.add("bufferViews", &view))
    }

    /// Adds bytes without a view; where they begin, at a multiple of four.
    fn append(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytes);
        start
    }

    pub(super) fn add_accessor(&mut self, accessor: &Value) -> usize {
        self.add("accessors", accessor)
    }

    pub(super) fn add_animation(&mut self, animation: &Members) {
        self.add("animations", animation);
    }

    /// Gives a node other members in place of its matrix, if it has one, which is returned.
    pub(super) fn replace_matrix(
        &mut self,
        node: usize,
        members: &[(&str, Value)],
    ) -> anyhow::Result<Option<Mat4>> {
        if self.nodes.get(node).is_none_or(|node| !node.has_matrix) {
            return Ok(None);
        }
        let mut matrix = None;
        self.change("nodes", node, |node| {
            matrix = member(node, "matrix");
            node.remove("matrix");
            for (name, value) in members {
                node.insert((*name).to_owned(), to_raw_value(value)?);
            }
            Ok(())
        })?;
        Ok(matrix.map(|numbers| Mat4::from_cols_array(&numbers)))
    }

    /// Says that a node is shown, or not, where it does not say that itself: what clips move must be there.
    pub(super) fn state_visibility(&mut self, node: usize, is_shown: bool) -> anyhow::Result<()> {
        self.change("nodes", node, |node| {
            let extensions = node.get("extensions");
            let extensions = extensions.map(|it| serde_json::from_str::<Members>(it.get()));
            let mut extensions = extensions.transpose()?.unwrap_or_default();
            if !extensions.contains_key(VISIBILITY) {
                let stated = to_raw_value(&json!({ "visible": is_shown }))?;
                extensions.insert(VISIBILITY.to_owned(), stated);
                node.insert("extensions".to_owned(), to_raw_value(&extensions)?);
            }
            Ok(())
        })
    }

    /// Gives a material the objects that a property of it is in, where they are not there: what clips move must be there, and
    /// without members such an object says what is so without it.
    pub(super) fn state_owner(&mut self, pointer: &str) -> anyhow::Result<()> {
        let path = pointer.strip_prefix("/materials/");
        let path = path.and_then(|path| path.split_once('/'));
        let Some((material, path)) = path else {
            return Ok(());
        };
        let names: Vec<&str> = path.split('/').collect();
        let (_, owners) = names.split_last().context("it names nothing")?;
        let material: usize = material.parse()?;
        let text = self.list("materials").get(material);
        let is_object = text.is_some_and(|it| serde_json::from_str::<Members>(it.get()).is_ok());
        // What is damaged stays as it is.
        if owners.is_empty() || !is_object {
            return Ok(());
        }
        let mut extensions = Vec::new();
        self.change("materials", material, |material| {
            owners::add(material, owners, false, &mut extensions)?;
            Ok(())
        })?;
        extensions
            .into_iter()
            .try_for_each(|name| self.use_extension(name))
    }

    /// Names an extension among those that the file uses, if it is not there yet.
    pub(super) fn use_extension(&mut self, name: &str) -> anyhow::Result<()> {
        let used = self.root.get("extensionsUsed");
        let used = used.map(|used| serde_json::from_str::<Vec<Value>>(used.get()));
        let mut used = used
            .transpose()
            .context("its extensionsUsed")?
            .unwrap_or_default();
        if !used.iter().any(|used| used == name) {
            used.push(json!(name));
            self.root
                .insert("extensionsUsed".to_owned(), to_raw_value(&used)?);
        }
        Ok(())
    }

    /// The file. Fails if it refers to something that was not there and is there now, by what was added.
    pub(super) fn finish(mut self) -> anyhow::Result<Vec<u8>> {
        for name in GROWING {
            let met = self.references.within(name, self.list(name).len());
            ensure!(
                met.is_none(),
                "it refers to {name}/{}, which is not there, and what is added would take that place",
                met.unwrap_or_default()
            );
        }
        let length = self.bytes.len();
        let buffer = self.buffer;
        let is_chunk = self.is_chunk();
        let uri = (!is_chunk).then(|| data_uri(&self.bytes));
        self.change("buffers", buffer, |buffer| {
            buffer.insert("byteLength".to_owned(), to_raw_value(&length)?);
            match uri {
                Some(uri) => buffer.insert("uri".to_owned(), to_raw_value(&uri)?),
                None => buffer.remove("uri"),
            };
            Ok(())
        })?;
        for (name, list) in self.lists {
            // An empty list is none (glTF 2.0 §3.2.1).
            if !list.is_empty() {
                self.root.insert(name.to_owned(), to_raw_value(&list)?);
            }
        }
        let text = serde_json::to_vec(&self.root)?;
        let bin = if is_chunk {
            &self.bytes
        } else {
            self.untouched
        };
        assemble(text, bin, self.chunks)
    }

    /// Whether what is added to becomes the binary chunk.
    fn is_chunk(&self) -> bool {
        self.untouched.is_empty() && self.buffer == 0
    }

    fn list(&self, name: &str) -> &[Raw] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, name: &'static str, value: &impl Serialize) -> usize {
        let list = self.lists.entry(name).or_default();
        // What is added can always be written as text: all of its keys are strings.
        list.extend(to_raw_value(value));
        list.len() - 1
    }

    fn change(
        &mut self,
        name: &'static str,
        index: usize,
        change: impl FnOnce(&mut Members) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let list = self.lists.entry(name).or_default();
        let member = list.get_mut(index).context("it is not there")?;
        let mut members: Members = serde_json::from_str(member.get())?;
        change(&mut members)?;
        *member = to_raw_value(&members)?;
        Ok(())
    }
}

/// All that a file refers to, read member by member, so that no second copy of all of it is there at once. Extras of objects
/// in lists refer to nothing, and may hold what cannot be read.
fn references(
    root: &Members,
    lists: &BTreeMap<&'static str, Vec<Raw>>,
) -> anyhow::Result<References> {
    let mut references = References::default();
    let mut look_through = |name: &str, member: &Raw| -> anyhow::Result<()> {
        let text = member.get();
        let value = serde_json::from_str(text).or_else(|_| {
            let mut members: Members = serde_json::from_str(text)?;
            members.remove("extras");
            serde_json::to_value(members)
        });
        references.look_through(name, &value.with_context(|| format!("its {name}"))?);
        Ok(())
    };
    for (name, members) in lists {
        members.iter().try_for_each(|it| look_through(name, it))?;
    }
    for (name, member) in root.iter().filter(|(name, _)| *name != "extras") {
        match serde_json::from_str::<Vec<Raw>>(member.get()) {
            Ok(members) => members.iter().try_for_each(|it| look_through(name, it))?,
            Err(_) => look_through(name, member)?,
        }
    }
    Ok(references)
}

/// What `read` makes of each member of a list. Where a member has a key twice, the last one counts (glTF 2.0 §2.7).
fn heads<T>(list: &[Raw], read: impl Fn(Members) -> T) -> serde_json::Result<Vec<T>> {
    list.iter()
        .map(|member| serde_json::from_str(member.get()).map(&read))
        .collect()
}

/// A member of an object, if it is there and what it should be.
pub(super) fn member<T: DeserializeOwned>(members: &Members, name: &str) -> Option<T> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

fn uri_of(object: &RawValue) -> anyhow::Result<Option<String>> {
    let members: Members = serde_json::from_str(object.get())?;
    Ok(member(&members, "uri"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_one_file_share_its_bytes() {
        let json = r#"{"images":[{"uri":"a.png"},{"uri":"b.png"},{"uri":"a.png"}]}"#;
        let image = |name: &str| {
            let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
            bytes.resize(1000, 7);
            (name.to_owned(), bytes)
        };
        let named = BTreeMap::from([image("a.png"), image("b.png")]);
        let file = SourceFile::new(json, None, &[], &named).unwrap();
        assert_eq!(file.bytes.len(), 2000);
        let images = file.list("images").iter();
        let view =
            |image: &Raw| serde_json::from_str::<Value>(image.get()).unwrap()["bufferView"].clone();
        assert_eq!(images.map(view).collect::<Vec<_>>(), [0, 1, 0]);
    }
}
