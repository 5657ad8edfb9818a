//! The JSON text: cut into its objects without reading them, then each object read by itself.
//!
//! So one bad object costs only itself, deep nesting in what nobody asks for costs nothing, and a million empty objects
//! cost no more than their text. An object that does not fit its type is repaired where that is possible: of duplicate
//! keys the last counts (glTF 2.0 §2.7), `1.0` is an integer, and a property of the wrong type is dropped and named.

use std::{
    collections::BTreeMap,
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::Context as _;
use gltf::json::Index;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Value, value::RawValue};

use crate::import::base::{
    budget::{Budget, EXCEEDED},
    diagnostics::{Diagnostics, Fault},
    refusal::Refusal,
};

use super::{
    cutter, deep, doubled::Doubled, plain::Plain, references::unresolved, repair, root::RootSeed,
};

/// How many times repairs of short texts are tried.
const REPAIRS: usize = 131_072;

/// The arrays of objects at the root of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::import) enum Section {
    Accessors,
    Animations,
    BufferViews,
    Buffers,
    Cameras,
    Images,
    Materials,
    Meshes,
    Nodes,
    Samplers,
    Scenes,
    Skins,
    Textures,
}

impl Section {
    /// All of them.
    pub(in crate::import) const ALL: [Self; 13] = [
        Self::Accessors,
        Self::Animations,
        Self::BufferViews,
        Self::Buffers,
        Self::Cameras,
        Self::Images,
        Self::Materials,
        Self::Meshes,
        Self::Nodes,
        Self::Samplers,
        Self::Scenes,
        Self::Skins,
        Self::Textures,
    ];

    /// Its key in the file.
    pub(in crate::import) fn name(self) -> &'static str {
        match self {
            Self::Accessors => "accessors",
            Self::Animations => "animations",
            Self::BufferViews => "bufferViews",
            Self::Buffers => "buffers",
            Self::Cameras => "cameras",
            Self::Images => "images",
            Self::Materials => "materials",
            Self::Meshes => "meshes",
            Self::Nodes => "nodes",
            Self::Samplers => "samplers",
            Self::Scenes => "scenes",
            Self::Skins => "skins",
            Self::Textures => "textures",
        }
    }

    /// The section of this key.
    pub(in crate::import) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// How many objects are read at most of a text of `length` bytes: far more than any real file has, few enough for
    /// the memory. A real object takes more than 16 bytes; a million empty ones would cost a hundred times their text.
    pub(super) fn cap(self, length: usize) -> usize {
        match self {
            Self::Accessors | Self::BufferViews | Self::Meshes | Self::Nodes | Self::Skins => {
                length.div_euclid(16).saturating_add(65_536).min(1_000_000)
            }
            Self::Animations
            | Self::Buffers
            | Self::Cameras
            | Self::Images
            | Self::Materials
            | Self::Samplers
            | Self::Scenes
            | Self::Textures => 65_536,
        }
    }

    /// About how many bytes an object costs, however short its text is.
    fn cost(self) -> usize {
        match self {
            Self::Materials => 2432,
            Self::Nodes => 640,
            Self::Images => 512,
            Self::Skins => 448,
            Self::Animations | Self::Meshes => 256,
            Self::Accessors | Self::BufferViews => 128,
            Self::Buffers | Self::Cameras | Self::Samplers | Self::Scenes | Self::Textures => 64,
        }
    }
}

/// A parsed file, its objects still as text.
#[derive(Debug)]
pub(in crate::import) struct Document<'a> {
    root: BTreeMap<String, &'a str>,
    doubled: Doubled,
    sections: [Vec<&'a str>; Section::ALL.len()],
    plain: Plain<'a>,
    /// How many more times repairs may be tried, so that a file full of faults does not take for ever.
    attempts: AtomicUsize,
    longest_repaired: usize,
}

