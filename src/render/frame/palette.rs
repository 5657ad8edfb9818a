//! The palette on the GPU: matrices, active morphs and instance records of the frame.

use crate::{
    anim::{InstanceRecord, Palette, PaletteForm, PaletteLayout},
    model::Model,
    render::{
        Gpu,
        device::{buffers::GrowingBuffer, staging::StagingRing},
        layout::{GpuInstance, GpuMorph},
    },
    scene::Crowd,
};

/// Set in places of compact matrices. Twin: `COMPACT` in `shaders/skinning.wgsl`.
const COMPACT: u32 = 1 << 31;

/// A record as the shaders read it.
pub(in crate::render) fn gpu_instance(record: &InstanceRecord, form: PaletteForm) -> GpuInstance {
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
pub(in crate::render) struct Writer<'a> {
    pub(in crate::render) crowd: &'a Crowd,
    pub(in crate::render) model: &'a Model,
    pub(in crate::render) layout: &'a PaletteLayout,
}

/// The buffers that a frame's palette is written to.
#[derive(Debug)]
pub(in crate::render) struct PaletteBuffers {
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
    pub(in crate::render) fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> Self {
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
    /// GPU's copy is made from. `keeps_room` is whether the same picture needs the room of a crowd: else it is given up.
    pub(in crate::render) fn write(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        palette: &Palette,
        writer: Option<Writer<'_>>,
        keeps_room: bool,
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
        let is_replaced = !keeps_room && self.give_up_room(gpu, palette);
        let is_replaced = is_replaced
            | self.write_matrices(gpu, palette, writer)
            | self
                .morphs
                .write(gpu, bytemuck::cast_slice(&self.morph_scratch))
            | self
                .rotations
                .write(gpu, bytemuck::cast_slice(palette.rotations()));
        self.records
            .write(gpu, bytemuck::cast_slice(&self.record_scratch));
        if is_replaced {
            let buffers = [&self.matrices, &self.morphs, &self.rotations];
            self.bind_group = bind(gpu, layout, buffers);
        }
    }

    /// Gives up what crowds have left and this palette does not need. True if a buffer was replaced that is bound.
    fn give_up_room(&mut self, gpu: &Gpu, palette: &Palette) -> bool {
        self.staging.let_go();
        let records: &[u8] = bytemuck::cast_slice(&self.record_scratch);
        self.records.shrink(gpu, records.len() as u64);
        let morphs: &[u8] = bytemuck::cast_slice(&self.morph_scratch);
        let rotations: &[u8] = bytemuck::cast_slice(palette.rotations());
        let matrices = size_of_val(palette.matrices());
        self.matrices.shrink(gpu, matrices as u64)
            | self.morphs.shrink(gpu, morphs.len() as u64)
            | self.rotations.shrink(gpu, rotations.len() as u64)
    }

    fn write_matrices(&mut self, gpu: &Gpu, palette: &Palette, writer: Option<Writer<'_>>) -> bool {
        let Some(writer) = writer.filter(|_| palette.matrices().is_empty()) else {
            let matrices = bytemuck::cast_slice(palette.matrices());
            return self.matrices.write(gpu, matrices);
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
    pub(in crate::render) fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// The instance records, as a vertex buffer.
    pub(in crate::render) fn records(&self) -> &wgpu::Buffer {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Hierarchy, Mesh, Node, NodeId, Scene},
        render::pipelines::PoseVerticesPipeline,
    };

    #[test]
    fn the_room_of_a_crowd_is_given_up_unless_the_picture_has_another() {
        let Some(gpu) = Gpu::for_test() else { return };
        let node = Node {
            mesh: Some(0),
            ..Node::default()
        };
        let model = Model {
            hierarchy: Hierarchy::new(vec![node], &[None], &[]).unwrap(),
            meshes: vec![Mesh::default()].into(),
            scenes: vec![Scene {
                roots: vec![NodeId(0)],
                ..Scene::default()
            }],
            ..Model::default()
        };
        let layout = PaletteLayout::new(&model, 0);
        let of = |count: usize| {
            let mut palette = Palette::default();
            palette.clear(&layout, count);
            palette.make_matrices(&layout);
            palette
        };
        let bound = PoseVerticesPipeline::new(&gpu.device).pose_layout;
        let mut buffers = PaletteBuffers::new(&gpu, &bound);
        let mut size_with = |count, keeps_room| {
            buffers.write(&gpu, &bound, &of(count), None, keeps_room);
            [&buffers.matrices, &buffers.records].map(|it| it.buffer().size())
        };
        let large = size_with(100_000, true);
        assert!(large[0] >= 4_800_000, "{large:?}");
        assert_eq!(size_with(1, true), large, "the other subject is a crowd");
        assert_eq!(size_with(90_000, false), large, "it is needed again");
        assert!(size_with(1, false).iter().all(|&size| size <= 256));
    }
}
