//! Levels that are packed once more as a whole (KTX 2.0, `supercompressionScheme`): by Zstandard (RFC 8878) or ZLIB (RFC 1950).

use std::{fmt::Display, io::Read as _};

use flate2::bufread::ZlibDecoder;
use ruzstd::{
    BlockDecodingStrategy, FrameDecoder,
    blocks::{
        block::BlockType,
        literals_section::{LiteralsSection, LiteralsSectionType},
        sequence_section::SequencesHeader,
    },
    decoding::{block_decoder, scratch::FSEScratch, sequence_section_decoder::decode_sequences},
    frame::{ReadFrameHeaderError, read_frame_header},
    io::Read as _,
};

use crate::import::{
    base::{
        budget::{Budget, Held},
        diagnostics::Fault,
        wording::counted,
    },
    decode::{UNDECODED, invalid, too_short},
};

pub(super) const ZSTANDARD: u32 = 2;
pub(super) const ZLIB: u32 = 3;

/// The largest window that decoders of Zstandard should have at least, whatever the size of the content (RFC 8878 §3.1.1.1.2).
const USUAL_WINDOW: u64 = 8 << 20;
/// The most bytes that a block of Zstandard becomes (RFC 8878 §3.1.1.2.4).
const BLOCK: usize = 128 << 10;
/// What it takes to begin with a frame of Zstandard, as work on so many bytes.
const FRAME: usize = 4 << 10;

/// The first `taken` bytes of a level that has `all` when it is unpacked; their memory is held until the second is dropped.
/// What is unpacked beside them is work that comes to nothing.
pub(super) fn unpack<'b>(
    scheme: u32,
    packed: &[u8],
    all: u64,
    taken: usize,
    budget: &'b Budget,
) -> Result<(Vec<u8>, Held<'b>), Fault> {
    let all = usize::try_from(all).unwrap_or(usize::MAX);
    budget.charge_work(all.saturating_sub(taken))?;
    // What is taken, and all of it, which the decoder may have in memory.
    let held = budget.hold(all.saturating_add(taken).saturating_add(BLOCK))?;
    let mut unpacked = vec![0; taken];
    let length = match scheme {
        ZSTANDARD => {
            let length = unpack_zstandard(packed, all, &mut unpacked, budget);
            length.or_else(|fault| {
                // A block may have been unpacked in vain.
                budget.charge_work(BLOCK)?;
                Err(fault)
            })?
        }
        _ => unpack_zlib(packed, all, &mut unpacked)?,
    };
    if length != all || length < taken {
        return Err(invalid(format!(
            "it is unpacked to {}, and not to {}",
            counted(length, "byte", "bytes"),
            counted(all.max(taken), "byte", "bytes")
        )));
    }
    Ok((unpacked, held))
}

/// Fills `unpacked` with the first bytes of all frames. The result is how many bytes they have, of which there must be no more
/// than `all`.
fn unpack_zstandard(
    mut packed: &[u8],
    all: usize,
    unpacked: &mut [u8],
    budget: &Budget,
) -> Result<usize, Fault> {
    let (mut length, mut filled) = (0_usize, 0_usize);
    while !packed.is_empty() {
        budget.charge_work(FRAME)?;
        if let Some(after) = after_skippable(packed)? {
            packed = after;
            continue;
        }
        check_window(packed, all)?;
        // One that was used before would take the whole window.
        let mut decoder = FrameDecoder::new();
        decoder.init(&mut packed).map_err(failed)?;
        let left = all.saturating_sub(length);
        check_blocks(packed, left)?;
        // It would hand out nothing before it has more than a window, or all: a few bytes may be many blocks.
        let most = BlockDecodingStrategy::UptoBytes(left.saturating_add(1));
        let is_whole = decoder.decode_blocks(&mut packed, most).map_err(failed)?;
        let count = decoder.can_collect();
        if !is_whole || count > left {
            return Err(invalid(format!(
                "it is unpacked to more than {}",
                counted(all, "byte", "bytes")
            )));
        }
        let rest = unpacked.get_mut(filled..).unwrap_or_default();
        filled = filled.saturating_add(decoder.read(rest).map_err(failed)?);
        length = length.saturating_add(count);
    }
    Ok(length)
}

