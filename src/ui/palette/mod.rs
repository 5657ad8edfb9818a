//! What the palette finds: every line of the table of keys, and whatever of the model and of the files has a name.

mod fuzzy;
pub mod keyless;
pub mod picker;
mod synonyms;

use std::{borrow::Cow, cmp::Reverse};

use super::{
    CameraCommand, Command, Picker, PictureCommand, View, WindowCommand,
    keys::{self, Action, Binding, Shortcut, commands::command},
    menus,
    overlays::echo::{self, Line, Pressed},
    text,
};
use crate::{model::Keyed as _, scene::ViewMode};
use fuzzy::{Name, Query};
use keyless::Keyless;

/// Something to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A line of the table of keys, and which of its keys.
    Line(&'static Binding, usize),
    /// What has no key, by its place.
    Keyless(usize),
    /// A clip, by its index.
    Clip(usize),
    /// What is drawn of surfaces.
    ViewMode(ViewMode),
    /// Materials, by their index.
    Variant(usize),
    /// A scene, by its index.
    Scene(usize),
    /// A camera of the file, by its place in their list.
    FileCamera(usize),
    /// A file that was opened before, by its place.
    Recent(usize),
    /// A built-in model, by its place.
    BuiltIn(usize),
    /// A node, by its place.
    Node(usize),
}

/// What fits what was typed.
#[derive(Debug, Default)]
pub struct Found {
    /// What is listed, the best first.
    pub entries: Vec<Entry>,
    query: Query,
    /// The nodes that fit, in the order of the tree, also those that are not listed; none if none were looked at.
    nodes: Option<Vec<usize>>,
}

/// How many are listed: nobody reads on.
const MAX_LISTED: usize = 200;
/// Shorter texts fit too many nodes.
const MIN_FOR_NODES: usize = 2;
/// Finds nodes alone, however short the rest.
const NODE_PREFIX: char = '@';
/// More than any way to fit that comes after it.
const WAY: u32 = 1 << 24;
/// What does nothing now has to fit by its name, or by words: letters of it are in too many texts.
const LEAST_OF_IDLE: u32 = 2 * WAY;

/// What fits what was typed, the best first; without anything typed all commands that do something now, or all files. What
/// does nothing now comes after what fits in the same way and does. `before` is what was found among the same nodes.
pub fn find(picker: Picker, typed: &str, view: &View<'_>, before: &Found) -> Found {
    let typed = typed.trim();
    let only_nodes = typed.strip_prefix(NODE_PREFIX);
    let query = Query::new(only_nodes.unwrap_or(typed));
    let is_long = only_nodes.is_some() || typed.chars().count() >= MIN_FOR_NODES;
    let has_nodes = picker == Picker::Palette && is_long;
    let mut entries: Vec<Entry> = Vec::new();
    match picker {
        Picker::Recent => entries.extend((0..view.files.recent.len()).map(Entry::Recent)),
        Picker::Palette => {
            if only_nodes.is_none() {
                entries.extend(lines(view));
                entries.extend((0..keyless::LINES.len()).map(Entry::Keyless));
                if !query.is_empty() {
                    entries.extend(named(view));
                }
            }
            if has_nodes {
                match before.nodes_for(&query) {
                    Some(nodes) => entries.extend(nodes.iter().copied().map(Entry::Node)),
                    None => entries.extend((0..view.nodes.rows.len()).map(Entry::Node)),
                }
            }
        }
    }
    if query.is_empty() {
        entries.retain(|entry| !entry.is_idle(view));
        entries.truncate(MAX_LISTED);
        return Found {
            entries,
            ..Found::default()
        };
    }
    let hit = |entry: Entry| {
        let (score, is_idle) = (entry.score(&query, view)?, entry.is_idle(view));
        let fits = !is_idle || score >= LEAST_OF_IDLE;
        fits.then_some((score, is_idle, entry))
    };
    let mut hits: Vec<(u32, bool, Entry)> = entries.into_iter().filter_map(hit).collect();
    let nodes = hits.iter().filter_map(|(.., entry)| match entry {
        Entry::Node(node) => Some(*node),
        _ => None,
    });
    let nodes = has_nodes.then(|| nodes.collect());
    // Stable: what fits alike stays in the order of its kinds.
    hits.sort_by_key(|(score, is_idle, _)| (Reverse(score / WAY), *is_idle, Reverse(*score)));
    hits.truncate(MAX_LISTED);
    Found {
        entries: hits.into_iter().map(|(.., entry)| entry).collect(),
        query,
        nodes,
    }
}

