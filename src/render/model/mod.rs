//! A model on the GPU: what its meshes, materials, textures and morph targets become there when it is uploaded.

mod edges;
mod halving;
pub(super) mod material;
pub(super) mod mesh;
pub(super) mod morphs;
pub(super) mod samplers;
mod slots;
mod texture;
pub mod vertices;
mod waiting;

use std::collections::HashSet;

use self::{
    material::GpuMaterial,
    mesh::{GpuPrimitive, PrimitiveUploads},
    samplers::Bindings,
    slots::MAP_NAMES,
    texture::Textures,
};
use super::{
    Gpu,
    passes::shown_colors::{ShownApart, is_shown},
    pipelines::{
        Blending, ColorKind, Expected, Faces, MeshKey, MeshPipelines, MipmapPipeline, Winding,
    },
    room::{
        Held, LeftOut, NoRoom,
        few_pipelines::{self, share_layers},
        most_bytes,
        pipelines::PipelineRoom,
        portions::portion_of,
    },
};
use crate::{
    model::{LightKind, Model, Primitive, SeenLayers, Topology},
    scene::{Frame, Quality},
};

/// Everything of a model that does not change from frame to frame.
#[derive(Debug)]
pub struct GpuModel {
    /// For each mesh its primitives, `None` for those that do not fit.
    pub(super) meshes: Vec<Vec<Option<GpuPrimitive>>>,
    /// `None` for those that no primitive names in any variant.
    pub(super) materials: Vec<Option<GpuMaterial>>,
    /// Whether any of its lights stands somewhere, instead of infinitely far away.
    pub(super) has_near_lights: bool,
    /// When it keeps colours that are shown as they are apart from light.
    pub(super) shown_apart: ShownApart,
    /// What the file holds.
    pub(super) held: Held,
    /// Points, lines and triangles that a software driver is told to draw at once.
    pub(super) portion: u64,
    /// How many primitives there are.
    pub(super) primitives: usize,
    /// What it is drawn by.
    pub(super) pipelines: PipelineRoom,
    /// What was found to have no room first.
    left_out: Option<LeftOut>,
    /// Bytes in buffers of primitives, but for those of edges.
    mesh_bytes: u64,
    /// Bytes in buffers of edges.
    pub(super) edge_bytes: u64,
    /// Bytes in textures.
    texture_bytes: u64,
    /// Whether edges were too many, which is said once.
    pub(super) lacks_edges: bool,
}

impl GpuModel {
    /// Uploads a model and makes the pipelines that it needs.
    pub(super) fn new(
        gpu: &Gpu,
        pipelines: &mut MeshPipelines,
        mipmaps: &MipmapPipeline,
        model: &Model,
    ) -> Self {
        let mut textures = Textures::new(gpu, mipmaps);
        let layout = &pipelines.material_layout;
        let materials = upload_materials(gpu, layout, mipmaps, model, &mut textures);
        let mut uploads = PrimitiveUploads::new(gpu, &pipelines.primitive_layout, model);
        let most_bytes = most_bytes(gpu.is_software(), model);
        let (meshes, left_out) = upload_meshes(&mut uploads, most_bytes, model, &materials);
        let (mesh_bytes, texture_bytes) = (uploads.bytes, textures.bytes());
        let drawn = model.primitives().flat_map(|primitive| {
            let materials = primitive
                .materials()
                .filter_map(|index| materials[index].as_ref());
            materials.map(move |material| (primitive, material.blending, &material.features))
        });
        let mut this = Self {
            shown_apart: ShownApart::of(gpu, drawn),
            held: Held::of(model),
            portion: portion_of(model),
            primitives: model.meshes.iter().map(|mesh| mesh.primitives.len()).sum(),
            left_out: None,
            pipelines: PipelineRoom::new(gpu.is_software()),
            meshes,
            materials,
            has_near_lights: model.lights.iter().any(|light| is_near(light.kind)),
            mesh_bytes,
            edge_bytes: 0,
            texture_bytes,
            lacks_edges: false,
        };
        for (material, names) in this.textures_left_out() {
            log::warn!(
                "material \"{}\" has more textures than the adapter has room for; left out are those of {}",
                model.materials[material].name,
                names.join(", ")
            );
        }
        if let Some(left_out) = left_out {
            this.leave_out(left_out, &model.name);
        }
        this.prepare_pipelines(gpu, pipelines, model);
        this
    }

