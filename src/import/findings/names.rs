//! Names of what findings are about: who made a file knows its clips and nodes by name, and not by their place.

use serde::Deserialize;

use crate::{
    import::{
        base::{diagnostics::Diagnostic, hashing::HashMap, wording::shorten},
        json::document::{Document, Section},
    },
    model::Model,
};

/// So many nodes are named; a sampler may move more.
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
}

/// The findings, each with the names of the clip, nodes, mesh or skin that it points to, unless it says them itself.
pub(in crate::import) fn told(
    document: &Document<'_>,
    model: &Model,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut clips = HashMap::default();
    for diagnostic in &mut found {
        let names = names_at(document, model, &mut clips, &diagnostic.pointer).unwrap_or_default();
        let is_new = |(_, name): &(&str, &str)| !diagnostic.message.contains(&quoted(name));
        let names = names.into_iter().filter(|it| !it.1.is_empty());
        let names: Vec<String> = names
            .filter(is_new)
            .map(|(what, name)| format!("{what} {}", quoted(name)))
            .collect();
        if !names.is_empty() {
            diagnostic.message = format!("{} ({})", diagnostic.message, names.join(", "));
        }
    }
    found
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", shorten(name))
}

/// What stands at a JSON pointer, and what it is called. `clips` are those that were read for it.
fn names_at<'m>(
    document: &Document<'_>,
    model: &'m Model,
    clips: &mut HashMap<usize, FileClip>,
    pointer: &str,
) -> Option<Vec<(&'static str, &'m str)>> {
    let mut parts = pointer.split('/').skip(1);
    let section = parts.next()?;
    let index: usize = parts.next()?.parse().ok()?;
    let node_name = |index: usize| {
        let id = model.hierarchy.by_file_index(index)?;
        Some(("node", model.hierarchy.node(id).name.as_str()))
    };
    Some(match section {
        "animations" => {
            let clip = model.clips.get(index)?.name();
            let part = parts.next().zip(parts.next());
            let nodes = part.and_then(|(list, place)| {
                let read = || document.read_silently(document.text(Section::Animations, index));
                let clip = clips
                    .entry(index)
                    .or_insert_with(|| read().unwrap_or_default());
                Some(nodes_of(clip, list, place.parse().ok()?))
            });
            let nodes = nodes.unwrap_or_default().into_iter().filter_map(node_name);
            std::iter::once(("clip", clip)).chain(nodes).collect()
        }
        "meshes" => vec![("mesh", model.meshes.get(index)?.name.as_str())],
        "skins" => vec![("skin", model.skins.get(index)?.name.as_str())],
        "nodes" => vec![node_name(index)?],
        _ => return None,
    })
}

/// The nodes that a channel moves, or the channels of a sampler.
fn nodes_of(clip: &FileClip, list: &str, place: usize) -> Vec<usize> {
    let channels = clip.channels.iter().enumerate();
    let channels = channels.filter(|(index, channel)| match list {
        "channels" => *index == place,
        "samplers" => channel.sampler == Some(place),
        _ => false,
    });
    let nodes = channels.filter_map(|(_, channel)| channel.target.as_ref()?.node);
    let mut nodes: Vec<usize> = nodes.take(SHOWN).collect();
    nodes.dedup();
    nodes
}
