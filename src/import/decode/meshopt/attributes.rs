//! Mode 0 of the meshopt codec, attributes: differences between elements, byte by byte (`KHR_meshopt_compression`,
//! appendix A, "Mode 0").

use super::{Budget, Fault, filled, invalid, take, take_array, take_byte, too_long, too_short};

/// Elements of a block at most.
const MAX_IN_BLOCK: usize = 256;
/// Elements of a group, which share one bit width.
const GROUP: usize = 16;
/// Bytes of a channel: the bytes of an element that one mode counts for.
const CHANNEL: usize = 4;

/// The widths that the two bits of a group choose from.
type Widths = [u8; 4];
const WIDTHS_V0: Widths = [0, 2, 4, 8];
const WIDTHS_NARROW: Widths = [0, 1, 2, 4];
const WIDTHS_WIDE: Widths = [1, 2, 4, 8];

/// How differences become values.
#[derive(Debug, Clone, Copy)]
enum Channel {
    /// Zigzag differences of bytes.
    Bytes,
    /// Zigzag differences of 16-bit words.
    Words,
    /// Exclusive or of 32-bit words, rotated by so many bits.
    Xor(u32),
}

impl Channel {
    fn of(byte: u8) -> Result<Self, Fault> {
        match (byte & 15, byte >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Words),
            (2, rotation) => Ok(Self::Xor(rotation.into())),
            _ => Err(invalid(format!("channel mode {byte:#04x} is unknown"))),
        }
    }

    /// The value after `previous`.
    fn next(self, previous: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => {
                let mut next = previous;
                for (byte, delta) in next.iter_mut().zip(delta) {
                    let sign = 0_u8.wrapping_sub(delta & 1);
                    *byte = byte.wrapping_add((delta >> 1) ^ sign);
                }
                next
            }
            Self::Words => {
                let next = |previous: [u8; 2], delta: [u8; 2]| {
                    let delta = u16::from_le_bytes(delta);
                    let sign = 0_u16.wrapping_sub(delta & 1);
                    let next = u16::from_le_bytes(previous).wrapping_add((delta >> 1) ^ sign);
                    next.to_le_bytes()
                };
                let ([a, b, c, d], [da, db, dc, dd]) = (previous, delta);
                let ([a, b], [c, d]) = (next([a, b], [da, db]), next([c, d], [dc, dd]));
                [a, b, c, d]
            }
            Self::Xor(rotation) => {
                let delta = u32::from_le_bytes(delta).rotate_right(rotation);
                (u32::from_le_bytes(previous) ^ delta).to_le_bytes()
            }
        }
    }
}

/// The first byte of a stream, by its version.
const VERSION_0: u8 = 0xa0;
pub(super) const VERSION_1: u8 = 0xa1;

/// Decodes `count` elements of `stride` bytes, a multiple of four up to 256.
pub(super) fn decode(
    bytes: &[u8],
    count: usize,
    stride: usize,
    budget: &Budget,
) -> Result<Vec<u8>, Fault> {
    let channel_count = stride.div_euclid(CHANNEL);
    let (&header, bytes) = bytes.split_first().ok_or_else(too_short)?;
    let (is_v1, tail, padded) = match header {
        VERSION_0 => (false, stride, stride.max(32)),
        VERSION_1 => {
            let tail = stride.saturating_add(channel_count);
            (true, tail, tail.max(24))
        }
        _ => return Err(invalid(format!("the first byte {header:#04x} is unknown"))),
    };
    let end = bytes.len().checked_sub(padded).ok_or_else(too_short)?;
    let (mut input, padded) = bytes.split_at_checked(end).ok_or_else(too_short)?;
    let mut tail = padded
        .get(padded.len().saturating_sub(tail)..)
        .unwrap_or_default();
    let baseline = take(&mut tail, stride)?;
    let channels: Vec<Channel> = if is_v1 {
        tail.iter()
            .copied()
            .map(Channel::of)
            .collect::<Result<_, _>>()?
    } else {
        vec![Channel::Bytes; channel_count]
    };

    let in_block = 8192_usize.div_euclid(stride.max(1)) & !15;
    let in_block = in_block.clamp(GROUP, MAX_IN_BLOCK);
    // What the least stream of a block takes: its control bytes, or the widths of its groups.
    let least = |elements: usize| match elements {
        0 => 0,
        _ if is_v1 => channel_count,
        _ => group_bytes(elements).saturating_mul(stride),
    };
    let blocks = count.div_euclid(in_block);
    let whole = blocks.saturating_mul(least(in_block));
    let least = whole.saturating_add(least(count.rem_euclid(in_block)));
    if input.len() < least {
        return Err(too_short());
    }
    let mut previous: Vec<[u8; CHANNEL]> = baseline.as_chunks().0.to_vec();
    let length = count.saturating_mul(stride);
    filled(length, budget, |decoded| {
        decoded.resize(length, 0);
        for block in decoded.chunks_mut(in_block.saturating_mul(stride)) {
            let control = if is_v1 {
                Some(take(&mut input, channel_count)?)
            } else {
                None
            };
            let states = channels.iter().zip(&mut previous).enumerate();
            for (place, (&channel, previous)) in states {
                // Without control bytes, all four bytes are laid out as in version 0.
                let control =
                    control.map(|control| control.get(place).copied().unwrap_or_default());
                read_channel(&mut input, control, channel, previous, block, stride, place)?;
            }
        }
        if input.is_empty() {
            Ok(())
        } else {
            Err(too_long())
        }
    })
}

