//! What is in scans of a component's coefficients but mean values, a row of units at a time (ITU-T T.81 §G.1.2, §G.2).

use fearless_simd::Level;

use super::{
    Odd,
    bits::Bits,
    frame::{Component, Frame, Kind, Scan},
    huffman::{Table, signed},
    tables::NATURAL,
};

/// Bits that are read at once for coefficients that are not zero, a multiple of [`TOGETHER`].
const AT_ONCE: u32 = 28;
/// How many of them are corrected without a decision between.
const TOGETHER: usize = 4;
/// How many numbers that are looked up with their codes leave enough bits for one that is not.
const SHORT: usize = 3;

/// The coefficients of a block in natural order.
pub(super) type Block = [i16; 64];

/// The coefficients of a component but the mean values, in a row of units.
#[derive(Debug, Default)]
pub(super) struct Others {
    pub blocks: Vec<Block>,
    /// Which coefficients are not zero, in the order in which they are coded.
    pub masks: Vec<u64>,
}

/// How far a scan is.
#[derive(Debug, Default)]
pub(super) struct ScanState<'d> {
    pub bits: Bits<'d>,
    /// How many parts were begun.
    parts: usize,
    /// How many units are left of the part.
    left: usize,
    /// How many blocks come in which there is nothing more.
    ended: u32,
    /// The latest mean values of the scan's components.
    pub latest: [i32; 3],
}

impl<'d> ScanState<'d> {
    /// How many units, of so many, can be done before the scan starts anew.
    pub(super) fn ready(&mut self, frame: &'d Frame, scan: &Scan, units: usize) -> Option<usize> {
        if self.left == 0 {
            self.end()?;
            let part = scan.part(self.parts)?;
            *self = Self {
                bits: Bits::new(frame.data.get(part)?),
                parts: self.parts.checked_add(1)?,
                left: scan.interval.unwrap_or(usize::MAX),
                ..Self::default()
            };
        }
        Some(units.min(self.left))
    }

    /// Notes that so many units were done.
    pub(super) fn did(&mut self, units: usize) -> Option<()> {
        self.left = self.left.checked_sub(units)?;
        (!self.bits.is_beyond()).then_some(())
    }

    /// Whether all of a part was taken.
    fn end(&self) -> Option<()> {
        (self.bits.is_at_end() && self.ended == 0).then_some(())
    }

    /// Whether this is the end of the scan. Where more data follow, those before were hardly what they should be.
    pub(super) fn finish(&self, scan: &Scan) -> Result<(), Odd> {
        if self.parts == scan.parts() && self.end().is_some() {
            return Ok(());
        }
        if self.bits.has_more() {
            return Err(Odd::Broken);
        }
        Err(Odd::Unusual)
    }
}

/// The rows of blocks of a component that belong to a row of units, without what only fills up units.
pub(super) fn rows(component: &Component, row: usize) -> impl Iterator<Item = usize> {
    let start = row.saturating_mul(component.down);
    let end = start.saturating_add(component.down).min(component.height);
    0..end.saturating_sub(start)
}

/// The blocks of a row that belong to the picture, not to its padding.
fn of_row<'r, T>(values: &'r mut [T], component: &Component, row: usize) -> Option<&'r mut [T]> {
    let start = row.checked_mul(component.stride)?;
    values.get_mut(start..)?.get_mut(..component.width)
}

/// Decodes a scan's coefficients in a row of units, but for mean values.
pub(super) fn others<'d>(
    level: Level,
    frame: &'d Frame,
    scan: &Scan,
    row: usize,
    place: &mut ScanState<'d>,
    others: &mut Others,
) -> Option<()> {
    at_level(
        level,
        #[inline(always)]
        || rows_of_others(frame, scan, row, place, others),
    )
}

