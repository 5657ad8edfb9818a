//! Markers of a usual file, and where its scans are (ITU-T T.81, annex B).

use std::{ops::Range, sync::Arc};

use super::{
    Odd,
    huffman::Table,
    tables::{self, Tables, byte, halves, segment, word},
};

/// More than these are an attack: encoders write about ten.
const MAX_SCANS: usize = 64;
/// The largest size of a number that still fits when it is brought to its place.
const MAX_BITS: u32 = 15;

/// A component of a picture.
#[derive(Debug)]
pub(super) struct Component {
    id: u8,
    table: u8,
    /// How many blocks of it are beside each other in a unit of all components, and how many one below the other.
    pub across: usize,
    pub down: usize,
    /// The width in blocks, without those that only fill up units.
    pub width: usize,
    pub height: usize,
    /// The width in blocks, with those that fill up units.
    pub stride: usize,
    /// What its coefficients are multiplied by, in natural order.
    pub factors: Box<[i32; 64]>,
}

/// What a scan has of a component, or adds to it.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Mean values of these components.
    Means(Vec<(usize, Arc<Table>)>),
    /// Other coefficients of a component.
    Others(usize, Arc<Table>),
    /// All coefficients of these components, with tables for mean values and others.
    All(Vec<(usize, Arc<Table>, Arc<Table>)>),
}

/// A scan.
#[derive(Debug)]
pub(super) struct Scan {
    pub kind: Kind,
    /// Whether it adds a bit to what is there already.
    pub is_refined: bool,
    /// The first of its coefficients and the last, in the order in which they are coded.
    pub first: u32,
    pub last: u32,
    /// How many lower bits are left to later scans.
    pub low: u32,
    /// After how many units, or blocks of a single component, it starts anew.
    pub interval: Option<usize>,
    /// Where its parts begin, between which it starts anew, and where the last one ends.
    parts: Vec<u32>,
    /// The scans that must have come before it.
    pub after: Vec<usize>,
}

impl Scan {
    /// How many parts there are.
    pub(super) fn parts(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// Where a part is.
    pub(super) fn part(&self, index: usize) -> Option<Range<usize>> {
        let [start, end] = *self.parts.get(index..)?.first_chunk()?;
        Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }
}

/// All that markers say.
#[derive(Debug)]
pub(super) struct Frame {
    pub width: usize,
    pub height: usize,
    /// Whether each coefficient comes whole.
    pub is_sequential: bool,
    pub components: Vec<Component>,
    /// How many units are beside each other, and how many rows of them there are.
    pub units: usize,
    pub rows: usize,
    pub scans: Vec<Scan>,
    /// What scans consist of, without stuffed bytes.
    pub data: Vec<u8>,
    /// Whether something unusual stands behind the last scan.
    pub has_odd_end: bool,
}

/// The first markers of a file.
pub(super) struct Head<'b> {
    tables: Tables,
    frame: Frame,
    rest: &'b [u8],
}

impl Head<'_> {
    /// The size of the picture.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.frame.width, self.frame.height)
    }

    /// The frame, yet without its scans.
    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// How many bytes the rest of the file is long.
    pub(super) fn rest(&self) -> usize {
        self.rest.len()
    }
}

/// Reads a file up to the frame, if that is one that is decoded here.
pub(super) fn head(bytes: &[u8]) -> Option<Head<'_>> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    let mut tables = Tables::default();
    let mut is_converted = false;
    loop {
        let (&[0xff, marker], after) = rest.split_first_chunk()? else {
            return None;
        };
        rest = after;
        let content = segment(&mut rest)?;
        match marker {
            0xc0..=0xc2 => {
                let frame = frame(content, marker < 0xc2)?;
                // What Adobe's segment says counts for three components; for fewer it would be unusual.
                (!is_converted || frame.components.len() == 3).then_some(())?;
                return Some(Head {
                    tables,
                    frame,
                    rest,
                });
            }
            0xee => is_converted |= adobe(content)?,
            _ => tables::read(marker, content, &mut tables)?,
        }
    }
}

