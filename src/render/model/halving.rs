//! Images that are too large for the adapter, made smaller.

use super::texture::ColorSpace;
use crate::{
    model::{Image, footprint},
    scene::{linear_from_srgb, srgb_from_linear},
};

/// The image at half size, again and again until neither side exceeds `largest`: width, height, texels. Colours are averaged as
/// light, data as they are, like the levels that the adapter makes.
pub(super) fn halve_until(image: &Image, largest: u32, space: ColorSpace) -> (u32, u32, Vec<u8>) {
    let (mut width, mut height) = (image.width as usize, image.height as usize);
    let mut texels = image.rgba8(0).unwrap_or_default().into_owned();
    let means = Means::new(space);
    while width.max(height) > largest as usize {
        texels = means.halved(&texels, [width, height]);
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
    }
    (width as u32, height as u32, texels)
}

/// What it takes to average channels of eight bits.
struct Means {
    /// What each number stands for; alpha is never encoded.
    decoded: [[f32; 256]; 4],
    /// The numbers that stand for light in as many steps, if colours are encoded: fine enough for the darkest.
    encoded: Option<Vec<u8>>,
}

/// Steps of light between black and white.
const STEPS: usize = 1 << 14;

impl Means {
    fn new(space: ColorSpace) -> Self {
        let part = |number: usize| number as f32 / 255.0;
        let data = std::array::from_fn(part);
        let is_encoded = space == ColorSpace::Srgb;
        let color = if is_encoded {
            std::array::from_fn(|number| linear_from_srgb(part(number)))
        } else {
            data
        };
        let encode = |step: usize| (255.0 * srgb_from_linear(step as f32 / STEPS as f32)).round();
        Self {
            decoded: [color, color, color, data],
            encoded: is_encoded.then(|| (0..=STEPS).map(|step| encode(step) as u8).collect()),
        }
    }

    fn encode(&self, channel: usize, mean: f32) -> u8 {
        match &self.encoded {
            Some(encoded) if channel < 3 => encoded[(mean * STEPS as f32).round() as usize],
            _ => (255.0 * mean).round() as u8,
        }
    }

    /// Each texel is the mean of those that it covers.
    fn halved(&self, texels: &[u8], [width, height]: [usize; 2]) -> Vec<u8> {
        let (texels, _) = texels.as_chunks::<4>();
        let columns: Vec<Vec<_>> = (0..(width / 2).max(1))
            .map(|x| footprint(x, width).collect())
            .collect();
        let mut halved = Vec::with_capacity(4 * columns.len() * (height / 2).max(1));
        for y in 0..(height / 2).max(1) {
            for covered in &columns {
                let mut means = [0.0; 4];
                for (row, down) in footprint(y, height) {
                    for &(column, across) in covered {
                        let texel = &texels[row * width + column];
                        for ((mean, decoded), &number) in
                            means.iter_mut().zip(&self.decoded).zip(texel)
                        {
                            *mean += decoded[usize::from(number)] * across * down;
                        }
                    }
                }
                let numbers = (0..4).map(|channel| self.encode(channel, means[channel].min(1.0)));
                halved.extend(numbers);
            }
        }
        halved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, texels: &[[u8; 4]]) -> Image {
        Image {
            width,
            height: texels.len() as u32 / width,
            levels: vec![texels.concat()].into(),
            ..Image::default()
        }
    }

    #[test]
    fn halving_averages() {
        let image = image(
            4,
            &[
                [0, 0, 0, 255],
                [100, 0, 0, 255],
                [10, 20, 30, 40],
                [10, 20, 30, 40],
            ],
        );
        let halved = halve_until(&image, 2, ColorSpace::Linear);
        assert_eq!(halved, (2, 1, vec![50, 0, 0, 255, 10, 20, 30, 40]));
    }

    /// Half of white's light is a signal of 188; alpha is no light.
    #[test]
    fn colors_are_averaged_as_light() {
        let image = image(2, &[[255, 255, 255, 255], [0, 0, 0, 0]]);
        let halved = halve_until(&image, 1, ColorSpace::Srgb);
        assert_eq!(halved, (1, 1, vec![188, 188, 188, 128]));
        for number in 0..=255 {
            let even = self::image(2, &[[number; 4]; 2]);
            let halved = halve_until(&even, 1, ColorSpace::Srgb);
            assert_eq!(halved, (1, 1, vec![number; 4]), "{number}");
        }
    }

    #[test]
    fn odd_sides_lose_no_texels() {
        for bright in 0..5 {
            let mut texels = [[0, 0, 0, 255]; 5];
            texels[bright] = [255; 4];
            let (width, height, halved) = halve_until(&image(5, &texels), 1, ColorSpace::Linear);
            assert_eq!((width, height), (1, 1));
            // A fifth of 255, after two roundings.
            assert!(halved[0].abs_diff(51) <= 1, "{bright}: {halved:?}");
        }
    }
}
