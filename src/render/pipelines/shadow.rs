//! Meshes as the key light sees them: depth alone, by the same vertex stage.

use super::{Blending, Faces, MeshKey, Winding, lately_used::LatelyUsed, mesh, uniform_entry};
use crate::{
    model::Topology,
    render::{
        layout::{self, material_flags},
        shaders,
    },
};

/// Format of the shadow map: 0 nearest to the light, 1 farthest.
pub(in crate::render) const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The shadow pipelines; made with the first model that throws one.
#[derive(Debug)]
pub(in crate::render) struct ShadowPipelines {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    /// Group 0: the frame's uniform as the light has it, and nothing else: the map cannot be read while it is drawn.
    pub(in crate::render) frame_layout: wgpu::BindGroupLayout,
    pipelines: LatelyUsed<ShadowKey, wgpu::RenderPipeline>,
}

/// What a shadow pipeline is fixed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) struct ShadowKey {
    topology: Topology,
    sets_of_four: usize,
    is_dual: bool,
    /// For what is cut out or see-through: whether it has a cutoff of its own, as a flag, and the slot of its base colour.
    cut_out: Option<(u32, u8)>,
}

const BOTH_SIDES: Winding = Winding {
    is_mirrored: false,
    faces: Faces::Both,
};

impl ShadowKey {
    /// The pipeline for what is drawn by `key`; none for what throws no shadow: points, what light passes through, and what
    /// another pipeline draws the other side of.
    pub(in crate::render) fn of(key: MeshKey) -> Option<Self> {
        let flags = key.features.flags;
        // Also where alpha mixes.
        if flags & material_flags::TRANSMISSION != 0 {
            return None;
        }
        let cut_out = match key.blending {
            Blending::Opaque | Blending::Transmissive => None,
            Blending::Masked | Blending::Alpha | Blending::Weighted | Blending::DepthAlone => {
                Some((flags & material_flags::ALPHA_MASK, key.features.slots[0]))
            }
        };
        let is_other_side = key.winding.faces == Faces::Back;
        (key.topology != Topology::Points && !is_other_side).then_some(Self {
            topology: key.topology,
            sets_of_four: key.sets_of_four,
            is_dual: key.is_dual,
            cut_out,
        })
    }
}

impl ShadowPipelines {
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        pose_layout: &wgpu::BindGroupLayout,
        material_layout: &wgpu::BindGroupLayout,
        primitive_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let frame_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("ShadowPipelines::frame_layout"),
            entries: &[uniform_entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT)],
        });
        Self {
            module: shaders::SHADOWS.module(device),
            layout: device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("ShadowPipelines::layout"),
                bind_group_layouts: &[
                    Some(&frame_layout),
                    Some(pose_layout),
                    Some(material_layout),
                    Some(primitive_layout),
                ],
                ..Default::default()
            }),
            frame_layout,
            pipelines: LatelyUsed::default(),
        }
    }

    /// Forgets pipelines that the last few models have not needed: another comes.
    pub(in crate::render) fn next_model(&mut self) {
        self.pipelines.next_model();
    }

    /// The pipeline for `key`, if it was prepared.
    pub(in crate::render) fn get(&self, key: ShadowKey) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.get(&key)
    }

    /// Makes the pipeline for `key` unless it is there.
    pub(in crate::render) fn prepare(&mut self, device: &wgpu::Device, key: ShadowKey) {
        self.pipelines.want(key, || {
            let (flags, slot) = key.cut_out.unwrap_or_default();
            let constants = [
                ("FEATURES", f64::from(flags)),
                (layout::MAP_SLOTS[0], f64::from(slot)),
                ("DUAL_QUATERNIONS", f64::from(u8::from(key.is_dual))),
            ];
            let compilation_options = wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..Default::default()
            };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("ShadowPipelines::pipelines"),
                layout: Some(&self.layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some(mesh::vertex_entry(key.sets_of_four, mesh::MESH_ENTRIES)),
                    compilation_options: compilation_options.clone(),
                    buffers: &layout::mesh_buffers(key.sets_of_four),
                },
                // What is open throws a shadow, too.
                primitive: mesh::primitive_state(key.topology, BOTH_SIDES),
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: SHADOW_FORMAT,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Less),
                    stencil: wgpu::StencilState::default(),
                    // As far back as a surface's depth changes over the texels that a comparison looks at, so that it
                    // does not shadow itself.
                    bias: wgpu::DepthBiasState {
                        constant: 0,
                        slope_scale: if key.topology == Topology::Triangles {
                            2.5
                        } else {
                            0.0
                        },
                        clamp: 0.0,
                    },
                }),
                multisample: wgpu::MultisampleState::default(),
                fragment: key.cut_out.map(|_| wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some("fs_shadow_caster"),
                    compilation_options,
                    targets: &[],
                }),
                multiview_mask: None,
                cache: None,
            })
        });
    }
}