/// Whether a segment is Adobe's; nothing where it means other colours than usual (T.872 §6.5.3).
fn adobe(content: &[u8]) -> Option<bool> {
    if !content.starts_with(b"Adobe") {
        return Some(false);
    }
    (content.len() >= 12 && content.get(11) == Some(&1)).then_some(true)
}

/// Reads the frame (§B.2.2).
fn frame(mut content: &[u8], is_sequential: bool) -> Option<Frame> {
    (byte(&mut content)? == 8).then_some(())?;
    let height = usize::from(word(&mut content)?);
    let width = usize::from(word(&mut content)?);
    let count = byte(&mut content)?;
    (width > 0 && height > 0 && matches!(count, 1 | 3)).then_some(())?;
    let mut components = Vec::new();
    let (mut most_across, mut most_down) = (1, 1);
    for place in 0..count {
        let id = byte(&mut content)?;
        let (across, down) = halves(byte(&mut content)?);
        let table = byte(&mut content)?;
        let (across, down) = (usize::from(across), usize::from(down));
        let most = if place == 0 && count == 3 { 2 } else { 1 };
        let is_usual = (1..=most).contains(&across) && (1..=most).contains(&down);
        is_usual.then_some(())?;
        (most_across, most_down) = (across.max(most_across), down.max(most_down));
        components.push(Component {
            id,
            table,
            across,
            down,
            width: 0,
            height: 0,
            stride: 0,
            factors: Box::new([0; 64]),
        });
    }
    content.is_empty().then_some(())?;
    let ids: Vec<u8> = components.iter().map(|it| it.id).collect();
    let is_double = (1..).zip(&ids).any(|(next, id)| {
        let later = ids.get(next..).unwrap_or_default();
        later.contains(id)
    });
    // Some write colours by these names without conversion.
    (!is_double && ids != *b"RGB").then_some(())?;
    let units = width.div_ceil(most_across.checked_mul(8)?);
    let rows = height.div_ceil(most_down.checked_mul(8)?);
    for it in &mut components {
        let unit = (most_across.checked_mul(8)?, most_down.checked_mul(8)?);
        it.width = width.checked_mul(it.across)?.div_ceil(unit.0);
        it.height = height.checked_mul(it.down)?.div_ceil(unit.1);
        it.stride = units.checked_mul(it.across)?;
    }
    Some(Frame {
        width,
        height,
        is_sequential,
        components,
        units,
        rows,
        scans: Vec::new(),
        data: Vec::new(),
        has_odd_end: false,
    })
}

impl Head<'_> {
    /// Reads all else.
    pub(super) fn scans(self) -> Result<Frame, Odd> {
        const UNUSUAL: Odd = Odd::Unusual;
        let Self {
            mut tables,
            mut frame,
            mut rest,
        } = self;
        let room = frame.data.try_reserve_exact(rest.len());
        room.map_err(|_| UNUSUAL)?;
        let mut found = ScansSoFar {
            low: vec![[None; 64]; frame.components.len()],
            latest: vec![[None; 2]; frame.components.len()],
        };
        loop {
            let is_first = frame.scans.is_empty();
            if rest.is_empty() && !is_first {
                // Without an end there may be scans missing.
                let mut low = found.low.iter().flatten();
                let is_whole = frame.is_sequential || low.all(|low| *low == Some(0));
                return is_whole.then_some(frame).ok_or(Odd::Broken);
            }
            let (&[0xff, marker], after) = rest.split_first_chunk().ok_or(UNUSUAL)? else {
                return Err(UNUSUAL);
            };
            rest = after;
            if marker == 0xd9 {
                break;
            }
            if frame.is_sequential && !is_first {
                // The `image` crate has ways of its own with more scans, or other markers behind the only one.
                frame.has_odd_end = true;
                break;
            }
            let content = segment(&mut rest).ok_or(if is_first || marker == 0xff {
                UNUSUAL
            } else {
                Odd::Broken
            })?;
            match marker {
                0xda => {
                    if is_first {
                        frame.take_factors(&tables).ok_or(UNUSUAL)?;
                    }
                    if frame.scans.len() == MAX_SCANS {
                        return Err(UNUSUAL);
                    }
                    let scan = found.scan(content, &frame, &tables);
                    let mut scan = scan.ok_or(UNUSUAL)?;
                    let most = frame.starts(&scan).ok_or(UNUSUAL)?;
                    scan.parts = parts(&mut rest, most, &mut frame.data)?;
                    scan.parts.shrink_to_fit();
                    frame.scans.push(scan);
                }
                0xc4 | 0xdd => tables::read(marker, content, &mut tables).ok_or(UNUSUAL)?,
                0xdb | 0xe0..=0xed | 0xef | 0xfe if is_first => {
                    tables::read(marker, content, &mut tables).ok_or(UNUSUAL)?;
                }
                _ => return Err(UNUSUAL),
            }
        }
        let mut all = found.low.iter();
        // A mean value that is missing would be unusual.
        let is_whole = all.all(|low| matches!(low.first(), Some(Some(_))));
        is_whole.then_some(frame).ok_or(UNUSUAL)
    }
}

