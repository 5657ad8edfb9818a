//! Buffers that grow: written whole every frame, replaced by larger ones when they no longer fit.

use crate::render::Gpu;

/// A buffer that grows by half and more, so that it seldom has to.
#[derive(Debug)]
pub(in crate::render) struct GrowingBuffer {
    buffer: wgpu::Buffer,
    label: &'static str,
    usage: wgpu::BufferUsages,
}

impl GrowingBuffer {
    /// Smallest size, so that empty contents can be bound too.
    const MIN_BYTES: u64 = 256;
    /// Smaller buffers are kept, whatever is written to them.
    const LARGE_BYTES: u64 = 1 << 20;

    pub(in crate::render) fn new(
        gpu: &Gpu,
        label: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let buffer = make_buffer(gpu, label, usage, Self::MIN_BYTES);
        Self {
            buffer,
            label,
            usage,
        }
    }

    /// Writes from the start. True if the buffer was replaced: whoever bound it must bind it again.
    pub(in crate::render) fn write(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        let has_grown = self.reserve(gpu, bytes.len() as u64);
        if !bytes.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
        has_grown
    }

    /// Makes room for so many bytes. True if the buffer was replaced: whoever bound it must bind it again.
    pub(in crate::render) fn reserve(&mut self, gpu: &Gpu, len: u64) -> bool {
        let must_grow = len > self.buffer.size();
        if must_grow {
            let size = grown_size(&gpu.device.limits(), self.usage, len);
            self.buffer = make_buffer(gpu, self.label, self.usage, size);
        }
        must_grow
    }

    /// Goes back to the least size if it has room for far more than so many bytes. True if the buffer was replaced: whoever
    /// bound it must bind it again.
    pub(in crate::render) fn shrink(&mut self, gpu: &Gpu, len: u64) -> bool {
        let size = self.buffer.size();
        let is_too_large = size > Self::LARGE_BYTES && size / 4 > len;
        if is_too_large {
            self.buffer = make_buffer(gpu, self.label, self.usage, Self::MIN_BYTES);
        }
        is_too_large
    }

    pub(in crate::render) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

/// The size of a new buffer that must hold `len` bytes: half as many more, so that it need not grow soon, as far as the device
/// makes and binds such buffers.
pub(super) fn grown_size(limits: &wgpu::Limits, usage: wgpu::BufferUsages, len: u64) -> u64 {
    // Storage buffers are bound whole.
    let limit = if usage.contains(wgpu::BufferUsages::STORAGE) {
        limits
            .max_buffer_size
            .min(limits.max_storage_buffer_binding_size)
    } else {
        limits.max_buffer_size
    };
    (len + len / 2).next_multiple_of(256).min(limit).max(len)
}

fn make_buffer(
    gpu: &Gpu,
    label: &'static str,
    usage: wgpu::BufferUsages,
    size: u64,
) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_grow_by_half_and_not_beyond_what_devices_make() {
        let limits = wgpu::Limits {
            max_buffer_size: 1 << 30,
            max_storage_buffer_binding_size: 1 << 28,
            ..wgpu::Limits::default()
        };
        let (staged, bound) = (wgpu::BufferUsages::MAP_WRITE, wgpu::BufferUsages::STORAGE);
        assert_eq!(grown_size(&limits, staged, 1000), 1536);
        assert_eq!(grown_size(&limits, staged, (1 << 30) - 512), 1 << 30);
        assert_eq!(grown_size(&limits, bound, (1 << 28) - 512), 1 << 28);
        // What is asked for and refused is said by the device.
        assert_eq!(grown_size(&limits, staged, 1 << 31), 1 << 31);
    }
}
