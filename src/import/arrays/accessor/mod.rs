//! Accessors: bytes of buffer views → arrays of numbers (glTF 2.0 §3.6.2).
//!
//! Every offset is checked once, in `checked_range`, before anything is allocated; then elements are read in one pass.

mod few;
mod fit;
mod list;
mod object;
mod own;
mod whole;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use gltf::json::accessor::{ComponentType, Type};

use crate::import::{
    base::{
        budget::Budget,
        diagnostics::{Diagnostics, Fault},
        wording::counted,
    },
    decode::Compression,
    files::bytes::{Bytes, Elements},
    json::document::{Document, Section},
    numbers::{
        bounds::Bounds,
        components::{
            ElementReader, ElementSize, Stated, component_name, element_layout, float_reader,
            integer_reader,
        },
        extent::{Extremes, extremes},
    },
};

use super::{buffers::Buffers, sparse::Sparse};

pub(in crate::import) use list::{List, SharedList};
pub(in crate::import) use own::PrimitivePlace;
pub(super) use whole::NOT_WHOLE;

use own::OwnParts;

/// All accessors of a file, and behind them those that stand for some of them.
#[derive(Debug, Default)]
pub(in crate::import) struct Accessors {
    accessors: Vec<Option<Accessor>>,
    /// Which stand for others in primitives.
    own: OwnParts,
    /// For each that stands for others, which those are.
    origins: Vec<usize>,
}

/// How numbers lie in a view.
#[derive(Debug)]
pub(in crate::import) struct Accessor {
    /// How many elements are there.
    pub count: usize,
    /// How many the file states.
    pub stated_count: usize,
    pub component: ComponentType,
    pub shape: Type,
    pub normalized: bool,
    /// The `min` and `max` that the file states, where they fit the elements.
    pub bounds: Option<Arc<Bounds>>,
    view: Option<usize>,
    /// How many elements are there of those that `sparse` replaces some of; the others are zero.
    based: usize,
    offset: u64,
    sparse: Option<Box<Sparse>>,
    /// Whether some of its elements are lost, or some that should replace others.
    is_partial: bool,
    /// Whether its view does not exist: then it is nothing but what compressed data stand for.
    is_lost: bool,
    /// Whether its elements have been compared with its bounds.
    is_compared: AtomicBool,
}

impl Accessor {
    /// Whether some of its elements are replaced by others.
    pub(in crate::import) fn is_sparse(&self) -> bool {
        self.sparse.is_some()
    }

    /// Whether both `min` and `max` are stated.
    pub(in crate::import) fn has_bounds(&self) -> bool {
        self.bounds.as_ref().is_some_and(|bounds| bounds.are_both())
    }

    /// The bounds that all its elements can be compared with.
    pub(in crate::import) fn comparable_bounds(&self) -> Option<&Bounds> {
        let bounds = self.bounds.as_deref();
        bounds.filter(|_| !self.is_partial)
    }

    /// What compression did to its numbers.
    pub(in crate::import) fn compression(&self, buffers: &Buffers<'_>) -> Compression {
        self.view
            .map_or(Compression::None, |view| buffers.compression(view))
    }

    /// Whether all its elements are zero since it has no data at all.
    pub(in crate::import) fn is_all_zero(&self) -> bool {
        self.view.is_none() && self.sparse.is_none()
    }
}

/// What checks ask.
impl Accessor {
    /// Whether its view, if it has one, can be read.
    pub(in crate::import) fn has_view(&self, buffers: &Buffers<'_>) -> bool {
        self.lost_view(buffers).is_none()
    }

    /// What is wrong with its view, if that cannot be read.
    pub(in crate::import) fn lost_view(&self, buffers: &Buffers<'_>) -> Option<Fault> {
        self.view.and_then(|view| buffers.view(view).err())
    }

    /// Whether its elements have been compared with its bounds.
    pub(in crate::import) fn is_compared(&self) -> bool {
        self.is_compared.load(Ordering::Relaxed)
    }

    /// Notes that they have been.
    pub(super) fn set_compared(&self) {
        self.is_compared.store(true, Ordering::Relaxed);
    }
}

/// Decoded elements, and what was wrong with some of them.
#[derive(Debug)]
pub(in crate::import) struct Decoded<L> {
    pub values: L,
    pub complaint: Option<Fault>,
}

impl Accessors {
    /// Reads all accessor objects; their data is read when it is asked for.
    pub(in crate::import) fn read(document: &Document<'_>, diagnostics: &mut Diagnostics) -> Self {
        let count = document.count(Section::Accessors);
        let accessors = (0..count).map(|index| object::read(document, index, diagnostics));
        Self {
            accessors: accessors.collect(),
            ..Self::default()
        }
    }

