//! Pictures without a window: draw into a texture and read it back.

use anyhow::Context as _;

use super::{Destination, Gpu, Pair, Renderer, SceneTarget, Viewport};
use crate::{model::Model, scene::Frame};

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

impl Picture {
    /// The format that renderers must be made for whose pictures are to be read back.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// Draws `frame` at `size` in pixels and waits for the picture.
    ///
    /// Fails if the size is more than the device can draw, or if the device is lost.
    pub fn draw(
        gpu: &Gpu,
        renderer: &mut Renderer,
        model: &Model,
        frame: &Frame<'_>,
        size: [u32; 2],
    ) -> anyhow::Result<Self> {
        Self::record(gpu, size, |encoder, target, output, viewport| {
            let into = Destination {
                scene: target,
                output,
                viewport,
            };
            renderer.draw(gpu, encoder, model, frame, into);
        })
    }

    /// Draws two subjects into one picture of `size` and waits for it; fails like [`Picture::draw`].
    pub fn draw_pair(
        gpu: &Gpu,
        renderer: &mut Renderer,
        pair: &Pair<'_>,
        size: [u32; 2],
    ) -> anyhow::Result<Self> {
        Self::record(gpu, size, |encoder, target, output, viewport| {
            renderer.draw_pair(gpu, encoder, pair, target, output, viewport);
        })
    }

    /// A picture of what `record` records.
    fn record(
        gpu: &Gpu,
        size: [u32; 2],
        record: impl FnOnce(&mut wgpu::CommandEncoder, &mut SceneTarget, &wgpu::TextureView, Viewport),
    ) -> anyhow::Result<Self> {
        let [width, height] = size;
        let largest = gpu.device.limits().max_texture_dimension_2d;
        anyhow::ensure!(
            (1..=largest).contains(&width) && (1..=largest).contains(&height),
            "a picture of {width} × {height} is not possible: the adapter draws from 1 × 1 to {largest} × {largest}"
        );
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("Picture::texture"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut target = SceneTarget::new(gpu, size);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let viewport = Viewport {
            x: 0,
            y: 0,
            width,
            height,
        };
        record(&mut encoder, &mut target, &view, viewport);
        // Rows in a buffer begin at multiples of 256 bytes.
        let row_bytes = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Picture::buffer"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes),
                    rows_per_image: Some(height),
                },
            },
            texture.size(),
        );
        gpu.queue.submit([encoder.finish()]);
        let bytes = read_buffer(gpu, &buffer)?;
        let rows = bytes.chunks_exact(row_bytes as usize);
        let rgba8 = rows
            .flat_map(|row| &row[..4 * width as usize])
            .copied()
            .collect();
        Ok(Self {
            width,
            height,
            rgba8,
        })
    }
}

/// Waits for all work and returns what a mappable buffer holds. Fails if the device refused any of the work: the result
/// would be wrong, and nobody would know.
pub(super) fn read_buffer(gpu: &Gpu, buffer: &wgpu::Buffer) -> anyhow::Result<Vec<u8>> {
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
    let bytes = buffer
        .get_mapped_range(..)
        .context("the result cannot be read back from the graphics device")?
        .to_vec();
    buffer.unmap();
    if let Some(error) = gpu.first_error() {
        anyhow::bail!("the graphics device refused: {error}");
    }
    Ok(bytes)
}
