//! What all steps of an import read from, and how they read arrays of numbers.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use gltf::json::{
    self, Index,
    accessor::{ComponentType, Type},
};

use crate::import::{
    base::{
        budget::Budget,
        diagnostics::{Diagnostics, Fault},
        parallel::Cores,
        progress::Progress,
    },
    decode::Compression,
    files::{
        bytes::{Elements, Kept},
        sandbox::{Files, Terms},
    },
    json::document::{Document, Section},
    numbers::{
        bounds::Numbers,
        components::{integer_reader, shape_name},
        extent::{Extent, Number, extremes_of},
    },
};

use super::{
    accessor::{Accessor, Accessors, Decoded, List, NOT_WHOLE},
    buffers::Buffers,
    statistics::ElementStatistics,
};

/// What all steps of an import read from.
#[derive(Debug)]
pub(in crate::import) struct Source<'a> {
    pub document: Document<'a>,
    pub buffers: Buffers<'a>,
    pub accessors: Accessors,
    /// One asks at a time.
    pub files: Mutex<Files>,
    pub budget: Budget,
    pub cores: Cores,
    pub progress: &'a Progress,
    /// Whether the file says that it uses `KHR_mesh_quantization`, and so integers where only floats were allowed.
    pub is_quantized: bool,
    /// Whether it says that it uses `KHR_mesh_primitive_restart`, and so indices that end a strip, fan or loop.
    pub may_restart: bool,
}

/// A use of an accessor: what it must be, and what it costs if it is not.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Use<'p> {
    /// Where the accessor is referred to.
    pub pointer: fmt::Arguments<'p>,
    /// The validator's name for a wrong format at this place.
    pub format_code: &'static str,
    /// What is read here.
    pub components: Components,
    /// What it costs if nothing can be read.
    pub loss: &'p str,
}

/// Which components are read. Where the meaning is plain these are more than the specification allows, which
/// `findings::checks::formats` has: a normal of integers that are not normalised is a direction all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Components {
    /// Floats.
    Float,
    /// Floats or normalised unsigned integers.
    FloatOrUnitInterval,
    /// Floats or normalised integers.
    FloatOrNormalized,
    /// Floats or normalised integers with a sign.
    FloatOrSigned,
    /// Floats or normalised integers; with `KHR_mesh_quantization` integers with a sign too.
    TexCoordDelta,
    /// Floats; with `KHR_mesh_quantization` integers of up to 16 bits too.
    Quantizable,
    /// Floats or normalised unsigned integers; with `KHR_mesh_quantization` all integers of up to 16 bits.
    TexCoord,
    /// Unsigned integers of 8 or 16 bits.
    Joint,
    /// Unsigned integers.
    Index,
    /// Numbers of any kind.
    Any,
}

impl Components {
    fn allows(self, accessor: &Accessor, is_quantized: bool) -> bool {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        let normalized = accessor.normalized;
        match (self, accessor.component) {
            (Self::Any, _) => true,
            (Self::Joint, U8 | U16) | (Self::Index, U8 | U16 | U32) => !normalized,
            (Self::Joint | Self::Index, _) | (_, U32) => false,
            (_, F32) => true,
            (Self::TexCoord, U8 | U16) | (Self::TexCoordDelta, I8 | I16) => {
                normalized || is_quantized
            }
            (Self::FloatOrUnitInterval | Self::TexCoordDelta, U8 | U16)
            | (Self::FloatOrSigned, I8 | I16)
            | (Self::FloatOrNormalized, I8 | U8 | I16 | U16) => normalized,
            (Self::Quantizable, I8 | U8 | I16 | U16) | (Self::TexCoord, I8 | I16) => is_quantized,
            (Self::Float | Self::FloatOrUnitInterval | Self::FloatOrSigned, _) => false,
        }
    }
}

