//! Streams written bit by bit, which the decoder takes too.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};

use super::{ALPHA, find, stream::GROUP};
use crate::import::base::diagnostics::Fault;

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

    /// A code whose symbols have words of so many bits; these are told in four bits each.
    fn stated(&mut self, lengths: &[u32]) -> &mut Self {
        self.puts(&[(0, 1), (15, 4)]);
        for symbol in super::code::ORDER {
            self.put(if symbol < 16 { 4 } else { 0 }, 3);
        }
        self.puts(&[(1, 1), (5, 3), (lengths.len() as u32 - 2, 12)]);
        for length in lengths {
            self.put(length.reverse_bits() >> 28, 4);
        }
        self
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

/// How many bytes the codes of what a file shows take.
fn codes_memory(file: &[u8], most: usize) -> Result<usize, Fault> {
    find(file)?.codes_memory(most)
}

/// The green of the pixels that the decoder makes of what a file shows.
fn green(file: &[u8]) -> Option<Vec<u8>> {
    let alone = find(file).ok()?.alone();
    let reader = ImageReader::with_format(Cursor::new(&alone), ImageFormat::WebP);
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
    let taken = codes_memory(&file, usize::MAX).unwrap();
    assert_eq!(taken, 300 * (GROUP + LARGE));
    // Those before the end of the data are made.
    let part = codes_memory(&file[..file.len() / 2], usize::MAX).unwrap();
    assert!((140 * LARGE..160 * LARGE).contains(&part), "{part}");
    let most = 10 << 20;
    let taken = codes_memory(&file, most).unwrap();
    assert!((most..most + GROUP + LARGE + 1).contains(&taken), "{taken}");
}

/// The decoder adds in 16 bits, where these words look like all that there can be.
#[test]
fn codes_with_too_many_words_are_refused() {
    let codes = |red: &[u32]| {
        let mut writer = Writer::header(4, 4);
        writer.puts(&[(0, 1), (0, 1), (0, 1)]);
        writer.one(9).stated(red).one(0).one(0).one(0);
        writer.put(0, 20);
        codes_memory(&writer.into_file(b"VP8L"), usize::MAX)
    };
    let whole = [11, 12, 13, 14, 15, 15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1];
    assert!(codes(&whole).unwrap() > GROUP);
    let fault = codes(&[&whole[..], &[1, 1]].concat()).unwrap_err();
    assert_eq!(fault.code, "IMAGE_DATA_INVALID");
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
    assert_eq!(codes_memory(&file, usize::MAX).unwrap(), 259 * GROUP + TWO);
}

fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let mut chunk = [kind, &(data.len() as u32).to_le_bytes(), data].concat();
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

/// A file of 8 × 4 pixels with these flags and chunks.
fn extended(flags: u8, chunks: &[Vec<u8>]) -> Vec<u8> {
    let head = chunk(b"VP8X", &[flags, 0, 0, 0, 7, 0, 0, 3, 0, 0]);
    [b"RIFF\0\0\0\0WEBP", &head[..], &chunks.concat()].concat()
}

/// A frame of such a size with these chunks.
fn frame(width: u8, chunks: &[Vec<u8>]) -> Vec<u8> {
    let sides = [width - 1, 0, 0, 3, 0, 0];
    chunk(
        b"ANMF",
        &[&[0; 6][..], &sides, &[0; 4], &chunks.concat()].concat(),
    )
}

/// The first partition of a picture with loss, of which only the header matters here.
fn with_loss(width: u16, height: u16) -> Vec<u8> {
    let sides = [width.to_le_bytes(), height.to_le_bytes()].concat();
    let head = [&[0x10, 0, 0, 0x9d, 0x01, 0x2a][..], &sides, &[0; 64]].concat();
    chunk(b"VP8 ", &head)
}

#[test]
fn alpha_and_frames_are_counted() {
    let picture = large(2);
    let expected = 2 * (GROUP + LARGE);
    let stream = &picture[20..];
    // What comes in the header of a picture is known of alpha.
    let alpha = chunk(b"ALPH", &[&[1], &stream[5..]].concat());
    let not_compressed = chunk(b"ALPH", &[&[0], &stream[5..]].concat());
    let lossless = chunk(b"VP8L", stream);
    let other = chunk(b"XYZ ", &[1, 2, 3]);
    let animation = chunk(b"ANIM", &[0; 6]);
    let moving = |frame: Vec<u8>| extended(2, &[other.clone(), animation.clone(), frame]);
    let of = |file: &[u8]| codes_memory(file, usize::MAX).ok();
    let beside = |alpha: &Vec<u8>, width| frame(width as u8, &[alpha.clone(), with_loss(width, 4)]);
    assert_eq!(of(&moving(beside(&alpha, 4))), Some(expected));
    assert_eq!(of(&moving(beside(&not_compressed, 4))), Some(0));
    assert_eq!(
        of(&moving(frame(4, std::slice::from_ref(&lossless)))),
        Some(expected)
    );
    // In 8 × 4 pixels there are two blocks, whose codes have no bits either.
    let still = |flags| extended(flags, &[alpha.clone(), with_loss(8, 4)]);
    assert_eq!(of(&still(0x10)), Some(expected));
    // Who says that there is no alpha does not get any.
    assert_eq!(of(&still(0)), Some(0));
    // What a frame has in it is not that of a file without frames, nor what stands behind it.
    assert_eq!(of(&extended(0, &[moving(beside(&alpha, 4))])), None);
    let cut = &frame(4, std::slice::from_ref(&alpha))[..32];
    assert_eq!(of(&moving([cut, &lossless].concat())), None);
    for length in 0..beside(&alpha, 4).len() - 80 {
        let cut = beside(&alpha, 4)[..length].to_vec();
        assert_eq!(of(&moving(cut)), None);
    }
}

#[test]
fn pictures_have_the_size_that_is_stated() {
    let lossless = chunk(b"VP8L", &large(1)[20..]);
    let animation = chunk(b"ANIM", &[0; 6]);
    let message = |file: &[u8]| find(file).unwrap_err().message;
    let many = "its picture has 16383 × 16383 pixels, not 8 × 4";
    assert!(message(&extended(0, &[with_loss(16_383, 16_383)])).ends_with(many));
    let few = "its picture has 4 × 4 pixels, not 8 × 4";
    assert!(message(&extended(0, std::slice::from_ref(&lossless))).ends_with(few));
    let moving = |width| {
        let alpha = chunk(b"ALPH", &[0; 16]);
        let frame = frame(width, &[alpha, with_loss(4, 4)]);
        extended(2, &[animation.clone(), frame])
    };
    assert!(find(&moving(4)).is_ok());
    assert!(message(&moving(5)).ends_with("its picture has 4 × 4 pixels, not 5 × 4"));
}

/// Streams without any pixel's own bits, as long as sides may be.
#[test]
fn pictures_may_have_the_longest_sides() {
    for (width, height) in [(16_384, 1), (1, 16_384), (16_383, 2)] {
        let mut writer = Writer::header(width, height);
        writer.puts(&[(0, 1), (0, 1), (0, 1)]);
        writer.one(9).others(0);
        let pixels = green(&writer.into_file(b"VP8L")).unwrap();
        assert!(pixels.len() as u32 == width * height && pixels.iter().all(|&it| it == 9));
    }
}

/// Tools that take metadata out of files leave the flags of them.
#[test]
fn flags_without_chunks_do_no_harm() {
    let mut writer = Writer::header(8, 4);
    writer.puts(&[(0, 1), (0, 1), (0, 1)]);
    writer.one(9).others(0);
    let lossless = chunk(b"VP8L", &writer.into_file(b"VP8L")[20..]);
    for flags in [0, 0x04, 0x08, 0x10, 0x3c] {
        let file = extended(flags, std::slice::from_ref(&lossless));
        assert_eq!(green(&file).unwrap(), [9; 32]);
        // The flag counts, not the hint that a stream gives (§3.4).
        let alone = find(&file).unwrap().alone();
        assert_eq!(alone[20] & ALPHA, flags & ALPHA);
    }
    let alone = find(&extended(ALPHA, &[with_loss(8, 4)])).unwrap().alone();
    assert_eq!(alone[20], 0);
}
