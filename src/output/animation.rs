//! Many frames in one file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::{Kind, PartFile, apng::ApngFrames, gif::GifFrames, webp::WebPFrames};
use crate::render::Picture;

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
}

/// Writes an animation frame by frame; it repeats for ever.
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
            kind.name()
        );
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
            "a frame is as large as its animation"
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
