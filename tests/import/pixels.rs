//! Pixels: whatever an image has of colours, red, green, blue and alpha can be had of each.

use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use rigscope::model::TexelFormat;
use serde_json::json;

use super::file::File;

/// The pixels of a PNG of this kind.
fn decoded(bytes: &[u8], width: u32, height: u32, kind: ExtendedColorType) -> Vec<u8> {
    let mut png = Vec::new();
    let encoder = PngEncoder::new(&mut png);
    encoder.write_image(bytes, width, height, kind).unwrap();
    let mut file = File::triangle();
    let view = file.view(&png);
    file.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
    let import = file.load();
    let image = &import.model.images[0];
    assert_eq!((image.width, image.height), (width, height));
    let format = match kind {
        ExtendedColorType::L8 => TexelFormat::Grey8,
        ExtendedColorType::Rgb8 => TexelFormat::Rgb8,
        _ => TexelFormat::Rgba8,
    };
    assert_eq!(image.format, format);
    image.rgba8(0).unwrap().into_owned()
}

#[test]
fn spreads_one_byte_and_three_to_four() {
    for (width, height) in [(1, 1), (1, 9), (9, 1), (3, 2), (7, 5), (64, 33)] {
        let pixels = 0..width * height;
        let rgb: Vec<u8> = pixels
            .clone()
            .flat_map(|i| [i, 2 * i, 3 * i].map(|c| c as u8))
            .collect();
        let rgba: Vec<u8> = pixels
            .clone()
            .flat_map(|i| [i, 2 * i, 3 * i, 255].map(|c| c as u8))
            .collect();
        let grey: Vec<u8> = pixels.map(|i| i as u8).collect();
        assert_eq!(decoded(&rgb, width, height, ExtendedColorType::Rgb8), rgba);
        assert_eq!(
            decoded(&rgba, width, height, ExtendedColorType::Rgba8),
            rgba
        );
        let spread: Vec<u8> = grey.iter().flat_map(|&c| [c, c, c, 255]).collect();
        assert_eq!(decoded(&grey, width, height, ExtendedColorType::L8), spread);
    }
}
