//! Segments of a file, and the tables that they bring (ITU-T T.81 §B.1.1, §B.2.4).

use std::sync::Arc;

use super::huffman::Table;

/// The natural order of coefficients from that in which they are coded (figure A.6).
pub(super) const NATURAL: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// Takes a number off the front.
pub(super) fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

pub(super) fn word(bytes: &mut &[u8]) -> Option<u16> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u16::from_be_bytes(*first))
}

/// Takes the content of a segment off the front.
pub(super) fn segment<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = usize::from(word(bytes)?);
    let (content, rest) = bytes.split_at_checked(length.checked_sub(2)?)?;
    *bytes = rest;
    Some(content)
}

/// Two numbers of a byte.
pub(super) fn halves(byte: u8) -> (u8, u8) {
    (byte.wrapping_shr(4), byte & 15)
}

/// More bytes than these are an attack: scans that all have tables of their own have half as many.
pub(in crate::import) const MAX_CODED: usize = 32 << 10;

/// Tables as they are while markers are read.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub factors: [Option<Box<[i32; 64]>>; 4],
    pub means: [Option<Arc<Table>>; 4],
    pub others: [Option<Arc<Table>>; 4],
    /// How many units a scan has before it starts anew.
    pub interval: Option<usize>,
    /// How many bytes say what codes there are.
    coded: usize,
}

/// Reads what may stand before the frame and before scans.
pub(super) fn read(marker: u8, mut content: &[u8], tables: &mut Tables) -> Option<()> {
    match marker {
        0xdb => {
            while let Some(head) = byte(&mut content) {
                factors(head, &mut content, tables)?;
            }
        }
        0xc4 => {
            tables.coded = tables.coded.saturating_add(content.len());
            (tables.coded <= MAX_CODED).then_some(())?;
            while let Some(head) = byte(&mut content) {
                codes(head, &mut content, tables)?;
            }
        }
        0xdd => {
            let interval = word(&mut content)?;
            content.is_empty().then_some(())?;
            tables.interval = Some(usize::from(interval)).filter(|it| *it > 0);
        }
        // Frames of videos have tables of their own.
        0xe0 => (content.len() >= 5 && !content.starts_with(b"AVI1")).then_some(())?,
        0xe1..=0xed | 0xef | 0xfe => {}
        _ => return None,
    }
    Some(())
}

/// Reads factors (§B.2.4.1). Some that are zero are unusual, and the mean values of blocks would not be all that is left.
fn factors(head: u8, content: &mut &[u8], tables: &mut Tables) -> Option<()> {
    let (precision, place) = halves(head);
    let mut all = Box::new([0; 64]);
    for natural in NATURAL {
        let factor = match precision {
            0 => u16::from(byte(content)?),
            1 => word(content)?,
            _ => return None,
        };
        (factor > 0).then_some(())?;
        *all.get_mut(usize::from(natural))? = i32::from(factor);
    }
    *tables.factors.get_mut(usize::from(place))? = Some(all);
    Some(())
}

/// Reads a table of codes (§B.2.4.2).
fn codes(head: u8, content: &mut &[u8], tables: &mut Tables) -> Option<()> {
    let (class, place) = halves(head);
    let (counts, rest) = content.split_first_chunk::<16>()?;
    let count = counts.iter().copied().map(usize::from).sum();
    let (symbols, rest) = rest.split_at_checked(count)?;
    *content = rest;
    let table = Some(Arc::new(Table::new(counts, symbols)?));
    let places = match class {
        0 => {
            symbols.iter().all(|size| *size <= 11).then_some(())?;
            &mut tables.means
        }
        1 => &mut tables.others,
        _ => return None,
    };
    *places.get_mut(usize::from(place))? = table;
    Some(())
}
