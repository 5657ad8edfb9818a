//! Walks over objects and compares them with what they may hold.

use std::collections::HashSet;

use crate::import::{
    base::{
        diagnostics::Severity,
        wording::{counted, shorten},
    },
    json::{deep, doubled::Doubled},
};

use super::{
    Report,
    extension_schema::{Known, STANDING_ALONE, known},
    fields::{Fields, Pointer, integer, items},
    schema::{Object, Place, Range, Rule},
};

/// Compares objects with schemas.
pub(super) struct Walker<'w, 'd> {
    /// The extensions that the file says it uses.
    pub used: &'w HashSet<&'w str>,
    pub report: Report<'d>,
    /// What objects have more than once.
    pub doubled: Doubled,
}

impl Walker<'_, '_> {
    pub(super) fn object(&mut self, text: &str, schema: &'static Object, at: &Pointer<'_>) {
        if self.report.progress.is_cancelled() {
            return;
        }
        let Some(fields) = Fields::of(text) else {
            self.wrong_type(at, "an object");
            return;
        };
        for name in schema.required {
            if !fields.has(name) {
                let message = format_args!("it has no {name}");
                self.report.error("UNDEFINED_PROPERTY", at, message);
            }
        }
        for (name, rule) in schema.properties {
            if let Some(text) = fields.get(name) {
                self.property(text, *rule, &at.key(name));
            }
        }
        let mut kept = 0_usize;
        for (name, _) in fields.iter() {
            kept = kept.saturating_add(1);
            if !schema.is_open && !schema.has(name) {
                self.unexpected(&at.key(name));
            }
        }
        self.note_doubled(&fields, kept, at);
        if let Some(text) = fields.get("extensions") {
            self.extensions(text, schema, &at.key("extensions"));
        }
    }

    fn note_doubled(&mut self, fields: &Fields<'_>, kept: usize, at: &Pointer<'_>) {
        for name in fields.doubled(kept) {
            self.doubled.add(at.key(name));
        }
    }

    /// Says that a property is none that the object may have.
    pub(super) fn unexpected(&mut self, at: &Pointer<'_>) {
        let (severity, code) = (Severity::Warning, "UNEXPECTED_PROPERTY");
        let message = "glTF has no such property here";
        self.report.add(severity, code, at, message);
    }

    pub(super) fn extensions(&mut self, text: &str, schema: &Object, at: &Pointer<'_>) {
        let Some(extensions) = Fields::of(text) else {
            self.wrong_type(at, "an object");
            return;
        };
        let kept = extensions.iter().count();
        self.note_doubled(&extensions, kept, at);
        let is_alone = kept < 2;
        for (name, text) in extensions.iter() {
            let at = &at.key(name);
            if !is_alone && STANDING_ALONE.contains(&name) && schema.place == Place::Material {
                let code = "MULTIPLE_EXTENSIONS";
                let message = "it describes the whole material, and others stand beside it";
                self.report.add(Severity::Warning, code, at, message);
            }
            if !self.used.contains(name) {
                let message = format_args!("{} is not listed in extensionsUsed", shorten(name));
                self.report.error("UNDECLARED_EXTENSION", at, message);
            }
            match known(name, schema.place) {
                Known::Here(schema) => self.object(text, schema, at),
                Known::Elsewhere(severity) => {
                    let message = format_args!("{name} may not stand here");
                    let code = "UNEXPECTED_EXTENSION_OBJECT";
                    self.report.add(severity, code, at, message);
                    if Fields::of(text).is_none() {
                        self.wrong_type(at, "an object");
                    }
                }
                Known::No if Fields::of(text).is_none() => self.wrong_type(at, "an object"),
                Known::No => {}
            }
        }
    }

    pub(super) fn property(&mut self, text: &str, rule: Rule, at: &Pointer<'_>) {
        match rule {
            Rule::Any => {}
            Rule::Flag => {
                if !matches!(text, "true" | "false") {
                    self.wrong_type(at, "true or false");
                }
            }
            Rule::Text => self.text(text, at),
            Rule::Choice(choices) => self.choice(text, choices, at),
            Rule::Texts => {
                let is_text = |item: &str| item.starts_with('"');
                self.list(text, at, is_text, "texts");
            }
            Rule::Number(range) => match deep::number_or_infinity(text) {
                Some(number) => self.number(number, range, at),
                None => self.wrong_type(at, "a number"),
            },
            Rule::Numbers(lengths, range) => self.numbers(text, lengths, range, at),
            Rule::Integer(least, most, step) => self.integer(text, (least, most, step), at),
            Rule::Enumerator(choices) => self.enumerator(text, choices, at),
            Rule::Index => self.index(text, at),
            Rule::Indices => {
                let is_index = |item: &str| integer(item).is_some();
                self.list(text, at, is_index, "indices");
            }
            Rule::IndexMap => self.index_map(text, at),
            Rule::IndexMaps => {
                for (place, item) in self.each_object(text, at) {
                    self.index_map(item, &at.item(place));
                }
            }
            Rule::Object(schema) => self.object(text, schema, at),
            Rule::Objects(schema) => {
                for (place, item) in self.each_object(text, at) {
                    self.object(item, schema, &at.item(place));
                }
            }
        }
    }

