//! Smaller pictures of larger ones, for edges smoother than the samples of a pixel give.

use crate::{
    render::Picture,
    scene::{linear_from_srgb, srgb_from_linear},
};

/// A picture whose sides are those of `picture` divided by `factor` (they must be multiples of it): each pixel is the mean
/// of the light of what it covers, by alpha.
pub fn shrink(picture: Picture, factor: u32) -> Picture {
    if factor <= 1 {
        return picture;
    }
    let light = (0..=255_u8).map(|signal| linear_from_srgb(f32::from(signal) / 255.0));
    let light: Vec<f32> = light.collect();
    let (width, height) = (picture.width / factor, picture.height / factor);
    let samples = (factor * factor) as f32;
    let mut rgba8 = Vec::with_capacity(4 * width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0_f32; 4];
            for sample_y in y * factor..(y + 1) * factor {
                let row = 4 * (sample_y as usize * picture.width as usize + (x * factor) as usize);
                let covered = &picture.rgba8[row..row + 4 * factor as usize];
                for &[red, green, blue, alpha] in covered.as_chunks::<4>().0 {
                    let alpha = f32::from(alpha) / 255.0;
                    for (sum, signal) in sum.iter_mut().zip([red, green, blue]) {
                        *sum += light[usize::from(signal)] * alpha;
                    }
                    sum[3] += alpha;
                }
            }
            let [red, green, blue, alpha] = sum;
            let color = [red, green, blue].map(|sum| {
                if alpha > 0.0 {
                    (255.0 * srgb_from_linear(sum / alpha)).round() as u8
                } else {
                    0
                }
            });
            rgba8.extend_from_slice(&color);
            rgba8.push((alpha / samples * 255.0).round() as u8);
        }
    }
    Picture {
        width,
        height,
        rgba8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, pixels: &[[u8; 4]]) -> Picture {
        Picture {
            width,
            height: pixels.len() as u32 / width,
            rgba8: pixels.concat(),
        }
    }

    #[test]
    fn light_is_averaged_and_not_signals() {
        let (black, white) = ([0, 0, 0, 255], [255, 255, 255, 255]);
        // Half of white's light is sRGB 188.
        let small = shrink(picture(2, &[black, white, white, black]), 2);
        assert_eq!(small, picture(1, &[[188, 188, 188, 255]]));
        // What is transparent has no colour to give.
        let (red, nothing) = ([255, 0, 0, 255], [0, 255, 0, 0]);
        let small = shrink(picture(2, &[red, nothing, red, nothing]), 2);
        assert_eq!(small, picture(1, &[[255, 0, 0, 128]]));
    }

    #[test]
    fn what_has_its_size_is_not_copied() {
        let picture = picture(1, &[[1, 2, 3, 4]]);
        let (expected, at) = (picture.clone(), picture.rgba8.as_ptr());
        let shrunk = shrink(picture, 1);
        assert_eq!((&shrunk, shrunk.rgba8.as_ptr()), (&expected, at));
    }

    #[test]
    fn even_colors_stay() {
        let pixels: Vec<_> = (0..=255_u8).map(|level| [level, 7, 9, 255]).collect();
        let doubled: Vec<_> = pixels.iter().flat_map(|&pixel| [pixel; 2]).collect();
        let doubled = [doubled.clone(), doubled].concat();
        assert_eq!(shrink(picture(512, &doubled), 2), picture(256, &pixels));
    }
}
