//! Accessors and materials where primitives use them: whether they are there, and fit their purpose (glTF 2.0 §3.7.2.1 and
//! §3.7.2.2). The loader sees only those of what it draws.

use std::collections::HashMap;

use crate::import::{
    base::wording::{counted, there_are},
    json::document::Section,
};

use super::{
    Report,
    facts::{AccessorFacts, Facts},
    fields::{Fields, Pointer, integer},
    formats::{self, Format},
};

/// What primitives may use.
#[derive(Debug)]
pub(super) struct Uses<'f> {
    pub facts: &'f Facts<'f>,
    pub material_count: usize,
    /// Whether the file uses `KHR_mesh_quantization`.
    pub is_quantized: bool,
}

/// An accessor, and its place in the file.
pub(super) type Found = (usize, AccessorFacts);

impl Uses<'_> {
    pub(super) fn check(&self, primitive: &Fields<'_>, at: &Pointer<'_>, report: &mut Report<'_>) {
        let (name, count) = (Section::Materials.name(), self.material_count);
        let material = primitive.index("material");
        report.reference(material, name, count, &at.key("material"));
        let here = &at.key("indices");
        let index = primitive.get("indices");
        if let Some(indices) = index.and_then(|index| self.accessor(index, here, report)) {
            let code = "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT";
            report.format(code, formats::INDICES, indices, here);
        }
        let attributes = primitive.object("attributes");
        self.check_attributes(&attributes, &at.key("attributes"), report);
        let targets = primitive.list("targets");
        if targets.is_empty() {
            return;
        }
        let counts = attributes.iter();
        let counts = counts.filter_map(|(name, index)| Some((name, self.count(index)?)));
        let counts = counts.collect();
        let at = &at.key("targets");
        for (place, target) in targets.into_iter().enumerate() {
            let target = Fields::of(target).unwrap_or_default();
            self.check_target(&target, &counts, &at.item(place), report);
        }
    }

    fn check_attributes(&self, attributes: &Fields<'_>, at: &Pointer<'_>, report: &mut Report<'_>) {
        // As many vertices as there are positions.
        let mut count = attributes.get("POSITION").and_then(|it| self.count(it));
        for (name, index) in attributes.iter() {
            let at = &at.key(name);
            let Some(found) = self.accessor(index, at, report) else {
                continue;
            };
            let format = Format::of_attribute(name, self.is_quantized);
            report.attribute(name, format, found, at);
            let (_, accessor) = found;
            let vertices = *count.get_or_insert(accessor.count);
            let code = "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT";
            report.vertex_count(code, accessor.count, vertices, at);
        }
    }

    /// `counts` are the numbers of elements of the primitive's own attributes.
    fn check_target(
        &self,
        target: &Fields<'_>,
        counts: &HashMap<&str, u64>,
        at: &Pointer<'_>,
        report: &mut Report<'_>,
    ) {
        for (name, index) in target.iter() {
            let at = &at.key(name);
            let Some(found) = self.accessor(index, at, report) else {
                continue;
            };
            let format = Format::of_delta(name, self.is_quantized);
            report.attribute(name, format, found, at);
            if let Some(&vertices) = counts.get(name) {
                let code = "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT";
                report.vertex_count(code, found.1.count, vertices, at);
            }
        }
    }

    /// The accessor that is referred to, if it is there; says so if it is not.
    fn accessor(&self, index: &str, at: &Pointer<'_>, report: &mut Report<'_>) -> Option<Found> {
        report.accessor(index_of(index), self.facts, at)
    }

    /// The number of elements of the accessor that is referred to.
    fn count(&self, index: &str) -> Option<u64> {
        Some(self.facts.accessor(index_of(index)?)?.count)
    }
}

fn index_of(text: &str) -> Option<usize> {
    usize::try_from(integer(text)?).ok()
}

impl Report<'_> {
    /// The accessor at an index, if it is there; says so if it is not.
    pub(super) fn accessor(
        &mut self,
        index: Option<usize>,
        facts: &Facts<'_>,
        at: &Pointer<'_>,
    ) -> Option<Found> {
        let name = Section::Accessors.name();
        self.reference(index, name, facts.accessor_count(), at);
        Some((index?, facts.accessor(index?)?))
    }

    /// Says that an accessor has not the elements that it should have.
    pub(super) fn format(
        &mut self,
        code: &'static str,
        wanted: Format,
        (index, accessor): Found,
        at: &Pointer<'_>,
    ) {
        // What the loader could make nothing of has been named.
        let is_said = || {
            let code = "ACCESSOR_UNREADABLE";
            !accessor.is_known() && self.diagnostics.says(code, at)
        };
        if let Some(message) = wanted.complaint(index, &accessor)
            && !is_said()
        {
            self.error(code, at, message);
        }
    }

    fn attribute(&mut self, name: &str, format: Option<Format>, found: Found, at: &Pointer<'_>) {
        let code = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";
        if let Some(format) = format {
            self.format(code, format, found, at);
        }
        let (index, accessor) = found;
        if name == "POSITION" && accessor.lacks_bounds() {
            let code = "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS";
            let message =
                format!("accessor {index} states no min and max, which positions must have");
            self.error(code, at, message);
        }
    }

    /// Says that there is not an element for each vertex; what is 0 is unknown.
    fn vertex_count(&mut self, code: &'static str, found: u64, vertices: u64, at: &Pointer<'_>) {
        if found != vertices && found != 0 && vertices != 0 {
            let message = format!(
                "{} for {}",
                there_are(found, "element", "elements"),
                counted(vertices, "vertex", "vertices")
            );
            self.error(code, at, message);
        }
    }
}