/// Checks that no block of a frame, whose header was read, becomes more than blocks may, as far as there are no more than `most`
/// bytes: the decoder would take gigabytes for one of them.
fn check_blocks(mut packed: &[u8], most: usize) -> Result<(), Fault> {
    let mut tables = FSEScratch::new();
    let mut length = 0_usize;
    while length <= most {
        let header = block_decoder::new().read_block_header(&mut packed);
        let (header, _) = header.map_err(failed)?;
        let stored = usize::try_from(header.content_size).unwrap_or(usize::MAX);
        let (block, after) = packed.split_at_checked(stored).ok_or_else(too_short)?;
        packed = after;
        let unpacked = match header.block_type {
            BlockType::Compressed => unpacked_length(block, &mut tables)?,
            _ => header.decompressed_size.into(),
        };
        let unpacked = usize::try_from(unpacked).unwrap_or(usize::MAX);
        if unpacked > BLOCK {
            return Err(invalid(format!("{UNDECODED}a block is too long")));
        }
        if header.last_block {
            break;
        }
        length = length.saturating_add(unpacked);
    }
    Ok(())
}

/// How many bytes a compressed block becomes (RFC 8878 §3.1.1.3): its literals, and what its sequences repeat. The tables are
/// those of the block before.
fn unpacked_length(block: &[u8], tables: &mut FSEScratch) -> Result<u64, Fault> {
    let mut literals = LiteralsSection::new();
    let head = literals.parse_from_header(block).map_err(failed)?;
    let stored = match (literals.compressed_size, literals.ls_type) {
        (Some(size), _) => size,
        (None, LiteralsSectionType::RLE) => 1,
        (None, _) => literals.regenerated_size,
    };
    let stored = usize::try_from(stored).unwrap_or(usize::MAX);
    let start = stored.saturating_add(head.into());
    let rest = block.get(start..).ok_or_else(too_short)?;
    let mut section = SequencesHeader::new();
    let head = section.parse_from_header(rest).map_err(failed)?;
    let rest = rest.get(usize::from(head)..).ok_or_else(too_short)?;
    let mut sequences = Vec::new();
    if section.num_sequences > 0 {
        decode_sequences(&section, rest, tables, &mut sequences).map_err(failed)?;
    }
    let repeated = sequences.iter().map(|sequence| u64::from(sequence.ml));
    Ok(repeated.fold(literals.regenerated_size.into(), u64::saturating_add))
}

/// What follows a frame that is to be skipped (RFC 8878 §3.1.2); none if it is one to be read.
fn after_skippable(mut packed: &[u8]) -> Result<Option<&[u8]>, Fault> {
    match read_frame_header(&mut packed) {
        Err(ReadFrameHeaderError::SkipFrame { length, .. }) => {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            packed.get(length..).map(Some).ok_or_else(too_short)
        }
        _ => Ok(None),
    }
}

/// Checks how much of what was unpacked by Zstandard a decoder must remember. What is no frame of Zstandard stays for the
/// decoder to refuse.
fn check_window(packed: &[u8], all: usize) -> Result<(), Fault> {
    let window = read_frame_header(packed).ok();
    let window = window.and_then(|(frame, _)| frame.header.window_size().ok());
    let usual = u64::try_from(all).unwrap_or(u64::MAX).max(USUAL_WINDOW);
    match window {
        Some(window) if window > usual => Err(invalid(format!(
            "it would take a window of {} to unpack {}",
            counted(window, "byte", "bytes"),
            counted(all, "byte", "bytes")
        ))),
        _ => Ok(()),
    }
}

/// Fills `unpacked` with the first bytes of a stream. The result is how many bytes it has, of which no more than one beyond
/// `all` is read. At the end their sum is checked.
fn unpack_zlib(packed: &[u8], all: usize, unpacked: &mut [u8]) -> Result<usize, Fault> {
    let mut decoder = ZlibDecoder::new(packed);
    decoder.read_exact(unpacked).map_err(failed)?;
    let left = all.saturating_sub(unpacked.len()).saturating_add(1);
    let left = u64::try_from(left).unwrap_or(u64::MAX);
    let more = std::io::copy(&mut decoder.take(left), &mut std::io::sink()).map_err(failed)?;
    let more = usize::try_from(more).unwrap_or(usize::MAX);
    Ok(unpacked.len().saturating_add(more))
}

