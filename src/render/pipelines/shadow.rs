//! Meshes as the key light sees them: depth alone, by the same vertex stage.

use super::{Blending, Faces, MeshKey, Winding, lately_used::LatelyUsed, mesh, uniform_entry};
use crate::{
    model::Topology,
    render::{
        layout::{self, material_flags},
        model::vertices::{Attributes, MeshBuffers},
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
    /// Only for what is cut out or see-through: all else throws the shadow of its positions.
    cut_out: Option<CutOut>,
}

/// What the alpha of a surface is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CutOut {
    attributes: Attributes,
    /// Whether it has a cutoff of its own.
    flags: u32,
    /// Of its base colour.
    slot: u8,
}

/// Like those of [`mesh::MESH_ENTRIES`], for what is not cut out.
const POSITION_ENTRIES: [&str; 3] = [
    "vs_position_rigid",
    "vs_position_skinned_4",
    "vs_position_skinned_8",
];

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
                Some(CutOut {
                    attributes: key.attributes,
                    flags: flags & material_flags::ALPHA_MASK,
                    slot: key.features.slots[0],
                })
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
            let mut constants = vec![("DUAL_QUATERNIONS", f64::from(u8::from(key.is_dual)))];
            if let Some(cut_out) = key.cut_out {
                constants.push(("FEATURES", cut_out.flags.into()));
                constants.push((layout::MAP_SLOTS[0], cut_out.slot.into()));
                constants.push(("ATTRIBUTES", cut_out.attributes.bits().into()));
            }
            let (entries, buffers) = match key.cut_out {
                Some(CutOut { attributes, .. }) => (
                    mesh::MESH_ENTRIES,
                    MeshBuffers::new(attributes, key.sets_of_four),
                ),
                None => (
                    POSITION_ENTRIES,
                    MeshBuffers::of_positions(key.sets_of_four),
                ),
            };
            let compilation_options = wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..Default::default()
            };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("ShadowPipelines::pipelines"),
                layout: Some(&self.layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some(mesh::vertex_entry(key.sets_of_four, entries)),
                    compilation_options: compilation_options.clone(),
                    buffers: &buffers.layouts(),
                },
                // What is open throws a shadow, too.
                primitive: mesh::primitive_state(key.topology, BOTH_SIDES),
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: SHADOW_FORMAT,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Less),
                    stencil: wgpu::StencilState::default(),
                    // As far back as a surface's depth changes over the texels that a comparison looks at, so that it
                    // does not shadow itself. What facets stand for is kept clear of them by `beside_surface`.
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
