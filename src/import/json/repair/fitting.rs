//! Takes out of a value what does not fit its type, and says what that was.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::import::base::wording::shorten;

use super::{
    INDEX_MAPS, INDICES, NO_INDEX, NO_NUMBER,
    located::{self, Error, ExpectedKind, Path, Step, Wrong},
    numbers,
};

/// Bytes of text that may be read again for each attempt: long texts are tried less often.
const BYTES_AN_ATTEMPT: usize = 1024;

/// Properties without which the object that they belong to would be taken for something else.
const NEEDED: [&str; 4] = ["byteOffset", "byteStride", "filter", "indices"];

/// What was found wrong in a value.
#[derive(Debug)]
pub(in crate::import) struct Finding {
    pub place: Path,
    pub code: &'static str,
    pub message: String,
    /// What was done about it; none if nothing could be made of the value for it.
    pub action: Option<String>,
}

/// Reads a value without all in it that does not fit, and says what that was. `key` is the name of the value itself, if
/// it has one; `length` that of its text.
pub(in crate::import) fn fitting<T: DeserializeOwned>(
    key: &str,
    mut value: Value,
    length: usize,
    attempts: &AtomicUsize,
) -> (Option<T>, Vec<Finding>) {
    numbers(key, &mut value);
    let mut mender = Mender {
        key,
        value,
        findings: Vec::new(),
    };
    let cost = length.div_euclid(BYTES_AN_ATTEMPT).saturating_add(1);
    loop {
        let error = match located::read(&mender.value) {
            Ok(object) => return (Some(object), mender.findings),
            Err(error) => error,
        };
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let left = attempts.fetch_update(set, get, |left| left.checked_sub(cost));
        if !mender.mend(error) {
            return (None, mender.findings);
        }
        if left.is_err() {
            if let Some(last) = mender.findings.last_mut() {
                last.action = None;
            }
            return (None, mender.findings);
        }
    }
}

/// A value that is mended fault by fault.
struct Mender<'k> {
    key: &'k str,
    value: Value,
    findings: Vec<Finding>,
}

