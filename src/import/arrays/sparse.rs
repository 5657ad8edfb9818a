//! Sparse accessors: elements that replace others (glTF 2.0 §3.6.2.3).

use gltf::json::{self, accessor::ComponentType, validation::Checked};

use crate::import::{
    base::{
        budget::Budget,
        diagnostics::{Diagnostics, Fault},
        wording::there_are,
    },
    files::bytes::Bytes,
    numbers::components::{ElementSize, integer_reader},
};

use super::{accessor::checked_range, buffers::Buffers};

/// What comes of a `sparse` object that cannot be read.
pub(super) const NOTHING_REPLACED: &str = "no elements are replaced";

/// Elements that replace others (glTF 2.0 §3.6.2.3).
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    count: usize,
    indices: (usize, u64, ComponentType),
    values: (usize, u64),
}

/// What comes of elements that cannot be read, some of which are replaced.
pub(super) const NO_BASE: &str = "those that are not replaced are zero";

impl Sparse {
    /// How many elements are replaced.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Calls `replace` with each element that is replaced, of so many, and with the bytes of the one in its place, in the
    /// file's order; the result is what is wrong with some of them.
    pub(super) fn apply(
        &self,
        buffers: &Buffers<'_>,
        budget: &Budget,
        element: ElementSize,
        count: usize,
        mut replace: impl FnMut(u32, &[u8]),
    ) -> Result<Option<Fault>, Fault> {
        let component = self.indices.2;
        let (indices, stride) = self.indices(buffers)?;
        let (replacements, value_stride) = self.values(buffers, element)?;
        let indices = indices.load(budget)?;
        let replacements = replacements.load(budget)?;
        let Some(read) = integer_reader(component) else {
            let message = "its sparse indices are not unsigned integers";
            return Err(Fault::new("ACCESSOR_INVALID_FORMAT", message));
        };
        let (mut beyond, mut falling) = (None, None);
        let mut previous = None;
        let pairs = indices
            .chunks(stride)
            .zip(replacements.chunks(value_stride));
        for (place, replacement) in pairs {
            let [index] = read(place, &[0]);
            let place = usize::try_from(index).unwrap_or(usize::MAX);
            if previous.is_some_and(|previous| place <= previous) {
                falling = falling.or(previous.zip(Some(place)));
            }
            previous = Some(place);
            if place < count {
                replace(index, replacement);
            } else {
                beyond = beyond.or(Some(place));
            }
        }
        let beyond = beyond.map(|place| {
            let elements = there_are(count, "element", "elements");
            let message = format!("its sparse index {place} is out of range: {elements}");
            Fault::new("ACCESSOR_SPARSE_INDEX_OOB", message)
        });
        let falling = falling.map(|(previous, place)| {
            let message = format!("its sparse indices do not grow: {place} comes after {previous}");
            Fault::new("ACCESSOR_SPARSE_INDICES_NON_INCREASING", message)
        });
        Ok(beyond.or(falling))
    }

    /// Whether both parts lie in their views; else which one does not, by its name.
    pub(super) fn check(
        &self,
        buffers: &Buffers<'_>,
        element: ElementSize,
    ) -> Result<(), (&'static str, Fault)> {
        self.indices(buffers).map_err(|fault| ("indices", fault))?;
        let values = self.values(buffers, element);
        values.map(drop).map_err(|fault| ("values", fault))
    }

    /// Where the indices lie, and from one to the next.
    fn indices<'b>(&self, buffers: &'b Buffers<'_>) -> Result<(Bytes<'b>, usize), Fault> {
        let (view, offset, component) = self.indices;
        let (bytes, stride) = buffers.view(view)?;
        let size = component.size();
        let stride = stride.unwrap_or(size);
        let size = ElementSize::packed(size);
        let bytes = checked_range(bytes, offset, self.count, stride, size)?;
        Ok((bytes, stride))
    }

    /// Where the values that replace elements lie, and from one to the next.
    fn values<'b>(
        &self,
        buffers: &'b Buffers<'_>,
        element: ElementSize,
    ) -> Result<(Bytes<'b>, usize), Fault> {
        let (view, offset) = self.values;
        let (bytes, stride) = buffers.view(view)?;
        let stride = stride.unwrap_or(element.padded);
        let bytes = checked_range(bytes, offset, self.count, stride, element)?;
        Ok((bytes, stride))
    }
}

/// Reads a `sparse` object, whose views exist; `count` is how many elements there are.
pub(super) fn read_sparse(
    index: usize,
    count: usize,
    object: &json::accessor::sparse::Sparse,
    indices: usize,
    values: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Sparse> {
    let replaced = usize::try_from(object.count.0).unwrap_or(usize::MAX);
    let component = object.indices.component_type;
    if replaced == 0 {
        let pointer = format_args!("/accessors/{index}/sparse/count");
        let message = "0 is not at least 1";
        diagnostics.error("VALUE_NOT_IN_RANGE", pointer, message, NOTHING_REPLACED);
        return None;
    }
    let is_unknown = |component| integer_reader::<1>(component).is_none();
    let fault = match component {
        Checked::Valid(component) if is_unknown(component.0) => Fault::warning(
            "VALUE_NOT_IN_LIST",
            "its sparse indices are not unsigned integers",
        ),
        Checked::Valid(component) if (1..=count).contains(&replaced) => {
            return Some(Sparse {
                count: replaced,
                indices: (indices, object.indices.byte_offset.0, component.0),
                values: (values, object.values.byte_offset.0),
            });
        }
        Checked::Valid(_) => Fault::new(
            "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE",
            format!("its sparse count {replaced} is not in 1..={count}"),
        ),
        Checked::Invalid => Fault::warning(
            "VALUE_NOT_IN_LIST",
            "the componentType of its sparse indices is unknown",
        ),
    };
    let pointer = format_args!("/accessors/{index}/sparse");
    diagnostics.fault(fault, pointer, NOTHING_REPLACED);
    None
}