impl Frame {
    /// Tables that come later do not count.
    fn take_factors(&mut self, tables: &Tables) -> Option<()> {
        for component in &mut self.components {
            let table = tables.factors.get(usize::from(component.table))?;
            component.factors = table.clone()?;
        }
        Some(())
    }

    /// How many parts a scan has.
    fn starts(&self, scan: &Scan) -> Option<usize> {
        let component = match &scan.kind {
            Kind::Means(means) => match means.as_slice() {
                [(component, _)] => Some(*component),
                _ => None,
            },
            Kind::Others(component, _) => Some(*component),
            Kind::All(all) => match all.as_slice() {
                [(component, ..)] => Some(*component),
                _ => None,
            },
        };
        let units = match component {
            Some(component) => {
                let component = self.components.get(component)?;
                component.width.checked_mul(component.height)?
            }
            None => self.units.checked_mul(self.rows)?,
        };
        Some(scan.interval.map_or(1, |interval| units.div_ceil(interval)))
    }
}

/// What the scans until now brought.
struct ScansSoFar {
    /// How many lower bits are missing of each component's coefficients.
    low: Vec<[Option<u32>; 64]>,
    /// The latest scans of each component's mean values, and of its others.
    latest: Vec<[Option<usize>; 2]>,
}

impl ScansSoFar {
    /// Reads the head of a scan (§B.2.3), which must go on where those before it ended (§G.1.1.1).
    fn scan(&mut self, mut content: &[u8], frame: &Frame, tables: &Tables) -> Option<Scan> {
        let count = byte(&mut content)?;
        let mut members: Vec<(usize, usize, usize)> = Vec::new();
        for _ in 0..count {
            let id = byte(&mut content)?;
            let (means, others) = halves(byte(&mut content)?);
            let mut ids = frame.components.iter().map(|it| it.id);
            let place = ids.position(|it| it == id)?;
            let is_new = members.iter().all(|(it, ..)| *it != place);
            is_new.then_some(())?;
            members.push((place, usize::from(means), usize::from(others)));
        }
        let [first, last, approximation] = *content else {
            return None;
        };
        let (high, low) = halves(approximation);
        let is_refined = high > 0;
        let is_usual = low.max(high) <= 13 && (!is_refined || high == low.checked_add(1)?);
        is_usual.then_some(())?;
        let (low, high) = (u32::from(low), u32::from(high));
        let mut after = Vec::new();
        for (place, ..) in &members {
            let known = self.low.get_mut(*place)?;
            // Mean values come first.
            (first == 0 || known.first()?.is_some()).then_some(())?;
            let range = usize::from(first)..usize::from(last).checked_add(1)?;
            for coefficient in known.get_mut(range)? {
                let expected = is_refined.then_some(high);
                (*coefficient == expected).then_some(())?;
                *coefficient = Some(low);
            }
            let latest = self.latest.get_mut(*place)?;
            let latest = latest.get_mut(usize::from(first > 0))?;
            after.extend(*latest);
            *latest = Some(frame.scans.len());
        }
        let kind = match (first, members.as_slice()) {
            (_, []) => return None,
            (_, members) if frame.is_sequential => {
                let is_whole = (first, last, approximation) == (0, 63, 0);
                (is_whole && members.len() == frame.components.len()).then_some(())?;
                let table = |(place, means, others): &(usize, usize, usize)| {
                    let others = tables.others.get(*others)?.clone()?;
                    has_sizes_to(10, &others).then_some(())?;
                    Some((*place, tables.means.get(*means)?.clone()?, others))
                };
                Kind::All(members.iter().map(table).collect::<Option<_>>()?)
            }
            (0, _) if last > 0 => return None,
            (0, members) => {
                let table = |(place, means, _): &(usize, usize, usize)| {
                    let table = tables.means.get(*means)?.clone()?;
                    Some((*place, table))
                };
                Kind::Means(members.iter().map(table).collect::<Option<_>>()?)
            }
            (_, [(place, _, others)]) => {
                let table = tables.others.get(*others)?.clone()?;
                let most = if is_refined {
                    1
                } else {
                    MAX_BITS.checked_sub(low)?
                };
                has_sizes_to(most.min(10), &table).then_some(())?;
                Kind::Others(*place, table)
            }
            _ => return None,
        };
        Some(Scan {
            kind,
            is_refined,
            first: u32::from(first),
            last: u32::from(last),
            low,
            interval: tables.interval,
            parts: Vec::new(),
            after,
        })
    }
}

