//! Animations as the file states them: which channel moves what (glTF 2.0 §3.11). Their data is read in [`super::clips`].

use std::collections::HashSet;

use gltf::json::{self, Index};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{diagnostics::Diagnostics, document::Section, progress::Cancelled, source::Source};

const IGNORED: &str = "the channel is ignored";

/// An animation, with its channels that can be used.
#[derive(Debug, Default)]
pub(super) struct FileClip {
    pub name: String,
    pub channels: Vec<Channel>,
}

/// A channel and its sampler; the references to nodes and accessors of the former are in range.
#[derive(Debug)]
pub(super) struct Channel {
    /// Its place in the file.
    pub index: usize,
    /// The node, by its index in the file.
    pub node: usize,
    pub path: Path,
    /// The sampler's place in the file.
    pub sampler_index: usize,
    pub sampler: json::animation::Sampler,
}

/// What of a node a channel moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

/// Channels and samplers stay text at first, so that a bad one costs only itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileAnimation {
    name: Option<String>,
    channels: Vec<Box<RawValue>>,
    samplers: Vec<Box<RawValue>>,
}

/// The gltf crate's own type demands a node; the specification does not.
#[derive(Debug, Deserialize)]
struct FileChannel {
    sampler: Index<json::animation::Sampler>,
    target: FileTarget,
}

#[derive(Debug, Deserialize)]
struct FileTarget {
    node: Option<Index<json::Node>>,
    path: String,
}

/// Reads all animations.
pub(super) fn read(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FileClip>, Cancelled> {
    let mut clips = Vec::new();
    for index in 0..source.document.count(Section::Animations) {
        source.progress.check()?;
        let object =
            source
                .document
                .object::<FileAnimation>(Section::Animations, index, diagnostics);
        let mut reader = Reader {
            source,
            animation: index,
            seen: HashSet::new(),
            diagnostics,
        };
        clips.push(reader.read(object.unwrap_or_default()));
    }
    Ok(clips)
}

/// The nodes whose translation, rotation or scale is moved.
pub(super) fn moved_nodes(clips: &[FileClip]) -> HashSet<usize> {
    let channels = clips.iter().flat_map(|clip| &clip.channels);
    channels
        .filter(|channel| channel.path != Path::Weights)
        .map(|channel| channel.node)
        .collect()
}

/// Reads one animation.
struct Reader<'r, 's> {
    source: &'r Source<'s>,
    animation: usize,
    seen: HashSet<(usize, Path)>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_> {
    fn read(&mut self, object: FileAnimation) -> FileClip {
        let animation = self.animation;
        for (name, list) in [
            ("channels", &object.channels),
            ("samplers", &object.samplers),
        ] {
            if list.is_empty() {
                let pointer = format_args!("/animations/{animation}/{name}");
                self.diagnostics
                    .error("EMPTY_ENTITY", pointer, "the list is empty", "");
            }
        }
        let samplers: Vec<_> = object
            .samplers
            .iter()
            .enumerate()
            .map(|(index, text)| self.sampler(index, text))
            .collect();
        let mut channels = Vec::new();
        for (index, text) in object.channels.iter().enumerate() {
            channels.extend(self.channel(index, text, &samplers));
        }
        FileClip {
            name: object.name.unwrap_or_default(),
            channels,
        }
    }

    fn sampler(&mut self, index: usize, text: &RawValue) -> Option<json::animation::Sampler> {
        let animation = self.animation;
        let document = &self.source.document;
        let loss = "channels that use the sampler are ignored";
        let pointer = format_args!("/animations/{animation}/samplers/{index}");
        let sampler: json::animation::Sampler =
            document.read(text.get(), pointer, loss, self.diagnostics)?;
        for (name, accessor) in [("input", sampler.input), ("output", sampler.output)] {
            let pointer = format_args!("{pointer}/{name}");
            document.reference(
                Section::Accessors,
                accessor,
                pointer,
                loss,
                self.diagnostics,
            )?;
        }
        Some(sampler)
    }

    fn channel(
        &mut self,
        index: usize,
        text: &RawValue,
        samplers: &[Option<json::animation::Sampler>],
    ) -> Option<Channel> {
        let animation = self.animation;
        let document = &self.source.document;
        let pointer = format_args!("/animations/{animation}/channels/{index}");
        let channel: FileChannel = document.read(text.get(), pointer, IGNORED, self.diagnostics)?;
        let path = self.path(index, &channel.target.path)?;
        let Some(node) = channel.target.node else {
            // glTF 2.0 §3.11: then the channel should be ignored.
            self.diagnostics.info(
                "ANIMATION_CHANNEL_TARGET_NODE_UNDEFINED",
                format_args!("{pointer}/target"),
                "the channel names no node",
                IGNORED,
            );
            return None;
        };
        let node_pointer = format_args!("{pointer}/target/node");
        let node = document.reference(
            Section::Nodes,
            node,
            node_pointer,
            IGNORED,
            self.diagnostics,
        )?;
        let sampler_index = channel.sampler.value();
        let Some(sampler) = samplers.get(sampler_index) else {
            let count = samplers.len();
            let message = format!("it refers to sampler {sampler_index}, and there are {count}");
            let pointer = format_args!("{pointer}/sampler");
            self.diagnostics
                .error("UNRESOLVED_REFERENCE", pointer, message, IGNORED);
            return None;
        };
        // A sampler that could not be read has been named already.
        let sampler = sampler.clone()?;
        if !self.seen.insert((node, path)) {
            let message = format!("another channel moves the {path:?} of node {node} already");
            self.diagnostics
                .error("ANIMATION_DUPLICATE_TARGETS", pointer, message, IGNORED);
            return None;
        }
        Some(Channel {
            index,
            node,
            path,
            sampler_index,
            sampler,
        })
    }

    fn path(&mut self, channel: usize, path: &str) -> Option<Path> {
        let animation = self.animation;
        let pointer = format_args!("/animations/{animation}/channels/{channel}/target/path");
        match path {
            "translation" => Some(Path::Translation),
            "rotation" => Some(Path::Rotation),
            "scale" => Some(Path::Scale),
            "weights" => Some(Path::Weights),
            "pointer" => {
                let message = "KHR_animation_pointer is not played yet";
                self.diagnostics
                    .info("EXTENSION_NOT_DRAWN", pointer, message, IGNORED);
                None
            }
            unknown => {
                let unknown = super::sandbox::shorten(unknown);
                let message = format!("the path \"{unknown}\" is unknown");
                self.diagnostics
                    .warning("VALUE_NOT_IN_LIST", pointer, message, IGNORED);
                None
            }
        }
    }
}