    /// Adds one that may stand for `index` or, without it, for indices that nobody states, with its elements one after the
    /// other in a view.
    pub(in crate::import) fn add(
        &mut self,
        index: Option<usize>,
        component: ComponentType,
        count: usize,
        view: usize,
    ) -> Result<usize, Fault> {
        let origin = index.map(|index| self.even_if_lost(index)).transpose()?;
        let own = Accessor {
            count,
            stated_count: count,
            component,
            shape: origin.map_or(Type::Scalar, |origin| origin.shape),
            normalized: origin.is_some_and(|it| it.normalized && it.component == component),
            bounds: origin.and_then(|origin| origin.bounds.clone()),
            view: Some(view),
            based: count,
            offset: 0,
            sparse: None,
            is_partial: false,
            is_lost: false,
            is_compared: AtomicBool::new(true),
        };
        let place = self.accessors.len();
        self.accessors.push(Some(own));
        self.origins.push(index.unwrap_or(place));
        Ok(place)
    }

    /// The index in the file of the one at `index`, or of what it stands for.
    pub(in crate::import) fn file_index(&self, index: usize) -> usize {
        let others = self.accessors.len().saturating_sub(self.origins.len());
        let origin = index.checked_sub(others);
        let origin = origin.and_then(|own| self.origins.get(own));
        *origin.unwrap_or(&index)
    }

    /// How many bytes the components of all elements take.
    pub(in crate::import) fn bytes(&self) -> u64 {
        let bytes = self.accessors.iter().flatten().map(|accessor| {
            let components = accessor.shape.multiplicity();
            let size = components.saturating_mul(accessor.component.size());
            u64::try_from(accessor.count.saturating_mul(size)).unwrap_or(u64::MAX)
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// Lets all be compared with their bounds once more.
    pub(super) fn forget_comparisons(&self) {
        for accessor in self.accessors.iter().flatten() {
            accessor.is_compared.store(false, Ordering::Relaxed);
        }
    }

    /// The accessor at `index`.
    pub(in crate::import) fn get(&self, index: usize) -> Result<&Accessor, Fault> {
        let accessor = self.even_if_lost(index)?;
        (!accessor.is_lost)
            .then_some(accessor)
            .ok_or_else(|| unreadable(index))
    }

    /// The accessor at `index`, if the file says at least what it should hold.
    pub(super) fn even_if_lost(&self, index: usize) -> Result<&Accessor, Fault> {
        let accessor = self.accessors.get(index).and_then(Option::as_ref);
        accessor.ok_or_else(|| unreadable(index))
    }

    /// Decodes vectors of `N` floats; normalised integers become 0..1 or −1..1, others keep their value.
    pub(in crate::import) fn floats<const N: usize, T, L: List<T>>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
        budget: &Budget,
        make: impl FnMut([f32; N]) -> T,
    ) -> Result<Decoded<L>, Fault> {
        let accessor = self.get(index)?;
        if let Some(elements) = accessor.plain::<N, 4>(index, buffers, ComponentType::F32)? {
            return accessor.copied(elements, budget, f32::from_le_bytes, make);
        }
        if accessor.normalized {
            if let Some(elements) = accessor.plain::<N, 1>(index, buffers, ComponentType::U8)? {
                let unit = |[byte]: [u8; 1]| f32::from(byte) / 255.0;
                return accessor.copied(elements, budget, unit, make);
            }
            if let Some(elements) = accessor.plain::<N, 2>(index, buffers, ComponentType::U16)? {
                let unit = |bytes| f32::from(u16::from_le_bytes(bytes)) / 65_535.0;
                return accessor.copied(elements, budget, unit, make);
            }
            if let Some(elements) = accessor.plain::<N, 2>(index, buffers, ComponentType::I16)? {
                let unit = |bytes| (f32::from(i16::from_le_bytes(bytes)) / 32_767.0).max(-1.0);
                return accessor.copied(elements, budget, unit, make);
            }
        } else if let Some(elements) = accessor.plain::<N, 2>(index, buffers, ComponentType::U16)? {
            let number = |bytes| f32::from(u16::from_le_bytes(bytes));
            return accessor.copied(elements, budget, number, make);
        }
        let read = float_reader(accessor.component, accessor.normalized);
        accessor.decode(index, buffers, budget, read, make)
    }

    /// Decodes vectors of `N` numbers as they stand in the buffer, normalised or not.
    pub(in crate::import) fn raw_numbers<const N: usize, T>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
        budget: &Budget,
        make: impl FnMut([f32; N]) -> T,
    ) -> Result<Decoded<Vec<T>>, Fault> {
        let accessor = self.get(index)?;
        if let Some(elements) = accessor.plain::<N, 4>(index, buffers, ComponentType::F32)? {
            return accessor.copied(elements, budget, f32::from_le_bytes, make);
        }
        let read = float_reader(accessor.component, false);
        accessor.decode(index, buffers, budget, read, make)
    }

    /// The least and the greatest component of elements that are unsigned integers, if these are looked at in no time.
    pub(in crate::import) fn integer_extent<const N: usize>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
    ) -> Result<Option<Extremes<N>>, Fault> {
        let accessor = self.get(index)?;
        if let Some(elements) = accessor.plain::<N, 4>(index, buffers, ComponentType::U32)? {
            extremes(elements, u32::from_le_bytes, (u32::MAX, 0))
        } else if let Some(elements) = accessor.plain::<N, 2>(index, buffers, ComponentType::U16)? {
            extremes(elements, u16::from_le_bytes, (u16::MAX, 0))
        } else if let Some(elements) = accessor.plain::<N, 1>(index, buffers, ComponentType::U8)? {
            extremes(elements, |[byte]| byte, (u8::MAX, 0))
        } else {
            Ok(None)
        }
    }

