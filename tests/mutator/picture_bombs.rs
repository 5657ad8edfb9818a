//! Small files whose pictures would cost a careless loader gigabytes or minutes, each of a different kind.

use serde_json::json;

use super::bombs::{Bomb, document, glb};

/// All of them.
pub fn all() -> Vec<Bomb> {
    vec![
        ("vast_image", image(16_384, 64)),
        ("large_image", image(7_500, 1)),
        ("many_images", image(1_024, 2_000)),
        ("profiles", profiles(30, 200 << 20)),
        ("codebooks", codebooks(10_000)),
        ("windows", windows(false, 4_000)),
        ("windows_of_blocks", windows(true, 10_000)),
        ("prefix_codes", prefix_codes(65_536, 1)),
        ("many_prefix_codes", prefix_codes(2_000, 1_000)),
        ("pixels_without_bits", pixels_without_bits(400)),
        ("scans_without_data", scans_without_data(5_792, 63)),
    ]
}

/// A grey image without content, named many times.
fn image(side: u32, count: usize) -> Vec<u8> {
    let mut png = Vec::new();
    let pixels = vec![0; (side * side) as usize];
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    image::ImageEncoder::write_image(encoder, &pixels, side, side, image::ExtendedColorType::L8)
        .unwrap();
    images(&png, "image/png", count)
}

/// A grey image of a few pixels whose colour profile unpacks to so many bytes, named many times.
fn profiles(count: usize, length: usize) -> Vec<u8> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    image::ImageEncoder::write_image(encoder, &[0; 64], 8, 8, image::ExtendedColorType::L8)
        .unwrap();
    let mut packer =
        flate2::write::ZlibEncoder::new(b"iCCPa\0\0".to_vec(), flate2::Compression::best());
    std::io::copy(
        &mut std::io::Read::take(std::io::repeat(0), length as u64),
        &mut packer,
    )
    .unwrap();
    let profile = packer.finish().unwrap();
    let mut sum = flate2::Crc::new();
    sum.update(&profile);
    let chunk = [
        &(profile.len() as u32 - 4).to_be_bytes()[..],
        &profile,
        &sum.sum().to_be_bytes(),
    ];
    // After the header.
    png.splice(33..33, chunk.concat());
    images(&png, "image/png", count)
}

/// A texture of a few bytes that states the largest codebooks, named many times.
fn codebooks(count: usize) -> Vec<u8> {
    let mut ktx2 = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    for number in [0_u32, 1, 4, 4, 0, 0, 1, 1, 1, 0, 0, 0, 0] {
        ktx2.extend(number.to_le_bytes());
    }
    // Global data after the index of one level.
    for number in [104_u64, 64, 168, 8, 0] {
        ktx2.extend(number.to_le_bytes());
    }
    ktx2.extend([0xff; 72]);
    images(&ktx2, "image/ktx2", count)
}

/// A texture of 64 × 64 pixels whose levels are all the same few bytes, which Zstandard unpacks to 8 MiB, named many times.
fn windows(has_blocks: bool, count: usize) -> Vec<u8> {
    const LEVELS: u32 = 7;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3];
    for place in 0..65 {
        // One byte, 131,072 times.
        let head = (131_072_u32 << 3 | 1 << 1 | u32::from(place == 64)).to_le_bytes();
        frame.extend([head[0], head[1], head[2], 0]);
    }
    let format = if has_blocks { 0 } else { 9 };
    let described = 80 + 24 * LEVELS;
    let mut ktx2 = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    for number in [
        format, 1, 64, 64, 0, 0, 1, LEVELS, 2, described, 44, 0, 0, 0, 0, 0, 0,
    ] {
        ktx2.extend(number.to_le_bytes());
    }
    for level in 0..LEVELS {
        let side = 64_u64 >> level;
        let size = if has_blocks {
            side.div_ceil(4) * side.div_ceil(4) * 16
        } else {
            side * side
        };
        for number in [u64::from(described) + 44, frame.len() as u64, size] {
            ktx2.extend(number.to_le_bytes());
        }
    }
    // UASTC, sRGB.
    for number in [
        44,
        0,
        2 | (40 << 16),
        166 | (1 << 8) | (2 << 16),
        0x0303,
        16,
        0,
        0,
        0,
        0,
        0,
    ] {
        ktx2.extend(u32::to_le_bytes(number));
    }
    ktx2.extend(frame);
    images(&ktx2, "image/ktx2", count)
}

