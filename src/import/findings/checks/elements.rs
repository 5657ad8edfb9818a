//! Elements of accessors that nothing was read from, or whose bounds nothing compared: whether they lie within their
//! views, are finite numbers, and fit the `min` and `max` that are stated (glTF 2.0 §3.6.2.5).

use gltf::json::accessor::ComponentType;

use crate::import::{
    arrays::{accessor::TOO_LONG, source::Source},
    base::{diagnostics::Fault, wording::counted},
    decode::Compression,
    json::document::Section,
    numbers::bounds::Bounds,
};

use super::{Report, facts::Facts, fields::Pointer};

/// Components that are looked at for each byte that the buffers have, so that a thousand accessors over the same bytes
/// do not take for ever; and for a file of any size.
const PER_BYTE: usize = 4;
/// And no more for each byte of the files: compressed ones may be a thousand bytes of zeros.
const PER_FILE_BYTE: usize = 16;
const ALWAYS: usize = 1 << 24;

/// How many components may be looked at in all.
pub(super) fn allowance(source: &Source<'_>) -> usize {
    let of_bytes = source.buffers.total_length().saturating_mul(PER_BYTE);
    let of_files = source.budget.file_read().saturating_mul(PER_FILE_BYTE);
    of_bytes.min(of_files).saturating_add(ALWAYS)
}

pub(super) fn check(source: &Source<'_>, facts: &Facts<'_>, report: &mut Report<'_>) {
    let mut left = allowance(source);
    let root = &Pointer::Root.key(Section::Accessors.name());
    for index in 0..facts.accessor_count() {
        if report.progress.is_cancelled() {
            return;
        }
        let at = &root.item(index);
        let Ok(accessor) = source.accessors.get(index) else {
            continue;
        };
        // Compression may change numbers a little, and their order.
        let is_lossy = accessor.compression(&source.buffers) == Compression::Lossy;
        if accessor.is_all_zero() || accessor.is_compared() || is_lossy {
            continue;
        }
        let mut check = || -> Result<Option<Found>, Fault> {
            let is_float = accessor.component == ComponentType::F32;
            if accessor.bounds.is_none() && !is_float && !accessor.is_sparse() {
                return Ok(None);
            }
            let components = accessor.shape.multiplicity();
            match left.checked_sub(accessor.count.saturating_mul(components)) {
                Some(rest) => left = rest,
                None => return Ok(None),
            }
            match components {
                1 => scan::<1>(source, index),
                2 => scan::<2>(source, index),
                3 => scan::<3>(source, index),
                4 => scan::<4>(source, index),
                9 => scan::<9>(source, index),
                _ => scan::<16>(source, index),
            }
            .map(Some)
        };
        match check() {
            Ok(None) => {}
            Ok(Some(mut found)) => {
                if let Some(complaint) = found.complaint.take() {
                    complain(complaint, index, &at.key("sparse"), report);
                }
                found.report(accessor.comparable_bounds(), at, report);
            }
            Err(fault) if fault.code == TOO_LONG => {
                complain(fault, index, &at.key("byteOffset"), report);
            }
            Err(fault) => complain(fault, index, at, report),
        }
    }
}

/// What was asked for has been complained about where that was.
fn complain(fault: Fault, index: usize, at: &Pointer<'_>, report: &mut Report<'_>) {
    let told = format!("accessor {index}:");
    // What is wrong with a view has its name alone.
    let mentions = |text: &str| report.diagnostics.mentions(fault.code, text);
    if !mentions(&told) && !mentions(&fault.message) {
        report.add(fault.severity, fault.code, at, fault.message);
    }
}

/// The least and the greatest number of each component.
struct Found {
    min: Vec<f32>,
    max: Vec<f32>,
    invalid: usize,
    /// What is wrong with elements that replace others.
    complaint: Option<Fault>,
}

fn scan<const N: usize>(source: &Source<'_>, index: usize) -> Result<Found, Fault> {
    let accessors = &source.accessors;
    if let Some((min, max)) = accessors.integer_extent::<N>(index, &source.buffers)? {
        // What rounds to a float keeps its order.
        let number = |integer| integer as f32;
        return Ok(Found {
            min: min.map(number).to_vec(),
            max: max.map(number).to_vec(),
            invalid: 0,
            complaint: None,
        });
    }
    let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    let mut invalid = 0_usize;
    let decoded = accessors.raw_numbers(
        index,
        &source.buffers,
        &source.budget,
        |vector: [f32; N]| {
            if !vector.iter().all(|number| number.is_finite()) {
                invalid = invalid.saturating_add(1);
            }
            for ((min, max), number) in min.iter_mut().zip(&mut max).zip(vector) {
                *min = min.min(number);
                *max = max.max(number);
            }
        },
    )?;
    Ok(Found {
        min: min.to_vec(),
        max: max.to_vec(),
        invalid,
        complaint: decoded.complaint,
    })
}

impl Found {
    fn report(&self, stated: Option<&Bounds>, at: &Pointer<'_>, report: &mut Report<'_>) {
        if self.invalid > 0 {
            let elements = counted(self.invalid, "element has", "elements have");
            let message = format!("{elements} numbers that are not finite");
            report.error("ACCESSOR_INVALID_FLOAT", at, message);
            return;
        }
        let Some(stated) = stated else {
            return;
        };
        for (code, key, message) in stated.mismatches(&self.min, &self.max, 0.0) {
            report.error(code, &at.key(key), message);
        }
    }
}
