//! Pictures of textures, small enough to be made at once.

use crate::{
    model::{Image, Model, TexelFormat},
    ui::Picture,
};

/// Texels a side that are averaged for a pixel; of more than that some are left out, so that a picture of a large image
/// costs no more than one of a small image.
const MAX_TAPS: u32 = 4;

/// A picture of a texture with at most `side` pixels a side; none of images in blocks, which only a GPU reads.
pub(super) fn of_texture(model: &Model, texture: usize, side: u32) -> Option<Picture> {
    let image = model.images.get(model.textures.get(texture)?.image)?;
    let level = level_for(image, side);
    let texels = image.levels.get(level)?;
    let (width, height) = image.level_size(level);
    let is_whole = texels.len() >= image.format.size(width, height);
    let parts = match image.format {
        TexelFormat::Grey8 => 1,
        TexelFormat::Rgb8 => 3,
        TexelFormat::Rgba8 => 4,
        TexelFormat::Bc7 | TexelFormat::Etc2 | TexelFormat::Astc => return None,
    };
    if !is_whole {
        return None;
    }
    let longest = width.max(height).max(1);
    let scaled = |length: u32| {
        let scaled = u64::from(length) * u64::from(side.min(longest)) / u64::from(longest);
        (scaled as u32).max(1)
    };
    let size = [scaled(width), scaled(height)];
    Some(Picture {
        texture,
        size: size.map(|side| side as usize),
        pixels: shrink(texels, parts, [width, height], size),
    })
}

/// The smallest level that is not smaller than the picture.
fn level_for(image: &Image, side: u32) -> usize {
    let is_enough = |level: &usize| {
        let (width, height) = image.level_size(*level);
        width.max(height) >= side
    };
    (0..image.levels.len()).rev().find(is_enough).unwrap_or(0)
}

/// The means of texels of one, three or four `parts`.
fn shrink(
    texels: &[u8],
    parts: usize,
    [width, height]: [u32; 2],
    [across, down]: [u32; 2],
) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(across as usize * down as usize * 4);
    for y in 0..down {
        for x in 0..across {
            let columns = taps(x, across, width);
            let (mut sum, mut count) = ([0_u32; 4], 0);
            for row in taps(y, down, height) {
                for column in columns.clone() {
                    let place = parts * (row as usize * width as usize + column as usize);
                    let texel = texels.get(place..place + parts).unwrap_or_default();
                    let texel = match texel {
                        [grey] => &[*grey; 3],
                        _ => texel,
                    };
                    // What has no alpha is opaque.
                    let texel = texel.iter().chain(&[255]);
                    for (sum, part) in sum.iter_mut().zip(texel) {
                        *sum += u32::from(*part);
                    }
                    count += 1;
                }
            }
            pixels.extend(sum.map(|sum| (sum / count.max(1)) as u8));
        }
    }
    pixels
}

/// Which texels of a row of `length` a pixel of `count` is the mean of.
fn taps(pixel: u32, count: u32, length: u32) -> impl Iterator<Item = u32> + Clone {
    let start = u64::from(pixel) * u64::from(length) / u64::from(count);
    let end = (u64::from(pixel) + 1) * u64::from(length) / u64::from(count);
    let (start, end) = (start as u32, (end as u32).max(start as u32 + 1));
    let step = (end - start).div_ceil(MAX_TAPS).max(1);
    (start..end.min(length)).step_by(step as usize)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Sampler, Texture};

    fn model(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Model {
        let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Model {
            textures: vec![Texture {
                image: 0,
                sampler: Sampler::default(),
            }],
            images: vec![Image {
                width,
                height,
                levels: vec![rows.flat_map(|(x, y)| texel(x, y)).collect()].into(),
                ..Image::default()
            }]
            .into(),
            ..Model::default()
        }
    }

    #[test]
    fn pictures_keep_shape_and_color() {
        // Left half red, right half blue.
        let model = model(400, 100, |x, _| {
            if x < 200 {
                [255, 0, 0, 255]
            } else {
                [0, 0, 255, 128]
            }
        });
        let picture = of_texture(&model, 0, 64).unwrap();
        assert_eq!(picture.size, [64, 16]);
        assert_eq!(picture.pixels.len(), 64 * 16 * 4);
        assert_eq!(picture.pixels[..4], [255, 0, 0, 255]);
        assert_eq!(picture.pixels[63 * 4..64 * 4], [0, 0, 255, 128]);
    }

    #[test]
    fn texels_without_alpha_are_opaque() {
        let mut model = model(2, 1, |_, _| [0; 4]);
        let image = &mut Arc::make_mut(&mut model.images)[0];
        image.format = TexelFormat::Rgb8;
        image.levels = vec![vec![1, 2, 3, 4, 5, 6]].into();
        let picture = of_texture(&model, 0, 64).unwrap();
        assert_eq!(picture.pixels, [1, 2, 3, 255, 4, 5, 6, 255]);
    }

    #[test]
    fn small_images_are_not_made_larger() {
        let model = model(2, 1, |x, _| [x as u8, 7, 8, 9]);
        let picture = of_texture(&model, 0, 64).unwrap();
        assert_eq!(picture.size, [2, 1]);
        assert_eq!(picture.pixels, [0, 7, 8, 9, 1, 7, 8, 9]);
    }

    #[test]
    fn images_in_blocks_or_cut_off_have_none() {
        let mut model = model(8, 8, |_, _| [0; 4]);
        Arc::make_mut(&mut Arc::make_mut(&mut model.images)[0].levels)[0].pop();
        assert_eq!(of_texture(&model, 0, 64), None);
        Arc::make_mut(&mut model.images)[0].format = TexelFormat::Bc7;
        assert_eq!(of_texture(&model, 0, 64), None);
        assert_eq!(of_texture(&model, 9, 64), None);
    }
}
