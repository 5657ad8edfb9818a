//! Bounds that are stated of positions which come out of Draco streams: these may have moved a little, but not far.

use glam::Vec3;
use gltf::json::accessor::ComponentType;

use crate::import::{arrays::source::Source, base::diagnostics::Diagnostics};

/// Where bounds are stated of a stream's positions that its quantisation does not explain, says so.
pub(super) fn check(
    source: &Source<'_>,
    index: usize,
    positions: &[Vec3],
    diagnostics: &mut Diagnostics,
) {
    /// Of the greatest extent.
    const LEAST: f32 = 0.001;
    /// The largest step of quantisation, of the greatest extent: with six bits. Encoders take ten and more.
    const LARGEST_STEP: f32 = 1.0 / 64.0;
    /// What comes of writing and adding floats, of the greatest number.
    const ROUNDING: f32 = 1e-6;
    let file_index = source.accessors.file_index(index);
    // Integers are compared to the bit, where that makes sense. The bounds are those that are stated, of numbers as they are
    // stated: of integers they say nothing where the stream has floats.
    let floats = |index: usize| {
        let accessor = source.accessors.get(index).ok();
        accessor.filter(|it| it.component == ComponentType::F32)
    };
    let own = floats(index).filter(|_| file_index != index && floats(file_index).is_some());
    let Some(stated) = own.and_then(|own| own.comparable_bounds()) else {
        return;
    };
    let Some(first) = positions.first() else {
        return;
    };
    let grown =
        |(min, max): (Vec3, Vec3), position: &Vec3| (min.min(*position), max.max(*position));
    let (min, max) = positions.iter().fold((*first, *first), grown);
    let extents = min.to_array().into_iter().zip(max.to_array());
    let extent = extents.map(|(min, max)| max - min).fold(0.0, f32::max);
    let greatest = min.abs().max(max.abs()).max_element();
    let (min, max) = (min.to_array(), max.to_array());
    let least = (LEAST * extent).max(ROUNDING * greatest);
    if stated.mismatches(&min, &max, least).is_empty() {
        return;
    }
    let Some(step) = most_of_a_step(source, positions) else {
        return;
    };
    let step = step.min(LARGEST_STEP * extent);
    for (code, key, message) in stated.mismatches(&min, &max, least.max(step)) {
        let pointer = format_args!("/accessors/{file_index}/{key}");
        let action = "the numbers themselves are used";
        // The Khronos validator decodes no streams.
        diagnostics.warning(code, pointer, message, action);
    }
}

/// The least distance between numbers of one axis that differ: no step of quantisation is larger. None where there is not the
/// memory to look for it.
fn most_of_a_step(source: &Source<'_>, positions: &[Vec3]) -> Option<f32> {
    source.budget.check(size_of_val(positions)).ok()?;
    let axes: [fn(&Vec3) -> f32; 3] = [|it| it.x, |it| it.y, |it| it.z];
    let steps = axes.map(|axis| {
        let mut numbers: Vec<f32> = positions.iter().map(axis).collect();
        numbers.sort_unstable_by(f32::total_cmp);
        let pairs = numbers.iter().zip(numbers.iter().skip(1));
        let steps = pairs.map(|(less, more)| more - less);
        steps.filter(|step| *step > 0.0).fold(f32::MAX, f32::min)
    });
    let least = steps.into_iter().fold(f32::MAX, f32::min);
    // A point has none.
    Some(if least == f32::MAX { 0.0 } else { least })
}