    /// Decodes vectors of `N` unsigned integers, whatever their type.
    pub(in crate::import) fn integers<const N: usize, T>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
        budget: &Budget,
        make: impl FnMut([u32; N]) -> T,
    ) -> Result<Decoded<Vec<T>>, Fault> {
        let accessor = self.get(index)?;
        let Some(read) = integer_reader(accessor.component) else {
            return self.whole_numbers(index, accessor, (buffers, budget), make);
        };
        if let Some(elements) = accessor.plain::<N, 4>(index, buffers, ComponentType::U32)? {
            return accessor.copied(elements, budget, u32::from_le_bytes, make);
        }
        if let Some(elements) = accessor.plain::<N, 2>(index, buffers, ComponentType::U16)? {
            let widen = |bytes| u32::from(u16::from_le_bytes(bytes));
            return accessor.copied(elements, budget, widen, make);
        }
        if let Some(elements) = accessor.plain::<N, 1>(index, buffers, ComponentType::U8)? {
            return accessor.copied(elements, budget, |[byte]| u32::from(byte), make);
        }
        accessor.decode(index, buffers, budget, read, make)
    }
}

impl Accessor {
    /// What is said of one whose components have a type that its use forbids.
    pub(super) fn is_not_allowed(&self, file_index: usize) -> String {
        let normalized = if self.normalized { "normalised " } else { "" };
        format!(
            "accessor {file_index} has {normalized}components of type {}, which is not allowed here",
            component_name(self.component)
        )
    }

