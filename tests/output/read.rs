//! Reads animations: every frame as it is seen, and how long.

use std::{fs, path::Path, time::Duration};

use image::{AnimationDecoder as _, RgbaImage};

/// What an animation shows, and for how many seconds.
pub(crate) struct Seen {
    pub(crate) picture: RgbaImage,
    pub(crate) secs: f64,
}

pub(crate) fn apng(path: &Path) -> Vec<Seen> {
    let bytes = std::io::Cursor::new(fs::read(path).unwrap());
    let decoder = image::codecs::png::PngDecoder::new(bytes).unwrap();
    seen(decoder.apng().unwrap().into_frames())
}

pub(crate) fn webp(path: &Path) -> Vec<Seen> {
    let bytes = std::io::Cursor::new(fs::read(path).unwrap());
    let decoder = image::codecs::webp::WebPDecoder::new(bytes).unwrap();
    seen(decoder.into_frames())
}

fn seen(frames: image::Frames<'_>) -> Vec<Seen> {
    frames
        .map(|frame| {
            let frame = frame.unwrap();
            let secs = Duration::from(frame.delay()).as_secs_f64();
            Seen {
                picture: frame.into_buffer(),
                secs,
            }
        })
        .collect()
}

/// Of a GIF each frame is put over what is left of those before.
pub(crate) fn gif(path: &Path) -> Vec<Seen> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(path).unwrap()).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let size = [decoder.width(), decoder.height()].map(u32::from);
    let mut canvas = RgbaImage::new(size[0], size[1]);
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (u32::from(frame.left), u32::from(frame.top));
        let mut cleared = canvas.clone();
        for (index, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (
                left + index as u32 % u32::from(frame.width),
                top + index as u32 / u32::from(frame.width),
            );
            if pixel[3] > 0 {
                canvas.put_pixel(x, y, image::Rgba(*pixel));
            }
            cleared.put_pixel(x, y, image::Rgba([0; 4]));
        }
        all.push(Seen {
            picture: canvas.clone(),
            secs: f64::from(frame.delay) / 100.0,
        });
        if frame.dispose == gif::DisposalMethod::Background {
            canvas = cleared;
        }
    }
    all
}
