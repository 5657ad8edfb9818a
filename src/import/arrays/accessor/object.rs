//! Accessor objects, as the file states them.

use std::sync::atomic::AtomicBool;

use gltf::json::{self, Index, validation::Checked};

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

/// An accessor without its view.
fn of_plain(plain: &PlainAccessor) -> Accessor {
    let count = usize::try_from(plain.count).unwrap_or(usize::MAX);
    Accessor {
        bounds: plain.bounds.clone(),
        view: None,
        based: count,
        offset: plain.offset.map_or(0, u64::from),
        count,
        stated: count,
        component: plain.component,
        shape: plain.shape,
        normalized: plain.normalized,
        sparse: None,
        is_partial: false,
        is_lost: false,
        is_compared: AtomicBool::new(false),
    }
}

/// Reads one; none if nothing can be made of it, which is said.
pub(super) fn read(
    document: &Document<'_>,
    index: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Accessor> {
    const LOST: &str = "its data is lost";
    if let Some(plain) = document.plain().accessor(index) {
        let view = match plain.view {
            Some(view) => {
                let view = Index::<json::buffer::View>::new(view);
                let pointer = format_args!("/accessors/{index}/bufferView");
                let section = Section::BufferViews;
                document.reference(section, view, pointer, LOST, diagnostics)
            }
            None => None,
        };
        return Some(Accessor {
            is_lost: plain.view.is_some() && view.is_none(),
            view,
            ..of_plain(plain)
        });
    }
    let object: json::Accessor = document.object(Section::Accessors, index, diagnostics)?;
    let (Checked::Valid(component), Checked::Valid(shape)) = (object.component_type, object.type_)
    else {
        let text = document.text(Section::Accessors, index);
        let stated = Fields::of(text).unwrap_or_default();
        for (name, is_known) in [
            (
                "componentType",
                matches!(object.component_type, Checked::Valid(_)),
            ),
            ("type", matches!(object.type_, Checked::Valid(_))),
        ] {
            if !is_known {
                let value = stated.get(name).unwrap_or("");
                let pointer = format_args!("/accessors/{index}/{name}");
                let message = format!("its {name} {} is unknown", shorten(value));
                diagnostics.warning("VALUE_NOT_IN_LIST", pointer, message, LOST);
            }
        }
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
    let view_at = |view, name: &str, loss, diagnostics: &mut Diagnostics| {
        let pointer = format_args!("/accessors/{index}{name}/bufferView");
        document.reference(Section::BufferViews, view, pointer, loss, diagnostics)
    };
    let has_sparse = object.sparse.is_some();
    let view = match object.buffer_view {
        // What replaces elements is there all the same.
        Some(view) if has_sparse => view_at(view, "", NO_BASE, diagnostics),
        Some(view) => view_at(view, "", LOST, diagnostics),
        None => None,
    };
    let has_lost_view = object.buffer_view.is_some() && view.is_none();
    let sparse = object.sparse.and_then(|sparse| {
        let loss = NOTHING_REPLACED;
        let indices = view_at(
            sparse.indices.buffer_view,
            "/sparse/indices",
            loss,
            diagnostics,
        );
        let values = view_at(
            sparse.values.buffer_view,
            "/sparse/values",
            loss,
            diagnostics,
        );
        read_sparse(index, count, &sparse, indices?, values?, diagnostics)
    });
    let numbers = |bound: Option<json::Value>| {
        let bound = bound?;
        let numbers = bound.as_array()?.iter().map(json::Value::as_f64);
        let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
        let is_fit = fits(&numbers, component.0, shape.multiplicity());
        is_fit.then(|| Numbers::from(&*numbers))
    };
    Some(Accessor {
        bounds: Bounds::of(numbers(object.min), numbers(object.max)),
        view,
        based: count,
        offset: object.byte_offset.unwrap_or_default().0,
        count,
        stated: count,
        component: component.0,
        shape,
        normalized: object.normalized,
        is_lost: has_lost_view && !has_sparse,
        is_partial: has_lost_view || (has_sparse && sparse.is_none()),
        sparse: sparse.map(Box::new),
        is_compared: AtomicBool::new(false),
    })
}
