//! The skeleton: unit octahedra and balls, instanced.

use std::ops::Range;

use glam::Vec3;
use wgpu::util::DeviceExt as _;

use super::{ColorKind, ScenePipeline};
use crate::{
    render::{
        layout::{self, ShapeVertex},
        shaders,
    },
    scene::BONE_WAIST,
};

/// Draws bones and joints.
#[derive(Debug)]
pub(in crate::render) struct OverlayPipeline {
    edges: wgpu::RenderPipeline,
    shapes: wgpu::RenderPipeline,
    vertices: wgpu::Buffer,
    bone: Range<u32>,
    joint: Range<u32>,
}

impl OverlayPipeline {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
        colors: ColorKind,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("OverlayPipeline::layout"),
            bind_group_layouts: &[Some(frame_layout)],
            ..Default::default()
        });
        let module = shaders::SKELETON.module(device);
        let make = |label, vertex, fragment, cull_mode| {
            let pipeline = ScenePipeline {
                label,
                layout: &layout,
                module: &module,
                vertex,
                fragment: colors.entry(fragment),
                constants: &[],
                buffers: &layout::overlay_buffers(),
                primitive: wgpu::PrimitiveState {
                    cull_mode: Some(cull_mode),
                    ..Default::default()
                },
                colors,
                blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                depth_compare: wgpu::CompareFunction::GreaterEqual,
                writes_depth: true,
            };
            pipeline.create(device)
        };
        let mut vertices = octahedron();
        let bone = 0..vertices.len() as u32;
        vertices.extend(ball());
        let joint = bone.end..vertices.len() as u32;
        Self {
            edges: make(
                "OverlayPipeline::edges",
                "vs_edge",
                ["fs_edge", "fs_edge_colors"],
                wgpu::Face::Front,
            ),
            shapes: make(
                "OverlayPipeline::shapes",
                "vs_overlay",
                ["fs_overlay", "fs_overlay_colors"],
                wgpu::Face::Back,
            ),
            vertices: device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("OverlayPipeline::vertices"),
                contents: bytemuck::cast_slice(&vertices),
                usage: wgpu::BufferUsages::VERTEX,
            }),
            bone,
            joint,
        }
    }

    /// Draws into a pass whose group 0 is bound; `instances` holds the bones, then the joints.
    pub(in crate::render) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        instances: &wgpu::Buffer,
        bone_count: u32,
        joint_count: u32,
    ) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, instances.slice(..));
        for pipeline in [&self.edges, &self.shapes] {
            pass.set_pipeline(pipeline);
            pass.draw(self.bone.clone(), 0..bone_count);
            pass.draw(self.joint.clone(), bone_count..bone_count + joint_count);
        }
    }
}

/// A bone: from the origin to (0, 1, 0), one unit to each side, widest near its head. Flat faces.
fn octahedron() -> Vec<ShapeVertex> {
    let ring = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
        .map(|(x, z)| Vec3::new(x, BONE_WAIST, z));
    let mut vertices = Vec::with_capacity(24);
    for side in 0..4 {
        let (here, next) = (ring[side], ring[(side + 1) % 4]);
        let [here_out, next_out] = [here, next].map(|corner| corner.with_y(0.0));
        // The ends of a side go out with it, so that it grows as much wider there.
        let side_out = here_out + next_out;
        vertices.extend(facet(
            [Vec3::ZERO, here, next],
            [side_out - Vec3::Y, here_out, next_out],
        ));
        vertices.extend(facet(
            [Vec3::Y, next, here],
            [side_out + Vec3::Y, next_out, here_out],
        ));
    }
    vertices
}

/// A unit ball around the origin.
fn ball() -> Vec<ShapeVertex> {
    const RINGS: usize = 8;
    const SEGMENTS: usize = 12;
    let point = |ring: usize, segment: usize| {
        let polar = std::f32::consts::PI * ring as f32 / RINGS as f32;
        let around = std::f32::consts::TAU * segment as f32 / SEGMENTS as f32;
        Vec3::new(
            polar.sin() * around.sin(),
            polar.cos(),
            polar.sin() * around.cos(),
        )
    };
    let mut vertices = Vec::new();
    for ring in 0..RINGS {
        for segment in 0..SEGMENTS {
            let corners = [
                point(ring, segment),
                point(ring + 1, segment),
                point(ring + 1, segment + 1),
                point(ring, segment + 1),
            ];
            for index in [0, 1, 2, 0, 2, 3] {
                let position = corners[index].to_array();
                vertices.push(ShapeVertex {
                    position,
                    normal: position,
                    outward: position,
                });
            }
        }
    }
    vertices
}

/// A flat triangle, counter-clockwise from outside.
fn facet(corners: [Vec3; 3], outward: [Vec3; 3]) -> [ShapeVertex; 3] {
    let normal = (corners[1] - corners[0])
        .cross(corners[2] - corners[0])
        .normalize_or(Vec3::Y);
    [0, 1, 2].map(|corner| ShapeVertex {
        position: corners[corner].to_array(),
        normal: normal.to_array(),
        outward: outward[corner].to_array(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_look_outwards() {
        for triangle in octahedron().chunks(3).chain(ball().chunks(3)) {
            let corners = [0, 1, 2].map(|corner| Vec3::from(triangle[corner].position));
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let axis = Vec3::new(0.0, middle.y.clamp(0.0, 1.0), 0.0);
            // Each shape is convex around its axis (the bone's) or its centre (the ball's).
            let center = if triangle[0].normal == triangle[0].position {
                Vec3::ZERO
            } else {
                axis
            };
            assert!(normal.dot(middle - center) >= -1e-6, "{corners:?}");
        }
    }
}