    /// Makes the pipelines that nodes ask for, in all variants, if light is expected; those for mirrored matrices follow when
    /// one comes.
    fn prepare_pipelines(&mut self, gpu: &Gpu, pipelines: &mut MeshPipelines, model: &Model) {
        let expected = pipelines.expected;
        let mut wanted = self.wanted_pipelines(model, expected);
        if wanted.len() > few_pipelines::MANY {
            let own: Vec<_> = self.flags().map(|flags| *flags).collect();
            share_layers(self.flags());
            let shared = self.wanted_pipelines(model, expected);
            // Layers take time in each picture: where there are many pipelines for other reasons they stay apart.
            if shared.len() <= wanted.len() / 2 {
                wanted = shared;
            } else {
                for (flags, own) in self.flags().zip(own) {
                    *flags = own;
                }
            }
        }
        if expected.is_lit {
            pipelines.prepare_all(gpu, self.pipelines.first(wanted).into_iter());
        }
    }

    /// What the materials have that are uploaded.
    fn flags(&mut self) -> impl Iterator<Item = &mut u32> {
        let uploaded = self.materials.iter_mut().flatten();
        uploaded.map(|material| &mut material.features.flags)
    }

    /// The pipelines that nodes ask for, each once, in the order of the nodes.
    fn wanted_pipelines(&self, model: &Model, expected: Expected) -> Vec<MeshKey> {
        let (mut wanted, mut seen) = (Vec::new(), HashSet::new());
        for (_, node) in model.hierarchy.iter() {
            let Some(mesh) = node.mesh else { continue };
            let primitives = model.meshes[mesh].primitives.iter();
            for (primitive, uploaded) in primitives.zip(&self.meshes[mesh]) {
                let Some(uploaded) = uploaded else { continue };
                let sets_of_four = node.skin.map_or(0, |_| uploaded.sets_of_four);
                let is_dual = sets_of_four > 0 && expected.is_dual;
                for material in primitive.materials() {
                    let part = (primitive, uploaded);
                    let quality = expected.quality;
                    let keys = self.keys(part, material, sets_of_four, false);
                    let keys = keys.map(|key| MeshKey {
                        is_dual,
                        quality,
                        colors: if self.shown_apart.at(quality) {
                            key.colors
                        } else {
                            ColorKind::Light
                        },
                        ..key
                    });
                    wanted.extend(keys.filter(|key| seen.insert(*key)));
                }
            }
        }
        wanted
    }