    fn wrong_type(&mut self, at: &Pointer<'_>, wanted: &str) {
        let message = format_args!("it is not {wanted}");
        self.report.error("TYPE_MISMATCH", at, message);
    }

    fn text(&mut self, text: &str, at: &Pointer<'_>) {
        if !text.starts_with('"') {
            self.wrong_type(at, "a text");
        }
    }

    fn choice(&mut self, text: &str, choices: &[&str], at: &Pointer<'_>) {
        let Ok(choice) = serde_json::from_str::<String>(text) else {
            self.wrong_type(at, "a text");
            return;
        };
        if !choices.contains(&&*choice) {
            let message = format_args!("\"{}\" is not one of {choices:?}", shorten(&choice));
            let code = "VALUE_NOT_IN_LIST";
            self.report.add(Severity::Warning, code, at, message);
        }
    }

    fn enumerator(&mut self, text: &str, choices: &[u16], at: &Pointer<'_>) {
        let number = serde_json::from_str(text).ok();
        let Some(number) = number.filter(|number: &f64| number.fract() == 0.0) else {
            self.wrong_type(at, "a whole number");
            return;
        };
        if !choices.iter().any(|&choice| f64::from(choice) == number) {
            let message = format_args!("{number} is not one of {choices:?}");
            let code = "VALUE_NOT_IN_LIST";
            self.report.add(Severity::Warning, code, at, message);
        }
    }

    fn number(&mut self, number: f64, range: Range, at: &Pointer<'_>) {
        if !(number as f32).is_finite() {
            self.too_large(number, at);
            return;
        }
        let is_in_range = (range.least..=range.most).contains(&number)
            && !(range.is_open && number <= range.least);
        if !is_in_range {
            let message = format_args!("{number} is not {}", range.describe());
            self.report.error("VALUE_NOT_IN_RANGE", at, message);
        }
    }

    /// Says that nobody can read a number, or that it is none in single precision, which is all that the specification asks of
    /// programs: then the file is at no fault.
    fn too_large(&mut self, number: f64, at: &Pointer<'_>) {
        let code = "VALUE_NOT_IN_RANGE";
        if number.is_infinite() {
            let message = "the number is too large, even for double precision";
            self.report.error(code, at, message);
        } else {
            let message = format_args!("{number:e} is too large for single precision");
            self.report.add(Severity::Warning, code, at, message);
        }
    }

    fn numbers(&mut self, text: &str, lengths: &[usize], range: Range, at: &Pointer<'_>) {
        let numbers = serde_json::from_str::<Vec<f64>>(text).ok().or_else(|| {
            let numbers = items(text)?.into_iter().map(deep::number_or_infinity);
            numbers.collect()
        });
        let Some(numbers) = numbers else {
            if items(text).is_none() {
                self.wrong_type(at, "an array");
            } else {
                let message = "not all of it are numbers";
                self.report.error("ARRAY_TYPE_MISMATCH", at, message);
            }
            return;
        };
        if numbers.is_empty() {
            self.empty(at);
        } else if !lengths.is_empty() && !lengths.contains(&numbers.len()) {
            let count = counted(numbers.len(), "number", "numbers");
            let message = format_args!("it has {count}, not {lengths:?}");
            self.report.error("ARRAY_LENGTH_NOT_IN_LIST", at, message);
        }
        for (place, &number) in numbers.iter().enumerate() {
            self.number(number, range, &at.item(place));
        }
    }

