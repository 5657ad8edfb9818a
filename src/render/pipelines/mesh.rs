//! Meshes: one shader, and a pipeline for each combination of what pipelines must fix.

use super::{
    ColorKind, ScenePipeline,
    color_kind::{SUM, alike, scene_target},
    lately_used::LatelyUsed,
    sampler_entry, storage_entry, texture_entry, uniform_entry,
};
use crate::{
    model::Topology,
    render::{
        Gpu, layout,
        model::{
            material::Features,
            vertices::{Attributes, MeshBuffers},
        },
        shaders,
        targets::scene::{LEFT_FORMAT, SCENE_FORMAT},
    },
    scene::{Quality, ViewMode},
};

/// Most pipelines that are made at once: a thread for each takes some memory.
const MAX_AT_ONCE: usize = 4;

/// How many pipelines are made at once: one for a software driver, which makes its shaders when they first draw. There threads
/// save no time and take 22 MB.
pub(super) fn most_at_once(gpu: &Gpu) -> usize {
    if gpu.is_software() { 1 } else { MAX_AT_ONCE }
}

/// What a mesh pipeline is fixed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) struct MeshKey {
    /// What the indices make.
    pub(in crate::render) topology: Topology,
    /// Joints a vertex, in fours: 0 for rigid primitives.
    pub(in crate::render) sets_of_four: usize,
    /// What its vertices have.
    pub(in crate::render) attributes: Attributes,
    /// Whether these joints are blended as dual quaternions.
    pub(in crate::render) is_dual: bool,
    /// Whether lights may stand somewhere, instead of infinitely far away.
    pub(in crate::render) has_near_lights: bool,
    /// What light may cost.
    pub(in crate::render) quality: Quality,
    /// Which faces are drawn.
    pub(in crate::render) winding: Winding,
    /// How colours meet what is behind.
    pub(in crate::render) blending: Blending,
    /// What is written.
    pub(in crate::render) colors: ColorKind,
    /// What the shader is fixed to.
    pub(in crate::render) features: Features,
}

/// Which way front faces run, and which faces are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) struct Winding {
    /// Front faces run clockwise: the matrix mirrors.
    pub(in crate::render) is_mirrored: bool,
    /// What is drawn.
    pub(in crate::render) faces: Faces,
}

/// Which faces are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum Faces {
    /// Those that are seen from the front.
    Front,
    /// Those that are seen from the back.
    Back,
    /// All.
    Both,
}

/// How colours meet what is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum Blending {
    /// They cover it.
    Opaque,
    /// They cover the samples that alpha leaves.
    Masked,
    /// They cover it, and show a copy of it.
    Transmissive,
    /// They mix by alpha, and leave depth as it is.
    Alpha,
    /// They mix by alpha in no order: they are summed up beside the scene.
    Weighted,
    /// They leave colours as they are, and say how far away they are where there is anything to be seen.
    DepthAlone,
}

impl Blending {
    /// Whether what is drawn so is drawn in the order of distances: far to near what blends, near to far what shows a copy.
    pub(in crate::render) fn is_ordered(self) -> bool {
        !matches!(self, Self::Opaque | Self::Masked)
    }
}

/// What pictures will probably ask for.
#[derive(Debug, Clone, Copy)]
pub(in crate::render) struct Expected {
    /// What light may cost.
    pub(in crate::render) quality: Quality,
    /// Whether joints are blended as dual quaternions.
    pub(in crate::render) is_dual: bool,
    /// Whether light is shown: views for inspection have pipelines of their own.
    pub(in crate::render) is_lit: bool,
}

impl Expected {
    /// Of pictures in a view.
    pub(in crate::render) fn of(quality: Quality, is_dual: bool, view: ViewMode) -> Self {
        Self {
            quality,
            is_dual,
            is_lit: view == ViewMode::Lit,
        }
    }
}

impl Default for Expected {
    fn default() -> Self {
        Self::of(Quality::default(), false, ViewMode::default())
    }
}

/// The mesh pipelines and what they bind.
#[derive(Debug)]
pub(in crate::render) struct MeshPipelines {
    module: wgpu::ShaderModule,
    /// For scenes that hold shown colours, there once a model had any.
    colors_module: Option<wgpu::ShaderModule>,
    layout: wgpu::PipelineLayout,
    /// For models that come.
    pub(in crate::render) expected: Expected,
    pipelines: LatelyUsed<MeshKey, wgpu::RenderPipeline>,
    /// Group 1: the palette.
    pub(in crate::render) pose_layout: wgpu::BindGroupLayout,
    /// Group 2: a material.
    pub(in crate::render) material_layout: wgpu::BindGroupLayout,
    /// Group 3: a primitive's numbers and morph deltas.
    pub(in crate::render) primitive_layout: wgpu::BindGroupLayout,
}