/// Does something with the processor's instructions that count and shift bits.
#[inline(always)]
pub(super) fn at_level<R>(level: Level, work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = level.as_avx2() {
        return fearless_simd::Simd::vectorize(simd, work);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    work()
}

#[inline(always)]
fn rows_of_others<'d>(
    frame: &'d Frame,
    scan: &Scan,
    row: usize,
    place: &mut ScanState<'d>,
    others: &mut Others,
) -> Option<()> {
    let Kind::Others(component, table) = &scan.kind else {
        return None;
    };
    let component = frame.components.get(*component)?;
    for row in rows(component, row) {
        let mut blocks = of_row(&mut others.blocks, component, row)?;
        let mut masks = of_row(&mut others.masks, component, row)?;
        while !blocks.is_empty() {
            let count = place.ready(frame, scan, blocks.len())?;
            let (now, later) = blocks.split_at_mut_checked(count)?;
            let (masks_now, masks_later) = masks.split_at_mut_checked(count)?;
            if scan.is_refined {
                refine(place, scan, table, now, masks_now)?;
            } else {
                begin(place, scan, table, now, masks_now)?;
            }
            place.did(count)?;
            (blocks, masks) = (later, masks_later);
        }
    }
    Some(())
}

/// The block's coefficient at a place in coding order.
#[inline(always)]
fn coefficient(block: &mut Block, place: u32) -> Option<&mut i16> {
    let natural = NATURAL.get((place & 63) as usize)?;
    block.get_mut(usize::from(natural & 63))
}

/// Reads in how many blocks nothing more comes, this one among them.
#[inline(always)]
fn end_run(bits: &mut Bits<'_>, size: u32) -> u32 {
    1_u32.wrapping_shl(size).wrapping_add(bits.take(size))
}

/// Reads coefficients for the first time (§G.1.2.2).
#[inline(always)]
fn begin(
    place: &mut ScanState<'_>,
    scan: &Scan,
    table: &Table,
    blocks: &mut [Block],
    masks: &mut [u64],
) -> Option<()> {
    let (mut bits, mut ended) = (place.bits, place.ended);
    let band = Band {
        first: scan.first,
        last: scan.last,
        low: scan.low,
    };
    for (block, mask) in blocks.iter_mut().zip(masks) {
        if ended > 0 {
            ended = ended.wrapping_sub(1);
            continue;
        }
        if let Some(size) = begin_block(&mut bits, table, band, block, mask)? {
            bits.refill();
            ended = end_run(&mut bits, size).wrapping_sub(1);
        }
    }
    (place.bits, place.ended) = (bits, ended);
    Some(())
}

/// Which coefficients of a block are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    pub(super) first: u32,
    pub(super) last: u32,
    /// So many of their lower bits are not.
    pub(super) low: u32,
}

impl Band {
    /// All but the mean, whole.
    pub(super) const OTHERS: Self = Self {
        first: 1,
        last: 63,
        low: 0,
    };
}

/// Reads a band of a block. If it ends early: how many bits follow that say how many blocks do so.
#[inline(always)]
pub(super) fn begin_block(
    bits: &mut Bits<'_>,
    table: &Table,
    band: Band,
    block: &mut Block,
    mask: &mut u64,
) -> Option<Option<u32>> {
    let Band { first, last, low } = band;
    let (mut next, mut found, mut end) = (first, 0, None);
    'block: while next <= last {
        bits.refill();
        let mut entry = table.look_up(bits);
        for _ in 0..SHORT {
            if entry.number() == 0 {
                break;
            }
            bits.skip(entry.length());
            next = next.wrapping_add(entry.run());
            (next <= last).then_some(())?;
            *coefficient(block, next)? = entry.number().wrapping_shl(low);
            found |= 1_u64.wrapping_shl(next);
            next = next.wrapping_add(1);
            if next > last {
                break 'block;
            }
            entry = table.look_up(bits);
        }
        if entry.number() != 0 {
            continue;
        }
        let symbol = table.take(entry, bits)?;
        if symbol.size == 0 {
            if symbol.run < 15 {
                end = Some(symbol.run);
                break;
            }
            next = next.wrapping_add(16);
            continue;
        }
        next = next.wrapping_add(symbol.run);
        (next <= last).then_some(())?;
        let number = signed(bits.take(symbol.size), symbol.size) as i16;
        *coefficient(block, next)? = number.wrapping_shl(low);
        found |= 1_u64.wrapping_shl(next);
        next = next.wrapping_add(1);
    }
    *mask |= found;
    Some(end)
}

