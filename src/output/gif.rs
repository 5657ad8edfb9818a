//! Animated GIF (GIF89a): one table of colours for all frames, of which only what changes is written.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::{
    Animation, Ticks,
    change::Rectangle,
    color_table::{ColorTable, TRANSPARENT},
    part_file::FileSink,
};
use crate::render::Picture;

pub(super) struct GifFrames {
    animation: Animation,
    colors: ColorTable,
    encoder: Encoder<FileSink>,
    ticks: Ticks,
    /// Not of transparent animations, whose frames go away before the next.
    last: Option<Vec<u8>>,
}

impl std::fmt::Debug for GifFrames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GifFrames").finish_non_exhaustive()
    }
}

impl GifFrames {
    pub(super) fn begin(
        sink: FileSink,
        animation: Animation,
        samples: &[Picture],
    ) -> anyhow::Result<Self> {
        let [width, height] = animation.size;
        let (width, height) = (side(width)?, side(height)?);
        let colors = ColorTable::new(samples);
        let mut encoder = Encoder::new(sink, width, height, &colors.bytes()).map_err(reason)?;
        // Who is told of no repetition plays it once.
        if animation.repeats {
            encoder.set_repeat(Repeat::Infinite).map_err(reason)?;
        }
        Ok(Self {
            animation,
            colors,
            encoder,
            ticks: Ticks::new(animation.fps, 100.0),
            last: None,
        })
    }

    pub(super) fn push(&mut self, picture: &Picture) -> anyhow::Result<()> {
        let size = self.animation.size;
        let now = self.colors.indices(picture);
        let part = match &self.last {
            Some(last) => Rectangle::around(size, 1, |index| last[index] != now[index]),
            None if self.animation.is_transparent => {
                Rectangle::around(size, 1, |index| now[index] != TRANSPARENT)
            }
            None => Rectangle::whole(size),
        };
        let mut buffer = part.cut(&now, size[0]);
        if let Some(last) = &self.last {
            for (index, before) in buffer.iter_mut().zip(part.cut(last, size[0])) {
                if *index == before {
                    *index = TRANSPARENT;
                }
            }
        }
        let frame = Frame {
            delay: u16::try_from(self.ticks.next_frame()).unwrap_or(u16::MAX),
            dispose: if self.animation.is_transparent {
                DisposalMethod::Background
            } else {
                DisposalMethod::Keep
            },
            transparent: Some(TRANSPARENT),
            left: side(part.left)?,
            top: side(part.top)?,
            width: side(part.width)?,
            height: side(part.height)?,
            buffer: buffer.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(reason)?;
        self.last = (!self.animation.is_transparent).then_some(now);
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.encoder.into_inner()?;
        Ok(())
    }
}

/// What went wrong, said once: these errors repeat the words of what they come from.
fn reason(error: EncodingError) -> anyhow::Error {
    match error {
        EncodingError::Io(error) => error.into(),
        other => other.into(),
    }
}

fn side(pixels: u32) -> anyhow::Result<u16> {
    Ok(u16::try_from(pixels)?)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_reason_is_said_once() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let words = full.to_string();
        let error = reason(EncodingError::Io(full));
        assert_eq!(format!("{error:#}"), words);
    }
}
