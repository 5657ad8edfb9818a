//! Bits of entropy-coded data, from which stuffed bytes are taken already (ITU-T T.81 §F.2.2.5).

/// How many bits [`Bits::refill`] sees to, at least.
const REFILLED: u32 = 56;

/// Bits from the front, the highest of each byte first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bits<'d> {
    data: &'d [u8],
    /// How many bytes are in the buffer, or were.
    next: usize,
    /// The next bits, from the highest one down.
    buffer: u64,
    /// How many of them count. Those below are zeros, or what comes next.
    count: u32,
}

impl<'d> Bits<'d> {
    pub(super) fn new(data: &'d [u8]) -> Self {
        Self {
            data,
            ..Self::default()
        }
    }

    /// Sees to it that there are [`REFILLED`] bits. Behind the end there are zeros.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let ahead = self.data.get(self.next..).and_then(<[u8]>::first_chunk);
        let word = match ahead {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => last_bytes(self.data, self.next),
        };
        self.buffer |= word.wrapping_shr(self.count);
        let bytes = 63_u32.wrapping_sub(self.count).wrapping_shr(3);
        self.next = self.next.wrapping_add(bytes as usize);
        self.count |= REFILLED;
    }

    /// The next `count` bits, of which there must be at least one and no more than were refilled.
    #[inline(always)]
    pub(super) fn peek(&self, count: u32) -> u32 {
        self.buffer.wrapping_shr(64_u32.wrapping_sub(count)) as u32
    }

    /// Goes on by `count` bits, which must be there.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.buffer = self.buffer.wrapping_shl(count);
        self.count = self.count.wrapping_sub(count);
    }

    /// Takes `count` bits; there may be none to take.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        // In two steps, since a shift by all 64 bits is none.
        let bits = self.buffer.wrapping_shr(1);
        let bits = bits.wrapping_shr(63_u32.wrapping_sub(count)) as u32;
        self.skip(count);
        bits
    }

    /// How many bits are taken.
    fn taken(&self) -> usize {
        let loaded = self.next.saturating_mul(8);
        loaded.saturating_sub(self.count as usize)
    }

    /// Whether more bits are taken than there are.
    pub(super) fn is_beyond(&self) -> bool {
        self.taken() > self.data.len().saturating_mul(8)
    }

    /// Whether bytes are left that are more than padding.
    pub(super) fn has_more(&self) -> bool {
        let rest = self.data.get(self.taken().div_ceil(8)..);
        let mut rest = rest.unwrap_or_default().iter();
        rest.any(|byte| !matches!(byte, 0 | 0xff))
    }

    /// Whether nothing is left but bits that fill the last byte.
    pub(super) fn is_at_end(&self) -> bool {
        self.taken().div_ceil(8) == self.data.len()
    }
}

/// Outside of [`Bits`], so that they need not be in memory for it.
#[cold]
fn last_bytes(data: &[u8], next: usize) -> u64 {
    let mut word = [0; 8];
    let rest = data.get(next..).unwrap_or_default();
    for (to, from) in word.iter_mut().zip(rest) {
        *to = *from;
    }
    u64::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_in_order_and_zeros_behind_them() {
        let data: Vec<u8> = (1..=40).collect();
        let mut bits = Bits::new(&data);
        let mut place = 0;
        for round in 0..60_u32 {
            bits.refill();
            let count = round % 14;
            let expected = (place..place + count as usize).fold(0, |value, place| {
                let byte = data.get(place / 8).copied().unwrap_or_default();
                value << 1 | u32::from(byte >> (7 - place % 8) & 1)
            });
            assert_eq!(bits.take(count), expected);
            place += count as usize;
            assert_eq!(bits.taken(), place);
            assert_eq!(bits.is_beyond(), place > 320);
            assert_eq!(bits.is_at_end(), (313..=320).contains(&place));
            assert_eq!(bits.has_more(), place <= 312);
        }
        assert!(bits.is_beyond());
    }
}
