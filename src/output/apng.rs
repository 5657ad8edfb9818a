//! Animated PNG (PNG specification, third edition, §11.3.6): without loss, with alpha.

use png::{BitDepth, BlendOp, ColorType, DisposeOp, Encoder, Writer};

use super::{
    Animation, Ticks,
    change::{Rectangle, pixels},
    part_file::FileSink,
};
use crate::render::Picture;

pub(super) struct ApngFrames {
    animation: Animation,
    writer: Writer<FileSink>,
    /// Of frame rates that are not whole.
    ticks: Option<(Ticks, u16)>,
    last: Option<Vec<u8>>,
}

impl std::fmt::Debug for ApngFrames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApngFrames").finish_non_exhaustive()
    }
}

impl ApngFrames {
    pub(super) fn begin(sink: FileSink, animation: Animation) -> anyhow::Result<Self> {
        let [width, height] = animation.size;
        let mut encoder = Encoder::new(sink, width, height);
        encoder.set_color(if animation.is_transparent {
            ColorType::Rgba
        } else {
            ColorType::Rgb
        });
        encoder.set_depth(BitDepth::Eight);
        // How often it is played; 0 is for ever.
        encoder.set_animated(animation.frames, u32::from(!animation.repeats))?;
        encoder.set_blend_op(BlendOp::Source)?;
        encoder.set_dispose_op(DisposeOp::None)?;
        // A delay is a fraction of two 16-bit numbers: 1 / fps, or else ticks of 0.1 ms (of 1 ms where frames are long).
        let fps = animation.fps;
        let is_whole = fps.fract() == 0.0 && fps <= f64::from(u16::MAX);
        let ticks = (!is_whole).then(|| {
            let ticks_a_sec = if fps < 1.0 { 1000 } else { 10_000_u16 };
            (Ticks::new(fps, f64::from(ticks_a_sec)), ticks_a_sec)
        });
        if ticks.is_none() {
            encoder.set_frame_delay(1, fps as u16)?;
        }
        Ok(Self {
            animation,
            writer: encoder.write_header()?,
            ticks,
            last: None,
        })
    }

    pub(super) fn push(&mut self, picture: &Picture) -> anyhow::Result<()> {
        let size = self.animation.size;
        let now = pixels(&picture.rgba8);
        // The first frame is the picture for those who know no animations, and whole.
        let part = match &self.last {
            None => Rectangle::whole(size),
            Some(last) => {
                let last = pixels(last);
                Rectangle::around(size, 1, |index| last[index] != now[index])
            }
        };
        if let Some((ticks, ticks_a_sec)) = &mut self.ticks {
            let delay = u16::try_from(ticks.next_frame()).unwrap_or(u16::MAX);
            self.writer.set_frame_delay(delay, *ticks_a_sec)?;
        }
        if self.last.is_some() {
            // Whichever is set first must fit beside what the other was for the frame before.
            self.writer.reset_frame_position()?;
            self.writer.set_frame_dimension(part.width, part.height)?;
            self.writer.set_frame_position(part.left, part.top)?;
        }
        let cut = part.cut(now, size[0]);
        if self.animation.is_transparent {
            self.writer.write_image_data(cut.as_flattened())?;
        } else {
            let rgb: Vec<u8> = cut
                .iter()
                .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect();
            self.writer.write_image_data(&rgb)?;
        }
        let last = self.last.get_or_insert_default();
        last.clone_from(&picture.rgba8);
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        Ok(self.writer.finish()?)
    }
}
