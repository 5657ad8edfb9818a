//! What images may have and glTF does not use: colours of another space, texels that are not square, motion (glTF 2.0
//! §3.8.3).
//!
//! Limits: only the first bytes of an image are looked through, and of JPEGs nothing.

use crate::import::files::magic;

/// How many bytes of an image are looked through: some have 20 kB of notes before all else.
pub(super) const HEAD: usize = 1 << 15;

const PROFILE: &str = "a colour profile";
const COLOURS: &str = "colours of another space than sRGB";
const MOTION: &str = "several pictures";

/// What an image has to no effect whose first bytes these are.
pub(super) fn unused(head: &[u8]) -> Option<&'static str> {
    if let Some(chunks) = head.strip_prefix(magic::PNG) {
        return of_png(chunks);
    }
    let is_extended = head.starts_with(b"RIFF") && head.get(8..16) == Some(b"WEBPVP8X");
    let flags = *head.get(20).filter(|_| is_extended)?;
    match flags {
        _ if flags & 0x02 != 0 => Some(MOTION),
        _ if flags & 0x20 != 0 => Some(PROFILE),
        _ => None,
    }
}

/// [`unused`] of the chunks of a PNG, as far as they are there.
fn of_png(mut chunks: &[u8]) -> Option<&'static str> {
    /// Gamma in 100,000ths: that of sRGB, and none.
    const GAMMAS: [u32; 2] = [45_455, 100_000];
    /// White, red, green and blue of sRGB, in 100,000ths.
    const PRIMARIES: [u32; 8] = [
        31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000,
    ];
    let (mut is_srgb, mut has_colors) = (false, false);
    while let Some((length, rest)) = chunks.split_first_chunk() {
        let Some((kind, rest)) = rest.split_first_chunk::<4>() else {
            break;
        };
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let data = rest.get(..length).unwrap_or_default();
        let (numbers, _) = data.as_chunks();
        let mut numbers = numbers.iter().map(|number| u32::from_be_bytes(*number));
        match kind {
            b"IDAT" => break,
            b"iCCP" => return Some(PROFILE),
            b"sRGB" => is_srgb = true,
            b"gAMA" => has_colors |= numbers.next().is_some_and(|it| !GAMMAS.contains(&it)),
            b"cHRM" => has_colors |= !data.is_empty() && !numbers.eq(PRIMARIES),
            b"pHYs" if numbers.next() != numbers.next() => {
                return Some("texels that are not square");
            }
            _ => {}
        }
        // Behind the data there are four bytes of a checksum.
        chunks = rest.get(length.saturating_add(4)..).unwrap_or_default();
    }
    (has_colors && !is_srgb).then_some(COLOURS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = magic::PNG.to_vec();
        for (kind, data) in chunks {
            bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
            bytes.extend_from_slice(*kind);
            bytes.extend_from_slice(data);
            bytes.extend([0; 4]);
        }
        bytes
    }

    #[test]
    fn tells_what_pictures_have_to_no_effect() {
        let header: (&[u8; 4], &[u8]) = (b"IHDR", &[0; 13]);
        let numbers = |numbers: &[u32]| -> Vec<u8> {
            let bytes = numbers.iter().flat_map(|number| number.to_be_bytes());
            bytes.collect()
        };
        let gamma = numbers(&[50_000]);
        let srgb = numbers(&[
            31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000,
        ]);
        let other = numbers(&[
            31_270, 32_900, 70_000, 33_000, 30_000, 60_000, 15_000, 6_000,
        ]);
        let tall = [numbers(&[2835, 2834]), vec![1]].concat();
        let square = [numbers(&[2835, 2835]), vec![1]].concat();
        for (chunks, expected) in [
            (&[][..], None),
            (&[(b"gAMA", &gamma[..])], Some(COLOURS)),
            (&[(b"gAMA", &numbers(&[45_455])[..])], None),
            (&[(b"cHRM", &srgb[..])], None),
            (&[(b"cHRM", &other[..])], Some(COLOURS)),
            (&[(b"cHRM", &other[..]), (b"sRGB", &[0])], None),
            (&[(b"iCCP", &[0; 9])], Some(PROFILE)),
            (&[(b"pHYs", &tall[..])], Some("texels that are not square")),
            (&[(b"pHYs", &square[..])], None),
            (&[(b"IDAT", &[0; 9]), (b"iCCP", &[0; 9])], None),
        ] as [(&[(&[u8; 4], &[u8])], _); 10]
        {
            let bytes = png(&[&[header], chunks].concat());
            assert_eq!(unused(&bytes), expected, "{chunks:?}");
            // Wherever it is cut.
            for end in 0..bytes.len() {
                unused(&bytes[..end]);
            }
        }
    }

    #[test]
    fn tells_what_webp_has_to_no_effect() {
        for (flags, expected) in [(0, None), (0x20, Some(PROFILE)), (0x22, Some(MOTION))] {
            let bytes = [&b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0"[..], &[flags, 0, 0, 0]].concat();
            assert_eq!(unused(&bytes), expected);
        }
    }
}
