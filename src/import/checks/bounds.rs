//! The `min` and `max` of accessors: as many numbers as an element has components, each of which a component can hold
//! (glTF 2.0 §3.6.2.5). Where the type of elements is unknown there is nothing to say of them.

use crate::import::{
    bounds::{is_integer, limits},
    document::Section,
};

use super::{
    Report,
    facts::{Facts, Shape},
    fields::Pointer,
    schema::{ANY, Rule},
    walk::Walker,
};

pub(super) fn check(facts: &Facts<'_>, walker: &mut Walker<'_, '_>) {
    let root = &Pointer::Root.key(Section::Accessors.name());
    for (index, stated) in facts.stated() {
        let Some(accessor) = facts.accessor(index) else {
            continue;
        };
        let component = u32::try_from(accessor.component).unwrap_or(u32::MAX);
        let Some(rule) = rule_of(accessor.shape).filter(|_| limits(component).is_some()) else {
            continue;
        };
        let at = &root.item(index);
        for (name, text) in [("min", stated.min), ("max", stated.max)] {
            if let Some(text) = text {
                let at = &at.key(name);
                walker.property(text, rule, at);
                check_range(text, component, at, &mut walker.report);
            }
        }
    }
}

/// What bounds of such elements may be.
fn rule_of(shape: Shape) -> Option<Rule> {
    let lengths: &[usize] = match shape {
        Shape::Scalar => &[1],
        Shape::Vector(2) => &[2],
        Shape::Vector(3) => &[3],
        Shape::Vector(4) | Shape::Matrix(2) => &[4],
        Shape::Matrix(3) => &[9],
        Shape::Matrix(4) => &[16],
        _ => return None,
    };
    Some(Rule::Numbers(lengths, ANY))
}

fn check_range(text: &str, component: u32, at: &Pointer<'_>, report: &mut Report<'_>) {
    if !is_integer(component) {
        return;
    }
    let numbers: Vec<f64> = serde_json::from_str(text).unwrap_or_default();
    if let Some(number) = numbers.iter().find(|number| number.fract() != 0.0) {
        let message = format!("{number} is no integer, and the components are");
        report.error("ARRAY_TYPE_MISMATCH", at, message);
    }
    let Some(limits) = limits(component) else {
        return;
    };
    let is_beyond = |number: &&f64| number.fract() == 0.0 && !limits.contains(number);
    if let Some(number) = numbers.iter().find(is_beyond) {
        let (least, most) = (limits.start(), limits.end());
        let message = format!("no component can hold {number}, only {least}..={most}");
        report.error("INVALID_GL_VALUE", at, message);
    }
}
