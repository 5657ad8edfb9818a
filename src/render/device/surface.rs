//! A window's surface: configured, reconfigured, and what to do when it cannot be had.

use crate::render::{Gpu, GpuError};

/// A surface that is configured for a device.
#[derive(Debug)]
pub struct WindowSurface {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
}

/// What asking a surface for its next texture gave.
#[derive(Debug)]
pub enum Acquired {
    /// Draw into it, then present it.
    Texture(wgpu::SurfaceTexture),
    /// Not now: the window is hidden, or the system is busy. To be asked again after a while.
    Skip,
    /// The surface is gone and must be made anew.
    Lost,
}

impl WindowSurface {
    /// Configures `surface` for `gpu` at `size` in pixels.
    pub fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let capabilities = surface.get_capabilities(&gpu.adapter);
        // The interface mixes its colours in sRGB, so a format that does not convert is what it wants.
        let format = capabilities
            .formats
            .iter()
            .copied()
            .find(|format| {
                matches!(
                    format,
                    wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm
                )
            })
            .or_else(|| capabilities.formats.first().copied());
        let config = surface.get_default_config(&gpu.adapter, 1, 1);
        let (Some(format), Some(mut config)) = (format, config) else {
            return Err(GpuError::Missing {
                adapter: gpu.name(),
                what: "way to show pictures in this window",
            });
        };
        config.format = format;
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let mut this = Self { surface, config };
        this.resize(gpu, size);
        Ok(this)
    }

    /// The format of its textures.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Follows the window; a size of 0 (minimised) is ignored.
    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) {
        if size.contains(&0) {
            return;
        }
        let largest = gpu.device.limits().max_texture_dimension_2d;
        [self.config.width, self.config.height] = size.map(|side| side.min(largest));
        self.surface.configure(&gpu.device, &self.config);
    }

    /// The next texture to draw into.
    pub fn acquire(&self, gpu: &Gpu) -> Acquired {
        use wgpu::CurrentSurfaceTexture as Current;
        // An outdated surface is configured once and asked again within the same frame.
        for _ in 0..2 {
            match self.surface.get_current_texture() {
                Current::Success(texture) | Current::Suboptimal(texture) => {
                    return Acquired::Texture(texture);
                }
                Current::Outdated => self.surface.configure(&gpu.device, &self.config),
                Current::Lost => return Acquired::Lost,
                Current::Timeout | Current::Occluded | Current::Validation => {
                    return Acquired::Skip;
                }
            }
        }
        Acquired::Skip
    }
}
