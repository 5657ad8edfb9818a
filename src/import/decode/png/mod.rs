//! PNGs of the usual kind, quicker than the `image` crate reads them: 8 bits for grey, or for each of red, green, blue and
//! perhaps alpha, not interlaced (PNG, third edition). Inflating and taking off the filters are done by turns, a part that
//! fits into the processor's cache at a time, or on two cores, the second a part behind the first.
//!
//! Whatever is unusual about a file, also that it is broken, is left to `image`, which then says what is wrong.

mod bare;
mod chunks;
mod inflate;
mod smaller;
mod together;
mod unfilter;

use std::{
    sync::mpsc::{self, Receiver, TryRecvError},
    thread,
};

use fearless_simd::Level;

use chunks::Chunks;
use inflate::{Inflating, Part};

use crate::import::files::bytes::Bytes;

pub(in crate::import) use bare::{bare, longest, without_profiles};
pub(in crate::import) use smaller::{MAX_HALVINGS, Smaller};

/// Larger ones are left to `image` and its limits.
const LARGEST: usize = 256 << 20;

/// A usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) struct Shape {
    pub width: u32,
    pub height: u32,
    /// One for grey, three for colours, and with alpha four.
    pub channels: usize,
}

/// How many bits each channel has, as a PNG's header says; none of other files, and where it is cut off.
pub(in crate::import) fn bit_depth(bytes: &[u8]) -> Option<u8> {
    // Behind length and name of the first chunk, width and height (§11.2.1).
    bytes.strip_prefix(&chunks::SIGNATURE)?.get(16).copied()
}

/// A file that is a usual one, as far as the start of its data.
#[derive(Debug)]
pub(in crate::import) struct Opened<'b> {
    chunks: Chunks<'b>,
    shape: Shape,
}

/// Begins with a file, if it is a usual one.
pub(in crate::import) fn open(bytes: Bytes<'_>) -> Option<Opened<'_>> {
    let (chunks, shape) = Chunks::open(bytes)?;
    let side = |side| usize::try_from(side).ok();
    let row = side(shape.width)?.checked_mul(shape.channels)?;
    let total = row.checked_mul(side(shape.height)?)?;
    let is_usual = (1..=LARGEST).contains(&total);
    is_usual.then_some(Opened { chunks, shape })
}

impl<'b> Opened<'b> {
    pub(in crate::import) fn shape(&self) -> Shape {
        self.shape
    }

    /// The picture at a fraction of its size; none where that is not possible.
    pub(in crate::import) fn smaller(self, halvings: u32) -> Option<Smaller<'b>> {
        Smaller::new(self.chunks, self.shape, halvings)
    }

    /// The pixels, if nothing is wrong. `free_core` is asked now and then for a core on which another thread helps; what it
    /// gives is kept until that thread ends.
    pub(in crate::import) fn decode<C: Send>(
        self,
        free_core: &dyn Fn() -> Option<C>,
    ) -> Option<Vec<u8>> {
        decode(self.chunks, self.shape, free_core)
    }
}

fn decode<C: Send>(
    chunks: Chunks<'_>,
    shape: Shape,
    free_core: &dyn Fn() -> Option<C>,
) -> Option<Vec<u8>> {
    let (width, height) = (
        usize::try_from(shape.width).ok()?,
        usize::try_from(shape.height).ok()?,
    );
    let length = width.checked_mul(shape.channels)?;
    let total = length.checked_mul(height)?;
    let zeros = vec![0; length];
    let mut pixels = vec![0; total];
    let picture = Picture {
        level: Level::new(),
        channels: shape.channels,
        above: &zeros,
        rows: &mut pixels,
    };
    let inflating = Inflating::new(chunks, length.checked_add(1)?, height);
    thread::scope(|scope| work(scope, inflating, picture, free_core))?;
    Some(pixels)
}

/// What is not done yet of a picture.
struct Picture<'p> {
    level: Level,
    channels: usize,
    above: &'p [u8],
    rows: &'p mut [u8],
}

impl Picture<'_> {
    /// Takes the filters off the next rows.
    fn add(&mut self, filtered: &[u8]) -> Option<()> {
        let length = self.above.len();
        let count = filtered.len().checked_div(length.checked_add(1)?)?;
        let rows = std::mem::take(&mut self.rows);
        let (rows, rest) = rows.split_at_mut_checked(count.checked_mul(length)?)?;
        match self.channels {
            1 => unfilter::unfilter::<1>(self.level, filtered, self.above, rows)?,
            3 => unfilter::unfilter::<3>(self.level, filtered, self.above, rows)?,
            4 => unfilter::unfilter::<4>(self.level, filtered, self.above, rows)?,
            _ => return None,
        }
        if count > 0 {
            self.above = rows.get(rows.len().checked_sub(length)?..)?;
        }
        self.rows = rest;
        Some(())
    }
}

