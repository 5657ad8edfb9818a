//! KTX2 files made here: whole, damaged, and against the rules.

use super::*;
use crate::import::base::diagnostics::Severity;

const COLORS: [[u8; 4]; 4] = [
    [10, 200, 77, 128],
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 64],
];

/// A Zstandard frame of one segment with one raw block (RFC 8878).
fn zstandard(bytes: &[u8]) -> Vec<u8> {
    let size = bytes.len() as u8;
    let head = (u32::from(size) << 3 | 1).to_le_bytes();
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, size];
    frame.extend(&head[..3]);
    frame.extend(bytes);
    frame
}

/// A file of 8 × 4 pixels in UASTC, each level all of one colour.
fn solid(supercompression: u32, level_count: u32) -> Vec<u8> {
    let levels = (0..level_count).zip(COLORS).map(|(level, color)| {
        // Mode 8 of UASTC: the code 10111, then the colour.
        let color = u128::from(u32::from_le_bytes(color));
        let count = if level == 0 { 2 } else { 1 };
        let blocks = (0b10111 | (color << 5)).to_le_bytes().repeat(count);
        let unpacked = blocks.len() as u64;
        if supercompression == 2 {
            (zstandard(&blocks), unpacked)
        } else {
            (blocks, unpacked)
        }
    });
    let levels: Vec<_> = levels.collect();
    let mut bytes = magic::KTX2.to_vec();
    let data_format = 80 + 24 * level_count;
    for number in [
        0,
        1,
        8,
        4,
        0,
        0,
        1,
        level_count,
        supercompression,
        data_format,
        44,
        0,
        0,
        0,
        0,
        0,
        0,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    let mut offset = u64::from(data_format) + 44;
    for (level, unpacked) in &levels {
        for number in [offset, level.len() as u64, *unpacked] {
            bytes.extend(number.to_le_bytes());
        }
        offset += level.len() as u64;
    }
    // The data format: UASTC with alpha, sRGB.
    for number in [
        44,
        0,
        2 | (40 << 16),
        166 | (1 << 8) | (2 << 16),
        0x0303,
        16,
        0,
        3 << 24,
    ] {
        bytes.extend(u32::to_le_bytes(number));
    }
    bytes.resize(data_format as usize + 44, 0);
    bytes.extend(levels.into_iter().flat_map(|(level, _)| level));
    bytes
}

const NONE: BlockFormats = BlockFormats {
    bc7: false,
    etc2: false,
    astc: false,
};

#[test]
fn reads_uastc_with_all_its_levels() {
    for supercompression in [0, 2] {
        for level_count in 1..=4 {
            let bytes = solid(supercompression, level_count);
            let (image, complaint) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
            assert_eq!(complaint, []);
            assert_eq!((image.width, image.height), (8, 4));
            let texels = [32, 8, 2, 1].into_iter().zip(COLORS);
            let texels = texels.map(|(count, color)| color.repeat(count));
            let expected: Vec<_> = texels.take(level_count as usize).collect();
            assert_eq!(*image.levels, expected);
        }
    }
}

/// The decoder unpacks them all, though only the first is shown.
#[test]
fn all_layers_count_as_loaded() {
    let mut bytes = solid(2, 1);
    // 64 layers of 1,024 × 1,024 pixels, which have a megabyte each.
    for (place, number) in [(20, 1024_u32), (24, 1024), (32, 64)] {
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
    }
    bytes[96..104].copy_from_slice(&(64_u64 << 20).to_le_bytes());
    let budget = Budget::default();
    let code = || decode(&bytes, 1024, NONE, &budget).unwrap_err().code;
    assert_ne!(code(), "MEMORY_BUDGET_EXCEEDED");
    let mut others = (0..4).map(|_| code());
    assert!(others.any(|code| code == "MEMORY_BUDGET_EXCEEDED"));
}

#[test]
fn hands_out_blocks_that_are_sampled() {
    for (sampled, expected) in [
        (BlockFormats { bc7: true, ..NONE }, TexelFormat::Bc7),
        (BlockFormats { etc2: true, ..NONE }, TexelFormat::Etc2),
        (
            BlockFormats {
                bc7: true,
                etc2: true,
                astc: true,
            },
            TexelFormat::Astc,
        ),
    ] {
        let (image, _) = decode(&solid(0, 4), 64, sampled, &Budget::default()).unwrap();
        assert_eq!(image.format, expected);
        let sizes: Vec<_> = image.levels.iter().map(Vec::len).collect();
        assert_eq!(sizes, [32, 16, 16, 16]);
    }
    let all = BlockFormats {
        bc7: true,
        etc2: true,
        astc: true,
    };
    let best = |width, levels| {
        let mut header = Header::read(&solid(0, levels)).unwrap();
        header.width = width;
        suitable(SourceFormat::Etc1s, all, header)
    };
    assert_eq!(best(8, 2), TexelFormat::Etc2);
    assert_eq!(best(6, 2), TexelFormat::Rgba8);
    assert_eq!(best(8, 1), TexelFormat::Rgba8);
}

#[test]
fn goes_without_smaller_levels_that_are_broken() {
    let mut bytes = solid(2, 3);
    let third = bytes.len() - 25;
    // No Zstandard frame any more.
    bytes[third] ^= 1;
    let (image, complaint) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
    assert_eq!(complaint[0].fault.code, "COMPRESSED_DATA_INVALID");
    assert_eq!(*image.levels, [COLORS[0].repeat(32)]);
    // Smaller levels cannot be made of blocks.
    let sampled = BlockFormats { bc7: true, ..NONE };
    let (image, complaint) = decode(&bytes, 64, sampled, &Budget::default()).unwrap();
    assert_eq!(image.format, TexelFormat::Rgba8);
    assert_eq!(*image.levels, [COLORS[0].repeat(32)]);
    assert_eq!(complaint.len(), 1);
}

#[test]
fn names_damage() {
    for (supercompression, level_count) in [(0, 1), (2, 1), (2, 4)] {
        let bytes = solid(supercompression, level_count);
        for length in 0..bytes.len() {
            let decoded = decode(&bytes[..length], 64, NONE, &Budget::default());
            assert!(decoded.is_err(), "{length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok((image, _)) = decode(&bytes, 64, NONE, &Budget::default()) {
                for (level, texels) in image.levels.iter().enumerate() {
                    let (width, height) = image.level_size(level);
                    assert_eq!(texels.len() as u32, width * height * 4);
                }
            }
        }
    }
}

#[test]
fn takes_the_first_of_several_layers() {
    let mut bytes = solid(0, 1);
    bytes[32] = 2;
    let start = bytes.len() - 32;
    bytes[88] *= 2;
    bytes[96] *= 2;
    bytes.extend(bytes[start..].to_vec());
    let (image, complaint) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
    assert_eq!(*image.levels, [COLORS[0].repeat(32)]);
    assert_eq!(complaint.len(), 1);
}

#[test]
fn refuses_what_would_cost_much() {
    let budget = Budget::default();
    let mut bytes = solid(2, 1);
    bytes[80 + 16 + 6] = 1;
    assert!(decode(&bytes, 64, NONE, &budget).is_err());
    // Codebooks beyond the file, and more entries than their bytes have bits.
    let mut bytes = solid(0, 1);
    bytes[44] = 1;
    bytes[64..72].copy_from_slice(&0xffff_ffff_ffff_fff0_u64.to_le_bytes());
    assert!(decode(&bytes, 64, NONE, &budget).is_err());
    bytes[64..72].copy_from_slice(&80_u64.to_le_bytes());
    bytes[72] = 8;
    bytes[80..84].fill(0xff);
    let fault = decode(&bytes, 64, NONE, &budget).unwrap_err();
    assert_eq!(fault.code, "COMPRESSED_DATA_INVALID");
    let mut bytes = solid(0, 1);
    bytes[20..28].copy_from_slice(&[0, 128, 0, 0, 0, 128, 0, 0]);
    let fault = decode(&bytes, 32_768, NONE, &budget).unwrap_err();
    assert_eq!(fault.code, "MEMORY_BUDGET_EXCEEDED");
}

/// Rules of `KHR_texture_basisu`, and of KTX 2.0: what can be shown is.
#[test]
fn names_rules_that_are_broken() {
    let said = |place: usize, number: u8| {
        let mut bytes = solid(0, 1);
        bytes[place] = number;
        let (image, complaints) = decode(&bytes, 64, NONE, &Budget::default()).unwrap();
        assert_eq!(*image.levels, [COLORS[0].repeat(image.width as usize * 4)]);
        let [complaint] = complaints.as_slice() else {
            panic!("{complaints:?}");
        };
        assert_eq!(complaint.fault.severity, Severity::Error);
        (complaint.fault.message.clone(), complaint.action.clone())
    };
    let (message, action) = said(28, 4);
    assert!(message.contains("2D"), "{message}");
    assert!(message.contains("pixelDepth 4"), "{message}");
    assert_eq!(action, "its first picture is shown");
    assert!(said(32, 3).0.contains("layerCount 3"));
    assert!(said(36, 6).0.contains("faceCount 6"));
    assert!(said(36, 0).0.contains("faceCount 0"));
    assert!(said(40, 0).0.contains("levelCount"));
    // Bits of the data format descriptor.
    assert!(said(119, 1).0.contains("PREMULTIPLIED"));
    let (message, action) = said(20, 7);
    assert!(message.contains("multiples of 4"), "{message}");
    assert_eq!(action, "it is shown all the same");
}

/// A file with these keys and values.
fn with_keys(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = solid(0, 1);
    let start = bytes.len();
    for (key, value) in pairs {
        let entry = [key, "\0", value].concat();
        bytes.extend((entry.len() as u32).to_le_bytes());
        bytes.extend(entry.bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    let length = (bytes.len() - start) as u32;
    bytes[56..60].copy_from_slice(&(start as u32).to_le_bytes());
    bytes[60..64].copy_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn names_keys_that_say_what_is_not_allowed() {
    let cases = [
        (&[][..], &[][..]),
        (&[("KTXorientation", "rd\0"), ("KTXswizzle", "rgba\0")], &[]),
        (&[("KTXwriter", "a\0"), ("KTXorientation", "rd")], &[]),
        (&[("KTXorientation", "ru\0")], &["is ru"]),
        (
            &[("KTXwriter", "a\0"), ("KTXswizzle", "rrr1\0")],
            &["is rrr1"],
        ),
        (
            &[("KTXswizzle", "bgra"), ("KTXorientation", "")],
            &["KTXorientation", "KTXswizzle"],
        ),
    ];
    for (pairs, expected) in cases {
        let bytes = with_keys(pairs);
        let wrong = metadata::wrong(&bytes);
        assert_eq!(wrong.len(), expected.len(), "{pairs:?}: {wrong:?}");
        for (complaint, words) in wrong.iter().zip(expected) {
            assert_eq!(complaint.fault.severity, Severity::Error);
            let message = &complaint.fault.message;
            assert!(message.contains(words), "{message}");
        }
        // Wherever it is cut, and whatever lengths it states.
        for end in 0..bytes.len() {
            metadata::wrong(&bytes[..end]);
            transfer(&bytes[..end]);
        }
        for place in (48..64).chain(solid(0, 1).len()..bytes.len()) {
            let mut bytes = bytes.clone();
            bytes[place] = 0xff;
            metadata::wrong(&bytes);
            transfer(&bytes);
        }
    }
}

#[test]
fn tells_how_texels_are_stored() {
    let of = |place: usize, number: u8| {
        let mut bytes = solid(0, 1);
        bytes[place] = number;
        transfer(&bytes)
    };
    assert_eq!(of(118, 2), Some(Transfer::Srgb));
    assert_eq!(of(118, 1), Some(Transfer::Linear));
    assert_eq!(of(118, 0), None);
    // No KTX2 at all, and one whose blocks are not those of Basis Universal.
    assert_eq!(of(1, 0), None);
    assert_eq!(of(12, 29), None);
}

/// A file of 2 × 1 pixels that are not compressed, and of smaller levels.
fn plain(format: u32, levels: &[&[u8]]) -> Vec<u8> {
    let count = levels.len() as u32;
    let mut bytes = magic::KTX2.to_vec();
    for number in [
        format, 1, 2, 1, 0, 0, 1, count, 0, 0, 0, 0, 0, 0, 0, 0, 0_u32,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    let mut offset = bytes.len() as u64 + 24 * u64::from(count);
    for level in levels {
        let length = level.len() as u64;
        for number in [offset, length, length] {
            bytes.extend(number.to_le_bytes());
        }
        offset += length;
    }
    bytes.extend(levels.concat());
    bytes
}

#[test]
fn texels_that_are_not_compressed_are_shown() {
    let read = |bytes: &[u8]| decode(bytes, 64, NONE, &Budget::default());
    type Case = (u32, &'static [u8], [[u8; 4]; 2]);
    let cases: [Case; 6] = [
        (9, &[7, 8], [[7, 0, 0, 255], [8, 0, 0, 255]]),
        (22, &[7, 8, 9, 1], [[7, 8, 0, 255], [9, 1, 0, 255]]),
        (23, &[1, 2, 3, 4, 5, 6], [[1, 2, 3, 255], [4, 5, 6, 255]]),
        (36, &[1, 2, 3, 4, 5, 6], [[3, 2, 1, 255], [6, 5, 4, 255]]),
        (43, &[1, 2, 3, 4, 5, 6, 7, 8], [[1, 2, 3, 4], [5, 6, 7, 8]]),
        (44, &[1, 2, 3, 4, 5, 6, 7, 8], [[3, 2, 1, 4], [7, 6, 5, 8]]),
    ];
    for (format, texels, expected) in cases {
        let smaller = &texels[..texels.len() / 2];
        let bytes = plain(format, &[texels, smaller]);
        let (image, complaints) = read(&bytes).unwrap();
        assert_eq!((image.width, image.height), (2, 1));
        assert_eq!(*image.levels, [expected.concat(), expected[0].to_vec()]);
        let severities = complaints.iter().map(|it| it.fault.severity);
        assert_eq!(severities.collect::<Vec<_>>(), [Severity::Warning]);

        let (image, complaints) = read(&bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(*image.levels, [expected.concat()]);
        assert_eq!(complaints.len(), 2);
        assert!(read(&bytes[..bytes.len() - smaller.len() - 1]).is_err());
    }
    // Half floats, and what is packed in a way that nobody knows.
    let mut packed = plain(23, &[&[1, 2, 3, 4, 5, 6]]);
    packed[44] = 4;
    for bytes in [packed, plain(97, &[&[0; 16]])] {
        assert_eq!(read(&bytes).unwrap_err().code, "IMAGE_FORMAT_UNSUPPORTED");
    }
}

/// [`plain`] with three bytes a pixel, levels packed as a whole.
fn packed(scheme: u32, levels: &[&[u8]]) -> Vec<u8> {
    let pack = |texels: &&[u8]| match scheme {
        packed::ZSTANDARD => zstandard(texels),
        _ => {
            let mut zlib = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
            std::io::Write::write_all(&mut zlib, texels).unwrap();
            zlib.finish().unwrap()
        }
    };
    let parts: Vec<_> = levels.iter().map(pack).collect();
    let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
    let mut bytes = plain(23, &parts);
    bytes[44] = scheme as u8;
    for (level, texels) in levels.iter().enumerate() {
        bytes[96 + 24 * level] = texels.len() as u8;
    }
    bytes
}

#[test]
fn texels_that_are_packed_as_a_whole_are_shown() {
    let read = |bytes: &[u8]| decode(bytes, 64, NONE, &Budget::default());
    for scheme in [packed::ZSTANDARD, packed::ZLIB] {
        let expected = [vec![1, 2, 3, 255, 4, 5, 6, 255], vec![7, 8, 9, 255]];
        let bytes = packed(scheme, &[&[1, 2, 3, 4, 5, 6], &[7, 8, 9]]);
        let (image, complaints) = read(&bytes).unwrap();
        assert_eq!((&**image.levels, complaints.len()), (&expected[..], 1));
        // Of two layers the first.
        let mut layers = packed(scheme, &[&[1, 2, 3, 4, 5, 6, 9, 9, 9, 9, 9, 9]]);
        layers[32] = 2;
        assert_eq!(*read(&layers).unwrap().0.levels, expected[..1]);
        // Too few bytes, and more than such a picture can have.
        let short = packed(scheme, &[&[1, 2, 3, 4, 5]]);
        let mut long = bytes.clone();
        long[98] = 1;
        for bytes in [short, long] {
            assert_eq!(read(&bytes).unwrap_err().code, "COMPRESSED_DATA_INVALID");
        }
    }
}

/// It keeps all that was unpacked within the window before it hands out anything.
#[test]
fn windows_of_zstandard_are_no_larger_than_it_takes() {
    let texels = packed(packed::ZSTANDARD, &[&[1, 2, 3, 4, 5, 6]]);
    for bytes in [solid(2, 1), texels] {
        let magic = [0x28, 0xb5, 0x2f, 0xfd];
        let frame = bytes.windows(4).position(|part| part == magic).unwrap();
        let read = |window: u8| {
            let mut bytes = bytes.clone();
            // Of no single segment.
            bytes[frame + 4..frame + 6].copy_from_slice(&[0, window]);
            decode(&bytes, 64, NONE, &Budget::default())
        };
        // 8 MiB, and 1 GiB.
        assert!(read(13 << 3).is_ok());
        let fault = read(20 << 3).unwrap_err();
        assert_eq!(fault.code, "COMPRESSED_DATA_INVALID");
        assert!(fault.message.contains("window"), "{}", fault.message);
    }
}
