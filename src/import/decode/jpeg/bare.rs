//! What of a JPEG its picture is made of: tables, frame and scans (ITU-T T.81, annex B). A decoder that gets nothing else
//! spends nothing on other segments, and sees what is counted here.

use super::tables::{MAX_CODED, byte, halves, segment, word};
use crate::import::{
    base::diagnostics::Fault,
    decode::{broken_picture, unsupported_picture},
};

const FRAME: u8 = 0xc0;
const PROGRESSIVE: u8 = 0xc2;
const LAST_FRAME: u8 = 0xcf;
const CODES: u8 = 0xc4;
const ARITHMETIC_CODES: u8 = 0xcc;
const FIRST_RESTART: u8 = 0xd0;
const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const FACTORS: u8 = 0xdb;
const INTERVAL: u8 = 0xdd;
/// The segments of videos, which have tables of their own, and of Adobe, which tells what the components are.
const VIDEO: u8 = 0xe0;
const ADOBE: u8 = 0xee;

/// What a scan costs for each block beside its coefficients, in coefficients.
const SCAN_COST: usize = 8;
/// How often each coefficient may come, bit by bit, and be nothing unusual.
const USUAL_PASSES: usize = 6;

/// The picture of a JPEG.
#[derive(Debug)]
pub(in crate::import) struct Bare {
    pub bytes: Vec<u8>,
    /// How many components have all coefficients kept until the last scan: none if the first scan has everything.
    pub kept_components: usize,
    /// How many there are: four are colours to print with, and brightness.
    pub components: u8,
    /// How many coefficients come beyond those of a usual file. Scans without data take as long as others.
    pub unusual_work: usize,
}

/// What matters of a frame.
#[derive(Debug, Clone, Copy)]
struct Frame {
    pixels: usize,
    components: u8,
    is_progressive: bool,
}

/// How many bytes the tables of codes take that stand in order between other segments, in the front of a file.
pub(in crate::import) fn length_of_tables(file: &[u8]) -> usize {
    /// To load what lies before tables is work, too.
    const FRONT: usize = 256 << 10;
    let front = file.get(..FRONT).unwrap_or(file);
    let mut rest = front.get(2..).unwrap_or_default();
    let mut length = 0_usize;
    while let Some((place, marker)) = next_marker(rest) {
        rest = rest.get(place.saturating_add(2)..).unwrap_or_default();
        if marker == END {
            break;
        }
        if matches!(marker, 0x01 | FIRST_RESTART..=START) {
            continue;
        }
        let Some(content) = segment(&mut rest) else {
            break;
        };
        if marker == CODES {
            length = length.saturating_add(content.len());
        }
    }
    length
}

/// Leaves out all that is not the picture.
pub(in crate::import) fn bare(file: &[u8]) -> Result<Bare, Fault> {
    let mut rest = file.get(2..).unwrap_or_default();
    let mut head = Vec::new();
    let (mut frame, mut coded, mut adobe) = (None, 0_usize, None);
    loop {
        let (place, marker) = next_marker(rest).ok_or_else(|| broken_picture("it has no scan"))?;
        let from = rest.get(place..).unwrap_or_default();
        rest = from.get(2..).unwrap_or_default();
        if matches!(marker, 0x01 | FIRST_RESTART..=START) {
            // They stand alone.
            continue;
        }
        let content = segment(&mut rest).ok_or_else(|| broken_picture("a segment has no end"))?;
        let whole = from.get(..content.len().saturating_add(4));
        let whole = whole.unwrap_or(from);
        match marker {
            CODES => coded = coded.saturating_add(content.len()),
            FRAME..=LAST_FRAME if marker != ARITHMETIC_CODES => {
                if frame.replace(Frame::read(marker, content)?).is_some() {
                    return Err(broken_picture("it has two frames"));
                }
            }
            FACTORS | INTERVAL | SCAN => {}
            VIDEO if content.starts_with(b"AVI1\0") => {}
            ADOBE if content.starts_with(b"Adobe") && content.len() >= 12 => {
                // The last one counts.
                adobe = Some(whole);
                continue;
            }
            END => return Err(broken_picture("it has no scan")),
            _ => continue,
        }
        head.extend_from_slice(whole);
        if marker == SCAN {
            let frame: Frame = frame.ok_or_else(|| broken_picture("it has no frame"))?;
            // With fewer components it says nothing.
            let adobe = adobe.filter(|_| frame.components >= 3);
            let scans = scans(rest);
            let bytes = [&[0xff, START], adobe.unwrap_or_default(), &head, scans].concat();
            let has_all = frame.is_whole(content);
            return Ok(Bare {
                bytes,
                components: frame.components,
                kept_components: if has_all { 0 } else { frame.components.into() },
                unusual_work: frame.unusual_work(content, scans, coded)?,
            });
        }
    }
}

