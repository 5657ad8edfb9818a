//! The scene: opaque meshes first, then the grid, then what is transparent, far to near.

use super::{
    Gpu, Renderer, SceneTarget,
    mesh::GpuPrimitive,
    pipelines::{Blending, MeshKey},
};
use crate::{
    model::{Model, Primitive},
    scene::{Draw, Frame},
};

/// A primitive of a placement: one draw call for all instances and copies, but those that mirror have one of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimitiveDraw {
    /// The first of its records, and the one behind the last.
    records: (u32, u32),
    mesh: usize,
    primitive: usize,
    pub(super) key: MeshKey,
    /// Squared distance of its middle from the eye.
    distance: f32,
}

impl Renderer {
    pub(super) fn scene_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: &Frame<'_>,
        target: &SceneTarget,
    ) {
        let (opaque, transparent) = self.collect(gpu, model, frame);
        self.draw_count = opaque.len() + transparent.len();
        let mut pass = target.begin_scene_pass(encoder, "Renderer::scene_pass");
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, self.palette.bind_group(), &[]);
        for draw in &opaque {
            if let Some(pipeline) = self.meshes.get(draw.key) {
                self.draw_primitive(&mut pass, model, draw, pipeline);
            }
        }
        if frame.grid.is_some() {
            self.grid.draw(&mut pass);
        }
        for draw in &transparent {
            if let Some(pipeline) = self.meshes.get(draw.key) {
                self.draw_primitive(&mut pass, model, draw, pipeline);
            }
        }
    }

    /// The draw calls of a frame, opaque and transparent; makes pipelines that mirrored matrices ask for.
    pub(super) fn collect(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        frame: &Frame<'_>,
    ) -> (Vec<PrimitiveDraw>, Vec<PrimitiveDraw>) {
        let (mut opaque, mut transparent) = (Vec::new(), Vec::new());
        let Some(uploaded) = &self.model else {
            return (opaque, transparent);
        };
        let placements = frame.layout.placements().iter().zip(frame.draws);
        let instances = frame.palette.instance_count() as u32;
        for (place, draw) in placements.filter(|(_, draw)| !draw.is_hidden) {
            let primitives = model.meshes[place.mesh].primitives.iter();
            for (index, (primitive, on_gpu)) in
                primitives.zip(&uploaded.meshes[place.mesh]).enumerate()
            {
                let Some(on_gpu) = on_gpu else { continue };
                let is_skinned = place.skin.is_some() && on_gpu.sets_of_four > 0;
                let (sets_of_four, is_mirrored) = if is_skinned {
                    (on_gpu.sets_of_four, draw.is_skin_mirrored)
                } else {
                    (0, draw.is_node_mirrored)
                };
                let straight = place.copies - place.mirrored_copies;
                for (first, count, is_mirrored) in [
                    (0, straight, is_mirrored),
                    (straight, place.mirrored_copies, !is_mirrored),
                ] {
                    if count == 0 {
                        continue;
                    }
                    let key = MeshKey {
                        is_dual: is_skinned && !frame.palette.rotations().is_empty(),
                        ..uploaded.key(primitive, sets_of_four, is_mirrored)
                    };
                    self.meshes.prepare(&gpu.device, key);
                    let list = match key.blending {
                        Blending::Opaque => &mut opaque,
                        Blending::Alpha => &mut transparent,
                    };
                    let first = (place.first_record + first) * instances;
                    list.push(PrimitiveDraw {
                        records: (first, first + count * instances),
                        mesh: place.mesh,
                        primitive: index,
                        key,
                        distance: distance_squared(primitive, draw, is_skinned, frame),
                    });
                }
            }
        }
        transparent.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        (opaque, transparent)
    }

    pub(super) fn draw_primitive(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        model: &Model,
        draw: &PrimitiveDraw,
        pipeline: &wgpu::RenderPipeline,
    ) {
        pass.set_pipeline(pipeline);
        if let Some(on_gpu) = self.bind_primitive(pass, model, draw) {
            pass.set_index_buffer(on_gpu.indices.slice(..), wgpu::IndexFormat::Uint32);
            let (first, end) = draw.records;
            pass.draw_indexed(0..on_gpu.index_count, 0, first..end);
        }
    }

    /// The edges of its triangles, if they were made.
    pub(super) fn draw_edges(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        model: &Model,
        draw: &PrimitiveDraw,
        pipeline: &wgpu::RenderPipeline,
    ) {
        pass.set_pipeline(pipeline);
        if let Some(on_gpu) = self.bind_primitive(pass, model, draw)
            && let Some(edges) = &on_gpu.edges
        {
            pass.set_index_buffer(edges.slice(..), wgpu::IndexFormat::Uint32);
            let (first, end) = draw.records;
            pass.draw_indexed(0..2 * on_gpu.index_count, 0, first..end);
        }
    }

    fn bind_primitive(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        model: &Model,
        draw: &PrimitiveDraw,
    ) -> Option<&GpuPrimitive> {
        let uploaded = self.model.as_ref()?;
        let on_gpu = uploaded.meshes[draw.mesh][draw.primitive].as_ref()?;
        let material = model.meshes[draw.mesh].primitives[draw.primitive].material;
        pass.set_bind_group(2, &uploaded.materials[material].bind_group, &[]);
        pass.set_bind_group(3, &on_gpu.bind_group, &[]);
        pass.set_vertex_buffer(0, on_gpu.vertices.slice(..));
        pass.set_vertex_buffer(1, self.palette.records().slice(..));
        if draw.key.sets_of_four > 0
            && let Some(influences) = &on_gpu.influences
        {
            pass.set_vertex_buffer(2, influences.slice(..));
        }
        Some(on_gpu)
    }
}

/// Of a primitive's middle from the eye.
fn distance_squared(
    primitive: &Primitive,
    draw: &Draw,
    is_skinned: bool,
    frame: &Frame<'_>,
) -> f32 {
    let world_from_mesh = if is_skinned {
        &draw.world_from_skin
    } else {
        &draw.world_from_rigid
    };
    let middle = world_from_mesh.transform_point3(primitive.rest_bounds.center());
    middle.distance_squared(frame.camera.eye)
}