/// Group 1, which the compute pass binds as well: matrices, active morphs, rotations.
pub(super) fn pose_layout(
    device: &wgpu::Device,
    stage: wgpu::ShaderStages,
) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("MeshPipelines::pose_layout"),
        entries: &[0, 1, 2].map(|binding| storage_entry(binding, stage)),
    })
}

/// Group 3, which the compute pass binds as well.
pub(super) fn primitive_layout(
    device: &wgpu::Device,
    stage: wgpu::ShaderStages,
) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("MeshPipelines::primitive_layout"),
        entries: &[uniform_entry(0, stage), storage_entry(1, stage)],
    })
}

/// Entry points of the meshes' vertex stage: for rigid primitives, and for four and eight joints a vertex.
pub(super) const MESH_ENTRIES: [&str; 3] = ["vs_rigid", "vs_skinned_4", "vs_skinned_8"];

/// That of these which is for so many joints, in fours.
pub(super) fn vertex_entry(sets_of_four: usize, entries: [&'static str; 3]) -> &'static str {
    entries[sets_of_four.min(2)]
}

/// What indices make, and which sides of it are drawn.
pub(super) fn primitive_state(topology: Topology, winding: Winding) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        topology: match topology {
            Topology::Points => wgpu::PrimitiveTopology::PointList,
            Topology::Lines => wgpu::PrimitiveTopology::LineList,
            Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
        },
        front_face: if winding.is_mirrored {
            wgpu::FrontFace::Cw
        } else {
            wgpu::FrontFace::Ccw
        },
        cull_mode: match winding.faces {
            Faces::Front => Some(wgpu::Face::Back),
            Faces::Back => Some(wgpu::Face::Front),
            Faces::Both => None,
        },
        ..Default::default()
    }
}

/// What meshes write that are summed up: light and alpha add up, so do shown colours, what each lets through multiplies.
fn weighted_targets(colors: ColorKind) -> Vec<Option<wgpu::ColorTargetState>> {
    let sum = scene_target(Some(alike(SUM)));
    let left = wgpu::ColorTargetState {
        format: LEFT_FORMAT,
        blend: Some(alike(wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Zero,
            dst_factor: wgpu::BlendFactor::OneMinusSrc,
            operation: wgpu::BlendOperation::Add,
        })),
        write_mask: wgpu::ColorWrites::ALL,
    };
    let mut targets = vec![sum.clone(), Some(left)];
    if colors.is_beside() {
        targets.push(sum);
    }
    targets
}

/// What meshes write that leave colours as they are.
fn no_targets() -> [Option<wgpu::ColorTargetState>; 1] {
    [Some(wgpu::ColorTargetState {
        format: SCENE_FORMAT,
        blend: None,
        write_mask: wgpu::ColorWrites::empty(),
    })]
}

/// The shader's override constants: what the material has, how joints are blended, where lights may be and what they may cost.
fn constants(key: &MeshKey) -> Vec<(&'static str, f64)> {
    let mut constants = key.features.constants();
    constants.push(("DUAL_QUATERNIONS", f64::from(u8::from(key.is_dual))));
    constants.push(("ATTRIBUTES", key.attributes.bits().into()));
    constants.push(("NEAR_LIGHTS", f64::from(u8::from(key.has_near_lights))));
    constants.push(("QUALITY", f64::from(key.quality as u8)));
    constants
}

