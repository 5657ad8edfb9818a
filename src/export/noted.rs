//! Objects of a file with their extras, which stay the text that they are: as values they would take many times the memory.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::{Map, Value, value::RawValue};

/// An object with its extras, if it has any.
#[derive(Debug)]
pub(super) struct Noted<'e> {
    pub(super) members: Map<String, Value>,
    pub(super) extras: Option<&'e RawValue>,
}

impl Serialize for Noted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, value) in &self.members {
            object.serialize_entry(name, value)?;
        }
        if let Some(extras) = self.extras {
            object.serialize_entry("extras", extras)?;
        }
        object.end()
    }
}

/// A file's root, by the names of its members.
pub(super) type Root<'e> = BTreeMap<&'static str, RootMember<'e>>;

/// A member of a file's root.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum RootMember<'e> {
    /// Without extras.
    Plain(Value),
    /// A single object.
    Object(Noted<'e>),
    /// A list of objects.
    List(Vec<Noted<'e>>),
}

impl From<Value> for RootMember<'_> {
    fn from(value: Value) -> Self {
        Self::Plain(value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn extras_are_written_as_they_are() {
        let extras: &RawValue = serde_json::from_str("[1.50, {\"a\": 1e2}]").unwrap();
        let object = |extras| Noted {
            members: json!({ "name": "a" }).as_object().cloned().unwrap(),
            extras,
        };
        let list = RootMember::List(vec![object(Some(extras)), object(None)]);
        let root = Root::from([("nodes", list), ("scene", json!(0).into())]);
        let expected =
            r#"{"nodes":[{"name":"a","extras":[1.50, {"a": 1e2}]},{"name":"a"}],"scene":0}"#;
        assert_eq!(serde_json::to_string(&root).unwrap(), expected);
    }
}