impl Mender<'_> {
    /// Takes out what an error was about, and what cannot be without it; whether anything is left.
    fn mend(&mut self, error: Error) -> bool {
        let message = error.to_string();
        let Error { wrong, path } = error;
        match wrong {
            Wrong::Type(wanted) => self.mend_type(wanted, path),
            Wrong::Missing(field) => self.mend_missing(field, path, message),
            Wrong::Choice(_) => self.mend_property(path, "VALUE_NOT_IN_LIST", message),
            Wrong::Length(..) => self.mend_property(path, "ARRAY_LENGTH_NOT_IN_LIST", message),
            Wrong::Other(_) => self.mend_property(path, "TYPE_MISMATCH", message),
        }
    }

    fn mend_type(&mut self, wanted: ExpectedKind, path: Path) -> bool {
        let steps = &*path.0;
        let is_index = wanted == ExpectedKind::Integer && self.is_index(steps);
        if is_index && let Some((last, way)) = steps.split_last() {
            match (last, at(&mut self.value, way)) {
                (Step::Item(_), Some(Value::Array(items))) => return mark_indices(items),
                (Step::Key(_), Some(Value::Object(map))) if is_map_of_indices(way) => {
                    let findings = without_bad_indices(map, way);
                    let is_mended = !findings.is_empty();
                    self.findings.extend(findings);
                    return is_mended;
                }
                _ => {}
            }
        }
        let Some(value) = at(&mut self.value, steps) else {
            return false;
        };
        if wanted == ExpectedKind::Flag
            && let Some(flag @ (0 | 1)) = value.as_u64()
        {
            let flag = flag == 1;
            *value = flag.into();
            let message = format!("it is not {}", wanted.one());
            let finding = Finding::new(path, "TYPE_MISMATCH", message);
            let action = Some(format!("it counts as {flag}"));
            self.findings.push(Finding { action, ..finding });
            return true;
        }
        let (code, message) = if is_index {
            fault_of_index(value)
        } else {
            fault_of_type(wanted, value)
        };
        match (steps.last(), wanted) {
            (Some(Step::Item(_)), ExpectedKind::Number) => {
                let way = steps.split_last().map_or(&[][..], |(_, way)| way);
                let message = format!("not all of it are {}", wanted.many());
                self.mend_property(Path(way.to_vec()), "ARRAY_TYPE_MISMATCH", message)
            }
            // No name stands for one that is none: those after it keep their places.
            (Some(Step::Item(_)), ExpectedKind::Text) => {
                *value = Value::String(String::new());
                let message = "it is not a text".to_owned();
                let finding = Finding::new(path, "ARRAY_TYPE_MISMATCH", message);
                let action = Some("it is ignored".to_owned());
                self.findings.push(Finding { action, ..finding });
                true
            }
            // So does a target that moves nothing.
            (Some(Step::Item(_)), ExpectedKind::Object) if is_in_list(steps, "targets") => {
                *value = Value::Object(Map::new());
                let (list, message) = match steps.split_last() {
                    Some((Step::Item(place), list)) => {
                        (list, format!("item {place} is not an object"))
                    }
                    _ => (steps, format!("it is not {}", wanted.one())),
                };
                let finding = Finding::new(Path(list.to_vec()), "ARRAY_TYPE_MISMATCH", message);
                let action = Some("it moves nothing".to_owned());
                self.findings.push(Finding { action, ..finding });
                true
            }
            (Some(Step::Item(_)), ExpectedKind::Flag | ExpectedKind::Integer) => {
                let message = format!("the array may only hold {}", wanted.many());
                self.mend_property(path, "ARRAY_TYPE_MISMATCH", message)
            }
            _ => self.mend_property(path, code, message),
        }
    }

    /// Takes out a property, or the object that needs it.
    fn mend_property(&mut self, path: Path, code: &'static str, message: String) -> bool {
        let way = path.0.clone();
        self.findings.push(Finding::new(path, code, message));
        let last = self.findings.len().saturating_sub(1);
        match way.split_last() {
            Some((Step::Key(key), owner)) if NEEDED.contains(&&**key) => self.lose(owner, last),
            _ => self.lose(&way, last),
        }
    }

    /// Takes out an object that lacks what it needs.
    fn mend_missing(&mut self, field: &str, path: Path, message: String) -> bool {
        let way = path.0.clone();
        // What is missing may have been taken out.
        let is_cause = |finding: &Finding| {
            let rest = finding.place.0.strip_prefix(&*way);
            let first = rest.and_then(|rest| rest.first());
            first.is_some_and(|step| matches!(step, Step::Key(key) if key == field))
        };
        let cause = self.findings.iter().rposition(is_cause);
        let cause = cause.unwrap_or_else(|| {
            let finding = Finding::new(path, "UNDEFINED_PROPERTY", message);
            self.findings.push(finding);
            self.findings.len().saturating_sub(1)
        });
        self.lose(&way, cause)
    }

    /// Takes out the innermost property on a way, for which there is a finding; whether there is one.
    fn lose(&mut self, way: &[Step], cause: usize) -> bool {
        let place = way.iter().rposition(|step| matches!(step, Step::Key(_)));
        let parts = place.and_then(|place| way.split_at_checked(place));
        let lost = parts.and_then(|(owner, rest)| {
            let Some(Step::Key(key)) = rest.first() else {
                return None;
            };
            let owner = at(&mut self.value, owner)?.as_object_mut()?;
            owner.remove(key).map(|_| key)
        });
        if let Some(finding) = self.findings.get_mut(cause) {
            finding.action = lost.map(|key| match finding.place.0.last() {
                Some(Step::Key(last)) if finding.place.0.len() == way.len() && last == key => {
                    "the property is ignored".to_owned()
                }
                _ => format!("{} is ignored", shorten(key)),
            });
        }
        lost.is_some()
    }

    /// Whether what lies at the end of a way is an index.
    fn is_index(&self, way: &[Step]) -> bool {
        let keys = way.iter().rev().filter_map(|step| match step {
            Step::Key(key) => Some(&**key),
            Step::Item(_) => None,
        });
        let mut keys = keys.chain([self.key]);
        let key = keys.next().unwrap_or_default();
        (key != "mode" && INDICES.contains(&key))
            || keys.next().is_some_and(|owner| INDEX_MAPS.contains(&owner))
    }
}

impl Finding {
    fn new(place: Path, code: &'static str, message: String) -> Self {
        Self {
            place,
            code,
            message,
            action: None,
        }
    }
}

/// The value at the end of a way.
fn at<'v>(value: &'v mut Value, way: &[Step]) -> Option<&'v mut Value> {
    way.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(&**key),
        Step::Item(index) => value.get_mut(*index),
    })
}

/// Whether a way ends with an item of a list of this name.
fn is_in_list(way: &[Step], name: &str) -> bool {
    matches!(way, [.., Step::Key(key), Step::Item(_)] if key == name)
}

/// Whether the object at the end of a way holds indices by names of any kind.
fn is_map_of_indices(way: &[Step]) -> bool {
    let mut keys = way.iter().rev().filter_map(|step| match step {
        Step::Key(key) => Some(&**key),
        Step::Item(_) => None,
    });
    keys.next().is_some_and(|key| INDEX_MAPS.contains(&key))
}

/// Marks all in a list that is no index: whoever follows the indices says what that costs. Whether there is any.
fn mark_indices(items: &mut [Value]) -> bool {
    let mut is_any = false;
    for item in items.iter_mut().filter(|item| item.as_u64().is_none()) {
        let mark = if item.is_number() {
            NO_INDEX
        } else {
            NO_NUMBER
        };
        *item = mark.into();
        is_any = true;
    }
    is_any
}