impl Found {
    /// The nodes among which all are that fit a query; none if that is not known.
    fn nodes_for(&self, query: &Query) -> Option<&[usize]> {
        let nodes = self.nodes.as_deref()?;
        query.goes_on_from(&self.query).then_some(nodes)
    }
}

/// All lines of the table that do something now, or of which there is to say why they do not.
fn lines<'v>(view: &'v View<'_>) -> impl Iterator<Item = Entry> + 'v {
    let listed = |binding: &'static Binding| {
        let keys = if has_directions(binding) {
            binding.listed.min(binding.keys.len())
        } else {
            1
        };
        (0..keys).map(move |which| (binding, which))
    };
    keys::bindings()
        // Clips are listed by their names; the rest is about the palette itself.
        .filter(|binding| {
            let action = binding.action;
            !matches!(
                action,
                Action::Clip | Action::MixClip | Action::Palette | Action::Close
            )
        })
        .flat_map(listed)
        // Of four keys for two directions the last two are others for the same.
        .filter(|(binding, which)| *which < 2 || !has_alternatives(binding))
        .map(|(binding, which)| Entry::Line(binding, which))
        .filter(|entry| entry.why_not(view).is_none_or(|why| !why.is_empty()))
}

/// Whatever else has a name, but for nodes.
fn named<'v>(view: &'v View<'_>) -> impl Iterator<Item = Entry> + 'v {
    (0..view.clips.rows.len())
        .map(Entry::Clip)
        .chain(ViewMode::ALL.iter().copied().map(Entry::ViewMode))
        .chain((0..view.model.variants.len()).map(Entry::Variant))
        .chain((0..view.model.scenes.len()).map(Entry::Scene))
        .chain((0..view.camera.file_cameras.len()).map(Entry::FileCamera))
        .chain((0..view.files.recent.len()).map(Entry::Recent))
        .chain((0..view.files.built_in.len()).map(Entry::BuiltIn))
}

/// Whether each of the keys does something else.
fn has_directions(binding: &Binding) -> bool {
    binding.listed > 1 && binding.action != Action::Keys
}

/// Whether the description names two things, of which each key does one.
fn has_alternatives(binding: &Binding) -> bool {
    binding.listed > 1 && binding.names.is_empty() && binding.description.contains(" or ")
}

impl Entry {
    /// What it is called.
    pub fn label<'v>(&self, view: &'v View<'_>) -> Cow<'v, str> {
        match *self {
            Self::Line(binding, which) => match binding.names.get(which) {
                Some(name) => Cow::Borrowed(name),
                None if has_alternatives(binding) => {
                    Cow::Owned(alternative(binding.description, which))
                }
                None => Cow::Borrowed(binding.description),
            },
            Self::Keyless(place) => keyless_line(place).map_or("".into(), |it| it.label.into()),
            Self::Clip(clip) => view.clips.name(clip).map_or("".into(), text::clean_name),
            Self::ViewMode(mode) => Cow::Borrowed(mode.label()),
            Self::Variant(variant) => name_in(view.model.variants, variant),
            Self::Scene(scene) => name_in(view.model.scenes, scene),
            Self::FileCamera(place) => name_in(view.camera.file_cameras, place),
            Self::Recent(place) => {
                let recent = view.files.recent.get(place);
                recent.map_or("".into(), |it| text::clean_name(&it.name))
            }
            Self::BuiltIn(place) => view.files.built_in.get(place).copied().unwrap_or("").into(),
            Self::Node(node) => view
                .nodes
                .rows
                .get(node)
                .map_or("".into(), |it| text::clean_name(&it.name)),
        }
    }