/// Whether no number that a table tells of is larger.
fn has_sizes_to(most: u32, table: &Table) -> bool {
    let mut sizes = table.symbols().iter().map(|it| u32::from(it & 15));
    sizes.all(|size| size <= most)
}

/// Takes coded data off the front, as far as the next marker but those between so many parts (§B.1.1.5, §E.1.4).
fn parts(bytes: &mut &[u8], most: usize, data: &mut Vec<u8>) -> Result<Vec<u32>, Odd> {
    const UNUSUAL: Odd = Odd::Unusual;
    let place_in = |data: &Vec<u8>| u32::try_from(data.len()).map_err(|_| UNUSUAL);
    // Between them are markers of two bytes.
    let most = most.min(bytes.len().wrapping_shr(1).saturating_add(1));
    let mut parts = Vec::new();
    let room = parts.try_reserve_exact(most.saturating_add(1));
    room.map_err(|_| UNUSUAL)?;
    parts.push(place_in(data)?);
    loop {
        let place = find(bytes).unwrap_or(bytes.len());
        let (before, after) = bytes.split_at_checked(place).ok_or(UNUSUAL)?;
        data.extend_from_slice(before);
        let next = after.get(1).copied();
        if next == Some(0) {
            data.push(0xff);
        } else {
            let before = parts.len();
            parts.push(place_in(data)?);
            let Some(next) = next else {
                // The file ends here.
                *bytes = &[];
                return (before == most).then_some(parts).ok_or(Odd::Broken);
            };
            if before == most {
                *bytes = after;
                return may_follow(next).then_some(parts).ok_or(Odd::Broken);
            }
            let expected = before.wrapping_sub(1) & 7;
            if usize::from(next) != expected.wrapping_add(0xd0) {
                // Any number of such bytes may stand before a marker.
                return Err(if next == 0xff { UNUSUAL } else { Odd::Broken });
            }
        }
        *bytes = after.get(2..).ok_or(UNUSUAL)?;
    }
}

/// Whether a marker behind a scan may be one, and no damage.
fn may_follow(marker: u8) -> bool {
    matches!(marker, 0xc4 | 0xd0..=0xd7 | 0xd9..=0xdd | 0xe0..=0xef | 0xfe | 0xff)
}

/// Where the next byte is that begins a marker or is followed by a stuffed one.
fn find(bytes: &[u8]) -> Option<usize> {
    const TOGETHER: usize = 32;
    let (chunks, _) = bytes.as_chunks::<TOGETHER>();
    let has = |chunk: &[u8; TOGETHER]| chunk.iter().fold(false, |has, byte| has | (*byte == 0xff));
    let chunk = chunks.iter().position(has).unwrap_or(chunks.len());
    let start = chunk.checked_mul(TOGETHER)?;
    let place = bytes.get(start..)?.iter().position(|byte| *byte == 0xff)?;
    start.checked_add(place)
}
