//! Names and nodes of what findings are about: who made a file knows its clips, nodes and weights by name, and not by their
//! place.

use std::{borrow::Cow, str::Split};

use serde::Deserialize;
use serde_json::Value;

use crate::{
    import::{
        base::{diagnostics::Diagnostic, extension, hashing::HashMap, wording::shorten},
        json::document::{Document, Section},
    },
    model::Model,
};

/// How many nodes are named; a sampler may move more.
const SHOWN: usize = 3;

#[derive(Default, Deserialize)]
struct FileClip {
    channels: Vec<FileChannel>,
}

#[derive(Deserialize)]
struct FileChannel {
    sampler: Option<usize>,
    target: Option<FileTarget>,
}

#[derive(Deserialize)]
struct FileTarget {
    node: Option<usize>,
    #[serde(default)]
    path: Value,
    extensions: Option<FileExtensions>,
}

#[derive(Deserialize)]
struct FileExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pointer: Option<FilePointer>,
}

#[derive(Deserialize)]
struct FilePointer {
    #[serde(default)]
    pointer: Value,
}

/// What something is, and what it is called.
type Named<'m> = (Cow<'static, str>, &'m str);

/// The findings, each with the names of the clip, nodes, mesh or skin that it points to, with what an accessor holds, and with
/// the node that a channel moves, unless it says them itself.
pub(in crate::import) fn told(
    document: &Document<'_>,
    model: &Model,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut clips = HashMap::default();
    for diagnostic in &mut found {
        let (pointer, message) = (&diagnostic.pointer, &diagnostic.message);
        let names = names_at(document, model, &mut clips, pointer).unwrap_or_default();
        let is_new = |(_, name): &Named<'_>| !message.contains(&quoted(name));
        let names = names.into_iter().filter(|it| !it.1.is_empty());
        let names = names
            .filter(is_new)
            .map(|(what, name)| format!("{what} {}", quoted(name)));
        let held = held_at(pointer).filter(|_| message.contains("accessor "));
        let words: Vec<String> = held.map(str::to_owned).into_iter().chain(names).collect();
        if !words.is_empty() {
            diagnostic.message = format!("{message} ({})", words.join(", "));
        }
        let node = diagnostic.place.node_index;
        diagnostic.place.node_index = node.or_else(|| node_at(model, &clips, &diagnostic.pointer));
    }
    found
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", shorten(name))
}

/// What an accessor holds that stands at a JSON pointer, in words.
fn held_at(pointer: &str) -> Option<&'static str> {
    let (rest, name) = pointer.rsplit_once('/')?;
    let is_attribute = rest.ends_with("/attributes") || rest.contains("/targets/");
    let words = [
        ("POSITION", "positions"),
        ("NORMAL", "normals"),
        ("TANGENT", "tangents"),
        ("TEXCOORD_", "texture coordinates"),
        ("COLOR_", "colours"),
        ("JOINTS_", "joints"),
        ("WEIGHTS_", "weights"),
    ];
    match name {
        "input" => Some("key times"),
        "indices" => Some("indices"),
        "inverseBindMatrices" => Some("bind matrices"),
        _ if is_attribute => {
            let mut words = words.into_iter();
            words.find_map(|(start, words)| name.starts_with(start).then_some(words))
        }
        _ => None,
    }
}

/// What stands at a JSON pointer, and what it is called. `clips` are those that were read for it.
fn names_at<'m>(
    document: &Document<'_>,
    model: &'m Model,
    clips: &mut HashMap<usize, FileClip>,
    pointer: &str,
) -> Option<Vec<Named<'m>>> {
    let mut parts = pointer.split('/').skip(1);
    let section = parts.next()?;
    let index: usize = parts.next()?.parse().ok()?;
    let part = parts.next().zip(parts.next());
    Some(match section {
        "animations" => {
            let clip = model.clips.get(index)?.name();
            let moved = part.and_then(|(list, place)| {
                let read = || document.read_silently(document.text(Section::Animations, index));
                let clip = clips
                    .entry(index)
                    .or_insert_with(|| read().unwrap_or_default());
                Some(moved_by(model, clip, list, place.parse().ok()?))
            });
            let moved = moved.unwrap_or_default();
            std::iter::once((Cow::Borrowed("clip"), clip))
                .chain(moved)
                .collect()
        }
        "meshes" => {
            let mesh = model.meshes.get(index)?;
            let target = match (parts.next(), parts.next()) {
                (Some("targets"), Some(place)) => place.parse::<usize>().ok(),
                _ => None,
            };
            let target = target.and_then(|place| mesh.target_names.get(place));
            let target = target.map(|name| ("morph target".into(), name.as_str()));
            let mesh = std::iter::once(("mesh".into(), mesh.name.as_str()));
            mesh.chain(target).collect()
        }
        "skins" => vec![("skin".into(), model.skins.get(index)?.name.as_str())],
        "nodes" => vec![("node".into(), node_name(model, index)?)],
        _ => return None,
    })
}