impl<'a> Document<'a> {
    /// Cuts the text of a file into its objects.
    pub(super) fn parse(
        text: &'a str,
        budget: &Budget,
        diagnostics: &mut Diagnostics,
    ) -> anyhow::Result<Self> {
        let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
        let unpadded = text.trim_end_matches(['\0', ' ', '\t', '\r', '\n']);
        if unpadded.len() < text.len() {
            let message = "the JSON text ends in NUL; it is padded with spaces alone";
            diagnostics.error("INVALID_JSON", "", message, "it was skipped");
        }
        let text = unpadded;
        let (root, plain) = match cutter::cut(text) {
            Some((root, plain)) => (root, Some(plain)),
            None => {
                let mut parser = serde_json::Deserializer::from_str(text);
                let root = RootSeed(text.len()).deserialize(&mut parser);
                let root = root.and_then(|root| parser.end().map(|()| root));
                let message = "the file is not a glTF file: its JSON is bad";
                let root = root.with_context(|| Refusal::new("INVALID_JSON", "", message))?;
                (root, None)
            }
        };
        let mut sections: [_; Section::ALL.len()] = Default::default();
        for ((section, slot), capped) in Section::ALL
            .into_iter()
            .zip(&mut sections)
            .zip(root.sections)
        {
            let Some(capped) = capped else {
                continue;
            };
            let Some(mut capped) = capped else {
                diagnostics.error(
                    "TYPE_MISMATCH",
                    format_args!("/{}", section.name()),
                    "it is not an array",
                    "it counts as empty",
                );
                continue;
            };
            if capped.total == 0 {
                diagnostics.error(
                    "EMPTY_ENTITY",
                    format_args!("/{}", section.name()),
                    "the array is empty; then it should not be there",
                    "",
                );
            }
            let kept = budget.take_objects(capped.items.len(), section.cost());
            capped.items.truncate(kept);
            if capped.total > capped.items.len() {
                diagnostics.error(
                    "TOO_MANY_OBJECTS",
                    format_args!("/{}", section.name()),
                    format!("there are {} objects", capped.total),
                    format!("only the first {} are read", capped.items.len()),
                );
            }
            *slot = capped.items;
        }
        let plain = plain.unwrap_or_else(|| {
            let texts = |section: Section| {
                let texts: Option<&Vec<_>> = sections.get(section as usize);
                texts.map_or(&[][..], Vec::as_slice)
            };
            Plain::of(
                texts(Section::BufferViews),
                texts(Section::Accessors),
                texts(Section::Animations),
            )
        });
        Ok(Self {
            root: root.others,
            doubled: root.doubled,
            plain,
            sections,
            attempts: AtomicUsize::new(REPAIRS),
            longest_repaired: budget.longest_repaired(),
        })
    }

    /// How many more times repairs may be tried.
    pub(in crate::import) fn repairs_left(&self) -> usize {
        self.attempts.load(Ordering::Relaxed)
    }

    /// Sets it to what it was before something that is done once more.
    pub(in crate::import) fn set_repairs_left(&self, count: usize) {
        self.attempts.store(count, Ordering::Relaxed);
    }

    /// Number of objects in a section.
    pub(in crate::import) fn count(&self, section: Section) -> usize {
        self.sections.get(section as usize).map_or(0, Vec::len)
    }

