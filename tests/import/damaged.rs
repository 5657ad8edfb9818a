//! Damaged pictures: what can be read of them is drawn, and said.

use image::{
    ExtendedColorType, ImageEncoder as _, codecs::jpeg::JpegEncoder, codecs::png::PngEncoder,
};
use rigscope::import::{Diagnostic, Import, Severity};
use serde_json::json;

use super::file::{File, assert_found};

const SIDE: u32 = 64;

/// Loads a file whose only image is this.
fn load(picture: &[u8]) -> Import {
    let mut file = File::triangle();
    let view = file.view(picture);
    file.json["images"] = json!([{"bufferView": view, "mimeType": mime_type(picture)}]);
    file.load()
}

fn mime_type(picture: &[u8]) -> &'static str {
    if picture.starts_with(&[0xff]) {
        "image/jpeg"
    } else {
        "image/png"
    }
}

/// What is wrong with it.
fn findings(import: &Import) -> Vec<&Diagnostic> {
    let found = import.diagnostics.iter();
    found
        .filter(|it| it.severity <= Severity::Warning)
        .collect()
}

#[track_caller]
fn assert_sound(import: &Import) {
    assert!(findings(import).is_empty(), "{:?}", findings(import));
}

/// Pixels that do not compress well, of so many channels.
fn pixels(channels: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 | 1
    };
    (0..SIDE * SIDE * channels).map(|_| noise()).collect()
}

fn jpeg() -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut file, 90);
    let kind = ExtendedColorType::Rgb8;
    encoder.write_image(&pixels(3), SIDE, SIDE, kind).unwrap();
    file
}

fn png(channels: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let kind = match channels {
        3 => ExtendedColorType::Rgb8,
        _ => ExtendedColorType::Rgba8,
    };
    let encoder = PngEncoder::new(&mut file);
    let pixels = pixels(channels);
    encoder.write_image(&pixels, SIDE, SIDE, kind).unwrap();
    file
}

/// Checks that a picture is drawn that is the same as the whole one for so many rows, and that it is called damaged.
#[track_caller]
fn assert_salvaged(import: &Import, whole: &Import, rows: u32) {
    assert_found(import, Severity::Error, "IMAGE_DATA_INVALID", "/images/0");
    let found = findings(import);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].action, "what could be read of it is drawn");
    let (image, whole) = (&import.model.images[0], &whole.model.images[0]);
    assert!(!image.is_placeholder);
    assert_eq!((image.width, image.height), (whole.width, whole.height));
    let length = (rows * SIDE * 4) as usize;
    let (ours, theirs) = (image.rgba8(0).unwrap(), whole.rgba8(0).unwrap());
    assert!(ours[..length] == theirs[..length], "not {rows} rows");
}

#[test]
fn jpegs_that_are_cut_or_wrong_are_drawn_and_called_damaged() {
    let file = jpeg();
    let whole = load(&file);
    assert_sound(&whole);
    let cut = file.len() * 6 / 10;
    let scan = file.windows(2).rposition(|it| it == [0xff, 0xda]).unwrap();
    assert!(scan < cut / 2);
    assert_salvaged(&load(&file[..cut]), &whole, SIDE / 4);
    // The end, too early.
    let ended = [&file[..cut], &[0xff, 0xd9]].concat();
    assert_salvaged(&load(&ended), &whole, SIDE / 4);
    // Data that are no codes, and a marker that cannot be there.
    let mut wrong = file.clone();
    wrong[cut..cut + 40].fill(0xfe);
    assert_salvaged(&load(&wrong), &whole, SIDE / 4);
    wrong[cut..cut + 2].copy_from_slice(&[0xff, 0x01]);
    assert_salvaged(&load(&wrong), &whole, SIDE / 4);
    // More rows than there are data for.
    let mut higher = file.clone();
    let frame = file.windows(2).position(|it| it == [0xff, 0xc0]).unwrap();
    higher[frame + 6] = SIDE as u8 * 2;
    let import = load(&higher);
    assert_found(&import, Severity::Error, "IMAGE_DATA_INVALID", "/images/0");
    assert!(!import.model.images[0].is_placeholder);
}

#[test]
fn jpegs_of_which_nothing_is_missing_are_sound() {
    let file = jpeg();
    let whole = load(&file);
    for sound in [
        &file[..file.len() - 2],
        &file[..file.len() - 1],
        &[&file[..], b"more"].concat(),
        &[&file[..file.len() - 2], &[0; 8], &[0xff, 0xd9]].concat(),
        &[&file[..file.len() - 2], &[0xff, 0xff, 0xd9]].concat(),
    ] {
        let import = load(sound);
        assert_sound(&import);
        assert!(import.model.images[0].levels == whole.model.images[0].levels);
    }
}

#[test]
fn colors_of_print_are_converted_and_said() {
    let import = load(include_bytes!("data/cmyk.jpg"));
    assert_found(
        &import,
        Severity::Warning,
        "IMAGE_DATA_INVALID",
        "/images/0",
    );
    assert_eq!(findings(&import).len(), 1);
    assert!(!import.model.images[0].is_placeholder);
}

#[test]
fn pngs_that_are_cut_keep_the_rows_that_are_there() {
    for channels in [3, 4] {
        let file = png(channels);
        let whole = load(&file);
        assert_sound(&whole);
        assert_salvaged(&load(&file[..file.len() - 12]), &whole, SIDE);
        assert_salvaged(&load(&file[..file.len() - 14]), &whole, SIDE);
        assert_salvaged(&load(&file[..file.len() * 9 / 10]), &whole, SIDE * 8 / 10);
        assert_salvaged(&load(&file[..file.len() / 2]), &whole, SIDE * 4 / 10);
        // Nothing can be read of no data.
        let import = load(&file[..60]);
        assert!(import.model.images[0].is_placeholder);
    }
}

#[test]
fn pictures_that_end_before_they_begin_are_called_so() {
    for (file, end) in [(png(3), 29), (png(4), 36), (jpeg(), 20)] {
        let import = load(&file[..end]);
        let code = "IMAGE_UNEXPECTED_EOS";
        assert_found(&import, Severity::Error, code, "/images/0");
        assert_eq!(findings(&import).len(), 1);
        assert!(import.model.images[0].is_placeholder);
    }
}

#[test]
fn pngs_with_wrong_chunks_are_drawn_without_them() {
    let file = png(4);
    let whole = load(&file);
    let data = file.windows(4).position(|it| it == b"IDAT").unwrap() - 4;
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        let length = (content.len() as u32).to_be_bytes();
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(content);
        [&length, &kind[..], content, &sum.sum().to_be_bytes()].concat()
    };
    for wrong in [chunk(b"fcTL", &[0; 3]), chunk(b"ABCD", b"")] {
        let file = [&file[..data], &wrong, &file[data..]].concat();
        assert_salvaged(&load(&file), &whole, SIDE);
    }
    // A wrong checksum, and data that are wrong.
    let mut wrong = file.clone();
    let sum = file.len() - 16;
    wrong[sum] ^= 1;
    assert_salvaged(&load(&wrong), &whole, SIDE);
    let mut wrong = file.clone();
    wrong[data + 8 + file.len() / 2..][..64].fill(0xff);
    assert_found(
        &load(&wrong),
        Severity::Error,
        "IMAGE_DATA_INVALID",
        "/images/0",
    );
}
