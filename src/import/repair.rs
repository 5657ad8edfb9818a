//! Repairs of JSON objects that do not fit their type.

use std::{
    fmt,
    rc::Rc,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::deep;

/// Objects with more properties than this are not worth a search for the bad one.
const MOST_PROPERTIES: usize = 200;

/// Digits of an integer that may not fit 32 bits.
const LARGE: usize = 10;

/// Whether any integer in `text` has ten digits or more, and so may not fit 32 bits.
pub(super) fn has_large_integers(text: &str) -> bool {
    let bytes = text.as_bytes();
    // So many digits in a row have one at every tenth place of the text.
    let (blocks, _) = bytes.as_chunks::<LARGE>();
    let places = blocks.iter().zip((0_usize..).step_by(LARGE));
    let mut digits = places.filter(|([.., last], _)| last.is_ascii_digit());
    digits.any(|(_, start)| {
        let place = start.saturating_add(LARGE.saturating_sub(1));
        let (before, after) = bytes.split_at_checked(place).unwrap_or_default();
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        // No more is looked at: a row that fills the text would be counted anew at each of its places.
        let count = before.iter().rev().take(LARGE).take_while(is_digit);
        let count = count.count();
        // Then the row was judged at a place before this one.
        if count >= LARGE {
            return false;
        }
        let sign = before.iter().rev().nth(count);
        let rest = after.iter().take(LARGE).take_while(is_digit).count();
        // What follows a point is no integer.
        sign != Some(&b'.') && count.saturating_add(rest) >= LARGE
    })
}

/// Whether any name in `text` may be this one, as it is or with escapes.
pub(super) fn may_name(text: &str, name: &str) -> bool {
    text.contains(name) || text.contains('\\')
}

/// Reads the text of an object whose numbers may have to be repaired; none if it does not fit even then.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    if !has_large_integers(text)
        && let Ok(object) = serde_json::from_str(text)
    {
        return Some(object);
    }
    let mut value = deep::value(text).ok()?;
    numbers("", &mut value);
    T::deserialize(value).ok()
}

/// The same for what is no text any more; numbers that fit stay as they are.
pub(super) fn fitted<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok().or_else(|| {
        let mut value = value.clone();
        numbers("", &mut value);
        T::deserialize(value).ok()
    })
}

/// Properties that are one of some whole numbers.
const ENUMERATORS: [&str; 6] = [
    "componentType",
    "magFilter",
    "minFilter",
    "target",
    "wrapS",
    "wrapT",
];

/// Properties that are an index or a list of them, besides the attributes of primitives and of their morph targets; other
/// numbers may be of any size.
const INDICES: [&str; 24] = [
    "buffer",
    "bufferView",
    "camera",
    "children",
    "index",
    "indices",
    "input",
    "inverseBindMatrices",
    "joints",
    "light",
    "material",
    "mesh",
    "mode",
    "node",
    "nodes",
    "output",
    "sampler",
    "scene",
    "skeleton",
    "skin",
    "source",
    "texCoord",
    "variant",
    "variants",
];

/// Makes integers of numbers such as `1.0` (glTF 2.0 §2.3.1), of indices beyond 32 bits one that is certainly out of range,
/// and of enumerators that are negative or as large another one that does not exist. `key` is the name of the value itself,
/// if it has one.
pub(super) fn numbers(key: &str, value: &mut Value) {
    let mut stack = vec![(key, value)];
    while let Some((key, value)) = stack.pop() {
        match value {
            Value::Number(number) => {
                if let Some(repaired) = repaired_number(key, number) {
                    *number = repaired;
                }
            }
            Value::Array(items) => stack.extend(items.iter_mut().map(|item| (key, item))),
            Value::Object(map) => {
                // The items of a map of attributes are indices, whatever they are called.
                let are_indices = matches!(key, "attributes" | "targets");
                stack.extend(map.iter_mut().map(|(key, value)| match are_indices {
                    true => ("index", value),
                    false => (key.as_str(), value),
                }));
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

/// The same of what is an index.
pub(super) fn numbers_of_index(index: &mut Value) {
    let repaired = match &*index {
        Value::Number(number) => repaired_number("index", number),
        _ => None,
    };
    if let Some(repaired) = repaired {
        *index = Value::Number(repaired);
    }
}

fn repaired_number(key: &str, number: &Number) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    let integer = match number.as_u64() {
        Some(integer) => integer,
        None => {
            let float = number.as_f64()?;
            if float < 0.0 && float.fract() == 0.0 && ENUMERATORS.contains(&key) {
                return Some(Number::from(u32::MAX));
            }
            if float.fract() != 0.0 || !(0.0..=EXACT).contains(&float) {
                return None;
            }
            float as u64
        }
    };
    let is_index = INDICES.contains(&key) || ENUMERATORS.contains(&key);
    let integer = if is_index {
        integer.min(u64::from(u32::MAX))
    } else {
        integer
    };
    Some(Number::from(integer))
}

/// One step on the way to a property.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    /// All ways through an object share its key, which may be as long as the file.
    Key(Rc<str>),
    Item(usize),
}

/// The way to a property; displays as a JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Path(Vec<Step>);

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

/// A key as it stands in a JSON pointer (RFC 6901 §3).
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Bytes of text that may be read again for each attempt: long texts are tried less often.
const BYTES_AN_ATTEMPT: usize = 32_768;

/// Looks for the one property without which `value`, of a text of this length, fits `T`, the innermost first.
pub(super) fn without_one_property<T: DeserializeOwned>(
    mut value: Value,
    length: usize,
    attempts: &AtomicUsize,
) -> Option<(T, Path)> {
    let mut paths = property_paths(&value)?;
    paths.sort_by_key(|path| std::cmp::Reverse(path.0.len()));
    let cost = length.div_euclid(BYTES_AN_ATTEMPT).saturating_add(1);
    for path in paths {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let left = attempts.fetch_update(set, get, |left| left.checked_sub(cost));
        left.ok()?;
        let removed = remove(&mut value, &path);
        if let Ok(object) = T::deserialize(&value) {
            return Some((object, path));
        }
        put_back(&mut value, &path, removed);
    }
    None
}

/// The ways to all properties; none if there are too many.
fn property_paths(value: &Value) -> Option<Vec<Path>> {
    let mut paths = Vec::new();
    let mut stack = vec![(Vec::new(), value)];
    let mut visited = 0_usize;
    while let Some((path, value)) = stack.pop() {
        visited = visited.saturating_add(1);
        if visited > MOST_PROPERTIES {
            return None;
        }
        let longer = |step| {
            let mut longer: Vec<Step> = path.clone();
            longer.push(step);
            longer
        };
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    let path = longer(Step::Key(key.as_str().into()));
                    paths.push(Path(path.clone()));
                    stack.push((path, value));
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if item.is_object() {
                        stack.push((longer(Step::Item(index)), item));
                    }
                }
            }
            _ => {}
        }
    }
    Some(paths)
}

