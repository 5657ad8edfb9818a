//! Images and pictures of odd sizes: their smaller levels lose no texels and count none twice.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rigscope::{app::Actor, render::Gpu};
use serde_json::{Value, json};

use super::{
    quad::{quad, unlit},
    transparency::{paint, quads},
};
use crate::common::{gpu, picture, to_image};

/// IEC 61966-2-1.
fn light_of(signal: u8) -> f64 {
    let signal = f64::from(signal) / 255.0;
    if signal <= 0.04045 {
        signal / 12.92
    } else {
        ((signal + 0.055) / 1.055).powf(2.4)
    }
}

/// An unlit quad with a black image of this size in which these columns are white, so often beside each other.
fn striped(width: u32, height: u32, is_white: impl Fn(u32) -> bool, repeats: f64) -> Actor {
    let texel = |x: u32, _| image::Luma([if is_white(x) { 255_u8 } else { 0 }]);
    let mut png = std::io::Cursor::new(Vec::new());
    image::GrayImage::from_fn(width, height, texel)
        .write_to(&mut png, image::ImageFormat::Png)
        .unwrap();
    let png = STANDARD.encode(png.into_inner());
    let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": {
        "scale": [repeats, repeats]
    } } });
    quad(&[
        (
            "extensionsUsed",
            json!(["KHR_materials_unlit", "KHR_texture_transform"]),
        ),
        (
            "materials",
            unlit(json!({ "pbrMetallicRoughness": { "baseColorTexture": texture } })),
        ),
        ("textures", json!([{ "source": 0, "sampler": 0 }])),
        (
            "samplers",
            json!([{ "magFilter": 9729, "minFilter": 9987 }]),
        ),
        (
            "images",
            json!([{ "uri": format!("data:image/png;base64,{png}") }]),
        ),
    ])
}

/// Least, mean and greatest light in the middle of a small picture.
fn shown(gpu: &Gpu, actor: &mut Actor) -> [f64; 3] {
    let typed = [
        "--size",
        "33x33",
        "--background",
        "000000",
        "--target",
        "0,0,0",
        "--orbit",
        "0,90,5",
        "--fov",
        "30",
    ];
    let image = to_image(&picture(gpu, actor, &typed));
    let inside = (10..23).flat_map(|y| (10..23).map(move |x| (x, y)));
    let light: Vec<_> = inside.map(|at| light_of(image[at].0[0])).collect();
    let least = light.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = light.iter().copied().fold(0.0, f64::max);
    let mean = light.iter().sum::<f64>() / light.len() as f64;
    [least, mean, greatest]
}

#[test]
fn every_column_counts_as_much_as_every_other() {
    let Some(gpu) = gpu() else { return };
    for width in [2, 3, 4, 5, 7] {
        for white in 0..width {
            let mut quad = striped(width, 1, |x| x == white, 400.0);
            let [_, mean, _] = shown(&gpu, &mut quad);
            let expected = 1.0 / f64::from(width);
            println!("column {white} of {width}: {mean:.3}");
            assert!(
                (mean - expected).abs() < 0.02,
                "column {white} of {width}: {mean:.3}, not {expected:.3}"
            );
        }
    }
    let mut alternating = striped(255, 4, |x| x % 2 == 1, 400.0);
    let [_, mean, _] = shown(&gpu, &mut alternating);
    assert!((mean - 127.0 / 255.0).abs() < 0.02, "{mean:.3}");
}

/// Two white columns of eight, seen from so far that some sixteen columns make a pixel.
#[test]
fn line_patterns_keep_their_brightness_at_every_width() {
    let Some(gpu) = gpu() else { return };
    for width in [500, 511, 512, 999, 1000, 1023] {
        let mut quad = striped(width, width, |x| x % 8 < 2, 1.0);
        let [least, mean, greatest] = shown(&gpu, &mut quad);
        println!("{width}: {least:.3} {mean:.3} {greatest:.3}");
        assert!((mean - 0.25).abs() < 0.02, "{width}: {mean:.3}");
        assert!(
            least > 0.15 && greatest < 0.35,
            "{width}: {least:.3} {greatest:.3}"
        );
    }
}

/// A small bright spot on a black wall, behind rough glass.
fn spot_behind_glass() -> Actor {
    let glass = json!({
        "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.45 },
        "extensions": {
            "KHR_materials_transmission": { "transmissionFactor": 1.0 },
            "KHR_materials_specular": { "specularFactor": 0.0 }
        }
    });
    let at = |z: f64, scale: f64| -> Value {
        json!({ "translation": [0, 0, z], "scale": [scale, scale, 1] })
    };
    quads(&[
        (paint([1.0, 1.0, 1.0, 1.0]), at(-0.001, 0.02)),
        (paint([0.0, 0.0, 0.0, 1.0]), at(-0.002, 3.0)),
        (glass, at(0.0, 1.0)),
    ])
}

/// The copy of the scene that rough glass sees is as large as the picture: a pixel more or less changes little.
#[test]
fn rough_glass_is_as_bright_in_pictures_of_every_size() {
    let Some(gpu) = gpu() else { return };
    let mut all = Vec::new();
    for size in [248, 250, 252, 253, 254, 255, 256, 257, 260] {
        let size_typed = format!("{size}x{size}");
        let typed = [
            "--size",
            &size_typed,
            "--background",
            "000000",
            "--target",
            "0,0,0",
            "--orbit",
            "0,90,5",
            "--fov",
            "30",
            "--tone",
            "none",
            "--exposure",
            "5",
        ];
        let image = to_image(&picture(&gpu, &mut spot_behind_glass(), &typed));
        let light = image.pixels().map(|pixel| light_of(pixel.0[0]));
        let (mut sum, mut greatest) = (0.0, 0.0_f64);
        for light in light {
            sum += light;
            greatest = greatest.max(light);
        }
        let mean = sum / f64::from(size * size);
        println!("{size}: mean {mean:.5}, greatest {greatest:.4}");
        all.push((size, mean, greatest));
    }
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| {
            (least.min(value), most.max(value))
        })
    };
    let (least, most) = range(&mut all.iter().map(|it| it.1));
    // Of a spot four pixels wide the samples catch a quarter more or less.
    assert!(most < 1.4 * least, "means {least} to {most}");
    let (least, most) = range(&mut all.iter().map(|it| it.2));
    assert!(most < 2.0 * least, "greatest {least} to {most}");
}
