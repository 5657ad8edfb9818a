//! Streams written bit by bit, which the decoder takes too.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};

use super::{codes_memory, stream::GROUP};

/// What codes of words of 11 bits for 2,048 symbols take: a table of 10 bits, and two nodes for each.
const LARGE: usize = (4 << 10) + 2 * 16 * 2_048;
/// What a code of two symbols takes.
const TWO: usize = 2 * 4 + 3 * 16;

/// Writes bits, the lowest of each byte first.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    count: u32,
}

impl Writer {
    fn put(&mut self, number: u32, count: u32) -> &mut Self {
        for place in 0..count {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = (number.checked_shr(place).unwrap_or(0) & 1) as u8;
            *self.bytes.last_mut().unwrap() |= bit << (self.count % 8);
            self.count += 1;
        }
        self
    }

    fn puts(&mut self, numbers: &[(u32, u32)]) -> &mut Self {
        for &(number, count) in numbers {
            self.put(number, count);
        }
        self
    }

    /// The header of a picture.
    fn header(width: u32, height: u32) -> Self {
        let mut writer = Self::default();
        writer.puts(&[(0x2f, 8), (width - 1, 14), (height - 1, 14), (0, 4)]);
        writer
    }

    /// A code of one symbol, whose word has no bits.
    fn one(&mut self, symbol: u32) -> &mut Self {
        self.puts(&[(1, 1), (0, 1), (1, 1), (symbol, 8)])
    }

    /// A code of two symbols.
    fn two(&mut self, first: u32, second: u32) -> &mut Self {
        self.puts(&[(1, 1), (1, 1), (1, 1), (first, 8), (second, 8)])
    }

    /// Codes of one symbol for all but green.
    fn others(&mut self, red: u32) -> &mut Self {
        self.one(red).one(0).one(0).one(0)
    }

    /// A code in which all of the first `count` symbols have words of so many bits.
    fn even(&mut self, bits: usize, count: u32) -> &mut Self {
        let place = super::code::ORDER.iter().position(|&it| it == bits);
        let place = place.unwrap() as u32;
        self.puts(&[(0, 1), (place - 3, 4), (0, 3 * place), (1, 3)]);
        self.puts(&[(1, 1), (5, 3), (count - 2, 12)])
    }

    fn into_file(self, kind: &[u8]) -> Vec<u8> {
        let length = (self.bytes.len() as u32).next_multiple_of(2);
        let mut file = b"RIFF".to_vec();
        file.extend((length + 12).to_le_bytes());
        file.extend([b"WEBP", kind].concat());
        file.extend(length.to_le_bytes());
        file.extend(self.bytes);
        file.resize(length as usize + 20, 0);
        file
    }
}

/// The green of the pixels that the decoder makes of a file.
fn green(file: &[u8]) -> Option<Vec<u8>> {
    let reader = ImageReader::with_format(Cursor::new(file), ImageFormat::WebP);
    let pixels = reader.decode().ok()?.into_rgb8();
    Some(pixels.pixels().map(|pixel| pixel.0[1]).collect())
}

/// A picture of 4 × 4 pixels with so many large groups, of which the last is used.
fn large(groups: u32) -> Vec<u8> {
    let mut writer = Writer::header(4, 4);
    // No transform; colours are kept; groups in blocks of 4 × 4 pixels: one, of one colour.
    writer.puts(&[(0, 1), (1, 1), (11, 4), (1, 1), (0, 3), (0, 1)]);
    let last = groups - 1;
    writer.one(last % 256).others(last / 256);
    for _ in 0..groups {
        writer.even(11, 2_048).others(7);
    }
    for symbol in 0..16_u32 {
        writer.put((symbol + 100).reverse_bits() >> 21, 11);
    }
    writer.into_file(b"VP8L")
}

