//! Pictures without a window: draw into a texture and read it back.

use std::fmt;

use anyhow::Context as _;

use crate::{
    model::Model,
    render::{Destination, Gpu, Pair, Renderer, SceneTarget, Viewport},
    scene::Frame,
};

/// A picture in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Row by row from the top: red, green, blue (sRGB), alpha (not premultiplied).
    pub rgba8: Vec<u8>,
}

/// The graphics device has no room for a picture of this size.
#[derive(Debug)]
pub struct PictureTooLarge {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// What the device says.
    pub reason: String,
}

impl fmt::Display for PictureTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([width, height], reason) = (self.size, &self.reason);
        write!(
            f,
            "a picture of {width} × {height} is too large for the graphics device: {reason}"
        )
    }
}

impl std::error::Error for PictureTooLarge {}

impl Picture {
    /// The format that renderers must be made for whose pictures are to be read back.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// Draws `frame` at `size` in pixels and waits for the picture. What it is drawn into stays with the renderer for the next
    /// one of that size.
    ///
    /// Fails if the size is more than the device can draw, or if the device is lost.
    pub fn draw(
        gpu: &Gpu,
        renderer: &mut Renderer,
        model: &Model,
        frame: &Frame<'_>,
        size: [u32; 2],
    ) -> anyhow::Result<Self> {
        let mut canvas = renderer.take_canvas(gpu, size)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        canvas.scene.resize(gpu, size);
        let into = Destination {
            scene: &canvas.scene,
            output: &canvas.view,
            viewport: canvas.viewport(),
        };
        renderer.draw(gpu, &mut encoder, model, frame, into);
        canvas.read(gpu, encoder, renderer)
    }

    /// Draws two subjects into one picture of `size` and waits for it; fails like [`Picture::draw`].
    pub fn draw_pair(
        gpu: &Gpu,
        renderer: &mut Renderer,
        pair: &Pair<'_>,
        size: [u32; 2],
    ) -> anyhow::Result<Self> {
        let mut canvas = renderer.take_canvas(gpu, size)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let viewport = canvas.viewport();
        let (scene, output) = (&mut canvas.scene, &canvas.view);
        renderer.draw_pair(gpu, &mut encoder, pair, scene, output, viewport);
        canvas.read(gpu, encoder, renderer)
    }
}

/// What pictures of one size are drawn into, and read back from.
#[derive(Debug)]
pub(in crate::render) struct Canvas {
    size: [u32; 2],
    /// Of pairs it may have the size of a part.
    scene: SceneTarget,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    buffer: wgpu::Buffer,
    row_bytes: u32,
}

impl Canvas {
    /// Fails if the size is more than the device can draw.
    fn new(gpu: &Gpu, size: [u32; 2]) -> anyhow::Result<Self> {
        let [width, height] = size;
        let largest = gpu.device.limits().max_texture_dimension_2d;
        anyhow::ensure!(
            (1..=largest).contains(&width) && (1..=largest).contains(&height),
            "a picture of {width} × {height} is not possible: the adapter draws from 1 × 1 to {largest} × {largest}"
        );
        let has_failed = gpu.first_error().is_some();
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Canvas::texture"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Picture::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        // Rows in a buffer begin at multiples of 256 bytes.
        let row_bytes = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let canvas = Self {
            size,
            scene: SceneTarget::new(gpu, size),
            view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
            texture,
            buffer: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("Canvas::buffer"),
                size: u64::from(row_bytes) * u64::from(height),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            row_bytes,
        };
        match gpu.first_error() {
            Some(reason) if !has_failed => anyhow::bail!(PictureTooLarge { size, reason }),
            _ => Ok(canvas),
        }
    }

    fn viewport(&self) -> Viewport {
        let [width, height] = self.size;
        Viewport {
            x: 0,
            y: 0,
            width,
            height,
        }
    }

    /// Submits what was drawn on it, waits for the picture, and stays with the renderer if nothing went wrong.
    fn read(
        self,
        gpu: &Gpu,
        mut encoder: wgpu::CommandEncoder,
        renderer: &mut Renderer,
    ) -> anyhow::Result<Picture> {
        let [width, height] = self.size;
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.row_bytes),
                    rows_per_image: Some(height),
                },
            },
            self.texture.size(),
        );
        gpu.queue.submit([encoder.finish()]);
        let rgba8 = read_buffer(gpu, &self.buffer, |bytes| {
            let row = 4 * width as usize;
            let mut rgba8 = Vec::with_capacity(row * height as usize);
            for padded in bytes.chunks_exact(self.row_bytes as usize) {
                rgba8.extend_from_slice(&padded[..row]);
            }
            rgba8
        })?;
        renderer.canvas = Some(self);
        Ok(Picture {
            width,
            height,
            rgba8,
        })
    }
}

impl Renderer {
    /// The canvas of the last picture if it has this size, or another.
    fn take_canvas(&mut self, gpu: &Gpu, size: [u32; 2]) -> anyhow::Result<Canvas> {
        let kept = self.canvas.take().filter(|canvas| canvas.size == size);
        kept.map_or_else(|| Canvas::new(gpu, size), Ok)
    }
}

/// Waits for all work and returns what `take` takes of a mappable buffer. Fails if the device refused any of the work: the
/// result would be wrong, and nobody would know.
pub(in crate::render) fn read_buffer<T>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    take: impl FnOnce(&[u8]) -> T,
) -> anyhow::Result<T> {
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // Nobody waits any more if the receiver is gone.
        let _ = sender.send(result);
    });
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .context("the graphics device does not answer")?;
    receiver
        .recv()
        .context("the graphics device does not answer")?
        .context("the result cannot be read back from the graphics device")?;
    let taken = take(
        &buffer
            .get_mapped_range(..)
            .context("the result cannot be read back from the graphics device")?,
    );
    buffer.unmap();
    if let Some(error) = gpu.first_error() {
        anyhow::bail!("the graphics device refused: {error}");
    }
    Ok(taken)
}
