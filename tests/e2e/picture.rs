//! Rectangles in pixels, and comparisons of screenshots.

use image::RgbImage;
use image::imageops;

/// A rectangle in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Rect {
    /// Reads `x,y,w,h`, whole numbers or not.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse().ok())
            .collect::<Option<_>>()?;
        let [x, y, width, height] = numbers[..] else {
            return None;
        };
        Some(Self {
            x: x as i32,
            y: y as i32,
            width: width as u32,
            height: height as u32,
        })
    }

    pub(crate) fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The pixel at a fraction of the width and of the height.
    pub(crate) fn at(self, across: f64, down: f64) -> (i32, i32) {
        let along =
            |start: i32, size: u32, fraction: f64| start + (f64::from(size) * fraction) as i32;
        (
            along(self.x, self.width, across),
            along(self.y, self.height, down),
        )
    }

    pub(crate) fn grown(self, by: u32) -> Self {
        Self {
            x: self.x - by as i32,
            y: self.y - by as i32,
            width: self.width + 2 * by,
            height: self.height + 2 * by,
        }
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let right = (self.x + self.width as i32).min(other.x + other.width as i32);
        let bottom = (self.y + self.height as i32).min(other.y + other.height as i32);
        Self {
            x,
            y,
            width: (right - x).max(0) as u32,
            height: (bottom - y).max(0) as u32,
        }
    }
}

pub(crate) fn crop(picture: &RgbImage, rect: Rect) -> RgbImage {
    let whole = Rect {
        x: 0,
        y: 0,
        width: picture.width(),
        height: picture.height(),
    };
    let rect = rect.intersection(whole);
    imageops::crop_imm(
        picture,
        rect.x as u32,
        rect.y as u32,
        rect.width,
        rect.height,
    )
    .to_image()
}

/// Paints a rectangle over, so that what lies there takes no part in a comparison.
pub(crate) fn blank(picture: &mut RgbImage, rect: Rect) {
    let whole = Rect {
        x: 0,
        y: 0,
        width: picture.width(),
        height: picture.height(),
    };
    let rect = rect.intersection(whole);
    for y in rect.y..rect.y + rect.height as i32 {
        for x in rect.x..rect.x + rect.width as i32 {
            picture.put_pixel(x as u32, y as u32, image::Rgb([0; 3]));
        }
    }
}

/// The share of pixels that differ, 0..1; pictures of different sizes differ wholly.
pub(crate) fn changed(before: &RgbImage, after: &RgbImage) -> f64 {
    if before.dimensions() != after.dimensions() {
        return 1.0;
    }
    let differing = before
        .pixels()
        .zip(after.pixels())
        .filter(|(a, b)| a != b)
        .count();
    differing as f64 / f64::from(before.width() * before.height()).max(1.0)
}

/// How many different colours there are, counted up to a few hundred.
pub(crate) fn colors(picture: &RgbImage) -> usize {
    let mut seen = std::collections::HashSet::new();
    for pixel in picture.pixels() {
        seen.insert(pixel.0);
        if seen.len() > 500 {
            break;
        }
    }
    seen.len()
}
