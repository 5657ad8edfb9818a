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
        model::{
            material::Features,
            vertices::{Attributes, MeshBuffers},
        },
        shaders,
    },
    scene::ViewMode,
};

/// What is drawn of a primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum ViewPass {
    /// Its surface.
    Surface(ViewMode),
    /// The edges of its triangles, in the view of them.
    Edges,
    /// The edges of its triangles over whatever is drawn of the surface, in scenes of such colours.
    Wires(ColorKind),
    /// The normals of its vertices as lines, in such scenes.
    Normals(ColorKind),
}

impl ViewPass {
    /// `VIEW` in `shaders/views.wgsl`.
    fn number(self) -> u32 {
        match self {
            Self::Surface(mode) => mode as u32,
            Self::Edges => 100,
            Self::Wires(_) => 101,
            Self::Normals(_) => 102,
        }
    }

    /// The colours of the scene that it lies over, if it does.
    fn lies_over(self) -> Option<ColorKind> {
        match self {
            Self::Surface(_) | Self::Edges => None,
            Self::Wires(colors) | Self::Normals(colors) => Some(colors),
        }
    }

    /// What of a material's features changes what it shows: where holes are, and the map that it is about.
    fn seen_of(self, features: Features) -> Features {
        let (map, flags) = match self {
            Self::Surface(mode) if !mode.shows_cut_outs() => shown_of(mode, features.flags),
            // They go on where alpha leaves nothing of a triangle.
            Self::Surface(_) | Self::Edges | Self::Wires(_) | Self::Normals(_) => {
                return Features {
                    flags: 0,
                    slots: [NO_SLOT; MAP_COUNT],
                };
            }
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

/// The map that a view is about, and those of a material's features (`flags`) that say whether it is there and how it is meant.
fn shown_of(mode: ViewMode, flags: u32) -> (Option<TextureSlot>, u32) {
    use TextureSlot as S;
    use ViewMode as V;
    use material_flags as has;
    let is_glossy = flags & has::SPECULAR_GLOSSINESS != 0;
    let (map, flags) = match mode {
        V::BaseColor | V::Alpha => (S::BaseColor, 0),
        V::Normal => (S::Normal, 0),
        V::Metallic | V::Roughness => (S::MetallicRoughness, has::SPECULAR_GLOSSINESS),
        V::Occlusion => (S::Occlusion, 0),
        V::Emissive => (S::Emissive, 0),
        V::Clearcoat => (S::Clearcoat, has::CLEARCOAT),
        V::ClearcoatRoughness => (S::ClearcoatRoughness, has::CLEARCOAT),
        V::Sheen => (S::SheenColor, has::SHEEN),
        V::SheenRoughness => (S::SheenRoughness, has::SHEEN),
        // Another way of saying what is reflected, which goes before.
        V::Specular if is_glossy => return (None, has::SPECULAR_GLOSSINESS),
        V::SpecularColor if is_glossy => (S::MetallicRoughness, has::SPECULAR_GLOSSINESS),
        V::Specular => (S::Specular, has::SPECULAR),
        V::SpecularColor => (S::SpecularColor, has::SPECULAR),
        V::Transmission => (S::Transmission, has::TRANSMISSION),
        V::DiffuseTransmission => (S::DiffuseTransmission, has::DIFFUSE_TRANSMISSION),
        V::DiffuseTransmissionColor => (S::DiffuseTransmissionColor, has::DIFFUSE_TRANSMISSION),
        V::Iridescence => (S::Iridescence, has::IRIDESCENCE),
        V::Anisotropy => (S::Anisotropy, has::ANISOTROPY),
        V::Lit
        | V::VertexColor
        | V::GeometricNormal
        | V::Tangent
        | V::Uv
        | V::Depth
        | V::Wireframe
        | V::Faces
        | V::Influences
        | V::Joints
        | V::Weights
        | V::Overdraw
        | V::SkinningDifference => return (None, 0),
    };
    (Some(map), flags)
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
    /// The pipeline for what is drawn by `key`; none for what another pipeline draws the other side of, where both sides are
    /// shown, nor for what has no such lines.
    pub(in crate::render) fn of(key: MeshKey, pass: ViewPass) -> Option<Self> {
        let mut winding = key.winding;
        let shows_both_sides = match pass {
            ViewPass::Surface(mode) => mode.shows_both_sides(),
            ViewPass::Edges => false,
            ViewPass::Wires(_) | ViewPass::Normals(_) => true,
        };
        if shows_both_sides {
            if winding.faces == Faces::Back {
                return None;
            }
            winding.faces = Faces::Both;
        }
        let mut attributes = key.attributes;
        match pass {
            ViewPass::Surface(_) | ViewPass::Edges => {}
            ViewPass::Wires(_) if key.topology == Topology::Triangles => {
                // They are of one colour.
                attributes = Attributes::NONE;
            }
            ViewPass::Normals(_) if attributes.has(Attributes::NORMALS) => {}
            ViewPass::Wires(_) | ViewPass::Normals(_) => return None,
        }
        if pass.lies_over().is_some() {
            // A line has no side.
            winding.is_mirrored = false;
        }
        Some(Self {
            topology: match pass {
                ViewPass::Edges | ViewPass::Wires(_) | ViewPass::Normals(_) => Topology::Lines,
                ViewPass::Surface(_) => key.topology,
            },
            sets_of_four: key.sets_of_four,
            attributes,
            is_dual: key.is_dual,
            winding,
            features: pass.seen_of(key.features),
            pass,
        })
    }
}

/// Like those of [`mesh::MESH_ENTRIES`].
const VIEW_ENTRIES: [&str; 3] = ["vs_view_rigid", "vs_view_skinned_4", "vs_view_skinned_8"];

/// And those of the ends of normals.
const NORMAL_ENTRIES: [&str; 3] = [
    "vs_normal_rigid",
    "vs_normal_skinned_4",
    "vs_normal_skinned_8",
];

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
            let (entries, layouts) = match key.pass {
                ViewPass::Normals(_) => (NORMAL_ENTRIES, buffers.layouts_at_vertices()),
                _ => (VIEW_ENTRIES, buffers.layouts()),
            };
            let lies_over = key.pass.lies_over();
            ScenePipeline {
                label: "ViewPipelines::pipelines",
                layout: meshes.layout(),
                module,
                vertex: mesh::vertex_entry(key.sets_of_four, entries),
                fragment: lies_over.map_or("fs_view", |colors| {
                    colors.entry(["fs_line", "fs_line_colors"])
                }),
                constants: &constants,
                buffers: &layouts,
                primitive: mesh::primitive_state(key.topology, key.winding),
                colors: lies_over.unwrap_or(ColorKind::Light),
                // What is drawn is added to what is there.
                blend: is_overdraw.then(|| alike(SUM)),
                depth_compare: if is_overdraw {
                    wgpu::CompareFunction::Always
                } else {
                    wgpu::CompareFunction::GreaterEqual
                },
                writes_depth: !is_overdraw && lies_over.is_none(),
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
        assert_eq!(seen(u32::MAX, ViewMode::Wireframe), (0, vec![]));
        assert_eq!(seen(whole, ViewMode::Alpha), (0, vec![0]));
        assert_eq!(seen(u32::MAX, ViewMode::Normal), (holes, vec![0, 2]));
        assert_eq!(seen(whole, ViewMode::Roughness), (glossy, vec![1]));
        assert_eq!(seen(whole, ViewMode::Emissive), (0, vec![4]));
        let (coat, specular) = (material_flags::CLEARCOAT, material_flags::SPECULAR);
        assert_eq!(seen(0, ViewMode::Clearcoat), (0, vec![7]));
        assert_eq!(seen(coat, ViewMode::Clearcoat), (coat, vec![7]));
        let color = ViewMode::SpecularColor;
        assert_eq!(seen(specular, color), (specular, vec![6]));
        assert_eq!(seen(specular | glossy, color), (glossy, vec![1]));
    }
    /// Normals need normals and edges triangles; lines have no side, and are drawn once where both sides of a surface are.
    #[test]
    fn lines_over_surfaces_are_those_that_there_are() {
        let light = ColorKind::Light;
        let both = [ViewPass::Wires(light), ViewPass::Normals(light)];
        let keys = |key| both.map(|pass| ViewKey::of(key, pass));
        let are_there = |key| keys(key).map(|key| key.is_some());
        let mut key = draw(false, [0.0, 1.0]).key;
        key.attributes = Attributes::NONE;
        assert_eq!(are_there(key), [true, false]);
        key.attributes = Attributes::ALL;
        assert_eq!(are_there(key), [true, true]);
        let mut mirrored = key;
        mirrored.winding.is_mirrored = true;
        mirrored.features.flags = material_flags::ALPHA_MASK;
        assert_eq!(keys(mirrored), keys(key));
        key.topology = Topology::Points;
        assert_eq!(are_there(key), [false, true]);
        mirrored.winding.faces = Faces::Back;
        assert_eq!(are_there(mirrored), [false, false]);
    }
}
