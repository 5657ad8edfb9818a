//! A lossless stream up to the codes of its pixels, which are not decoded (RFC 9649 §3).

use super::{
    Size,
    code::{Bits, Code},
};

/// How many symbols the codes of a group have: green with lengths, red, blue, alpha, distances.
const ALPHABETS: [usize; 5] = [LENGTHS + 24, 256, 256, 256, 40];
/// Symbols of the first code from here on are lengths.
const LENGTHS: usize = 256;
/// Symbols of the first code from here on are colours that were seen before.
const CACHED: usize = LENGTHS + 24;
/// What the decoder takes for a group beside the tables of its codes; their list may be three times as long as needed while
/// it grows.
pub(super) const GROUP: usize = 3 * ALPHABETS.len() * 56;

/// The size that a stream states of its picture.
pub(super) fn size(data: &[u8]) -> Option<Size> {
    Stream::new(data, 0).header()
}

/// How many bytes the codes of a picture take, if it is of this size; beyond `most` they are not counted. None if one of
/// them is broken: the decoder may see that otherwise.
pub(super) fn of_picture(data: &[u8], size: Size, most: usize) -> Option<usize> {
    let mut stream = Stream::new(data, most);
    if stream.header() != Some(size) {
        return None;
    }
    stream.codes_memory(size)
}

/// How many bytes the codes of alpha of this size take (RFC 9649 §2.7.1.2).
pub(super) fn of_alpha(data: &[u8], size: Size, most: usize) -> Option<usize> {
    let (kind, data) = data.split_first()?;
    match kind & 3 {
        1 => Stream::new(data, most).codes_memory(size),
        _ => Some(0),
    }
}

#[derive(Debug)]
struct Stream<'d> {
    bits: Bits<'d>,
    /// What the codes so far take, and what is enough to know.
    memory: usize,
    most: usize,
}

impl<'d> Stream<'d> {
    fn new(data: &'d [u8], most: usize) -> Self {
        let (bits, memory) = (Bits::new(data), 0);
        Self { bits, memory, most }
    }

    fn codes_memory(mut self, size: Size) -> Option<usize> {
        match self.read(size) {
            // Codes are made until the data end.
            None if !self.bits.are_at_end() => None,
            _ => Some(self.memory),
        }
    }

    /// The size of the picture (RFC 9649 §3.4).
    fn header(&mut self) -> Option<Size> {
        let signature = self.bits.take(8)?;
        let mut side = || u32::try_from(self.bits.take(14)?).ok()?.checked_add(1);
        let size = (side()?, side()?);
        let _alpha = self.bits.take(1)?;
        let version = self.bits.take(3)?;
        (signature == 0x2f && version == 0).then_some(size)
    }

    fn read(&mut self, size: Size) -> Option<()> {
        let size = self.transforms(size)?;
        let alphabets = self.alphabets()?;
        let mut groups = 1;
        if self.bits.take(1)? == 1 {
            let blocks = self.blocks(size)?;
            groups = self.pixels(blocks)?.checked_add(1)?;
        }
        for _ in 0..groups {
            if self.memory > self.most {
                break;
            }
            self.memory = self.memory.saturating_add(GROUP);
            for alphabet in alphabets {
                let code = Code::read(&mut self.bits, alphabet)?;
                self.memory = self.memory.saturating_add(code.memory());
            }
        }
        Some(())
    }

    /// Passes over what is to be done with pixels, and gives the size in which they are stored (RFC 9649 §3.5).
    fn transforms(&mut self, (mut width, height): Size) -> Option<Size> {
        const INDEXING: usize = 3;
        let mut are_there = [false; INDEXING + 1];
        while self.bits.take(1)? == 1 {
            let kind = self.bits.take(2)?;
            let is_there = are_there.get_mut(kind)?;
            if std::mem::replace(is_there, true) {
                return None;
            }
            match kind {
                0 | 1 => {
                    let blocks = self.blocks((width, height))?;
                    self.pixels(blocks)?;
                }
                INDEXING => {
                    let colors = u32::try_from(self.bits.take(8)?).ok()?.checked_add(1)?;
                    self.pixels((colors, 1))?;
                    let together: u32 = match colors {
                        0..=2 => 8,
                        3..=4 => 4,
                        5..=16 => 2,
                        _ => 1,
                    };
                    width = width.div_ceil(together);
                }
                _ => {}
            }
        }
        Some((width, height))
    }

    /// How many blocks of a size that comes next a picture has.
    fn blocks(&mut self, (width, height): Size) -> Option<Size> {
        let bits = u32::try_from(self.bits.take(3)?).ok()?.checked_add(2)?;
        let side = 1_u32.checked_shl(bits)?;
        Some((width.div_ceil(side), height.div_ceil(side)))
    }

    /// How many symbols the codes of the following groups have (RFC 9649 §3.6.3 tells of cached colours).
    fn alphabets(&mut self) -> Option<[usize; 5]> {
        let mut alphabets = ALPHABETS;
        if self.bits.take(1)? == 1 {
            let bits = u32::try_from(self.bits.take(4)?).ok()?;
            if !(1..=11).contains(&bits) {
                return None;
            }
            let [first, ..] = &mut alphabets;
            *first = CACHED.checked_add(1_usize.checked_shl(bits)?)?;
        }
        Some(alphabets)
    }

    /// Passes over pixels of one group of codes, and gives the highest number that their red and green are together (which
    /// names a group, RFC 9649 §3.7.2.2). What is copied was there before.
    fn pixels(&mut self, (width, height): Size) -> Option<usize> {
        let [a, b, c, d, e] = self.alphabets()?;
        let bits = &mut self.bits;
        let green = Code::read(bits, a)?;
        let others = [
            Code::read(bits, b)?,
            Code::read(bits, c)?,
            Code::read(bits, d)?,
        ];
        let distances = Code::read(bits, e)?;
        let [red, blue, alpha] = &others;

        let mut left = usize::try_from(width.checked_mul(height)?).ok()?;
        let mut highest = None;
        let is_one_color = others.iter().all(|code| code.single().is_some());
        let is_same = green.single().is_some_and(|symbol| {
            // A cached colour takes no more than its symbol.
            is_one_color || usize::from(symbol) >= CACHED
        });
        if is_same {
            // There are no bits for them.
            left = left.min(1);
        }
        while left > 0 {
            let symbol = usize::from(green.symbol(bits)?);
            let mut count = 1;
            if symbol < LENGTHS {
                let red = usize::from(red.symbol(bits)?);
                blue.symbol(bits)?;
                alpha.symbol(bits)?;
                highest = highest.max(Some(red.checked_mul(256)? | symbol));
            } else if symbol < CACHED {
                count = copied(bits, symbol.checked_sub(LENGTHS)?)?;
                let distance = usize::from(distances.symbol(bits)?);
                copied(bits, distance)?;
                // There is nothing before the first.
                highest?;
            } else {
                // The cache is black to begin with.
                highest = highest.max(Some(0));
            }
            left = left.checked_sub(count)?;
        }
        highest
    }
}

/// A length or distance by its symbol and the bits behind it (RFC 9649 §3.6.2.2).
fn copied(bits: &mut Bits<'_>, symbol: usize) -> Option<usize> {
    let Some(beyond) = symbol.checked_sub(4) else {
        return symbol.checked_add(1);
    };
    let count = u32::try_from(beyond / 2).ok()?.checked_add(1)?;
    let least = (2 | (symbol & 1)).checked_shl(count)?;
    least.checked_add(bits.take(count)?)?.checked_add(1)
}