    /// All elements, if they are in a view, and have `N` of these components of `S` bytes without gaps between them.
    pub(in crate::import) fn plain<'b, const N: usize, const S: usize>(
        &self,
        index: usize,
        buffers: &'b Buffers<'_>,
        component: ComponentType,
    ) -> Result<Option<Elements<'b, N, S>>, Fault> {
        let (Some(view), None) = (self.view, &self.sparse) else {
            return Ok(None);
        };
        let is_wanted = self.component == component && component.size() == S;
        if !is_wanted || self.shape.multiplicity() != N {
            return Ok(None);
        }
        let (element, _) = element_layout::<N>(self.shape, S);
        if element != S.saturating_mul(N) {
            return Ok(None);
        }
        let (bytes, stride) = buffers.view(view)?;
        let stride = stride.unwrap_or(element);
        let size = ElementSize::packed(element);
        let bytes = checked_range(bytes, self.offset, self.count, stride, size)
            .map_err(|fault| named(fault, index))?;
        Ok(Some(Elements::new(bytes, stride)))
    }

    /// Elements, read without a look at each.
    fn copied<const N: usize, const S: usize, C, T, L: List<T>>(
        &self,
        elements: Elements<'_, N, S>,
        budget: &Budget,
        read: impl Fn([u8; S]) -> C,
        mut make: impl FnMut([C; N]) -> T,
    ) -> Result<Decoded<L>, Fault> {
        let mut values = L::room(self.count, budget)?;
        elements.for_each(&mut |elements| {
            values.add(elements.iter().map(|element| make(element.map(&read))));
        })?;
        let complaint = None;
        Ok(Decoded { values, complaint })
    }

    fn decode<const N: usize, C: Copy, T, L: List<T>>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
        budget: &Budget,
        read: ElementReader<N, C>,
        mut make: impl FnMut([C; N]) -> T,
    ) -> Result<Decoded<L>, Fault> {
        let mut values = L::room(self.count, budget)?;
        let each = &mut |vectors: &[[C; N]]| {
            values.add(vectors.iter().map(|vector| make(*vector)));
        };
        let complaint = self.vectors(index, buffers, budget, read, each);
        // What is not there costs nobody else anything. It was no work, unless it is sparse: then there were others.
        let bytes = self.count.saturating_mul(size_of::<T>());
        let complaint = complaint.inspect_err(|_| {
            budget.let_data_go(bytes);
            budget.count_vain(if self.is_sparse() { bytes } else { 0 });
        })?;
        Ok(Decoded { values, complaint })
    }

    /// Calls `each` with all elements, many at once, in whatever way they are there; the result is what is wrong with some.
    fn vectors<const N: usize, C: Copy>(
        &self,
        index: usize,
        buffers: &Buffers<'_>,
        budget: &Budget,
        read: ElementReader<N, C>,
        each: &mut dyn FnMut(&[[C; N]]),
    ) -> Result<Option<Fault>, Fault> {
        if self.shape.multiplicity() != N {
            let message = format!("accessor {index} is of type {:?}", self.shape);
            return Err(Fault::new("ACCESSOR_INVALID_FORMAT", message));
        }
        let size = self.component.size();
        let (element, offsets) = element_layout::<N>(self.shape, size);
        let element_at = |bytes: &[u8]| read(bytes, &offsets);
        let layout = ElementSize::new(element, &offsets, size);
        let Some(sparse) = &self.sparse else {
            let base = self.base_elements(index, buffers, layout)?;
            base.for_each(self.count, element_at, each)?;
            return Ok(None);
        };
        // What a sparse value replaces is not part of the accessor: nobody must see it, for he may complain.
        let (mut vectors, _held) = budget.borrow_data(self.count)?;
        let base = self.base_elements(index, buffers, layout)?;
        let mut add = |part: &[[C; N]]| vectors.extend_from_slice(part);
        base.for_each(self.based, element_at, &mut add)?;
        let lost = self.count.saturating_sub(self.based);
        Stated::Zeros.for_each(lost, element_at, &mut add)?;
        let replace = |place, bytes: &[u8]| {
            let place = usize::try_from(place).unwrap_or(usize::MAX);
            if let Some(vector) = vectors.get_mut(place) {
                *vector = element_at(bytes);
            }
        };
        let complaint = sparse
            .apply(buffers, budget, layout, self.count, replace)
            .map_err(|fault| named(fault, index))?;
        each(&vectors);
        Ok(complaint.map(|fault| named(fault, index)))
    }

    /// Where the elements lie that are not sparse.
    fn base_elements<'b>(
        &self,
        index: usize,
        buffers: &'b Buffers<'_>,
        layout: ElementSize,
    ) -> Result<Stated<'b>, Fault> {
        let Some(view) = self.view else {
            return Ok(Stated::Zeros);
        };
        let (bytes, stride) = buffers.view(view)?;
        let stride = stride.unwrap_or(layout.padded);
        let bytes = checked_range(bytes, self.offset, self.based, stride, layout)
            .map_err(|fault| named(fault, index))?;
        Ok(Stated::Bytes(bytes, stride))
    }
}

/// The code of an accessor that reaches past its view.
pub(in crate::import) const TOO_LONG: &str = "ACCESSOR_TOO_LONG";

/// The bytes from the first byte of the first element to the last byte of the last.
pub(super) fn checked_range(
    bytes: Bytes<'_>,
    offset: u64,
    count: usize,
    stride: usize,
    size: ElementSize,
) -> Result<Bytes<'_>, Fault> {
    let element = size.padded;
    if stride < element {
        let bytes = counted(element, "byte", "bytes");
        let message = format!("has elements of {bytes} at a byteStride of {stride}");
        return Err(Fault::new("ACCESSOR_SMALL_BYTESTRIDE", message));
    }
    let range = || {
        let offset = usize::try_from(offset).ok()?;
        let last = count.checked_sub(1)?.checked_mul(stride)?;
        let length = last.checked_add(size.used)?;
        bytes.get(offset..offset.checked_add(length)?)
    };
    range().ok_or_else(|| {
        let count = counted(count, "element", "elements");
        let [element, length] = [element, bytes.len()].map(|bytes| counted(bytes, "byte", "bytes"));
        let message = format!(
            "reaches past the end of its view: {count} of {element} every {stride} from byte \
             {offset} on, in {length}"
        );
        Fault::new(TOO_LONG, message)
    })
}

fn unreadable(index: usize) -> Fault {
    let message = format!("accessor {index} cannot be read");
    Fault::new("ACCESSOR_UNREADABLE", message)
}

fn named(fault: Fault, index: usize) -> Fault {
    Fault {
        message: format!("accessor {index}: {}", fault.message),
        ..fault
    }
}
