//! The root object of a file, in parts.

use std::{collections::BTreeMap, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    document::{Capped, CappedSeed, Section},
    doubled::Doubled,
};

/// Reads the root of a text of this length, the sections being cut into their objects at once: to skip them and come
/// back would take as long again.
pub(super) struct RootSeed(pub usize);

/// The root object of a file, in parts.
#[derive(Default)]
pub(super) struct Root<'a> {
    /// In the order of [`Section::ALL`]: `None` where the section is not there, `Some(None)` where it is no array.
    pub sections: [Option<Option<Capped<'a>>>; Section::ALL.len()],
    pub others: BTreeMap<String, &'a str>,
    pub doubled: Doubled,
}

impl<'a> Root<'a> {
    /// Puts a section in its place; none if it is no array.
    pub(in crate::import) fn set(&mut self, section: Section, capped: Option<Capped<'a>>) {
        if let Some(slot) = self.sections.get_mut(section as usize)
            && slot.replace(capped).is_some()
        {
            self.doubled.add(format_args!("/{}", section.name()));
        }
    }

    /// Puts a property that is no section in its place.
    pub(super) fn set_other(&mut self, key: String, text: &'a str) {
        if self.others.contains_key(&key) {
            self.doubled.add(format_args!("/{key}"));
        }
        self.others.insert(key, text);
    }

    /// The texts of a section, and how many there are in truth.
    #[cfg(test)]
    pub(super) fn texts(&self, section: Section) -> Option<(&[&'a str], usize)> {
        let capped = self.sections.get(section as usize)?.as_ref()?.as_ref()?;
        Some((&capped.items, capped.total))
    }
}

impl<'de> DeserializeSeed<'de> for RootSeed {
    type Value = Root<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RootSeed {
    type Value = Root<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut root = Root::default();
        // The last of duplicate keys counts (glTF 2.0 §2.7).
        while let Some(key) = map.next_key::<String>()? {
            match Section::of_name(&key) {
                Some(section) => {
                    let capped = map.next_value_seed(CappedSeed(section.cap(self.0)))?;
                    root.set(section, capped);
                }
                None => {
                    root.set_other(key, map.next_value::<&RawValue>()?.get());
                }
            }
        }
        Ok(root)
    }
}
