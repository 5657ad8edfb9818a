//! What all steps of an import read from, and how they read arrays of numbers.

use std::fmt;

use gltf::json::{
    self, Index,
    accessor::{ComponentType, Type},
};

use super::{
    accessor::{Accessor, Accessors, Decoded},
    budget::Budget,
    buffers::Buffers,
    diagnostics::{Diagnostics, Fault},
    document::{Document, Section},
    progress::Progress,
    sandbox::Folder,
};

/// What all steps of an import read from.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub document: Document<'a>,
    pub buffers: Buffers<'a>,
    pub accessors: Accessors,
    pub folder: Option<Folder>,
    pub budget: Budget,
    pub progress: &'a Progress,
    /// Whether the file says that it uses KHR_mesh_quantization, and so integers where only floats were allowed.
    pub is_quantized: bool,
}

/// A use of an accessor: what it must be, and what it costs if it is not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'p> {
    /// Where the accessor is referred to.
    pub pointer: fmt::Arguments<'p>,
    /// The validator's name for a wrong format at this place.
    pub format_code: &'static str,
    /// What the specification allows here.
    pub components: Components,
    /// What it costs if nothing can be read.
    pub loss: &'p str,
}

/// Which components the specification allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Components {
    /// Floats.
    Float,
    /// Floats or normalised unsigned integers.
    FloatOrUnitInterval,
    /// Floats or normalised integers.
    FloatOrNormalized,
    /// Floats; with KHR_mesh_quantization integers of up to 16 bits too.
    Quantizable,
    /// Floats or normalised unsigned integers; with KHR_mesh_quantization all integers of up to 16 bits.
    TexCoord,
    /// Unsigned integers of 8 or 16 bits.
    Joint,
    /// Unsigned integers.
    Index,
}

impl Components {
    fn allows(self, accessor: &Accessor, is_quantized: bool) -> bool {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        let normalized = accessor.normalized;
        match (self, accessor.component) {
            (Self::Joint, U8 | U16) | (Self::Index, U8 | U16 | U32) => !normalized,
            (Self::Joint | Self::Index, _) | (_, U32) => false,
            (_, F32) => true,
            (Self::FloatOrUnitInterval, U8 | U16) => normalized,
            (Self::TexCoord, U8 | U16) => normalized || is_quantized,
            (Self::FloatOrNormalized, I8 | U8 | I16 | U16) => normalized,
            (Self::Quantizable, I8 | U8 | I16 | U16) | (Self::TexCoord, I8 | I16) => is_quantized,
            (Self::Float | Self::FloatOrUnitInterval, _) => false,
        }
    }
}

impl Source<'_> {
    /// The accessor that `index` refers to, if its elements have `shape`.
    pub fn accessor(
        &self,
        index: Index<json::Accessor>,
        shape: &[Type],
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(usize, &Accessor)> {
        let Use { pointer, loss, .. } = wanted;
        let section = Section::Accessors;
        let index = self
            .document
            .reference(section, index, pointer, loss, diagnostics)?;
        let accessor = match self.accessors.get(index) {
            Ok(accessor) => accessor,
            Err(fault) => {
                diagnostics.fault(fault, pointer, loss);
                return None;
            }
        };
        if !shape.contains(&accessor.shape) {
            let found = accessor.shape;
            let message = format!("accessor {index} is of type {found:?}, not {shape:?}");
            diagnostics.error(wanted.format_code, pointer, message, loss);
            return None;
        }
        if !wanted.components.allows(accessor, self.is_quantized) {
            let normalized = if accessor.normalized {
                "normalised "
            } else {
                ""
            };
            let message = format!(
                "accessor {index} has {normalized}{:?} components, which are not allowed here",
                accessor.component
            );
            diagnostics.error(
                wanted.format_code,
                pointer,
                message,
                "they are read if possible",
            );
        }
        Some((index, accessor))
    }

    /// Reads vectors of `N` floats. What is not a finite number counts as 0.
    pub fn floats<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        mut make: impl FnMut([f32; N]) -> T,
    ) -> Option<Vec<T>> {
        let mut invalid = 0_usize;
        let make = |mut vector: [f32; N]| {
            if !vector.iter().all(|number| number.is_finite()) {
                invalid = invalid.saturating_add(1);
                for number in &mut vector {
                    if !number.is_finite() {
                        *number = 0.0;
                    }
                }
            }
            make(vector)
        };
        let decoded = self
            .accessors
            .floats(index, &self.buffers, &self.budget, make);
        let values = report(decoded, wanted, diagnostics)?;
        if invalid > 0 {
            diagnostics.error(
                "ACCESSOR_INVALID_FLOAT",
                wanted.pointer,
                format!("{invalid} elements of accessor {index} are not finite numbers"),
                "these numbers count as 0",
            );
        }
        Some(values)
    }

    /// Reads vectors of `N` floats as they are, finite or not.
    pub fn raw_floats<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([f32; N]) -> T,
    ) -> Option<Vec<T>> {
        let decoded = self
            .accessors
            .floats(index, &self.buffers, &self.budget, make);
        report(decoded, wanted, diagnostics)
    }

    /// Reads vectors of `N` unsigned integers.
    pub fn integers<const N: usize, T>(
        &self,
        index: usize,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
        make: impl FnMut([u32; N]) -> T,
    ) -> Option<Vec<T>> {
        let decoded = self
            .accessors
            .integers(index, &self.buffers, &self.budget, make);
        report(decoded, wanted, diagnostics)
    }
}

fn report<T>(
    decoded: Result<Decoded<T>, Fault>,
    wanted: Use<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<T>> {
    match decoded {
        Ok(Decoded { values, complaint }) => {
            if let Some(fault) = complaint {
                diagnostics.fault(fault, wanted.pointer, "all other elements are read");
            }
            Some(values)
        }
        Err(fault) => {
            diagnostics.fault(fault, wanted.pointer, wanted.loss);
            None
        }
    }
}
