//! What several checks need to know of the objects of a file, in little memory.

use gltf::json::accessor::{ComponentType, Type};

use crate::import::{
    base::extension,
    json::{
        document::{Document, Section},
        plain::{PlainAccessor, PlainView},
    },
    numbers::components::{component_of, rows_of, shape_of},
};

use super::fields::Fields;

/// `target` of views (glTF 2.0 §3.6.2.4).
pub(super) const ARRAY_BUFFER: u64 = 34962;
pub(super) const ELEMENT_ARRAY_BUFFER: u64 = 34963;

/// Facts about all objects, by their indices.
#[derive(Debug)]
pub(super) struct Facts<'d> {
    document: &'d Document<'d>,
    /// Facts about objects that are not plain, which it takes long to read, in rising order.
    odd_views: Vec<(usize, ViewFacts)>,
    odd_accessors: Vec<(usize, AccessorFacts)>,
    /// What some of these accessors state besides.
    stated: Vec<(usize, Stated<'d>)>,
    /// Number of lights and of variants of materials that the root states.
    pub lights: usize,
    pub variants: usize,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ViewFacts {
    pub buffer: Option<usize>,
    pub offset: u64,
    pub length: u64,
    /// Not 0: that is told, and read as if there were none.
    pub stride: Option<u64>,
    pub target: Option<u64>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct AccessorFacts {
    pub view: Option<usize>,
    /// Where the first element begins in the view, if it is stated.
    pub offset: Option<u64>,
    /// The type of components; like `shape`, none if it is unknown.
    pub component: Option<ComponentType>,
    pub shape: Option<Type>,
    pub normalized: bool,
    pub count: u64,
    /// Whether `min` and `max` are there, with as many numbers as an element.
    pub has_bounds: bool,
}

/// What only few checks ask of an accessor that is not plain, still as text.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Stated<'d> {
    pub min: Option<&'d str>,
    pub max: Option<&'d str>,
    pub sparse: Option<&'d str>,
}

impl<'d> Facts<'d> {
    pub(super) fn read(document: &'d Document<'_>) -> Self {
        let root = document.root_text("extensions").and_then(Fields::of);
        let root = root.unwrap_or_default();
        let (mut odd_accessors, mut stated) = (Vec::new(), Vec::new());
        for (index, accessor) in odd_objects(document, Section::Accessors) {
            odd_accessors.push((index, AccessorFacts::of(&accessor)));
            stated.extend(Stated::of(&accessor).map(|stated| (index, stated)));
        }
        let odd_views = odd_objects(document, Section::BufferViews);
        Self {
            document,
            odd_views: odd_views
                .map(|(index, view)| (index, ViewFacts::of(&view)))
                .collect(),
            odd_accessors,
            stated,
            lights: root
                .object(extension::KHR_LIGHTS_PUNCTUAL)
                .list("lights")
                .len(),
            variants: root
                .object(extension::KHR_MATERIALS_VARIANTS)
                .list("variants")
                .len(),
        }
    }

    /// Number of views.
    pub(super) fn view_count(&self) -> usize {
        self.document.count(Section::BufferViews)
    }

    /// Number of accessors.
    pub(super) fn accessor_count(&self) -> usize {
        self.document.count(Section::Accessors)
    }

    /// All views.
    pub(super) fn views(&self) -> impl Iterator<Item = ViewFacts> {
        (0..self.view_count()).filter_map(|index| self.view(index))
    }

    /// All accessors.
    pub(super) fn accessors(&self) -> impl Iterator<Item = AccessorFacts> {
        (0..self.accessor_count()).filter_map(|index| self.accessor(index))
    }

    /// The view at `index`.
    pub(super) fn view(&self, index: usize) -> Option<ViewFacts> {
        match self.document.plain().view(index) {
            Some(plain) => Some(ViewFacts::of_plain(plain)),
            None => find(&self.odd_views, index),
        }
    }

    /// The accessor at `index`.
    pub(super) fn accessor(&self, index: usize) -> Option<AccessorFacts> {
        match self.document.plain().accessor(index) {
            Some(plain) => Some(AccessorFacts::of_plain(plain)),
            None => find(&self.odd_accessors, index),
        }
    }

    /// What accessors state that are not plain, by their indices.
    pub(super) fn stated(&self) -> impl Iterator<Item = (usize, Stated<'d>)> {
        self.stated.iter().copied()
    }

    /// The view of an accessor.
    pub(super) fn view_of(&self, accessor: &AccessorFacts) -> Option<ViewFacts> {
        self.view(accessor.view?)
    }
}

/// The objects of a section that are not plain, with their indices.
fn odd_objects<'d>(
    document: &'d Document<'_>,
    section: Section,
) -> impl Iterator<Item = (usize, Fields<'d>)> {
    let odd = (0..document.count(section)).filter(move |&it| !document.is_plain(section, it));
    let fields = move |index| Fields::of(document.text(section, index)).unwrap_or_default();
    odd.map(move |index| (index, fields(index)))
}

fn find<F: Copy>(facts: &[(usize, F)], index: usize) -> Option<F> {
    let place = facts.binary_search_by_key(&index, |(index, _)| *index);
    place
        .ok()
        .and_then(|place| facts.get(place))
        .map(|(_, facts)| *facts)
}

