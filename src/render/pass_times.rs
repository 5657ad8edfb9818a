//! How long passes take on the GPU, for those who ask.

use super::{Gpu, readback::read_buffer};

/// A pass of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// The shadow map.
    Shadow,
    /// Meshes, ground, grid.
    Scene,
    /// The skeleton.
    Overlay,
    /// From light to colours.
    Tone,
}

impl Pass {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Shadow, Self::Scene, Self::Overlay, Self::Tone];
}

/// Timestamps around the passes of a frame.
#[derive(Debug)]
pub struct PassTimes {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

const COUNT: u32 = 2 * Pass::ALL.len() as u32;

impl PassTimes {
    /// Timestamps, if the device has them.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY)
        {
            return None;
        }
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("PassTimes::queries"),
                ty: wgpu::QueryType::Timestamp,
                count: COUNT,
            }),
            resolved: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("PassTimes::resolved"),
                size: u64::from(COUNT) * 8,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
        })
    }

    /// What a pass's descriptor asks for.
    pub(super) fn around(&self, pass: Pass) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * pass as u32),
            end_of_pass_write_index: Some(2 * pass as u32 + 1),
        }
    }

    /// Waits for the frame that was submitted last and says how long each of its passes took, in milliseconds. Those that it
    /// did not have show what they took when they were last there.
    pub(super) fn read(&self, gpu: &Gpu) -> anyhow::Result<[f64; Pass::ALL.len()]> {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("PassTimes::buffer"),
            size: u64::from(COUNT) * 8,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.resolve_query_set(&self.queries, 0..COUNT, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &buffer, 0, u64::from(COUNT) * 8);
        gpu.queue.submit([encoder.finish()]);
        let bytes = read_buffer(gpu, &buffer)?;
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        let millis_a_tick = f64::from(gpu.queue.get_timestamp_period()) * 1e-6;
        Ok(Pass::ALL.map(|pass| {
            let first = 2 * pass as usize;
            stamps[first + 1].saturating_sub(stamps[first]) as f64 * millis_a_tick
        }))
    }
}