    /// What kind of thing it is, or where.
    pub fn kind<'v>(&self, view: &'v View<'_>) -> Cow<'v, str> {
        Cow::Borrowed(match *self {
            Self::Line(binding, _) => group_of(binding),
            Self::Keyless(place) => keyless_line(place).map_or("", |it| it.group),
            Self::Clip(_) => "Clip",
            Self::ViewMode(_) => "View",
            Self::Variant(_) => "Variant",
            Self::Scene(_) => "Scene",
            Self::FileCamera(_) => "Camera of the file",
            Self::Recent(place) => {
                let recent = view.files.recent.get(place);
                return recent.map_or("".into(), |it| text::clean_name(&it.folder));
            }
            Self::BuiltIn(_) => "Example",
            Self::Node(node) => match view.nodes.rows.get(node) {
                Some(it) if it.has_namesake => return format!("Node {}", it.file_index).into(),
                _ => "Node",
            },
        })
    }

    /// The key that does the same.
    pub fn keys(&self) -> String {
        let written = |shortcut: Option<&Shortcut>| {
            shortcut.map_or_else(String::new, |it| it.written().join("+"))
        };
        match *self {
            Self::Line(binding, which) => written(binding.keys.get(which)),
            Self::Clip(clip) => keys::written(Action::Clip, clip),
            _ => String::new(),
        }
    }

    /// Why it cannot be chosen now; none if it can.
    pub fn why_not(&self, view: &View<'_>) -> Option<Cow<'static, str>> {
        let words = match *self {
            Self::Line(binding, which) => {
                let is_idle = command(binding.action, which, view).is_none();
                return is_idle.then(|| echo::why_not(binding.action, which, view).into());
            }
            Self::Keyless(place) => {
                let why = (keyless_line(place)?.command)(view).err()?;
                view.instead_of_model().unwrap_or(why)
            }
            Self::Recent(place) => {
                let recent = view.files.recent.get(place);
                let is_there = recent.is_some_and(|it| !it.is_missing);
                return (!is_there).then_some("It is not there any more".into());
            }
            Self::ViewMode(mode) => menus::view::why_not(mode, view)?,
            _ => return None,
        };
        Some(words.into())
    }

    /// Whether it is a command that does nothing now, or a view that shows nothing.
    pub fn is_idle(&self, view: &View<'_>) -> bool {
        let is_command = matches!(self, Self::Line(..) | Self::Keyless(_) | Self::ViewMode(_));
        is_command && self.why_not(view).is_some()
    }

    /// What choosing it does.
    pub fn command(&self, view: &View<'_>) -> Option<Command> {
        Some(match *self {
            Self::Line(binding, which) => command(binding.action, which, view)?,
            Self::Keyless(place) => (keyless_line(place)?.command)(view).ok()?,
            Self::Clip(clip) => Command::SelectClip(Some(clip)),
            Self::ViewMode(mode) => Command::Picture(PictureCommand::SetViewMode(mode)),
            Self::Variant(variant) => Command::SelectVariant(Some(variant)),
            Self::Scene(scene) => Command::SelectScene(scene),
            Self::FileCamera(place) => Command::Camera(CameraCommand::LookThrough(Some(place))),
            Self::Recent(place) => Command::Window(WindowCommand::Open(vec![
                view.files.recent.get(place)?.path.clone(),
            ])),
            Self::BuiltIn(place) => {
                Command::Window(WindowCommand::OpenBuiltIn(view.files.built_in.get(place)?))
            }
            Self::Node(node) => Command::SelectNode(Some(node)),
        })
    }

    /// What is said of it once it is chosen: what the key for the same says.
    pub fn pressed(&self) -> Option<Pressed> {
        let (action, which) = match *self {
            Self::Keyless(place) => return keyless_line(place).map(Pressed::Keyless),
            Self::Line(binding, which) => (binding.action, which),
            Self::Clip(clip) => (Action::Clip, clip),
            Self::ViewMode(_) => (Action::ViewStep, 0),
            Self::Variant(_) => (Action::VariantStep, 0),
            Self::Scene(_) => (Action::SceneStep, 0),
            Self::FileCamera(_) => (Action::CameraStep, 0),
            Self::Node(_) => (Action::NodeStep, 0),
            Self::Recent(_) | Self::BuiltIn(_) => return None,
        };
        Some(Pressed::Line(Line {
            action,
            which,
            is_done: true,
        }))
    }

    /// What else people call it.
    fn also(&self) -> &'static str {
        match self {
            Self::Line(binding, _) => synonyms::of_action(binding.action),
            Self::ViewMode(mode) => synonyms::of_view_mode(*mode),
            Self::Keyless(place) => keyless_line(*place).map_or("", |it| it.also),
            _ => "",
        }
    }