/// Reads a bit more of coefficients (§G.1.2.3).
#[inline(always)]
fn refine(
    place: &mut ScanState<'_>,
    scan: &Scan,
    table: &Table,
    blocks: &mut [Block],
    masks: &mut [u64],
) -> Option<()> {
    let (mut bits, mut ended) = (place.bits, place.ended);
    let from_first = u64::MAX.wrapping_shl(scan.first);
    let all = from_first & u64::MAX.wrapping_shr(63_u32.wrapping_sub(scan.last));
    for (block, mask) in blocks.iter_mut().zip(masks) {
        let known = *mask & all;
        let mut rest = all;
        while ended == 0 && rest != 0 {
            bits.refill();
            let entry = table.look_up(&bits);
            let (mut number, mut run) = (entry.number(), entry.run());
            if number != 0 {
                bits.skip(entry.length());
            } else {
                let symbol = table.take(entry, &mut bits)?;
                run = symbol.run;
                if symbol.size > 0 {
                    number = signed(bits.take(1), 1) as i16;
                } else if run < 15 {
                    ended = end_run(&mut bits, run);
                    break;
                }
            }
            let zeros = without(rest & !known, run);
            // The lowest bit, and those below it.
            let up_to = zeros ^ zeros.wrapping_sub(1);
            let target = zeros & up_to;
            (target != 0).then_some(())?;
            correct(&mut bits, block, known & rest & up_to, scan.low)?;
            if number != 0 {
                *coefficient(block, target.trailing_zeros())? = number.wrapping_shl(scan.low);
                *mask |= target;
            }
            rest &= !up_to;
        }
        if ended > 0 {
            ended = ended.wrapping_sub(1);
            bits.refill();
            correct(&mut bits, block, known & rest, scan.low)?;
        }
    }
    (place.bits, place.ended) = (bits, ended);
    Some(())
}

/// All but the lowest bits, of which there are at most 15. Few are usual, and are taken off without a decision.
#[inline(always)]
fn without(bits: u64, count: u32) -> u64 {
    let (odd, two) = (u64::from(count & 1), u64::from(count.wrapping_shr(1) & 1));
    let mut bits = bits & bits.wrapping_sub(odd);
    bits &= bits.wrapping_sub(two);
    bits &= bits.wrapping_sub(two);
    for _ in 0..count & 12 {
        bits &= bits.wrapping_sub(1);
    }
    bits
}

/// Reads a bit for each coefficient that is not zero; the first [`AT_ONCE`] bits must be there.
#[inline(always)]
fn correct(bits: &mut Bits<'_>, block: &mut Block, places: u64, low: u32) -> Option<()> {
    let mut places = places;
    while places != 0 {
        let count = places.count_ones().min(AT_ONCE);
        // Behind them there are zeros.
        let mut ahead = bits.peek(32) & !u32::MAX.wrapping_shr(count);
        bits.skip(count);
        for _ in (0..count).step_by(TOGETHER) {
            // When there is no place any more, nothing is added to the first one.
            for _ in 0..TOGETHER {
                let value = coefficient(block, places.trailing_zeros())?;
                let more = (ahead.wrapping_shr(31) as i16).wrapping_shl(low);
                // All bits of numbers below zero, and none of others.
                let sign = value.wrapping_shr(15);
                *value = value.wrapping_add((more ^ sign).wrapping_sub(sign));
                ahead = ahead.wrapping_shl(1);
                places &= places.wrapping_sub(1);
            }
        }
        bits.refill();
    }
    Some(())
}
