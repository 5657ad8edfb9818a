//! Accessor objects, as the file states them.

use std::sync::atomic::AtomicBool;

use gltf::json::{
    self, Index,
    accessor::{ComponentType, Type},
    validation::Checked,
};

use super::Accessor;
use crate::import::{
    arrays::sparse::{NO_BASE, NOTHING_REPLACED, read_sparse},
    base::{diagnostics::Diagnostics, wording::shorten},
    json::{
        document::{Document, Section},
        fields::Fields,
        plain::PlainAccessor,
    },
    numbers::bounds::{Bounds, Numbers, fits},
};

/// Reads one; none if nothing can be made of it, which is said.
pub(super) fn read(
    document: &Document<'_>,
    index: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Accessor> {
    match document.plain().accessor(index) {
        Some(plain) => of_plain(document, index, plain, diagnostics),
        None => of_object(document, index, diagnostics),
    }
}

const LOST: &str = "its data is lost";

/// One that has nothing out of the ordinary.
fn of_plain(
    document: &Document<'_>,
    index: usize,
    plain: &PlainAccessor,
    diagnostics: &mut Diagnostics,
) -> Option<Accessor> {
    let view = match plain.view {
        Some(view) => {
            let view = Index::<json::buffer::View>::new(view);
            view_at(document, view, (index, ""), LOST, diagnostics)
        }
        None => None,
    };
    let count = usize::try_from(plain.count).unwrap_or(usize::MAX);
    Some(Accessor {
        bounds: plain.bounds.clone(),
        is_lost: plain.view.is_some() && view.is_none(),
        view,
        based: count,
        offset: plain.offset.map_or(0, u64::from),
        count,
        stated_count: count,
        component: plain.component,
        shape: plain.shape,
        normalized: plain.normalized,
        sparse: None,
        is_partial: false,
        is_compared: AtomicBool::new(false),
    })
}

/// Any other.
fn of_object(
    document: &Document<'_>,
    index: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Accessor> {
    let object: json::Accessor = document.object(Section::Accessors, index, diagnostics)?;
    let (Checked::Valid(component), Checked::Valid(shape)) = (object.component_type, object.type_)
    else {
        report_unknown(document, index, &object, diagnostics);
        return None;
    };
    let count = usize::try_from(object.count.0).unwrap_or(usize::MAX);
    if count == 0 {
        diagnostics.error(
            "VALUE_NOT_IN_RANGE",
            format_args!("/accessors/{index}/count"),
            "its count is 0",
            LOST,
        );
        return None;
    }
    let has_sparse = object.sparse.is_some();
    let view = match object.buffer_view {
        // What replaces elements is there all the same.
        Some(view) if has_sparse => view_at(document, view, (index, ""), NO_BASE, diagnostics),
        Some(view) => view_at(document, view, (index, ""), LOST, diagnostics),
        None => None,
    };
    let has_lost_view = object.buffer_view.is_some() && view.is_none();
    let sparse = object.sparse.and_then(|sparse| {
        let mut view_of =
            |view, part| view_at(document, view, (index, part), NOTHING_REPLACED, diagnostics);
        let indices = view_of(sparse.indices.buffer_view, "/sparse/indices");
        let values = view_of(sparse.values.buffer_view, "/sparse/values");
        read_sparse(index, count, &sparse, indices?, values?, diagnostics)
    });
    let numbers = |bound| numbers_of(bound, component.0, shape);
    Some(Accessor {
        bounds: Bounds::of(numbers(object.min), numbers(object.max)),
        view,
        based: count,
        offset: object.byte_offset.unwrap_or_default().0,
        count,
        stated_count: count,
        component: component.0,
        shape,
        normalized: object.normalized,
        is_lost: has_lost_view && !has_sparse,
        is_partial: has_lost_view || (has_sparse && sparse.is_none()),
        sparse: sparse.map(Box::new),
        is_compared: AtomicBool::new(false),
    })
}

/// Says which of the two words that tell what elements are made of is unknown.
fn report_unknown(
    document: &Document<'_>,
    index: usize,
    object: &json::Accessor,
    diagnostics: &mut Diagnostics,
) {
    let text = document.text(Section::Accessors, index);
    let stated = Fields::of(text).unwrap_or_default();
    let is_component_known = matches!(object.component_type, Checked::Valid(_));
    let is_shape_known = matches!(object.type_, Checked::Valid(_));
    for (name, is_known) in [
        ("componentType", is_component_known),
        ("type", is_shape_known),
    ] {
        if !is_known {
            let value = stated.get(name).unwrap_or("");
            let pointer = format_args!("/accessors/{index}/{name}");
            let message = format!("its {name} {} is unknown", shorten(value));
            diagnostics.warning("VALUE_NOT_IN_LIST", pointer, message, LOST);
        }
    }
}

/// The view that an accessor, or a part of it, names; `loss` is what becomes of it without.
fn view_at(
    document: &Document<'_>,
    view: Index<json::buffer::View>,
    (index, part): (usize, &str),
    loss: &str,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let pointer = format_args!("/accessors/{index}{part}/bufferView");
    document.reference(Section::BufferViews, view, pointer, loss, diagnostics)
}

/// The numbers of a bound, if they are those of one element.
fn numbers_of(
    bound: Option<json::Value>,
    component: ComponentType,
    shape: Type,
) -> Option<Numbers> {
    let bound = bound?;
    let numbers = bound.as_array()?.iter().map(json::Value::as_f64);
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    let is_fit = fits(&numbers, component, shape.multiplicity());
    is_fit.then(|| Numbers::from(&*numbers))
}
