//! Scans that have mean values, also of several components, a row of units at a time (ITU-T T.81 §A.2, §F.2.2, §G.2).

use fearless_simd::Level;

use super::{
    bits::Bits,
    frame::{Frame, Kind, Scan},
    huffman::{Table, signed},
    scans::{Band, Others, ScanState, at_level, begin_block, rows},
};

/// Decodes a scan's mean values in a row of units, of the components that it has.
pub(super) fn means<'d>(
    level: Level,
    frame: &'d Frame,
    scan: &Scan,
    row: usize,
    place: &mut ScanState<'d>,
    means: &mut [&mut [i16]],
) -> Option<()> {
    let Kind::Means(members) = &scan.kind else {
        return None;
    };
    let components: Vec<usize> = members.iter().map(|it| it.0).collect();
    each_block(
        level,
        (frame, scan, row),
        &components,
        place,
        #[inline(always)]
        |bits, latest, member, block| {
            let (_, table) = members.get(member)?;
            let mean = means.get_mut(member)?.get_mut(block)?;
            bits.refill();
            if scan.is_refined {
                *mean |= (bits.take(1) as i16).wrapping_shl(scan.low);
            } else {
                *mean = read_mean(bits, table, latest)?.wrapping_shl(scan.low);
            }
            Some(())
        },
    )
}

/// Decodes all coefficients of a scan's components in a row of units.
pub(super) fn all<'d>(
    level: Level,
    frame: &'d Frame,
    scan: &Scan,
    row: usize,
    place: &mut ScanState<'d>,
    coefficients: &mut [(&mut Others, &mut [i16])],
) -> Option<()> {
    let Kind::All(members) = &scan.kind else {
        return None;
    };
    let components: Vec<usize> = members.iter().map(|it| it.0).collect();
    each_block(
        level,
        (frame, scan, row),
        &components,
        place,
        #[inline(always)]
        |bits, latest, member, block| {
            let (_, means_table, others_table) = members.get(member)?;
            let (others, means) = coefficients.get_mut(member)?;
            bits.refill();
            *means.get_mut(block)? = read_mean(bits, means_table, latest)?;
            let mask = others.masks.get_mut(block)?;
            let block = others.blocks.get_mut(block)?;
            let end = begin_block(bits, others_table, Band::OTHERS, block, mask)?;
            // Only progressive files have runs of blocks.
            matches!(end, None | Some(0)).then_some(())
        },
    )
}

/// Goes to the blocks of a row of units in the order in which a scan has them, each with the latest mean value of its
/// component, the place of that in the scan, and its own in the row.
#[inline(always)]
fn each_block<'d>(
    level: Level,
    scan: (&'d Frame, &Scan, usize),
    components: &[usize],
    place: &mut ScanState<'d>,
    go: impl FnMut(&mut Bits<'d>, &mut i32, usize, usize) -> Option<()>,
) -> Option<()> {
    at_level(
        level,
        #[inline(always)]
        || walk(scan, components, place, go),
    )
}

#[inline(always)]
fn walk<'d>(
    (frame, scan, row): (&'d Frame, &Scan, usize),
    components: &[usize],
    place: &mut ScanState<'d>,
    mut go: impl FnMut(&mut Bits<'d>, &mut i32, usize, usize) -> Option<()>,
) -> Option<()> {
    if let [component] = components {
        // Without what only fills up units.
        let component = frame.components.get(*component)?;
        for row in rows(component, row) {
            let mut start = row.checked_mul(component.stride)?;
            let end = start.checked_add(component.width)?;
            while start < end {
                let count = place.ready(frame, scan, end.wrapping_sub(start))?;
                let next = start.checked_add(count)?;
                let mut bits = place.bits;
                let latest = place.latest.first_mut()?;
                for block in start..next {
                    go(&mut bits, latest, 0, block)?;
                }
                place.bits = bits;
                place.did(count)?;
                start = next;
            }
        }
        return Some(());
    }
    let mut start = 0_usize;
    while start < frame.units {
        let count = place.ready(frame, scan, frame.units.wrapping_sub(start))?;
        let end = start.checked_add(count)?;
        let mut bits = place.bits;
        for unit in start..end {
            let all = components.iter().zip(&mut place.latest);
            for (member, (component, latest)) in all.enumerate() {
                let component = frame.components.get(*component)?;
                for row in 0..component.down {
                    let left = row.wrapping_mul(component.stride);
                    let left = left.wrapping_add(unit.wrapping_mul(component.across));
                    for block in left..left.wrapping_add(component.across) {
                        go(&mut bits, latest, member, block)?;
                    }
                }
            }
        }
        place.bits = bits;
        place.did(count)?;
        start = end;
    }
    Some(())
}

/// Reads a mean value, which is told by how much it is more than the one before (§F.1.2.1, §G.1.2.1).
#[inline(always)]
fn read_mean(bits: &mut Bits<'_>, table: &Table, latest: &mut i32) -> Option<i16> {
    let entry = table.look_up(bits);
    let mut more = i32::from(entry.number());
    // One decision for all that was looked up: nobody knows beforehand where nothing is added.
    if (more != 0) | ((entry.size() == 0) & (entry.length() > 0)) {
        bits.skip(entry.length());
    } else {
        let size = table.take(entry, bits)?.size;
        if size > 0 {
            more = signed(bits.take(size), size);
        }
    }
    *latest = latest.wrapping_add(more);
    i16::try_from(*latest).ok()
}
