//! Where the elements lie that replace others, and their indices (glTF 2.0 §3.6.2.3), whether anybody reads them or not.

use gltf::json::accessor::{
    ComponentType::{U8, U16, U32},
    Type,
};

use crate::import::json::document::Section;

use super::{
    Report,
    buffers::check_offset,
    facts::{AccessorFacts, Facts, component_type},
    fields::{Fields, Pointer},
};

pub(super) fn check(facts: &Facts<'_>, report: &mut Report<'_>) {
    let root = &Pointer::Root.key(Section::Accessors.name());
    for (index, stated) in facts.stated() {
        let sparse = stated.sparse.and_then(Fields::of);
        let accessor = facts.accessor(index);
        // Nobody can say where elements of an unknown type end.
        let accessor = accessor.filter(|accessor| accessor.element_size() > 0);
        let (Some(sparse), Some(accessor)) = (sparse, accessor) else {
            continue;
        };
        let count = sparse.integer("count").unwrap_or(0);
        let (at, name) = (&root.item(index), "sparse");
        let at = &at.key(name);
        let indices = sparse.object("indices");
        // Others are unknown here.
        let component = component_type(&indices);
        let scalars = AccessorFacts {
            component: component.filter(|it| matches!(it, U8 | U16 | U32)),
            shape: Some(Type::Scalar),
            ..AccessorFacts::default()
        };
        for (name, fields, elements) in [
            ("indices", indices, scalars),
            ("values", sparse.object("values"), accessor),
        ] {
            let part = AccessorFacts {
                view: fields.index("bufferView"),
                offset: fields.integer("byteOffset"),
                count,
                ..elements
            };
            check_part(index, name, &part, facts, &at.key(name), report);
        }
    }
}

/// Checks where so many elements lie.
fn check_part(
    index: usize,
    name: &str,
    part: &AccessorFacts,
    facts: &Facts<'_>,
    at: &Pointer<'_>,
    report: &mut Report<'_>,
) {
    let element = part.element_size();
    let Some(view) = facts
        .view_of(part)
        .filter(|_| element > 0 && part.count > 0)
    else {
        return;
    };
    let offset = part.offset.unwrap_or(0);
    check_offset(offset, part.component_size(), &view, at, report);
    let last = part.count.saturating_sub(1).saturating_mul(element);
    let end = last.saturating_add(part.used_size()).saturating_add(offset);
    let told = format!("accessor {index}:");
    let is_said = || report.diagnostics.mentions("ACCESSOR_TOO_LONG", &told);
    if view.length > 0 && end > view.length && !is_said() {
        let length = view.length;
        let message = format!("{told} its sparse {name} end at byte {end} of a view of {length}");
        report.error("ACCESSOR_TOO_LONG", at, message);
    }
}