/// The object that a property belongs to, and its key.
fn owner<'v, 'p>(
    value: &'v mut Value,
    path: &'p Path,
) -> Option<(&'v mut Map<String, Value>, &'p str)> {
    let (Step::Key(last), way) = path.0.split_last()? else {
        return None;
    };
    let mut place = value;
    for step in way {
        place = match step {
            Step::Key(key) => place.get_mut(&**key)?,
            Step::Item(index) => place.get_mut(*index)?,
        };
    }
    Some((place.as_object_mut()?, last))
}

fn remove(value: &mut Value, path: &Path) -> Option<Value> {
    let (map, key) = owner(value, path)?;
    map.remove(key)
}

fn put_back(value: &mut Value, path: &Path, removed: Option<Value>) {
    if let (Some((map, key)), Some(removed)) = (owner(value, path), removed) {
        map.insert(key.to_owned(), removed);
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Thing {
        part: Option<Part>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Part {
        name: Option<String>,
        size: Option<u32>,
    }

    #[test]
    fn finds_the_innermost_bad_property() {
        let value = json!({"part": {"name": 5, "size": 3}});
        let attempts = AtomicUsize::new(100);
        let (thing, path) = without_one_property::<Thing>(value, 40, &attempts).unwrap();
        let part = Part {
            name: None,
            size: Some(3),
        };
        assert_eq!(thing, Thing { part: Some(part) });
        assert_eq!(path.to_string(), "/part/name");
    }

    #[test]
    fn long_texts_are_tried_less_often() {
        let value = json!({"part": {"name": 5, "size": "x", "other": 7}});
        let left_of = |length: usize| {
            let attempts = AtomicUsize::new(1000);
            assert!(
                without_one_property::<Thing>(value["part"].clone(), length, &attempts).is_some()
            );
            assert!(
                without_one_property::<Part>(value["part"].clone(), length, &attempts).is_none()
            );
            attempts.into_inner()
        };
        assert!(left_of(100) > left_of(1 << 20));
        assert!(left_of(1 << 20) < 1000 - 3 * 32);
    }

    #[test]
    fn makes_integers_of_whole_numbers() {
        let mut value = json!({"count": 1e2, "mesh": 2.0, "scale": 0.5, "node": 4294967296_u64, "byteOffset": 4294967296_u64});
        numbers("", &mut value);
        let expected = json!({"count": 100, "mesh": 2, "scale": 0.5, "node": u32::MAX, "byteOffset": 4294967296_u64});
        assert_eq!(value, expected);
    }

    #[test]
    fn takes_negative_enumerators_for_unknown_ones() {
        let mut value = json!({"target": -34962, "wrapS": -1.0, "mesh": -1, "minFilter": -0.5});
        numbers("", &mut value);
        let expected =
            json!({"target": u32::MAX, "wrapS": u32::MAX, "mesh": -1, "minFilter": -0.5});
        assert_eq!(value, expected);
    }

    #[test]
    fn sees_large_integers() {
        assert!(has_large_integers("[4294967296]"));
        assert!(!has_large_integers("[0.12345678901234, 429496729]"));
        let fraction = "1".repeat(40);
        assert!(!has_large_integers(&format!("[0.{fraction}]")));
        assert!(has_large_integers(&format!("[0.{fraction}, {fraction}]")));
        for spaces in 0..30 {
            let before = " ".repeat(spaces);
            assert!(has_large_integers(&format!("{before}4294967296")));
            assert!(has_large_integers(&format!("[1.5,{before}12345678901,2]")));
            assert!(!has_large_integers(&format!("{before}429496729")));
            assert!(!has_large_integers(&format!(
                "{before}-1.4294967296429496729"
            )));
        }
    }
}