    /// How well it fits: by its name; else by words that begin alike in what else one may think of; else by letters of its name
    /// with gaps; else by what is in the middle of words.
    fn score(&self, query: &Query, view: &View<'_>) -> Option<u32> {
        let label = match *self {
            Self::Clip(clip) => view.clips.searched_name(clip, query.letters()),
            _ => self.label(view),
        };
        let name = Name::new(&label);
        if let Some(by_name) = query.score_whole(&name) {
            return Some(by_name + 3 * WAY);
        }
        let all = match self {
            Self::Node(_) | Self::Clip(_) => return query.score(&name),
            _ => Name::new(&format!(
                "{label} {} {} {}",
                self.kind(view),
                self.keys(),
                self.also()
            )),
        };
        let by_words = query.score_begun(&all).map(|score| score + 2 * WAY);
        let by_letters = || query.score(&name).map(|score| score + WAY);
        by_words
            .or_else(by_letters)
            .or_else(|| query.score_whole(&all))
    }
}

fn keyless_line(place: usize) -> Option<&'static Keyless> {
    keyless::LINES.get(place)
}

fn name_in(names: &[String], place: usize) -> Cow<'_, str> {
    names
        .get(place)
        .map_or("".into(), |it| text::clean_name(it))
}

fn group_of(binding: &Binding) -> &'static str {
    let mut groups = keys::TABLE.iter();
    let group = groups.find(|(_, lines)| lines.iter().any(|it| it.action == binding.action));
    group.map_or("", |(name, _)| name)
}

/// One of the two things that a description names: `Previous or next clip` is `Previous clip` and `Next clip`.
fn alternative(description: &str, which: usize) -> String {
    let Some((left, right)) = description.split_once(" or ") else {
        return description.to_owned();
    };
    let (before, first) = left.rsplit_once(' ').unwrap_or(("", left));
    let (second, after) = right.split_once(' ').unwrap_or((right, ""));
    let chosen = if which.is_multiple_of(2) {
        first
    } else {
        second
    };
    let parts = [before, chosen, after].into_iter();
    let words: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    let words = words.join(" ");
    let mut letters = words.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_two_keys_is_two_commands() {
        for (description, first, second) in [
            ("Previous or next clip", "Previous clip", "Next clip"),
            (
                "One frame back or forward",
                "One frame back",
                "One frame forward",
            ),
            ("Slower or faster", "Slower", "Faster"),
            ("First or last frame", "First frame", "Last frame"),
            ("Zoom in or out", "Zoom in", "Zoom out"),
            (
                "Lower or higher exposure",
                "Lower exposure",
                "Higher exposure",
            ),
        ] {
            assert_eq!(alternative(description, 0), first);
            assert_eq!(alternative(description, 1), second);
        }
    }

    #[test]
    fn what_is_typed_on_is_looked_for_among_the_nodes_that_were_found() {
        let found = Found {
            query: Query::new("ha"),
            nodes: Some(vec![3, 5]),
            ..Found::default()
        };
        assert_eq!(found.nodes_for(&Query::new("han")), Some(&[3, 5][..]));
        assert_eq!(found.nodes_for(&Query::new("hat l")), Some(&[3, 5][..]));
        assert_eq!(found.nodes_for(&Query::new("le")), None);
        assert_eq!(Found::default().nodes_for(&Query::new("ha")), None);
    }

    /// Two lines of one name could not be told apart, and who does not know the keys is not helped by them.
    #[test]
    fn every_key_of_every_line_has_a_name_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for binding in keys::bindings() {
            let count = if has_directions(binding) {
                binding.listed
            } else {
                1
            };
            assert!([0, count].contains(&binding.names.len()), "{binding:?}");
            if matches!(binding.action, Action::Clip | Action::MixClip) {
                continue;
            }
            let count = if has_alternatives(binding) { 2 } else { count };
            for which in 0..count {
                let name = match binding.names.get(which) {
                    Some(name) => (*name).to_owned(),
                    None if has_alternatives(binding) => alternative(binding.description, which),
                    None => binding.description.to_owned(),
                };
                assert!(seen.insert(name.clone()), "two are called {name}");
            }
        }
    }
}