/// Inflates all of a picture, and takes off the filters here or, as soon as a core is free for that, there.
fn work<'scope, 'p: 'scope, C: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    mut inflating: Inflating<'_>,
    mut picture: Picture<'p>,
    free_core: &dyn Fn() -> Option<C>,
) -> Option<()> {
    loop {
        let (part, is_last) = inflating.next()?;
        if !is_last && let Some(core) = free_core() {
            return share(scope, inflating, part, picture, core);
        }
        picture.add(part.rows()?)?;
        if is_last {
            return Some(());
        }
        inflating.give_back(part);
    }
}

/// Goes on with another thread, on `core`, that takes off the filters.
fn share<'scope, 'p: 'scope, C: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    mut inflating: Inflating<'_>,
    mut part: Part,
    mut picture: Picture<'p>,
    core: C,
) -> Option<()> {
    let (sender, parts) = mpsc::sync_channel::<Part>(1);
    let (giver, given_back) = mpsc::channel();
    let helper = thread::Builder::new().name("image rows".to_owned());
    let helper = helper.spawn_scoped(scope, move || {
        let _core = core;
        while let Some(part) = soon(&parts) {
            let done = part.rows().and_then(|rows| picture.add(rows));
            if done.is_none() || giver.send(part).is_err() {
                return;
            }
        }
    });
    let helper = helper.ok()?;
    // A picture is whole when all parts of it came back.
    let (mut is_last, mut away) = (false, 0_usize);
    while sender.send(part).is_ok() {
        away = away.saturating_add(1);
        if is_last {
            break;
        }
        if let Ok(part) = given_back.try_recv() {
            away = away.saturating_sub(1);
            inflating.give_back(part);
        }
        match inflating.next() {
            Some(next) => (part, is_last) = next,
            None => break,
        }
    }
    drop(sender);
    while soon(&given_back).is_some() {
        away = away.saturating_sub(1);
    }
    // What is finished the scope does not wait for, in its sleep.
    let _ = look(|| helper.is_finished().then_some(()));
    (is_last && away == 0).then_some(())
}

/// How often somebody looks whether something has come before he sleeps: as long as it takes to inflate a part or two.
const LOOKS: usize = 1000;

/// What comes next; none when nothing more comes. To sleep and to be woken up for each part takes both threads longer than
/// to look again.
fn soon<T>(parts: &Receiver<T>) -> Option<T> {
    let found = look(|| match parts.try_recv() {
        Ok(part) => Some(Some(part)),
        Err(TryRecvError::Empty) => None,
        Err(TryRecvError::Disconnected) => Some(None),
    });
    found.unwrap_or_else(|| parts.recv().ok())
}

