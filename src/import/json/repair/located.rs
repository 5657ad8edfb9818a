//! Reads JSON values such that an error says where it is, and what is wrong there in words of who made the file.

use std::fmt;

use serde::{
    de::{
        self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected,
        IntoDeserializer as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
        value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::Value;

use super::escape;
use crate::import::base::wording::shorten;

/// One step on the way to a value.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::import) enum Step {
    Key(String),
    Item(usize),
}

/// The way to a value; displays as a JSON pointer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::import) struct Path(pub(super) Vec<Step>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Step::Key(key) => write!(f, "/{}", escape(key))?,
                Step::Item(index) => write!(f, "/{index}")?,
            }
        }
        Ok(())
    }
}

/// What a value should have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedKind {
    Flag,
    Text,
    Number,
    /// A whole number that is not negative.
    Integer,
    Array,
    Object,
}

impl ExpectedKind {
    /// What serde and the gltf crate expect by their words.
    fn of(expected: &dyn Expected) -> Option<Self> {
        let expected = expected.to_string();
        Some(match &*expected {
            "a boolean" => Self::Flag,
            "a string" | "a borrowed string" | "string or map" => Self::Text,
            "f32" | "f64" => Self::Number,
            "u8" | "u16" | "u32" | "u64" | "usize" | "index into child of root" => Self::Integer,
            "a sequence" => Self::Array,
            "a map" => Self::Object,
            _ if expected.starts_with("an array") || expected.starts_with("a tuple") => Self::Array,
            _ if expected.starts_with("struct ") => Self::Object,
            _ if expected.starts_with("variant") => Self::Text,
            // Enumerators of the gltf crate: texts or whole numbers.
            _ if expected.starts_with("any of: [\"") => Self::Text,
            _ if expected.starts_with("any of: [") => Self::Integer,
            _ => return None,
        })
    }

    /// What was expected, in words, such as "a number".
    pub(super) fn one(self) -> &'static str {
        match self {
            Self::Flag => "true or false",
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Integer => "a whole number",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }

    /// What was expected of each item, in words, such as "numbers".
    pub(super) fn many(self) -> &'static str {
        match self {
            Self::Flag => "flags",
            Self::Text => "texts",
            Self::Number => "numbers",
            Self::Integer => "whole numbers",
            Self::Array => "arrays",
            Self::Object => "objects",
        }
    }
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wrong {
    Type(ExpectedKind),
    /// An object lacks this property.
    Missing(&'static str),
    /// A text is none of those that are known.
    Choice(String),
    /// An array has so many items, too many or too few.
    Length(usize, &'static str),
    Other(String),
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Error {
    pub wrong: Wrong,
    pub path: Path,
}

impl Error {
    fn new(wrong: Wrong) -> Self {
        Self {
            wrong,
            path: Path::default(),
        }
    }

    /// This error, seen from what the value lies in. Steps are kept from the innermost outwards until the whole is read.
    fn within(mut self, step: impl FnOnce() -> Step) -> Self {
        self.path.0.push(step());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wrong {
            Wrong::Type(wanted) => write!(f, "it is not {}", wanted.one()),
            Wrong::Missing(field) => write!(f, "it has no {field}"),
            Wrong::Length(length, what) => write!(f, "its length is {length}, which is too {what}"),
            Wrong::Choice(what) | Wrong::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Wrong::Other(message.to_string()))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let wrong = match ExpectedKind::of(expected) {
            Some(wanted) => Wrong::Type(wanted),
            None => Wrong::Other(format!("it is {unexpected}, not {expected}")),
        };
        Self::new(wrong)
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(length: usize, _: &dyn Expected) -> Self {
        Self::new(Wrong::Length(length, "short"))
    }

    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        let message = format!("\"{}\" is not one of {known:?}", shorten(variant));
        Self::new(Wrong::Choice(message))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Wrong::Missing(field))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::custom(format!("{field} is there twice"))
    }
}

/// Reads a value; an error says where it is.
pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    T::deserialize(Located(value)).map_err(|mut error| {
        error.path.0.reverse();
        error
    })
}

/// A value that is read.
#[derive(Clone, Copy)]
struct Located<'de>(&'de Value);

