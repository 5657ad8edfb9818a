//! Objects taken apart into their properties.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize,
    de::{Deserializer, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{deep, scanner::Scanner};
use crate::import::base::hashing::HashSet;

/// The properties of one object, still as text: what nobody asks for costs nothing. Derived types refuse duplicate keys;
/// here the last counts (glTF 2.0 §2.7). The text is part of one that was found to be JSON: where its values end is looked for,
/// and not whether they are values.
#[derive(Debug, Default)]
pub(in crate::import) struct Fields<'a>(Vec<(Cow<'a, str>, &'a str)>);

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;

        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some((key, value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    fields.push((key.0, value.get()));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(FieldsVisitor)
    }
}

impl<'a> Fields<'a> {
    /// The properties of the object with this text; none if it is no object.
    pub(in crate::import) fn of(text: &'a str) -> Option<Self> {
        Self::of_those(text, |_| true)
    }

    /// The properties of an object that have such names: nothing is kept of a million others.
    pub(in crate::import) fn of_those(
        text: &'a str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        Self::scanned(text, &is_wanted).or_else(|| {
            let mut all: Self = serde_json::from_str(text).ok()?;
            all.0.retain(|(key, _)| is_wanted(key));
            Some(all)
        })
    }

    /// [`Self::of_those`] without care for anything unusual.
    fn scanned(text: &'a str, is_wanted: &impl Fn(&str) -> bool) -> Option<Self> {
        let mut fields = Vec::new();
        let mut scanner = Scanner::new(text);
        scanner.object(|key, value| {
            let value = value.skipped_known()?;
            if is_wanted(key) {
                fields.push((Cow::Borrowed(key), value));
            }
            Some(())
        })?;
        scanner.is_at_end().then_some(Self(fields))
    }

    /// All properties in file order.
    pub(in crate::import) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        let fields = self.0.iter().map(|(key, value)| (&**key, *value));
        let replaced = self.replaced();
        let places = fields.enumerate();
        places.filter_map(move |(place, field)| (!replaced.contains(&place)).then_some(field))
    }

    /// The names of properties that come again, where [`Self::iter`] had `kept` others.
    pub(in crate::import) fn doubled(&self, kept: usize) -> impl Iterator<Item = &str> {
        let replaced = match self.0.len() {
            all if all == kept => HashSet::default(),
            _ => self.replaced(),
        };
        let places = self.0.iter().enumerate();
        places.filter_map(move |(place, (key, _))| replaced.contains(&place).then_some(&**key))
    }

    /// The places of properties that come again.
    fn replaced(&self) -> HashSet<usize> {
        const FEW: usize = 16;
        let keys = self.0.iter().map(|(key, _)| key);
        let is_again = |(place, key)| keys.clone().take(place).any(|before| before == key);
        // Comparing each of a few with each takes less time than a table.
        if self.0.len() <= FEW && !keys.clone().enumerate().any(is_again) {
            return HashSet::default();
        }
        let mut seen = HashSet::default();
        let places = keys.enumerate().rev();
        let places = places.filter(|(_, key)| !seen.insert(*key));
        places.map(|(place, _)| place).collect()
    }

    /// The text of a property.
    pub(in crate::import) fn get(&self, name: &str) -> Option<&'a str> {
        let mut fields = self.0.iter().rev();
        let (_, value) = fields.find(|(key, _)| key == name)?;
        Some(value)
    }

    /// Whether the property is there.
    pub(in crate::import) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A property that is an object; empty if it is absent.
    pub(in crate::import) fn object(&self, name: &str) -> Self {
        self.get(name).and_then(Self::of).unwrap_or_default()
    }

    /// One extension of the object; none if it has not got it.
    pub(in crate::import) fn extension(&self, name: &str) -> Option<Self> {
        Self::of(self.object("extensions").get(name)?)
    }

    /// The items of a property that is an array; empty if it is absent.
    pub(in crate::import) fn list(&self, name: &str) -> Vec<&'a str> {
        self.get(name).and_then(items).unwrap_or_default()
    }

    /// A property that is a whole number.
    pub(in crate::import) fn integer(&self, name: &str) -> Option<u64> {
        integer(self.get(name)?)
    }

    /// A property that is an index.
    pub(in crate::import) fn index(&self, name: &str) -> Option<usize> {
        usize::try_from(self.integer(name)?).ok()
    }

    /// A property that is a number.
    pub(in crate::import) fn number(&self, name: &str) -> Option<f64> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// A property that is a text.
    pub(in crate::import) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        let key: Key<'a> = serde_json::from_str(self.get(name)?).ok()?;
        Some(key.0)
    }
}

/// The items of an array, still as text.
pub(in crate::import) fn items(text: &str) -> Option<Vec<&str>> {
    let mut items = Vec::new();
    let mut scanner = Scanner::new(text);
    let read = scanner.array(|item| {
        items.push(item.skipped_known()?);
        Some(())
    });
    if read.is_some() && scanner.is_at_end() {
        return Some(items);
    }
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// Up to here a double holds every whole number: 2^53.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number that is not negative; `1.0` is one (glTF 2.0 §2.7).
pub(in crate::import) fn integer(text: &str) -> Option<u64> {
    if let Ok(integer) = text.parse() {
        return Some(integer);
    }
    let number = deep::number(text)?;
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_objects_apart() {
        let fields = Fields::of(r#"{"a": 1, "b\n": {"c": [1, {}]}, "a": 2.0}"#).unwrap();
        assert_eq!(fields.index("a"), Some(2));
        assert_eq!(fields.object("b\n").list("c"), ["1", "{}"]);
        let keys: Vec<_> = fields
            .iter()
            .map(|(key, value)| (key, value.len()))
            .collect();
        assert_eq!(keys, [("b\n", 14), ("a", 3)]);
        let many: Vec<_> = (0..40)
            .map(|place| format!("\"{}\": {place}", place % 20))
            .collect();
        let many = format!("{{{}}}", many.join(","));
        let fields_again = Fields::of(&many).unwrap();
        assert_eq!(fields_again.iter().count(), 20);
        let mut pairs = fields_again.iter();
        let number = |text: &str| text.parse::<u8>().unwrap();
        assert!(pairs.all(|(key, value)| number(key) + 20 == number(value)));
        assert!(Fields::of("[]").is_none());
        for text in [r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 2, "\u0063": 3}"#] {
            let some = Fields::of_those(text, |name| name == "b").unwrap();
            assert_eq!(some.iter().collect::<Vec<_>>(), [("b", "2")]);
        }
        assert!(fields.object("none").get("c").is_none());
    }
}
