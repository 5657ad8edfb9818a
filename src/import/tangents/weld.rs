//! Which vertices are the same to MikkTSpace, and how much work it will have: it compares all corners that meet in a
//! vertex with each other, and follows them from one to the next by recursion.

use std::collections::HashMap;

use crate::import::diagnostics::Fault;

/// Corners in one vertex; each costs a stack frame.
const MOST_CORNERS: u32 = 2048;
/// Pairs of corners that are compared in any case, and more for each corner.
const FREE_PAIRS: u64 = 4_000_000;
const PAIRS_PER_CORNER: u64 = 32;

/// For each vertex the first one with the same key.
pub(super) fn weld<const N: usize>(keys: impl ExactSizeIterator<Item = [u32; N]>) -> Vec<u32> {
    let mut first = HashMap::with_capacity(keys.len());
    let vertices = (0_u32..).zip(keys);
    vertices
        .map(|(vertex, key)| *first.entry(key).or_insert(vertex))
        .collect()
}

/// An error if the work would be out of all proportion.
pub(super) fn check(
    welded: &[u32],
    triangles: impl Iterator<Item = [u32; 3]>,
) -> Result<(), Fault> {
    let place = |vertex: u32| usize::try_from(vertex).unwrap_or(usize::MAX);
    let mut corners = vec![0_u32; welded.len()];
    for vertex in triangles.flatten() {
        let first = welded.get(place(vertex)).copied().unwrap_or(0);
        if let Some(count) = corners.get_mut(place(first)) {
            *count = count.saturating_add(1);
        }
    }
    let (mut most, mut total, mut pairs) = (0, 0_u64, 0_u64);
    for count in corners {
        most = most.max(count);
        let count = u64::from(count);
        total = total.saturating_add(count);
        pairs = pairs.saturating_add(count.saturating_mul(count));
    }
    let allowed = total.saturating_mul(PAIRS_PER_CORNER);
    if most > MOST_CORNERS || pairs > allowed.saturating_add(FREE_PAIRS) {
        let message = format!("up to {most} triangles meet in a vertex: too many for tangents");
        return Err(Fault::info("TANGENTS_NOT_COMPUTED", message));
    }
    Ok(())
}
