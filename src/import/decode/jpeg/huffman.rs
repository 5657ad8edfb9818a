//! Codes of different lengths (ITU-T T.81, annexes C and F).

use super::bits::Bits;

/// Codes that are no longer are looked up; so are numbers that fit in behind their codes.
const LOOKED_UP: u32 = 10;
/// The longest code.
const LONGEST: usize = 16;

/// What follows in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    /// How many zeros come first; without a number, something else.
    pub run: u32,
    /// How many bits the number has.
    pub size: u32,
}

/// What the next bits say: in the upper half the number, where all of it is among them; below, four bits each, the run and
/// how many bits the number has; and in the lowest byte how many bits that takes in all. Nothing for longer codes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry(u32);

impl Entry {
    fn new(number: i16, symbol: u8, length: u32) -> Self {
        let [high, low] = number.to_be_bytes();
        let length = u8::try_from(length).unwrap_or_default();
        Self(u32::from_be_bytes([high, low, symbol, length]))
    }

    /// The number behind the code, zero if it has to be read.
    #[inline(always)]
    pub(super) fn number(self) -> i16 {
        self.0.wrapping_shr(16) as i16
    }

    #[inline(always)]
    pub(super) fn run(self) -> u32 {
        self.0.wrapping_shr(12) & 15
    }

    #[inline(always)]
    pub(super) fn size(self) -> u32 {
        self.0.wrapping_shr(8) & 15
    }

    /// How many bits it takes, together with its number, if that is known.
    #[inline(always)]
    pub(super) fn length(self) -> u32 {
        self.0 & 63
    }
}

/// A table of codes.
#[derive(Debug)]
pub(super) struct Table {
    entries: Box<[Entry; 1 << LOOKED_UP]>,
    /// For each length: the code behind the last one of it, as the first of [`LONGEST`] bits, and the place of a symbol less
    /// its code.
    limits: [(u32, i32); LONGEST],
    symbols: Vec<u8>,
}

impl Table {
    /// The table of codes of which so many have each length, in order, with these symbols.
    pub(super) fn new(counts: &[u8; LONGEST], symbols: &[u8]) -> Option<Self> {
        let mut entries = Box::new([Entry::default(); 1 << LOOKED_UP]);
        let mut limits = [(0, 0); LONGEST];
        let mut code = 0_u32;
        let mut place = 0_usize;
        for ((length, &count), limit) in (1_u32..).zip(counts).zip(&mut limits) {
            let shift = i32::try_from(place)
                .ok()?
                .checked_sub(i32::try_from(code).ok()?)?;
            let end = place.checked_add(usize::from(count))?;
            for &symbol in symbols.get(place..end)? {
                fill(entries.as_mut(), code, length, symbol);
                code = code.checked_add(1)?;
            }
            place = end;
            // No code is ones throughout.
            (count == 0 || code < 1_u32.wrapping_shl(length)).then_some(())?;
            *limit = (code.wrapping_shl(16_u32.wrapping_sub(length)), shift);
            code = code.checked_mul(2)?;
        }
        (place == symbols.len()).then_some(())?;
        Some(Self {
            entries,
            limits,
            symbols: symbols.to_vec(),
        })
    }

    /// The symbols that have codes.
    pub(super) fn symbols(&self) -> &[u8] {
        &self.symbols
    }

    /// What the next bits say; there must be as many as a code may have.
    #[inline(always)]
    pub(super) fn look_up(&self, bits: &Bits<'_>) -> Entry {
        let place = bits.peek(LOOKED_UP) as usize & ((1 << LOOKED_UP) - 1);
        self.entries.get(place).copied().unwrap_or_default()
    }

    /// Takes the next symbol: that of `entry`, or one with a code that is too long to be looked up.
    #[inline(always)]
    pub(super) fn take(&self, entry: Entry, bits: &mut Bits<'_>) -> Option<Symbol> {
        if entry.length() == 0 {
            let (length, symbol) = self.long(bits.peek(16))?;
            bits.skip(length);
            return Some(symbol);
        }
        bits.skip(entry.length());
        Some(Symbol {
            run: entry.run(),
            size: entry.size(),
        })
    }

