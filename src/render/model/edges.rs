//! The edges of triangles as lists of lines: indices of their own, made when something is first drawn by them.

use wgpu::util::DeviceExt as _;

use super::GpuModel;
use crate::{
    model::{Indices, Model, Topology},
    render::{Gpu, draw_lists::PrimitiveDraw, room::most_bytes},
};

impl GpuModel {
    /// Makes the edges of what is drawn, unless they are there, as far as a file of its size may have them beside all else.
    pub(in crate::render) fn make_edges<'d>(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        draws: impl Iterator<Item = &'d PrimitiveDraw>,
    ) {
        let most_bytes = most_bytes(gpu.is_software(), model);
        let largest = gpu.device.limits().max_buffer_size;
        for draw in draws.filter(|draw| draw.key.topology == Topology::Triangles) {
            let Some(on_gpu) = &self.meshes[draw.mesh][draw.primitive] else {
                continue;
            };
            on_gpu.indices.edges.get_or_init(|| {
                let primitive = &model.meshes[draw.mesh].primitives[draw.primitive];
                let bytes = size_of::<[u32; 6]>() as u64 * primitive.triangle_count() as u64;
                if bytes <= largest && self.edge_bytes <= most_bytes {
                    self.edge_bytes += bytes;
                    return Some(buffer(gpu, &primitive.indices));
                }
                if !std::mem::replace(&mut self.lacks_edges, true) {
                    log::warn!("\"{}\" has too many edges: some are not drawn", model.name);
                }
                None
            });
        }
    }
}

/// Two indices for each edge of each triangle.
fn buffer(gpu: &Gpu, indices: &Indices) -> wgpu::Buffer {
    let triangles = indices.triangles();
    let edges: Vec<[u32; 6]> = triangles.map(|[a, b, c]| [a, b, b, c, c, a]).collect();
    gpu.device
        .create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("GpuIndices::edges"),
            contents: bytemuck::cast_slice(&edges),
            usage: wgpu::BufferUsages::INDEX,
        })
}
