//! Bits, and the prefix codes that they state (RFC 9649 §3.7.2.1).

/// The longest word of a code, in bits.
const LONGEST: usize = 15;
/// Words up to so many bits are looked up in a table by the decoder; the others are leaves of trees.
const IN_TABLE: usize = 10;
/// What the decoder takes for an entry of such a table, and for a node of such trees.
const ENTRY: usize = 4;
const NODE: usize = 16;

/// The order in which the lengths of the words for lengths of words come.
pub(super) const ORDER: [usize; 19] = [
    17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
];

/// Bits from the front, the lowest of each byte first.
#[derive(Debug)]
pub(super) struct Bits<'d> {
    data: &'d [u8],
    place: usize,
    is_at_end: bool,
}

impl<'d> Bits<'d> {
    pub(super) fn new(data: &'d [u8]) -> Self {
        let (place, is_at_end) = (0, false);
        Self {
            data,
            place,
            is_at_end,
        }
    }

    /// The next bits as a number, the lowest of it first; none where they do not suffice.
    pub(super) fn take(&mut self, count: u32) -> Option<usize> {
        let mut number = 0;
        for place in 0..count {
            let Some(byte) = self.data.get(self.place / 8) else {
                self.is_at_end = true;
                return None;
            };
            let bit = usize::from(byte.wrapping_shr(u32::try_from(self.place % 8).ok()?) & 1);
            number |= bit.checked_shl(place)?;
            self.place = self.place.checked_add(1)?;
        }
        Some(number)
    }

    /// Whether more bits were wanted than there are.
    pub(super) fn are_at_end(&self) -> bool {
        self.is_at_end
    }
}

/// A complete prefix code. Where there is only one symbol, its word has no bits.
#[derive(Debug)]
pub(super) struct Code {
    /// In the order of their words.
    symbols: Vec<u16>,
    /// How many words have so many bits.
    counts: [usize; LONGEST + 1],
}

impl Code {
    /// Reads what states a code of so many symbols.
    pub(super) fn read(bits: &mut Bits<'_>, alphabet: usize) -> Option<Self> {
        if bits.take(1)? == 1 {
            return Self::read_simple(bits, alphabet);
        }
        let count = bits.take(4)?.checked_add(4)?;
        let mut lengths = [0; ORDER.len()];
        for &symbol in ORDER.get(..count)? {
            *lengths.get_mut(symbol)? = u8::try_from(bits.take(3)?).ok()?;
        }
        let lengths = Self::new(&lengths)?.lengths(bits, alphabet)?;
        Self::new(&lengths)
    }

    /// One symbol, or two of one bit each.
    fn read_simple(bits: &mut Bits<'_>, alphabet: usize) -> Option<Self> {
        let is_two = bits.take(1)? == 1;
        let width = if bits.take(1)? == 1 { 8 } else { 1 };
        let mut symbols = vec![bits.take(width)?];
        if is_two {
            symbols.push(bits.take(8)?);
        }
        let mut counts = [0; LONGEST + 1];
        *counts.get_mut(1)? = symbols.len();
        let symbols = symbols.into_iter().map(|symbol| {
            let symbol = Some(symbol).filter(|&symbol| symbol < alphabet)?;
            u16::try_from(symbol).ok()
        });
        let symbols = symbols.collect::<Option<_>>()?;
        Some(Self { symbols, counts })
    }

    /// The lengths of the words of another code, which this one tells.
    fn lengths(&self, bits: &mut Bits<'_>, alphabet: usize) -> Option<Vec<u8>> {
        let mut told = alphabet;
        if bits.take(1)? == 1 {
            let width = u32::try_from(bits.take(3)?).ok()?;
            let width = width.checked_mul(2)?.checked_add(2)?;
            told = bits.take(width)?.checked_add(2)?;
            if told > alphabet {
                return None;
            }
        }
        let mut lengths = Vec::with_capacity(alphabet);
        let mut last = 8;
        for _ in 0..told {
            if lengths.len() >= alphabet {
                break;
            }
            let symbol = u8::try_from(self.symbol(bits)?).ok()?;
            let (length, repeats) = match symbol {
                16 => (last, bits.take(2)?.checked_add(3)?),
                17 => (0, bits.take(3)?.checked_add(3)?),
                18 => (0, bits.take(7)?.checked_add(11)?),
                length => (length, 1),
            };
            if length != 0 {
                last = length;
            }
            lengths.extend((0..repeats).map(|_| length));
        }
        (lengths.len() <= alphabet).then_some(lengths)
    }

    /// A code by the lengths of the words of its symbols, if it is complete.
    fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0_usize; LONGEST + 1];
        for &length in lengths.iter().filter(|&&length| length > 0) {
            let count = counts.get_mut(usize::from(length))?;
            *count = count.checked_add(1)?;
        }
        // Words of the same length are in the order of their symbols.
        let mut next = [0_usize; LONGEST + 1];
        let mut count = 0_usize;
        for (next, &more) in next.iter_mut().zip(&counts) {
            *next = count;
            count = count.checked_add(more)?;
        }
        let mut symbols = vec![0; count];
        for (&length, symbol) in lengths.iter().zip(0..).filter(|(length, _)| **length > 0) {
            let next = next.get_mut(usize::from(length))?;
            *symbols.get_mut(*next)? = symbol;
            *next = next.checked_add(1)?;
        }
        let code = Self { symbols, counts };
        (code.symbols.len() == 1 || code.is_complete()).then_some(code)
    }

    fn is_complete(&self) -> bool {
        let words = self.counts.iter().zip((0..=LONGEST).rev());
        let shares = words.map(|(count, place)| count.wrapping_shl(place as u32));
        shares.sum::<usize>() == 1 << LONGEST
    }

    /// The only symbol.
    pub(super) fn single(&self) -> Option<u16> {
        match *self.symbols {
            [symbol] => Some(symbol),
            _ => None,
        }
    }

    /// The symbol whose word comes next.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Option<u16> {
        if let Some(symbol) = self.single() {
            return Some(symbol);
        }
        // The words of each length follow one another, and those of the next length follow them with one more bit.
        let (mut word, mut first, mut before) = (0_usize, 0_usize, 0_usize);
        for &count in self.counts.get(1..)? {
            word = word.checked_mul(2)? | bits.take(1)?;
            first = first.checked_mul(2)?;
            let place = word.checked_sub(first)?;
            if place < count {
                return self.symbols.get(before.checked_add(place)?).copied();
            }
            first = first.checked_add(count)?;
            before = before.checked_add(count)?;
        }
        None
    }

    /// How many bytes the decoder takes for it.
    pub(super) fn memory(&self) -> usize {
        if self.single().is_some() {
            return 0;
        }
        let longest = self.counts.iter().rposition(|&count| count > 0);
        let in_table = longest.unwrap_or_default().min(IN_TABLE) as u32;
        let beyond: usize = self.counts.iter().skip(IN_TABLE).skip(1).sum();
        // A tree has a node less than twice its leaves; codes of two symbols have three.
        let nodes = beyond.saturating_mul(2).max(3);
        let table = 1_usize.wrapping_shl(in_table).saturating_mul(ENTRY);
        nodes.saturating_mul(NODE).saturating_add(table)
    }
}