    fn integer(&mut self, text: &str, (least, most, step): (u64, u64, u64), at: &Pointer<'_>) {
        let Some(number) = integer(text) else {
            match deep::number(text) {
                Some(number) if number.fract() == 0.0 => {
                    let message = match in_words(least, most) {
                        _ if number > 0.0 => format!("{number} is too large"),
                        words => format!("{number} is not {words}"),
                    };
                    self.report.error("VALUE_NOT_IN_RANGE", at, message);
                }
                _ => self.wrong_type(at, "a whole number"),
            }
            return;
        };
        if !(least..=most).contains(&number) {
            let message = format_args!("{number} is not {}", in_words(least, most));
            self.report.error("VALUE_NOT_IN_RANGE", at, message);
        } else if !number.is_multiple_of(step) {
            let message = format_args!("{number} is no multiple of {step}");
            self.report.error("VALUE_MULTIPLE_OF", at, message);
        }
    }

    fn index(&mut self, text: &str, at: &Pointer<'_>) {
        if integer(text).is_some() {
            return;
        }
        match fault_of_number(text) {
            Some(code) => {
                let message = format_args!("{} is no index", shorten(text));
                self.report.error(code, at, message);
            }
            None => self.wrong_type(at, "an index"),
        }
    }

    fn index_map(&mut self, text: &str, at: &Pointer<'_>) {
        let Some(fields) = Fields::of(text) else {
            self.wrong_type(at, "an object");
            return;
        };
        if fields.iter().next().is_none() {
            self.empty(at);
        }
        let mut kept = 0_usize;
        for (name, index) in fields.iter() {
            kept = kept.saturating_add(1);
            let at = &at.key(name);
            if deep::number(index).is_some() {
                self.index(index, at);
            } else {
                self.report.error("INVALID_INDEX", at, "it is no index");
            }
        }
        self.note_doubled(&fields, kept, at);
    }

    fn empty(&mut self, at: &Pointer<'_>) {
        let message = "it is empty; then it should not be there";
        self.report.error("EMPTY_ENTITY", at, message);
    }

    /// The items of an array with their places.
    fn each<'t>(
        &mut self,
        text: &'t str,
        at: &Pointer<'_>,
    ) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
        let list = items(text);
        match &list {
            None => self.wrong_type(at, "an array"),
            Some(list) if list.is_empty() => self.empty(at),
            Some(_) => {}
        }
        list.unwrap_or_default().into_iter().enumerate()
    }

    /// The items of an array that are objects, with their places: the array is at fault for others.
    fn each_object<'t>(
        &mut self,
        text: &'t str,
        at: &Pointer<'_>,
    ) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
        let is_object = |(_, item): &(usize, &str)| item.starts_with('{');
        let items: Vec<_> = self.each(text, at).collect();
        if let Some((place, _)) = items.iter().find(|item| !is_object(item)) {
            let message = format_args!("item {place} is not an object");
            self.report.error("ARRAY_TYPE_MISMATCH", at, message);
        }
        items.into_iter().filter(is_object)
    }

    fn list(&mut self, text: &str, at: &Pointer<'_>, is_right: impl Fn(&str) -> bool, what: &str) {
        let mut seen = HashSet::new();
        for (place, item) in self.each(text, at) {
            let at = &at.item(place);
            if !is_right(item) {
                let of_number = fault_of_number(item).filter(|_| what == "indices");
                let code = of_number.unwrap_or("ARRAY_TYPE_MISMATCH");
                let message = format_args!("the array may only hold {what}");
                self.report.error(code, at, message);
            } else if !seen.insert(integer(item).ok_or(item)) {
                let message = format_args!("{} is there twice", shorten(item));
                self.report.error("DUPLICATE_ELEMENTS", at, message);
            }
        }
    }
}

/// What is wrong with a number where an index should be; none if it is no number.
fn fault_of_number(text: &str) -> Option<&'static str> {
    let number = deep::number(text)?;
    let is_large = number > 0.0 && number.fract() == 0.0;
    Some(if is_large {
        "UNRESOLVED_REFERENCE"
    } else {
        "INVALID_INDEX"
    })
}

/// What whole numbers within both limits are.
fn in_words(least: u64, most: u64) -> String {
    match most {
        u64::MAX => format!("at least {least}"),
        _ => format!("in {least}..={most}"),
    }
}

impl Object {
    /// Whether it may have a property of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut properties = self.properties.iter();
        matches!(name, "extensions" | "extras") || properties.any(|(known, _)| *known == name)
    }
}

impl Range {
    fn describe(self) -> String {
        let Self {
            least,
            most,
            is_open,
        } = self;
        match (most.is_finite(), is_open) {
            (true, false) => format!("in {least}..={most}"),
            (true, true) => format!("greater than {least} and at most {most}"),
            (false, true) => format!("greater than {least}"),
            (false, false) => format!("at least {least}"),
        }
    }
}