fn failed(error: impl Display) -> Fault {
    invalid(format!("{UNDECODED}{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Zstandard frame with a window of 8 MiB and such blocks of one byte again and again.
    fn frame(blocks: &[(u32, u8)]) -> Vec<u8> {
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3];
        for (place, (length, byte)) in blocks.iter().enumerate() {
            let is_last = u32::from(place + 1 == blocks.len());
            let head = (length << 3 | 1 << 1 | is_last).to_le_bytes();
            frame.extend(&head[..3]);
            frame.push(*byte);
        }
        frame
    }

    fn read(scheme: u32, packed: &[u8], all: u64, taken: usize) -> Result<Vec<u8>, String> {
        let budget = Budget::default();
        let unpacked = unpack(scheme, packed, all, taken, &budget);
        unpacked.map(|it| it.0).map_err(|fault| fault.message)
    }

    #[test]
    fn frames_follow_one_another_and_some_are_skipped() {
        let skipped = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let [first, second] = [frame(&[(2, 7), (0, 0)]), frame(&[(3, 8)])];
        let all = [&*skipped, &first, &skipped, &second, &skipped].concat();
        let read = |packed: &[u8], taken| read(ZSTANDARD, packed, 5, taken);
        assert_eq!(read(&all, 5).unwrap(), [7, 7, 8, 8, 8]);
        // Of the second frame there may be a part alone, or nothing, and it is read all the same.
        assert_eq!(read(&all, 3).unwrap(), [7, 7, 8]);
        assert_eq!(read(&all, 1).unwrap(), [7]);
        assert!(read(&[&*first, &skipped].concat(), 1).is_err());
        assert!(read(&[&*all, &second].concat(), 5).is_err());
        for end in 1..all.len() - skipped.len() {
            assert!(read(&all[..end], 1).is_err(), "{end}");
        }
        assert!(read(&all[..all.len() - 1], 5).is_err());
        assert!(read(&[&*all, b"and"].concat(), 5).is_err());
    }

    /// A frame of one compressed block: a literal of seven, and so many sequences that repeat it, whose codes for lengths have
    /// these bits.
    fn repeating(sequences: u8, [literal, length]: [u8; 2], bits: &[u8]) -> Vec<u8> {
        // All tables have one code.
        let head = [1 << 3 | 1, 7, sequences, 0b0101_0100, literal, 0, length];
        let block = [&head[..], bits, &[1]].concat();
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3];
        frame.extend(&((block.len() as u32) << 3 | 2 << 1 | 1).to_le_bytes()[..3]);
        frame.extend(block);
        frame
    }

    /// The decoder does not look at how long they become.
    #[test]
    fn blocks_are_no_longer_than_they_may_be() {
        let short = repeating(1, [1, 0], &[]);
        assert_eq!(read(ZSTANDARD, &short, 4, 4).unwrap(), [7; 4]);
        // Each repeats 65,539 bytes.
        let long = repeating(100, [0, 52], &[0; 200]);
        let fault = read(ZSTANDARD, &long, 8 << 20, 1).unwrap_err();
        assert!(fault.contains("too long"), "{fault}");
    }

    /// A stream that has more or less than it should, or another sum (RFC 1950 §2.2).
    #[test]
    fn streams_are_read_to_their_end() {
        let mut zlib = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
        std::io::Write::write_all(&mut zlib, &[1, 2, 3, 4, 5, 6]).unwrap();
        let packed = zlib.finish().unwrap();
        for taken in [2, 6] {
            let read = |packed: &[u8], all| read(ZLIB, packed, all, taken);
            assert_eq!(read(&packed, 6).unwrap(), [1, 2, 3, 4, 5, 6][..taken]);
            let mut other = packed.clone();
            *other.last_mut().unwrap() ^= 1;
            assert!(read(&other, 6).is_err());
            assert!(read(&packed[..packed.len() - 1], 6).is_err());
            assert!(read(&packed, 7).unwrap_err().contains("6 bytes"));
            assert!(read(&packed, 5).is_err());
        }
    }

    /// Blocks of three bytes become 128 KiB each.
    #[test]
    fn no_more_is_unpacked_than_there_should_be() {
        let most = (BLOCK as u32, 0);
        let fault = read(ZSTANDARD, &frame(&[most; 64]), 4, 4).unwrap_err();
        assert!(fault.contains("more than 4 bytes"), "{fault}");
        let twice = 2 * BLOCK;
        let unpacked = read(ZSTANDARD, &frame(&[most; 2]), twice as u64, twice).unwrap();
        assert_eq!(unpacked, vec![0; twice]);
        // What is thrown away is work.
        let budget = Budget::default();
        let wide = frame(&[most; 32]);
        let read = || unpack(ZSTANDARD, &wide, 32 * BLOCK as u64, 1, &budget).map(drop);
        let codes: Vec<_> = (0..32).filter_map(|_| Some(read().err()?.code)).collect();
        assert!(
            codes.contains(&crate::import::base::budget::EXCEEDED),
            "{codes:?}"
        );
    }
}
