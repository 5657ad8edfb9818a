//! Inflates the rows of a PNG part by part, so that what was inflated is still near when its filters are taken off.

use fdeflate::Decompressor;

use super::chunks::Chunks;

/// How far back a stream may refer (RFC 1951 §2).
const WINDOW: usize = 1 << 15;
/// How much is inflated at a time beside that: with it, half of a usual second-level cache.
const PART: usize = 1 << 17;
/// But at least so many rows.
const ROWS: usize = 8;

/// Rows as they were inflated.
#[derive(Debug)]
pub(super) struct Part {
    bytes: Vec<u8>,
    /// Where the first row starts that nobody has had.
    start: usize,
    /// Where the last whole row ends.
    end: usize,
    /// How much was inflated.
    filled: usize,
}

impl Part {
    /// Whole rows, each with the number of its filter.
    pub(super) fn rows(&self) -> Option<&[u8]> {
        self.bytes.get(self.start..self.end)
    }
}

/// A stream that is inflated.
pub(super) struct Inflating<'b> {
    stream: Decompressor,
    chunks: Chunks<'b>,
    /// A row with the number of its filter.
    row: usize,
    /// What is still to come.
    left: usize,
    /// What the next part begins with: what the stream may refer to, and the start of a row.
    kept: Vec<u8>,
    /// How much of it the next part has to start behind.
    start: usize,
    spare: Option<Vec<u8>>,
}

impl<'b> Inflating<'b> {
    /// Inflates `count` rows of `row` bytes.
    pub(super) fn new(chunks: Chunks<'b>, row: usize, count: usize) -> Option<Self> {
        let mut stream = Decompressor::new();
        // Nor does the `png` crate look at it: each chunk has a checksum of its own.
        stream.ignore_adler32();
        Some(Self {
            stream,
            chunks,
            row,
            left: row.checked_mul(count)?,
            kept: Vec::new(),
            start: 0,
            spare: None,
        })
    }

    /// Takes a part that was used, for the next one.
    pub(super) fn give_back(&mut self, part: Part) {
        self.spare = Some(part.bytes);
    }

    /// The next rows, and whether they are the last; none if something is wrong.
    pub(super) fn next(&mut self) -> Option<(Part, bool)> {
        let least = self.row.checked_mul(ROWS)?;
        let most = least.max(PART).min(self.left);
        let size = self.kept.len().checked_add(most)?;
        let mut bytes = self.spare.take().unwrap_or_default();
        // With one byte more, which must stay empty.
        bytes.resize(size.checked_add(1)?, 0);
        bytes
            .get_mut(..self.kept.len())?
            .copy_from_slice(&self.kept);
        let mut filled = self.kept.len();
        while filled < size {
            let written = self.read(bytes.get_mut(..size)?, filled)?;
            filled = filled.checked_add(written)?;
        }
        self.left = self.left.checked_sub(most)?;
        let is_last = self.left == 0;
        if is_last {
            self.finish(&mut bytes, size)?;
        }
        let rows = filled.checked_sub(self.start)?.checked_div(self.row)?;
        let end = self.start.checked_add(rows.checked_mul(self.row)?)?;
        let part = Part {
            bytes,
            start: self.start,
            end,
            filled,
        };
        self.keep(&part)?;
        Some((part, is_last))
    }

    fn keep(&mut self, part: &Part) -> Option<()> {
        let from = part.end.min(part.filled.saturating_sub(WINDOW));
        self.kept.clear();
        self.kept
            .extend_from_slice(part.bytes.get(from..part.filled)?);
        self.start = part.end.checked_sub(from)?;
        Some(())
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