/// Takes all that is no index out of a map of them: many may be wrong.
fn without_bad_indices(map: &mut Map<String, Value>, way: &[Step]) -> Vec<Finding> {
    let mut findings = Vec::new();
    map.retain(|key, value| {
        let is_index = value.as_u64().is_some();
        if !is_index {
            let mut path = way.to_vec();
            path.push(Step::Key(key.clone()));
            let message = match value {
                Value::Number(number) => format!("{number} is no index"),
                _ => "it is no index".to_owned(),
            };
            let action = Some("it is ignored".to_owned());
            findings.push(Finding {
                action,
                ..Finding::new(Path(path), "INVALID_INDEX", message)
            });
        }
        is_index
    });
    findings
}

fn fault_of_index(value: &Value) -> (&'static str, String) {
    match value {
        Value::Number(number) => ("INVALID_INDEX", format!("{number} is no index")),
        _ => ("TYPE_MISMATCH", "it is not an index".to_owned()),
    }
}

fn fault_of_type(wanted: ExpectedKind, value: &Value) -> (&'static str, String) {
    let whole = value.as_f64().filter(|number| number.fract() == 0.0);
    match whole {
        Some(number) if wanted == ExpectedKind::Integer => {
            let fault = if number < 0.0 {
                "is not at least 0"
            } else {
                "is too large"
            };
            ("VALUE_NOT_IN_RANGE", format!("{number} {fault}"))
        }
        _ => ("TYPE_MISMATCH", format!("it is not {}", wanted.one())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Thing {
        part: Option<Part>,
        file: Option<File>,
        view: Option<View>,
        nodes: Vec<u32>,
        attributes: BTreeMap<String, usize>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Part {
        name: Option<String>,
        size: Option<u32>,
        is_big: Option<bool>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct File {
        index: u32,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase")]
    struct View {
        byte_offset: Option<u32>,
    }

    /// What is read of a value, and what is said.
    fn mended<T: DeserializeOwned>(value: Value, attempts: usize) -> (Option<T>, Vec<String>) {
        let (read, findings) = fitting("", value, 40, &AtomicUsize::new(attempts));
        let findings = findings.into_iter();
        let said = findings.map(|it| {
            let action = it.action.unwrap_or_default();
            format!("{} {}: {}; {action}", it.code, it.place, it.message)
        });
        (read, said.collect())
    }

    #[test]
    fn takes_out_each_bad_property() {
        let value = json!({"part": {"name": 5, "size": -3, "is_big": 1}, "nodes": [0, -1, "a", 2]});
        let (thing, said) = mended::<Thing>(value, 100);
        let part = Part {
            name: None,
            size: None,
            is_big: Some(true),
        };
        let thing = thing.unwrap();
        assert_eq!(thing.part, Some(part));
        assert_eq!(thing.nodes, [0, NO_INDEX, NO_NUMBER, 2]);
        let expected = [
            "TYPE_MISMATCH /part/is_big: it is not true or false; it counts as true",
            "TYPE_MISMATCH /part/name: it is not a text; the property is ignored",
            "VALUE_NOT_IN_RANGE /part/size: -3 is not at least 0; the property is ignored",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn takes_out_what_cannot_be_without_what_is_bad() {
        let value = json!({"file": {"index": -1}, "view": {"byteOffset": "a"}});
        let (thing, said) = mended::<Thing>(value, 100);
        assert_eq!(thing, Some(Thing::default()));
        let expected = [
            "INVALID_INDEX /file/index: -1 is no index; file is ignored",
            "TYPE_MISMATCH /view/byteOffset: it is not a whole number; view is ignored",
        ];
        assert_eq!(said, expected);
        let (file, said) = mended::<File>(json!({"index": "a"}), 100);
        assert_eq!(file, None);
        assert_eq!(said, ["TYPE_MISMATCH /index: it is not an index; "]);
        let (file, said) = mended::<File>(json!({}), 100);
        assert_eq!(file, None);
        assert_eq!(said, ["UNDEFINED_PROPERTY : it has no index; "]);
    }

    #[test]
    fn many_bad_indices_take_one_attempt() {
        let attributes: Map<_, _> = (0..1000)
            .map(|name| (name.to_string(), json!(-1)))
            .collect();
        let value = json!({"attributes": attributes, "nodes": vec![-1; 1000]});
        let (thing, said) = mended::<Thing>(value, 2);
        assert_eq!(said.len(), 1000);
        assert_eq!(thing.unwrap().nodes.len(), 1000);
    }

    #[test]
    fn long_texts_are_tried_less_often() {
        let left_of = |length: usize| {
            let value = json!({"name": 5, "size": "x", "is_big": 7});
            let attempts = AtomicUsize::new(10_000);
            let (part, _) = fitting::<Part>("", value, length, &attempts);
            assert!(part.is_some());
            attempts.into_inner()
        };
        assert_eq!(left_of(100), 9997);
        assert_eq!(left_of(1 << 20), 10_000 - 3 * 1025);
        let value = json!({"name": 5, "size": "x", "is_big": 7});
        let (part, said) = mended::<Part>(value, 2);
        assert_eq!((part, said.len()), (None, 3));
    }
}