fn node_name(model: &Model, index: usize) -> Option<&str> {
    let id = model.hierarchy.by_file_index(index)?;
    Some(&model.hierarchy.node(id).name)
}

/// The node that the channel at a JSON pointer moves, or the first of those that the channels of a sampler do, by its index in
/// the file. `clips` are those that were read for their names.
fn node_at(model: &Model, clips: &HashMap<usize, FileClip>, pointer: &str) -> Option<usize> {
    let mut parts = pointer.strip_prefix("/animations/")?.split('/');
    let clip = clips.get(&parts.next()?.parse().ok()?)?;
    let (list, place) = (parts.next()?, parts.next()?.parse().ok()?);
    let node = clip.targets(list, place).find_map(FileTarget::node_index)?;
    model.hierarchy.by_file_index(node).map(|_| node)
}

impl FileClip {
    /// What a channel moves, or the channels of a sampler.
    fn targets<'c>(&'c self, list: &'c str, place: usize) -> impl Iterator<Item = &'c FileTarget> {
        let channels = self.channels.iter().enumerate();
        let channels = channels.filter(move |(index, channel)| match list {
            "channels" => *index == place,
            "samplers" => channel.sampler == Some(place),
            _ => false,
        });
        channels.filter_map(|(_, channel)| channel.target.as_ref())
    }
}

impl FileTarget {
    /// The node, if it is one or something of one that is moved.
    fn node_index(&self) -> Option<usize> {
        match self.pointer() {
            Some(pointer) => {
                let (index, _) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
                index.parse().ok()
            }
            None => self.node,
        }
    }

    /// The pointer that says what is moved, if one does; empty where it is no text.
    fn pointer(&self) -> Option<&str> {
        let pointer = self.extensions.as_ref()?.pointer.as_ref()?;
        Some(pointer.pointer.as_str().unwrap_or_default())
    }
}

/// Names of what a channel moves, or the channels of a sampler.
fn moved_by<'m>(model: &'m Model, clip: &FileClip, list: &str, place: usize) -> Vec<Named<'m>> {
    let mut moved: Vec<_> = clip
        .targets(list, place)
        .take(SHOWN)
        .filter_map(|it| moved(model, it))
        .collect();
    moved.dedup();
    moved
}

fn moved<'m>(model: &'m Model, target: &FileTarget) -> Option<Named<'m>> {
    if let Some(pointer) = target.pointer() {
        return named_by(model, pointer.split('/'));
    }
    let what = match target.path.as_str().unwrap_or_default() {
        path @ ("translation" | "rotation" | "scale" | "weights") => {
            format!("{path} of node").into()
        }
        _ => "node".into(),
    };
    Some((what, node_name(model, target.node?)?))
}

/// What the parts of a pointer that a channel has name.
fn named_by<'m>(model: &'m Model, mut parts: Split<'_, char>) -> Option<Named<'m>> {
    let mut section = parts.nth(1)?;
    if (section, parts.clone().next()) == ("extensions", Some(extension::KHR_LIGHTS_PUNCTUAL)) {
        section = parts.nth(1)?;
    }
    let index: usize = parts.next()?.parse().ok()?;
    let (what, name) = match section {
        "nodes" => ("node", node_name(model, index)?),
        "meshes" => ("mesh", model.meshes.get(index)?.name.as_str()),
        "materials" => ("material", model.materials.get(index)?.name.as_str()),
        "cameras" => ("camera", model.cameras.get(index)?.name.as_str()),
        "lights" => ("light", model.lights.get(index)?.name.as_str()),
        _ => return None,
    };
    Some((what.into(), name))
}
