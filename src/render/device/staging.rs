//! Memory that the adapter copies from, written by many threads at once: a ring of mapped buffers.
//!
//! A buffer is mapped when it is made, written, unmapped, copied from, and mapped again as soon as the adapter is done with
//! it. Nothing lies between who computes the bytes and this memory, which is write-combined on many machines: it is written
//! from front to back, and never read.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::buffers::grown_size;
use crate::{anim::crowd::Sink, render::Gpu};

/// Buffers that are mapped, or will be.
#[derive(Debug)]
pub(in crate::render) struct StagingRing {
    /// Mapped.
    free: Vec<wgpu::Buffer>,
    /// Those that have been mapped again come back here.
    returned: Receiver<wgpu::Buffer>,
    sender: Sender<wgpu::Buffer>,
    /// Whether there may be any.
    is_used: bool,
    made: usize,
}

/// Buffers that wait to be used; more than the frames that an adapter is behind are not needed.
const MAX_FREE: usize = 3;

impl StagingRing {
    pub(in crate::render) fn new() -> Self {
        let (sender, returned) = channel();
        Self {
            free: Vec::new(),
            returned,
            sender,
            is_used: false,
            made: 0,
        }
    }

    /// Lets `write` fill `len` bytes, of which there are some, and has them copied to the start of `target`.
    pub(in crate::render) fn write(
        &mut self,
        gpu: &Gpu,
        target: &wgpu::Buffer,
        len: u64,
        write: impl FnOnce(Staged<'_>),
    ) {
        self.is_used = true;
        let buffer = self.take(gpu, len);
        write(Staged {
            buffer: &buffer,
            from: 0,
            to: len,
        });
        buffer.unmap();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&buffer, 0, target, 0, len);
        gpu.queue.submit([encoder.finish()]);
        let (again, sender) = (buffer.clone(), self.sender.clone());
        buffer.map_async(wgpu::MapMode::Write, .., move |result| {
            // A device that is lost maps nothing any more.
            if result.is_ok() {
                let _ = sender.send(again);
            }
        });
    }

    /// Lets go of all buffers, also of those that will be mapped again.
    pub(in crate::render) fn let_go(&mut self) {
        if std::mem::take(&mut self.is_used) {
            self.free.clear();
            // What comes back to nobody is dropped.
            (self.sender, self.returned) = channel();
        }
    }

    /// A mapped buffer of at least this size.
    fn take(&mut self, gpu: &Gpu, len: u64) -> wgpu::Buffer {
        self.free.extend(self.returned.try_iter());
        self.free.retain(|buffer| buffer.size() >= len);
        self.free.truncate(MAX_FREE);
        self.free.pop().unwrap_or_else(|| {
            self.made += 1;
            let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("StagingRing::buffer"),
                size: grown_size(&gpu.device.limits(), usage, len),
                usage,
                mapped_at_creation: true,
            })
        })
    }

    /// How many buffers were made so far.
    #[cfg(test)]
    pub(in crate::render) fn made(&self) -> usize {
        self.made
    }
}

/// A part of a mapped buffer. Threads write parts that do not overlap.
#[derive(Debug, Clone, Copy)]
pub(in crate::render) struct Staged<'b> {
    buffer: &'b wgpu::Buffer,
    from: u64,
    to: u64,
}

/// Bytes of four numbers.
const ROW: u64 = 16;

impl<'b> Sink<'b> for Staged<'b> {
    fn split(self, rows: usize) -> (Self, Self) {
        let middle = (self.from + ROW * rows as u64).min(self.to);
        let (first, others) = (
            Self { to: middle, ..self },
            Self {
                from: middle,
                ..self
            },
        );
        (first, others)
    }

    fn rows(&mut self) -> Option<&mut [[f32; 4]]> {
        None
    }

    fn copy_from(&mut self, rows: &[[f32; 4]]) {
        let bytes: &[u8] = bytemuck::cast_slice(rows);
        let end = self.from + bytes.len() as u64;
        if bytes.is_empty() || end > self.to {
            return;
        }
        // It fails where the device is lost: then nobody reads it.
        if let Ok(mut view) = self.buffer.get_mapped_range_mut(self.from..end) {
            view.copy_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::targets::readback::read_buffer;

    #[test]
    fn what_threads_write_arrives_and_buffers_are_used_again() {
        let Some(gpu) = Gpu::for_test() else { return };
        let mut ring = StagingRing::new();
        let rows = 1000;
        let target = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: ROW * rows,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        for frame in 0..20 {
            let number = |row: usize| [row as f32, frame as f32, 0.5, -1.0];
            ring.write(&gpu, &target, ROW * rows, |staged| {
                let (mut first, second) = staged.split(300);
                let (mut second, mut third) = second.split(500);
                let part = |range: std::ops::Range<usize>| range.map(number).collect::<Vec<_>>();
                std::thread::scope(|scope| {
                    scope.spawn(|| first.copy_from(&part(0..300)));
                    second.copy_from(&part(300..800));
                    third.copy_from(&part(800..1000));
                });
            });
            let result = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: ROW * rows,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&target, 0, &result, 0, ROW * rows);
            gpu.queue.submit([encoder.finish()]);
            let bytes = read_buffer(&gpu, &result, <[u8]>::to_vec).unwrap();
            let expected: Vec<_> = (0..1000).map(number).collect();
            assert_eq!(
                bytes,
                bytemuck::cast_slice::<_, u8>(&expected),
                "frame {frame}"
            );
        }
        assert!(ring.made() <= 2, "{} buffers for 20 frames", ring.made());
    }

    #[test]
    fn what_is_let_go_does_not_come_back() {
        let Some(gpu) = Gpu::for_test() else { return };
        let mut ring = StagingRing::new();
        let target = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: ROW,
            usage: wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let write = |ring: &mut StagingRing| {
            ring.write(&gpu, &target, ROW, |mut staged| {
                staged.copy_from(&[[1.0; 4]]);
            });
        };
        write(&mut ring);
        ring.let_go();
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .unwrap();
        assert_eq!((ring.returned.try_iter().count(), ring.free.len()), (0, 0));
        write(&mut ring);
        assert_eq!(ring.made(), 2);
    }
}