impl<'de> Deserializer<'de> for Located<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Number(number) => {
                if let Some(number) = number.as_u64() {
                    visitor.visit_u64(number)
                } else if let Some(number) = number.as_i64() {
                    visitor.visit_i64(number)
                } else {
                    visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN))
                }
            }
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut list = Items {
                    items: items.iter().enumerate(),
                };
                let read = visitor.visit_seq(&mut list)?;
                match list.items.next() {
                    None => Ok(read),
                    Some(_) => Err(Error::new(Wrong::Length(items.len(), "long"))),
                }
            }
            Value::Object(map) => visitor.visit_map(Properties {
                properties: map.iter(),
                next: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        // What stays text is asked for by a name that only the JSON crate knows.
        if name.starts_with("$serde_json") {
            let read = self.0.deserialize_newtype_struct(name, visitor);
            return read.map_err(de::Error::custom);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        // It would take the items of an array for its properties.
        match self.0 {
            Value::Array(_) => Err(Error::new(Wrong::Type(ExpectedKind::Object))),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Name(name)),
            _ => Err(Error::new(Wrong::Type(ExpectedKind::Text))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Items<'de> {
    items: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((index, item)) = self.items.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(Located(item)).map(Some);
        read.map_err(|error| error.within(|| Step::Item(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Properties<'de> {
    properties: serde_json::map::Iter<'de>,
    next: Option<(&'de String, &'de Value)>,
}

impl<'de> MapAccess<'de> for Properties<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next = self.properties.next();
        let Some((key, _)) = self.next else {
            return Ok(None);
        };
        let read = seed
            .deserialize(BorrowedStrDeserializer::new(key))
            .map(Some);
        read.map_err(|error: Error| error.within(|| Step::Key(key.clone())))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let Some((key, value)) = self.next.take() else {
            return Err(de::Error::custom("it has no value"));
        };
        let read = seed.deserialize(Located(value));
        read.map_err(|error| error.within(|| Step::Key(key.clone())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.properties.len())
    }
}

/// An enumerator that is a text.
struct Name<'de>(&'de str);

impl<'de> EnumAccess<'de> for Name<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name = seed.deserialize(self.0.into_deserializer())?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Name<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        Err(Error::new(Wrong::Type(ExpectedKind::Object)))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::new(Wrong::Type(ExpectedKind::Object)))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        Err(Error::new(Wrong::Type(ExpectedKind::Object)))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Thing {
        parts: Vec<Part>,
        kind: Option<Kind>,
        size: Option<[f32; 2]>,
        is_big: bool,
    }

    #[derive(Debug, Deserialize)]
    struct Part {
        #[expect(dead_code, reason = "only whether it fits matters")]
        count: u32,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "UPPERCASE")]
    enum Kind {
        One,
    }

    #[test]
    fn errors_say_where_and_what() {
        for (value, place, message) in [
            (json!([]), "", "it is not an object"),
            (json!({"parts": 1}), "/parts", "it is not an array"),
            (
                json!({"parts": [{"count": 1}, {}]}),
                "/parts/1",
                "it has no count",
            ),
            (
                json!({"parts": [{"count": -1}]}),
                "/parts/0/count",
                "it is not a whole number",
            ),
            (json!({"parts": ["a"]}), "/parts/0", "it is not an object"),
            (
                json!({"kind": "TWO"}),
                "/kind",
                "\"TWO\" is not one of [\"ONE\"]",
            ),
            (json!({"kind": 1}), "/kind", "it is not a text"),
            (
                json!({"size": [1]}),
                "/size",
                "its length is 1, which is too short",
            ),
            (
                json!({"size": [1, 2, 3]}),
                "/size",
                "its length is 3, which is too long",
            ),
            (json!({"size": [1, "a"]}), "/size/1", "it is not a number"),
            (json!({"is_big": 1}), "/is_big", "it is not true or false"),
        ] {
            let error = read::<Thing>(&value).unwrap_err();
            assert_eq!(
                (&*error.path.to_string(), &*error.to_string()),
                (place, message)
            );
        }
        let value = json!({"parts": [{"count": 1}], "kind": "ONE", "size": [1, 2.5], "more": {}});
        let thing: Thing = read(&value).unwrap();
        assert_eq!(thing.size, Some([1.0, 2.5]));
        assert_eq!(thing.kind, Some(Kind::One));
    }
}
