//! Meshes in views for inspection: a pipeline for each combination of what pipelines must fix, made when it is first
//! wanted.

use super::{
    ColorKind, Faces, MeshKey, MeshPipelines, ScenePipeline, Winding,
    color_kind::{SUM, alike},
    lately_used::LatelyUsed,
    mesh,
};
use crate::{
    model::Topology,
    render::{
        material::Features,
        shaders,
        vertices::{Attributes, MeshBuffers},
    },
    scene::ViewMode,
};

/// What is drawn of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum ViewPass {
    /// Its surface.
    Surface(ViewMode),
    /// The edges of its triangles.
    Edges,
}

impl ViewPass {
    /// `VIEW` in `shaders/views.wgsl`.
    fn number(self) -> u32 {
        match self {
            Self::Surface(mode) => mode as u32,
            Self::Edges => 20,
        }
    }
}

/// What a pipeline of views is fixed to: of a mesh's key what views look at. They cover what is behind, whatever the material
/// says, and no light shines in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) struct ViewKey {
    topology: Topology,
    sets_of_four: usize,
    attributes: Attributes,
    is_dual: bool,
    winding: Winding,
    features: Features,
    pass: ViewPass,
}

impl ViewKey {
    /// The pipeline for what is drawn by `key`; none for what another pipeline draws the other side of, where the view shows
    /// both sides.
    pub(in crate::render) fn of(key: MeshKey, pass: ViewPass) -> Option<Self> {
        let mut winding = key.winding;
        if matches!(pass, ViewPass::Surface(mode) if mode.shows_both_sides()) {
            if winding.faces == Faces::Back {
                return None;
            }
            winding.faces = Faces::Both;
        }
        Some(Self {
            topology: match pass {
                ViewPass::Edges => Topology::Lines,
                ViewPass::Surface(_) => key.topology,
            },
            sets_of_four: key.sets_of_four,
            attributes: key.attributes,
            is_dual: key.is_dual,
            winding,
            features: key.features,
            pass,
        })
    }
}

/// Like those of [`mesh::MESH_ENTRIES`].
const VIEW_ENTRIES: [&str; 3] = ["vs_view_rigid", "vs_view_skinned_4", "vs_view_skinned_8"];

/// The pipelines of views.
#[derive(Debug, Default)]
pub(in crate::render) struct ViewPipelines {
    module: Option<wgpu::ShaderModule>,
    pipelines: LatelyUsed<ViewKey, wgpu::RenderPipeline>,
}

impl ViewPipelines {
    /// Forgets pipelines that the last few models have not needed: another comes.
    pub(in crate::render) fn next_model(&mut self) {
        self.pipelines.next_model();
    }

    /// Makes the pipeline for `key` unless it is there.
    pub(in crate::render) fn prepare(
        &mut self,
        device: &wgpu::Device,
        meshes: &MeshPipelines,
        key: ViewKey,
    ) {
        let module = self
            .module
            .get_or_insert_with(|| shaders::MESH_VIEWS.module(device));
        let make = || {
            let is_overdraw = key.pass == ViewPass::Surface(ViewMode::Overdraw);
            let mut constants = key.features.constants();
            constants.push(("DUAL_QUATERNIONS", f64::from(u8::from(key.is_dual))));
            constants.push(("ATTRIBUTES", key.attributes.bits().into()));
            constants.push(("VIEW", f64::from(key.pass.number())));
            let buffers = MeshBuffers::new(key.attributes, key.sets_of_four);
            ScenePipeline {
                label: "ViewPipelines::pipelines",
                layout: meshes.layout(),
                module,
                vertex: mesh::vertex_entry(key.sets_of_four, VIEW_ENTRIES),
                fragment: "fs_view",
                constants: &constants,
                buffers: &buffers.layouts(),
                primitive: mesh::primitive_state(key.topology, key.winding),
                colors: ColorKind::Light,
                // What is drawn is added to what is there.
                blend: is_overdraw.then(|| alike(SUM)),
                depth_compare: if is_overdraw {
                    wgpu::CompareFunction::Always
                } else {
                    wgpu::CompareFunction::GreaterEqual
                },
                writes_depth: !is_overdraw,
            }
            .create(device)
        };
        self.pipelines.want(key, make);
    }

    /// The pipeline for `key`, if it was prepared.
    pub(in crate::render) fn get(&self, key: ViewKey) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.get(&key)
    }
}
