//! At most 255 colours that stand for all of an animation, and which of them a pixel gets.
//!
//! One table for all frames, and a pattern that stays where it is: what does not move does not flicker, and compresses.

use std::collections::HashMap;

use color_quant::NeuQuant;

use super::change::pixels;
use crate::render::Picture;

/// What stands for pixels that are not drawn.
pub(super) const TRANSPARENT: u8 = 255;
/// Pixels of less alpha are not drawn.
const MIN_ALPHA: u8 = 128;
/// Colours beside [`TRANSPARENT`].
const MAX_COLORS: usize = 255;
/// Colours that cover more than a part of the pixels in so many are kept as they are.
const COMMON: usize = 200;
/// Colours that learning needs at least ([`NeuQuant::new`]).
const MIN_LEARNT: usize = 64;

type Color = [u8; 3];

/// The colours of an animation.
#[derive(Debug)]
pub(super) struct ColorTable {
    colors: Vec<Color>,
    /// How colours that were asked for are mixed.
    mixtures: HashMap<Color, Mixture>,
}

/// Two colours by turns.
#[derive(Debug, Clone, Copy)]
struct Mixture {
    most: u8,
    other: u8,
    /// Of 64 pixels, how many get the other one.
    share: u8,
}

impl ColorTable {
    /// The colours that pictures like these need.
    pub(super) fn new(samples: &[Picture]) -> Self {
        let mut counts = HashMap::<Color, usize>::new();
        let all = samples.iter().flat_map(|picture| pixels(&picture.rgba8));
        for &[red, green, blue, _] in all.filter(|pixel| pixel[3] >= MIN_ALPHA) {
            *counts.entry([red, green, blue]).or_default() += 1;
        }
        let mut counts: Vec<(Color, usize)> = counts.into_iter().collect();
        // The order of a hash map is another each time.
        counts.sort_unstable_by_key(|&(color, count)| (std::cmp::Reverse(count), color));
        Self {
            colors: choose(&counts),
            mixtures: HashMap::new(),
        }
    }

    /// Red, green, blue of each colour, that of [`TRANSPARENT`] included.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize(3 * (MAX_COLORS + 1), 0);
        bytes
    }

    /// For each pixel its colour's index.
    pub(super) fn indices(&mut self, picture: &Picture) -> Vec<u8> {
        let rows = pixels(&picture.rgba8).chunks_exact(picture.width as usize);
        let mut indices = Vec::with_capacity(picture.rgba8.len() / 4);
        for (y, row) in rows.enumerate() {
            for (x, &[red, green, blue, alpha]) in row.iter().enumerate() {
                indices.push(if alpha >= MIN_ALPHA {
                    let Mixture { most, other, share } = self.mixture([red, green, blue]);
                    if share > bayer(x, y) { other } else { most }
                } else {
                    TRANSPARENT
                });
            }
        }
        indices
    }

    /// The nearest colour, and the one on the other side, so that the mean is what was asked for: Yliluoma's and Knoll's
    /// pattern dithering with two colours.
    fn mixture(&mut self, color: Color) -> Mixture {
        let colors = &self.colors;
        *self.mixtures.entry(color).or_insert_with(|| {
            let wanted = color.map(i32::from);
            let most = nearest(colors, wanted);
            let mut found = Mixture {
                most,
                other: most,
                share: 0,
            };
            let Some(nearest_color) = colors.get(usize::from(most)) else {
                return found;
            };
            let nearest_color = nearest_color.map(i32::from);
            let missing = difference(wanted, nearest_color);
            let beyond = difference(wanted, missing.map(|part| -part));
            found.other = nearest(colors, beyond);
            let way = difference(
                colors[usize::from(found.other)].map(i32::from),
                nearest_color,
            );
            let length = dot(way, way);
            if length > 0 {
                let share = 64.0 * f64::from(dot(missing, way)) / f64::from(length);
                found.share = share.round().clamp(0.0, 64.0) as u8;
            }
            found
        })
    }
}

