//! A picture of all directions: the light that surrounds a model.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

/// Radiance from all directions, as an equirectangular picture: its middle lies at +X, +Z a quarter to the right, +Y at the
/// upper edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Panorama {
    width: usize,
    height: usize,
    /// Linear red, green and blue, row by row from the top.
    texels: Vec<Vec3>,
}

impl Panorama {
    /// The brightest that a texel may be where it is stored in 16-bit floats: half of what they hold, so that sums of a few
    /// do not overflow.
    pub const BRIGHTEST: f32 = 32_768.0;
    /// The brightest that a texel may be at all: far more than any sun, and little enough that no sum overflows.
    const MOST: f32 = 1e30;

    /// A picture from its texels; `None` if their number does not fit the size, or the size is nothing. What is no number or
    /// negative becomes black, what is endless is dimmed to a number. Suns are kept as they are, however bright: the smaller
    /// the texel that one is in, the brighter it is.
    pub fn new(width: usize, height: usize, mut texels: Vec<Vec3>) -> Option<Self> {
        if texels.is_empty() || width.checked_mul(height) != Some(texels.len()) {
            return None;
        }
        for texel in &mut texels {
            *texel = mended(*texel);
        }
        Some(Self {
            width,
            height,
            texels,
        })
    }

    /// The picture of `radiance`, twice as wide as it is high.
    pub fn of(height: usize, radiance: impl Fn(Vec3) -> Vec3) -> Self {
        let height = height.max(1);
        let width = 2 * height;
        let texel = |index: usize| {
            let at = Vec2::new((index % width) as f32 + 0.5, (index / width) as f32 + 0.5);
            radiance(direction_of(at / Vec2::new(width as f32, height as f32)))
        };
        Self {
            width,
            height,
            texels: (0..width * height).map(texel).collect(),
        }
    }

    /// Texels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Row by row from the top.
    pub fn texels(&self) -> &[Vec3] {
        &self.texels
    }

    /// Half as wide and half as high, rounded down, each texel the mean of those that it covers: of an odd number two and a
    /// part of a third; `None` at 1 × 1.
    pub fn halved(&self) -> Option<Self> {
        if self.width == 1 && self.height == 1 {
            return None;
        }
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let rows = footprint(y, self.height);
                let covered = rows.flat_map(|(row, down)| {
                    let columns = footprint(x, self.width);
                    columns.map(move |(column, across)| (row * self.width + column, across * down))
                });
                texels.push(covered.map(|(at, share)| self.texels[at] * share).sum());
            }
        }
        Some(Self {
            width,
            height,
            texels,
        })
    }

    /// Each texel with its direction and its solid angle.
    pub fn rays(&self) -> impl Iterator<Item = (Vec3, Vec3, f32)> + '_ {
        let size = Vec2::new(self.width as f32, self.height as f32);
        self.texels.iter().enumerate().map(move |(index, &texel)| {
            let (x, y) = (index % self.width, index / self.width);
            let direction = direction_of(Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / size);
            let edge = |row: usize| (PI * row as f32 / size.y).cos();
            (direction, texel, TAU / size.x * (edge(y) - edge(y + 1)))
        })
    }
}

/// A picture that is halved while its texels come, so that it is never there as a whole.
#[derive(Debug)]
pub struct HalvingPanorama {
    /// Of the texels that come.
    size: [usize; 2],
    half: Panorama,
}

impl HalvingPanorama {
    /// For the texels of a picture of this size; `None` if it is nothing, or 1 × 1.
    pub fn new(width: usize, height: usize) -> Option<Self> {
        if width == 0 || height == 0 || [width, height] == [1, 1] {
            return None;
        }
        let half = [width, height].map(|size| (size / 2).max(1));
        Some(Self {
            size: [width, height],
            half: Panorama {
                width: half[0],
                height: half[1],
                texels: vec![Vec3::ZERO; half[0].checked_mul(half[1])?],
            },
        })
    }

    /// Adds a texel, each once; what is no light is mended as in [`Panorama::new`], and what lies outside is left out.
    pub fn add(&mut self, at: [usize; 2], texel: Vec3) {
        let [width, height] = self.size;
        if at[0] >= width || at[1] >= height {
            return;
        }
        let texel = mended(texel);
        for (row, down) in covering(at[1], height) {
            for (column, across) in covering(at[0], width) {
                self.half.texels[row * self.half.width + column] += texel * (across * down);
            }
        }
    }

    /// What [`Panorama::halved`] would make of all of them; of texels that never came as if they were black.
    pub fn halved(self) -> Panorama {
        self.half
    }
}

/// Light that can be reckoned with: what is no number or negative is none.
fn mended(texel: Vec3) -> Vec3 {
    let mend = |part: f32| if part > 0.0 { part } else { 0.0 };
    let light = Vec3::new(mend(texel.x), mend(texel.y), mend(texel.z));
    dimmed_to(light, Panorama::MOST)
}

/// Which texels of half as many cover the texel `at` of `size` in a row, and its share of each: [`footprint`] from the other
/// side.
fn covering(at: usize, size: usize) -> impl Iterator<Item = (usize, f32)> {
    let last = (size / 2).max(1) - 1;
    let near = (at / 2).saturating_sub(1)..=(at / 2).min(last);
    near.filter_map(move |half| {
        let mut covered = footprint(half, size);
        let (_, share) = covered.find(|&(covered, _)| covered == at)?;
        Some((half, share))
    })
}