impl Frame {
    /// Reads one of a kind that can be decoded (§B.2.2).
    fn read(marker: u8, mut content: &[u8]) -> Result<Self, Fault> {
        let kind = match marker {
            FRAME..=PROGRESSIVE => None,
            0xc3 | 0xc7 | 0xcb | 0xcf => Some("a lossless JPEG"),
            0xc5 | 0xc6 => Some("a hierarchical JPEG"),
            _ => Some("a JPEG with arithmetic coding"),
        };
        if let Some(kind) = kind {
            return Err(unsupported_picture(kind));
        }
        let short = || broken_picture("its frame is too short");
        let content = &mut content;
        let bits = byte(content).ok_or_else(short)?;
        if bits != 8 {
            return Err(unsupported_picture(&format!("a JPEG of {bits} bits")));
        }
        let height = word(content).ok_or_else(short)?;
        let width = word(content).ok_or_else(short)?;
        if height == 0 {
            return Err(unsupported_picture(
                "a JPEG that tells its height behind its first scan",
            ));
        }
        let components = byte(content).ok_or_else(short)?;
        let (all, _) = content.as_chunks::<3>();
        for &[_, factors, _] in all {
            let (across, _) = halves(factors);
            if across == 3 {
                return Err(unsupported_picture("a JPEG with a sampling factor of 3"));
            }
        }
        if all.len() != usize::from(components) {
            return Err(short());
        }
        Ok(Self {
            pixels: usize::from(width).saturating_mul(height.into()),
            components,
            is_progressive: marker == PROGRESSIVE,
        })
    }

    /// Whether the scan with this head has everything.
    fn is_whole(self, head: &[u8]) -> bool {
        !self.is_progressive && head.first() == Some(&self.components)
    }

    /// How many coefficients come beyond the usual ones, as far as the decoder may see scans in these bytes, which follow
    /// the head of the first. An error where there are so many tables that they cost much more than the picture.
    fn unusual_work(self, first: &[u8], scans: &[u8], mut coded: usize) -> Result<usize, Fault> {
        let mut coefficients = coefficients_of_scan(first);
        for (place, &[first, marker]) in scans.array_windows().enumerate() {
            if first != 0xff || !matches!(marker, SCAN | CODES) {
                continue;
            }
            let mut rest = scans.get(place.saturating_add(2)..).unwrap_or_default();
            // Where it has no end, nor has the decoder any use for it.
            let Some(content) = segment(&mut rest) else {
                continue;
            };
            if marker == SCAN {
                coefficients = coefficients.saturating_add(coefficients_of_scan(content));
            } else {
                coded = coded.saturating_add(length_in_segment(content));
            }
            // Each of them may seem to hold all that follow.
            if coded > MAX_CODED {
                break;
            }
        }
        if coded > MAX_CODED {
            let what = format!("a JPEG with more than {MAX_CODED} bytes of tables");
            return Err(unsupported_picture(&what));
        }
        let usual = usize::from(self.components).saturating_mul((64 + SCAN_COST) * USUAL_PASSES);
        let beyond = coefficients.saturating_sub(usual);
        // A block has as many pixels as coefficients.
        Ok((self.pixels / 64).saturating_mul(beyond))
    }
}

/// How many coefficients a scan has for each place of a block, with what it costs beside (§B.2.3).
fn coefficients_of_scan(head: &[u8]) -> usize {
    let Some((&count, rest)) = head.split_first() else {
        return 0;
    };
    let count = usize::from(count);
    let range = rest.get(count.saturating_mul(2)..).unwrap_or_default();
    let &[first, last, _] = range else {
        // No decoder goes on with it.
        return 0;
    };
    let all = usize::from(last).saturating_add(1);
    let all = all.saturating_sub(first.into()).clamp(1, 64);
    all.saturating_add(SCAN_COST).saturating_mul(count)
}

/// How many bytes of a segment say what codes there are, as far as it is one (§B.2.4.2).
fn length_in_segment(content: &[u8]) -> usize {
    let mut rest = content;
    while let [kind, counts @ ..] = rest
        && let Some((counts, symbols)) = counts.split_first_chunk::<16>()
    {
        let (class, place) = halves(*kind);
        let count = counts.iter().copied().map(usize::from).sum::<usize>();
        match symbols.get(count..) {
            Some(after) if class <= 1 && place <= 3 => rest = after,
            _ => break,
        }
    }
    content.len().saturating_sub(rest.len())
}

/// Where the next marker stands and which it is, behind bytes that fill up, or should not be there.
fn next_marker(bytes: &[u8]) -> Option<(usize, u8)> {
    let mut pairs = bytes.array_windows().enumerate();
    pairs.find_map(|(place, &[first, marker])| {
        let is_marker = first == 0xff && !matches!(marker, 0x00 | 0xff);
        is_marker.then_some((place, marker))
    })
}

/// All scans from within the first one on, to the end of the picture.
fn scans(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some((place, marker)) = next_marker(rest) {
        rest = rest.get(place.saturating_add(2)..).unwrap_or_default();
        if marker == END {
            let length = bytes.len().saturating_sub(rest.len());
            return bytes.get(..length).unwrap_or(bytes);
        }
        // Other segments may have any bytes in them.
        if !matches!(marker, 0x01 | FIRST_RESTART..=START) && segment(&mut rest).is_none() {
            break;
        }
    }
    bytes
}
