//! Which objects that have properties are there: a property of a material or node is not defined without its own.

use std::{collections::BTreeMap, sync::OnceLock};

use crate::{
    import::{
        base::extension,
        json::{
            document::{Document, Section},
            fields::Fields,
        },
    },
    model::property_names::{MATERIAL, TEXTURE},
};

/// Those of all materials and of all nodes, shared by all clips: each text is searched once, when a channel first asks.
/// Thousands of clips may move the same material, which may be as large as the file.
#[derive(Debug, Default)]
pub(super) struct Owners {
    materials: OnceLock<Owner>,
    nodes: OnceLock<Owner>,
}

/// A place where such an object may be.
#[derive(Debug, Default)]
struct Owner {
    /// The materials or nodes that have one there, in rising order.
    found_in: Vec<usize>,
    /// Places within it.
    parts: BTreeMap<String, Self>,
}

impl Owners {
    /// The name of the object that would have the property with this pointer, if the property is one of `section` and the
    /// object is not there.
    pub(super) fn missing<'p>(
        &self,
        document: &Document<'_>,
        section: Section,
        pointer: &'p str,
    ) -> Option<&'p str> {
        let mut parts = pointer.splitn(4, '/').skip(1);
        let section_name = parts.next()?;
        if section_name != section.name() {
            return None;
        }
        let index: usize = parts.next()?.parse().ok()?;
        // What the material or node itself has needs no other object.
        let (path, _) = parts.next()?.rsplit_once('/')?;
        let known = match section {
            Section::Nodes => &self.nodes,
            _ => &self.materials,
        };
        let known = known.get_or_init(|| Owner::of_all(document, section));
        if known.is_in(index, path) {
            return None;
        }
        path.rsplit('/').next()
    }
}

impl Owner {
    /// What all objects of a section have.
    fn of_all(document: &Document<'_>, section: Section) -> Self {
        let mut all = Self::default();
        if section == Section::Nodes {
            all.add(&format!("extensions/{}", extension::KHR_NODE_VISIBILITY));
        } else {
            for (property, ..) in MATERIAL {
                if let Some((path, _)) = property.rsplit_once('/') {
                    all.add(path);
                }
            }
            for (texture, _) in TEXTURE {
                let transform = extension::KHR_TEXTURE_TRANSFORM;
                all.add(&format!("{texture}/extensions/{transform}"));
            }
        }
        for index in 0..document.count(section) {
            all.note(index, document.text(section, index));
        }
        all
    }

    /// Adds a place that is looked at.
    fn add(&mut self, path: &str) {
        let mut at = self;
        for name in path.split('/') {
            at = at.parts.entry(name.to_owned()).or_default();
        }
    }

    /// Notes what the material or node at `index` has here, and within; indices must rise.
    fn note(&mut self, index: usize, text: &str) {
        let Some(fields) = Fields::of_those(text, |name| self.parts.contains_key(name)) else {
            return;
        };
        self.found_in.push(index);
        for (name, part) in &mut self.parts {
            if let Some(text) = fields.get(name) {
                part.note(index, text);
            }
        }
    }

    fn is_in(&self, index: usize, path: &str) -> bool {
        let mut names = path.split('/');
        let part = names.try_fold(self, |at, name| at.parts.get(name));
        part.is_some_and(|part| part.found_in.binary_search(&index).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_an_object() {
        let mut all = Owner::default();
        all.add("a/b");
        all.add("c");
        for (index, text) in [
            r#"{"a": {"b": {}}}"#,
            r#"{"a": {"b": 1}, "c": {"x": 2}}"#,
            r#"{"a": {}, "a": {"b": {}}}"#,
            "[]",
        ]
        .into_iter()
        .enumerate()
        {
            all.note(index, text);
        }
        for (path, expected) in [
            ("a", &[0, 1, 2][..]),
            ("a/b", &[0, 2]),
            ("c", &[1]),
            ("d", &[]),
        ] {
            let found: Vec<usize> = (0..4).filter(|index| all.is_in(*index, path)).collect();
            assert_eq!(found, expected, "{path}");
        }
    }
}
