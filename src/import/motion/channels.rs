//! Animations as the file states them: which channel moves what (glTF 2.0 §3.11). Their data is read in [`super::clips`].

use std::borrow::Cow;

use gltf::json::{self, Index, accessor::Type, animation::Interpolation, validation::Checked};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    import::{
        arrays::source::Source,
        base::{diagnostics::Diagnostics, hashing::HashMap, progress::Cancelled, wording::shorten},
        json::{document::Section, fields::Fields, plain::PlainAnimation, references::beyond},
        scene::nodes::MovedNode,
    },
    model::PropertyTarget,
};

use super::pointer::{self, Pointed};

const IGNORED: &str = "the channel is ignored";
const SAMPLER_LOST: &str = "channels that use the sampler are ignored";

/// An animation, with its channels that can be used.
#[derive(Debug, Default)]
pub(in crate::import) struct FileClip {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    /// How many others the file states.
    pub(super) ignored: usize,
    /// By the place of a sampler its interpolation, if that is none, cut to what fits a message.
    pub(super) unknown_interpolations: HashMap<usize, Box<str>>,
}

/// A channel and its sampler; the references to nodes and accessors of the former are in range.
#[derive(Debug)]
pub(super) struct Channel {
    /// Its place in the file.
    pub index: usize,
    /// What it moves; what that belongs to is there.
    pub target: Pointed,
    /// The pointer that says so, if one does.
    pub pointer: Option<Box<str>>,
    /// The sampler's place in the file.
    pub sampler_index: usize,
    pub sampler: json::animation::Sampler,
}

/// Channels and samplers stay text at first, so that a bad one costs only itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileAnimation {
    name: Option<String>,
    channels: Option<Vec<Box<RawValue>>>,
    samplers: Option<Vec<Box<RawValue>>>,
}

/// The gltf crate's own type demands a node; the specification does not.
#[derive(Debug, Deserialize)]
struct FileChannel<'t> {
    sampler: Index<json::animation::Sampler>,
    target: FileTarget<'t>,
}

#[derive(Debug, Deserialize)]
struct FileTarget<'t> {
    node: Option<Index<json::Node>>,
    path: Cow<'t, str>,
    extensions: Option<FileExtensions>,
}

#[derive(Debug, Deserialize)]
struct FileExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pointer: Option<FilePointer>,
}

#[derive(Debug, Deserialize)]
struct FilePointer {
    pointer: String,
}