/// Which of `size` texels in a row the texel `at` of half as many covers, and the share of each. Twin: `footprint` of the
/// shaders.
pub(crate) fn footprint(at: usize, size: usize) -> impl Iterator<Item = (usize, f32)> {
    let half = (size / 2) as f32;
    let shares = match (size, size % 2) {
        (1, _) => [1.0, 0.0, 0.0],
        (_, 0) => [0.5, 0.5, 0.0],
        _ => [half - at as f32, half, at as f32 + 1.0].map(|part| part / size as f32),
    };
    let covered = (2 * at..).zip(shares);
    covered.filter(|&(_, share)| share > 0.0)
}

/// Light that is nowhere brighter than `limit`, of the same hue. Twin: `dimmed_to` of the shaders.
pub fn dimmed_to(light: Vec3, limit: f32) -> Vec3 {
    let finite = light.min(Vec3::MAX);
    finite * (limit / finite.max_element().max(limit))
}

/// The direction of a place in the picture, 0..1 from its upper left corner.
fn direction_of(at: Vec2) -> Vec3 {
    let around = (at.x - 0.5) * TAU;
    let (sine, cosine) = (PI * at.y).sin_cos();
    Vec3::new(sine * around.cos(), cosine, sine * around.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solid_angles_fill_the_ball() {
        let all = Panorama::of(16, |_| Vec3::ONE);
        let sum: f32 = all.rays().map(|(.., angle)| angle).sum();
        assert!((sum - 4.0 * PI).abs() < 1e-4, "{sum}");
    }

    #[test]
    fn the_middle_is_x_and_the_quarter_to_its_right_is_z() {
        assert!(direction_of(Vec2::new(0.5, 0.5)).abs_diff_eq(Vec3::X, 1e-6));
        assert!(direction_of(Vec2::new(0.75, 0.5)).abs_diff_eq(Vec3::Z, 1e-6));
        assert!(direction_of(Vec2::new(0.1, 0.0)).abs_diff_eq(Vec3::Y, 1e-6));
    }

    #[test]
    fn what_is_no_light_is_mended() {
        let texels = vec![Vec3::new(f32::NAN, -1.0, f32::INFINITY), Vec3::ONE];
        let mended = Panorama::new(2, 1, texels).unwrap();
        let [first, second] = mended.texels() else {
            panic!("two texels")
        };
        assert!((*first / Panorama::MOST).abs_diff_eq(Vec3::Z, 1e-6));
        assert_eq!(*second, Vec3::ONE);
        let halved = mended.halved().unwrap().texels()[0];
        assert!((halved / Panorama::MOST).abs_diff_eq(Vec3::Z / 2.0, 1e-6));
        assert!(Panorama::new(2, 2, vec![Vec3::ONE]).is_none());
    }

    #[test]
    fn what_is_too_bright_keeps_its_hue() {
        let hue = Vec3::new(1.0, 0.5, 0.125);
        for strength in [1e5, 1e20, 1e38] {
            let bounded = dimmed_to(hue * strength, Panorama::BRIGHTEST);
            let expected = hue * Panorama::BRIGHTEST;
            assert!((bounded - expected).length() < 0.1, "{bounded}");
        }
        let sun = Panorama::new(1, 1, vec![hue * 1e5]).unwrap().texels()[0];
        assert_eq!(sun, hue * 1e5, "kept as it is");
        let dim = Vec3::new(0.1, 32768.0, 7.0);
        assert_eq!(dimmed_to(dim, Panorama::BRIGHTEST), dim);
    }

    /// Of whatever size, and in whichever order its texels come: to the bit where they come row by row.
    #[test]
    fn what_is_halved_as_it_comes_is_what_is_halved_as_a_whole() {
        for (width, height) in [(2, 1), (1, 4), (3, 1), (5, 3), (7, 4), (6, 5), (8, 6)] {
            let texel =
                |index: usize| Vec3::new(index as f32, 1.0 / (index as f32 + 1.0), f32::NAN);
            let texels: Vec<_> = (0..width * height).map(texel).collect();
            let mut halving = HalvingPanorama::new(width, height).unwrap();
            let mut backward = HalvingPanorama::new(width, height).unwrap();
            for (index, &texel) in texels.iter().enumerate() {
                halving.add([index % width, index / width], texel);
            }
            for (index, &texel) in texels.iter().enumerate().rev() {
                backward.add([index % width, index / width], texel);
            }
            let whole = Panorama::new(width, height, texels).unwrap();
            let whole = whole.halved().unwrap();
            assert_eq!(halving.halved(), whole, "{width} × {height}");
            let (backward, size) = (backward.halved(), (width * height) as f32);
            for (found, expected) in backward.texels().iter().zip(whole.texels()) {
                assert!(
                    found.abs_diff_eq(*expected, 1e-6 * size),
                    "{width} × {height}"
                );
            }
        }
        assert!(HalvingPanorama::new(0, 4).is_none() && HalvingPanorama::new(1, 1).is_none());
        let mut outside = HalvingPanorama::new(2, 1).unwrap();
        outside.add([2, 0], Vec3::ONE);
        outside.add([0, 1], Vec3::ONE);
        assert_eq!(outside.halved().texels(), [Vec3::ZERO]);
    }

    /// Every texel counts as much as every other, also where their number is odd.
    #[test]
    fn halves_of_odd_sizes_lose_nothing() {
        for (width, height) in [(3, 1), (5, 3), (7, 4), (6, 5), (2, 1)] {
            for bright in 0..width * height {
                let mut texels = vec![Vec3::ZERO; width * height];
                texels[bright] = Vec3::ONE;
                let mut halved = Panorama::new(width, height, texels).unwrap();
                while let Some(next) = halved.halved() {
                    halved = next;
                }
                let expected = 1.0 / (width * height) as f32;
                let found = halved.texels()[0].x;
                assert!(
                    (found / expected - 1.0).abs() < 1e-5,
                    "{width} × {height}: {found}"
                );
            }
        }
    }
}
