//! The `min` and `max` of accessors: as many numbers as an element has components, each of which a component can hold
//! (glTF 2.0 §3.6.2.5). Where the type of elements is unknown there is nothing to say of them.

use gltf::json::accessor::{ComponentType, Type};

use crate::import::{json::document::Section, numbers::components::limits};

use super::{
    Report,
    facts::Facts,
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
        let (Some(component), Some(shape)) = (accessor.component, accessor.shape) else {
            continue;
        };
        let rule = rule_of(shape);
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
fn rule_of(shape: Type) -> Rule {
    let lengths: &[usize] = match shape {
        Type::Scalar => &[1],
        Type::Vec2 => &[2],
        Type::Vec3 => &[3],
        Type::Vec4 | Type::Mat2 => &[4],
        Type::Mat3 => &[9],
        Type::Mat4 => &[16],
    };
    Rule::Numbers(lengths, ANY)
}

fn check_range(text: &str, component: ComponentType, at: &Pointer<'_>, report: &mut Report<'_>) {
    if component == ComponentType::F32 {
        return;
    }
    let numbers: Vec<f64> = serde_json::from_str(text).unwrap_or_default();
    if let Some(number) = numbers.iter().find(|number| number.fract() != 0.0) {
        let message = format!("{number} is no integer, and the components are");
        report.error("ARRAY_TYPE_MISMATCH", at, message);
    }
    let limits = limits(component);
    let is_beyond = |number: &&f64| number.fract() == 0.0 && !limits.contains(number);
    if let Some(number) = numbers.iter().find(is_beyond) {
        let (least, most) = (limits.start(), limits.end());
        let message = format!("no component can hold {number}, only {least}..={most}");
        report.error("INVALID_GL_VALUE", at, message);
    }
}
