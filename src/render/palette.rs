//! The palette on the GPU: matrices, active morphs and instance records of the frame.

use super::{
    Gpu,
    buffers::GrowingBuffer,
    layout::{GpuInstance, GpuMorph},
    staging::StagingRing,
};
use crate::{
    anim::{InstanceRecord, Palette, PaletteForm, PaletteLayout},
    model::Model,
    scene::Crowd,
};

/// Set in places of compact matrices. Twin: `COMPACT` in `shaders/skinning.wgsl`.
const COMPACT: u32 = 1 << 31;

/// A record as the shaders read it.
pub(super) fn gpu_instance(record: &InstanceRecord, form: PaletteForm) -> GpuInstance {
    let flag = match form {
        PaletteForm::Full => 0,
        PaletteForm::Compact => COMPACT,
    };
    GpuInstance {
        first_joint: record.first_joint | flag,
        rigid: record.rigid | flag,
        first_morph: record.first_morph,
        morph_count: record.morph_count,
    }
}

/// Who writes the matrices of a palette that has none.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    pub(super) crowd: &'a Crowd,
    pub(super) model: &'a Model,
    pub(super) layout: &'a PaletteLayout,
}

/// The buffers that a frame's palette is written to.
#[derive(Debug)]
pub(super) struct PaletteBuffers {
    matrices: GrowingBuffer,
    morphs: GrowingBuffer,
    rotations: GrowingBuffer,
    records: GrowingBuffer,
    bind_group: wgpu::BindGroup,
    /// For matrices that a crowd writes.
    staging: StagingRing,
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
            staging: StagingRing::new(),
            record_scratch: Vec::new(),
            morph_scratch: Vec::new(),
        }
    }

    /// Brings a palette to the GPU. Matrices that it does not have are written by `writer`, straight into memory that the
    /// GPU's copy is made from.
    pub(super) fn write(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        palette: &Palette,
        writer: Option<Writer<'_>>,
    ) {
        self.record_scratch.clear();
        let (records, form) = (palette.records().iter(), palette.form());
        self.record_scratch
            .extend(records.map(|record| gpu_instance(record, form)));
        self.morph_scratch.clear();
        let morphs = palette.morphs().iter();
        self.morph_scratch.extend(morphs.map(|morph| GpuMorph {
            target_index: morph.target,
            weight: morph.weight,
        }));
        let has_grown = self.write_matrices(gpu, palette, writer)
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

    fn write_matrices(&mut self, gpu: &Gpu, palette: &Palette, writer: Option<Writer<'_>>) -> bool {
        let Some(writer) = writer.filter(|_| palette.matrices().is_empty()) else {
            let matrices = bytemuck::cast_slice(palette.matrices());
            return self.matrices.write(gpu, &[matrices]);
        };
        let count = palette.instance_count() * writer.layout.matrices_per_instance();
        let bytes = (count * palette.form().bytes()) as u64;
        let has_grown = self.matrices.reserve(gpu, bytes);
        if bytes > 0 {
            let target = self.matrices.buffer();
            self.staging.write(gpu, target, bytes, |staged| {
                writer.crowd.write(writer.model, writer.layout, staged);
            });
        }
        has_grown
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