#[test]
fn all_codes_are_counted() {
    let file = large(300);
    assert_eq!(green(&file).unwrap(), (100..116).collect::<Vec<_>>());
    let taken = codes_memory(&file, (4, 4), usize::MAX);
    assert_eq!(taken, 300 * (GROUP + LARGE));
    // Those before the end of the data are made.
    let part = codes_memory(&file[..file.len() / 2], (4, 4), usize::MAX);
    assert!((140 * LARGE..160 * LARGE).contains(&part), "{part}");
    let most = 10 << 20;
    let taken = codes_memory(&file, (4, 4), most);
    assert!((most..most + GROUP + LARGE + 1).contains(&taken), "{taken}");
    // The decoder refuses a picture of another size before.
    assert_eq!(codes_memory(&file, (4, 5), usize::MAX), 0);
}

#[test]
fn codes_behind_transforms_are_found() {
    let mut writer = Writer::header(8, 4);
    // Blocks of 4 × 4 pixels that are predicted: two bits.
    writer.puts(&[(1, 1), (0, 2), (0, 3), (0, 1)]);
    writer.two(0, 0).others(0).puts(&[(1, 1), (0, 1)]);
    // Blocks whose colours depend on one another: eight bits, for each pixel has one for each of red to alpha.
    writer.puts(&[(1, 1), (1, 2), (0, 3), (0, 1)]);
    writer
        .two(0, 0)
        .two(0, 0)
        .two(0, 0)
        .two(0, 0)
        .one(0)
        .put(0b1011_0110, 8);
    // Green is added to others.
    writer.puts(&[(1, 1), (2, 2)]);
    // A table of three colours: four pixels in one. Each colour is what it is more than the one before.
    writer.puts(&[(1, 1), (3, 2), (2, 8), (0, 1)]);
    writer.two(50, 20).others(0).puts(&[(0, 1), (1, 1), (1, 1)]);
    // Of the pixels, 2 × 4, colours are kept; there are groups in blocks of 4 × 4: one, whose number is 1 × 256 + 2.
    writer.puts(&[(0, 1), (1, 1), (1, 4), (1, 1), (0, 3), (0, 1)]);
    writer.one(2).others(1);
    for _ in 0..258 {
        writer.one(0).others(0);
    }
    // The group in use: three times a colour and one before it.
    writer.two(0x24, 0x19).others(0);
    writer.put(0b1010_1010, 8);
    let file = writer.into_file(b"VP8L");
    assert!(green(&file).is_some());
    assert_eq!(codes_memory(&file, (8, 4), usize::MAX), 259 * GROUP + TWO);
}

#[test]
fn alpha_and_frames_are_counted() {
    let picture = large(2);
    let expected = 2 * (GROUP + LARGE);
    let stream = &picture[20..];
    let chunk = |kind: &[u8], data: &[u8]| {
        let mut chunk = [kind, &(data.len() as u32).to_le_bytes(), data].concat();
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    };
    // What comes in the header of a picture is known of alpha.
    let alpha = chunk(b"ALPH", &[&[1], &stream[5..]].concat());
    let not_compressed = chunk(b"ALPH", &[&[0], &stream[5..]].concat());
    let frame = |content: &[u8], width: u8| {
        let sides = [width - 1, 0, 0, 3, 0, 0];
        chunk(b"ANMF", &[&[0; 6][..], &sides, &[0; 4], content].concat())
    };
    let of = |chunks: &[u8]| {
        let file = [b"RIFF\0\0\0\0WEBP", &chunk(b"XYZ ", &[1, 2, 3])[..], chunks].concat();
        codes_memory(&file, (8, 4), usize::MAX)
    };
    assert_eq!(of(&frame(&alpha, 4)), expected);
    assert_eq!(of(&frame(&not_compressed, 4)), 0);
    assert_eq!(of(&frame(&chunk(b"VP8L", stream), 4)), expected);
    assert_eq!(of(&frame(&chunk(b"VP8L", stream), 9)), 0);
    // In 8 × 4 pixels there are two blocks, whose codes have no bits either.
    assert_eq!(of(&alpha), expected);
    for length in 0..40 {
        let cut = &frame(&alpha, 4)[..length];
        assert_eq!(of(cut), 0);
    }
}
