//! Inflates the rows of a PNG part by part, so that what was inflated is still near when its filters are taken off.

use fdeflate::Decompressor;

use super::{chunks::Chunks, unfilter::TOGETHER};

/// How far back a stream may refer (RFC 1951 §2).
const WINDOW: usize = 1 << 15;
/// How much is inflated at a time beside that: with it, a fifth of a usual second-level cache.
const PART: usize = 1 << 16;
/// And how little towards the end, where each part is half of what is left: so little is left to do when all is inflated.
const LAST: usize = 1 << 14;
/// How many rows a part has at least.
const ROWS: usize = 2 * TOGETHER;

/// Rows as they were inflated.
#[derive(Debug)]
pub(super) struct Part {
    bytes: Vec<u8>,
    /// Where the rows start; before them stands what the stream may refer to.
    start: usize,
}

impl Part {
    /// Whole rows, each with the number of its filter.
    pub(super) fn rows(&self) -> Option<&[u8]> {
        self.bytes.get(self.start..)
    }
}

/// A stream that is inflated.
pub(super) struct Inflating<'b> {
    stream: Decompressor,
    chunks: Chunks<'b>,
    /// The length of a row with the number of its filter.
    row: usize,
    /// How many rows are still to come.
    left: usize,
    /// What the stream may refer to of what it gave.
    kept: Vec<u8>,
    spare: Option<Vec<u8>>,
    /// What came before something was wrong.
    broken: Option<Part>,
}

impl<'b> Inflating<'b> {
    /// Inflates `count` rows of `row` bytes.
    pub(super) fn new(chunks: Chunks<'b>, row: usize, count: usize) -> Self {
        let mut stream = Decompressor::new();
        // Nor does the `png` crate look at it: each chunk has a checksum of its own.
        stream.ignore_adler32();
        Self {
            stream,
            chunks,
            row,
            left: count,
            kept: Vec::new(),
            spare: None,
            broken: None,
        }
    }

    /// What came of the rows that are not whole, since something is wrong: perhaps with a part of a row at its end.
    pub(super) fn into_broken(self) -> Option<Part> {
        self.broken
    }

    /// Takes a part that was used, for the next one.
    pub(super) fn give_back(&mut self, part: Part) {
        self.spare = Some(part.bytes);
    }

    /// The next rows, and whether they are the last; none if something is wrong.
    pub(super) fn next(&mut self) -> Option<(Part, bool)> {
        let rows = rows_of_part(self.row, self.left);
        let start = self.kept.len();
        let size = start.checked_add(self.row.checked_mul(rows)?)?;
        let mut bytes = self.spare.take().unwrap_or_default();
        // With one byte more, which must stay empty.
        bytes.resize(size.checked_add(1)?, 0);
        bytes.get_mut(..start)?.copy_from_slice(&self.kept);
        let mut filled = start;
        while filled < size {
            let Some(written) = self.read(bytes.get_mut(..size)?, filled) else {
                bytes.truncate(filled);
                self.broken = Some(Part { bytes, start });
                return None;
            };
            filled = filled.checked_add(written)?;
        }
        self.left = self.left.checked_sub(rows)?;
        let is_last = self.left == 0;
        if is_last {
            self.finish(&mut bytes, size)?;
        }
        bytes.truncate(size);
        self.kept.clear();
        let from = size.saturating_sub(WINDOW);
        self.kept.extend_from_slice(bytes.get(from..)?);
        Some((Part { bytes, start }, is_last))
    }

    /// Inflates something; none if there is nothing more.
    fn read(&mut self, bytes: &mut [u8], place: usize) -> Option<usize> {
        loop {
            let (taken, written) = self.go_on(bytes, place)?;
            if written > 0 {
                return Some(written);
            }
            if taken == 0 || self.stream.is_done() {
                return None;
            }
        }
    }

    /// Goes through the end of the stream, where nothing more may come out.
    fn finish(&mut self, bytes: &mut [u8], place: usize) -> Option<()> {
        while !self.stream.is_done() {
            let (taken, written) = self.go_on(bytes, place)?;
            (written == 0).then_some(())?;
            (taken > 0 || self.stream.is_done()).then_some(())?;
        }
        self.chunks.finish()
    }

    /// How much was taken of the data, and how much came out.
    fn go_on(&mut self, bytes: &mut [u8], place: usize) -> Option<(usize, usize)> {
        // Something may still come out of what was taken.
        let data = self.chunks.data().unwrap_or_default();
        let (taken, written) = self.stream.read(data, bytes, place, false).ok()?;
        self.chunks.advance(taken);
        Some((taken, written))
    }
}

/// How many rows of `row` bytes come next of so many that are left: but for the last ones as many as can be done together.
fn rows_of_part(row: usize, left: usize) -> usize {
    let rows_in = |bytes: usize| {
        let rows = bytes.checked_div(row).unwrap_or(0);
        (rows & !(TOGETHER - 1)).max(ROWS)
    };
    let half = left.div_ceil(2).next_multiple_of(TOGETHER);
    half.clamp(rows_in(LAST), rows_in(PART)).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_as_many_as_can_be_done_together() {
        for (row, count) in [
            (4097, 1024),
            (6145, 2048),
            (13, 5),
            (40_001, 83),
            (5, 100_003),
        ] {
            let (mut left, mut parts) = (count, Vec::new());
            while left > 0 {
                parts.push(rows_of_part(row, left));
                left -= parts.last().unwrap();
            }
            let last = parts.pop().unwrap();
            assert!(parts.iter().all(|rows| rows % TOGETHER == 0), "{parts:?}");
            // What is left to do at the end is little.
            assert!(last <= ROWS || last * row <= LAST, "{last} of {row}");
            assert_eq!(
                parts.iter().max().copied().unwrap_or(last),
                rows_of_part(row, count)
            );
        }
    }
}
