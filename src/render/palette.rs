//! The palette on the GPU: matrices, active morphs and instance records of the frame.

use super::{
    Gpu,
    buffers::GrowingBuffer,
    layout::{GpuInstance, GpuMorph},
};
use crate::anim::Palette;

/// The buffers that a frame's palette is written to.
#[derive(Debug)]
pub(super) struct PaletteBuffers {
    matrices: GrowingBuffer,
    morphs: GrowingBuffer,
    rotations: GrowingBuffer,
    records: GrowingBuffer,
    bind_group: wgpu::BindGroup,
    // Kept, so that a frame allocates nothing.
    record_scratch: Vec<GpuInstance>,
    morph_scratch: Vec<GpuMorph>,
}

impl PaletteBuffers {
    pub(super) fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> Self {
        let storage = wgpu::BufferUsages::STORAGE;
        let matrices = GrowingBuffer::new(gpu, "PaletteBuffers::matrices", storage);
        let morphs = GrowingBuffer::new(gpu, "PaletteBuffers::morphs", storage);
        let rotations = GrowingBuffer::new(gpu, "PaletteBuffers::rotations", storage);
        let vertex = wgpu::BufferUsages::VERTEX;
        Self {
            bind_group: bind(gpu, layout, [&matrices, &morphs, &rotations]),
            records: GrowingBuffer::new(gpu, "PaletteBuffers::records", vertex),
            matrices,
            morphs,
            rotations,
            record_scratch: Vec::new(),
            morph_scratch: Vec::new(),
        }
    }

    pub(super) fn write(&mut self, gpu: &Gpu, layout: &wgpu::BindGroupLayout, palette: &Palette) {
        self.record_scratch.clear();
        let records = palette.records().iter();
        self.record_scratch
            .extend(records.map(|record| GpuInstance {
                first_joint: record.first_joint,
                rigid: record.rigid,
                first_morph: record.first_morph,
                morph_count: record.morph_count,
            }));
        self.morph_scratch.clear();
        let morphs = palette.morphs().iter();
        self.morph_scratch.extend(morphs.map(|morph| GpuMorph {
            target_index: morph.target,
            weight: morph.weight,
        }));
        let matrices = bytemuck::cast_slice(palette.matrices());
        let has_grown = self.matrices.write(gpu, &[matrices])
            | self
                .morphs
                .write(gpu, &[bytemuck::cast_slice(&self.morph_scratch)])
            | self
                .rotations
                .write(gpu, &[bytemuck::cast_slice(palette.rotations())]);
        self.records
            .write(gpu, &[bytemuck::cast_slice(&self.record_scratch)]);
        if has_grown {
            let buffers = [&self.matrices, &self.morphs, &self.rotations];
            self.bind_group = bind(gpu, layout, buffers);
        }
    }

    /// Group 1.
    pub(super) fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// The instance records, as a vertex buffer.
    pub(super) fn records(&self) -> &wgpu::Buffer {
        self.records.buffer()
    }
}

fn bind(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    buffers: [&GrowingBuffer; 3],
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.buffer().as_entire_binding(),
        })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("PaletteBuffers::bind_group"),
        layout,
        entries: &entries,
    })
}
