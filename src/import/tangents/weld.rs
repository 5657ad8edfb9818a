//! How much work MikkTSpace will have: it compares all corners that meet in a vertex, and follows them from one to the
//! next by recursion.

use bevy_mikktspace::Geometry as _;

use super::Surface;
use crate::import::diagnostics::Fault;

/// Corners in one vertex; each costs a stack frame.
const MOST_CORNERS: u32 = 2048;
/// Pairs of corners that are compared in any case, and more for each corner.
const FREE_PAIRS: u64 = 4_000_000;
const PAIRS_PER_CORNER: u64 = 32;

/// An error if the work would be out of all proportion.
pub(super) fn check(surface: &Surface<'_>) -> Result<(), Fault> {
    // Few corners are no harm however they meet.
    let total = surface.places.len().saturating_mul(3);
    if total <= usize::try_from(MOST_CORNERS).unwrap_or(usize::MAX) {
        return Ok(());
    }
    // Counted by hashes: vertices that have one in common count together, which at worst costs a surface its tangents.
    let slots = total.saturating_mul(2).next_power_of_two();
    let shift = u64::BITS.saturating_sub(slots.trailing_zeros());
    let mut corners = vec![0_u32; slots];
    for face in 0..surface.places.len() {
        for corner in 0..3 {
            let [x, y, z] = surface.position(face, corner);
            let [i, j, k] = surface.normal(face, corner);
            let [u, v] = surface.tex_coord(face, corner);
            let key = [x, y, z, i, j, k, u, v].map(f32::to_bits);
            let slot = usize::try_from(hash(key) >> shift).unwrap_or(0);
            if let Some(count) = corners.get_mut(slot) {
                *count = count.saturating_add(1);
            }
        }
    }
    let most = corners.iter().copied().max().unwrap_or(0);
    let pairs = corners.iter().map(|&count| u64::from(count));
    let pairs: u64 = pairs
        .map(|count| count.saturating_mul(count))
        .fold(0, u64::saturating_add);
    let allowed = u64::try_from(total).unwrap_or(u64::MAX);
    let allowed = allowed
        .saturating_mul(PAIRS_PER_CORNER)
        .saturating_add(FREE_PAIRS);
    if most > MOST_CORNERS || pairs > allowed {
        let message = format!("{most} triangles meet in a vertex: too many to compute tangents");
        return Err(Fault::info("TANGENTS_NOT_COMPUTED", message));
    }
    Ok(())
}

/// Multiplies and turns; the highest bits are the best.
fn hash(key: [u32; 8]) -> u64 {
    // The golden ratio as a fraction of 2^64 (D. Knuth, "The Art of Computer Programming", volume 3, 6.4).
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, part: u32| (hash.rotate_left(23) ^ u64::from(part)).wrapping_mul(FACTOR);
    key.into_iter().fold(0, mix)
}