/// Bytes of the widths of so many elements' groups, for one byte of an element: two bits for each group.
fn group_bytes(elements: usize) -> usize {
    elements.div_ceil(GROUP).div_ceil(4)
}

/// Reads the four bytes of a channel for all elements of a block.
fn read_channel(
    input: &mut &[u8],
    control: Option<u8>,
    channel: Channel,
    previous: &mut [u8; CHANNEL],
    block: &mut [u8],
    stride: usize,
    place: usize,
) -> Result<(), Fault> {
    let count = block.len().div_euclid(stride.max(1));
    let mut deltas = [[0; MAX_IN_BLOCK]; CHANNEL];
    let mut control_bits = control.unwrap_or_default();
    for deltas in &mut deltas {
        let widths = match (control, control_bits & 3) {
            (None, _) => WIDTHS_V0,
            (_, 0) => WIDTHS_NARROW,
            (_, 1) => WIDTHS_WIDE,
            // All differences are zero.
            (_, 2) => {
                control_bits >>= 2;
                continue;
            }
            _ => {
                let literal = take(input, count)?;
                for (delta, &byte) in deltas.iter_mut().zip(literal) {
                    *delta = byte;
                }
                control_bits >>= 2;
                continue;
            }
        };
        control_bits >>= 2;
        read_groups(input, widths, count, deltas)?;
    }
    let [a, b, c, d] = &deltas;
    let deltas = a.iter().zip(b).zip(c).zip(d);
    for (element, (((&a, &b), &c), &d)) in block.chunks_exact_mut(stride).zip(deltas) {
        *previous = channel.next(*previous, [a, b, c, d]);
        if let Some(value) = element.as_chunks_mut().0.get_mut(place) {
            *value = *previous;
        }
    }
    Ok(())
}

/// Reads the differences of one byte for `count` elements.
fn read_groups(
    input: &mut &[u8],
    [zero, one, two, three]: Widths,
    count: usize,
    deltas: &mut [u8; MAX_IN_BLOCK],
) -> Result<(), Fault> {
    let group_count = count.div_ceil(GROUP);
    let headers = take(input, group_bytes(count))?;
    let (groups, _) = deltas.as_chunks_mut::<GROUP>();
    let mut header = 0;
    let mut headers = headers.iter();
    for (place, group) in groups.iter_mut().take(group_count).enumerate() {
        if place.is_multiple_of(4) {
            header = *headers.next().ok_or_else(too_short)?;
        }
        let width = match header & 3 {
            0 => zero,
            1 => one,
            2 => two,
            _ => three,
        };
        header >>= 2;
        read_group(input, width, group)?;
    }
    Ok(())
}

/// Reads a group of differences of `width` bits. The greatest number of that width stands for a whole byte that follows.
fn read_group(input: &mut &[u8], width: u8, group: &mut [u8; GROUP]) -> Result<(), Fault> {
    let sentinel = match width {
        0 => {
            *group = [0; GROUP];
            return Ok(());
        }
        1 => {
            let mut bits = u16::from_le_bytes(take_array(input)?);
            for delta in &mut *group {
                *delta = u8::from(bits & 1 == 1);
                bits >>= 1;
            }
            1
        }
        2 => {
            let packed: [u8; 4] = take_array(input)?;
            for (four, byte) in group.as_chunks_mut().0.iter_mut().zip(packed) {
                *four = [byte >> 6, (byte >> 4) & 3, (byte >> 2) & 3, byte & 3];
            }
            3
        }
        4 => {
            let packed: [u8; 8] = take_array(input)?;
            for (two, byte) in group.as_chunks_mut().0.iter_mut().zip(packed) {
                *two = [byte >> 4, byte & 15];
            }
            15
        }
        _ => {
            *group = take_array(input)?;
            return Ok(());
        }
    };
    for delta in group {
        if *delta == sentinel {
            *delta = take_byte(input)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_example_of_the_specification() {
        let mut input: &[u8] = &[0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
        let mut group = [0; GROUP];
        read_group(&mut input, 4, &mut group).unwrap();
        let mut value = [0; 4];
        let decoded = group.map(|delta| {
            let next = Channel::Bytes.next(value, [delta, 0, 0, 0]);
            let difference = next[0].wrapping_sub(value[0]).cast_signed();
            value = next;
            difference
        });
        let expected = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
        assert_eq!(decoded, expected);
        assert!(input.is_empty());
    }
}