    /// The symbol whose code comes first of so many bits as the longest has, and its length.
    #[cold]
    fn long(&self, ahead: u32) -> Option<(u32, Symbol)> {
        let mut limits = (1_u32..).zip(&self.limits);
        let (length, (_, shift)) = limits.find(|(_, (limit, _))| ahead < *limit)?;
        let code = i32::try_from(ahead.wrapping_shr(16_u32.wrapping_sub(length))).ok()?;
        let place = usize::try_from(code.checked_add(*shift)?).ok()?;
        let symbol = u32::from(*self.symbols.get(place)?);
        let (run, size) = (symbol.wrapping_shr(4), symbol & 15);
        Some((length, Symbol { run, size }))
    }
}

/// Fills in what begins with a code.
fn fill(entries: &mut [Entry], code: u32, length: u32, symbol: u8) {
    let Some(rest) = LOOKED_UP.checked_sub(length) else {
        return;
    };
    let size = u32::from(symbol & 15);
    let count = 1_usize.wrapping_shl(rest);
    let start = (code as usize).wrapping_mul(count);
    let end = start.wrapping_add(count);
    let Some(entries) = entries.get_mut(start..end) else {
        return;
    };
    for (behind, entry) in (0_u32..).zip(entries) {
        let (mut number, mut taken) = (0, length);
        if let Some(unused) = rest.checked_sub(size)
            && size > 0
        {
            number = signed(behind.wrapping_shr(unused), size) as i16;
            taken = length.wrapping_add(size);
        }
        *entry = Entry::new(number, symbol, taken);
    }
}

/// The number that so many bits, at least one, stand for (§F.2.2.1).
#[inline(always)]
pub(super) fn signed(bits: u32, size: u32) -> i32 {
    let bits = bits as i32;
    let half = 1_i32.wrapping_shl(size.wrapping_sub(1));
    let all = half.wrapping_add(half.wrapping_sub(1));
    if bits < half {
        bits.wrapping_sub(all)
    } else {
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_short_and_long_stand_for_their_symbols() {
        // One of each length: the last are too long to be looked up.
        let mut counts = [1_u8; LONGEST];
        counts[15] = 2;
        let symbols: Vec<u8> = (0..17).collect();
        assert!(Table::new(&counts, &symbols).is_none(), "all ones");
        counts[15] = 1;
        let symbols = &symbols[..16];
        assert!(Table::new(&counts, &symbols[1..]).is_none(), "one too few");
        let table = Table::new(&counts, symbols).unwrap();
        for (length, &symbol) in (1_u32..).zip(symbols) {
            // Ones, a zero, and zeros behind that.
            let code = u64::MAX.checked_shl(65 - length).unwrap_or_default();
            let data = code.to_be_bytes();
            let mut bits = Bits::new(&data);
            bits.refill();
            let entry = table.look_up(&bits);
            if entry.number() != 0 {
                assert_eq!(entry.length(), length + u32::from(symbol & 15));
                assert_eq!(i32::from(entry.number()), signed(0, entry.size()));
                continue;
            }
            let taken = table.take(entry, &mut bits).unwrap();
            let expected = Symbol {
                run: u32::from(symbol >> 4),
                size: u32::from(symbol & 15),
            };
            assert_eq!(taken, expected, "{length}");
        }
        let mut bits = Bits::new(&[0xff; 8]);
        bits.refill();
        assert!(table.take(table.look_up(&bits), &mut bits).is_none());
    }

    #[test]
    fn numbers_have_signs() {
        assert_eq!([0, 1].map(|bits| signed(bits, 1)), [-1, 1]);
        assert_eq!([0, 1, 2, 3].map(|bits| signed(bits, 2)), [-3, -2, 2, 3]);
        assert_eq!(signed(0, 11), -2047);
        assert_eq!(signed(2047, 11), 2047);
    }
}
