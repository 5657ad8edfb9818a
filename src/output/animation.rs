//! Many frames in one file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::{Kind, PartFile, apng::ApngFrames, gif::GifFrames, webp::WebPFrames};
use crate::{model::Keyed as _, render::Picture};

/// What is known of an animation before its first frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Animation {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// How many frames there will be.
    pub frames: u32,
    /// Frames a second.
    pub fps: f64,
    /// Whether pixels may be transparent.
    pub is_transparent: bool,
    /// Whether it begins again at its end, for ever; else its last frame stays.
    pub repeats: bool,
}

/// How long once around takes where nothing else says it, in seconds.
pub const TURN_SECS: f64 = 4.0;

/// Some of the frames of an animation: those that say which colours a GIF needs.
pub fn color_samples(frames: u32) -> impl Iterator<Item = u32> + Clone {
    // What is to be seen for half a second of twenty has its colours then.
    const MOST: u32 = 48;
    spread(frames, MOST)
}

/// How large these pictures need be, in pixels: like the frames, but not above 40,000.
pub fn color_sample_size(size: [u32; 2]) -> [u32; 2] {
    const MAX_PIXELS: f64 = 40_000.0;
    let [width, height] = size.map(f64::from);
    let factor = (MAX_PIXELS / (width * height)).sqrt().min(1.0);
    size.map(|side| ((f64::from(side) * factor) as u32).max(1))
}

/// `most` of so many frames, or all, evenly spread; the first and the last are among them.
pub fn spread(frames: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let (count, last) = (frames.min(most).max(1), u64::from(frames.max(1) - 1));
    let steps = u64::from(count.max(2) - 1);
    (0..u64::from(count)).map(move |step| (step * last / steps) as u32)
}

/// Writes an animation frame by frame.
#[derive(Debug)]
pub struct AnimationWriter {
    path: PathBuf,
    animation: Animation,
    pushed: u32,
    frames: Frames,
    file: PartFile,
}

#[derive(Debug)]
enum Frames {
    Gif(Box<GifFrames>),
    WebP(WebPFrames),
    Apng(Box<ApngFrames>),
}

impl AnimationWriter {
    /// Begins a file. `samples` are some of the frames, of any size: a GIF has the colours that these need.
    pub fn create(
        path: &Path,
        kind: Kind,
        animation: Animation,
        samples: &[Picture],
    ) -> anyhow::Result<Self> {
        ensure!(
            kind.holds_motion(),
            "{} cannot hold several frames",
            kind.key()
        );
        kind.check_size(animation.size)?;
        if let Some(words) = slow_words(kind, animation.fps) {
            log::warn!("{words}");
        }
        let file = PartFile::create(path)?;
        let sink = file.sink();
        let frames = match kind {
            Kind::Gif => GifFrames::begin(sink, animation, samples).map(|f| Frames::Gif(f.into())),
            Kind::WebP => WebPFrames::begin(sink, animation).map(Frames::WebP),
            _ => ApngFrames::begin(sink, animation).map(|f| Frames::Apng(f.into())),
        };
        Ok(Self {
            frames: frames.with_context(|| format!("{} cannot be written", path.display()))?,
            path: path.to_owned(),
            animation,
            pushed: 0,
            file,
        })
    }

    /// Writes the next frame.
    pub fn push(&mut self, picture: &Picture) -> anyhow::Result<()> {
        ensure!(
            [picture.width, picture.height] == self.animation.size,
            "a frame has another size than its animation"
        );
        self.pushed += 1;
        match &mut self.frames {
            Frames::Gif(frames) => frames.push(picture),
            Frames::WebP(frames) => frames.push(picture),
            Frames::Apng(frames) => frames.push(picture),
        }
        .with_context(|| format!("{} cannot be written", self.path.display()))
    }