/// Reads all animations.
pub(in crate::import) fn read(
    source: &Source<'_>,
    light_count: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<FileClip>, Cancelled> {
    let mut clips = Vec::new();
    for index in 0..source.document.count(Section::Animations) {
        source.progress.check()?;
        let document = &source.document;
        let reader = Reader {
            source,
            animation: index,
            light_count,
            unknown_interpolations: HashMap::default(),
            diagnostics,
        };
        clips.push(match document.plain().animation(index) {
            Some(plain) => reader.read_plain(plain),
            None => {
                let section = Section::Animations;
                let object = document.object(section, index, reader.diagnostics);
                reader.read(object.unwrap_or_default())
            }
        });
    }
    Ok(clips)
}

/// The nodes whose translation, rotation or scale is moved, by channels whose data are there.
pub(in crate::import) fn moved_nodes(
    source: &Source<'_>,
    clips: &[FileClip],
) -> HashMap<usize, MovedNode> {
    let mut all = HashMap::<usize, MovedNode>::default();
    for (animation, clip) in clips.iter().enumerate() {
        for channel in &clip.channels {
            let (node, shape, is_turned) = match channel.target {
                Pointed::Translation(node) => (node, Type::Vec3, false),
                Pointed::Scale(node) => (node, Type::Vec3, true),
                Pointed::Rotation(node) => (node, Type::Vec4, true),
                _ => continue,
            };
            if channel.is_readable(shape, source) {
                let moved = all.entry(node).or_default();
                if !channel.is_pointer() {
                    moved.is_target = true;
                } else if is_turned {
                    moved.turned_by.get_or_insert((animation, channel.index));
                }
            }
        }
    }
    all
}

impl Channel {
    /// Whether a pointer says what it moves, which allows more formats of values.
    pub(super) fn is_pointer(&self) -> bool {
        self.pointer.is_some()
    }

    /// Whether there are key times, and values of this shape.
    fn is_readable(&self, shape: Type, source: &Source<'_>) -> bool {
        let sampler = &self.sampler;
        let parts = [(sampler.input, Type::Scalar), (sampler.output, shape)];
        let mut parts = parts.into_iter();
        sampler.interpolation != Checked::Invalid
            && parts.all(|(index, shape)| {
                let accessor = source.accessors.get(index.value());
                accessor.is_ok_and(|it| it.shape == shape && it.has_view(&source.buffers))
            })
    }
}

/// Reads one animation.
struct Reader<'r, 's> {
    source: &'r Source<'s>,
    animation: usize,
    light_count: usize,
    /// As in [`FileClip`].
    unknown_interpolations: HashMap<usize, Box<str>>,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_, '_> {
    fn read_plain(mut self, plain: &PlainAnimation<'_>) -> FileClip {
        let samplers = plain.samplers.iter().enumerate().map(|(index, sampler)| {
            let stated = sampler.interpolation;
            let interpolation = match stated {
                None | Some("LINEAR") => Checked::Valid(Interpolation::Linear),
                Some("STEP") => Checked::Valid(Interpolation::Step),
                Some("CUBICSPLINE") => Checked::Valid(Interpolation::CubicSpline),
                Some(_) => Checked::Invalid,
            };
            let sampler = json::animation::Sampler {
                input: Index::new(sampler.input),
                output: Index::new(sampler.output),
                interpolation,
                extensions: None,
                extras: Default::default(),
            };
            self.checked_sampler(index, sampler, || stated.map(Cow::Borrowed))
        });
        let samplers: Vec<_> = samplers.collect();
        // Almost all can be used.
        let mut channels = Vec::with_capacity(plain.channels.len());
        let stated = plain.channels.iter().enumerate();
        channels.extend(stated.filter_map(|(index, channel)| {
            let target = FileTarget {
                node: channel.node.map(Index::new),
                path: Cow::Borrowed(channel.path),
                extensions: None,
            };
            let sampler = Index::new(channel.sampler);
            self.checked_channel(index, FileChannel { sampler, target }, &samplers)
        }));
        FileClip {
            ignored: plain.channels.len().saturating_sub(channels.len()),
            channels,
            name: plain.name.unwrap_or_default().to_owned(),
            unknown_interpolations: self.unknown_interpolations,
        }
    }

    fn read(mut self, object: FileAnimation) -> FileClip {
        let animation = self.animation;
        for (name, list) in [
            ("channels", &object.channels),
            ("samplers", &object.samplers),
        ] {
            // That one is missing the checks say.
            if list.as_ref().is_some_and(Vec::is_empty) {
                let pointer = format_args!("/animations/{animation}/{name}");
                self.diagnostics
                    .error("EMPTY_ENTITY", pointer, "the list is empty", "");
            }
        }
        let stated = object.samplers.unwrap_or_default();
        let samplers: Vec<_> = stated
            .iter()
            .enumerate()
            .map(|(index, text)| self.sampler(index, text))
            .collect();
        let stated = object.channels.unwrap_or_default();
        let mut channels = Vec::new();
        for (index, text) in stated.iter().enumerate() {
            channels.extend(self.channel(index, text, &samplers));
        }
        FileClip {
            name: object.name.unwrap_or_default(),
            ignored: stated.len().saturating_sub(channels.len()),
            channels,
            unknown_interpolations: self.unknown_interpolations,
        }
    }

    fn sampler(&mut self, index: usize, text: &RawValue) -> Option<json::animation::Sampler> {
        let animation = self.animation;
        let document = &self.source.document;
        let loss = SAMPLER_LOST;
        let pointer = format_args!("/animations/{animation}/samplers/{index}");
        let sampler: json::animation::Sampler =
            document.read(text.get(), pointer, loss, self.diagnostics)?;
        self.checked_sampler(index, sampler, || {
            Fields::of(text.get())?.text("interpolation")
        })
    }

    fn checked_sampler<'t>(
        &mut self,
        index: usize,
        sampler: json::animation::Sampler,
        interpolation: impl FnOnce() -> Option<Cow<'t, str>>,
    ) -> Option<json::animation::Sampler> {
        let animation = self.animation;
        let document = &self.source.document;
        let pointer = format_args!("/animations/{animation}/samplers/{index}");
        let loss = SAMPLER_LOST;
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
        if sampler.interpolation == Checked::Invalid
            && let Some(unknown) = interpolation()
        {
            let unknown = shorten(&unknown).to_string();
            self.unknown_interpolations.insert(index, unknown.into());
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
        let channel: FileChannel<'_> =
            document.read(text.get(), pointer, IGNORED, self.diagnostics)?;
        self.checked_channel(index, channel, samplers)
    }

    fn checked_channel(
        &mut self,
        index: usize,
        channel: FileChannel<'_>,
        samplers: &[Option<json::animation::Sampler>],
    ) -> Option<Channel> {
        let animation = self.animation;
        let pointer = format_args!("/animations/{animation}/channels/{index}");
        let (target, named) = if channel.target.path == "pointer" {
            let (target, named) = self.pointed(index, channel.target.extensions)?;
            (target, Some(named.into()))
        } else {
            (self.node_target(index, &channel.target)?, None)
        };
        let sampler_index = channel.sampler.value();
        let Some(sampler) = samplers.get(sampler_index) else {
            let count = samplers.len();
            let message = beyond("samplers", sampler_index, count);
            let pointer = format_args!("{pointer}/sampler");
            self.diagnostics
                .error("UNRESOLVED_REFERENCE", pointer, message, IGNORED);
            return None;
        };
        // A sampler that could not be read has been named already.
        let sampler = sampler.clone()?;
        Some(Channel {
            index,
            target,
            pointer: named,
            sampler_index,
            sampler,
        })
    }

    fn node_target(&mut self, channel: usize, target: &FileTarget<'_>) -> Option<Pointed> {
        let animation = self.animation;
        let pointer = format_args!("/animations/{animation}/channels/{channel}/target");
        let of_node: fn(usize) -> Pointed = match &*target.path {
            "translation" => Pointed::Translation,
            "rotation" => Pointed::Rotation,
            "scale" => Pointed::Scale,
            "weights" => Pointed::Weights,
            unknown => {
                let unknown = shorten(unknown);
                let message = format!("the path \"{unknown}\" is unknown");
                let pointer = format_args!("{pointer}/path");
                self.diagnostics
                    .warning("VALUE_NOT_IN_LIST", pointer, message, IGNORED);
                return None;
            }
        };
        let Some(node) = target.node else {
            // glTF 2.0 §3.11: then the channel should be ignored.
            self.diagnostics.info(
                "ANIMATION_CHANNEL_TARGET_NODE_UNDEFINED",
                pointer,
                "the channel names no node",
                IGNORED,
            );
            return None;
        };
        let pointer = format_args!("{pointer}/node");
        let document = &self.source.document;
        let node = document.reference(Section::Nodes, node, pointer, IGNORED, self.diagnostics)?;
        Some(of_node(node))
    }

    /// What the pointer of a channel names, if that is there, and the pointer.
    fn pointed(
        &mut self,
        channel: usize,
        extensions: Option<FileExtensions>,
    ) -> Option<(Pointed, String)> {
        let animation = self.animation;
        let at = format_args!(
            "/animations/{animation}/channels/{channel}/target/extensions/KHR_animation_pointer/pointer"
        );
        let Some(FilePointer { pointer }) = extensions.and_then(|extensions| extensions.pointer)
        else {
            let message = "the channel has no pointer that says what it moves";
            self.diagnostics
                .warning("ANIMATION_POINTER_UNRESOLVED", at, message, IGNORED);
            return None;
        };
        let meant = pointer::without_dot(&pointer);
        let respelt = meant.as_deref().and_then(pointer::resolve);
        if let (Some(meant), Some(_)) = (&meant, respelt) {
            let message = format!("\"{}\" has a dot for a slash", shorten(&pointer));
            let action = format!("it is read as \"{}\"", shorten(meant));
            let code = "ANIMATION_POINTER_UNRESOLVED";
            self.diagnostics.warning(code, at, message, action);
        }
        let Some(target) = respelt.or_else(|| pointer::resolve(&pointer)) else {
            let shown = shorten(&pointer);
            if !is_json_pointer(&pointer) {
                let message = format!("\"{shown}\" is no JSON pointer (RFC 6901)");
                self.diagnostics
                    .error("PATTERN_MISMATCH", at, message, IGNORED);
                return None;
            }
            let code = "ANIMATION_POINTER_UNRESOLVED";
            if pointer::is_for_others(&pointer) {
                let message = format!("\"{shown}\" moves nothing that is shown here");
                self.diagnostics.info(code, at, message, IGNORED);
            } else {
                // The extension forbids it, but the validator follows no pointers, and Blender writes such.
                let message = format!("\"{shown}\" is nothing that can be moved");
                self.diagnostics.warning(code, at, message, IGNORED);
            }
            return None;
        };
        let document = &self.source.document;
        let (name, index, count) = match target {
            Pointed::Translation(node)
            | Pointed::Rotation(node)
            | Pointed::Scale(node)
            | Pointed::Weights(node)
            | Pointed::Weight(node, _)
            | Pointed::Visibility(node) => ("nodes", node, document.count(Section::Nodes)),
            Pointed::MeshWeights(mesh) | Pointed::MeshWeight(mesh, _) => {
                ("meshes", mesh, document.count(Section::Meshes))
            }
            Pointed::Other(PropertyTarget::Camera(camera, _)) => {
                ("cameras", camera, document.count(Section::Cameras))
            }
            Pointed::Other(PropertyTarget::Light(light, _)) => ("lights", light, self.light_count),
            Pointed::Other(
                PropertyTarget::Material(material, _)
                | PropertyTarget::TextureTransform(material, ..),
            ) => ("materials", material, document.count(Section::Materials)),
            // Nodes have their own places here.
            Pointed::Other(PropertyTarget::Visibility(_) | PropertyTarget::NodeWeight(..)) => {
                return None;
            }
        };
        if index >= count {
            let message = beyond(name, index, count);
            self.diagnostics
                .error("ANIMATION_POINTER_UNRESOLVED", at, message, IGNORED);
            return None;
        }
        Some((target, pointer))
    }
}

/// Whether a text has the form of a pointer: empty, or parts that each begin with a slash, in which a tilde stands before 0
/// or 1 alone (RFC 6901 §3).
fn is_json_pointer(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/')) && escapes.all(|after| after.starts_with(['0', '1']))
}