/// What comes of looking for it some times.
fn look<T>(mut for_it: impl FnMut() -> Option<T>) -> Option<T> {
    (0..LOOKS).find_map(|_| {
        let found = for_it();
        if found.is_none() {
            thread::yield_now();
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use image::{
        ExtendedColorType, ImageEncoder as _,
        codecs::png::{CompressionType, FilterType, PngEncoder},
    };

    use super::*;

    fn encoded(shape: Shape, filter: FilterType, compression: CompressionType) -> Vec<u8> {
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 30) as u8
        };
        let row = shape.width as usize * shape.channels;
        let pixels = (0..row * shape.height as usize)
            .map(|i| (i % row / 3) as u8 ^ (i / row) as u8 & 0xf8 | noise());
        let pixels: Vec<u8> = pixels.collect();
        let color = match shape.channels {
            1 => ExtendedColorType::L8,
            3 => ExtendedColorType::Rgb8,
            _ => ExtendedColorType::Rgba8,
        };
        let mut png = Vec::new();
        PngEncoder::new_with_quality(&mut png, compression, filter)
            .write_image(&pixels, shape.width, shape.height, color)
            .unwrap();
        png
    }

    /// What comes out, if it has this shape.
    fn decode<C: Send>(
        png: &[u8],
        shape: Shape,
        free_core: &dyn Fn() -> Option<C>,
    ) -> Option<Vec<u8>> {
        let opened = open(Bytes::Memory(png))?;
        (opened.shape() == shape).then_some(())?;
        opened.decode(free_core)
    }

    fn theirs(png: &[u8]) -> Option<Vec<u8>> {
        Some(image::load_from_memory(png).ok()?.into_bytes())
    }

    #[test]
    fn pictures_are_what_the_image_crate_makes_of_them() {
        let filters = [
            FilterType::NoFilter,
            FilterType::Sub,
            FilterType::Up,
            FilterType::Avg,
            FilterType::Paeth,
            FilterType::Adaptive,
        ];
        let sizes = [(1, 1), (2, 3), (7, 40), (301, 9), (900, 700)];
        for (width, height) in sizes {
            for channels in [1, 3, 4] {
                let shape = Shape {
                    width,
                    height,
                    channels,
                };
                for filter in filters {
                    for compression in [CompressionType::Fast, CompressionType::Default] {
                        let png = encoded(shape, filter, compression);
                        let expected = theirs(&png);
                        assert!(expected.is_some());
                        for is_core_free in [false, true] {
                            let ours = decode(&png, shape, &|| is_core_free.then_some(()));
                            assert!(ours == expected, "{shape:?} {filter:?} {is_core_free}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn smaller_pictures_are_means() {
        for (width, height) in [(1, 1), (2, 3), (7, 40), (301, 9), (64, 64)] {
            for (channels, halvings) in [(1, 1), (3, 1), (4, 1), (3, 2), (4, 5)] {
                let shape = Shape {
                    width,
                    height,
                    channels,
                };
                let png = encoded(shape, FilterType::Adaptive, CompressionType::Fast);
                let whole = theirs(&png).unwrap();
                let smaller = open(Bytes::Memory(&png)).unwrap();
                let smaller = smaller.smaller(halvings).unwrap();
                let (columns, rows) = smaller.size();
                let (columns, rows) = (columns as usize, rows as usize);
                let ours = smaller.decode().unwrap();
                let step = 1 << halvings;
                assert_eq!(columns, (width as usize / step).max(1));
                let mut sums = vec![(0, 0); columns * rows * channels];
                for (place, byte) in whole.iter().enumerate() {
                    let pixel = place / channels;
                    let (x, y) = (pixel % width as usize, pixel / width as usize);
                    let (x, y) = ((x / step).min(columns - 1), (y / step).min(rows - 1));
                    let sum = &mut sums[(y * columns + x) * channels + place % channels];
                    *sum = (sum.0 + u32::from(*byte), sum.1 + 1);
                }
                let means = sums
                    .iter()
                    .map(|(sum, count)| ((sum + count / 2) / count) as u8);
                assert!(ours == means.collect::<Vec<_>>(), "{shape:?} {halvings}");
            }
        }
    }

    #[test]
    fn what_is_broken_or_unusual_is_left_to_others() {
        let shape = Shape {
            width: 9,
            height: 8,
            channels: 4,
        };
        let png = encoded(shape, FilterType::Adaptive, CompressionType::Default);
        let never = || None::<()>;
        let data = png.windows(4).position(|it| it == b"IDAT").unwrap() - 4;
        let with = |chunk: &[u8]| [&png[..data], chunk, &png[data..]].concat();
        let chunk = |kind: &[u8; 4], content: &[u8]| {
            let mut crc = flate2::Crc::new();
            crc.update(kind);
            crc.update(content);
            let length = (content.len() as u32).to_be_bytes();
            [&length, &kind[..], content, &crc.sum().to_be_bytes()].concat()
        };
        assert!(decode(&with(&chunk(b"pHYs", &[0; 9])), shape, &never).is_some());
        let empty = with(&chunk(b"IDAT", b"").repeat(3));
        assert!(decode(&empty, shape, &never).is_some());
        let mut empty = png.clone();
        empty[16..20].fill(0);
        let sum = chunk(b"IHDR", &empty[16..29])[21..].to_vec();
        empty[29..33].copy_from_slice(&sum);
        assert!(decode(&empty, Shape { width: 0, ..shape }, &never).is_none());
        for odd in [
            chunk(b"acTL", &[0; 8]),
            chunk(b"tRNS", &[0; 6]),
            chunk(b"ABCD", b""),
            chunk(b"\x83BCD", b""),
        ] {
            assert!(decode(&with(&odd), shape, &never).is_none());
        }
        for length in 0..png.len() - 12 {
            assert!(decode(&png[..length], shape, &never).is_none(), "{length}");
        }
        for other in [
            Shape { width: 0, ..shape },
            Shape { width: 8, ..shape },
            Shape { height: 9, ..shape },
            Shape {
                channels: 3,
                ..shape
            },
        ] {
            assert!(decode(&png, other, &never).is_none());
        }
    }

    /// Streams that are broken behind checksums that are right: if something comes out, it is what others make of it.
    #[test]
    fn broken_streams_are_as_broken_for_all() {
        let shape = Shape {
            width: 300,
            height: 250,
            channels: 3,
        };
        let png = encoded(shape, FilterType::Paeth, CompressionType::Default);
        let data = png.windows(4).position(|it| it == b"IDAT").unwrap() + 4;
        let length = u32::from_be_bytes(*png[data - 8..].first_chunk().unwrap()) as usize;
        let (mut whole, mut state) = (0, 5_u32);
        for round in 0..400 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut broken = png.clone();
            let place = match round {
                0..40 => round,
                40..60 => length - 1 - (round - 40),
                _ => (state >> 8) as usize % length,
            };
            broken[data + place] ^= 1 << (state >> 5 & 7);
            let mut crc = flate2::Crc::new();
            crc.update(&broken[data - 4..data + length]);
            broken[data + length..][..4].copy_from_slice(&crc.sum().to_be_bytes());
            for is_core_free in [false, true] {
                if let Some(ours) = decode(&broken, shape, &|| is_core_free.then_some(())) {
                    assert!(theirs(&broken) == Some(ours), "{round} {place}");
                    whole += 1;
                }
            }
        }
        assert!(whole > 0, "the checksum at the end does not count");
    }
}