    /// Ends the file, which is there from now on.
    pub fn finish(self) -> anyhow::Result<()> {
        ensure!(
            self.pushed == self.animation.frames,
            "{} frames were announced, and {} came",
            self.animation.frames,
            self.pushed
        );
        match self.frames {
            Frames::Gif(frames) => frames.finish(),
            Frames::WebP(frames) => frames.finish(),
            Frames::Apng(frames) => frames.finish(),
        }
        .with_context(|| format!("{} cannot be written", self.path.display()))?;
        self.file.finish()
    }
}

/// What to know of frames that browsers show for longer than the file says: those of 10 ms or less. GIFs count whole hundredths
/// of a second, WebP whole milliseconds, and of what APNG counts browsers leave parts of them away. None at rates that they
/// keep to.
fn slow_words(kind: Kind, fps: f64) -> Option<&'static str> {
    match kind {
        Kind::Gif => (fps > 50.0).then_some(
            "browsers show GIF frames of less than 20 ms for 100 ms: use 50 frames a second or fewer",
        ),
        _ => (fps > 1000.0 / 11.0).then_some(
            "browsers show frames of 10 ms or less for 100 ms: use 90 frames a second or fewer",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_at_which_rates_browsers_are_slow() {
        let is_said = |kind, fps| slow_words(kind, fps).is_some();
        assert_eq!(
            [50.0, 60.0].map(|fps| is_said(Kind::Gif, fps)),
            [false, true]
        );
        for kind in [Kind::WebP, Kind::Apng] {
            let said = [60.0, 90.0, 90.9, 91.0, 100.0].map(|fps| is_said(kind, fps));
            assert_eq!(said, [false, false, false, true, true], "{kind:?}");
        }
    }

    #[test]
    fn spread_frames_have_both_ends() {
        let frames = |frames, most| spread(frames, most).collect::<Vec<_>>();
        assert_eq!(frames(10, 4), [0, 3, 6, 9]);
        assert_eq!(frames(3, 64), [0, 1, 2]);
        assert_eq!(frames(1, 8), [0]);
        assert_eq!(frames(100, 2), [0, 99]);
    }

    #[test]
    fn samples_are_small_and_of_the_same_shape() {
        assert_eq!(color_sample_size([100, 50]), [100, 50]);
        assert_eq!(color_sample_size([800, 200]), [400, 100]);
        assert_eq!(color_sample_size([8192, 1]), [8192, 1]);
        assert_eq!(color_sample_size([80_000, 1]), [56_568, 1]);
    }

    /// What formats say of how often they are played.
    #[test]
    fn what_does_not_repeat_is_played_once() {
        let after = |bytes: &[u8], name: &[u8], offset: usize| {
            let at = bytes.windows(name.len()).position(|it| it == name)?;
            bytes.get(at + name.len() + offset).copied()
        };
        for repeats in [true, false] {
            for kind in [Kind::Gif, Kind::WebP, Kind::Apng] {
                let name = format!("rigscope-{}-{repeats}.{}", std::process::id(), kind.key());
                let path = std::env::temp_dir().join(name);
                let animation = Animation {
                    size: [2, 2],
                    frames: 2,
                    fps: 10.0,
                    is_transparent: false,
                    repeats,
                };
                let pictures = [0, 255].map(|value| Picture {
                    width: 2,
                    height: 2,
                    rgba8: [value, 0, 0, 255].repeat(4),
                });
                let writer = AnimationWriter::create(&path, kind, animation, &pictures);
                let mut writer = writer.unwrap();
                for picture in &pictures {
                    writer.push(picture).unwrap();
                }
                writer.finish().unwrap();
                let bytes = std::fs::read(&path).unwrap();
                std::fs::remove_file(&path).unwrap();
                let found = match kind {
                    Kind::Gif => after(&bytes, b"NETSCAPE2.0", 2),
                    // After the chunk's length and a colour.
                    Kind::WebP => after(&bytes, b"ANIM", 8),
                    // The last byte of a number, after that of frames.
                    _ => after(&bytes, b"acTL", 7),
                };
                let expected = match (kind, repeats) {
                    (Kind::Gif, false) => None,
                    _ => Some(u8::from(!repeats)),
                };
                assert_eq!(found, expected, "{kind:?} {repeats}");
            }
        }
    }
}