/// A lossless WebP of 16 pixels with so many groups of codes, of which each takes 68 kB, named many times.
fn prefix_codes(groups: u32, count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // 4 × 4 pixels, 2,048 colours that are kept, and groups in blocks of 4 × 4 pixels.
    bits.put(&[(0x2f, 8), (3, 14), (3, 14), (0, 5), (23, 5), (1, 4), (0, 1)]);
    for symbol in [(groups - 1) % 256, (groups - 1) / 256, 0, 0, 0] {
        bits.put(&[(0b101 | (symbol << 3), 11)]);
    }
    for _ in 0..groups {
        // Words of 11 bits for 2,048 symbols; the lengths of the words take no bits.
        bits.put(&[
            (11 << 1, 5),
            (0, 21),
            (0, 21),
            (1, 3),
            (0b1011, 4),
            (2_046, 12),
        ]);
        bits.put(&[(1, 4); 4]);
    }
    bits.put(&[(0, 8); 32]);
    images(&bits.into_webp(), "image/webp", count)
}

/// A lossless WebP of many pixels that are predicted by others of one colour, which have no bits. Named many times.
fn pixels_without_bits(count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // 16,384 × 16,384 pixels, predicted in blocks of 4 × 4, whose colours are kept: two of them.
    bits.put(&[(0x2f, 8), (16_383, 14), (16_383, 14), (0, 4)]);
    bits.put(&[(1, 1), (0, 2), (0, 3), (1, 1), (1, 4)]);
    // The lengths of words: none of 138, 131 and 11 symbols, and one of the next.
    bits.put(&[
        (0, 1),
        (0, 4),
        (0, 3),
        (1, 3),
        (0, 3),
        (1, 3),
        (1, 1),
        (0, 3),
        (2, 2),
    ]);
    bits.put(&[(1, 1), (127, 7), (1, 1), (120, 7), (1, 1), (0, 7), (0, 1)]);
    // Red would have a bit, and nothing else.
    bits.put(&[(0b111, 3), (0, 8), (1, 8)]);
    bits.put(&[(0b101, 11); 3]);
    images(&bits.into_webp(), "image/webp", count)
}

/// Bits, the lowest of each number first.
#[derive(Default)]
pub struct Bits(Vec<bool>);

impl Bits {
    pub fn put(&mut self, numbers: &[(u32, u32)]) {
        for &(number, count) in numbers {
            self.0
                .extend((0..count).map(|place| (number >> place) & 1 == 1));
        }
    }

    /// A lossless WebP of them.
    pub fn into_webp(self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            let bits = bits.iter().rev();
            bits.fold(0, |byte, &bit| (byte << 1) | u8::from(bit))
        };
        let mut stream: Vec<u8> = self.0.chunks(8).map(byte).collect();
        stream.resize(stream.len().next_multiple_of(2), 0);
        let length = stream.len() as u32;
        let mut webp = b"RIFF".to_vec();
        webp.extend((length + 12).to_le_bytes());
        webp.extend(b"WEBPVP8L");
        webp.extend(length.to_le_bytes());
        webp.extend(stream);
        webp
    }
}

/// A segment of a JPEG.
pub fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker][..], &length, content].concat()
}

/// A grey progressive JPEG with so many scans of all coefficients, which have no data.
fn scans_without_data(side: u16, count: usize) -> Vec<u8> {
    let [high, low] = side.to_be_bytes();
    // Each code has a word of one bit, which stands for nothing, or for one coefficient.
    let table =
        |kind: u8, symbol: u8| segment(0xc4, &[&[kind, 1][..], &[0; 15], &[symbol]].concat());
    let scan =
        |first: u8, last: u8| [&segment(0xda, &[1, 1, 0, first, last, 0])[..], &[0]].concat();
    let jpeg = [
        vec![0xff, 0xd8],
        segment(0xdb, &[&[0][..], &[1; 64]].concat()),
        segment(0xc2, &[8, high, low, high, low, 1, 1, 0x11, 0]),
        table(0, 0),
        table(0x10, 1),
        scan(0, 0),
        scan(1, 63).repeat(count),
        vec![0xff, 0xd9],
    ];
    images(&jpeg.concat(), "image/jpeg", 1)
}

/// An image, named many times.
pub fn images(bytes: &[u8], kind: &str, count: usize) -> Vec<u8> {
    let mut document = document();
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": bytes.len()}]);
    document["images"] = vec![json!({"bufferView": 0, "mimeType": kind}); count].into();
    document["textures"] = (0..count).map(|source| json!({"source": source})).collect();
    glb(document, bytes)
}