    /// The pipelines that draw a primitive with a material, one after the other: as a rigid one with 0 `sets_of_four`, or
    /// with its joints.
    pub(super) fn keys(
        &self,
        (primitive, uploaded): (&Primitive, &GpuPrimitive),
        material: usize,
        sets_of_four: usize,
        is_mirrored: bool,
    ) -> impl Iterator<Item = MeshKey> + Clone + use<> {
        let material = self.materials[material].as_ref();
        let keys = material.map(|material| {
            let faces: &'static [Faces] = match (material.is_double_sided, material.blending) {
                (false, _) => &[Faces::Front],
                // The far side of a thing is seen through the near one. Points and lines have no sides.
                (true, Blending::Alpha) if primitive.topology == Topology::Triangles => {
                    &[Faces::Back, Faces::Front]
                }
                (true, _) => &[Faces::Both],
            };
            let (topology, blending) = (primitive.topology, material.blending);
            let (attributes, features) = (uploaded.attributes, material.features);
            let has_near_lights = self.has_near_lights;
            let colors = if self.shown_apart == ShownApart::Never {
                ColorKind::Light
            } else if is_shown(primitive, &features) {
                ColorKind::Shown
            } else {
                ColorKind::LightBeside
            };
            faces.iter().map(move |&faces| MeshKey {
                topology,
                sets_of_four,
                attributes,
                is_dual: false,
                has_near_lights,
                quality: Quality::default(),
                winding: Winding { is_mirrored, faces },
                blending,
                colors,
                features,
            })
        });
        keys.into_iter().flatten()
    }

    /// Whether a material (an index) is drawn in the order of distances.
    pub(super) fn is_ordered(&self, material: usize) -> bool {
        is_ordered(&self.materials[material])
    }

    /// What a material (an index) binds.
    pub(super) fn bindings(&self, material: usize) -> Bindings {
        let material = self.materials[material].as_ref();
        material.map(|it| it.bindings).unwrap_or_default()
    }

    /// Brings those materials up to date that clips move.
    pub(super) fn update_materials(&mut self, gpu: &Gpu, frame: &Frame<'_>) {
        let materials = &frame.properties.values().materials;
        for &material in frame.properties.moved_materials() {
            if let Some(on_gpu) = &mut self.materials[material] {
                on_gpu.update(gpu, &materials[material]);
            }
        }
    }

    /// Materials (indices) with more textures than there is room for, and what those are for that are left out.
    pub(super) fn textures_left_out(
        &self,
    ) -> impl Iterator<Item = (usize, Vec<&'static str>)> + '_ {
        let materials = self.materials.iter().enumerate();
        materials.filter_map(|(index, material)| {
            let lost = &material.as_ref()?.lost;
            let names = lost.iter().map(|&map| MAP_NAMES[map as usize]).collect();
            (!lost.is_empty()).then_some((index, names))
        })
    }

    /// Says, once a model, that not all of it is drawn.
    pub(super) fn leave_out(&mut self, left_out: LeftOut, name: &str) {
        if self.left_out.is_none() {
            log::warn!(
                "\"{name}\" {}: {left_out} is left out, or some of its copies, and perhaps others",
                left_out.why.reason()
            );
            self.left_out = Some(left_out);
        }
    }

    /// The first that has no room.
    pub(super) fn left_out(&self) -> Option<LeftOut> {
        self.left_out
    }

    /// Bytes in buffers and textures.
    pub fn bytes(&self) -> u64 {
        self.mesh_bytes + self.edge_bytes + self.texture_bytes
    }
}

/// The materials of a model, `None` for those that no primitive names in any variant.
fn upload_materials(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    mipmaps: &MipmapPipeline,
    model: &Model,
    textures: &mut Textures,
) -> Vec<Option<GpuMaterial>> {
    let is_named = model.named_materials();
    let seen = SeenLayers::of(model);
    let materials = is_named.into_iter().enumerate();
    let uploaded = materials.map(|(index, is_named)| {
        is_named.then(|| GpuMaterial::new(gpu, layout, mipmaps, model, (index, &seen), textures))
    });
    uploaded.collect()
}

/// The primitives of each mesh until they take more bytes than they may, and the first that has no room.
fn upload_meshes<'m>(
    uploads: &mut PrimitiveUploads<'m>,
    most_bytes: u64,
    model: &'m Model,
    materials: &[Option<GpuMaterial>],
) -> (Vec<Vec<Option<GpuPrimitive>>>, Option<LeftOut>) {
    let mut meshes = Vec::with_capacity(model.meshes.len());
    let mut left_out = None;
    for (index, mesh) in model.meshes.iter().enumerate() {
        let mut on_gpu = Vec::with_capacity(mesh.primitives.len());
        for primitive in &mesh.primitives {
            if uploads.bytes > most_bytes {
                left_out.get_or_insert(LeftOut {
                    mesh: index,
                    primitive: primitive.file_index,
                    why: NoRoom::Shapes,
                });
                on_gpu.push(None);
                continue;
            }
            let name = format!(
                "/meshes/{index}/primitives/{} \"{}\"",
                primitive.file_index, mesh.name
            );
            let is_ordered = |material: usize| is_ordered(&materials[material]);
            let is_ordered = primitive.materials().any(is_ordered);
            on_gpu.push(uploads.upload(primitive, is_ordered, &name));
        }
        meshes.push(on_gpu);
    }
    (meshes, left_out)
}

fn is_ordered(material: &Option<GpuMaterial>) -> bool {
    let material = material.as_ref();
    material.is_some_and(|material| material.blending.is_ordered())
}

/// Whether lights of a kind stand somewhere, instead of infinitely far away.
pub(super) fn is_near(kind: LightKind) -> bool {
    !matches!(kind, LightKind::Directional)
}