impl Source<'_> {
    /// Opens a file that is read once, however often the model names it, or of which only a few bytes are wanted.
    pub(in crate::import) fn file(&self, uri: &str) -> Result<Kept<'static>, Fault> {
        self.files().open_once(uri, self.terms()).map(Kept::from)
    }

    /// Says that a file was found under a name in other letters, if it was.
    pub(in crate::import) fn report_letters(
        &self,
        uri: &str,
        pointer: fmt::Arguments<'_>,
        diagnostics: &mut Diagnostics,
    ) {
        self.files().report_letters(uri, pointer, diagnostics);
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn terms(&self) -> Terms<'_> {
        Terms {
            budget: &self.budget,
            progress: self.progress,
        }
    }

    /// The accessor that `index` refers to, if its elements have `shape`.
    pub(in crate::import) fn accessor(
        &self,
        index: Index<json::Accessor>,
        shape: &[Type],
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(usize, &Accessor)> {
        self.accessor_or(index, |index| index, shape, wanted, diagnostics)
    }

    /// [`Self::accessor`] where another stands for it, as `own` says by their indices: that one, if the file's own is right.
    pub(in crate::import) fn accessor_or(
        &self,
        index: Index<json::Accessor>,
        own: impl Fn(usize) -> usize,
        shape: &[Type],
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(usize, &Accessor)> {
        let Use { pointer, loss, .. } = wanted;
        let section = Section::Accessors;
        let index = self
            .document
            .reference(section, index, pointer, loss, diagnostics)?;
        let own = own(index);
        let stated = match own {
            own if own == index => self.accessors.get(index),
            // Whether its data are there does not matter.
            _ => self.accessors.even_if_lost(index),
        };
        let accessor = match stated {
            Ok(accessor) => accessor,
            Err(fault) => {
                diagnostics.fault(fault, pointer, loss);
                return None;
            }
        };
        if !shape.contains(&accessor.shape) {
            let found = shape_name(accessor.shape);
            let wanted_shapes: Vec<_> = shape.iter().copied().map(shape_name).collect();
            let wanted_shapes = wanted_shapes.join(" or ");
            let message = format!("accessor {index} is of type {found}, not {wanted_shapes}");
            diagnostics.error(wanted.format_code, pointer, message, loss);
            return None;
        }
        // Who reads integers says what is none.
        let is_told_later = matches!(wanted.components, Components::Joint | Components::Index)
            && integer_reader::<1>(accessor.component).is_none();
        if !is_told_later && !wanted.components.allows(accessor, self.is_quantized) {
            let message = accessor.is_not_allowed(index);
            diagnostics.error(
                wanted.format_code,
                pointer,
                message,
                "they are read if possible",
            );
        }
        Some((own, self.accessors.get(own).ok()?))
    }

    /// Reads vectors of `N` floats. What is not a finite number counts as 0.
    pub(in crate::import) fn floats<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<Vec<T>> {
        let (values, _) = self.measured_floats(index, wanted, diagnostics, make)?;
        Some(values)
    }

    /// [`Self::floats`] with the extent of the vectors, where that was found by the way.
    pub(in crate::import) fn measured_floats<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<(Vec<T>, Option<Extent<N>>)> {
        let (decoded, found) = match self.examined_floats(index, diagnostics, make) {
            Ok((decoded, found)) => (Ok(decoded), found),
            Err(fault) => (Err(fault), None),
        };
        let values = report(decoded, wanted, diagnostics)?;
        let invalid = found.as_ref().map_or(0, |found| found.invalid);
        self.report_zeroed(index, invalid, wanted, diagnostics);
        Some((values, found.map(|found| found.extent)))
    }

    /// Says how many vectors of an accessor are not finite, if any is not.
    fn report_zeroed(
        &self,
        index: usize,
        invalid: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) {
        if invalid > 0 {
            let action = "these numbers count as 0";
            self.report_invalid(index, invalid, wanted, diagnostics, action);
        }
    }

    /// [`Self::floats`] with the number of vectors that are not finite; neither that nor what is wrong is said yet.
    pub(in crate::import) fn counted_floats<const N: usize, T, L: List<T>>(
        &self,
        index: usize,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([f32; N]) -> T,
    ) -> Result<(Decoded<L>, usize), Fault> {
        let (decoded, found) = self.examined_floats(index, diagnostics, make)?;
        Ok((decoded, found.map_or(0, |found| found.invalid)))
    }

    /// [`Self::floats`] with what these are like; none of integers. What is wrong is not said yet.
    fn examined_floats<const N: usize, T, L: List<T>>(
        &self,
        index: usize,
        diagnostics: &mut Diagnostics,
        mut make: impl FnMut([f32; N]) -> T,
    ) -> Result<Examined<N, L>, Fault> {
        let accessor = self.accessors.get(index)?;
        let plain = accessor.plain::<N, 4>(index, &self.buffers, ComponentType::F32);
        if let Ok(Some(elements)) = plain {
            return self.plain_floats(index, elements, diagnostics, make);
        }
        let (accessors, buffers, budget) = (&self.accessors, &self.buffers, &self.budget);
        // Integers are finite, and their bounds are not compared.
        if accessor.component != ComponentType::F32 {
            return Ok((accessors.floats(index, buffers, budget, make)?, None));
        }
        let mut found = ElementStatistics::new();
        let make = |vector| make(found.add(vector));
        let decoded = accessors.floats(index, buffers, budget, make)?;
        self.compare_found(index, &found, diagnostics);
        Ok((decoded, Some(found)))
    }

    /// [`Self::floats`] of an accessor that [replaces few](Accessor::replaces_few): those that it replaces, with their places,
    /// in the order of these.
    pub(in crate::import) fn few_floats<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        mut make: impl FnMut([f32; N]) -> T,
    ) -> Option<Vec<(u32, T)>> {
        let mut found = ElementStatistics::new();
        let make = |vector| make(found.add(vector));
        let accessors = &self.accessors;
        let decoded = accessors.few_floats(index, &self.buffers, &self.budget, make);
        let rows = report(decoded, wanted, diagnostics)?;
        self.compare_found(index, &found, diagnostics);
        self.report_zeroed(index, found.invalid, wanted, diagnostics);
        Some(rows)
    }

    /// [`Self::examined_floats`] of plain floats, which are looked at many at once: most are finite.
    fn plain_floats<const N: usize, T, L: List<T>>(
        &self,
        index: usize,
        elements: Elements<'_, N, 4>,
        diagnostics: &mut Diagnostics,
        mut make: impl FnMut([f32; N]) -> T,
    ) -> Result<Examined<N, L>, Fault> {
        let mut found = ElementStatistics::new();
        let count = self
            .accessors
            .get(index)
            .map_or(0, |accessor| accessor.count);
        // What there is no memory for is not looked at either: thousands of primitives may share their vertices.
        let mut values = L::room(count, &self.budget)?;
        elements.for_each(&mut |elements| {
            let floats = elements
                .iter()
                .map(|element| element.map(f32::from_le_bytes));
            match Extent::of(elements) {
                Some(extent) => {
                    found.extend(&extent);
                    values.add(floats.map(&mut make));
                }
                None => values.add(floats.map(|vector| make(found.add(vector)))),
            }
        })?;
        self.compare_found(index, &found, diagnostics);
        let complaint = None;
        Ok((Decoded { values, complaint }, Some(found)))
    }

    /// Compares what was found with the bounds that the file states, where all of it are numbers.
    fn compare_found<const N: usize>(
        &self,
        index: usize,
        found: &ElementStatistics<N>,
        diagnostics: &mut Diagnostics,
    ) {
        let Extent { min, max } = &found.extent;
        if found.invalid == 0 {
            self.check_bounds(index, min, max, diagnostics);
        } else if let Ok(accessor) = self.accessors.get(index) {
            accessor.set_compared();
        }
    }

    /// Says how many elements of an accessor are not finite.
    pub(in crate::import) fn report_invalid(
        &self,
        index: usize,
        invalid: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        action: &str,
    ) {
        let message = match (invalid, self.accessors.file_index(index)) {
            (1, index) => format!("an element of accessor {index} is not a finite number"),
            (count, index) => {
                format!("{count} elements of accessor {index} are not finite numbers")
            }
        };
        diagnostics.error("ACCESSOR_INVALID_FLOAT", wanted.pointer, message, action);
    }

    /// Compares what was found with the bounds that the file states. They are not used, but others rely on them.
    pub(in crate::import) fn check_bounds(
        &self,
        index: usize,
        min: &[f32],
        max: &[f32],
        diagnostics: &mut Diagnostics,
    ) {
        let Ok(accessor) = self.accessors.get(index) else {
            return;
        };
        // Bounds of integers are stated before normalisation, those of missing data say nothing, and what is replaced has
        // been looked at as well. Compression may change numbers a little.
        let is_comparable = accessor.component == ComponentType::F32
            && !accessor.is_all_zero()
            && !accessor.is_sparse()
            && accessor.compression(&self.buffers) != Compression::Lossy;
        if !is_comparable {
            return;
        }
        accessor.set_compared();
        let Some(stated) = accessor.comparable_bounds() else {
            return;
        };
        let action = "the numbers themselves are used";
        for (code, key, message) in stated.mismatches(min, max, 0.0) {
            let pointer = format_args!("/accessors/{index}/{key}");
            diagnostics.error(code, pointer, message, action);
        }
    }

    /// Notes that indices fit the bounds that the file states. If they do not, the checks will find it.
    pub(in crate::import) fn compare_indices<N: Number>(&self, index: usize, indices: &[N]) {
        let Ok(accessor) = self.accessors.get(index) else {
            return;
        };
        let Some(stated) = &accessor.bounds else {
            return;
        };
        let (least, most) = extremes_of(indices);
        let differs = |stated: &Option<Numbers>, found: u32| {
            let stated = stated.as_ref();
            stated.is_some_and(|stated| stated.differ(&[found as f32], 0.0))
        };
        if !differs(&stated.min, least) && !differs(&stated.max, most) {
            accessor.set_compared();
        }
    }

    /// Reads vectors of `N` floats as they are, finite or not.
    pub(in crate::import) fn raw_floats<const N: usize, T, L: List<T>>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<L> {
        // Whoever asks compares them, but for those of which some are replaced.
        let accessor = self.accessors.get(index).ok()?;
        if !accessor.is_sparse() {
            accessor.set_compared();
        }
        let decoded = self
            .accessors
            .floats(index, &self.buffers, &self.budget, make);
        report(decoded, wanted, diagnostics)
    }

    /// Reads vectors of `N` unsigned integers; of other numbers if all are whole and not negative, which is said.
    pub(in crate::import) fn integers<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([u32; N]) -> T,
    ) -> Option<Vec<T>> {
        let decoded = self
            .accessors
            .integers(index, &self.buffers, &self.budget, make);
        let decoded = decoded.map_err(|fault| match fault.code {
            NOT_WHOLE => Fault {
                code: wanted.format_code,
                ..fault
            },
            _ => fault,
        });
        let accessor = self.accessors.get(index).ok();
        let odd = accessor.filter(|it| integer_reader::<1>(it.component).is_none());
        if let (Some(accessor), Ok(_)) = (odd, &decoded) {
            let index = self.accessors.file_index(index);
            let message = accessor.is_not_allowed(index);
            let action = "they are read: all are whole numbers";
            diagnostics.error(wanted.format_code, wanted.pointer, message, action);
        }
        report(decoded, wanted, diagnostics)
    }
}

/// Vectors, and what they are like.
type Examined<const N: usize, L> = (Decoded<L>, Option<ElementStatistics<N>>);

/// What is done where some elements cannot be read.
pub(in crate::import) const OTHERS_READ: &str = "all other elements are read";

fn report<L>(
    decoded: Result<Decoded<L>, Fault>,
    wanted: Use<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<L> {
    match decoded {
        Ok(Decoded { values, complaint }) => {
            if let Some(fault) = complaint {
                diagnostics.fault(fault, wanted.pointer, OTHERS_READ);
            }
            Some(values)
        }
        Err(fault) => {
            diagnostics.fault(fault, wanted.pointer, wanted.loss);
            None
        }
    }
}
