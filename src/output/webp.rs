//! Animated WebP without loss: frames by image-webp, in the container of RFC 9649 §2.7.

use std::io::Write as _;

use anyhow::{Context as _, ensure};
use image_webp::{ColorType, WebPEncoder};

use super::{
    Animation, Ticks,
    change::{Rectangle, pixels},
    part_file::FileSink,
};
use crate::render::Picture;

#[derive(Debug)]
pub(super) struct WebPFrames {
    animation: Animation,
    sink: FileSink,
    ticks: Ticks,
    bytes: u64,
    last: Option<Vec<u8>>,
}

impl WebPFrames {
    pub(super) fn begin(sink: FileSink, animation: Animation) -> anyhow::Result<Self> {
        let [width, height] = animation.size;
        let mut this = Self {
            animation,
            sink,
            ticks: Ticks::new(animation.fps, 1000.0),
            bytes: 0,
            last: None,
        };
        // The size of it all follows at the end.
        this.write(b"RIFF\0\0\0\0WEBP")?;
        let (is_animated, has_alpha) = (1 << 1, u8::from(animation.is_transparent) << 4);
        let mut header = vec![is_animated | has_alpha, 0, 0, 0];
        header.extend(three_bytes(width - 1));
        header.extend(three_bytes(height - 1));
        this.chunk(b"VP8X", &header)?;
        // A background that nobody need heed, and how often it is played; 0 is for ever.
        let plays = u8::from(!animation.repeats);
        this.chunk(b"ANIM", &[0, 0, 0, 0, plays, 0])?;
        Ok(this)
    }

    pub(super) fn push(&mut self, picture: &Picture) -> anyhow::Result<()> {
        let size = self.animation.size;
        let now = pixels(&picture.rgba8);
        let part = match &self.last {
            None => Rectangle::whole(size),
            Some(last) => {
                let last = pixels(last);
                // Frames begin at even pixels.
                Rectangle::around(size, 2, |index| last[index] != now[index])
            }
        };
        let duration = u32::try_from(self.ticks.next_frame()).unwrap_or(u32::MAX);
        let mut frame = Vec::new();
        for number in [part.left / 2, part.top / 2, part.width - 1, part.height - 1] {
            frame.extend(three_bytes(number));
        }
        frame.extend(three_bytes(duration.min(0x00ff_ffff)));
        // It stays, and replaces what was there before, alpha and all.
        let do_not_blend = 1 << 1;
        frame.push(do_not_blend);
        let cut = part.cut(now, size[0]);
        let bits = encode(&cut, &part, self.animation.is_transparent)?;
        push_chunk(b"VP8L", &bits, &mut frame);
        let last = self.last.get_or_insert_default();
        last.clone_from(&picture.rgba8);
        self.chunk(b"ANMF", &frame)
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let size = u32::try_from(self.bytes - 8).context("WebP files have at most 4 GiB")?;
        Ok(self.sink.write_over(4, &size.to_le_bytes())?)
    }

    fn chunk(&mut self, name: &[u8; 4], content: &[u8]) -> anyhow::Result<()> {
        let mut chunk = Vec::with_capacity(content.len() + 9);
        push_chunk(name, content, &mut chunk);
        self.write(&chunk)
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.bytes += bytes.len() as u64;
        Ok(self.sink.write_all(bytes)?)
    }
}

/// The VP8L stream of a picture.
fn encode(pixels: &[[u8; 4]], part: &Rectangle, has_alpha: bool) -> anyhow::Result<Vec<u8>> {
    let mut file = Vec::new();
    let encoder = WebPEncoder::new(&mut file);
    if has_alpha {
        let rgba = pixels.as_flattened();
        encoder.encode(rgba, part.width, part.height, ColorType::Rgba8)?;
    } else {
        let rgb: Vec<u8> = pixels
            .iter()
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect();
        encoder.encode(&rgb, part.width, part.height, ColorType::Rgb8)?;
    }
    // A file without metadata has one chunk: RIFF, size, WEBP, VP8L, size, stream.
    let header = file.get(8..16);
    ensure!(
        header == Some(b"WEBPVP8L"),
        "the WebP encoder wrote no plain file"
    );
    let length = file.get(16..20).and_then(|bytes| bytes.try_into().ok());
    let length = length.map_or(0, u32::from_le_bytes) as usize;
    let stream = file.get(20..20 + length);
    Ok(stream.context("the WebP encoder wrote no stream")?.to_vec())
}

fn push_chunk(name: &[u8; 4], content: &[u8], into: &mut Vec<u8>) {
    into.extend_from_slice(name);
    into.extend_from_slice(&(content.len() as u32).to_le_bytes());
    into.extend_from_slice(content);
    if content.len() % 2 == 1 {
        into.push(0);
    }
}

fn three_bytes(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}
