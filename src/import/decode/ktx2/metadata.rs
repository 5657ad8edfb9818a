//! What a KTX2 file says of its texels (KTX 2.0 §3.10 and §3.11): how colours are stored, which way up the picture is.

use super::{Complaint, invalid, number};
use crate::import::{base::wording::shorten, files::magic};

/// Where the place of the data format descriptor is, and that of the keys and values, each before its length.
const DATA_FORMAT: usize = 48;
const KEYS_AND_VALUES: usize = 56;

/// What `KHR_texture_basisu` allows these keys to say.
const ALLOWED: [(&str, &str); 2] = [("KTXorientation", "rd"), ("KTXswizzle", "rgba")];

/// How texels store what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Transfer {
    Linear,
    Srgb,
}

/// The first numbers of the basic descriptor block that are not the same in all files.
#[derive(Debug, Clone, Copy)]
struct Descriptor {
    transfer: u8,
    flags: u8,
}

/// What the first bytes of a file with Basis Universal data say of its texels; none if they say neither, or are others.
pub(in crate::import) fn transfer(head: &[u8]) -> Option<Transfer> {
    let is_basis = head.starts_with(magic::KTX2) && number(head, 12) == Some(0);
    let descriptor = Descriptor::read(head).filter(|_| is_basis)?;
    match descriptor.transfer {
        1 => Some(Transfer::Linear),
        2 => Some(Transfer::Srgb),
        _ => None,
    }
}

/// What a file says and `KHR_texture_basisu` does not allow. Nothing of it changes how the picture is shown.
pub(super) fn wrong(bytes: &[u8]) -> Vec<Complaint> {
    const PREMULTIPLIED: u8 = 1;
    let mut wrong = Vec::new();
    let mut say = |message: String| {
        let complaint = Complaint::new(invalid(message), "it is shown as if it were not said");
        wrong.push(complaint);
    };
    for (key, allowed) in ALLOWED {
        let found = value(bytes, key).filter(|found| *found != allowed.as_bytes());
        if let Some(found) = found {
            let found = String::from_utf8_lossy(found);
            let found = shorten(&found);
            say(format!(
                "KHR_texture_basisu allows no {key} but {allowed}, and this one is {found}"
            ));
        }
    }
    let flags = Descriptor::read(bytes).map_or(0, |descriptor| descriptor.flags);
    if flags & PREMULTIPLIED != 0 {
        let message = "KHR_texture_basisu does not allow premultiplied alpha \
                       (KHR_DF_FLAG_ALPHA_PREMULTIPLIED), and this one has it";
        say(message.to_owned());
    }
    wrong
}

/// The value of a key, without the NUL at its end.
fn value<'b>(bytes: &'b [u8], key: &str) -> Option<&'b [u8]> {
    /// No value that is allowed is longer, and no more of one is told.
    const ENOUGH: usize = 256;
    let mut rest = part(bytes, KEYS_AND_VALUES)?;
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let mut parts = after.get(..length)?.splitn(2, |byte| *byte == 0);
        if parts.next() == Some(key.as_bytes()) {
            let value = parts.next()?;
            let value = value.strip_suffix(b"\0").unwrap_or(value);
            return Some(value.get(..ENOUGH).unwrap_or(value));
        }
        // Each begins at a multiple of four bytes.
        let next = length.checked_next_multiple_of(4)?;
        rest = after.get(next..).unwrap_or_default();
    }
    None
}

/// The part of a file whose place stands there, with its length behind it.
fn part(bytes: &[u8], place: usize) -> Option<&[u8]> {
    let read = |place: usize| usize::try_from(number(bytes, place)?).ok();
    let (offset, length) = (read(place)?, read(place.checked_add(4)?)?);
    bytes.get(offset..)?.get(..length)
}

impl Descriptor {
    fn read(bytes: &[u8]) -> Option<Self> {
        let descriptor = part(bytes, DATA_FORMAT)?;
        // Behind the size of all, the kind and the size of the block: model, primaries, transfer function, flags.
        let [_, _, transfer, flags] = *descriptor.get(12..)?.first_chunk::<4>()?;
        Some(Self { transfer, flags })
    }
}
