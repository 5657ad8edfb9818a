//! JSON text that the grammar allows (RFC 8259) and the JSON crate does not read: nested deeper than it goes, or with
//! numbers beyond those that a double holds.

use serde_json::Value;

/// How deep values are kept; what the specification knows is nested far less, and the JSON crate goes down to 127.
const DEEPEST: usize = 100;

/// The value of a text, without what is nested too deeply and with ±1e308 for numbers beyond those that a double holds.
pub(super) fn value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| {
        let pruned = pruned(text);
        serde_json::from_str(&pruned).map_err(|_| error)
    })
}

/// The number of a JSON text; of one beyond those that a double holds, ±1e308.
pub(in crate::import) fn number(text: &str) -> Option<f64> {
    // Files can hold millions of what is no number, or long ones: neither are values made of them, nor words about each.
    let is_number = text
        .trim_start()
        .starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let number = is_number.then(|| serde_json::from_str(text).ok())?;
    number.or_else(|| value(text).ok()?.as_f64())
}

/// The number of a JSON text; infinity where a double does not hold it.
pub(in crate::import) fn number_or_infinity(text: &str) -> Option<f64> {
    let number = number(text)?;
    // What is beyond a double is read so, and by this as well.
    Some(text.trim().parse().unwrap_or(number))
}

/// JSON text with `null` for what is nested too deeply.
fn pruned(text: &str) -> String {
    let mut pruned = String::with_capacity(text.len());
    let (mut depth, mut place) = (0_usize, 0_usize);
    while let Some(byte) = text.as_bytes().get(place) {
        let rest = text.get(place..).unwrap_or_default();
        let (length, number) = match byte {
            b'"' => (length_of_string(rest), None),
            b'-' | b'0'..=b'9' => {
                let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
                let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                let number = rest.get(..length).and_then(|number| number.parse().ok());
                (length, number.filter(|number: &f64| number.is_infinite()))
            }
            _ => (rest.chars().next().map_or(1, char::len_utf8), None),
        };
        let was_kept = depth <= DEEPEST;
        match byte {
            b'[' | b'{' => {
                depth = depth.saturating_add(1);
                if was_kept && depth > DEEPEST {
                    pruned.push_str("null");
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if was_kept && depth <= DEEPEST {
            pruned.push_str(match number {
                Some(number) if number < 0.0 => "-1e308",
                Some(_) => "1e308",
                None => rest.get(..length).unwrap_or_default(),
            });
        }
        place = place.saturating_add(length.max(1));
    }
    pruned
}

/// Bytes of the JSON string at the front of a text, with its quotes.
fn length_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end.saturating_add(2))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn deep_and_large_values_cost_only_themselves() {
        let deep = "[".repeat(1000) + "\"]\"" + &"]".repeat(1000);
        let text =
            format!(r#"{{"a": [1, {{"b": "}}\"["}}], "deep": {deep}, "c": -1e999, "d": 2.5}}"#);
        let mut value = value(&text).unwrap();
        assert_eq!(value["a"], json!([1, {"b": "}\"["}]));
        assert_eq!(value["c"], json!(-1e308));
        assert_eq!(value["d"], json!(2.5));
        let mut depth = 0;
        let mut inner = value["deep"].take();
        while let Value::Array(mut items) = inner {
            inner = items.pop().unwrap();
            depth += 1;
        }
        assert_eq!((depth, inner), (DEEPEST - 1, Value::Null));
        assert!(super::value("{").is_err());
        assert_eq!(number("-1e999"), Some(-1e308));
        assert_eq!(number("\"1\""), None);
        assert_eq!(number_or_infinity("-1e999"), Some(f64::NEG_INFINITY));
        assert_eq!(number_or_infinity("1e308"), Some(1e308));
        assert_eq!(number_or_infinity("inf"), None);
    }
}
