//! Meshes in views for inspection: a pipeline for each combination of what pipelines must fix, made when it is first
//! wanted.

use super::{
    ColorKind, Faces, MeshKey, MeshPipelines, ScenePipeline, Winding,
    color_kind::{SUM, alike},
    lately_used::LatelyUsed,
    mesh,
};
use crate::{
    model::{TextureSlot, Topology},
    render::{
        Gpu,
        layout::{MAP_COUNT, NO_SLOT, material_flags},
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

    /// What of a material's features changes what it shows: where holes are, and the map that it is about.
    fn seen_of(self, features: Features) -> Features {
        let (map, flags) = match self {
            Self::Surface(ViewMode::BaseColor | ViewMode::Alpha) => {
                (Some(TextureSlot::BaseColor), 0)
            }
            Self::Surface(ViewMode::Normal) => (Some(TextureSlot::Normal), 0),
            Self::Surface(ViewMode::Metallic | ViewMode::Roughness) => (
                Some(TextureSlot::MetallicRoughness),
                material_flags::SPECULAR_GLOSSINESS,
            ),
            Self::Surface(ViewMode::Occlusion) => (Some(TextureSlot::Occlusion), 0),
            Self::Surface(ViewMode::Emissive) => (Some(TextureSlot::Emissive), 0),
            Self::Surface(
                ViewMode::Lit
                | ViewMode::VertexColor
                | ViewMode::GeometricNormal
                | ViewMode::Tangent
                | ViewMode::Uv
                | ViewMode::Depth
                | ViewMode::Wireframe
                | ViewMode::Faces
                | ViewMode::Influences
                | ViewMode::Joints
                | ViewMode::Weights
                | ViewMode::Overdraw
                | ViewMode::SkinningDifference,
            )
            | Self::Edges => (None, 0),
        };
        let flags = features.flags & (flags | material_flags::ALPHA_MASK);
        let is_cut_out = flags & material_flags::ALPHA_MASK != 0;
        let alpha = is_cut_out.then_some(TextureSlot::BaseColor);
        let mut slots = [NO_SLOT; MAP_COUNT];
        for map in map.into_iter().chain(alpha) {
            slots[map as usize] = features.slots[map as usize];
        }
        Features { flags, slots }
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
            features: pass.seen_of(key.features),
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

    /// Makes the pipelines for `keys` that are not there, several at a time.
    pub(in crate::render) fn prepare_all(
        &mut self,
        gpu: &Gpu,
        meshes: &MeshPipelines,
        keys: impl Iterator<Item = ViewKey>,
    ) {
        let device = &gpu.device;
        let module = self
            .module
            .get_or_insert_with(|| shaders::MESH_VIEWS.module(device));
        let make = |key: ViewKey| {
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
        self.pipelines.want_all(keys, mesh::most_at_once(gpu), make);
    }

    /// How many pipelines there are.
    pub(in crate::render) fn len(&self) -> usize {
        self.pipelines.len()
    }

    /// The pipeline for `key`, if it was prepared.
    pub(in crate::render) fn get(&self, key: ViewKey) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.get(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::draw_lists::tests::draw;

    /// A pipeline that looked at less would show something else; one that looks at more is made once more for each material.
    #[test]
    fn a_view_is_fixed_to_the_maps_that_it_shows() {
        let mut key = draw(false, [0.0, 1.0]).key;
        key.features.slots = std::array::from_fn(|place| place as u8);
        let mut seen = |flags, mode| {
            key.features.flags = flags;
            let features = ViewPass::Surface(mode).seen_of(key.features);
            let slots = features.slots.into_iter();
            let slots: Vec<_> = slots.filter(|slot| *slot != NO_SLOT).collect();
            (features.flags, slots)
        };
        let (glossy, holes) = (
            material_flags::SPECULAR_GLOSSINESS,
            material_flags::ALPHA_MASK,
        );
        let whole = !holes;
        assert_eq!(seen(whole, ViewMode::Faces), (0, vec![]));
        assert_eq!(seen(u32::MAX, ViewMode::Faces), (holes, vec![0]));
        assert_eq!(seen(whole, ViewMode::Alpha), (0, vec![0]));
        assert_eq!(seen(u32::MAX, ViewMode::Normal), (holes, vec![0, 2]));
        assert_eq!(seen(whole, ViewMode::Roughness), (glossy, vec![1]));
        assert_eq!(seen(whole, ViewMode::Emissive), (0, vec![4]));
    }
}
