//! [`Model`] → files: what others open again.
//!
//! A posed mesh becomes a static .glb: `posed` computes its vertices as the shader does, `materials` and `textures`
//! say again what the file said of its surfaces, `placed` of its lights and cameras, and `glb` lays all of it out as JSON
//! and one block of bytes.
//!
//! A clip becomes one more animation of the file that the model came from: `tracks` adds it to that file, which `source_file`
//! keeps as it is; `from_zero` makes tracks of those that files cannot hold; `references` finds what such a file names in
//! vain. `keyed` makes such a clip of a pose, and `baked` of a motion that is no set of tracks; `unread` says what was lost
//! before.

mod baked;
mod columns;
mod from_zero;
mod glb;
mod keyed;
mod materials;
mod owners;
mod placed;
mod posed;
mod references;
mod source_file;
mod textures;
mod tracks;
mod unread;

use serde_json::{Value, json};

use crate::{
    anim::{Palette, PaletteLayout, Pose, Skinning},
    model::{Camera, Light, Material, Model},
};

pub use baked::{MAX_MOMENTS, Recorded, Recording, moments_taken};
pub use keyed::{Keyed, keyed_glb};
pub use source_file::SourceFile;
pub use tracks::{AddedClip, WithClip, check_addable, clip_glb};
pub use unread::unread_words;

use glb::GlbWriter;
use materials::MaterialWriter;
use posed::Surfaces;

/// More vertices than this are not written: copies by instancing can ask for any number.
const MAX_VERTICES: usize = 20_000_000;
/// More primitives than this are not written, those of all copies together: each costs a mesh, a node and accessors.
const MAX_PARTS: usize = 50_000;

/// What is written of a model.
#[derive(Debug, Clone, Copy)]
pub struct Still<'a> {
    /// The model.
    pub model: &'a Model,
    /// Index of the scene whose meshes are written.
    pub scene: usize,
    /// The pose, with its world matrices up to date.
    pub pose: &'a Pose,
    /// How joints are blended.
    pub skinning: Skinning,
    /// The materials as they are in the pose: as many as the model's own.
    pub materials: &'a [Material],
    /// The lights as they are in the pose, likewise.
    pub lights: &'a [Light],
    /// The cameras as they are in the pose, likewise.
    pub cameras: &'a [Camera],
    /// In which variant.
    pub variant: Option<usize>,
}

/// A .glb file with the meshes that a pose shows, as they stand in the world, and what shines on them and looks at them: no
/// joints, no morph targets, no clips.
///
/// Fails if nothing can be seen, or if there is more of it than a file can hold.
pub fn still_glb(still: &Still<'_>) -> anyhow::Result<Vec<u8>> {
    let model = still.model;
    let layout = PaletteLayout::new(model, still.scene);
    let mut palette = Palette::default();
    palette.clear(&layout, 1);
    palette.set_skinning(still.skinning);
    palette.push(model, &layout, still.pose);
    palette.find_rotations();
    let surfaces = Surfaces {
        model,
        layout: &layout,
        palette: &palette,
    };
    anyhow::ensure!(
        surfaces.vertex_count() <= MAX_VERTICES,
        "{} has copies with {} vertices in all; at most {MAX_VERTICES} are written",
        model.name,
        surfaces.vertex_count()
    );
    anyhow::ensure!(
        surfaces.part_count() <= MAX_PARTS,
        "{} has copies with {} parts in all; at most {MAX_PARTS} are written",
        model.name,
        surfaces.part_count()
    );
    let mut glb = GlbWriter::default();
    let mut materials = MaterialWriter::new(model, still.materials);
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    for index in 0..layout.placements().len() {
        let placement = &layout.placements()[index];
        let name = &model.hierarchy.node(placement.node).name;
        for copy in surfaces.copies_shown(index) {
            let mut primitives = Vec::new();
            for primitive in &model.meshes[placement.mesh].primitives {
                let Some(mut surface) = surfaces.pose(index, copy, primitive) else {
                    log::warn!("{name:?}: a part of its mesh has no finite place, and is left out");
                    continue;
                };
                let material = primitive.material_in(still.variant);
                let needed = still.materials[material].tangent_texture();
                if needed.is_some_and(|it| !primitive.has_tangents_of(&it)) {
                    // Whoever reads it computes its own.
                    surface.leave_out_tangents();
                }
                let material = materials.add(material, surface.thickness_scale, &mut glb)?;
                let sets = materials.tex_coord_sets(material);
                primitives.push(surface.write(primitive, material, sets, &mut glb)?);
            }
            if primitives.is_empty() {
                continue;
            }
            nodes.push(named(json!({ "mesh": meshes.len() }), name));
            let mesh = &model.meshes[placement.mesh].name;
            let mut value = json!({});
            value["primitives"] = Value::Array(primitives);
            meshes.push(named(value, mesh));
        }
    }
    anyhow::ensure!(
        !nodes.is_empty(),
        "{} shows no mesh in this pose",
        model.name
    );
    let mut root = json!({
        "asset": {
            "version": "2.0",
            "generator": concat!("rigscope ", env!("CARGO_PKG_VERSION")),
        },
        "scene": 0,
    });
    root["meshes"] = Value::Array(meshes);
    if let Some(copyright) = &model.asset.copyright {
        root["asset"]["copyright"] = json!(copyright);
    }
    materials.finish(&mut root);
    placed::write(still, &mut nodes, &mut root);
    let roots: Vec<_> = (0..nodes.len()).collect();
    root["scenes"] = json!([{ "nodes": roots }]);
    root["nodes"] = Value::Array(nodes);
    glb.finish(root)
}

/// An object with its name, if it has one.
fn named(mut object: Value, name: &str) -> Value {
    if !name.is_empty() {
        object["name"] = json!(name);
    }
    object
}
