//! A picture at half of its size, a quarter and so on, of which never more than a few rows are in memory: what is left of
//! each square of pixels is their mean.

use fearless_simd::Level;

use super::{Shape, chunks::Chunks, inflate::Inflating, unfilter::unfilter};

/// More halvings than these nobody needs, and sums stay small.
pub(in crate::import) const MAX_HALVINGS: u32 = 8;

/// A picture that is going to be read smaller than it is.
pub(in crate::import) struct Smaller<'b> {
    chunks: Chunks<'b>,
    channels: usize,
    /// In pixels, of the file and of what comes out.
    from: (usize, usize),
    to: (usize, usize),
    /// How many pixels a square has on each side; the last ones of a row or column may have up to twice as many.
    step: usize,
}

impl<'b> Smaller<'b> {
    pub(super) fn new(chunks: Chunks<'b>, shape: Shape, halvings: u32) -> Option<Self> {
        (halvings <= MAX_HALVINGS).then_some(())?;
        let from = (
            usize::try_from(shape.width).ok()?,
            usize::try_from(shape.height).ok()?,
        );
        let less = |side: usize| side.wrapping_shr(halvings).max(1);
        Some(Self {
            chunks,
            channels: shape.channels,
            from,
            to: (less(from.0), less(from.1)),
            step: 1_usize.wrapping_shl(halvings),
        })
    }

    /// The size of what comes out.
    pub(in crate::import) fn size(&self) -> (u32, u32) {
        let number = |side| u32::try_from(side).unwrap_or(u32::MAX);
        (number(self.to.0), number(self.to.1))
    }

    /// The pixels, if nothing is wrong.
    pub(in crate::import) fn decode(self) -> Option<Vec<u8>> {
        match self.channels {
            1 => self.decode_of::<1>(),
            3 => self.decode_of::<3>(),
            4 => self.decode_of::<4>(),
            _ => None,
        }
    }

    fn decode_of<const N: usize>(self) -> Option<Vec<u8>> {
        let Self { from, to, step, .. } = self;
        let (level, length) = (Level::new(), from.0.checked_mul(N)?);
        let mut inflating = Inflating::new(self.chunks, length.checked_add(1)?, from.1);
        let mut means = Means::<N> {
            step,
            sums: vec![0; length],
            summed: 0,
            rows_left: from.1,
            left: to.1,
            pixels: Vec::new(),
        };
        let total = to.0.checked_mul(to.1)?.checked_mul(N)?;
        means.pixels.try_reserve_exact(total).ok()?;
        let (mut above, mut rows) = (vec![0; length], Vec::new());
        loop {
            let (part, is_last) = inflating.next()?;
            let filtered = part.rows()?;
            let count = filtered.len().checked_div(length.checked_add(1)?)?;
            rows.resize(count.checked_mul(length)?, 0);
            unfilter::<N>(level, filtered, &above, &mut rows)?;
            for row in rows.chunks_exact(length) {
                means.add(row)?;
            }
            let last = rows.rchunks_exact(length).next()?;
            above.copy_from_slice(last);
            if is_last {
                return (means.pixels.len() == total).then_some(means.pixels);
            }
            inflating.give_back(part);
        }
    }
}

/// Means of squares of pixels with `N` channels.
struct Means<const N: usize> {
    step: usize,
    /// Of each channel of a row, the sum over the rows of squares that are not whole yet; and how many rows these are.
    sums: Vec<u32>,
    summed: usize,
    /// How many rows are still to come, and how many come out.
    rows_left: usize,
    left: usize,
    pixels: Vec<u8>,
}

impl<const N: usize> Means<N> {
    fn add(&mut self, row: &[u8]) -> Option<()> {
        for (sum, channel) in self.sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(u32::from(*channel));
        }
        self.summed = self.summed.checked_add(1)?;
        self.rows_left = self.rows_left.checked_sub(1)?;
        // What does not make a whole square at the end belongs to the last one.
        let is_whole = self.summed == self.step && self.left > 1;
        if is_whole || self.rows_left == 0 {
            self.finish()?;
        }
        Some(())
    }

    /// Makes pixels of what was summed up.
    fn finish(&mut self) -> Option<()> {
        let (columns, _) = self.sums.as_chunks::<N>();
        let last = columns
            .len()
            .checked_div(self.step)?
            .max(1)
            .checked_sub(1)?;
        let (squares, rest) = columns.split_at_checked(last.checked_mul(self.step)?)?;
        for square in squares.chunks_exact(self.step).chain([rest]) {
            let count = u32::try_from(square.len().checked_mul(self.summed)?).ok()?;
            let mut sums = [0_u32; N];
            for column in square {
                for (sum, channel) in sums.iter_mut().zip(column) {
                    *sum = sum.wrapping_add(*channel);
                }
            }
            for sum in sums {
                let mean = sum.checked_add(count / 2)?.checked_div(count)?;
                self.pixels.push(u8::try_from(mean).ok()?);
            }
        }
        self.sums.fill(0);
        self.summed = 0;
        self.left = self.left.checked_sub(1)?;
        Some(())
    }
}