/// The colours for pixels of these colours, the most frequent of which come first.
fn choose(counts: &[(Color, usize)]) -> Vec<Color> {
    if counts.len() <= MAX_COLORS {
        let mut colors = counts.iter().map(|&(color, _)| color).collect();
        fill_up(&mut colors);
        return colors;
    }
    let all: usize = counts.iter().map(|&(_, count)| count).sum();
    let is_common = |(_, count): &&(Color, usize)| *count > all / COMMON;
    let common = counts.iter().take_while(is_common);
    let mut colors: Vec<Color> = common
        .take(MAX_COLORS - MIN_LEARNT)
        .map(|&(color, _)| color)
        .collect();
    let fixed = colors.len();
    // What is small has a say, too, or eyes would lose their colour to the ground.
    let others: Vec<(Color, usize)> = counts[fixed..]
        .iter()
        .map(|&(color, count)| (color, count.isqrt().max(1)))
        .collect();
    let learn_from: Vec<u8> = others
        .iter()
        .flat_map(|&([red, green, blue], weight)| {
            std::iter::repeat_n([red, green, blue, 255], weight.min(64)).flatten()
        })
        .collect();
    // A fifth of 500,000 pixels is learnt from as fast as all of 100,000.
    let part = (learn_from.len() / 4 / 100_000).clamp(1, 30) as i32;
    let network = NeuQuant::new(part, MAX_COLORS - fixed, &learn_from);
    colors.extend(network.color_map_rgb().as_chunks::<3>().0);
    move_to_means(&mut colors, fixed, &others);
    colors
}

/// Where there is room, adds colours that lie near to any: frames that were not looked at may have others.
fn fill_up(colors: &mut Vec<Color>) {
    /// Of red, of green and of blue.
    const LEVELS: usize = 6;
    const ALL: usize = LEVELS * LEVELS * LEVELS;
    /// Goes to all places, and from the first ones on to each level of each.
    const STEP: usize = 85;
    let known = colors.len();
    let level = |number: usize| (number % LEVELS * 51) as u8;
    let all = (0..ALL).map(|place| place * STEP % ALL);
    let all = all.map(|place| [place / LEVELS / LEVELS, place / LEVELS, place].map(level));
    let others: Vec<Color> = all.filter(|color| !colors.contains(color)).collect();
    colors.extend(others.into_iter().take(MAX_COLORS - known));
}

/// Lloyd's step: each colour that is not fixed becomes the mean of those it stands for.
fn move_to_means(colors: &mut [Color], fixed: usize, weights: &[(Color, usize)]) {
    // Colours in bins of 6 bits: as good, and no more of them than there are bins.
    let mut bins = vec![([0_usize; 3], 0_usize); 1 << 18];
    for &(color, weight) in weights {
        let [red, green, blue] = color.map(|signal| usize::from(signal >> 2));
        let (sums, total) = &mut bins[red << 12 | green << 6 | blue];
        for (sum, signal) in sums.iter_mut().zip(color) {
            *sum += weight * usize::from(signal);
        }
        *total += weight;
    }
    bins.retain(|&(_, total)| total > 0);
    for _ in 0..3 {
        let mut means = vec![([0_usize; 3], 0_usize); colors.len()];
        for (sums, total) in &bins {
            let color = sums.map(|sum| (sum / total) as i32);
            let (mean, weight) = &mut means[usize::from(nearest(colors, color))];
            for (mean, sum) in mean.iter_mut().zip(sums) {
                *mean += sum;
            }
            *weight += total;
        }
        for (color, (sums, total)) in colors.iter_mut().zip(means).skip(fixed) {
            if total > 0 {
                *color = sums.map(|sum| ((sum + total / 2) / total) as u8);
            }
        }
    }
}

/// The index of the nearest colour; eyes see differences of green best and of blue least.
fn nearest(colors: &[Color], wanted: [i32; 3]) -> u8 {
    let distance = |color: &Color| {
        let [red, green, blue] = difference(color.map(i32::from), wanted);
        3 * red * red + 4 * green * green + 2 * blue * blue
    };
    let indexed = (0..=u8::MAX).zip(colors);
    let least = indexed.min_by_key(|(_, color)| distance(color));
    least.map_or(0, |(index, _)| index)
}

