//! What several checks need to know of the objects of a file, in little memory.

use crate::import::document::{Document, Section};

use super::fields::Fields;

/// Facts about all objects, by their indices.
#[derive(Debug)]
pub(super) struct Facts {
    pub views: Vec<ViewFacts>,
    pub accessors: Vec<AccessorFacts>,
    /// Number of lights and of variants of materials that the root states.
    pub lights: usize,
    pub variants: usize,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ViewFacts {
    pub buffer: Option<usize>,
    pub offset: u64,
    pub length: u64,
    pub stride: Option<u64>,
    pub target: Option<u64>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct AccessorFacts {
    pub view: Option<usize>,
    /// Of the first element in the view, where it is stated.
    pub offset: Option<u64>,
    /// Bytes of a component; 0 if unknown.
    pub component_size: u64,
    pub component: u64,
    pub shape: Shape,
    pub normalized: bool,
    pub count: u64,
}

/// The type of an accessor's elements.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    #[default]
    Unknown,
    Scalar,
    Vector(u64),
    /// Number of rows and of columns.
    Matrix(u64),
}

/// `componentType` of unsigned 32-bit integers and of floats (glTF 2.0 §3.6.2.2).
pub(super) const UNSIGNED_INT: u64 = 5125;
pub(super) const FLOAT: u64 = 5126;

impl Facts {
    pub(super) fn read(document: &Document<'_>) -> Self {
        let views = objects(document, Section::BufferViews);
        let accessors = objects(document, Section::Accessors);
        let root = document.root_text("extensions").and_then(Fields::of);
        let root = root.unwrap_or_default();
        Self {
            views: views.map(|view| ViewFacts::of(&view)).collect(),
            accessors: accessors
                .map(|accessor| AccessorFacts::of(&accessor))
                .collect(),
            lights: root.object("KHR_lights_punctual").list("lights").len(),
            variants: root.object("KHR_materials_variants").list("variants").len(),
        }
    }

    /// The view of an accessor.
    pub(super) fn view_of(&self, accessor: &AccessorFacts) -> Option<&ViewFacts> {
        self.views.get(accessor.view?)
    }
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
    fn of(view: &Fields<'_>) -> Self {
        Self {
            buffer: view.index("buffer"),
            offset: view.integer("byteOffset").unwrap_or(0),
            length: view.integer("byteLength").unwrap_or(0),
            stride: view.integer("byteStride"),
            target: view.integer("target"),
        }
    }
}

impl AccessorFacts {
    fn of(accessor: &Fields<'_>) -> Self {
        let component = accessor.integer("componentType").unwrap_or(0);
        let shape = match accessor.text("type").as_deref() {
            Some("SCALAR") => Shape::Scalar,
            Some("VEC2") => Shape::Vector(2),
            Some("VEC3") => Shape::Vector(3),
            Some("VEC4") => Shape::Vector(4),
            Some("MAT2") => Shape::Matrix(2),
            Some("MAT3") => Shape::Matrix(3),
            Some("MAT4") => Shape::Matrix(4),
            _ => Shape::Unknown,
        };
        Self {
            view: accessor.index("bufferView"),
            offset: accessor.integer("byteOffset"),
            component_size: match component {
                5120 | 5121 => 1,
                5122 | 5123 => 2,
                UNSIGNED_INT | FLOAT => 4,
                _ => 0,
            },
            component,
            shape,
            normalized: accessor.get("normalized") == Some("true"),
            count: accessor.integer("count").unwrap_or(0),
        }
    }

    /// Bytes of an element, the columns of matrices padded to four bytes.
    pub(super) fn element_size(&self) -> u64 {
        match self.shape {
            Shape::Unknown => 0,
            Shape::Scalar => self.component_size,
            Shape::Vector(length) => self.component_size.saturating_mul(length),
            Shape::Matrix(rows) => {
                let column = self.component_size.saturating_mul(rows);
                column.next_multiple_of(4).saturating_mul(rows)
            }
        }
    }
}