    /// The text of an object; empty if there is none.
    pub(in crate::import) fn text(&self, section: Section, index: usize) -> &'a str {
        let objects = self.sections.get(section as usize);
        let object = objects.and_then(|objects| objects.get(index));
        object.copied().unwrap_or_default()
    }

    /// What could be read at once.
    pub(in crate::import) fn plain(&self) -> &Plain<'a> {
        &self.plain
    }

    /// Whether an object is plain: then it has neither extensions nor extras, and fits the schema.
    pub(in crate::import) fn is_plain(&self, section: Section, index: usize) -> bool {
        match section {
            Section::Accessors => self.plain.accessor(index).is_some(),
            Section::BufferViews => self.plain.view(index).is_some(),
            Section::Animations => self.plain.animation(index).is_some(),
            _ => false,
        }
    }

    /// The text of a property of the root; none if it is absent.
    pub(in crate::import) fn root_text(&self, name: &str) -> Option<&'a str> {
        self.root.get(name).copied()
    }

    /// What is at the root more than once.
    pub(in crate::import) fn doubled(&self) -> &Doubled {
        &self.doubled
    }

    /// The names of all that is at the root beside sections.
    pub(in crate::import) fn root_names(&self) -> impl Iterator<Item = &str> {
        self.root.keys().map(String::as_str)
    }

    /// Reads an object of a section; none if nothing can be made of it.
    pub(in crate::import) fn object<T: DeserializeOwned>(
        &self,
        section: Section,
        index: usize,
        diagnostics: &mut Diagnostics,
    ) -> Option<T> {
        let text = self.text(section, index);
        let pointer = format_args!("/{}/{index}", section.name());
        let action = match section {
            Section::Accessors => "its data is lost",
            Section::BufferViews => "what lies in the view is lost",
            Section::Buffers => "what lies in the buffer is lost",
            _ => "it counts as empty",
        };
        self.read(text, pointer, action, diagnostics)
    }

    /// Reads a property of the root; none if it is absent or nothing can be made of it.
    pub(in crate::import) fn root<T: DeserializeOwned>(
        &self,
        name: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<T> {
        let text = self.root_text(name)?;
        let pointer = format_args!("/{name}");
        self.read_property(name, text, pointer, "it is ignored", diagnostics)
    }

    /// The value of a text, which costs many times as much as the text does.
    pub(in crate::import) fn value(&self, text: &str) -> Result<Value, Fault> {
        if text.len() > self.longest_repaired {
            return Err(Fault::new(EXCEEDED, "it is too long to be taken apart"));
        }
        deep::value(text).map_err(|error| Fault::new("INVALID_JSON", error.to_string()))
    }

    /// Reads the text of an object whose numbers may have to be repaired, without a word; none if it does not fit even then.
    pub(in crate::import) fn read_silently<T: DeserializeOwned>(&self, text: &str) -> Option<T> {
        if let Some(object) = repair::read_sound("", text) {
            return Some(object);
        }
        let mut value = self.value(text).ok()?;
        repair::numbers("", &mut value);
        T::deserialize(value).ok()
    }

    /// Reads the text of an object, repairing what can be repaired; `action` says what it costs where that fails.
    pub(in crate::import) fn read<T: DeserializeOwned>(
        &self,
        text: &str,
        pointer: fmt::Arguments<'_>,
        action: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<T> {
        self.read_property("", text, pointer, action, diagnostics)
    }

    /// [`Self::read`] of the property `key`, which need not be an object.
    fn read_property<T: DeserializeOwned>(
        &self,
        key: &str,
        text: &str,
        pointer: fmt::Arguments<'_>,
        action: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<T> {
        if let Some(object) = repair::read_sound(key, text) {
            return Some(object);
        }
        let value = match self.value(text) {
            Ok(value) => value,
            Err(fault) => {
                diagnostics.fault(fault, pointer, action);
                return None;
            }
        };
        let (object, findings) = repair::fitting(key, value, text.len(), &self.attempts);
        for finding in findings {
            let place = finding.place.to_string();
            let pointer = format!("{pointer}{place}");
            let action = finding.action.as_deref().unwrap_or(action);
            let is_whole = place.is_empty() && finding.code == "TYPE_MISMATCH";
            let item = item_of_list(&pointer).filter(|_| is_whole);
            if let Some((list, item)) = item {
                let message = format!("item {item} is not an object");
                diagnostics.error("ARRAY_TYPE_MISMATCH", list, message, action);
            } else {
                diagnostics.error(finding.code, pointer, finding.message, action);
            }
        }
        object
    }

    /// The place that `index` refers to, if it is there; else says that it is not, and what that costs.
    pub(in crate::import) fn reference<T>(
        &self,
        section: Section,
        index: Index<T>,
        pointer: fmt::Arguments<'_>,
        action: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<usize> {
        let index = index.value();
        let count = self.count(section);
        if index < count {
            return Some(index);
        }
        let fault = unresolved(section.name(), index, count);
        diagnostics.fault(fault, pointer, action);
        None
    }
}

/// The pointer to the list that a pointer leads to an item of, and the item, if that is a list within an object: for what is
/// no object in it the list is at fault, as the validator has it.
fn item_of_list(pointer: &str) -> Option<(&str, &str)> {
    let (list, item) = pointer.rsplit_once('/')?;
    let is_item = !item.is_empty() && item.bytes().all(|byte| byte.is_ascii_digit());
    let is_within = list.matches('/').count() > 1;
    (is_item && is_within).then_some((list, item))
}

/// Reads an array, keeping the first so many elements and counting the rest; none if it is something else.
pub(super) struct CappedSeed(pub usize);

/// The items of an array, and how many there are in truth.
#[derive(Debug, Default)]
pub(super) struct Capped<'a> {
    pub items: Vec<&'a str>,
    pub total: usize,
}

impl<'de> DeserializeSeed<'de> for CappedSeed {
    type Value = Option<Capped<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CappedSeed {
    type Value = Option<Capped<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while items.len() < self.0 {
            match array.next_element::<&RawValue>()? {
                Some(item) => items.push(item.get()),
                None => break,
            }
        }
        let mut total = items.len();
        while array.next_element::<IgnoredAny>()?.is_some() {
            total = total.saturating_add(1);
        }
        Ok(Some(Capped { items, total }))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
}