fn difference(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [i32; 3], b: [i32; 3]) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Bayer's matrix of 8 × 8: each of 0..64 once, neighbours far apart.
fn bayer(x: usize, y: usize) -> u8 {
    let bits = (0..3).map(|bit| {
        let (x, y) = (x >> bit & 1, y >> bit & 1);
        ((x ^ y) << 1 | y) << (4 - 2 * bit)
    });
    bits.sum::<usize>() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, rgba: &[[u8; 4]]) -> Picture {
        Picture {
            width,
            height: rgba.len() as u32 / width,
            rgba8: rgba.concat(),
        }
    }

    #[test]
    fn few_colors_stay_as_they_are() {
        let colors: Vec<_> = (0..200_u8).map(|n| [n, 255 - n, n / 2, 255]).collect();
        let picture = picture(20, &colors);
        let mut table = ColorTable::new(std::slice::from_ref(&picture));
        let bytes = table.bytes();
        let shown = table.indices(&picture).into_iter().map(|index| {
            let at = 3 * usize::from(index);
            [bytes[at], bytes[at + 1], bytes[at + 2], 255]
        });
        assert!(shown.eq(colors));
    }

    /// What is shown for a moment may be in none of the pictures that were looked at.
    #[test]
    fn colors_that_were_not_seen_are_near_at_least() {
        for few in [1, 60, 200, 215, 219] {
            let greys: Vec<_> = (0..few).map(|n| [n, n, n, 255]).collect();
            let mut table = ColorTable::new(&[picture(1, &greys)]);
            let bytes = table.bytes();
            for wanted in [[0, 255, 0], [250, 20, 30], [20, 40, 230], [255, 255, 255]] {
                let [red, green, blue] = wanted;
                let shown = table.indices(&picture(8, &[[red, green, blue, 255]; 64]));
                let mut sums = [0.0; 3];
                for index in shown {
                    let color = &bytes[3 * usize::from(index)..][..3];
                    for (sum, signal) in sums.iter_mut().zip(color) {
                        *sum += f64::from(*signal) / 64.0;
                    }
                }
                let off = sums
                    .iter()
                    .zip(wanted)
                    .map(|(sum, it)| (sum - f64::from(it)).abs());
                let off = off.fold(0.0, f64::max);
                assert!(off < 100.0, "{few} greys: {wanted:?} became {sums:?}");
            }
        }
    }

    #[test]
    fn means_are_what_was_asked_for_and_the_common_stays_exact() {
        // A ground of one colour, and a ramp of more colours than there is room for.
        let ramp = |x: u32, y: u32| [(x / 2) as u8, (y / 2) as u8, 90, 255];
        let ground = [40, 44, 52, 255];
        let all = (0..512).flat_map(|y| (0..512).map(move |x| (x, y)));
        let rgba: Vec<_> = all
            .map(|(x, y)| if x < 64 { ground } else { ramp(x, y) })
            .collect();
        let picture = picture(512, &rgba);
        let mut table = ColorTable::new(std::slice::from_ref(&picture));
        let bytes = table.bytes();
        let shown: Vec<_> = table
            .indices(&picture)
            .iter()
            .map(|&index| {
                let at = 3 * usize::from(index);
                [bytes[at], bytes[at + 1], bytes[at + 2]]
            })
            .collect();
        let mut most = 0.0_f64;
        for (block_y, block_x) in (0..32).flat_map(|y| (0..32).map(move |x| (y, x))) {
            let mut sums = [0.0; 3];
            for at in (0..256).map(|i| (block_y * 16 + i / 16) * 512 + block_x * 16 + i % 16) {
                if block_x < 4 {
                    assert_eq!(shown[at], [40, 44, 52]);
                }
                for ((sum, &shown), wanted) in sums.iter_mut().zip(&shown[at]).zip(rgba[at]) {
                    *sum += (f64::from(shown) - f64::from(wanted)) / 256.0;
                }
            }
            // Along the edges colours lie outside of those that were learnt, and no mixture reaches them.
            let is_inside = (5..31).contains(&block_x) && (1..31).contains(&block_y);
            if is_inside {
                most = sums.iter().fold(most, |most, sum| most.max(sum.abs()));
            }
        }
        assert!(most < 6.0, "the mean of 16 × 16 pixels is off by {most}");
    }

    #[test]
    fn bayer_has_each_number_once() {
        let mut all: Vec<u8> = (0..64).map(|i| bayer(i % 8, i / 8)).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..64));
    }
}
