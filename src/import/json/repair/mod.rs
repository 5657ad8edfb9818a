//! Repairs of JSON objects that do not fit their type.

mod fitting;
mod indices;
mod located;

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

pub(super) use fitting::fitting;

use super::fields::EXACT;

/// Digits of an integer that may not fit 32 bits.
const LARGE: usize = 10;

/// Whether any integer in `text` has ten digits or more, and so may not fit 32 bits.
fn has_large_integers(text: &str) -> bool {
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
pub(in crate::import) fn may_name(text: &str, name: &str) -> bool {
    text.contains(name) || text.contains('\\')
}

/// Reads a text that fits its type, if indices beyond 32 bits are taken for one that is certainly out of range; none if it
/// does not. `key` is the name of the value, if it has one.
pub(super) fn read_sound<T: DeserializeOwned>(key: &str, text: &str) -> Option<T> {
    if !has_large_integers(text) {
        return serde_json::from_str(text).ok();
    }
    let text = indices::within_32_bits(key, text)?;
    serde_json::from_str(&text).ok()
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

/// Properties that hold indices by names of any kind.
const INDEX_MAPS: [&str; 2] = ["attributes", "targets"];

/// Stands in lists of indices for numbers that are none. Numbers of the file never come to be this one.
pub(super) const NO_INDEX: u32 = u32::MAX - 1;

/// Stands in lists of indices for what is no number.
pub(super) const NO_NUMBER: u32 = u32::MAX - 2;

/// Makes integers of numbers such as `1.0` (glTF 2.0 §2.7), of indices beyond 32 bits one that is certainly out of range,
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
                let are_indices = INDEX_MAPS.contains(&key);
                stack.extend(map.iter_mut().map(|(key, value)| match are_indices {
                    true => ("index", value),
                    false => (key.as_str(), value),
                }));
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

/// [`numbers`] of a value that is an index.
pub(in crate::import) fn numbers_of_index(index: &mut Value) {
    let repaired = match &*index {
        Value::Number(number) => repaired_number("index", number),
        _ => None,
    };
    if let Some(repaired) = repaired {
        *index = Value::Number(repaired);
    }
}

fn repaired_number(key: &str, number: &Number) -> Option<Number> {
    let integer = match number.as_u64() {
        Some(integer) => integer,
        None => {
            let float = number.as_f64()?;
            if float < 0.0 && float.fract() == 0.0 && ENUMERATORS.contains(&key) {
                return Some(Number::from(u32::MAX));
            }
            if float > EXACT && float.fract() == 0.0 && INDICES.contains(&key) {
                return Some(Number::from(u32::MAX));
            }
            if float.fract() != 0.0 || !(0.0..=EXACT).contains(&float) {
                return None;
            }
            float as u64
        }
    };
    let is_index = INDICES.contains(&key) || ENUMERATORS.contains(&key);
    let integer = if is_index && integer >= u64::from(NO_NUMBER) {
        u64::from(u32::MAX)
    } else {
        integer
    };
    Some(Number::from(integer))
}

/// A key as it stands in a JSON pointer (RFC 6901 §3).
pub(in crate::import) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn makes_integers_of_whole_numbers() {
        let mut value = json!({"count": 1e2, "mesh": 2.0, "scale": 0.5, "node": 4294967296_u64, "byteOffset": 4294967296_u64, "scene": 1e20});
        numbers("", &mut value);
        let expected = json!({"count": 100, "mesh": 2, "scale": 0.5, "node": u32::MAX, "byteOffset": 4294967296_u64, "scene": u32::MAX});
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