impl MeshPipelines {
    /// Compiles the shader; pipelines follow when they are prepared.
    pub(in crate::render) fn new(
        device: &wgpu::Device,
        frame_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let pose_layout = pose_layout(device, wgpu::ShaderStages::VERTEX);
        let primitive_layout = primitive_layout(device, wgpu::ShaderStages::VERTEX_FRAGMENT);
        let mut material_entries = vec![uniform_entry(0, wgpu::ShaderStages::FRAGMENT)];
        for texture in 0..layout::texture_slots(&device.limits()) as u32 {
            material_entries.push(texture_entry(2 * texture + 1, true));
            material_entries.push(sampler_entry(2 * texture + 2));
        }
        let material_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("MeshPipelines::material_layout"),
            entries: &material_entries,
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("MeshPipelines::layout"),
            bind_group_layouts: &[
                Some(frame_layout),
                Some(&pose_layout),
                Some(&material_layout),
                Some(&primitive_layout),
            ],
            ..Default::default()
        });
        Self {
            module: shaders::MESHES.module(device),
            colors_module: None,
            layout,
            expected: Expected::default(),
            pipelines: LatelyUsed::default(),
            pose_layout,
            material_layout,
            primitive_layout,
        }
    }

    /// Forgets pipelines that the last few models have not needed: another comes.
    pub(in crate::render) fn next_model(&mut self) {
        self.pipelines.next_model();
    }

    /// Where the pipeline for `key` is, if it is there: for [`MeshPipelines::at`], until another model comes.
    pub(in crate::render) fn find(&mut self, key: MeshKey) -> Option<usize> {
        self.pipelines.find(&key)
    }

    /// Makes the pipelines for `keys` that are not there, several at a time.
    pub(in crate::render) fn prepare_all(
        &mut self,
        gpu: &Gpu,
        keys: impl Iterator<Item = MeshKey> + Clone,
    ) {
        self.prepare_modules(&gpu.device, keys.clone().any(|key| key.colors.is_beside()));
        let (maker, pipelines) = self.maker(&gpu.device);
        pipelines.want_all(keys, most_at_once(gpu), |key| maker.make(key));
    }

    fn prepare_modules(&mut self, device: &wgpu::Device, has_colors: bool) {
        if has_colors {
            let make_module = || shaders::MESHES_OF_COLORS.module(device);
            self.colors_module.get_or_insert_with(make_module);
        }
    }

    fn maker<'p>(
        &'p mut self,
        device: &'p wgpu::Device,
    ) -> (
        PipelineMaker<'p>,
        &'p mut LatelyUsed<MeshKey, wgpu::RenderPipeline>,
    ) {
        let maker = PipelineMaker {
            device,
            module: &self.module,
            colors_module: self.colors_module.as_ref(),
            layout: &self.layout,
        };
        (maker, &mut self.pipelines)
    }

    /// How many pipelines there are.
    pub(in crate::render) fn len(&self) -> usize {
        self.pipelines.len()
    }

    /// What all of them bind.
    pub(super) fn layout(&self) -> &wgpu::PipelineLayout {
        &self.layout
    }

    /// The pipeline for `key`, if it was prepared.
    pub(in crate::render) fn get(&self, key: MeshKey) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.get(&key)
    }

    /// The pipeline at a place that was told since the last model came.
    pub(in crate::render) fn at(&self, place: usize) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.at(place)
    }
}

/// What mesh pipelines are made of.
struct PipelineMaker<'p> {
    device: &'p wgpu::Device,
    module: &'p wgpu::ShaderModule,
    colors_module: Option<&'p wgpu::ShaderModule>,
    layout: &'p wgpu::PipelineLayout,
}

impl PipelineMaker<'_> {
    fn make(&self, key: MeshKey) -> wgpu::RenderPipeline {
        let constants = constants(&key);
        let of_colors = self.colors_module.filter(|_| key.colors.is_beside());
        let buffers = MeshBuffers::new(key.attributes, key.sets_of_four);
        let pipeline = ScenePipeline {
            label: "MeshPipelines::pipelines",
            layout: self.layout,
            module: of_colors.unwrap_or(self.module),
            vertex: vertex_entry(key.sets_of_four, MESH_ENTRIES),
            fragment: key.colors.entry(match key.blending {
                Blending::Masked => ["fs_masked", "fs_masked_colors"],
                Blending::Weighted => ["fs_weighted", "fs_weighted_colors"],
                Blending::DepthAlone => ["fs_depth"; 2],
                _ => ["fs_mesh", "fs_mesh_colors"],
            }),
            constants: &constants,
            buffers: &buffers.layouts(),
            primitive: primitive_state(key.topology, key.winding),
            colors: key.colors,
            blend: match key.blending {
                Blending::Alpha => Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                _ => None,
            },
            depth_compare: wgpu::CompareFunction::GreaterEqual,
            writes_depth: !matches!(key.blending, Blending::Alpha | Blending::Weighted),
        };
        let device = self.device;
        match key.blending {
            Blending::Weighted => pipeline.create_into(device, &weighted_targets(key.colors)),
            Blending::DepthAlone => pipeline.create_into(device, &no_targets()),
            _ => pipeline.create(device),
        }
    }
}