/// The objects of a section, in file order; one that is no object is empty.
pub(super) fn objects<'a>(
    document: &Document<'a>,
    section: Section,
) -> impl Iterator<Item = Fields<'a>> {
    (0..document.count(section))
        .map(move |index| Fields::of(document.text(section, index)).unwrap_or_default())
}

impl ViewFacts {
    fn of_plain(plain: &PlainView) -> Self {
        Self {
            buffer: usize::try_from(plain.buffer).ok(),
            offset: plain.offset.into(),
            length: plain.length.into(),
            stride: plain.stride.map(u64::from),
            target: plain.target.map(u64::from),
        }
    }

    fn of(view: &Fields<'_>) -> Self {
        Self {
            buffer: view.index("buffer"),
            offset: view.integer("byteOffset").unwrap_or(0),
            length: view.integer("byteLength").unwrap_or(0),
            stride: view.integer("byteStride").filter(|&stride| stride > 0),
            target: view.integer("target"),
        }
    }
}

impl<'d> Stated<'d> {
    /// What an accessor states, if anything.
    fn of(accessor: &Fields<'d>) -> Option<Self> {
        let [min, max, sparse] = ["min", "max", "sparse"].map(|name| accessor.get(name));
        let is_any = min.or(max).or(sparse).is_some();
        is_any.then_some(Self { min, max, sparse })
    }
}

impl AccessorFacts {
    fn of_plain(plain: &PlainAccessor) -> Self {
        Self {
            view: plain.view.and_then(|view| usize::try_from(view).ok()),
            offset: plain.offset.map(u64::from),
            normalized: plain.normalized,
            count: plain.count.into(),
            has_bounds: plain.bounds.as_ref().is_some_and(|it| it.are_both()),
            component: Some(plain.component),
            shape: Some(plain.shape),
        }
    }

    fn of(accessor: &Fields<'_>) -> Self {
        let shape = accessor.text("type").and_then(|name| shape_of(&name));
        let length = shape.map(|shape| shape.multiplicity());
        let is_whole = |name| accessor.has(name) && Some(accessor.list(name).len()) == length;
        Self {
            view: accessor.index("bufferView"),
            offset: accessor.integer("byteOffset"),
            normalized: accessor.get("normalized") == Some("true"),
            count: accessor.integer("count").unwrap_or(0),
            has_bounds: is_whole("min") && is_whole("max"),
            component: component_type(accessor),
            shape,
        }
    }

    /// Whether its type and that of its components are ones that there are.
    pub(super) fn is_known(&self) -> bool {
        self.shape.is_some() && self.component.is_some()
    }

    /// Whether it is known to lack bounds that its elements could have.
    pub(super) fn lacks_bounds(&self) -> bool {
        self.is_known() && !self.has_bounds
    }

    /// Bytes of a component; 0 if unknown.
    pub(super) fn component_size(&self) -> u64 {
        self.component.map_or(0, |it| it.size() as u64)
    }

    /// Bytes of an element, the columns of matrices padded to four bytes; 0 if unknown.
    pub(super) fn element_size(&self) -> u64 {
        let size = self.component_size();
        let Some(shape) = self.shape else {
            return 0;
        };
        match rows_of(shape) {
            None => size.saturating_mul(shape.multiplicity() as u64),
            Some(rows) => {
                let column = size.saturating_mul(rows as u64);
                column.next_multiple_of(4).saturating_mul(rows as u64)
            }
        }
    }

    /// [`Self::element_size`] without what only fills up the last column, which the last element may lack.
    pub(super) fn used_size(&self) -> u64 {
        let rows = self.shape.and_then(rows_of).unwrap_or(0);
        let column = self.component_size().saturating_mul(rows as u64);
        let padding = column.next_multiple_of(4).saturating_sub(column);
        self.element_size().saturating_sub(padding)
    }
}

/// The `componentType` of an object.
pub(super) fn component_type(object: &Fields<'_>) -> Option<ComponentType> {
    let number = object.integer("componentType")?;
    component_of(u32::try_from(number).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plain_and_odd_accessors_alike() {
        let plain = r#"{"bufferView":1,"byteOffset":8,"componentType":5121,"normalized":true,"type":"VEC3","count":4,"min":[0,0,0],"max":[1,2,3]}"#;
        let odd = plain
            .replace(":1,", ":1.0,")
            .replace(":4,", ":4,\"count\":4,");
        assert!(PlainAccessor::of(&odd).is_none());
        let plain = AccessorFacts::of_plain(&PlainAccessor::of(plain).unwrap());
        let odd = AccessorFacts::of(&Fields::of(&odd).unwrap());
        assert_eq!(format!("{plain:?}"), format!("{odd:?}"));
        assert_eq!(
            (plain.view, plain.offset, plain.count),
            (Some(1), Some(8), 4)
        );
        assert_eq!((plain.element_size(), plain.normalized), (3, true));
        assert!(plain.has_bounds);
        let none = AccessorFacts::of(&Fields::of("[]").unwrap_or_default());
        assert_eq!((none.shape, none.element_size()), (None, 0));
    }
}
